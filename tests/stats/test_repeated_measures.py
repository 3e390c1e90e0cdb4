"""Repeated-measures ANOVA against other packages and the eigenvalues."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import OmnibusOutcome, ScoreTable, paired_t, repeated_measures_anova
from tests.cases import in_one_test

CORRECTIONS = ["greenhouse-geisser", "huynh-feldt", None]


def table(scores, unit="seed", **options):
    return ScoreTable(scores, unit=unit, **options)


def normal(n, k, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, k)) @ rng.normal(size=(k, k)) + np.arange(k) / 4


def epsilons(x):
    """Box's epsilon from eigenvalues of orthonormal contrasts, and Huynh and Feldt's."""
    n, k = x.shape
    contrasts = np.linalg.qr(np.column_stack([np.ones(k), np.eye(k)[:, 1:]]))[0][:, 1:]
    roots = np.linalg.eigvalsh(contrasts.T @ np.cov(x.T) @ contrasts)
    gg = roots.sum() ** 2 / ((k - 1) * np.sum(roots**2))
    above, below = n * (k - 1) * gg - 2, (k - 1) * (n - 1 - (k - 1) * gg)
    return gg, min(1.0, above / below) if below > 1e-9 else 1.0


def f_by_regression(x):
    """F from the residuals of two nested least-squares fits."""
    n, k = x.shape
    units = np.kron(np.eye(n), np.ones((k, 1)))
    both = np.column_stack([units, np.kron(np.ones((n, 1)), np.eye(k))])
    rests = []
    for design in (units, both):
        fitted = design @ np.linalg.lstsq(design, x.ravel(), rcond=None)[0]
        rests.append(np.sum((x.ravel() - fitted) ** 2))
    return (rests[0] - rests[1]) / (k - 1) / (rests[1] / ((k - 1) * (n - 1)))


@in_one_test("n, k", [(3, 3), (3, 6), (10, 3), (12, 5), (5, 50), (40, 4)])
@in_one_test("correction", CORRECTIONS)
def test_formulas_of_others(n, k, correction):
    x = normal(n, k)
    gg, hf = epsilons(x)
    epsilon = {"greenhouse-geisser": gg, "huynh-feldt": hf, None: 1}[correction]
    outcome = repeated_measures_anova(table(x), correction=correction)
    f = f_by_regression(x)
    assert outcome.statistic == pytest.approx(f)
    assert outcome.df == pytest.approx((epsilon * (k - 1), epsilon * (k - 1) * (n - 1)))
    assert outcome.pvalue == pytest.approx(stats.f.sf(f, *outcome.df))
    assert outcome.effect_sizes == pytest.approx(
        {
            "partial eta squared": f / (f + n - 1),
            "Greenhouse-Geisser epsilon": gg,
            "Huynh-Feldt epsilon": hf,
        }
    )
    assert 1 / (k - 1) <= gg <= hf <= 1


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12))
def test_two_systems_are_a_paired_t_test(rows):
    assume(len({a - b for a, b in rows}) > 1)
    sample = table(np.array(rows))
    t = paired_t(sample.pair("system 1", "system 2"))
    for correction in CORRECTIONS:
        outcome = repeated_measures_anova(sample, correction=correction)
        assert outcome.statistic == pytest.approx(t.statistic**2, abs=1e-12)
        assert outcome.pvalue == pytest.approx(t.pvalue)
        assert outcome.df == (1, len(rows) - 1)
        assert "sphericity)" not in " ".join(outcome.assumptions)


@in_one_test("correction", CORRECTIONS)
@in_one_test("unit", [1.0, 0.1])
def test_differences_that_do_not_vary_prove_nothing(correction, unit):
    x = unit * (np.arange(6)[:, None] + np.array([1, 2, 4]))
    outcome = repeated_measures_anova(table(x), correction=correction)
    assert outcome.statistic == math.inf
    assert math.isnan(outcome.pvalue)
    assert outcome.df == (2, 10)
    assert outcome.effect_sizes["partial eta squared"] == 1
    assert math.isnan(outcome.effect_sizes["Greenhouse-Geisser epsilon"])
    restored = OmnibusOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert restored.statistic == math.inf
    assert math.isnan(restored.pvalue)
    assert math.isnan(restored.effect_sizes["Greenhouse-Geisser epsilon"])


def test_two_units():
    x = normal(2, 4)
    outcome = repeated_measures_anova(table(x))
    assert outcome.effect_sizes["Greenhouse-Geisser epsilon"] == pytest.approx(1 / 3)
    assert math.isnan(outcome.effect_sizes["Huynh-Feldt epsilon"])
    assert outcome.df == pytest.approx((1, 1))
    with pytest.raises(ValueError, match="at least 3 seeds, but there are 2; use 'greenhouse"):
        repeated_measures_anova(table(x), correction="huynh-feldt")
