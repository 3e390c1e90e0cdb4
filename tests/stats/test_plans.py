"""The laws of resampling plans, by exact enumeration and by chi-squared at a strict level."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats

from skstat.stats import PairedPredictions, Predictions
from skstat.stats._resampling.plans import CellPlan, UnitPlan, equal_counts, stream
from tests.cases import in_one_test

# Seeds are fixed, so that a test that passes always passes; a wrong law has p-values of
# next to nothing with this many draws.
LEVEL = 1e-4


def generator(seed=0):
    return stream(np.random.SeedSequence(seed))


def fits(observed, probabilities, level=LEVEL):
    """Whether counts follow a law, by chi-squared; rare values are put together."""
    observed, expected = np.asarray(observed, float), np.asarray(probabilities, float)
    expected = expected / expected.sum() * observed.sum()
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] == 0:
        assert observed[-1] == 0
        observed, expected = observed[:-1], expected[:-1]
    return stats.chisquare(observed, expected).pvalue > level


@pytest.mark.parametrize("n", [1, 2, 7, 100, 127, 128, 129, 2048, 2049, 20_000])
def test_bootstrap_counts_are_binomial(n):
    size = max(200, 400_000 // n)
    counts = equal_counts(generator(n), size, n)
    assert counts.shape == (size, n)
    assert counts.dtype == np.uint8
    assert (counts.sum(axis=1, dtype=int) == n).all()
    if n == 1:
        return
    # Every unit, and every tenth of them by itself.
    law = stats.binom(n, 1 / n).pmf(np.arange(12))
    assert fits(np.bincount(counts.ravel(), minlength=12)[:12], law)
    for part in np.array_split(counts, min(n, 10), axis=1):
        assert fits(np.bincount(part.ravel(), minlength=12)[:12], law)


@pytest.mark.long
@pytest.mark.parametrize("n", [127, 128, 3001])
def test_moments_of_the_counts(n):
    counts = equal_counts(generator(1), 3000, n).astype(float)
    # Variance 1 - 1/n of a count, and covariance -1/n of two: seen in sums of halves.
    variance = counts.var(axis=0, ddof=1)
    error = math.sqrt(3 / 3000)  # of one variance; the kurtosis is that of Poisson
    assert variance.mean() == pytest.approx(1 - 1 / n, abs=5 * error / math.sqrt(n))
    assert np.abs(variance - 1).max() < 6.5 * error
    halves = counts[:, : n // 2].sum(axis=1)
    share = (n // 2) / n
    expected = n * share * (1 - share)
    assert halves.var(ddof=1) == pytest.approx(expected, rel=5 * math.sqrt(2 / 3000))
    assert halves.mean() == pytest.approx(n * share, abs=5 * math.sqrt(expected / 3000))
    neighbours = np.mean((counts[:, 1:] - 1) * (counts[:, :-1] - 1))
    assert neighbours == pytest.approx(-1 / n, abs=5 / math.sqrt(3000 * n))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_resamples_of_a_few_units(n):
    counts = equal_counts(generator(3), 40_000, n)
    law = Counter(
        tuple(np.bincount(draw, minlength=n).tolist()) for draw in product(range(n), repeat=n)
    )
    seen = Counter(map(tuple, counts.tolist()))
    assert set(seen) == set(law)
    assert fits([seen[key] for key in law], list(law.values()))


@pytest.mark.parametrize("sizes", [(1, 5, 30), (2500, 40)])
def test_strata_keep_their_sizes(sizes):
    strata = np.random.default_rng(5).permutation(np.repeat(np.arange(len(sizes)), sizes))
    weights = UnitPlan(len(strata), strata).weights(generator(5), 3000)
    for stratum, size in enumerate(sizes):
        drawn = weights[:, strata == stratum]
        assert (drawn.sum(axis=1, dtype=int) == size).all()
        if size > 1:
            law = stats.binom(size, 1 / size).pmf(np.arange(8))
            assert fits(np.bincount(drawn.ravel(), minlength=8)[:8], law)


def test_cells_have_the_law_of_their_rows():
    cells = np.array([0, 0, 0, 1, 1, 2])
    plan = CellPlan(np.bincount(cells))
    assert (plan.n_atoms, plan.n_units) == (3, 6)
    law = Counter(
        tuple(np.bincount(cells[list(draw)], minlength=3).tolist())
        for draw in product(range(6), repeat=6)
    )
    seen = Counter(map(tuple, plan.weights(generator(6), 40_000).tolist()))
    assert set(seen) <= set(law)
    assert fits([seen[key] for key in law], list(law.values()))
    swaps = plan.swaps(generator(6), 40_000)
    law = Counter(
        tuple(np.bincount(cells, bits, minlength=3).astype(int).tolist())
        for bits in product((0, 1), repeat=6)
    )
    seen = Counter(map(tuple, swaps.tolist()))
    assert set(seen) == set(law)
    assert fits([seen[key] for key in law], list(law.values()))


def test_cells_keep_the_sizes_of_strata():
    plan = CellPlan(np.array([3, 7, 5, 1]), np.array([0, 1, 0, 1]))
    weights = plan.weights(generator(7), 20_000)
    assert (weights[:, [0, 2]].sum(axis=1) == 8).all()
    assert (weights[:, [1, 3]].sum(axis=1) == 8).all()
    assert fits(np.bincount(weights[:, 0], minlength=9), stats.binom(8, 3 / 8).pmf(range(9)))
    assert fits(np.bincount(weights[:, 3], minlength=9), stats.binom(8, 1 / 8).pmf(range(9)))
    both = np.corrcoef(weights[:, 0], weights[:, 1])[0, 1]
    assert abs(both) < 4 / math.sqrt(20_000)


@pytest.mark.parametrize("n, length", [(4, 1), (4, 2), (5, 2), (6, 3), (7, 3), (3, 1), (5, 1)])
def test_moving_blocks_by_brute_force(n, length):
    n_blocks = math.ceil(n / length)
    law = Counter()
    for starts in product(range(n - length + 1), repeat=n_blocks):
        rows = [start + step for start in starts for step in range(length)][:n]
        law[tuple(np.bincount(rows, minlength=n).tolist())] += 1
    weights = UnitPlan(n, block_length=length).weights(generator(8), 40_000)
    assert (weights.sum(axis=1) == n).all()
    seen = Counter(map(tuple, weights.tolist()))
    assert set(seen) <= set(law)
    assert fits([seen[key] for key in law], list(law.values()))


@in_one_test("n", [1, 3, 8, 9, 64, 65, 1000])
def test_swaps_are_fair_and_independent_bits(n):
    swaps = UnitPlan(n).swaps(generator(n), 4000)
    assert swaps.shape == (4000, n)
    assert set(np.unique(swaps)) == {0, 1}
    ones = swaps.sum(axis=0, dtype=int)
    assert np.abs(ones - 2000).max() < 5 * math.sqrt(1000)
    assert fits([swaps.sum(dtype=int), swaps.size - swaps.sum(dtype=int)], [0.5, 0.5])
    if n >= 8:
        patterns = np.packbits(swaps[:, :8], axis=1).ravel()
        assert fits(np.bincount(patterns, minlength=256), np.ones(256))
        patterns = np.packbits(swaps[:, -8:], axis=1).ravel()
        assert fits(np.bincount(patterns, minlength=256), np.ones(256))
    together = (swaps[1:] ^ swaps[:-1]).mean()  # from one permutation to the next
    assert together == pytest.approx(0.5, abs=4 * 0.5 / math.sqrt(3999 * n))


# How rows become units.


def error(y, p):
    return -float(np.mean(np.abs(np.asarray(y, float) - np.asarray(p, float))))


def test_rows_in_time_order():
    y = np.array([3.0, 1.0, 2.0, 0.0, 5.0, 4.0])
    outputs = {"a": y + 0.5, "b": y - 1}
    when = [3, 1, 2, 0, 5, 4]
    predictions = PairedPredictions(y, outputs, error, order=when, sample_weight=y + 1)
    assert predictions.ordered
    np.testing.assert_array_equal(predictions.y_true, np.arange(6))
    np.testing.assert_array_equal(predictions.outputs["a"], np.arange(6) + 0.5)
    np.testing.assert_array_equal(predictions.sample_weight, np.arange(6) + 1)
    assert predictions.block_length == 2  # the cube root of 6, rounded up
    assert predictions.plan.block_length == 2
    again = Predictions(y, {**outputs, "c": y}, error, order=when).pair("b", "c")
    np.testing.assert_array_equal(again.outputs["c"], np.arange(6))  # sorted once only


REFUSED = {
    "groups of few": ({"groups": [1, 2, 3, 4, 5, 5]}, "groups has 5 different values"),
    "groups and strata": (
        {"groups": range(6), "strata": [0] * 6}, "groups cannot be combined with strata",
    ),
    "groups and order": ({"groups": range(6), "order": range(6)}, "cannot be combined"),
    "strata and order": (
        {"strata": [0] * 6, "order": range(6)}, "strata and order cannot be combined",
    ),
    "blocks without order": ({"block_length": 2}, "block_length needs order"),
    "long blocks": ({"order": range(6), "block_length": 4}, r"from 1 to half the rows \(3\)"),
    "no blocks": ({"order": range(6), "block_length": 0}, "block_length=0 must be"),
    "half blocks": ({"order": range(6), "block_length": 1.5}, "whole number"),
    "few groups": ({"groups": [0] * 5}, "groups has 5 rows but y_true has 6"),
    "missing group": ({"groups": [0, 1, 2, 3, 4, float("nan")]}, r"groups\[5\] is missing"),
    "negative weights": ({"sample_weight": [1, 1, 1, 1, 1, -1]}, "finite number >= 0"),
    "infinite weights": ({"sample_weight": [1, 1, 1, 1, 1, np.inf]}, "finite number >= 0"),
    "no weights": ({"sample_weight": [0] * 6}, "sample_weight is 0 on every row"),
    "words for weights": ({"sample_weight": ["x"] * 6}, "must hold numbers"),
}  # fmt: skip


@in_one_test("options, message", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_resampled(options, message):
    outputs = {"a": np.zeros(6), "b": np.ones(6)}
    with pytest.raises(ValueError, match=message):
        PairedPredictions(np.zeros(6), outputs, error, **options)


@in_one_test(
    "y, outputs, kind, message",
    [
        ([1, 2], {"a": [1, 2], "b": [1]}, ValueError, r"predictions\['b'\] has 1 rows but"),
        ([1, 2], {"a": [1, 2]}, ValueError, "holds two systems, got 1"),
        ([1, 2], {}, ValueError, "name the outputs of a system"),
        ([], {"a": [], "b": []}, ValueError, "y_true is empty"),
        ("ab", {"a": "ab", "b": "ab"}, TypeError, "y_true must hold one entry per row"),
        (3, {"a": 3, "b": 3}, TypeError, "y_true must hold one entry per row .* got int"),
        ([1, 2], {"a": [1, np.nan], "b": [1, 2]}, ValueError, r"\['a'\]\[1\] is missing"),
        (["x", np.nan], {"a": ["x", "y"], "b": ["x", "y"]}, ValueError, r"y_true\[1\] is"),
        (
            np.zeros((2, 2)),
            {"a": np.array([[0, 0], [0, np.nan]]), "b": np.zeros((2, 2))},
            ValueError,
            r"predictions\['a'\]\[1\] is missing",
        ),
        ([1, 2], {k: [1, 2] for k in "abc"}, ValueError, "holds two systems, got 3"),
        (
            [1, 2], {"a": np.zeros((2, 2)), "b": [1.0, 2.0]}, ValueError,
            "the predictions differ in shape .* cannot be swapped",
        ),
    ],
)  # fmt: skip
def test_predictions_that_do_not_fit(y, outputs, kind, message):
    with pytest.raises(kind, match=message):
        PairedPredictions(y, outputs, error).kernel  # noqa: B018
