"""The ranking of several systems as a table: all that is known, or what decides."""

from typing import Any

import numpy as np

from skstat._names import clip, shown_name
from skstat.report._contents.grid import Grid
from skstat.report._contents.losses_as_losses import metric_of
from skstat.report._contents.strengths_grid import best_columns, best_note
from skstat.report._words import (
    decimals_for,
    direction_text,
    drawn_text,
    fixed,
    percent,
    short,
    time_text,
)
from skstat.stats._outcomes import unit_word

_Report = dict[str, Any]
_Columns = list[tuple[str, list[str]]]

_FEW = 6  # systems, which are all shown at first sight
_SHORT = 12  # letters of a name in a header
_MOST_FIRST = 4  # of more systems


def ranking_grid(report: _Report) -> Grid:
    """Return all systems, the best first, with the letters of those that share one."""
    columns, notes = _columns(report)
    if "sd" in dict(columns):
        notes.append(f"sd: standard deviation over the {unit_word(report['unit'])}s.")
    if report["may_be_best"]:
        notes.append("May be best: no other one is significantly better.")
    words, note, note_with_drawing = None, " ".join(notes), ""
    letters = [row["letters"] for row in report["ranking"]]
    if any(letters):
        words = len(columns)
        columns.append(("group", letters))
        rest = f": no significant difference was found.{_untested(report)} {note}".rstrip()
        note = f"Systems that share a letter{rest}"
        if any(len(group) > 1 for group in report.get("groups", ())):
            note_with_drawing = f"Systems that share a letter or a bar{rest}"
    return Grid(
        _title(report),
        [title for title, _ in columns],
        _rows(columns),
        words=words,
        note=note,
        note_with_drawing=note_with_drawing,
    )


def brief_ranking(report: _Report) -> Grid:
    """Return the systems that matter for a choice, and count the others."""
    ranking = report["ranking"]
    columns, notes = _columns(report)
    if "mean_rank" in ranking[0]:
        notes = best_note(report)  # those on counts of wins are details
    columns += _against_control(report)
    kept = [row["name"] for row in ranking if row.get("may_be_best", True)]
    shown = {row["name"] for row in ranking}
    if len(ranking) > _FEW:
        shown = {*kept[:_MOST_FIRST], report["control"]}
        notes.append(_not_shown([row for row in ranking if row["name"] not in shown]))
    rows = [
        cells
        for cells, row in zip(_rows(columns), ranking, strict=True)
        if row["name"] in shown
    ]
    return Grid(
        _title(report),
        [title for title, _ in columns],
        rows,
        note=" ".join(filter(None, notes)),
    )


def _not_shown(left: list[_Report]) -> str:
    """Count the systems that are left out, by whether they may be the best."""
    if not left:
        return ""
    if not any("may_be_best" in row for row in left):
        return f"Not shown: {len(left)} more."
    n_kept = sum(row["may_be_best"] for row in left)
    counts = [
        f"{n} {words}"
        for n, words in (
            (n_kept, "more that may be the best"),
            (len(left) - n_kept, "ruled out"),
        )
        if n
    ]
    return f"Not shown: {', '.join(counts)}."


def _title(report: _Report) -> str:
    return f"Ranking by {report['metric']}, {direction_text(report)}"


def _rows(columns: _Columns) -> list[list[str]]:
    return [list(row) for row in zip(*(cells for _, cells in columns), strict=True)]


def _untested(report: _Report) -> str:
    tested = not np.isnan(report["pairs"].adjusted).any()
    return "" if tested else " Some pairs could not be tested."


def _columns(report: _Report) -> tuple[_Columns, list[str]]:
    """Return columns by their titles, and what is to be said of them."""
    by_rank = "mean_rank" in report["ranking"][0]
    columns, notes = _of_ranks(report) if by_rank else _of_scores(report)
    ranking = report["ranking"]
    if report["may_be_best"]:
        cells = ["yes" if row["may_be_best"] else "no" for row in ranking]
        columns.append(("may be best", cells))
    columns += best_columns(report)
    notes += best_note(report)
    columns += _probable(report)
    if report["best_posterior"] is not None:
        notes.append(_what_is_probable(report))
    times = report["times"]
    if times is not None:
        columns += [
            (kind, [time_text(times[row["name"]][kind]) for row in ranking])
            for kind in ("fit", "predict")
        ]
    return columns, notes


def _probable(report: _Report) -> _Columns:
    """Return the probabilities to be the best, and to be practically as good."""
    found, ranking = report["best_posterior"], report["ranking"]
    if found is None:
        return []
    keys = {"P(best)": "probability_best"}
    if found["rope"]:
        keys[f"P(within {short(found['rope'])})"] = "probability_near_best"
    return [
        (title, [drawn_text(row[key], found["n_draws"]) for row in ranking])
        for title, key in keys.items()
    ]


def _what_is_probable(report: _Report) -> str:
    within = ", or so near to it" if report["best_posterior"]["rope"] else ""
    return f"P(best): that its score is the highest{within}, by one law of all systems."


def _of_ranks(report: _Report) -> tuple[_Columns, list[str]]:
    ranking = report["ranking"]
    decimals = max(3, decimals_for(row["mean"] for row in ranking))
    columns = [
        ("", [shown_name(row["name"]) for row in ranking]),
        ("mean rank", [fixed(row["mean_rank"], 2) for row in ranking]),
        ("mean", [fixed(row["mean"], decimals) for row in ranking]),
        ("sd", [_or_blank(row["sd"], decimals) for row in ranking]),
        (
            "wins/ties/losses",
            [f"{row['wins']}/{row['ties']}/{row['losses']}" for row in ranking],
        ),
    ]
    notes = ["Wins, ties and losses are against every other system on every data set."]
    if any(score is None for row in report["sample"]["scores"] for score in row):
        notes.append("Mean ranks allow for who has scores on which data sets.")
    return columns, notes


def _of_scores(report: _Report) -> tuple[_Columns, list[str]]:
    ranking, metric = report["ranking"], metric_of(report)
    decimals = max(3, decimals_for(row["mean"] for row in ranking))
    spread = any(row["sd"] is not None for row in ranking)
    columns = [
        ("", [shown_name(row["name"]) for row in ranking]),
        (
            "mean" if spread else metric.word,
            [fixed(row["mean"], decimals) for row in ranking],
        ),
    ]
    if spread:
        columns.append(("sd", [fixed(row["sd"], decimals) for row in ranking]))
    if "from_best_low" not in ranking[0]:
        return columns, []
    ends = [row[end] for row in ranking for end in ("from_best_low", "from_best_high")]
    places = decimals_for(ends)
    columns.append(("from the best other", [_from_best(row, places) for row in ranking]))
    level = percent(report["confidence_level"])
    note = (
        f"From the best other: {metric.word} minus the {metric.best} of the others, "
        f"simultaneous {level} intervals."
    )
    return columns, [note]


def _against_control(report: _Report) -> _Columns:
    """Return the interval and the verdict of every system against the control.

    Where the control comes first in its pairs, it is the one in question: sentences say it.
    Where it was chosen by its score, the column of those that may be the best says it.
    """
    control = report["control"]
    if report["may_be_best"] or control is None:
        return []
    by_name = {row["first"]: row for row in report["pairs"] if row["second"] == control}
    if not by_name:
        return []
    ends = [row[end] for row in by_name.values() for end in ("low", "high")]
    decimals = decimals_for(ends)
    found = [by_name.get(row["name"]) for row in report["ranking"]]
    title = f"minus {clip(shown_name(control), _SHORT)}"
    if report["pairs"][0]["scale"] != "score":
        title = f"against {clip(shown_name(control), _SHORT)}"
    return [
        (title, ["" if row is None else interval_cell(row, decimals) for row in found]),
        ("verdict", ["" if row is None else _verdict(row) for row in found]),
    ]


def _verdict(row: _Report) -> str:
    return "no test" if row["adjusted_pvalue"] is None else str(row["verdict"])


def interval_cell(row: _Report, decimals: int) -> str:
    """Write the interval of a pair for a column of a table."""
    low, high = row["low"], row["high"]
    if low is None and high is None:
        return "none" if row["pvalue"] is None else "no limit"
    if high is None:
        return f"at least {fixed(low, decimals, sign=True)}"
    if low is None:
        return f"at most {fixed(high, decimals, sign=True)}"
    return f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"


def _or_blank(value: float | None, decimals: int) -> str:
    return "" if value is None else fixed(value, decimals)


def _from_best(row: _Report, decimals: int) -> str:
    low, high = row["from_best_low"], row["from_best_high"]
    if low is None or high is None:
        return "undefined"
    return f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"
