"""What the columns of frames are mostly called."""

from typing import Any

SYSTEM = (
    "system", "model", "estimator", "algorithm", "classifier", "regressor", "method", "learner",
)  # fmt: skip
# Of splits every such column counts: a repeat and a fold are a split together.
UNIT = {
    "dataset": ("dataset", "data_set", "task"),
    "split": ("repeat", "split", "fold"),
    "seed": ("seed",),
    "group": ("group",),
    "instance": ("instance", "row", "item", "question"),
}
HIGHER_IS_BETTER = ("score", "test_score")
SCORES = (*HIGHER_IS_BETTER, "value")
REPEATS = (*UNIT["split"], *UNIT["seed"], "sample", "epoch", "attempt", "run")


def plain(name: Any) -> str:
    """Write the name of a column as the usual names are written."""
    return str(name).lower().replace(" ", "_").replace("-", "_")


def names_rows(name: Any) -> bool:
    """Whether a column of this name mostly counts or names rows."""
    return kind_of(name) is not None or plain(name) in (*REPEATS, "index", "id")


def kind_of(name: Any) -> str | None:
    """Return the unit that a column of this name mostly counts."""
    return next((unit for unit, names in UNIT.items() if plain(name) in names), None)
