"""Round values for the axis of a drawing."""

import math

from skstat.report._words import fixed

_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)


def round_ticks(low: float, high: float, most: int = 6) -> list[tuple[float, str]]:
    """Choose round values on an axis, and write them.

    Parameters
    ----------
    low, high : float
        Ends of the axis.
    most : int, default=6
        How many values there is room for, two or more.

    Returns
    -------
    list of (float, str)
        Values from `low` to `high`, all as far from the next, with as many decimals as
        tell them from each other; zero is ``"0"``.

    Examples
    --------
    >>> round_ticks(-0.043, 0.043, most=5)
    [(-0.04, '−0.04'), (-0.02, '−0.02'), (0.0, '0'), (0.02, '0.02'), (0.04, '0.04')]
    >>> round_ticks(93.2, 97.9, most=3)
    [(94.0, '94'), (96.0, '96')]
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return []
    power = math.floor(math.log10((high - low) / most))
    for factor in (*_ROUND, 20.0):  # the last leaves few enough, whatever was rounded
        step = factor * 10.0**power
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < most:
            break
    decimals = max(0, -power + (factor == 2.5) - (factor >= 10))
    values = [round(number * step, decimals) for number in range(first, last + 1)]
    texts = [fixed(value, decimals) for value in values]
    if len(set(texts)) < len(texts):  # far from zero, where three digits are too few
        texts = [f"{value:.12g}".replace("-", "\N{MINUS SIGN}") for value in values]
    return [
        (value, "0" if value == 0 else text) for value, text in zip(values, texts, strict=True)
    ]
