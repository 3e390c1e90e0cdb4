"""Plans of every kind: closed forms, tables, and simulations of the tests themselves."""

import math
from dataclasses import fields, replace

import numpy as np
import pytest
from scipy import stats as law

from skstat.stats import (
    AnswersPlanner,
    AUCPrecision,
    GroupsPlanner,
    MarginPlanner,
    McNemarPlanner,
    MeanPrecision,
    PairedTPlanner,
    Planner,
    Precision,
    ProjectionPlanner,
    RepeatsPlanner,
    RowsPlanner,
    SeedsPlanner,
    SharePrecision,
    SignPlanner,
    SplitsPlanner,
    SystemsPlanner,
    WilcoxonPlanner,
)
from skstat.stats._planning import independent_errors, mcnemar_power, mcnemar_size, upper_limit
from tests.cases import in_one_test

PLANNERS = [
    McNemarPlanner(discordant=0.2),
    RowsPlanner(sd=0.5),
    PairedTPlanner(sd=0.04),
    GroupsPlanner(sd=0.5, icc=0.1, group_size=10),
    AnswersPlanner(sd_items=0.3, sd_answers=0.5, n_answers=3),
    SeedsPlanner(sd_rows=0.3, sd_seeds=0.01, sd_rest=0.3, n_rows=2000),
    SplitsPlanner(sd=0.02, ratio=1 / 9),
    ProjectionPlanner(sd=0.3),
    RepeatsPlanner(sd=0.3, instability=0.6, n_rows=1000),
    SignPlanner(sd=0.04),
    WilcoxonPlanner(sd=0.04, n_simulations=500),
    MarginPlanner(of=McNemarPlanner(discordant=0.1), margin=0.03),
    SystemsPlanner(sd=0.04, n_systems=3, n_simulations=200),
]


@in_one_test("plan", PLANNERS, ids=lambda plan: type(plan).__name__)
def test_every_plan_is_restored_and_answers_its_three_questions(plan):
    assert Planner.from_dict(plan.to_dict()) == plan
    n = plan.size(0.0, 0.8) if isinstance(plan, MarginPlanner) else plan.size(0.025, 0.8)
    assert n is not None and n.first <= n.stable
    difference = 0.0 if isinstance(plan, MarginPlanner) else 0.025
    assert plan.power(n.stable, difference) >= 0.8
    assert plan.power(max(plan.least, n.first // 2), difference) < 0.8
    smallest = plan.detectable(n.stable, 0.8)
    assert smallest <= (0.03 if isinstance(plan, MarginPlanner) else 0.025) * (1 + 1e-6)
    assert plan.test and plan.unit and plan.assumptions
    assert all(name in {field.name for field in fields(plan)} for name in plan.assumed)


WRONG = [
    ({"alpha": 0.6}, "alpha=0.6 must be below 0.5"),
    ({"alpha": 5}, "alpha=5"),
    ({"sd": 0}, "sd=0 must be"),
    ({"sd": math.nan}, "sd=nan"),
    ({"sd": "large"}, "sd='large'"),
]


@in_one_test("arguments, message", WRONG)
def test_wrong_assumptions_are_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        RowsPlanner(**{"sd": 1.0} | arguments)


def test_wrong_questions_are_refused_by_name():
    plan = PairedTPlanner(sd=1.0)
    for ask, message in [
        (lambda: plan.power(1, 0.5), "n=1 must be a whole number of at least 2"),
        (lambda: plan.power(10.5, 0.5), "n=10.5"),
        (lambda: plan.size(0.0), "difference=0: no size"),
        (lambda: plan.size(0.5, power=0.03), "power=0.03 must lie between alpha=0.05 and 1"),
        (lambda: plan.size(0.5, power=80), "write power=0.8"),
        (lambda: plan.detectable(10, power=True), "power=True"),
        (lambda: McNemarPlanner(discordant=0.1).size(0.2), "at most 0.1"),
        (lambda: McNemarPlanner(discordant=0.1, method="x"), "method='x' is unknown"),
        (lambda: mcnemar_size(0.1, 0.02, power=1.0), "power=1.0"),
        (lambda: mcnemar_power(0, 0.1, 0.02), "n=0"),
        (lambda: SystemsPlanner(sd=1, n_systems=2), "n_systems=2"),
    ]:
        with pytest.raises(ValueError, match=message):
            ask()


def test_no_size_is_said_and_not_guessed():
    splits = SplitsPlanner(sd=0.02, ratio=0.5)
    z = law.norm.isf(0.025) + law.norm.ppf(0.8)
    assert splits.floor() == pytest.approx(z * 0.02 * math.sqrt(0.5), rel=1e-5)
    assert splits.size(0.99 * splits.floor()) is None
    assert splits.size(1.05 * splits.floor()).stable > 30
    seeds = SeedsPlanner(sd_rows=0.3, sd_seeds=0.01, sd_rest=0.3, n_rows=2000)
    assert seeds.floor() == pytest.approx(z * 0.3 / math.sqrt(2000), rel=2e-3)
    assert seeds.size(0.0185) is None
    assert RowsPlanner(sd=1.0).size(1e-9) is None
    assert math.isnan(McNemarPlanner(discordant=0.05).detectable(100))
    assert math.isnan(SignPlanner(sd=1.0).detectable(5))  # its smallest p-value is 1/16


@pytest.mark.parametrize("method", ["midp", "exact"])
def test_saw_teeth_are_found_wherever_they_are(method):
    rng = np.random.default_rng(5)
    for _ in range(6):
        psi = rng.uniform(0.05, 1)
        delta, power = psi * rng.uniform(0.4, 1), rng.uniform(0.5, 0.95)
        first, stable = mcnemar_size(psi, delta, power=power, method=method)
        ns = range(1, 2 * stable + 20)
        enough = [mcnemar_power(n, psi, delta, method=method) >= power for n in ns]
        assert first == enough.index(True) + 1
        assert stable == len(enough) - enough[::-1].index(False) + 1


def test_groups_by_size_and_the_best_size_for_given_costs():
    known = {1: 787, 5: 222, 10: 152, 20: 116, 50: 95, 1000: 82}
    plan = GroupsPlanner(sd=0.5, icc=0.1, group_size=1)
    assert {m: replace(plan, group_size=m).size(0.05).stable for m in known} == known
    assert GroupsPlanner(sd=0.5, icc=0.3, group_size=20).size(0.1).stable == 68
    assert plan.best_group_size(20) == pytest.approx(13.416, abs=1e-3)
    assert replace(plan, icc=0.0).best_group_size(20) == math.inf


def test_items_and_answers():
    plan = AnswersPlanner(sd_items=1 / 3, sd_answers=math.sqrt(1 / 3))
    assert plan.size(0.03).stable == 3876
    assert replace(plan, n_answers=10**9).size(0.03).stable == 969
    assert plan.best_n_answers(10) == 6
    assert plan.best_n_answers(0) == 1


def test_any_metric_from_the_standard_error_of_a_pilot():
    # Two areas of the aSAH data (113 rows): DeLong's standard error of their difference.
    assert RowsPlanner(sd=0.041788 * math.sqrt(113)).size(0.05).stable == 620
    # 100 000 equal chances: the upper limit is missed by a fifth of the pilots.
    rng = np.random.default_rng(0)
    for m in (30, 100):
        found = np.sqrt(rng.chisquare(m - 1, 40_000) / (m - 1))
        limits = found * upper_limit(1.0, m - 1)
        assert np.mean(limits >= 1) == pytest.approx(0.8, abs=0.01)


def test_margins_and_gates():
    for psi, margin, equal, third, not_worse in [
        (0.1, 0.02, 2141, 3481, 1546),
        (0.1, 0.03, 952, 1547, 687),
        (0.2, 0.05, 686, 1113, 495),
        (0.3, 0.05, 1028, 1670, 742),
    ]:
        plan = MarginPlanner(of=McNemarPlanner(discordant=psi), margin=margin)
        assert plan.size().stable == equal
        assert plan.size(margin / 3).stable == third
        gate = replace(plan, one_sided=True)
        assert gate.size().stable == not_worse
        assert gate.power(not_worse, -margin) == pytest.approx(0.05, abs=1e-3)
        assert plan.detectable(equal) == pytest.approx(margin, rel=1e-3)
    with pytest.raises(ValueError, match="not within the margin"):
        plan.size(0.06)
    assert gate.size(0.06) is not None  # better is not worse
    few = MarginPlanner(of=PairedTPlanner(sd=1.0), margin=1.5)
    assert few.power(5) < MarginPlanner(of=RowsPlanner(sd=1.0), margin=1.5).power(5)


def test_independent_errors():
    assert independent_errors(0.2, 0.1) == pytest.approx(0.2 * 0.9 + 0.1 * 0.8)
    with pytest.raises(ValueError, match="error_b=2"):
        independent_errors(0.2, 2)


def test_data_sets_for_wilcoxon():
    # Sizes of a simulation of 100 000; those of 0.8 and more are sure.
    for effect, sizes in {0.5: (35, 36, 37), 0.8: (15,), 1.0: (11,), 1.2: (9,)}.items():
        assert WilcoxonPlanner(sd=1.0).size(effect).stable in sizes
    assert WilcoxonPlanner(sd=1.0).power(5, 9.0) == 0  # its smallest p-value is 1/16
    assert WilcoxonPlanner(sd=1.0, one_sided=True).power(5, 9.0) == 1


@in_one_test("discordant, difference", [(0.1, 1e-4), (0.3, 5e-4), (0.02, 1e-4)])
def test_rows_for_a_very_small_difference_are_those_of_the_formula(discordant, difference):
    found = McNemarPlanner(discordant=discordant).size(difference).stable
    # Of many rows the share of the discordant ones is known (Connor, 1987).
    spread = math.sqrt(discordant - difference**2)
    quantiles = law.norm.isf([0.025, 0.2])
    expected = (quantiles @ [math.sqrt(discordant), spread]) ** 2 / difference**2
    assert found == pytest.approx(expected, rel=0.005)


def test_a_number_beyond_all_plans_is_refused_by_name():
    for plan in (McNemarPlanner(discordant=0.1), WilcoxonPlanner(sd=1.0), PairedTPlanner(sd=1)):
        with pytest.raises(ValueError, match="n=1000.* is more than the 100000000 "):
            plan.power(10**30, 0.01)
        assert plan.power(math.inf, 0.01) == 1


def test_rows_for_a_precise_area():
    # Hanley and McNeil's table, and rows for a half-width.
    assert AUCPrecision(area=0.8, prevalence=0.5).standard_error(50, 50) == pytest.approx(
        0.0445022, abs=5e-8
    )
    assert AUCPrecision(area=0.85, prevalence=0.4).standard_error(40, 60) == pytest.approx(
        0.0419939, abs=5e-8
    )
    known = [(0.8, 0.05, 0.5, 302), (0.8, 0.05, 0.1, 1140), (0.9, 0.03, 0.5, 436)]
    for area, half, prevalence, n in [*known, (0.9, 0.02, 0.2, 2147), (0.7, 0.05, 0.3, 551)]:
        assert AUCPrecision(area=area, prevalence=prevalence).size(half) == n
    # The biomarker s100b of the aSAH data, by DeLong's components.
    pilot = AUCPrecision(area=0.731, prevalence=41 / 113, placements=(0.086025, 0.041076))
    assert pilot.standard_error(41, 72) == pytest.approx(0.051659, abs=2e-6)
    assert [pilot.size(0.05), pilot.size(0.03)] == [464, 1288]


def test_precision_of_shares_and_means():
    assert SharePrecision(share=0.9).size(0.01) == 3461
    assert MeanPrecision(sd=0.5).size(0.05) == 385  # Wald's interval of a half
    for plan in (SharePrecision(share=0.9), MeanPrecision(sd=1.0)):
        assert Precision.from_dict(plan.to_dict()) == plan
    for make, message in [
        (lambda: SharePrecision(share=1.5), "share=1.5"),
        (lambda: AUCPrecision(area=1.0, prevalence=0.5), "area=1.0"),
        (lambda: MeanPrecision(sd=1.0, confidence_level=95), "confidence_level=0.95"),
        (lambda: MeanPrecision(sd=1.0).size(-1), "half_width=-1"),
        (lambda: MeanPrecision(sd=1.0).half_width(0), "n=0"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()


def test_the_cheapest_design_is_that_of_all_designs():
    answers = AnswersPlanner(sd_items=1 / 3, sd_answers=3**-0.5, n_answers=1)
    found = answers.cheapest(0.03, cost_ratio=10)
    assert found.within == answers.best_n_answers(10) == 6
    topics = GroupsPlanner(sd=0.5, icc=0.3, group_size=20)
    for plan, ratio, difference in [(answers, 10, 0.03), (answers, 0, 0.05), (topics, 8, 0.3)]:
        found = plan.cheapest(difference, cost_ratio=ratio)
        sizes = {k: plan.with_parts(k).size(difference, 0.8).stable for k in range(1, 60)}
        assert found.costs == min(n * (ratio + k) for k, n in sizes.items())
        assert found.n == sizes[found.within]
    with pytest.raises(ValueError, match="no best number"):
        replace(topics, icc=0.0).cheapest(0.1, cost_ratio=2)
