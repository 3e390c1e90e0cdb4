"""Counts of rows that are alike: read, added up, refused."""

from collections import Counter

import numpy as np
import pytest

from skstat.stats import Predictions
from tests.cases import in_one_test

Y = ["cat", "dog", "cat", "cat", "dog", "owl", "cat"]
OUTPUTS = {
    "a": ["cat", "dog", "dog", "cat", "dog", "cat", "dog"],
    "b": ["cat", "cat", "dog", "cat", "dog", "owl", "dog"],
}


def as_counter(counts):
    kinds = zip(counts.y_true.tolist(), *map(list, counts.outputs.values()), strict=True)
    return dict(zip(kinds, counts.counts.tolist(), strict=True))


EXPECTED = dict(Counter(zip(Y, *OUTPUTS.values(), strict=True)))


def test_rows_are_counted_in_ascending_order():
    counts = Predictions(Y, OUTPUTS, counts=np.ones(7, dtype=int))
    assert as_counter(counts) == EXPECTED
    assert list(as_counter(counts)) == sorted(EXPECTED)
    assert (counts.n_rows, len(counts.counts), counts.names) == (7, len(EXPECTED), ("a", "b"))


def test_many_columns_of_many_values_do_not_overflow():
    rng = np.random.default_rng(0)
    y, *outputs = rng.integers(0, 10**9, (9, 500))
    named = {str(i): output for i, output in enumerate(outputs)}
    twice = {k: np.tile(v, 2) for k, v in named.items()}
    counts = Predictions(np.tile(y, 2), twice, counts=np.ones(1000))
    assert as_counter(counts) == dict.fromkeys(zip(y, *outputs, strict=True), 2)


@in_one_test(
    ("counts", "message"),
    [
        ([1.5, 2], "counts.0. is 1.5.*Sums of weights are not counts"),
        ([1, -2], "counts.1. is -2"),
        ([0, 0], "counts are 0 everywhere"),
        ([1, np.inf], "counts.1. is inf"),
        (["x", "y"], "one whole number"),
        ([1], "counts has 1 rows"),
    ],
)
def test_what_is_no_count_is_refused(counts, message):
    with pytest.raises(ValueError, match=message):
        Predictions([0, 1], {"a": [0, 1]}, counts=counts)


def test_what_has_no_label_for_each_row_is_refused():
    with pytest.raises(ValueError, match="is missing"):
        Predictions([0, None], {"a": [0, 1]}, counts=[1, 1])
    with pytest.raises(ValueError, match="one label or number each"):
        Predictions([0, 1], {"a": [[0.5, 0.5], [1, 0]]}, counts=[1, 1])
    with pytest.raises(ValueError, match="have no order"):
        Predictions([0, "1"], {"a": [0, 1]}, counts=[1, 1])
    with pytest.raises(TypeError, match="must be a mapping"):
        Predictions([0, 1], [[0, 1]], counts=[1, 1])
    with pytest.raises(ValueError, match="name the outputs of a system"):
        Predictions([0, 1], {}, counts=[1, 1])


def test_kinds_of_no_row_are_left_out():
    assert Predictions([0, 1], {"a": [0, 1]}, counts=[3, 0]).n_rows == 3


def read(table):
    return Predictions(
        table["truth"], {name: table[name] for name in "ab"}, counts=table["count"]
    )


def test_polars_counts_where_rows_are():
    polars = pytest.importorskip("polars")
    table = polars.LazyFrame({"truth": Y, **OUTPUTS}).group_by("truth", "a", "b").len("count")
    assert as_counter(read(table.collect())) == EXPECTED
