"""Which test is recommended for a situation, and why."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from skstat.report._escape import escape, escape_markdown, markdown_table
from skstat.report._page import ShownForms
from skstat.stats._restoring import restoring

DOCS = "https://skstat.readthedocs.io/en/stable/choosing.html"
_CELL = 'style="text-align:left;vertical-align:top"'


@dataclass(frozen=True, kw_only=True)
class Alternative:
    """Another test for the same situation, and when to take it."""

    name: str
    when: str

    def __str__(self) -> str:
        return f"{self.name} ({self.when})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Recommendation(ShownForms):
    """The test for a situation, why it is the one, and what else there is.

    Reports carry one as ``choice`` when it was not the caller who chose the test, and
    :func:`skstat.recommend_test` returns one.

    Attributes
    ----------
    name : str
        What is run: a name of :mod:`skstat.stats`, or of a front door.
    title : str
        Its name in words.
    ask : str
        The call that asks it.
    reason : str
        Why, as what follows "because".
    alternatives : tuple of Alternative
        Other tests, each with its ``name`` and ``when`` to take it.
    needs : tuple of str
        What would be needed for more, each as what follows "would need".
    cautions : tuple of str
        What must not be concluded, or be overlooked.
    situation : str
        Stable id of the rule that applied.
    design : mapping or None
        Splits to fit estimators on: ``kind``, ``n_splits``, and ``test_size`` of random
        ones. None where nothing is to be fitted, or the splits were given.
    """

    name: str
    title: str
    ask: str
    reason: str
    situation: str
    alternatives: tuple[Alternative, ...] = ()
    needs: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    design: Mapping[str, Any] | None = field(default=None, hash=False)

    @property
    def url(self) -> str:
        """Row of the table that the rule is from."""
        return f"{DOCS}#{self.situation}"

    @property
    def text(self) -> str:
        """The recommendation in a few lines, as a terminal shows it."""
        return "\n".join(f"{label}: {text}" for label, text in self._rows())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th scope="row" {_CELL[:-1]};min-width:8em">{escape(label)}</th>'
            f"<td {_CELL}>{escape(text)}</td></tr>"
            for label, text in self._rows()
        )
        link = f'<a href="{escape(self.url)}">{escape(self.situation)}</a>'
        return (
            '<div class="skstat-recommendation" style="overflow-wrap:anywhere">'
            f"<table><tbody>{rows}</tbody></table>"
            f"<p>Situation: {link}</p></div>"
        )

    def to_markdown(self) -> str:
        """Return the recommendation as a Markdown table."""
        link = f"Situation: [{escape_markdown(self.situation)}]({self.url})"
        return f"{markdown_table([('', ''), *self._rows()])}\n\n{link}\n"

    def _rows(self) -> Iterable[tuple[str, str]]:
        """Label and text of what there is to say."""
        rows = [
            ("Test", self.title.removesuffix(",")),
            ("Because", self.reason),
            ("Ask", self.ask),
            ("Design", design_in_words(self.design)),
            ("Alternatives", "; ".join(map(str, self.alternatives))),
            ("Would need", "; ".join(self.needs)),
            ("Caution", " ".join(self.cautions)),
        ]
        return [(label, text) for label, text in rows if text]

    def to_dict(self) -> dict[str, Any]:
        """Return the recommendation as plain values."""
        state = asdict(self)
        return {
            **state,
            "alternatives": [dict(other) for other in state["alternatives"]],
            "needs": list(self.needs),
            "cautions": list(self.cautions),
            "design": None if self.design is None else dict(self.design),
            "url": self.url,
        }

    @classmethod
    @restoring
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore a recommendation from its ``to_dict()``."""
        kept = {name: value for name, value in state.items() if name != "url"}
        return cls(
            **kept
            | {
                "alternatives": tuple(Alternative(**other) for other in state["alternatives"]),
                "needs": tuple(state["needs"]),
                "cautions": tuple(state["cautions"]),
            }
        )


def choice_text(choice: Mapping[str, Any] | None) -> str:
    """Write a recommendation's dictionary in one line; nothing if there is none."""
    if choice is None:
        return ""
    bits = [f"used {choice['title']} because {choice['reason']}"]
    others = [f"{other['name']} ({other['when']})" for other in choice["alternatives"]]
    if others:
        bits.append(f"alternatives: {', '.join(others)}")
    if choice["needs"]:
        bits.append(f"would need {', '.join(choice['needs'])}")
    return "; ".join(bits)


def design_in_words(design: Mapping[str, Any] | None) -> str:
    """Write the splits of a recommended design."""
    if design is None:
        return ""
    if "test_size" not in design:
        return str(design["kind"])
    return (
        f"{design['n_splits']} {design['kind']}, {percent_of(design['test_size'])} of the rows "
        "for testing"
    )


def percent_of(share: float) -> str:
    """Write one third and one tenth as words, other shares as percentages."""
    known = {1 / 3: "one third", 1 / 10: "one tenth", 1 / 2: "half"}
    return known.get(share, f"{100 * share:.0f} %")
