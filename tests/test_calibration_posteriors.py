"""The study of probabilities: what was counted, and what the pages say of it."""

import json
from pathlib import Path

import pytest

from calibration.posteriors import FILE, TIMES, cells
from tests.cases import explained

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
PAGE = (Path(__file__).parents[1] / "docs" / "probabilities.rst").read_text(encoding="utf-8")
SAID = " ".join(PAGE.split())
# Rows of the table on the page: what was counted, and what it is called there.
ROWS = {
    "accuracy, 30 rows, often": "right and wrong on 30 rows, which differ often",
    "accuracy, 30 rows, rarely": "the same, which differ rarely",
    "accuracy, 100 rows, often": "100 rows, often",
    "accuracy, 100 rows, rarely": "100 rows, rarely",
    "accuracy, 500 rows, often": "500 rows, often",
    "unlike in f1, 50 rows, 25 positive": "F1 on 50 rows",
    "unlike in balanced_accuracy, 50 rows, 25 positive": "balanced accuracy on 50 rows",
    "unlike in balanced_accuracy, 200 rows, 20 positive": "balanced accuracy, 20 of 200 rare",
    "unlike in precision, 200 rows, 100 positive": "precision on 200 rows",
    "unlike in roc_auc, 200 rows, 100 positive": "ROC AUC, 100 positive",
    "unlike in roc_auc, 200 rows, 20 positive": "ROC AUC, 20 positive",
    "unlike in roc_auc, 200 rows, 10 positive": "ROC AUC, 10 positive",
    "unlike in roc_auc, 50 rows, 5 positive": "ROC AUC, 5 positive",
    "unlike in r2, 200 rows": "R² on 200 rows, one error with heavy tails",
    "accuracy, 25 groups of 8": "accuracy, 25 groups",
    "accuracy, 10 groups of 8": "accuracy, 10 groups",
    "naive Bayes, 1-NN, projection_t": "naive Bayes and 1-NN, the default test over splits",
    "naive Bayes, 1-NN, corrected_t": "the same, corrected t test on 10 × 10 folds",
    "LDA, 1-NN, projection_t": "LDA and 1-NN, the default test",
    "LDA, 1-NN, corrected_t": "the same, corrected t test",
    "signed rank, 10 data sets": "signed rank, 10 data sets",
    "signed rank, 30 data sets": "signed rank, 30 data sets",
    "sign, 10 data sets": "sign, 10 data sets",
    "sign, 30 data sets": "sign, 30 data sets",
    "hierarchical, 10 data sets": "hierarchical, 10 data sets",
}


def percent(name, key):
    found = KEPT[name]
    return f"{100 * found[key] / found['times']:.1f}"


def row(name):
    keys = ("covered", "named", "rejected at .05", "rejected at .10")
    cells = [percent(name, key) if key in KEPT[name] else "–" for key in keys]
    return "\n".join([f"   * - {ROWS[name]}", *(f"     - {cell}" for cell in cells)])


def test_all_was_counted():
    assert set(KEPT) == set(cells())


@pytest.mark.parametrize("name", ROWS)
def test_the_page_has_what_was_counted(name):
    assert row(name) in PAGE


def test_at_the_border_of_the_region():
    for n in (100, 500):
        found = KEPT[f"border, {n} rows"]
        # Each of the two is wrong, and has 0.95 in no more than 5 %, but for chance.
        least = 3 * (0.05 * 0.95 / TIMES) ** 0.5
        assert max(found["same"], found["better"]) / TIMES <= 0.05 + least
    assert f"in {percent('border, 500 rows', 'same')} % of {TIMES} tables" in SAID
    assert f"“better” in {percent('border, 500 rows', 'better')} %" in SAID


def test_what_the_doubt_says():
    advice = explained("SKS128")
    for name, of in (("200 rows, 10", "10 positive rows of 200"), ("50 rows, 5", "5 of 50")):
        share = KEPT[f"unlike in roc_auc, {name} positive"]["covered"] / 1000
        assert of in advice and f"{share:.0%}".replace("%", " %") in advice
