"""Which picture shows what a report holds, with the numbers of its model."""

import math
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from skstat import display
from skstat._names import clip, clip_all
from skstat.display._style import LONGEST_SHOWN
from skstat.report import _terms as say
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._sections import against_control, inner_of
from skstat.stats._ordering import rank_rows
from skstat.stats._words import unit_word

_LONGEST = 34  # letters of a name, where a label holds two
_LENGTH = 72  # where it holds one
_POINTS = 2000  # draws of chances that are shown


def display_of(r: Report | ReportGrid, kind: str | None = None, **options: Any) -> Any:
    """Return the display of a report, not drawn yet.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    kind : str, optional
        One of the pictures that there are of such a report; default the first of them.
    **options
        Options of this picture.
    """
    kinds = _kinds_of(r)
    kind = next(iter(kinds)) if kind is None else kind
    if kind not in kinds:
        raise ValueError(f"kind={kind!r} is unknown; use one of {', '.join(map(repr, kinds))}.")
    known = list(signature(kinds[kind]).parameters)[1:]
    for name in options:
        if name not in known:
            there = ", ".join(known) or "none"
            raise TypeError(f"plot(kind={kind!r}) has no option {name!r}; it has {there}.")
    return kinds[kind](r, **options)


def _kinds_of(r: Report | ReportGrid) -> dict[str, Callable[..., Any]]:
    """Return what draws every kind of picture that there is of a report, the default first."""
    if isinstance(r, ReportGrid) and r.overall is not None:
        return {"intervals": _slices} if r.overall.is_pair else {"scores": _scores_of_slices}
    if (r.first if isinstance(r, ReportGrid) else r).is_performance:
        return {"intervals": _performances}
    if isinstance(r, ReportGrid):
        return {"intervals": _intervals}
    if r.is_pair:
        pair = {"differences": _differences, "intervals": _intervals, "posterior": _posterior}
        probable = {"law": _law, "simplex": _simplex, "shrinkage": _shrinkage}
        return pair | probable | {"training sizes": _training_sizes}
    if r.over_datasets:
        tables = {"pvalues": _pvalues, "wins": _wins, "scores": _scores}
        return {"cd": _critical_difference, "intervals": _mean_ranks} | tables
    several = {"best": _from_best, "intervals": _intervals, "pvalues": _pvalues}
    if r.is_leaderboard:
        return {"leaderboard": _leaderboard} | several
    return several if "best_low" in r.systems else {"intervals": _intervals} | several


# Two systems


def _needed(value: Any, why: str) -> Any:
    """Return what a picture is of; without it refuse and say why."""
    if value is None:
        raise ValueError(why)
    return value


def _shown(r: Report, values: Any) -> Any:
    """Return differences of the evidence, with the sign that they have in the report."""
    return say.ShownMetric(r.metric, r.is_turned).value(np.asarray(values, dtype=float))


def _named(r: Report) -> dict[str, Any]:
    return {"names": r.pairs[0][:2], "metric": r.metric, "better": r.words.good}


def _differences(r: Report) -> Any:
    """Draw what the estimate was made of, or, where that is not known, its interval alone."""
    (pair,), sample = r.pairs, r.evidence.compared
    outcome = r.evidence.outcome
    values: Any = None if outcome.joint else getattr(outcome.law, "replicates", None)
    drawn, estimated, unit = values is not None, "observed difference", "bootstrap replicate"
    if not drawn:
        for by_unit in ("per_group", "per_instance"):
            sample = getattr(sample, by_unit, lambda sample=sample: sample)()
        values = getattr(sample, "differences", None)
        if values is None or r.words.by_rank:  # whose interval is not one of the differences
            return _intervals(r)
        estimated = "estimate" if r.quantity.is_difference else r.quantity.name
        unit = sample.unit
    return display.DifferencesDisplay(
        values=_shown(r, values),
        values_name=say.units(len(values), unit),
        kind="bars" if drawn else "dots",
        estimate=pair.estimate,
        estimated=estimated,
        interval=(pair.low, pair.high),
        confidence_level=r.confidence_level,
        margin=r.margin,
        inner_interval=inner_of(r, pair),
        inner_level=2 * r.confidence_level - 1,
        verdict=pair.verdict,
        higher_is_better=not r.is_turned,
        **_named(r),
    )


def _probable(r: Report) -> Any:
    advice = "ask with rope=, the difference that is practically none."
    return _needed(r.evidence.posterior, f"there are no probabilities to draw: {advice}")


def _posterior(r: Report) -> Any:
    if hasattr(_probable(r), "shrunken"):
        return _shrinkage(r)
    return _simplex(r) if _probable(r)._law() is None else _law(r)


def _law(r: Report) -> Any:
    law, facts = _probable(r)._law(), dict(r.probabilities or {})
    at, density = _needed(law, "kind='law' needs a posterior of a difference.")
    shown, way = say.probability_texts(facts), -1 if r.is_turned else 1
    return display.PosteriorDisplay(
        differences=_shown(r, at)[::way],
        density=np.asarray(density, dtype=float)[::way],
        rope=facts["rope"],
        probabilities=[shown[side] for side in ("worse", "same", "better")][::way],
        interval=facts["interval"],
        confidence_level=r.confidence_level,
        subject=facts["subject"],
        higher_is_better=not r.is_turned,
        **_named(r),
    )


def _simplex(r: Report) -> Any:
    model, differences = _probable(r), getattr(r.evidence.compared, "differences", None)
    what = "chances over data sets, of test='wilcoxon', 'sign' or 'hierarchical'"
    largest = model.expected if hasattr(model, "shrunken") else model.probabilities
    return display.SimplexDisplay(
        chances=_needed(model._chances(differences, _POINTS), f"kind='simplex' needs {what}."),
        probabilities=[say.probability_text(each, model.n_drawn) for each in largest],
        rope=model.rope,
        where=f"on {unit_word(r.unit)}s like these",
        **_named(r),
    )


def _shrinkage(r: Report) -> Any:
    model, what = _probable(r), "a model of many data sets, of test='hierarchical'"
    shrunken = _needed(getattr(model, "shrunken", None), f"kind='shrinkage' needs {what}.")
    raw, own = (_shown(r, values) for values in (model.raw, shrunken))
    order = np.argsort(-raw, kind="stable").tolist()
    return _of_rows(
        [_around(model.datasets[k], r, own[k], model.deviations[k]) for k in order],
        interval_name="by the model, \N{PLUS-MINUS SIGN} its standard deviation",
        margins=[model.rope or None] * len(order),
        margin_name="region",
        marks=raw[order].tolist(),
        marks_name="seen",
        dashed=(_shown(r, model.location), "the middle of the data sets"),
        **_sides(r),
    )


def _training_sizes(r: Report) -> Any:
    known = "this comparison knows one size of training sets; train_size=0.9 asks two of them."
    (pair,), change = r.pairs, _needed(r.change, known)
    half, larger = (say.span_of(one["train_size"]) for one in (r.design["halves"], r.design))
    rows = [
        _beside_zero(f"trained on {half} rows", r, change["half"], *change["half_interval"]),
        _beside_zero(f"trained on {larger} rows", r, pair.estimate, pair.low, pair.high),
        _beside_zero("change", r, change["change"], *change["interval"]),
    ]
    return _of_rows(rows, margins=None, **_sides(r))


# Intervals


class _Row(NamedTuple):
    """A row of intervals: what it is called, and a pair, or what is drawn like one."""

    label: str
    r: Report
    pair: Pair


def _row(
    label: str, r: Report, estimate: float, low: float, high: float, verdict: str = ""
) -> _Row:
    return _Row(label, r, Pair("", "", 0, estimate, low, high, verdict=verdict))


def _around(label: str, r: Report, middle: float, half: float) -> _Row:
    return _row(label, r, middle, middle - half, middle + half)


def _beside_zero(label: str, r: Report, estimate: float, low: float, high: float) -> _Row:
    """Make a row whose verdict is the side of zero that its interval is on."""
    verdict = "worse" if (low > 0) == r.is_turned else "better"
    decided = low > 0 or high < 0
    return _row(label, r, estimate, low, high, verdict if decided else "undecided")


def _of_rows(rows: list[_Row], **facts: Any) -> Any:
    """Return intervals in the colours of their verdicts; `facts` replace what is usual."""
    level = rows[0].r.confidence_level
    usual: dict[str, Any] = {
        "labels": [row.label for row in rows],
        "metrics": [row.r.metric for row in rows],
        "simultaneous": all(row.r.simultaneous for row in rows),
        "margins": [row.r.margin for row in rows],
        "inner_intervals": [inner_of(row.r, row.pair) for row in rows],
        "inner_name": f"{200 * level - 100:g}%",
        "higher_is_better": [not row.r.is_turned for row in rows],
    }
    return display.IntervalsDisplay(
        estimates=[row.pair.estimate for row in rows],
        intervals=[(row.pair.low, row.pair.high) for row in rows],
        confidence_level=level,
        verdicts=[row.pair.verdict for row in rows],
        **(usual | facts),
    )


def _sides(r: Report) -> dict[str, str]:
    a, b = clip_all(r.pairs[0][:2], LONGEST_SHOWN)
    return {"favours": f"{a} {r.words.good}", "against": f"{b} {r.words.good}"}


def _intervals(r: Report | ReportGrid) -> Any:
    """Draw every pair, the best for the first system on top."""
    rows = sorted(_rows_of(r), key=lambda row: _place(row, -1))
    firsts, seconds = [row.pair.first for row in rows], [row.pair.second for row in rows]
    one_first, one_second = (len(set(names)) == 1 for names in (firsts, seconds))
    if one_first != one_second:  # the control stands at its side alone
        labels = clip_all(seconds if one_first else firsts, _LENGTH)
        sides = (firsts[0], "other") if one_first else ("other", seconds[0])
    else:
        short = dict(zip(firsts + seconds, clip_all(firsts + seconds, _LONGEST), strict=True))
        between = " against " if any(row.r.words.by_rank for row in rows) else f" {say.MINUS} "
        labels = [between.join(short[name] for name in row.pair[:2]) for row in rows]
        labels = [one_first * row.label or own for row, own in zip(rows, labels, strict=True)]
        sides = (firsts[0], seconds[0]) if one_first else ("first", "second")
    left, right = clip_all(sides, LONGEST_SHOWN)
    of_ranks = f"({right} {say.MINUS} {left})"
    estimated = {row.r.quantity.name for row in rows if not row.r.words.by_rank}
    return _of_rows(
        rows,
        labels=labels,
        metrics=[f"{r.in_ranks} {of_ranks}" if r.in_ranks else r.metric for _, r, _ in rows],
        estimated=estimated.pop() if len(estimated) == 1 else "difference",
        favours=[f"{left} {row.r.words.good}" for row in rows],
        against=[f"{right} {row.r.words.good}" for row in rows],
    )


def _rows_of(r: Report | ReportGrid, name: str = "") -> Iterator[_Row]:
    """Walk all pairs, with the name of the seed or slice that they are of."""
    if isinstance(r, Report):
        yield from (_Row(name, r, pair) for pair in r.pairs)
    else:
        for own, part in r.reports.items():
            yield from _rows_of(part, name if r.by == "metric" else own)


def _place(row: _Row, way: int) -> tuple[bool, float]:
    """Return where a pair stands by how good the first system is."""
    estimate = row.pair.estimate
    return math.isnan(estimate), -way * estimate if row.r.is_turned else way * estimate


def _slices(r: ReportGrid) -> Any:
    """Draw the difference in every slice, the worst on top, and that on all rows below."""
    (one,), overall = r.pairs, r.first
    rows = sorted(_rows_of(r), key=lambda row: _place(row, 1))
    names = [row.label for row in rows]
    labels = zip(clip_all(names, _LENGTH), [r.n_rows[name] for name in names], strict=True)
    return _of_rows(
        [*rows, _Row("", overall, overall.pairs[0])],
        labels=[*(f"{name} ({n})" for name, n in labels), "all rows"],
        simultaneous=all(row.r.simultaneous for row in rows),
        marks=[*(one.shrunken.get(name, math.nan) for name in names), math.nan],
        marks_name="drawn towards the mean of all slices",
        **_sides(overall),
    )


def _from_best(r: Report) -> Any:
    """Draw how far every system may be from the best other one."""
    known = r.systems.columns.get("best_low")
    if known is None and r.control is not None and r.asks_best:
        return _intervals(r)  # of a search: every candidate is compared with the chosen one
    _needed(known, "kind='best' needs simultaneous intervals of all pairs: they are not asked.")
    best, second = sorted((one.mean for one in r.systems), reverse=not r.lower)[:2]
    rows = []
    for name, one in zip(clip_all(r.names, _LENGTH), r.systems, strict=True):
        gap = one.mean - (second if one.mean == best else best)
        rows.append(_beside_zero(name, r, gap, one.best_low, one.best_high))
    other = f"the {r.words.top} other"
    return _of_rows(
        rows,
        metrics=[f"{r.metric} from {other}"] * len(rows),
        simultaneous=True,
        margins=None,
        favours=f"{r.words.good} than {other}",
        against=r.words.bad,
    )


def _levels(rows: list[_Row], **facts: Any) -> display.IntervalsDisplay:
    """Return intervals of scores or ranks, which are not held against zero."""
    plain = {"estimated": "", "margins": None, "higher_is_better": None, "zero": False}
    return _of_rows(rows, **(plain | facts))


def _performances(r: Report | ReportGrid) -> Any:
    """Draw estimates of performance, and training scores beside them."""
    reports = [r] if isinstance(r, Report) else [part for _, part in r.each()]
    each = [(part, one) for part in reports for one in part.systems]
    rows = [_row(clip(one.name), part, one.mean, one.low, one.high) for part, one in each]
    trained = [one.training_score for _, one in each]
    return _levels(rows, marks=trained, marks_name="training score")


# Several systems


def _leaderboard(r: Report) -> Any:
    """Draw scores, and the ranks that every system may have."""
    names = clip_all(r.names, _LENGTH)
    scores, ranks = [], []
    for name, one in zip(names, r.systems, strict=True):
        verdict = "better" if one.may_be_best else "undecided"
        scores.append(_row(name, r, one.mean, one.low, one.high, verdict))
        ranks.append(_row(one.letters, r, one.rank, one.rank_low, one.rank_high, verdict))
    resampled = [(one.resampled_low, one.resampled_high) for one in r.systems]
    return _levels(
        scores,
        metrics=[f"{clip(r.metric, 40)} ({r.words.direction})"] * len(names),
        simultaneous=False,
        notes=["filled: may be the best"] * bool(r.may_be_best),
        beside=_levels(
            ranks,
            metrics=["rank (1 = best)"] * len(names),
            simultaneous=True,
            inner_intervals=resampled if "resampled_low" in r.systems else None,
            inner_name=f"{100 * r.confidence_level:g}% of resamples",
            ranks=True,
            notes=["same letter: no significant difference"] * ("letters" in r.systems),
        ),
    )


def _mean_ranks(r: Report) -> Any:
    """Draw mean ranks, whose intervals overlap where nothing was found; else all pairs."""
    size = r.critical_difference
    if size is None or r.control is not None:
        return _intervals(r)
    rows = [_around(one.name, r, one.mean_rank, size / 2) for one in r.systems]
    level = f"{100 * r.confidence_level:g}% confidence in all"
    return _levels(
        rows,
        metrics=[f"mean rank (1 = {r.words.top}, at the left)"] * len(rows),
        interval_name=f"intervals of width CD = {size:.2f} ({level})",
        ranks=True,
        notes=["intervals that overlap: no significant difference"],
    )


def _critical_difference(
    r: Report, *, best: Any = "right", colors: Any = None, families: Any = None
) -> Any:
    untested = [pair for pairs in r.why_no_pvalue.values() for pair in pairs]
    against = against_control(r)
    test = r.test
    if r.alternative != "two-sided":  # no bars of it must look like differences
        up = (r.alternative == "greater") == (r.pairs[0].second == r.control)
        than = f": {(r.words.good if up else r.words.bad)} than the control"
        test += f", one-sided{than if against else ', therefore without bars'}"
    return display.CriticalDifferenceDisplay(
        names=list(r.names),
        mean_ranks=[one.mean_rank for one in r.systems],
        groups=r.groups,
        critical_difference=r.critical_difference,
        control=r.control,
        undrawn=[pair for pair in r.undrawn if not {pair, pair[::-1]} & {*untested}],
        untested=untested,
        verdicts={name: p.verdict for name, p in against.items() if not math.isnan(p.p)},
        test=test,
        n_datasets=r.n_units,
        best_word=r.words.top,
        best=best,
        colors=colors,
        families=families,
    )


def _pvalues(r: Report) -> Any:
    rows = [r.against(name) for name in r.names]
    cells = [[of.get(name, Pair("", "")) for name in r.names] for of in rows]
    pvalues = [[pair.p for pair in row] for row in cells]
    verdicts = [[pair.verdict for pair in row] for row in cells]
    return display.HeatmapDisplay.from_pvalues(r.names, pvalues, verdicts)


def _wins(r: Report) -> Any:
    table, directed = r.evidence.sample, not r.direction_assumed
    order = [table.names.index(name) for name in r.names]
    wins, ties = (counts[order][:, order] for counts in (table.wins(), table.ties()))
    return display.HeatmapDisplay.from_wins(
        r.names, wins, ties, metric=r.metric, directed=directed
    )


def _scores(r: Report, *, color_by: Any = "rank") -> Any:
    known = dict(r.scores or {})
    order = [known["names"].index(name) for name in r.names]
    scores = np.array(known["rows"])[:, order]
    return _heatmap(r, scores, known["units"], color_by=color_by)


def _scores_of_slices(r: ReportGrid) -> Any:
    """Draw the score of every system in every slice."""
    sizes = zip(clip_all(r.n_rows, _LENGTH), r.n_rows.values(), strict=True)
    means = [{one.name: one.mean for one in part.systems} for _, part in r.each()]
    scores = np.array([[one.get(name, math.nan) for name in r.first.names] for one in means])
    return _heatmap(r.first, scores, [f"{name} ({n})" for name, n in sizes], row_word="slice")


def _heatmap(r: Report, scores: Any, rows: Any, **options: Any) -> Any:
    options |= {"higher_is_better": None if r.direction_assumed else not r.lower}
    options |= {"names": list(r.names), "datasets": list(rows), "metric": r.metric}
    ranks = rank_rows(scores if r.lower else -scores)
    return display.HeatmapDisplay.from_scores(scores, ranks, **options)
