"""A test set, and predictions of systems on it."""

import numpy as np

from skstat import compare_predictions

rng = np.random.default_rng(11)
N = 300
Y = rng.integers(0, 3, N)


def system(share, rng, truth=Y):
    return np.where(rng.random(len(truth)) < share, truth, rng.integers(0, 3, len(truth)))


LABELS = {"nb": system(0.8, rng), "tree": system(0.6, rng)}
THREE = {**LABELS, "svm": system(0.75, rng)}
BINARY = (Y > 0).astype(int)
SCORES = {"nb": BINARY + rng.normal(size=N), "tree": BINARY + 2.5 * rng.normal(size=N)}
GROUPS = np.repeat(np.arange(30), 10)


def ask(y=Y, predictions=LABELS, **arguments):
    arguments.setdefault("random_state", 0)
    arguments.setdefault("n_resamples", 499)
    return compare_predictions(y, predictions, **arguments)


SEEDS = {"a": [system(0.8, rng) for _ in range(4)], "b": [system(0.7, rng) for _ in range(4)]}
