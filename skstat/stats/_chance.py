"""Probability distributions, root finding, and plans of how units are resampled."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special


def normal_isf(q: Any) -> Any:
    """Inverse survival function of the standard normal law."""
    return -special.ndtri(q)


def t_sf(x: Any, df: Any) -> Any:
    """Survival function of Student's t."""
    return special.stdtr(df, np.negative(x))


def t_isf(q: Any, df: Any) -> Any:
    """Inverse survival function of Student's t."""
    quantile = -special.stdtrit(df, q)
    # Releases of SciPy differ at q = 0 and q = 1.
    return np.where(np.equal(q, 0), np.inf, np.where(np.equal(q, 1), -np.inf, quantile))[()]


def chi2_sf(x: Any, df: Any) -> Any:
    """Survival function of chi-squared."""
    return special.chdtrc(df, np.maximum(x, 0))


def chi2_isf(q: Any, df: Any) -> Any:
    """Inverse survival function of chi-squared."""
    return special.chdtri(df, q)


def f_sf(x: Any, dfn: Any, dfd: Any) -> Any:
    """Survival function of F with `dfn` and `dfd` degrees of freedom."""
    return special.fdtrc(dfn, dfd, np.maximum(x, 0))


def f_isf(q: Any, dfn: Any, dfd: Any) -> Any:
    """Inverse survival function of F with `dfn` and `dfd` degrees of freedom."""
    quantile = special.fdtri(dfn, dfd, np.subtract(1, q))
    return np.where(np.equal(q, 0), np.inf, np.where(np.equal(q, 1), 0.0, quantile))[()]


def laws() -> Any:
    """Return ``scipy.stats``, imported on first use because that takes time."""
    from scipy import stats

    return stats


def binom_cdf(k: Any, n: Any, p: float = 0.5) -> NDArray[np.float64]:
    """Cumulative distribution of Binomial(n, p); quicker than ``scipy.stats``."""
    cdf = special.betainc(np.maximum(n - k, 1), np.maximum(k, 0) + 1, 1 - p)
    return np.where(k < 0, 0.0, np.where(k < n, cdf, 1.0))


def binom_tails(k: Any, n: Any, p: float = 0.5) -> tuple[Any, Any]:
    """Return P(X <= k) and P(X >= k) of Binomial(n, p); swapping A and B changes no bit."""
    return binom_cdf(k, n, p), binom_cdf(n - k, n, 1 - p)


def beta_ppf(q: float, a: float, b: float) -> float:
    """Quantile of the beta law."""
    value = float(special.betaincinv(a, b, q))
    return float(laws().beta.ppf(q, a, b)) if np.isnan(value) else value  # very far out


def root_between(
    function: Callable[[float], float], low: float, high: float, **tolerances: float
) -> float:
    """Return the root of a function by ``scipy.optimize.brentq``, imported on first use.

    Parameters
    ----------
    function : callable
        A function of one number, with different signs at both ends.
    low, high : float
        Ends of the search.
    **tolerances : float
        `xtol` and `rtol` of ``brentq``.
    """
    from scipy.optimize import brentq

    return float(brentq(function, low, high, **tolerances))


def root_of_rising(function: Callable[[float], float], start: float) -> float:
    """Return the root of an increasing function, searched from `start` in growing steps."""
    step = -1.0 if function(start) > 0 else 1.0
    end = start + step
    while step * function(end) < 0:
        if abs(step) > 1e9:
            return end
        step *= 2
        end += step
    return root_between(function, *sorted((start, end)), xtol=1e-12)


DEFAULT_RESAMPLES = 9_999


def draw_seed(rng: int | np.random.Generator | None) -> int:
    """Draw the one seed from which all draws of a procedure are repeated."""
    try:
        if isinstance(rng, bool | np.bool_):  # NumPy takes it for 0 or 1
            raise TypeError
        return int(np.random.default_rng(rng).integers(2**32))
    except (TypeError, ValueError):
        raise ValueError(f"rng={rng!r} must be a whole number, a Generator or None.") from None


def in_parts(n: int, n_each: int, max_numbers: int) -> Iterator[slice]:
    """Slice n items of `n_each` numbers, with at most `max_numbers` in a slice."""
    size = max(1, max_numbers // max(1, n_each))
    return (slice(start, min(n, start + size)) for start in range(0, n, size))


# With more units than this, blocks are drawn. Their number is a prime: what repeats in the
# order of the units, such as the topics of questions, does not repeat with the blocks.
MANY_UNITS, N_BLOCKS = 1 << 16, 16_381


def sums_of_blocks(terms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the terms of every block, whose units are `N_BLOCKS` rows apart.

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


# Numbers of one block. It is a constant: neither the cores nor the memory of a machine may
# change which block a resample belongs to, and so its random numbers.
_BLOCK = 1 << 22
_LARGEST_BLOCK = 1 << 12
# Below this many units scattered draws are hardly slower than Poisson counts, of which too
# many would have to be filled up one by one.
_FEW_UNITS = 128
_DRAWN_AT_ONCE = 1 << 18  # bytes; stays in a core's own cache


@dataclass(frozen=True, eq=False)
class ResamplingPlan:
    """Units to be resampled, and how they are drawn.

    An atom is what is counted: one unit, which is a row or a group of rows, or a cell of rows
    that are alike, so that the cost is that of the cells. Drawing rows and counting them by
    cell is a multinomial draw of the cells' counts; swapping every row of a cell with chance
    1/2 is a binomial one. Nothing is approximated.

    Parameters
    ----------
    multiplicity : ndarray of int of shape (n_atoms,)
        Exchangeable units that every atom stands for.
    strata : ndarray of int of shape (n_atoms,), optional
        Strata whose sizes every resample keeps.
    block_length : int, optional
        Length of the moving blocks that a resample of ordered units is made of.
    of_cells : bool, default=True
        Whether atoms are cells.
    at_once : int, optional
        Numbers drawn from one stream of random numbers.
    """

    multiplicity: NDArray[np.int64]
    strata: NDArray[np.int64] | None = None
    block_length: int | None = None
    of_cells: bool = True
    at_once: int = _BLOCK

    @property
    def has_many_units(self) -> bool:
        """Whether there are so many units that a bootstrap draws blocks of them."""
        free = self.strata is None and self.block_length is None
        return free and not self.of_cells and self.n_atoms > MANY_UNITS

    @property
    def parts(self) -> list[NDArray[np.intp]]:
        """Atoms of every stratum."""
        if self.strata is None:
            return [np.arange(self.n_atoms)]
        return [np.flatnonzero(self.strata == code) for code in range(self.strata.max() + 1)]

    @property
    def n_atoms(self) -> int:
        return len(self.multiplicity)

    @property
    def n_units(self) -> int:
        return int(self.multiplicity.sum())

    @property
    def block_size(self) -> int:
        """Resamples drawn from one stream of random numbers."""
        return max(1, min(_LARGEST_BLOCK, self.at_once // self.n_atoms))

    def weights(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        """Draw bootstrap resamples: how often each atom comes, shape (size, n_atoms)."""
        if self.block_length is not None:
            return _draw_blocks(rng, size, self.n_atoms, self.block_length)
        if self.strata is None:
            return self._draw(rng, size, self.multiplicity)
        weights = np.empty((size, self.n_atoms), dtype=np.int64 if self.of_cells else np.uint8)
        for members in self.parts:
            weights[:, members] = self._draw(rng, size, self.multiplicity[members])
        return weights

    def _draw(self, rng: np.random.Generator, size: int, counts: Any) -> NDArray[Any]:
        n = int(counts.sum())
        if self.of_cells:
            return rng.multinomial(n, counts / n, size)
        return equal_counts(rng, size, n)

    def smooth_weights(self, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
        """Draw weights of the Bayesian bootstrap, by a Dirichlet law, shape (size, n_atoms).

        The weight of an atom is the sum over its units. In every stratum the weights add up to
        the number of its units.
        """
        if self.block_length is not None:
            raise ValueError("the Bayesian bootstrap is not for rows in time order.")
        weights = rng.standard_gamma(self.multiplicity.astype(np.float64), (size, self.n_atoms))
        for members in self.parts:
            part, total = weights[:, members], self.multiplicity[members].sum()
            weights[:, members] = part * (total / part.sum(axis=1))[:, None]
        return weights

    def swaps(self, rng: np.random.Generator, size: int) -> NDArray[Any]:
        """Draw permutations: how many units of each atom swap, shape (size, n_atoms)."""
        if self.of_cells:
            return rng.binomial(self.multiplicity, 0.5, (size, self.n_atoms))
        return np.unpackbits(fair_bits(rng, size, self.n_atoms), axis=1, count=self.n_atoms)


def plan_of_units(
    n: int, strata: NDArray[np.int64] | None = None, block_length: int | None = None
) -> ResamplingPlan:
    """Plan to draw n units one by one, each with equal chance."""
    return ResamplingPlan(np.ones(n, dtype=np.int64), strata, block_length, of_cells=False)


def kinds_of_rows(
    columns: Sequence[NDArray[Any]], max_kinds: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]] | None:
    """Group equal rows: return the first row of each kind, and how many rows it has.

    Kinds stand in the order of their first rows: their sorted order would depend on the order
    of the columns, and so would the draws of a seed. None for more than `max_kinds`.
    """
    order = np.lexsort(columns)  # which takes much less time than sorting rows as a whole
    changes = np.any([column[order[1:]] != column[order[:-1]] for column in columns], axis=0)
    starts = np.append(0, np.flatnonzero(changes) + 1)
    if len(starts) > max_kinds:
        return None
    first, counts = order[starts], np.diff(starts, append=len(order))
    by_first = np.argsort(first)
    return first[by_first], counts[by_first]


def block_length_of(length: Any, n: int, unit: str) -> int:
    """Check and return the length of moving blocks; by default the cube root of n units."""
    longest = max(1, n // 2)
    if length is None:
        return min(math.ceil(round(n ** (1 / 3), 9)), longest)
    whole = isinstance(length, int | float | np.number) and float(length).is_integer()
    if not whole or not 1 <= length <= longest:
        raise ValueError(f"block_length={length!r} must be a whole number from 1 to {longest}.")
    return int(length)


def stream(seed: np.random.SeedSequence) -> np.random.Generator:
    """Return the random generator of one block of resamples."""
    return np.random.Generator(np.random.SFC64(seed))


def fair_bits(rng: np.random.Generator, size: int, n: int) -> NDArray[np.uint8]:
    """Draw fair bits, n in each row, eight to a byte."""
    n_bytes = -(-n // 8)
    return _bytes(rng, size * n_bytes).reshape(size, n_bytes)


def equal_counts(rng: np.random.Generator, size: int, n: int) -> NDArray[np.uint8]:
    """Draw `size` times multinomial counts of n draws among n units of equal chance.

    For many units the counts start as independent Poisson numbers of a mean slightly
    below 1, which given their sum are multinomial; the draws that are still missing
    follow one by one. A resample with a sum above n is drawn again: given its sum the
    law is the same, so that this changes nothing.
    """
    if n < _FEW_UNITS:
        return _count(rng.integers(0, n, (size, n), dtype=np.int64), n).astype(np.uint8)
    mean = 1 - 3 / math.sqrt(n)
    counts = _poisson(rng, size, n, mean)
    totals = counts.sum(axis=1, dtype=np.int64)
    while (full := np.flatnonzero(totals > n)).size:
        counts[full] = _poisson(rng, len(full), n, mean)
        totals[full] = counts[full].sum(axis=1, dtype=np.int64)
    missing = n - totals
    rows = np.repeat(np.arange(size, dtype=np.int64) * n, missing)
    np.add.at(counts.reshape(-1), rows + rng.integers(0, n, int(missing.sum())), np.uint8(1))
    return counts


def _poisson(rng: np.random.Generator, size: int, n: int, mean: float) -> NDArray[np.uint8]:
    """Draw Poisson counts from one byte each, and a second number where a byte is not enough.

    The counts 0 to 4 own as many whole bytes as their probability has 256ths; the
    bytes that are left belong to the remainders of all counts, which are drawn exactly.
    """
    edges, remainder = _thresholds(mean)
    width = -(-n // 8) * 8
    counts = np.empty(size * width, dtype=np.uint8)
    for start in range(0, counts.size, _DRAWN_AT_ONCE):
        part = counts[start : start + _DRAWN_AT_ONCE]
        drawn = _bytes(rng, part.size)
        np.greater_equal(drawn, edges[0], out=part.view(np.bool_))
        for edge in edges[1:4]:
            part += np.greater_equal(drawn, edge).view(np.uint8)
        unsure = np.flatnonzero(drawn >= edges[4])
        part[unsure] = np.searchsorted(remainder, rng.random(unsure.size), side="right")
    return np.ascontiguousarray(counts.reshape(size, width)[:, :n])


@lru_cache(maxsize=64)
def _thresholds(mean: float) -> tuple[tuple[int, ...], NDArray[np.float64]]:
    """Return the bytes below which a count is 0, 1, ..., and the law of the remainders."""
    k = np.arange(64)
    probabilities = np.exp(special.xlogy(k, mean) - special.gammaln(k + 1) - mean)
    n_bytes = np.floor(256 * probabilities[:5])
    probabilities[:5] -= n_bytes / 256
    edges = tuple(int(edge) for edge in np.cumsum(n_bytes))
    return edges, np.cumsum(probabilities / probabilities.sum())


def _bytes(rng: np.random.Generator, n: int) -> NDArray[np.uint8]:
    # Whole words are drawn faster than bytes; the byte order must not depend on the machine.
    words = rng.integers(0, 1 << 64, -(-n // 8), dtype=np.uint64, endpoint=False)
    return words.astype("<u8", copy=False).view(np.uint8)[:n]


def _draw_blocks(rng: np.random.Generator, size: int, n: int, length: int) -> NDArray[np.int64]:
    """Count how often each of n ordered units comes in blocks drawn with replacement."""
    starts = rng.integers(0, n - length + 1, (size, -(-n // length)), dtype=np.int64)
    drawn = starts[:, :, None] + np.arange(length)
    return _count(drawn.reshape(size, -1)[:, :n], n)  # the last block is cut


def _count(drawn: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Count how often each of n units is drawn in every row."""
    rows = np.arange(len(drawn), dtype=np.int64)[:, None] * n
    return np.bincount((drawn + rows).ravel(), minlength=len(drawn) * n).reshape(-1, n)
