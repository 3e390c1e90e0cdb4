"""What a report found, for the results section of a paper: sentences, and a table."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from math import isclose, isfinite, isnan, nan
from operator import itemgetter
from typing import Any, ClassVar, Literal, get_args

from skstat._names import one_line, shown_name
from skstat.report._blocks import Block, Column, table
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import ReportForms
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._paper.methods import adjusted_of, asked_of
from skstat.report._records import Record, finite, shared_of
from skstat.report._words import (
    ShownMetric,
    conclude,
    decimals_for,
    direction,
    fixed,
    good,
    in_names,
    join_names,
    percent,
    probability_sentence,
    pvalue_cell,
    short,
    units,
    units_behind,
    variation,
)

Style = Literal["plain", "apa"]

# More pairs than these are those with the leader, and a count of the others.
_MOST_PAIRS = 6
_MINUS = "\N{MINUS SIGN}"


def results(r: Report | ReportGrid, style: Style) -> Iterator[str]:
    """Walk the paragraphs: one of a report, of several reports one each.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    style : {"plain", "apa"}
        The conclusion in words with the numbers behind it, or the numbers alone.
    """
    if style not in get_args(Style):
        raise ValueError(f"style={style!r} is unknown; use 'plain' or 'apa'.")
    if isinstance(r, Report):
        yield one_line(" ".join(_plain(r) if style == "plain" else _apa(r)))
        return
    if r.overall is not None:
        yield from (f"All rows: {text}" for text in results(r.overall, style))
        yield from (f"Between slices: {text}" for text in variation(r))
    for name, part in r.reports.items():
        lead = f"{name}: " if r.by == "slice" else ""
        yield from (f"{lead}{text}" for text in results(part, style))


def _bracketed(low: float, high: float, decimals: int) -> str:
    """Write an interval, of which a missing limit is infinite; empty if there is none."""
    if not (isfinite(low) or isfinite(high)):
        return ""
    return f"[{_number(low, decimals)}, {_number(high, decimals)}]"


def _number(value: float | None, decimals: int) -> str:
    """Write a limit or a statistic, which may be infinite."""
    if value is not None and isfinite(value):
        return fixed(value, decimals)
    return f"{_MINUS if value is not None and value < 0 else ''}\N{INFINITY}"


def _plain(r: Report) -> list[str]:
    if r.is_performance:
        return conclude(r)
    said = [_scores(r, "plain"), *conclude(r)]
    if r.is_pair:
        pair = r.pairs[0]
        effects = [f"{name} = {short(size)}" for name, size in _effects(r, pair)]
        if numbers := "; ".join([*_statistic_of(r, pair), *effects]):
            said.append(_in_names(f"Statistic and effect sizes: {numbers}.", pair))
    return said


def _apa(r: Report) -> Iterator[str]:
    if r.invalid:
        yield f"Not valid: {r.invalid}."
    if r.is_performance:
        yield from conclude(r)
        return
    yield _scores(r, "apa")
    omnibus = r.omnibus
    if omnibus is not None and omnibus["df"] is not None:
        what = "mean ranks" if omnibus["scale"] == "rank" else "systems"
        bits = [_statistic(omnibus["statistic_name"], omnibus["df"], omnibus["statistic"])]
        bits += [_p(omnibus["pvalue"]), *_first(omnibus["effect_sizes"].items())]
        yield f"Test of all {what}: {', '.join(bits)}."
    pairs: Iterable[Pair] = r.pairs
    if len(r.pairs) > _MOST_PAIRS:
        ends = zip(*(r.pairs.columns[end] for end in ("first", "second")), strict=True)
        leader = r.control or r.names[0]
        pairs = (r.pairs[place] for place, names in enumerate(ends) if leader in names)
    for pair in pairs:
        yield _in_names(f"{_found(r, pair)}: {', '.join(_numbers(r, pair))}.", pair)
    if len(r.pairs) > _MOST_PAIRS and r.control is None:
        n = sum(p < r.alpha for p in r.pairs.columns["adjusted"])
        yield f"Of all {len(r.pairs)} pairs {n} differed significantly."
    if r.is_pair and r.probabilities is not None:
        yield probability_sentence(r, r.pairs[0])


def _scores(r: Report, style: Style) -> str:
    """Say the mean score of every system, and its standard deviation over the units."""
    known = [one for one in r.systems if one.name not in r.constants and isfinite(one.mean)]
    decimals = max(3, decimals_for(one.mean for one in known))
    said = []
    for one in known:
        bits = [f"{'M = ' * (style == 'apa')}{fixed(one.mean, decimals)}"]
        bits += [f"SD = {fixed(one.sd, decimals)}"] * isfinite(one.sd)
        bits += [f"mean rank {fixed(one.mean_rank, 2)}"] * isfinite(one.mean_rank)
        said.append(f"{one_line(shown_name(one.name))} ({', '.join(bits)})")
    of_units = "sd" in r.systems
    what = f"Mean {r.metric}" if of_units else r.metric
    over = f"; SD over {r.sd_over}" if of_units and r.sd_over else ""
    n = units(r.n_units, r.unit)
    return f"{one_line(what)} over {n} ({direction(r)}{over}): {'; '.join(said)}."


def _found(r: Report, pair: Pair) -> str:
    """Say which of A and B is better, or that none was shown to be."""
    if pair.verdict in ("better", "worse", "higher", "lower"):
        return f"A was significantly {pair.verdict} than B"
    if pair.verdict == "equivalent":
        also = ", but differed significantly" * (pair.p < r.alpha)
        return f"A and B were equivalent within the margin of {short(r.margin)}{also}"
    if pair.p < r.alpha:
        return "A and B differed significantly, but in no common direction or size"
    if isnan(pair.pvalue):
        return "No test of A against B was possible"
    undecided = "the difference between A and B was not significant"
    if r.alternative != "two-sided":
        undecided = f"it was not shown that A was {good(r, r.alternative == 'greater')} than B"
    if pair.verdict == "not inferior":
        return f"A was at most {short(r.margin)} {good(r, up=False)} than B, and {undecided}"
    return undecided[0].upper() + undecided[1:]


def _numbers(r: Report, pair: Pair) -> list[str]:
    """Write the difference with its interval, the statistic, the p-value and an effect size."""
    minus = f"rank of B {_MINUS} rank of A" if r.by_rank else f"A {_MINUS} B"
    decimals = decimals_for([pair.estimate, pair.low, pair.high])
    bits = [f"{r.quantity.name} ({minus}) = {fixed(pair.estimate, decimals)}"]
    sided = "" if r.alternative == "two-sided" else "one-sided "
    tested = not isnan(pair.pvalue)
    if interval := _bracketed(pair.low, pair.high, decimals):
        bits.append(f"{sided}{_kind_of_interval(r)} CI {interval}")
    bits += _statistic_of(r, pair) * (tested and pair.df is not None)
    bits.append(f"{sided * tested}{_p(pair.pvalue)}")
    bits += [f"adjusted {_p(pair.adjusted)}"] * (not isnan(pair.adjusted))
    if r.margin is not None:
        alone = r.equivalence is not None and not r.equivalence["adjustment"]
        if alone and tested and pair.verdict == "not inferior":
            bits.append(f"non-inferiority {_p(pair.noninferior_p)}")
        bits.append(f"{'' if alone else 'adjusted '}equivalence {_p(pair.equivalence_p)}")
    effects = [one for one in _effects(r, pair) if one[0] != r.quantity.name]  # said already
    if r.quantity.name != "difference":
        effects.sort(key=lambda one: one[0] != "rank-biserial")
    return bits + _first(effects) * tested


def _kind_of_interval(r: Report) -> str:
    """Say of an interval of a difference what it allows for, and its level."""
    kind = "simultaneous " if r.simultaneous else "adjusted " * bool(r.adjustment)
    return f"{kind}{percent(r.confidence_level)}"


def _statistic_of(r: Report, pair: Pair) -> list[str]:
    """Write the statistic of a pair, if it has one."""
    if not (r.statistic_name and isfinite(pair.statistic)):
        return []
    if pair.df is None:
        return [f"{r.statistic_name} = {short(pair.statistic)}"]
    return [_statistic(r.statistic_name, pair.df, pair.statistic)]


def _statistic(name: str, df: Any, value: float | None) -> str:
    """Write ``t(15) = 2.74``."""
    degrees = ", ".join(map(short, df if isinstance(df, list | tuple) else [df]))
    return f"{name}({degrees}) = {_number(value, 2)}"


def _p(pvalue: float) -> str:
    """Write ``p = .015``: a probability needs no 0 before its point."""
    if isnan(pvalue):
        return "no p-value"
    if 0.001 <= pvalue < 0.9995:
        return f"p = {pvalue:.3f}".replace("0.", ".")
    return "p < .001" if pvalue < 0.001 else "p > .999"


def _effects(r: Report, pair: Pair) -> list[tuple[str, float]]:
    """Standardised effects; over splits, which share rows, they would be inflated by design."""
    if r.unit == "split":
        return []
    return [(name, size) for name, size in pair.effects.items() if isfinite(size)]


def _first(effects: Iterable[tuple[str, float | None]]) -> list[str]:
    """Write the first of the effects that are known."""
    return [f"{name} = {fixed(size, 2)}" for name, size in effects if size is not None][:1]


def _in_names(text: str, pair: Pair) -> str:
    """Put the names of both systems where a text says A and B."""
    return in_names(text, *(one_line(shown_name(name)) for name in pair[:2]))


# --- systems by metrics --------------------------------------------------------------------


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
        groups = [list(rows) for _, rows in groupby(self.rows, key=itemgetter("metric"))]
        several = len(groups) > 1
        metrics = [row["metric"] * (row is rows[0]) for rows in groups for row in rows]
        cells = zip(*(line for rows in groups for line in _cells(rows)), strict=True)
        adjusted = any(not isnan(row["adjusted_pvalue"]) for row in self.rows)
        titles = (
            "score" if several else metrics[0],
            "difference",
            "adjusted p" * adjusted or "p",
        )
        *numbers, pvalues = map(Column, titles, cells)
        names = [Column("", metrics, "name")] * several
        names.append(Column("", [shown_name(row["system"]) for row in self.rows], "name"))
        best = [one for rows in groups for one in _is_best(rows)]
        bold = [(place, len(names)) for place, is_best in enumerate(best) if is_best]
        notes = [*self.notes, "Bold: the best score." * (any(best) and not screen)]
        columns = [*names, *numbers, pvalues._replace(kind="words")]
        return [table(self.title, columns, notes)._replace(bold=bold)]

    def _records(self) -> Sequence[Record]:
        return self.rows


def _is_best(rows: Sequence[Record]) -> list[bool]:
    """Say which systems have the best score; none where nobody knows which is good."""
    known = [row["score"] for row in rows if not isnan(row["score"])]
    if not known or not rows[0]["direction"]:
        return [False] * len(rows)
    best = (min if rows[0]["direction"] == "lower" else max)(known)
    return [isclose(row["score"], best, rel_tol=1e-10) for row in rows]


def _cells(rows: Sequence[Record]) -> Iterator[list[str]]:
    """Write score, difference and p of every system, with the decimals that they need."""
    ends = (row[end] for row in rows for end in ("score", "low", "high"))
    decimals = max(3, decimals_for(ends))
    apart = decimals_for(
        row[f"difference{end}"] for row in rows for end in ("", "_low", "_high")
    )
    for row in rows:
        score = "unknown" if isnan(row["score"]) else fixed(row["score"], decimals)
        interval = _bracketed(row["low"], row["high"], decimals)
        difference, p = "reference" * (row["system"] == row["reference"]), ""
        if row["test"] or not isnan(row["difference"]):
            limits = _bracketed(row["difference_low"], row["difference_high"], apart)
            difference = f"{fixed(row['difference'], apart, sign=True)} {limits}".strip()
        if row["test"]:
            adjusted = row["adjusted_pvalue"]
            p = pvalue_cell(row["pvalue"] if isnan(adjusted) else adjusted) + row["stars"]
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
    titles: dict[str, list[str]] = {}
    for rows, notes in columns:
        for note in notes:
            titles.setdefault(note, []).append(one_line(rows[0]["metric"]))
    said: dict[str, list[str]] = {"": []}  # what all metrics share comes once, and first
    for note, of in titles.items():
        shared = len(of) == len(columns)
        said.setdefault("" if shared else f"{'; '.join(of)}: ", []).append(note)
    notes = [*said.pop(""), *(f"{of}{' '.join(texts)}" for of, texts in said.items())]
    found = tuple(chain.from_iterable(rows for rows, _ in columns))
    by = r.by if isinstance(r, ReportGrid) else "slice"  # p-values are adjusted for slices
    if by != "slice" and len(columns) > 1 and any(row["test"] for row in found):
        notes.append(f"p-values are not adjusted for the number of {by}s.")
    return SummaryTable(found, tuple(notes))


_Rows = tuple[list[Record], list[str]]  # all systems by one metric, and notes on them


def _columns(r: Report | ReportGrid, control: str | None) -> Iterator[_Rows]:
    if isinstance(r, Report):
        yield _column(r, r.metric, control, r.names)
        return
    if r.overall is not None:
        rows, notes = _column(r.overall, f"{r.metric}, all rows", control, r.overall.names)
        yield rows, [*notes, *variation(r)]
    for name, part in r.reports.items():
        if isinstance(part, ReportGrid) or r.by == "metric":
            yield from _columns(part, control)
        else:
            # With a seed systems have other names; in a slice there may be fewer of them.
            names = r.systems if r.by == "seed" else part.names
            there = control if r.by == "seed" or control in names else None
            yield _column(part, f"{part.metric}, {name}", there, names)


def _column(r: Report, title: str, control: str | None, names: Sequence[str]) -> _Rows:
    """Read all systems by one metric, under the names that they are to have."""
    called = dict(zip(r.names, names, strict=True))
    reference = _reference(r, control, called)
    own, why_none = ({}, r.invalid) if r.invalid else _own_scores(r)
    against = {} if reference is None else r.against(reference)
    named = None if reference is None else called[reference]
    rows = []
    for one in r.systems:
        score, low, high, method = own.get(one.name, (nan, nan, nan, ""))
        pair = against.get(one.name, Pair(one.name, "")).seen_from(one.name, r)
        decides = nan if r.invalid else pair.p
        rows.append(
            {
                "system": called[one.name],
                **shared_of(r),
                "metric": title,
                "score": score if isnan(one.mean) else one.mean,
                "low": finite(low),
                "high": finite(high),
                "method": method,
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
    return rows, list(_notes(r, rows, why_none, named))


def _own_scores(r: Report) -> tuple[Mapping[str, tuple[float, float, float, str]], str]:
    """Return score, limits and method of every system by itself, or why there are none."""
    if r.is_performance:
        return {one.name: (one.mean, one.low, one.high, one.method) for one in r.systems}, ""
    parts, view = [r.evidence], ShownMetric(r.metric, r.lower)
    if isinstance(r.evidence, SliceEvidence):
        parts = list(r.evidence.parts.values())
    found = {}
    for name, own in chain.from_iterable(part.own.scores.items() for part in parts):
        score, low, high = map(finite, own[:3])
        if not low < high:  # it does not vary
            low = high = nan
        found[name] = (view.value(score), *view.interval(low, high), own[3])
    return found, parts[0].own.why_none


def _reference(r: Report, control: str | None, called: Mapping[str, str]) -> str | None:
    """Return the system that the others are compared with: the wanted one, or a natural one."""
    if control is None:
        if r.is_pair or r.is_performance:
            return r.pairs[0].second if len(r.pairs) else None
        return r.control if r.control in r.names else r.names[0]
    compared = [name for name in r.names if r.control in (None, name) and len(r.pairs)]
    for name in compared:
        if called[name] == control:
            return name
    known = f"use one of {[called[name] for name in compared]}"
    if not compared:
        known = "this report compares no systems; compare_estimators does"
    raise ValueError(f"control={control!r} was not compared with the others: {known}.")


def star_levels(r: Report) -> list[float]:
    """Levels of one star, two and three: the first is that of the verdicts."""
    return [float(f"{r.alpha / share:.12g}") for share in (1, 5, 50)]


def star_note(r: Report) -> str:
    """Say what stars mean."""
    marks = [f"{'*' * n} p < {share:g}" for n, share in enumerate(star_levels(r), start=1)]
    return ", ".join(marks)


def _notes(
    r: Report, rows: Sequence[Record], why_none: str, reference: str | None
) -> Iterator[str]:
    """Say what the numbers of a metric are, as sentences."""
    tested = len(r.pairs) > 0 and not r.is_performance
    if r.invalid:
        yield f"Not valid: {r.invalid}."
    yield f"{direction(r).capitalize()}."
    if r.constants:
        yield f"{join_names(r.constants)}: known in advance."
    if why_none:
        yield f"No intervals of single scores: {why_none}."
    else:
        methods = "; ".join(dict.fromkeys(row["method"] for row in rows if row["method"]))
        overlap = "; two may overlap although the systems differ significantly" * tested
        level = percent(r.confidence_level)
        yield f"In brackets: {level} interval of each score alone ({methods}){overlap}."
        bare = [row["system"] for row in rows if isnan(row["low"] + row["high"])]
        if bare := [name for name in bare if name not in r.constants]:
            yield f"No interval where scores do not vary: {join_names(bare)}."
    if reference is not None:
        what = f" ({r.quantity.name})" * (not r.quantity.is_difference)
        what = " in mean rank, above 0 where its mean rank is lower" if r.by_rank else what
        interval = f"its {_kind_of_interval(r)} interval"
        yield f"Difference to {join_names([reference])}{what}, with {interval}."
    if tested:
        yield f"Test{'s' * (len(r.tests) > 1)}: {'; '.join(map(one_line, r.tests))}."
        if r.adjustment:
            yield f"p-values are {adjusted_of(r)}."
        if r.alternative != "two-sided":
            yield f"p-values are {asked_of(r)}."
    yield f"n = {units_behind(r)}."
    if tested and not r.invalid:
        yield f"{star_note(r)}."
