"""The paired permutation test of any metric: systems swap their outputs."""

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from skstat.stats._bootstrap import (
    Drawn,
    check_resampling,
    draw_differences,
    jackknife_error,
    resampled_fields,
)
from skstat.stats._flips import EXHAUSTIVE_UP_TO, all_flips, drawn_flips
from skstat.stats._kernels import Kernel
from skstat.stats._outcomes import above_zero, smallest_of_signs
from skstat.stats._predictions import PairedPredictions
from skstat.stats._replicates import Workers, draw_seed, permutations
from skstat.stats._resampled import Interval, ResampledOutcome, counted_share
from skstat.stats._samples import check_alternative
from skstat.stats._sign import sign_pvalue
from skstat.stats._sign_flip import count_extreme

# One swap of each unit costs a metric a unit, where no formula gives it.
_SINGLE_SWAPS_UP_TO = 5_000
_EXACT_FLOATS = 50  # up to 2^50 ways are exact as floats


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationOutcome(ResampledOutcome):
    """Outcome of the swap permutation test, with a bootstrap interval beside.

    Attributes
    ----------
    exact : bool
        Whether all permutations were counted.
    studentized : bool
        Whether the difference was divided by its standard error.
    """

    exact: bool = False
    studentized: bool = False

    @property
    def monte_carlo_error(self) -> float:
        return 0.0 if self.exact else super().monte_carlo_error

    @property
    def smallest_pvalue(self) -> float:
        if self.exact and self.n_differing:
            return smallest_of_signs(self.alternative, self.n_differing)
        return super().smallest_pvalue


def paired_permutation(
    sample: PairedPredictions,
    *,
    n_resamples: int = 9_999,
    studentize: bool = False,
    interval: Interval = "percentile",
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
    workers: Workers = map,
) -> PermutationOutcome:
    """Paired permutation (swap, approximate randomisation) test of any metric.

    Under the null hypothesis A and B could change places on every unit (row or group).
    Their outputs are swapped on random units and the metric is computed anew ([1]_,
    [2]_): ``p = (1 + #{|d*| >= |d|}) / (1 + B)``, ties counted within float noise. All
    permutations are counted when they, or those that differ by how many units of each
    kind swap, are no more than `n_resamples`; for means of per-unit scores as in
    :func:`sign_flip`. The interval is that of the paired bootstrap, since a permutation
    test of a general metric has none.

    Parameters
    ----------
    sample : PairedPredictions
        Outputs of A and B on one test set, with the metric.
    n_resamples : int, default=9999
        Permutations, and bootstrap resamples for the interval.
    studentize : bool, default=False
        Divide the difference by its standard error in every permutation, which makes
        the test robust to systems that differ in other ways than their score.
    interval : {"percentile", "basic", "studentized", "bca"}, default="percentile"
        Kind of bootstrap interval.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher.
    workers : map-like callable, default=map
        Computes blocks of resamples, anywhere, in order; for slow metrics.

    Returns
    -------
    PermutationOutcome
        The test's numbers.

    Raises
    ------
    ValueError
        If an argument is unknown, rows are in time order (their order would be part of
        the hypothesis), or the metric is undefined on more than 1 % of the permutations.

    References
    ----------
    .. [1] Noreen, E. W. (1989). Computer-Intensive Methods for Testing Hypotheses. Wiley.
    .. [2] Yeh, A. (2000). More accurate tests for the statistical significance of result
       differences. COLING, 947-953.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedPredictions, paired_permutation
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a": [1] * 8, "b": [1, 1, 1, 0, 0, 0, 0, 0]}
    >>> outcome = paired_permutation(PairedPredictions([1] * 8, outputs, accuracy), rng=0)
    >>> outcome.exact, outcome.pvalue
    (True, 0.0625)
    """
    check_alternative(alternative)
    check_resampling(n_resamples, interval)
    if sample.ordered:
        raise ValueError(
            "rows in time order depend on each other, so that they cannot be swapped one by "
            "one; use the block bootstrap (paired_bootstrap), or diebold_mariano for the "
            "mean of a loss."
        )
    drawn = draw_differences(sample, n_resamples, interval, draw_seed(rng), workers)
    return permutation_outcome(sample, drawn, studentize, alternative, workers)


def permutation_outcome(
    sample: PairedPredictions,
    drawn: Drawn,
    studentize: bool,
    alternative: str,
    workers: Workers,
) -> PermutationOutcome:
    """Draw permutations from the seed of bootstrap replicates, and wrap both."""
    pvalue, exact, n_redrawn = _pvalue(
        sample, drawn.n_resamples, studentize, alternative, drawn.seed, workers
    )
    fields = resampled_fields(sample, drawn, alternative)
    fields["n_redrawn"] += n_redrawn
    kind = "exact" if exact else "drawn"
    what = sample.kernel.what_swaps
    words = "studentised paired" if studentize else "paired"
    return PermutationOutcome(
        test=f"{words} permutation test, {what} swapped by {sample.unit} ({kind})",
        **fields,
        resampled_pvalue=pvalue,
        exact=exact,
        studentized=studentize,
        null_hypothesis=f"A and B could change places on every {sample.unit}",
    )


def _pvalue(
    sample: PairedPredictions,
    n_resamples: int,
    studentize: bool,
    alternative: str,
    seed: int,
    workers: Workers,
) -> tuple[float, bool, int]:
    """p-value, whether it is exact, and how many permutations were drawn anew."""
    kernel = sample.kernel
    if sample.identical:
        return 1.0, True, 0
    observed, tolerance = sample.difference, sample.noise
    terms = kernel.mean_differences
    if terms is not None:
        # Studentising changes nothing here: a flip of signs keeps the sum of squares,
        # so that t is a monotone function of the mean.
        pvalue, exact = _of_mean(
            kernel, terms, observed, tolerance, n_resamples, alternative, seed
        )
        return pvalue, exact, 0
    student = _Studentizer.of(kernel) if studentize else None
    patterns = _all_swaps(kernel, n_resamples)
    if patterns is not None:
        atoms, ways, chances = patterns
        # A pattern has a number for every atom of the test set: not all patterns at once.
        size = kernel.block_size
        parts = [ways[start : start + size] for start in range(0, len(ways), size)]
        scores = np.concatenate(list(workers(_Swapped(kernel, atoms), parts)))
        values = scores[:, 0] - scores[:, 1]
        if not np.isfinite(values).all():
            raise ValueError("the metric is undefined when some outputs are swapped.")
        if student is not None:
            values = student(values, ways @ student.terms[atoms])
            observed, tolerance = student.observed(observed, tolerance)
        extreme = _extreme(values, observed, alternative, tolerance)
        # The pattern observed counts, and its opposite, whatever their standard errors.
        n_differing = int(kernel.plan.multiplicity[kernel.differing].sum())
        least = smallest_of_signs(alternative, n_differing)
        return above_zero(min(1.0, max(least, float(chances[extreme].sum())))), True, 0
    drawn = permutations(
        kernel,
        n_resamples,
        seed,
        terms=None if student is None else student.terms[:, None],
        workers=workers,
    )
    values = drawn.scores[0][:, 0] - drawn.scores[0][:, 1]
    if student is not None:
        values = student(values, drawn.sums[:, 0])
        observed, tolerance = student.observed(observed, tolerance)
    count = count_extreme(values, observed, alternative, tolerance)
    n_differing = int(kernel.plan.multiplicity[kernel.differing].sum())
    pvalue = counted_share(count, n_resamples, alternative, n_differing)
    return pvalue, False, drawn.n_redrawn


def _of_mean(
    kernel: Kernel,
    terms: NDArray[np.float64],
    observed: float,
    tolerance: float,
    n_resamples: int,
    alternative: str,
    seed: int,
) -> tuple[float, bool]:
    """Flip the signs of per-unit differences, whose sum is the difference."""
    active = np.abs(terms) > tolerance / kernel.plan.n_units
    terms, counts = terms[active], kernel.plan.multiplicity[active]
    n = int(counts.sum())
    if n == 0:
        return 1.0, True
    sizes = np.abs(terms)
    if np.ptp(sizes) <= 1e-10 * sizes.max():
        return sign_pvalue(int(counts[terms > 0].sum()), n, alternative), True
    units = np.repeat(terms, counts)
    observed = float(units.sum())
    if n <= EXHAUSTIVE_UP_TO:
        sums = observed - 2 * all_flips(units)[0]
        return count_extreme(sums, observed, alternative, tolerance) / len(sums), True
    if len(terms) < n // 20:  # many units of few kinds: draw how many of each swap
        rng = np.random.default_rng(seed)
        flipped = rng.binomial(counts, 0.5, (n_resamples, len(terms))) @ terms
    else:
        flipped, _ = drawn_flips(units, n_resamples, seed)
    count = count_extreme(observed - 2 * flipped, observed, alternative, tolerance)
    return (1 + count) / (1 + n_resamples), False


def _all_swaps(
    kernel: Kernel, n_resamples: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]] | None:
    """All ways to swap that differ by how many units of each atom swap; None if too many.

    Returns the atoms that may matter, how many units of them swap in every way, and the
    chance of every way.
    """
    atoms = np.flatnonzero(kernel.differing)
    counts = kernel.plan.multiplicity[atoms]
    if np.sum(np.log2(counts + 1.0)) > math.log2(n_resamples) + 1e-9:
        return None
    ways = np.array(list(product(*(range(count + 1) for count in counts))), dtype=np.int64)
    if counts.sum() <= _EXACT_FLOATS:
        return atoms, ways, special.comb(counts, ways).prod(axis=1) / 2.0 ** counts.sum()
    return atoms, ways, stats.binom.pmf(ways, counts, 0.5).prod(axis=1)


@dataclass(frozen=True, eq=False)
class _Swapped:
    """Scores of some ways to swap some atoms; a class, so that workers can have it."""

    kernel: Kernel
    atoms: NDArray[np.int64]

    def __call__(self, ways: NDArray[np.int64]) -> NDArray[np.float64]:
        swaps = np.zeros((len(ways), self.kernel.plan.n_atoms), dtype=np.int64)
        swaps[:, self.atoms] = ways
        return self.kernel.swapped(swaps)


def _extreme(
    values: NDArray[np.float64], observed: float, alternative: str, tolerance: float
) -> NDArray[np.bool_]:
    if alternative == "two-sided":
        return np.abs(values) >= abs(observed) - tolerance
    if alternative == "greater":
        return values >= observed - tolerance
    return values <= observed + tolerance


@dataclass(frozen=True, eq=False)
class _Studentizer:
    """Standard errors of swapped differences, by linear terms whose signs a swap flips.

    Once outputs are swapped both systems are mixtures of A and B, which the terms
    describe. The observed difference has the standard error of A and B as they are: if
    one errs in rare large steps and the other in many small ones, theirs is the larger.
    """

    terms: NDArray[np.float64]
    total: float
    squares: float
    n: int
    own_error: float

    @classmethod
    def of(cls, kernel: Kernel) -> "_Studentizer":
        m = kernel.plan.multiplicity
        if kernel.plan.n_atoms > _SINGLE_SWAPS_UP_TO and not hasattr(kernel, "formula"):
            raise ValueError(
                f"studentize=True computes the metric with each of the "
                f"{kernel.plan.n_atoms} units swapped, too many for this metric; leave it "
                "out, or use groups."
            )
        terms = kernel.swap_terms()
        return cls(
            terms=terms,
            total=float(m @ terms),
            squares=float(m @ terms**2),
            n=kernel.plan.n_units,
            own_error=jackknife_error(kernel),
        )

    def __call__(self, values: Any, flipped: Any) -> NDArray[np.float64]:
        variance = self.squares - (self.total - 2 * flipped) ** 2 / self.n
        # A permutation that favours one system on every unit has no variance left, and
        # is as extreme as can be.
        smallest = 1e-12 * self.squares
        scale = self.n / max(1, self.n - 1)
        return np.asarray(values / np.sqrt(scale * np.maximum(variance, smallest)))

    def observed(self, value: float, tolerance: float) -> tuple[float, float]:
        own = math.isfinite(self.own_error) and self.own_error > 0
        scale = 1 / self.own_error if own else abs(float(self(1.0, 0.0)))
        return value * scale, tolerance * scale
