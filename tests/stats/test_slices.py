"""The law of the smallest p-value, and Cochran's Q: enumeration and published numbers."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import AgreementTable, PairedScores, mcnemar, paired_t, sign_flip
from skstat.stats._heterogeneity import (
    Contributions,
    KnownErrors,
    heterogeneity,
    spread_between,
)
from skstat.stats._max_t import level_of_each, smallest_pvalues
from tests.cases import in_one_test

# Shares of 99,999 draws are right to three standard errors of 0.0016.
NEAR = 0.005


def table(only_a, only_b, n=100):
    return AgreementTable(n - only_a - only_b, only_a, only_b, 0)


@in_one_test("method", ["midp", "exact", "chi2"])
@in_one_test("alternative", ["two-sided", "greater", "less"])
@in_one_test("n", [0, 1, 5, 12])
def test_the_law_of_mcnemars_pvalue_is_that_of_all_patterns(method, alternative, n):
    def pvalue(count):
        return mcnemar(table(count, n - count), method=method, alternative=alternative).pvalue

    found = mcnemar(table(n, 0), method=method, alternative=alternative)
    law = found.law.null_pvalues(alternative)
    patterns = [pvalue(sum(signs)) for signs in itertools.product((0, 1), repeat=n)]
    for level in {*patterns, 0.01, 0.2, 0.9}:
        below = law.chances[law.values <= level * (1 + 1e-12)]
        chance = below[-1] if below.size else 0.0
        assert chance == pytest.approx(np.mean(np.array(patterns) <= level * (1 + 1e-12)))
    drawn = law.of(np.linspace(0.0005, 0.9995, 1000))
    assert set(drawn) <= set(law.values)


def test_the_law_of_a_million_disagreements_takes_no_room():
    n = 10**15
    found = mcnemar(AgreementTable(n, n // 3, n // 3 + 10**8, n))
    law = found.law.null_pvalues(found.alternative)
    assert law.of(np.array([0.3])) == 0.3 and 0 < found.pvalue < 1


def test_the_smallest_of_two_is_that_of_all_pairs_of_patterns():
    outcomes = [mcnemar(table(5, 0)), mcnemar(table(3, 4))]
    each = [
        ([mcnemar(table(k, m - k)).pvalue for k in range(m + 1)], stats.binom(m, 0.5))
        for m in (5, 7)
    ]
    law = smallest_pvalues(outcomes, 0)
    for observed in (0.03125, 0.07, 0.2, 0.5):
        exact = 0.0
        for (j, p), (k, q) in itertools.product(*(enumerate(pvalues) for pvalues, _ in each)):
            if min(p, q) <= observed + 1e-12:
                exact += each[0][1].pmf(j) * each[1][1].pmf(k)
        assert law.adjusted([observed])[0] == pytest.approx(exact, abs=NEAR)
    assert law.n_effective == 2


def test_independent_smooth_pvalues_are_adjusted_as_sidak_does():
    rng = np.random.default_rng(0)
    outcomes = [
        paired_t(PairedScores(*rng.normal(size=(2, 9)), unit="seed")) for _ in range(12)
    ]
    law = smallest_pvalues(outcomes, 1)
    pvalues = np.array([0.001, 0.0043, 0.02, 0.3, math.nan])
    expected = 1 - (1 - pvalues) ** 12
    np.testing.assert_allclose(law.adjusted(pvalues), expected, atol=NEAR)


@pytest.mark.parametrize("rho", [0.0, 0.6, 0.9, 1.0])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_correlated_pvalues_are_those_of_the_normal_law(rho, alternative):
    outcomes = [paired_t(PairedScores([1, 2, 4.0], [1, 0, 2.5], unit="seed"))] * 2
    correlation = np.array([[1, rho], [rho, 1]])
    law = smallest_pvalues(outcomes, 3, correlation=correlation, alternative=alternative)
    for p in (0.01, 0.05, 0.2):
        z = stats.norm.isf(p / 2 if alternative == "two-sided" else p)
        if rho == 1:
            expected = p
        elif alternative == "greater":
            expected = 1 - stats.multivariate_normal(cov=correlation).cdf([z, z])
        else:
            inside = stats.multivariate_normal(cov=correlation)
            square = sum(
                s * t * inside.cdf([s * z, t * z])
                for s, t in itertools.product((1, -1), repeat=2)
            )
            expected = 1 - square
        assert law.adjusted([p])[0] == pytest.approx(expected, abs=NEAR)
    assert 1 <= law.n_effective <= 2
    assert law.n_effective == pytest.approx({0.0: 2, 1.0: 1}.get(rho, law.n_effective), abs=0.1)


@given(st.integers(0, 10**6), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
@settings(max_examples=25, deadline=None)
def test_interval_and_adjusted_pvalue_agree(seed, level):
    rng = np.random.default_rng(seed)
    outcomes = []
    for n in (6, 8, 11, 30):
        a, b = np.round(rng.normal(size=(2, n)), 1)
        outcomes.append(sign_flip(PairedScores(a + 0.7, b, unit="instance"), rng=0))
    law = smallest_pvalues(outcomes, seed, alpha=1 - level)
    alpha = round(1 - level, 12)
    for own, pvalue in zip(outcomes, law.adjusted([o.pvalue for o in outcomes]), strict=True):
        found = law.judged(own, float(pvalue))
        low, high = found.confidence_interval(level)
        assert (pvalue < alpha) == (found.pvalue < found.joint.level_of_one(alpha))
        assert (pvalue < alpha) == (not low <= 0 <= high)
        wide = own.confidence_interval(1 - level_of_each(alpha, 4))
        if not pvalue < alpha:  # no coarse p-value makes it narrower
            assert low <= wide[0] + 1e-9 and high >= wide[1] - 1e-9


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_an_interval_is_no_shorter_than_that_of_the_jackknife(seed):
    rng = np.random.default_rng(seed)
    samples = [rng.exponential(size=n) - 0.6 for n in (12, 20, 40)]
    outcomes = [paired_t(PairedScores(x, np.zeros_like(x), unit="instance")) for x in samples]
    each = Contributions(
        values=[x - x.mean() for x in samples], times=[np.ones(len(x)) for x in samples]
    )
    law = smallest_pvalues(outcomes, seed)
    adjusted = law.adjusted([outcome.pvalue for outcome in outcomes])
    level = level_of_each(0.05, 3)
    for x, own, pvalue, spread in zip(samples, outcomes, adjusted, each.spreads, strict=True):
        plain = law.judged(own, float(pvalue)).confidence_interval()
        low, high = law.judged(own, float(pvalue), spread).confidence_interval()
        assert (pvalue < 0.05) == (not low <= 0 <= high)
        assert low <= plain.low and high >= plain.high
        if (own.pvalue < level) != (pvalue < 0.05):  # the interval has the level of the test
            continue
        n, skewness = len(x), stats.skew(x)
        df = min(n - 1, 2 * n / (stats.kurtosis(x, fisher=False) - 1))
        q = stats.t.isf(level / 2, df)
        longer = q + max(0, skewness) / np.sqrt(n) * (2 * q * q + 1) / 6
        expected = x.mean() + stats.sem(x) * longer
        assert high == pytest.approx(max(plain.high, expected), rel=1e-6) or x.mean() < 0


# Thirteen trials of the BCG vaccine (Colditz et al., 1994): cases and others among the
# vaccinated and the not vaccinated, as dat.bcg of the R package metafor has them. Its
# documentation gives Q(12) = 152.2330, and tau squared by Paule and Mandel 0.3181.
BCG = np.array([
    [4, 119, 11, 128], [6, 300, 29, 274], [3, 228, 11, 209], [62, 13536, 248, 12619],
    [33, 5036, 47, 5761], [180, 1361, 372, 1079], [8, 2537, 10, 619],
    [505, 87886, 499, 87892], [29, 7470, 45, 7232], [17, 1699, 65, 1600],
    [186, 50448, 141, 27197], [5, 2493, 3, 2338], [27, 16886, 29, 17825],
], dtype=float)  # fmt: skip


def test_q_and_the_spread_between_are_those_of_metafor():
    cases, others, plain_cases, plain = BCG.T
    ratio = np.log(cases / (cases + others)) - np.log(plain_cases / (plain_cases + plain))
    variance = 1 / cases - 1 / (cases + others) + 1 / plain_cases - 1 / (plain_cases + plain)
    weights = 1 / variance
    q = weights @ (ratio - weights @ ratio / weights.sum()) ** 2
    assert q == pytest.approx(152.2330, abs=1e-4)
    assert spread_between(ratio, variance) ** 2 == pytest.approx(0.3181, abs=5e-5)


def contributions(rng, sizes, shared=False):
    values = [x - x.mean() for x in (rng.choice([-1.0, 0, 0, 1], size=n) for n in sizes)]
    times = [np.ones(n) for n in sizes]
    units = None
    if shared:
        units = [np.arange(start, start + n) for start, n in enumerate(sizes)]
    return Contributions(values=values, times=times, units=units)


def by_hand(estimates, means, squares, sizes):
    """Cochran's Q with variances that lean on the pooled one by ten units."""
    within = (squares - sizes * means**2) / (sizes - 1)
    pooled = within @ (sizes - 1) / (sizes - 1).sum()
    variances = (sizes * within + 10 * pooled) / (sizes + 10) / sizes
    common = (estimates / variances).sum() / (1 / variances).sum()
    return ((estimates - common) ** 2 / variances).sum()


@pytest.mark.parametrize("shared", [False, True])
def test_the_pvalue_of_q_is_that_of_all_sign_patterns(shared):
    sizes = np.array([5, 4, 6]) if not shared else np.array([8, 7, 9])
    each = contributions(np.random.default_rng(2), sizes, shared)
    estimates = np.array([0.5, -0.1, 0.2])
    found = heterogeneity("abc", estimates, each, where="the difference", seed=0)
    squares = np.array([x @ x for x in each.values])
    observed = by_hand(estimates, np.zeros(3), squares, sizes)
    assert found.statistic == pytest.approx(observed)
    n = int(sizes.sum()) if not shared else 1 + max(u.max() for u in each.units)
    matrix = np.zeros((n, 3))
    start = 0
    for place, x in enumerate(each.values):
        rows = each.units[place] if shared else np.arange(start, start + len(x))
        matrix[rows, place] = x
        start += len(x)
    reached = [
        by_hand(m, m, squares, sizes) >= observed - 1e-9
        for m in np.array(list(itertools.product((1, -1), repeat=n))) @ matrix / sizes
    ]
    assert found.pvalue == pytest.approx(np.mean(reached), abs=0.02)


def by_weights(estimates, variances):
    weights = 1 / variances
    return weights @ (estimates - weights @ estimates / weights.sum()) ** 2


def test_variation_by_standard_errors_is_that_of_students_t_and_of_chi_square():
    # Of two slices with one true variance Q is the square of a t test of 2 df, pooled.

    def asked(estimates, errors, df):
        known = KnownErrors(errors=errors, dfs=np.full(len(errors), df), n_units=9)
        return heterogeneity("abcd"[: len(errors)], estimates, known, where="d", seed=0)

    for difference in (0.5, 2.0, 3.5):
        found = asked(np.array([difference, 0.0]), np.full(2, 0.9), 5.0)
        assert found.statistic == pytest.approx(difference**2 / (2 * 0.81))
        of_t = 2 * stats.t.sf(math.sqrt(found.statistic), 10)
        assert found.pvalue == pytest.approx(of_t, abs=0.015)
    estimates, errors = np.array([0.1, 0.0, -0.3, 0.2]), np.array([0.1, 0.2, 0.15, 0.1])
    found = asked(estimates, errors, 1e6)
    assert found.pvalue == pytest.approx(stats.chi2.sf(found.statistic, 3), abs=0.015)
    assert found.statistic == pytest.approx(by_weights(estimates, errors**2))


def test_many_units_are_normal_and_scores_may_be_scaled():
    rng = np.random.default_rng(1)
    large = contributions(rng, [3000, 2500, 2000])
    estimates = np.array([0.02, -0.01, 0.0])
    found = heterogeneity("abc", estimates, large, where="d", seed=0)
    assert found.pvalue == pytest.approx(stats.chi2.sf(found.statistic, 2), abs=0.02)
    times = Contributions(values=[8 * x for x in large.values], times=large.times)
    scaled = heterogeneity("abc", 8 * estimates, times, where="d", seed=0)
    assert scaled.statistic == pytest.approx(found.statistic)
    assert scaled.pvalue == pytest.approx(found.pvalue, abs=1e-3)
