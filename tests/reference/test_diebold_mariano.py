"""Numbers of diebold_mariano.R."""

import numpy as np
import pytest

from skstat.stats import PairedScores, diebold_mariano

# Yearly flow of the Nile at Aswan, 1871 to 1910.
NILE = [
    *(1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020),
    *(960, 1180, 799, 958, 1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840),
    *(874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969),
]


def squared_errors(years):
    flow = np.array(NILE, dtype=float)
    return [(flow[i] - flow[i - years : i].mean()) ** 2 for i in range(10, 40)]


@pytest.mark.parametrize(
    "horizon, statistic, both, greater",
    [
        (1, -1.8011447358436, 0.082087869463508, 0.958956065268246),
        (2, -1.57541361236749, 0.12600871508075, 0.936995642459625),
        (3, -1.32356871667302, 0.195986332352195, 0.902006833823902),
        (4, -1.20826217845985, 0.23670723812561, 0.881646380937195),
    ],
)
def test_horizons(horizon, statistic, both, greater):
    errors = squared_errors(2), squared_errors(10)
    sample = PairedScores(*errors, unit="instance", ordered=True)
    outcome = diebold_mariano(sample, horizon=horizon)
    assert outcome.statistic == pytest.approx(statistic, rel=1e-12)
    assert outcome.pvalue == pytest.approx(both, rel=1e-11)
    one_sided = diebold_mariano(sample, horizon=horizon, alternative="greater")
    assert one_sided.pvalue == pytest.approx(greater, rel=1e-11)


def test_bartlett_weights():
    losses = [5, 1, 4, 2, 5, 1, 6, 1, 4, 1, 5, 2]
    sample = PairedScores(losses, np.full(12, 2), unit="instance", ordered=True)
    outcome = diebold_mariano(sample, horizon=2)
    assert outcome.test.endswith("Bartlett weights")
    assert outcome.statistic == pytest.approx(4.67385155590413, rel=1e-12)
    assert outcome.pvalue == pytest.approx(0.000678288899085326, rel=1e-11)
