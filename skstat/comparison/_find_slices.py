"""Slices that the rows propose, confirmed on rows that did not."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

from skstat._arguments import explains_arguments
from skstat.comparison._engine import Predicted, named_predictions
from skstat.comparison._predictions import compare_predictions
from skstat.comparison._question import Margin
from skstat.evaluation import _slices
from skstat.evaluation._data import draw_seed
from skstat.metrics import as_metric
from skstat.report import ReportGrid
from skstat.stats import Predictions
from skstat.stats._read import missing_in
from skstat.stats._scores import check_count

_DIGITS = 4  # of a number that a tree splits at
_LEAST_SHARE = 0.05  # of the rows that a tree was grown on, in each of its leaves
_NOISE = 1e-9  # share of the squared differences that no split is made for

Numbers = NDArray[np.float64]


@explains_arguments()
def find_slices(
    X: Any,
    y_true: Any,
    predictions: Any,
    *,
    metric: Any,
    max_depth: int = 2,
    fewest: int = _slices.FEWEST_ROWS,
    groups: Any = None,
    labels: Any = None,
    pos_label: Any = None,
    higher_is_better: bool | None = None,
    alternative: str = "two-sided",
    confidence_level: float = 0.95,
    margin: Margin = None,
    n_resamples: int | None = None,
    n_jobs: int | None = None,
    random_state: Any = None,
) -> ReportGrid:
    """Find slices in which two systems differ, and confirm them on other rows.

    A slice that was chosen because it looked bad is worse in these rows than it is. So the rows
    are halved. A shallow tree of the differences on one half proposes slices, which are tested
    on the other half only.

    Parameters
    ----------
    X : DataFrame, mapping or array-like of shape (n_rows, n_columns)
        What slices may be made of: numbers, or values of which each may be a slice. Rows whose
        number is missing may be a slice of their own, and are in no slice of numbers. It need
        not be what the systems were given.
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

    Returns
    -------
    ReportGrid
        The slices that were proposed, each tested on the half that did not propose them.

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
    Another `random_state` halves the rows in another way, and may propose other slices.
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
    (2, 1)
    """
    max_depth = check_count("max_depth", max_depth)
    fewest = check_count("fewest", fewest, least=2)
    seed = draw_seed(random_state)
    named = named_predictions(predictions)
    how: dict[str, Any] = {
        "labels": labels,
        "pos_label": pos_label,
        "higher_is_better": higher_is_better,
    }
    chosen = as_metric(metric, **how)
    everything = Predictions(y_true, named, chosen, groups=groups, draw="rows")
    if len(named) != 2:
        raise ValueError(f"find_slices compares two systems, got {len(named)}.")
    beside = {"y_true": y_true} | {f"predictions[{n!r}]": own for n, own in named.items()}
    columns = _slices.arrays_of(_columns(X), beside, n_rows=everything.n_rows, called="X")
    first, second = _halves(everything, seed)
    differences = _contributions(everything, first)
    proposed = list(_proposed(columns, first, differences, max_depth, fewest))
    if not proposed:
        raise ValueError(
            "no slice was proposed: the difference does not vary with X on the half that was "
            f"looked at, or parts of {fewest} rows and more are too large."
        )
    used = {condition.column.name for conditions in proposed for condition in conditions}
    slices = _slices.Slices(
        {_said(conditions): second[_met(conditions, second)] for conditions in proposed},
        everything.n_rows,
        tuple(name for name in columns if name in used),
        fewest,
        (
            "slices proposed by a tree on one half of the rows, and tested on the other half",
            f"halves by random_state={seed}",
        ),
    )
    found: Any = compare_predictions(
        y_true, named, metric=metric, by=slices, groups=groups, alternative=alternative,
        confidence_level=confidence_level, margin=margin, n_resamples=n_resamples,
        n_jobs=n_jobs, random_state=seed, **how,
    )  # fmt: skip
    return found


def _columns(X: Any) -> Mapping[str, Any]:
    """Return columns by their names; those of an array have numbers."""
    if isinstance(X, Mapping) or hasattr(X, "columns"):
        return _slices.columns_of(X)
    values = np.asarray(X)
    if values.ndim == 1:
        return {str(getattr(X, "name", None) or "x0"): X}
    if values.ndim != 2:
        raise ValueError("X must have rows and columns: a frame, a mapping, or an array.")
    return {f"x{place}": column for place, column in enumerate(values.T)}


def _contributions(predictions: Predictions, rows: NDArray[np.int64]) -> Numbers:
    """Return what single rows contribute to the difference of two systems on some rows."""
    part = Predicted.of(replace(predictions, groups=None)).part(rows, one_by_one=True)
    a, b = predictions.names
    found = part.take((a, b)).influence()
    if found is None or len(found.values) != len(rows):
        raise ValueError(
            f"what single rows contribute to {predictions.metric.name} is not known; pass the "
            "slices that you want to compare to compare_predictions(..., by=...)."
        )
    return found.values


def _halves(predictions: Predictions, seed: int) -> tuple[_slices.Rows, _slices.Rows]:
    """Part the rows in two, groups kept together."""
    rows = np.arange(predictions.n_rows)
    how: Any = ShuffleSplit if predictions.groups is None else GroupShuffleSplit
    splitter = how(1, test_size=0.5, random_state=np.random.RandomState(seed % 2**32))
    first, second = next(splitter.split(rows, groups=predictions.groups))
    return np.sort(first), np.sort(second)


@dataclass(frozen=True, eq=False)
class _Column:
    """A column whose different values are numbered: labels first, then numbers.

    Attributes
    ----------
    name : str
        Its name.
    codes : ndarray of int of shape (n_rows,)
        Of every row the place of its value.
    labels : list of str
        The different labels, with that of missing values; none of a column of numbers alone.
    numbers : ndarray of float
        The different numbers, in ascending order; none of a column of labels.
    """

    name: str
    codes: NDArray[np.int64]
    labels: list[str]
    numbers: Numbers

    @classmethod
    def of(cls, name: str, values: NDArray[Any]) -> "_Column":
        """Number the values of a column; a missing one is a label like others."""
        missing = missing_in(values)
        there = np.flatnonzero(~missing)
        numbers = _slices.as_numbers(values[there])
        codes = np.zeros(len(values), dtype=np.int64)
        if numbers is not None:
            labels = [_slices.MISSING] * bool(missing.any())
            distinct, places = np.unique(numbers, return_inverse=True)
            codes[there] = places + len(labels)
            return cls(name, codes, labels, distinct)
        whole = not missing.any()
        parts = _slices.values_of(values[there], called=f"X[{name!r}]", is_whole=whole)
        for place, rows in enumerate(parts.values()):
            codes[there[rows]] = place
        codes[missing] = len(parts)
        return cls(name, codes, [*parts, _slices.MISSING], np.empty(0))


class _Condition(NamedTuple):
    """What rows have in a column: a number from `low` on and below `high`, or a label or not.

    Attributes
    ----------
    column : _Column
        The column.
    first, last : int
        The codes that meet it, both included.
    low, high : float
        The numbers that it is said by.
    label : str or None
        The label; None of numbers.
    has_it : bool
        Whether the label is what is asked for, and not all others.
    """

    column: _Column
    first: int
    last: int
    low: float = -math.inf
    high: float = math.inf
    label: str | None = None
    has_it: bool = True

    def met(self, rows: _slices.Rows) -> NDArray[np.bool_]:
        """Tell which of some rows meet it."""
        codes = self.column.codes[rows]
        return np.asarray(((codes >= self.first) & (codes <= self.last)) == self.has_it)


_Conditions = tuple[_Condition, ...]


def _met(conditions: Sequence[_Condition], rows: _slices.Rows) -> NDArray[np.bool_]:
    return np.logical_and.reduce([condition.met(rows) for condition in conditions])


def _said(conditions: Sequence[_Condition]) -> str:
    """Write conditions, those on the numbers of one column as one."""
    words: dict[tuple[str, str | None], str] = {}
    for condition in conditions:
        column, label = condition.column.name, condition.label
        if label is not None:
            words[column, label] = f"{column}{'=' if condition.has_it else ' is not '}{label}"
            continue
        own = [one for one in conditions if one.column.name == column and one.label is None]
        low, high = max(one.low for one in own), min(one.high for one in own)
        words[column, None] = _slices.between(column, low, high)
    return " & ".join(words.values())


def _proposed(
    columns: Mapping[str, NDArray[Any]],
    rows: _slices.Rows,
    differences: Numbers,
    max_depth: int,
    fewest: int,
) -> Iterator[_Conditions]:
    """Walk the nodes, below the root, of a regression tree of the differences on some rows.

    A tree of scikit-learn knows numbers to seven digits, and nothing that is missing or
    infinite; of a column of labels it needs a column per label.
    """
    read = [_Column.of(name, values) for name, values in columns.items()]
    least = max(fewest, int(_LEAST_SHARE * len(rows)))
    nodes: list[tuple[_Conditions, _slices.Rows, Numbers]] = [((), rows, differences)]
    while nodes:
        conditions, inside, own = nodes.pop()
        if conditions:
            yield conditions
        if len(conditions) == max_depth:
            continue
        gain, sides = max(
            (_best_split(column, inside, own, least) for column in read),
            key=lambda found: found[0],
        )
        if gain > _NOISE * float(own @ own):
            for side in sides:
                met = side.met(inside)
                nodes.append(((*conditions, side), inside[met], own[met]))


def _best_split(
    column: _Column, rows: _slices.Rows, differences: Numbers, least: int
) -> tuple[float, _Conditions]:
    """Return what a column explains of the differences at best, and both sides."""
    codes, n = column.codes[rows], len(column.labels)
    counts = np.bincount(codes, minlength=n + len(column.numbers))
    sums = np.bincount(codes, weights=differences, minlength=len(counts))
    below, of_below = np.cumsum(counts[n:]), np.cumsum(sums[n:])
    gains = np.append(
        _gains(counts[:n], sums[:n], len(rows), differences.sum(), least),
        _gains(below[:-1], of_below[:-1], below[-1:], of_below[-1:], least),
    )
    gain = float(gains.max(initial=-math.inf))
    if math.isinf(gain):
        return gain, ()
    place = int(np.argmax(gains))
    if place < n:
        label = column.labels[place]
        sides = [
            _Condition(column, place, place, label=label, has_it=has) for has in (True, False)
        ]
    else:
        above = place + 1 + int(np.flatnonzero(counts[place + 1 :])[0])
        edge = _edge(column.numbers, place - n, above - n)
        first = n + int(np.searchsorted(column.numbers, edge))
        sides = [
            _Condition(column, n, first - 1, high=edge),
            _Condition(column, first, len(counts) - 1, low=edge),
        ]
    return gain, tuple(sides)


def _gains(counts: Any, sums: Any, n_rows: Any, total: Any, least: int) -> Numbers:
    """Return by how much the squared differences shrink if some rows are parted from others."""
    others, rest = n_rows - counts, total - sums
    large = np.minimum(counts, others) >= least
    parted = sums**2 / np.maximum(counts, 1) + rest**2 / np.maximum(others, 1)
    return np.where(large, parted - total**2 / np.maximum(n_rows, 1), -math.inf)


def _edge(numbers: Numbers, below: int, above: int) -> float:
    """Part numbers in the middle of two that rows have, at a short number if there is one."""
    low, high = numbers[below], numbers[above]
    middle = low / 2 + high / 2
    if not low <= middle < high or not np.isfinite(middle):
        middle = low
    first = int(np.searchsorted(numbers, middle, side="right"))
    edge = float(f"{middle:.{_DIGITS}g}")
    if int(np.searchsorted(numbers, edge)) != first or not math.isfinite(edge):
        edge = float(numbers[first])
    # At the last, infinity, a number below which all others are.
    return float(low + max(1.0, abs(low))) if math.isinf(edge) else edge
