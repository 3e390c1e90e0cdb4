"""Float noise: which scores are equal, what varies, and how differences rank."""

import numpy as np
from numpy.typing import NDArray

from skstat.stats._common import LARGEST_EXACT

# Scores that differ by less than this share of their own scale are the same number written
# twice: float noise breaks ties and hides zero variance. One score of a million rows that was
# computed in several ways (in another order, by fold, with equal weights) differed by up to
# 3e-12 in metrics of scikit-learn; what differs by less than the whole digits of exact scores
# is told by `are_exact`.
RELATIVE_RESOLUTION = 1e-10
# The share that sums and means of scores may be rounded by.
ROUNDING = 2.0**-46
# Whole multiples of this, such as counts and halves, are held by floats without any noise.
_EXACT_STEP = 2.0**-10
_LOOKED_AT = 64  # scores, of which some are hardly ever exact if not all are


def are_exact(*scores: NDArray[np.float64]) -> bool:
    """Whether floats hold all scores exactly, and so their differences: there is no noise.

    They do whole numbers, and halves and the like. Any other score that a float holds may be
    one that was rounded.
    """
    return all(_is_exact(part[:_LOOKED_AT]) and _is_exact(part) for part in scores)


def _is_exact(scores: NDArray[np.float64]) -> bool:
    largest = float(np.abs(scores).max(initial=0.0))
    step = _EXACT_STEP if largest <= LARGEST_EXACT * _EXACT_STEP else 1.0
    multiples = scores / step
    return largest <= LARGEST_EXACT and bool((np.rint(multiples) == multiples).all())


def noise_by_unit(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Differences below which two scores of a unit are equal; units along the last axis."""
    # By unit: mean squared errors of two data sets may lie ten decades apart.
    scales = np.maximum(np.abs(a), np.abs(b))
    if scales.min() < 1e-3 * scales.max():
        # Noise about a score of 0 has the size of the numbers that cancelled, so that the
        # other units must give the scale there.
        middle = np.median(scales, axis=-1, keepdims=True)
        scales = np.maximum(scales, 1e-3 * middle)
    return np.asarray(RELATIVE_RESOLUTION * scales)


def without_noise(
    differences: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Set differences that are float noise to zero."""
    return np.where(np.abs(differences) <= noise, 0.0, differences)


def resolution_of_rows(
    differences: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Size below which numbers made of differences are float noise, along the last axis."""
    largest = np.max(noise, axis=-1, where=differences != 0, initial=0.0)
    exact = RELATIVE_RESOLUTION * np.abs(differences).max(axis=-1)
    return np.where(noise.any(axis=-1), largest, exact)


def spread_of(
    differences: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Standard deviations along the last axis; 0 where differences vary by float noise."""
    spread = np.std(differences, axis=-1, ddof=1)
    return np.where(spread > resolution_of_rows(differences, noise), spread, 0.0)


def signed_ranks(
    differences: NDArray[np.float64], noise: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Mid-ranks of the sizes of differences along the last axis, with their signs.

    They rise with the sizes, and are 0 of equal scores. Sizes that differ by float noise only
    are tied: noise breaks ties, and so changes every rank statistic. Rounding to a grid would
    be wrong: it tears sizes apart that lie on both sides of a border.
    """
    rows, noise = np.atleast_2d(differences, noise)
    bits = np.ascontiguousarray(rows).view(np.uint64)
    # The sign behind the size: sorted as whole numbers they stand by size, with the sign.
    ordered = np.sort((bits << np.uint64(1)) | (bits >> np.uint64(63)), axis=1)
    sizes = (ordered >> np.uint64(1)).view(np.float64)
    n_equal = np.count_nonzero(sizes == 0, axis=1)
    places = np.arange(rows.shape[1])
    ranks = places + 1.0 - n_equal[:, None]
    apart = _apart(rows, noise, sizes)
    tied = np.flatnonzero(np.count_nonzero(apart, axis=1) < rows.shape[1] - n_equal)
    if len(tied):
        # A mid-rank is the mean of the first and the last place of those that are tied.
        first = np.maximum.accumulate(np.where(apart[tied], places, 0), axis=1)
        ends = np.pad(apart[tied, 1:], ((0, 0), (0, 1)), constant_values=True)
        last = np.where(ends, places, rows.shape[1])[:, ::-1]
        last = np.minimum.accumulate(last, axis=1)[:, ::-1]
        ranks[tied] += (first + last) / 2 - places
    ranks[sizes == 0] = 0.0
    signs = np.where(ordered & np.uint64(1), -1.0, 1.0)
    return np.asarray((signs * ranks).reshape(np.shape(differences)))


def rank_biserial(signed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank-biserial correlations of rows of signed ranks; 0 without a difference."""
    total = np.abs(signed).sum(axis=-1)
    return np.asarray(signed.sum(axis=-1) / np.where(total > 0, total, 1.0))


def _apart(
    differences: NDArray[np.float64], noise: NDArray[np.float64], sizes: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Tell which sizes in ascending order differ from the last by more than noise of both."""
    gaps = np.diff(sizes, axis=1, prepend=0.0)
    apart = gaps > noise.max(axis=1, keepdims=True)
    clear = apart | (gaps <= noise.min(axis=1, keepdims=True))
    rows = np.flatnonzero(~clear.all(axis=1))  # where it matters whose noise it is
    if len(rows):
        of_row = differences[rows]
        order = np.argsort(np.abs(of_row), axis=1)
        own = np.take_along_axis(np.where(of_row == 0, 0.0, noise[rows]), order, axis=1)
        before = np.pad(own[:, :-1], ((0, 0), (1, 0)))
        apart[rows] = gaps[rows] > np.maximum(own, before)
    return apart


def resolution_of(*scores: NDArray[np.float64]) -> float:
    """Size below which numbers made of differences of scores are float noise.

    Of exact scores it is what computing with their differences leaves.
    """
    values = np.concatenate(scores)
    return resolution_beside(values, values - values[0] if are_exact(values) else values)


def resolution_beside(scores: NDArray[np.float64], contrasts: NDArray[np.float64]) -> float:
    """Noise of contrasts, and what rounding leaves where scores themselves are added up."""
    rounding = ROUNDING * float(np.abs(scores).max())
    return max(rounding, RELATIVE_RESOLUTION * float(np.abs(contrasts).max()))
