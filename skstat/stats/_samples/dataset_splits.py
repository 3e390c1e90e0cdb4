"""Scores on the splits of many data sets."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from skstat.stats._samples.scores import PairedScores

FEWEST_SPLITS = 3


@dataclass(frozen=True, eq=False)
class DatasetSplits:
    """Scores of A and B on the splits of many data sets.

    Parameters
    ----------
    samples : mapping of str to PairedScores
        By name of the data set, scores on its splits, with their sizes. Data sets may differ in
        the number of their splits.

    Raises
    ------
    ValueError
        If units are not splits, sizes of splits are not known, or a data set has fewer than
        three.

    Examples
    --------
    >>> from skstat.stats import DatasetSplits, PairedScores
    >>> splits = DatasetSplits(
    ...     {
    ...         "first": PairedScores([0.8, 0.7, 0.9], [0.7, 0.7, 0.8], n_train=60, n_test=30),
    ...         "second": PairedScores([0.5, 0.6, 0.6], [0.6, 0.6, 0.5], n_repeats=1),
    ...     }
    ... )
    >>> splits.n_units, splits.names
    (2, ('first', 'second'))
    """

    made_by: ClassVar[str] = "DatasetSplits({'name': PairedScores(a, b, n_repeats=10), ...})"

    samples: Mapping[str, PairedScores]

    def __post_init__(self) -> None:
        if not isinstance(self.samples, Mapping) or not self.samples:
            raise ValueError("samples must be a mapping of name to PairedScores, not empty.")
        object.__setattr__(
            self, "samples", {str(name): sample for name, sample in self.samples.items()}
        )
        for name, sample in self.samples.items():
            _check(name, sample)

    @property
    def unit(self) -> str:
        """What one unit is."""
        return "dataset"

    @property
    def n_units(self) -> int:
        """Number of data sets."""
        return len(self.samples)

    @property
    def names(self) -> tuple[str, ...]:
        """The data sets."""
        return tuple(self.samples)


def _check(name: str, sample: Any) -> None:
    if not isinstance(sample, PairedScores):
        raise ValueError(
            f"samples[{name!r}] is {type(sample).__name__}; give PairedScores of its splits."
        )
    if sample.unit != "split":
        raise ValueError(
            f"samples[{name!r}] has unit={sample.unit!r}; on every data set the units are "
            "splits."
        )
    if sample.n_units < FEWEST_SPLITS:
        raise ValueError(
            f"samples[{name!r}] has {sample.n_units} splits; {FEWEST_SPLITS} are needed to "
            "tell how much they vary."
        )
    if sample.test_train_ratio is None:
        raise ValueError(
            f"samples[{name!r}] does not say how its splits overlap: give n_train and n_test, "
            "or n_repeats for complete partitions."
        )
