"""Doubts are seldom raised where nothing is wrong: what was counted, and that it holds."""

import json

import pytest

from calibration.false_alarms import MEASURED, SITUATIONS, counted, table
from skstat.report._doubts import CATALOGUE, WEIGHTS

COUNTS = json.loads(MEASURED.read_text(encoding="utf-8"))
# What the caller asked for by name is always told: pairs by mean ranks.
ASKED_FOR = {"SKS119"}


def test_every_situation_was_counted():
    assert list(COUNTS) == list(SITUATIONS)
    for name, found in COUNTS.items():
        assert found["reports"] == SITUATIONS[name].replications
        assert sum(found["heaviest"].values()) == found["reports"]
        assert set(found["heaviest"]) <= {*WEIGHTS, "none"}


def test_nothing_but_notes_is_raised_often():
    raised = {}
    for name, found in COUNTS.items():
        for code, n in found["doubts"].items():
            if CATALOGUE[code].weight != "note" and code not in ASKED_FOR:
                raised.setdefault(code, {})[name] = n / found["reports"]
    # Bare scores of a metric or a design: a note, though the kind may weigh more.
    for code, name in (
        ("SKS103", "scores of 10 x 10 folds, accuracy"),
        ("SKS131", "scores of 30 splits of one third, roc_auc"),
    ):
        assert raised.pop(code) == {name: 1.0} and COUNTS[name]["heaviest"].get("weak", 0) == 0
    assert not [code for code in raised if CATALOGUE[code].weight == "invalid"]
    assert all(share <= 0.1 for shares in raised.values() for share in shares.values())


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "name",
    ["scores of 20 seeds, four systems", "predictions, 300 rows sorted by class, accuracy"],
)
def test_the_counts_are_those_of_today(name):
    found = counted(only=name)
    assert found[name] == COUNTS[name]
    assert table({name: found[name]}).startswith(f"{COUNTS[name]['reports']} reports in 1 ")
