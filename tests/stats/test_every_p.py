"""Without variance: a p-value is a probability, or none with a reason."""

import inspect
import math

import numpy as np
import pytest

from skstat import stats
from skstat.stats import PairedScores, SeedScores

PROCEDURES = {
    name: found
    for name in stats.__all__
    if inspect.isfunction(found := getattr(stats, name)) and hasattr(found, "__wrapped__")
}
FOLDS = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]])


def degenerate(n):
    base = np.linspace(0.125, 0.875, n)
    yield base, base
    yield np.ones(n), np.ones(n)
    yield base + 0.125, base
    yield np.ones(n), np.zeros(n)
    yield base + 0.25 * (np.arange(n) == 0), base
    yield base + np.where(np.arange(n) % 2, 0.125, -0.125), base


def samples(a, b):
    n = len(a)
    for unit in ("instance", "seed", "dataset"):
        yield PairedScores(a, b, unit=unit)
    yield PairedScores(a, b, unit="instance", ordered=True)
    yield SeedScores({"a": a, "b": b})
    if n > 1:
        yield PairedScores(a, b, n_train=10, n_test=5)
    if n == 10:
        yield PairedScores(a, b, n_repeats=5)
    if n == 12:
        blocks = np.reshape(a, (3, 4)), np.reshape(b, (3, 4))
        yield PairedScores(a, b, n_blocks=4)
        yield PairedScores(a, b, groups=np.arange(12) // 2)
        for paired in (False, True):
            yield SeedScores({"a": blocks[0], "b": blocks[1]}, paired_seeds=paired)
        yield PairedScores.from_row_scores(*blocks, FOLDS)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n", [1, 2, 3, 10, 12])
@pytest.mark.filterwarnings("ignore")
def test_every_p_is_a_probability_or_nan_with_a_reason(n):
    n_asked = 0
    for sample in (each for ends in degenerate(n) for each in samples(*ends)):
        for function in PROCEDURES.values():
            try:
                outcome = function(sample)
            except (ValueError, TypeError):
                continue  # it is not for this sample
            if hasattr(outcome, "pvalue"):
                n_asked += 1
                why = outcome.why_no_pvalue("unit")
                assert math.isnan(outcome.pvalue) if why else 0 < outcome.pvalue <= 1
                assert not why or "to test it against" in why
    assert n_asked > 15
