"""Planning: published sizes, closed forms, SciPy and brute force."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as law

from skstat.stats import (
    AgreementTable,
    MarginPlanner,
    McNemarPlanner,
    SharePrecision,
    SplitsPlanner,
    mcnemar,
)
from skstat.stats._planning import (
    mcnemar_power,
    mcnemar_size,
    sign_power,
    sign_size,
    t_power,
    t_size,
    wilson_half_width,
)
from skstat.stats._planning.counts import critical_counts

SIZES = [
    (0.05, 0.02, 950, 1035),
    (0.10, 0.02, 1949, 2043),
    (0.10, 0.03, 862, 920),
    (0.10, 0.05, 305, 337),
    (0.20, 0.05, 622, 658),
    (0.30, 0.05, 938, 975),
    (0.30, 0.10, 230, 249),
]


@pytest.mark.parametrize("psi, delta, midp, exact", SIZES)
def test_rows_for_mcnemar(psi, delta, midp, exact):
    assert mcnemar_size(psi, delta)[1] == midp
    assert mcnemar_size(psi, delta, method="exact")[1] == exact


def test_power_of_mcnemar_by_every_variant():
    known = {"exact": 0.7756, "midp": 0.8066, "chi2": 0.8096, "edwards": 0.7717}
    for method, power in known.items():
        assert mcnemar_power(469, 0.15, 0.05, method=method) == pytest.approx(power, abs=5e-5)


@pytest.mark.parametrize("method", ["midp", "exact", "chi2", "edwards"])
@pytest.mark.parametrize("n, psi, delta", [(14, 0.6, 0.3), (20, 1.0, 0.5), (9, 0.9, 0.0)])
def test_power_of_mcnemar_is_that_of_the_test_itself(method, n, psi, delta):
    p, q = (psi + delta) / 2, (psi - delta) / 2
    power = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            table = AgreementTable(both=n - b - c, only_a=b, only_b=c, neither=0)
            if mcnemar(table, method=method).pvalue <= 0.05:
                power += law.multinomial.pmf([b, c, n - b - c], n, [p, q, max(0, 1 - p - q)])
    assert mcnemar_power(n, psi, delta, method=method) == pytest.approx(power, abs=1e-12)


@pytest.mark.parametrize("psi, delta", [(1.0, 0.5), (0.8, 0.4), (0.3, 0.2)])
def test_power_of_mcnemar_stays_from_the_second_size_on(psi, delta):
    first, stable = mcnemar_size(psi, delta, method="exact")
    powers = [mcnemar_power(n, psi, delta, method="exact") for n in range(1, 3 * stable)]
    enough = [power >= 0.8 for power in powers]
    assert enough.index(True) + 1 == first
    assert all(enough[stable - 1 :]) and not enough[stable - 2]


def test_sizes_of_mcnemar_are_those_of_trying_every_size():
    for method in ("midp", "exact"):
        first, stable = mcnemar_size(0.1, 0.02, method=method)
        ns = range(first - 150, stable + 400)
        enough = [mcnemar_power(n, 0.1, 0.02, method=method) >= 0.8 for n in ns]
        assert ns[enough.index(True)] == first
        assert ns[len(enough) - enough[::-1].index(False)] == stable


def test_critical_counts_are_the_largest_that_reject():
    m = np.arange(400)
    for alpha in (0.001, 0.05, 0.3, 0.98):
        for method in ("midp", "exact"):
            less = 0.5 if method == "midp" else 0.0
            for n, found in zip(m, critical_counts(m, alpha, method), strict=True):
                counts = np.arange((n + 1) // 2)
                terms = law.binom.pmf(counts, n, 0.5)
                pvalues = 2 * (np.cumsum(terms) - less * terms)
                assert found == np.sum(pvalues <= alpha) - 1


def test_smallest_detectable_difference_of_accuracies():
    known = {0.05: (0.01950, 0.02035), 0.1: (0.02785, 0.02874), 0.2: (0.03949, 0.04041)}
    for psi, (midp, exact) in known.items():
        assert McNemarPlanner(discordant=psi).detectable(1000) == pytest.approx(midp, abs=6e-6)
        found = McNemarPlanner(discordant=psi, method="exact").detectable(1000)
        assert found == pytest.approx(exact, abs=6e-6)
    assert math.isnan(McNemarPlanner(discordant=0.05).detectable(100))


def test_t_power_against_scipy_and_statsmodels():
    # statsmodels 0.14: TTestPower().power(0.5, 30, 0.05).
    assert t_power(0.5 * math.sqrt(30), 29) == pytest.approx(0.753965, abs=5e-7)
    for df in (1, 4, 29, 500):
        t = law.t.isf(0.025, df)
        for shift in (0.0, 1.0, 2.5):
            expected = law.nct.sf(t, df, shift) + law.nct.cdf(-t, df, shift)
            expected = 0.05 if shift == 0 else expected
            assert t_power(shift, df) == pytest.approx(expected, abs=1e-9)
    assert t_power(500.0, 9) == pytest.approx(1.0)  # where SciPy's may be nan


DETECTABLE = {
    1 / 9: (2.0978, 1.4472, 1.2705, 1.1017, 1.0349, 0.9846, 0.9339),
    1 / 4: (2.5230, 1.8633, 1.6957, 1.5430, 1.4851, 1.4426, 1.4008),
    1 / 2: (3.1467, 2.4397, 2.2683, 2.1169, 2.0609, 2.0204, 1.9810),
    1.0: (4.1200, 3.3034, 3.1121, 2.9467, 2.8864, 2.8432, 2.8016),
}


@pytest.mark.parametrize("ratio", DETECTABLE)
def test_smallest_detectable_difference_over_splits(ratio):
    found = [
        SplitsPlanner(sd=1.0, ratio=ratio).detectable(j)
        for j in (5, 10, 15, 30, 50, 100, math.inf)
    ]
    np.testing.assert_allclose(found, DETECTABLE[ratio], atol=6e-5)


def test_power_over_splits():
    known = [(30, 0.5, 2, 0.7540), (10, 1 / 9, 1, 0.4933), (100, 1 / 9, 1, 0.8121)]
    known += [(5, 0.5, 2.5, 0.6160), (math.inf, 0.5, 2, 0.8074), (math.inf, 1 / 9, 1, 0.8508)]
    for n_splits, ratio, effect, power in known:
        assert SplitsPlanner(sd=1.0, ratio=ratio).power(n_splits, effect) == pytest.approx(
            power, abs=6e-5
        )


def test_data_sets_for_t_and_sign():
    sizes = {0.2: 199, 0.3: 90, 0.5: 34, 0.8: 15, 1.0: 10, 1.2: 8}
    assert {effect: t_size(effect) for effect in sizes} == sizes
    signs = {0.2: (314, 329), 0.3: (145, 154), 0.5: (51, 61), 0.8: (23, 25), 1.2: (12, 15)}
    assert {d: sign_size(law.norm.cdf(d)) for d in signs} == signs
    shares = {0.6: (199, 210), 0.65: (90, 97), 0.7: (49, 54), 0.75: (30, 35), 0.9: (12, 12)}
    assert {share: sign_size(share) for share in shares} == shares
    assert sign_power(5, 0.99) == 0.0  # the smallest p-value is 1/16


def test_rows_for_a_precise_share():
    known = [(0.5, 0.05, 381), (0.8, 0.02, 1535), (0.9, 0.02, 868), (0.9, 0.01, 3461)]
    for share, half, n in [*known, (0.95, 0.01, 1838), (0.99, 0.005, 1606)]:
        assert SharePrecision(share=share).size(half) == n
        assert wilson_half_width(n, share) <= half < wilson_half_width(n - 1, share)


@pytest.mark.parametrize("psi, delta", [(0.0, 0.0), (0.1, 0.2), (1.5, 0.1)])
def test_impossible_shares_are_refused(psi, delta):
    with pytest.raises(ValueError, match="psi"):
        mcnemar_power(10, psi, delta)


def test_no_difference_has_no_size():
    for size in (lambda: mcnemar_size(0.1, 0.0), lambda: sign_size(0.5), lambda: t_size(0.0)):
        with pytest.raises(ValueError, match="does not exist|one half"):
            size()


@pytest.mark.parametrize(
    "psi, margin, equal, third, not_worse",
    [
        (0.1, 0.02, 2141, 3481, 1546),
        (0.1, 0.03, 952, 1547, 687),
        (0.2, 0.05, 686, 1113, 495),
        (0.3, 0.05, 1028, 1670, 742),
    ],
)
def test_rows_for_a_margin(psi, margin, equal, third, not_worse):
    # Of equal systems in closed form: (z_alpha + z_{beta/2})^2 psi / margin^2.
    z = law.norm.isf(0.05) + law.norm.isf(0.1)
    plan = MarginPlanner(of=McNemarPlanner(discordant=psi), margin=margin)
    assert plan.size().stable == equal == math.ceil(z * z * psi / margin**2)
    assert plan.size(margin / 3).stable == third
    assert replace(plan, one_sided=True).size().stable == not_worse
    assert plan.power(10) == 0.0


def test_a_difference_outside_the_margin_has_no_size():
    plan = MarginPlanner(of=McNemarPlanner(discordant=0.1), margin=0.02)
    for asked, difference in ((plan, 0.02), (replace(plan, one_sided=True), -0.02)):
        with pytest.raises(ValueError, match="within the margin"):
            asked.size(difference)


def test_exact_rows_where_the_normal_law_says_22():
    # R's MESS, power_mcnemar_test(paid=.05, psi=9): n = 22.0; discordant .05 and .45.
    z = law.norm.isf(0.025) * math.sqrt(0.5) + law.norm.ppf(0.8) * math.sqrt(0.5 - 0.4**2)
    assert (z / 0.4) ** 2 == pytest.approx(22.0, abs=0.05)
    assert mcnemar_size(0.5, 0.4, method="exact") == (25, 25)
