"""Comparison of ROC, precision-recall and cost curves of two systems."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics

from skstat._arguments import explains_arguments
from skstat._names import shown_name
from skstat.comparison._engine import named_predictions
from skstat.display import CurvesDisplay
from skstat.evaluation._data import draw_seed
from skstat.evaluation._jobs import Blocks
from skstat.metrics import cost_curve
from skstat.metrics._output_kinds import binary_scores_of, sorted_labels
from skstat.metrics._own_metrics import EnvelopeKernel
from skstat.report._blocks import Block, Cells, Summary
from skstat.report._forms import Result
from skstat.stats._bootstrap import check_resampling
from skstat.stats._chance import plan_of_units
from skstat.stats._kernels import bootstrap
from skstat.stats._read import codes_of, rows_together, weights_of
from skstat.stats._scores import MIN_GROUPS
from skstat.stats._stored import Stored
from skstat.stats._words import check_level

Kind = Literal["roc", "precision_recall", "cost"]
Numbers = NDArray[np.float64]
Points = tuple[Numbers, Numbers]

_MOST_NAMED = 3
# Differences of rates and costs up to this size are rounding noise.
_NOISE = 1e-12
_GRID = 101
# Rows of each class that are added to every standard error: see `compare_cost_curves`.
_ROWS_MORE = 2.0


class _Words(NamedTuple):
    """Words for a kind of curve, its axes and its area."""

    title: str
    x: str
    y: str
    area: str
    constant: str = "scores that say nothing"  # the reference curve


_WORDS = {
    "roc": _Words("ROC", "false positive rate", "true positive rate", "AUC"),
    "precision_recall": _Words("precision-recall", "recall", "precision", "average precision"),
    "cost": _Words("Cost", "P(+)cost", "normalised expected cost", "area", "always one class"),
}


@dataclass(frozen=True)
class CostRegion(Stored):
    """A stretch of P(+)cost with one verdict.

    Attributes
    ----------
    low, high : float
        Its ends. A cheaper system is cheaper on all points of the grid between them.
    cheaper : str or None
        Name of the cheaper system; None where no difference was found.
    difference, difference_low, difference_high : float
        The difference and its limits where it is largest.
    """

    low: float
    high: float
    cheaper: str | None
    difference: float
    difference_low: float
    difference_high: float


@dataclass(frozen=True, kw_only=True, eq=False)
class CostBand(Stored):
    """The difference of two cost curves, with a band that holds everywhere at once.

    Attributes
    ----------
    probability_cost : ndarray of shape (n_points,)
        P(+)cost at which they were compared.
    difference : ndarray of shape (n_points,)
        Cost of the second system minus that of the first; above 0 the first is cheaper.
    low, high : ndarray of shape (n_points,)
        Limits of the band.
    confidence_level : float
        Its level.
    n_resamples, n_redrawn : int
        Bootstrap resamples, and those drawn anew because they held one class only.
    random_state : int
        The seed that repeats the result.
    """

    probability_cost: Numbers
    difference: Numbers
    low: Numbers
    high: Numbers
    confidence_level: float
    n_resamples: int
    n_redrawn: int
    random_state: int


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class CurveComparison(Result, Stored):
    """Curves of two systems: whether one encloses the other, or where one is cheaper.

    Attributes
    ----------
    curve : {"roc", "precision_recall", "cost"}
        Which curves.
    curves : mapping of str to (x, y)
        Points of both curves, which are joined by straight lines.
    areas : mapping of str to float
        Area under the ROC curve, average precision, or the area under the cost curve: the
        expected cost if every P(+)cost is equally likely.
    pos_label : object
        The positive class.
    n_rows, n_positive : int
        Rows, and rows of the positive class.
    encloses : str or None
        Of ROC and precision-recall curves: name of the system whose curve is nowhere below
        the other, and above it somewhere.
    crossings : tuple of (float, float)
        Of the same curves: coordinates of the points where they cross.
    regions : tuple of CostRegion
        Of cost curves: verdicts, from P(+)cost 0 to 1.
    band : CostBand or None
        Of cost curves: their difference, ``difference``, and the simultaneous band from
        ``low`` to ``high`` at the places ``probability_cost``.
    operating_point : float or None
        P(+)cost of the test set with the costs that were given.
    n_groups : int or None
        Groups, if groups were drawn.
    """

    kind: ClassVar[str] = "curve_comparison"

    curve: Kind
    curves: Mapping[str, Points]
    areas: Mapping[str, float]
    pos_label: Any
    n_rows: int
    n_positive: int
    encloses: str | None = None
    crossings: tuple[tuple[float, float], ...] = ()
    regions: tuple[CostRegion, ...] = ()
    band: CostBand | None = None
    operating_point: float | None = None
    n_groups: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the two systems."""
        return tuple(self.curves)

    @property
    def conclusion(self) -> str:
        """What was found, in a sentence or two."""
        a, b = map(shown_name, self.names)
        title, x, y, *_ = _WORDS[self.curve]
        if self.band is not None:
            return self._cheaper(self.band)
        if self.encloses is not None:
            outer, inner = (a, b) if self.encloses == self.names[0] else (b, a)
            return (
                f"The {title} curve of {outer} encloses that of {inner}: on these rows its {y} "
                f"is nowhere lower at the same {x}."
            )
        if not (n := len(self.crossings)):
            return f"The {self.title} are the same on these rows."
        points = ", ".join(f"{value:.3g}" for value, _ in self.crossings[:_MOST_NAMED])
        times, ellipsis = "once" if n == 1 else f"{n} times", ", ..." * (n > _MOST_NAMED)
        where = f"cross {times} (at {x} {points}{ellipsis})"
        return f"The {self.title} {where}: which is better depends on the threshold."

    def _cheaper(self, band: CostBand) -> str:
        """Return the conclusion on cost curves."""
        a, b = map(shown_name, self.names)
        x = _WORDS["cost"].x
        if not np.any(band.low) and not np.any(band.high):
            return f"{a} and {b} cost the same at every {x} on these rows and resamples."
        first, second = map(self._spans, self.names)
        parts = [f"{a} is cheaper than {b} for {x} {first}"] * bool(first)
        parts += [f"{b} is cheaper than {a} for {x} {second}"] * bool(second)
        level = f"{100 * band.confidence_level:g}% band for all {x} at once"
        if not parts:
            return f"Neither {a} nor {b} was found to be cheaper at any {x} ({level})."
        return (
            f"{', and '.join(parts)} ({level}). No difference was found for {x} "
            f"{self._spans(None)}."
        )

    def _spans(self, cheaper: str | None) -> str:
        """Return the regions with one verdict, in words."""
        return " and ".join(
            f"{one.low:.2f}" if one.low == one.high else f"{one.low:.2f} to {one.high:.2f}"
            for one in self.regions
            if one.cheaper == cheaper
        )

    def plot(self, *, kind: Literal["difference", "curves"] | None = None) -> CurvesDisplay:
        """Draw both curves, or their difference with its band.

        Parameters
        ----------
        kind : {"difference", "curves"}, optional
            What to draw; default the difference of cost curves, which alone have a band, and
            both curves of the other kinds.

        Returns
        -------
        CurvesDisplay
            The display, already drawn; ``display.figure_`` is the figure.

        Raises
        ------
        ValueError
            If `kind` is unknown, or a difference is wanted where there is no band.
        """
        if kind not in (None, "difference", "curves"):
            raise ValueError(f"kind={kind!r} is unknown; use 'difference' or 'curves'.")
        if kind == "difference" and self.band is None:
            raise ValueError("kind='difference' is for cost curves: use compare_cost_curves.")
        decided: Any = [region for region in self.regions if region.cheaper is not None]
        words, share = _WORDS[self.curve], self.n_positive / self.n_rows
        constant: dict[str, Any] = {
            "roc": ([0, 1], [0, 1]),
            "precision_recall": ([0, 1], [share, share]),
            "cost": ([0, 0.5, 1], [0, 0.5, 0]),
        }
        options: dict[str, Any] = {"ylabel": words.y, "mark": self.operating_point}
        if self.band is not None and kind != "curves":
            options = {
                "ylabel": "difference in cost (B \N{MINUS SIGN} A)",
                "band": (self.band.probability_cost, self.band.low, self.band.high),
                "confidence_level": self.band.confidence_level,
            }
        return CurvesDisplay(
            curves=self.curves,
            notes={name: f" ({words.area} {area:.3f})" for name, area in self.areas.items()},
            reference=constant[self.curve],
            reference_name=words.constant,
            crossings=self.crossings,
            spans=[(region.low, region.high, region.cheaper) for region in decided],
            spans_name="cheaper",
            mark_name="these rows, these costs",
            xlabel=f"{words.x} (positive class: {shown_name(str(self.pos_label))})",
            **options,
        ).plot()

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        n_groups = "" if self.n_groups is None else f" in {self.n_groups} groups"
        label = shown_name(str(self.pos_label))
        note = f"{self.n_rows} rows{n_groups}, {self.n_positive} of the positive class {label}"
        words, band, point = _WORDS[self.curve], self.band, self.operating_point
        named = {shown_name(name): area for name, area in self.areas.items()}
        where = "" if point is None else f"With the costs given these rows are at {point:.3g}. "
        if band is None:
            header = ["", words.area]
            rows = [[name, f"{area:.4f}"] for name, area in named.items()]
            test = "delong_test" if self.curve == "roc" else "paired_bootstrap_test"
            note += (
                ". This describes these rows only, and says nothing about chance: "
                f"{test} compares the areas, compare_cost_curves the costs."
            )
        else:
            header = ["cheaper", words.x, "largest difference", "low", "high"]
            rows = []
            for region in self.regions:
                who = "undecided" if region.cheaper is None else shown_name(region.cheaper)
                widest = (region.difference, region.difference_low, region.difference_high)
                signed = (f"{value:+.4f}".replace("-", "\N{MINUS SIGN}") for value in widest)
                rows.append([who, f"{region.low:.2f} to {region.high:.2f}", *signed])
            areas = ", ".join(f"{name} {area:.4g}" for name, area in named.items())
            redrawn = f" ({band.n_redrawn} drawn anew)" if band.n_redrawn else ""
            note = (
                "Differences are cost(B) \N{MINUS SIGN} cost(A), as shares of the largest cost "
                f"possible. Areas (expected cost if every {words.x} is equally likely): "
                f"{areas}. "
                f"{where}{note}; {band.n_resamples} paired bootstrap resamples{redrawn}, "
                f"random_state={band.random_state}. The threshold of each system is the best "
                f"one on these rows at every {words.x}, which is optimistic for both."
            )
        return [Summary([self.conclusion]), Cells(self.title, header, rows, note=note)]

    def _records(self) -> list[dict[str, Any]]:
        if self.band is not None:
            return [asdict(region) for region in self.regions]
        word = _WORDS[self.curve].area
        return [
            {"name": name, word: area, "encloses": name == self.encloses}
            for name, area in self.areas.items()
        ]

    @property
    def title(self) -> str:
        """What was compared."""
        both = " and ".join(map(shown_name, self.names))
        return f"{_WORDS[self.curve].title} curves of {both}"


@explains_arguments()
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
    options = {"sample_weight": None if weight is None else weights_of(weight)}
    area = metrics.roc_auc_score if kind == "roc" else metrics.average_precision_score
    paths = {name: _path(kind, positive, score, options) for name, score in scores.items()}
    side, crossings = _order(*paths.values())
    a, b = paths
    return CurveComparison(
        curve=kind,
        curves=paths,
        areas={name: float(area(positive, score, **options)) for name, score in scores.items()},
        encloses={1: a, -1: b, 0: None}[side],
        crossings=crossings,
        **facts,
    )


@explains_arguments()
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
    units, plan = None, plan_of_units(len(positive), positive.astype(np.int64))
    if groups is not None:
        units = codes_of(groups)
        plan = plan_of_units(int(units.max()) + 1)
        if plan.n_units < MIN_GROUPS:
            problem = f"groups has {plan.n_units} different values"
            raise ValueError(f"{problem}; at least {MIN_GROUPS} groups are needed.")
    grid = np.linspace(0, 1, _GRID)
    kernel = EnvelopeKernel(plan, positive, list(scores.values()), grid, units)
    try:
        drawn = bootstrap(kernel, n_resamples, seed, workers=Blocks(n_jobs))
    except ValueError as error:
        problem = "too many resamples of groups hold one class only"
        raise ValueError(f"{problem}: collect more groups with the other one.") from error
    first, second = curves.values()
    difference = _without_noise(second.at(grid) - first.at(grid))
    a, b = np.hsplit(drawn.scores, 2)
    errors = _without_noise(b - a - difference)
    smoothing = np.hypot(grid / positive.sum(), (1 - grid) / (~positive).sum())
    scale = np.hypot(errors.std(axis=0), _ROWS_MORE * smoothing)
    largest = np.abs(errors / scale).max(axis=1)
    half = np.quantile(largest, confidence_level, method="higher") * scale
    limit = np.minimum(grid, 1 - grid)
    band = CostBand(
        probability_cost=grid,
        difference=difference,
        low=np.clip(difference - half, -limit, limit),
        high=np.clip(difference + half, -limit, limit),
        confidence_level=confidence_level,
        n_resamples=n_resamples,
        n_redrawn=drawn.n_redrawn,
        random_state=seed,
    )
    return CurveComparison(
        curve="cost",
        curves={name: (curve.probability_cost, curve.cost) for name, curve in curves.items()},
        areas={name: curve.area for name, curve in curves.items()},
        regions=tuple(_regions(band, tuple(curves))),
        band=band,
        operating_point=first.operating_point,
        n_groups=None if units is None else plan.n_units,
        **facts,
    )


def _read(
    y_true: Any, predictions: Any, pos_label: Any, curve: str, **one_array: Any
) -> tuple[Any, NDArray[np.bool_], dict[str, Numbers], Any, dict[str, Any]]:
    """Return the truth, positive rows, scores by system, the one other array, and facts."""
    systems = named_predictions(predictions)
    if len(systems) != 2:
        raise ValueError(f"predictions holds {len(systems)} systems; two are compared here.")
    truth, outputs, arrays = rows_together(y_true, systems, one_array)
    scores = {}
    for name, output in outputs.items():
        positive, scores[name] = binary_scores_of(
            truth, output, pos_label, curve, f"predictions[{name!r}]"
        )
    facts: dict[str, Any] = {"n_rows": len(truth), "n_positive": int(positive.sum())}
    facts["pos_label"] = sorted_labels(truth)[1] if pos_label is None else pos_label
    (array,) = arrays.values()
    return truth, positive, scores, array, facts


def _path(kind: str, positive: Any, scores: Any, options: dict[str, Any]) -> Points:
    """Return the points of a curve from left to right; straight lines join them."""
    if kind == "roc":
        x, y, _ = metrics.roc_curve(positive, scores, **options)
        return np.asarray(x), np.asarray(y)
    precision, recall, _ = metrics.precision_recall_curve(positive, scores, **options)
    # By falling threshold; of several points with one recall, the first has the precision.
    precision, recall = precision[-2::-1], recall[-2::-1]
    rises = np.diff(recall, prepend=0.0) > 0
    precision, recall = precision[rises], recall[rises]
    x = np.concatenate([[0.0], np.repeat(recall, 2)[:-1]])
    return x, np.repeat(precision, 2)


def _order(first: Points, second: Points) -> tuple[int, tuple[tuple[float, float], ...]]:
    """Return which path is nowhere below the other (1, -1, or 0: neither), and crossings."""
    # At each x a path has a value on the left and on the right; in between it is straight.
    xs = np.unique(np.concatenate([first[0], second[0]]))
    # They differ where a path jumps.
    heights = [
        np.column_stack([np.interp(-xs, -x[::-1], y[::-1]), np.interp(xs, x, y)])
        for x, y in (first, second)
    ]
    points = np.column_stack([np.repeat(xs, 2), *map(np.ravel, heights)])
    signs = np.sign(_without_noise(points[:, 1] - points[:, 2]))
    differing = np.flatnonzero(signs)
    signs = signs[differing]
    crossings = [
        _crossing(points[differing[i] : differing[i + 1] + 1])
        for i in np.flatnonzero(signs[1:] != signs[:-1])
    ]
    side = int(signs[0]) if len(signs) and not crossings else 0
    return side, tuple(crossings)


def _crossing(points: Numbers) -> tuple[float, float]:
    """Return the crossing of two paths that differ at the first and last point (x, y, y)."""
    (x, a, b), (x_end, a_end, b_end) = points[[0, -1]].tolist()
    if len(points) > 2:  # they coincide in between: return the point where they part
        x, a, _ = points[-2].tolist()
        return x, a
    if x_end > x:
        share = (a - b) / (a - b - (a_end - b_end))
        return x + share * (x_end - x), a + share * (a_end - a)
    # One or both are vertical here: return the middle of their common part.
    low, high = max(min(a, a_end), min(b, b_end)), min(max(a, a_end), max(b, b_end))
    return x, (low + high) / 2


def _without_noise(gaps: Numbers) -> Numbers:
    return np.where(np.abs(gaps) < _NOISE, 0.0, gaps)


def _regions(band: CostBand, names: tuple[str, ...]) -> Iterator[CostRegion]:
    """Yield intervals of the grid with one verdict; those between two of them are undecided."""
    grid, side = band.probability_cost, (band.low > 0) - 1 * (band.high < 0)
    starts = np.flatnonzero(np.diff(side, prepend=2))
    ends = np.append(starts[1:], len(side)) - 1
    # At 0 and at 1 both costs are 0, so that the first and last interval are undecided.
    spans, last_end = [], 0.0
    for start, end in zip(starts, ends, strict=True):
        if side[start]:
            spans += [(last_end, grid[start], 0), (grid[start], grid[end], side[start])]
            last_end = grid[end]
    for low, high, verdict in [*spans, (last_end, 1.0, 0)]:
        inside = (grid >= low) & (grid <= high)
        decided = inside & (side == verdict)  # the ends of undecided intervals are neighbours'
        inside = decided if decided.any() else inside
        widest = int(np.argmax(np.where(inside, np.abs(band.difference), -1)))
        cheaper = {1: names[0], -1: names[1], 0: None}[int(verdict)]
        at_widest = (float(values[widest]) for values in (band.difference, band.low, band.high))
        yield CostRegion(float(low), float(high), cheaper, *at_widest)
