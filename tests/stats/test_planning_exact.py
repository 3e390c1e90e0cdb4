"""Plans of counts, ranks and several systems: tables, enumeration, and the tests themselves."""

import math
import tracemalloc

import numpy as np
import pytest
from scipy import stats as law

from skstat.stats import (
    AgreementTable,
    PairedScores,
    adjust_pvalues,
    mcnemar,
    plan_mcnemar,
    plan_sign,
    plan_systems,
    plan_wilcoxon,
    wilcoxon,
)
from tests.cases import in_one_test

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


@in_one_test("alpha", [0.001, 0.05, 0.3])
def test_counts_that_reject_are_those_of_the_law(alpha):
    for method, less in (("midp", 0.5), ("exact", 0.0)):
        plan = plan_mcnemar(1.0, method=method, alpha=alpha)  # every row is discordant
        for n in range(1, 400, 3):
            counts = np.arange(n + 1)
            terms = law.binom.pmf(counts, n, 0.5)
            smaller = 2 * (np.cumsum(terms) - less * terms)
            rejects = (smaller <= alpha) & (2 * counts < n)
            expected = law.binom.pmf(counts, n, 0.7) @ (rejects | rejects[::-1])
            assert plan.power(n, 0.4) == pytest.approx(expected, abs=1e-10)


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


@pytest.mark.parametrize("method", METHODS)
def test_roughly_mcnemars_size_is_near_the_one_that_is_counted(method):
    for share, difference, one_sided in [
        (0.1, 0.015, False),
        (0.3, 0.02, True),
        (0.02, 0.006, False),
    ]:
        plan = plan_mcnemar(share, method=method, one_sided=one_sided)
        near, counted = plan.size(difference, roughly=True), plan.size(difference)
        assert near.stable == pytest.approx(counted.stable, rel=0.02)
    few = plan_mcnemar(0.1, method=method)
    assert few.size(0.05, roughly=True) == few.size(0.05)


@in_one_test("discordant, difference", [(0.1, 1e-4), (0.3, 5e-4), (0.02, 1e-4)])
def test_rows_for_a_very_small_difference_are_those_of_the_formula(discordant, difference):
    # Of many rows the share of the discordant ones is known (Connor, 1987).
    spread = math.sqrt(discordant - difference**2)
    quantiles = law.norm.isf([0.025, 0.2])
    expected = (quantiles @ [math.sqrt(discordant), spread]) ** 2 / difference**2
    found = plan_mcnemar(discordant).size(difference).stable
    assert found == pytest.approx(expected, rel=0.005)


def test_data_sets_for_the_sign_test():
    plan = plan_sign(1.0)
    signs = {0.2: (314, 329), 0.3: (145, 154), 0.5: (51, 61), 0.8: (23, 25), 1.2: (12, 15)}
    assert {effect: plan.size(effect) for effect in signs} == signs
    shares = {0.6: (199, 210), 0.65: (90, 97), 0.7: (49, 54), 0.75: (30, 35), 0.9: (12, 12)}
    assert {share: plan.size(law.norm.ppf(share)) for share in shares} == shares


def test_data_sets_for_wilcoxon():
    # Sizes of a simulation of 100 000; those of 0.8 and more are sure.
    plan = plan_wilcoxon(1.0)
    for effect, sizes in {0.5: (35, 36, 37), 0.8: (15,), 1.0: (11,), 1.2: (9,)}.items():
        assert plan.size(effect).stable in sizes
    assert plan.power(5, 9.0) == 0  # its smallest p-value is 1/16
    assert plan.assuming(one_sided=True).power(5, 9.0) == 1
    few = plan_wilcoxon(1.0, n_simulations=200)
    d = np.random.default_rng(0).standard_normal((200, 12, 1))[..., 0] + 0.7
    found = [wilcoxon(PairedScores(x, np.zeros(12), unit="dataset")).pvalue <= 0.05 for x in d]
    assert few.power(12, 0.7) == np.mean(found)
    assert few.monte_carlo_error(12, 0.5) == pytest.approx(math.sqrt(0.25 / 200))


def test_very_many_data_sets_are_planned_at_once():
    # Signed ranks of many normal differences lose 1 - 3 / pi of the t test's data sets.
    plan = plan_wilcoxon(1.0)
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


def test_equal_systems_hardly_matter_among_very_many():
    k, n, effect = 24, 30, 0.8
    plan = plan_systems(1.0, n_systems=k, n_simulations=100)
    z = np.random.default_rng(0).standard_normal((100, n, k))
    z[..., 0] += effect * math.sqrt(2)
    pairs, shares = [(i, j) for i in range(k) for j in range(i + 1, k)], []
    for sample in z[:40]:  # by all pairs, as the test decides
        d = np.array([sample[:, i] - sample[:, j] for i, j in pairs])
        pvalues = law.wilcoxon(d, axis=1).pvalue
        shares.append(np.mean(adjust_pvalues(pvalues, "holm")[: k - 1] < 0.05))
    error = np.std(shares) / math.sqrt(40)
    assert plan.power(n, effect) == pytest.approx(np.mean(shares), abs=3.5 * error)


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
