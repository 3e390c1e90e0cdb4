"""Baselines that are chosen by their training targets, and rows in random order."""

import copy
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier

from skstat.evaluation._baselines import BaselineMixin, RowScores
from skstat.evaluation._fold import score


class Guess(NamedTuple):
    """A guess that was chosen: in words, as an estimator that looks at y only, and why."""

    words: str
    estimator: Any
    reason: str


class Choice(Protocol):
    """How a guess is chosen for a metric."""

    @property
    def metric(self) -> str:
        """Name of the metric."""
        ...

    @property
    def scorer(self) -> Callable[..., Any] | None:
        """Its scorer, where that is known to score nothing else."""
        ...

    def __call__(self, y: Any, sample_weight: Any = None) -> Guess:
        """Choose by the targets of training rows."""
        ...


class _Chosen(BaselineMixin, BaseEstimator):  # type: ignore[misc]
    def __init__(self, choice: Choice) -> None:
        self.choice = choice

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose by the targets of these rows, and fit the choice to them."""
        guess = self.choice(y, sample_weight).estimator
        self.guess_ = guess.fit(X, y, sample_weight)
        return self

    def predict(self, X: Any) -> Any:
        """Predict what the chosen guess does."""
        return self.guess_.predict(X)

    def expected_score(self, scorer: Callable[..., Any], X: Any, y: Any, **params: Any) -> Any:
        """Score of the chosen guess; if that is random, its expectation.

        With several metrics only the one that it was chosen for is scored.
        """
        own = self.choice.scorer
        if own is None or params:
            return score(self.guess_, scorer, X, y, **params)
        found = score(self.guess_, own, X, y)
        return found if isinstance(found, Mapping) else {self.choice.metric: found}


class ChosenGuess(ClassifierMixin, _Chosen):  # type: ignore[misc]
    """A classifier that takes, of several guesses, the one chosen by its training labels.

    Parameters
    ----------
    choice : Choice
        How it is chosen.
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
    choice : Choice
        How it is chosen.
    """


class OrderFormula(Protocol):
    """Expected score of rows in random order."""

    def fits(self, classes: list[Any]) -> bool:
        """Whether the metric is defined for these classes."""
        ...

    def expected(self, classes: list[Any], counts: Any) -> float:
        """Return the score for a truth of `counts`."""
        ...


class RandomOrder(BaselineMixin, DummyClassifier):  # type: ignore[misc]
    """A classifier that puts rows in random order, and whose score is that of no single one.

    Its labels are those of the most frequent class.

    Parameters
    ----------
    metric : str
        The metric that is asked for.
    formula : OrderFormula
        Its expectation, where every class is among the test rows and nothing is weighted.
    n_draws : int, default=100
        Orders to average elsewhere.
    random_state : int, default=0
        Seed of the orders.
    """

    def __init__(
        self, metric: str, formula: OrderFormula, *, n_draws: int = 100, random_state: int = 0
    ) -> None:
        super().__init__(strategy="prior", random_state=random_state)
        self.metric = metric
        self.formula = formula
        self.n_draws = n_draws

    def predict_proba(self, X: Any) -> Any:
        """Give scores of one random order, which sum to 1."""
        rng = np.random.default_rng(self.random_state)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        drawn = rng.random((n, len(self.classes_)))
        return drawn / drawn.sum(axis=1, keepdims=True)

    def expected_score(self, scorer: Callable[..., Any], X: Any, y: Any, **params: Any) -> Any:
        """Score of random orders, free of the luck of one."""
        classes, counts = np.unique(np.asarray(y), return_counts=True)
        if np.array_equal(classes, self.classes_) and not params:
            return {self.metric: self.formula.expected(classes.tolist(), counts)}
        seeds = np.random.SeedSequence(self.random_state).generate_state(self.n_draws)
        order, drawn = copy.copy(self), []
        for seed in seeds.tolist():
            order.random_state = seed
            found = scorer(order, X, y, **params)
            drawn.append(found[self.metric] if isinstance(found, Mapping) else found)
        return {self.metric: float(np.mean(drawn))}
