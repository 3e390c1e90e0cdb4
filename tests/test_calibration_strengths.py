"""The study of strengths: what was counted, and what the pages say of it."""

import json
from pathlib import Path

import pytest

from calibration.strengths import DESIGNS, FILE, KINDS, TABLES, TIMES

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
DOCS = Path(__file__).parents[1] / "docs"
OF_TABLES = {f"{k} systems on {n} data sets, {kind}" for k, n in TABLES for kind in KINDS}
OF_VOTES = {f"preferences, {design}, {kind}" for design in DESIGNS for kind in KINDS}


def share(name, *keys):
    found = KEPT[name]
    for key in keys:
        found = found[key]
    return found / KEPT[name]["pairs"]


def said(page):
    return " ".join((DOCS / page).read_text(encoding="utf-8").split())


def test_every_cell_was_counted_as_often_as_the_page_says():
    assert set(KEPT) == OF_TABLES | OF_VOTES
    assert {found["times"] for found in KEPT.values()} == {TIMES}
    assert f"of {TIMES} tables each" in said("probabilities.rst")
    assert f"of {TIMES} samples each" in said("preferences.rst")


@pytest.mark.parametrize("name", sorted(OF_TABLES))
def test_intervals_contain_the_chance(name):
    # The pairs of one table depend on each other: of 60 tables by chance up to 0.03 less.
    assert share(name, "model", "contained") >= 0.87
    few = name.startswith("5 systems on 6")
    assert (share(name, "shares", "contained") >= 0.87) is not few
    if name.endswith("same"):
        assert share(name, "model", "claimed") <= 0.1
        assert share(name, "published", "claimed") > 0.1
    assert share(name, "published", "contained") < 0.87


def test_the_page_has_the_numbers():
    text = said("probabilities.rst")
    ten = "10 systems on 30 data sets, same"
    for kind in ("published", "model", "shares"):
        assert f"{share(ten, kind, 'contained'):.0%}".replace("%", " %") in text
    few = share("5 systems on 6 data sets, same", "shares", "contained")
    assert f"{few:.0%}".replace("%", " %") in text


@pytest.mark.parametrize("name", sorted(OF_VOTES))
def test_preferences(name):
    assert share(name, "single") >= 0.92
    assert share(name, "model") >= 0.86
    assert KEPT[name]["all"] >= 0.88 * TIMES
    if name.endswith("same"):
        assert (
            KEPT[name]["any significant"] <= (0.05 + 3 * (0.05 * 0.95 / TIMES) ** 0.5) * TIMES
        )
    if "three judges" in name:  # who judge the same answers
        assert share(name, "as independent") < share(name, "model")
        assert KEPT[name]["weight"] < 0.9


def test_the_page_of_preferences_has_the_numbers():
    text = said("preferences.rst")
    for kind in ("model", "as independent"):
        found = share("preferences, three judges, same", kind)
        assert f"{found:.0%}".replace("%", " %") in text
