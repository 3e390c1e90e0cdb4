"""Intervals of many comparisons, one row each."""

from itertools import pairwise

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")

import skstat  # noqa: E402
from skstat.display import IntervalsDisplay  # noqa: E402
from skstat.testing import HOSTILE, check_display  # noqa: E402

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


def test_names_on_two_lines_and_marks_that_turn_are_flattened():
    display = intervals(
        ["new\nline", "\u202eabc", ""], favours="a\nb\u202e better", metrics=["x\ny"] * 3
    )
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
    display = intervals(names, metrics=metrics, margins=[0.02] * n, favours="L" * 300)
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
    assert sorted(labels) == [pair[0] for pair in report.evidence.pairwise.pairs]
    estimates = {pair.names[0]: pair.estimate for pair in report}
    assert [estimates[label] for label in labels] == sorted(estimates.values(), reverse=True)
    assert ax.get_title("right") == "other better \N{RIGHTWARDS ARROW}"
    assert ax.get_title("left").startswith("\N{LEFTWARDS ARROW} criterion")
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
    numbered = {f"seed {place}": part for place, part in enumerate(parts, start=1)}
    seeds = skstat.ReportGrid(by="seed", systems=("a", "b"), reports=numbered).plot()
    assert seeds.labels == ["seed 2", "seed 3", "seed 1"]
    plt.close("all")


SCORES = {
    "estimates": [0.9, 0.88, 0.6, 0.5],
    "intervals": [(0.85, 0.95), (0.82, 0.94), (np.nan, np.nan), (0.4, 0.6)],
    "metrics": ["accuracy (higher is better)"] * 4,
    "notes": ["filled: may be the best"],
}
RANKS = {
    "labels": ["a", "a", "b", "b"],
    "estimates": [1, 2, 3, 4],
    "intervals": [(1, 2), (1, 2), (3, 4), (3, 4)],
    "metrics": ["rank (1 = best)"] * 4,
    "inner_intervals": [(1, 1), (1, 2), (3, 4), (3, 4)],
    "inner_name": "90% of resamples",
    "ranks": True,
    "notes": ["same letter: no significant difference"],
}


def board(names=("A", "$B$", "C", HOSTILE)):
    alike = {
        "confidence_level": 0.9,
        "estimated": "",
        "verdicts": ["better"] * 2 + ["undecided"] * 2,
        "zero": False,
    }
    ranks = IntervalsDisplay(**RANKS, **alike)
    return IntervalsDisplay(labels=names, beside=ranks, **SCORES, **alike)


def drawn(ax, gid=None):
    """Both ends of every line of an interval, or of what has an id."""
    lines = [line for line in ax.lines if len(line.get_xdata()) == 2 and line.get_gid() == gid]
    return [tuple(line.get_xdata()) for line in lines if line.get_linestyle() == "-"]


def test_other_estimates_stand_beside():
    display = board()
    check_display(display)
    scores, ranks = display.panels_
    assert drawn(scores) == [SCORES["intervals"][i] for i in (0, 1, 3)]
    assert drawn(ranks) == RANKS["intervals"]
    assert drawn(ranks, "inner interval") == RANKS["inner_intervals"]
    assert [text.get_text() for text in scores.get_yticklabels()][:2] == ["A", "$B$"]
    assert [text.get_text() for text in ranks.get_yticklabels()] == RANKS["labels"]
    points = [line for line in scores.lines if line.get_marker() in "^o"]
    assert [line.get_marker() for line in points] == ["^", "^", "o", "o"]
    said = [" ".join(ax.get_xlabel().split()) for ax in display.panels_]
    assert said[0] == "accuracy (higher is better), 90% interval filled: may be the best"
    assert said[1].startswith("rank (1 = best), 90% interval; thick: 90% of resamples")


@pytest.mark.long
@pytest.mark.parametrize("width", [None, 7.0, 3.3])
def test_texts_of_a_leaderboard_do_not_overlap(width, overlapping):
    names = [f"a-language-model-of-version-{number}.5-instruct" for number in range(4)]
    display = board(names).plot(width=width)
    display.figure_.canvas.draw()
    for panel in display.panels_:
        display.ax_ = panel
        assert not overlapping(display)
    one, two = (panel.xaxis.label.get_window_extent() for panel in display.panels_)
    assert one.x1 < two.x0
    plt.close("all")


@pytest.mark.long(keep=1)
def test_estimates_of_performance_have_training_scores_and_panels(overlapping):
    facts = {
        "labels": [HOSTILE, "x" * 300, "", "a"],
        "estimates": [0.8, 0.7, 0.6, 0.5],
        "intervals": [(0.75, 0.85), (np.nan, np.nan), (0.5, 0.7), (0.4, 0.6)],
        "confidence_level": 0.9,
        "estimated": "",
        "marks": [0.95, np.nan, 1.0, 1.0],
        "marks_name": "training score",
        "zero": False,
    }
    one = IntervalsDisplay(**facts, metrics=["$auc$"] * 4)
    check_display(one)
    assert drawn(one.ax_)[0] == (0.75, 0.85)
    crosses = [line for line in one.ax_.lines if line.get_gid() == "mark"]
    assert [line.get_xdata()[0] for line in crosses] == [0.95, 1.0, 1.0]
    said = " ".join(one.ax_.get_xlabel().split())
    assert said == "$auc$, 90% interval; cross: training score"
    low, high = one.ax_.get_xlim()
    assert 0 < low < 0.4 and high > 1  # not held against zero
    for width in (None, 3.3):
        several = IntervalsDisplay(**facts, metrics=["a" * 60, "b", "a" * 60, "c"])
        several.plot(width=width).figure_.canvas.draw()
        assert [len(ax.get_yticks()) for ax in several.panels_] == [2, 1, 1]
        texts = [panel.xaxis.label.get_window_extent() for panel in several.panels_]
        for above, below in pairwise(several.panels_):
            label = above.xaxis.label.get_window_extent()
            assert label.y0 > below.get_window_extent().y1
        assert min(box.y0 for box in texts) > 0
    plt.close("all")


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
