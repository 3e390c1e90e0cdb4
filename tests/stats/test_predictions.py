"""Test sets: how their rows are drawn, by enumeration and chi-squared, counted, refused."""

import math
from collections import Counter
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import Predictions, paired_bootstrap, paired_permutation
from tests.cases import refusals
from tests.predicted import fits


def plan_of(n, **options):
    """The plan by which rows of a function are drawn."""
    return Predictions(np.zeros(n), {"a": np.zeros(n), "b": np.ones(n)}, error, **options).plan


def test_cells_have_the_law_of_their_rows():
    cells = np.array([0, 0, 0, 1, 1, 2])
    outputs = {"a": 1 * (cells == 0), "b": 1 * (cells < 2)}  # three kinds of rows
    plan = Predictions(np.ones(6, dtype=int), outputs, as_metric("f1")).kernel.plan
    assert (plan.n_atoms, plan.n_units) == (3, 6)
    law = Counter(
        tuple(np.bincount(cells[list(draw)], minlength=3).tolist())
        for draw in product(range(6), repeat=6)
    )
    seen = Counter(map(tuple, plan.weights(np.random.default_rng(6), 40_000).tolist()))
    assert set(seen) <= set(law)
    assert fits([seen[key] for key in law], list(law.values()))
    swaps = plan.swaps(np.random.default_rng(6), 40_000)
    law = Counter(
        tuple(np.bincount(cells, bits, minlength=3).astype(int).tolist())
        for bits in product((0, 1), repeat=6)
    )
    seen = Counter(map(tuple, swaps.tolist()))
    assert set(seen) == set(law)
    assert fits([seen[key] for key in law], list(law.values()))


@pytest.mark.parametrize("n, length", [(4, 1), (4, 2), (5, 2), (6, 3), (7, 3), (3, 1), (5, 1)])
def test_moving_blocks_by_brute_force(n, length):
    n_blocks = math.ceil(n / length)
    law = Counter()
    for starts in product(range(n - length + 1), repeat=n_blocks):
        rows = [start + step for start in starts for step in range(length)][:n]
        law[tuple(np.bincount(rows, minlength=n).tolist())] += 1
    plan = plan_of(n, order=np.arange(n), block_length=length)
    weights = plan.weights(np.random.default_rng(8), 40_000)
    assert (weights.sum(axis=1) == n).all()
    seen = Counter(map(tuple, weights.tolist()))
    assert set(seen) <= set(law)
    assert fits([seen[key] for key in law], list(law.values()))


# How rows become units.


def error(y, p):
    return -float(np.mean(np.abs(np.asarray(y, float) - np.asarray(p, float))))


test_what_cannot_be_resampled = refusals([
    ({"groups": [1, 2, 3, 4, 5, 5]}, "groups has 5 different values"),
    ({"groups": range(6), "strata": [0] * 6}, "groups cannot be combined with strata"),
    ({"groups": range(6), "order": range(6)}, "cannot be combined"),
    ({"strata": [0] * 6, "order": range(6)}, "strata cannot be combined with order"),
    ({"block_length": 2}, "block_length needs order"),
    ({"order": range(6), "block_length": 4}, r"whole number from 1 to 3"),
    ({"order": range(6), "block_length": 0}, "block_length=0 must be"),
    ({"order": range(6), "block_length": 1.5}, "whole number"),
    ({"groups": [0] * 5}, "groups has 5 rows but y_true has 6"),
    ({"groups": [0, 1, 2, 3, 4, float("nan")]}, r"groups\[5\] is missing"),
], partial(Predictions, np.zeros(6), {"a": np.zeros(6), "b": np.ones(6)}, error))  # fmt: skip


def kernel_of(y, outputs):
    return Predictions(y, outputs, error).kernel


test_predictions_that_do_not_fit = refusals([
    (([1, 2], {"a": [1, 2], "b": [1]}), r"predictions\['b'\] has 1 rows but"),
    (([1, 2], {}), "name the outputs of a system"),
    (([], {"a": [], "b": []}), "y_true is empty"),
    (("ab", {"a": "ab", "b": "ab"}), "y_true must hold an entry per row"),
    (([1, 2], {"a": [1, np.nan], "b": [1, 2]}), r"\['a'\]\[1\] is missing"),
    (([1, 2], {"a": np.zeros((2, 2)), "b": [1.0, 2.0]}),
     "the predictions differ in shape .* cannot be swapped"),
], kernel_of, error=(ValueError, TypeError))  # fmt: skip


@pytest.mark.parametrize("test", [paired_permutation, paired_bootstrap])
@pytest.mark.parametrize("names", ["a", "abc"])
def test_tests_are_of_two_systems(test, names):
    outputs = {name: np.arange(9.0) for name in names}
    with pytest.raises(ValueError, match=f"two systems are needed, not {len(names)}"):
        test(Predictions(np.arange(9.0), outputs, error))


N = 70_000
RNG = np.random.default_rng(0)
TRUE_NUMBERS = RNG.normal(size=N)
NOISY = {"a": TRUE_NUMBERS + RNG.normal(size=N), "b": TRUE_NUMBERS + RNG.normal(size=N)}


def sample_of(**options):
    return Predictions(TRUE_NUMBERS, NOISY, as_metric("neg_mean_squared_error"), **options)


def test_blocks_have_the_scores_and_the_spread_of_units():
    sample = sample_of()
    d = (TRUE_NUMBERS - NOISY["b"]) ** 2 - (TRUE_NUMBERS - NOISY["a"]) ** 2
    resampled = sample.kernel.resampled
    assert resampled.plan.n_units < N / 3
    np.testing.assert_allclose(resampled.scores, sample.kernel.scores, rtol=1e-12)
    outcome = paired_bootstrap(sample, n_resamples=1_000, rng=0)
    # A standard error of 1,000 replicates has a relative error of 2.2 %.
    assert outcome.estimate == pytest.approx(d.mean())
    assert outcome.standard_error == pytest.approx(stats.sem(d), rel=0.1)
    assert np.mean(outcome.law.replicates) == pytest.approx(d.mean(), abs=0.15 * stats.sem(d))
    n_blocks = f"{resampled.plan.n_units:,}".replace(",", "")
    said = outcome.assumptions[1].replace(",", "")
    assert f"1000 bootstrap resamples of {n_blocks} blocks of instances" in said


@pytest.mark.parametrize(
    "plan", [{"strata": np.arange(N) % 2}, {"order": np.arange(N), "block_length": 5}]
)
def test_units_that_are_not_alike_are_drawn_one_by_one(plan):
    kernel = sample_of(**plan).kernel
    assert kernel.resampled is kernel


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
    counts = Predictions(Y, OUTPUTS, counts=np.ones(7, dtype=int))
    assert as_counter(counts) == EXPECTED
    assert list(as_counter(counts)) == sorted(EXPECTED)
    assert (counts.n_rows, len(counts.counts), counts.names) == (7, len(EXPECTED), ("a", "b"))


def test_many_columns_of_many_values_do_not_overflow():
    rng = np.random.default_rng(0)
    y, *outputs = rng.integers(0, 10**9, (9, 500))
    named = {str(i): output for i, output in enumerate(outputs)}
    twice = {k: np.tile(v, 2) for k, v in named.items()}
    counts = Predictions(np.tile(y, 2), twice, counts=np.ones(1000))
    assert as_counter(counts) == dict.fromkeys(zip(y, *outputs, strict=True), 2)


counted = partial(Predictions, [0, 1], {"a": [0, 1]})
test_what_cannot_be_counted_is_refused = refusals([
    (lambda: counted(counts=[1.5, 2]), "counts.0. is 1.5.*pass weights as sample_weight="),
    (lambda: counted(counts=[1, -2]), "counts.1. is -2"),
    (lambda: counted(counts=[0, 0]), "counts are 0 everywhere"),
    (lambda: counted(counts=[1, np.inf]), "counts.1. is inf"),
    (lambda: counted(counts=["x", "y"]), "one whole number"),
    (lambda: counted(counts=[1]), "counts has 1 rows"),
    (lambda: Predictions([0, None], {"a": [0, 1]}, counts=[1, 1]), "is missing"),
    (lambda: Predictions([0, 1], {"a": [[0.5, 0.5], [1, 0]]}, counts=[1, 1]),
     "one label or number each"),
    (lambda: Predictions([0, "1"], {"a": [0, 1]}, counts=[1, 1]), "have no order"),
    (lambda: Predictions([0, 1], [[0, 1]], counts=[1, 1]), "must map names"),
    (lambda: Predictions([0, 1], {}, counts=[1, 1]), "name the outputs of a system"),
], error=(ValueError, TypeError))  # fmt: skip


def test_kinds_of_no_row_are_left_out():
    assert counted(counts=[3, 0]).n_rows == 3


def test_polars_counts_where_rows_are():
    polars = pytest.importorskip("polars")
    table = polars.LazyFrame({"truth": Y, **OUTPUTS}).group_by("truth", "a", "b").len("count")
    found = table.collect()
    outputs = {name: found[name] for name in "ab"}
    assert as_counter(Predictions(found["truth"], outputs, counts=found["count"])) == EXPECTED
