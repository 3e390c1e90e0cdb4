"""From ``strategy=`` to baselines."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor

from skstat.evaluation._baselines import CheapestClass, ChosenConstant, ChosenGuess, RandomGuess
from skstat.metrics import is_linear_in_labels
from skstat.metrics._chance import LabelChance
from skstat.metrics._costs import Costs, costs_of, is_cost
from skstat.metrics._guesses import chance_of, is_mean_of_labels

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
