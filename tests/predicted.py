"""Predictions of two systems, and metrics written out, for tests of resampling."""

import math

import numpy as np
from scipy import stats

from skstat.metrics import as_metric
from skstat.stats import Predictions


def label_sample(metric="f1_macro", n=60, seed=20, **more):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    outputs = {
        name: np.where(rng.random(n) < share, y, rng.integers(0, 3, n))
        for name, share in (("a", 0.7), ("b", 0.55))
    }
    return Predictions(y, outputs, as_metric(metric), **more)


def score_sample(metric, n=60, seed=21, **more):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    outputs = {
        name: np.clip(0.4 * y + rng.random(n) * noise, 0.01, 0.99)
        for name, noise in (("a", 0.6), ("b", 0.9))
    }
    return Predictions(y, outputs, as_metric(metric), **more)


def right(y, p):
    return float(np.mean(np.asarray(y) == np.asarray(p)))


def close(y, p):
    """A metric that is no mean: minus the median of absolute errors."""
    return -float(np.median(np.abs(np.asarray(y, float) - np.asarray(p, float))))


def macro_f1(y, p, weight=None):
    """Mean over the classes that are true or predicted, as scikit-learn defines it."""
    w = np.ones(len(y)) if weight is None else weight
    classes = set(y.tolist()) | set(p.tolist())
    return float(np.mean([
        2 * w @ ((y == c) & (p == c)) / (w @ (y == c) + w @ (p == c)) for c in classes
    ]))  # fmt: skip


def within(share, exact, n_resamples):
    """Whether a counted share is that of an exact probability, within drawing error."""
    error = math.sqrt(max(exact * (1 - exact), 1 / n_resamples) / n_resamples)
    return abs(share - exact) <= 4.5 * error + 1 / n_resamples


def fits(observed, probabilities, level=1e-4):
    """Whether counts follow a law, by chi-squared; rare values are put together.

    Seeds are fixed, so that a test that passes always passes; a wrong law has p-values of
    next to nothing with many draws.
    """
    observed, expected = np.asarray(observed, float), np.asarray(probabilities, float)
    expected = expected / expected.sum() * observed.sum()
    rare = expected < 10
    if rare.any():
        observed = np.append(observed[~rare], observed[rare].sum())
        expected = np.append(expected[~rare], expected[rare].sum())
    if expected[-1] == 0:
        assert observed[-1] == 0
        observed, expected = observed[:-1], expected[:-1]
    return stats.chisquare(observed, expected).pvalue > level


GROUPS = np.arange(60) % 13
SAMPLES = {
    "accuracy": label_sample("accuracy"),
    "weighted accuracy": label_sample("accuracy", sample_weight=np.linspace(1, 2, 60)),
    "macro F1 of cells": label_sample(),
    "macro F1 of rows": label_sample(draw="rows"),
    "MCC of shared cells": label_sample("matthews_corrcoef", draw="joint"),
    "macro F1 by group": label_sample(groups=GROUPS),
    "weighted macro F1": label_sample(sample_weight=np.linspace(0.3, 2, 60)),
    "few weights": label_sample(sample_weight=1 + np.arange(60) % 2),
    "called": label_sample(right),
    "called by group": label_sample(macro_f1, groups=GROUPS),
    "log loss": score_sample("neg_log_loss"),
    "AUC": score_sample("roc_auc"),
    "AUC by group": score_sample("roc_auc", groups=GROUPS),
    "average precision": score_sample("average_precision"),
}


def unlike(rng, n=200, positives=8):
    """Two systems that err in unlike ways, by labels, scores and probabilities."""
    y = (np.arange(n) < positives).astype(int)
    a, b = rng.normal(size=(2, n))
    a, b = a + 1.6 * y, np.where(y == 1, 2.2 + 2 * b, b)
    scores = {"A": a, "B": b}
    labels = {"A": (a > 1.9).astype(int), "B": (b > 1.2).astype(int)}
    chances = {name: 1 / (1 + np.exp(2.5 - score)) for name, score in scores.items()}
    return y, {"f1": labels, "average_precision": scores, "neg_log_loss": chances}
