"""The largest lead over each of very many systems."""

from functools import partial

import numpy as np
import pytest

from skstat import compare_scores
from skstat.stats import PairedScores, ScoreTable, compare_with_best, corrected_t, paired_t

largest_lead = partial(compare_with_best, method="lead")
RNG = np.random.default_rng(6)
SCORES = RNG.normal(0.8, 0.02, (12, 40)) + np.linspace(0, 0.06, 40)
SPLITS = {"unit": "split", "n_train": 90, "n_test": 10}


@pytest.mark.parametrize(
    "units, test",
    [({"unit": "seed"}, paired_t), (SPLITS, corrected_t)],
    ids=["seeds", "splits"],
)
def test_of_two_systems_it_is_the_t_test(units, test):
    a, b = SCORES[:, 20], SCORES[:, 22]
    alone = test(PairedScores(a, b, **units), alternative="less")
    found = largest_lead(ScoreTable({"a": a, "b": b}, **units), n_resamples=40_000, rng=0)
    # In one direction, and the best of the two is never ruled out.
    behind = int(np.argmin(found.estimates))
    expected = alone.pvalue if behind == 0 else 1 - alone.pvalue
    assert found.pvalues[behind] == pytest.approx(expected, abs=0.01)
    assert found.pvalues[1 - behind] == 1


def test_it_agrees_with_a_standard_error_for_every_pair_where_all_vary_alike():
    table = ScoreTable(SCORES[:, ::8], unit="dataset")
    found = largest_lead(table, rng=0).pvalues
    other = compare_with_best(table, method="t", rng=0).pvalues
    np.testing.assert_allclose(found[other < 0.5], other[other < 0.5], atol=0.12)
    assert largest_lead(table, rng=0).may_be_best(0.05)[-1] == "system 5"


def test_what_does_not_vary_is_not_judged():
    first = SCORES[:, 39]
    scores = np.column_stack([first, first, first - 0.1, SCORES[:, 0] - 1])
    found = largest_lead(ScoreTable(scores, unit="dataset"), rng=0)
    assert found.pvalues[:2].tolist() == [1, 1]
    assert np.isnan(found.pvalues[2]) and found.pvalues[3] < 0.001
    assert found.may_be_best() == ("system 1", "system 2", "system 3")


def test_ten_thousand_systems_need_no_pairs():
    scores = RNG.normal(0.8, 0.01, (10, 10_000))
    scores[:, 7] += 0.1
    table = ScoreTable(scores, unit="dataset")
    assert largest_lead(table, n_resamples=999, rng=0).best() == "system 8"
    with pytest.raises(ValueError, match="49995000 pairs, too many"):
        compare_scores(table)
