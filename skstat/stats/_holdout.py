"""Estimates from one test set that took no part in fitting."""

import math
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._clustered_t import check_enough_groups, clustered_variance
from skstat.stats._common import (
    aligned,
    check_choice,
    group_codes,
    of_usable_size,
    procedure,
    read_numbers,
)
from skstat.stats._estimates import (
    MeanEstimate,
    OutOfBagEstimate,
    ReplicatesEstimate,
    ShareEstimate,
)
from skstat.stats._kernels import bootstrap
from skstat.stats._literature import (
    EFRON_1983,
    EFRON_TIBSHIRANI_1993,
    EFRON_TIBSHIRANI_1997,
    LIANG_ZEGER_1986,
    STUDENT_1908,
    WAGER_ET_AL_2014,
)
from skstat.stats._mcnemar import INTERVAL_REFERENCES, IntervalMethod
from skstat.stats._resampling import draw_seed
from skstat.stats._samples import Predictions

_FITTED = "of this fitted model on new {}s"
_INDEPENDENT = "the {}s are independent of each other"
_UNSEEN = "no row was used to fit or to select the model"
_TRAINING = "training rows"

BootstrapKind = Literal["oob", "632", "632+"]
_SHARE_DRAWN = 0.632  # of the rows, in a bootstrap sample; 1 - 1/e, as printed

_REFERENCES = {
    "oob": (EFRON_1983, WAGER_ET_AL_2014),
    "632": (EFRON_1983, WAGER_ET_AL_2014),
    "632+": (EFRON_TIBSHIRANI_1997, WAGER_ET_AL_2014),
}


_OF_ALL = {"training_scores": "those of a fit to all rows"}
_GUESSED = "the expected score of predictions that have nothing to do with the truth"
_NEEDED = {"oob": {}, "632": _OF_ALL, "632+": {**_OF_ALL, "no_information": _GUESSED}}


def holdout_estimate(
    scores: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    interval: IntervalMethod | Literal["t"] = "wilson",
    quantity: str = "score",
) -> MeanEstimate | ShareEstimate:
    """Estimate the mean score of a fitted model from the rows of a test set.

    Scores that are all 0 or 1 are counted, and have a Wilson or Clopper-Pearson interval;
    others have Student's t [2]_, and so have differences, which need
    ``interval="t"``. With `groups` the variance is that of sums over groups (Liang &
    Zeger, 1986 [1]_), with the correction and the degrees of freedom of
    :func:`clustered_t`.

    Parameters
    ----------
    scores : array-like of shape (n_rows,)
        Score of every row. For the difference of two models, the differences.
    groups : array-like of shape (n_rows,), optional
        Group of every row, if rows come in groups.
    interval : {"wilson", "clopper-pearson", "jeffreys", "t"}, default="wilson"
        Interval of a share, see :func:`proportion_interval`; ``"t"`` uses Student's t,
        whatever the scores are.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    ShareEstimate or MeanEstimate
        Estimate and interval.

    Raises
    ------
    ValueError
        If a score is not finite, there are fewer than two rows, or fewer than six groups.

    References
    ----------
    .. [1] Liang, K.-Y. & Zeger, S. L. (1986). Longitudinal data analysis using generalized
       linear models. Biometrika, 73(1), 13-22. :doi:`10.1093/biomet/73.1.13`
    .. [2] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import holdout_estimate
    >>> low, high = holdout_estimate([0] * 10 + [1] * 90).confidence_interval()
    >>> round(low, 4), round(high, 4)
    (0.8256, 0.9448)
    """
    check_choice("interval", interval, (*INTERVAL_REFERENCES, "t"))
    given = aligned({"scores": scores, "groups": groups}, unit="score")
    values = read_numbers("scores", given["scores"])
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(
            f"scores has shape {values.shape}; give the finite scores of at least two rows."
        )
    (values,) = of_usable_size("scores", values)
    n, mean = len(values), float(values.mean())
    if groups is None:
        if interval != "t" and np.isin(values, (0.0, 1.0)).all():
            return counted_estimate(int(values.sum()), n, interval=interval, quantity=quantity)
        # Every row is a group of its own.
        unit, codes, law, reference = "instance", np.arange(n), "Student's t", STUDENT_1908
    else:
        unit, codes = "group", group_codes(given["groups"], n)
        check_enough_groups(int(codes.max()) + 1, "holdout_estimate")
        law, reference = "cluster-robust t", LIANG_ZEGER_1986
    sizes = np.bincount(codes)
    variance, df = clustered_variance(np.bincount(codes, weights=values - mean), sizes)
    return MeanEstimate(
        method=f"hold-out, {law}",
        n_units=len(sizes),
        estimate=mean,
        standard_error=math.sqrt(variance),
        df=df,
        references=(reference,),
        **_facts(quantity, unit),
    )


def counted_estimate(
    right: int,
    n: int,
    *,
    interval: IntervalMethod = "wilson",
    quantity: str = "score",
    offset: float = 0.0,
) -> ShareEstimate:
    """Estimate a share from the number of right rows; of misses below 0 `offset` is -1.

    Parameters
    ----------
    right, n : int
        Rows that are right, and all rows.
    interval : str, default="wilson"
        Interval of the share.
    quantity : str, default="score"
        What is estimated, in words.
    offset : float, default=0.0
        What is added to the share.
    """
    share = right / n
    return ShareEstimate(
        method=f"hold-out, {interval.title()} interval",
        n_units=n,
        successes=right,
        interval=interval,
        offset=offset,
        estimate=share + offset,
        standard_error=math.sqrt(share * (1 - share) / n),
        bounds=(offset, 1.0 + offset),
        references=INTERVAL_REFERENCES[interval],
        **_facts(quantity, "instance"),
    )


def _facts(quantity: str, unit: str) -> dict[str, Any]:
    """Say what is estimated, and what is assumed."""
    return {
        "estimand": f"{quantity} {_FITTED.format(unit)}",
        "assumptions": (_INDEPENDENT.format(unit), _UNSEEN),
        "ignored_variance": (_TRAINING,),
        "unit": unit,
    }


@procedure(references=(EFRON_TIBSHIRANI_1993,))
def holdout_bootstrap_estimate(
    sample: Predictions,
    *,
    n_resamples: int = 9_999,
    rng: int | np.random.Generator | None = None,
    quantity: str = "score",
) -> ReplicatesEstimate:
    """Estimate any metric of a fitted model, with bootstrap percentiles of the test set.

    For metrics that are not means over rows (F1, the area under the ROC curve, R2): units are
    drawn with replacement, and the metric is computed anew (Efron & Tibshirani, 1993 [1]_,
    ch. 13).

    Parameters
    ----------
    sample : Predictions
        The predictions, of which the first system is looked at.
    n_resamples : int, default=9999
        Resamples to draw.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    quantity : str, default="score"
        What is estimated, in words.

    Returns
    -------
    ReplicatesEstimate
        Estimate and replicates.

    Raises
    ------
    ValueError
        If the metric is undefined on the test set, or on more than 1 % of the resamples.

    References
    ----------
    .. [1] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap.
       Chapman & Hall.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import Predictions, holdout_bootstrap_estimate
    >>> def r2(y_true, y_pred):
    ...     return 1 - np.var(y_true - y_pred) / np.var(y_true)
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> sample = Predictions(y, {"model": y + rng.normal(size=60)}, r2)
    >>> found = holdout_bootstrap_estimate(sample, n_resamples=999, rng=0)
    >>> low, high = found.confidence_interval()
    >>> bool(low < found.estimate < high)
    True
    """
    seed = draw_seed(rng)
    estimate = float(sample.scores[0])
    replicates = bootstrap(sample.kernel, n_resamples, seed).scores[:, 0]
    return ReplicatesEstimate(
        method=f"hold-out, percentiles of {n_resamples} bootstrap resamples",
        n_units=sample.n_units,
        estimate=estimate,
        standard_error=float(replicates.std(ddof=1)),
        replicates=replicates,
        seed=seed,
        **_facts(quantity, sample.unit),
    )


def out_of_bag_estimate(
    scores: ArrayLike,
    counts: ArrayLike,
    *,
    kind: BootstrapKind = "632+",
    training_scores: ArrayLike | None = None,
    no_information: float | None = None,
    quantity: str = "score",
) -> OutOfBagEstimate:
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
    OutOfBagEstimate
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
    by_row, influence, noise = _leave_one_out(
        np.asarray(scores, dtype=float), np.asarray(counts)
    )
    n, weight, estimate = len(by_row), 1.0, float(by_row.mean())
    needed = {"training_scores": training_scores, "no_information": no_information}
    for name, why in _NEEDED[kind].items():
        if needed[name] is None:
            raise ValueError(f"kind={kind!r} needs {name}, {why}.")
    if kind != "oob":
        training = np.asarray(training_scores, dtype=float)
        if training.shape != (n,):
            raise ValueError(
                f"training_scores has shape {training.shape}; it needs one score per row."
            )
        seen, weight = float(training.mean()), _SHARE_DRAWN
        if no_information is not None and kind == "632+":
            estimate = max(estimate, no_information)
            weight = _weight(estimate, seen, no_information)
        estimate = (1 - weight) * seen + weight * estimate
        influence = (1 - weight) * (training - seen) + weight * influence
    # Row means without noise vary by this much at least.
    floor = weight * float(by_row.std()) / math.sqrt(n)
    raw, noise = float(influence @ influence) / n**2, weight**2 * noise
    variance = raw - noise
    name = {"oob": "leave-one-out bootstrap"}.get(kind, f".{kind} bootstrap")
    size = "about 63 % of the rows" if kind == "oob" else "about all rows"
    return OutOfBagEstimate(
        method=f"{name} of {np.shape(counts)[0]} samples",
        estimand=f"expected {quantity} of the learner over training sets of {size}",
        unit="instance",
        n_units=n,
        estimate=estimate,
        standard_error=math.sqrt(max(variance, floor**2)),
        assumptions=(
            "the rows are independent of each other",
            "the score changes smoothly with the weights of the rows",
        ),
        references=_REFERENCES[kind],
        noise=1.0 if variance <= floor**2 else noise / raw,
    )


def _leave_one_out(
    scores: NDArray[np.float64], counts: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Mean out-of-bag score of every row, its influence, and the noise of the samples."""
    if scores.ndim != 2 or counts.shape != scores.shape:
        raise ValueError(
            f"scores has shape {scores.shape} and counts {counts.shape}; both need "
            "(n_samples, n_rows)."
        )
    n_samples, n = scores.shape
    out = counts == 0
    times_out = out.sum(axis=0)
    if not times_out.all():
        raise ValueError(
            f"row {int(np.argmin(times_out))} is in each of the {n_samples} samples, and was "
            "never tested; draw more samples."
        )
    used = np.where(out, scores, 0.0)
    if not np.isfinite(used).all():
        raise ValueError("scores of rows that a sample lacks must be finite.")
    by_row = used.sum(axis=0) / times_out
    residual = ((used - out * by_row) / (times_out / n_samples)).sum(axis=1)
    covariance = (counts - 1).T @ residual / n_samples
    influence = by_row - by_row.mean() + covariance - covariance.mean()
    return by_row, influence, float(residual.var()) * (1 - 1 / n) / (n_samples * n)


def _weight(out_of_bag: float, training: float, no_information: float) -> float:
    """Weight of the out-of-bag score by how much the learner overfits; losses are below 0."""
    overfitting, room = training - out_of_bag, training - no_information
    rate = 0.0 if overfitting <= 0 or room <= 0 else min(1.0, overfitting / room)
    return _SHARE_DRAWN / (1 - (1 - _SHARE_DRAWN) * rate)
