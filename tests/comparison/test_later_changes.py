"""What a caller does to the arrays after a call does not reach its report."""

import json
from functools import partial

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from skstat import compare_estimators, compare_predictions, compare_scores
from tests.timeless import masked, timeless


def _given():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 120)
    some = np.where(rng.random((7, 120)) < 0.7, y, rng.integers(0, 3, (7, 120)))
    return {
        "y": y,
        "some": some,
        "groups": rng.integers(0, 30, 120),
        "some_slices": rng.integers(0, 3, 120),
        "weights": rng.uniform(0.5, 1.5, 120),
        "scores": rng.normal(size=(30, 4)),
        "X": rng.normal(size=(120, 3)) + y[:, None] / 2,
    }


def _scores(given, unit):
    named = dict(zip("pqrs", given["scores"].T, strict=True))
    return compare_scores(named, unit=unit, margin=0.3, random_state=0)


def _predictions(given, metric, n_systems, **options):
    systems = dict(zip("abc", given["some"][:n_systems], strict=False))
    taken = {name: given[own] for name, own in options.items()}
    return compare_predictions(given["y"], systems, metric=metric, random_state=0, **taken)


def _seeds(given):
    systems = {"a": given["some"][:3], "b": given["some"][3:6]}
    return compare_predictions(
        given["y"], systems, metric="accuracy", seeds="crossed", random_state=0
    )


def _estimators(given, **options):
    systems = {"lr": LogisticRegression(), "nb": GaussianNB()}
    taken = {name: given[own] for name, own in options.items()}
    return compare_estimators(systems, given["X"], given["y"], random_state=0, **taken)


ASKED = {
    "scores of instances": partial(_scores, unit="instance"),
    "scores of data sets": partial(_scores, unit="dataset"),
    "two systems": partial(_predictions, metric="accuracy", n_systems=2),
    "three systems": partial(_predictions, metric="f1_macro", n_systems=3),
    "groups": partial(_predictions, metric="accuracy", n_systems=3, groups="groups"),
    "weights": partial(_predictions, metric="accuracy", n_systems=2, sample_weight="weights"),
    "slices": partial(_predictions, metric="accuracy", n_systems=2, by="some_slices"),
    "seeds": _seeds,
    "estimators": _estimators,
    "estimators in groups": partial(_estimators, groups="groups"),
    "estimators with weights": partial(_estimators, sample_weight="weights"),
}


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_a_report_says_the_same_after_the_arrays_changed(ask):
    want, given = ask(_given()), _given()
    found = ask(given)
    for values in given.values():
        values[...] = values[0]
    assert masked(found.to_text(full=True)) == masked(want.to_text(full=True))
    assert timeless(json.loads(found.to_json())) == timeless(json.loads(want.to_json()))
