"""Displays of a comparison, with their numbers taken from the report."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from skstat._names import clip
from skstat.stats import AgreementTable

_LONGEST = 24  # letters of a name, where a label holds two
_LENGTHS = (40, 60)  # where it holds one; the second where names were alike after the first
# Kinds of pictures of a table, and the options that each of them has.
_KINDS: dict[str, tuple[str, ...]] = {
    "cd": ("best", "colors", "families"),
    "intervals": (),
    "wins": (),
    "scores": ("color_by",),
    "ranks": (),
}


def display_of(report: Any) -> Any:
    """Return the display of one comparison, not drawn yet."""
    from skstat import display

    if report.outcome.scale != "score":  # its interval is not one of the differences
        return display_of_intervals([report])
    view = report._shown_difference
    common = {"names": report.names, "metric": view.name}
    numbers = {
        "estimate": view.value(report.estimate),
        "interval": view.interval(*report.confidence_interval()),
        "confidence_level": report.confidence_level,
        "margin": report.margin,
        "higher_is_better": not view.is_loss,
    }
    if isinstance(report.sample, AgreementTable):
        table = report.sample
        return display.AgreementDisplay(
            both=table.both,
            only_a=table.only_a,
            only_b=table.only_b,
            neither=table.neither,
            **common,
        )
    replicates = getattr(report.outcome, "replicates", None)
    if replicates is not None:
        drawn = view.value(np.asarray(replicates))
        return display.ResamplingDisplay(replicates=drawn, **numbers, **common)
    sample = report.compared
    for by_unit in ("per_group", "per_instance"):
        sample = getattr(sample, by_unit, lambda sample=sample: sample)()
    differences = getattr(sample, "differences", None)
    if differences is None:
        return display_of_intervals([report])
    quantity = report.outcome.quantity
    return display.PairedDifferencesDisplay(
        estimated="estimate" if quantity.is_difference else quantity.name,
        differences=view.value(differences),
        unit=str(sample.unit),
        **numbers,
        **common,
    )


def display_of_table(report: Any, kind: str, options: dict[str, Any]) -> Any:
    """Return a display of a comparison over many data sets, not drawn yet."""
    from skstat import display

    if kind not in _KINDS:
        raise ValueError(
            f"kind={kind!r} is unknown; use one of {', '.join(map(repr, _KINDS))}."
        )
    unknown = [name for name in options if name not in _KINDS[kind]]
    if unknown:
        known = ", ".join(_KINDS[kind]) or "none"
        raise TypeError(f"plot(kind={kind!r}) has no option {unknown[0]!r}; it has {known}.")
    table = report.table
    names, ranks = list(report.mean_ranks), list(report.mean_ranks.values())
    order = [report.names.index(name) for name in names]
    critical_difference = report.critical_difference
    untested = report._untested
    if kind == "cd":
        return display.CriticalDifferenceDisplay(
            names=names,
            mean_ranks=ranks,
            groups=report.groups,
            critical_difference=critical_difference,
            control=report.control,
            undrawn=[pair for pair in report.undrawn if not _among(pair, untested)],
            untested=untested,
            alike=_alike(report, untested),
            test=_test_text(report),
            n_datasets=report.n_units,
            **options,
        )
    if kind == "intervals":
        if critical_difference is None:
            return display_of_intervals(report.reports)
        return display.RankIntervalsDisplay(
            names=names,
            mean_ranks=ranks,
            critical_difference=critical_difference,
            confidence_level=report.confidence_level,
            control=report.control,
        )
    if kind == "wins":
        wins, ties = (counts[order][:, order] for counts in (table.wins(), table.ties()))
        return display.WinTieLossDisplay(
            names=names, wins=wins, ties=ties, metric=report._shown_metric.name
        )
    if kind == "scores":
        view = report._shown_metric
        return display.ScoreHeatmapDisplay(
            scores=view.value(table.scores[:, order]),
            ranks=table.ranks[:, order],
            names=names,
            datasets=list(table.datasets),
            metric=view.name,
            higher_is_better=not view.is_loss,
            **options,
        )
    return display.RankDistributionDisplay(ranks=table.ranks[:, order], names=names)


def display_of_systems(report: Any, kind: str | None) -> Any:
    """Return a display of a comparison of several systems, not drawn yet."""
    if kind not in (None, "best", "intervals"):
        raise ValueError(f"kind={kind!r} is unknown; use 'best' or 'intervals'.")
    from_best = report.from_best
    if kind == "best" and not from_best:
        raise ValueError(
            "kind='best' needs simultaneous intervals of all pairs, which was not asked."
        )
    if kind == "intervals" or not from_best:
        return display_of_intervals(report.reports)
    from skstat.display import IntervalsDisplay

    scores = {name: report._sign * score for name, score in report.scores.items()}
    view = report._shown_metric
    return IntervalsDisplay(
        labels=_clipped(report.order),
        estimates=[
            view.value(
                scores[name] - max(score for other, score in scores.items() if other != name)
            )
            for name in report.order
        ],
        intervals=[view.interval(*from_best[name]) for name in report.order],
        confidence_level=report.confidence_level,
        name="the system",
        metrics=[f"{view.name} from the best other"] * len(scores),
        higher_is_better=[not view.is_loss] * len(scores),
        simultaneous=True,
        favours="better than the best other",
    )


def display_of_intervals(reports: Sequence[Any]) -> Any:
    """Return the display of several comparisons' intervals, not drawn yet."""
    from skstat.display import IntervalsDisplay

    first, second = ({report.names[side] for report in reports} for side in (0, 1))
    favours = None
    if len(first) == 1:
        labels = [f"against {name}" for name in _clipped([r.names[1] for r in reports])]
    elif len(second) == 1:  # a control
        labels = _clipped([report.names[0] for report in reports])
        favours = f"better than {clip(reports[0].names[1])}"
    else:
        labels = [" against ".join(clip(name, _LONGEST) for name in r.names) for r in reports]
    views = [report._shown_difference for report in reports]
    estimated = {r.outcome.quantity.name for r in reports if r.outcome.scale == "score"}
    each = list(zip(reports, views, strict=True))
    return IntervalsDisplay(
        labels=labels,
        estimates=[view.value(report.estimate) for report, view in each],
        intervals=[view.interval(*report.confidence_interval()) for report, view in each],
        confidence_level=reports[0].confidence_level,
        name="the first named" if len(first) > 1 else reports[0].names[0],
        metrics=[_drawn(report) for report in reports],
        estimated=estimated.pop() if len(estimated) == 1 else "difference",
        margins=[report.margin for report in reports],
        higher_is_better=[not view.is_loss for view in views],
        simultaneous=all(report._simultaneous for report in reports),
        favours=favours,
    )


def display_of_performances(reports: Iterable[Any]) -> Any:
    """Return the display of estimates of performance, not drawn yet; losses as losses."""
    from skstat.display import PerformanceDisplay

    rows = []
    for report in reports:
        view = report._shown_metric
        for row in report:
            low, high = view.interval(
                *row.estimate.confidence_interval(report.confidence_level)
            )
            seen = row.training_score
            rows.append(
                {
                    "labels": clip(row.name),
                    "estimates": view.value(row.estimate.estimate),
                    "intervals": (low, high),
                    "training_scores": None if seen is None else view.value(seen),
                    "metrics": view.name,
                }
            )
    columns: dict[str, Any] = {key: [row[key] for row in rows] for key in rows[0]}
    return PerformanceDisplay(confidence_level=report.confidence_level, **columns)


def _clipped(names: Sequence[str]) -> list[str]:
    short, long = ([clip(name, length) for name in names] for length in _LENGTHS)
    return short if len(set(short)) == len(set(names)) else long


def _drawn(report: Any) -> str:
    """Name what the estimate of a comparison is a difference of."""
    if report.outcome.scale == "score":
        return str(report._shown_metric.name)
    return f"{report.outcome.compared} (B \N{MINUS SIGN} A)"


def _among(pair: Sequence[str], pairs: Sequence[Sequence[str]]) -> bool:
    return any(set(pair) == set(other) for other in pairs)


def _alike(report: Any, untested: Sequence[Sequence[str]]) -> list[str] | None:
    """Return who does not differ significantly from the control, where no band shows it."""
    if report.control is None or report.critical_difference is not None:
        return None
    pvalues = report.pairwise.adjusted_pvalues.tolist()
    others = {
        b if a == report.control else a
        for (a, b), pvalue in zip(report.pairwise.pairs, pvalues, strict=True)
        if pvalue >= report.alpha and not _among((a, b), untested)
    }
    return [name for name in report.mean_ranks if name in others]


def _test_text(report: Any) -> str:
    """Name the test of pairs; no bars of a one-sided one must not look like differences."""
    alternative = report.pairwise.outcomes[0].alternative
    if alternative == "two-sided":
        return str(report.test)
    if report.control is None:
        return f"{report.test}, one-sided, therefore without bars"
    better = (alternative == "greater") == (report.pairwise.pairs[0][1] == report.control)
    return f"{report.test}, one-sided: {'better' if better else 'worse'} than the control"
