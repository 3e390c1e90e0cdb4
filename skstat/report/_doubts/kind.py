"""Doubts, their kinds and catalogue, the rules that raise them, and their explanations."""

import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, ClassVar

from skstat._arguments import explains_arguments
from skstat._site import page_url
from skstat.report._doubts.facts import Facts
from skstat.report._terms import WEIGHTS, Weight
from skstat.stats._stored import Stored

CATALOGUE: dict[str, "Kind"] = {}
_MEANING: dict[Weight, str] = {
    "invalid": "the p-value or the interval does not mean what it says",
    "weak": "less can be concluded than it looks, or another design would tell more",
    "note": "worth knowing; nothing is wrong",
}
# A role of Sphinx, with a name that may be cut, or with a label before its target.
_ROLE = re.compile(r":\w+:`[~/]*([^`<]+?)(?:\s*<[^>]+>)?`")


@dataclass(frozen=True)
class Found:
    """A doubt as a rule raises it: its sentence, and what differs from the usual case.

    Attributes
    ----------
    text : str
        The sentence.
    pair : int or None
        Index of the pair of systems that it is about; None if it is not about a pair.
    action : str
        What to do in this case; if empty, the action of the rule.
    weight : str or None
        Weight in this case; if None, the weight of the rule.
    """

    text: str
    pair: int | None = None
    action: str = ""
    weight: Weight | None = None


Check = Callable[..., Iterator[Found]]


@dataclass(frozen=True, kw_only=True)
class Doubt(Stored):
    """A reason for doubt that was found.

    Attributes
    ----------
    code : str
        ``SKS`` and three digits, of which the first tells the subject.
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
    of_pair : bool
        Whether it is about scores or verdict of a pair rather than the design of the
        comparison. It is not stored.

    Examples
    --------
    >>> import skstat
    >>> scores = {"new": [0.8, 0.9, 0.7, 0.8], "old": [0.7, 0.8, 0.7, 0.6]}
    >>> report = skstat.compare_scores(scores, unit="split", test="paired_t")
    >>> doubt = report.doubts[0]
    >>> doubt.code, doubt.weight, doubt.action
    ('SKS101', 'invalid', 'use the default test')
    """

    _not_written, _extra = ("of_pair",), ("url",)

    code: str
    title: str
    text: str
    weight: Weight = "note"
    action: str = ""
    advice: str = ""
    of_pair: bool = field(default=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.weight not in WEIGHTS:
            known = ", ".join(WEIGHTS)
            raise ValueError(f"{self.code}: weight={self.weight!r} is not one of {known}.")

    @property
    def url(self) -> str | None:
        """Address of its page in the documentation; None while that is not online."""
        return page_url("doubts", self.code.lower())

    def __str__(self) -> str:
        action = f" -> {self.action}" if self.action else ""
        return f"{self.code} {self.title}: {self.text}{action}"


Source = Iterable[Doubt] | Facts


class Doubts(Sequence[Doubt]):
    """A lazy sequence of doubts in the order of their codes: rules run at the first access.

    Parameters
    ----------
    *sources : iterable of Doubt, Facts, or callable
        Doubts, facts to which all rules are applied, or functions that return either.

    Examples
    --------
    >>> from skstat.report._doubts import Doubts, Facts
    >>> from skstat.stats import PairedScores, paired_t
    >>> sample = PairedScores([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], unit="seed")
    >>> facts = {"sample": sample, "outcome": paired_t(sample), "unit": "seed", "n_units": 3}
    >>> [doubt.code for doubt in Doubts(Facts(names=("a", "b"), **facts))]
    ['SKS107', 'SKS201']
    """

    _written_as: ClassVar[str] = "as_tuple"

    def __init__(self, *sources: Source | Callable[[], Source]) -> None:
        self._sources = sources

    @cached_property
    def as_tuple(self) -> tuple[Doubt, ...]:
        """All doubts as a tuple."""
        doubts: list[Doubt] = []
        for source in self._sources:
            value = source() if callable(source) else source
            if not isinstance(value, Facts):
                doubts += value
                continue
            value.complete()
            for kind in CATALOGUE.values():
                for rule in kind.rules:
                    doubts += rule.doubts(value)
        return tuple(sorted(doubts, key=lambda doubt: doubt.code))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (self.as_tuple,)

    def __repr__(self) -> str:
        return repr(self.as_tuple)

    def __len__(self) -> int:
        return len(self.as_tuple)

    def __getitem__(self, index: Any) -> Any:
        return self.as_tuple[index]


@dataclass(frozen=True)
class Kind:
    """A kind of doubt; creating one enters it into the catalogue.

    Attributes
    ----------
    code : str
        ``SKS`` and three digits, of which the first tells the subject.
    title : str
        What is doubtful, in a few words.
    page : str
        Page of the documentation with more about it, if there is one.
    beside_equivalent : bool
        Whether a headline that calls systems equivalent mentions it too, unless it is a note.
    of_all_rows : bool
        Whether it applies to all rows only, and is not raised for one of several slices.
    rules : list of Rule
        The cases in which it is raised.
    """

    code: str
    title: str
    page: str = ""
    beside_equivalent: bool = False
    of_all_rows: bool = False
    rules: list["Rule"] = field(default_factory=list, compare=False)

    def __post_init__(self) -> None:
        if CATALOGUE.setdefault(self.code, self) is not self:
            raise ValueError(f"two kinds of doubt have the code {self.code}.")

    @property
    def weight(self) -> Weight:
        """The heaviest weight that it is declared with."""
        return min((rule.weight for rule in self.rules), key=WEIGHTS.index)

    def rule(self, weight: Weight, action: str, law: Any = object) -> Callable[[Check], Check]:
        """Decorate a rule: a function of the facts that yields what it finds.

        Its first argument takes all facts. The others are names of facts: the rule runs only if
        each of them is known, and not false, zero or empty.

        The first paragraph of its docstring says when the doubt is raised, and the rest what to
        do about it at length. Roles and literals of Sphinx may be used.

        Parameters
        ----------
        weight : {"invalid", "weak", "note"}
            Weight of the doubt, unless a case has another one.
        action : str
            What to do about it, as a short request in plain text, unless a case has
            another one.
        law : type or tuple of type
            Types of the law of an outcome to which the rule applies.
        """

        def declare(check: Check) -> Check:
            self.rules.append(Rule(self, weight, action, law, check))
            return check

        return declare


@dataclass(frozen=True, eq=False)
class Rule:
    """One case of a kind of doubt, as :meth:`Kind.rule` declares it."""

    kind: Kind
    weight: Weight
    action: str
    law: Any
    check: Check

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """Names of the facts that the rule requires."""
        return tuple(inspect.signature(self.check).parameters)[1:]

    @property
    def words(self) -> tuple[str, str]:
        """When it is raised, and what to do about it, as the docstring says it."""
        when, _, advice = inspect.cleandoc(self.check.__doc__ or "").partition("\n\n")
        return when, advice

    @cached_property
    def advice(self) -> str:
        """What to do about it, in plain text."""
        return plain(self.words[1])

    def doubts(self, facts: Facts) -> list[Doubt]:
        """Apply the rule, and merge what it finds in several pairs into one doubt."""
        if not isinstance(facts.law, self.law):
            return []
        names, result, of_pairs, needed = facts.pairs.names, [], [], {}
        for name in self.needs:
            needed[name], default = getattr(facts, name), getattr(Facts, name)
            # The fact is unknown, or false.
            if needed[name] is default or (default is not None and not needed[name]):
                return []
        for finding in self.check(facts, **needed):
            doubt = Doubt(
                code=self.kind.code,
                title=self.kind.title,
                text=finding.text,
                weight=finding.weight or self.weight,
                action=finding.action or self.action,
                advice=self.advice,
                of_pair=finding.pair is not None,
            )
            if finding.pair is None:
                result.append(doubt)
            else:
                of_pairs.append((names[finding.pair], doubt))
        return result + merged(of_pairs, len(names)) if of_pairs else result


Where = str | tuple[str, str]


def merged(doubts: Iterable[tuple[Where, Doubt]], n: int, noun: str = "pair") -> list[Doubt]:
    """Merge equal doubts about several pairs, or slices, into one each.

    Its text names the first pair in which it has the most serious weight, and the number of
    the others; it names none where all `n` have the same doubt.
    """
    alike: dict[tuple[str, ...], list[tuple[Where, Doubt]]] = {}
    for where, doubt in doubts:
        case = (doubt.code, doubt.advice, doubt.action)
        alike.setdefault(case, []).append((where, doubt))
    result = []
    for group in alike.values():
        where, doubt = min(group, key=lambda member: WEIGHTS.index(member[1].weight))
        if len(group) < n or len({other.text for _, other in group}) > 1:
            name = where if isinstance(where, str) else " and ".join(where)
            more = f" The same holds for {len(group) - 1} more {noun}{'s' * (len(group) > 2)}."
            doubt = replace(doubt, text=f"{name}: {doubt.text}{more * (len(group) > 1)}")
        result.append(doubt)
    return result


def plain(text: str) -> str:
    """Remove roles and literals of Sphinx, and line breaks, from a text.

    Examples
    --------
    >>> plain("Use ``cv=5`` or :func:`~skstat.stats.sign` (:ref:`SKS102 <sks102>`).")
    'Use cv=5 or skstat.stats.sign (SKS102).'
    """
    return _ROLE.sub(r"\1", " ".join(text.split())).replace("``", "")


@explains_arguments()
def explain(code: str | None = None) -> None:
    """Print what a doubt means: its weight, when it is raised, and what to do.

    ``skstat explain`` does the same on the command line.

    Parameters
    ----------
    code : str, optional
        Code of the doubt, as ``"SKS102"``. Without it all codes are listed with their
        titles, the heaviest first.

    Raises
    ------
    ValueError
        If there is no doubt of that code.

    Examples
    --------
    >>> import skstat
    >>> skstat.explain("SKS105")
    SKS105 groups split between training and test
    <BLANKLINE>
    Invalid: the p-value or the interval does not mean what it says.
    <BLANKLINE>
    Raised when: groups was given, and cv puts rows of one group on both sides of a split.
    <BLANKLINE>
    To do: split by group, as the default splits do. The default splits keep groups together
    where groups= is given, and so do GroupShuffleSplit or StratifiedGroupKFold. The
    splitter used does not look at groups.
    """
    print(explained(code))


def explained(code: str | None = None) -> str:
    """Return the explanation of a doubt, case by case; without a code, list all doubts."""
    if code is None:
        return "\n\n".join(map(_listed, WEIGHTS))
    key = str(code).strip().upper()
    if key not in CATALOGUE:
        near = " or ".join(get_close_matches(key, CATALOGUE))
        hint = f"did you mean {near}?" if near else "`skstat explain` lists all codes."
        raise ValueError(f"there is no doubt of the code {code!r}; {hint}")
    kind = CATALOGUE[key]
    weights = sorted({rule.weight for rule in kind.rules}, key=WEIGHTS.index)
    paragraphs = [f"{kind.code} {kind.title}"]
    paragraphs += [f"{weight.capitalize()}: {_MEANING[weight]}." for weight in weights]
    several = len(kind.rules) > 1
    if several:
        paragraphs.append("It is raised in each of these cases:")
    for number, rule in enumerate(kind.rules, start=1):
        weight = f" ({rule.weight})" * (len(weights) > 1)
        case = f"{number}.{weight}" if several else "Raised when:"
        when = plain(rule.words[0]) or "Python leaves the explanations out (-OO)."
        paragraphs += [f"{case} {when}", f"To do: {rule.action}. {rule.advice}".strip()]
    return "\n\n".join(textwrap.fill(text, 88) for text in paragraphs)


def _listed(weight: Weight) -> str:
    """List the doubts whose most serious weight is this one."""
    kinds = [CATALOGUE[code] for code in sorted(CATALOGUE)]
    lines = [f"  {kind.code} {kind.title}" for kind in kinds if kind.weight == weight]
    return "\n".join([f"{weight.capitalize()}: {_MEANING[weight]}", *lines])
