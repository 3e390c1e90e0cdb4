"""From evidence to the report, or to the grid of reports by metric, slice or seed."""

from collections.abc import Callable, Mapping
from typing import Any

from skstat.report._build_report import (
    number_of,
    report_of_pair,
    report_of_performance,
    report_of_systems,
)
from skstat.report._evidence import (
    PairEvidence,
    PairInSlices,
    PerformanceEvidence,
    SeedsEvidence,
    SliceEvidence,
    SlicesEvidence,
    SystemsEvidence,
)
from skstat.report._model import Between, NotWorse, Pair, System, Table
from skstat.report._report import Report
from skstat.report._report_grid import ReportGrid


def report_of(evidence: Any) -> Any:
    """Return the report on evidence: one for each metric, slice or seed where it has these."""
    if isinstance(evidence, Mapping):
        return _by_metric(evidence)
    if isinstance(evidence, SliceEvidence):
        return report_of(evidence.whole).reports[evidence.slice]
    make = _MAKERS[type(evidence)]
    return make(evidence)


def _by_metric(found: Mapping[str, Any]) -> ReportGrid:
    reports = {}
    for name, part in found.items():
        report = report_of(part)
        # A negated loss has the name of the loss, unless that is another metric.
        is_loss = name == f"neg_{report.metric}" and report.metric not in found
        reports[report.metric if is_loss else name] = report
    return ReportGrid(by="metric", reports=reports)


def _by_seed(found: SeedsEvidence) -> ReportGrid:
    return ReportGrid(
        by="seed",
        reports={
            f"seed {n}": report_of_pair(part) for n, part in enumerate(found.parts, start=1)
        },
        systems=found.names,
        doubts=found.doubts,
        evidence=found,
    )


def _by_slice(found: SlicesEvidence) -> ReportGrid:
    """Return the comparisons by slice, of two systems or of all pairs of several."""
    overall, pairs = report_of(found.overall), found.pairs
    n_rows = {name: n for pair in pairs for name, n in pair.n_rows.items()}
    if isinstance(found.overall, PairEvidence):
        reports = {name: report_of_pair(part) for name, part in pairs[0].parts.items()}
    else:
        reports = {name: _of_slice(found, name, overall) for name in n_rows}
    left: dict[str, str] = {}
    for pair in pairs:
        left |= {k: v for k, v in pair.left_out.items() if k not in left and k not in n_rows}
    return ReportGrid(
        by="slice",
        overall=overall,
        systems=found.overall.names,
        reports=reports,
        n_rows=n_rows,
        n_comparisons=found.n_comparisons,
        adjustment=found.adjustment,
        cut_by=found.cut_by,
        n_outside=found.n_outside,
        notes=found.notes,
        left_out=left,
        between=tuple(_between(pair) for pair in pairs if pair.between is not None),
        not_worse=tuple(_not_worse(pair) for pair in pairs if overall.margin is not None),
        shrunken={
            pair.names: {
                name: found.overall.shown_metric.value(value)
                for name, value in zip(pair.parts, pair.shrunken, strict=True)
            }
            for pair in pairs
            if pair.shrunken is not None
        },
        explained_by={pair.names: pair.explained_by for pair in pairs if pair.explained_by},
        doubts=found.doubts,
        evidence=found,
    )


def _between(pair: PairInSlices) -> Between:
    assert pair.between is not None
    adjusted = pair.adjusted_between
    pvalue = pair.between.pvalue if adjusted is None else adjusted
    test = pair.between.to_dict()
    return Between(*pair.names, test, number_of(pvalue), adjusted is not None)


def _not_worse(pair: PairInSlices) -> NotWorse:
    adjusted = pair.adjusted_noninferior is not None
    return NotWorse(*pair.names, number_of(pair.noninferior_pvalue), adjusted)


def _of_slice(found: SlicesEvidence, name: str, overall: Report) -> Report:
    """Return several systems in one slice, with all of its pairs."""
    parts = [report_of_pair(pair.parts[name]) for pair in found.pairs if name in pair.parts]
    pairs = [part.pairs[0] for part in parts]
    systems = {one.name: one for part in parts for one in part.systems}
    why: dict[str, list[tuple[str, str]]] = {}
    for reason, names in (each for part in parts for each in part.why_no_pvalue.items()):
        why.setdefault(reason, []).extend(names)
    asked = overall.all_pairs and not overall.direction_assumed
    beaten = {pair.other(pair.better) for pair in pairs if pair.better is not None}
    rows = [
        System(
            name=one.name,
            mean=one.mean,
            sd=one.sd,
            may_be_best=one.name not in beaten if asked else None,
        )
        for one in systems.values()
    ]
    rows.sort(key=lambda one: one.mean if overall.lower else -one.mean)
    return Report(
        systems=Table.of(rows, System),
        pairs=Table.of(pairs, Pair),
        **{name: getattr(parts[0], name) for name in _AS_FIRST},
        control=overall.control,
        asks_best=overall.all_pairs,
        all_pairs=overall.all_pairs,
        identical=all(part.identical for part in parts),
        why_no_pvalue=why,
        n_family=found.n_comparisons,
        tests=tuple(dict.fromkeys(test for part in parts for test in part.tests)),
        adjustment=found.adjustment,
        constants=overall.constants,
        doubts=tuple(dict.fromkeys(doubt for part in parts for doubt in part.doubts)),
        evidence=SliceEvidence(found, name),
    )


_AS_FIRST = (
    *("metric", "lower", "direction_assumed", "unit", "n_units", "sampled"),
    *("confidence_level", "alternative", "statistic_name", "smallest_pvalue"),
    *("simultaneous", "scale", "in_ranks", "quantity", "margin", "estimand"),
    *("null_hypotheses", "assumptions", "ignored_variance", "design"),
)

_MAKERS: dict[type, Callable[[Any], Report | ReportGrid]] = {
    PairEvidence: report_of_pair,
    SystemsEvidence: report_of_systems,
    PerformanceEvidence: report_of_performance,
    SlicesEvidence: _by_slice,
    SeedsEvidence: _by_seed,
}
