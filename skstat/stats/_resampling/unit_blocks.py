"""Many units, taken together in blocks, so that drawing them does not cost more for more."""

import numpy as np
from numpy.typing import NDArray

# Above, blocks are drawn. Their number is a prime: what repeats in the order of the units, such
# as the topics of questions, does not repeat with the blocks.
MANY_UNITS, N_BLOCKS = 1 << 16, 16_381


def many_units(n: int) -> bool:
    """Whether so many units are taken together in blocks."""
    return n > MANY_UNITS


def sums_of_blocks(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the terms of every block; its units stand `N_BLOCKS` apart.

    Parameters
    ----------
    terms : ndarray of shape (n_units, n_terms)
        Terms of the units.

    Returns
    -------
    ndarray of shape (N_BLOCKS, n_terms)
        Sums, of blocks whose sizes differ by one unit at most.
    """
    n, n_terms = terms.shape
    whole = n - n % N_BLOCKS
    sums = terms[:whole].reshape(-1, N_BLOCKS, n_terms).sum(axis=0)
    sums[: n - whole] += terms[whole:]
    return np.asarray(sums)
