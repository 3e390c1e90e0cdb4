"""Every door that fits estimators keeps its fits."""

import inspect
from functools import partial

import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

import skstat
from tests import fitting

X, Y = make_classification(80, 5, random_state=0)

A, B = ("a", GaussianNB()), ("b", GaussianNB(var_smoothing=0.1))
SETS = {name: (X[i:], Y[i:]) for i, name in enumerate("abc")}
OTHERS = {
    "cross_validate_over_datasets": partial(skstat.cross_validate_over_datasets, [A, B], SETS),
    "friedman_nemenyi": partial(skstat.friedman_nemenyi, [A, B], SETS),
    "paired_cv_ttest, stability": partial(
        skstat.paired_cv_ttest, A, B, X, Y, correction=None, stability=1
    ),
}
DOORS = {name: partial(ask, [A, B], X, Y) for name, ask in fitting.DOORS.items()} | OTHERS


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
    assert all({"X", "sample_weight"} - doors[name] != {"sample_weight"} for name in fit)
