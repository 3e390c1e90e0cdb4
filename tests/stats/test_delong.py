"""DeLong's test against SAS, brute force over all pairs, and degenerate rankings."""

import json
import math
import time
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from skstat.stats import BinaryScores, Comparison, OmnibusOutcome, delong, delong_wald
from tests.cases import refusals

# DeLong, DeLong & Clarke-Pearson (1988), the 43 complete cases as printed in SAS/STAT
# User's Guide, PROC LOGISTIC, "Comparing Receiver Operating Characteristic Curves":
# albumin, total protein, K-G score (10 minus it predicts), outcome.
OVARIAN = """
3.0 5.8 10 0   3.2 6.3  5 1   3.9 6.8  3 1   2.8 4.8  6 0   3.2 5.8  3 1   0.9 4.0  5 0
2.5 5.7  8 0   1.6 5.6  5 1   3.8 5.7  5 1   3.7 6.7  6 1   3.2 5.4  4 1   3.8 6.6  6 1
4.1 6.6  5 1   3.6 5.7  5 1   4.3 7.0  4 1   3.6 6.7  4 0   2.3 4.4  6 1   4.2 7.6  4 0
4.0 6.6  6 0   3.5 5.8  6 1   3.8 6.8  7 1   3.0 4.7  8 0   4.5 7.4  5 1   3.7 7.4  5 1
3.1 6.6  6 1   4.1 8.2  6 1   4.3 7.0  5 1   4.3 6.5  4 1   3.2 5.1  5 1   2.6 4.7  6 1
3.3 6.8  6 0   1.7 4.0  7 0   3.7 6.1  5 1   3.3 6.3  7 1   4.2 7.7  6 1   3.5 6.2  5 1
2.9 5.7  9 0   2.1 4.8  7 1   2.8 6.2  8 0   4.0 7.0  7 1   3.3 5.7  6 1   3.7 6.9  5 1
3.6 6.6  5 1
"""
TABLE = np.array(OVARIAN.split(), dtype=float).reshape(-1, 4)
ALBUMIN, PROTEIN, KG, BENEFIT = TABLE[:, 0], TABLE[:, 1], 10 - TABLE[:, 2], TABLE[:, 3]
SYSTEMS = {"albumin": ALBUMIN, "protein": PROTEIN, "K-G": KG}


def areas_of(y, scores, **given):
    """Those of the columns of a table, which are A, B, C, ..."""
    columns = dict(zip("ABCD", np.transpose(scores), strict=False))
    return BinaryScores.from_scores(y, columns, **given)


several = settings(max_examples=settings.default.max_examples)


@st.composite
def asked(draw, n_systems=2, grouped=False):
    """Scores with ties, at least two of each class, labels of eight groups."""
    n = draw(st.integers(20, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    y = rng.random(n) < draw(st.sampled_from([0.2, 0.5]))
    y[:4] = [True, False, True, False]
    scores = rng.integers(0, draw(st.sampled_from([3, 10, 1000])), (n, n_systems))
    groups = np.r_[0, 1, 2, 3, 4, 5, rng.integers(0, 8, n - 6)]
    return y, scores + y[:, None] * draw(st.integers(0, 2)), groups if grouped else None


def kernel(y, scores):
    """1, 1/2 or 0 for every positive (row) and negative (column) instance."""
    difference = scores[y][:, None] - scores[~y][None, :]
    return (np.sign(difference) + 1) / 2


@several
@given(case=asked(n_systems=3))
def test_brute_force_over_all_pairs(case):
    y, scores, _ = case
    psi = [kernel(y, column) for column in scores.T]
    v10 = np.array([table.mean(axis=1) for table in psi])
    v01 = np.array([table.mean(axis=0) for table in psi])
    covariance = np.cov(v10) / v10.shape[1] + np.cov(v01) / v01.shape[1]
    areas = areas_of(y, scores)
    assert areas.names == ("A", "B", "C")
    assert areas.aucs == pytest.approx([table.mean() for table in psi])
    assert areas.standard_errors == pytest.approx(np.sqrt(np.diag(covariance)), abs=1e-12)
    diagonal = np.diag(covariance)
    expected = diagonal[:, None] + diagonal[None, :] - 2 * covariance
    np.testing.assert_allclose(areas.difference_variances, expected, atol=1e-12)


@several
@given(case=asked(grouped=True))
def test_clustered_variance_by_brute_force(case):
    # Obuchowski (1997): S10, S01 and the cross term S11 over clusters, entry by entry.
    y, scores, groups = case
    psi = kernel(y, scores[:, 0]) - kernel(y, scores[:, 1])
    m, n = psi.shape
    theta = psi.mean()
    labels = sorted(set(groups.tolist()))
    x, z, has_x, has_z = [], [], 0, 0
    for label in labels:
        positive, negative = groups[y] == label, groups[~y] == label
        x.append(sum(psi[i].mean() - theta for i in np.flatnonzero(positive)))
        z.append(sum(psi[:, j].mean() - theta for j in np.flatnonzero(negative)))
        has_x += positive.any()
        has_z += negative.any()
    if min(has_x, has_z) < 2:
        with pytest.raises(ValueError, match="lie in one group"):
            areas_of(y, scores, groups=groups)
        return
    k = len(labels)
    s10 = has_x / ((has_x - 1) * m) * sum(a * a for a in x)
    s01 = has_z / ((has_z - 1) * n) * sum(b * b for b in z)
    s11 = k / (k - 1) * sum(a * b for a, b in zip(x, z, strict=True))
    variance = s10 / m + s01 / n + 2 * s11 / (m * n)
    outcome = delong(areas_of(y, scores, groups=groups))
    assert outcome.standard_error**2 == pytest.approx(variance, rel=1e-9, abs=1e-14)
    assert outcome.law.sizes == (has_x, has_z)


@several
@given(case=asked(n_systems=4))
def test_wald_by_inverting_the_covariance(case):
    y, scores, _ = case
    scores = scores + np.random.default_rng(0).normal(size=scores.shape)
    psi = [kernel(y, column) for column in scores.T]
    v10, v01 = (np.array([t.mean(axis=axis) for t in psi]) for axis in (1, 0))
    covariance = np.cov(v10) / v10.shape[1] + np.cov(v01) / v01.shape[1]
    contrasts = np.array([[0, 0, 1, -1], [0, 1, -1, 0], [1, -1, 0, 0]])
    effects = contrasts @ [t.mean() for t in psi]
    inverse = np.linalg.pinv(contrasts @ covariance @ contrasts.T)
    assume(np.linalg.cond(inverse) < 1e8)
    outcome = delong_wald(areas_of(y, scores))
    assert outcome.df == 3
    assert outcome.statistic == pytest.approx(effects @ inverse @ effects, rel=1e-6)


def test_systems_that_are_one_count_once():
    doubled = SYSTEMS | {"again": 2 * ALBUMIN + 1, "K-G again": KG}
    outcome = delong_wald(BinaryScores.from_scores(BENEFIT, doubled))
    expected = delong_wald(BinaryScores.from_scores(BENEFIT, SYSTEMS))
    assert outcome.df == 2
    assert outcome.statistic == pytest.approx(expected.statistic)
    moved = {name: doubled[name] for name in ("K-G again", "again", *SYSTEMS)}
    assert delong_wald(BinaryScores.from_scores(BENEFIT, moved)).statistic == pytest.approx(
        expected.statistic
    )


def test_wald_without_variance():
    same = delong_wald(BinaryScores.from_scores(BENEFIT, {"a": KG, "b": KG**3, "c": KG - 1}))
    assert (same.statistic, same.pvalue, same.df) == (0, 1, 0)
    y = [0, 0, 0, 1, 1, 1]
    apart = {"right": y, "wrong": [1, 1, 1, 0, 0, 0], "some": [0, 2, 0, 1, 3, 2]}
    outcome = delong_wald(BinaryScores.from_scores(y, apart))
    assert math.isnan(outcome.pvalue)
    restored = OmnibusOutcome.from_dict(json.loads(json.dumps(outcome.to_dict())))
    assert math.isnan(restored.pvalue)


@pytest.mark.parametrize("groups", [None, np.arange(6)])
@pytest.mark.parametrize(
    "b, aucs", [([1, 1, 1, 0, 0, 0], (1.0, 0.0)), ([7, 7, 7, 7, 7, 7], (1.0, 0.5))]
)
def test_a_difference_without_variance_is_no_proof(groups, b, aucs):
    y = [0, 0, 0, 1, 1, 1]
    outcome = delong(
        BinaryScores.from_scores(y, {"a": [0, 1, 2, 3, 4, 5], "b": b}, groups=groups)
    )
    assert outcome.law.aucs == aucs
    assert outcome.statistic == math.inf
    assert math.isnan(outcome.pvalue)
    assert all(map(math.isnan, outcome.confidence_interval()))
    assert Comparison.from_dict(outcome.to_dict()).to_dict() == outcome.to_dict()


def test_a_perfect_area_has_an_interval():
    y, x = [0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 4, 5]
    outcome = delong(BinaryScores.from_scores(y, {"a": x, "b": [0, 4, 2, 3, 1, 5]}))
    low, high = outcome.law.auc_intervals()[0]
    assert high == 1
    # Newcombe's method 5 with 3 + 3: (1 - t)^2 = z^2 t (1 - t) (1 + 2 ((1 - t)/(2 - t)
    # + t/(1 + t))) / 9.
    rest = 1 + 2 * ((1 - low) / (2 - low) + low / (1 + low))
    assert (1 - low) ** 2 == pytest.approx(1.959964**2 * low * (1 - low) * rest / 9, rel=1e-6)
    many = delong(BinaryScores.from_scores(y * 50, {"a": x * 50, "b": [0, 4, 2, 3, 1, 5] * 50}))
    assert low < 0.6 < 0.97 < many.law.auc_intervals()[0].low < 1
    with pytest.raises(ValueError, match="confidence_level=95"):
        outcome.law.auc_intervals(95)


FOUR = {"a": [1, 2, 3, 4], "b": [1, 2, 3, 4]}
test_bad_classes_are_refused = refusals([
    (([1, 1, 1, 1], FOUR), "two negative instances, and y_true has 0"),
    (([False] * 4, FOUR), "two positive instances, and y_true has 0"),
    (([0, 1, 1, 1], FOUR), "two negative instances, and y_true has 1"),
    (([0, 0, 1, 0], FOUR), "two positive instances, and y_true has 1"),
    (([0, 1, 2, 1], FOUR), r"y_true\[2\] is not 0 or 1; give y_true == positive_label"),
    (([0.0, np.nan, 1, 1], FOUR), r"y_true\[1\] is missing"),
    ((["no", "yes", "no", "yes"], FOUR), r"y_true\[0\] is not 0 or 1"),
    (([0, None, 1, 1], FOUR), r"y_true\[1\] is missing"),
    (([[0, 1]] * 4, FOUR), r"y_true must be one-dimensional, got shape \(4, 2\)"),
    (([0, 1, 0, 1], {"tree": [1, 2, 3, 4], "svm": [1, np.inf, 3, 4]}),
     r"scores of svm\[1\] is inf"),
    (([0, 1, 0, 1], {"tree": [1, 2, 3, 4]}), "names of two or more systems"),
    (([0, 1, 0, 1], [1, 2, 3, 4]), "scores must map names of two or more systems"),
], BinaryScores.from_scores)  # fmt: skip


ovarian = partial(BinaryScores.from_scores, BENEFIT, SYSTEMS)
test_bad_pairs_and_groups_are_refused = refusals([
    (lambda: delong(ovarian()), "delong compares two systems.*delong_wald"),
    (lambda: ovarian().pair("albumin", "sodium"), "'sodium' is not one of the systems"),
    (lambda: ovarian().pair("albumin", "albumin"), "cannot be compared with itself"),
    (lambda: ovarian(groups=np.arange(43) % 5), "DeLong's test needs at least 6 groups, got 5"),
    (lambda: ovarian(groups=BENEFIT * np.arange(43)), "negative instances are in one group"),
])  # fmt: skip


def test_a_hundred_thousand_instances_take_no_quadratic_time():
    # All pairs would be 2.5e9 comparisons; with sorting it is a matter of 0.05 s.
    rng = np.random.default_rng(0)
    y = rng.random(100_000) < 0.5
    start = time.perf_counter()
    outcome = delong(areas_of(y, rng.normal(size=(100_000, 2)) + y[:, None]))
    assert time.perf_counter() - start < 2
    assert outcome.law.aucs[0] == pytest.approx(stats.norm.cdf(1 / math.sqrt(2)), abs=0.01)
