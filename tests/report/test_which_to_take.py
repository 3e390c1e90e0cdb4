"""The first sentence says which system to take, and nothing of a report contradicts it."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skstat import compare_scores
from skstat.stats import ScoreTable
from tests.contract import check_report

NAMES = ["ada", "bob", "cyd", "dan"]


@st.composite
def tables(draw):
    """Scores that differ by much, by little, not at all, or only in a few units."""
    n, k = draw(st.sampled_from([4, 9, 25])), draw(st.integers(3, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    steps = draw(st.lists(st.sampled_from([0.0, 0.002, 0.02, 0.2]), min_size=k, max_size=k))
    noise = draw(st.lists(st.sampled_from([0.0, 0.005, 0.05]), min_size=k, max_size=k))
    base = rng.normal(0.8, 0.05, (n, 1))
    scores = base - np.array(steps) + rng.standard_t(3, (n, k)) * np.array(noise)
    if draw(st.booleans()):
        scores[rng.random((n, k)) < 0.1] -= 1.0  # means and ranks point elsewhere
    return scores.round(3) if draw(st.booleans()) else scores


ASK = [
    {"unit": "instance"},
    {"unit": "instance", "test": "wilcoxon"},
    {"unit": "instance", "test": "sign"},
    {"unit": "instance", "adjustment": "holm", "margin": 0.01},
    {"unit": "instance", "margin": 0.05, "scoring": "neg_log_loss"},
    {"unit": "seed", "paired_seeds": True},
    {"unit": "split", "n_train": 90, "n_test": 10},
    {"unit": "dataset"},
    {"unit": "dataset", "test": "nemenyi"},
    {"unit": "dataset", "test": "sign", "margin": 0.02},
]


def ask(scores, **options):
    named = dict(zip(NAMES, np.asarray(scores).T, strict=False))
    try:
        return compare_scores(named, random_state=0, **options)
    except ValueError as error:
        if "at least" not in str(error):  # too few units for the test
            raise
        return None


def ruled_out(sentence):
    """Names that a sentence rules out, and those of whom it says they may be the best."""
    found, kept = set(), set()
    for clause in re.split(r"\. (?=[a-z]+(?:,| |$))", re.sub(r"\([^()]*\)", "", sentence)):
        words = set(re.findall(r"\b(?:ada|bob|cyd|dan)\b", clause))
        if " not ruled out" in clause or "may be the best" in clause:
            kept |= words
        elif " ruled out" in clause:
            found |= set(re.findall(r"\b(?:ada|bob|cyd|dan)\b", clause.split(" ruled out")[0]))
    return found, kept


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("options", ASK, ids=lambda found: " ".join(map(str, found.values())))
@settings(max_examples=12, deadline=None)
@given(scores=tables())
def test_nothing_contradicts_anything(options, scores):
    report = ask(scores, **options)
    if report is None:
        return
    check_report(report)
    state = report.to_dict()
    kept, first = set(report.may_be_best), state["sentences"][0]
    assert {row.name for row in report.systems if row.may_be_best} == kept
    losers = set()
    for pair in report.pairs:
        assert report[pair[:2]].better == pair.better
        if pair.better is not None:
            assert pair.other(pair.better) not in kept
            losers.add(pair.other(pair.better))
    out, alike = ruled_out(first)
    assert not out & kept, first
    assert not alike - kept, first
    silent = set(report.names) - kept - out
    # Who is worse by less than the margin is said to be that.
    assert all(name in first and "significantly different" in first for name in silent), first
    chosen = report.choose(lambda name: 1)
    assert chosen.name == next(name for name in report.names if name not in losers)
    assert kept <= set(chosen.costs)


def test_a_leader_by_the_mean_that_loses_on_most_rows_is_ruled_out():
    rng = np.random.default_rng(0)
    better = rng.normal(0.5, 0.01, 60)
    scores = np.column_stack([better, better - 0.05 + 4 * (np.arange(60) < 2), better - 0.3])
    table = ScoreTable(scores, systems=["often", "mean", "bad"], unit="instance")
    report = compare_scores(table, test="sign", scoring="quality", random_state=0)
    assert report.names[0] == "mean" and report.may_be_best == ("often",)
    first = report.to_dict()["sentences"][0]
    assert first.startswith(
        "mean has the highest quality (0.584). mean is ruled out by often (median difference 0"
    )
    assert "bad is ruled out (median difference" in first
    assert report.choose({"often": 3, "mean": 1, "bad": 1}).name == "often"


def ranking_of(report):
    return str(report).split("Ranking by")[1].split("\n\n")[0].splitlines()


@pytest.mark.parametrize("unit", ["instance", "dataset"])
def test_a_control_has_its_verdicts_beside_the_scores(unit):
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.03, 40)
    scores = {name: base - step + rng.normal(0, 0.02, 40) for name, step in
              {"old": 0.05, "new": 0.0, "same": 0.05, "bad": 0.2}.items()}  # fmt: skip
    report = compare_scores(scores, unit=unit, control="old", random_state=0)
    _title, header, *rows = ranking_of(report)
    assert header.endswith("minus old    verdict")
    verdicts = {row.split()[0]: row.split()[-1] for row in rows[:4]}
    for name, verdict in {"new": "better", "bad": "worse", "same": "undecided"}.items():
        assert report[name, "old"].verdict == verdicts[name] == verdict
    assert report.conclusion.startswith("new scores higher than old")
    assert "may be best" not in header


def test_who_is_invalid_is_said_first():
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.05, 12)
    same = {name: np.repeat((base - step)[:6], 2) for name, step in
            {"a": 0.0, "b": 0.01, "c": 0.2}.items()}  # fmt: skip
    report = compare_scores(same, unit="dataset", test="conover")
    assert report.conclusion.startswith("The p-values are not valid: ")
    tied = compare_scores(np.full((8, 3), 0.7), unit="dataset", test="conover")
    assert "All systems have the same mean rank (2.00)" in tied.conclusion
    agreed = {"a": base, "b": base - 0.01, "c": base - 0.2}  # on every data set in this order
    report = compare_scores(agreed, unit="dataset", test="conover")
    # Its intervals have no limits: such a pair has no direction, and rules nobody out.
    assert {*report.verdicts} == {"undecided"} and {*report.may_be_best} == {*agreed}


# --- what stands there at first sight, and what is a detail ---


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
