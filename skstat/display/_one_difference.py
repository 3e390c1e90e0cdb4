"""One difference below the values that it was made of: its estimate, interval and margin."""

import math
from typing import Any, Protocol

from skstat.display._figure import (
    draw_inner,
    draw_interval,
    draw_margin,
    draw_zero,
    hide_spines,
    row_names,
    view,
    write_axis,
)
from skstat.display._style import fold, point


class OneDifference(Protocol):
    """What a display knows of the difference."""

    estimate: float
    interval: tuple[float, float]
    confidence_level: float
    names: tuple[str, str]
    metric: str
    higher_is_better: bool
    margin: float | None
    inner_interval: tuple[float, float] | None
    inner_level: float | None
    verdict: str


def limits_of(display: OneDifference, values: Any) -> tuple[float, float]:
    """Return the limits of an axis on which the interval can be seen, with zero and margin."""
    margins = [] if display.margin is None else [-display.margin, display.margin]
    return view(values, display.interval, [0.0, display.estimate, *margins])


def draw_difference(
    ax: Any,
    display: OneDifference,
    *,
    tallest: float,
    below: float,
    values: str,
    estimated: str,
) -> None:
    """Draw the difference at a height below zero, and name both it and the values above."""
    low, high = display.interval
    if not (math.isnan(low) or math.isnan(high)):
        draw_interval(ax, low, high, below, display.verdict)
    if display.inner_interval is not None:
        draw_inner(ax, *display.inner_interval, below, display.verdict)
    ax.plot([display.estimate], [below], **point(display.verdict))
    draw_zero(ax)
    if display.margin is not None:
        draw_margin(ax, display.margin)
    names = (values, f"{estimated} {_interval_of(display)}")
    row_names(ax, [tallest / 2, below], [fold(name, 1.1, size=0.83) for name in names])
    hide_spines(ax, "left", "right", "top")
    write_axis(
        ax,
        display.names,
        display.metric,
        display.margin,
        higher_is_better=display.higher_is_better,
    )


def _interval_of(display: OneDifference) -> str:
    low, high = display.interval
    if math.isnan(low) or math.isnan(high):
        return "(no interval exists)"
    sided = "" if math.isfinite(low) and math.isfinite(high) else "one-sided "
    level = f"{100 * display.confidence_level:g}%"
    if display.inner_interval is not None and display.inner_level is not None:
        level += f" (thick: {100 * display.inner_level:g}%)"
    return f"and {sided}{level} interval"
