"""Cost differences: sign flips, and empirical likelihood against other packages."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from skstat.stats import (
    EmpiricalLikelihoodOutcome,
    Outcome,
    PairedScores,
    SignFlipOutcome,
    cost,
    mcnemar,
    sign_flip,
)
from skstat.testing import check_procedure
from tests.cases import in_one_test

ALTERNATIVES = ["two-sided", "less", "greater"]
FLIPPED = {"two-sided": "two-sided", "less": "greater", "greater": "less"}
DIFFERENCES = np.array([0, 5, 0, 5, -5, 1, 5, -1, 5, 1, 0, 0, -8, 2, 3.0])

costs = st.lists(st.integers(-8, 8), min_size=2, max_size=25)


def sample(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def likelihood(differences, **options):
    return cost(sample(differences), method="empirical-likelihood", **options)


def both_signs(differences):
    return min(differences) < 0 < max(differences)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_flips_of_the_studentised_mean_by_counting(alternative):
    d = np.array([5, 0, -1, 5, 1, -8, 2, 3, 1.0])

    def t(values):
        return values.mean() / (values.std(ddof=1) / math.sqrt(len(values)))

    flips = [t(d * signs) for signs in itertools.product([1, -1], repeat=len(d))]
    side = {"two-sided": abs, "greater": float, "less": lambda x: -x}[alternative]
    extreme = np.mean([side(x) >= side(t(d)) - 1e-9 for x in flips])
    outcome = cost(sample(d), alternative=alternative)
    assert isinstance(outcome, SignFlipOutcome)
    assert outcome.pvalue == pytest.approx(extreme)
    assert outcome.estimate == pytest.approx(d.mean())
    plain = sign_flip(sample(d), alternative=alternative)
    assert outcome.confidence_interval() == plain.confidence_interval()
    assert outcome.test == "studentised sign-flip test of costs (exact)"


def test_costs_of_zero_and_one_give_exact_mcnemar():
    a, b = np.repeat([1, 1, 0, 0], [54, 18, 6, 22]), np.repeat([1, 0, 1, 0], [54, 18, 6, 22])
    errors = PairedScores(a - 1, b - 1, unit="instance")  # minus a cost of 1 per error
    exact = mcnemar(PairedScores(a, b, unit="instance"), method="exact")
    outcome = cost(errors)
    assert outcome.pvalue == pytest.approx(exact.pvalue)
    assert outcome.estimate == pytest.approx(exact.estimate)


def test_draws_are_repeated_and_named():
    d = np.random.default_rng(0).normal(0.2, 1, 50)
    first, again = (cost(sample(d), rng=3, n_resamples=499) for _ in range(2))
    assert first.pvalue == again.pvalue
    assert first.test.endswith("(drawn)")
    assert first.monte_carlo_error > 0


@in_one_test("b, c", [(18, 6), (6, 18), (1, 3), (40, 41), (5, 5)])
@in_one_test("cost", [1, 0.1, 7])
def test_costs_of_zero_and_one_give_the_g_test(b, c, cost):
    g = 2 * (b * math.log(2 * b / (b + c)) + c * math.log(2 * c / (b + c)))
    outcome = likelihood(cost * np.repeat([1.0, -1.0, 0.0], [b, c, 30]))
    assert isinstance(outcome, EmpiricalLikelihoodOutcome)
    assert outcome.statistic == pytest.approx(g, abs=1e-12)
    assert outcome.pvalue == pytest.approx(stats.chi2.sf(g, 1))
    z = math.copysign(math.sqrt(g), b - c)
    for alternative, tail in (("greater", stats.norm.sf(z)), ("less", stats.norm.cdf(z))):
        directed = likelihood(np.repeat([1.0, -1.0, 0.0], [b, c, 30]), alternative=alternative)
        assert directed.statistic == pytest.approx(z, abs=1e-9)
        assert directed.statistic_name == "z"
        assert directed.pvalue == pytest.approx(tail)


def test_likelihood_ratio_of_another_package():
    # statsmodels 0.15.0, DescStat(...).test_mean(0) and .ci_mean.
    outcome = likelihood(DIFFERENCES)
    assert outcome.statistic == pytest.approx(0.7561942356369276, rel=1e-9)
    assert outcome.pvalue == pytest.approx(0.3845221573081643, rel=1e-9)
    assert outcome.confidence_interval(0.95) == pytest.approx(
        (-1.2693594438482254, 2.4819270490281826), rel=1e-8
    )
    assert outcome.confidence_interval(0.90) == pytest.approx(
        (-0.8829695934774375, 2.2450386842748995), rel=1e-8
    )


def test_likelihood_ratio_by_maximising_the_likelihood():
    # Weights of the values that sum to 1 and have mean 0, found without a multiplier.
    d = np.array([-3.0, -1.0, 2.0, 2.0, 4.0])

    def minus_log(weights):
        return -np.sum(np.log(len(d) * weights))

    found = optimize.minimize(
        minus_log,
        np.full(len(d), 1 / len(d)),
        bounds=[(1e-9, 1)] * len(d),
        constraints=[
            {"type": "eq", "fun": lambda w: w.sum() - 1},
            {"type": "eq", "fun": lambda w: w @ d},
        ],
        options={"ftol": 1e-14},
    )
    assert likelihood(d).statistic == pytest.approx(2 * found.fun, rel=1e-6)


@settings(max_examples=2 * settings.default.max_examples)
@given(costs, st.sampled_from(ALTERNATIVES), st.sampled_from([0.5, 0.9, 0.99]))
def test_the_interval_excludes_zero_exactly_when_the_likelihood_ratio_rejects(
    differences, alternative, level
):
    assume(both_signs(differences))
    outcome = likelihood(np.array(differences, dtype=float), alternative=alternative)
    assume(abs(outcome.pvalue - (1 - level)) > 1e-6)
    low, high = outcome.confidence_interval(level)
    assert (not low <= 0 <= high) == (outcome.pvalue < 1 - level)


@pytest.mark.parametrize("method", ["sign-flip", "empirical-likelihood"])
@given(differences=costs, alternative=st.sampled_from(ALTERNATIVES))
def test_changing_places_flips_the_effect_and_keeps_p(method, differences, alternative):
    d = np.array(differences) / 10
    here = cost(sample(d), method=method, alternative=alternative, rng=0)
    there = cost(sample(-d), method=method, alternative=FLIPPED[alternative], rng=0)
    assert there.estimate == -here.estimate
    assert there.test == here.test
    low, high = here.confidence_interval(0.9)
    assert there.confidence_interval(0.9) == (-high, -low)
    if getattr(here, "seed", None) is None:
        assert there.pvalue == here.pvalue


@given(costs, st.sampled_from([1e-6, 1 / 3, 1e6]))
def test_the_currency_does_not_matter(differences, factor):
    assume(both_signs(differences))
    d = np.array(differences, dtype=float)
    here, there = likelihood(d), likelihood(factor * d)
    assert there.statistic == pytest.approx(here.statistic, rel=1e-7, abs=1e-12)
    low, high = here.confidence_interval()
    scale = factor * np.abs(d).max()
    assert there.confidence_interval() == pytest.approx(
        (factor * low, factor * high), rel=1e-7, abs=1e-9 * scale
    )


def test_the_order_of_instances_does_not_matter():
    here = likelihood(DIFFERENCES)
    there = likelihood(np.random.default_rng(1).permutation(DIFFERENCES))
    assert there.pvalue == pytest.approx(here.pvalue, rel=1e-12)


def test_one_sided_limits_are_those_of_a_two_sided_interval():
    two = likelihood(DIFFERENCES).confidence_interval(0.9)
    greater = likelihood(DIFFERENCES, alternative="greater")
    less = likelihood(DIFFERENCES, alternative="less")
    assert greater.confidence_interval(0.95) == (pytest.approx(two.low), math.inf)
    assert less.confidence_interval(0.95) == (-math.inf, pytest.approx(two.high))
    # Below 50 % a one-sided limit lies beyond the estimate, at 50 % on it.
    narrow = likelihood(DIFFERENCES).confidence_interval(0.4)
    assert greater.confidence_interval(0.3).low == pytest.approx(narrow.high)
    assert less.confidence_interval(0.3).high == pytest.approx(narrow.low)
    assert greater.confidence_interval(0.5).low == pytest.approx(DIFFERENCES.mean())


def test_limits_stay_between_the_extremes():
    d = np.array([-1.0, 3.0])
    low, high = likelihood(d).confidence_interval(1 - 1e-15)
    assert -1 <= low < 1 < high <= 3
    # The ratio of two values is known in full: both weights follow from the mean.
    low, high = likelihood(d).confidence_interval(0.95)
    for limit in (low, high):
        share = (limit + 1) / 4
        ratio = -2 * math.log(4 * share * (1 - share))
        assert ratio == pytest.approx(stats.chi2.isf(0.05, 1))


@pytest.mark.parametrize("sign", [1, -1])
def test_costs_of_one_sign_fall_back_on_sign_flips(sign):
    d = sign * np.array([0, 5, 1, 1, 0, 2.0])
    outcome = likelihood(d)
    assert isinstance(outcome, SignFlipOutcome)
    assert "the likelihood ratio is infinite" in outcome.test
    assert outcome.pvalue == cost(sample(d)).pvalue == 2 / 2**4
    assert "infinite" not in cost(sample(d)).test


@in_one_test("method", ["sign-flip", "empirical-likelihood"])
@in_one_test("alternative", ALTERNATIVES)
@in_one_test("n", [1, 6])
def test_equal_costs(method, alternative, n):
    outcome = cost(sample(np.zeros(n)), method=method, alternative=alternative)
    assert (outcome.statistic, outcome.pvalue, outcome.estimate) == (0, 1, 0)
    assert outcome.direction == 0
    low, high = outcome.confidence_interval()
    assert {low, high} <= {0, -math.inf, math.inf}


def test_one_instance():
    outcome = likelihood([5.0])
    assert isinstance(outcome, SignFlipOutcome)
    assert (outcome.estimate, outcome.pvalue) == (5, 1)


def test_critical_values():
    assert likelihood(DIFFERENCES).critical_value(0.05) == pytest.approx(3.8415, abs=5e-5)
    for alternative, critical in (("greater", 1.6449), ("less", -1.6449)):
        outcome = likelihood(DIFFERENCES, alternative=alternative)
        assert outcome.critical_value(0.05) == pytest.approx(critical, abs=5e-5)


@pytest.mark.parametrize("method", ["sign-flip", "empirical-likelihood"])
@pytest.mark.parametrize("unit", ["instance", "group"])
def test_contract(method, unit):
    check_procedure(
        lambda pairs, **options: cost(pairs, method=method, **options),
        sample(DIFFERENCES, unit),
    )


def test_round_trip():
    outcome = likelihood(DIFFERENCES, alternative="less")
    restored = Outcome.from_dict(json.loads(json.dumps(outcome.to_dict(), allow_nan=False)))
    assert restored.statistic == outcome.statistic
    assert restored.confidence_interval() == outcome.confidence_interval()


def test_unknown_choices():
    with pytest.raises(ValueError, match="method='lrt' is unknown; use 'sign-flip'"):
        cost(sample(DIFFERENCES), method="lrt")
    with pytest.raises(ValueError, match="alternative='bigger'"):
        cost(sample(DIFFERENCES), alternative="bigger")
    for unit in ("split", "seed", "dataset"):
        with pytest.raises(ValueError, match=f"instances or groups, but unit='{unit}'"):
            cost(sample(DIFFERENCES, unit))
    with pytest.raises(ValueError, match="n_resamples"):
        cost(sample(DIFFERENCES), n_resamples=0)
