"""Five repeats of twofold cross-validation."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.utils.multiclass import type_of_target


class FiveByTwo:
    """Halve the rows five times; each half trains once and tests once.

    Parameters
    ----------
    stratify : bool
        Keep the class shares of a binary or multiclass y in both halves.
    random_state : int
        Seed of the five shuffles, which are independent of each other.
    """

    def __init__(self, *, stratify: bool, random_state: int) -> None:
        self.stratify = stratify
        self.random_state = random_state

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        """Yield the training and test rows of the ten halves."""
        stratify = (
            self.stratify and y is not None and type_of_target(y) in ("binary", "multiclass")
        )
        if groups is None:
            halves: Any = StratifiedKFold if stratify else KFold
        else:
            halves = StratifiedGroupKFold if stratify else GroupKFold
        seeds = np.random.SeedSequence(self.random_state).generate_state(5)
        for seed in seeds.tolist():
            yield from halves(n_splits=2, shuffle=True, random_state=seed).split(X, y, groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return 10."""
        return 10

    def __repr__(self) -> str:
        return f"FiveByTwo(stratify={self.stratify}, random_state={self.random_state})"
