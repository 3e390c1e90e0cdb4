"""What the HTML and the Markdown of a report show first, what they unfold, and how it looks."""

import html
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import skstat
from skstat import compare_scores
from skstat.report._blocks import Cells, Facts, Fold, Heading, Link, Says
from skstat.report._forms.html import render_html
from skstat.report._forms.markdown import render_markdown
from skstat.report._forms.style import STYLE
from skstat.stats import PairedScores, ScoreTable
from skstat.testing import HOSTILE

TONES = ("better", "worse", "equivalent", "undecided", "invalid")


def paired(difference, noise=0.004, n=30, level=0.8, **options):
    """Compare new with old, of which new is better by so much."""
    rng = np.random.default_rng(0)
    old = rng.normal(level, 0.02, n)
    sample = PairedScores(
        old + difference + rng.normal(0, noise, n), old, n_train=900, n_test=100
    )
    return compare_scores(sample, names=("new", "old"), scoring="accuracy", **options)


def several(steps, unit="split", **options):
    """Compare systems, each below the first by so much."""
    rng = np.random.default_rng(1)
    base = rng.normal(0.8, 0.02, 30)
    columns = [base - step + rng.normal(0, 0.004, 30) for step in steps]
    sizes = {"n_train": 900, "n_test": 100} if unit == "split" else {}
    names = [f"s{place}" for place in range(len(steps))]
    table = ScoreTable(np.column_stack(columns), systems=names, unit=unit, **sizes)
    return compare_scores(table, scoring="accuracy", random_state=0, **options)


NAIVE = {"new": [0.8, 0.9, 0.7, 0.8], "old": [0.7, 0.8, 0.7, 0.6]}


def naive():
    """Compare splits as if they were independent."""
    return compare_scores(NAIVE, unit="split", test="paired_t")


def tree(fragment):
    """Parse a fragment, which is XML too."""
    return ET.fromstring(fragment)


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
    (header,) = of_class(tree(report.to_html()), "skstat-header")
    (badge,) = of_class(header, "skstat-badge")
    assert text_of(badge) == word
    for element in (header, badge):
        assert [t for t in TONES if f"skstat-{t}" in element.get("class")] == [tone]
    assert report.verdict in word
    (conclusion,) = of_class(header, "skstat-conclusion")
    assert text_of(conclusion) == report.conclusion
    assert text_of(header).startswith("new against old, accuracy")
    lines = [e for e in tree(report.to_html()).iter("line") if e.get("class")]
    assert {line.get("class") for line in lines} == {f"skstat-{tone}"}


def test_the_header_of_several_counts_verdicts():
    one = several([0, 0.05, 0.06])
    (badge,) = of_class(tree(one.to_html()), "skstat-badges")
    assert text_of(badge) == "only s0 may be best" and one.may_be_best == ("s0",)
    some = several([0, 0, 0.06])
    (badge,) = of_class(tree(some.to_html()), "skstat-badges")
    assert text_of(badge) == "2 of 3 may be best" and len(some.may_be_best) == 2


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("unit", ["split", "dataset"])
def test_verdicts_against_a_control_are_about_the_others(unit, alternative):
    report = several([0, 0.05, 0.05, 0.1], unit, control="s1", alternative=alternative)
    fragment = tree(report.to_html())
    (badges,) = of_class(fragment, "skstat-badges")
    expected = {
        "two-sided": "1 better 1 worse 1 undecided",
        "greater": "1 better 2 undecided",
    }
    found = text_of(badges)
    ahead = report["s0"].names[0] == "s0"
    if alternative == "two-sided" or ahead:
        assert found == expected[alternative]
    else:  # the control is the candidate
        assert found == "1 worse 2 undecided"
    cells = [e.get("class").split()[1] for e in of_class(fragment, "skstat-verdict")]
    words = [tone.removeprefix("skstat-") for tone in cells]
    assert sorted(words) == sorted(
        word for bit in re.findall(r"(\d) (\w+)", found) for word in [bit[1]] * int(bit[0])
    )


def test_an_invalid_p_is_said_in_the_header_and_right_below_it():
    report = naive()
    assert {d.weight for d in report.doubts} >= {"invalid"}
    fragment = tree(report.to_html())
    (header,) = of_class(fragment, "skstat-header")
    assert {"skstat-moot", "skstat-invalid"} <= set(header.get("class").split())
    assert [text_of(e) for e in of_class(header, "skstat-badge")][-1] == "not valid"
    order = [e.get("class", e.tag) for e in fragment]
    assert order.index("skstat-list") == 1 + order.index(header.get("class"))
    sound = tree(paired(0.05).to_html())
    assert not of_class(sound, "skstat-moot") and "not valid" not in text_of(sound)
    assert "> [!CAUTION]\n> **Invalid:** " in report.to_markdown()
    assert "CAUTION" not in paired(0.05).to_markdown()


def test_doubts_say_their_weight_in_a_word_and_what_to_do_and_unfold_the_advice():
    few = compare_scores({"new": [0.8, 0.9, 0.7], "old": [0.7, 0.8, 0.6]}, unit="seed")
    report = skstat.ReportGrid(by="metric", reports={"x": naive(), "y": few})
    fragment = tree(report.to_html())
    items = of_class(fragment, "skstat-doubt")
    shown = without_folds(fragment)
    told = {doubt.code: doubt for doubt in reversed(report.doubts)}  # of several the first
    assert len(items) == len(told) == 2 and "y" in text_of(items[1])
    for doubt in told.values():
        (item,) = [e for e in items if doubt.text in text_of(e)]
        assert f"skstat-{doubt.weight}" in item.get("class")
        assert text_of(of_class(item, "skstat-badge")[0]) == doubt.weight
        first = without_folds(item)
        assert doubt.action in first and doubt.code in first and doubt.advice not in first
        assert " ".join(doubt.advice.split()) in text_of(item)
        assert (doubt.text in shown) == (doubt.weight != "note")
    found = [text_of(of_class(e, "skstat-badge")[0]) for e in items]
    assert found == sorted(found, key=("invalid", "weak", "note").index)


REPORTS = [
    paired(0.05, margin=0.02),
    naive(),
    several([0, 0.01, 0.05], margin=0.02),
    several([0, 0.01, 0.05], "dataset", control="s2"),
    skstat.ReportGrid(by="metric", reports={"a": paired(0.01), "b": several([0, 0.01])}),
]


def words_of(blocks):
    """Walk all texts of blocks."""
    for block in blocks:
        match block:
            case Says():
                yield from (*block.sentences, *block.follows)
            case Heading():
                yield block.text
            case Facts():
                yield from (cell for row in block.rows for cell in row)
            case Cells():
                yield from (block.title, *block.header, block.note)
                yield from (cell for row in block.rows for cell in row)
            case Fold():
                yield block.title
                yield from words_of(block.blocks)
            case Link():
                yield from block


@pytest.mark.parametrize("report", REPORTS)
def test_no_form_leaves_anything_out(report):
    words = list(words_of(report._document(True)))
    assert report.conclusion.split(". ")[0] in words[0]
    page = text_of(tree(report.to_html()))
    markdown = " ".join(html.unescape(re.sub(r"\\(.)", r"\1", report.to_markdown())).split())
    for text in (" ".join(word.split()) for word in words):
        assert text in page and text in markdown


@pytest.mark.parametrize("report", REPORTS)
def test_a_page_without_style_and_drawings_reads_well(report):
    fragment = report.to_html()
    bare = re.sub(r"<style>.*?</style>", "", fragment)
    bare = re.sub(r' (class|style)="[^"]*"', "", bare)
    # Some pages drop the drawing and keep its words: they are not run together.
    left = text_of(tree(re.sub(r"</?(svg|text|line|circle|polygon)[^>]*>", "", bare)))
    for drawing in tree(fragment).iter("svg"):
        assert " ".join(text_of(label) for label in drawing.iter("text")) in left
    numbers = re.findall(r"<td([^>]*)>[+\N{MINUS SIGN}]?\d[\d.]*</td>", bare)
    assert numbers or not of_class(tree(fragment), "skstat-number")
    assert {look.strip() for look in numbers} <= {'align="right"'}


def test_the_style_sheet_is_of_its_own_classes_and_fetches_nothing():
    sheet = STYLE.removeprefix("<style>").removesuffix("</style>")
    sheet = re.sub(r"@(media|supports)\s*\([^{]*\{|@media print\{", "", sheet)
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", sheet)
    assert len(selectors) > 40
    for selector in selectors:
        for part in re.split(r",(?![^(]*\))", selector):
            assert ".skstat-report.skstat-report" in part, part
    assert not re.search(r"url\(|@import|@font-face|<|&|\n", sheet)
    # One for every report of a notebook.
    assert len(STYLE) < 10_000
    for theme in ('data-jp-theme-light="false"', ".vscode-dark", 'data-theme="dark"'):
        assert theme in STYLE


def test_the_rest_is_unfolded_on_request_and_when_printed():
    report = several([0, 0.01, 0.05])
    fragment = tree(report.to_html())
    first = without_folds(fragment)
    assert report.conclusion.split(".")[0] in first and "Ranking by" in first
    assert "In pairs" in first and "Intervals hold for all pairs" not in first
    assert "Null, in pairs" not in first and "Null, in pairs" in text_of(fragment)
    unfolded = "details:not(.skstat-long)::details-content{content-visibility:visible"
    assert unfolded in STYLE.split("@media print")[1] and not of_class(fragment, "skstat-long")
    (long,) = of_class(tree(several([0.01 * i for i in range(16)]).to_html()), "skstat-long")
    assert "In pairs" in text_of(long.find("summary"))  # 120 of them


@pytest.mark.parametrize("n", [2, 12])
def test_many_sections_are_folded_and_show_their_verdicts(n):
    parts = {f"seed {place}": paired(0.05) for place in range(1, n + 1)}
    report = skstat.ReportGrid(by="seed", systems=("new", "old"), reports=parts)
    fragment = tree(report.to_html())
    sections = of_class(fragment, "skstat-part")
    assert len(sections) == n
    assert all((part.get("open") is not None) == (n == 2) for part in sections)
    shown = without_folds(fragment)
    assert shown.count("new is better") == n
    for number, part in enumerate(sections, start=1):
        assert text_of(part.find("summary")).startswith(f"seed {number}: new against old")
    (header,) = of_class(fragment, "skstat-header")
    (said,) = map(text_of, of_class(header, "skstat-conclusion"))
    assert report.conclusion == said


def test_names_are_inert_in_headers_badges_and_folds():
    rng = np.random.default_rng(0)
    names = [HOSTILE, "</style><b>x", "</summary>|a"]
    table = ScoreTable(
        rng.normal([3, 0, 0], size=(30, 3)),
        systems=names,
        unit="split",
        n_train=20,
        n_test=10,
    )
    for control in (None, names[1]):
        report = compare_scores(table, control=control, scoring="<i>m</i>", random_state=0)
        tags = {element.tag for element in tree(report.to_html()).iter()}
        assert not tags & {"script", "b", "i", "img"}
        assert not re.search(
            r"<(?!/?(details|summary)>)", report.to_markdown().replace("\\<", "")
        )


def test_nineteen_columns_scroll_in_their_frame():
    header = ["", *(f"data set {place}" for place in range(18))]
    rows = [[f"s{row}", *["0.123"] * 18] for row in range(3)]
    blocks = [Cells("Scores", header, rows, note="All of them.")]
    fragment = tree(render_html(blocks))
    (frame,) = of_class(fragment, "skstat-frame")
    assert frame.get("tabindex") == "0" and frame.get("aria-label") == "Scores"
    assert "overflow-x:auto" in frame.get("style")
    assert len(frame.findall(".//th")) == 19 and "0.123" in render_markdown(blocks)


def test_folds_of_markdown_have_the_blank_lines_that_tables_need():
    text = several([0, 0.01, 0.05]).to_markdown()
    folds = re.findall(
        r"<details>\n<summary>[^\n]+</summary>\n\n(.*?)\n\n</details>", text, re.S
    )
    assert len(folds) == text.count("<details>") == text.count("</details>") >= 2
    assert any(fold.startswith("| first | second |") for fold in folds)
    assert text.index("Ranking by accuracy") < text.index("<details>")


def drawing_of(report):
    return next(tree(report.to_html()).iter("svg"))


def ticks_of(drawing):
    """Return place and value of every tick."""
    found = {}
    for label in drawing.iter("text"):
        text = text_of(label).replace("\N{MINUS SIGN}", "-")
        if label.get("text-anchor") == "middle" and re.fullmatch(r"-?\d+(\.\d+)?", text):
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
    drawing = drawing_of(report)
    width = float(drawing.get("viewBox").split()[2])
    places, values = zip(*sorted(ticks_of(drawing).items()), strict=True)
    assert len(places) >= 2 and 0.0 in values
    circle = next(drawing.iter("circle"))
    estimate = np.polyval(np.polyfit(places, values, 1), float(circle.get("cx")))
    scale = (values[-1] - values[0]) / (places[-1] - places[0])
    assert estimate == pytest.approx(report.estimate, abs=scale)  # a pixel
    (bar,) = [e for e in drawing.iter("line") if e.get("stroke-width") == "3"]
    low, high = report.confidence_interval()
    for end, limit, edge in (("x1", low, 0.0), ("x2", high, width)):
        x = float(bar.get(end))
        tips = {float(e.get("x2")) for e in drawing.iter("line") if float(e.get("x1")) == x}
        if np.isinf(limit):
            assert x == edge and {5.0, width - 5.0} & tips  # an arrow
        else:
            assert np.polyval(np.polyfit(places, values, 1), x) == pytest.approx(
                limit, abs=scale
            )
    for label in drawing.iter("text"):  # nothing is cut off
        size, x = (
            0.55 * float(label.get("font-size")) * len(text_of(label)),
            float(label.get("x")),
        )
        left = x - {"middle": size / 2, "end": size}.get(label.get("text-anchor"), 0)
        assert left >= -2 and left + size <= width + 2
    assert len(list(drawing.iter("polygon"))) == (margin is not None)


def test_who_is_better_is_said_at_the_ends_of_the_axis():
    words = text_of(drawing_of(paired(0.05)))
    assert words.startswith("\N{LEFTWARDS ARROW} old better")
    assert "new better \N{RIGHTWARDS ARROW}" in words and " A " not in words
    loss = compare_scores(
        PairedScores([-0.1, -0.2, -0.3], [-0.5, -0.4, -0.6], n_train=9, n_test=3),
        names=("new", "old"),
        scoring="neg_log_loss",
    )
    assert text_of(drawing_of(loss)).startswith("\N{LEFTWARDS ARROW} new better")


@pytest.mark.parametrize("is_loss", [False, True])
def test_several_are_drawn_on_an_axis_too(is_loss):
    rng = np.random.default_rng(3)
    base = rng.normal(0.5, 0.02, 30)
    sign = -1 if is_loss else 1
    columns = [sign * (base + step + rng.normal(0, 0.004, 30)) for step in (0, 0.02, 0.05)]
    table = ScoreTable(np.column_stack(columns), systems="PQR", unit="seed")
    scoring = "neg_log_loss" if is_loss else "accuracy"
    for control in (None, "Q"):
        report = compare_scores(table, scoring=scoring, control=control, random_state=0)
        drawing = drawing_of(report)
        assert len(ticks_of(drawing)) >= 2 and 0.0 in ticks_of(drawing).values()
        arrow = "\N{LEFTWARDS ARROW}" if is_loss else "\N{RIGHTWARDS ARROW}"
        assert arrow in text_of(drawing) and "better" in text_of(drawing)
        if control is not None:
            assert "Q" in text_of(drawing).split(" ", 2)[1]
