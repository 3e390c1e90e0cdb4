"""The paired bootstrap of any metric."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skstat._spelling import what_to_use
from skstat.stats._common import check_choice, procedure
from skstat.stats._literature import BERG_KIRKPATRICK_ET_AL_2012, EFRON_TIBSHIRANI_1993
from skstat.stats._outcomes import (
    INTERVALS,
    Comparison,
    Interval,
    Replicates,
    UnitSpread,
    acceleration,
    bias_correction,
    counted_share,
    null_relation,
    score_effects,
)
from skstat.stats._paired import count_extreme
from skstat.stats._resampling import DEFAULT_RESAMPLES, Kernel, Workers, bootstrap, draw_seed
from skstat.stats._samples import (
    FEW_OF_CLASS,
    PairedPredictions,
    check_alternative,
    check_count,
)

BootstrapP = Literal["shift", "berg-kirkpatrick", "sign-reversal"]
_PVALUES = ("shift", "berg-kirkpatrick", "sign-reversal")


@dataclass(frozen=True, kw_only=True, eq=False)
class Bootstrap(Replicates):
    """Replicates of the paired bootstrap test: `own_pvalue` is of `pvalue_method`.

    `sided_by_data` says whether a one-sided p-value took its direction from the data.
    """

    pvalue_method: str = "shift"
    sided_by_data: bool = False


@procedure(
    title="the paired bootstrap",
    when="any metric: draws rows, groups or blocks of time",
    because="resamples serve any metric",
    references=(EFRON_TIBSHIRANI_1993,),
    read_as=("bootstrap_posterior", "bayesian_bootstrap", "bayes_bootstrap"),
)
def paired_bootstrap(
    sample: PairedPredictions,
    *,
    n_resamples: int = DEFAULT_RESAMPLES,
    interval: Interval = "percentile",
    pvalue: BootstrapP = "shift",
    rng: int | np.random.Generator | None = None,
    alternative: str = "two-sided",
    workers: Workers = map,
) -> Comparison:
    """Paired bootstrap test of the difference of any metric.

    Units (rows or groups) are drawn with replacement, the same for A and B, and the
    metric is computed anew ([1]_, ch. 13 to 16).

    Parameters
    ----------
    sample : PairedPredictions
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
    >>> from skstat.stats import PairedPredictions, paired_bootstrap
    >>> def accuracy(y_true, y_pred):
    ...     return np.mean(y_true == y_pred)
    >>> truth = np.ones(10)
    >>> outputs = {"a": [1] * 7 + [0] * 3, "b": [1] * 3 + [0] * 4 + [1] * 2 + [0]}
    >>> sample = PairedPredictions(truth, outputs, accuracy)
    >>> options = {"n_resamples": 999, "pvalue": "berg-kirkpatrick", "rng": 0}
    >>> outcome = paired_bootstrap(sample, **options)
    >>> round(outcome.estimate, 2), 0.25 < outcome.pvalue < 0.29
    (0.2, True)
    """
    check_alternative(alternative)
    check_resampling(n_resamples, interval)
    check_choice("pvalue", pvalue, _PVALUES)
    if pvalue == "sign-reversal" and alternative != "two-sided":
        raise ValueError(
            f"pvalue={pvalue!r} takes its direction from the data; leave alternative out."
        )
    drawn = draw_differences(sample, n_resamples, interval, draw_seed(rng), workers)
    return bootstrap_outcome(sample, drawn, pvalue=pvalue, alternative=alternative)


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """Bootstrap replicates of one difference, with what its interval needs."""

    replicates: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    limits_by: str = "percentile"
    standard_error: float
    acceleration: float | None = None
    n_redrawn: int = 0
    n_resamples: int
    seed: int

    def fields(self) -> dict[str, Any]:
        """Return what a law takes over of them."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def check_resampling(
    n_resamples: int, interval: str, intervals: tuple[str, ...] = INTERVALS
) -> None:
    """Refuse what no bootstrap can do."""
    check_count("n_resamples", n_resamples)
    if interval not in intervals:
        raise ValueError(
            f"interval={interval!r} is unknown; {what_to_use(interval, intervals)}."
        )


def draw_differences(
    sample: PairedPredictions, n_resamples: int, interval: str, seed: int, workers: Workers
) -> Drawn:
    """Draw replicates of score(A) - score(B)."""
    kernel = sample.kernel
    if sample.identical:
        return Drawn(limits_by=interval, standard_error=0.0, n_resamples=n_resamples, seed=seed)
    sample.scores  # noqa: B018  refuses an undefined metric before anything is drawn
    drawn = bootstrap([kernel], n_resamples, seed, workers=workers)
    replicates = drawn.scores[0][:, 0] - drawn.scores[0][:, 1]
    return summarise(
        kernel, replicates, interval,
        n_redrawn=drawn.n_redrawn, seed=seed, noise=sample.noise,
    )  # fmt: skip


def summarise(
    kernel: Kernel,
    replicates: NDArray[np.float64],
    interval: str,
    *,
    systems: tuple[int, int] = (0, 1),
    n_redrawn: int,
    seed: int,
    noise: float,
) -> Drawn:
    """Add to replicates of a difference what the interval needs."""
    a, b = systems
    replicates = np.where(np.abs(replicates) <= noise, 0.0, replicates)
    error = float(np.std(replicates, ddof=1)) if len(replicates) > 1 else 0.0
    extra: dict[str, Any] = {}
    if interval == "bca":
        left_out = kernel.left_out
        extra["acceleration"] = acceleration(
            left_out[:, a] - left_out[:, b], kernel.plan.multiplicity
        )
    return Drawn(
        replicates=replicates,
        limits_by=interval,
        standard_error=error,
        n_redrawn=n_redrawn,
        n_resamples=len(replicates),
        seed=seed,
        **extra,
    )


def jackknife_error(kernel: Kernel) -> float:
    """Standard error of the difference of two systems by the jackknife; nan if undefined."""
    left_out = kernel.left_out
    differences = left_out[:, 0] - left_out[:, 1]
    m, n = kernel.plan.multiplicity, kernel.plan.n_units
    influence = (n - 1) * (np.average(differences, weights=m) - differences)
    squares = float(m @ influence**2) - float(m @ influence) ** 2 / n
    return math.sqrt(np.maximum(0.0, squares) / (n * max(1, n - 1)))


_REFERENCES = {
    "shift": (EFRON_TIBSHIRANI_1993,),
    "berg-kirkpatrick": (BERG_KIRKPATRICK_ET_AL_2012,),
    "sign-reversal": (EFRON_TIBSHIRANI_1993,),
}


def bootstrap_outcome(
    sample: PairedPredictions, drawn: Drawn, *, pvalue: str, alternative: str
) -> Comparison:
    """Wrap replicates, with the p-value asked for."""
    words = {
        "shift": "paired bootstrap test",
        "berg-kirkpatrick": "paired bootstrap test, one-sided (Berg-Kirkpatrick)",
        "sign-reversal": "paired bootstrap, share of resamples without the sign observed",
    }[pvalue]
    p = _bootstrap_pvalue(sample, drawn, sample.difference, pvalue, alternative)
    by_data = pvalue != "shift" and alternative == "two-sided"
    if by_data and sample.difference != 0:
        alternative = "greater" if sample.difference > 0 else "less"
    law = Bootstrap(
        **drawn.fields(),
        **numbers_of(sample),
        own_pvalue=p,
        pvalue_method=pvalue,
        sided_by_data=by_data,
    )
    return Comparison(
        test=f"{words}, {_resampled(sample)} resampled",
        **words_about(sample, alternative),
        assumptions=assumptions_of(sample, drawn, law.spread),
        references=_REFERENCES[pvalue],
        null_hypothesis=_null_hypothesis(alternative, sample),
        law=law,
    )


def _resampled(sample: PairedPredictions) -> str:
    if not sample.ordered:
        return f"{sample.unit}s"
    return (
        "single rows" if sample.block_length == 1 else f"blocks of {sample.block_length} rows"
    )


def assumptions_of(
    sample: PairedPredictions, drawn: Drawn, spread: UnitSpread | None
) -> tuple[str, str]:
    """Say what must hold for the replicates, and how the interval is made of them."""
    scheme = ""
    if sample.ordered:
        scheme = f", in blocks of {sample.block_length} rows in time order"
    elif sample.strata is not None:
        scheme = ", within strata whose sizes are fixed"
    elif (resampled := sample.kernel.resampled) is not sample.kernel:
        scheme = f" of {resampled.plan.n_units:,} blocks of {sample.unit}s"
        if resampled.how != sample.kernel.how:
            scheme += f", {resampled.how}"
    limits = drawn.limits_by
    if drawn.replicates.size and not _has_limits(sample, drawn):
        limits = f"percentile ({limits} is undefined here)"
    return (
        independence(sample),
        f"interval: {limits}, {drawn.n_resamples} bootstrap resamples{scheme}"
        + no_shorter(spread),
    )


def independence(sample: PairedPredictions) -> str:
    """Say what must be independent."""
    if sample.ordered:
        length = sample.block_length
        return f"the dependence of rows does not reach beyond blocks of {length} rows"
    return f"the {sample.unit}s are independent of each other"


def words_about(sample: PairedPredictions, alternative: str) -> dict[str, Any]:
    """Say what was compared, whatever was drawn."""
    return {
        "estimand": f"score(A) - score(B) on the population of {sample.unit}s, for these two "
        "fitted systems",
        "alternative": alternative,
        "effect_sizes": score_effects(sample.scores),
    }


def numbers_of(sample: PairedPredictions) -> dict[str, Any]:
    """Return the numbers of a law that are known before anything is drawn."""
    kernel = sample.kernel
    return {
        "estimate": sample.difference,
        "n_differing": int(kernel.plan.multiplicity[kernel.differing].sum()),
        "n_units": kernel.plan.n_units,
        "how": kernel.how,
        "spread": _spread_of_few(sample),
    }


def no_shorter(spread: UnitSpread | None) -> str:
    """Say what the length of the interval is bounded by, if by anything."""
    if spread is None:
        return ""
    return (
        f"; no shorter than that of the jackknife with Student's t of {spread.df:g} degrees of "
        "freedom, as a class has few rows, but never reaching 0 against the test"
    )


def _spread_of_few(sample: PairedPredictions) -> UnitSpread | None:
    """Error of a metric of classes by the jackknife, where a class has few rows.

    Systems that err in unlike ways have intervals that are too short then. The rows of all
    rare classes but the largest class count, each less one.
    """
    kernel = sample.kernel
    *fewer, _ = sorted(kernel.class_sizes or (0,))
    rare = [size for size in fewer if 0 < size < FEW_OF_CLASS]
    if sample.ordered or not rare:
        return None
    error = jackknife_error(kernel)
    if not math.isfinite(error):
        return None
    return UnitSpread(error=error, skewness=0.0, df=float(max(1, sum(rare) - len(rare))))


def _has_limits(sample: PairedPredictions, drawn: Drawn) -> bool:
    """Whether the replicates have what the kind of interval asked for needs."""
    if drawn.limits_by == "bca":  # replicates on both sides of the estimate
        z0 = bias_correction(drawn.replicates, sample.difference)
        return drawn.acceleration is not None and math.isfinite(z0)
    return True


def _null_hypothesis(alternative: str, sample: PairedPredictions) -> str:
    relation = null_relation(alternative)
    return (
        f"the score of A {relation} that of B on the population of {sample.unit}s, for these "
        "two fitted systems"
    )


def _bootstrap_pvalue(
    sample: PairedPredictions, drawn: Drawn, estimate: float, method: str, alternative: str
) -> float:
    replicates, n = drawn.replicates, drawn.n_resamples
    if not replicates.size:
        return 1.0
    kernel = sample.kernel
    n_differing = int(kernel.plan.multiplicity[kernel.differing].sum())
    tolerance = sample.noise
    if method == "shift":
        count = count_extreme(replicates - estimate, estimate, alternative, tolerance)
        return counted_share(count, n, alternative, n_differing)
    if alternative == "two-sided":  # the direction is that of the data
        if estimate == 0:
            return 1.0
        alternative = "greater" if estimate > 0 else "less"
    turn = -1 if alternative == "less" else 1
    side = turn * replicates
    bound = 2 * turn * estimate - tolerance
    extreme = side >= bound if method == "berg-kirkpatrick" else side <= tolerance
    return counted_share(int(extreme.sum()), n, alternative, n_differing)
