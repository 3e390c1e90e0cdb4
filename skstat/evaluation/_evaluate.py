"""From estimators and data to a run: plan the tasks, run them, assemble the scores."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.base import is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from skstat.evaluation._design import Design, make_design
from skstat.evaluation._fold import Failure, FoldRecord, FoldTask
from skstat.evaluation._guess import RandomGuess
from skstat.evaluation._inputs import Data, check_data, name_estimators
from skstat.evaluation._learners import has_fixed_seed, is_known_stable, is_unseeded
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._run import CrossValidationRun, first_repeat
from skstat.evaluation._schedule import run_tasks
from skstat.evaluation._scoring import Scoring, resolve_scoring


class EvaluationError(RuntimeError):
    """An estimator could not be fitted or scored on some split."""


def paired_cross_validate(
    estimators: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    return_predictions: bool = False,
) -> CrossValidationRun:
    """Score several estimators on the same splits, each fitted once per split.

    The splits are fixed before the first fit, so that pairing is a fact. The run is
    a value: ask any number of tests of it with :func:`skstat.compare_scores`.

    Parameters
    ----------
    estimators : mapping of str to estimator, or list
        The estimators; a list may hold (name, estimator) pairs or estimators, whose
        class names become labels. They are cloned, never fitted themselves.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    groups : array-like of shape (n_samples,), optional
        Group of every row; rows of one group stay on one side of a split.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`;
        default the estimators' ``score``.
    cv : int, splitter or iterable, optional
        Any scikit-learn splitter, (train, test) pairs, or a number of folds.
        Default: 30 random splits with one third for testing, stratified for
        classifiers with a binary or multiclass y, by group when `groups` is given.
    params : mapping, optional
        Parameters for ``fit``, and with metadata routing enabled also for scorers
        and splitters' consumers, as in ``cross_validate``. Values with one entry
        per row of X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a
        :func:`joblib.parallel_config` context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a bar on long work and announces very long work;
        a callable gets ``(done, total)``.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported.
    return_predictions : bool, default=False
        Keep the test-set predictions of every split instead of the first repeat's.

    Returns
    -------
    CrossValidationRun
        Scores, times and the design.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If the arguments do not fit together, a class is missing from training rows,
        or a score is undefined.

    See Also
    --------
    skstat.compare_scores : Ask a test of a run.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skstat import compare_scores, paired_cross_validate
    >>> X, y = load_iris(return_X_y=True)
    >>> estimators = [GaussianNB(), DecisionTreeClassifier(random_state=0)]
    >>> run = paired_cross_validate(
    ...     estimators, X, y, scoring=["accuracy", "f1_macro"], random_state=0
    ... )
    >>> run.scores["accuracy"].shape
    (30, 2)
    >>> compare_scores(run, scoring="f1_macro").unit
    'split'
    """
    return evaluate(
        name_estimators(estimators),
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        random_state=random_state,
        return_predictions=return_predictions,
    )


def evaluate(
    named: Mapping[str, Any],
    X: Any,
    y: Any,
    *,
    groups: Any,
    scoring: Any,
    cv: Any,
    params: Mapping[str, Any] | None,
    n_jobs: int | None,
    verbose: Verbose,
    random_state: Any = None,
    return_predictions: bool = False,
    accept: Callable[[Design], None] | None = None,
) -> CrossValidationRun:
    """Run named estimators; `accept` may refuse the design before the first fit."""
    if not named:
        raise ValueError("estimators is empty; pass at least one.")
    params = dict(params or {})
    if groups is None and get_config()["enable_metadata_routing"]:
        groups = params.get("groups")
    data = check_data(X, y, groups, named.values())
    for name, estimator in named.items():
        _check_kernel(name, estimator, data.X)
    resolved = resolve_scoring(named, scoring)
    design = make_design(cv, data, random_state=random_state)
    if accept is not None:
        accept(design)
    tasks = _tasks(named, resolved, design, params, keep_all=return_predictions)
    baselines = DummyClassifier | DummyRegressor | RandomGuess
    comparable = len(named) == 2 and not any(isinstance(e, baselines) for e in named.values())
    hint = _cheaper(design, len(named), comparable=comparable)
    with Progress(len(tasks), verbose, hint=hint) as progress:
        records = run_tasks(data.X, data.y, tasks, n_jobs=n_jobs, advance=progress.advance)
    for record in records:
        if record.failure is not None:
            _raise_failure(record.failure, record, list(named), resolved)
    return _assemble(named, resolved, design, data, records)


def _check_kernel(name: str, estimator: Any, X: Any) -> None:
    if not get_tags(estimator).input_tags.pairwise:
        return
    shape: tuple[int, ...] = getattr(X, "shape", ())
    if hasattr(X, "columns") or len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(
            f"X must be a square array of kernel values or distances for {name}, got "
            f"{type(X).__name__} of shape {shape}."
        )


def _tasks(
    named: Mapping[str, Any],
    scoring: Scoring,
    design: Design,
    params: Mapping[str, Any],
    *,
    keep_all: bool,
) -> list[FoldTask]:
    routed = _route(named, scoring, params)
    pairwise = [get_tags(estimator).input_tags.pairwise for estimator in named.values()]
    kept = design.n_splits if keep_all else first_repeat(design)
    return [
        FoldTask(
            split=split,
            estimator_index=index,
            estimator=estimator,
            scorer=scoring.scorers[index],
            train=train,
            test=test,
            fit_params=routed[index][0],
            score_params=routed[index][1],
            pairwise=pairwise[index],
            keep_predictions=split < kept,
        )
        for split, (train, test) in enumerate(design.splits)
        for index, estimator in enumerate(named.values())
    ]


def _route(
    named: Mapping[str, Any], scoring: Scoring, params: Mapping[str, Any]
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Parameters of fit and of score for every estimator, as cross_validate routes them."""
    if not params or not get_config()["enable_metadata_routing"]:
        return [(_suits(estimator, params), {}) for estimator in named.values()]
    # One router for all: a parameter that only one estimator asks for is in order.
    router = MetadataRouter(owner="paired_cross_validate")
    for index, (estimator, scorer) in enumerate(
        zip(named.values(), scoring.scorers, strict=True)
    ):
        fit, score = f"estimator_{index}", f"scorer_{index}"
        router.add(
            **{fit: estimator}, method_mapping=MethodMapping().add(caller="fit", callee="fit")
        )
        router.add(
            **{score: scorer}, method_mapping=MethodMapping().add(caller="fit", callee="score")
        )
    # The splits have been made: groups go on only to who asks for them, such as the
    # splitter of a search inside.
    if "groups" not in router.consumes("fit", ["groups"]):
        params = {name: value for name, value in params.items() if name != "groups"}
    routed = process_routing(router, "fit", **params) if params else None
    if routed is None:
        return [({}, {}) for _ in named]
    return [
        (routed[f"estimator_{index}"]["fit"], routed[f"scorer_{index}"]["score"])
        for index in range(len(named))
    ]


def _suits(estimator: Any, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Parameters of fit as a baseline understands them: weights without a step's name."""
    if not isinstance(estimator, DummyClassifier | DummyRegressor | RandomGuess):
        return params
    weights = [value for name, value in params.items() if name.endswith("sample_weight")]
    return {"sample_weight": weights[0]} if weights else {}


def _raise_failure(
    failure: Failure, record: FoldRecord, names: list[str], scoring: Scoring
) -> None:
    name, error = names[record.estimator_index], failure.exception
    metric = scoring.metric or ", ".join(scoring.sources)
    if failure.step == "check":
        raise ValueError(f"scoring={metric}: {name} on split {record.split}: {error}")
    doing = {"fit": "be fitted", "score": "be scored", "predict": "predict"}[failure.step]
    kind = type(error).__name__
    message = f"{name} could not {doing} on split {record.split}: {kind}: {error}"
    if failure.step == "score":
        message += f" (scoring: {metric})"
        if isinstance(error, AttributeError):
            message += (
                ". If the metric needs probabilities or scores that the estimator lacks, "
                "choose a metric of its predictions or wrap it in CalibratedClassifierCV."
            )
    if error.__traceback__ is None:  # it came from a worker process
        error.add_note(failure.trace)
    raise EvaluationError(message) from error


def _assemble(
    named: Mapping[str, Any],
    scoring: Scoring,
    design: Design,
    data: Data,
    records: list[FoldRecord],
) -> CrossValidationRun:
    names = tuple(named)
    shape = (design.n_splits, len(names))
    fit_times, score_times = np.empty(shape), np.empty(shape)
    scores: dict[str, np.ndarray] = {}
    predictions: dict[str, dict[int, Any]] = {name: {} for name in names}
    for record in records:
        key = record.split, record.estimator_index
        name = names[record.estimator_index]
        fit_times[key], score_times[key] = record.fit_time, record.score_time
        for metric, value in _by_metric(record.scores, scoring).items():
            scores.setdefault(metric, np.full(shape, np.nan))[key] = value
        if record.predictions is not None:
            predictions[name][record.split] = record.predictions
    return CrossValidationRun(
        names=names,
        scores=scores,
        fit_times=fit_times,
        score_times=score_times,
        design=design,
        predictions=predictions,
        losses=frozenset(metric for metric in scores if scoring.is_loss(metric)),
        unstable=frozenset(n for n, e in named.items() if not is_known_stable(e)),
        unseeded=frozenset(n for n, e in named.items() if is_unseeded(e)),
        fixed_seeds=frozenset(n for n, e in named.items() if has_fixed_seed(e)),
        is_classification=any(map(is_classifier, named.values())),
        y=data.y,
    )


def _by_metric(scores: Any, scoring: Scoring) -> Mapping[str, Any]:
    if isinstance(scores, Mapping):
        return scores
    return {scoring.metric or "score": scores}


def _cheaper(design: Design, n_estimators: int, *, comparable: bool) -> str:
    """Name cheaper designs that are still valid."""
    options = []
    if design.n_splits > 15:
        options.append(f"15 random splits with test_size=1/3 need {15 * n_estimators} fits")
    if design.n_splits > 10 and comparable:
        options.append("five_by_two_cv_test needs 20 fits")
    return f"Cheaper and still valid: {'; '.join(options)}." if options else ""
