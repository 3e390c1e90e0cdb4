"""Tables in colours: what a cell says, what its colour means, what fits."""

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")

from skstat.display import HeatmapDisplay  # noqa: E402
from tests.contract import HOSTILE, check_display  # noqa: E402
from tests.display.drawn import check_readable, written  # noqa: E402

LONG = [f"make_pipeline(StandardScaler(), KNeighborsClassifier({i}))" for i in range(20)]


def scores(table, **changes):
    table = np.asarray(table, dtype=float)
    n, k = table.shape
    ranks = np.where(np.isnan(table), np.nan, (-table).argsort(axis=1).argsort(axis=1) + 1.0)
    facts = {
        "ranks": ranks,
        "names": [f"system {i}" for i in range(k)],
        "datasets": [f"data {i}" for i in range(n)],
        "metric": "$auc$",
    }
    return HeatmapDisplay.from_scores(table, **(facts | changes)).plot()


def shades(display):
    mesh = display.mesh_
    return mesh.cmap(mesh.norm(mesh.get_array().ravel()))[:, :3]


@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize("color_by", ["rank", "score"])
def test_better_is_darker(color_by, higher_is_better):
    display = scores(
        np.array([[3.0, 2.0, 1.0]]) * (1 if higher_is_better else -1),
        ranks=np.array([[1.0, 2.0, 3.0]]),
        color_by=color_by,
        higher_is_better=higher_is_better,
    )
    assert np.argsort(shades(display).sum(axis=1)).tolist() == [0, 1, 2]
    said = {"rank": "rank on the data set (1 = best)", "score": "is better)"}[color_by]
    assert display.mesh_.colorbar.ax.get_xlabel().endswith(said)


def test_scores_of_a_data_set_have_equally_many_decimals():
    rows = [[0.91, 0.8], [-12345.6, 20.0], [0.0012, 0.0003], [1e9, 1.0], [0.0, 0.0]]
    shown = [text.get_text() for text in scores(rows).ax_.texts]
    assert shown[:6] == ["0.910", "0.800", "-12346", "20", "0.00120", "0.00030"]
    assert shown[6:] == ["1.0e+09", "1.0e+00", "0.000", "0.000"]


def test_large_tables_have_colours_only_and_say_how_large_they_are():
    display = scores(np.random.default_rng(0).normal(size=(300, 70)))
    assert not display.ax_.texts and "bold" not in display.ax_.get_xlabel()
    assert display.ax_.get_ylabel() == "300 data sets"
    assert display.ax_.get_xlabel().endswith("70 systems")
    for color_by in ("rank", "score"):
        check_display(scores(np.full((2, 2), np.nan), color_by=color_by))
    with plt.style.context("dark_background"):
        display = scores([[1.0, 2.0]], names=[HOSTILE, "$"])
        check_display(display)
        found = {text.get_text(): text.get_color() for text in display.ax_.texts}
    assert found == {"1.00": "black", "2.00": "white"}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("width", [None, 7.0, 3.3])
@pytest.mark.parametrize("k", [2, 8, 20])
def test_pvalues_are_written_where_they_fit_and_verdicts_told_without_colours(k, width):
    pvalues = np.where(np.eye(k), np.nan, np.full((k, k), 0.0004))
    pvalues[0, 1] = pvalues[1, 0] = 0.5
    verdicts = np.where(np.triu(np.ones((k, k), bool)), "better", "worse").astype(object)
    verdicts[0, 1] = verdicts[1, 0] = "undecided"
    display = HeatmapDisplay.from_pvalues(LONG[:k], pvalues, verdicts).plot(width=width)
    check_readable(display)
    assert {text.get_text() for text in display.ax_.texts} <= {"<.001", ".500"}
    assert (k * (k - 1) == len(display.ax_.texts)) or width is not None
    for name in LONG[:k]:
        assert "".join(name.split()) in written(display)
    grid = display.mesh_.get_array().reshape(k, k)
    assert np.array_equal(np.ma.getmaskarray(grid), np.eye(k, dtype=bool))
    hatched = {patch.get_xy() for patch in display.ax_.patches if patch.get_hatch()}
    assert hatched == {(int(y), int(x)) for x, y in np.argwhere(verdicts == "worse")}
    found = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    others = ["row better", "row worse"] if k > 2 else []
    assert found == [*others, "no significant difference"]
