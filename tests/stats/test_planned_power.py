"""Designs that were planned for a power of 0.8 have it: simulations that share no code."""

import numpy as np
import pytest

from calibration.plans import SETTINGS, ask
from skstat.stats import PairedTPlanner
from skstat.stats._planning import upper_limit


# All settings are counted in ``calibration/plans.json``.
@pytest.mark.parametrize("name", ["mid-p", "groups", "seeds", "gate"])
def test_planned_designs_have_the_power_that_was_asked_for(name):
    found = ask(name)
    share = found["rejected"] / found["times"]
    assert name in SETTINGS and share == pytest.approx(found["planned"], abs=0.02)
    assert share > 0.77


def test_plans_from_an_upper_limit_reach_their_power_in_four_of_five_cases():
    rng, m, delta = np.random.default_rng(9), 50, 0.3
    true, reached = PairedTPlanner(sd=1.0), {None: [], 0.8: []}
    for sd in np.sqrt(rng.chisquare(m - 1, 150) / (m - 1)):
        for limit, found in reached.items():
            used = sd if limit is None else upper_limit(sd, m - 1, limit)
            n = PairedTPlanner(sd=used).size(delta).stable
            found.append(true.power(n, delta) >= 0.8)
    assert np.mean(reached[0.8]) == pytest.approx(0.8, abs=0.08)
    assert 0.4 < np.mean(reached[None]) < 0.6
