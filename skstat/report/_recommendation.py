"""Which test is recommended for a situation, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from skstat._site import page_url
from skstat.report._blocks import Block, Link, known
from skstat.report._forms import ReportForms
from skstat.report._words import share_of_rows
from skstat.stats._common import Stored


@dataclass(frozen=True, kw_only=True)
class Alternative(Stored):
    """Another test for the same situation, and when to take it."""

    _written = ("name", "when")

    name: str
    when: str

    def __str__(self) -> str:
        return f"{self.name} ({self.when})"


@dataclass(frozen=True, kw_only=True, repr=False)
class Recommendation(ReportForms, Stored):
    """The test that suits a situation, the reason, and the alternatives.

    Reports have one as ``choice`` unless the caller chose the test, and
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
    def url(self) -> str | None:
        """Row of the table that the rule is from; None while that is not online."""
        return page_url("choosing", self.situation)

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        rows = [
            ("Test", self.title.removesuffix(",")),
            ("Because", self.reason),
            ("Call", self.ask),
            ("Design", _design_in_words(self.design)),
            ("Alternatives", "; ".join(map(str, self.alternatives))),
            ("Would need", "; ".join(self.needs)),
            ("Caution", " ".join(self.cautions)),
        ]
        links = [] if self.url is None else [Link("Situation", self.situation, self.url)]
        return [known(rows), *links]

    def _records(self) -> list[dict[str, Any]]:
        names = ("name", "title", "ask", "reason", "situation")
        return [{name: getattr(self, name) for name in names}]


def _design_in_words(design: Mapping[str, Any] | None) -> str:
    """Write the splits of a recommended design."""
    if design is None or "test_size" not in design:
        return "" if design is None else str(design["kind"])
    tested = share_of_rows(design["test_size"])
    return f"{design['n_splits']} {design['kind']}, {tested} of the rows for testing"
