"""Counts of right answers, and tables of more than two systems."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat.stats import AgreementTable, PairedScores, Scores, ScoreTable, Successes
from tests.cases import in_one_test

BITS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


@given(BITS)
def test_counts_of_scores(pairs):
    a, b = np.array(pairs, dtype=float).T
    table = AgreementTable.from_scores(PairedScores(a, b, unit="instance"))
    counts = [pairs.count(cell) for cell in [(1, 1), (1, 0), (0, 1), (0, 0)]]
    assert [table.both, table.only_a, table.only_b, table.neither] == counts
    assert table == AgreementTable.from_array(np.reshape(counts, (2, 2)))
    assert table.n_units == len(pairs)
    assert table.n_discordant == np.sum(a != b)
    assert table.accuracies == pytest.approx((a.mean(), b.mean()))
    assert table.agreement == pytest.approx(np.mean(a == b))
    assert table.identical == np.array_equal(a, b)
    for summary, scores in zip(table.summaries(), (a, b), strict=True):
        assert summary == {"mean": pytest.approx(scores.mean()), "sd": None}


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_successes_of_scores(right):
    values = np.array(right, dtype=float)
    counts = Successes.from_scores(Scores(values, unit="instance"))
    assert (counts.successes, counts.n, counts.n_units) == (sum(right), len(right), len(right))
    assert counts.accuracy == pytest.approx(values.mean())
    (summary,) = counts.summaries()
    assert summary == {"mean": pytest.approx(values.mean()), "sd": None}


@pytest.mark.parametrize(
    "sample",
    [
        AgreementTable(54, 18, 6, 22),
        Successes(3, 10),
        ScoreTable([[1, 0], [0, 1], [1, 1]], systems=["a", "b"], unit="instance"),
        ScoreTable([[0.7, 0.6], [0.8, 0.9]], n_train=[20, 22], n_test=10),
    ],
)
def test_a_sample_is_rebuilt_from_json(sample):
    state = json.loads(json.dumps(sample.to_dict(), allow_nan=False))
    assert state.pop("type") == type(sample).__name__
    assert type(sample)(**state).to_dict() == sample.to_dict()


def test_counts_are_of_instances():
    for sample in (AgreementTable(1, 0, 0, 0), Successes(0, 1)):
        assert (sample.unit, sample.ordered, sample.n_repeats) == ("instance", False, None)


@in_one_test("bad", [-1, 0.5, math.nan, math.inf, "3", None])
def test_counts_are_whole_numbers(bad):
    with pytest.raises(ValueError, match="only_b=.* must be a whole number of at least 0"):
        AgreementTable(1, 2, bad, 4)
    with pytest.raises(ValueError, match="successes=.* must be a whole number"):
        Successes(bad, 4)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: AgreementTable(0, 0, 0, 0), "the table is empty"),
        (lambda: AgreementTable.from_array([1, 2, 3, 4]), r"shape \(2, 2\), got \(4,\)"),
        (lambda: Successes(5, 4), "successes=5 of n=4"),
        (lambda: Successes(0, 0), "n must be at least 1"),
    ],
)
def test_counts_that_make_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_scores_other_than_right_and_wrong_are_named():
    with pytest.raises(ValueError, match=r"b\[1\] is 0.5, but every score must be 1"):
        AgreementTable.from_scores(PairedScores([1, 0, 1], [1, 0.5, 1], unit="instance"))
    with pytest.raises(ValueError, match=r"values\[0\] is -1"):
        Successes.from_scores(Scores([-1, 0], unit="instance"))


@pytest.mark.parametrize("unit", ["split", "group", "seed", "dataset"])
def test_other_units_are_no_instances(unit):
    with pytest.raises(ValueError, match=f"counts instances, but unit='{unit}'"):
        AgreementTable.from_scores(PairedScores([1, 0], [0, 0], unit=unit))
    with pytest.raises(ValueError, match=f"counts instances, but unit='{unit}'"):
        Successes.from_scores(Scores([1, 0], unit=unit))


def test_score_table_by_name_and_by_column():
    scores = np.array([[0.5, 0.25, 0.75], [1.0, 0.5, 0.0]])
    by_column = ScoreTable(scores, unit="dataset")
    by_name = ScoreTable({"x": [0.5, 1], "y": [0.25, 0.5], "z": [0.75, 0]}, unit="dataset")
    assert by_column.names == ("system 1", "system 2", "system 3")
    assert by_name.names == ("x", "y", "z")
    for table in (by_column, by_name):
        assert (table.n_units, table.n_systems, table.unit) == (2, 3, "dataset")
        np.testing.assert_array_equal(table.scores, scores)
        for j, summary in enumerate(table.summaries()):
            column = scores[:, j]
            assert summary == pytest.approx({"mean": column.mean(), "sd": column.std(ddof=1)})
    np.testing.assert_array_equal(by_name.scores_of("z"), [0.75, 0])


def test_a_pair_keeps_its_units():
    table = ScoreTable(np.arange(12.0).reshape(4, 3), systems="abc", n_repeats=2)
    pair = table.pair("c", "a")
    assert isinstance(pair, PairedScores)
    np.testing.assert_array_equal(pair.a, [2, 5, 8, 11])
    np.testing.assert_array_equal(pair.b, [0, 3, 6, 9])
    assert (pair.unit, pair.n_repeats, pair.n_folds) == ("split", 2, 2)
    ordered = ScoreTable(np.ones((3, 2)), unit="instance", ordered=True)
    assert ordered.pair("system 1", "system 2").ordered
    with pytest.raises(ValueError, match="'d' is unknown; the table has a, b, c"):
        table.pair("a", "d")


@in_one_test(
    "make, message",
    [
        (lambda: ScoreTable(np.ones((3, 2))), "unit is missing"),
        (lambda: ScoreTable(np.ones((3, 1)), unit="seed"), "at least two systems"),
        (lambda: ScoreTable(np.ones(3), unit="seed"), r"got shape \(3,\)"),
        (lambda: ScoreTable(np.ones((0, 2)), unit="seed"), r"got shape \(0, 2\)"),
        (lambda: ScoreTable({}, unit="seed"), "at least two systems"),
        (lambda: ScoreTable([["x", "y"]], unit="seed"), "scores must hold numbers"),
        (lambda: ScoreTable({"a": [1, 2], "b": [1]}, unit="seed"), "unequal numbers"),
        (
            lambda: ScoreTable({"a": [1], "b": [1]}, systems=["a", "b"], unit="seed"),
            "leave systems out",
        ),
        (
            lambda: ScoreTable(np.ones((3, 2)), systems=["a"], unit="seed"),
            "holds 1 names for 2",
        ),
        (lambda: ScoreTable(np.ones((3, 2)), systems="aa", unit="seed"), "twice; rename"),
        (
            lambda: ScoreTable({"a": [1, 1], "b": [1, math.nan]}, unit="seed"),
            "score of 'b' on unit 1 is nan",
        ),
        (
            lambda: ScoreTable(np.ma.masked_equal([[1, 2], [3, 4]], 3), unit="seed"),
            "masked",
        ),
    ],
)
def test_tables_that_make_no_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()
