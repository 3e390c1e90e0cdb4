"""The paired permutation test of any metric: systems swap their outputs."""

import math
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat.stats import _bootstrap as bootstrapped
from skstat.stats import _chance as tails
from skstat.stats._family import Comparison
from skstat.stats._flips import Permuted, law_of_flips
from skstat.stats._kernels import CallableKernel, Kernel, SumKernel, Workers, draw
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import check_choice, procedure, works
from skstat.stats._words import smallest_of_signs

PermutationInterval = Literal["permutation", "percentile", "basic", "bca"]
StandardError = Literal["bootstrap", "jackknife"]
INTERVALS = ("permutation", *bootstrapped.INTERVALS)
# Without a formula, single swaps cost one call of the metric per unit.
_SINGLE_SWAPS_UP_TO, _SHIFTED_UP_TO = 5_000, 200
_SMALLEST_LEVEL = 1e-4  # that of one of 500 comparisons
_EXACT_FLOATS = 50  # up to 2^50 ways are exact as floats
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class Swaps(bootstrapped.Replicates):
    """The law of the difference under swaps of outputs, together with bootstrap replicates.

    The statistic is the difference. The limits are those of the differences that the test does
    not reject, unless `limits_by` asks for another kind.

    Where every unit's difference is shifted by delta, the spread of the statistic changes:
    with unit terms u that add up to the difference, and shares w that add up to 1, the sum of
    squares of ``u - w * delta`` over that of u is ``1 - 2 * slope * delta + curve * delta^2``.

    Attributes
    ----------
    limits_by : {"permutation", "percentile", "basic", "bca"}
        ``"permutation"``: the differences that the test does not reject; else how limits
        are made of the replicates.
    permuted : Permuted or None
        The law of the statistic; None of systems that are the same.
    slope, curve : float
        How the spread of the statistic changes with a shift of all units.
    """

    _signed = (*bootstrapped.Replicates._signed, "slope")

    limits_by: str = "permutation"
    permuted: Permuted | None = None
    slope: float = 0.0
    curve: float = 0.0

    @property
    def smooth(self) -> bool:
        """Whether the law of the statistic is a saddlepoint approximation."""
        return self.permuted is not None and self.permuted.smooth is not None

    @property
    def exact(self) -> bool:
        """Whether all permutations were counted."""
        return self.permuted is None or not (self.permuted.drawn or self.smooth)

    @property
    def inverts_test(self) -> bool:  # type: ignore[override]
        return self.limits_by == "permutation"

    @property
    def n_drawn(self) -> int:
        return 0 if self.exact else super().n_drawn

    def limits(self, tail: float) -> tuple[float, float]:
        return self.interval("two-sided", 2 * tail)

    def interval(self, alternative: str, alpha: float) -> tuple[float, float]:
        # A difference delta is accepted when the distance of the estimate from it, relative to
        # the spread that swaps have among units shifted by delta, is not extreme in the law of
        # the permutations. For delta = 0 that is the test itself, so that the interval excludes
        # 0 exactly when the test rejects.
        tail = alpha / 2 if alternative == "two-sided" else alpha
        law = self.permuted
        if not self.inverts_test or law is None:
            return super().limits(tail)
        turn = -1 if alternative == "less" else 1
        estimate, critical = turn * self.estimate, law.largest_accepted(alpha, alternative)
        unbounded = math.isinf(critical)
        reach = max(law.largest(alternative), abs(estimate)) if unbounded else critical
        if reach < 0:  # one-sided, at levels under 50 %
            low, high = estimate - reach, math.inf
        else:
            low, high = _shifts(estimate, reach, turn * self.slope, self.curve)
        distance = abs(estimate) if alternative == "two-sided" else estimate
        if distance <= reach + law.noise:
            low, high = min(low, 0.0), max(high, 0.0)
        low, high = (low, high) if turn > 0 else (-high, -low)
        if unbounded:
            # So few units differ that the test can never reject: take the wider of the limits
            # of all permutations and of the bootstrap.
            drawn = super().limits(tail)
            if math.isnan(drawn[0]):  # nothing bounds it
                return -math.inf, math.inf
            low, high = min(low, drawn[0]), max(high, drawn[1])
        return self.no_shorter(low, high, tail)

    @property
    def by_replicates(self) -> "Swaps":
        """The law with limits by percentiles of the replicates, as a check."""
        return replace(self, limits_by="percentile")


def _shifts(estimate: float, reach: float, slope: float, curve: float) -> tuple[float, float]:
    """Return the ends of the shifts delta with ``abs(estimate - delta) <= reach * s(delta)``.

    The interval is the one that contains the estimate. It contains 0 exactly when
    ``abs(estimate) <= reach``.
    """
    # curve * reach^2 is at most 1 for groups of one size. Where it is more, the spread grows
    # faster than the distance from the estimate.
    a = 1 - curve * reach**2
    b = estimate - slope * reach**2
    c = estimate**2 - reach**2
    q = b + math.copysign(math.sqrt(max(0.0, b * b - a * c)), b)
    ends = [] if q == 0 else [c / q]
    if abs(a) > _ROUNDING:
        ends = sorted([q / a, *ends])
    if a > _ROUNDING:
        return ends[0], ends[-1]
    if c <= 0 or not ends:
        return -math.inf, math.inf
    if estimate > 0:
        return max((end for end in ends if end > 0), default=estimate), math.inf
    return -math.inf, min((end for end in ends if end < 0), default=estimate)


@procedure(
    title="the permutation test that swaps the systems' outputs",
    when="any metric: swaps rows or whole groups",
    because="this test needs no formula for the metric",
    references=(works.NOREEN_1989, works.YEH_2000),
)
def paired_permutation(
    sample: Predictions,
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
    sample : Predictions
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
    >>> from skstat.stats import Predictions, paired_permutation
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a": [1] * 8, "b": [1, 1, 1, 0, 0, 0, 0, 0]}
    >>> sample = Predictions([1] * 8, outputs, accuracy)
    >>> outcome = paired_permutation(sample, n_resamples=999, rng=0)
    >>> outcome.law.exact, outcome.pvalue
    (True, 0.0625)
    """
    total = tails.DEFAULT_RESAMPLES if n_resamples is None else n_resamples
    bootstrapped.check_resampling(total, interval, INTERVALS)
    if sample.ordered:
        raise ValueError("rows in time order cannot be swapped; use paired_bootstrap.")
    check_choice("standard_error", standard_error, get_args(StandardError))
    seed, must_draw, n_resamples = tails.draw_seed(rng), n_resamples is not None, total
    inverts = interval == "permutation"
    replicates = partial(bootstrapped.draw_differences, sample, total, interval, seed, workers)
    fields_, note = bootstrapped.initial_fields(sample, total, seed), ""
    fields: dict[str, Any] = {"own_pvalue": 1.0}
    if not sample.identical and (terms := sample.kernel.mean_differences) is not None:
        # Studentising changes nothing here: a flip of signs keeps the sum of squares,
        # so that t is a monotone function of the mean.
        noise = sample.noise / sample.kernel.plan.n_units
        flips, own_pvalue = law_of_flips(
            np.where(np.abs(terms) > noise, terms, 0.0),
            sample.kernel.plan.multiplicity,
            noise=sample.noise,
            alike=1e-10 * float(np.abs(terms).max(initial=0.0)),
            n_resamples=n_resamples,
            seed=seed,
            may_be_smooth=inverts and not must_draw,
            alternative=alternative,
        )
        fields = {"permuted": flips, "own_pvalue": own_pvalue, **_spread_by_shift(sample)}
        fields |= {"n_resamples": 0, "seed": None, "how": ""} if flips.smooth else {}
    elif not sample.identical:
        fields = _swap_outputs(sample, studentize, n_resamples, seed, workers)
        fields["own_pvalue"] = fields["permuted"].pvalue(sample.difference, alternative)
    if not inverts:
        fields_ |= replicates()
    else:
        by_jackknife = standard_error == "jackknife" or fields.get("n_resamples") == 0
        formula = by_jackknife and not isinstance(sample.kernel, CallableKernel)
        error = bootstrapped.jackknife_error(sample.kernel) if formula else math.nan
        checks = not math.isfinite(error) or standard_error == "bootstrap"
        # Where no permutation is rare enough at the smallest level in use, the interval needs
        # the replicates too.
        smallest = smallest_of_signs(alternative, fields_["n_differing"])
        if checks or max(smallest, 1 / (1 + n_resamples)) > _SMALLEST_LEVEL:
            try:
                fields_ |= replicates()
            except ValueError:
                note = checks * (
                    "; no bootstrap interval as a check, because the metric is undefined on "
                    "too many resamples (strata=y_true keeps every class in them)"
                )
        if math.isfinite(error):
            fields_ |= {"standard_error": error, "n_redrawn": 0}
    n_redrawn = fields_.get("n_redrawn", 0) + fields.get("n_redrawn", 0)
    law = Swaps(**{**fields_, **fields, "limits_by": interval, "n_redrawn": n_redrawn})
    independent, limits = bootstrapped.assumptions_of(sample, law)
    if inverts:
        limits = "interval: the differences that the test does not reject, if all units shift "
        limits += f"alike{bootstrapped.no_shorter(law.spread)}{note}"
    kind = "saddlepoint approximation" if law.smooth else "exact" if law.exact else "drawn"
    words = "studentised paired" if studentize else "paired"
    null = f"A and B are exchangeable on every {sample.unit}"
    return Comparison(
        test=f"{words} permutation test, {sample.kernel.what_swaps} swapped by {sample.unit} "
        f"({kind})",
        **bootstrapped.words_about(sample, alternative) | {"null_hypothesis": null},
        assumptions=(independent, limits),
        references=(works.NOREEN_1989, works.YEH_2000, *[works.ROBINSON_1982] * law.smooth),
        law=law,
    )


def _swap_outputs(
    sample: Predictions, studentize: bool, n_resamples: int, seed: int, workers: Workers
) -> dict[str, Any]:
    """Swap outputs in all ways, or in drawn ones, and return fields of the law."""
    kernel, n_atoms, noise = sample.kernel, sample.kernel.plan.n_atoms, sample.noise
    if studentize and n_atoms > _SINGLE_SWAPS_UP_TO and not hasattr(kernel, "formula"):
        raise ValueError(f"{n_atoms} units are too many for studentize=True; leave it out.")
    # Once outputs are swapped both systems are mixtures of A and B. Their difference is a sum
    # of terms whose signs a swap flips, or 0. The observed difference has the standard error of
    # A and B themselves, which is larger if one has rare large errors and the other many small
    # ones.
    moved = kernel.swap_terms() if studentize else None
    if moved is not None and not float(kernel.plan.multiplicity @ moved**2) > 0:
        moved = None
    patterns = _all_swaps(kernel, n_resamples)
    chances, n_redrawn = None, 0
    if patterns is not None:
        atoms, ways, chances = patterns
        # A pattern has a number for every atom of the test set: not all patterns at once.
        parts = [ways[part] for part in tails.in_parts(len(ways), 1, kernel.block_size)]
        scores = np.concatenate(list(workers(partial(_scores_of, kernel, atoms), parts)))
        if not np.isfinite(scores).all():
            raise ValueError("the metric is undefined when some outputs are swapped.")
        flipped = None if moved is None else ways @ moved[atoms]
    else:
        columns = None if moved is None else moved[:, None]
        drawn = draw(kernel, "swaps", n_resamples, seed, workers, columns)
        scores, n_redrawn = drawn.scores, drawn.n_redrawn
        flipped = scores[:, -1]
    values = scores[:, 0] - scores[:, 1]
    if moved is not None:  # t, times the standard error of the observed difference
        scale = bootstrapped.jackknife_error(kernel)
        if not (math.isfinite(scale) and scale > 0):  # use that of the mixtures
            scale = float(_errors(kernel, moved, 0.0))
        values *= scale / _errors(kernel, moved, flipped)
    law = Permuted(values=values, chances=chances, noise=noise, n_differing=kernel.n_differing)
    shift = _spread_by_shift(sample) if moved is None else {}
    return {"permuted": law, "n_redrawn": n_redrawn, **shift}


def _spread_by_shift(sample: Predictions) -> dict[str, float]:
    """Return `slope` and `curve` of the law; empty where the terms would cost too much."""
    kernel, terms = sample.kernel, sample.kernel.mean_differences
    counts = kernel.plan.multiplicity.astype(np.float64)
    if terms is None:
        if len(counts) > _SHIFTED_UP_TO and not hasattr(kernel, "formula"):
            return {}
        terms = kernel.swap_terms()
    if isinstance(kernel, SumKernel) and kernel.is_mean:
        weights = np.asarray(kernel.common, dtype=float)[:, 0]
    elif sample.groups is not None:
        weights = np.bincount(sample.groups).astype(float)
    else:
        weights = np.ones(len(counts))
    shares = weights / float(counts @ weights)
    squares = float(counts @ terms**2)
    if not (math.isfinite(squares) and squares > 0):
        return {}
    slope = float(counts @ (terms * shares)) / squares
    return {"slope": slope, "curve": float(counts @ shares**2) / squares}


def _all_swaps(
    kernel: Kernel, n_resamples: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]] | None:
    """Return all ways to swap different numbers of units of each atom; None if too many.

    Returns the atoms whose outputs differ, how many units of them swap in every way, and the
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


def _scores_of(
    kernel: Kernel, atoms: NDArray[np.int64], ways: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the scores after some ways to swap units of some atoms."""
    swaps = np.zeros((len(ways), kernel.plan.n_atoms), dtype=np.int64)
    swaps[:, atoms] = ways
    return kernel.swapped(swaps)


def _errors(kernel: Kernel, terms: NDArray[np.float64], flipped: Any) -> Any:
    """Return the standard errors of differences after the terms of some units were flipped."""
    m, n = kernel.plan.multiplicity, kernel.plan.n_units
    squares = float(m @ terms**2)
    variance = squares - (float(m @ terms) - 2 * flipped) ** 2 / n
    # A permutation that favours one system on every unit has no variance, and is as extreme as
    # possible.
    return np.sqrt(n / max(1, n - 1) * np.maximum(variance, 1e-12 * squares))
