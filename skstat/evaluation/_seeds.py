"""Random states of every kind, as one integer."""

from typing import Any

import numpy as np


def draw_seed(random_state: Any) -> int:
    """Turn any `random_state` into one integer that reproduces the run.

    None takes fresh entropy instead of NumPy's global state, which is left alone;
    the integer is reported, so that an unseeded run can be repeated too.
    """
    if random_state is None:
        return int(np.random.default_rng().integers(2**31))
    if isinstance(random_state, int | np.integer):
        if random_state < 0:
            raise ValueError(f"random_state={random_state!r} must not be negative.")
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    raise TypeError(
        f"random_state={random_state!r} must be an int, a RandomState, a Generator or None."
    )
