"""From ``strategy=`` to baselines."""

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer

from skstat.evaluation import CrossValidationRun
from skstat.evaluation import _baselines as guessing
from skstat.evaluation._baselines import BestGuess, Guess
from skstat.evaluation._learners import numbered
from skstat.evaluation._scoring import is_loss
from skstat.metrics._metric import metric_of_scorer
from skstat.metrics._sums import is_cost
from skstat.report._terms import ShownMetric

RANDOM = ("uniform", "stratified")


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
        choices : mapping of str to BestGuess
            How the best guess is chosen, by metric.
        """
        if self.is_constant:
            return {}
        if self.guess is not None:
            return {self.label: self.guess}
        found = {}
        for metric, choice in choices.items():
            chosen = guessing.ChosenGuess if choice.classifier else guessing.ChosenConstant
            found[self.label_in_run(metric)] = chosen(choice)
        return found

    @property
    def is_constant(self) -> bool:
        """Whether it is a score that was known in advance."""
        return isinstance(self.guess, Real)

    def notes(self, metric: str) -> list[str]:
        """Say how a guess that is random is scored."""
        if not isinstance(self.guess, guessing.RandomGuess):
            return []
        return [f"{self.label}: {self.guess.how_scored(metric)}"]


def read_strategies(strategy: Any, metrics: Mapping[str, Any], learner: Any) -> list[Baseline]:
    """Check what the caller named, and return one baseline for each.

    Parameters
    ----------
    strategy : object
        As in :func:`~skstat.compare_to_baseline`.
    metrics : mapping of str to object
        Scorers by name, as the user wrote them.
    learner : estimator
        The estimator: a classifier guesses classes.
    """
    strategies = strategy if isinstance(strategy, list | tuple) else [strategy]
    if not strategies:
        raise ValueError("strategy is empty; name at least one baseline.")
    by_name = [item for item in strategies if isinstance(item, str | Real)]
    if len(set(by_name)) < len(by_name):
        raise ValueError(f"strategy holds the same baseline twice: {by_name}.")
    costs = _costs(metrics) if "cheapest" in by_name else None
    found = [_baseline(item, metrics, costs, learner) for item in strategies]
    labels = numbered([baseline.label for baseline in found], "{} {}")
    return [replace(own, label=label) for own, label in zip(found, labels, strict=True)]


def _baseline(strategy: Any, metrics: Mapping[str, Any], costs: Any, learner: Any) -> Baseline:
    if strategy is None:
        return Baseline("best guess baseline")
    if isinstance(strategy, Real) and not isinstance(strategy, bool):
        if not np.isfinite(float(strategy)):
            raise ValueError(f"strategy={strategy!r}: the score to beat must be finite.")
        return Baseline(f"constant {float(strategy):g}", strategy)
    if isinstance(strategy, DummyClassifier | DummyRegressor):
        return Baseline(f"{strategy.strategy} baseline", clone(strategy))
    if strategy == "cheapest" and costs is not None:
        return Baseline("cheapest baseline", guessing.CheapestClass(**costs))
    classifier = is_classifier(learner)
    known = ("most_frequent", "prior", *RANDOM) if classifier else ("mean", "median")
    if strategy not in known:
        raise ValueError(
            f"strategy={strategy!r} is unknown for {type(learner).__name__}; use one of "
            f"{', '.join(known)}, a number, or a dummy estimator with its own settings."
        )
    if strategy in RANDOM:
        known_of = {name: metric_of_scorer(source or name) for name, source in metrics.items()}
        guess: Any = guessing.RandomGuess(strategy, known_of)
    else:
        guess = (DummyClassifier if classifier else DummyRegressor)(strategy=strategy)
    return Baseline(f"{strategy} baseline", guess)


def _costs(metrics: Mapping[str, Any]) -> Mapping[str, Any]:
    """Costs by which a class is the cheapest."""
    found = {repr(source): source for source in metrics.values() if is_cost(source)}
    if not found:
        raise ValueError(
            "strategy='cheapest' needs costs: pass scoring=cost_sensitive_scorer(cost_matrix)."
        )
    if len(found) > 1:
        raise ValueError(
            f"the cheapest class is a baseline for one cost matrix, but there are the metrics "
            f"{list(metrics)}: leave strategy= out, for the best guess by each of them."
        )
    (known,) = map(metric_of_scorer, found.values())
    if not known.is_cost:
        raise ValueError(
            "the costs of the scorer cannot be read; make it by "
            "skstat.metrics.cost_sensitive_scorer(cost_matrix)."
        )
    return known.options


def best_guess(metric: str, source: Any, *, classifier: bool) -> BestGuess:
    """Say how the best guess for a metric is chosen; its scorer may be the dummies' own."""
    if source is None:
        source = "accuracy" if classifier else "r2"
    shown = ShownMetric(metric, is_loss(metric, source))
    scorer = get_scorer(source) if isinstance(source, str) else source
    return BestGuess(metric, scorer, metric_of_scorer(source), shown, classifier)


def guesses_on(run: CrossValidationRun, choice: BestGuess, sample_weight: Any) -> list[Guess]:
    """Return what is guessed on each split of a run.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : BestGuess
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
    if isinstance(guesses[0].estimator, guessing.RandomGuess):
        note += f"; {guesses[0].estimator.how_scored(metric)}"
    return f"{words} baseline", note


def expected_by_best(run: CrossValidationRun, choice: BestGuess, guesses: Any) -> float | None:
    """Return the mean expected score of the best guess over the splits of a run.

    Scorers that are functions of the estimator are not asked: they may take long, and look at
    X. None for them, and where the score is undefined.

    Parameters
    ----------
    run : CrossValidationRun
        The run.
    choice : BestGuess
        How the best guess is chosen, from training rows alone.
    guesses : list of Guess
        What it is on each split.
    """
    if choice.scorer is None:
        return None
    y, scores = np.asarray(run.y), []
    with warnings.catch_warnings(action="ignore"):
        try:  # a scorer of the user's own may need what a dummy lacks
            for (train, test), guess in zip(run.design.splits, guesses, strict=True):
                fitted = guess.estimator.fit(np.zeros((len(train), 1)), y[train])
                found = guessing.score(fitted, choice.scorer, np.zeros((len(test), 1)), y[test])
                scores.append(found[choice.metric] if isinstance(found, Mapping) else found)
        except Exception:
            return None
    expected = float(np.mean(scores))
    return expected if np.isfinite(expected) else None


def in_words(guesses: list[Guess]) -> str | None:
    """What all splits guess; None if they differ."""
    words = {guess.words for guess in guesses}
    return words.pop() if len(words) == 1 else None
