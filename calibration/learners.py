"""Learners that are fitted to many training sets of the same rows at once.

Training sets are rows of a matrix of weights: how often each row of the data is in it.
The linear and quadratic rules depend on class-wise sums only, which for all training sets
together are a few matrix products. Predictions are those of scikit-learn's estimators;
``tests/test_calibration.py`` compares them.
"""

from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Protocol

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from calibration.laws import Gauss

Floats = NDArray[np.float64]
LARGE = 20_000


class Models(Protocol):
    """Models fitted to several training sets."""

    def predict(self, X: Floats) -> NDArray[np.bool_]:
        """Say for every model and row whether it is class 1.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            Any rows.

        Returns
        -------
        ndarray of bool of shape (n_models, n_rows)
            Predictions.
        """
        ...


class Learner(Protocol):
    """What fits a model to every training set."""

    name: str

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Models:
        """Fit one model for each row of `weights`.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            All rows.
        y : ndarray of shape (n_rows,)
            Classes 0 and 1.
        weights : ndarray of shape (n_models, n_rows)
            How often each row is in the training set of each model.
        """
        ...

    def estimator(self) -> Any:
        """Return the estimator of scikit-learn that does the same."""
        ...


@dataclass(frozen=True)
class Linear:
    """Rules "class 1 if ``x @ coef + intercept > 0``"."""

    coef: Floats
    intercept: Floats

    def decide(self, X: Floats) -> Floats:
        """Return the score of every rule for every row."""
        return self.coef @ X.T + self.intercept[:, None]

    def predict(self, X: Floats) -> NDArray[np.bool_]:
        """Apply every rule to every row."""
        return self.decide(X) > 0


@dataclass(frozen=True)
class Quadratic:
    """Rules that add a multiple of every squared feature; rows are centred first."""

    centre: Floats
    squared: Floats
    linear: Floats
    intercept: Floats

    def predict(self, X: Floats) -> NDArray[np.bool_]:
        """Apply every rule to every row."""
        X = X - self.centre
        scores = self.squared @ (X**2).T + self.linear @ X.T
        return scores + self.intercept[:, None] > 0


@dataclass(frozen=True)
class Nearest:
    """The class of the nearest training row."""

    X: Floats
    y: NDArray[np.int64]
    weights: Floats

    def predict(self, X: Floats) -> NDArray[np.bool_]:
        """Find the nearest row of every training set."""
        distances = cdist(X, self.X, "sqeuclidean")
        few = min(24, distances.shape[1])
        near = np.argpartition(distances, few - 1, axis=1)[:, :few]
        by_distance = np.argsort(np.take_along_axis(distances, near, axis=1), axis=1)
        near = np.take_along_axis(near, by_distance, axis=1)
        found = np.empty((len(self.weights), len(X)), dtype=bool)
        for prediction, trains in zip(found, self.weights > 0, strict=True):
            hits = trains[near]
            first = hits.argmax(axis=1)
            row = near[np.arange(len(X)), first]
            lost = np.flatnonzero(~hits.any(axis=1))
            if lost.size:  # all near rows are left out here
                row[lost] = np.where(trains, distances[lost], np.inf).argmin(axis=1)
            prediction[:] = self.y[row] == 1
        return found


@dataclass(frozen=True)
class Trees:
    """Regression trees of scikit-learn, fitted to 0 and 1."""

    trees: tuple[DecisionTreeRegressor, ...]

    def predict(self, X: Floats) -> NDArray[np.bool_]:
        """Ask every tree."""
        X = np.ascontiguousarray(X, dtype=np.float32)
        return np.array([tree.tree_.predict(X)[:, 0] > 0.5 for tree in self.trees])


@dataclass(frozen=True)
class Cuts:
    """Rules that compare one feature with a threshold; ties belong to the left."""

    feature: NDArray[np.int64]
    threshold: Floats
    left: NDArray[np.bool_]
    right: NDArray[np.bool_]

    def predict(self, X: Floats) -> NDArray[np.bool_]:
        """Apply every rule to every row."""
        below = self.threshold[:, None] >= X.astype(np.float32)[:, self.feature].T
        return np.where(below, self.left[:, None], self.right[:, None])


def _by_class(
    values: Floats, y: NDArray[np.int64], weights: Floats
) -> tuple[list[Floats], list[Floats]]:
    """Weighted counts and means of both classes, for every training set."""
    inside = [weights * (y == label) for label in (0, 1)]
    counts = [part.sum(axis=1)[:, None] for part in inside]
    return counts, [part @ values / n for part, n in zip(inside, counts, strict=True)]


@dataclass(frozen=True)
class NaiveBayes:
    """Gaussian naive Bayes."""

    name: str = "naive Bayes"

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Models:
        """Fit by counts, means and mean squares of the classes."""
        # Variances are differences of squares: about the mean they lose no digits.
        centre = X.mean(axis=0)
        X = X - centre
        counts, squares = _by_class(X**2, y, weights)
        _, means = _by_class(X, y, weights)
        total = counts[0] + counts[1]
        mean = (counts[0] * means[0] + counts[1] * means[1]) / total
        spread = (counts[0] * squares[0] + counts[1] * squares[1]) / total - mean**2
        smoothing = 1e-9 * spread.max(axis=1, keepdims=True)
        variances = [s - m**2 + smoothing for s, m in zip(squares, means, strict=True)]
        log_odds = np.log(counts[1] / counts[0])[:, 0]
        for sign, m, v in zip((-1, 1), means, variances, strict=True):
            log_odds = log_odds - sign * (np.log(v) + m**2 / v).sum(axis=1) / 2
        return Quadratic(
            centre,
            (1 / variances[0] - 1 / variances[1]) / 2,
            means[1] / variances[1] - means[0] / variances[0],
            log_odds,
        )

    def estimator(self) -> Any:
        """Return GaussianNB."""
        return GaussianNB()


@dataclass(frozen=True)
class Centroids:
    """Nearest class mean."""

    name: str = "nearest centroid"

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Linear:
        """Fit by class means."""
        _, (zero, one) = _by_class(X, y, weights)
        return Linear(one - zero, (zero**2 - one**2).sum(axis=1) / 2)

    def estimator(self) -> Any:
        """Return NearestCentroid."""
        return NearestCentroid()


@dataclass(frozen=True)
class Discriminant:
    """Linear discriminant analysis."""

    name: str = "LDA"

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Linear:
        """Fit by class means and the products of features within classes."""
        centre = X.mean(axis=0)
        X = X - centre
        counts, means = _by_class(X, y, weights)
        p = X.shape[1]
        rows, columns = np.triu_indices(p)
        sums = weights @ (X[:, rows] * X[:, columns])
        products = np.empty((len(weights), p, p))
        products[:, rows, columns] = products[:, columns, rows] = sums
        for count, mean in zip(counts, means, strict=True):
            products -= count[:, :, None] * mean[:, :, None] * mean[:, None, :]
        total = (counts[0] + counts[1])[:, 0]
        difference = (means[1] - means[0])[:, :, None]
        coef = np.linalg.solve(products, difference)[:, :, 0] * total[:, None]
        log_odds = np.log(counts[1] / counts[0])[:, 0]
        middle = (means[0] + means[1]) / 2 + centre
        return Linear(coef, log_odds - (coef * middle).sum(axis=1))

    def estimator(self) -> Any:
        """Return LinearDiscriminantAnalysis."""
        # Its default solver divides by n or by n - 2, depending on the version.
        return LinearDiscriminantAnalysis(solver="lsqr")


@dataclass(frozen=True)
class Neighbour:
    """One nearest neighbour."""

    name: str = "1-NN"

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Models:
        """Keep the rows."""
        return Nearest(X, y, weights)

    def estimator(self) -> Any:
        """Return KNeighborsClassifier with one neighbour."""
        return KNeighborsClassifier(1)


@dataclass(frozen=True)
class Tree:
    """A fully grown decision tree, which breaks ties by a fixed seed.

    Of two classes, least squares chooses the cuts that Gini's index chooses, but perhaps
    another one of several that are equally good. A regression tree takes half the time,
    most of which a classifier spends on looking at its classes.
    """

    name: str = "full tree"

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Models:
        """Fit one tree after the other, on plain arrays."""
        X = np.ascontiguousarray(X, dtype=np.float32)
        values = y.astype(np.float64)
        every = np.arange(len(X))
        sets = [np.repeat(every, times) for times in weights.astype(np.int64)]
        tree = partial(DecisionTreeRegressor, random_state=0)
        with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
            return Trees(
                tuple(tree().fit(X[rows], values[rows], check_input=False) for rows in sets)
            )

    def estimator(self) -> Any:
        """Return DecisionTreeClassifier."""
        return DecisionTreeClassifier(random_state=0)


@dataclass(frozen=True)
class Stump:
    """A decision tree of depth 1: the best cut of one feature, by Gini's index."""

    name: str = "stump"

    def fit(self, X: Floats, y: NDArray[np.int64], weights: Floats) -> Models:
        """Sort every feature once, and count classes along it for all training sets."""
        X = X.astype(np.float32)
        each = np.arange(len(weights))
        total = weights.sum(axis=1, keepdims=True)
        ones = (weights @ y)[:, None]
        best = np.full(len(weights), -np.inf)
        feature = np.zeros(len(weights), dtype=np.int64)
        threshold, left, right = np.zeros((3, len(weights)))
        for column in _visits(X.shape[1]):
            order = np.argsort(X[:, column])
            inside = weights[:, order]
            n = np.cumsum(inside, axis=1)
            n1 = np.cumsum(inside * y[order], axis=1)
            m, m1 = total - n, ones - n1
            with np.errstate(divide="ignore", invalid="ignore"):
                gain = (n1**2 + (n - n1) ** 2) / n + (m1**2 + (m - m1) ** 2) / m
            gain[(inside == 0) | (m == 0)] = -np.inf
            at = gain.argmax(axis=1)
            # Strictly: of equally good cuts the tree keeps the first that it comes to.
            wins = gain[each, at] > best
            after = (n > n[each, at][:, None]).argmax(axis=1)
            ordered = X[order, column].astype(np.float64)
            best[wins] = gain[each, at][wins]
            feature[wins] = column
            threshold[wins] = (ordered[at] / 2 + ordered[after] / 2)[wins]
            left[wins] = (2 * n1 > n)[each, at][wins]
            right[wins] = (2 * m1 > m)[each, at][wins]
        return Cuts(feature, threshold, left > 0, right > 0)

    def estimator(self) -> Any:
        """Return DecisionTreeClassifier of depth 1."""
        return DecisionTreeClassifier(max_depth=1, random_state=0)


@cache
def _visits(n_features: int) -> tuple[int, ...]:
    """Order in which the tree comes to its features, as seen from outside.

    Of copies of a useful feature it chooses the first one; then that one is spoiled.
    """
    X = np.tile(np.arange(8.0)[:, None], n_features)
    y = np.arange(8) // 4
    found: list[int] = []
    for _ in range(n_features):
        tree = Stump().estimator().fit(X, y)
        found.append(int(tree.tree_.feature[0]))
        X[:, found[-1]] = np.arange(8) % 2
    return tuple(found)


TREE = Tree()
STUMP = Stump()


def true_errors(models: Models, law: Gauss, rng: np.random.Generator) -> Floats:
    """Error of every model on the law that its rows came from.

    Parameters
    ----------
    models : Models
        Models of one block.
    law : Gauss
        Its law.
    rng : Generator
        Draws a large test set where there is no closed form.

    Returns
    -------
    ndarray of shape (n_models,)
        In closed form for linear rules, else from `LARGE` new rows.
    """
    if isinstance(models, Linear):
        return law.linear_error(models.coef, models.intercept)
    y, (noise,) = law.draw(rng, LARGE, 1, balanced=True)
    return (models.predict(law.at(noise, y)) != (y == 1)).mean(axis=1)
