"""Tests of ranks of all systems: worked numbers, SciPy, tables, formulas, rearrangements."""

import itertools
import json
import math
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import (
    AgreementTable,
    OmnibusOutcome,
    ScoreTable,
    cochran_q,
    friedman,
    largest_t,
    mcnemar,
    paired_t,
    repeated_measures_anova,
    skillings_mack,
)
from tests.cases import in_one_test

# Ranks of three algorithms on four data sets, one tie; worked by hand.
RANKS = np.array([[1, 2, 3], [1, 2.5, 2.5], [1, 2, 3], [1, 2, 3]])


table = partial(ScoreTable, unit="dataset")
of_seeds = partial(ScoreTable, unit="seed")
of_instances = partial(ScoreTable, unit="instance")


@st.composite
def scores(draw, n=(2, 8), k=(2, 6), levels=6):
    shape = draw(st.integers(*n)), draw(st.integers(*k))
    cells = st.lists(
        st.integers(0, levels), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]
    )
    return np.array(draw(cells)).reshape(shape)


def chi2_by_rank_sums(x):
    """Conover's formula, term by term."""
    ranks = stats.rankdata(-x, axis=1)
    n, k = x.shape
    c = n * k * (k + 1) ** 2 / 4
    squares = np.sum(ranks**2)
    if np.isclose(squares, c):
        return 0.0
    return (k - 1) * (np.sum(ranks.sum(axis=0) ** 2) - n * c) / (squares - c)


@pytest.mark.parametrize(
    "ties, chi2, f", [("corrected", 7.6, 57.0), ("uncorrected", 7.125, 171 / 7)]
)
def test_worked_numbers(ties, chi2, f):
    squared = friedman(table(-RANKS), statistic="chi2", ties=ties)
    assert squared.statistic == pytest.approx(chi2, rel=1e-14)
    assert squared.pvalue == pytest.approx(math.exp(-chi2 / 2))  # chi-squared with 2 df
    assert squared.df == 2
    assert squared.effect_sizes == pytest.approx(
        {"Kendall's W": chi2 / 8, "range of mean ranks": 2.875 - 1}
    )
    ratio = friedman(table(-RANKS), ties=ties)
    assert ratio.statistic == pytest.approx(f, rel=1e-14)
    assert ratio.df == (2, 6)
    # F with 2 and 6 df gives less than any rearrangement of these ranks can, 6 / (6^3 3).
    assert (1 + f / 3) ** -3 < ratio.pvalue
    assert ratio.pvalue == pytest.approx(1 / 108)
    assert ratio.critical_value(0.05) == pytest.approx(5.143, abs=5e-4)


@settings(max_examples=2 * settings.default.max_examples)
@given(scores(k=(3, 6)))
def test_scipy(x):
    assume(np.any(x != x[:, :1]))
    expected = stats.friedmanchisquare(*x.T)
    outcome = friedman(table(x), statistic="chi2")
    assert outcome.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert outcome.pvalue == pytest.approx(expected.pvalue)


@given(scores(n=(1, 4), k=(2, 4), levels=3), st.sampled_from(["corrected", "uncorrected"]))
def test_exact_pvalue_by_listing_all_arrangements(x, ties):
    arrangements = [list(itertools.permutations(row)) for row in x.tolist()]
    assume(math.prod(map(len, arrangements)) <= 1500)
    found = [chi2_by_rank_sums(np.array(a)) for a in itertools.product(*arrangements)]
    expected = np.mean(np.array(found) >= chi2_by_rank_sums(x) - 1e-9)
    outcome = friedman(table(x), statistic="exact", ties=ties)
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.df is None
    assert math.isnan(outcome.critical_value())


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("shape", [(4, 7), (2, 50), (30, 6), (400, 3), (2, 400)])
def test_too_many_arrangements(shape):
    x = np.random.default_rng(0).random(shape)
    with pytest.raises(ValueError, match=r"too many arrangements to count; use statistic='f'"):
        friedman(table(x), statistic="exact")


@pytest.mark.parametrize(
    "ranking, n, p",
    [
        ([3, 2, 1], 4, 6**-3),
        ([2, 1], 2, 1 / 2),
        ([4, 4, 1], 5, 3**-4),
        ([3, 3, 1, 1, 0], 3, 30**-2),
        (list(range(50)), 2, 1 / math.factorial(50)),
    ],
)
def test_perfect_agreement_is_judged_exactly(ranking, n, p):
    outcome = friedman(table([ranking] * n))
    assert outcome.statistic == math.inf
    assert outcome.pvalue == pytest.approx(p, rel=1e-11)
    assert outcome.df is None
    assert outcome.test == "Friedman test (all data sets agree)"
    assert outcome.effect_sizes["Kendall's W"] == 1
    if len(ranking) < 6:
        exact = friedman(table([ranking] * n), statistic="exact")
        assert exact.pvalue == pytest.approx(outcome.pvalue)


def test_no_pvalue_is_zero():
    x = np.tile(np.arange(10), (1000, 1))
    assert friedman(table(x)).pvalue > 0
    assert friedman(table(x), statistic="chi2").pvalue > 0
    x[0] = x[0, ::-1]
    assert friedman(table(x)).pvalue > 0
    assert friedman(table(x[:, :2]), statistic="exact").pvalue > 0


def f_in_full(x):
    """A, B and F as Conover writes them."""
    n, k = x.shape
    s = stats.rankdata(np.ptp(x, axis=1))[:, None] * (stats.rankdata(x, axis=1) - (k + 1) / 2)
    a, b = np.sum(s**2), np.sum(s.sum(axis=0) ** 2) / n
    if np.isclose(a, b):
        return math.inf if a else 0.0
    return (n - 1) * b / (a - b)


@pytest.mark.parametrize(
    "row, n, p", [([3, 1, 2], 3, 6**-2), ([1, 0], 4, 2**-3), ([4, 4, 1], 2, 1 / 3)]
)
def test_perfect_agreement_is_judged_exactly_of_quade(row, n, p):
    # Equal ranges: no unit has more say, and all of them agree.
    x = np.array([row] * n) / 10 + np.arange(n)[:, None] / 3
    outcome = friedman(table(x), ranking="quade")
    assert outcome.statistic == math.inf
    assert outcome.pvalue == pytest.approx(p)
    assert (outcome.df, outcome.test) == (None, "Quade test (all data sets agree)")
    assert outcome.effect_sizes["agreement of weighted mean ranks"] == 1
    found = []
    for drawn in itertools.product(*[list(itertools.permutations(row))] * n):
        found.append(f_in_full(np.array(drawn)) == math.inf)
    assert np.mean(found) == pytest.approx(p)


def test_sums_that_need_more_than_64_bits():
    x = np.random.default_rng(0).random((20_000, 2)) + np.array([0, 0.5])
    big = np.tile(x, (5, 1)) * np.repeat([1, 2, 3, 4, 5], 20_000)[:, None]
    assert friedman(table(big, unit="instance"), ranking="quade").statistic == pytest.approx(
        f_in_full(big)
    )


def t_in_full(x):
    """The published formula, from whole numbers: k times the aligned scores."""
    n, k = x.shape
    aligned = k * x - x.sum(axis=1, keepdims=True)
    ranks = stats.rankdata(-aligned.ravel()).reshape(n, k)
    squares = np.sum(ranks**2)
    above = np.sum(ranks.sum(axis=0) ** 2) - k * n**2 / 4 * (k * n + 1) ** 2
    below = squares - np.sum(ranks.sum(axis=1) ** 2) / k
    return (k - 1) * above / below if below > 1e-9 else 0.0


def test_by_hand():
    # Aligned: 2 0 -2 and 1 -1 0; ranks 1 3.5 6 and 2 5 3.5: sums 3, 8.5, 9.5.
    outcome = friedman(table([[5, 3, 1], [2, 0, 1]]), ranking="aligned")
    above = 3**2 + 8.5**2 + 9.5**2 - 3 * 4 / 4 * 49
    below = 90.5 - (10.5**2 + 10.5**2) / 3
    assert outcome.statistic == pytest.approx(2 * above / below)
    assert outcome.df == 2
    assert outcome.pvalue == pytest.approx(np.exp(-above / below))
    assert outcome.effect_sizes == pytest.approx(
        {
            "agreement of mean aligned ranks": above / below / 2,
            "range of mean aligned ranks": 6.5 / 2,
        }
    )


def test_float_noise_breaks_no_ties():
    # Thousandths, as published tables have them; whole numbers have no noise.
    counts = np.random.default_rng(8).integers(600, 640, (24, 4))
    expected = t_in_full(counts)
    noisy = counts / 1000 - (counts / 1000).mean(axis=1, keepdims=True)
    assert len(np.unique(noisy)) > len(np.unique(4 * counts - counts.sum(axis=1)[:, None]))
    for scale in (1, 1000, 7, 0.1):
        outcome = friedman(table(counts / scale), ranking="aligned")
        exact = friedman(table(counts), ranking="aligned")
        assert outcome.statistic == exact.statistic
        assert outcome.statistic == pytest.approx(expected)


NA = None


def test_balanced_incomplete_blocks_are_durbins_test():
    # Each of four data sets has three of four systems: D = 12 (k - 1) / (r k (t^2 - 1))
    # times the squared deviations of the rank sums, with r = 3 data sets per system.
    x = np.array([[1, 2, 3, NA], [4, 2, NA, 1], [5, NA, 6, 7], [NA, 1, 3, 2]], dtype=float)
    ranks = stats.rankdata(-x, axis=1, nan_policy="omit")
    t, of, r = 4, 3, 3
    sums = np.nansum(ranks, axis=0) - r * (of + 1) / 2
    durbin = 12 * (t - 1) / (r * t * (of - 1) * (of + 1)) * np.sum(sums**2)
    assert skillings_mack(table(x)).statistic == pytest.approx(durbin)


def test_systems_that_nothing_compares():
    apart = [[1, 2, NA, NA], [2, 1, NA, NA], [NA, NA, 3, 4], [NA, NA, 3, 1], [NA, 1, NA, NA]]
    named = table(apart, systems=["a", "b", "c", "d"])
    with pytest.raises(ValueError, match="no units connect c, d and a"):
        skillings_mack(named)
    # One data set that both sets share is enough, as is a chain.
    chained = skillings_mack(table([*apart, [NA, 1, 2, NA]]))
    assert chained.df == 3
    assert "ranking of the systems with a score is equally" in chained.null_hypothesis
    alone = [[1, 2, NA], [2, 1, NA], [NA, NA, 1]]
    with pytest.raises(ValueError, match="system 3 and system 1 *; leave one out"):
        skillings_mack(table(alone))


RNG = np.random.default_rng(8)
SCORES = RNG.normal(0.8, 0.05, (9, 4)) + np.arange(4) / 50
ALL = (
    friedman, partial(friedman, ranking="aligned"), partial(friedman, ranking="quade"),
    skillings_mack, repeated_measures_anova, largest_t, cochran_q,
)  # fmt: skip


def asked(test, scores, unit="dataset", **more):
    rng = {"rng": 0} if test in (largest_t, cochran_q) else {}
    return test(ScoreTable(np.asarray(scores), unit=unit, **more), **rng)


def scores_for(test):
    return SCORES if test is not cochran_q else (SCORES > 0.83).astype(float)


@in_one_test("test", ALL)
def test_neither_order_nor_sign_of_errors_matters(test):
    scores = scores_for(test)
    found = asked(test, scores)
    changed = [(scores[RNG.permutation(9)], {}), (scores[:, ::-1], {})]
    if test is not cochran_q:
        changed += [(1000 * scores + 7, {}), (-scores, {"higher_is_better": False})]
    for other, more in changed:
        again = asked(test, other, **more)
        assert again.statistic == pytest.approx(found.statistic, rel=1e-9)
        # Sign flips and permutations are drawn, for other units than before.
        assert again.pvalue == pytest.approx(found.pvalue, rel=1e-6, abs=0.02)


@in_one_test("test", ALL)
def test_systems_that_are_the_same_show_nothing(test):
    found = asked(test, np.tile(scores_for(test)[:, :1], 3))
    assert (found.statistic, found.pvalue) == (0, 1)
    assert all(math.isnan(size) or abs(size) < 1e-9 for size in found.effect_sizes.values())


@in_one_test("test", ALL)
def test_json_keeps_every_number(test):
    agreeing = np.tile([1, 1, 0], (9, 1)) if test is cochran_q else SCORES[:, :1] + [1, 2, 4]
    for scores in (scores_for(test), agreeing):
        found = asked(test, scores)
        state = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        restored = OmnibusOutcome.from_dict(state)
        assert restored.to_dict() == found.to_dict()
        for name in ("statistic", "pvalue", "effect_sizes"):
            np.testing.assert_equal(getattr(restored, name), getattr(found, name))


@in_one_test("test", ALL)
def test_words_name_units_and_systems(test):
    found = asked(test, scores_for(test), unit="instance" if test is cochran_q else "dataset")
    unit = "instance" if test is cochran_q else "data set"
    assert unit in found.estimand and unit in found.assumptions[0]
    assert found.names == tuple(f"system {i}" for i in range(1, 5)) and found.n_units == 9
    assert found.null_hypothesis and found.test and found.statistic_name


@in_one_test("test", ALL)
def test_splits_gaps_and_single_units_are_refused(test):
    scores = scores_for(test).copy()
    with pytest.raises(ValueError, match="independent"):
        asked(test, scores, unit="split", n_repeats=1)
    if test is not cochran_q:
        with pytest.raises(ValueError, match="at least 2"):
            asked(test, scores[:1])
    scores[2, 1] = np.nan
    if test is not skillings_mack:
        with pytest.raises(ValueError):
            asked(test, scores)


CORRECTIONS = ["greenhouse-geisser", "huynh-feldt", None]


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
    outcome = repeated_measures_anova(of_seeds(x), correction=correction)
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
    sample = of_seeds(np.array(rows))
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
    outcome = repeated_measures_anova(of_seeds(x), correction=correction)
    assert outcome.statistic == math.inf
    assert math.isnan(outcome.pvalue)
    assert outcome.df == (2, 10)
    assert outcome.effect_sizes["partial eta squared"] == 1
    assert math.isnan(outcome.effect_sizes["Greenhouse-Geisser epsilon"])


def test_two_units():
    x = normal(2, 4)
    outcome = repeated_measures_anova(of_seeds(x))
    assert outcome.effect_sizes["Greenhouse-Geisser epsilon"] == pytest.approx(1 / 3)
    assert math.isnan(outcome.effect_sizes["Huynh-Feldt epsilon"])
    assert outcome.df == pytest.approx((1, 1))
    with pytest.raises(ValueError, match="needs 3 seeds, got 2; use 'greenhouse"):
        repeated_measures_anova(of_seeds(x), correction="huynh-feldt")


def rows(min_systems, max_systems, max_units):
    return st.integers(min_systems, max_systems).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(0, 1), min_size=k, max_size=k), min_size=1, max_size=max_units
        )
    )


def q_by_variance(x):
    """Cochran's Q as he introduced it: spread of the columns over that within rows."""
    k = x.shape[1]
    columns, within = x.sum(axis=0), x.mean(axis=1)
    spread = np.sum(within * (1 - within)) * k / (k - 1)
    return np.sum((columns - columns.mean()) ** 2) / spread if spread else 0.0


def test_the_largest_possible_q_is_full_association():
    x = np.tile([1, 1, 0], (30, 1))
    assert cochran_q(of_instances(x)).effect_sizes["eta squared"] == pytest.approx(1)


@settings(max_examples=2 * settings.default.max_examples)
@given(rows(2, 5, 30))
def test_statistic_as_a_ratio_of_variances(x):
    x = np.array(x)
    outcome = cochran_q(of_instances(x), method="chi2")
    assert outcome.statistic == pytest.approx(q_by_variance(x), abs=1e-9)
    assert outcome.pvalue == pytest.approx(stats.chi2.sf(q_by_variance(x), x.shape[1] - 1))


@given(rows(2, 4, 6))
def test_exact_pvalue_by_counting_all_arrangements(x):
    x = np.array(x)
    outcome = cochran_q(of_instances(x), method="permutation")
    arrangements = [sorted(set(itertools.permutations(row))) for row in x.tolist()]
    assume(math.prod(map(len, arrangements)) <= 5000)
    found = [q_by_variance(np.array(drawn)) for drawn in itertools.product(*arrangements)]
    expected = np.mean(np.array(found) >= q_by_variance(x) - 1e-9)
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.test == "Cochran Q test (exact permutation)"
    assert (outcome.df, outcome.seed, outcome.monte_carlo_error) == (None, None, 0)
    assert math.isnan(outcome.critical_value())


@given(st.tuples(*[st.integers(0, 12)] * 4))
def test_two_systems_give_the_mcnemar_statistic(counts):
    assume(sum(counts) > 0)
    cells = [[1, 1], [1, 0], [0, 1], [0, 0]]
    outcome = cochran_q(of_instances(np.repeat(cells, counts, axis=0)), method="chi2")
    expected = mcnemar(AgreementTable(*counts), method="chi2")
    assert outcome.statistic == pytest.approx(expected.statistic)
    assert outcome.pvalue == pytest.approx(expected.pvalue)


@in_one_test("method", ["auto", "chi2", "permutation"])
@in_one_test("x", [np.ones((30, 3)), np.zeros((1, 2)), np.tile([[1], [0]], (9, 4))])
def test_no_instance_tells_the_systems_apart(method, x):
    outcome = cochran_q(of_instances(x), method=method)
    assert (outcome.statistic, outcome.pvalue) == (0, 1)
    assert outcome.effect_sizes == {"eta squared": 0, "range of accuracies": 0}
