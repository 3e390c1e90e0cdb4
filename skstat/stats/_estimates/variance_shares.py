"""Where the variance of a difference lies: between groups, items, or samples of an item."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class VarianceShares:
    """Parts of the variance of an item's difference between two systems.

    Of more than two systems they are those of the average pair.

    Attributes
    ----------
    groups, items : float or None
        Variance between groups, and between items of a group, of what a system scores on an
        item on average over its samples. Groups: None without them.
    samples : float or None
        What is added because items have few samples; None if no item has two.
    standard_error : float
        Of the mean difference over the items: cluster-robust (CR1) with groups.
    n_items : int
        Number of items.
    n_samples : float
        Samples of each item, on average.
    """

    groups: float | None
    items: float
    samples: float | None
    standard_error: float
    n_items: int
    n_samples: float = 1.0

    @property
    def total(self) -> float:
        """Variance of an item's difference."""
        return (self.groups or 0.0) + self.items + (self.samples or 0.0)

    def error_with(self, factor: float) -> float:
        """Return the standard error that another number of samples of each item would give.

        With n items and K samples it is sqrt(Var(x) / n + E[sigma^2] / (n K)), x the expected
        difference on an item and sigma^2 the variance of its samples (Miller, 2024). With
        f times the samples its square is at least one f-th of what it is now, whatever the
        estimates are.

        Parameters
        ----------
        factor : float
            Samples of each item, in multiples of those that there are; may be infinite.

        Returns
        -------
        float
            The standard error.
        """
        less = (self.samples or 0.0) * (1 - 1 / factor) / self.n_items
        square = self.standard_error**2
        return math.sqrt(max(square / factor, square - less))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers."""
        known = {"groups": self.groups, "items": self.items, "samples": self.samples}
        found = {name: value for name, value in known.items() if value is not None}
        errors = {"standard_error": self.standard_error}
        if self.samples is not None:
            errors |= {
                "standard_error_with_twice_the_samples": self.error_with(2),
                "standard_error_with_any_number": self.error_with(math.inf),
                "n_samples": self.n_samples,
            }
        return found | errors


def variance_shares(
    means: Numbers,
    variances: Numbers,
    counts: NDArray[Any],
    groups: NDArray[np.int64] | None = None,
) -> VarianceShares | None:
    """Estimate the parts by mean squares of the nested analysis of variance.

    Negative estimates are set to 0.

    Parameters
    ----------
    means : ndarray of shape (n_items, n_systems)
        Mean score of the samples of each item.
    variances : ndarray of shape (n_items, n_systems)
        Sample variances of the samples of each item; nan where there is one only.
    counts : ndarray of int of shape (n_items, n_systems)
        Numbers of samples.
    groups : ndarray of int of shape (n_items,), optional
        Number of every item's group, from 0.

    Returns
    -------
    VarianceShares or None
        None where there are too few items or groups to estimate anything.
    """
    n, k = means.shape
    n_groups = n if groups is None else int(groups.max()) + 1
    if n < 2 or n_groups < 2:
        return None
    # The sum over pairs of squared differences is k times that of deviations from their mean.
    z = means - means.mean(axis=1, keepdims=True)
    z = z - z.mean(axis=0)
    of_pairs = 2 / (k - 1)
    total = of_pairs * float(np.sum(z**2))
    if groups is None:
        between, within = None, total / (n - 1)
        error = math.sqrt(within / n)
    else:
        sizes = np.bincount(groups)
        sums = np.column_stack([np.bincount(groups, column) for column in z.T])
        of_groups = of_pairs * float(np.sum(sums**2 / sizes[:, None]))
        if n > n_groups:
            within = (total - of_groups) / (n - n_groups)
            size = (n - float(np.sum(sizes**2)) / n) / (n_groups - 1)
            between = max(0.0, (of_groups / (n_groups - 1) - within) / size)
        else:  # groups of one item each
            between, within = None, total / (n - 1)
        squares = of_pairs * float(np.sum(sums**2))
        error = math.sqrt(n_groups / (n_groups - 1) * squares) / n
    samples = _of_samples(variances, counts)
    items = within if samples is None else max(0.0, within - samples)
    return VarianceShares(
        groups=between, items=items, samples=samples, standard_error=error, n_items=n,
        n_samples=float(np.mean(counts)),
    )  # fmt: skip


def _of_samples(variances: Numbers, counts: NDArray[Any]) -> float | None:
    """Average variance, because of its samples, of the difference of two systems' means."""
    several = counts > 1
    if not several.any(axis=0).all():
        return None
    of_systems = 0.0
    for column, own, n in zip(variances.T, several.T, counts.T, strict=True):
        # An item with one sample is taken to have the variance of the others.
        usual = float(np.mean(column[own]))
        of_systems += float(np.mean(np.where(own, column, usual) / n))
    return 2 * of_systems / variances.shape[1]
