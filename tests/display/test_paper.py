"""Figures at the width of a column of a journal: nothing overlaps, no name is cut."""

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")

from skstat.display import CriticalDifferenceDisplay, IntervalsDisplay  # noqa: E402
from tests.display.drawn import check_readable, texts, written  # noqa: E402

COLUMN = 3.3
LONG = [
    "HistGradientBoostingClassifier",
    "LinearDiscriminantAnalysis",
    "make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=15))",
    "SVC",
]
NAMES = {
    "short": [f"model {i}" for i in range(20)],
    "long": [f"{LONG[i % 4]} {i}" for i in range(20)],
}


def diagram(names, **changes):
    k = len(names)
    facts = {
        "names": names,
        "mean_ranks": np.linspace(1.3, k - 0.4, k).tolist(),
        "groups": [tuple(names[i : i + 2]) for i in range(k - 1)],
        "critical_difference": 1.4,
        "test": "Nemenyi test",
        "n_datasets": 25,
    }
    return CriticalDifferenceDisplay(**(facts | changes))


def against_a_control(names):
    found = dict(zip(names[1:], ["worse", "undecided", "better"] * 7, strict=False))
    options = {"control": names[0], "verdicts": found, "critical_difference": None}
    return diagram(names, **options)


def intervals(names):
    estimates = np.linspace(0.02, -0.05, len(names)).tolist()
    return IntervalsDisplay(
        labels=names,
        estimates=estimates,
        intervals=[(estimate - 0.01, estimate + 0.01) for estimate in estimates],
        confidence_level=0.95,
        metrics=["accuracy from the best other"] * len(names),
        simultaneous=True,
        favours="better than the best other",
        against="worse",
        margins=[0.01] * len(names),
        verdicts=["undecided"] * len(names),
    )


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("draw", [diagram, against_a_control, intervals])
@pytest.mark.parametrize("k", [3, 8, 20])
@pytest.mark.parametrize("kind", NAMES)
def test_a_column_holds_every_name_in_full(draw, k, kind):
    names = NAMES[kind][:k]
    display = draw(names).plot(width=COLUMN)
    assert display.figure_.get_figwidth() == COLUMN
    check_readable(display)
    assert max(text.get_fontsize() for text, _ in texts(display)) <= 8
    for name in names:
        assert "".join(name.split()) in written(display)


def test_what_is_saved_is_as_wide_as_was_asked(tmp_path):
    path = tmp_path / "diagram.pdf"
    display = diagram(NAMES["long"][:5])
    assert display.save(path, width=COLUMN) is display
    assert display.figure_.get_figwidth() == COLUMN
    content = path.read_bytes()
    assert f"/MediaBox [ 0 0 {72 * COLUMN:g}".encode() in content
    assert b"/TrueType" in content or b"/CIDFontType2" in content
    assert b"/Type3" not in content


def test_a_figure_that_was_drawn_is_saved_as_it_is(tmp_path):
    display = intervals(NAMES["short"][:3]).plot(width=4.0)
    figure = display.figure_
    display.save(tmp_path / "a.pdf")
    assert display.figure_ is figure
    with pytest.raises(TypeError, match="without ax="):
        display.plot(display.ax_, width=3)
    with pytest.raises(ValueError, match="must be above 0"):
        display.plot(width=0)
    assert plt.rcParams["font.size"] == plt.rcParamsDefault["font.size"]
