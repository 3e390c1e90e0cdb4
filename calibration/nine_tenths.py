"""Learners trained on nine tenths of the rows: scores of folds, with the variance of halves.

The settings are some of those of "losses", and the data are the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from calibration.losses.designs import HALVES, NINE, Design, make_folds
from calibration.losses.laws import Rows
from calibration.losses.scores import USUAL
from calibration.losses.settings import CONSTRUCTED, Alike, Different, Losses
from calibration.losses.settings import SETTINGS as OF_HALVES
from skstat import stats

SITUATION = "nine_tenths"
TESTS: tuple[tuple[str, Any], ...] = (
    (HALVES, stats.projection_t),
    (NINE, stats.projection_t),
    (NINE, stats.corrected_t),
)
ESTIMATES: tuple[tuple[str, Any], ...] = (
    (HALVES, stats.projection_estimate),
    (NINE, stats.projection_estimate),
)
MOST_ROWS, MOST = 210, 300  # rows, replications


@dataclass(frozen=True, kw_only=True)
class _AtNineTenths(Losses):
    """Both sizes of training sets, from the same data."""

    situation: str = SITUATION
    tests: ClassVar[Sequence[tuple[str, Any]]] = TESTS
    power_on: ClassVar[Sequence[str]] = (HALVES, NINE)
    estimates: ClassVar[Sequence[tuple[str, Any]]] = ESTIMATES

    @property
    def name(self) -> str:
        """Name of the setting of halves, with the size: their expected scores differ."""
        return f"{super().name}, nine tenths"

    def split(self, rows: Rows, rng: np.random.Generator) -> dict[str, Design]:
        """Draw folds, and the halves beside them.

        Parameters
        ----------
        rows : Rows
            The data.
        rng : Generator
            Seeds the splitters.
        """
        return make_folds(rows.y, rows.groups, rng)


@dataclass(frozen=True, kw_only=True)
class AlikeAtNineTenths(_AtNineTenths, Alike):
    """One learner on two blocks of features of the same law."""


@dataclass(frozen=True, kw_only=True)
class DifferentAtNineTenths(_AtNineTenths, Different):
    """Two learners on one block."""


def _settings() -> Iterator[AlikeAtNineTenths | DifferentAtNineTenths]:
    for one in OF_HALVES:
        slow = one.replications < MOST
        if one.metrics != USUAL or one in CONSTRUCTED or one.n > MOST_ROWS or slow:
            continue
        known: dict[str, Any] = {
            "law": one.law,
            "n": one.n,
            "learner": one.learner,
            "replications": MOST,
        }
        if isinstance(one, Different):
            yield DifferentAtNineTenths(**known, other=one.other)
        else:
            yield AlikeAtNineTenths(**known, power_replications=one.power_replications)


SETTINGS: tuple[AlikeAtNineTenths | DifferentAtNineTenths, ...] = tuple(_settings())
