"""Halves of which two overlap in a quarter of all rows: columns of orthogonal arrays."""

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import hadamard

Rows = NDArray[np.intp]
Signs = NDArray[np.int8]
# Beyond, arrays of every size would take Hadamard matrices of order 52 and more, which
# these constructions do not give.
MOST_COLUMNS = 23


def balanced_signs(strata: list[Rows], n_columns: int, rng: np.random.Generator) -> Signs:
    """Halve all strata at once, so that halvings are balanced within each and over all.

    Strata that are too small for that are halved at random, anew for every column.

    Parameters
    ----------
    strata : list of ndarray of int
        Numbers of the units in each stratum, which together are 0, 1, ... n - 1.
    n_columns : int
        Number of halvings, at most `MOST_COLUMNS`.
    rng : numpy.random.Generator
        Deals the rows of the arrays out to the units.

    Returns
    -------
    ndarray of shape (n, n_columns)
        1 for the units in the first half of a halving, -1 for those in the second.
    """
    signs = np.empty((sum(map(len, strata)), n_columns), dtype=np.int8)
    excess = np.zeros(n_columns, dtype=np.int8)
    for members in strata:
        large = len(members) >= fewest_units(n_columns)
        part = (_orthogonal if large else _at_random)(len(members), n_columns, rng)
        # One stratum with an odd number gives its odd one to this half, the next to that.
        own = part.sum(axis=0, dtype=np.int8)
        part *= np.where(own * excess > 0, -1, 1).astype(np.int8)
        excess += part.sum(axis=0, dtype=np.int8)
        signs[members] = part
    return signs


def fewest_units(n_columns: int) -> int:
    """Fewest units that can be halved so often with balanced overlaps."""
    return _order(n_columns) - 1


def _order(n_columns: int) -> int:
    return 4 * (n_columns // 4 + 1)


def _at_random(n: int, n_columns: int, rng: np.random.Generator) -> Signs:
    """Halve independently in every column; who gets the odd unit is drawn too."""
    halves = np.where(np.arange(n) % 2 == 0, 1, -1).astype(np.int8)
    columns = [rng.permutation(halves) * rng.choice([-1, 1]) for _ in range(n_columns)]
    return np.column_stack(columns).astype(np.int8)


def _orthogonal(n: int, n_columns: int, rng: np.random.Generator) -> Signs:
    """Draw n rows in which each pair of signs comes n/4 times in each pair of columns.

    Orthogonal arrays of smaller sizes, one below the other, are one again. What is left of n
    beside multiples of 4 costs less than 1 in any count: one more row, two opposite ones,
    or one less.
    """
    whole, order = 4 * ((n + 1) // 4), _order(n_columns)
    last = order + whole % order
    parts = [np.tile(_columns(order, n_columns, rng), (whole // order - 1, 1))]
    parts.append(_columns(last, n_columns, rng))
    odd = rng.choice(np.array([-1, 1], dtype=np.int8), (1, n_columns))
    parts += {0: [], 1: [odd], 2: [odd, -odd], 3: []}[n % 4]
    rows = np.concatenate(parts)
    return rows[rng.permutation(len(rows))[:n]]


def _columns(order: int, n_columns: int, rng: np.random.Generator) -> Signs:
    """Columns of a Hadamard matrix, any but the constant one, with any signs."""
    chosen = rng.permutation(np.arange(1, order))[:n_columns]
    return hadamard_matrix(order)[:, chosen] * rng.choice(
        np.array([-1, 1], dtype=np.int8), n_columns
    )


def hadamard_matrix(order: int) -> Signs:
    """Make a Hadamard matrix whose first column is constant.

    By doubling (Sylvester) or from the squares modulo a prime (Paley, 1933,
    :doi:`10.1002/sapm1933121311`): all multiples of 4 up to 48, and some beyond.
    """
    if order & (order - 1) == 0:
        return np.asarray(hadamard(order, dtype=np.int8))
    if _is_prime(order - 1):
        matrix = np.eye(order, dtype=np.int8) + _paley(order - 1, skew=True)
    elif order % 8 == 4 and _is_prime(order // 2 - 1):
        core = _paley(order // 2 - 1, skew=False)
        ones = np.array([[1, 1], [1, -1]]), np.array([[1, -1], [-1, -1]])
        matrix = np.kron(core, ones[0]) + np.kron(np.eye(order // 2), ones[1])
    elif order % 8 == 0:
        matrix = np.kron(hadamard(2), hadamard_matrix(order // 2))
    else:
        raise ValueError(f"no Hadamard matrix of order {order} is known here.")
    return (matrix * matrix[:, :1]).astype(np.int8)


def _paley(prime: int, *, skew: bool) -> Signs:
    """Quadratic characters of differences modulo a prime, bordered by ones."""
    squares = np.unique(np.arange(1, prime) ** 2 % prime)
    character = np.full(prime, -1, dtype=np.int8)
    character[squares] = 1
    character[0] = 0
    numbers = np.arange(prime)
    core = np.zeros((prime + 1, prime + 1), dtype=np.int8)
    core[1:, 1:] = character[(numbers[:, None] - numbers) % prime]
    core[0, 1:] = 1
    core[1:, 0] = -1 if skew else 1
    return core


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % factor for factor in range(2, int(number**0.5) + 1))
