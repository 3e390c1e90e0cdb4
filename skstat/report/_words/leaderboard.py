"""A leaderboard in a few plain sentences: the best, which ranks, how stable they are."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from skstat._names import shown_name
from skstat.report._words.numbers import decimals_for, fixed, percent, pvalue_text
from skstat.report._words.one_dataset import conclude_systems
from skstat.report._words.pair_phrases import AT_MOST
from skstat.report._words.systems_like import SystemsLike
from skstat.report._words.terms import join_names
from skstat.stats import RankInterval, RankStability
from skstat.stats._outcomes import unit_word

_FEW_LEADERS = 4  # who are named
_OFTEN_SHARED = 0.05  # of the resamples


class LeaderboardLike(SystemsLike, Protocol):
    """A report that ranks systems."""

    @property
    def ranks(self) -> Mapping[str, int]: ...
    @property
    def rank_intervals(self) -> Mapping[str, RankInterval]: ...
    @property
    def rank_stability(self) -> RankStability | None: ...
    @property
    def part_word(self) -> str: ...


def conclude_leaderboard(report: LeaderboardLike) -> list[str]:
    """Write which systems may be the best, the ranks of the first, and how stable they are.

    Parameters
    ----------
    report : LeaderboardReport
        The report.

    Returns
    -------
    list of str
        Sentences.
    """
    said = conclude_systems(report)
    decided = bool(report.pairwise.differs(report.alpha).any())
    lead = [_may_be_best(report), _first(report)] if decided else [said[0]]
    counted = [_pairs(report)] if len(report.names) > 2 else []
    return [*lead, *counted, *said[1:], *_stability(report)]


def ranks_text(ranks: RankInterval | tuple[int, int]) -> str:
    """Write the ranks that a system may have."""
    low, high = ranks
    return str(low) if low == high else f"{low} to {high}"


def _may_be_best(report: LeaderboardLike) -> str:
    """Say which systems may be the best, and how surely the others are not."""
    kept, k = report.may_be_best, len(report.names)
    pvalues = report.best_pvalues
    out = [pvalues[name] for name in report.names if name not in kept]
    ordered = [name for name in report.order if name in kept]
    if k == 2 and out:
        best, other = (shown_name(name) for name in report.order)
        return f"{best} is significantly better than {other} (adjusted {pvalue_text(*out)})."
    if not out:
        least = pvalue_text(min(pvalues.values()))
        return (
            f"Any of the {k} systems may be the best: for none is there one that is "
            f"significantly better (least adjusted {least})."
        )
    largest = pvalue_text(max(out)).replace("p = ", f"p {AT_MOST} ")
    rest = "the other is" if len(out) == 1 else f"each of the other {len(out)} is"
    if len(kept) == 1:
        return (
            f"{shown_name(kept[0])} is the best of the {k} systems: {rest} significantly worse "
            f"than another one (adjusted {largest})."
        )
    return (
        f"{join_names(ordered)} may be the best of the {k} systems: {rest} significantly worse "
        f"than another one (adjusted {largest})."
    )


def _first(report: LeaderboardLike) -> str:
    """Say who is ahead, and which ranks it may have."""
    leaders = [name for name in report.order if report.ranks[name] == 1]
    shown = report._shown_metric
    values = [shown.value(report._sign * score) for score in report.scores.values()]
    value = fixed(values[0], max(3, decimals_for(values)))
    level = percent(report.confidence_level)
    ranks = ranks_text(report.rank_intervals[leaders[0]])
    if len(leaders) > 1:
        return (
            f"{join_names(leaders)} share the {shown.best} {shown.name} ({value}); "
            f"{shown_name(leaders[0])} may rank {ranks} ({level} confidence in the ranks of "
            "all systems together)."
        )
    which = "is rank 1" if ranks == "1" else f"may rank {ranks}"
    return (
        f"{shown_name(leaders[0])} has the {shown.best} {shown.name} ({value}) and {which} "
        f"({level} confidence in the ranks of all systems together)."
    )


def _pairs(report: LeaderboardLike) -> str:
    """Count the pairs that differ, and the systems whose rank is certain."""
    n = int(np.sum(report.pairwise.adjusted_pvalues < report.alpha))
    n_pairs = len(report.pairwise.pairs)
    certain = sum(low == high for low, high in report.rank_intervals.values())
    k = len(report.names)
    ranks = f"the rank of {certain} of the {k} systems is certain"
    if certain in (0, k):
        ranks = f"{'no' if not certain else 'every'} rank is certain"
    return f"{n} of {n_pairs} pairs differ significantly; {ranks}."


def _stability(report: LeaderboardLike) -> list[str]:
    """Say how often the first stays first, and what leaving out a part changes."""
    found = report.rank_stability
    if found is None:
        return []
    leader = report.order[0]
    sentences = [
        f"In {found.n_resamples} resamples of the {unit_word(found.unit)}s "
        f"{_often_first(report, found)}."
    ]
    if found.parts:
        low, high = found.without_one[leader]
        kept = "stays first" if high == 1 else f"ranks {ranks_text((low, high))}"
        sentences.append(
            f"Without any one {report.part_word}, of {len(found.parts)}, it {kept}."
        )
    return sentences


def _often_first(report: LeaderboardLike, found: RankStability) -> str:
    """Say in which share of the resamples the leaders are first, alone or with others."""
    leaders = [name for name in report.order if report.ranks[name] == 1]
    shares = sorted(found.first[name] for name in leaders)
    each = " each" * (len(leaders) > 1 and shares[0] == shares[-1])
    share = share_text(shares[0])
    if share_text(shares[-1]) != share:
        share = f"{share} to {share_text(shares[-1])}"
    who = join_names(leaders) if len(leaders) <= _FEW_LEADERS else f"{len(leaders)} systems"
    said = f"{who} {'are' if len(leaders) > 1 else 'is'} first in {share}{each}"
    shared = len(leaders) > 1 or sum(found.first.values()) > 1 + _OFTEN_SHARED
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
