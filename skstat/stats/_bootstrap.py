"""The paired bootstrap of any metric."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from skstat._spelling import what_to_use
from skstat.stats._common import check_choice, procedure
from skstat.stats._family import Comparison
from skstat.stats._flips import count_extreme
from skstat.stats._kernels import Draws, Kernel, Workers, bootstrap
from skstat.stats._literature import BERG_KIRKPATRICK_ET_AL_2012, EFRON_TIBSHIRANI_1993
from skstat.stats._replicates import (
    INTERVALS,
    Interval,
    Replicates,
    UnitSpread,
    acceleration,
    bias_correction,
    counted_share,
    score_effects,
)
from skstat.stats._resampling import DEFAULT_RESAMPLES, draw_seed
from skstat.stats._samples import (
    FEW_OF_CLASS,
    PairedPredictions,
    check_alternative,
    check_count,
)
from skstat.stats._words import null_relation

BootstrapP = Literal["shift", "berg-kirkpatrick", "sign-reversal"]
_TESTS = {
    "shift": ("paired bootstrap test", EFRON_TIBSHIRANI_1993),
    "berg-kirkpatrick": (
        "paired bootstrap test, one-sided (Berg-Kirkpatrick)",
        BERG_KIRKPATRICK_ET_AL_2012,
    ),
    "sign-reversal": (
        "paired bootstrap, share of resamples without the sign observed",
        EFRON_TIBSHIRANI_1993,
    ),
}


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
    check_choice("pvalue", pvalue, _TESTS)
    if pvalue == "sign-reversal" and alternative != "two-sided":
        raise ValueError(
            f"pvalue={pvalue!r} takes its direction from the data; leave alternative out."
        )
    drawn = draw_differences(sample, n_resamples, interval, draw_seed(rng), workers)
    return bootstrap_outcome(sample, drawn, pvalue=pvalue, alternative=alternative)


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
) -> dict[str, Any]:
    """Draw replicates of score(A) - score(B): what a law takes over of them."""
    if sample.identical:
        return no_draws(n_resamples, seed, 0.0) | {"limits_by": interval}
    sample.scores  # noqa: B018  refuses an undefined metric before anything is drawn
    drawn = bootstrap([sample.kernel], n_resamples, seed, workers=workers)
    return differences_of(sample.kernel, drawn, interval, noise=sample.noise)


def no_draws(n_resamples: int, seed: int, standard_error: float) -> dict[str, Any]:
    """Return what a law takes over where there are no replicates."""
    return {
        "replicates": np.empty(0),
        "standard_error": standard_error,
        "n_resamples": n_resamples,
        "seed": seed,
    }


def differences_of(
    kernel: Kernel,
    drawn: Draws,
    interval: str,
    *,
    systems: tuple[int, int] = (0, 1),
    noise: float,
) -> dict[str, Any]:
    """Return of the scores of resamples what a law of a difference takes over."""
    a, b = systems
    replicates = drawn.scores[0][:, a] - drawn.scores[0][:, b]
    replicates = np.where(np.abs(replicates) <= noise, 0.0, replicates)
    found = {
        "replicates": replicates,
        "limits_by": interval,
        "standard_error": float(np.std(replicates, ddof=1)) if len(replicates) > 1 else 0.0,
        "n_redrawn": drawn.n_redrawn,
        "n_resamples": len(replicates),
        "seed": drawn.seed,
    }
    if interval == "bca":
        found["acceleration"] = acceleration(kernel.apart(a, b), kernel.plan.multiplicity)
    return found


def jackknife_error(kernel: Kernel) -> float:
    """Standard error of the difference of two systems by the jackknife; nan if undefined."""
    m, n = kernel.plan.multiplicity, kernel.plan.n_units
    influence = (n - 1) * kernel.apart()
    squares = float(m @ influence**2) - float(m @ influence) ** 2 / n
    return math.sqrt(np.maximum(0.0, squares) / (n * max(1, n - 1)))


def bootstrap_outcome(
    sample: PairedPredictions, drawn: dict[str, Any], *, pvalue: str, alternative: str
) -> Comparison:
    """Wrap replicates, with the p-value asked for."""
    by_data = pvalue != "shift" and alternative == "two-sided"
    if by_data and sample.difference != 0:
        alternative = "greater" if sample.difference > 0 else "less"
    law = Bootstrap(
        **drawn,
        **numbers_of(sample),
        own_pvalue=math.nan,
        pvalue_method=pvalue,
        sided_by_data=by_data,
    )
    words, reference = _TESTS[pvalue]
    resampled = f"{sample.unit}s"
    if sample.ordered:
        length = sample.block_length
        resampled = "single rows" if length == 1 else f"blocks of {length} rows"
    return Comparison(
        test=f"{words}, {resampled} resampled",
        **words_about(sample, alternative),
        assumptions=assumptions_of(sample, drawn, law.spread),
        references=(reference,),
        null_hypothesis=f"the score of A {null_relation(alternative)} that of B on the "
        f"population of {sample.unit}s, for these two fitted systems",
        law=replace(law, own_pvalue=_pvalue_of(law, alternative, sample.noise)),
    )


def _pvalue_of(law: Bootstrap, alternative: str, noise: float) -> float:
    if not law.replicates.size or (law.sided_by_data and law.estimate == 0):
        return 1.0
    if law.pvalue_method == "shift":
        shifted = law.replicates - law.estimate
        count = count_extreme(shifted, law.estimate, alternative, noise)
    else:
        turn = -1 if alternative == "less" else 1
        side = turn * law.replicates
        reversed_ = law.pvalue_method == "sign-reversal"
        extreme = side <= noise if reversed_ else side >= 2 * turn * law.estimate - noise
        count = int(extreme.sum())
    return counted_share(count, law.n_resamples or 0, alternative, law.n_differing or 0)


def assumptions_of(
    sample: PairedPredictions, drawn: dict[str, Any], spread: UnitSpread | None
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
    limits, replicates = drawn["limits_by"], drawn["replicates"]
    if limits == "bca" and replicates.size:  # which needs replicates on both sides
        z0 = bias_correction(replicates, sample.difference)
        if drawn["acceleration"] is None or not math.isfinite(z0):
            limits = "percentile (bca is undefined here)"
    return (
        independence(sample),
        f"interval: {limits}, {drawn['n_resamples']} bootstrap resamples{scheme}"
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
        "n_differing": int(kernel.plan.multiplicity[kernel.differing].sum()),
        "n_units": kernel.plan.n_units,
        "how": kernel.how,
        "spread": spread,
    }


def no_shorter(spread: UnitSpread | None) -> str:
    """Say what the length of the interval is bounded by, if by anything."""
    if spread is None:
        return ""
    return (
        f"; no shorter than that of the jackknife with Student's t of {spread.df:g} degrees of "
        "freedom, as a class has few rows, but never reaching 0 against the test"
    )
