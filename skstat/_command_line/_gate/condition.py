"""What a gate may ask of a candidate."""

from dataclasses import dataclass, replace

from skstat._command_line._errors import CommandError

# What a test in one direction cannot find.
_NOT_FOUND = {"greater": "worse", "less": "better"}


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A statement on the candidate, and the verdicts that decide it.

    A verdict in neither set leaves it open: absence of evidence is not evidence.

    Attributes
    ----------
    name : str
        What ``--fail-if`` takes: the opposite of the statement.
    holds, fails, is_open : str
        The statement, its opposite, and that neither was shown; about A, B and a metric M.
    passing, failing : frozenset of str
        Verdicts of a report that show the one or the other.
    needs_margin : bool
        Whether the statement says nothing without a margin.
    anywhere : bool
        Whether it is made of every slice of the rows, instead of all rows.
    claim : str
        What it asks the probability of, ``"worse"`` or ``"better"``; else empty. The verdicts
        are then ``"probable"`` and ``"improbable"``.
    """

    name: str
    holds: str
    fails: str
    is_open: str
    passing: frozenset[str]
    failing: frozenset[str]
    needs_margin: bool = False
    anywhere: bool = False
    claim: str = ""

    @property
    def to_show(self) -> str:
        """What more items would be to show: ``"better"``, ``"not worse"``, or empty."""
        if self.passing == {"better"}:
            return "better"
        return "not worse" if self.failing == {"worse"} else ""

    def result_of(self, verdict: str) -> str:
        """Return ``"pass"``, ``"fail"`` or ``"undecided"``."""
        if verdict in self.passing:
            return "pass"
        return "fail" if verdict in self.failing else "undecided"

    def check_possible(
        self, alternative: str | None, margin: bool, sliced: bool, rope: bool = False
    ) -> None:
        """Refuse a gate that could not have both results."""
        option = f"--fail-if {self.name}"
        if self.claim and not rope:
            raise CommandError(
                f"{option} needs --rope: the difference that is practically none, or 0 for no "
                "such region."
            )
        if self.anywhere and not sliced:
            raise CommandError(
                f"{option} needs --by: what cuts the rows into slices, such as --by topic."
            )
        if self.needs_margin and not margin:
            raise CommandError(
                f"{option} needs --margin: the smallest difference that matters. A candidate "
                "is not inferior if it was shown to be worse by less than that."
            )
        hidden = _NOT_FOUND.get(alternative or "")
        for verdicts, end in ((self.failing, "fail"), (self.passing, "pass")):
            if verdicts == {hidden}:
                raise CommandError(
                    f"{option} could never {end} with --alternative {alternative}, which "
                    f"cannot find that the candidate is {hidden}. Leave --alternative out."
                )


_NOT_WORSE = frozenset({"better", "equivalent", "not inferior"})

_OF_ALL_ROWS = (
    Condition(
        name="worse",
        holds="{a} is not worse than {b} in {m}",
        fails="{a} is worse than {b} in {m}",
        is_open="the data do not show whether {a} is worse than {b} in {m}",
        passing=_NOT_WORSE,
        failing=frozenset({"worse"}),
    ),
    Condition(
        name="not-better",
        holds="{a} is better than {b} in {m}",
        fails="{a} is not better than {b} in {m}",
        is_open="the data do not show whether {a} is better than {b} in {m}",
        passing=frozenset({"better"}),
        failing=frozenset({"worse", "equivalent"}),
    ),
    Condition(
        name="not-noninferior",
        holds="{a} is not inferior to {b} in {m}",
        fails="{a} is inferior to {b} in {m}",
        is_open="the data do not show whether {a} is inferior to {b} in {m}",
        passing=_NOT_WORSE,
        failing=frozenset({"worse"}),
        needs_margin=True,
    ),
    Condition(
        name="probably-worse",
        holds="{a} is probably not worse than {b} in {m}",
        fails="{a} is probably worse than {b} in {m}",
        is_open="neither is probable enough: that {a} is worse than {b} in {m}, or not",
        passing=frozenset({"improbable"}),
        failing=frozenset({"probable"}),
        claim="worse",
    ),
    Condition(
        name="not-probably-better",
        holds="{a} is probably better than {b} in {m}",
        fails="{a} is probably not better than {b} in {m}",
        is_open="neither is probable enough: that {a} is better than {b} in {m}, or not",
        passing=frozenset({"probable"}),
        failing=frozenset({"improbable"}),
        claim="better",
    ),
)


# In slices a candidate may be found worse, and shown not to be.
_IN_SLICES = tuple(
    replace(condition, name=f"{condition.name}-anywhere", anywhere=True)
    for condition in _OF_ALL_ROWS
    if condition.failing == {"worse"}
)
CONDITIONS = (*_OF_ALL_ROWS, *_IN_SLICES)


def condition_named(name: str) -> Condition:
    """Return the condition that ``--fail-if`` names."""
    return next(known for known in CONDITIONS if known.name == name)
