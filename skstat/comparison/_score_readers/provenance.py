"""Where results came from: said in the report, and what of it is doubtful."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat._columns import words_of
from skstat.io import Results, Source
from skstat.io._join import differences
from skstat.report._doubts import Facts

_MOST_SOURCES = 4


def notes_of(results: Results) -> list[str]:
    """Say where results came from; sources of one place and task in one sentence."""
    alike: dict[tuple[str, ...], list[Source]] = {}
    for source in results.sources:
        key = (source.path, source.format, source.task, source.version)
        alike.setdefault(key, []).append(source)
    known = [_said(sources, results) for sources in alike.values()]
    if len(known) <= _MOST_SOURCES:
        return known
    places = {source.path for source in results.sources}
    formats = ", ".join(dict.fromkeys(source.format for source in results.sources))
    return [f"results of {len(results.sources)} systems from {len(places)} places ({formats})"]


def _said(sources: Sequence[Source], results: Results) -> str:
    first = sources[0]
    of = "results" if len(sources) > 1 or len(results.names) == 1 else first.system
    told = {"format": first.format, "task": first.task, "version": first.version}
    bits = [f"{of} from {first.path or 'an object in memory'}"]
    bits += [f"{what} {fact}" for what, fact in told.items() if fact]
    for _, n, total in limited_of(results, sources)[:1]:
        bits.append(f"{n} of {total} items")
    return ", ".join(bits)


def limited_of(
    results: Results, sources: Sequence[Source] | None = None
) -> tuple[tuple[str, int, int], ...]:
    """Systems that were evaluated on fewer items than their tasks have."""
    found = []
    for source in results.sources if sources is None else sources:
        if source.n_expected is None or source.system not in results.names:
            continue
        n = len(set(results.item[results.system == source.system].tolist()))
        if n < source.n_expected:
            found.append((source.system, n, source.n_expected))
    return tuple(found)


def facts_of(
    results: Results, names: Sequence[str], tables: Mapping[str, NDArray[np.float64]]
) -> Facts:
    """Return what the doubts go by, of results and their tables by metric.

    `names` are those of the columns of the tables.
    """
    return Facts(
        limited=limited_of(results),
        evaluations_differ=tuple(_differing(results)),
        one_log_twice=_twice(results, names, tables),
    )


def _differing(results: Results) -> list[str]:
    """Say in what the evaluations of the systems differ."""
    words = {"task": "the task", "version": "its version"}
    differ = [words.get(kind, name) for kind, name, _ in differences(results.sources)]
    found = list(dict.fromkeys(differ))
    if results.content is not None:
        pairs = set(zip(results.item.tolist(), results.content.tolist(), strict=True))
        n_other = len(pairs) - len(results.items)
        if n_other > 0:
            found.append("the content of items")
    return found


def _twice(
    results: Results, names: Sequence[str], tables: Mapping[str, NDArray[np.float64]]
) -> tuple[str, ...]:
    """Systems of one place, and of one name there, whose scores are all the same.

    Systems with names of their own in one table are two that agree: both may be perfect.
    """
    places = {
        source.system: (source.path, source.named or source.system)
        for source in results.sources
        if source.path
    }
    alike: dict[tuple[Any, ...], list[str]] = {}
    for column, name in enumerate(names):
        if name in places:
            scores = tuple(table[:, column].tobytes() for table in tables.values())
            alike.setdefault((places[name], *scores), []).append(name)
    return next((tuple(names) for names in alike.values() if len(names) > 1), ())


Numbers = NDArray[np.float64]
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
    columns: Mapping[str, Any],
    values: Numbers,
    kept: NDArray[np.bool_],
    items: NDArray[np.intp],
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
    labels = {
        name: codes
        for name, column in columns.items()
        if any(word in _WORDS or word.removesuffix("s") in _WORDS for word in words_of(name))
        and (codes := _codes(column, items, kept)) is not None
    }
    residuals = _residuals(values[kept])
    if not labels or not residuals.any():
        return ()
    found = []
    for name, codes in labels.items():
        sizes = np.bincount(codes)
        effect = _design_effect(residuals, codes, sizes)
        if effect > _LEAST_EFFECT and _are_alike(residuals, codes, sizes, len(labels)):
            found.append((name, len(sizes), effect))
    return tuple(found)


def _codes(
    column: Any, items: NDArray[np.intp], kept: NDArray[np.bool_]
) -> NDArray[np.int64] | None:
    """Return the group of every item; None where an item is in several groups."""
    # Items without a label have one of their own together.
    labels = [str(None if label is None or label != label else label) for label in column]
    codes = np.unique(labels, return_inverse=True)[1]
    of_items = codes[np.unique(items, return_index=True)[1]]
    if (codes != of_items[items]).any():
        return None  # one item is in several
    own = np.unique(of_items[kept], return_inverse=True)[1].astype(np.int64)
    n_groups = int(own.max()) + 1
    return own if 2 <= n_groups <= len(own) / 2 else None


def _residuals(values: Numbers) -> Numbers:
    """Return what is left of scores without the items' and the systems' means."""
    if values.shape[1] > _MOST_SYSTEMS:
        values = values[:, np.argsort(values.var(axis=0))[-_MOST_SYSTEMS:]]
    if values.shape[1] > 1:
        values = values - values.mean(axis=1, keepdims=True)
    return values - values.mean(axis=0)


def _between(residuals: Numbers, codes: NDArray[np.int64], sizes: NDArray[np.int64]) -> float:
    """Sum of squares between groups, of all columns."""
    sums = [np.bincount(codes, column, minlength=len(sizes)) for column in residuals.T]
    return float(sum((own**2 / sizes).sum() for own in sums))


def _design_effect(
    residuals: Numbers, codes: NDArray[np.int64], sizes: NDArray[np.int64]
) -> float:
    """Return ``1 + (sum(n_g^2) / n - 1) * ICC``, with the ICC of an analysis of variance."""
    n, n_groups = len(codes), len(sizes)
    between = _between(residuals, codes, sizes)
    within = max(float((residuals**2).sum()) - between, 0.0)
    square_between, square_within = between / (n_groups - 1), within / max(n - n_groups, 1)
    mean_size = float((sizes**2).sum()) / n
    usual = (n - mean_size) / (n_groups - 1)
    total = square_between + (usual - 1) * square_within
    icc = (square_between - square_within) / total if total > 0 else 0.0
    return 1 + (mean_size - 1) * icc


def _are_alike(
    residuals: Numbers, codes: NDArray[np.int64], sizes: NDArray[np.int64], n_columns: int
) -> bool:
    """Whether groups differ by more than chance, by permutations of their labels."""
    n_draws = _DRAWS * n_columns - 1
    allowed = _LEVEL / n_columns * (n_draws + 1) - 1
    rng = np.random.default_rng(0)  # of the same results always the same
    observed = _between(residuals, codes, sizes) * (1 - 1e-12)
    reached = 0
    for _ in range(n_draws):
        reached += _between(residuals, rng.permutation(codes), sizes) >= observed
        if reached > allowed:
            return False
    return True
