"""The report on a table: several systems scored on many data sets."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.report._forms import TableStyle
from skstat.report._plots import display_of
from skstat.report._systems_report import SystemsReport
from skstat.report._systems_values import ranking_rows
from skstat.stats import OmnibusOutcome, ScoreTable
from skstat.stats._common import to_plain
from skstat.stats._multiplicity import contiguous_groups, undrawn_pairs


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class DatasetsReport(SystemsReport):
    """What a comparison of several systems over many data sets found.

    It is a :class:`SystemsReport` whose units are data sets; the systems are ranked on each.

    Attributes
    ----------
    sample : ScoreTable
        The scores that were tested: a row per data set, a column per system.
    omnibus : OmnibusOutcome
        Test of all systems at once.
    left_out : tuple of str
        Data sets that are not compared, each with the first reason why; `run` has all.
    pairwise, metric, is_loss, confidence_level, design
        As in :class:`SystemsReport`.
    ignored_variance, doubts, choice, samples, run
        As in :class:`SystemsReport`.
    """

    kind: ClassVar[str] = "table"

    omnibus: OmnibusOutcome
    left_out: tuple[str, ...] = ()

    @property
    def table(self) -> ScoreTable:
        """The scores that were tested, under the name of what they are."""
        found: ScoreTable = self.sample
        return found

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        """Mean rank of every system, the best first; 1 is the best rank."""
        ranks = dict(zip(self.names, self.table.mean_ranks.tolist(), strict=True))
        return dict(sorted(ranks.items(), key=lambda item: item[1]))

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The systems, the best mean rank first."""
        return tuple(self.mean_ranks)

    @cached_property
    def _shared(self) -> np.ndarray:
        """Number of data sets that every two systems both have scores on."""
        there = (~self.table.missing).astype(np.int64)
        return np.asarray(there.T @ there)

    def _n_units_of_pairs(self) -> NDArray[np.int64]:
        place = {name: number for number, name in enumerate(self.names)}
        first, second = np.array([(place[a], place[b]) for a, b in self.pairwise.pairs]).T
        return np.asarray(self._shared[first, second])

    @property
    def critical_difference(self) -> float | None:
        """Difference of mean ranks from which systems differ, if one serves all pairs."""
        return self.pairwise.critical_difference(self.alpha)

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """Largest sets of neighbours in mean rank of which no two differ significantly."""
        return contiguous_groups(list(self.order), self._differs) if self._all_pairs else []

    @cached_property
    def undrawn(self) -> list[tuple[str, str]]:
        """Pairs that do not differ significantly, and are in none of `groups`."""
        return undrawn_pairs(list(self.order), self._differs) if self._all_pairs else []

    @property
    def _ranked_by_rank(self) -> bool:
        return True

    def _title(self) -> str:
        return f"{len(self.names)} systems on {self.n_units} data sets"

    def _state(self) -> dict[str, Any]:
        return super()._state() | {
            "critical_difference": self.critical_difference,
            "groups": self.groups,
            "undrawn": self.undrawn,
            "left_out": self.left_out,
            "sample": self.sample,
        }

    def to_latex(
        self,
        table: Literal["scores", "pairs"] = "scores",
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
        stars: bool = False,
    ) -> str:
        r"""Return the report as a LaTeX table.

        Parameters
        ----------
        table : {"scores", "pairs"}, default="scores"
            ``"scores"``: the scores on every data set as papers print them, the best in
            bold, and the mean ranks, where systems that do not differ significantly
            from the best are underlined. ``"pairs"``: the comparisons.
        caption : str, optional
            Caption of the table, in LaTeX. With a caption or a label the whole ``table``
            environment is written, otherwise the ``tabular`` alone.
        label : str, optional
            Label of the table, for ``\ref{...}``.
        booktabs : bool, default=True
            Use the rules of the booktabs package, which needs ``\usepackage{booktabs}``.
            Otherwise use ``\hline``, which needs no package.
        stars : bool, default=False
            Mark what differs significantly by stars: ``*`` p < .05, ``**`` p < .01, ``***``
            p < .001; in a table of scores, at the mean ranks, the adjusted p-value
            against the best, or the control.

        Returns
        -------
        str
            The table; conclusion and doubts are comments.

        Raises
        ------
        ValueError
            If stars are wanted for p-values that are not valid, or of a table without any.
        """
        return self._latex(table, TableStyle(caption, label, booktabs, stars))

    def plot(
        self,
        ax: Any = None,
        *,
        kind: str | None = "cd",
        width: float | str | None = None,
        **options: Any,
    ) -> Any:
        """Draw the comparison.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"cd", "intervals", "pvalues", "wins", "scores"}, default="cd"
            ``"cd"``: mean ranks on a line, joined where there is no significant difference
            (critical difference diagram); with a control each system is marked as better,
            worse, or without a significant difference. ``"intervals"``: one bar as wide as
            the critical difference per system, so that overlap means no significant
            difference; with a control, and for tests without a critical difference, the
            intervals of all pairs against zero.
            ``"pvalues"``: the adjusted p-value of every pair, coloured by what was found.
            ``"wins"``: on how many data sets each system wins. ``"scores"``: all scores.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.
        **options
            For ``"cd"``: ``best="left"``, ``colors=`` and ``families=`` of
            :class:`~skstat.display.CriticalDifferenceDisplay`; for ``"scores"``:
            ``color_by=`` of :class:`~skstat.display.HeatmapDisplay`.

        Returns
        -------
        display
            With ``ax_`` and ``figure_``.
        """
        if isinstance(ax, str):  # plot("cd")
            ax, kind = None, ax
        return display_of(self._model, kind, **options).plot(ax=ax, width=width)

    @cached_property
    def _ranked(self) -> list[dict[str, Any]]:
        wins, ties = self.table.wins(), self.table.ties()
        rows = []
        for row in ranking_rows(self):
            i = self.names.index(row["name"])
            counts = {
                "mean_rank": to_plain(self.mean_ranks[row["name"]]),
                "wins": int(wins[i].sum()),
                "ties": int(ties[i].sum() - ties[i, i]),
                "losses": int(wins[:, i].sum()),
            }
            rows.append(row | counts)
        return rows
