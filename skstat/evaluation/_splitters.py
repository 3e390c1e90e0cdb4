"""Splitters that scikit-learn lacks, and what they draw: rows or whole groups."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import circulant, hadamard
from sklearn import model_selection as sk
from sklearn.utils import indexable
from sklearn.utils.multiclass import type_of_target

from skstat.evaluation._data import Data, check_groups, coded, draw_seed
from skstat.stats._procedure import Reference, works
from skstat.stats._row_contributions import FEW_OF_CLASS
from skstat.stats._scores import check_count

Rows = NDArray[np.intp]
Signs = NDArray[np.int8]
# Beyond, arrays of every size would take Hadamard matrices of order 52 and more, which
# these constructions do not give.
MOST_COLUMNS = 23


def balanced_signs(strata: list[Rows], n_columns: int, rng: np.random.Generator) -> Signs:
    """Halve all strata at once, so that halvings are balanced within each and over all.

    Strata that are too small for that are halved at random, anew for every column.

    Parameters
    ----------
    strata : list of ndarray of int
        Numbers of the units in each stratum, which together are 0, 1, ... n - 1.
    n_columns : int
        Number of halvings, at most `MOST_COLUMNS`.
    rng : numpy.random.Generator
        Deals the rows of the arrays out to the units.

    Returns
    -------
    ndarray of shape (n, n_columns)
        1 for the units in the first half of a halving, -1 for those in the second.
    """
    signs = np.empty((sum(map(len, strata)), n_columns), dtype=np.int8)
    excess = np.zeros(n_columns, dtype=np.int8)
    for members in strata:
        large = len(members) >= fewest_units(n_columns)
        part = (_orthogonal if large else _at_random)(len(members), n_columns, rng)
        # One stratum with an odd number gives its odd one to this half, the next to that.
        total = part.sum(axis=0, dtype=np.int8)
        part *= np.where(total * excess > 0, -1, 1).astype(np.int8)
        excess += part.sum(axis=0, dtype=np.int8)
        signs[members] = part
    return signs


def fewest_units(n_columns: int) -> int:
    """Fewest units that can be halved so often with balanced overlaps."""
    return 4 * (n_columns // 4) + 3


def _at_random(n: int, n_columns: int, rng: np.random.Generator) -> Signs:
    """Halve independently in every column; who gets the odd unit is drawn too."""
    halves = np.where(np.arange(n) % 2 == 0, 1, -1).astype(np.int8)
    columns = [rng.permutation(halves) * rng.choice([-1, 1]) for _ in range(n_columns)]
    return np.column_stack(columns).astype(np.int8)


def _orthogonal(n: int, n_columns: int, rng: np.random.Generator) -> Signs:
    """Draw n rows in which each pair of signs comes n/4 times in each pair of columns.

    Orthogonal arrays of smaller sizes, one below the other, are one again. What is left of n
    beside multiples of 4 costs less than 1 in any count: one more row, two opposite ones,
    or one less.
    """
    whole, order = 4 * ((n + 1) // 4), fewest_units(n_columns) + 1
    last = order + whole % order
    parts = [np.tile(_columns(order, n_columns, rng), (whole // order - 1, 1))]
    parts.append(_columns(last, n_columns, rng))
    odd = rng.choice(np.array([-1, 1], dtype=np.int8), (1, n_columns))
    parts += {0: [], 1: [odd], 2: [odd, -odd], 3: []}[n % 4]
    rows = np.concatenate(parts)
    return rows[rng.permutation(len(rows))[:n]]


def _columns(order: int, n_columns: int, rng: np.random.Generator) -> Signs:
    """Columns of a Hadamard matrix, any but the constant one, with any signs."""
    chosen = rng.permutation(np.arange(1, order))[:n_columns]
    return hadamard_matrix(order)[:, chosen] * rng.choice(
        np.array([-1, 1], dtype=np.int8), n_columns
    )


def hadamard_matrix(order: int) -> Signs:
    """Make a Hadamard matrix whose first column is constant.

    By doubling (Sylvester) or from the squares modulo a prime (Paley, 1933,
    :doi:`10.1002/sapm1933121311`): all multiples of 4 up to 48.
    """
    if order & (order - 1) == 0:
        return np.asarray(hadamard(order, dtype=np.int8))
    if order == 40:
        return np.asarray(np.kron(hadamard(2), hadamard_matrix(20)), dtype=np.int8)
    doubled = order in (28, 36)  # one less is no prime
    prime = order // 2 - 1 if doubled else order - 1
    numbers = np.arange(prime)
    character = np.where(np.isin(numbers, numbers**2 % prime), 1, -1)
    character[0] = 0
    core = np.pad(circulant(character), (1, 0), constant_values=1)
    core[0, 0] = 0
    if doubled:
        ones = np.array([[1, 1], [1, -1]]), np.array([[1, -1], [-1, -1]])
        matrix = np.kron(core, ones[0]) + np.kron(np.eye(order // 2), ones[1])
    else:
        core[1:, 0] = -1
        matrix = np.eye(order) + core
    return (matrix * matrix[:, :1]).astype(np.int8)


Splits = Iterator[tuple[Rows, Rows]]

MOST_BLOCKS = 8
_FEWEST_BLOCKS = 5
# With so many rows of every class all of 8 blocks hold some, but once in 600 data sets.
FEWEST_IN_BLOCKS = 64


def shuffled_folds(n_splits: int, seed: int, *, by_class: bool, by_group: bool) -> Any:
    """Return the splitter of scikit-learn that cuts such rows into folds."""
    if by_group:
        folds: Any = sk.StratifiedGroupKFold if by_class else sk.GroupKFold
    else:
        folds = sk.StratifiedKFold if by_class else sk.KFold
    return folds(n_splits, shuffle=True, random_state=seed)


class Units:
    """What a splitter draws, coded: the class and the group of every row, where they matter.

    Of what was given to ``split`` y counts only if it is to be stratified by.
    """

    def __init__(self, X: Any, y: Any, groups: Any, *, stratify: bool) -> None:
        X, y, groups = indexable(X, y, check_groups(groups))
        self.n_rows = int(X.shape[0]) if hasattr(X, "shape") else len(X)
        self.classes: Rows | None = None
        self.labels: list[Any] = []
        if stratify:
            if y is None:
                raise ValueError("stratify=True needs y, whose classes it keeps.")
            target = type_of_target(y, input_name="y")
            if target not in ("binary", "multiclass"):
                raise ValueError(f"y is {target}, not one class per row: use stratify=False.")
            labels, self.classes = coded("y", y)
            self.labels = labels.tolist()
        self.groups = None if groups is None else coded("groups", groups)[1]
        self.n = self.n_rows if self.groups is None else int(self.groups.max()) + 1
        self.word = "row" if self.groups is None else "group"

    @cached_property
    def strata(self) -> list[Rows]:
        """Units of each class, or all of them where there are no classes."""
        if self.classes is None:
            return [np.arange(self.n)]
        if self.groups is not None:
            raise ValueError(
                "stratify=True cannot be combined with groups here. Use stratify=False, or "
                "RepeatedGroupKFold(stratify=True)."
            )
        return [np.flatnonzero(self.classes == code) for code in range(self.classes.max() + 1)]

    def check_enough(self, parameter: str, n: int, parts: str) -> None:
        """Refuse to cut into more parts than there are units."""
        if self.n < n:
            raise ValueError(
                f"{parameter}={n} {parts} need as many {self.word}s, and there are {self.n}."
            )

    def rows(self, units: Rows) -> Rows:
        """Rows of the units in ascending order, as often as each of them comes."""
        if self.groups is None:
            return np.sort(units)
        times = np.bincount(units, minlength=self.n)
        return np.repeat(np.arange(self.n_rows), times[self.groups])

    def folds(self, n_splits: int, seed: int) -> Splits:
        """Cut the units into shuffled folds, each of which tests once."""
        by_class, by_group = self.classes is not None, self.groups is not None
        cut = shuffled_folds(n_splits, seed, by_class=by_class, by_group=by_group)
        yield from cut.split(np.zeros((self.n_rows, 1)), self.classes, self.groups)

    def repeated_folds(self, n_splits: int, n_repeats: int, seed: int) -> Iterator[Splits]:
        """Cut the units again and again, with seeds that are drawn from one."""
        for part_seed in np.random.SeedSequence(seed).generate_state(n_repeats).tolist():
            yield self.folds(n_splits, part_seed)

    def without_two(self, folds: Iterable[Rows]) -> Splits:
        """Train on all folds but two, and test on these, for every pair of folds."""
        for first, second in combinations(folds, 2):
            train = np.ones(self.n_rows, dtype=bool)
            train[first] = train[second] = False
            yield np.flatnonzero(train), np.concatenate([first, second])


class Splitter(sk.BaseCrossValidator):  # type: ignore[misc]
    """A splitter that draws from a seed, with classes and groups where they are given."""

    # With metadata routing groups come here without being asked for, as with the group
    # splitters of scikit-learn.
    __metadata_request__split: ClassVar = {"groups": True}

    # The works that describe how the splits are made.
    references: ClassVar[tuple[Reference, ...]] = ()
    # The fewest of what is counted by some parameters.
    least: ClassVar[Mapping[str, int]] = {}

    stratify: bool
    random_state: Any

    def __post_init__(self) -> None:
        for name, least in self.least.items():
            setattr(self, name, check_count(name, getattr(self, name), least=least))
        for name in {"stratify", "balanced"} & vars(self).keys():
            value = getattr(self, name)
            if not isinstance(value, bool | np.bool_):  # y itself, say
                raise TypeError(
                    f"{name} must be a bool, got {type(value).__name__}; give y to split."
                )
            setattr(self, name, bool(value))

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Splits:
        """Yield the training and test rows of every split.

        Parameters
        ----------
        X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
            The data; only its number of rows matters.
        y : array-like of shape (n_samples,), optional
            The targets, whose classes count if ``stratify=True``.
        groups : array-like of shape (n_samples,), optional
            Group of every row; rows of one group stay together.

        Yields
        ------
        train : ndarray of int
            Numbers of the training rows, ascending.
        test : ndarray of int
            Numbers of the test rows.
        """
        units = Units(X, y, groups, stratify=self.stratify)
        yield from self._draw(units, draw_seed(self.random_state))

    def _draw(self, units: Units, seed: int) -> Splits:
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """Say of a design what its rows do not show, such as how they were drawn."""
        return {"references": self.references}


@dataclass(eq=False)
class BootstrapOutOfBag(Splitter):
    """Train on rows drawn with replacement, test on those that were not drawn.

    As many rows are drawn as there are. A row is not drawn with probability
    :math:`(1 - 1/n)^n`, which tends to 1/e = .368 [1]_, so a training set
    holds about .632 n different rows, some of them several times. These splits are for the
    .632 and .632+ estimators [2]_ and for intervals of one score.

    Parameters
    ----------
    n_splits : int, default=200
        Number of bootstrap samples.
    stratify : bool, default=False
        Draw within each class of a binary or multiclass y as many rows as it has, so that
        every class is in every training set. Not with groups.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the draws. An int gives the same splits in every call, None new ones.

    See Also
    --------
    sklearn.model_selection.ShuffleSplit : Random splits without replacement.

    Notes
    -----
    With groups, as many groups are drawn as there are, and each brings all of its rows as
    often as it was drawn; the rows of the other groups are for testing. A sample that left
    nothing out is drawn again: 2 of 9 for three rows, 1 of 2756 for ten.

    Some learners see copies of a row as evidence of their own, and tune themselves inside on
    rows that they were trained on. A cross-validation inside the estimator, such as that of
    ``GridSearchCV``, is optimistic on bootstrap samples for that reason.

    References
    ----------
    .. [1] Efron, B. (1983). Estimating the error rate of a prediction rule: improvement on
       cross-validation. Journal of the American Statistical Association, 78(382), 316-331.
       :doi:`10.1080/01621459.1983.10477973`
    .. [2] Efron, B. & Tibshirani, R. (1997). Improvements on cross-validation: the .632+
       bootstrap method. Journal of the American Statistical Association, 92(438), 548-560.
       :doi:`10.1080/01621459.1997.10474007`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import BootstrapOutOfBag
    >>> cv = BootstrapOutOfBag(2, random_state=0)
    >>> for train, test in cv.split(np.zeros((6, 1))):
    ...     print(train, test)
    [0 1 1 3 3 5] [2 4]
    [0 0 1 3 4 5] [2]
    """

    references = (works.EFRON_1983,)
    least: ClassVar = {"n_splits": 1}

    n_splits: int = 200
    stratify: bool = field(default=False, kw_only=True)
    random_state: Any = field(default=None, kw_only=True)

    def facts(self) -> dict[str, Any]:
        """Say whether rows were drawn class by class."""
        return {**super().facts(), "drawn": "stratified" if self.stratify else ""}

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return `n_splits`; X, y and groups do not matter."""
        return self.n_splits

    def _draw(self, units: Units, seed: int) -> Splits:
        if max(map(len, units.strata)) < 2:
            where = f"one {units.word}" if units.n < 2 else "one row of each class"
            raise ValueError(f"there is {where} to draw from; two are needed at least.")
        rng = np.random.default_rng(seed)
        for _ in range(self.n_splits):
            left = np.empty(0, dtype=np.intp)
            while not left.size:
                drawn = np.concatenate([rng.choice(part, len(part)) for part in units.strata])
                left = np.flatnonzero(np.bincount(drawn, minlength=units.n) == 0)
            yield units.rows(drawn), units.rows(left)


@dataclass(eq=False)
class RepeatedGroupKFold(Splitter):
    """Cut the groups into K folds, shuffled anew in every repeat.

    It is like :class:`sklearn.model_selection.RepeatedKFold`, for rows that come in groups:
    no group is on both sides of a split, and every repeat tests each group once.

    Parameters
    ----------
    n_splits : int, default=5
        Number of folds, at least 2; there must be as many groups.
    n_repeats : int, default=10
        How often the groups are shuffled and cut.
    stratify : bool, default=False
        Deal groups out so that the class shares of a binary or multiclass y are kept in the
        folds as far as whole groups allow, by ``StratifiedGroupKFold``. Else every fold has
        the same number of groups, by ``GroupKFold(shuffle=True)``.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the shuffles. An int gives the same splits in every call, None new ones.

    See Also
    --------
    sklearn.model_selection.GroupShuffleSplit : Random splits of groups.

    Notes
    -----
    The shuffles are independent of each other. ``StratifiedGroupKFold`` deals out the groups
    with the most uneven class counts first, so with ``stratify=True`` and few groups repeats
    may be alike.

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import RepeatedGroupKFold
    >>> patients = np.array(["a", "a", "b", "b", "c", "d", "d", "e"])
    >>> cv = RepeatedGroupKFold(n_splits=2, n_repeats=2, random_state=0)
    >>> for _, test in cv.split(np.zeros((8, 1)), groups=patients):
    ...     print(*np.unique(patients[test]))
    a b d
    c e
    b d e
    a c
    """

    least: ClassVar = {"n_splits": 2, "n_repeats": 1}

    n_splits: int = 5
    n_repeats: int = 10
    stratify: bool = field(default=False, kw_only=True)
    random_state: Any = field(default=None, kw_only=True)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return folds times repeats; X, y and groups do not matter."""
        return self.n_splits * self.n_repeats

    def _draw(self, units: Units, seed: int) -> Splits:
        if units.groups is None:
            raise ValueError("RepeatedGroupKFold needs groups; without them use RepeatedKFold.")
        units.check_enough("n_splits", self.n_splits, "folds")
        for splits in units.repeated_folds(self.n_splits, self.n_repeats, seed):
            yield from splits


@dataclass(eq=False)
class RepeatedHalves(Splitter):
    """Halve the rows again and again; each half trains once and tests once.

    Training sets of two repeats overlap by chance, in a quarter of all rows on average. The
    size of the overlap changes the variance of the mean over repeats. ``balanced=True`` makes
    every pair of halves from two repeats overlap in a quarter of the rows exactly, which makes
    that variance smallest: block-regularised m x 2 cross-validation [1]_ [2]_.

    Parameters
    ----------
    n_repeats : int, default=5
        Number of halvings; there are twice as many splits.
    stratify : bool, default=False
        Keep the class shares of a binary or multiclass y in both halves.
    balanced : bool, default=False
        Halve by the columns of a two-level orthogonal array, whose rows are dealt out to
        the rows of the data at random: n/4 of them, rounded up or down, are common to any
        half of one repeat and any half of another. Up to 23 repeats, which need
        ``4 * (n_repeats // 4) + 3`` rows.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the halvings. An int gives the same splits in every call, None new ones.

    See Also
    --------
    FiveByTwo : The five halvings of the 5x2 cv tests.
    sklearn.model_selection.RepeatedKFold : Any number of folds.

    Notes
    -----
    With groups, groups are halved and counted in place of rows. With ``stratify=True``
    halvings are balanced within each class, and over all rows as far as the rounding in
    classes lets them be: overlaps differ from n/4 by less than one row per class. A class
    that has fewer rows than ``balanced`` needs is the exception; it is halved at random in
    every repeat. ``balanced`` cannot be combined with classes and groups at once.

    References
    ----------
    .. [1] Wang, Y., Wang, R., Jia, H. & Li, J. (2014). Blocked 3x2 cross-validated t-test
       for comparing supervised classification learning algorithms. Neural Computation,
       26(1), 208-235. :doi:`10.1162/NECO_a_00532`
    .. [2] Wang, R., Wang, Y., Li, J., Yang, X. & Yang, J. (2017). Block-regularized m x 2
       cross-validated estimator of the generalization error. Neural Computation, 29(2),
       519-554. :doi:`10.1162/NECO_a_00923`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import RepeatedHalves
    >>> cv = RepeatedHalves(3, balanced=True, random_state=0)
    >>> firsts = [set(train) for train, _ in cv.split(np.zeros((40, 1)))][::2]
    >>> [len(a & b) for a in firsts for b in firsts if a is not b]
    [10, 10, 10, 10, 10, 10]
    """

    references: ClassVar[tuple[Reference, ...]] = works.WANG_ET_AL_2014, works.WANG_ET_AL_2017
    least: ClassVar = {"n_repeats": 1}

    n_repeats: int = 5
    stratify: bool = field(default=False, kw_only=True)
    balanced: bool = field(default=False, kw_only=True)
    random_state: Any = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.balanced and self.n_repeats > MOST_COLUMNS:
            raise ValueError(f"balanced=True is for up to {MOST_COLUMNS} repeats.")

    def facts(self) -> dict[str, Any]:
        """Name the works on balanced halves, where they are balanced."""
        return {"references": self.references} if self.balanced else {}

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return twice the number of repeats; X, y and groups do not matter."""
        return 2 * self.n_repeats

    def _draw(self, units: Units, seed: int) -> Splits:
        if units.n < 2:
            raise ValueError(f"{units.n} {units.word} cannot be halved; two are needed.")
        if not self.balanced:
            for splits in units.repeated_folds(2, self.n_repeats, seed):
                yield from splits
            return
        fewest, largest = fewest_units(self.n_repeats), max(map(len, units.strata))
        if largest < fewest:
            each = "" if units.classes is None else " of some class"
            raise ValueError(
                f"balanced=True with n_repeats={self.n_repeats} needs {fewest} "
                f"{units.word}s{each} at least, and there are {largest}. Use fewer repeats, "
                "or balanced=False."
            )
        signs = balanced_signs(units.strata, self.n_repeats, np.random.default_rng(seed))
        for column in signs.T:
            first = units.rows(np.flatnonzero(column > 0))
            second = units.rows(np.flatnonzero(column < 0))
            yield second, first
            yield first, second


@dataclass(eq=False)
class FiveByTwo(RepeatedHalves):
    """Halve the rows five times; each half trains once and tests once.

    The splits of Dietterich's 5x2 cv t test [1]_ and of Alpaydin's combined F test [2]_.
    The five shuffles are independent of each other.

    Parameters
    ----------
    stratify : bool, default=False
        Keep the class shares of a binary or multiclass y in both halves.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the halvings. An int gives the same splits in every call, None new ones.

    See Also
    --------
    RepeatedHalves : Any number of halvings, with balanced overlaps if wanted.
    skstat.five_by_two_cv_test : The tests that these splits are for.

    References
    ----------
    .. [1] Dietterich, T. G. (1998). Approximate statistical tests for comparing
       supervised classification learning algorithms. Neural Computation, 10(7),
       1895-1923. :doi:`10.1162/089976698300017197`
    .. [2] Alpaydin, E. (1999). Combined 5x2 cv F test for comparing supervised
       classification learning algorithms. Neural Computation, 11(8), 1885-1892.
       :doi:`10.1162/089976699300016007`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import FiveByTwo
    >>> cv = FiveByTwo(random_state=0)
    >>> cv.get_n_splits()
    10
    >>> next(cv.split(np.zeros((6, 1))))
    (array([1, 2, 4]), array([0, 3, 5]))
    """

    references = (works.DIETTERICH_1998,)

    n_repeats: int = field(default=5, init=False, repr=False)
    balanced: bool = field(default=False, init=False, repr=False)


@dataclass(eq=False)
class NestedKFold(Splitter):
    """Leave one fold out, then two: all fits of nested cross-validation, each made once.

    Nested cross-validation [1]_ estimates the mean squared error of a cross-validated score:
    within the K - 1 folds beside fold j it cross-validates again, so it trains on all folds
    but i and j, and tests on fold i; and later, with i and j swapped, it makes the same fit
    again. Here it is one split, whose test rows are those of both folds:
    ``K (K + 1) / 2`` fits per repeat in place of ``K * K``.

    The order is fixed. In each repeat first come the splits that leave fold 0, 1, ... K - 1
    out, then those that leave two folds i < j out, in the order (0, 1), (0, 2), ...
    (K - 2, K - 1); of these the test rows are those of fold i, then those of fold j. So the
    test rows of the first K splits of a repeat are its folds.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds (K), at least 3.
    n_repeats : int, default=1
        How often the rows are shuffled and cut.
    stratify : bool, default=False
        Keep the class shares of a binary or multiclass y in the folds.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the shuffles. An int gives the same splits in every call, None new ones.

    See Also
    --------
    sklearn.model_selection.RepeatedKFold : The splits that leave one fold out, alone.

    Notes
    -----
    Groups are refused: no theory covers them. Scores of these splits must not be tested as
    if they were one sample: their training sets are of two sizes.

    This is not the nested search for parameters, in which a ``GridSearchCV`` is
    cross-validated; that needs no splitter of its own.

    References
    ----------
    .. [1] Bates, S., Hastie, T. & Tibshirani, R. (2024). Cross-validation: what does it
       estimate and how well does it do it? Journal of the American Statistical Association,
       119(546), 1434-1445. :doi:`10.1080/01621459.2023.2197686`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import NestedKFold
    >>> cv = NestedKFold(3, random_state=0)
    >>> for train, test in cv.split(np.zeros((6, 1))):
    ...     print(train, test)
    [1 2 3 4] [0 5]
    [0 2 4 5] [1 3]
    [0 1 3 5] [2 4]
    [2 4] [0 5 1 3]
    [1 3] [0 5 2 4]
    [0 5] [1 3 2 4]
    """

    references = (works.BATES_ET_AL_2024,)
    least: ClassVar = {"n_splits": 3, "n_repeats": 1}

    n_splits: int = 10
    n_repeats: int = 1
    stratify: bool = field(default=False, kw_only=True)
    random_state: Any = field(default=None, kw_only=True)

    def facts(self) -> dict[str, Any]:
        """Name the method that such splits of two kinds are for."""
        repeats = "" if self.n_repeats == 1 else f"{self.n_repeats} times "
        drawn = f"{repeats}nested {self.n_splits}-fold cross-validation"
        use = "the score of one estimator: skstat.estimate_performance(method='nested_cv')"
        return {**super().facts(), "drawn": drawn, "only_for": use}

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return ``n_repeats * K * (K + 1) / 2``; X, y and groups do not matter."""
        return self.n_repeats * self.n_splits * (self.n_splits + 1) // 2

    def _draw(self, units: Units, seed: int) -> Splits:
        if units.groups is not None:
            raise ValueError("NestedKFold takes no groups; use RepeatedGroupKFold.")
        for cut in units.repeated_folds(self.n_splits, self.n_repeats, seed):
            splits = list(cut)
            yield from splits
            yield from units.without_two(test for _, test in splits)


@dataclass(eq=False)
class LeaveTwoBlocksOut(Splitter):
    """Leave out every pair of blocks of rows.

    The rows are dealt to K blocks. Every split trains on the rows of K - 2 blocks; its test
    rows are those of the two others: ``K (K - 1) / 2`` splits. They are the splits of the
    block jackknife [1]_, a test for any learner and any metric, which scores each of the two
    blocks for itself.

    The order is fixed: blocks (0, 1), (0, 2), ..., (K - 2, K - 1) are left out, and the test
    rows are those of the first block of the pair, then those of the second.

    Parameters
    ----------
    n_blocks : int, default=8
        Number of blocks (K), at least 3. The test has K - 1 degrees of freedom.
    stratify : bool, default=False
        Keep the class shares of a binary or multiclass y in the blocks.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the blocks. An int gives the same splits in every call, None new ones.

    See Also
    --------
    skstat.stats.block_jackknife_t : The test that these splits are for.
    NestedKFold : The same fits and those without one fold, for the score of one estimator.

    Notes
    -----
    Groups are dealt to blocks whole. Blocks then hold the same number of groups, not of
    rows; with ``stratify=True`` groups go where they keep the class shares best.

    References
    ----------
    .. [1] Efron, B. & Stein, C. (1981). The jackknife estimate of variance. Annals of
       Statistics, 9(3), 586-596. :doi:`10.1214/aos/1176345462`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat.evaluation import LeaveTwoBlocksOut
    >>> cv = LeaveTwoBlocksOut(3, random_state=0)
    >>> for train, test in cv.split(np.zeros((6, 1))):
    ...     print(train, test)
    [0 4] [2 5 1 3]
    [1 3] [2 5 0 4]
    [2 5] [1 3 0 4]
    """

    references = (works.EFRON_STEIN_1981,)
    least: ClassVar = {"n_blocks": 3}

    n_blocks: int = MOST_BLOCKS
    stratify: bool = field(default=False, kw_only=True)
    random_state: Any = field(default=None, kw_only=True)

    def facts(self) -> dict[str, Any]:
        """Say how many blocks there are, each of which is scored for itself."""
        drawn = f"every two of {self.n_blocks} blocks left out"
        use = "one test of estimators: compare_estimators(test='block_jackknife_t')"
        return {**super().facts(), "drawn": drawn, "n_blocks": self.n_blocks, "only_for": use}

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return ``K * (K - 1) / 2``; X, y and groups do not matter."""
        return self.n_blocks * (self.n_blocks - 1) // 2

    def _draw(self, units: Units, seed: int) -> Splits:
        units.check_enough("n_blocks", self.n_blocks, "blocks")
        if units.classes is not None and units.groups is None:
            counts = np.bincount(units.classes)
            if counts.min() < self.n_blocks:
                raise ValueError(
                    f"{self.n_blocks} blocks cannot each hold one of {counts.min()} rows of "
                    f"class {units.labels[counts.argmin()]!r}: use fewer, or stratify=False."
                )
        yield from units.without_two(test for _, test in units.folds(self.n_blocks, seed))


def blocks_for(data: Data, seed: int, *, most: int = MOST_BLOCKS) -> LeaveTwoBlocksOut:
    """Make the splitter that suits the data: 8 blocks, or fewer where they allow no more.

    Rows go to blocks whatever their classes: blocks that all hold the same shares depend on
    each other, and the inequality is one for independent blocks. Only where a class has fewer
    rows than `FEWEST_IN_BLOCKS` all classes are dealt out evenly.
    """
    n, units = data.scarcest
    if n < _FEWEST_BLOCKS:
        raise ValueError(
            f"the number of {units} is {n}, too few for {_FEWEST_BLOCKS} blocks. Collect more, "
            "or give cv=LeaveTwoBlocksOut(n_blocks) yourself."
        )
    stratify = data.stratifiable and (data.groups is not None or n < FEWEST_IN_BLOCKS)
    return LeaveTwoBlocksOut(min(most, n), stratify=stratify, random_state=seed)


DEFAULT_HALVINGS = 15
TEST_SIZE = 1 / 3
DEFAULT_FOLDS = 10
_FEWEST_GROUPS = 5


# Fits of the folds that train on nine tenths of the rows, 2 x 10.
FITS_OF_FOLDS = 2 * DEFAULT_FOLDS
# Halvings beside the folds; fewer were not measured.
FEWEST_BESIDE_FOLDS = 10


def affordable_halvings(budget: int | None, *, beside_folds: bool = False) -> int:
    """Return how many halvings are made of the affordable fits, two for each.

    Balanced overlaps are known for so many; more would hardly narrow an interval. Folds that
    train on nine tenths of the rows come first.
    """
    if budget is None:
        return DEFAULT_HALVINGS
    return min((budget - FITS_OF_FOLDS * beside_folds) // 2, MOST_COLUMNS)


def check_train_size(train_size: Any, *, cv: Any = None) -> bool:
    """Refuse a share of the rows that was not measured; say whether it is nine tenths.

    For nine tenths `cv` may give the folds, which :func:`check_folds` looks at.
    """
    if train_size is None:
        return False
    if isinstance(train_size, bool) or train_size not in (0.5, 0.9):
        raise ValueError(
            f"train_size={train_size!r} must be 0.5, the default, or 0.9: for other shares no "
            "valid test is known."
        )
    nine_tenths = train_size == 0.9
    if cv is not None and not nine_tenths:
        raise ValueError(f"train_size={train_size} and cv= both give splits: leave one out.")
    return nine_tenths


def repeated_halves(
    data: Data, seed: int, *, n_repeats: int = DEFAULT_HALVINGS
) -> RepeatedHalves:
    """Make the default splitter: halves of the rows, each of which trains and tests once.

    By group, or of rows whatever their classes: class shares are another part of what data sets
    differ in, and halves that all have the same shares would not show what they do in training.
    Only a class of fewer than `FEW_OF_CLASS` rows is dealt out evenly, with all others.
    Overlaps are balanced if there are enough rows or groups for that.
    """
    _check_scarcest(data)
    n_largest = data.n_samples if data.groups is None else data.scarcest[0]
    stratify = False
    if data.groups is None and data.class_counts is not None:
        stratify = data.scarcest[0] < FEW_OF_CLASS
        n_largest = max(data.class_counts.values()) if stratify else n_largest
    return RepeatedHalves(
        n_repeats,
        stratify=stratify,
        balanced=n_repeats <= MOST_COLUMNS and n_largest >= fewest_units(n_repeats),
        random_state=seed,
    )


def repeated_folds(data: Data, seed: int, *, n_folds: int = DEFAULT_FOLDS) -> Any:
    """Make folds that train on nine tenths of the rows: by group, or stratified by class."""
    if lacking := lacks_for_folds(data, n_folds):
        raise ValueError(f"train_size=0.9 needs {lacking}")
    kind: Any = sk.RepeatedKFold if data.class_counts is None else sk.RepeatedStratifiedKFold
    kind = kind if data.groups is None else RepeatedGroupKFold
    return kind(n_splits=n_folds, n_repeats=2, random_state=seed)


def folds_within(data: Data, seed: int) -> Any:
    """Return the default splitter of one of many data sets.

    Ten shuffled folds, stratified for classes, by group where there are groups; fewer
    where classes or groups are too few. The folds only make the data set's own score
    less noisy: the units of the test are data sets.
    """
    counts = (data.class_counts or {}).values()
    n_splits = min(DEFAULT_FOLDS, data.scarcest[0], *counts)
    if n_splits < 2:
        raise ValueError(
            "there is only one group, or one row of a class: collect more, or give cv yourself."
        )
    grouped = data.groups is not None
    return shuffled_folds(n_splits, seed, by_class=data.stratifiable, by_group=grouped)


def lacks_for_folds(data: Data, n_folds: int = DEFAULT_FOLDS) -> str:
    """Say what folds would need that the data do not have; nothing if they have all."""
    n, units = data.scarcest
    if n >= n_folds:
        return ""
    return (
        f"{n_folds} {units} for {n_folds} folds, and there are {n}. Leave train_size out, for "
        "training on half of the rows, or collect more."
    )


def _check_scarcest(data: Data) -> None:
    """Refuse data of which two random splits are bound to be the same, or to lack a class."""
    n, units = data.scarcest
    if data.groups is not None and n < _FEWEST_GROUPS:
        raise ValueError(
            f"groups holds {n} group{'' if n == 1 else 's'}: random splits of fewer than "
            f"{_FEWEST_GROUPS} repeat each other. Collect more, or give cv=LeaveOneGroupOut()."
        )
    if n < 2:
        raise ValueError(f"the number of {units} is {n}, and training and test rows need one.")


def random_splits(data: Data, seed: int, *, n_splits: int, test_size: float = TEST_SIZE) -> Any:
    """Make random splits: by group, stratified where y has classes, or plain."""
    _check_scarcest(data)
    kind: Any = sk.ShuffleSplit if data.class_counts is None else sk.StratifiedShuffleSplit
    kind = kind if data.groups is None else sk.GroupShuffleSplit
    return kind(n_splits=n_splits, test_size=test_size, random_state=seed)
