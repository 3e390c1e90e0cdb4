"""Counts of rows that are alike: read, added up, refused."""

from collections import Counter

import numpy as np
import pytest

from skstat.stats import PredictionCounts
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
    counts = PredictionCounts.from_rows(Y, OUTPUTS)
    assert as_counter(counts) == EXPECTED
    assert list(as_counter(counts)) == sorted(EXPECTED)
    assert (counts.n_rows, counts.n_kinds, counts.names) == (7, len(EXPECTED), ("a", "b"))


def test_many_columns_of_many_values_do_not_overflow():
    rng = np.random.default_rng(0)
    y, *outputs = rng.integers(0, 10**9, (9, 500))
    named = {str(i): output for i, output in enumerate(outputs)}
    counts = PredictionCounts.from_rows(
        np.tile(y, 2), {k: np.tile(v, 2) for k, v in named.items()}
    )
    assert as_counter(counts) == dict.fromkeys(zip(y, *outputs, strict=True), 2)


def test_parts_add_up_whatever_the_order_of_systems():
    first = PredictionCounts.from_rows(Y[:3], {k: v[:3] for k, v in OUTPUTS.items()})
    rest = PredictionCounts.from_rows(Y[3:], {k: OUTPUTS[k][3:] for k in ("b", "a")})
    assert as_counter(first + rest) == EXPECTED
    assert as_counter(sum([first, rest])) == EXPECTED
    with pytest.raises(ValueError, match="name the same systems"):
        first + rest.of("a")
    with pytest.raises(TypeError):
        first + 1


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
        PredictionCounts([0, 1], {"a": [0, 1]}, counts)


def test_what_has_no_label_for_each_row_is_refused():
    with pytest.raises(ValueError, match="is missing"):
        PredictionCounts([0, None], {"a": [0, 1]}, [1, 1])
    with pytest.raises(ValueError, match="one label or number each"):
        PredictionCounts([0, 1], {"a": [[0.5, 0.5], [1, 0]]}, [1, 1])
    with pytest.raises(ValueError, match="have no order"):
        PredictionCounts([0, "1"], {"a": [0, 1]}, [1, 1])
    with pytest.raises(TypeError, match="must be a mapping"):
        PredictionCounts([0, 1], [[0, 1]], [1, 1])
    with pytest.raises(ValueError, match="name at least one"):
        PredictionCounts([0, 1], {}, [1, 1])


def test_kinds_of_no_row_are_left_out():
    assert PredictionCounts([0, 1], {"a": [0, 1]}, [3, 0]).n_kinds == 1


def read(table):
    return PredictionCounts(
        table["truth"], {name: table[name] for name in "ab"}, table["count"]
    )


def test_polars_counts_where_rows_are():
    polars = pytest.importorskip("polars")
    table = polars.LazyFrame({"truth": Y, **OUTPUTS}).group_by("truth", "a", "b").len("count")
    assert as_counter(read(table.collect())) == EXPECTED
