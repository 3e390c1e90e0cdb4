"""Student t procedures on paired scores: textbook and corrected for resampling."""

import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import Reference, answers_by, procedure
from skstat.stats._literature import BOUCKAERT_2003, NADEAU_BENGIO_2003, STUDENT_1908
from skstat.stats._outcomes import (
    MeanFamily,
    MeanOutcome,
    effect_sizes,
    estimand,
    null_hypothesis,
    spread_of,
    unit_word,
)
from skstat.stats._samples import (
    PairedScores,
    Scores,
    ScoreTable,
    check_alternative,
    check_enough_units,
    check_plain_splits,
    warn_if_dependent,
)

_NORMAL = "the differences are close to normal, with equal variances"


class TFamily(MeanFamily):
    """Outcomes of a t test of pairs of a table, by the means and variances of all of them.

    `variance_factor` gives the variance of a mean over that of the differences.
    """

    def __init__(
        self, table: ScoreTable, *asked: Any, variance_factor: Callable[[ScoreTable], float]
    ) -> None:
        super().__init__(table, *asked)
        self._factor = variance_factor(table)

    @cached_property
    def standard_errors(self) -> NDArray[np.float64]:
        found = self.differences
        return np.where(found.varies, found.spreads * math.sqrt(self._factor), 0.0)

    def _critical_values(self, levels: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self._together._quantiles(1 - levels))


def _share_of_mean(table: ScoreTable) -> float:
    return 1 / table.n_units


@answers_by(partial(TFamily, variance_factor=_share_of_mean))
@procedure(
    title="the paired t test",
    when="100 rows or 30 data sets, on one scale",
    independent_units=True,
    t_of_mean=True,
    references=(STUDENT_1908,),
)
def paired_t(sample: PairedScores, *, alternative: str = "two-sided") -> MeanOutcome:
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
    MeanOutcome
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
        df=sample.n_units - 1,
        alternative=alternative,
        assumptions=(f"the {unit_word(sample.unit)}s are independent of each other", _NORMAL),
    )


def _corrected_share(table: ScoreTable) -> float:
    return 1 / table.n_units + _ratio(table, "corrected_t")


@answers_by(partial(TFamily, variance_factor=_corrected_share))
@procedure(
    title="the corrected resampled t test",
    when="accuracy on random splits, to compare with older results",
    because="this test allows for training rows that splits share",
    units=("split",),
    t_of_mean=True,
    references=(NADEAU_BENGIO_2003,),
    read_as=("correlated_posterior", "correlated_t", "bayesian_correlated_t"),
)
def corrected_t(sample: PairedScores, *, alternative: str = "two-sided") -> MeanOutcome:
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
    MeanOutcome
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
        df=sample.n_units - 1,
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
def bouckaert_t(sample: PairedScores, *, alternative: str = "two-sided") -> MeanOutcome:
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
    MeanOutcome
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
) -> MeanOutcome:
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
    MeanOutcome
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
    if correction not in ("nadeau-bengio", None):
        raise ValueError(f"correction={correction!r} is unknown; use 'nadeau-bengio' or None.")
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
        df=pairs.n_units - 1,
        alternative=alternative,
        assumptions=(_NORMAL, dependence, f"{b} was known in advance"),
        b=b,
        references=(NADEAU_BENGIO_2003,) if shared else (),
    )


def _ratio(sample: PairedScores | ScoreTable, procedure: str) -> float:
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
    sample: PairedScores,
    *,
    test: str,
    variance_factor: float,
    df: int,
    alternative: str,
    assumptions: tuple[str, ...],
    b: str = "B",
    references: tuple[Reference, ...] = (),
) -> MeanOutcome:
    check_alternative(alternative)
    return MeanOutcome(
        test=test,
        estimand=estimand(sample, b=b),
        null_hypothesis=null_hypothesis(sample, alternative, b=b),
        alternative=alternative,
        assumptions=assumptions,
        effect_sizes=effect_sizes(sample),
        estimate=float(np.mean(sample.differences)),
        standard_error=spread_of(sample) * math.sqrt(variance_factor),
        df=df,
        references=references,
    )
