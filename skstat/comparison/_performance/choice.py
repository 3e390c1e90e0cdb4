"""How often the projection's interval contained the truth in simulations of similar data."""

from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from skstat.comparison._performance.methods import METHODS, Method
from skstat.evaluation import BootstrapOutOfBag, NestedKFold
from skstat.evaluation._data import Data
from skstat.evaluation._design import check_splitter
from skstat.metrics._row_metric import RowMetric
from skstat.stats._samples import FEW_OF_CLASS

_GROUPS, _DOZEN, _40 = "groups of rows", "a dozen rows of a class", "40 rows"
_100, _300 = "100 to 210 rows", "300 rows or more"
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
_ROWS = (_GROUPS, _DOZEN, _40, _100, _300)
_SHARES: Mapping[str, Sequence[tuple[int, int] | None]] = {
    _LABELS: ((94, 98), (83, 100), (91, 100), (91, 100), (96, 100)),
    _AUC: ((95, 96), (91, 98), (97, 100), (96, 100), (94, 99)),
    _PROBABILITIES: ((92, 98), (94, 100), (91, 100), (94, 100), (96, 100)),
    _ERRORS: (None, None, (94, 99), (95, 100), (96, 99)),
}
MEASURED = {
    (what, rows): share
    for what, shares in _SHARES.items()
    for rows, share in zip(_ROWS, shares, strict=True)
    if share is not None
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


def _rows(n_rows: int, *, rare: bool, grouped: bool) -> str:
    if grouped:
        return _GROUPS
    if n_rows < _FEW_ROWS:
        return _40
    if rare:
        return _DOZEN
    return _100 if n_rows < _MANY_ROWS else _300


_NESTED_FROM, _SPLITS_FROM = 500, 10  # fits


def by_budget(
    budget: int | None,
    data: Data,
    known: Mapping[str, RowMetric | None],
    *,
    stable: bool,
    contribute: bool,
) -> tuple[str, str]:
    """Choose a method by the number of fits, and say why.

    `contribute` says whether it is known what every row contributes to the scores.
    """
    rows = list(known.values())
    by_rows = None not in rows
    if budget is not None and budget < _SPLITS_FROM:
        if by_rows:
            return "holdout", f"a budget of {budget} fits is too small for a spread of splits"
        raise ValueError(
            f"budget={budget}: the scores of rows, by which a hold-out set is judged, are not "
            f"known for this scoring, or weighted by sample_weight; afford {_SPLITS_FROM} "
            "fits, or name a metric of scikit-learn and leave out sample_weight."
        )
    affordable = budget is not None and budget >= _NESTED_FROM
    suits = affordable and stable and data.groups is None
    # Of log loss its interval was measured to hold the truth in 70 % of all cases.
    if suits and all(
        row is not None and row.metric.kind == "labels" and row.has_formula(data.y)
        for row in rows
    ):
        why = f"{budget} fits are enough for it, and it makes the most of the rows"
        return "nested_cv", why
    if contribute:
        return "projection", "it measures what rows do in testing and in training"
    needs = (
        "the contribution of a row to the metric is not known, and it needs only the scores "
        "of splits"
    )
    if stable:
        return "corrected_t", needs
    return "corrected_t", (
        f"{needs}; one third of the rows for testing, because the learner is not known to be "
        "stable"
    )


def by_splits(
    cv: Any, data: Data, known: Mapping[str, RowMetric | None], named: Mapping[str, Any]
) -> tuple[str, str]:
    """Choose the method that reads such splits, and say why."""
    check_splitter(cv)
    because = "cv makes the splits that it reads"
    if isinstance(cv, NestedKFold):
        return "nested_cv", because
    if isinstance(cv, BootstrapOutOfBag):
        means = all(row is not None and row.is_mean for row in known.values())
        if means and data.groups is None:
            return "bootstrap632+", because
        return "corrected_t", "cv makes random splits"
    classifier = any(map(is_classifier, named.values()))
    splitter = check_cv(cv, data.y, classifier=classifier)
    if splitter.get_n_splits(data.X, data.y, data.groups) == 1:
        return "holdout", "cv gives one split"
    return "corrected_t", "cv gives several splits"


def by_contributions(name: str, reason: str, *, projects: bool) -> tuple[str, str]:
    """Settle who reads the splits of "auto": the projection wherever it can."""
    if name == "corrected_t" and projects:
        return "projection", "cv makes the repeated partitions that it reads"
    if name == "projection" and not projects:
        return "corrected_t", (
            "the scores are not made up of single rows, so that the contribution of a row is "
            "not known, and it needs only the scores of splits"
        )
    return name, reason


def check_answers(
    name: str,
    method: Method,
    known: Mapping[str, RowMetric | None],
    data: Data,
    *,
    contribute: bool,
) -> None:
    """Refuse a method that cannot answer, before anything is fitted."""
    if data.groups is not None and not method.grouped:
        kept = ", ".join(repr(key) for key, other in METHODS.items() if other.grouped)
        raise ValueError(
            f"method={name!r} treats rows as independent, but groups= says that they are not; "
            f"no such interval is known for groups. Use {kept}."
        )
    if method.by_contributions and not contribute:
        raise ValueError(
            f"method={name!r} needs the contribution of every row to the score, which is not "
            f"known for scoring={', '.join(known)}. Use 'corrected_t', or a metric of "
            "scikit-learn that has a formula."
        )
    for metric, row in known.items():
        if method.by_rows and row is None:
            raise ValueError(
                f"method={name!r} needs the scores of single rows, which are not known for "
                f"scoring={metric!r}. Use 'corrected_t', or a metric of scikit-learn."
            )
        if row is None or not method.by_rows:
            continue
        called = name == "holdout" and not row.is_mean  # a bootstrap calls the metric
        if not called and not row.has_formula(data.y):
            raise ValueError(
                f"method={name!r} needs the influence of each row on the score, and there is "
                f"no formula for {metric}. Use 'corrected_t' or 'holdout'."
            )
        if method.means_only and not row.is_mean:
            raise ValueError(
                f"method={name!r} is for means over rows, and {metric} is not one. Use "
                "'corrected_t', 'nested_cv' or 'holdout'."
            )
