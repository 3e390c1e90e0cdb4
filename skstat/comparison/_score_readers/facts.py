"""Designs, notes and facts for doubts about scores that were read."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import is_summary, words_of
from skstat._names import listed
from skstat.io import Results
from skstat.io._results import differences
from skstat.report._doubts import Facts
from skstat.stats import ScoreTable

Numbers = NDArray[np.float64]
# By unit, the kind of the design, and the word for one unit.
_KINDS = {
    "instance": ("one set of items", "item"),
    "dataset": ("a table of data sets", "data set"),
    "seed": ("scores of seeds", "seed"),
    "split": ("scores of splits", "split"),
}
# Reasons for leaving rows out, followed by their names.
SUMS = "left out, since they sum others up: "
FEW = "left out, with fewer than two scores: "


def sums_among(labels: Sequence[Any], unit: str = "") -> NDArray[np.bool_]:
    """Return a mask of labels of summary rows, such as "mean"; none if all labels are such."""
    parts = [str(label).split(", ") if unit == "split" else [label] for label in labels]
    sums = np.array([any(map(is_summary, part)) for part in parts], dtype=bool)
    return sums & ~sums.all()


def indexed_without_sums(scores: Any) -> tuple[Any, list[str]]:
    """Return a frame, or Series, without rows whose index says summary; and notes on them."""
    if isinstance(scores, Mapping):
        columns, all_notes = {}, dict[str, None]()
        for name, column in scores.items():
            columns[name], notes = indexed_without_sums(column)
            all_notes |= dict.fromkeys(notes)
        return (columns if all_notes else scores), list(all_notes)
    sums = sums_among(list(scores.index)) if hasattr(scores, "loc") else np.zeros(0, dtype=bool)
    if not sums.any():
        return scores, []
    return scores.loc[~sums], [SUMS + listed(scores.index[sums])]


def has_scores(missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the data sets (rows) on which enough systems (columns) have scores.

    With two systems, a data set with one score is kept: a later step reports its omission.
    """
    enough = (~missing).sum(axis=1) >= min(2, missing.shape[1] - 1)
    return enough if enough.any() else np.ones(len(missing), dtype=bool)


def compared_rows(table: ScoreTable) -> tuple[ScoreTable, list[str]]:
    """Return a table without summary rows and data sets with too few scores; and notes."""
    if table.unit != "dataset":
        return table, []
    names, sums = np.array(table.datasets, dtype=object), sums_among(table.datasets)
    few = ~has_scores(table.missing) & ~sums
    omitted = ((SUMS, names[sums]), (FEW, names[few]))
    notes = [reason + listed(labels) for reason, labels in omitted if len(labels)]
    return (table.rows_where(~(sums | few)) if notes else table), notes


def design_of(sample: Any, read: Sequence[str] = ()) -> dict[str, Any]:
    """Return the design of a sample for the report: its groups, or the sizes of its splits.

    `read` holds notes on how the scores were read.
    """
    design: dict[str, Any] = {}
    if getattr(sample, "groups", None) is not None:
        design = design_of_items("instance", sample.n_instances, sample.groups)
        design = with_shares(design, shares_of(np.column_stack(sample.columns), sample.groups))
    elif sample.unit == "split" and sample.n_train is not None and sample.n_test is not None:
        train, test = span(np.asarray(sample.n_train)), span(np.asarray(sample.n_test))
        rows = f"{sample.size_unit}s"
        design["kind"] = f"{sample.n_units} splits of one data set"
        design["notes"] = [f"trained on {train} {rows}, tested on {test}"]
    elif read and sample.unit == "dataset":
        design = design_of_items("dataset", sample.n_units)
    kind = f"{sample.n_units} {sample.unit}s"
    return {"kind": kind, **design, "read": [*read]} if read else design


def design_of_items(
    unit: str, n: int, groups: Any = None, counts: Any = None, of_repeats: str = ""
) -> dict[str, Any]:
    """Return a design with the numbers of items, groups and repeats."""
    kind, item = _KINDS.get(unit, _KINDS["instance"])
    notes = [f"{n} {item}s"]
    if groups is not None:
        sizes = np.bincount(groups)
        sizes = sizes[sizes > 0]
        s = "s" * (len(sizes) != 1)
        notes.append(f"{len(sizes)} group{s} of {span(sizes)} items")
    if counts is not None and counts.max() > 1:
        n_samples = span(counts[counts > 0])
        notes.append(f"{n_samples} samples of each {item}, {of_repeats}")
    design: dict[str, Any] = {"kind": kind, "notes": notes}
    return design | ({"instance": item} if unit == "instance" else {})


def variance_shares(
    means: Numbers,
    variances: Numbers,
    counts: NDArray[Any],
    groups: NDArray[np.int64] | None = None,
) -> dict[str, float] | None:
    """Estimate the variance components of the difference of two systems on an item.

    They come from the mean squares of a nested analysis of variance. For several systems they
    are averages over all pairs.

    Parameters
    ----------
    means, variances, counts : ndarray of shape (n_items, n_systems)
        Mean, variance and number of the samples of every item.
    groups : ndarray of shape (n_items,), optional
        Code of every item's group, from 0.

    Returns
    -------
    dict or None
        The components ``"groups"``, ``"items"`` and ``"samples"`` as far as they are known, the
        ``"standard_error"`` of a difference of means, and what it would be with twice as many
        samples of each item and with any number. None for a single item or group.
    """
    n, k = means.shape
    n_groups = n if groups is None else int(groups.max()) + 1
    if n < 2 or n_groups < 2:
        return None
    # The sum over pairs of squared differences is k times that of deviations from their mean.
    z = means - means.mean(axis=1, keepdims=True)
    z = z - z.mean(axis=0)
    per_pair = 2 / (k - 1)
    total, parts = per_pair * float(np.sum(z**2)), dict[str, float]()
    within = total / (n - 1)
    square = within / n
    if groups is not None:
        sizes = np.bincount(groups)
        sums = np.column_stack([np.bincount(groups, column) for column in z.T])
        if n > n_groups:  # else they are of one item each
            of_groups = per_pair * float(np.sum(sums**2 / sizes[:, None]))
            within = (total - of_groups) / (n - n_groups)
            size = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
            parts["groups"] = max(0.0, (of_groups / (n_groups - 1) - within) / size)
        square = n_groups / (n_groups - 1) * per_pair * float(np.sum(sums**2)) / n**2
    several = counts > 1
    if not several.any(axis=0).all():
        return parts | {"items": within, "standard_error": math.sqrt(square)}
    # An item with one sample is assumed to have the mean variance of the others.
    usual = np.mean(variances, axis=0, where=several)
    samples = 2 * float(np.mean(np.where(several, variances, usual) / counts))

    def error_with(factor: float) -> float:
        reduction = samples * (1 - 1 / factor) / n
        return math.sqrt(max(square / factor, square - reduction))

    return parts | {
        "items": max(0.0, within - samples),
        "samples": samples,
        "standard_error": error_with(1),
        "standard_error_with_twice_the_samples": error_with(2),
        "standard_error_with_any_number": error_with(math.inf),
        "n_samples": float(np.mean(counts)),
    }


def shares_of(scores: Numbers, groups: NDArray[np.int64]) -> dict[str, float] | None:
    """Return the variance components of items in groups, with one sample each."""
    single = np.full(scores.shape, np.nan), np.ones(scores.shape, dtype=np.int64)
    return variance_shares(scores, *single, groups)


def span(numbers: NDArray[Any]) -> str:
    """Return the smallest and the largest number as text, or the one number."""
    low, high = int(numbers.min()), int(numbers.max())
    return str(low) if low == high else f"{low} to {high}"


def with_shares(design: Mapping[str, Any], shares: dict[str, float] | None) -> dict[str, Any]:
    """Return a design with the variance components, if there are two or more."""
    shares = shares or {}
    parts = [(name, shares[name]) for name in ("groups", "items", "samples") if name in shares]
    total = sum(part for _, part in parts)
    if len(parts) < 2 or not total > 0:
        return dict(design)
    where = {"samples": "samples of an item"}
    texts = [f"{part / total:.0%} between {where.get(name, name)}" for name, part in parts]
    note = f"of the variance of an item's difference {', '.join(texts)}"
    if "samples" in shares:
        note += (
            f"; standard error {shares['standard_error']:.3g}, with twice the samples of each "
            f"item {shares['standard_error_with_twice_the_samples']:.3g}, with any number "
            f"{shares['standard_error_with_any_number']:.3g}"
        )
    notes = [*design.get("notes", ()), note]
    return {**design, "notes": notes, "variance": dict(shares)}


_MOST_SOURCES = 4


def notes_of(results: Results, limited: Sequence[tuple[str, int, int]]) -> list[str]:
    """Return notes on the sources of results; those of one file and task in one note."""
    by_source: dict[tuple[str, ...], list[str]] = {}
    for source in results.sources:
        key = (source.path, source.format, source.task, source.version)
        by_source.setdefault(key, []).append(source.system)
    if len(by_source) > _MOST_SOURCES:
        origins, formats = ({key[i]: None for key in by_source} for i in (0, 1))
        return [
            f"results of {len(results.sources)} systems from {len(origins)} places "
            f"({', '.join(formats)})"
        ]
    notes = []
    for (path, *facts), systems in by_source.items():
        subject = "results" if len(systems) > 1 or len(results.names) == 1 else systems[0]
        text = f"{subject} from {path or 'an object in memory'}"
        for what, fact in zip(("format", "task", "version"), facts, strict=True):
            text += f", {what} {fact}" if fact else ""
        parts = (f", {n} of {total} items" for name, n, total in limited if name in systems)
        notes.append(text + next(parts, ""))
    return notes


def facts_of(results: Results, names: Sequence[str], tables: Mapping[str, Numbers]) -> Facts:
    """Return the facts for doubts about results, with their tables of scores by metric.

    `names` are the systems in the columns of the tables.
    """
    names_of_kinds = {"task": "the task", "version": "its version"}
    differ, origins, limited = dict[str, None](), {}, []
    for kind, name, _ in differences(results.sources):
        differ[names_of_kinds.get(kind, name)] = None
    if results.content is not None:
        pairs = set(zip(results.item.tolist(), results.content.tolist(), strict=True))
        if len(pairs) > len(results.items):
            differ["the content of items"] = None
    for source in results.sources:
        system, n_all = source.system, source.n_expected
        if source.path:
            origins[system] = source.path, source.named or system
        if n_all is not None:
            n = len(set(results.item[results.system == system].tolist()))
            limited += [(system, n, n_all)] if 0 < n < n_all else []
    shared = len(set(origins.values())) < len(origins)
    same = _same_log(origins, names, tables) if shared else ()
    return Facts(limited=tuple(limited), evaluations_differ=tuple(differ), one_log_twice=same)


def _same_log(
    origins: Mapping[str, tuple[str, str]], names: Sequence[str], tables: Mapping[str, Numbers]
) -> tuple[str, ...]:
    """Return systems from one file, with one name in it, whose scores are all the same.

    Systems with different names in one file may just agree, as two perfect ones do.
    """
    by_scores: dict[tuple[Any, ...], list[str]] = {}
    for column, name in enumerate(names):
        if name in origins:
            scores = tuple(table[:, column].tobytes() for table in tables.values())
            by_scores.setdefault((origins[name], *scores), []).append(name)
    return next((tuple(names) for names in by_scores.values() if len(names) > 1), ())


# Words in the names of columns whose items may belong together.
_NAMES = """
    article author batch book case category chapter class client cluster community company
    context conversation country customer dataset dialog dialogue district doc document
    domain family field group hospital household image language manuscript movie paper
    paragraph participant passage patient person place product project prompt query region
    repo repository scene school session site source speaker story student subject task
    template text thread topic user video website worker writer
"""
_WORDS = frozenset(_NAMES.split())
# Level of the tests for clusters, for all columns together, and the smallest design effect that
# is reported.
_LEVEL = 0.01
_MIN_EFFECT = 1.2
# Draws per column: the smallest p-value is below the level by a factor of 2.
_DRAWS = 200
_MOST_SYSTEMS = 8


def unused_groups(
    cols: Mapping[str, Any], values: Numbers, mask: NDArray[np.bool_], items: NDArray[np.intp]
) -> tuple[tuple[str, int, float], ...]:
    """Find columns that group items with similar differences between the systems.

    The test permutes the labels, with the weighted mean square between groups as statistic. It
    is exact for groups of any sizes and differences of any distribution. The F test of an
    analysis of variance rejected up to 13 % of true null hypotheses, at a nominal 1 %, where
    few items differed and sizes were unequal.

    Parameters
    ----------
    cols : mapping of str to ndarray
        Columns of the rows that the caller gave no role.
    values : ndarray of shape (n_items, n_systems)
        Scores.
    mask : ndarray of bool, shape (n_items,)
        Mask of the items that are compared.
    items : ndarray of int, shape (n_rows,)
        Number of every row's item.

    Returns
    -------
    tuple of (str, int, float)
        Column, number of its groups, and the design effect: the variance of the mean difference
        divided by that for independent items (Kish, 1965, Survey Sampling).
    """
    labels = {}
    for name, column in cols.items():
        if any(word in _WORDS or word.removesuffix("s") in _WORDS for word in words_of(name)):
            codes = _codes(column, items, mask)
            n_groups = codes.max(initial=-1) + 1
            if 2 <= n_groups <= len(codes) / 2:
                labels[name] = codes
    if not labels:
        return ()
    values = values[mask]
    if values.shape[1] > _MOST_SYSTEMS:
        values = values[:, np.argsort(values.var(axis=0))[-_MOST_SYSTEMS:]]
    if values.shape[1] == 1:  # compared with a constant
        values = np.column_stack([values, np.zeros(len(values))])
    residuals = values - values.mean(axis=1, keepdims=True)
    residuals -= residuals.mean(axis=0)
    clustered = []
    for name, codes in labels.items() if residuals.any() else ():
        sizes = np.bincount(codes)
        parts = shares_of(values, codes) or {}
        icc = parts["groups"] / (parts["groups"] + parts["items"])
        effect = 1 + (float((sizes**2).sum()) / len(codes) - 1) * icc
        if effect > _MIN_EFFECT and _differ_by_group(residuals, codes, sizes, len(labels)):
            clustered.append((name, len(sizes), effect))
    return tuple(clustered)


def _codes(column: Any, items: NDArray[np.intp], mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the group of every item; empty if an item is in several groups."""
    # Items without a label form one group.
    labels = [str(None if label is None or label != label else label) for label in column]
    codes = np.unique(labels, return_inverse=True)[1]
    item_codes = codes[np.unique(items, return_index=True)[1]]
    constant = (codes == item_codes[items]).all()
    return np.unique(item_codes[mask if constant else []], return_inverse=True)[1]


def _differ_by_group(
    residuals: Numbers, codes: NDArray[np.int64], sizes: NDArray[np.int64], n_columns: int
) -> bool:
    """Whether groups differ significantly, by permutations of their labels."""

    def between(codes: NDArray[np.int64]) -> float:
        """Return the sum of squares between groups, over all columns."""
        sums = [np.bincount(codes, column) for column in residuals.T]
        return float((np.square(sums) / sizes).sum())

    n_draws = _DRAWS * n_columns - 1
    allowed = _LEVEL / n_columns * (n_draws + 1) - 1
    rng = np.random.default_rng(0)  # for reproducible reports
    observed, n_reached = between(codes) * (1 - 1e-12), 0
    for _ in range(n_draws):
        n_reached += between(rng.permutation(codes)) >= observed
        if n_reached > allowed:
            return False
    return True
