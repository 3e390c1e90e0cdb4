"""Two estimators in slices: the same fits, scored on the rows of a slice."""

from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB

from skstat import compare_estimators, paired_cross_validate, report_from_dict
from tests.cases import Untouched, refusals

RNG = np.random.default_rng(0)
N = 240
REGION = np.where(np.arange(N) % 4 == 0, "south", "north")
X = RNG.normal(size=(N, 4))
X[:, 3] = REGION == "south"
Y = (X[:, 0] * np.where(REGION == "south", -3, 3) + RNG.logistic(size=N) > 0).astype(int)
MODELS = {"nb": GaussianNB(), "linear": LogisticRegression()}


def compare(models=MODELS, **options):
    options = {"by": REGION, "random_state": 0, "scoring": "accuracy"} | options
    return compare_estimators(models, X, Y, **options)


def test_scores_of_a_slice_are_those_of_the_same_models_on_its_rows():
    report = compare()
    run = paired_cross_validate(MODELS, X, Y, scoring="accuracy", random_state=0)
    for name, model in MODELS.items():
        right = []
        for train, test in run.design.splits:
            inside = test[REGION[test] == "south"]
            hits = model.fit(X[train], Y[train]).predict(X[inside]) == Y[inside]
            right.append(hits.mean())
        assert report["south"].systems[name].mean == pytest.approx(np.mean(right))


def test_a_slice_of_all_rows_is_the_comparison_of_all_rows():
    for scoring in ("accuracy", "neg_log_loss"):
        report = compare(scoring=scoring, by={"all": np.ones(N, dtype=bool)})
        (part,) = report.reports.values()
        assert part.estimate == pytest.approx(report.overall.estimate)
        assert part.standard_error == pytest.approx(report.overall.standard_error, rel=1e-6)
        assert part.pvalue == pytest.approx(report.overall.pvalue, rel=1e-6)


def test_verdicts_are_adjusted_and_come_back():
    report = compare(margin=0.3)
    parts = list(report.reports.values())
    assert [part.adjusted_pvalue for part in parts] == pytest.approx(
        [1 - (1 - part.pvalue) ** 2 for part in parts], abs=0.01
    )
    # Welch's t test of two differences lies between those of the fewest and of all df.
    errors = [part.standard_error for part in parts]
    gap = parts[0].estimate - parts[1].estimate
    t, dfs = abs(gap) / np.hypot(*errors), [part.df for part in parts]
    low, high = (2 * stats.t.sf(t, df) for df in (sum(dfs), min(dfs)))
    (pair,) = report.pairs
    assert pair.between["statistic"] == pytest.approx(t**2)
    assert low - 0.015 <= pair.between_p <= high + 0.015
    assert len(pair.shrunken) == 2
    again = report_from_dict(report.to_dict())
    assert again.details == report.details
    assert all(part.unit == "split" for part in report.reports.values())
    several = compare(scoring=["accuracy", "neg_log_loss"])
    assert set(several) == {"accuracy", "log_loss"}
    assert several["accuracy"].verdicts == compare().verdicts


def test_a_slice_that_a_test_set_hardly_has_is_left_out():
    cv = RepeatedKFold(n_splits=10, n_repeats=2, random_state=0)
    by = {"few": np.arange(N) < 31, "many": np.arange(N) >= 31}
    report = compare(by=by, cv=cv, test="corrected_t")
    assert "a test set has" in report.left_out["few"] and list(report) == ["many"]


NEVER = {"nb": Untouched(), "linear": LogisticRegression()}
test_wrong_arguments_are_refused_before_a_fit = refusals(
    [
        ({"scoring": "roc_auc"}, "is not known to be a mean over rows"),
        ({"sample_weight": np.ones(N)}, "by= and sample_weight= cannot be combined"),
        ({"stability": 2}, "by= and stability= cannot be combined"),
        ({"by": REGION[:-1]}, "has 239 values for 240 rows"),
    ],
    partial(compare, NEVER),
)
