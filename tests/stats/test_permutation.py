"""The paired permutation test against all swaps, exact McNemar, and SciPy."""

import math
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import rankdata
from scipy.stats import t as student
from sklearn import metrics as sk

from skstat.metrics import as_metric
from skstat.stats import (
    AgreementTable,
    Predictions,
    mcnemar,
    paired_bootstrap,
    paired_permutation,
)
from tests.cases import in_one_test
from tests.predicted import SAMPLES, close, macro_f1, right, unlike, within

ALTERNATIVES = ["two-sided", "less", "greater"]


def auc(y, p):
    """Share of pairs of a positive and a negative that are in order; ties count half."""
    difference = p[y == 1][:, None] - p[y == 0]
    return float(np.mean((difference > 0) + 0.5 * (difference == 0)))


def rmse(y, p):
    return -float(np.sqrt(np.mean((y - p) ** 2)))


def log_loss(y, p):
    return float(np.mean(np.log(np.where(y == 1, p, 1 - p))))


RNG = np.random.default_rng(0)
N = 9
Y = np.array([0, 1, 2, 1, 0, 1, 2, 0, 1])
LABELS = {
    "a": np.array([0, 1, 2, 0, 0, 1, 2, 1, 1]),
    "b": np.array([0, 2, 1, 1, 1, 1, 0, 0, 2]),
}
BINARY = (Y == 1).astype(int)
SCORES = {"a": BINARY * 0.3 + RNG.integers(0, 7, N) / 10, "b": RNG.integers(1, 9, N) / 10}
NUMBERS = RNG.normal(size=N)
ERRORS = {"a": NUMBERS + RNG.gamma(2, 0.3, N), "b": NUMBERS - RNG.gamma(2, 0.5, N)}

CASES = {
    "macro F1": (as_metric("f1_macro"), Y, LABELS, macro_f1),
    "macro F1, called": (macro_f1, Y, LABELS, macro_f1),
    "MCC": (as_metric("matthews_corrcoef"), Y, LABELS, sk.matthews_corrcoef),
    "accuracy": (as_metric("accuracy"), Y, LABELS, right),
    "RMSE": (as_metric("neg_root_mean_squared_error"), NUMBERS, ERRORS, rmse),
    "a median": (close, NUMBERS, ERRORS, close),
    "log loss": (as_metric("neg_log_loss"), BINARY, {
        name: np.clip(out, 0.05, 0.95) for name, out in SCORES.items()}, log_loss),
    "AUC": (as_metric("roc_auc"), BINARY, SCORES, auc),
    "average precision": (
        as_metric("average_precision"), BINARY, SCORES, sk.average_precision_score,
    ),
}  # fmt: skip


def ranked(name, outputs):
    """What changes places: outputs, and mid-ranks of scores that only rank."""
    a, b = outputs.values()
    if name in ("AUC", "average precision"):
        return rankdata(a), rankdata(b)
    return np.asarray(a), np.asarray(b)


def swapped_differences(metric, y, a, b, groups=None):
    """Difference for every pattern of swaps of rows, or of groups."""
    groups = np.arange(len(y)) if groups is None else groups
    patterns = product([False, True], repeat=groups.max() + 1)
    scores = np.array([metric(y, np.where(np.array(p)[groups], b, a)) for p in patterns])
    return scores - scores[::-1]  # the last pattern swaps what the first leaves


@cache
def all_swaps(name, groups):
    """Differences of a case under all patterns of swaps."""
    _, y, outputs, direct = CASES[name]
    groups = None if groups is None else np.array(groups)
    return swapped_differences(direct, y, *ranked(name, outputs), groups)


def share(values, alternative, noise=1e-9, observed=None):
    """Share of patterns at least as extreme as the first, which swaps nothing."""
    observed = values[0] if observed is None else observed
    extreme = {
        "two-sided": np.abs(values) >= abs(observed) - noise,
        "greater": values >= observed - noise,
        "less": values <= observed + noise,
    }[alternative]
    return float(np.mean(extreme))


@pytest.mark.long
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("name", CASES)
def test_all_swaps_of_nine_rows(name, alternative):
    metric, y, outputs, _ = CASES[name]
    sample = Predictions(y, outputs, metric)
    outcome = paired_permutation(sample, n_resamples=600, rng=0, alternative=alternative)
    expected = share(all_swaps(name, None), alternative)
    assert outcome.law.exact
    assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.monte_carlo_error == 0
    assert outcome.pvalue >= outcome.smallest_pvalue
    what = "mid-ranks of the scores" if name in ("AUC", "average precision") else "outputs"
    assert outcome.test == f"paired permutation test, {what} swapped by instance (exact)"
    assert outcome.null_hypothesis == "A and B are exchangeable on every instance"


@pytest.mark.parametrize("name", CASES)
def test_all_swaps_of_six_groups(name):
    metric, y, outputs, _ = CASES[name]
    groups = (4, 1, 0, 5, 3, 2, 4, 1, 4)
    sample = Predictions(y, outputs, metric, groups=groups)
    values = all_swaps(name, groups)
    for alternative in ALTERNATIVES:
        outcome = paired_permutation(sample, n_resamples=64, rng=0, alternative=alternative)
        assert outcome.law.exact
        assert outcome.pvalue == pytest.approx(share(values, alternative), rel=1e-12)
    assert "by group" in outcome.test


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("name", ["macro F1", "RMSE", "accuracy"])
def test_all_swaps_under_weights(name):
    # Weights make cells of rows, or leave sums with float noise: p is that of the rows.
    metric, y, outputs, _ = CASES[name]
    function = {
        "macro F1": lambda p, w: macro_f1(y, p, w),
        "RMSE": lambda p, w: -sk.root_mean_squared_error(y, p, sample_weight=w),
        "accuracy": lambda p, w: sk.accuracy_score(y, p, sample_weight=w),
    }[name]
    for weight in (np.tile([0.1, 0.7, 0.3], 3), np.random.default_rng(1).random(9)):
        values = swapped_differences(
            lambda _, p, weight=weight: function(p, weight), y, *outputs.values()
        )
        sample = Predictions(y, outputs, metric, sample_weight=weight)
        for alternative in ALTERNATIVES:
            outcome = paired_permutation(
                sample, n_resamples=600, rng=0, alternative=alternative
            )
            assert outcome.pvalue == pytest.approx(share(values, alternative), rel=1e-12)


W2 = (54, 18, 6, 22)  # both right, only A, only B, both wrong


@in_one_test("alternative", ALTERNATIVES)
@in_one_test("table", [
    W2, (3, 4, 2, 1), (0, 1, 0, 0), (5, 0, 9, 1), (9, 7, 7, 3), (40, 300, 351, 9),
    (2000, 30, 11, 500), (1, 0, 0, 1),
])  # fmt: skip
def test_zero_one_loss_is_exact_mcnemar(table, alternative):
    y = np.ones(sum(table), dtype=int)
    outputs = {"a": np.repeat([1, 1, 0, 0], table), "b": np.repeat([1, 0, 1, 0], table)}
    both, only_a, only_b, neither = table
    expected = mcnemar(
        AgreementTable(both, only_a, only_b, neither), method="exact",
        alternative=alternative,
    )  # fmt: skip
    # Misses, and rows one by one, are the same test.
    for metric, draw in (
        ("accuracy", "cells"),
        ("accuracy", "rows"),
        ("zero_one_loss", "cells"),
    ):
        sample = Predictions(y, outputs, as_metric(metric), draw=draw)
        outcome = paired_permutation(sample, n_resamples=9, rng=0, alternative=alternative)
        assert outcome.law.exact
        assert outcome.pvalue == pytest.approx(expected.pvalue, rel=1e-12)
        assert outcome.estimate == pytest.approx(expected.estimate)
        assert outcome.pvalue >= outcome.smallest_pvalue
        studentised = paired_permutation(
            sample, n_resamples=9, rng=0, alternative=alternative, studentize=True
        )
        assert studentised.pvalue == outcome.pvalue
        if (table, alternative) == (W2, "two-sided"):
            assert outcome.pvalue == pytest.approx(0.0227, abs=5e-5)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_many_units_of_few_kinds(alternative):
    # Weights 1 and 2 make four sizes of differences: p by the law of their counts.
    rng = np.random.default_rng(7)
    n = 400
    a, b = rng.random(n) < 0.62, rng.random(n) < 0.5
    weight = rng.integers(1, 3, n)
    outputs, metric = {"a": a.astype(int), "b": b.astype(int)}, as_metric("accuracy")
    of_kinds, of_rows = (
        Predictions(np.ones(n), outputs, metric, sample_weight=weight, draw=draw)
        for draw in ("cells", "rows")
    )
    d = (weight * (a.astype(int) - b.astype(int)))[a != b]
    law = np.ones(1)  # of the sum of d with random signs, shifted to start at 0
    for size in np.abs(d):
        step = np.zeros(2 * size + 1)
        step[[0, -1]] = 0.5
        law = np.convolve(law, step)
    sums = np.arange(len(law)) - np.abs(d).sum()
    observed = d.sum()
    exact = {
        "two-sided": law[np.abs(sums) >= abs(observed)].sum(),
        "greater": law[sums >= observed].sum(),
        "less": law[sums <= observed].sum(),
    }[alternative]
    outcome = paired_permutation(of_kinds, n_resamples=20_000, rng=8, alternative=alternative)
    assert outcome.law.how == "counts of 8 kinds of rows"
    assert not outcome.law.exact
    assert within(outcome.pvalue, exact, 20_000)
    by_row = paired_permutation(of_rows, n_resamples=20_000, rng=8, alternative=alternative)
    assert within(by_row.pvalue, exact, 20_000)


# Studentised.


@cache
def studentised(name, groups):
    """All studentised values by the definition, the observed one by the jackknife."""
    metric, y, outputs, direct = CASES[name]
    a, b = ranked(name, outputs)
    differences = all_swaps(name, groups)
    sample = Predictions(y, outputs, metric, groups=groups, draw="cells" if groups else "rows")
    groups = np.arange(N) if groups is None else np.array(groups)
    n = groups.max() + 1
    terms = sample.kernel.swap_terms()
    values = []
    for flips, difference in zip(product([0, 1], repeat=n), differences, strict=True):
        signed = terms * np.where(flips, -1, 1)
        variance = max(np.sum(signed**2) - signed.sum() ** 2 / n, 1e-12 * np.sum(terms**2))
        values.append(difference / math.sqrt(n / (n - 1) * variance))
    without = [groups != unit for unit in range(n)]
    with np.errstate(invalid="ignore", divide="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        left_out = np.array([direct(y[w], a[w]) - direct(y[w], b[w]) for w in without])
    error = math.sqrt((n - 1) / n * np.sum((left_out - left_out.mean()) ** 2))
    observed = values[0]
    # Of a mean, flips keep the sum of squares: studentising changes no order.
    if error > 0 and sample.kernel.mean_differences is None:
        observed = differences[0] / error
    return np.array(values), observed


@pytest.mark.long
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_studentised_by_the_definition(name, grouped):
    metric, y, outputs, _ = CASES[name]
    groups = (0, 1, 2, 3, 4, 5, 0, 1, 0) if grouped else None
    values, observed = studentised(name, groups)
    sample = Predictions(y, outputs, metric, groups=groups)
    for alternative in ALTERNATIVES:
        outcome = paired_permutation(
            sample, n_resamples=600, studentize=True, rng=0, alternative=alternative
        )
        expected = share(values, alternative, 1e-9 * abs(observed), observed)
        expected = max(expected, outcome.smallest_pvalue)
        assert outcome.law.exact
        assert outcome.pvalue == pytest.approx(expected, rel=1e-12)
    assert outcome.test.startswith("studentised paired permutation test")


def test_studentising_cells_is_studentising_rows():
    rng = np.random.default_rng(9)
    y = rng.integers(0, 2, 60)
    outputs = {
        name: np.where(rng.random(60) < share, y, 1 - y)
        for name, share in (("a", 0.75), ("b", 0.6))
    }
    cells, rows = (
        Predictions(y, outputs, as_metric("f1"), draw=draw) for draw in ("cells", "rows")
    )
    exact = paired_permutation(cells, n_resamples=200_000, studentize=True, rng=0)
    assert exact.law.exact
    drawn = paired_permutation(rows, n_resamples=5000, studentize=True, rng=0)
    assert within(drawn.pvalue, exact.pvalue, 5000)


def test_studentising_claims_no_more_than_the_signs_can_show():
    # The observed difference has a standard error of its own, and may exceed all others;
    # it is one of the patterns all the same.
    rng = np.random.default_rng(12)
    pvalues = []
    for _ in range(40):
        y = rng.normal(size=8)
        outputs = {"a": y + rng.gamma(2, 0.2, 8), "b": y + rng.gamma(2, 0.6, 8)}
        sample = Predictions(y, outputs, as_metric("neg_root_mean_squared_error"))
        outcome = paired_permutation(sample, n_resamples=256, studentize=True, rng=0)
        assert outcome.pvalue >= outcome.smallest_pvalue == 2 / 256
        pvalues.append(outcome.pvalue)
    assert min(pvalues) == 2 / 256


# Degenerate predictions.


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("studentize", [False, True])
@pytest.mark.parametrize("n", [1, 2, 5, 18, 70])
@pytest.mark.parametrize("metric", ["accuracy", right, rmse])
def test_a_system_that_is_always_better(metric, n, studentize):
    sample = Predictions(np.ones(n), {"a": np.ones(n), "b": np.zeros(n)}, as_metric(metric))
    # Patterns that are too many to count are drawn, but for a mean of 0/1 losses.
    floor = 1 / 100 if n > 6 and metric != "accuracy" else 0
    for alternative, smallest in (("two-sided", 2.0 ** (1 - n)), ("greater", 2.0**-n)):
        outcome = paired_permutation(
            sample, n_resamples=99, rng=0, alternative=alternative, studentize=studentize
        )
        assert outcome.pvalue == pytest.approx(max(smallest, floor), rel=1e-12)
        assert outcome.pvalue >= outcome.smallest_pvalue
        assert outcome.law.n_differing == n
    less = paired_permutation(sample, n_resamples=99, rng=0, alternative="less")
    assert less.pvalue == 1


def test_draws_claim_no_more_than_the_signs_can_show():
    # 2^7 patterns and 127 draws, none of which is extreme: 1/128 would be less than 2/128,
    # of the pattern observed and its opposite.
    y = np.zeros(7)
    sample = Predictions(y, {"a": y, "b": np.arange(1.0, 8)}, rmse)
    pvalues = set()
    for seed in range(8):
        outcome = paired_permutation(sample, n_resamples=127, rng=seed)
        assert not outcome.law.exact
        assert outcome.pvalue >= outcome.smallest_pvalue == 2 / 128
        pvalues.add(outcome.pvalue)
    assert 2 / 128 in pvalues


# Which system is A, which rows come first, how blocks are computed.


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_workers_change_nothing(sample):
    def backwards(function, blocks):
        return reversed([function(block) for block in reversed(list(blocks))])

    expected = paired_permutation(sample, n_resamples=5_000, rng=6)
    with ThreadPoolExecutor(2) as pool:
        for workers in (backwards, pool.map):
            found = paired_permutation(sample, n_resamples=5_000, rng=6, workers=workers)
            assert found.pvalue == expected.pvalue
            np.testing.assert_array_equal(found.law.replicates, expected.law.replicates)


def test_a_strictly_monotone_change_of_scores_is_no_matter_to_ranks():
    # Mid-ranks change places, so that scores on other scales can be compared.
    sample = SAMPLES["AUC"]
    expected = paired_permutation(sample, n_resamples=300, rng=0)
    outputs = {"a": 100 * sample.outputs["a"] ** 3 - 5, "b": np.log(sample.outputs["b"])}
    other = Predictions(sample.y_true, outputs, as_metric("roc_auc"))
    assert paired_permutation(other, n_resamples=300, rng=0).pvalue == expected.pvalue


# Outcomes.


@pytest.mark.parametrize("which", ["log loss", "macro F1 of cells", "macro F1 by group", "AUC"])
def test_the_error_of_the_jackknife_needs_no_replicates(which):
    sample = SAMPLES[which]
    expected = paired_permutation(sample, rng=3)
    outcome = paired_permutation(sample, standard_error="jackknife", rng=3)
    assert (outcome.pvalue, outcome.confidence_interval()) == (
        expected.pvalue, expected.confidence_interval()
    )  # fmt: skip
    # Efron & Tibshirani (1993), equation 11.5, one unit after the other.
    places = np.arange(sample.n_rows) if sample.groups is None else sample.groups
    without = []
    for unit in np.unique(places):
        kept = places != unit
        part = Predictions(
            sample.y_true[kept],
            {name: output[kept] for name, output in sample.outputs.items()},
            sample.metric,
            groups=None if sample.groups is None else sample.groups[kept],
        )
        without.append(part.difference)
    n = len(without)
    assert outcome.standard_error == pytest.approx(
        math.sqrt((n - 1) / n * np.sum((np.array(without) - np.mean(without)) ** 2))
    )
    assert outcome.law.n_redrawn == 0 and "check" not in "".join(outcome.assumptions)
    # Swaps of twelve groups are too few to bound an interval at every level.
    few = which == "macro F1 by group"
    assert bool(outcome.to_dict()["law"]["kept"]) == few


OF_LABELS = ("accuracy", "f1_macro", "balanced_accuracy", "matthews_corrcoef")
OF_NUMBERS = ("neg_mean_absolute_error", "r2", "a median")
OF_RANKS = ("roc_auc", "average_precision")


@st.composite
def samples(draw):
    """Two systems on few rows, or on few groups of unequal size."""
    name = draw(st.sampled_from(OF_LABELS + OF_NUMBERS + OF_RANKS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(8, 40))
    better = draw(st.sampled_from([0.0, 0.3, 0.8]))
    if name in OF_NUMBERS:
        y = rng.normal(size=n)
        outputs = {"a": y + rng.normal(size=n), "b": y + (1 - better) * rng.gamma(1, 1, n)}
    else:
        y = np.r_[0, 0, 1, 1, rng.integers(0, 2, n - 4)]
        scores = {"a": y + rng.normal(size=n), "b": (1 + 3 * better) * y + rng.normal(size=n)}
        outputs = scores if name in OF_RANKS else {k: 1 * (v > 0.5) for k, v in scores.items()}
    groups = None
    if draw(st.booleans()):
        groups = np.r_[np.arange(6), rng.integers(0, draw(st.integers(6, 12)), n - 6)]
    metric = close if name == "a median" else as_metric(name)
    strata = y if name in OF_RANKS and groups is None else None
    return Predictions(y, outputs, metric, groups=groups, strata=strata)


options = st.fixed_dictionaries(
    {
        "alternative": st.sampled_from(ALTERNATIVES),
        "studentize": st.booleans(),
        "n_resamples": st.sampled_from([99, 300]),
        "rng": st.integers(0, 9),
    }
)


def permuted(sample, **more):
    """Ask, unless a class is missing from too many resamples."""
    try:
        return paired_permutation(sample, **more)
    except ValueError as error:
        assume("undefined" not in str(error))
        raise


@given(samples(), options, st.sampled_from([0.6, 0.9, 0.95, 0.99]))
def test_the_interval_excludes_0_exactly_when_the_test_rejects(sample, how, level):
    outcome = permuted(sample, **how)
    assume(abs(outcome.pvalue - (1 - level)) > 1e-9)
    low, high = outcome.confidence_interval(level)
    assert low <= high
    assert (not low <= 0 <= high) == (outcome.pvalue < 1 - level)


def kept(deltas, u, w, alpha):
    """Which shifts are kept, with all signs of the terms written out."""
    signs = np.array(list(product([1, -1], repeat=len(u))))
    values = np.abs(signs @ u)
    shares = np.array([np.mean(values >= value - 1e-12) for value in values])
    reach = values[shares >= alpha].max()
    spread = np.array([np.sqrt(np.sum((u - w * delta) ** 2)) for delta in deltas])
    return np.abs(u.sum() - deltas) * math.sqrt(u @ u) <= reach * spread


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_limits_of_a_mean_by_all_signs(grouped, level):
    rng = np.random.default_rng(1)
    y = np.zeros(9 if not grouped else 30)
    groups = np.r_[np.arange(8), rng.integers(0, 4, 22)] if grouped else np.arange(9)
    outputs = {"a": rng.gamma(1, 1, len(y)), "b": rng.gamma(1, 2, len(y))}
    d = outputs["b"] - outputs["a"]
    u = np.bincount(groups, d) / len(y)
    w = np.bincount(groups) / len(y)
    sample = Predictions(
        y, outputs, as_metric("neg_mean_absolute_error"), groups=groups if grouped else None
    )
    low, high = paired_permutation(sample, rng=0).confidence_interval(level)
    deltas = np.linspace(d.mean() - 4, d.mean() + 4, 40_001)
    expected = deltas[kept(deltas, u, w, 1 - level)]
    assert (low, high) == pytest.approx((expected.min(), expected.max()), abs=3e-4)


@pytest.mark.long
def test_few_groups_of_unequal_size_are_covered_where_percentiles_are_too_narrow():
    rng = np.random.default_rng(3)
    inside = np.zeros(2)
    sizes = np.array([1, 2, 3, 4, 6, 8, 10, 12])
    groups = np.repeat(np.arange(8), sizes)
    for _ in range(400):
        d = 1 + rng.normal(size=8)[groups] + rng.normal(size=len(groups))
        outputs = {"a": np.full(len(d), 50.0), "b": 50 + d}
        sample = Predictions(
            np.zeros(len(d)), outputs, as_metric("neg_mean_absolute_error"), groups=groups
        )
        outcome = paired_permutation(sample, n_resamples=499, rng=int(rng.integers(2**31)))
        for i, law in enumerate((outcome.law, outcome.law.by_replicates)):
            low, high = law.limits(0.025)
            inside[i] += low <= 1 <= high
    covered, by_percentiles = inside / 400
    assert 0.925 < covered < 0.98
    assert by_percentiles < 0.92


def test_where_no_rejection_is_possible_limits_are_finite_and_hold_0():
    y = np.ones(200, dtype=int)
    y[:80] = 0
    outputs = {"a": y.copy(), "b": y.copy()}
    outputs["b"][[3, 5, 100]] = 1 - y[[3, 5, 100]]
    sample = Predictions(y, outputs, as_metric("f1_macro"))
    outcome = paired_permutation(sample, rng=0)
    assert outcome.smallest_pvalue == 0.25
    low, high = outcome.confidence_interval()
    drawn_low, drawn_high = outcome.law.by_replicates.limits(0.025)
    assert -0.05 < low <= min(0, drawn_low) and drawn_high <= high < 0.05


def test_what_the_test_says_of_0_the_longer_interval_says_too():
    """Systems on which the permutation test and Student's t disagree, on either side of 0."""
    found = set()
    for seed in range(300):
        rng = np.random.default_rng(seed)
        y, predictions = unlike(rng)
        sample = Predictions(y, predictions["neg_log_loss"], as_metric("neg_log_loss"))
        if seed % 2:
            turned = dict(zip("AB", [*sample.outputs.values()][::-1], strict=True))
            sample = Predictions(y, turned, sample.metric)
        outcome = paired_permutation(sample, n_resamples=199, rng=0)
        low, high = outcome.confidence_interval()
        assert (low > 0 or high < 0) == (outcome.pvalue < 0.05)
        reach = student.isf(0.025, 7) * outcome.law.spread.error
        if outcome.pvalue < 0.05 and abs(outcome.estimate) < reach:
            found.add(np.sign(outcome.estimate))
            far = high if outcome.estimate > 0 else -low
            assert far >= abs(outcome.estimate) + reach - 1e-9
            assert min(abs(low), abs(high)) < 1e-6 * outcome.law.spread.error
    assert found == {-1, 1}


def test_enough_rows_of_every_class_change_nothing():
    rng = np.random.default_rng(0)
    y, predictions = unlike(rng, positives=20)
    sample = Predictions(y, predictions["f1"], as_metric("f1"))
    assert paired_permutation(sample, n_resamples=99, rng=0).law.spread is None
    y, predictions = unlike(rng, positives=19)
    sample = Predictions(y, predictions["f1"], as_metric("f1"))
    assert paired_bootstrap(sample, n_resamples=99, rng=0).law.spread.df == 18
    # Right and wrong answers count alike, whatever the class.
    accuracy = Predictions(y, predictions["f1"], as_metric("accuracy"))
    assert paired_permutation(accuracy, n_resamples=99, rng=0).law.spread is None
    # A hundred classes of five rows each are many rows.
    many = np.repeat(np.arange(100), 5)
    wrong = {name: np.where(rng.random(500) < 0.3, 0, many) for name in "AB"}
    sample = Predictions(many, wrong, as_metric("f1_macro"))
    assert paired_bootstrap(sample, n_resamples=99, rng=0).law.spread.df == 99 * 4
