"""Reports of several comparisons: a family with adjusted p, or several metrics."""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Self

from skstat._arguments import explains_arguments
from skstat.report._comparison import ComparisonReport
from skstat.report._conclusion import conclude_all
from skstat.report._contents import Contents, joined, leading
from skstat.report._datasets_report import DatasetsReport
from skstat.report._doubts import Doubt, after_adjustment
from skstat.report._forms import SCHEMA_VERSION, ReportForms
from skstat.report._learner_stability import LearnerStability
from skstat.report._performance_report import PerformanceReport
from skstat.report._plots import display_of_intervals, display_of_performances
from skstat.report._systems_report import SystemsReport
from skstat.stats import OmnibusOutcome, adjust_pvalues
from skstat.stats._equivalence import equivalence_tests
from skstat.stats._restoring import NotRestoredError, restoring


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FamilyReport(ReportForms):
    """Several comparisons of one question, with p-values adjusted for their number.

    Attributes
    ----------
    reports : tuple of ComparisonReport
        The comparisons, each with its adjusted p-value.
    method : str
        How the p-values were adjusted.
    omnibus : OmnibusOutcome or None
        Test of all systems at once, where there is one.
    confidence_level : float
        Level of its verdict.
    preface : str or None
        What must be known before the conclusions.
    """

    reports: tuple[ComparisonReport, ...]
    method: str
    omnibus: OmnibusOutcome | None = None
    confidence_level: float = 0.95
    preface: str | None = None

    @classmethod
    def adjust(
        cls,
        reports: list[ComparisonReport],
        method: str = "holm",
        *,
        omnibus: OmnibusOutcome | None = None,
        confidence_level: float = 0.95,
    ) -> Self:
        """Put comparisons under one roof and adjust their p-values.

        Those of a margin are adjusted by the same method, as a family of their own.
        """
        adjusted = adjust_pvalues([r.pvalue for r in reports], method)  # type: ignore[arg-type]
        reports = _with_equivalence(reports, method)
        words = f"after {method.title()}'s adjustment for {len(reports)} comparisons"
        return cls(
            reports=_with_pvalues(reports, adjusted.tolist(), words),
            method=method,
            omnibus=omnibus,
            confidence_level=confidence_level,
        )

    @classmethod
    def joint(
        cls,
        reports: list[ComparisonReport],
        pvalues: list[float],
        *,
        omnibus: OmnibusOutcome | None = None,
        confidence_level: float = 0.95,
    ) -> Self:
        """Put comparisons under one roof whose p-values come from their joint law.

        Those of a margin, of which it says nothing, are adjusted by Holm's method.
        """
        words = f"adjusted jointly (max-T) for {len(reports)} comparisons"
        reports = _with_equivalence(reports, "holm")
        return cls(
            reports=_with_pvalues(reports, pvalues, words),
            method="max-t",
            omnibus=omnibus,
            confidence_level=confidence_level,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The systems that are compared."""
        return tuple(dict.fromkeys(name for report in self.reports for name in report.names))

    @property
    def scores(self) -> dict[str, float]:
        """Score of every system, the best first."""
        found = {}
        for report in self.reports:
            for name, summary in zip(report.names, report.compared.summaries(), strict=False):
                found[name] = float(summary["mean"])
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def __getitem__(self, pair: str | tuple[str, str]) -> ComparisonReport:
        """Return one comparison, by its pair of names or by the name of B."""
        wanted = tuple(map(str, pair)) if isinstance(pair, tuple) else str(pair)
        one_a = len({report.names[0] for report in self.reports}) == 1
        for report in self.reports:
            b = report.names[1]
            if wanted == report.names or (one_a and wanted in (b, b.removesuffix(" baseline"))):
                return report
        raise KeyError(f"no comparison {pair!r}; there are {[r.names for r in self.reports]}.")

    def __iter__(self) -> Iterator[ComparisonReport]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts of all comparisons, each once."""
        return _each_once(self.reports)

    @property
    def conclusion(self) -> str:
        """One sentence per comparison."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        pairs = [report.conclusion for report in self.reports]
        if self.preface is not None:
            pairs = [self.preface, *pairs]
        if self.omnibus is None:
            return pairs
        first = self.reports[0]
        return [
            conclude_all(
                self.omnibus,
                self.scores,
                first.metric,
                self.confidence_level,
                is_loss=first.is_loss,
            ),
            *pairs,
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return everything the report knows as plain values."""
        return {
            **_roof("family", self._title(), self.reports),
            "conclusion": self.conclusion,
            "sentences": self._sentences(),
            "method": self.method,
            "confidence_level": self.confidence_level,
            "preface": self.preface,
            "omnibus": None if self.omnibus is None else self.omnibus.to_dict(),
        }

    def _contents(self) -> Contents:
        parts = [report._contents() for report in self.reports]
        return joined(self.conclusion, [("", text) for text in self._sentences()], parts)

    def _title(self) -> str:
        several = len({report.names[0] for report in self.reports}) > 1
        return f"{len(self.names)} systems" if several else self.reports[0].names[0]

    @classmethod
    @restoring
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore a report from its ``to_dict()``."""
        reports = tuple(ComparisonReport.from_dict(part) for part in state["reports"])
        omnibus = state["omnibus"]
        return cls(
            reports=reports,
            method=state["method"],
            omnibus=None if omnibus is None else OmnibusOutcome.from_dict(omnibus),
            confidence_level=state["confidence_level"],
            preface=state["preface"],
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw every comparison's estimate and interval against zero.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        IntervalsDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        return display_of_intervals(self.reports).plot(ax=ax)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MetricsReport(ReportForms):
    """One report per metric, from one run; not adjusted across metrics.

    Attributes
    ----------
    reports : mapping of str to ComparisonReport, FamilyReport, SystemsReport, \
DatasetsReport or PerformanceReport
        The reports by metric; iterating gives the names of the metrics.
    """

    reports: Mapping[str, ComparisonReport | FamilyReport | SystemsReport | PerformanceReport]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(self.reports)

    def __getitem__(
        self, metric: str
    ) -> ComparisonReport | FamilyReport | SystemsReport | PerformanceReport:
        """Return the report on one metric."""
        if metric not in self.reports:
            close = get_close_matches(str(metric), list(self.reports), n=3)
            meant = f" Did you mean {' or '.join(map(repr, close))}?" if close else ""
            raise KeyError(f"no metric {metric!r}; there are {list(self.reports)}.{meant}")
        return self.reports[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.reports)

    def __len__(self) -> int:
        return len(self.reports)

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """Doubts about all metrics, each once."""
        return _each_once(self.reports.values())

    @property
    def conclusion(self) -> str:
        """One sentence per metric, and that they are not adjusted."""
        return " ".join(self._sentences())

    def _sentences(self) -> list[str]:
        found = [report.conclusion for report in self.reports.values()]
        if all(isinstance(report, PerformanceReport) for report in self.reports.values()):
            return [*found, "Each interval holds for its metric alone."]
        return [*found, "The p-values are not adjusted for the number of metrics."]

    def to_dict(self) -> dict[str, Any]:
        """Return everything the report knows as plain values."""
        reports = tuple(self.reports.values())
        return {
            **_roof("metrics", "Several metrics", reports),
            "conclusion": self.conclusion,
            "sentences": self._sentences(),
            "metrics": list(self.metrics),
        }

    def _contents(self) -> Contents:
        parts = [report._contents() for report in self.reports.values()]
        *_, last = self._sentences()  # of all metrics; those before it are one each
        return joined(self.conclusion, [*leading(parts), ("", last)], parts)

    @classmethod
    @restoring
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore a report from its ``to_dict()``."""
        parts = [report_from_dict(part) for part in state["reports"]]
        return cls(reports=dict(zip(state["metrics"], parts, strict=True)))

    def plot(self, ax: Any = None) -> Any:
        """Draw every metric's estimate and interval against zero.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.

        Returns
        -------
        IntervalsDisplay or PerformanceDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        if all(isinstance(report, PerformanceReport) for report in self.reports.values()):
            return display_of_performances(self.reports.values()).plot(ax=ax)
        parts = [
            part
            for report in self.reports.values()
            for part in ([report] if isinstance(report, ComparisonReport) else report)
        ]
        return display_of_intervals(parts).plot(ax=ax)


Report = (
    ComparisonReport
    | FamilyReport
    | MetricsReport
    | PerformanceReport
    | SystemsReport
    | DatasetsReport
)


@explains_arguments
@restoring
def report_from_dict(state: Mapping[str, Any]) -> Any:
    """Restore any report from its ``to_dict()``, also after a trip through JSON.

    A recommendation alone is no report: ``Recommendation.from_dict`` restores it.

    Parameters
    ----------
    state : mapping
        What ``to_dict()`` returned.

    Returns
    -------
    ComparisonReport, FamilyReport, MetricsReport, SystemsReport, DatasetsReport, \
PerformanceReport
        An equal report; or an equal LearnerStability.

    Raises
    ------
    ValueError
        If `state` is no report of this schema version.

    Examples
    --------
    >>> import skstat
    >>> scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    >>> report = skstat.compare_scores(scores, n_train=60, n_test=30)
    >>> skstat.report_from_dict(report.to_dict()).pvalue == report.pvalue
    True
    """
    if state.get("schema") == "skstat.learner_stability":
        return _shown(LearnerStability.from_dict(state))
    if state.get("schema") != "skstat.report":
        raise NotRestoredError("state is no skstat report: it lacks schema 'skstat.report'.")
    if state["schema_version"] > SCHEMA_VERSION:
        raise NotRestoredError(
            f"this report has schema version {state['schema_version']}, newer than "
            f"{SCHEMA_VERSION}; update skstat to read it."
        )
    kinds: dict[str, Any] = {
        "comparison": ComparisonReport,
        "family": FamilyReport,
        "metrics": MetricsReport,
        "performance": PerformanceReport,
        "systems": SystemsReport,
        "table": DatasetsReport,
    }
    if not isinstance(state["kind"], str) or state["kind"] not in kinds:
        raise NotRestoredError(f"state is no report: its kind {state['kind']!r} is unknown.")
    return _shown(kinds[state["kind"]].from_dict(state))


def _shown(found: Any) -> Any:
    """Write a restored report once: what cannot be written was none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        repr(found)
    return found


def _with_equivalence(reports: list[ComparisonReport], method: str) -> list[ComparisonReport]:
    """Adjust the p-values of the margin, where the comparisons have one."""
    margin = reports[0].margin
    if margin is None or any(report.margin != margin for report in reports):
        return reports
    outcomes = [report.outcome for report in reports]
    found = equivalence_tests(outcomes, margin, method)  # type: ignore[arg-type]
    return [
        replace(report, adjusted_equivalence=tests)
        for report, tests in zip(reports, found, strict=True)
    ]


def _with_pvalues(
    reports: list[ComparisonReport], pvalues: list[float], words: str
) -> tuple[ComparisonReport, ...]:
    return tuple(
        _adjusted(report, float(p), words) for report, p in zip(reports, pvalues, strict=True)
    )


def _adjusted(report: ComparisonReport, pvalue: float, words: str) -> ComparisonReport:
    """Let the verdict, and the doubts about it, rest on an adjusted p-value."""
    doubts = after_adjustment(report, pvalue)
    return replace(report, adjusted_pvalue=pvalue, adjustment=words, doubts=doubts)


def _each_once(reports: Iterable[Any]) -> tuple[Doubt, ...]:
    return tuple(dict.fromkeys(doubt for report in reports for doubt in report.doubts))


def _roof(kind: str, title: str, reports: tuple[Any, ...]) -> dict[str, Any]:
    parts = [report.to_dict() for report in reports]
    return {
        "schema": "skstat.report",
        "schema_version": SCHEMA_VERSION,
        "kind": kind,
        "title": title,
        "reports": parts,
        "doubts": [doubt for part in parts for doubt in part["doubts"]],
    }
