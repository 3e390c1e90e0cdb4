"""Tables for a paper: systems by metrics, comparisons, and the scores of several systems."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isclose, isnan, nan
from typing import Any, ClassVar

from skstat._names import one_line, shown_name
from skstat.report import _terms as say
from skstat.report._blocks import Block, Cells, Column, table
from skstat.report._conclude import variation
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import ReportForms
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._paper.texts import adjusted_of, asked_of, bracketed
from skstat.report._records import Record, finite, parts_of, shared_of
from skstat.report._sections import about_differences, comparisons_table


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
        A record for each system and metric, as in :meth:`to_frame`.
    notes : tuple of str
        Sentences on how the numbers were computed.

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

    _extra = ("title",)
    title: ClassVar[str] = "Systems by metrics"

    rows: tuple[Record, ...]
    notes: tuple[str, ...]

    def _document(self, full: bool, *, screen: bool = False) -> list[Block]:
        groups = [list(rows) for _, rows in groupby(self.rows, lambda row: row["metric"])]
        several = len(groups) > 1
        metrics = [row["metric"] * (row is rows[0]) for rows in groups for row in rows]
        lines = [line for rows in groups for line in _lines(rows)]
        systems, scores, differences, pvalues = zip(*lines, strict=True)
        adjusted = any(not isnan(row["adjusted_pvalue"]) for row in self.rows)
        columns = [
            Column("", metrics if several else [], "name"),
            Column("", systems, "name"),
            Column("score" if several else self.rows[0]["metric"], scores),
            Column("difference", differences),
            Column("adjusted p" if adjusted else "p", pvalues, "words"),
        ]
        bold = [(index, 1 + several) for index, row in enumerate(self.rows) if row["best"]]
        notes = [*self.notes, "Bold: the best score." * (bool(bold) and not screen)]
        return [table(self.title, columns, notes)._replace(bold=bold)]

    def _records(self) -> Sequence[Record]:
        return self.rows


def _lines(rows: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    """Write system, score, difference and p by one metric, with the decimals that they need."""
    values = (row[name] for row in rows for name in ("score", "low", "high"))
    decimals = max(3, say.decimals_for(values))
    diffs = [[row[f"difference{end}"] for end in ("", "_low", "_high")] for row in rows]
    digits = say.decimals_for(value for diff in diffs for value in diff)
    for row, (size, low, high) in zip(rows, diffs, strict=True):
        interval = bracketed(row["low"], row["high"], decimals)
        score = f"{say.fixed(row['score'], decimals)} {interval}".strip()
        difference, p = "reference" * (row["system"] == row["reference"]), ""
        if row["test"] or not isnan(size):
            difference = f"{say.fixed(size, digits, sign=True)} {bracketed(low, high, digits)}"
        if row["test"]:
            adjusted = row["adjusted_pvalue"]
            p = say.pvalue_cell(row["pvalue"] if isnan(adjusted) else adjusted) + row["stars"]
        yield shown_name(row["system"]), score, difference.strip(), p


def summary_table(self: Report | ReportGrid, control: str | None = None) -> SummaryTable:
    """Return a table of all systems by all metrics, for the results section of a paper.

    Every score has a confidence interval of its own, computed as for the system alone
    (:func:`skstat.estimate_performance`, :mod:`skstat.stats`), and its difference to a
    reference with interval and (adjusted) p-value, as the report has them.

    Parameters
    ----------
    control : str, optional
        The system that the others are compared with. Default the control of the report;
        of two systems the second, as in all differences of the report; of several the
        best of each metric. Adjusted p-values hold for all pairs, also for those with the
        best.

    Returns
    -------
    SummaryTable
        With ``to_latex()``, ``to_markdown()``, ``to_html()`` and ``to_frame()``.

    Raises
    ------
    ValueError
        If `control` is not one of the systems, or the report compares with another one.

    Notes
    -----
    A bootstrap of a test set is drawn when the table is made, and kept with the report
    from then on. A report that is stored before (:meth:`to_json`) has no rows to draw from
    when it is restored; the note of its table says so.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> frame = report.summary_table(control="old").to_frame()
    >>> frame[["system", "score", "low", "high", "difference"]].round(3)
      system  score    low   high  difference
    0    new  0.800  0.575  1.025       0.075
    1    old  0.725  0.378  1.072         NaN
    """
    table: list[Record] = []
    notes: dict[str, list[str]] = {}
    for labels, part, grid in parts_of(self):
        if control is not None and not table:
            _check(part, control)
        rows, texts = _rows(part, ", ".join(labels), control)
        table += rows
        if grid is not None and part is grid.overall:
            texts += variation(grid)
        notes[one_line(", ".join(labels))] = texts
    all_notes = merged_notes(notes)
    # p-values in slices are adjusted for all slices.
    if isinstance(self, ReportGrid) and self.by != "slice" and not self.first.is_performance:
        all_notes.append(f"p-values are not adjusted for the number of {self.by}s.")
    return SummaryTable(tuple(table), tuple(all_notes))


def merged_notes(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Merge the notes of metrics: shared ones first, then the others after their metrics."""
    merged: dict[str, list[str]] = {"": []}
    for text, names in say.holders_of(notes.items()).items():
        label = "" if len(names) == len(notes) else f"{'; '.join(names)}: "
        merged.setdefault(label, []).append(text)
    return [*merged.pop(""), *(f"{label}{' '.join(texts)}" for label, texts in merged.items())]


def _check(r: Report, control: str) -> None:
    """Raise an error if the others were not compared with this control."""
    compared = [name for name in r.names if r.control in (None, name) and len(r.pairs)]
    if control not in compared:
        hint = f"use one of {compared}" if compared else "this report compares no systems"
        raise ValueError(f"control={control!r} was not compared with the others: {hint}.")


def _rows(r: Report, title: str, control: str | None) -> tuple[list[Record], list[str]]:
    """Return the records of all systems by one metric, and notes on them."""
    # The system that the others are compared with: the one asked for, or the default.
    reference: str | None = r.control or r.names[0]
    if control in r.names:
        reference = control
    elif r.is_pair or r.is_performance:
        reference = r.pairs[0].second if len(r.pairs) else None
    intervals, reason = _own_scores(r)
    against = {} if reference is None else r.against(reference)
    means = r.systems.column("mean")
    best = nan if r.direction_assumed else (min if r.lower else max)(means)
    rows = []
    for system in r.systems:
        low, high, method = intervals.get(system.name, (nan, nan, ""))
        pair = against.get(system.name, Pair(system.name, "")).seen_from(system.name, r)
        decides = nan if r.invalid else pair.p
        rows.append(
            {
                "system": system.name,
                **shared_of(r),
                "metric": title,
                "score": system.mean,
                "low": low,
                "high": high,
                "best": isclose(system.mean, best, rel_tol=1e-10),
                "method": method,
                "reference": reference,
                "difference": finite(pair.estimate),
                "difference_low": finite(pair.low),
                "difference_high": finite(pair.high),
                "pvalue": pair.pvalue,
                "adjusted_pvalue": pair.adjusted,
                "stars": "*" * sum(decides < level for level in star_levels(r)),
                "better": pair.better,
                "n": pair.n or r.n_units,
                "test": "" if r.is_performance else pair.test,
            }
        )
    notes = list(_notes(r, rows, reason))
    if reference is not None and not r.is_performance:
        pairs, other = list(against.values()), shown_name(reference)
        notes += about_differences(r, pairs, "the system", other)
    return rows, notes


def _own_scores(r: Report) -> tuple[dict[str, tuple[float, float, str]], str]:
    """Return the interval and method of every system alone, or why there are none."""
    if r.is_performance:
        return {s.name: (s.low, s.high, s.method) for s in r.systems}, ""
    if r.invalid:
        return {}, ""
    in_slice = isinstance(r.evidence, SliceEvidence)
    parts = list(r.evidence.parts.values()) if in_slice else [r.evidence]
    rows, view = {}, say.ShownMetric(r.metric, r.lower)
    for part in parts:
        if isinstance(part.own, str):
            return {}, part.own
        for name, (*ends, method) in part.own.items():
            low, high = view.interval(*map(finite, ends))
            # Scores that do not vary have no interval.
            rows[name] = (low, high, method) if low < high else (nan, nan, method)
    return rows, ""


def star_levels(r: Report) -> list[float]:
    """Return the levels of one star, two and three: the first is that of the verdicts."""
    return [float(f"{r.alpha / share:.12g}") for share in (1, 5, 50)]


def star_note(r: Report) -> str:
    """Write the meaning of stars."""
    marks = [f"{'*' * n} p < {share:g}" for n, share in enumerate(star_levels(r), start=1)]
    return ", ".join(marks)


def _notes(r: Report, rows: Sequence[Record], reason: str) -> Iterator[str]:
    """Write sentences on how the numbers of a metric were computed."""
    tested = len(r.pairs) > 0 and not r.is_performance
    if r.invalid:
        yield f"Not valid: {r.invalid}."
    yield f"{r.words.direction.capitalize()}."
    yield f"In brackets: {say.percent(r.confidence_level)} intervals."
    if reason:
        yield f"No intervals of single scores: {reason}."
    elif not r.invalid:
        methods = "; ".join(dict.fromkeys(row["method"] for row in rows if row["method"]))
        overlap = "; two may overlap although the systems differ significantly" * tested
        yield f"The interval of a score is that of the system alone ({methods}){overlap}."
        if bare := [row["system"] for row in rows if isnan(row["low"] + row["high"])]:
            yield f"No interval where scores are known or do not vary: {say.join_names(bare)}."
    if tested:
        tests = "; ".join(map(one_line, r.tests))
        yield f"Test{'s' * (len(r.tests) > 1)}: {tests}, {asked_of(r)}."
        if r.adjustment:
            yield f"p-values are {adjusted_of(r)}."
    yield f"n = {say.units_behind(r)}."
    if tested and not r.invalid:
        yield f"{star_note(r)}."


def paper_table(
    r: Report | ReportGrid, blocks: Iterable[Block], which: str, *, stars: bool
) -> Cells | None:
    """Return the requested table, or the default of the report.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    blocks : iterable of Block
        Its blocks.
    which : {"scores", "ranks", "pairs", ""}
        The scores on every data set, the systems as they are ranked (also as scores, where
        there is one data set), the comparisons; or the default.
    stars : bool
        Whether stars mark which systems differ significantly.

    Returns
    -------
    Cells or None
        None if nothing is compared: then the first table of the blocks is used.
    """
    first = r if isinstance(r, Report) else r.first
    is_several = first is r and first.ranked
    options = ["scores", "ranks", "pairs"] if is_several else ["pairs"]
    if which and which not in options:
        raise ValueError(f"table={which!r} is unknown; use {' or '.join(map(repr, options))}.")
    of_scores = is_several and which != "pairs"
    why = f": the p-values are not valid: {first.invalid}" * bool(first.invalid)
    if not of_scores:
        why = " marks the scores of several systems, as summary_table().to_latex() does"
    if stars and why:
        raise ValueError(f"stars=True{why}; leave it out.")
    if "pvalue" not in first.pairs:
        return None
    return _systems(first, blocks, which, stars) if of_scores else _pairs(r)


def _systems(r: Report, blocks: Iterable[Block], which: str, stars: bool) -> Cells:
    """Return the ranked systems, or their scores on every data set above the mean ranks.

    The best value is bold, and values are underlined if the system does not differ
    significantly from the best, or from the control.
    """
    if which == "ranks" or r.scores is None:
        cells = next(block for block in blocks if isinstance(block, Cells))
        targets = [(row, cells.n_names) for row in range(len(r.names))]
    else:
        cells = _by_dataset(r, r.scores)
        targets = [(len(cells.rows) - 1, 1 + r.scores["names"].index(name)) for name in r.names]
    reference = shown_name(r.control) if r.control else f"the {r.words.top}"
    against = r.against(r.control or r.names[0])
    rows, bold, underlined = [list(row) for row in cells.rows], {*cells.bold}, set()
    best = rows[targets[0][0]][targets[0][1]]
    for name, (row, column) in zip(r.names, targets, strict=True):
        if rows[row][column] == best:
            bold.add((row, column))
        p = against[name].p if name in against else nan
        # This depends on p alone, as letters do: equivalent systems may differ significantly.
        if p >= r.alpha:
            underlined.add((row, column))
        rows[row][column] += "*" * (stars * sum(p < level for level in star_levels(r)))
    notes = ["Bold: the best.", f"Underlined: no significant difference from {reference}."]
    if r.direction_assumed:
        bold, notes = set(), notes[1:]
    if r.alternative != "two-sided" and r.control is None:
        underlined, notes = set(), notes[:-1]
    notes += [f"{star_note(r)}, adjusted, against {reference}."] * stars
    note = " ".join([*notes, cells.note])
    return cells._replace(rows=rows, bold=bold, underlined=underlined, note=note)


def _by_dataset(r: Report, table: Mapping[str, Any]) -> Cells:
    """Return the scores on every data set, the best of a row bold, and the mean ranks."""
    decimals = max(3, say.decimals_for(score for row in table["rows"] for score in row))
    rows, bold = [], set()
    for index, (unit, scores) in enumerate(zip(table["units"], table["rows"], strict=True)):
        numbers = [one for one in scores if one is not None and not isnan(one)]
        best = say.fixed((min if r.lower else max)(numbers, default=None), decimals)
        texts = [say.fixed(score, decimals) if score in numbers else "--" for score in scores]
        rows.append([unit, *texts])
        bold |= {(index, i) for i, text in enumerate(texts, start=1) if text == best}
    names = table["names"]
    rows.append(["mean rank", *(say.fixed(r.systems[name].mean_rank, 2) for name in names)])
    title = f"{r.metric} on {len(rows) - 1} data sets"
    return Cells(title, ["", *map(shown_name, names)], rows, bold=bold, n_totals=1)


def _pairs(r: Report | ReportGrid) -> Cells:
    """Return all comparisons; those by several metrics as one table."""
    parts = r.reports if isinstance(r, ReportGrid) and r.by == "metric" else {"": r}
    tables = {name: comparisons_table(part) for name, part in parts.items()}
    first = next(iter(tables.values()))
    if len(tables) == 1:
        return first
    header = list(dict.fromkeys(title for cells in tables.values() for title in cells.header))
    rows, notes = [], {}
    for name, cells in tables.items():
        notes[name] = [cells.note]
        records = (dict(zip(cells.header, row, strict=True)) for row in cells.rows)
        rows += [[name, *(row.get(title) or "--" for title in header)] for row in records]
    words, header = 1 + header.index(first.header[-1]), ["metric", *header]
    note = " ".join(merged_notes(notes))
    return Cells("", header, rows, 1 + first.n_names, words, note=note)
