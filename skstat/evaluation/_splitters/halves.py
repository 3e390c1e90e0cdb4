"""Twofold cross-validation, repeated: plain, balanced, and five times."""

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold

from skstat.evaluation._splitters.balanced_halves import (
    MOST_COLUMNS,
    balanced_signs,
    fewest_units,
)
from skstat.evaluation._splitters.base import Splitter, check_switch
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats import Reference
from skstat.stats._literature import DIETTERICH_1998, WANG_ET_AL_2014, WANG_ET_AL_2017
from skstat.stats._samples import check_count


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

    references: ClassVar[tuple[Reference, ...]] = (WANG_ET_AL_2014, WANG_ET_AL_2017)

    def __init__(
        self,
        n_repeats: int = 5,
        *,
        stratify: bool = False,
        balanced: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_repeats = check_count("n_repeats", n_repeats, least=1)
        self.stratify = check_switch("stratify", stratify)
        self.balanced = check_switch("balanced", balanced)
        self.random_state = random_state
        if self.balanced and n_repeats > MOST_COLUMNS:
            raise ValueError(
                f"balanced=True is for up to {MOST_COLUMNS} repeats, got n_repeats={n_repeats}."
            )

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return twice the number of repeats; X, y and groups do not matter."""
        return 2 * self.n_repeats

    def _works(self) -> tuple[Reference, ...]:
        return self.references if self.balanced else ()

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        if units.n < 2:
            raise ValueError(
                f"{units.n} {units.word} cannot be halved; two are needed at least."
            )
        if self.balanced:
            yield from self._balanced(units, seed)
            return
        stratify = units.classes is not None
        if units.groups is None:
            halves: Any = StratifiedKFold if stratify else KFold
        else:
            halves = StratifiedGroupKFold if stratify else GroupKFold
        seeds = np.random.SeedSequence(seed).generate_state(self.n_repeats)
        for one in seeds.tolist():
            folds = halves(n_splits=2, shuffle=True, random_state=one)
            yield from folds.split(*units.for_folds())

    def _balanced(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        fewest = fewest_units(self.n_repeats)
        if max(map(len, units.strata)) < fewest:
            each = "" if units.classes is None else " of some class"
            raise ValueError(
                f"balanced=True with n_repeats={self.n_repeats} needs {fewest} "
                f"{units.word}s{each} at least, and there are "
                f"{max(map(len, units.strata))}. Use fewer repeats, or balanced=False."
            )
        signs = balanced_signs(units.strata, self.n_repeats, np.random.default_rng(seed))
        for column in signs.T:
            first = units.rows(np.flatnonzero(column > 0))
            second = units.rows(np.flatnonzero(column < 0))
            yield second, first
            yield first, second


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

    references: ClassVar[tuple[Reference, ...]] = (DIETTERICH_1998,)

    def __init__(self, *, stratify: bool = False, random_state: Any = None) -> None:
        super().__init__(5, stratify=stratify, random_state=random_state)
