"""Intervals of ranks and their stability, against their definitions."""

from itertools import permutations

import numpy as np

from skstat.stats import ScoreTable, nemenyi, paired_t, pairwise, rank_intervals, rank_stability
from tests.cases import in_one_test, refusals


def table_of(scores, **options):
    return ScoreTable(np.asarray(scores, dtype=float), unit="instance", **options)


def random_table(rng, k=5, n=40):
    return table_of(rng.normal(size=(n, k)) + rng.choice([0, 0.5, 1.5], k))


def orders_that_agree(pairwise, alpha):
    """Rankings, with ties, that no significant pair contradicts."""
    names = pairwise.names
    decided = []
    for (a, b), p, outcome in zip(
        pairwise.pairs, pairwise.adjusted_pvalues, pairwise.outcomes, strict=True
    ):
        if p < alpha:
            decided.append((a, b) if outcome.direction > 0 else (b, a))
    for order in permutations(range(len(names))):
        place = dict(zip(names, order, strict=True))
        if all(place[winner] < place[loser] for winner, loser in decided):
            yield {name: 1 + number for name, number in place.items()}


@in_one_test("seed", range(6))
def test_intervals_hold_the_ranks_of_every_order_that_agrees_with_the_verdicts(seed):
    found = pairwise(random_table(np.random.default_rng(seed)), paired_t)
    intervals = rank_intervals(found, 0.9)
    orders = list(orders_that_agree(found, 0.1))
    assert orders
    for name in found.names:
        ranks = [order[name] for order in orders]
        assert intervals[name].low <= min(ranks) and max(ranks) <= intervals[name].high
        better = sum(
            p < 0.1 and name in pair and (outcome.direction > 0) == (pair[1] == name)
            for pair, p, outcome in zip(
                found.pairs, found.adjusted_pvalues, found.outcomes, strict=True
            )
        )
        assert intervals[name].low == 1 + better


def intervals_of(**options):
    return rank_intervals(pairwise(table_of(np.eye(4)), paired_t, **options))


test_intervals_need_all_pairs_in_both_directions = refusals([
    (lambda: intervals_of(control="system 1"), "all pairs"),
    (lambda: intervals_of(alternative="greater"), "two-sided"),
    (lambda: intervals_of(adjustment="fdr_bh"), "family-wise"),
    (lambda: rank_intervals(nemenyi(ScoreTable(np.eye(4), unit="dataset"), control="system 1")),
     "all pairs"),
])  # fmt: skip


def test_resampled_ranks_are_those_of_drawn_rows():
    table = table_of(np.random.default_rng(1).normal([0, 0.1, 0.4], 1, (60, 3)))
    found = rank_stability(table, n_resamples=4000, rng=0)
    assert found.counts.sum(axis=1).tolist() == [4000] * 3
    rng = np.random.default_rng(2)
    rows = rng.integers(0, 60, (4000, 60))
    means = table.scores[rows].mean(axis=1)
    drawn = 1 + (means[:, None, :] > means[:, :, None]).sum(axis=2)
    for system in range(3):
        for rank in range(3):
            share = np.mean(drawn[:, system] == rank + 1)
            # Two shares of 4000 draws; 5 standard errors.
            assert abs(found.counts[system, rank] / 4000 - share) < 5 * np.sqrt(0.5 / 4000)


def test_without_a_part_is_the_ranking_of_the_rest():
    rng = np.random.default_rng(4)
    scores, parts = rng.normal(size=(50, 4)), rng.choice(["x", "y", "z"], 50)
    found = rank_stability(table_of(scores), parts=parts, n_resamples=10, rng=0)
    assert sorted(found.parts) == ["x", "y", "z"]
    for part, ranks in zip(found.parts, found.without, strict=True):
        means = scores[parts != part].mean(axis=0)
        assert ranks.tolist() == [1 + int((means > own).sum()) for own in means]
    for column, name in enumerate(found.names):
        low, high = found.without_one[name]
        assert (low, high) == (found.without[:, column].min(), found.without[:, column].max())


FOUR = table_of(np.eye(4))
test_what_cannot_be_resampled_is_refused = refusals([
    ((ScoreTable(np.eye(4), n_train=9, n_test=3),), "independent units"),
    ((ScoreTable(np.eye(4), unit="instance", ordered=True),), "time order"),
    ({"table": FOUR, "parts": [1, 1, 1, 1]}, "one part"),
    ({"table": FOUR, "parts": [1, 2]}, "4 units"),
    ((table_of(np.ones((1, 2))),), "at least 2"),
    ({"table": FOUR, "n_resamples": 0}, "n_resamples"),
], rank_stability)  # fmt: skip
