"""Outcomes of many pairs, asked as arrays and one by one."""

import pickle

import numpy as np
import pytest

from skstat.stats import ScoreTable, paired_t, pairwise
from skstat.stats._outcomes import OutcomeFamily, family_of

RNG = np.random.default_rng(3)
FOUND = pairwise(
    ScoreTable(RNG.normal(size=(8, 4)), unit="seed"), paired_t, alternative="greater"
)


class Lazy(OutcomeFamily):
    def __init__(self):
        self.built = []

    def __len__(self):
        return len(FOUND.pairs)

    def _built(self, place):
        self.built.append(place)
        return FOUND.outcomes[place]


@pytest.mark.parametrize("outcomes", [FOUND.outcomes, list(FOUND.outcomes), Lazy()])
def test_arrays_are_the_numbers_of_the_outcomes(outcomes):
    family = family_of(outcomes)
    for name, of_one in {
        "estimates": "estimate",
        "standard_errors": "standard_error",
        "statistics": "statistic",
        "pvalues": "pvalue",
        "smallest_pvalues": "smallest_pvalue",
        "directions": "direction",
    }.items():
        expected = [getattr(outcome, of_one) for outcome in FOUND.outcomes]
        np.testing.assert_array_equal(getattr(family, name), expected)
    low, high = family.limits(0.9)
    expected = [outcome.confidence_interval(0.9) for outcome in FOUND.outcomes]
    np.testing.assert_array_equal(np.column_stack([low, high]), expected)
    assert family.distinct("alternative") == ("greater",)


def test_only_what_is_asked_for_is_built_and_once():
    lazy = Lazy()
    assert lazy[-1] is lazy[5] and lazy.built == [5]
    assert lazy[1:3] == FOUND.outcomes[1:3] and lazy.built == [5, 1, 2]
    with pytest.raises(IndexError):
        lazy[6]


def test_a_family_is_sent_to_other_processes_as_its_outcomes():
    sent = pickle.loads(pickle.dumps(Lazy()))
    assert not isinstance(sent, Lazy) and len(sent) == len(FOUND.pairs)
    assert [one.pvalue for one in sent] == FOUND.pvalues.tolist()
