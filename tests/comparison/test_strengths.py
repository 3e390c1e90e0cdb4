"""Which of several systems is the best, through the doors: rope= over many data sets."""

import numpy as np
import pytest

import skstat
from skstat.stats import bradley_terry
from tests.cases import codes, text_of

RNG = np.random.default_rng(3)
SCORES = dict(zip("abcd", RNG.normal([0.86, 0.85, 0.82, 0.81], 0.02, (20, 4)).T, strict=True))


def over(scores=None, **more):
    about = {"unit": "dataset", "random_state": 0} | more
    return skstat.compare_scores(SCORES if scores is None else scores, **about)


@pytest.fixture(scope="module")
def report():
    return over(rope=0.005)


class TestReport:
    def test_numbers_are_those_of_the_function(self, report):
        found = bradley_terry(report.evidence.sample, 0.005, rng=0)
        assert report.strengths.to_dict() == found.to_dict()
        assert over().strengths is None
        assert found.rope == 0.005 and found.weight == pytest.approx(3 / 5)

    def test_with_a_control_and_gaps(self):
        gappy = {name: scores.copy() for name, scores in SCORES.items()}
        gappy["b"][:4], gappy["c"][3:7] = np.nan, np.nan
        found = over(gappy, rope=0.005)
        assert found.strengths.met.tolist() == [16, 16, 20, 13, 16, 16]
        expected = bradley_terry(found.evidence.sample, 0.005, rng=0)
        assert found.strengths.to_dict() == expected.to_dict()
        weight = f"counts as {found.strengths.weight:.2f} of an independent one"
        assert weight in " ".join(found.details.split())
        assert over(rope=0.005, control="d").strengths.names == tuple("abcd")


class TestByName:
    def test_words(self, report):
        for test in ("bradley_terry", bradley_terry):
            assert over(rope=0.005, test=test).to_dict() == report.to_dict()

    def test_what_cannot_be_asked(self):
        with pytest.raises(ValueError, match="test='bradley_terry'.*where rope= is given"):
            over(test="bradley_terry")
        two = {name: SCORES[name] for name in "ab"}
        with pytest.raises(ValueError, match="three systems or more, and there are 2"):
            over(two, test="bradley_terry", rope=0)
        with pytest.raises(ValueError, match="over many data sets"):
            over(test="bradley_terry", rope=0, unit="seed")


class TestDoubts:
    def test_no_one_strength(self):
        cycle = np.array([[3.0, 2, 1], [1, 3, 2], [2, 1, 3]] * 20)
        found = over(cycle, rope=0)
        said = "fits the wins of 3 of 3 pairs poorly (A and B"
        assert said in text_of(found, "SKS230")
        assert not {"SKS230", "SKS107"} & codes(over(rope=0))

    def test_where_draws_are_worth_too_little(self):
        order = np.tile(np.arange(20.0), (300, 1))
        found = over(order, rope=0, test="sign")
        assert found.strengths is None and "P(best)" not in str(found)
        assert "no strengths: of 32000 draws" in " ".join(found.details.split())
