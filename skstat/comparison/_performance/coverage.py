"""How often the projection's interval contained the truth in simulations of similar data."""

from collections.abc import Mapping
from typing import Literal

from skstat.metrics._row_metric import RowMetric
from skstat.stats._samples import FEW_OF_CLASS

Rows = Literal[
    "groups of rows",
    "a dozen rows of a class",
    "40 rows",
    "100 to 210 rows",
    "300 rows or more",
]
_FEW_ROWS, _MANY_ROWS = 70, 300
_LABELS, _AUC = "metrics of predicted labels", "the area under the ROC curve"
_PROBABILITIES, _ERRORS = "losses of probabilities", "errors and R² with normal noise"
# What was simulated, by the functions that compute it.
_SIMULATED = {
    "accuracy_score": _LABELS,
    "balanced_accuracy_score": _LABELS,
    "f1_score": _LABELS,
    "log_loss": _PROBABILITIES,
    "brier_score_loss": _PROBABILITIES,
    "mean_squared_error": _ERRORS,
    "mean_absolute_error": _ERRORS,
    "r2_score": _ERRORS,
}

# Lowest and highest share over the cells of calibration/results/losses.json, in per cent. Left
# out are learners that name one class at times and noise without a variance, which have doubts
# of their own.
MEASURED: Mapping[tuple[str, Rows], tuple[int, int]] = {
    (_LABELS, "groups of rows"): (94, 98),
    (_LABELS, "a dozen rows of a class"): (83, 100),
    (_LABELS, "40 rows"): (91, 100),
    (_LABELS, "100 to 210 rows"): (91, 100),
    (_LABELS, "300 rows or more"): (96, 100),
    (_AUC, "groups of rows"): (95, 96),
    (_AUC, "a dozen rows of a class"): (91, 98),
    (_AUC, "40 rows"): (97, 100),
    (_AUC, "100 to 210 rows"): (96, 100),
    (_AUC, "300 rows or more"): (94, 99),
    (_PROBABILITIES, "groups of rows"): (92, 98),
    (_PROBABILITIES, "a dozen rows of a class"): (94, 100),
    (_PROBABILITIES, "40 rows"): (91, 100),
    (_PROBABILITIES, "100 to 210 rows"): (94, 100),
    (_PROBABILITIES, "300 rows or more"): (96, 100),
    (_ERRORS, "40 rows"): (94, 99),
    (_ERRORS, "100 to 210 rows"): (95, 100),
    (_ERRORS, "300 rows or more"): (96, 99),
}


def measured_coverage(
    metric: RowMetric | None, *, n_rows: int, rarest: int | None, grouped: bool
) -> str:
    """Say how often 95 % intervals contained the truth for such metrics and data.

    Parameters
    ----------
    metric : RowMetric or None
        The metric, if it is known.
    n_rows : int
        Rows of the data set.
    rarest : int or None
        Rows of the rarest class; None without classes.
    grouped : bool
        Whether rows come in groups.

    Returns
    -------
    str
        Empty where nothing like it was simulated.
    """
    rare = rarest is not None and rarest < FEW_OF_CLASS
    if metric is None or (rare and n_rows < _FEW_ROWS and not metric.is_mean):
        return ""  # fewer rows of a class than in the simulations, and doubted (SKS128)
    what = _AUC if metric.metric.is_whole_auc else _SIMULATED.get(metric.metric.known, "")
    rows = _rows(n_rows, rare=rare, grouped=grouped)
    if (what, rows) not in MEASURED:
        return ""
    low, high = MEASURED[what, rows]
    return (
        f"in simulations of {what}, on {rows}, its 95 % interval contained the truth in {low} "
        f"to {high} % of all cases"
    )


def _rows(n_rows: int, *, rare: bool, grouped: bool) -> Rows:
    if grouped:
        return "groups of rows"
    if n_rows < _FEW_ROWS:
        return "40 rows"
    if rare:
        return "a dozen rows of a class"
    return "100 to 210 rows" if n_rows < _MANY_ROWS else "300 rows or more"
