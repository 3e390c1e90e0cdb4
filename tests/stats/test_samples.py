"""Samples refuse what no procedure could answer, and forgive float noise."""

import json

import numpy as np
import pytest

from skstat.stats import DependenceWarning, PairedScores, Scores, paired_t
from skstat.stats._samples.restore import sample_from_dict
from tests.cases import in_one_test


def test_scores_are_copied_and_read_only():
    a = np.array([0.8, 0.7, 0.9])
    sample = PairedScores(a, [0.7, 0.7, 0.8], unit="seed")
    a[0] = 0.0
    assert sample.a.tolist() == [0.8, 0.7, 0.9]
    with pytest.raises(ValueError, match="read-only"):
        sample.a[0] = 0.0
    with pytest.raises(AttributeError):
        sample.unit = "instance"


def test_differences_are_computed_once_and_cannot_be_changed():
    sample = PairedScores([0.8, 0.7, 0.9], [0.7, 0.7, 0.8], unit="seed")
    assert sample.differences is sample.differences
    with pytest.raises(ValueError, match="read-only"):
        sample.differences[0] = 0.0


def test_only_arrays_that_nobody_can_write_to_are_shared():
    frozen = np.array([0.8, 0.7, 0.9])
    frozen.setflags(write=False)
    writable = np.array([0.8, 0.7, 0.9])
    view = writable[:]
    view.setflags(write=False)
    assert PairedScores(frozen, frozen, unit="seed").a is frozen
    for given in (writable, view):
        sample = PairedScores(given, given, unit="seed")
        writable[0] += 0.1
        assert sample.a[0] != given[0]


def test_booleans_and_integers_are_scores():
    sample = PairedScores([True, False, True], [0, 0, 1], unit="instance")
    assert sample.differences.tolist() == [1.0, 0.0, 0.0]


@in_one_test(
    "a, b, message",
    [
        ([0.8, 0.7], [0.7], "a has 2 scores and b has 1"),
        ([0.8, np.nan, np.nan], [0.7, 0.7, 0.7], r"a\[1\] is nan"),
        ([0.8, 0.7], [0.7, np.inf], r"b\[1\] is inf"),
        ([0.8, 0.7], [-np.inf, 0.7], r"b\[0\] is -inf"),
        ([[0.8, 0.7]], [[0.7, 0.7]], r"a must be one-dimensional and not empty, got shape \(1"),
        ([], [], "a must be one-dimensional and not empty"),
        (0.8, 0.7, "a must be one-dimensional"),
        (["high", "low"], [0.7, 0.7], "a must hold numbers"),
        ([0.8, None], [0.7, 0.7], r"a\[1\] is nan"),
        ([0.8, 0.7], [0.7, {}], "b must hold numbers"),
    ],
)
def test_bad_scores_are_refused(a, b, message):
    with pytest.raises(ValueError, match=message):
        PairedScores(a, b, unit="seed")


def test_the_message_for_one_system_names_its_scores():
    with pytest.raises(ValueError, match=r"values\[2\] is nan"):
        Scores([0.8, 0.7, np.nan], unit="seed")


@in_one_test(
    "units, message",
    [
        ({}, "unit is missing"),
        ({"unit": "fold"}, "unit='fold' is unknown"),
        ({"unit": "instance", "n_repeats": 2}, "describe splits, but unit='instance'"),
        ({"unit": "dataset", "n_train": 5, "n_test": 5}, "describe splits, but unit='dataset'"),
        ({"n_train": 90}, "go together"),
        ({"unit": "split", "n_test": 10}, "go together"),
        ({"n_train": [90, 90], "n_test": 10}, r"n_train has shape \(2,\).*6 splits"),
        ({"n_train": 90, "n_test": [[10] * 6]}, r"n_test has shape \(1, 6\)"),
        ({"n_train": 90, "n_test": 0}, "n_test must hold whole numbers of at least 1"),
        ({"n_train": 90.5, "n_test": 10}, "n_train must hold whole numbers"),
        ({"n_train": np.nan, "n_test": 10}, "n_train must hold whole numbers"),
        ({"n_repeats": 4}, "n_repeats=4 does not divide 6 scores"),
        ({"n_repeats": 6}, "K >= 2 folds"),
        ({"n_repeats": 0}, "n_repeats=0 does not divide"),
        ({"n_repeats": -3}, "n_repeats=-3 does not divide"),
        ({"n_repeats": 1.5}, "n_repeats=1.5 does not divide"),
    ],
)
def test_bad_units_are_refused(units, message):
    with pytest.raises(ValueError, match=message):
        PairedScores(np.arange(6), np.zeros(6), **units)
    with pytest.raises(ValueError, match=message):
        Scores(np.arange(6), **units)


def test_sizes_imply_splits():
    assert PairedScores([1, 2], [0, 0], n_train=6, n_test=3).unit == "split"
    assert Scores([1, 2], n_repeats=1).unit == "split"


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


def test_known_sizes_go_before_the_ratio_of_partitions():
    sample = PairedScores(np.arange(4), np.zeros(4), n_repeats=2, n_train=60, n_test=40)
    assert sample.test_train_ratio == pytest.approx(2 / 3)


def test_unknown_ratio_is_none():
    assert PairedScores([1, 2, 3], [0, 0, 0], unit="split").test_train_ratio is None


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


def test_a_constant_is_paired_with_every_score():
    sample = Scores([0.7, 0.8, 0.9], n_train=[6, 6, 7], n_test=[4, 4, 3], ordered=True)
    pairs = sample.against(0.5)
    assert pairs.b.tolist() == [0.5, 0.5, 0.5]
    state, paired_state = sample.to_dict(), pairs.to_dict()
    for name in ("unit", "n_train", "n_test", "n_repeats", "size_unit", "ordered"):
        assert state[name] == paired_state[name]


@pytest.mark.parametrize("constant", [np.nan, np.inf, -np.inf])
def test_a_constant_must_be_finite(constant):
    with pytest.raises(ValueError, match="must be a finite score"):
        Scores([0.7, 0.8], unit="seed").against(constant)


@pytest.mark.parametrize(
    "sample",
    [
        PairedScores([0.1 + 0.2, 1 / 3], [0.3, 0.7], unit="instance"),
        PairedScores(np.arange(4), np.zeros(4), n_repeats=np.int64(2)),
        PairedScores(
            [1, 2], [0, 0], n_train=np.array([6, 7]), n_test=[4, 3], size_unit="group"
        ),
        Scores([0.72, 0.64, 1 / 3], n_train=90, n_test=10, ordered=True),
    ],
    ids=["instances", "partitions", "groups", "one system"],
)
def test_round_trip_through_json(sample):
    state = json.loads(json.dumps(sample.to_dict(), allow_nan=False))
    restored = sample_from_dict(state)
    assert type(restored) is type(sample)
    assert restored.to_dict() == sample.to_dict()
    assert restored.test_train_ratio == sample.test_train_ratio
    assert restored.n_folds == sample.n_folds


def test_the_warning_points_to_the_caller():
    with pytest.warns(DependenceWarning, match="corrected_t") as caught:
        paired_t(PairedScores([1, 2, 4], [0, 0, 0], unit="split"))
    assert [warning.filename for warning in caught] == [__file__]


def test_masked_scores_and_unknown_size_units_are_refused():
    with pytest.raises(ValueError, match="a has masked scores"):
        PairedScores(np.ma.masked_array([1.0, 2.0], [False, True]), [1.0, 2.0], unit="seed")
    with pytest.raises(ValueError, match="size_unit='patient'"):
        PairedScores([1.0, 2.0], [1.0, 2.0], n_train=9, n_test=3, size_unit="patient")
