"""Hints on names: what was typed with a slip is found, and no other word that looks like it."""

import inspect

import numpy as np
import pytest

import skstat
from tests.cases import in_one_test

DOORS = [
    *(skstat.compare_scores, skstat.compare_predictions, skstat.compare_estimators),
    skstat.rank_systems,
]
TYPOS = {
    "confidnce_level": "confidence_level", "sample_wieght": "sample_weight",
    "random_stat": "random_state", "marign": "margin", "adjustmnt": "adjustment",
    "scorng": "scoring", "n_job": "n_jobs", "contorl": "control", "n_resample": "n_resamples",
    "sample-weight": "sample_weight", "higher_is_beter": "higher_is_better",
    "n_bootstrap": "n_resamples",  # another word for it
}  # fmt: skip
OTHER_WORDS = (
    "power effect_size bonferroni correction parametric two_sided axis color title "
    "permutations tolerance palette plot kind type mode data frame path prior draws run"
)


@in_one_test("door", DOORS)
def test_slips_are_found_and_other_words_are_not(door):
    def told(typed):
        with pytest.raises(TypeError, match=f"takes no {typed}=") as error:
            door(None, None, None, **{typed: 1})
        return str(error.value).partition("=. ")[2]

    parameters = inspect.signature(door).parameters
    for typed, name in TYPOS.items():
        assert name not in parameters or told(typed).startswith(f"Use {name}=")
    assert all(told(word).startswith("It takes ") for word in OTHER_WORDS.split())


def test_parts_of_names_are_found():
    names = ["accuracy", "neg_log_loss", "f1_macro", "f1_micro", "roc_auc"]
    items = {"model": ["a"] * 9 + ["b"] * 9, "item": [*range(9)] * 2}
    numbers = np.random.default_rng(0).random((len(names), 18))
    table = items | dict(zip(names, numbers, strict=True))
    report = skstat.compare_scores(table, system="model", item="item", score=names)
    for typed, meant in (
        ("acc", "'accuracy'"), ("loss", "'log_loss'"), ("ROC-AUC", "'roc_auc'"),
        ("f1_marco", "'f1_macro' or 'f1_micro'"), ("zz", None),
    ):  # fmt: skip
        with pytest.raises(KeyError) as error:
            report[typed]
        asked = f"Did you mean {meant}?"
        assert asked in str(error.value) if meant else "Did you" not in str(error.value)
