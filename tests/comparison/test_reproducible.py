"""random_state= reaches everything that draws, and every report names the seed it drew by."""

import functools
import inspect
import json
import re
from typing import Literal, get_args, get_origin

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, KFold

from skstat import comparison, cross_validate_over_datasets, paired_cross_validate, stats
from skstat.stats import Comparison, PairedScores
from tests.cases import Column
from tests.timeless import timeless


class ByOneColumn(Column):
    """Learns nothing: each column makes another learner."""

    def predict(self, X):
        return (X[:, self.column] > 0).astype(int)

    def predict_proba(self, X):
        positive = _probabilities(X[:, self.column])
        return np.column_stack([1 - positive, positive])


def _probabilities(scores):
    return 1 / (1 + np.exp(-scores))


@stats.procedure()
def drawn_mean(sample: PairedScores, *, alternative="two-sided", rng=None) -> Comparison:
    """Draw a mean; the outcome does not say that it was drawn."""
    drawn = np.random.default_rng(rng).choice(sample.differences, sample.n_units)
    means = PairedScores(drawn, np.zeros(sample.n_units), unit="instance")
    return stats.paired_t(means, alternative=alternative)


RNG = np.random.default_rng(0)
Y = np.arange(64) % 2
X = RNG.normal(size=(64, 3)) + Y[:, None]
COLUMNS = dict(zip("abc", X.T, strict=True))
TWO = {name: COLUMNS[name] for name in "ab"}
LEARNERS = {name: ByOneColumn(place) for place, name in enumerate("abc")}
FOLDS = KFold(2, shuffle=True, random_state=5)
# More signs than resamples.
SETS = {str(n): (RNG.normal(size=(12, 3)), Y[:12]) for n in range(10)}
QUIET = {"scoring": "accuracy", "cv": FOLDS, "n_jobs": 1}

PREFERENCES = {
    "prompt": np.arange(60) % 20,
    "left": np.repeat(["a", "b", "c"], 20),
    "right": np.repeat(["b", "c", "a"], 20),
    "better": np.where(
        np.arange(60) % 3 < 2, *np.repeat([list("abc"), list("bca")], 20, axis=1)
    ),
}

# Values of parameters by name: of the data, and of options whose type does not list them.
# A call takes the first of each; then every other value is tried, with all data.
DATA = {
    "X": [X],
    "y": [Y],
    "y_true": [Y],
    "a": [X[:, 0] > 0],
    "b": [X[:, 1] > 0],
    "estimator": [ByOneColumn(0)],
    "estimator_a": [ByOneColumn(0)],
    "estimator_b": [ByOneColumn(1)],
    "estimators": [{name: LEARNERS[name] for name in "ab"}, LEARNERS],
    "datasets": [SETS],
    "predictions": [
        {name: make(values) for name, values in systems.items()}
        for systems in (TWO, COLUMNS)
        for make in (lambda scores: (scores > 0).astype(int), _probabilities)
    ],
    "results": [stats.ScoreTable(COLUMNS, unit="instance")],
    "scores": [
        PairedScores(*TWO.values(), unit="instance"),
        *(stats.ScoreTable(COLUMNS, unit=unit) for unit in ("instance", "dataset", "seed")),
        stats.ScoreTable(TWO, unit="dataset"),
        paired_cross_validate(LEARNERS, X, Y, **QUIET),
        cross_validate_over_datasets(LEARNERS, SETS, **QUIET),
    ],
    "search": [GridSearchCV(ByOneColumn(), {"column": [0, 1, 2]}, cv=FOLDS).fit(X, Y)],
}
DRAWING = [
    name
    for name in stats.__all__
    if inspect.isfunction(function := getattr(stats, name))
    and "rng" in inspect.signature(function).parameters
]
OPTIONS = {
    "adjustment": ["auto", "holm", "max-t"],
    "cost_matrix": [None, [[0, 1.1], [2.7, 0]]],
    "cv": [FOLDS, None],
    "fewest": [8],
    "group": [None, np.arange(64) // 2],
    "groups": [None, np.arange(64) // 2],
    "max_depth": [1],
    "metric": ["accuracy", "roc_auc", "f1"],
    "n_experiments": [10],
    "n_jobs": [1],
    "n_resamples": [100],
    "order": [None, np.arange(64)],
    "post_hoc": ["wilcoxon", *DRAWING, functools.partial(stats.pairwise, test=drawn_mean)],
    "studentize": [False, True],
    "test": ["auto", *DRAWING, drawn_mean],
}
# Calls of doors whose parameters mean something else elsewhere.
SIDES = {"item": "prompt", "first": "left", "second": "right", "winner": "better"}
OWN_CALLS = {"compare_preferences": {"preferences": PREFERENCES, "n_resamples": 100, **SIDES}}
NOT_ASKED = {"random_state", "verbose", "error_score", "unit"}
DOORS = [
    name
    for name in comparison.__all__
    if inspect.isfunction(door := getattr(comparison, name))
    and "random_state" in inspect.signature(door).parameters
]


def values_of(parameter):
    known = DATA.get(parameter.name) or OPTIONS.get(parameter.name)
    return known or literals(parameter.annotation)


def literals(annotation):
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [value for part in get_args(annotation) for value in literals(part)]


def values_by_name(door):
    parameters = inspect.signature(door).parameters
    asked = [each for name, each in parameters.items() if name not in NOT_ASKED]
    if "X" in parameters:  # splits of groups are another matter
        asked = [each for each in asked if each.name != "groups"]
    return {each.name: found for each in asked if (found := values_of(each))}


def first_calls_of(door):
    """One call for all data."""
    if door.__name__ in OWN_CALLS:
        return [OWN_CALLS[door.__name__]]
    values = values_by_name(door)
    first = {name: found[0] for name, found in values.items() if name in {**DATA, **OPTIONS}}
    several = [name for name in ("estimators", "predictions", "scores") if name in first]
    return [first | {name: data} for name in several for data in values[name]] or [first]


def calls_of(door):
    """The first calls, and from each of them, one after the other, every other value."""
    for number, first in enumerate(first_calls_of(door)):
        yield first
        for name, values in values_by_name(door).items():
            if name in ("estimators", "predictions", "scores") or (name == "cv" and number):
                continue  # default splits are many, and the same for all estimators
            for value in values[name in first :]:
                yield first | {name: value}


def found_by(door, arguments, seed):
    report = door(**arguments, random_state=seed)
    return json.dumps(timeless(report.to_dict()), default=str)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", DOORS)
def test_a_seed_repeats_a_call(name):
    door = getattr(comparison, name)
    n_drawn = 0
    for arguments in calls_of(door):
        try:
            unseeded = found_by(door, arguments, None)
        except (TypeError, ValueError):  # the options do not suit each other
            continue
        seeded = found_by(door, arguments, 7)
        assert found_by(door, arguments, 7) == seeded, arguments
        if unseeded == seeded:  # nothing was drawn
            continue
        n_drawn += 1
        named = re.findall(r"random_state\W{1,4}(\d+)", unseeded)
        repeated = [found_by(door, arguments, int(seed)) for seed in dict.fromkeys(named)]
        assert unseeded in repeated, (named, arguments)
    assert n_drawn


OWN_SEED = functools.partial(stats.sign_flip, rng=0)
OWN = {"test": OWN_SEED, "post_hoc": functools.partial(stats.pairwise, test=OWN_SEED)}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("name, parameter", [
    (name, parameter)
    for name in DOORS
    for parameter in OWN
    if parameter in inspect.signature(getattr(comparison, name)).parameters
    and name != "check_test"  # draws the data too
])  # fmt: skip
def test_a_seed_of_a_function_of_the_callers_wins(name, parameter):
    door = getattr(comparison, name)
    adjustment = {} if parameter == "post_hoc" else {"adjustment": "holm"}
    n_asked = 0
    for arguments in first_calls_of(door):
        arguments |= adjustment | {parameter: OWN[parameter]}
        try:
            first, second = (door(**arguments, random_state=seed).to_dict() for seed in (1, 2))
        except (TypeError, ValueError):
            continue
        n_asked += 1
        asked = "pairs" if "pairs" in first else "pvalue"  # not the test of all at once
        assert first[asked] == second[asked]
    assert n_asked
