"""What a report shows at first sight and in its details."""

import re

import numpy as np
import pytest

from skstat import compare_scores
from tests.report.built import columns


def asked(k=3, n=14, **options):
    scores = columns(n, "abcdefgh"[:k], gap=0.0)
    return compare_scores(scores, **{"unit": "seed", "random_state": 0, **options})


def line(text, label):
    """What stands behind a label, in one line; empty without it."""
    found = re.search(rf"^{label} +(.*?)\n(?=\S|\Z)", f"{text}\n", flags=re.M | re.S)
    return "" if found is None else " ".join(found[1].split())


@pytest.mark.parametrize("n, at_once", [(9, False), (10, True)])
def test_what_it_would_take_is_a_detail_of_few_units(n, at_once):
    report = asked(2, n)
    assert report.verdict == "undecided"
    assert bool(line(report, "Would take")) is at_once
    assert f"(now {n})" in line(report.details, "Would take")
    assert "half of the interval's width" in line(report.details, "Planned")


def test_a_posterior_of_losses_asks_who_has_the_lowest():
    text = str(asked(higher_is_better=False, scoring="error", rope=0.01))
    said = " ".join(text.split())
    assert "P(best): probability, given these scores, that its score is the lowest" in said
    assert "a high one does not rule out the others" in said
    probable = map(float, re.findall(r"(?:yes|no) +([\d.]+)", text))
    assert sum(probable) == pytest.approx(1, abs=0.02)


def test_one_probability_of_being_the_best_stands_beside_mean_ranks():
    report = asked(4, unit="dataset", rope=0.01)
    (header,) = re.findall(r"^   .*mean rank.*", str(report), flags=re.M)
    assert header.split("  ")[-1].strip() == "P(best)" and header.count("P(") == 1
    assert "by shares of wins" in " ".join(report.details.split())


def test_unlimited_intervals_from_the_best_other_have_no_limit():
    report = asked(n=3, unit="instance")
    first = report.systems[0]
    assert np.isinf([first.best_low, first.best_high]).all() and "no limit" in str(report)


@pytest.mark.parametrize("direction", [True, False])
def test_a_control_sees_who_is_not_worse_from_both_sides(direction):
    """Whichever of the two comes first in a pair."""
    rng = np.random.default_rng(1)
    base = rng.random(40)
    given = {"ctrl": base, "x": base + rng.normal(0.004, 0.02, 40)}
    given["y"] = base + rng.normal(-0.004, 0.02, 40)
    options = {"margin": 0.01, "control": "ctrl", "higher_is_better": direction}
    report = compare_scores(given, unit="seed", scoring="m", **options)
    verdicts = [report[name, "ctrl"].verdict for name in ("x", "y")]
    page = report.to_html()
    assert all(f">{verdicts.count(each)} {each}<" in page for each in verdicts)


def test_a_sentence_starts_with_a_capital_or_with_a_name_as_it_is():
    scores = columns(14, ["aX", "bX", "cX"], gap=0.0)
    ask = {"unit": "instance", "control": "aX", "margin": 0.5, "random_state": 0}
    assert compare_scores(scores, **ask).conclusion.startswith("cX and bX are equivalent")
    scores["aX"] = scores["aX"] + 1
    assert compare_scores(scores, **ask).conclusion.startswith("cX and bX score lower than aX")
