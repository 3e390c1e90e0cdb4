"""Read results from logs and tables, of one system or of several."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from typing import Any

from skstat._columns import read_name
from skstat._directions import direction_of, read_directions
from skstat._names import listed
from skstat.io._formats import Given, format_of, reading, recognised
from skstat.io._results import Results, ResultsError, check_allowed, joined
from skstat.stats._procedure import check_choice

# More words than these are answers, not grades.
_MOST_GRADES = 7


def _check_score_is_left(parts: Sequence[Results], joined: Results) -> None:
    """Refuse errors, costs and times only, where something else looks like the score.

    It is a score that not all parts have, or a column of words that grades the systems.
    """
    left = ", ".join(joined.metrics)
    say_so = f"say so: columns={{'score': {joined.metrics[0]!r}}}."
    for part in parts:
        for score in part.metrics:
            if direction_of(score) is True:
                raise ResultsError(
                    f"{score} looks like the score of {', '.join(part.names)}, and not all "
                    f"results have it, but {left}. If that is to be compared, {say_so}"
                )
    for name in joined.columns:
        words = [] if read_name(name).is_no_score else _grades(joined, name)
        if words:
            raise ResultsError(
                f"{name!r} may be the score: it holds {', '.join(map(repr, words))}, and "
                "differs between systems on one item. Write numbers for these words, such as 1 "
                f"and 0. What is left is {left}; if that is to be compared, {say_so}"
            )


def _grades(results: Results, column: str) -> list[str]:
    """Return the words of a column, if they are few and differ between systems on one item."""
    cells: list[Any] = results.columns[column].tolist()
    words = list(dict.fromkeys(cells))[: _MOST_GRADES + 1]
    if not (1 < len(words) <= _MOST_GRADES and all(isinstance(word, str) for word in words)):
        return []
    of_system: dict[tuple[str, str], set[str]] = defaultdict(set)
    for system, item, word in zip(results.system, results.item, cells, strict=True):
        of_system[item, system].add(word)
    first: dict[str, set[str]] = {}
    differ = any(first.setdefault(key[0], used) != used for key, used in of_system.items())
    return words if differ else []


_ROLES = ("system", "item", "repeat", "score", "systems")


def read_results(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002 (as pandas, polars and Pillow call it)
    columns: Mapping[str, Any] | None = None,
    allow: Iterable[str] = (),
    higher_is_better: bool | Mapping[str, bool] | None = None,
) -> Results:
    """Read the results of one system or more from logs of evaluations.

    Parameters
    ----------
    source : path, object, or a list or mapping of them
        A file, a folder, or an object in memory that holds results. A mapping gives the
        systems names: ``{"old": "first.eval", "new": "second.eval"}``.
    format : str, optional
        The format, where it is not to be found out.
    columns : mapping of str to str or list of str, optional
        Columns of a table by role, where they have other names than usual:
        ``{"system": "model", "item": "question", "repeat": "sample", "score": "judge"}``.
        Several may name the item together: ``["repeat", "fold"]``. What one item is, the name
        of its column says: of a fold it is a split, whose scores are compared as such.
    allow : sequence of {"version", "task", "content", "items", "unfinished", "settings"}, \
default=()
        What may differ between logs, or be incomplete. It is refused otherwise.
    higher_is_better : bool or mapping of str to bool, optional
        Which way the scores are better, of all metrics or by name. Where it is not said, the
        log decides, or else the name of the metric: lower is better of an error, a cost or a
        time.

    Returns
    -------
    Results
        One row per system, item and repeat.

    Raises
    ------
    ResultsError
        If a file cannot be read, is damaged or unfinished, or results do not belong together.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from skstat.io import read_results
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "answers.csv")
    ...     rows = ["model,question,correct", "a,q1,1", "a,q2,0", "b,q1,1", "b,q2,1"]
    ...     _ = path.write_text(chr(10).join(rows))
    ...     results = read_results(path)
    >>> results
    <Results of 2 systems on 2 items: correct>
    """
    try:
        results = read_sources(source, format, columns, allow)
        stated = read_directions(higher_is_better, results.metrics)
    except ValueError as error:
        raise ResultsError(str(error)) from error
    return replace(results, higher_is_better={**results.higher_is_better, **stated})


def read_sources(
    source: Any,
    format: str | None,  # noqa: A002
    columns: Mapping[str, Any] | None,
    allow: Iterable[str],
    *,
    alone: bool = False,
) -> Results:
    """Read one source, or join several, see :func:`read_results`.

    Columns of items are those of systems where they stand alone, and no metric has their names.
    """
    if isinstance(source, Results):
        return source
    allowed, roles = check_allowed(allow), _check_roles(columns) if columns else {}
    each: Iterable[tuple[Any, Any]] = [(None, source)]
    # Some tools return their results as a dictionary: that one is not of names.
    if isinstance(source, Mapping) and recognised(Given(source)) is None:
        _refuse_one_file(source)
        each = zip(map(str, source), source.values(), strict=True)
    elif isinstance(source, list | tuple):
        each = zip(repeat(None), source, strict=False)
    parts: list[Results] = []
    for name, what in each:
        parts += _parts(Given(what, format or "", name, allowed, roles, alone))
    results = joined(parts, allowed)
    if "score" not in roles and {*map(direction_of, results.metrics)} == {False}:
        _check_score_is_left(parts, results)
    return results


def _parts(given: Given) -> Sequence[Results]:
    """Read the results of a source, under the name that the caller has for it."""
    parts: Sequence[Results] = [given.what]
    if not isinstance(given.what, Results):
        with reading(given.where):
            reader = format_of(given)
            try:
                parts = reader.read(replace(given, format=reader.name))
            except (TypeError, AttributeError, AssertionError) as error:
                if not given.format or reader.knows(given):
                    raise
                raise ResultsError(
                    f"{given.where} is not in the format {reader.name!r}, which is that of "
                    f"{reader.of}: leave format= out to have it recognised."
                ) from error
    if given.system is None:
        return parts
    names = list(dict.fromkeys(name for part in parts for name in part.names))
    if names == [given.system]:
        return parts
    if len(names) > 1:
        raise ResultsError(
            f"{given.system!r} stands for several systems ({listed(names)}), which cannot have "
            "one name: leave the name out, or name their files one by one."
        )
    return [part.renamed({names[0]: given.system}) for part in parts]


def _check_roles(columns: Mapping[str, Any]) -> dict[str, Any]:
    """Refuse a role that no format reads: what it was meant for would be guessed."""
    if not isinstance(columns, Mapping):
        raise ResultsError(f"columns={columns!r} must map roles to columns: {{'item': 'id'}}.")
    roles = {role: named for role, named in columns.items() if named is not None}
    for role, named in roles.items():
        check_choice("columns: the role", role, _ROLES)
        if not isinstance(named, str):
            roles[role] = list(named) if isinstance(named, Iterable) else []
        if not roles[role]:
            raise ResultsError(f"columns[{role!r}]={named!r} must name a column, or several.")
    return roles


def _refuse_one_file(sources: Mapping[Any, Any]) -> None:
    seen: dict[Path, Any] = {}
    for name, what in sources.items():
        if isinstance(what, str | Path):
            first = seen.setdefault(Path(what).resolve(), name)
            if first != name:
                raise ResultsError(f"{first!r} and {name!r} are one file, {what}.")
