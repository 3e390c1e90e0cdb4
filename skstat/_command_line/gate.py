"""A comparison as a gate: what must not be true of a candidate, and whether it is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from skstat._command_line.answer import CommandError
from skstat._names import clip, clip_all, one_line

# What the shell is told of each result; of an undecided one it is as asked.
_STATUS = {"pass": 0, "fail": 1}
OPEN = "undecided"
# What a test in one direction cannot find.
_NOT_FOUND = {"greater": "worse", "less": "better"}
_BY_DRAWS = "it is so near to the level that other random draws may give another answer"
_NOT_WORSE = frozenset({"better", "equivalent", "not inferior"})


@dataclass(frozen=True)
class Condition:
    """A statement on the candidate, and the verdicts that show it or its opposite.

    A verdict in neither set leaves it open: absence of evidence is not evidence.

    Attributes
    ----------
    what : str
        What the candidate may be: ``"worse than"`` the baseline, in the metric.
    shown, refuted : frozenset of str
        Verdicts of a report that show it, or its opposite.
    must_be : bool
        Whether the candidate must be it, or must not.
    needs_margin : bool
        Whether the statement says nothing without a margin.
    anywhere : bool
        Whether it is made of every slice of the rows, instead of all rows.
    claim : str
        What it asks the probability of, ``"worse"`` or ``"better"``; else empty. The verdicts
        are then ``"probable"`` and ``"improbable"``.
    """

    what: str
    shown: frozenset[str]
    refuted: frozenset[str]
    must_be: bool = False
    needs_margin: bool = False
    anywhere: bool = False
    claim: str = ""

    @property
    def to_show(self) -> str:
        """What more items would be to show: ``"better"``, ``"not worse"``, or empty."""
        if self.claim:
            return ""
        return "better" if self.must_be else "not worse"

    def result_of(self, verdict: str) -> str:
        """Return ``"pass"``, ``"fail"`` or ``"undecided"``."""
        if verdict in self.shown:
            return "pass" if self.must_be else "fail"
        return ("fail" if self.must_be else "pass") if verdict in self.refuted else OPEN

    def statement(self, result: str, names: Sequence[str], metric: str) -> str:
        """Say what was shown of a candidate and a baseline, as a sentence without its end."""
        (a, b), m = clip_all(names), clip(metric)
        if result != OPEN:
            probably = "probably " if self.claim else ""
            negated = "" if (result == "pass") == self.must_be else "not "
            return f"{a} is {probably}{negated}{self.what} {b} in {m}"
        if self.claim:
            return f"neither is probable enough: that {a} is {self.what} {b} in {m}, or not"
        return f"the data do not show whether {a} is {self.what} {b} in {m}"


CONDITIONS = {
    "worse": Condition("worse than", frozenset({"worse"}), _NOT_WORSE),
    "not-better": Condition(
        "better than", frozenset({"better"}), frozenset({"worse", "equivalent"}), must_be=True
    ),
    "not-noninferior": Condition(
        "inferior to", frozenset({"worse"}), _NOT_WORSE, needs_margin=True
    ),
}
CONDITIONS |= {
    name: Condition(
        f"{claim} than",
        frozenset({"probable"}),
        frozenset({"improbable"}),
        must_be=claim == "better",
        claim=claim,
    )
    for name, claim in {"probably-worse": "worse", "not-probably-better": "better"}.items()
}
# In slices a candidate may be found worse, and shown not to be.
CONDITIONS |= {
    f"{name}-anywhere": replace(CONDITIONS[name], anywhere=True)
    for name in ("worse", "not-noninferior")
}


def check_conditions(names: Sequence[str], given: Mapping[str, Any]) -> None:
    """Refuse a gate that lacks something, or could not have both results.

    Parameters
    ----------
    names : sequence of str
        Conditions that are asked.
    given : mapping of str to object
        The options: alternative, margin, by and rope.
    """
    for name in names:
        condition, option = CONDITIONS[name], f"--fail-if {name}"
        if condition.claim and given["rope"] is None:
            raise CommandError(
                f"{option} needs --rope: the difference that is practically none, or 0 for no "
                "such region."
            )
        if condition.anywhere and given["by"] is None:
            raise CommandError(
                f"{option} needs --by: what cuts the rows into slices, such as --by topic."
            )
        if condition.needs_margin and given["margin"] is None:
            raise CommandError(
                f"{option} needs --margin: the smallest difference that matters. A candidate "
                "is not inferior if it was shown to be worse by less than that."
            )
        hidden = _NOT_FOUND.get(given["alternative"])
        if condition.shown == {hidden}:
            end = "pass" if condition.must_be else "fail"
            raise CommandError(
                f"{option} could never {end} with --alternative {given['alternative']}, which "
                f"cannot find that the candidate is {hidden}. Leave --alternative out."
            )


@dataclass(frozen=True)
class Check:
    """One condition on one candidate by one metric, on all rows or in a slice.

    Attributes
    ----------
    fail_if : str
        Name of the condition.
    report : Report or ReportGrid
        That of the candidate against the baseline; of a slice that was left out the grid.
    verdicts : sequence of str
        The verdict that the condition goes by, and others that draws may well give.
    metric : str
        By which metric, and in which slice.
    left_out : str
        Why the slice was not compared; empty if it was.
    """

    fail_if: str
    report: Any
    verdicts: Sequence[str]
    metric: str
    left_out: str = ""

    @property
    def names(self) -> tuple[str, str]:
        """The candidate and the baseline."""
        found: tuple[str, str] = self.report.systems if self.left_out else self.report.names
        return found

    @property
    def by_draws(self) -> bool:
        """Whether the result may well be another one by other random draws."""
        return len(set(map(CONDITIONS[self.fail_if].result_of, self.verdicts))) > 1

    @property
    def open_since(self) -> str:
        """Why there is no result whatever the verdict; empty if there may be one."""
        if self.left_out:
            return f"it was not compared ({self.left_out})"
        if self.report.invalid:
            return f"the p-values are not valid: {self.report.invalid}"
        return _BY_DRAWS if self.by_draws else ""

    @cached_property
    def result(self) -> str:
        """``"pass"``, ``"fail"``, or ``"undecided"``: also where no p-value is valid."""
        return OPEN if self.open_since else CONDITIONS[self.fail_if].result_of(self.verdicts[0])

    @property
    def statement(self) -> str:
        """What was shown, as a sentence without its end."""
        said = CONDITIONS[self.fail_if].statement(self.result, self.names, self.metric)
        return f"{said}; {self.open_since}" if self.open_since else said

    @cached_property
    def numbers(self) -> dict[str, str]:
        """The numbers, as a person reads them: losses as losses; none without a comparison."""
        from skstat.report import _words as say

        if self.left_out:
            return {}
        pair, row = self.report, self.report.pairs[0]
        decimals, claim = say.decimals_of_pairs(row), CONDITIONS[self.fail_if].claim
        found = {}
        if claim:
            chance = say.probability_texts(pair.probabilities)[claim]
            rope = pair.probabilities["rope"]
            beyond = f" by more than {say.short(rope)}" if rope else ""
            found["probable"] = f"{claim}{beyond} with probability {chance}"
        level, limits = (
            say.percent(pair.confidence_level),
            say.span(row.low, row.high, decimals),
        )
        found |= {
            "difference": say.fixed(row.estimate, decimals, sign=True),
            "interval": f"{level} interval {limits}",
            "p": "adjusted " * bool(pair.adjustment) + say.pvalue_text(row.p),
        }
        if pair.margin is not None:
            level = say.percent(round(2 * pair.confidence_level - 1, 12))
            limits = say.span(row.inner_low, row.inner_high, decimals)
            found["margin"] = f"margin {say.short(pair.margin)}: {level} interval {limits}"
        return found

    @property
    def evidence(self) -> str:
        """The numbers, and doubts that weaken them, in one line."""
        if self.left_out:
            return ""
        said = self.numbers
        tested = f"difference {said['difference']}, {said['interval']}, {said['p']}"
        weak = [f"{d.title} ({d.code})" for d in self.report.doubts if d.weight == "weak"]
        doubts = f"doubts: {', '.join(weak)}" if weak else ""
        return "; ".join(
            filter(None, (said.get("probable"), tested, said.get("margin"), doubts))
        )

    @property
    def said(self) -> str:
        """The statement, with the numbers that there are."""
        return f"{self.statement} ({self.evidence})" if self.evidence else self.statement

    @property
    def line(self) -> str:
        """Result, statement and numbers in one line."""
        return one_line(f"{self.result.upper()}: {self.said}")

    def to_dict(self) -> dict[str, str]:
        """Return plain values."""
        candidate, baseline = self.names
        return {
            "fail_if": self.fail_if,
            "result": self.result,
            "candidate": candidate,
            "baseline": baseline,
            "metric": self.metric,
            "verdict": self.verdicts[0],
            "statement": self.statement,
            "evidence": self.evidence,
        }


@dataclass(frozen=True)
class Judgement:
    """All checks of a gate.

    Attributes
    ----------
    checks : sequence of Check
        At least one.
    undecided : {"pass", "fail", "3"}
        What to tell the shell where nothing failed and something is undecided.
    """

    checks: Sequence[Check]
    undecided: str

    @cached_property
    def result(self) -> str:
        """``"fail"`` if one fails, else ``"undecided"`` if one is, else ``"pass"``."""
        found = {check.result for check in self.checks}
        return next(name for name in ("fail", OPEN, "pass") if name in found)

    @property
    def status(self) -> int:
        """The exit status."""
        result = self.undecided if self.result == OPEN else self.result
        return _STATUS[result] if result in _STATUS else int(result)

    @property
    def line(self) -> str:
        """One line for the log."""
        deciding = [check for check in self.checks if check.result == self.result]
        head = self.result.upper()
        if self.result == OPEN and self.undecided in _STATUS:
            head += f" (counts as a {self.undecided})"
        if len(self.checks) > 1:
            head += f", {len(deciding)} of {len(self.checks)} checks"
        return one_line(f"{head}: {deciding[0].said}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "result": self.result,
            "exit_status": self.status,
            "checks": [check.to_dict() for check in self.checks],
        }


def judge(
    report: Any, names: Sequence[str], baseline: str, undecided: str, probability: float
) -> Judgement:
    """Ask every condition of every candidate, by every metric.

    Parameters
    ----------
    report : Report or ReportGrid
        In every pair with the baseline it is the second.
    names : sequence of str
        The conditions.
    baseline : str
        Name of the system that the others are held against.
    undecided : {"pass", "fail", "3"}
        What to tell the shell of what is undecided.
    probability : float
        How probable it must be, where a condition asks for that.
    """
    by_metric = report.reports.values() if getattr(report, "by", "") == "metric" else [report]
    checks: list[Check] = []
    for one in by_metric:
        whole = getattr(one, "overall", one)
        metric, pairs = whole.evidence.metric, [p[:2] for p in whole.pairs if p[1] == baseline]
        for name in names:
            if CONDITIONS[name].needs_margin and whole.margin is None:
                raise CommandError(
                    f"--fail-if {name} needs a margin for every metric, and {metric} has none: "
                    f"--margin {metric}=SIZE."
                )
        checks += [
            Check(name, pair, _verdicts(pair, name, probability), metric)
            for pair in map(whole.__getitem__, pairs)
            for name in names
            if not CONDITIONS[name].anywhere
        ]
        in_slices = [name for name in names if CONDITIONS[name].anywhere]
        for ends in pairs if in_slices else ():
            grid = one if len(whole.pairs) == 1 else one[ends]
            checks += [
                Check(name, part, verdicts, f"{metric} where {one_line(where)}", why)
                for where, part, verdicts, why in _slices(grid)
                for name in in_slices
            ]
    return Judgement(checks, undecided)


def _slices(grid: Any) -> Iterator[tuple[str, Any, list[str], str]]:
    """Walk the slices of a pair: name, report, verdicts (`_verdicts`), and why it is left out.

    That a candidate is not worse by the margin in any slice is shown where it is shown of each:
    this needs no adjustment for slices (`not_worse_anywhere`). Where it is not shown, because
    there are other candidates, the slice that shows it least is open; where slices were left
    out, these are.
    """
    from skstat.report._words import margin_is_near

    alpha, everywhere = 1 - grid.overall.confidence_level, grid.not_worse_anywhere
    margins = {name: part.evidence.equivalence for name, part in grid.reports.items()}
    pvalues = {name: 1.0 if m is None else m.lower_pvalue for name, m in margins.items()}
    least = 1.0 if grid.left_out else max(pvalues.values())
    for name, margin in margins.items():
        shown = pvalues[name] < alpha and (everywhere or pvalues[name] < least)
        found = ["not inferior" if v == OPEN and shown else v for v in _of_draws(grid[name])]
        near = margin is not None and margin_is_near(replace(margin, adjusted=None), alpha)[1]
        either = {OPEN, "not inferior"}
        yield name, grid[name], [*found, *(either if near and either & {*found} else ())], ""
    for name, why in grid.left_out.items():
        yield name, grid, [OPEN], why


def _of_draws(pair: Any) -> list[str]:
    """Return the verdict, and behind it those that other draws may well give."""
    return list(dict.fromkeys([pair.verdict, *sorted(pair.evidence.verdicts_of_draws)]))


def _verdicts(pair: Any, name: str, probability: float) -> list[str]:
    """Return the verdict that a condition goes by, and others that draws may well give."""
    claim, posterior = CONDITIONS[name].claim, pair.evidence.posterior
    if not claim:
        return _of_draws(pair)
    if posterior is None:
        raise CommandError(
            f"--fail-if {name} goes by a probability, and there is none in "
            f"{pair.evidence.metric}: the differences do not vary."
        )
    from skstat.report._words import is_near

    found = getattr(posterior.probabilities, claim)
    errors = posterior.monte_carlo_errors
    error = 0.0 if errors is None else getattr(errors, claim)
    bounds = {"probable": probability, "improbable": 1 - probability}
    verdict = OPEN
    if not 1 - probability < found < probability:
        verdict = "probable" if found >= probability else "improbable"
    near = [name for name, bound in bounds.items() if is_near(found, bound, error)]
    return [verdict, *near, *[OPEN] * bool(near)]
