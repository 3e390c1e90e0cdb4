"""Comparison of an estimator with guessing: dummy predictions, or a constant score."""

import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer
from sklearn.utils.metadata_routing import get_routing_for_object

from skstat._arguments import explains_arguments
from skstat.comparison import _engine as engine
from skstat.comparison import _guide as guide
from skstat.comparison._question import Margin, Question
from skstat.evaluation import CrossValidationRun
from skstat.evaluation import _baselines as guessing
from skstat.evaluation import _data as inputs
from skstat.evaluation import _splitters as splitters
from skstat.evaluation._evaluate import Partition, evaluate
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import named_arguments, numbered
from skstat.evaluation._plan import Fits, seed_for
from skstat.evaluation._progress import Verbose
from skstat.evaluation._scoring import is_loss, metric_sources, resolve_scoring
from skstat.metrics._metric import metric_of_scorer
from skstat.metrics._sums import is_cost
from skstat.report import Recommendation, Report, ReportGrid
from skstat.report._doubts import Facts
from skstat.report._evidence import ComparisonEvidence, one_or_per_metric
from skstat.report._report import report_of
from skstat.report._terms import ShownMetric

_RANDOM = ("uniform", "stratified")


@explains_arguments()
def compare_to_baseline(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    strategy: Any = None,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    cv: Any = None,
    train_size: float | None = None,
    alternative: str = "greater",
    confidence_level: float = 0.95,
    margin: Margin = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    memory: Any = None,
) -> Report | ReportGrid:
    """Ask whether an estimator is better than guessing, on the same splits.

    The baseline is a guess that ignores X, fitted and scored on the same splits and
    compared by the projection t test (:func:`skstat.stats.projection_t`), or a constant
    score that was known in advance, compared by the one-sample form. By default it is the
    guess that is best for the metric, so that an estimator that learns nothing is not
    expected to score higher. Where the contribution of a row to the metric is not known, or
    the guess is random, or `cv` is not a repeated K-fold, the test is the corrected t test
    (Nadeau & Bengio, 2003).

    Parameters
    ----------
    estimator : estimator or (str, estimator)
        The estimator, with a label if its class name is not enough. It is cloned, never fitted
        itself.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The targets.
    strategy : str, float, dummy estimator, or list of these, optional
        The baseline. By default (or for None in a list) it is the best guess for the metric:
        of always one class, uniform guessing and stratified guessing, the one with the highest
        expected score given the class shares of the training rows. For accuracy that is the
        majority class, for F1 the positive class, for log loss the class shares; for
        regression the mean, or the median where it scores higher (:doc:`/baselines`). For a
        :func:`~skstat.metrics.cost_sensitive_scorer` it is ``"cheapest"``, the class that
        costs least on the training rows if it is always predicted.

        By name: a strategy of :class:`sklearn.dummy.DummyClassifier`
        (``"most_frequent"``, ``"prior"``, ``"uniform"``, ``"stratified"``) or
        :class:`sklearn.dummy.DummyRegressor` (``"mean"``, ``"median"``). Or a dummy with its
        own settings, or a number, the score to beat. Random guesses are scored by their
        expectation, so that the luck of the draw adds no noise: exactly where a formula is
        known (accuracy, balanced accuracy, precision, recall, F, Jaccard, Matthews, kappa,
        costs), by the mean of 100 draws for others. A list gives one report of several systems
        with the estimator as control, and p-values adjusted by Holm's method.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together, and sizes are counted in
        groups.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    scoring : str, callable, list, tuple or dict, optional
        Metric or metrics, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``. Several metrics give ``report[metric]``. They share one run, but
        for default splits: metrics for which the contribution of a row is not known have their
        own, so that no metric's result depends on the others.
    cv : int, splitter or iterable, optional
        Any scikit-learn splitter, (train, test) pairs, or a number of folds. Default: 15
        balanced halvings, each half training once (:class:`~skstat.evaluation.RepeatedHalves`),
        by group when `groups` is given, and stratified only where a class has fewer than 20
        rows.
    train_size : {0.5, 0.9}, default=0.5
        Share of the rows that train each model. With 0.9 the scores are those of twice 10
        folds, and their variance is found on 15 halvings (:ref:`nine-tenths`).

        These are 50 fits of each, for the projection t test. `cv` may then be 10
        folds of your own, repeated twice or more.
    alternative : {"two-sided", "less", "greater"}, default="greater"
        ``"greater"``: the first system scores higher than the second; here the first is the
        estimator and the second the baseline.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the scores
        are seen. The report then says whether the two are equivalent, or one is not inferior
        to the other: :doc:`/equivalence`. For several metrics a mapping of metric to margin.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the default splits, never the estimators. The seed used is reported. With
        `memory`, None reuses the first seed that was drawn for the folder, so that the same
        call finds the fits that an earlier one finished.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.

    Returns
    -------
    Report or ReportGrid
        One comparison; a report of the estimator as control and several baselines; or one
        report per metric.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If a strategy is unknown or arguments do not fit together.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skstat import compare_to_baseline
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> report = compare_to_baseline(
    ...     GaussianNB(), X, y, strategy=["most_frequent", "uniform", 0.9], random_state=0
    ... )
    >>> report.control, [pair.verdict for pair in report.pairs]
    ('GaussianNB', ['better', 'better', 'better'])
    >>> report["uniform baseline"].names
    ('GaussianNB', 'uniform baseline')
    """
    (name, estimator), *_ = named_arguments(estimator=estimator).items()
    question = Question.of(alternative, confidence_level, margin=margin)
    metrics = metric_sources({name: estimator}, scoring)
    question.about(metrics)
    baselines = _all_baselines(strategy, metrics, estimator)
    losses = [name for name, source in metrics.items() if is_loss(name, source)]
    beaten = [float(own.guess) for own in baselines if own.is_constant and own.guess > 0]
    if losses and beaten:
        raise ValueError(
            f"strategy={beaten[0]:g}: {losses[0]} is a negated error and never above 0; write "
            f"the error to beat as {-beaten[0]:g}."
        )
    params = inputs.named_params(params)
    weights = params.get("sample_weight") if sample_weight is None else sample_weight
    store = Store.of(memory)
    nine_tenths = splitters.check_train_size(train_size, cv=cv)
    needs_seed = cv is None or nine_tenths
    seed: Any = seed_for(random_state, store) if needs_seed else random_state

    def ask(scoring: Any, all_metrics: tuple[str, ...]) -> Any:
        metrics = metric_sources({name: estimator}, scoring)
        classifier = is_classifier(estimator)
        choices = {
            metric: _best_guess(metric, source, classifier=classifier)
            for metric, source in metrics.items()
        }
        dummies: dict[str, Any] = {}
        for baseline in baselines:
            dummies |= baseline.estimators(choices)
        weighted: Collection[str] = ()
        if weights is not None and inputs.is_routed():
            weighted = _request_weights(estimator, dummies.values(), metrics)
        elif sample_weight is not None:
            weighted = resolve_scoring({name: estimator}, scoring, weigh=True).weighted
        fits = Fits(
            named={name: estimator}, X=X, y=y, groups=groups, params=params,
            sample_weight=sample_weight, n_jobs=n_jobs, verbose=verbose, store=store,
        )  # fmt: skip
        seeded = replace(question, seed=seed)
        plan = guide.SplitPlan.of(fits, seeded, scoring=scoring, cv=cv, train_size=train_size)
        fits = replace(fits, named={name: estimator, **dummies})
        partitions = [Partition(plan.cv, seed, plan.halves)]
        (run,) = evaluate(fits, scoring=scoring, partitions=partitions, accept=plan.check)
        own_weights = weights if run.sample_weight is None else run.sample_weight
        by_metric: dict[str, ComparisonEvidence] = {}
        for metric in run.metrics:
            # A function that names its own scores has one choice for all of them.
            choice = choices.get(metric) or next(iter(choices.values()))
            by_metric[metric] = _BaselineQuestion(
                run=run,
                question=replace(question, metrics=all_metrics).about(run.metrics),
                name=name,
                metric=metric,
                baselines=baselines,
                choice=choice,
                weights=own_weights if choice.metric in weighted else None,
            ).against_all()
        return one_or_per_metric(by_metric)

    apart = cv is None and not nine_tenths
    return report_of(guide.on_own_splits({name: estimator}, scoring, y, ask, apart=apart))


@dataclass(frozen=True, eq=False)
class _Baseline:
    """A baseline and its name.

    Attributes
    ----------
    label : str
        Its name.
    guess : dummy estimator, float or None
        The dummy, or the score to beat; None for the best guess by each metric.
    """

    label: str
    guess: Any = None

    def label_in_run(self, metric: str) -> str:
        """Return the name in a run, in which every metric has its own best guess."""
        return f"{self.label} for {metric}" if self.guess is None else self.label

    def estimators(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """Return the dummies to fit, by name in the run.

        Parameters
        ----------
        choices : mapping of str to BestGuess
            How the best guess is chosen, by metric.
        """
        if self.is_constant:
            return {}
        if self.guess is not None:
            return {self.label: self.guess}
        estimators = {}
        for metric, choice in choices.items():
            kind = guessing.ChosenGuess if choice.classifier else guessing.ChosenConstant
            estimators[self.label_in_run(metric)] = kind(choice)
        return estimators

    @property
    def is_constant(self) -> bool:
        """Whether the baseline is a constant score."""
        return isinstance(self.guess, Real)

    def notes(self, metric: str) -> list[str]:
        """Return a note on how a random guess is scored, if it is one."""
        if not isinstance(self.guess, guessing.RandomGuess):
            return []
        return [self.guess.how_scored(metric)]


def _all_baselines(strategy: Any, metrics: Mapping[str, Any], learner: Any) -> list[_Baseline]:
    """Check the strategies, and return a baseline for each.

    Parameters
    ----------
    strategy : object
        As in :func:`~skstat.compare_to_baseline`.
    metrics : mapping of str to object
        Scorers by name, as the caller gave them.
    learner : estimator
        The estimator, a classifier or a regressor.
    """
    strategies = strategy if isinstance(strategy, list | tuple) else [strategy]
    if not strategies:
        raise ValueError("strategy is empty; name at least one baseline.")
    named = [item for item in strategies if isinstance(item, str | Real)]
    if len(set(named)) < len(named):
        raise ValueError(f"strategy holds the same baseline twice: {named}.")
    baselines = [_baseline(item, metrics, learner) for item in strategies]
    labels = numbered([baseline.label for baseline in baselines], "{} {}")
    return [replace(own, label=label) for own, label in zip(baselines, labels, strict=True)]


def _baseline(strategy: Any, metrics: Mapping[str, Any], learner: Any) -> _Baseline:
    if strategy is None:
        return _Baseline("best guess baseline")
    if isinstance(strategy, Real) and not isinstance(strategy, bool):
        if not np.isfinite(float(strategy)):
            raise ValueError(f"strategy={strategy!r}: the score to beat must be finite.")
        return _Baseline(f"constant {float(strategy):g}", strategy)
    if isinstance(strategy, DummyClassifier | DummyRegressor):
        return _Baseline(f"{strategy.strategy} baseline", clone(strategy))
    if isinstance(strategy, str) and strategy == "cheapest":
        return _Baseline("cheapest baseline", guessing.CheapestClass(**_costs(metrics)))
    classifier = is_classifier(learner)
    strategies = ("most_frequent", "prior", *_RANDOM) if classifier else ("mean", "median")
    if strategy not in strategies:
        raise ValueError(
            f"strategy={strategy!r} is unknown for {type(learner).__name__}; use one of "
            f"{', '.join(strategies)}, a number, or a dummy estimator with its own settings."
        )
    if strategy in _RANDOM:
        metric_of = {name: metric_of_scorer(source or name) for name, source in metrics.items()}
        guess: Any = guessing.RandomGuess(strategy, metric_of)
    else:
        guess = (DummyClassifier if classifier else DummyRegressor)(strategy=strategy)
    return _Baseline(f"{strategy} baseline", guess)


def _costs(metrics: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the costs by which a class is the cheapest."""
    sources = {repr(source): source for source in metrics.values() if is_cost(source)}
    if not sources:
        raise ValueError(
            "strategy='cheapest' needs costs: pass scoring=cost_sensitive_scorer(cost_matrix)."
        )
    if len(sources) > 1:
        raise ValueError(
            f"the cheapest class is a baseline for one cost matrix, but there are the metrics "
            f"{list(metrics)}: leave strategy= out, for the best guess by each of them."
        )
    (metric,) = map(metric_of_scorer, sources.values())
    if not metric.is_cost:
        raise ValueError(
            "the costs of the scorer cannot be read; make it by "
            "skstat.metrics.cost_sensitive_scorer(cost_matrix)."
        )
    return metric.options


def _best_guess(metric: str, source: Any, *, classifier: bool) -> guessing.BestGuess:
    """Return the rule for the best guess by a metric; None is the default scorer of dummies."""
    if source is None:
        source = "accuracy" if classifier else "r2"
    shown = ShownMetric(metric, is_loss(metric, source))
    scorer = get_scorer(source) if isinstance(source, str) else source
    return guessing.BestGuess(metric, scorer, metric_of_scorer(source), shown, classifier)


@dataclass(frozen=True, kw_only=True)
class _BaselineQuestion:
    """One metric of a run, and the options of the comparison."""

    run: CrossValidationRun
    question: Question
    name: str
    metric: str
    baselines: list[_Baseline]
    choice: guessing.BestGuess
    weights: Any

    def against_all(self) -> ComparisonEvidence:
        """Compare with the only baseline, or with several as one family."""
        reports = [self.against(baseline) for baseline in self.baselines]
        if len(reports) == 1:
            return reports[0]
        others = [report.names[1] for report in reports]
        by_rows = guide.Situation.of_design(self.run.design, varies=False)
        situations = [
            self.test_for(baseline) if report.sample.unit == "split" else by_rows
            for baseline, report in zip(self.baselines, reports, strict=True)
        ]
        scores = [self.run.column(self.name, self.metric), *map(self.scores_of, self.baselines)]
        notes = dict.fromkeys(n for part in reports for n in part.design.get("notes", ()))
        design = dict(reports[0].design) | ({"notes": [*notes]} if notes else {})
        compared = engine.Scored(
            sample=self.run.design.table(np.stack(scores, axis=-1), (self.name, *others)),
            names=(self.name, *others),
            metric=self.metric,
            is_loss=reports[0].is_loss,
            design=design,
            fixed={fact: getattr(reports[0], fact) for fact in ("direction_assumed", "bounds")},
        )
        question = replace(self.question, adjustment="holm", control=self.name)
        first = situations[0]
        chosen = guide.procedure_for(first), first
        report = engine.judge_all(engine.join(reports), compared, question, chosen)
        level, margin = question.confidence_level, question.margin_of(self.metric)
        situation = replace(first, confidence_level=level, margin=margin)
        return replace(report, choice=partial(_of_all, others, situations, situation))

    def against(self, baseline: _Baseline) -> ComparisonEvidence:
        """Compare with one baseline."""
        run, label = self.run, baseline.label_in_run(self.choice.metric)
        notes = [f"{baseline.label}: {how}" for how in baseline.notes(self.metric)]
        facts, of_family = Facts(), len(self.baselines) > 1
        if baseline.guess is not None:
            scored, best = float(self.scores_of(baseline).mean()), self.best
            if best is not None and best > scored + 1e-9 * max(1.0, abs(scored)):
                words = self.guess_in_words or "the best guess of every split"
                facts = Facts(better_guess=(words, best))
        if baseline.is_constant:
            system = engine.Fitted.of(
                run, self.metric, [self.name], constant=float(baseline.guess), facts=facts,
                of_family=of_family,
            )  # fmt: skip
            return engine.ask(system, system.choose(self.question), self.question)
        facts = replace(facts, is_baseline=run.is_classification and np.ndim(run.y) == 1)
        if baseline.guess is None:
            guess_name, note = self._chosen()
            if guess_name in run.names:  # also given as a strategy
                guess_name = f"{baseline.label} ({guess_name.removesuffix(' baseline')})"
            run, label, notes = _renamed(run, label, guess_name), guess_name, [note]
        pair = engine.Fitted.of(
            run, self.metric, (self.name, label), facts=facts, notes=notes,
            of_family=of_family,
        )  # fmt: skip
        situation = self.test_for(baseline)
        report = engine.ask(pair, (guide.procedure_for(situation), situation), self.question)
        return engine.with_label_doubts(report, run, [self.name])  # not for the baseline

    def test_for(self, baseline: _Baseline) -> guide.Situation:
        """Return the situation from which the test against a baseline is chosen."""
        names, constant = [self.name], baseline.guess
        if not baseline.is_constant:
            names, constant = [self.name, baseline.label_in_run(self.choice.metric)], None
        facts = {"by_rows": self.run.rows(names, self.metric) is not None, "constant": constant}
        return guide.Situation.of_design(self.run.design, n_systems=1, **facts)

    def scores_of(self, baseline: _Baseline) -> Any:
        """Return the scores of a baseline on every split."""
        if baseline.is_constant:
            return np.full(self.run.design.n_splits, float(baseline.guess))
        return self.run.column(baseline.label_in_run(self.choice.metric), self.metric)

    @cached_property
    def guesses(self) -> list[guessing.Guess]:
        """The best guess on each split."""
        run, y, weights = self.run, np.asarray(self.run.y), self.weights
        by_labels: dict[Any, guessing.Guess] = {}
        guesses: list[guessing.Guess] = []
        for train, _ in run.design.splits:
            rows = y[train]
            key: Any = len(guesses)
            if run.is_classification and weights is None and rows.ndim == 1:
                # Only the counts of labels matter, and stratified splits share them.
                key = tuple(part.tobytes() for part in np.unique(rows, return_counts=True))
            if key not in by_labels:
                row_weights = None if weights is None else np.asarray(weights)[train]
                by_labels[key] = self.choice(rows, row_weights)
            guesses.append(by_labels[key])
        return guesses

    @property
    def guess_in_words(self) -> str | None:
        """The best guess in words; None if it differs between splits."""
        words = {guess.words for guess in self.guesses}
        return words.pop() if len(words) == 1 else None

    def _chosen(self) -> tuple[str, str]:
        """Return a label for the best guess on the splits, and a note with the reason."""
        first, words = self.guesses[0], self.guess_in_words
        if words is None:
            counts, n = Counter(guess.words for guess in self.guesses), len(self.guesses)
            parts = [
                f"{words} on {times} of {n} splits" for words, times in counts.most_common()
            ]
            return (
                "best guess baseline",
                f"best guess baseline: {', '.join(parts)}; {first.reason}",
            )
        notes = _Baseline("", first.estimator).notes(self.metric)
        return f"{words} baseline", "; ".join([f"{words} baseline: {first.reason}", *notes])

    @cached_property
    def best(self) -> float | None:
        """Mean expected score of the best guess over the splits; None if it is not known.

        It is not known for weighted rows. Scorers that are functions of the estimator are not
        called: they may take long, and may use X.
        """
        if self.weights is not None:
            return None
        for baseline in self.baselines:
            if baseline.guess is None:  # it is in the run
                return float(self.scores_of(baseline).mean())
        choice, y, scores = self.choice, np.asarray(self.run.y), []
        if choice.scorer is None:
            return None
        with warnings.catch_warnings(action="ignore"):
            try:  # a scorer of the caller's may need what a dummy lacks
                for (train, test), guess in zip(
                    self.run.design.splits, self.guesses, strict=True
                ):
                    fitted = guess.estimator.fit(np.zeros((len(train), 1)), y[train])
                    X_test = np.zeros((len(test), 1))
                    score = guessing.score(fitted, choice.scorer, X_test, y[test])
                    scores.append(score[choice.metric] if isinstance(score, Mapping) else score)
            except Exception:
                return None
        expected = float(np.mean(scores))
        return expected if np.isfinite(expected) else None


def _of_all(
    names: Sequence[str], situations: Sequence[guide.Situation], situation: guide.Situation
) -> Recommendation:
    """Return one recommendation for several baselines, with all tests and reasons."""
    first, *_ = choices = [*map(guide.recommend, situations)]
    by_test: dict[str, tuple[Recommendation, list[str]]] = {}
    for name, choice in zip(names, choices, strict=True):
        if choice.name != first.name:
            by_test.setdefault(choice.name, (choice, []))[1].append(name)
    chosen = [first, *(choice for choice, _ in by_test.values())]
    reasons = [
        f"for {' and '.join(names)} {choice.title} because {choice.reason}"
        for choice, names in by_test.values()
    ]
    used = {choice.name for choice in chosen}
    offered = dict.fromkeys(other for choice in chosen for other in choice.alternatives)
    recommendation = replace(
        first,
        reason="; ".join([first.reason, *reasons]),
        alternatives=tuple(other for other in offered if other.name not in used),
        cautions=tuple(dict.fromkeys(text for choice in chosen for text in choice.cautions)),
    )
    return guide.with_margin_and_rope(recommendation, situation)


def _renamed(run: CrossValidationRun, old: str, new: str) -> CrossValidationRun:
    """Return a run with one estimator renamed."""
    return replace(
        run,
        records={new if name == old else name: record for name, record in run.records.items()},
        halves=None if run.halves is None else _renamed(run.halves, old, new),
    )


def _request_weights(estimator: Any, dummies: Iterable[Any], metrics: Any) -> set[str]:
    """Request weights for dummies as the estimator does; return the weighted metrics.

    The best guess for a metric is fitted with weights if they count in the score.
    """
    if not hasattr(estimator, "get_metadata_routing"):
        return set()

    def consumes(learner: Any, method: str) -> bool:
        return bool(get_routing_for_object(learner).consumes(method, ["sample_weight"]))

    fit, score = consumes(estimator, "fit"), consumes(estimator, "score")
    weighted = {
        metric
        for metric, source in metrics.items()
        if (score if source is None else consumes(source, "score"))
    }
    for dummy in dummies:
        chosen = isinstance(dummy, guessing.ChosenGuess | guessing.ChosenConstant)
        learns = dummy.choice.metric in weighted if chosen else fit
        dummy.set_fit_request(sample_weight=learns).set_score_request(sample_weight=score)
    return weighted
