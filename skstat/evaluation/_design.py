"""The design of a run: splits fixed once, and what they are."""

import re
import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from typing import Any, Literal

import numpy as np
from sklearn import model_selection
from sklearn.utils.metadata_routing import get_routing_for_object

from skstat.evaluation import _splitters as splitters
from skstat.evaluation._data import Data, check_random_state, draw_seed
from skstat.stats import Reference, RowContributions, ScoreTable

_NO_SEED = object()
_DRAWN = {
    model_selection.ShuffleSplit: "random",
    model_selection.StratifiedShuffleSplit: "stratified random",
    model_selection.GroupShuffleSplit: "random group",
}
Split = tuple[np.ndarray, np.ndarray]


@dataclass(kw_only=True, eq=False)
class Design:
    """Training and test rows of every split, and the facts that tests depend on.

    The facts are read from the rows themselves, not from the splitter's class, so
    that they hold for any splitter and any iterable of splits. Two facts cannot be:
    `only_for` says what splits are for that a test must not take for one sample; `n_blocks` is
    the number of blocks of rows, where every split leaves out two of them and scores each.
    Sizes count different rows: copies of a row add nothing new. `halves` are repeated halves of
    the same rows, from which the variance of the scores on these splits is found, where the
    splits themselves do not tell it. `folds_fit` says of such halves by themselves whether
    folds that train on nine tenths could be put beside them.

    Attributes
    ----------
    n_repeats : int or None
        Complete partitions that the test sets form, one after the other.
    splits_per_repeat : int
        Leading splits in which no row is tested twice.
    ordered : bool
        Whether every training set lies before its test set, as in time series.
    splits_groups : bool
        Whether some group has rows on both sides of a split.
    size_unit : {"row", "group"}
        What sizes of splits count: groups, where they are kept together.
    n_groups : int or None
        Number of groups, where they are kept together.
    row_sizes, sizes : ndarray of int of shape (2, n_splits)
        Training and test sizes: different rows, and what `size_unit` names.
    n_scored : ndarray of int of shape (n_splits,) or (n_splits, 2)
        Test rows behind every score: of splits, or of both blocks of every split.
    folds : ndarray of int of shape (n_repeats, n_samples), or None
        Fold that tests each row. None unless the splits are complete partitions of the rows,
        out of their order, and every row that is not tested is trained on.
    """

    splits: tuple[Split, ...]
    n_samples: int
    splitter: str
    drawn: str = ""
    only_for: str = ""
    n_blocks: int | None = None
    groups: np.ndarray | None = None
    random_state: int | None = None
    unseeded: bool = False
    notes: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    halves: "Design | None" = None
    folds_fit: bool = False

    def __post_init__(self) -> None:
        groups, n_samples = self.groups, self.n_samples
        self.n_splits = len(self.splits)
        self.ordered, self.splits_groups = True, False
        for train, test in self.splits:
            self.ordered = self.ordered and bool(train.max() < test.min())
            if groups is not None and not self.splits_groups:
                self.splits_groups = bool(np.isin(groups[test], groups[train]).any())
        self.n_groups: int | None = None
        self.row_sizes = self.sizes = _counted(self.splits, np.arange(n_samples))
        if groups is not None and not self.splits_groups:
            labels, codes = np.unique(groups, return_inverse=True)
            self.n_groups, self.sizes = len(labels), _counted(self.splits, codes)
        self.size_unit: Literal["row", "group"] = "row" if self.n_groups is None else "group"
        self.n_scored = _scored_sizes(self.row_sizes[1], self.n_blocks)
        self.n_repeats = _n_partitions(self.splits, n_samples)
        n_folds = self.splits_per_repeat = self.n_splits // (self.n_repeats or self.n_splits)
        self.folds: np.ndarray | None = None
        self._uses_all_rows = bool((self.row_sizes.sum(axis=0) == n_samples).all())
        if self.n_repeats and not self.ordered and self._uses_all_rows:
            self.folds = np.empty((self.n_repeats, n_samples), dtype=np.int64)
            for split, (_, test) in enumerate(self.splits):
                self.folds[split // n_folds, test] = split % n_folds

    @cached_property
    def out_of_bag(self) -> bool:
        """Whether as many rows or groups as there are were drawn, and the others tested."""
        if not self._uses_all_rows:
            return False
        each = np.arange(self.n_samples)
        if self.groups is not None and self.size_unit == "group":
            each = np.unique(self.groups, return_index=True)[1]
        drawn = (np.bincount(train, minlength=self.n_samples)[each] for train, _ in self.splits)
        return all(times.sum() == len(each) for times in drawn)

    @cached_property
    def repeated_splits(self) -> int:
        """Splits whose test rows are those of an earlier one."""
        return self.n_splits - len({np.sort(test).tobytes() for _, test in self.splits})

    @cached_property
    def kind(self) -> str:
        """Name of the design in words."""
        if self.only_for:
            return self.drawn
        if self.ordered:
            return f"{self.n_splits} splits in row order"
        if self.n_repeats is None and self.out_of_bag:
            of = " of groups" if self.size_unit == "group" else ""
            samples = f"{self.drawn} bootstrap samples".strip()
            return f"{self.n_splits} {samples}{of}, tested out of bag"
        if self.n_repeats is None:
            words = ["one" if self.n_splits == 1 else f"{self.n_splits}", self.drawn]
            return " ".join([*filter(None, words), "split" + "s" * (self.n_splits > 1)])
        folds = self.splits_per_repeat
        if folds == self.n_samples:
            return "leave-one-out cross-validation"
        if self.n_repeats == 1:
            return f"{folds}-fold cross-validation"
        return f"{self.n_repeats}x{folds}-fold cross-validation"

    def stratifies(self, classes: np.ndarray) -> bool:
        """Whether every test set holds its share of each class, up to one row."""
        shares = np.bincount(classes) / self.n_samples
        for rows in chain.from_iterable(map(self.scored_rows, range(self.n_splits))):
            held = np.bincount(classes[rows], minlength=len(shares))
            if (np.abs(held - len(rows) * shares) > 1).any():
                return False
        return True

    def scored_rows(self, split: int) -> list[np.ndarray]:
        """Test rows of a split, by the parts that are scored apart."""
        test = self.splits[split][1]
        return [test] if self.n_blocks is None else np.split(test, self.n_scored[split, :1])

    def units(self) -> dict[str, Any]:
        """Return the splits in the terms of a sample of `skstat.stats`.

        Splits that are not one sample are refused: a test would treat them as one. Of those
        that leave two blocks out, `table` makes a sample of the scores of blocks.
        """
        if self.only_for:
            raise ValueError(
                f"cv={self.splitter} makes splits ({self.kind}) whose scores are not one "
                f"sample. They are for {self.only_for}. For anything else leave cv out, or "
                "pass random splits or folds."
            )
        n_train, n_test = self.sizes
        return {
            "unit": "split",
            "n_train": n_train,
            "n_test": n_test,
            "n_repeats": self.n_repeats,
            "size_unit": self.size_unit,
            "ordered": self.ordered,
        }

    @property
    def fewest_tested(self) -> int:
        """Rows of the smallest test set, or of the smallest block."""
        sizes = self.n_scored
        return int(sizes.min() if self.n_blocks is None else self.n_samples - sizes.max())

    def table(
        self, scores: Any, names: Sequence[str], rows: RowContributions | None = None
    ) -> ScoreTable:
        """Make the sample of scores, of the shape of `n_scored` and an axis of estimators."""
        if self.n_blocks is None:
            return ScoreTable(scores, systems=names, rows=rows, **self.units())
        n_train, n_test = self.sizes
        sizes = np.stack([n_train, n_train], axis=1), _scored_sizes(n_test, self.n_blocks)
        blocks, train, test = (_by_block(values, self.n_blocks) for values in (scores, *sizes))
        facts: dict[str, Any] = {"n_train": train, "n_test": test, "n_blocks": self.n_blocks}
        return ScoreTable(blocks, systems=names, size_unit=self.size_unit, **facts)

    def null_table(self, *, with_rows: bool = False) -> ScoreTable:
        """Make a sample in which two systems score the same on all splits, before any fit.

        With what rows contributed only for designs that have `folds`.
        """
        rows = None
        if with_rows and self.folds is not None:
            rows = RowContributions(np.zeros((*self.folds.shape, 2)), self.folds)
            if self.groups is not None and self.n_groups:
                rows = rows.by_group(self.groups)
            if self.halves is not None:
                rows = replace(rows, halves=self.halves.null_table(with_rows=True).rows)
        return self.table(np.zeros((*self.n_scored.shape, 2)), ("A", "B"), rows)

    def describe(
        self, notes: Sequence[str] = (), *, nine_tenths: bool = False
    ) -> dict[str, Any]:
        """Return the design as plain values, for reports, with notes of their own.

        With `nine_tenths` also how the question is asked of learners trained on nine tenths of
        the rows, where the rows allow it.
        """
        n_train, n_test = self.sizes
        facts: dict[str, Any] = {
            "kind": self.kind,
            "splitter": self.splitter,
            "n_splits": self.n_splits,
            "n_samples": self.n_samples,
            "train_size": _span(self.row_sizes[0]),
            "test_size": _span(self.n_scored),
        }
        if self.size_unit == "group":
            facts["train_groups"] = _span(n_train)
            facts["test_groups"] = _span(_scored_sizes(n_test, self.n_blocks))
        if self.random_state is not None:
            facts["random_state"] = self.random_state
        if nine_tenths and self.folds_fit:
            n_fits = self.n_splits + splitters.FITS_OF_FOLDS
            facts["larger"] = {"train_size": 0.9, "n_fits": n_fits}
        references = self.references
        if self.halves is not None:
            of_halves = self.halves.describe()
            shown = ("kind", "splitter", "n_splits", "train_size")
            facts["halves"] = {name: of_halves[name] for name in shown}
            references = tuple(dict.fromkeys((*references, *self.halves.references)))
        if references:
            facts["references"] = [work.to_dict() for work in references]
        if self.notes or notes:
            facts["notes"] = [*notes, *self.notes]
        return facts


def _counted(splits: Sequence[Split], units: np.ndarray) -> np.ndarray:
    """Numbers of different units in training and test sets, of shape (2, n_splits)."""
    counts = np.empty((2, len(splits)), dtype=np.int64)
    for number, split in enumerate(splits):
        for side, rows in enumerate(split):
            counts[side, number] = np.count_nonzero(np.bincount(units[rows]))
    return counts


def _n_partitions(splits: Sequence[Split], n_samples: int) -> int | None:
    """Complete partitions that the test sets form, one after the other; None if they do not."""
    tests = [test for _, test in splits]
    n_folds = int(np.searchsorted(np.cumsum([*map(len, tests)]), n_samples)) + 1
    for first in range(0, len(tests), n_folds):
        times = np.bincount(np.concatenate(tests[first : first + n_folds]), minlength=n_samples)
        if n_folds < 2 or len(tests) % n_folds or (times != 1).any():
            return None
    return len(tests) // n_folds


def _scored_sizes(sizes: np.ndarray, n_blocks: int | None) -> np.ndarray:
    """Test sizes behind the scores: of splits, or of both blocks of every split."""
    if n_blocks is None:
        return sizes
    # The first sets are of block 0 and each of the others; the next one is of blocks 1 and 2.
    first = (sizes[0] + sizes[1] - sizes[n_blocks - 1]) // 2
    blocks = np.append(first, sizes[: n_blocks - 1] - first)
    return blocks[list(combinations(range(n_blocks), 2))]


def _by_block(values: np.ndarray, n_blocks: int) -> np.ndarray:
    """Put values of both blocks of every split, (n_splits, 2, ...), in the order of a sample.

    That is the order of a matrix whose row g and column h are block h where g and h were left
    out, without its diagonal.
    """
    first, second = np.transpose(list(combinations(range(n_blocks), 2)))
    matrix = np.full((n_blocks, n_blocks, *values.shape[2:]), np.nan)
    matrix[second, first], matrix[first, second] = values[:, 0], values[:, 1]
    return matrix[~np.eye(n_blocks, dtype=bool)]


def check_folds(design: Design) -> None:
    """Refuse folds whose scores cannot have the variance of halves beside them."""
    folds, why = design.folds, ""
    instead = f"RepeatedKFold(n_splits={splitters.DEFAULT_FOLDS}, n_repeats=2)"
    if folds is None or design.n_splits != splitters.DEFAULT_FOLDS * len(folds):
        why = f"no valid test is known for {design.kind} beside halves"
    elif len(folds) < 2:
        why = "one repetition does not tell how much of what a row contributes is chance"
    elif design.splits_groups:
        why = "the folds split groups, which the halves beside them keep together"
        instead = instead.replace("KFold", "GroupKFold")
    if why:
        raise ValueError(
            f"train_size=0.9 with cv={design.splitter}: {why}. Leave cv out, or pass {instead}."
        )


def check_splitter(cv: Any) -> None:
    """Refuse what cannot split anything."""
    if isinstance(cv, type):
        raise TypeError(f"cv is the class {cv.__name__}; pass an instance: {cv.__name__}().")
    try:
        model_selection.check_cv(cv)
    except ValueError as error:
        raise ValueError(f"cv={reprlib.repr(cv)}: {error}") from None


def make_design(
    cv: Any, data: Data, *, random_state: Any = None, weights: Any = None, **options: Any
) -> Design:
    """Fix the splits once, so that every estimator is scored on the same ones."""
    check_splitter(cv)
    check_random_state(random_state)
    if cv is None:
        cv = splitters.repeated_halves(data, draw_seed(random_state))
    splitter = model_selection.check_cv(cv, data.y, classifier=data.stratifiable)
    # Consumed here and never again: a splitter that shuffles without a seed, or a
    # generator, would give each estimator splits of its own.
    try:
        pairs = list(splitter.split(data.X, data.y, data.groups))
    except (TypeError, ValueError) as error:
        if splitter is not cv and not isinstance(cv, int | np.integer):  # given pairs
            raise TypeError(
                f"cv={reprlib.repr(cv)} must hold pairs of training and test rows."
            ) from error
        message = f"cv={cv!r} cannot split this data: {error}"
        if data.groups is None and "groups" in get_routing_for_object(splitter).split.requests:
            message = f"{message.rstrip('.')}. Pass groups=."
        raise ValueError(message) from error
    splits = _read_splits(pairs, data)
    ours = isinstance(splitter, splitters.Splitter)
    facts = splitter.facts() if ours else {"drawn": _DRAWN.get(type(splitter), "")}
    # What splitters of scikit-learn call these; others are taken at their word.
    seed = getattr(splitter, "random_state", _NO_SEED)
    shuffles = getattr(splitter, "shuffle", True)
    # scikit-learn wraps an iterable of splits in an object whose repr lists them.
    named = cv is splitter or isinstance(cv, int | np.integer)
    design = Design(
        splits=splits,
        n_samples=data.n_samples,
        splitter=_written(splitter) if named else f"{len(splits)} given splits",
        groups=None if data.groups is None else np.asarray(data.groups),
        random_state=int(seed) if isinstance(seed, int | np.integer) else None,
        unseeded=shuffles and seed is None,
        folds_fit=type(splitter) is splitters.RepeatedHalves
        and splitter.n_repeats >= splitters.FEWEST_BESIDE_FOLDS
        and not splitters.lacks_for_folds(data),
        **facts,
        **options,
    )
    for number, (train, _) in enumerate(() if weights is None else splits):
        parts = [("training", train), *(("test", part) for part in design.scored_rows(number))]
        for side, rows in parts:
            if not (weights[rows] > 0).any():
                raise ValueError(
                    f"sample_weight is 0 for all {side} rows of split {number}. Leave out rows "
                    "that do not count, or use larger test sets."
                )
    return design


def _written(splitter: Any) -> str:
    """Write a splitter as its call, without what was left out, and shares in few digits."""
    text = " ".join(re.sub(r" at 0x\w+", "", repr(splitter)).split())
    text = re.sub(r"\b\w+=None(, )?", "", text).replace(", )", ")")
    return re.sub(r"\b0\.\d{5,}", lambda share: f"{float(share[0]):.3g}", text)


def _read_splits(pairs: Sequence[Any], data: Data) -> tuple[Split, ...]:
    """Read training and test rows of every split, which must have nothing in common."""
    in_training, splits = np.zeros(data.n_samples, dtype=bool), []
    for number, (to_train, to_test) in enumerate(pairs):
        train = _rows(to_train, data.n_samples, number, "training")
        test = _rows(to_test, data.n_samples, number, "test")
        splits.append((train, test))
        in_training[train] = True
        overlap = test[in_training[test]]
        in_training[train] = False
        if overlap.size:
            raise ValueError(
                f"cv: split {number} trains and tests on {overlap.size} common rows "
                f"(row {overlap[0]} is one)."
            )
        if data.class_codes is not None and data.class_counts is not None:
            present = np.bincount(data.class_codes[train], minlength=len(data.class_counts))
            if not present.all():
                missing = list(data.class_counts)[int(np.argmin(present))]
                raise ValueError(
                    f"cv: the training rows of split {number} hold no row of class "
                    f"{missing!r}. Use a stratified splitter, or fewer folds."
                )
    if not splits:
        raise ValueError("cv gave no splits. A generator can be used once only: pass a list.")
    return tuple(splits)


def _rows(rows: Iterable[int], n_samples: int, split: int, side: str) -> np.ndarray:
    indices = np.asarray(rows)
    if indices.dtype == bool:
        if len(indices) != n_samples:
            raise ValueError(
                f"cv: a mask of split {split} has {len(indices)} entries for {n_samples} rows."
            )
        indices = np.flatnonzero(indices)
    if indices.size and not np.issubdtype(indices.dtype, np.integer):
        raise ValueError(f"cv: split {split} names rows by {indices.dtype}, not integers.")
    outside = indices[(indices < 0) | (indices >= n_samples)]
    if outside.size:
        raise ValueError(f"cv: split {split} names row {outside[0]}; X has {n_samples} rows.")
    if not indices.size:
        raise ValueError(f"cv: split {split} has no {side} rows.")
    # Half the memory where it is enough: splits are kept, and sent to workers.
    small = n_samples <= np.iinfo(np.int32).max
    return indices.astype(np.int32 if small else np.int64)


def _span(sizes: np.ndarray) -> int | list[int]:
    low, high = int(sizes.min()), int(sizes.max())
    return low if low == high else [low, high]
