"""What gets quoted is true of the quantity that it names, and p is there or said to be not."""

import inspect
import math
import re
import warnings
from functools import cache

import numpy as np
import pytest

from skstat import compare_predictions, compare_scores, stats
from skstat.report import report_from_dict
from skstat.stats import PairedScores
from tests.contract import check_report, reports_of
from tests.report.built import MINUS, over_datasets, stands

pytest.importorskip("pandas")

METRIC = "mean_absolute_error"
PROCEDURES = {
    name: found
    for name in stats.__all__
    if inspect.isfunction(found := getattr(stats, name)) and hasattr(found, "__wrapped__")
}


def errors(n=40, few=6):
    """Errors of which A has the smaller one on most units, and the larger mean."""
    drawn = np.random.default_rng(5)
    a = 0.9 + drawn.normal(0, 0.02, n)
    b = 1.0 + drawn.normal(0, 0.02, n)
    a[n // 2 : n // 2 + few] = 2.5
    assert np.median(a - b) < 0 < np.mean(a - b)
    return a, b


def halves():
    """Ten errors of 5x2 cross-validation, of which the first favours B and all others A."""
    a = 0.5 + np.tile([0.0, 0.01], 5)
    a[:2] = 0.96
    return a, np.full(10, 0.9)


SAMPLES = {
    **{
        unit: PairedScores(*(-np.array(errors())), unit=unit)
        for unit in ("instance", "dataset", "seed", "group")
    },
    "ordered": PairedScores(*(-np.array(errors())), unit="instance", ordered=True),
    "splits": PairedScores(*(-np.array(errors())), n_train=90, n_test=10),
    "5x2": PairedScores(*(-np.array(halves())), n_repeats=5),
}


@cache
def asked(procedure, kind, **options):
    """The report of a procedure, or None where it is not valid for the sample."""
    sample = SAMPLES[kind]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)
        try:
            if not hasattr(procedure(sample), "pvalue"):
                return None
        except (ValueError, TypeError):
            return None
    how = {"scoring": f"neg_{METRIC}"}
    return compare_scores(sample, test=procedure, **how, **options)


def check_first_sentence(report, own):
    """Hold the first sentence to what it names: the metric, or another quantity."""
    first, *rest = re.split(r"\.(?: |$)", report.conclusion)
    sentence = rest[0] if first.startswith("The p-value is not valid") else first
    quantity = report.to_frame()["quantity"][0]
    if quantity == "difference":
        assert report.estimate == pytest.approx(own)
        assert stands(sentence, own) or stands(sentence, abs(own)), sentence
        a, b = report.names
        for winner, better in ((a, own < 0), (b, own > 0)):
            assert f"{winner} has a lower" not in sentence or better, sentence
        return
    assert quantity in sentence and f"in {METRIC}, by" not in sentence, sentence
    assert stands(sentence, report.estimate), sentence
    # The difference of the metric itself stands beside it, in words and in every form.
    assert f"the difference of the means in {METRIC}, " in report.conclusion
    assert stands(report.conclusion.removeprefix(sentence), own)
    for form in (report.details, report.to_html(), report.to_markdown()):
        text = " ".join(form.replace("\\", "").split())
        assert quantity in text and "which the test does not estimate" in text


@pytest.mark.long(keep=7)
@pytest.mark.parametrize("kind", SAMPLES)
def test_every_procedure_of_scores(kind):
    for procedure in PROCEDURES.values():
        report = asked(procedure, kind)
        if report is not None:
            check_report(report)
            sample = SAMPLES[kind]
            check_first_sentence(report, float(np.mean(sample.b) - np.mean(sample.a)))


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("margin", [None, 0.3])
@pytest.mark.parametrize("procedure", [stats.sign, stats.wilcoxon])
def test_one_sided_questions_and_margins(procedure, alternative, margin):
    report = asked(procedure, "instance", alternative=alternative, margin=margin)
    a, b = errors()
    check_first_sentence(report, float(np.mean(a - b)))


@pytest.mark.parametrize("test", ["auto", "sign", "wilcoxon"])
def test_every_procedure_of_predictions(test):
    (a, b), y = errors(), np.linspace(0, 1, 40)
    predicted = {"A": y + a, "B": y + b, "C": y + 3 * b}
    report = compare_predictions(y, predicted, metric=METRIC, test=test, random_state=0)
    for pair in reports_of(report):
        one, other = (np.abs(predicted[name] - y) for name in pair.names)
        check_first_sentence(pair, float(np.mean(one - other)))
    if test == "auto":
        assert "median" not in report.details
        return
    # B leads by the mean, and A has the smaller error on most rows.
    lead = report.conclusion
    assert lead.startswith(f"B has the lowest {METRIC}") and "B is ruled out by A (" in lead
    assert "are not differences of the mean scores" in " ".join(report.details.split())
    assert pair.to_frame()["quantity"][0] in report.to_latex("pairs")


@pytest.mark.long(keep=3)
@pytest.mark.parametrize(
    "post_hoc",
    ["nemenyi", "wilcoxon", "sign", "sign_flip", "paired_t", "mean_ranks", "exact_mean_ranks",
     "aligned_ranks", "quade", "conover", "conover_quade"],
)  # fmt: skip
def test_every_test_of_pairs_over_data_sets(post_hoc):
    a, b = errors()
    report = over_datasets({"A": a, "B": b, "C": 3 * b}, scoring=METRIC, test=post_hoc)
    check_report(report)
    means = {"A": a.mean(), "B": b.mean(), "C": 3 * b.mean()}
    for pair in reports_of(report):
        own = means[pair.names[0]] - means[pair.names[1]]
        if pair.to_frame()["quantity"][0] != "difference in mean rank":
            check_first_sentence(pair, own)
            continue
        # A ranks better than B, whose mean is the better one.
        assert "scores" not in pair.conclusion.split(" (")[0]
        assert re.search(r"\b\w ranks better than|No significant difference", pair.conclusion)
        assert stands(pair.conclusion, own) and "does not estimate" in pair.conclusion


# --- without variance ---


def test_a_pair_without_a_p_says_so_and_names_no_winner():
    apart = {"a": [0.75, 0.5, 0.25], "b": [0.5, 0.25, 0.0]}
    for how in ({"n_train": 10, "n_test": 5}, {"unit": "seed", "paired_seeds": True}):
        for scoring, sign in (("accuracy", f"a {MINUS} b"), ("mae", "below 0, a is better")):
            found = compare_scores(apart, scoring=scoring, **how)
            assert math.isnan(found.pvalue) and found.verdict == "undecided"
            assert found.better is None
            no_p = f"\\({sign}; 95% interval: none exists; no p-value\\)"
            no_test = "a and b: the (seed|split)s show no variance to test it against"
            said = f"{no_test}. In {scoring} the estimate is [^ ]+ {no_p}.$"
            assert re.search(said, found.conclusion)
            assert report_from_dict(found.to_dict()).conclusion == found.conclusion


@pytest.mark.parametrize("control", [None, "c"])
@pytest.mark.parametrize("paired", [True, False])
def test_several_systems_name_the_pairs_without_a_p(control, paired):
    rng = np.random.default_rng(0)
    base = rng.normal(size=6) if paired else np.full(6, 0.25)
    scores = {"a": base + 0.5, "b": rng.normal(size=6), "c": base}
    how = {"unit": "seed", "paired_seeds": paired, "control": control, "random_state": 0}
    found = compare_scores(scores, **how)
    said = "There is no p-value of a and c: the seeds show no variance to test it against."
    assert said in found.conclusion and math.isnan(found["a", "c"].pvalue)
