"""The table of systems on instances that come in groups."""

import numpy as np
import pytest

from skstat.stats import ScoreTable, largest_t
from tests.cases import in_one_test

rng = np.random.default_rng(5)
SIZES = np.array([1, 4, 2, 7, 3, 3, 5, 2])
GROUPS = np.repeat(np.arange(8), SIZES)
SCORES = rng.normal(size=(len(GROUPS), 3)) + rng.normal(size=8)[GROUPS, None]
TABLE = ScoreTable(SCORES, systems=["a", "b", "c"], groups=GROUPS)


def test_flips_of_groups_are_those_of_all_patterns():
    found = largest_t(TABLE, rng=0)  # 2^8 patterns
    sums = np.array([SCORES[group == GROUPS].sum(axis=0) for group in range(8)])
    n, sizes = len(GROUPS), SIZES.astype(float)

    def largest(signs):
        flipped = sums * signs[:, None]
        best = 0.0
        for a, b in ((0, 1), (0, 2), (1, 2)):
            d = flipped[:, a] - flipped[:, b]
            mean = d.sum() / n
            variance = 8 / 7 * np.sum((d - sizes * mean) ** 2) / n**2
            best = max(best, abs(mean) / np.sqrt(variance))
        return best

    observed = largest(np.ones(8))
    patterns = 1 - 2 * (np.arange(256)[:, None] >> np.arange(8) & 1)
    every = [largest(signs) for signs in patterns]
    assert found.statistic == pytest.approx(observed, rel=1e-9)
    assert found.pvalue == np.mean(np.array(every) >= observed * (1 - 1e-9))


@in_one_test(
    "options, said",
    [
        ({"groups": GROUPS, "unit": "instance"}, "unit='instance' does not fit"),
        ({"groups": GROUPS, "ordered": True}, "ordered=True does not fit"),
        ({"groups": GROUPS, "datasets": ["x"] * 27}, "name 'x' twice"),
        ({"groups": GROUPS[1:]}, "26 labels for 27 instances"),
        ({"groups": [None, *GROUPS[1:].tolist()]}, r"groups\[0\] is missing"),
    ],
)
def test_what_does_not_fit_is_refused(options, said):
    with pytest.raises(ValueError, match=said):
        ScoreTable(SCORES, **options)


def test_ranks_and_wins_are_those_of_the_groups_own_means():
    means = np.array([SCORES[group == GROUPS].mean(axis=0) for group in range(8)])
    expected = 1 + (means[:, :, None] < means[:, None, :]).sum(axis=2)
    np.testing.assert_array_equal(TABLE.ranks, expected)
    assert TABLE.wins()[0, 1] == (means[:, 0] > means[:, 1]).sum()
    # A small group in which the worse system is the better one: its score hides that.
    a, b = np.r_[np.ones(20), 0.0], np.r_[np.zeros(20), 1.0]
    table = ScoreTable({"a": a, "b": b}, groups=np.r_[np.arange(20) // 10, 9])
    assert table.wins().tolist() == [[0, 2], [1, 0]]
    assert table.ties().tolist() == [[3, 0], [0, 3]]
