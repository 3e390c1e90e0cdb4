"""What is guessed on the splits of a run, and which guess would score higher."""

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat.comparison._baselines.strategies import how_scored
from skstat.evaluation import CrossValidationRun
from skstat.evaluation._baselines import Choice, Guess, RandomGuess, score


def guesses_on(run: CrossValidationRun, choice: Choice, sample_weight: Any) -> list[Guess]:
    """Return what is guessed on each split of a run.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : Choice
        How it was chosen.
    sample_weight : array-like of shape (n_samples,), or None
        Weights of the rows, if the score has them.
    """
    y = np.asarray(run.y)
    weights = None if sample_weight is None else np.asarray(sample_weight)
    known: dict[Any, Guess] = {}
    guesses: list[Guess] = []
    for train, _ in run.design.splits:
        rows = y[train]
        key: Any = len(guesses)
        if run.is_classification and weights is None and rows.ndim == 1:
            # Labels count alike in any order, and stratified splits have the same.
            key = tuple(part.tobytes() for part in np.unique(rows, return_counts=True))
        if key not in known:
            known[key] = choice(rows, None if weights is None else weights[train])
        guesses.append(known[key])
    return guesses


def chosen_words(guesses: list[Guess], metric: str) -> tuple[str, str]:
    """Say which guess was taken on the splits of a run, and why.

    Parameters
    ----------
    guesses : list of Guess
        One for each split.
    metric : str
        What they were chosen for.

    Returns
    -------
    (str, str)
        A label, and a note for the report.
    """
    words = _in_words(guesses)
    if words is None:
        counted = Counter(guess.words for guess in guesses).most_common()
        parts = ", ".join(f"{words} on {n} of {len(guesses)} splits" for words, n in counted)
        return "best guess baseline", f"best guess baseline: {parts}; {guesses[0].reason}"
    note = f"{words} baseline: {guesses[0].reason}"
    if isinstance(guesses[0].estimator, RandomGuess):
        note += f"; {how_scored(guesses[0].estimator, metric)}"
    return f"{words} baseline", note


def best_words(guesses: list[Guess]) -> str:
    """Name what the splits guess."""
    return _in_words(guesses) or "the best guess of every split"


def expected_by_best(
    run: CrossValidationRun, choice: Choice, guesses: list[Guess]
) -> float | None:
    """Return the mean expected score of the best guess over the splits of a run.

    Scorers that are functions of the estimator are not asked: they may take long, and look at
    X. None for them, and where the score is undefined.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : Choice
        How the best guess is chosen, from training rows alone.
    guesses : list of Guess
        What it is on each split.
    """
    if choice.scorer is None:
        return None
    y, scores = np.asarray(run.y), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:  # a scorer of the user's own may need what a dummy lacks
            for (train, test), guess in zip(run.design.splits, guesses, strict=True):
                fitted = guess.estimator.fit(np.zeros((len(train), 1)), y[train])
                found = score(fitted, choice.scorer, np.zeros((len(test), 1)), y[test])
                scores.append(found[choice.metric] if isinstance(found, Mapping) else found)
        except Exception:
            return None
    expected = float(np.mean(scores))
    return expected if np.isfinite(expected) else None


def _in_words(guesses: list[Guess]) -> str | None:
    """What all splits guess; None if they differ."""
    words = {guess.words for guess in guesses}
    return words.pop() if len(words) == 1 else None
