"""A doubt that was found, and its kind."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

from skstat.report._doubts.case import Case

DOCS = "https://skstat.readthedocs.io/en/stable/doubts.html"

Rule = Callable[[Any], str | None]
AnyRule = TypeVar("AnyRule", bound=Rule)


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A reason for doubt that was found, in one sentence."""

    code: str
    title: str
    text: str

    @property
    def url(self) -> str:
        """Page that says what to do about it."""
        return f"{DOCS}#{self.code.lower()}"

    def __str__(self) -> str:
        return f"{self.code} {self.title}: {self.text}"


def doubts_to_dicts(doubts: Iterable[Doubt]) -> list[dict[str, str]]:
    """Return doubts as plain values."""
    return [asdict(doubt) | {"url": doubt.url} for doubt in doubts]


def doubts_from_dicts(states: Iterable[Mapping[str, Any]]) -> tuple[Doubt, ...]:
    """Rebuild doubts from their plain values."""
    return tuple(Doubt(code=d["code"], title=d["title"], text=d["text"]) for d in states)


@dataclass(frozen=True, kw_only=True, eq=False)
class DoubtKind:
    """A kind of doubt: when it is raised, what to do about it, and its sentence.

    Attributes
    ----------
    code : str
        ``SKS`` and three digits, of which the first tells the subject. It is never reused.
    title : str
        What is doubtful, in a few words.
    when, advice : str
        When it is raised, and what to do about it, for the documentation.
    rule : callable
        From a case to the sentence, or None where the doubt does not apply.
    rules : dict
        The classes of case that the doubt is asked of, and the rule for each.
    about_verdict : bool
        Whether it hangs on the p-value that decides. Where this is adjusted for other
        comparisons, the doubt is judged anew.
    names_a_and_b : bool
        Whether the sentence speaks of A and B, so that it must be said who they are where
        several pairs are compared.
    """

    code: str
    title: str
    when: str
    advice: str
    rule: Rule
    rules: dict[type, Rule] = field(default_factory=dict)
    about_verdict: bool = False
    names_a_and_b: bool = False

    def __call__(self, case: Any) -> str | None:
        return self.rule(case)

    def of(self, case: type) -> Callable[[AnyRule], AnyRule]:
        """Decorate a rule for cases of another class."""

        def add(rule: AnyRule) -> AnyRule:
            self.rules[case] = rule
            return rule

        return add

    def find(self, case: Any) -> Doubt | None:
        """Return the doubt if it is asked of such a case, and applies."""
        rule = self.rules.get(type(case))
        text = None if rule is None else rule(case)
        return None if text is None else Doubt(code=self.code, title=self.title, text=text)


def doubt(
    code: str,
    title: str,
    *,
    when: str,
    advice: str,
    of: type | tuple[type, ...] = Case,
    about_verdict: bool = False,
    names_a_and_b: bool = False,
) -> Callable[[Rule], DoubtKind]:
    """Make a rule the kind of doubt that it is the rule of, asked of the cases in `of`."""
    cases = of if isinstance(of, tuple) else (of,)

    def make(rule: Rule) -> DoubtKind:
        return DoubtKind(
            code=code,
            title=title,
            when=when,
            advice=advice,
            rule=rule,
            rules=dict.fromkeys(cases, rule),
            about_verdict=about_verdict,
            names_a_and_b=names_a_and_b,
        )

    return make
