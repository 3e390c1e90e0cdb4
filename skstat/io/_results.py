"""Results of evaluations: one row per system, item and repeat, and what is known of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import itemgetter
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skstat._columns import coded
from skstat._directions import decide, direction_of
from skstat.stats._procedure import check_choice
from skstat.stats._read import read_numbers, refuse_masked
from skstat.stats._scores import UNITS, Unit

# Columns that every format has.
_LABELS = ("system", "item", "repeat", "content")


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
        known = dict(filter(itemgetter(1), asdict(self).items()))
        return {**known, "system": self.system, "format": self.format}


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
        kept = vars(self)  # what the caller gave, which is replaced by what was read of it
        rows: dict[tuple[str, str], NDArray[Any]] = {}
        for name in _LABELS:
            if kept[name] is None:
                continue
            # Beside others NumPy would make floats of whole numbers, and long ones equal.
            values = self._column(name, kept[name], object).tolist()
            for row, value in enumerate(values):
                if value is None or value != value:  # nan
                    raise ValueError(f"{name} is missing in row {row}, counted from 0.")
            kept[name] = np.array(list(map(str, values)), dtype=object)
            rows["labels", name] = kept[name]
        for kind, dtype in (("columns", None), ("scores", float)):
            given, kept[kind] = dict(kept[kind]), {}
            for name, own in given.items():
                read = self._column(f"{kind}[{name!r}]", own, dtype)
                kept[kind][str(name)] = rows[kind, str(name)] = read
        kept["rows"] = rows
        if not self.scores or not len(self.system):
            raise ValueError("results hold no scores: there is nothing to compare.")
        for name in ("sources", "notes", "left_out"):
            kept[name] = tuple(kept[name])
        said = self.higher_is_better
        ways = dict(zip(map(str, said), map(bool, said.values()), strict=True))
        for name, up in ways.items():
            if up != direction_of(name):  # else it may be left from scores that were replaced
                _refuse_unknown("higher_is_better", [name], self.scores)
        known: dict[str, bool] = {}
        for name, own in self.scores.items():
            way = decide(name, own)
            if name in ways or not way.assumed:
                known[name] = ways.get(name, way.higher)
        kept["higher_is_better"] = known
        (names, system), (items, item) = coded(self.system), coded(self.item)
        kept |= {"names": tuple(names), "items": tuple(items), "metrics": tuple(self.scores)}
        kept["numbered"] = system, item
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
        return self.of_rows(
            {key: own[chosen] for key, own in self.rows.items()}, sources=sources
        )

    def of_rows(self, rows: Mapping[tuple[str, str], Any], **known: Any) -> Self:
        """Return the same results of other rows, see :attr:`rows`."""
        found: dict[str, Any] = {"labels": dict.fromkeys(_LABELS), "columns": {}, "scores": {}}
        for (kind, name), own in rows.items():
            found[kind][name] = own
        return replace(self, **found.pop("labels"), **found, **known)

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
        found = self
        if metrics is not None:
            _refuse_unknown("metrics", metrics, self.metrics)
            kept = {name: up for name, up in self.higher_is_better.items() if name in metrics}
            scores = {name: self.scores[name] for name in metrics}
            found = replace(found, scores=scores, higher_is_better=kept)
        if systems is not None:
            _refuse_unknown("systems", systems, self.names)
            found = found.rows_where(np.isin(found.system, np.array(systems, dtype=object)))
        return found

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
        called = [names.get(name, name) for name in self.system.tolist()]
        sources = tuple(
            replace(source, system=names[source.system], named=source.named or source.system)
            if source.system in names
            else source
            for source in self.sources
        )
        return replace(self, system=called, sources=sources)

    def to_frame(self) -> Any:
        """Return a pandas DataFrame with one row per result.

        Returns
        -------
        pandas.DataFrame
            The columns system, item, repeat, content (where known), those of `columns`, and
            the scores.
        """
        import pandas as pd

        return pd.DataFrame({name: own for (_, name), own in self.rows.items()})

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


def _refuse_unknown(argument: str, asked: Iterable[str], known: Collection[str]) -> None:
    for name in asked:
        if name not in known:
            raise ValueError(
                f"{argument} names {name!r}, which is unknown; there are {', '.join(known)}."
            )
