"""How many units a verdict rests on, against all subsets, and against the definition."""

import math
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat.metrics import as_metric
from skstat.stats import (
    AgreementTable,
    PairedScores,
    Predictions,
    mcnemar,
    paired_permutation,
    paired_t,
    sign,
    sign_flip,
    sturdiness,
    wilcoxon,
)
from tests.cases import in_one_test

LAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy": lambda rng, n: rng.standard_t(2, size=n),
    "skewed": lambda rng, n: rng.exponential(size=n) - 0.4,
    "coarse": lambda rng, n: rng.integers(-2, 3, size=n) / 2,
}
TESTS = {
    "t": paired_t,
    "one-sided t": partial(paired_t, alternative="greater"),
    "wilcoxon": wilcoxon,
    "sign": sign,
    "flips": partial(sign_flip, rng=0),
}


def scores(differences, unit="dataset"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def significant(name, law, number):
    """Return differences that are significant, of a few data sets."""
    rng = np.random.default_rng([number, *map(ord, name + law)])
    for _ in range(500):
        found = LAWS[law](rng, int(rng.integers(6, 9))) + rng.choice([0.6, 1, 1.5])
        found *= 1 if name == "one-sided t" else rng.choice([-1, 1])
        if TESTS[name](scores(found)).pvalue < 0.05:
            return found
    raise AssertionError("nothing significant was drawn")


def by_all_subsets(differences, test):
    """Return the size of the smallest set without which the test does not reject."""
    n = len(differences)
    for k in range(1, n - 1):
        for places in combinations(range(n), k):
            try:
                outcome = test(scores(np.delete(differences, places)))
            except ValueError:
                return k
            if outcome.pvalue >= 0.05:  # nan: nothing varies, and nothing is turned
                return k
    return None


@pytest.mark.long(keep=5)
@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize("law", LAWS)
def test_no_smaller_set_turns_it(name, law):
    for number in range(4):
        differences, test = significant(name, law, number), TESTS[name]
        found = sturdiness(scores(differences), test)
        assert found.n_to_undecide == by_all_subsets(differences, test)
        rest = np.delete(differences, found.places)
        if len(found.places) == found.n_to_undecide and len(rest) > 2:
            assert test(scores(rest)).pvalue >= 0.05


@in_one_test("both, only_a, only_b, neither", [(5, 9, 1, 2), (0, 14, 3, 0), (3, 2, 12, 9)])
def test_counts_against_all_tables(both, only_a, only_b, neither):
    table = AgreementTable(both, only_a, only_b, neither)
    for method in ("midp", "exact", "chi2", "edwards"):
        test = partial(mcnemar, method=method)
        if not test(table).pvalue < 0.05:
            continue
        smaller = [
            (table.n_units - a - b - c - d, a, b, c, d)
            for a in range(both + 1)
            for b in range(only_a + 1)
            for c in range(only_b + 1)
            for d in range(neither + 1)
            if a + b + c + d
        ]
        turned = min(
            k for k, *cells in smaller if not test(AgreementTable(*cells)).pvalue < 0.05
        )
        found = sturdiness(table, test)
        assert (found.n_to_undecide, found.is_exact) == (turned, True)
        assert found.n_to_reverse == abs(only_a - only_b)


@in_one_test("law", LAWS)
def test_the_numbers_are_those_of_the_definition(law):
    """Scipy's t test rejects without any one less of them, and not without these."""
    rng = np.random.default_rng(7)
    x = LAWS[law](rng, 150)
    x = x - x.mean() + 3.4 * x.std() / math.sqrt(len(x))
    found = sturdiness(scores(x), paired_t)
    assert scipy_stats.ttest_1samp(np.delete(x, found.places), 0).pvalue >= 0.05
    order = np.argsort(-x)
    k = found.n_to_reverse
    assert x[order[k:]].sum() <= 1e-9 < x[order[k - 1 :]].sum()
    assert found.is_exact
    for _ in range(200):  # no random set of one less does
        chosen = order[rng.permutation(2 * found.n_to_undecide)[: found.n_to_undecide - 1]]
        assert scipy_stats.ttest_1samp(np.delete(x, chosen), 0).pvalue < 0.05


def test_what_does_not_reject_has_nothing_to_turn():
    found = sturdiness(scores([0.1, -0.2, 0.3, 0.0]), paired_t)
    assert (found.n_to_undecide, found.n_to_reverse) == (0, 0)


@in_one_test("beside", ["groups", "sample_weight", "strata", "order"])
def test_rows_that_are_no_plain_units_are_refused(beside):
    y = np.arange(24) % 2
    pair = Predictions(
        y, {"a": y, "b": 1 - y}, as_metric("f1"), **{beside: np.arange(24) // 2 % 8 + 1}
    )
    with pytest.raises(TypeError, match="no units can be left out"):
        sturdiness(pair, paired_permutation)
