"""Results, one row per system, item and repeat: paired by item, with repeats and groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import SIZES, are_folds, in_order, kind_of, size_of
from skstat._names import listed
from skstat.comparison._score_readers.description import Description, GivenSamples, Sample
from skstat.comparison._score_readers.items import (
    Aggregate,
    aggregate_named,
    design_of,
    has_scores,
    rows_compared,
    said_of_few,
    span,
    with_shares,
    words_of_groups,
)
from skstat.comparison._score_readers.provenance import facts_of, notes_of, unused_groups
from skstat.io import Results
from skstat.report._doubts import Facts
from skstat.stats import ClusteredScoreTable, Scores, ScoreTable, SeedScoreTable
from skstat.stats._common import is_missing, read_numbers
from skstat.stats._estimates import variance_shares
from skstat.stats._samples import group_codes

Numbers = NDArray[np.float64]
# Kind of the design by the unit, and what one of it is called.
_WORDS = {
    "instance": ("one set of items", "item"),
    "dataset": ("a table of data sets", "data set"),
    "seed": ("scores of seeds", "seed"),
    "split": ("scores of splits", "split"),
}


def read_logged(scores: Any, described: Description) -> GivenSamples | None:
    """Read results that a log, or a frame with a row per result, holds."""
    if not isinstance(scores, Results):
        return None
    described.refuse_bare(scores)
    return samples_of(scores, described)


def samples_of(results: Results, described: Description) -> GivenSamples:
    """Make a sample of every metric, of the items that all systems to compare have."""
    names = described.chosen(results.names)
    asked = _metrics(results, described)
    if names != results.names:
        results = results.take(systems=names)
    row_items = results.item.tolist()
    compared, said_of_rows = rows_compared(results)
    if not compared.all():
        results = results.rows_where(compared)
        if described.groups is not None and len(described.groups) == len(compared):
            described = replace(described, groups=np.asarray(described.groups)[compared])
    unit = results.unit if described.unit is None else described.unit
    described.check_paired_seeds(unit)
    cells = Cells(results, names)
    groups = cells.groups(described.group, described.groups)
    tasks = None if described.task is None else cells.labels("task", described.task)
    cut_by = {name: np.asarray(cells.column("by", name)) for name in described.by or ()}
    if groups is not None and unit != "instance":
        raise ValueError(
            f"groups are of instances, and unit={unit!r}; leave one of them out, or average "
            "the scores of a group."
        )
    aggregate = aggregate_named(described.aggregate)
    given = {name: value for name, value in described.units.items() if value is not None}
    units = given | {"unit": unit}
    tables = {metric: cells.table(metric, aggregate) for metric in asked}
    used = {described.group, described.task, *(described.by or ()), *asked}
    numbers = [name for name in results.left_out if name not in used]
    said_of_rows += [f"not taken for scores: {listed(numbers)}"] if numbers else []
    provenance = facts_of(results, names, tables)
    found: dict[str, Sample] = {}
    facts: dict[str, Facts] = {}
    designs: dict[str, dict[str, Any]] = {}
    of_items: dict[str, Any] = {}
    slices: dict[str, dict[str, Any]] = {}
    items: dict[str, list[str]] = {}
    for metric, values in tables.items():
        kept = _kept(values, unit, cells, metric)
        sizes, said = cells.facts_of_splits(kept, described) if unit == "split" else ({}, "")
        own_groups = None if groups is None else group_codes(groups[kept], int(kept.sum()))
        items[metric] = [results.items[place] for place in np.flatnonzero(kept)]
        sample = _sample(
            values[kept],
            names,
            items[metric],
            own_groups,
            sizes | units,
            described,
        )
        found[metric] = sample
        few = [results.items[place] for place in np.flatnonzero(~kept)]
        few = few if unit == "dataset" else []
        read = [*filter(None, (said, *results.notes)), *said_of_rows, *said_of_few(few)]
        if unit == "instance" or results.sources or read:
            n_scored = int((~np.isnan(values)).any(axis=1).sum())
            designs[metric] = cells.design(groups, aggregate, unit, n_scored)
        elif unit == "split":
            designs[metric] = design_of(sample)
        if read:
            designs[metric]["read"] = read
        if unit == "instance" and len(names) > 1 and aggregate.is_mean:
            shares = variance_shares(*cells.moments(metric, kept), own_groups)
            designs[metric] = with_shares(designs[metric], shares)
        if tasks is not None:
            of_items[metric] = tasks[kept]
        slices[metric] = {
            name: values_of_items(items[metric], results.item.tolist(), own, f"by[{name!r}]")
            for name, own in cut_by.items()
        }
        alike: tuple[tuple[str, int, float], ...] = ()
        if unit == "instance" and groups is None:
            parts = {described.task, *cut_by}
            rest = {n: own for n, own in results.columns.items() if n not in parts}
            alike = unused_groups(rest, values, kept, cells.items)
        facts[metric] = replace(
            provenance,
            unused_groups=alike,
            n_items=len(kept),
            n_items_left_out=int((~kept).sum()) if unit != "dataset" else 0,
        )
    return GivenSamples(
        samples=found,
        names=names,
        designs=designs,
        facts=facts,
        tasks=of_items,
        slices=slices,
        items=items,
        row_items=row_items,
        declared=results.higher_is_better,
    )


@dataclass(frozen=True, eq=False)
class Cells:
    """Rows of results by item and system: a cell holds the repeats.

    Attributes
    ----------
    results : Results
        The rows.
    names : tuple of str
        The systems, in the order of the columns.
    """

    results: Results
    names: tuple[str, ...]

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Numbers of items and systems."""
        return len(self.results.items), len(self.names)

    @cached_property
    def items(self) -> NDArray[np.intp]:
        """Number of every row's item."""
        return _places(self.results.item, self.results.items)

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Number of every row's cell."""
        return self.items * self.shape[1] + _places(self.results.system, self.names)

    @cached_property
    def sizes(self) -> dict[str, NDArray[np.int64]]:
        """Training and test sizes of the splits, where the results tell both."""
        told = {size_of(name): column for name, column in self.results.columns.items()}
        found = {}
        for name in SIZES:
            if name not in told:
                return {}
            column = read_numbers(name, told[name])
            if not (column == np.rint(column)).all():
                raise ValueError(f"{name} must be numbers of rows, and some are not whole.")
            first = np.zeros(self.shape[0])
            first[self.items[::-1]] = column[::-1]
            other = np.flatnonzero(first[self.items] != column)
            if other.size:
                row = int(other[0])
                raise ValueError(
                    f"split {self.results.item[row]!r} has {name} {column[row]:g} in one row "
                    f"and {first[self.items[row]]:g} in another: the systems had other splits."
                )
            found[name] = first.astype(np.int64)
        return found

    def facts_of_splits(
        self, kept: NDArray[np.bool_], described: Description
    ) -> tuple[dict[str, Any], str]:
        """Return the sizes of the splits, or the number of partitions that they form.

        Where nobody tells sizes, folds are those of cross-validation: all folds of one
        partition, once or in every repeat. That is said.
        """
        if described.sizes:
            return {}, ""
        if self.sizes:
            return {name: size[kept] for name, size in self.sizes.items()}, ""
        known = self.results.columns
        names = in_order([name for name in known if kind_of(name) == "split"])
        if not are_folds(names) or not kept.all():
            return {}, ""
        first = np.full(self.shape[0], -1)
        first[self.items[::-1]] = np.arange(len(self.items))[::-1]
        *repeats, folds = ([str(label) for label in known[n][first]] for n in names)
        splits = set(zip(*repeats, folds, strict=True))
        n_repeats, n_folds = len(set(zip(*repeats, strict=True))) or 1, len(set(folds))
        if not len(splits) == len(first) == n_repeats * n_folds or n_folds < 2:
            return {}, ""
        said = (
            f"read as {n_folds}-fold cross-validation by the name of the column, so that "
            f"training sets are {f'{n_folds - 1} times ' * (n_folds > 2)}as large as test sets "
            "(n_train and n_test say otherwise)"
        )
        return {"n_repeats": n_repeats}, said

    def table(self, metric: str, aggregate: Aggregate) -> Numbers:
        """Scores of the items (rows) of the systems (columns); nan where there is none."""
        values = self.results.scores[metric]
        known = ~np.isnan(values)
        n_items, n_systems = self.shape

        def cell(place: int) -> str:
            item, system = divmod(place, n_systems)
            return f"{self.names[system]!r} on item {self.results.items[item]!r}"

        found = aggregate.of(values[known], self.places[known], n_items * n_systems, cell)
        return found.reshape(self.shape)

    def moments(
        self, metric: str, kept: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
        """Means, variances (nan of one repeat) and numbers of the repeats, of some items."""
        values = self.results.scores[metric]
        known = ~np.isnan(values)
        values, places = values[known], self.places[known]
        n = self.shape[0] * self.shape[1]
        counts = np.bincount(places, minlength=n)
        sums = np.bincount(places, values, minlength=n)
        means = np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)
        squares = np.bincount(places, (values - means[places]) ** 2, minlength=n)
        spread = np.divide(squares, counts - 1, out=np.full(n, np.nan), where=counts > 1)
        found = (values.reshape(self.shape)[kept] for values in (means, spread))
        return *found, counts.reshape(self.shape)[kept]

    def groups(self, column: str | None, labels: Any) -> NDArray[np.int64] | None:
        """Number of every item's group; an item is in one group."""
        if column is not None:
            labels = self.column("group", column)
        if labels is None:
            return None
        codes = group_codes(labels, len(self.results))
        first = self._of_items("group", labels, codes)
        return codes[first]

    def labels(self, role: str, column: str) -> Any:
        """Label of every item in a column, as of its task; an item has one."""
        labels = self.column(role, column)
        first = self._of_items(role, labels, group_codes(labels, len(self.results)))
        return np.asarray(labels, dtype=object)[first]

    def column(self, role: str, column: str) -> Any:
        """Values of a column of the rows, which has a role."""
        if column in self.results.scores:  # numbers, or true and false, may name groups too
            return self.results.scores[column]
        if column not in self.results.columns:
            have = ", ".join(self.results.columns) or "no column that groups them"
            raise ValueError(
                f"{role}={column!r} is not a column of the results; they have {have}."
            )
        return self.results.columns[column]

    def _of_items(self, role: str, labels: Any, codes: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the first row of every item, whose label is that of all its rows."""
        first = np.full(self.shape[0], -1)
        order = np.arange(len(codes))[::-1]
        first[self.items[order]] = order
        elsewhere = np.flatnonzero(codes != codes[first][self.items])
        if elsewhere.size:
            row = int(elsewhere[0])
            known = np.asarray(labels, dtype=object)
            own = known[first[self.items[row]]]
            raise ValueError(
                f"item {self.results.item[row]!r} is in {role} {own!r} in one row and in "
                f"{known[row]!r} in another: an item is in one {role}."
            )
        return first

    def design(
        self, groups: NDArray[np.int64] | None, aggregate: Aggregate, unit: str, n_scored: int
    ) -> dict[str, Any]:
        """Facts for the report: items, groups and repeats."""
        kind, item = _WORDS.get(unit, _WORDS["instance"])
        notes = [f"{n_scored} {item}s"]
        if groups is not None:
            notes.append(words_of_groups(groups))
        counts = np.bincount(self.places)
        counts = counts[counts > 0]
        if counts.max() > 1:
            notes.append(f"{span(counts)} samples of each {item}, {aggregate.words}")
        found: dict[str, Any] = {
            "kind": kind,
            "notes": [*notes, *notes_of(self.results)],
        }
        if unit == "instance":
            found["instance"] = item
        if self.results.sources:
            found["sources"] = [source.to_dict() for source in self.results.sources]
        return found


def _places(labels: NDArray[Any], known: tuple[str, ...]) -> NDArray[np.intp]:
    place = {label: number for number, label in enumerate(known)}
    return np.array([place[label] for label in labels.tolist()], dtype=np.intp)


def values_of_items(
    items: Sequence[str], row_items: Sequence[str], values: NDArray[Any], called: str
) -> NDArray[Any]:
    """Return the value of every item, which all of its rows have.

    Parameters
    ----------
    items, row_items : sequence of str
        The items that are asked for, and those that the rows are of.
    values : ndarray
        A value for every row; some may be missing.
    called : str
        Name of the argument that holds the values.
    """
    place: dict[str, int] = {}
    for row, item in enumerate(row_items):
        own, value = values[place.setdefault(item, row)], values[row]
        lacks = is_missing(own), is_missing(value)
        if own is not value and (lacks[0] != lacks[1] if any(lacks) else own != value):
            raise ValueError(
                f"{called} puts item {item!r} into {own} in one row and into {value} in "
                "another: an item has one value."
            )
    if lacking := [item for item in items if item not in place]:
        raise ValueError(f"{called} has no value for item {lacking[0]!r}.")
    return values[[place[item] for item in items]]


def _metrics(results: Results, described: Description) -> tuple[str, ...]:
    """Metrics that are asked for, by `score` or `scoring`; all of them by default."""
    for argument in ("score", "scoring"):
        asked = getattr(described, argument)
        if asked is not None:
            listed = (asked,) if isinstance(asked, str) else tuple(asked)
            unknown = [name for name in listed if name not in results.metrics]
            if unknown or not listed:
                raise ValueError(
                    f"{argument}={asked!r}: the results have the metrics "
                    f"{', '.join(results.metrics)}."
                )
            return listed
    return results.metrics


def _kept(values: Numbers, unit: str, cells: Cells, metric: str) -> NDArray[np.bool_]:
    """Items that are compared: those that all systems have scores on."""
    missing = np.isnan(values)
    if unit == "dataset" and values.shape[1] > 1:
        return has_scores(missing)
    if unit == "seed":
        return np.ones(len(values), dtype=bool)
    kept = np.asarray(~missing.any(axis=1))
    if not kept.any():
        worst = int(missing.sum(axis=0).argmax())
        raise ValueError(
            f"no item has a {metric} of all {len(cells.names)} systems: "
            f"{cells.names[worst]!r} lacks it on {int(missing[:, worst].sum())} of "
            f"{len(values)} items. Leave systems out by systems=, or compare fewer at a time."
        )
    return kept


def _sample(
    values: Numbers,
    names: tuple[str, ...],
    items: list[str],
    groups: NDArray[np.int64] | None,
    units: Mapping[str, Any],
    described: Description,
) -> Sample:
    """Make the sample of one metric."""
    if described.one_system:
        if groups is not None:
            raise ValueError(
                "one system is compared with a constant item by item; with groups ask "
                "stats.clustered_t(ClusteredScores(scores, [constant] * n, groups=groups))."
            )
        return Scores(values[:, 0], **units)
    columns = dict(zip(names, values.T, strict=True))
    if units["unit"] == "seed" and not described.paired_seeds:
        return SeedScoreTable({name: own[~np.isnan(own)] for name, own in columns.items()})
    if groups is not None:
        return ClusteredScoreTable(values, groups=groups, systems=names)
    if units["unit"] == "dataset":
        return ScoreTable(values, datasets=items, systems=names)
    return ScoreTable(values, systems=names, **units)
