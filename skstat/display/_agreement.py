"""On how many instances two systems are right and wrong: four tiles."""

from dataclasses import dataclass, field
from typing import Any, Self

from skstat._names import LONGEST, clip
from skstat.display._display import Display
from skstat.display._style import colour, fold, text_width

_GAP = 0.03
# Share from which white letters stand out better than black ones.
_DARK = 0.85


@dataclass(eq=False, kw_only=True, repr=False)
class AgreementDisplay(Display):
    """Counts of instances that both, one, or none of two systems gets right.

    The darker a tile, the more instances; the two tiles in which the systems differ,
    on which their comparison rests, have a frame and say who alone is right.

    Parameters
    ----------
    both : int
        Instances on which both are right.
    only_a, only_b : int
        Instances on which only the first, and only the second, is right.
    neither : int
        Instances on which both are wrong.
    names : tuple of str
        Labels of the two systems.
    metric : str, default="accuracy"
        Name of the score that the shares of right answers are.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    tiles_ : list of matplotlib Rectangle
        The tiles, in the order of the counts above.

    Examples
    --------
    >>> from skstat.display import AgreementDisplay
    >>> display = AgreementDisplay(
    ...     both=54, only_a=18, only_b=6, neither=22, names=("tree", "NB")
    ... )
    >>> display.plot().ax_.get_xlabel()
    'NB (accuracy 60.0%)'
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    names: tuple[str, str]
    metric: str = "accuracy"
    tiles_: Any = field(default=None, init=False)

    def _plot(self, ax: Any) -> Self:
        ax = self._axes(ax, figsize=(5.0, 3.9 if self._width is None else 2.8))
        a, b = self.names
        # Room of a tile: the axes without the names at their left.
        room = 0.4 * (self._width or ax.bbox.width / ax.figure.dpi)
        self.tiles_ = [
            self._draw(ax, count, fold(words, room, size=0.83), row, column)
            for count, words, row, column in (
                (self.both, "both right", 0, 0),
                (self.only_a, f"only {clip(a, LONGEST)} right", 0, 1),
                (self.only_b, f"only {clip(b, LONGEST)} right", 1, 0),
                (self.neither, "both wrong", 1, 1),
            )
        ]
        ax.set_xlim(0, 2)
        ax.set_ylim(2, 0)
        ax.set_xticks([0.5, 1.5], ["right", "wrong"])
        ax.set_yticks([0.5, 1.5], ["right", "wrong"], rotation=90, va="center")
        ax.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
        ax.xaxis.set_label_position("top")
        right_a, right_b = self.both + self.only_a, self.both + self.only_b
        ax.set_xlabel(self._heading(b, right_b), parse_math=False)
        ax.set_ylabel(self._heading(a, right_a), parse_math=False)
        for spine in ax.spines.values():
            spine.set_visible(False)
        return self._drawn_on(ax)

    def __repr__(self) -> str:
        a, b = self.names
        return f"<AgreementDisplay of {a!r} and {b!r}>"

    @property
    def _n(self) -> int:
        return self.both + self.only_a + self.only_b + self.neither

    def _heading(self, name: str, right: int) -> str:
        share = f"({clip(self.metric, 16)} {_percent(right, self._n)})"
        line = f"{clip(name, 24)} {share}"
        narrow = self._width is not None and text_width(line) > 0.8 * self._width
        return line.replace(f" {share}", f"\n{share}") if narrow else line

    def _draw(self, ax: Any, count: int, words: str, row: int, column: int) -> Any:
        import matplotlib
        from matplotlib.patches import Rectangle

        share = count / max(self._n, 1)
        # Row of the one, column of the other: whose answers alone are right.
        framed = row != column
        tone = colour("better" if column else "worse")
        edge = {"edgecolor": tone, "linewidth": 3} if framed else {"edgecolor": "none"}
        # The darkest fifth of the map is left out: it would hide the frames.
        tile = Rectangle(
            (column + _GAP, row + _GAP),
            1 - 2 * _GAP,
            1 - 2 * _GAP,
            facecolor=matplotlib.colormaps["Greys"](0.04 + 0.66 * share),
            **edge,
        )
        ax.add_patch(tile)
        letters = "white" if share > _DARK else "black"
        weight = "bold" if framed else "normal"
        for y, text, size in (
            (0.22, words, "small"),
            (0.52, f"{count:,}", "x-large"),
            (0.78, _percent(count, self._n), "medium"),
        ):
            ax.text(
                column + 0.5,
                row + y,
                text,
                color=letters,
                fontsize=size,
                fontweight=weight,
                ha="center",
                va="center",
                parse_math=False,
            )
        return tile


def _percent(count: int, n: int) -> str:
    """Share in percent; only nothing is 0%, and only all is 100%."""
    share = 100 * count / max(n, 1)
    if count and share < 0.05:
        return "< 0.1%"
    if count < n and share >= 99.95:
        return "> 99.9%"
    return f"{share:.1f}%" if 0 < count < n else f"{share:g}%"
