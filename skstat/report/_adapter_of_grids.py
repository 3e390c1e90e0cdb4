"""Today's reports by metric, seed and slice as the one model; goes with ``_adapter``."""

from collections.abc import Sequence
from typing import Any

from skstat.report._adapter import number_of
from skstat.report._model import Between, NotWorse, Pair, Report, ReportGrid, System, Table


def model_of_metrics(report: Any) -> ReportGrid:
    """Return the reports by metric."""
    reports = {name: part._model for name, part in report.reports.items()}
    return ReportGrid(by="metric", reports=reports, doubts=report.doubts, evidence=report)


def model_of_seeds(report: Any) -> ReportGrid:
    """Return the reports by seed."""
    reports = {f"seed {n}": part._model for n, part in enumerate(report.reports, start=1)}
    return ReportGrid(
        by="seed",
        reports=reports,
        systems=report.names,
        doubts=report.doubts,
        evidence=report,
    )


def model_of_slices(report: Any) -> ReportGrid:
    """Return the comparisons of two systems by slice."""
    return ReportGrid(
        reports=dict(zip(report.slices, (part._model for part in report.reports), strict=True)),
        n_rows=dict(zip(report.slices, report.n_rows, strict=True)),
        n_comparisons=report.n_comparisons or len(report),
        adjustment=report.adjustment,
        cut_by=report.cut_by,
        n_outside=report.n_outside,
        notes=report.notes,
        left_out=report.left_out,
        **_of_pairs_in_slices(report, [report]),
    )


def _of_pairs_in_slices(report: Any, parts: Sequence[Any]) -> dict[str, Any]:
    """Return what is asked once of every pair, about all of its slices."""
    view = report._shown_metric
    between, not_worse, shrunken, explained = [], [], {}, {}
    for one in parts:
        pair = a, b = one.names
        if one.between is not None:
            adjusted = one.adjusted_between
            pvalue = one.between.pvalue if adjusted is None else adjusted
            between.append(
                Between(a, b, one.between.to_dict(), number_of(pvalue), adjusted is not None)
            )
        if one.margin is not None:
            adjusted = one.adjusted_noninferior is not None
            not_worse.append(NotWorse(a, b, number_of(one.noninferior_pvalue), adjusted))
        if one.shrunken is not None:
            shrunken[pair] = {
                name: view.value(value)
                for name, value in zip(one.slices, one.shrunken, strict=True)
            }
        if one.explained_by:
            explained[pair] = one.explained_by
    return {
        "by": "slice",
        "overall": report.overall._model,
        "systems": tuple(report.names),
        "between": tuple(between),
        "not_worse": tuple(not_worse),
        "shrunken": shrunken,
        "explained_by": explained,
        "doubts": report.doubts,
        "evidence": report,
    }


def model_of_slices_of_systems(report: Any) -> ReportGrid:
    """Return several systems by slice: each slice holds all of its pairs."""
    overall, view = report.overall._model, report._shown_metric
    asked, reports = report.may_be_best, {}
    for name in report.slices:
        parts = [one[name]._model for one in report.reports if name in one.slices]
        spread = {one.name: one.sd for part in parts for one in part.systems}
        why: dict[str, list[tuple[str, str]]] = {}
        for reason, pairs in (each for part in parts for each in part.why_no_pvalue.items()):
            why.setdefault(reason, []).extend(pairs)
        systems = [
            System(
                name=system,
                mean=view.value(score),
                sd=spread[system],
                may_be_best=system in asked[name] if asked else None,
            )
            for system, score in report.scores[name].items()
        ]
        reports[name] = Report(
            systems=Table.of(systems, System),
            pairs=Table.of([pair for part in parts for pair in part.pairs], Pair),
            **_as_first(parts[0]),
            control=report.control,
            asks_best=overall.all_pairs,
            all_pairs=overall.all_pairs,
            identical=all(part.identical for part in parts),
            why_no_pvalue=why,
            n_family=report.n_comparisons,
            tests=tuple(dict.fromkeys(test for part in parts for test in part.tests)),
            adjustment=report.reports[0].adjustment,
            constants=overall.constants,
            doubts=tuple(dict.fromkeys(doubt for part in parts for doubt in part.doubts)),
            evidence=tuple(part.evidence for part in parts),
        )
    left: dict[str, str] = {}
    for one in report.reports:
        left |= {k: v for k, v in one.left_out.items() if k not in left}
    first = report.reports[0]
    return ReportGrid(
        reports=reports,
        n_rows=report.n_rows,
        n_comparisons=report.n_comparisons,
        adjustment=first.adjustment,
        cut_by=first.cut_by,
        n_outside=first.n_outside,
        notes=first.notes,
        left_out={name: why for name, why in left.items() if name not in report.n_rows},
        **_of_pairs_in_slices(report, report.reports),
    )


def _as_first(part: Report) -> dict[str, Any]:
    names = (
        *("metric", "lower", "direction_assumed", "unit", "n_units", "sampled"),
        *("confidence_level", "alternative", "statistic_name", "smallest_pvalue"),
        *("simultaneous", "scale", "in_ranks", "quantity", "margin", "estimand"),
        *("null_hypotheses", "assumptions", "ignored_variance", "design"),
    )
    return {name: getattr(part, name) for name in names}
