"""How much probabilities depend on the prior and on the region, as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from skstat._names import clip_all, shown_name
from skstat.report._blocks import Block, Cells, Says
from skstat.report._forms import Result
from skstat.report._model import Report
from skstat.report._words import PROBABLE, in_names, probability_text, short
from skstat.stats._outcomes import SCEPTICAL, Probabilities, check_rope

_LONGEST = 20  # letters of a name in a header
_CLAIMS = {
    "better": "{a} is better",
    "same": "they are practically the same",
    "worse": "{b} is better",
}


class Reading(NamedTuple):
    """Probabilities with one prior and one region.

    Attributes
    ----------
    prior : str
        The prior, in words.
    rope : float
        Half width of the region.
    better, same, worse : float
        Probabilities that the first system is better by more than `rope`, that both are
        practically the same, and that the second is.
    error : float
        Largest Monte Carlo error of the three; 0 where nothing was drawn.
    asked : bool
        Whether it is the one of the report.
    """

    prior: str
    rope: float
    better: float
    same: float
    worse: float
    error: float
    asked: bool

    @property
    def decision(self) -> str:
        """``"better"``, ``"same"`` or ``"worse"``, whichever has 0.95; else ``"undecided"``."""
        found = (name for name in _CLAIMS if getattr(self, name) >= PROBABLE)
        return next(found, "undecided")

    @property
    def region(self) -> str:
        """The region in words."""
        return f"\N{PLUS-MINUS SIGN}{short(self.rope)}" if self.rope else "none"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Sensitivity(Result):
    """How much the probabilities of a comparison depend on the prior and on the region.

    Attributes
    ----------
    names : tuple of str
        The systems.
    metric : str
        Name of the score.
    said : str
        What is said of each probability, behind it.
    readings : tuple of Reading
        One for each prior and region; the first is that of the report.
    """

    kind: ClassVar[str] = "sensitivity"

    names: tuple[str, str]
    metric: str
    said: str
    readings: tuple[Reading, ...]

    @property
    def title(self) -> str:
        """What was compared, by which metric."""
        a, b = map(shown_name, self.names)
        return f"{a} against {b} by prior and region, {self.metric}"

    @property
    def conclusion(self) -> str:
        """What depends on prior and region, in one sentence or two."""
        asked, *others = self.readings
        differ = [each for each in others if each.decision != asked.decision]
        start, n = f"The decision at {PROBABLE:g}", len(self.readings)
        own = self._claim(asked)
        if not differ:
            return f"{start} does not depend on prior and region (tried: {n}): {own}."
        return (
            f"{start} depends on prior and region (tried: {n}, of which {len(differ)} say "
            f"something else): as asked {own}; elsewhere (region: {differ[0].region}; prior: "
            f"{self._prior(differ[0])}) {self._claim(differ[0])}."
        )

    def _claim(self, reading: Reading) -> str:
        if reading.decision == "undecided":
            return f"nothing has {PROBABLE:g}"
        a, b = map(shown_name, self.names)
        return _CLAIMS[reading.decision].format(a=a, b=b) + self.said

    def _prior(self, reading: Reading) -> str:
        return in_names(reading.prior, *map(shown_name, self.names))

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        first, second = clip_all(self.names, _LONGEST)
        header = ["prior", "region", first, "the same", second, f"at {PROBABLE:g}"]
        rows = [
            [
                self._prior(each),
                each.region,
                probability_text(each.better, error=each.error),
                probability_text(each.same, error=each.error) if each.rope else "",
                probability_text(each.worse, error=each.error),
                each.decision + ", as asked" * each.asked,
            ]
            for each in self.readings
        ]
        note = (
            f"Probabilities that a system is better, or both the same{self.said}. At "
            f"{PROBABLE:g}: what has so much, of {first}. Prior and region are to be fixed "
            "before the scores are seen; the most convenient of them shows nothing."
        )
        if any(each.prior == SCEPTICAL for each in self.readings):
            note += " Sceptical: normal about 0, with half of all differences in the region."
        return [
            Says([self.conclusion], heading=self.metric),
            Cells(self.title, header, rows, words=5, note=note),
        ]

    def _records(self) -> list[dict[str, Any]]:
        return [each._asdict() | {"decision": each.decision} for each in self.readings]

    def _known(self) -> dict[str, Any]:
        return super()._known() | {"readings": self._records()}


def sensitivity(self: Report, ropes: Sequence[float] | None = None) -> Sensitivity:
    """Say how much the probabilities depend on the prior and on the region.

    Parameters
    ----------
    ropes : sequence of float, optional
        Regions to try beside that of the report, in the unit of the score; default none,
        one half of it, and twice of it.

    Returns
    -------
    Sensitivity
        The probabilities with each prior and region, and what has 0.95. Of a posterior of
        a difference a sceptical prior is tried: normal about 0, with half of all
        differences in the region. Of others the prior is put elsewhere.

    Raises
    ------
    ValueError
        If there are no probabilities, or a number in `ropes` is negative or not finite.
    """
    posterior = getattr(self.evidence, "posterior", None)
    if posterior is None:
        raise ValueError(
            "there are no probabilities whose sensitivity could be told: ask two systems with "
            "rope=, the difference that is practically none."
        )
    rope, n_drawn = posterior.rope, posterior.n_drawn
    if ropes is None:
        ropes = (0.0, rope / 2, 2 * rope) if rope else ()
    sizes = dict.fromkeys([rope, *(check_rope(each, "ropes") for each in ropes)])
    priors = posterior._priors(getattr(self.evidence.compared, "differences", None))
    readings: list[Reading] = []
    for size in sizes:
        for prior, read in priors.items():
            found: Probabilities | None = read(size) if readings else posterior.probabilities
            if found is None:
                continue
            error = max(p * (1 - p) for p in found) / n_drawn if n_drawn else 0.0
            readings.append(Reading(prior, size, *found, error**0.5, not readings))
    names, said = self.pairs[0][:2], posterior.said
    return Sensitivity(names=names, metric=self.metric, said=said, readings=tuple(readings))
