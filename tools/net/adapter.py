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
    state = found.to_dict()
    low, high = found.confidence_interval()
    told = {
        "first": found.names[0],
        "second": found.names[1],
        "metric": found.metric,
        "test": found.test,
        "alternative": found.alternative,
        "scores": [one["mean"] for one in state["scores"]],
        "estimate": found.estimate,
        "standard_error": found.standard_error,
        "statistic": found.statistic,
        "statistic_name": state["statistic_name"],
        "df": found.df,
        "p": found.pvalue,
        "adjusted_p": found.adjusted_pvalue,
        "low": low,
        "high": high,
        "level": state["interval_level"],
        "n": found.n_units,
        "unit": found.unit,
        "effect_sizes": found.outcome.effect_sizes,
        "verdict": found.verdict,
        "better": found.better,
        "draws": _draws(state),
    }
    # Of the two sides of a margin the first is that of the first system.
    turned = found.is_loss and state["scale"] == "score"
    return told | _margin(state, turned) | _chances(state)


def _turn(value: float | None, sign: float) -> float | None:
    return None if value is None else sign * value + 0.0


def _limits(low: float | None, high: float | None, sign: float, name: str = "") -> dict:
    if sign < 0:
        low, high = _turn(high, -1), _turn(low, -1)
    return {f"{name}low": low, f"{name}high": high}


def _margin(state: Mapping[str, Any], turned: bool) -> dict[str, Any]:
    found = state["equivalence"]
    if not found:
        return {}
    sides = (found["lower_pvalue"], found["upper_pvalue"])
    return {
        "margin": {
            "size": found["margin"],
            "p": found["pvalue"],
            "adjusted_p": found["adjusted_pvalue"],
            "above_minus_margin_p": sides[turned],
            "below_margin_p": sides[not turned],
            "low": found["interval"][0],
            "high": found["interval"][1],
            "equivalent": found["equivalent"],
            "not_inferior": found["noninferior"],
        }
    }


def _chances(state: Mapping[str, Any]) -> dict[str, Any]:
    found = state["probabilities"]
    if not found:
        return {}
    interval = found["interval"] or (None, None)
    return {
        "probabilities": {
            "rope": found["rope"],
            **{f"probability_{word}": found[word] for word in ("better", "same", "worse")},
            "low": interval[0],
            "high": interval[1],
            "said": found["where"],
        }
    }


def _draws(state: Any) -> int:
    """The fewest draws that a number of a report rests on; 0 if nothing was drawn."""
    return min(_all_draws(state), default=0)


def _all_draws(state: Any) -> Iterable[int]:
    if isinstance(state, Mapping):
        if state.get("n_resamples") and state.get("seed") is not None:
            yield state["n_resamples"]
        if state.get("n_draws"):
            yield state["n_draws"]
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
    state = found.to_dict()
    sign = -1.0 if found.is_loss else 1.0
    told = {
        "kind": "several systems",
        "metric": found.metric,
        "test": found.test,
        "draws": _draws(state),
        "adjustment": state["adjustment"],
        "control": found.control,
        "systems": [_ranked(row, sign, state["higher_is_better"]) for row in state["ranking"]],
        "pairs": [*map(_row, state["pairs"], found.pairwise.outcomes)],
        "all_at_once": _at_once(found.omnibus),
        "order": list(found.order),
        "may_be_best": list(found.may_be_best),
        "doubts": _doubts(found),
        "choice": None if found.choice is None else found.choice.name,
        "logged": found.metrics(),
    }
    if len(found) <= _MOST_PAIRS:
        told["pair_reports"] = [
            _pair(pair) | {"doubts": _doubts(pair), "said": words(pair.conclusion)}
            for pair in found
        ]
    if hasattr(found, "groups"):
        told |= {
            "critical_difference": found.critical_difference,
            "groups": [list(group) for group in found.groups],
        }
    if hasattr(found, "tie_groups"):
        told["tie_groups"] = [list(group) for group in found.tie_groups]
        told["stability"] = _plain_part(state["rank_stability"])
    if found.strengths is not None:
        told["strengths"] = words(found.strengths)
    return told | _said(found)


_OF_A_SYSTEM = {
    "name": "name", "mean": "score", "sd": "sd", "letters": "letters", "rank": "rank",
    "mean_rank": "mean_rank", "best_pvalue": "best_p", "may_be_best": "may_be_best",
    "rank_low": "rank_low", "rank_high": "rank_high", "resampled_low": "resampled_low",
    "resampled_high": "resampled_high", "first_share": "probability_first",
    "probability_best": "probability_best", "probability_near_best": "probability_near_best",
}  # fmt: skip


def _ranked(row: Mapping[str, Any], sign: float, as_scores: bool) -> dict[str, Any]:
    told = {_OF_A_SYSTEM[key]: row[key] for key in _OF_A_SYSTEM if key in row}
    if as_scores and "score" in told:
        told["score"] = _turn(told["score"], sign)
    if "from_best_low" in row:
        told |= _limits(row["from_best_low"], row["from_best_high"], sign, "from_best_")
    if "score_low" in row:
        turned = sign if as_scores else 1.0
        told |= _limits(row["score_low"], row["score_high"], turned, "score_")
    return told


_OF_A_PAIR = {
    "first": "first", "second": "second", "n_units": "n", "df": "df", "pvalue": "p",
    "adjusted_pvalue": "adjusted_p", "verdict": "verdict", "better": "better",
    "interval_level": "level", "equivalence_pvalue": "margin_p",
    "probability_better": "probability_better", "probability_same": "probability_same",
    "probability_worse": "probability_worse",
}  # fmt: skip


def _row(row: Mapping[str, Any], outcome: Any) -> dict[str, Any]:
    told = {_OF_A_PAIR[key]: row[key] for key in _OF_A_PAIR if key in row}
    told |= {key: row[key] for key in ("estimate", "low", "high") if key in row}
    told["effect_sizes"] = outcome.effect_sizes
    return told | {"statistic": abs(row["statistic"]) if row.get("statistic") else None}


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
    parts = {str(place): _pair(part) for place, part in enumerate(found, 1)}
    told = {"kind": "a comparison per seed", "verdicts": list(found.verdicts), "parts": parts}
    return told | _of_all(found)


def _slices(found: Any) -> dict[str, Any]:
    return {
        "kind": "slices",
        "all_rows": _pair(found.overall),
        "rows": dict(zip(found.slices, found.n_rows, strict=True)),
        "parts": {name: _pair(found[name]) for name in found},
        "between": _at_once(found.between),
        "adjusted_between_p": found.adjusted_between,
        "shrunken": [
            _turn(one, -1.0 if found.is_loss else 1.0) for one in found.shrunken or ()
        ],
        "left_out": found.left_out,
        "outside": found.n_outside,
        "worse_in": list(found.worse_in),
        "better_in": list(found.better_in),
        "not_worse_anywhere": found.not_worse_anywhere,
        "noninferior_p": found.noninferior_pvalue,
    } | _of_all(found)


def _slices_of_systems(found: Any) -> dict[str, Any]:
    return {
        "kind": "slices of several systems",
        "pairs": {
            " against ".join(part.names): {name: _pair(part[name]) for name in part}
            for part in found
        },
        "verdicts": {" against ".join(pair): each for pair, each in found.verdicts.items()},
        "may_be_best": {name: list(best) for name, best in found.may_be_best.items()},
        "may_be_best_everywhere": list(found.may_be_best_everywhere),
    } | _of_all(found)


def _metrics(found: Any) -> dict[str, Any]:
    # The texts of one metric are those of a report of its own.
    parts = {name: _numbers(_of(found[name])) for name in found}
    return {"kind": "several metrics", "parts": parts} | _of_all(found)


def _of_all(found: Any) -> dict[str, Any]:
    """What a report of several reports says of all of them."""
    told = {"draws": _draws(found.to_dict()), "doubts": _doubts(found)}
    return told | {"logged": found.metrics()} | _said(found)


def _numbers(plain: dict[str, Any]) -> dict[str, Any]:
    texts = ("print", "details", "methods", "results", "logged")
    return {key: value for key, value in plain.items() if key not in texts}


def _performance(found: Any) -> dict[str, Any]:
    state = found.to_dict()
    sign = -1.0 if found.is_loss else 1.0
    return {
        "kind": "performance",
        "metric": found.metric,
        "method": found.method,
        "draws": _draws(state),
        "systems": [_performer(row, sign) for row in state["rows"]],
        "difference": state["difference"] and _performer(state["difference"], sign),
        "fits": found.n_fits,
        "training_share": found.training_share,
        "doubts": _doubts(found),
        "logged": found.metrics(),
    } | _said(found)


def _performer(row: Mapping[str, Any], sign: float) -> dict[str, Any]:
    return {
        "name": row["name"],
        "estimate": _turn(row["estimate"], sign),
        "standard_error": row["standard_error"],
        **_limits(row["low"], row["high"], sign),
        "training_score": _turn(row["training_score"], sign),
        "gap": row["gap"],
        "method": row["method"],
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
        "regions": [list(region) for region in found.regions],
        "draws": found.band.n_resamples,
    } | _said(found)


def _curves(found: Any) -> dict[str, Any]:
    if found.kind == "cost":
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


_KINDS: dict[type, Callable[[Any], dict[str, Any]]] = {
    skstat.MetricsReport: _metrics,
    skstat.SystemsReport: _systems,
    skstat.ComparisonReport: _comparison,
    skstat.SeedsReport: _seeds,
    skstat.SlicesReport: _slices,
    skstat.SystemsSlicesReport: _slices_of_systems,
    skstat.PerformanceReport: _performance,
    skstat.ComparisonPlan: _plan,
    skstat.TestCheck: _check,
    reports.Recommendation: _recommendation,
    skstat.CurveComparison: _curves,
    skstat.io.Results: _results,
}
_RESTORED = tuple(list(_KINDS)[:9])
