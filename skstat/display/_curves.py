"""Lines over an axis: curves of systems, and the difference of two of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skstat._names import clip
from skstat.display._figure import Display, hide_spines, legend_below, line_look, width_of_axes
from skstat.display._style import colour, ink, whole

# Below the curves, in parts of the height: where bars say who is better.
_BARS = -0.045
_MOST_IN_LEGEND = 12
_LONGEST_NAME = 20
_GUIDES = ("--", ":", "-.", (0, (1, 4)))

_Keys = list[tuple[Any, str]]


@dataclass(eq=False, kw_only=True, repr=False)
class CurvesDisplay(Display):
    """Curves of systems and where they cross; or the difference of two of them with a band.

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
    crossings : sequence of (x, y), optional
        Where two curves cross.
    spans : sequence of (low, high, name), optional
        Stretches of the axis on which the named curve is better, drawn as bars.
    spans_name : str, default="better"
        What a bar says.
    mark : float, optional
        A place on the axis.
    mark_name : str, default=""
        What is there.
    band : (x, low, high), optional
        Limits of the difference of two curves, the second minus the first, which is drawn
        at these x in place of the curves. Above 0 the first is better: for curves such as
        those of costs, where lower is better.
    confidence_level : float, default=0.95
        Chance that the band holds the whole difference.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    lines_ : dict of str to matplotlib Line2D
        The curves by name, or the ``"difference"``.

    Examples
    --------
    >>> from skstat.display import CurvesDisplay
    >>> curves = {"tree": ([0, 0.5, 1], [0, 0.2, 0]), "NB": ([0, 0.5, 1], [0, 0.3, 0])}
    >>> display = CurvesDisplay(curves=curves, xlabel="P(+)cost", ylabel="cost")
    >>> display.plot().lines_["tree"].get_ydata().tolist()
    [0.0, 0.2, 0.0]
    """

    _shows = "curves"
    curves: Mapping[str, tuple[Any, Any]]
    xlabel: str
    ylabel: str
    notes: Mapping[str, str] = field(default_factory=dict)
    reference: tuple[Any, Any] | None = None
    reference_name: str = "trivial"
    crossings: Sequence[tuple[float, float]] = ()
    spans: Sequence[tuple[float, float, str]] = ()
    spans_name: str = "better"
    mark: float | None = None
    mark_name: str = ""
    band: tuple[Any, Any, Any] | None = None
    confidence_level: float = 0.95
    lines_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        keys: _Keys = []
        ax = self._axes(ax, figsize=(6.0, 3.4 if self._width is None else 2.6))
        if self.band is None:
            self._draw_curves(ax, keys)
        else:
            self._draw_difference(ax, keys, *(np.asarray(v, dtype=float) for v in self.band))
        if self.mark is not None:
            line = ax.axvline(self.mark, color="0.5", linestyle=":", linewidth=1)
            keys.append((line, self.mark_name))
        ax.set_xlim(-0.01, 1.01)
        return _with_legend(self, ax, keys)

    def _draw_curves(self, ax: Any, keys: _Keys) -> None:
        if self.reference is not None:
            (line,) = ax.plot(*self.reference, color="0.5", linestyle="--", linewidth=1)
            keys.append((line, self.reference_name))
        self.lines_ = {}
        looks = [line_look(number) for number in range(len(self.curves))]
        for number, (name, points) in enumerate(self.curves.items()):
            x, y = (np.asarray(values, dtype=float) for values in points)
            (self.lines_[name],) = ax.plot(x, y, **looks[number])
            if number < _MOST_IN_LEGEND:
                keys.append((self.lines_[name], f"{clip(name)}{self.notes.get(name, '')}"))
        highest = max(float(np.max(y)) for _, y in self.curves.values())
        reference = highest if self.reference is None else float(np.max(self.reference[1]))
        # Low curves would lie flat at the bottom if all of the reference were to be seen.
        top = max(highest, min(reference, 2 * highest)) or reference or 1.0
        ax.set_ylim((2 * _BARS if self.spans else -0.02) * top, 1.04 * top)
        self._draw_spans(ax, keys, _BARS * top, [look["color"] for look in looks])
        if self.crossings:
            at, heights = zip(*self.crossings, strict=True)
            look = {"marker": "o", "markerfacecolor": "none", "linestyle": "none", "zorder": 3}
            (circles,) = ax.plot(at, heights, color=ink(), **look)
            counted = f" ({len(at)})" if len(at) > 1 else ""
            keys.append((circles, f"they cross{counted}"))

    def _draw_difference(self, ax: Any, keys: _Keys, x: Any, low: Any, high: Any) -> None:
        if len(self.curves) != 2:
            raise ValueError(f"band is of two curves; curves holds {len(self.curves)}.")
        first, second = self.curves.values()
        difference = np.interp(x, *second) - np.interp(x, *first)
        band = ax.fill_between(x, low, high, color=colour("undecided"), alpha=0.3, linewidth=0)
        (line,) = ax.plot(x, difference, color=ink(), linewidth=2)
        self.lines_ = {"difference": line}
        ax.axhline(0, color=ink(), linewidth=0.8, alpha=0.7)
        # Zero in the middle: which side a curve is on is what there is to see.
        limit = 1.2 * float(max(np.abs(low).max(), np.abs(high).max())) or 0.01
        ax.set_ylim(-limit, limit)
        level = f"{100 * self.confidence_level:g}%"
        keys += [(line, "difference"), (band, f"{level} band, for all places at once")]
        self._draw_spans(ax, keys, 0, [colour("better"), colour("worse")])
        sides = zip("\N{UPWARDS ARROW}\N{DOWNWARDS ARROW}", self.curves, strict=True)
        width = width_of_axes(ax)
        above, below = (
            whole(f"{arrow} {clip(name, _LONGEST_NAME)} {self.spans_name}", width)
            for arrow, name in sides
        )
        look = {"transform": ax.transAxes, "parse_math": False, "in_layout": False}
        ax.text(0.01, 0.98, above, va="top", **look)
        ax.text(0.01, 0.02, below, va="bottom", **look)

    def _draw_spans(self, ax: Any, keys: _Keys, height: float, colours: list[Any]) -> None:
        tones, named = dict(zip(self.curves, colours, strict=True)), set()
        for low, high, name in self.spans:
            look = {"color": tones[name], "linewidth": 6, "solid_capstyle": "butt"}
            (bar,) = ax.plot([low, high], [height, height], **look)
            if name not in named:
                keys.append((bar, f"{clip(name)} {self.spans_name}"))
            named.add(name)


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
    xlim, ylim : tuple of float or None, optional
        Ends of the axes; default what the lines need.
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
    xlim: tuple[float | None, float | None] | None = None
    ylim: tuple[float | None, float | None] | None = None
    steps: bool = False
    lines_: Any = field(default=None, init=False)

    @classmethod
    def from_pvalues(cls, pvalues: Mapping[str, Sequence[float]], level: float = 0.05) -> Self:
        """Make a picture of how many true null hypotheses tests reject at every level.

        Parameters
        ----------
        pvalues : mapping of str to sequence of float
            P-values of every test, of null hypotheses that are true; nan is never a rejection.
        level : float, default=0.05
            A level that is marked.

        Returns
        -------
        LinesDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import LinesDisplay
        >>> display = LinesDisplay.from_pvalues({"paired_t": [0.5, 0.02, 0.9, float("nan")]})
        >>> display.lines["paired_t"]
        ([0.0, 0.02, 0.5, 0.9, 1.0], [0.0, 0.25, 0.5, 0.75, 0.75])
        """
        lines = {}
        for name, values in pvalues.items():
            at = sorted(p for p in values if p <= 1)
            shares = [n / len(values) for n in (*range(len(at) + 1), len(at))]
            lines[name] = ([0.0, *at, 1.0], shares)
        guides = {"as many as its level says": ([0.0, 1.0], [0.0, 1.0])}
        guides[f"level {level:g}"] = ([level, level], [0.0, 1.0])
        axes: Any = {"xlabel": "nominal level", "ylabel": "true null hypotheses rejected"}
        axes |= {"xlim": (0.0, 1.0), "ylim": (0.0, 1.0)}
        return cls(lines=lines, guides=guides, steps=True, **axes)

    def _plot(self, ax: Any) -> Any:
        ax = self._axes(ax, figsize=(6.0, 3.0 if self._width is None else 2.3))
        keys = []
        self.lines_ = {}
        for number, (name, (x, y)) in enumerate(self.lines.items()):
            look = line_look(number) | ({"drawstyle": "steps-post"} if self.steps else {})
            (line,) = ax.plot(np.asarray(x, dtype=float), np.asarray(y, dtype=float), **look)
            self.lines_[name] = line
            keys.append((line, name))
        ax.set(xlim=self.xlim or ax.dataLim.intervalx, ylim=self.ylim or ax.get_ylim())
        grey = colour("undecided")
        for number, (name, (x, y)) in enumerate(self.guides.items()):
            look = {"linestyle": _GUIDES[number % len(_GUIDES)], "linewidth": 1, "zorder": 1}
            ends = _to_edge(x, ax.get_xlim()), _to_edge(y, ax.get_ylim())
            (line,) = ax.plot(*ends, color=grey, **look)
            keys.append((line, name))
        return _with_legend(self, ax, keys)


def _to_edge(values: Any, limits: tuple[float, float]) -> Any:
    at = np.asarray(values, dtype=float)
    return np.where(np.isinf(at), np.clip(at, *limits), at)


def _with_legend(display: CurvesDisplay | LinesDisplay, ax: Any, keys: _Keys) -> Any:
    """Return the axes with their names, and with what is drawn explained below them."""
    ax.set_xlabel(display.xlabel, parse_math=False)
    ax.set_ylabel(display.ylabel, parse_math=False)
    hide_spines(ax, "right", "top")
    legend_below(ax, keys)
    return display._fitted(ax)
