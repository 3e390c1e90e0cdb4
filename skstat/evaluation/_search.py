"""The candidates of a fitted search, as scores on the splits of the search."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.utils.validation import check_is_fitted

from skstat._arguments import explains_arguments
from skstat._times import Times
from skstat.evaluation._data import check_data
from skstat.evaluation._design import Design, make_design
from skstat.evaluation._learners import is_known_stable, numbered
from skstat.evaluation._scoring import Scoring, metric_sources
from skstat.evaluation._splitters import RepeatedGroupKFold, RepeatedHalves
from skstat.stats import ScoreTable
from skstat.stats._scores import check_count

_SPLIT = re.compile(r"split(\d+)_test_(.+)")


@dataclass(frozen=True, kw_only=True)
class SearchScores:
    """Scores of the candidates of a search on its splits, by metric.

    Attributes
    ----------
    tables : dict of str to ScoreTable
        A row per split and a column per candidate, for every metric.
    selected : str or None
        The candidate that the search chose, where it says so.
    facts : dict
        Metrics that are negated losses, those that are shares of right rows, and the bounds of
        each metric.
    class_sizes : ndarray of shape (n_classes,) or None
        Rows of every class, where the targets are known and classes.
    design : dict
        Facts of the splits, for the report.
    n_candidates : int
        Candidates that the chosen one was selected from, those of other iterations too.
    unstable : frozenset of str
        The estimator's class, if it is not known to be stable.
    times : dict of str to Times, or None
        Mean times of the candidates, if the search measured them.
    parameters : dict of str to mapping
        Parameters of the candidates.
    """

    tables: dict[str, ScoreTable]
    selected: str | None
    facts: dict[str, Any]
    class_sizes: NDArray[np.int64] | None
    design: dict[str, Any]
    n_candidates: int
    unstable: frozenset[str]
    times: dict[str, Times] | None
    parameters: dict[str, Mapping[str, Any]]


class Candidates(NamedTuple):
    """Candidates of a search that were fitted alike.

    Attributes
    ----------
    places : ndarray of int
        Where they stand in ``cv_results_``.
    params : list of dict
        Their parameters.
    labels : list of str
        Their names: the parameters in which they differ.
    scores : dict of str to ndarray of shape (n_splits, n_candidates)
        By metric.
    whole : ndarray of bool
        Which have all of their scores.
    """

    places: NDArray[np.intp]
    params: list[Mapping[str, Any]]
    labels: list[str]
    scores: dict[str, NDArray[np.float64]]
    whole: NDArray[np.bool_]


def read_candidates(search: Any, iteration: int | None = None) -> Candidates:
    """Read who was tried in a search, and with which scores."""
    results = getattr(search, "cv_results_", None)
    if results is None and hasattr(search, "fit") and hasattr(search, "refit"):
        check_is_fitted(search, "cv_results_")
    if not isinstance(results, Mapping) or "params" not in results:
        raise ValueError(
            f"search is {type(search).__name__}; it must be a fitted search with cv_results_."
        )
    places = _of_one_iteration(search, iteration)
    params = [results["params"][place] for place in places]
    scores = {name: values[:, places] for name, values in _by_metric(results).items()}
    whole = np.all([np.isfinite(values).all(axis=0) for values in scores.values()], axis=0)
    return Candidates(places, params, _labels(params), scores, whole)


def read_search(search: Any, X: Any, y: Any, *, groups: Any, iteration: Any) -> SearchScores:
    """Read the candidates of a fitted search from its ``cv_results_``."""
    read, results = read_candidates(search, iteration), search.cv_results_
    places, _, _, scores, whole = read
    labels = np.array(read.labels)
    n_splits = len(next(iter(scores.values())))
    if len(labels) < 2:
        raise ValueError("the search tried one candidate only; two or more are compared.")
    if whole.sum() < 2:
        raise ValueError(
            f"{int(whole.sum())} of {len(labels)} candidates have all scores; two or more are "
            "compared. Find out why the fits failed (error_score='raise')."
        )
    first = int(places[0])
    design, units = _design(search, X, y, groups, n_splits, candidate=first)
    searched, fitted = type(search).__name__, ""
    if "iter" in results:
        searched = f"iteration {results['iter'][first]} of {searched}"
        fitted = f", each fitted with {search.resource}={results['n_resources'][first]}"
    notes = [f"{len(labels)} candidates of {searched}{fitted}"]
    if not whole.all():
        notes.append(f"left out because scores are missing: {'; '.join(labels[~whole])}")
    estimator = search.estimator
    scoring = Scoring((), None, metric_sources({"": estimator}, search.scoring))
    scoring.check_outputs({"": estimator}, None)
    if list(scores) == ["score"] and len(scoring.sources) == 1:
        scores = {next(iter(scoring.sources)): scores["score"]}
    names = labels[whole].tolist()
    best = labels[whole & (places == getattr(search, "best_index_", None))].tolist()
    measured, times = ("mean_fit_time", "mean_score_time"), None
    if results.keys() >= {*measured}:  # searches of others need not measure any
        complete = places[whole]
        times = Times.of(names, *(np.asarray(results[key])[complete] for key in measured))
    stable, kind = is_known_stable(estimator), type(estimator).__name__
    classes = y is not None and np.ndim(y) == 1 and is_classifier(estimator)
    return SearchScores(
        tables={
            name: ScoreTable(values[:, whole], systems=names, **units)
            for name, values in scores.items()
        },
        selected=best[0] if best else None,
        facts=scoring.facts(scores),
        class_sizes=np.unique(np.asarray(y), return_counts=True)[1] if classes else None,
        design=design | {"notes": notes},
        n_candidates=len(results["params"]),
        unstable=frozenset() if stable else frozenset([f"{kind} (as tuned)"]),
        times=times,
        parameters=dict(zip(read.labels, read.params, strict=True)),
    )


def _of_one_iteration(search: Any, iteration: int | None) -> NDArray[np.intp]:
    """Places of the candidates that were fitted alike: in a halving search not all are."""
    results = search.cv_results_
    if "iter" not in results:
        if iteration is not None:
            raise ValueError(f"iteration={iteration!r} is for halving searches.")
        return np.arange(len(results["params"]))
    iterations = np.asarray(results["iter"])
    sizes = np.bincount(iterations)
    chosen = int(np.flatnonzero(sizes > 1)[-1]) if iteration is None else iteration
    if not 0 <= chosen < len(sizes) or sizes[chosen] < 2:
        raise ValueError(
            f"iteration={iteration!r}: the iterations of this search have "
            f"{', '.join(map(str, sizes))} candidates; choose one with two or more."
        )
    return np.flatnonzero(iterations == chosen)


def _by_metric(results: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    """Scores of shape (n_splits, n_candidates), by metric."""
    splits: dict[str, dict[int, Any]] = {}
    for key, values in results.items():
        if match := _SPLIT.fullmatch(key):
            splits.setdefault(match[2], {})[int(match[1])] = values
    if not splits:
        raise ValueError("cv_results_ holds no scores of splits (split0_test_score and so on).")
    return {
        metric: np.array([rows[number] for number in sorted(rows)], dtype=float)
        for metric, rows in splits.items()
    }


def _labels(candidates: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name candidates by the parameters in which they differ."""
    shown = [{name: _said(value) for name, value in params.items()} for params in candidates]
    names = dict.fromkeys(name for params in shown for name in params)
    differing = [name for name in names if len({params.get(name) for params in shown}) > 1]
    last = [name.rpartition("__")[2] for name in differing]  # without the step
    short_names = {
        name: short if last.count(short) == 1 else name
        for name, short in zip(differing, last, strict=True)
    }
    labels = [
        # No commas: sentences list several candidates.
        " ".join(f"{short_names[name]}={params[name]}" for name in differing if name in params)
        or "the same parameters"
        for params in shown
    ]
    return numbered(labels, "{} ({})")


def _said(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{float(value):.6g}"
    text = " ".join(str(value).split())
    return text if len(text) <= 40 else f"{text[:39]}\N{HORIZONTAL ELLIPSIS}"


def _design(
    search: Any, X: Any, y: Any, groups: Any, n_splits: int, *, candidate: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Facts of the splits for a report, and the units of a table."""
    if X is not None:
        data = check_data(X, y, groups, [search.estimator])
        n_fitted, shape = getattr(search, "n_features_in_", None), np.shape(data.X)[1:2]
        if n_fitted is not None and shape and shape[0] != n_fitted:
            raise ValueError(f"X has {shape[0]} columns; the search was fitted on {n_fitted}.")
        design = make_design(5 if search.cv is None else search.cv, data)
        if design.n_splits != n_splits:
            raise ValueError(
                f"the search has scores of {n_splits} splits, but its cv makes "
                f"{design.n_splits} of this X; pass what it was fitted on."
            )
        return design.describe(), design.units() | _share(search, candidate, design)
    repeats = _repeats(search.cv)
    if repeats is None:
        raise ValueError(
            f"cv={search.cv!r} of the search does not say how large its splits were: pass X "
            "(and y, groups) that it was fitted on."
        )
    folds = n_splits // repeats
    kind = f"{folds}-fold cross-validation" if repeats == 1 else f"{repeats}x{folds}-fold"
    return {"kind": kind}, {"unit": "split", "n_repeats": repeats}


def _share(search: Any, candidate: int, design: Design) -> dict[str, Any]:
    """Sizes of splits where a halving search took some of their rows only."""
    if getattr(search, "resource", None) != "n_samples":
        return {}
    share = search.cv_results_["n_resources"][candidate] / design.n_samples
    n_train, n_test = (np.maximum(1, np.rint(size * share)) for size in design.sizes)
    return {"n_train": n_train.astype(int), "n_test": n_test.astype(int)}


def _repeats(cv: Any) -> int | None:
    """Number of complete partitions that a splitter makes; None if it is not known to."""
    if cv is None or isinstance(cv, int | np.integer):
        return 1
    ours = RepeatedGroupKFold | RepeatedHalves
    if isinstance(cv, RepeatedKFold | RepeatedStratifiedKFold | ours):
        return int(cv.n_repeats)
    if not type(cv).__module__.startswith("sklearn."):
        return None
    name = type(cv).__name__
    return 1 if name.endswith(("KFold", "LeaveOneOut", "LeaveOneGroupOut")) else None


@explains_arguments()
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
    top = check_count("top", top)
    candidates = read_candidates(search, iteration)
    # The only metric has no name there.
    metric = "score" if list(candidates.scores) == ["score"] else scoring
    if metric is None or metric not in candidates.scores:
        raise ValueError(
            f"scoring={scoring!r} is not a metric of the search; it has "
            f"{', '.join(candidates.scores)}."
        )
    scores = candidates.scores[metric]
    means = np.where(candidates.whole, scores.mean(axis=0), -np.inf)
    order = np.argsort(-means, kind="stable")[: min(top, int(candidates.whole.sum()))]
    return {
        candidates.labels[place]: clone(search.estimator).set_params(
            **clone(candidates.params[place], safe=False)
        )
        for place in order.tolist()
    }
