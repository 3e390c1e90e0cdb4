"""Where rates are expected: bands set before this study, from earlier simulations.

A band holds for a procedure on a design, for learners of one kind. The first kind is
stable; the second is not, but changes smoothly with the data; the third selects among
features or rows that are about equally good. A rate outside of its band is shown as such:
bands are neither fitted to the results nor a promise.
"""

from collections.abc import Mapping

from calibration.designs import FIVE_BY_TWO, TEN_BY_TEN, TEN_FOLD, TENTH, THIRD
from calibration.readings import COVERAGE, NULL
from calibration.splits import HOLD_OUT

Band = tuple[float, float]

KINDS: Mapping[str, int] = {
    "naive Bayes": 0,
    "nearest centroid": 0,
    "LDA": 1,
    "full tree": 1,
    "stump": 2,
    "1-NN": 2,
}
_SPLITS: Mapping[tuple[str, str, str], tuple[Band, Band, Band]] = {
    ("paired_t", "", THIRD): ((0.53, 0.89), (0.50, 0.82), (0.59, 0.84)),
    ("paired_t", "", TEN_BY_TEN): ((0.53, 0.89), (0.50, 0.82), (0.59, 0.84)),
    ("corrected_t", "", THIRD): ((0.018, 0.043), (0.015, 0.031), (0.038, 0.073)),
    ("corrected_t", "", TENTH): ((0.044, 0.053), (0.044, 0.058), (0.09, 0.15)),
    ("corrected_t", "", TEN_BY_TEN): ((0.031, 0.052), (0.041, 0.056), (0.11, 0.21)),
    ("bouckaert_t", "", TEN_BY_TEN): ((0.036, 0.061), (0.046, 0.062), (0.12, 0.22)),
    ("paired_t", "", TEN_FOLD): ((0.05, 0.069), (0.07, 0.12), (0.13, 0.26)),
    ("corrected_t", "", TEN_FOLD): ((0.008, 0.014), (0.016, 0.034), (0.04, 0.10)),
    ("five_by_two_t", "", FIVE_BY_TWO): ((0.03, 0.074), (0.033, 0.069), (0.056, 0.125)),
    ("five_by_two_f", "", FIVE_BY_TWO): ((0.031, 0.077), (0.027, 0.079), (0.04, 0.139)),
    ("corrected_t", "", FIVE_BY_TWO): ((0.011, 0.033), (0.007, 0.009), (0.008, 0.040)),
    ("cross_validation_estimate", "variance='all-pairs'", "10-fold"): (
        (0.045, 0.078),
        (0.079, 0.121),
        (0.135, 0.25),
    ),
    ("mcnemar", "method='midp'", HOLD_OUT): ((0.043, 0.052), (0.059, 0.082), (0.056, 0.061)),
}
# About models; of an interval, the band of its errors is turned into one of its coverage.
_TEST_SET: Mapping[tuple[str, str, str], Band] = {
    ("mcnemar", "method='midp'", NULL): (0.038, 0.057),
    ("mcnemar", "method='exact'", NULL): (0.023, 0.043),
    ("paired_bootstrap", "interval='percentile'", COVERAGE): (0.945, 0.960),
    ("paired_bootstrap", "interval='bca'", COVERAGE): (0.943, 0.958),
}


def band_of(
    situation: str, setting: str, procedure: str, options: str, on: str, quantity: str
) -> Band | None:
    """Return the band of a rate, if one was set.

    Parameters
    ----------
    situation, setting : str
        What was simulated.
    procedure, options, on, quantity : str
        What was measured; see `Reading`.
    """
    if situation in ("splits", "differences") and quantity == NULL:
        bands = _SPLITS.get((procedure, options, on))
        return None if bands is None else bands[KINDS[setting.split(",")[0]]]
    if situation == "test_set" and on == "accuracy":
        return _TEST_SET.get((procedure, options, quantity))
    return None


def judge(rate: float, replications: int, band: Band, *, errors: float = 2) -> str:
    """Say whether a rate is in its band, or near it by chance.

    Parameters
    ----------
    rate : float
        What was measured.
    replications : int
        In how many replicates.
    band : tuple of float
        The band.
    errors : float, default=2
        Monte Carlo standard errors that are granted.

    Returns
    -------
    str
        ``"in"``, ``"near"`` (out, but by Monte Carlo error at most), ``"below"``
        or ``"above"``.
    """
    low, high = band
    rounded = round(rate, 3)
    if low <= rounded <= high:
        return "in"
    # The error of a rate at the nearest end of the band: that of a rate of 0 would be 0.
    end = low if rate < low else high
    if abs(rate - end) <= errors * (end * (1 - end) / replications) ** 0.5:
        return "near"
    return "below" if rate < low else "above"
