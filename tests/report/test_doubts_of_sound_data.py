"""Doubts are seldom raised where nothing is wrong: what was counted, and that it holds."""

import json
import re

import pytest

import skstat
from calibration.false_alarms import MEASURED, SITUATIONS, counted, table

COUNTS = json.loads(MEASURED.read_text(encoding="utf-8"))
# What the caller asked for by name is always told: pairs by mean ranks.
ASKED_FOR = {"SKS126"}


def test_every_situation_was_counted_and_nothing_but_notes_is_raised_often(capsys):
    skstat.explain()
    known = set(re.findall(r"SKS\d{3}", capsys.readouterr().out))
    assert list(COUNTS) == list(SITUATIONS)
    for name, found in COUNTS.items():
        n, heaviest, codes = found["reports"], found["heaviest"], set(found["doubts"])
        assert n == SITUATIONS[name].replications == sum(heaviest.values())
        assert set(heaviest) <= {"weak", "note", "none"} and codes <= known
        assert codes & ASKED_FOR or heaviest.get("weak", 0) <= 0.1 * n, name


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "name",
    ["scores of 20 seeds, four systems", "predictions, 300 rows sorted by class, accuracy"],
)
def test_the_counts_are_those_of_today(name):
    found = counted(only=name)
    assert found[name] == COUNTS[name]
    assert table({name: found[name]}).startswith(f"{COUNTS[name]['reports']} reports in 1 ")
