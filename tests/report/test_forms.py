"""What the forms of a report say, whatever it is called and however its numbers are."""

import json
import re
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skstat
from skstat import compare_scores
from tests.cases import in_one_test

A = [0.81, 0.80, 0.84, 0.79, 0.82, 0.83, 0.80, 0.81, 0.85, 0.82]
B = [0.78, 0.79, 0.80, 0.78, 0.77, 0.80, 0.79, 0.78, 0.79, 0.80]
FORMS = ("to_text", "to_markdown", "to_latex")
MINUS = "\N{MINUS SIGN}"


def over_splits(names=("A", "B"), **options):
    scores = dict(zip(names, (A, B), strict=True))
    return compare_scores(scores, n_train=900, n_test=100, **options)


@pytest.fixture
def report():
    return over_splits(names=("tree", "bayes"), scoring="accuracy")


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_an_interval_of_another_level_is_that_of_the_test(report, level):
    found = report.evidence.outcome.confidence_interval(level)
    assert tuple(report.confidence_interval(level)) == tuple(found)


def test_text_gives_conclusion_test_difference_interval_and_estimand(report):
    text = report.details
    order = ["tree scores higher", "Test  ", "Difference  ", "Estimand"]
    positions = [text.index(word) for word in order]
    assert positions == sorted(positions)
    shown, told = (set(re.findall(r"\w+", form)) for form in (str(report), text))
    assert shown - told <= {"More", "print", "report", "details", "doubt"}
    facts = text.split("\n\n")[1].splitlines()[1:]  # labels of neighbours have one width
    assert len({re.match(r"(\S.*?)?  +(?=\S)", line).end() for line in facts}) == 1
    naive = compare_scores({"a": A, "b": B}, unit="split", test="paired_t")
    assert "SKS101" in naive.details and "\nInvalid" in str(naive)


@given(
    scale=st.floats(1e-9, 1e9),
    shift=st.floats(-1, 1),
    noise=st.sampled_from([0.0, 1e-12, 0.01, 1.0]),
    is_loss=st.booleans(),
)
def test_numbers_are_written_so_that_nobody_misreads_them(scale, shift, noise, is_loss):
    rng = np.random.default_rng(0)
    old = rng.normal(0, 1, 9)
    scores = {"new": scale * (old + shift + rng.normal(0, noise, 9)), "old": scale * old}
    found = compare_scores(scores, unit="seed", paired_seeds=True, higher_is_better=not is_loss)
    for text in (found.details, found.to_markdown(), found.to_latex()):
        assert all(map(float, re.findall(r"\bp = (\d[\d.]*\d|\d)", text)))
        below = re.findall(rf"(?<!\w)[-{MINUS}](\d+(?:\.\d+)?)(?![\d.])", text)
        assert all(map(float, below))
        assert not re.search(r"\b(nan|inf|None)\b", text)
    assert all(len(line) <= 88 for line in found.details.splitlines())


def test_a_difference_that_rounds_to_zero_has_no_sign():
    spread = np.linspace(-1, 1, 9)
    scores = {"a": spread - 1e-7, "b": 0 * spread}
    found = compare_scores(scores, unit="seed", paired_seeds=True)
    assert "the estimate is 0.000 (" in found.conclusion


def test_missing_optional_packages_name_the_extra(report, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"skstat\[pandas\]"):
        report.to_frame()
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"skstat\[matplotlib\]"):
        report.plot()


def test_half_a_pair_of_surrogates_in_a_name(tmp_path):
    half, metric = "a\ud800", "m\udfff"
    scores = {half: [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    report = skstat.compare_scores(scores, unit="instance", scoring=metric)
    for form in FORMS:
        assert "a\N{REPLACEMENT CHARACTER}" in getattr(report, form)()
    report.to_html(tmp_path / "page.html")
    text = report.to_json(tmp_path / "report.json")
    assert "\\ud800" in text and json.loads(text)["systems"]["name"] == [half, "b"]
    assert skstat.report_from_dict(json.loads(text)).to_json() == text
    pytest.importorskip("matplotlib")
    report.plot().figure_.savefig(tmp_path / "plot.svg")


METRICS = skstat.ReportGrid(by="metric", reports={"accuracy": over_splits()})
SYSTEMS = compare_scores({"new": A, "old": B, "none": [*A[1:], 0.7]}, unit="dataset")


@in_one_test(
    "found, typed, hint",
    [
        (over_splits(), "p_value", "use pvalue."),
        (over_splits(), "verdct", "use verdict"),
        (over_splits(), "confidence_intervals", "use confidence_interval()."),
        (over_splits(), "xyzzy", "object has no attribute 'xyzzy'"),
        (SYSTEMS, "maybe_best", "may_be_best"),
        (SYSTEMS, "estimate", "the report of one pair, report['new', 'old'].estimate."),
        (METRICS, "p_value", "report['accuracy'].pvalue."),
        (over_splits().evidence.outcome, "p_value", "has no 'p_value'; use pvalue"),
        (SYSTEMS.evidence.pairwise, "estimate", "of one pair"),
    ],
)
def test_the_error_says_what_is_meant(found, typed, hint):
    with pytest.raises(AttributeError) as error:
        getattr(found, typed)
    assert hint in str(error.value) and not hasattr(found, typed)
    bare = object.__new__(type(found))  # as copies begin: without any field
    with pytest.raises(AttributeError):
        bare.estimate  # noqa: B018
