"""Random states of every kind, as one integer."""

from typing import Any

import numpy as np


def check_random_state(random_state: Any) -> None:
    """Refuse anything but a random state; nothing is drawn from it."""
    if random_state is None or isinstance(
        random_state, np.random.RandomState | np.random.Generator
    ):
        return
    if isinstance(random_state, bool) or not isinstance(random_state, int | np.integer):
        raise TypeError(
            f"random_state={random_state!r} must be an int, a RandomState, a Generator or None."
        )
    if random_state < 0:
        raise ValueError(f"random_state={random_state!r} must not be negative.")


def draw_seed(random_state: Any) -> int:
    """Turn any `random_state` into one integer that reproduces the run.

    None takes fresh entropy instead of NumPy's global state, which is left alone;
    the integer is reported, so that an unseeded run can be repeated too.
    """
    check_random_state(random_state)
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(random_state)
