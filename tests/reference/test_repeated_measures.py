"""Numbers of repeated_measures.R."""

import pytest

from skstat.stats import repeated_measures_anova


@pytest.mark.parametrize(
    "correction, pvalue",
    [
        (None, 0.0040841007221974),
        ("greenhouse-geisser", 0.00843979903189373),
        ("huynh-feldt", 0.00718882157429208),
    ],
)
def test_corrections(rounding_times, correction, pvalue):
    outcome = repeated_measures_anova(rounding_times, correction=correction)
    assert outcome.statistic == pytest.approx(6.28830791575887, rel=1e-11)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-8)
    if correction is None:
        assert outcome.df == (2, 42)
