"""Shares and tables of right and wrong: published numbers, counting, integrals, draws."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from scipy.special import beta, roots_jacobi

from skstat.stats import AgreementTable, Successes, binomial, mcnemar, proportion_interval
from tests.cases import in_one_test, refusals

ALTERNATIVES = ["two-sided", "less", "greater"]

sizes = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
constants = st.sampled_from([0.1, 0.25, 0.3, 0.5, 2 / 3, 0.9])


def pmf(n, k, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


@given(sizes, st.sampled_from([0.8, 0.95, 0.99]))
def test_clopper_pearson_limits_have_the_tails_they_should(counts, level):
    x, n = counts
    low, high = proportion_interval(x, n, level, method="clopper-pearson")
    if x > 0:
        assert sum(pmf(n, k, low) for k in range(x, n + 1)) == pytest.approx((1 - level) / 2)
    if x < n:
        assert sum(pmf(n, k, high) for k in range(x + 1)) == pytest.approx((1 - level) / 2)


@settings(max_examples=2 * settings.default.max_examples)
@given(sizes, constants)
def test_pvalue_by_adding_up(counts, constant):
    x, n = counts
    shares = [pmf(n, k, constant) for k in range(n + 1)]
    p = {
        alternative: binomial(Successes(x, n), constant, alternative=alternative).pvalue
        for alternative in ALTERNATIVES
    }
    assert p["greater"] == pytest.approx(min(1, sum(shares[x:])))
    assert p["less"] == pytest.approx(min(1, sum(shares[: x + 1])))
    assert p["two-sided"] == pytest.approx(
        min(1, 2 * sum(shares[x:]), 2 * sum(shares[: x + 1]))
    )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("constant", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("n", [1, 7, 20])
def test_every_count_agrees_with_its_critical_value(n, constant, alternative):
    for alpha in (0.05, 0.1, 0.6):
        for x in range(n + 1):
            outcome = binomial(Successes(x, n), constant, alternative=alternative)
            critical = outcome.critical_value(alpha)
            rejects = outcome.pvalue <= alpha
            assert outcome.smallest_pvalue <= outcome.pvalue
            if alternative == "less":
                assert (x <= critical) == rejects
            elif alternative == "greater" or x > constant * n + 1:  # the side above
                assert (x >= critical) == rejects


@settings(max_examples=2 * settings.default.max_examples)
@given(
    sizes,
    constants | st.floats(0.01, 0.99),
    st.sampled_from(ALTERNATIVES),
    st.sampled_from([0.5, 0.8, 0.95, 0.99]),
)
def test_the_interval_excludes_the_constant_exactly_when_the_test_rejects(
    counts, constant, alternative, level
):
    outcome = binomial(Successes(*counts), constant, alternative=alternative)
    assume(abs(outcome.pvalue - (1 - level)) > 1e-9)
    low, high = outcome.confidence_interval(level)
    assert (not low <= 0 <= high) == (outcome.pvalue < 1 - level)


test_the_constant_is_a_share = refusals([
    ((Successes(3, 10), 0), "constant=0.0 must lie between 0 and 1"),
    ((Successes(3, 10), 1), "constant=1.0 must lie between 0 and 1"),
    ((Successes(3, 10), -0.1), "constant=-0.1 must lie between 0 and 1"),
    ((Successes(3, 10), 72), "constant=72.0 must lie between 0 and 1"),
    ((Successes(3, 10), math.nan), "constant=nan must be a finite score"),
], binomial)  # fmt: skip


anytime = partial(proportion_interval, method="anytime")
counts = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@in_one_test("b, c, evidence", [
    (18, 6, 3.7134), (20, 5, 19.4853), (10, 0, 180.426), (5, 5, 0.24609), (30, 10, 23.444),
    (60, 30, 13.7119),
])  # fmt: skip
def test_a_fair_coin_is_left_out_when_the_evidence_of_a_betting_game_says_so(b, c, evidence):
    """E = 2^n B(b + 1/2, c + 1/2) / B(1/2, 1/2): the game against a share of one half."""
    n = b + c
    assert 2**n * beta(b + 0.5, c + 0.5) / math.pi == pytest.approx(evidence, rel=1e-4)
    for level in (1 - 0.99 / evidence, 1 - 1.01 / evidence):
        if 0 < level < 1:
            low, high = anytime(b, n, level)
            assert (low < 0.5 < high) == (1 / (1 - level) > evidence)


@given(counts, st.sampled_from([0.05, 0.3]), st.sampled_from([2.0, 10.0]))
@example((37, 38), 0.05, 10.0)
@example((8, 9), 0.05, 10.0)
def test_limits_are_where_the_mean_likelihood_is_twenty_times_the_one_there(
    given_counts, expected, weight
):
    x, n = given_counts
    a = weight * expected
    # The likelihood is a polynomial of degree n: so many points integrate it exactly.
    nodes, weights = roots_jacobi(n // 2 + 1, weight - a - 1, a - 1)
    points = (1 + nodes) / 2
    mixed = np.sum(weights * points**x * (1 - points) ** (n - x)) / np.sum(weights)
    low, high = anytime(x, n, expected=expected, weight=weight)
    assert (low == 0) == (x == 0) and (high == 1) == (x == n)
    for limit in (low, high):
        if 0 < limit < 1:
            # A limit has 16 digits, of which few are left of 1 - limit close to 1.
            rounding = n * np.finfo(float).eps / min(limit, 1 - limit)
            assert mixed / (limit**x * (1 - limit) ** (n - x)) == pytest.approx(
                20, rel=1e-6 + rounding
            )


@pytest.mark.parametrize("share", [0.05, 0.3])
def test_looking_after_every_instance_misses_the_share_in_one_of_twenty_at_most(share):
    rng = np.random.default_rng(0)
    found = rng.random((400, 200)) < share
    sums = found.cumsum(axis=1)
    limits = {}

    def misses(x, n):
        if (x, n) not in limits:
            limits[x, n] = anytime(x, n, expected=0.05, weight=10.0)
        low, high = limits[x, n]
        return not low <= share <= high

    missed = [any(misses(int(x), n) for n, x in enumerate(row, 1)) for row in sums]
    assert np.mean(missed) < 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)
    assert sum(missed) > 0
    usual = [
        any(
            not lo <= share <= hi
            for lo, hi in (proportion_interval(int(x), n) for n, x in looks)
        )
        for looks in ([*enumerate(row, 1)][9::10] for row in sums[:100])
    ]
    assert np.mean(usual) > 0.15


test_what_is_refused = refusals([
    (lambda: anytime(1, 2, expected=1), "expected=1 must be a share"),
    (lambda: anytime(1, 2, weight=0), "weight=0 must be a number of instances above 0"),
    (lambda: anytime(3, 2), "successes"),
])  # fmt: skip


METHODS = ["midp", "exact", "chi2", "edwards"]

# Complete response before and after consolidation therapy (Cavo et al., 2012), the
# example of Fagerland, Lydersen & Laake (2017), Statistical Analysis of Contingency
# Tables, chapter 8; numbers as in the tests of their R package contingencytables.
CAVO = AgreementTable(59, 6, 16, 80)
# Airway hyper-responsiveness before and after stem cell transplantation (Bentur et al.,
# 2009), the example of Fagerland, Lydersen & Laake (2014), Recommended tests and
# confidence intervals for paired binomial proportions, Statistics in Medicine 33.
BENTUR = AgreementTable(1, 1, 7, 12)
W2 = AgreementTable(54, 18, 6, 22)


@pytest.mark.parametrize(
    "method, statistic, pvalue",
    [
        ("midp", 6, 0.034690),
        ("exact", 6, 0.052479),
        ("chi2", 2.132**2, 0.033006),
        ("edwards", 1.919**2, 0.055009),
    ],
)
def test_published_example(method, statistic, pvalue):
    outcome = mcnemar(CAVO, method=method)
    assert outcome.pvalue == pytest.approx(pvalue, abs=5e-7)
    assert outcome.statistic == pytest.approx(statistic, abs=2e-3)
    assert outcome.estimate == pytest.approx(-0.0621, abs=5e-5)
    assert outcome.confidence_interval() == pytest.approx((-0.1240, -0.0054), abs=5e-5)
    assert outcome.direction == -1


def test_w2_two_systems_on_a_hundred_items():
    # Reference: statsmodels 0.15.0, mcnemar with exact and correction.
    assert mcnemar(W2, method="exact").pvalue == pytest.approx(0.022655844688415527)
    chi2, edwards = mcnemar(W2, method="chi2"), mcnemar(W2, method="edwards")
    assert (chi2.statistic, chi2.df) == (6, 1)
    assert chi2.pvalue == pytest.approx(0.014305878435429641)
    assert edwards.statistic == pytest.approx(5.041666666666667)
    assert edwards.pvalue == pytest.approx(0.02474467204639891)
    # Twice the share of coin flips below 6 heads of 24, and that of 6 heads once.
    ways = [math.comb(24, k) for k in range(7)]
    midp = mcnemar(W2)
    assert midp.pvalue == pytest.approx((2 * sum(ways[:6]) + ways[6]) / 2**24)
    assert midp.statistic == 18
    assert midp.estimate == pytest.approx(0.12)
    assert midp.effect_sizes == pytest.approx(
        {"odds ratio b/c": 3, "Cohen g": 0.25, "agreement": 0.76}
    )


@in_one_test("m", range(1, 13))
@in_one_test("method", ["midp", "exact"])
def test_pvalue_by_counting_sequences_of_coin_flips(method, m):
    heads = np.array([sum(flips) for flips in itertools.product([0, 1], repeat=m)])
    weight = 1.0 if method == "exact" else 0.5

    def share(extremes, observed):
        return np.mean(extremes > observed) + weight * np.mean(extremes == observed)

    for b in range(m + 1):
        expected = {
            "greater": share(heads, b),
            "less": share(-heads, -b),
            "two-sided": share(abs(2 * heads - m), abs(2 * b - m)),
        }
        table = AgreementTable(2, b, m - b, 3)
        for alternative, pvalue in expected.items():
            outcome = mcnemar(table, method=method, alternative=alternative)
            assert outcome.pvalue == pytest.approx(pvalue)


@in_one_test("method", METHODS)
@in_one_test("alternative", ALTERNATIVES)
def test_systems_that_are_right_on_the_same_instances(method, alternative):
    outcome = mcnemar(AgreementTable(7, 0, 0, 3), method=method, alternative=alternative)
    assert (outcome.statistic, outcome.pvalue, outcome.estimate) == (0, 1, 0)
    assert outcome.smallest_pvalue == 1
    assert outcome.direction == 0
    low, high = outcome.confidence_interval()
    assert low < 0 < high
    assert math.isnan(outcome.effect_sizes["odds ratio b/c"])
    assert outcome.effect_sizes["Cohen g"] == 0
    assert outcome.effect_sizes["agreement"] == 1


@pytest.mark.parametrize("k", [1, 4, 50])
def test_as_many_wins_as_losses(k):
    table = AgreementTable(3, k, k, 2)
    ties = math.comb(2 * k, k) / 4**k
    assert mcnemar(table).pvalue == pytest.approx(1 - ties / 2)
    for method in ("exact", "chi2", "edwards"):
        assert mcnemar(table, method=method).pvalue == 1
    # A correction of 1 must not be added to a difference of 0.
    assert mcnemar(table, method="edwards").statistic == 0
    low, high = mcnemar(table).confidence_interval()
    assert low == -high < 0


def most_likely_variance(b, c, n, delta):
    """Variance of (b - c)/n under p_A - p_B = delta, by maximising the likelihood."""

    def minus_log_likelihood(p_b):
        p_a, rest = p_b + delta, 1 - 2 * p_b - delta
        cells = [(b, p_a), (c, p_b), (n - b - c, rest)]
        if min(p_a, p_b, rest) < 0:
            return math.inf
        return -sum(k * math.log(p) if p > 0 else -math.inf for k, p in cells if k)

    lowest, highest = max(0.0, -delta), (1 - delta) / 2
    found = optimize.minimize_scalar(
        minus_log_likelihood,
        bounds=(lowest, highest),
        method="bounded",
        options={"xatol": 1e-12},
    )
    return (2 * found.x + delta - delta**2) / n


@in_one_test(
    "b, c, n",
    [(6, 16, 161), (1, 7, 21), (0, 5, 12), (5, 0, 5), (3, 3, 9), (2, 1, 3), (0, 0, 8)],
)
@in_one_test("level", [0.8, 0.95])
def test_limits_are_where_the_score_test_turns(b, c, n, level):
    z = stats.norm.isf((1 - level) / 2)
    low, high = mcnemar(AgreementTable(n - b - c, b, c, 0)).confidence_interval(level)

    def score(delta):
        return abs((b - c) / n - delta) / math.sqrt(most_likely_variance(b, c, n, delta))

    for limit, outwards in ((low, -1), (high, 1)):
        if abs(limit) < 1:
            assert score(limit) == pytest.approx(z, rel=1e-4)
        for step in (0.01, 0.05):
            if abs(limit + outwards * step) < 1:
                assert score(limit + outwards * step) > z
            # Inwards, but not past the estimate, from where on it is the other limit's.
            inside = limit - outwards * step
            if low < inside < high and abs(inside - (b - c) / n) > 1e-9:
                assert score(inside) < z


@pytest.mark.parametrize("level", [0.3, 0.5, 0.95])
def test_one_sided_limits_are_those_of_a_two_sided_interval(level):
    # Below 50 % the limit lies beyond the estimate.
    for table in (W2, BENTUR, AgreementTable(5, 0, 0, 1), AgreementTable(0, 4, 0, 0)):
        greater = mcnemar(table, alternative="greater").confidence_interval(level)
        less = mcnemar(table, alternative="less").confidence_interval(level)
        assert (greater.high, less.low) == (math.inf, -math.inf)
        estimate = mcnemar(table).estimate
        if level > 0.5:
            two = mcnemar(table).confidence_interval(2 * level - 1)
            assert (greater.low, less.high) == pytest.approx(two)
        elif level == 0.5:
            assert (greater.low, less.high) == pytest.approx((estimate, estimate))
        else:
            two = mcnemar(table).confidence_interval(1 - 2 * level)
            assert (less.high, greater.low) == pytest.approx(two)


@in_one_test("method", METHODS)
@in_one_test("alternative", ALTERNATIVES)
@in_one_test("m", [1, 3, 6, 17, 24])
def test_every_table_agrees_with_its_critical_value(method, alternative, m):
    seen = set()
    for b in range(m + 1):
        outcome = mcnemar(
            AgreementTable(5, b, m - b, 5), method=method, alternative=alternative
        )
        critical = outcome.critical_value(0.05)
        rejects = outcome.pvalue <= 0.05
        seen.add(rejects)
        if alternative == "less":
            assert (outcome.statistic <= critical) == rejects
        elif alternative == "greater" or method in ("chi2", "edwards"):
            assert (outcome.statistic >= critical) == rejects
        else:
            assert (max(b, m - b) >= critical) == rejects
        assert outcome.smallest_pvalue <= outcome.pvalue
    assert True not in seen if m == 1 else m == 3 or seen == {True, False}
