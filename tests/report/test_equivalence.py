"""What a report says of a margin: every outcome, direction and kind of score."""

import itertools
import json
import math
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np
import pytest

from skstat import compare_scores, report_from_dict, stats
from skstat.comparison._engine.family import ReportedPairs
from skstat.comparison._engine.systems import report_on as report_on_systems
from skstat.comparison._question import Question
from skstat.report import ComparisonReport
from skstat.report._words import pvalue_text
from skstat.stats import PairedScores, ScoreTable
from tests.cases import in_one_test

MARGIN = 0.01
# Means and standard errors of 16 differences, whose 97.5 % quantile of t is 2.13 and whose
# 95 % quantile is 1.75.
KINDS = {
    "alike": (0.001, 0.002),
    "little better": (0.005, 0.002),
    "little worse": (-0.005, 0.002),
    "much better": (0.03, 0.005),
    "much worse": (-0.03, 0.005),
    "perhaps little better": (0.012, 0.005),
    "perhaps little worse": (-0.012, 0.005),
    "not worse": (0.006, 0.005),
    "not better": (-0.006, 0.005),
    "unknown": (0.002, 0.015),
}
ALTERNATIVES = ("two-sided", "greater", "less")


def sample_of(kind, n=16):
    mean, error = KINDS[kind]
    z = np.linspace(-1, 1, n)
    differences = mean + z / z.std(ddof=1) * error * math.sqrt(n)
    return PairedScores(0.8 + differences, np.full(n, 0.8), unit="seed")


def report_on(sample, procedure=stats.paired_t, alternative="two-sided", **changes):
    given = {
        "outcome": procedure(sample, alternative=alternative),
        "sample": sample,
        "names": ("tree", "bayes"),
        "metric": "accuracy",
        "margin": MARGIN,
    }
    return ComparisonReport(**(given | changes))


def expected_verdict(kind, alternative):
    if kind in ("alike", "little better", "little worse"):
        return "equivalent"
    if kind.endswith("better") and kind != "not better" and alternative != "less":
        return "better"
    if kind.endswith("worse") and kind != "not worse" and alternative != "greater":
        return "worse"
    # Tree is not worse than bayes by the margin, whichever direction was asked.
    return (
        "not inferior"
        if kind in ("not worse", "much better", "perhaps little better")
        else ("undecided")
    )


@in_one_test("alternative", ALTERNATIVES)
@in_one_test("kind", KINDS)
@in_one_test("is_loss", [False, True])
def test_the_verdict_and_the_sentence_are_one(kind, alternative, is_loss):
    metric = "neg_log_loss" if is_loss else "accuracy"
    report = report_on(sample_of(kind), alternative=alternative, metric=metric, is_loss=is_loss)
    said = report.conclusion
    verdict = expected_verdict(kind, alternative)
    assert report.verdict == verdict

    # Nobody is called equivalent but who is.
    assert ("are equivalent in" in said) == (verdict == "equivalent")
    rejects = report.pvalue < 0.05
    real = "The difference is real but smaller than the margin" in said
    assert real == (verdict == "equivalent" and rejects)

    # The sentence about the difference is the one without a margin.
    without = replace(report, margin=None)
    shortened = verdict == "equivalent" and not rejects and alternative == "two-sided"
    assert without.conclusion in said or shortened
    assert not shortened or pvalue_text(report.pvalue) in said
    assert "equivalen" not in without.conclusion and without.equivalence is None
    assert without.verdict != "equivalent"

    more = "lies beyond the margin of 0.01: the difference is more than that" in said
    less = "The difference may be smaller than the margin of 0.01" in said
    assert more == (verdict in ("better", "worse") and kind.startswith("much"))
    assert less == (verdict in ("better", "worse") and kind.startswith("perhaps"))

    # Beyond the margin on the side that was not asked, nothing is left to doubt.
    undecided = verdict in ("undecided", "not inferior")
    winner, loser = ("tree", "bayes") if KINDS[kind][0] > 0 else ("bayes", "tree")
    beyond = (
        f"beyond the margin of 0.01: {winner} is better than {loser} by more than that, which"
    )
    unasked = undecided and kind.startswith("much")
    assert (f"{beyond} was not the question asked" in said) == unasked
    assert ("not the question asked" in said) == unasked

    # Who is not inferior is said of the other undecided, of the right one.
    undecided = undecided and not unasked
    a_is = "It was shown that tree is at most 0.01 worse than bayes" in said
    b_is = "It was shown that bayes is at most 0.01 worse than tree" in said
    assert a_is == (undecided and report.equivalence.noninferior())
    assert b_is == (undecided and report.equivalence.noninferior(of="B"))
    assert a_is == (undecided and KINDS[kind][0] > 0 and kind != "unknown")
    neither = "Nor were they shown to be equivalent" in said
    assert neither == (kind == "unknown")
    if undecided:
        assert not neither or "either may be better by as much or more" in said
        assert neither or f"{'tree' if a_is else 'bayes'} may be better by the margin" in said

    # The 90 % interval is there as such whenever the margin hangs on it.
    assert ("90% interval" in said) == (verdict in ("equivalent", "undecided", "not inferior"))
    if is_loss and verdict == "equivalent":
        assert "equivalent in log_loss" in said and "(below 0, tree is better; 90%" in said
    assert "neg_log_loss" not in said


SENTENCES = {
    ("alike", "two-sided"): (
        "tree and bayes are equivalent in accuracy within the margin of 0.01: the estimated "
        "difference is +0.00100 (tree − bayes; 90% interval −0.00251 to +0.00451; equivalence "
        "p < 0.001). No significant difference was found (95% interval −0.00326 to +0.00526; "
        "p = 0.624)."
    ),
    ("little worse", "two-sided"): (
        "tree and bayes are equivalent in accuracy within the margin of 0.01: the estimated "
        "difference is −0.00500 (tree − bayes; 90% interval −0.00851 to −0.00149; equivalence "
        "p = 0.0123). "
        "The difference is real but smaller than the margin: bayes scores higher than tree in "
        "accuracy, by 0.00500 (95% interval 0.00074 to 0.00926; p = 0.0245)."
    ),
    ("much worse", "less"): (
        "tree scores lower than bayes in accuracy, by 0.0300 (one-sided 95% interval: at "
        "least 0.0212; p < 0.001). The interval lies beyond the margin of 0.01: the "
        "difference is more than that."
    ),
    ("perhaps little better", "two-sided"): (
        "tree scores higher than bayes in accuracy, by 0.0120 (95% interval 0.0013 to 0.0227; "
        "p = 0.0298). The difference may be smaller than the margin of 0.01: the interval "
        "contains such differences too (equivalence p = 0.653)."
    ),
    ("much worse", "greater"): (
        "It was not shown that tree scores higher than bayes in accuracy: the estimated "
        "difference is −0.0300 (tree − bayes; one-sided 95% interval: at least −0.0388; p = "
        "1). The 90% "
        "interval −0.0388 to −0.0212 lies beyond the margin of 0.01: bayes is better than tree "
        "by more than that, which was not the question asked."
    ),
    ("much better", "less"): (
        "It was not shown that tree scores lower than bayes in accuracy: the estimated "
        "difference is +0.0300 (tree − bayes; one-sided 95% interval: at most +0.0388; p = "
        "1). The 90% "
        "interval +0.0212 to +0.0388 lies beyond the margin of 0.01: tree is better than bayes "
        "by more than that, which was not the question asked."
    ),
    ("not worse", "greater"): (
        "It was not shown that tree scores higher than bayes in accuracy: the estimated "
        "difference is +0.00600 (tree − bayes; one-sided 95% interval: at least −0.00277; p = "
        "0.124). It was shown that tree is at most 0.01 worse than bayes "
        "(p = 0.0030). Equivalence was not shown: tree may be better by the margin of 0.01 or "
        "more (90% interval "
        "−0.00277 to +0.01477; equivalence p = 0.218)."
    ),
    ("unknown", "two-sided"): (
        "No significant difference in accuracy between tree and bayes was found: the estimate "
        "is +0.0020 (tree − bayes; 95% interval −0.0300 to +0.0340; p = 0.896); every "
        "difference in this interval is compatible with the data. Nor were they shown to be "
        "equivalent within the margin of 0.01: either may be better by as much or more (90% "
        "interval "
        "−0.0243 to +0.0283; equivalence p = 0.301)."
    ),
}


@in_one_test("case", SENTENCES, ids=" / ".join)
def test_whole_sentences(case):
    kind, alternative = case
    assert report_on(sample_of(kind), alternative=alternative).conclusion == SENTENCES[case]


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_without_variance_a_t_test_judges_no_margin(alternative):
    same = PairedScores([0.8] * 6, [0.8] * 6, unit="seed")
    report = report_on(same, alternative=alternative)
    assert report.verdict == "undecided" and math.isnan(report.equivalence.pvalue)
    assert report.conclusion == (
        "No difference was found: tree and bayes have the same accuracy on all 6 seeds "
        "(difference 0; p = 1). Equivalence within the margin of 0.01 cannot be judged: the "
        "seeds show no variance to test it against."
    )
    constant = PairedScores([0.803] * 6, [0.8] * 6, unit="seed")
    report = report_on(constant, alternative=alternative)
    assert report.verdict == "undecided"
    assert report.conclusion.startswith("No test is possible")
    assert report.conclusion.endswith("Nor can the margin of 0.01 be judged.")


@in_one_test("alternative", ALTERNATIVES)
@in_one_test("procedure", [stats.wilcoxon, stats.sign, stats.sign_flip])
def test_signs_judge_identical_systems_by_their_number(procedure, alternative):
    few, many = (PairedScores([0.8] * n, [0.8] * n, unit="seed") for n in (3, 12))
    report = report_on(many, procedure, alternative)
    assert report.verdict == "equivalent"
    assert "equivalence p < 0.001" in report.conclusion
    assert report.conclusion.endswith(
        "No difference was found: tree and bayes have the same accuracy on all 12 seeds "
        "(difference 0; p = 1)."
    )
    report = report_on(few, procedure, alternative)
    assert report.verdict == "undecided"
    assert "Nor were they shown to be equivalent" in report.conclusion


def test_few_units_may_show_equivalence_where_they_cannot_show_a_difference():
    five = PairedScores([0.802, 0.801, 0.803, 0.802, 0.804], [0.8] * 5, unit="instance")
    report = report_on(five, stats.sign_flip)
    assert report.verdict == "equivalent"
    assert report.equivalence.pvalue == pytest.approx(1 / 32)
    assert "No rejection is possible with 5 instances" in report.conclusion
    four = PairedScores(five.a[:4], five.b[:4], unit="instance")
    report = report_on(four, stats.sign_flip)
    assert report.verdict == "undecided"
    assert report.conclusion.endswith(
        "Nor were they shown to be equivalent within the margin of 0.01: either may be better "
        "by as much or more (90% interval has no limit with so few instances; equivalence "
        "p = 0.0625)."
    )


def test_statistics_that_disagree_name_no_size():
    # Twenty small wins and five large losses: significant, and in no common direction.
    d = np.repeat([-0.4, -0.2, 0.0, 0.2, 0.4], 2) + np.tile([0.001, -0.001], 5)
    halves = PairedScores(d, np.zeros(10), n_repeats=5)
    report = report_on(halves, stats.five_by_two_f)
    assert report.conclusion.endswith(
        "Nor was a size shown that could be compared with the margin of 0.01."
    )
    assert report.to_dict()["equivalence"]["interval"] == [None, None]
    # An empty interval excludes a large margin in both directions, and shows nothing.
    assert replace(report, margin=5.0).equivalence.pvalue < 0.05
    assert replace(report, margin=5.0).verdict != "equivalent"


def family(kinds, method="holm", alternative="two-sided"):
    """One system as control, and others that it is alike or not alike."""
    reports = [
        report_on(sample_of(kind), alternative=alternative, names=("tree", f"bayes {number}"))
        for number, kind in enumerate(kinds)
    ]
    scores = {"tree": reports[0].sample.a} | {part.names[1]: part.sample.b for part in reports}
    question = Question.of(alternative, margin=MARGIN)
    return report_on_systems(
        ScoreTable(scores, unit="seed"),
        ReportedPairs(reports),
        question,
        adjustment=method,
        control="tree",
    )


def test_families_decide_by_adjusted_pvalues():
    alone = report_on(sample_of("little better"))
    assert alone.verdict == "equivalent"
    found = family(["little better"] * 5)
    for report in found:
        # 5 * 0.0123 and 5 * 0.0245: neither the margin nor the difference is shown.
        assert report.equivalence.adjusted_pvalue == pytest.approx(5 * alone.equivalence.pvalue)
        assert report.verdict == "not inferior"
        assert "after Holm's adjustment for 5 comparisons" in report.conclusion
        assert "are equivalent" not in report.conclusion
        # It lies inside the margin: the p-value does not decide alone.
        assert re.search(r"\(90% interval \+0\.0015\d* to \+0\.0085\d*, not adjusted;",
                         report.conclusion)  # fmt: skip
        text = " ".join(report.details.split())
        assert "(not adjusted); p = 0.0613 after" in text
        assert "shown that tree is at most 0.01 worse than bayes" in report.conclusion
    assert {report.verdict for report in family(["alike"] * 3)} == {"equivalent"}
    (report, *_) = family(["much better", "unknown"])
    assert "The interval lies beyond the margin" in report.conclusion


def test_noninferiority_is_adjusted_too():
    # p = 0.0030 for A not being worse, of twice as many one-sided p-values.
    found = family(["not worse"] * 9)
    assert all(report.equivalence.noninferior(0.06) for report in found)
    for report in found:
        assert "It was shown that" not in report.conclusion
        assert report.to_dict()["equivalence"]["noninferior"] == [False, False]


def through_json(report):
    return report_from_dict(json.loads(report.to_json()))


@pytest.mark.long(keep=9)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_round_trip(kind, alternative):
    report = report_on(sample_of(kind), alternative=alternative)
    restored = through_json(report)
    assert restored.to_dict() == report.to_dict()
    assert restored.verdict == report.verdict
    assert restored.equivalence.interval() == report.equivalence.interval()
    both = family([kind, "alike"], alternative=alternative)
    assert through_json(both).to_dict() == both.to_dict()


def test_reports_of_before_there_were_margins_are_read():
    state = report_on(sample_of("alike"), margin=None).to_dict()
    assert state["margin"] is None and state["equivalence"] is None
    del state["margin"], state["equivalence"]
    assert report_from_dict(state).margin is None


def test_every_form_shows_the_margin():
    report = report_on(sample_of("not worse"))
    p = report.equivalence
    state = report.to_dict()
    assert state["margin"] == MARGIN
    assert state["equivalence"] == {
        "type": "EquivalenceOutcome",
        "margin": MARGIN,
        "lower_pvalue": p.lower_pvalue,
        "upper_pvalue": p.upper_pvalue,
        "pvalue": p.pvalue,
        "adjusted": None,
        "adjusted_pvalue": None,
        "adjustment": None,
        "confidence_level": 0.9,
        "interval": list(p.interval(0.05)),
        "equivalent": False,
        "noninferior": [True, False],
    }
    for text in (report.details, report.to_html(), report.to_markdown()):
        words = " ".join(text.split())
        assert "0.01 accuracy; verdict: undecided, tree is not worse by as much" in words
        assert "90% interval −0.0028 to +0.0148; p = 0.218 (two one-sided tests;" in words
        assert "against tree − bayes ≤ −0.01: p = 0.0030" in words
        assert "against tree − bayes ≥ 0.01: p = 0.218" in words
    assert "0.01 & 0.218" in report.to_latex()
    assert r"margin & equivalence $p$" in report.to_latex()


def test_frames_have_the_margin():
    pytest.importorskip("pandas")
    frame = family(["alike", "unknown"]).to_frame()
    assert list(frame["margin"]) == [MARGIN, MARGIN]
    assert frame["equivalence_pvalue"][1] == pytest.approx(0.301, abs=5e-4)
    assert list(frame["verdict"]) == ["equivalent", "undecided"]
    assert report_on(sample_of("alike"), margin=None).to_frame()["margin"].isna().all()


def test_no_form_speaks_of_equivalence_without_a_margin():
    report = report_on(sample_of("alike"), margin=None)
    forms = (report.details, report.to_html(), report.to_markdown(), report.to_latex())
    for text in forms:
        text = text.split("</style>")[-1]
        assert "quivalen" not in text and "argin" not in text.replace("margin:", "")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_the_drawing_marks_both_margins(alternative):
    report = report_on(sample_of("alike"), alternative=alternative)
    fragment = report.to_html()
    start, end = fragment.index("<svg"), fragment.index("</svg>") + len("</svg>")
    drawing = ET.fromstring(fragment[start:end])
    dotted = [line for line in drawing.iter("line") if line.get("stroke-dasharray") == "1 3"]
    left, right = sorted(float(line.get("x1")) for line in dotted)
    width = float(drawing.get("viewBox").split()[2])
    assert left + right == pytest.approx(width)
    assert 0 < left < right < width
    circle = float(next(drawing.iter("circle")).get("cx"))
    # The estimate is a tenth of the margin.
    assert (circle - 210) / (right - 210) == pytest.approx(0.1, abs=0.005)
    assert "±0.01" in "".join(drawing.itertext())


def test_displays_mark_both_margins():
    pytest.importorskip("matplotlib").use("agg")
    plt = pytest.importorskip("matplotlib.pyplot")
    one = report_on(sample_of("alike"))
    two = family(["alike", "unknown"])
    resampled = report_on(
        sample_of("alike"),
        lambda sample, alternative: stats.paired_bootstrap(
            stats.PairedPredictions(
                np.full(16, 0.8),
                {"tree": sample.a, "bayes": sample.b},
                lambda y, p: float(np.mean(p)),
            ),
            n_resamples=99,
            rng=0,
            alternative=alternative,
        ),
    )
    for report in (one, two, resampled):
        ax = report.plot().ax_
        (band,) = [patch for patch in ax.patches if patch.get_gid() == "margin"]
        box = band.get_extents().transformed(ax.transData.inverted())
        assert (box.x0, box.x1) == pytest.approx((-MARGIN, MARGIN))
        low, high = ax.get_xlim()
        assert low < -MARGIN and high > MARGIN
        assert ax.get_xlabel().count("margin ±0.01") == 1
        plain = replace(report, margin=None).plot().ax_ if report is not two else None
        assert plain is None or not [x for x in plain.patches if x.get_gid()]
    plt.close("all")


def test_levels_other_than_95_percent():
    report = report_on(sample_of("little better"), confidence_level=0.99)
    # p = 0.0123 of both tests is not below 0.01.
    assert report.verdict == "not inferior"
    assert "98% interval" in report.conclusion and "99% interval" in report.conclusion
    assert report.to_dict()["equivalence"]["confidence_level"] == 0.98


def test_all_sentences_start_and_end_well():
    for kind, alternative in itertools.product(KINDS, ALTERNATIVES):
        said = report_on(sample_of(kind), alternative=alternative).conclusion
        assert said.endswith(".") and ".." not in said and "  " not in said
        assert said.count("(") == said.count(")")


def test_the_interval_that_decides_about_the_margin_is_drawn():
    """Two one-sided tests at 5 % are the 90 % interval, not the 95 % one."""
    pytest.importorskip("matplotlib")
    rng = np.random.default_rng(1)
    new = rng.normal(0.8, 0.05, 60)
    scores = {"new": new, "old": new + rng.normal(0, 0.02, 60)}
    report = compare_scores(scores, unit="instance", margin=0.01)
    low, high = report.equivalence.interval(0.05)
    display = report.plot()
    (line,) = [line for line in display.ax_.lines if line.get_gid() == "inner interval"]
    assert line.get_xdata() == pytest.approx([low, high])
    assert display.inner_level == pytest.approx(0.9)
    assert "heavy: the 90% interval, which decides about the margin" in str(report)
    assert "\N{BOX DRAWINGS HEAVY HORIZONTAL}" in str(report)
    assert "thick: the 90% interval, which decides about the margin" in report.to_html()
    restored = report_from_dict(report.to_dict())
    assert str(restored) == str(report)
    plain = compare_scores(scores, unit="instance")
    assert "heavy" not in str(plain) and "thick" not in plain.to_html()
    assert plain.plot().inner_interval is None
    # Of several systems p-values are adjusted, and no such interval belongs to them.
    scores["third"] = new + rng.normal(0, 0.02, 60)
    several = compare_scores(scores, unit="instance", margin=0.01)
    assert several.plot(kind="intervals").inner_intervals == [None] * 3
    assert "heavy" not in str(several["new", "old"])
