"""Grouped instances: the clustered t test and the intraclass correlation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import PairedScores, clustered_t, intraclass_correlation, paired_t
from tests.cases import in_one_test

D = [0.3, -0.1, 0.4, 0.2, 0.0, 0.5, 0.1, -0.2, 0.3, 0.6]
D += [0.2, 0.1, -0.3, 0.4, 0.2, 0.7, 0.0, 0.1, 0.5, -0.1]
G = [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4, 5, 5, 5, 5, 5, 6, 6, 6]


def clustered(d, groups):
    return PairedScores(d, np.zeros(len(d)), groups=groups)


@st.composite
def grouped(draw):
    """Scores with three decimals, which tie and carry float noise, in six groups or more."""
    n = draw(st.integers(6, 30))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    a, b = rng.integers(0, draw(st.sampled_from([1, 1000])), (2, n), endpoint=True) / 1000
    groups = np.r_[np.arange(6), rng.integers(0, 8, n - 6)]
    return a, b, rng.permutation(groups)


several = settings(max_examples=settings.default.max_examples)


def bell_mccaffrey(d, groups):
    """Variance and degrees of freedom of the intercept, from hat matrix and residuals.

    Bell & McCaffrey (2002), eq. 3 and section 3, as written by Imbens & Kolesar (2016,
    Review of Economics and Statistics, 98(4), section IV.B): residuals of group s are
    multiplied by (I - H_ss)^(-1/2), and the degrees of freedom are those of
    Satterthwaite for independent errors, of the eigenvalues of G'G.
    """
    n = len(d)
    X = np.ones((n, 1))
    bread = np.linalg.inv(X.T @ X)
    hat = X @ bread @ X.T
    residuals = (np.eye(n) - hat) @ d
    variance, columns = 0.0, []
    for label in sorted(set(groups)):
        rows = np.flatnonzero(np.asarray(groups) == label)
        values, vectors = np.linalg.eigh(np.eye(len(rows)) - hat[np.ix_(rows, rows)])
        adjust = vectors @ np.diag(values**-0.5) @ vectors.T
        score = bread @ X[rows].T @ adjust
        variance += float((score @ residuals[rows])[0]) ** 2
        columns.append(((np.eye(n) - hat)[rows].T @ score.T)[:, 0])
    G = np.column_stack(columns)
    eigenvalues = np.linalg.eigvalsh(G.T @ G)
    return variance, eigenvalues.sum() ** 2 / (eigenvalues**2).sum()


@several
@given(data=grouped())
def test_variance_and_degrees_of_freedom_by_their_definition(data):
    a, b, groups = data
    variance, df = bell_mccaffrey(a - b, groups)
    outcome = clustered_t(PairedScores(a, b, groups=groups))
    assert outcome.standard_error == pytest.approx(math.sqrt(variance), rel=1e-9, abs=1e-12)
    assert outcome.df == pytest.approx(df, rel=1e-9)


def test_one_large_group_leaves_few_degrees_of_freedom():
    sizes = np.array([60, 2, 2, 2, 2, 2, 2, 2])
    groups = np.repeat(range(8), sizes)
    rng = np.random.default_rng(3)
    sample = clustered(rng.normal(size=len(groups)), groups)
    assert sample.n_effective == pytest.approx(74**2 / (60**2 + 7 * 4))
    assert clustered_t(sample).df < 2
    of_one_size = clustered(rng.normal(size=24), np.repeat(range(8), 3))
    assert of_one_size.n_effective == pytest.approx(8)
    assert clustered_t(of_one_size).df == 7


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_groups_of_one_are_the_paired_t_test(alternative):
    outcome = clustered_t(clustered(D, range_of(20)), alternative=alternative)
    expected = paired_t(PairedScores(D, np.zeros(20), unit="instance"), alternative=alternative)
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert outcome.confidence_interval(0.9) == pytest.approx(expected.confidence_interval(0.9))
    assert outcome.df == expected.df


def range_of(n):
    return list(range(n))


@in_one_test(
    "groups, message",
    [
        (G[:-1], "groups has 19 labels for 20 instances"),
        (np.zeros((20, 2)), r"groups must be one-dimensional, got shape \(20, 2\)"),
        ([math.nan, *G[1:]], r"groups\[0\] is missing"),
        (np.r_[np.nan, G[1:]], r"groups\[0\] is missing"),
        ([[1], *G[1:]], "groups must hold one label per row"),
        ([np.zeros(2), *G[1:]], "groups must hold one label per row"),
    ],
)
def test_bad_groups_are_refused(groups, message):
    with pytest.raises(ValueError, match=message):
        clustered(D, groups)


@pytest.mark.parametrize("n_groups", [1, 2, 5])
def test_too_few_groups_are_refused(n_groups):
    groups = np.arange(20) % n_groups
    message = f"clustered_t needs at least 6 groups, got {n_groups}.*more groups"
    with pytest.raises(ValueError, match=message):
        clustered_t(clustered(D, groups))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_constant_difference_is_no_proof(sign):
    b = np.array([0.3, 0.7, 0.9, 0.55] * 5)  # 0.35 - 0.3 is not 0.75 - 0.7
    outcome = clustered_t(PairedScores(b + sign * 0.05, b, groups=G))
    assert outcome.statistic == sign * math.inf
    assert math.isnan(outcome.pvalue)
    assert all(map(math.isnan, outcome.confidence_interval()))


@pytest.mark.parametrize("size", [2, 5])
def test_intraclass_correlation_of_equal_groups_by_the_f_statistic(size):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(9, 1)) + rng.normal(size=(9, size))
    f = stats.f_oneway(*x).statistic
    found = intraclass_correlation(x.ravel(), np.repeat(range(9), size))
    assert found == pytest.approx((f - 1) / (f + size - 1))


def test_intraclass_correlation_at_its_ends():
    groups = np.repeat(range(4), 3)
    assert intraclass_correlation(groups, groups) == 1
    opposite = np.tile([-1.0, 0.0, 1.0], 4)
    assert intraclass_correlation(opposite, groups) == pytest.approx(-1 / 2)
    for values, labels in (
        (opposite, np.zeros(12)),
        (opposite, range_of(12)),
        (np.full(12, 0.7), groups),
        (0.1 + 0.2 + np.zeros(12) + 1e-16 * groups, groups),
    ):
        assert math.isnan(intraclass_correlation(values, labels))
