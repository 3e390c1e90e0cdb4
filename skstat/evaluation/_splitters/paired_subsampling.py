"""Random splits of all rows and of random halves of them, for the conservative Z."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.evaluation._splitters.base import Splitter, check_switch
from skstat.evaluation._splitters.units import Rows, Units
from skstat.stats._literature import NADEAU_BENGIO_2003
from skstat.stats._samples import check_count


class PairedSubsampling(Splitter):
    """Split all rows at random, and pairs of disjoint halves of them too.

    The splits of all rows give the estimate. The halves of one halving share no row, so the
    difference of their scores shows the variance of the mean of such splits, for smaller
    training sets: an overestimate, hence the *conservative Z* [1]_.

    The order is fixed. With :math:`J` = `n_splits` and :math:`M` = `n_halvings`, ``scores[:J]``
    are those of all rows, and ``scores[J:].reshape(M, 2, J)`` those of the halves.

    Parameters
    ----------
    n_splits : int, default=5
        Random splits of all rows, and of each half (J).
    n_halvings : int, default=10
        How often the rows are halved (M).
    test_size : float, default=0.1
        Share of all rows that a split tests on. Splits of halves test on as many rows.
    stratify : bool, default=False
        Halve and split within each class of a binary or multiclass y. Not with groups.
    random_state : int, RandomState, Generator or None, default=None
        Seed of the draws. An int gives the same splits in every call, None new ones.

    See Also
    --------
    sklearn.model_selection.ShuffleSplit : The splits of all rows alone.

    Notes
    -----
    As in the paper, :math:`n_2` = round(`test_size` n) rows test in every split; n - n_2 rows
    train in splits of all rows, and n_1' = floor(n/2) - n_2 rows in splits of a half. If n is
    odd, one row, drawn anew for each halving, is in neither half. With ``stratify=True`` that
    holds in every class, and test rows are shared out over classes in proportion, by largest
    remainders. With groups, all of these count groups.

    Scores of these splits must not be tested as if they were one sample: their training sets
    are of two sizes.

    References
    ----------
    .. [1] Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error.
       Machine Learning, 52, 239-281. :doi:`10.1023/A:1024068626366`

    Examples
    --------
    >>> import numpy as np
    >>> from skstat import PairedSubsampling
    >>> cv = PairedSubsampling(n_splits=2, n_halvings=3, random_state=0)
    >>> cv.get_n_splits()
    14
    >>> [(len(train), len(test)) for train, test in cv.split(np.zeros((60, 1)))][:4]
    [(54, 6), (54, 6), (24, 6), (24, 6)]
    """

    references = (NADEAU_BENGIO_2003,)

    _read_by = "conservative_z"

    def __init__(
        self,
        n_splits: int = 5,
        n_halvings: int = 10,
        *,
        test_size: float = 0.1,
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        self.n_splits = check_count("n_splits", n_splits, least=1)
        self.n_halvings = check_count("n_halvings", n_halvings, least=1)
        number = isinstance(test_size, float | np.floating)
        if not number or not 0 < test_size < 0.5:
            raise ValueError(
                f"test_size={test_size!r} must be a share of all rows between 0 and 0.5: a "
                f"half of the rows has to hold that many test rows and still have rows to "
                f"train on."
            )
        self.test_size = float(test_size)
        self.stratify = check_switch("stratify", stratify)
        self.random_state = random_state

    def _how_drawn(self) -> str:
        return (
            f"paired subsampling: {self.n_splits} random splits of all, and of each half in "
            f"{self.n_halvings} halvings"
        )

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return ``(2 * n_halvings + 1) * n_splits``; X, y and groups do not matter."""
        return (2 * self.n_halvings + 1) * self.n_splits

    def _draw(self, units: Units, seed: int) -> Iterator[tuple[Rows, Rows]]:
        strata = units.strata
        n_test = self._test_sizes(units)
        rng = np.random.default_rng(seed)

        def subsample(parts: list[Rows]) -> Iterator[tuple[Rows, Rows]]:
            for _ in range(self.n_splits):
                mixed = [rng.permutation(part) for part in parts]
                train = [part[n:] for part, n in zip(mixed, n_test, strict=True)]
                test = [part[:n] for part, n in zip(mixed, n_test, strict=True)]
                yield units.rows(np.concatenate(train)), units.rows(np.concatenate(test))

        yield from subsample(strata)
        for _ in range(self.n_halvings):
            mixed = [rng.permutation(part) for part in strata]
            yield from subsample([part[: len(part) // 2] for part in mixed])
            yield from subsample([part[len(part) // 2 : len(part) // 2 * 2] for part in mixed])

    def _test_sizes(self, units: Units) -> list[int]:
        """Test units of each stratum; refuse sizes that leave a half without training rows."""
        total = round(self.test_size * units.n)
        if total < 1:
            raise ValueError(
                f"test_size={self.test_size} of {units.n} {units.word}s is less than one; use "
                "a larger share."
            )
        sizes = np.array([len(part) for part in units.strata])
        n_test = _in_proportion(total, sizes)
        for stratum, (size, n) in enumerate(zip(sizes, n_test, strict=True)):
            if size // 2 - n < 1:
                raise ValueError(
                    f"test_size={self.test_size} tests on {n} of the {size} {units.word}s"
                    f"{units.named(stratum)}, which leaves none to train on in a half of "
                    f"{size // 2}. Use a smaller share, or more data."
                )
        return n_test.tolist()


def _in_proportion(total: int, sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Share a total out by sizes, to whole numbers: largest remainders round up."""
    quotas = total * sizes / sizes.sum()
    shares = np.floor(quotas).astype(np.intp)
    order = np.argsort(shares - quotas, kind="stable")
    shares[order[: total - shares.sum()]] += 1
    return shares
