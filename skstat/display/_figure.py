"""Where displays draw: matplotlib, imported when it is needed."""

from typing import Any


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
