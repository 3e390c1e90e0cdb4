"""Results, one row per system, item and repeat: paired by item, with repeats and groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat import stats
from skstat._columns import SIZES, are_folds, coded, in_order, read_name
from skstat._names import listed
from skstat.comparison._engine import Scored
from skstat.comparison._score_readers.description import Description, Given, Items, Sample
from skstat.comparison._score_readers.items import (
    Aggregate,
    aggregate_named,
    design_of,
    has_scores,
    said_of_few,
    said_of_sums,
    span,
    sums_among,
    with_shares,
    words_of_groups,
)
from skstat.comparison._score_readers.provenance import facts_of, notes_of, unused_groups
from skstat.io import Results
from skstat.stats._anova import variance_shares
from skstat.stats._read import aligned, group_codes, is_missing, read_numbers

Numbers = NDArray[np.float64]
# Kind of the design by the unit, and what one of it is called.
_WORDS = {
    "instance": ("one set of items", "item"),
    "dataset": ("a table of data sets", "data set"),
    "seed": ("scores of seeds", "seed"),
    "split": ("scores of splits", "split"),
}


def read_rows(results: Results, described: Description) -> Given:
    """Make a sample of every metric, of the items that all systems to compare have."""
    names = described.chosen(results.names)
    argument = "scoring" if described.score is None else "score"
    asked = described.metrics_asked(results.metrics, argument)
    if names != results.names:
        results = results.take(systems=names)
    row_items = results.item.tolist()
    sums = np.array(results.items, dtype=object)[sums_among(results.items, results.unit)]
    said_of_rows = said_of_sums(sorted(sums))
    if len(sums):
        compared = ~np.isin(results.item, sums)
        results = results.rows_where(compared)
        if described.groups is not None and len(described.groups) == len(compared):
            described = replace(described, groups=np.asarray(described.groups)[compared])
    unit = results.unit if described.unit is None else described.unit
    described.check_paired_seeds(unit)
    cells = Cells(results, names)
    groups = cells.groups(described)
    tasks = None if described.task is None else cells.labels("task", described.task)
    cut_by = {
        name: cells.of_items(f"by[{name!r}]", np.asarray(cells.column("by", name)))
        for name in described.by or ()
    }
    if groups is not None and unit != "instance":
        raise ValueError(
            f"groups are of instances, and unit={unit!r}; leave one of them out, or average "
            "the scores of a group."
        )
    aggregate = aggregate_named(described.aggregate)
    given = {name: value for name, value in described.units.items() if value is not None}
    tables = {metric: cells.table(metric, aggregate) for metric in asked}
    used = {described.group, described.task, *(described.by or ()), *asked}
    numbers = [name for name in results.left_out if name not in used]
    said_of_rows += [f"not taken for scores: {listed(numbers)}"] if numbers else []
    provenance = facts_of(results, names, tables)
    parts = {described.task, *cut_by}
    rest = {name: own for name, own in results.columns.items() if name not in parts}
    scored, of_items = {}, {}
    for metric, values in tables.items():
        kept = _kept(values, unit, cells, metric)
        items, left = (
            np.array(results.items, dtype=object)[own].tolist() for own in (kept, ~kept)
        )
        sizes, said = cells.facts_of_splits(kept, described) if unit == "split" else ({}, "")
        own_groups = None if groups is None else group_codes(groups[kept], len(items))
        columns, units = (
            dict(zip(names, values[kept].T, strict=True)),
            sizes | given | {"unit": unit},
        )
        sample = sample_of(columns, units, described, own_groups, items)
        few = left if unit == "dataset" else []
        read = [*filter(None, (said, *results.notes)), *said_of_rows, *said_of_few(few)]
        design: dict[str, Any] = {}
        if unit == "instance" or results.sources or read:
            n_scored = int((~np.isnan(values)).any(axis=1).sum())
            design = cells.design(groups, aggregate, unit, n_scored)
        elif unit == "split":
            design = design_of(sample)
        if read:
            design["read"] = read
        if unit == "instance" and len(names) > 1 and aggregate.is_mean:
            shares = variance_shares(*cells.moments(metric, values, kept), own_groups)
            design = with_shares(design, shares)
        no_groups = unit == "instance" and groups is None
        facts = replace(
            provenance,
            unused_groups=unused_groups(rest, values, kept, cells.items) if no_groups else (),
            n_items=len(kept),
            n_items_left_out=len(left) - len(few),
        )
        scored[metric] = Scored(
            sample=sample, names=names, metric=metric, design=design, facts=facts
        )
        own_tasks = None if tasks is None else tasks[kept]
        cut = {name: own[kept] for name, own in cut_by.items()}
        of_items[metric] = Items(items, own_tasks, cut)
    return Given(
        names=names,
        scored=scored,
        items=of_items,
        row_items=row_items,
        declared=results.higher_is_better,
    )


def sample_of(
    columns: Mapping[str, Any],
    units: Mapping[str, Any],
    described: Description,
    groups: Any = None,
    items: Sequence[str] | None = None,
) -> Sample:
    """Make the sample of the systems to compare; a constant is compared with one.

    Parameters
    ----------
    columns : mapping of str to array-like
        Scores by system.
    units : mapping
        What the sample says of its units.
    described : Description
        What the caller says.
    groups : array-like, optional
        The group of every instance.
    items : sequence of str, optional
        Names of the data sets.
    """
    if described.constant is not None:
        if groups is not None:
            raise ValueError(
                "one system is compared with a constant item by item; with groups ask "
                "stats.clustered_t(PairedScores(scores, [constant] * n, groups=groups))."
            )
        (values,) = columns.values()
        return stats.Scores(values, **units)
    if units["unit"] == "seed" and not described.paired_seeds:
        if described.sizes:
            raise ValueError(
                f"{described.sizes[0]} describes splits, but unit='seed'; drop one of them."
            )
        if items is not None:  # a seed is one of one system
            columns = {name: own[~np.isnan(own)] for name, own in columns.items()}
        return of_seeds(stats.SeedScores(columns))
    if groups is not None:
        return stats.ScoreTable(columns, groups=groups)
    if units["unit"] == "dataset" and items is not None:
        return stats.ScoreTable(columns, datasets=items)
    if units["unit"] != "dataset" and any(isinstance(own, Mapping) for own in columns.values()):
        named = {f"scores[{name!r}]": column for name, column in columns.items()}
        columns = dict(zip(columns, aligned(named, unit="score").values(), strict=True))
    return stats.ScoreTable(columns, **units)


def of_seeds(sample: stats.SeedScores) -> stats.SeedScores:
    """Refuse scores of every instance by every seed."""
    if sample.runs is not None:
        raise ValueError(
            "these SeedScores hold predictions: ask skstat.stats.seeded_bootstrap, or "
            "compare_predictions with the outputs of every seed."
        )
    if sample.of_instances:
        raise ValueError(
            f"scores of shape {sample.a.shape} are of every instance by every seed: ask "
            "skstat.stats.crossed_t, or compare_predictions with the outputs of every seed."
        )
    return sample


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
        return coded(self.results.item)[1]

    @cached_property
    def places(self) -> NDArray[np.intp]:
        """Number of every row's cell."""
        place = {name: number for number, name in enumerate(self.names)}
        return self.items * self.shape[1] + np.array([place[n] for n in self.results.system])

    def facts_of_splits(
        self, kept: NDArray[np.bool_], described: Description
    ) -> tuple[dict[str, Any], str]:
        """Return the sizes of the splits, or the number of partitions that they form.

        Where nobody tells sizes, folds are those of cross-validation: all folds of one
        partition, once or in every repeat. That is said.
        """
        known = self.results.columns
        told = {read_name(name).size: column for name, column in known.items()}
        if described.sizes:
            return {}, ""
        if set(SIZES) <= set(told):
            read = {name: read_numbers(name, told[name]) for name in SIZES}
            for name, column in read.items():
                if not (column == np.rint(column)).all():
                    raise ValueError(f"{name} must be numbers of rows, and some are not whole.")
            sizes = {name: self.of_items(name, own.astype(int)) for name, own in read.items()}
            return {name: own[kept] for name, own in sizes.items()}, ""
        names = in_order([name for name in known if read_name(name).unit == "split"])
        if not are_folds(names) or not kept.all():
            return {}, ""
        *repeats, folds = (list(map(str, self.of_items(name, known[name]))) for name in names)
        splits = set(zip(*repeats, folds, strict=True))
        n_repeats, n_folds = len(set(zip(*repeats, strict=True))) or 1, len(set(folds))
        if not len(splits) == len(kept) == n_repeats * n_folds or n_folds < 2:
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
        self, metric: str, means: Numbers, kept: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
        """Means, variances (nan of one repeat) and numbers of the repeats, of some items."""
        values, n = self.results.scores[metric], means.size
        known = ~np.isnan(values)
        values, places = values[known], self.places[known]
        counts = np.bincount(places, minlength=n)
        squares = np.bincount(places, (values - means.ravel()[places]) ** 2, minlength=n)
        spread = np.divide(squares, counts - 1, out=np.full(n, np.nan), where=counts > 1)
        shape = means.shape
        return means[kept], spread.reshape(shape)[kept], counts.reshape(shape)[kept]

    def groups(self, described: Description) -> NDArray[np.int64] | None:
        """Number of every item's group; an item is in one group."""
        named = described.group if described.groups is None else described.groups
        if named is None:
            return None
        return group_codes(self.labels("group", named), len(self.results.items))

    def labels(self, role: str, named: Any) -> NDArray[Any]:
        """Label of every item, in a column or of every row, as of its task."""
        labels = self.column(role, named) if isinstance(named, str) else named
        group_codes(labels, len(self.results))  # which refuses what labels no row
        return self.of_items(role, np.fromiter(labels, dtype=object, count=len(labels)))

    def of_items(self, called: str, values: NDArray[Any]) -> NDArray[Any]:
        """Return the value of every item, which all of its rows have."""
        return values_of_items(self.results.items, self.results.item.tolist(), values, called)

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

    def design(
        self, groups: NDArray[np.int64] | None, aggregate: Aggregate, unit: str, n_scored: int
    ) -> dict[str, Any]:
        """Facts for the report: items, groups and repeats."""
        kind, item = _WORDS.get(unit, _WORDS["instance"])
        notes = [f"{n_scored} {item}s"]
        notes += [] if groups is None else [words_of_groups(groups)]
        _, counts = np.unique(self.places, return_counts=True)
        if counts.max() > 1:
            notes.append(f"{span(counts)} samples of each {item}, {aggregate.words}")
        found: dict[str, Any] = {"kind": kind, "notes": [*notes, *notes_of(self.results)]}
        sources = [source.to_dict() for source in self.results.sources]
        found |= {"sources": sources} if sources else {}
        return found | ({"instance": item} if unit == "instance" else {})


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
    cells = values.tolist()
    for row, (item, value) in enumerate(zip(row_items, cells, strict=True)):
        own = cells[place.setdefault(item, row)]
        if own is value or (isinstance(own, str) and own == value):  # most of what there is
            continue
        lacks = is_missing(own), is_missing(value)
        if lacks[0] != lacks[1] if any(lacks) else own != value:
            raise ValueError(
                f"item {item!r} has {called} {own} in one row and {value} in another: all rows "
                "of an item have one."
            )
    if lacking := [item for item in items if item not in place]:
        raise ValueError(f"{called} has no value for item {lacking[0]!r}.")
    return values[[place[item] for item in items]]


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
