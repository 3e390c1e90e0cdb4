"""Displays of a comparison, with their numbers taken from the report."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from skstat._names import clip, clip_all
from skstat.display import (
    CriticalDifferenceDisplay,
    DifferencesDisplay,
    HeatmapDisplay,
    IntervalsDisplay,
    PosteriorDisplay,
    SimplexDisplay,
)
from skstat.display._style import LONGEST_SHOWN
from skstat.report._words import (
    drawn_text,
    good,
    good_best,
    probabilities_of,
    probability_texts,
    span_of,
    units,
)
from skstat.stats._outcomes import unit_word
from skstat.stats._splits import SizeChange

_MINUS = "\N{MINUS SIGN}"
_TURNED = {
    "better": "worse",
    "worse": "better",
    "higher": "lower",
    "lower": "higher",
    "not inferior": "undecided",
}
_LONGEST = 34  # letters of a name, where a label holds two
_LENGTH = 72  # where it holds one
_POINTS = 2000  # draws of chances that are shown
# Kinds of pictures of a posterior, and what each needs.
_PROBABLE = {
    "law": "a posterior of a difference",
    "simplex": "chances of the three on other units",
    "shrinkage": "a model of many data sets",
}
_OTHER_KINDS = (
    "'law' draws the difference; 'simplex' chances over data sets (test='wilcoxon', 'sign' or "
    "'hierarchical'); 'shrinkage' the data sets of test='hierarchical'."
)
# Kinds of pictures of a table, and the options that each of them has.
_KINDS: dict[str, tuple[str, ...]] = {
    "cd": ("best", "colors", "families"),
    "intervals": (),
    "pvalues": (),
    "wins": (),
    "scores": ("color_by",),
}


def display_of(report: Any) -> Any:
    """Return the display of one comparison, not drawn yet."""
    if report.outcome.scale != "score":  # its interval is not one of the differences
        return display_of_intervals([report])
    view, outcome = report._shown_difference, report.outcome
    kind: Literal["dots", "bars"] = "dots"
    values = getattr(outcome, "replicates", None)
    if values is not None:
        drawn = getattr(outcome, "n_resamples", None) != 0
        counted = units(len(values), "bootstrap replicate")
        kind, estimated = "bars", "observed difference"
        values_name = counted if drawn else "bootstrap distribution"
    else:
        sample = report.compared
        for by_unit in ("per_group", "per_instance"):
            sample = getattr(sample, by_unit, lambda sample=sample: sample)()
        values = getattr(sample, "differences", None)
        if values is None:
            return display_of_intervals([report])
        quantity = outcome.quantity
        estimated = "estimate" if quantity.is_difference else quantity.name
        values_name = units(len(values), sample.unit)
    return DifferencesDisplay(
        values=view.value(np.asarray(values)),
        kind=kind,
        values_name=values_name,
        estimated=estimated,
        estimate=report.estimate,
        interval=report.confidence_interval(),
        confidence_level=report.confidence_level,
        margin=report.margin,
        inner_interval=_inner(report, view),
        inner_level=2 * report.confidence_level - 1,
        higher_is_better=not view.is_loss,
        better=good(report),
        verdict=report.verdict,
        names=report.names,
        metric=view.name,
    )


def display_of_posterior(report: Any, kind: str | None) -> Any:
    """Return a display of what is probable of two systems, not drawn yet."""
    found = report.posterior
    if found is None:
        raise ValueError(
            "there are no probabilities to draw: ask with rope=, the difference that is "
            "practically none."
        )
    view, law = report._shown_difference, found._law()
    estimates, chances = getattr(found, "estimates", None), None
    if kind is None:
        kind = "simplex" if law is None else "law"
        kind = kind if estimates is None else "shrinkage"
    if kind not in _PROBABLE:
        raise ValueError(f"kind={kind!r} is unknown. {_OTHER_KINDS}")
    if kind == "simplex":
        chances = found._chances(getattr(report.compared, "differences", None), _POINTS)
    drawn = {"law": law, "simplex": chances, "shrinkage": estimates}[kind]
    if drawn is None:
        raise ValueError(f"kind={kind!r} needs {_PROBABLE[kind]}. {_OTHER_KINDS}")
    if kind == "shrinkage":
        rows = sorted(drawn.items(), key=lambda row: -view.value(row[1].raw))
        a, b = clip_all(report.names, _LONGEST)
        middle = [view.value(row.shrunken) for _, row in rows]
        return IntervalsDisplay(
            labels=[name for name, _ in rows],
            estimates=middle,
            intervals=[
                (at - row.deviation, at + row.deviation)
                for at, (_, row) in zip(middle, rows, strict=True)
            ],
            confidence_level=report.confidence_level,
            favours=_favours(report),
            against=f"{b} {good(report)}",
            metrics=[f"{view.name} ({a} {_MINUS} {b})"] * len(rows),
            interval_name="by the model, \N{PLUS-MINUS SIGN} its standard deviation",
            margins=[found.rope or None] * len(rows),
            margin_name="region",
            marks=[view.value(row.raw) for _, row in rows],
            marks_name="seen",
            dashed=(view.value(found.location), "the middle of the data sets"),
            higher_is_better=[not view.is_loss] * len(rows),
        )
    common = {
        "names": report.names,
        "metric": view.name,
        "rope": found.rope,
        "better": good(report),
    }
    if kind == "simplex":
        largest = getattr(found, "largest", found.probabilities)
        return SimplexDisplay(
            chances=drawn,
            probabilities=[drawn_text(each, found.n_drawn) for each in largest],
            where=f"on {unit_word(report.unit)}s like these",
            **common,
        )
    at, density = (np.asarray(values, dtype=float) for values in drawn)
    shown = probability_texts(probabilities_of(found, report.confidence_level))
    step = -1 if view.is_loss else 1
    return PosteriorDisplay(
        differences=view.value(at)[::step],
        density=density[::step],
        probabilities=[shown[side] for side in ("worse", "same", "better")][::step],
        interval=view.interval(*found._limits(report.confidence_level)),
        confidence_level=report.confidence_level,
        higher_is_better=not view.is_loss,
        subject=found.subject,
        **common,
    )


def display_of_table(report: Any, kind: str, options: dict[str, Any]) -> Any:
    """Return a display of a comparison over many data sets, not drawn yet."""
    if kind not in _KINDS:
        raise ValueError(
            f"kind={kind!r} is unknown; use one of {', '.join(map(repr, _KINDS))}."
        )
    unknown = [name for name in options if name not in _KINDS[kind]]
    if unknown:
        known = ", ".join(_KINDS[kind]) or "none"
        raise TypeError(f"plot(kind={kind!r}) has no option {unknown[0]!r}; it has {known}.")
    table, view = report.table, report._shown_metric
    names, ranks = list(report.mean_ranks), list(report.mean_ranks.values())
    order = [report.names.index(name) for name in names]
    critical_difference = report.critical_difference
    if kind == "cd":
        untested = report._untested
        return CriticalDifferenceDisplay(
            names=names,
            mean_ranks=ranks,
            groups=report.groups,
            critical_difference=critical_difference,
            control=report.control,
            undrawn=[pair for pair in report.undrawn if not _among(pair, untested)],
            untested=untested,
            verdicts=_against_control(report),
            test=_test_text(report),
            n_datasets=report.n_units,
            best_word=good_best(report),
            **options,
        )
    if kind == "pvalues":
        return _display_of_pvalues(report, names)
    if kind == "intervals":
        if critical_difference is None:
            return display_of_intervals(report.reports)
        return IntervalsDisplay.from_ranks(
            names,
            ranks,
            critical_difference=critical_difference,
            confidence_level=report.confidence_level,
            control=report.control,
            best=good_best(report),
        )
    if kind == "wins":
        wins, ties = (counts[order][:, order] for counts in (table.wins(), table.ties()))
        directed = not report.direction_assumed
        return HeatmapDisplay.from_wins(names, wins, ties, metric=view.name, directed=directed)
    return HeatmapDisplay.from_scores(
        view.value(table.scores[:, order]),
        table.ranks[:, order],
        names=names,
        datasets=list(table.datasets),
        metric=view.name,
        higher_is_better=_better_way(report),
        **options,
    )


def display_of_systems(report: Any, kind: str | None) -> Any:
    """Return a display of a comparison of several systems, not drawn yet."""
    if kind not in (None, "best", "intervals", "pvalues"):
        raise ValueError(f"kind={kind!r} is unknown; use 'best', 'intervals' or 'pvalues'.")
    if kind == "pvalues":
        return _display_of_pvalues(report, list(report.order))
    from_best = report.from_best
    # Of a search every candidate is compared with the chosen one: that is all pairs it has.
    chosen = report.control is not None and bool(report.best_pvalues)
    if kind == "best" and not from_best and not chosen:
        raise ValueError(
            "kind='best' needs simultaneous intervals of all pairs, which was not asked."
        )
    if kind == "intervals" or not from_best:
        return display_of_intervals(report.reports)
    scores = {name: report._sign * score for name, score in report.scores.items()}
    first, second = sorted(scores.values())[-1:-3:-1]
    best = good_best(report)
    # From the best other; of the best itself from the second.
    gaps = {
        name: score - (second if score == first else first) for name, score in scores.items()
    }
    return _of_one_metric(
        report,
        report._shown_metric,
        {name: (gaps[name], from_best[name]) for name in report.order},
        metric=f"{{}} from the {best} other",
        simultaneous=True,
        favours=f"{good(report)} than the {best} other",
        against=good(report, up=False),
    )


def display_of_sizes(report: Any, change: SizeChange) -> Any:
    """Return the difference at both sizes of training sets, and its change, not drawn yet."""
    half, larger = (
        span_of(design["train_size"]) for design in (report.design["halves"], report.design)
    )
    rows = {
        f"trained on {half} rows": (change.half, change.half_interval),
        f"trained on {larger} rows": (report.outcome.estimate, report._interval),
        "change": (change.change, change.interval),
    }
    return _of_one_metric(
        report,
        report._shown_difference,
        rows,
        favours=_favours(report),
        against=f"{clip(report.names[1])} {good(report)}",
    )


def _of_one_metric(
    report: Any,
    view: Any,
    rows: dict[str, tuple[float, tuple[float, float]]],
    metric: str = "{}",
    **facts: Any,
) -> Any:
    """Return intervals, whose side of zero is what was found."""
    return IntervalsDisplay(
        labels=_clipped(list(rows)),
        estimates=[view.value(estimate) for estimate, _ in rows.values()],
        intervals=[view.interval(*interval) for _, interval in rows.values()],
        confidence_level=report.confidence_level,
        metrics=[metric.format(view.name)] * len(rows),
        higher_is_better=[not view.is_loss] * len(rows),
        verdicts=[
            "better" if low > 0 else "worse" if high < 0 else "undecided"
            for _, (low, high) in rows.values()
        ],
        **facts,
    )


def display_of_leaderboard(report: Any, kind: str | None) -> Any:
    """Return a display of a leaderboard, not drawn yet."""
    if kind not in (None, "leaderboard"):
        return display_of_systems(report, kind)
    r = report._model
    rows = r.systems

    def ends(low: str, high: str) -> Any:
        if low not in rows:
            return None
        return [(getattr(row, low), getattr(row, high)) for row in rows]

    return IntervalsDisplay.from_leaderboard(
        _clipped(report.order),
        [row.mean for row in rows],
        [row.rank for row in rows],
        ends("rank_low", "rank_high"),
        score_intervals=ends("low", "high"),
        resampled=ends("resampled_low", "resampled_high"),
        letters=[row.letters for row in rows],
        may_be_best=[row.may_be_best for row in rows],
        confidence_level=report.confidence_level,
        metric=r.metric,
        higher_is_better=not report.is_loss,
    )


def display_of_intervals(reports: Sequence[Any]) -> Any:
    """Return the display of several comparisons' intervals, not drawn yet."""
    first, second = ({report.names[side] for report in reports} for side in (0, 1))
    by_rank = any(report.outcome.scale != "score" for report in reports)
    between = " against " if by_rank else f" {_MINUS} "
    a, b = reports[0].names
    favours, against, ranked = clip(a, LONGEST_SHOWN), "second", f"second {_MINUS} first"
    if len(first) == 1 and len(second) == 1:
        left, right = clip_all((b, a))
        against, ranked = left, f"{left} {_MINUS} {right}"
        drawn = [_compared(report) for report in reports]
        seeds = len(drawn) > 1 and len(set(drawn)) == 1
        pair = between.join(clip_all((a, b), _LONGEST))
        labels = [f"seed {n}" if seeds else pair for n in range(1, len(drawn) + 1)]
    elif len(first) == 1:
        labels = [f"against {name}" for name in _clipped([r.names[1] for r in reports])]
        against, ranked = "other", f"other {_MINUS} {clip(a)}"
    elif len(second) == 1:  # a control
        labels = _clipped([report.names[0] for report in reports])
        ranked = f"{clip(b)} {_MINUS} other"
    else:
        everyone = list(dict.fromkeys(name for r in reports for name in r.names))
        short = dict(zip(everyone, clip_all(everyone, _LONGEST), strict=True))
        labels = [between.join(short[name] for name in r.names) for r in reports]
        favours = "first"
    # The best for the first system on top.
    rows = zip(labels, reports, strict=True)
    ordered = sorted(rows, key=lambda row: _place(row[1], -1))
    told = [report for _, report in ordered]
    of_control = len(first) > 1 and len(second) == 1
    estimated = {r.outcome.quantity.name for r in reports if r.outcome.scale == "score"}
    return _of_reports(
        [label for label, _ in ordered],
        [report for _, report in ordered],
        metrics=[_compared(report, ranked) for _, report in ordered],
        estimated=estimated.pop() if len(estimated) == 1 else "difference",
        simultaneous=all(report.outcome.simultaneous for report in reports),
        favours=[
            f"{good(r)} than {clip(b)}" if of_control else f"{favours} {good(r)}" for r in told
        ],
        against=[good(r, up=False) if of_control else f"{against} {good(r)}" for r in told],
    )


def _place(report: Any, way: int) -> tuple[bool, float]:
    """Return where a comparison stands: by how good the first system is."""
    estimate = report.outcome.estimate
    return math.isnan(estimate), way * estimate


def display_of_slices(report: Any) -> Any:
    """Return the differences in slices, the worst on top, and that on all rows below."""
    view = report.overall._shown_difference
    shrunken = report.shrunken or (None,) * len(report.slices)
    names = _clipped(report.slices)
    rows = zip(names, report.n_rows, report.reports, shrunken, strict=True)
    ordered = sorted(rows, key=lambda row: _place(row[2], 1))
    return _of_reports(
        [*(f"{name} ({n})" for name, n, *_ in ordered), "all rows"],
        [*(one for *_, one, _ in ordered), report.overall],
        metrics=[view.name] * (len(names) + 1),
        simultaneous=all(one.outcome.simultaneous for one in report.reports),
        favours=_favours(report),
        against=f"{clip(report.names[1])} {good(report)}",
        marks=[None if one is None else view.value(one) for *_, one in ordered] + [None],
        marks_name="drawn towards the mean of all slices",
    )


def _of_reports(labels: Sequence[str], reports: Sequence[Any], **facts: Any) -> Any:
    """Return intervals of comparisons, a row each."""
    views = [report._shown_difference for report in reports]
    return IntervalsDisplay(
        labels=labels,
        estimates=[report.estimate for report in reports],
        intervals=[report.confidence_interval() for report in reports],
        confidence_level=reports[0].confidence_level,
        margins=[report.margin for report in reports],
        inner_intervals=[*map(_inner, reports, views)],
        inner_name=f"{200 * reports[0].confidence_level - 100:g}%",
        higher_is_better=[not view.is_loss for view in views],
        verdicts=[report.verdict for report in reports],
        **facts,
    )


def display_of_slices_of_systems(report: Any) -> Any:
    """Return the score of every system in every slice, not drawn yet."""
    from skstat.stats._samples import ranked

    names, view = list(report.overall.order), report._shown_metric
    slices, sizes = _clipped([*report.n_rows]), report.n_rows.values()
    scores = np.array(
        [[each.get(name, math.nan) for name in names] for each in report.scores.values()]
    )
    return HeatmapDisplay.from_scores(
        view.value(scores),
        ranked(-scores),
        names=names,
        datasets=[f"{name} ({n})" for name, n in zip(slices, sizes, strict=True)],
        metric=view.name,
        higher_is_better=_better_way(report.overall),
        row_word="slice",
    )


def display_of_performances(reports: Iterable[Any]) -> Any:
    """Return the display of estimates of performance, not drawn yet; losses as losses."""
    rows = [(row, report._shown_metric, report) for report in reports for row in report]
    level = rows[0][2].confidence_level
    seen = [(row.training_score, view) for row, view, _ in rows]
    return IntervalsDisplay(
        labels=[clip(row.name) for row, *_ in rows],
        estimates=[view.value(row.estimate.estimate) for row, view, _ in rows],
        intervals=[
            view.interval(*row.estimate.confidence_interval(report.confidence_level))
            for row, view, report in rows
        ],
        confidence_level=level,
        metrics=[view.name for _, view, _ in rows],
        estimated="",
        marks=[None if score is None else view.value(score) for score, view in seen],
        marks_name="training score",
        zero=False,
    )


def _inner(report: Any, view: Any) -> tuple[float, float] | None:
    """Interval by which the margin is decided, as shown; None without one."""
    found = None if report.margin is None else report.equivalence
    if found is None or found.adjustment or report.outcome.scale != "score":
        return None  # of an adjusted p-value there is no such interval
    low, high = found.interval(report._alpha)
    return None if not math.isfinite(low + high) else view.interval(low, high)


def _display_of_pvalues(report: Any, names: list[str]) -> Any:
    """Return the adjusted p-values of all pairs, in the order of `names`, not drawn yet."""
    place = {name: number for number, name in enumerate(names)}
    pvalues = np.full((len(names), len(names)), math.nan)
    verdicts = [[""] * len(names) for _ in names]
    for pair in report.reports:
        a, b = (place[name] for name in pair.names)
        pvalue = pair.pvalue if pair.adjusted_pvalue is None else pair.adjusted_pvalue
        pvalues[a, b] = pvalues[b, a] = pvalue
        verdicts[a][b] = pair.verdict
        verdicts[b][a] = _TURNED.get(pair.verdict, pair.verdict)
    return HeatmapDisplay.from_pvalues(names, pvalues, verdicts)


def _against_control(report: Any) -> dict[str, str] | None:
    """Return what was found of every system against the control; None without one."""
    if report.control is None:
        return None
    pairs = [(name, report.control) for name in report.mean_ranks if name != report.control]
    tested = [pair for pair in pairs if not _among(pair, report._untested)]
    return {name: report[name, control].verdict for name, control in tested}


def _favours(report: Any) -> str:
    return f"{clip(report.names[0], LONGEST_SHOWN)} {good(report)}"


def _better_way(report: Any) -> bool | None:
    return None if report.direction_assumed else not report.is_loss


def _clipped(names: Sequence[str]) -> list[str]:
    return clip_all(names, _LENGTH)


def _compared(report: Any, ranked: str = "") -> str:
    """Name what the estimate of a comparison is a difference of, of ranks also of whose."""
    if report.outcome.scale == "score":
        return str(report._shown_metric.name)
    return f"{report.outcome.compared} ({ranked})" if ranked else str(report.outcome.compared)


def _among(pair: Sequence[str], pairs: Sequence[Sequence[str]]) -> bool:
    return any(set(pair) == set(other) for other in pairs)


def _test_text(report: Any) -> str:
    """Name the test of pairs; no bars of a one-sided one must not look like differences."""
    alternative = report.pairwise.outcomes[0].alternative
    if alternative == "two-sided":
        return str(report.test)
    if report.control is None:
        return f"{report.test}, one-sided, therefore without bars"
    better = (alternative == "greater") == (report.pairwise.pairs[0][1] == report.control)
    return f"{report.test}, one-sided: {good(report, better)} than the control"
