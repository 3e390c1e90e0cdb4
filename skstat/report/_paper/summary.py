"""What a table of systems by metrics says: scores with intervals of their own, differences."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from skstat._names import one_line, shown_name
from skstat.report._words import join_names, percent, units_behind
from skstat.stats import PairwiseOutcome
from skstat.stats._outcomes import alpha_of

Row = Mapping[str, Any]
Own = Any  # OwnScores, of which reports know

_SHARES_OF_ALPHA = (1, 5, 50)  # of 5 %: 0.05, 0.01 and 0.001
_OVERLAP = "Intervals of single scores may overlap although two systems differ significantly."
_SIDES = {"greater": "better", "less": "worse"}


@dataclass(frozen=True, kw_only=True)
class SystemSummary:
    """One system by one metric; of a loss all values are losses.

    Attributes
    ----------
    name : str
        The system.
    score : float or None
        Its score; None where it is not known.
    low, high : float or None
        Its own confidence interval; None where there is none.
    difference, difference_low, difference_high : float or None
        Its difference to the reference, with its interval.
    pvalue, adjusted_pvalue : float or None
        Of this difference.
    better : str or None
        The better of the two, if one is significantly better.
    n : int
        Units that both have scores on.
    test : str
        What gave the p-value.
    is_best : bool
        Whether no other system has a better score.
    is_constant : bool
        Whether it is a score known in advance.
    """

    name: str
    score: float | None
    low: float | None
    high: float | None
    difference: float | None = None
    difference_low: float | None = None
    difference_high: float | None = None
    pvalue: float | None = None
    adjusted_pvalue: float | None = None
    better: str | None = None
    n: int
    test: str = ""
    is_best: bool = False
    is_constant: bool = False

    @property
    def decisive(self) -> float | None:
        """The p-value that the verdict rests on: the adjusted one, where there is one."""
        return self.pvalue if self.adjusted_pvalue is None else self.adjusted_pvalue


@dataclass(frozen=True, kw_only=True)
class MetricSummary:
    """All systems by one metric.

    Attributes
    ----------
    title : str
        What heads the column.
    metric : str
        Name of the metric.
    is_loss : bool
        Whether lower is better.
    confidence_level : float
        Level of all intervals.
    reference : str or None
        The system that the others are compared with; None where nothing was compared.
    systems : tuple of SystemSummary
        The systems.
    own_method : str
        How the intervals of single systems were computed; empty if there are none.
    unit : str
        What one observation is.
    invalid : str
        What makes p-values and intervals invalid; else empty.
    notes : tuple of str
        What must be said below the table, as sentences.
    """

    title: str
    metric: str
    is_loss: bool
    confidence_level: float
    reference: str | None
    systems: tuple[SystemSummary, ...]
    own_method: str
    unit: str
    invalid: str
    notes: tuple[str, ...]

    @property
    def star_levels(self) -> tuple[float, ...]:
        """Levels of one star, two and three: the first is that of the verdicts."""
        if self.invalid:
            return ()
        alpha = alpha_of(self.confidence_level)
        return tuple(float(f"{alpha / share:.12g}") for share in _SHARES_OF_ALPHA)

    def stars(self, system: SystemSummary) -> str:
        """Return the stars of a system: one or more where it differs significantly."""
        pvalue = system.decisive
        if pvalue is None:
            return ""
        return "*" * sum(pvalue < level for level in self.star_levels)


class _OwnShown(NamedTuple):
    """Scores with their limits as they are shown, and how these were found or why not."""

    scores: Mapping[str, tuple[float | None, float | None, float | None]]
    method: str
    why_none: str


class _Asked(NamedTuple):
    """What the notes say of the tests behind differences."""

    tests: Sequence[str] = ()
    adjusted: str = ""
    simultaneous: bool = False
    alternatives: Sequence[str] = ()
    quantities: Sequence[str] = ()  # where the difference is none of the scores themselves
    in_ranks: bool = False


def summary_of_comparison(report: Row, own: Own, control: str | None) -> MetricSummary:
    """Read a comparison of two systems.

    Parameters
    ----------
    report : mapping
        The dictionary of the comparison, with losses as losses.
    own : OwnScores
        The intervals of both scores.
    control : str or None
        The reference; by default the second system.
    """
    names = tuple(report["names"])
    reference = _checked(control, names, None) or names[1]
    return _summary_of_pairs([report], [own], names, reference)


def summary_of_slice(
    reports: Sequence[Row], own: Sequence[Own], names: Sequence[str], control: str | None
) -> MetricSummary:
    """Read the comparisons of several systems in one slice, pair by pair.

    Parameters
    ----------
    reports : sequence of mapping
        The dictionaries of the pairs, with losses as losses.
    own : sequence of OwnScores
        The intervals of the scores of each.
    names : sequence of str
        The systems, in the order of the table.
    control : str or None
        The reference; by default the best in this slice.
    """
    means = _means_of_pairs(reports)
    best = (min if reports[0]["is_loss"] else max)(means, key=lambda name: means[name])
    return _summary_of_pairs(
        reports,
        own,
        [name for name in names if name in means],
        best if control is None or control not in means else control,
    )


def _means_of_pairs(reports: Sequence[Row]) -> dict[str, Any]:
    return {
        name: score["mean"]
        for report in reports
        for name, score in zip(report["names"], report["scores"], strict=True)
    }


def _summary_of_pairs(
    reports: Sequence[Row], own: Sequence[Own], names: Sequence[str], reference: str
) -> MetricSummary:
    """Read comparisons of two systems each, of which those with the reference are told."""
    told = [report for report in reports if reference in report["names"]]
    found = [_shown_own(one, report) for one, report in zip(own, reports, strict=True)]
    scores = {name: score for one in found for name, score in one.scores.items()}
    shown = found[0]._replace(scores=scores)
    differences = {}
    for report in told:
        (a, b), (low, high) = report["names"], report["interval"]
        pair = {**report, "first": a, "second": b, "low": low, "high": high}
        differences[_other(pair, reference)] = _toward(pair, reference)
    quantities = (report["quantity"] for report in told)
    asked = _Asked(
        tests=[*dict.fromkeys(report["test"] for report in told)],
        adjusted=told[0]["adjustment"] or "",
        simultaneous=all(report["simultaneous"] for report in told),
        alternatives=[*dict.fromkeys(report["alternative"] for report in told)],
        quantities=[*dict.fromkeys(q["name"] for q in quantities if not q["is_difference"])],
        in_ranks=any(report["scale"] == "mean rank" for report in told),
    )
    constants = [r["names"][1] for r in reports if r["constant"] is not None]
    doubts = [doubt for report in reports for doubt in report["doubts"]]
    state = {**reports[0], "doubts": doubts}
    systems = _systems(state, names, _means_of_pairs(reports), shown, differences, constants)
    return _summary(state, systems, shown, reference, asked)


def summary_of_systems(
    report: Row, pairwise: PairwiseOutcome, own: Own, control: str | None
) -> MetricSummary:
    """Read a comparison of several systems.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    pairwise : PairwiseOutcome
        The comparisons in pairs.
    own : OwnScores
        The intervals of all scores.
    control : str or None
        The reference; by default the control of the report, or else the best.
    """
    ranking = report["ranking"]
    names = tuple(row["name"] for row in ranking)
    reference = _checked(control, names, report["control"]) or names[0]
    pairs = report["pairs"].with_system(reference)
    differences = {name: _toward(row, reference) for name, row in pairs.items()}
    means = {row["name"]: row["mean"] for row in ranking}
    family, n_pairs = pairwise.family, pairwise.n_family or len(pairwise.pairs)
    shown = _shown_own(own, report)
    asked = _Asked(
        tests=family.distinct("test"),
        adjusted=f"adjusted by {report['adjustment_name']} for {n_pairs} pairs",
        simultaneous=all(family.distinct("simultaneous")),
        alternatives=family.distinct("alternative"),
        quantities=tuple(q.name for q in family.distinct("quantity") if not q.is_difference),
        in_ranks="mean rank" in family.distinct("scale"),
    )
    constants = tuple(report["constants"])
    systems = _systems(report, names, means, shown, differences, constants)
    return _summary(report, systems, shown, reference, asked)


def summary_of_performance(report: Row, own: Own, control: str | None) -> MetricSummary:
    """Read estimates of performance; of two systems also their difference.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    own : OwnScores
        The intervals of all scores.
    control : str or None
        The reference of two; by default the second.
    """
    names = tuple(report["names"])
    checked = _checked(control, names, None)
    found, reference, differences = report["difference"], None, {}
    if found is not None:
        reference = checked or names[1]
        row = {**found, "first": names[0], "second": names[1], "pvalue": None}
        differences = {_other(row, reference): _toward(row, reference)}
    elif checked is not None:
        raise ValueError(
            f"control={control!r}: this report estimates scores and compares no systems; ask "
            "compare_estimators for differences."
        )
    means = {row["name"]: row["estimate"] for row in report["rows"]}
    shown = _shown_own(own, report)
    systems = _systems(report, names, means, shown, differences, ())
    return _summary(report, systems, shown, reference)


def _systems(
    report: Row,
    names: Sequence[str],
    means: Mapping[str, float | None],
    own: _OwnShown,
    differences: Mapping[str, Row],
    constants: Sequence[str],
) -> tuple[SystemSummary, ...]:
    known = [mean for mean in means.values() if mean is not None]
    if report.get("direction_assumed"):
        known = []  # none is the best
    best = (min if report["is_loss"] else max)(known, default=math.nan)
    found = []
    for name in names:
        mean = means[name]
        score, low, high = own.scores.get(name, (mean, None, None))
        found.append(
            SystemSummary(
                name=name,
                score=score if mean is None else mean,
                low=low,
                high=high,
                is_best=mean is not None and math.isclose(mean, best, rel_tol=1e-10),
                is_constant=name in constants,
                **{"n": report["n_units"], **differences.get(name, {})},
            )
        )
    return tuple(found)


def _checked(control: str | None, names: Sequence[str], only: str | None) -> str | None:
    """Return the wanted reference, or the only one that the report has."""
    if control is None:
        return only
    if control not in names:
        raise ValueError(f"control={control!r} is not one of the systems {list(names)}.")
    if only is not None and control != only:
        raise ValueError(
            f"control={control!r}: the report compares with {only!r} only. Compare all pairs, "
            f"or with control={control!r}."
        )
    return control


def _other(row: Row, reference: str) -> str:
    return str(row["first"] if row["second"] == reference else row["second"])


def _toward(row: Row, reference: str) -> dict[str, Any]:
    """Read a pair as the difference of the other system to the reference."""
    numbers = row["estimate"], row["low"], row["high"]
    if row["second"] != reference:
        estimate, low, high = (None if end is None else 0.0 - end for end in numbers)
        numbers = estimate, high, low
    return {
        **dict(zip(("difference", "difference_low", "difference_high"), numbers, strict=True)),
        "pvalue": row["pvalue"],
        "adjusted_pvalue": row.get("adjusted_pvalue"),
        "better": row.get("better"),
        "n": row.get("n_units"),
        "test": row.get("test", ""),
    }


def _shown_own(own: Own, report: Row) -> _OwnShown:
    """Turn the intervals of losses; none is shown of scores that are not what they seem."""
    why_none = _invalid(report) or own.why_none
    if why_none:
        return _OwnShown({}, "", why_none)
    # Losses were negated, and are shown as losses.
    turned = report["is_loss"] or not report.get("higher_is_better", True)
    scores: dict[str, tuple[float | None, float | None, float | None]] = {}
    for name, (score, low, high) in own.scores.items():
        if turned:
            score, low, high = 0.0 - score, 0.0 - high, 0.0 - low
        scores[name] = (score, low, high) if low < high else (score, None, None)
    return _OwnShown(scores, own.method, "")


def _invalid(report: Row) -> str:
    """Name what makes the inference invalid."""
    return "; ".join(
        dict.fromkeys(
            f"{doubt['title']} ({doubt['code']})"
            for doubt in report["doubts"]
            if doubt["weight"] == "invalid"
        )
    )


def _summary(
    report: Row,
    systems: tuple[SystemSummary, ...],
    own: _OwnShown,
    reference: str | None,
    asked: _Asked | None = None,
) -> MetricSummary:
    invalid, level = _invalid(report), percent(report["confidence_level"])
    notes = [f"Not valid: {invalid}."] if invalid else []
    if report.get("direction_assumed"):
        notes.append("Which values are good is not known.")
    else:
        notes.append(f"{'Lower' if report['is_loss'] else 'Higher'} values are better.")
    notes += _notes_on_scores(systems, own, level)
    if reference is not None:
        notes += _notes_on_differences(reference, asked or _Asked(), level)
    if asked is not None:
        if own.scores:
            notes.append(_OVERLAP)
        notes += _notes_on_tests(asked)
    notes.append(f"n = {units_behind(report)}.")
    found = MetricSummary(
        title=report["metric"],
        metric=report["metric"],
        is_loss=report["is_loss"],
        confidence_level=report["confidence_level"],
        reference=reference,
        systems=systems,
        own_method=own.method,
        unit=report["unit"],
        invalid=invalid,
        notes=tuple(notes),
    )
    if asked is None or not found.star_levels:
        return found
    marks = enumerate(found.star_levels, start=1)
    stars = ", ".join(f"{'*' * number} p < {level:g}" for number, level in marks)
    return replace(found, notes=(*found.notes, f"{stars}."))


def _notes_on_scores(systems: Sequence[SystemSummary], own: _OwnShown, level: str) -> list[str]:
    constants = [system.name for system in systems if system.is_constant]
    bare = [s.name for s in systems if s.low is None and not s.is_constant]
    notes = [f"{join_names(constants)}: known in advance."] if constants else []
    if own.why_none:
        return [*notes, f"No intervals of single scores: {own.why_none}."]
    notes.append(f"In brackets: {level} interval of each score alone ({own.method}).")
    if bare:
        notes.append(f"No interval where scores do not vary: {join_names(bare)}.")
    return notes


def _notes_on_differences(reference: str, asked: _Asked, level: str) -> list[str]:
    kind = "simultaneous " if asked.simultaneous else "adjusted " * bool(asked.adjusted)
    notes = [
        f"Difference to {one_line(shown_name(reference))}, with its {kind}{level} interval."
    ]
    if asked.quantities:
        notes.append(f"The difference is a {' or '.join(asked.quantities)}.")
    if asked.in_ranks:
        notes.append("It is above 0 where the system has the better, lower mean rank.")
    return notes


def _notes_on_tests(asked: _Asked) -> list[str]:
    notes = [f"Test: {' or '.join(map(one_line, asked.tests))}."]
    if asked.adjusted:
        notes.append(f"p-values are {asked.adjusted}.")
    sides = [_SIDES[side] for side in asked.alternatives if side in _SIDES]
    if sides:
        notes.append(
            f"p-values are one-sided: each asks whether the first of two systems is "
            f"{' or '.join(sides)}."
        )
    return notes
