"""Intervals of many comparisons, one row each."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

pytest.importorskip("matplotlib.pyplot")

import skstat
from skstat.display import IntervalsDisplay
from tests.contract import HOSTILE, check_display
from tests.display.drawn import check_readable

LONG = "criterion=gini max_depth={} min_samples_leaf=10"


def intervals(labels, **changes):
    facts = {
        "labels": labels,
        "estimates": [0.01] * len(labels),
        "intervals": [(0.0, 0.02)] * len(labels),
        "confidence_level": 0.95,
        "favours": "tree better",
    }
    return IntervalsDisplay(**(facts | changes)).plot()


@pytest.mark.long(keep=1)
@pytest.mark.parametrize(
    "n, name, n_metrics",
    [
        (1, LONG, 1),
        (1, "L" * 300 + "{}", 1),
        (12, LONG, 2),
        (12, "L" * 300 + "{}", 1),
        pytest.param(60, LONG, 1, marks=pytest.mark.long),
        pytest.param(60, "L" * 300 + "{}", 2, marks=pytest.mark.long),
    ],
)
def test_every_text_of_long_intervals_is_on_the_figure(n, name, n_metrics):
    names = [name.format(i) for i in range(n)]
    metrics = [f"{'metric' * 5} {i % n_metrics}" for i in range(n)]
    favours = "L" * 72
    check_readable(intervals(names, metrics=metrics, margins=[0.02] * n, favours=favours))


def test_a_search_draws_who_may_be_best():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    search = GridSearchCV(tree, {"max_depth": [1, 2, 3]}, cv=10).fit(X, y)
    report = skstat.compare_search_candidates(search, random_state=0)
    display = report.plot(kind="best")
    found = dict(zip(display.labels, display.verdicts, strict=True))
    assert len(found) == 2 and report.control not in found
    lost = {label for label, verdict in found.items() if verdict == "worse"}
    assert lost == set(report.names) - set(report.may_be_best) == {"max_depth=1"}


@pytest.mark.parametrize("width", [None, 7.0, 3.3])
def test_texts_of_other_estimates_beside_do_not_overlap(width):
    alike = {"intervals": [(1, 2), (1, 2), (3, 4), (3, 4)], "confidence_level": 0.9}
    display = IntervalsDisplay(
        labels=[f"a-language-model-of-version-{number}.5-instruct" for number in range(4)],
        estimates=[1, 2, 3, 4],
        metrics=["accuracy (higher is better)"] * 4,
        notes=["filled: may be the best"],
        beside=IntervalsDisplay(
            labels=["a", "a", "ab", "b"],
            estimates=[1, 2, 3, 4],
            inner_intervals=[(1, 1), (1, 2), (3, 4), (3, 4)],
            inner_name="90% of resamples",
            ranks=True,
            notes=["same letter: no significant difference"],
            **alike,
        ),
        **alike,
    )
    check_readable(display.plot(width=width))


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("width", [None, 3.3])
@pytest.mark.parametrize("metrics", [["$auc$"] * 4, ["a" * 60, "b", "a" * 60, "c"]])
def test_every_metric_has_a_panel_and_a_scale_of_its_own(metrics, width):
    display = IntervalsDisplay(
        labels=[HOSTILE, "x" * 300, "", "a"],
        estimates=[0.8, 0.7, 0.6, 0.5],
        intervals=[(0.75, 0.85), (np.nan, np.nan), (0.5, 0.7), (0.4, 0.6)],
        confidence_level=0.9,
        metrics=metrics,
        estimated="",
        marks=[0.95, np.nan, 1.0, 1.0],
        marks_name="training score",
        zero=False,
    )
    check_display(display)
    check_readable(display.plot(width=width))
    assert [len(ax.get_yticks()) for ax in display.panels_] in ([4], [2, 1, 1])
    low, high = display.panels_[-1].get_xlim()
    assert 0 < low < 0.4 and high > 1  # not held against zero


def test_arrows_say_where_the_axis_cuts_an_interval_and_numbers_what_is_beyond():
    display = IntervalsDisplay(
        labels=[f"seed {i}" for i in range(12)],
        estimates=[0.01] * 10 + [0.0, 5.0],
        intervals=[(0.0, 0.02)] * 10 + [(-np.inf, 0.01), (4.0, 100.0)],
        confidence_level=0.95,
    ).plot()
    low, high = display.ax_.get_xlim()
    assert high - low < 1
    arrows = [line for line in display.ax_.lines if line.get_gid() == "cut"]
    at = [(line.get_marker(), line.get_xdata()[0], line.get_ydata()[0]) for line in arrows]
    assert at == [("<", low, 10), (">", high, 11)]
    texts = [(text.get_text().strip(), text.get_position()) for text in display.ax_.texts]
    assert texts == [("5", (high, 11))]
