"""Rows: a frame whose columns say what they are of, or results; paired by item.

A frame has a row per score with its labels, or a row per unit with a column for each system.
It becomes results, a row per system, item and repeat, and these become a sample per metric.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from skstat import stats
from skstat._columns import HIGHER_IS_BETTER, SIZES, UNIT, are_folds, coded, in_order, read_name
from skstat._names import listed
from skstat.comparison._engine import Scored
from skstat.comparison._score_readers import facts
from skstat.comparison._score_readers.description import Description, Given, Items, Sample
from skstat.comparison._score_readers.facts import Numbers
from skstat.io import Results, Source
from skstat.io._results import gaps_of
from skstat.io._roles import Roles, Said, names_of
from skstat.io._table import Table
from skstat.stats._read import group_codes, missing_in, read_numbers, rows_differ

# How the repeats of an item become one score.
_REPEATS = {"mean": "averaged", "median": "of which the median counts"}
ONE_IN_GROUPS = (
    "one system is compared with a constant item by item; with groups ask "
    "stats.clustered_t(PairedScores(scores, [constant] * n, groups=groups))."
)
_PASS = re.compile(r"pass([@^])([1-9]\d*)")


def refuse_levels(scores: Any, described: Description) -> None:
    """Refuse a MultiIndex that may say what rows are of: its levels are columns of a frame."""
    of_systems = isinstance(scores, Mapping)
    is_wide = of_systems or hasattr(scores, "columns")
    if is_wide and not described.names_columns and described.unit != "instance":
        return
    for column in scores.values() if of_systems else [scores]:
        names = getattr(getattr(column, "index", None), "names", [])
        if len(names) > 1 and set(names) != {None}:
            written = "pandas.DataFrame(scores)" if of_systems else "scores"
            raise ValueError(
                f"scores has an index of several levels, {listed(map(str, names))}: make "
                f"columns of them, by {written}.reset_index(), and say which name the item, by "
                "item=[...]."
            )


def read_frame(scores: Any, described: Description) -> Given | None:
    """Read a frame, or mapping of columns, whose columns say what its rows are."""
    if isinstance(scores, Mapping) and any(isinstance(own, Mapping) for own in scores.values()):
        return None
    table, unit = Table(scores), described.said_unit
    says_system = any(own.said.is_system and own.numbers is None for own in table.values())
    # Columns with the usual names of what a row is on; numbers may be scores of a system of
    # that name, unless the caller says the unit.
    by_name, kinds = unit is not None and hasattr(scores, "columns"), [unit] if unit else UNIT
    known = [own for own in table.values() if own.said.unit in kinds]
    labels = [own.name for own in known if by_name or own.numbers is None]
    if not (described.names_columns or says_system or labels):
        return None
    roled = [own.name for own in table.values() if own.said.is_system or own.said.unit]
    _check_lengths(table, roled, len(table[roled[0]].cells) if roled else 0)
    # Without a column of systems only labels name items.
    roles = Roles(table, _said(table, described, None if says_system else labels))
    _check_lengths(table, roles.columns, len(table[roles.item[0]].cells))
    row_items, _ = roles.items()
    left: list[str] = []
    if roles.system is not None:
        found, left = roles.scores()
    elif described.systems is None:
        found = roles.systems_beside()
    else:
        found = [table.named_as("systems", name) for name in described.systems]
    _check_lengths(table, found, len(row_items))
    roles.refuse_twice(found)
    # The order of the systems is that of the frame, not of its labels.
    systems = found if roles.system is None else table[roles.system].labels
    if roles.system is None:
        roles, found = roles.on(table.melted(found, described.metric)), [described.metric]
    results = roles.results({_metric_of(n, found, roles): n for n in found}, left_out=left)
    names = described.chosen(dict.fromkeys(systems), roles.unit)
    results = results.take(systems=names)
    independent = roles.unit == "seed" and not described.paired_seeds
    if described.item is None and roles.unit != "dataset" and not independent:
        _refuse_gaps(results, roles)
    return replace(_scored(results, names, results.metrics, described), row_items=row_items)


def _check_lengths(table: Table, names: Iterable[str], n_rows: int) -> None:
    """Refuse columns that have no value for every row, or several."""
    for name in names:
        shape = np.shape(table[name].given)
        if shape != (n_rows,):
            raise ValueError(f"column {name!r} has shape {shape}, and there are {n_rows} rows.")


def _said(table: Table, described: Description, labels: Sequence[str] | None) -> Said:
    """Return what the caller says; without a column of systems only labels name items."""
    named = [("group", described.group), ("task", described.task)]
    named += [("by", name) for name in described.by or ()]
    others = [table.named_as(role, name) for role, name in named if name is not None]
    bare = labels is not None and not described.names_columns
    scoring = names_of(described.scoring)
    several = scoring if isinstance(described.scoring, list | tuple) else ()
    if described.score == []:
        raise ValueError("score=[] names no scores: there is nothing to compare.")
    if labels is not None and described.system is None and described.score is not None:
        raise ValueError(
            f"score={described.score!r} names a column of scores, and no column says whose "
            "they are: name it by system=. In a frame with a column for each system the "
            f"metric is scoring={described.score!r}."
        )

    return Said(
        call=partial(described.call, table.called),
        system=described.system,
        item=(described.item,) if described.item in table else names_of(described.item),
        repeat=described.repeat,
        score=names_of(described.score) or several,
        others=tuple(others),
        no_items=frozenset(set(table) - {*(labels or ())} if bare else ()),
        unit=described.said_unit,
        scoring=scoring,
    )


def _metric_of(column: str, found: Sequence[str], roles: Roles) -> str:
    """Name the metric of a column of scores."""
    said = roles.said
    if len(found) > 1 or roles.metric is not None:
        return column
    if len(said.scoring) == 1:
        return said.scoring[0]
    return "score" if not said.score and read_name(column).usual in HIGHER_IS_BETTER else column


def _refuse_gaps(results: Results, roles: Roles) -> None:
    """Refuse gaps, which were not asked for: a unit may be one by its label alone."""
    for metric, name, (lacking, *_), _ in gaps_of(results):
        what = "score" if len(results.metrics) == 1 else metric
        item = roles.item[0] if len(roles.item) == 1 else list(roles.item)
        raise ValueError(
            f"{name!r} has no {what} on {roles.unit} {lacking}, which another system has one "
            "on: scores are compared on the same units. To compare on those that all systems "
            f"have, name their column: {roles.said.call(item=item, unit=roles.unit)}."
        )


def read_rows(results: Results, described: Description) -> Given:
    """Read the systems and metrics of results that are asked for."""
    described.refuse(results, ("system", "item", "repeat"))
    names = described.chosen(results.names, described.unit or results.unit)
    argument = "scoring" if described.score is None else "score"
    metrics = described.metrics_asked(results.metrics, argument)
    if set(names) != set(results.names):
        results = results.take(systems=names)
    row_items = results.item.tolist()
    return replace(_scored(results, names, metrics, described), row_items=row_items)


def _scored(
    results: Results, names: tuple[str, ...], metrics: Sequence[str], described: Description
) -> Given:
    """Make a sample of every metric, of the items that all systems to compare have."""
    said_of_rows, groups, by = [], described.groups, described.by or ()
    sums = facts.sums_among(results.items, results.unit)
    if sums.any():
        labels = np.array(results.items, dtype=object)[sums]
        said_of_rows.append(facts.SUMS + listed(sorted(labels)))
        compared = ~np.isin(results.item, labels)
        results = results.rows_where(compared)
        if groups is not None and len(groups) == len(compared):
            groups = np.asarray(groups)[compared]
    unit = results.unit if described.unit is None else described.unit
    cells, how = Cells(results, names), described.aggregate
    groups = described.group if groups is None else groups
    if groups is not None:
        groups = group_codes(cells.labels("group", groups), len(results.items))
        if unit != "instance":
            raise ValueError(
                f"groups are of instances, and unit={unit!r}; leave one of them out, or "
                "average the scores of a group."
            )
    tasks = None if described.task is None else cells.labels("task", described.task)
    cut_by = {}
    for name in by:
        cut_by[name] = cells.of_items(f"by[{name!r}]", np.asarray(cells.column("by", name)))
    rest, left_out = dict(results.columns), dict.fromkeys(results.left_out)
    for used in (described.group, described.task, *by, *metrics):
        rest.pop(used, None)
        left_out.pop(used, None)
    of_repeats = _words_of_repeats(how)
    tables = {metric: cells.table(metric, how) for metric in metrics}
    if left_out:
        said_of_rows.append(f"not taken for scores: {listed(left_out)}")
    known = facts.facts_of(results, names, tables)
    of_rows, several = unit == "instance", int(cells.counts.max()) > 1
    scored, of_items, labels = {}, {}, np.array(results.items, dtype=object)
    for metric, values in tables.items():
        kept = _kept(values, unit, names, metric)
        items, left = labels[kept].tolist(), labels[~kept].tolist()
        sizes, said = cells.facts_of_splits(kept, described) if unit == "split" else ({}, "")
        own_groups = None if groups is None else group_codes(groups[kept], len(items))
        units = described.units | sizes | {"unit": unit}
        columns = dict(zip(names, values[kept].T, strict=True))
        sample = sample_of(columns, units, described, own_groups, items)
        read = [*filter(None, (said, *results.notes)), *said_of_rows]
        if unit == "dataset" and left:
            read.append(facts.FEW + listed(left))
            left = []
        own_facts = replace(known, n_items=len(kept), n_items_left_out=len(left))
        design: dict[str, Any] = {}
        if of_rows or results.sources or read:
            n_scored = int((~np.isnan(values)).any(axis=1).sum())
            design = facts.design_of_items(unit, n_scored, groups, cells.counts, of_repeats)
            design["notes"] += facts.notes_of(results, known.limited)
            if results.sources:
                design["sources"] = list(map(Source.to_dict, results.sources))
        elif unit == "split":
            design = facts.design_of(sample)
        if read:
            design["read"] = read
        if of_rows and len(names) > 1 and how == "mean" and (several or groups is not None):
            shares = facts.variance_shares(*cells.moments(metric, values, kept), own_groups)
            design = facts.with_shares(design, shares)
        if of_rows and groups is None and rest:
            alike = facts.unused_groups(rest, values, kept, cells.items)
            own_facts = replace(own_facts, unused_groups=alike)
        beside: Any = {"design": design, "facts": own_facts}
        scored[metric] = Scored(sample=sample, names=names, metric=metric, **beside)
        own_slices = {name: own[kept] for name, own in cut_by.items()}
        of_items[metric] = Items(items, None if tasks is None else tasks[kept], own_slices)
    return Given(names=names, scored=scored, items=of_items, declared=results.higher_is_better)


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
    unit = units["unit"]
    if described.constant is not None:
        if groups is not None:
            raise ValueError(ONE_IN_GROUPS)
        (values,) = columns.values()
        return stats.Scores(values, **units)
    if unit == "seed" and not described.paired_seeds:
        if described.sizes:
            raise ValueError(f"{described.sizes[0]} is of splits, but unit='seed'; drop one.")
        if items is not None:  # a seed is one of one system
            columns = {name: own[~np.isnan(own)] for name, own in columns.items()}
        return of_seeds(stats.SeedScores(columns))
    known = units if groups is None else {"groups": groups}
    if items is None:
        return stats.ScoreTable(columns, **known)
    known = {"datasets": items} if unit == "dataset" else known
    values = np.column_stack([*columns.values()])
    return stats.ScoreTable(values, systems=tuple(columns), **known)


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


class Cells:
    """Rows of results by item and system: a cell holds the repeats.

    Attributes
    ----------
    results : Results
        The rows.
    names : tuple of str
        The systems, in the order of the columns.
    shape : tuple of int
        Numbers of items and systems.
    items, places : ndarray of int
        Number of every row's item, and of its cell.
    counts : ndarray of int
        Rows of every cell.
    """

    def __init__(self, results: Results, names: tuple[str, ...]) -> None:
        self.results, self.names = results, names
        self.shape = len(results.items), len(names)
        codes, self.items = results.numbered
        order = np.array(list(map(names.index, results.names)))
        self.places = self.items * len(names) + order[codes]
        self.counts = np.bincount(self.places)

    def facts_of_splits(
        self, kept: NDArray[np.bool_], described: Description
    ) -> tuple[dict[str, Any], str]:
        """Return the sizes of the splits, or the number of partitions that they form.

        Where nobody tells sizes, folds are those of cross-validation: all folds of one
        partition, once or in every repeat. That is said.
        """
        known = self.results.columns
        columns = {read_name(name).size: column for name, column in known.items()}
        if described.sizes:
            return {}, ""
        if set(SIZES) <= set(columns):
            sizes = {}
            for name in SIZES:
                column = read_numbers(name, columns[name])
                if not (column == np.rint(column)).all():
                    raise ValueError(f"{name} must be numbers of rows, and some are not whole.")
                sizes[name] = self.of_items(name, column.astype(int))[kept]
            return sizes, ""
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

    def table(self, metric: str, how: str) -> Numbers:
        """Scores of the items (rows) of the systems (columns); nan where there is none.

        Repeats become one score by `how`.
        """
        values = self.results.scores[metric]
        known = ~np.isnan(values)
        values, places, n = values[known], self.places[known], math.prod(self.shape)
        counts, sums = np.bincount(places, minlength=n), np.bincount(places, values, n)
        if how == "mean":
            found = np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)
            return found.reshape(self.shape)
        if how == "median":
            found, kept = np.full(n, np.nan), np.unique(places)
            found[kept] = ndimage.median(values, places, kept)
            return found.reshape(self.shape)
        every, k = how[4] == "^", int(how[5:])
        for row in np.flatnonzero((values != 0) & (values != 1)).tolist():
            raise ValueError(
                f"aggregate={how!r} needs right (1) and wrong (0) answers, and a score of "
                f"{self._cell(places[row])} is {values[row]:g}."
            )
        few = np.flatnonzero((counts > 0) & (counts < k))
        if few.size:
            raise ValueError(
                f"aggregate={how!r} needs {k} samples of every item; {len(few)} have fewer: "
                f"{self._cell(few[0])} has {counts[few[0]]}."
            )
        # Without bias the chance that any of k is right is 1 - C(n - c, k) / C(n, k) where c of
        # n samples are, and that every one is C(c, k) / C(n, k). By a product, since factorials
        # overflow; a cell without samples has no chance.
        chosen = sums if every else counts - sums
        share = np.where(counts > 0, 1.0, np.nan)
        for i in range(k):
            share *= np.maximum(chosen - i, 0.0) / np.where(counts > 0, counts - i, 1)
        return (share if every else 1 - share).reshape(self.shape)

    def _cell(self, place: int) -> str:
        """Name a cell, for messages."""
        item, system = divmod(int(place), len(self.names))
        return f"{self.names[system]!r} on item {self.results.items[item]!r}"

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
        return means[kept], spread.reshape(means.shape)[kept], counts.reshape(means.shape)[kept]

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
        # Numbers, or true and false, may name groups too.
        known = {**self.results.columns, **self.results.scores}
        if column not in known:
            have = ", ".join(self.results.columns) or "no column that groups them"
            raise ValueError(f"{role}={column!r} is not in the results; they have {have}.")
        return known[column]


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
    names, codes = coded(row_items)
    first = np.unique(codes, return_index=True)[1]
    known = values.astype(object)
    known[missing_in(values)] = None  # which equals itself
    for row in np.flatnonzero(rows_differ(known, known[first][codes])).tolist():
        raise ValueError(
            f"item {row_items[row]!r} has {called} {values[first][codes][row]} in one row and "
            f"{values[row]} in another: all rows of an item have one."
        )
    place = dict(zip(names, first, strict=True))
    if lacking := [item for item in items if item not in place]:
        raise ValueError(f"{called} has no value for item {lacking[0]!r}.")
    return values[[place[item] for item in items]]


def _kept(values: Numbers, unit: str, names: Sequence[str], metric: str) -> NDArray[np.bool_]:
    """Items that are compared: those that all systems have scores on."""
    missing = np.isnan(values)
    if unit == "dataset" and values.shape[1] > 1:
        return facts.has_scores(missing)
    if unit == "seed":
        return np.ones(len(values), dtype=bool)
    kept = np.asarray(~missing.any(axis=1))
    if not kept.any():
        worst = int(missing.sum(axis=0).argmax())
        raise ValueError(
            f"no item has a {metric} of all {len(names)} systems: {names[worst]!r} lacks it on "
            f"{int(missing[:, worst].sum())} of {len(values)} items. Leave systems out by "
            "systems=, or compare fewer at a time."
        )
    return kept


def _words_of_repeats(name: Any) -> str:
    """Say how repeats become one score: by mean, median, pass@k or pass^k."""
    found = _PASS.fullmatch(name) if isinstance(name, str) else None
    if found is not None:
        every = found[1] == "^"
        what = f"all of {found[2]} are" if every else f"any of {found[2]} is"
        return f"scored by the chance that {what} right"
    if not isinstance(name, str) or name not in _REPEATS:
        raise ValueError(
            f"aggregate={name!r} is unknown; use 'mean', 'median', or for right and wrong "
            "answers 'pass@5' (any of 5 samples is right) or 'pass^5' (all 5 are)."
        )
    return _REPEATS[name]
