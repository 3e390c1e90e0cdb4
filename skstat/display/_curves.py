"""Curves of one system or more over the same axis: costs, ROC, precision and recall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import hide_spines
from skstat.display._style import ink

# Below the curves, in parts of the height: where bars say who is better.
_BARS = -0.045
_MOST_IN_LEGEND = 12
_STYLES = ("-", "-.", (0, (3, 1)))  # each for as many curves as there are colours
# Letters of which two columns fit side by side.
_FITS_TWICE = 36


@dataclass(eq=False, kw_only=True, repr=False)
class CurvesDisplay(Display):
    """Curves of systems, what they are held against, and where they cross.

    Parameters
    ----------
    curves : mapping of str to (x, y)
        Points of each system's curve, joined by straight lines.
    xlabel, ylabel : str
        Names of the axes.
    notes : mapping of str to str, optional
        What the legend says after the name of a curve.
    reference : (x, y), optional
        Points of a line that curves are held against.
    reference_name : str, default="trivial"
        Its name.
    members : sequence of (x, y), optional
        Curves of folds, drawn thin and without names.
    members_name : str, default="folds"
        Name for all of them.
    crossings : sequence of (x, y), optional
        Where two curves cross.
    spans : sequence of (low, high, name), optional
        Stretches of the axis on which the named curve is better, drawn as bars below.
    spans_name : str, default="better"
        What a bar says.
    mark : float, optional
        A place on the axis.
    mark_name : str, default=""
        What is there.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : dict of str to matplotlib Line2D
        The curves by name.

    Examples
    --------
    >>> from skstat.display import CurvesDisplay
    >>> display = CurvesDisplay(
    ...     curves={"tree": ([0, 0.5, 1], [0, 0.2, 0])}, xlabel="P(+)cost", ylabel="cost"
    ... )
    >>> display.plot().lines_["tree"].get_ydata().tolist()
    [0.0, 0.2, 0.0]
    """

    curves: Mapping[str, tuple[Any, Any]]
    xlabel: str
    ylabel: str
    notes: Mapping[str, str] = field(default_factory=dict)
    reference: tuple[Any, Any] | None = None
    reference_name: str = "trivial"
    members: Sequence[tuple[Any, Any]] = ()
    members_name: str = "folds"
    crossings: Sequence[tuple[float, float]] = ()
    spans: Sequence[tuple[float, float, str]] = ()
    spans_name: str = "better"
    mark: float | None = None
    mark_name: str = ""
    lines_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        rows = min(len(self.curves), _MOST_IN_LEGEND) + 3
        ax = self._axes(ax, figsize=(6.0, 4.2 + 0.11 * rows))
        told: list[tuple[Any, str]] = []
        for x, y in self.members:
            (thin,) = ax.plot(x, y, color="C0", linewidth=0.8, alpha=0.45)
        if self.members:
            told.append((thin, self.members_name))
        if self.reference is not None:
            (line,) = ax.plot(*self.reference, color="0.5", linestyle="--", linewidth=1)
            told.append((line, self.reference_name))
        self.lines_ = {}
        for number, (name, (x, y)) in enumerate(self.curves.items()):
            x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
            style = _STYLES[number // 10 % len(_STYLES)]
            (line,) = ax.plot(x, y, color=f"C{number % 10}", linewidth=2, linestyle=style)
            self.lines_[name] = line
            if number < _MOST_IN_LEGEND:
                told.append((line, f"{clip(name)}{self.notes.get(name, '')}"))
        self._draw_spans(ax, told)
        if self.crossings:
            x, y = zip(*self.crossings, strict=True)
            (points,) = ax.plot(
                x,
                y,
                marker="o",
                color=ink(),
                markerfacecolor="none",
                linestyle="none",
                zorder=3,
            )
            told.append((points, f"they cross ({len(x)})" if len(x) > 1 else "they cross"))
        if self.mark is not None:
            line = ax.axvline(self.mark, color="0.5", linestyle=":", linewidth=1)
            told.append((line, self.mark_name))
        ax.set_xlim(-0.01, 1.01)
        ax.set_xlabel(self.xlabel, parse_math=False)
        ax.set_ylabel(self.ylabel, parse_math=False)
        hide_spines(ax, "right", "top")
        legend_below(ax, told)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        n = len(self.curves)
        return f"<{type(self).__name__} of {n} curve{'s' * (n != 1)}>"

    def _draw_spans(self, ax: Any, told: list[tuple[Any, str]]) -> None:
        own = max(float(np.max(y)) for _, y in (*self.curves.values(), *self.members))
        held = own if self.reference is None else float(np.max(self.reference[1]))
        # Low curves would lie flat at the bottom if all of the reference were to be seen.
        top = max(own, min(held, 2 * own)) or held or 1.0
        ax.set_ylim((2 * _BARS if self.spans else -0.02) * top, 1.04 * top)
        names = list(self.curves)
        seen = set()
        for low, high, name in self.spans:
            (bar,) = ax.plot(
                [low, high],
                [_BARS * top] * 2,
                color=f"C{names.index(name) % 10}",
                linewidth=6,
                solid_capstyle="butt",
            )
            if name not in seen:
                told.append((bar, f"{clip(name)} {self.spans_name}"))
            seen.add(name)


def legend_below(ax: Any, told: list[tuple[Any, str]]) -> None:
    """Say what is what below the axes, whatever names begin with or hold."""
    if not told:
        return
    # A label that begins with an underscore would be left out, and a dollar start a formula.
    legend = ax.legend(
        [handle for handle, _ in told],
        ["x" * len(text) for _, text in told],
        loc="upper center",
        bbox_to_anchor=(0.5, -0.14),
        ncols=2 if max(len(text) for _, text in told) <= _FITS_TWICE else 1,
        frameon=False,
        fontsize="small",
    )
    for entry, (_, text) in zip(legend.get_texts(), told, strict=True):
        entry.set_parse_math(False)
        entry.set_text(text)
