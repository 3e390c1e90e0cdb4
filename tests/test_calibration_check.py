"""The study of the check: what was counted on own data, beside the truth."""

import json

import pytest

from calibration.check import EXPERIMENTS, FILE, N_OWN, OWN, SETTINGS, TRUTH
from skstat import check_test
from skstat.stats import proportion_interval

KEPT = json.loads(FILE.read_text(encoding="utf-8"))
TESTS = ("projection_t", "corrected_t")


def share(found):
    return found["rejected"] / found["experiments"]


def test_every_setting_was_counted_on_as_many_data_sets_as_it_says():
    assert set(KEPT) == {setting.name for setting in SETTINGS}
    for found in KEPT.values():
        assert len(found["own"]) == N_OWN
        for test in TESTS:
            assert found["truth"][test]["experiments"] == EXPERIMENTS[TRUTH]
            assert {own[test]["experiments"] for own in found["own"]} == {EXPERIMENTS[OWN]}


def test_a_test_that_fails_is_told_from_one_that_holds_on_all_data():
    low_of = {}
    for name, found in KEPT.items():
        for test in TESTS:
            for own in found["own"]:
                low, _ = proportion_interval(own[test]["rejected"], own[test]["experiments"])
                low_of.setdefault((share(found["truth"][test]), name, test), []).append(low)
    failing = [lows for (truth, *_), lows in low_of.items() if truth > 0.2]
    holding = [lows for (truth, *_), lows in low_of.items() if truth < 0.05]
    assert len(failing) >= 3 and all(low > 0.05 for lows in failing for low in lows)
    assert len(holding) >= 10 and all(low < 0.05 for lows in holding for low in lows)


def test_shares_found_are_as_near_the_truth_as_the_docstring_says():
    apart = [
        abs(share(own[test]) - share(found["truth"][test]))
        for found in KEPT.values()
        for test in TESTS
        for own in found["own"]
    ]
    assert f"within {round(max(apart) + 0.005, 2):.2f} of it" in check_test.__doc__


@pytest.mark.parametrize("test", TESTS)
def test_own_data_find_no_more_and_no_less_on_average(test):
    bias = [
        share(own[test]) - share(found["truth"][test])
        for found in KEPT.values()
        for own in found["own"]
    ]
    assert abs(sum(bias) / len(bias)) < 0.015
