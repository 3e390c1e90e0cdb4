"""Tables of scores: what they are made of, and the ranks that tests start from."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from scipy.sparse.csgraph import connected_components

from skstat.stats import ScoreTable
from tests.cases import in_one_test, refusals

WIDE = {"dataset": ["iris", "wine"], "nb": [0.9, 0.7], "rf": [0.95, None]}
LONG = {
    "data": ["iris", "iris", "wine", "iris"],
    "model": ["nb", "rf", "nb", "gb"],
    "accuracy": [0.9, 0.95, 0.7, 0.8],
}


def frames(columns):
    for name in ("pandas", "polars"):
        module = pytest.importorskip(name)
        yield module.DataFrame(columns)


def test_wide_frames():
    for frame in frames(WIDE):
        table = ScoreTable(frame, datasets="dataset")
        assert table.names == ("nb", "rf")
        assert table.datasets == ("iris", "wine")
        assert table.unit == "dataset"
        np.testing.assert_array_equal(table.missing, [[False, False], [False, True]])


def test_the_index_of_a_pandas_frame_names_the_data_sets():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(WIDE).set_index("dataset")
    assert ScoreTable(frame, unit="dataset").datasets == ("iris", "wine")
    assert ScoreTable(frame, datasets=["a", "b"]).datasets == ("a", "b")
    # Of instances an index says nothing, and may repeat itself.
    rows = pandas.DataFrame({"a": [1, 0], "b": [0, 1]}, index=[7, 7])
    assert ScoreTable(rows, unit="instance").datasets is None


def test_errors_become_scores():
    table = ScoreTable([[1, 2], [3, 3]], datasets=["a", "b"], higher_is_better=False)
    assert table.scores.tolist() == [[-1, -2], [-3, -3]]
    assert table.ranks.tolist() == [[1, 2], [1.5, 1.5]]
    assert table.to_dict()["scores"] == [[1, 2], [3, 3]]
    zero = ScoreTable([[0, 1]], datasets=["a"], higher_is_better=False)
    assert math.copysign(1, zero.scores[0, 0]) == 1  # -0.0 would be printed as such


test_tables_that_make_no_sense = refusals([
    (lambda: ScoreTable([[1, 2]], unit="seed", datasets=["a"]), "but unit='seed'"),
    (lambda: ScoreTable([[1, 2]], datasets=["a", "b"]), "datasets holds 2 names for 1"),
    (lambda: ScoreTable([[1, 2], [3, 4]], datasets=["a", "a"]), "name 'a' twice"),
    (lambda: ScoreTable([[1, 2]], datasets="name"), "names a column, and scores has none"),
    (lambda: ScoreTable([[1, math.inf]], datasets=["a"]), "'system 2' on data set a is inf"),
    (lambda: ScoreTable({"d": ["x"], "a": [1]}, unit="dataset"), "datasets='d'"),
    (lambda: ScoreTable([[1, 2], [3, 4]], datasets=["a", None]), "has no name in row 1"),
    (lambda: ScoreTable([[1, 2], [3, 4]], datasets=["a", math.nan]), "has no name in row 1"),
])  # fmt: skip


def test_a_column_of_names_must_exist():
    for frame in frames(WIDE):
        with pytest.raises(ValueError, match="datasets='name' is not a column"):
            ScoreTable(frame, datasets="name")
        with pytest.raises(ValueError, match="leave systems out"):
            ScoreTable(frame, datasets="dataset", systems=["a", "b"])


def test_gaps():
    table = ScoreTable(
        [[3, 1, 2], [None, 1, 2], [5, 5, None], [4, 4, 4]], datasets=list("abcd")
    )
    np.testing.assert_array_equal(
        table.ranks, [[1, 3, 2], [np.nan, 2, 1], [1.5, 1.5, np.nan], [2, 2, 2]]
    )
    # Least squares by hand: the effects are -0.3, 0.5 and -0.2.
    assert table.mean_ranks.tolist() == [1.7, 2.5, 1.8]
    assert table.complete().datasets == ("a", "d")
    assert table.pair("system 1", "system 3").differences.tolist() == [1, 0]
    assert table.wins().tolist() == [[0, 1, 1], [0, 0, 0], [0, 2, 0]]
    assert table.ties().tolist() == [[3, 2, 1], [2, 4, 1], [1, 1, 3]]
    assert [summary["mean"] for summary in table.summaries()] == [4, 11 / 4, 8 / 3]
    with pytest.raises(ValueError, match="no data set has the scores of all"):
        ScoreTable([[1, None], [None, 1]], datasets=["a", "b"]).complete()


@st.composite
def counts(draw):
    n, k = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    row = st.lists(st.integers(0, 40), min_size=k, max_size=k)
    return np.array(draw(st.lists(row, min_size=n, max_size=n)))


@settings(max_examples=4 * settings.default.max_examples)
@given(counts(), st.integers(41, 10_000))
def test_ranks_are_those_of_the_counts_behind_shares(right, n_rows):
    expected = scipy_stats.rankdata(-right, axis=1)
    for scores in (right, right / n_rows, 1 - (n_rows - right) / n_rows):
        table = ScoreTable(scores, unit="dataset")
        np.testing.assert_array_equal(table.ranks, expected)
        assert np.all(
            table.ranks.sum(axis=1) == expected.shape[1] * (expected.shape[1] + 1) / 2
        )
    wins = np.array([[(a > b).sum() for b in right.T] for a in right.T])
    np.testing.assert_array_equal(table.wins(), wins)
    np.testing.assert_array_equal(table.wins() + table.wins().T + table.ties(), len(right))


def fitted_mean_ranks(x):
    """Effects of rows and columns to all cells at once, by dummies and least squares."""
    rows = [row for row in x if np.sum(~np.isnan(row)) > 1]
    k = x.shape[1]
    design, target = [], []
    for i, row in enumerate(rows):
        (there,) = np.nonzero(~np.isnan(row))
        ranks = scipy_stats.rankdata(-row[there])
        for j, rank in zip(there, ranks, strict=True):
            design.append([*np.eye(len(rows))[i], *np.eye(k)[j]])
            target.append(k / len(there) * (rank - (len(there) + 1) / 2))
    # One more equation, which all can meet: the effects of the systems add up to zero.
    design.append([*np.zeros(len(rows)), *np.ones(k)])
    target.append(0)
    effects = np.linalg.lstsq(np.array(design), np.array(target), rcond=None)[0][len(rows) :]
    beyond = np.abs(effects).max() / ((k - 1) / 2)
    return (k + 1) / 2 + effects / max(1, beyond)


@st.composite
def gapped(draw):
    n, k = draw(st.integers(1, 7)), draw(st.integers(2, 5))
    cell = st.one_of(st.integers(0, 9), st.integers(0, 9), st.just(math.nan))
    x = np.array(draw(st.lists(cell, min_size=n * k, max_size=n * k)), dtype=float)
    x = x.reshape(n, k)
    there = ~np.isnan(x)
    used = there[there.sum(axis=1) > 1].astype(int)
    assume(len(used) and connected_components(used.T @ used)[0] == 1)
    return x


@settings(max_examples=3 * settings.default.max_examples)
@given(gapped())
def test_mean_ranks_with_gaps_are_fitted(x):
    k = x.shape[1]
    found = ScoreTable(x, unit="dataset").mean_ranks
    assert found == pytest.approx(fitted_mean_ranks(x), abs=1e-9)
    assert found.mean() == pytest.approx((k + 1) / 2)
    assert np.all((found >= 1 - 1e-9) & (found <= k + 1e-9))


@settings(max_examples=2 * settings.default.max_examples)
@given(counts())
def test_mean_ranks_without_gaps_are_plain_means(right):
    ranks = scipy_stats.rankdata(-right, axis=1)
    expected = (ranks.sum(axis=0) / len(ranks)).tolist()
    assert ScoreTable(right, unit="dataset").mean_ranks.tolist() == expected
    # Data sets with one score, and a system without any, say nothing about the others.
    n, k = right.shape
    wider = np.full((n + 1, k + 1), math.nan)
    wider[:n, :k], wider[n, 0] = right, 1
    found = ScoreTable(wider, unit="dataset").mean_ranks
    assert found[:k].tolist() == expected and math.isnan(found[k])


@pytest.mark.parametrize("k, size", [(4, 2), (5, 3), (6, 4)])
def test_balanced_blocks_that_agree_give_the_ranks(k, size):
    rows = np.full((math.comb(k, size), k), math.nan)
    for row, some in zip(rows, combinations(range(k), size), strict=True):
        row[list(some)] = -np.array(some)
    found = ScoreTable(rows, unit="dataset").mean_ranks
    assert found.tolist() == list(range(1, k + 1))


def test_series_are_paired_by_their_index():
    pandas = pytest.importorskip("pandas")
    a = pandas.Series([0.9, 0.8, 0.7], index=["iris", "wine", "glass"])
    b = pandas.Series([0.1, 0.3, 0.2], index=["glass", "iris", "wine"])
    expected = [[0.9, 0.3], [0.8, 0.2], [0.7, 0.1]]
    table = ScoreTable({"a": a, "b": b}, unit="dataset")
    assert table.datasets == ("iris", "wine", "glass")
    assert table.scores.tolist() == expected
    assert ScoreTable({"a": a, "b": b}, unit="seed").scores.tolist() == expected
    assert ScoreTable({"a": a, "b": b}, datasets=["x", "y", "z"]).datasets == ("x", "y", "z")
    # pandas itself aligns them.
    frame = pandas.DataFrame({"a": a, "b": b})
    assert ScoreTable(frame, unit="dataset").pair("a", "b").differences == pytest.approx(
        table.pair("a", "b").differences[[2, 0, 1]]
    )


def test_series_that_cannot_be_paired_are_refused():
    pandas = pytest.importorskip("pandas")
    a = pandas.Series([0.9, 0.8], index=["iris", "wine"])
    b = pandas.Series([0.1, 0.3], index=["glass", "iris"])
    twice = pandas.Series([0.1, 0.3], index=["iris", "iris"])
    for scores, message in (
        ({"a": a, "b": b}, "'b' has no score for 'wine', which 'a' has"),
        ({"a": a, "b": a[:1]}, "'b' has no score for 'wine'"),
        ({"a": a[:1], "b": a}, "'a' has no score for 'wine'"),
        ({"a": a, "b": twice}, "index of 'b' holds 'iris' twice"),
        ({"b": twice, "a": a}, "index of 'b' holds 'iris' twice"),
        ({"a": twice, "b": twice}, "name 'iris' twice"),
        ({"a": a, "b": a[::-1], "c": [1, 2]}, "'c' has none, so that its order is unknown"),
        (pandas.DataFrame([[1, 2, 3]], columns=["a", "b", "b"]), "the column 'b' twice"),
    ):
        with pytest.raises(ValueError, match=message):
            ScoreTable(scores, unit="dataset")
    # The way out that the message names.
    assert ScoreTable(pandas.DataFrame({"a": a, "b": b}), unit="dataset").n_units == 3
    assert ScoreTable({"a": twice, "b": twice}, unit="instance").n_units == 2
    assert ScoreTable({"a": a, "c": [1, 2]}, unit="dataset").datasets == ("iris", "wine")


@in_one_test(
    "column, message",
    [
        ([1.0, "n/a"], r"column 'b' must hold .*row 1, counted from 0"),
        (["0.5", "n/a"], r"column 'b' must hold .*row 1, counted from 0"),
        ((score for score in (1, 2)), "column 'b' must hold .*not 'generator'"),
        ({"iris": 1, "wine": 2}, "'b' is a mapping.*'a' has no labels"),
        ([1, [2, 3]], "column 'b' must hold numbers"),
        (np.ma.array([1, 2], mask=[False, True]), "masked entries"),
    ],
)
def test_what_is_no_number_is_named(column, message):
    with pytest.raises(ValueError, match=message) as caught:
        ScoreTable({"a": [1, 2], "b": column}, unit="dataset")
    assert "names the data sets" not in str(caught.value)


def test_a_frame_with_one_row_per_score_is_turned():
    frame = pytest.importorskip("pandas").DataFrame(LONG)
    turned = frame.pivot(index="data", columns="model", values="accuracy")
    table = ScoreTable(turned[["nb", "rf", "gb"]], unit="dataset")
    assert (table.names, table.datasets) == (("nb", "rf", "gb"), ("iris", "wine"))
    np.testing.assert_array_equal(table.scores, [[0.9, 0.95, 0.8], [0.7, np.nan, np.nan]])


def test_whole_numbers_are_names_without_decimals():
    assert ScoreTable([[1, 2]], datasets=np.array([7.0])).datasets == ("7",)
    assert ScoreTable([[1, 2], [3, 4]], datasets=[0.5, 1.0]).datasets == ("0.5", "1.0")


@pytest.mark.parametrize(
    "column, hint",
    [
        ("dataset_id", "datasets='dataset_id'"),
        ("Task", "datasets='Task'"),
        ("fold", "pivot_table"),
    ],
)
def test_columns_that_name_rows_are_no_systems(column, hint):
    for frame in frames({column: [3, 6, 11], "nb": [0.9, 0.8, 0.7], "rf": [0.8, 0.9, 0.7]}):
        with pytest.raises(ValueError, match=hint):
            ScoreTable(frame, unit="dataset")
        assert ScoreTable(frame, datasets=column).datasets == ("3", "6", "11")
    # Whoever writes a mapping has chosen the names.
    assert ScoreTable({column: [1, 2], "nb": [2, 1]}, unit="dataset").names == (column, "nb")
