"""Tests of signs and signed ranks of all pairs at once, against that of each pair alone."""

from functools import partial, wraps
from itertools import combinations

import numpy as np
import pytest

from skstat.stats import ScoreTable, pairwise, sign, wilcoxon
from skstat.stats._outcomes import OutcomeFamily
from skstat.stats._paired.sign import SignFamily
from skstat.stats._paired.signed_rank_family import SignedRankFamily

RNG = np.random.default_rng(1)


def tables():
    smooth, many = RNG.normal(0.8, 0.05, (30, 5)), RNG.normal(0.8, 0.05, (250, 4))
    # Between exact and normal, by how many scores are equal.
    between = RNG.normal(0.8, 0.05, (205, 4)).round(2)
    odd = smooth[:9].copy()
    odd[:, 1], odd[:, 2] = odd[:, 0], odd[:, 0] + 0.1
    return {
        "smooth": smooth,
        "ties": smooth.round(2),
        "normal": many,
        "normal, ties": many.round(2),
        "between": between,
        "odd": odd,
        "two": smooth[:2],
        "other sizes": smooth[:12] * 10.0 ** RNG.integers(-4, 4, (12, 1)),
    }


FAMILIES = {wilcoxon: SignedRankFamily, sign: SignFamily}


@pytest.mark.parametrize("test", FAMILIES)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("scores", tables().values(), ids=tables())
def test_the_numbers_of_every_pair_to_the_last_bit(scores, alternative, test):
    table = ScoreTable(scores, unit="dataset")
    found = pairwise(table, test, alternative=alternative).outcomes
    assert isinstance(found, FAMILIES[test])
    pairs = combinations(table.names, 2)
    alone = [test(table.pair(a, b), alternative=alternative) for a, b in pairs]
    for name, of_one in {
        "pvalues": "pvalue",
        "statistics": "statistic",
        "directions": "direction",
        "smallest_pvalues": "smallest_pvalue",
    }.items():
        expected = [getattr(outcome, of_one) for outcome in alone]
        np.testing.assert_array_equal(getattr(found, name), expected, err_msg=name)
    assert [outcome.to_dict() for outcome in found] == [one.to_dict() for one in alone]
    for words in ("test", "null_hypothesis", "assumptions", "estimand"):
        assert found.distinct(words) == tuple(dict.fromkeys(getattr(o, words) for o in alone))
    for levels in RNG.choice([0.5, 0.8, 0.95, 0.99, 0.999999, 1], (3, len(alone))):
        # By the limits themselves.
        expected = OutcomeFamily.beside_zero(found, levels)
        np.testing.assert_array_equal(found.beside_zero(levels), expected)


@wraps(wilcoxon)
def wrapped(sample, **options):
    return wilcoxon(sample, **options)


@pytest.mark.parametrize("test", [partial(wilcoxon, zero_method="wilcox"), wrapped])
def test_what_stands_for_the_test_is_asked_itself(test):
    table = ScoreTable(tables()["ties"], unit="dataset")
    found = pairwise(table, test)
    assert not isinstance(found.outcomes, SignedRankFamily)
    expected = [test(table.pair(*pair)).pvalue for pair in found.pairs]
    assert found.pvalues.tolist() == expected


def test_tables_with_gaps_are_compared_pair_by_pair():
    scores = tables()["smooth"]
    scores[0, 0] = np.nan
    found = pairwise(ScoreTable(scores, unit="dataset"), wilcoxon, missing="drop")
    assert not isinstance(found.outcomes, SignedRankFamily)
    assert len(found.outcomes[0].differences) == 29


def test_an_outcome_is_built_for_the_pair_that_is_asked_for():
    found = pairwise(ScoreTable(tables()["smooth"], unit="dataset"), wilcoxon)
    assert set(found.outcomes._known) == {0}  # it names the test
    assert found["system 2", "system 4"].estimate and len(found.outcomes._known) == 2
