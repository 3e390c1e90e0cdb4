"""What tests of several displays look for."""

from itertools import combinations


def texts(display):
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


def written(display):
    """Return what stands on a picture, without blanks."""
    return "".join("".join(text.get_text() for text, _ in texts(display)).split())


def check_readable(display):
    """Check that no text overlaps another, and that none leaves the figure."""
    display.figure_.canvas.draw()
    boxes = [(text.get_text(), box.padded(-1)) for text, box in texts(display)]
    assert not [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.overlaps(two)]
    page = display.figure_.bbox.padded(2)
    assert not [text for text, box in boxes if not page.contains(*box.p0)]
    assert not [text for text, box in boxes if not page.contains(*box.p1)]
