"""Tests of two systems with several seeds each."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _literature as works
from skstat.stats._bootstrap import Replicates, check_resampling, counted_share, numbers_drawn
from skstat.stats._family import Comparison, effect_sizes
from skstat.stats._kernels import Kernel, Workers, bootstrap, kernel_of_means
from skstat.stats._law import Law, Student
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import procedure
from skstat.stats._resampling import draw_seed, stream
from skstat.stats._seed_scores import SeedScores
from skstat.stats._words import IGNORED_VARIANCE, count_extreme, null_relation

_TRAINING = "the choice of the training data"


_FITTED = IGNORED_VARIANCE["instance"][0]


@dataclass(frozen=True, kw_only=True, eq=False)
class Crossed(Student):
    """Student's t with a standard error over seeds, maybe crossed with instances.

    `variance_parts` gives what each source adds to the variance of the mean difference.
    """

    variance_parts: Mapping[str, float]


@procedure(
    title="the t test of crossed seeds and rows",
    when="predictions of every seed: seeds and rows are random",
    references=(works.SEARLE_ET_AL_1992, works.SATTERTHWAITE_1946),
)
def crossed_t(sample: SeedScores, *, alternative: str = "two-sided") -> Comparison:
    """Compare mean scores over seeds and instances, both taken as random.

    With paired seeds, the differences follow the two-way random model
    ``d_si = mu + seed_s + instance_i + residual_si``, so that ``var(mean(d)) =
    s2_seed/S + s2_instance/n + s2_residual/(S n)``, estimated by the mean squares of the
    two-way table: ``(MS_seed + MS_instance - MS_residual) / (S n)`` [1]_.

    Otherwise seeds are nested within systems. Every system has a two-way table of its
    own, and the instances are shared: ``var(mean(d)) = s2_instance/n +
    sum_k (s2_seed,k / S_k + s2_residual,k / (S_k n))`` over k = A, B. The variance of
    the per-instance differences of the seed averages contains the instances and both
    residuals but no seeds, because a seed shifts all instances alike; each table adds
    its seeds: ``var_i(mean_s(a) - mean_s(b)) / n + sum_k (MS_seed,k - MS_residual,k) /
    (S_k n)``. Both cases are the same formula, with one table or two.

    A component estimated as negative counts as zero: a seed mean square below the
    residual one is raised to it, and likewise the per-instance variance to the
    residual part it contains. Student's t has Satterthwaite's degrees of freedom [2]_
    for the sum of mean squares. At a nominal .05 the type I error was measured as .04 to
    .07 with three to five seeds where seeds and instances matter (up to .10 with two
    seeds), and less where neither does.

    Parameters
    ----------
    sample : SeedScores
        Scores of A and B for seeds and instances. A system with one seed is treated as fixed;
        `ignored_variance` says so.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If neither system has two seeds.

    See Also
    --------
    seeded_bootstrap : Without the normal law.

    References
    ----------
    .. [1] Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance Components.
       Wiley. :doi:`10.1002/9780470316856`
    .. [2] Satterthwaite, F. E. (1946). An approximate distribution of estimates of
       variance components. Biometrics Bulletin, 2(6), 110-114. :doi:`10.2307/3002019`

    Examples
    --------
    >>> from skstat.stats import SeedScores, crossed_t
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = crossed_t(SeedScores({"a": a, "b": b}))
    >>> round(outcome.estimate, 3), round(outcome.standard_error, 3), round(outcome.df, 1)
    (0.117, 0.04, 1.9)
    """
    _check(sample, "crossed_t", 1, 2)
    nested = "" if sample.paired_seeds else ", seeds nested in systems"
    single = [name for name, seeds in zip("AB", sample.n_seeds, strict=True) if seeds == 1]
    return _compared(
        sample,
        alternative,
        "seeds and instances, for this training set",
        _crossed(sample, *_mean_squares(sample)),
        test=f"crossed t test over seeds and instances (two-way mean squares{nested})",
        assumptions=(
            "the instances are independent of each other, and so are the seeds",
            "seed effects, instance effects and residuals are close to normal",
        ),
        ignored_variance=(
            _TRAINING,
            *(f"the seeds of {name}, of which there is one" for name in single),
        ),
    )


def _check(
    sample: SeedScores, procedure: str, of_each: int, of_any: int, *, whole: bool = False
) -> None:
    """Refuse other samples than a procedure is for, and too few seeds to see how they vary."""
    seeds = sample.n_seeds
    if len(seeds) != 2:
        raise ValueError(f"{procedure} compares two systems; take them by sample.pair(a, b).")
    if not (sample.of_instances or whole):
        raise ValueError(
            f"{procedure} needs a score of every instance by every seed, and these are of "
            "seeds alone; use seed_means_t."
        )
    if min(seeds) < of_each or max(seeds) < of_any:
        only = "With one seed each, only seed_average_t is possible, which ignores the seeds."
        raise ValueError(
            f"{procedure} needs two or more seeds of "
            f"{'both systems' if of_each > 1 else 'A or B'}, got {seeds[0]} and {seeds[1]}."
            f"{f' {only}' * sample.of_instances}"
        )


def _compared(
    sample: SeedScores, alternative: str, over: str, law: Law, **told: Any
) -> Comparison:
    of_instances, relation = sample.of_instances, null_relation(alternative)
    sizes = effect_sizes(sample.per_instance()) if of_instances else _sizes_of_seeds(sample)
    words = {
        "estimand": f"mean of score(A) - score(B) over {over}",
        "null_hypothesis": f"the expected score of A {relation} that of B, over {over}",
        "effect_sizes": sizes,
    }
    return Comparison(alternative=alternative, law=law, **words | told)


def _sizes_of_seeds(sample: SeedScores) -> dict[str, float]:
    """Standardise the difference of the means, and count how often A scores higher."""
    a, b, difference = sample.a, sample.b, sample.difference
    df = len(a) + len(b) - 2
    squares = sum(float(np.sum((x - x.mean()) ** 2)) for x in (a, b))
    sd = math.sqrt(squares / df) if df else 0.0
    d = difference / sd if sd > sample.resolution else math.nan
    d = d if difference else 0.0
    above = np.subtract.outer(a, b)
    won = float(np.sign(np.where(np.abs(above) <= sample.resolution, 0.0, above)).mean())
    return {
        "d over seeds (pooled standard deviation)": d,
        "Hedges g over seeds (pooled standard deviation)": d * (1 - 3 / (4 * df - 1)),
        "rank-biserial": won,
        "common-language": (won + 1) / 2,
    }


def _crossed(
    sample: SeedScores, parts: dict[str, float], terms: list[tuple[float, int]]
) -> Crossed:
    """The law by Satterthwaite's degrees of freedom of terms with degrees of their own."""
    variance = sum(parts.values())
    # An exact sum, so that the order of A and B cannot change the last bit.
    inverse = math.fsum(term**2 / df for term, df in terms)
    return Crossed(
        estimate=sample.difference,
        standard_error=math.sqrt(variance),
        df=float(variance**2 / inverse if variance else terms[0][1]),
        variance_parts=parts,
    )


def _mean_squares(sample: SeedScores) -> tuple[dict[str, float], list[tuple[float, int]]]:
    """Parts of var(mean(d)), and the mean squares in it with their degrees of freedom.

    All in units of var(mean(d)): every mean square divided by its S n.
    """
    n, resolution = sample.n_units, sample.resolution
    tables = [sample.paired_differences()] if sample.paired_seeds else [sample.a, sample.b]
    seeds = residual = 0.0
    terms: list[tuple[float, int]] = []
    for table in tables:
        n_seeds = len(table)
        if n_seeds == 1:
            continue
        means = table.mean(axis=1)
        rest = table - means[:, None] - table.mean(axis=0) + table.mean()
        df = (n_seeds - 1) * (n - 1)
        mean_square = _or_zero(float(np.sum(rest**2)) / df, resolution)
        noise = mean_square / (n_seeds * n)
        seed = max(mean_variance(means, resolution), noise)
        seeds += seed - noise
        residual += noise
        terms += [(seed, n_seeds - 1), (noise, df)]
    instance = max(mean_variance(sample.differences, resolution), residual)
    parts = {"seeds": seeds, "instances": instance - residual, "residual": residual}
    return parts, [(instance, n - 1), *terms]


def mean_variance(values: NDArray[np.float64], resolution: float) -> float:
    """Variance of the mean of independent values."""
    return _or_zero(float(np.var(values, ddof=1)), resolution) / len(values)


def _or_zero(variance: float, resolution: float) -> float:
    return variance if math.sqrt(variance) > resolution else 0.0


@procedure(title="the t test of averages over seeds", references=(works.STUDENT_1908,))
def seed_average_t(sample: SeedScores, *, alternative: str = "two-sided") -> Comparison:
    """Average over the seeds, then test over instances by the paired t test.

    The t test [1]_ sees one mean score per instance. The answer holds for the averages of
    just these seeds' systems: how scores vary with the seed is ignored.

    Parameters
    ----------
    sample : SeedScores
        Scores of A and B for seeds and instances.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    See Also
    --------
    crossed_t : Counts both sources of variance.

    References
    ----------
    .. [1] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`

    Examples
    --------
    >>> from skstat.stats import SeedScores, seed_average_t
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = seed_average_t(SeedScores({"a": a, "b": b}))
    >>> round(outcome.standard_error, 3), outcome.df, outcome.ignored_variance[0]
    (0.04, 3.0, 'the seeds: the answer is about the average of these seeds')
    """
    _check(sample, "seed_average_t", 1, 1)
    pairs = sample.per_instance()
    instances = mean_variance(pairs.differences, pairs.resolution)
    return _compared(
        sample,
        alternative,
        "instances, for the averages of these fitted systems over their seeds",
        _crossed(sample, {"instances": instances}, [(instances, sample.n_units - 1)]),
        test="paired t test over instances of averages over seeds",
        assumptions=(
            "the instances are independent of each other",
            "the differences are close to normal, with equal variances",
        ),
        ignored_variance=(
            "the seeds: the answer is about the average of these seeds",
            _TRAINING,
        ),
    )


@procedure(
    title="Welch's t test",
    when="a claim about seeds only",
    references=(works.WELCH_1947,),
)
def seed_means_t(sample: SeedScores, *, alternative: str = "two-sided") -> Comparison:
    """Average over the instances, then test over seeds by a t test.

    The paired t test of the seeds' mean scores, or Welch's t test [1]_ when the seeds
    are not paired. The answer holds for just this test set: how scores vary with the
    instances is ignored.

    Parameters
    ----------
    sample : SeedScores
        Scores of A and B for two or more seeds each: of every instance, or one per seed.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If a system has one seed only.

    See Also
    --------
    crossed_t : Counts both sources of variance.

    References
    ----------
    .. [1] Welch, B. L. (1947). The generalization of 'Student's' problem when several
       different population variances are involved. Biometrika, 34(1-2), 28-35.
       :doi:`10.1093/biomet/34.1-2.28`

    Examples
    --------
    >>> from skstat.stats import SeedScores, seed_means_t
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = seed_means_t(SeedScores({"a": a, "b": b}))
    >>> round(outcome.standard_error, 3), round(outcome.df, 2), outcome.ignored_variance[0]
    (0.017, 3.2, 'the choice of the test set')

    One score per seed, as Welch's test takes them; the order of the seeds does not matter.

    >>> sample = SeedScores({"a": [0.81, 0.83, 0.80, 0.84], "b": [0.79, 0.80, 0.78]})
    >>> round(seed_means_t(sample).pvalue, 4)
    0.0413
    """
    _check(sample, "seed_means_t", 2, 2, whole=True)
    resolution = sample.resolution
    test = "Welch t test over seeds"
    if sample.paired_seeds:
        test = "paired t test over seeds"
        means = [sample.paired_differences().reshape(len(sample.a), -1).mean(axis=1)]
    elif sample.of_instances:
        means = [sample.a.mean(axis=1), sample.b.mean(axis=1)]
    else:
        means = [sample.a, sample.b]
    terms = [(mean_variance(x, resolution), len(x) - 1) for x in means]
    variance = sum(term for term, _ in terms)
    return _compared(
        sample,
        alternative,
        "seeds, for this training set and this test set",
        _crossed(sample, {"seeds": variance}, terms),
        test=test,
        assumptions=(
            "the seeds are independent of each other",
            "the mean scores of the seeds are close to normal",
        ),
        ignored_variance=("the choice of the test set", _TRAINING),
        references=(works.STUDENT_1908,) if len(means) == 1 else (works.WELCH_1947,),
    )


@procedure(
    title="the bootstrap of seeds and rows",
    when="seeds of any metric, rows in groups",
    references=(works.OWEN_2007,),
)
def seeded_bootstrap(
    sample: SeedScores,
    *,
    resample_seeds: bool = True,
    n_resamples: int = 9_999,
    interval: str = "percentile",
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
    workers: Workers = map,
) -> Comparison:
    """Bootstrap the difference of mean scores over seeds, for any metric.

    A replicate draws units (rows or groups), scores every run on them, and averages over
    seeds drawn with replacement ([1]_: the pigeonhole bootstrap), their deviations
    enlarged by sqrt(S / (S - 1)) so that the variance between S seeds is not too small.

    Parameters
    ----------
    sample : SeedScores
        Predictions of A and B with several seeds (:meth:`SeedScores.of_runs`), or scores of
        every instance by every seed, of which the mean is compared.
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
    Comparison
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
    >>> from skstat.stats import Predictions, SeedScores, seeded_bootstrap
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> outputs = {"a 1": [1, 0, 1], "a 2": [1, 1, 1], "b 1": [0, 0, 1], "b 2": [0, 0, 0]}
    >>> runs = Predictions([1, 1, 1], outputs, accuracy)
    >>> sample = SeedScores.of_runs(runs, {"a": 2, "b": 2})
    >>> outcome = seeded_bootstrap(sample, n_resamples=999, rng=0)
    >>> round(outcome.estimate, 3), outcome.ignored_variance
    (0.667, ('the choice of the training data: the fitted systems are treated as fixed',))
    """
    check_resampling(n_resamples, interval)
    if interval not in ("percentile", "basic"):
        raise ValueError(
            f"interval={interval!r} is not available for seeds; use 'percentile' or 'basic'."
        )
    runs, seed = sample.runs, draw_seed(rng)
    of_any = 2 if resample_seeds else 1
    _check(sample, "seeded_bootstrap", 1, of_any, whole=runs is not None)
    kernel: Kernel = (
        kernel_of_means(np.vstack([sample.a, sample.b]).T) if runs is None else runs.kernel
    )
    drawn = bootstrap(kernel, n_resamples, seed, workers=workers)
    scores = drawn.scores
    n_a, n_b = sample.n_seeds
    shares = _shares(sample, n_resamples, seed) if resample_seeds else (1 / n_a, 1 / n_b)
    replicates = (scores[:, :n_a] * shares[0]).sum(axis=1)
    replicates = replicates - (scores[:, n_a:] * shares[1]).sum(axis=1)
    estimate, noise = sample.difference, sample.resolution
    numbers, n_differing = numbers_drawn(drawn, replicates, interval), sample.n_units
    count = count_extreme(replicates - estimate, estimate, alternative, noise)
    pvalue = counted_share(count, n_resamples, alternative, n_differing)
    if sample.identical:
        pvalue, n_differing, numbers["replicates"] = 1.0, 0, np.empty(0)
    elif runs is None and estimate != 0 and np.ptp(replicates) <= noise:
        pvalue, numbers["replicates"] = math.nan, np.empty(0)  # nothing to judge it by
    seeds, so_are, ignored = "seeds and ", ", and so are the seeds", [_FITTED]
    if not resample_seeds:
        seeds, so_are = "", ""
        ignored.append("the seeds, whose average is treated as fixed")
    over = f"{seeds}{sample.unit}s, for this training set"
    return _compared(
        sample,
        alternative,
        over,
        test=f"bootstrap of {seeds}{sample.unit}s",
        estimand=f"mean score of A minus mean score of B over {over}",
        effect_sizes={},
        assumptions=(
            f"the {sample.unit}s are independent of each other{so_are}",
            f"interval: {interval}, {n_resamples} bootstrap resamples",
        ),
        ignored_variance=tuple(ignored),
        law=Replicates(
            estimate=estimate,
            own_pvalue=pvalue,
            n_differing=n_differing,
            n_units=sample.n_units,
            how=kernel.how,
            **numbers,
        ),
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
    sample: SeedScores, n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How often every seed is drawn, as a share; the same for both when paired."""
    # Blocks of units use the first children of the seed, however many they are.
    rng = stream(np.random.SeedSequence(seed, spawn_key=(2**32 - 1,)))
    each = []
    for n in sample.n_seeds[: 1 if sample.paired_seeds else 2]:
        shares = rng.multinomial(n, np.full(n, 1 / n), n_resamples) / n
        # Widened about 1/S: else the variance between S seeds is (S - 1)/S too small.
        each.append(1 / n + (shares - 1 / n) * np.sqrt(n / max(1, n - 1)))
    return each[0], each[-1]
