"""What is said of scores that were read: designs, sums, sources, and what of it is doubtful."""

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
# Kind of the design by the unit, and what one of it is called.
_KINDS = {
    "instance": ("one set of items", "item"),
    "dataset": ("a table of data sets", "data set"),
    "seed": ("scores of seeds", "seed"),
    "split": ("scores of splits", "split"),
}
# Why rows are left out, before their names.
SUMS = "left out, since they sum others up: "
FEW = "left out, with fewer than two scores: "


def sums_among(labels: Sequence[Any], unit: str = "") -> NDArray[np.bool_]:
    """Say which labels are those of rows that sum the others up; none if all are."""
    parts = [str(label).split(", ") if unit == "split" else [label] for label in labels]
    sums = np.array([any(map(is_summary, each)) for each in parts], dtype=bool)
    return sums & ~sums.all()


def indexed_without_sums(scores: Any) -> tuple[Any, list[str]]:
    """Leave such rows out of a frame, or of Series, whose index names the rows."""
    if isinstance(scores, Mapping):
        kept, said = {}, dict[str, None]()
        for name, column in scores.items():
            kept[name], notes = indexed_without_sums(column)
            said |= dict.fromkeys(notes)
        return (kept if said else scores), list(said)
    sums = sums_among(list(scores.index)) if hasattr(scores, "loc") else np.zeros(0, dtype=bool)
    if not sums.any():
        return scores, []
    return scores.loc[~sums], [SUMS + listed(scores.index[sums])]


def has_scores(missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which data sets (rows) have scores of systems (columns) to be compared.

    Of two systems a data set with a score of one is kept: the report says that it is left out.
    """
    enough = (~missing).sum(axis=1) >= min(2, missing.shape[1] - 1)
    return enough if enough.any() else np.ones(len(missing), dtype=bool)


def compared_rows(table: ScoreTable) -> tuple[ScoreTable, list[str]]:
    """Leave out data sets that sum others up or that too few systems have scores on."""
    if table.unit != "dataset":
        return table, []
    names, sums = np.array(table.datasets, dtype=object), sums_among(table.datasets)
    few = ~has_scores(table.missing) & ~sums
    left = ((SUMS, names[sums]), (FEW, names[few]))
    said = [why + listed(labels) for why, labels in left if len(labels)]
    return (table.rows_where(~(sums | few)) if said else table), said


def design_of(sample: Any, read: Sequence[str] = ()) -> dict[str, Any]:
    """Facts for the report on a sample, and what was read in another way than it stands there.

    They are of groups, or of the sizes of splits where the caller gave both.
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
    """Facts for the report: how many items, groups and repeats there are."""
    kind, item = _KINDS.get(unit, _KINDS["instance"])
    notes = [f"{n} {item}s"]
    if groups is not None:
        sizes = np.bincount(groups)
        sizes = sizes[sizes > 0]
        s = "s" * (len(sizes) != 1)
        notes.append(f"{len(sizes)} group{s} of {span(sizes)} items")
    if counts is not None and counts.max() > 1:
        each = span(counts[counts > 0])
        notes.append(f"{each} samples of each {item}, {of_repeats}")
    found: dict[str, Any] = {"kind": kind, "notes": notes}
    return found | ({"instance": item} if unit == "instance" else {})


def variance_shares(
    means: Numbers,
    variances: Numbers,
    counts: NDArray[Any],
    groups: NDArray[np.int64] | None = None,
) -> dict[str, float] | None:
    """Estimate the parts of the variance of an item's difference between two systems.

    By mean squares of the nested analysis of variance: of several systems they are the
    averages of all pairs.

    Parameters
    ----------
    means, variances, counts : ndarray of shape (n_items, n_systems)
        Mean of the samples of every item, their variance, and how many there are.
    groups : ndarray of shape (n_items,), optional
        Code of every item's group, from 0.

    Returns
    -------
    dict or None
        The parts ``"groups"``, ``"items"`` and ``"samples"`` as far as they are known, the
        ``"standard_error"`` of a difference of means, and what it would be with twice as many
        samples of each item and with any number. None of a single item or group.
    """
    n, k = means.shape
    n_groups = n if groups is None else int(groups.max()) + 1
    if n < 2 or n_groups < 2:
        return None
    # The sum over pairs of squared differences is k times that of deviations from their mean.
    z = means - means.mean(axis=1, keepdims=True)
    z = z - z.mean(axis=0)
    of_pairs = 2 / (k - 1)
    total, parts = of_pairs * float(np.sum(z**2)), dict[str, float]()
    within = total / (n - 1)
    square = within / n
    if groups is not None:
        sizes = np.bincount(groups)
        sums = np.column_stack([np.bincount(groups, column) for column in z.T])
        if n > n_groups:  # else they are of one item each
            of_groups = of_pairs * float(np.sum(sums**2 / sizes[:, None]))
            within = (total - of_groups) / (n - n_groups)
            size = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
            parts["groups"] = max(0.0, (of_groups / (n_groups - 1) - within) / size)
        square = n_groups / (n_groups - 1) * of_pairs * float(np.sum(sums**2)) / n**2
    several = counts > 1
    if not several.any(axis=0).all():
        return parts | {"items": within, "standard_error": math.sqrt(square)}
    # An item with one sample is taken to have the variance of the others.
    usual = np.mean(variances, axis=0, where=several)
    samples = 2 * float(np.mean(np.where(several, variances, usual) / counts))

    def error_with(factor: float) -> float:
        less = samples * (1 - 1 / factor) / n
        return math.sqrt(max(square / factor, square - less))

    return parts | {
        "items": max(0.0, within - samples),
        "samples": samples,
        "standard_error": error_with(1),
        "standard_error_with_twice_the_samples": error_with(2),
        "standard_error_with_any_number": error_with(math.inf),
        "n_samples": float(np.mean(counts)),
    }


def shares_of(scores: Numbers, groups: NDArray[np.int64]) -> dict[str, float] | None:
    """Return the parts of the variance of items with one sample each, which are in groups."""
    once = np.full(scores.shape, np.nan), np.ones(scores.shape, dtype=np.int64)
    return variance_shares(scores, *once, groups)


def span(numbers: NDArray[Any]) -> str:
    """Write a number, or the least and the largest."""
    low, high = int(numbers.min()), int(numbers.max())
    return str(low) if low == high else f"{low} to {high}"


def with_shares(design: Mapping[str, Any], shares: dict[str, float] | None) -> dict[str, Any]:
    """Add the parts of the variance to a design, where there are two or more."""
    known = shares or {}
    parts = [(name, known[name]) for name in ("groups", "items", "samples") if name in known]
    total = sum(part for _, part in parts)
    if len(parts) < 2 or not total > 0:
        return dict(design)
    where = {"samples": "samples of an item"}
    each = [f"{part / total:.0%} between {where.get(name, name)}" for name, part in parts]
    said = f"of the variance of an item's difference {', '.join(each)}"
    if "samples" in known:
        said += (
            f"; standard error {known['standard_error']:.3g}, with twice the samples of each "
            f"item {known['standard_error_with_twice_the_samples']:.3g}, with any number "
            f"{known['standard_error_with_any_number']:.3g}"
        )
    notes = [*design.get("notes", ()), said]
    return {**design, "notes": notes, "variance": dict(known)}


_MOST_SOURCES = 4


def notes_of(results: Results, limited: Sequence[tuple[str, int, int]]) -> list[str]:
    """Say where results came from; sources of one place and task in one sentence."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for source in results.sources:
        key = (source.path, source.format, source.task, source.version)
        alike.setdefault(key, []).append(source.system)
    if len(alike) > _MOST_SOURCES:
        places, formats = ({key[i]: None for key in alike} for i in (0, 1))
        return [
            f"results of {len(results.sources)} systems from {len(places)} places "
            f"({', '.join(formats)})"
        ]
    said = []
    for (path, *facts), systems in alike.items():
        of = "results" if len(systems) > 1 or len(results.names) == 1 else systems[0]
        text = f"{of} from {path or 'an object in memory'}"
        for what, fact in zip(("format", "task", "version"), facts, strict=True):
            text += f", {what} {fact}" if fact else ""
        parts = (f", {n} of {total} items" for name, n, total in limited if name in systems)
        said.append(text + next(parts, ""))
    return said


def facts_of(results: Results, names: Sequence[str], tables: Mapping[str, Numbers]) -> Facts:
    """Return what the doubts go by, of results and their tables by metric.

    `names` are those of the columns of the tables.
    """
    words = {"task": "the task", "version": "its version"}
    differ, places, limited = dict[str, None](), {}, []
    for kind, name, _ in differences(results.sources):
        differ[words.get(kind, name)] = None
    if results.content is not None:
        pairs = set(zip(results.item.tolist(), results.content.tolist(), strict=True))
        if len(pairs) > len(results.items):
            differ["the content of items"] = None
    for source in results.sources:
        system, n_all = source.system, source.n_expected
        if source.path:
            places[system] = source.path, source.named or system
        if n_all is not None:
            n = len(set(results.item[results.system == system].tolist()))
            limited += [(system, n, n_all)] if 0 < n < n_all else []
    several = len(set(places.values())) < len(places)
    twice = _twice(places, names, tables) if several else ()
    return Facts(limited=tuple(limited), evaluations_differ=tuple(differ), one_log_twice=twice)


def _twice(
    places: Mapping[str, tuple[str, str]], names: Sequence[str], tables: Mapping[str, Numbers]
) -> tuple[str, ...]:
    """Systems of one place, and of one name there, whose scores are all the same.

    Systems with names of their own in one table are two that agree: both may be perfect.
    """
    alike: dict[tuple[Any, ...], list[str]] = {}
    for column, name in enumerate(names):
        if name in places:
            scores = tuple(table[:, column].tobytes() for table in tables.values())
            alike.setdefault((places[name], *scores), []).append(name)
    return next((tuple(names) for names in alike.values() if len(names) > 1), ())


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
# The level at which items of one group are said to be alike, for all columns together, and
# from which factor on the variance that they miss matters.
_LEVEL = 0.01
_LEAST_EFFECT = 1.2
# Draws per column: the smallest p-value is below the level by a factor of 2.
_DRAWS = 200
_MOST_SYSTEMS = 8


def unused_groups(
    rest: Mapping[str, Any], values: Numbers, kept: NDArray[np.bool_], items: NDArray[np.intp]
) -> tuple[tuple[str, int, float], ...]:
    """Find columns whose items are alike in the differences of the systems.

    The labels are permuted, with the weighted mean square of the groups as the statistic: the
    test is exact whatever the sizes of the groups and the law of the differences. The F test
    of an analysis of variance found alike items in up to 13 % of tables without any where
    few items differed and sizes were unequal, at a nominal 1 %.

    Parameters
    ----------
    columns : mapping of str to ndarray
        Columns of the rows that nothing was said of.
    values : ndarray of shape (n_items, n_systems)
        Scores.
    kept : ndarray of bool, shape (n_items,)
        Items that are compared.
    items : ndarray of int, shape (n_rows,)
        Number of every row's item.

    Returns
    -------
    tuple of (str, int, float)
        Column, number of its groups, and the variance of the mean difference over what
        independent items would give (Kish, 1965, Survey Sampling).
    """
    labels = {}
    for name, column in rest.items():
        if any(word in _WORDS or word.removesuffix("s") in _WORDS for word in words_of(name)):
            codes = _codes(column, items, kept)
            n_groups = codes.max(initial=-1) + 1
            if 2 <= n_groups <= len(codes) / 2:
                labels[name] = codes
    if not labels:
        return ()
    values = values[kept]
    if values.shape[1] > _MOST_SYSTEMS:
        values = values[:, np.argsort(values.var(axis=0))[-_MOST_SYSTEMS:]]
    if values.shape[1] == 1:  # it is compared with a constant
        values = np.column_stack([values, np.zeros(len(values))])
    residuals = values - values.mean(axis=1, keepdims=True)
    residuals -= residuals.mean(axis=0)
    found = []
    for name, codes in labels.items() if residuals.any() else ():
        sizes = np.bincount(codes)
        parts = shares_of(values, codes) or {}
        alike = parts["groups"] / (parts["groups"] + parts["items"])
        effect = 1 + (float((sizes**2).sum()) / len(codes) - 1) * alike
        if effect > _LEAST_EFFECT and _are_alike(residuals, codes, sizes, len(labels)):
            found.append((name, len(sizes), effect))
    return tuple(found)


def _codes(column: Any, items: NDArray[np.intp], kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the group of every item; none where an item is in several groups."""
    # Items without a label have one of their own together.
    labels = [str(None if label is None or label != label else label) for label in column]
    codes = np.unique(labels, return_inverse=True)[1]
    of_items = codes[np.unique(items, return_index=True)[1]]
    one = (codes == of_items[items]).all()
    return np.unique(of_items[kept if one else []], return_inverse=True)[1].astype(np.int64)


def _are_alike(
    residuals: Numbers, codes: NDArray[np.int64], sizes: NDArray[np.int64], n_columns: int
) -> bool:
    """Whether groups differ by more than chance, by permutations of their labels."""

    def between(codes: NDArray[np.int64]) -> float:
        """Sum of squares between groups, of all columns."""
        sums = [np.bincount(codes, column) for column in residuals.T]
        return float((np.square(sums) / sizes).sum())

    n_draws = _DRAWS * n_columns - 1
    allowed = _LEVEL / n_columns * (n_draws + 1) - 1
    rng = np.random.default_rng(0)  # of the same results always the same
    observed, reached = between(codes) * (1 - 1e-12), 0
    for _ in range(n_draws):
        reached += between(rng.permutation(codes)) >= observed
        if reached > allowed:
            return False
    return True
