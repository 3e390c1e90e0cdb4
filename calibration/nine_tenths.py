"""Learners trained on nine tenths of the rows: scores of folds, with the variance of halves.

The settings are some of those of "losses", and the data are the same. The change of a
difference from half of the rows to nine tenths is counted too.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from calibration.losses.designs import HALVES, NINE, Design, make_folds
from calibration.losses.laws import Rows
from calibration.losses.samples import Fits
from calibration.losses.scores import USUAL, Folds
from calibration.losses.settings import CONSTRUCTED, LOP_SIDED, Alike, Different, Losses
from calibration.losses.settings import SETTINGS as OF_HALVES
from calibration.readings import NULL, Reading, Readings
from skstat import stats
from skstat.stats._t_tests import Projection

SITUATION = "nine_tenths"
TESTS: tuple[tuple[str, Any], ...] = (
    (HALVES, stats.projection_t),
    (NINE, stats.projection_t),
    (NINE, stats.corrected_t),
)
ESTIMATES: tuple[tuple[str, Any], ...] = (
    (HALVES, stats.t_estimate),
    (NINE, stats.t_estimate),
)
CHANGE = f"{NINE} less {HALVES}"
MOST_ROWS, MOST = 210, 300  # rows, replications


@dataclass(frozen=True)
class _Moved:
    """How a difference moves with more rows, as an estimate.

    Parameters
    ----------
    found : Student
        Its law.
    """

    found: stats.Student

    @property
    def estimate(self) -> float:
        """Difference at nine tenths, less that at half."""
        return self.found.estimate

    def confidence_interval(self) -> tuple[float, float]:
        """Limits of the change."""
        return self.found.interval("two-sided", 0.05)


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

    def ask(
        self,
        found: Readings,
        fits: Fits,
        a: Mapping[str, Mapping[str, Folds]],
        b: Mapping[str, Mapping[str, Folds]],
        quantity: str,
    ) -> None:
        """Ask all tests by all metrics, and whether more rows change what is the same.

        Parameters
        ----------
        found, fits, a, b, quantity
            As in `Losses`.
        """
        super().ask(found, fits, a, b, quantity)
        if quantity != NULL:
            return
        for metric in a:
            known = all(fits.defined(on, a[metric], b[metric]) for on in (HALVES, NINE))
            sample = fits.pair(NINE, a[metric], b[metric]) if known else None
            change = None if sample is None else stats.projection_t(sample).law.change
            if change is not None:
                low, high = _Moved(change).confidence_interval()
                reading = Reading(stats.projection_t.__name__, "", f"{metric}, {CHANGE}", NULL)
                found[reading] = float(low > 0 or high < 0)


@dataclass(frozen=True, kw_only=True)
class DifferentAtNineTenths(_AtNineTenths, Different):
    """Two learners on one block."""

    def intervals(self, fits: Fits) -> Iterator[tuple[str, str, Any]]:
        """Yield procedure, metric and design, and estimate of A - B or of its change.

        Parameters
        ----------
        fits : Fits
            The data.
        """
        for procedure, on, outcome in super().intervals(fits):
            yield procedure, on, outcome
            if isinstance(getattr(outcome, "law", None), Projection):
                change = outcome.law.change
                if change is not None:
                    yield procedure, f"{on.removesuffix(NINE)}{CHANGE}", _Moved(change)


def _settings() -> Iterator[AlikeAtNineTenths | DifferentAtNineTenths]:
    for one in OF_HALVES:
        slow = one.replications < MOST
        if one.metrics != USUAL or one in (*CONSTRUCTED, *LOP_SIDED):
            continue
        if one.n > MOST_ROWS or slow:
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
