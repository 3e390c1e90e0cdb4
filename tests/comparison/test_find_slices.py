"""Slices that the rows propose: what is proposed, and that no row is used twice."""

import re

import numpy as np
import pytest

from skstat import compare_predictions, find_slices
from skstat.comparison._find_slices import _Condition, _Features, _halves
from skstat.stats import Predictions
from tests.cases import in_one_test

N = 1600
RNG = np.random.default_rng(1)
AGE = RNG.integers(18, 80, size=N)
TOPIC = RNG.choice(np.array(["law", "art", None], dtype=object), size=N)
TRUTH = RNG.integers(0, 2, size=N)


def answers(share):
    return np.where(RNG.random(N) < share, TRUTH, 1 - TRUTH)


SYSTEMS = {"new": answers(np.where(AGE < 30, 0.6, 0.9)), "old": answers(0.88)}
X = {"age": AGE, "topic": TOPIC, "noise": RNG.normal(size=N)}


def condition(name):
    """The rows of X that meet the words of a slice."""
    rows = np.ones(N, dtype=bool)
    for part in name.rsplit(" (half", 1)[0].split(" & "):
        if " is not " in part or "=" in part.replace("<=", "").replace(">=", ""):
            column, value = re.split(" is not |=", part)
            cells = np.array(
                [x is None if value == "missing" else x == value for x in X[column]]
            )
            rows &= ~cells if " is not " in part else cells
        else:
            column = re.search("[a-z]+", part)[0]
            rows &= np.array([eval(part, {column: value}) for value in X[column]])
    return rows


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
def test_every_slice_is_tested_on_the_half_that_did_not_propose_it(metric):
    report = find_slices(X, TRUTH, SYSTEMS, metric=metric, random_state=0, n_resamples=199)
    halves = _halves(Predictions(TRUTH, SYSTEMS, lambda y, p: 0.0), 0)
    assert not set(halves[0]) & set(halves[1]) and sum(map(len, halves)) == N
    for name in report:
        half = halves[int(re.search(r"\(half (\d)\)", name)[1]) - 1]
        rows = half[condition(name)[half]]
        alone = compare_predictions(
            TRUTH[rows], {n: p[rows] for n, p in SYSTEMS.items()}, metric=metric,
            random_state=0, n_resamples=199,
        )  # fmt: skip
        assert report[name].estimate == pytest.approx(alone.estimate)
        assert report[name].pvalue == pytest.approx(alone.pvalue, abs=0.1)  # other draws
    worse = [name for name in report.worse_in if name.startswith("age < ")]
    assert {name.rsplit(" (")[1] for name in worse} == {"half 1)", "half 2)"}
    assert "proposed by a tree" in " ".join(report.details.split())


def test_it_is_the_same_for_the_same_seed_and_another_for_another():
    reports = [
        find_slices(X, TRUTH, SYSTEMS, metric="accuracy", random_state=seed)
        for seed in (0, 0, 1)
    ]
    first, again, other = (report.to_dict() for report in reports)
    assert first == again and first != other


def test_groups_are_kept_in_one_half():
    groups = np.arange(N) // 4
    predictions = Predictions(TRUTH, SYSTEMS, lambda y, p: 0.0, groups=groups)
    first, second = _halves(predictions, 0)
    assert not set(groups[first]) & set(groups[second])
    report = find_slices(X, TRUTH, SYSTEMS, metric="accuracy", groups=groups, random_state=0)
    assert report["age < 30 (half 1)" if "age < 30 (half 1)" in report else report.slices[0]]
    assert all(part.unit == "group" for part in report.reports)


def test_columns_become_numbers_and_conditions_words():
    features = _Features(
        {"t": np.array(["x", "y", None], object), "n": np.array([1.0, np.nan, 3])}
    )
    equal = [features.said([_Condition(place, 0.5, True)]) for place in range(4)]
    assert equal == ["t=missing", "t=x", "t=y", "n=missing"]
    assert features.said([_Condition(4, 2.0, True), _Condition(4, 3.0, False)]) == "2 <= n < 3"
    assert features.values[:, 4].tolist() == [1.0, 2.0, 3.0]
    frame = pytest.importorskip("pandas").DataFrame(X)
    plain, framed = (
        find_slices(given, TRUTH, SYSTEMS, metric="accuracy", random_state=0, max_depth=1)
        for given in (X, frame)
    )
    assert plain.slices == framed.slices
    array = find_slices(
        np.column_stack([AGE, X["noise"]]), TRUTH, SYSTEMS, metric="accuracy", random_state=0
    )
    assert any(name.startswith("x0 < ") for name in array)


def test_a_column_is_named_by_what_the_tree_used_and_not_by_words():
    odd = {"age": RNG.normal(size=N), "average age": AGE, "a=b": TOPIC}
    report = find_slices(odd, TRUTH, SYSTEMS, metric="accuracy", random_state=0, max_depth=1)
    assert report.cut_by == ("average age",)
    features = _Features({"a=b": TOPIC})
    place = features.values.shape[1] - 1
    assert features.said([_Condition(place, 0.5, False)]) == "a=b is not law"


def test_rows_are_matched_by_their_labels_or_refused():
    pandas = pytest.importorskip("pandas")
    index = [f"row {row}" for row in range(N)]
    truth = pandas.Series(TRUTH, index=index)
    systems = {name: pandas.Series(own, index=index) for name, own in SYSTEMS.items()}
    frame = pandas.DataFrame(X, index=index)
    plain, turned = (
        find_slices(given, truth, systems, metric="accuracy", random_state=0, max_depth=1)
        for given in (X, frame.iloc[::-1])
    )
    assert plain.slices == turned.slices
    assert all(plain[name].estimate == turned[name].estimate for name in plain)
    with pytest.raises(ValueError, match="no row for 'row 0'"):
        find_slices(frame.iloc[1:], truth, systems, metric="accuracy")


@in_one_test(
    "options, message",
    [
        ({"max_depth": 0}, "at least 1"),
        ({"fewest": 30.5}, "fewest=30.5 must be a whole number of at least 2"),
        ({"X": {"age": AGE[:-1]}}, "has 1599 values for 1600 rows"),
        ({"X": {"age": np.ones(N)}}, "no slice was proposed"),
        ({"X": np.zeros((2, 2, 2))}, "must have rows and columns"),
        ({"metric": lambda y, p: float(np.mean(y == p))}, "is not known"),
        ({"predictions": {**SYSTEMS, "third": TRUTH}}, "compares two systems"),
    ],
)
def test_wrong_arguments_say_what_to_do(options, message):
    given = {"X": X, "y_true": TRUTH, "predictions": SYSTEMS, "metric": "accuracy"} | options
    with pytest.raises(ValueError, match=message):
        find_slices(**given, random_state=0)


@pytest.mark.long
def test_columns_of_noise_seldom_give_a_slice():
    wrong, n_times = 0, 80
    for seed in range(n_times):
        rng = np.random.default_rng([seed, 3])
        y = rng.integers(0, 2, 800)
        outputs = {s: np.where(rng.random(800) < 0.85, y, 1 - y) for s in "ab"}
        report = find_slices(
            rng.normal(size=(800, 20)), y, outputs, metric="accuracy", random_state=seed
        )
        wrong += bool(report.worse_in or report.better_in)
    # 5 % and three standard errors.
    assert wrong <= n_times * 0.05 + 3 * np.sqrt(n_times * 0.05 * 0.95)
