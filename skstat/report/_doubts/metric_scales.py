"""Metrics whose scale is known by their name: what a small difference is depends on it."""

_BETWEEN_0_AND_1 = {
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "fbeta",
    "jaccard",
    "precision",
    "recall",
    "roc_auc",
    "top_k_accuracy",
}
_AVERAGES = ("binary", "macro", "micro", "samples", "weighted", "ovo", "ovr")


def lies_between_0_and_1(metric: str) -> bool:
    """Whether a metric of this name has scores from 0 to 1, as accuracy has.

    Names are those of scikit-learn's scorers and functions, with an average or without.
    Scores that happen to lie there say nothing: so do small errors of a regression.
    """
    words = metric.removesuffix("_score").removesuffix(" score")
    for _ in range(2):  # roc_auc_ovr_weighted
        head, _, last = words.rpartition("_")
        if last in _AVERAGES:
            words = head
    return words.removesuffix("_score") in _BETWEEN_0_AND_1
