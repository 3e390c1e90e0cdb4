"""Plans of the default test over splits, against the test itself."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats as law

from skstat.evaluation import RepeatedHalves
from skstat.stats import MarginPlanner, PairedFoldScores, ProjectionPlanner, RepeatsPlanner
from tests.cases import in_one_test


def made(rng, plan, n, difference):
    """One data set: the rows' own differences, and what changes with the training half."""
    balanced = plan.n_repeats <= 23
    halves = RepeatedHalves(
        plan.n_repeats, balanced=balanced, random_state=int(rng.integers(1 << 31))
    )
    folds = np.zeros((plan.n_repeats, n), dtype=int)
    for k, (_, test) in enumerate(halves.split(np.zeros((n, 1)))):
        folds[k // 2, test] = k % 2
    own = rng.normal(difference, plan.sd * math.sqrt(1 - plan.instability), n)
    changing = rng.normal(0, plan.sd * math.sqrt(plan.instability), (plan.n_repeats, n))
    return PairedFoldScores.from_row_scores(own + changing, np.zeros_like(changing), folds)


def by_brute_force(plan, n, difference, runs=20_000):
    """Draw what the formula of the test is made of, split by split."""
    rng, r = np.random.default_rng(3), plan.n_repeats
    a, e = plan.sd**2 * (1 - plan.instability) / n, plan.sd**2 * plan.instability / n
    own = rng.normal(0, 2 * math.sqrt(a), (runs, r))
    halves = rng.normal(0, math.sqrt(2 * e), (runs, r, 2))  # what changes, on either half
    theta = halves.mean(axis=2)
    v_e = 2 * theta.var(axis=1, ddof=1)
    d = own + halves[:, :, 0] - halves[:, :, 1]
    v_1 = np.maximum((d**2).mean(axis=1) / 2 - v_e, 0) / 2
    c = (d * own).mean(axis=1) / 4
    f = 4 * a - 4 * c + v_1
    error = np.sqrt(np.maximum(f, a) + v_e * (1 / 7 + 1 / (2 * r)))
    estimate = difference + rng.normal(0, math.sqrt(a), runs) + theta.mean(axis=1)
    return np.mean(2 * law.t.sf(np.abs(estimate / error), r) <= 0.05)


BRUTE = [(0.0, 15, 0.2), (0.6, 15, 0.15), (0.6, 4, 0.2), (0.95, 15, 0.1), (0.3, 15, 0.0)]


@in_one_test("instability, n_repeats, difference", BRUTE)
def test_power_is_that_of_the_formula_drawn_split_by_split(instability, n_repeats, difference):
    plan = ProjectionPlanner(sd=0.5, instability=instability, n_repeats=n_repeats)
    expected = by_brute_force(plan, 100, difference)
    assert plan.power(100, difference) == pytest.approx(expected, abs=0.012)


def test_rows_alone_decide_where_repetitions_are_many():
    plan = ProjectionPlanner(sd=0.4, instability=0.6)
    repeats = plan.repeats(400)
    assert isinstance(repeats, RepeatsPlanner)
    # Then the standard error is known: the rows' own part, and what is assumed for certain.
    own, margin = 0.4**2 * 0.4, 0.4**2 * 0.6 * 2 / 7
    z = math.sqrt(1 + margin / own) * law.norm.isf(0.025) + law.norm.ppf(0.8)
    assert repeats.floor() == pytest.approx(z * math.sqrt(own / 400), rel=1e-4)
    assert repeats.size(0.99 * repeats.floor()) is None
    n = repeats.size(1.1 * repeats.floor()).stable
    assert repeats.power(n, 1.1 * repeats.floor()) >= 0.8
    powers = [repeats.power(r, 0.04) for r in (3, 5, 10, 15, 23, 60, 200, math.inf)]
    assert all(a < b for a, b in pairwise(powers))
    assert repeats.power(15, 0.04) == plan.power(400, 0.04)
    assert plan.floor() == 0 and repeats.half_width(15) == plan.half_width(400)


def test_gain_of_repetitions_in_rows():
    plan = ProjectionPlanner(sd=0.4, instability=0.5, n_repeats=10)
    # Of one repetition, of ten, and of all that there are.
    error = [0.4 * math.sqrt((0.5 + 0.5 / r) / 300) for r in (1, 10, math.inf)]
    assert plan.standard_error(300) == pytest.approx(error[1])
    assert plan.sample_gain() == pytest.approx((error[0] / error[1]) ** 2)
    assert plan.sample_gain(math.inf) == pytest.approx((error[0] / error[2]) ** 2)
    assert ProjectionPlanner(sd=0.4).sample_gain() == 1
    with pytest.raises(ValueError, match="n_repeats=0 must be at least 1"):
        plan.sample_gain(0)


def test_margins_are_planned_by_the_same_law():
    rows = ProjectionPlanner(sd=0.4, instability=0.5)
    gate = MarginPlanner(of=rows, margin=0.05, one_sided=True)
    # Shown not to be worse by a margin is a significant difference from it.
    one_sided = ProjectionPlanner(sd=0.4, instability=0.5, one_sided=True)
    assert gate.power(300) == pytest.approx(one_sided.power(300, 0.05), abs=1e-12)
    assert MarginPlanner(of=rows, margin=0.05).power(300) < gate.power(300)


WRONG = [
    ({"instability": 1.0}, "instability=1.0 must be a share of at least 0 and below 1"),
    ({"instability": -0.1}, "instability=-0.1"),
    ({"n_repeats": 2}, "n_repeats=2"),
    ({"sd": 0}, "sd=0"),
]


@in_one_test("arguments, message", WRONG)
def test_wrong_assumptions_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        ProjectionPlanner(**{"sd": 1.0} | arguments)
    with pytest.raises(ValueError, match="n_rows=5"):
        RepeatsPlanner(sd=1.0, n_rows=5)
