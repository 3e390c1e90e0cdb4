"""Curves of systems, their difference, and lines held against others."""

import numpy as np
import pytest

pytest.importorskip("matplotlib.pyplot")

from skstat.display import CurvesDisplay, LinesDisplay
from tests.display.drawn import check_readable

ARCH = np.linspace(0, 1, 3), np.array([0, 0.2, 0])


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("n", [1, 2, 40])
@pytest.mark.parametrize("name", ["{}", "L" * 300 + "{}"])
def test_legends_of_curves_are_on_the_figure(n, name):
    names = [name.format(i) for i in range(n)]
    displays = [
        CurvesDisplay(
            curves=dict.fromkeys(names, ARCH),
            notes=dict.fromkeys(names, " (average precision 0.123)"),
            spans=[(0, 0.5, names[0])],
            xlabel="x" * 60,
            ylabel="y",
        ),
        CurvesDisplay(
            curves={names[0]: ARCH, "_": (ARCH[0], 2 * ARCH[1])},
            band=(ARCH[0], 0.5 * ARCH[1], 2 * ARCH[1]),
            spans=[(0.5, 0.5, names[0]), (0.6, 0.7, "_")],
            xlabel="x",
            ylabel="y",
        ),
    ]
    for display in displays:
        check_readable(display.plot())


def test_zero_is_in_the_middle_of_a_difference():
    at = np.linspace(0, 1, 5)
    curves = {"a": ARCH, "b": (np.array([0, 1]), np.array([0.1, 0.3]))}
    display = CurvesDisplay(curves=curves, band=(at, 0 * at, 0 * at), xlabel="x", ylabel="y")
    display.plot()
    low, high = display.ax_.get_ylim()
    assert low == -high < 0
    expected = [0.1, 0.15 - 0.1, 0.2 - 0.2, 0.25 - 0.1, 0.3]
    np.testing.assert_allclose(display.lines_["difference"].get_ydata(), expected, atol=1e-12)
    with pytest.raises(ValueError, match="band is of two curves; curves holds 1"):
        CurvesDisplay(curves={"a": ARCH}, band=(at, at, at), xlabel="x", ylabel="y").plot()


def test_guides_reach_the_edge_and_do_not_decide_it():
    display = LinesDisplay(
        lines={"_a": ([1, 3], [0.2, 0.4]), "$b$" * 30: ([1, 3], [0.1, 0.2])},
        guides={"sought": ([-np.inf, np.inf], [0.3, 0.3]), "far": ([2, 2], [0, 90])},
        xlabel="n",
        ylabel="power",
        ylim=(0, None),
    )
    for width in (None, 3.3):
        display.plot(width=width).figure_.canvas.draw()
        sought = display.ax_.lines[2]
        assert tuple(sought.get_xdata()) == display.ax_.get_xlim() == (1, 3)
        assert display.ax_.get_ylim()[0] == 0 and display.ax_.get_ylim()[1] < 0.5
        said = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert said[0] == "_a" and said[2:] == ["sought", "far"]
        assert "".join(said[1].split()) == "$b$" * 24 or "…" in said[1]
        check_readable(display)
    first, second = display.lines_.values()
    assert first.get_linestyle() != second.get_linestyle()  # in grey print, too
