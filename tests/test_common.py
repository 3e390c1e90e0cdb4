"""Every procedure, report form and display is found by itself and held to one contract."""

import inspect
import warnings
from functools import partial
from typing import get_args, get_type_hints

import numpy as np
import pytest

import skstat
import skstat.display
from skstat import stats
from skstat.stats import PairedScores, RowContributions, Scores, ScoreTable
from tests.cases import in_one_test
from tests.contract import HOSTILE, check_display, check_procedure, check_report, procedures

rng = np.random.default_rng(7)


def scores(n):
    a = rng.normal(0.80, 0.02, n)
    return a, a - rng.normal(0.01, 0.02, n)


def fold_scores(n_repeats, n_rows, **options):
    folds = np.array([rng.permutation(n_rows) % 2 for _ in range(n_repeats)])
    a, b = (each.reshape(n_repeats, n_rows) for each in scores(n_repeats * n_rows))
    return PairedScores.from_row_scores(a, b, folds, **options)


SAMPLES = {
    "random splits": PairedScores(*scores(30), n_train=200, n_test=100),
    "10x10": PairedScores(*scores(100), n_repeats=10, n_train=270, n_test=30),
    "5x2": PairedScores(*scores(10), n_repeats=5),
    "pairs of blocks": PairedScores(*scores(56), n_train=75, n_test=12, n_blocks=8),
    "halves": fold_scores(15, 40),
    "halves of groups": fold_scores(5, 30, groups=range(30)),
    "instances": PairedScores(*scores(15), unit="instance"),
    "groups": PairedScores(*scores(24), groups=np.arange(24) // 3),
    "many instances": PairedScores(*scores(60), unit="instance"),
    "ordered instances": PairedScores(*scores(30), unit="instance", ordered=True),
    "right or wrong": PairedScores(
        [1, 1, 0, 1, 1, 0, 1], [1, 0, 0, 1, 0, 1, 0], unit="instance"
    ),
    "seeds": PairedScores(*scores(8), unit="seed"),
    "data sets": PairedScores(*scores(12), unit="dataset"),
    "strengths": PairedScores(*scores(40), unit="instance", n_items=40),
}


ALTERNATIVES = ("two-sided", "greater", "less")


def suits(procedure, sample):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)
            procedure(sample)
    except ValueError:
        return False
    return True


CASES = [
    pytest.param(procedure, sample, id=f"{name}, {kind}")
    for name, procedure in procedures().items()
    for kind, sample in SAMPLES.items()
    if suits(procedure, sample)
]


def test_every_procedure_has_a_case():
    assert {case.values[0] for case in CASES} == {*procedures().values()} != set()


@in_one_test("procedure, sample", CASES)
def test_procedure(procedure, sample):
    check_procedure(procedure, sample)


# Every direction, and margins that are too narrow and wide enough.
ASKED = [
    *((alternative, None) for alternative in ALTERNATIVES),
    ("two-sided", 0.03),
    ("two-sided", 10.0),
    ("greater", 0.03),
    ("less", 10.0),
]
FIRST = list({id(case.values[0]): case for case in reversed(CASES)}.values())


@pytest.mark.long(keep=11)
@pytest.mark.parametrize(
    "procedure, sample, alternative, margin",
    [
        pytest.param(*case.values, *asked, id=f"{case.id}, {asked[0]}, {asked[1]}")
        for number, case in enumerate(CASES)
        # All is asked of the first sample of a procedure, of the others a direction in turn.
        for asked in (ASKED if case in FIRST else (ASKED[number % 3], ASKED[3]))
    ],
)
def test_report_of_every_procedure(procedure, sample, margin, alternative):
    if procedure is stats.five_by_two_f and alternative != "two-sided":
        pytest.skip("F has no direction")
    report = skstat.compare_scores(
        sample,
        test=procedure,
        alternative=alternative,
        margin=margin,
        scoring="neg_<b>log</b>",
    )
    check_report(report)
    assert "<script" not in report.to_html() and "<b>log" not in report.to_html()


def degenerate_reports(**margin):
    same = np.full(10, 0.7)
    compare_scores = partial(skstat.compare_scores, **margin)
    yield compare_scores(PairedScores(same, same, n_repeats=1))
    yield compare_scores(PairedScores(same, same, n_repeats=5))
    yield compare_scores(PairedScores(same + 0.3, same, n_repeats=1))
    yield compare_scores(PairedScores(same + 0.3, same, n_repeats=5))
    yield compare_scores(PairedScores([0.9, 0.8], [0.7, 0.5], unit="dataset"))
    folds = np.array([[0, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1]])
    rows = np.full(folds.shape, 0.7)
    for gap in (0, 0.3):
        yield compare_scores(PairedScores.from_row_scores(rows + gap, rows, folds))
    yield compare_scores(Scores(same + 0.3, n_repeats=1), constant=0.5)
    yield compare_scores(Scores(same, n_repeats=1), constant=0.7)


@pytest.mark.parametrize("report", [*degenerate_reports(), *degenerate_reports(margin=0.1)])
def test_degenerate_report(report):
    check_report(report)
    assert report.doubts


def by_metric_and_seed():
    truth, drawn = [1, 0, 1, 1] * 6, np.random.default_rng(3)
    predicted = {name: drawn.integers(0, 2, (2, 24)) for name in (HOSTILE, "$")}
    how = {"metric": ["accuracy", "f1"], "seeds": "per-seed", "random_state": 0}
    return skstat.compare_predictions(truth, predicted, **how)


def test_reports_of_seeds_and_of_metrics():
    report = by_metric_and_seed()
    assert (report.by, report["f1"].by) == ("metric", "seed")
    check_report(report)


def table_of(n, names, seed=0, **options):
    drawn = np.random.default_rng(seed)
    level = drawn.uniform(0.6, 0.9, (n, 1)) - 0.02 * np.arange(len(names))
    scores = level + drawn.normal(0, 0.015, (n, len(names)))
    return ScoreTable(scores, systems=names, unit="dataset", **options)


HOSTILE_NAMES = (HOSTILE, "", "x" * 300, "$\\alpha_1$")
CONTROL = HOSTILE_NAMES[1]


# Cochran's Q is for scores that are right or wrong, which those of data sets are not.
OMNIBUS = [
    *sorted({*procedures(stats.OmnibusOutcome, ScoreTable)} - {"cochran_q"}),
    *stats.friedman.declared.variants,
]
OF_PAIRS = ("wilcoxon", "sign", "sign_flip", "paired_t")
OF_TABLES = {
    variant: function
    for name, function in procedures(stats.PairwiseOutcome, ScoreTable).items()
    if function is not stats.pairwise
    for variant in (name.removeprefix("pairwise_"), *function.declared.variants)
}
ADJUSTABLE = {
    name
    for name, function in OF_TABLES.items()
    if "adjustment" in inspect.signature(function).parameters
}
ADJUSTMENTS = get_args(get_type_hints(stats.adjust_pvalues)["method"])
PAIRS = list(dict.fromkeys([*OF_PAIRS, *sorted(ADJUSTABLE)]))


def test_every_post_hoc_is_tried():
    assert {*OF_TABLES} - ADJUSTABLE == {"nemenyi", "bonferroni_dunn"}


@pytest.mark.long(keep=7)
@pytest.mark.parametrize("post_hoc", ["nemenyi", *PAIRS])
@pytest.mark.parametrize("adjustment", ["auto", *ADJUSTMENTS])
def test_report_of_every_post_hoc_and_adjustment(post_hoc, adjustment):
    table = table_of(9, "PQR")
    asked = partial(skstat.compare_scores, table, confidence_level=0.9)
    if post_hoc == "nemenyi" and adjustment != "auto":
        with pytest.raises(ValueError, match="has an adjustment of its own"):
            asked(test=post_hoc, adjustment=adjustment)
        return
    report = asked(test=post_hoc, adjustment=adjustment)
    # What a form says of one of them does not rest on the other.
    if post_hoc == OF_PAIRS[0] or adjustment == "auto":
        check_report(report)
    expected = {"auto": "studentized range" if post_hoc == "nemenyi" else "holm"}
    assert report.adjustment == expected.get(adjustment, adjustment)
    assert {"better", "worse"} & {*report.verdicts}


@pytest.mark.long(keep=5)
@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize("test", OMNIBUS)
def test_report_of_every_test_of_all_at_once(test, higher_is_better):
    table = table_of(12, HOSTILE_NAMES, higher_is_better=higher_is_better)
    report = skstat.compare_scores(table, test=test, scoring="<b>log</b>")
    check_report(report)
    assert "<script" not in report.to_html() and "<b>log" not in report.to_html()
    assert report.lower is not higher_is_better


@pytest.mark.parametrize("post_hoc", ["bonferroni_dunn", *PAIRS])
def test_report_of_every_comparison_with_a_control(post_hoc):
    report = skstat.compare_scores(table_of(12, HOSTILE_NAMES), control=CONTROL, test=post_hoc)
    check_report(report)
    assert {*report.pairs.column("second")} == {CONTROL}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("control", [None, CONTROL])
@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("test", OF_PAIRS)
def test_report_of_one_sided_questions(test, alternative, control):
    for seed in range(3):
        report = skstat.compare_scores(
            table_of(8, HOSTILE_NAMES, seed=seed),
            test=test,
            alternative=alternative,
            control=control,
        )
        check_report(report)


def degenerate_tables():
    names = ["P", "Q", "R"]
    ranks = np.array([[3.0, 2, 1]])
    yield "all tied", np.full((8, 3), 0.7)
    yield "one data set", ranks
    yield "two data sets", np.repeat(ranks, 2, axis=0)
    yield "perfect agreement", np.repeat(ranks, 8, axis=0) + np.arange(8)[:, None]
    yield "the same mean ranks", np.array([[1.0, 2, 3], [2, 3, 1], [3, 1, 2]] * 4)
    yield "identical columns", table_of(9, names).scores[:, [0, 0, 1]]
    yield "one differs", table_of(9, names).scores[:, [0, 0, 0]] + np.array([0, 0, 0.01])
    yield "two systems", table_of(9, names).scores[:, :2]


@pytest.mark.long(keep=14)
@pytest.mark.parametrize("post_hoc", ["nemenyi", *PAIRS])
@pytest.mark.parametrize("name, scores", list(degenerate_tables()))
def test_report_of_degenerate_tables(name, scores, post_hoc):
    table = ScoreTable(scores, systems=list("PQR")[: scores.shape[1]], unit="dataset")
    asked = partial(skstat.compare_scores, table, test=post_hoc)
    ties = table.ties().sum() > len(scores) * table.n_systems
    if post_hoc == "exact_mean_ranks" and ties:
        with pytest.raises(ValueError, match="without ties"):
            asked()
        return
    if name == "one data set":  # nothing shows how much another one would differ
        with pytest.raises(ValueError, match="at least 2 data sets"):
            asked()
        return
    report = asked()
    check_report(report)
    if name == "all tied":
        assert any(no in report.conclusion for no in ("o significant diff", "no rejection"))


def test_report_of_tables_with_gaps():
    scores = table_of(12, "PQRS").scores.copy()
    scores[2, 1] = scores[5, 3] = np.nan
    table = ScoreTable(scores, systems=list("PQRS"), unit="dataset")
    check_report(skstat.compare_scores(table))
    check_report(skstat.compare_scores(table, test="skillings_mack"))


def fold_table(names, n_repeats=15, n_rows=40):
    sample = fold_scores(n_repeats, n_rows)
    gaps = 0.02 * np.arange(len(names))
    values = rng.normal(0.8, 0.1, (n_repeats, n_rows, len(names))) - gaps
    rows = RowContributions(values, sample.rows.folds)
    means = rows.fold_means(values).reshape(-1, len(names))
    return ScoreTable(means, rows=rows, systems=names, n_repeats=n_repeats)


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("asked", [{}, {"adjustment": "max-t"}, {"control": CONTROL}], ids=str)
@pytest.mark.parametrize("margin", [None, 0.5])
def test_report_of_several_systems_on_halves(asked, margin):
    asked = asked | {"scoring": "<b>log</b>", "margin": margin, "random_state": 0}
    report = skstat.compare_scores(fold_table(HOSTILE_NAMES), **asked)
    assert "projection" in report.test
    check_report(report)
    assert "<b>log" not in report.to_html()


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_report_of_one_system_on_halves(alternative):
    table = fold_table(["a", "b"])
    rows = table.rows.of([0])
    sample = Scores(table.scores[:, 0], rows=rows, n_repeats=15)
    report = skstat.compare_scores(sample, constant=0.75, alternative=alternative)
    assert "projection" in report.test
    check_report(report)


def tables():
    table = table_of(9, HOSTILE_NAMES)
    yield skstat.compare_scores(table, scoring=HOSTILE)
    yield skstat.compare_scores(table, test="nemenyi")
    yield skstat.compare_scores(table, test="bonferroni_dunn", control=CONTROL)
    yield skstat.compare_scores(table, test="sign", control=CONTROL)
    yield skstat.compare_scores(np.full((8, 3), 0.7), unit="dataset")


def pictures():
    """Every kind of picture of reports and of curves, with names that would break out."""
    truth = [1, 0, 1, 1] * 6
    labels = {HOSTILE: [1, 0, 1, 0] * 6, "$": [0, 0, 1, 1, 1, 1] * 4}
    scores = {name: np.add(own, np.arange(24) / 30) for name, own in labels.items()}
    drawn = {"random_state": 0, "n_resamples": 99}
    ranked = {HOSTILE: [0.9, 0.8] * 9, "_": [0.8, 0.9] * 9, "$": [0.1, 0.2, 0.3] * 6}
    table = dict(zip(HOSTILE_NAMES, table_of(9, HOSTILE_NAMES).scores.T, strict=True))
    over = partial(skstat.compare_scores, unit="dataset", rope=0.01, scoring=HOSTILE)
    two = {name: table[name] for name in HOSTILE_NAMES[::2]}
    pair = SAMPLES["random splits"]
    splits = dict(zip((HOSTILE, "$"), (pair.a, pair.b), strict=True))
    for report, kinds in (
        (
            skstat.compare_scores(splits, n_train=200, n_test=100, rope=0.01),
            ("differences", "intervals", "posterior"),
        ),
        (by_metric_and_seed()["f1"], ("intervals",)),
        (skstat.mcnemar_test(table=[[54, 18], [6, 22]], names=(HOSTILE, "B")), ("intervals",)),
        (skstat.compare_predictions(truth, labels, metric="f1", **drawn), ("differences",)),
        (over(two, random_state=0), ("posterior", "simplex")),
        *((report, ("cd", "intervals", "pvalues", "wins", "scores")) for report in tables()),
        (
            skstat.rank_systems(ranked, unit="instance", **drawn),
            ("leaderboard", "best", "intervals", "pvalues"),
        ),
        *((report, ("differences",)) for report in degenerate_reports()),
    ):
        for kind in kinds:
            yield report.plot(kind=kind)
    yield skstat.comparison.compare_curves(truth, scores).plot()
    yield skstat.plan_comparison("scores", unit="instance", difference=0.1, sd=0.2).plot()
    yield skstat.comparison.compare_cost_curves(truth, scores, **drawn).plot()


@pytest.mark.long
def test_displays():
    plt = pytest.importorskip("matplotlib.pyplot")
    found = set()
    for display in pictures():
        check_display(display)
        found.add(type(display).__name__)
        plt.close("all")
    assert found == set(skstat.display.__all__)
