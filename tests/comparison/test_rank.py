"""Leaderboards: what they say follows from the comparison of all pairs."""

import re
from functools import partial

import numpy as np
import pytest
from scipy.stats import t
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import rank_systems, stats
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
