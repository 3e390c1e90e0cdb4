"""The table of a paper: systems by metrics, each score with its own interval."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import ClassVar

from skstat._names import one_line, shown_name
from skstat.report._blocks import Block, Cells
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import ReportForms
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._own_scores import OwnScores, shown_own_scores
from skstat.report._paper.results import bracketed, not_valid
from skstat.report._records import Record, direction_of, finite, shared_of
from skstat.report._words import (
    adjustment_name,
    decimals_for,
    fixed,
    good,
    join_names,
    percent,
    pvalue_cell,
    units_behind,
    variation,
)

nan = math.nan


@dataclass(frozen=True, eq=False, repr=False)
class SummaryTable(ReportForms):
    r"""Systems by metrics: scores with intervals of their own, differences and p-values.

    It is made by ``report.summary_table()``, and has the forms of a report. By every metric a
    system has its score with a confidence interval of its own, its difference to the reference
    with the interval of the report, and the (adjusted) p-value. Stars mark what the report
    calls significant: one at its level, two and three at a fifth and a fiftieth of it, which
    are 0.05, 0.01 and 0.001 as a rule. The note below says how all of it was computed. What is
    not valid has no stars, and no intervals of single scores.

    Attributes
    ----------
    rows : tuple of dict
        A system by one metric each: what :meth:`to_frame` has.
    notes : tuple of str
        What must be said of the numbers, as sentences.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> table = compare_scores(scores, n_train=60, n_test=30).summary_table()
    >>> print(*str(table).splitlines()[:4], sep="\n")
    Systems by metrics
                         score              difference  p
    new   0.800 [0.575, 1.025]  +0.075 [−0.063, 0.213]  0.182
    old   0.725 [0.378, 1.072]               reference
    """

    _written = ("title", "rows", "notes")
    title: ClassVar[str] = "Systems by metrics"

    rows: tuple[Record, ...]
    notes: tuple[str, ...]

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        several = len({row["metric"] for row in self.rows}) > 1
        found: list[list[str]] = []
        bold = []
        for metric, group in groupby(self.rows, key=itemgetter("metric")):
            rows = list(group)
            best = _best(rows)
            for place, (row, cells) in enumerate(zip(rows, _cells(rows), strict=True)):
                bold += [(len(found), 1 + several)] * (row["system"] in best)
                title = ["" if place else metric] * several
                found.append([*title, shown_name(row["system"]), *cells])
        adjusted = any(not math.isnan(row["adjusted_pvalue"]) for row in self.rows)
        header = ["", ""] if several else [""]
        header += ["score" if several else self.rows[0]["metric"], "difference"]
        header.append("adjusted p" if adjusted else "p")
        while not any(row[len(header) - 1] for row in found):  # nothing was tested
            header.pop()
        note = " ".join([*self.notes, *["Bold: the best score."] * (bool(bold) and not screen)])
        shown = [row[: len(header)] for row in found]
        n = 1 + several
        return [Cells(self.title, header, shown, n, words=n + 2, note=note, bold=bold)]

    def _records(self) -> Sequence[Record]:
        return self.rows


def _best(rows: Sequence[Record]) -> list[str]:
    """Name the systems with the best score; none where nobody knows which is good."""
    known = [row["score"] for row in rows if not math.isnan(row["score"])]
    if not known or not rows[0]["direction"]:
        return []
    best = (min if rows[0]["direction"] == "lower" else max)(known)
    return [row["system"] for row in rows if math.isclose(row["score"], best, rel_tol=1e-10)]


def _cells(rows: Sequence[Record]) -> Iterator[list[str]]:
    """Write score, difference and p of every system, with the decimals that they need."""
    decimals = max(
        3, decimals_for(row[end] for row in rows for end in ("score", "low", "high"))
    )
    ends = [row[f"difference{end}"] for row in rows for end in ("", "_low", "_high")]
    # As many for differences, and more only where a limit beside 0 would look like 0.
    most = decimals_for(ends)
    apart = min(decimals, most)
    while apart < most and any(end and not round(end, apart) for end in ends):
        apart += 1
    for row in rows:
        score = "unknown" if math.isnan(row["score"]) else fixed(row["score"], decimals)
        interval = bracketed(row["low"], row["high"], decimals)
        difference, p = "reference" * (row["system"] == row["reference"]), ""
        if row["test"] or not math.isnan(row["difference"]):
            limits = bracketed(row["difference_low"], row["difference_high"], apart)
            difference = f"{fixed(row['difference'], apart, sign=True)} {limits}".strip()
        if row["test"]:
            adjusted = row["adjusted_pvalue"]
            p = pvalue_cell(row["pvalue"] if math.isnan(adjusted) else adjusted) + row["stars"]
        yield [f"{score} {interval}".strip(), difference, p]


def summary_table(r: Report | ReportGrid, control: str | None = None) -> SummaryTable:
    """Return the table of systems by metrics.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    control : str, optional
        The system that the others are compared with.
    """
    columns = list(_columns(r, control))
    rows = tuple(row for found, _ in columns for row in found)
    titles: dict[str, list[str]] = {}
    for found, notes in columns:
        for note in notes:
            titles.setdefault(note, []).append(one_line(found[0]["metric"]))
    said: dict[str, list[str]] = {"": []}  # what all metrics share comes once, and first
    for note, of in titles.items():
        shared = len(of) == len(columns)
        said.setdefault("" if shared else f"{'; '.join(of)}: ", []).append(note)
    notes = [*said.pop(""), *(f"{of}{' '.join(texts)}" for of, texts in said.items())]
    by = r.by if isinstance(r, ReportGrid) else "slice"  # p-values are adjusted for slices
    if by != "slice" and len(columns) > 1 and any(row["test"] for row in rows):
        notes.append(f"p-values are not adjusted for the number of {by}s.")
    return SummaryTable(rows, tuple(notes))


_Column = tuple[list[Record], list[str]]  # all systems by one metric, and notes on them


def _columns(r: Report | ReportGrid, control: str | None) -> Iterator[_Column]:
    if isinstance(r, Report):
        yield _column(r, r.metric, control)
        return
    if r.overall is not None:
        rows, notes = _column(r.overall, f"{r.overall.metric}, all rows", control)
        yield rows, [*notes, *variation(r)]
    for name, part in r.reports.items():
        if isinstance(part, ReportGrid) or r.by == "metric":
            yield from _columns(part, control)
        elif r.by == "seed":
            called = dict(zip(part.names, r.systems, strict=True))
            yield _column(part, f"{part.metric}, {name}", control, called)
        else:
            there = control if control in part.names else None
            yield _column(part, f"{part.metric}, {name}", there)


def _column(
    r: Report, title: str, control: str | None, called: Mapping[str, str] | None = None
) -> _Column:
    """Read all systems by one metric, maybe under other names."""
    called = called or {name: name for name in r.names}
    reference = _reference(r, control, called)
    none = OwnScores(confidence_level=r.confidence_level, why_none=not_valid(r))
    own = none if none.why_none else shown_own_scores(r)
    against = {} if reference is None else r.against(reference)
    named = None if reference is None else called[reference]
    rows = []
    for one in r.systems:
        score, low, high = own.scores.get(one.name, (nan, nan, nan))
        if not low < high:  # it does not vary
            low = high = nan
        pair = against.get(one.name, Pair(one.name, "")).seen_from(one.name, r)
        decides = nan if none.why_none else pair.p
        rows.append(
            {
                "system": called[one.name],
                **shared_of(r),
                "metric": title,
                "score": score if math.isnan(one.mean) else one.mean,
                "low": finite(low),
                "high": finite(high),
                "method": own.methods.get(one.name, ""),
                "reference": named,
                "difference": finite(pair.estimate),
                "difference_low": finite(pair.low),
                "difference_high": finite(pair.high),
                "pvalue": pair.pvalue,
                "adjusted_pvalue": pair.adjusted,
                "stars": "*" * sum(decides < level for level in star_levels(r)),
                "better": None if pair.better is None else called[pair.better],
                "n": pair.n or r.n_units,
                "test": "" if r.is_performance else pair.test,
            }
        )
    return rows, list(_notes(r, rows, own, named))


def _reference(r: Report, control: str | None, called: Mapping[str, str]) -> str | None:
    """Return the system that the others are compared with: the wanted one, or a natural one."""
    names = list(called.values())
    if control is None:
        if r.is_pair or r.is_performance:
            return r.pairs[0].second if len(r.pairs) else None
        return r.control if r.control in r.names else r.names[0]
    if control not in names:
        raise ValueError(f"control={control!r} is not one of the systems {names}.")
    if not len(r.pairs):
        raise ValueError(
            f"control={control!r}: this report estimates scores and compares no systems; ask "
            "compare_estimators for differences."
        )
    if r.control not in (None, control):
        raise ValueError(
            f"control={control!r}: the report compares with {r.control!r} only. Compare all "
            f"pairs, or with control={control!r}."
        )
    return list(called)[names.index(control)]


def star_levels(r: Report) -> list[float]:
    """Levels of one star, two and three: the first is that of the verdicts."""
    return [float(f"{r.alpha / share:.12g}") for share in (1, 5, 50)]


def star_note(r: Report) -> str:
    """Say what stars mean."""
    marks = [f"{'*' * n} p < {share:g}" for n, share in enumerate(star_levels(r), start=1)]
    return ", ".join(marks)


def _notes(
    r: Report, rows: Sequence[Record], own: OwnScores, reference: str | None
) -> Iterator[str]:
    """Say what the numbers of a metric are, as sentences."""
    level, tested = percent(r.confidence_level), bool(len(r.pairs)) and not r.is_performance
    invalid, direction = not_valid(r), direction_of(r)
    if invalid:
        yield f"Not valid: {invalid}."
    way = f"{direction.capitalize()} values are better."
    yield way if direction else "Which values are good is not known."
    if r.constants:
        yield f"{join_names(r.constants)}: known in advance."
    if own.why_none:
        yield f"No intervals of single scores: {own.why_none}."
    else:
        overlap = "; two may overlap although the systems differ significantly" * tested
        yield f"In brackets: {level} interval of each score alone ({own.method}){overlap}."
        bare = [row["system"] for row in rows if math.isnan(row["low"] + row["high"])]
        if bare := [name for name in bare if name not in r.constants]:
            yield f"No interval where scores do not vary: {join_names(bare)}."
    if reference is not None:
        kind = "simultaneous " if r.simultaneous else "adjusted " * bool(r.adjustment)
        what = f" ({r.quantity.name})" * (not r.quantity.is_difference)
        what = " in mean rank, above 0 where its mean rank is lower" if r.by_rank else what
        yield f"Difference to {join_names([reference])}{what}, with its {kind}{level} interval."
    if tested:
        yield f"Test{'s' * (len(r.tests) > 1)}: {'; '.join(map(one_line, r.tests))}."
        if r.adjustment:
            how = f"adjusted by {adjustment_name(r.adjustment)} for {r.n_family} pair"
            how += "s" * (r.n_family > 1)
            how += " in slices" * isinstance(r.evidence, SliceEvidence)
            yield f"p-values are {r.adjustment if r.is_pair else how}."
        if r.alternative != "two-sided":
            asked = f"the first of two systems is {good(r, r.alternative == 'greater')}"
            yield f"p-values are one-sided: each asks whether {asked}."
    yield f"n = {units_behind(r)}."
    if tested and not invalid:
        yield f"{star_note(r)}."
