"""The net finds what differs, and excuses draws; nothing that is public is left out."""

import re
from inspect import isfunction
from pathlib import Path

import pytest

import skstat
from tools.net import store
from tools.net.adapter import of_result, told
from tools.net.cases import all_cases, data
from tools.net.compare import differences

CASES = Path(store.__file__).parent / "cases"
# A comparison as it is told, of drawn and of exact numbers.
ROW = {"estimate": 0.1, "p": 0.04, "low": 0.01, "high": 0.19, "n": 40, "better": "new"}


def changed(draws=0, **values):
    """Fields that differ, and whether they are excused, after a change of one row."""
    before = {"draws": draws, **ROW}
    return {each.field: each.excused for each in differences(before, before | values)}


def test_numbers_agree_to_nine_digits():
    assert changed(estimate=0.1 * (1 + 1e-11), p=0.04 * (1 + 1e-11)) == {}
    assert changed(estimate=-0.1, p=0.0400001) == {"estimate": False, "p": False}
    assert changed(better="old", n=39) == {"n": False, "better": False}
    assert changed(better=None, estimate=None) == {"estimate": False, "better": False}
    assert changed(more=1) == {"more": False}


def test_drawn_numbers_may_differ_by_four_monte_carlo_errors():
    assert changed(9999, p=0.045, low=0.012) == {"p": True, "low": True}
    assert changed(9999, p=0.06, low=0.05) == {"p": False, "low": False}
    assert changed(99, p=0.06) == {"p": True}
    assert changed(9999, estimate=0.101, n=41) == {"estimate": False, "n": False}
    assert changed(0, p=0.041) == {"p": False}


@pytest.mark.parametrize(
    "before, now, differs",
    [
        ("p = 0.0412, 40 rows", "p = 0.0413, 40 rows", False),
        ("p = 0.0412, 40 rows", "p = 0.0512, 40 rows", True),
        ("p = 0.0412, 40 rows", "p = 0.0412, 41 rows", True),
        ("new is better", "old is better", True),
        ("by −0.12", "by +0.12", True),
        ("a ├──●───┤ b", "a ├─●────┤ b", False),
    ],
)
def test_words_agree_but_for_last_digits_and_the_lengths_of_lines(before, now, differs):
    assert bool(list(differences({"print": before}, {"print": now}))) == differs


def test_words_on_drawn_numbers():
    before = {"draws": 999, "print": "p = 0.0010, adjusted p = 0.120, better"}
    for now, differs in (("p < 0.001, adjusted p = 0.123, better", False), ("p = 0.4", True)):
        found = list(differences(before, before | {"print": now}))
        assert [not each.excused for each in found] == [differs]


def test_a_row_is_named_by_its_systems():
    before = {"pairs": [{"first": "a", "second": "b", "p": 0.5}]}
    after = {"pairs": [{"first": "a", "second": "b", "p": 0.6}]}
    (found,) = differences(before, after)
    assert found.field == "pairs[a b].p"


def test_losses_have_a_readers_sign():
    scores = data.scores(2, 12)
    asked = {"unit": "seed", "paired_seeds": True, "margin": 0.02}
    plain = of_result(skstat.compare_scores(scores, **asked))
    loss = {name: -column for name, column in scores.items()}
    turned = of_result(skstat.compare_scores(loss, scoring="error", **asked))
    assert turned["estimate"] == -plain["estimate"] == turned["logged"]["error/difference"]
    assert turned["statistic"] == -plain["statistic"]
    assert (turned["low"], turned["high"]) == (-plain["high"], -plain["low"])
    assert turned["p"] == plain["p"] and turned["restored"] == "the same"
    assert turned["verdict"] == plain["verdict"]


def test_a_refusal_and_a_warning_are_told():
    found = told(lambda: skstat.compare_scores({}, unit="instance"))
    assert (found["kind"], found["error"]) == ("refusal", "ValueError")


@pytest.mark.lint
def test_every_case_is_recorded_and_every_door_is_asked():
    names = {one.name for one in all_cases()}
    assert len(names) > 800 and names == set(store.read())
    assert store.RECORD.stat().st_size < 3_000_000
    text = "\n".join(path.read_text(encoding="utf-8") for path in CASES.glob("*.py"))
    named = {name: getattr(skstat, name) for name in skstat.__all__}
    doors = {name for name, value in named.items() if isfunction(value)}
    left = {name for name in doors if not re.search(rf"\b{name}\b", text)}
    assert left == {"report_from_dict"}  # which every report is restored by
