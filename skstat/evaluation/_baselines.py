"""What a baseline predicts: at random, the cheapest class, or what its training rows choose.

What guesses at random is scored by its expectation.
"""

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor

from skstat.metrics import ScoreMetric, is_linear_in_labels
from skstat.metrics._known import Chance
from skstat.metrics._metric import chance_of, is_mean_of_labels, is_proper
from skstat.metrics._sums import cost_array

Scorer = Callable[..., Any]
Members = Iterable[tuple[float, Any]]  # estimators, with their weights
# Guesses to average where no expectation is known.
_N_DRAWS = 100
# A metric without a formula is called once for each class, and not for hundreds of them.
_MOST_CLASSES = 20


@dataclass(frozen=True, eq=False)
class RowScores:
    """Scores of single rows, in place of predictions."""

    values: np.ndarray


class BaselineMixin:
    """What comparisons add to the estimators of the user, who does not know them by name."""


def score(estimator: Any, scorer: Scorer, X: Any, *y: Any, **params: Any) -> Any:
    """Score; an estimator that guesses at random gives its expected score itself."""
    expected_score = getattr(estimator, "expected_score", None)
    if expected_score is not None:
        return expected_score(scorer, X, *y, **params)
    return scorer(estimator, X, *y, **params)


class _Random(BaselineMixin, DummyClassifier):  # type: ignore[misc]
    """A dummy that guesses by a seed, and of which other seeds make others."""

    def _draws(self) -> Iterator[tuple[float, Any]]:
        drawn = copy.copy(self)
        for seed in np.random.SeedSequence(self.random_state).generate_state(_N_DRAWS).tolist():
            drawn.random_state = seed
            yield 1 / _N_DRAWS, drawn


class RandomGuess(_Random):
    """A classifier that guesses labels, and whose score is that of no single guess.

    Parameters
    ----------
    strategy : {"uniform", "stratified"}
        Every class alike, or as often as in the training data.
    metrics : mapping of str to ScoreMetric
        All metrics that the scorer computes, and what is known of them. Of those that are
        linear in the predicted labels the expectation is exact: the mean of the scores of the
        constant predictions, weighted by how often each class is guessed. Of others there may
        be a formula, where every class is among the test rows and no parameter, such as a
        weight, goes to the scorer.
    """

    def __init__(self, strategy: str, metrics: Mapping[str, Any]) -> None:
        super().__init__(strategy=strategy, random_state=0)
        self.metrics = metrics

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the classes and how often they come."""
        super().fit(X, y, sample_weight)
        # A dummy looks at y only: nothing of X is kept.
        self._fitted_on = (np.zeros((len(y), 1)), y, sample_weight)
        return self

    def expected_score(self, scorer: Scorer, X: Any, y: Any, **params: Any) -> Any:
        """Score of guessing, free of the luck of one guess."""
        metrics = self.metrics
        linear = {name for name, metric in metrics.items() if is_linear_in_labels(metric)}
        known: dict[str, float] = {}
        if not isinstance(self.classes_, np.ndarray):  # several outputs
            linear = set()
        # A class that is missing from y changes what an average over classes means.
        elif not np.array_equal(np.unique(np.asarray(y)), self.classes_):
            linear = {metric for metric in linear if is_mean_of_labels(metrics[metric])}
        elif not params:
            known = self._by_formula(y, set(metrics) - linear)
        exact = _expectation(self._constants(), scorer, X, y, params) if linear else {}
        if linear.issuperset(metrics):
            return exact
        drawn: Any = {}
        if not linear.union(known).issuperset(metrics):
            drawn = _expectation(self._draws(), scorer, X, y, params)
            if not isinstance(drawn, Mapping):
                return drawn
        return {**drawn, **{metric: exact[metric] for metric in linear}, **known}

    def _by_formula(self, y: Any, metrics: Iterable[str]) -> dict[str, float]:
        classes, counts = np.unique(np.asarray(y), return_counts=True)
        formulas = {metric: chance_of(self.metrics[metric]) for metric in metrics}
        return {
            metric: formula.expected(classes.tolist(), counts.astype(float), self._shares())
            for metric, formula in formulas.items()
            if formula and not formula.of_order and formula.fits(classes.tolist())
        }

    def how_scored(self, metric: str) -> str:
        """Whether the score by a metric is exact."""
        known = self.metrics.get(metric, metric)
        exact = "the exact expectation over its guesses"
        if is_mean_of_labels(known):
            return exact
        if is_linear_in_labels(known) or not getattr(chance_of(known), "of_order", True):
            return f"{exact} where the test rows hold every class, else the mean of draws"
        return f"the mean of {_N_DRAWS} draws on every split"

    def row_scores(self, y: Any) -> "RowScores | None":
        """Probability, for every row, that a guess is right; None for several outputs."""
        if not isinstance(self.classes_, np.ndarray):
            return None
        shares = dict(zip(self.classes_.tolist(), self._shares().tolist(), strict=True))
        return RowScores(np.array([shares.get(label, 0.0) for label in np.ravel(y).tolist()]))

    def _shares(self) -> np.ndarray:
        """How often each class is guessed."""
        if self.strategy == "uniform":
            return np.full(len(self.classes_), 1 / len(self.classes_))
        return np.asarray(self.class_prior_)

    def _constants(self) -> Iterator[tuple[float, Any]]:
        X, y, _ = self._fitted_on
        for label, weight in zip(self.classes_, self._shares(), strict=True):
            constant = DummyClassifier(strategy="constant", constant=label)
            yield float(weight), constant.fit(X, y)


def _expectation(members: Members, scorer: Scorer, X: Any, y: Any, params: Any) -> Any:
    """Weighted mean of the members' scores, by metric if the scorer gives several."""
    scored = [(weight, scorer(member, X, y, **params)) for weight, member in members]
    first = scored[0][1]
    if not isinstance(first, Mapping):
        return sum(weight * score for weight, score in scored)
    return {name: sum(weight * scores[name] for weight, scores in scored) for name in first}


class CheapestClass(BaselineMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier that always predicts the class that was cheapest on the training rows.

    What the majority class is for the accuracy, this is for costs: the best that can be done
    without looking at X.

    Parameters
    ----------
    cost_matrix : array-like of shape (n_classes, n_classes)
        ``cost_matrix[i, j]``: cost of predicting class j when class i is true.
    labels : array-like of shape (n_classes,), optional
        Classes in the order of the matrix; default those of the training rows, ascending.
    """

    def __init__(self, cost_matrix: Any, *, labels: Any = None) -> None:
        self.cost_matrix = cost_matrix
        self.labels = labels

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Add up what every class would have cost; the first of several cheapest is taken."""
        y = np.ravel(np.asarray(y))
        self.classes_, codes = np.unique(y, return_inverse=True)
        labels = self.classes_.tolist() if self.labels is None else list(self.labels)
        costs = cost_array(self.cost_matrix, labels)
        unknown = [label for label in self.classes_.tolist() if label not in labels]
        if unknown:
            raise ValueError(f"labels={labels} lacks {unknown[0]!r}, which y holds.")
        rows = [labels.index(label) for label in self.classes_.tolist()]
        totals = np.bincount(codes, sample_weight, len(self.classes_)) @ costs[rows]
        self.class_ = labels[int(np.argmin(np.round(totals, 10)))]
        return self

    def predict(self, X: Any) -> Any:
        """Predict the cheapest class for every row."""
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        kind = self.classes_.dtype if self.classes_.dtype.kind in "biufO" else None
        return np.full(n, self.class_, dtype=kind)


class Guess(NamedTuple):
    """A guess that was chosen: in words, as an estimator that looks at y only, and why."""

    words: str
    estimator: Any
    reason: str


class _Chosen(BaselineMixin, BaseEstimator):  # type: ignore[misc]
    def __init__(self, choice: Any) -> None:
        self.choice = choice

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose by the targets of these rows, and fit the choice to them."""
        guess = self.choice(y, sample_weight).estimator
        self.guess_ = guess.fit(X, y, sample_weight)
        return self

    def predict(self, X: Any) -> Any:
        """Predict what the chosen guess does."""
        return self.guess_.predict(X)

    def expected_score(self, scorer: Scorer, X: Any, y: Any, **params: Any) -> Any:
        """Score of the chosen guess; if that is random, its expectation.

        With several metrics only the one that it was chosen for is scored.
        """
        scorer_of_choice = self.choice.scorer
        if scorer_of_choice is None or params:
            return score(self.guess_, scorer, X, y, **params)
        result = score(self.guess_, scorer_of_choice, X, y)
        return result if isinstance(result, Mapping) else {self.choice.metric: result}


class ChosenGuess(ClassifierMixin, _Chosen):  # type: ignore[misc]
    """A classifier that takes, of several guesses, the one chosen by its training labels.

    Parameters
    ----------
    choice : callable
        From the targets of training rows, and their weights, to a :class:`Guess`. It has the
        name of the `metric` that it chooses for, and its `scorer`, where that is known to
        score nothing else.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose by the labels of these rows."""
        super().fit(X, y, sample_weight)
        self.classes_ = self.guess_.classes_
        return self

    def predict_proba(self, X: Any) -> Any:
        """Give the probabilities of the chosen guess."""
        return self.guess_.predict_proba(X)

    def row_scores(self, y: Any) -> RowScores | None:
        """Probability, for every row, that the guess is right."""
        if hasattr(self.guess_, "row_scores"):
            scores: RowScores | None = self.guess_.row_scores(y)
            return scores
        y = np.asarray(y)
        predicted = np.asarray(self.guess_.predict(np.zeros((len(y), 1)))).reshape(y.shape)
        right = (predicted == y).reshape(len(y), -1)
        return RowScores(right.all(axis=1).astype(float))


class ChosenConstant(RegressorMixin, _Chosen):  # type: ignore[misc]
    """A regressor that takes, of several constants, the one chosen by its training targets.

    Parameters
    ----------
    choice : callable
        From the targets of training rows, and their weights, to a :class:`Guess`. It has the
        name of the `metric` that it chooses for, and its `scorer`, where that is known to
        score nothing else.
    """


class RandomOrder(_Random):
    """A classifier that puts rows in random order, and whose score is that of no single one.

    Its labels are those of the most frequent class.

    Parameters
    ----------
    metric : str
        The metric that is asked for.
    formula : Chance
        Its expectation, where every class is among the test rows and nothing is weighted.
    random_state : int, default=0
        Seed of the orders.
    """

    def __init__(self, metric: str, formula: Chance, *, random_state: int = 0) -> None:
        super().__init__(strategy="prior", random_state=random_state)
        self.metric = metric
        self.formula = formula

    def predict_proba(self, X: Any) -> Any:
        """Give scores of one random order, which sum to 1."""
        rng = np.random.default_rng(self.random_state)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        drawn = rng.random((n, len(self.classes_)))
        return drawn / drawn.sum(axis=1, keepdims=True)

    def expected_score(self, scorer: Scorer, X: Any, y: Any, **params: Any) -> Any:
        """Score of random orders, free of the luck of one."""
        classes, counts = np.unique(np.asarray(y), return_counts=True)
        if np.array_equal(classes, self.classes_) and not params:
            return {self.metric: self.formula.expected(classes.tolist(), counts)}
        result = _expectation(self._draws(), scorer, X, y, params)
        return {self.metric: result[self.metric] if isinstance(result, Mapping) else result}


@dataclass(frozen=True, eq=False)
class BestGuess:
    """How the best guess for a metric is chosen.

    Attributes
    ----------
    metric : str
        Its name in the run.
    source : callable
        The scorer, or what gives several scores.
    known : ScoreMetric
        What is known of it.
    shown : ShownMetric
        How it is called in words.
    classifier : bool
        Whether classes are guessed.
    """

    metric: str
    source: Any
    known: ScoreMetric
    shown: Any
    classifier: bool

    @property
    def scorer(self) -> Any:
        """The metric's scorer; None for a function of the estimator, which may look at X."""
        return self.source if repr(self.source).startswith("make_scorer(") else None

    def __call__(self, y: Any, sample_weight: Any = None) -> Guess:
        """Choose by the targets of training rows."""
        y = np.asarray(y)
        if not self.classifier:
            return self._by_scoring(self._numbers(), y, sample_weight)
        if y.ndim == 2 and y.shape[1] > 1:
            return Guess(*_dummy("most_frequent"), "taken for several outputs")
        y, chance = y.ravel(), chance_of(self.known)
        if self.known.is_cost:
            cheapest = CheapestClass(**self.known.options)
            why = "the class that costs least if it is always predicted"
            return Guess("cheapest", cheapest, why)
        if is_proper(self.known):
            better = f"{self.shown.better} expected {self.shown.name}"
            reason = f"no other probabilities for all rows have a {better}"
            return Guess(*_dummy("prior"), f"the class shares of the training rows; {reason}")
        classes, codes = np.unique(y, return_inverse=True)
        counts = np.bincount(codes, sample_weight).astype(float)
        if chance is None or not chance.fits(classes.tolist()):
            frequent = np.argsort(-counts, kind="stable")[:_MOST_CLASSES]
            others = [_always(classes[code]) for code in frequent[1:]]
            guesses = [_dummy("most_frequent"), *others, _dummy("prior")]
            of = "always one class and the class shares"
            return self._by_scoring(guesses, y, sample_weight, of)
        if chance.of_order:
            better = f"its expected {self.shown.name} is {self.shown.better}"
            order = RandomOrder(self.metric, chance)
            return Guess("random order", order, f"{better} than that of a constant score")
        return self._by_formula(chance, classes, counts)

    def _by_formula(self, chance: Chance, classes: Any, counts: Any) -> Guess:
        """Take the highest expectation of constants, uniform and stratified guesses."""
        k, corners = len(classes), np.eye(len(classes))
        candidates = [(*_dummy("most_frequent"), corners[int(np.argmax(counts))])]
        # Averages over classes grow with the class that is named: the largest is the best.
        for code in range(k) if k == 2 else ():
            candidates.append((*_always(classes[code]), corners[code]))
        shares_of = {"uniform": np.full(k, 1 / k), "stratified": counts / counts.sum()}
        for strategy, shares in shares_of.items():
            guess = RandomGuess(strategy, {self.metric: self.known})
            candidates.append((strategy, guess, shares))
        names = classes.tolist()
        best = _first_of_best([chance.expected(names, counts, c[2]) for c in candidates])
        reason = (
            f"the {self.shown.best} expected {self.shown.name} among always one class, "
            "uniform guessing and stratified guessing, given the class shares of the "
            "training rows"
        )
        return Guess(*candidates[best][:2], reason)

    def _numbers(self) -> list[tuple[str, Any]]:
        """Constants that may score best: mean, median, the quantile of a pinball loss."""
        constants = [(name, DummyRegressor(strategy=name)) for name in ("mean", "median")]
        quantile = self.known.options.get(self.known.facts.quantile_option)
        if quantile is not None:
            dummy = DummyRegressor(strategy="quantile", quantile=float(quantile))
            constants.append((f"quantile {float(quantile):g}", dummy))
        return constants

    def _by_scoring(
        self, candidates: list[tuple[str, Any]], y: Any, sample_weight: Any, of: str = ""
    ) -> Guess:
        """Score constants on the training rows; they ignore X, so that this fits nothing."""
        nothing, scores = np.zeros((len(y), 1)), []
        weights = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)}
        for _, guess in candidates:
            with warnings.catch_warnings(action="ignore"):
                try:  # whatever the user's own scorer may raise when there is no X
                    score = self.source(guess.fit(nothing, y, **weights), nothing, y, **weights)
                except Exception:
                    score = np.nan
            scores.append(np.nan if isinstance(score, Mapping) else float(score))
        if np.isnan(scores).all():
            reason = f"taken because guesses cannot be scored in {self.shown.name} alone"
            return Guess(*candidates[0], reason)
        of = of or ", ".join(words for words, _ in candidates)
        reason = f"the {self.shown.best} {self.shown.name} on the training rows, of {of}"
        return Guess(*candidates[_first_of_best(scores)], reason)


def _dummy(strategy: str) -> tuple[str, DummyClassifier]:
    return strategy, DummyClassifier(strategy=strategy)


def _always(label: Any) -> tuple[str, DummyClassifier]:
    return f"always {label}", DummyClassifier(strategy="constant", constant=label)


def _first_of_best(scores: list[float]) -> int:
    """Position of the first that is as high as any, but for float noise."""
    highest = np.nanmax(scores)
    return int(np.argmax(np.asarray(scores) >= highest - 1e-12 - 1e-10 * abs(highest)))
