"""Mean ranks of several learners, and which do not differ significantly (Demšar's diagram)."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from skstat._names import clip, clip_all
from skstat.display._display import Display
from skstat.display._figure import fix_layout, hide_spines, whole_ranks
from skstat.display._leader_lines import stack, write_beside
from skstat.display._learner_families import draw_legend, look
from skstat.display._style import LONGEST_SHOWN, ink, point, scale, text_width, whole

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
# Inches of the axis that names leave on a narrow figure.
_LEAST_AXIS = 1.2


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
    labels_: Any = field(default=None, init=False)
    bars_: Any = field(default=None, init=False)
    band_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        unknown = [name for name in self.families or {} if name not in self.names]
        if unknown:
            raise ValueError(
                f"families names {unknown[0]!r}, which is not one of the learners "
                f"{list(self.names)}."
            )
        low, high = self._range()
        bars = stack(self._intervals(), gap=0.02 * (high - low))
        first = 1.1 + _BAR * max((level + 1 for *_, level in bars), default=0)
        order = sorted(range(len(self.names)), key=self.mean_ranks.__getitem__)
        given = ax is not None
        names, one_side, width = self._names_and_width(ax)
        n_best = len(order) if one_side else math.ceil(len(order) / 2)
        # The outermost learner is on top: leaders do not cross.
        sides = {low: order[:n_best], high: order[: n_best - 1 : -1] if n_best else []}
        rows = [sum(1 + names[i].count("\n") for i in side) for side in sides.values()]
        bottom = first + max(rows) - 0.4
        notes = self._notes(n_characters=int(13 * width / scale()))
        n_rows = bottom + _NOTE * len(notes)
        head = scale() * (_HEAD if self.critical_difference is None else _HEAD + _RULER)

        families = self.families or {}
        looks = {name: self._look(name) for name in self.names}
        keys = families or self._keys()
        height = (head + _ROW * scale() * n_rows) / 72 + 0.4 * scale() * bool(keys)
        ax = self._axes(ax, figsize=(width, height))
        ax.set(xticks=[], yticks=[])
        draw_legend(ax, keys, looks)
        if not given:
            # The room for names is measured on the axes as they are going to be.
            fix_layout(ax)
        row = max(72 * ax.bbox.height / ax.figure.dpi - head, head) / n_rows
        ax.set_ylim(n_rows, -head / row)
        self.labels_ = write_beside(
            ax,
            sides,
            names=names,
            values=self.mean_ranks,
            looks=[looks[name] for name in self.names],
            bold=None if self.control is None else self.names.index(self.control),
            first=first,
            row=row,
            ruler=self.critical_difference,
            low_at_right=self.best == "right",
            fitted=not given,
        )
        self._draw_axis(ax, low, high, one_side=one_side)
        # Markers at the ends: a bar of tied learners is a dot.
        line = {"color": ink(), "linewidth": 4 * scale(), "zorder": 3}
        ends = {"marker": "o", "markersize": 4 * scale(), "markeredgewidth": 0}
        self.bars_ = [
            ax.plot([left, right], [0.75 + _BAR * level] * 2, **line, **ends)[0]
            for left, right, level in bars
        ]
        self.band_ = self._draw_band(ax, low, high, bottom)
        ax.text(
            0.0,
            bottom,
            "\n".join(notes),
            transform=ax.get_yaxis_transform(),
            fontsize="small",
            va="top",
            parse_math=False,
        )
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        return f"<CriticalDifferenceDisplay of {len(self.names)} learners>"

    def _names_and_width(self, ax: Any) -> tuple[list[str], bool, float]:
        """Names as they are written, whether all are on one side, and inches of the figure.

        On axes that were given there is what room there is, and names are cut to it.
        """
        if ax is not None:
            width = ax.bbox.width / ax.figure.dpi
            return clip_all(self.names), False, width
        # Beside every name: its mean rank, a stub of the leader, and gaps.
        beside = text_width("10.00", size=0.85) + 22 / 72
        if self._width is None:
            names = [whole(name, 3.0) for name in self.names]
            longest = sorted(map(text_width, names))[-1]
            return names, False, 4.4 + 2 * (longest + beside)
        names = clip_all(self.names, LONGEST_SHOWN)
        order = sorted(range(len(names)), key=self.mean_ranks.__getitem__)
        half = math.ceil(len(names) / 2)
        taken = sum(
            beside + max((text_width(names[i]) for i in side), default=0.0)
            for side in (order[:half], order[half:])
        )
        if taken + _LEAST_AXIS <= self._width:
            return names, False, self._width
        room = max(self._width - _LEAST_AXIS - beside, 0.6)
        return [whole(name, room) for name in self.names], True, self._width

    def _look(self, name: str) -> dict[str, Any]:
        """Colour and marker: of what was found against the control, or of the family."""
        found = (self.verdicts or {}).get(name)
        if found is None or self.families or name in (self.colors or {}):
            return look(name, self.families or {}, self.colors or {})
        return point(found, size=6) | {"linestyle": "-", "markeredgewidth": 1.0}

    def _keys(self) -> dict[str, str]:
        """What the signs against a control mean, by learner; nothing without verdicts."""
        if self.control is None:
            return {}
        control = clip(self.control, LONGEST_SHOWN)
        words = {
            "better": f"better than {control}",
            "worse": f"worse than {control}",
            "undecided": "no significant difference",
        }
        found = self.verdicts or {}
        return {
            name: words.get(found[name], found[name]) for name in self.names if name in found
        }

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

    def _notes(self, n_characters: int) -> list[str]:
        texts = []
        if self.control is not None and self.critical_difference is not None:
            texts.append(f"shaded: no significant difference from {clip(self.control)}")
        found = self._keys() if self.families else {}
        for words in dict.fromkeys(found.values()):
            alike = [clip(name, 20) for name in found if found[name] == words]
            texts.append(f"{words}: {_cut(alike, _MOST_NAMES, ', ')}")
        for pairs, words in (
            (self.undrawn, "no significant difference either"),
            (self.untested, "no test is possible"),
        ):
            named = [" and ".join(clip(name, 20) for name in pair) for pair in pairs]
            if named:
                texts.append(f"{words}: {_cut(named, _MOST_PAIRS, '; ')}")
        n = self.n_datasets
        counted = "" if n is None else f"{n:,} data set{'s' * (n != 1)}"
        texts.append(", ".join(filter(None, (self.test, counted))))
        return [line for text in texts for line in textwrap.wrap(text, n_characters)]

    def _draw_axis(self, ax: Any, low: int, high: int, *, one_side: bool) -> None:
        from matplotlib.transforms import ScaledTranslation

        ax.grid(visible=False)
        hide_spines(ax, "left", "right", "bottom")
        ax.spines["top"].set(position=("data", 0), bounds=(low, high))
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ends = ax.transAxes.inverted().transform(ax.transData.transform([(low, 0), (high, 0)]))
        reach = abs(ends[0, 0] - ends[1, 0]) * ax.bbox.width / ax.figure.dpi
        ax.set_xticks(whole_ranks(low, high, most=int(3 * reach / scale()) + 1))
        label = f"mean rank (1 = best, at the {self.best})"
        ruler = self.critical_difference
        place, align = float(ends[:, 0].mean()), "center"
        if one_side:  # a short axis at the edge of the figure
            left_end, right_end = sorted(ends[:, 0])
            place, align = (left_end, "left") if self.best == "right" else (right_end, "right")
        ax.set_xlabel(
            label,
            x=place,
            ha=align,
            labelpad=4 * scale() if ruler is None else _RULER * scale(),
        )
        if ruler is None:
            return
        lifted = ax.transData + ScaledTranslation(
            0, 28 * scale() / 72, ax.figure.dpi_scale_trans
        )
        left, right = (high, high - ruler) if self.best == "right" else (low, low + ruler)
        ax.plot([left, right], [0, 0], marker="|", color=ink(), transform=lifted, clip_on=False)
        ax.annotate(
            f"CD = {ruler:.2f}",
            (right, 0),
            xycoords=lifted,
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            annotation_clip=False,
        )

    def _draw_band(self, ax: Any, low: int, high: int, bottom: float) -> Any:
        if self.control is None or self.critical_difference is None:
            return None
        centre = self.mean_ranks[self.names.index(self.control)]
        ends = (centre - self.critical_difference, centre + self.critical_difference)
        left, right = max(low, ends[0]), min(high, ends[1])
        return ax.fill_between([left, right], 0, bottom, color=ink(), alpha=0.13, linewidth=0)


def _cut(items: list[str], most: int, mark: str) -> str:
    more = len(items[most:])
    return mark.join([*items[:most], *([f"and {more} more"] if more else [])])
