"""Slices as the rows of a table, from the dictionary of a report with losses as losses."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from skstat._names import clip, shown_name
from skstat.report._contents.contents import Contents, Section, joined
from skstat.report._contents.drawings import slices_drawing
from skstat.report._contents.grid import Grid
from skstat.report._contents.ranking_grid import interval_cell
from skstat.report._contents.rows import comparison_contents, lead_first
from skstat.report._contents.tone import Badge, tone_of
from skstat.report._words import (
    adjustment_name,
    decimals_for,
    direction_text,
    fixed,
    join_items,
    join_names,
    omnibus_text,
    percent,
    pvalue_cell,
    short,
)
from skstat.stats._outcomes import unit_word

_MOST_SYSTEMS = 6  # whose scores fit beside each other
_FIRST = 12  # slices that are shown at first sight; of more the rest is a detail


def slices_contents(state: dict[str, Any]) -> Contents:
    """Return what is shown of a comparison in slices."""
    a, b = map(shown_name, state["names"])
    overall = comparison_contents(state["overall"])
    section = overall.sections[0]
    found = Section(
        title=state["title"],
        badges=_badges(state),
        rows=_rows(state),
        drawing=slices_drawing(state),
        grids=_grids(state),
        first_grids=[_head(_grid(state, brief=True))],
        about=[*_about(state), *section.about],
        comparisons=[
            {**row, "slice": name}
            for name, part in (("all rows", state["overall"]), *_parts(state))
            for row in comparison_contents(part).sections[0].comparisons
        ],
        records=_records(state),
    )
    return Contents(
        conclusion=state["conclusion"],
        sections=[found],
        sentences=lead_first(state["sentences"]),
        doubts=state["doubts"],
        subject=f"{a} against {b}",
        metric=state["overall"]["metric"],
    )


def slices_of_systems_contents(
    state: dict[str, Any], overall: Contents, pairs: Sequence[Contents]
) -> Contents:
    """Return what is shown of several systems in slices: a table of all, then pair by pair.

    Parameters
    ----------
    state : dict
        The dictionary of the report, with losses as losses.
    overall : Contents
        What is shown of the comparison on all rows.
    pairs : sequence of Contents
        What is shown of every pair in its slices.
    """
    # One paragraph, which stands above the table of all pairs.
    first, *others = state["sentences"]
    parts = joined(state["conclusion"], [(first, " ".join(others))], pairs)
    whole = _overview(state)
    sections = [
        Section(title="All pairs", grids=[whole], is_open=True),
        *(replace(section, says="") for section in parts.sections),
        *(
            replace(
                section,
                title="All rows",
                records=(),
                comparisons=[{**row, "slice": "all rows"} for row in section.comparisons],
            )
            for section in overall.sections
        ),
    ]
    for section, report in zip(sections[1:], state["reports"], strict=False):
        names = dict(zip(("first", "second"), report["names"], strict=True))
        records = [{**names, **record} for record in section.records]
        rows = [row for row in section.comparisons if row["slice"] != "all rows"]
        against = " against ".join(map(shown_name, report["names"]))
        grids, first = (
            [grid._replace(title=f"{against}. {grid.title}") for grid in each]
            for each in (section.grids, section.first_grids)
        )
        sections[sections.index(section)] = replace(
            section, grids=grids, first_grids=first, records=records, comparisons=rows
        )
    return replace(
        parts,
        sections=sections,
        overview=_head(whole),
        subject=state["title"],
        metric=state["metric"],
    )


def _overview(state: dict[str, Any]) -> Grid:
    """Return slices as rows: scores of the systems, and which of them may be the best."""
    scores, n_rows = state["scores"], state["n_rows"]
    systems = state["names"] if len(state["names"]) <= _MOST_SYSTEMS else []
    decimals = decimals_for(score for each in scores.values() for score in each.values())
    table: list[tuple[str, list[str]]] = [
        ("slice", [shown_name(name) for name in n_rows]),
        ("rows", [str(n) for n in n_rows.values()]),
    ]
    for system in systems:
        column = [scores[name].get(system) for name in n_rows]
        table.append(
            (shown_name(system), ["" if s is None else fixed(s, decimals) for s in column])
        )
    if state["may_be_best"]:
        best = state["may_be_best"]
        table.append(("may be the best", [_among(best[name], state) for name in n_rows]))
    else:
        for report in state["reports"]:
            verdicts = dict(zip(report["slices"], report["verdicts"], strict=True))
            of = " against ".join(map(clip, report["names"]))
            table.append((of, [verdicts.get(name, "") for name in n_rows]))
    return Grid(
        f"Slice by slice, {state['metric']}, {direction_text(state)}",
        [title for title, _ in table],
        [list(cells) for cells in zip(*(cells for _, cells in table), strict=True)],
        words=2 + len(systems),
        note=f"Adjusted for all {state['n_comparisons']} comparisons, of pairs in slices.",
    )


def _among(best: Sequence[str], state: dict[str, Any]) -> str:
    n = len(state["names"])
    return f"each of {n}" if len(best) == n else join_names(best)


def _parts(state: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return list(zip(state["slices"], state["reports"], strict=True))


def _badges(state: dict[str, Any]) -> list[Badge]:
    """Count the slices of every verdict, the worst first."""
    kinds = ("worse", "lower", "undecided", "not inferior", "equivalent", "higher", "better")
    each = zip(state["slices"], state["verdicts"], strict=True)
    verdicts = [verdict for name, verdict in each if name not in state["explained_by"]]
    return [
        Badge(f"{clip(state['names'][0])}: {n} {kind}", tone_of(kind))
        for kind in kinds
        if (n := verdicts.count(kind))
    ]


def _rows(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what everybody should read beside the sentences."""
    tests = dict.fromkeys(part["test"] for part in state["reports"])
    n = len(state["slices"])
    of_all = state["n_comparisons"]
    of = f"{n} slices" if of_all is None else f"{of_all} pairs in slices"
    adjusted = f", adjusted by {adjustment_name(state['adjustment'])} for {of}" * (n > 1)
    cut = join_names(state["cut_by"]) if state["cut_by"] else "one column"
    outside = state["n_outside"]
    rest = f"; {outside} row{'s' * (outside > 1)} in none" if outside else ""
    return [
        ("Slices", f"{n} by {cut}{rest}"),
        ("Tests", f"{'; '.join(tests)}{adjusted}"),
    ]


def _about(state: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the details of the slices, which stand before those of all rows."""
    between = state["between"]
    rows = []
    if between is not None:
        asked = len(between["names"])
        of = f" (of {asked} slices in which it is known how much it varies)" * (
            asked < len(state["slices"])
        )
        rows += [
            ("Between slices", f"{omnibus_text(between)}{of}"),
            ("Its adjusted p", _adjusted(state["adjusted_between"])),
            ("Its null hypothesis", between["null_hypothesis"]),
            (
                "Spread of the true differences",
                f"standard deviation {short(between['effect_sizes']['tau'])}, estimated",
            ),
        ]
    if state["margin"] is not None:
        rows.append(
            (
                "Not worse in any slice",
                f"largest one-sided {pvalue_cell(state['noninferior_pvalue'])}; every slice "
                "must be shown, so that nothing is adjusted",
            )
        )
    rows += [
        ("How slices were made", join_items(state["notes"])),
        ("Not compared", join_items([f"{k} ({why})" for k, why in state["left_out"].items()])),
    ]
    return [(label, text) for label, text in rows if text]


def _adjusted(pvalue: float | None) -> str:
    return "" if pvalue is None else pvalue_cell(pvalue)


def _grids(state: dict[str, Any]) -> list[Grid]:
    """Return the table of all slices; of a long one its head, and the whole to be unfolded."""
    grid = _grid(state)
    if len(grid.rows) <= _FIRST:
        return [grid]
    return [_head(grid), grid._replace(title=f"All slices. {grid.title}", is_detail=True)]


def _head(grid: Grid) -> Grid:
    """Return the first rows of a table, and count the others."""
    left = len(grid.rows) - _FIRST
    if left <= 0:
        return grid
    return grid._replace(
        rows=grid.rows[:_FIRST],
        tones=grid.tones[:_FIRST],
        note=f"{grid.note} Not shown: {left} more.",
    )


def _grid(state: dict[str, Any], *, brief: bool = False) -> Grid:
    """Return slices as rows, the worst for the first system on top.

    `brief` fits the width of a text: without the scores that the difference is of.
    """
    a, b = map(shown_name, state["names"])
    shrunken = state["shrunken"] or [None] * len(state["slices"])
    columns = ("slices", "n_rows", "reports")
    rows = zip(*(state[name] for name in columns), shrunken, strict=True)
    ordered = sorted(rows, key=lambda row: _goodness(row[2]))
    names, n_rows, parts, drawn_in = (list(column) for column in zip(*ordered, strict=True))
    overall = state["overall"]
    decimals = decimals_for(
        value for part in (*parts, overall) for value in (part["estimate"], *part["interval"])
    )
    several, simultaneous = len(parts) > 1, all(part["simultaneous"] for part in parts)
    kind = "simultaneous " if simultaneous else "adjusted " * several
    level = f"{percent(state['confidence_level'])} interval"
    table: list[tuple[str, list[str]]] = [
        ("slice", [shown_name(name) for name in names]),
        ("rows", [str(n) for n in n_rows]),
    ]
    if not brief:
        unit = parts[0]["unit"]
        if unit not in ("instance", "split"):
            table.append((f"{unit_word(unit)}s", [str(part["n_units"]) for part in parts]))
        for place, name in enumerate((a, b)):
            means = [part["scores"][place]["mean"] for part in parts]
            table.append((name, [fixed(mean, max(3, decimals)) for mean in means]))
    table += [
        ("difference", [fixed(part["estimate"], decimals, sign=True) for part in parts]),
        (level, [_interval(part, decimals) for part in parts]),
        ("adjusted p" if several else "p", [pvalue_cell(_pvalue(part)) for part in parts]),
    ]
    note = (
        f"Difference: {a} \N{MINUS SIGN} {b}; over all rows "
        f"{fixed(overall['estimate'], decimals, sign=True)}."
    )
    note += f" Intervals are {kind.strip()}." if kind else ""
    if state["shrunken"] is not None and not brief:
        table.append(("shrunken", [fixed(one, decimals, sign=True) for one in drawn_in]))
        note += " Shrunken: drawn towards the common mean, as far as differences are noise."
    explained = state["explained_by"]
    verdicts = [
        f"{part['verdict']}, shared" if name in explained else part["verdict"]
        for name, part in zip(names, parts, strict=True)
    ]
    if explained:
        by = dict.fromkeys(one for each in explained.values() for one in each)
        note += f" Shared: not significant without the rows of {join_names(by)}."
    table.append(("verdict", verdicts))
    return Grid(
        f"Slice by slice, {overall['metric']}, {direction_text(overall)}",
        [title for title, _ in table],
        [list(cells) for cells in zip(*(cells for _, cells in table), strict=True)],
        words=len(table) - 1,
        note=note,
        tones=[tone_of(part["verdict"]) for part in parts],
    )


def _interval(part: dict[str, Any], decimals: int) -> str:
    low, high = part["interval"]
    return interval_cell({"low": low, "high": high, "pvalue": part["pvalue"]}, decimals)


def _pvalue(part: dict[str, Any]) -> float | None:
    adjusted: float | None = part["adjusted_pvalue"]
    return part["pvalue"] if adjusted is None else adjusted


def _goodness(part: dict[str, Any]) -> float:
    """Order slices by what the first system gains there, the worst first."""
    estimate = float(part["estimate"] or 0.0)
    return -estimate if part["is_loss"] and part["scale"] == "score" else estimate


def _records(state: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one row of plain numbers per slice, with the columns of every comparison."""
    n_rows, shrunken = state["n_rows"], state["shrunken"]
    found = []
    for place, (name, part) in enumerate(_parts(state)):
        (record,) = comparison_contents(part).sections[0].records
        found.append(
            {
                "slice": name,
                "n_rows": n_rows[place],
                **record,
                "shrunken": float("nan") if shrunken is None else shrunken[place],
                "explained_by": ", ".join(state["explained_by"].get(name, ())),
            }
        )
    return found
