"""The best guess for a metric, chosen from training targets alone."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer

from skstat.comparison._baselines.strategies import Random
from skstat.evaluation._baselines import CheapestClass, Guess, RandomOrder
from skstat.evaluation._inputs import is_loss
from skstat.metrics import as_metric
from skstat.metrics._chance import LabelChance, OrderChance
from skstat.metrics._costs import Costs, costs_of
from skstat.metrics._guesses import chance_of, is_proper
from skstat.report._words import ShownMetric

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
