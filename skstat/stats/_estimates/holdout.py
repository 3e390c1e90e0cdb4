"""Estimates from one test set that took no part in fitting."""

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skstat.stats._common import aligned, of_usable_size, procedure, read_numbers
from skstat.stats._estimates.estimate import MeanEstimate, ReplicatesEstimate, ShareEstimate
from skstat.stats._literature import EFRON_TIBSHIRANI_1993, LIANG_ZEGER_1986, STUDENT_1908
from skstat.stats._resampling import bootstrap, draw_seed
from skstat.stats._samples import Predictions, clustered_variance, group_codes
from skstat.stats._test_set import (
    INTERVAL_REFERENCES,
    IntervalMethod,
    check_enough_groups,
    check_method,
)

_FITTED = "of this fitted model on new {}s"
_INDEPENDENT = "the {}s are independent of each other"
_UNSEEN = "no row was used to fit or to select the model"
_TRAINING = "training rows"


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
    if interval != "t":
        check_method(interval, "interval")
    given = aligned({"scores": scores, "groups": groups}, unit="score")
    values = read_numbers("scores", given["scores"])
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ValueError(
            f"scores has shape {values.shape}; give the finite scores of at least two rows."
        )
    (values,) = of_usable_size("scores", values)
    n, mean = len(values), float(values.mean())
    unit = "instance" if groups is None else "group"
    facts = {**_facts(quantity, unit), "estimate": mean}
    if groups is not None:
        codes = group_codes(given["groups"], n)
        n_groups = int(codes.max()) + 1
        check_enough_groups(n_groups, "holdout_estimate")
        sums = np.bincount(codes, weights=values - mean)
        variance, df = clustered_variance(sums, np.bincount(codes))
        return MeanEstimate(
            method="hold-out, cluster-robust t",
            n_units=n_groups,
            standard_error=math.sqrt(variance),
            df=df,
            references=(LIANG_ZEGER_1986,),
            **facts,
        )
    if interval != "t" and np.isin(values, (0.0, 1.0)).all():
        return counted_estimate(int(values.sum()), n, interval=interval, quantity=quantity)
    return MeanEstimate(
        method="hold-out, Student's t",
        n_units=n,
        standard_error=float(values.std(ddof=1)) / math.sqrt(n),
        df=n - 1,
        references=(STUDENT_1908,),
        **facts,
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
        The predictions, of which the first system is looked at; see
        :class:`SinglePredictions`.
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
    >>> from skstat.stats import SinglePredictions, holdout_bootstrap_estimate
    >>> def r2(y_true, y_pred):
    ...     return 1 - np.var(y_true - y_pred) / np.var(y_true)
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=60)
    >>> sample = SinglePredictions(y, {"model": y + rng.normal(size=60)}, r2)
    >>> found = holdout_bootstrap_estimate(sample, n_resamples=999, rng=0)
    >>> low, high = found.confidence_interval()
    >>> bool(low < found.estimate < high)
    True
    """
    seed = draw_seed(rng)
    estimate = float(sample.scores[0])
    drawn = bootstrap([sample.kernel], n_resamples, seed)
    replicates = drawn.scores[0][:, 0]
    unit = sample.unit
    return ReplicatesEstimate(
        method=f"hold-out, percentiles of {n_resamples} bootstrap resamples",
        estimand=f"{quantity} {_FITTED.format(unit)}",
        unit=unit,
        n_units=sample.n_units,
        estimate=estimate,
        standard_error=float(replicates.std(ddof=1)),
        assumptions=(_INDEPENDENT.format(unit), _UNSEEN),
        ignored_variance=(_TRAINING,),
        replicates=replicates,
        seed=seed,
    )
