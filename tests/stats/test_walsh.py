"""Order statistics of Walsh averages against the list of all of them."""

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat.stats import PairedScores, wilcoxon
from skstat.stats._paired import walsh_averages as _walsh
from skstat.stats._paired.walsh_averages import walsh_average, walsh_averages
from tests.cases import in_one_test


def listed(differences):
    return sorted((x + y) / 2 for x, y in combinations_with_replacement(differences, 2))


@pytest.fixture
def nothing_listed(monkeypatch):
    """Make every search narrow the averages down instead of listing them."""
    monkeypatch.setattr(_walsh, "LIST_UP_TO", 3)


def test_three_numbers():
    # 1, 2 and 6: averages 1, 1.5, 2, 3.5, 4, 6.
    d = np.array([6.0, 1.0, 2.0])
    assert [walsh_average(d, k) for k in range(6)] == [1, 1.5, 2, 3.5, 4, 6]
    assert walsh_average(d, 2.5) == 2.75


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=12))
def test_short_lists(differences):
    expected = listed(differences)
    assert [walsh_average(np.array(differences), k) for k in range(len(expected))] == expected


def test_of_several_pairs_at_once():
    differences = np.random.default_rng(0).integers(-9, 10, (5, 14)) / 3
    found = _walsh.ListedAverages(differences)
    for row, own in enumerate(differences):
        for rank in (0, 3, 51.5, 52, 104):
            assert found.at(row, rank) == walsh_average(own, rank)
    assert not found.can_list(np.full((2, 3), 1e308)) and not found.can_list(np.ones((1, 129)))


@pytest.mark.usefixtures("nothing_listed")
@pytest.mark.parametrize("seed", range(8))
def test_past_the_list_with_ties(seed):
    differences = np.random.default_rng(seed).integers(-4, 5, 15).astype(float)
    expected = listed(differences)
    assert [walsh_average(differences, k) for k in range(len(expected))] == expected


@pytest.mark.usefixtures("nothing_listed")
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e9])
def test_past_the_list_without_ties(scale):
    differences = scale * np.random.default_rng(0).normal(0.1, 1, 25)
    expected = listed(differences)
    found = [walsh_average(differences, k) for k in range(len(expected))]
    assert found == expected


@pytest.mark.usefixtures("nothing_listed")
def test_past_the_list_with_neighbours():
    # Twelve digits are shared; the averages lie 5e-14 apart.
    differences = 0.5 + 1e-13 * np.random.default_rng(0).permutation(15)
    expected = listed(differences)
    found = [walsh_average(differences, k) for k in range(len(expected))]
    assert found == expected


@pytest.mark.usefixtures("nothing_listed")
@pytest.mark.parametrize(
    "differences",
    [
        np.zeros(9),
        np.full(9, 0.3),
        np.array([0.0] * 6 + [1.0] * 3),
        np.array([-1.0] * 3 + [0.0] * 6),
        np.array([-1.0] * 4 + [0.0] * 4 + [1.0] * 4),
        np.array([0.1] * 5 + [np.nextafter(0.1, 1)] * 5),
    ],
    ids=["zeros", "constant", "no losses", "no wins", "zero-one loss", "neighbours"],
)
def test_past_the_list_with_few_values(differences):
    expected = listed(differences)
    found = [walsh_average(differences, k) for k in range(len(expected))]
    assert found == expected


@pytest.mark.usefixtures("nothing_listed")
def test_half_ranks_past_the_list():
    differences = np.random.default_rng(1).integers(-9, 10, 12).astype(float)
    expected = np.array(listed(differences))
    found = [walsh_average(differences, k + 0.5) for k in range(len(expected) - 1)]
    assert found == ((expected[1:] + expected[:-1]) / 2).tolist()


def wide(rng, n):
    return 10.0 ** rng.uniform(-300, 300, n) * rng.choice([-1, 1], n)


@in_one_test("n", [129, 500, 1500])
@in_one_test(
    "draw",
    [
        lambda rng, n: rng.normal(0.05, 1, n),
        lambda rng, n: rng.standard_cauchy(n),
        lambda rng, n: np.append(rng.normal(0, 1, n - 1), 1e20),
        wide,
        lambda rng, n: rng.integers(-1, 2, n).astype(float),
        lambda rng, n: np.round(rng.normal(0.8, 0.05, n), 3) - 0.8,
        lambda rng, n: np.where(rng.random(n) < 0.5, 0.0, rng.normal(0, 1, n)),
        lambda rng, n: np.full(n, 0.3),
        lambda rng, n: 0.1 * rng.permutation(n),
        lambda rng, n: 1 + rng.permutation(n) * 2.0**-52,
        lambda rng, n: rng.integers(-50 * n, 50 * n, n) * 5e-324,
    ],
    ids=[
        *("normal", "cauchy", "outlier", "600 decades", "zero-one loss", "three decimals"),
        *("half zero", "constant", "equal steps", "neighbours", "subnormal"),
    ],
)
def test_every_bit_is_that_of_the_sorted_list(draw, n):
    rng = np.random.default_rng(n)
    differences = draw(rng, n)
    i, j = np.triu_indices(n)
    expected = np.sort((differences[i] + differences[j]) / 2)
    last = len(expected) - 1
    ranks = [0, 1, last // 50, int(0.46 * last), last // 2, int(0.54 * last), last]
    ranks += rng.integers(0, last, 5).tolist()
    assert walsh_averages(differences, ranks) == expected[ranks].tolist()
    halves = [last // 2 + 0.5, last // 3 + 0.5]
    low, high = expected[[last // 2, last // 3]], expected[[last // 2 + 1, last // 3 + 1]]
    assert walsh_averages(differences, halves) == ((low + high) / 2).tolist()


@pytest.mark.parametrize("slack", [1e-9, 0.1])
def test_limits_that_miss_are_drawn_again(monkeypatch, slack):
    limits, missed = _walsh._limits, []

    def narrow(ordered, ranks, step, wide):
        missed.append(wide > 1)
        return limits(ordered, ranks, step, wide * slack if wide < 1e9 else wide)

    monkeypatch.setattr(_walsh, "_limits", narrow)
    differences = np.random.default_rng(0).normal(0, 1, 300)
    expected = listed(differences)
    ranks = list(range(0, len(expected), 5000))
    assert walsh_averages(differences, ranks) == [expected[k] for k in ranks]
    assert any(missed)


@pytest.mark.filterwarnings("ignore:overflow encountered")
@pytest.mark.parametrize("far", [1.7e308, np.inf])
def test_sums_that_overflow_come_to_an_end(far):
    differences = np.append(np.random.default_rng(0).normal(0, 1, 199), far)
    assert walsh_average(differences, 200 * 201 // 2 - 1) == np.inf


def test_a_limit_of_zero_is_zero():
    # 2000 instances, A right on 500 that B gets wrong, never the reverse: more than
    # half of the averages are 0, and so is the lower limit.
    a = np.arange(2000) < 500
    outcome = wilcoxon(PairedScores(a, np.zeros(2000), unit="instance"))
    assert outcome.estimate == 0
    assert outcome.confidence_interval().low == 0
