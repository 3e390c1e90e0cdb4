"""Slices that the rows propose, confirmed on rows that did not."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit
from sklearn.tree import DecisionTreeRegressor

from skstat._arguments import explains_arguments
from skstat.comparison._engine import named_predictions, slice_contributions
from skstat.comparison._predictions import compare_predictions
from skstat.comparison._question import Margin
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._running import Verbose
from skstat.evaluation._slices import (
    FEWEST_ROWS,
    MISSING,
    Rows,
    Slices,
    arrays_of,
    as_numbers,
    between,
    check_fewest,
    columns_of,
    is_missing,
    values_of,
)
from skstat.metrics import as_metric
from skstat.report import SlicesReport
from skstat.stats import Predictions

_DIGITS = 4  # of a number that a tree splits at
_LEAST_SHARE = 0.05  # of the rows that a tree was grown on, in each of its leaves

Numbers = NDArray[np.float64]


@explains_arguments
def find_slices(
    X: Any,
    y_true: Any,
    predictions: Any,
    *,
    metric: Any,
    max_depth: int = 2,
    fewest: int = FEWEST_ROWS,
    groups: Any = None,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | None = None,
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
    margin: Margin = None,
    n_resamples: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
    verbose: Verbose = "auto",
) -> SlicesReport:
    """Find slices in which two systems differ, and confirm them on other rows.

    A slice that was chosen because it looked bad is worse in these rows than it is. So the rows
    are halved. A shallow tree of the differences on each half proposes slices, which are tested
    on the other half only: no row is used twice in one claim.

    .. versionadded:: 0.2

    Parameters
    ----------
    X : DataFrame, mapping or array-like of shape (n_rows, n_columns)
        What slices may be made of: numbers, or values of which each may be a slice. It need not
        be what the systems were given.
    y_true : array-like of shape (n_rows,)
        The truth.
    predictions : mapping or DataFrame of str to array-like
        Predictions of two systems in the order of `y_true`, as :func:`compare_predictions`
        takes them.
    metric : str, callable or scorer
        One metric, of which it is known what single rows contribute: those of scikit-learn
        that are means over rows, or made of counts or ranks.
    max_depth : int, default=2
        Most conditions of a slice. A tree of depth 2 proposes up to six slices: two with one
        condition, and four with two.
    fewest : int, default=30
        Rows of each half from which on a slice is proposed, and tested.
    groups : array-like of shape (n_rows,), optional
        Document, user or article of every row. Groups are then the independent units that are
        resampled and swapped; at least six are needed.
        They are kept together in one half.
    labels : array-like, optional
        Classes that an average runs over; by default, as in scikit-learn, those in the truth
        or predictions of each resample.
    pos_label : object, optional
        Positive class, where there are two; needed unless the labels are 0/1 or -1/1.
    higher_is_better : bool, optional
        Whether higher is better. By default what is known of the metric decides, or else its
        name: lower is better of an error, a cost or a time.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the first system scores higher than the second.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    alpha : float, optional
        Level of the test, instead of 1 - `confidence_level`.
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`. For several metrics a mapping of metric to margin.
    n_resamples : int or None, default=None
        Permutations and bootstrap resamples. None: 9999, and none where a saddlepoint
        approximation of a mean over 500 rows or more needs no draws. Of a
        function of your own that would take more than a minute 1999 or 999 are drawn, and the
        report says so.
    n_jobs : int or None, default=None
        Number of processes for slow metrics; None is one, -1 as many as cores. They are started
        only if that saves time, and the result does not depend on them.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the random draws; if None, one is chosen and reported.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a bar for long runs; a callable gets ``(done, total)``.

    Returns
    -------
    SlicesReport
        The slices that were proposed, each tested on the half that did not propose it.

    Raises
    ------
    ValueError
        If nothing was proposed, the contributions of rows to the metric are not known, or an
        argument does not fit.

    See Also
    --------
    compare_predictions : With ``by=``, slices that are known before.

    Notes
    -----
    The two halves propose slices of their own, which may be alike and need not be the same.
    With few rows, or where the difference does not depend on `X`, the slices that are proposed
    are chance, and are mostly not confirmed.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat import find_slices
    >>> rng = np.random.default_rng(0)
    >>> age, truth = rng.integers(18, 80, size=2000), rng.integers(0, 2, size=2000)
    >>> def answers(share):
    ...     return np.where(rng.random(2000) < share, truth, 1 - truth)
    >>> systems = {"new": answers(np.where(age < 30, 0.6, 0.9)), "old": answers(0.88)}
    >>> report = find_slices({"age": age}, truth, systems, metric="accuracy", max_depth=1,
    ...                      random_state=0)
    >>> len(report), len(report.worse_in)
    (4, 2)
    """
    whole = isinstance(max_depth, int | np.integer) and not isinstance(max_depth, bool)
    if not whole or max_depth < 1:
        raise ValueError(f"max_depth={max_depth!r} must be a whole number of at least 1.")
    check_fewest(fewest)
    seed = draw_seed(random_state)
    named = named_predictions(predictions)
    how = {"labels": labels, "pos_label": pos_label, "greater_is_better": higher_is_better}
    chosen = as_metric(metric, **how)
    everything = Predictions(y_true, named, chosen, groups=groups, draw="rows")
    if len(named) != 2:
        raise ValueError(
            f"find_slices compares two systems, and predictions holds {len(named)}."
        )
    beside = {"y_true": y_true} | {f"predictions[{n!r}]": own for n, own in named.items()}
    columns = arrays_of(_columns(X), beside, n_rows=everything.n_rows, called="X")
    halves = _halves(everything, seed)
    rows: dict[str, Rows] = {}
    used: set[str] = set()
    for number, (first, second) in ((2, halves), (1, halves[::-1])):
        differences = slice_contributions(everything, first)
        for one in _proposed(columns, first, differences, max_depth, int(fewest), seed):
            rows[f"{one.words} (half {number})"] = second[one.inside[second]]
            used |= one.columns
    if not rows:
        raise ValueError(
            "no slice was proposed: the difference of the two does not vary with X on either "
            f"half of the rows, or parts of {fewest} rows and more are too large."
        )
    slices = Slices(
        rows,
        everything.n_rows,
        tuple(name for name in columns if name in used),
        int(fewest),
        (
            "each slice was proposed by a tree on one half of the rows, and is tested on the "
            "other, which its name gives",
            f"halves by random_state={seed}",
        ),
    )
    found: Any = compare_predictions(
        y_true,
        named,
        metric=metric,
        by=slices,
        groups=groups,
        labels=labels,
        pos_label=pos_label,
        higher_is_better=higher_is_better,
        alternative=alternative,
        confidence_level=confidence_level,
        alpha=alpha,
        margin=margin,
        n_resamples=n_resamples,
        n_jobs=n_jobs,
        random_state=seed,
        verbose=verbose,
    )
    return found


def _columns(X: Any) -> Mapping[str, Any]:
    """Return columns by their names; those of an array have numbers."""
    if isinstance(X, Mapping) or hasattr(X, "columns"):
        return columns_of(X)
    values = np.asarray(X)
    if values.ndim == 1:
        return {str(getattr(X, "name", None) or "x0"): X}
    if values.ndim != 2:
        raise ValueError("X must have rows and columns: a frame, a mapping, or an array.")
    return {f"x{place}": column for place, column in enumerate(values.T)}


def _halves(predictions: Predictions, seed: int) -> tuple[Rows, Rows]:
    """Part the rows in two, groups kept together."""
    rows = np.arange(predictions.n_rows)
    how: Any = ShuffleSplit if predictions.groups is None else GroupShuffleSplit
    splitter = how(1, test_size=0.5, random_state=np.random.RandomState(seed % 2**32))
    first, second = next(splitter.split(rows, groups=predictions.groups))
    return np.sort(first), np.sort(second)


class _Proposal(NamedTuple):
    """A node of a tree: its conditions in words, what meets them, and what they are about."""

    words: str
    inside: NDArray[np.bool_]
    columns: frozenset[str]


def _proposed(
    columns: Mapping[str, NDArray[Any]],
    rows: Rows,
    differences: Numbers,
    max_depth: int,
    fewest: int,
    seed: int,
) -> list[_Proposal]:
    """Return the nodes of a tree of the differences on some rows."""
    features = _Features(columns)
    least = max(fewest, int(_LEAST_SHARE * len(rows)))
    tree: Any = DecisionTreeRegressor(
        max_depth=max_depth, min_samples_leaf=least, random_state=seed % 2**32
    )
    tree.fit(features.values[rows], differences)
    return list(_nodes(tree.tree_, features))


def _nodes(tree: Any, features: "_Features") -> Iterator[_Proposal]:
    """Walk the nodes below the root."""
    everyone = np.ones(len(features.values), dtype=bool)
    stack: list[tuple[int, list[_Condition]]] = [(0, [])]
    while stack:
        node, conditions = stack.pop()
        if conditions:
            inside = [everyone, *(features.met(condition) for condition in conditions)]
            yield _Proposal(
                features.said(conditions),
                np.logical_and.reduce(inside),
                frozenset(features.of(condition) for condition in conditions),
            )
        if tree.children_left[node] == tree.children_right[node]:
            continue
        column = int(tree.feature[node])
        edge = features.edge(column, float(tree.threshold[node]))
        for child, above in ((tree.children_right, True), (tree.children_left, False)):
            stack.append((int(child[node]), [*conditions, _Condition(column, edge, above)]))


class _Condition(NamedTuple):
    """A column is at least a value, or below it."""

    column: int
    edge: float
    above: bool


class _Feature(NamedTuple):
    """What a tree may split at: numbers of a column, or which rows have one value of it."""

    column: str
    value: str | None
    numbers: Numbers


class _Features:
    """Columns as numbers: numbers as they are, other values as 1 where a row has them."""

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._all = [
            feature
            for name, values in columns.items()
            for feature in _features_of(name, values)
        ]
        self.values = np.column_stack([feature.numbers for feature in self._all])

    def of(self, condition: _Condition) -> str:
        """Name the column that a condition is about."""
        return self._all[condition.column].column

    def edge(self, column: int, threshold: float) -> float:
        """Round what a tree splits at, where the same rows are on either side."""
        values = self.values[:, column]
        short = float(f"{threshold:.{_DIGITS}g}")
        same = np.array_equal(values > threshold, values >= short)
        above = values[values > threshold]
        return short if same else float(above.min()) if above.size else threshold

    def met(self, condition: _Condition) -> NDArray[np.bool_]:
        """Tell which rows meet a condition."""
        reached = self.values[:, condition.column] >= condition.edge
        return np.asarray(reached if condition.above else ~reached)

    def said(self, conditions: Sequence[_Condition]) -> str:
        """Write conditions, those on one column of numbers as one."""
        words = []
        for place in dict.fromkeys(condition.column for condition in conditions):
            own = [condition for condition in conditions if condition.column == place]
            column, value, _ = self._all[place]
            if value is not None:
                words.append(f"{column}{'=' if own[-1].above else ' is not '}{value}")
                continue
            low = max((c.edge for c in own if c.above), default=-math.inf)
            high = min((c.edge for c in own if not c.above), default=math.inf)
            words.append(between(column, low, high))
        return " & ".join(words)


def _features_of(column: str, values: NDArray[Any]) -> Iterator[_Feature]:
    missing = is_missing(values)
    there = np.flatnonzero(~missing)
    numbers = as_numbers(values[there])
    if missing.any():
        yield _Feature(column, MISSING, missing.astype(float))
    if numbers is not None:
        filled = np.full(len(values), np.median(numbers) if numbers.size else 0.0)
        filled[there] = numbers
        yield _Feature(column, None, filled)
        return
    parts = values_of(values[there], called=f"X[{column!r}]", is_whole=not missing.any())
    for value, rows in parts.items():
        has_it = np.zeros(len(values))
        has_it[there[rows]] = 1.0
        yield _Feature(column, value, has_it)
