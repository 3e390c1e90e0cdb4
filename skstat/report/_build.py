"""From evidence to the report or the grid of reports."""

from collections.abc import Callable, Mapping
from typing import Any

from skstat.report import _build_report as single
from skstat.report import _evidence as rests
from skstat.report._model import InSlices, Table
from skstat.report._report import Report, ReportGrid
from skstat.report._terms import ShownMetric


def report_of(evidence: Any) -> Any:
    """Return the report on evidence: one for each metric, slice or seed where it has these.

    That on one question finds what it says when somebody reads it.
    """
    if not isinstance(evidence, rests.Evidence):
        return made_of(evidence)
    report = Report.__new__(Report)
    vars(report)["rests_on"] = evidence
    return report


def made_of(evidence: Any) -> Any:
    """Return the report on evidence with all that it says."""
    if isinstance(evidence, Mapping):
        return _by_metric(evidence)
    return _MAKERS[type(evidence)](evidence)


def _by_metric(found: Mapping[str, Any]) -> ReportGrid:
    reports = {}
    for name, part in found.items():
        report = made_of(part)
        # A negated loss has the name of the loss, unless that is another metric.
        is_loss = name == f"neg_{report.metric}" and report.metric not in found
        reports[report.metric if is_loss else name] = report
    return ReportGrid(by="metric", reports=reports)


def _by_seed(found: rests.SeedsEvidence) -> ReportGrid:
    reports = {f"seed {n}": made_of(part) for n, part in enumerate(found.parts, 1)}
    return ReportGrid(by="seed", reports=reports, systems=found.names, rests_on=found)


def _by_slice(found: rests.SlicesEvidence) -> ReportGrid:
    """Return the comparisons by slice, of two systems or of all pairs of several."""
    overall, pairs = made_of(found.overall), found.pairs
    view = found.overall.shown_metric
    n_rows = {name: n for pair in pairs for name, n in pair.n_rows.items()}
    if found.overall.kind == "pair":
        reports = {name: made_of(part) for name, part in pairs[0].parts.items()}
    else:
        reports = {
            name: single.report_of_slice(rests.SliceEvidence(found, name), overall)
            for name in n_rows
        }
    left: dict[str, str] = {}
    for pair in pairs:
        left |= {k: v for k, v in pair.left_out.items() if k not in left and k not in n_rows}
    return ReportGrid(
        by="slice",
        overall=overall,
        systems=found.overall.names,
        reports=reports,
        n_rows=n_rows,
        left_out=left,
        pairs=Table.of([_in_slices(pair, view) for pair in pairs], InSlices),
        rests_on=found,
        **{name: getattr(found, name) for name in _OF_SLICES},
    )


_OF_SLICES = ("n_comparisons", "adjustment", "cut_by", "n_outside", "notes", "doubts")


def _in_slices(pair: rests.PairInSlices, view: ShownMetric) -> InSlices:
    adjusted, between, number_of = pair.adjusted_between, pair.between, single.number_of
    shrunken = () if pair.shrunken is None else zip(pair.parts, pair.shrunken, strict=True)
    return InSlices(
        *pair.names,
        between=None if between is None else between.to_dict(),
        between_p=number_of(between and between.pvalue if adjusted is None else adjusted),
        not_worse_p=number_of(pair.noninferior_pvalue),
        is_adjusted=(adjusted, pair.adjusted_noninferior) != (None, None),
        shrunken={name: view.value(value) for name, value in shrunken},
        explained_by=pair.explained_by,
    )


_MAKERS: dict[type, Callable[[Any], Report | ReportGrid]] = {
    rests.ComparisonEvidence: single.report_of_comparison,
    rests.PerformanceEvidence: single.report_of_performance,
    rests.SlicesEvidence: _by_slice,
    rests.SliceEvidence: lambda found: report_of(found.whole).reports[found.slice],
    rests.SeedsEvidence: _by_seed,
}
