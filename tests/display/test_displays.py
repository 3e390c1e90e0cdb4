"""Displays draw what they were given."""

from itertools import combinations, pairwise

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")

import skstat  # noqa: E402
from skstat.display import (  # noqa: E402
    AgreementDisplay,
    CriticalDifferenceDisplay,
    CurveDifferenceDisplay,
    CurvesDisplay,
    IntervalsDisplay,
    PairedDifferencesDisplay,
    PerformanceDisplay,
    RankDistributionDisplay,
    RankIntervalsDisplay,
    ResamplingDisplay,
    ScoreHeatmapDisplay,
    WinTieLossDisplay,
)
from skstat.testing import HOSTILE, check_display  # noqa: E402


def paired(n=100, **changes):
    d = np.random.default_rng(0).normal(0.01, 0.02, n)
    facts = {
        "differences": d,
        "estimate": float(d.mean()),
        "interval": (-0.002, 0.02),
        "confidence_level": 0.95,
        "names": ("tree", "$bayes$"),
        "metric": "roc_auc",
        "unit": "split",
    }
    return PairedDifferencesDisplay(**(facts | changes)).plot()


def test_every_difference_is_a_dot_and_no_two_overlap():
    display = paired(100)
    offsets = np.asarray(display.dots_.get_offsets())
    np.testing.assert_allclose(offsets[:, 0], display.differences)
    assert len({(round(x, 6), y) for x, y in offsets}) == 100


def test_zero_is_always_in_view():
    display = paired(
        differences=np.array([0.5, 0.51, 0.52]), estimate=0.51, interval=(0.4, 0.6)
    )
    low, high = display.ax_.get_xlim()
    assert low < 0 < 0.6 < high


@pytest.mark.parametrize(
    "interval", [(np.nan, np.nan), (-np.inf, np.inf), (0.001, np.inf), (0.0, 0.0)]
)
def test_open_and_missing_limits(interval):
    display = paired(12, interval=interval)
    display.figure_.canvas.draw()
    assert np.all(np.abs(display.ax_.get_xlim()) < 1)


def test_identical_scores():
    display = paired(differences=np.zeros(30), estimate=0.0, interval=(0.0, 0.0))
    display.figure_.canvas.draw()
    assert len(display.dots_.get_offsets()) == 30


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
    sides = paired(names=("", "new\nline\u202e"), metric="x\ny").ax_
    assert sides.get_title("right") == "(no name) better \N{RIGHTWARDS ARROW}"
    assert sides.get_title("left") == "\N{LEFTWARDS ARROW} new line better"
    assert sides.get_xlabel().startswith("difference in x y (A")


@pytest.mark.parametrize("n", [1, 12, pytest.param(60, marks=pytest.mark.any_versions)])
@pytest.mark.parametrize("name", [LONG, "L" * 300 + "{}"])
@pytest.mark.parametrize("n_metrics", [1, 2])
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


def test_many_intervals_are_lower_and_no_more_than_fit_have_names():
    heights = [
        intervals(list(map(str, range(n)))).figure_.get_figheight() for n in (4, 40, 1200)
    ]
    assert heights[1] < 4 * heights[0] and heights[2] < 45
    many = intervals(list(map(str, range(1200)))).ax_
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
    assert labels == [pair[0] for pair in report.pairwise.pairs]
    assert ax.get_title("right").startswith("better than criterion")
    joint = skstat.compare_scores(splits("abc"), adjustment="max-t", **facts)
    ax = joint.plot(kind="intervals").ax_
    assert ax.get_xlabel().endswith("simultaneous 95% interval")
    assert ax.get_yticklabels()[0].get_text().count(" against ") == 1
    ax = joint.plot().ax_
    assert ax.get_title("right") == "better than the best other \N{RIGHTWARDS ARROW}"
    assert "from the best other, simultaneous 95%" in ax.get_xlabel().replace("\n", " ")
    plt.close("all")


@pytest.mark.parametrize(
    "n, unit, words", [(14, "dataset", "14 data sets"), (1, "seed", "1 seed")]
)
def test_dots_are_counted_in_words(n, unit, words):
    legend = paired(n, unit=unit).ax_.get_legend().get_texts()
    assert legend[0].get_text() == words


def resampling(replicates, **changes):
    facts = {
        "replicates": np.asarray(replicates, dtype=float),
        "estimate": 0.02,
        "interval": (0.005, 0.035),
        "confidence_level": 0.95,
        "names": ("tree", "$bayes$"),
        "metric": "f1_macro",
    }
    return ResamplingDisplay(**(facts | changes)).plot()


def heights(display):
    return [bar.get_height() for bar in display.bars_]


def texts(display):
    ax = display.ax_
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    return [text.get_text() for text in ax.texts] + legend


CLOUDS = {
    "ten": np.random.default_rng(0).normal(0.02, 0.01, 10),
    "many": np.random.default_rng(0).normal(0.02, 0.01, 100_000),
    "few steps": np.random.default_rng(0).binomial(30, 0.6, 9999) / 30 - 0.5,
    "many steps": np.random.default_rng(0).binomial(5000, 0.6, 9999) / 5000 - 0.5,
    "ten in steps": np.array([-3, -3, 0, 1, 1, 2, 5, 7, 8, 8]) / 100,
    "last bin sticks out": np.array([0, 1, 2, 4, 6, 8, 9, 11, 13, 15]) / 100,
    "heavy tails": np.random.default_rng(0).standard_t(1, 9999),
    "two values": np.array([0.0, 0.0, 0.1, 0.1, 0.1]),
    "one value": np.full(999, 0.02),
    "zeros": np.zeros(99),
    "irregular values": np.tile([0.0, 0.001, 0.1, 0.7], 50),
}


@pytest.mark.parametrize("replicates", CLOUDS.values(), ids=CLOUDS)
def test_every_replicate_is_in_a_bar_in_view(replicates):
    display = resampling(replicates)
    assert sum(heights(display)) == len(replicates)
    low, high = display.ax_.get_xlim()
    assert low < min(bar.get_x() for bar in display.bars_)
    assert max(bar.get_x() + bar.get_width() for bar in display.bars_) < high
    assert low < 0 < high
    check_display(display)


def test_few_different_values_get_a_bar_each_with_a_gap_between():
    display = resampling(CLOUDS["few steps"])
    values, counts = np.unique(CLOUDS["few steps"], return_counts=True)
    assert heights(display) == counts.tolist()
    centres = [bar.get_x() + bar.get_width() / 2 for bar in display.bars_]
    np.testing.assert_allclose(centres, values, atol=1e-9)
    assert display.bars_[0].get_width() < 1 / 30


def test_float_noise_makes_no_bars_of_its_own():
    values = np.repeat([-0.25, 0.1, 0.25], 50)
    noise = np.random.default_rng(0).normal(0, 1e-16, 150)
    assert heights(resampling(values + noise)) == [50, 50, 50]


def test_bins_of_stepped_values_hold_whole_steps():
    # One of each value: bins that hold as many values are as high, but for the last.
    display = resampling(np.repeat(np.arange(100) / 1000, 3))
    assert len(set(heights(display)[:-1])) == 1


def test_a_few_outliers_do_not_make_the_bulk_one_bar():
    bulk = np.random.default_rng(0).normal(0, 0.01, 9997)
    display = resampling([*bulk, -1.0, 0.9, 1.0])
    assert max(heights(display)) < 0.5 * 9999


def test_identical_systems_have_no_replicates():
    display = resampling([], estimate=0.0, interval=(0.0, 0.0))
    check_display(display)
    assert len(display.bars_) == 0
    assert "no resample could differ" in texts(display)


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0.005, 0.035), "observed difference and 95% interval"),
        ((0.005, np.inf), "observed difference and one-sided 95% interval"),
        ((-np.inf, 0.03), "observed difference and one-sided 95% interval"),
        ((np.nan, np.nan), "observed difference (no interval exists)"),
    ],
)
def test_the_legend_says_what_the_interval_is(interval, words):
    display = resampling(CLOUDS["ten"], interval=interval)
    check_display(display)
    assert words in texts(display)
    assert np.all(np.abs(display.ax_.get_xlim()) < 1)


def test_sides_say_whom_they_favour():
    display = resampling(CLOUDS["ten"])
    assert display.ax_.get_title("left") == "\N{LEFTWARDS ARROW} $bayes$ better"
    assert display.ax_.get_title("right") == "tree better \N{RIGHTWARDS ARROW}"
    assert repr(display) == "<ResamplingDisplay of 'tree' and '$bayes$'>"


def test_long_names_do_not_meet():
    display = resampling(CLOUDS["ten"], names=("W" * 300, "W" * 301), metric=HOSTILE)
    display.figure_.canvas.draw()
    left, right = display.ax_._left_title, display.ax_._right_title
    assert left.get_window_extent().x1 < right.get_window_extent().x0


def agreement(both, only_a, only_b, neither, **changes):
    facts = {"names": ("tree", "$bayes$")} | changes
    return AgreementDisplay(
        both=both, only_a=only_a, only_b=only_b, neither=neither, **facts
    ).plot()


def test_tiles_say_counts_and_shares_in_their_places():
    display = agreement(540, 180, 60, 220)
    assert texts(display)[:8] == [
        *("540", "54.0%", "180", "18.0%"),
        *("60", "6.0%", "220", "22.0%"),
    ]
    ax = display.ax_
    places = [ax.transData.transform(text.get_position()) for text in ax.texts[::2]]
    (both, only_a, only_b, _) = places
    assert only_a[0] > both[0] and only_a[1] == both[1]  # same row: A is right
    assert only_b[0] == both[0] and only_b[1] < both[1]  # same column: B is right
    assert ax.get_ylabel() == "tree (accuracy 72.0%)"
    assert ax.get_xlabel() == "$bayes$ (accuracy 60.0%)"
    assert repr(display) == "<AgreementDisplay of 'tree' and '$bayes$'>"


def test_more_instances_are_darker_and_only_disagreement_is_framed():
    display = agreement(540, 180, 60, 220)
    grey = [np.dot(tile.get_facecolor()[:3], (0.3, 0.6, 0.1)) for tile in display.tiles_]
    assert np.argsort(grey).tolist() == [0, 3, 1, 2]
    assert [tile.get_edgecolor()[3] for tile in display.tiles_] == [0, 1, 1, 0]


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ((999_999, 1, 0, 0), ["999,999", "> 99.9%", "1", "< 0.1%", "0", "0%", "0", "0%"]),
        ((0, 0, 0, 7), ["0", "0%", "0", "0%", "0", "0%", "7", "100%"]),
        ((1_000_000, 0, 0, 0), ["1,000,000", "100%", "0", "0%", "0", "0%", "0", "0%"]),
    ],
)
def test_only_nothing_is_zero_percent_and_only_all_is_hundred(counts, shown):
    display = agreement(*counts)
    check_display(display)
    assert texts(display)[:8] == shown


def test_agreement_of_hostile_names():
    check_display(agreement(5, 4, 3, 2, names=(HOSTILE, "x" * 300), metric=HOSTILE))


def critical_difference(ax=None, **changes):
    facts = {
        "names": ["A", "B", "C"],
        "mean_ranks": [1.0, 2.125, 2.875],
        "groups": [("A", "B"), ("B", "C")],
        "critical_difference": 1.657,
    }
    display = CriticalDifferenceDisplay(**(facts | changes)).plot(ax)
    display.figure_.canvas.draw()
    return display


TWENTY = {
    "names": [f"HistGradientBoostingClassifier({i})" for i in range(18)] + ["A", HOSTILE],
    "mean_ranks": [*np.linspace(4, 9, 8), 9.0, 9.0, 9.0, *np.linspace(11, 17, 7), 4.0, 17.0],
}


def lines(display):
    return [line for line in display.ax_.lines if line not in display.bars_]


def words(display):
    return " ".join(" ".join(text.get_text() for text in display.ax_.texts).split())


def overlapping(display):
    """Pairs of texts whose boxes meet."""
    ax = display.ax_
    drawn = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label]
    if ax.get_legend():
        drawn += ax.get_legend().get_texts()
    boxes = [(t.get_text(), t.get_window_extent().padded(-1)) for t in drawn if t.get_text()]
    return [(a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)]


def sticking_out(display):
    figure = display.figure_
    box = figure.bbox.padded(2)
    drawn = [*display.ax_.texts, display.ax_.xaxis.label]
    ends = [corner for text in drawn for corner in text.get_window_extent().get_points()]
    return [end for end in ends if not box.contains(*end)]


@pytest.mark.parametrize("best", ["right", "left"])
def test_leaders_start_at_the_mean_ranks_and_rank_one_is_where_it_is_said(best):
    display = critical_difference(best=best)
    starts = {line.get_xdata()[0] for line in lines(display) if len(line.get_xdata()) == 3}
    assert starts == {1.0, 2.125, 2.875}
    assert display.ax_.get_xlabel() == f"mean rank (1 = best, at the {best})"
    place = {t.get_text(): t.get_window_extent().x0 for t in display.labels_}
    assert (place["A"] > place["C"]) == (best == "right")
    assert [text.get_text() for text in display.labels_] == ["A", "B", "C"]


def test_bars_reach_from_the_best_to_the_worst_of_a_group():
    display = critical_difference(groups=[("A", "B"), ("C", "B"), ("A",)])
    assert [tuple(bar.get_xdata()) for bar in display.bars_] == [(1.0, 2.125), (2.125, 2.875)]


def test_the_ruler_is_a_critical_difference_long():
    display = critical_difference()
    (ruler,) = [line for line in lines(display) if len(line.get_xdata()) == 2]
    assert np.ptp(ruler.get_xdata()) == pytest.approx(1.657)
    assert "CD = 1.66" in words(display)
    without = critical_difference(critical_difference=None)
    assert "CD" not in words(without)
    assert len(without.bars_) == 2


def test_bars_on_a_level_do_not_touch_and_a_level_is_used_again():
    names = TWENTY["names"]
    order = np.argsort(TWENTY["mean_ranks"], kind="stable")
    groups = [tuple(names[i] for i in order[start : start + 5]) for start in range(16)]
    display = critical_difference(**TWENTY, groups=groups)
    assert len(display.bars_) == 16
    levels = {}
    for bar in display.bars_:
        levels.setdefault(bar.get_ydata()[0], []).append(tuple(bar.get_xdata()))
    assert len(levels) < 10
    for bars in levels.values():
        for (_, end), (start, _) in pairwise(bars):
            assert start > end
    names_begin = min(
        line.get_ydata()[-1] for line in lines(display) if len(line.get_xdata()) == 3
    )
    assert max(levels) < names_begin


@pytest.mark.parametrize(
    "changes",
    [
        {"critical_difference": 3.1},
        {"critical_difference": None},
        {"critical_difference": 28.0, "mean_ranks": [10.5] * 20},
        {"control": "A", "n_datasets": 30, "test": "Dunn " * 40},
        {"families": dict(zip(TWENTY["names"], "abcdefgh" * 3, strict=False))},
        {"best": "left", "undrawn": list(combinations(TWENTY["names"], 2))},
    ],
)
def test_texts_of_twenty_learners_do_not_overlap(changes):
    display = critical_difference(
        **(TWENTY | {"groups": [tuple(TWENTY["names"][3:9])]} | changes)
    )
    assert not overlapping(display)
    assert not sticking_out(display)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"names": ["A", "B"], "mean_ranks": [1.5, 1.5], "groups": [("A", "B")]},
        {"names": ["A", "B" * 99], "mean_ranks": [1.0, 2.0], "groups": []},
        {"names": ["A"], "mean_ranks": [1.0], "groups": [("A",)]},
        {"names": list("ABCDEFGH"), "mean_ranks": [4.5] * 8, "groups": [tuple("ABCDEFGH")]},
    ],
)
def test_texts_of_few_learners_do_not_overlap(changes):
    display = critical_difference(**changes)
    assert not overlapping(display)
    assert not sticking_out(display)
    check_display(display)


def test_tied_learners_have_lines_of_their_own():
    display = critical_difference(mean_ranks=[2.0, 2.0, 2.0], groups=[("A", "B", "C")])
    rows = [tuple(line.get_ydata()) for line in lines(display) if len(line.get_xdata()) == 3]
    places = {(text.xyann[0] > 0, text.xy[1]) for text in display.labels_}
    assert len(rows) == 3 and len(places) == 3
    assert display.bars_[0].get_marker() == "o"  # a line of no length would not be seen


def test_a_control_has_a_band_and_no_bars():
    display = critical_difference(control="B", critical_difference=0.5)
    assert display.bars_ == []
    box = display.band_.get_paths()[0].get_extents()
    assert (box.x0, box.x1) == pytest.approx((1.625, 2.625))
    assert "shaded: not told apart from B" in words(display)
    assert [text.get_fontweight() for text in display.labels_] == ["normal", "bold", "normal"]
    clipped = critical_difference(control="A").band_.get_paths()[0].get_extents()
    assert (clipped.x0, clipped.x1) == pytest.approx((1.0, 2.657))
    assert critical_difference(control="A", critical_difference=None).band_ is None


def test_pairs_without_a_bar_are_listed_in_words():
    pairs = list(combinations("ABCDEF", 2))[:11]
    display = critical_difference(undrawn=pairs, test="Holm", n_datasets=1)
    text = words(display)
    assert "A and B; A and C; A and D; A and E; and 7 more" in text
    assert "Holm, 1 data set" in text
    assert "more" not in words(critical_difference(undrawn=pairs[:4]))


def test_learners_like_the_control_are_listed_where_there_is_no_band():
    options = {"control": "B", "critical_difference": None}
    assert "B (bold): C" in words(critical_difference(**options, alike=["C"]))
    assert "from B (bold): none" in words(critical_difference(**options, alike=[]))
    assert "told apart" not in words(critical_difference(**options))
    many = critical_difference(**TWENTY, control="A", alike=TWENTY["names"][:12])
    assert "and 4 more" in words(many) and not overlapping(many)


def test_pairs_without_a_test_are_listed_too():
    display = critical_difference(undrawn=[("A", "C")], untested=[("A", "B")])
    assert "not told apart either: A and C no test is possible: A and B" in words(display)


def test_families_of_unknown_learners_are_refused():
    with pytest.raises(ValueError, match=r"families names 'Z', which is none of .*'A', 'B'"):
        critical_difference(families={"A": "trees", "Z": "bayes"})


def test_colours_and_families_are_those_of_the_leaders():
    display = critical_difference(
        colors={"A": "C3"}, families={"A": "_trees", "B": "$bayes$", "C": "_trees"}
    )
    first, second, third = (line for line in lines(display) if len(line.get_xdata()) == 3)
    assert first.get_color() == "C3"
    assert first.get_marker() == third.get_marker() != second.get_marker()
    assert third.get_color() != second.get_color()
    legend = display.ax_.get_legend().get_texts()
    assert [text.get_text() for text in legend] == ["_trees", "$bayes$"]


def test_ink_is_that_of_the_style():
    with plt.style.context("dark_background"):
        display = critical_difference()
        assert display.bars_[0].get_color() == "white"
        assert display.ax_.lines[0].get_color() == "white"


def test_on_small_axes_names_are_clipped_and_stay_apart():
    _, (ax, _) = plt.subplots(1, 2, figsize=(9, 4))
    display = critical_difference(ax, **TWENTY, groups=[])
    assert display.ax_ is ax
    assert max(len(text.get_text()) for text in display.labels_) < 20
    assert not overlapping(display)
    box = ax.bbox.padded(2)
    for text in display.labels_:
        assert box.contains(*text.get_window_extent().p0)


def rank_intervals(**changes):
    facts = {
        "names": ["B", "$A$", "C"],
        "mean_ranks": [2.125, 1.0, 2.875],
        "critical_difference": 1.657,
        "confidence_level": 0.9,
    }
    return RankIntervalsDisplay(**(facts | changes)).plot()


def test_rank_intervals_are_a_critical_difference_wide_and_the_best_is_on_top():
    display = rank_intervals()
    for bar, rank in zip(display.bars_, [2.125, 1.0, 2.875], strict=True):
        assert bar.get_x() + bar.get_width() / 2 == pytest.approx(rank)
        assert bar.get_width() == pytest.approx(1.657)
    ax = display.ax_
    assert [text.get_text() for text in ax.get_yticklabels()] == ["$A$", "B", "C"]
    heights = [ax.transData.transform((0, bar.get_y()))[1] for bar in display.bars_]
    assert np.argsort(heights).tolist() == [2, 0, 1]
    assert ax.get_xlim()[0] < 1.0 - 1.657 / 2 < ax.get_xlim()[1]
    assert "1 = best, at the left" in ax.get_xlabel()
    assert "90%" in ax.get_xlabel() and "CD = 1.66" in ax.get_xlabel()
    assert display.band_ is None
    assert repr(display) == "<RankIntervalsDisplay of 3 learners>"


def test_the_band_of_a_control_is_its_bar():
    display = rank_intervals(control="B")
    box = display.band_.get_extents().transformed(display.ax_.transData.inverted())
    assert (box.x0, box.x1) == pytest.approx((2.125 - 1.657 / 2, 2.125 + 1.657 / 2))
    assert "not told apart from B" in display.ax_.get_xlabel()


def test_equal_ranks_and_twenty_names_have_a_row_each():
    display = rank_intervals(**(TWENTY | {"mean_ranks": [10.5] * 20}))
    display.figure_.canvas.draw()
    assert len({bar.get_y() for bar in display.bars_}) == 20
    assert not overlapping(display)
    check_display(display)


def win_tie_loss(wins, ties, metric="$auc$"):
    names = list("ABCDEFGHIJKLMNOPQRST")[: len(wins)]
    display = WinTieLossDisplay(names=names, wins=wins, ties=ties, metric=metric).plot()
    display.figure_.canvas.draw()
    return display


def test_cells_say_wins_ties_and_losses_of_the_row_against_the_column():
    display = win_tie_loss(
        [[0, 9, 0], [2, 0, 0], [0, 0, 0]], [[0, 1, 0], [1, 0, 12], [0, 12, 0]]
    )
    cells = {text.get_position(): text.get_text() for text in display.ax_.texts}
    assert cells == {
        (1.5, 0.5): "9/1/2",
        (0.5, 1.5): "2/1/9",
        (2.5, 1.5): "0/12/0",
        (1.5, 2.5): "0/12/0",
    }
    share = display.mesh_.get_array().reshape(3, 3)
    assert share[0, 1] == pytest.approx(9.5 / 12)
    assert share[0, 1] + share[1, 0] == pytest.approx(1.0)
    # The diagonal, and A and C, which never met.
    assert np.ma.getmaskarray(share).nonzero()[0].tolist() == [0, 0, 1, 2, 2]
    assert "$auc$" in display.ax_.get_title("right")
    assert display.mesh_.colorbar.ax.get_ylabel() == "share won by the row, ties half"
    assert not overlapping(display)


def test_the_title_of_two_learners_fits():
    display = win_tie_loss([[0, 3], [4, 0]], np.zeros((2, 2)), "neg_mean_squared_log_error")
    assert display.ax_._right_title.get_window_extent().x0 > 0


def test_many_learners_have_colours_only():
    display = win_tie_loss(np.triu(np.full((20, 20), 5)), np.ones((20, 20)))
    assert not display.ax_.texts
    check_display(display)


def score_heatmap(scores, **changes):
    scores = np.asarray(scores, dtype=float)
    n, k = scores.shape
    ranks = np.where(np.isnan(scores), np.nan, (-scores).argsort(axis=1).argsort(axis=1) + 1.0)
    facts = {
        "scores": scores,
        "ranks": ranks,
        "names": [f"learner {i}" for i in range(k)],
        "datasets": [f"data {i}" for i in range(n)],
        "metric": "$auc$",
    }
    display = ScoreHeatmapDisplay(**(facts | changes)).plot()
    display.figure_.canvas.draw()
    return display


def test_missing_scores_are_blank_and_the_best_of_a_row_is_bold():
    display = score_heatmap([[0.9, np.nan, 0.8], [np.nan, np.nan, np.nan], [0.5, 1.0, 0.75]])
    cells = {t.get_position(): (t.get_text(), t.get_fontweight()) for t in display.ax_.texts}
    assert cells == {
        (0.5, 0.5): ("0.900", "bold"),
        (2.5, 0.5): ("0.800", "normal"),
        (0.5, 2.5): ("0.500", "normal"),
        (1.5, 2.5): ("1.000", "bold"),
        (2.5, 2.5): ("0.750", "normal"),
    }
    assert np.ma.getmaskarray(display.mesh_.get_array()).sum() == 4
    assert display.ax_.patch.get_hatch()


@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize("color_by", ["rank", "score"])
def test_better_is_darker(color_by, higher_is_better):
    scores = np.array([[3.0, 2.0, 1.0]]) * (1 if higher_is_better else -1)
    display = score_heatmap(
        scores,
        ranks=np.array([[1.0, 2.0, 3.0]]),
        color_by=color_by,
        higher_is_better=higher_is_better,
    )
    mesh = display.mesh_
    grey = mesh.cmap(mesh.norm(mesh.get_array().ravel()))[:, :3].sum(axis=1)
    assert np.argsort(grey).tolist() == [0, 1, 2]
    low, high = display.mesh_.colorbar.ax.get_ylim()
    assert (low > high) == (color_by == "rank" or not higher_is_better)


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ([0.91, 0.8], ["0.910", "0.800"]),
        ([12.345, 3.2], ["12.3", "3.2"]),
        ([-12345.6, 20.0], ["-12346", "20"]),
        ([0.0012, 0.0003], ["0.00120", "0.00030"]),
        ([1e9, 1.0], ["1.0e+09", "1.0e+00"]),
        ([0.0, 0.0], ["0.000", "0.000"]),
        ([np.inf, 0.5], ["0.500"]),
    ],
)
def test_scores_of_a_data_set_have_equally_many_decimals(row, shown):
    display = score_heatmap([row])
    assert [t.get_text() for t in display.ax_.texts if t.get_text() != "inf"] == shown


def test_large_tables_have_colours_only():
    display = score_heatmap(np.random.default_rng(0).normal(size=(300, 30)))
    assert not display.ax_.texts
    assert display.ax_.get_ylabel() == "300 data sets"
    check_display(display)


def test_nothing_but_missing_scores():
    for color_by in ("rank", "score"):
        check_display(score_heatmap(np.full((2, 2), np.nan), color_by=color_by))


def test_discs_are_as_large_as_ranks_are_frequent():
    ranks = np.array([[2.0, 1.0, 3.0]] * 3 + [[1.0, 2.5, 2.5], [np.nan, 1.0, 2.0]])
    display = RankDistributionDisplay(ranks=ranks, names=["A", "$B$", "C"]).plot()
    display.figure_.canvas.draw()
    discs = {
        tuple(place): area
        for place, area in zip(
            np.asarray(display.discs_.get_offsets()).tolist(),
            display.discs_.get_sizes(),
            strict=True,
        )
    }
    # B is best, and on top.
    assert set(discs) == {(1, 0), (2.5, 0), (1, 1), (2, 1), (2, 2), (2.5, 2), (3, 2)}
    assert discs[1, 0] / discs[2.5, 0] == pytest.approx(4)
    np.testing.assert_allclose(display.means_.get_xdata(), np.nanmean(ranks, axis=0))
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["$B$", "A", "C"]
    assert {t.get_text() for t in display.ax_.texts if t.get_position() == (1, 0)} == {"4"}
    assert "1 = best, at the left" in display.ax_.get_xlabel()


def test_a_learner_without_ranks_is_at_the_bottom():
    ranks = np.array([[np.nan, 1.0, 2.0], [np.nan, 2.0, 1.0]])
    display = RankDistributionDisplay(ranks=ranks, names=["A", "B", "C"]).plot()
    check_display(display)
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["B", "C", "A"]


def test_rank_distribution_of_twenty_learners():
    ranks = np.random.default_rng(0).permuted(np.tile(np.arange(1.0, 21), (40, 1)), axis=1)
    display = RankDistributionDisplay(ranks=ranks, names=TWENTY["names"]).plot()
    check_display(display)
    display.plot().figure_.canvas.draw()
    assert not overlapping(display)


def performance(n=3, **changes):
    facts = {
        "labels": [HOSTILE, "x" * 300, "", *"abcdefgh"][:n],
        "estimates": [0.8 + 0.01 * i for i in range(n)],
        "intervals": [(0.75, 0.85), (np.nan, np.nan), *[(0.7, 0.9)] * 9][:n],
        "training_scores": [0.95, None, *[1.0] * 9][:n],
        "confidence_level": 0.9,
        "metrics": [HOSTILE] * n,
    }
    return PerformanceDisplay(**(facts | changes))


def test_performance_shows_estimates_intervals_and_training_scores():
    display = performance()
    check_display(display)
    lines = display.ax_.get_lines()
    (low, high), estimates, seen = (
        lines[0].get_xdata(), lines[-2].get_xdata(), lines[-1].get_xdata(),
    )  # fmt: skip
    assert (low, high) == (0.75, 0.85) and list(seen) == [0.95, 1.0]
    assert list(estimates) == display.estimates and len(lines) == 4
    assert display.ax_.get_xlabel().endswith("90% interval")
    metrics = ["a", "b", "a", "c"]
    several = performance(4, metrics=metrics).plot()
    several.figure_.canvas.draw()
    assert [len(ax.get_yticks()) for ax in several.ax_.child_axes] == [2, 1, 1]


ARCH = np.linspace(0, 1, 3), np.array([0, 0.2, 0])


def test_low_curves_do_not_lie_flat_below_their_reference():
    display = CurvesDisplay(
        curves={"tree": ARCH}, reference=([0, 0.5, 1], [0, 5, 0]), xlabel="x", ylabel="y"
    ).plot()
    assert 0.2 < display.ax_.get_ylim()[1] < 0.5
    flat = CurvesDisplay(curves={"tree": (ARCH[0], 0 * ARCH[1])}, xlabel="x", ylabel="y").plot()
    assert flat.ax_.get_ylim()[1] > 0


@pytest.mark.parametrize("n", [1, 2, 40])
@pytest.mark.parametrize("name", ["{}", "L" * 300 + "{}"])
def test_legends_of_curves_are_on_the_figure(n, name):
    names = [name.format(i) for i in range(n)]
    displays = [
        CurvesDisplay(
            curves=dict.fromkeys(names, ARCH),
            notes=dict.fromkeys(names, " (average precision 0.123)"),
            spans=[(0, 0.5, names[0])],
            xlabel="x" * 60,
            ylabel="y",
        ),
        CurveDifferenceDisplay(
            x=ARCH[0],
            difference=ARCH[1],
            low=0.5 * ARCH[1],
            high=2 * ARCH[1],
            confidence_level=0.95,
            names=(names[0], "_"),
            spans=[(0.5, 0.5, names[0]), (0.6, 0.7, "_")],
            xlabel="x",
            ylabel="y",
        ),
    ]
    for display in displays:
        figure = display.plot().figure_
        figure.canvas.draw()
        box = figure.get_tightbbox(figure.canvas.get_renderer())
        width, height = figure.get_size_inches()
        assert min(box.x0, box.y0) > -0.05 and box.x1 < width + 0.05 and box.y1 < height + 0.05
    plt.close("all")


def test_zero_is_in_the_middle_of_a_difference():
    display = CurveDifferenceDisplay(
        x=ARCH[0],
        difference=0 * ARCH[1],
        low=0 * ARCH[1],
        high=0 * ARCH[1],
        confidence_level=0.95,
        names=("a", "b"),
        xlabel="x",
        ylabel="y",
    ).plot()
    low, high = display.ax_.get_ylim()
    assert low == -high < 0
