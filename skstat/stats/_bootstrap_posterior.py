"""Posterior of the difference of any metric on a test set, by the Bayesian bootstrap."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _kernels as kernels
from skstat.stats import _posterior as base
from skstat.stats._bootstrap import scores_drawn
from skstat.stats._literature import RUBIN_1981
from skstat.stats._ordering import resolution_of
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import procedure
from skstat.stats._resampling import DEFAULT_RESAMPLES, draw_seed
from skstat.stats._scores import PairedScores, check_count
from skstat.stats._words import smallest_of_signs

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class BootstrapPosterior(base.DifferencePosterior):
    """Probabilities of the difference of any metric, by the Bayesian bootstrap.

    Attributes
    ----------
    estimate : float
        The difference of the scores.
    quantiles : ndarray of shape (999,)
        Quantiles of the difference.
    n_units : int
        Units that were weighed.
    smallest_class : int or None
        Rows of the rarest class, where the metric is one of classes.
    largest_share : float or None
        Largest share of a unit in the variance of the difference, where it is known.
    rope, probabilities, n_telling, n_drawn, seed, references
        As in :class:`Posterior`; `probabilities` are shares of the draws, of which none leaves
        a side less than the signs of so many units can show.
    """

    made_by: ClassVar[str] = "bootstrap_posterior(sample)"
    subject = "the difference"
    by = "the Bayesian bootstrap"
    caveat = "of the same rows as the p-value"
    model = (
        "units like those seen come in unknown shares, which have a Dirichlet law; units of "
        "another kind do not exist"
    )

    _signed = ("estimate",)
    _rising = ("quantiles",)

    estimate: float
    quantiles: np.ndarray
    n_units: int
    smallest_class: int | None = None
    largest_share: float | None = None

    def _quantile(self, share: Any) -> Any:
        return base.from_quantiles(self.quantiles, share)

    def _law(self) -> tuple[Numbers, Numbers] | None:
        return base.density_of_quantiles(self.quantiles)

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        # From the quantiles that are kept.
        own = self.probabilities if rope == self.rope else _shares(self.quantiles, rope)
        return {"none": own, **self._sceptical(rope)}


@procedure(when="of a test set, by any metric", references=(RUBIN_1981,))
def bootstrap_posterior(
    sample: Predictions | PairedScores,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    workers: kernels.Workers = map,
) -> BootstrapPosterior:
    """Posterior of the difference of any metric on a test set, by the Bayesian bootstrap.

    The units (rows, or groups of rows) that were seen are all kinds of units that there are.
    In which shares these come is unknown, and has after the data a Dirichlet law with one unit
    for each [1]_. In every draw the metric of both systems is computed with such shares as
    weights.

    Parameters
    ----------
    sample : Predictions or PairedScores
        Outputs of A and B on one test set, with the metric; or a score of either for every
        instance or group, of which the mean is compared.
    rope : float, default=0.0
        Differences from -rope to rope are practically none, in the unit of the score.
    n_draws : int or None, default=None
        Number of draws; by default 9999.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    workers : map-like callable, default=map
        Computes blocks of resamples, anywhere, in order; for slow metrics.

    Returns
    -------
    BootstrapPosterior
        Its ``probabilities`` (``better``, ``same`` and ``worse``, of A), the errors of drawing,
        and ``credible_interval()``.

    Raises
    ------
    ValueError
        If the units are splits, or rows in time order; if the metric is a function of your own
        that changes when all rows come four times; if `rope` is negative or not finite.

    See Also
    --------
    agreement_posterior : The same of right and wrong answers, without drawing, with a prior.
    paired_bootstrap : The test with a p-value; its resamples have whole counts.

    Notes
    -----
    The weights of n units are exponential, over their mean. Rows that are alike for the metric
    are weighed together, with the gamma law of their sum; nothing is approximated. A function
    that takes no weights is called on whole copies of the rows, four of a row of weight 1,
    which adds up to 1 % to the variance.

    The bootstrap knows no unit of a kind that was not seen. Where all of k units that differ
    favour one system, every draw does, however small k is. So no probability of a side exceeds
    ``1 - 2 ** -(k + 1)``, what their signs can show at most. Over many units it approaches the
    percentile interval of :func:`paired_bootstrap`.

    References
    ----------
    .. [1] Rubin, D. B. (1981). The Bayesian bootstrap. The Annals of Statistics, 9(1),
       130-134. :doi:`10.1214/aos/1176345338`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedScores, bootstrap_posterior
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.8, 0.1, size=200), rng.normal(0.77, 0.1, size=200)
    >>> found = bootstrap_posterior(PairedScores(a, b, unit="instance"), rope=0.01, rng=0)
    >>> found.probabilities.better > 0.9, found.n_drawn
    (True, 9999)
    """
    rope = base.check_rope(rope)
    n_draws = DEFAULT_RESAMPLES if n_draws is None else n_draws
    check_count("n_draws", n_draws)
    if sample.ordered:
        raise ValueError(
            "bootstrap_posterior weighs independent units, and these stand in time order: use "
            "test='diebold_mariano', or posterior(diebold_mariano(sample), rope), for a mean."
        )
    if not can_be_weighed(sample):
        raise ValueError(
            "bootstrap_posterior is for instances, or for groups as sample.per_group() makes "
            f"them, and unit={sample.unit!r}; else use the posterior of a test."
        )
    seed = draw_seed(rng)
    if isinstance(sample, PairedScores):
        kernel = kernels.kernel_of_means(np.column_stack([sample.a, sample.b]))
        of_means = WeightedScores.of(kernel, n_draws, seed, workers)
        return of_means.posterior(0, 1, rope, kernel.n_differing)
    sample.check_two()
    drawn, (a, b) = WeightedScores.of_predictions(sample, n_draws, seed, workers)
    return drawn.posterior(a, b, rope, sample.kernel.n_differing)


def can_be_weighed(sample: Any) -> bool:
    """Whether the Bayesian bootstrap is for a sample: independent rows or groups."""
    known = isinstance(sample, Predictions)
    if isinstance(sample, PairedScores):
        known = sample.unit in ("instance", "group") and sample.groups is None
    return known and not sample.ordered


def is_right_or_wrong(sample: Any) -> bool:
    """Whether the scores of instances are all 0 or 1."""
    if not (isinstance(sample, PairedScores) and sample.unit == "instance"):
        return False
    return bool(np.isin([sample.a, sample.b], (0, 1)).all())


def _shares(
    differences: Numbers, rope: float, noise: float = 0.0, most: float = 1.0
) -> base.Probabilities:
    """Shares of draws beyond the region and in it; without one ties are halved.

    No side has more than `most`, and without a region none has less than what is left of 1.
    """
    ties = float(np.mean(differences == 0)) / 2 if rope == 0 else 0.0
    better, worse = (
        min(most, float(np.mean(side * differences > rope + noise)) + ties) for side in (1, -1)
    )
    if rope == 0:
        better, worse = max(better, 1 - most), max(worse, 1 - most)
    return base.Probabilities.beyond(better, worse, rope)


def _check_copies(kernel: kernels.CallableKernel) -> None:
    """Refuse a function whose value depends on how often all rows come."""
    copied = kernel.weighted(np.full((1, kernel.plan.n), kernels.COPIES, dtype=np.int64))[0]
    if not np.allclose(copied, kernel.scores, rtol=1e-6, atol=0, equal_nan=True):
        raise ValueError(
            f"the metric is not the same when all rows come {kernels.COPIES} times "
            f"({copied[0]:.6g}, not {kernel.scores[0]:.6g}), so that it has no value for "
            "weighted rows. Leave rope= out, or pass a mean where it is a sum."
        )


class WeightedScores(NamedTuple):
    """Draws of the scores of several systems, from which every pair is read.

    Attributes
    ----------
    drawn : ndarray of shape (n_draws, n_systems)
        Their scores with weights of the units.
    kernel : Kernel
        What scores the systems.
    seed : int
        Seed of the draws.
    """

    drawn: Numbers
    kernel: kernels.Kernel
    seed: int

    @classmethod
    def of(
        cls, kernel: kernels.Kernel, n_draws: int, seed: int, workers: kernels.Workers = map
    ) -> "WeightedScores":
        """Draw scores of all systems with weights of the units."""
        drawn = kernels.bootstrap(kernel, n_draws, seed, workers=workers, smooth=True).scores
        return cls(drawn, kernel, seed)

    @classmethod
    def of_predictions(
        cls, sample: Predictions, n_draws: int, seed: int, workers: kernels.Workers = map
    ) -> tuple["WeightedScores", list[int]]:
        """Draw them for all systems of a family, of which some are at the places returned."""
        kernel = (sample.family or sample).kernel
        if isinstance(kernel, kernels.CallableKernel):
            _check_copies(kernel)
        drawn, kernel, places = scores_drawn(sample, n_draws, seed, workers, smooth=True)
        return cls(drawn.scores, kernel, seed), places

    def best(self, names: Sequence[str], rope: float) -> base.BestPosterior:
        """Read who is the best of all."""
        return base.best_of_draws(names, rope, [self.drawn], self.seed)

    def posterior(self, a: int, b: int, rope: float, n_differing: int) -> BootstrapPosterior:
        """Read the posterior of two systems, which differ on so many units."""
        kernel = self.kernel
        scores = kernel.scores[[a, b]]
        noise = resolution_of(scores)
        differences = self.drawn[:, a] - self.drawn[:, b]
        differences = np.where(np.abs(differences) <= noise, 0.0, differences)
        # What the signs of so many units can show at most.
        most = 1 - smallest_of_signs("greater", n_differing) / 2
        estimate = float(scores[0] - scores[1])
        return BootstrapPosterior(
            rope=rope,
            probabilities=_shares(differences, rope, noise, most),
            estimate=0.0 if abs(estimate) <= noise else estimate,
            quantiles=base.quantiles_of(differences),
            n_units=kernel.plan.n_units,
            n_telling=n_differing,
            n_drawn=len(differences),
            seed=self.seed,
            smallest_class=min((n for n in kernel.class_sizes or () if n), default=None),
            largest_share=kernels.largest_share(kernel, a, b),
            references=(RUBIN_1981,),
        )
