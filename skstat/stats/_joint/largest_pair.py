"""The largest t of all pairs of many systems in every draw, without the t of every pair."""

import numpy as np
from numpy.typing import NDArray

# Numbers of a block of pairs: it stays in the processor's cache, or nearly.
_NUMBERS_AT_ONCE = 1 << 20
_EXTREMES = 8  # systems at either end of the errors: the largest t is hardly ever elsewhere
_BELOW = 1e-3  # by how much less a square may be than the one that is known
_MOST_CANDIDATES = 300  # pairs per draw; of more, all may as well be looked at
_ALIKE = 1e-4  # share of the variances of two systems that is left of their difference
_EPSILON = 2.0**-24
_PARTS = 4  # of the systems, each of which is compared with all that come later

Numbers = NDArray[np.float64]
Small = NDArray[np.float32]


class LargestPair:
    """Squares of t of all pairs: errors over standard errors that every draw has of its own.

    The t of one pair is not below c exactly where the square of the difference of its errors,
    less c squared times its variance, is not below 0. Of all pairs that is one product of two
    matrices, for which half as many digits are enough: the few pairs that reach a t that is
    known already, or nearly, are looked at with all digits.

    Parameters
    ----------
    errors : ndarray of shape (n_draws, k)
        Errors of the scores.
    root : ndarray of shape (r, k)
        Root of the covariance that `factors` multiply from the left.
    factors : ndarray of shape (n_draws, r, r)
        A factor for each draw.
    """

    def __init__(
        self, errors: Numbers, root: NDArray[np.floating], factors: NDArray[np.floating]
    ) -> None:
        # What all systems have in common only takes digits from the differences.
        self._errors = errors - errors.mean(axis=1, keepdims=True)
        self._root = root - root.mean(axis=1, keepdims=True)
        self._factors = factors
        scale = float(np.abs(self._root).max()) or 1.0
        self._small_root = (self._root / scale).astype(np.float32)
        self._scale = scale

    def largest(self) -> tuple[Numbers, NDArray[np.bool_]]:
        """Return the largest t of every draw, and in which draws it is known."""
        n_draws, k = self._errors.shape
        found = np.full(n_draws, -np.inf)
        size = max(1, _NUMBERS_AT_ONCE // k**2)
        for start in range(0, n_draws, size):
            draws = slice(start, start + size)
            places, a, b = self._candidates(draws)
            if len(places) > _MOST_CANDIDATES * size:
                continue
            np.maximum.at(found, start + places, self._t(start + places, a, b))
        return found, np.isfinite(found)

    def _candidates(self, draws: slice) -> tuple[NDArray[np.intp], ...]:
        """Draws, and two systems each, of which none that are left out has a larger t."""
        errors = (self._errors[draws] / self._scale).astype(np.float32)
        factors = self._factors[draws].astype(np.float32, copy=False)
        n, r = factors.shape[:2]
        roots = (factors.reshape(-1, r) @ self._small_root).reshape(n, r, -1)
        own = np.einsum("nrk,nrk->nk", roots, roots)
        known = _of_extremes(errors, roots, own) * np.float32(1 - _BELOW)
        weights = np.sqrt(known)[:, None, None]
        rest = errors**2 - known[:, None] * own
        k = errors.shape[1]
        left, right = (np.ones((n, r + 3, k), dtype=np.float32) for _ in range(2))
        np.multiply(roots, weights, out=left[:, :r])
        np.multiply(left[:, :r], 2, out=right[:, :r])
        left[:, r], left[:, r + 1] = errors, rest
        right[:, r], right[:, r + 2] = -2 * errors, rest
        largest = (errors**2 + known[:, None] * own).max(axis=1)
        noise = (8 * (r + 8) * _EPSILON) * largest
        found = [
            _not_below(left, right, begin, -noise) for begin in range(0, k, -(-k // _PARTS))
        ]
        at, a, b = (np.concatenate(column) for column in zip(*found, strict=True))
        return at, a, b

    def _t(self, draws: NDArray[np.intp], a: NDArray[np.intp], b: NDArray[np.intp]) -> Numbers:
        """Return the t of some pairs, each in a draw."""
        found = np.empty(len(draws))
        size = max(1, _NUMBERS_AT_ONCE // self._factors.shape[1] ** 2)
        for start in range(0, len(draws), size):
            part = slice(start, start + size)
            at, first, second = draws[part], a[part], b[part]
            apart = (self._root[:, first] - self._root[:, second]).T[:, :, None]
            spreads = np.linalg.norm((self._factors[at].astype(float) @ apart)[:, :, 0], axis=1)
            found[part] = np.abs(self._errors[at, first] - self._errors[at, second]) / spreads
        return found


def _not_below(
    left: Small, right: Small, begin: int, limits: NDArray[np.floating]
) -> tuple[NDArray[np.intp], ...]:
    """Draws and pairs whose product is not below a limit, of some systems and all later ones.

    What one half of the pairs says, the other half repeats.
    """
    end = begin + -(-left.shape[2] // _PARTS)
    products = left[:, :, begin:end].transpose(0, 2, 1) @ right[:, :, begin:]
    own = np.arange(products.shape[1])
    products[:, own, own] = -np.inf
    at, b = np.nonzero(products.max(axis=1) >= limits[:, None])
    row, a = np.nonzero(products[at, :, b] >= limits[at, None])
    once = a < b[row]
    return at[row][once], begin + a[once], begin + b[row][once]


def _of_extremes(errors: Small, roots: Small, own: Small) -> Small:
    """Largest square of t between the systems at both ends of the errors."""
    m = min(_EXTREMES, errors.shape[1] // 2)
    ends = np.argpartition(errors, (m - 1, -m), axis=1)
    low, high = ends[:, :m], ends[:, -m:]
    of_low, of_high = (np.take_along_axis(roots, end[:, None], axis=2) for end in (low, high))
    spread = np.take_along_axis(own, low, axis=1)[:, :, None]
    spread = spread + np.take_along_axis(own, high, axis=1)[:, None]
    variances = spread - 2 * (of_low.transpose(0, 2, 1) @ of_high)
    apart = np.take_along_axis(errors, low, axis=1)[:, :, None]
    apart = apart - np.take_along_axis(errors, high, axis=1)[:, None]
    # Of systems that are nearly the same, few digits of the variance would be left.
    variances = np.where(variances > _ALIKE * spread, variances, np.inf)
    return np.asarray((apart**2 / variances).max(axis=(1, 2)))
