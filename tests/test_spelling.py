"""Hints on names: what was typed with a slip is found, and no other word that looks like it."""

import inspect

import pytest

import skstat
from skstat._spelling import meant_by

DOORS = ("compare_scores", "compare_predictions", "compare_estimators", "rank_systems")
KNOWN = sorted(
    {p for door in DOORS for p in inspect.signature(getattr(skstat, door)).parameters}
)
TYPOS = {
    "confidnce_level": "confidence_level", "sample_wieght": "sample_weight",
    "random_stat": "random_state", "marign": "margin", "adjustmnt": "adjustment",
    "scorng": "scoring", "n_job": "n_jobs", "contorl": "control", "n_resample": "n_resamples",
    "sample-weight": "sample_weight", "higher_is_beter": "higher_is_better",
}  # fmt: skip
OTHER_WORDS = (
    "power effect_size n_bootstrap bonferroni correction parametric two_sided axis color title "
    "permutations tolerance palette plot kind type mode data frame path prior draws run"
)


def test_slips_are_found_and_other_words_are_not():
    assert {typed: meant_by(typed, KNOWN, 1) for typed in TYPOS} == {
        typed: [name] for typed, name in TYPOS.items()
    }
    assert not {word: found for word in OTHER_WORDS.split() if (found := meant_by(word, KNOWN))}


def test_parts_of_names_are_found():
    metrics = ["accuracy", "neg_log_loss", "f1_macro", "f1_micro", "roc_auc"]
    assert meant_by("acc", metrics) == ["accuracy"]
    assert meant_by("log_loss", metrics) == ["neg_log_loss"]
    assert meant_by("f1_marco", metrics) == ["f1_macro", "f1_micro"]
    assert meant_by("ROC-AUC", metrics) == ["roc_auc"] and meant_by("zz", metrics) == []


def test_a_call_is_told_a_synonym_or_nothing():
    with pytest.raises(TypeError, match=r"takes no n_bootstrap=. Use n_resamples="):
        skstat.compare_scores({"a": [1, 2], "b": [1, 3]}, unit="seed", n_bootstrap=9)
    with pytest.raises(TypeError, match=r"takes no power=. It takes scores, "):
        skstat.compare_scores({"a": [1, 2], "b": [1, 3]}, unit="seed", power=0.8)
