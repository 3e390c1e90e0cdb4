"""Fixed data: whole numbers and fractions of powers of two, so that no last digit matters."""

import numpy as np

GRID = 256


def _noise(rng, shape, width):
    """Bell-shaped whole numbers."""
    return rng.integers(-width, width + 1, (3, *shape)).sum(axis=0)


def names(k):
    """Return names of systems."""
    return ["new", "old", "third"][:k] if k <= 3 else [f"s{place:02}" for place in range(k)]


def scores(k=2, n=40, *, seed=0, step=3, width=3):
    """Scores between 0 and 1 by system; every one is a step worse than the one before."""
    rng = np.random.default_rng(seed)
    ease = 190 + _noise(rng, (n,), 8)
    found = ease[:, None] + _noise(rng, (n, k), width) - step * np.arange(k)
    return {name: found[:, place] / GRID for place, name in enumerate(names(k))}


def answers(k=2, n=120, *, seed=0, right=(75, 62, 60)):
    """Right and wrong answers by system, more alike than chance on one question."""
    rng = np.random.default_rng(seed)
    ease = rng.integers(0, 100, n)
    share = [right[place % len(right)] - place // len(right) for place in range(k)]
    luck = rng.integers(0, 100, (n, k))
    found = ((ease[:, None] + luck) // 2 < np.array(share)).astype(int)
    return {name: found[:, place] for place, name in enumerate(names(k))}


def groups(n, size=4):
    """Return groups of some rows, of which the first is larger."""
    return np.maximum(np.arange(n) // size - 1, 0)


def labels(k=2, n=160, *, classes=2, seed=0, right=(80, 70, 66)):
    """Return the truth and predicted labels of every system."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, n)
    hit = {name: rng.integers(0, 100, n) < right[i % 3] for i, name in enumerate(names(k))}
    other = (truth + rng.integers(1, classes, n)) % classes
    return truth, {name: np.where(each, truth, other) for name, each in hit.items()}


def probabilities(k=2, n=160, *, seed=0, spread=(14, 20, 24)):
    """Return the truth and the probability of class 1 by system."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    found = {}
    for place, name in enumerate(names(k)):
        raw = 32 + 12 * (2 * truth - 1) + rng.integers(-spread[place % 3], spread[place % 3], n)
        found[name] = np.clip(raw, 1, 63) / 64
    return truth, found


def numbers(k=2, n=120, *, seed=0, width=(6, 8, 9)):
    """Return a truth of numbers above 0 and predictions by system."""
    rng = np.random.default_rng(seed)
    truth = 60 + _noise(rng, (n,), 12)
    found = {
        name: (truth + _noise(rng, (n,), width[place % 3])) / 4
        for place, name in enumerate(names(k))
    }
    return truth / 4, found


def rows(n=120, *, seed=0, classes=2):
    """Return whole numbers as features, and a class that some of them tell."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 16, (n, 4))
    y = (2 * X[:, 0] + X[:, 1] + rng.integers(0, 24, n)) * classes // 70
    return X.astype(float), y
