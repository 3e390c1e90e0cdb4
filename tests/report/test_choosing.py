"""The cheapest system that may be the best."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skstat import compare_scores, report_from_dict
from skstat.stats import ScoreTable
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
RIGHT = {
    name: RNG.permutation(400) < round(400 * share)
    for name, share in {"large": 0.9, "middle": 0.88, "small": 0.6, "tiny": 0.55}.items()
}
PRICES = {"large": 70.0, "middle": 8.0, "small": 2.0, "tiny": 1.0}
ONE_ERROR = "one-standard-error"


def ask(scores=RIGHT, scoring="accuracy", **options):
    return compare_scores(scores, unit="instance", scoring=scoring, random_state=0, **options)


def test_a_cheaper_one_must_have_been_shown_to_be_as_good():
    report = ask()
    assert set(report.may_be_best) == {"large", "middle"}
    found = report.choose(PRICES)
    assert found.name == "large" and found.costs == {"middle": 8, "large": 70}
    assert str(found) == found.sentence
    assert "and no cheaper one was shown to be as good as the best. middle" in found.sentence
    assert report.choose(PRICES.get) == found
    assert report_from_dict(json.loads(report.to_json())).choose(PRICES) == found
    dear = report.choose({**PRICES, "middle": 71})
    assert dear.sentence.endswith("and none that may be the best is cheaper.")
    assert report.choose(PRICES, margin=0.03).name == "large"
    shown = report.choose(PRICES, margin=0.1)
    assert shown.name == "middle" and "as good as the best within" in shown.sentence
    assert ask(margin=0.1).choose(PRICES) == shown
    assert report.choose(PRICES, margin=0.5).name == "tiny"


def test_one_standard_error_is_a_rule_by_name():
    report = ask()
    error = np.std(RIGHT["large"], ddof=1) / 20  # of 400 rows
    near = {**RIGHT, "middle": RNG.permutation(400) < round(400 * (0.9 - 0.5 * error))}
    close = ask(near)
    assert close.choose(PRICES).name == "large"
    found = close.choose(PRICES, rule=ONE_ERROR)
    assert found.name == "middle"
    assert "one standard error of the best score, which shows nothing" in found.sentence
    assert close["large", "middle"].choose(PRICES, rule=ONE_ERROR).name == "middle"
    # .880 is 1.3 standard errors below .900.
    assert report.choose(PRICES, rule=ONE_ERROR).name == "large"
    losses = ask({name: 1.0 - own for name, own in near.items()}, scoring="error_rate")
    assert losses.choose(PRICES, rule=ONE_ERROR).name == "middle"
    with pytest.raises(ValueError, match="rule='best' is unknown"):
        report.choose(PRICES, rule="best")
    with pytest.raises(ValueError, match="belongs to rule='margin'"):
        report.choose(PRICES, rule=ONE_ERROR, margin=0.1)


@in_one_test(
    "cost, error, message",
    [
        ({"large": 1, "small": 2}, ValueError, "nothing for 'middle'; it has large, small"),
        *((dict.fromkeys(PRICES, x), ValueError, "finite number")
          for x in (math.nan, math.inf, "1", None, 1j)),
        ("time", ValueError, "nothing for 'time'; it has fit_time, predict_time"),
        (3, TypeError, "fit_time"),
        ("fit_time", ValueError, "where skstat made the fits"),
        ("predict_time", ValueError, "where skstat made the fits"),
    ],
)  # fmt: skip
def test_a_cost_that_is_none_is_refused(cost, error, message):
    for report in (ask(), ask()["large", "middle"]):
        with pytest.raises(error, match=message):
            report.choose(cost)


def test_who_may_be_best_must_have_been_asked():
    two = {name: RIGHT[name] for name in ("large", "middle")}
    one_sided = ask(two, alternative="greater")
    for report in (ask(control="tiny"), ask(alternative="greater"), one_sided):
        with pytest.raises(ValueError, match="Compare all pairs, two-sided"):
            report.choose(PRICES)
    with pytest.raises(ValueError, match="nothing to choose"):
        ask({"large": RIGHT["large"]}, constant=0.5).choose(PRICES)


def test_what_is_not_valid_is_said_to_be_that():
    scores = {"a": np.repeat([0.9, 0.8, 0.85], 4), "b": np.linspace(0.5, 0.9, 12)}
    how = {"unit": "split", "n_train": 90, "n_test": 10, "test": "paired_t"}
    report = compare_scores(scores, scoring="accuracy", **how)
    said = report.choose({"a": 1, "b": 2}).sentence
    assert "The p-values are not valid: " in said and "(SKS101)" in said


def test_worse_by_less_than_the_margin_is_cheap_enough():
    rng = np.random.default_rng(1)
    base = rng.normal(0.8, 0.05, 60)
    named = {
        "best": base,
        "near": base - 0.01 + rng.normal(0, 0.003, 60),
        "far": base - 0.2 + rng.normal(0, 0.003, 60),
    }
    cost = {"best": 3, "near": 2, "far": 1}
    assert ask(named).choose(cost).name == "best"
    report = ask(named, margin=0.05)
    assert report.may_be_best == ("best",)
    assert report.choose(cost).name == "near"
    assert "near is equivalent to best within the margin" in report.choose(cost).sentence
    pair = report["near", "best"]
    assert pair.verdict == "equivalent" and pair.choose(cost).name == "near"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=6, max_size=30),
    st.permutations([1, 2, 3, 4]),
)
def test_what_is_chosen_is_the_best_or_shown_to_lose_nothing(rows, prices):
    table = ScoreTable(rows, systems=list("wxyz"), unit="instance")
    report = compare_scores(table, random_state=0)
    cost = dict(zip("wxyz", prices, strict=True))
    found = report.choose(cost)
    assert found.name in report.may_be_best
    as_good = [system.name for system in report.systems if system.best_low >= 0]
    assert found.name in (*as_good, report.names[0])
    assert all(cost[found.name] <= cost[name] for name in as_good)
    assert report.choose({name: 7 * price for name, price in cost.items()}).name == found.name
