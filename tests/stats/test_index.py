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
