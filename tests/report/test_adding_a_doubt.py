"""A rule is one function, which is asked of whatever is known."""

import numpy as np
import pytest

from skstat import compare_scores, rank_systems
from skstat.comparison._engine import systems
from skstat.comparison._engine.family import FamilyOfMeans
from skstat.report import PerformanceRow
from skstat.report._doubts import CATALOGUE, Facts, Found, Kind, find_doubts
from skstat.stats import PairedScores, holdout_estimate


@pytest.fixture
def kind():
    yield Kind("SKS999", "an odd number")
    del CATALOGUE["SKS999"]


@pytest.fixture
def add(kind):
    return kind.rule("note", "score one unit more")


def odd_number(facts):
    """The number of units is odd.

    Score one unit more.
    """
    if facts.n_units % 2:
        yield Found(f"{facts.n_units} is an odd number of units.")


def one_decides(facts):
    """One unit holds most of all differences, by its mean.

    Look at it.
    """
    scored = facts.pairs.scored
    for place in [] if scored is None else np.flatnonzero(abs(scored.means) > 0.05).tolist():
        yield Found(f"the mean is {abs(scored.means[place]):.2f}.", pair=place)


def texts(report, code="SKS999"):
    return [doubt.text for doubt in report.doubts if doubt.code == code]


def table(n, k):
    return np.random.default_rng(0).normal(0.8, 0.02, (n, k)) - 0.01 * np.arange(k)


def test_it_is_asked_of_two_systems_of_several_and_of_tables(add):
    add(odd_number)
    said = "11 is an odd number of units."
    a, b = table(11, 2).T
    assert texts(compare_scores(PairedScores(a, b, unit="seed"))) == [said]
    assert texts(compare_scores(table(11, 3), unit="dataset")) == [said]
    assert texts(compare_scores(table(12, 3), unit="dataset")) == []
    assert said in texts(compare_scores(table(11, 3), unit="seed", paired_seeds=True))


def test_it_may_look_at_an_estimate(add):
    add(lambda facts: (Found(f"{facts.names[0]}.") for _ in [facts.estimate] if _ is not None))
    row = PerformanceRow(name="tree", estimate=holdout_estimate([1, 0] * 20 + [1]))
    (found,) = find_doubts(Facts(names=("tree",), estimate=row.estimate))
    assert found.code == "SKS999" and found.text == "tree."


@pytest.mark.parametrize("unit", ["seed", "dataset"])
@pytest.mark.parametrize("names", ["abc", "bca", "cab", "cba"])
def test_one_function_is_enough_for_any_number_of_systems(monkeypatch, add, names, unit):
    rng = np.random.default_rng(0)
    columns = {"b": 0.8 + rng.normal(0, 0.01, 12)}
    columns["c"] = columns["b"] + rng.normal(0, 0.01, 12)
    columns["a"] = columns["b"] + rng.normal(0, 0.01, 12)
    columns["a"][0] += 1.0
    add(one_decides)
    given = {name: columns[name] for name in names}
    paired = {"paired_seeds": True} if unit == "seed" else {}
    report = compare_scores(given, unit=unit, random_state=0, **paired)
    (text,) = texts(report)
    assert text.endswith("The same holds for 1 more pair.")
    with_a = [" and ".join(pair) for pair in report.pairwise.pairs if "a" in pair]
    assert text.split(": the mean")[0] == with_a[0]
    if unit == "seed":  # pair by pair the same is told
        assert isinstance(report.pairwise.outcomes, FamilyOfMeans)
        monkeypatch.setattr(systems, "family_of_means", lambda *_: None)
        slow = compare_scores(given, unit=unit, random_state=0, **paired)
        assert isinstance(slow.pairwise.outcomes, tuple) and texts(slow) == [text]


def test_what_is_said_of_all_pairs_names_none(add):
    add(lambda facts: (Found("the same.", pair=n) for n in range(len(facts.pairs.names))))
    assert "the same." in texts(compare_scores(table(12, 3), unit="dataset"))


def test_of_a_verdict_the_adjusted_p_value_counts(add):
    def small(facts):
        pairs = facts.pairs
        for place in np.flatnonzero(pairs.judged & (pairs.pvalues < 0.05)).tolist():
            yield Found("p is small.", pair=place)

    add(small)
    rng = np.random.default_rng(0)
    x = rng.normal(0, 1, 40)
    scores = {"a": x + 0.1 + rng.normal(0, 1, 40), "b": x, "c": x + rng.normal(0, 1, 40)}
    two = {name: scores[name] for name in "ab"}
    asked = {"unit": "instance", "random_state": 0}
    alone = compare_scores(two, **asked)
    together = compare_scores(scores, adjustment="bonferroni", **asked)
    pair = together["a", "b"]
    assert alone.pvalue == pytest.approx(pair.pvalue)
    assert alone.pvalue < 0.05 < pair.adjusted_pvalue
    assert texts(alone) == ["p is small."] and texts(together) == []


def test_each_case_has_its_own_words_and_weight(kind):
    @kind.rule("note", "wait")
    def one(facts):
        """One happens.

        Wait for ``one``.
        """
        if facts.n_units == 7:
            yield Found("one.")

    @kind.rule("weak", "run")
    def other(facts):
        """Another happens.

        Run.
        """
        if facts.n_units == 7:
            yield Found("another.", weight="invalid", action="stop")

    assert kind.weight == "weak"
    first, second = find_doubts(Facts(n_units=7))
    assert (first.weight, first.action, first.advice) == ("note", "wait", "Wait for one.")
    assert (second.weight, second.action, second.advice) == ("invalid", "stop", "Run.")
    assert {first.code, second.code} == {"SKS999"}


def test_slices_and_leaderboards_are_asked_too(add):
    add(odd_number)
    rows = {"a": table(21, 2)[:, 0], "b": table(21, 2)[:, 1]}
    assert texts(rank_systems(table(21, 3), unit="instance", random_state=0))
    assert texts(compare_scores(rows, unit="instance", random_state=0))
