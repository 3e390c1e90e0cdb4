"""Several systems in pairs: one outcome each, and p-values adjusted for the family."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats._family import Comparison, OutcomeFamily, family_of
from skstat.stats._literature import BENAVOLI_ET_AL_2016
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._procedure import Reference, check_choice, procedure, rng_option, takes
from skstat.stats._score_table import (
    ScorePairs,
    ScoreTable,
    check_complete,
    check_independent,
    ends_of,
)
from skstat.stats._stored import MeansNames, Stored

Missing = Literal["raise", "drop"]

_MOST_PAIRS = 5_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseOutcome(Stored, MeansNames):
    """What comparisons of several systems in pairs found.

    Attributes
    ----------
    test : str
        Name of the procedure.
    names : tuple of str
        The systems.
    pairs : tuple of tuple of str
        The pairs (A, B) that are compared; effects are score(A) - score(B).
    outcomes : sequence of Comparison
        What each comparison found by itself. Of many pairs an outcome may be built only when
        it is asked for.
    adjusted_pvalues : ndarray of shape (n_pairs,)
        p-values adjusted for the number of comparisons, on which verdicts rest.
    adjustment : str
        How they were adjusted.
    control : str or None
        The system that all others are compared with, if there is one.
    pool_dependent : bool
        Whether the comparison of two systems depends on which others are in the table.
    weak_control : bool
        Whether the family-wise error is controlled only where no systems differ at all,
        and not among those that are equal while others differ.
    least : float or None
        The smallest possible adjusted p-value, where the pairs cannot all have their
        smallest p-values at once.
    n_family : int or None
        Comparisons that the p-values are adjusted for, where they are more than the
        pairs: the control was chosen by the scores.
    references : tuple of Reference
        The works that describe the procedure, beside those of the outcomes.
    """

    test: str
    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    outcomes: Any
    adjusted_pvalues: NDArray[np.float64]
    adjustment: str
    control: str | None = None
    pool_dependent: bool = False
    weak_control: bool = False
    least: float | None = None
    n_family: int | None = None
    references: tuple[Reference, ...] = ()

    def __post_init__(self) -> None:
        # A family answers about all pairs at once.
        object.__setattr__(self, "outcomes", family_of(self.outcomes))

    def _part(self) -> tuple[str, Any] | None:
        pairs, outcomes = (self.__dict__.get(name) for name in ("pairs", "outcomes"))
        if not pairs or not outcomes:
            return None
        a, b = pairs[0]
        return f"the outcome of one pair, [{a!r}, {b!r}]", outcomes[0]

    @property
    def pvalues(self) -> NDArray[np.float64]:
        """p-values of the comparisons by themselves; nan where none exists."""
        return self.outcomes.numbers("pvalue")

    @cached_property
    def smallest_pvalue(self) -> float:
        """Smallest adjusted p-value that this many units can give, or a bound below it."""
        if self.least is not None:
            return self.least
        floors = self.outcomes.numbers("smallest_pvalue").tolist()
        if self.adjustment not in get_args(Adjustment):  # a procedure of the user's own
            return min(floors)
        return float(np.min(adjust_pvalues(floors, cast(Adjustment, self.adjustment))))

    @cached_property
    def places(self) -> dict[tuple[str, str], int]:
        """Place of every pair among the `pairs`."""
        return {pair: place for place, pair in enumerate(self.pairs)}

    @cached_property
    def ends(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Places of both systems of every pair among the `names`."""
        return ends_of(self.names, self.pairs)

    def differs(self, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Tell which systems differ.

        Parameters
        ----------
        alpha : float, default=0.05
            Family-wise level.

        Returns
        -------
        ndarray of bool, of shape (n_systems, n_systems)
            Symmetric, in the order of `names`: where the adjusted p-value is below
            `alpha`. False for pairs that were not compared, or have no p-value.
        """
        found = np.zeros((len(self.names), len(self.names)), dtype=bool)
        first, second = self.ends
        found[first, second] = found[second, first] = self.adjusted_pvalues < alpha
        return found

    def critical_difference(self, alpha: float = 0.05) -> float | None:
        """Difference from which any two systems differ, where one serves all pairs.

        Parameters
        ----------
        alpha : float, default=0.05
            Family-wise level.

        Returns
        -------
        float or None
            The difference, in the unit of the estimates; None for procedures that
            judge every pair by its own standard error or law.
        """
        first = self.outcomes[0]
        return first.joint and first.joint.critical_difference(first.law, alpha)

    def __getitem__(self, pair: tuple[str, str]) -> Comparison:
        """Return the outcome of one pair, as it was compared."""
        if pair not in self.places:
            raise KeyError(f"there is no comparison {pair!r}; there are {list(self.pairs)}.")
        found: Comparison = self.outcomes[self.places[pair]]
        return found


def pairs_of(names: Sequence[str], control: str | None = None) -> list[tuple[str, str]]:
    """All pairs, or every other system against the control."""
    if control is None and math.comb(len(names), 2) > _MOST_PAIRS:
        raise ValueError(
            f"{len(names)} systems are {math.comb(len(names), 2)} pairs, too many for a report "
            "on each. skstat.stats.largest_lead(table) says which systems may be the best "
            "without them; or name a control=, to compare every other system with."
        )
    if control is None:
        return list(combinations(names, 2))
    if control not in names:
        raise ValueError(f"control={control!r} is not one of the systems {list(names)}.")
    return [(name, control) for name in names if name != control]


def check_adjustment(adjustment: str, control: str | None) -> None:
    """Refuse an adjustment that needs all pairs where there is a control."""
    if control is not None and adjustment_facts(adjustment).logical:
        raise ValueError(
            f"adjustment={adjustment!r} is for all pairs, but control={control!r} compares "
            "with one system only; use 'holm'."
        )


@procedure(references=(BENAVOLI_ET_AL_2016,))
def pairwise(
    table: ScoreTable,
    test: Callable[..., Comparison],
    *,
    control: str | None = None,
    adjustment: Adjustment = "holm",
    alternative: str = "two-sided",
    missing: Missing = "raise",
    rng: int | np.random.Generator | None = None,
) -> PairwiseOutcome:
    """Compare every pair by a test of two systems, and adjust the p-values.

    Each pair is compared by its own scores only: other systems in the table change
    nothing but the number of comparisons [1]_.

    Parameters
    ----------
    table : ScoreTable
        Scores of k systems on the same units.
    test : callable
        A procedure that takes a :class:`PairedScores`, such as :func:`wilcoxon`,
        :func:`sign_flip` or :func:`paired_t`.
    control : str, optional
        Compare every other system (A) with this one (B) only, instead of all pairs.
    adjustment : str, default="holm"
        A method of :func:`adjust_pvalues`; ``"shaffer"`` and ``"bergmann-hommel"`` are
        for all pairs.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.
    missing : {"raise", "drop"}, default="raise"
        What to do with missing scores: refuse them, or compare every pair on the units
        that both have scores on.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws, for a test that draws, such as :func:`sign_flip`, and has no
        `rng` fixed already.

    Returns
    -------
    PairwiseOutcome
        One outcome per pair, and the adjusted p-values.

    Raises
    ------
    ValueError
        If scores are missing, the units are splits of one data set, or an argument is
        unknown.

    See Also
    --------
    wilcoxon : The recommended test for data sets.
    nemenyi : All pairs by their mean ranks, which depend on the pool.

    References
    ----------
    .. [1] Benavoli, A., Corani, G. & Mangili, F. (2016). Should we really use post-hoc
       tests based on mean-ranks? Journal of Machine Learning Research, 17(5), 1-10.

    Examples
    --------
    >>> from skstat.stats import ScoreTable, paired_t, pairwise
    >>> a, b, c = [3.0, 2.5, 4.0, 3.1], [1.0, 2.0, 1.0, 2.2], [1.0, 2.0, 3.0, 1.0]
    >>> scores = {"a": a, "b": b, "c": c}
    >>> outcome = pairwise(ScoreTable(scores, unit="seed"), paired_t)
    >>> outcome.pairs
    (('a', 'b'), ('a', 'c'), ('b', 'c'))
    >>> outcome.adjusted_pvalues.round(3).tolist()
    [0.132, 0.111, 0.783]
    """
    check_independent(table, "pairwise")
    check_choice("missing", missing, get_args(Missing))
    if missing == "raise":
        check_complete(table, "pairwise")
    pairs = pairs_of(table.names, control)
    check_adjustment(adjustment, control)
    if not callable(test):
        raise TypeError(f"test={test!r} must be a function of skstat.stats, such as wilcoxon.")
    options = {"alternative": alternative, **({} if rng is None else rng_option(test, rng))}
    outcomes = _outcomes(table, test, pairs, options)
    return PairwiseOutcome(
        test=f"pairwise {outcomes[0].test}",
        names=table.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        adjusted_pvalues=adjust_pvalues(outcomes.numbers("pvalue"), adjustment),
        adjustment=adjustment,
        control=control,
    )


def _outcomes(
    table: ScoreTable,
    test: Callable[..., Comparison],
    pairs: Sequence[tuple[str, str]],
    options: dict[str, Any],
) -> OutcomeFamily:
    """Ask the test of every pair, or of all at once where it knows how."""
    plain = table.n_units > 1 and not table.missing.any()
    if not plain or not takes(test, ScorePairs):
        return family_of([test(table.pair(*pair), **options) for pair in pairs])
    sample = ScorePairs(table=table, pairs=pairs)
    return family_of(test(sample, **options))
