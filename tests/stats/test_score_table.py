"""Tables of scores: what they are made of, and the ranks that tests start from."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from skstat.stats import ScoreTable
from skstat.stats._restore import sample_from_dict

WIDE = {"dataset": ["iris", "wine"], "nb": [0.9, 0.7], "rf": [0.95, None]}
LONG = {
    "data": ["iris", "iris", "wine", "iris"],
    "model": ["nb", "rf", "nb", "gb"],
    "accuracy": [0.9, 0.95, 0.7, 0.8],
    "seconds": [1.0, 2.0, 3.0, 4.0],
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


def test_long_frames():
    for frame in frames(LONG):
        table = ScoreTable.from_long(
            frame, datasets="data", algorithms="model", scores="accuracy"
        )
        assert table.names == ("nb", "rf", "gb")
        assert table.datasets == ("iris", "wine")
        expected = [[0.9, 0.95, 0.8], [0.7, np.nan, np.nan]]
        np.testing.assert_array_equal(table.scores, expected)


def test_folds_of_a_long_frame_are_averaged_only_when_asked():
    twice = {name: values * 2 for name, values in LONG.items()}
    twice["accuracy"] = [*LONG["accuracy"], *(score - 0.1 for score in LONG["accuracy"])]
    for frame in frames(twice):
        columns = {"datasets": "data", "algorithms": "model", "scores": "accuracy"}
        with pytest.raises(ValueError, match="'nb' has several scores on data set 'iris'"):
            ScoreTable.from_long(frame, **columns)
        table = ScoreTable.from_long(frame, **columns, aggregate="mean")
        np.testing.assert_allclose(table.scores[0], [0.85, 0.9, 0.75])
        with pytest.raises(ValueError, match="aggregate='sum' is unknown"):
            ScoreTable.from_long(frame, **columns, aggregate="sum")
        with pytest.raises(ValueError, match="scores='auc' is no column"):
            ScoreTable.from_long(frame, **{**columns, "scores": "auc"})


def test_errors_become_scores():
    table = ScoreTable([[1, 2], [3, 3]], datasets=["a", "b"], higher_is_better=False)
    assert table.scores.tolist() == [[-1, -2], [-3, -3]]
    assert table.ranks.tolist() == [[1, 2], [1.5, 1.5]]
    assert table.to_dict()["scores"] == [[1, 2], [3, 3]]
    zero = ScoreTable([[0, 1]], datasets=["a"], higher_is_better=False)
    assert math.copysign(1, zero.scores[0, 0]) == 1  # -0.0 would be printed as such


@pytest.mark.parametrize(
    "table",
    [
        ScoreTable([[1, None], [3, 4]], datasets=["a", "b"]),
        ScoreTable([[1, 2], [3, 4]], datasets=["a", "b"], higher_is_better=False),
        ScoreTable([[1, 2], [3, 4]], unit="seed"),
    ],
)
def test_round_trip(table):
    state = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert sample_from_dict(state).to_dict() == table.to_dict()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: ScoreTable([[1, 2]], unit="seed", datasets=["a"]), "but unit='seed'"),
        (lambda: ScoreTable([[1, 2]], datasets=["a", "b"]), "datasets holds 2 names for 1"),
        (lambda: ScoreTable([[1, 2], [3, 4]], datasets=["a", "a"]), "name 'a' twice"),
        (lambda: ScoreTable([[1, 2]], datasets="name"), "scores is no DataFrame"),
        (
            lambda: ScoreTable([[1, math.inf]], datasets=["a"]),
            "'system 2' on data set a is inf",
        ),
        (lambda: ScoreTable([[1, None]], unit="seed"), "'system 2' on unit 0 is nan"),
        (lambda: ScoreTable({"d": ["x"], "a": [1]}, unit="dataset"), "datasets='d'"),
    ],
)
def test_tables_that_make_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_column_of_names_must_exist():
    for frame in frames(WIDE):
        with pytest.raises(ValueError, match="datasets='name' is no column"):
            ScoreTable(frame, datasets="name")
        with pytest.raises(ValueError, match="leave algorithms out"):
            ScoreTable(frame, datasets="dataset", algorithms=["a", "b"])


def test_gaps():
    table = ScoreTable(
        [[3, 1, 2], [None, 1, 2], [5, 5, None], [4, 4, 4]], datasets=list("abcd")
    )
    np.testing.assert_array_equal(
        table.ranks, [[1, 3, 2], [np.nan, 2, 1], [1.5, 1.5, np.nan], [2, 2, 2]]
    )
    assert table.mean_ranks.tolist() == [1.5, 8.5 / 4, 5 / 3]
    assert table.complete().datasets == ("a", "d")
    assert table.pair("system 1", "system 3").differences.tolist() == [1, 0]
    assert table.wins().tolist() == [[0, 1, 1], [0, 0, 0], [0, 2, 0]]
    assert table.ties().tolist() == [[3, 2, 1], [2, 4, 1], [1, 1, 3]]
    assert [summary["mean"] for summary in table.summaries()] == [4, 11 / 4, 8 / 3]
    with pytest.raises(ValueError, match="no data set has the scores of all"):
        ScoreTable([[1, None], [None, 1]], datasets=["a", "b"]).complete()


def test_completing_errors_keeps_their_sign():
    table = ScoreTable([[1, 2], [3, None]], datasets=["a", "b"], higher_is_better=False)
    complete = table.complete()
    assert complete.scores.tolist() == [[-1, -2]]
    assert not complete.higher_is_better
    whole = ScoreTable([[1, 2]], datasets=["a"])
    assert whole.complete() is whole


@st.composite
def counts(draw):
    n, k = draw(st.integers(1, 6)), draw(st.integers(2, 6))
    row = st.lists(st.integers(0, 40), min_size=k, max_size=k)
    return np.array(draw(st.lists(row, min_size=n, max_size=n)))


@settings(max_examples=200, deadline=None)
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


def test_repr_is_short():
    assert (
        repr(ScoreTable([[1, 2]], datasets=["a"])) == "<ScoreTable of 2 systems on 1 data sets>"
    )


def test_data_sets_have_scales_of_their_own():
    # Squared errors of two targets: what is noise on one is a difference on the other.
    table = ScoreTable([[1e6, 1e6 + 1e-5], [1e-4, 2e-4]], datasets=["a", "b"])
    assert table.ranks.tolist() == [[1.5, 1.5], [2, 1]]
