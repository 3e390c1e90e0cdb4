"""Named tests of one test set say what ``compare_predictions`` says, with all they take."""

from functools import partial

import numpy as np

import skstat
from skstat import stats
from tests.cases import in_one_test
from tests.comparison.predictions_of_systems import GROUPS, LABELS, N, Y

F1 = {"metric": "f1_macro"}
DRAWN = {"n_resamples": 99, "random_state": 3}
KIRKPATRICK = {"pvalue": "berg-kirkpatrick"}
GROUPED = {**F1, **DRAWN, "groups": GROUPS, "labels": [0, 1], "n_jobs": 1}
WEIGHTED = {**F1, **DRAWN, "strata": Y, "sample_weight": 1 + np.arange(N) % 3}
OWN = {"metric": lambda t, p: float(np.mean(t == p)), "higher_is_better": False, **DRAWN}
BY_SWAPS = (skstat.paired_permutation_test, stats.paired_permutation, {"studentize": True})
BY_DRAWS = (skstat.paired_bootstrap_test, stats.paired_bootstrap, KIRKPATRICK)

# A named test, what it alone is given, what compare_predictions is given in place of that, and
# what both are given.
CASES = [
    (skstat.mcnemar_test, {"method": "exact"},
     {"metric": "accuracy", "test": partial(stats.mcnemar, method="exact")}, {}),
    (skstat.paired_bootstrap_test, {},
     {"test": "paired_bootstrap"}, {**F1, **DRAWN, "order": np.arange(N), "horizon": 9}),
    *(
        (named, own, {"test": partial(test, **own)}, shared)
        for named, test, own in (BY_SWAPS, BY_DRAWS)
        for shared in (GROUPED, {**WEIGHTED, "interval": "basic"}, OWN)
    ),
]  # fmt: skip


def check_same(report, expected):
    assert (report.details, report.to_json()) == (expected.details, expected.to_json())


@in_one_test("named, own, asked, shared", CASES)
def test_named_tests_are_calls_of_compare_predictions(named, own, asked, shared):
    shared = {**shared, "alternative": "greater", "confidence_level": 0.9, "margin": 0.2}
    report = named(Y, *LABELS.values(), names=tuple(LABELS), **own, **shared)
    check_same(report, skstat.compare_predictions(Y, LABELS, **asked, **shared))
