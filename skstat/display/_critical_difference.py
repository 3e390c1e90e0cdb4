"""Mean ranks of several learners, and which are not told apart (Demšar's diagram)."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from skstat._names import clip
from skstat.display._display import Display
from skstat.display._figure import axes, fix_layout, hide_spines, ink, whole_ranks, width_of
from skstat.display._leader_lines import stack, write_beside
from skstat.display._learner_families import draw_legend, look

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


@dataclass(eq=False, kw_only=True, repr=False)
class CriticalDifferenceDisplay(Display):
    """Mean ranks on an axis; a bar joins the learners that are not told apart.

    Parameters
    ----------
    names : list of str
        Names of the learners.
    mean_ranks : list of float
        Their mean ranks over the data sets; 1 is best.
    groups : list of tuple of str, default=()
        Sets of learners, contiguous in mean rank, that are not told apart; each gets a
        bar. Those of one learner are left out, and all of them if there is a control.
    critical_difference : float, optional
        Least difference of two mean ranks that is significant, drawn as a ruler.
    control : str, optional
        The learner that the others are compared with. A band reaches a critical
        difference to both sides of it: it is told apart from the learners outside.
    undrawn : list of tuple of str, default=()
        Pairs that are not told apart though no bar shows it, listed in words.
    untested : list of tuple of str, default=()
        Pairs that no test is possible for, listed in words.
    alike : list of str, optional
        Learners that are not told apart from the control, listed in words. Without a
        critical difference nothing else shows them.
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
    alike: Sequence[str] | None = None
    colors: Mapping[str, Any] | None = None
    families: Mapping[str, str] | None = None
    test: str = ""
    n_datasets: int | None = None
    best: Literal["right", "left"] = "right"
    labels_: Any = field(default=None, init=False)
    bars_: Any = field(default=None, init=False)
    band_: Any = field(default=None, init=False)

    def plot(self, ax: Any = None) -> Self:
        unknown = [name for name in self.families or {} if name not in self.names]
        if unknown:
            raise ValueError(
                f"families names {unknown[0]!r}, which is none of the learners "
                f"{list(self.names)}."
            )
        low, high = self._range()
        bars = stack(self._intervals(), gap=0.02 * (high - low))
        first = 1.1 + _BAR * max((level + 1 for *_, level in bars), default=0)
        order = sorted(range(len(self.names)), key=self.mean_ranks.__getitem__)
        n_best = math.ceil(len(order) / 2)
        # The outermost learner is on top: leaders do not cross.
        sides = {low: order[:n_best], high: order[: n_best - 1 : -1]}
        bottom = first + n_best - 0.4
        given = ax is not None
        rooms = [width_of(self.names[i] for i in side) for side in sides.values()]
        width = ax.bbox.width / ax.figure.dpi if given else 5.6 + sum(rooms)
        notes = self._notes(n_characters=int(13 * width))
        n_rows = bottom + _NOTE * len(notes)
        head = _HEAD if self.critical_difference is None else _HEAD + _RULER

        height = (head + _ROW * n_rows) / 72 + 0.4 * bool(self.families)
        ax = axes(ax, figsize=(width, height))
        ax.set(xticks=[], yticks=[])
        families = self.families or {}
        looks = {name: look(name, families, self.colors or {}) for name in self.names}
        draw_legend(ax, families, looks)
        if not given:
            # The room for names is measured on the axes as they are going to be.
            fix_layout(ax)
        row = max(72 * ax.bbox.height / ax.figure.dpi - head, head) / n_rows
        ax.set_ylim(n_rows, -head / row)
        self.labels_ = write_beside(
            ax,
            sides,
            names=[clip(name) for name in self.names],
            values=self.mean_ranks,
            looks=[looks[name] for name in self.names],
            bold=None if self.control is None else self.names.index(self.control),
            first=first,
            row=row,
            ruler=self.critical_difference,
            low_at_right=self.best == "right",
        )
        self._draw_axis(ax, low, high)
        # Markers at the ends: a bar of tied learners is a dot.
        line = {"color": ink(), "linewidth": 4, "zorder": 3}
        ends = {"marker": "o", "markersize": 4, "markeredgewidth": 0}
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
            texts.append(f"shaded: not told apart from {clip(self.control)}")
        if self.control is not None and self.alike is not None:
            others = [clip(name, 20) for name in self.alike]
            control = clip(self.control)
            found = f"not told apart from {control} (bold): {_cut(others, _MOST_NAMES, ', ')}"
            texts.append(found if others else f"not told apart from {control} (bold): none")
        for pairs, words in (
            (self.undrawn, "not told apart either"),
            (self.untested, "no test is possible"),
        ):
            named = [" and ".join(clip(name, 20) for name in pair) for pair in pairs]
            if named:
                texts.append(f"{words}: {_cut(named, _MOST_PAIRS, '; ')}")
        n = self.n_datasets
        counted = "" if n is None else f"{n:,} data set{'s' * (n != 1)}"
        texts.append(", ".join(filter(None, (self.test, counted))))
        return [line for text in texts for line in textwrap.wrap(text, n_characters)]

    def _draw_axis(self, ax: Any, low: int, high: int) -> None:
        from matplotlib.transforms import ScaledTranslation

        ax.grid(visible=False)
        hide_spines(ax, "left", "right", "bottom")
        ax.spines["top"].set(position=("data", 0), bounds=(low, high))
        ax.xaxis.tick_top()
        ax.xaxis.set_label_position("top")
        ends = ax.transAxes.inverted().transform(ax.transData.transform([(low, 0), (high, 0)]))
        reach = abs(ends[0, 0] - ends[1, 0]) * ax.bbox.width / ax.figure.dpi
        ax.set_xticks(whole_ranks(low, high, most=int(3 * reach) + 1))
        label = f"mean rank (1 = best, at the {self.best})"
        ruler = self.critical_difference
        ax.set_xlabel(label, x=ends[:, 0].mean(), labelpad=4 if ruler is None else _RULER)
        if ruler is None:
            return
        lifted = ax.transData + ScaledTranslation(0, 28 / 72, ax.figure.dpi_scale_trans)
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
