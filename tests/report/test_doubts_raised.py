"""From where on a doubt is raised: by differences, their verdicts, and tables of data sets.

What is about predictions, splits, seeds or preferences stands with their doors.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.stats import t as student

from skstat import compare_predictions, compare_scores, rank_systems, stats
from skstat.stats import OmnibusOutcome, ScoreTable, pairwise, wilcoxon
from tests.cases import codes, text_of
from tests.report.built import (
    SPLITS,
    columns,
    differing,
    over_datasets,
    over_splits,
    spread,
    weight_of,
)  # fmt: skip

QUADE = partial(stats.friedman, ranking="quade")
ONE_SIDED = {"alternative": "greater"}
THREE = columns(30, "PQR")
W3_DIFFERENCES = np.array([
    3, 9, 15, 16, 20, 21, -22, 23, -26, 27, 28, 29, 30, 31, 33, 34, 40, 44, 49, 61, 70, 80,
    -203, -217, -234,
]) / 1000  # fmt: skip


def rows(differences, **options):
    """A and B, whose scores on rows have given differences."""
    return compare_scores(differing(differences, unit="instance"), random_state=0, **options)


def close_to(pvalue, **options):
    """A comparison of splits with this p-value."""
    factor = student.isf(pvalue / 2, 29) / student.isf(0.025, 29)
    return over_splits(spread(0.0, 0.02) + 0.02 * factor, **options)


def areas(n):
    """Areas under the curve where one class has n rows."""
    truth, rng = np.repeat([0, 1], [40, n]), np.random.default_rng(0)
    outputs = {name: truth + rng.normal(0, 1, len(truth)) for name in ("new", "old")}
    return compare_predictions(truth, outputs, metric="roc_auc", test="delong")


def with_gap(names="PQR", **options):
    scores = columns(30, names)
    scores["Q"] = np.where(np.arange(30) == 3, np.nan, scores["Q"])
    return over_datasets(scores, **options)


def errors(n=20, k=3):
    """Squared errors of targets in units of their own."""
    rng = np.random.default_rng(0)
    scores = 10.0 ** rng.uniform(-3, 3, (20, 1)) * rng.uniform(1, 2, (20, 3))
    return dict(zip("PQR"[:k], scores[:n].T, strict=False))


def scaled(factor):
    """Scores of which half lie so many times as far apart as the others."""
    scales = np.repeat([1.0, factor], 10)
    return {name: scales * size for name, size in zip("PQR", [0, 0.5, 1], strict=True)}


def repeated(n, *, coarse=False):
    """Eight data sets, of which n come twice."""
    scores = columns(8, "PQR")
    if coarse:
        drawn = np.random.default_rng(0).integers(17, 21, (40, 3)) / 20
        return over_datasets(dict(zip("PQR", drawn.T, strict=True)))
    return over_datasets({name: np.r_[own, own[:n]] for name, own in scores.items()})


def skewed(n, *, outlier=None, **options):
    rng = np.random.default_rng(0)
    scores = 0.2 * rng.standard_normal((n, 3))
    if outlier is None:
        scores[:, 0] = np.exp(rng.standard_normal(n))
    else:
        scores[0, 0] += outlier
    named = dict(zip("PQR", scores.T, strict=True))
    return compare_scores(named, unit="seed", paired_seeds=True, random_state=0, **options)


def ranked(scores, unit="dataset"):
    how = {"scoring": "mean_squared_error", "higher_is_better": False, "random_state": 0}
    return rank_systems(scores, unit=unit, **how)


def often_equal(post_hoc):
    """A is like B or better, C far below."""
    rng = np.random.default_rng(0)
    base = rng.uniform(0, 0.001, 30)
    better = np.r_[rng.uniform(0.1, 0.2, 12), np.zeros(18)]
    scores = {"A": base + better, "B": base, "C": base - rng.uniform(0.1, 0.2, 30)}
    return over_datasets(scores, test=post_hoc)


def untested():
    """A pair without variance, beside one that differs by chance only."""
    step = np.arange(12.0)
    far = np.where(step % 2, 50.0, -50.0) + step
    scores = {"P": step + 1, "Q": step, "R": far}
    return over_datasets(scores, test="paired_t", confidence_level=0.7)


def uncontrolled(scores):
    """By a procedure of one's own that declares so."""

    def mine(table: ScoreTable):
        return replace(pairwise(table, wilcoxon), weak_control=True)

    return over_datasets(scores, test=mine)


def by_omnibus(how):
    def mine(table: ScoreTable) -> OmnibusOutcome:
        return replace(stats.friedman(table), test="weighted Quade", compares_sizes=how)

    return over_datasets(errors(), test=mine)


F1 = {"scoring": "f1_macro"}
R2 = {"scoring": "r2"}
LONELY = np.arange(8) / 100
CASES = [
    # few units, rows, rows of a class
    ("SKS107", "weak", lambda: over_datasets(columns(9, "PQR"))),
    ("SKS107", None, lambda: over_datasets(columns(10, "PQR"))),
    ("SKS107", "weak", lambda: compare_scores(columns(9, "PQ"), unit="seed")),
    ("SKS107", None, lambda: compare_scores(columns(10, "PQ"), unit="seed")),
    ("SKS128", "weak", lambda: areas(14)),
    ("SKS128", None, lambda: areas(15)),
    # skewed differences, where it is asked which system is the best
    ("SKS107", "weak", lambda: skewed(60), "the best may be ruled out too often"),
    ("SKS107", None, lambda: skewed(2000)),
    ("SKS107", "weak", lambda: skewed(300, outlier=50)),
    ("SKS107", None, lambda: skewed(60, control="P")),
    ("SKS107", None, lambda: skewed(60, scoring="zorp")),  # which end is best nobody knows
    ("SKS107", None, lambda: compare_scores(columns(40, "PQR"), unit="seed", random_state=0)),
    # mean and ranks, by any test
    ("SKS203", None, lambda: rows([0.1, -0.2, 0.05, 0.06])),
    ("SKS203", "weak", lambda: rows(np.repeat([0.01, -1.0], [70, 30])), "the wins favour A"),
    ("SKS203", "weak", lambda: rows(W3_DIFFERENCES, test="sign"), "B, but the ranks favour A"),
    ("SKS203", None, lambda: rows(abs(W3_DIFFERENCES), test="wilcoxon")),
    # a wide interval: of a metric from 0 to 1, or with a margin
    ("SKS212", "note", lambda: over_splits(spread(0.01, 0.06), **F1), "0.060 in f1_macro"),
    ("SKS212", None, lambda: over_splits(spread(0.01, 0.049), **F1)),
    ("SKS212", None, lambda: over_splits(spread(0.1, 0.06), **F1)),
    ("SKS212", "note", lambda: over_splits(spread(0.01, 0.06), margin=0.05, **R2), "of 0.05"),
    ("SKS212", None, lambda: over_splits(spread(0.01, 0.06), margin=0.08, **R2)),
    ("SKS212", "note", lambda: over_splits(spread(0.01, 0.06), margin=0.04, **R2, **ONE_SIDED)),
    ("SKS212", None, lambda: over_splits(spread(0.01, 0.06), margin=0.06, **R2, **ONE_SIDED)),
    # shown to be equivalent is not undecided: by the 90 % interval, and not by that of 95 %
    ("SKS212", None, lambda: over_splits(spread(0.0, 0.06), margin=0.055, **R2)),
    ("SKS212", "note", lambda: over_splits(spread(0.0, 0.06), margin=0.045, **R2)),
    # significant, but small
    ("SKS213", "note", lambda: over_splits(spread(0.006, 0.003), **F1), "is within 0.01 of 0"),
    ("SKS213", "note", lambda: over_splits(spread(-0.006, 0.003), **F1)),
    ("SKS213", None, lambda: over_splits(spread(0.008, 0.003), **F1)),
    ("SKS213", None, lambda: over_splits(spread(0.002, 0.003), **F1)),
    ("SKS213", "note", lambda: over_splits(spread(-0.06, 0.03), margin=0.1, **R2)),
    ("SKS213", None, lambda: over_splits(spread(-0.06, 0.03), margin=0.08, **R2)),
    ("SKS213", None, lambda: over_splits(spread(0.06, 0.03), margin=0.1, **R2, **ONE_SIDED)),
    # close to the level
    ("SKS208", None, lambda: close_to(0.039)),
    ("SKS208", "note", lambda: close_to(0.041), "0.049 and 0.051 say the same"),
    ("SKS208", "note", lambda: close_to(0.062)),
    ("SKS208", None, lambda: close_to(0.0635)),
    ("SKS208", None, lambda: close_to(0.041, confidence_level=0.99)),
    # p = 2 / 2**5 = 0.0625 is the smallest there is
    ("SKS208", None, lambda: rows([0.01, 0.02, 0.03, 0.04, 0.05], test="wilcoxon")),
    # scores that are missing
    ("SKS120", None, lambda: over_datasets(THREE)),
    ("SKS120", "weak", lambda: with_gap("PQ")),
    ("SKS120", "weak", lambda: with_gap(test="friedman")),
    ("SKS120", None, lambda: over_datasets(THREE, test="skillings_mack")),
    ("SKS120", "weak", lambda: with_gap(test="skillings_mack"), "(missing: 1 of Q)"),
    # weaker control of errors: by the pool, or by what an adjustment assumes
    *(("SKS126", "weak", lambda p=p: over_datasets(THREE, test=p))
      for p in ("nemenyi", "mean_ranks", "aligned_ranks")),
    ("SKS126", None, lambda: over_datasets(THREE, test="sign")),
    ("SKS126", None, lambda: over_datasets(columns(30, "PQ"), test="nemenyi")),
    ("SKS126", "invalid", lambda: over_datasets(THREE, test="conover", adjustment="holm")),
    ("SKS126", None, lambda: over_datasets(columns(30, "PQ"), test="conover")),
    ("SKS126", "weak", lambda: over_datasets(columns(30, "PQRS"), test="nemenyi"),
     "on the scores of the others."),
    ("SKS126", "invalid", lambda: uncontrolled(THREE)),
    ("SKS126", None, lambda: uncontrolled(columns(30, "PQ"))),
    *(("SKS126", "weak", lambda a=a: over_datasets(THREE, adjustment=a))
      for a in ("hochberg", "hommel", "sidak", "fdr_bh", "shaffer", "bergmann-hommel")),
    *(("SKS126", None, lambda a=a: over_datasets(THREE, adjustment=a))
      for a in ("holm", "bonferroni", "fdr_by")),
    # means that equal a third equal each other
    ("SKS126", "weak", lambda: over_datasets(THREE, test="sign", adjustment="shaffer"),
     "Shaffer's method holds its level only if equality is transitive"),
    ("SKS126", None, lambda: over_datasets(THREE, test="paired_t", adjustment="shaffer")),
    ("SKS126", None,
     lambda: over_datasets(THREE, test="sign_flip", adjustment="bergmann-hommel")),
    ("SKS126", "weak", lambda: compare_scores(THREE, unit="instance", adjustment="hochberg",
                                              random_state=0)),
    # sizes of differences on scales of their own
    *(("SKS123", "weak", lambda o=o: over_datasets(errors(), **o))
      for o in ({"test": QUADE}, {"test": "friedman_aligned"}, {"test": "largest_t"},
                {"test": "paired_t"}, {"test": "quade"}, {})),
    *(("SKS123", None, lambda p=p: over_datasets(errors(), test=p))
      for p in ("sign", "nemenyi")),
    ("SKS123", None, lambda: over_datasets(scaled(900.0))),
    ("SKS123", "weak", lambda: over_datasets(scaled(1100.0))),
    ("SKS123", None, lambda: over_datasets(scaled(9.0), test=QUADE)),
    ("SKS123", "weak", lambda: over_datasets(scaled(18.0), test=QUADE)),
    ("SKS123", None, lambda: over_datasets(errors(k=2), test=QUADE)),
    ("SKS123", "weak", lambda: by_omnibus("strongly"), "the latter decide the weighted Quade."),
    ("SKS123", "weak", lambda: ranked(errors())),
    ("SKS123", None, lambda: ranked(errors(), unit="instance")),
    # data sets that repeat each other
    ("SKS124", None, lambda: repeated(1)),
    ("SKS124", "invalid", lambda: repeated(2), "the scores of another one (2; 10)"),
    ("SKS124", None, lambda: repeated(0, coarse=True)),
    # test and interval: scores that are equal
    ("SKS206", "weak", lambda: often_equal("wilcoxon")),
    ("SKS206", "weak", lambda: often_equal("sign"), "A and B: the test rejects, but the int"),
    ("SKS206", None, lambda: over_datasets(columns(12, "PQRSTUVW", gap=0.012))),
    # the test of all and those of pairs
    ("SKS211", "note", lambda: over_datasets(columns(12, "PQRS", gap=0.007, seed=16)),
     "finds a difference, but no pair"),
    ("SKS211", "note", lambda: over_datasets(columns(12, "PQRS", gap=0.003, seed=71)),
     "pairs differ significantly, but the Friedman"),
    ("SKS211", None, lambda: over_datasets(columns(30, "PQRS", gap=0.05))),
    ("SKS211", None, lambda: over_datasets(columns(5, "PQR", gap=0.1))),  # no pair can
    ("SKS211", None, untested),
    ("SKS211", None, lambda: over_datasets(columns(30, "PQR", gap=0.05), alternative="less")),
    ("SKS211", None, lambda: over_datasets(
        {name: LONELY - step for name, step in (("P", 0.1), ("Q", 0.2), ("R", 0.3))},
        test="repeated_measures_anova")),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_it_is_raised_from_there_on(case):
    code, weight, ask, *words = case
    report = ask()
    assert weight_of(report, code) == weight
    assert all(said in text_of(report, code) for said in words)
    assert all(len(doubt.text) <= 260 for doubt in report.doubts)  # read in seconds
    assert [d.code for d in report.doubts] == sorted(d.code for d in report.doubts)


def test_doubts_about_a_verdict_follow_the_adjusted_p():
    """Alone A is shown to be better, by little; adjusted for two pairs, nothing is shown."""

    def against_two(differences):
        sample = differing(differences, **SPLITS)
        scores = {"a": sample.a, "b": sample.b, "c": sample.b}
        return compare_scores(scores, control="a", adjustment="holm", **F1, **SPLITS)

    alone, family = (ask(spread(0.0052, 0.005)) for ask in (over_splits, against_two))
    assert "SKS208" in codes(alone) and alone.verdict == "better"
    assert family["a", "b"].verdict == "undecided"
    assert not codes(family) & {"SKS213", "SKS208"}
    assert "SKS208" in codes(against_two(spread(0.0058, 0.005)))  # the adjusted one is close
