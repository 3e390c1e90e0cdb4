"""Dots or bars of values, and the interval of their difference below."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import DifferencesDisplay
from tests.contract import HOSTILE, check_display
from tests.display.drawn import check_readable

ROOT = Path(__file__).parents[2]


def differences(values, **changes):
    facts = {
        "values": np.asarray(values, dtype=float),
        "estimate": 0.01,
        "interval": (-0.002, 0.02),
        "confidence_level": 0.95,
        "names": ("tree", "$bayes$"),
        "metric": "roc_auc",
        "values_name": "100 splits",
    }
    return DifferencesDisplay(**(facts | changes)).plot()


def bars(values, **changes):
    return differences(values, **({"kind": "bars", "interval": (0.005, 0.035)} | changes))


def heights(display):
    return [bar.get_height() for bar in display.bars_]


def rows(display):
    return ["".join(text.get_text().split()) for text in display.ax_.get_yticklabels()]


@pytest.mark.parametrize("draw", [differences, bars])
@pytest.mark.parametrize("scale", [1, 1000])
def test_values_far_away_do_not_decide_the_axis(draw, scale):
    values = scale * np.random.default_rng(0).standard_t(2, 20_000)
    display = draw(values, interval=(-0.02, 0.04))
    low, high = display.ax_.get_xlim()
    assert 0.06 / (high - low) > 0.08
    left, right = display.outside_
    drawn = sum(heights(display)) if display.bars_ else len(display.dots_.get_offsets())
    assert left + drawn + right == 20_000
    assert (values < low).sum() <= left < 1.02 * (values < low).sum()
    assert (values > high).sum() <= right < 1.02 * (values > high).sum()


@pytest.mark.parametrize(
    ("interval", "words", "cut"),
    [
        ((0.005, 0.035), "estimate and 95% interval", ""),
        ((0.005, np.inf), "estimate and one-sided 95% interval", ">"),
        ((-np.inf, 0.03), "estimate and one-sided 95% interval", "<"),
        ((-np.inf, np.inf), "estimate and 95% interval", "<>"),
        ((0.0, 0.0), "estimate and 95% interval", ""),
        ((np.nan, np.nan), "estimate (no interval exists)", ""),
    ],
)
def test_an_interval_says_what_it_is_and_where_it_goes_on(interval, words, cut):
    display = bars(np.random.default_rng(0).normal(0.02, 0.01, 10), interval=interval)
    check_display(display)
    assert rows(display) == ["100splits", "".join(words.split())]
    assert np.all(np.abs(display.ax_.get_xlim()) < 1)
    arrows = [line for line in display.ax_.lines if line.get_gid() == "cut"]
    assert "".join(line.get_marker() for line in arrows) == cut
    for line in arrows:
        assert line.get_xdata()[0] == display.ax_.get_xlim()[line.get_marker() == ">"]


CLOUDS = {
    "many": np.random.default_rng(0).normal(0.02, 0.01, 100_000),
    "few steps": np.random.default_rng(0).binomial(30, 0.6, 9999) / 30 - 0.5,
    "many steps": np.random.default_rng(0).binomial(5000, 0.6, 9999) / 5000 - 0.5,
    "last bin sticks out": np.array([0, 1, 2, 4, 6, 8, 9, 11, 13, 15]) / 100,
    "one value": np.full(999, 0.02),
}


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("values", CLOUDS.values(), ids=CLOUDS)
def test_every_value_in_view_is_in_a_bar_in_view(values):
    display = bars(values)
    assert sum(heights(display)) + sum(display.outside_) == len(values)
    low, high = display.ax_.get_xlim()
    assert low < min(bar.get_x() for bar in display.bars_)
    assert max(bar.get_x() + bar.get_width() for bar in display.bars_) < high
    check_display(display)


def test_long_names_of_sides_do_not_meet():
    display = bars(CLOUDS["few steps"], names=("W" * 300, "W" * 301), metric=HOSTILE)
    check_readable(display)
    assert repr(bars([])) == "<DifferencesDisplay of tree, $bayes$>"


def test_what_a_backend_sets_when_it_is_loaded_stays(tmp_path):
    """As those of notebooks do: else no picture is shown after the first."""
    loaded = "import matplotlib; from matplotlib.backends.backend_agg import *"
    (tmp_path / "loaded.py").write_text(f"{loaded}\nmatplotlib.interactive(True)\n")
    script = (
        "import matplotlib; from tests.display.test_differences import differences;"
        "differences([0.1, 0.2, 0.4]); assert matplotlib.is_interactive()"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    env = {**os.environ, "MPLBACKEND": "module://loaded", "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", script], check=True, env=env)
