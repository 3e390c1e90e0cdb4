"""Doubts are seldom raised where nothing is wrong: what was counted, and that it holds."""

import json

import pytest

from calibration.false_alarms import MEASURED, SITUATIONS, counted, table
from skstat.report._doubts import CATALOGUE, WEIGHTS

COUNTS = json.loads(MEASURED.read_text(encoding="utf-8"))
# What the caller asked for by name is always told: pairs by mean ranks.
ASKED_FOR = {"SKS126"}


def test_every_situation_was_counted():
    assert list(COUNTS) == list(SITUATIONS)
    for name, found in COUNTS.items():
        assert found["reports"] == SITUATIONS[name].replications
        assert sum(found["heaviest"].values()) == found["reports"]
        assert set(found["heaviest"]) <= {*WEIGHTS, "none"}


def test_nothing_but_notes_is_raised_often():
    for name, found in COUNTS.items():
        heaviest, codes = found["heaviest"], set(found["doubts"])
        assert codes <= set(CATALOGUE) and "invalid" not in heaviest
        if not codes & ASKED_FOR:
            assert heaviest.get("weak", 0) <= 0.1 * found["reports"], name


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "name",
    ["scores of 20 seeds, four systems", "predictions, 300 rows sorted by class, accuracy"],
)
def test_the_counts_are_those_of_today(name):
    found = counted(only=name)
    assert found[name] == COUNTS[name]
    assert table({name: found[name]}).startswith(f"{COUNTS[name]['reports']} reports in 1 ")
