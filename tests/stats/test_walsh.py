"""Order statistics of Walsh averages against the list of all of them."""

import numpy as np
from scipy.special import ndtri

from skstat.stats import PairedScores, wilcoxon
from tests.cases import in_one_test


def cut_off(n, tail):
    """Number of averages below the lower limit: exact up to 200 units, normal beyond."""
    if n > 200:
        variance = n * (n + 1) * (2 * n + 1) / 24
        return int(np.floor(n * (n + 1) / 4 + ndtri(tail) * np.sqrt(variance) - 0.5))
    law = np.ones(1)
    for rank in range(1, n + 1):
        law = (np.append(law, np.zeros(rank)) + np.append(np.zeros(rank), law)) / 2
    return int(np.searchsorted(np.cumsum(law), tail, side="right")) - 1


@in_one_test("n", [9, 128, 129, 500, 1500])
@in_one_test(
    "draw",
    [
        lambda rng, n: rng.normal(0.05, 1, n),
        lambda rng, n: rng.standard_cauchy(n),
        lambda rng, n: np.append(rng.normal(0, 1, n - 1), 1e20),
        lambda rng, n: 10.0 ** rng.uniform(-50, 50, n) * rng.choice([-1, 1], n),
        lambda rng, n: rng.integers(-1, 2, n).astype(float),
        lambda rng, n: np.round(rng.normal(0.8, 0.05, n), 3) - 0.8,
        lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.normal(0, 1, n)),
        lambda rng, n: np.full(n, 0.3),
        lambda rng, n: 0.1 * rng.permutation(n),
        lambda rng, n: 1 + rng.permutation(n) * 2.0**-52,
    ],
)
def test_every_bit_is_that_of_the_sorted_list(draw, n):
    differences = draw(np.random.default_rng(n), n)
    outcome = wilcoxon(PairedScores(differences, np.zeros(n), unit="instance"))
    i, j = np.triu_indices(n)
    kept = outcome.law.differences  # without float noise
    averages = np.sort((kept[i] + kept[j]) / 2)
    last = len(averages) - 1
    assert outcome.estimate == (averages[last // 2] + averages[-(last // 2) - 1]) / 2
    for level in (0.5, 0.9, 0.95):
        cut = cut_off(n, (1 - level) / 2)
        low, high = averages[[cut, last - cut]]
        assert outcome.confidence_interval(level) == (low, high)


def test_a_limit_of_zero_is_zero():
    # 2000 instances, A right on 500 that B gets wrong, never the reverse: more than
    # half of the averages are 0, and so is the lower limit.
    a = np.arange(2000) < 500
    outcome = wilcoxon(PairedScores(a, np.zeros(2000), unit="instance"))
    assert outcome.estimate == 0
    assert outcome.confidence_interval().low == 0
