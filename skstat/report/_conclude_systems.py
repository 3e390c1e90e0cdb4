"""A comparison of several systems on one data set in a few plain sentences."""

from math import isnan
from typing import Any

from skstat.report._conclude_pairs import (
    against_best,
    against_control,
    hopeless,
    listed,
)
from skstat.report._conclusion import signed_metric
from skstat.report._numbers import decimals_for, fixed, percent, pvalue_text, units
from skstat.report._table_rows import omnibus_text, said


def conclude_systems(report: Any) -> list[str]:
    """Write what was found: all at once if asked, who leads, and who may be the best.

    Parameters
    ----------
    report : SystemsReport
        The report.

    Returns
    -------
    list of str
        Sentences.
    """
    rows = report._pairs()
    if all(part.compared.identical for part in report):
        return [_nothing_differs(report)]
    found = [] if report.omnibus is None else [_all_at_once(report)]
    if report.pairwise.smallest_pvalue >= report.alpha:
        found = [hopeless(report), *found, f"{_lead(report)}."]
    elif report.control and _best(report) != [report.control]:
        found += [f"{_lead(report)}.", against_control(report, rows)]
    else:
        found.append(against_best(report, rows, _best(report), _lead(report)))
    return [*found, *_may_be_best(report)]


def _nothing_differs(report: Any) -> str:
    metric = signed_metric(report.metric, is_loss=report.is_loss)
    first = report.order[0]
    return (
        f"No difference was found: all {len(report.names)} systems have the same {metric} on "
        f"all {units(report.n_units, report.unit)} ({_score(report, first)}; "
        f"{pvalue_text(report.pvalue)})."
    )


def _all_at_once(report: Any) -> str:
    omnibus, k = report.omnibus, len(report.names)
    where = f"on {units(report.n_units, report.unit)}"
    if isnan(omnibus.pvalue):
        return f"No test of all {k} systems at once is possible {where}."
    found = f"No difference in {report.metric} between the {k} systems was found {where}"
    if omnibus.pvalue < report.alpha:
        found = f"The {k} systems differ in {report.metric} {where}"
    best, worst = report.order[0], report.order[-1]
    return (
        f"{found}: it ranges from {_score(report, worst)} ({said(worst)}) to "
        f"{_score(report, best)} ({said(best)}) ({omnibus_text(omnibus.to_dict())})."
    )


def _best(report: Any) -> list[str]:
    scores = list(report.scores.values())
    noise = 1e-10 * max(map(abs, scores))
    return [name for name, score in report.scores.items() if abs(score - scores[0]) <= noise]


def _lead(report: Any) -> str:
    best, metric = _best(report), report.metric.removeprefix("neg_")
    highest = "highest"
    sign = 1.0
    if report.is_loss:
        # Scores of scikit-learn's losses are negated errors, and read as errors.
        highest, sign = "lowest", -1.0 if report._sign > 0 else 1.0
    value = fixed(sign * report.scores[best[0]], _decimals(report))
    if len(best) == len(report.names):
        return f"All systems have the same {metric} ({value})"
    if len(best) > 1:
        return f"{listed(best)} share the {highest} {metric} ({value})"
    return f"{said(best[0])} has the {highest} {metric} ({value})"


def _may_be_best(report: Any) -> list[str]:
    if report.best is None:
        return []
    kept = report.may_be_best
    level = f"at {percent(report.confidence_level)} confidence"
    ordered = [name for name in report.order if name in kept]
    out = len(report.names) - len(kept)
    if len(kept) == 1:
        return [f"{said(kept[0])} is the best of them {level}: every other one is ruled out."]
    if not out:
        return [f"Any of them may be the best: none is ruled out {level}."]
    others = "1 other is" if out == 1 else f"{out} others are"
    return [f"Which may be the best {level}: {listed(ordered)}; {others} ruled out."]


def _score(report: Any, name: str) -> str:
    return fixed(report.scores[name], _decimals(report))


def _decimals(report: Any) -> int:
    return max(3, decimals_for(report.scores.values()))
