"""A doubt that was found, and its kind."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from inspect import isfunction
from types import CodeType, FunctionType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skstat._site import page_url
from skstat.report._doubts.case import OF_ONE_PAIR, Case
from skstat.report._words import WEIGHTS, Weight
from skstat.stats._common import Written

# A role of Sphinx, with a target behind a label or with a name that may be cut.
_LABELLED = re.compile(r":\w+:`([^`<]+?)\s*<[^>]+>`")
_ROLE = re.compile(r":\w+:`[~/]*([^`]+)`")


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a rule says of a case, where it says more than a sentence.

    Attributes
    ----------
    text : str
        The sentence.
    action : str
        What to do in this case; that of the kind if empty.
    weight : str or None
        Weight in this case; that of the kind if None.
    """

    text: str
    action: str = ""
    weight: Weight | None = None


Rule = Callable[[Any], str | Found | None]
AnyRule = TypeVar("AnyRule", bound=Rule)
AmongPairs = Callable[[Any], NDArray[np.bool_]]
Screen = Callable[[Any], NDArray[np.bool_] | None]
AmongRule = TypeVar("AmongRule", bound=AmongPairs)
AnyScreen = TypeVar("AnyScreen", bound=Screen)


@dataclass(frozen=True, kw_only=True)
class Doubt(Written):
    """A reason for doubt that was found.

    Attributes
    ----------
    code : str
        ``SKS`` and three digits; it stays the same from version to version.
    title : str
        What is doubtful, in a few words.
    text : str
        What was found, in one sentence.
    weight : str
        ``"invalid"``: the p-value or the interval does not mean what it says. ``"weak"``:
        less can be concluded than it looks, or another design would tell more. ``"note"``:
        worth knowing, and nothing is wrong.
    action : str
        What to do about it, as a short request.
    advice : str
        What to do about it, and what was measured, at length.

    Examples
    --------
    >>> import skstat
    >>> scores = {"new": [0.8, 0.9, 0.7, 0.8], "old": [0.7, 0.8, 0.7, 0.6]}
    >>> report = skstat.compare_scores(scores, unit="split", test="paired_t")
    >>> doubt = report.doubts[0]
    >>> doubt.code, doubt.weight, doubt.action
    ('SKS101', 'invalid', 'use the default test')
    """

    _written = ("code", "title", "text", "weight", "action", "advice", "url")

    code: str
    title: str
    text: str
    weight: Weight = "note"
    action: str = ""
    advice: str = ""

    def __post_init__(self) -> None:
        _check_weight(self.code, self.weight)

    @property
    def url(self) -> str | None:
        """Its place in the documentation on the web; None while that is not online."""
        return page_url("doubts", self.code.lower())

    def __str__(self) -> str:
        action = f" -> {self.action}" if self.action else ""
        return f"{self.code} {self.title}: {self.text}{action}"


def by_weight(doubts: Iterable[Doubt]) -> list[Doubt]:
    """Put the heaviest doubts first, and those of one weight in the order of their codes."""
    return sorted(doubts, key=lambda doubt: (WEIGHTS.index(doubt.weight), doubt.code))


@dataclass(frozen=True, kw_only=True, eq=False)
class DoubtKind:
    """A kind of doubt: when it is raised, what to do about it, and its sentence.

    Attributes
    ----------
    code : str
        ``SKS`` and three digits, of which the first tells the subject. It is never reused.
    title : str
        What is doubtful, in a few words.
    weight : str
        ``"invalid"``, ``"weak"`` or ``"note"``, unless the rule says another one of a case.
    when, advice : str
        When it is raised, and what to do about it at length. Roles and literals of Sphinx
        may be used; ``plain_advice`` is without them.
    action : str
        What to do about it, as a short request in plain text, unless the rule says another
        one of a case.
    page : str
        Page of the documentation with more about it, if there is one.
    rule : callable
        From a case to the sentence, or None where the doubt does not apply.
    rules : dict
        The classes of case that the doubt is asked of, and the rule for each.
    about_verdict : bool
        Whether it depends on the p-value that decides. Where this is adjusted for other
        comparisons, the doubt is judged anew.
    beside_equivalent : bool
        Whether a headline that calls systems equivalent says it too, unless it is a note.
    of_all_rows : bool
        Whether it is about all rows alone: of one slice among others it says nothing.
    among : list
        The function that finds at once the pairs of a family that the doubt is about. Without
        one the rule is tried on every pair, if it looks at more than the design.
    screens : dict
        By the class of case of single pairs of a table, the function that finds the pairs
        that the doubt is about. Without one the rule is tried on all pairs.
    """

    code: str
    title: str
    weight: Weight
    when: str
    action: str
    advice: str
    rule: Rule
    page: str = ""
    rules: dict[type, Rule] = field(default_factory=dict)
    about_verdict: bool = False
    beside_equivalent: bool = False
    of_all_rows: bool = False
    among: list[AmongPairs] = field(default_factory=list)
    screens: dict[type, Screen] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _check_weight(self.code, self.weight)

    def __call__(self, case: Any) -> str | Found | None:
        return self.rule(case)

    @cached_property
    def looks_at_pairs(self) -> bool:
        """Whether the rule for two systems looks at what is a pair's own: scores, verdict.

        What it says of one pair of a design it says of all of them otherwise.
        """
        rule = self.rules[Case]
        return not isfunction(rule) or bool(OF_ONE_PAIR & _names_in(rule))

    @property
    def plain_when(self) -> str:
        """When it is raised, without roles and literals."""
        return plain(self.when)

    @property
    def plain_advice(self) -> str:
        """What to do about it, without roles and literals."""
        return plain(self.advice)

    def of(self, case: type) -> Callable[[AnyRule], AnyRule]:
        """Decorate a rule for cases of another class."""

        def add(rule: AnyRule) -> AnyRule:
            self.rules[case] = rule
            return rule

        return add

    def of_pairs(self, where: AmongRule) -> AmongRule:
        """Decorate the function that finds the pairs of a family that the doubt is about.

        It saves time where there are thousands of pairs, and says what the rule says.
        """
        self.among.append(where)
        return where

    def among_cases(self, case: type) -> Callable[[AnyScreen], AnyScreen]:
        """Decorate the function that finds the pairs of a table that such a case is about.

        It returns None where it cannot tell.
        """

        def add(where: AnyScreen) -> AnyScreen:
            self.screens[case] = where
            return where

        return add

    def find(self, case: Any) -> Doubt | None:
        """Return the doubt if it is asked of such a case, and applies."""
        rule = self.rules.get(type(case))
        said = None if rule is None else rule(case)
        if said is None:
            return None
        found = said if isinstance(said, Found) else Found(text=said)
        return Doubt(
            code=self.code,
            title=self.title,
            text=found.text,
            weight=found.weight or self.weight,
            action=found.action or self.action,
            advice=self.plain_advice,
        )


def _names_in(function: FunctionType, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """Names that a function looks up, and those that it calls: its module's, or of cases."""
    names = set(_looked_up(function.__code__))
    for name in names - seen:
        used = function.__globals__.get(name)
        used = used.rule if isinstance(used, DoubtKind) else used
        if not isfunction(used):
            continue
        of_case = "case" in used.__code__.co_varnames[: used.__code__.co_argcount]
        if of_case or used.__module__ == function.__module__:
            names |= _names_in(used, seen | names)
    return frozenset(names)


def _looked_up(code: CodeType) -> Iterator[str]:
    """Names that code looks up, the comprehensions and functions in it included."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _looked_up(constant)


def _check_weight(code: str, weight: str) -> None:
    if weight not in WEIGHTS:
        raise ValueError(f"{code}: weight={weight!r} is not one of {', '.join(WEIGHTS)}.")


def plain(text: str) -> str:
    """Take roles and literals of Sphinx out of a text.

    Examples
    --------
    >>> plain("Use ``cv=5`` or :func:`~skstat.stats.sign` (:ref:`SKS102 <sks102>`).")
    'Use cv=5 or skstat.stats.sign (SKS102).'
    """
    return _ROLE.sub(r"\1", _LABELLED.sub(r"\1", text)).replace("``", "")


def doubt(
    code: str,
    title: str,
    *,
    weight: Weight,
    when: str,
    action: str,
    advice: str,
    page: str = "",
    of: type | tuple[type, ...] = Case,
    about_verdict: bool = False,
    beside_equivalent: bool = False,
    of_all_rows: bool = False,
) -> Callable[[Rule], DoubtKind]:
    """Make a rule the kind of doubt that it is the rule of, for the cases in `of`."""
    cases = of if isinstance(of, tuple) else (of,)

    def make(rule: Rule) -> DoubtKind:
        return DoubtKind(
            code=code,
            title=title,
            weight=weight,
            when=when,
            action=action,
            advice=advice,
            page=page,
            rule=rule,
            rules=dict.fromkeys(cases, rule),
            about_verdict=about_verdict,
            beside_equivalent=beside_equivalent,
            of_all_rows=of_all_rows,
        )

    return make
