"""Lines held against others: what is counted, where guides end, what the legend says."""

import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")

from skstat.display import LinesDisplay  # noqa: E402


def test_guides_reach_the_edge_and_do_not_decide_it(check_readable):
    display = LinesDisplay(
        lines={"_a": ([1, 3], [0.2, 0.4]), "$b$" * 30: ([1, 3], [0.1, 0.2])},
        guides={"sought": ([-np.inf, np.inf], [0.3, 0.3]), "far": ([2, 2], [0, 90])},
        points={"planned": (2, 0.3)},
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
        assert said[0] == "_a" and said[2:] == ["sought", "far", "planned"]
        assert "".join(said[1].split()) == "$b$" * 24 or "…" in said[1]
        check_readable(display)
    first, second = display.lines_.values()
    assert first.get_linestyle() != second.get_linestyle()  # in grey print, too
    plt.close("all")
