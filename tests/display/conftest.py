"""What tests of several displays look for."""

from itertools import combinations

import pytest


def _texts(display):
    """Every text that is drawn, with its box on the figure."""
    ax = display.ax_
    low, high = sorted(ax.get_xlim())
    drawn = [
        *ax.texts,
        *(tick for tick in ax.get_xticklabels() if low <= tick.get_position()[0] <= high),
        *ax.get_yticklabels(),
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
def overlapping():
    """Return a function that lists the pairs of texts whose boxes meet."""

    def pairs(display):
        boxes = [(text.get_text(), box.padded(-1)) for text, box in _texts(display)]
        return [
            (a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)
        ]

    return pairs
