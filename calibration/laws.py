"""Laws with a known truth, from which data sets are drawn."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr


@dataclass(frozen=True, kw_only=True)
class Gauss:
    """Two balanced classes, and one block of normal features for each system.

    The law of the data stays the same when two blocks of equal `delta` change places.
    So one learner on either block has the same expected error at every size of the
    training set, for every metric: an exact null hypothesis about algorithms. The two
    models fitted to a given training set do differ.

    Parameters
    ----------
    n_features : int
        Features in each block.
    delta : float
        Distance of the class means in every feature.
    rho : float
        Correlation of matched features of two blocks: how much the models agree.
    """

    n_features: int
    delta: float
    rho: float = 0.5

    def draw(
        self, rng: np.random.Generator, n: int, n_blocks: int = 2, *, balanced: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Draw `n` rows.

        Parameters
        ----------
        rng : Generator
            Source of randomness.
        n : int
            Number of rows.
        n_blocks : int, default=2
            Number of blocks.
        balanced : bool, default=False
            Give both classes n/2 rows, instead of tossing a coin for every row.

        Returns
        -------
        y : ndarray of shape (n,)
            Classes 0 and 1.
        noise : ndarray of shape (n_blocks, n, n_features)
            Features without the class means; `at` adds them.
        """
        y = np.arange(n) % 2 if balanced else rng.integers(0, 2, n)
        common = rng.standard_normal((1, n, self.n_features))
        own = rng.standard_normal((n_blocks, n, self.n_features))
        return y, np.sqrt(self.rho) * common + np.sqrt(1 - self.rho) * own

    def at(
        self,
        noise: NDArray[np.float64],
        y: NDArray[np.int64],
        delta: float | None = None,
    ) -> NDArray[np.float64]:
        """Add the class means to the noise of one block.

        Parameters
        ----------
        noise : ndarray of shape (n, n_features)
            One block of what `draw` returned.
        y : ndarray of shape (n,)
            Classes.
        delta : float, optional
            Another distance than that of the law, for a system that is better.
        """
        shift = (self.delta if delta is None else delta) * (y - 0.5)
        return noise + shift[:, None]

    def linear_error(
        self,
        coef: NDArray[np.float64],
        intercept: NDArray[np.float64],
        delta: float | None = None,
    ) -> NDArray[np.float64]:
        """Error of the rules "class 1 if ``x @ coef + intercept > 0``", in closed form.

        Parameters
        ----------
        coef : ndarray of shape (n_rules, n_features)
            Weights of the features.
        intercept : ndarray of shape (n_rules,)
            Constants.
        delta : float, optional
            Distance of the class means of the block.
        """
        half = (self.delta if delta is None else delta) / 2
        scale = np.linalg.norm(coef, axis=1)
        means = half * coef.sum(axis=1)
        missed = ndtr(-(means + intercept) / scale)
        false = ndtr((intercept - means) / scale)
        return (missed + false) / 2
