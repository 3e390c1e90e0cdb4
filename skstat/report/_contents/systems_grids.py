"""What a report on several systems shows, in tables and rows, for every form."""

from collections.abc import Sequence
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._contents.contents import Contents, Section
from skstat.report._contents.drawing import Drawing
from skstat.report._contents.drawings import rank_drawing, systems_drawing
from skstat.report._contents.grid import Grid
from skstat.report._contents.ranking_grid import brief_ranking, interval_cell, ranking_grid
from skstat.report._contents.records import pair_record
from skstat.report._contents.rows import lead_first
from skstat.report._contents.strengths_grid import strengths_grid
from skstat.report._contents.tone import Tone, pair_tone, system_tones, systems_badges
from skstat.report._contents.verdict_grid import MOST_IN_FULL, verdict_grid
from skstat.report._contents.when_read import WhenRead
from skstat.report._words import (
    adjustment_name,
    choice_text,
    decimals_for,
    design_line,
    drawn_text,
    estimand_in_names,
    fixed,
    in_names,
    join_items,
    more_of_design,
    omnibus_text,
    pairs_stability_text,
    percent,
    pvalue_cell,
    short,
    strengths_text,
    units,
    units_behind,
)
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import alpha_of, unit_word

_MOST_PAIRS = 30
_PAIR = ("the first", "the second")  # of every pair
_MOST_RANKED = 50
_PLACES = {"first": "1st", "second": "2nd"}


_Report = dict[str, Any]


def systems_contents(report: _Report) -> Contents:
    """Return what is shown of several systems on one data set."""
    return _contents(report, systems_drawing(report))


def datasets_contents(report: _Report) -> Contents:
    """Return what is shown of several systems on many data sets."""
    return _contents(report, rank_drawing(report))


def _contents(report: _Report, drawing: Drawing | None) -> Contents:
    section = Section(
        title=one_line(report["metric"]),
        badges=systems_badges(report),
        drawing=drawing,
        grids=WhenRead(lambda: _grids(report)),
        short_grids=WhenRead(lambda: _short_grids(report)),
        first_grids=[brief_ranking(report)],
        rows=headline_rows(report),
        about=about_rows(report),
        comparisons=WhenRead(lambda: _comparisons(report)),
        records=WhenRead(lambda: _records(report)),
    )
    return Contents(
        conclusion=report["conclusion"],
        sections=[section],
        sentences=lead_first(report["sentences"]),
        doubts=report["doubts"],
        subject=_subject(report),
        metric=report["metric"],
    )


def _grids(report: _Report) -> list[Grid]:
    beside = (verdict_grid(report), strengths_grid(report))
    overview, strengths = ([] if grid is None else [grid] for grid in beside)
    pairs = pairs_grid(report, most=MOST_IN_FULL)
    return [ranking_grid(report), *overview, pairs, *strengths]


def _short_grids(report: _Report) -> list[Grid]:
    """Return the tables cut for a screen, if they are too long for one."""
    if len(report["ranking"]) <= _MOST_RANKED and len(report["pairs"]) <= _MOST_PAIRS:
        return []
    strengths = strengths_grid(report)
    beside = [] if strengths is None else [strengths]
    return [_shortened(ranking_grid(report)), pairs_grid(report), *beside]


def _subject(report: _Report) -> str:
    control = report["control"]
    against = "" if control is None else f" against {shown_name(control)}"
    return f"{report['title']}{against}"


def _shortened(grid: Grid) -> Grid:
    left = max(0, len(grid.rows) - _MOST_RANKED)
    if not left:
        return grid
    note = f"{left} more in to_dict()['ranking']. {grid.note}"
    return grid._replace(rows=grid.rows[:_MOST_RANKED], note=note)


def _comparisons(report: _Report) -> list[_Report]:
    """Return the pairs with what is the same of all of them."""
    pairs = report["pairs"]
    given = {key: report[key] for key in ("is_loss", "quantity")}
    ends = [pair[end] for pair in pairs for end in ("estimate", "low", "high")]
    given["decimals"] = decimals_for(ends)
    return [
        {**pair, **given, "undefined": pair["pvalue"] is None and pair["low"] is None}
        for pair in pairs
    ]


def _records(report: _Report) -> list[_Report]:
    """Return the pairs as rows of plain numbers."""
    means = {row["name"]: row["mean"] for row in report["ranking"]}
    shares = {
        (row["first"], row["second"]): row["share"] for row in report.get("stability") or ()
    }
    return [
        pair_record(
            pair,
            report,
            (means[pair["first"]], means[pair["second"]]),
            n=pair["n_units"],
            quantity=pair["quantity"],
            same_verdict=shares.get((pair["first"], pair["second"])),
        )
        for pair in report["pairs"]
    ]


def pairs_grid(report: dict[str, Any], most: int = _MOST_PAIRS) -> Grid:
    """Return the comparisons, the surest first."""
    pairs = report["pairs"]
    shown = [pairs[place] for place in pairs.surest[:most].tolist()]
    by_rank, simultaneous = shown[0]["scale"] == "mean rank", shown[0]["simultaneous"]
    header = [
        "first",
        "second",
        "difference",
        f"{percent(report['confidence_level'])} interval",
        "p",
        "adjusted p",
        "better",
    ]
    ends = [value for row in shown for value in (row["estimate"], row["low"], row["high"])]
    decimals = decimals_for(ends)
    ahead = [_ahead(row, report["is_loss"]) for row in shown]
    rows = [
        [
            shown_name(row["first"]),
            shown_name(row["second"]),
            fixed(row["estimate"], decimals, sign=True),
            interval_cell(row, decimals),
            pvalue_cell(row["pvalue"]),
            pvalue_cell(row["adjusted_pvalue"]),
            _better(row, leader),
        ]
        for row, leader in zip(shown, ahead, strict=True)
    ]
    if (pairs.n_units != report["n_units"]).any():
        header.insert(4, "n")
        for cells, row in zip(rows, shown, strict=True):
            cells.insert(4, str(row["n_units"]))
    if report["margin"] is not None:
        header.insert(-1, "equivalence p")
        for cells, row in zip(rows, shown, strict=True):
            cells.insert(-1, pvalue_cell(row["equivalence_pvalue"]))
    if report["rope"] is not None:
        named = _probability_columns(report["rope"])
        drawn = report["probability_model"]["n_drawn"]
        header[-1:-1] = [heading for heading, _ in named]
        for cells, row in zip(rows, shown, strict=True):
            cells[-1:-1] = [drawn_text(row[key], drawn) for _, key in named]
    title = f"In pairs: {_in_pairs(report)}"
    n_names, side = 2, "the first"
    control = report["control"]
    if control is not None and shown[0]["first"] == control:
        # One column is the same in every row.
        n_names, side = 1, shown_name(control)
        title = f"{shown_name(control)} against every other: {_in_pairs(report)}"
        header = ["against", "difference", *header[3:]]
        rows = [cells[1:] for cells in rows]
    elif control is not None:
        n_names, side = 1, "the system named"
        title = f"Every other against {shown_name(control)}: {_in_pairs(report)}"
        header = ["", "difference", *header[3:-1], "verdict"]
        rows = [
            [a, *numbers, _against_control(row, leader)]
            for (a, _, *numbers, _), row, leader in zip(rows, shown, ahead, strict=True)
        ]
    left = len(pairs) - len(shown)
    note = f"{left} more pair{'s' * (left > 1)} in to_frame(). " if left else ""
    if simultaneous:
        note += "Intervals hold for all pairs at once."
    elif len(pairs) > 1:
        note += "Intervals are adjusted like the p-values."
    if not (report["quantity"]["is_difference"] or by_rank):
        note += f" {_quantity_note(report)}"
    if any(row["adjusted_pvalue"] is None for row in shown):
        note += " No p-value: without variance no test is possible."
    if n_names == 2:
        of = ("rank of the second", "rank of the first") if by_rank else ("first", "second")
        note += " Difference: {} \N{MINUS SIGN} {}.".format(*of)
    elif by_rank:
        note += " Difference: rank of the control \N{MINUS SIGN} rank of the other."
    if report["is_loss"] and not by_rank:
        note += f" Differences below 0: lower {report['metric']}, {side} is better."
    alpha = alpha_of(report["confidence_level"])
    decided = "Better" if header[-1] == "better" else "Better or worse"
    note += f" {decided}: adjusted p below {alpha:g}."
    if report["margin"] is not None:
        note += (
            f" Equivalent: adjusted equivalence p below {alpha:g}, within the margin of "
            f"{short(report['margin'])}."
        )
        if any(ahead):
            where = "ahead" if header[-1] == "better" else "ahead or behind"
            note += f" Equivalent, and {where}: both hold, a difference too small to matter."
    if report["rope"] is not None:
        note += f" {_probability_note(report)}"
    words = len(header) - 1
    return Grid(
        title,
        header,
        rows,
        n_names=n_names,
        words=words,
        note=note.strip(),
        is_detail=True,
        tones=_tones(report, shown),
        letters=[_letter(row, leader) for row, leader in zip(shown, ahead, strict=True)],
    )


def _probability_columns(rope: float) -> list[tuple[str, str]]:
    """Return the columns of probabilities: without a region two are left."""
    found = [("P(first)", "probability_better"), ("P(second)", "probability_worse")]
    return [found[0], *[("P(same)", "probability_same")] * bool(rope), found[1]]


def _probability_note(report: dict[str, Any]) -> str:
    """Say what the probabilities are of, and that they are not adjusted."""
    beyond = f" by more than {short(report['rope'])}" if report["rope"] else ""
    return (
        f"P: the comparison of the pair read as probabilities, that the first or the second "
        f"system is better{beyond}{report['probability_model']['said']}; not adjusted for the "
        "number of pairs."
    )


def _tones(report: dict[str, Any], pairs: Sequence[dict[str, Any]]) -> list[Tone]:
    """Return the tones of pairs; against a control, those of the other systems."""
    control, tones = report["control"], system_tones(report)
    if control is None:
        return [pair_tone(row) for row in pairs]
    others = [row["second" if row["first"] == control else "first"] for row in pairs]
    return [tones.get(name, "") for name in others]


def _quantity_note(report: dict[str, Any]) -> str:
    """Say what differences in pairs are, where they are not those of the scores."""
    quantity = report["quantity"]
    name = f"{quantity['name'][0].upper()}{quantity['name'][1:]}s"
    of = f" of single {unit_word(report['unit'])}s" if quantity["of_units"] else ""
    return f"{name}{of} are not differences of the scores above."


def headline_rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return how the systems were compared, for everybody."""
    rows = [
        ("Test", _in_pairs(report)),
        ("Design", design_line(report["design"]) or units(report["n_units"], report["unit"])),
    ]
    return [(label, text) for label, text in rows if text]


def about_rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what was tested, how, and under which assumptions."""
    effects = (f"{name} {short(value)}" for name, value in report["effect_sizes"].items())
    omnibus = report["omnibus"]
    all_at_once = () if omnibus is None else (omnibus_text(omnibus, effects=False),)
    nulls = report["pairwise"]["null_hypotheses"]
    rows = [
        ("Choice of tests", choice_text(report["choice"])),
        ("All at once", *all_at_once),
        ("Critical difference", _critical_difference(report)),
        ("Not joined by a bar", _undrawn(report.get("undrawn", ()))),
        ("Margin", _margin(report)),
        ("Probabilities", _probabilities(report)),
        ("Strengths", _strengths(report)),
        ("Estimand", _estimand(report)),
        ("Null, all at once", *([report["null_hypothesis"]] if omnibus else [])),
        ("Null, in pairs", "; ".join(in_names(null, *_PAIR) for null in nulls)),
        ("Unit", units_behind(report)),
        ("Assumptions", "; ".join(in_names(text, *_PAIR) for text in report["assumptions"])),
        ("Not covered", "; ".join(report["ignored_variance"])),
        ("Effect sizes", "; ".join(effects)),
        ("All of the design", more_of_design(report["design"])),
        ("Other partitions", pairs_stability_text(_named(report.get("stability") or ()))),
        ("Left out", join_items(report.get("left_out", ()))),
    ]
    return [(row[0], row[1]) for row in rows if len(row) == 2 and row[1]]


def _estimand(report: dict[str, Any]) -> str:
    """Write what is estimated of every pair, with the metric by its name."""
    scale = report["pairs"][0]["scale"]
    return estimand_in_names(report["estimand"], *_PAIR, report["metric"], scale)


def _in_pairs(report: dict[str, Any]) -> str:
    """Name the test of the pairs, and how its p-values were adjusted."""
    tests = report["pairwise"]["tests"]
    if report["adjustment"] == "max-t":  # the name of the test has it
        return " / ".join(tests)
    return f"{' / '.join(tests)}, p-values adjusted by {report['adjustment_name']}"


def _better(row: dict[str, Any], ahead: str) -> str:
    if row["adjusted_pvalue"] is None:
        return "no test"
    if ahead:
        return f"equivalent, {ahead} ahead"
    return str(row["verdict"]) if row["better"] is None else shown_name(row["better"])


def _letter(row: dict[str, Any], ahead: str) -> str:
    """Write the verdict where there is little room."""
    if row["adjusted_pvalue"] is None:
        return "no test"
    words = {
        "better": _PLACES["first"],
        "worse": _PLACES["second"],
        "equivalent": f"= {_PLACES.get(ahead, '')}".strip(),
    }
    return words.get(row["verdict"], "\N{EN DASH}")


def _against_control(row: dict[str, Any], ahead: str) -> str:
    """Write the verdict on another system than the control."""
    if ahead:
        return f"equivalent, {'ahead' if ahead == 'first' else 'behind'}"
    return str(row["verdict"]) if row["better"] is not None else _better(row, ahead)


def _ahead(row: dict[str, Any], is_loss: bool) -> str:
    """Which of two that are equivalent is better, if their difference is significant."""
    adjusted, estimate = row["adjusted_pvalue"], row["estimate"]
    apart = adjusted is not None and adjusted < alpha_of(row["confidence_level"])
    if row["verdict"] != "equivalent" or not apart or not estimate:
        return ""
    return "first" if (estimate > 0) != is_loss else "second"


def _critical_difference(report: dict[str, Any]) -> str:
    value = report.get("critical_difference")
    return "" if value is None else f"{fixed(value, 3)} in mean rank"


def _margin(report: dict[str, Any]) -> str:
    if report["margin"] is None:
        return ""
    level = percent(round(2 * report["confidence_level"] - 1, 12))
    method = report["adjustment_name"]
    if report["adjustment"] == "max-t" or adjustment_facts(report["adjustment"]).logical:
        method = adjustment_name("holm")  # as `equivalence_tests` has it
    return (
        f"{short(report['margin'])} {report['metric']}: two one-sided tests of every pair (the "
        f"{level} interval inside the margin), p-values adjusted by {method}"
    )


def _probabilities(report: dict[str, Any]) -> str:
    """Write what the probabilities of pairs rest on."""
    found = report["probability_model"]
    if found is None:
        return ""
    region = (
        f"differences up to {short(report['rope'])} {report['metric']} are practically none"
    )
    return f"{found['model']}; {region if report['rope'] else 'without a region'}; not adjusted"


def _strengths(report: dict[str, Any]) -> str:
    """Write what the probabilities to be the best rest on."""
    found = report["strengths"]
    return "" if found is None else strengths_text(found, report["unit"], report["metric"])


def _named(pairs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    ends = ("first", "second")
    return [{**pair, **{end: shown_name(pair[end]) for end in ends}} for pair in pairs]


def _undrawn(pairs: Sequence[Sequence[str]]) -> str:
    """Pairs that do not differ significantly although systems between them do."""
    return join_items([f"{shown_name(a)} and {shown_name(b)}" for a, b in pairs])
