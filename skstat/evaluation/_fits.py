"""What is fitted, on which rows, and how: the arguments that all runs share."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from skstat.evaluation._kept import Store
from skstat.evaluation._progress import Verbose


@dataclass(frozen=True, kw_only=True, eq=False)
class Fits:
    """Estimators, the rows that they are fitted on, and how the fits are made.

    Attributes
    ----------
    named : mapping of str to estimator
        The estimators.
    X, y, groups, sample_weight, params : object
        The rows, as the caller gave them.
    n_jobs, verbose : object
        As in all functions that fit.
    store : Store or None
        Where finished fits are kept.
    """

    named: Mapping[str, Any]
    X: Any
    y: Any = None
    groups: Any = None
    sample_weight: Any = None
    params: Mapping[str, Any] | None = None
    n_jobs: int | None = None
    verbose: Verbose = "auto"
    store: Store | None = None
