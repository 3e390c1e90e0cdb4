"""What the forms of a report on a table say."""

import json
import re
import sys
from dataclasses import replace
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest

import skstat
from skstat import ReportGrid, compare_scores, stats
from skstat._names import shown_name
from skstat.report._words import df_text, join_items
from skstat.stats import ScoreTable
from skstat.testing import HOSTILE
from tests.contract import check_report
from tests.cases import in_one_test

SKLEARN = [
    "HistGradientBoostingClassifier",
    "RandomForestClassifier",
    "LogisticRegression",
    "QuadraticDiscriminantAnalysis",
]


def table_of(n, names, *, gap=0.02, noise=0.02, seed=0, **options):
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, (n, 1)) - gap * np.arange(len(names))
    scores = level + rng.normal(0, noise, (n, len(names)))
    return ScoreTable(scores, systems=list(names), unit="dataset", **options)


def ranks(*columns, **options):
    scores = -np.array(columns, dtype=float).T
    return ScoreTable(
        scores, systems=list("ABCDEFG")[: scores.shape[1]], unit="dataset", **options
    )


def sentences(*args, **options):
    return compare_scores(*args, **options).to_dict()["sentences"]


def test_the_first_sentence_says_which_to_take():
    first, second = sentences(table_of(30, "PQRS"), scoring="accuracy")
    assert first == (
        "P has the best mean rank (1.33). Q, R and S are ruled out (pseudo-median differences "
        "between 0.0121 and 0.0561 lower; each adjusted p \N{LESS-THAN OR EQUAL TO} 0.0208)."
    )
    assert second == (
        "Taken together, the 4 systems differ in rank by accuracy over 30 data sets (Friedman "
        "test (Iman-Davenport F distribution): F = 64.75, df = 3 and 87, Kendall's W = 0.6907, "
        "p < 0.001)."
    )


def test_no_difference_is_called_none_found():
    first, second = sentences(table_of(30, "PQRS", gap=0.0))
    assert first == (
        "Q has the best mean rank (2.27), but no significant difference was found: any of the "
        "4 may be the best (pseudo-median differences between 0.00148 and 0.00793 lower; "
        "adjusted p = 0.948 or more)."
    )
    assert second.startswith(
        "No significant difference in rank by score between the 4 systems was found over 30 "
        "data sets (Friedman test"
    )


def test_impossible_rejections_come_first():
    first, second = sentences(table_of(5, "PQR"))
    assert first == (
        "P has the best mean rank (1.00), but no rejection is possible with 5 data sets where "
        "systems are compared in pairs: of 3 comparisons, the smallest adjusted p-value that "
        "the pairwise Wilcoxon signed-rank test (exact) can give is 0.188."
    )
    assert second.startswith("Taken together, the 3 systems differ in rank by score over 5")
    assert second.endswith("p < 0.001).")  # who differs, no pair can say
    against = sentences(table_of(5, "PQR"), control="Q")
    assert "but no rejection is possible with 5 data sets" in against[0]
    assert "no rejection" not in sentences(table_of(8, "PQR"))[0]


def test_perfect_agreement_has_an_infinite_f():
    report = compare_scores(ranks([1] * 8, [2] * 8, [3] * 8))
    assert report.conclusion == (
        "The p-values are not valid: data sets that repeat each other (SKS124). "
        "A has the best mean rank (1.00). B and C are ruled out (pseudo-median differences "
        "1.00 and 2.00 lower; each adjusted p \N{LESS-THAN OR EQUAL TO} 0.0234). Taken "
        "together, the 3 systems differ in rank by score over 8 data sets (Friedman test (all "
        "data sets agree): F = \N{INFINITY}, Kendall's W = 1, p < 0.001)."
    )
    for form in (report.details, report.to_html(), report.to_markdown()):
        assert "\N{INFINITY}" in form and "inf," not in form


def test_all_tied():
    (only,) = sentences(np.full((8, 3), 0.7), unit="dataset")
    assert only == (
        "No difference was found: all 3 systems have the same score on all 8 data sets (each "
        "has the mean rank 2.00; p = 1)."
    )


def test_the_same_mean_ranks():
    first, _ = sentences(ranks([1, 2, 3] * 4, [2, 3, 1] * 4, [3, 1, 2] * 4))
    assert first == (
        "All systems have the same mean rank (2.00), and no significant difference was found: "
        "any of the 3 may be the best (each adjusted p = 1)."
    )
    two = sentences(ranks([1, 2] * 4, [2, 1] * 4), post_hoc="nemenyi")
    assert two[0] == (
        "All systems have the same mean rank (1.50), and no significant difference was found: "
        "either may be the best (adjusted p = 1)."
    )


def test_a_shared_first_place():
    same = table_of(12, "PQ", gap=0.1).scores[:, [0, 0, 1]]
    first, _ = sentences(ScoreTable(same, systems=list("PQR"), unit="dataset"))
    assert first.startswith(
        "P and Q share the best mean rank (1.50). R is ruled out (pseudo-median difference "
        "0.087 lower than P, adjusted 95% interval 0.075 to 0.100; adjusted p = 0.0015)."
    )
    assert "as good" not in first  # that they share the place says it


def test_a_first_place_by_a_hair_is_not_shared():
    first, _ = sentences(ranks([1] * 9 + [2], [2] * 9 + [1]), post_hoc="nemenyi")
    assert first.startswith("A has the best mean rank (1.10). B is ruled out (0.80 worse in ")
    close = ranks([1, 2] * 5 + [1], [2, 1] * 5 + [2], [3, 3] * 5 + [3])
    assert sentences(close)[0].startswith(
        "A has the best mean rank (1.45). B is not ruled out (pseudo-median difference 0, "
    )


def test_intervals_say_whether_they_hold_for_all_pairs():
    table = table_of(12, "PQR")
    ranked = compare_scores(table, post_hoc="nemenyi")
    assert "Intervals hold for all pairs at once." in ranked.details
    single = compare_scores(table).details
    assert "Intervals are adjusted like the p-values." in single
    assert "at once." not in single


def test_errors_are_lower_where_they_are_better():
    first, _ = sentences(table_of(30, "PQ", gap=0.05), scoring="neg_log_loss", test="friedman")
    assert first.startswith(
        "P has the best mean rank (1.03). Q is ruled out (pseudo-median difference 0.0486 "
        "higher,"
    )


def test_mean_ranks_are_not_called_scores():
    first, _ = sentences(table_of(30, "PQR"), post_hoc="nemenyi")
    assert re.search(
        r"R is ruled out \(1\.\d\d worse in mean rank, simultaneous 95% interval 0\.\d+ "
        r"to 1\.\d+; adjusted p < 0",
        first,
    )
    aligned, _ = sentences(table_of(30, "PQR"), post_hoc="aligned_ranks")
    assert "worse in mean aligned rank, adjusted 95% interval" in aligned


def test_a_control_is_compared_with_all_others():
    first, second, _ = sentences(table_of(12, "PQRS"), control="Q")
    assert first == (
        "Against the control Q, R and S score lower by the signed ranks of single data sets "
        "(pseudo-median differences 0.0325 and 0.0488; each adjusted p "
        "\N{LESS-THAN OR EQUAL TO} 0.0049); no significant difference was found for P "
        "(pseudo-median difference 0.0088 higher, adjusted 95% interval "
        "\N{MINUS SIGN}0.0078 to 0.0215; adjusted p = 0.266)."
    )
    assert second == "P has the best mean rank (1.33)."
    all_ways = sentences(table_of(12, "PQRS", gap=0.03), control="Q")[0]
    assert re.match(
        r"Against the control Q, P scores higher by .* sets \(pseudo-median difference "
        r"0\.0188, adjusted 95% interval 0\.00\d+ to 0\.0\d+; adjusted p = 0\.0269\); "
        r"R and S score lower by ",
        all_ways,
    )
    none = sentences(table_of(12, "PQRS", gap=0.0, seed=1), control="Q")[0]
    assert none.startswith("Against the control Q, no significant difference was found for ")
    assert sorted(re.findall(r"\b[PRS]\b", none)) == ["P", "R", "S"]
    assert re.search(
        r"\(pseudo-median differences 0\.\d+ higher to .* lower; adjusted p = 0\.\d+ or more\)",
        none,
    )
    one = sentences(table_of(30, "PQ", gap=0.1), control="Q", test="friedman")[0]
    assert one.startswith(
        "Against the control Q, P scores higher by the signed ranks of single data sets "
        "(pseudo-median difference 0.099, 95% interval 0.087 to"
    )


@pytest.mark.parametrize(
    "options, sentence",
    [
        ({"alternative": "greater"}, "it was not shown that any of P, R and S scores higher"),
        ({"alternative": "less"}, "; it was not shown that P scores lower"),
        (
            {"alternative": "less", "scoring": "neg_log_loss"},
            "; it was not shown that P has a higher error",
        ),
    ],
)
def test_one_sided_questions_are_answered_in_their_direction(options, sentence):
    found = sentences(table_of(12, "PQRS"), control="Q", **options)[0]
    claim, evidence = found.rsplit(" (", 1)
    assert claim.endswith(f"{sentence} by the signed ranks of single data sets")
    lower = "lower" if "scoring" in options else "higher"
    assert re.match(
        "pseudo-median differences 0.0088 higher to 0.0488 lower; adjusted p = 0.399 or more"
        if options == {"alternative": "greater"}
        else f"pseudo-median difference 0.0088 {lower}, one-sided adjusted 95% interval at "
        "most 0.0196; "
        "adjusted p = 0.883",
        evidence,
    )


def test_one_sided_pairs_say_which_direction_was_asked():
    lead, none, _ = sentences(table_of(12, "PQRS"), alternative="less")
    assert lead == "P has the best mean rank (1.33)."
    assert none == (
        "Of every pair it was asked whether the first scores lower than the second by the "
        "signed ranks of single data sets; for none was that shown (each adjusted p = 1)."
    )
    _, some, _ = sentences(table_of(12, "PQRS"), alternative="greater")
    assert (
        "the first scores higher than the second by the signed ranks of single data sets; that "
        "was shown for 5 of 6 comparisons: P scores higher than R and S (pseudo-median "
        "differences 0."
    ) in some
    assert "; R scores higher than S (" in some


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_pairs_are_not_joined(alternative):
    # Who is A depends on the order of the columns, and so would every bar.
    report = compare_scores(table_of(12, "PQRS"), alternative=alternative)
    check_report(report)
    assert (report.evidence.letters, report.groups, report.undrawn) == ({}, [], [])
    assert "share a letter" not in report.details and bars_of(report) == []
    assert "nderline" not in report.to_latex()
    control = compare_scores(table_of(12, "PQRS"), alternative=alternative, control="Q")
    assert r"\underline" in control.to_latex()


def untested(post_hoc="paired_t", **options):
    """A and B differ by the same on every data set; C is like A."""
    scores = np.random.default_rng(0).uniform(0.6, 0.9, (12, 1)) + np.zeros(3)
    scores[:, 1] -= 1
    scores[:, 2] += np.random.default_rng(1).normal(0, 0.05, 12)
    table = ScoreTable(scores, systems=list("ABC"), unit="dataset")
    return compare_scores(table, post_hoc=post_hoc, **options)


def test_pairs_without_a_test_are_not_called_alike():
    report = untested()
    assert np.isnan(report["A", "B"].pvalue)
    check_report(report)
    assert (
        "There is no p-value of A and B: the data sets show no variance to test it against. "
        in (report.conclusion)
    )
    assert "A is not ruled out (0.0118 lower, " in report.conclusion
    text = " ".join(report.details.split())
    assert "no significant difference was found. Some pairs could not be tested." in text
    assert "No p-value: without variance no test is possible." in text
    assert "+1.00 none no p-value no p-value no test" in text
    assert "none & undefined" in report.to_latex("pairs")
    assert report.to_latex().count("underline") == 1  # that of C
    tested = compare_scores(table_of(12, "PQR"), post_hoc="paired_t").details
    assert "No p-value" not in tested and "could not be" not in tested


def test_pairs_without_a_test_are_counted_and_named():
    against = untested(control="B").conclusion
    assert "; no test is possible between B and A. C has the best mean rank" in against
    assert "There is no p-value of A and B:" in against
    scores = untested().table.scores[:, [0, 2, 1, 1]] + np.array([2.0, 1, 0, -1])
    report = compare_scores(scores, unit="dataset", post_hoc="paired_t")
    assert (
        "B is ruled out (0.99 lower, adjusted 95% interval 0.96 to 1.01; adjusted p < 0.001). "
        "C and D are ruled out by B (2.01 and 3.01 lower; each adjusted p < 0.001), not by A. "
        "There is no p-value of A and C; A and D; C and D: the data sets show no variance to "
        "test it against."
    ) in report.conclusion


def test_a_typical_difference_of_zero_is_no_size():
    rng = np.random.default_rng(0)
    scores = np.zeros((30, 3)) + rng.uniform(0, 0.001, (30, 1))
    scores[:12, 0] += rng.uniform(0.1, 0.2, 12)
    scores[:, 2] -= rng.uniform(0.1, 0.2, 30)
    first = sentences(scores, unit="dataset", post_hoc="sign")[0]
    assert re.match(
        r"A has the best mean rank \(1\.\d\d\)\. B and C are ruled out: they score lower than "
        r"A on more data sets than the reverse \(median differences 0 and 0\.\d+ lower; each "
        r"adjusted p < 0\.001\)",
        first,
    )
    two = sentences(scores[:, :2], unit="dataset", test="friedman", post_hoc="sign")[0]
    assert re.search(
        r"lower than A on more .* \(median difference 0, 95% interval 0\.000 to 0\.\d+; "
        r"adjusted p < ",
        two,
    )


def test_differences_of_errors_have_the_sign_of_errors():
    errors = ScoreTable(
        np.random.default_rng(0).uniform(0.1, 0.3, (12, 3)) + np.array([0, 0.1, 0.2]),
        systems=list("PQR"),
        unit="dataset",
        higher_is_better=False,
    )
    report = compare_scores(errors, scoring="err", alternative="less")
    assert re.search(
        r"It was not shown that P has a higher error than R by the signed ranks of single data "
        r"sets: the pseudo-median difference in the err of single data sets is −0\.\d+ \(below "
        r"0, P is better; adjusted one-sided",
        report["P", "R"].conclusion,
    )


def test_many_systems_are_counted():
    first, _ = sentences(table_of(30, [f"s{i}" for i in range(20)]))
    assert first.startswith("s0 has the best mean rank")
    assert ". 19 others are ruled out (pseudo-median differences between 0." in first
    assert len(first) < 200


def test_data_sets_without_scores_are_told_apart_from_the_others():
    scores = table_of(12, "PQR").scores.copy()
    scores[3] = np.nan
    scores[4, :2] = np.nan
    table = ScoreTable(scores, systems=list("PQR"), unit="dataset")
    report = compare_scores(table, test="skillings_mack")
    assert report.n_units == 10
    assert "over 10 data sets" in " ".join(report.conclusion.split())
    assert "left out, with fewer than two scores: 4, 5" in " ".join(str(report).split())


def test_systems_without_names_are_told_apart():
    assert [shown_name(name) for name in ("", " ", "  ", "P")] == [
        "(no name)",
        "(no name: 1 blank)",
        "(no name: 2 blanks)",
        "P",
    ]


def test_what_was_left_out_is_cut_short():
    scores = table_of(40, "PQR").scores.copy()
    scores[:20, 1] = np.nan
    table = ScoreTable(scores, systems=list("PQR"), unit="dataset")
    report = compare_scores(table, test="friedman", post_hoc="wilcoxon")
    assert report.conclusion.endswith("data set 6 (no score of Q); 14 more.")
    assert len(report.left_out) == 20


@in_one_test("names", [SKLEARN, "PQRS", ["x" * 300, "y" * 300, "z"], [HOSTILE, "", "a b"]])
@in_one_test("post_hoc", ["wilcoxon", "nemenyi"])
def test_lines_are_short_and_columns_aligned(names, post_hoc):
    report = compare_scores(table_of(12, names), scoring="balanced_accuracy", post_hoc=post_hoc)
    _, ranking, pairs, *_ = report.details.split("\n\n")
    longest = max(map(len, names))
    if longest < 88:  # a name is not broken
        assert max(map(len, report.details.splitlines())) <= 88
    _, header, *rows = ranking.splitlines()
    end = header.index("mean rank") + len("mean rank")
    for row in rows[: len(names)]:
        assert re.match(r"\d\.\d\d$", row[end - 4 : end])
    _, *lines = pairs.splitlines()
    assert max(map(len, lines)) <= 88
    apart = longest > 20  # then the names stand above the numbers
    header, *rows = lines[1::2] if apart else lines
    assert header.endswith("adj. p  better" if apart else "adjusted p  better")
    end = header.rindex("better") - 2
    assert all(re.search(r"\.\d+$|1$", row[:end]) for row in rows[: len(report)])


def test_many_pairs_are_cut_in_text_only():
    report = compare_scores(table_of(12, [f"s{i}" for i in range(10)]))
    assert "15 more pairs in to_frame()" in " ".join(report.details.split())
    assert report.to_html().count("<td") > 45 * 7 and "more pairs" not in report.to_html()
    assert report.to_markdown().count("\n| s") == 10 + 45


def test_numbers():
    assert df_text((49, 48951.0)) == "49 and 48951"
    assert df_text((2.011, 22.13)) == "2.011 and 22.13"
    assert df_text(3) == "3"
    assert (
        join_items(["a", "b", "c"], 2) == "a; b; 1 more" and join_items(["a", "b"], 2) == "a; b"
    )


def test_assumptions_are_said_once_and_in_one_word():
    for post_hoc in ("wilcoxon", "sign", "sign_flip", "paired_t", "nemenyi"):
        report = compare_scores(table_of(12, "PQR"), post_hoc=post_hoc)
        assert len(set(report.assumptions)) == len(report.assumptions)
        independent = [text for text in report.assumptions if "independent of each" in text]
        assert independent == ["the data sets are independent of each other"]
        assert "datasets" not in report.details


@pytest.mark.parametrize("names", ["PQRS", [HOSTILE, "</svg>", "", "x" * 300]])
@pytest.mark.parametrize("control", [0, None])
def test_html_is_well_formed_and_names_are_inert(names, control, tmp_path):
    chosen = None if control is None else names[control]
    report = compare_scores(table_of(12, names), scoring=HOSTILE, control=chosen)
    path = tmp_path / "report.html"
    fragment = report.to_html(path)
    tags = [element.tag for element in ElementTree.fromstring(fragment).iter()]
    assert {"script", "img", "iframe"} & set(tags) == set()
    assert tags.count("circle") == 4  # a dot per system
    assert fragment in path.read_text(encoding="utf-8")


def test_marks_in_names_do_not_turn_the_numbers_round():
    report = compare_scores(table_of(12, ["\u202eabc", "\u2067def", "\u05d0\u05d1"]))
    html = report.to_html()
    assert "\u202e" not in html and "\u2067" not in html
    assert ">abc<" in html and ">\u05d0\u05d1<" in html
    assert report.names[0] == "\u202eabc"


def bars_of(report):
    lines = re.findall("<line [^>]*>", report.to_html())
    bars = [line for line in lines if 'stroke-linecap="round"' in line]
    return [
        tuple(float(*re.findall(rf' {end}="([\d.]+)"', bar)) for end in ("x1", "y1", "y2"))
        for bar in bars
    ]


def test_the_drawing_has_a_bar_for_every_group():
    worked = ranks([1] * 4, [2, 2.5, 2, 2], [3, 2.5, 3, 3])
    report = compare_scores(worked, post_hoc="nemenyi")
    assert report.groups == [("A", "B"), ("B", "C")]
    (x, top, bottom), (other, later, end) = bars_of(report)
    assert x != other and top < later < bottom < end
    report = compare_scores(table_of(30, "PQR", gap=0.1), post_hoc="sign")
    assert bars_of(report) == [] and "or a bar" not in report.to_html()


def test_many_systems_are_not_drawn():
    assert "<svg" not in compare_scores(table_of(8, [f"s{i}" for i in range(26)])).to_html()
    tied = compare_scores(np.full((8, 12), 0.7), unit="dataset")
    assert tied.to_html().count("<circle") == 12


class TestLatex:
    def test_scores_with_the_best_in_bold(self):
        table = ScoreTable(
            [[0.9, 0.8, 0.7], [0.8, 0.9, 0.7]] + [[0.9, 0.9, 0.7]] * 4,
            systems=["a_b", "c", "d"],
            datasets=["iris & co", *"23456"],
        )
        latex = compare_scores(table, post_hoc="nemenyi").to_latex()
        rows = [line for line in latex.splitlines() if line.endswith(r"\\")]
        assert rows[0] == r" & a\_b & c & d \\"
        assert rows[1] == r"iris \& co & \textbf{0.900} & 0.800 & 0.700 \\"
        assert rows[3] == r"2 & 0.800 & \textbf{0.900} & 0.700 \\".replace(
            "2 & 0.800", r"3 & \textbf{0.900}"
        )
        assert rows[-1] == r"mean rank & \textbf{1.50} & \underline{\textbf{1.50}} & 3.00 \\"

    def test_errors_are_printed_as_given(self):
        table = ScoreTable([[0.1, 0.2, 0.3]] * 6, unit="dataset", higher_is_better=False)
        assert r"1 & \textbf{0.100} & 0.200 & 0.300 \\" in compare_scores(table).to_latex()

    def test_a_gap_is_a_dash(self):
        scores = table_of(12, "PQR").scores.copy()
        scores[2, 1] = np.nan
        table = ScoreTable(scores, systems=list("PQR"), unit="dataset")
        latex = compare_scores(table, test="skillings_mack").to_latex()
        assert sum(" & -- & " in line for line in latex.splitlines()) == 1

    def test_underlined_are_those_not_told_apart_from_the_control(self):
        latex = compare_scores(table_of(12, "PQRS"), control="Q").to_latex()
        ranks = next(line for line in latex.splitlines() if line.startswith("mean rank"))
        assert ranks == r"mean rank & \underline{\textbf{1.33}} & 1.92 & 3.00 & 3.75 \\"
        assert "Underlined: no significant difference from Q." in latex

    def test_pairs(self):
        report = compare_scores(table_of(12, "PQR"), post_hoc="nemenyi")
        rows = [line for line in report.to_latex("pairs").splitlines() if " & " in line]
        assert len(rows) == 4 and {row.count(" & ") for row in rows} == {4}
        assert "Difference in mean rank" in rows[0]
        with pytest.raises(ValueError, match="'ranks' or 'pairs'"):
            report.to_latex("all")

    @pytest.mark.parametrize("post_hoc", ["nemenyi", "conover"])
    def test_the_header_of_pairs_says_which_way_ranks_differ(self, post_hoc):
        report = compare_scores(table_of(12, "PQR"), post_hoc=post_hoc)
        (header,) = (line for line in report.to_latex("pairs").splitlines() if "First" in line)
        assert " & Difference in mean rank & " in header
        which = "% Difference in mean rank: rank of the second - rank of the first."
        assert which in report.to_latex("pairs")
        scores = compare_scores(table_of(12, "PQR"))
        assert " & Difference & " in scores.to_latex("pairs")
        assert which not in scores.to_latex("pairs")
        both = ReportGrid(by="metric", reports={"a": report, "b": scores}).to_latex()
        assert " & Difference & " in both and " in mean rank & " in both and which in both

    def test_differences_of_errors_say_their_direction(self):
        errors = ScoreTable(-table_of(12, "PQR").scores, unit="dataset", higher_is_better=False)
        latex = compare_scores(errors, scoring="err").to_latex("pairs")
        assert "% Lower err is better: below 0, the first system is better." in latex
        assert "% Ranking by err, lower is better" in latex
        ranked = compare_scores(errors, scoring="err", post_hoc="nemenyi")
        assert "below 0" not in ranked.to_latex("pairs")
        assert "Differences below 0" not in " ".join(ranked.details.split())


class TestPlots:
    @pytest.fixture(autouse=True)
    def _matplotlib(self, close_figures):
        pytest.importorskip("matplotlib")

    @pytest.mark.long(keep=2)
    @pytest.mark.parametrize(
        "post_hoc, what",
        [
            ("conover", "difference in mean rank (second \N{MINUS SIGN} first)"),
            ("quade", "difference in weighted mean rank (second \N{MINUS SIGN} first)"),
            ("exact_mean_ranks", "difference in mean rank (second \N{MINUS SIGN} first)"),
            ("aligned_ranks", "difference in mean aligned rank (second \N{MINUS SIGN} first)"),
            ("wilcoxon", "pseudo-median difference in score"),
            ("sign", "median difference in score"),
            ("paired_t", "difference in score"),
        ],
    )
    def test_intervals_say_what_they_are_of(self, post_hoc, what):
        report = compare_scores(table_of(12, "PQR"), post_hoc=post_hoc)
        axis = report.plot(kind="intervals").ax_.get_xlabel()
        assert " ".join(axis.split()) == f"{what}, 95% interval"

    def test_a_pair_by_ranks_is_not_drawn_on_its_scores(self):
        report = compare_scores(table_of(12, "PQR"), post_hoc="nemenyi")
        axis = report["P", "R"].plot().ax_.get_xlabel()
        assert axis == "difference in mean rank (R \N{MINUS SIGN} P), simultaneous 95% interval"

    def test_errors(self):
        errors = ScoreTable(-table_of(12, "PQR").scores, unit="dataset", higher_is_better=False)
        report = compare_scores(errors, scoring="err")
        axis = report.plot(kind="intervals").ax_.get_xlabel()
        assert axis.startswith("pseudo-median difference in err (lower is better),")
        pair = report["system 1", "system 2"].plot()
        assert pair.ax_.get_xlabel().endswith(
            "(system 1 \N{MINUS SIGN} system 2; lower is better)"
        )
        assert pair.ax_.get_title("left") == "\N{LEFTWARDS ARROW} system 1 better"
        losses = compare_scores(table_of(12, "PQR"), scoring="neg_log_loss")
        assert "in log_loss (" in losses.plot(kind="intervals").ax_.get_xlabel()

    @staticmethod
    def caption(report):
        return " ".join(report.plot().ax_.texts[-1].get_text().split())

    def test_without_a_band_words_say_who_is_like_the_control(self):
        table = table_of(12, "PQRS")
        report = compare_scores(table, control="Q")
        display = report.plot()
        keys = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert set(display.verdicts) == {"P", "R", "S"}
        assert display.verdicts["P"] == "undecided" and "no significant difference" in keys
        assert "significant" not in self.caption(report)
        weights = [text.get_fontweight() for text in report.plot().labels_]
        assert weights == ["normal", "bold", "normal", "normal"]
        banded = compare_scores(table, control="Q", post_hoc="bonferroni_dunn")
        assert self.caption(banded).startswith("shaded: no significant difference from Q B")
        one_sided = compare_scores(table, control="Q", alternative="greater")
        assert "one-sided: better than the control" in self.caption(one_sided)
        other = compare_scores(table, control="Q", alternative="less")
        assert "one-sided: worse than the control" in self.caption(other)

    def test_one_sided_pairs_say_why_they_have_no_bars(self):
        report = compare_scores(table_of(12, "PQRS"), alternative="less")
        assert "one-sided, therefore without bars" in self.caption(report)

    def test_pairs_without_a_test_are_listed_as_such(self):
        text = self.caption(untested())
        assert text.startswith("no test is possible: A and B pairwise")
        against = self.caption(untested(control="B"))
        assert against.startswith("no test is possible: A")


def test_a_pair_is_named_in_either_order():
    report = compare_scores(table_of(12, "PQR"))
    asked, mirrored = report["P", "R"], report["R", "P"]
    assert (asked.names, mirrored.names) == (("P", "R"), ("R", "P"))
    assert (asked.verdict, mirrored.verdict) == ("better", "worse")
    assert mirrored.estimate == -asked.estimate
    low, high = asked.confidence_interval()
    assert mirrored.confidence_interval() == (-high, -low)
    assert mirrored.adjusted_pvalue == asked.adjusted_pvalue
    assert report["P", "R"].adjusted_pvalue == report.evidence.pairwise.adjusted_pvalues[1]
    assert "adjusted by Holm's method for 3 pairs" in report["P", "R"].conclusion
    with pytest.raises(KeyError, match="no comparison"):
        report["P", "X"]


def test_frame():
    pytest.importorskip("pandas")
    frame = compare_scores(table_of(12, "PQR")).to_frame()
    assert frame[["first", "second"]].to_numpy().tolist() == [
        ["P", "Q"],
        ["P", "R"],
        ["Q", "R"],
    ]
    assert {"difference", "low", "high", "pvalue", "adjusted_pvalue", "verdict"} <= set(frame)


def test_restored_reports_answer_again():
    report = compare_scores(table_of(12, "PQR"), post_hoc="nemenyi")
    restored = skstat.report_from_dict(json.loads(report.to_json()))
    assert restored.critical_difference == report.critical_difference
    assert restored.conclusion == report.conclusion
    assert restored.details == report.details and restored.to_latex() == report.to_latex()
    assert restored.evidence.run is None
    perfect = compare_scores(ranks([1] * 8, [2] * 8, [3] * 8))
    again = skstat.report_from_dict(json.loads(perfect.to_json()))
    assert again.statistic == np.inf and again.conclusion == perfect.conclusion


def test_several_metrics():
    parts = {
        "accuracy": compare_scores(table_of(12, "PQR"), scoring="accuracy"),
        "neg_log_loss": compare_scores(
            table_of(12, "PQR", seed=3), scoring="neg_log_loss", post_hoc="nemenyi"
        ),
    }
    report = ReportGrid(by="metric", reports=parts)
    check_report(report)
    text = report.details
    assert "[1] Ranking by accuracy" in text and "[2] Ranking by log_loss" in text
    rows = [line for line in report.to_latex().splitlines() if line.endswith(r"\\")]
    assert len(rows) == 7
    assert sum("in mean rank" in row for row in rows) == 3


def test_kinds_of_plots_are_named(monkeypatch):
    pytest.importorskip("matplotlib")
    report = compare_scores(table_of(12, "PQR"))
    with pytest.raises(ValueError, match="'cd', 'intervals', 'pvalues', 'wins', 'scores'"):
        report.plot(kind="bars")
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"skstat\[matplotlib\]"):
        report.plot()


def broken(**changes):
    """A report whose pairs are told apart, with some of it changed."""
    report = compare_scores(table_of(30, "PQR", gap=0.05), post_hoc="nemenyi")
    return replace(report, pairwise=replace(report.evidence.pairwise, **changes))


@pytest.mark.parametrize(
    "report, message",
    [
        (broken(adjusted_pvalues=np.array([1e-9, 1e-9, 1e-9])), "adjusting makes p smaller"),
        (broken(adjusted_pvalues=np.array([0.9, 0.9, 0.9])), "critical difference contradicts"),
        (broken(control="P", adjustment="bonferroni"), "every pair must hold the control"),
    ],
)
def test_the_contract_sees_what_is_broken(report, message):
    with pytest.raises(AssertionError, match=message):
        check_report(report)


def test_the_contract_sees_wrong_letters_and_groups(monkeypatch):
    report = compare_scores(table_of(30, "PQR", gap=0.05), post_hoc="wilcoxon")
    kind = type(report)
    check_report(report)
    for name, wrong, message in (
        ("letters", {"P": "a", "Q": "a", "R": "b"}, "letters of .* contradict the verdict"),
        ("groups", [("P", "R")], "a group has a gap"),
        ("groups", [("P", "Q")], "groups of .* contradict"),
        ("undrawn", [("P", "Q")], "groups of .* contradict"),
        ("critical_difference", 1.0, "a critical difference is for tests"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(kind, name, wrong)
            with pytest.raises(AssertionError, match=message):
                check_report(replace(report))


def test_a_test_of_your_own_is_shown_like_ours():
    post_hoc = partial(stats.pairwise, test=stats.wilcoxon, adjustment="fdr_bh")
    report = compare_scores(table_of(12, "PQR"), post_hoc=post_hoc)
    check_report(report)
    assert "false discovery rate" in report.details


def test_options_of_plots_are_named():
    pytest.importorskip("matplotlib")
    report = compare_scores(table_of(12, "PQR"))
    assert report.plot(best="left").best == "left"
    with pytest.raises(TypeError, match=r"kind='wins'\) has no option 'families'; it has none"):
        report.plot(kind="wins", families={})
    with pytest.raises(
        TypeError, match="has no option 'groups'; it has best, colors, families"
    ):
        report.plot(groups=[])


def test_errors_are_shown_as_they_were_given():
    errors = ScoreTable(
        [[0.1, 0.2, 0.3], [0.1, 0.3, 0.2], [0.2, 0.3, 0.4]],
        systems="PQR",
        datasets=["d", "e", "f"],
        higher_is_better=False,
    )
    text = compare_scores(errors, scoring="error").details
    assert "Ranking by error, lower is better\n" in text
    assert re.search(r"\nP +1\.00 +0\.133 ", text)
    assert "Differences below 0: lower error, the first is better." in " ".join(text.split())


def test_the_level_of_verdicts_is_said():
    table = table_of(12, "PQR")
    assert "Better: adjusted p below 0.05." in " ".join(compare_scores(table).details.split())
    assert "Better: adjusted p below 0.1." in " ".join(
        compare_scores(table, confidence_level=0.9).details.split()
    )
