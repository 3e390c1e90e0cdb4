"""The law of the smallest p-value, and Cochran's Q: enumeration and published numbers."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats

from skstat import compare_predictions, compare_scores
from skstat.stats import AgreementTable, PairedScores, mcnemar, paired_t
from tests.cases import in_one_test

# Shares of 99,999 draws are right to three standard errors of 0.0016.
NEAR = 0.005


def in_slices(*samples, test="paired_t", random_state=0, **options):
    """Compare within slices, of which each has differences of its own."""
    differences = np.concatenate(samples)
    by = np.repeat(
        [f"slice {number:02}" for number in range(len(samples))], list(map(len, samples))
    )
    scores = {"a": differences, "b": np.zeros_like(differences)}
    return compare_scores(
        scores, unit="instance", by=by, test=test, random_state=random_state, **options
    )


def counts(only_a, only_b, n=100):
    return AgreementTable(n - only_a - only_b, only_a, only_b, 0)


@in_one_test("method", ["midp", "exact", "chi2"])
@in_one_test("alternative", ["two-sided", "greater", "less"])
@in_one_test("n", [0, 1, 5, 12])
def test_the_law_of_mcnemars_pvalue_is_that_of_all_patterns(method, alternative, n):
    def pvalue(count):
        return mcnemar(counts(count, n - count), method=method, alternative=alternative).pvalue

    found = mcnemar(counts(n, 0), method=method, alternative=alternative)
    law = found.law.null_pvalues(alternative)
    patterns = [pvalue(sum(signs)) for signs in itertools.product((0, 1), repeat=n)]
    for level in {*patterns, 0.01, 0.2, 0.9}:
        below = law.chances[law.values <= level * (1 + 1e-12)]
        chance = below[-1] if below.size else 0.0
        assert chance == pytest.approx(np.mean(np.array(patterns) <= level * (1 + 1e-12)))
    drawn = law.of(np.linspace(0.0005, 0.9995, 1000))
    assert set(drawn) <= set(law.values)


def test_the_law_of_a_million_disagreements_takes_no_room():
    n = 10**15
    found = mcnemar(AgreementTable(n, n // 3, n // 3 + 10**8, n))
    law = found.law.null_pvalues(found.alternative)
    assert law.of(np.array([0.3])) == 0.3 and 0 < found.pvalue < 1


@pytest.mark.parametrize(
    "disagreements", [((5, 0), (3, 4)), ((2, 3), (7, 0)), ((1, 4), (2, 5))]
)
def test_the_smallest_of_two_is_that_of_all_pairs_of_patterns(disagreements):
    right = [np.repeat([[1, 0], [0, 1], [1, 1]], (*own, 30), axis=0) for own in disagreements]
    by = np.repeat(["first", "second"], list(map(len, right)))
    outputs = dict(zip("ab", np.concatenate(right).T, strict=True))
    report = compare_predictions(
        np.ones(len(by)), outputs, metric="accuracy", by=by, random_state=0
    )
    laws = [
        [(stats.binom.pmf(k, m, 0.5), mcnemar(counts(k, m - k)).pvalue) for k in range(m + 1)]
        for m in map(sum, disagreements)
    ]
    for part in report.reports.values():
        exact = sum(
            chance * other
            for (chance, p), (other, q) in itertools.product(*laws)
            if min(p, q) <= part.pvalue + 1e-12
        )
        assert part.adjusted_pvalue == pytest.approx(exact, abs=NEAR)


def test_independent_smooth_pvalues_are_adjusted_as_sidak_does():
    samples = np.random.default_rng(0).normal(size=(12, 30)) + np.linspace(0, 0.6, 12)[:, None]
    for part in in_slices(*samples).reports.values():
        expected = 1 - (1 - part.pvalue) ** 12
        assert part.adjusted_pvalue == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("shared", [0, 300, 450])
def test_correlated_pvalues_are_those_of_the_normal_law(shared, alternative):
    n, size = 1000 - shared, 500
    differences = np.resize([1.0, -1.0], n) + 0.07
    rows = np.arange(n)
    report = compare_scores(
        {"a": differences, "b": np.zeros(n)}, unit="instance", test="paired_t", random_state=0,
        by={"first": rows < size, "last": rows >= n - size}, alternative=alternative,
    )  # fmt: skip
    rho = shared / size
    normal = stats.multivariate_normal(cov=[[1, rho], [rho, 1]])
    for part in report.reports.values():
        if alternative == "greater":
            z = stats.norm.isf(part.pvalue)
            inside = normal.cdf([z, z])
        else:
            z = stats.norm.isf(part.pvalue / 2)
            inside = sum(
                s * t * normal.cdf([s * z, t * z])
                for s, t in itertools.product((1, -1), repeat=2)
            )
        assert part.adjusted_pvalue == pytest.approx(1 - inside, abs=NEAR)


@given(st.integers(0, 10**6), st.sampled_from([0.8, 0.9, 0.95, 0.99]))
@settings(max_examples=15, deadline=None)
def test_interval_and_adjusted_pvalue_agree(seed, level):
    rng = np.random.default_rng(seed)
    samples = [np.round(rng.normal(size=n), 1) + 0.3 for n in (30, 32, 40, 60)]
    report = in_slices(*samples, test="sign_flip", random_state=seed, confidence_level=level)
    for part in report.reports.values():
        low, high = part.confidence_interval()
        assert (part.adjusted_pvalue < round(1 - level, 12)) == (not low <= 0 <= high)


@given(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_an_interval_is_no_shorter_than_that_of_the_jackknife(seed):
    rng = np.random.default_rng(seed)
    samples = [rng.exponential(size=n) - 0.8 for n in (30, 35, 45)]
    report = in_slices(*samples, random_state=seed)
    level = 1 - 0.95 ** (1 / 3)
    for x, part in zip(samples, report.reports.values(), strict=True):
        own = paired_t(PairedScores(x, np.zeros_like(x), unit="instance"))
        low, high = part.confidence_interval()
        assert (part.adjusted_pvalue < 0.05) == (not low <= 0 <= high)
        if (own.pvalue < level) != (part.adjusted_pvalue < 0.05):  # it has that of the test
            continue
        plain = own.confidence_interval(1 - level)
        assert low <= plain.low + 1e-9 and high >= plain.high - 1e-9
        n, skewness = len(x), stats.skew(x)
        df = min(n - 1, 2 * n / (stats.kurtosis(x, fisher=False) - 1))
        q = stats.t.isf(level / 2, df)
        longer = q + max(0, skewness) / np.sqrt(n) * (2 * q * q + 1) / 6
        expected = x.mean() + stats.sem(x) * longer
        assert high == pytest.approx(max(plain.high, expected), rel=1e-6) or x.mean() < 0


# Thirteen trials of the BCG vaccine (Colditz et al., 1994): cases and others among the
# vaccinated and the not vaccinated, as dat.bcg of the R package metafor has them. Its
# documentation gives Q(12) = 152.2330, and tau squared by Paule and Mandel 0.3181.
BCG = np.array([
    [4, 119, 11, 128], [6, 300, 29, 274], [3, 228, 11, 209], [62, 13536, 248, 12619],
    [33, 5036, 47, 5761], [180, 1361, 372, 1079], [8, 2537, 10, 619],
    [505, 87886, 499, 87892], [29, 7470, 45, 7232], [17, 1699, 65, 1600],
    [186, 50448, 141, 27197], [5, 2493, 3, 2338], [27, 16886, 29, 17825],
], dtype=float)  # fmt: skip


def cochrans_q(estimates, variances):
    weights = 1 / variances
    common = (weights * estimates).sum(axis=-1, keepdims=True) / weights.sum(
        axis=-1, keepdims=True
    )
    return (weights * (estimates - common) ** 2).sum(axis=-1)


def paule_mandel(estimates, variances):
    """The variance between, by which Q is its degrees of freedom."""
    return optimize.brentq(
        lambda square: cochrans_q(estimates, variances + square) - len(estimates) + 1, 0, 9
    )


def test_q_and_the_spread_between_are_those_of_metafor():
    cases, others, plain_cases, plain = BCG.T
    ratio = np.log(cases / (cases + others)) - np.log(plain_cases / (plain_cases + plain))
    variance = 1 / cases - 1 / (cases + others) + 1 / plain_cases - 1 / (plain_cases + plain)
    assert cochrans_q(ratio, variance) == pytest.approx(152.2330, abs=1e-4)
    assert paule_mandel(ratio, variance) == pytest.approx(0.3181, abs=5e-5)


@in_one_test("sizes", [(30, 34, 40), (900, 700, 800)])
@in_one_test("scale, shared", [(1, 0), (8, 0), (1, 12)])
def test_q_is_that_of_flipped_contributions(sizes, scale, shared):
    """Variances lean on the pooled one by ten units; many units are normal."""
    rng, sizes = np.random.default_rng(2), np.array(sizes)
    ends = np.cumsum(sizes - shared) + shared
    n = ends[-1]
    rows = np.array(
        [(np.arange(n) >= e - m) & (np.arange(n) < e) for e, m in zip(ends, sizes, strict=True)]
    )
    d = rng.choice([-1.0, 0, 0, 1], size=n)
    d[: ends[0] - shared] += 3 / np.sqrt(n)
    estimates = np.array([d[own].mean() for own in rows])
    contributions = rows * (d - estimates[:, None])
    squares = (contributions**2).sum(axis=1)

    def variances(means):
        within = (squares - sizes * means**2) / (sizes - 1)
        pooled = (within @ (sizes - 1))[..., None] / (sizes - 1).sum()
        return (sizes * within + 10 * pooled) / (sizes + 10) / sizes

    own = variances(np.zeros(3))
    observed = cochrans_q(estimates, own)
    report = compare_scores(
        {"a": scale * d, "b": np.zeros(n)}, unit="instance", random_state=0, n_resamples=99,
        by={f"slice {number}": mask for number, mask in enumerate(rows)},
    )  # fmt: skip
    found = report.pairs[0].between
    assert found["statistic"] == pytest.approx(observed)
    tau = np.sqrt(paule_mandel(estimates, own)) if observed > 2 else 0
    assert found["effect_sizes"]["tau"] == pytest.approx(scale * tau)
    means = rng.choice([-1.0, 1.0], (4_000, n)) @ contributions.T / sizes
    reached = cochrans_q(means, variances(means)) >= observed - 1e-9
    assert found["pvalue"] == pytest.approx(reached.mean(), abs=0.025)
    if min(sizes) > 500 and not shared:
        assert found["pvalue"] == pytest.approx(stats.chi2.sf(observed, 2), abs=0.02)
