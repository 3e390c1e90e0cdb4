"""Scores as their holders have them: results of cross_validate, long frames, columns."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skstat.evaluation import Design
from skstat.stats import ScoreTable
from skstat.stats._frames import cell_names
from skstat.stats._numbers import refuse_other

# What the columns of a frame with one row per score are mostly called. Of a unit, every
# column that names it counts: a repeat and a fold are a split together.
_SYSTEM = (
    "system", "model", "estimator", "algorithm", "classifier", "regressor", "method", "learner",
)  # fmt: skip
_SCORE = ("score", "test_score", "value")
_UNIT = {
    "dataset": ("dataset", "data_set", "task"),
    "split": ("repeat", "split", "fold"),
    "seed": ("seed",),
    "group": ("group",),
    "instance": ("instance", "row", "item", "question"),
}
_ROLES = ("system", "score", "unit")


@dataclass(frozen=True, kw_only=True)
class Held:
    """Scores and what they say of themselves.

    Attributes
    ----------
    scores : mapping of str to object
        By metric: what the caller gave, or systems and their scores.
    units : mapping
        Unit and sizes of splits, as samples take them.
    design : mapping
        Facts of the splits, for the report.
    """

    scores: Mapping[str, Any]
    units: dict[str, Any]
    design: dict[str, Any] = field(default_factory=dict)


def read_held(
    scores: Any,
    units: dict[str, Any],
    *,
    scoring: str | list[str] | None,
    columns: Mapping[str, Any] | None,
    paired_seeds: bool,
) -> Held:
    """Read results of cross_validate and long frames; leave anything else as it is."""
    if _is_result(scores):
        scores = {"A": scores}
    if isinstance(scores, Mapping) and any(map(_is_result, scores.values())):
        if columns is not None:
            raise ValueError("columns= names columns of a frame; leave it out of a mapping.")
        return _of_results(scores, units, scoring)
    metric = "score" if scoring is None else scoring
    if not isinstance(metric, str):
        raise ValueError(
            f"scoring={scoring!r} must be one name for scores without a run: it says what the "
            "scores are, such as scoring='accuracy'."
        )
    if columns is not None and (isinstance(scores, Mapping) or not hasattr(scores, "columns")):
        raise ValueError(
            "columns= names the columns of a frame with one row per score, and scores is "
            f"a {type(scores).__name__}."
        )
    if columns is not None or _is_long(scores):
        scores, units = _of_long(scores, units, metric, columns or {}, paired_seeds)
    return Held(scores={metric: scores}, units=units)


def columns_of(scores: Any, names: tuple[str, ...] | None = None) -> dict[str, Any]:
    """Scores by name, from a mapping, a DataFrame or an array."""
    if isinstance(scores, Mapping):
        return {str(name): values for name, values in scores.items()}
    if hasattr(scores, "columns"):
        return {str(name): np.asarray(scores[name]) for name in scores.columns}
    if np.ma.is_masked(scores):
        raise ValueError("scores has masked entries; take units that all systems have.")
    refuse_other("scores", scores)
    try:
        table = np.asarray(scores)
    except ValueError as error:
        raise ValueError(f"scores must have a row of equal length per unit: {error}") from error
    if table.ndim == 1:
        return {"A": table}
    if table.ndim != 2:
        what = f"has shape {table.shape}" if table.ndim else f"is a {type(scores).__name__}"
        raise ValueError(
            f"scores {what}; give an array of shape (n_units, 2), or a mapping of name to "
            "scores."
        )
    if names is not None and len(names) == table.shape[1]:
        return dict(zip(names, table.T, strict=True))
    letters = [chr(ord("A") + i) if i < 26 else f"system {i}" for i in range(table.shape[1])]
    return dict(zip(letters, table.T, strict=True))


def _is_result(value: Any) -> bool:
    """Whether a mapping is what cross_validate of scikit-learn returns."""
    return isinstance(value, Mapping) and "fit_time" in value and bool(_scored(value))


def _scored(result: Mapping[str, Any]) -> list[str]:
    return [str(key) for key in result if str(key).startswith("test_")]


def _of_results(
    results: Mapping[Any, Any], units: dict[str, Any], scoring: str | list[str] | None
) -> Held:
    named = {str(name): result for name, result in results.items()}
    strange = next((name for name, result in named.items() if not _is_result(result)), None)
    if strange is not None:
        raise ValueError(
            f"scores[{strange!r}] is no result of cross_validate, and others are: give one of "
            "every system, or lists of scores."
        )
    if units["unit"] not in (None, "split"):
        raise ValueError(
            f"unit={units['unit']!r}: results of cross_validate are scores of splits; leave "
            "unit out."
        )
    metrics = _metrics(named, scoring)
    scores = {
        metric: {name: result[key] for name, result in named.items()}
        for metric, key in metrics.items()
    }
    design = _design(named)
    units = units | {"unit": "split"}
    if design is None:
        return Held(scores=scores, units=units)
    given = [key for key in ("n_train", "n_test", "n_repeats") if units[key] is not None]
    if given:
        raise ValueError(
            f"{given[0]} is known: the results hold the rows of every split; leave it out."
        )
    return Held(scores=scores, units=design.units(), design=design.describe())


def _metrics(
    named: Mapping[str, Mapping[str, Any]], scoring: str | list[str] | None
) -> dict[str, str]:
    """Metrics asked for, or all that every result has, and the keys of their scores."""
    first = next(iter(named.values()))
    common = [key for key in _scored(first) if all(key in other for other in named.values())]
    if not common:
        raise ValueError("the results of the systems have no metric in common.")
    keys = {key.removeprefix("test_"): key for key in common}
    if list(keys) == ["score"]:  # one metric, which has no name there
        name = "score" if scoring is None else scoring
        if not isinstance(name, str):
            raise ValueError(f"scoring={scoring!r}: the results have one metric; name it once.")
        return {name: "test_score"}
    if scoring is None:
        return keys
    asked = [scoring] if isinstance(scoring, str) else list(scoring)
    unknown = [name for name in asked if name not in keys]
    if unknown or not asked:
        raise ValueError(f"scoring={scoring!r}: the results have the metrics {list(keys)}.")
    return {name: keys[name] for name in asked}


def _design(named: Mapping[str, Mapping[str, Any]]) -> Design | None:
    """Return the splits of the results, if they say which they were and agree."""
    indices = {name: r["indices"] for name, r in named.items() if r.get("indices") is not None}
    if not indices:
        return None
    first = next(iter(indices))
    for name, rows in indices.items():
        same = len(rows["test"]) == len(indices[first]["test"]) and all(
            np.array_equal(mine, its)
            for side in ("train", "test")
            for mine, its in zip(rows[side], indices[first][side], strict=True)
        )
        if not same:
            raise ValueError(
                f"{first!r} and {name!r} were not fitted on the same splits, so that their "
                "scores are no pairs. Pass both calls of cross_validate one splitter with a "
                "fixed random_state, or fit them by skstat.compare_estimators."
            )
    splits = tuple(zip(indices[first]["train"], indices[first]["test"], strict=True))
    last = max(int(max(train.max(), test.max())) for train, test in splits)
    return Design(splits=splits, n_samples=last + 1, splitter=f"{len(splits)} given splits")


def _plain(name: Any) -> str:
    return str(name).lower().replace(" ", "_").replace("-", "_")


def _is_long(scores: Any) -> bool:
    """Whether a frame has one row per score: a column of names says whose it is."""
    if isinstance(scores, Mapping) or not hasattr(scores, "columns"):
        return False
    named = [column for column in scores.columns if _plain(column) in _SYSTEM]
    return any(np.asarray(scores[column]).dtype.kind not in "biuf" for column in named)


def _of_long(
    frame: Any,
    units: dict[str, Any],
    metric: str,
    given: Mapping[str, Any],
    paired_seeds: bool,
) -> tuple[Any, dict[str, Any]]:
    """Read a frame with one row per score; its labels say which scores belong together."""
    if not isinstance(given, Mapping):
        raise ValueError(f"columns={given!r} must be a mapping, such as {{'system': 'model'}}.")
    unknown = [role for role in given if role not in _ROLES]
    if unknown:
        raise ValueError(
            f"columns names {unknown[0]!r}; use 'system', 'score' and 'unit', such as "
            "columns={'system': 'model', 'score': 'auc', 'unit': 'fold'}."
        )
    system = _column(frame, "system", given, _SYSTEM)
    score = _column(frame, "score", given, (*_SCORE, _plain(metric)))
    unit, keys = _unit_columns(frame, given, units["unit"])
    labels = _cells(frame, keys)
    names = cell_names(f"column {system!r}", np.asarray(frame[system]).tolist())
    values = np.asarray(frame[score]).tolist()
    twice = [cell for cell, n in Counter(zip(names, labels, strict=True)).items() if n > 1]
    if twice:
        name, label = twice[0]
        raise ValueError(
            f"{name!r} has several scores on {' and '.join(map(repr, keys))} "
            f"{', '.join(map(str, label))}: one row of the frame is one score. Take the rows "
            "of one question, or average them: "
            "ScoreTable.from_long(frame, ..., aggregate='mean')."
        )
    found: dict[str, dict[Any, Any]] = {name: {} for name in dict.fromkeys(names)}
    for name, label, value in zip(names, labels, values, strict=True):
        found[name][label] = value
    units = units | {"unit": unit}
    order = sorted(dict.fromkeys(labels), key=_by_first(labels))
    if unit == "dataset":
        table = [[found[name].get(label) for name in found] for label in order]
        rows = [", ".join(map(str, label)) for label in order]
        return ScoreTable(table, systems=list(found), datasets=rows), units
    if unit == "seed" and not paired_seeds:
        return {name: list(cells.values()) for name, cells in found.items()}, units
    for name, cells in found.items():
        lacking = [label for label in order if label not in cells]
        if lacking:
            raise ValueError(
                f"{name!r} has no score on {unit} {', '.join(map(str, lacking[0]))}, which "
                "another system has one on: scores are compared on the same units."
            )
    return {name: [cells[label] for label in order] for name, cells in found.items()}, units


def _by_first(labels: Sequence[tuple[Any, ...]]) -> Any:
    """Order labels of several columns by the first: folds of one repeat come together."""
    place: dict[Any, int] = {}
    for label in labels:
        place.setdefault(label[0], len(place))
    return lambda label: place[label[0]]


def _cells(frame: Any, keys: Sequence[Any]) -> list[tuple[Any, ...]]:
    return list(zip(*(np.asarray(frame[key]).tolist() for key in keys), strict=True))


def _column(frame: Any, role: str, given: Mapping[str, Any], usual: Sequence[str]) -> Any:
    known = list(frame.columns)
    if role in given:
        if given[role] not in known:
            raise ValueError(
                f"columns: {role} {given[role]!r} is no column; there are {known}."
            )
        return given[role]
    found = [column for column in known if _plain(column) in usual]
    if len(found) != 1:
        what = f"{found} may all be it" if found else f"there are {known}"
        raise ValueError(
            f"which column holds the {role} of every row? Say columns={{{role!r}: name}}; "
            f"{what}."
        )
    return found[0]


def _unit_columns(
    frame: Any, given: Mapping[str, Any], unit: str | None
) -> tuple[str, Sequence[Any]]:
    """Return what a row is a score on, and the columns that name it."""
    known = list(frame.columns)
    if "unit" in given:
        keys = given["unit"]
        keys = list(keys) if isinstance(keys, list | tuple) else [keys]
        missing = [key for key in keys if key not in known]
        if missing:
            raise ValueError(f"columns: unit {missing[0]!r} is no column; there are {known}.")
        kinds = {_kind(key) for key in keys}
        if unit is None and (len(kinds) > 1 or None in kinds):
            raise ValueError(
                f"what is one value of {' and '.join(map(repr, keys))}? Say unit= too: "
                f"{', '.join(map(repr, _UNIT))}."
            )
        return str(unit or kinds.pop()), keys
    by_kind = {kind: [key for key in known if _kind(key) == kind] for kind in _UNIT}
    by_kind = {kind: keys for kind, keys in by_kind.items() if keys}
    if unit is None and len(by_kind) > 1:
        raise ValueError(
            f"{' and '.join(repr(keys[0]) for keys in by_kind.values())} may both be the unit "
            f"of the comparison; say which: unit={' | '.join(map(repr, by_kind))}."
        )
    kind = unit or next(iter(by_kind), None)
    if kind is None or kind not in by_kind:
        raise ValueError(
            f"which column says what a score is on? Say columns={{'unit': name}} and unit=; "
            f"there are {known}."
        )
    order = _UNIT[kind]
    return kind, sorted(by_kind[kind], key=lambda key: order.index(_plain(key)))


def _kind(column: Any) -> str | None:
    return next((kind for kind, names in _UNIT.items() if _plain(column) in names), None)
