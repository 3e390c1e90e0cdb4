"""Mean ranks of several learners, and which do not differ significantly (Demšar's diagram)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from skstat._names import LONGEST, clip, clip_all
from skstat.display._figure import (
    Display,
    fix_layout,
    grow,
    hide_spines,
    legend_below,
    whole_ranks,
)
from skstat.display._style import LONGEST_SHOWN, fold, ink, point, scale, text_width, whole

# Up to here the axis shows every rank there is.
_FEW = 10
_MOST_PAIRS = 4
_MOST_NAMES = 8
# Height of a row of names in points, and other heights in rows.
_ROW = 17.5
_BAR = 0.5
_NOTE = 0.75
# Heights above the axis, in points: of its numbers and label, and of the ruler.
_HEAD = 38.0
_RULER = 24.0
# Widths in points: how far lines stick out of the axis, the gaps, the label of a ruler.
_STUB, _GAP, _LABEL = 10.0, 4.0, 64.0
# Inches of the axis that names leave on a narrow figure.
_LEAST_AXIS = 1.2
# On axes that were given a side may have so much of the width, and names so many letters.
_SHARE, _SHORTEST = 0.34, 10
# Okabe and Ito's colours but for black and yellow, and a shape for who sees none of them.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_MARKERS = "os^DvPX"
_BESIDE = {"textcoords": "offset points", "annotation_clip": False, "parse_math": False}


@dataclass(eq=False, kw_only=True, repr=False)
class CriticalDifferenceDisplay(Display):
    """Mean ranks on an axis; a bar joins learners without a significant difference.

    On a narrow figure all names are on one side, and long ones take several lines.

    Parameters
    ----------
    names : list of str
        Names of the learners.
    mean_ranks : list of float
        Their mean ranks over the data sets; 1 is best.
    groups : list of tuple of str, default=()
        Sets of learners, contiguous in mean rank, that do not differ significantly; each
        gets a bar. Those of one learner are left out, and all of them if there is a control.
    critical_difference : float, optional
        Least difference of two mean ranks that is significant, drawn as a ruler.
    control : str, optional
        The learner that the others are compared with. A band reaches a critical
        difference to both sides of it: the learners outside differ significantly.
    undrawn : list of tuple of str, default=()
        Pairs without a significant difference that no bar shows, listed in words.
    untested : list of tuple of str, default=()
        Pairs that no test is possible for, listed in words.
    verdicts : mapping of str to str, optional
        Of learners what was found against the control: "better", "worse", "undecided" or
        "equivalent". Each has a colour and a sign, named below; with `families`, which take
        these, words say it.
    colors : mapping of str to color, optional
        Matplotlib colours of learners.
    families : mapping of str to str, optional
        Family of each learner; a family has a colour and a marker, named in a legend.
        `plot` refuses names that no learner has.
    test : str, default=""
        Name of the test, for the caption.
    n_datasets : int, optional
        Number of data sets, for the caption.
    best : {"right", "left"}, default="right"
        Side of rank 1; Demšar has it at the right.
    best_word : str, default="best"
        What the first rank is called.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    labels_ : list of matplotlib Text
        The names of the learners, in the order of `names`.
    bars_ : list of matplotlib Line2D
        The bars, from the best group to the worst.
    band_ : matplotlib PolyCollection or None
        The band of the control.

    Examples
    --------
    >>> from skstat.display import CriticalDifferenceDisplay
    >>> display = CriticalDifferenceDisplay(
    ...     names=["A", "B", "C"], mean_ranks=[1.0, 2.125, 2.875],
    ...     groups=[("A", "B"), ("B", "C")], critical_difference=1.657,
    ... )
    >>> len(display.plot().bars_)
    2
    """

    names: list[str]
    mean_ranks: list[float]
    groups: Sequence[tuple[str, ...]] = ()
    critical_difference: float | None = None
    control: str | None = None
    undrawn: Sequence[tuple[str, str]] = ()
    untested: Sequence[tuple[str, str]] = ()
    verdicts: Mapping[str, str] | None = None
    colors: Mapping[str, Any] | None = None
    families: Mapping[str, str] | None = None
    test: str = ""
    n_datasets: int | None = None
    best: Literal["right", "left"] = "right"
    best_word: str = "best"
    labels_: Any = field(default=None, init=False)
    bars_: Any = field(default=None, init=False)
    band_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Any:
        unknown = [name for name in self.families or {} if name not in self.names]
        if unknown:
            options = f"one of the learners {list(self.names)}"
            raise ValueError(f"families names {unknown[0]!r}, which is not {options}.")
        low, high = self._range()
        bars = _stack(self._intervals(), gap=0.02 * (high - low))
        first = 1.1 + _BAR * max((level + 1 for *_, level in bars), default=0)
        order = sorted(range(len(self.names)), key=self.mean_ranks.__getitem__)
        names, one_side, width = self._names_and_width(ax)
        n_best = len(order) if one_side else math.ceil(len(order) / 2)
        # The outermost learner is on top: leaders do not cross.
        sides = {low: order[:n_best], high: order[: n_best - 1 : -1] if n_best else []}
        rows = [sum(1 + names[i].count("\n") for i in side) for side in sides.values()]
        bottom = first + max(rows) - 0.4
        notes = "\n".join(fold(text, width, size=0.9) for text in self._notes())
        n_rows = bottom + _NOTE * (notes.count("\n") + 1)
        head = scale() * (_HEAD if self.critical_difference is None else _HEAD + _RULER)
        ax = self._axes(ax, figsize=(width, (head + _ROW * scale() * n_rows) / 72))
        ax.set(xticks=[], yticks=[])
        looks = [self._look(name) for name in self.names]
        self._draw_legend(ax, looks)
        if not self._on_axes:
            # The room for names is measured on the axes as they are going to be.
            grow(ax)
            fix_layout(ax)
        row = max(72 * ax.bbox.height / ax.figure.dpi - head, head) / n_rows
        ax.set_ylim(n_rows, -head / row)
        self.labels_ = self._write_names(ax, sides, names, looks, first, row)
        self._draw_axis(ax, low, high, one_side=one_side)
        # Markers at the ends: a bar of tied learners is a dot.
        line = {"color": ink(), "linewidth": 4 * scale(), "zorder": 3}
        ends = {"marker": "o", "markersize": 4 * scale(), "markeredgewidth": 0}
        self.bars_ = [
            ax.plot([left, right], [0.75 + _BAR * level] * 2, **line, **ends)[0]
            for left, right, level in bars
        ]
        self.band_ = self._draw_band(ax, low, high, bottom)
        look = {"fontsize": "small", "va": "top", "transform": ax.get_yaxis_transform()}
        ax.text(0.0, bottom, notes, parse_math=False, **look)
        return ax

    def _names_and_width(self, ax: Any) -> tuple[list[str], bool, float]:
        """Names as they are written, whether all are on one side, and inches of the figure.

        On axes that were given there is what room there is, and names are cut to it.
        """
        # Beside every name: its mean rank, a stub of the leader, and gaps.
        margin = text_width("10.00", size=0.85) + (_STUB + 3 * _GAP) / 72
        if ax is not None:
            width = ax.bbox.width / ax.figure.dpi
            letters = int((_SHARE * width - margin) / text_width("n"))
            return clip_all(self.names, max(_SHORTEST, min(letters, LONGEST))), False, width
        if self._width is None:
            names = [whole(name, 3.0) for name in self.names]
            return names, False, 4.4 + 2 * (max(map(text_width, names)) + margin)
        names = clip_all(self.names, LONGEST_SHOWN)
        if 2 * (margin + max(map(text_width, names))) + _LEAST_AXIS <= self._width:
            return names, False, self._width
        room = max(self._width - _LEAST_AXIS - margin, 0.6)
        return [whole(name, room) for name in self.names], True, self._width

    def _look(self, name: str) -> dict[str, Any]:
        """Colour and marker: of what was found against the control, or of the family."""
        color = (self.colors or {}).get(name)
        verdict, families = (self.verdicts or {}).get(name), self.families or {}
        if name in families:
            number = list(dict.fromkeys(families.values())).index(families[name])
            tone = color or _COLOURS[number % len(_COLOURS)]
            marker = _MARKERS[number % len(_MARKERS)]
            return {"color": tone, "marker": marker, "markersize": 6}
        if verdict is None or families or color is not None:
            return {"color": color or ink(), "marker": "o", "markersize": 4.5}
        return point(verdict, size=6) | {"linestyle": "-", "markeredgewidth": 1.0}

    def _keys(self) -> dict[str, str]:
        """What was found against a control, by learner in words; nothing without verdicts."""
        if self.control is None:
            return {}
        control = clip(self.control, LONGEST_SHOWN)
        words = {
            "better": f"better than {control}",
            "worse": f"worse than {control}",
            "undecided": "no significant difference",
        }
        verdicts = self.verdicts or {}
        return {n: words.get(verdicts[n], verdicts[n]) for n in self.names if n in verdicts}

    def _draw_legend(self, ax: Any, looks: Sequence[Mapping[str, Any]]) -> None:
        """Name the families, or what was found against a control."""
        from matplotlib.lines import Line2D

        keys = self.families or self._keys()
        by_name = dict(zip(self.names, looks, strict=True))
        entries = {keys[name]: by_name[name] for name in self.names if name in keys}
        legend_below(ax, [(Line2D([], [], **look), text) for text, look in entries.items()])

    def _range(self) -> tuple[int, int]:
        k = max(len(self.names), 2)
        if k <= _FEW:
            return 1, k
        low, high = math.floor(min(self.mean_ranks)), math.ceil(max(self.mean_ranks))
        while high - low < min(max(self.critical_difference or 0, 2), k - 1):
            low, high = max(low - 1, 1), min(high + 1, k)
        return low, high

    def _intervals(self) -> list[tuple[float, float]]:
        if self.control is not None:
            return []
        rank = dict(zip(self.names, self.mean_ranks, strict=True))
        groups = [[rank[name] for name in group] for group in self.groups if len(group) > 1]
        return [(min(ranks), max(ranks)) for ranks in groups]

    def _notes(self) -> list[str]:
        texts = []
        if self.control is not None and self.critical_difference is not None:
            texts.append(f"shaded: no significant difference from {clip(self.control)}")
        verdicts = self._keys() if self.families else {}
        for words in dict.fromkeys(verdicts.values()):
            learners = [clip(name, 20) for name in verdicts if verdicts[name] == words]
            texts.append(f"{words}: {_cut(learners, _MOST_NAMES, ', ')}")
        for pairs, words in (
            (self.undrawn, "no significant difference either"),
            (self.untested, "no test is possible"),
        ):
            listed = [" and ".join(clip(name, 20) for name in pair) for pair in pairs]
            if listed:
                texts.append(f"{words}: {_cut(listed, _MOST_PAIRS, '; ')}")
        n = self.n_datasets
        counted = "" if n is None else f"{n:,} data set{'s' * (n != 1)}"
        return [*texts, ", ".join(filter(None, (self.test, counted)))]

    def _write_names(
        self,
        ax: Any,
        sides: dict[int, list[int]],
        names: Sequence[str],
        looks: Sequence[dict[str, Any]],
        first: float,
        row: float,
    ) -> list[Any]:
        """Lead from mean ranks to names beside the axis, which gets the room that they leave.

        `sides` has the two ends of the axis, the lower one first, and who is named there from
        the row `first` down, the outermost one first. A row is `row` points high, a name as
        many rows as it has lines.
        """
        low, high = sides
        left, right = (high, low) if self.best == "right" else (low, high)
        size = min(10 * scale(), 0.7 * row)
        small = size / (10 * scale())
        numbers = 72 * text_width("10.00", size=0.85 * small) + _STUB + 2 * _GAP
        letter = 72 * (1.0 if self.control is None else 1.15)  # that one is bold
        widest = {
            end: letter * max((text_width(names[i], size=small) for i in side), default=0.0)
            for end, side in sides.items()
        }
        room = {end: numbers + widest[end] if side else _GAP for end, side in sides.items()}
        width = 72 * ax.bbox.width / ax.figure.dpi
        axis = max(width - sum(room.values()), 0.2 * width)
        if self.critical_difference:  # a ruler, from the left end of the axis
            free = width - room[left] - _LABEL * scale()
            axis = min(axis, free * (high - low) / self.critical_difference)
            room[right] = width - room[left] - axis
        point_wide = (high - low) / axis
        limits = low - point_wide * room[low], high + point_wide * room[high]
        ax.set_xlim(limits if left == low else limits[::-1])
        labels = {}
        for end, side in sides.items():
            sign, outwards = 1 if end == right else -1, -1 if end == low else 1
            look = {"ha": "left" if end == right else "right", "va": "center"}
            bottom = first - 0.5
            for i in side:
                lines = 1 + names[i].count("\n")
                y, bottom = bottom + lines / 2, bottom + lines
                rank = self.mean_ranks[i]
                tip = end + outwards * _STUB * point_wide
                ax.plot(
                    [rank, rank, tip], [0, y, y], lw=1, clip_on=False, markevery=[0], **looks[i]
                )
                bold = "bold" if self.names[i] == self.control else "normal"
                for text, away, style in (
                    (f"{rank:.2f}", _STUB + _GAP, {"size": 0.85 * size, "alpha": 0.75}),
                    (names[i], numbers, {"size": size, "weight": bold, "linespacing": 1.1}),
                ):
                    at = {"xy": (end, y), "xytext": (sign * away, 0)}
                    labels[i] = ax.annotate(text, **at, **_BESIDE, **look, **style)
        return [labels[i] for i in range(len(names))]

    def _draw_axis(self, ax: Any, low: int, high: int, *, one_side: bool) -> None:
        from matplotlib.transforms import ScaledTranslation

        ax.grid(visible=False)
        hide_spines(ax, "left", "right", "bottom")
        ax.spines["top"].set(position=("data", 0), bounds=(low, high))
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ends = ax.transAxes.inverted().transform(ax.transData.transform([(low, 0), (high, 0)]))
        inches = abs(ends[0, 0] - ends[1, 0]) * ax.bbox.width / ax.figure.dpi
        ax.set_xticks(whole_ranks(low, high, limit=int(3 * inches / scale()) + 1))
        ruler = self.critical_difference
        x, align = float(ends[:, 0].mean()), "center"
        if one_side:  # a short axis at the edge of the figure
            at_right = self.best == "right"
            x, align = (ends[:, 0].min(), "left") if at_right else (ends[:, 0].max(), "right")
        ax.set_xlabel(
            f"mean rank (1 = {self.best_word}, at the {self.best})",
            x=x,
            ha=align,
            labelpad=(4 if ruler is None else _RULER) * scale(),
        )
        if ruler is None:
            return
        upwards = ScaledTranslation(0, 28 * scale() / 72, ax.figure.dpi_scale_trans)
        lifted = ax.transData + upwards
        left, right = (high, high - ruler) if self.best == "right" else (low, low + ruler)
        ax.plot([left, right], [0, 0], marker="|", color=ink(), transform=lifted, clip_on=False)
        ax.text(right, 0, f"  CD = {ruler:.2f}", transform=lifted, va="center")

    def _draw_band(self, ax: Any, low: int, high: int, bottom: float) -> Any:
        if self.control is None or self.critical_difference is None:
            return None
        centre = self.mean_ranks[self.names.index(self.control)]
        ends = (centre - self.critical_difference, centre + self.critical_difference)
        left, right = max(low, ends[0]), min(high, ends[1])
        return ax.fill_between([left, right], 0, bottom, color=ink(), alpha=0.13, linewidth=0)


def _cut(items: list[str], limit: int, separator: str) -> str:
    more = len(items[limit:])
    return separator.join([*items[:limit], *([f"and {more} more"] if more else [])])


def _stack(
    intervals: Sequence[tuple[float, float]], gap: float
) -> list[tuple[float, float, int]]:
    """Give every interval the first level on which it touches no other."""
    ends: list[float] = []
    stacked = []
    for low, high in sorted(intervals):
        free = [level for level, end in enumerate(ends) if low > end + gap]
        level = free[0] if free else len(ends)
        ends[level : level + 1] = [high]
        stacked.append((low, high, level))
    return stacked
