"""The laws of resampling plans, by exact enumeration and by chi-squared at a strict level."""

import math
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pytest
from scipy import stats

from skstat.stats import PairedPredictions, Predictions
from skstat.stats._common.row_arrays import rows_by_group
from skstat.stats._resampling.kernels import SumKernel
from skstat.stats._resampling.plans import CellPlan, UnitPlan, equal_counts, fair_bits, stream
from skstat.stats._resampling.replicates import bootstrap, draw_seed, permutations
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


@pytest.mark.parametrize("n", [128, 4000])
def test_a_sum_over_many_units_has_the_law_of_draws(n):
    # The sum over a few units is binomial, which Poisson counts without their condition
    # would not be; units at both ends, where words of random bytes begin and end.
    counts = equal_counts(generator(2), 6000, n)
    for chosen in (slice(0, n // 2), slice(n // 4, n), slice(n - 3, n), slice(0, 5)):
        sums = counts[:, chosen].sum(axis=1, dtype=int)
        k = len(range(n)[chosen])
        law = stats.binom(n, k / n)
        edges = np.unique(law.ppf(np.linspace(0.1, 0.9, 9)))
        observed = np.bincount(np.searchsorted(edges, sums, side="left"), minlength=10)
        shares = np.diff(np.concatenate([[0], law.cdf(edges), [1]]))
        assert fits(observed[: len(shares)], shares)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_all_resamples_of_a_few_units(n):
    counts = equal_counts(generator(3), 40_000, n)
    law = Counter(
        tuple(np.bincount(draw, minlength=n).tolist()) for draw in product(range(n), repeat=n)
    )
    seen = Counter(map(tuple, counts.tolist()))
    assert set(seen) == set(law)
    assert fits([seen[key] for key in law], list(law.values()))


def test_many_and_few_units_have_one_law(monkeypatch):
    # The Poisson construction on few units, against the exact law.
    monkeypatch.setattr("skstat.stats._resampling.plans._FEW_UNITS", 1)
    n = 40
    counts = equal_counts(generator(4), 20_000, n)
    assert (counts.sum(axis=1, dtype=int) == n).all()
    assert fits(
        np.bincount(counts.ravel(), minlength=9)[:9], stats.binom(n, 1 / n).pmf(range(9))
    )
    pairs = np.minimum(counts[:, 0], 3) * 4 + np.minimum(counts[:, 1], 3)
    law = np.zeros((4, 4))
    for i, j in product(range(n + 1), repeat=2):
        if i + j <= n:
            p = stats.multinomial.pmf([i, j, n - i - j], n, [1 / n, 1 / n, 1 - 2 / n])
            law[min(i, 3), min(j, 3)] += p
    assert fits(np.bincount(pairs, minlength=16), law.ravel())


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


def test_bits_come_by_the_byte():
    bits = fair_bits(generator(9), 5, 17)
    assert bits.shape == (5, 3)
    assert bits.dtype == np.uint8
    many = fair_bits(generator(9), 5000, 17)
    assert fits(np.bincount(many[:, :2].ravel(), minlength=256), np.ones(256))


def test_blocks_depend_on_the_problem_only():
    assert UnitPlan(10).block_size == 4096
    assert UnitPlan(1 << 12).block_size == 1024
    assert UnitPlan(1 << 23).block_size == 1
    assert CellPlan(np.array([1 << 23, 5])).block_size == 4096
    assert UnitPlan(6).multiplicity.tolist() == [1] * 6
    assert UnitPlan(6).n_units == UnitPlan(6).n_atoms == 6


# How replicates are drawn.


def mean_kernel(a, b, plan=None):
    return SumKernel(
        plan=plan or UnitPlan(len(a)),
        common=np.ones((len(a), 1)),
        own=(np.asarray(a, float)[:, None], np.asarray(b, float)[:, None]),
        formula=lambda common, own: own[..., 0] / common[..., 0],
        is_mean=True,
        how="",
    )


def backwards(function, blocks):
    """Compute the last block first."""
    blocks = list(blocks)
    results = [function(block) for block in reversed(blocks)]
    return reversed(results)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr("skstat.stats._resampling.plans._LARGEST_BLOCK", 64)


@pytest.mark.parametrize("draw", [bootstrap, permutations])
@pytest.mark.parametrize("n", [30, 3000])
def test_how_blocks_are_computed_changes_nothing(draw, n, small_blocks):
    rng = np.random.default_rng(10)
    kernel = mean_kernel(rng.random(n), rng.random(n))

    def drawn(workers, seed=4, size=333):
        first = [kernel] if draw is bootstrap else kernel
        terms = {} if draw is bootstrap else {"terms": np.arange(2.0 * n).reshape(n, 2)}
        found = draw(first, size, seed, workers=workers, **terms)
        return found.scores[0], found.sums

    scores, sums = drawn(map)
    assert scores.shape == (333, 2)
    assert draw is bootstrap or sums.shape == (333, 2)
    with ThreadPoolExecutor(2) as pool:
        for workers in (map, backwards, pool.map):
            again, their_sums = drawn(workers)
            np.testing.assert_array_equal(again, scores)
            np.testing.assert_array_equal(their_sums, sums)
    other, _ = drawn(map, seed=5)
    assert not np.isin(other, scores).any()
    # Fewer resamples are the first of more, up to whole blocks.
    few, _ = drawn(map, size=128)
    np.testing.assert_array_equal(few, scores[:128])
    assert len({row.tobytes() for row in scores}) == 333  # blocks do not repeat each other


def test_metrics_of_one_plan_see_the_same_resamples():
    rng = np.random.default_rng(11)
    plan = UnitPlan(50)
    first, second = (mean_kernel(*rng.random((2, 50)), plan) for _ in range(2))
    both = bootstrap([first, second], 500, 0)
    assert len(both.scores) == 2
    np.testing.assert_array_equal(both.scores[0], bootstrap([first], 500, 0).scores[0])
    np.testing.assert_array_equal(both.scores[1], bootstrap([second], 500, 0).scores[0])


def test_sums_are_of_the_swaps():
    rng = np.random.default_rng(12)
    a, b = rng.random((2, 20))
    swapped = permutations(mean_kernel(a, b), 300, 1, terms=(b - a)[:, None])
    moved = swapped.scores[0][:, 0] * 20 - a.sum()
    np.testing.assert_allclose(swapped.sums[:, 0], moved, atol=1e-12)


def undefined_kernel(n, least):
    """Undefined on resamples of 0, 1, ..., n - 1 with a sum below the least."""
    kernel = mean_kernel(np.arange(n), np.arange(n))

    def formula(common, own):
        return np.where(own[..., 0] >= least, own[..., 0], np.nan)

    return SumKernel(kernel.plan, kernel.common, kernel.own, formula, False, "")


def test_undefined_resamples_are_drawn_anew_and_counted(small_blocks):
    # The sum of 0..199 over a resample falls below this bound about once in 500 times.
    bound = 200 * 99.5 - 2.9 * math.sqrt(200 * (200**2 - 1) / 12)
    kernel = undefined_kernel(200, bound)
    defined = bootstrap([undefined_kernel(200, 0)], 3000, 3)
    drawn = bootstrap([kernel], 3000, 3)
    scores = defined.scores[0][:, 0]
    bad = scores < bound
    assert 0 < drawn.n_redrawn == bad.sum() <= 30
    assert defined.n_redrawn == 0
    assert (drawn.scores[0] >= bound).all()
    # The others stay what they were.
    np.testing.assert_array_equal(drawn.scores[0][~bad, 0], scores[~bad])
    assert len(np.unique(drawn.scores[0][bad, 0])) == bad.sum()
    assert drawn.seed == 3
    again = bootstrap([kernel], 3000, 3, workers=backwards)
    np.testing.assert_array_equal(again.scores[0], drawn.scores[0])


def test_undefined_too_often_is_refused():
    kernel = undefined_kernel(200, 200 * 99.5 - 1.5 * math.sqrt(200 * (200**2 - 1) / 12))
    with pytest.raises(ValueError, match=r"undefined on \d+ of the first 2000 .*strata=y_true"):
        bootstrap([kernel], 2000, 0)
    never = undefined_kernel(200, math.inf)
    with pytest.raises(ValueError, match="undefined on 10 of the first 10 resamples"):
        bootstrap([never], 10, 0)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_one_undefined_resample_is_always_allowed(value):
    # One of 20 is more than 1 %, and bad luck.
    calls = []

    def formula(common, own):
        scores = own[..., 0].copy()
        if not calls:
            scores[7, 1] = value
        calls.append(len(scores))
        return scores

    kernel = mean_kernel(np.arange(9.0), np.arange(9.0) + 1)
    kernel = SumKernel(kernel.plan, kernel.common, kernel.own, formula, False, "")
    drawn = bootstrap([kernel], 20, 0)
    assert drawn.n_redrawn == 1
    assert np.isfinite(drawn.scores[0]).all()


def test_seeds():
    assert draw_seed(7) == draw_seed(7) == draw_seed(np.random.default_rng(7))
    assert draw_seed(7) != draw_seed(8)
    assert draw_seed(None) != draw_seed(None)
    assert 0 <= draw_seed(7) < 2**32
    rng = np.random.default_rng(7)
    assert draw_seed(rng) != draw_seed(rng)


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


@in_one_test("n, length", [(8, 2), (9, 3), (27, 3), (28, 4), (1000, 10), (1001, 11)])
def test_default_length_of_blocks(n, length):
    outputs = {"a": np.zeros(n), "b": np.ones(n)}
    assert PairedPredictions(np.zeros(n), outputs, error, order=range(n)).block_length == length


def test_groups_and_strata_are_numbered():
    y = np.arange(12.0)
    outputs = {"a": y, "b": y + 1}
    names = ["d", "b", "a", "c", "e", "f"] * 2
    predictions = Predictions(y, outputs, error, groups=names)
    assert predictions.groups.tolist() == [0, 1, 2, 3, 4, 5] * 2
    assert (predictions.unit, predictions.n_units, predictions.n_rows) == ("group", 6, 12)
    parts = rows_by_group(predictions.groups)
    assert [part.tolist() for part in parts] == [[k, k + 6] for k in range(6)]
    mixed = Predictions(y, outputs, error, strata=[1, "x"] * 6)
    assert mixed.strata.tolist() == [0, 1] * 6
    assert (mixed.unit, mixed.n_units) == ("instance", 12)


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
        ([1, 2], {"a": [1, 2]}, ValueError, "fewer than two systems"),
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


def test_times_that_are_missing():
    when = np.array(["2020-01-01", "NaT", "2020-01-03"], dtype="datetime64[D]")
    with pytest.raises(ValueError, match=r"order\[1\] is missing"):
        PairedPredictions([1, 2, 3], {"a": [1, 2, 3], "b": [1, 2, 4]}, error, order=when)
