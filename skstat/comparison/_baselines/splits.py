"""What is guessed on the splits of a run, and which guess would score higher."""

import warnings
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from skstat.comparison._baselines.strategies import how_scored
from skstat.evaluation import Choice, CrossValidationRun, Guess, RandomGuess, score


def chosen_words(
    run: CrossValidationRun, choice: Choice, sample_weight: Any
) -> tuple[str, str]:
    """Say which guess was taken on the splits of a run, and why.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : Choice
        How it was chosen.
    sample_weight : array-like of shape (n_samples,), or None
        Weights of the rows, if the score has them.

    Returns
    -------
    (str, str)
        A label, and a note for the report.
    """
    y = np.asarray(run.y)
    weights = None if sample_weight is None else np.asarray(sample_weight)
    guesses = [
        choice(y[train], None if weights is None else weights[train])
        for train, _ in run.design.splits
    ]
    words = _in_words(guesses)
    if words is None:
        counted = Counter(guess.words for guess in guesses).most_common()
        parts = ", ".join(f"{words} on {n} of {len(guesses)} splits" for words, n in counted)
        return "best guess baseline", f"best guess baseline: {parts}; {guesses[0].reason}"
    note = f"{words} baseline: {guesses[0].reason}"
    if isinstance(guesses[0].estimator, RandomGuess):
        note += f"; {how_scored(guesses[0].estimator, choice.metric)}"
    return f"{words} baseline", note


def better_guess(
    run: CrossValidationRun, choice: Choice, metric: str, baseline: float
) -> tuple[str, float] | None:
    """Return the best guess on the splits of a run, if it scores higher than a baseline.

    In words, and with its expected score. Scorers that are functions of the estimator are not
    asked: they may take long, and look at X.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : Choice
        How the best guess is chosen, from training rows alone.
    metric : str
        Name of the metric in the run.
    baseline : float
        Mean score of the baseline.
    """
    y = np.asarray(run.y)
    if choice.scorer is None:
        return None
    guesses, scores = [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:  # a scorer of the user's own may need what a dummy lacks
            for train, test in run.design.splits:
                guess = choice(y[train])
                fitted = guess.estimator.fit(np.zeros((len(train), 1)), y[train])
                found = score(fitted, choice.scorer, np.zeros((len(test), 1)), y[test])
                guesses.append(guess)
                scores.append(found[metric] if isinstance(found, Mapping) else found)
        except Exception:
            return None
    expected = float(np.mean(scores))
    if not expected > baseline + 1e-9 * max(1.0, abs(baseline)):
        return None
    return _in_words(guesses) or "the best of all guesses", expected


def _in_words(guesses: list[Guess]) -> str | None:
    """What all splits guess; None if they differ."""
    words = {guess.words for guess in guesses}
    return words.pop() if len(words) == 1 else None
