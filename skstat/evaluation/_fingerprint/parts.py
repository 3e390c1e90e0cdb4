"""What arrays, frames and random numbers are made of."""

import copy
import sys
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state


def parts_of_data(value: Any) -> tuple | None:
    """Take data apart, one level deep.

    Parameters
    ----------
    value : object
        Anything.

    Returns
    -------
    tuple
        Simpler values that together tell it from others, or None if it is not data.
    """
    if isinstance(value, np.generic):
        return (value.dtype, value.tobytes())
    if isinstance(value, np.dtype):
        return (value.str, repr(value))
    if isinstance(value, np.ma.MaskedArray):
        return (value.data, value.mask, value.fill_value)
    if isinstance(value, np.random.RandomState):
        everybodys = value is check_random_state(None)  # it differs between sessions
        return ("global",) if everybodys else (value.get_state(legacy=False),)
    if isinstance(value, np.random.Generator):
        return (value.bit_generator,)
    if isinstance(value, np.random.BitGenerator):
        return (value.state, value.seed_seq)
    if isinstance(value, np.random.SeedSequence):
        return (value.state,)
    if sparse.issparse(value):
        return _sparse(value)
    # Whoever has an object of a library has imported it.
    stats = sys.modules.get("scipy.stats")
    if stats is not None and isinstance(value, stats.rv_continuous | stats.rv_discrete):
        return _distribution(value)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(
        value, pandas.DataFrame | pandas.Series | pandas.Index
    ):
        return (*_pandas(value, pandas), *_own(value))
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(value, polars.DataFrame | polars.Series):
        return _polars(value, polars)
    return None


def _sparse(matrix: Any) -> tuple:
    head = (matrix.format, matrix.shape)
    if matrix.format in ("lil", "dok"):
        return (*head, *_sparse(matrix.tocsr()))
    if matrix.format == "coo":
        return (*head, matrix.data, *matrix.coords)
    if matrix.format == "dia":
        return (*head, matrix.data, matrix.offsets)
    return (*head, matrix.data, matrix.indices, matrix.indptr)


def _own(value: Any) -> tuple:
    """What a frame carries along that is not data; `_metadata` is for subclasses."""
    named = {name: getattr(value, name, None) for name in getattr(value, "_metadata", ())}
    return (getattr(value, "attrs", None), named)


def _distribution(distribution: Any) -> tuple:
    """Leave out the generator unless it was seeded.

    By default it is NumPy's global one, which differs between sessions and of which
    `clone` makes a copy; a randomized search draws from its own anyway.
    """
    generator = distribution.random_state
    drawn = [copy.deepcopy(g).bytes(16) for g in (generator, check_random_state(None))]
    state = distribution.__getstate__().items()
    return (
        {name: value for name, value in state if value is not generator},
        None if drawn[0] == drawn[1] else generator,
    )


def _pandas(value: Any, pandas: Any) -> tuple:
    if isinstance(value, pandas.DataFrame):
        return (value.columns, value.index, [_column(c, pandas) for _, c in value.items()])
    if isinstance(value, pandas.Series):
        return (value.name, value.index, _column(value, pandas))
    if isinstance(value, pandas.RangeIndex):
        return (value.name, value.start, value.stop, value.step)
    if isinstance(value, pandas.MultiIndex):
        levels = [value.get_level_values(level) for level in range(value.nlevels)]
        return (list(value.names), levels)
    return (value.name, _column(pandas.Series(value), pandas))


def _column(series: Any, pandas: Any) -> tuple:
    dtype = series.dtype
    if isinstance(dtype, np.dtype):
        return (series.to_numpy(),)
    if isinstance(dtype, pandas.CategoricalDtype):
        return (series.cat.codes.to_numpy(), dtype.categories, dtype.ordered)
    try:  # 64 bits per row, the same in every session
        rows = pandas.util.hash_pandas_object(series, index=False).to_numpy()
    except TypeError:  # lists and the like
        rows = series.astype(object).to_numpy()
    return (repr(dtype), rows)


def _polars(value: Any, polars: Any) -> tuple:
    if isinstance(value, polars.DataFrame):
        return (value.columns, value.get_columns())
    # A frame's own hash is documented to change with the version of polars.
    dtype = value.dtype
    plain = dtype.is_numeric() and not dtype.is_decimal() and not value.null_count()
    categories = dtype.categories if isinstance(dtype, polars.Enum) else None
    return (
        value.name,
        repr(dtype),
        categories,
        value.to_numpy() if plain else value.to_list(),
    )
