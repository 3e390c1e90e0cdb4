"""Candidates of searches against the scores that the searches kept."""

from functools import partial
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skstat import best_candidates, compare_search_candidates, stats
from tests.cases import codes, refusals
from tests.contract import check_report

X, Y = load_breast_cancer(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)


def grid(cv=5, **options):
    options = {"param_grid": {"max_depth": [1, 2, 3, 5]}} | options
    return GridSearchCV(TREE, cv=cv, **options).fit(X, Y)


def column(search, candidate):
    splits = (f"split{number}_test_score" for number in range(search.n_splits_))
    return [search.cv_results_[split][candidate] for split in splits]


@pytest.fixture(scope="module")
def search():
    return grid(10)


def test_scores_are_those_of_the_search(search):
    found = compare_search_candidates(search, random_state=0)
    assert found.ranked
    check_report(found)
    names = found.evidence.names
    assert names == tuple(f"max_depth={depth}" for depth in (1, 2, 3, 5))
    means = [found.systems[name].mean for name in names]
    np.testing.assert_allclose(means, search.cv_results_["mean_test_score"])
    assert found.control == f"max_depth={search.best_params_['max_depth']}" == found.names[0]
    assert found.metric == "accuracy" and found.n_units == 10
    assert found.design["notes"] == ["4 candidates of GridSearchCV", "random_state=0"]
    one = names.index(found.control)
    for part in found.pairs:
        other = names.index(part.first)
        alone = stats.corrected_t(
            stats.PairedScores(column(search, other), column(search, one), n_repeats=1)
        )
        assert part.pvalue == alone.pvalue and part.estimate == alone.estimate
    assert "SKS502" in codes(found) and "SKS102" in codes(found)


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.parametrize("adjustment", ["holm", "bonferroni", "hommel"])
def test_selection_costs_the_p_values_of_all_pairs(search, adjustment, alternative):
    found = compare_search_candidates(
        search, adjustment=adjustment, alternative=alternative, random_state=0
    )
    check_report(found)
    pairs = list(combinations(found.evidence.names, 2))
    if alternative != "two-sided":
        pairs += [(b, a) for a, b in pairs]
    columns = {name: column(search, i) for i, name in enumerate(found.evidence.names)}

    def pvalue(a, b):
        sample = stats.PairedScores(columns[a], columns[b], n_repeats=1)
        return stats.corrected_t(sample, alternative=alternative).pvalue

    raw = {pair: pvalue(*pair) for pair in pairs}
    adjusted = dict(zip(raw, stats.adjust_pvalues(list(raw.values()), adjustment), strict=True))
    if alternative == "two-sided":
        adjusted |= {(b, a): p for (a, b), p in adjusted.items()}
        shown = len(raw)
    else:
        shown = len(raw) - (len(found.names) - 1)  # the chosen one is B only
    for part in (found[pair[:2]] for pair in found.pairs):
        if alternative == "two-sided":
            assert part.adjusted_pvalue == pytest.approx(adjusted[part.names])
        assert f"for {shown} pairs" in " ".join(str(part).split())


@pytest.mark.long
def test_halving_compares_candidates_of_one_iteration():
    tried = {"max_depth": [1, 2, 3, 4, 5, 6], "criterion": ["gini", "entropy"]}
    halving = HalvingGridSearchCV(TREE, tried, cv=5, random_state=0).fit(X, Y)
    iterations = np.asarray(halving.cv_results_["iter"])
    last = int(np.flatnonzero(np.bincount(iterations) > 1)[-1])
    found = compare_search_candidates(halving, random_state=0)
    check_report(found)
    assert len(found.names) == np.sum(iterations == last)
    resources = halving.cv_results_["n_resources"][iterations == last]
    assert len(set(resources)) == 1
    assert found.design["notes"] == [
        f"{len(found.names)} candidates of iteration {last} of HalvingGridSearchCV, each "
        f"fitted with n_samples={resources[0]}",
        "random_state=0",
    ]
    first = compare_search_candidates(halving, X, Y, iteration=0, random_state=0)
    assert len(first.names) == 12
    few = halving.cv_results_["n_resources"][0]
    assert first.evidence.sample.training_size == pytest.approx(few * 0.8, abs=1)
    assert first.evidence.sample.test_train_ratio == pytest.approx(0.25, abs=0.02)
    with pytest.raises(ValueError, match="iterations of this search have 12, 4"):
        compare_search_candidates(halving, iteration=9)


def test_several_metrics_without_a_chosen_candidate():
    scoring = ["accuracy", "neg_log_loss"]
    several = grid(scoring=scoring, refit=False)
    found = compare_search_candidates(several, random_state=0)
    assert found.by == "metric" and list(found) == ["accuracy", "log_loss"]
    check_report(found)
    for metric in scoring:
        means = several.cv_results_[f"mean_test_{metric}"]
        assert found[metric].control == found[metric].evidence.names[int(np.argmax(means))]
    assert found["neg_log_loss"].lower
    assert "lowest log_loss" in found["neg_log_loss"].conclusion
    one = compare_search_candidates(several, scoring="accuracy", random_state=0)
    assert one.to_dict()["pairs"] == found["accuracy"].to_dict()["pairs"]
    chosen = grid(scoring=scoring, refit="neg_log_loss")
    for report in (
        compare_search_candidates(chosen, random_state=0)[metric] for metric in scoring
    ):
        assert report.control == f"max_depth={chosen.best_params_['max_depth']}"


@pytest.mark.usefixtures("checks_of_scikit_learns_arguments")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
def test_candidates_that_failed_are_named():
    failing = GridSearchCV(TREE, {"max_depth": [1, 2, -3]}, cv=5)
    failing.fit(X, Y)
    found = compare_search_candidates(failing, random_state=0)
    assert found.evidence.names == ("max_depth=1", "max_depth=2")
    assert found.design["notes"][1] == "left out because scores are missing: max_depth=-3"
    assert set(best_candidates(failing, 3)) == {"max_depth=1", "max_depth=2"}
    alone = GridSearchCV(TREE, {"max_depth": [1, -3]}, cv=5)
    alone.fit(X, Y)
    with pytest.raises(ValueError, match="1 of 2 candidates"):
        compare_search_candidates(alone)


# A single K-fold finds little: the report says so, and what finds more


"""A single K-fold finds little: the report says so, and what finds more."""


def test_no_step_where_nothing_is_left_to_decide():
    clear = GridSearchCV(
        Ridge(), {"alpha": [1e-3, 1e6]}, cv=10, scoring="neg_mean_squared_error"
    ).fit(*load_diabetes(return_X_y=True))
    found = compare_search_candidates(clear, random_state=0)
    assert len(found.may_be_best) == 1 and not found.next_step
    repeated = grid(RepeatedKFold(n_splits=3, n_repeats=3, random_state=0))
    assert not compare_search_candidates(repeated, random_state=0).next_step
    fixed = compare_search_candidates(grid(3), control="max_depth=1", random_state=0)
    assert fixed.next_step == ""


@pytest.mark.parametrize("scoring, given", [
    ("roc_auc", ", scoring='roc_auc'"),
    (["accuracy", "f1"], ", scoring=search.scoring"),
])  # fmt: skip
def test_the_call_can_be_run(scoring, given):
    asked = grid(3, scoring=scoring, refit=False)
    found = compare_search_candidates(asked, random_state=0)
    for report in getattr(found, "reports", {"": found}).values():
        step = report.next_step
        call = step[step.index("compare_estimators(") : -1]
        assert call.endswith(f"X, y{given})")
        known = {
            "search": asked, "X": X, "y": Y,
            "best_candidates": best_candidates,
            "compare_estimators": lambda named, *_, scoring: (list(named), scoring),
        }  # fmt: skip
        names, _ = eval(call, known)
        top = [name for name in report.names if name in report.may_be_best]
        assert names == list(report.names[: len(names)]) and set(names) <= set(top)


def test_best_candidates_are_those_of_a_metric():
    several = grid(3, scoring=["accuracy", "f1"], refit="accuracy")
    for metric in ("accuracy", "f1"):
        report = compare_search_candidates(several, scoring=metric, random_state=0)
        assert list(best_candidates(several, 4, scoring=metric)) == list(report.names)
    for unknown in (None, "roc_auc"):
        with pytest.raises(ValueError, match="it has accuracy, f1"):
            best_candidates(several, scoring=unknown)


FITTED, UNFITTED = grid(3), GridSearchCV(TREE, {"max_depth": [1, 2]})
ALONE, ask = grid(param_grid={"max_depth": [3]}), partial(compare_search_candidates, FITTED)
test_what_is_no_search_is_refused = refusals([
    *(
        (partial(compare_search_candidates, found), "a fitted search with cv_results_")
        for found in (None, GaussianNB().fit(X, Y), {"max_depth": 1})
    ),
    (partial(compare_search_candidates, UNFITTED), "not fitted"),
    (partial(compare_search_candidates, ALONE), "tried one candidate only"),
    (partial(ask, X[:, :7], Y), "X has 7 columns; the search was fitted on 30"),
    (partial(ask, iteration=0), "is for halving searches"),
    (partial(ask, scoring="f1"), "'f1' is not a metric of the search"),
    (partial(ask, n_train=512, n_test=57), r"takes no n_train=: pass X \(and y, groups\)"),
    *((partial(best_candidates, FITTED, top), "top=") for top in (0, -1, 1.5, True, "2")),
], error=(ValueError, TypeError))  # fmt: skip
