"""From ``strategy=`` to baselines."""

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer

from skstat.evaluation import CrossValidationRun
from skstat.evaluation._baselines import (
    CheapestClass,
    Choice,
    ChosenConstant,
    ChosenGuess,
    Guess,
    RandomGuess,
    RandomOrder,
    score,
)
from skstat.evaluation._scoring import is_loss
from skstat.metrics import as_metric, is_linear_in_labels
from skstat.metrics._chance import LabelChance, OrderChance
from skstat.metrics._costs import Costs, costs_of, is_cost
from skstat.metrics._guesses import chance_of, is_mean_of_labels, is_proper
from skstat.report._terms import ShownMetric

RANDOM = ("uniform", "stratified")
N_DRAWS = 100


@dataclass(frozen=True, eq=False)
class Baseline:
    """A baseline and how it is called.

    Attributes
    ----------
    label : str
        Its name.
    guess : dummy estimator, float or None
        What guesses, or the score to beat; None for the best guess, metric by metric.
    """

    label: str
    guess: Any = None

    def label_in_run(self, metric: str) -> str:
        """Its name in a run; the best guess is one for each metric."""
        return f"{self.label} for {metric}" if self.guess is None else self.label

    def estimators(self, choices: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is fitted, by its name in the run.

        Parameters
        ----------
        choices : mapping of str to Choice
            How the best guess is chosen, by metric.
        """
        if self.is_constant:
            return {}
        if self.guess is not None:
            return {self.label: self.guess}
        return {
            self.label_in_run(metric): (ChosenGuess if choice.classifier else ChosenConstant)(
                choice
            )
            for metric, choice in choices.items()
        }

    @property
    def is_constant(self) -> bool:
        """Whether it is a score that was known in advance."""
        return isinstance(self.guess, Real)

    def notes(self, metric: str) -> list[str]:
        """Say how a guess that is random is scored."""
        if not isinstance(self.guess, RandomGuess):
            return []
        return [f"{self.label}: {how_scored(self.guess, metric)}"]


def how_scored(guess: RandomGuess, metric: str) -> str:
    """Whether the score of a random guess is exact."""
    exact = "the exact expectation over its guesses"
    if metric in guess.row_metrics and metric in guess.linear_metrics:
        return exact
    if metric in guess.linear_metrics or metric in (guess.formulas or {}):
        return f"{exact} where the test rows hold every class, else the mean of draws"
    return f"the mean of {guess.n_draws} draws on every split"


class Random:
    """Makes guesses at random, which know of which metrics their expectation is exact.

    Parameters
    ----------
    metrics : mapping of str to object
        Scorers by name, as the user wrote them.
    several_outputs : bool
        Whether there is more than one label per row, of which nothing is known.
    """

    def __init__(self, metrics: Mapping[str, Any], *, several_outputs: bool) -> None:
        sources = {name: name if s is None else s for name, s in metrics.items()}
        chances = {name: chance_of(source) for name, source in sources.items()}
        linear = [name for name, source in sources.items() if is_linear_in_labels(source)]
        of_rows = [name for name, source in sources.items() if is_mean_of_labels(source)]
        self.options: dict[str, Any] = {
            "linear_metrics": () if several_outputs else tuple(linear),
            "metrics": tuple(metrics),
            "row_metrics": tuple(of_rows),
            "formulas": {
                name: chance
                for name, chance in chances.items()
                if isinstance(chance, LabelChance) and name not in linear
            },
            "n_draws": N_DRAWS,
        }

    def __call__(self, strategy: str, metric: str | None = None) -> RandomGuess:
        """Return a guess by one of the two strategies, for all metrics or for one."""
        options = self.options if metric is None else self.options | {"metrics": (metric,)}
        return RandomGuess(strategy, **options)


def read_strategies(
    strategy: Any, metrics: Mapping[str, Any], random: Random, *, classifier: bool, name: str
) -> list[Baseline]:
    """Check what the caller named, and return one baseline for each.

    Parameters
    ----------
    strategy : object
        As in :func:`~skstat.compare_to_baseline`.
    metrics : mapping of str to object
        Scorers by name, as the user wrote them.
    random : Random
        Makes guesses at random.
    classifier : bool
        Whether classes are guessed.
    name : str
        Class of the estimator, for messages.
    """
    strategies = strategy if isinstance(strategy, list | tuple) else [strategy]
    if not strategies:
        raise ValueError("strategy is empty; name at least one baseline.")
    by_name = [item for item in strategies if isinstance(item, str | Real)]
    if len(set(by_name)) < len(by_name):
        raise ValueError(f"strategy holds the same baseline twice: {by_name}.")
    costs = None
    by_default = None in strategies and any(map(is_cost, metrics.values()))
    if by_default or "cheapest" in by_name:
        costs = _costs(metrics, by_default=by_default)
    found = []
    for item in strategies:
        if item is None and costs is not None:
            item = "cheapest"
        found.append(_baseline(item, random, costs, classifier=classifier, name=name))
    return _numbered(found)


def _baseline(
    strategy: Any, random: Random, costs: Costs | None, *, classifier: bool, name: str
) -> Baseline:
    if strategy is None:
        return Baseline("best guess baseline")
    if isinstance(strategy, Real) and not isinstance(strategy, bool):
        if not np.isfinite(float(strategy)):
            raise ValueError(f"strategy={strategy!r}: the score to beat must be finite.")
        return Baseline(f"constant {float(strategy):g}", strategy)
    if isinstance(strategy, DummyClassifier | DummyRegressor):
        return Baseline(f"{strategy.strategy} baseline", clone(strategy))
    if strategy == "cheapest" and costs is not None:
        cheapest = CheapestClass(costs.matrix, labels=costs.labels)
        return Baseline("cheapest baseline", cheapest)
    known = ("most_frequent", "prior", *RANDOM) if classifier else ("mean", "median")
    if strategy not in known:
        raise ValueError(
            f"strategy={strategy!r} is unknown for {name}; use one of "
            f"{', '.join(known)}, a number, or a dummy estimator with its own settings."
        )
    label = f"{strategy} baseline"
    if strategy in RANDOM:
        return Baseline(label, random(strategy))
    return Baseline(
        label, (DummyClassifier if classifier else DummyRegressor)(strategy=strategy)
    )


def _numbered(baselines: Iterable[Baseline]) -> list[Baseline]:
    """Number baselines that share a label."""
    baselines = list(baselines)
    labels, seen = [baseline.label for baseline in baselines], Counter[str]()
    numbered = []
    for baseline in baselines:
        seen[baseline.label] += 1
        if labels.count(baseline.label) > 1:
            label = f"{baseline.label} {seen[baseline.label]}"
            numbered.append(replace(baseline, label=label))
        else:
            numbered.append(baseline)
    return numbered


def _costs(metrics: Mapping[str, Any], *, by_default: bool) -> Costs:
    """Costs by which a class is the cheapest; by default no other metric is allowed."""
    others = [name for name, source in metrics.items() if not is_cost(source)]
    found = {costs_of(source) for source in metrics.values() if is_cost(source)}
    if not found:
        raise ValueError(
            "strategy='cheapest' needs costs: pass scoring=cost_sensitive_scorer(cost_matrix)."
        )
    if len(found) > 1 or (others and by_default):
        raise ValueError(
            f"the cheapest class is a baseline for one cost matrix, but there are the metrics "
            f"{list(metrics)}: compare each metric in a call of its own, or name strategy=, "
            f"for instance 'most_frequent' or 'cheapest'."
        )
    (costs,) = found
    if costs is None:
        raise ValueError(
            "the costs of the scorer cannot be read; make it by "
            "skstat.metrics.cost_sensitive_scorer(cost_matrix)."
        )
    return costs


# A metric without a formula is called once for each class, and not for hundreds of them.
_MOST_CLASSES = 20


def choice_for(
    metric: str, source: Any, random: Random, *, classifier: bool
) -> "BestClass | BestConstant":
    """Return how the best guess for a metric is chosen.

    Parameters
    ----------
    metric : str
        Its name in the run.
    source : str, callable or None
        The scorer as the user wrote it; None for the dummies' own score.
    random : Random
        Makes baselines that guess at random.
    classifier : bool
        Whether classes are guessed.
    """
    if not classifier:
        return BestConstant(metric, "r2" if source is None else source)
    source = "accuracy" if source is None else source
    return BestClass(
        metric, source, chance_of(source), costs_of(source), is_proper(source), random
    )


@dataclass(frozen=True, eq=False)
class _ForMetric:
    metric: str
    source: Any

    @property
    def shown(self) -> ShownMetric:
        """How the metric is called in words."""
        return ShownMetric(self.metric, is_loss(self.metric, self.source))

    @property
    def scorer(self) -> Any:
        """The metric's scorer; None for a function of the estimator, which may look at X."""
        if isinstance(self.source, str):
            return get_scorer(self.source)
        return self.source if repr(self.source).startswith("make_scorer(") else None


@dataclass(frozen=True, eq=False)
class BestClass(_ForMetric):
    """The choice among guesses of classes.

    Attributes
    ----------
    metric : str
        Name of the metric.
    source : str or callable
        Its scorer.
    chance : LabelChance, OrderChance or None
        What is known about guesses under it.
    costs : Costs or None
        What errors cost, if it is their cost.
    proper : bool
        Whether it is a proper score of probabilities.
    random : Random
        Makes baselines that guess at random.
    """

    classifier: ClassVar[bool] = True

    chance: LabelChance | OrderChance | None
    costs: Costs | None
    proper: bool
    random: Random

    def __call__(self, y: Any, sample_weight: Any = None) -> Guess:
        """Choose by the labels of training rows."""
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] > 1:
            dummy = DummyClassifier(strategy="most_frequent")
            return Guess("most_frequent", dummy, "taken for several outputs")
        y = y.ravel()
        if self.costs is not None:
            cheapest = CheapestClass(self.costs.matrix, labels=self.costs.labels)
            why = "the class that costs least if it is always predicted"
            return Guess("cheapest", cheapest, why)
        if self.proper:
            prior = DummyClassifier(strategy="prior")
            better = f"{self.shown.better} expected {self.shown.name}"
            reason = f"no other probabilities for all rows have a {better}"
            return Guess("prior", prior, f"the class shares of the training rows; {reason}")
        classes, codes = np.unique(y, return_inverse=True)
        counts = np.bincount(codes, sample_weight).astype(float)
        if self.chance is None or not self.chance.fits(classes.tolist()):
            return self._by_scoring(y, classes, counts, sample_weight)
        if isinstance(self.chance, OrderChance):
            return Guess(
                "random order",
                RandomOrder(self.metric, self.chance),
                f"its expected {self.shown.name} is {self.shown.better} than that of a "
                "constant score",
            )
        return self._by_formula(self.chance, classes, counts)

    def _by_formula(self, chance: LabelChance, classes: Any, counts: Any) -> Guess:
        """Take the highest expectation of constants, uniform and stratified guesses."""
        k, most = len(classes), int(np.argmax(counts))
        corners = np.eye(k)
        candidates = [
            ("most_frequent", DummyClassifier(strategy="most_frequent"), corners[most])
        ]
        # Averages over classes grow with the class that is named: the largest is the best.
        for code in range(k) if k == 2 else ():
            candidates.append((*_always(classes[code]), corners[code]))
        candidates.append(("uniform", self.random("uniform", self.metric), np.full(k, 1 / k)))
        candidates.append(
            ("stratified", self.random("stratified", self.metric), counts / counts.sum())
        )
        names = classes.tolist()
        best = _first_of_best([chance.expected(names, counts, c[2]) for c in candidates])
        words, guess, _ = candidates[best]
        return Guess(
            words,
            guess,
            f"the {self.shown.best} expected {self.shown.name} among always one class, "
            f"uniform guessing and stratified guessing, given the class shares of the "
            f"training rows",
        )

    def _by_scoring(self, y: Any, classes: Any, counts: Any, sample_weight: Any) -> Guess:
        """Score constants on the training rows; they ignore X, so that this fits nothing."""
        frequent = np.argsort(-counts, kind="stable")[:_MOST_CLASSES]
        candidates = [("most_frequent", DummyClassifier(strategy="most_frequent"))]
        candidates += [_always(classes[code]) for code in frequent[1:]]
        candidates.append(("prior", DummyClassifier(strategy="prior")))
        found = _best_by_scoring(self.source, candidates, y, sample_weight)
        of = "always one class and the class shares"
        return _scored(candidates, found, self.shown, of)


@dataclass(frozen=True, eq=False)
class BestConstant(_ForMetric):
    """The choice among constant predictions of a number.

    Attributes
    ----------
    metric : str
        Name of the metric.
    source : str or callable
        Its scorer.
    """

    classifier: ClassVar[bool] = False

    def __call__(self, y: Any, sample_weight: Any = None) -> Guess:
        """Choose by the targets of training rows."""
        candidates = [
            (strategy, DummyRegressor(strategy=strategy)) for strategy in ("mean", "median")
        ]
        quantile = _quantile_of(self.source)
        if quantile is not None:
            dummy = DummyRegressor(strategy="quantile", quantile=quantile)
            candidates.append((f"quantile {quantile:g}", dummy))
        found = _best_by_scoring(self.source, candidates, np.asarray(y), sample_weight)
        return _scored(candidates, found, self.shown, ", ".join(c[0] for c in candidates))


def _always(label: Any) -> tuple[str, DummyClassifier]:
    return f"always {label}", DummyClassifier(strategy="constant", constant=label)


def _scored(
    candidates: list[tuple[str, Any]], best: int | None, shown: ShownMetric, of: str
) -> Guess:
    if best is None:
        words, guess = candidates[0]
        reason = f"taken because guesses cannot be scored in {shown.name} alone"
        return Guess(words, guess, reason)
    reason = f"the {shown.best} {shown.name} on the training rows, of {of}"
    return Guess(*candidates[best], reason)


def _best_by_scoring(
    source: Any, candidates: list[tuple[str, Any]], y: Any, sample_weight: Any
) -> int | None:
    """Position of the guess that scores highest on the rows; None if none has a score."""
    scorer = get_scorer(source) if isinstance(source, str) else source
    nothing = np.zeros((len(y), 1))
    weights = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)}
    scores = []
    for _, guess in candidates:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:  # whatever the user's own scorer may raise when there is no X
                score = scorer(guess.fit(nothing, y, **weights), nothing, y, **weights)
            except Exception:
                score = np.nan
        scores.append(np.nan if isinstance(score, Mapping) else float(score))
    return None if np.isnan(scores).all() else _first_of_best(scores)


def _first_of_best(scores: list[float]) -> int:
    """Position of the first that is as high as any, but for float noise."""
    highest = np.nanmax(scores)
    return int(np.argmax(np.asarray(scores) >= highest - 1e-12 - 1e-10 * abs(highest)))


def _quantile_of(source: Any) -> float | None:
    """Which quantile a pinball loss is of."""
    try:
        metric = as_metric(source)
    except (TypeError, ValueError):
        return None
    alpha = metric.options.get(metric.facts.quantile_option)
    return None if alpha is None else float(alpha)


def guesses_on(run: CrossValidationRun, choice: Choice, sample_weight: Any) -> list[Guess]:
    """Return what is guessed on each split of a run.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : Choice
        How it was chosen.
    sample_weight : array-like of shape (n_samples,), or None
        Weights of the rows, if the score has them.
    """
    y = np.asarray(run.y)
    weights = None if sample_weight is None else np.asarray(sample_weight)
    known: dict[Any, Guess] = {}
    guesses: list[Guess] = []
    for train, _ in run.design.splits:
        rows = y[train]
        key: Any = len(guesses)
        if run.is_classification and weights is None and rows.ndim == 1:
            # Labels count alike in any order, and stratified splits have the same.
            key = tuple(part.tobytes() for part in np.unique(rows, return_counts=True))
        if key not in known:
            known[key] = choice(rows, None if weights is None else weights[train])
        guesses.append(known[key])
    return guesses


def chosen_words(guesses: list[Guess], metric: str) -> tuple[str, str]:
    """Say which guess was taken on the splits of a run, and why.

    Parameters
    ----------
    guesses : list of Guess
        One for each split.
    metric : str
        What they were chosen for.

    Returns
    -------
    (str, str)
        A label, and a note for the report.
    """
    words = in_words(guesses)
    if words is None:
        counted = Counter(guess.words for guess in guesses).most_common()
        parts = ", ".join(f"{words} on {n} of {len(guesses)} splits" for words, n in counted)
        return "best guess baseline", f"best guess baseline: {parts}; {guesses[0].reason}"
    note = f"{words} baseline: {guesses[0].reason}"
    if isinstance(guesses[0].estimator, RandomGuess):
        note += f"; {how_scored(guesses[0].estimator, metric)}"
    return f"{words} baseline", note


def expected_by_best(
    run: CrossValidationRun, choice: Choice, guesses: list[Guess]
) -> float | None:
    """Return the mean expected score of the best guess over the splits of a run.

    Scorers that are functions of the estimator are not asked: they may take long, and look at
    X. None for them, and where the score is undefined.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : Choice
        How the best guess is chosen, from training rows alone.
    guesses : list of Guess
        What it is on each split.
    """
    if choice.scorer is None:
        return None
    y, scores = np.asarray(run.y), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:  # a scorer of the user's own may need what a dummy lacks
            for (train, test), guess in zip(run.design.splits, guesses, strict=True):
                fitted = guess.estimator.fit(np.zeros((len(train), 1)), y[train])
                found = score(fitted, choice.scorer, np.zeros((len(test), 1)), y[test])
                scores.append(found[choice.metric] if isinstance(found, Mapping) else found)
        except Exception:
            return None
    expected = float(np.mean(scores))
    return expected if np.isfinite(expected) else None


def in_words(guesses: list[Guess]) -> str | None:
    """What all splits guess; None if they differ."""
    words = {guess.words for guess in guesses}
    return words.pop() if len(words) == 1 else None
