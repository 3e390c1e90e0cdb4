"""The laws of resampling plans, by exact enumeration and by chi-squared at a strict level."""

import math
from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import Predictions, paired_bootstrap, paired_permutation
from tests.cases import in_one_test

# Seeds are fixed, so that a test that passes always passes; a wrong law has p-values of
# next to nothing with this many draws.
LEVEL = 1e-4


def plan_of(n, **options):
    """The plan by which rows of a function are drawn."""
    return Predictions(np.zeros(n), {"a": np.zeros(n), "b": np.ones(n)}, error, **options).plan


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


REFUSED = {
    "groups of few": ({"groups": [1, 2, 3, 4, 5, 5]}, "groups has 5 different values"),
    "groups and strata": (
        {"groups": range(6), "strata": [0] * 6}, "groups cannot be combined with strata",
    ),
    "groups and order": ({"groups": range(6), "order": range(6)}, "cannot be combined"),
    "strata and order": (
        {"strata": [0] * 6, "order": range(6)}, "strata cannot be combined with order",
    ),
    "blocks without order": ({"block_length": 2}, "block_length needs order"),
    "long blocks": ({"order": range(6), "block_length": 4}, r"from 1 to half the rows \(3\)"),
    "no blocks": ({"order": range(6), "block_length": 0}, "block_length=0 must be"),
    "half blocks": ({"order": range(6), "block_length": 1.5}, "whole number"),
    "few groups": ({"groups": [0] * 5}, "groups has 5 rows but y_true has 6"),
    "missing group": ({"groups": [0, 1, 2, 3, 4, float("nan")]}, r"groups\[5\] is missing"),
}  # fmt: skip


@in_one_test("options, message", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_resampled(options, message):
    outputs = {"a": np.zeros(6), "b": np.ones(6)}
    with pytest.raises(ValueError, match=message):
        Predictions(np.zeros(6), outputs, error, **options)


@in_one_test(
    "y, outputs, kind, message",
    [
        ([1, 2], {"a": [1, 2], "b": [1]}, ValueError, r"predictions\['b'\] has 1 rows but"),
        ([1, 2], {}, ValueError, "name the outputs of a system"),
        ([], {"a": [], "b": []}, ValueError, "y_true is empty"),
        ("ab", {"a": "ab", "b": "ab"}, TypeError, "y_true must hold one entry per row"),
        ([1, 2], {"a": [1, np.nan], "b": [1, 2]}, ValueError, r"\['a'\]\[1\] is missing"),
        (
            [1, 2], {"a": np.zeros((2, 2)), "b": [1.0, 2.0]}, ValueError,
            "the predictions differ in shape .* cannot be swapped",
        ),
    ],
)  # fmt: skip
def test_predictions_that_do_not_fit(y, outputs, kind, message):
    with pytest.raises(kind, match=message):
        Predictions(y, outputs, error).kernel  # noqa: B018


@pytest.mark.parametrize("test", [paired_permutation, paired_bootstrap])
@pytest.mark.parametrize("names", ["a", "abc"])
def test_tests_are_of_two_systems(test, names):
    outputs = {name: np.arange(9.0) for name in names}
    with pytest.raises(ValueError, match=f"of two systems, got {len(names)}"):
        test(Predictions(np.arange(9.0), outputs, error))
