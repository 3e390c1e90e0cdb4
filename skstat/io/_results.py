"""Results of evaluations: one row per system, item and repeat, and what is known of them.

Results of several logs become one: they are paired by item, and must be of one task.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat._columns import coded
from skstat._directions import decide, direction_of
from skstat._names import listed, no_command, one_line
from skstat.stats._procedure import check_choice
from skstat.stats._read import read_numbers, refuse_masked
from skstat.stats._scores import UNITS, Unit

_ALLOWED = ("version", "task", "content", "items", "unfinished", "settings")
# Of the items of the system that has fewer, those that another one has too.
_LEAST_SHARE = 0.5
# Columns that every format has.
_LABELS = ("system", "item", "repeat", "content")


class ResultsError(ValueError):
    """Results cannot be read, or do not belong together."""

    def __init__(self, message: str) -> None:
        # Names in a file may hold what a terminal or a build server takes for a command.
        super().__init__(no_command(message if message.isprintable() else one_line(message)))


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where the results of one system came from.

    Parameters
    ----------
    system : str
        The system.
    format : str
        Name of the format, such as ``"inspect"``.
    path : str, default=""
        File or folder that was read, as the caller wrote it; empty for an object in memory.
    task : str, default=""
        Task, benchmark or data set, as the log calls it.
    version : str, default=""
        Version of the task.
    created : str, default=""
        When the results were made, as the log writes it.
    n_expected : int or None, default=None
        Items that the task has, where the log tells. Fewer were evaluated where a limit was
        set.
    score_left_out : float or None, default=None
        Score of the items that the log has no line for, where it says so by its means and by
        ``n_expected``: 0 of topics that a run returned nothing for.
    run : str, default=""
        The tool's own name of the run, by which a copy of a log is known.
    named : str, default=""
        The system's name in the file, where it was given another one.
    settings : mapping of str to str, default={}
        How the task was asked, which must be the same for all systems: examples in the
        prompt, arguments of the task. What only one of two logs tells is not compared.

    Examples
    --------
    >>> from skstat.io import Source
    >>> Source(system="gpt", format="inspect", task="popularity", version="2").task
    'popularity'
    """

    system: str
    format: str
    path: str = ""
    task: str = ""
    version: str = ""
    created: str = ""
    n_expected: int | None = None
    score_left_out: float | None = None
    run: str = ""
    named: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return what is known, as plain values."""
        facts = {name: value for name, value in asdict(self).items() if value}
        return {**facts, "system": self.system, "format": self.format}


@dataclass(frozen=True, kw_only=True, eq=False)
class Results:
    """Results of systems on items, one row per system, item and repeat.

    It is what every reader of :mod:`skstat.io` makes, and what
    :func:`skstat.compare_scores` takes. Rows may stand in any order.

    Parameters
    ----------
    system : array-like of str, shape (n_rows,)
        Whose result a row is.
    item : array-like of str, shape (n_rows,)
        What it is on: a question, a document, a data set, a split.
    scores : mapping of str to array-like of shape (n_rows,)
        The scores, by metric, as the log has them; nan where there is none.
    repeat : array-like of str of shape (n_rows,), optional
        Which of several results of the system on the item: an epoch, a sample, a seed.
    columns : mapping of str to array-like of shape (n_rows,), optional
        What else is known of the rows, such as the topic of a question.
    content : array-like of str of shape (n_rows,), optional
        Digest of what the item is. Items of one name and different content are two items.
    higher_is_better : mapping of str to bool, optional
        Whether higher is better, by metric. Of those that are not named the name decides:
        lower is better of an error, a cost or a time. One whose name does not say is left out.
    unit : {"instance", "dataset", "split", "seed", "group"}, default="instance"
        What an item is.
    sources : sequence of Source, optional
        Where the rows came from.
    notes : sequence of str, optional
        What was taken for something as the rows were read: reports say so.
    left_out : sequence of str, optional
        Columns of numbers that were not taken for scores: reports say so too.

    Attributes
    ----------
    names, items : tuple of str
        The systems, and the items, in the order of their first row.
    metrics : tuple of str
        Names of the scores.
    rows : dict of (str, str) to ndarray
        What is known of every row, by kind (labels, scores, columns) and name.
    numbered : tuple of ndarray
        The number of every row's system, and of its item.

    Raises
    ------
    ValueError
        If lengths differ, a name is missing, or a system has two rows of one item and repeat.

    Examples
    --------
    >>> from skstat.io import Results
    >>> results = Results(
    ...     system=["a", "a", "b", "b"], item=["q1", "q2", "q1", "q2"],
    ...     scores={"correct": [1, 0, 1, 1]}, columns={"topic": ["x", "y", "x", "y"]},
    ... )
    >>> results.names, results.items, results.metrics
    (('a', 'b'), ('q1', 'q2'), ('correct',))
    """

    system: Any
    item: Any
    scores: Any
    repeat: Any = None
    columns: Any = field(default_factory=dict)
    content: Any = None
    higher_is_better: Mapping[str, bool] = field(default_factory=dict)
    unit: Unit = "instance"
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    names: tuple[str, ...] = field(init=False)
    items: tuple[str, ...] = field(init=False)
    metrics: tuple[str, ...] = field(init=False)
    rows: dict[tuple[str, str], NDArray[Any]] = field(init=False)
    numbered: tuple[NDArray[np.intp], NDArray[np.intp]] = field(init=False)

    def __post_init__(self) -> None:
        check_choice("unit", self.unit, UNITS)
        fields = vars(self)  # what the caller gave, which is replaced by what was read of it
        rows: dict[tuple[str, str], NDArray[Any]] = {}
        for name in _LABELS:
            if fields[name] is None:
                continue
            # Beside others NumPy would make floats of whole numbers, and long ones equal.
            values = self._column(name, fields[name], object).tolist()
            for row, value in enumerate(values):
                if value is None or value != value:  # nan
                    raise ValueError(f"{name} is missing in row {row}, counted from 0.")
            fields[name] = np.array(list(map(str, values)), dtype=object)
            rows["labels", name] = fields[name]
        for kind, dtype in (("columns", None), ("scores", float)):
            given, fields[kind] = dict(fields[kind]), {}
            for name, own in given.items():
                array = self._column(f"{kind}[{name!r}]", own, dtype)
                fields[kind][str(name)] = rows[kind, str(name)] = array
        fields["rows"] = rows
        if not self.scores or not len(self.system):
            raise ValueError("results hold no scores: there is nothing to compare.")
        for name in ("sources", "notes", "left_out"):
            fields[name] = tuple(fields[name])
        stated = self.higher_is_better
        ways = dict(zip(map(str, stated), map(bool, stated.values()), strict=True))
        for name, up in ways.items():
            if up != direction_of(name):  # else it may be left from scores that were replaced
                _refuse_unknown("higher_is_better", [name], self.scores)
        directions: dict[str, bool] = {}
        for name, own in self.scores.items():
            way = decide(name, own)
            if name in ways or not way.assumed:
                directions[name] = ways.get(name, way.higher)
        fields["higher_is_better"] = directions
        (names, system), (items, item) = coded(self.system), coded(self.item)
        fields |= {"names": tuple(names), "items": tuple(items), "metrics": tuple(self.scores)}
        fields["numbered"] = system, item
        cell = system * len(items) + item
        if self.repeat is not None:
            repeats, repeat = coded(self.repeat)
            cell = np.unique(cell, return_inverse=True)[1] * len(repeats) + repeat
        _, first, n_rows = np.unique(cell, return_index=True, return_counts=True)
        if n_rows.max() > 1:
            row = first[n_rows == n_rows.max()].min()
            which = "" if self.repeat is None else f", repeat {self.repeat[row]!r}"
            raise ValueError(
                f"{self.system[row]!r} has two results on item {self.item[row]!r}{which}. If "
                "they are repeats, name the column of repeats; else leave one of them out."
            )

    def __len__(self) -> int:
        return len(self.system)

    def rows_where(self, chosen: NDArray[np.bool_]) -> Self:
        """Return some of the rows.

        Parameters
        ----------
        chosen : ndarray of bool, shape (n_rows,)
            Which rows.

        Returns
        -------
        Results
            Those rows, with the sources of the systems that are left.
        """
        left = set(self.system[chosen].tolist())
        sources = tuple(source for source in self.sources if source.system in left)
        rows = {key: values[chosen] for key, values in self.rows.items()}
        return self.of_rows(rows, sources=sources)

    def of_rows(self, rows: Mapping[tuple[str, str], Any], **facts: Any) -> Self:
        """Return the same results of other rows, see :attr:`rows`."""
        fields: dict[str, Any] = {"labels": dict.fromkeys(_LABELS), "columns": {}, "scores": {}}
        for (kind, name), values in rows.items():
            fields[kind][name] = values
        return replace(self, **fields.pop("labels"), **fields, **facts)

    def take(
        self, *, systems: Sequence[str] | None = None, metrics: Sequence[str] | None = None
    ) -> Self:
        """Return the results of some systems, by some metrics.

        Parameters
        ----------
        systems, metrics : sequence of str, optional
            Names; default all.

        Returns
        -------
        Results
            Their rows.
        """
        part = self
        if metrics is not None:
            _refuse_unknown("metrics", metrics, self.metrics)
            ways = {name: up for name, up in self.higher_is_better.items() if name in metrics}
            scores = {name: self.scores[name] for name in metrics}
            part = replace(part, scores=scores, higher_is_better=ways)
        if systems is not None:
            _refuse_unknown("systems", systems, self.names)
            part = part.rows_where(np.isin(part.system, np.array(systems, dtype=object)))
        return part

    def renamed(self, names: Mapping[str, str]) -> Self:
        """Return the same results under other names of systems.

        Parameters
        ----------
        names : mapping of str to str
            New names by old ones.

        Returns
        -------
        Results
            The same rows.
        """
        _refuse_unknown("names", names, self.names)
        renamed = [names.get(name, name) for name in self.system.tolist()]
        sources = tuple(
            replace(source, system=names[source.system], named=source.named or source.system)
            if source.system in names
            else source
            for source in self.sources
        )
        return replace(self, system=renamed, sources=sources)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per result.

        Returns
        -------
        pandas.DataFrame
            The columns system, item, repeat, content (where known), those of `columns`, and
            the scores.
        """
        import pandas as pd

        return pd.DataFrame({name: values for (_, name), values in self.rows.items()})

    def __repr__(self) -> str:
        n, k = len(self.items), len(self.names)
        what = f"{k} system{'s' * (k != 1)} on {n} item{'s' * (n != 1)}"
        return f"<Results of {what}: {', '.join(self.metrics)}>"

    def _column(self, name: str, given: Any, dtype: Any = None) -> NDArray[Any]:
        refuse_masked(name, given)
        values = read_numbers(name, given) if dtype is float else np.asarray(given, dtype)
        n_rows = len(np.asarray(self.system))
        if values.shape != (n_rows,):
            raise ValueError(f"{name} has shape {values.shape}, and there are {n_rows} rows.")
        return values


def _refuse_unknown(argument: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise ValueError(f"{argument} names {name!r}; there are {', '.join(known)}.")


def check_allowed(allow: Iterable[str]) -> tuple[str, ...]:
    """Refuse what `allow` does not know."""
    allowed = (allow,) if isinstance(allow, str) else tuple(allow)
    for name in allowed:
        check_choice("allow", name, _ALLOWED)
    return allowed


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
    return joined(list(parts), check_allowed(allow))


def joined(parts: Sequence[Results], allowed: Sequence[str]) -> Results:
    """Join results, see :func:`join_results`; what may differ was checked."""
    if not parts:
        raise ResultsError("there are no results to join.")
    if len(parts) < 2:
        check_in_common(parts[0], allowed)
        return parts[0]
    sources = tuple(source for part in parts for source in part.sources)
    _refuse_twice([name for part in parts for name in part.names], sources)
    if any(source.score_left_out is not None for source in sources):
        parts = _with_items_left_out(parts, sources)
    first, every = parts[0], list[dict[tuple[str, str], Any]]()
    notes, left_out = dict[str, None](), dict[str, None]()
    for part in parts:
        if part.unit != first.unit:
            raise ResultsError(
                f"some results have a row per {first.unit}, and others per {part.unit}."
            )
        every.append(dict(part.rows))
        notes |= dict.fromkeys(part.notes)
        left_out |= dict.fromkeys(part.left_out)
    _refuse_copies(parts)
    for kind, name, each in differences(sources):
        if kind not in allowed:
            what = f"settings ({name})" if kind == "settings" else name
            raise ResultsError(
                f"the results are of different {what}: {each}. If they may be compared all "
                f"the same, pass allow={kind!r}."
            )
    # Where some have several results of an item, every row of the others is the first.
    if ("labels", "repeat") in set().union(*every):
        for part, rows in zip(parts, every, strict=True):
            rows.setdefault(("labels", "repeat"), np.full(len(part), "1", dtype=object))
    shared = set(every[0]).intersection(*every)
    stacked, ways = {}, dict[str, bool]()
    for kind, name in (column for column in every[0] if column in shared):
        arrays = [rows[kind, name] for rows in every]
        dtype = float if kind == "scores" else object
        stacked[kind, name] = np.concatenate(arrays, dtype=dtype)
        if kind == "scores":
            ways |= _one_way(name, parts)
    if all(kind != "scores" for kind, _ in stacked):
        have = "; ".join(f"{', '.join(p.names)}: {', '.join(p.metrics)}" for p in parts)
        raise ResultsError(f"the results have no metric in common ({have}).")
    results = first.of_rows(
        stacked, higher_is_better=ways, sources=sources, notes=notes, left_out=left_out
    )
    if "content" not in allowed and results.content is not None:
        _refuse_other_content(results)
    check_in_common(results, allowed)
    return results


def _with_items_left_out(
    parts: Sequence[Results], sources: Sequence[Source]
) -> Sequence[Results]:
    """Give items that a log has no line for, and a score by its means, the names in others."""
    items = dict.fromkeys(item for part in parts for item in part.items)
    # Those that nobody has a line for are alike for all.
    counts = {source.n_expected or 0 for source in sources}
    n_lost = max(counts) - len(items) if len(counts) == 1 else 0
    every = [*items, *(f"no results ({k})" for k in range(1, n_lost + 1))]
    completed = []
    for part in parts:
        (source,) = part.sources if len(part.sources) == 1 else (None,)
        if source is not None and source.score_left_out is not None:
            present = set(part.items)
            missing = [item for item in every if item not in present]
            if len(present) + len(missing) != source.n_expected:
                raise ResultsError(
                    f"{source.system!r} was evaluated on {source.n_expected} topics and has "
                    f"lines of {len(present)}, and others have {len(missing)} more: which "
                    "have the score 0 cannot be told. Evaluate all runs with the same qrels."
                )
            rest = [source.score_left_out] * len(missing)
            note = f"{source.system} has no results for {len(missing)} topics, which score 0"
            part = replace(
                part,
                system=[*part.system, *part.names * len(missing)],
                item=[*part.item, *missing],
                scores={name: [*scores, *rest] for name, scores in part.scores.items()},
                notes=(*part.notes, note),
            )
        completed.append(part)
    return completed


def _one_way(metric: str, parts: Sequence[Results]) -> dict[str, bool]:
    """Return the way that a metric is better, which must be one, where somebody says it."""
    ways: dict[bool | None, str] = {}
    for part in parts:
        ways.setdefault(part.higher_is_better.get(metric), part.names[0])
    if len(ways) > 1:
        one, other, *_ = ways.values()
        raise ResultsError(
            f"which way {metric} is better differs between {one} and {other}, or it was "
            "negated in one of them: give all results one sign."
        )
    way = next(iter(ways))
    return {} if way is None else {metric: way}


def _refuse_twice(names: Sequence[str], sources: Sequence[Source]) -> None:
    (twice, count), *_ = Counter(names).most_common(1)
    if count > 1:
        sources = [each for each in sources if each.path]
        where = f" ({', '.join(each.path for each in sources)})" if sources else ""
        paths = [each.path for each in sources if each.system == twice]
        first, second, *_ = *paths, "first.json", "second.json"
        raise ResultsError(
            f"two results are of a system called {twice!r}{where}: give them names, as in "
            f"read_results({{'old': {first!r}, 'new': {second!r}}})."
        )


def _refuse_copies(parts: Sequence[Results]) -> None:
    """Refuse a run under two names. Scored anew it is not the same, and may be compared."""
    by_run: dict[tuple[str, ...], Results] = {}
    for part in parts:
        for source in part.sources:
            run = source.run or source.created
            key = (source.format, source.task, run)
            first = by_run.setdefault(key, part) if run else part
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
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for source in sources:
        facts = {("task", "tasks"): source.task}
        facts["version", "versions of the task"] = source.version
        for name, value in source.settings.items():
            facts["settings", name] = value
        for what in filter(facts.get, facts):
            fact = facts[what]
            system, first = seen.setdefault(what, (source.system, fact))
            if first != fact:
                yield *what, f"{system!r} of {first!r}, {source.system!r} of {fact!r}"


def _refuse_other_content(results: Results) -> None:
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
    scored = ~np.isnan(list(results.scores.values())).all(axis=0)
    system, item = results.numbered
    has = np.zeros((len(results.names), len(results.items)), dtype=bool)
    has[system[scored], item[scored]] = True
    sizes = has.sum(axis=1)
    # Systems with the same items are many, and one stands for all of them.
    left = np.sort(np.unique(has, axis=0, return_index=True)[1])
    left = left[sizes[left] > 0]
    reached, left = left[:1].tolist(), left[1:]
    for near in reached:  # of which there are more and more
        enough = _LEAST_SHARE * np.minimum(sizes[left], sizes[near])
        close = (has[left] & has[near]).sum(axis=1) >= enough
        reached += left[close].tolist()
        left = left[~close]
    if not len(left):
        return
    b = int(left[0])
    common = (has[reached] & has[b]).sum(axis=1)
    a, n = reached[int(common.argmax())], int(common.max())
    if not n and "task" in allow:
        return  # other tasks have other items; nothing is compared where none has a partner
    how = " To compare by those all the same, pass allow='items'." if n else ""
    items = np.array(results.items, dtype=object)
    one, other = results.names[a], results.names[b]
    s = "" if sizes[a] == 1 else "s"
    raise ResultsError(
        f"{one!r} has scores on {sizes[a]} item{s} and {other!r} on {sizes[b]}, and "
        f"{n or 'none'} of them {'is' if n == 1 else 'are'} the same: most results have no "
        f"partner. Only {one!r} has {min(items[has[a] & ~has[b]])!r}, and only {other!r} has "
        f"{min(items[has[b] & ~has[a]])!r}.{how}"
    )


def gaps_of(results: Results) -> Iterator[tuple[str, str, list[str], int]]:
    """Yield a metric, a system without scores on items that others have some on, and these.

    Behind them stands how many items have any score.
    """
    for metric, values in results.scores.items():
        scored = ~np.isnan(values)
        of_any = dict.fromkeys(results.item[scored].tolist())
        for name in results.names:
            present = set(results.item[(results.system == name) & scored].tolist())
            if lacking := [item for item in of_any if item not in present]:
                yield metric, name, lacking, len(of_any)
