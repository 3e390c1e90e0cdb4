"""Laws of data in which two blocks of features can change places."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_FEWEST_OF_CLASS = 8


@dataclass(frozen=True, kw_only=True)
class Rows:
    """One data set.

    Attributes
    ----------
    y : ndarray of shape (n,)
        Classes 0, 1, ... or numbers.
    first : ndarray of shape (n, n_features)
        Block of system A.
    second : ndarray of shape (n, n_features)
        Block of system B, as good as the first.
    better : ndarray of shape (n, n_features)
        The second block with more information, for power.
    groups : ndarray of shape (n,) or None
        Group of every row.
    """

    y: NDArray[Any]
    first: Floats
    second: Floats
    better: Floats
    groups: NDArray[np.int64] | None = None


class Law(Protocol):
    """What data sets are drawn from."""

    @property
    def name(self) -> str:
        """How tables call the law."""
        ...

    def draw(self, rng: np.random.Generator, n: int) -> Rows:
        """Draw one data set.

        Parameters
        ----------
        rng : Generator
            Source of randomness.
        n : int
            Number of rows.
        """
        ...


@dataclass(frozen=True, kw_only=True)
class Classes:
    """Classes whose means differ in every feature.

    Parameters
    ----------
    name : str
        How tables call the law.
    n_features : int
        Features in each block.
    delta : float
        Distance of the class means in every feature; 0 is pure noise.
    better : float
        The distance in a block that is better.
    rho : float
        Correlation of matched features of two blocks.
    share : float
        Chance of a row to be of class 1.
    n_classes : int
        More than two: every class has a centre of its own, drawn once for all data sets.
    shape : {"normal", "lognormal"}
        Law of a feature around its class mean.
    group_size : int
        Rows of a group, on average, which share a part of their features' noise; 1 for no
        groups.
    uneven : float
        Standard deviation of the logarithms of the chances of groups; 0 for equal groups.
    """

    name: str = "balanced"
    n_features: int = 10
    delta: float = 0.5
    better: float = 0.7
    rho: float = 0.5
    share: float = 0.5
    n_classes: int = 2
    shape: Literal["normal", "lognormal"] = "normal"
    group_size: int = 1
    uneven: float = 0.0

    def draw(self, rng: np.random.Generator, n: int) -> Rows:
        """Draw `n` rows; the three blocks differ by their class means and a part of the noise.

        Classes are drawn with the rows. Data sets with fewer than eight rows of some class are
        drawn anew: the block jackknife could not deal them out to its blocks.

        Parameters
        ----------
        rng, n
            As in `Law`.
        """
        if self.n_classes > 2:
            y = _drawn(lambda: rng.integers(self.n_classes, size=n), self.n_classes)
            centres = np.random.default_rng(0).choice(
                [-0.5, 0.5], (self.n_classes, self.n_features)
            )
            means = centres[y]
        else:
            y = _drawn(lambda: (rng.random(n) < self.share).astype(np.int64), 2)
            means = np.repeat((y - 0.5)[:, None], self.n_features, axis=1)
        noise = rng.standard_normal((3, n, self.n_features))
        groups = None
        if self.group_size > 1:
            groups = np.arange(n) // self.group_size
            if self.uneven:
                chances = np.exp(self.uneven * rng.standard_normal(groups[-1] + 1))
                sizes = rng.multinomial(n, chances / chances.sum())
                groups = np.repeat(np.arange(np.sum(sizes > 0)), sizes[sizes > 0])
            shared = rng.standard_normal((3, groups[-1] + 1, self.n_features))[:, groups]
            noise = np.sqrt(0.5) * noise + np.sqrt(0.5) * shared
        own = np.sqrt(1 - self.rho) * noise[1:] + np.sqrt(self.rho) * noise[0]
        blocks = [
            block + delta * means
            for block, delta in (
                (own[0], self.delta),
                (own[1], self.delta),
                (own[1], self.better),
            )
        ]
        if self.shape == "lognormal":
            blocks = [np.exp(block) for block in blocks]
        return Rows(y=y, first=blocks[0], second=blocks[1], better=blocks[2], groups=groups)


def _drawn(draw: Callable[[], NDArray[np.int64]], n_classes: int) -> NDArray[np.int64]:
    """Draw classes until there are enough rows of each."""
    y = draw()
    while np.bincount(y, minlength=n_classes).min() < _FEWEST_OF_CLASS:
        y = draw()
    return y


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """A target that is linear in both blocks.

    Parameters
    ----------
    name : str
        How tables call the law.
    n_features : int
        Features in each block.
    slope : float
        Slope of the target in every feature of both blocks.
    better : float
        Share of the first block's features that is added to a block that is better.
    noise : float
        Standard deviation of the noise.
    df : float or None
        Degrees of freedom of Student's t noise; None for normal noise.
    """

    name: str = "normal noise"
    n_features: int = 10
    slope: float = 0.3
    better: float = 0.45
    noise: float = 1.0
    df: float | None = None

    def draw(self, rng: np.random.Generator, n: int) -> Rows:
        """Draw `n` rows; a better block tells a part of what the first one tells as well.

        Parameters
        ----------
        rng, n
            As in `Law`.
        """
        first, second = rng.standard_normal((2, n, self.n_features))
        noise = rng.standard_normal(n) if self.df is None else rng.standard_t(self.df, n)
        y = self.slope * (first + second).sum(axis=1) + self.noise * noise
        return Rows(y=y, first=first, second=second, better=second + self.better * first)
