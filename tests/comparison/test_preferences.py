"""A ranking by preferences, through its door."""

import json

import numpy as np
import pytest

import skstat
from skstat import report_from_dict
from skstat.stats import Preferences, bradley_terry, strength_t, strength_table
from tests.cases import codes

LEVEL = {"atlas": 0.9, "borealis": 0.7, "cirrus": 0.1, "delta": -0.6}


def votes(n_items=80, judges=2, seed=0):
    rng = np.random.default_rng(seed)
    found = {"prompt": [], "left": [], "right": [], "winner": []}
    for prompt in range(n_items):
        quality = {name: mean + rng.normal(0, 1) for name, mean in LEVEL.items()}
        left, right = rng.choice(list(LEVEL), 2, replace=False)
        for _ in range(judges):
            lead = quality[left] - quality[right] + 0.5 + rng.logistic()
            seen = "tie" if abs(lead) < 0.3 else "left" if lead > 0 else "right"
            row = (prompt, str(left), str(right), seen)
            for column, value in zip(found, row, strict=True):
                found[column].append(value)
    return found


VOTES = votes()
ABOUT = {"first": "left", "second": "right", "item": "prompt", "random_state": 0}


def ranked(rows=None, **more):
    return skstat.compare_preferences(VOTES if rows is None else rows, **ABOUT | more)


@pytest.fixture(scope="module")
def report():
    return ranked()


@pytest.fixture(scope="module")
def sample():
    about = {"first": "left", "second": "right", "item": "prompt", "winner": "winner"}
    return Preferences.from_columns(VOTES, **about)


class TestReport:
    def test_numbers_are_those_of_the_functions(self, report, sample):
        assert report.is_leaderboard and report.n_units == 80
        table = strength_table(sample)
        assert report.evidence.sample.to_dict() == table.to_dict()
        for pair in report.pairs:
            alone = strength_t(table.pair(*pair[:2]))
            assert pair.estimate == pytest.approx(alone.estimate)
            assert pair.pvalue == pytest.approx(alone.pvalue)
            assert pair.adjusted >= alone.pvalue - 0.01
        assert report.strengths.to_dict() == bradley_terry(sample, rng=0).to_dict()

    def test_a_sample_is_taken_as_it_is(self, report, sample):
        found = skstat.compare_preferences(sample, item=None, random_state=0)
        assert found.to_dict() == report.to_dict()
        with pytest.raises(ValueError, match="item= names a column"):
            skstat.compare_preferences(sample, item="prompt")

    def test_many_items(self):
        # Of many items a report keeps what tests read, and says the same.
        rows = votes(1100, judges=1)
        found = ranked(rows)
        about = {"first": "left", "second": "right", "item": "prompt", "winner": "winner"}
        table = strength_table(Preferences.from_columns(rows, **about))
        for pair in found.pairs:
            alone = strength_t(table.pair(*pair[:2]))
            assert pair.estimate == pytest.approx(alone.estimate)
            assert pair.pvalue == pytest.approx(alone.pvalue)
            assert pair.n == 1100
        text = found.to_json()
        again = report_from_dict(json.loads(text))
        assert again.to_json() == text and str(again) == str(found)
        more = ranked(votes(2200, judges=1))
        assert len(more.to_json()) < 1.02 * len(text)
        assert more.rank_stability.n_resamples == 9999

    def test_the_columns_that_were_found_are_said(self):
        rows = {
            f"model_{side}": VOTES[column] for side, column in (("a", "left"), ("b", "right"))
        }
        rows |= {"prompt": VOTES["prompt"], "winner": VOTES["winner"]}
        found = skstat.compare_preferences(rows, item="prompt", random_state=0)
        assert "the columns 'model_a' and 'model_b'" in " ".join(found.details.split())
        assert found.conclusion == ranked().conclusion

    def test_some_systems(self):
        found = ranked(systems=["atlas", "delta"])
        assert set(found.names) == {"atlas", "delta"} and len(found.pairs) == 1
        with pytest.raises(ValueError, match="'zeta' is not one of"):
            ranked(systems=["atlas", "zeta"])


class TestDoubts:
    def test_sides_that_are_not_known(self):
        rows = {"won": ["a", "b", "a", "c"] * 20, "lost": ["b", "a", "c", "a"] * 20}
        found = skstat.compare_preferences(
            rows, winner="won", loser="lost", item=None, random_state=0
        )
        assert "SKS234" in codes(found) and found.strengths.side is None
        assert "shown first" not in found.conclusion

    def test_not_one_strength(self):
        rows = {"won": ["a", "b", "c"] * 40, "lost": ["b", "c", "a"] * 40}
        found = skstat.compare_preferences(
            rows, winner="won", loser="lost", item=None, random_state=0
        )
        assert "SKS230" in codes(found)


class TestWorst:
    def test_no_variance(self):
        rows = {"a": ["x", "y"] * 4, "b": ["y", "x"] * 4, "w": ["x"] * 8, "i": [1, 1, 2, 2] * 2}
        found = skstat.compare_preferences(
            rows, first="a", second="b", winner="w", item="i", random_state=0
        )
        assert "There is no p-value of" in found.conclusion
        assert np.isnan(found.pvalue)

    def test_what_must_be_said(self):
        with pytest.raises(TypeError, match="missing a required argument: 'item'"):
            skstat.compare_preferences(VOTES, first="left", second="right")
        with pytest.raises(ValueError, match="item='q' is not a column"):
            ranked(item="q")
        with pytest.raises(TypeError, match="winer"):
            ranked(winer="w")
