"""Which of two systems is better at which trade-off: ROC, precision-recall and cost curves."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import (
    average_precision_score,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)

from skstat._arguments import explains_arguments
from skstat.comparison._curves.curve_comparison import (
    CostBand,
    CostRegion,
    CurveComparison,
    Points,
)
from skstat.comparison._engine import Blocks, named_predictions
from skstat.evaluation._progress import Verbose
from skstat.evaluation._random_state import draw_seed
from skstat.metrics import cost_curve
from skstat.metrics._cost_curve import EnvelopeKernel
from skstat.metrics._output_kinds import binary_scores_of, sorted_labels
from skstat.stats._common import codes_of, rows_together, weights_of
from skstat.stats._outcomes import check_level
from skstat.stats._resampling import Replicates, UnitPlan, bootstrap
from skstat.stats._samples import MIN_GROUPS
from skstat.stats._test_set import check_resampling

# Rates of any test set differ by more than float noise.
_NOISE = 1e-12
_GRID = 101
# Rows of each class that are added to every standard error: see `_band`.
_ROWS_MORE = 2.0


@explains_arguments
def compare_curves(
    y_true: Any,
    predictions: Any,
    *,
    kind: Literal["roc", "precision_recall"] = "roc",
    pos_label: Any = None,
    sample_weight: Any = None,
) -> CurveComparison:
    """Say whether the ROC or precision-recall curve of one of two systems encloses the other.

    A system whose curve encloses the other's is at least as good with every trade-off. If the
    curves cross, each system is better somewhere. ROC curves are joined by straight lines,
    which random choices between two thresholds reach. Precision has no such line: at recalls
    between two thresholds it is that of the lower one, as in the average precision.

    The answer describes these rows. With other rows of the same kind the curves may cross
    elsewhere: use :func:`delong_test`, :func:`paired_bootstrap_test` or
    :func:`compare_cost_curves` to judge differences.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    predictions : mapping or DataFrame of str to array-like
        Scores of two systems, as floats, higher for more likely positive; or what
        ``predict_proba`` returns.
    kind : {"roc", "precision_recall"}, default="roc"
        Which curves.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    sample_weight : array-like of shape (n_rows,), optional
        Weights of the rows.

    Returns
    -------
    CurveComparison
        Who encloses whom, the crossings, both areas; ``plot()``.

    Raises
    ------
    ValueError
        If there are not two systems or two classes, or labels were given instead of scores.

    References
    ----------
    .. [1] Provost, F. & Fawcett, T. (2001). Robust classification for imprecise environments.
       Machine Learning, 42(3), 203-231. :doi:`10.1023/A:1007601015854`
    .. [2] Davis, J. & Goadrich, M. (2006). The relationship between precision-recall and ROC
       curves. Proceedings of the 23rd International Conference on Machine Learning, 233-240.
       :doi:`10.1145/1143844.1143874`

    Examples
    --------
    >>> from skstat.comparison import compare_curves
    >>> result = compare_curves(
    ...     [0, 0, 1, 0, 1, 1],
    ...     {"A": [0.1, 0.2, 0.5, 0.4, 0.8, 0.9], "B": [0.1, 0.6, 0.5, 0.4, 0.8, 0.3]},
    ... )
    >>> result.encloses
    'A'
    """
    if kind not in ("roc", "precision_recall"):
        raise ValueError(
            f"kind={kind!r} is unknown; use 'roc' or 'precision_recall', or for cost curves "
            "compare_cost_curves."
        )
    _, positive, scores, weight, facts = _read(
        y_true, predictions, pos_label, "a curve", sample_weight=sample_weight
    )
    weight = None if weight is None else weights_of(weight)
    area = roc_auc_score if kind == "roc" else average_precision_score
    paths = {name: _path(kind, positive, score, weight) for name, score in scores.items()}
    side, crossings = _order(*paths.values())
    a, b = paths
    return CurveComparison(
        kind=kind,
        curves=paths,
        areas={
            name: float(area(positive, score, sample_weight=weight))
            for name, score in scores.items()
        },
        encloses={1: a, -1: b, 0: None}[side],
        crossings=crossings,
        **facts,
    )


@explains_arguments
def compare_cost_curves(
    y_true: Any,
    predictions: Any,
    *,
    pos_label: Any = None,
    cost_matrix: Any = None,
    groups: Any = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2_000,
    n_jobs: int | None = None,
    random_state: Any = None,
    verbose: Verbose = "auto",
) -> CurveComparison:
    """Find the class frequencies and costs for which one of two systems is cheaper.

    The difference of two cost curves (:func:`skstat.metrics.cost_curve`) on the same rows,
    with a band that holds for all P(+)cost at once with probability `confidence_level`. One
    system is called cheaper where the band excludes zero.

    The band is ``difference ± c * s``. s is the standard error over bootstrap resamples, in
    which both systems get the same rows and both classes keep their sizes; c is the quantile
    of the largest ``|difference* - difference| / s`` of a resample. Near 0 and 1 a resample
    hardly ever shows the few rows that matter there, and its standard error is too small; so
    an error rate of two rows of either class is added to s in quadrature. (Without that, 95 %
    bands held the whole difference in 0 % to 94 % of simulated test sets; with it in 93 % to
    96 %.) The band ends at the largest possible difference, ``min(x, 1 - x)``.

    Both systems use the best threshold at each P(+)cost, chosen on these rows, and anew in
    every resample. That is optimistic for both: it compares the scores, not thresholds that
    are fixed. For fixed ones pass labels to :func:`compare_predictions`, with
    ``metric=cost_sensitive_scorer(costs)``.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        True labels, of two classes.
    predictions : mapping or DataFrame of str to array-like
        Scores of two systems, as floats, higher for more likely positive; or what
        ``predict_proba`` returns.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    cost_matrix : array-like of shape (2, 2), optional
        Costs, true classes ascending in rows and predicted ones in columns. Only the place
        of this test set with these costs is computed from them.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units: they are
        drawn as a whole, and the sizes of the classes are those of the groups that were drawn.
    confidence_level : float, default=0.95
        Level of the band, which holds for all P(+)cost at once.
    n_resamples : int, default=2000
        Bootstrap resamples.
    n_jobs : int or None, default=None
        Number of processes for slow metrics; None is one, -1 as many as cores. They are started
        only if that saves time, and the result does not depend on them.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a bar for long runs; a callable gets ``(done, total)``.

    Returns
    -------
    CurveComparison
        Regions in which one system is cheaper, or no difference was found; the curves, the
        difference and its band; ``plot()``.

    Raises
    ------
    ValueError
        If there are not two systems or two classes, labels were given instead of scores, or
        the groups are too few.

    See Also
    --------
    skstat.metrics.cost_curve : The curve of one system.
    compare_curves : ROC or precision-recall curves of two systems.

    References
    ----------
    .. [1] Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing
       classifier performance. Machine Learning, 65(1), 95-130.
       :doi:`10.1007/s10994-006-8199-5`
    .. [2] Montiel Olea, J. L. & Plagborg-Moller, M. (2019). Simultaneous confidence bands:
       theory, implementation, and an application to SVARs. Journal of Applied Econometrics,
       34(1), 1-17. :doi:`10.1002/jae.2656`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.comparison import compare_cost_curves
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> scores = {"sharp": y + 0.5 * rng.normal(size=400), "dull": y + rng.normal(size=400)}
    >>> result = compare_cost_curves(y, scores, random_state=0)
    >>> [region.cheaper for region in result.regions]
    [None, 'sharp', None]
    """
    check_level(confidence_level)
    check_resampling(n_resamples, "percentile")
    seed = draw_seed(random_state)
    truth, positive, scores, groups, facts = _read(
        y_true, predictions, pos_label, "a cost curve", groups=groups
    )
    curves = {
        name: cost_curve(truth, score, pos_label=pos_label, cost_matrix=cost_matrix)
        for name, score in scores.items()
    }
    units, plan = _units(groups, positive)
    grid = np.linspace(0, 1, _GRID)
    kernel = EnvelopeKernel(plan, positive, list(scores.values()), grid, units)
    drawn = _drawn(kernel, n_resamples, seed, Blocks(n_jobs, verbose))
    first, second = curves.values()
    difference = second.at(grid) - first.at(grid)
    low, high = _band(difference, drawn.scores[0], grid, positive, confidence_level)
    return CurveComparison(
        kind="cost",
        curves=curves,
        areas={name: curve.area for name, curve in curves.items()},
        regions=_regions(grid, low, high, tuple(curves)),
        band=CostBand(
            probability_cost=grid,
            difference=difference,
            low=low,
            high=high,
            confidence_level=float(confidence_level),
            n_resamples=int(n_resamples),
            n_redrawn=drawn.n_redrawn,
            random_state=seed,
        ),
        operating_point=first.operating_point,
        n_groups=None if units is None else plan.n,
        **facts,
    )


def _read(
    y_true: Any, predictions: Any, pos_label: Any, curve: str, **beside: Any
) -> tuple[Any, NDArray[np.bool_], dict[str, NDArray[np.float64]], Any, dict[str, Any]]:
    """Truth, positive rows, scores of two systems, one array beside them, and the facts."""
    named = named_predictions(predictions)
    if len(named) != 2:
        raise ValueError(f"predictions holds {len(named)} systems; two are compared here.")
    truth, outputs, arrays = rows_together(y_true, named, beside)
    scores = {}
    for name, output in outputs.items():
        positive, scores[name] = binary_scores_of(
            truth, output, pos_label, curve, f"predictions[{name!r}]"
        )
    facts = {
        "pos_label": sorted_labels(truth)[1] if pos_label is None else pos_label,
        "n_rows": len(truth),
        "n_positive": int(positive.sum()),
    }
    (array,) = arrays.values()
    return truth, positive, scores, array, facts


def _path(kind: str, positive: Any, scores: Any, sample_weight: Any) -> Points:
    """Points of a curve from the left to the right, joined by straight lines."""
    if kind == "roc":
        x, y, _ = roc_curve(positive, scores, sample_weight=sample_weight)
        return np.asarray(x), np.asarray(y)
    precision, recall, _ = precision_recall_curve(positive, scores, sample_weight=sample_weight)
    # By falling threshold; the first of several with one recall is that with the precision.
    precision, recall = precision[-2::-1], recall[-2::-1]
    gains = np.diff(recall, prepend=0.0) > 0
    precision, recall = precision[gains], recall[gains]
    x = np.concatenate([[0.0], np.repeat(recall, 2)[:-1]])
    return x, np.repeat(precision, 2)


def _order(first: Points, second: Points) -> tuple[int, tuple[tuple[float, float], ...]]:
    """Which path is nowhere below the other (1, -1; 0 for neither), and where they cross."""
    places = np.unique(np.concatenate([first[0], second[0]]))
    before, after = zip(*(_values(path, places) for path in (first, second)), strict=True)
    # Along the axis: left and right value at each place. Between two places all is straight.
    x = np.repeat(places, 2)
    a, b = (np.column_stack(pair).ravel() for pair in zip(before, after, strict=True))
    gap = np.where(np.abs(a - b) < _NOISE, 0.0, a - b)
    apart = np.flatnonzero(gap)
    signs = np.sign(gap[apart])
    crossings = [
        _crossing(x, a, b, gap, apart[i], apart[i + 1])
        for i in np.flatnonzero(signs[1:] != signs[:-1])
    ]
    side = int(signs[0]) if len(signs) and not crossings else 0
    return side, tuple(crossings)


def _values(path: Points, places: NDArray[np.float64]) -> Any:
    """Heights of a path on the left and on the right of each place, where it may jump."""
    x, y = path
    first = np.searchsorted(x, places, side="left")
    last = np.searchsorted(x, places, side="right") - 1
    met = first <= last
    between = np.interp(places, x, y)
    return np.where(met, y[np.minimum(first, len(x) - 1)], between), np.where(
        met, y[last], between
    )


def _crossing(
    x: NDArray[np.float64],
    a: NDArray[np.float64],
    b: NDArray[np.float64],
    gap: NDArray[np.float64],
    i: int,
    j: int,
) -> tuple[float, float]:
    """Where the paths cross between two points at which they are apart."""
    if j > i + 1:  # they run together for a while: where they part
        return float(x[j - 1]), float(a[j - 1])
    if x[j] > x[i]:
        share = gap[i] / (gap[i] - gap[j])
        return float(x[i] + share * (x[j] - x[i])), float(a[i] + share * (a[j] - a[i]))
    # One or both of them rise or fall at this place: the middle of what both go through.
    low = max(min(a[i], a[j]), min(b[i], b[j]))
    high = min(max(a[i], a[j]), max(b[i], b[j]))
    return float(x[i]), float((low + high) / 2)


def _units(
    groups: Any, positive: NDArray[np.bool_]
) -> tuple[NDArray[np.int64] | None, UnitPlan]:
    """What is drawn: rows of each class, or groups."""
    if groups is None:
        return None, UnitPlan(len(positive), positive.astype(np.int64))
    units = codes_of(groups)
    n_groups = int(units.max()) + 1
    if n_groups < MIN_GROUPS:
        raise ValueError(
            f"groups has {n_groups} different values; at least {MIN_GROUPS} groups are needed "
            "to say anything about groups that were not seen."
        )
    return units, UnitPlan(n_groups)


def _drawn(kernel: EnvelopeKernel, n_resamples: int, seed: int, workers: Any) -> Replicates:
    try:
        return bootstrap([kernel], n_resamples, seed, workers=workers)
    except ValueError as error:
        raise ValueError(
            "too many resamples of groups hold one class only, because it occurs in few of "
            "the groups. Collect more groups that hold it."
        ) from error


def _band(
    difference: NDArray[np.float64],
    replicates: NDArray[np.float64],
    grid: NDArray[np.float64],
    positive: NDArray[np.bool_],
    confidence_level: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Simultaneous band of a difference on a grid."""
    a, b = np.hsplit(replicates, 2)
    errors = b - a - difference
    if np.abs(errors).max() < 1e-12 and np.abs(difference).max() < 1e-12:
        return np.zeros_like(difference), np.zeros_like(difference)
    n_positive = np.count_nonzero(positive)
    few_rows = np.hypot(grid / n_positive, (1 - grid) / (len(positive) - n_positive))
    scale = np.hypot(errors.std(axis=0), _ROWS_MORE * few_rows)
    largest = np.abs(errors / scale).max(axis=1)
    half = np.quantile(largest, confidence_level, method="higher") * scale
    bound = np.minimum(grid, 1 - grid)
    return np.clip(difference - half, -bound, bound), np.clip(difference + half, -bound, bound)


def _regions(
    grid: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    names: tuple[str, ...],
) -> tuple[CostRegion, ...]:
    """Stretches of the grid with one verdict; what lies between two of them is undecided."""
    side = np.where(low > 0, 1, np.where(high < 0, -1, 0))
    starts = np.flatnonzero(np.diff(side, prepend=2))
    ends = np.append(starts[1:], len(side)) - 1
    found: list[CostRegion] = []
    reached = 0.0  # at 0 and at 1 there is no cost, and nobody is cheaper
    for start, end in zip(starts, ends, strict=True):
        if side[start]:
            low_end, high_end = float(grid[start]), float(grid[end])
            cheaper = names[0] if side[start] > 0 else names[1]
            found.append(CostRegion(reached, low_end, None))
            found.append(CostRegion(low_end, high_end, cheaper))
            reached = high_end
    return (*found, CostRegion(reached, 1.0, None))
