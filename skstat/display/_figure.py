"""Where displays draw: matplotlib, imported when it is needed."""

import math
from typing import Any

import numpy as np


def axes(ax: Any, *, figsize: tuple[float, float]) -> Any:
    """Return `ax`, or the axes of a new figure of the given size in inches."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            "plot() needs matplotlib: pip install 'skstat[matplotlib]'."
        ) from error
    if ax is not None:
        return ax
    _, ax = plt.subplots(figsize=figsize, layout="constrained")
    return ax


def draw_interval(ax: Any, low: float, high: float, y: float, differences: np.ndarray) -> None:
    reach = 10 * float(np.abs(differences).max() or 1)
    ends = [end for end in (low, high) if math.isfinite(end)]
    ax.plot([max(low, -reach), min(high, reach)], [y, y], color="C1", linewidth=2.5)
    ax.plot(ends, [y] * len(ends), color="C1", marker="|", markersize=11, linestyle="none")


def clip(name: str, limit: int = 30) -> str:
    return name if len(name) <= limit else name[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
