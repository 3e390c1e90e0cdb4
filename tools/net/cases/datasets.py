"""Fits on many data sets, and what a table of them is read as."""

from collections.abc import Iterator

import numpy as np

import skstat
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.fits import FOLDS, NUMBERS, THREE, TWO

SETS = {f"set {seed}": data.rows(60, seed=seed) for seed in range(8)}
ASKED = {
    "plain": {},
    "margin": {"margin": 0.1},
    "rope": {"rope": 0.02},
    "an area": {"scoring": "roc_auc"},
    "a loss": {"scoring": "neg_log_loss", "alternative": "less"},
    "two metrics": {"scoring": ["accuracy", "neg_brier_score"]},
}


def cases() -> Iterator[Case]:
    """Yield the cases."""
    door = skstat.compare_over_datasets
    for k, learners in ((2, TWO), (3, THREE)):
        for what, options in ASKED.items():
            yield case(f"{k}, {what}", door, learners, SETS, cv=FOLDS, **options)
    for test in ("friedman", "quade", "skillings_mack", "repeated_measures_anova"):
        yield case(f"3 by {test}", door, THREE, SETS, cv=FOLDS, test=test)
    for post_hoc in ("mean_ranks", "nemenyi", "sign"):
        yield case(f"3, pairs by {post_hoc}", door, THREE, SETS, cv=FOLDS, post_hoc=post_hoc)
    yield case("3, control", door, THREE, SETS, cv=FOLDS, control="old")
    yield case("2, default splits", door, TWO, SETS)
    numbers = {name: (X, 2 * X[:, 0] + X[:, 1]) for name, (X, _) in SETS.items()}
    yield case("2, numbers", door, NUMBERS, numbers, cv=4, scoring="neg_mean_absolute_error")
    broken = SETS | {"broken": (np.full((60, 4), np.nan), SETS["set 0"][1])}
    yield case("a fit that fails", door, TWO, broken, cv=FOLDS, error_score="collect")
    for statistic in ("f", "chi2", "exact"):
        yield case(f"friedman_nemenyi, {statistic}", skstat.friedman_nemenyi, THREE, SETS,
                   cv=FOLDS, statistic=statistic)  # fmt: skip
    yield case("friedman_nemenyi, uncorrected", skstat.friedman_nemenyi, THREE, SETS, cv=FOLDS,
               ties="uncorrected")  # fmt: skip
    yield case("friedman_nemenyi, control", skstat.friedman_nemenyi, THREE, SETS, cv=FOLDS,
               control="old")  # fmt: skip

    def kept_run(**options):
        run = skstat.cross_validate_over_datasets(
            THREE, SETS, cv=FOLDS, scoring="accuracy", random_state=0, verbose=False
        )
        return skstat.compare_scores(run, random_state=0, **options)

    yield case("a run", kept_run)
    yield case("a run, two systems", kept_run, systems=["old", "new"], rope=0.01)
