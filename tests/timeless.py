"""Reports without their times, which no second run repeats."""

import re

_TIME = re.compile(r"\s*\b\d+(\.\d)? (\N{MICRO SIGN}s|ms|s|min|h)\b")


def timeless(state):
    """Return a report's dictionary without the times, wherever they stand in it."""
    if isinstance(state, dict):
        kept = {key: state[key] for key in state if key not in ("times", "fit", "predict")}
        return {key: timeless(value) for key, value in kept.items()}
    return [timeless(value) for value in state] if isinstance(state, list) else state


def masked(text):
    """Put a sign in the place of every time in a report's text."""
    return _TIME.sub(" <time>", text)
