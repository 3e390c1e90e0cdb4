"""How often every system has every rank."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import RankDistributionDisplay
from skstat.testing import HOSTILE, check_display

TWENTY = {
    "names": [f"HistGradientBoostingClassifier({i})" for i in range(18)] + ["A", HOSTILE],
    "mean_ranks": [*np.linspace(4, 9, 8), 9.0, 9.0, 9.0, *np.linspace(11, 17, 7), 4.0, 17.0],
}


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


@pytest.mark.long
def test_rank_distribution_of_twenty_learners(overlapping):
    ranks = np.random.default_rng(0).permuted(np.tile(np.arange(1.0, 21), (40, 1)), axis=1)
    display = RankDistributionDisplay(ranks=ranks, names=TWENTY["names"]).plot()
    check_display(display)
    display.plot().figure_.canvas.draw()
    assert not overlapping(display)
