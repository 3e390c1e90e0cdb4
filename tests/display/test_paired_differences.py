"""Differences of pairs as dots."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import PairedDifferencesDisplay


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


@pytest.mark.parametrize(
    "n, unit, words", [(14, "dataset", "14 data sets"), (1, "seed", "1 seed")]
)
def test_dots_are_counted_in_words(n, unit, words):
    labels = paired(n, unit=unit).ax_.get_yticklabels()
    assert labels[0].get_text() == words
