"""The other tables of a paper: comparisons, and the scores of several systems."""

from collections.abc import Iterable, Mapping
from math import isnan, nan
from typing import Any

from skstat._names import shown_name
from skstat.report._blocks import Block, Cells
from skstat.report._model import Report, ReportGrid
from skstat.report._paper.results import star_levels, star_note
from skstat.report._sections import comparisons_table
from skstat.report._words import decimals_for, fixed, good_best, join_names


def paper_table(
    r: Report | ReportGrid, blocks: Iterable[Block], which: str, *, stars: bool
) -> Cells | None:
    """Return the table that is asked for; default what such a report is about.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    blocks : iterable of Block
        What it shows.
    which : {"scores", "ranks", "pairs", ""}
        The scores on every data set, the systems as they are ranked (also as scores, where
        there is one data set), the comparisons; or the default.
    stars : bool
        Whether stars mark which systems differ significantly.

    Returns
    -------
    Cells or None
        None where nothing is compared: what the report shows first is its table.
    """
    of = r if isinstance(r, Report) else r.first
    is_several = of is r and of.ranked
    known = ["scores", "ranks", "pairs"] if is_several else ["pairs"]
    if which and which not in known:
        raise ValueError(f"table={which!r} is unknown; use {' or '.join(map(repr, known))}.")
    of_scores = is_several and which != "pairs"
    if stars and not of_scores:
        raise ValueError(
            "stars=True marks the scores of several systems; leave it out, or use "
            "summary_table().to_latex(), which has stars."
        )
    if stars and of.invalid:
        raise ValueError(f"stars=True: the p-values are not valid: {of.invalid}; leave it out.")
    if "pvalue" not in of.pairs:
        return None
    return _systems(of, blocks, which, stars) if of_scores else _pairs(r)


def _systems(r: Report, blocks: Iterable[Block], which: str, stars: bool) -> Cells:
    """Return the ranked systems, or their scores on every data set above the mean ranks.

    What ranks them is marked: the best is bold, and underlined what does not differ
    significantly from the best, or from the control.
    """
    if which == "ranks" or r.scores is None:
        cells = next(block for block in blocks if isinstance(block, Cells))
        places = [(row, cells.n_names) for row in range(len(r.names))]
    else:
        cells = _by_dataset(r, r.scores)
        places = [(len(cells.rows) - 1, 1 + r.scores["names"].index(name)) for name in r.names]
    reference = shown_name(r.control) if r.control else f"the {good_best(r)}"
    against = r.against(r.control or r.names[0])
    rows, bold, underlined = [list(row) for row in cells.rows], {*cells.bold}, set()
    best = rows[places[0][0]][places[0][1]]
    for name, (row, column) in zip(r.names, places, strict=True):
        if rows[row][column] == best:
            bold.add((row, column))
        p = against[name].p if name in against else nan
        # As for letters: an equivalent system may differ significantly, or not.
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
    decimals = max(3, decimals_for(score for row in table["rows"] for score in row))
    rows, bold = [], set()
    for place, (unit, scores) in enumerate(zip(table["units"], table["rows"], strict=True)):
        known = [one for one in scores if one is not None and not isnan(one)]
        best = fixed((min if r.lower else max)(known, default=None), decimals)
        texts = [fixed(score, decimals) if score in known else "--" for score in scores]
        rows.append([unit, *texts])
        bold |= {(place, i) for i, text in enumerate(texts, start=1) if text == best}
    names = table["names"]
    rows.append(["mean rank", *(fixed(r.systems[name].mean_rank, 2) for name in names)])
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
    rows: list[list[str]] = []
    notes: dict[str, list[str]] = {}
    for name, cells in tables.items():
        notes.setdefault(cells.note, []).append(name)
        for row in cells.rows:
            known = dict(zip(cells.header, row, strict=True))
            rows.append([name, *(known.get(title) or "--" for title in header)])
    said = [f"{join_names(names)}: " * (len(notes) > 1) + note for note, names in notes.items()]
    words, header = 1 + header.index(first.header[-1]), ["metric", *header]
    return Cells("", header, rows, 1 + first.n_names, words, note=" ".join(said))
