"""One report per metric."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from skstat._spelling import meant_by
from skstat.report._adapter import of_model
from skstat.report._adapter_of_grids import model_of_metrics
from skstat.report._comparison_report import ComparisonReport
from skstat.report._datasets_report import DatasetsReport
from skstat.report._doubts import Doubt
from skstat.report._forms import SCHEMA_VERSION
from skstat.report._leaderboard_report import LeaderboardReport
from skstat.report._model import ReportGrid
from skstat.report._paper import PaperForms
from skstat.report._performance_report import PerformanceReport
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._seeds_report import SeedsReport
from skstat.report._slices_report import SlicesReport
from skstat.report._systems_report import SystemsReport
from skstat.report._systems_slices_report import SystemsSlicesReport
from skstat.report._words import conclude
from skstat.stats._common import NotRestoredError, Stored

OfOneMetric = (
    ComparisonReport
    | SeedsReport
    | SlicesReport
    | SystemsReport
    | SystemsSlicesReport
    | PerformanceReport
)
OneReport = TypeVar("OneReport", bound=OfOneMetric)

OF_ONE_METRIC: dict[str, Any] = {
    "comparison": ComparisonReport,
    "leaderboard": LeaderboardReport,
    "performance": PerformanceReport,
    "seeds": SeedsReport,
    "slices": SlicesReport,
    "slices of systems": SystemsSlicesReport,
    "systems": SystemsReport,
    "table": DatasetsReport,
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MetricsReport(PaperForms, Stored):
    """One report per metric, from one run; not adjusted across metrics.

    Attributes
    ----------
    reports : mapping of str to ComparisonReport, SystemsReport, LeaderboardReport, \
DatasetsReport, SeedsReport, SlicesReport, SystemsSlicesReport or PerformanceReport
        The reports by metric; iterating gives the names of the metrics.
    """

    _by_name = True

    reports: Mapping[str, OfOneMetric]

    @cached_property
    def _model(self) -> ReportGrid:
        return model_of_metrics(self)

    @property
    def metric_names(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(self.reports)

    def __getitem__(self, metric: str) -> OfOneMetric:
        """Return the report on one metric."""
        if metric not in self.reports:
            close = meant_by(str(metric), list(self.reports), n=3)
            meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise KeyError(f"no metric {metric!r}; there are {list(self.reports)}.{meant}")
        return self.reports[metric]

    def _part(self) -> tuple[str, Any] | None:
        reports = self.__dict__.get("reports")
        if not reports:
            return None
        metric, report = next(iter(reports.items()))
        return f"the report of one metric, report[{metric!r}]", report

    def __iter__(self) -> Iterator[str]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all metrics, each once."""
        return tuple(
            dict.fromkeys(doubt for report in self.reports.values() for doubt in report.doubts)
        )

    @property
    def conclusion(self) -> str:
        """One sentence per metric, and that they are not adjusted."""
        return " ".join(conclude(self._model))

    plan = of_model(plan)

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.report",
            "schema_version": SCHEMA_VERSION,
            "kind": "metrics",
            "title": "Several metrics",
            "reports": list(self.reports.values()),
            "doubts": [doubt for report in self.reports.values() for doubt in report.doubts],
            "conclusion": self.conclusion,
            "sentences": conclude(self._model),
            "metrics": self.metric_names,
        }

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        parts = [restored(part, OF_ONE_METRIC) for part in state["reports"]]
        return {"reports": dict(zip(state["metrics"], parts, strict=True))}

    def plot(self, ax: Any = None, *, width: float | str | None = None) -> Any:
        """Draw every metric's estimate and interval against zero.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.

        Returns
        -------
        IntervalsDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        return display_of(self._model).plot(ax=ax, width=width)


def one_or_per_metric(reports: Mapping[str, OneReport]) -> OneReport | MetricsReport:
    """Return the only report, or one report per metric."""
    if len(reports) == 1:
        return next(iter(reports.values()))
    return MetricsReport(reports=reports)


def restored(state: Mapping[str, Any], kinds: Mapping[str, Any]) -> Any:
    """Restore a report of one of some kinds from its ``to_dict()``."""
    kind = state["kind"]
    if not isinstance(kind, str) or kind not in kinds:
        raise NotRestoredError(f"state is not a valid report: its kind {kind!r} is unknown.")
    return kinds[kind].from_dict(state)
