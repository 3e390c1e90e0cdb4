"""The report on a table: several systems scored on many data sets."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from skstat.report._case import Doubt
from skstat.report._comparison import ComparisonReport
from skstat.report._conclude_table import conclude_table
from skstat.report._forms import SCHEMA_VERSION, ReportForms
from skstat.report._plots import display_of_table
from skstat.report._score_latex import render_scores
from skstat.report._table_rows import adjustment_name
from skstat.stats import OmnibusOutcome, PairwiseOutcome, ScoreTable, compact_letters
from skstat.stats._letters import contiguous_groups, undrawn_pairs
from skstat.stats._outcomes import plain
from skstat.stats._restore import sample_from_dict

Plot = Literal["cd", "intervals", "wins", "scores", "ranks"]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class TableReport(ReportForms):
    """What a comparison of several systems over many data sets found.

    Attributes
    ----------
    table : ScoreTable
        The scores that were tested: a row per data set, a column per system.
    omnibus : OmnibusOutcome
        Test of all systems at once.
    pairwise : PairwiseOutcome
        Comparisons in pairs, with adjusted p-values; verdicts rest on these.
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    confidence_level : float
        Level of intervals; verdicts use alpha = 1 - confidence_level.
    design : mapping
        How the scores came about, where that is known.
    ignored_variance : tuple of str
        Sources of variation that the tests do not cover.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    choice : str or None
        Why these tests were chosen, when it was not the caller who did.
    left_out : tuple of str
        Data sets that are not compared, each with the first reason why; `run` has all.
    run : DatasetsRun or None
        The run that the scores are from, with those of every split. A restored report has
        none.
    """

    table: ScoreTable
    omnibus: OmnibusOutcome
    pairwise: PairwiseOutcome
    metric: str = "score"
    is_loss: bool = False
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    choice: str | None = None
    left_out: tuple[str, ...] = ()
    run: Any = None

    @property
    def alpha(self) -> float:
        """Family-wise level of the verdicts."""
        return round(1 - self.confidence_level, 12)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order of the table."""
        return self.table.names

    @property
    def test(self) -> str:
        """Name of the procedure that compares pairs."""
        return self.pairwise.test

    @property
    def statistic(self) -> float:
        """Statistic of the test of all systems at once."""
        return self.omnibus.statistic

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Its degrees of freedom, if any."""
        return self.omnibus.df

    @property
    def pvalue(self) -> float:
        """Its p-value."""
        return self.omnibus.pvalue

    @property
    def effect_sizes(self) -> Mapping[str, float]:
        """Sizes of the differences between all systems."""
        return self.omnibus.effect_sizes

    @property
    def estimand(self) -> str:
        """What is compared in pairs."""
        return self.pairwise.outcomes[0].estimand

    @property
    def null_hypothesis(self) -> str:
        """Hypothesis of no difference between all systems."""
        return self.omnibus.null_hypothesis

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for the p-values to mean what they say."""
        pairs = self.pairwise.outcomes[0].assumptions
        return tuple(dict.fromkeys((*self.omnibus.assumptions, *pairs)))

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.table.unit)

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return self.table.n_units

    @property
    def control(self) -> str | None:
        """The system that the others are compared with, if there is one."""
        return self.pairwise.control

    @cached_property
    def mean_ranks(self) -> dict[str, float]:
        """Mean rank of every system, the best first; 1 is the best rank."""
        ranks = dict(zip(self.names, self.table.mean_ranks.tolist(), strict=True))
        return dict(sorted(ranks.items(), key=lambda item: item[1]))

    @property
    def critical_difference(self) -> float | None:
        """Difference of mean ranks from which systems differ, if one serves all pairs."""
        return self.pairwise.critical_difference(self.alpha)

    @cached_property
    def letters(self) -> dict[str, str]:
        """Letters by system, the best first: those who share one are not told apart.

        Empty where the systems are compared with a control only, or in one direction.
        """
        if not self._all_pairs:
            return {}
        return compact_letters(list(self.mean_ranks), self._differs)

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """Largest sets of neighbours in mean rank of which no two were told apart."""
        if not self._all_pairs:
            return []
        return contiguous_groups(list(self.mean_ranks), self._differs)

    @cached_property
    def undrawn(self) -> list[tuple[str, str]]:
        """Pairs not told apart that lie in none of `groups`: no bar can show them."""
        if not self._all_pairs:
            return []
        return undrawn_pairs(list(self.mean_ranks), self._differs)

    @property
    def _untested(self) -> list[tuple[str, str]]:
        """Pairs that no test was possible for, as where their difference has no variance."""
        adjusted = self.pairwise.adjusted_pvalues.tolist()
        found = zip(self.pairwise.pairs, adjusted, strict=True)
        return [pair for pair, pvalue in found if math.isnan(pvalue)]

    @property
    def _all_pairs(self) -> bool:
        """Whether every two systems were asked whether they differ.

        Asked in one direction, who is A decides, and with it the order of the columns.
        """
        one_sided = any(out.alternative != "two-sided" for out in self.pairwise.outcomes)
        return self.control is None and not one_sided

    @cached_property
    def _differs(self) -> np.ndarray:
        """Which systems were told apart, in the order of their mean ranks."""
        order = [self.names.index(name) for name in self.mean_ranks]
        return self.pairwise.differs(self.alpha)[np.ix_(order, order)]

    @property
    def reports(self) -> tuple[ComparisonReport, ...]:
        """One report per pair."""
        return tuple(self[pair] for pair in self.pairwise.pairs)

    def __getitem__(self, pair: tuple[str, str]) -> ComparisonReport:
        """Return the report on one pair, named in either order."""
        pairs = self.pairwise.pairs
        wanted = tuple(pair)
        found = next((p for p in (wanted, wanted[::-1]) if p in pairs), None)
        if found is None:
            raise KeyError(f"no comparison {pair!r}; there are {list(pairs)}.")
        place = pairs.index((found[0], found[1]))
        n_pairs = len(pairs)
        words = f"adjusted by {adjustment_name(self.pairwise.adjustment)} for {n_pairs} pairs"
        return ComparisonReport(
            outcome=self.pairwise.outcomes[place],
            sample=self.table.pair(*found),
            names=(found[0], found[1]),
            metric=self.metric,
            is_loss=self.is_loss,
            confidence_level=self.confidence_level,
            design=self.design,
            ignored_variance=self.ignored_variance,
            doubts=self.doubts,
            adjusted_pvalue=float(self.pairwise.adjusted_pvalues[place]),
            adjustment=words,
        )

    def __iter__(self) -> Iterator[ComparisonReport]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.pairwise.pairs)

    @property
    def conclusion(self) -> str:
        """What was found, in a few plain sentences."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        return conclude_table(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything the report knows as plain values.

        Returns
        -------
        dict
            Numbers, strings, lists and dictionaries only; undefined and infinite
            numbers are None. All other forms are rendered from it, and
            :func:`skstat.report_from_dict` restores the report.
        """
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": "table",
            "title": f"{len(self.names)} systems on {self.n_units} data sets",
            "conclusion": self.conclusion,
            "sentences": self._sentences(),
            "names": list(self.names),
            "metric": self.metric,
            "is_loss": self.is_loss,
            "confidence_level": self.confidence_level,
            "unit": self.unit,
            "n_units": self.n_units,
            "ranking": self._ranking(),
            "omnibus": self.omnibus.to_dict(),
            "test": self.test,
            "adjustment": self.pairwise.adjustment,
            "adjustment_name": adjustment_name(self.pairwise.adjustment),
            "control": self.control,
            "pairs": self._pairs(),
            "critical_difference": plain(self.critical_difference),
            "groups": [list(group) for group in self.groups],
            "undrawn": [list(pair) for pair in self.undrawn],
            "smallest_adjusted_pvalue": plain(self.pairwise.smallest_pvalue),
            "effect_sizes": plain(self.effect_sizes),
            "estimand": self.estimand,
            "null_hypothesis": self.null_hypothesis,
            "assumptions": list(self.assumptions),
            "ignored_variance": list(self.ignored_variance),
            "choice": self.choice,
            "left_out": list(self.left_out),
            "design": plain(self.design),
            "doubts": [
                {"code": d.code, "title": d.title, "text": d.text, "url": d.url}
                for d in self.doubts
            ],
            "table": self.table.to_dict(),
            "pairwise": self.pairwise.to_dict(),
        }

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore a report from its ``to_dict()``."""
        return cls(
            table=sample_from_dict(state["table"]),
            omnibus=OmnibusOutcome.from_dict(state["omnibus"]),
            pairwise=PairwiseOutcome.from_dict(state["pairwise"]),
            metric=state["metric"],
            is_loss=state["is_loss"],
            confidence_level=state["confidence_level"],
            design=dict(state["design"]),
            ignored_variance=tuple(state["ignored_variance"]),
            doubts=tuple(
                Doubt(code=d["code"], title=d["title"], text=d["text"]) for d in state["doubts"]
            ),
            choice=state["choice"],
            left_out=tuple(state["left_out"]),
        )

    def to_latex(self, table: Literal["scores", "pairs"] = "scores") -> str:
        """Return a LaTeX ``tabular`` that needs no package.

        Parameters
        ----------
        table : {"scores", "pairs"}, default="scores"
            ``"scores"``: the scores on every data set as papers print them, the best in
            bold, and the mean ranks, where systems that were not told apart from the
            best are underlined. ``"pairs"``: the comparisons.

        Returns
        -------
        str
            The table; conclusion and doubts are comments.
        """
        if table == "pairs":
            return super().to_latex()
        if table != "scores":
            raise ValueError(f"table={table!r} is unknown; use 'scores' or 'pairs'.")
        return render_scores(self.to_dict())

    def plot(self, ax: Any = None, *, kind: Plot = "cd", **options: Any) -> Any:
        """Draw the comparison.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"cd", "intervals", "wins", "scores", "ranks"}, default="cd"
            ``"cd"``: mean ranks on a line, joined where not told apart (critical
            difference diagram); with a control in words who was not told apart from it,
            where no band shows it. ``"intervals"``: one bar as wide as the critical
            difference per system, so that overlap means not told apart; for tests
            without a critical difference the intervals of all pairs against zero.
            ``"wins"``: who wins on how many data sets. ``"scores"``: all scores.
            ``"ranks"``: how often who has which rank.
        **options
            For ``"cd"``: ``best="left"``, ``colors=`` and ``families=`` of
            :class:`~skstat.display.CriticalDifferenceDisplay`; for ``"scores"``:
            ``color_by=`` of :class:`~skstat.display.ScoreHeatmapDisplay`.

        Returns
        -------
        display
            With ``ax_`` and ``figure_``.
        """
        return display_of_table(self, kind, options).plot(ax=ax)

    def _ranking(self) -> list[dict[str, Any]]:
        summaries = dict(zip(self.names, self.table.summaries(), strict=True))
        wins, ties = self.table.wins(), self.table.ties()
        rows = []
        sign = 1.0 if self.table.higher_is_better else -1.0  # as they were given
        for name, mean_rank in self.mean_ranks.items():
            i = self.names.index(name)
            mean = summaries[name]["mean"]
            rows.append(
                {
                    "name": name,
                    "mean_rank": plain(mean_rank),
                    "mean": None if mean is None else plain(sign * mean),
                    "sd": plain(summaries[name]["sd"]),
                    "wins": int(wins[i].sum()),
                    "ties": int(ties[i].sum() - ties[i, i]),
                    "losses": int(wins[:, i].sum()),
                    "letters": self.letters.get(name, ""),
                }
            )
        return rows

    def _pairs(self) -> list[dict[str, Any]]:
        return [row | {"effect_sizes": dict(row["effect_sizes"])} for row in self._pair_rows]

    @cached_property
    def _pair_rows(self) -> list[dict[str, Any]]:
        """One row per pair; kept, because intervals of many pairs take time."""
        rows = []
        for pair, outcome, adjusted in zip(
            self.pairwise.pairs,
            self.pairwise.outcomes,
            self.pairwise.adjusted_pvalues.tolist(),
            strict=True,
        ):
            low, high = outcome.confidence_interval(self.confidence_level)
            # Without a direction there is no better one, whatever the p-value.
            side = {"greater": 1, "less": -1}.get(outcome.alternative, outcome.direction)
            side = side if adjusted < self.alpha else 0
            rows.append(
                {
                    "a": pair[0],
                    "b": pair[1],
                    "metric": self.metric,
                    "scale": outcome.scale,
                    "estimate": plain(outcome.estimate),
                    "low": plain(low),
                    "high": plain(high),
                    "simultaneous": outcome.simultaneous,
                    "confidence_level": self.confidence_level,
                    "statistic": plain(outcome.statistic),
                    "df": plain(outcome.df),
                    "pvalue": plain(outcome.pvalue),
                    "adjusted_pvalue": plain(adjusted),
                    "verdict": {1: "A", -1: "B"}.get(side, "undecided"),
                    "effect_sizes": plain(outcome.effect_sizes),
                }
            )
        return rows
