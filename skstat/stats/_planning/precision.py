"""How many rows a precise estimate takes: a share, an area under a ROC curve, a mean."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from skstat.stats._common import Reference, Stored
from skstat.stats._literature import HANLEY_MCNEIL_1982, WILSON_1927
from skstat.stats._outcomes import check_level
from skstat.stats._planning.checks import MOST, check_number, laws, smallest
from skstat.stats._samples import check_count


def wilson_half_width(n: int, share: float, *, confidence_level: float = 0.95) -> float:
    """Half the width of the interval of `share` seen in `n` rows (Wilson, 1927)."""
    check_count("n", n)
    check_number("share", share, least=0, most=1, what="a share from 0 to 1")
    check_level(confidence_level)
    z = laws().norm.isf((1 - confidence_level) / 2)
    inner = share * (1 - share) / n + z * z / (4 * n * n)
    return float(z / (1 + z * z / n) * math.sqrt(inner))


def wilson_size(share: float, half_width: float, *, confidence_level: float = 0.95) -> int:
    """Smallest number of rows with an interval at most this wide to both sides.

    The width falls with n: its square is ``z^2 (s + z^2 / 4n) n / (n + z^2)^2`` with ``s =
    share (1 - share)``, at most 1/4.
    """
    check_number(
        "half_width", half_width, above=0, most=0.4999, what="a number between 0 and 0.5"
    )

    def narrow(n: int) -> bool:
        found = wilson_half_width(n, share, confidence_level=confidence_level)
        return found <= half_width

    return smallest(narrow) or MOST


@dataclass(frozen=True, kw_only=True)
class Precision(Stored, ABC):
    """How precisely the score of one system is known, before there are any data.

    Attributes
    ----------
    confidence_level : float
        Level of the interval.
    """

    references: ClassVar[tuple[Reference, ...]] = ()

    confidence_level: float = 0.95

    def __post_init__(self) -> None:
        check_level(self.confidence_level)

    @abstractmethod
    def half_width(self, n: int) -> float:
        """Half of the width of the confidence interval.

        Parameters
        ----------
        n : int
            Number of rows.

        Returns
        -------
        float
            In the unit of the score.
        """

    def size(self, half_width: float) -> int | None:
        """Smallest number of rows with an interval that is at most as wide.

        Parameters
        ----------
        half_width : float
            Half of the width of the interval, in the unit of the score.

        Returns
        -------
        int or None
            None where it would take more than 10^8 rows.
        """
        check_number("half_width", half_width, above=0, what="a number above 0")
        return smallest(lambda n: self.half_width(n) <= half_width)

    @property
    def _z(self) -> float:
        return float(laws().norm.isf((1 - self.confidence_level) / 2))


@dataclass(frozen=True, kw_only=True)
class SharePrecision(Precision):
    """How precisely a share is known, such as accuracy: Wilson's interval.

    Attributes
    ----------
    share : float
        The share that is expected, from 0 to 1; 0.5 takes most rows.
    confidence_level : float
        Level of the interval.

    Examples
    --------
    >>> from skstat.stats import SharePrecision
    >>> SharePrecision(share=0.9).size(0.02)
    868
    """

    references: ClassVar[tuple[Reference, ...]] = (WILSON_1927,)

    share: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("share", self.share, least=0, most=1, what="a share from 0 to 1")

    def half_width(self, n: int) -> float:
        return wilson_half_width(n, self.share, confidence_level=self.confidence_level)


@dataclass(frozen=True, kw_only=True)
class MeanPrecision(Precision):
    """How precisely a mean over rows is known, or any score with a standard error.

    Attributes
    ----------
    sd : float
        Standard deviation over rows; of a pilot its standard error times the root of its
        number of rows.
    confidence_level : float
        Level of the interval.

    Examples
    --------
    >>> from skstat.stats import MeanPrecision
    >>> MeanPrecision(sd=0.5).size(0.05)
    385
    """

    sd: float

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("sd", self.sd, above=0, what="a finite standard deviation above 0")

    def half_width(self, n: int) -> float:
        return self._z * self.sd / math.sqrt(check_count("n", n))


@dataclass(frozen=True, kw_only=True)
class AUCPrecision(Precision):
    """How precisely an area under the ROC curve is known.

    Without a pilot the variance is that of exponential scores (Hanley and McNeil, 1982,
    equation 1). For normal scores of large areas that is up to half too much. With a pilot it
    is DeLong's: ``placements`` over positive and over negative rows.

    Attributes
    ----------
    area : float
        The area that is expected, above 0 and below 1.
    prevalence : float
        Share of positive rows.
    placements : (float, float) or None
        DeLong's components of the variance in a pilot: the variance over its positive rows of
        the share of negative ones that score lower, and that over its negative rows of the
        share of positive ones that score higher.
    confidence_level : float
        Level of the interval.

    Examples
    --------
    >>> from skstat.stats import AUCPrecision
    >>> AUCPrecision(area=0.8, prevalence=0.5).size(0.05)
    302
    >>> AUCPrecision(area=0.73, prevalence=41 / 113, placements=(0.086, 0.0411)).size(0.05)
    464
    """

    references: ClassVar[tuple[Reference, ...]] = (HANLEY_MCNEIL_1982,)

    area: float
    prevalence: float
    placements: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("area", "prevalence"):
            value = getattr(self, name)
            check_number(name, value, above=0, what="a share above 0 and below 1")
            if value >= 1:
                raise ValueError(f"{name}={value!r} must be a share above 0 and below 1.")
        for value in self.placements or ():
            check_number("placements", value, least=0, what="two variances of at least 0")

    def standard_error(self, n_positive: float, n_negative: float) -> float:
        """Standard error of the area.

        Parameters
        ----------
        n_positive, n_negative : float
            Rows of each class.

        Returns
        -------
        float
            The standard error.
        """
        a = self.area
        if self.placements is not None:
            over_positive, over_negative = self.placements
            return math.sqrt(over_positive / n_positive + over_negative / n_negative)
        of_positive = a / (2 - a) - a * a
        of_negative = 2 * a * a / (1 + a) - a * a
        found = a * (1 - a)
        found += (n_positive - 1) * of_positive + (n_negative - 1) * of_negative
        return math.sqrt(found / (n_positive * n_negative))

    def half_width(self, n: int) -> float:
        positive = self.prevalence * check_count("n", n)
        return self._z * self.standard_error(positive, n - positive)
