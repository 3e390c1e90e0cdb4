"""The displays of reports: which plots each kind of report has, and their data."""

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

_LONGEST = 34  # characters of a name in a label with two names
_LENGTH = 72  # in a label with one name
_POINTS = 2000  # draws in a simplex plot


def display_of(r: Report | ReportGrid, kind: str | None = None, **options: Any) -> Any:
    """Return the display of a report, not drawn yet.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    kind : str, optional
        Kind of plot; default the first one of this kind of report.
    **options
        Options of this kind of plot.
    """
    kinds = _kinds_of(r)
    kind = next(iter(kinds)) if kind is None else kind
    if kind not in kinds:
        raise ValueError(f"kind={kind!r} is unknown; use one of {', '.join(map(repr, kinds))}.")
    names = list(signature(kinds[kind]).parameters)[1:]
    for name in options:
        if name not in names:
            available = ", ".join(names) or "none"
            raise TypeError(f"plot(kind={kind!r}) has no option {name!r}; it has {available}.")
    return kinds[kind](r, **options)


def _kinds_of(r: Report | ReportGrid) -> dict[str, Callable[..., Any]]:
    """Return the functions that make the displays of a report, by kind, the default first."""
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


def _require(value: Any, why: str) -> Any:
    """Return a value, or raise an error with the reason if it is None."""
    if value is None:
        raise ValueError(why)
    return value


def _shown(r: Report, values: Any) -> Any:
    """Return differences of the evidence in the sign of the report."""
    return say.ShownMetric(r.metric, r.is_turned).value(np.asarray(values, dtype=float))


def _labels(r: Report) -> dict[str, Any]:
    return {"names": r.pairs[0][:2], "metric": r.metric, "better": r.words.good}


def _differences(r: Report) -> Any:
    """Return the differences or replicates behind the estimate; else its interval alone."""
    (pair,), sample = r.pairs, r.evidence.compared
    outcome = r.evidence.outcome
    values: Any = None if outcome.joint else getattr(outcome.law, "replicates", None)
    drawn, estimated, unit = values is not None, "observed difference", "bootstrap replicate"
    if not drawn:
        for by_unit in ("per_group", "per_instance"):
            sample = getattr(sample, by_unit, lambda sample=sample: sample)()
        values = getattr(sample, "differences", None)
        if values is None or r.words.by_rank:  # an interval of ranks is on another scale
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
        **_labels(r),
    )


def _posterior_of(r: Report) -> Any:
    advice = "ask with rope=, the difference that is practically none."
    return _require(r.evidence.posterior, f"there are no probabilities to draw: {advice}")


def _posterior(r: Report) -> Any:
    if hasattr(_posterior_of(r), "shrunken"):
        return _shrinkage(r)
    return _simplex(r) if _posterior_of(r)._law() is None else _law(r)


def _law(r: Report) -> Any:
    law, facts = _posterior_of(r)._law(), dict(r.probabilities or {})
    at, density = _require(law, "kind='law' needs a posterior of a difference.")
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
        **_labels(r),
    )


def _simplex(r: Report) -> Any:
    model, differences = _posterior_of(r), getattr(r.evidence.compared, "differences", None)
    what = "chances over data sets, of test='wilcoxon', 'sign' or 'hierarchical'"
    largest = model.expected if hasattr(model, "shrunken") else model.probabilities
    return display.SimplexDisplay(
        chances=_require(model._chances(differences, _POINTS), f"kind='simplex' needs {what}."),
        probabilities=[say.probability_text(p, model.n_drawn) for p in largest],
        rope=model.rope,
        where=f"on {unit_word(r.unit)}s like these",
        **_labels(r),
    )


def _shrinkage(r: Report) -> Any:
    model, what = _posterior_of(r), "a model of many data sets, of test='hierarchical'"
    shrunken = _require(getattr(model, "shrunken", None), f"kind='shrinkage' needs {what}.")
    raw, means = _shown(r, model.raw), _shown(r, shrunken)
    order = np.argsort(-raw, kind="stable").tolist()
    return _of_rows(
        [_symmetric(model.datasets[k], r, means[k], model.deviations[k]) for k in order],
        interval_name="by the model, \N{PLUS-MINUS SIGN} its standard deviation",
        margins=[model.rope or None] * len(order),
        margin_name="region",
        marks=raw[order].tolist(),
        marks_name="seen",
        dashed=(_shown(r, model.location), "the middle of the data sets"),
        **_sides(r),
    )


def _training_sizes(r: Report) -> Any:
    advice = "this comparison knows one size of training sets; train_size=0.9 asks two of them."
    (pair,), change = r.pairs, _require(r.change, advice)
    half, larger = (say.span_of(d["train_size"]) for d in (r.design["halves"], r.design))
    rows = [
        _signed_row(f"trained on {half} rows", r, change["half"], *change["half_interval"]),
        _signed_row(f"trained on {larger} rows", r, pair.estimate, pair.low, pair.high),
        _signed_row("change", r, change["change"], *change["interval"]),
    ]
    return _of_rows(rows, margins=None, **_sides(r))


# Intervals


class _Row(NamedTuple):
    """A row of a plot of intervals: label, report, and a pair or values like those of one."""

    label: str
    r: Report
    pair: Pair


def _row(
    label: str, r: Report, estimate: float, low: float, high: float, verdict: str = ""
) -> _Row:
    return _Row(label, r, Pair("", "", 0, estimate, low, high, verdict=verdict))


def _symmetric(label: str, r: Report, middle: float, half: float) -> _Row:
    return _row(label, r, middle, middle - half, middle + half)


def _signed_row(label: str, r: Report, estimate: float, low: float, high: float) -> _Row:
    """Return a row whose verdict is the side of zero on which its interval lies."""
    verdict = "worse" if (low > 0) == r.is_turned else "better"
    decided = low > 0 or high < 0
    return _row(label, r, estimate, low, high, verdict if decided else "undecided")


def _of_rows(rows: list[_Row], **facts: Any) -> Any:
    """Return a display of intervals, coloured by verdict; `facts` replace the defaults."""
    level = rows[0].r.confidence_level
    defaults: dict[str, Any] = {
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
        **(defaults | facts),
    )


def _sides(r: Report) -> dict[str, str]:
    a, b = clip_all(r.pairs[0][:2], LONGEST_SHOWN)
    return {"favours": f"{a} {r.words.good}", "against": f"{b} {r.words.good}"}


def _intervals(r: Report | ReportGrid) -> Any:
    """Return the intervals of all pairs, the best for the first system on top."""
    rows = sorted(_rows_of(r), key=lambda row: _sort_key(row, -1))
    firsts, seconds = [row.pair.first for row in rows], [row.pair.second for row in rows]
    one_first, one_second = (len(set(names)) == 1 for names in (firsts, seconds))
    if one_first != one_second:  # the control is on one side alone
        labels = clip_all(seconds if one_first else firsts, _LENGTH)
        sides = (firsts[0], "other") if one_first else ("other", seconds[0])
    else:
        short = dict(zip(firsts + seconds, clip_all(firsts + seconds, _LONGEST), strict=True))
        between = " against " if any(row.r.words.by_rank for row in rows) else f" {say.MINUS} "
        labels = [between.join(short[name] for name in row.pair[:2]) for row in rows]
        labels = [one_first * row.label or x for row, x in zip(rows, labels, strict=True)]
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
    """Iterate over the rows of all pairs, labelled by their seed or slice."""
    if isinstance(r, Report):
        yield from (_Row(name, r, pair) for pair in r.pairs)
    else:
        for key, part in r.reports.items():
            yield from _rows_of(part, name if r.by == "metric" else key)


def _sort_key(row: _Row, way: int) -> tuple[bool, float]:
    """Return a sort key by how good the first system is; nan is last."""
    estimate = row.pair.estimate
    return math.isnan(estimate), -way * estimate if row.r.is_turned else way * estimate


def _slices(r: ReportGrid) -> Any:
    """Return the intervals of all slices, the worst on top, and of all rows below."""
    (pair,), overall = r.pairs, r.first
    rows = sorted(_rows_of(r), key=lambda row: _sort_key(row, 1))
    names = [row.label for row in rows]
    labels = zip(clip_all(names, _LENGTH), [r.n_rows[name] for name in names], strict=True)
    return _of_rows(
        [*rows, _Row("", overall, overall.pairs[0])],
        labels=[*(f"{name} ({n})" for name, n in labels), "all rows"],
        simultaneous=all(row.r.simultaneous for row in rows),
        marks=[*(pair.shrunken.get(name, math.nan) for name in names), math.nan],
        marks_name="drawn towards the mean of all slices",
        **_sides(overall),
    )


def _from_best(r: Report) -> Any:
    """Return the intervals of each system minus the best of the others."""
    low = r.systems.columns.get("best_low")
    if low is None and r.control is not None and r.asks_best:
        return _intervals(r)  # of a search: every candidate against the selected one
    _require(low, "kind='best' needs simultaneous intervals of all pairs: they are not asked.")
    best, second = sorted((system.mean for system in r.systems), reverse=not r.lower)[:2]
    rows = []
    for name, system in zip(clip_all(r.names, _LENGTH), r.systems, strict=True):
        gap = system.mean - (second if system.mean == best else best)
        rows.append(_signed_row(name, r, gap, system.best_low, system.best_high))
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
    """Return a display of intervals of scores or ranks, without a line at zero."""
    level = {"estimated": "", "margins": None, "higher_is_better": None, "zero": False}
    return _of_rows(rows, **(level | facts))


def _performances(r: Report | ReportGrid) -> Any:
    """Return the intervals of performances, with training scores."""
    reports = [r] if isinstance(r, Report) else [part for _, part in r.each()]
    systems = [(part, one) for part in reports for one in part.systems]
    rows = [_row(clip(one.name), part, one.mean, one.low, one.high) for part, one in systems]
    trained = [one.training_score for _, one in systems]
    return _levels(rows, marks=trained, marks_name="training score")


# Several systems


def _leaderboard(r: Report) -> Any:
    """Return the intervals of scores, and of the possible ranks of every system."""
    names = clip_all(r.names, _LENGTH)
    scores, ranks = [], []
    for name, s in zip(names, r.systems, strict=True):
        verdict = "better" if s.may_be_best else "undecided"
        scores.append(_row(name, r, s.mean, s.low, s.high, verdict))
        ranks.append(_row(s.letters, r, s.rank, s.rank_low, s.rank_high, verdict))
    resampled = [(s.resampled_low, s.resampled_high) for s in r.systems]
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
    """Return mean ranks with intervals that overlap if not significant; else all pairs."""
    size = r.critical_difference
    if size is None or r.control is not None:
        return _intervals(r)
    rows = [_symmetric(system.name, r, system.mean_rank, size / 2) for system in r.systems]
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
    if r.alternative != "two-sided":  # bars would suggest two-sided tests
        up = (r.alternative == "greater") == (r.pairs[0].second == r.control)
        than = f": {(r.words.good if up else r.words.bad)} than the control"
        test += f", one-sided{than if against else ', therefore without bars'}"
    return display.CriticalDifferenceDisplay(
        names=list(r.names),
        mean_ranks=[system.mean_rank for system in r.systems],
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
    cells = [[pairs.get(name, Pair("", "")) for name in r.names] for pairs in rows]
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
    table = dict(r.scores or {})
    order = [table["names"].index(name) for name in r.names]
    scores = np.array(table["rows"])[:, order]
    return _heatmap(r, scores, table["units"], color_by=color_by)


def _scores_of_slices(r: ReportGrid) -> Any:
    """Return the heatmap of the scores of all systems in all slices."""
    sizes = zip(clip_all(r.n_rows, _LENGTH), r.n_rows.values(), strict=True)
    means = [{row.name: row.mean for row in part.systems} for _, part in r.each()]
    scores = np.array([[row.get(name, math.nan) for name in r.first.names] for row in means])
    return _heatmap(r.first, scores, [f"{name} ({n})" for name, n in sizes], row_word="slice")


def _heatmap(r: Report, scores: Any, rows: Any, **options: Any) -> Any:
    options |= {"higher_is_better": None if r.direction_assumed else not r.lower}
    options |= {"names": list(r.names), "datasets": list(rows), "metric": r.metric}
    ranks = rank_rows(scores if r.lower else -scores)
    return display.HeatmapDisplay.from_scores(scores, ranks, **options)
