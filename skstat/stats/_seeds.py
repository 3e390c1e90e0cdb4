"""Scores of several seeds of every system, and the tests of two systems by them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from skstat.stats._bootstrap import Replicates, check_resampling, replicate_fields
from skstat.stats._chance import draw_seed, stream
from skstat.stats._counts import AgreementTable
from skstat.stats._family import Comparison, Student, effect_sizes
from skstat.stats._kernels import Workers, bootstrap, kernel_of_means
from skstat.stats._ordering import resolution_of
from skstat.stats._predictions import Predictions, PredictionsSummary
from skstat.stats._procedure import Reference, check_choice, procedure, works
from skstat.stats._read import aligned, of_usable_size, rows_differ
from skstat.stats._scores import PairedScores, check_count, indices_of, numbers, summary_of
from skstat.stats._stored import Written, to_plain
from skstat.stats._words import IGNORED_VARIANCE, count_extreme, counted_share, null_relation


@dataclass(frozen=True, eq=False, repr=False)
class SeedScores(Written):
    """Scores of two systems or more, each trained with several seeds.

    Where seed i of every system is one unit (the order of the data, the split), and it has one
    score, use ``PairedScores(a, b, unit="seed")`` or a :class:`ScoreTable`.

    Parameters
    ----------
    scores : mapping of str to array-like of shape (n_seeds,) or (n_seeds, n_instances)
        Scores of every system, higher is better: one for every seed, or, on the same
        instances, a row for every seed and a column for every instance, in the same order of
        instances. The numbers of seeds may differ, and their order has no meaning.
    paired_seeds : bool, default=False
        Whether row s of every system shares what the seed controls (the order of the data,
        the split). Two programs that merely use the same number as a seed are not paired.
    runs : Predictions, optional
        The predictions that were scored, of every seed of every system one after another, where
        there is one score for every seed, as :meth:`of_runs` makes them.

    Raises
    ------
    ValueError
        If there are fewer than two systems, the shapes do not fit, a score is not finite, or
        there is one instance only.

    Examples
    --------
    >>> from skstat.stats import SeedScores
    >>> sample = SeedScores({"a": [0.81, 0.83, 0.80], "b": [0.79, 0.80]})
    >>> sample.unit, sample.n_seeds, round(sample.difference, 4)
    ('seed', (3, 2), 0.0183)

    Scores of three instances, by two seeds of each system:

    >>> sample = SeedScores({"a": [[1, 1, 0], [1, 0, 0]], "b": [[1, 0, 0], [0, 0, 0]]})
    >>> sample.unit, sample.n_units, sample.n_seeds
    ('instance', 3, (2, 2))
    """

    scores: Mapping[str, Any]
    paired_seeds: bool = field(default=False, kw_only=True)
    runs: Predictions | None = field(default=None, kw_only=True)

    _not_written = ("runs",)
    example: ClassVar[str] = "SeedScores({'a': a, 'b': b})"
    ordered: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not isinstance(self.scores, Mapping) or len(self.scores) < 2:
            raise ValueError("scores must map names of two systems or more to their scores.")
        named = {str(name): own for name, own in self.scores.items()}
        if len(named) < len(self.scores):
            raise ValueError("scores names a system twice; rename one.")
        if all(hasattr(own, "iloc") and own.ndim == 2 for own in named.values()):
            # The columns of DataFrames are the instances, which are aligned.
            named = aligned({name: own.T for name, own in named.items()}, unit="column")
            named = {name: own.T for name, own in named.items()}
        read = [numbers(name, own, (1, 2)) for name, own in named.items()]
        scores = dict(zip(named, of_usable_size("scores", *read), strict=True))
        vars(self).update(scores=scores, paired_seeds=bool(self.paired_seeds))
        (a, first), *others = scores.items()
        for b, own in others:
            if own.shape[1:] != first.shape[1:]:
                raise ValueError(
                    f"{a} has scores of shape {first.shape} and {b} of {own.shape}: every seed "
                    "needs the same instances."
                )
            if self.paired_seeds and len(own) != len(first):
                raise ValueError(
                    f"{a} has {len(first)} seeds, {b} has {len(own)}: say paired_seeds=False."
                )
        if self.paired_seeds and first.ndim == 1 and self.runs is None:
            raise ValueError("paired seeds are units: use PairedScores(a, b, unit='seed').")
        if self.runs is not None:
            expected, own = np.concatenate([*scores.values()]), self.runs.scores
            if expected.shape != own.shape or not np.allclose(expected, own):
                raise ValueError("scores are not those of runs: use SeedScores.of_runs.")
        if first.shape[1:] == (1,):
            raise ValueError("a single instance says nothing about others; give more.")

    @classmethod
    def of_runs(
        cls, runs: Predictions, n_seeds: Mapping[str, int], *, paired_seeds: bool = False
    ) -> Self:
        """Score the predictions of every seed of some systems for one test set.

        Parameters
        ----------
        runs : Predictions
            Outputs of every seed of the first system, then of the next, with the metric.
        n_seeds : mapping of str to int
            Number of seeds of every system.
        paired_seeds : bool, default=False
            Whether seed number s of all systems belong together.

        Returns
        -------
        SeedScores
            One score for every seed, with the predictions as `runs`.

        Raises
        ------
        TypeError
            If `n_seeds` is not a mapping.
        ValueError
            If the numbers are not those of the runs, or one is not a whole number above 0.

        Examples
        --------
        >>> import numpy as np
        >>> from skstat.stats import Predictions, SeedScores
        >>> def accuracy(y_true, y_pred):
        ...     return np.mean(y_true == y_pred)
        >>> outputs = {"a 1": [1, 0, 1], "a 2": [1, 1, 1], "b 1": [0, 0, 1], "b 2": [0, 0, 0]}
        >>> runs = Predictions([1, 1, 1], outputs, accuracy)
        >>> round(SeedScores.of_runs(runs, {"a": 2, "b": 2}).difference, 3)
        0.667
        """
        if not isinstance(n_seeds, Mapping):
            raise TypeError(f"n_seeds={n_seeds!r} must map systems to numbers, {{'a': 3}}.")
        counts = [check_count(f"n_seeds[{name!r}]", n) for name, n in n_seeds.items()]
        if sum(counts) != len(runs.names):
            raise ValueError(f"n_seeds={n_seeds} must make up {len(runs.names)} runs.")
        parts = np.split(runs.scores, np.cumsum(counts)[:-1])
        scores = dict(zip(n_seeds, parts, strict=True))
        return cls(scores, paired_seeds=paired_seeds, runs=runs)

    @property
    def of_instances(self) -> bool:
        """Whether every seed has a score of every instance."""
        return bool(self.a.ndim == 2)

    @property
    def unit(self) -> str:
        """What has a score of its own."""
        if self.runs is not None:
            return self.runs.unit
        return "instance" if self.of_instances else "seed"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.scores)

    @property
    def a(self) -> NDArray[np.float64]:
        """Scores of the first system."""
        return next(iter(self.scores.values()))

    @property
    def b(self) -> NDArray[np.float64]:
        """Scores of the second system."""
        return self.scores[self.names[1]]

    @property
    def n_systems(self) -> int:
        """Number of systems."""
        return len(self.scores)

    @property
    def n_seeds(self) -> tuple[int, ...]:
        """Number of seeds of every system."""
        return tuple(map(len, self.scores.values()))

    @property
    def n_units(self) -> int:
        """Number of instances, or of the seeds of the system that has the fewest."""
        if self.runs is not None:
            return self.runs.n_units
        return self.a.shape[1] if self.of_instances else min(self.n_seeds)

    def pair(self, a: str, b: str) -> "SeedScores":
        """Take two systems out of the table.

        Parameters
        ----------
        a, b : str
            Their names.

        Returns
        -------
        SeedScores
            Their scores.
        """
        return self.take((a, b))

    def take(self, names: Sequence[str]) -> "SeedScores":
        """Return the scores of some systems, in the order they are named.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Returns
        -------
        SeedScores
            Their scores.
        """
        indices_of(self.names, names)
        scores, runs = {name: self.scores[name] for name in names}, self.runs
        if runs is not None:
            parts = np.split(np.array(runs.names), np.cumsum(self.n_seeds)[:-1])
            group = dict(zip(self.names, parts, strict=True))
            outputs = {run: runs.outputs[run] for name in names for run in group[name].tolist()}
            runs = replace(runs, outputs=outputs)
        return SeedScores(scores, paired_seeds=self.paired_seeds, runs=runs)

    @property
    def differences(self) -> Any:
        """score(A) - score(B) of every instance, averaged over seeds; None of seeds alone."""
        return self.per_instance().differences if self.of_instances else None

    @cached_property
    def resolution(self) -> float:
        """Size below which sums of differences of the two systems are float noise."""
        if self.of_instances:
            return self.per_instance().resolution
        return resolution_of(np.concatenate([self.a, self.b]))

    @property
    def difference(self) -> float:
        """Mean score of the first system minus that of the second; float noise is zero."""
        difference = float(np.mean(self.a) - np.mean(self.b))
        return 0.0 if abs(difference) <= self.resolution else difference

    @property
    def identical(self) -> bool:
        """Whether two systems score the same, on every instance, with every seed."""
        if self.runs is not None:
            first, *others = self.runs.outputs.values()
            return not any(rows_differ(first, other).any() for other in others)
        if self.of_instances:
            same = self.n_seeds[0] == self.n_seeds[1]
            return same and not self.paired_differences().any()
        return float(np.ptp(np.concatenate([self.a, self.b]))) <= self.resolution

    def per_instance(self) -> PairedScores:
        """Average every instance's scores over the seeds.

        Returns
        -------
        PairedScores
            Scores of two systems with the instance as unit.
        """
        return PairedScores(self.a.mean(axis=0), self.b.mean(axis=0), unit="instance")

    def per_seed(self) -> PairedScores:
        """Average every paired seed's scores over the instances.

        Returns
        -------
        PairedScores
            Scores of two systems with the seed as unit.

        Raises
        ------
        ValueError
            If the seeds are not paired.
        """
        if not self.paired_seeds:
            raise ValueError("the seeds are not paired; if they are, say paired_seeds=True.")
        a, b = (scores.reshape(len(scores), -1).mean(axis=1) for scores in (self.a, self.b))
        return PairedScores(a, b, unit="seed")

    def paired_differences(self) -> NDArray[np.float64]:
        """Return score(A) - score(B) of every seed and instance; float noise is zero."""
        pairs = PairedScores(self.a.ravel(), self.b.ravel(), unit="instance")
        return pairs.differences.reshape(self.a.shape)

    def summaries(self) -> list[dict[str, float | None]]:
        """Mean and standard deviation over the seeds, or the instances, of every system."""
        columns = self.scores.values()
        return [summary_of(x.mean(axis=0) if self.of_instances else x) for x in columns]

    def _plain(self) -> dict[str, Any]:
        if self.runs is None:
            return super()._plain()
        scores, sds = zip(*(one.values() for one in self.summaries()), strict=True)
        facts = {"scores": scores, "sds": sds, "identical": self.identical}
        return self.runs._plain() | to_plain({"names": (), "ordered": False, **facts})

    def __repr__(self) -> str:
        return f"<SeedScores of {self.n_systems} systems, {min(self.n_seeds)} seeds or more>"


def turned(sample: Any) -> Any:
    """Return a sample of A and B as one of B and A.

    Parameters
    ----------
    sample : object
        Any sample of two systems.
    """
    if isinstance(sample, PredictionsSummary):
        return sample.turned()
    if isinstance(sample, AgreementTable):
        return replace(sample, only_a=sample.only_b, only_b=sample.only_a)
    if hasattr(sample, "pair"):  # a sample of named systems
        return sample.pair(*sample.names[::-1])
    swapped = {"a": sample.b, "b": sample.a}
    if getattr(sample, "rows", None) is not None:
        swapped["rows"] = sample.rows.of([1, 0])
    return replace(sample, **swapped)


_TRAINING = "the choice of the training data"


_FITTED = IGNORED_VARIANCE["instance"][0]
_CROSSED = (works.SEARLE_ET_AL_1992, works.SATTERTHWAITE_1946)
# What the mean is over.
_OVER = {
    "both": "seeds and instances, for this training set",
    "instances": "instances, for the averages of these fitted systems over their seeds",
    "seeds": "seeds, for this training set and this test set",
}
# The fewest seeds of each system, and of the one with more seeds.
_FEWEST = {"both": (1, 2), "instances": (1, 1), "seeds": (2, 2)}


@dataclass(frozen=True, kw_only=True, eq=False)
class Crossed(Student):
    """Student's t with a standard error over seeds, maybe crossed with instances.

    `variance_parts` holds the part of each source in the variance of the mean difference.
    """

    variance_parts: Mapping[str, float]


@procedure(
    title="the t test of crossed seeds and rows",
    when="predictions of every seed: seeds and rows are random",
    variants={
        "seed_average_t": {
            "random": "instances",
            "facts": {"title": "the t test of averages over seeds", "when": ""},
        },
        "seed_means_t": {
            "random": "seeds",
            "facts": {"title": "Welch's t test", "when": "a claim about seeds only"},
        },
    },
    references=(*_CROSSED, works.STUDENT_1908, works.WELCH_1947),
)
def crossed_t(
    sample: SeedScores,
    *,
    random: Literal["both", "instances", "seeds"] = "both",
    alternative: str = "two-sided",
) -> Comparison:
    """Compare mean scores over seeds and instances, of which both are random, or one.

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

    Of seeds alone it is the paired t test of the mean scores of the seeds, or Welch's t test
    [4]_ where they are not paired, and holds for just this test set. Of instances alone it is
    the paired t test [3]_ of their averages over the seeds, and holds for the average of just
    these seeds.

    Parameters
    ----------
    sample : SeedScores
        Scores of A and B for seeds and instances; of seeds alone one score per seed is enough.
        A system with one seed is treated as fixed; `ignored_variance` says so.
    random : {"both", "instances", "seeds"}, default="both"
        What the claim is about: other seeds and other instances, or only one of them.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.

    Returns
    -------
    Comparison
        The test's numbers.

    Raises
    ------
    ValueError
        If neither system has two seeds and they are random, or seeds alone are and a system
        has one.

    See Also
    --------
    seeded_bootstrap : Without the normal law.

    References
    ----------
    .. [1] Searle, S. R., Casella, G. & McCulloch, C. E. (1992). Variance Components.
       Wiley. :doi:`10.1002/9780470316856`
    .. [2] Satterthwaite, F. E. (1946). An approximate distribution of estimates of
       variance components. Biometrics Bulletin, 2(6), 110-114. :doi:`10.2307/3002019`
    .. [3] Student (1908). The probable error of a mean. Biometrika, 6(1), 1-25.
       :doi:`10.1093/biomet/6.1.1`
    .. [4] Welch, B. L. (1947). The generalization of 'Student's' problem when several
       different population variances are involved. Biometrika, 34(1-2), 28-35.
       :doi:`10.1093/biomet/34.1-2.28`

    Examples
    --------
    >>> from skstat.stats import SeedScores, crossed_t
    >>> a = [[0.9, 0.7, 0.8, 0.4], [0.8, 0.7, 0.9, 0.5], [0.9, 0.6, 0.9, 0.3]]
    >>> b = [[0.7, 0.7, 0.6, 0.3], [0.8, 0.5, 0.7, 0.4], [0.6, 0.6, 0.7, 0.4]]
    >>> outcome = crossed_t(SeedScores({"a": a, "b": b}))
    >>> round(outcome.estimate, 3), round(outcome.standard_error, 3), round(outcome.df, 1)
    (0.117, 0.04, 1.9)

    One score per seed, as Welch's test takes them; the order of the seeds does not matter.

    >>> sample = SeedScores({"a": [0.81, 0.83, 0.80, 0.84], "b": [0.79, 0.80, 0.78]})
    >>> round(crossed_t(sample, random="seeds").pvalue, 4)
    0.0413
    """
    check_choice("random", random, _OVER)
    _check_seeds(sample, "crossed_t", *_FEWEST[random], alone=random == "seeds")
    paired, over, relation = sample.paired_seeds, _OVER[random], null_relation(alternative)
    independent, ignored = f"the {random} are independent of each other", [_TRAINING]
    references: tuple[Reference, ...] = (works.STUDENT_1908,)
    if random == "instances":
        variance_ = mean_variance(sample.differences, sample.resolution)
        parts, terms = {"instances": variance_}, [(variance_, sample.n_units - 1)]
        test = "paired t test over instances of averages over seeds"
        normal = "the differences are close to normal, with equal variances"
        ignored.insert(0, "the seeds: the answer is about the average of these seeds")
    elif random == "seeds":
        means = [table.reshape(len(table), -1).mean(axis=1) for table in _tables(sample)]
        terms = [(mean_variance(m, sample.resolution), len(m) - 1) for m in means]
        parts = {"seeds": sum(term for term, _ in terms)}
        test = f"{'paired' if paired else 'Welch'} t test over seeds"
        normal = "the mean scores of the seeds are close to normal"
        ignored.insert(0, "the choice of the test set")
        references = references if paired else (works.WELCH_1947,)
    else:
        parts, terms = _mean_squares(sample)
        nested = "" if paired else ", seeds nested in systems"
        test = f"crossed t test over seeds and instances (two-way mean squares{nested})"
        independent = "the instances are independent of each other, and so are the seeds"
        normal = "seed effects, instance effects and residuals are close to normal"
        single = [name for name, n in zip("AB", sample.n_seeds, strict=True) if n == 1]
        ignored += [f"the seeds of {name}, of which there is one" for name in single]
        references = _CROSSED
    variance = sum(parts.values())
    # An exact sum, so that the order of A and B cannot change the last bit.
    inverse = math.fsum(term**2 / df for term, df in terms)
    law = Crossed(
        estimate=sample.difference,
        standard_error=math.sqrt(variance),
        df=float(variance**2 / inverse if variance else terms[0][1]),
        variance_parts=parts,
    )
    return Comparison(
        test=test,
        estimand=f"mean of score(A) - score(B) over {over}",
        null_hypothesis=f"the expected score of A {relation} that of B, over {over}",
        alternative=alternative,
        assumptions=(independent, normal),
        effect_sizes=_effect_sizes(sample),
        references=references,
        law=law,
        ignored_variance=tuple(ignored),
    )


def _check_seeds(
    sample: SeedScores, procedure: str, min_each: int, min_any: int, *, alone: bool = False
) -> None:
    """Raise ValueError unless there are two systems, instances if needed, and enough seeds."""
    seeds = sample.n_seeds
    if len(seeds) != 2:
        raise ValueError(f"{procedure} compares two systems; take them by sample.pair(a, b).")
    if not (sample.of_instances or alone):
        raise ValueError(f"{procedure} needs instances; use crossed_t(sample, random='seeds').")
    if min(seeds) < min_each or max(seeds) < min_any:
        only = "With one seed each, only crossed_t(sample, random='instances') is possible."
        raise ValueError(
            f"{procedure} needs two or more seeds of "
            f"{'both systems' if min_each > 1 else 'A or B'}, got {seeds[0]} and {seeds[1]}."
            f"{f' {only}' * sample.of_instances}"
        )


def _effect_sizes(sample: SeedScores) -> dict[str, float]:
    """Return the standardised difference of the means, and rank-based effect sizes."""
    if sample.of_instances:
        return effect_sizes(sample.per_instance())
    a, b, difference = sample.a, sample.b, sample.difference
    df = len(a) + len(b) - 2
    squares = sum(float(np.sum((x - x.mean()) ** 2)) for x in (a, b))
    sd = math.sqrt(squares / df) if df else 0.0
    d = difference / sd if sd > sample.resolution else math.nan
    d = d if difference else 0.0
    gaps = np.subtract.outer(a, b)
    won = float(np.sign(np.where(np.abs(gaps) <= sample.resolution, 0.0, gaps)).mean())
    return {
        "d over seeds (pooled standard deviation)": d,
        "Hedges g over seeds (pooled standard deviation)": d * (1 - 3 / (4 * df - 1)),
        "rank-biserial": won,
        "common-language": (won + 1) / 2,
    }


def _tables(sample: SeedScores) -> list[NDArray[np.float64]]:
    """Return the tables of scores by seed: one of differences where seeds are paired."""
    return [sample.paired_differences()] if sample.paired_seeds else [sample.a, sample.b]


def _mean_squares(sample: SeedScores) -> tuple[dict[str, float], list[tuple[float, int]]]:
    """Return the parts of var(mean(d)), and its mean squares with their degrees of freedom.

    All are on the scale of var(mean(d)): every mean square is divided by its S n.
    """
    n, resolution = sample.n_units, sample.resolution
    seeds = residual = 0.0
    terms: list[tuple[float, int]] = []
    for table in _tables(sample):
        n_seeds = len(table)
        if n_seeds == 1:
            continue
        means, df = table.mean(axis=1), (n_seeds - 1) * (n - 1)
        residuals = table - means[:, None] - table.mean(axis=0) + table.mean()
        noise = _zero_if_noise(float(np.sum(residuals**2)) / df, resolution) / (n_seeds * n)
        seed = max(mean_variance(means, resolution), noise)
        seeds += seed - noise
        residual += noise
        terms += [(seed, n_seeds - 1), (noise, df)]
    instance = max(mean_variance(sample.differences, resolution), residual)
    parts = {"seeds": seeds, "instances": instance - residual, "residual": residual}
    return parts, [(instance, n - 1), *terms]


def mean_variance(values: NDArray[np.float64], resolution: float) -> float:
    """Return the variance of the mean of independent values; 0 if it is float noise."""
    return _zero_if_noise(float(np.var(values, ddof=1)), resolution) / len(values)


def _zero_if_noise(variance: float, resolution: float) -> float:
    return variance if math.sqrt(variance) > resolution else 0.0


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
    check_resampling(n_resamples, interval, ("percentile", "basic"))
    runs, seed = sample.runs, draw_seed(rng)
    _check_seeds(sample, "seeded_bootstrap", 1, 1 + resample_seeds, alone=runs is not None)
    kernel: Any = runs and runs.kernel
    if runs is None:
        kernel = kernel_of_means(np.vstack([sample.a, sample.b]).T)
    drawn = bootstrap(kernel, n_resamples, seed, workers=workers)
    a, b = np.split(drawn.scores, sample.n_seeds[:1], axis=1)
    if resample_seeds:
        weights_a, weights_b = _seed_weights(sample, n_resamples, seed)
        replicates = (a * weights_a).sum(axis=1) - (b * weights_b).sum(axis=1)
    else:
        replicates = a.mean(axis=1) - b.mean(axis=1)
    estimate, noise = sample.difference, sample.resolution
    fields, n_differing = replicate_fields(drawn, replicates), sample.n_units
    count = count_extreme(replicates - estimate, estimate, alternative, noise)
    pvalue = counted_share(count, n_resamples, alternative, n_differing)
    if sample.identical:
        pvalue, n_differing, fields["kept"] = 1.0, 0, np.empty(0)
    elif runs is None and estimate != 0 and np.ptp(replicates) <= noise:
        pvalue, fields["kept"] = math.nan, np.empty(0)  # no variance to test it against
    seeds, and_seeds, ignored = "seeds and ", ", and so are the seeds", [_FITTED]
    if not resample_seeds:
        seeds, and_seeds = "", ""
        ignored.append("the seeds, whose average is treated as fixed")
    over = f"{seeds}{sample.unit}s, for this training set"
    relation = null_relation(alternative)
    return Comparison(
        test=f"bootstrap of {seeds}{sample.unit}s",
        estimand=f"mean score of A minus mean score of B over {over}",
        null_hypothesis=f"the expected score of A {relation} that of B, over {over}",
        alternative=alternative,
        assumptions=(
            f"the {sample.unit}s are independent of each other{and_seeds}",
            f"interval: {interval}, {n_resamples} bootstrap resamples",
        ),
        ignored_variance=tuple(ignored),
        law=Replicates(
            estimate=estimate,
            own_pvalue=pvalue,
            n_differing=n_differing,
            n_units=sample.n_units,
            how=kernel.how,
            limits_by=interval,
            **fields,
        ),
    )


# Without a formula, leaving out one row costs a pass over all rows.
_LEFT_OUT_UP_TO = 2_000


def pseudo_values(runs: Predictions) -> list[NDArray[np.float64]] | None:
    """Return per-row values whose means are the scores of any metric, for tests of means.

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


def _seed_weights(
    sample: SeedScores, n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weights of the seeds in every resample; the same for both when paired."""
    # Blocks of units use the first children of the seed: this one is far behind them.
    rng = stream(np.random.SeedSequence(seed, spawn_key=(2**32 - 1,)))
    weights = []
    for n in sample.n_seeds[: 1 if sample.paired_seeds else 2]:
        shares = rng.multinomial(n, np.full(n, 1 / n), n_resamples) / n
        # Spread out about 1/S: otherwise the variance between S seeds is (S - 1)/S of its size.
        weights.append(1 / n + (shares - 1 / n) * np.sqrt(n / max(1, n - 1)))
    return weights[0], weights[-1]
