"""Diebold and Mariano's test against statsmodels, arithmetic by hand and brute force."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import signal, stats

from skstat.stats import Comparison, PairedScores, diebold_mariano, paired_t

D = [0.3, -0.1, 0.4, 0.2, 0.0, 0.5, 0.1, -0.2, 0.3, 0.6]
D += [0.2, 0.1, -0.3, 0.4, 0.2, 0.7, 0.0, 0.1, 0.5, -0.1]
several = settings(max_examples=settings.default.max_examples)


def series(d, b=None):
    return PairedScores(d, np.zeros(len(d)) if b is None else b, unit="instance", ordered=True)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_a_horizon_of_one_is_the_paired_t_test(alternative):
    outcome = diebold_mariano(series(D), horizon=1, alternative=alternative)
    expected = paired_t(series(D), alternative=alternative)
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert outcome.confidence_interval() == pytest.approx(expected.confidence_interval())


@st.composite
def asked(draw):
    n = draw(st.integers(3, 25))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    a, b = rng.integers(0, 50, (2, n)) / 1000
    return a, b, draw(st.integers(1, n - 1)), draw(st.sampled_from(["two-sided", "less"]))


@st.composite
def asked_either_way(draw):
    a, b, h, alternative = draw(asked())
    return a, b, draw(st.sampled_from([h, None])), alternative


@several
@given(case=asked())
def test_brute_force(case):
    a, b, h, alternative = case
    d, n = a - b, len(a)
    assume(np.std(d) > 1e-6)
    centred = d - d.mean()

    def long_run(weight):
        return sum(
            weight(abs(s - t)) * centred[s] * centred[t] / n
            for s in range(n)
            for t in range(n)
            if abs(s - t) < h
        )

    variance = long_run(lambda lag: 1)
    assume(abs(variance) > 1e-8 * np.var(d))
    if variance < 0:
        variance = long_run(lambda lag: 1 - lag / h)
    factor = (n + 1 - 2 * h + h * (h - 1) / n) / n
    outcome = diebold_mariano(series(a, b), horizon=h, alternative=alternative)
    assert outcome.standard_error == pytest.approx(math.sqrt(variance / n / factor), rel=1e-6)


@several
@given(case=asked_either_way())
def test_the_interval_excludes_zero_exactly_when_the_test_rejects(case):
    a, b, h, alternative = case
    outcome = diebold_mariano(series(a, b), horizon=h, alternative=alternative)
    assume(not math.isnan(outcome.pvalue) and abs(outcome.pvalue - 0.2) > 1e-9)
    low, high = outcome.confidence_interval(0.8)
    assert (not low <= 0 <= high) == (outcome.pvalue < 0.2)


@pytest.mark.parametrize("horizon", [1, 2, 5, None])
def test_without_variance(horizon):
    b = np.array([0.3, 0.7, 0.9, 0.55, 0.6] * 4)
    identical = diebold_mariano(series(b, b + 1e-17), horizon=horizon)
    assert (identical.estimate, identical.statistic, identical.pvalue) == (0, 0, 1)
    constant = diebold_mariano(series(b + 0.05, b), horizon=horizon)
    assert constant.statistic == math.inf
    assert math.isnan(constant.pvalue)
    assert all(map(math.isnan, constant.confidence_interval()))
    restored = Comparison.from_dict(constant.to_dict())
    assert restored.to_dict() == constant.to_dict()


def test_the_test_by_cosines_from_its_parts():
    outcome = diebold_mariano(series(D))
    # The products of neighbours over the squares: -0.280, and (20 r + 1) / 17 is negative.
    assert (outcome.law.autocorrelation, outcome.law.expected_bias, outcome.df) == (0, 0, 3)
    t = np.arange(20) + 0.5
    coefficients = [np.cos(math.pi * j * t / 20) @ np.array(D) for j in (1, 2, 3)]
    error = math.sqrt(2 / 20 * np.mean(np.square(coefficients)) / 20)
    assert outcome.standard_error == pytest.approx(error)
    assert outcome.pvalue == pytest.approx(2 * stats.t.sf(0.195 / error, 3))
    assert Comparison.from_dict(outcome.to_dict()).to_dict() == outcome.to_dict()


def test_fewer_cosines_where_neighbours_are_alike():
    apart = np.resize([1.0, -1.1], 200)
    found = [diebold_mariano(series(apart[:n])).df for n in (3, 8, 50, 100, 200)]
    assert found == [2, 3, 5, 8, 13]
    noise, laws = np.random.default_rng(0).normal(size=1000), []
    for r in (0.0, 0.6, 0.8, 0.9, 0.97):
        alike = signal.lfilter([1], [1, -r], noise)
        laws.append(diebold_mariano(series(alike)).law)
        assert laws[-1].expected_bias <= 0.1 or r == 0.97
    counts = [law.df for law in laws]
    assert counts == sorted(counts, reverse=True) and counts[-1] < counts[1]
    wandering = diebold_mariano(series(noise[:60].cumsum()))
    assert wandering.df == 3 and wandering.law.expected_bias > 0.1
