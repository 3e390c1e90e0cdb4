"""Numbers of R: a test is named after the script in this folder that printed them."""

import math

import numpy as np
import pytest

from skstat.stats import (
    AgreementTable,
    BinaryScores,
    PairedScores,
    Scores,
    ScoreTable,
    Successes,
    adjust_pvalues,
    binomial,
    cochran_q,
    corrected_t,
    delong,
    delong_wald,
    diebold_mariano,
    equivalence,
    friedman,
    mcnemar,
    nemenyi,
    paired_t,
    pairwise_mean_ranks,
    proportion_interval,
    repeated_measures_anova,
    sign,
    skillings_mack,
    wilcoxon,
)
from tests.cases import in_one_test

TIMES = [
    *([5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40]),
    *([5.90, 5.85, 5.70], [5.45, 5.55, 5.60], [5.40, 5.40, 5.35], [5.45, 5.50, 5.35]),
    *([5.25, 5.15, 5.00], [5.85, 5.80, 5.70], [5.25, 5.20, 5.10], [5.65, 5.55, 5.45]),
    *([5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40], [5.45, 5.55, 5.50]),
    *([5.55, 5.55, 5.35], [5.45, 5.50, 5.55], [5.50, 5.45, 5.25], [5.65, 5.60, 5.40]),
    *([5.70, 5.65, 5.55], [6.30, 6.30, 6.25]),
]


# Times to round first base by three methods, as in rounding_times.R.
ROUNDING = ScoreTable(
    dict(zip(["out", "narrow", "wide"], zip(*TIMES, strict=True), strict=True)),
    unit="dataset", higher_is_better=False,
)  # fmt: skip


def agrees(outcome, rel=1e-11, **expected):
    """Check numbers of an outcome by their names."""
    for name, number in expected.items():
        found = getattr(outcome, name)
        found = found() if callable(found) else found
        assert found == pytest.approx(number, rel=rel), name


PVALUES = [0.021, 0.0004, 0.31, 0.009, 0.021, 0.047, 0.76, 0.0125, 0.002, 0.31]


@in_one_test("method, expected", [
    ("holm", [0.126, 0.004, 0.93, 0.072, 0.126, 0.188, 0.93, 0.0875, 0.018, 0.93]),
    ("hochberg", [0.105, 0.004, 0.62, 0.072, 0.105, 0.188, 0.76, 0.0875, 0.018, 0.62]),
    ("hommel", [0.105, 0.004, 0.62, 0.054, 0.105, 0.188, 0.76, 0.063, 0.018, 0.62]),
    ("sidak", [1 - (1 - p) ** 10 for p in PVALUES]),
    ("bonferroni", [0.21, 0.004, 1, 0.09, 0.21, 0.47, 1, 0.125, 0.02, 1]),
    ("fdr_bh", [0.035, 0.004, 0.344444444444444, 0.03, 0.035, 0.0671428571428571, 0.76, 0.03125,
                0.01, 0.344444444444444]),
    ("fdr_by", [0.102513888888889, 0.011715873015873, 1, 0.0878690476190476, 0.102513888888889,
                0.196659297052154, 1, 0.0915302579365079, 0.0292896825396825, 1]),
])  # fmt: skip
def test_adjusted_pvalues_every_method_of_p_adjust(method, expected):
    assert adjust_pvalues(PVALUES, method) == pytest.approx(expected, rel=1e-12)


RATINGS = AgreementTable(794, 150, 86, 570)
FEW = AgreementTable(20, 11, 3, 6)
RIGHT = [
    *([1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 0]),
    *([1, 1, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]),
]


@pytest.mark.parametrize(
    "table, method, statistic, pvalue",
    [
        (RATINGS, "chi2", 17.3559322033898, 3.09929344104522e-05),
        (RATINGS, "edwards", 16.8177966101695, 4.11456228134594e-05),
        (FEW, "chi2", 4.57142857142857, 0.0325094446457196),
        (FEW, "edwards", 3.5, 0.0613688291394019),
    ],
)
def test_agreement_tables_chi_squared(table, method, statistic, pvalue):
    agrees(mcnemar(table, method=method), statistic=statistic, pvalue=pvalue)


@pytest.mark.parametrize(
    "method, alternative, pvalue",
    [
        ("exact", "two-sided", 0.057373046875),
        ("midp", "two-sided", 0.03515625),
        ("exact", "greater", 0.0286865234375),
    ],
)
def test_agreement_tables_counted(method, alternative, pvalue):
    outcome = mcnemar(FEW, method=method, alternative=alternative)
    assert outcome.pvalue == pytest.approx(pvalue, rel=1e-13)
    assert outcome.effect_sizes["odds ratio b/c"] == pytest.approx(3.66666666666667)


def test_agreement_tables_cochran():
    table = ScoreTable(RIGHT, unit="instance")
    agrees(cochran_q(table, method="chi2"), statistic=9.75, pvalue=0.00763509421885999)
    agrees(cochran_q(table, method="permutation"), pvalue=0.00823045267489712)


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


CARS = BinaryScores.from_scores(
    MANUAL,
    {"light": -np.array(WEIGHT), "small": -np.array(DISPLACEMENT), "quick": QUARTER_MILE},
)


def test_delong_areas():
    areas = [0.933198380566802, 0.866396761133603, 0.380566801619433]
    errors = [0.0481121281240915, 0.0694056187348113, 0.109983399937963]
    agrees(CARS, aucs=areas, standard_errors=errors)
    agrees(delong_wald(CARS), df=2, statistic=36.2927832890021, rel=1e-11)
    agrees(delong_wald(CARS), pvalue=1.31559508508352e-08, rel=1e-9)


@pytest.mark.parametrize("pair, z, pvalue, limits", [
    (("light", "small"), 1.37646114130972, 0.168678909953676,
     (-0.0283182239598661, 0.161921462826263)),
    (("light", "quick"), 5.73435776994708, 9.78825228171477e-09,
     (0.363745912075847, 0.74151724581889)),
    (("small", "quick"), 5.8841716811588, 4.00052414553532e-09,
     (0.324004425716896, 0.647655493311444)),
])  # fmt: skip
def test_delong_pairs(pair, z, pvalue, limits):
    outcome = delong(CARS.pair(*pair))
    agrees(outcome, statistic=z, pvalue=pvalue, confidence_interval=limits, rel=1e-10)


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
def test_diebold_mariano_horizons(horizon, statistic, both, greater):
    errors = squared_errors(2), squared_errors(10)
    sample = PairedScores(*errors, unit="instance", ordered=True)
    agrees(diebold_mariano(sample, horizon=horizon), statistic=statistic, pvalue=both)
    agrees(diebold_mariano(sample, horizon=horizon, alternative="greater"), pvalue=greater)


def test_diebold_mariano_bartlett_weights():
    losses = [5, 1, 4, 2, 5, 1, 6, 1, 4, 1, 5, 2]
    sample = PairedScores(losses, np.full(12, 2), unit="instance", ordered=True)
    outcome = diebold_mariano(sample, horizon=2)
    assert outcome.test.endswith("Bartlett weights")
    agrees(outcome, statistic=4.67385155590413, pvalue=0.000678288899085326)


def test_friedman_both_laws():
    squared = friedman(ROUNDING, statistic="chi2")
    agrees(squared, statistic=11.1428571428571, pvalue=0.00380504077551136)
    assert squared.effect_sizes["Kendall's W"] == pytest.approx(0.253246753246753, rel=1e-13)
    agrees(friedman(ROUNDING), statistic=7.12173913043478, pvalue=0.00217129838760752)


# Of out - narrow, out - wide and narrow - wide.
PAIRS = (("out", "narrow"), ("out", "wide"), ("narrow", "wide"))


@pytest.mark.parametrize("options, statistics, pvalues", [
    ({}, [0.904534033733292, 3.16586911806652, 2.26133508433323],
     [0.365712296281513, 0.00154620347708074, 0.0237385152500546]),
    ({"method": "t"}, [1.04673405118638, 3.66356917915232, 2.61683512796594],
     [0.30120902143937, 0.000691453476085365, 0.0122828573478989]),
    ({"method": "t", "ranking": "quade"},
     [1.40600406764601, 3.54430192052433, 2.13829785287831],
     [0.167078336926072, 0.00098108907173276, 0.0383545510279667]),
])  # fmt: skip
def test_mean_ranks_in_pairs(options, statistics, pvalues):
    outcome = pairwise_mean_ranks(ROUNDING, **options)
    agrees(outcome, pvalues=pvalues)
    assert outcome.pairs == PAIRS
    found = [abs(pair.statistic) for pair in outcome.outcomes]
    assert found == pytest.approx(statistics, rel=1e-11)


def test_mean_ranks_adjusted():
    expected = [0.30120902143937, 0.0020743604282561, 0.0245657146957979]
    agrees(pairwise_mean_ranks(ROUNDING, method="t"), adjusted_pvalues=expected)
    expected = [0.637427167018665, 0.00440982044545224, 0.0613707592551845]
    outcome = nemenyi(ROUNDING)
    agrees(outcome, adjusted_pvalues=expected, critical_difference=0.70665231554607, rel=1e-9)
    assert outcome.pairs == PAIRS
    agrees(ROUNDING, mean_ranks=[2.40909090909091, 2.13636363636364, 1.45454545454545])


def test_mean_ranks_against_a_control():
    outcome = nemenyi(ROUNDING, control="wide")
    assert set(map(frozenset, outcome.pairs)) == set(map(frozenset, PAIRS[1:]))
    expected = [0.00309240695416148, 0.0474770305001092]
    agrees(outcome, adjusted_pvalues=expected, critical_difference=0.675808350140434)


SOLD = [
    [5, 4, 7, 10, 12], [1, 3, 1, 0, 2], [16, 12, 22, 22, 35], [5, 4, 3, 5, 4],
    [10, 9, 7, 13, 10], [19, 18, 28, 37, 58], [10, 7, 6, 8, 7],
]  # fmt: skip


def test_quade_hand_lotion():
    outcome = friedman(ScoreTable(SOLD, unit="dataset"), ranking="quade")
    agrees(outcome, statistic=3.82925158417537, df=(4, 24), pvalue=0.0151890200732746)


def test_quade_ties():
    outcome = friedman(ROUNDING, ranking="quade")
    agrees(outcome, statistic=6.37041374989786, df=(2, 42), pvalue=0.00383439258213509)


@pytest.mark.parametrize(
    "correction, pvalue",
    [
        (None, 0.0040841007221974),
        ("greenhouse-geisser", 0.00843979903189373),
        ("huynh-feldt", 0.00718882157429208),
    ],
)
def test_repeated_measures_corrections(correction, pvalue):
    outcome = repeated_measures_anova(ROUNDING, correction=correction)
    agrees(outcome, statistic=6.28830791575887)
    agrees(outcome, pvalue=pvalue, rel=1e-8)
    if correction is None:
        assert outcome.df == (2, 42)


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
def test_shares_binomial(successes, both, less):
    counts = Successes(successes, 30)
    agrees(binomial(counts, 0.25), pvalue=both, rel=1e-10)
    agrees(binomial(counts, 0.25, alternative="less"), pvalue=less)


SHARES = {
    "clopper-pearson": {
        0: (0, 0.115703308222028), 3: (0.0211171370297226, 0.265288450474208),
        13: (0.254607549903263, 0.625726549390779), 27: (0.734711549525792, 0.978882862970277),
    },
    "wilson": {
        0: (0, 0.113513393173969), 3: (0.0345998887473342, 0.256210825791841),
        13: (0.273774855764665, 0.608026929991864), 27: (0.743789174208159, 0.965400111252666),
    },
    "jeffreys": {
        3: (0.0289806190327265, 0.243401608984927), 13: (0.268919166444729, 0.609939728064391),
        27: (0.756598391015073, 0.971019380967273),
    },
}  # fmt: skip


@in_one_test("method, intervals", SHARES.items())
def test_shares_intervals(method, intervals):
    for successes, limits in intervals.items():
        found = proportion_interval(successes, 30, method=method)
        assert found == pytest.approx(limits, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    "successes, high", [(0, 0.0950338528553041), (3, 0.238597857293251), (27, 0.97218445026025)]
)
def test_shares_one_sided_interval(successes, high):
    outcome = binomial(Successes(successes, 30), 0.25, alternative="less")
    share = outcome.estimate + 0.25
    assert share == pytest.approx(successes / 30)
    assert outcome.confidence_interval().high + 0.25 == pytest.approx(high, rel=1e-9)


RATED = PairedScores(FIRST, SECOND, unit="instance")


def test_shares_sign():
    agrees(sign(RATED), pvalue=0.1796875)
    agrees(sign(RATED, alternative="greater"), pvalue=0.08984375)


# Ties and a zero.
ROUNDED = [-1.5, -2.5, -1, -1, 0, -1, -2, -0.5, -4.5, -1.5]


@pytest.mark.parametrize(
    "alternative, pvalue",
    [("two-sided", 0.0390625), ("greater", 0.01953125), ("less", 0.986328125)],
)
def test_signed_ranks_exact(alternative, pvalue):
    outcome = wilcoxon(RATED, alternative=alternative)
    agrees(outcome, statistic=40, pvalue=pvalue, estimate=0.46)
    if alternative == "two-sided":
        assert outcome.confidence_interval() == pytest.approx((0.01, 0.786))


@pytest.mark.parametrize(
    "zero_method, method, pvalue",
    [
        ("pratt", "exact", 0.00390625),
        ("pratt", "asymptotic", 0.00569768623639995),
        ("wilcox", "exact", 0.00390625),
        ("wilcox", "asymptotic", 0.0074209612878665),
    ],
)
def test_signed_ranks_ties_and_zeros(zero_method, method, pvalue):
    sample = PairedScores(ROUNDED, np.zeros(10), unit="instance")
    agrees(wilcoxon(sample, zero_method=zero_method, method=method), pvalue=pvalue)


NA = None
GAPS = [
    [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0],
    [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, NA], [NA, 4.2, 3.4, NA], [4.3, 4.6, 4.4, 4.9],
    [3.5, NA, 3.7, 3.9],
]  # fmt: skip


def test_skillings_mack_table_with_gaps():
    outcome = skillings_mack(ScoreTable(GAPS, unit="dataset", higher_is_better=False))
    agrees(outcome, statistic=15.4930487975293, df=3, pvalue=0.00144029630249085, rel=1e-10)


# Older versions of SciPy give quantiles of Student's t to ten digits.
QUANTILE = 1e-9
SLEEP_1 = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SLEEP_2 = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]


SLEEP = PairedScores(SLEEP_1, SLEEP_2, unit="instance")


@pytest.mark.parametrize(
    "alternative, pvalue, limits",
    [
        ("two-sided", 0.00283289019738427, (-2.45988576327698, -0.700114236723018)),
        ("less", 0.00141644509869214, (-math.inf, -0.866994732970716)),
        ("greater", 0.998583554901308, (-2.29300526702928, math.inf)),
    ],
)
def test_t_tests_paired(alternative, pvalue, limits):
    outcome = paired_t(SLEEP, alternative=alternative)
    agrees(outcome, statistic=-4.06212768338204, pvalue=pvalue)
    agrees(outcome, confidence_interval=limits, rel=QUANTILE)


def test_t_tests_one_sample_and_corrected():
    outcome = paired_t(Scores(SLEEP_1, unit="seed").against(1))
    assert outcome.test == "one-sample t test"
    agrees(outcome, statistic=-0.44190338023794, pvalue=0.668986623614675)
    expected = (-1.52978041352623, 1.02978041352623)
    agrees(outcome, confidence_interval=expected, rel=QUANTILE)
    outcome = corrected_t(PairedScores(SLEEP_1, SLEEP_2, unit="split", n_train=90, n_test=10))
    agrees(outcome, statistic=-2.79574801067704, pvalue=0.0208570229576868)
    expected = (-2.85844437466151, -0.301555625338494)
    agrees(outcome, confidence_interval=expected, rel=QUANTILE)


def test_t_tests_two_one_sided_tests():
    found = equivalence(paired_t(SLEEP), 3)
    agrees(found, lower_pvalue=0.00265557029265867, upper_pvalue=4.52269496583245e-07)
    expected = (-2.29300526702928, -0.866994732970716)
    assert found.interval() == pytest.approx(expected, rel=QUANTILE)
