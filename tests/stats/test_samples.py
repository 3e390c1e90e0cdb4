"""Samples: what they are made of, refuse, and keep in JSON."""

import itertools
import json
import re
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat import compare_scores, stats
from skstat.stats import (
    AgreementTable,
    BinaryScores,
    PairedScores,
    Predictions,
    Scores,
    ScoreTable,
    SeedScores,
    Successes,
    holdout_estimate,
    intraclass_correlation,
)
from tests.cases import refusals


def test_scores_are_copied_and_read_only():
    a = np.array([0.8, 0.7, 0.9])
    sample = PairedScores(a, [0.7, 0.7, 0.8], unit="seed")
    a[0] = 0.0
    assert sample.a.tolist() == [0.8, 0.7, 0.9]
    with pytest.raises(ValueError, match="read-only"):
        sample.a[0] = 0.0
    with pytest.raises(AttributeError):
        sample.unit = "instance"


test_bad_scores_are_refused = refusals([
    (([0.8, 0.7], [0.7]), "a has 2 scores, b 1"),
    (([0.8, np.nan, np.nan], [0.7, 0.7, 0.7]), r"a\[1\] is nan"),
    (([[0.8, 0.7]], [[0.7, 0.7]]), r"a must be one-dimensional and not empty, got shape \(1"),
    (([], []), "a must be one-dimensional and not empty"),
    ((0.8, 0.7), "a must be one-dimensional"),
    ((["high", "low"], [0.7, 0.7]), "a must hold numbers"),
    (([0.8, None], [0.7, 0.7]), r"a\[1\] is nan"),
    ((np.ma.masked_array([1.0, 2.0], [False, True]), [1.0, 2.0]), "a has masked entries"),
], partial(PairedScores, unit="seed"))  # fmt: skip


UNITS = [
    ({}, "unit is missing"),
    ({"unit": "fold"}, "unit='fold' is unknown"),
    ({"unit": "instance", "n_repeats": 2}, "are of splits, not of instances"),
    ({"unit": "dataset", "n_train": 5, "n_test": 5}, "are of splits, not of datasets"),
    ({"n_train": 90}, "go together"),
    ({"unit": "split", "n_test": 10}, "go together"),
    ({"n_train": [90, 90], "n_test": 10}, r"n_train has shape \(2,\).*one per split"),
    ({"n_train": 90, "n_test": [[10] * 6]}, r"n_test has shape \(1, 6\)"),
    ({"n_train": 90, "n_test": 0}, "n_test must hold whole numbers of at least 1"),
    ({"n_train": 90.5, "n_test": 10}, "n_train must hold whole numbers"),
    ({"n_train": np.nan, "n_test": 10}, "n_train must hold whole numbers"),
    ({"n_train": 9, "n_test": 3, "size_unit": "patient"}, "size_unit='patient'"),
    ({"n_repeats": 4}, "n_repeats=4 does not divide 6 scores"),
    ({"n_repeats": 6}, "K >= 2 folds"),
]
test_bad_units_of_pairs = refusals(UNITS, partial(PairedScores, np.arange(6), np.zeros(6)))
test_bad_units_of_one_system = refusals(UNITS, partial(Scores, np.arange(6)))


def test_ratio_of_unequal_splits_is_the_ratio_of_the_sums():
    # 10 rows in 3 folds of 4, 3 and 3: (4 + 3 + 3) / (6 + 7 + 7); the mean of the
    # three ratios would be (4/6 + 3/7 + 3/7) / 3 = 0.508.
    sample = PairedScores([1, 2, 3], [0, 0, 0], n_train=[6, 7, 7], n_test=[4, 3, 3])
    assert sample.test_train_ratio == 0.5
    assert sample.training_size == pytest.approx(20 / 3)
    assert sample.n_folds is None


@pytest.mark.parametrize("n_repeats, ratio, folds", [(1, 1 / 11, 12), (3, 1 / 3, 4), (6, 1, 2)])
def test_ratio_of_partitions_needs_no_sizes(n_repeats, ratio, folds):
    sample = PairedScores(np.arange(12), np.zeros(12), n_repeats=n_repeats)
    assert sample.test_train_ratio == pytest.approx(ratio)
    assert sample.n_folds == folds
    assert sample.training_size is None


def test_float_noise_is_no_difference():
    sample = PairedScores([0.1 + 0.2, 0.7, 0.3], [0.3, 0.7, 0.2], unit="seed")
    assert 0.1 + 0.2 != 0.3
    assert sample.differences.tolist() == [0.0, 0.0, 0.3 - 0.2]


def test_noise_about_a_score_of_zero_is_no_difference():
    # A correlation of a constant prediction: 0 for A, 2.8e-17 for B.
    sample = PairedScores([0.0, 0.4, 0.5], [2.8e-17, 0.3, 0.6], unit="dataset")
    assert np.sign(sample.differences).tolist() == [0.0, 1.0, -1.0]


def test_a_small_difference_counts_beside_a_large_score():
    # Negative mean squared errors of house prices and of a standardised target.
    sample = PairedScores([-1.0e10, -0.10, -0.2], [-1.2e10, -0.15, -0.1], unit="dataset")
    assert sample.differences == pytest.approx([2e9, 0.05, -0.1], rel=1e-6)


def test_a_difference_above_the_noise_counts():
    sample = PairedScores([0.5 + 1e-9, 0.5 + 1e-12], [0.5, 0.5], unit="seed")
    assert np.sign(sample.differences).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "sample",
    [
        PairedScores([0.1 + 0.2, 1 / 3], [0.3, 0.7], unit="instance"),
        PairedScores(np.arange(4), np.zeros(4), n_repeats=np.int64(2)),
        PairedScores(
            [1, 2], [0, 0], n_train=np.array([6, 7]), n_test=[4, 3], size_unit="group"
        ),
        Scores([0.72, 0.64, 1 / 3], n_train=90, n_test=10, ordered=True),
        ScoreTable([[1, None], [3, 4]], datasets=["a", "b"]),
        ScoreTable([[1, 2], [3, 4]], datasets=["a", "b"], higher_is_better=False),
        ScoreTable([[1, 2], [3, 4]], unit="seed"),
        SeedScores({"a": np.eye(3), "b": np.ones((2, 3)) / 3}),
    ],
)
def test_round_trip_through_json(sample):
    state = json.loads(json.dumps(sample.to_dict(), allow_nan=False))
    restored = getattr(stats, state.pop("type"))(**state)
    assert restored.to_dict() == sample.to_dict()
    for name in ("test_train_ratio", "n_folds"):
        assert getattr(restored, name, None) == getattr(sample, name, None)


BITS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40)


@given(BITS)
def test_counts_of_scores(pairs):
    a, b = np.array(pairs, dtype=float).T
    table = AgreementTable.from_scores(PairedScores(a, b, unit="instance"))
    counts = [pairs.count(cell) for cell in [(1, 1), (1, 0), (0, 1), (0, 0)]]
    assert [table.both, table.only_a, table.only_b, table.neither] == counts
    assert table.n_units == len(pairs)
    assert table.only_a + table.only_b == np.sum(a != b)
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


rows_of = partial(Scores, unit="instance")
pairs_of = partial(PairedScores, unit="instance")
test_counts_that_make_no_sense = refusals([
    (lambda: AgreementTable(0, 0, 0, 0), "the table is empty"),
    (lambda: AgreementTable(1, 2, -3, 4), "only_b=-3 must be a whole number of at least 0"),
    (lambda: Successes(5, 4), "successes=5 of n=4"),
    (lambda: Successes(0, 0), "n is too small"),
    (lambda: AgreementTable.from_scores(pairs_of([1, 0, 1], [1, 0.5, 1])),
     r"b\[1\] is 0.5, not 1"),
    (lambda: Successes.from_scores(rows_of([-1, 0])), r"values\[0\] is -1"),
])  # fmt: skip


@pytest.mark.parametrize("unit", ["split", "group", "seed", "dataset"])
def test_other_units_are_no_instances(unit):
    pairs, scores = PairedScores([1, 0], [0, 0], unit=unit), Scores([1, 0], unit=unit)
    for kind, sample in ((AgreementTable, pairs), (Successes, scores)):
        with pytest.raises(ValueError, match=f"counts instances, but unit='{unit}'"):
            kind.from_scores(sample)


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


seeds = partial(ScoreTable, unit="seed")
test_tables_that_make_no_sense = refusals([
    (lambda: ScoreTable(np.ones((3, 2))), "unit is missing"),
    (lambda: seeds(np.ones((3, 1))), "two columns or more"),
    (lambda: seeds(np.ones(3)), r"scores have shape \(3,\)"),
    (lambda: seeds({}), "two columns or more"),
    (lambda: seeds({"a": [1, 2], "b": [1]}), "unequal numbers"),
    (lambda: seeds({"a": [1], "b": [1]}, systems=["a", "b"]), "leave systems out"),
    (lambda: seeds(np.ones((3, 2)), systems=["a"]), "holds 1 names for 2"),
    (lambda: seeds(np.ones((3, 2)), systems="aa"), "twice; rename"),
])  # fmt: skip


rng = np.random.default_rng(0)
A, B = rng.normal(size=(2, 24)) + np.array([[0.9], [0.2]])
FOLDS = np.array([rng.permutation(12) % 2 for _ in range(4)])
GROUPS = np.repeat(range(8), 3)
# Everything that scores are handed to, of scores in some unit.
TAKING = {
    "PairedScores": lambda a, b: PairedScores(a, b, unit="seed").summaries(),
    "Scores": lambda a, b: stats.paired_t(Scores(a, unit="seed").against(0.0)),
    "ScoreTable": lambda a, b: stats.friedman(
        ScoreTable({"a": a, "b": b, "c": a + b}, unit="instance")
    ),
    "PairedScores of groups": lambda a, b: stats.clustered_t(PairedScores(a, b, groups=GROUPS)),
    "ScoreTable of groups": lambda a, b: ScoreTable(
        {"a": a, "b": b}, groups=GROUPS
    ).summaries(),
    "SeedScores": lambda a, b: stats.crossed_t(
        SeedScores({"a": a, "b": b[:7]}), random="seeds"
    ),
    "SeedScores of instances": lambda a, b: stats.crossed_t(
        SeedScores({"a": a.reshape(3, 8), "b": b.reshape(3, 8)})
    ),
    "PairedScores of rows": lambda a, b: stats.projection_t(
        PairedScores.from_row_scores([a[:12]] * 4, [b[:12]] * 4, FOLDS)
    ),
    "holdout_estimate": lambda a, b: stats.holdout_estimate(a),
    "cross_validation_estimate": lambda a, b: stats.cross_validation_estimate(a, GROUPS % 4),
    "t_estimate": lambda a, b: stats.t_estimate(Scores(a[:12], n_blocks=4)),
    "intraclass_correlation": lambda a, b: stats.intraclass_correlation(a, GROUPS),
    "compare_scores": lambda a, b: compare_scores(
        {"a": a, "b": b, "c": a + b}, unit="dataset", random_state=0
    ),
}
every_taking = pytest.mark.parametrize("take", TAKING.values(), ids=TAKING)


@every_taking
def test_scores_too_large_to_compute_with_are_refused_by_name(take):
    said = r"^(scores|values): \S+ is beyond 1e\+60; use another unit\.$"
    with pytest.raises(ValueError, match=said):
        take(1e150 * A, 1e150 * B)
    take(1e50 * A, 1e50 * B)


@every_taking
def test_scores_all_too_small_count_as_0_and_it_is_said(take):
    with pytest.warns(UserWarning, match=re.escape("1e-60 in size, so that all count as 0")):
        take(1e-150 * A, 1e-150 * B)
    take(1e-50 * A, 1e-50 * B)


def test_small_scores_beside_larger_ones_stay_what_they_are():
    scores = np.array([1.0, 2e-150, 1e-150, -3e-300, 0.0])
    sample = PairedScores(scores, scores / 2, unit="instance")
    assert sample.a.tolist() == scores.tolist()


def test_missing_scores_stay_missing_and_no_zero_is_negative():
    scores = [[1e-150, -1e-150], [np.nan, 0.0]]
    with pytest.warns(UserWarning, match="count as 0"):
        table = stats.ScoreTable(scores, unit="dataset")
    assert table.missing.tolist() == [[False, False], [True, False]]
    assert not np.signbit(table.scores[~table.missing]).any() and not np.nansum(table.scores)


def read(a, b, **groups):
    """Both scores of every unit, as a sample has them in its own order."""
    sample = PairedScores(a, b, unit="instance") if not groups else PairedScores(a, b, **groups)
    return sample.a.tolist(), sample.b.tolist()


@given(st.permutations(list("abcde")), st.permutations(list("abcde")))
def test_mappings_are_matched_by_their_keys(first, second):
    found = read({key: ord(key) for key in first}, {key: ord(key) for key in second})
    assert found == ([ord(key) for key in first],) * 2


def test_series_are_matched_by_their_index():
    pd = pytest.importorskip("pandas")
    truth = pd.Series([1, 2, 3], index=["x", "y", "z"])
    for other in (truth[::-1], {"z": 3, "x": 1, "y": 2}):
        assert read(truth, other) == ([1, 2, 3], [1, 2, 3])
    # Rows that are only counted are labelled from 0.
    counted, permuted = pd.Series([1, 2, 3]), pd.Series([3, 1, 2], index=[2, 0, 1])
    assert read(counted, permuted) == ([1, 2, 3], [1, 2, 3])
    assert read(permuted, counted) == ([3, 1, 2], [3, 1, 2])
    twice = pd.Series([1, 2, 3], index=["x", "x", "y"])
    assert read(twice, twice) == ([1, 2, 3], [1, 2, 3])
    with pytest.raises(ValueError, match=r"b has no score for 17, which a .*\.to_numpy\(\)"):
        read(pd.Series([3, 1, 2], index=[17, 4, 9]), counted)
    with pytest.raises(ValueError, match=r"'x' twice, and those of a and b differ"):
        read(twice, twice[::-1])


def test_an_order_that_nobody_knows_is_refused():
    pd = pytest.importorskip("pandas")
    truth, ids = pd.Series([1, 2], index=["x", "y"]), {"x": 1, "y": 2}
    assert read(truth, truth, groups=[1, 2]) == read(ids, [1, 2]) == ([1, 2], [1, 2])
    with pytest.raises(ValueError, match="b and a have .* another order, and groups has none"):
        read(truth, truth[::-1], groups=[1, 2])
    with pytest.raises(ValueError, match=r"b is a mapping.*and a .*list\(x\.values\(\)\)"):
        read([1, 2], ids)


def test_samples_by_hand_match_their_rows():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    index = [f"id {i}" for i in range(30)]
    a = pd.Series(rng.normal(size=30), index=index)
    b = pd.Series(rng.normal(size=30), index=index)
    y = pd.Series(np.arange(30) % 2, index=index)
    groups = pd.Series(np.arange(30) // 3, index=index)
    other = rng.permutation(30)

    def mean(y_true, y_pred):
        return float(np.mean(y_true * y_pred))

    def numbers(b, y, groups):
        clustered = PairedScores(a, b, groups=groups)
        binary = BinaryScores.from_scores(y, {"a": a, "b": b}, groups=groups)
        crossed = SeedScores({"a": pd.DataFrame([a, a + b]), "b": pd.DataFrame([b, b - 1])})
        return (
            PairedScores(a, b, unit="instance").differences.std(),
            clustered.per_group().differences.std(),
            intraclass_correlation(clustered.differences, clustered.groups),
            binary.difference_variances[0][1],
            Predictions(y, {"a": a, "b": b}, mean, groups=groups).scores,
            crossed.differences.std(),
            holdout_estimate(b, groups=groups).standard_error,
            intraclass_correlation(b, groups),
        )

    expected = numbers(b, y, groups)
    for which in itertools.product([False, True], repeat=3):
        moved = [
            x.iloc[other] if move else x for move, x in zip(which, (b, y, groups), strict=True)
        ]
        for found, wanted in zip(numbers(*moved), expected, strict=True):
            assert found == pytest.approx(wanted)
