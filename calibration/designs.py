"""Splits of one data set, as matrices of weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedShuffleSplit

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True)
class Bootstrap:
    """Train on rows drawn with replacement, test on the rows that were not drawn."""

    n_splits: int
    random_state: int

    def split(self, X: Any, y: Any) -> Any:
        """Yield training rows, with repetitions, and test rows."""
        rng = np.random.default_rng(self.random_state)
        every = np.arange(len(y))
        for _ in range(self.n_splits):
            train = rng.integers(0, len(y), len(y))
            yield train, np.setdiff1d(every, train)


@dataclass(frozen=True)
class Design:
    """Splits with a name, whose test rows are those that do not train.

    Parameters
    ----------
    name : str
        How tables call it.
    splits : tuple of (train, test)
        Row numbers.
    n_repeats : int or None
        Complete partitions that they form.
    """

    name: str
    splits: tuple[Split, ...]
    n_repeats: int | None = None

    @property
    def weights(self) -> NDArray[np.float64]:
        """How often each row trains, of shape (n_splits, n_rows)."""
        n = sum(map(len, (np.unique(self.splits[0][0]), self.splits[0][1])))
        return np.array([np.bincount(train, minlength=n) for train, _ in self.splits], float)

    @property
    def sizes(self) -> dict[str, Any]:
        """What skstat's samples must know; a row that is drawn twice counts once."""
        return {
            "n_train": [len(np.unique(train)) for train, _ in self.splits],
            "n_test": [len(test) for _, test in self.splits],
            "n_repeats": self.n_repeats,
        }


THIRD = "30 x 1/3"
TENTH = "15 x 1/10"
TEN_BY_TEN = "10 x 10-fold"
TEN_FOLD = "one 10-fold"
FIVE_BY_TWO = "5 x 2-fold"
BOOTSTRAP = "30 bootstraps"


def make_designs(y: NDArray[np.int64], rng: np.random.Generator) -> dict[str, Design]:
    """Draw the splits of one replicate, all stratified but the bootstrap.

    Parameters
    ----------
    y : ndarray of shape (n,)
        Classes.
    rng : Generator
        Seeds the splitters.
    """
    seeds = rng.integers(0, 2**31, 5).tolist()
    X = np.zeros((len(y), 1))
    makers = {
        THIRD: StratifiedShuffleSplit(30, test_size=1 / 3, random_state=seeds[0]),
        TENTH: StratifiedShuffleSplit(15, test_size=1 / 10, random_state=seeds[1]),
        TEN_BY_TEN: RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=seeds[2]),
        FIVE_BY_TWO: RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=seeds[3]),
        BOOTSTRAP: Bootstrap(30, seeds[4]),
    }
    repeats = {TEN_BY_TEN: 10, FIVE_BY_TWO: 5}
    return {
        name: Design(name, tuple(maker.split(X, y)), repeats.get(name))
        for name, maker in makers.items()
    }
