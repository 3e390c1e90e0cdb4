"""Estimates from bootstrap samples of the rows, each tested on the rows it left out."""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skstat.stats._estimates.estimate import OutOfBagEstimate
from skstat.stats._literature import EFRON_1983, EFRON_TIBSHIRANI_1997, WAGER_ET_AL_2014

BootstrapKind = Literal["oob", "632", "632+"]
_SHARE_DRAWN = 0.632  # of the rows, in a bootstrap sample; 1 - 1/e, as printed

_REFERENCES = {
    "oob": (EFRON_1983, WAGER_ET_AL_2014),
    "632": (EFRON_1983, WAGER_ET_AL_2014),
    "632+": (EFRON_TIBSHIRANI_1997, WAGER_ET_AL_2014),
}


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
    if kind not in get_args(BootstrapKind):
        raise ValueError(f"kind={kind!r} is unknown; use 'oob', '632' or '632+'.")
    loo = _leave_one_out(np.asarray(scores, dtype=float), np.asarray(counts))
    n = len(loo.by_row)
    weight, influence, estimate = 1.0, loo.influence, float(loo.by_row.mean())
    if kind != "oob":
        if training_scores is None:
            raise ValueError(
                f"kind={kind!r} needs training_scores, those of a fit to all rows."
            )
        training = np.asarray(training_scores, dtype=float)
        if training.shape != (n,):
            raise ValueError(
                f"training_scores has shape {training.shape}; it needs one score per row."
            )
        seen = float(training.mean())
        weight = _SHARE_DRAWN
        if kind == "632+":
            if no_information is None:
                raise ValueError(
                    "kind='632+' needs no_information, the expected score of predictions that "
                    "have nothing to do with the truth."
                )
            estimate = max(estimate, no_information)
            weight = _weight(estimate, seen, no_information)
        estimate = (1 - weight) * seen + weight * estimate
        influence = (1 - weight) * (training - seen) + weight * influence
    # Row means without noise vary by this much at least.
    floor = weight * float(loo.by_row.std()) / math.sqrt(n)
    raw, noise = float(influence @ influence) / n**2, weight**2 * loo.noise
    variance = raw - noise
    name = {"oob": "leave-one-out bootstrap"}.get(kind, f".{kind} bootstrap")
    size = "about 63 % of the rows" if kind == "oob" else "about all rows"
    return OutOfBagEstimate(
        method=f"{name} of {loo.n_samples} samples",
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


@dataclass(frozen=True, kw_only=True, eq=False)
class _LeaveOneOut:
    """Mean out-of-bag score of every row, its influence, and the noise of the samples."""

    by_row: NDArray[np.float64]
    influence: NDArray[np.float64]
    noise: float
    n_samples: int


def _leave_one_out(scores: NDArray[np.float64], counts: NDArray[Any]) -> _LeaveOneOut:
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
    return _LeaveOneOut(
        by_row=by_row,
        influence=by_row - by_row.mean() + covariance - covariance.mean(),
        noise=float(residual.var()) * (1 - 1 / n) / (n_samples * n),
        n_samples=n_samples,
    )


def _weight(out_of_bag: float, training: float, no_information: float) -> float:
    """Weight of the out-of-bag score by how much the learner overfits; losses are below 0."""
    overfitting, room = training - out_of_bag, training - no_information
    rate = 0.0 if overfitting <= 0 or room <= 0 else min(1.0, overfitting / room)
    return _SHARE_DRAWN / (1 - (1 - _SHARE_DRAWN) * rate)
