"""Parts of the variance of a difference, against loops and simulated items."""

import math

import numpy as np
import pytest

from skstat.stats._anova import variance_shares


def moments(samples):
    """Means, variances and counts of samples of shape (n_items, n_systems, n_samples)."""
    counts = np.full(samples.shape[:2], samples.shape[2])
    return samples.mean(axis=2), samples.var(axis=2, ddof=1), counts


def simulated(rng, *, sd, n_groups, size, k, n_systems=2):
    """Groups, items and samples of independent systems, with standard deviations `sd`."""
    of_groups, of_items, of_samples = sd
    n = n_groups * size
    groups = np.repeat(np.arange(n_groups), size)
    x = of_groups * rng.normal(size=(n_groups, n_systems))[groups]
    x = x + of_items * rng.normal(size=(n, n_systems))
    return x[:, :, None] + of_samples * rng.normal(size=(n, n_systems, k)), groups


def test_by_loops():
    rng = np.random.default_rng(0)
    sizes = [1, 4, 2, 5, 3]
    groups = np.repeat(np.arange(5), sizes)
    n = len(groups)
    samples = rng.normal(size=(n, 2, 3)) + rng.normal(size=(5, 2))[groups][:, :, None]
    d = [samples[i, 0].mean() - samples[i, 1].mean() for i in range(n)]
    grand = sum(d) / n
    of_samples = (
        sum(samples[i, 0].var(ddof=1) / 3 + samples[i, 1].var(ddof=1) / 3 for i in range(n)) / n
    )
    between = within = robust = 0.0
    for group, size in enumerate(sizes):
        own = [d[i] for i in range(n) if groups[i] == group]
        mean = sum(own) / size
        between += size * (mean - grand) ** 2
        within += sum((x - mean) ** 2 for x in own)
        robust += sum(x - grand for x in own) ** 2
    within /= n - 5
    n0 = (n - sum(size**2 for size in sizes) / n) / 4
    found = variance_shares(*moments(samples), groups)
    assert found["groups"] == pytest.approx(max(0, (between / 4 - within) / n0), rel=1e-10)
    assert found["samples"] == pytest.approx(of_samples, rel=1e-10)
    assert found["items"] == pytest.approx(max(0, within - of_samples), rel=1e-10)
    assert found["standard_error"] == pytest.approx(math.sqrt(5 / 4 * robust) / n, rel=1e-10)


def test_what_is_not_known_is_none():
    rng = np.random.default_rng(4)
    means = rng.normal(size=(12, 2))
    once = np.full((12, 2), np.nan), np.ones((12, 2), dtype=int)
    found = variance_shares(means, *once)
    assert found["items"] == pytest.approx(np.var(means[:, 0] - means[:, 1], ddof=1))
    assert set(found) == {"items", "standard_error"}
    assert variance_shares(means, *once, np.zeros(12, dtype=int)) is None
    alone = variance_shares(means, *once, np.arange(12))
    assert "groups" not in alone
    assert alone["standard_error"] == pytest.approx(found["standard_error"], rel=1e-12)
    # Samples that explain more than all there is leave nothing for the items.
    noisy = variance_shares(means, np.full((12, 2), 50.0), np.full((12, 2), 2))
    assert noisy["items"] == 0 and noisy["standard_error_with_any_number"] == 0
    # Twice the samples halve the variance at best.
    twice = noisy["standard_error_with_twice_the_samples"]
    assert twice == pytest.approx(noisy["standard_error"] / math.sqrt(2))
    # One item of a single sample has the variance of the others.
    counts, variances = np.full((12, 2), 2), np.full((12, 2), 0.5)
    counts[0], variances[0] = 1, np.nan
    assert variance_shares(means, variances, counts)["samples"] == pytest.approx(
        2 * (11 * 0.25 + 0.5) / 12
    )
