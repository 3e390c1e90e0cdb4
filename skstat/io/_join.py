"""Results of several logs become one: they are paired by item, and must be of one task."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from skstat._names import listed, no_command, one_line
from skstat.io._results import Results, Source
from skstat.stats._procedure import check_choice

Allowed = Literal["version", "task", "content", "items", "unfinished", "settings"]
ALLOWED: tuple[str, ...] = get_args(Allowed)
# Of the items of the system that has fewer, those that another one has too.
_LEAST_SHARE = 0.5


class ResultsError(ValueError):
    """Results cannot be read, or do not belong together."""

    def __init__(self, message: str) -> None:
        # Names in a file may hold what a terminal or a build server takes for a command.
        super().__init__(no_command(message if message.isprintable() else one_line(message)))


def check_allowed(allow: Iterable[str]) -> tuple[str, ...]:
    """Refuse what `allow` does not know."""
    asked = (allow,) if isinstance(allow, str) else tuple(allow)
    for name in asked:
        check_choice("allow", name, ALLOWED)
    return asked


def join_results(parts: Sequence[Results], *, allow: Iterable[str] = ()) -> Results:
    """Join results of different systems on the same items.

    Parameters
    ----------
    parts : sequence of Results
        Results, each of one system or more.
    allow : sequence of {"version", "task", "content", "items", "unfinished", "settings"}, \
default=()
        What may differ between them, or be incomplete. It is refused otherwise.

    Returns
    -------
    Results
        All rows, with the metrics and columns that all of them have.

    Raises
    ------
    ResultsError
        If a system appears twice, no metric is common to all, tasks, versions or settings
        of the evaluation differ, one item has different content in two of them, two are of
        one run and have the same scores, or systems have few items in common: less than half
        of those of the system that has fewer, be it directly or by way of others.

    Examples
    --------
    >>> from skstat.io import Results, join_results
    >>> one = Results(system=["a", "a"], item=["q1", "q2"], scores={"correct": [1, 0]})
    >>> two = Results(system=["b", "b"], item=["q2", "q1"], scores={"correct": [1, 1]})
    >>> join_results([one, two]).names
    ('a', 'b')
    """
    allowed, parts = check_allowed(allow), list(parts)
    if not parts:
        raise ResultsError("there are no results to join.")
    found = parts[0] if len(parts) == 1 else _joined(parts, allowed)
    check_in_common(found, allowed)
    return found


def _joined(parts: Sequence[Results], allowed: Sequence[str]) -> Results:
    _refuse_twice(parts)
    first, *others = parts = _with_items_left_out(parts)
    for other in others:
        if other.unit != first.unit:
            raise ResultsError(
                f"one of the results has a row per {first.unit} and another per {other.unit}."
            )
    _refuse_copies(parts)
    sources = tuple(source for part in parts for source in part.sources)
    for kind, name, each in differences(sources):
        if kind not in allowed:
            what = f"settings ({name})" if kind == "settings" else name
            raise ResultsError(
                f"the results are of different {what}: {each}. If they may be compared all "
                f"the same, pass allow={kind!r}."
            )
    common = [name for name in first.metrics if all(name in p.scores for p in parts)]
    if not common:
        have = "; ".join(f"{', '.join(p.names)}: {', '.join(p.metrics)}" for p in parts)
        raise ResultsError(f"the results have no metric in common ({have}).")
    directions = {name: _one_way(name, parts) for name in common}

    def stacked(columns: Iterable[Any]) -> Any:
        return np.concatenate([np.asarray(column, dtype=object) for column in columns])

    # Where some have several results of an item, every row of the others is the first.
    repeated = any(part.repeat is not None for part in parts)
    found = Results(
        system=stacked(part.system for part in parts),
        item=stacked(part.item for part in parts),
        scores={name: np.concatenate([part.scores[name] for part in parts]) for name in common},
        repeat=stacked(["1"] * len(p) if p.repeat is None else p.repeat for p in parts)
        if repeated
        else None,
        columns={
            name: stacked(part.columns[name] for part in parts)
            for name in first.columns
            if all(name in part.columns for part in parts)
        },
        content=stacked(part.content for part in parts)
        if all(part.content is not None for part in parts)
        else None,
        higher_is_better={name: up for name, up in directions.items() if up is not None},
        unit=first.unit,
        sources=sources,
        notes=tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        left_out=tuple(dict.fromkeys(name for part in parts for name in part.left_out)),
    )
    if "content" not in allowed:
        _refuse_other_content(found)
    return found


def _with_items_left_out(parts: Sequence[Results]) -> list[Results]:
    """Give items that a log has no line for, and a score by its means, the names in others."""
    sources = [source for part in parts for source in part.sources]
    if all(source.score_left_out is None for source in sources):
        return list(parts)
    known = dict.fromkeys(item for part in parts for item in part.items)
    # Those that nobody has a line for are alike for all.
    counts = {source.n_expected or 0 for source in sources}
    n_lost = max(counts) - len(known) if len(counts) == 1 else 0
    known |= {f"no results ({k})": None for k in range(1, n_lost + 1)}
    return [_with_rest(part, known) for part in parts]


def _with_rest(part: Results, known: Iterable[str]) -> Results:
    if len(part.sources) != 1 or part.sources[0].score_left_out is None:
        return part
    (source,) = part.sources
    own = set(part.items)
    more = [item for item in known if item not in own]
    if len(own) + len(more) != source.n_expected:
        raise ResultsError(
            f"{source.system!r} was evaluated on {source.n_expected} topics and has lines of "
            f"{len(own)}, and others have {len(more)} more: which have the score 0 cannot be "
            "told. Evaluate all runs with the same qrels."
        )
    rest = [source.score_left_out] * len(more)
    none = f"{len(more)} topics, which score 0"
    return replace(
        part,
        system=[*part.system, *part.names * len(more)],
        item=[*part.item, *more],
        scores={name: [*scores, *rest] for name, scores in part.scores.items()},
        notes=(*part.notes, f"{source.system} has no results for {none}"),
    )


def _one_way(metric: str, parts: Sequence[Results]) -> bool | None:
    """Return the way that a metric is better, which must be one; None where nobody says it."""
    ways = {part.higher_is_better.get(metric) for part in parts}
    if len(ways) == 1:
        return ways.pop()
    first, *others = ((part.higher_is_better.get(metric), part.names[0]) for part in parts)
    other = next(name for way, name in others if way != first[0])
    raise ResultsError(
        f"which way {metric} is better differs between {first[1]} and {other}, or it was "
        "negated in one of them: give all results one sign."
    )


def _refuse_twice(parts: Sequence[Results]) -> None:
    (twice, count), *_ = Counter(name for part in parts for name in part.names).most_common(1)
    if count > 1:
        sources = [each for part in parts for each in part.sources if each.path]
        where = f" ({', '.join(each.path for each in sources)})" if sources else ""
        own = [each.path for each in sources if each.system == twice]
        first, second, *_ = *own, "first.json", "second.json"
        raise ResultsError(
            f"two results are of a system called {twice!r}{where}: give them names, as in "
            f"read_results({{'old': {first!r}, 'new': {second!r}}})."
        )


def _refuse_copies(parts: Sequence[Results]) -> None:
    """Refuse a run under two names. Scored anew it is not the same, and may be compared."""
    known: dict[tuple[str, ...], Results] = {}
    for part in parts:
        for source in part.sources:
            run = source.run or source.created
            key = (source.format, source.task, run)
            first = known.setdefault(key, part) if run else part
            if first is not part and _rows(first) == _rows(part):
                names = f"{first.names[0]!r} and {part.names[0]!r}"
                raise ResultsError(f"{names} are the same run ({run}), compared with itself.")


def _rows(part: Results) -> list[tuple[str, ...]]:
    """Items with their scores, whatever the system is called."""
    columns = [part.item, [""] * len(part) if part.repeat is None else part.repeat]
    columns += [list(map(str, part.scores[name].tolist())) for name in sorted(part.metrics)]
    return sorted(zip(*columns, strict=True))


def differences(sources: Iterable[Source]) -> Iterator[tuple[str, str, str]]:
    """Yield in what evaluations differ: its kind, what it is called, and who has what."""
    known: dict[tuple[str, str], tuple[str, str]] = {}
    for source in sources:
        facts = {("task", "tasks"): source.task}
        facts["version", "versions of the task"] = source.version
        facts |= {("settings", name): value for name, value in source.settings.items()}
        for what, fact in facts.items():
            if not fact:
                continue
            system, first = known.setdefault(what, (source.system, fact))
            if first != fact:
                yield *what, f"{system!r} of {first!r}, {source.system!r} of {fact!r}"


def _refuse_other_content(results: Results) -> None:
    if results.content is None:
        return
    pairs = dict.fromkeys(zip(results.item.tolist(), results.content.tolist(), strict=True))
    other = [item for item, n in Counter(item for item, _ in pairs).items() if n > 1]
    if other:
        raise ResultsError(
            f"{len(other)} of {len(results.items)} items have one name and different content: "
            f"{listed(map(repr, other))}. The systems did not answer the same questions. "
            "If the content may differ, pass allow='content'."
        )


def check_in_common(results: Results, allow: Iterable[str]) -> None:
    """Refuse systems of which most results would be thrown away, since items have no partner.

    Two systems belong together if half of the items of the one that has fewer are items of
    the other too, and so do those that belong to a third. What is missing counts as no item.
    Seeds of several systems have no partners.
    """
    if "items" in allow or len(results.names) < 2 or results.unit == "seed":
        return
    known = ~np.all([np.isnan(values) for values in results.scores.values()], axis=0)
    of_system: dict[str, set[str]] = {name: set() for name in results.names}
    for system, item in zip(results.system[known], results.item[known], strict=True):
        of_system[system].add(item)
    # Systems with the same items are many, and one stands for all of them.
    first: dict[frozenset[str], str] = {}
    for name, items in of_system.items():
        if items:
            first.setdefault(frozenset(items), name)
    reached, left = list(first)[:1], list(first)[1:]
    for near in reached:  # of which there are more and more
        reached += [
            items
            for items in left
            if len(items & near) >= _LEAST_SHARE * min(len(items), len(near))
        ]
        left = [items for items in left if items not in reached]
    if not left:
        return
    one = max(reached, key=lambda items: len(items & left[0]))
    a, b, common = first[one], first[left[0]], len(one & left[0])
    if not common and "task" in allow:
        return  # other tasks have other items; nothing is compared where none has a partner
    how = " To compare by those all the same, pass allow='items'." if common else ""
    raise ResultsError(
        f"{a!r} has scores on {len(one)} items and {b!r} on {len(left[0])}, and "
        f"{common or 'none'} of them {'is' if common == 1 else 'are'} the same: most results "
        f"have no partner. Only {a!r} has {min(one - left[0])!r}, and only {b!r} has "
        f"{min(left[0] - one)!r}.{how}"
    )


def gaps_of(results: Results) -> Iterator[tuple[str, str, list[str], int]]:
    """Yield a metric, a system without scores on items that others have some on, and these.

    Behind them stands how many items have any score.
    """
    for metric, values in results.scores.items():
        scored = ~np.isnan(values)
        of_any = dict.fromkeys(results.item[scored].tolist())
        for name in results.names:
            own = set(results.item[(results.system == name) & scored].tolist())
            if lacking := [item for item in of_any if item not in own]:
                yield metric, name, lacking, len(of_any)
