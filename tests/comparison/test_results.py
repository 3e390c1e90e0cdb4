"""Results of systems on items, with repeats and groups, at the door of scores."""

import json
from itertools import product
from math import comb

import numpy as np
import pytest

from skstat import compare_predictions, compare_scores
from skstat.io import Results
from skstat.stats import PairedScores, ScoreTable
from tests.cases import in_one_test

rng = np.random.default_rng(7)
N, K = 60, 3
SYSTEMS = ("new", "old", "mini")
TOPICS = np.repeat([f"t{topic}" for topic in range(12)], 5)
CORRECT = (rng.random((3, N, K)) < np.array([0.7, 0.5, 0.45])[:, None, None]).astype(float)
JUDGE = rng.normal(size=(3, N, K)) + CORRECT


def columns(systems=(0, 1, 2), repeats=K):
    """Rows in no order, as logs have them."""
    rows = list(product(systems, range(N), range(repeats)))
    rows = [rows[place] for place in np.random.default_rng(1).permutation(len(rows))]
    system, item, repeat = np.array(rows).T
    return {
        "model": np.array(SYSTEMS)[system],
        "question": np.array([f"q{number}" for number in range(N)])[item],
        "topic": TOPICS[item],
        "sample": repeat,
        "correct": CORRECT[system, item, repeat],
        "judge": JUDGE[system, item, repeat],
    }


NAMED = {"system": "model", "item": "question", "repeat": "sample"}


def of(report):
    """A report's numbers, without how it was asked."""
    state = json.loads(report.to_json())
    for name in ("design", "choice", "sample"):
        state.pop(name, None)
    return state


def as_results(found, metrics=("correct",), **more):
    return Results(
        system=found["model"],
        item=found["question"],
        repeat=found["sample"],
        scores={metric: found[metric] for metric in metrics},
        columns={"topic": found["topic"]},
        **more,
    )


def test_a_mapping_frames_and_results_are_one():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    found = columns()
    asked = {"random_state": 0, "group": "topic"}
    expected = compare_scores(found, **NAMED, score="correct", **asked)
    for frame in (pandas.DataFrame(found), polars.DataFrame(found)):
        assert of(compare_scores(frame, **NAMED, score="correct", **asked)) == of(expected)
    read = compare_scores(as_results(found), **asked)
    assert of(read) == of(expected)
    assert set(expected.names) == set(SYSTEMS)


@pytest.mark.parametrize("n_topics", [8, 12, 60])
def test_groups_of_two_systems_are_decided_as_for_predictions(n_topics):
    groups = np.arange(N) * n_topics // N
    truth = np.ones(N)
    answers = {"new": CORRECT[0, :, 0], "old": CORRECT[1, :, 0]}
    theirs = compare_predictions(
        truth, answers, metric="accuracy", groups=groups, random_state=0
    )
    report = compare_scores(answers, unit="instance", group=groups, random_state=0)
    assert report.estimate == pytest.approx(theirs.estimate, rel=1e-12)
    if n_topics == 60:
        assert report.test == theirs.test
    tolerance = 1e-12 if n_topics != 12 else 0.02  # 4095 patterns, or some of them
    assert report.pvalue == pytest.approx(theirs.pvalue, abs=tolerance)


def test_flips_of_few_groups_are_all_patterns():
    groups = np.arange(N) * 8 // N
    a, b = CORRECT[0, :, 0], CORRECT[1, :, 0]
    report = compare_scores({"a": a, "b": b}, unit="instance", group=groups)
    sums = np.bincount(groups, a - b)
    every = [abs(np.dot(sums, signs)) for signs in product((1, -1), repeat=8)]
    assert report.pvalue == np.mean(np.array(every) >= abs(sums.sum()) - 1e-9)
    assert report.choice.situation == "item-scores-in-few-groups"


def test_several_scores_give_a_report_on_each():
    found = columns((0, 1))
    report = compare_scores(found, **NAMED, group="topic", score=["correct", "judge"])
    assert report.by == "metric"
    assert list(report.reports) == ["correct", "judge"]
    alone = compare_scores(found, **NAMED, group="topic", score="judge")
    assert report["judge"].pvalue == alone.pvalue
    log = as_results(found, ("correct", "judge"), higher_is_better={"judge": False})
    assert list(compare_scores(log).reports) == ["correct", "judge"]
    lower = compare_scores(log, score="judge", group="topic", systems=("new", "old"))
    higher = compare_scores(
        as_results(found, ("judge",)), group="topic", systems=("new", "old")
    )
    assert lower.lower and lower.estimate == pytest.approx(higher.estimate)


def test_passes_are_those_of_all_choices_of_samples():
    found = columns((0, 1))
    for name, k, succeeds in (("pass@2", 2, any), ("pass^2", 2, all), ("pass@3", 3, any)):
        report = compare_scores(
            found, **NAMED, score="correct", aggregate=name, systems=("new", "old")
        )
        chosen = [list(c) for c in product(range(K), repeat=k) if len(set(c)) == k]
        expected = [
            np.mean([[succeeds(answers[c] == 1) for c in chosen] for answers in system])
            for system in CORRECT[:2]
        ]
        assert report.estimate == pytest.approx(expected[0] - expected[1], rel=1e-12)
    assert (
        "all of 2 are right"
        in compare_scores(found, **NAMED, score="correct", aggregate="pass^2").details
    )


def test_passes_of_many_samples_have_the_published_formula():
    answers = {"a": 37, "b": 3}
    rows = [(name, n < right) for name, right in answers.items() for n in range(200)]
    one = {
        "model": [name for name, _ in rows],
        "item": ["q"] * 400,
        "sample": [*range(200)] * 2,
        "correct": [float(right) for _, right in rows],
    }
    two = {name: [*values, *values] for name, values in one.items()}
    two["item"] = ["q"] * 400 + ["p"] * 400
    report = compare_scores(
        two, system="model", item="item", repeat="sample", score="correct",
        aggregate="pass@100",
    )  # fmt: skip
    expected = [1 - comb(200 - c, 100) / comb(200, 100) for c in answers.values()]
    assert report.estimate == pytest.approx(expected[0] - expected[1], rel=1e-9)


@in_one_test(
    "change, asked, said",
    [
        ({}, {"score": "f1"}, "no column of numbers called 'f1'; there are"),
        ({}, {"score": []}, "no scores|no metric"),
        ({}, {"score": "model"}, "cannot hold scores and labels"),
        ({}, {"aggregate": "best"}, "aggregate='best' is unknown"),
        ({}, {"aggregate": "pass@4"}, "needs 4 samples of every item; 180 have fewer"),
        ({}, {"aggregate": "pass@2", "score": "judge"}, "needs right .1. and wrong .0."),
        ({}, {"group": "sample"}, "has group 2 in one row and 1 in another"),
        ({}, {"group": "topic", "unit": "seed"}, "groups are of instances"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(change, asked, said):
    found = columns()
    asked = NAMED | {"score": "correct"} | asked
    with pytest.raises(ValueError, match=said):
        compare_scores(found | change, **asked)


def test_names_of_columns_need_columns():
    with pytest.raises(ValueError, match="item= describes the columns of a frame"):
        compare_scores(CORRECT[:2, :, 0].T, unit="instance", item="q")
    with pytest.raises(ValueError, match="system= describes the columns of a frame"):
        compare_scores(as_results(columns()), system="model")
    with pytest.raises(ValueError, match="say unit='instance'"):
        compare_scores({"a": CORRECT[0, :, 0], "b": CORRECT[1, :, 0]}, unit="seed",
                       paired_seeds=True, group=TOPICS)  # fmt: skip
    table = ScoreTable({"a": CORRECT[0, :, 0], "b": CORRECT[1, :, 0]}, unit="instance")
    with pytest.raises(ValueError, match="group= describes bare numbers"):
        compare_scores(table, group=TOPICS)


def test_the_report_says_where_the_variance_lies():
    found = columns()
    two = compare_scores(found, **NAMED, group="topic", score="judge", systems=("new", "old"))
    parts = two.design["variance"]
    d = JUDGE[0].mean(axis=1) - JUDGE[1].mean(axis=1)
    # Miller (2024): E[sigma^2] / K, of both systems.
    of_samples = np.mean(JUDGE[:2].var(axis=2, ddof=1).sum(axis=0)) / K
    assert parts["samples"] == pytest.approx(of_samples, rel=1e-10)
    sums = [np.sum((d - d.mean())[topic == TOPICS]) for topic in np.unique(TOPICS)]
    error = np.sqrt(12 / 11 * np.sum(np.square(sums))) / N
    assert parts["standard_error"] == pytest.approx(error, rel=1e-10)
    assert parts["standard_error_with_any_number"] == pytest.approx(
        np.sqrt(max(0, error**2 - of_samples / N)), rel=1e-9
    )
    said = " ".join(two.details.split())
    assert "of the variance of an item's difference" in said
    assert "with twice the samples of each item" in said
    # Of groups without repeats, and of neither.
    one = {name: values[found["sample"] == 0] for name, values in found.items()}
    named = {"system": "model", "item": "question", "score": "judge"}
    grouped = compare_scores(one, **named, group="topic", random_state=0)
    assert set(grouped.design["variance"]) == {"groups", "items", "standard_error"}
    assert "variance" not in compare_scores(one, **named, random_state=0).design
    median = compare_scores(found, **NAMED, score="judge", aggregate="median", random_state=0)
    assert "variance" not in median.design
    log = as_results(found, ("correct", "judge"))
    each = compare_scores(log, group="topic", random_state=0)
    assert each["judge"].design["variance"] != each["correct"].design["variance"]


def test_shares_of_the_variance_by_loops():
    sizes = [1, 4, 2, 5, 3]
    groups = np.repeat(np.arange(5), sizes)
    n = len(groups)
    rows = np.array(list(product((0, 1), range(n), range(3))))
    drawn = np.random.default_rng(0).normal(size=(2, n, 3)) + 0.7 * np.arange(2)[:, None, None]
    drawn = drawn + np.random.default_rng(1).normal(size=(5, 2))[groups].T[:, :, None]

    def shares(noise=1.0, kept=slice(None), **more):
        own = rows[kept]
        values = drawn.mean(axis=2, keepdims=True) + noise * (
            drawn - drawn.mean(axis=2, keepdims=True)
        )
        columns = {"model": own[:, 0], "question": own[:, 1], "sample": own[:, 2]}
        columns |= {"topic": groups[own[:, 1]], "score": values[tuple(own.T)]}
        return compare_scores(columns, **NAMED, **more, random_state=0).design["variance"]

    d = drawn[0].mean(axis=1) - drawn[1].mean(axis=1)
    grand = d.mean()
    of_samples = np.mean(drawn.var(axis=2, ddof=1).sum(axis=0)) / 3
    between = within = robust = 0.0
    for group, size in enumerate(sizes):
        own = d[groups == group]
        between += size * (own.mean() - grand) ** 2
        within += sum((x - own.mean()) ** 2 for x in own)
        robust += sum(x - grand for x in own) ** 2
    within /= n - 5
    n0 = (n - sum(size**2 for size in sizes) / n) / 4
    found = shares(group="topic")
    assert found["groups"] == pytest.approx(max(0, (between / 4 - within) / n0), rel=1e-10)
    assert found["samples"] == pytest.approx(of_samples, rel=1e-10)
    assert found["items"] == pytest.approx(max(0, within - of_samples), rel=1e-10)
    assert found["standard_error"] == pytest.approx(np.sqrt(5 / 4 * robust) / n, rel=1e-10)
    alone = shares(group="question")
    assert "groups" not in alone
    assert alone["standard_error"] == pytest.approx(shares()["standard_error"], rel=1e-12)
    # An item of a single sample has the variance of the others.
    variances = drawn.var(axis=2, ddof=1) / 3
    variances[:, 0] = 3 * variances[:, 1:].mean(axis=1)
    once = shares(kept=(rows[:, 1] > 0) | (rows[:, 2] == 0))
    assert once["samples"] == pytest.approx(variances.sum(axis=0).mean(), rel=1e-10)
    # Samples that explain more than all there is leave nothing for the items.
    noisy = shares(noise=50.0)
    assert noisy["items"] == 0 and noisy["standard_error_with_any_number"] == 0
    # Twice the samples halve the variance at best.
    twice = noisy["standard_error_with_twice_the_samples"]
    assert twice == pytest.approx(noisy["standard_error"] / np.sqrt(2))


def test_arrays_in_groups_say_so():
    report = compare_scores(
        {"a": CORRECT[0, :, 0], "b": CORRECT[1, :, 0]}, unit="instance", group=TOPICS
    )
    assert report.design["notes"][:2] == ["60 items", "12 groups of 5 items"]
    codes = np.unique(TOPICS, return_inverse=True)[1]
    sample = PairedScores(CORRECT[0, :, 0], CORRECT[1, :, 0], groups=codes)
    assert compare_scores(sample).design["variance"] == report.design["variance"]
    assert set(report.design["variance"]) == {"groups", "items", "standard_error"}


SMALL = {
    "model": ["a", "b"] * 8,
    "question": [number // 2 for number in range(16)],
    "topic": [number // 4 for number in range(16)],
    "correct": [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 1, 0],
}


@in_one_test(
    ("change", "said"),
    [
        ({"question": [None, *SMALL["question"][1:]]}, "'question' is empty in row 0"),
        ({"model": ["a", None, *SMALL["model"][2:]]}, "'model' is empty in row 1"),
        ({"correct": [np.nan] * 16}, "no item has a correct of all 2 systems"),
        ({name: [] for name in SMALL}, "no scores: there is nothing to compare"),
    ],
)
def test_damaged_columns_are_refused_with_their_place(change, said):
    with pytest.raises(ValueError, match=said):
        compare_scores(
            SMALL | change, system="model", item="question", group="topic", score="correct"
        )


def test_labels_are_not_taken_for_systems_of_a_wide_frame():
    wide = {"question": [1, 2, 3, 4], "new": [1.0, 0, 1, 1], "old": [0.0, 1, 0, 1]}
    assert compare_scores(wide, item="question").names == ("new", "old")
    for label, said in (
        ("model", "write .*system='model'"),
        ("fold", "looks like labels"),
        ("sample", "repeat='sample'"),
    ):
        with pytest.raises(ValueError, match=said):
            compare_scores(wide | {label: [1, 2, 3, 4]}, item="question")
    chosen = compare_scores(
        wide | {"fold": [1, 2, 3, 4]}, item="question", systems=("old", "new")
    )
    assert chosen.names == ("old", "new")
    with pytest.raises(ValueError, match="no column of numbers is left"):
        compare_scores({"question": [1, 2], "note": ["x", "y"]}, item="question")


def test_one_system_is_compared_with_a_constant():
    found = {name: values[columns()["model"] == "new"] for name, values in columns().items()}
    report = compare_scores(found, **NAMED, score="correct", constant=0.5)
    assert report.estimate == pytest.approx(CORRECT[0].mean() - 0.5, rel=1e-12)
    with pytest.raises(ValueError, match="with groups ask stats.clustered_t"):
        compare_scores(found, **NAMED, score="correct", group="topic", constant=0.5)
    lower = as_results(found, higher_is_better={"correct": False})
    turned = compare_scores(lower, constant=0.5)
    assert turned.verdict == {"better": "worse", "worse": "better"}[report.verdict]
    assert turned.estimate == report.estimate and turned.lower and not report.lower
