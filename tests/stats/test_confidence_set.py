"""The model confidence set against Student's t, the package arch and brute force."""

import itertools
import math

import numpy as np
import pytest

from skstat.stats import model_confidence_set
from tests.stats.test_best import normal_scores, table

STATISTICS = ["max", "range"]


def by_definition(means, errors, statistic):
    """The algorithm of Hansen, Lunde & Nason on losses, term by term."""
    losses, errors = -np.asarray(means), -errors
    left, largest, pvalues, order = list(range(len(losses))), 0.0, {}, []
    while len(left) > 1:
        t, drawn = {}, {}
        for i in left:
            rivals = [[i, j] for j in left if j != i] if statistic == "range" else [left]
            for these in rivals:
                behind = losses[i] - np.mean(losses[these])
                error = errors[:, i] - errors[:, these].mean(axis=1)
                scale = math.sqrt(np.mean(error**2))
                t[i] = max(t.get(i, -math.inf), behind / scale)
                drawn[i, *these] = error / scale
        worst = max(left, key=t.get)
        maxima = np.max(list(drawn.values()), axis=0)
        largest = max(largest, float(np.mean(maxima >= t[worst] - 1e-9)))
        pvalues[worst] = largest
        left.remove(worst)
        order.append(worst)
    pvalues[left[0]] = 1.0
    return [*order, left[0]], np.array([pvalues[i] for i in range(len(losses))])


@pytest.mark.parametrize("statistic", STATISTICS)
def test_bootstrap_by_listing_all_resamples(statistic):
    x = np.array(
        [[3.0, 1.0, 2.5, 2.2], [2.0, 2.5, 1.0, 2.1], [4.0, 1.5, 3.0, 2.6], [3.5, 3.0, 3.6, 1.8]]
    )
    x = np.vstack([x, [2.5, 2.4, 3.1, 2.0]])
    rows = np.array(list(itertools.product(range(5), repeat=5)))
    means = x.mean(axis=0)
    order, expected = by_definition(means, x[rows].mean(axis=1) - means, statistic)
    outcome = model_confidence_set(
        table(x), statistic=statistic, method="bootstrap", n_resamples=40_000, rng=0
    )
    assert outcome.elimination == tuple(f"system {i + 1}" for i in order)
    # Five units that agree show no less than 1/16.
    assert outcome.pvalues == pytest.approx(np.maximum(expected, 1 / 16), abs=0.01)
    assert np.sum(expected > 1 / 16) >= 3


@pytest.mark.parametrize(
    "statistic, expected",
    [
        # arch 8.0, MCS(losses, 0.05, reps=20_000, block_size=1, bootstrap="MBB", method=
        # "max" or "R"), mean of seeds 0 to 7.
        ("max", [1.0, 0.3139, 0.0455, 0.0185, 0.0026, 0.0006]),
        ("range", [1.0, 0.3139, 0.0443, 0.0044, 0.0002, 0.0000]),
    ],
)
def test_the_package_arch(statistic, expected):
    i = np.arange(40)
    losses = [np.sin((j + 2) * 1.7 * i + j) + 0.17 * j for j in range(6)]
    losses = np.column_stack(losses) + 0.3 * np.cos(0.9 * i)[:, None]
    outcome = model_confidence_set(
        table(losses, unit="instance", higher_is_better=False),
        statistic=statistic,
        method="bootstrap",
        n_resamples=40_000,
        rng=0,
    )
    assert outcome.elimination == tuple(f"system {j}" for j in (6, 5, 4, 3, 2, 1))
    error = np.sqrt(np.array(expected) * (1 - np.array(expected)) * (1 / 40_000 + 1 / 160_000))
    assert np.all(np.abs(outcome.pvalues - expected) <= 4 * error + 2e-4)
    assert outcome.may_be_best(0.05) == ("system 1", "system 2")


def test_refusals():
    x = normal_scores(0)
    with pytest.raises(ValueError, match="statistic='T' is unknown; use 'max' or 'range'"):
        model_confidence_set(table(x), statistic="T")
    with pytest.raises(ValueError, match="alpha=2 must lie between 0 and 1"):
        model_confidence_set(table(x), n_resamples=9).may_be_best(2)
