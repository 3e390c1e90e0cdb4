"""Wins, ties and losses of every pair."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import WinTieLossDisplay
from skstat.testing import check_display


def win_tie_loss(wins, ties, metric="$auc$"):
    names = list("ABCDEFGHIJKLMNOPQRST")[: len(wins)]
    display = WinTieLossDisplay(names=names, wins=wins, ties=ties, metric=metric).plot()
    display.figure_.canvas.draw()
    return display


def test_cells_say_wins_ties_and_losses_of_the_row_against_the_column(overlapping):
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
