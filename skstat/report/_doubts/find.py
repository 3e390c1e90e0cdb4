"""Which doubts there are, and which of them count in a headline."""

from collections.abc import Iterable

# Each declares its kinds of doubt.
from skstat.report._doubts import baseline, rows, several, splits, units, verdict  # noqa: F401
from skstat.report._doubts.facts import Facts
from skstat.report._doubts.kind import CATALOGUE, Doubt


def find_doubts(facts: Facts) -> tuple[Doubt, ...]:
    """Return the doubts that facts give rise to, in the order of their codes.

    Examples
    --------
    >>> from skstat.report._doubts import Facts, Pairs, find_doubts
    >>> from skstat.stats import PairedScores, paired_t
    >>> sample = PairedScores([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], unit="seed")
    >>> outcome = paired_t(sample)
    >>> pairs = Pairs.of_sample(("a", "b"), sample, outcome)
    >>> facts = Facts(sample=sample, outcome=outcome, unit="seed", n_units=3, pairs=pairs)
    >>> [doubt.code for doubt in find_doubts(facts)]
    ['SKS107', 'SKS201']
    """
    rules = [rule for kind in CATALOGUE.values() for rule in kind.rules]
    return by_code(doubt for rule in rules for doubt in rule.doubts(facts))


def by_code(*found: Iterable[Doubt]) -> tuple[Doubt, ...]:
    """Put doubts of several kinds in the order of their codes."""
    return tuple(sorted((doubt for each in found for doubt in each), key=lambda one: one.code))


def invalid_for(doubts: Iterable[Doubt]) -> str:
    """Return why a p-value is not valid, for the headline; empty if it is."""
    return _first(doubt for doubt in doubts if doubt.weight == "invalid")


def beside_equivalent(doubts: Iterable[Doubt]) -> str:
    """Return what takes its worth from an equivalence; empty if nothing does."""
    return _first(
        doubt
        for doubt in doubts
        if doubt.weight != "note"
        and doubt.code in CATALOGUE
        and CATALOGUE[doubt.code].beside_equivalent
    )


def _first(doubts: Iterable[Doubt]) -> str:
    return next((f"{doubt.title} ({doubt.code})" for doubt in doubts), "")
