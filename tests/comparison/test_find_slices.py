"""Slices that the rows propose: what is proposed, and that no row is used twice."""

import re
import tracemalloc
from functools import partial

import numpy as np
import pytest
from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

from skstat import compare_predictions, find_slices
from tests.cases import in_one_test, refusals

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
    for part in name.split(" & "):
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


def half_of(groups=None):
    """The rows that are tested, where random_state is 0."""
    how = ShuffleSplit if groups is None else GroupShuffleSplit
    splitter = how(1, test_size=0.5, random_state=np.random.RandomState(0))
    return np.sort(next(splitter.split(TRUTH, groups=groups))[1])


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro"])
@pytest.mark.parametrize("groups", [None, np.arange(N) // 4], ids=["rows", "groups"])
def test_every_slice_is_tested_on_the_half_that_did_not_propose_it(metric, groups):
    asked = {"metric": metric, "random_state": 0, "n_resamples": 199}
    report = find_slices(X, TRUTH, SYSTEMS, groups=groups, **asked)
    half = half_of(groups)
    for name, part in report.reports.items():
        rows = half[condition(name)[half]]
        own = None if groups is None else groups[rows]
        systems = {n: p[rows] for n, p in SYSTEMS.items()}
        alone = compare_predictions(TRUTH[rows], systems, groups=own, **asked)
        assert (part.unit, part.estimate) == (alone.unit, pytest.approx(alone.estimate))
        assert part.pvalue == pytest.approx(alone.pvalue, abs=0.1)  # other draws
    assert any(name.startswith("age < ") for name in report.worse_in)
    assert "proposed by a tree" in " ".join(report.details.split())


def test_rows_without_a_number_are_a_slice_of_their_own_and_in_no_other():
    rng = np.random.default_rng(2)
    age = np.where(rng.random(N) < 0.3, np.nan, AGE)
    share = np.where(np.isnan(age), 0.5, np.where(AGE < 30, 0.6, 0.9))
    systems = {"new": np.where(rng.random(N) < share, TRUTH, 1 - TRUTH), "old": SYSTEMS["old"]}
    report = find_slices({"age": age}, TRUTH, systems, metric="accuracy", random_state=0)
    half = half_of()
    assert "age=missing" in report.worse_in
    for name in report:
        low, high = (re.search(f"{sign} ([\\d.]+)", name) for sign in (">=", "<"))
        if not (low or high):
            continue
        inside = np.ones(len(half), dtype=bool)
        inside &= age[half] >= float(low[1]) if low else age[half] >= 0
        inside &= age[half] < float(high[1]) if high else age[half] >= 0
        right = [p[half[inside]] == TRUTH[half[inside]] for p in systems.values()]
        assert report[name].estimate == pytest.approx(np.mean(right[0]) - np.mean(right[1]))


@in_one_test(
    ("turned", "back"),
    [
        (lambda age: 1_700_000_000.0 + age, lambda edge: edge - 1_700_000_000),
        (lambda age: 1_700_000_000 + age, lambda edge: edge - 1_700_000_000),
        (lambda age: np.where(age > 70, np.inf, age), lambda edge: edge),
        (lambda age: np.where(age < 20, -np.inf, age), lambda edge: edge),
        (lambda age: age * 1e300, lambda edge: edge / 1e300),
    ],
)
def test_numbers_that_floats_of_seven_digits_do_not_know(turned, back):
    report = find_slices(
        {"age": turned(AGE)}, TRUTH, SYSTEMS, metric="accuracy", max_depth=1, random_state=0
    )
    (found,) = report.worse_in
    edge = back(float(re.search("^age < ([0-9.e+]+)$", found)[1]))
    assert 27 < edge < 33 and len(report) == 2


def test_infinite_numbers_alone_are_parted_from_others_by_words_that_are_true():
    late = np.where(AGE < 30, np.inf, 3.7)
    report = find_slices({"late": late}, TRUTH, SYSTEMS, metric="accuracy", random_state=0)
    (found,) = report.worse_in
    assert 3.7 < float(re.search("^late >= (.+)$", found)[1]) < np.inf


def test_texts_of_very_many_values_take_no_column_each():
    n = 20_000
    y = RNG.integers(0, 2, n)
    systems = {name: np.where(RNG.random(n) < 0.8, y, 1 - y) for name in "ab"}
    columns = {"id": [f"user {row // 2}" for row in range(n)], "x": RNG.normal(size=n)}
    tracemalloc.start()
    find_slices(columns, y, systems, metric="accuracy", random_state=0)
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()


test_wrong_arguments_say_what_to_do = refusals(
    [
        ({"max_depth": 0}, "at least 1"),
        ({"fewest": 30.5}, "fewest=30.5 must be a whole number of at least 2"),
        ({"X": {"age": AGE[:-1]}}, "has 1599 values for 1600 rows"),
        ({"X": {"age": np.ones(N)}}, "no slice was proposed"),
        ({"X": np.zeros((2, 2, 2))}, "must have rows and columns"),
        ({"metric": lambda y, p: float(np.mean(y == p))}, "is not known"),
        ({"predictions": {**SYSTEMS, "third": TRUTH}}, "compares two systems"),
    ],
    partial(find_slices, X=X, y_true=TRUTH, predictions=SYSTEMS, metric="accuracy"),
)
