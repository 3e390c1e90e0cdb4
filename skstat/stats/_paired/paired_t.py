"""Student t procedures on paired scores: textbook and corrected for resampling."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import (
    Readers,
    Stored,
    check_choice,
    from_plain,
    numbers_of,
    procedure,
)
from skstat.stats._literature import (
    BOUCKAERT_2003,
    NADEAU_BENGIO_2003,
    SCHUIRMANN_1987,
    STUDENT_1908,
)
from skstat.stats._multiplicity import Adjustment, adjust_pvalues, adjustment_facts
from skstat.stats._outcomes import (
    Comparison,
    ConfidenceInterval,
    Student,
    Turns,
    check_alpha,
    family_of,
    number,
    of_mean,
    unit_word,
)
from skstat.stats._samples import (
    PairedScores,
    ScorePairs,
    Scores,
    check_enough_units,
    check_number,
    check_plain_splits,
    warn_if_dependent,
)

_NORMAL = "the differences are close to normal, with equal variances"

Numbers = NDArray[np.float64]


@procedure(
    title="the paired t test",
    when="100 rows or 30 data sets, on one scale",
    independent_units=True,
    t_of_mean=True,
    references=(STUDENT_1908,),
)
def paired_t(
    sample: PairedScores | ScorePairs, *, alternative: str = "two-sided"
) -> Comparison:
    """Textbook paired t test; valid for independent units only.

    ``t = mean(d) / (sd(d) / sqrt(J))`` with J - 1 degrees of freedom, where
    d = a - b [2]_. On splits of one data set, which share training rows, its type I
    error is far above the nominal level (Dietterich, 1998) [1]_.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same units.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If there are fewer than two units, or three splits.

    Warns
    -----
    DependenceWarning
        If the units are splits.

    See Also
    --------
    corrected_t : The same for splits, with the variance corrected.

    References
    ----------
    .. [1] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation, 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`
    .. [2] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import PairedScores, paired_t
    >>> sample = PairedScores([5.1, 4.8, 6.0, 5.5], [4.7, 4.9, 5.2, 5.0], unit="seed")
    >>> outcome = paired_t(sample)
    >>> round(outcome.statistic, 3), outcome.df, round(outcome.pvalue, 3)
    (2.138, 3, 0.122)
    """
    check_enough_units(sample, 3 if sample.unit == "split" else 2, "paired_t")
    warn_if_dependent(sample, "paired_t")
    return _mean_outcome(
        sample,
        test="paired t test (uncorrected)",
        variance_factor=1 / sample.n_units,
        alternative=alternative,
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other", _NORMAL),
    )


@procedure(
    title="the corrected resampled t test",
    when="accuracy on random splits, to compare with older results",
    because="this test allows for training rows that splits share",
    units=("split",),
    t_of_mean=True,
    references=(NADEAU_BENGIO_2003,),
    read_as=("correlated_posterior", "correlated_t", "bayesian_correlated_t"),
)
def corrected_t(
    sample: PairedScores | ScorePairs, *, alternative: str = "two-sided"
) -> Comparison:
    """Paired t test corrected for overlapping splits (Nadeau & Bengio, 2003).

    ``t = mean(d) / (sd(d) * sqrt(1/J + n_test/n_train))`` with J - 1 degrees of
    freedom ([1]_, eq. 9 and section 5). For repeated K-fold cross-validation
    n_test/n_train is 1/(K - 1) ([2]_). Unequal splits use the ratio of the sums.

    Parameters
    ----------
    sample : PairedScores
        Scores of A and B on the same splits, with their sizes or `n_repeats`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If the units are not splits, their sizes are unknown, or there are fewer
        than three.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Bouckaert, R. R. & Frank, E. (2004). Evaluating the replicability of
       significance tests for comparing learning algorithms. PAKDD, 3-12.
       :doi:`10.1007/978-3-540-24775-3_3`

    Examples
    --------
    >>> from skstat.stats import PairedScores, corrected_t
    >>> a = [0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74]
    >>> sample = PairedScores(a, [0.7] * 10, n_train=900, n_test=100)
    >>> outcome = corrected_t(sample, alternative="greater")
    >>> round(outcome.statistic, 4), round(outcome.pvalue, 4)
    (0.3025, 0.3846)
    """
    ratio = _ratio(sample, "corrected_t")
    if sample.n_folds is None:
        test = "corrected resampled t test"
    elif sample.n_repeats == 1:
        test = "corrected K-fold t test"
    else:
        test = "corrected repeated K-fold t test (Bouckaert & Frank 2004)"
    return _mean_outcome(
        sample,
        test=test,
        variance_factor=1 / sample.n_units + ratio,
        alternative=alternative,
        assumptions=(
            _NORMAL,
            "the differences of two splits have the correlation "
            f"n_test/(n_train + n_test) = {ratio / (1 + ratio):.3f}",
        ),
    )


@procedure(
    when="10x10 folds: its own calibration",
    units=("split",),
    suited_splits="Pass cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10).",
    references=(BOUCKAERT_2003,),
)
def bouckaert_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    """Calibrated t test for 10x10 cross-validation (Bouckaert, 2003).

    ``t = mean(d) * sqrt(11) / sd(d)`` over all 100 differences, with the 10
    degrees of freedom that were calibrated for this design alone [1]_.

    Parameters
    ----------
    sample : PairedScores
        100 scores of A and B from 10 repeats of 10-fold cross-validation.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If the sample is not a 10x10 cross-validation.

    References
    ----------
    .. [1] Bouckaert, R. R. (2003). Choosing between two learning algorithms based
       on calibrated tests. ICML, 51-58.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, bouckaert_t
    >>> d = np.tile([0.0, 0.01, 0.02, 0.03, -0.01], 20)
    >>> sample = PairedScores(0.8 + d, np.full(100, 0.8), n_repeats=10)
    >>> outcome = bouckaert_t(sample)
    >>> outcome.df, round(outcome.statistic, 3)
    (10, 2.333)
    """
    check_plain_splits(sample, "bouckaert_t")
    if sample.n_repeats != 10 or sample.n_folds != 10:
        raise ValueError(
            "bouckaert_t was calibrated for 10 repeats of 10-fold cross-validation "
            f"only; this sample has {sample.n_units} {sample.unit}s and n_repeats="
            f"{sample.n_repeats}. Use corrected_t, which fits any design."
        )
    df = 10
    return _mean_outcome(
        sample,
        test="calibrated 10x10 t test",
        variance_factor=1 / (df + 1),
        df=df,
        alternative=alternative,
        assumptions=(_NORMAL, "the calibration to 10 degrees of freedom carries over"),
    )


@procedure(
    title="the one-sample t test",
    when="a score known in advance",
    references=(STUDENT_1908,),
)
def one_sample_t(
    sample: Scores,
    constant: float,
    *,
    correction: Literal["nadeau-bengio"] | None = "nadeau-bengio",
    alternative: str = "two-sided",
) -> Comparison:
    """Test the mean score of one system against a constant known in advance.

    ``t = (mean - constant) / (sd * sqrt(1/J + n_test/n_train))`` with J - 1
    degrees of freedom. A baseline estimated on the same data (a dummy
    classifier) needs the paired test on the same splits instead.

    Parameters
    ----------
    sample : Scores
        Scores of the system.
    constant : float
        The score to compare with: chance, a published result, human agreement.
    correction : {"nadeau-bengio"} or None, default="nadeau-bengio"
        Correct the variance for overlapping splits [1]_; only used when the units are
        splits. None is the textbook test [2]_.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the system scores higher than the constant.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If `constant` is not finite or the sizes of the splits are unknown.

    Warns
    -----
    DependenceWarning
        If the units are splits and ``correction=None``.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import Scores, one_sample_t
    >>> a = [0.72, 0.64, 0.68, 0.70, 0.72, 0.69, 0.73, 0.67, 0.76, 0.74]
    >>> outcome = one_sample_t(Scores(a, n_repeats=1), 0.7, alternative="greater")
    >>> round(outcome.statistic, 4), round(outcome.pvalue, 4)
    (0.3025, 0.3846)
    """
    check_choice("correction", correction, ("nadeau-bengio", None))
    pairs = sample.against(constant)
    check_enough_units(pairs, 3 if pairs.unit == "split" else 2, "one_sample_t")
    b = f"the constant {constant:g}"
    if correction is not None and sample.unit == "split":
        ratio = _ratio(pairs, "one_sample_t")
        name, shared = "corrected one-sample t test", ratio
        dependence = (
            "the scores of two splits have the correlation "
            f"n_test/(n_train + n_test) = {ratio / (1 + ratio):.3f}"
        )
    else:
        warn_if_dependent(sample, "one_sample_t without correction")
        correctable = " (uncorrected)" if sample.unit == "split" else ""
        name, shared = f"one-sample t test{correctable}", 0.0
        dependence = f"the {unit_word(sample.unit)}s are independent of each other"
    return _mean_outcome(
        pairs,
        test=name,
        variance_factor=1 / pairs.n_units + shared,
        alternative=alternative,
        assumptions=(_NORMAL, dependence, f"{b} was known in advance"),
        b=b,
        references=(NADEAU_BENGIO_2003,) if shared else (),
    )


def _ratio(sample: PairedScores | ScorePairs, procedure: str) -> float:
    if sample.unit != "split":
        raise ValueError(
            f"{procedure} corrects for overlapping splits, but unit={sample.unit!r}; "
            "use the uncorrected test."
        )
    check_plain_splits(sample, procedure)
    check_enough_units(sample, 3, procedure)
    ratio = sample.test_train_ratio
    if ratio is None:
        raise ValueError(
            f"{procedure} needs the sizes of the splits: give n_train and n_test (or "
            "n_repeats for complete partitions; results of scikit-learn's cross_validate hold "
            "them with return_indices=True). Without them only the uncorrected "
            "test is possible, and it must be asked for by name."
        )
    return ratio


def _mean_outcome(
    sample: PairedScores | ScorePairs,
    alternative: str,
    variance_factor: float,
    df: int | None = None,
    **told: Any,
) -> Comparison:
    error = sample.spread * math.sqrt(variance_factor)
    df = sample.n_units - 1 if df is None else df
    law = Student(estimate=sample.mean, standard_error=error, df=df)
    return of_mean(sample, alternative, law=law, **told)


@dataclass(frozen=True, kw_only=True, eq=False)
class EquivalenceOutcome(Stored, Turns):
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

    _written = (
        *("type", "outcome", "margin", "lower_pvalue", "upper_pvalue"),
        *("pvalue", "adjusted", "adjustment"),
    )
    _by_name = True
    _readers: ClassVar[Readers] = {"lower_pvalue": from_plain, "upper_pvalue": from_plain}

    _swapped = ("lower_pvalue", "upper_pvalue")

    outcome: Any
    margin: float
    lower_pvalue: Any
    upper_pvalue: Any
    adjusted: tuple[Any, ...] | None = None
    adjustment: str | None = None

    def _changes(self) -> dict[str, Any]:
        return super()._changes() | {
            "adjusted": lambda found: found and (found[1], found[0], found[2]),
        }

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
        found: ConfidenceInterval = self.outcome._interval_alone(round(1 - 2 * alpha, 12))
        return found

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
        return self._shown(2, alpha)

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
        if of not in ("A", "B"):
            raise ValueError(f"of={of!r} must be 'A' or 'B'.")
        return self._shown("AB".index(of), alpha, among)

    @property
    def judged_pvalues(self) -> tuple[Any, ...]:
        """p-values that A is not worse, that B is not, and of both, adjusted if they are."""
        return self.adjusted or (self.lower_pvalue, self.upper_pvalue, self.pvalue)

    def _shown(self, which: int, alpha: float, among: Any = True) -> Any:
        check_margin_alpha(alpha)
        found = np.atleast_1d((self.judged_pvalues[which] < alpha) & among)
        places = np.flatnonzero(found)
        # The interval of the 5x2cv F test can be empty: then it excludes all effects.
        level, alone = round(1 - 2 * alpha, 12), isinstance(self.outcome, Comparison)
        family = family_of((self.outcome,) if alone else self.outcome)
        found[places] = ~family.without_interval(level, places)
        return bool(found[0]) if alone else found

    def __iter__(self) -> Iterator["EquivalenceOutcome"]:
        return map(self.__getitem__, range(len(self.outcome)))

    def __getitem__(self, place: int) -> "EquivalenceOutcome":
        """Return the test of one of many comparisons."""
        every = (self.lower_pvalue, self.upper_pvalue, *(self.adjusted or ()))
        lower, upper, *adjusted = (float(each[place]) for each in every)
        one, both = self.outcome[place], tuple(adjusted) or None
        return replace(self, outcome=one, lower_pvalue=lower, upper_pvalue=upper, adjusted=both)

    @classmethod
    def _fields_of(cls, state: dict[str, Any]) -> dict[str, Any]:
        outcome, adjusted = Comparison.from_dict(state["outcome"]), state["adjusted"]
        adjusted = None if adjusted is None else numbers_of(adjusted)
        return state | {"outcome": outcome, "adjusted": adjusted}


@procedure(when="of an outcome that you have", references=(SCHUIRMANN_1987,))
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
    >>> found = equivalence(outcome, margin=0.01)
    >>> found.equivalent(alpha=0.05), round(found.pvalue, 4)
    (True, 0.0008)
    >>> [round(limit, 4) for limit in found.interval(alpha=0.05)]
    [-0.0035, 0.004]
    """
    return equivalences((outcome,), margin)[0]


def equivalences(outcomes: Sequence[Comparison], margin: float) -> EquivalenceOutcome:
    """Test comparisons against one margin, each by itself."""
    family, margin = family_of(outcomes), check_margin(margin)
    for place in family.representatives:
        outcome = family[place]
        if outcome.scale != "score":
            raise ValueError(
                f"margin={margin!r} is in the unit of the score, and {outcome.test} compares "
                f"{outcome.scale}s; use a test of the scores themselves."
            )
    return EquivalenceOutcome(
        outcome=family,
        margin=margin,
        lower_pvalue=family.pvalues_beyond(-margin, "greater"),
        upper_pvalue=family.pvalues_beyond(margin, "less"),
    )


def equivalence_tests(
    outcomes: Sequence[Comparison],
    margin: float,
    method: Adjustment = "holm",
    *,
    n_family: int | None = None,
) -> EquivalenceOutcome:
    """Test a family of comparisons against one margin, with adjusted p-values.

    The TOST p-values are adjusted as one family. The one-sided p-values of both sides, for
    non-inferiority, are another family.

    Parameters
    ----------
    outcomes : sequence of Comparison
        The comparisons.
    margin : float
        The smallest difference that matters, in the unit of the estimate.
    method : str, default="holm"
        A method of :func:`adjust_pvalues`. The logical relations that ``"shaffer"`` and
        ``"bergmann-hommel"`` use hold for equality and not for a margin: for both, Holm's
        method is used.
    n_family : int, optional
        Comparisons in the family, where they are more than these.

    Returns
    -------
    EquivalenceOutcome
        Of arrays, with `adjusted` p-values.
    """
    found = equivalences(outcomes, margin)
    if adjustment_facts(method).logical:
        method = "holm"
    n = len(outcomes)
    m = n if n_family is None else n_family
    # Nothing is known of the others, and nothing claimed.
    others = [1.0] * (m - n)
    both = adjust_pvalues([*found.pvalue.tolist(), *others], method)[:n]
    one_sided = np.column_stack([found.lower_pvalue, found.upper_pvalue]).ravel().tolist()
    sides = adjust_pvalues([*one_sided, *others, *others], method)[: 2 * n]
    # Whoever is equivalent is not inferior either.
    lower, upper = np.fmin(sides[::2], both), np.fmin(sides[1::2], both)
    words = f"after {method.title()}'s adjustment for {m} comparisons"
    return replace(found, adjusted=(lower, upper, both), adjustment=words)


def check_margin(margin: Any, name: str = "margin") -> float:
    """Return a margin as a float; refuse anything but a positive, finite number."""
    matters = "the smallest difference that matters, in the unit of the score"
    return check_number(name, margin, above=0, what=f"a positive, finite number: {matters}")


def check_margin_alpha(alpha: float) -> None:
    """Refuse a level of two one-sided tests that is not below one half."""
    check_alpha(alpha)
    if alpha >= 0.5:
        raise ValueError(f"alpha={alpha!r} must be below 0.5 for a margin.")
