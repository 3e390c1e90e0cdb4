"""Outcomes of tests of several systems, and of pairs of them with adjusted p-values."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _chance as tails
from skstat.stats import _procedure as procedures
from skstat.stats import _score_table as tables
from skstat.stats._family import Comparison, family_of
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._procedure import Reference, check_choice, procedure, rng_option, takes, works
from skstat.stats._scores import check_number
from skstat.stats._stored import Number, Stored, SuggestsNames
from skstat.stats._words import ConfidenceInterval, Swappable, above_zero, check_alpha, number

Missing = Literal["raise", "drop"]

_MAX_PAIRS = 5_000_000


def omnibus_pvalue(statistic: float, df: float | tuple[float, float]) -> float:
    """Return the p-value of a chi-squared statistic, or of an F with two degrees of freedom."""
    tail = tails.f_sf(statistic, *df) if isinstance(df, tuple) else tails.chi2_sf(statistic, df)
    return above_zero(tail)


@dataclass(frozen=True, kw_only=True, eq=False)
class OmnibusOutcome(Stored, SuggestsNames):
    """The outcome of an omnibus test: whether k systems differ, not which.

    Attributes
    ----------
    test : str
        Name of the procedure.
    estimand : str
        The quantities that are compared, in words.
    null_hypothesis : str
        What is assumed while computing the p-value, in words.
    statistic : float
        Value of the test statistic: infinite without variance to test a difference against,
        but never nan.
    pvalue : float
        The p-value.
    names : tuple of str
        The systems.
    n_units : int
        Units that the systems were scored on.
    statistic_name : str
        Symbol of the statistic, for reports.
    df : float, tuple of two floats, or None
        Degrees of freedom of a chi-squared statistic, or of an F; None when the
        p-value comes from permutations.
    assumptions : tuple of str
        What must hold for the p-value to mean what it says.
    effect_sizes : mapping of str to float
        Sizes of the differences, each named.
    scale : str
        What differs if systems do: their ``"score"``, or their ``"rank"`` by it.
    compares_sizes : {"no", "weakly", "strongly"}
        How much the sizes of differences on different units weigh against each other, as in
        ``Quantity``.
    n_resamples, seed : int or None
        Number and seed of drawn permutations; None when nothing was drawn.
    references : tuple of Reference
        The works that describe the procedure.
    """

    test: str
    estimand: str
    null_hypothesis: str
    statistic: float
    pvalue: float
    names: tuple[str, ...]
    n_units: int
    statistic_name: str = "statistic"
    df: float | tuple[float, float] | None = None
    assumptions: tuple[str, ...] = ()
    effect_sizes: Mapping[str, float] = field(default_factory=dict)
    scale: str = "score"
    compares_sizes: procedures.ComparesSizes = "no"
    n_resamples: int | None = None
    seed: int | None = None
    references: tuple[Reference, ...] = ()

    def why_no_pvalue(self, unit: str) -> str:
        """Say why there is no p-value, as what follows "because"; empty where there is one."""
        why = f"the {unit}s show no variance to test their differences against"
        return why if math.isnan(self.pvalue) else ""

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing permutations; 0 when exact."""
        n = self.n_resamples
        return 0.0 if n is None else math.sqrt(self.pvalue * (1 - self.pvalue) / n)

    def critical_value(self, alpha: float = 0.05) -> float:
        """Quantile of chi-squared or F from which the test rejects at `alpha`.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test.

        Returns
        -------
        float
            The quantile; nan when the p-value comes from permutations.
        """
        check_alpha(alpha)
        if self.df is None:
            return math.nan
        if isinstance(self.df, tuple):
            return float(tails.f_isf(alpha, *self.df))
        return float(tails.chi2_isf(alpha, self.df))


@dataclass(frozen=True, kw_only=True, eq=False)
class PairwiseOutcome(Stored, SuggestsNames):
    """The outcome of pairwise comparisons of several systems.

    Attributes
    ----------
    test : str
        Name of the procedure.
    names : tuple of str
        The systems.
    pairs : tuple of tuple of str
        The pairs (A, B) that are compared; effects are score(A) - score(B).
    outcomes : sequence of Comparison
        The unadjusted outcome of each comparison. With many pairs an outcome may be built only
        on access.
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
        # A family computes the numbers of all pairs at once.
        object.__setattr__(self, "outcomes", family_of(self.outcomes))

    def _part(self) -> tuple[str, Any] | None:
        if "outcomes" not in vars(self) or not self.pairs:  # a copy without fields yet
            return None
        return f"the outcome of one pair, {[*self.pairs[0]]}", self.outcomes[0]

    @property
    def pvalues(self) -> NDArray[np.float64]:
        """Unadjusted p-values of the comparisons; nan where none exists."""
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
        """Index of every pair in `pairs`."""
        return {pair: index for index, pair in enumerate(self.pairs)}

    @cached_property
    def ends(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Indices in `names` of the first and of the second system of every pair."""
        return tables.ends_of(self.names, self.pairs)

    def differs(self, alpha: float = 0.05) -> NDArray[np.bool_]:
        """Return which systems differ significantly.

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
        matrix = np.zeros((len(self.names), len(self.names)), dtype=bool)
        first, second = self.ends
        matrix[first, second] = matrix[second, first] = self.adjusted_pvalues < alpha
        return matrix

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
        outcome: Comparison = self.outcomes[self.places[pair]]
        return outcome


def pairs_of(names: Sequence[str], control: str | None = None) -> list[tuple[str, str]]:
    """Return all pairs, or every other system paired with the control."""
    if control is not None:
        if control not in names:
            raise ValueError(f"control={control!r} is not one of the systems {list(names)}.")
        return [(name, control) for name in names if name != control]
    if (n := math.comb(len(names), 2)) > _MAX_PAIRS:
        raise ValueError(
            f"{len(names)} systems are {n} pairs, too many to report on each; name a control=, "
            "or ask skstat.stats.compare_with_best(table, method='lead')."
        )
    return list(combinations(names, 2))


def check_adjustment(adjustment: str, control: str | None) -> None:
    """Raise ValueError for an adjustment that needs all pairs where there is a control."""
    if control is not None and adjustment_facts(adjustment).logical:
        raise ValueError(f"adjustment={adjustment!r} needs all pairs; with control use 'holm'.")


@procedure(references=(works.BENAVOLI_ET_AL_2016,))
def pairwise(
    table: tables.ScoreTable,
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
    tables.check_independent(table, "pairwise")
    check_choice("missing", missing, get_args(Missing))
    if missing == "raise":
        tables.check_complete(table, "pairwise")
    pairs = pairs_of(table.names, control)
    check_adjustment(adjustment, control)
    if not callable(test):
        raise TypeError(f"test={test!r} must be a function of skstat.stats, such as wilcoxon.")
    options: dict[str, Any] = {"alternative": alternative}
    if rng is not None:
        options |= rng_option(test, rng)
    if table.n_units > 1 and not table.missing.any() and takes(test, tables.ScorePairs):
        outcomes = family_of(test(tables.ScorePairs(table=table, pairs=pairs), **options))
    else:
        outcomes = family_of([test(table.pair(*pair), **options) for pair in pairs])
    return PairwiseOutcome(
        test=f"pairwise {outcomes[0].test}",
        names=table.names,
        pairs=tuple(pairs),
        outcomes=outcomes,
        adjusted_pvalues=adjust_pvalues(outcomes.numbers("pvalue"), adjustment),
        adjustment=adjustment,
        control=control,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceOutcome(Stored, Swappable):
    """Two one-sided tests of an effect against a margin on either side of zero.

    Attributes
    ----------
    outcome : Comparison, or sequence of Comparison
        The comparison, whose interval is judged, or many: then all numbers are arrays.
    margin : float
        The smallest difference that matters, in the unit of the score.
    lower_pvalue : float
        p-value of the hypothesis that the effect is -margin or less: small where A is not
        worse than B by the margin.
    upper_pvalue : float
        p-value of the hypothesis that the effect is the margin or more: small where B is
        not worse than A by the margin.
    adjusted : tuple of float or None
        `lower_pvalue`, `upper_pvalue` and `pvalue` adjusted for a family of comparisons.
    adjustment : str or None
        How they were adjusted.
    """

    _extra = ("pvalue",)
    _swapped = ("lower_pvalue", "upper_pvalue")

    outcome: Any
    margin: float
    lower_pvalue: Number
    upper_pvalue: Number
    adjusted: tuple[Number, ...] | None = None
    adjustment: str | None = None

    def _changes(self) -> dict[str, Any]:
        p = self.adjusted
        return super()._changes() | {"adjusted": p and (p[1], p[0], p[2])}

    @property
    def pvalue(self) -> Any:
        """The larger of the two one-sided p-values (TOST); nan when either is."""
        return number(np.maximum(self.lower_pvalue, self.upper_pvalue))

    @property
    def adjusted_pvalue(self) -> Any:
        """`pvalue` adjusted for a family of comparisons, if it belongs to one."""
        return None if self.adjusted is None else self.adjusted[2]

    def interval(self, alpha: float = 0.05) -> ConfidenceInterval:
        """Two-sided interval with coverage 1 - 2 alpha: inside the margin, equivalent.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of each of the two tests, below 0.5; 0.05 belongs to the 90 % interval.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)`` of this comparison alone, whatever family it belongs to.
        """
        check_margin_alpha(alpha)
        return ConfidenceInterval(*self.outcome._interval_alone(round(1 - 2 * alpha, 12)))

    def equivalent(self, alpha: float = 0.05) -> Any:
        """Whether a difference of the margin or more is excluded in both directions.

        Parameters
        ----------
        alpha : float, default=0.05
            Level, below 0.5.

        Returns
        -------
        bool
            By the adjusted p-value, if there is one.
        """
        return self._excluded(2, alpha)

    def noninferior(self, alpha: float = 0.05, *, of: str = "A", among: Any = True) -> Any:
        """Whether it was shown that a system is not worse by the margin or more.

        Parameters
        ----------
        alpha : float, default=0.05
            Level, below 0.5.
        of : {"A", "B"}, default="A"
            Which of the two systems is not worse than the other one.
        among : ndarray of bool, optional
            Of many comparisons, those that are asked.

        Returns
        -------
        bool
            By the adjusted p-value, if there is one.
        """
        check_choice("of", of, ("A", "B"))
        return self._excluded("AB".index(of), alpha, among)

    @property
    def judged_pvalues(self) -> tuple[Any, ...]:
        """p-values of non-inferiority of A, of B, and of equivalence, adjusted if they are."""
        return self.adjusted or (self.lower_pvalue, self.upper_pvalue, self.pvalue)

    def _excluded(self, which: int, alpha: float, among: Any = True) -> Any:
        check_margin_alpha(alpha)
        excluded = np.logical_and(self.judged_pvalues[which] < alpha, among)
        if excluded.any():
            # The interval of the 5x2cv F test can be empty: then it excludes all effects.
            excluded = excluded & ~np.isnan(self.interval(alpha).low)
        return excluded if excluded.ndim else bool(excluded)

    def __iter__(self) -> Iterator["EquivalenceOutcome"]:
        return (self[index] for index in range(len(self.outcome)))

    def __getitem__(self, index: int) -> "EquivalenceOutcome":
        """Return the test of one of many comparisons."""
        arrays = (self.lower_pvalue, self.upper_pvalue, *(self.adjusted or ()))
        lower, upper, *adjusted = (float(array[index]) for array in arrays)
        one, both = self.outcome[index], tuple(adjusted) or None
        return replace(self, outcome=one, lower_pvalue=lower, upper_pvalue=upper, adjusted=both)


@procedure(when="of an outcome that you have", references=(works.SCHUIRMANN_1987,))
def equivalence(outcome: Comparison, margin: float) -> EquivalenceOutcome:
    """Test whether a difference is smaller than a margin, by two one-sided tests.

    The outcome of a comparison may exclude an effect of -margin or less, and one of +margin
    or more. A and B are equivalent when it excludes both (TOST) [1]_, and A is not inferior
    to B when it excludes the first. This is the same as a 1 - 2 alpha interval inside the
    margin. It uses the standard error of the comparison: for splits of one data set the
    corrected one. For procedures without a standard error their own interval is used.

    Parameters
    ----------
    outcome : Comparison
        Any comparison of two systems in the unit of their score, two-sided or one-sided.
    margin : float
        The smallest difference that matters, in the unit of the score. It is a matter of
        what the systems are for, to be fixed before the scores are seen.

    Returns
    -------
    EquivalenceOutcome
        The p-values of both sides, the larger of them, and the 1 - 2 alpha interval. They are
        nan where the differences show no variance to test a margin against, as those of
        identical systems in a t test or a bootstrap.

    Raises
    ------
    ValueError
        If `margin` is not positive and finite, or the outcome compares mean ranks.

    Notes
    -----
    A test that finds no difference does not show that there is none: the sample may be small.
    A comparison of a family is judged by itself, not by the joint distribution.

    References
    ----------
    .. [1] Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and
       the power approach for assessing the equivalence of average bioavailability. Journal
       of Pharmacokinetics and Biopharmaceutics, 15(6), 657-680. :doi:`10.1007/BF01068419`

    Examples
    --------
    >>> from skstat.stats import PairedScores, corrected_t, equivalence
    >>> a = [0.812, 0.805, 0.821, 0.809, 0.815, 0.818, 0.803, 0.811]
    >>> b = [0.810, 0.808, 0.819, 0.811, 0.812, 0.817, 0.806, 0.809]
    >>> outcome = corrected_t(PairedScores(a, b, n_train=200, n_test=100))
    >>> result = equivalence(outcome, margin=0.01)
    >>> result.equivalent(alpha=0.05), round(result.pvalue, 4)
    (True, 0.0008)
    >>> [round(limit, 4) for limit in result.interval(alpha=0.05)]
    [-0.0035, 0.004]
    """
    return equivalences((outcome,), margin)[0]


def equivalences(
    outcomes: Sequence[Comparison],
    margin: float,
    method: Adjustment | None = None,
    *,
    n_family: int | None = None,
) -> EquivalenceOutcome:
    """Test comparisons against one margin, unadjusted or with adjusted p-values.

    The TOST p-values are adjusted as one family. The one-sided p-values of both sides, for
    non-inferiority, are another family.

    Parameters
    ----------
    outcomes : sequence of Comparison
        The comparisons.
    margin : float
        The smallest difference that matters, in the unit of the estimate.
    method : str, optional
        A method of :func:`adjust_pvalues`. The logical relations that ``"shaffer"`` and
        ``"bergmann-hommel"`` use hold for equality and not for a margin: for both, Holm's
        method is used.
    n_family : int, optional
        Comparisons in the family, where they are more than these.

    Returns
    -------
    EquivalenceOutcome
        Of arrays.
    """
    family, margin = family_of(outcomes), check_margin(margin)
    for i in family.representatives:
        outcome = family[i]
        if outcome.scale != "score":
            raise ValueError(
                f"margin={margin!r} is in the unit of the score, and {outcome.test} compares "
                f"{outcome.scale}s; use a test of the scores themselves."
            )
    result = EquivalenceOutcome(
        outcome=family,
        margin=margin,
        lower_pvalue=family.numbers("_pvalue_beyond", -margin, "greater"),
        upper_pvalue=family.numbers("_pvalue_beyond", margin, "less"),
    )
    if method is None:
        return result
    if adjustment_facts(method).logical:
        method = "holm"
    n = len(family)
    m = n if n_family is None else n_family
    # The other comparisons of the family count with a p-value of 1.
    others = np.ones(m - n)
    tost = adjust_pvalues(np.concatenate([result.pvalue, others]), method)[:n]
    one_sided = np.column_stack([result.lower_pvalue, result.upper_pvalue]).ravel()
    sides = adjust_pvalues(np.concatenate([one_sided, others, others]), method)[: 2 * n]
    # Equivalence implies non-inferiority of both.
    lower, upper = np.fmin(sides[::2], tost), np.fmin(sides[1::2], tost)
    words = f"after {method.title()}'s adjustment for {m} comparisons"
    return replace(result, adjusted=(lower, upper, tost), adjustment=words)


def check_margin(margin: Any, name: str = "margin") -> float:
    """Return a margin as a float; raise ValueError unless it is positive and finite."""
    matters = "the smallest difference that matters, in the unit of the score"
    return check_number(name, margin, above=0, what=f"a positive, finite number: {matters}")


def check_margin_alpha(alpha: float) -> None:
    """Raise ValueError unless the level of two one-sided tests is below one half."""
    check_alpha(alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha={alpha!r} must be below 0.5 for a margin.")
