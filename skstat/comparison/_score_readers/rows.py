"""Reader of scores in rows: frames with columns of labels, and results; paired by item.

A frame has one row per score with its labels, or one row per unit and a column for each system.
It is converted to results (one row per system, item and repeat), and these to one sample per
metric.
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
from skstat.comparison._score_readers.description import Description, Items, ReadScores, Sample
from skstat.comparison._score_readers.facts import Numbers
from skstat.io import Results, Source
from skstat.io._results import gaps_of
from skstat.io._roles import Roles, UserRoles, names_of
from skstat.io._table import Table
from skstat.stats._read import group_codes, missing_in, read_numbers, rows_differ

# Words for how the repeats of an item become one score.
_REPEATS = {"mean": "averaged", "median": "of which the median counts"}
ONE_IN_GROUPS = (
    "one system is compared with a constant item by item; with groups ask "
    "stats.clustered_t(PairedScores(scores, [constant] * n, groups=groups))."
)
_PASS = re.compile(r"pass([@^])([1-9]\d*)")


def refuse_levels(scores: Any, described: Description) -> None:
    """Refuse a MultiIndex, whose levels may be labels of rows: they must be columns."""
    is_mapping = isinstance(scores, Mapping)
    is_wide = is_mapping or hasattr(scores, "columns")
    if is_wide and not described.names_columns and described.unit != "instance":
        return
    for column in scores.values() if is_mapping else [scores]:
        names = getattr(getattr(column, "index", None), "names", [])
        if len(names) > 1 and set(names) != {None}:
            frame = "pandas.DataFrame(scores)" if is_mapping else "scores"
            raise ValueError(
                f"scores has an index of several levels, {listed(map(str, names))}: make "
                f"columns of them, by {frame}.reset_index(), and say which name the item, by "
                "item=[...]."
            )


def read_frame(scores: Any, described: Description) -> ReadScores | None:
    """Read a frame or mapping with columns of labels for its rows; return None for others."""
    if isinstance(scores, Mapping) and any(isinstance(x, Mapping) for x in scores.values()):
        return None
    table, unit = Table(scores), described.said_unit
    says_system = any(col.hints.is_system and col.numbers is None for col in table.values())
    # Columns named like a unit, such as "seed". Numbers in them may be the scores of a system
    # of that name, unless the caller gave the unit.
    by_name, kinds = unit is not None and hasattr(scores, "columns"), [unit] if unit else UNIT
    unit_columns = [column for column in table.values() if column.hints.unit in kinds]
    labels = [column.name for column in unit_columns if by_name or column.numbers is None]
    if not (described.names_columns or says_system or labels):
        return None
    labelled = [col.name for col in table.values() if col.hints.is_system or col.hints.unit]
    _check_lengths(table, labelled, len(table[labelled[0]].cells) if labelled else 0)
    # Without a column of systems, only columns of labels can name items.
    roles = Roles(table, _roles_of(table, described, None if says_system else labels))
    _check_lengths(table, roles.columns, len(table[roles.item[0]].cells))
    row_items, _ = roles.items()
    left_out: list[str] = []
    if roles.system is not None:
        columns, left_out = roles.scores()
    elif described.systems is None:
        columns = roles.systems_beside()
    else:
        columns = [table.named_as("systems", name) for name in described.systems]
    _check_lengths(table, columns, len(row_items))
    roles.refuse_twice(columns)
    # Systems are in the order of the frame, not in that of sorted labels.
    systems = columns if roles.system is None else table[roles.system].labels
    if roles.system is None:
        roles, columns = roles.on(table.melted(columns, described.metric)), [described.metric]
    metrics = {_metric_of(name, columns, roles): name for name in columns}
    results = roles.results(metrics, left_out=left_out)
    names = described.chosen(dict.fromkeys(systems), roles.unit)
    results = results.take(systems=names)
    independent = roles.unit == "seed" and not described.paired_seeds
    if described.item is None and roles.unit != "dataset" and not independent:
        _refuse_gaps(results, roles)
    return replace(_scored(results, names, results.metrics, described), row_items=row_items)


def _check_lengths(table: Table, names: Iterable[str], n_rows: int) -> None:
    """Refuse columns that do not have exactly one value per row."""
    for name in names:
        shape = np.shape(table[name].given)
        if shape != (n_rows,):
            raise ValueError(f"column {name!r} has shape {shape}, and there are {n_rows} rows.")


def _roles_of(table: Table, described: Description, labels: Sequence[str] | None) -> UserRoles:
    """Return the roles that the caller gave to columns.

    `labels` are the columns that may name items if there is no column of systems, else None.
    """
    named_columns = [("group", described.group), ("task", described.task)]
    named_columns += [("by", name) for name in described.by or ()]
    others = [table.named_as(role, name) for role, name in named_columns if name is not None]
    labels_only = labels is not None and not described.names_columns
    scoring = names_of(described.scoring)
    columns = scoring if isinstance(described.scoring, list | tuple) else ()
    if described.score == []:
        raise ValueError("score=[] names no scores: there is nothing to compare.")
    if labels is not None and described.system is None and described.score is not None:
        raise ValueError(
            f"score={described.score!r} names a column of scores, and no column says whose "
            "they are: name it by system=. In a frame with a column for each system the "
            f"metric is scoring={described.score!r}."
        )

    return UserRoles(
        call=partial(described.call, table.called),
        system=described.system,
        item=(described.item,) if described.item in table else names_of(described.item),
        repeat=described.repeat,
        score=names_of(described.score) or columns,
        others=tuple(others),
        no_items=frozenset(set(table) - {*(labels or ())} if labels_only else ()),
        unit=described.said_unit,
        scoring=scoring,
    )


def _metric_of(column: str, columns: Sequence[str], roles: Roles) -> str:
    """Return the name of the metric of a column of scores."""
    user = roles.user
    if len(columns) > 1 or roles.metric is not None:
        return column
    if len(user.scoring) == 1:
        return user.scoring[0]
    return "score" if not user.score and read_name(column).usual in HIGHER_IS_BETTER else column


def _refuse_gaps(results: Results, roles: Roles) -> None:
    """Refuse gaps if the caller named no items: a column may only look like labels of units."""
    for metric, name, (gap, *_), _ in gaps_of(results):
        what = "score" if len(results.metrics) == 1 else metric
        item = roles.item[0] if len(roles.item) == 1 else list(roles.item)
        raise ValueError(
            f"{name!r} has no {what} on {roles.unit} {gap}, which another system has one "
            "on: scores are compared on the same units. To compare on those that all systems "
            f"have, name their column: {roles.user.call(item=item, unit=roles.unit)}."
        )


def read_rows(results: Results, described: Description) -> ReadScores:
    """Return the scores of results, for the systems and metrics that the caller chose."""
    described.refuse(results, ("system", "item", "repeat"))
    names = described.chosen(results.names, described.unit or results.unit)
    argument = "scoring" if described.score is None else "score"
    metrics = described.metrics_of(results.metrics, argument)
    if set(names) != set(results.names):
        results = results.take(systems=names)
    row_items = results.item.tolist()
    return replace(_scored(results, names, metrics, described), row_items=row_items)


def _scored(
    results: Results, names: tuple[str, ...], metrics: Sequence[str], described: Description
) -> ReadScores:
    """Return a sample for every metric, on the items that all compared systems have."""
    notes, groups, by = [], described.groups, described.by or ()
    sums = facts.sums_among(results.items, results.unit)
    if sums.any():
        labels = np.array(results.items, dtype=object)[sums]
        notes.append(facts.SUMS + listed(sorted(labels)))
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
    slices = {}
    for name in by:
        slices[name] = cells.of_items(f"by[{name!r}]", np.asarray(cells.column("by", name)))
    unused, left_out = dict(results.columns), dict.fromkeys(results.left_out)
    for name in (described.group, described.task, *by, *metrics):
        unused.pop(name, None)
        left_out.pop(name, None)
    of_repeats = _words_of_repeats(how)
    tables = {metric: cells.table(metric, how) for metric in metrics}
    if left_out:
        notes.append(f"not taken for scores: {listed(left_out)}")
    common_facts = facts.facts_of(results, names, tables)
    of_rows, several = unit == "instance", int(cells.counts.max()) > 1
    scored, of_items, labels = {}, {}, np.array(results.items, dtype=object)
    for metric, values in tables.items():
        kept = _kept(values, unit, names, metric)
        items, omitted = labels[kept].tolist(), labels[~kept].tolist()
        sizes, note = cells.facts_of_splits(kept, described) if unit == "split" else ({}, "")
        item_groups = None if groups is None else group_codes(groups[kept], len(items))
        units = described.units | sizes | {"unit": unit}
        columns = dict(zip(names, values[kept].T, strict=True))
        sample = sample_of(columns, units, described, item_groups, items)
        read_notes = [*filter(None, (note, *results.notes)), *notes]
        if unit == "dataset" and omitted:
            read_notes.append(facts.FEW + listed(omitted))
            omitted = []
        item_facts = replace(common_facts, n_items=len(kept), n_items_left_out=len(omitted))
        design: dict[str, Any] = {}
        if of_rows or results.sources or read_notes:
            n_scored = int((~np.isnan(values)).any(axis=1).sum())
            design = facts.design_of_items(unit, n_scored, groups, cells.counts, of_repeats)
            design["notes"] += facts.notes_of(results, common_facts.limited)
            if results.sources:
                design["sources"] = list(map(Source.to_dict, results.sources))
        elif unit == "split":
            design = facts.design_of(sample)
        if read_notes:
            design["read"] = read_notes
        if of_rows and len(names) > 1 and how == "mean" and (several or groups is not None):
            shares = facts.variance_shares(*cells.moments(metric, values, kept), item_groups)
            design = facts.with_shares(design, shares)
        if of_rows and groups is None and unused:
            clusters = facts.unused_groups(unused, values, kept, cells.items)
            item_facts = replace(item_facts, unused_groups=clusters)
        about: Any = {"design": design, "facts": item_facts}
        scored[metric] = Scored(sample=sample, names=names, metric=metric, **about)
        item_slices = {name: column[kept] for name, column in slices.items()}
        of_items[metric] = Items(items, None if tasks is None else tasks[kept], item_slices)
    higher = results.higher_is_better
    return ReadScores(names=names, scored=scored, items=of_items, declared=higher)


def sample_of(
    columns: Mapping[str, Any],
    units: Mapping[str, Any],
    described: Description,
    groups: Any = None,
    items: Sequence[str] | None = None,
) -> Sample:
    """Return the sample of the systems to compare, or of one for a comparison with a constant.

    Parameters
    ----------
    columns : mapping of str to array-like
        Scores by system.
    units : mapping
        Arguments of the sample that describe its units.
    described : Description
        The caller's description of the scores.
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
        if items is not None:  # every seed belongs to one system
            columns = {name: scores[~np.isnan(scores)] for name, scores in columns.items()}
        return of_seeds(stats.SeedScores(columns))
    options = units if groups is None else {"groups": groups}
    if items is None:
        return stats.ScoreTable(columns, **options)
    options = {"datasets": items} if unit == "dataset" else options
    values = np.column_stack([*columns.values()])
    return stats.ScoreTable(values, systems=tuple(columns), **options)


def of_seeds(sample: stats.SeedScores) -> stats.SeedScores:
    """Return the sample; refuse scores of every instance by every seed."""
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
    """Rows of results in a table of items by systems; a cell holds the repeats.

    Attributes
    ----------
    results : Results
        The rows.
    names : tuple of str
        The systems, in the order of the columns.
    shape : tuple of int
        Numbers of items and systems.
    items, cells : ndarray of int of shape (n_rows,)
        Number of the item, and of the cell, of every row.
    counts : ndarray of int
        Number of rows of every cell.
    """

    def __init__(self, results: Results, names: tuple[str, ...]) -> None:
        self.results, self.names = results, names
        self.shape = len(results.items), len(names)
        codes, self.items = results.numbered
        order = np.array(list(map(names.index, results.names)))
        self.cells = self.items * len(names) + order[codes]
        self.counts = np.bincount(self.cells)

    def facts_of_splits(
        self, kept: NDArray[np.bool_], described: Description
    ) -> tuple[dict[str, Any], str]:
        """Return arguments of a sample for the sizes of the splits, and a note for the report.

        Without sizes, folds are assumed to be those of cross-validation, repeated or not, and
        the note says so.
        """
        columns = self.results.columns
        by_size = {read_name(name).size: column for name, column in columns.items()}
        if described.sizes:
            return {}, ""
        if set(SIZES) <= set(by_size):
            sizes = {}
            for name in SIZES:
                column = read_numbers(name, by_size[name])
                if not (column == np.rint(column)).all():
                    raise ValueError(f"{name} must be numbers of rows, and some are not whole.")
                sizes[name] = self.of_items(name, column.astype(int))[kept]
            return sizes, ""
        names = in_order([name for name in columns if read_name(name).unit == "split"])
        if not are_folds(names) or not kept.all():
            return {}, ""
        *repeats, folds = (list(map(str, self.of_items(name, columns[name]))) for name in names)
        splits = set(zip(*repeats, folds, strict=True))
        n_repeats, n_folds = len(set(zip(*repeats, strict=True))) or 1, len(set(folds))
        if not len(splits) == len(kept) == n_repeats * n_folds or n_folds < 2:
            return {}, ""
        note = (
            f"read as {n_folds}-fold cross-validation by the name of the column, so that "
            f"training sets are {f'{n_folds - 1} times ' * (n_folds > 2)}as large as test sets "
            "(n_train and n_test say otherwise)"
        )
        return {"n_repeats": n_repeats}, note

    def table(self, metric: str, how: str) -> Numbers:
        """Return scores of items (rows) by systems (columns); nan where there is none.

        Repeats become one score by `how`.
        """
        values = self.results.scores[metric]
        present = ~np.isnan(values)
        values, cells, n = values[present], self.cells[present], math.prod(self.shape)
        counts, sums = np.bincount(cells, minlength=n), np.bincount(cells, values, n)
        if how == "mean":
            table = np.divide(sums, counts, out=np.full(n, np.nan), where=counts > 0)
            return table.reshape(self.shape)
        if how == "median":
            table, filled = np.full(n, np.nan), np.unique(cells)
            table[filled] = ndimage.median(values, cells, filled)
            return table.reshape(self.shape)
        all_right, k = how[4] == "^", int(how[5:])
        for row in np.flatnonzero((values != 0) & (values != 1)).tolist():
            raise ValueError(
                f"aggregate={how!r} needs right (1) and wrong (0) answers, and a score of "
                f"{self._cell(cells[row])} is {values[row]:g}."
            )
        few = np.flatnonzero((counts > 0) & (counts < k))
        if few.size:
            raise ValueError(
                f"aggregate={how!r} needs {k} samples of every item; {len(few)} have fewer: "
                f"{self._cell(few[0])} has {counts[few[0]]}."
            )
        # Where c of n samples are right, the unbiased estimate is 1 - C(n - c, k) / C(n, k) for
        # any of k, and C(c, k) / C(n, k) for all of k. Both are computed as products, since
        # factorials overflow. A cell without samples has nan.
        chosen = sums if all_right else counts - sums
        share = np.where(counts > 0, 1.0, np.nan)
        for i in range(k):
            share *= np.maximum(chosen - i, 0.0) / np.where(counts > 0, counts - i, 1)
        return (share if all_right else 1 - share).reshape(self.shape)

    def _cell(self, cell: int) -> str:
        """Return words for a cell, for messages."""
        item, system = divmod(int(cell), len(self.names))
        return f"{self.names[system]!r} on item {self.results.items[item]!r}"

    def moments(
        self, metric: str, means: Numbers, kept: NDArray[np.bool_]
    ) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
        """Return means, variances (nan for one repeat) and counts of repeats of some items."""
        values, n = self.results.scores[metric], means.size
        present = ~np.isnan(values)
        values, cells = values[present], self.cells[present]
        counts = np.bincount(cells, minlength=n)
        squares = np.bincount(cells, (values - means.ravel()[cells]) ** 2, minlength=n)
        spread = np.divide(squares, counts - 1, out=np.full(n, np.nan), where=counts > 1)
        return means[kept], spread.reshape(means.shape)[kept], counts.reshape(means.shape)[kept]

    def labels(self, role: str, named: Any) -> NDArray[Any]:
        """Return the label of every item, given a column or the labels of all rows."""
        labels = self.column(role, named) if isinstance(named, str) else named
        group_codes(labels, len(self.results))  # raises if a row has no label
        return self.of_items(role, np.fromiter(labels, dtype=object, count=len(labels)))

    def of_items(self, called: str, values: NDArray[Any]) -> NDArray[Any]:
        """Return the value of every item, which all of its rows must share."""
        return values_of_items(self.results.items, self.results.item.tolist(), values, called)

    def column(self, role: str, column: str) -> Any:
        """Return the values of a column, named by the argument `role`."""
        # Columns of numbers or truth values may name groups, too.
        columns = {**self.results.columns, **self.results.scores}
        if column not in columns:
            have = ", ".join(self.results.columns) or "no column that groups them"
            raise ValueError(f"{role}={column!r} is not in the results; they have {have}.")
        return columns[column]


def values_of_items(
    items: Sequence[str], row_items: Sequence[str], values: NDArray[Any], called: str
) -> NDArray[Any]:
    """Return the value of every item, which all of its rows must share.

    Parameters
    ----------
    items, row_items : sequence of str
        The items to return values for, and the item of every row.
    values : ndarray
        A value for every row; some may be missing.
    called : str
        Name of the argument that holds the values.
    """
    names, codes = coded(row_items)
    first = np.unique(codes, return_index=True)[1]
    objects = values.astype(object)
    objects[missing_in(values)] = None  # which, unlike nan, equals itself
    for row in np.flatnonzero(rows_differ(objects, objects[first][codes])).tolist():
        raise ValueError(
            f"item {row_items[row]!r} has {called} {values[first][codes][row]} in one row and "
            f"{values[row]} in another: all rows of an item have one."
        )
    rows = dict(zip(names, first, strict=True))
    if missing := [item for item in items if item not in rows]:
        raise ValueError(f"{called} has no value for item {missing[0]!r}.")
    return values[[rows[item] for item in items]]


def _kept(values: Numbers, unit: str, names: Sequence[str], metric: str) -> NDArray[np.bool_]:
    """Return a mask of the items to compare: those on which all systems have scores."""
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
    """Return words for how repeats become one score: mean, median, pass@k or pass^k."""
    match = _PASS.fullmatch(name) if isinstance(name, str) else None
    if match is not None:
        all_right = match[1] == "^"
        what = f"all of {match[2]} are" if all_right else f"any of {match[2]} is"
        return f"scored by the chance that {what} right"
    if not isinstance(name, str) or name not in _REPEATS:
        raise ValueError(
            f"aggregate={name!r} is unknown; use 'mean', 'median', or for right and wrong "
            "answers 'pass@5' (any of 5 samples is right) or 'pass^5' (all 5 are)."
        )
    return _REPEATS[name]
