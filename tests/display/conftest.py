"""What tests of several displays look for."""

from itertools import combinations

import pytest


@pytest.fixture
def overlapping():
    """Return a function that lists the pairs of texts whose boxes meet."""

    def pairs(display):
        ax = display.ax_
        drawn = [*ax.texts, *ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label]
        if ax.get_legend():
            drawn += ax.get_legend().get_texts()
        boxes = [
            (text.get_text(), text.get_window_extent().padded(-1))
            for text in drawn
            if text.get_text()
        ]
        return [
            (a, b) for (a, box), (b, other) in combinations(boxes, 2) if box.overlaps(other)
        ]

    return pairs
