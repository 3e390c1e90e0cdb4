"""What the HTML and the Markdown of a report show first, what they unfold, and how it looks."""

import html
import re
from functools import partial
from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skstat
from tests.report.built import TRUTH, TWO

TONES = ("better", "worse", "equivalent", "undecided", "invalid")
SIZES = {"n_train": 900, "n_test": 100}


def paired(difference, noise=0.004, level=0.8, **options):
    """Compare new with old, of which new is better by so much."""
    rng = np.random.default_rng(0)
    old = rng.normal(level, 0.02, 30)
    scores = {"new": old + difference + rng.normal(0, noise, 30), "old": old}
    return skstat.compare_scores(scores, scoring="accuracy", **SIZES, **options)


def several(steps, **options):
    """Compare systems, each below the first by so much."""
    rng = np.random.default_rng(1)
    base = rng.normal(0.8, 0.02, 30)
    scores = {f"s{i}": base - step + rng.normal(0, 0.004, 30) for i, step in enumerate(steps)}
    design = {} if "unit" in options else SIZES
    how = {"scoring": "accuracy", "random_state": 0}
    return skstat.compare_scores(scores, **design, **how, **options)


def naive():
    """Compare splits as if they were independent."""
    scores = {"new": [0.8, 0.9, 0.7, 0.8], "old": [0.7, 0.8, 0.7, 0.6]}
    return skstat.compare_scores(scores, unit="split", test="paired_t")


outputs = partial(skstat.compare_predictions, TRUTH, TWO, random_state=0, n_resamples=199)


def tree(report):
    """Parse the fragment, which is XML too."""
    return ET.fromstring(report.to_html())


def of_class(element, name):
    return [e for e in element.iter() if name in e.get("class", "").split()]


def text_of(element):
    return " ".join("".join(element.itertext()).split())


def without_folds(element):
    """Return what is read before anything is unfolded."""
    words = [element.text or ""]
    for child in element:
        if child.tag == "details" and child.get("open") is None:
            words.append(text_of(child.find("summary")))
        elif child.tag != "style":
            words.append(without_folds(child))
        words.append(child.tail or "")
    return " ".join(" ".join(words).split())


@pytest.mark.parametrize(
    ("report", "word", "tone"),
    [
        (paired(0.05), "new is better", "better"),
        (paired(-0.05), "new is worse", "worse"),
        (paired(0.0), "undecided", "undecided"),
        (paired(0.0, margin=0.05), "equivalent", "equivalent"),
        (paired(0.006, noise=0.03, margin=0.02), "new is not inferior", "equivalent"),
    ],
    ids=["better", "worse", "undecided", "equivalent", "not inferior"],
)
def test_the_header_says_what_was_found_in_word_and_colour(report, word, tone):
    (header,) = of_class(tree(report), "skstat-header")
    (badge,) = of_class(header, "skstat-badge")
    assert text_of(badge) == word and report.verdict in word
    for element in (header, badge):
        assert [t for t in TONES if f"skstat-{t}" in element.get("class")] == [tone]
    (conclusion,) = of_class(header, "skstat-conclusion")
    assert text_of(conclusion) == report.conclusion
    assert text_of(header).startswith("new against old, accuracy")
    lines = {e.get("class") for e in tree(report).iter("line") if e.get("class")}
    assert lines == {f"skstat-{tone}"}


def test_an_invalid_p_is_said_in_the_header_and_right_below_it():
    assert naive().conclusion.startswith("The p-value is not valid: ")
    page = tree(naive())
    (header,) = of_class(page, "skstat-header")
    assert {"skstat-moot", "skstat-invalid"} <= set(header.get("class").split())
    assert [text_of(e) for e in of_class(header, "skstat-badge")][-1] == "not valid"
    order = [e.get("class", e.tag) for e in page]
    assert order.index("skstat-list") == 1 + order.index(header.get("class"))
    sound = tree(paired(0.05))
    assert not of_class(sound, "skstat-moot") and "not valid" not in text_of(sound)
    assert "> [!CAUTION]\n> **Invalid:** " in naive().to_markdown()
    assert "CAUTION" not in paired(0.05).to_markdown()


def test_doubts_say_their_weight_in_a_word_and_what_to_do_and_unfold_the_advice():
    few = skstat.compare_scores({"a": [0.8, 0.9, 0.7], "b": [0.7, 0.8, 0.6]}, unit="seed")
    wide = several([0, 0.004, 0.05], margin=0.001)
    assert {doubt.weight for r in (naive(), few, wide) for doubt in r.doubts} >= {"note"}
    for report in (naive(), few, wide):
        page, markdown = tree(report), report.to_markdown()
        items = of_class(page, "skstat-doubt")
        assert len(items) == len(report.doubts) > 0
        for doubt in report.doubts:
            (item,) = [e for e in items if " ".join(doubt.text.split()) in text_of(e)]
            assert f"skstat-{doubt.weight}" in item.get("class")
            assert text_of(of_class(item, "skstat-badge")[0]) == doubt.weight
            first = without_folds(item)
            assert doubt.action in first and doubt.code in first and doubt.advice not in first
            assert " ".join(doubt.advice.split()) in text_of(item)
            assert (doubt.text in without_folds(page)) == (doubt.weight != "note")
            assert f"**{doubt.weight.capitalize()}:** " in markdown and doubt.code in markdown
        found = [text_of(of_class(e, "skstat-badge")[0]) for e in items]
        assert found == sorted(found, key=("invalid", "weak", "note").index)


REPORTS = {
    "two": lambda: paired(0.05, margin=0.02),
    "invalid": naive,
    "several": lambda: several([0, 0.01, 0.05], margin=0.02),
    "data sets": lambda: several([0, 0.01, 0.05], unit="dataset", control="s2"),
    "metrics": lambda: outputs(metric=["accuracy", "f1"]),
    "slices": lambda: outputs(metric="accuracy", by=np.arange(150) % 3),
}
NUMBER = re.compile(r"[+\N{MINUS SIGN}]?\d+\.\d+")


@pytest.mark.parametrize("kind", REPORTS)
def test_no_form_leaves_a_number_out_and_a_bare_page_reads_well(kind):
    report = REPORTS[kind]()
    page = tree(report)
    markdown = html.unescape(re.sub(r"\\(.)", r"\1", report.to_markdown()))
    told = set(NUMBER.findall(report.details))
    for said in (" ".join(page.itertext()), markdown):
        assert told <= set(NUMBER.findall(said))
        assert " ".join(report.conclusion.split(". ")[0].split()) in " ".join(said.split())
    bare = re.sub(r"<style>.*?</style>", "", report.to_html())
    bare = re.sub(r' (class|style)="[^"]*"', "", bare)
    # Some pages drop the drawing and keep its words: they are not run together.
    left = text_of(ET.fromstring(re.sub(r"</?(svg|text|line|circle|polygon)[^>]*>", "", bare)))
    for drawing in page.iter("svg"):
        assert drawing.get("role") == "img" and drawing.get("aria-label")
        assert " ".join(text_of(label) for label in drawing.iter("text")) in left
    for cell in (cell for grid in of_class(page, "skstat-grid") for cell in grid.iter("td")):
        assert cell.get("align") == "right" or not NUMBER.fullmatch(text_of(cell))
    for frame in of_class(page, "skstat-frame"):  # wide tables scroll, by keys too
        assert frame.get("tabindex") == "0" and frame.get("aria-label")
        assert "overflow-x:auto" in frame.get("style")


def test_the_rest_is_unfolded_on_request_and_when_printed():
    report = several([0, 0.01, 0.05])
    page = tree(report)
    first = without_folds(page)
    assert report.conclusion.split(".")[0] in first and "Ranking by" in first
    assert "In pairs" in first and "Intervals are" not in first
    assert "Null, in pairs" not in first and "Null, in pairs" in text_of(page)
    printed = text_of(page.find("style")).split("@media print")[1]
    assert "details:not(.skstat-long)::details-content{content-visibility:visible" in printed
    assert not of_class(page, "skstat-long")
    (long,) = of_class(tree(several([0.01 * i for i in range(16)])), "skstat-long")
    assert "In pairs" in text_of(long.find("summary"))  # 120 of them
    text = report.to_markdown()
    fold = r"<details>\n<summary>[^\n]+</summary>\n\n(.*?)\n\n</details>"
    folds = re.findall(fold, text, re.S)
    assert len(folds) == text.count("<details>") == text.count("</details>") >= 2
    assert any(fold.startswith("| first | second |") for fold in folds)


def ticks_of(drawing):
    """Return place and value of every tick."""
    found = {}
    for label in drawing.iter("text"):
        text = text_of(label).replace("\N{MINUS SIGN}", "-")
        is_tick = label.get("text-anchor") == "middle" and not label.get("font-weight")
        if is_tick and re.fullmatch(r"-?\d+(\.\d+)?", text):
            found[float(label.get("x"))] = float(text)
    return found


@given(
    difference=st.floats(-0.2, 0.2),
    noise=st.floats(0.001, 0.08),
    margin=st.none() | st.floats(0.001, 0.3),
    alternative=st.sampled_from(["two-sided", "greater", "less"]),
)
def test_the_interval_stands_where_the_axis_says(difference, noise, margin, alternative):
    report = paired(difference, noise, level=0.5, margin=margin, alternative=alternative)
    drawing = next(tree(report).iter("svg"))
    width = float(drawing.get("viewBox").split()[2])
    places, values = zip(*sorted(ticks_of(drawing).items()), strict=True)
    assert len(places) >= 2 and 0.0 in values
    step = values[1] - values[0]
    steps = [after - before for before, after in pairwise(values)]
    assert steps == pytest.approx([step] * len(steps))
    scale = step / (places[1] - places[0])  # of a pixel
    line = np.polyfit(places, values, 1)
    circle = next(drawing.iter("circle"))
    at = np.polyval(line, float(circle.get("cx")))
    assert at == pytest.approx(report.estimate, abs=scale)
    (bar,) = [e for e in drawing.iter("line") if e.get("stroke-width") == "3"]
    ends = zip(("x1", "x2"), report.confidence_interval(), (0.0, width), strict=True)
    for end, limit, edge in ends:
        x = float(bar.get(end))
        tips = {float(e.get("x2")) for e in drawing.iter("line") if float(e.get("x1")) == x}
        if np.isinf(limit):
            assert x == edge and {5.0, width - 5.0} & tips  # an arrow
        else:
            assert np.polyval(line, x) == pytest.approx(limit, abs=scale)
    for one in drawing.iter("line"):  # nothing is cut off
        assert all(0 <= float(one.get(end)) <= width for end in ("x1", "x2"))
    for label in drawing.iter("text"):
        size = 0.55 * float(label.get("font-size")) * len(text_of(label))
        anchor = label.get("text-anchor")
        left = float(label.get("x")) - {"middle": size / 2, "end": size}.get(anchor, 0)
        assert left >= -2 and left + size <= width + 2
    assert len(list(drawing.iter("polygon"))) == (margin is not None)
