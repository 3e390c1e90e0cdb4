"""Reports on tables of data sets: what is said, tabled and drawn of ranks and pairs."""

import json
import re
import sys
from functools import partial
from xml.etree import ElementTree

import numpy as np
import pytest

import skstat
from skstat import ReportGrid, stats
from skstat.stats import ScoreTable
from skstat.testing import HOSTILE
from tests.contract import check_report
from tests.report.built import columns, over_datasets

SKLEARN = [
    "HistGradientBoostingClassifier",
    "RandomForestClassifier",
    "LogisticRegression",
    "QuadraticDiscriminantAnalysis",
]


def of(names="PQR", n=12, *, gap=0.02, seed=0, **options):
    return over_datasets(columns(n, names, gap=gap, seed=seed), **options)


def by_ranks(*columns_of_ranks, **options):
    scores = -np.array(columns_of_ranks, dtype=float)
    return over_datasets(dict(zip("ABCDEFG", scores, strict=False)), **options)


def of_errors(**options):
    errors = {name: -own for name, own in columns(12, "PQR").items()}
    return over_datasets(errors, scoring="err", higher_is_better=False, **options)


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
    assert by_ranks(*places, post_hoc="nemenyi").conclusion.split(") (")[0].startswith(lead)


@pytest.mark.parametrize("gap, seed, pairs", [(0.007, 16, False), (0.003, 71, True)])
def test_that_pairs_and_all_at_once_disagree_is_said_once(gap, seed, pairs):
    """Where all pairs were asked, in both directions."""
    pytest.importorskip("pandas")
    said = "That is another question, whether any systems differ at all"
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
    return over_datasets(scores, post_hoc="paired_t", **options)


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
    assert "no test is possible between B and A." in untested(control="B").conclusion
    tested = of(post_hoc="paired_t").details
    assert "No p-value" not in tested and "could not be" not in tested


def test_numbers_of_data_sets():
    few = columns(12, "PQR")
    few["P"][3] = few["Q"][4] = few["P"][4] = few["R"][3] = np.nan
    report = over_datasets(few, test="skillings_mack")
    assert report.n_units == 10 and "over 10 data sets" in one_line(report.conclusion)
    assert "left out, with fewer than two scores: 4, 5" in one_line(str(report))
    many = columns(40, "PQR")
    many["Q"][:20] = np.nan
    report = over_datasets(many, test="friedman", post_hoc="wilcoxon")
    assert report.conclusion.endswith("data set 6 (no score of Q); 14 more.")
    # Degrees of freedom are whole, however many there are.
    assert "df = 2 and 11998" in of(n=6000, post_hoc="sign").details


@pytest.mark.parametrize("names", [SKLEARN, "PQRS", ["x" * 300, "y" * 300, "z"]])
@pytest.mark.parametrize("post_hoc", ["wilcoxon", "nemenyi"])
def test_lines_are_short_and_columns_aligned(names, post_hoc):
    report = of(names, scoring="balanced_accuracy", post_hoc=post_hoc)
    _, ranking, pairs, *_ = report.details.split("\n\n")
    assert max(map(len, pairs.splitlines())) <= 88
    _, header, *rows = ranking.splitlines()
    end = header.index("mean rank") + len("mean rank")
    assert all(re.match(r"\d\.\d\d$", row[end - 4 : end]) for row in rows[: len(names)])
    apart = max(map(len, names)) > 20  # then the names stand above the numbers
    header, *rows = pairs.splitlines()[1:][1 if apart else 0 :: 1 + apart]
    assert header.endswith("adj. p  better" if apart else "adjusted p  better")
    end = header.rindex("better") - 2
    assert all(re.search(r"\.\d+$|1$", row[:end]) for row in rows[: len(report.pairs)])


@pytest.mark.parametrize("names", ["PQRS", [HOSTILE, "</svg>", "", "x" * 300]])
@pytest.mark.parametrize("control", [0, None])
def test_html_is_well_formed_and_names_are_inert(names, control, tmp_path):
    chosen = None if control is None else names[control]
    report = of(names, scoring=HOSTILE, higher_is_better=True, control=chosen)
    fragment = report.to_html(path := tmp_path / "report.html")
    tags = [element.tag for element in ElementTree.fromstring(fragment).iter()]
    assert {"script", "img", "iframe"} & set(tags) == set()
    assert tags.count("circle") == 4  # a dot per system
    assert fragment in path.read_text(encoding="utf-8")


def bars_of(report):
    """Where the bars of the drawing begin and end."""
    bars = re.findall('<line [^>]*stroke-linecap="round"[^>]*>', report.to_html())
    return [
        tuple(float(*re.findall(rf' {end}="([\d.]+)"', bar)) for end in ("x1", "y1", "y2"))
        for bar in bars
    ]


def test_the_drawing_has_a_bar_for_every_group():
    report = by_ranks([1] * 4, [2, 2.5, 2, 2], [3, 2.5, 3, 3], post_hoc="nemenyi")
    assert report.groups == [("A", "B"), ("B", "C")]
    (x, top, bottom), (other, later, end) = bars_of(report)
    assert x != other and top < later < bottom < end
    report = of(n=30, gap=0.1, post_hoc="sign")
    assert bars_of(report) == [] and "or a bar" not in report.to_html()
    assert "<svg" not in of([f"s{i}" for i in range(26)], n=8).to_html()


class TestLatex:
    def rows(self, report, *table):
        return [line for line in report.to_latex(*table).splitlines() if line.endswith(r"\\")]

    def test_scores_with_the_best_in_bold(self):
        scores = [[0.9, 0.8, 0.7], [0.8, 0.9, 0.7]] + [[0.9, 0.9, 0.7]] * 4
        units = ["iris & co", *"23456"]
        table = ScoreTable(scores, systems=["a_b", "c", "d"], datasets=units)
        header, first, _, third, *_, ranks = self.rows(
            skstat.compare_scores(table, post_hoc="nemenyi")
        )
        assert header == r" & a\_b & c & d \\"
        assert first == r"iris \& co & \textbf{0.900} & 0.800 & 0.700 \\"
        assert third == r"3 & \textbf{0.900} & \textbf{0.900} & 0.700 \\"
        assert ranks == r"mean rank & \textbf{1.50} & \underline{\textbf{1.50}} & 3.00 \\"

    def test_errors_are_printed_as_given_and_a_gap_is_a_dash(self):
        errors = dict(zip("PQR", np.full((6, 3), [0.1, 0.2, 0.3]).T, strict=True))
        errors["Q"] = np.r_[np.nan, errors["Q"][1:]]
        report = over_datasets(errors, scoring="mean_absolute_error", test="skillings_mack")
        assert self.rows(report)[1:3] == [
            r"1 & \textbf{0.100} & -- & 0.300 \\",
            r"2 & \textbf{0.100} & 0.200 & 0.300 \\",
        ]

    def test_underlined_are_those_not_told_apart_from_the_control(self):
        report = of("PQRS", control="Q")
        ranks = self.rows(report)[-1]
        assert ranks == r"mean rank & \underline{\textbf{1.33}} & 1.92 & 3.00 & 3.75 \\"

    @pytest.mark.parametrize("post_hoc", ["nemenyi", "conover"])
    def test_pairs_say_which_way_ranks_differ(self, post_hoc):
        ranked, scored = of(post_hoc=post_hoc), of()
        which = "Difference: rank of second $-$ rank of first."
        assert which in ranked.to_latex("pairs")
        assert "Pseudo-median differences of single" in scored.to_latex("pairs")
        assert which not in scored.to_latex("pairs")
        both = ReportGrid(by="metric", reports={"a": ranked, "b": scored})
        header, *rows = self.rows(both)
        assert header.startswith("metric & first & second & ") and len(rows) == 6
        assert f"a: {which}" in both.to_latex()
        with pytest.raises(ValueError, match="'scores'.* or 'pairs'"):
            ranked.to_latex("all")

    def test_differences_of_errors_say_their_direction(self):
        report = of_errors()
        assert "Differences below 0: lower err, first" in report.to_latex("pairs")
        assert "Differences below 0: lower err, first" in one_line(report.details)
        ranked = of_errors(post_hoc="nemenyi")
        assert "below 0, " not in ranked.to_latex("pairs") + ranked.details


class TestPlots:
    @pytest.fixture(autouse=True)
    def _matplotlib(self, close_figures):
        pytest.importorskip("matplotlib")

    def test_ranks_are_not_drawn_as_scores(self):
        axis = one_line(of(post_hoc="conover").plot(kind="intervals").ax_.get_xlabel())
        assert axis.startswith("difference in mean rank (second \N{MINUS SIGN} first), ")
        axis = of(post_hoc="nemenyi")["P", "R"].plot().ax_.get_xlabel()
        assert axis.startswith("difference in mean rank (R \N{MINUS SIGN} P), simultaneous")
        axis = of(post_hoc="sign").plot(kind="intervals").ax_.get_xlabel()
        assert axis.startswith("median difference in score")

    @pytest.mark.parametrize(
        "report, caption",
        [
            (partial(of, control="Q", alternative="greater"), "one-sided: better than"),
            (partial(of, control="Q", alternative="less"), "one-sided: worse than"),
            (partial(of, alternative="less"), "one-sided, therefore without bars"),
            (untested, "no test is possible: A and B"),
        ],
    )
    def test_the_caption_says_what_the_diagram_cannot(self, report, caption):
        texts = [text.get_text() for text in report().plot().ax_.texts]
        assert caption in one_line(texts[-1])

    def test_kinds_and_options_are_named(self, monkeypatch):
        report = of()
        assert report.plot(best="left").best == "left"
        with pytest.raises(ValueError, match="'cd', 'intervals', 'pvalues', 'wins', 'scores'"):
            report.plot(kind="bars")
        with pytest.raises(TypeError, match="no option 'groups'; it has best, colors"):
            report.plot(groups=[])
        monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
        with pytest.raises(ImportError, match=r"skstat\[matplotlib\]"):
            report.plot()


def test_perfect_agreement_has_an_infinite_f():
    report = by_ranks([1] * 8, [2] * 8, [3] * 8)
    again = skstat.report_from_dict(json.loads(report.to_json()))
    assert again.statistic == np.inf and "F = \N{INFINITY}" in again.conclusion


def test_a_test_of_your_own_is_shown_like_ours():
    post_hoc = partial(stats.pairwise, test=stats.wilcoxon, adjustment="fdr_bh")
    report = of(post_hoc=post_hoc)
    check_report(report)
    assert "false discovery rate" in report.details
