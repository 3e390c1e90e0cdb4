"""What an estimator is compared with when it is compared with guessing.

``choice`` finds the best guess for a metric, ``strategies`` makes baselines of what the caller
named, and ``splits`` says what was guessed on the splits of a run.
"""

from skstat.comparison._baselines.choice import choice_for
from skstat.comparison._baselines.splits import (
    best_words,
    chosen_words,
    expected_by_best,
    guesses_on,
)
from skstat.comparison._baselines.strategies import Baseline, Random, read_strategies
