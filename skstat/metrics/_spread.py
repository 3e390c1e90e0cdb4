"""Metrics that measure errors against the spread of y, and are undefined where it has none."""

from collections.abc import Mapping
from typing import Any

import numpy as np


def lacks_spread(options: Mapping[str, Any], y_true: Any, sample_weight: Any = None) -> bool:
    """Whether a metric is undefined because the truth is constant.

    For such a truth scikit-learn gives 0 or 1, "to be finite" for a search.

    Parameters
    ----------
    options : mapping
        Its options; one who asks for finite values shall have them.
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        Truth.
    sample_weight : array-like of shape (n_rows,), optional
        Weights; rows without any do not count.
    """
    if "force_finite" in options:
        return False
    y = np.asarray(y_true)
    if sample_weight is not None:
        y = y[np.asarray(sample_weight) > 0]
    if not len(y) or y.dtype.kind not in "biuf":
        return False
    constant = (y == y[:1]).all(axis=0)
    # Weighted by their variance, constant outputs have no part in the mean.
    together = options.get("multioutput") == "variance_weighted"
    return bool(np.all(constant) if together else np.any(constant))
