"""Where the projection t test or its interval is known to fail, and why."""

from collections.abc import Sequence
from typing import NamedTuple

from calibration.losses.scores import MATTHEWS


class Limit(NamedTuple):
    """Settings with one reason.

    Parameters
    ----------
    metrics : sequence of str
        The metrics.
    settings : sequence of str
        Parts of the names of the settings.
    reason : str
        Why, in words for the documentation.
    """

    metrics: Sequence[str]
    settings: Sequence[str]
    reason: str


LIMITS = (
    Limit(
        ("balanced accuracy", "F1", "macro F1"),
        ("5-NN, 5 % positives, n = 210", "naive Bayes, 5 % positives, n = 210"),
        "ten positives: the score of a fold rests on five rows",
    ),
    Limit(
        (MATTHEWS,),
        ("5-NN, 20 % positives, n = 60",),
        "twelve positives: the score of a fold rests on six rows (SKS128)",
    ),
    Limit(
        (MATTHEWS,),
        ("5-NN, 5 % positives, n = 210",),
        "ten positives: the score of a fold rests on five rows (SKS128)",
    ),
    Limit(
        ("F1", "balanced accuracy"),
        (
            "logistic regression C = 0.001",
            "class shares against logistic regression C = 0.1, balanced",
            "class shares against naive Bayes, balanced",
        ),
        "a learner that names the class on all rows of a half or on none (SKS141)",
    ),
    Limit(
        ("MSE", "MAE"),
        ("t noise",),
        "noise of 2.5 degrees of freedom: squared errors have no variance, absolute ones are "
        "skewed, and the truth, a mean over the replicates, is uncertain itself",
    ),
)


def reason_for(metric: str, setting: str) -> str | None:
    """Look up why a setting is beyond the limits.

    Parameters
    ----------
    metric, setting : str
        What was measured.

    Returns
    -------
    str or None
        The reason, if one is known.
    """
    for limit in LIMITS:
        if metric in limit.metrics and any(part in setting for part in limit.settings):
            return limit.reason
    return None
