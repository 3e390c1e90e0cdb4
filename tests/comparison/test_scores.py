"""Scores that exist already: runs, samples and bare numbers."""

from functools import partial

import numpy as np
import pytest

from skstat import compare_scores, stats
from skstat.stats import PairedScores, Scores
from tests.cases import refusals

rng = np.random.default_rng(1)
A = rng.normal(0.80, 0.02, 30)
B = rng.normal(0.79, 0.02, 30)


@pytest.mark.parametrize("unit", ["instance", "seed", "dataset"])
def test_a_control_of_two_is_the_second(unit):
    plain = compare_scores({"a": A, "b": B}, unit=unit)
    assert compare_scores({"a": A, "b": B}, unit=unit, control="b").estimate == plain.estimate
    turned = compare_scores({"a": A, "b": B}, unit=unit, control="a")
    assert turned.names == ("b", "a")
    assert turned.estimate == pytest.approx(-plain.estimate)
    numbered = compare_scores({1: A, 2: B}, unit=unit, control=1)
    assert numbered.names == ("2", "1")
    assert compare_scores(PairedScores(A, B, unit=unit), control="B").names == ("A", "B")


NAMED = [
    {"a": A, "b": B, "c": A},
    stats.ScoreTable({"a": A, "b": B, "c": A}, unit="instance"),
    stats.SeedScores({"a": A, "b": B, "c": A}),
]


@pytest.mark.parametrize("scores", NAMED, ids=lambda scores: type(scores).__name__)
def test_what_has_names_is_chosen_from(scores):
    unit = {"unit": "instance"} if isinstance(scores, dict) else {}
    assert compare_scores(scores, systems=("c", "b"), **unit).names == ("c", "b")


PAIRED = {"unit": "seed", "paired_seeds": True}


PAIR, ONE = PairedScores(A, B, unit="instance"), Scores(A, unit="instance")
HAS_NAMES = "systems= describes systems that have names"
test_wrong_arguments_are_named = refusals([
    (partial(compare_scores, {"a": A, "b": B}), "unit is missing"),
    (partial(compare_scores, {"a": A, "b": B[:5]}, **PAIRED), "unequal numbers of scores"),
    (partial(compare_scores, Scores(A, unit="seed")), "give the constant"),
    (partial(compare_scores, {"a": A}, unit="seed", constant=1.0, test="wilcoxon"), "paired_t"),
    (partial(compare_scores, PAIR, systems=("A", "B")), HAS_NAMES),
    (partial(compare_scores, ONE, systems=("A",), constant=0.7), HAS_NAMES),
    (partial(compare_scores, {"a": A, "b": B}, unit="instance", control="c"),
     "control='c' is not one of the systems"),
    (partial(compare_scores, PAIR, control="A"), "control='A' is the first system of this"),
])  # fmt: skip
