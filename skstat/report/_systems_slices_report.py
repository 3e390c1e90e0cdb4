"""Several systems in slices of the rows: pair by pair, judged together."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from skstat.report._adapter import of_model
from skstat.report._adapter_of_grids import model_of_slices_of_systems
from skstat.report._doubts import Doubt, by_code, merged
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._leaderboard_report import LeaderboardReport
from skstat.report._model import ReportGrid
from skstat.report._paper import (
    PaperForms,
)
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._slices_report import (
    AsOnAllRows,
    SlicesReport,
    adjusted_for_pairs,
    with_minima,
    without_minima,
)
from skstat.report._systems_report import SystemsReport
from skstat.report._words import conclude
from skstat.stats._common import Readers, Stored, from_plain


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SystemsSlicesReport(AsOnAllRows, PaperForms, Stored):
    """What a comparison of several systems in slices of the rows found.

    All pairs in all slices are judged together: p-values and intervals are adjusted for their
    number.

    Attributes
    ----------
    overall : SystemsReport or LeaderboardReport
        The comparison on all rows, as without slices.
    reports : tuple of SlicesReport
        Every pair in its slices, in the order of the pairs of `overall`.
    """

    _by_name = True
    _readers: ClassVar[Readers] = {
        "overall": lambda state: (
            LeaderboardReport if state["kind"] == LeaderboardReport.kind else SystemsReport
        ).from_dict(state),
    }

    overall: SystemsReport
    reports: tuple[SlicesReport, ...]

    def __getitem__(self, pair: tuple[str, str] | str) -> SlicesReport:
        """Return the first system of a pair against the second; of a control by the other."""
        names = self.overall[pair].names
        for place, report in enumerate(self.reports):
            if report.names == names:
                return report
            if report.names[::-1] == names:
                turned = [*self.reports]
                turned[place] = report.turned()
                return adjusted_for_pairs(turned)[place]
        raise AssertionError(names)  # pairs are those of all rows

    def __iter__(self) -> Iterator[SlicesReport]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    def _part(self) -> tuple[str, Any] | None:
        reports = self.__dict__.get("reports")
        if not reports:
            return None
        a, b = reports[0].names
        return f"the report of one pair, report[{a!r}, {b!r}]", reports[0]

    @cached_property
    def _model(self) -> ReportGrid:
        return model_of_slices_of_systems(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems."""
        return self.overall.names

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs that were compared."""
        return [report.names for report in self.reports]

    @property
    def control(self) -> str | None:
        """The system that the others are compared with, if there is one."""
        return self.overall.control

    @cached_property
    def n_rows(self) -> dict[str, int]:
        """Rows of every slice in which some pair was compared."""
        found: dict[str, int] = {}
        for report in self.reports:
            found |= dict(zip(report.slices, report.n_rows, strict=True))
        return found

    @property
    def slices(self) -> tuple[str, ...]:
        """The slices in which some pair was compared."""
        return tuple(self.n_rows)

    @property
    def direction_assumed(self) -> str:
        """What to pass to say which way is better, where nothing says it; else empty."""
        return self.overall.direction_assumed

    @property
    def n_comparisons(self) -> int:
        """Number of comparisons, pairs in slices, that p-values are adjusted for."""
        return sum(map(len, self.reports))

    @property
    def verdicts(self) -> dict[tuple[str, str], dict[str, str]]:
        """The verdict on the first of every pair, slice by slice, by adjusted p-values."""
        return {report.names: report.verdicts for report in self.reports}

    @cached_property
    def scores(self) -> dict[str, dict[str, float]]:
        """Score of every system in every slice, the best first; losses are negated."""
        found: dict[str, dict[str, float]] = {name: {} for name in self.slices}
        for report in self.reports:
            for name, part in zip(report.slices, report.reports, strict=True):
                each = zip(part.names, part._summaries, strict=True)
                found[name] |= {system: from_plain(one["mean"]) for system, one in each}
        return {
            name: dict(sorted(scores.items(), key=lambda item: -item[1]))
            for name, scores in found.items()
        }

    @cached_property
    def may_be_best(self) -> dict[str, tuple[str, ...]]:
        """Systems that no other one is significantly better than, slice by slice.

        True of all slices at once with the confidence level. Empty if that was not asked: with
        a control, or in one direction.
        """
        if not self.overall._all_pairs or self.direction_assumed:
            return {}
        beaten: dict[str, set[str]] = {name: set() for name in self.slices}
        losers = {"better": 1, "worse": 0}
        for report in self.reports:
            for name, verdict in report.verdicts.items():
                if verdict in losers:
                    beaten[name].add(report.names[losers[verdict]])
        return {
            name: tuple(system for system in self.scores[name] if system not in beaten[name])
            for name in self.slices
        }

    @property
    def may_be_best_everywhere(self) -> tuple[str, ...]:
        """Systems that may be the best in every slice; empty if that was not asked."""
        return tuple(
            name
            for name in self.overall.order
            if self.may_be_best and all(name in best for best in self.may_be_best.values())
        )

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all comparisons, each once."""
        found = ((report.names, one) for report in self.reports for one in report._of_slices)
        own = merged(found, len(self))
        told = {(doubt.code, doubt.advice) for doubt in own}
        left = [one for one in self.overall.doubts if (one.code, one.advice) not in told]
        return by_code(own, left)

    @property
    def conclusion(self) -> str:
        """Where systems differ, which may be the best there, and what holds over all rows."""
        return " ".join(conclude(self._model))

    plan = of_model(plan)

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": "slices of systems",
            "title": f"{len(self.names)} systems, in slices of the rows",
            "conclusion": self.conclusion,
            "sentences": conclude(self._model),
            "names": self.names,
            "control": self.control,
            "metric": self.metric,
            "is_loss": self.is_loss,
            "direction_assumed": self.overall.direction_assumed,
            "confidence_level": self.confidence_level,
            "margin": self.margin,
            "n_rows": self.n_rows,
            "scores": self.scores,
            "may_be_best": self.may_be_best,
            "may_be_best_everywhere": self.may_be_best_everywhere,
            "n_comparisons": self.n_comparisons,
            "overall": self.overall,
            "reports": self.reports,
            "doubts": self.doubts,
        }

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        return without_minima(super()._plain(last))

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        return with_minima(state)

    def plot(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw the score of every system in every slice; ``report[a, b].plot()`` is of a pair.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.

        Returns
        -------
        HeatmapDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        return display_of(self._model).plot(ax=ax, width=width)
