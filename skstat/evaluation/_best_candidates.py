"""The best candidates of a fitted search as estimators, to be compared on more splits."""

from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone

from skstat._arguments import explains_arguments
from skstat.evaluation._search import read_candidates


@explains_arguments
def best_candidates(
    search: Any, top: int = 5, *, scoring: str | None = None, iteration: int | None = None
) -> dict[str, Any]:
    """Return the best candidates of a fitted search, ready to be compared on other splits.

    A search often has three or five folds, which can hardly find a difference. The few best
    candidates, fitted on the splits of :func:`~skstat.compare_estimators`, may be told from
    each other at the cost of a few hundred fits. How strong a penalty is the best depends on
    the number of training rows: with ``train_size=0.9`` they are compared as trained on nine
    tenths of the rows, by 50 fits of each instead of 30.

    Parameters
    ----------
    search : fitted search
        A fitted ``GridSearchCV``, ``RandomizedSearchCV`` or halving search of
        scikit-learn, or anything with ``cv_results_`` like theirs.
    top : int, default=5
        How many candidates, of those with all of their scores.
    scoring : str, optional
        The metric that says which are the best; needed of a search with several.
    iteration : int, optional
        Iteration of a halving search; default the last one with two candidates or more.

    Returns
    -------
    dict of str to estimator
        Unfitted copies of the search's estimator with the parameters of each candidate, the
        best first, by the names that :func:`~skstat.compare_search_candidates` gives them.

    Raises
    ------
    NotFittedError
        If the search is not fitted.
    ValueError
        If `top` is below 1, or the metric is unknown.

    See Also
    --------
    compare_search_candidates : Which candidates may be the best, without a further fit.

    Notes
    -----
    Those that were selected by their scores on some rows score too well on other splits of
    the same rows. That holds for all of them alike; a comparison with an estimator that was
    not part of the search favours them.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import best_candidates, compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0)
    >>> search = GridSearchCV(tree, {"max_depth": [1, 2, 3, 4]}, cv=3).fit(X, y)
    >>> found = best_candidates(search, 2)
    >>> list(found)
    ['max_depth=4', 'max_depth=3']
    >>> compare_estimators(found, X, y, random_state=0).verdict
    'undecided'
    """
    if isinstance(top, bool) or not isinstance(top, Integral) or top < 1:
        raise ValueError(f"top={top!r} must be a whole number, 1 or more.")
    found = read_candidates(search, iteration)
    # The only metric has no name there.
    metric = "score" if list(found.scores) == ["score"] else scoring
    if metric is None or metric not in found.scores:
        raise ValueError(
            f"scoring={scoring!r} is not a metric of the search; name one of "
            f"{', '.join(found.scores)}."
        )
    scores = found.scores[metric]
    means = np.where(found.whole, scores.mean(axis=0), -np.inf)
    order = np.argsort(-means, kind="stable")[: min(int(top), int(found.whole.sum()))]
    return {
        found.labels[place]: clone(search.estimator).set_params(
            **clone(found.params[place], safe=False)
        )
        for place in order.tolist()
    }
