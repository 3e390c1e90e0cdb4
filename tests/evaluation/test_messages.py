"""Wrong arguments: the error names the argument, and says what to write."""

import inspect

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import EvaluationError, paired_cross_validate
from tests.fitting import DOORS

X, y = load_iris(return_X_y=True)
X, y = X[:100], y[:100]
NUMBERS = X[:, 0] + np.linspace(0, 1e-3, 100)
NB, TREE = GaussianNB(), DecisionTreeClassifier(random_state=0, max_depth=2)


def metric(y_true, y_pred):
    raise RuntimeError("no metric today")


WRONG = [
    ({"confidence_level": 95}, r"confidence_level=95 .* as 0\.95"),
    ({"confidence_level": "high"}, "confidence_level='high' must lie between 0 and 1"),
    ({"cv": "5"}, "(cv='5': Expected .?cv.? as an integer|cv must be a number of folds)"),
    ({"cv": True}, "cv=True: .* setting n_splits=2 or more"),
    ({"params": [1, 2]}, "params must be a mapping of name to value, got list"),
    ({"params": "sample_weight"}, "params must be a mapping"),
    ({"params": {1: 2}}, "params has the name 1"),
    ({"params": {"wight": 2}}, "unexpected keyword argument 'wight'"),
    ({"scoring": 1}, "scoring=1 is not a metric"),
    ({"scoring": "acuracy"}, "scoring='acuracy' is unknown. Did you mean 'accuracy'"),
    ({"scoring": metric}, r"a function of y_true and y_pred.*make_scorer\(metric\)"),
    ({"scoring": make_scorer(metric)}, r"no metric today \(scoring: metric\)"),
    ({"alternative": "two sided"}, "alternative='two sided' is unknown; use 'two-sided'"),
    ({"margin": "small"}, "margin='small' must be a positive"),
    ({"n_jobs": "all"}, "n_jobs='all' must be a whole number"),
    ({"random_state": "a"}, "random_state='a' must be an int of at least 0"),
    ({"random_state": -1}, "random_state=-1 must be an int of at least 0"),
    ({"verbose": "loud"}, "verbose='loud' must be"),
    ({"budget": "10"}, "budget='10' must be a whole number"),
    ({"stability": "yes"}, "stability='yes' must be a whole number"),
    ({"groups": "patient"}, "groups must be a sequence of rows .*, got 'patient'"),
    ({"groups": [1, 2]}, "groups has 2 rows but X has 100"),
    ({"groups": np.ones((100, 2))}, r"groups has shape \(100, 2\); give one group per row"),
    ({"groups": [None, *range(99)]}, "groups is missing for 1 row"),
    ({"groups": np.r_[np.nan, np.ones(99)]}, "groups is missing for 1 row"),
    ({"sample_weight": "balanced"}, "sample_weight must hold numbers"),
    ({"metric": "accuracy"}, r"takes no metric=\. Use scoring=\."),
    ({"scorer": "accuracy"}, r"takes no scorer=\. Use scoring=\."),
    ({"seed": 1}, r"takes no seed=\. Use random_state=\."),
    ({"weights": y}, r"takes no weights=\. Use sample_weight=\."),
    ({"verbos": 1}, r"takes no verbos=\. Use verbose=\."),
    ({"colour": "red"}, r"takes no colour=\. It takes estimator"),
    ({"y": NUMBERS}, "y holds numbers that are not classes .* GaussianNB.* learn classes"),
    ({"y": None}, "y is missing, and GaussianNB learns from targets"),
    ({"y": y[:50]}, "y has 50 rows but X has 100"),
    ({"y": np.where(y, b"a", b"b")}, "y cannot be read as a target: .*bytes"),
    ({"y": np.where(y, np.nan, 1)}, "y of row 50 is nan: leave out rows"),
    ({"y": [*range(99), None]}, "y of row 99 is None: leave out rows"),
    ({"y": y * 1j}, "y cannot be read as a target: Complex data not supported$"),
    ({"y": np.ones((100, 2, 2))}, r"y has shape \(100, 2, 2\)"),
    ({"y": np.ma.array(y, mask=y == 1)}, "y is a masked array"),
    ({"y": np.zeros(100)}, "y holds one class only"),
    ({"X": None}, "X must be a sequence of rows"),
    ({"X": "data.csv"}, "X must be a sequence of rows .*, got 'data.csv'"),
    ({"X": {"a": X[:, 0], "b": X[:, 1]}}, "X is a dict; pass a table"),
    ({"X": (row for row in X)}, "X must be a sequence of rows"),
    ({"X": X[:0], "y": y[:0]}, "X has no rows"),
    ({"X": np.ma.array(X, mask=X > 5)}, "X is a masked array"),
    ({"estimators": [GaussianNB, TREE]}, r"is the class GaussianNB; pass an instance"),
    ({"estimators": ["nb", "tree"]}, "estimator"),
    ({"estimators": [("nb", NB, 1), TREE]}, "estimator"),
    ({"estimators": [X, y]}, "estimator"),
    ({"groups": set(range(100))}, "groups must be a sequence of rows"),
]


# Of short cases, one in nearly as many as there are doors: every argument, of doors by turns.
@pytest.mark.long(keep=len(WRONG) + len(DOORS))
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("given", "words"), WRONG, ids=[str(words) for _, words in WRONG])
def test_wrong_arguments(door, given, words):
    known = inspect.signature(getattr(skstat, door)).parameters
    data = {"estimators": [NB, TREE], "X": X, "y": y}
    extra = {name: value for name, value in given.items() if name not in data}
    meant = {"metric", "scorer", "seed", "verbos", "colour"}
    meant |= {"weights"} if "sample_weight" in known else set()
    if any(name not in known and name not in meant for name in extra):
        pytest.skip("this door has no such argument")
    pair, table, target = ({**data, **given}[name] for name in data)
    with pytest.raises((TypeError, ValueError, EvaluationError), match=words) as raised:
        DOORS[door](pair, table, target, **extra)
    assert len(str(raised.value)) < 500


def test_every_door_explains_its_arguments():
    for name in skstat.__all__:
        door = getattr(skstat, name)
        if inspect.isfunction(door):
            with pytest.raises(TypeError, match=f"{name} takes no colour=. (It takes|Use) "):
                door(colour="red")


def test_splits_that_are_no_pairs():
    with pytest.raises(TypeError, match=r"cv=\[1, 2, 3\] must hold a pair of training rows"):
        paired_cross_validate([NB], X, y, cv=[1, 2, 3])
