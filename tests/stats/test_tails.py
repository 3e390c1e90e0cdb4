"""Tails from ``scipy.special`` are those of ``scipy.stats``, far out and at the ends too."""

import numpy as np
import pytest
from scipy import stats

from skstat.stats import _tails as tails
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
ENDS = [0.0, np.inf, -np.inf, np.nan, 1e300, -1e300, 5e-324, -0.0]
POINTS = np.concatenate([RNG.normal(size=200) * scale for scale in (1, 1e-9, 10, 40)] + [ENDS])
CHANCES = np.concatenate(
    [RNG.random(400), 10.0 ** -np.arange(1, 320, 3), [0, 1, np.nan, 5e-324, 1 - 1e-16]]
)
DFS = (0.5, 1, 2, 3.5, 9, 100, 1e6, 1e10)


@in_one_test(
    "ours, theirs, points, laws",
    [
        (tails.normal_cdf, stats.norm.cdf, POINTS, [()]),
        (tails.normal_isf, stats.norm.isf, CHANCES, [()]),
        (tails.normal_ppf, stats.norm.ppf, CHANCES, [()]),
        (tails.t_sf, stats.t.sf, POINTS, [(df,) for df in (*DFS, np.inf)]),
        (tails.t_isf, stats.t.isf, CHANCES, [(df,) for df in DFS]),
        (tails.chi2_sf, stats.chi2.sf, POINTS, [(df,) for df in (1, 2, 7, 500)]),
        (tails.chi2_isf, stats.chi2.isf, CHANCES, [(df,) for df in (1, 2, 7, 500)]),
        (tails.f_sf, stats.f.sf, POINTS, [(a, b) for a in (1, 7, 500) for b in (1, 10, 1e5)]),
        (tails.f_isf, stats.f.isf, CHANCES, [(a, b) for a in (1, 7) for b in (1, 10, 1e5)]),
        (tails.poisson_pmf, stats.poisson.pmf, np.arange(64), [(0,), (0.3,), (1,), (2.5,)]),
    ],
)
def test_tails_are_scipys_to_the_last_bit(ours, theirs, points, laws):
    for law in laws:
        with np.errstate(all="ignore"):
            found = ours(points, *law)
            np.testing.assert_array_equal(found, theirs(points, *law))
            alone = [float(ours(float(point), *law)) for point in points[::40]]
        np.testing.assert_array_equal(alone, found[::40])


@pytest.mark.filterwarnings("ignore:Error in function boost")  # of quantiles below 1e-300
@pytest.mark.parametrize("a, b", [(1, 2), (0.5, 10.5), (33, 70), (1000, 5), (1.5, 1e6)])
def test_quantiles_of_beta_are_scipys(a, b):
    # For the last law the function of ``scipy.special`` has no answer below 1e-80.
    found = [tails.beta_ppf(q, a, b) for q in CHANCES]
    np.testing.assert_array_equal(found, stats.beta.ppf(CHANCES, a, b))
