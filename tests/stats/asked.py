"""Every procedure whose interval is in the unit of the score, on samples of one experiment."""

import numpy as np

from skstat import stats
from skstat.stats import (
    PairedScores,
    corrected_t,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    sign,
    sign_flip,
    wilcoxon,
)

rng = np.random.default_rng(11)
A = rng.normal(0.8, 0.03, 100)
B = A - rng.normal(0.002, 0.02, 100)
DIFFERENCES = A - B


def units(n, unit="instance"):
    return PairedScores(A[:n], B[:n], unit=unit)


def of(differences, unit="seed"):
    return PairedScores(differences, np.zeros(len(differences)), unit=unit)


def error(y_true, y_pred):
    return -np.mean((y_true - y_pred) ** 2)


LABELS = np.arange(60) % 2
PREDICTED = stats.Predictions(np.full(40, 0.8), {"a": A[:40], "b": B[:40]}, error)
RUNS = stats.Predictions(np.full(40, 0.8), {"a": A[:40], "b 1": B[:40], "b 2": B[40:80]}, error)
CROSSED = stats.SeedScores({"a": A[:60].reshape(3, 20), "b": B[:60].reshape(3, 20)})
RANKED = stats.BinaryScores.from_scores(LABELS, {"a": A[:60] + LABELS / 50, "b": B[:60]})
rng = np.random.default_rng(5)
HALVES = np.array([rng.permutation(24) % 2 for _ in range(6)])
ROWS = rng.random((2, 6, 24)) < np.array([0.8, 0.6])[:, np.newaxis, np.newaxis]

PROCEDURES = {
    "paired t": lambda **k: paired_t(units(20), **k),
    "corrected t": lambda **k: corrected_t(PairedScores(A[:30], B[:30], n_repeats=3), **k),
    "bouckaert t": lambda **k: corrected_t(
        PairedScores(A, B, n_repeats=10), calibrated=True, **k
    ),
    "one-sample t": lambda **k: stats.corrected_t(
        stats.Scores(A[:10], n_repeats=1).against(0.8), **k
    ),
    "5x2 t": lambda **k: five_by_two_t(PairedScores(A[:10], B[:10], n_repeats=5), **k),
    "5x2 F": lambda **k: five_by_two_f(PairedScores(A[:10], B[:10], n_repeats=5), **k),
    "wilcoxon": lambda **k: wilcoxon(units(15), **k),
    "wilcoxon, normal": lambda **k: wilcoxon(of(np.tile(DIFFERENCES, 3)), **k),
    "sign": lambda **k: sign(units(15), **k),
    "sign flip, counted": lambda **k: sign_flip(units(12), **k),
    "sign flip, drawn": lambda **k: sign_flip(units(50), n_resamples=999, rng=0, **k),
    "costs": lambda **k: stats.cost(units(15), **k),
    "mcnemar": lambda **k: stats.mcnemar(stats.AgreementTable(54, 18, 6, 22), **k),
    "mcnemar, chi2": lambda **k: stats.mcnemar(
        stats.AgreementTable(54, 9, 6, 22), method="chi2", **k
    ),
    "binomial": lambda **k: stats.binomial(stats.Successes(27, 50), 0.5, **k),
    "clopper-pearson": lambda **k: stats.binomial(
        stats.Successes(27, 50), 0.5, interval="clopper-pearson", **k
    ),
    "delong": lambda **k: stats.delong(RANKED, **k),
    "clustered t": lambda **k: stats.clustered_t(
        stats.PairedScores(A[:60], B[:60], groups=np.arange(60) // 4), **k
    ),
    "diebold-mariano": lambda **k: stats.diebold_mariano(
        PairedScores(A[:50], B[:50], unit="instance", ordered=True), **k
    ),
    "projection t": lambda **k: stats.projection_t(
        PairedScores.from_row_scores(*ROWS, HALVES), **k
    ),
    "block jackknife t": lambda **k: stats.block_jackknife_t(
        PairedScores.from_matrices(A[:16].reshape(4, 4), B[:16].reshape(4, 4)), **k
    ),
    "crossed t": lambda **k: stats.crossed_t(CROSSED, **k),
    "seed average": lambda **k: stats.crossed_t(CROSSED, random="instances", **k),
    "seed means": lambda **k: stats.crossed_t(CROSSED, random="seeds", **k),
    "crossed bootstrap": lambda **k: stats.seeded_bootstrap(
        CROSSED, n_resamples=499, rng=0, **k
    ),
    **{
        f"bootstrap, {interval}": lambda interval=interval, **k: stats.paired_bootstrap(
            PREDICTED, n_resamples=499, rng=0, interval=interval, **k
        )
        for interval in ("percentile", "basic", "bca")
    },
    "permutation": lambda **k: stats.paired_permutation(PREDICTED, n_resamples=499, rng=0, **k),
    "seeds": lambda **k: stats.seeded_bootstrap(
        stats.SeedScores.of_runs(RUNS, {"A": 1, "B": 2}), n_resamples=499, rng=0, **k
    ),
}
