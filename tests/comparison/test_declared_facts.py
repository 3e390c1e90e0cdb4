"""What the front doors make of the facts that a test of one's own declares."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

import skstat
from skstat import stats
from skstat.stats import Comparison, PairedScores, procedure
from tests.cases import codes

rng = np.random.default_rng(3)
X = rng.normal(size=(60, 3))
y = (X[:, 0] + rng.normal(size=60) > 0).astype(int)


class CountedNB(GaussianNB):
    fits = 0

    def fit(self, *args, **kwargs):
        type(self).fits += 1
        return super().fit(*args, **kwargs)


@pytest.fixture(autouse=True)
def no_fits():
    CountedNB.fits = 0


def compare(test, **options):
    options = {"cv": KFold(3), "n_jobs": 1} | options
    return skstat.compare_estimators(
        {"nb": CountedNB(), "lr": LogisticRegression()}, X, y, test=test, **options
    )


def four_splits(**facts):
    """Make a t test that wants four splits; it keeps the samples that it was asked of."""
    seen = []

    def four(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
        seen.append(sample)
        if sample.n_units != 4:
            raise ValueError(f"four wants 4 splits, got {sample.n_units}.")
        return stats.corrected_t(sample, alternative=alternative)

    return (procedure(**facts)(four) if facts else four), seen


def test_a_declared_test_is_asked_before_the_first_fit():
    test, _ = four_splits(suited_splits="Pass cv=KFold(4).")
    with pytest.raises(
        ValueError, match="does not suit the test: four wants 4 .*, got 3. Pass cv=KFold"
    ):
        compare(test)
    assert CountedNB.fits == 0


def predictions():
    return {"a": y ^ (rng.random(60) < 0.2), "b": y ^ (rng.random(60) < 0.4)}


def test_independent_units_in_time_order_are_a_doubt():
    def raised(test):
        report = skstat.compare_predictions(
            y, predictions(), metric="accuracy", order=range(60), test=test
        )
        return codes(report)

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
