"""Every door that fits estimators keeps its fits."""

import inspect

import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

import skstat

X, Y = make_classification(80, 5, random_state=0)

A, B = ("a", GaussianNB()), ("b", GaussianNB(var_smoothing=0.1))
DOORS = {
    "paired_cross_validate": lambda **how: skstat.paired_cross_validate([A, B], X, Y, **how),
    "cross_validate_over_datasets": lambda **how: skstat.cross_validate_over_datasets(
        [A, B], {"one": (X, Y)}, **how
    ),
    "paired_cv_ttest": lambda **how: skstat.paired_cv_ttest(A, B, X, Y, **how),
    "paired_cv_ttest, stability": lambda **how: skstat.paired_cv_ttest(
        A, B, X, Y, correction=None, stability=1, **how
    ),
    "five_by_two_cv_test": lambda **how: skstat.five_by_two_cv_test(A, B, X, Y, **how),
    "compare_estimators": lambda **how: skstat.compare_estimators([A, B], X, Y, **how),
    "compare_to_baseline": lambda **how: skstat.compare_to_baseline(A, X, Y, **how),
    "compare_over_datasets": lambda **how: skstat.compare_over_datasets(
        [A, B], {name: (X[i:], Y[i:]) for i, name in enumerate("abcdef")}, **how
    ),
    "friedman_nemenyi": lambda **how: skstat.friedman_nemenyi(
        [A, B], {name: (X[i:], Y[i:]) for i, name in enumerate("abcdef")}, **how
    ),
    "estimate_performance": lambda **how: skstat.estimate_performance(A, X, Y, **how),
    "check_test": lambda **how: skstat.check_test([A], X, Y, n_experiments=10, cv=3, **how),
}


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("door", DOORS)
def test_the_same_call_fits_nothing(tmp_path, fits, door):
    done = []
    for _ in range(2):
        DOORS[door](memory=tmp_path, verbose=False)
        done.append(fits())
    assert done[0] > 0 and done[1] == 0


def test_every_door_that_fits_has_it():
    doors = {
        name: set(inspect.signature(getattr(skstat, name)).parameters)
        for name in skstat.__all__
        if inspect.isfunction(getattr(skstat, name))
    }
    fit = {name for name, has in doors.items() if "random_state" in has and "params" in has}
    assert fit == {name.partition(",")[0] for name in DOORS}
    assert all("memory" in doors[name] for name in fit)
