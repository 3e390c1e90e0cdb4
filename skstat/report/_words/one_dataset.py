"""A comparison of several systems on one data set in a few plain sentences."""

from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text, units
from skstat.report._words.one_comparison import differing
from skstat.report._words.pairs import (
    against_best,
    against_control,
    leader_without_test,
    no_rejection_possible,
    without_pvalue,
)
from skstat.report._words.systems_like import SystemsLike
from skstat.report._words.terms import join_names, omnibus_text
from skstat.stats import OmnibusOutcome
from skstat.stats._outcomes import unit_word


def conclude_systems(report: SystemsLike) -> list[str]:
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
    found = [] if report.omnibus is None else [_all_at_once(report, report.omnibus)]
    if report.pairwise.smallest_pvalue >= report.alpha:
        alone = leader_without_test(report, rows, _best(report)[0], _lead(report))
        found = [no_rejection_possible(report), *found, alone]
    elif report.control and _best(report) != [report.control]:
        found += [f"{_lead(report)}.", against_control(report, report.control, rows)]
    else:
        found.append(against_best(report, rows, _best(report), _lead(report)))
    return [
        *found,
        *without_pvalue(report),
        *_may_be_best(report, rows),
        *_another_question(report),
    ]


def _nothing_differs(report: SystemsLike) -> str:
    first = report.order[0]
    return (
        f"No difference was found: all {len(report.names)} systems have the same "
        f"{report._shown_metric.name} on all {units(report.n_units, report.unit)} "
        f"({_score(report, first)}; {pvalue_text(report.pvalue)})."
    )


def _all_at_once(report: SystemsLike, omnibus: OmnibusOutcome) -> str:
    k, metric = len(report.names), report._shown_metric.name
    where = f"on {units(report.n_units, report.unit)}"
    if isnan(omnibus.pvalue):
        why = omnibus.why_no_pvalue(unit_word(report.unit))
        return f"No test of all {k} systems at once is possible {where}: {why}."
    what = differing(omnibus, metric)
    found = f"No difference in {what} between the {k} systems was found {where}"
    if omnibus.pvalue < report.alpha:
        found = f"The {k} systems differ in {what} {where}"
    most, least = report.order[0], report.order[-1]
    if report.is_loss:
        most, least = least, most
    return (
        f"{found}: it ranges from {_score(report, least)} ({shown_name(least)}) to "
        f"{_score(report, most)} ({shown_name(most)}) ({omnibus_text(omnibus.to_dict())})."
    )


def _best(report: SystemsLike) -> list[str]:
    scores = list(report.scores.values())
    noise = 1e-10 * max(map(abs, scores))
    return [name for name, score in report.scores.items() if abs(score - scores[0]) <= noise]


def _lead(report: SystemsLike) -> str:
    best, metric = _best(report), report._shown_metric.name
    highest = report._shown_metric.best
    value = _score(report, best[0])
    if len(best) == len(report.names):
        return f"All systems have the same {metric} ({value})"
    if len(best) > 1:
        return f"{join_names(best)} share the {highest} {metric} ({value})"
    return f"{shown_name(best[0])} has the {highest} {metric} ({value})"


def _may_be_best(report: SystemsLike, rows: list[dict[str, Any]]) -> list[str]:
    """Say who may be the best: whom no pair shows to be worse than another."""
    kept = report.may_be_best
    if not report.best_pvalues:
        return []
    level = f"at {percent(report.confidence_level)} confidence"
    ordered = [name for name in report.order if name in kept]
    out = len(report.names) - len(kept)
    if len(kept) == 1:
        found = (
            f"{shown_name(kept[0])} is the best of them {level}: every other one is ruled out."
        )
        return [found, *_although(report, rows)]
    if not out:
        return [f"Any of them may be the best: none is ruled out {level}."]
    others = "1 other is" if out == 1 else f"{out} others are"
    found = f"Which may be the best {level}: {join_names(ordered)}; {others} ruled out."
    return [found, *_although(report, rows)]


def _although(report: SystemsLike, rows: list[dict[str, Any]]) -> list[str]:
    """Reconcile who is ruled out with what the pair with the leader found."""
    first = report.order[0]
    with_first = {
        row["second"] if row["first"] == first else row["first"]: row
        for row in rows
        if first in (row["first"], row["second"])
    }
    out = [name for name in report.order if name not in report.may_be_best]
    found = {name: with_first[name] for name in out if name in with_first}
    same = [name for name, row in found.items() if row["verdict"] == "equivalent"]
    undecided = [name for name, row in found.items() if row["better"] is None]
    elsewhere = [name for name in undecided if name not in same]
    sentences = []
    if elsewhere:
        are, they = ("is", "it is") if len(elsewhere) == 1 else ("are", "they are")
        sentences.append(
            f"{join_names(elsewhere)} {are} ruled out by others than {shown_name(first)}: "
            f"{they} significantly worse than those."
        )
    if same:
        are, worse = ("is", "it is") if len(same) == 1 else ("are", "they are")
        sentences.append(
            f"{join_names(same)} {are} ruled out although equivalent to {shown_name(first)}: "
            f"{worse} worse, but by less than the margin."
        )
    return sentences


def _another_question(report: SystemsLike) -> list[str]:
    """Say who decides where the test of all at once and the pairs say different things."""
    omnibus = report.omnibus
    if omnibus is None or isnan(omnibus.pvalue) or report.control is not None:
        return []
    in_pairs = bool(report.pairwise.differs(report.alpha).any())
    if in_pairs == (omnibus.pvalue < report.alpha) or report.alternative != "two-sided":
        return []
    return [
        f"The {omnibus.test} asks another question, whether any systems differ at all; which "
        "do is decided by the pairs."
    ]


def _score(report: SystemsLike, name: str) -> str:
    """Write a score, and a loss as the loss that it is: negated or not."""
    score = report._sign * report.scores[name]
    return fixed(report._shown_metric.value(score), _decimals(report))


def _decimals(report: SystemsLike) -> int:
    return max(3, decimals_for(report.scores.values()))
