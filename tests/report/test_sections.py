"""What a report shows at first sight and in its details."""

import re
from dataclasses import replace

import numpy as np
import pytest

from skstat import compare_scores
from skstat.report import Stability
from tests.cases import in_one_test

RNG = np.random.default_rng(5)


def scores(k=3, n=14, lead=0.0, names="abcdefgh"):
    table = 0.8 + 0.02 * RNG.standard_normal((n, k)) + 0.02 * RNG.standard_normal((n, 1))
    table[:, 0] += lead
    return dict(zip(names, table.T, strict=False))


def line(text, label):
    """Return what stands behind a label, in one line; empty without it."""
    found = re.search(rf"^{label} +(.*?)\n(?=\S|\Z)", f"{text}\n", flags=re.M | re.S)
    return "" if found is None else " ".join(found[1].split())


@in_one_test("n, at_once", [(9, False), (10, True)])
def test_what_it_would_take_is_a_detail_of_few_units(n, at_once):
    report = compare_scores(scores(2, n), unit="seed")
    assert report.verdict == "undecided"
    assert bool(line(report, "Would take")) is at_once
    assert f"(now {n})" in line(report.details, "Would take")
    assert "half of the interval's width" in line(report.details, "Planned")


def test_the_estimates_of_other_partitions_are_losses_of_losses():
    given = {"a": [0.31, 0.35, 0.33, 0.36, 0.3], "b": [0.21, 0.24, 0.2, 0.27, 0.23]}
    found = Stability(
        verdict="worse",
        seeds=(1, 2),
        estimates=(0.1, 0.09),
        pvalues=(0.01, 0.02),
        verdicts=("worse", "worse"),
    )
    report = compare_scores(given, unit="seed", scoring="error", higher_is_better=False)
    assert report.better == "b"
    text = line(replace(report, stability=found), "Other partitions")
    assert "estimates from +0.090 to +0.100" in text and "2 of 2 gave the same" in text


def test_a_posterior_of_losses_asks_who_has_the_lowest():
    options = {"higher_is_better": False, "scoring": "error", "rope": 0.01}
    report = compare_scores(scores(), unit="seed", random_state=0, **options)
    said = " ".join(str(report).split())
    assert "P(best): probability, given these scores, that its score is the lowest" in said
    assert "a high one does not rule out the others" in said
    probable = [float(found) for found in re.findall(r"(?:yes|no) +([\d.]+)", str(report))]
    assert sum(probable) == pytest.approx(1, abs=0.02)


def test_one_probability_of_being_the_best_stands_beside_mean_ranks():
    report = compare_scores(scores(4), unit="dataset", rope=0.01, random_state=0)
    (header,) = re.findall(r"^   .*mean rank.*", str(report), flags=re.M)
    assert header.split("  ")[-1].strip() == "P(best)" and header.count("P(") == 1
    assert "by wins" in report.details
    inside = re.search(r"the wins of (\d+) of 6 pairs", line(report.details, "Strengths"))
    assert int(inside[1]) == round(6 * report.strengths.inside)


def test_unlimited_intervals_from_the_best_other_have_no_limit():
    given = {name: column[:3] for name, column in scores(3).items()}
    report = compare_scores(given, unit="instance")
    low, high = report.evidence.from_best[report.names[0]]
    assert np.isinf([low, high]).all() and "no limit" in str(report)


@in_one_test("direction", [True, False])
def test_a_control_sees_who_is_not_worse_from_both_sides(direction):
    """Whichever of the two comes first in a pair."""
    rng = np.random.default_rng(1)
    base = rng.random(40)
    given = {"ctrl": base, "x": base + rng.normal(0.004, 0.02, 40)}
    given["y"] = base + rng.normal(-0.004, 0.02, 40)
    options = {"margin": 0.01, "control": "ctrl", "higher_is_better": direction}
    report = compare_scores(given, unit="seed", scoring="m", **options)
    verdicts = [report[name, "ctrl"].verdict for name in ("x", "y")]
    for verdict in verdicts:
        assert f">{verdicts.count(verdict)} {verdict}<" in report.to_html()


def test_a_sentence_starts_with_a_capital_or_with_a_name_as_it_is():
    ask = {"unit": "instance", "control": "a", "margin": 0.5, "random_state": 0}
    apart, alike = (compare_scores(scores(lead=size), **ask) for size in (1, 0))
    assert apart.conclusion.startswith("Against the control a, ")
    assert alike.conclusion.startswith("b and c are equivalent to a ")
    # Not all statistics turn by their sign.
    assert np.isnan(apart.pairs[0].seen_from("a", 0.05).statistic)
