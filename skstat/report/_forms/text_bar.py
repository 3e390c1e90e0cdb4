"""An interval against zero and the margin, drawn on one line of text."""

from skstat._names import clip_all
from skstat.report._contents import ShownInterval

_NAME = 20
_LEAST = 21  # places; fewer show nothing
_OPEN = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
_ENDS = "\N{BOX DRAWINGS LIGHT VERTICAL AND RIGHT}", "\N{BOX DRAWINGS LIGHT VERTICAL AND LEFT}"
_HEAVY = "\N{BOX DRAWINGS HEAVY HORIZONTAL}"
_LINE, _ESTIMATE = "\N{BOX DRAWINGS LIGHT HORIZONTAL}", "\N{BLACK CIRCLE}"
_MARGIN, _GROUND = "\N{BROKEN BAR}", "\N{MIDDLE DOT}"


def text_bar(shown: ShownInterval, width: int) -> str:
    """Draw an interval on a line.

    Parameters
    ----------
    shown : ShownInterval
        The interval.
    width : int
        Letters of the line.

    Returns
    -------
    str
        The axis between the names of the systems that are better on its sides. 0 stands at
        zero, bars at the margin; arrows are sides without a limit. The interval by which the
        margin is decided is heavy.

    Examples
    --------
    >>> from skstat.report._contents import ShownInterval
    >>> text_bar(ShownInterval(0.01, 0.05, 0.03, None, "bayes", "tree"), 60)
    'bayes better ·················0··├─────●─────┤·· tree better'
    """
    names = shown.left, shown.right
    words = len(" better") * 2 + 2
    limit = min(_NAME, (width - words - _LEAST) // 2)
    left, right = (f"{name} better" for name in clip_all(names, limit))
    n = width - len(left) - len(right) - 2
    known = (shown.low, shown.high, shown.estimate, shown.margin)
    # An arrow needs room beyond the estimate.
    room = 1.5 if None in known[:2] else 1.1
    reach = room * max(abs(value) for value in known if value is not None) or 1.0
    middle = n // 2

    def place(value: float) -> int:
        return round(middle + value / reach * middle)

    line = [_GROUND] * n
    low = 0 if shown.low is None else place(shown.low)
    high = n - 1 if shown.high is None else min(place(shown.high), n - 1)
    line[low : high + 1] = [_LINE] * (high + 1 - low)
    if shown.inner is not None:
        first, last = (max(0, min(place(value), n - 1)) for value in shown.inner)
        line[first : last + 1] = [_HEAVY] * (last + 1 - first)
    line[low] = _OPEN[0] if shown.low is None else _ENDS[0]
    line[high] = _OPEN[1] if shown.high is None else _ENDS[1]
    if shown.margin is not None:
        for side in (-1, 1):
            line[min(place(side * shown.margin), n - 1)] = _MARGIN
    line[middle] = "0"
    line[min(place(shown.estimate), n - 1)] = _ESTIMATE
    return f"{left} {''.join(line)} {right}"
