"""The report that ranks systems: tie groups, intervals of ranks, and how stable they are."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from skstat.report._forms import TableStyle
from skstat.report._plots import display_of
from skstat.report._systems_report import SystemsReport
from skstat.stats import (
    ConfidenceInterval,
    RankInterval,
    RankStability,
    ScoreTable,
    rank_intervals,
)
from skstat.stats._common import Readers
from skstat.stats._leaderboard import interval_of_mean, places_of
from skstat.stats._multiplicity import groups_by_letter
from skstat.stats._samples import with_all_digits


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class LeaderboardReport(SystemsReport):
    """Systems in the order of their scores, and what of that order is certain.

    It is a :class:`SystemsReport` of all pairs, and says what follows from them for ranks:
    which ranks every system may have, and which groups of systems do not differ
    significantly. All of that is true at once with the report's confidence level.

    Attributes
    ----------
    rank_stability : RankStability or None
        The ranks in resamples of the units, and without parts of them. None where units
        cannot be resampled, as splits of one data set.
    part_word : str
        What a part is, such as "task".
    sample, pairwise, omnibus, metric, is_loss, confidence_level, design
        As in :class:`SystemsReport`.
    ignored_variance, doubts, choice, samples, constants, margin, run
        As in :class:`SystemsReport`.
    """

    kind: ClassVar[str] = "leaderboard"
    _readers: ClassVar[Readers] = {
        **SystemsReport._readers,
        "rank_stability": lambda found: (
            None if found is None else RankStability.from_dict(found)
        ),
    }

    rank_stability: RankStability | None = None
    part_word: str = "part"

    @classmethod
    def of(
        cls,
        report: SystemsReport,
        rank_stability: RankStability | None = None,
        part_word: str = "part",
    ) -> Self:
        """Make a leaderboard of a report on all pairs.

        Parameters
        ----------
        report : SystemsReport
            A comparison of all pairs, in both directions.
        rank_stability : RankStability, optional
            The ranks in resamples.
        part_word : str, default="part"
            What a part of the units is.

        Returns
        -------
        LeaderboardReport
            The same comparison, with ranks.
        """
        known = {item.name: getattr(report, item.name) for item in fields(SystemsReport)}
        return cls(**known, rank_stability=rank_stability, part_word=part_word)

    @cached_property
    def ranks(self) -> dict[str, int]:
        """Rank of every system by its score, the best first; equal scores share a rank."""
        means = dict(zip(self.names, self._exact_means(), strict=True))
        scores = np.array([[means[name] for name in self.scores]])
        return dict(zip(self.scores, places_of(scores)[0].tolist(), strict=True))

    def _exact_means(self) -> list[float]:
        """Mean scores, less what they have in common where that would hide differences."""
        if type(self.sample) is ScoreTable and not self.sample.missing.any():
            return list(with_all_digits(self.sample.scores).mean(axis=0).tolist())
        return [self._sign * self.scores[name] for name in self.names]

    @cached_property
    def rank_intervals(self) -> dict[str, RankInterval]:
        """Ranks that every system may have, the best first; they hold for all at once."""
        found = rank_intervals(self.pairwise, self.confidence_level)
        return {name: found[name] for name in self.order}

    @cached_property
    def score_intervals(self) -> dict[str, ConfidenceInterval]:
        """Interval of every score by itself, the best first; empty where none is known.

        Two of them may overlap although the systems differ significantly: the systems met the
        same units, and their differences vary less than their scores.
        """
        found = interval_of_mean(self.sample, self.confidence_level)
        if found is None:
            return {}
        ends = dict(zip(self.names, zip(*found, strict=True), strict=True))
        return {
            name: ConfidenceInterval(*sorted(self._sign * end for end in ends[name]))
            for name in self.order
        }

    @property
    def tie_groups(self) -> list[tuple[str, ...]]:
        """Largest groups of systems of which no two differ significantly, the best first."""
        return groups_by_letter(self.letters)

    def _title(self) -> str:
        return f"Leaderboard of {len(self.names)} systems"

    def _state(self) -> dict[str, Any]:
        return super()._state() | {
            "tie_groups": self.tie_groups,
            "rank_stability": self.rank_stability,
            "part_word": self.part_word,
        }

    def to_latex(
        self,
        table: Literal["ranks", "scores", "pairs"] = "ranks",
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
        stars: bool = False,
    ) -> str:
        r"""Return the leaderboard as a LaTeX table.

        Parameters
        ----------
        table : {"ranks", "scores", "pairs"}, default="ranks"
            ``"ranks"`` and ``"scores"``: scores, the best in bold, ranks, the ranks that every
            system may have, and groups. ``"pairs"``: the comparisons.
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
            p < .001; in a table of systems the adjusted p-value against the best.

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
        self, ax: Any = None, *, kind: str | None = None, width: float | str | None = None
    ) -> Any:
        """Draw the leaderboard.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"leaderboard", "best", "intervals", "pvalues"}, default="leaderboard"
            ``"leaderboard"``: scores with intervals, the ranks that every system may have, and
            tie groups. ``"best"``: how far every system may be from the best other one.
            ``"intervals"``: all pairs against zero. ``"pvalues"``: adjusted p of every pair.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.

        Returns
        -------
        IntervalsDisplay
            With ``ax_`` and ``figure_``.
        """
        if isinstance(ax, str):  # plot("cd")
            ax, kind = None, ax
        return display_of(self._model, kind).plot(ax=ax, width=width)

    def _ranking(self) -> list[dict[str, Any]]:
        stability = self.rank_stability
        resampled = {} if stability is None else stability.resampled(self.confidence_level)
        without = {} if stability is None else stability.without_one
        rows = []
        for row in super()._ranking():
            name = row["name"]
            row |= {"rank": self.ranks[name]}
            for key, intervals in (
                ("score", self.score_intervals),
                ("rank", self.rank_intervals),
                ("resampled", resampled),
                ("without_one", without),
            ):
                if name in intervals:
                    low, high = intervals[name]
                    row |= {f"{key}_low": low, f"{key}_high": high}
            if stability is not None:
                row |= {"first_share": stability.first[name]}
            rows.append(row)
        return rows
