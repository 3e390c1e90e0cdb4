"""A doubt is asked of the cases that it names, and judged anew where it must be."""

from functools import partial
from types import ModuleType

import numpy as np
import pytest

from skstat import compare_scores
from skstat.comparison._engine.family import FamilyOfMeans
from skstat.report import PerformanceRow
from skstat.report._doubts import (
    CATALOGUE,
    Case,
    PerformanceCase,
    SystemsCase,
    TableCase,
    after_adjustment,
    doubt,
    find_doubts,
)
from skstat.report._doubts.case import OF_ONE_PAIR
from skstat.report._doubts.catalogue import joined
from skstat.report._doubts.table_case import TablePairCase
from skstat.stats import PairedScores, holdout_estimate


def add(monkeypatch, rule, **declared):
    kind = doubt(
        "SKS999",
        "an odd number",
        weight="note",
        when="The number of units is odd.",
        action="score one unit more",
        advice="Score one unit more.",
        **declared,
    )(rule)
    monkeypatch.setitem(CATALOGUE, kind.code, kind)
    return kind


def odd_number(case: Case) -> str | None:
    n = case.n_units
    return f"{n} is an odd number of units." if n % 2 else None


def pair(n):
    a = np.random.default_rng(0).normal(0.8, 0.02, n)
    return PairedScores(a + 0.01, a[::-1], unit="seed")


def texts(report, code="SKS999"):
    return [doubt.text for doubt in report.doubts if doubt.code == code]


def test_it_is_asked_of_what_it_names(monkeypatch):
    table = np.random.default_rng(0).normal(0.8, 0.02, (11, 3)) - [0.0, 0.1, 0.2]
    table[:6, 1] = table[:6, 0]  # these two tie on half of the data sets
    kind = add(monkeypatch, odd_number, of=(Case, TablePairCase))
    several = compare_scores(table, unit="dataset")
    many = "A and B: 11 is an odd number of units. The same holds for 2 more pairs."
    assert texts(several) == [many]

    @kind.of(TableCase)
    def in_a_table(case):
        return f"{case.table.n_systems} systems."

    assert texts(compare_scores(table, unit="dataset"))[0] == "3 systems."

    @kind.of(SystemsCase)
    def together(case):
        return f"{len(case.report.names)} together."

    assert "3 together." in texts(compare_scores(table, unit="dataset"))
    row = PerformanceRow(name="tree", estimate=holdout_estimate([1, 0] * 20 + [1]))
    case = PerformanceCase(row=row)
    assert find_doubts(case) == ()

    @kind.of(PerformanceCase)
    def of_an_estimate(case):
        return f"{case.row.name} was estimated."

    assert [found.text for found in find_doubts(case)] == ["tree was estimated."]


@pytest.mark.parametrize("about_verdict", [True, False])
def test_it_is_judged_anew_after_an_adjustment(monkeypatch, about_verdict):
    def small(case):
        return "p is below 0.5." if case.pvalue < 0.5 else None

    add(monkeypatch, small, about_verdict=about_verdict)
    report = compare_scores(pair(13))
    assert report.pvalue < 0.5 and texts(report)
    codes = [found.code for found in after_adjustment(report, 0.9)]
    assert ("SKS999" in codes) is not about_verdict


def test_two_doubts_of_one_code_are_refused():
    one, other = ModuleType("one"), ModuleType("other")
    words = {"title": "t", "weight": "weak", "when": "w.", "action": "a", "advice": "a."}
    one.first = doubt("SKS999", **words)(odd_number)
    assert list(joined(one, one)) == ["SKS999"]
    other.second = doubt("SKS999", **words)(odd_number)
    with pytest.raises(ValueError, match="two kinds of doubt have the code SKS999"):
        joined(one, other)


def one_decides(case: Case) -> str | None:
    sizes = [abs(difference) for difference in case.differences]
    share = max(sizes) / sum(sizes) if any(sizes) else 0.0
    return f"one unit holds {share:.2f} of all differences." if share > 0.5 else None


def through_another(case: Case) -> str | None:
    return one_decides(case)


# Made in a module of its own, as a helper that several files share.
elsewhere = ModuleType("elsewhere")
exec("def share(case):\n    return case.differences", vars(elsewhere))
share = elsewhere.share


@pytest.mark.parametrize("rule", [one_decides, through_another])
@pytest.mark.parametrize("names", ["abc", "bca", "cab", "cba"])
def test_one_function_is_enough_for_any_number_of_systems(monkeypatch, rule, names):
    rng = np.random.default_rng(0)
    columns = {"b": 0.8 + rng.normal(0, 0.01, 12)}
    columns["c"] = columns["b"] + rng.normal(0, 0.01, 12)
    columns["a"] = columns["b"] + rng.normal(0, 0.01, 12)
    columns["a"][0] += 1.0
    kind = add(monkeypatch, rule)
    assert kind.looks_at_pairs and not kind.among
    given = {name: columns[name] for name in names}
    report = compare_scores(given, unit="seed", paired_seeds=True)
    assert isinstance(report.pairwise.outcomes, FamilyOfMeans)
    (text,) = texts(report)
    assert text.endswith("The same holds for 1 more pair.")
    with_a = [" and ".join(pair) for pair in report.pairwise.pairs if "a" in pair]
    assert text.split(": one unit")[0] == with_a[0]


def test_what_a_rule_looks_at_is_followed_into_other_modules(monkeypatch):
    assert add(monkeypatch, lambda case: share(case) and None).looks_at_pairs
    assert not add(monkeypatch, lambda case: case.unit and None).looks_at_pairs


@pytest.mark.parametrize(
    "sizes", [{"n_train": 90, "n_test": 10}, {"unit": "instance"}, {"unit": "seed"}]
)
def test_what_differs_from_pair_to_pair_is_known_to_differ(sizes):
    """Of a case, and of the outcomes of families that are judged by arrays."""
    scores = np.random.default_rng(0).normal(0.8, 0.05, (12, 3)) - [0.0, 0.1, 0.0]
    paired = {"paired_seeds": True} if sizes == {"unit": "seed"} else {}
    report = compare_scores(scores, random_state=0, **sizes, **paired)
    assert isinstance(report.pairwise.outcomes, FamilyOfMeans)
    cases = [
        Case(sample=report[pair].compared, outcome=outcome, confidence_level=0.95)
        for pair, outcome in zip(report.pairwise.pairs, report.pairwise.outcomes, strict=True)
    ]
    wholes = {"outcome", "by_itself", "own"}  # whose parts are looked at here
    for parts in (cases, [c.outcome for c in cases], [c.by_itself for c in cases]):
        for name in set(dir(parts[0])) - OF_ONE_PAIR - wholes:
            found = [getattr(part, name) for part in parts[:2]]
            if name[:1] != "_" and not callable(found[0]):
                assert repr(found[0]) == repr(found[1]), name


def test_a_rule_that_is_no_plain_function_is_tried_on_every_pair(monkeypatch):
    assert add(monkeypatch, partial(odd_number)).looks_at_pairs


def test_a_rule_that_looks_at_the_design_alone_is_asked_once(monkeypatch):
    asked = []

    def counting(case):
        asked.append(case.names)
        return odd_number(case)

    assert not add(monkeypatch, counting).looks_at_pairs
    scores = np.random.default_rng(0).normal(0.8, 0.02, (11, 6))
    report = compare_scores(scores, unit="seed", paired_seeds=True)
    assert texts(report) == ["11 is an odd number of units."]
    assert len(set(asked)) == 1


def test_pairs_of_a_table_are_all_asked(monkeypatch):
    add(monkeypatch, one_decides, of=TablePairCase)
    scores = np.random.default_rng(0).normal(0.8, 0.02, (12, 3)) - [0.0, 0.1, 0.2]
    scores[0, 0] += 9.0
    (text,) = texts(compare_scores(scores, unit="dataset"))
    assert "The same holds for 1 more pair." in text
