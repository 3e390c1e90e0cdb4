"""Where no p-value can be computed it is nan, and the report says so and why."""

import inspect
import math
import warnings

import numpy as np
import pytest

from skstat import compare_predictions, compare_scores, stats
from skstat.report import report_from_dict
from skstat.stats import (
    ClusteredScores,
    CrossedScores,
    PairedBlockScores,
    PairedFoldScores,
    PairedScores,
    ScoreTable,
    SeedScores,
)

PROCEDURES = {
    name: getattr(stats, name)
    for name in stats.__all__
    if inspect.isfunction(getattr(stats, name)) and hasattr(getattr(stats, name), "__wrapped__")
}
FOLDS = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [0, 1, 1, 0]])


def degenerate(n):
    base = np.linspace(0.125, 0.875, n)
    one = base.copy()
    one[0] += 0.25
    turns = base + np.where(np.arange(n) % 2, 0.125, -0.125)
    return {
        "the same": (base, base),
        "all of one score": (np.ones(n), np.ones(n)),
        "a constant difference": (base + 0.125, base),
        "perfect and always wrong": (np.ones(n), np.zeros(n)),
        "one unit differs": (one, base),
        "turns": (turns, base),
    }


def samples(a, b):
    n = len(a)
    for unit in ("instance", "seed", "dataset"):
        yield PairedScores(a, b, unit=unit)
    yield PairedScores(a, b, unit="instance", ordered=True)
    yield SeedScores(a, b)
    if n > 1:
        yield PairedScores(a, b, n_train=10, n_test=5)
    if n == 10:
        yield PairedScores(a, b, n_repeats=5)
    if n == 12:
        halves = np.reshape(a, (3, 4)), np.reshape(b, (3, 4))
        yield PairedBlockScores(a, b)
        yield ClusteredScores(a, b, groups=np.arange(12) // 2)
        yield CrossedScores(*halves)
        yield CrossedScores(*halves, paired_seeds=True)
        yield PairedFoldScores.from_row_scores(*halves, FOLDS)


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("n", [1, 2, 3, 10, 12])
def test_every_p_is_a_probability_or_nan_with_a_reason(n):
    asked = 0
    for a, b in degenerate(n).values():
        for sample in samples(a, b):
            for function in PROCEDURES.values():
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        outcome = function(sample)
                except (ValueError, TypeError):
                    continue  # it is not for this sample
                if not hasattr(outcome, "pvalue"):
                    continue
                asked += 1
                why = outcome.why_no_pvalue("unit")
                assert math.isnan(outcome.pvalue) if why else 0 < outcome.pvalue <= 1
                assert not why or "to test it against" in why
    assert asked > 15


@pytest.mark.parametrize("unit", ["seed", "split"])
def test_a_pair_says_so_in_its_conclusion(unit):
    units = {"n_train": 10, "n_test": 5} if unit == "split" else {"unit": "seed"}
    for a, b in (([0.6] * 4, [0.5] * 4), ([0.75, 0.5, 0.25], [0.5, 0.25, 0.0])):
        paired = {} if unit == "split" or a[0] == a[1] else {"paired_seeds": True}
        found = compare_scores({"a": a, "b": b}, **units, **paired)
        assert math.isnan(found.pvalue) and found.verdict == "undecided"
        assert found.conclusion.endswith(
            f"but the {unit}s show no variance to test it against. There is no p-value."
        )
        assert report_from_dict(found.to_dict()).conclusion == found.conclusion


@pytest.mark.parametrize("control", [None, "c"])
@pytest.mark.parametrize("paired", [True, False])
def test_several_systems_name_the_pairs_without_a_p(control, paired):
    rng = np.random.default_rng(0)
    base = rng.normal(size=6)
    scores = {"a": base + 0.5, "b": rng.normal(size=6), "c": base}
    if not paired:
        scores = {"a": [0.5] * 6, "b": rng.normal(size=6), "c": [0.25] * 6}
    found = compare_scores(
        scores, unit="seed", paired_seeds=paired, control=control, random_state=0
    )
    said = "There is no p-value of a and c: the seeds show no variance to test it against."
    assert said in found.conclusion
    assert math.isnan(found["a", "c"].pvalue)


def test_a_table_of_data_sets_says_so_too():
    base = np.linspace(0.1, 0.9, 8)
    rng = np.random.default_rng(0)
    table = ScoreTable({"a": base + 0.0625, "b": rng.random(8), "c": base}, unit="dataset")
    clear = compare_scores(table)
    assert "no p-value" not in clear.conclusion
    assert not any(map(math.isnan, clear.pairwise.adjusted_pvalues))


def test_areas_that_do_not_vary():
    y = np.array([0, 0, 0, 1, 1, 1, 0, 1])
    outputs = {"a": y - 0.25, "b": 0.75 - y}
    found = compare_predictions(y, outputs, metric="roc_auc", test="delong")
    assert math.isnan(found.pvalue)
    assert "no area varies. There is no p-value." in found.conclusion
