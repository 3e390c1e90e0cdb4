"""Reports of several comparisons: a family with adjusted p, or several metrics."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from skstat.report._case import Doubt
from skstat.report._comparison import ComparisonReport
from skstat.report._forms import SCHEMA_VERSION, ReportForms
from skstat.stats import adjust_pvalues


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class FamilyReport(ReportForms):
    """Several comparisons of one question, with p-values adjusted for their number.

    Attributes
    ----------
    reports : tuple of ComparisonReport
        The comparisons, each with its adjusted p-value.
    method : str
        How the p-values were adjusted.
    """

    reports: tuple[ComparisonReport, ...]
    method: str

    @classmethod
    def adjust(cls, reports: list[ComparisonReport], method: str = "holm") -> Self:
        """Put comparisons under one roof and adjust their p-values."""
        adjusted = adjust_pvalues([r.pvalue for r in reports], method)  # type: ignore[arg-type]
        words = f"after {method.title()}'s adjustment for {len(reports)} comparisons"
        return cls(
            reports=tuple(
                replace(report, adjusted_pvalue=float(p), adjustment=words)
                for report, p in zip(reports, adjusted, strict=True)
            ),
            method=method,
        )

    def __getitem__(self, pair: str | tuple[str, str]) -> ComparisonReport:
        """Return one comparison, by its pair of names or by the name of B."""
        for report in self.reports:
            b = report.names[1]
            if pair in (report.names, b, b.removesuffix(" baseline")):
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
        return [report.conclusion for report in self.reports]

    def to_dict(self) -> dict[str, Any]:
        """Return everything the report knows as plain values."""
        return {
            **_roof("family", self.reports[0].names[0], self.reports),
            "conclusion": self.conclusion,
            "sentences": self._sentences(),
            "method": self.method,
        }

    @classmethod
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore a report from its ``to_dict()``."""
        reports = tuple(ComparisonReport.from_dict(part) for part in state["reports"])
        return cls(reports=reports, method=state["method"])

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
        return _plot_intervals(self.reports, ax)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MetricsReport(ReportForms):
    """One report per metric, from one run; not adjusted across metrics.

    Attributes
    ----------
    reports : mapping of str to ComparisonReport or FamilyReport
        The reports by metric; iterating gives the names of the metrics.
    """

    reports: Mapping[str, ComparisonReport | FamilyReport]

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return tuple(self.reports)

    def __getitem__(self, metric: str) -> ComparisonReport | FamilyReport:
        """Return the report on one metric."""
        if metric not in self.reports:
            raise KeyError(f"no metric {metric!r}; there are {list(self.reports)}.")
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

    @classmethod
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
        IntervalsDisplay
            The display, with ``ax_`` and ``figure_``.
        """
        parts = [
            part
            for report in self.reports.values()
            for part in (report if isinstance(report, FamilyReport) else [report])
        ]
        return _plot_intervals(parts, ax)


Report = ComparisonReport | FamilyReport | MetricsReport


def report_from_dict(state: Mapping[str, Any]) -> Any:
    """Restore any report from its ``to_dict()``, also after a trip through JSON.

    Parameters
    ----------
    state : mapping
        What ``to_dict()`` returned.

    Returns
    -------
    ComparisonReport, FamilyReport or MetricsReport
        An equal report.

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
    if state.get("schema") != "skstat.report":
        raise ValueError("state is no skstat report: it lacks schema 'skstat.report'.")
    if state["schema_version"] > SCHEMA_VERSION:
        raise ValueError(
            f"this report has schema version {state['schema_version']}, newer than "
            f"{SCHEMA_VERSION}; update skstat to read it."
        )
    kinds: dict[str, Any] = {
        "comparison": ComparisonReport,
        "family": FamilyReport,
        "metrics": MetricsReport,
    }
    return kinds[state["kind"]].from_dict(state)


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


def _plot_intervals(reports: Sequence[ComparisonReport], ax: Any) -> Any:
    from skstat.display import IntervalsDisplay

    return IntervalsDisplay(
        labels=[f"against {report.names[1]}" for report in reports],
        estimates=[report.estimate for report in reports],
        intervals=[report.confidence_interval() for report in reports],
        confidence_level=reports[0].confidence_level,
        name=reports[0].names[0],
        metrics=[report.metric for report in reports],
    ).plot(ax=ax)
