"""Intervals of many comparisons, one row each."""

from itertools import pairwise

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")

import skstat  # noqa: E402
from skstat.display import IntervalsDisplay  # noqa: E402


def test_intervals_have_one_row_each():
    display = IntervalsDisplay(
        labels=["against a", "against $b$", "against c"],
        estimates=[0.01, -0.02, 0.3],
        intervals=[(0.0, 0.02), (-np.inf, 0.01), (np.nan, np.nan)],
        confidence_level=0.95,
        name="tree",
    ).plot()
    display.figure_.canvas.draw()
    assert len(display.ax_.get_yticks()) == 3
    assert np.isfinite(display.ax_.get_xlim()).all()


LONG = "criterion=gini max_depth={} min_samples_leaf=10"


def intervals(labels, **changes):
    facts = {
        "labels": labels,
        "estimates": [0.01] * len(labels),
        "intervals": [(0.0, 0.02)] * len(labels),
        "confidence_level": 0.95,
        "name": "tree",
    }
    return IntervalsDisplay(**(facts | changes)).plot()


def test_names_on_two_lines_and_marks_that_turn_are_flattened():
    display = intervals(["new\nline", "\u202eabc", ""], name="a\nb\u202e", metrics=["x\ny"] * 3)
    labels = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert labels == ["new line", "abc", "(no name)"]
    assert display.ax_.get_title("right") == "a b better \N{RIGHTWARDS ARROW}"
    assert display.ax_.get_xlabel().startswith("difference in x y,")


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
    display = intervals(names, metrics=metrics, margins=[0.02] * n, name="L" * 300)
    figure = display.figure_
    figure.canvas.draw()
    box = figure.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) > -0.05 and box.x1 < width + 0.05 and box.y1 < height + 0.05
    panels = display.ax_.child_axes or [display.ax_]
    for ax in panels:
        boxes = [label.get_window_extent() for label in ax.get_yticklabels()]
        assert all(above.y0 > below.y0 for above, below in pairwise(boxes))
        assert all(above.y0 >= below.y1 - 3 for above, below in pairwise(boxes))
    plt.close("all")


@pytest.mark.long
def test_many_intervals_are_lower_and_no_more_than_fit_have_names():
    few, some, most = (intervals(list(map(str, range(n)))) for n in (4, 40, 1200))
    heights = [display.figure_.get_figheight() for display in (few, some, most)]
    assert heights[1] < 4 * heights[0] and heights[2] < 45
    many = most.ax_
    assert 200 < len(many.get_yticks()) < 1200
    assert many.get_yticklabels()[1].get_text() == str(many.get_yticks()[1])
    assert many.get_ylim() == (1199.5, -0.5)


def test_intervals_say_whether_they_hold_at_once_and_whom_they_favour():
    display = intervals(["a"], simultaneous=True, favours="better than the best other")
    assert display.ax_.get_xlabel().endswith("simultaneous 95% interval")
    assert display.ax_.get_title("right") == "better than the best other \N{RIGHTWARDS ARROW}"
    assert "simultaneous" not in intervals(["a"]).ax_.get_xlabel()


def splits(names):
    drawn = np.random.default_rng(0)
    base = drawn.normal(0.8, 0.02, 12)
    return {name: base + drawn.normal(0, 0.01, 12) for name in names}


def test_rows_of_reports_name_the_control_once_and_differ():
    names = [LONG.format(i) for i in range(4)]
    facts = {"n_train": 180, "n_test": 20}
    report = skstat.compare_scores(splits(names), control=names[0], **facts)
    ax = report.plot(kind="intervals").ax_
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted(labels) == [pair[0] for pair in report.pairwise.pairs]
    estimates = {pair.names[0]: pair.estimate for pair in report}
    assert [estimates[label] for label in labels] == sorted(estimates.values(), reverse=True)
    assert ax.get_title("right").startswith("better than criterion")
    joint = skstat.compare_scores(splits("abc"), adjustment="max-t", **facts)
    ax = joint.plot(kind="intervals").ax_
    assert ax.get_xlabel().endswith("simultaneous 95% interval")
    assert ax.get_yticklabels()[0].get_text().count(" \N{MINUS SIGN} ") == 1
    ax = joint.plot().ax_
    assert ax.get_title("right") == "better than the best other \N{RIGHTWARDS ARROW}"
    assert "from the best other, simultaneous 95%" in ax.get_xlabel().replace("\n", " ")
    plt.close("all")


def test_a_search_draws_who_may_be_best_and_seeds_have_numbers():
    pytest.importorskip("matplotlib")
    from sklearn.datasets import load_iris
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0)
    search = GridSearchCV(tree, {"max_depth": [1, 2, 3]}, cv=10).fit(X, y)
    report = skstat.compare_search_candidates(search, random_state=0)
    display = report.plot(kind="best")
    assert len(display.labels) == 2 and report.control not in display.labels
    lost = {
        label for label, v in zip(display.labels, display.verdicts, strict=True) if v == "worse"
    }
    assert lost == set(report.names) - set(report.may_be_best) == {"max_depth=1"}
    assert np.shape(report.plot(kind="pvalues").values) == (3, 3)
    parts = tuple(
        skstat.compare_scores(
            splits("ab") | {"b": splits("ab")["b"] + by}, n_train=180, n_test=20
        )
        for by in (0.01, -0.02, 0.0)
    )
    seeds = skstat.SeedsReport(names=("a", "b"), reports=parts).plot()
    assert seeds.labels == ["seed 2", "seed 3", "seed 1"]
    plt.close("all")
