"""Comparisons with the best against Student's t, Dunnett's tables, SciPy and brute force."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import (
    ScoreTable,
    compare_with_best,
    corrected_t,
    model_confidence_set,
    paired_t,
)

several = settings(max_examples=settings.default.max_examples)
METHODS = ["auto", "t", "bootstrap", "studentized"]


def table(scores, unit="seed", **options):
    return ScoreTable(scores, unit=unit, **options)


def normal_scores(seed, n=12, k=4, means=0.0, sds=1.0):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, k)) * sds + rng.standard_normal((n, 1)) + means


def uncorrelated(n, k, means):
    """Scores with exactly these means, sample variances of 1 and no correlation."""
    x = np.random.default_rng(n + k).standard_normal((n, k))
    x -= x.mean(axis=0)
    return np.linalg.qr(x)[0] * math.sqrt(n - 1) + means


@st.composite
def few_levels(draw):
    """Small tables with ties, constant differences and systems that are the same."""
    n, k = draw(st.integers(2, 6)), draw(st.integers(2, 5))
    cells = draw(st.lists(st.integers(0, 3), min_size=n * k, max_size=n * k))
    x = np.array(cells, dtype=float).reshape(n, k)
    for column in range(1, k):
        if (step := draw(st.sampled_from([None, None, 0, 1]))) is not None:
            x[:, column] = x[:, column - 1] + step
    return x


@pytest.mark.parametrize(
    "units, test",
    [({"unit": "seed"}, paired_t), ({"unit": None, "n_train": 90, "n_test": 10}, corrected_t)],
)
def test_two_systems_are_a_one_sided_t_test(units, test):
    x = normal_scores(0, n=10, k=2, means=[0.3, 0.0])
    outcome = compare_with_best(table(x, **units), method="t", n_resamples=40_000, rng=0)
    for i, (a, b) in enumerate([("system 1", "system 2"), ("system 2", "system 1")]):
        alone = test(table(x, **units).pair(a, b), alternative="less")
        assert outcome.pvalues[i] == pytest.approx(alone.pvalue, abs=0.01)
        assert outcome.standard_errors[i, 1 - i] == pytest.approx(alone.standard_error)
        assert outcome.intervals(0.9)[i, 1] == pytest.approx(
            max(0, alone.confidence_interval(0.9).high), abs=0.02
        )
        assert outcome.intervals(0.9)[1 - i, 0] == pytest.approx(
            min(0, -alone.confidence_interval(0.9).high), abs=0.02
        )


@pytest.mark.parametrize(
    "k, df, alpha, value",
    [
        # Dunnett (1955), one-sided: k - 1 treatments and a control.
        (3, 5, 0.05, 2.44),
        (3, 10, 0.05, 2.15),
        (4, 10, 0.05, 2.34),
        (5, 20, 0.05, 2.30),
        (3, 10, 0.01, 3.11),
    ],
)
def test_dunnetts_tables(k, df, alpha, value):
    x = uncorrelated(df + 1, k, np.zeros(k))
    outcome = compare_with_best(table(x), method="t", n_resamples=50_000, rng=1)
    # By hand: the equations of the multivariate t with correlations of 1/2.
    law = stats.multivariate_t(shape=(np.eye(k - 1) + 1) / 2, df=df, seed=0)
    assert 1 - law.cdf(np.full(k - 1, value)) == pytest.approx(alpha, abs=0.002)
    assert outcome.critical_values(alpha) == pytest.approx(
        value, abs=0.07 if alpha < 0.05 else 0.04
    )


def test_equal_variances_give_hsus_intervals():
    # Hsu (1984): -(d - m)^- and (d + m)^+, d the score less the highest of the others.
    means = np.array([0.0, 1.6, 2.0, 1.9])
    outcome = compare_with_best(
        table(uncorrelated(21, 4, means)), method="t", n_resamples=50_000, rng=2
    )
    m = 2.19 * math.sqrt(2 / 21)  # Dunnett (1955): 3 treatments, 20 degrees of freedom
    d = means - np.array([2.0, 2.0, 1.9, 2.0])
    expected = np.column_stack([np.minimum(d - m, 0), np.maximum(d + m, 0)])
    assert outcome.intervals() == pytest.approx(expected, abs=0.02)
    assert outcome.may_be_best() == ("system 2", "system 3", "system 4")
    assert outcome.best() is None


def test_unequal_variances_by_scipy():
    x = normal_scores(3, n=9, k=4, means=[0.6, 0.4, 0.0, 0.1], sds=[1, 2, 0.5, 3])
    outcome = compare_with_best(table(x), method="t", n_resamples=50_000, rng=3)
    for i in range(4):
        d = np.delete(x, i, axis=1) - x[:, [i]]
        largest = np.max(d.mean(axis=0) / (d.std(axis=0, ddof=1) / 3))
        law = stats.multivariate_t(shape=np.corrcoef(d.T), df=8, seed=0)
        expected = 1 - law.cdf(np.full(3, largest))
        assert outcome.pvalues[i] == pytest.approx(expected, abs=0.008)


def test_bootstrap_by_listing_all_resamples():
    x = np.array([[3.0, 1.0, 2.5], [2.0, 2.5, 1.0], [4.0, 1.5, 3.0], [3.5, 3.0, 3.6]])
    resampled = np.array(
        [x[list(rows)].mean(axis=0) for rows in itertools.product(range(4), repeat=4)]
    )
    outcome = compare_with_best(table(x), method="bootstrap", n_resamples=40_000, rng=4)
    means = x.mean(axis=0)
    for i in range(3):
        others = [j for j in range(3) if j != i]
        d = means[others] - means[i]
        errors = resampled[:, others] - resampled[:, [i]] - d
        scale = np.sqrt(np.mean(errors**2, axis=0))
        expected = np.mean((errors / scale).max(axis=1) >= np.max(d / scale) - 1e-9)
        # Four units that agree show no less than 1/16.
        assert outcome.pvalues[i] == pytest.approx(max(expected, 1 / 16), abs=0.01)


def test_the_studentized_bootstrap_by_listing_all_resamples():
    x = np.array([[3.0, 1.0, 2.5], [2.0, 2.5, 1.0], [4.0, 1.5, 3.0], [3.5, 3.0, 3.6]])
    outcome = compare_with_best(table(x), method="studentized", n_resamples=40_000, rng=4)
    for i in range(3):
        others = [j for j in range(3) if j != i]
        leads = x[:, others] - x[:, [i]]
        lead = leads.mean(axis=0)
        largest = []
        for rows in itertools.product(range(4), repeat=4):
            drawn = leads[list(rows)]
            with np.errstate(divide="ignore"):  # four times the same row
                t = (drawn.mean(axis=0) - lead) / (drawn.std(axis=0, ddof=1) / 2)
            largest.append(t.max())
        observed = np.max(lead / (leads.std(axis=0, ddof=1) / 2))
        expected = np.mean(np.array(largest) >= observed - 1e-9)
        assert outcome.pvalues[i] == pytest.approx(expected, abs=0.01)
    assert outcome.test.endswith("studentized bootstrap") and outcome.df is None


def test_the_default_is_the_more_careful_of_two_laws():
    x = np.random.default_rng(5).exponential(size=(40, 4)) + np.array([0.4, 0.3, 0, 0.1])
    by = {m: compare_with_best(table(x), method=m, n_resamples=999, rng=3) for m in METHODS}
    p = np.maximum(by["t"].pvalues, by["studentized"].pvalues)
    assert by["auto"].pvalues.tolist() == p.tolist()
    # Each of the two is the more careful one of some system.
    assert (p > by["t"].pvalues).any() and (p > by["studentized"].pvalues).any()
    critical = [by[m].critical_values() for m in ("t", "studentized")]
    assert by["auto"].critical_values().tolist() == np.maximum(*critical).tolist()
    d = x[:, [0]] - x[:, 1:]
    assert by["t"].skewness >= np.abs(stats.skew(d)).max() / math.sqrt(40) - 1e-12
    pairs = [x[:, a] - x[:, b] for a, b in itertools.combinations(range(4), 2)]
    assert by["auto"].skewness == pytest.approx(
        max(abs(stats.skew(d)) for d in pairs) / math.sqrt(40)
    )


@several
@given(few_levels())
def test_the_observed_best_may_be_best(x):
    outcome = compare_with_best(table(x), n_resamples=99, rng=0)
    assert outcome.names[int(np.argmax(x.mean(axis=0)))] in outcome.may_be_best(0.2)


@pytest.mark.parametrize("method", METHODS)
def test_a_constant_difference_claims_nothing(method):
    a = np.array([0.5, 0.7, 0.6, 0.65, 0.8, 0.7])
    outcome = compare_with_best(table({"a": a, "b": a + 0.01}), method=method, rng=0)
    assert np.isnan(outcome.pvalues).all()
    assert outcome.may_be_best() == ("a", "b")
    assert np.isnan(outcome.intervals()).all()
    assert np.isnan(outcome.critical_values(1e-9)).all()
    scores = {"a": a, "b": a + 0.01, "c": a - [5.0, 5.1, 4.9, 5.05, 5.0, 4.9]}
    third = compare_with_best(table(scores), method=method, rng=0)
    assert third.may_be_best() == ("a", "b")
    assert third.intervals()[2, 1] == 0 and third.intervals()[2, 0] < -4.5
    assert np.isnan(third.intervals()[:2, 0]).all()
    scores = {"a": a, "c": scores["c"], "d": scores["c"] - 0.01}
    behind = compare_with_best(table(scores), method=method, rng=0)
    assert behind.best() == "a"  # what c and d are to each other matters no more
    assert np.isfinite(behind.intervals()).all()


def test_pvalue_and_limits_agree_at_every_level():
    outcome = compare_with_best(
        table(normal_scores(9, means=[0, 0.2, 0.4, 0.5])), n_resamples=199, rng=0
    )
    for alpha in np.concatenate([outcome.pvalues, np.arange(1, 40) / 200]):
        alpha = float(min(alpha, 0.3))
        leads = -np.array(
            [
                np.delete((outcome.estimates[i] - outcome.estimates), i)
                / np.delete(outcome.standard_errors[i], i)
                for i in range(4)
            ]
        ).min(axis=1)
        within = leads <= outcome.critical_values(alpha) + 1e-12
        assert within.tolist() == (outcome.pvalues >= alpha).tolist()


def test_ordered_units_are_drawn_in_blocks():
    # Errors that last for 5 units: drawing single units would rule out far too much.
    rng = np.random.default_rng(10)
    x = np.repeat(rng.standard_normal((12, 2)), 5, axis=0)
    ordered = table(x, unit="instance", ordered=True)
    single, blocks = (
        compare_with_best(
            ordered, method="bootstrap", block_length=length, rng=0
        ).standard_errors[0, 1]
        for length in (1, 5)
    )
    d = x[:, 0] - x[:, 1]
    assert single == pytest.approx(d.std() / math.sqrt(60), rel=0.03)
    assert blocks == pytest.approx(d.std() / math.sqrt(12), rel=0.25)
    default = compare_with_best(ordered, method="bootstrap", rng=0)
    # The outer units come in few blocks, but are no less of the mean.
    x[[0, -1], 0] += 30
    outer = compare_with_best(
        table(x, unit="instance", ordered=True), method="bootstrap", block_length=15, rng=0
    )
    assert abs(outer.maxima[:, 0].mean()) < 0.05
    assert "instances further apart than 4 are independent of each other" in default.assumptions


def test_refusals():
    x = normal_scores(0)
    for ask in (compare_with_best, model_confidence_set):
        with pytest.raises(ValueError, match=f"{ask.__name__} needs every score, and 1 of the"):
            ask(table([[1, 2], [None, 1], [2, 3]], unit="dataset"))
        with pytest.raises(ValueError, match=f"{ask.__name__} needs the sizes of the splits"):
            ask(table(x, unit="split"))
        with pytest.raises(ValueError, match="splits share training rows"):
            ask(table(x, unit=None, n_repeats=1), method="bootstrap")
    with pytest.raises(ValueError, match="compare_with_best needs at least 2 seeds, got 1"):
        compare_with_best(table(x[:1]))
    with pytest.raises(ValueError, match="needs at least 3 splits, got 2"):
        compare_with_best(table(x[:2], unit=None, n_train=9, n_test=1))
    with pytest.raises(ValueError, match="method='z' is unknown; use 'auto', 't'"):
        compare_with_best(table(x), method="z")
    with pytest.raises(ValueError, match="n_resamples=0 must be a whole number"):
        compare_with_best(table(x), n_resamples=0)
    for method in ("t", "studentized"):
        with pytest.raises(ValueError, match="the instances are ordered"):
            compare_with_best(table(x, unit="instance", ordered=True), method=method)
    with pytest.raises(ValueError, match="block_length needs order"):
        compare_with_best(table(x), method="bootstrap", block_length=2)
    with pytest.raises(ValueError, match=r"block_length=7 must .* half the instances \(6\)"):
        compare_with_best(
            table(x, unit="instance", ordered=True), method="bootstrap", block_length=7
        )
    found = compare_with_best(table(x), n_resamples=9)
    with pytest.raises(ValueError, match="'OmnibusOutcome' is not a BestOutcome"):
        type(found).from_dict({**found.to_dict(), "type": "OmnibusOutcome"})
