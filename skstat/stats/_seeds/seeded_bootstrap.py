"""Seeds crossed with the rows of a test set, for any metric."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import procedure
from skstat.stats._literature import OWEN_2007
from skstat.stats._outcomes import IGNORED_VARIANCE, ResampledOutcome, counted_share
from skstat.stats._paired import count_extreme
from skstat.stats._resampling import Workers, bootstrap, draw_seed, stream
from skstat.stats._samples import Predictions, SeededPredictions, check_alternative
from skstat.stats._seeds.crossed_t import null_of
from skstat.stats._test_set import check_resampling

_TRAINING = IGNORED_VARIANCE["instance"][0]


@dataclass(frozen=True, kw_only=True, eq=False)
class SeededOutcome(ResampledOutcome):
    """Outcome of a bootstrap of seeds and units; `ignored_variance` says what it leaves out."""

    ignored_variance: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ignored_variance", tuple(self.ignored_variance))


@procedure(
    title="the bootstrap of seeds and rows",
    when="seeds of any metric, rows in groups",
    references=(OWEN_2007,),
)
def seeded_bootstrap(
    sample: SeededPredictions,
    *,
    resample_seeds: bool = True,
    n_resamples: int = 9_999,
    interval: str = "percentile",
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
    workers: Workers = map,
) -> SeededOutcome:
    """Bootstrap the difference of mean scores over seeds, for any metric.

    A replicate draws units (rows or groups), scores every run on them, and averages over
    seeds drawn with replacement ([1]_: the pigeonhole bootstrap), their deviations
    enlarged by sqrt(S / (S - 1)) so that the variance between S seeds is not too small.

    Parameters
    ----------
    sample : SeededPredictions
        Predictions of A and B with several seeds.
    resample_seeds : bool, default=True
        Whether the seeds are drawn too; otherwise they are averaged as they are, which
        ignores their variance.
    n_resamples : int, default=9999
        Resamples to draw.
    interval : {"percentile", "basic"}, default="percentile"
        Kind of interval.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.
    workers : map-like callable, default=map
        Computes blocks of resamples, anywhere, in order.

    Returns
    -------
    SeededOutcome
        The test's numbers; the p-value is that of the shifted replicates.

    Raises
    ------
    ValueError
        If seeds are to be drawn and neither system has two.

    References
    ----------
    .. [1] Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics,
       1(2), 386-411. :doi:`10.1214/07-AOAS122`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import Predictions, SeededPredictions, seeded_bootstrap
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a 1": [1, 0, 1], "a 2": [1, 1, 1], "b 1": [0, 0, 1], "b 2": [0, 0, 0]}
    >>> runs = Predictions([1, 1, 1], outputs, accuracy)
    >>> sample = SeededPredictions(runs, (2, 2))
    >>> outcome = seeded_bootstrap(sample, n_resamples=999, rng=0)
    >>> round(outcome.estimate, 3), outcome.ignored_variance
    (0.667, ('the choice of the training data: the fitted systems are treated as fixed',))
    """
    check_alternative(alternative)
    check_resampling(n_resamples, interval)
    if interval not in ("percentile", "basic"):
        raise ValueError(
            f"interval={interval!r} is not available for seeds; use 'percentile' or 'basic'."
        )
    if resample_seeds and max(sample.n_seeds) < 2:
        raise ValueError("drawing seeds needs two or more seeds of A or B.")
    seed = draw_seed(rng)
    kernel = sample.runs.kernel
    drawn = bootstrap([kernel], n_resamples, seed, workers=workers)
    scores = drawn.scores[0]
    n_a, n_b = sample.n_seeds
    shares = _shares(sample, n_resamples, seed) if resample_seeds else (1 / n_a, 1 / n_b)
    replicates = (scores[:, :n_a] * shares[0]).sum(axis=1)
    replicates = replicates - (scores[:, n_a:] * shares[1]).sum(axis=1)
    estimate = sample.difference
    n_differing = 0 if sample.identical else sample.n_units
    count = count_extreme(replicates - estimate, estimate, alternative, sample.noise)
    seeds = "seeds and " if resample_seeds else ""
    ignored: tuple[str, ...] = (_TRAINING,)
    if not resample_seeds:
        ignored += ("the seeds, whose average is treated as fixed",)
    over = f"{seeds}{sample.unit}s, for this training set"
    return SeededOutcome(
        test=f"bootstrap of {seeds}{sample.unit}s",
        estimand=f"mean score of A minus mean score of B over {over}",
        null_hypothesis=null_of(alternative, over),
        alternative=alternative,
        assumptions=(
            f"the {sample.unit}s are independent of each other"
            + (", and so are the seeds" if resample_seeds else ""),
            f"interval: {interval}, {n_resamples} bootstrap resamples",
        ),
        estimate=estimate,
        standard_error=float(replicates.std(ddof=1)) if n_resamples > 1 else 0.0,
        replicates=np.empty(0) if sample.identical else replicates,
        interval=interval,
        n_redrawn=drawn.n_redrawn,
        n_differing=n_differing,
        n_units=sample.n_units,
        n_resamples=n_resamples,
        seed=seed,
        resampled_pvalue=1.0
        if sample.identical
        else counted_share(count, n_resamples, alternative, n_differing),
        how=kernel.how,
        ignored_variance=ignored,
    )


# Leaving out each row costs a metric without a formula a pass over all rows.
_LEFT_OUT_UP_TO = 2_000


def pseudo_values(runs: Predictions) -> list[NDArray[np.float64]] | None:
    """Per-row values whose means are the scores of any metric, for tests of means.

    A run's score plus its jackknife influences: to first order the metric is their mean,
    and its variance theirs (Efron & Tibshirani, 1993, section 11.5).

    Parameters
    ----------
    runs : Predictions
        Outputs of every run, with the metric.

    Returns
    -------
    list of ndarray of shape (n_rows,), or None
        Values of each run; None if the metric is undefined without some row, or too slow.
    """
    kernel = runs.with_rows().kernel
    if kernel.plan.n_atoms > _LEFT_OUT_UP_TO and not hasattr(kernel, "formula"):
        return None
    left_out = kernel.left_out
    if not np.isfinite(left_out).all():
        return None
    influence = (len(left_out) - 1) * (left_out.mean(axis=0) - left_out)
    return list((kernel.scores + influence).T)


def _shares(
    sample: SeededPredictions, n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often every seed is drawn, as a share; the same for both when paired."""
    # Blocks of units use the first children of the seed, however many they are.
    rng = stream(np.random.SeedSequence(seed, spawn_key=(2**32 - 1,)))
    n_a, n_b = sample.n_seeds
    a = _widened(rng.multinomial(n_a, np.full(n_a, 1 / n_a), n_resamples) / n_a)
    if sample.paired_seeds:
        return a, a
    return a, _widened(rng.multinomial(n_b, np.full(n_b, 1 / n_b), n_resamples) / n_b)


def _widened(shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shares about 1/S, so that the variance between S seeds is not (S - 1)/S too small."""
    n = shares.shape[1]
    return 1 / n + (shares - 1 / n) * np.sqrt(n / max(1, n - 1))
