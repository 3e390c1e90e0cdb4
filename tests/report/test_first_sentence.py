"""The first sentence is what gets quoted: it is true of the quantity that it names."""

import re
import warnings

import numpy as np
import pytest

import skstat
from skstat import stats
from skstat.comparison._engine.tables import omnibus_tests
from skstat.comparison._procedures import procedures_by_name
from skstat.stats import PairedScores, ScoreTable
from tests.contract import check_report
from tests.cases import in_one_test

MINUS = "\N{MINUS SIGN}"
METRIC = "mean_absolute_error"


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
    a, b = np.full(10, 0.5), np.full(10, 0.9)
    a += np.tile([0.0, 0.01], 5)
    a[0], a[1] = 0.96, 0.96
    return a, b


def samples():
    for unit in ("instance", "dataset", "seed", "group"):
        yield unit, PairedScores(*(-np.array(errors())), unit=unit)
    yield "ordered", PairedScores(*(-np.array(errors())), unit="instance", ordered=True)
    yield "splits", PairedScores(*(-np.array(errors())), n_train=90, n_test=10)
    yield "5x2", PairedScores(*(-np.array(halves())), n_repeats=5)


def asked(procedure, sample, **options):
    """The report of a procedure, or None where it is not valid for the sample."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DependenceWarning)
        try:
            procedure(sample)
        except ValueError:
            return None
    return skstat.compare_scores(
        sample, test=procedure, names=("A", "B"), scoring=f"neg_{METRIC}", **options
    )


CASES = [
    pytest.param(procedure, sample, id=f"{name}, {kind}")
    for name, procedure in procedures_by_name().items()
    for kind, sample in samples()
    if asked(procedure, sample) is not None
]


def numbers(text):
    """Numbers of a text, with the digits that are written of each."""
    found = re.findall(rf"[+{MINUS}]?\d+\.\d+", text)
    return [(float(n.replace(MINUS, "-")), len(n.partition(".")[2])) for n in found]


def says(text, value):
    return any(abs(n - value) <= 0.51 * 10**-digits for n, digits in numbers(text))


def first_sentence(report):
    first, *rest = re.split(r"\.(?: |$)", report.conclusion)
    return rest[0] if first.startswith("The p-value is not valid") else first


def check_first_sentence(report, differences):
    """Hold the first sentence to what it names: the metric, or another quantity."""
    sentence, own = first_sentence(report), float(np.mean(differences))
    quantity = report.evidence.outcome.quantity
    if quantity.is_difference:
        assert report.estimate == pytest.approx(own)
        assert says(sentence, own) or says(sentence, abs(own)), sentence
        a, b = report.names
        for winner, better in ((a, own < 0), (b, own > 0)):
            assert f"{winner} has a lower" not in sentence or better, sentence
        return
    assert quantity.name in sentence, sentence
    assert f"in {METRIC}, by" not in sentence, sentence
    assert says(sentence, report.estimate), sentence
    # The difference of the metric itself stands beside it, in words and in every form.
    assert f"In {METRIC} the mean over all" in report.conclusion
    assert says(report.conclusion.removeprefix(sentence), own)
    for form in (report.details, report.to_html(), report.to_markdown()):
        text = " ".join(form.replace("\\", "").split())
        assert quantity.name in text and "which the test does not estimate" in text
    assert report.to_dict()["quantity"]["name"] == quantity.name


def test_the_case_tells_a_median_from_a_mean():
    found = {case.values[0] for case in CASES}
    assert {stats.sign, stats.wilcoxon, stats.five_by_two_t, stats.sign_flip} <= found
    assert len(found) >= len(procedures_by_name()) - 5  # those of other samples are below


@pytest.mark.long(keep=7)
@pytest.mark.parametrize("procedure, sample", CASES)
def test_every_procedure_of_scores(procedure, sample):
    report = asked(procedure, sample)
    check_report(report)
    check_first_sentence(report, np.asarray(sample.b) - np.asarray(sample.a))


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("margin", [None, 0.3])
@pytest.mark.parametrize("procedure", [stats.sign, stats.wilcoxon])
def test_one_sided_questions_and_margins(procedure, alternative, margin):
    sample = dict(samples())["instance"]
    report = asked(procedure, sample, alternative=alternative, margin=margin)
    check_report(report)
    check_first_sentence(report, np.asarray(sample.b) - np.asarray(sample.a))


PREDICTION_TESTS = ["auto", "sign_flip", "sign", "wilcoxon", "paired_t", "cost"]


@in_one_test("test", [*PREDICTION_TESTS, "diebold_mariano"])
def test_every_procedure_of_predictions(test):
    a, b = errors()
    y = np.linspace(0, 1, len(a))
    ordered = {"order": np.arange(len(y))} if test == "diebold_mariano" else {}
    report = skstat.compare_predictions(
        y, {"A": y + a, "B": y + b}, metric=METRIC, test=test, random_state=0, **ordered
    )
    check_first_sentence(report, a - b)


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("test", PREDICTION_TESTS)
def test_three_systems(test):
    a, b = errors()
    y = np.linspace(0, 1, len(a))
    outputs = {"A": y + a, "B": y + b, "C": y + 3 * b}
    report = skstat.compare_predictions(y, outputs, metric=METRIC, test=test, random_state=0)
    check_report(report)
    for pair in report:
        one, other = (np.abs(outputs[name] - y) for name in pair.names)
        check_first_sentence(pair, one - other)
    quantity = report.evidence.pairwise.outcomes[0].quantity
    lead = next(text for text in report._sentences if "has the lowest" in text)
    assert lead.startswith("B has the lowest mean_absolute_error")
    if quantity.is_difference:
        assert "median" not in report.details
        return
    # B leads by the mean, and A has the smaller error on most rows.
    assert f"has a higher error than A {quantity.claim.format(unit='instance')}" in lead
    assert f"({quantity.name} " in lead
    assert "are not differences of the scores above" in " ".join(report.details.split())
    assert quantity.name in report.to_latex("pairs")


def table():
    a, b = errors()
    return ScoreTable(
        np.column_stack([a, b, 3 * b]),
        systems=list("ABC"),
        unit="dataset",
        higher_is_better=False,
    )


@in_one_test("test", sorted({*omnibus_tests()} - {"cochran_q"}))
def test_every_test_of_all_at_once(test):
    report = skstat.compare_scores(table(), test=test, scoring=METRIC)
    about = "mean scores" in report.omnibus.estimand
    assert (report.omnibus.scale == "score") == about
    first = report._sentences[-1]
    assert (f"differ in {METRIC} over" in first) == about
    assert (f"differ in rank by {METRIC} over" in first) == (not about)


@pytest.mark.long(keep=3)
@pytest.mark.parametrize(
    "post_hoc",
    [
        "nemenyi",
        "wilcoxon",
        "sign",
        "sign_flip",
        "paired_t",
        "mean_ranks",
        "exact_mean_ranks",
        "aligned_ranks",
        "quade",
        "conover",
        "conover_quade",
    ],
)
def test_every_test_of_pairs_over_data_sets(post_hoc):
    report = skstat.compare_scores(table(), post_hoc=post_hoc, scoring=METRIC)
    check_report(report)
    means = dict(zip("ABC", (table().scores * -1).mean(axis=0), strict=True))
    for pair in report:
        sentence, quantity = first_sentence(pair), pair.evidence.outcome.quantity
        own = means[pair.names[0]] - means[pair.names[1]]
        if pair.evidence.outcome.scale == "mean rank":
            # A ranks better than B, whose mean is the better one.
            assert "scores" not in sentence and "has a lower" not in sentence
            assert "ranks better than" in sentence or "No significant difference in" in sentence
            assert "mean rank" in sentence
            assert says(pair.conclusion.removeprefix(sentence), own)
        else:
            differences = table().pair(*pair.names).differences
            check_first_sentence(pair, -differences)
        assert quantity.is_difference or "does not estimate" in pair.conclusion


def test_plots_name_what_is_drawn(close_figures):
    pytest.importorskip("matplotlib")
    sample = dict(samples())["instance"]
    report = asked(stats.sign, sample)
    rows = [" ".join(row.get_text().split()) for row in report.plot().ax_.get_yticklabels()]
    assert "median difference and 95% interval" in rows
    a, b = errors()
    y = np.linspace(0, 1, len(a))
    outputs = {"A": y + a, "B": y + b, "C": y + 3 * b}
    several = skstat.compare_predictions(y, outputs, metric=METRIC, test="sign", random_state=0)
    axis = several.plot(kind="intervals").ax_.get_xlabel()
    assert axis.startswith(f"median difference in {METRIC} (lower is better)")
