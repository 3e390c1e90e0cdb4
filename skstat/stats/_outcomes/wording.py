"""What a comparison is about, in words: estimand and null hypothesis by unit."""

from typing import Any

from skstat.stats._samples import PairedScores, Scores, Successes

_POPULATION = {
    "instance": "instances, for these two fitted systems",
    "group": "groups of instances, for these two fitted systems",
    "seed": "seeds, for this data set and this test set",
    "dataset": "data sets",
}

IGNORED_VARIANCE = {
    "split": ("the choice of the data set: on other data the answer may differ",),
    "instance": (
        "the choice of the training data: the fitted systems are treated as fixed",
        "the seeds of the systems",
    ),
    "group": (
        "the choice of the training data: the fitted systems are treated as fixed",
        "the seeds of the systems",
    ),
    "seed": ("the choice of the training data", "the choice of the test set"),
    "dataset": ("the error of each data set's own score",),
}


# Of tests whose standard error is one over samples of rows, other rows are covered.
BEYOND_THE_POPULATION = ("data from another population", "training sets of another size")


def ignored_variance(sample: Any) -> tuple[str, ...]:
    """Sources of variance that no test of the sample covers, by its unit."""
    if getattr(sample, "covers_other_rows", False):
        return BEYOND_THE_POPULATION
    found = IGNORED_VARIANCE[str(sample.unit)]
    return tuple(map(_of_one, found)) if isinstance(sample, Scores | Successes) else found


def sampled_by(outcome: Any) -> dict[str, Any] | None:
    """Name and count what a standard error is about, if that is not the unit of the scores."""
    own = outcome.by_itself
    n = getattr(own, "n_sampled", None)
    return None if n is None else {"unit": own.sampled_unit, "n": n}


def estimand(sample: PairedScores | Scores, parameter: str = "mean", b: str = "B") -> str:
    """Name the quantity that `parameter` of the sample's differences estimates."""
    if sample.unit == "split":
        return f"expected score(A) - {_score(b)}, {sample.training}"
    return f"{parameter} of score(A) - {_score(b)} over {_population(sample, b)}"


def null_relation(alternative: str) -> str:
    """Write how A relates to B where there is no effect in the direction asked."""
    return {
        "two-sided": "equals",
        "greater": "is not higher than",
        "less": "is not lower than",
    }[alternative]


def null_hypothesis(sample: PairedScores | Scores, alternative: str, b: str = "B") -> str:
    """State the hypothesis of no effect on the mean, in the direction asked."""
    relation = null_relation(alternative)
    where = sample.training if sample.unit == "split" else f"over {_population(sample, b)}"
    return f"the expected score of A {relation} {_expected(b)}, {where}"


def _population(sample: PairedScores | Scores, b: str) -> str:
    words = _POPULATION[str(sample.unit)]
    return words if b == "B" else _of_one(words)  # else b is a constant, and no system


def _of_one(words: str) -> str:
    """Speak of one system where it alone was scored."""
    for several, one in (
        ("these two fitted systems", "this fitted system"),
        ("the fitted systems are treated as fixed", "the fitted system is treated as fixed"),
        ("of the systems", "of the system"),
    ):
        words = words.replace(several, one)
    return words


def _score(b: str) -> str:
    return "score(B)" if b == "B" else b


def _expected(b: str) -> str:
    return "that of B" if b == "B" else b


def unit_word(unit: str | None) -> str:
    """Name one unit in words."""
    return "data set" if unit == "dataset" else str(unit)


def population(unit: str | None, k: int) -> str:
    """Say which units a test of k systems speaks about, and what it takes as given."""
    given = {
        "instance": f", for these {k} fitted systems",
        "group": f" of instances, for these {k} fitted systems",
        "seed": ", for this data set and this test set",
    }
    return f"{unit_word(unit)}s{given.get(str(unit), '')}"
