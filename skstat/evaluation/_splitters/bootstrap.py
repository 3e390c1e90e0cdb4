"""Bootstrap samples, tested on what was not drawn."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from skstat.evaluation._splitters.base import Splitter, check_switch
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats._literature import EFRON_1983
from skstat.stats._samples import check_count


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

    references = (EFRON_1983,)

    def __init__(
        self, n_splits: int = 200, *, stratify: bool = False, random_state: Any = None
    ) -> None:
        self.n_splits = check_count("n_splits", n_splits, least=1)
        self.stratify = check_switch("stratify", stratify)
        self.random_state = random_state

    def _how_drawn(self) -> str:
        return "stratified" if self.stratify else ""

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return `n_splits`; X, y and groups do not matter."""
        return self.n_splits

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        if max(map(len, units.strata)) < 2:
            where = f"one {units.word}" if units.n < 2 else "one row of each class"
            raise ValueError(
                f"there is {where} to draw from, so that nothing would be left to test on; "
                "two are needed at least."
            )
        rng = np.random.default_rng(seed)
        for _ in range(self.n_splits):
            left = np.empty(0, dtype=np.intp)
            while not left.size:
                drawn = np.concatenate([rng.choice(one, len(one)) for one in units.strata])
                left = np.flatnonzero(np.bincount(drawn, minlength=units.n) == 0)
            yield units.rows(drawn), units.rows(left)
