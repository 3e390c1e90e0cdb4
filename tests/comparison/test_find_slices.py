"""Which slices there are: by columns and their values, by trees, and of a run of estimators."""

import re
import tracemalloc
from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupShuffleSplit, RepeatedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB

import skstat
from tests.cases import Untouched, in_one_test, refusals


def parts(by, **options):
    slices = skstat.make_slices(by, **options)
    return {name: rows.tolist() for name, rows in slices.rows.items()}


@in_one_test("values, names", [
    (np.array([20260101, 20260102]), ["20260101", "20260102"]),
    (np.array([20260101.0, 20260102.0]), ["20260101", "20260102"]),
    ([1.0000001, 1.0000002], ["1.0000001", "1.0000002"]),
    (np.array([0.1, 0.2], dtype=np.float32), ["0.1", "0.2"]),
    (np.array([2**60 + 1, 2**60 + 2]), [str(2**60 + 1), str(2**60 + 2)]),
    ([1, "1"], ["1", "'1'"]),
    ([1, True], ["1", "True"]),
    (["missing", None], ["'missing'", "missing"]),
    (np.array(["2026-01-01", "2026-01-02"], dtype="M8[ns]"), ["2026-01-01", "2026-01-02"]),
    (np.array(["2026-01-01", "NaT"], dtype="M8[ns]"), ["2026-01-01", "missing"]),
    (np.ma.array([7, 8], mask=[False, True]), ["7", "missing"]),
    (np.ma.array(["a", "b"], mask=[False, True]), ["a", "missing"]),
    (np.ma.array([0.5, 0.6], mask=[True, True]), ["missing", "missing"]),
    ([np.nan, 0.5], ["missing", "0.5"]),
])  # fmt: skip
def test_different_values_are_different_slices(values, names):
    expected = {}
    for row, name in enumerate(names):
        expected.setdefault(name, []).append(row)
    assert parts(values) == expected
    assert parts({"x": values}) == {f"x={name}": rows for name, rows in expected.items()}


def test_missing_values_of_pandas_are_a_slice():
    pandas = pytest.importorskip("pandas")
    for dtype, value in (("string", "a"), ("boolean", True), ("Int64", 3), ("category", "a")):
        column = pandas.Series([value, None], dtype=dtype)
        assert parts({"x": column}) == {f"x={value}": [0], "x=missing": [1]}
    assert parts({"x": pandas.Series([True, False], dtype="boolean")}) == {"x": [0]}


test_what_cannot_be_kept_apart_is_refused = refusals([
    ({"by": {"x": [[1], {}]}}, r"by\['x'\] holds \[1\], which cannot name a slice"),
    ({"by": ["missing", "'missing'", None]}, "both written 'missing'"),
    ({"by": {"a=b": ["c", "d"], "a": ["b=c", "x"]}}, "would be called 'a=b=c'"),
    ({"by": {"a=x": np.array([True, False]), "a": ["x", "y"]}}, "would be called 'a=x'"),
    ({"by": {1: ["c", "d"], "1": ["b", "x"]}}, "by has '1' twice"),
    ({"by": {"a": [1, 2], "b": [1]}}, "differ in length"),
    ({"by": {"a": [[1, 2], [3, 4]]}}, "must be one-dimensional"),
    ({"by": {"a": ["x"]}, "bins": {"a": 2}}, "does not hold numbers"),
    ({"by": {"a": [1.5]}, "bins": {"b": 2}}, "bins names 'b'"),
    ({"by": [1, 2], "fewest": 1}, "at least 2"),
    ({"by": skstat.make_slices([1, 2])}, "a Slices already"),
    ({"by": [1.5, 2.5], "bins": 1}, "must be 2 or more"),
    ({"by": [1.5, 2.5], "bins": [3, 1]}, "increasing values"),
    ({"by": [1.5, 2.5], "bins": [np.nan]}, "increasing values"),
    ({"by": [1.5, 2.5], "bins": [1, np.inf]}, "increasing values"),
    ({"by": {"a": [1.5, 2.5]}, "bins": {"a": ["x"]}}, "increasing values"),
], skstat.make_slices)  # fmt: skip


def test_infinite_numbers_are_in_the_outer_parts():
    found = parts(np.r_[-np.inf, np.arange(40) / 3, np.inf])
    assert sorted(row for rows in found.values() for row in rows) == list(range(42))
    ends = list(found.values())
    assert 0 in ends[0] and 41 in ends[-1] and len(found) == 4


rng = np.random.default_rng(0)
ITEMS = [f"q{row}" for row in range(200)]
SUBJECT = rng.choice(["law", "art"], 200)
LONG = {
    "model": np.repeat(["new", "old"], 200),
    "question": ITEMS * 2,
    "topic": np.tile(SUBJECT, 2),
    "correct": np.r_[np.where(SUBJECT == "law", 0.0, 1.0), rng.integers(0, 2, 200)],
}


@pytest.fixture
def frame():
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame(LONG).sample(frac=1, random_state=1, ignore_index=True)


def score_of_new(frame, by):
    named = {"system": "model", "item": "question", "score": "correct"}
    report = skstat.compare_scores(frame, **named, by=by, random_state=0)
    return {
        name.removeprefix("topic="): part.systems["new"].mean
        for name, part in report.reports.items()
    }


def test_values_are_matched_by_item_or_by_row(frame):
    of_items = pytest.importorskip("pandas").Series(SUBJECT, index=ITEMS)
    for by in (
        "topic", ["topic"], of_items, of_items.sample(frac=1, random_state=2),
        {"topic": dict(zip(ITEMS, SUBJECT, strict=True))},
        frame["topic"], frame["topic"].sample(frac=1, random_state=2), frame[["topic"]],
        frame["topic"].to_numpy(), lambda scores: scores["topic"],
    ):  # fmt: skip
        assert score_of_new(frame, by) == {"art": 1.0, "law": 0.0}


def test_the_order_of_items_is_never_guessed(frame):
    unlabelled = "200 values without labels.* whose index is"
    for by, words in (
        *((by, unlabelled) for by in (SUBJECT, list(SUBJECT), {"topic": SUBJECT})),
        (skstat.make_slices(SUBJECT), "rows by their numbers"),
        (pytest.importorskip("pandas").Series(SUBJECT[1:], index=ITEMS[1:]),
         "no value for item 'q0'"),
        (np.array(["a", "b", "c", "d"] * 100), "all rows of an item have one"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=words):
            score_of_new(frame, by)


def test_missing_values_of_a_column_are_a_slice(frame):
    gaps = frame.assign(topic=frame["topic"].where(frame["topic"] == "law"))
    assert score_of_new(gaps, "topic") == {"law": 0.0, "missing": 1.0}


def test_columns_of_features_are_taken_by_name():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"a": rng.normal(size=200), "housing": [0, 1] * 100})
    y = (X["a"] + rng.normal(size=200) > 0).astype(int)
    learners = {"bayes": GaussianNB(), "guess": DummyClassifier()}

    def ask(by, X=X):
        return skstat.compare_estimators(learners, X, y, by=by, budget=10, random_state=0)

    by_column = ask(X["housing"])
    for by in ("housing", ["housing"]):
        found = ask(by)
        assert list(found) == ["housing=0", "housing=1"]
        assert found.verdicts == by_column.verdicts
        assert found["housing=0"].estimate == by_column["housing=0"].estimate
    for by in ("housin", ["housing", "hosing"]):
        with pytest.raises(ValueError, match="which is not a column of X: X has"):
            ask(by)
    with pytest.raises(ValueError, match="X has no names of columns"):
        ask("housing", X.to_numpy())


# Slices that the rows propose

N = 1600
RNG = np.random.default_rng(1)
AGE = RNG.integers(18, 80, size=N)
TOPIC = RNG.choice(np.array(["law", "art", None], dtype=object), size=N)
TRUTH = RNG.integers(0, 2, size=N)


def answers(share):
    return np.where(RNG.random(N) < share, TRUTH, 1 - TRUTH)


SYSTEMS = {"new": answers(np.where(AGE < 30, 0.6, 0.9)), "old": answers(0.88)}
X = {"age": AGE, "topic": TOPIC, "noise": RNG.normal(size=N)}


about = {"y_true": TRUTH, "predictions": SYSTEMS, "metric": "accuracy", "random_state": 0}
propose = partial(skstat.find_slices, **about)


def condition(name):
    """The rows of X that meet the words of a slice."""
    rows = np.ones(N, dtype=bool)
    for part in name.split(" & "):
        if " is not " in part or "=" in part.replace("<=", "").replace(">=", ""):
            column, value = re.split(" is not |=", part)
            cells = np.array([str(x or "missing") == value for x in X[column]])
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
    report = skstat.find_slices(X, TRUTH, SYSTEMS, groups=groups, **asked)
    half = half_of(groups)
    for name, part in report.reports.items():
        rows = half[condition(name)[half]]
        own = None if groups is None else groups[rows]
        systems = {n: p[rows] for n, p in SYSTEMS.items()}
        alone = skstat.compare_predictions(TRUTH[rows], systems, groups=own, **asked)
        assert (part.unit, part.estimate) == (alone.unit, pytest.approx(alone.estimate))
        assert part.pvalue == pytest.approx(alone.pvalue, abs=0.1)  # other draws
    assert any(name.startswith("age < ") for name in report.worse_in)
    assert "proposed by a tree" in " ".join(report.details.split())


def test_rows_without_a_number_are_a_slice_of_their_own_and_in_no_other():
    rng = np.random.default_rng(2)
    age = np.where(rng.random(N) < 0.3, np.nan, AGE)
    share = np.where(np.isnan(age), 0.5, np.where(AGE < 30, 0.6, 0.9))
    systems = {"new": np.where(rng.random(N) < share, TRUTH, 1 - TRUTH), "old": SYSTEMS["old"]}
    report = propose({"age": age}, predictions=systems)
    half = half_of()
    assert "age=missing" in report.worse_in
    for name in report:
        if name == "age=missing":
            continue
        inside = half[condition(name)[half] & ~np.isnan(age[half])]
        right = [p[inside] == TRUTH[inside] for p in systems.values()]
        assert report[name].estimate == pytest.approx(np.mean(right[0]) - np.mean(right[1]))


@in_one_test(("turned", "back"), [
    (lambda age: 1_700_000_000.0 + age, lambda edge: edge - 1_700_000_000),
    (lambda age: 1_700_000_000 + age, lambda edge: edge - 1_700_000_000),
    (lambda age: np.where(age > 70, np.inf, age), lambda edge: edge),
    (lambda age: np.where(age < 20, -np.inf, age), lambda edge: edge),
    (lambda age: age * 1e300, lambda edge: edge / 1e300),
])  # fmt: skip
def test_numbers_that_floats_of_seven_digits_do_not_know(turned, back):
    report = propose({"age": turned(AGE)}, max_depth=1)
    (found,) = report.worse_in
    edge = back(float(re.search("^age < ([0-9.e+]+)$", found)[1]))
    assert 27 < edge < 33 and len(report) == 2


def test_infinite_numbers_alone_are_parted_from_others_by_words_that_are_true():
    late = np.where(AGE < 30, np.inf, 3.7)
    (found,) = propose({"late": late}).worse_in
    assert 3.7 < float(re.search("^late >= (.+)$", found)[1]) < np.inf


def test_texts_of_very_many_values_take_no_column_each():
    n = 20_000
    y = RNG.integers(0, 2, n)
    systems = {name: np.where(RNG.random(n) < 0.8, y, 1 - y) for name in "ab"}
    columns = {"id": [f"user {row // 2}" for row in range(n)], "x": RNG.normal(size=n)}
    tracemalloc.start()
    propose(columns, y_true=y, predictions=systems)
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()


test_wrong_arguments_say_what_to_do = refusals([
    ({"max_depth": 0}, "at least 1"),
    ({"fewest": 30.5}, "fewest=30.5 must be a whole number of at least 2"),
    ({"X": {"age": AGE[:-1]}}, "has 1599 values for 1600 rows"),
    ({"X": {"age": np.ones(N)}}, "no slice was proposed"),
    ({"X": np.zeros((2, 2, 2))}, "must have rows and columns"),
    ({"metric": lambda y, p: float(np.mean(y == p))}, "is not known"),
    ({"predictions": {**SYSTEMS, "third": TRUTH}}, "compares two systems"),
], partial(propose, X=X))  # fmt: skip


# Two estimators: the same fits, scored on the rows of a slice

FIT_RNG = np.random.default_rng(0)
N_FIT = 240
REGION = np.where(np.arange(N_FIT) % 4 == 0, "south", "north")
FIT_X = FIT_RNG.normal(size=(N_FIT, 4))
FIT_X[:, 3] = REGION == "south"
SLOPE = np.where(REGION == "south", -3, 3)
Y = (FIT_X[:, 0] * SLOPE + FIT_RNG.logistic(size=N_FIT) > 0).astype(int)
MODELS = {"nb": GaussianNB(), "linear": LogisticRegression()}


def compare(models=MODELS, **options):
    options = {"by": REGION, "random_state": 0, "scoring": "accuracy"} | options
    return skstat.compare_estimators(models, FIT_X, Y, **options)


def test_scores_of_a_slice_are_those_of_the_same_models_on_its_rows():
    report = compare()
    run = skstat.paired_cross_validate(MODELS, FIT_X, Y, scoring="accuracy", random_state=0)
    for name, model in MODELS.items():
        right = []
        for train, test in run.design.splits:
            inside = test[REGION[test] == "south"]
            hits = model.fit(FIT_X[train], Y[train]).predict(FIT_X[inside]) == Y[inside]
            right.append(hits.mean())
        assert report["south"].systems[name].mean == pytest.approx(np.mean(right))


def test_a_slice_of_all_rows_is_the_comparison_of_all_rows():
    for scoring in ("accuracy", "neg_log_loss"):
        report = compare(scoring=scoring, by={"all": np.ones(N_FIT, dtype=bool)})
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
    assert skstat.report_from_dict(report.to_dict()).details == report.details
    assert all(part.unit == "split" for part in report.reports.values())
    several = compare(scoring=["accuracy", "neg_log_loss"])
    assert set(several) == {"accuracy", "log_loss"}
    assert several["accuracy"].verdicts == compare().verdicts


def test_a_slice_that_a_test_set_hardly_has_is_left_out():
    cv = RepeatedKFold(n_splits=10, n_repeats=2, random_state=0)
    by = {"few": np.arange(N_FIT) < 31, "many": np.arange(N_FIT) >= 31}
    report = compare(by=by, cv=cv, test="corrected_t")
    assert "a test set has" in report.left_out["few"] and list(report) == ["many"]


NEVER = {"nb": Untouched(), "linear": LogisticRegression()}
test_wrong_arguments_are_refused_before_a_fit = refusals([
    ({"scoring": "roc_auc"}, "is not known to be a mean over rows"),
    ({"sample_weight": np.ones(N_FIT)}, "by= and sample_weight= cannot be combined"),
    ({"stability": 2}, "by= and stability= cannot be combined"),
    ({"by": REGION[:-1]}, "has 239 values for 240 rows"),
], partial(compare, NEVER))  # fmt: skip
