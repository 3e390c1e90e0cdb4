"""One rule of alignment, for all doors."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat.stats import (
    BinaryScores,
    PairedScores,
    Predictions,
    SeedScores,
    holdout_estimate,
    intraclass_correlation,
)
from skstat.stats._read import aligned


def test_what_has_no_labels_is_left_alone():
    arguments = {"y_true": [1, 2], "a": np.array([3, 4]), "groups": None}
    assert aligned(arguments) == arguments


@given(st.permutations(list("abcde")), st.permutations(list("abcde")))
def test_mappings_are_matched_by_their_keys(first, second):
    truth = {key: ord(key) for key in first}
    other = {key: ord(key) for key in second}
    found = aligned({"y_true": truth, "a": other})
    assert found["y_true"] == found["a"] == [ord(key) for key in first]


def test_series_are_matched_by_their_index():
    pd = pytest.importorskip("pandas")
    truth = pd.Series([1, 2, 3], index=["x", "y", "z"])
    found = aligned({"y_true": truth, "a": truth[::-1], "frame": truth[::-1].to_frame()})
    assert found["y_true"] is truth
    assert found["a"].tolist() == found["frame"].iloc[:, 0].tolist() == [1, 2, 3]
    assert aligned({"y_true": truth, "a": {"z": 3, "x": 1, "y": 2}})["a"] == [1, 2, 3]


def test_rows_that_are_only_counted_are_labelled_from_0():
    pd = pytest.importorskip("pandas")
    counted = pd.Series([1, 2, 3])
    assert aligned({"y_true": counted, "a": counted[:2]})["a"].tolist() == [1, 2]
    permuted = pd.Series([3, 1, 2], index=[2, 0, 1])
    assert aligned({"y_true": counted, "a": permuted})["a"].tolist() == [1, 2, 3]
    assert aligned({"y_true": permuted, "a": counted})["a"].tolist() == [3, 1, 2]
    named = pd.Series([3, 1, 2], index=[17, 4, 9])
    with pytest.raises(ValueError, match=r"a has no row for 17, which y_true .*\.to_numpy\(\)"):
        aligned({"y_true": named, "a": counted})


def test_labels_that_repeat_are_matched_in_one_order_only():
    pd = pytest.importorskip("pandas")
    twice = pd.Series([1, 2, 3], index=["x", "x", "y"])
    assert aligned({"y_true": twice, "a": twice})["a"].tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match=r"'x' twice, and those of y_true and a differ"):
        aligned({"y_true": twice, "a": twice[::-1]})


def test_an_order_that_nobody_knows_is_refused():
    pd = pytest.importorskip("pandas")
    truth = pd.Series([1, 2], index=["x", "y"])
    assert aligned({"y_true": truth, "a": truth, "b": [1, 2]})["b"] == [1, 2]
    with pytest.raises(ValueError, match="a and y_true have .* another order, and b has none"):
        aligned({"y_true": truth, "a": truth[::-1], "b": [1, 2]})
    with pytest.raises(ValueError, match="y_true has none"):
        aligned({"y_true": [1, 2], "a": truth[::-1], "b": truth})


def test_keys_without_a_truth_to_match_them_are_refused():
    ids = {"x": 1, "y": 2}
    with pytest.raises(ValueError, match=r"a is a mapping.*y_true .*list\(x\.values\(\)\)"):
        aligned({"y_true": [1, 2], "a": ids, "b": ids})
    assert aligned({"y_true": ids, "a": ids, "b": [1, 2]})["a"] == [1, 2]


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
