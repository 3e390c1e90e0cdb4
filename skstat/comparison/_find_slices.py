"""Search for slices in which systems differ, with a test of each on other rows."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

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

_DIGITS = 4  # of a number that the tree splits at
_MIN_SHARE = 0.05  # of the rows that the tree is grown on, in each of its leaves
_NOISE = 1e-9  # share of the squared differences that a split must explain

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
    how: Any = {"labels": labels, "pos_label": pos_label, "higher_is_better": higher_is_better}
    chosen = as_metric(metric, **how)
    sample = Predictions(y_true, named, chosen, groups=groups, draw="rows")
    if len(named) != 2:
        raise ValueError(f"find_slices compares two systems, got {len(named)}.")
    arrays = {"y_true": y_true} | {f"predictions[{n!r}]": array for n, array in named.items()}
    columns = _slices.arrays_of(_columns(X), arrays, n_rows=sample.n_rows, called="X")
    rows, has_groups = np.arange(sample.n_rows), sample.groups is not None
    splitter: Any = GroupShuffleSplit if has_groups else ShuffleSplit
    halves = splitter(1, test_size=0.5, random_state=np.random.RandomState(seed % 2**32))
    first, second = map(np.sort, next(halves.split(rows, groups=sample.groups)))
    differences = _contributions(sample, first)
    proposed = list(_proposed_slices(columns, first, differences, max_depth, fewest))
    if not proposed:
        raise ValueError(
            "no slice was proposed: the difference does not vary with X on the half that was "
            f"looked at, or parts of {fewest} rows and more are too large."
        )
    used = {column for conditions, _ in proposed for column, _ in conditions}
    slices = _slices.Slices(
        {_as_text(conditions): second[matching[second]] for conditions, matching in proposed},
        sample.n_rows,
        tuple(name for name in columns if name in used),
        fewest,
        (
            "slices proposed by a tree on one half of the rows, and tested on the other half",
            f"halves by random_state={seed}",
        ),
    )
    return compare_predictions(  # type: ignore[return-value]
        y_true, named, metric=metric, by=slices, groups=groups, alternative=alternative,
        confidence_level=confidence_level, margin=margin, n_resamples=n_resamples,
        n_jobs=n_jobs, random_state=seed, **how,
    )  # fmt: skip


def _columns(X: Any) -> Mapping[str, Any]:
    """Return columns by their names; those of an array are numbered."""
    if isinstance(X, Mapping) or hasattr(X, "columns"):
        return _slices.columns_of(X)
    values = np.asarray(X)
    if values.ndim == 1:
        return {str(getattr(X, "name", None) or "x0"): X}
    if values.ndim != 2:
        raise ValueError("X must have rows and columns: a frame, a mapping, or an array.")
    return {f"x{index}": column for index, column in enumerate(values.T)}


def _contributions(predictions: Predictions, rows: NDArray[np.int64]) -> Numbers:
    """Return the contribution of each of some rows to the difference of two systems."""
    part = Predicted.of(replace(predictions, groups=None)).part(rows, one_by_one=True)
    a, b = predictions.names
    influence = part.take((a, b)).influence()
    if influence is None or len(influence.values) != len(rows):
        raise ValueError(
            f"what single rows contribute to {predictions.metric.name} is not known; pass the "
            "slices that you want to compare to compare_predictions(..., by=...)."
        )
    return influence.values


# Conditions by column and label: an interval of numbers (for label None), or the text of a
# condition on a label.
_Terms = dict[tuple[str, str | None], tuple[float, float] | str]
_Node = tuple[_Terms, NDArray[np.bool_]]


@dataclass(frozen=True, eq=False)
class _Column:
    """A column with its values coded as integers: labels first, then numbers.

    Attributes
    ----------
    name : str
        Name of the column.
    codes : ndarray of int of shape (n_rows,)
        Code of the value in every row.
    labels : list of str
        The distinct labels, with one for missing values; empty if all values are numbers.
    numbers : ndarray of float
        The distinct numbers, in ascending order; empty for a column of labels.
    """

    name: str
    codes: NDArray[np.int64]
    labels: list[str]
    numbers: Numbers

    @classmethod
    def of(cls, name: str, values: NDArray[Any]) -> "_Column":
        """Return a column with coded values; a missing value is a label like others."""
        missing = missing_in(values)
        present = np.flatnonzero(~missing)
        numbers = _slices.as_numbers(values[present])
        codes = np.zeros(len(values), dtype=np.int64)
        if numbers is not None:
            labels = [_slices.MISSING] * bool(missing.any())
            distinct, codes_present = np.unique(numbers, return_inverse=True)
            codes[present] = codes_present + len(labels)
            return cls(name, codes, labels, distinct)
        whole = not missing.any()
        parts = _slices.values_of(values[present], called=f"X[{name!r}]", is_whole=whole)
        for code, rows in enumerate(parts.values()):
            codes[present[rows]] = code
        codes[missing] = len(parts)
        return cls(name, codes, [*parts, _slices.MISSING], np.empty(0))

    def best_split(
        self, rows: _slices.Rows, differences: Numbers, min_rows: int
    ) -> tuple[float, int]:
        """Return the gain of the best split, and the code of its label or last number below."""
        codes, n = self.codes[rows], len(self.labels)
        counts = np.bincount(codes, minlength=n + len(self.numbers))
        sums = np.bincount(codes, weights=differences, minlength=len(counts))
        below, sums_below = np.cumsum(counts[n:]), np.cumsum(sums[n:])
        gains = np.append(
            _gains(counts[:n], sums[:n], len(rows), differences.sum(), min_rows),
            _gains(below[:-1], sums_below[:-1], below[-1:], sums_below[-1:], min_rows),
        )
        return float(gains.max(initial=-math.inf)), int(np.argmax(gains)) if len(gains) else 0

    def sides(self, rows: _slices.Rows, code: int, conditions: _Terms) -> tuple[_Node, _Node]:
        """Return the conditions of both sides of a split, and which of all rows meet them."""
        name, n = self.name, len(self.labels)
        if code < n:
            label, matches = self.labels[code], self.codes == code
            texts = (f"{name}{how}{label}" for how in ("=", " is not "))
            yes, no = (conditions | {(name, label): text} for text in texts)
            return (yes, matches), (no, ~matches)
        codes = self.codes[rows]
        edge = _edge(self.numbers, code - n, int(codes[codes > code].min()) - n)
        first = n + int(np.searchsorted(self.numbers, edge))
        low, high = cast(Any, conditions.get((name, None), (-math.inf, math.inf)))
        below = conditions | {(name, None): (low, min(high, edge))}
        above = conditions | {(name, None): (max(low, edge), high)}
        large = self.codes >= first
        return (below, (self.codes >= n) & ~large), (above, large)


def _as_text(conditions: _Terms) -> str:
    """Return conditions as text."""
    return " & ".join(
        condition if isinstance(condition, str) else _slices.between(column, *condition)
        for (column, _), condition in conditions.items()
    )


def _proposed_slices(
    columns: Mapping[str, NDArray[Any]],
    rows: _slices.Rows,
    differences: Numbers,
    max_depth: int,
    fewest: int,
) -> Iterator[_Node]:
    """Yield the nodes, below the root, of a regression tree of the differences on some rows.

    A tree of scikit-learn would not do: it rounds numbers to float32, takes no infinite ones,
    and needs a column for every label.
    """
    coded = [_Column.of(name, values) for name, values in columns.items()]
    min_rows = max(fewest, int(_MIN_SHARE * len(rows)))
    everywhere = np.ones(len(coded[0].codes), dtype=bool)
    nodes: list[tuple[int, _Terms, NDArray[np.bool_]]] = [(0, {}, everywhere)]
    while nodes:
        depth, conditions, matching = nodes.pop()
        if depth:
            yield conditions, matching
        if depth == max_depth:
            continue
        inside, values = rows[matching[rows]], differences[matching[rows]]
        splits = [(*column.best_split(inside, values, min_rows), column) for column in coded]
        gain, code, column = max(splits, key=lambda split: split[0])
        if gain > _NOISE * float(values @ values):
            for side_conditions, side in column.sides(inside, code, conditions):
                nodes.append((depth + 1, side_conditions, matching & side))


def _gains(counts: Any, sums: Any, n_rows: Any, total: Any, min_rows: int) -> Numbers:
    """Return by how much a split into two parts reduces the squared differences."""
    others, other_sums = n_rows - counts, total - sums
    large = np.minimum(counts, others) >= min_rows
    after = sums**2 / np.maximum(counts, 1) + other_sums**2 / np.maximum(others, 1)
    return np.where(large, after - total**2 / np.maximum(n_rows, 1), -math.inf)


def _edge(numbers: Numbers, below: int, above: int) -> float:
    """Return a threshold between two adjacent numbers: the middle, rounded where possible."""
    low, high = numbers[below], numbers[above]
    middle = low / 2 + high / 2
    if not low <= middle < high or not np.isfinite(middle):
        middle = low
    first = int(np.searchsorted(numbers, middle, side="right"))
    edge = float(f"{middle:.{_DIGITS}g}")
    if int(np.searchsorted(numbers, edge)) != first or not math.isfinite(edge):
        edge = float(numbers[first])
    # Infinity is the last number: the threshold is a finite number above all others.
    return float(low + max(1.0, abs(low))) if math.isinf(edge) else edge
