"""Differences of many pairs at once, against those of each pair alone."""

from itertools import combinations

import numpy as np
from scipy import stats

from skstat.stats import ScoreTable, effect_sizes
from skstat.stats._samples import pairs_of_table, signed_rows
from tests.cases import in_one_test

RNG = np.random.default_rng(11)


def tables():
    smooth = RNG.normal(0.8, 0.05, (13, 7))
    coarse = RNG.integers(0, 4, (10, 7)) / 4
    noisy = coarse + 1e-17 * RNG.integers(-3, 3, coarse.shape) + 1e-13 * RNG.normal(size=7)
    constant = np.column_stack([smooth[:, 0], smooth[:, 0] + 0.1, smooth[:, 0], smooth[:, 1]])
    skewed = np.exp(6 * RNG.normal(size=(9, 7)))
    # Of near sizes the noise of the larger score decides, whichever is the smaller size.
    level = np.tile([1e4, 0.3], 5)[:, None]
    uneven = level + np.arange(4) * 0.1 * (1 + 1e-7 * RNG.integers(0, 3, (10, 4)))
    return [smooth, coarse, noisy, constant, skewed, uneven, RNG.normal(size=(2, 3))]


@in_one_test("scores", tables())
def test_the_same_numbers_as_of_each_pair(scores):
    table = ScoreTable(scores, unit="seed")
    first, second = np.array(list(combinations(range(scores.shape[1]), 2))).T
    found = pairs_of_table(table.scores, first, second)
    for place, (i, j) in enumerate(zip(first, second, strict=True)):
        pair = table.pair(table.names[i], table.names[j])
        effects, differences = effect_sizes(pair), pair.differences
        assert found.means[place] == np.mean(differences)
        assert found.identical[place] == pair.identical
        assert found.shares_equal[place] == np.mean(differences == 0)
        assert found.shares_won[place] == effects["common-language"]
        assert found.rank_biserial[place] == effects["rank-biserial"]
        assert found.spreads[place] == np.std(differences, ddof=1)
        assert found.varies[place] == (np.std(differences, ddof=1) > pair.resolution)


@in_one_test("scores", tables())
def test_ranks_and_averages_are_those_of_each_pair(scores):
    table = ScoreTable(scores, unit="seed")
    first, second = np.array(list(combinations(range(scores.shape[1]), 2))).T
    found = pairs_of_table(table.scores, first, second)
    for place, (i, j) in enumerate(zip(first, second, strict=True)):
        pair = table.pair(table.names[i], table.names[j])
        steps, differences = pair.steps[pair.steps != 0], pair.differences
        ranks = stats.rankdata(np.abs(steps))
        assert found.n_equal[place] == np.sum(pair.steps == 0)
        assert found.n_won[place] == np.sum(steps > 0)
        assert found.rank_sums[place] == ranks[steps > 0].sum()
        assert found.rank_squares[place] == np.sum(ranks**2)
        assert (place in found.ties) == (len(np.unique(ranks)) < len(ranks))
        sums = (differences[:, None] + differences)[np.tri(len(differences), dtype=bool)]
        assert found.n_above[place] == np.sum(sums > 0)
        assert found.n_below[place] == np.sum(sums < 0)


@in_one_test("scores", tables())
def test_every_unit_is_that_of_each_pair(scores):
    table = ScoreTable(scores, unit="seed")
    first, second = np.array(list(combinations(range(scores.shape[1]), 2))).T
    found = signed_rows(table.scores, first, second)
    for place, (i, j) in enumerate(zip(first, second, strict=True)):
        pair = table.pair(table.names[i], table.names[j])
        np.testing.assert_array_equal(found.differences[place], pair.differences)
        np.testing.assert_array_equal(found.ranks[place], stats.rankdata(np.abs(pair.steps)))


def test_pairs_with_ties_of_the_same_ranks_are_alike():
    columns = [[0, 0, 0, 0], [1, 1, 4, 6], [2, 7, 2, 8], [3, 5, 5, 0], [1, 2, 4, 7]]
    scores = np.array(columns).T / 10
    first, second = np.zeros(4, dtype=int), np.arange(1, 5)
    found = pairs_of_table(scores, first, second).ties
    assert set(found) == {0, 1, 2} and found[0] == found[1] != found[2]
