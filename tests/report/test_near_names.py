"""Names with a slip in them get an error that says the right one."""

import numpy as np
import pytest

import skstat
from skstat import stats
from tests.cases import in_one_test

A, B, C = [0.9, 0.8, 0.9, 0.7], [0.7, 0.7, 0.6, 0.5], [0.4, 0.6, 0.5, 0.5]
TRUTH = np.array([0, 1] * 20)
PAIR = {name: np.where(np.arange(40) < n, 1 - TRUTH, TRUTH) for name, n in (("a", 3), ("b", 9))}
TWO = skstat.compare_scores({"new": A, "old": B}, unit="seed")
SYSTEMS = skstat.compare_scores({"new": A, "old": B, "none": C}, unit="dataset")
METRICS = skstat.compare_predictions(TRUTH, PAIR, metric=["accuracy", "f1"], random_state=0)
OUTCOME = stats.paired_t(stats.PairedScores(A, B, unit="seed"))


@in_one_test(
    "found, typed, hint",
    [
        (TWO, "p_value", "use pvalue."),
        (TWO, "verdct", "use verdict"),
        (TWO, "confidence_intervals", "use confidence_interval()."),
        (TWO, "xyzzy", "object has no attribute 'xyzzy'"),
        (SYSTEMS, "maybe_best", "may_be_best"),
        (SYSTEMS, "estimate", "the report of one pair, report['new', 'old'].estimate."),
        (METRICS, "p_value", "report['accuracy'].pvalue."),
        (OUTCOME, "p_value", "a MeanOutcome has no 'p_value'; use pvalue"),
        (SYSTEMS.evidence.pairwise, "estimate", "of one pair"),
    ],
)
def test_the_error_says_what_is_meant(found, typed, hint):
    with pytest.raises(AttributeError) as error:
        getattr(found, typed)
    assert hint in str(error.value) and not hasattr(found, typed)
    bare = object.__new__(type(found))  # as copies begin: without any field
    with pytest.raises(AttributeError):
        bare.estimate  # noqa: B018
