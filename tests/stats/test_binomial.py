"""The binomial test and intervals of a share against published numbers and counting."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from skstat.stats import Successes, binomial, proportion_interval

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


@pytest.mark.parametrize("constant", [0, 1, -0.1, 72, math.nan])
def test_the_constant_is_a_share(constant):
    with pytest.raises(
        ValueError, match="constant=.* must (lie between 0 and 1|be a finite score)"
    ):
        binomial(Successes(3, 10), constant)
