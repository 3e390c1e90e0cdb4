"""A rule of the guide: when it applies, which test it names, and why."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from skstat.comparison._guide.situation import Situation
from skstat.report import Alternative
from skstat.report._words import adjustment_name

Words = str | Callable[[Situation], str]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One row of the guide.

    Attributes
    ----------
    id : str
        Stable name of the situation; anchor of the row in the documentation.
    systems, data, situation, test, report : str
        The row in words: how many systems, on what, which case of it, what is run, and
        what to report or look at.
    applies : callable
        Whether the rule is for a situation that no earlier rule is for.
    name : str
        What is run: a name of :mod:`skstat.stats` or of a front door. Empty where the
        rule only adds to that of another situation, which `inner` gives.
    reason : str or callable
        What follows "because".
    ask : str or callable
        The call that asks it. With `inner` for the documentation alone.
    title : str or callable
        The test in a sentence. With `inner` what is added to its title.
    alternatives : tuple of Alternative
        Other tests, all of which exist.
    needs, cautions : tuple of str or callable
        Sentences, of which empty ones are left out.
    design : callable or None
        From the situation to the splits to draw.
    inner : callable or None
        From the situation to a simpler one, whose test is the one.
    example : str
        File in ``examples/`` that shows it.
    """

    id: str
    systems: str
    data: str
    situation: str
    test: str
    report: str
    applies: Callable[[Situation], bool]
    reason: Words
    example: str
    ask: Words = ""
    name: str = ""
    title: Words = ""
    alternatives: tuple[Alternative, ...] = ()
    needs: tuple[Words, ...] = ()
    cautions: tuple[Words, ...] = ()
    design: Callable[[Situation], dict[str, Any]] | None = None
    inner: Callable[[Situation], Situation] | None = None


def other(name: str, when: str) -> Alternative:
    """Name another test, and when to take it."""
    return Alternative(name=name, when=when)


def filled_in(words: Words, situation: Situation) -> str:
    """Fill in the numbers of a situation."""
    return words if isinstance(words, str) else words(situation)


def jointly(situation: Situation) -> bool:
    """Whether pairs of several systems are judged by their joint distribution."""
    return situation.adjustment in ("auto", "max-t")


def for_pairs(situation: Situation) -> str:
    """Say that a test of two systems is that of several pairs."""
    pairs = "every system with the control" if situation.control else "every pair"
    return f"of {pairs}, adjusted by {adjustment_name(situation.adjustment)}"


def for_pairs_alone(situation: Situation) -> str:
    """Say so where the pairs have no joint distribution."""
    return for_pairs(replace(situation, adjustment="holm") if jointly(situation) else situation)
