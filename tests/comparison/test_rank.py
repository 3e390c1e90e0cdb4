"""Leaderboards, and the candidates of a search: the best of many."""

import re
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import t
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import best_candidates, compare_search_candidates, rank_systems, stats
from skstat.io import Results
from tests.cases import codes, refusals
from tests.contract import check_report

rng = np.random.default_rng(0)
CHANCES = {"a": 0.9, "b": 0.88, "c": 0.6, "d": 0.58}
RIGHT = {name: (rng.random(300) < chance).astype(float) for name, chance in CHANCES.items()}
TASKS = np.repeat(["x", "y", "z"], 100)
by_item = partial(rank_systems, RIGHT, unit="instance")


def results_of_right():
    items, columns = [f"q{row}" for row in range(300)] * 4, {"topic": np.tile(TASKS, 4)}
    scores = {"correct": np.concatenate([*RIGHT.values()])}
    return Results(system=np.repeat([*RIGHT], 300), item=items, scores=scores, columns=columns)


def test_ranks_follow_from_the_comparison_of_all_pairs():
    ranked = by_item(random_state=0)
    compared = skstat.compare_scores(RIGHT, unit="instance", random_state=0)
    assert ranked.pairs.column("adjusted") == compared.pairs.column("adjusted")
    assert ranked.systems.column("letters") == compared.systems.column("letters")
    assert ranked.systems.column("rank") == [1, 2, 3, 4]
    ends = {one.name: (one.rank_low, one.rank_high) for one in ranked.systems}
    assert ends == {"a": (1, 2), "b": (1, 2), "c": (3, 4), "d": (3, 4)}
    assert [set(group) for group in ranked.tie_groups] == [{"a", "b"}, {"c", "d"}]


def test_splits_have_ranks_and_no_resamples():
    scores = {name: values[:10] + np.arange(10) / 50 for name, values in RIGHT.items()}
    report = rank_systems(scores, n_train=90, n_test=10, random_state=0)
    check_report(report)
    assert report.rank_stability is None and "low" not in report.systems


@pytest.mark.parametrize("higher_is_better", [True, False])
def test_losses_are_shown_as_losses(higher_is_better):
    sign = 1 if higher_is_better else -1
    errors = {name: -sign * (1 - values) for name, values in RIGHT.items()}
    table = stats.ScoreTable(errors, unit="instance", higher_is_better=higher_is_better)
    metric = "neg_error" if higher_is_better else "error"
    report = rank_systems(table, scoring=metric, random_state=0, n_resamples=99)
    check_report(report)
    assert report.lower and set(report.names[:2]) == {"a", "b"}
    best = report.systems[0]
    assert best.mean == pytest.approx((1 - RIGHT[best.name]).mean())
    assert 0 < best.low < best.mean < best.high
    assert "lower is better" in str(report)
    shown = f"{best.mean:.3f} +{best.low:.3f} to {best.high:.3f}"
    assert re.search(rf"^{best.name} +{shown}", str(report), re.M)


def test_every_task_counts_the_same_where_that_is_asked():
    tasks = np.repeat(["x", "y"], [250, 50])
    report = by_item(task=tasks, average="task", random_state=0, n_resamples=99)
    check_report(report)
    for name, own in RIGHT.items():
        expected = (own[:250].mean() + own[250:].mean()) / 2
        found = report.systems[name]
        assert found.mean == pytest.approx(expected, rel=1e-12)
        half = (found.high - found.low) / 2
        of_tasks = [part.var(ddof=1) / len(part) for part in (own[:250], own[250:])]
        error = np.sqrt(sum(of_tasks)) / 2
        assert half == pytest.approx(t.isf(0.025, 299) * error, rel=1e-9)
    assert "every task counts the same, of 2" in report.details


def test_frames_are_ranked_by_the_columns_that_are_named():
    pd = pytest.importorskip("pandas")
    results = results_of_right()
    frame = results.to_frame().rename(columns={"system": "model", "item": "question"})
    named = {"system": "model", "item": "question", "score": "correct", "task": "topic"}
    asked = {"random_state": 0, "n_resamples": 99}
    found = rank_systems(frame.sample(frac=1, random_state=0), **named, **asked)
    expected = rank_systems(results, task="topic", **asked)
    assert found.systems.column("mean") == expected.systems.column("mean")
    assert sorted(found.rank_stability.parts) == ["x", "y", "z"]
    wide = pd.DataFrame(RIGHT | {"question": range(300), "topic": TASKS})
    again = rank_systems(wide, item="question", task="topic", **asked)
    assert again.to_dict()["systems"] == expected.to_dict()["systems"]


def test_groups_are_the_units_and_tasks_are_parts_of_the_items():
    results = results_of_right()
    report = rank_systems(results, group=GROUPS, task="topic", random_state=0, n_resamples=99)
    check_report(report)
    assert report.unit == "group" and report.n_units == 75
    plain = rank_systems(results, task="topic", random_state=0, n_resamples=99)
    assert report.systems.column("mean") == pytest.approx(plain.systems.column("mean"))
    np.testing.assert_array_equal(report.rank_stability.without, plain.rank_stability.without)


def test_pairs_may_be_adjusted_one_by_one():
    report = by_item(adjustment="holm", random_state=0, n_resamples=99)
    check_report(report)
    assert report.adjustment == "holm"


def test_estimators_of_a_run_are_ranked():
    X, y = make_classification(120, random_state=0)
    tree = DecisionTreeClassifier(max_depth=1, random_state=0)
    estimators = {"dummy": DummyClassifier(), "bayes": GaussianNB(), "tree": tree}
    cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    scoring = ["accuracy", "neg_log_loss"]
    run = skstat.paired_cross_validate(estimators, X, y, cv=cv, scoring=scoring)
    report = rank_systems(run)
    check_report(report)
    assert list(report) == ["accuracy", "log_loss"]
    compared = skstat.compare_scores(run)
    for metric, found in report.reports.items():
        assert found.systems.column("letters") == compared[metric].systems.column("letters")
        assert found.rank_stability is None
    assert str(rank_systems(run, scoring="accuracy")) == str(report["accuracy"])
    for task, words in (("topic", "task= describes"), (["x", "y"] * 60, "task= needs")):
        with pytest.raises(ValueError, match=words):
            rank_systems(run, task=task)


def test_data_sets_that_lack_a_score_are_left_out():
    scores = np.random.default_rng(0).normal([0, 0.5, 1], size=(15, 3))
    whole = np.delete(scores, 4, axis=0)
    scores[4, 1] = np.nan
    for adjustment in ("auto", "holm"):
        how = {"unit": "dataset", "adjustment": adjustment, "random_state": 0}
        report = skstat.rank_systems(scores, **how, task=["x", "y", "z"] * 5)
        expected = skstat.rank_systems(whole, **how)
        assert report.systems.column("mean") == expected.systems.column("mean")
        assert report.pairs.column("adjusted") == expected.pairs.column("adjusted")
        assert report.n_units == 14
        assert "SKS120" in codes(report)
        assert "left out: data set 5 (no score of B)" in report.details
    scores[1:, 1] = np.nan
    with pytest.raises(ValueError, match="1 of 15 data sets have the scores.*B lacks 14"):
        skstat.rank_systems(scores, unit="dataset")


def moved():
    results = results_of_right()
    results.columns["topic"][0] = "elsewhere"
    return results


RESULTS, GROUPS = results_of_right(), np.tile(np.arange(300) // 4, 4)
TEN = {name: values[:10] for name, values in RIGHT.items()}
test_wrong_calls = refusals([
    (partial(rank_systems, RESULTS, task="level"), "'level' is not in the results.* topic"),
    (partial(rank_systems, moved(), task="topic"), "has task e.* in one row and x"),
    (partial(rank_systems, TEN, n_train=90, n_test=10, task=["x", "y"] * 5), "independent"),
    (partial(rank_systems, RESULTS, group=GROUPS, task="topic", average="task"), "average='t"),
    (partial(by_item, adjustment="fdr_bh"), "family-wise"),
    (partial(by_item, ci=0.9), "confidence_level"),
    (partial(by_item, average="task"), "needs task="),
    (partial(by_item, task=TASKS, average="group"), "use 'item' or 'task'"),
    (partial(by_item, task=TASKS, average="task", adjustment="holm"), "joint distribution of"),
], error=(ValueError, TypeError))  # fmt: skip


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
    failing = grid(param_grid={"max_depth": [1, 2, -3]})
    found = compare_search_candidates(failing, random_state=0)
    assert found.evidence.names == ("max_depth=1", "max_depth=2")
    assert found.design["notes"][1] == "left out because scores are missing: max_depth=-3"
    assert set(best_candidates(failing, 3)) == {"max_depth=1", "max_depth=2"}
    alone = grid(param_grid={"max_depth": [1, -3]})
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
