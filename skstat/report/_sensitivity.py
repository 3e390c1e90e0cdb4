"""How much probabilities depend on the prior and on the region, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from skstat._names import clip_all, shown_name
from skstat.report._blocks import Block, Cells, Says
from skstat.report._forms import ReportForms
from skstat.report._words import PROBABLE, in_names, probability_text, short
from skstat.stats import Posterior
from skstat.stats._outcomes import SCEPTICAL, Probabilities, check_rope

_LONGEST = 20  # letters of a name in a header
_CLAIMS = {
    "better": "{a} is better",
    "same": "they are practically the same",
    "worse": "{b} is better",
}


@dataclass(frozen=True, kw_only=True)
class Reading:
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
        found = {name: getattr(self, name) for name in _CLAIMS}
        return next((name for name, own in found.items() if own >= PROBABLE), "undecided")


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Sensitivity(ReportForms):
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

    names: tuple[str, str]
    metric: str
    said: str
    readings: tuple[Reading, ...]

    @property
    def decisions(self) -> tuple[str, ...]:
        """All that has a probability of 0.95 with some prior and region."""
        return tuple(dict.fromkeys(reading.decision for reading in self.readings))

    @property
    def conclusion(self) -> str:
        """What depends on prior and region, in one sentence or two."""
        asked = self.readings[0]
        n = len(self.readings)
        tried = f"with {n} priors and regions" if n > 1 else "with one prior and region"
        own = self._claim(asked)
        others = [each for each in self.readings if each.decision != asked.decision]
        if not others:
            return f"The decision at {PROBABLE:g} is the same {tried}: {own}."
        by_region = all(each.rope != asked.rope for each in others)
        by_prior = all(each.rope == asked.rope for each in others)
        what = "the region" if by_region else "the prior" if by_prior else "prior and region"
        first = others[0]
        region = (
            f"the region \N{PLUS-MINUS SIGN}{short(first.rope)}" if first.rope else "no region"
        )
        return (
            f"The decision at {PROBABLE:g} depends on {what}: as asked {own}; with {region} "
            f"(prior: {self._prior(first)}) {self._claim(first)}. Of {n} priors and regions "
            f"{len(others)} say something else than was asked."
        )

    def _claim(self, reading: Reading) -> str:
        if reading.decision == "undecided":
            return f"nothing has {PROBABLE:g}"
        a, b = map(shown_name, self.names)
        return _CLAIMS[reading.decision].format(a=a, b=b) + self.said

    def _prior(self, reading: Reading) -> str:
        return in_names(reading.prior, *map(shown_name, self.names))

    def _title(self) -> str:
        a, b = map(shown_name, self.names)
        return f"{a} against {b} by prior and region, {self.metric}"

    def _known(self) -> dict[str, Any]:
        return {
            "schema": "skstat.sensitivity",
            "schema_version": 1,
            "title": self._title(),
            "conclusion": self.conclusion,
            "names": self.names,
            "metric": self.metric,
            "readings": self._records(),
        }

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        a, b = map(shown_name, self.names)
        first, second = clip_all((a, b), _LONGEST)
        header = ["prior", "region", first, "the same", second]
        rows = [
            [
                self._prior(each),
                f"\N{PLUS-MINUS SIGN}{short(each.rope)}" if each.rope else "none",
                *(
                    probability_text(getattr(each, name), each.error)
                    if name != "same" or each.rope
                    else ""
                    for name in _CLAIMS
                ),
                each.decision if not each.asked else f"{each.decision}, as asked",
            ]
            for each in self.readings
        ]
        note = (
            f"Probabilities that a system is better, or both the same{self.said}. At "
            f"{PROBABLE:g}: what has so much, of {a}. Prior and region are to be fixed before "
            "the scores are seen; the most convenient of them shows nothing."
        )
        if any(each.prior == SCEPTICAL for each in self.readings):
            note += " Sceptical: normal about 0, with half of all differences in the region."
        header += [f"at {PROBABLE:g}"]
        return [
            Says([self.conclusion], heading=self.metric),
            Cells(self._title(), header, rows, words=len(header) - 1, note=note),
        ]

    def _records(self) -> list[dict[str, Any]]:
        return [asdict(each) | {"decision": each.decision} for each in self.readings]


def sensitivity_of(
    posterior: Posterior,
    names: tuple[str, str],
    metric: str,
    differences: Any,
    ropes: Sequence[float] | None,
) -> Sensitivity:
    """Ask a posterior with other priors, and with other regions."""
    rope = posterior.rope
    if ropes is None:
        ropes = (0.0, rope / 2, 2 * rope) if rope else ()
    sizes = [rope, *(check_rope(each, "ropes") for each in ropes)]
    priors: Mapping[str, Any] = posterior._priors(differences)
    n_drawn, first = posterior.n_drawn, True
    readings = []
    for size in dict.fromkeys(sizes):
        for prior, read in priors.items():
            found: Probabilities | None = posterior.probabilities if first else read(size)
            if found is None:
                continue
            spread = max(p * (1 - p) for p in found)
            readings.append(
                Reading(
                    prior=prior,
                    rope=size,
                    **found._asdict(),
                    error=(spread / n_drawn) ** 0.5 if n_drawn else 0.0,
                    asked=first,
                )
            )
            first = False
    return Sensitivity(
        names=names, metric=metric, said=posterior.said, readings=tuple(readings)
    )
