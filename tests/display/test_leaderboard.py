"""A leaderboard as a picture: scores, ranks that are possible, tie groups."""

import math
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from matplotlib.text import Text

from skstat.display import LeaderboardDisplay
from skstat.testing import HOSTILE, check_display

FOUR = {
    "names": ["A", "$B$", "C", HOSTILE],
    "scores": [0.9, 0.88, 0.6, 0.5],
    "ranks": [1, 2, 3, 4],
    "rank_intervals": [(1, 2), (1, 2), (3, 4), (3, 4)],
    "confidence_level": 0.9,
}
MORE = {
    "metric": "accuracy",
    "score_intervals": [(0.85, 0.95), (0.82, 0.94), (math.nan, math.nan), (0.4, 0.6)],
    "letters": ["a", "a", "b", "b"],
    "resampled": [(1, 1), (1, 2), (3, 4), (3, 4)],
    "may_be_best": [True, True, False, False],
}


def test_bars_reach_from_the_lowest_to_the_highest_rank():
    display = LeaderboardDisplay(**FOUR, **MORE).plot()
    display.figure_.canvas.draw()
    ends = [(bar.get_x() + 0.4, bar.get_x() + bar.get_width() - 0.4) for bar in display.bars_]
    np.testing.assert_allclose(ends, FOUR["rank_intervals"])
    colours = [bar.get_facecolor() for bar in display.bars_]
    assert colours[0] == colours[1] != colours[2] == colours[3]
    scores, ranks = display.panels_["scores"], display.panels_["ranks"]
    assert [text.get_text() for text in scores.get_yticklabels()][:3] == ["A", "$B$", "C"]
    assert [text.get_text() for text in ranks.get_yticklabels()] == ["a", "a", "b", "b"]
    assert "90% confidence" in ranks.get_xlabel() and "accuracy" in scores.get_xlabel()
    low, high = scores.get_ylim()
    assert low > high  # the best on top


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("options", [{}, MORE, {**MORE, "higher_is_better": False}])
def test_it_draws_what_it_has(options):
    display = LeaderboardDisplay(**FOUR, **options)
    check_display(display)
    left, right = display.panels_["scores"].get_xlim()
    assert (left < right) == options.get("higher_is_better", True)
    assert "4 systems" in repr(display)


def texts_of(display):
    for panel in display.panels_.values():
        low, high = sorted(panel.get_xlim())
        ticks = panel.get_xticklabels()
        beyond = [tick for tick in ticks if not low <= tick.get_position()[0] <= high]
        texts = panel.findobj(lambda artist: isinstance(artist, Text))
        yield from (text for text in texts if text not in beyond)


def overlapping(display):
    boxes = [
        (text.get_text(), text.get_window_extent().padded(-1))
        for text in texts_of(display)
        if text.get_text() and text.get_visible()
    ]
    pairs = combinations(boxes, 2)
    return [(one, two) for (one, box), (two, other) in pairs if box.overlaps(other)]


@pytest.mark.long
def test_nothing_overlaps_in_print():
    names = [f"a-language-model-of-version-{number}.5-instruct" for number in range(9)]
    display = LeaderboardDisplay(
        names=names,
        scores=np.linspace(0.9, 0.4, 9).tolist(),
        ranks=list(range(1, 10)),
        rank_intervals=[(max(1, rank - 2), min(9, rank + 2)) for rank in range(1, 10)],
        confidence_level=0.95,
        score_intervals=[(score - 0.1, score + 0.1) for score in np.linspace(0.9, 0.4, 9)],
        letters=["abc"] * 9,
        resampled=[(rank, rank) for rank in range(1, 10)],
        may_be_best=[True] * 9,
    )
    for width in (None, 7.0, 3.3):
        display.plot(width=width).figure_.canvas.draw()
        assert not overlapping(display)
