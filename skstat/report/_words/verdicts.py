"""The verdict on the first of two systems, and how heavy a doubt about it weighs."""

from typing import Literal, get_args

from skstat.stats import EquivalenceOutcome

Verdict = Literal["better", "worse", "equivalent", "not inferior", "undecided"]
Weight = Literal["invalid", "weak", "note"]
# The heaviest first.
WEIGHTS: tuple[Weight, ...] = get_args(Weight)


def verdict_of(side: int, equivalence: EquivalenceOutcome | None, alpha: float) -> Verdict:
    """Say what was found about the first of two systems.

    Parameters
    ----------
    side : {1, -1, 0}
        Which system is significantly better: the first, the second, or neither.
    equivalence : EquivalenceOutcome or None
        Its tests of the margin; None without a margin.
    alpha : float
        Level of the verdict.

    Returns
    -------
    {"better", "worse", "equivalent", "not inferior", "undecided"}
        Equivalence comes first: a difference may be real and smaller than the margin. Not
        inferior is said where the difference is undecided, and the first system was shown
        not to be worse by the margin.
    """
    if equivalence is None:
        return verdict_by(side, False, False)
    same = equivalence.equivalent(alpha)
    undecided = not same and not side
    return verdict_by(side, same, undecided and equivalence.noninferior(alpha, of="A"))


def verdict_by(side: float, same: bool, not_worse: bool) -> Verdict:
    """Say it by what was shown: that both are the same, or that the first is not worse."""
    if same:
        return "equivalent"
    if side:
        return "better" if side > 0 else "worse"
    return "not inferior" if not_worse else "undecided"


def better_of(verdict: str, first: str, second: str) -> str | None:
    """Return the name of the better system, or None."""
    return {"better": first, "worse": second}.get(verdict)
