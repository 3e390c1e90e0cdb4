"""What cannot be compared is refused by the name that the caller knows, with what to do."""

import warnings

import numpy as np
import pytest
import scipy.sparse

import skstat
from skstat import stats
from skstat.io import Results
from skstat.stats import PairedScores, Scores, ScoreTable
from tests.cases import in_one_test, refusals

A = np.linspace(0.7, 0.9, 12)
B = A[::-1] * 0.9 + 0.01
TWO = {"a": A, "b": B}
THREE = TWO | {"c": A * 0.5}
UNITS = ("instance", "seed", "dataset", "split", "group")

# Of every unit: what is handed in, and words of the answer.
SCORES = {
    "words": ({"a": ["x", "y", "z"], "b": ["u", "v", "w"]}, "must hold numbers"),
    "one number each": ({"a": 0.5, "b": 0.6}, "a.* shape|one-dimensional"),
    "objects": ({"a": [object()] * 3, "b": [1, 2, 3]}, "must hold numbers"),
    "three dimensions": (np.ones((3, 2, 2)), r"shape \(3, 2, 2\)"),
    "matrices": ({"a": np.ones((3, 4)), "b": np.ones((3, 4))}, r"shape \(3, 4\)"),
    "empty": ({"a": [], "b": []}, "not empty|shape"),
    "no system": ({}, "two systems|needs two"),
    "an empty list": ([], "needs two"),
    "infinite": ({"a": [1, np.inf, 3], "b": [1, 2, 3]}, r"\[1\] is inf|on .* is inf"),
    "sparse": ({"a": scipy.sparse.csr_array([[1, 2]]), "b": [1, 2]}, r"sparse; pass .*toarray"),
    "None": (None, "NoneType|shape"),
    "a number": (3.0, "float|shape"),
    "a file name": ("scores.csv", "str|shape|numbers"),
    "a generator": ({"a": (x for x in [1.0, 2]), "b": [1, 2]}, "a.*(must hold|is a generator)"),
    "ragged": ([[1, 2], [3]], "row of equal length|must hold numbers"),
    "records": (np.zeros(2, dtype=[("a", float), ("b", float)]), "records"),
    "too large": ({"a": [10**400, 1, 2], "b": [1, 2, 3]}, "too large for a float"),
    "one system": ({"a": [1, 2, 3]}, "two systems|needs two"),
    "one column": (np.ones((3, 1)), "two systems|needs two"),
    "functions": ({"a": len, "b": len}, "must hold numbers"),
}


@in_one_test("unit", UNITS)
@in_one_test("scores, words", SCORES.values(), ids=SCORES)
def test_scores_that_are_none(scores, words, unit):
    sizes = {"n_train": 10, "n_test": 5} if unit == "split" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((ValueError, TypeError), match=words):
            skstat.compare_scores(scores, unit=unit, **sizes)


ROWS = {"unit": "instance"}


@in_one_test("scores", [TWO, THREE], ids=["two", "three"])
@in_one_test("options, words", [
    ({"unit": 3}, "unit=3 is unknown"),
    (ROWS | {"alternative": 1}, "alternative=1 is unknown; use 'two-sided'"),
    (ROWS | {"confidence_level": "high"}, "confidence_level='high' must lie"),
    (ROWS | {"margin": {"score": "x"}}, r"margin\['score'\]='x' must be a positive"),
    (ROWS | {"test": len}, "test=.*(cannot be used|returned int)"),
    (ROWS | {"test": lambda sample: 3}, "cannot be used.*alternative="),
    (ROWS | {"test": lambda sample, alternative: 3}, "returned int; a procedure returns"),
    (ROWS | {"test": PairedScores}, "test=PairedScores is a class"),
    (ROWS | {"test": None}, "test=None is unknown"),
    (ROWS | {"control": "z"}, "control='z' is not one of the systems"),
    (ROWS | {"adjustment": ["holm"]}, "adjustment=.* is unknown"),
    (ROWS | {"systems": 5}, "systems=5 must be a list of names"),
    (ROWS | {"systems": ("a", "q")}, "systems=.* must be two"),
    (ROWS | {"systems": ("q",), "constant": 0.5}, "must be one of"),
    (ROWS | {"constant": 0.5}, r"a constant is compared with one; say which: systems="),
    (ROWS | {"scoring": 3}, "scoring=3 must be one name"),
    (ROWS | {"constant": "half"}, "constant='half' must be a finite score: a number such as"),
    (ROWS | {"random_state": "x"}, "random_state='x' must be an int"),
    (ROWS | {"columns": "a"}, "takes no columns=: .* system=, item="),
    (ROWS | {"names": "ab"}, "takes no names=: give a mapping"),
    (ROWS | {"post_hoc": "sign"}, "takes no post_hoc=: test= names"),
    (ROWS | {"groups": A > 0}, r"takes no groups=\. Use group=\."),
    ({"n_train": 10}, "n_train and n_test go together"),
    ({"n_train": "x", "n_test": 5}, "n_train must hold whole numbers"),
    ({"n_train": [1, 2], "n_test": 5}, "n_train has shape"),
    ({"n_repeats": "x"}, "n_repeats='x' must be a whole number"),
    ({"unit": "seed", "n_train": 10, "n_test": 5}, "n_train is of splits"),
    ({"unit": "seed", "paired_seeds": np.array([1, 2])}, "paired_seeds=.* must be True or"),
])  # fmt: skip
def test_options_that_make_no_sense(options, words, scores):
    with pytest.raises((ValueError, TypeError), match=words):
        skstat.compare_scores(scores, **options)


PAIRS = PairedScores(np.r_[A, A], np.r_[B, B], unit="instance")
TABLE = ScoreTable(THREE, unit="dataset")
test_procedures_and_samples = refusals([
    (lambda: stats.sign_flip(PAIRS, n_resamples=99.0), "n_resamples=99.0 must be a whole"),
    (lambda: stats.sign_flip(PAIRS, n_resamples=10.5), "n_resamples=10.5 must be a whole"),
    (lambda: stats.paired_t(PAIRS).confidence_interval("x"), "confidence_level='x' must lie"),
    (lambda: stats.paired_t(PAIRS).critical_value("x"), "alpha='x' must lie"),
    (lambda: stats.adjust_pvalues([0.1, "x"]), "pvalues must hold numbers"),
    (lambda: stats.holdout_estimate("x"), "values must hold numbers"),
    (lambda: stats.cross_validation_estimate("x", [0, 1]), "scores must hold numbers"),
    (lambda: stats.nested_cv_estimate(None, None), "outer must hold a list of folds"),
    (lambda: stats.pairwise(TABLE, "paired_t"), "test='paired_t' must be a function"),
    (lambda: PairedScores(A, B, unit="instance", ordered="x"), "ordered='x' is unknown; use"),
    (lambda: ScoreTable(TWO, unit="dataset", datasets=3), "datasets=3 must be a list of names"),
    (lambda: TABLE.take(["z"]), "'z' is not one of the systems"),
    (lambda: PairedScores.from_row_scores("x", "y", [[0, 1]]), "a must hold numbers"),
    (lambda: PairedScores.from_row_scores(np.ones((2, 4)), np.ones((2, 3)), [[0] * 4] * 2),
     "shapes of a and b differ"),
], error=(ValueError, TypeError))  # fmt: skip


# What NumPy makes floats of without a word, and what is said of it.

DAYS, SPANS = np.arange(12).astype("M8[D]"), np.arange(12).astype("m8[s]")
NO_NUMBERS = {
    "dates": (list(DAYS), "not dates|datetime.date"),
    "dates as objects": (np.array([*DAYS[:11], 1.0], dtype=object), "not dates"),
    "spans": (list(SPANS), "not spans of time|timedelta"),
    "complex": (list(A + 1j), "not complex numbers"),
    "complex objects": (np.array([*(A + 1j)], dtype=object), "not complex numbers"),
    "text": (A.astype(str).tolist(), "holds text such as '0.7'"),
    "bytes": (A.astype(bytes), "holds text such as b'0.7'"),
    "masked": (np.ma.masked_less(A, 0.75), "mask"),
}
LABELS = {"model": ["a"] * 12 + ["b"] * 12, "item": [*range(12)] * 2}
BY_COLUMN = {"system": "model", "item": "item", "score": "correct"}
DOORS = {
    "mapping": lambda x: skstat.compare_scores({"a": x, "b": B}, unit="instance"),
    "of seeds": lambda x: skstat.compare_scores({"a": x, "b": B}, unit="seed"),
    "of splits": lambda x: skstat.compare_scores({"a": x, "b": B}, n_train=10, n_test=5),
    "of data sets": lambda x: skstat.compare_scores(THREE | {"c": x}, unit="dataset"),
    "constant": lambda x: skstat.compare_scores({"a": x}, unit="instance", constant=0.5),
    "long": lambda x: skstat.compare_scores(LABELS | {"correct": _twice(x)}, **BY_COLUMN),
    "ranked": lambda x: skstat.rank_systems(LABELS | {"correct": _twice(x)}, **BY_COLUMN),
    "cross_validate": lambda x: skstat.compare_scores(
        {name: {"fit_time": A, "test_score": s} for name, s in (("a", x), ("b", B))}
    ),
    "results": lambda x: Results(
        system=LABELS["model"], item=LABELS["item"], scores={"s": _twice(x)}
    ),
    "PairedScores": lambda x: PairedScores(x, B, unit="instance"),
    "Scores": lambda x: Scores(x, unit="instance"),
    "SeedScores": lambda x: stats.SeedScores({"a": x, "b": B}),
    "ScoreTable": lambda x: ScoreTable({"a": x, "b": B}, unit="dataset"),
    "groups": lambda x: PairedScores(x, B, groups=np.arange(12) // 2),
    "holdout": lambda x: stats.holdout_estimate(x),
    "p-values": lambda x: stats.adjust_pvalues(x),
    "weights": lambda x: skstat.compare_predictions(
        [0, 1] * 6, {"a": [0, 1] * 6, "b": [1] * 12}, metric="accuracy", sample_weight=x
    ),
}


def _twice(values):
    if isinstance(values, list):
        return values + values
    return np.ma.concatenate([values] * 2) if np.ma.is_masked(values) else np.tile(values, 2)


@in_one_test("kind", NO_NUMBERS)
def test_what_numpy_would_take_for_numbers(kind):
    values, words = NO_NUMBERS[kind]
    for ask in DOORS.values():
        with pytest.raises(ValueError, match=words):
            ask(values)


# What a single number cannot be: text, a switch, a list of numbers.

PAIR = PairedScores(np.sqrt(np.arange(40)), np.arange(40) / 6, unit="instance")
NUMBERS = {
    "constant": [
        lambda x: skstat.binomial_test(successes=8, n=10, constant=x),
        lambda x: skstat.compare_scores({"a": A}, unit="instance", constant=x),
        lambda x: Scores(A, unit="instance").against(x),
        lambda x: stats.binomial(stats.Successes(8, 10), x),
    ],
    "margin": [
        lambda x: skstat.compare_scores(TWO, unit="instance", scoring="auc", margin={"auc": x}),
        lambda x: skstat.mcnemar_test(table=[[54, 18], [6, 22]], margin=x),
        lambda x: stats.equivalence(stats.paired_t(PAIR), x),
    ],
    "successes": [lambda x: stats.Successes(x, 10)],
    "only_a": [lambda x: stats.AgreementTable(54, x, 6, 22)],
    "horizon": [
        lambda x: skstat.compare_predictions(
            A, {"a": A, "b": B}, metric="neg_mean_squared_error", order=A, horizon=x
        )
    ],
    "rng": [lambda x: stats.sign_flip(PAIR, rng=x)],
}


@in_one_test("name", NUMBERS)
@in_one_test("value", ["half", "1", True, np.True_, [0.5], 0.5 + 0j])
def test_a_single_number_is_one(name, value):
    if name in ("successes", "only_a") and isinstance(value, bool | np.bool_):
        return  # one that counts is 1
    for ask in NUMBERS[name]:
        with pytest.raises((ValueError, TypeError), match=f"{name}.*=.* must be"):
            ask(value)
