"""Slices keep apart what differs: their names, and the values that rows and items have."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from skstat import compare_estimators, compare_scores, make_slices
from tests.cases import in_one_test, refusals


def parts(by, **options):
    return {name: rows.tolist() for name, rows in make_slices(by, **options).rows.items()}


@in_one_test(
    "values, names",
    [
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
    ],
)
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
    whole = pandas.Series([True, False], dtype="boolean")
    assert parts({"x": whole}) == {"x": [0]}


test_what_cannot_be_kept_apart_is_refused = refusals(
    [
        ({"by": {"x": [[1], {}]}}, r"by\['x'\] holds \[1\], which cannot name a slice"),
        ({"by": ["missing", "'missing'", None]}, "both written 'missing'"),
        ({"by": {"a=b": ["c", "d"], "a": ["b=c", "x"]}}, "would be called 'a=b=c'"),
        ({"by": {"a=x": np.array([True, False]), "a": ["x", "y"]}}, "would be called 'a=x'"),
        ({"by": {1: ["c", "d"], "1": ["b", "x"]}}, "by has '1' twice"),
        ({"by": [1.5, 2.5], "bins": [np.nan]}, "increasing values"),
        ({"by": [1.5, 2.5], "bins": [1, np.inf]}, "increasing values"),
        ({"by": {"a": [1.5, 2.5]}, "bins": {"a": ["x"]}}, "increasing values"),
    ],
    make_slices,
)


def test_infinite_numbers_are_in_the_outer_parts():
    found = parts(np.r_[-np.inf, np.arange(40) / 3, np.inf])
    assert sorted(row for rows in found.values() for row in rows) == list(range(42))
    ends = list(found.values())
    assert 0 in ends[0] and 41 in ends[-1] and len(found) == 4


class TestLongFrames:
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    items = [f"q{row}" for row in range(200)]
    topic = rng.choice(["law", "art"], 200)
    new = np.where(topic == "law", 0.0, 1.0)
    frame = pandas.DataFrame(
        {
            "model": np.repeat(["new", "old"], 200),
            "question": items * 2,
            "topic": np.tile(topic, 2),
            "correct": np.r_[new, rng.integers(0, 2, 200)],
        }
    ).sample(frac=1, random_state=1, ignore_index=True)

    def score_of_new(self, by, frame=None):
        report = compare_scores(
            self.frame if frame is None else frame, system="model", item="question",
            score="correct", by=by, random_state=0,
        )  # fmt: skip
        return {
            name.removeprefix("topic="): part.systems["new"].mean
            for name, part in report.reports.items()
        }

    def test_values_are_matched_by_item_or_by_row(self):
        pandas, frame = self.pandas, self.frame
        of_items = pandas.Series(self.topic, index=self.items)
        for by in (
            "topic", ["topic"], of_items, of_items.sample(frac=1, random_state=2),
            {"topic": dict(zip(self.items, self.topic, strict=True))},
            frame["topic"], frame["topic"].sample(frac=1, random_state=2), frame[["topic"]],
            frame["topic"].to_numpy(), lambda scores: scores["topic"],
        ):  # fmt: skip
            assert self.score_of_new(by) == {"art": 1.0, "law": 0.0}

    def test_the_order_of_items_is_never_guessed(self):
        for by in (self.topic, list(self.topic), {"topic": self.topic}):
            with pytest.raises(ValueError, match=r"200 values without labels.* whose index is"):
                self.score_of_new(by)
        with pytest.raises(ValueError, match="rows by their numbers"):
            self.score_of_new(make_slices(self.topic))
        with pytest.raises(ValueError, match="no value for item 'q0'"):
            self.score_of_new(self.pandas.Series(self.topic[1:], index=self.items[1:]))
        with pytest.raises(ValueError, match="all rows of an item have one"):
            self.score_of_new(np.array(["a", "b", "c", "d"] * 100))

    def test_missing_values_of_a_column_are_a_slice(self):
        gaps = self.frame.assign(topic=self.frame["topic"].where(self.frame["topic"] == "law"))
        assert self.score_of_new("topic", gaps) == {"law": 0.0, "missing": 1.0}


def test_columns_of_features_are_taken_by_name():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    X = pandas.DataFrame({"a": rng.normal(size=200), "housing": [0, 1] * 100})
    y = (X["a"] + rng.normal(size=200) > 0).astype(int)
    learners = {"bayes": GaussianNB(), "guess": DummyClassifier()}

    def ask(by, X=X):
        return compare_estimators(learners, X, y, by=by, budget=10, random_state=0)

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
