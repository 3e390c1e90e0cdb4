"""A comparison over many data sets in a few plain sentences."""

from math import isnan

from skstat._names import shown_name
from skstat.report._words.best import which_to_take
from skstat.report._words.numbers import pvalue_text, units
from skstat.report._words.one_comparison import differing
from skstat.report._words.pairs import (
    against_control,
    higher_and_lower,
    in_one_direction,
    pairs_decide,
    without_pvalue,
    without_rejection,
)
from skstat.report._words.systems_like import DatasetsLike, PairRowsLike
from skstat.report._words.terms import NAMED, join_items, join_names, omnibus_text
from skstat.stats._outcomes import unit_word


def conclude_table(report: DatasetsLike) -> list[str]:
    """Write which system to take, and what the test of all at once found.

    Parameters
    ----------
    report : DatasetsReport
        The report.

    Returns
    -------
    list of str
        Sentences.
    """
    rows = report._rows
    if _identical(report):
        return [_nothing_differs(report), *_compared_on(report, rows)]
    best, lead = _best(report), _lead(report)
    if report.pairwise.smallest_pvalue >= report.alpha:
        found = without_rejection(report, rows, best[0], lead)
    elif report.control:
        found = against_control(report, report.control, rows, lead)
    elif report.direction_assumed and report.best_pvalues:
        found = higher_and_lower(report, rows, best[0], lead)
    elif not report.best_pvalues:
        found = in_one_direction(report, rows, best[0], lead)
    else:
        found = which_to_take(report, rows, best, lead)
    found += [*without_pvalue(report), *_all_at_once(report)]
    return found + _compared_on(report, rows)


def _compared_on(report: DatasetsLike, rows: PairRowsLike) -> list[str]:
    """Say which data sets were compared, if not all of them with all scores."""
    found = []
    gaps = report.table.missing.any()
    if gaps:
        found.append(_who_has_what(report, rows))
    if report.left_out:
        what = "Missing" if gaps else "Only data sets with every score are compared; left out"
        found.append(f"{what}: {join_items(report.left_out, NAMED)}.")
    return found


def _who_has_what(report: DatasetsLike, rows: PairRowsLike) -> str:
    """Say how many data sets the pairs were compared on, where scores are missing."""
    few, many = int(rows.n_units.min()), int(rows.n_units.max())
    span = str(few) if few == many else f"{few} to {many}"
    return (
        f"Scores are missing: every pair is compared on the data sets that both have scores "
        f"on, {span} of {report.n_units}."
    )


def _identical(report: DatasetsLike) -> bool:
    return all(report.table.pair(*pair).identical for pair in report.pairwise.pairs)


def _nothing_differs(report: DatasetsLike) -> str:
    return (
        f"No difference was found: all {len(report.names)} systems have the same "
        f"{report._shown_metric.name} on all {units(report.n_units, report.unit)} "
        f"(each has the mean rank {_rank(report, report.names[0])}; "
        f"{pvalue_text(report.omnibus.pvalue)})."
    )


def _all_at_once(report: DatasetsLike) -> list[str]:
    """Write what the test of all at once found, and who decides if the pairs say otherwise."""
    omnibus, k = report.omnibus, len(report.names)
    where = f"over {units(omnibus.n_units, report.unit)}"
    if omnibus.n_units < report.n_units and report.table.missing.any():
        where = (
            f"over {omnibus.n_units} of {units(report.n_units, report.unit)}, those with two "
            "scores or more"
        )
    if isnan(omnibus.pvalue):
        why = omnibus.why_no_pvalue(unit_word(report.unit))
        return [f"No test of all {k} systems at once is possible {where}: {why}."]
    differ = omnibus.pvalue < report.alpha
    what = differing(omnibus, report._shown_metric.name)
    found = f"No significant difference in {what} between the {k} systems was found {where}"
    if differ:
        found = f"Taken together, the {k} systems differ in {what} {where}"
    return [f"{found} ({omnibus_text(omnibus.to_dict())}).", *pairs_decide(report, differ)]


def _best(report: DatasetsLike) -> list[str]:
    ranks = report.mean_ranks
    best = min(ranks.values())
    return [name for name in ranks if ranks[name] <= best + 1e-9]


def _lead(report: DatasetsLike) -> str:
    best = _best(report)
    if len(best) == len(report.names):
        return f"All systems have the same mean rank ({_rank(report, best[0])})"
    if len(best) > 1:
        return f"{join_names(best)} share the best mean rank ({_rank(report, best[0])})"
    return f"{shown_name(best[0])} has the best mean rank ({_rank(report, best[0])})"


def _rank(report: DatasetsLike, name: str) -> str:
    return f"{report.mean_ranks[name]:.2f}"
