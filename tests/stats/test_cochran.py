"""Cochran's Q against textbooks, other packages and all arrangements."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import (
    AgreementTable,
    OmnibusOutcome,
    PairedScores,
    ScoreTable,
    cochran_q,
    mcnemar,
)
from tests.cases import in_one_test

# Forecasts of twelve basketball games by three systems (Conover, 1999, Practical
# Nonparametric Statistics, 3rd ed., section 4.6, example 1): Q = 2.8.
GAMES = [
    [1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 1, 1],
    [1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 1, 1],
]  # fmt: skip
FOUR = [
    [0, 0, 0, 1], [1, 1, 1, 1], [1, 0, 0, 1], [1, 0, 0, 0], [1, 1, 0, 1],
    [1, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1], [0, 1, 1, 1],
    [1, 0, 1, 1], [1, 1, 0, 1], [1, 0, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1],
    [1, 1, 1, 1], [1, 0, 0, 1], [1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1],
]  # fmt: skip


def table(rows):
    return ScoreTable(rows, unit="instance")


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


def test_textbook_example():
    outcome = cochran_q(table(GAMES), method="chi2")
    assert outcome.statistic == pytest.approx(2.8)
    assert outcome.df == 2
    assert outcome.pvalue == pytest.approx(math.exp(-1.4))  # chi-squared with 2 df
    assert outcome.critical_value(0.05) == pytest.approx(5.991, abs=5e-4)
    assert outcome.n_units == 12
    assert outcome.names == ("system 1", "system 2", "system 3")
    assert outcome.effect_sizes == pytest.approx(
        {"eta squared": 2.8 / 24, "range of accuracies": 3 / 12}
    )


def test_another_package():
    # statsmodels 0.15.0, cochrans_q.
    outcome = cochran_q(table(FOUR))
    assert outcome.statistic == pytest.approx(6.894736842105263)
    assert outcome.df == 3
    assert outcome.pvalue == pytest.approx(0.0753296311914401)
    assert outcome.test == "Cochran Q test (chi-squared)"


def test_the_largest_possible_q_is_full_association():
    x = np.tile([1, 1, 0], (30, 1))
    assert cochran_q(table(x)).effect_sizes["eta squared"] == pytest.approx(1)


@settings(max_examples=2 * settings.default.max_examples)
@given(rows(2, 5, 30))
def test_statistic_as_a_ratio_of_variances(x):
    x = np.array(x)
    outcome = cochran_q(table(x), method="chi2")
    assert outcome.statistic == pytest.approx(q_by_variance(x), abs=1e-9)
    assert outcome.pvalue == pytest.approx(stats.chi2.sf(q_by_variance(x), x.shape[1] - 1))


@given(rows(2, 4, 6))
def test_exact_pvalue_by_counting_all_arrangements(x):
    x = np.array(x)
    outcome = cochran_q(table(x), method="permutation")
    arrangements = [sorted(set(itertools.permutations(row))) for row in x.tolist()]
    assume(math.prod(map(len, arrangements)) <= 5000)
    found = [q_by_variance(np.array(drawn)) for drawn in itertools.product(*arrangements)]
    expected = np.mean(np.array(found) >= q_by_variance(x) - 1e-9)
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.test == "Cochran Q test (exact permutation)"
    assert (outcome.df, outcome.seed, outcome.monte_carlo_error) == (None, None, 0)
    assert math.isnan(outcome.critical_value())


def test_exact_pvalue_of_more_arrangements_than_can_be_listed():
    # Two systems: the sign test on the instances they differ on, whatever their number.
    x = np.repeat([[1, 0], [0, 1], [1, 1]], [60, 35, 10], axis=0)
    exact = mcnemar(AgreementTable(10, 60, 35, 0), method="exact").pvalue
    assert cochran_q(table(x), method="permutation").pvalue == pytest.approx(exact)


@pytest.mark.long
def test_drawn_arrangements_agree_with_counted_ones():
    rng = np.random.default_rng(2)
    x = (rng.random((60, 8)) < np.linspace(0.45, 0.6, 8)).astype(int)
    first, again = (
        cochran_q(table(x), method="permutation", n_resamples=4999, rng=7) for _ in range(2)
    )
    assert first.pvalue == again.pvalue
    assert first.test == "Cochran Q test (drawn permutations)"
    assert first.pvalue * 5000 == pytest.approx(round(first.pvalue * 5000))
    assert first.monte_carlo_error == pytest.approx(
        math.sqrt(first.pvalue * (1 - first.pvalue) / 4999)
    )
    # Chi-squared is close with that many cells; the seed is not tuned to it.
    near = cochran_q(table(x), method="chi2").pvalue
    assert 0.02 < near < 0.98
    assert first.pvalue == pytest.approx(near, abs=5 * first.monte_carlo_error + 0.01)


def test_draws_never_prove_anything_for_certain():
    x = np.zeros((60, 8), dtype=int)
    x[:, 0] = 1
    # All arrangements of one winner per row are too many to count.
    x[::2, 1:4] = 1
    outcome = cochran_q(table(x), method="permutation", n_resamples=99, rng=0)
    assert outcome.seed is not None
    assert outcome.pvalue == 1 / 100


@given(st.tuples(*[st.integers(0, 12)] * 4))
def test_two_systems_give_the_mcnemar_statistic(counts):
    assume(sum(counts) > 0)
    cells = [[1, 1], [1, 0], [0, 1], [0, 0]]
    outcome = cochran_q(table(np.repeat(cells, counts, axis=0)), method="chi2")
    expected = mcnemar(AgreementTable(*counts), method="chi2")
    assert outcome.statistic == pytest.approx(expected.statistic)
    assert outcome.pvalue == pytest.approx(expected.pvalue)


@given(rows(3, 4, 8), st.sampled_from(["auto", "chi2", "permutation"]), st.randoms())
def test_neither_order_nor_agreement_matters(x, method, random):
    x = np.array(x)
    units, systems = list(range(len(x))), list(range(x.shape[1]))
    random.shuffle(units)
    random.shuffle(systems)
    padded = np.vstack([x[units][:, systems], np.ones_like(x[:2]), np.zeros_like(x[:1])])
    here, there = cochran_q(table(x), method=method), cochran_q(table(padded), method=method)
    assert (there.statistic, there.pvalue) == (here.statistic, here.pvalue)
    assert there.test == here.test


@in_one_test("method", ["auto", "chi2", "permutation"])
@in_one_test("x", [np.ones((30, 3)), np.zeros((1, 2)), np.tile([[1], [0]], (9, 4))])
def test_no_instance_tells_the_systems_apart(method, x):
    outcome = cochran_q(table(x), method=method)
    assert (outcome.statistic, outcome.pvalue) == (0, 1)
    assert outcome.effect_sizes == {"eta squared": 0, "range of accuracies": 0}


@pytest.mark.parametrize(
    "n, k, chosen",
    [(8, 3, "chi-squared"), (7, 3, "exact"), (4, 6, "chi-squared"), (3, 9, "exact")],
)
def test_small_tables_are_permuted(n, k, chosen):
    # Four rows and 24 cells that are not constant, by Tate & Brown (1970).
    x = np.zeros((n, k))
    x[np.arange(n), np.arange(n) % k] = 1
    x = np.vstack([x, np.ones((50, k))])
    assert chosen in cochran_q(table(x)).test


def test_a_tied_statistic_is_counted():
    # Every arrangement of one row gives the same Q.
    assert cochran_q(table([[1, 0, 0]]), method="permutation").pvalue == 1


def test_round_trip():
    rng = np.random.default_rng(0)
    for outcome in (
        cochran_q(table(FOUR)),
        cochran_q(table(GAMES)),
        cochran_q(table(rng.integers(0, 2, (60, 8))), method="permutation", n_resamples=99),
    ):
        state = json.loads(json.dumps(outcome.to_dict(), allow_nan=False))
        assert state["type"] == "OmnibusOutcome"
        before = json.dumps(state)
        restored = OmnibusOutcome.from_dict(state)
        assert json.dumps(state) == before
        assert restored.to_dict() == outcome.to_dict()
        assert (restored.names, restored.assumptions) == (outcome.names, outcome.assumptions)
        assert (restored.pvalue, restored.df) == (outcome.pvalue, outcome.df)


def omnibus(**fields):
    needed = {
        "test": "t",
        "estimand": "e",
        "null_hypothesis": "h",
        "statistic": 3.0,
        "pvalue": 0.1,
        "names": ("a", "b", "c"),
        "n_units": 4,
    }
    return OmnibusOutcome(**(needed | fields))


def test_omnibus_outcome_of_an_f_test():
    # W10: F with 2 and 6 degrees of freedom.
    outcome = omnibus(statistic_name="F", df=(2, 6))
    assert outcome.critical_value(0.05) == pytest.approx(5.143, abs=5e-4)
    restored = OmnibusOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert restored.df == (2, 6)


def test_omnibus_outcome_without_a_number():
    outcome = omnibus(statistic=math.inf, pvalue=math.nan, effect_sizes={"W": math.nan})
    state = json.loads(json.dumps(outcome.to_dict(), allow_nan=False))
    restored = OmnibusOutcome.from_dict(state)
    assert restored.statistic == math.inf
    assert math.isnan(restored.pvalue)
    assert math.isnan(restored.effect_sizes["W"])
    with pytest.raises(ValueError, match="not that of an OmnibusOutcome"):
        OmnibusOutcome.from_dict(state | {"type": "MeanOutcome"})


def test_unknown_choices():
    with pytest.raises(ValueError, match="method='exact' is unknown; use 'auto'"):
        cochran_q(table(GAMES), method="exact")
    with pytest.raises(ValueError, match="n_resamples=0 must be a whole number"):
        cochran_q(table(GAMES), n_resamples=0)
    with pytest.raises(ValueError, match="independent units, but unit='split'"):
        cochran_q(ScoreTable(GAMES, unit="split"))
    with pytest.raises(ValueError, match=r"svm\[1\] is 0.5, but every score must be 1"):
        cochran_q(ScoreTable({"tree": [1, 0], "svm": [1, 0.5]}, unit="instance"))
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        cochran_q(table(GAMES)).critical_value(5)


def test_pairs_of_the_table_follow_up():
    pair = table(GAMES).pair("system 2", "system 3")
    assert isinstance(pair, PairedScores)
    outcome = mcnemar(pair)
    assert (outcome.only_a, outcome.only_b) == (4, 1)
