"""What is shown of the performance of learners: estimates, intervals, and the method."""

from collections.abc import Iterator, Sequence
from math import isnan

from skstat._names import shown_name
from skstat.report._blocks import Bar, Bars, Block, Cells, Doubts, Facts, Fold, Says
from skstat.report._model import Pair, Report, System
from skstat.report._words import (
    conclude,
    decimals_of,
    design_line,
    direction,
    fixed,
    larger_text,
    more_of_design,
    percent,
    units,
)

_MOST = 25  # learners; a page of dots says less than the table


def performance_document(r: Report, full: bool) -> list[Block]:
    """Return the blocks that estimates of performance are shown as.

    Parameters
    ----------
    r : Report
        What was found.
    full : bool
        Whether to show all that is known; details are folds.
    """
    return list(_blocks(r, full))


def _blocks(r: Report, full: bool) -> Iterator[Block]:
    names = ", ".join(map(shown_name, r.names))
    yield Says(conclude(r), heading=f"Performance of {names}, {r.metric}")
    yield from _picture(r)
    yield performance_table([r])
    yield Facts(_known([("Method", "; ".join(r.tests)), ("Design", design_line(r.design))]))
    if r.doubts:
        yield Doubts(r.doubts)
    details = [Facts(_known(_details(r)))] if full else []
    yield Fold("What was estimated, and how", details)


def _known(rows: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(label, text) for label, text in rows if text]


def _picture(r: Report) -> Iterator[Bars]:
    shown = [one for one in r.systems if not isnan(one.low)]
    if not shown or len(shown) > _MOST:
        return
    trained = "training_score" in r.systems
    yield Bars(
        [Bar(one.name, one.low, one.mean, one.high) for one in shown],
        marks=[one.training_score for one in shown] if trained else (),
        mark_says="training score (optimistic)",
        zero=False,
        says="intervals of the estimates" + "; open circles: training scores" * trained,
    )


def performance_table(reports: Sequence[Report]) -> Cells:
    """Return the estimates by one metric or several: a row per learner, one per difference."""
    first, several = reports[0], len(reports) > 1
    rows: list[list[str]] = []
    for r in reports:
        decimals = decimals_of(r.systems)
        for one in (*r.systems, *r.pairs):
            name, *numbers = _cells(r, one, decimals)
            rows.append([name, *[r.metric] * several, *numbers])
    measured = ["metric", "estimate"] if several else [first.metric]
    directions = {direction(r) for r in reports}
    title, notes = ", ".join(["Performance", *directions][:2]), []
    if len(directions) > 1:
        title = "Performance"
        lower = ", ".join(r.metric for r in reports if r.lower)
        notes = [f"Higher is better, but for {lower}."]
    header = ["", *measured, f"{percent(first.confidence_level)} interval"]
    if any("training_score" in r.systems for r in reports):
        header += ["training score", "gap"]
        notes.append(
            "Training score: the mean score on the rows that a model was fitted to "
            "(optimistic). Gap: by how much it is better."
        )
    return Cells(
        title,
        header,
        [row[: len(header)] for row in rows],
        n_names=1 + several,
        note=" ".join(notes),
    )


def _cells(r: Report, one: System | Pair, decimals: int) -> list[str]:
    if isinstance(one, Pair):
        name = " \N{MINUS SIGN} ".join(map(shown_name, one[:2]))
        value, trained, sign = one.estimate, float("nan"), True
    else:
        name, value, trained, sign = shown_name(one.name), one.mean, one.training_score, False
    low, high = (fixed(end, decimals, sign=sign) for end in (one.low, one.high))
    limits = "none exists" if isnan(one.low) else f"{low} to {high}"
    cells = [name, fixed(value, decimals, sign=sign), limits]
    if isnan(trained):
        return [*cells, "", ""]
    gap = value - trained if r.lower else trained - value
    return [*cells, fixed(trained, decimals), fixed(gap, decimals, sign=True)]


def _details(r: Report) -> list[tuple[str, str]]:
    own = "; ".join({pair.test for pair in r.pairs}.difference(r.tests))
    return [
        ("Of the difference", own),
        ("Why this method", r.reason),
        ("Estimand", r.estimand),
        ("Unit", units(r.n_units, r.unit)),
        ("Assumptions", "; ".join(r.assumptions)),
        ("Not covered", "; ".join(r.ignored_variance)),
        ("All of the design", more_of_design(r.design)),
        ("Larger training sets", larger_text(r.design)),
        ("Fits", str(r.n_fits)),
    ]
