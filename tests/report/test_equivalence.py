"""What a report says of a margin: every direction, kind of score and number of systems."""

import math
import re

import numpy as np
import pytest
from scipy.stats import t as student

from skstat import compare_scores
from skstat.stats import ScoreTable
from tests.contract import check_report

MARGIN, N = 0.01, 16
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
MIRROR = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
OPPOSITE = {"better": "worse", "worse": "better"}


def differences(kind):
    mean, error = KINDS[kind]
    z = np.linspace(-1, 1, N)
    return mean + z / z.std(ddof=1) * error * math.sqrt(N)


def compared(*kinds, is_loss=False, margin=MARGIN, **options):
    """Tree against others, than which it is so much better."""
    names = ["bayes"] if len(kinds) == 1 else [f"bayes {place}" for place in range(len(kinds))]
    sign = 1 if is_loss else -1
    scores = {"tree": np.full(N, 0.8)}
    scores |= {n: 0.8 + sign * differences(k) for n, k in zip(names, kinds, strict=True)}
    how = {"unit": "seed", "paired_seeds": True, "test": "paired_t", "margin": margin}
    how |= {"scoring": "log_loss" if is_loss else "accuracy"}
    how |= {"control": "tree", "adjustment": "holm"} if len(kinds) > 1 else {}
    return compare_scores(scores, **how, **options)


def of_tree(*kinds):
    """The reports of tree against every other."""
    found = compared(*kinds)
    return [found["tree", f"bayes {place}"] for place in range(len(kinds))]


def expected(kind, alternative):
    """The verdict, by the quantiles of Student's t."""
    mean, error = KINDS[kind]
    lower, upper = (
        student.sf((MARGIN + mean) / error, 15),
        student.sf((MARGIN - mean) / error, 15),
    )
    tail = student.sf(abs(mean) / error, 15)
    side = "better" if mean > 0 else "worse"
    asked = {"two-sided": True, "greater": mean > 0, "less": mean < 0}[alternative]
    if max(lower, upper) < 0.05:
        return "equivalent", max(lower, upper)
    if asked and tail * (1 + (alternative == "two-sided")) < 0.05:
        return side, max(lower, upper)
    return "not inferior" if lower < 0.05 else "undecided", max(lower, upper)


@pytest.mark.parametrize("is_loss", [False, True])
@pytest.mark.parametrize("alternative", MIRROR)
@pytest.mark.parametrize("kind", KINDS)
def test_the_verdict_and_the_sentence_are_one(kind, alternative, is_loss):
    pytest.importorskip("pandas")
    report = compared(kind, alternative=alternative, is_loss=is_loss)
    verdict, pvalue = expected(kind, alternative)
    assert report.verdict == verdict
    assert report.evidence.equivalence.pvalue == pytest.approx(pvalue, rel=1e-6)
    sign, (mean, _) = (-1 if is_loss else 1), KINDS[kind]
    assert report.estimate == pytest.approx(sign * mean)
    said = report.conclusion
    assert said.endswith(".") and ".." not in said and said.count("(") == said.count(")")

    # Nobody is called equivalent but who is, and a real difference is called so.
    assert ("are equivalent in" in said) == (verdict == "equivalent")
    real = verdict == "equivalent" and report.pvalue < 0.05
    assert ("real but smaller than the margin" in said) == real
    # A claim is compared with the margin, on the side that was not asked too.
    ahead, behind = ("tree", "bayes") if mean > 0 else ("bayes", "tree")
    claimed = verdict in ("better", "worse")
    beyond = "lies beyond the margin of 0.01: the difference is more than that"
    assert (beyond in said) == (claimed and "much" in kind)
    if claimed and alternative != "two-sided":  # the question names the first one first
        first, *_ = said.split(" than bayes")
        assert first.startswith("tree has a" if is_loss else "tree scores")
        assert ("lower" in first) == ((alternative == "less") != is_loss)
    unasked = not claimed and "much" in kind
    assert (f"{ahead} is better than {behind} by more than the margin" in said) == unasked
    # Who is not worse by the margin: of the undecided, the right one.
    shown = re.findall(r"shown that (\w+) is not worse than (\w+) by 0.01", said)
    either = verdict in ("undecided", "not inferior") and not unasked
    assert shown == ([(ahead, behind)] if either and kind != "unknown" else [])
    open_ = either or (claimed and "perhaps" in kind)
    assert ("Equivalence within the margin of 0.01 was not shown" in said) == open_
    # The 90 % interval stands there whenever the margin hangs on it.
    assert ("90% interval" in said) == (not claimed or open_)

    # Without a margin nothing is said of one.
    assert report.to_frame()["equivalence_pvalue"][0] == report.evidence.equivalence.pvalue
    without = compared(kind, alternative=alternative, is_loss=is_loss, margin=None)
    assert without.to_frame()["margin"].isna().all()
    assert without.verdict in ("better", "worse", "undecided")
    forms = (without.details, without.to_markdown(), without.to_latex(),
             without.to_html().split("</style>")[-1])  # fmt: skip
    assert not any("quivalen" in form or "argin" in form for form in forms)


@pytest.mark.parametrize("alternative", MIRROR)
@pytest.mark.parametrize("kind", KINDS)
def test_a_turned_pair_has_the_verdict_of_the_other_side(kind, alternative):
    pytest.importorskip("pandas")
    found = compared(kind, "alike", alternative=alternative)
    check_report(found)  # also that a pair of the table turns as its report does
    one, other = found["tree", "bayes 0"], found["bayes 0", "tree"]
    pair = {one.verdict, other.verdict}
    if one.verdict in OPPOSITE:
        assert other.verdict == OPPOSITE[one.verdict]
    elif one.verdict == "equivalent":
        assert pair == {"equivalent"}
    else:  # both not inferior would be equivalent
        assert pair <= {"not inferior", "undecided"} and pair != {"not inferior"}


def test_families_decide_by_adjusted_pvalues():
    alone = compared("little better")
    assert alone.verdict == "equivalent"
    for report in of_tree(*["little better"] * 5):
        # 5 * 0.0123 and 5 * 0.0245: neither the margin nor the difference is shown.
        pvalue = report.evidence.equivalence.adjusted_pvalue
        assert pvalue == pytest.approx(5 * alone.equivalence["pvalue"])
        assert report.verdict == "not inferior"
        assert "90% interval +0.0015 to +0.0085, not adjusted;" in report.conclusion
        assert "after Holm's adjustment for 5 comparisons" in " ".join(report.details.split())
        assert f"{pvalue:.4f}" in report.to_latex()
    assert {report.verdict for report in of_tree(*["alike"] * 3)} == {"equivalent"}
    much, _ = of_tree("much better", "unknown")
    assert "interval lies beyond the margin" in much.conclusion
    # It is the interval of the verdict, not the shorter one that decides about equivalence.
    assert "of 0.02 was not shown" in compared("much better", margin=0.02).conclusion


def test_noninferiority_is_adjusted_too():
    """p = 0.0030 for tree not being worse, of twice as many one-sided p-values."""
    assert compared("not worse").verdict == "not inferior"
    for report in of_tree(*["not worse"] * 9):
        assert report.verdict == "undecided" and "It was shown that" not in report.conclusion


@pytest.mark.parametrize("kind, tree_is", [("not worse", True), ("not better", False)])
def test_of_a_control_the_right_one_is_not_worse(kind, tree_is):
    said = compared(kind, "unknown").conclusion
    assert ("tree is not worse than bayes 0 by the margin" in said) == tree_is
    assert ("bayes 0 is not worse than tree by the margin" in said) == (not tree_is)


def on_seeds(a, b, test, **options):
    table = ScoreTable({"tree": a, "bayes": b}, unit="seed")
    return compare_scores(table, test=test, margin=MARGIN, **options)


def test_identical_systems_are_judged_by_their_number_and_never_without_variance():
    for test in ("wilcoxon", "sign", "sign_flip"):
        for n, verdict in ((3, "undecided"), (12, "equivalent")):
            assert on_seeds([0.8] * n, [0.8] * n, test).verdict == verdict
    same = on_seeds([0.8] * 6, [0.8] * 6, "paired_t")
    assert same.verdict == "undecided" and "Nor can the margin of 0.01" in same.conclusion
