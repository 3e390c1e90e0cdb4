"""Cost differences: sign flips."""

import itertools
import math

import numpy as np
import pytest

from skstat.stats import PairedScores, cost, sign_flip

ALTERNATIVES = ["two-sided", "less", "greater"]
DIFFERENCES = np.array([0, 5, 0, 5, -5, 1, 5, -1, 5, 1, 0, 0, -8, 2, 3.0])


def sample(differences, unit="instance"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_flips_of_the_studentised_mean_by_counting(alternative):
    d = np.array([5, 0, -1, 5, 1, -8, 2, 3, 1.0])

    def t(values):
        return values.mean() / (values.std(ddof=1) / math.sqrt(len(values)))

    flips = [t(d * signs) for signs in itertools.product([1, -1], repeat=len(d))]
    side = {"two-sided": abs, "greater": float, "less": lambda x: -x}[alternative]
    extreme = np.mean([side(x) >= side(t(d)) - 1e-9 for x in flips])
    outcome = cost(sample(d), alternative=alternative)
    assert outcome.pvalue == pytest.approx(extreme)
    assert outcome.estimate == pytest.approx(d.mean())
    plain = sign_flip(sample(d), alternative=alternative)
    assert outcome.confidence_interval() == plain.confidence_interval()
    assert outcome.test == "studentised sign-flip test of costs (exact)"


def test_unknown_choices():
    with pytest.raises(ValueError, match="alternative='bigger'"):
        cost(sample(DIFFERENCES), alternative="bigger")
    of_groups = cost(sample(DIFFERENCES, "group"))
    assert of_groups.pvalue == cost(sample(DIFFERENCES)).pvalue
    for unit in ("split", "seed", "dataset"):
        with pytest.raises(ValueError, match=f"instances or groups, but unit='{unit}'"):
            cost(sample(DIFFERENCES, unit))
    with pytest.raises(ValueError, match="n_resamples"):
        cost(sample(DIFFERENCES), n_resamples=0)
