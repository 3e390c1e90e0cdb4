"""Whether lower is better, by the name of a metric."""

import re

_LOSSES = frozenset(
    (
        "bias", "brier", "cer", "cost", "cpu", "deviance", "duration", "elapsed", "entropy",
        "error", "fnr", "fpr", "incorrect", "latency", "logloss", "loss", "mae", "mape", "mse",
        "msle", "nll", "perplexity", "regret", "rmse", "rmsle", "ter", "time", "unclassified",
        "wer",
    )
)  # fmt: skip
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


def lower_is_better(metric: str) -> bool:
    """Return whether a metric's name is that of an error, a cost or a time.

    Parameters
    ----------
    metric : str
        The name, such as ``"neg_logloss"`` or ``"Root_mean_squared_error"``.

    Returns
    -------
    bool
        False for scores, for what was negated, and for names that say neither.
    """
    words = [word.lower() for word in _WORD.findall(metric)]
    return "neg" not in words and not _LOSSES.isdisjoint(words)
