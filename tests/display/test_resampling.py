"""Replicates of a resampling as bars."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import ResamplingDisplay
from skstat.testing import HOSTILE, check_display


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
    labels = [" ".join(label.get_text().split()) for label in ax.get_yticklabels()]
    return [text.get_text() for text in ax.texts] + labels


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


@pytest.mark.long(keep=1)
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


@pytest.mark.long(keep=1)
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
