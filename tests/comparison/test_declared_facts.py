"""What the front doors make of the facts that a test of one's own declares."""

import numpy as np
import pytest
from sklearn.model_selection import KFold

import skstat
from skstat import stats
from skstat.stats import Comparison, PairedScores, procedure
from tests.cases import Untouched, codes

rng = np.random.default_rng(3)
X = rng.normal(size=(60, 3))
y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)


def test_a_declared_test_is_asked_before_the_first_fit():
    @procedure(suited_splits="Pass cv=KFold(4).")
    def four(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        if sample.n_units != 4:
            raise ValueError(f"four wants 4 splits, got {sample.n_units}.")
        return stats.corrected_t(sample, alternative=alternative)

    never = {"a": Untouched(), "b": Untouched()}
    words = "does not suit the test: four wants 4 .*, got 3. Pass cv=KFold"
    with pytest.raises(ValueError, match=words):
        skstat.compare_estimators(never, X, y, test=four, cv=KFold(3))


def predictions():
    return {"a": y ^ (rng.random(60) < 0.2), "b": y ^ (rng.random(60) < 0.4)}


def test_independent_units_in_time_order_are_a_doubt():
    def raised(test):
        asked = {"metric": "accuracy", "order": range(60), "test": test}
        return codes(skstat.compare_predictions(y, predictions(), **asked))

    def plain(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        return stats.paired_t(sample, alternative=alternative)

    assert "SKS104" in raised(procedure(independent_units=True)(plain))
    assert "SKS104" not in raised(procedure()(plain))
    assert "SKS104" not in raised(plain)


def test_a_test_of_ordered_units_needs_an_order():
    @procedure(ordered_units=True)
    def in_time(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        return stats.diebold_mariano(sample, alternative=alternative)

    with pytest.raises(ValueError, match="in_time needs rows in time order: pass order="):
        skstat.compare_predictions(y, predictions(), metric="accuracy", test=in_time)
