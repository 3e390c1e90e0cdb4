"""Reports on tables of data sets: what is said, tabled and drawn of ranks and pairs."""

import json
import re

import numpy as np
import pytest

import skstat
from skstat.stats import ScoreTable
from tests.contract import check_report
from tests.report.built import columns, over_datasets


def of(names="PQR", n=12, *, gap=0.02, seed=0, **options):
    return over_datasets(columns(n, names, gap=gap, seed=seed), **options)


def by_ranks(*columns_of_ranks, **options):
    scores = -np.array(columns_of_ranks, dtype=float)
    return over_datasets(dict(zip("ABCDEFG", scores, strict=False)), **options)


def one_line(text):
    return " ".join(text.split())


@pytest.mark.parametrize(
    "places, lead",
    [
        ([[1] * 9 + [2], [2] * 9 + [1]], "A has the best mean rank (1.10). B is ruled out"),
        ([[1, 2] * 5 + [1], [2, 1] * 5 + [2], [3] * 11], "A has the best mean rank (1.45). B"),
        ([[1, 2] * 5, [2, 1] * 5, [3] * 10], "A and B share the best mean rank (1.50). C is"),
        ([[1, 2, 3] * 4, [2, 3, 1] * 4, [3, 1, 2] * 4], "All systems have the same mean rank"),
    ],
)
def test_a_first_place_is_shared_only_by_equal_ranks(places, lead):
    assert by_ranks(*places, test="nemenyi").conclusion.split(") (")[0].startswith(lead)


@pytest.mark.parametrize("gap, seed, pairs", [(0.007, 16, False), (0.003, 71, True)])
def test_that_pairs_and_all_at_once_disagree_is_said_once(gap, seed, pairs):
    """Where all pairs were asked, in both directions."""
    pytest.importorskip("pandas")
    said = "That is another question: whether any systems differ"
    asked = {"gap": gap, "seed": seed, "names": "PQRS"}
    report = of(**asked)
    assert (report.pvalue < 0.05) != pairs
    assert any(row is not None for row in report.to_frame()["better"]) == pairs
    assert report.conclusion.count(said) == 1
    assert said not in of(names="PQRS", n=30, gap=0.05).conclusion
    for options in ({"control": "Q"}, {"alternative": "less"}):
        assert said not in of(**asked, **options).conclusion


@pytest.mark.parametrize(
    "options, said",
    [
        ({"alternative": "greater"}, "not shown that any of P, R and S scores higher"),
        ({"alternative": "less"}, "not shown that P scores lower"),
        ({"alternative": "less", "scoring": "neg_log_loss"}, "P has a higher error"),
    ],
)
def test_one_sided_questions_are_answered_in_their_direction(options, said):
    report = of("PQRS", control="Q", **options)
    assert said in report.conclusion
    # The interval is open on the side that was not asked.
    upward = (options["alternative"] == "greater") != ("scoring" in options)
    ends = np.isinf(report["P", "Q"].confidence_interval())
    assert ends.tolist() == [not upward, upward]


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_pairs_are_not_joined(alternative):
    """Who is A depends on the order of the columns, and so would every bar."""
    report = of("PQRS", alternative=alternative)
    check_report(report)
    assert "share a letter" not in report.details and bars_of(report) == []
    assert "nderline" not in report.to_latex()
    control = of("PQRS", alternative=alternative, control="Q")
    assert r"\underline" in control.to_latex()


def untested(**options):
    """A and B differ by the same on every data set; C is like A."""
    base = np.random.default_rng(0).uniform(0.6, 0.9, 12)
    noise = np.random.default_rng(1).normal(0, 0.05, 12)
    scores = {"A": base, "B": base - 1, "C": base + noise}
    return over_datasets(scores, test="paired_t", **options)


def test_pairs_without_a_test_are_not_called_alike():
    report = untested()
    check_report(report)
    assert "There is no p-value of A and B: the data sets show no" in report.conclusion
    text = one_line(report.details)
    assert "no significant difference was found. Some pairs could not be tested." in text
    assert "No p-value: without variance no test is possible." in text
    assert "+1.00 none exists no p-value no p-value no test" in text
    assert "none exists & no p-value" in report.to_latex("pairs")
    assert report.to_latex().count("underline") == 1  # that of C
    assert "There is no p-value of A and B: " in untested(control="B").conclusion
    tested = of(test="paired_t").details
    assert "No p-value" not in tested and "could not be" not in tested


def bars_of(report):
    """Where the bars of the drawing begin and end."""
    bars = re.findall('<line [^>]*stroke-linecap="round"[^>]*>', report.to_html())
    return [
        tuple(float(*re.findall(rf' {end}="([\d.]+)"', bar)) for end in ("x1", "y1", "y2"))
        for bar in bars
    ]


def test_the_drawing_has_a_bar_for_every_group():
    report = by_ranks([1] * 4, [2, 2.5, 2, 2], [3, 2.5, 3, 3], test="nemenyi")
    assert report.groups == [("A", "B"), ("B", "C")]
    (x, top, bottom), (other, later, end) = bars_of(report)
    assert x != other and top < later < bottom < end
    report = of(n=30, gap=0.1, test="sign")
    assert bars_of(report) == [] and "or a bar" not in report.to_html()
    assert "<svg" not in of([f"s{i}" for i in range(61)], n=8).to_html()


def rows_of_latex(report):
    return [line for line in report.to_latex().splitlines() if line.endswith(r"\\")]


class TestLatex:
    def test_scores_with_the_best_in_bold(self):
        scores = [[0.9, 0.8, 0.7], [0.8, 0.9, 0.7]] + [[0.9, 0.9, 0.7]] * 4
        units = ["iris & co", *"23456"]
        table = ScoreTable(scores, systems=["a_b", "c", "d"], datasets=units)
        header, first, _, third, *_, ranks = rows_of_latex(
            skstat.compare_scores(table, test="nemenyi")
        )
        assert header == r" & a\_b & c & d \\"
        assert first == r"iris \& co & \textbf{0.900} & 0.800 & 0.700 \\"
        assert third == r"3 & \textbf{0.900} & \textbf{0.900} & 0.700 \\"
        assert ranks == r"mean rank & \textbf{1.50} & \underline{\textbf{1.50}} & 3.00 \\"

    def test_errors_are_printed_as_given_and_a_gap_is_a_dash(self):
        errors = dict(zip("PQR", np.full((6, 3), [0.1, 0.2, 0.3]).T, strict=True))
        errors["Q"] = np.r_[np.nan, errors["Q"][1:]]
        report = over_datasets(errors, scoring="mean_absolute_error", test="skillings_mack")
        assert rows_of_latex(report)[1:3] == [
            r"1 & \textbf{0.100} & -- & 0.300 \\",
            r"2 & \textbf{0.100} & 0.200 & 0.300 \\",
        ]

    @pytest.mark.parametrize("post_hoc", ["nemenyi", "conover"])
    def test_pairs_say_which_way_ranks_differ(self, post_hoc):
        ranked, scored = of(test=post_hoc), of()
        which = "Difference: rank of second $-$ rank of first."
        assert which in ranked.to_latex("pairs")
        assert "Pseudo-median differences of single" in scored.to_latex("pairs")
        assert which not in scored.to_latex("pairs")


class TestPlots:
    @pytest.fixture(autouse=True)
    def _matplotlib(self, close_figures):
        pytest.importorskip("matplotlib")

    def test_ranks_are_not_drawn_as_scores(self):
        axis = one_line(of(test="conover").plot(kind="intervals").ax_.get_xlabel())
        assert axis.startswith("difference in mean rank (second \N{MINUS SIGN} first), ")
        axis = of(test="sign").plot(kind="intervals").ax_.get_xlabel()
        assert axis.startswith("median difference in score")

    def test_the_caption_says_what_the_diagram_cannot(self):
        for report, caption in (
            (of(control="Q", alternative="greater"), "one-sided: better than"),
            (of(control="Q", alternative="less"), "one-sided: worse than"),
            (of(alternative="less"), "one-sided, therefore without bars"),
            (untested(), "no test is possible: A and B"),
        ):
            assert caption in one_line(report.plot().ax_.texts[-1].get_text())

    def test_kinds_and_options_are_named(self):
        report = of()
        assert report.plot(best="left").best == "left"
        with pytest.raises(ValueError, match="'cd', 'intervals', 'pvalues', 'wins', 'scores'"):
            report.plot(kind="bars")
        with pytest.raises(TypeError, match="no option 'groups'; it has best, colors"):
            report.plot(groups=[])


def test_perfect_agreement_has_an_infinite_f():
    report = by_ranks([1] * 8, [2] * 8, [3] * 8)
    again = skstat.report_from_dict(json.loads(report.to_json()))
    assert again.statistic == np.inf and "F = \N{INFINITY}" in again.conclusion
