"""What to fit where: the tasks of several estimators on one data set, and their failures."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from textwrap import shorten
from types import FunctionType
from typing import Any

from sklearn import get_config
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer, get_scorer_names
from sklearn.utils import get_tags
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from skstat.evaluation._baselines import CheapestClass, RandomGuess
from skstat.evaluation._chosen_guess import ChosenConstant, ChosenGuess
from skstat.evaluation._design import Design, check_folds, check_splits, make_design
from skstat.evaluation._fold import EvaluationError, FoldRecord, FoldTask
from skstat.evaluation._inputs import (
    WEIGHT,
    Data,
    Scoring,
    align_to,
    asks_for_weights,
    check_data,
    check_outputs,
    check_params,
    fit_parameter,
    is_weighted,
    named_params,
    read_weights,
    refuse_unweighted,
    resolve_scoring,
    weights_note,
)
from skstat.evaluation._jobs import Work
from skstat.evaluation._kept import Store, StoreWarning
from skstat.evaluation._keys import Keys, key_of
from skstat.evaluation._progress import Verbose
from skstat.evaluation._random_state import draw_seed
from skstat.evaluation._run import first_repeat
from skstat.metrics import ScoreMetric, as_metric
from skstat.metrics._own_mean import OwnMean
from skstat.metrics._row_metric import RowMetric

_LONGEST = 300  # characters of an estimator's own message; scikit-learn prints arrays


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


@dataclass(frozen=True, kw_only=True, eq=False)
class RunPlan:
    """Estimators, data, splits and scorers, checked before the first fit."""

    named: Mapping[str, Any]
    data: Data
    scoring: Scoring
    design: Design
    tasks: list[FoldTask]
    weighted: frozenset[str] = frozenset()  # metrics whose scores are weighted
    weights: Any = None  # as `sample_weight` gave them, in the order of the data
    by_formula: frozenset[str] = frozenset()  # metrics whose rows have contributions

    def is_mean(self, metric: str) -> bool:
        """Whether the score is a mean over rows, as far as is known or was found."""
        rows = self.tasks[0].row_metrics.get(metric)
        return isinstance(rows, OwnMean) or self.scoring.is_mean(metric)

    def work(self, dataset: int, store: Store | None) -> Work:
        """Return the tasks, without those whose records are stored already."""
        tasks = [replace(task, dataset=dataset) for task in self.tasks]
        if store is not None and self.design.unseeded:
            warnings.warn(
                "memory cannot reuse anything: cv draws new splits in every call; give it a "
                "random_state.",
                StoreWarning,
                stacklevel=2,
            )
        if store is None:
            return Work(self.data.X, self.data.y, tasks)
        keys = Keys(self.data.X, self.data.y, store.vouched)
        left, found = [], []
        for task in map(keys.given_to, tasks):
            record = store.load(key_of(task))
            if record is None:
                left.append(task)
            else:
                index = task.estimator_index
                found.append(
                    replace(record, dataset=dataset, split=task.split, estimator_index=index)
                )
        return Work(self.data.X, self.data.y, left, found)


def make_plan(
    fits: Fits,
    *,
    scoring: Any,
    cv: Any,
    random_state: Any = None,
    kept_splits: int | None = None,
    accept: Callable[[Design], None] | None = None,
    keep_rows: bool = False,
    halves: Design | None = None,
) -> RunPlan:
    """Check what was handed in, and fix the splits.

    `cv` may be a function from the data to a splitter. Predictions of the first
    `kept_splits` splits are kept, default those of the first repeat. `accept` may refuse
    the design. With `keep_rows` what every row contributes is kept, of all splits. `halves`
    are those from which the variance is found.
    """
    named = fits.named
    params = named_params(fits.params)
    groups = routed_groups(fits.groups, params)
    data = check_data(fits.X, fits.y, groups, named.values())
    params = check_params(data, params)
    for name, estimator in named.items():
        _check_kernel(name, estimator, data.X)
    weights = None
    if fits.sample_weight is not None:
        found = align_to(data, {"sample_weight": fits.sample_weight})
        weights = read_weights(found["sample_weight"], data.n_samples)
        params = _with_weights(named, params, weights)
    resolved = resolve_scoring(named, scoring, weigh=weights is not None and not is_routed())
    check_outputs(named, resolved.sources, data.y)
    if isinstance(cv, FunctionType):
        cv = cv(data)
    design = replace(make_design(cv, data, random_state=random_state), halves=halves)
    if halves is not None:
        check_folds(design)
    if accept is not None:
        accept(design)
    if weights is not None:
        check_splits(weights, design)
    kept = first_repeat(design) if kept_splits is None else kept_splits
    routed = _route(named, resolved, params, weights)
    tasks = _tasks(named, resolved, design, routed, kept=kept)
    of_spread = _metrics_of_spread(resolved)
    rows = _row_metrics(resolved.sources, data.y) if keep_rows else {}
    by_formula = frozenset(name for name, metric in rows.items() if metric.has_formula(data.y))
    if design.folds is None or len(design.folds) < 2:  # nobody will ask for so many calls
        rows = {name: row for name, row in rows.items() if not isinstance(row, OwnMean)}
    tasks = [replace(task, row_metrics=rows, of_spread=of_spread) for task in tasks]
    given = any(is_weighted(score) for _, score in routed)
    weighted = _weighted_metrics(resolved) if given else frozenset[str]()
    note = weights_note(
        {name: is_weighted(fit) for name, (fit, _) in zip(named, routed, strict=True)},
        {metric: metric in weighted for metric in resolved.sources},
    )
    return RunPlan(
        named=named,
        data=data,
        scoring=resolved,
        design=replace(design, notes=(note,)) if note else design,
        tasks=tasks,
        weighted=weighted,
        weights=weights,
        by_formula=by_formula,
    )


def is_routed() -> bool:
    """Whether requests of estimators and scorers decide who gets parameters."""
    return bool(get_config()["enable_metadata_routing"])


def _with_weights(
    named: Mapping[str, Any], params: Mapping[str, Any], weights: Any
) -> dict[str, Any]:
    """Put weights among the parameters where requests decide; else check that all take them."""
    twice = next((name for name in params if is_weighted({name: None})), None)
    if twice is not None:
        raise ValueError(
            f"sample_weight is given, and params holds {twice!r} too: leave one of them out."
        )
    if is_routed():
        return {**params, WEIGHT: weights}
    refuse_unweighted(named)
    return dict(params)


def weighted_metrics(
    named: Mapping[str, Any], scoring: Any, sample_weight: Any
) -> frozenset[str]:
    """Metrics whose scores will be weighted, before anything is planned."""
    if sample_weight is None:
        return frozenset()
    resolved = resolve_scoring(named, scoring, weigh=not is_routed())
    return _weighted_metrics(resolved)


def _weighted_metrics(scoring: Scoring) -> frozenset[str]:
    """Metrics whose scorers get weights, or ask for them where metadata is routed."""
    if not is_routed():
        return scoring.weighted
    return frozenset(
        metric
        for metric, source in scoring.sources.items()
        if any(map(asks_for_weights, _scorers_of(scoring, source)))
    )


def _scorers_of(scoring: Scoring, source: Any) -> list[Any]:
    if source is None:  # each estimator's own score
        return list(scoring.scorers)
    return [get_scorer(source) if isinstance(source, str) else source]


def _metrics_of_spread(scoring: Scoring) -> dict[str, ScoreMetric]:
    """Metrics that are undefined for a constant y, by name."""
    found = {}
    for name, source in scoring.sources.items():
        written = name if source is None else source
        if written not in get_scorer_names() and not _is_scorer(written):
            continue
        with suppress(ValueError):  # a scorer may be made of what we cannot read
            metric = as_metric(written)
            if metric.facts.needs_spread:
                found[name] = metric
    return found


def _row_metrics(sources: Mapping[str, Any], y: Any) -> dict[str, RowMetric | OwnMean]:
    """Metrics of which the rows' contributions can be found, by name."""
    if y is None:
        return {}
    found: dict[str, RowMetric | OwnMean] = {}
    for name, source in sources.items():
        known = RowMetric.of(name if source is None else source, y)
        metric: RowMetric | OwnMean | None = known
        if known is None or not known.has_formula(y):
            metric = OwnMean.of(source, y) or known
        if metric is not None:
            found[name] = metric
    return found


def rows_known(named: Mapping[str, Any], scoring: Any, y: Any) -> bool:
    """Whether what every row contributes will be known, of all metrics and estimators."""
    return by_rows_known(named, scoring, y)[False] == {}


def by_rows_known(
    named: Mapping[str, Any], scoring: Any, y: Any
) -> dict[bool, Mapping[str, Any]]:
    """Sort the metrics by whether what every row contributes will be known.

    Parameters
    ----------
    named : mapping of str to estimator
        The estimators.
    scoring : str, callable, list, tuple or dict
        The metrics.
    y : array-like of shape (n_rows,) or None
        Truth of all rows.

    Returns
    -------
    dict of bool to mapping
        Two mappings from names of metrics to what they were given as.
    """
    sources = resolve_scoring(named, scoring).sources  # which refuses what no metric is
    if any(hasattr(estimator, "expected_score") for estimator in named.values()):
        return {True: {}, False: sources}
    rows = _row_metrics(sources, y)
    known = {name for name, metric in rows.items() if metric.has_formula(y)}
    return {
        whether: {
            name: source for name, source in sources.items() if (name in known) is whether
        }
        for whether in (True, False)
    }


def no_means(named: Mapping[str, Any], scoring: Any, y: Any) -> list[str]:
    """Name the metrics that are not known to be means over rows.

    Parameters
    ----------
    named : mapping of str to estimator
        The estimators.
    scoring : str, callable, list, tuple or dict
        The metrics.
    y : array-like of shape (n_rows,) or None
        Truth of all rows.
    """
    sources = resolve_scoring(named, scoring).sources
    rows = _row_metrics(sources, y)
    means = {name for name, metric in rows.items() if metric.is_mean and metric.has_formula(y)}
    own = any(hasattr(estimator, "expected_score") for estimator in named.values())
    return [name for name in sources if own or name not in means]


def _is_scorer(scoring: Any) -> bool:
    return repr(scoring).startswith("make_scorer(")


def routed_groups(groups: Any, params: Mapping[str, Any] | None) -> Any:
    """Return the groups, which with metadata routing may stand among the parameters."""
    if groups is None and is_routed():
        return named_params(params).get("groups")
    return groups


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
    routed: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
    *,
    kept: int,
) -> list[FoldTask]:
    pairwise = [get_tags(estimator).input_tags.pairwise for estimator in named.values()]
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
            parts=design.parts[split],
        )
        for split, (train, test) in enumerate(design.splits)
        for index, estimator in enumerate(named.values())
    ]


def _route(
    named: Mapping[str, Any], scoring: Scoring, params: Mapping[str, Any], weights: Any
) -> list[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Parameters of fit and of score for every estimator, as cross_validate routes them.

    Without routing weights go to every fit, and to the scorers that take them.
    """
    if not is_routed():
        scored = {WEIGHT: weights} if scoring.weighted else {}
        fits = [dict(_baseline_params(estimator, params)) for estimator in named.values()]
        if weights is not None:
            for fitted, estimator in zip(fits, named.values(), strict=True):
                chosen = isinstance(estimator, ChosenGuess | ChosenConstant)
                if not chosen or estimator.choice.metric in scoring.weighted:
                    fitted[fit_parameter(estimator) or WEIGHT] = weights
        return [(fitted, scored) for fitted in fits]
    if not params:
        return [({}, {}) for _ in named]
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


def _baseline_params(estimator: Any, params: Mapping[str, Any]) -> Mapping[str, Any]:
    """Parameters of fit as a baseline understands them: weights without a step's name.

    One that is chosen for the metric gets none, because without routing no score is weighted.
    """
    if isinstance(estimator, ChosenGuess | ChosenConstant):
        return {}
    if not isinstance(
        estimator, DummyClassifier | DummyRegressor | CheapestClass | RandomGuess
    ):
        return params
    weights = [value for name, value in params.items() if name.endswith("sample_weight")]
    return {"sample_weight": weights[0]} if weights else {}


def seed_for(random_state: Any, store: Store | None) -> int:
    """Turn `random_state` into a seed; None takes that of the store, if there is one."""
    seed = draw_seed(random_state)
    return store.kept_seed(seed) if random_state is None and store is not None else seed


def failure_of(
    record: FoldRecord,
    names: list[str],
    scoring: Scoring,
    dataset: str | None = None,
    *,
    split: str | None = None,
) -> Exception:
    """Return the error to raise for a failed record; it names all that is known."""
    failure = record.failure
    assert failure is not None
    name, error = names[record.estimator_index], failure.exception
    where = (split or f"split {record.split}") + (
        "" if dataset is None else f" of data set {dataset!r}"
    )
    metric = scoring.metric or ", ".join(scoring.sources)
    if failure.step == "check":
        return ValueError(f"scoring={metric}: {name} on {where}: {error}")
    doing = {"fit": "be fitted", "score": "be scored", "predict": "predict"}[failure.step]
    kind, error_text = type(error).__name__, shorten(str(error), _LONGEST, placeholder=" ...")
    message = f"{name} could not {doing} on {where}: {kind}: {error_text}"
    if failure.step == "score":
        message += f" (scoring: {metric})"
        if isinstance(error, AttributeError):
            message += (
                ". If the metric needs probabilities or scores that the estimator lacks, "
                "choose a metric of its predictions or wrap it in CalibratedClassifierCV."
            )
    if error.__traceback__ is None:  # it came from a worker process
        error.add_note(failure.trace)
    raised = EvaluationError(message)
    raised.__cause__ = error
    return raised
