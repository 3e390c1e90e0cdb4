"""Whether the conditions of a gate hold, by the verdicts of a report."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from skstat._command_line._errors import CommandError
from skstat._command_line._gate.condition import Condition
from skstat._names import clip, clip_all, one_line

# What the shell is told of each result; of an undecided one it is as asked.
_STATUS = {"pass": 0, "fail": 1}
OPEN = "undecided"
_BY_DRAWS = "it is so near to the level that other random draws may give another answer"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One condition on one candidate by one metric.

    Attributes
    ----------
    condition : Condition
        What was asked.
    candidate, baseline, metric : str
        Of whom.
    verdict : str
        What the report found about the candidate.
    invalid : str
        Why its p-value is not valid; empty if it is.
    difference, interval, level, pvalue : str
        The numbers, as a person reads them: losses as losses.
    margin : str
        The margin, and the interval that is held against it; empty without one.
    probable : str
        The probability that the condition asks for; empty if it asks for none.
    weak : str
        Doubts that weaken it, by title and code; empty without any.
    conclusion : str
        The report's own sentence.
    by_draws : bool
        Whether the result may well be another one by other random draws, so that there is none.
    """

    condition: Condition
    candidate: str
    baseline: str
    metric: str
    verdict: str
    invalid: str
    difference: str
    interval: str
    level: str
    pvalue: str
    margin: str
    weak: str
    conclusion: str
    probable: str = ""
    by_draws: bool = False

    @property
    def result(self) -> str:
        """``"pass"``, ``"fail"``, or ``"undecided"``: also where no p-value is valid."""
        if self.invalid or self.by_draws:
            return OPEN
        return self.condition.result_of(self.verdict)

    @property
    def statement(self) -> str:
        """What was shown, as a sentence without its end."""
        forms = {"pass": self.condition.holds, "fail": self.condition.fails}
        said = forms.get(self.result, self.condition.is_open)
        candidate, baseline = clip_all((self.candidate, self.baseline))
        names = {"a": candidate, "b": baseline, "m": clip(self.metric)}
        sentence = said.format(**names)
        why = self.invalid or (_BY_DRAWS if self.by_draws else "")
        return f"{sentence}; {why}" if why else sentence

    @property
    def evidence(self) -> str:
        """The numbers in one line."""
        interval = f"{self.level} interval {self.interval}"
        numbers = f"difference {self.difference}, {interval}, {self.pvalue}"
        doubts = f"doubts: {self.weak}" if self.weak else ""
        parts = [self.probable, numbers if self.difference else "", self.margin, doubts]
        return "; ".join(filter(None, parts))

    @property
    def line(self) -> str:
        """Result, statement and numbers in one line."""
        return one_line(f"{self.result.upper()}: {self.said}")

    @property
    def said(self) -> str:
        """The statement, with the numbers that there are."""
        return f"{self.statement} ({self.evidence})" if self.evidence else self.statement

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "fail_if": self.condition.name,
            "result": self.result,
            "candidate": self.candidate,
            "baseline": self.baseline,
            "metric": self.metric,
            "verdict": self.verdict,
            "statement": self.statement,
            "evidence": self.evidence,
        }


@dataclass(frozen=True)
class Judgement:
    """All checks of a gate.

    Attributes
    ----------
    checks : tuple of Check
        At least one.
    undecided : {"pass", "fail", "3"}
        What to tell the shell where nothing failed and something is undecided.
    """

    checks: tuple[Check, ...]
    undecided: str

    @property
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
    def deciding(self) -> tuple[Check, ...]:
        """The checks that the result rests on."""
        return tuple(check for check in self.checks if check.result == self.result)

    @property
    def by_draws(self) -> bool:
        """Whether some check depends on what is drawn."""
        return any(check.by_draws for check in self.checks)

    @property
    def line(self) -> str:
        """One line for the log."""
        first, n, of = self.deciding[0], len(self.deciding), len(self.checks)
        head = self.result.upper()
        if self.result == OPEN and self.undecided in _STATUS:
            head += f" (counts as a {self.undecided})"
        if of > 1:
            head += f", {n} of {of} checks"
        return one_line(f"{head}: {first.said}")

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "result": self.result,
            "exit_status": self.status,
            "checks": [check.to_dict() for check in self.checks],
        }


def judge(
    report: Any,
    conditions: Sequence[Condition],
    baseline: str,
    undecided: str,
    probability: float = 0.95,
) -> Judgement:
    """Ask every condition of every candidate, by every metric.

    Parameters
    ----------
    report : Report or ReportGrid
        In every pair with the baseline it is the second.
    conditions : sequence of Condition
        What must hold.
    baseline : str
        Name of the system that the others are held against.
    undecided : {"pass", "fail", "3"}
        What to tell the shell of what is undecided.
    probability : float
        How probable it must be, where a condition asks for that.
    """
    of_rows = [condition for condition in conditions if not condition.anywhere]
    in_slices = [condition for condition in conditions if condition.anywhere]
    checks = []
    for one in _by_metric(report):
        pairs = [pair for pair in _pairs(one) if pair.names[1] == baseline]
        checks += [
            _check(pair, condition, _verdicts(pair, condition, probability))
            for pair in pairs
            for condition in of_rows
        ]
        slices = chain(*map(_slices, _sliced(one, baseline))) if in_slices else ()
        checks += [
            replace(
                _check(pair, condition, verdicts),
                metric=f"{pair.evidence.metric} where {one_line(name)}",
            )
            for name, pair, verdicts in slices
            for condition in in_slices
        ]
        checks += [
            _not_compared(part, condition, name, why)
            for part in (_sliced(one, baseline) if in_slices else ())
            for name, why in part.left_out.items()
            for condition in in_slices
        ]
    return Judgement(tuple(checks), undecided)


def _by(report: Any) -> str:
    """Return what the reports of a grid differ in; empty of a single report."""
    return str(getattr(report, "by", ""))


def _by_metric(report: Any) -> list[Any]:
    return list(report.reports.values()) if _by(report) == "metric" else [report]


def _sliced(report: Any, baseline: str) -> list[Any]:
    """Return the report in slices of every candidate with the baseline."""
    pairs = [pair.names for pair in report.evidence.pairs]
    if len(pairs) == 1:
        return [report]
    return [report[names] for names in pairs if names[1] == baseline]


def _slices(report: Any) -> Iterator[tuple[str, Any, list[str]]]:
    """Walk the slices: name, comparison, and the verdicts that a gate goes by (`_verdicts`).

    That a candidate is not worse by the margin in any slice is shown where it is shown of each:
    this needs no adjustment for slices (`not_worse_anywhere`). Where it is not shown, because
    there are other candidates, the slice that shows it least is open; where slices were left
    out, these are (`_not_compared`).
    """
    from skstat.report._words import margin_is_near

    alpha, everywhere = 1 - report.overall.confidence_level, report.not_worse_anywhere
    margins = {name: pair.evidence.equivalence for name, pair in report.reports.items()}
    pvalues = [1.0 if one is None else one.lower_pvalue for one in margins.values()]
    least = 1.0 if report.left_out else max(pvalues)
    for (name, margin), pvalue in zip(margins.items(), pvalues, strict=True):
        pair = report[name]
        shown = pvalue < alpha and (everywhere or pvalue < least)
        found = ["not inferior" if one == OPEN and shown else one for one in _of_draws(pair)]
        near = margin is not None and margin_is_near(replace(margin, adjusted=None), alpha)[1]
        undecided = {OPEN, "not inferior"}
        yield name, pair, [*found, *(undecided if near and undecided & {*found} else ())]


def _not_compared(report: Any, condition: Condition, name: str, why: str) -> Check:
    """Return what is known of a slice that was left out: nothing."""
    candidate, baseline = report.systems
    of_none: Any = dict.fromkeys(
        ("difference", "interval", "level", "pvalue", "margin", "weak"), ""
    )
    return Check(
        condition=condition,
        candidate=candidate,
        baseline=baseline,
        metric=f"{report.evidence.overall.metric} where {one_line(name)}",
        verdict=OPEN,
        invalid=f"it was not compared ({why})",
        conclusion=report.conclusion,
        **of_none,
    )


def _pairs(report: Any) -> list[Any]:
    if _by(report) == "slice":
        report = report.overall
    if _by(report) or report.is_performance:
        what = "comparison seed by seed" if _by(report) else "report on performance"
        raise CommandError(f"--fail-if cannot judge a {what}: it has no pairs of systems.")
    return [report] if report.is_pair else [report[pair[:2]] for pair in report.pairs]


def _of_draws(pair: Any) -> list[str]:
    """Return the verdict, and behind it those that other draws may well give."""
    return list(dict.fromkeys([pair.verdict, *sorted(pair.evidence.verdicts_of_draws)]))


def _verdicts(pair: Any, condition: Condition, probability: float) -> list[str]:
    """Return the verdict that a condition goes by, and others that draws may well give."""
    if not condition.claim:
        return _of_draws(pair)
    posterior = pair.evidence.posterior
    if posterior is None:
        raise CommandError(
            f"--fail-if {condition.name} goes by a probability, and there is none in "
            f"{pair.evidence.metric}: the differences do not vary."
        )
    from skstat.report._words import is_near

    found = getattr(posterior.probabilities, condition.claim)
    errors = posterior.monte_carlo_errors
    error = 0.0 if errors is None else getattr(errors, condition.claim)
    bounds = {"probable": probability, "improbable": 1 - probability}
    verdict = OPEN
    if not 1 - probability < found < probability:
        verdict = "probable" if found >= probability else "improbable"
    near = [name for name, bound in bounds.items() if is_near(found, bound, error)]
    return [verdict, *near, *[OPEN] * bool(near)]


def _check(pair: Any, condition: Condition, verdicts: Sequence[str]) -> Check:
    from skstat.report import _words as say

    row, metric = pair.pairs[0], pair.evidence.metric
    decimals, margin = say.decimals_of_pairs(row), ""
    if condition.needs_margin and pair.margin is None:
        raise CommandError(
            f"--fail-if {condition.name} needs a margin for every metric, and {metric} has "
            f"none: --margin {metric}=SIZE."
        )
    if pair.margin is not None:
        level = say.percent(round(2 * pair.confidence_level - 1, 12))
        limits = say.span(row.inner_low, row.inner_high, decimals)
        margin = f"margin {say.short(pair.margin)}: {level} interval {limits}"
    probable = ""
    if pair.probabilities is not None and condition.claim:
        chance = say.probability_texts(pair.probabilities)[condition.claim]
        rope = pair.probabilities["rope"]
        beyond = f" by more than {say.short(rope)}" if rope else ""
        probable = f"{condition.claim}{beyond} with probability {chance}"
    weak = [doubt for doubt in pair.doubts if doubt.weight == "weak"]
    return Check(
        condition=condition,
        candidate=pair.names[0],
        baseline=pair.names[1],
        metric=metric,
        verdict=verdicts[0],
        by_draws=len(set(map(condition.result_of, verdicts))) > 1,
        invalid=f"the p-values are not valid: {pair.invalid}" if pair.invalid else "",
        difference=say.fixed(row.estimate, decimals, sign=True),
        interval=say.span(row.low, row.high, decimals),
        level=say.percent(pair.confidence_level),
        pvalue="adjusted " * bool(pair.adjustment) + say.pvalue_text(row.p),
        margin=margin,
        probable=probable,
        weak=", ".join(f"{doubt.title} ({doubt.code})" for doubt in weak),
        conclusion=pair.conclusion,
    )
