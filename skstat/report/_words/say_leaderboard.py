"""A leaderboard in a few plain sentences: the best, and which ranks are certain."""

from skstat._names import shown_name
from skstat.report._model import Report
from skstat.report._words.numbers import percent, pvalue_text, ranks_text
from skstat.report._words.say_sizes import AT_MOST
from skstat.report._words.say_systems import conclude_systems, first_of_all, lead_of
from skstat.report._words.terms import join_names


def conclude_leaderboard(r: Report) -> list[str]:
    """Write which systems may be the best, the ranks of the first, and how many are certain.

    Parameters
    ----------
    r : Report
        A report that knows the ranks.

    Returns
    -------
    list of str
        Sentences.
    """
    said = conclude_systems(r)
    k, adjusted = len(r.names), r.pairs.columns["adjusted"]
    n = sum(p < r.alpha for p in adjusted)
    lead = [_may_be_best(r), _first(r)] if n else [said[0]]
    if k > 2:
        certain = sum(one.rank_low == one.rank_high for one in r.systems)
        ranks = f"the rank of {certain} of the {k} systems is certain"
        if certain in (0, k):
            ranks = f"{'every' if certain else 'no'} rank is certain"
        lead.append(f"{n} of {len(r.pairs)} pairs differ significantly; {ranks}.")
    return [*lead, *said[1:]]


def _may_be_best(r: Report) -> str:
    """Say which systems may be the best, and how surely the others are not."""
    kept, k = r.may_be_best, len(r.names)
    out = [one.best_pvalue for one in r.systems if not one.may_be_best]
    if k == 2 and out:
        first, other = map(shown_name, r.names)
        return f"{first} is significantly better than {other} (adjusted {pvalue_text(*out)})."
    if not out:
        least = pvalue_text(min(r.systems.columns["best_pvalue"]))
        return (
            f"Any of the {k} systems may be the best: for none is there one that is "
            f"significantly better (least adjusted {least})."
        )
    largest = pvalue_text(max(out)).replace("p = ", f"p {AT_MOST} ")
    rest = "the other is" if len(out) == 1 else f"each of the other {len(out)} is"
    who = f"{shown_name(kept[0])} is" if len(kept) == 1 else f"{join_names(kept)} may be"
    return (
        f"{who} the best of the {k} systems: {rest} significantly worse than another one "
        f"(adjusted {largest})."
    )


def _first(r: Report) -> str:
    """Say who is ahead, and which ranks it may have."""
    leaders, first = first_of_all(r), next(iter(r.systems))
    ranks = ranks_text(first.rank_low, first.rank_high)
    which = "is rank 1" if ranks == "1" else f"may rank {ranks}"
    joint = f"; {shown_name(first.name)}" if len(leaders) > 1 else " and"
    level = percent(r.confidence_level)
    return (
        f"{lead_of(r, leaders)}{joint} {which} ({level} confidence in the ranks of all systems "
        "together)."
    )
