"""The verdicts from other partitions of the same data."""

from dataclasses import dataclass, replace
from typing import ClassVar

from skstat.stats._common import Readers, Stored, numbers_of


@dataclass(frozen=True, kw_only=True)
class Stability(Stored):
    """Whether a verdict depends on how the rows were cut into training and test rows.

    The partitions share all their data: their p-values are not independent evidence, and
    must not be combined. They show how much the answer depends on one draw of splits.

    Attributes
    ----------
    verdict : str
        Verdict of the report itself: ``"better"``, ``"worse"`` or ``"undecided"``, and with
        a margin also ``"equivalent"`` or ``"not inferior"``, about the first system.
    seeds : tuple of int
        Seeds of the other partitions.
    estimates, pvalues : tuple of float
        What they gave; the p-value is adjusted where the verdict rests on an adjusted one.
    verdicts : tuple of str
        Their verdicts.

    Examples
    --------
    >>> from skstat.report import Stability
    >>> found = Stability(
    ...     verdict="better",
    ...     seeds=(1, 2, 3),
    ...     estimates=(0.02, 0.03, 0.01),
    ...     pvalues=(0.03, 0.01, 0.2),
    ...     verdicts=("better", "better", "undecided"),
    ... )
    >>> found.n_same, round(found.share, 2)
    (2, 0.67)
    """

    _written = ("verdict", "seeds", "estimates", "pvalues", "verdicts", "n_same", "share")
    _by_name = True
    _readers: ClassVar[Readers] = dict.fromkeys(("estimates", "pvalues"), numbers_of)

    verdict: str
    seeds: tuple[int, ...]
    estimates: tuple[float, ...]
    pvalues: tuple[float, ...]
    verdicts: tuple[str, ...]

    def __post_init__(self) -> None:
        lengths = {*map(len, (self.seeds, self.estimates, self.pvalues, self.verdicts))}
        if len(lengths) > 1 or 0 in lengths:
            raise ValueError(
                "seeds, estimates, pvalues and verdicts hold one value per partition, and at "
                f"least one; got {sorted(lengths)} values."
            )

    def turned(self) -> "Stability":
        """Return the same of the second system against the first."""
        opposite = {"better": "worse", "worse": "better"}
        return replace(
            self,
            verdict=opposite.get(self.verdict, self.verdict),
            estimates=tuple(0.0 - one for one in self.estimates),
            verdicts=tuple(opposite.get(one, one) for one in self.verdicts),
        )

    @property
    def n_same(self) -> int:
        """How many of them gave the same verdict."""
        return sum(verdict == self.verdict for verdict in self.verdicts)

    @property
    def share(self) -> float:
        """Share of them that gave the same verdict."""
        return self.n_same / len(self.seeds)
