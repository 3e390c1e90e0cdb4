"""The study of slices: what was counted, and what the page says of it."""

import json
from pathlib import Path

import pytest

from calibration.slices import DROPS, FILE, METRICS, MORE_TIMES, TIMES

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
PAGE = (Path(__file__).parents[1] / "docs" / "slices.rst").read_text(encoding="utf-8")
CELLS = {
    name: found for name, found in KEPT.items() if {*name.split(", ")} & {"alike", "unlike"}
}
# Beyond the level, what as many data sets may show by chance in one of sixteen cells.
BY_CHANCE = 3 * (0.05 * 0.95 / TIMES) ** 0.5


def test_every_cell_was_counted_as_often_as_the_page_says():
    expected = {
        f"{metric}, {kind}{groups}"
        for metric in METRICS
        for kind in ("alike", "unlike")
        for groups in ("", ", groups")
    }
    assert set(CELLS) == expected
    assert {found["times"] for found in CELLS.values()} == {TIMES}
    assert f"Each is of {TIMES} data sets" in PAGE
    assert KEPT["a drop"]["times"] == DROPS


@pytest.mark.parametrize("name", sorted(CELLS))
def test_errors_stay_at_their_level(name):
    found = CELLS[name]
    if "unlike" in name:
        assert found["missed"] <= 0.06 * TIMES  # simultaneous coverage of .94
    else:
        assert found["named"] <= 0.055 * TIMES
        assert found["varies"] <= (0.05 + BY_CHANCE) * TIMES


def shares(kind, what):
    """Smallest and largest share of the cells of a kind, as the page writes them."""
    found = [cell[what] / cell["times"] for name, cell in KEPT.items() if f", {kind}" in name]
    assert len(found) == 4
    return f"{min(found):.3f} to {max(found):.3f}"


def test_slices_that_share_rows_are_as_the_page_says():
    said = " ".join(PAGE.split())
    one, two = KEPT["shared, a country"], KEPT["shared, a country and an age"]
    assert one["times"] == two["times"] == TIMES
    of = f"{one['named'] / TIMES:.3f}, and another slice in {one['others'] / TIMES:.3f}"
    assert f"of {TIMES} data sets it is named in {of}" in said
    of = f"{two['named'] / TIMES:.3f}, and another slice in {two['others'] / TIMES:.3f}"
    assert f"both are named in {of}" in said
    assert max(one["others"], two["others"]) <= 0.05 * TIMES


def test_three_systems_and_learners_are_as_the_page_says():
    said = " ".join(PAGE.split())
    assert f"names a pair in {shares('three', 'named')}" in said
    assert f"variation of a pair in {shares('three', 'varies')}" in said
    assert f"misses its truth in {shares('learners', 'missed')}" in said
    assert f"said to vary in {shares('learners', 'varies')}" in said
    for name, cell in KEPT.items():
        if ", three" in name or ", learners" in name:
            times = MORE_TIMES if name.endswith("three") else TIMES
            assert cell["times"] == times
            by_chance = 3 * (0.05 * 0.95 / times) ** 0.5
            for what in {"named", "varies", "missed"} & set(cell):
                assert cell[what] <= (0.05 + by_chance) * times
    assert f"{MORE_TIMES} data sets of rows, {TIMES} of groups" in said


def test_a_drop_is_found_as_often_as_the_page_says():
    drop = KEPT["a drop"]
    joint, midp, exact = (
        f"{drop[name] / DROPS:.0%}".replace("%", " %")
        for name in ("min-p", "holm of mid-p", "holm of exact")
    )
    said = " ".join(PAGE.split())
    assert f"found in {joint} of {DROPS} data sets, where Holm's method" in said
    assert (
        f"on the same tests finds it in {midp}, and on exact McNemar tests in {exact}." in said
    )
