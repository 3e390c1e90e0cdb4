"""What the forms of a report say."""

import json
import math
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

import skstat
from skstat import compare_scores
from skstat._times import Times
from skstat.report._forms.latex import escape_latex
from skstat.report._model import Pair, Report, System, Table
from skstat.report._words import (
    conclude,
    decimals_for,
    fixed,
    percent,
    pvalue_text,
    short,
)
from skstat.stats import PairedScores, Quantity
from skstat.testing import HOSTILE
from tests.cases import in_one_test

A = [0.81, 0.80, 0.84, 0.79, 0.82, 0.83, 0.80, 0.81, 0.85, 0.82]
B = [0.78, 0.79, 0.80, 0.78, 0.77, 0.80, 0.79, 0.78, 0.79, 0.80]


@pytest.fixture
def report():
    sample = PairedScores(A, B, n_train=900, n_test=100)
    return compare_scores(sample, names=("tree", "bayes"), scoring="accuracy")


MEDIAN = Quantity(
    name="median difference",
    is_difference=False,
    of_units=True,
    claim="on more {unit}s than the reverse",
)


def finding(
    estimate=0.0123,
    interval=(0.0021, 0.0225),
    pvalue=0.02,
    is_loss=False,
    direction=None,
    metric="accuracy",
    **facts,
):
    """Conclude on a pair, of which the values are told with the sign of a score."""
    names, sign = ("tree", "bayes"), -1 if is_loss else 1
    pair = Pair(
        *names,
        estimate=sign * estimate,
        low=min(sign * end for end in interval),
        high=max(sign * end for end in interval),
        pvalue=pvalue,
        toward=int(np.sign(estimate)) if direction is None else direction,
    )
    report = Report(
        systems=Table.of(map(System, names), System),
        pairs=Table.of([pair], Pair),
        ranked=False,
        metric=metric.removeprefix("neg_"),
        lower=is_loss,
        **{"unit": "split", "n_units": 30} | facts,
        why_no_pvalue={"nothing varies to test it against": [names]},
    )
    return " ".join(conclude(report))


@in_one_test(
    "changes, sentence",
    [
        (
            {},
            "tree scores higher than bayes in accuracy, by 0.0123 (95% interval 0.0021 to "
            "0.0225; p = 0.0200).",
        ),
        (
            {"estimate": -0.0123, "interval": (-0.0225, -0.0021)},
            "bayes scores higher than tree in accuracy, by 0.0123 (95% interval 0.0021 to "
            "0.0225; p = 0.0200).",
        ),
        (
            {"metric": "neg_log_loss", "is_loss": True},
            "tree has a lower error than bayes in log_loss, by 0.0123 (95% interval 0.0021 "
            "to 0.0225; p = 0.0200).",
        ),
        (
            {"pvalue": 0.4, "interval": (-0.01, 0.03), "confidence_level": 0.9},
            "No significant difference in accuracy between tree and bayes was found: the "
            "estimate is "
            "+0.0123 (tree − bayes; 90% interval −0.0100 to +0.0300; p = 0.400); every "
            "difference in this "
            "interval is compatible with the data.",
        ),
        (
            {"alternative": "greater", "interval": (0.004, np.inf), "pvalue": 1e-9},
            "tree scores higher than bayes in accuracy, by 0.0123 (one-sided 95% interval: "
            "at least 0.0040; p < 0.001).",
        ),
        (
            {"alternative": "less", "interval": (-np.inf, -0.004), "estimate": -0.0123},
            "tree scores lower than bayes in accuracy, by 0.0123 (one-sided 95% interval: "
            "at least 0.0040; p = 0.0200).",
        ),
        (
            {"alternative": "less", "interval": (-np.inf, 0.004), "pvalue": 0.3},
            "It was not shown that tree scores lower than bayes in accuracy: the estimate "
            "is +0.0123 (tree − bayes; one-sided 95% interval: at most +0.0040; p "
            "= 0.300).",
        ),
        (
            {
                "alternative": "greater",
                "interval": (-0.1, np.inf),
                "pvalue": 0.3,
                "metric": "neg_mean_absolute_error",
                "is_loss": True,
            },
            "It was not shown that tree has a lower error than bayes in "
            "mean_absolute_error: the estimate is −0.012 (below 0, tree is better; "
            "one-sided 95% interval: at most +0.100; p = 0.300).",
        ),
        (
            {
                "alternative": "less",
                "interval": (-np.inf, 0.3),
                "estimate": 0.282,
                "pvalue": 1.0,
                "metric": "err",
                "is_loss": True,
            },
            "It was not shown that tree has a higher error than bayes in err: the estimate "
            "is −0.282 (below 0, tree is better; one-sided 95% interval: at least "
            "−0.300; p = 1).",
        ),
        (
            {"pvalue": 0.4, "interval": (-0.01, 0.03), "metric": "err", "is_loss": True},
            "No significant difference in err between tree and bayes was found: the estimate "
            "is −0.0123 "
            "(below 0, tree is better; 95% interval −0.0300 to +0.0100; p = 0.400); every "
            "difference in this interval is compatible with the data.",
        ),
        (
            {"smallest_pvalue": 0.06, "pvalue": 0.06, "metric": "err", "is_loss": True},
            "No rejection is possible with 30 splits: the smallest p this test can give is "
            "0.06. In err the estimate is −0.0123 (below 0, tree is better; 95% interval "
            "−0.0225 to −0.0021; p = 0.0600).",
        ),
        (
            {
                "interval": (np.nan, np.nan),
                "pvalue": 1e-5,
                "metric": "err",
                "is_loss": True,
            },
            "tree and bayes differ in err, but in no common direction or size: the "
            "estimate is −0.0123 (below 0, tree is better; 95% interval: none exists; "
            "p < 0.001).",
        ),
        (
            {"pvalue": np.nan, "estimate": 1.0, "scale": "mean rank", "unit": "dataset"},
            "No test is possible: tree ranks better than bayes in accuracy by 1.00 in mean "
            "rank, but nothing varies to test it against. There is no p-value.",
        ),
        (
            {"pvalue": np.nan, "estimate": 0.0, "interval": (np.nan, np.nan)},
            "No test is possible: tree and bayes are estimated to be equal in accuracy, and "
            "nothing varies to test it against. There is no p-value.",
        ),
        (
            {"pvalue": 1.0, "estimate": 0.0, "interval": (0, 0), "identical": True},
            "No difference was found: tree and bayes have the same accuracy on all 30 "
            "splits (difference 0; p = 1).",
        ),
        (
            {"pvalue": np.nan, "interval": (np.nan, np.nan), "estimate": 0.3},
            "No test is possible: tree scores higher than bayes in accuracy by 0.300, but "
            "nothing varies to test it against. There is no p-value.",
        ),
        (
            {"adjustment": "after Holm's adjustment for 3 comparisons", "pvalue": 0.06},
            "No significant difference in accuracy between tree and bayes was found: the "
            "estimate is "
            "+0.0123 (tree − bayes; adjusted 95% interval +0.0021 to +0.0225; p = 0.0600 after "
            "Holm's adjustment for 3 comparisons).",
        ),
        (
            {
                "direction": 1,
                "estimate": 0.0,
                "interval": (0.0, 0.5),
                "pvalue": 0.001,
                "quantity": MEDIAN,
            },
            "tree scores higher than bayes on more splits than the reverse: the median "
            "difference in the accuracy of single splits is 0.000 (above 0, tree is better; "
            "95% interval 0.000 to +0.500; p = 0.0010).",
        ),
        (
            {"interval": (np.nan, np.nan), "pvalue": 1e-5},
            "tree and bayes differ in accuracy, but in no common direction or size: the "
            "estimate is +0.0123 (tree − bayes; 95% interval: none exists; p < 0.001).",
        ),
        (
            {"unit": "dataset", "n_units": 5, "smallest_pvalue": 0.0625, "pvalue": 0.0625},
            "No rejection is possible with 5 data sets: the smallest p this test can give is "
            "0.0625. In accuracy the estimate is +0.0123 (tree − bayes; 95% interval "
            "+0.0021 to +0.0225; p = 0.0625).",
        ),
    ],
)
def test_conclusions(changes, sentence):
    assert finding(**changes) == sentence


@in_one_test(
    "value, text",
    [
        (0.0, "p < 0.001"),
        (9.9e-4, "p < 0.001"),
        (0.00101, "p = 0.0010"),
        (0.0496, "p = 0.0496"),
        (0.0504, "p = 0.0504"),
        (0.1234, "p = 0.123"),
        (0.9996, "p = 1"),
        (1.0, "p = 1"),
        (None, "no p-value"),
        (float("nan"), "no p-value"),
    ],
)
def test_pvalues(value, text):
    assert pvalue_text(value) == text


def test_numbers():
    assert decimals_for([0.0123, -0.2]) == 3
    assert decimals_for([123.0, None, float("inf")]) == 0
    assert decimals_for([0.0]) == 3
    assert fixed(1.23456e-15, decimals_for([1.23456e-15])) == "1.23e−15"
    assert fixed(1e20, 0, sign=True) == "+1.00e+20"
    assert fixed(-0.0004, 3, sign=True) == "0.000"
    assert fixed(-0.0123, 3) == "−0.012"
    assert fixed(None, 3) == "undefined"
    assert fixed(float("-inf"), 3) == "no limit"
    assert percent(0.95) == "95%" and percent(0.999) == "99.9%"
    assert short([10, 5]) == "10 and 5" and short(None) == "undefined"


def test_text_gives_conclusion_difference_interval_p_design_and_doubts(report):
    text = report.details
    order = ["tree scores higher", "Test  ", "Difference  ", "95% interval  ", "Estimand"]
    positions = [text.index(word) for word in order]
    assert positions == sorted(positions)
    assert max(len(line) for line in text.splitlines()) <= 88
    naive = compare_scores({"a": A, "b": B}, unit="split", test="paired_t")
    assert "SKS101" in naive.details


class Checker(HTMLParser):
    """Collects tags and checks that they close."""

    void = {"meta", "line", "circle", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.tags = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag


@pytest.mark.parametrize(
    "names", [("tree", "bayes"), (HOSTILE, "</svg>"), ("", "\u05d0\u05d1")]
)
def test_html_is_well_formed_and_names_are_inert(names, tmp_path):
    report = compare_scores(PairedScores(A, B, n_train=900, n_test=100), names=names)
    path = tmp_path / "report.html"
    fragment = report.to_html(path)
    for html in (fragment, path.read_text(encoding="utf-8")):
        checker = Checker()
        checker.feed(html)
        assert checker.open == []
        assert {"script", "img", "iframe"} & set(checker.tags) == set()
        assert {"table", "details", "svg"} <= set(checker.tags)


def test_markdown_and_latex_escape_names():
    report = compare_scores(
        PairedScores(A, B, n_train=900, n_test=100), names=("a|b_c", "d&$e")
    )
    assert r"a\|b\_c" in report.to_markdown()
    assert r"Difference (a\textbar{}b\_c $-$ d\&\$e)" in report.to_latex()
    assert escape_latex(r"\input{x}") == r"\textbackslash{}input\{x\}"


def test_json_has_no_infinity():
    one_sided = compare_scores(
        PairedScores(A, B, n_train=900, n_test=100), alternative="greater"
    )
    state = json.loads(one_sided.to_json())
    assert state["interval"][1] is None
    constant = compare_scores(PairedScores(np.ones(9), np.zeros(9), n_repeats=3))
    assert json.loads(constant.to_json())["statistic"] is None
    restored = skstat.report_from_dict(json.loads(constant.to_json()))
    assert restored.statistic == np.inf


def test_json_goes_to_a_file(report, tmp_path):
    path = tmp_path / "report.json"
    assert (
        json.loads(path.read_text("utf-8") if report.to_json(path) else "") == report.to_dict()
    )


def test_only_reports_of_this_schema_are_restored(report):
    with pytest.raises(ValueError, match="not a skstat report"):
        skstat.report_from_dict({"schema": "other"})
    for state in ({"kind": "tale"}, {"kind": "metrics", "reports": [{"kind": "tale"}]}):
        with pytest.raises(ValueError, match="its kind 'tale' is unknown"):
            skstat.report_from_dict(report.to_dict() | state)
    with pytest.raises(ValueError, match="schema version 99"):
        skstat.report_from_dict(report.to_dict() | {"schema_version": 99})


def test_frame(report):
    pytest.importorskip("pandas")
    row = report.to_frame().iloc[0]
    assert (row["first"], row["second"], row["verdict"]) == ("tree", "bayes", "better")
    assert row["pvalue"] == report.pvalue
    several = skstat.ReportGrid(by="metric", reports={"one": report, "two": report}).to_frame()
    assert several["pvalue"].tolist() == [report.pvalue] * 2


def test_missing_optional_packages_name_the_extra(report, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"skstat\[pandas\]"):
        report.to_frame()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"skstat\[matplotlib\]"):
        report.plot()


def test_reports_are_frozen_and_intervals_can_be_asked_again(report):
    with pytest.raises(AttributeError):
        report.metric = "x"
    narrow, wide = report.confidence_interval(0.8), report.confidence_interval(0.99)
    assert wide.low < narrow.low < report.estimate < narrow.high < wide.high
    assert report.verdict == "better"
    assert report.standard_error > 0


def test_infinite_times_are_null_and_come_back():
    scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7], "c": [0.6, 0.6, 0.9, 0.8]}
    report = skstat.compare_scores(scores, unit="instance")
    times = {name: Times(fit=math.inf, predict=0.5) for name in scores}
    state = json.loads(replace(report, times=times).to_json())
    assert state["times"]["a"] == {"fit": None, "predict": 0.5}
    found = skstat.report_from_dict(state)
    assert math.isnan(found.times["a"].fit) and found.to_dict() == state
    assert "500 ms" in found.details  # of what nobody knows there is no column
    # Wherever else a number of somebody's is infinite.
    odd = replace(report, design={**report.design, "facts": {"size": math.inf}})
    assert json.loads(odd.to_json())["design"]["facts"] == {"size": None}


def test_half_a_pair_of_surrogates_in_a_name(tmp_path):
    half, metric = "a\ud800", "m\udfff"
    scores = {half: [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    report = skstat.compare_scores(scores, unit="instance", scoring=metric)
    for form in ("text", "markdown", "latex"):
        assert "a\N{REPLACEMENT CHARACTER}" in getattr(report, f"to_{form}")()
    report.to_html(tmp_path / "page.html")
    text = report.to_json(tmp_path / "report.json")
    assert "\\ud800" in text and json.loads(text)["names"] == [half, "b"]
    assert skstat.report_from_dict(json.loads(text)).to_json() == text
    pytest.importorskip("matplotlib")
    report.plot().figure_.savefig(tmp_path / "plot.svg")
