"""From a metric as the user wrote it to what is known of guesses under it."""

from collections.abc import Mapping
from typing import Any

from skstat.metrics._chance.labels import (
    AVERAGES,
    BY_CLASS,
    CORRELATIONS,
    HITS,
    MISSES,
    LabelChance,
)
from skstat.metrics._chance.orders import OrderChance
from skstat.metrics._metric import ScoreMetric, as_metric

_BALANCED = "balanced_accuracy_score"
# Which options the formulas know, by function.
_OPTIONS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys((*HITS, *MISSES, "matthews_corrcoef"), frozenset()),
    "cohen_kappa_score": frozenset({"weights"}),
    _BALANCED: frozenset({"adjusted"}),
    **dict.fromkeys(BY_CLASS, frozenset({"average", "pos_label"})),
    "fbeta_score": frozenset({"average", "pos_label", "beta"}),
}


def chance_of(scoring: Any) -> LabelChance | OrderChance | None:
    """Return what is known of guesses under a scorer; None where there is no formula.

    Parameters
    ----------
    scoring : str or scorer
        As in the ``scoring`` of scikit-learn.
    """
    metric = _metric(scoring)
    if metric is None:
        return None
    options = dict(metric.options)
    if metric.known == "average_precision_score":
        average = options.pop("average", "macro")
        if options or average not in ("macro", "weighted") or metric.is_loss:
            return None
        return OrderChance(average=average, pos_label=metric.pos_label)
    if metric.known not in _OPTIONS or set(options) - _OPTIONS[metric.known]:
        return None
    options.pop("weights", None)  # kappa is 0 with any
    if metric.known in BY_CLASS and options.setdefault("average", "binary") not in AVERAGES:
        return None
    if options.get("average") != "binary":
        options.pop("pos_label", None)
    return LabelChance(function=metric.known, is_loss=metric.is_loss, **options)


def is_proper(scoring: Any) -> bool:
    """Whether it is a proper score of probabilities: log loss, Brier score, or their D2.

    Of all probabilities that are the same for every row, the class shares then score highest
    on the rows that they were counted on.
    """
    metric = _metric(scoring)
    if metric is None:
        return False
    losses = metric.known in ("log_loss", "brier_score_loss") and metric.is_loss
    shares = metric.known in ("d2_log_loss_score", "d2_brier_score") and not metric.is_loss
    return losses or shares


def is_alike_for_guesses(scoring: Any) -> bool:
    """Whether every guess that ignores X has the same expected score."""
    metric = _metric(scoring)
    alike = (_BALANCED, "roc_auc_score", *CORRELATIONS)
    return metric is not None and metric.known in alike


def is_share_of_hits(scoring: Any) -> bool:
    """Whether it is the accuracy, of single labels at least, by whatever name."""
    metric = _metric(scoring)
    if metric is None or metric.is_loss:
        return False
    average = metric.options.get("average")
    if metric.known in BY_CLASS and metric.known != "jaccard_score":
        is_recall = metric.known == "recall_score"
        return average == "micro" or (is_recall and average == "weighted")
    return metric.known in HITS


def _metric(scoring: Any) -> ScoreMetric | None:
    try:
        return as_metric(scoring)
    except (TypeError, ValueError):  # a scorer that only scikit-learn, or only the user, knows
        return None
