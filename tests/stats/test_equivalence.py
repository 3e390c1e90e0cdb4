"""Equivalence against SciPy, statsmodels, intervals, and counted sign patterns."""

import dataclasses
import itertools
import math
from functools import partial

import numpy as np
import pytest
from scipy import stats as sps

from skstat import stats
from skstat.stats import (
    PairedScores,
    corrected_t,
    equivalence,
    five_by_two_f,
    paired_t,
    sign,
    sign_flip,
    wilcoxon,
)
from tests.cases import in_one_test, refusals
from tests.stats.asked import DIFFERENCES, PROCEDURES, A, B, error, of, units

ONE_SIDED = [name for name in PROCEDURES if name != "5x2 F"]


def test_paired_t_is_two_one_sided_t_tests():
    for n, margin in itertools.product((4, 20, 100), (0.001, 0.004, 0.02)):
        d = DIFFERENCES[:n]
        found = equivalence(paired_t(units(n)), margin)
        lower = sps.ttest_1samp(d, -margin, alternative="greater").pvalue
        upper = sps.ttest_1samp(d, margin, alternative="less").pvalue
        assert found.lower_pvalue == pytest.approx(lower, rel=1e-9)
        assert found.upper_pvalue == pytest.approx(upper, rel=1e-9)
        assert found.pvalue == max(found.lower_pvalue, found.upper_pvalue)


def test_splits_keep_the_standard_error_of_nadeau_and_bengio():
    d, margin = DIFFERENCES[:30], 0.012
    outcome = corrected_t(PairedScores(A[:30], B[:30], n_train=200, n_test=100))
    error = d.std(ddof=1) * math.sqrt(1 / 30 + 0.5)
    found = equivalence(outcome, margin)
    assert found.lower_pvalue == pytest.approx(sps.t.sf((d.mean() + margin) / error, 29))
    assert found.upper_pvalue == pytest.approx(sps.t.cdf((d.mean() - margin) / error, 29))
    naive = equivalence(paired_t(units(30)), margin)
    assert naive.pvalue < found.pvalue / 10


def test_mcnemar_is_tangos_score_test():
    # Tango (1998), section 3.2: the score statistic of lambda = -margin, by his quadratic.
    b, c, n, margin = 18, 6, 100, 0.05
    table = stats.AgreementTable(54, b, c, 22)

    def score(delta):
        linear = -b - c + (2 * n - b + c) * delta
        share = (math.sqrt(linear**2 + 8 * n * c * delta * (1 - delta)) - linear) / (4 * n)
        return (b - c - n * delta) / math.sqrt(n * (2 * share + delta * (1 - delta)))

    found = equivalence(stats.mcnemar(table), margin)
    assert found.lower_pvalue == pytest.approx(sps.norm.sf(score(-margin)), rel=1e-6)
    assert found.upper_pvalue == pytest.approx(sps.norm.cdf(score(margin)), rel=1e-6)


@pytest.mark.parametrize("n", [4, 7, 10])
def test_sign_flips_of_shifted_scores(n):
    # All 2^n patterns of d + margin.
    for margin in (0.003, 0.01, 0.03):
        shifted = DIFFERENCES[:n] + margin
        signs = np.array(list(itertools.product((-1, 1), repeat=n)))
        share = np.mean((signs * shifted).sum(axis=1) >= shifted.sum() - 1e-12)
        found = equivalence(sign_flip(units(n)), margin)
        assert found.lower_pvalue == pytest.approx(share, rel=1e-12)


@in_one_test("procedure", [sign, wilcoxon, sign_flip])
@in_one_test("n", [4, 9, 15])
def test_rank_tests_of_shifted_scores(procedure, n):
    for margin in (0.003, 0.01, 0.03):
        found = equivalence(procedure(units(n)), margin)
        d = DIFFERENCES[:n]
        lower = procedure(of(d + margin), alternative="greater").pvalue
        upper = procedure(of(d - margin), alternative="less").pvalue
        assert found.lower_pvalue == pytest.approx(lower, rel=1e-9)
        assert found.upper_pvalue == pytest.approx(upper, rel=1e-9)


def test_f_is_half_of_the_two_sided_p_of_shifted_scores():
    for margin in (0.002, 0.02, 0.05):
        found = equivalence(PROCEDURES["5x2 F"](), margin)
        shifted = PairedScores(A[:10] + margin, B[:10], n_repeats=5)
        half = five_by_two_f(shifted).pvalue / 2
        above = DIFFERENCES[:10].mean() > -margin
        assert found.lower_pvalue == pytest.approx(half if above else 1 - half)


@pytest.mark.long(keep=6)
@pytest.mark.parametrize("name", PROCEDURES)
@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_it_is_shown_exactly_when_the_interval_lies_inside(name, alpha):
    outcome = PROCEDURES[name]()
    low, high = equivalence(outcome, 0.01).interval(alpha)
    size = max(abs(low), abs(high))
    assert math.isfinite(size)
    for margin in (0.5 * size, 0.98 * size, 1.02 * size, 2 * size):
        found = equivalence(outcome, margin)
        inside = -margin < low and high < margin
        assert inside == (margin > size)
        assert (found.pvalue <= alpha) == inside == found.equivalent(alpha + 1e-9)
        assert found.noninferior(alpha + 1e-9) == (low > -margin)
        assert found.noninferior(alpha + 1e-9, of="B") == (high < margin)


@pytest.mark.long(keep=5)
@pytest.mark.parametrize("name", ONE_SIDED)
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_one_sided_question_has_the_same_margin(name, alternative):
    both = equivalence(PROCEDURES[name](), 0.013)
    found = equivalence(PROCEDURES[name](alternative=alternative), 0.013)
    assert found.interval(0.05) == pytest.approx(both.interval(0.05), rel=1e-12)
    assert found.lower_pvalue == pytest.approx(both.lower_pvalue, rel=1e-9)
    assert found.upper_pvalue == pytest.approx(both.upper_pvalue, rel=1e-9)


def test_t_tests_judge_nothing_without_variance():
    for d in ([0.0] * 5, [0.25] * 5):
        found = equivalence(paired_t(of(d)), 0.5)
        assert math.isnan(found.pvalue)
        assert math.isnan(found.lower_pvalue) and math.isnan(found.upper_pvalue)
        assert not found.equivalent() and not found.noninferior()
    halves = PairedScores([0.5] * 10, [0.25] * 10, n_repeats=5)
    assert math.isnan(equivalence(five_by_two_f(halves), 0.5).pvalue)
    outputs = {"a": A[:40], "b": A[:40]}
    same = stats.Predictions(np.full(40, 0.8), outputs, error)
    found = equivalence(stats.paired_bootstrap(same, n_resamples=99, rng=0), 0.5)
    assert math.isnan(found.pvalue)


def test_signs_and_counts_judge_identical_systems_by_their_number():
    # H0: the median is 0.1 or more; all of n differences of 0 lie below it.
    for procedure, n in itertools.product((sign, wilcoxon, sign_flip), (3, 10)):
        found = equivalence(procedure(of([0.0] * n)), 0.1)
        assert found.pvalue == pytest.approx(2.0**-n)
    few, many = (stats.AgreementTable(n, 0, 0, 0) for n in (10, 1000))
    assert not equivalence(stats.mcnemar(few), 0.01).equivalent()
    # Tango's interval of no discordant rows: z^2 / (n + z^2) either way.
    found = equivalence(stats.mcnemar(many), 0.01)
    assert found.equivalent()
    assert found.interval(0.05).high == pytest.approx(1.6449**2 / (1000 + 1.6449**2), rel=1e-3)


def test_laws_of_others_are_asked_by_their_tails():
    @dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
    class Wide(stats.Law):
        def tails(self, bound):
            return sps.norm.cdf(self.estimate - bound), sps.norm.sf(self.estimate - bound)

        def limits(self, tail):
            half = sps.norm.isf(tail)
            return self.estimate - half, self.estimate + half

    law = Wide(estimate=0.5)
    outcome = stats.Comparison(test="wide", estimand="e", null_hypothesis="h", law=law)
    found = equivalence(outcome, 2.0)
    assert found.lower_pvalue == pytest.approx(sps.norm.sf(2.5), rel=1e-6)
    assert found.upper_pvalue == pytest.approx(sps.norm.cdf(-1.5), rel=1e-6)
    # On the other side of the bound the p-value is above a half.
    assert equivalence(outcome, 0.2).upper_pvalue == pytest.approx(sps.norm.cdf(0.3))


test_margins_are_positive_numbers = refusals(
    [
        ((paired_t(units(10)), margin), "margin=.* must be a positive, finite number")
        for margin in (0, -0.01, math.nan, math.inf, "1 %", None, True, [0.1])
    ],
    equivalence,
)


def test_mean_ranks_have_no_margin():
    table = stats.ScoreTable(np.stack([A[:30], B[:30], B[30:60]], axis=1), unit="dataset")
    with pytest.raises(ValueError, match="margin=0.1 is in the unit of the score.*mean rank"):
        equivalence(stats.nemenyi(table).outcomes[0], 0.1)


FOUND = equivalence(paired_t(units(10)), 0.01)
test_levels = refusals([
    *((partial(FOUND.equivalent, level), "between 0 and 1") for level in (0, 1, math.nan)),
    (lambda: FOUND.interval(0.5), r"alpha=0.5 must be below 0.5"),
    (lambda: FOUND.noninferior(of="C"), "of='C' is unknown; use 'A' or 'B'"),
])  # fmt: skip
