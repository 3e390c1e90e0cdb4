"""Numbers of shares.R."""

import pytest

from skstat.stats import PairedScores, Successes, binomial, proportion_interval, sign
from tests.cases import in_one_test

FIRST = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
SECOND = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]


@pytest.mark.parametrize(
    "successes, both, less",
    [
        (0, 0.00035716418034003, 0.000178582090170015),
        (3, 0.0748986514476018, 0.0374493257238009),
        (13, 0.043187281759711, 0.99182080796862),
        (27, 1.97109689681341e-13, 0.999999999999996),
    ],
)
def test_binomial(successes, both, less):
    counts = Successes(successes, 30)
    assert binomial(counts, 0.25).pvalue == pytest.approx(both, rel=1e-10)
    assert binomial(counts, 0.25, alternative="less").pvalue == pytest.approx(less, rel=1e-12)


@in_one_test(
    "successes, method, low, high",
    [
        (0, "clopper-pearson", 0, 0.115703308222028),
        (3, "clopper-pearson", 0.0211171370297226, 0.265288450474208),
        (13, "clopper-pearson", 0.254607549903263, 0.625726549390779),
        (27, "clopper-pearson", 0.734711549525792, 0.978882862970277),
        (0, "wilson", 0, 0.113513393173969),
        (3, "wilson", 0.0345998887473342, 0.256210825791841),
        (13, "wilson", 0.273774855764665, 0.608026929991864),
        (27, "wilson", 0.743789174208159, 0.965400111252666),
        (3, "jeffreys", 0.0289806190327265, 0.243401608984927),
        (13, "jeffreys", 0.268919166444729, 0.609939728064391),
        (27, "jeffreys", 0.756598391015073, 0.971019380967273),
    ],
)
def test_intervals(successes, method, low, high):
    found = proportion_interval(successes, 30, method=method)
    assert found == pytest.approx((low, high), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    "successes, high", [(0, 0.0950338528553041), (3, 0.238597857293251), (27, 0.97218445026025)]
)
def test_one_sided_interval(successes, high):
    outcome = binomial(Successes(successes, 30), 0.25, alternative="less")
    share = outcome.estimate + 0.25
    assert share == pytest.approx(successes / 30)
    assert outcome.confidence_interval().high + 0.25 == pytest.approx(high, rel=1e-9)


def test_sign():
    sample = PairedScores(FIRST, SECOND, unit="instance")
    assert sign(sample).pvalue == pytest.approx(0.1796875, rel=1e-13)
    assert sign(sample, alternative="greater").pvalue == pytest.approx(0.08984375, rel=1e-13)
