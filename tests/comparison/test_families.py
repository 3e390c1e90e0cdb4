"""Pairs judged as arrays, against pairs that are asked one by one."""

import json
import pickle

import numpy as np
import pytest

import skstat
from skstat.comparison._engine import systems
from skstat.comparison._engine.family import FamilyOfMeans

RNG = np.random.default_rng(5)
SMOOTH = 0.8 + 0.03 * RNG.standard_normal((10, 1)) + 0.02 * RNG.standard_normal((10, 6))
COARSE = RNG.integers(5, 8, (10, 6)) / 10
SKEWED = SMOOTH[:, :1] + np.arange(6) / 100
SKEWED[3, 5] -= 0.5
BETTER = SMOOTH + np.linspace(0, 0.2, 6)
CLOSE = 0.7 + 0.0005 * RNG.standard_normal((10, 6)) + np.linspace(0, 0.004, 6)
ODD = np.column_stack([COARSE, COARSE[:, 0], COARSE[:, 0] + 0.25, np.full(10, 0.7)])
SAME = np.full((10, 3), 0.7)
CONSTANT = 0.5 + np.tile([0.0, 0.1, 0.2], (10, 1))
ROWS = np.tile(ODD, (4, 1)) + np.r_[np.zeros((20, 9)), 0.1 * RNG.standard_normal((20, 9))]
RIGHT = (RNG.random((60, 5)) < 0.7).astype(float)
EVEN, UNEVEN = np.arange(60) // 5, np.sort(RNG.integers(0, 14, 60))
ODD_ROWS = np.tile(ODD, (6, 1)) + 0.05 * RNG.standard_normal(12)[EVEN, None]
SKEWED_ROWS = np.tile(SKEWED, (6, 1)) + 0.05 * RNG.standard_normal((60, 6))
SPLITS = {"unit": "split", "n_train": 90, "n_test": 10}
FOLDS = {"unit": "split", "n_repeats": 1}
REPEATS = {"unit": "split", "n_repeats": 2}


CASES = {
    "smooth": (SMOOTH, {"scoring": "accuracy", **SPLITS}, {"SKS212"}),
    "greater": (SMOOTH, {"scoring": "f1", "alternative": "greater", **FOLDS}, {"SKS102"}),
    "less": (BETTER, {"alternative": "less", **REPEATS}, {"SKS103"}),
    "ties": (COARSE, {"scoring": "roc_auc", **FOLDS}, {"SKS130"}),
    "skewed": (SKEWED, {"scoring": "f1", **SPLITS}, {"SKS203"}),
    "control": (SKEWED, {"control": "s1", "confidence_level": 0.8, **SPLITS}, set()),
    "better": (BETTER, {"test": "paired_t", "adjustment": "max-t", **SPLITS}, {"SKS101"}),
    "close": (CLOSE, {"scoring": "accuracy", **REPEATS}, {"SKS208", "SKS213"}),
    "odd": (ODD, {"scoring": "accuracy", **SPLITS}, {"SKS201", "SKS202"}),
    "same": (SAME, FOLDS, {"SKS201"}),
    "constant": (CONSTANT, {"scoring": "accuracy", **FOLDS}, {"SKS202"}),
    "seeds": (BETTER, {"unit": "seed", "paired_seeds": True}, set()),
    "margin": (SMOOTH, {"margin": 0.01, "scoring": "accuracy", **SPLITS}, {"SKS212"}),
    "small": (CLOSE, {"margin": 0.01, "scoring": "f1", **SPLITS}, {"SKS213"}),
    "odd, margin": (ODD, {"margin": 0.2, "alternative": "less", **FOLDS}, {"SKS202"}),
    "rows, margin": (ROWS[:20], {"margin": 0.1, "unit": "instance"}, set()),
    "rows": (0.5 * ROWS + 0.2, {"scoring": "accuracy", "unit": "instance"}, set()),
    "few rows": (ODD[:7], {"unit": "instance", "alternative": "greater"}, {"SKS201"}),
    "right and wrong": (RIGHT, {"unit": "instance", "control": "s1"}, set()),
    "groups": (SKEWED.repeat(3, axis=0), {"unit": "group", "alternative": "less"}, set()),
    "rows in groups": (ODD_ROWS, {"unit": "instance", "groups": EVEN}, {"SKS107"}),
    "rows in odd groups": (
        SKEWED_ROWS,
        {"unit": "instance", "groups": UNEVEN, "scoring": "quality"},
        {"SKS107"},
    ),
    "rows in groups, margin": (
        SKEWED_ROWS,
        {"unit": "instance", "groups": UNEVEN, "margin": 0.1, "alternative": "greater"},
        set(),
    ),
    "no draws": (ODD, {"scoring": "f1", "confidence_level": 0.9999, **REPEATS}, set()),
}


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("scores, options, codes", CASES.values(), ids=CASES)
def test_reports_are_the_same_to_the_last_bit(monkeypatch, scores, options, codes):
    given = {f"s{number}": column for number, column in enumerate(scores.T)}

    def report():
        return skstat.compare_scores(given, random_state=0, **options)

    fast = report()
    by_array = fast.evidence.pairwise
    assert isinstance(by_array.outcomes, FamilyOfMeans)
    monkeypatch.setattr(systems, "family_of_means", lambda *_: None)
    slow = report()
    one_by_one = slow.evidence.pairwise
    assert isinstance(one_by_one.outcomes, tuple)
    for name in ("estimates", "statistics", "directions", "pvalues"):
        np.testing.assert_array_equal(
            getattr(by_array, name), getattr(one_by_one, name), err_msg=name
        )
    for level in (0.8, 0.95):
        np.testing.assert_array_equal(by_array.limits(level), one_by_one.limits(level))
    assert json.dumps(fast.to_dict()) == json.dumps(slow.to_dict())
    assert str(fast) == str(slow)
    assert codes <= {doubt.code for doubt in fast.doubts}


def test_only_the_pairs_that_are_looked_at_are_built():
    given = {f"s{number}": column for number, column in enumerate(BETTER.T)}
    report = skstat.compare_scores(given, random_state=0, **SPLITS)
    pairwise = report.evidence.pairwise
    built = pairwise.outcomes._known
    assert report.may_be_best == ("s5", "s4") and report.systems["s0"].letters
    assert report.systems["s0"].best_high < 0 and report.systems["s0"].best_pvalue < 0.05
    assert report.doubts and set(built) == {0}
    assert report["s4", "s2"].verdict and set(built) == {0, pairwise.places["s2", "s4"]}
    sent = pickle.loads(pickle.dumps(report))
    assert sent.to_json() == report.to_json()
