"""The paired bootstrap test of any metric, and its posterior by the Bayesian bootstrap."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skstat._spelling import what_to_use
from skstat.stats import _chance as tails
from skstat.stats import _kernels as kernels
from skstat.stats import _posterior as base
from skstat.stats import _words as say
from skstat.stats._family import Comparison, Law, tails_by_limits
from skstat.stats._kernels import Draws, Kernel, Workers, bootstrap
from skstat.stats._ordering import resolution_of
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import check_choice, procedure, works
from skstat.stats._row_contributions import FEW_OF_CLASS
from skstat.stats._scores import PairedScores, check_count
from skstat.stats._stored import Number, NumberOrNone, Numbers, Stored

# An interval that excludes 0 stays away from it by this share of the standard error.
_MARGIN = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class UnitSpread(Stored, say.Swappable):
    """How much the contributions of units to an estimate vary.

    Attributes
    ----------
    error : float
        Standard error of the estimate, by the jackknife.
    skewness : float
        Skewness of the contributions over the root of their number.
    df : float
        Degrees of freedom of their variance: 2 n / (kurtosis - 1), which is n where they are
        normal, and less where few units decide (Satterthwaite, 1946, equation 5).
    largest : float or None
        Largest difference that the metric can have.
    """

    _signed = ("skewness",)

    error: float
    skewness: float
    df: float
    largest: float | None = None

    def lengthen(
        self, interval: say.ConfidenceInterval, estimate: float, tail: float
    ) -> say.ConfidenceInterval:
        """Make an interval at least as long, but never so long that it reaches 0 anew.

        The quantile q of Student's t is moved by skewness * (2 q^2 + 1) / 6 (Hall, 1992,
        section 2.6), outwards on the side of the longer tail.

        Parameters
        ----------
        interval : ConfidenceInterval
            The interval; a side that is infinite stays so.
        estimate : float
            The estimate that it is about.
        tail : float
            Share of samples in which it may miss the truth on one side.

        Returns
        -------
        ConfidenceInterval
            The longer one. Where `interval` excludes 0 it ends short of 0, so that it says of 0
            what the test says.
        """
        if math.isnan(interval.low):
            return interval
        q = float(tails.t_isf(tail, self.df))
        shift = self.skewness * (2 * q * q + 1) / 6
        below, above = (self.error * max(0.0, q, q + move) for move in (-shift, shift))
        largest = math.inf if self.largest is None else self.largest
        low = min(interval.low, max(-largest, estimate - below))
        high = max(interval.high, min(largest, estimate + above))
        margin = _MARGIN * self.error
        if interval.low > 0:
            low = max(low, min(interval.low, margin))
        if interval.high < 0:
            high = min(high, max(interval.high, -margin))
        return say.ConfidenceInterval(low, high)


Interval = Literal["percentile", "basic", "bca"]
_MAX_WHOLE = 999
# Of a shortened law: the draws that are kept at either end, and the most between them. Laws of
# more draws are not restored, so that a number in a file cannot fill the memory.
_KEPT_AT_END, _KEPT_BETWEEN = 300, 400
_MAX_SHORTENED = 10_000_000
INTERVALS = ("percentile", "basic", "bca")


@dataclass(frozen=True, kw_only=True, eq=False)
class Replicates(Law):
    """Bootstrap replicates of an estimate, and the p-value that was made of them.

    The limits are those of the bootstrap, of the kind `limits_by`. The statistic is the
    difference.

    Attributes
    ----------
    kept : ndarray
        The replicates that are kept: all of them, or in a family of pairs those that
        :func:`shortened` returns.
    limits_by : {"percentile", "basic", "bca"}
        How limits are made of them.
    acceleration : float or None
        Efron's acceleration, for ``"bca"``.
    n_redrawn : int
        Resamples drawn anew because the metric was undefined on them.
    n_differing : int or None
        Units on which the systems' outputs differ, whose signs bound the p-value; None where
        nothing does.
    n_units : int or None
        Units that were drawn from.
    own_pvalue : float
        The p-value, in the direction asked; how it was computed is in the name of the test.
    spread : UnitSpread or None
        Of a metric of classes with few rows of one, the jackknife's error with as many degrees
        of freedom as these rows less one. The interval is at least as long as that of
        Student's t, but never so long that it contains 0 where it would not.
    how : str
        How a replicate was computed.
    """

    statistic_name = "difference"
    # Whether the interval contains what the test does not reject, and nothing else.
    inverts_test = False
    _signed = (*Law._signed, "kept", "acceleration")

    kept: Number
    limits_by: str = "percentile"
    acceleration: NumberOrNone = None
    n_redrawn: int = 0
    n_differing: int | None = None
    n_units: int | None = None
    own_pvalue: float
    how: str = ""
    spread: UnitSpread | None = None

    def __post_init__(self) -> None:
        n, kept = self.n_resamples or 0, len(self.kept)
        if 0 < kept < n and (n > _MAX_SHORTENED or kept != len(_kept_positions(n))):
            raise ValueError(f"{kept} values are not {n} replicates in short.")

    @cached_property
    def replicates(self) -> Numbers:
        """The difference on every resample; empty for identical systems."""
        kept, n = np.asarray(self.kept, dtype=float), self.n_resamples or 0
        if not 0 < len(kept) < n:
            return kept
        return np.interp(np.arange(n), _kept_positions(n), np.sort(kept))

    def pvalue(self, alternative: str) -> float:
        return self.own_pvalue

    def smallest_pvalue(self, alternative: str) -> float:
        of_draws = 1 / (1 + self.n_drawn) if self.n_drawn else 0.0
        if self.n_differing is None:
            return of_draws
        return max(of_draws, say.smallest_of_signs(alternative, self.n_differing))

    def tails(self, bound: float) -> tuple[float, float]:
        # The standard error says whether the differences vary, also where no replicate is kept.
        if not (self.standard_error or 0.0) > say.NOISE * abs(self.estimate):
            return math.nan, math.nan
        of_draws = 1 / (1 + self.n_resamples) if self.n_resamples else 0.0
        of_signs = 0.0 if self.n_units is None else 2.0 ** -min(self.n_units, 1000)
        return tails_by_limits(self, bound, max(of_draws, of_signs))

    def no_shorter(self, low: float, high: float, tail: float) -> tuple[float, float]:
        """Lengthen an interval where a class has few rows; return its limits."""
        if self.spread is None:
            return low, high
        return self.spread.lengthen(say.ConfidenceInterval(low, high), self.estimate, tail)

    @property
    def bias(self) -> float:
        """Normal quantile of the share of replicates below the estimate, ties half."""
        shifts = self.replicates - self.estimate
        below = np.mean(shifts < 0) + np.mean(shifts == 0) / 2
        return math.nan if self.acceleration is None else float(special.ndtri(below))

    def limits(self, tail: float) -> tuple[float, float]:
        replicates = self.replicates
        if not replicates.size:
            limit = float(self.estimate) if self.n_differing == 0 else math.nan
            return limit, limit
        levels: Any = [tail, 1 - tail]
        if self.limits_by == "bca" and math.isfinite(z0 := self.bias):
            # Moved for bias and skewness (Efron, 1987, eq. 2.3), where that is defined.
            z = z0 + special.ndtri(levels)
            scale = 1 - self.acceleration * z
            levels = special.ndtr(z0 + z / scale) if np.all(scale > 0) else levels
        # Order statistics number (B + 1) * level, interpolated; infinite where too few were
        # drawn for the level.
        quantiles = np.quantile(replicates, levels, method="weibull")
        position, n = (len(replicates) + 1) * np.asarray(levels), len(replicates)
        outside = (position < 1 - 1e-9) | (position > n + 1e-9)
        low, high = np.where(outside, np.copysign(np.inf, position - 1), quantiles).tolist()
        if self.limits_by == "basic":
            low, high = 2 * self.estimate - high, 2 * self.estimate - low
        return self.no_shorter(low, high, tail)


def shortened(replicates: Numbers) -> Numbers:
    """Return about 1,000 order statistics at most, which stand for all replicates.

    The farthest 300 on either side are kept, and so is every 25th of 9,999: limits at levels
    of 90 %, 95 % and 99 % are exact. The others are interpolated, so that the share of them
    beyond a number changes by much less than its Monte Carlo error.
    """
    n = len(replicates)
    shorten = _MAX_WHOLE < n <= _MAX_SHORTENED
    return np.sort(replicates)[_kept_positions(n)] if shorten else replicates


def _kept_positions(n: int) -> NDArray[np.intp]:
    """Return the positions of the order statistics to keep, symmetric about the middle."""
    positions = np.arange(n)
    rank = np.minimum(positions + 1, n - positions)
    gap = math.ceil((n + 1) / _KEPT_BETWEEN)
    return np.flatnonzero((rank <= _KEPT_AT_END) | (rank % gap == 0) | (rank == rank.max()))


BootstrapP = Literal["shift", "berg-kirkpatrick", "sign-reversal"]
_TESTS = {
    "shift": "paired bootstrap test",
    "berg-kirkpatrick": "paired bootstrap test, one-sided (Berg-Kirkpatrick)",
    "sign-reversal": "paired bootstrap, share of resamples without the sign observed",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Bootstrap(Replicates):
    """Replicates of the paired bootstrap test.

    `sided_by_data` says whether a one-sided p-value took its direction from the data.
    """

    sided_by_data: bool = False


@procedure(
    title="the paired bootstrap",
    when="any metric: draws rows, groups or blocks of time",
    because="resamples serve any metric",
    references=(works.EFRON_TIBSHIRANI_1993,),
)
def paired_bootstrap(
    sample: Predictions,
    *,
    n_resamples: int = tails.DEFAULT_RESAMPLES,
    interval: Interval = "percentile",
    pvalue: BootstrapP = "shift",
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
    workers: Workers = map,
) -> Comparison:
    """Paired bootstrap test of the difference of any metric.

    Units (rows or groups) are drawn with replacement, the same for A and B, and the
    metric is computed anew ([1]_, ch. 13 to 16). All pairs of a family share draws.

    Parameters
    ----------
    sample : Predictions
        Outputs of A and B on one test set, with the metric.
    n_resamples : int, default=9999
        Resamples to draw.
    interval : {"percentile", "basic", "bca"}, default="percentile"
        ``"bca"``: bias-corrected and accelerated ([2]_).
    pvalue : {"shift", "berg-kirkpatrick", "sign-reversal"}, default="shift"
        ``"shift"``: replicates shifted to a mean difference of 0 are at least as
        extreme as the estimate, ``(1 + #{|d* - d| >= |d|}) / (1 + B)``.
        ``"berg-kirkpatrick"`` ([3]_): the share of d* >= 2 d, one-sided: in the direction
        of `alternative`, or else in the one observed. ``"sign-reversal"``: the
        share of replicates without the sign of d, one-sided, which is not a p-value of a
        hypothesis of no difference.
        None of them is below ``2^(1 - k)``, one-sided ``2^-k``, with k units on which
        the systems differ: their signs alone can show no more, and where all favour one
        system no resample would be on the other side, however few they are.
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
        If an argument is unknown, or the metric is undefined on more than 1 % of the
        resamples.

    References
    ----------
    .. [1] Efron, B. & Tibshirani, R. J. (1993). An Introduction to the Bootstrap.
       Chapman & Hall.
    .. [2] Efron, B. (1987). Better bootstrap confidence intervals. Journal of the
       American Statistical Association, 82(397), 171-185.
    .. [3] Berg-Kirkpatrick, T., Burkett, D. & Klein, D. (2012). An empirical
       investigation of statistical significance in NLP. EMNLP-CoNLL, 995-1005.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.stats import Predictions, paired_bootstrap
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> truth = np.ones(10)
    >>> outputs = {"a": [1] * 7 + [0] * 3, "b": [1] * 3 + [0] * 4 + [1] * 2 + [0]}
    >>> sample = Predictions(truth, outputs, accuracy)
    >>> options = {"n_resamples": 999, "pvalue": "berg-kirkpatrick", "rng": 0}
    >>> outcome = paired_bootstrap(sample, **options)
    >>> round(outcome.estimate, 2), 0.25 < outcome.pvalue < 0.29
    (0.2, True)
    """
    check_resampling(n_resamples, interval)
    check_choice("pvalue", pvalue, _TESTS)
    if pvalue == "sign-reversal" and alternative != "two-sided":
        raise ValueError(f"pvalue={pvalue!r} has the data's direction; leave alternative out.")
    seed = tails.draw_seed(rng)
    fields = initial_fields(sample, n_resamples, seed)
    fields |= draw_differences(sample, n_resamples, interval, seed, workers)
    by_data = pvalue != "shift" and alternative == "two-sided"
    if by_data and sample.difference != 0:
        alternative = "greater" if sample.difference > 0 else "less"
    replicates, own_pvalue = fields["kept"], 1.0
    if replicates.size and not (by_data and sample.difference == 0):
        # Berg-Kirkpatrick's share of d* >= 2 d is the one of shifted replicates, one-sided.
        extreme, observed = replicates - sample.difference, sample.difference
        if pvalue == "sign-reversal":
            extreme, observed = -replicates, 0.0
        count = say.count_extreme(extreme, observed, alternative, sample.noise)
        own_pvalue = say.counted_share(count, n_resamples, alternative, fields["n_differing"])
    # Limits by bca also rest on how many replicates are below the estimate.
    if sample.family is not None and interval != "bca":
        fields["kept"] = shortened(replicates)
    law = Bootstrap(**fields, limits_by=interval, own_pvalue=own_pvalue, sided_by_data=by_data)
    published = {"berg-kirkpatrick": works.BERG_KIRKPATRICK_ET_AL_2012}
    resampled = f"{sample.unit}s"
    if sample.ordered:
        length = sample.block_length
        resampled = "single rows" if length == 1 else f"blocks of {length} rows"
    return Comparison(
        test=f"{_TESTS[pvalue]}, {resampled} resampled",
        **words_about(sample, alternative),
        assumptions=assumptions_of(sample, law),
        references=(published.get(pvalue, works.EFRON_TIBSHIRANI_1993),),
        law=law,
    )


def check_resampling(
    n_resamples: int, interval: str, intervals: tuple[str, ...] = INTERVALS
) -> None:
    """Raise ValueError for a number of resamples or an interval that is not valid."""
    check_count("n_resamples", n_resamples)
    if interval not in intervals:
        use = what_to_use(interval, intervals)
        raise ValueError(f"interval={interval!r} is unknown; {use}.")


def draw_scores(
    sample: Predictions, n_resamples: int, seed: int, workers: Workers, *, smooth: bool = False
) -> tuple[Draws, Kernel, list[int]]:
    """Score resamples by all systems of the family of a sample, once for all of its pairs.

    Returns the draws, the kernel of all systems, and the positions of the sample's systems.
    """
    family = sample.family or sample
    family.scores  # noqa: B018  refuses an undefined metric before anything is drawn
    key, cache = (family.metric, n_resamples, seed), family.work.facts
    if cache.get(("drawn", smooth), (None,))[0] != key:  # kept of one metric at a time
        drawn = bootstrap(family.kernel, n_resamples, seed, workers=workers, smooth=smooth)
        cache["drawn", smooth] = key, drawn
    positions = [family.names.index(name) for name in sample.names]
    return cache["drawn", smooth][1], family.kernel, positions


def replicate_fields(drawn: Draws, replicates: Numbers) -> dict[str, Any]:
    """Return the fields of a law that follow from its replicates."""
    return {
        "kept": replicates,
        "standard_error": float(np.std(replicates, ddof=1)) if len(replicates) > 1 else 0.0,
        "n_redrawn": drawn.n_redrawn,
        "n_resamples": len(replicates),
        "seed": drawn.seed,
    }


def draw_differences(
    sample: Predictions, n_resamples: int, interval: str, seed: int, workers: Workers
) -> dict[str, Any]:
    """Draw replicates of score(A) - score(B), and return the fields of a law made of them."""
    if sample.identical:
        return {"standard_error": 0.0}
    drawn, kernel, (a, b) = draw_scores(sample, n_resamples, seed, workers)
    replicates = drawn.scores[:, a] - drawn.scores[:, b]
    replicates = np.where(np.abs(replicates) <= sample.noise, 0.0, replicates)
    fields = replicate_fields(drawn, replicates)
    if interval == "bca":
        # ``a = sum(U^3) / (6 sum(U^2)^1.5)`` with U the mean of the estimates without one unit
        # minus each of them (Efron, 1987, eq. 7.3), which may never move.
        u, times = kernel.jackknife(a, b), kernel.plan.multiplicity
        if 0 < (squares := float(times @ u**2)) < math.inf:
            fields["acceleration"] = float(times @ u**3) / (6 * squares**1.5)
    return fields


def jackknife_error(kernel: Kernel) -> float:
    """Standard error of the difference of two systems by the jackknife; nan if undefined."""
    m, n = kernel.plan.multiplicity, kernel.plan.n_units
    influence = (n - 1) * kernel.jackknife()
    return math.sqrt(float(m @ influence**2) / (n * max(1, n - 1)))


def assumptions_of(sample: Predictions, law: Replicates) -> tuple[str, str]:
    """Say what must hold for the replicates, and how the interval is made of them."""
    scheme, independent = "", f"the {sample.unit}s are independent of each other"
    if sample.ordered:
        blocks = f"blocks of {sample.block_length} rows"
        scheme = f", in {blocks} in time order"
        independent = f"the dependence of rows does not reach beyond {blocks}"
    elif sample.strata is not None:
        scheme = ", within strata whose sizes are fixed"
    elif (resampled := sample.kernel.resampled) is not sample.kernel:
        scheme = f" of {resampled.plan.n_units:,} blocks of {sample.unit}s"
        if resampled.how != sample.kernel.how:
            scheme += f", {resampled.how}"
    limits = law.limits_by
    if limits == "bca" and law.replicates.size and not math.isfinite(law.bias):
        limits = "percentile (bca is undefined here)"  # it needs replicates on both sides
    drawn = f"{law.n_resamples} bootstrap resamples{scheme}"
    return independent, f"interval: {limits}, {drawn}{no_shorter(law.spread)}"


def words_about(sample: Predictions, alternative: str) -> dict[str, Any]:
    """Return the words and the effect size of a comparison, which do not depend on draws."""
    (a, b), relation = sample.scores.tolist(), say.null_relation(alternative)
    where = f"on the population of {sample.unit}s, for these two fitted systems"
    relative = (a - b) / abs(b) if b else math.nan
    return {
        "estimand": f"score(A) - score(B) {where}",
        "null_hypothesis": f"the score of A {relation} that of B {where}",
        "alternative": alternative,
        "effect_sizes": {"relative difference (A - B) / |B|": relative},
    }


def initial_fields(sample: Predictions, n_resamples: int, seed: int) -> dict[str, Any]:
    """Return the fields of a law before anything is drawn."""
    kernel, spread = sample.kernel, None
    # Systems that err in unlike ways have intervals that are too short where a class has few
    # rows. The rows of all rare classes but the largest class count, each less one.
    *fewer, _ = sorted(kernel.class_sizes or (0,))
    rare = [size for size in fewer if 0 < size < FEW_OF_CLASS]
    if rare and not sample.ordered and math.isfinite(error := jackknife_error(kernel)):
        df = float(max(1, sum(rare) - len(rare)))
        spread = UnitSpread(error=error, skewness=0.0, df=df)
    return {
        "estimate": sample.difference,
        "n_differing": kernel.n_differing,
        "n_units": kernel.plan.n_units,
        "how": kernel.how,
        "spread": spread,
        "kept": np.empty(0),
        "standard_error": math.nan,
        "n_resamples": n_resamples,
        "seed": seed,
    }


def no_shorter(spread: UnitSpread | None) -> str:
    """Say what bounds the length of the interval from below; empty if nothing does."""
    if spread is None:
        return ""
    return (
        f"; no shorter than that of the jackknife with Student's t of {spread.df:g} degrees of "
        "freedom, as a class has few rows, but never reaching 0 against the test"
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class BootstrapPosterior(base.DrawnPosterior):
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

    example: ClassVar[str] = "bootstrap_posterior(sample)"
    subject = "the difference"
    by = "the Bayesian bootstrap"
    caveat = "of the same rows as the p-value"
    model = (
        "units like those seen come in unknown shares, which have a Dirichlet law; units of "
        "another kind do not exist"
    )

    _signed = ("estimate",)

    estimate: float
    n_units: int
    smallest_class: int | None = None
    largest_share: float | None = None

    def _law(self) -> tuple[Numbers, Numbers] | None:
        # By a normal kernel, as wide as Silverman's rule has it.
        values = np.asarray(self.quantiles, dtype=float)
        low, high = np.quantile(values, [0.25, 0.75])
        size = min(float(values.std()), (high - low) / 1.349) or float(values.std())
        if size == 0:
            return None
        width = 0.9 * size * len(values) ** -0.2
        at = np.linspace(values[0] - 3 * width, values[-1] + 3 * width, 241)
        return at, tails.laws().gaussian_kde(values, width / values.std(ddof=1))(at)

    def by_prior(self, rope: float, differences: Any) -> dict[str, base.Probabilities]:
        # From the quantiles that are kept.
        shares = self.probabilities if rope == self.rope else _shares(self.quantiles, rope)
        return {"none": shares, **self._sceptical(rope)}


@procedure(when="of a test set, by any metric", references=(works.RUBIN_1981,))
def bootstrap_posterior(
    sample: Predictions | PairedScores,
    rope: float = 0.0,
    *,
    n_draws: int | None = None,
    rng: int | np.random.Generator | None = None,
    workers: Workers = map,
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
    >>> result = bootstrap_posterior(PairedScores(a, b, unit="instance"), rope=0.01, rng=0)
    >>> result.probabilities.better > 0.9, result.n_drawn
    (True, 9999)
    """
    rope = base.check_rope(rope)
    n_draws = check_count("n_draws", tails.DEFAULT_RESAMPLES if n_draws is None else n_draws)
    if sample.ordered:
        raise ValueError(
            "bootstrap_posterior weighs independent units, and these stand in time order: use "
            "test='diebold_mariano', or posterior(diebold_mariano(sample), rope), for a mean."
        )
    if not can_be_weighed(sample):
        raise ValueError(
            f"bootstrap_posterior takes instances, or sample.per_group(), no {sample.unit}s."
        )
    seed = tails.draw_seed(rng)
    if isinstance(sample, PairedScores):
        kernel = kernels.kernel_of_means(np.column_stack([sample.a, sample.b]))
        of_means = WeightedScores.of(kernel, n_draws, seed, workers)
        return of_means.posterior(0, 1, rope, kernel.n_differing)
    sample.check_two()
    drawn, (a, b) = WeightedScores.of_predictions(sample, n_draws, seed, workers)
    return drawn.posterior(a, b, rope, sample.kernel.n_differing)


def can_be_weighed(sample: Any) -> bool:
    """Whether the Bayesian bootstrap takes a sample: one of independent rows or groups."""
    suitable = isinstance(sample, Predictions)
    if isinstance(sample, PairedScores):
        suitable = sample.unit in ("instance", "group") and sample.groups is None
    return suitable and not sample.ordered


def is_right_or_wrong(sample: PairedScores) -> bool:
    """Whether the scores of instances are all 0 or 1."""
    return sample.unit == "instance" and bool(np.isin([sample.a, sample.b], (0, 1)).all())


def _shares(
    differences: Numbers, rope: float, noise: float = 0.0, cap: float = 1.0
) -> base.Probabilities:
    """Return the shares of draws beyond the region and in it; without one ties are halved.

    No side has more than `cap`, and without a region none has less than 1 - `cap`.
    """
    ties = float(np.mean(differences == 0)) / 2 if rope == 0 else 0.0
    better, worse = (
        min(cap, float(np.mean(side * differences > rope + noise)) + ties) for side in (1, -1)
    )
    if rope == 0:
        better, worse = max(better, 1 - cap), max(worse, 1 - cap)
    return base.Probabilities.beyond(better, worse, rope)


class WeightedScores(NamedTuple):
    """Draws of the scores of several systems, from which every pair is read.

    Attributes
    ----------
    drawn : Draws
        Scores of the systems, each draw with its own weights of the units.
    kernel : Kernel
        What scores the systems.
    """

    drawn: Draws
    kernel: Kernel

    @classmethod
    def of(
        cls, kernel: Kernel, n_draws: int, seed: int, workers: Workers = map
    ) -> "WeightedScores":
        """Draw scores of all systems with weights of the units."""
        return cls(bootstrap(kernel, n_draws, seed, workers=workers, smooth=True), kernel)

    @classmethod
    def of_predictions(
        cls, sample: Predictions, n_draws: int, seed: int, workers: Workers = map
    ) -> tuple["WeightedScores", list[int]]:
        """Draw scores of all systems of a family; return the positions of the sample's too."""
        kernel = (sample.family or sample).kernel
        if isinstance(kernel, kernels.CallableKernel):
            (copied,) = kernel.weighted(kernels.COPIES * kernel.plan.multiplicity[None])
            if not np.allclose(copied, kernel.scores, rtol=1e-6, atol=0, equal_nan=True):
                raise ValueError(
                    f"the metric is not the same when all rows come {kernels.COPIES} times "
                    f"({copied[0]:.6g}, not {kernel.scores[0]:.6g}), so that it has no value "
                    "for weighted rows. Leave rope= out, or pass a mean where it is a sum."
                )
        drawn, kernel, positions = draw_scores(sample, n_draws, seed, workers, smooth=True)
        return cls(drawn, kernel), positions

    def best(self, names: Sequence[str], rope: float) -> base.BestPosterior:
        """Return the posterior of which system is the best."""
        return base.best_of_draws(names, rope, [self.drawn.scores], self.drawn.seed)

    def posterior(self, a: int, b: int, rope: float, n_differing: int) -> BootstrapPosterior:
        """Return the posterior of the difference of two systems, which differ on some units."""
        (drawn, _, seed), kernel = self.drawn, self.kernel
        scores = kernel.scores[[a, b]]
        noise = resolution_of(scores)
        differences = drawn[:, a] - drawn[:, b]
        differences = np.where(np.abs(differences) <= noise, 0.0, differences)
        # What the signs of so many units can show at most.
        cap = 1 - say.smallest_of_signs("greater", n_differing) / 2
        estimate = float(scores[0] - scores[1])
        return BootstrapPosterior(
            rope=rope,
            probabilities=_shares(differences, rope, noise, cap),
            estimate=0.0 if abs(estimate) <= noise else estimate,
            quantiles=base.quantiles_of(differences),
            n_units=kernel.plan.n_units,
            n_telling=n_differing,
            n_drawn=len(differences),
            seed=seed,
            smallest_class=min((n for n in kernel.class_sizes or () if n), default=None),
            largest_share=kernels.largest_share(kernel, a, b),
            references=(works.RUBIN_1981,),
        )
