"""Heatmaps: scores, adjusted p-values of all pairs, or wins, ties and losses."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self

import numpy as np

from skstat._names import clip
from skstat.display import _figure as figure
from skstat.display import _style as style

_WORDS = {
    "better": "row better",
    "worse": "row worse",
    "higher": "row higher",
    "lower": "row lower",
    "undecided": "no significant difference",
    "equivalent": "equivalent",
    "not inferior": "row not inferior",
}
_BEHIND = ("worse", "lower")  # hatched, for who sees no colours
_SIZES = (0.83, 0.7)  # of what is written into cells
_MOST_NAMED = 60  # rows, or columns
_LONGEST_UPRIGHT = 2.4  # inches of a name of a column
_WIDEST, _TALLEST = 14.0, 12.0  # inches of all cells, of rows without names


@dataclass(eq=False, kw_only=True, repr=False)
class HeatmapDisplay(figure.Display):
    """Cells in colours, of numbers or of what was found, with texts where these fit.

    Parameters
    ----------
    values : array-like of shape (n_rows, n_columns)
        What gives the cells their colours: numbers, of which nan is left out; or what was
        found about the row as against the column, which is explained in a legend: "better",
        "worse", "equivalent", "not inferior", "undecided", or "" for nothing.
    rows, columns : list of str
        Names of the rows and columns.
    texts : list of list of str, optional
        What is written into the cells.
    bold : array-like of bool, optional
        Which texts are bold.
    bold_name : str, default=""
        What these are.
    xlabel : str, default=""
        What is drawn, in words.
    label : str, default=""
        What the numbers are.
    dark : {"high", "low", "ends"}, default="high"
        Which numbers are dark; ``"ends"``: low and high ones, as worse and better.
    limits : tuple of float, optional
        Ends of the colours; default those of the numbers.
    ticks : sequence of float, optional
        Numbers that the bar of colours names.
    rows_word, columns_word : str, default="systems"
        What rows and columns are, where they are too many to name.
    hatched : bool, default=False
        Whether cells without a number are hatched.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn.
    figure_ : matplotlib Figure
        The figure of `ax_`.
    mesh_ : matplotlib QuadMesh
        The cells; those that are left out are masked.

    Examples
    --------
    >>> from skstat.display import HeatmapDisplay
    >>> display = HeatmapDisplay(
    ...     values=[[0.1, 0.9], [0.4, float("nan")]], rows=["a", "b"], columns=["c", "d"],
    ...     texts=[["low", "high"], ["middle", ""]], label="share", xlabel="an example",
    ... )
    >>> [text.get_text() for text in display.plot().ax_.texts]
    ['low', 'high', 'middle']
    """

    _shows = "rows"
    values: Any
    rows: Sequence[str]
    columns: Sequence[str]
    texts: Sequence[Sequence[str]] | None = None
    bold: Any = None
    bold_name: str = ""
    xlabel: str = ""
    label: str = ""
    dark: Literal["high", "low", "ends"] = "high"
    limits: tuple[float, float] | None = None
    ticks: Sequence[float] | None = None
    rows_word: str = "systems"
    columns_word: str = "systems"
    hatched: bool = False
    mesh_: Any = field(default=None, init=False)

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        ranks: Any,
        *,
        names: Sequence[str],
        datasets: Sequence[str],
        metric: str = "score",
        higher_is_better: bool | None = True,
        color_by: Literal["rank", "score"] = "rank",
        row_word: str = "data set",
        column_word: str = "system",
    ) -> Self:
        """Make a picture of the scores of systems on data sets, the darker the better.

        Colours show ranks within the data set by default: the scores of an easy data set and
        of a hard one are not commensurable. The best scores of a data set are bold, and
        missing ones are hatched.

        Parameters
        ----------
        scores, ranks : array-like of shape (n_datasets, n_systems)
            The scores, and their ranks within the data set, of which 1 is best; nan where one
            is missing.
        names, datasets : list of str
            Names of the systems and of the data sets.
        metric : str, default="score"
            Name of the score.
        higher_is_better : bool or None, default=True
            Which scores are dark if colours show scores; None where nobody knows.
        color_by : {"rank", "score"}, default="rank"
            What colours show.
        row_word, column_word : str, default="data set", "system"
            What a row and a column are.

        Returns
        -------
        HeatmapDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import HeatmapDisplay
        >>> display = HeatmapDisplay.from_scores(
        ...     [[0.91, 0.88], [0.71, float("nan")]], [[1, 2], [1, float("nan")]],
        ...     names=["A", "B"], datasets=["iris", "wine"], metric="accuracy",
        ... )
        >>> display.texts[0]
        ['0.910', '0.880']
        """
        scores, ranks = np.asarray(scores, dtype=float), np.asarray(ranks, dtype=float)
        best = "highest" if higher_is_better is None else "best"
        by_rank, k = color_by == "rank", max(len(names), 2)
        words = {None: "no direction is known", True: "higher is better"}
        of_score = f"{clip(metric)} ({words.get(higher_is_better, 'lower is better')})"
        return cls(
            values=np.where(np.isnan(scores), np.nan, ranks if by_rank else scores),
            rows=datasets,
            columns=names,
            texts=[_numerals(row) for row in scores],
            bold=ranks == np.fmin.reduce(ranks, axis=1, keepdims=True),
            bold_name=f"the {best}",
            xlabel=f"{clip(metric, 40)} of each {column_word}",
            label=f"rank on the {row_word} (1 = {best})" if by_rank else of_score,
            dark="low" if by_rank or higher_is_better is False else "high",
            limits=(1, k) if by_rank else None,
            ticks=figure.whole_ranks(1, k) if by_rank else None,
            rows_word=f"{row_word}s",
            columns_word=f"{column_word}s",
            hatched=True,
        )

    @classmethod
    def from_pvalues(
        cls, names: Sequence[str], pvalues: Any, verdicts: Any, *, adjusted: bool = True
    ) -> Self:
        """Make a picture of the p-values of all pairs, in colours of what was found.

        Parameters
        ----------
        names : list of str
            Names of the systems.
        pvalues : array-like of shape (n_systems, n_systems)
            P-value of the row against the column; nan where no test was made.
        verdicts : list of list of str
            What was found about the row as against the column; not read where there is no
            p-value.
        adjusted : bool, default=True
            Whether the p-values are adjusted for the number of pairs.

        Returns
        -------
        HeatmapDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import HeatmapDisplay
        >>> display = HeatmapDisplay.from_pvalues(
        ...     ["tree", "NB"], [[float("nan"), 0.0004], [0.0004, float("nan")]],
        ...     [["", "better"], ["worse", ""]],
        ... )
        >>> [text.get_text() for text in display.plot().ax_.texts]
        ['<.001', '<.001']
        """
        pvalues = np.asarray(pvalues, dtype=float)
        values = np.where(np.isnan(pvalues), "", np.asarray(verdicts, dtype=str))
        texts = [
            ["<.001" if p < 0.001 else f"{p:.3f}".removeprefix("0") for p in row]
            for row in pvalues.tolist()
        ]
        what = f"{'adjusted ' * adjusted}p-value of the row against the column"
        return cls(
            values=values,
            rows=names,
            columns=names,
            texts=texts,
            bold=values != "undecided",
            xlabel=what,
        )

    @classmethod
    def from_wins(
        cls,
        names: Sequence[str],
        wins: Any,
        ties: Any,
        *,
        metric: str = "score",
        directed: bool = True,
    ) -> Self:
        """Make a picture of how often the system of a row wins, ties and loses.

        Colours show the share of data sets that the row wins, ties counting half: blue where
        the row is ahead, orange where the column is.

        Parameters
        ----------
        names : list of str
            Names of the systems.
        wins, ties : array-like of shape (n_systems, n_systems)
            Number of data sets on which the system of the row beats that of the column, and
            on which they are even.
        metric : str, default="score"
            Name of the score.
        directed : bool, default=True
            Whether anybody knows that higher is better; or else no row wins.

        Returns
        -------
        HeatmapDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> from skstat.display import HeatmapDisplay
        >>> display = HeatmapDisplay.from_wins(["A", "B"], [[0, 9], [2, 0]], [[0, 3], [3, 0]])
        >>> [text.get_text() for text in display.plot().ax_.texts]
        ['9/3/2', '2/3/9']
        """
        wins, ties = np.asarray(wins, dtype=int), np.asarray(ties, dtype=int)
        n = np.where(np.eye(len(names)), 0, wins + ties + wins.T)
        kinds = "wins/ties/losses" if directed else "higher/equal/lower"
        counts = np.stack([wins, ties, wins.T], axis=-1).tolist()
        return cls(
            values=np.divide(wins + ties / 2, n, out=np.full(n.shape, np.nan), where=n > 0),
            rows=names,
            columns=names,
            texts=[["/".join(map(str, cell)) for cell in row] for row in counts],
            xlabel=f"{kinds} of the row against the column, by {clip(metric, 24)}",
            label=f"share {'won by' if directed else 'higher in'} the row, ties half",
            dark="ends",
            limits=(0.0, 1.0),
        )

    def _plot(self, ax: Any) -> Any:
        values = np.asarray(self.values)
        n, k = values.shape
        room = 2.6 if self._width is None else 0.34 * self._width
        rows = [style.whole(name, room) for name in self.rows] if n <= _MOST_NAMED else []
        margin = max(map(style.text_width, rows), default=0.3)
        widest = max((text for row in self.texts or () for text in row), key=len, default="")
        longest = style.text_width(widest)
        cell = _SIZES[0] * longest + 0.14
        width = (
            ax.bbox.width / ax.figure.dpi
            if self._on_axes
            else self._width or margin + 0.4 + max(min(cell * max(k, 2), _WIDEST), 3.0)
        )
        side = (width - margin - 0.3) / k
        columns, upright, key = self._names_of_columns(rows, side)
        lines = 1 + max((row.count("\n") for row in rows), default=0)
        height = max(min(side, 0.42 * style.scale()), 0.19, 0.17 * style.scale() * lines)
        above = max(map(style.text_width, columns), default=0.3) if upright else 0.3
        by_number = values.dtype.kind != "U"
        below = (1.5 if by_number else 0.6) * style.scale()
        cells = height * max(n, 2) if rows else _TALLEST
        ax = self._axes(ax, figsize=(width, cells + above + below))
        keys = self._draw_numbers(ax, values) if by_number else self._draw_verdicts(ax, values)
        ax.set(xlim=(0, k), ylim=(n, 0))
        size = next((s for s in _SIZES if widest and s * longest + 0.04 <= side), None)
        if self.texts is not None and size is not None:
            self._write(ax, self.texts, size)
        rotation = {"rotation": 90} if upright else {}
        ax.set_xticks(np.arange(len(columns)) + 0.5, columns, parse_math=False, **rotation)
        ax.set_yticks(np.arange(len(rows)) + 0.5, rows, parse_math=False)
        if not rows:
            ax.set_ylabel(f"{n:,} {self.rows_word}")
        ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
        ax.grid(visible=False)
        figure.hide_spines(ax, *ax.spines)
        many = "" if columns else f"{k:,} {self.columns_word}"
        bold = f"; bold: {self.bold_name}" if self.bold_name and ax.texts else ""
        figure.write_below(ax, self.xlabel + bold, many, *key)
        figure.legend_below(ax, keys)
        return self._fitted(ax)

    def _names_of_columns(
        self, rows: list[str], side: float
    ) -> tuple[list[str], bool, list[str]]:
        """Names as they are written, whether upright, and what numbers mean below.

        Names that are wider than a column stand upright. Where they are too long for that,
        columns have numbers, which stand beside the names of rows, if these are the same.
        """
        if len(self.columns) > _MOST_NAMED:
            return [], False, []
        names = [clip(name, style.LONGEST_SHOWN) for name in self.columns]
        longest = max(map(style.text_width, names), default=0.0)
        upright = longest > side
        if not upright or (longest <= _LONGEST_UPRIGHT and side >= 0.17 * style.scale()):
            return names, upright, []
        numbers = [str(number) for number in range(1, len(names) + 1)]
        upright = max(map(style.text_width, numbers)) > side
        if list(self.rows) == list(self.columns):
            rows[:] = [f"{row}  {number}" for row, number in zip(rows, numbers, strict=True)]
            return numbers, upright, []
        key = [f"{number}: {name}" for number, name in zip(numbers, names, strict=True)]
        return numbers, upright, key

    def _draw_numbers(self, ax: Any, values: Any) -> list[Any]:
        """Draw cells in shades, with a bar that explains them."""
        finite = values[np.isfinite(values)]
        low, high = self.limits or ((finite.min(), finite.max()) if finite.size else (0, 1))
        shades = {"high": "Blues", "low": "Blues_r", "ends": style.diverging()}[self.dark]
        self.mesh_ = self._mesh(ax, np.ma.masked_invalid(values), shades, low, high)
        if self.hatched:  # cells that are left out let the ground show through
            ax.patch.set(hatch="////", edgecolor="0.6", linewidth=0)
        is_fixed = ax.figure.get_layout_engine() is None  # else texts between have their room
        look = {} if is_fixed else {"pad": 8 / ax.bbox.height, "aspect": 40}
        bar = ax.figure.colorbar(self.mesh_, ax=ax, location="bottom", ticks=self.ticks, **look)
        bar.set_label(self.label, parse_math=False)
        bar.outline.set_visible(False)
        return []

    def _draw_verdicts(self, ax: Any, values: Any) -> list[tuple[Any, str]]:
        """Draw cells in colours of verdicts; return what explains them."""
        from matplotlib.colors import ListedColormap
        from matplotlib.patches import Patch, Rectangle

        verdicts = [verdict for verdict in _WORDS if verdict in values]
        shades = [
            style.blend(style.colour(v), 0.18 if v == "undecided" else 0.85) for v in verdicts
        ]
        codes = np.full(values.shape, -1)
        for code, verdict in enumerate(verdicts):
            codes[values == verdict] = code
        cells = np.ma.masked_less(codes, 0)
        tones = ListedColormap(shades or ["none"])
        self.mesh_ = self._mesh(ax, cells, tones, -0.5, len(verdicts) - 0.5)
        hatch: dict[str, Any] = {"hatch": "////", "edgecolor": style.ground(), "linewidth": 0}
        for row, column in np.argwhere(np.isin(values, _BEHIND)):
            ax.add_patch(Rectangle((column, row), 1, 1, fill=False, alpha=0.35, **hatch))
        return [
            (Patch(facecolor=shade, **(hatch if verdict in _BEHIND else {})), _WORDS[verdict])
            for verdict, shade in zip(verdicts, shades, strict=True)
        ]

    def _mesh(self, ax: Any, cells: Any, shades: Any, low: float, high: float) -> Any:
        # Lines between very many cells would take more ink than the cells.
        lined = max(cells.shape) <= _MOST_NAMED
        look = {"edgecolors": style.ground() if lined else "none", "linewidth": 1.5 * lined}
        return ax.pcolormesh(cells, cmap=shades, vmin=low, vmax=high, **look)

    def _write(self, ax: Any, texts: Sequence[Sequence[str]], size: float) -> None:
        """Write into every cell that has a colour, in black or white as reads better on it."""
        cells = self.mesh_.get_array().reshape(np.shape(self.values))
        bold = np.zeros(cells.shape, dtype=bool) if self.bold is None else np.asarray(self.bold)
        look = {"ha": "center", "va": "center", "fontsize": 10 * size * style.scale()}
        for row, column in np.argwhere(~np.ma.getmaskarray(cells)):
            shade = self.mesh_.cmap(self.mesh_.norm(cells[row, column]))
            font = {"fontweight": "bold" if bold[row, column] else "normal"}
            font["color"] = _readable_on(shade)
            ax.text(column + 0.5, row + 0.5, texts[row][column], **look, **font)


def _readable_on(shade: Sequence[float]) -> str:
    """Black or white, by the relative luminance of WCAG 2."""
    rgb = np.asarray(shade[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return "black" if linear @ (0.2126, 0.7152, 0.0722) > 0.179 else "white"


def _numerals(scores: np.ndarray) -> list[str]:
    """Write the scores of a data set with equally many decimals, three digits or more."""
    largest = max((abs(float(score)) for score in scores if math.isfinite(score)), default=0.0)
    magnitude = math.ceil(math.log10(largest)) if largest else 0
    if not -3 <= magnitude <= 5:
        return [f"{score:.1e}" for score in scores]
    return [f"{score:.{max(3 - magnitude, 0)}f}" for score in scores]
