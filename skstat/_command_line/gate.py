"""Conditions on a candidate that make a comparison a gate, and their results."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, NamedTuple

from skstat._command_line.answer import CommandError
from skstat._names import clip, clip_all, one_line

# Exit status.
_STATUS = {"pass": 0, "fail": 1, "3": 3}
OPEN = "undecided"
# The verdict that a one-sided test cannot have.
_NOT_FOUND = {"greater": "worse", "less": "better"}
_BY_DRAWS = "it is so near to the level that other random draws may give another answer"


class Condition(NamedTuple):
    """A statement about the candidate, and the verdicts that show it or its opposite.

    A verdict in neither set leaves it undecided: absence of evidence is not evidence.

    Attributes
    ----------
    what : str
        The statement, such as ``"worse than"`` the baseline.
    shown, refuted : set of str
        Verdicts of a report that show the statement, or its opposite.
    must_be : bool
        Whether the statement must be true for the gate to pass, or must be false.
    needs : sequence of str
        Options that the condition requires: ``"margin"``; ``"by"``, if it is checked in every
        slice instead of on all rows; ``"rope"``, if it is about a probability, whose verdicts
        are ``"probable"`` and ``"improbable"``.
    claim : str
        The statement of the probability, ``"worse"`` or ``"better"``; else empty.
    """

    what: str
    shown: Set[str]
    refuted: Set[str]
    must_be: bool = False
    needs: Sequence[str] = ()
    claim: str = ""

    def result_of(self, verdict: str) -> str:
        """Return ``"pass"``, ``"fail"`` or ``"undecided"``."""
        if verdict in self.shown:
            return "pass" if self.must_be else "fail"
        return ("fail" if self.must_be else "pass") if verdict in self.refuted else OPEN

    def statement(self, result: str, names: Sequence[str], metric: str) -> str:
        """Return the result for a candidate and a baseline as a sentence, without full stop."""
        (a, b), m = clip_all(names), clip(metric)
        if result != OPEN:
            probably = "probably " if self.claim else ""
            negated = "" if (result == "pass") == self.must_be else "not "
            return f"{a} is {probably}{negated}{self.what} {b} in {m}"
        if self.claim:
            return f"neither is probable enough: that {a} is {self.what} {b} in {m}, or not"
        return f"the data do not show whether {a} is {self.what} {b} in {m}"


_NOT_WORSE, _PROBABLE = {"better", "equivalent", "not inferior"}, ({"probable"}, {"improbable"})
_ROPE = ["rope"]
CONDITIONS = {
    "worse": Condition("worse than", {"worse"}, _NOT_WORSE),
    "not-better": Condition("better than", {"better"}, {"worse", "equivalent"}, must_be=True),
    "not-noninferior": Condition("inferior to", {"worse"}, _NOT_WORSE, needs=["margin"]),
    "probably-worse": Condition("worse than", *_PROBABLE, needs=_ROPE, claim="worse"),
    "not-probably-better": Condition("better than", *_PROBABLE, True, _ROPE, claim="better"),
    "worse-anywhere": Condition("worse than", {"worse"}, _NOT_WORSE, needs=["by"]),
    "not-noninferior-anywhere": Condition(
        "inferior to", {"worse"}, _NOT_WORSE, needs=["by", "margin"]
    ),
}
_NEEDS = {
    "rope": "the difference that is practically none, or 0 for no such region.",
    "by": "what cuts the rows into slices, such as --by topic.",
    "margin": "the smallest difference that matters. A candidate is not inferior if it was "
    "shown to be worse by less than that.",
}


def check_conditions(names: Sequence[str], options: Mapping[str, Any]) -> str:
    """Refuse conditions that lack an option, or could never have one of the results.

    Parameters
    ----------
    names : sequence of str
        Names of the conditions.
    options : mapping of str to object
        The options: alternative, margin, by and rope.

    Returns
    -------
    str
        What the gate is to show, for advice on more data: ``"better"``, ``"not worse"``, or
        empty, also if conditions differ.
    """
    never, to_show = _NOT_FOUND.get(options["alternative"]), set()
    for name in names:
        condition, option = CONDITIONS[name], f"--fail-if {name}"
        aim = "better" if condition.must_be else "not worse"
        to_show.add("" if condition.claim else aim)
        for need in condition.needs:
            if options[need] is None:
                raise CommandError(f"{option} needs --{need}: {_NEEDS[need]}")
        if condition.shown == {never}:
            end = "pass" if condition.must_be else "fail"
            raise CommandError(
                f"{option} could never {end} with --alternative {options['alternative']}"
                f", which cannot find that the candidate is {never}. Leave --alternative out."
            )
    return to_show.pop() if len(to_show) == 1 else ""


class Check(NamedTuple):
    """One condition on one candidate by one metric, on all rows or in a slice.

    Attributes
    ----------
    fail_if : str
        Name of the condition.
    result : {"pass", "fail", "undecided"}
        The result; undecided also if no p-value is valid.
    candidate, baseline, metric : str
        The systems, and the metric with the slice.
    verdict : str
        The verdict of the report on the candidate.
    statement, evidence : str
        The result as a sentence without full stop, and the numbers in one line.
    numbers : mapping of str to str
        The numbers as texts, with losses as losses; empty without a comparison.
    conclusion : str
        The conclusion of the report.
    by_draws : bool
        Whether other random draws could change the result.
    summary : str
        The statement, with the numbers if there are some.
    """

    fail_if: str
    result: str
    candidate: str
    baseline: str
    metric: str
    verdict: str
    statement: str
    evidence: str
    numbers: Mapping[str, str]
    conclusion: str
    by_draws: bool
    summary: str

    @property
    def line(self) -> str:
        """Result, statement and numbers in one line."""
        return one_line(f"{self.result.upper()}: {self.summary}")


def _check(
    name: str, report: Any, verdicts: Sequence[str], metric: str, left_out: str = ""
) -> Check:
    """Return the check of a condition by the report on a pair.

    `verdicts` are that of the report, and those that other draws could give. For a slice that
    was left out, `report` is the grid.
    """
    condition = CONDITIONS[name]
    by_draws = len(set(map(condition.result_of, verdicts))) > 1
    reason = _BY_DRAWS if by_draws else ""
    if left_out:
        reason = f"it was not compared ({left_out})"
    elif report.invalid:
        reason = f"the p-values are not valid: {report.invalid}"
    result = OPEN if reason else condition.result_of(verdicts[0])
    names = candidate, baseline = report.systems if left_out else report.names
    numbers, evidence = {}, ""
    if not left_out:
        numbers = _numbers(report, condition.claim)
        doubts = ""
        for doubt in report.doubts:
            if doubt.weight == "weak":
                doubts += f"{', ' if doubts else 'doubts: '}{doubt.title} ({doubt.code})"
        tested = f"difference {numbers['difference']}, {numbers['interval']}, {numbers['p']}"
        parts = (numbers.get("probable"), tested, numbers.get("margin"), doubts)
        evidence = "; ".join(filter(None, parts))
    statement = "; ".join(filter(None, (condition.statement(result, names, metric), reason)))
    return Check(
        fail_if=name,
        result=result,
        candidate=candidate,
        baseline=baseline,
        metric=metric,
        verdict=verdicts[0],
        statement=statement,
        evidence=evidence,
        numbers=numbers,
        conclusion=report.conclusion,
        by_draws=by_draws,
        summary=f"{statement} ({evidence})" if evidence else statement,
    )


def _numbers(pair: Any, claim: str) -> dict[str, str]:
    """Return the numbers of a pair as texts."""
    from skstat.report import _terms as say

    row, level, numbers = pair.pairs[0], pair.confidence_level, {}
    decimals = say.decimals_of_pairs(row)
    if claim:
        chance = say.probability_texts(pair.probabilities)[claim]
        rope = pair.probabilities["rope"]
        beyond = f" by more than {say.short(rope)}" if rope else ""
        numbers["probable"] = f"{claim}{beyond} with probability {chance}"
    numbers |= {
        "difference": say.fixed(row.estimate, decimals, sign=True),
        "interval": f"{say.percent(level)} interval {say.span(row.low, row.high, decimals)}",
        "p": "adjusted " * bool(pair.adjustment) + say.pvalue_text(row.p),
    }
    if pair.margin is not None:
        inner = say.percent(round(2 * level - 1, 12))
        limits = say.span(row.inner_low, row.inner_high, decimals)
        numbers["margin"] = f"margin {say.short(pair.margin)}: {inner} interval {limits}"
    return numbers


class Judgement(NamedTuple):
    """All checks of a gate, and the overall result.

    Attributes
    ----------
    checks : sequence of Check
        At least one.
    undecided : {"pass", "fail", "3"}
        The exit status where nothing failed and something is undecided.
    result : {"fail", "undecided", "pass"}
        ``"fail"`` if one check fails, else ``"undecided"`` if one is, else ``"pass"``.
    status : int
        The exit status.
    line : str
        One line for the log.
    by_draws : bool
        Whether other random draws could change the result of a check.
    """

    checks: Sequence[Check]
    undecided: str
    result: str
    status: int
    line: str
    by_draws: bool


def judge(
    report: Any, names: Sequence[str], baseline: str, undecided: str, probability: float
) -> Judgement:
    """Check every condition for every candidate, by every metric.

    Parameters
    ----------
    report : Report or ReportGrid
        The report; the baseline is the second of every pair with it.
    names : sequence of str
        The conditions.
    baseline : str
        Name of the system that the others are compared with.
    undecided : {"pass", "fail", "3"}
        The exit status if something is undecided.
    probability : float
        The probability that a condition on probabilities requires.
    """
    by_metric = report.reports.values() if getattr(report, "by", "") == "metric" else [report]
    checks: list[Check] = []
    for metric_report in by_metric:
        overall = getattr(metric_report, "overall", metric_report)
        metric, in_slices, slice_checks = overall.evidence.metric, list[str](), list[Check]()
        for name in names:
            needs = CONDITIONS[name].needs
            if "margin" in needs and overall.margin is None:
                raise CommandError(
                    f"--fail-if {name} needs a margin for every metric, and {metric} has none: "
                    f"--margin {metric}=SIZE."
                )
            if "by" in needs:
                in_slices.append(name)
        for a, b, *_ in overall.pairs:
            for name in names if b == baseline else ():
                if name not in in_slices:
                    verdicts = _verdicts(overall[a, b], name, probability)
                    checks.append(_check(name, overall[a, b], verdicts, metric))
            sliced = _slices(metric_report, a, b) if in_slices and b == baseline else ()
            for where, part, verdicts, why in sliced:
                in_slice = f"{metric} where {one_line(where)}"
                slice_checks += [_check(n, part, verdicts, in_slice, why) for n in in_slices]
        checks += slice_checks
    by_result: dict[str, list[Check]] = {}
    for check in checks:
        by_result.setdefault(check.result, []).append(check)
    result = min(by_result, key=("fail", OPEN, "pass").index)
    head, deciding = result.upper(), by_result[result]
    if result == OPEN and undecided != "3":
        head += f" (counts as a {undecided})"
    if len(checks) > 1:
        head += f", {len(deciding)} of {len(checks)} checks"
    status, line = _STATUS[undecided if result == OPEN else result], deciding[0].summary
    by_draws = any(check.by_draws for check in checks)
    return Judgement(checks, undecided, result, status, one_line(f"{head}: {line}"), by_draws)


def _slices(report: Any, a: str, b: str) -> Iterator[tuple[str, Any, list[str], str]]:
    """Yield the slices of a pair: name, report, verdicts, and why it was left out.

    To show that a candidate is not worse by the margin in any slice, each slice must show it,
    without adjustment for slices (`not_worse_anywhere`). If this fails because of other
    candidates, the slice with the largest p-value is undecided; if slices were left out, these
    are.
    """
    from skstat.report._doubts import margin_is_near

    grid = report if len(report.overall.pairs) == 1 else report[a, b]
    alpha, everywhere = 1 - grid.overall.confidence_level, grid.not_worse_anywhere
    margins = {name: part.evidence.equivalence for name, part in grid.reports.items()}
    pvalues = {name: 1.0 if m is None else m.lower_pvalue for name, m in margins.items()}
    largest = 1.0 if grid.left_out else max(pvalues.values())
    for name, margin in margins.items():
        shown = pvalues[name] < alpha and (everywhere or pvalues[name] < largest)
        verdicts = grid[name].evidence.verdicts_of_draws
        verdicts = ["not inferior" if v == OPEN and shown else v for v in verdicts]
        possible = {OPEN, "not inferior"}
        if margin is not None and not possible.isdisjoint(verdicts):
            near = margin_is_near(replace(margin, adjusted=None), alpha)[1]
            verdicts += possible if near else ()
        yield name, grid[name], verdicts, ""
    for name, why in grid.left_out.items():
        yield name, grid, [OPEN], why


def _verdicts(pair: Any, name: str, probability: float) -> list[str]:
    """Return the verdict for a condition, and those that other random draws could give."""
    if not (claim := CONDITIONS[name].claim):
        return pair.evidence.verdicts_of_draws
    posterior = pair.evidence.posterior
    if posterior is None:
        raise CommandError(
            f"--fail-if {name} goes by a probability, and there is none in "
            f"{pair.evidence.metric}: the differences do not vary."
        )
    from skstat.report._doubts import is_near

    value = getattr(posterior.probabilities, claim)
    errors = posterior.monte_carlo_errors
    error = 0.0 if errors is None else getattr(errors, claim)
    bounds = {"probable": probability, "improbable": 1 - probability}
    verdict = OPEN
    if not 1 - probability < value < probability:
        verdict = "probable" if value >= probability else "improbable"
    near_bounds = [name for name, bound in bounds.items() if is_near(value, bound, error)]
    return [verdict, *near_bounds, *[OPEN] * bool(near_bounds)]
