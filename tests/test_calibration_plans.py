"""The study of plans: what was counted, and what the page says of it."""

import json
from pathlib import Path

import pytest

from calibration.plans import FILE, SETTINGS, ask
from tests.cases import in_one_test

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
PAGE = (Path(__file__).parents[1] / "docs" / "planning.rst").read_text(encoding="utf-8")


def share(name):
    return KEPT[name]["rejected"] / KEPT[name]["times"]


def row(name, cells):
    return "\n".join([f"   * - {name}", *(f"     - {cell}" for cell in cells)])


def test_all_was_counted():
    assert set(KEPT) == set(SETTINGS)


@in_one_test("name", ["rows", "sign", "pilot"])
def test_what_was_counted_is_counted_again(name):
    found = ask(name)
    assert found["n"] == KEPT[name]["n"]
    assert found["rejected"] == pytest.approx(KEPT[name]["rejected"], abs=5)


@in_one_test("name", SETTINGS)
def test_designs_have_their_planned_power(name):
    assert share(name) == pytest.approx(KEPT[name]["planned"], abs=0.02)


@in_one_test("name", SETTINGS)
def test_the_page_has_the_settings(name):
    found = KEPT[name]
    unit = found["unit"] + "s"
    cells = [f"{found['n']} {unit}", f"{found['planned']:.3f}", f"{share(name):.3f}"]
    assert row(name, cells) in PAGE
