"""Metrics that are linear in the predicted labels."""

from functools import cache
from typing import Any

from sklearn.metrics import get_scorer

from skstat.metrics._costs import is_cost

# score(y, p) is a mean over rows of something that depends on the row's two labels
# only, with weights that depend on y alone. The score of a random guess is then, in
# expectation, the mean of the scores of the constant predictions.
LINEAR_IN_LABELS = (
    "accuracy",
    "balanced_accuracy",
    "recall",
    "recall_macro",
    "recall_micro",
    "recall_weighted",
)


def is_linear_in_labels(scoring: Any) -> bool:
    """Whether a scorer (by name or as an object) is linear in the predicted labels."""
    if isinstance(scoring, str):
        return scoring in LINEAR_IN_LABELS
    return is_cost(scoring) or repr(scoring) in _known_scorers()


@cache
def _known_scorers() -> frozenset[str]:
    # A scorer object has no public name, but a documented repr.
    return frozenset(repr(get_scorer(name)) for name in LINEAR_IN_LABELS)
