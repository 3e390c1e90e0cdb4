"""Scores of systems on data sets as a table in colours."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import ScoreHeatmapDisplay
from skstat.testing import check_display


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


@pytest.mark.long(keep=3)
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


@pytest.mark.long
def test_large_tables_have_colours_only():
    display = score_heatmap(np.random.default_rng(0).normal(size=(300, 30)))
    assert not display.ax_.texts
    assert display.ax_.get_ylabel() == "300 data sets"
    check_display(display)


def test_nothing_but_missing_scores():
    for color_by in ("rank", "score"):
        check_display(score_heatmap(np.full((2, 2), np.nan), color_by=color_by))
