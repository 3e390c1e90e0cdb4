"""Estimates of the score of a system, or of the difference of two, with their intervals."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from skstat.stats import _t_tests as tests
from skstat.stats._bootstrap import Replicates, replicate_fields
from skstat.stats._chance import draw_seed
from skstat.stats._family import Comparison, Law, Student
from skstat.stats._kernels import bootstrap
from skstat.stats._mcnemar import INTERVAL_REFERENCES, IntervalMethod, Right
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import Reference, check_choice, procedure, works
from skstat.stats._read import aligned, of_usable_size
from skstat.stats._scores import PairedScores, Scores, numbers
from skstat.stats._stored import Numbers, Stored, SuggestsNames
from skstat.stats._words import ConfidenceInterval, by_logit, check_level, unit_word

_SHARE_DRAWN = 0.632  # of the rows, in a bootstrap sample; 1 - 1/e, as printed
_INDEPENDENT = "the rows are independent of each other"

Bounds = tuple[float | None, float | None]
FoldVariance = Literal["all-pairs", "within-fold"]
BootstrapKind = Literal["oob", "632", "632+"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate(Stored, SuggestsNames):
    """The estimate of a score, or of the difference of two, and its method.

    Attributes
    ----------
    method : str
        How it was computed, in words.
    estimand : str
        The quantity that is estimated, in words.
    unit : str
        What one observation is.
    n_units : int
        Number of observations.
    law : Law
        What the estimate, its standard error and the interval follow from.
    assumptions : tuple of str
        What must hold for the interval to mean what it says.
    ignored_variance : tuple of str
        Sources of variance that the interval does not cover.
    bounds : tuple
        What the quantity cannot leave, such as 0 and 1; None on a side without a bound.
    by_logit : bool
        Whether the interval is computed on the logit scale, where both bounds are known.
    noise : float
        Share of the variance that is noise of bootstrap samples; 1 where they are too few to
        tell, and the standard error is a lower bound.
    references : tuple of Reference
        The works that describe the method.
    """

    method: str
    estimand: str
    unit: str = "instance"
    n_units: int
    law: Law
    assumptions: tuple[str, ...] = ()
    ignored_variance: tuple[str, ...] = ()
    bounds: tuple[float | None, float | None] = (None, None)
    by_logit: bool = False
    noise: float = 0.0
    references: tuple[Reference, ...] = ()

    @property
    def estimate(self) -> float:
        """The estimate."""
        return _clip(self.law.estimate, self.bounds)

    @property
    def standard_error(self) -> float | None:
        """Its standard error; None where there is none."""
        return self.law.standard_error

    @property
    def df(self) -> float | None:
        """Degrees of freedom of Student's t; None for other laws."""
        return self.law.df

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Two-sided interval of the estimand.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Coverage, between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            Named tuple ``(low, high)`` in the unit of the score; nan where the scores do
            not vary, so that nothing is known about their spread.
        """
        check_level(confidence_level)
        low, high = self.law.limits((1 - confidence_level) / 2)
        if not low < high:  # an interval of one point would claim certainty
            return ConfidenceInterval(math.nan, math.nan)
        lowest, highest = self.bounds
        if self.by_logit and lowest is not None and highest is not None:
            low, high = by_logit(self.estimate, (high - low) / 2, lowest, highest)
        return ConfidenceInterval(*(_clip(end, self.bounds) for end in (low, high)))

    def within(self, low: float | None, high: float | None) -> Self:
        """Return the same estimate of a quantity that cannot leave these bounds.

        Parameters
        ----------
        low, high : float or None
            The bounds; None for none.

        Returns
        -------
        Estimate
            With an estimate and intervals that keep to them.
        """
        return replace(self, bounds=(low, high))


def _clip(value: float, bounds: Bounds) -> float:
    """Clip a value to the bounds; nan stays nan."""
    low, high = bounds
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    return float(np.clip(value, low, high))


@procedure(
    references=(
        works.NADEAU_BENGIO_2003,
        works.HAJEK_1968,
        works.WANG_ET_AL_2017,
        works.EFRON_STEIN_1981,
    )
)
def t_estimate(sample: Scores | PairedScores, *, quantity: str = "score") -> Estimate:
    """Estimate a mean score by Student's t, for any metric.

    Estimate and standard error are those of the t test of the scores against a constant. For
    splits of a data set, where it is about the expected score of a learner, this is
    :func:`block_jackknife_t` [4]_ if the sample knows its blocks; :func:`projection_t`
    [2]_ [3]_ if it knows what every row contributed, over three repeated partitions or more;
    else :func:`corrected_t`, ``mean(s) -+ t * sd(s) * sqrt(1/J + n_test/n_train)`` with J - 1
    degrees of freedom, where s are the scores of J splits [1]_. For instances in groups it is
    :func:`clustered_t`, else :func:`paired_t`. The interval of the projection is made
    on the scale of the logit where the estimate is said to have two bounds, as in
    ``estimate.within(0, 1)``.

    Parameters
    ----------
    sample : Scores or PairedScores
        Scores of a system, or of two whose difference is meant. Of splits it needs their sizes,
        rows or blocks.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    Estimate
        Estimate, standard error and interval.

    Raises
    ------
    ValueError
        If nothing is known of how splits overlap, or there are too few units.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`
    .. [2] Hájek, J. (1968). Asymptotic normality of simple linear rank statistics under
       alternatives. The Annals of Mathematical Statistics, 39(2), 325-346.
       :doi:`10.1214/aoms/1177698394`
    .. [3] Wang, R., Wang, Y., Li, J., Yang, X. & Yang, J. (2017). Block-regularized m x 2
       cross-validated estimator of the generalization error. Neural Computation, 29(2),
       519-554. :doi:`10.1162/NECO_a_00923`
    .. [4] Efron, B. & Stein, C. (1981). The jackknife estimate of variance. The Annals of
       Statistics, 9(3), 586-596. :doi:`10.1214/aos/1176345462`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import RowContributions, Scores, t_estimate
    >>> sample = Scores([0.81, 0.79, 0.84, 0.8, 0.82], n_train=90, n_test=10)
    >>> low, high = t_estimate(sample).confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.782, 0.842)

    With what every row contributed:

    >>> rng = np.random.default_rng(0)
    >>> folds = np.array([rng.permutation(60) % 2 for _ in range(15)])
    >>> rows = RowContributions((rng.random((15, 60, 1)) < 0.8).astype(float), folds)
    >>> scores = rows.fold_means(rows.values).ravel()
    >>> estimate = t_estimate(Scores(scores, rows=rows, n_repeats=15))
    >>> [round(limit, 2) for limit in estimate.confidence_interval()]
    [0.71, 0.87]
    """
    pair = sample if isinstance(sample, PairedScores) else sample.against(0.0)
    unit, n, words = str(sample.unit), sample.n_units, f"{unit_word(sample.unit)}s"
    facts: dict[str, Any] = {"estimand": f"mean {quantity} over the population of the {words}"}
    test: Callable[..., Comparison] = tests.paired_t
    method = f"Student's t over {n} {words}"
    if unit == "split":
        k, size = sample.n_blocks, sample.training_size
        of_size = "" if size is None else f" of {size:.0f} {sample.size_unit}s"
        test, method = tests.corrected_t, f"corrected resampled t over {n} splits"
        if k is not None:
            test, method = tests.block_jackknife_t, f"block jackknife of {k} blocks"
            of_size += f" ({k - 2} of {k} blocks)"
        elif sample.projects:
            test, unit, n = tests.projection_t, sample.size_unit, sample.rows.n_units
            method = f"first-order projection over {pair.rows.partitions}"
        estimand = f"expected {quantity} of the learner over training sets{of_size}"
        facts = {"estimand": estimand, "by_logit": test is tests.projection_t}
    elif sample.groups is not None or unit == "instance":
        facts, method = holdout_facts(quantity, unit), "hold-out, Student's t"
        if sample.groups is not None:
            test, method = tests.clustered_t, "hold-out, cluster-robust t"
    outcome = test(pair)
    law: Any = outcome.law
    # The last assumption is that the constant was known in advance.
    assumptions = outcome.assumptions if pair is sample else outcome.assumptions[:-1]
    return Estimate(
        method=method,
        n_units=n,
        law=Student(estimate=law.estimate, standard_error=law.standard_error, df=law.df),
        references=outcome.references,
        **{"unit": unit, "assumptions": assumptions} | facts,
    )


def cross_validation_estimate(
    scores: ArrayLike,
    folds: ArrayLike,
    *,
    variance: FoldVariance = "all-pairs",
    quantity: str = "score",
) -> Estimate:
    """Estimate the mean score of the K models of one cross-validation.

    The mean of the rows' scores, each by the model that was trained without its fold, with
    the normal law and ``sd / sqrt(n)``, where the variance is that of all scores
    (``"all-pairs"``) or the mean of those within the folds (Bayle, Bayle, Janson & Mackey,
    2020, eq. 3.1 and 3.2) [1]_. The target is the K models of this cross-validation, not
    the learner: other training rows are not covered.

    Parameters
    ----------
    scores : array-like of shape (n_rows,)
        Score of every row out of fold. For the difference of two learners, the differences.
    folds : array-like of shape (n_rows,)
        The fold that every row is in.
    variance : {"all-pairs", "within-fold"}, default="all-pairs"
        Which variance. The second needs two rows in every fold.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    Estimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If lengths differ, a score is not finite, or there are too few folds or rows.

    References
    ----------
    .. [1] Bayle, P., Bayle, A., Janson, L. & Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33, 16339-16350.

    Examples
    --------
    >>> from skstat.stats import cross_validation_estimate
    >>> right = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    >>> estimate = cross_validation_estimate(right, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    >>> estimate.estimate, round(estimate.standard_error, 4)
    (0.8, 0.1265)
    """
    columns = aligned({"scores": scores, "folds": folds}, unit="score")
    (values,) = of_usable_size("scores", numbers("scores", columns["scores"]))
    codes = np.unique(np.asarray(columns["folds"]), return_inverse=True)[1]
    check_choice("variance", variance, get_args(FoldVariance))
    if codes.shape != values.shape:
        raise ValueError(f"shapes of folds {np.shape(folds)} and scores {values.shape} differ.")
    n, k, spread = len(values), int(codes.max()) + 1, float(values.var())
    if k < 2:
        raise ValueError("folds holds one fold only; cross-validation has at least two.")
    if variance == "within-fold":
        if np.bincount(codes).min() < 2:
            raise ValueError("'within-fold' needs two rows in every fold; use 'all-pairs'.")
        spread = float(np.mean([values[codes == fold].var(ddof=1) for fold in range(k)]))
    return Estimate(
        method=f"{k}-fold cross-validation, {variance} variance",
        estimand=f"mean {quantity} of the {k} fitted models on new rows",
        n_units=n,
        law=Student(estimate=float(values.mean()), standard_error=math.sqrt(spread / n)),
        assumptions=(
            _INDEPENDENT,
            "a small change in the training rows changes the loss only a little",
        ),
        ignored_variance=("training rows", "how the rows are split"),
        references=(works.BAYLE_ET_AL_2020,),
    )


def nested_cv_estimate(
    outer: Sequence[Sequence[ArrayLike]],
    inner: Sequence[Sequence[ArrayLike]],
    *,
    quantity: str = "score",
) -> Estimate:
    """Estimate the expected score of a learner by nested cross-validation.

    Every fold is held out once, and predicted by a cross-validation of the other
    folds: the distance of the held-out fold's mean from that prediction gives the mean squared
    error of cross-validation itself, ``MSE = mean((e_in - e_out)^2) - mean(var_out / n_out)``
    (Bates, Hastie & Tibshirani, 2024, algorithm 1) [1]_. The standard error is the naive one
    times ``sqrt(MSE) / naive``, kept between 1 and sqrt(K); the estimate is that of the inner
    cross-validations, less ``(1 + (K - 2)/K) (e_in - e_cv)`` for their smaller training sets.

    Parameters
    ----------
    outer : sequence of sequences of array-like
        For every repeat and fold the scores of the rows of this fold, by the model that was
        trained on all others. For two learners, the differences.
    inner : sequence of sequences of array-like
        For every repeat and fold the scores of the rows of all other folds, each by the
        model that was trained without this fold and its own.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    Estimate
        Estimate, standard error and interval by the normal law.

    Raises
    ------
    ValueError
        If the arrays do not fit together, or there are fewer than three folds.

    Notes
    -----
    The models trained without folds i and j serve both as outer folds: K (K + 1) / 2 fits
    for each repeat, where the algorithm as printed needs K^2.

    References
    ----------
    .. [1] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it
       estimate and how well does it do it? Journal of the American Statistical
       Association, 119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import nested_cv_estimate
    >>> rng = np.random.default_rng(0)
    >>> outer = [[rng.normal(size=20) for fold in range(5)] for repeat in range(10)]
    >>> inner = [[rng.normal(size=80) for fold in range(5)] for repeat in range(10)]
    >>> estimate = nested_cv_estimate(outer, inner)
    >>> low, high = estimate.confidence_interval()
    >>> bool(low < 0 < high)
    True
    """

    def read(folds: Sequence[Sequence[ArrayLike]]) -> list[list[Numbers]]:
        return [[numbers("scores", rows) for rows in repeat] for repeat in folds]

    try:
        held_out, within = map(read, (outer, inner))
    except TypeError as error:
        raise ValueError(f"outer must hold a list of folds of each repeat: {error}") from error
    counts = {len(repeat) for repeat in (*held_out, *within)}
    if len(counts) != 1 or len(held_out) != len(within) or min(counts) < 3:
        raise ValueError("outer and inner need the same repeats, of 3 folds or more.")
    (k,), n = counts, sum(map(len, held_out[0]))
    repeats = zip(held_out, within, strict=True)
    pairs = [pair for repeat in repeats for pair in zip(*repeat, strict=True)]
    for e_out, e_in in pairs:
        if len(e_out) < 2 or len(e_out) + len(e_in) != n:
            raise ValueError(
                f"a fold of {len(e_out)} rows has {len(e_in)} inner scores; it needs two "
                f"rows, and a score for each of the other {n - len(e_out)}."
            )
    errors = np.array([(e_in.mean() - e_out.mean()) ** 2 for e_out, e_in in pairs])
    noise = np.array([e_out.var(ddof=1) / len(e_out) for e_out, _ in pairs])
    squared = max(0.0, float(errors.mean() - noise.mean()))
    e_cv, e_in = map(np.concatenate, zip(*pairs, strict=True))
    sd, inflation = float(e_in.std(ddof=1)), 1.0
    if sd:
        naive = sd / math.sqrt(n * (k - 1) / k)
        inflation = min(max(math.sqrt(squared) / naive, 1.0), math.sqrt(k))
    bias = (1 + (k - 2) / k) * float(e_in.mean() - e_cv.mean())
    return Estimate(
        method=f"nested {k}-fold cross-validation, {len(held_out)} "
        f"repeat{'s' * (len(held_out) > 1)} (standard error {inflation:.2f} times the naive "
        "one)",
        estimand=f"expected {quantity} of the learner over training sets of about all rows",
        n_units=n,
        law=Student(
            estimate=float(e_in.mean()) - bias, standard_error=inflation * sd / math.sqrt(n)
        ),
        assumptions=(
            _INDEPENDENT,
            "the error of cross-validation on all rows is like that on K - 1 folds",
        ),
        references=(works.BATES_ET_AL_2024,),
    )


def holdout_facts(quantity: str, unit: str) -> dict[str, Any]:
    """Return the estimand, the assumptions and the unit of estimates on a test set."""
    return {
        "estimand": f"{quantity} of this fitted model on new {unit}s",
        "assumptions": (
            f"the {unit}s are independent of each other",
            "no row was used to fit or to select the model",
        ),
        "ignored_variance": ("training rows",),
        "unit": unit,
    }


def holdout_estimate(
    scores: ArrayLike | Predictions,
    *,
    groups: ArrayLike | None = None,
    interval: IntervalMethod | Literal["t"] = "wilson",
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
    quantity: str = "score",
) -> Estimate:
    """Estimate the score of a fitted model from the rows of a test set.

    Any metric of predictions has percentiles of the bootstrap: units are drawn with
    replacement, and the metric is computed anew (Efron & Tibshirani, 1993 [3]_, ch. 13). Else
    it is the mean: scores that are all 0 or 1 are counted, and have a Wilson or Clopper-Pearson
    interval; others have Student's t [2]_, and so have differences, which need
    ``interval="t"``. With `groups` the variance is that of sums over groups (Liang &
    Zeger, 1986 [1]_), with the correction and the degrees of freedom of
    :func:`clustered_t`.

    Parameters
    ----------
    scores : array-like of shape (n_rows,) or Predictions
        Score of every row. For the difference of two models, the differences. Or predictions,
        of which the first system is looked at.
    groups : array-like of shape (n_rows,), optional
        Group of every row, if rows come in groups.
    interval : {"wilson", "clopper-pearson", "jeffreys", "t"}, default="wilson"
        Interval of a share, see :func:`proportion_interval`; ``"t"`` uses Student's t,
        whatever the scores are.
    n_resamples : int, default=9999
        Resamples of predictions.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    Estimate
        Estimate and interval.

    Raises
    ------
    ValueError
        If a score is not finite, there are fewer than two rows, or fewer than six groups; if a
        metric is undefined on the test set, or on more than 1 % of the resamples.

    References
    ----------
    .. [1] Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized
       linear models. Biometrika, 73(1), 13-22. :doi:`10.1093/biomet/73.1.13`
    .. [2] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`
    .. [3] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap.
       Chapman & Hall.

    Examples
    --------
    >>> from skstat.stats import holdout_estimate
    >>> low, high = holdout_estimate([0] * 10 + [1] * 90).confidence_interval()
    >>> round(low, 4), round(high, 4)
    (0.8256, 0.9448)
    """
    if isinstance(scores, Predictions):
        return _bootstrap_estimate(scores, n_resamples, rng, quantity)
    check_choice("interval", interval, (*INTERVAL_REFERENCES, "t"))
    unit = "instance" if groups is None else "group"
    sample = Scores(scores, unit=unit, groups=groups)  # type: ignore[arg-type]
    binary = groups is None and np.isin(sample.values, (0.0, 1.0)).all()
    if interval == "t" or not binary or sample.n_units < 2:
        return t_estimate(sample, quantity=quantity)
    right = int(sample.values.sum())
    return counted_estimate(right, sample.n_units, interval=interval, quantity=quantity)


def counted_estimate(
    right: int,
    n: int,
    *,
    interval: IntervalMethod = "wilson",
    quantity: str = "score",
    offset: float = 0.0,
) -> Estimate:
    """Estimate a share from the number of right rows, plus an offset.

    Parameters
    ----------
    right, n : int
        Rows that are right, and all rows.
    interval : str, default="wilson"
        Interval of the share.
    quantity : str, default="score"
        What is estimated, in words.
    offset : float, default=0.0
        What is added to the share; -1 where scores are 0 for right and -1 for wrong rows.
    """
    share = right / n
    law = Right(
        estimate=share + offset,
        standard_error=math.sqrt(share * (1 - share) / n),
        successes=right,
        n=n,
        constant=-offset,
        method=interval,
    )
    return Estimate(
        method=f"hold-out, {interval.title()} interval",
        n_units=n,
        law=law,
        bounds=(offset, 1.0 + offset),
        references=INTERVAL_REFERENCES[interval],
        **holdout_facts(quantity, "instance"),
    )


def _bootstrap_estimate(
    sample: Predictions, n_resamples: int, rng: Any, quantity: str = "score"
) -> Estimate:
    """Estimate any metric of the first system, with percentiles of the bootstrap."""
    drawn = bootstrap(sample.kernel, n_resamples, draw_seed(rng))
    replicates, score = drawn.scores[:, 0], float(sample.scores[0])
    fields = replicate_fields(drawn, replicates)
    if np.ptp(replicates) == 0:  # without variance there is no interval
        fields["kept"] = np.empty(0)
    return Estimate(
        method=f"hold-out, percentiles of {n_resamples} bootstrap resamples",
        n_units=sample.n_units,
        law=Replicates(estimate=score, own_pvalue=math.nan, **fields),
        references=(works.EFRON_TIBSHIRANI_1993,),
        **holdout_facts(quantity, sample.unit),
    )


def out_of_bag_estimate(
    scores: ArrayLike,
    counts: ArrayLike,
    *,
    kind: BootstrapKind = "632+",
    training_scores: ArrayLike | None = None,
    no_information: float | None = None,
    quantity: str = "score",
) -> Estimate:
    """Estimate the expected score of a learner by its models of bootstrap samples.

    ``"oob"`` is the leave-one-out bootstrap: the mean over rows of the mean score by the
    models whose sample lacks the row, too low for the learner because a sample holds about
    63 % of the rows. ``"632"`` moves it towards the score on the training rows, ``.368 e +
    .632 e_oob`` (Efron, 1983 [1]_); ``"632+"`` moves it less the more the learner overfits:
    the weight is ``.632 / (1 - .368 R)`` with ``R = (e_oob - e) / (e_none - e)`` kept
    between 0 and 1 (Efron & Tibshirani, 1997 [2]_, eq. 24 to 32).

    The standard error is that of the infinitesimal jackknife after bootstrap: row j moves
    the leave-one-out bootstrap by ``(g_j - e_oob + cov_b(N_j, r_b)) / n``, where g_j is its
    own mean score, N_j how often sample b holds it, and r_b the sum of the sample's scores
    less those of their rows, each over the share of samples that lack the row. From the sum
    of squares the part is taken that is due to the number of samples being finite (Wager,
    Hastie & Efron, 2014 [3]_, eq. 7). The weight of ``"632+"`` is taken as known, and the
    fit to all rows as fixed.

    Parameters
    ----------
    scores : array-like of shape (n_samples, n_rows)
        Score of every row by the model of every bootstrap sample; only those of rows that
        the sample lacks are looked at. For two learners, the differences.
    counts : array-like of shape (n_samples, n_rows)
        How often every bootstrap sample holds every row.
    kind : {"oob", "632", "632+"}, default="632+"
        Which estimate.
    training_scores : array-like of shape (n_rows,), optional
        Score of every row by the model that was fitted to all rows; for the last two.
    no_information : float, optional
        Expected score if predictions had nothing to do with the truth; for ``"632+"``.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    Estimate
        Estimate, standard error and interval by the normal law, and how much of the variance
        was noise of the samples. With far fewer samples than rows the rest is hardly known.

    Raises
    ------
    ValueError
        If shapes do not fit, a row is in every sample, or something that `kind` needs is
        missing.

    References
    ----------
    .. [1] Efron, B. (1983). Estimating the error rate of a prediction rule: improvement on
       cross-validation. Journal of the American Statistical Association, 78(382), 316-331.
       :doi:`10.1080/01621459.1983.10477973`
    .. [2] Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+
       bootstrap method. Journal of the American Statistical Association, 92(438), 548-560.
       :doi:`10.1080/01621459.1997.10474007`
    .. [3] Wager, S., Hastie, T. & Efron, B. (2014). Confidence intervals for random forests:
       the jackknife and the infinitesimal jackknife. Journal of Machine Learning Research,
       15, 1625-1651.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import out_of_bag_estimate
    >>> rng = np.random.default_rng(0)
    >>> drawn = rng.integers(50, size=(400, 50))
    >>> counts = np.array([np.bincount(rows, minlength=50) for rows in drawn])
    >>> right = np.tile(rng.random(50) < 0.8, (400, 1))
    >>> estimate = out_of_bag_estimate(right, counts, kind="oob")
    >>> low, high = estimate.confidence_interval()
    >>> bool(low < right.mean() < high)
    True
    """
    check_choice("kind", kind, get_args(BootstrapKind))
    scores, counts = np.asarray(scores, dtype=float), np.asarray(counts)
    if scores.ndim != 2 or counts.shape != scores.shape:
        raise ValueError(f"shapes of scores {scores.shape} and counts {counts.shape} differ.")
    n_samples, n = scores.shape
    out = counts == 0
    times_out = out.sum(axis=0)
    if not times_out.all():
        raise ValueError(f"row {np.argmin(times_out)} was never tested: draw more samples.")
    used = np.where(out, scores, 0.0)
    if not np.isfinite(used).all():
        raise ValueError("scores of rows that a sample lacks must be finite.")
    # The mean out-of-bag score of every row, its influence, and the noise of the samples.
    by_row = used.sum(axis=0) / times_out
    residual = ((used - out * by_row) / (times_out / n_samples)).sum(axis=1)
    covariance = (counts - 1).T @ residual / n_samples
    influence = by_row - by_row.mean() + covariance - covariance.mean()
    weight, estimate = 1.0, float(by_row.mean())
    if kind != "oob":
        if training_scores is None or np.shape(training_scores) != (n,):
            raise ValueError(f"kind={kind!r} needs training_scores, of a fit to all rows.")
        training = np.asarray(training_scores, dtype=float)
        resubstitution, weight = float(training.mean()), _SHARE_DRAWN
        if kind == "632+":
            if no_information is None:
                raise ValueError("kind='632+' needs no_information, the score by guessing.")
            estimate = max(estimate, no_information)
            # By how much the learner overfits; losses are below 0.
            overfitting, room = resubstitution - estimate, resubstitution - no_information
            rate = min(1.0, overfitting / room) if min(overfitting, room) > 0 else 0.0
            weight = _SHARE_DRAWN / (1 - (1 - _SHARE_DRAWN) * rate)
        estimate = (1 - weight) * resubstitution + weight * estimate
        influence = (1 - weight) * (training - resubstitution) + weight * influence
    # Row means without noise vary by this much at least.
    floor = weight * float(by_row.std()) / math.sqrt(n)
    noise = weight**2 * float(residual.var()) * (1 - 1 / n) / (n_samples * n)
    raw = float(influence @ influence) / n**2
    variance = raw - noise
    name = {"oob": "leave-one-out bootstrap"}.get(kind, f".{kind} bootstrap")
    size = "about 63 % of the rows" if kind == "oob" else "about all rows"
    reference = works.EFRON_TIBSHIRANI_1997 if kind == "632+" else works.EFRON_1983
    return Estimate(
        method=f"{name} of {n_samples} samples",
        estimand=f"expected {quantity} of the learner over training sets of {size}",
        n_units=n,
        law=Student(estimate=estimate, standard_error=math.sqrt(max(variance, floor**2))),
        assumptions=(_INDEPENDENT, "the score changes smoothly with the weights of the rows"),
        references=(reference, works.WAGER_ET_AL_2014),
        noise=1.0 if variance <= floor**2 else noise / raw,
    )
