"""What a door returns as plain data: numbers, names and words, as a reader is told them.

This file alone knows how reports are built. Whoever changes that changes the adapter; the
record stays. A loss has a reader's sign: its difference is that of the losses, below 0 where
the first is better.
"""

import json
import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

import skstat
from skstat import report as reports

_MOST_PAIRS = 15  # of more systems, rows of pairs are told, but not every pair's own report
_TIME = re.compile(r"\s*\b\d+(\.\d)? (\N{MICRO SIGN}s|ms|s|min|h)\b")
_VERSION = re.compile(r"\b(Python|NumPy|SciPy|scikit-learn|skstat) \d+(\.\w+)+")


def told(ask: Callable[[], Any], *, debug: bool = False) -> dict[str, Any]:
    """Return what a call tells: its result, or why there is none, and its warnings."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            found = of_result(ask())
        except Exception as error:
            if debug:
                raise
            found = {"kind": "refusal", "error": type(error).__name__, "words": words(error)}
    said = [
        f"{one.category.__name__}: {words(one.message)}"
        for one in warned
        if not issubclass(one.category, DeprecationWarning | FutureWarning)
    ]
    return found | ({"warnings": said} if said else {})


def of_result(found: Any) -> dict[str, Any]:
    """Return what a result tells, and whether a restored one tells the same."""
    plain = rounded(_of(found))
    if isinstance(found, _RESTORED):
        try:
            again = rounded(_of(reports.report_from_dict(json.loads(found.to_json()))))
        except Exception as error:
            plain["restored"] = f"{type(error).__name__}: {words(error)}"
        else:
            plain["restored"] = "the same" if again == plain else sorted(_unlike(plain, again))
    return plain


def _unlike(one: Any, other: Any, field: str = "") -> Iterable[str]:
    """Yield the fields that differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            yield from _unlike(one.get(key), other.get(key), f"{field}.{key}".strip("."))
    elif one != other:
        yield field


def words(text: Any) -> str:
    """Return words without times and versions, which no second run repeats."""
    return _VERSION.sub(r"\1 <version>", _TIME.sub(" <time>", str(text)))


def rounded(value: Any) -> Any:
    """Return plain values; of numbers the digits that any processor agrees on."""
    if isinstance(value, Mapping):
        return {str(key): rounded(each) for key, each in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [rounded(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return str(value) if math.isinf(value) else float(f"{value:.12g}")
    return value if isinstance(value, str | int | None) else str(value)


def _of(found: Any) -> dict[str, Any]:
    for kind, tell in _KINDS.items():
        if isinstance(found, kind):
            return tell(found)
    if isinstance(found, str):
        return {"kind": "text", "words": words(found)}
    if hasattr(found, "figure_"):
        return _picture(found)
    if hasattr(found, "to_text"):
        return {"kind": "other"} | _said(found)
    return {"kind": type(found).__name__, "value": found}


def _said(found: Any) -> dict[str, Any]:
    """The printed report, its details, and the texts for a paper."""
    said = {"print": words(found), "details": words(found.to_text(full=True))}
    if hasattr(found, "methods_text"):
        said["methods"] = words(found.methods_text())
    if hasattr(found, "results_text"):
        said["results"] = words(found.results_text())
    return said


def _doubts(found: Any) -> list[str]:
    return sorted({f"{doubt.code} {doubt.weight}" for doubt in found.doubts})


def _pair(found: Any) -> dict[str, Any]:
    """The numbers of one comparison, and its verdict."""
    low, high = found.confidence_interval()
    told = {
        "first": found.names[0],
        "second": found.names[1],
        "metric": found.evidence.metric,
        "test": found.test,
        "alternative": found.alternative,
        "scores": [one.mean for one in found.systems],
        "estimate": found.estimate,
        "standard_error": found.standard_error,
        "statistic": found.statistic,
        "statistic_name": found.statistic_name,
        "df": found.df,
        "p": found.pvalue,
        "adjusted_p": found.adjusted_pvalue,
        "low": low,
        "high": high,
        "level": found.pairs[0].level,
        "n": found.n_units,
        "unit": found.unit,
        "effect_sizes": found.evidence.outcome.effect_sizes,
        "verdict": found.verdict,
        "better": found.better,
        "draws": _draws(found.to_dict()["evidence"]),
    }
    return told | _margin(found) | _chances(found)


def _margin(found: Any) -> dict[str, Any]:
    if not found.equivalence:
        return {}
    pair = found.pairs[0]
    return {
        "margin": {
            "size": found.margin,
            "p": found.equivalence["pvalue"],
            "adjusted_p": found.equivalence["adjusted_pvalue"],
            "above_minus_margin_p": found.equivalence["lower_pvalue"],
            "below_margin_p": found.equivalence["upper_pvalue"],
            "low": _finite(pair.inner_low),
            "high": _finite(pair.inner_high),
            "equivalent": found.verdict == "equivalent",
            "not_inferior": [
                p < found.alpha for p in (pair.noninferior_p, pair.noninferior_p_second)
            ],
        }
    }


def _finite(value: Any) -> Any:
    return value if value is not None and math.isfinite(value) else None


def _chances(found: Any) -> dict[str, Any]:
    if not found.probabilities:
        return {}
    interval = found.probabilities["interval"] or (None, None)
    pair = found.pairs[0]
    return {
        "probabilities": {
            "rope": found.probabilities["rope"],
            "probability_better": pair.p_better,
            "probability_same": pair.p_same,
            "probability_worse": pair.p_worse,
            "low": interval[0],
            "high": interval[1],
            "said": found.probabilities["where"],
        }
    }


def _draws(state: Any) -> int:
    """The fewest draws that a number of a report rests on; 0 if nothing was drawn."""
    return min(_all_draws(state), default=0)


def _all_draws(state: Any) -> Iterable[int]:
    if isinstance(state, Mapping):
        if state.get("n_resamples") and state.get("seed") is not None:
            yield state["n_resamples"]
        yield from filter(None, (state.get("n_draws"), state.get("n_drawn")))
        if state.get("maxima"):
            yield len(state["maxima"])
        for key, value in state.items():
            if key not in ("sample", "samples"):
                yield from _all_draws(value)
    elif isinstance(state, list) and state and isinstance(state[0], Mapping):
        for value in state:
            yield from _all_draws(value)


def _comparison(found: Any) -> dict[str, Any]:
    told = {"kind": "two systems", **_pair(found), "doubts": _doubts(found)}
    chosen = None if found.choice is None else found.choice.name
    return told | {"choice": chosen, "logged": found.metrics()} | _said(found)


def _systems(found: Any) -> dict[str, Any]:
    evidence = found.evidence
    told = {
        "kind": "several systems",
        "metric": evidence.metric,
        "test": found.test,
        "draws": _draws(found.to_dict()["evidence"]),
        "adjustment": found.adjustment,
        "control": found.control,
        "systems": [_ranked(found, row) for row in found.systems],
        "pairs": [
            _row(found, row, outcome)
            for row, outcome in zip(found.pairs, evidence.pairwise.outcomes, strict=True)
        ],
        "all_at_once": _at_once(evidence.omnibus),
        "order": list(found.names),
        "may_be_best": list(evidence.may_be_best),
        "doubts": _doubts(found),
        "choice": None if found.choice is None else found.choice.name,
        "logged": found.metrics(),
    }
    if len(found.pairs) <= _MOST_PAIRS:
        each = [found[pair[:2]] for pair in found.pairs]
        told["pair_reports"] = [
            _pair(pair) | {"doubts": _doubts(pair), "said": words(pair.conclusion)}
            for pair in each
        ]
    if found.over_datasets:
        told |= {
            "critical_difference": found.critical_difference,
            "groups": [list(group) for group in found.groups],
        }
    if evidence.kind == "leaderboard":
        told["tie_groups"] = [list(group) for group in found.tie_groups]
        stability = evidence.rank_stability
        told["stability"] = stability and _plain_part(stability.to_dict())
    if found.strengths is not None:
        told["strengths"] = words(found.strengths)
    return told | _said(found)


_OF_A_SYSTEM = {
    "name": "name", "mean": "score", "sd": "sd", "letters": "letters", "rank": "rank",
    "mean_rank": "mean_rank", "best_pvalue": "best_p", "may_be_best": "may_be_best",
    "rank_low": "rank_low", "rank_high": "rank_high", "resampled_low": "resampled_low",
    "resampled_high": "resampled_high", "first_share": "probability_first",
    "probability_best": "probability_best", "probability_near_best": "probability_near_best",
    "best_low": "from_best_low", "best_high": "from_best_high",
    "low": "score_low", "high": "score_high",
}  # fmt: skip
_ALWAYS = ("name", "mean", "sd", "letters")


def _ranked(found: Any, row: Any) -> dict[str, Any]:
    return {
        called: _leaf(getattr(row, name))
        for name, called in _OF_A_SYSTEM.items()
        if name in _ALWAYS or name in found.systems
    }


def _leaf(value: Any) -> Any:
    return _finite(value) if isinstance(value, float) else value


_OF_A_PAIR = {
    "first": "first", "second": "second", "n": "n", "df": "df", "pvalue": "p",
    "adjusted": "adjusted_p", "verdict": "verdict", "better": "better",
    "level": "level", "estimate": "estimate", "low": "low", "high": "high",
}  # fmt: skip
_CHANCES = ("p_better", "p_same", "p_worse")


def _row(found: Any, row: Any, outcome: Any) -> dict[str, Any]:
    told = {called: _leaf(getattr(row, name)) for name, called in _OF_A_PAIR.items()}
    if found.margin is not None:
        told["margin_p"] = row.equivalence_p
    if found.probabilities:
        told |= {name.replace("p_", "probability_"): getattr(row, name) for name in _CHANCES}
    told["effect_sizes"] = outcome.effect_sizes
    statistic = _finite(row.statistic)
    return told | {"statistic": abs(statistic) if statistic else None}


def _at_once(found: Any) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "test": found.test,
        "statistic": found.statistic,
        "df": found.df,
        "p": found.pvalue,
        "n": found.n_units,
        "draws": found.n_resamples if found.seed is not None else 0,
    }


def _plain_part(state: Any) -> Any:
    """Numbers and words of what is small; tables of draws are left out."""
    if isinstance(state, Mapping):
        return {key: _plain_part(value) for key, value in state.items() if key != "type"}
    if isinstance(state, list):
        return [_plain_part(value) for value in state] if len(state) <= 100 else len(state)
    return state


def _seeds(found: Any) -> dict[str, Any]:
    each = enumerate(found.reports.values(), 1)
    told = {
        "kind": "a comparison per seed",
        "verdicts": list(found.verdicts.values()),
        "parts": {str(place): _pair(part) for place, part in each},
    }
    return told | _of_all(found)


def _slices(found: Any) -> dict[str, Any]:
    if len(found.evidence.pairs) > 1:
        return _slices_of_systems(found)
    pair = found.evidence.pairs[0]
    return {
        "kind": "slices",
        "all_rows": _pair(found.overall),
        "rows": found.n_rows,
        "parts": {name: _pair(found[name]) for name in found},
        "between": _at_once(pair.between),
        "adjusted_between_p": pair.adjusted_between,
        "shrunken": [*found.pairs[0].shrunken.values()],
        "left_out": found.left_out,
        "outside": found.n_outside,
        "worse_in": list(found.worse_in),
        "better_in": list(found.better_in),
        "not_worse_anywhere": found.not_worse_anywhere,
        "noninferior_p": pair.noninferior_pvalue,
    } | _of_all(found)


def _slices_of_systems(found: Any) -> dict[str, Any]:
    each = {
        " against ".join(pair.names): {name: found[pair.names][name] for name in pair.parts}
        for pair in found.evidence.pairs
    }
    return {
        "kind": "slices of several systems",
        "pairs": {
            pair: {name: _pair(part) for name, part in parts.items()}
            for pair, parts in each.items()
        },
        "verdicts": {
            pair: {name: part.verdict for name, part in parts.items()}
            for pair, parts in each.items()
        },
        "may_be_best": {name: list(best) for name, best in found.may_be_best.items()},
        "may_be_best_everywhere": list(found.may_be_best_everywhere),
    } | _of_all(found)


def _metrics(found: Any) -> dict[str, Any]:
    # The texts of one metric are those of a report of its own.
    each = [_numbers(_of(found[name])) for name in found]
    parts = {told.get("metric", name): told for name, told in zip(found, each, strict=True)}
    return {"kind": "several metrics", "parts": parts} | _of_all(found)


def _of_all(found: Any) -> dict[str, Any]:
    """What a report of several reports says of all of them."""
    told = {"draws": _draws(found.to_dict()["evidence"]), "doubts": _doubts(found)}
    return told | {"logged": found.metrics()} | _said(found)


def _numbers(plain: dict[str, Any]) -> dict[str, Any]:
    texts = ("print", "details", "methods", "results", "logged")
    return {key: value for key, value in plain.items() if key not in texts}


def _performance(found: Any) -> dict[str, Any]:
    evidence = found.evidence
    difference = evidence.difference
    return {
        "kind": "performance",
        "metric": evidence.metric,
        "method": evidence.method,
        "draws": _draws(found.to_dict()["evidence"]),
        "systems": [*map(_performer, found.systems, evidence.rows)],
        "difference": difference and _performer_of_two(found, difference),
        "fits": found.n_fits,
        "training_share": found.training_share,
        "doubts": _doubts(found),
        "logged": found.metrics(),
    } | _said(found)


def _performer(row: Any, estimated: Any) -> dict[str, Any]:
    return {
        "name": row.name,
        "estimate": row.mean,
        "standard_error": row.standard_error,
        "low": row.low,
        "high": row.high,
        "training_score": row.training_score,
        "gap": estimated.gap,
        "method": row.method,
    }


def _performer_of_two(found: Any, estimated: Any) -> dict[str, Any]:
    row = found.pairs[0]
    return {
        "name": estimated.name,
        "estimate": row.estimate,
        "standard_error": row.standard_error,
        "low": row.low,
        "high": row.high,
        "training_score": None,
        "gap": None,
        "method": row.test,
    }


def _plan(found: Any) -> dict[str, Any]:
    return {
        "kind": "plan",
        "unknown": found.unknown,
        "n": found.n,
        "first_n": found.first_n,
        "difference": found.difference,
        "power": found.power,
        "half_width": found.half_width,
        "unit": found.unit,
        "floor": found.floor,
        "others": [
            {"name": row.assumed, "value": row.value, "n": row.n, "power": row.power}
            for row in found.sensitivity
        ],
        "notes": [words(note) for note in found.notes],
        "choice": None if found.choice is None else found.choice.name,
    } | _said(found)


def _check(found: Any) -> dict[str, Any]:
    rows = [
        {
            "name": row.name,
            "test": row.test,
            "experiments": row.n_experiments,
            "rejected": row.n_rejected,
            "rate": row.rate,
            "power": row.power,
            "verdict": row.verdict,
            "pvalues": list(row.pvalues),
        }
        for row in found.rows
    ]
    return {"kind": "check", "rows": rows} | _said(found)


def _recommendation(found: Any) -> dict[str, Any]:
    told = {"kind": "recommendation", "name": found.name, "situation": found.situation}
    return told | {"design": found.design and _plain_part(dict(found.design))} | _said(found)


def _cost_curves(found: Any) -> dict[str, Any]:
    some = slice(None, None, max(1, len(found.band.difference) // 20))
    return {
        "kind": "cost curves",
        "areas": found.areas,
        "difference": found.band.difference[some],
        "low": found.band.low[some],
        "high": found.band.high[some],
        "regions": [[own.low, own.high, own.cheaper] for own in found.regions],
        "draws": found.band.n_resamples,
    } | _said(found)


def _curves(found: Any) -> dict[str, Any]:
    if found.curve == "cost":
        return _cost_curves(found)
    return {
        "kind": "curves",
        "areas": found.areas,
        "encloses": found.encloses,
        "crossings": [list(each) for each in found.crossings],
        "print": words(found),
    }


def _results(found: Any) -> dict[str, Any]:
    return {
        "kind": "results",
        "names": list(found.names),
        "items": list(found.items),
        "metrics": list(found.metrics),
        "rows": len(found),
        "unit": found.unit,
        "scores": {name: np.asarray(column).tolist() for name, column in found.scores.items()},
        "repeats": None if found.repeat is None else sorted({str(one) for one in found.repeat}),
        "columns": sorted(found.columns),
        "higher_is_better": dict(found.higher_is_better),
        "formats": sorted({source.format for source in found.sources}),
        "print": words(found),
    }


def _picture(found: Any) -> dict[str, Any]:
    """The words of a picture, and where its marks are, as closely as one looks at them."""
    from matplotlib import pyplot
    from matplotlib.text import Text

    found.figure_.canvas.draw()
    said, marks = [], []
    for ax in found.figure_.axes:
        texts = ax.findobj(Text) if ax.axison else [*ax.texts, ax.title]
        said += [text.get_text() for text in texts if text.get_visible() and text.get_text()]
        marks += [("line", line.get_xydata()) for line in ax.lines]
        marks += [("points", group.get_offsets()) for group in ax.collections]
        marks += [("bar", patch.get_path().transformed(patch.get_patch_transform()).vertices)
                  for patch in ax.patches]  # fmt: skip
    pyplot.close(found.figure_)
    placed = [f"{what} {_few(points)}" for what, points in marks if len(points)]
    return {
        "kind": "picture",
        "said": "\n".join(sorted(said)),
        "marks": "\n".join(sorted(placed)),
    }


def _few(points: Any) -> str:
    """Some of many points, as text."""
    points = np.asarray(points, dtype=float)
    some = points[:: max(1, len(points) // 8)]
    return "; ".join(", ".join(f"{number:.2g}" for number in point) for point in some)


def _report(found: Any) -> dict[str, Any]:
    if found.is_performance:
        return _performance(found)
    return _comparison(found) if found.is_pair else _systems(found)


def _grid(found: Any) -> dict[str, Any]:
    return {"metric": _metrics, "seed": _seeds, "slice": _slices}[found.by](found)


_KINDS: dict[type, Callable[[Any], dict[str, Any]]] = {
    skstat.Report: _report,
    skstat.ReportGrid: _grid,
    skstat.report.ComparisonPlan: _plan,
    skstat.report.TestCheck: _check,
    reports.Recommendation: _recommendation,
    skstat.comparison.CurveComparison: _curves,
    skstat.io.Results: _results,
}
_RESTORED = tuple(list(_KINDS)[:4])
