"""What a comparison is about, in words: estimand and null hypothesis by unit."""

from skstat.stats._samples import PairedScores, Scores

_POPULATION = {
    "instance": "instances, for these two fitted systems",
    "group": "groups of instances, for these two fitted systems",
    "seed": "seeds, for this data set and this test set",
    "dataset": "data sets",
}

IGNORED_VARIANCE = {
    "split": ("the choice of the data set: on other data the answer may differ",),
    "instance": (
        "the choice of the training data: the two systems are taken as they are",
        "the seeds of the two systems",
    ),
    "group": (
        "the choice of the training data: the two systems are taken as they are",
        "the seeds of the two systems",
    ),
    "seed": ("the choice of the training data", "the choice of the test set"),
    "dataset": ("the error of each data set's own score",),
}


def estimand(sample: PairedScores | Scores, parameter: str = "mean", b: str = "B") -> str:
    """Name the quantity that `parameter` of the sample's differences estimates."""
    if sample.unit == "split":
        return f"expected score(A) - {_score(b)}, {_training(sample)}"
    return f"{parameter} of score(A) - {_score(b)} over {_POPULATION[str(sample.unit)]}"


def null_hypothesis(sample: PairedScores | Scores, alternative: str, b: str = "B") -> str:
    """State the hypothesis of no effect on the mean, in the direction asked."""
    relation = {
        "two-sided": "equals",
        "greater": "is not higher than",
        "less": "is not lower than",
    }[alternative]
    if sample.unit == "split":
        where = _training(sample)
    else:
        where = f"over {_POPULATION[str(sample.unit)]}"
    return f"the expected score of A {relation} {_expected(b)}, {where}"


def _score(b: str) -> str:
    return "score(B)" if b == "B" else b


def _expected(b: str) -> str:
    return "that of B" if b == "B" else b


def _training(sample: PairedScores | Scores) -> str:
    if sample.training_size is None:
        return "for training sets of the size used here"
    size = f"{sample.training_size:.0f} {sample.size_unit}s"
    return f"for training sets of {size} from the same population"
