"""Predictions of two systems for tests of resampling."""

import numpy as np

from skstat.metrics import as_metric
from skstat.stats import PairedPredictions


def label_sample(metric="f1_macro", n=60, seed=20, **more):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    outputs = {
        name: np.where(rng.random(n) < share, y, rng.integers(0, 3, n))
        for name, share in (("a", 0.7), ("b", 0.55))
    }
    return PairedPredictions(y, outputs, as_metric(metric), **more)


def score_sample(metric, n=60, seed=21, **more):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    outputs = {
        name: np.clip(0.4 * y + rng.random(n) * noise, 0.01, 0.99)
        for name, noise in (("a", 0.6), ("b", 0.9))
    }
    return PairedPredictions(y, outputs, as_metric(metric), **more)
