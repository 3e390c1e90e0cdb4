"""Every procedure, report form and display is found by itself and held to one contract."""

import inspect
import warnings

import numpy as np
import pytest

import skstat
import skstat.display
from skstat import stats
from skstat.comparison._ask import procedures_by_name
from skstat.stats import PairedScores, Scores
from skstat.testing import HOSTILE, check_display, check_procedure, check_report

rng = np.random.default_rng(7)


def scores(n):
    a = rng.normal(0.80, 0.02, n)
    return a, a - rng.normal(0.01, 0.02, n)


SAMPLES = {
    "random splits": PairedScores(*scores(30), n_train=200, n_test=100),
    "10x10": PairedScores(*scores(100), n_repeats=10, n_train=270, n_test=30),
    "5x2": PairedScores(*scores(10), n_repeats=5),
    "instances": PairedScores(*scores(15), unit="instance"),
    "many instances": PairedScores(*scores(60), unit="instance"),
    "ordered instances": PairedScores(*scores(30), unit="instance", ordered=True),
    "right or wrong": PairedScores(
        [1, 1, 0, 1, 1, 0, 1], [1, 0, 0, 1, 0, 1, 0], unit="instance"
    ),
    "seeds": PairedScores(*scores(8), unit="seed"),
    "data sets": PairedScores(*scores(12), unit="dataset"),
}


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
    for name, procedure in procedures_by_name().items()
    for kind, sample in SAMPLES.items()
    if suits(procedure, sample)
]


def test_every_procedure_has_a_case():
    covered = {case.values[0] for case in CASES}
    assert covered == set(procedures_by_name().values())
    assert len(covered) >= 8


@pytest.mark.parametrize("procedure, sample", CASES)
def test_procedure(procedure, sample):
    check_procedure(procedure, sample)


@pytest.mark.parametrize("names", [("tree", "naive Bayes"), (HOSTILE, "x" * 300)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("procedure, sample", CASES)
def test_report_of_every_procedure(procedure, sample, alternative, names):
    if procedure is stats.five_by_two_f and alternative != "two-sided":
        pytest.skip("F has no direction")
    report = skstat.compare_scores(
        sample, test=procedure, names=names, alternative=alternative, scoring="neg_<b>log</b>"
    )
    check_report(report)
    assert "<script" not in report.to_html() and "<b>log" not in report.to_html()


def degenerate_reports():
    same = np.full(10, 0.7)
    yield skstat.compare_scores(PairedScores(same, same, n_repeats=1))
    yield skstat.compare_scores(PairedScores(same, same, n_repeats=5))
    yield skstat.compare_scores(PairedScores(same + 0.3, same, n_repeats=1))
    yield skstat.compare_scores(PairedScores(same + 0.3, same, n_repeats=5))
    yield skstat.compare_scores(PairedScores([0.9, 0.8], [0.7, 0.5], unit="dataset"))
    yield skstat.compare_scores(Scores(same + 0.3, n_repeats=1), constant=0.5)
    yield skstat.compare_scores(Scores(same, n_repeats=1), constant=0.7)


@pytest.mark.parametrize("report", list(degenerate_reports()))
def test_degenerate_report(report):
    check_report(report)
    assert report.doubts


def test_family_and_metrics_reports():
    parts = [
        skstat.compare_scores(SAMPLES["random splits"], names=("A", b)) for b in ("B", "C")
    ]
    family = skstat.FamilyReport.adjust(parts)
    check_report(family)
    check_report(skstat.MetricsReport(reports={"one": parts[0], "two": family}))


def displays():
    pytest.importorskip("matplotlib")
    parts = [
        skstat.compare_scores(SAMPLES["random splits"], names=(HOSTILE, b)) for b in ("B", "$")
    ]
    family = skstat.FamilyReport.adjust(parts)
    right = skstat.mcnemar_test(table=[[54, 18], [6, 22]], names=(HOSTILE, "B"))
    truth, predicted = (
        [1, 0, 1, 1] * 6,
        {HOSTILE: [1, 0, 1, 0] * 6, "$": [0, 0, 1, 1, 1, 1] * 4},
    )
    resampled = skstat.compare_predictions(truth, predicted, metric="f1", random_state=0)
    reports = [parts[0], family, right, resampled, *degenerate_reports()]
    for report in reports:
        yield report.plot()
    names, ranks = [HOSTILE, "$", "C"], np.array([[1.0, 2.5, 2.5], [2.0, 1.0, 3.0]])
    yield skstat.display.CriticalDifferenceDisplay(
        names=names,
        mean_ranks=[1.5, 1.75, 2.75],
        groups=[(HOSTILE, "$"), ("$", "C")],
        critical_difference=1.2,
        undrawn=[(HOSTILE, "C")],
        families=dict.fromkeys(names, HOSTILE),
        test=HOSTILE,
    )
    yield skstat.display.RankIntervalsDisplay(
        names=names,
        mean_ranks=[1.5, 1.75, 2.75],
        critical_difference=1.2,
        confidence_level=0.95,
        control=HOSTILE,
    )
    yield skstat.display.RankDistributionDisplay(ranks=ranks, names=names)
    yield skstat.display.WinTieLossDisplay(
        names=names, wins=np.eye(3)[::-1], ties=np.zeros((3, 3)), metric=HOSTILE
    )
    yield skstat.display.ScoreHeatmapDisplay(
        scores=-ranks, ranks=ranks, names=names, datasets=[HOSTILE, "$"], metric=HOSTILE
    )


@pytest.mark.usefixtures("close_figures")
def test_displays():
    found = set()
    for display in displays():
        check_display(display)
        found.add(type(display).__name__)
        display.figure_.clear()
        pytest.importorskip("matplotlib.pyplot").close("all")
    assert found == set(skstat.display.__all__)


def test_public_names_exist_and_are_documented():
    for module in (skstat, stats, skstat.display):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) or inspect.isclass(value):
                assert inspect.getdoc(value), f"{name} has no docstring"


def test_public_functions_have_runnable_examples():
    for module in (skstat, stats):
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value):
                assert ">>>" in inspect.getdoc(value), f"{name} has no example"
