"""A frame with one row per score."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from skstat.comparison._score_readers.description import Description
from skstat.comparison._score_readers.given import GivenSamples
from skstat.comparison._score_readers.results import samples_of
from skstat.io import Results
from skstat.stats import Unit
from skstat.stats._common import read_numbers
from skstat.stats._samples import cell_names

# What the columns of a frame with one row per score are mostly called. Of a unit, every
# column that names it counts: a repeat and a fold are a split together.
SYSTEM = (
    "system", "model", "estimator", "algorithm", "classifier", "regressor", "method", "learner",
)  # fmt: skip
SCORE = ("score", "test_score", "value")
UNIT = {
    "dataset": ("dataset", "data_set", "task"),
    "split": ("repeat", "split", "fold"),
    "seed": ("seed",),
    "group": ("group",),
    "instance": ("instance", "row", "item", "question"),
}
_ROLES = ("system", "score", "unit")


def read_long_frame(scores: Any, described: Description) -> GivenSamples | None:
    """Read a frame with one row per score; its labels say which scores belong together."""
    given = described.columns
    if not (isinstance(scores, Mapping) or hasattr(scores, "columns")):
        return None
    if given is None and not _is_long(scores):
        return None
    if given is not None and isinstance(scores, Mapping) and not _is_long(scores):
        return None
    described.refuse_names(scores)
    given = {} if given is None else _checked(given)
    system = _column(scores, "system", given, SYSTEM)
    unit, keys = _unit_columns(scores, given, described.unit)
    score = _score_column(scores, given, described, {system, *keys})
    metric = described.metric
    if described.scoring is None and plain(score) not in SCORE:
        metric = str(score)
    described.check_paired_seeds(unit)
    labels = _cells(scores, keys)
    order = {label: place for place, label in enumerate(_in_order(labels))}
    rows = np.array(sorted(range(len(labels)), key=lambda row: order[labels[row]]))
    systems = cell_names(f"column {system!r}", np.asarray(scores[system]).tolist())
    _check_once(systems, labels, keys)
    results = Results(
        system=np.array(systems, dtype=object)[rows],
        item=[", ".join(map(str, labels[row])) for row in rows.tolist()],
        scores={metric: read_numbers(f"column {score!r}", scores[score])[rows]},
        unit=cast(Unit, unit),
    )
    # The order of the systems is that of the frame, not of its labels.
    names = described.chosen(dict.fromkeys(systems))
    results = results.take(systems=names)
    if unit != "dataset" and (unit != "seed" or described.paired_seeds):
        _check_complete(results, names, unit)
    return samples_of(results, replace(described, systems=names))


def _score_column(
    frame: Any, given: Mapping[str, Any], described: Description, labels: Collection[Any]
) -> Any:
    """Return the column of scores: named, with a usual name, or the only one that is left.

    The last where the caller says what a row is (`unit`), and so that all others are known.
    """
    known, names = _names(frame), (*SCORE, plain(described.metric))
    usual = [name for name in known if plain(name) in names]
    if described.unit is not None and "score" not in given and not usual:
        left = [name for name in known if name not in labels and _holds_numbers(frame[name])]
        if len(left) == 1:
            return left[0]
    return _column(frame, "score", given, names)


def _names(frame: Any) -> list[Any]:
    return list(frame) if isinstance(frame, Mapping) else list(frame.columns)


def _holds_numbers(column: Any) -> bool:
    return np.asarray(column).dtype.kind in "biuf"


def _checked(columns: Any) -> Mapping[str, Any]:
    """Refuse columns= that is not a mapping of the roles that columns have."""
    if not isinstance(columns, Mapping):
        raise ValueError(
            f"columns={columns!r} must be a mapping, such as {{'system': 'model'}}."
        )
    unknown = [role for role in columns if role not in _ROLES]
    if unknown:
        raise ValueError(
            f"columns names {unknown[0]!r}; use 'system', 'score' and 'unit', such as "
            "columns={'system': 'model', 'score': 'auc', 'unit': 'fold'}."
        )
    return columns


def plain(name: Any) -> str:
    return str(name).lower().replace(" ", "_").replace("-", "_")


def _is_long(scores: Any) -> bool:
    """Whether a frame has one row per score: a column of names says whose it is."""
    named = [column for column in _names(scores) if plain(column) in SYSTEM]
    return any(np.asarray(scores[column]).dtype.kind not in "biuf" for column in named)


def _check_once(
    systems: Sequence[str], labels: Sequence[tuple[Any, ...]], keys: Sequence[Any]
) -> None:
    twice = [cell for cell, n in Counter(zip(systems, labels, strict=True)).items() if n > 1]
    if twice:
        name, label = twice[0]
        raise ValueError(
            f"{name!r} has several scores on {' and '.join(map(repr, keys))} "
            f"{', '.join(map(str, label))}: one row of the frame is one score. Take the rows "
            "of one question, or say which repeat a row is: repeat=name."
        )


def _check_complete(results: Results, names: Sequence[str], unit: str) -> None:
    """Refuse gaps, which were not asked for: a unit may be one by its label alone."""
    (values,) = results.scores.values()
    for name in names:
        own = results.item[(results.system == name) & ~np.isnan(values)]
        known = set(own.tolist())
        lacking = [item for item in results.items if item not in known]
        if lacking:
            raise ValueError(
                f"{name!r} has no score on {unit} {lacking[0]}, which another system has one "
                "on: scores are compared on the same units. To compare on the items that all "
                "systems have, name their column by item=."
            )


def _in_order(labels: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Order labels of several columns by the first: folds of one repeat come together."""
    place: dict[Any, int] = {}
    for label in labels:
        place.setdefault(label[0], len(place))
    return sorted(dict.fromkeys(labels), key=lambda label: place[label[0]])


def _cells(frame: Any, keys: Sequence[Any]) -> list[tuple[Any, ...]]:
    return list(zip(*(np.asarray(frame[key]).tolist() for key in keys), strict=True))


def _column(frame: Any, role: str, given: Mapping[str, Any], usual: Sequence[str]) -> Any:
    known = _names(frame)
    if role in given:
        if given[role] not in known:
            raise ValueError(
                f"columns: {role} {given[role]!r} is not a column; there are {known}."
            )
        return given[role]
    found = [column for column in known if plain(column) in usual]
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
    known = _names(frame)
    if "unit" in given:
        keys = given["unit"]
        keys = list(keys) if isinstance(keys, list | tuple) else [keys]
        missing = [key for key in keys if key not in known]
        if missing:
            raise ValueError(
                f"columns: unit {missing[0]!r} is not a column; there are {known}."
            )
        kinds = {_kind(key) for key in keys}
        if unit is None and (len(kinds) > 1 or None in kinds):
            raise ValueError(
                f"what is one value of {' and '.join(map(repr, keys))}? Say unit= too: "
                f"{', '.join(map(repr, UNIT))}."
            )
        return str(unit or kinds.pop()), keys
    by_kind = {kind: [key for key in known if _kind(key) == kind] for kind in UNIT}
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
    order = UNIT[kind]
    return kind, sorted(by_kind[kind], key=lambda key: order.index(plain(key)))


def _kind(column: Any) -> str | None:
    return next((kind for kind, names in UNIT.items() if plain(column) in names), None)
