"""Plans: published sizes, closed forms, counts, brute force, simulations of the tests."""

import json
import math
import pickle
import tracemalloc

import numpy as np
import pytest
from scipy import stats as law

from skstat.stats import (
    AgreementTable,
    PairedScores,
    Plan,
    mcnemar,
    plan_answers,
    plan_from,
    plan_groups,
    plan_mcnemar,
    plan_precision,
    plan_projection,
    plan_rows,
    plan_seeds,
    plan_splits,
    plan_systems,
    plan_units,
    wilcoxon,
)
from tests.cases import in_one_test, refusals

PLANS = [
    plan_mcnemar(0.2),
    plan_rows(0.5),
    plan_units(0.04),
    plan_groups(0.5, icc=0.1, group_size=10),
    plan_answers(0.3, 0.5, n_answers=3),
    plan_seeds(0.3, 0.01, 0.3, n_rows=2000),
    plan_splits(0.02, ratio=1 / 9),
    plan_projection(0.3),
    plan_projection(0.3, instability=0.6, n_rows=1000),
    plan_units(0.04, test="sign"),
    plan_units(0.04, n_simulations=500, test="wilcoxon"),
    plan_mcnemar(0.1).within(0.03),
    plan_systems(0.04, n_systems=3, n_simulations=200),
    plan_from(0.03, n=100),
    plan_precision(area=0.8, prevalence=0.3, placements=(0.1, 0.05)),
]


@in_one_test("plan", PLANS, ids=lambda plan: plan.made_by)
def test_every_plan_is_restored_and_answers_its_three_questions(plan):
    restored = Plan.from_dict(json.loads(json.dumps(plan.to_dict())))
    assert restored == plan == pickle.loads(pickle.dumps(plan)) != plan.assuming(alpha=0.1)
    difference = 0.025 if plan.margin is None else 0.0
    n = plan.size(difference)
    assert n.first <= n.stable and plan.power(n.stable, difference) >= 0.8
    assert plan.power(max(plan.least, n.first // 2), difference) < 0.8
    assert plan.detectable(n.stable) <= (plan.margin or difference) * (1 + 1e-6)
    assert plan.test and plan.unit and plan.assumptions
    found = [(value, other.assumed) for _, value, other in plan.variants()]
    assert found and all(value in assumed.values() for value, assumed in found)


WRONG = [
    (lambda: plan_rows(1.0, alpha=0.6), "alpha=0.6 must be below 0.5"),
    (lambda: plan_rows(0), "sd=0 must be"),
    (lambda: plan_units(1.0).power(1, 0.5), "n=1 must be a whole number of at least 2"),
    (lambda: plan_units(1.0).size(0.0), "no size shows difference=0"),
    (lambda: plan_units(1.0).size(0.5, power=0.03), "power=0.03 must be between alpha=0.05"),
    (lambda: plan_units(1.0).size(0.5, power=80), "write power=0.8"),
    (lambda: plan_mcnemar(0.1).size(0.2), "at most 0.1"),
    (lambda: plan_mcnemar(0.1).power(10**30, 0.1), "n=1000.* is more than the 100000000 rows"),
    (lambda: plan_mcnemar(0.1, method="x"), "method='x' is unknown"),
    (lambda: plan_mcnemar(1.5), "discordant=1.5 must be a share above 0"),
    (lambda: plan_mcnemar(0.1).within(0), "margin=0 must be"),
    (lambda: plan_mcnemar(0.1).within(0.05).size(0.06), "not within the margin"),
    (lambda: plan_mcnemar(0.1).within(0.05).size_for(0.06), "half_width= has no plan"),
    (lambda: plan_systems(1, n_systems=2), "n_systems=2"),
    (
        lambda: plan_systems(1, 3, post_hoc="nemenyi", with_control=True),
        "leave with_control out",
    ),
    (
        lambda: plan_units(1, test="wilcoxon").within(0.1),
        "margin= is not planned for the Wilcoxon",
    ),
    (lambda: plan_projection(1, instability=1.0), "instability=1.0 must be a share of at"),
    (lambda: plan_projection(1, n_repeats=2), "n_repeats=2"),
    (lambda: plan_projection(1, n_rows=5), "n_rows=5"),
    (lambda: plan_seeds(0, 0, 0, n_rows=9), "nothing varies"),
    (lambda: plan_precision(), "give one of share=, sd= and area="),
    (lambda: plan_precision(share=0.5, sd=1), "give one of share=, sd= and area="),
    (lambda: plan_precision(share=1.5), "share=1.5"),
    (lambda: plan_precision(area=1.0, prevalence=0.5), "area=1.0"),
    (lambda: plan_precision(sd=1.0).half_width(9, 95), "as 0.95"),
    (lambda: plan_precision(sd=1.0).half_width(0), "n=0"),
    (lambda: Plan.from_dict({"made_by": "plan_x", "assumed": {}}), "state is not a valid Plan"),
]


test_what_makes_no_sense_is_refused_by_name = refusals(WRONG)


def test_no_size_is_said_and_not_guessed():
    splits = plan_splits(0.02, ratio=0.5)
    z = law.norm.isf(0.025) + law.norm.ppf(0.8)
    assert splits.floor() == pytest.approx(z * 0.02 * math.sqrt(0.5), rel=1e-5)
    assert splits.size(0.99 * splits.floor()) is None
    assert splits.size(1.05 * splits.floor()).stable > 30
    seeds = plan_seeds(0.3, 0.01, 0.3, n_rows=2000)
    assert seeds.floor() == pytest.approx(z * 0.3 / math.sqrt(2000), rel=2e-3)
    assert seeds.size(0.0185) is None and plan_rows(1.0).size(1e-9) is None
    assert math.isnan(plan_mcnemar(0.05).detectable(100))
    assert math.isnan(plan_units(1.0, test="sign").detectable(5))  # its smallest p is 1/16


def test_power_of_t_against_scipy_and_statsmodels():
    # statsmodels 0.14: TTestPower().power(0.5, 30, 0.05).
    assert plan_units(1.0).power(30, 0.5) == pytest.approx(0.753965, abs=5e-7)
    for df in (1, 4, 29, 500):
        t = law.t.isf(0.025, df)
        for shift in (1e-9, 1.0, 2.5):
            expected = law.nct.sf(t, df, shift) + law.nct.cdf(-t, df, shift)
            found = plan_units(1.0).power(df + 1, shift / math.sqrt(df + 1))
            assert found == pytest.approx(expected, abs=1e-9)
    assert plan_units(1.0).power(10, 160) == pytest.approx(1.0)  # where SciPy's may be nan
    sizes = {0.2: 199, 0.3: 90, 0.5: 34, 0.8: 15, 1.0: 10, 1.2: 8}
    assert {effect: plan_units(1.0).size(effect).stable for effect in sizes} == sizes


def test_the_cheapest_of_designs():
    answers = plan_answers(1 / 3, 3**-0.5)
    assert answers.size(0.03).stable == 3876
    assert answers.assuming(n_answers=10**9).size(0.03).stable == 969
    topics = plan_groups(0.5, icc=0.3, group_size=20)
    tried = (answers, "n_answers", 10, 6), (topics, "group_size", 8, 4)
    for plan, name, ratio, best in tried:
        designs = {k: plan.assuming(**{name: k}).size(0.03).stable for k in range(1, 60)}
        assert min(designs, key=lambda k: designs[k] * (ratio + k)) == best


def test_margins_and_gates():
    z = law.norm.isf(0.05) + law.norm.isf(0.1)
    for psi, margin, equal, third, not_worse in [
        (0.1, 0.02, 2141, 3481, 1546),
        (0.1, 0.03, 952, 1547, 687),
        (0.2, 0.05, 686, 1113, 495),
        (0.3, 0.05, 1028, 1670, 742),
    ]:
        plan = plan_mcnemar(psi).within(margin)
        # Of equal systems in closed form: (z_alpha + z_{beta/2})^2 psi / margin^2.
        assert plan.size().stable == equal == math.ceil(z * z * psi / margin**2)
        assert plan.size(margin / 3).stable == third
        gate = plan.assuming(one_sided=True)
        assert gate.size().stable == not_worse
        assert gate.power(not_worse, -margin) == pytest.approx(0.05, abs=1e-3)
        assert plan.detectable(equal) == pytest.approx(margin, rel=1e-3)
        assert plan.power(10) == 0.0
    assert gate.size(0.06) is not None  # better is not worse
    assert plan_units(1.0).within(1.5).power(5) < plan_rows(1.0).within(1.5).power(5)


def test_rows_for_a_precise_area():
    # Hanley and McNeil's table, and rows for a half-width.
    for area, prevalence, error in [(0.8, 0.5, 0.0445022), (0.85, 0.4, 0.0419939)]:
        plan = plan_precision(area=area, prevalence=prevalence)
        assert plan.standard_error(100) == pytest.approx(error, abs=5e-8)
    known = [(0.8, 0.05, 0.5, 302), (0.8, 0.05, 0.1, 1140), (0.9, 0.03, 0.5, 436)]
    for area, half, prevalence, n in [*known, (0.9, 0.02, 0.2, 2147), (0.7, 0.05, 0.3, 551)]:
        assert plan_precision(area=area, prevalence=prevalence).size_for(half) == n
    # The biomarker s100b of the aSAH data, by DeLong's components.
    found = {"area": 0.731, "prevalence": 41 / 113, "placements": (0.086025, 0.041076)}
    pilot = plan_precision(**found)
    assert pilot.standard_error(113) == pytest.approx(0.051659, abs=2e-6)
    assert [pilot.size_for(0.05), pilot.size_for(0.03)] == [464, 1288]
    # Two areas of these data: DeLong's standard error of their difference.
    assert plan_rows(0.041788 * math.sqrt(113)).size(0.05).stable == 620


def test_precision_of_shares_and_means():
    known = [(0.5, 0.05, 381), (0.8, 0.02, 1535), (0.9, 0.02, 868), (0.9, 0.01, 3461)]
    for share, half, n in [*known, (0.95, 0.01, 1838), (0.99, 0.005, 1606)]:
        plan = plan_precision(share=share)
        assert plan.size_for(half) == n
        assert plan.half_width(n) <= half < plan.half_width(n - 1)
    assert plan_precision(sd=0.5).size_for(0.05) == 385  # Wald's interval of a half


BRUTE = [(0.0, 15, 0.2), (0.6, 15, 0.15), (0.6, 4, 0.2), (0.95, 15, 0.1), (0.3, 15, 0.0)]


@in_one_test("instability, r, difference", BRUTE)
def test_power_is_that_of_the_formula_drawn_split_by_split(instability, r, difference):
    plan, n, runs, rng = plan_projection(0.5), 100, 20_000, np.random.default_rng(3)
    a, e = 0.25 * (1 - instability) / n, 0.25 * instability / n
    own = rng.normal(0, 2 * math.sqrt(a), (runs, r))
    halves = rng.normal(0, math.sqrt(2 * e), (runs, r, 2))  # what changes, on either half
    theta = halves.mean(axis=2)
    v_e = 2 * theta.var(axis=1, ddof=1)
    d = own + halves[:, :, 0] - halves[:, :, 1]
    v_1 = np.maximum((d**2).mean(axis=1) / 2 - v_e, 0) / 2
    f = 4 * a - (d * own).mean(axis=1) + v_1
    error = np.sqrt(np.maximum(f, a) + v_e * (1 / 7 + 1 / (2 * r)))
    estimate = difference + rng.normal(0, math.sqrt(a), runs) + theta.mean(axis=1)
    expected = np.mean(2 * law.t.sf(np.abs(estimate / error), r) <= 0.05)
    found = plan.assuming(instability=instability, n_repeats=r).power(n, difference)
    assert found == pytest.approx(expected, abs=0.012)


def test_margins_are_planned_by_the_law_of_the_test():
    rows = plan_projection(0.4, instability=0.5, one_sided=True)
    # Shown not to be worse by a margin is a significant difference from it.
    gate = rows.within(0.05)
    assert gate.power(300) == pytest.approx(rows.power(300, 0.05), abs=1e-12)
    assert gate.assuming(one_sided=False).power(300) < gate.power(300)


METHODS = ["midp", "exact", "chi2", "edwards"]
SIZES = [  # discordant, difference; rows by mid-p and exact
    (0.05, 0.02, 950, 1035),
    (0.10, 0.02, 1949, 2043),
    (0.10, 0.03, 862, 920),
    (0.10, 0.05, 305, 337),
    (0.20, 0.05, 622, 658),
    (0.30, 0.05, 938, 975),
    (0.30, 0.10, 230, 249),
]


def test_rows_for_mcnemar():
    for psi, delta, midp, exact in SIZES:
        assert plan_mcnemar(psi).size(delta).stable == midp
        assert plan_mcnemar(psi, method="exact").size(delta).stable == exact
    known = {"exact": 0.7756, "midp": 0.8066, "chi2": 0.8096, "edwards": 0.7717}
    for method, power in known.items():
        found = plan_mcnemar(0.15, method=method).power(469, 0.05)
        assert found == pytest.approx(power, abs=5e-5)
    detectable = {0.05: (0.01950, 0.02035), 0.1: (0.02785, 0.02874), 0.2: (0.03949, 0.04041)}
    for psi, found in detectable.items():
        for method, difference in zip(METHODS, found, strict=False):
            plan = plan_mcnemar(psi, method=method)
            assert plan.detectable(1000) == pytest.approx(difference, abs=6e-6)
    # R's MESS, power_mcnemar_test(paid=.05, psi=9): n = 22.0; discordant .05 and .45.
    z = law.norm.isf(0.025) * math.sqrt(0.5) + law.norm.ppf(0.8) * math.sqrt(0.5 - 0.4**2)
    assert (z / 0.4) ** 2 == pytest.approx(22.0, abs=0.05)
    assert plan_mcnemar(0.5, method="exact").size(0.4) == (25, 25)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n, psi, delta", [(14, 0.6, 0.3), (20, 1.0, 0.5), (9, 0.9, 0.0)])
def test_power_of_mcnemar_is_that_of_the_test_itself(method, n, psi, delta):
    p, q = (psi + delta) / 2, (psi - delta) / 2
    power = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            table = AgreementTable(both=n - b - c, only_a=b, only_b=c, neither=0)
            if mcnemar(table, method=method).pvalue <= 0.05:
                power += law.multinomial.pmf([b, c, n - b - c], n, [p, q, max(0, 1 - p - q)])
    assert plan_mcnemar(psi, method=method).power(n, delta) == pytest.approx(power, abs=1e-12)


def test_saw_teeth_are_found_wherever_they_are():
    rng = np.random.default_rng(5)
    drawn = [(psi, psi * rng.uniform(0.4, 1)) for psi in rng.uniform(0.05, 1, 6)]
    for psi, delta in [(1.0, 0.5), (0.8, 0.4), *drawn]:
        for method in ("midp", "exact"):
            plan, power = plan_mcnemar(psi, method=method), rng.uniform(0.5, 0.95)
            first, stable = plan.size(delta, power)
            enough = [plan.power(n, delta) >= power for n in range(1, 2 * stable + 20)]
            assert first == enough.index(True) + 1
            assert stable == len(enough) - enough[::-1].index(False) + 1


@in_one_test("discordant, difference", [(0.1, 1e-4), (0.3, 5e-4), (0.02, 1e-4)])
def test_rows_for_a_very_small_difference_are_those_of_the_formula(discordant, difference):
    # Of many rows the share of the discordant ones is known (Connor, 1987).
    spread = math.sqrt(discordant - difference**2)
    quantiles = law.norm.isf([0.025, 0.2])
    expected = (quantiles @ [math.sqrt(discordant), spread]) ** 2 / difference**2
    found = plan_mcnemar(discordant).size(difference).stable
    assert found == pytest.approx(expected, rel=0.005)


def test_data_sets_for_the_sign_test():
    plan = plan_units(1.0, test="sign")
    signs = {0.2: (314, 329), 0.3: (145, 154), 0.5: (51, 61), 0.8: (23, 25), 1.2: (12, 15)}
    assert {effect: plan.size(effect) for effect in signs} == signs
    shares = {0.6: (199, 210), 0.65: (90, 97), 0.7: (49, 54), 0.75: (30, 35), 0.9: (12, 12)}
    assert {share: plan.size(law.norm.ppf(share)) for share in shares} == shares


def test_data_sets_for_wilcoxon():
    # Sizes of a simulation of 100 000; those of 0.8 and more are sure.
    plan = plan_units(1.0, test="wilcoxon")
    for effect, sizes in {0.5: (35, 36, 37), 0.8: (15,), 1.0: (11,), 1.2: (9,)}.items():
        assert plan.size(effect).stable in sizes
    assert plan.power(5, 9.0) == 0  # its smallest p-value is 1/16
    assert plan.assuming(one_sided=True).power(5, 9.0) == 1
    few = plan_units(1.0, n_simulations=200, test="wilcoxon")
    d = np.random.default_rng(0).standard_normal((200, 12, 1))[..., 0] + 0.7
    found = [wilcoxon(PairedScores(x, np.zeros(12), unit="dataset")).pvalue <= 0.05 for x in d]
    assert few.power(12, 0.7) == np.mean(found)
    assert few.monte_carlo_error(12, 0.5) == pytest.approx(math.sqrt(0.25 / 200))


def test_very_many_data_sets_are_planned_at_once():
    # Signed ranks of many normal differences lose 1 - 3 / pi of the t test's data sets.
    plan = plan_units(1.0, test="wilcoxon")
    tracemalloc.start()
    for n, effect in ((20_000, 0.02), (10_000_000, 1e-3)):
        at = effect * math.sqrt(n * 3 / math.pi)
        expected = law.norm.cdf(at - 1.96) + law.norm.cdf(-at - 1.96)
        assert plan.power(n, effect) == pytest.approx(expected, abs=0.04)
    assert plan_systems(1.0, n_systems=4).power(10**7, 1e-2) == 1
    # The draws of 2000 data sets, whatever their number.
    assert tracemalloc.get_traced_memory()[1] < 200e6
    tracemalloc.stop()
    assert plan.size(1e-6) is plan_systems(1.0, n_systems=4).size(1e-6) is None
    assert plan.power(math.inf, 0.01) == plan_mcnemar(0.1).power(math.inf, 0.01) == 1


SEVERAL = [  # k, effect, data sets: Nemenyi, Wilcoxon and Holm, with a control; s.e. 0.011
    (3, 0.5, 20, 0.32, 0.39, 0.48),
    (5, 0.5, 30, 0.34, 0.40, 0.62),
    (5, 0.8, 20, 0.57, 0.65, 0.85),
]


@in_one_test("k, effect, n, nemenyi, holm, control", SEVERAL)
def test_share_of_pairs_that_several_systems_show(k, effect, n, nemenyi, holm, control):
    plan = plan_systems(1.0, n_systems=k, n_simulations=2000)
    ways = ({"post_hoc": "nemenyi"}, {}, {"with_control": True})
    found = [plan.assuming(**way).power(n, effect) for way in ways]
    assert found == pytest.approx([nemenyi, holm, control], abs=0.05)
