"""Many units are drawn in blocks: against sums by hand, and against drawing every unit."""

from dataclasses import replace

import numpy as np
import pytest

from skstat.metrics import as_metric
from skstat.stats import Predictions, SumKernel, paired_bootstrap
from skstat.stats import _resampling as plans
from skstat.stats._kernels import bootstrap
from skstat.stats._resampling import UnitPlan, sums_of_blocks


@pytest.fixture
def blocks(monkeypatch):
    def set_to(many, n_blocks):
        monkeypatch.setattr(plans, "MANY_UNITS", many)
        monkeypatch.setattr(plans, "N_BLOCKS", n_blocks)

    return set_to


def ratio_kernel(n, **plan):
    rng = np.random.default_rng(0)
    common = np.column_stack([np.ones(n), rng.exponential(size=n)])
    own = tuple(rng.normal(1 + place, 1, (n, 1)) for place in range(2))
    return SumKernel(
        UnitPlan(n, **plan),
        common,
        own,
        lambda common, own: own[..., 0] / common[..., 1],
        is_mean=False,
        how="a ratio",
    )


def test_a_block_is_the_sum_of_units_far_apart(blocks):
    blocks(10, 4)
    terms = np.random.default_rng(1).normal(size=(14, 3))
    by_hand = [terms[block::4].sum(axis=0) for block in range(4)]
    np.testing.assert_allclose(sums_of_blocks(terms), by_hand, rtol=1e-13)


def test_blocks_have_the_scores_and_the_spread_of_units(blocks):
    kernel = ratio_kernel(6_000)
    by_unit = bootstrap(kernel, 2_000, 0).scores
    blocks(1_000, 997)
    in_blocks = replace(kernel)
    assert in_blocks.resampled.plan.n_units == 997
    np.testing.assert_allclose(in_blocks.resampled.scores, kernel.scores, rtol=1e-12)
    drawn = bootstrap(in_blocks, 2_000, 0).scores
    # A standard error of 2,000 replicates has a relative error of 1.6 %.
    np.testing.assert_allclose(drawn.std(axis=0), by_unit.std(axis=0), rtol=0.08)
    np.testing.assert_allclose(drawn.mean(axis=0), by_unit.mean(axis=0), rtol=0.002)


def test_many_units_are_not_copied_to_be_taken_together(blocks):
    # A report on five systems keeps ten pairs, each with a kernel of its own.
    kernel = ratio_kernel(400)
    blocks(100, 31)
    assert kernel.resampled.plan.n_units == 31
    rows = 400 * (kernel.common.shape[1] + 2)
    kept = [value for value in vars(kernel).values() if isinstance(value, np.ndarray)]
    assert not any(value.size >= rows for value in kept)


@pytest.mark.parametrize(
    "plan", [{"strata": np.arange(400) % 2}, {"block_length": 5}], ids=["strata", "order"]
)
def test_units_that_are_not_alike_are_drawn_one_by_one(blocks, plan):
    blocks(100, 31)
    kernel = ratio_kernel(400, **plan)
    assert kernel.resampled is kernel


def test_the_outcome_says_what_was_drawn(blocks):
    blocks(100, 31)
    rng = np.random.default_rng(2)
    truth = rng.normal(size=300)
    outputs = {"a": truth + rng.normal(size=300), "b": truth + rng.normal(size=300)}

    sample = Predictions(truth, outputs, as_metric("r2"))
    outcome = paired_bootstrap(sample, n_resamples=99, rng=0)
    assert "99 bootstrap resamples of 31 blocks of instances" in outcome.assumptions[1]
