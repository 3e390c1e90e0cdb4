"""Lines over an axis: power, costs of designs, rejections of true null hypotheses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat.display._display import Display
from skstat.display._figure import hide_spines, legend_below, line_look
from skstat.display._style import colour, scale

_GUIDES = ("--", ":", "-.", (0, (1, 4)))


@dataclass(eq=False, kw_only=True, repr=False)
class LinesDisplay(Display):
    """Lines with names, beside grey ones that they are held against.

    Parameters
    ----------
    lines : mapping of str to (x, y)
        Points of every line, which are joined; nan where there is none.
    xlabel, ylabel : str
        Names of the axes.
    guides : mapping of str to (x, y), optional
        Points of grey lines by their name; they do not decide where the axes end. What is
        infinite is at the edge.
    points : mapping of str to (x, y), optional
        Single points by their name, grey too.
    xlim, ylim : tuple of float or None, optional
        Ends of the axes; default what the lines need.
    log : bool, default=False
        Whether the upright axis is logarithmic.
    steps : bool, default=False
        Whether a line keeps its height up to its next point.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : dict of str to matplotlib Line2D
        The lines by name.

    Examples
    --------
    >>> from skstat.display import LinesDisplay
    >>> display = LinesDisplay(
    ...     lines={"difference 0.1": ([10, 20, 40], [0.2, 0.5, 0.9])},
    ...     guides={"power 0.8": ([10, 40], [0.8, 0.8])}, xlabel="rows", ylabel="power",
    ... )
    >>> [text.get_text() for text in display.plot().ax_.get_legend().get_texts()]
    ['difference 0.1', 'power 0.8']
    """

    _shows = "lines"
    lines: Mapping[str, tuple[Any, Any]]
    xlabel: str
    ylabel: str
    guides: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    points: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    xlim: tuple[float | None, float | None] | None = None
    ylim: tuple[float | None, float | None] | None = None
    log: bool = False
    steps: bool = False
    lines_: Any = field(default=None, init=False)

    @classmethod
    def from_sizes(
        cls,
        sizes: Sequence[int],
        curves: Mapping[str, Any],
        *,
        unit: str,
        quantity: str = "power",
        level: float | None = None,
        planned: int | None = None,
    ) -> Self:
        """Make a picture of what numbers of units can show.

        Parameters
        ----------
        sizes : sequence of int
            Numbers of units.
        curves : mapping of str to array-like of float
            Of every line its name and a value per size.
        unit : str
            What is counted, such as ``"row"``.
        quantity : str, default="power"
            What the values are.
        level : float, optional
            The power that is sought; of another quantity what more units do not pass.
        planned : int, optional
            The number of units that is planned.

        Returns
        -------
        LinesDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import LinesDisplay
        >>> curves = {"difference 0.1": [0.2, 0.5, 0.9]}
        >>> display = LinesDisplay.from_sizes([10, 20, 40], curves, unit="row", planned=30)
        >>> list(display.guides)
        ['30 rows, as planned']
        """
        across = (-np.inf, np.inf)
        guides: dict[str, Any] = {}
        is_power = quantity == "power"
        if level is not None:
            name = f"power {level:g}" if is_power else "more units find no less"
            guides[name] = (across, (level, level))
        if planned is not None:
            counted = f"{planned:,} {unit}{'s' * (planned != 1)}"
            guides[f"{counted}, as planned"] = ((planned, planned), across)
        return cls(
            lines={name: (sizes, values) for name, values in curves.items()},
            guides=guides,
            xlabel=f"number of {unit}s",
            ylabel=quantity,
            ylim=(0.0, 1.02 if is_power else None),
        )

    @classmethod
    def from_costs(
        cls,
        parts: Sequence[int],
        curves: Mapping[str, Any],
        *,
        unit: str,
        parts_words: str,
        cost_ratio: float,
        cheapest: tuple[int, int],
        planned: tuple[int, int] | None = None,
    ) -> Self:
        """Make a picture of how many units of how many parts have a power, and at what costs.

        Parameters
        ----------
        parts : sequence of int
            Numbers of parts of a unit: answers to an item, rows of a group.
        curves : mapping of str to array-like of float
            Of every line its name, and a number of units per number of parts; nan where none
            has the power.
        unit, parts_words : str
            What is counted, such as ``"item"`` and ``"answers per item"``.
        cost_ratio : float
            Costs of one more unit over those of one more part.
        cheapest : (int, int)
            Parts and units of the cheapest design.
        planned : (int, int), optional
            Those of the present one.

        Returns
        -------
        LinesDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import LinesDisplay
        >>> display = LinesDisplay.from_costs(
        ...     [1, 2, 3], {"power 0.8": [90, 60, 50]}, unit="item",
        ...     parts_words="answers per item", cost_ratio=2.0, cheapest=(2, 60),
        ... )
        >>> display.guides["equal costs"][1].tolist()
        [80.0, 60.0, 48.0]
        """
        best, n = cheapest
        alike = n * (cost_ratio + best) / (cost_ratio + np.asarray(parts, dtype=float))
        others = {"equal costs": 1.0, "half of these costs": 0.5, "twice these costs": 2.0}
        points = {f"cheapest: {best} {parts_words}": cheapest}
        return cls(
            lines={name: (parts, sizes) for name, sizes in curves.items()},
            guides={name: (parts, times * alike) for name, times in others.items()},
            points=points if planned is None else points | {"as planned": planned},
            xlabel=parts_words,
            ylabel=f"number of {unit}s",
            log=True,
        )

    @classmethod
    def from_pvalues(cls, pvalues: Mapping[str, Any], *, alpha: float = 0.05) -> Self:
        """Make a picture of how often tests reject at every level.

        Parameters
        ----------
        pvalues : mapping of str to array-like of float
            P-values of each test for true null hypotheses; nan is never a rejection.
        alpha : float, default=0.05
            The level that is marked.

        Returns
        -------
        LinesDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import LinesDisplay
        >>> display = LinesDisplay.from_pvalues({"t test": [0.02, 0.3, 0.7, 0.9]})
        >>> list(display.lines)
        ['t test']
        """
        lines = {}
        for name, found in pvalues.items():
            numbers = np.sort(np.asarray(found, dtype=float))
            numbers = numbers[numbers <= 1]
            shares = np.arange(1, len(numbers) + 1) / max(len(found), 1)
            heights = np.concatenate([[0.0], shares])
            lines[name] = ([0.0, *numbers, 1.0], [*heights, heights[-1]])
        return cls(
            lines=lines,
            xlabel="nominal level",
            ylabel="true null hypotheses rejected",
            guides={
                "as many as its level says": ([0, 1], [0, 1]),
                f"level {alpha:g}": ([alpha, alpha], [0, 1]),
            },
            xlim=(0.0, 1.0),
            ylim=(0.0, 1.0),
            steps=True,
        )

    def _plot(self, ax: Any) -> Any:
        ax = self._axes(ax, figsize=(6.0, 3.0 if self._width is None else 2.3))
        told = []
        self.lines_ = {}
        for number, (name, (x, y)) in enumerate(self.lines.items()):
            look = line_look(number) | ({"drawstyle": "steps-post"} if self.steps else {})
            (line,) = ax.plot(np.asarray(x, dtype=float), np.asarray(y, dtype=float), **look)
            self.lines_[name] = line
            told.append((line, name))
        if self.log:
            ax.set_yscale("log")
        ax.set(xlim=self.xlim or ax.dataLim.intervalx, ylim=self.ylim or ax.get_ylim())
        grey = colour("undecided")
        for number, (name, (x, y)) in enumerate(self.guides.items()):
            look = {"linestyle": _GUIDES[number % len(_GUIDES)], "linewidth": 1, "zorder": 1}
            ends = _to_edge(x, ax.get_xlim()), _to_edge(y, ax.get_ylim())
            (line,) = ax.plot(*ends, color=grey, **look)
            told.append((line, name))
        for number, (name, (x, y)) in enumerate(self.points.items()):
            look = {"color": grey, "markersize": 6 * scale(), "linestyle": "none"}
            (mark,) = ax.plot([x], [y], "oxsD"[number % 4], **look)
            told.append((mark, name))
        ax.set_xlabel(self.xlabel, parse_math=False)
        ax.set_ylabel(self.ylabel, parse_math=False)
        hide_spines(ax, "top", "right")
        legend_below(ax, told)
        return self._grown(ax)


def _to_edge(values: Any, limits: tuple[float, float]) -> Any:
    at = np.asarray(values, dtype=float)
    return np.where(np.isinf(at), np.clip(at, *limits), at)
