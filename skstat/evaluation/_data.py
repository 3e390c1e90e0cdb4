"""Arguments that the user gave: data, groups, parameters and targets, checked."""

import copy
import pickle
import reprlib
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.multiclass import type_of_target

from skstat.evaluation._baselines import BaselineMixin
from skstat.stats._read import aligned, labels_of, missing_in

# What cannot be written into.
_IMMUTABLE = frozenset(
    {str, bytes, int, float, complex, bool, type(None), np.str_, np.float64, np.int64, np.bool_}
)
_ROWS_READ = 1_000  # rows by which a feature of many values is told from one of few
_SHARE_DISTINCT = 0.5  # share of these rows that have a value of their own
_FEW_VALUES = 10  # with so few in every feature rows are the same by chance
FEWEST_OF_CLASS = 4  # two in each half
_MOST_DRAWS = 200


def own_rows(values: Any, rows: np.ndarray) -> Any:
    """Take some rows; what can be written into, such as a list in a list, is copied."""
    # Finding out that an array is one takes longer than indexing a small one.
    taken = values[rows] if isinstance(values, np.ndarray) else _safe_indexing(values, rows)
    if isinstance(taken, np.ndarray) and taken.dtype != object:
        return taken
    if not _IMMUTABLE.issuperset(map(type, _cells(taken))):
        for copied in (lambda: pickle.loads(pickle.dumps(taken)), lambda: copy.deepcopy(taken)):
            with suppress(Exception):  # an open file, say, is what it is
                return copied()
    return taken


def rows_of(params: Mapping[str, Any], X: Any, rows: np.ndarray) -> dict[str, Any]:
    """Take the rows of those parameters that have one value per row of X."""
    n_samples, taken = X.shape[0] if hasattr(X, "shape") else len(X), dict(params)
    for name, value in params.items():
        if isinstance(value, str | bytes | Mapping):
            continue
        shape = getattr(value, "shape", None)
        if shape is None and hasattr(value, "__len__"):
            shape = (len(value),)
        if shape and shape[0] == n_samples:
            taken[name] = own_rows(value, rows)
    return taken


def _cells(taken: Any) -> Iterable[Any]:
    """Return what is an object of its own in some rows."""
    if hasattr(taken, "items") and hasattr(taken, "iloc"):
        columns = [taken] if hasattr(taken, "dtype") else [part for _, part in taken.items()]
        return chain.from_iterable(part for part in columns if part.dtype == object)
    if isinstance(taken, np.ndarray):
        return taken.flat
    return taken if isinstance(taken, list) else ()


def _hashed(values: Any) -> list[int] | None:
    """Hash every row; None of what cannot be."""
    pandas = sys.modules.get("pandas")
    try:
        if pandas is not None and isinstance(values, pandas.DataFrame | pandas.Series):
            return pandas.util.hash_pandas_object(values, index=False).tolist()
        if hasattr(values, "tocsr"):
            matrix = values.tocsr(copy=True)
            matrix.sum_duplicates()
            matrix.eliminate_zeros()
            stored = (matrix.indices, _plain(matrix.data))
            rows = zip(*(np.split(array, matrix.indptr[1:-1]) for array in stored), strict=True)
            return [hash((columns.tobytes(), values.tobytes())) for columns, values in rows]
        array = np.asarray(values)
        array = array.reshape(len(array), -1)
        if array.dtype.kind in "OSU":
            return [hash(tuple(row)) for row in array.tolist()]
        plain = np.ascontiguousarray(_plain(array))
        return [*map(hash, plain.view(f"V{plain.itemsize * plain.shape[1]}").ravel().tolist())]
    except (TypeError, ValueError, NotImplementedError):
        return None


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Numbers of 64 bits, which are the same where numbers are equal."""
    if values.dtype.kind in "biuMm":
        return values.astype(np.int64)
    if values.dtype.kind != "f":
        raise TypeError(f"values of type {values.dtype} are not hashed")
    plain = values.astype(np.float64) + 0.0  # -0.0 equals 0.0
    return np.where(np.isnan(plain), np.nan, plain)


def _has_many_values(X: Any, distinct: Iterable[int]) -> bool:
    """Whether the features of distinct rows have so many values that equal rows are copies."""
    rows = np.sort([*distinct])[:_ROWS_READ]
    if hasattr(X, "tocsr"):
        return True
    if hasattr(X, "iloc"):
        columns = [column for _, column in X.iloc[rows].items()]
    else:
        columns = list(np.asarray(X)[rows].reshape(len(rows), -1).T)
    hashes = (_hashed(column) for column in columns)
    values = (len(rows) if hashed is None else len(set(hashed)) for hashed in hashes)
    return max(values, default=0) > max(_SHARE_DISTINCT * len(rows), _FEW_VALUES)


def check_random_state(random_state: Any) -> None:
    """Refuse anything but a random state; nothing is drawn from it."""
    drawn_from = np.random.RandomState | np.random.Generator | None
    is_int = isinstance(random_state, int | np.integer) and not isinstance(random_state, bool)
    if not isinstance(random_state, drawn_from) and not (is_int and random_state >= 0):
        raise ValueError(
            f"random_state={random_state!r} must be an int >= 0, a RandomState, a Generator or "
            "None."
        )


def draw_seed(random_state: Any) -> int:
    """Turn any `random_state` into one integer that reproduces the run.

    None takes fresh entropy instead of NumPy's global state, which is left alone;
    the integer is reported, so that an unseeded run can be repeated too.
    """
    check_random_state(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator | None):
        return int(np.random.default_rng(random_state).integers(2**31))
    return int(random_state)


@dataclass(frozen=True, eq=False)
class Data:
    """Rows to resample, and what kind of target they carry."""

    X: Any
    y: Any
    groups: Any
    n_samples: int
    class_counts: Mapping[Any, int] | None
    class_codes: np.ndarray | None
    stratifiable: bool

    @cached_property
    def scarcest(self) -> tuple[int, str]:
        """Number and name of what splits need most: groups, or rows of the rarest class."""
        if self.groups is not None:
            return len(np.unique(np.asarray(self.groups))), "groups"
        if not self.class_counts:
            return self.n_samples, "rows"
        rarest = min(self.class_counts, key=self.class_counts.__getitem__)
        return self.class_counts[rarest], f"rows of class {rarest!r}"

    @cached_property
    def n_copies(self) -> int:
        """Number of rows without which no row would repeat another one, in X and in y.

        Rows that repeat each other within a group are left out, as are rows of a few values
        only, such as three yes-or-no answers: these are the same by chance. Nothing is counted
        of values that have no hash.
        """
        hashes, targets = _hashed(self.X), None if self.y is None else _hashed(self.y)
        if not hashes or targets is None:
            return 0
        rows: Any = list(zip(hashes, targets, strict=True))
        first = dict(zip(reversed(rows), reversed(range(len(rows))), strict=True))
        if self.groups is not None:
            rows = set(zip(rows, np.asarray(self.groups).tolist(), strict=True))
        copies = len(rows) - len(first)
        return copies if copies and _has_many_values(self.X, first.values()) else 0

    def draw(
        self, n_units: int, sample_weight: Any, params: Mapping[str, Any], rng: Any
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Draw rows without replacement, or whole groups, with all classes among them.

        A row that came twice could stand in training and in testing. Beside the numbers of the
        rows is what belongs to them: y, groups, sample_weight and params.
        """
        groups = np.arange(self.n_samples) if self.groups is None else np.asarray(self.groups)
        units = np.unique(groups, return_inverse=True)[1]
        codes, n_classes = self.class_codes, len(self.class_counts or ())
        for _ in range(_MOST_DRAWS):
            drawn = rng.choice(units.max() + 1, n_units, replace=False)
            rows = np.flatnonzero(np.isin(units, drawn))
            held = None if codes is None else np.bincount(codes[rows], minlength=n_classes)
            if held is None or held.min() >= FEWEST_OF_CLASS:
                arrays = {"y": self.y, "groups": self.groups, "sample_weight": sample_weight}
                per_row = {"params": rows_of(params, self.X, rows)}
                return rows, rows_of(arrays, self.X, rows) | per_row
        rarest, n = min((self.class_counts or {}).items(), key=lambda item: item[1])
        raise ValueError(
            f"y holds class {rarest!r} {n} times: data sets of {n_units} hardly ever have "
            f"{FEWEST_OF_CLASS} rows of it. Use a larger fraction, or leave the class out."
        )


def check_data(
    X: Any, y: Any, groups: Any, estimators: Iterable[Any], params: Any = None
) -> Data:
    """Check that X, y and groups fit together, and find out what y is.

    Rows are matched by the labels of pandas objects, where there are any. With metadata
    routing the groups may stand among the parameters.
    """
    estimators, groups = list(estimators), routed_groups(groups, params)
    if isinstance(X, Mapping):
        raise TypeError(f"X is a {type(X).__name__}; pass a table with one row per sample.")
    X, y, groups = aligned({"X": X, "y": y, "groups": groups}).values()
    n_samples = _length("X", X)
    if n_samples == 0:
        raise ValueError("X has no rows.")
    for name, values in (("y", y), ("groups", groups)):
        if values is not None and (length := _length(name, values)) != n_samples:
            raise ValueError(f"{name} has {length} rows but X has {n_samples}.")
    X, y, groups = indexable(X, raveled(y), check_groups(groups))
    target = _target_of(y, estimators)
    counts = codes = None
    if target in ("binary", "multiclass") and any(map(is_classifier, estimators)):
        classes, codes = coded("y", y)
        counts = dict(zip(classes.tolist(), np.bincount(codes).tolist(), strict=True))
        if len(counts) < 2:
            raise ValueError(
                f"y holds one class only ({next(iter(counts))!r}): there is nothing to "
                "classify. Check how y was made."
            )
    return Data(X, y, groups, n_samples, counts, codes, codes is not None)


def coded(name: str, values: Any) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the different values of an argument, and the number of every row's value."""
    try:
        return np.unique(np.asarray(values).ravel(), return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{name} mixes types that have no order: {error}") from error


def check_groups(groups: Any) -> Any:
    """Refuse groups that are not one per row, or lack one; None stays."""
    if groups is None:
        return None
    groups = raveled(groups)
    # NumPy would make a text of a missing value among texts.
    labels = np.asarray(groups, dtype=None if hasattr(groups, "dtype") else object)
    if labels.ndim != 1:
        raise ValueError(f"groups has shape {labels.shape}; give one group per row.")
    missing = np.flatnonzero(missing_in(labels))
    if missing.size:
        raise ValueError(
            f"groups is missing for {missing.size} rows (row {missing[0]} is one); give each a "
            "group of its own."
        )
    return groups


def named_params(params: Any) -> dict[str, Any]:
    """Return parameters by name; None stands for none."""
    if params is None:
        return {}
    if not isinstance(params, Mapping):
        raise TypeError(f"params must map names to values, got {type(params).__name__}.")
    wrong = next((name for name in params if not isinstance(name, str)), None)
    if wrong is not None:
        raise TypeError(f"params has the name {wrong!r}; names must be strings.")
    return dict(params)


def is_routed() -> bool:
    """Whether requests of estimators and scorers decide who gets parameters."""
    return bool(get_config()["enable_metadata_routing"])


def routed_groups(groups: Any, params: Mapping[str, Any] | None) -> Any:
    """Return the groups, which with metadata routing may stand among the parameters."""
    return named_params(params).get("groups") if groups is None and is_routed() else groups


def check_params(data: Data, params: Mapping[str, Any] | None) -> dict[str, Any]:
    """Bring parameters with labelled rows into the order of the data; leave the others.

    Parameters
    ----------
    data : Data
        What :func:`check_data` gave.
    params : mapping or None
        Parameters of ``fit`` and ``score`` by name.
    """
    named = named_params(params)
    labelled = []
    for name, value in named.items():
        if not isinstance(value, Mapping) and labels_of(value) is not None:
            labelled += [name] if len(value) == data.n_samples else []
    if not labelled:
        return named
    in_order = align_to(data, {f"params[{name!r}]": named[name] for name in labelled})
    return named | dict(zip(labelled, in_order.values(), strict=True))


def align_to(data: Data, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Bring what belongs to the rows of the data into their order, by its labels.

    Parameters
    ----------
    data : Data
        What :func:`check_data` gave.
    arguments : mapping
        Values with one entry per row, by the name of their argument.
    """
    in_order = aligned({"X": data.X, "y": data.y, "groups": data.groups, **arguments})
    return {name: in_order[name] for name in arguments}


def _length(name: str, values: Any) -> int:
    if np.ma.is_masked(values):
        raise ValueError(f"{name} is a masked array: leave the masked rows out, or fill them.")
    if shape := getattr(values, "shape", ()):
        return int(shape[0])
    wrong = str | bytes | set | frozenset | np.ndarray  # an array of one number
    if isinstance(values, wrong) or not hasattr(values, "__len__"):
        raise TypeError(f"{name} must be a sequence of rows, got {reprlib.repr(values)}.")
    return len(values)


def raveled(y: Any) -> Any:
    """Take a column (a frame, an array, a list of lists of one) for its values."""
    if isinstance(y, list | tuple):
        alone = all(isinstance(row, list | tuple) and len(row) == 1 for row in y)
        return [row[0] for row in y] if alone else y
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) != 2 or shape[1] != 1:
        return y
    if hasattr(y, "iloc"):
        return y.iloc[:, 0]
    if hasattr(y, "to_series"):  # polars
        return y.to_series()
    return y if hasattr(y, "toarray") else np.asarray(y).ravel()


def _target_of(y: Any, estimators: list[Any]) -> str | None:
    """Return scikit-learn's name of the type of y; refuse what estimators cannot learn."""
    if y is None:
        needy = [e for e in estimators if get_tags(e).target_tags.required]
        if needy:
            raise ValueError(f"y is missing, and {type(needy[0]).__name__} needs it: pass y.")
        return None
    if len(shape := getattr(y, "shape", ())) > 2:
        raise ValueError(f"y has shape {shape}; give a target, or several columns, per row.")
    if not hasattr(y, "toarray"):
        _refuse_undefined(y)
    try:
        target = str(type_of_target(y, input_name="y"))
    except (TypeError, ValueError, FutureWarning) as error:
        # The next lines may be pages of numbers.
        reason = str(error).partition("\n")[0]
        raise ValueError(f"y cannot be read as a target: {reason}") from error
    if target == "unknown":
        raise ValueError(
            f"y holds {np.asarray(y).dtype}, neither classes nor numbers; convert it to one."
        )
    if target.startswith("continuous") and any(map(is_classifier, estimators)):
        learners = [e for e in estimators if is_classifier(e)]
        users = [type(e).__name__ for e in learners if not isinstance(e, BaselineMixin)]
        values, who = np.unique(np.asarray(y)), " and ".join(dict.fromkeys(users))
        raise ValueError(
            f"y holds numbers that are not classes ({len(values)} different values, such as "
            f"{values[0]:.6g} and {values[-1]:.6g}), and {who or 'a classifier'} "
            "can only learn classes. Use a regressor, or make classes of y: y > threshold, or "
            "numpy.digitize(y, bins)."
        )
    return target


def _refuse_undefined(y: Any) -> None:
    """Refuse rows without a target, of nullable integers too, which NumPy casts anyhow."""
    try:
        values = np.asarray(y)
    except ValueError:  # rows of several lengths
        return
    wrong = ~np.isfinite(values) if values.dtype.kind == "f" else missing_in(values)
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0])
        raise ValueError(f"y of row {place[0]} is {values[place]}; leave out such rows.")


def check_replaceable(X: Any, named: Mapping[str, Any]) -> Any:
    """Return a table whose cells can be replaced; refuse one of distances.

    Parameters
    ----------
    X : array-like, sparse matrix or DataFrame
        The rows; lists become arrays.
    named : mapping of str to estimator
        What is to be fitted.
    """
    for name, estimator in named.items():
        if get_tags(estimator).input_tags.pairwise:
            raise ValueError(
                f"{name} takes distances or a kernel of all rows, in which no cell can be "
                "replaced: pass features, and an estimator that takes them."
            )
    if issparse(X):
        return X.tocsr()
    if hasattr(X, "shape"):
        return X
    return list(X) if isinstance(X[0], str | bytes) else np.asarray(X)


def with_replaced_cells(
    X: Any, rows: np.ndarray, share: float, rng: np.random.Generator
) -> Any:
    """Take rows, and replace cells by the value of the same column in a random row.

    Parameters
    ----------
    X : ndarray, sparse matrix, DataFrame or list of str
        All rows. A list of texts, or an array of one dimension, has a cell per row.
    rows : ndarray of shape (n_drawn,)
        Rows to be taken.
    share : float
        Probability with which a cell is replaced.
    rng : numpy.random.Generator
        The source of randomness; equal ones replace the same cells, and more of them for a
        larger share.

    Returns
    -------
    object
        A table of the same kind, with `n_drawn` rows.
    """
    n, n_samples = len(rows), X.shape[0] if hasattr(X, "shape") else len(X)
    if issparse(X):
        # One other row for all cells of a row: a table of sources would not be sparse.
        others = rng.integers(n_samples, size=n)
        replaced = rng.random((n, X.shape[1]), dtype=np.float32) < share
        return type(X)(X[rows].multiply(~replaced) + X[others].multiply(replaced))
    n_columns = X.shape[1] if getattr(X, "ndim", len(getattr(X, "shape", "1"))) > 1 else 1
    others = rng.integers(n_samples, size=(n, n_columns))
    sources = np.where(rng.random((n, n_columns)) < share, others, rows[:, None])
    if hasattr(X, "isetitem"):  # a pandas frame
        taken = X.iloc[rows]  # a copy, with the labels that y may have too
        for index in range(n_columns):
            taken.isetitem(index, X.iloc[:, index].array.take(sources[:, index]))
        return taken
    if hasattr(X, "columns"):
        columns = (X[:, index] for index in range(n_columns))
        return type(X)([column[sources[:, j]] for j, column in enumerate(columns)])
    if n_columns == 1 and getattr(X, "ndim", 1) == 1:
        return own_rows(X, sources[:, 0])
    return X[sources, np.arange(n_columns)]
