"""Where results came from: said in the report, and what of it is doubtful."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.io import Results, Source
from skstat.report._doubts import Facts

_MOST_SOURCES = 4


def notes_of(results: Results) -> list[str]:
    """Say where results came from; sources of one place and task in one sentence."""
    alike: dict[tuple[str, ...], list[Source]] = {}
    for source in results.sources:
        key = (source.path, source.format, source.task, source.version)
        alike.setdefault(key, []).append(source)
    known = [
        found for found in (_said(sources, results) for sources in alike.values()) if found
    ]
    if len(known) <= _MOST_SOURCES:
        return known
    places = {source.path for source in results.sources}
    formats = ", ".join(dict.fromkeys(source.format for source in results.sources))
    return [f"results of {len(results.sources)} systems from {len(places)} places ({formats})"]


def _said(sources: Sequence[Source], results: Results) -> str:
    first = sources[0]
    of = "results" if len(sources) > 1 or len(results.names) == 1 else f"{first.system}"
    bits = [f"{of} from {first.path}" if first.path else f"{of} from an object in memory"]
    bits.append(f"format {first.format}")
    if first.task:
        bits.append(f"task {first.task}")
    if first.version:
        bits.append(f"version {first.version}")
    limited = limited_of(results, sources)
    if limited:
        n, total = limited[0][1:]
        bits.append(f"{n} of {total} items")
    return ", ".join(bits)


def limited_of(
    results: Results, sources: Sequence[Source] | None = None
) -> tuple[tuple[str, int, int], ...]:
    """Systems that were evaluated on fewer items than their tasks have."""
    found = []
    for source in results.sources if sources is None else sources:
        if source.n_expected is None or source.system not in results.names:
            continue
        n = len(set(results.item[results.system == source.system].tolist()))
        if n < source.n_expected:
            found.append((source.system, n, source.n_expected))
    return tuple(found)


def facts_of(
    results: Results, names: Sequence[str], tables: Mapping[str, NDArray[np.float64]]
) -> Facts:
    """Return what the doubts go by, of results and their tables by metric.

    `names` are those of the columns of the tables.
    """
    return Facts(
        limited=limited_of(results),
        evaluations_differ=tuple(_differing(results)),
        one_log_twice=_twice(results, names, tables),
    )


def _differing(results: Results) -> list[str]:
    """Say in what the evaluations of the systems differ."""
    sources = results.sources
    found = []
    for what, values in (
        ("the task", {source.task for source in sources}),
        ("its version", {source.version for source in sources}),
    ):
        if len(values - {""}) > 1:
            found.append(what)
    settings: dict[str, set[str]] = {}
    for source in sources:
        for name, value in source.settings.items():
            settings.setdefault(name, set()).add(value)
    found += [name for name, values in settings.items() if len(values) > 1]
    if results.content is not None:
        pairs = set(zip(results.item.tolist(), results.content.tolist(), strict=True))
        n_other = len(pairs) - len(results.items)
        if n_other > 0:
            found.append("the content of items")
    return found


def _twice(
    results: Results, names: Sequence[str], tables: Mapping[str, NDArray[np.float64]]
) -> tuple[str, ...]:
    """Systems of one place, and of one name there, whose scores are all the same.

    Systems with names of their own in one table are two that agree: both may be perfect.
    """
    places = {
        source.system: (source.path, source.named or source.system)
        for source in results.sources
        if source.path
    }
    alike: dict[tuple[Any, ...], list[str]] = {}
    for column, name in enumerate(names):
        if name in places:
            scores = tuple(table[:, column].tobytes() for table in tables.values())
            alike.setdefault((places[name], *scores), []).append(name)
    return next((tuple(names) for names in alike.values() if len(names) > 1), ())
