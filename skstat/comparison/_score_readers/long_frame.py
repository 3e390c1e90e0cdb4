"""A frame with one row per score."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skstat.comparison._score_readers.columns import sample_of
from skstat.comparison._score_readers.description import Description
from skstat.comparison._score_readers.given import GivenSamples, Sample
from skstat.stats import ScoreTable
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
    if isinstance(scores, Mapping) or not hasattr(scores, "columns"):
        return None
    if given is None and not _is_long(scores):
        return None
    metric = described.metric
    described.refuse_names(scores)
    given = {} if given is None else _checked(given)
    system = _column(scores, "system", given, SYSTEM)
    score = _column(scores, "score", given, (*SCORE, plain(metric)))
    unit, keys = _unit_columns(scores, given, described.unit)
    described.check_paired_seeds(unit)
    found = _by_name(scores, keys, system, score, described)
    known = {label for cells in found.values() for label in cells}
    order = _in_order([label for label in _cells(scores, keys) if label in known])
    sample = _sample(found, order, unit, described)
    return GivenSamples(samples={metric: sample}, names=tuple(found))


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
    named = [column for column in scores.columns if plain(column) in SYSTEM]
    return any(np.asarray(scores[column]).dtype.kind not in "biuf" for column in named)


def _by_name(
    frame: Any, keys: Sequence[Any], system: Any, score: Any, described: Description
) -> dict[str, dict[Any, Any]]:
    """Return the scores of every system to compare by what they are on."""
    labels = _cells(frame, keys)
    names = cell_names(f"column {system!r}", np.asarray(frame[system]).tolist())
    values = np.asarray(frame[score]).tolist()
    twice = [cell for cell, n in Counter(zip(names, labels, strict=True)).items() if n > 1]
    if twice:
        name, label = twice[0]
        raise ValueError(
            f"{name!r} has several scores on {' and '.join(map(repr, keys))} "
            f"{', '.join(map(str, label))}: one row of the frame is one score. Take the rows "
            "of one question, or average them: ScoreTable.from_long(frame, ..., "
            "aggregate='mean')."
        )
    found: dict[str, dict[Any, Any]] = {name: {} for name in dict.fromkeys(names)}
    for name, label, value in zip(names, labels, values, strict=True):
        found[name][label] = value
    return {name: found[name] for name in described.chosen(found)}


def _sample(
    found: Mapping[str, Mapping[Any, Any]],
    order: Sequence[tuple[Any, ...]],
    unit: str,
    described: Description,
) -> Sample:
    """Make a sample of scores by label; those of data sets may be missing."""
    units = described.units | {"unit": unit}
    if unit == "dataset" and not described.one_system:
        table = [[cells.get(label) for cells in found.values()] for label in order]
        rows = [", ".join(map(str, label)) for label in order]
        return ScoreTable(table, systems=list(found), datasets=rows)
    if unit != "seed" or described.paired_seeds:
        _check_complete(found, order, unit)
        found = {
            name: {label: cells[label] for label in order} for name, cells in found.items()
        }
    columns = {name: list(cells.values()) for name, cells in found.items()}
    return sample_of(columns, units, described)


def _check_complete(
    found: Mapping[str, Mapping[Any, Any]], order: Sequence[tuple[Any, ...]], unit: str
) -> None:
    for name, cells in found.items():
        lacking = [label for label in order if label not in cells]
        if lacking:
            raise ValueError(
                f"{name!r} has no score on {unit} {', '.join(map(str, lacking[0]))}, which "
                "another system has one on: scores are compared on the same units."
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
    known = list(frame.columns)
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
    known = list(frame.columns)
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
