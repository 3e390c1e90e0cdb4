"""A comparison of several systems on one data set in a few plain sentences."""

from math import isnan

from skstat._names import shown_name
from skstat.report._words.best import which_to_take
from skstat.report._words.numbers import decimals_for, fixed, pvalue_text, units
from skstat.report._words.one_comparison import differing
from skstat.report._words.pairs import (
    against_control,
    higher_and_lower,
    in_one_direction,
    pairs_decide,
    without_pvalue,
    without_rejection,
)
from skstat.report._words.systems_like import SystemsLike
from skstat.report._words.terms import join_names, omnibus_text
from skstat.stats._samples import RELATIVE_RESOLUTION


def conclude_systems(report: SystemsLike) -> list[str]:
    """Write which system to take: who leads, who is not ruled out, and who is.

    Parameters
    ----------
    report : SystemsReport
        The report.

    Returns
    -------
    list of str
        Sentences.
    """
    rows = report._rows
    if all(part.compared.identical for part in report):
        return [_nothing_differs(report)]
    best, lead = _best(report), _lead(report)
    if report.control in best:  # it may share the first place
        best = sorted(best, key=lambda name: name != report.control)
    if report.pairwise.smallest_pvalue >= report.alpha:
        found = without_rejection(report, rows, best[0], lead)
    elif report.control and not (report.best_pvalues and best[0] == report.control):
        found = against_control(report, report.control, rows, lead)
    elif report.direction_assumed and report.best_pvalues:
        found = higher_and_lower(report, rows, best[0], lead)
    elif not report.best_pvalues:
        found = in_one_direction(report, rows, best[0], lead)
    else:
        found = which_to_take(report, rows, best, lead)
    found += without_pvalue(report)
    return [*found, *_all_at_once(report)]


def _nothing_differs(report: SystemsLike) -> str:
    first = report.order[0]
    return (
        f"No difference was found: all {len(report.names)} systems have the same "
        f"{report._shown_metric.name} on all {units(report.n_units, report.unit)} "
        f"({_score(report, first)}; {pvalue_text(report.pvalue)})."
    )


def _all_at_once(report: SystemsLike) -> list[str]:
    """Write what the test of all at once found, where it seems to contradict the pairs."""
    omnibus = report.omnibus
    if omnibus is None or isnan(omnibus.pvalue):
        return []
    differ, k = omnibus.pvalue < report.alpha, len(report.names)
    decide = pairs_decide(report, differ)
    what = differing(omnibus, report._shown_metric.name)
    found = f"No significant difference in {what} between the {k} systems was found"
    if differ:
        found = f"Taken together, the {k} systems differ in {what}"
    return [f"{found} ({omnibus_text(omnibus.to_dict())}).", *decide] if decide else []


def _best(report: SystemsLike) -> list[str]:
    scores, (first, *_) = list(report.scores.values()), report.scores
    noise = RELATIVE_RESOLUTION * max(map(abs, scores))
    return [
        name
        for name, score in report.scores.items()
        if abs(score - scores[0]) <= noise and not _known_to_differ(report, first, name)
    ]


def _known_to_differ(report: SystemsLike, a: str, b: str) -> bool:
    """Whether the comparison of two systems found another difference than 0, if it was made."""
    places = report.pairwise.places
    place = places.get((a, b), places.get((b, a)))
    return place is not None and bool(report.pairwise.estimates[place] != 0)


def _lead(report: SystemsLike) -> str:
    best, metric = _best(report), report._shown_metric.name
    highest = report._shown_metric.best
    value = _score(report, best[0])
    if len(best) == len(report.names):
        return f"All systems have the same {metric} ({value})"
    if len(best) > 1:
        return f"{join_names(best)} share the {highest} {metric} ({value})"
    return f"{shown_name(best[0])} has the {highest} {metric} ({value})"


def _score(report: SystemsLike, name: str) -> str:
    """Write a score, and a loss as the loss that it is: negated or not."""
    score = report._sign * report.scores[name]
    return fixed(report._shown_metric.value(score), _decimals(report))


def _decimals(report: SystemsLike) -> int:
    return max(3, decimals_for(report.scores.values()))
