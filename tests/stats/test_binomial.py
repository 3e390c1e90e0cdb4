"""The binomial test and intervals of a share against published numbers and counting."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skstat.stats import Successes, binomial, proportion_interval
from tests.cases import in_one_test

ALTERNATIVES = ["two-sided", "less", "greater"]

sizes = st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
constants = st.sampled_from([0.1, 0.25, 0.3, 0.5, 2 / 3, 0.9])


def pmf(n, k, p):
    return math.comb(n, k) * p**k * (1 - p) ** (n - k)


# statsmodels 0.15.0, proportion_confint; also 0/30 and 10/100 of Clopper-Pearson and
# Wilson as in any table, and 13/16 of Clopper-Pearson in Fagerland, Lydersen & Laake
# (2017), chapter 2. Its Jeffreys interval does not end at 0 and 1.
@in_one_test(
    "successes, n, method, low, high",
    [
        (0, 30, "clopper-pearson", 0, 0.1157033082220278),
        (0, 30, "wilson", 0, 0.1135133931739688),
        (0, 30, "jeffreys", 0, 0.07967817381726),
        (30, 30, "clopper-pearson", 0.8842966917779722, 1),
        (30, 30, "wilson", 0.8864866068260311, 1),
        (30, 30, "jeffreys", 0.9203218261827399, 1),
        (10, 100, "clopper-pearson", 0.04900468922148595, 0.1762225977400227),
        (10, 100, "wilson", 0.05522913706067509, 0.17436566150491348),
        (10, 100, "jeffreys", 0.05258467529066884, 0.170123929652187),
        (13, 16, "clopper-pearson", 0.5435434537683883, 0.9595262660940541),
        (13, 16, "wilson", 0.5699111903802585, 0.9340840092857186),
        (13, 16, "jeffreys", 0.5792148277642926, 0.9441870161099912),
        (1, 7, "clopper-pearson", 0.0036102968619005833, 0.5787231970431952),
        (1, 7, "wilson", 0.02567962434474355, 0.5131278292743189),
        (1, 7, "jeffreys", 0.0158765242127468, 0.5007974616190776),
    ],
)
def test_intervals_of_another_package(successes, n, method, low, high):
    found = proportion_interval(successes, n, method=method)
    assert found == pytest.approx((low, high), rel=1e-9, abs=1e-12)
    assert (found.low == 0) == (successes == 0)
    assert (found.high == 1) == (successes == n)


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


@pytest.mark.parametrize("alpha", [0.05, 0.10])
def test_w12_critical_error(alpha):
    # m = 10 test items, H0: error <= 0.3; the accuracy is one minus the error.
    def asked(errors):
        return binomial(Successes(10 - errors, 10), 0.7, alternative="less")

    assert asked(6).pvalue == pytest.approx(0.0473, abs=5e-5)
    assert asked(6).pvalue <= alpha < asked(5).pvalue
    critical = asked(3).critical_value(alpha)
    assert critical == 4
    largest_error_that_does_not_reject = (10 - critical - 1) / 10
    assert largest_error_that_does_not_reject == 0.5


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


@pytest.mark.parametrize("constant", [0, 1, -0.1, 72, math.nan])
def test_the_constant_is_a_share(constant):
    with pytest.raises(
        ValueError, match="constant=.* must (lie between 0 and 1|be a finite score)"
    ):
        binomial(Successes(3, 10), constant)
