"""Mean ranks with intervals."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import RankIntervalsDisplay
from skstat.testing import HOSTILE, check_display

TWENTY = {
    "names": [f"HistGradientBoostingClassifier({i})" for i in range(18)] + ["A", HOSTILE],
    "mean_ranks": [*np.linspace(4, 9, 8), 9.0, 9.0, 9.0, *np.linspace(11, 17, 7), 4.0, 17.0],
}


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
    assert "bars that reach the band of B:\nno significant" in display.ax_.get_xlabel()


@pytest.mark.long
def test_equal_ranks_and_twenty_names_have_a_row_each(overlapping):
    display = rank_intervals(**(TWENTY | {"mean_ranks": [10.5] * 20}))
    display.figure_.canvas.draw()
    assert len({bar.get_y() for bar in display.bars_}) == 20
    assert not overlapping(display)
    check_display(display)
