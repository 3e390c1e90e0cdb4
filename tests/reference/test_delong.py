"""Numbers of delong.R."""

import numpy as np
import pytest

from skstat.stats import BinaryScores, delong, delong_wald

# Columns am, wt, disp and qsec of mtcars.
MANUAL = [1, 1, 1, *14 * [0], 1, 1, 1, *5 * [0], *7 * [1]]
WEIGHT = [
    *(2.62, 2.875, 2.32, 3.215, 3.44, 3.46, 3.57, 3.19, 3.15, 3.44, 3.44, 4.07, 3.73, 3.78),
    *(5.25, 5.424, 5.345, 2.2, 1.615, 1.835, 2.465, 3.52, 3.435, 3.84, 3.845, 1.935, 2.14),
    *(1.513, 3.17, 2.77, 3.57, 2.78),
]
DISPLACEMENT = [
    *(160, 160, 108, 258, 360, 225, 360, 146.7, 140.8, 167.6, 167.6, 275.8, 275.8, 275.8),
    *(472, 460, 440, 78.7, 75.7, 71.1, 120.1, 318, 304, 350, 400, 79, 120.3, 95.1, 351, 145),
    *(301, 121),
]
QUARTER_MILE = [
    *(16.46, 17.02, 18.61, 19.44, 17.02, 20.22, 15.84, 20, 22.9, 18.3, 18.9, 17.4, 17.6, 18),
    *(17.98, 17.82, 17.42, 19.47, 18.52, 19.9, 20.01, 16.87, 17.3, 15.41, 17.05, 18.9, 16.7),
    *(16.9, 14.5, 15.5, 14.6, 18.6),
]


@pytest.fixture
def cars():
    scores = {
        "light": -np.array(WEIGHT),
        "small": -np.array(DISPLACEMENT),
        "quick": np.array(QUARTER_MILE),
    }
    return BinaryScores.from_scores(MANUAL, scores)


def test_areas(cars):
    areas = [0.933198380566802, 0.866396761133603, 0.380566801619433]
    errors = [0.0481121281240915, 0.0694056187348113, 0.109983399937963]
    assert cars.aucs == pytest.approx(areas, rel=1e-13)
    assert cars.standard_errors == pytest.approx(errors, rel=1e-12)


@pytest.mark.parametrize(
    "pair, z, pvalue, low, high",
    [
        (
            *(("light", "small"), 1.37646114130972, 0.168678909953676),
            *(-0.0283182239598661, 0.161921462826263),
        ),
        (
            *(("light", "quick"), 5.73435776994708, 9.78825228171477e-09),
            *(0.363745912075847, 0.74151724581889),
        ),
        (
            *(("small", "quick"), 5.8841716811588, 4.00052414553532e-09),
            *(0.324004425716896, 0.647655493311444),
        ),
    ],
)
def test_pairs(cars, pair, z, pvalue, low, high):
    outcome = delong(cars.pair(*pair))
    assert outcome.statistic == pytest.approx(z, rel=1e-12)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-10)
    assert outcome.confidence_interval() == pytest.approx((low, high), rel=1e-10)


def test_all_three(cars):
    outcome = delong_wald(cars)
    assert outcome.statistic == pytest.approx(36.2927832890021, rel=1e-11)
    assert outcome.df == 2
    assert outcome.pvalue == pytest.approx(1.31559508508352e-08, rel=1e-9)
