"""Instances in groups or in time order: definitions, brute force, arithmetic by hand."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import signal, stats

from skstat.stats import (
    PairedScores,
    ScoreTable,
    clustered_t,
    diebold_mariano,
    intraclass_correlation,
    largest_t,
    paired_t,
)
from tests.cases import refusals

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
    outcome = clustered_t(clustered(D, range(20)), alternative=alternative)
    expected = paired_t(PairedScores(D, np.zeros(20), unit="instance"), alternative=alternative)
    assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
    assert outcome.confidence_interval(0.9) == pytest.approx(expected.confidence_interval(0.9))
    assert outcome.df == expected.df


test_bad_groups_are_refused = refusals([
    ((D, G[:-1]), "groups has 19 labels for 20 instances"),
    ((D, np.zeros((20, 2))), r"groups must be one-dimensional, got shape \(20, 2\)"),
    ((D, [math.nan, *G[1:]]), r"groups\[0\] is missing"),
    ((D, np.r_[np.nan, G[1:]]), r"groups\[0\] is missing"),
    ((D, [[1], *G[1:]]), "groups must hold one label per row"),
    ((D, [np.zeros(2), *G[1:]]), "groups must hold one label per row"),
], clustered)  # fmt: skip


@pytest.mark.parametrize("n_groups", [1, 2, 5])
def test_too_few_groups_are_refused(n_groups):
    groups = np.arange(20) % n_groups
    message = f"clustered_t needs at least 6 groups, got {n_groups}.*get more"
    with pytest.raises(ValueError, match=message):
        clustered_t(clustered(D, groups))


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
        (opposite, range(12)),
        (np.full(12, 0.7), groups),
        (0.1 + 0.2 + np.zeros(12) + 1e-16 * groups, groups),
    ):
        assert math.isnan(intraclass_correlation(values, labels))


rng = np.random.default_rng(5)
SIZES = np.array([1, 4, 2, 7, 3, 3, 5, 2])
GROUPS = np.repeat(np.arange(8), SIZES)
SCORES = rng.normal(size=(len(GROUPS), 3)) + rng.normal(size=8)[GROUPS, None]
TABLE = ScoreTable(SCORES, systems=["a", "b", "c"], groups=GROUPS)


def test_flips_of_groups_are_those_of_all_patterns():
    found = largest_t(TABLE, rng=0)  # 2^8 patterns
    sums = np.array([SCORES[group == GROUPS].sum(axis=0) for group in range(8)])
    n, sizes = len(GROUPS), SIZES.astype(float)

    def largest(signs):
        flipped = sums * signs[:, None]
        best = 0.0
        for a, b in ((0, 1), (0, 2), (1, 2)):
            d = flipped[:, a] - flipped[:, b]
            mean = d.sum() / n
            variance = 8 / 7 * np.sum((d - sizes * mean) ** 2) / n**2
            best = max(best, abs(mean) / np.sqrt(variance))
        return best

    observed = largest(np.ones(8))
    patterns = 1 - 2 * (np.arange(256)[:, None] >> np.arange(8) & 1)
    every = [largest(signs) for signs in patterns]
    assert found.statistic == pytest.approx(observed, rel=1e-9)
    assert found.pvalue == np.mean(np.array(every) >= observed * (1 - 1e-9))


test_what_does_not_fit_a_table_is_refused = refusals([
    ({"groups": GROUPS, "unit": "instance"}, "unit='instance' does not fit"),
    ({"groups": GROUPS, "ordered": True}, "ordered=True does not fit"),
    ({"groups": GROUPS, "datasets": ["x"] * 27}, "name 'x' twice"),
    ({"groups": GROUPS[1:]}, "26 labels for 27 instances"),
    ({"groups": [None, *GROUPS[1:].tolist()]}, r"groups\[0\] is missing"),
], partial(ScoreTable, SCORES))  # fmt: skip


def test_ranks_and_wins_are_those_of_the_groups_own_means():
    means = np.array([SCORES[group == GROUPS].mean(axis=0) for group in range(8)])
    expected = 1 + (means[:, :, None] < means[:, None, :]).sum(axis=2)
    np.testing.assert_array_equal(TABLE.ranks, expected)
    assert TABLE.wins()[0, 1] == (means[:, 0] > means[:, 1]).sum()
    # A small group in which the worse system is the better one: its score hides that.
    a, b = np.r_[np.ones(20), 0.0], np.r_[np.zeros(20), 1.0]
    table = ScoreTable({"a": a, "b": b}, groups=np.r_[np.arange(20) // 10, 9])
    assert table.wins().tolist() == [[0, 2], [1, 0]]
    assert table.ties().tolist() == [[3, 0], [0, 3]]


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


def test_the_test_by_cosines_from_its_parts():
    outcome = diebold_mariano(series(D))
    # The products of neighbours over the squares: -0.280, and (20 r + 1) / 17 is negative.
    assert (outcome.law.autocorrelation, outcome.law.expected_bias, outcome.df) == (0, 0, 3)
    t = np.arange(20) + 0.5
    coefficients = [np.cos(math.pi * j * t / 20) @ np.array(D) for j in (1, 2, 3)]
    error = math.sqrt(2 / 20 * np.mean(np.square(coefficients)) / 20)
    assert outcome.standard_error == pytest.approx(error)
    assert outcome.pvalue == pytest.approx(2 * stats.t.sf(0.195 / error, 3))


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
