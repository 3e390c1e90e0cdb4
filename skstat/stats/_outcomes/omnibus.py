"""The outcome of one test of several systems at once."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from skstat.stats._common import (
    ComparesSizes,
    Readers,
    Reference,
    Stored,
    from_plain,
    numbers_by_name,
    tails,
    tuple_of_list,
)
from skstat.stats._outcomes.levels import check_alpha
from skstat.stats._outcomes.outcome import ExplainsPvalue


@dataclass(frozen=True, kw_only=True, eq=False)
class OmnibusOutcome(Stored, ExplainsPvalue):
    """What a test of k systems at once found; it says whether they differ, not which.

    Attributes
    ----------
    test : str
        Name of the procedure.
    estimand : str
        The quantities that are compared, in words.
    null_hypothesis : str
        What is assumed while computing the p-value, in words.
    statistic : float
        Value of the test statistic: infinite without variance to test a difference against,
        but never nan.
    pvalue : float
        The p-value.
    names : tuple of str
        The systems.
    n_units : int
        Units that the systems were scored on.
    statistic_name : str
        Symbol of the statistic, for reports.
    df : float, tuple of two floats, or None
        Degrees of freedom of a chi-squared statistic, or of an F; None when the
        p-value comes from permutations.
    assumptions : tuple of str
        What must hold for the p-value to mean what it says.
    effect_sizes : mapping of str to float
        Sizes of the differences, each named.
    scale : str
        What differs if systems do: their ``"score"``, or their ``"rank"`` by it.
    compares_sizes : {"no", "weakly", "strongly"}
        How much the sizes of differences on different units weigh against each other, as in
        :class:`Quantity`.
    n_resamples, seed : int or None
        Number and seed of drawn permutations; None when nothing was drawn.
    references : tuple of Reference
        The works that describe the procedure.
    """

    tested_by_variance: ClassVar[str] = "their differences"
    _readers: ClassVar[Readers] = {
        "names": tuple_of_list,
        "assumptions": tuple_of_list,
        "effect_sizes": numbers_by_name,
        "statistic": lambda number: from_plain(number, math.inf),
        "pvalue": from_plain,
    }
    _newer = frozenset({"references"})

    test: str
    estimand: str
    null_hypothesis: str
    statistic: float
    pvalue: float
    names: tuple[str, ...]
    n_units: int
    statistic_name: str = "statistic"
    df: float | tuple[float, float] | None = None
    assumptions: tuple[str, ...] = ()
    effect_sizes: Mapping[str, float] = field(default_factory=dict)
    scale: str = "score"
    compares_sizes: ComparesSizes = "no"
    n_resamples: int | None = None
    seed: int | None = None
    references: tuple[Reference, ...] = ()

    @property
    def monte_carlo_error(self) -> float:
        """Standard error of the p-value from drawing permutations; 0 when exact."""
        if self.n_resamples is None:
            return 0.0
        return math.sqrt(self.pvalue * (1 - self.pvalue) / self.n_resamples)

    def critical_value(self, alpha: float = 0.05) -> float:
        """Quantile of chi-squared or F from which the test rejects at `alpha`.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test.

        Returns
        -------
        float
            The quantile; nan when the p-value comes from permutations.
        """
        check_alpha(alpha)
        if self.df is None:
            return math.nan
        if isinstance(self.df, tuple):
            return float(tails.f_isf(alpha, *self.df))
        return float(tails.chi2_isf(alpha, self.df))
