"""A leaderboard in a few plain sentences: the best, which ranks, how stable they are."""

from skstat._names import shown_name
from skstat.report._model import Report
from skstat.report._words.metric import best
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text
from skstat.report._words.say_sizes import AT_MOST
from skstat.report._words.say_systems import conclude_systems
from skstat.report._words.terms import join_names
from skstat.stats._outcomes import unit_word

_FEW_LEADERS = 4  # who are named
_OFTEN_SHARED = 0.05  # of the resamples


def conclude_leaderboard(r: Report) -> list[str]:
    """Write which systems may be the best, the ranks of the first, and how stable they are.

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
    return [*lead, *said[1:], *_stability(r)]


def ranks_text(low: float, high: float) -> str:
    """Write the ranks that a system may have."""
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


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


def _leaders(r: Report) -> list[str]:
    return [one.name for one in r.systems if one.rank == 1]


def _first(r: Report) -> str:
    """Say who is ahead, and which ranks it may have."""
    leaders, first = _leaders(r), next(iter(r.systems))
    value = fixed(first.mean, max(3, decimals_for(r.systems.columns["mean"])))
    together = (
        f"({percent(r.confidence_level)} confidence in the ranks of all systems together)"
    )
    ranks = ranks_text(first.rank_low, first.rank_high)
    name = shown_name(leaders[0])
    if len(leaders) > 1:
        return (
            f"{join_names(leaders)} share the {best(r)} {r.metric} ({value}); {name} may rank "
            f"{ranks} {together}."
        )
    which = "is rank 1" if ranks == "1" else f"may rank {ranks}"
    return f"{name} has the {best(r)} {r.metric} ({value}) and {which} {together}."


def _stability(r: Report) -> list[str]:
    """Say how often the first stays first, and what leaving out a part changes."""
    found = r.rank_stability
    if found is None:
        return []
    said = [
        f"In {found.n_resamples} resamples of the {unit_word(found.unit)}s {_often_first(r)}."
    ]
    if found.parts:
        first = next(iter(r.systems))
        ranks = ranks_text(first.without_low, first.without_high)
        kept = "stays first" if first.without_high == 1 else f"ranks {ranks}"
        said.append(f"Without any one {r.part_word}, of {len(found.parts)}, it {kept}.")
    return said


def _often_first(r: Report) -> str:
    """Say in which share of the resamples the leaders are first, alone or with others."""
    leaders = _leaders(r)
    shares = sorted(one.first_share for one in r.systems if one.rank == 1)
    each = " each" * (len(leaders) > 1 and shares[0] == shares[-1])
    share = share_text(shares[0])
    if share_text(shares[-1]) != share:
        share = f"{share} to {share_text(shares[-1])}"
    who = join_names(leaders) if len(leaders) <= _FEW_LEADERS else f"{len(leaders)} systems"
    said = f"{who} {'are' if len(leaders) > 1 else 'is'} first in {share}{each}"
    shared = len(leaders) > 1 or sum(r.systems.columns["first_share"]) > 1 + _OFTEN_SHARED
    return (
        f"{said}; a first place that systems share counts for each of them" if shared else said
    )


def share_text(share: float) -> str:
    """Write a share of resamples; rounding makes none of them all, or nothing."""
    if 0.9995 <= share < 1:
        return "more than 99.9%"
    if 0 < share < 0.0005:
        return "less than 0.1%"
    return percent(round(share, 3))
