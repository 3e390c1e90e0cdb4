"""Rankings by preferences and by strengths over data sets, through their doors."""

import json
from functools import partial

import numpy as np
import pytest

import skstat
from skstat.stats import Preferences, bradley_terry, strength_t, strength_table
from tests.cases import codes, refusals, text_of

LEVEL = {"atlas": 0.9, "borealis": 0.7, "cirrus": 0.1, "delta": -0.6}


def votes(n_items=80, judges=2, seed=0):
    rng, rows = np.random.default_rng(seed), []
    for prompt in range(n_items):
        quality = {name: mean + rng.normal(0, 1) for name, mean in LEVEL.items()}
        left, right = map(str, rng.choice(list(LEVEL), 2, replace=False))
        for _ in range(judges):
            lead = quality[left] - quality[right] + 0.5 + rng.logistic()
            seen = "tie" if abs(lead) < 0.3 else "left" if lead > 0 else "right"
            rows.append((prompt, left, right, seen))
    return dict(
        zip(("prompt", "left", "right", "winner"), zip(*rows, strict=True), strict=True)
    )


VOTES = votes()
ABOUT = {"first": "left", "second": "right", "item": "prompt"}
ask = partial(skstat.compare_preferences, random_state=0)
by_winner = partial(ask, winner="won", loser="lost", item=None)


def ranked(rows=VOTES, **more):
    return ask(rows, **ABOUT | more)


def sample_of(rows):
    return Preferences.from_columns(rows, **ABOUT, winner="winner")


def check_pairs(report, table):
    for pair in report.pairs:
        alone = strength_t(table.pair(*pair[:2]))
        assert pair.estimate == pytest.approx(alone.estimate)
        assert pair.pvalue == pytest.approx(alone.pvalue)
        assert pair.adjusted >= alone.pvalue - 0.01


@pytest.fixture(scope="module")
def report():
    return ranked()


def test_numbers_are_those_of_the_functions(report):
    assert report.is_leaderboard and report.n_units == 80
    sample = sample_of(VOTES)
    table = strength_table(sample)
    assert report.evidence.sample.to_dict() == table.to_dict()
    check_pairs(report, table)
    assert report.strengths.to_dict() == bradley_terry(sample, rng=0).to_dict()
    # A sample is taken as it is.
    assert ask(sample, item=None).to_dict() == report.to_dict()


def test_many_items():
    # Of many items a report keeps what tests read, and says the same.
    rows = votes(1100, judges=1)
    found = ranked(rows)
    check_pairs(found, strength_table(sample_of(rows)))
    assert {*found.pairs.column("n")} == {1100}
    text = found.to_json()
    again = skstat.report_from_dict(json.loads(text))
    assert again.to_json() == text and str(again) == str(found)
    more = ranked(votes(2200, judges=1))
    assert len(more.to_json()) < 1.02 * len(text)
    assert more.rank_stability.n_resamples == 9999


def test_the_columns_that_were_found_are_said():
    rows = {f"model_{side}": VOTES[column] for side, column in (("a", "left"), ("b", "right"))}
    rows |= {"prompt": VOTES["prompt"], "winner": VOTES["winner"]}
    found = ask(rows, item="prompt")
    assert "the columns 'model_a' and 'model_b'" in " ".join(found.details.split())
    assert found.conclusion == ranked().conclusion


def test_some_systems():
    found = ranked(systems=["atlas", "delta"])
    assert set(found.names) == {"atlas", "delta"} and len(found.pairs) == 1


def test_sides_that_are_not_known_and_not_one_strength():
    found = by_winner({"won": ["a", "b", "a", "c"] * 20, "lost": ["b", "a", "c", "a"] * 20})
    assert "SKS234" in codes(found) and found.strengths.side is None
    assert "shown first" not in found.conclusion
    assert "SKS230" in codes(by_winner({"won": [*"abc"] * 40, "lost": [*"bca"] * 40}))


def test_no_variance():
    rows = {"a": ["x", "y"] * 4, "b": ["y", "x"] * 4, "w": ["x"] * 8, "i": [1, 1, 2, 2] * 2}
    found = ask(rows, first="a", second="b", winner="w", item="i")
    assert "There is no p-value of" in found.conclusion and np.isnan(found.pvalue)


# Which of several systems is the best: rope= over many data sets

RNG = np.random.default_rng(3)
SCORES = dict(zip("abcd", RNG.normal([0.86, 0.85, 0.82, 0.81], 0.02, (20, 4)).T, strict=True))


def over(scores=SCORES, **more):
    return skstat.compare_scores(scores, **{"unit": "dataset", "random_state": 0} | more)


@pytest.fixture(scope="module")
def of_sets():
    return over(rope=0.005)


def test_numbers_are_those_of_the_function(of_sets):
    found = bradley_terry(of_sets.evidence.sample, 0.005, rng=0)
    assert of_sets.strengths.to_dict() == found.to_dict()
    assert over().strengths is None
    assert found.rope == 0.005 and found.weight == pytest.approx(3 / 5)


def test_with_a_control_and_gaps():
    gappy = {name: scores.copy() for name, scores in SCORES.items()}
    gappy["b"][:4], gappy["c"][3:7] = np.nan, np.nan
    found = over(gappy, rope=0.005)
    assert found.strengths.met.tolist() == [16, 16, 20, 13, 16, 16]
    expected = bradley_terry(found.evidence.sample, 0.005, rng=0)
    assert found.strengths.to_dict() == expected.to_dict()
    weight = f"counts as {found.strengths.weight:.2f} of an independent one"
    assert weight in " ".join(found.details.split())
    assert over(rope=0.005, control="d").strengths.names == tuple("abcd")


def test_words(of_sets):
    for test in ("bradley_terry", bradley_terry):
        assert over(rope=0.005, test=test).to_dict() == of_sets.to_dict()


PAIR = {name: SCORES[name] for name in "ab"}
test_what_cannot_be_asked = refusals([
    (partial(ask, VOTES, first="left", second="right"), "a required .*argument: 'item'"),
    (partial(ask, sample_of(VOTES), item="prompt"), "item= names a column"),
    (partial(ranked, item="q"), "item='q' is not a column"),
    (partial(ranked, winer="w"), "winer"),
    (partial(ranked, systems=["atlas", "zeta"]), "'zeta' is not one of"),
    (partial(over, test="bradley_terry"), "test='bradley_terry'.*where rope= is given"),
    (partial(over, PAIR, test="bradley_terry", rope=0), "three systems or more, and there a"),
    (partial(over, test="bradley_terry", rope=0, unit="seed"), "over many data sets"),
], error=(ValueError, TypeError))  # fmt: skip


def test_no_one_strength():
    cycle = np.array([[3.0, 2, 1], [1, 3, 2], [2, 1, 3]] * 20)
    found = over(cycle, rope=0)
    said = "fits the wins of 3 of 3 pairs poorly (A and B"
    assert said in text_of(found, "SKS230")
    assert not {"SKS230", "SKS107"} & codes(over(rope=0))


def test_where_draws_are_worth_too_little():
    order = np.tile(np.arange(20.0), (300, 1))
    found = over(order, rope=0, test="sign")
    assert found.strengths is None and "P(best)" not in str(found)
    assert "no strengths: of 32000 draws" in " ".join(found.details.split())
