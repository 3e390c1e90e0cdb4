"""Many units are drawn in blocks: against drawing every unit."""

import numpy as np
import pytest
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import Predictions, paired_bootstrap

N = 70_000
RNG = np.random.default_rng(0)
TRUTH = RNG.normal(size=N)
OUTPUTS = {"a": TRUTH + RNG.normal(size=N), "b": TRUTH + RNG.normal(size=N)}


def sample_of(**options):
    return Predictions(TRUTH, OUTPUTS, as_metric("neg_mean_squared_error"), **options)


def test_blocks_have_the_scores_and_the_spread_of_units():
    sample = sample_of()
    d = (TRUTH - OUTPUTS["b"]) ** 2 - (TRUTH - OUTPUTS["a"]) ** 2
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
