"""What tests of several displays look for."""

from itertools import combinations

import pytest


def _texts(display):
    """Every text that is drawn, with its box on the figure."""
    drawn = []
    for ax in getattr(display, "panels_", None) or [display.ax_]:
        for side, axis in enumerate((ax.xaxis, ax.yaxis)):
            low, high = sorted(axis.get_view_interval())
            ticks = axis.get_ticklabels()
            drawn += [tick for tick in ticks if low <= tick.get_position()[side] <= high]
        drawn += [
            *ax.texts,
            *(ax.xaxis.label, ax.yaxis.label, ax._left_title, ax._right_title),
            *(ax.get_legend().get_texts() if ax.get_legend() else []),
        ]
    return [(t, t.get_window_extent()) for t in drawn if t.get_text().strip()]


@pytest.fixture
def texts():
    """Return a function that lists all texts with their boxes."""
    return _texts


@pytest.fixture
def written():
    """Return a function that joins all texts without blanks."""
    return lambda display: "".join("".join(t.get_text() for t, _ in _texts(display)).split())


@pytest.fixture
def check_readable():
    """Return a function that looks whether every text is on the figure, and none on another."""

    def check(display):
        display.figure_.canvas.draw()
        boxes = [(text.get_text(), box.padded(-1)) for text, box in _texts(display)]
        assert not [
            (a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.overlaps(two)
        ]
        page = display.figure_.bbox.padded(2)
        assert not [text for text, box in boxes if not page.contains(*box.p0)]
        assert not [text for text, box in boxes if not page.contains(*box.p1)]

    return check
