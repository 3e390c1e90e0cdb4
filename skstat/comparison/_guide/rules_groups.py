"""The guide for scores of rows that come in groups, and what it says of groups."""

from typing import Any

from skstat.comparison._guide.rule import Rule, for_pairs, jointly, other
from skstat.comparison._guide.situation import Situation

# Fewer groups have too few patterns of signs for several comparisons.
FEWEST_FLIPPED = 10
GROUPS_FOR_T = 30
FEWEST_GROUPS = 6


def in_groups(s: Situation) -> str:
    """Say how many groups rows come in."""
    if s.n_groups is None:
        return "rows come in groups"
    said = f"rows come in {s.n_groups} groups"
    if s.n_groups >= GROUPS_FOR_T and not enough_for_t(s):
        said += f" of unequal size, which weigh as {s.n_groups_that_count:.1f} of one size"
    return said


def enough_for_t(s: Situation) -> bool:
    """Whether groups are as many as the cluster-robust t test needs."""
    n = s.n_groups_that_count
    return n is None or n >= GROUPS_FOR_T


def too_few_groups(s: Situation) -> str:
    """Say so where groups are too few for any test."""
    if s.n_groups is None or s.n_groups >= FEWEST_GROUPS:
        return ""
    return f"{s.n_groups} groups are too few for any test; at least {FEWEST_GROUPS} are needed."


def _grouped(s: Situation) -> bool:
    return s.holds == "scores" and s.unit == "instance" and s.grouped and not s.ordered


_SCORES: dict[str, Any] = {
    "systems": "2",
    "data": "scores of rows, groups or seeds",
    "example": "guide_groups_time_seeds.py",
}
_SEVERAL: dict[str, Any] = _SCORES | {"systems": "3 or more; or one and each of the others"}
_ASK_GROUPS = "compare_scores(scores, unit='instance', group=groups)"

GROUPS = (
    Rule(
        **_SEVERAL,
        id="several-systems-few-groups-of-items",
        situation=f"a score per row, in fewer than {FEWEST_FLIPPED} groups",
        test="cluster-robust t test of every pair, by their joint distribution (max-T)",
        report="number of groups, adjusted p, simultaneous intervals",
        applies=lambda s: (
            _grouped(s)
            and s.n_systems > 2
            and jointly(s)
            and s.n_groups is not None
            and s.n_groups < FEWEST_FLIPPED
        ),
        name="clustered_t",
        title=lambda s: f"the cluster-robust t test {for_pairs(s)},",
        ask=_ASK_GROUPS,
        reason=lambda s: f"{in_groups(s)}, which have too few patterns of signs",
        needs=(f"{FEWEST_FLIPPED} groups for a permutation test",),
        cautions=(too_few_groups,),
    ),
    Rule(
        **_SEVERAL,
        id="several-systems-items-in-groups",
        situation="a score per row, in groups",
        test="sign flips of whole groups, of all pairs together (max-T)",
        report="number of groups, adjusted p, simultaneous intervals",
        applies=lambda s: _grouped(s) and s.n_systems > 2 and jointly(s),
        name="sign_flip",
        title=lambda s: f"the paired permutation test {for_pairs(s)},",
        ask=_ASK_GROUPS,
        reason=lambda s: f"{in_groups(s)}, whose signs are flipped together for all systems",
        alternatives=(
            other("compare_scores", "adjustment='holm': every pair by its own distribution"),
        ),
    ),
    Rule(
        **_SCORES,
        id="item-scores-in-groups",
        situation=f"a score per row, in {GROUPS_FOR_T} groups or more (by their weight)",
        test="cluster-robust t test",
        report="number of groups, correlation within groups",
        applies=lambda s: _grouped(s) and s.n_systems == 2 and enough_for_t(s),
        name="clustered_t",
        title="the cluster-robust t test",
        ask=_ASK_GROUPS,
        reason=lambda s: f"{in_groups(s)} and the score is a mean over rows",
        alternatives=(other("sign_flip", "flips the signs of whole groups"),),
    ),
    Rule(
        **_SCORES,
        id="item-scores-in-few-groups",
        situation=f"a score per row, in fewer than {GROUPS_FOR_T} groups",
        test="permutation test that flips the signs of whole groups",
        report="number of groups, correlation within groups",
        applies=lambda s: _grouped(s) and s.n_systems == 2,
        name="sign_flip",
        title="the permutation test that flips the signs of whole groups",
        ask=_ASK_GROUPS,
        reason=lambda s: f"{in_groups(s)}, too few for a t test",
        needs=(f"{GROUPS_FOR_T} groups for the cluster-robust t test",),
        cautions=(too_few_groups,),
    ),
)
