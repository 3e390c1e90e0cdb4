"""The paired permutation test of any metric: systems swap their outputs."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats._common import check_choice, procedure, tails
from skstat.stats._literature import NOREEN_1989, ROBINSON_1982, YEH_2000
from skstat.stats._outcomes import INTERVALS as OF_BOOTSTRAP
from skstat.stats._outcomes import Comparison, smallest_of_signs
from skstat.stats._paired import sign_pvalue
from skstat.stats._resampling import (
    DEFAULT_RESAMPLES,
    EXHAUSTIVE_UP_TO,
    CallableKernel,
    Kernel,
    SumKernel,
    Workers,
    atoms,
    draw_seed,
    drawn_flips,
    flips_are_smooth,
    permutations,
)
from skstat.stats._samples import PairedPredictions, check_alternative
from skstat.stats._test_set.bootstrap import (
    Drawn,
    assumptions_of,
    check_resampling,
    draw_differences,
    independence,
    jackknife_error,
    no_shorter,
    numbers_of,
    words_about,
)
from skstat.stats._test_set.permutation_outcome import (
    Permuted,
    PermutedByCount,
    PermutedSmoothly,
    Shift,
    Swaps,
)

PermutationInterval = Literal["permutation", "percentile", "basic", "bca"]
StandardError = Literal["bootstrap", "jackknife"]
INTERVALS = ("permutation", *OF_BOOTSTRAP)
# One swap of each unit costs a metric a unit, where no formula gives it.
_SINGLE_SWAPS_UP_TO = 5_000
_NO_CHANCE = 1e-20
_SMALLEST_LEVEL = 1e-4  # that of one of 500 comparisons
# More units that are counted by kind are not written out one by one.
_UNITS_AT_ONCE = 1 << 20
_ALIKE = 20  # units for each term
_EXACT_FLOATS = 50  # up to 2^50 ways are exact as floats


@procedure(
    title="the permutation test that swaps the systems' outputs",
    when="any metric: swaps rows or whole groups",
    because="this test needs no formula for the metric",
    references=(NOREEN_1989, YEH_2000),
)
def paired_permutation(
    sample: PairedPredictions,
    *,
    n_resamples: int | None = None,
    studentize: bool = False,
    interval: PermutationInterval = "permutation",
    standard_error: StandardError = "bootstrap",
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
    workers: Workers = map,
) -> Comparison:
    """Paired permutation (swap, approximate randomisation) test of any metric.

    Under the null hypothesis A and B are exchangeable on every unit (row or group). Their
    outputs are swapped on random units and the metric is computed anew ([1]_, [2]_): ``p = (1
    + #{|d*| >= |d|}) / (1 + B)``, ties counted within float noise. All permutations are
    counted when they, or those that differ by how many units of each kind swap, are no more
    than `n_resamples`; for means of per-unit scores as in :func:`sign_flip`, which of 500
    units and more draws none.

    The interval inverts the test ([3]_, section 15.4, for shifts), so that it excludes 0
    exactly when the test rejects. With the law of the swapped differences taken as that of
    ``estimate - delta``, up to its spread, it holds the differences delta with
    ``|estimate - delta| / s(delta) <= c / s(0)``, where c is the largest ``|d*|`` that is not
    rejected, and ``s(delta)^2 = sum (u - w delta)^2`` over the units, with what u each of
    them adds to the difference and its share w of the rows (s is constant for slow metrics
    of many units, and where the test is studentised, which has standard errors). At 0 it is
    as exact as the test; elsewhere it is an approximation.

    Parameters
    ----------
    sample : PairedPredictions
        Outputs of A and B on one test set, with the metric.
    n_resamples : int or None, default=None
        Permutations, and bootstrap resamples for the interval. None draws 9999, and none at
        all where a saddlepoint approximation answers.
    studentize : bool, default=False
        Divide the difference by its standard error in every permutation, which makes
        the test robust to systems that differ in other ways than their score.
    interval : {"permutation", "percentile", "basic", "bca"}
        ``"permutation"`` (default): the differences that this test does not reject. Others:
        kinds of bootstrap intervals, which may contradict the test.
    standard_error : {"bootstrap", "jackknife"}, default="bootstrap"
        ``"bootstrap"``: that of bootstrap replicates, which check the test. ``"jackknife"``
        draws none for it, which is quicker where there are many comparisons; a metric without
        a formula, or one that is undefined without some unit, has that of the bootstrap all
        the same. The saddlepoint approximation always has that of the jackknife.
    rng : int, numpy.random.Generator or None, default=None
        Source of the draws.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.
    workers : map-like callable, default=map
        Computes blocks of resamples, anywhere, in order; for slow metrics.

    Returns
    -------
    Comparison
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
    .. [3] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman &
       Hall.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import PairedPredictions, paired_permutation
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a": [1] * 8, "b": [1, 1, 1, 0, 0, 0, 0, 0]}
    >>> sample = PairedPredictions([1] * 8, outputs, accuracy)
    >>> outcome = paired_permutation(sample, n_resamples=999, rng=0)
    >>> outcome.law.exact, outcome.pvalue
    (True, 0.0625)
    """
    check_alternative(alternative)
    asked = DEFAULT_RESAMPLES if n_resamples is None else n_resamples
    check_resampling(asked, interval, INTERVALS)
    if sample.ordered:
        raise ValueError(
            "rows in time order depend on each other, so that they cannot be swapped one by "
            "one; use the block bootstrap (paired_bootstrap), or diebold_mariano for the "
            "mean of a loss."
        )
    check_choice("standard_error", standard_error, get_args(StandardError))
    seed = draw_seed(rng)
    kind = "percentile" if interval == "permutation" else interval
    return permutation_outcome(
        sample,
        partial(draw_differences, sample, asked, kind, seed, workers),
        n_resamples=asked,
        seed=seed,
        must_draw=n_resamples is not None,
        studentize=studentize,
        interval=interval,
        standard_error=standard_error,
        alternative=alternative,
        workers=workers,
    )


def permutation_outcome(
    sample: PairedPredictions,
    draw: Callable[[], Drawn],
    *,
    n_resamples: int,
    seed: int,
    must_draw: bool,
    studentize: bool = False,
    interval: str = "permutation",
    standard_error: str = "bootstrap",
    alternative: str,
    workers: Workers,
) -> Comparison:
    """Swap outputs, beside the bootstrap replicates that `draw` gives."""
    found, numbers = None, numbers_of(sample)
    if interval != "permutation":
        drawn = draw()
        assumptions: tuple[str, ...] = assumptions_of(sample, drawn, numbers["spread"])
    else:
        if not (must_draw or sample.identical):
            found = _without_draws(sample)
        by_jackknife = found is not None or standard_error == "jackknife"
        error = _jackknife_error(sample) if by_jackknife else None
        checks = error is None or standard_error == "bootstrap"
        # Where no permutation is rare enough at a level that somebody may ask for, the
        # interval takes the replicates too.
        rarest = smallest_of_signs(alternative, numbers["n_differing"])
        few = max(rarest, 1 / (1 + n_resamples)) > _SMALLEST_LEVEL
        drawn, without = _drawn_beside(draw if checks or few else None, n_resamples, seed)
        if error is not None:
            drawn = replace(drawn, standard_error=error, n_redrawn=0)
        kept = (
            "interval: the differences that the test does not reject, if all units shift alike"
        )
        kept += no_shorter(numbers["spread"]) + without * checks
        assumptions = independence(sample), kept
    numbers |= drawn.fields() | {"limits_by": interval}
    if found is None and not sample.identical:
        found = _find(sample, n_resamples, studentize, seed, workers)
    pvalue = 1.0
    if found is not None:
        pvalue = found.pvalue(alternative)
        numbers |= found.fields | {"n_redrawn": drawn.n_redrawn + found.n_redrawn}
    law = Swaps(**numbers, own_pvalue=pvalue)
    smooth = isinstance(law.permuted, PermutedSmoothly)
    kind = "saddlepoint approximation" if smooth else "exact" if law.exact else "drawn"
    words = "studentised paired" if studentize else "paired"
    return Comparison(
        test=f"{words} permutation test, {sample.kernel.what_swaps} swapped by {sample.unit} "
        f"({kind})",
        **words_about(sample, alternative),
        assumptions=assumptions,
        null_hypothesis=f"A and B are exchangeable on every {sample.unit}",
        references=(NOREEN_1989, YEH_2000, *[ROBINSON_1982] * smooth),
        law=law,
    )


def _drawn_beside(
    draw: Callable[[], Drawn] | None, n_resamples: int, seed: int
) -> tuple[Drawn, str]:
    """Draw replicates as a check, and say why where there are none.

    There are none where the metric is undefined on too many resamples.
    """
    none = Drawn(standard_error=math.nan, n_resamples=n_resamples, seed=seed)
    if draw is None:
        return none, ""
    try:
        return draw(), ""
    except ValueError:
        return none, (
            "; no bootstrap interval as a check, because the metric is undefined on too "
            "many resamples (strata=y_true keeps every class in them)"
        )


def _jackknife_error(sample: PairedPredictions) -> float | None:
    """Standard error without draws, where a formula gives it."""
    if isinstance(sample.kernel, CallableKernel):
        return None
    found = jackknife_error(sample.kernel)
    return found if math.isfinite(found) else None


def _without_draws(sample: PairedPredictions) -> "_Found | None":
    """Law of a mean over many units by saddlepoint, where that is near enough."""
    kernel = sample.kernel
    terms = kernel.mean_differences
    if terms is None:
        return None
    units = _active_units(kernel, terms, sample.noise)
    # Where many are alike, how many of each kind swap is drawn as quickly as it is written.
    if len(units) > _ALIKE * len(terms) or not flips_are_smooth(units):
        return None
    values, counts = atoms(np.abs(units))
    law = PermutedSmoothly(
        values=values, counts=counts, noise=sample.noise, n_differing=len(units)
    )
    shift = Shift.of(kernel, _shares(sample))
    return _Found(law=law, observed=float(units.sum()), shift=shift)


def _active_units(
    kernel: Kernel, terms: NDArray[np.float64], noise: float
) -> NDArray[np.float64]:
    """Terms of the units that a swap changes, one for each."""
    active = np.abs(terms) > noise / kernel.plan.n_units
    counts = kernel.plan.multiplicity[active]
    return terms[active] if np.all(counts == 1) else np.repeat(terms[active], counts)


@dataclass(frozen=True, eq=False)
class _Found:
    """Law of the statistic, and what was observed, in units of `scale`."""

    law: Permuted
    observed: float
    scale: float = 1.0
    shift: Shift = field(default_factory=Shift)
    n_redrawn: int = 0
    # Of signs alone the p-value has a formula with more digits.
    signs: tuple[int, int] | None = None

    def pvalue(self, alternative: str) -> float:
        if self.signs is not None:
            return sign_pvalue(*self.signs, alternative)
        return self.law.pvalue(self.observed, alternative)

    @property
    def fields(self) -> dict[str, Any]:
        """What the law of the outcome takes over."""
        found = {"permuted": self.law, "scale_of_statistic": self.scale, "shift": self.shift}
        if isinstance(self.law, PermutedSmoothly):
            found |= {"n_resamples": 0, "seed": None, "how": ""}
        return found


def _find(
    sample: PairedPredictions, n_resamples: int, studentize: bool, seed: int, workers: Workers
) -> _Found:
    """Swap outputs in all ways, or in drawn ones."""
    kernel = sample.kernel
    n_differing = int(kernel.plan.multiplicity[kernel.differing].sum())
    observed, noise = sample.difference, sample.noise
    shift = Shift.of(kernel, _shares(sample))
    terms = kernel.mean_differences
    if terms is not None:
        # Studentising changes nothing here: a flip of signs keeps the sum of squares,
        # so that t is a monotone function of the mean.
        return replace(_of_mean(kernel, terms, noise, n_resamples, seed), shift=shift)
    student = _Studentizer.of(kernel) if studentize else None
    if student is not None and not student.squares > 0:  # no unit moves the mixtures
        student = None
    patterns = _all_swaps(kernel, n_resamples)
    chances, n_redrawn = None, 0
    if patterns is not None:
        atoms, ways, chances = patterns
        # A pattern has a number for every atom of the test set: not all patterns at once.
        size = kernel.block_size
        parts = [ways[start : start + size] for start in range(0, len(ways), size)]
        scores = np.concatenate(list(workers(_Swapped(kernel, atoms), parts)))
        if not np.isfinite(scores).all():
            raise ValueError("the metric is undefined when some outputs are swapped.")
        flipped = None if student is None else ways @ student.terms[atoms]
    else:
        drawn = permutations(
            kernel,
            n_resamples,
            seed,
            terms=None if student is None else student.terms[:, None],
            workers=workers,
        )
        scores, n_redrawn = drawn.scores[0], drawn.n_redrawn
        flipped = None if student is None else drawn.sums[:, 0]
    values, scale = scores[:, 0] - scores[:, 1], 1.0
    if student is not None:
        values, scale, shift = student(values, flipped), student.error, Shift()
    law = PermutedByCount(
        values=values,
        chances=chances,
        drawn=patterns is None,
        noise=noise / scale,
        n_differing=n_differing,
    )
    return _Found(law, observed / scale, scale, shift, n_redrawn)


def _shares(sample: PairedPredictions) -> NDArray[np.float64]:
    """Share of the test set that one unit of each atom is."""
    kernel = sample.kernel
    if isinstance(kernel, SumKernel) and kernel.is_mean:
        weights = np.asarray(kernel.common, dtype=float)[:, 0]
    elif sample.groups is not None:
        weights = np.bincount(sample.groups).astype(float)
    else:
        weights = np.ones(kernel.plan.n_atoms)
    return weights / float(kernel.plan.multiplicity @ weights)


def _of_mean(
    kernel: Kernel,
    terms: NDArray[np.float64],
    noise: float,
    n_resamples: int,
    seed: int,
) -> _Found:
    """Flip the signs of per-unit differences, whose sum is the difference."""
    active = np.abs(terms) > noise / kernel.plan.n_units
    terms, counts = terms[active], kernel.plan.multiplicity[active]
    n = int(counts.sum())
    law = PermutedByCount(noise=noise, n_differing=n)
    if n == 0:
        return _Found(law=law, observed=0.0)
    sizes = np.abs(terms)
    if np.ptp(sizes) <= 1e-10 * sizes.max():
        wins, size = int(counts[terms > 0].sum()), float(sizes.mean())
        near = _within_reach(n)
        chances = tails.laws().binom.pmf(near, n, 0.5)
        likely = chances > _NO_CHANCE  # of a million counts, some thousands
        values = np.asarray(size * (2.0 * near[likely] - n), dtype=np.float64)
        law = replace(law, values=values, chances=chances[likely])
        return _Found(law=law, observed=size * (2 * wins - n), signs=(wins, n))
    by_kind = len(terms) < n // _ALIKE  # many units of few kinds
    if by_kind and n > _UNITS_AT_ONCE:
        observed = float(counts @ terms)
    else:
        units = np.repeat(terms, counts)
        observed = float(units.sum())
    if n <= EXHAUSTIVE_UP_TO:
        return _Found(law=replace(law, flips=units), observed=observed)
    if by_kind:  # draw how many of each swap
        rng = np.random.default_rng(seed)
        flipped = rng.binomial(counts, 0.5, (n_resamples, len(terms))) @ terms
    else:
        flipped, _ = drawn_flips(units, n_resamples, seed)
    law = replace(law, values=np.asarray(observed - 2 * flipped, dtype=np.float64), drawn=True)
    return _Found(law=law, observed=observed)


def _within_reach(n: int) -> NDArray[np.int64]:
    """Numbers of heads of n fair coins, but those that have no chance that counts.

    Twenty standard deviations from the middle the chance is below exp(-200).
    """
    reach = 10 * math.isqrt(n) + 10
    return np.arange(max(0, n // 2 - reach), min(n, n // 2 + reach) + 1, dtype=np.int64)


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
    return atoms, ways, tails.laws().binom.pmf(ways, counts, 0.5).prod(axis=1)


@dataclass(frozen=True, eq=False)
class _Swapped:
    """Scores of some ways to swap some atoms; a class, so that workers can have it."""

    kernel: Kernel
    atoms: NDArray[np.int64]

    def __call__(self, ways: NDArray[np.int64]) -> NDArray[np.float64]:
        swaps = np.zeros((len(ways), self.kernel.plan.n_atoms), dtype=np.int64)
        swaps[:, self.atoms] = ways
        return self.kernel.swapped(swaps)


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

    @property
    def error(self) -> float:
        """Standard error of the observed difference; that of the mixtures if it has none."""
        if math.isfinite(self.own_error) and self.own_error > 0:
            return self.own_error
        return 1 / abs(float(self(1.0, 0.0)))
