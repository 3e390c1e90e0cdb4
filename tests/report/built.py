"""Scores, reports and readings of them that tests of this room share."""

import re
from functools import cache, partial

import numpy as np
import scipy.stats
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skstat
from skstat import compare_scores
from skstat.report import CheckedTest, TestCheck
from skstat.stats import PairedScores

MINUS = "\N{MINUS SIGN}"
NB, STUMP = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
_RNG = np.random.default_rng(0)
TRUTH = _RNG.integers(0, 2, 150)


def right(share, *shape):
    """Labels of which such a share is right; of several seeds with a shape."""
    return np.where(_RNG.random((*shape, 150)) < share, TRUTH, 1 - TRUTH)


ANSWERS = {"good": right(0.9), "fair": right(0.85), "poor": right(0.6)}
TWO = {name: ANSWERS[name] for name in ("good", "poor")}
SEEDS = {"good": right(0.9, 3), "poor": right(0.6, 3)}
ON_DATASETS = {
    "a": [0.3, 0.5, 0.4, 0.6, 0.7, 0.5, 0.6],
    "b": [0.2, 0.3, 0.1, 0.4, 0.3, 0.2, 0.4],
    "c": [0.1, 0.2, 0.5, 0.3, 0.1, 0.1, 0.2],
}

_fitted = {"X": load_iris().data, "y": load_iris().target, "random_state": 0}
_predicted = partial(skstat.compare_predictions, TRUTH, metric="accuracy", random_state=0)
_over_datasets = partial(compare_scores, ON_DATASETS, unit="dataset")
KINDS = {
    "two": lambda: skstat.paired_cv_ttest(
        NB, STUMP, **_fitted, margin=0.05, scoring="neg_log_loss"
    ),
    "metrics": lambda: skstat.five_by_two_cv_test(
        NB, STUMP, **_fitted, scoring=["accuracy", "neg_log_loss"]
    ),
    "mcnemar": partial(_predicted, TWO),
    "several": partial(_predicted, ANSWERS, metric="f1"),
    "control": partial(_predicted, ANSWERS, control="poor", adjustment="fdr_bh"),
    "constant": lambda: skstat.binomial_test(TRUTH, ANSWERS["good"], constant=0.5),
    "datasets": _over_datasets,
    "ranks": partial(_over_datasets, test="nemenyi"),
    "seeds": partial(_predicted, SEEDS, seeds="per-seed"),
    "performance": lambda: skstat.estimate_performance(
        {"NB": NB, "stump": STUMP}, method="corrected_t", **_fitted
    ),
}
report_on = cache(lambda kind: KINDS[kind]())
_found = {"alpha": 0.05, "pvalues": (0.01, 0.5), "replaced": 0.3}
_row = CheckedTest(name="a", asked="auto", test="t test", **_found)
_run = {"n_samples": 400, "n_drawn": 100, "n_experiments": 200, "random_state": 0}
CHECK = TestCheck(rows=(_row,), metric="accuracy", **_run)
SPLITS = {"n_train": 200, "n_test": 100}


def columns(n, names, *, gap=0.02, noise=0.02, seed=0):
    """Scores on n units, by system: each is better than the next by a gap, but for noise."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, (n, 1)) - gap * np.arange(len(names))
    scores = level + rng.normal(0, noise, (n, len(names)))
    return dict(zip(names, scores.T, strict=True))


def over_datasets(scores, **options):
    """Compare systems by a table of scores on data sets."""
    return compare_scores(scores, unit="dataset", **options)


def differing(differences, **design):
    """Scores of two systems with given differences; a number of repeats, or a unit."""
    return PairedScores(np.asarray(differences) + 0.5, np.full(len(differences), 0.5), **design)


def spread(mean, half_width, n=30):
    """Differences of 30 splits with this mean, whose corrected 95 % interval is so wide."""
    z = np.linspace(-1, 1, n)
    error = z.std(ddof=1) * np.sqrt(1 / n + 1 / 2)
    return mean + z * half_width / (error * scipy.stats.t.isf(0.025, n - 1))


def over_splits(differences, **options):
    """Compare A and B, whose scores on splits have given differences."""
    return compare_scores(differing(differences, **SPLITS), **options)


def weight_of(report, code):
    """The weight of a doubt about a report; None if it is not raised."""
    return next((doubt.weight for doubt in report.doubts if doubt.code == code), None)


def stands(text, value, decimals=1):
    """Whether a number stands in a text, to as many digits as are written there."""
    plain = text.replace("$-$", MINUS)
    found = re.findall(rf"{MINUS}?\d+\.\d{{{decimals},}}", plain)
    return any(
        abs(float(one.replace(MINUS, "-")) - value) <= 0.51 * 10 ** -len(one.partition(".")[2])
        for one in found
    )
