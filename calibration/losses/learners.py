"""Learners that give probabilities or numbers, fitted to many training sets at once.

A training set is a row of a matrix of zeros and ones. Where the mathematics allows, all
models are fitted together by a few matrix products; the others are fitted one by one.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import sklearn
from numpy.typing import NDArray
from scipy.special import expit, softmax
from sklearn.tree import DecisionTreeRegressor

from calibration.learners import Discriminant
from calibration.learners import NaiveBayes as TwoClasses

Floats = NDArray[np.float64]


class Learner(Protocol):
    """What fits a model to every training set, and asks it about all rows."""

    @property
    def name(self) -> str:
        """How tables call the learner."""
        ...

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit and predict.

        Parameters
        ----------
        X : ndarray of shape (n_rows, n_features)
            All rows.
        y : ndarray of shape (n_rows,)
            Classes or numbers.
        trains : ndarray of bool of shape (n_models, n_rows)
            Which rows train each model.

        Returns
        -------
        ndarray of shape (n_models, n_rows) or (n_models, n_rows, n_classes)
            Probabilities of class 1 or of every class, or predicted numbers. What models
            say of their own training rows is never used.
        """
        ...


@dataclass(frozen=True)
class Logistic:
    """Logistic regression, by Newton's method.

    Parameters
    ----------
    strength : float
        Inverse of the penalty, as ``C`` of scikit-learn.
    """

    strength: float

    @property
    def name(self) -> str:
        """Name with the strength."""
        return f"logistic regression C = {self.strength:g}"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together."""
        if X.shape[1] > len(X):
            # Coefficients lie in the space of the rows, and a rotation keeps their length.
            left, scale, _ = np.linalg.svd(X, full_matrices=False)
            X = left * scale
        design = np.column_stack([X, np.ones(len(X))])
        return expit(self.coefficients(design, y, trains) @ design.T)

    def coefficients(
        self, design: Floats, y: NDArray[Any], trains: NDArray[np.bool_]
    ) -> Floats:
        """Fit all models together.

        Parameters
        ----------
        design : ndarray of shape (n_rows, n_features + 1)
            Features, and ones.
        y, trains
            As in `outputs`.

        Returns
        -------
        ndarray of shape (n_models, n_features + 1)
            Slopes, and the intercept.
        """
        weights = trains.astype(float)
        p = design.shape[1]
        rows, columns = np.triu_indices(p)
        products = design[:, rows] * design[:, columns]
        penalty = np.full(p, 1 / self.strength)
        penalty[-1] = 0.0
        coef = np.zeros((len(weights), p))
        shares = weights @ y / weights.sum(axis=1)
        coef[:, -1] = np.log(shares / (1 - shares))
        hessian = np.empty((len(weights), p, p))
        for _ in range(50):
            chance = expit(coef @ design.T)
            gradient = (weights * (chance - y)) @ design + penalty * coef
            sums = (weights * chance * (1 - chance)) @ products
            hessian[:, rows, columns] = hessian[:, columns, rows] = sums
            hessian[:, np.arange(p), np.arange(p)] += penalty + 1e-12
            step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
            # Long steps overshoot where classes are nearly separable.
            largest = np.abs(step).max(axis=1, keepdims=True)
            step *= np.minimum(1.0, 3.0 / np.maximum(largest, 1e-12))
            coef -= step
            if largest.max() < 1e-7:
                break
        return coef


@dataclass(frozen=True)
class Pushed:
    """Logistic regression, C = 1, whose slopes are pushed in a random direction.

    Two learners that push as far to opposite sides are equally good on average, whatever the
    rows: the null hypothesis of Adeli et al. (2025), "Statistical variability in comparing
    accuracy of neuroimaging based classification models via cross validation", Scientific
    Reports 15. Every fit draws a direction of its own, the same for both sides.

    Parameters
    ----------
    distance : float
        Length of the push, as a share of the length of the slopes; its sign is the side.
    """

    distance: float

    @property
    def name(self) -> str:
        """Name with the distance."""
        return f"pushed by {self.distance:+g}"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together, and push them; the rows are the seed of the directions."""
        design = np.column_stack([X, np.ones(len(X))])
        coef = Logistic(1.0).coefficients(design, y, trains)
        rng = np.random.default_rng(np.ascontiguousarray(X[:4]).view(np.uint64).ravel())
        push = rng.standard_normal((len(coef), X.shape[1]))
        lengths = [np.linalg.norm(part, axis=1)[:, None] for part in (coef[:, :-1], push)]
        coef[:, :-1] += self.distance * lengths[0] / lengths[1] * push
        return expit(coef @ design.T)


@dataclass(frozen=True)
class Guess:
    """Share of class 1, or mean of the numbers, in the training rows: features say nothing."""

    name: str = "class shares"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Count the classes, or average."""
        shares = (trains @ y) / trains.sum(axis=1)
        return np.repeat(shares[:, None], len(X), axis=1)


@dataclass(frozen=True)
class Fewer:
    """A learner that sees the first features only.

    Parameters
    ----------
    n_features : int
        How many.
    learner : Learner
        The learner.
    """

    n_features: int
    learner: Learner

    @property
    def name(self) -> str:
        """Name of the learner, with the number of features."""
        return f"{self.learner.name} on {self.n_features} features"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit the learner to these features."""
        return self.learner.outputs(X[:, : self.n_features], y, trains)


@dataclass(frozen=True)
class Ridge:
    """Ridge regression with an intercept that is not penalised.

    Parameters
    ----------
    alpha : float
        The penalty.
    """

    alpha: float

    @property
    def name(self) -> str:
        """Name with the penalty."""
        return f"ridge alpha = {self.alpha:g}"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together."""
        return self.weighted(X, y, trains.astype(float))

    def weighted(self, X: Floats, y: NDArray[Any], weights: Floats) -> Floats:
        """Fit all models together, each to rows of weights of its own.

        Parameters
        ----------
        X, y
            As in `outputs`.
        weights : ndarray of shape (n_models, n_rows)
            The weights.
        """
        moments = _Moments.of(X, y, weights)
        p = X.shape[1]
        products = moments.products.copy()
        products[:, np.arange(p), np.arange(p)] += self.alpha
        coef = np.linalg.solve(products, moments.targets[:, :, None])[:, :, 0]
        return moments.predict(coef, X)


@dataclass(frozen=True)
class Huber:
    """Regression by Huber's loss, which is linear beyond an error of 1; ridge of alpha = 1."""

    name: str = "Huber regression"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together, by least squares that are weighted again and again."""
        ridge, weights = Ridge(1.0), trains.astype(float)
        for _ in range(50):
            predicted = ridge.weighted(X, y, weights)
            before = weights
            weights = trains / np.maximum(np.abs(y - predicted), 1.0)
            if np.abs(weights - before).max() < 1e-8:
                break
        return predicted


@dataclass(frozen=True)
class Lasso:
    """Lasso, by coordinate descent.

    Two Lassos of close penalties change their features at other rows, so that their difference
    is less stable than either: Bayle, Janson & Mackey (2025), "The relative instability of
    model comparison with cross-validation", arXiv:2508.04409.

    Parameters
    ----------
    alpha : float
        The penalty, as ``alpha`` of scikit-learn.
    """

    alpha: float

    @property
    def name(self) -> str:
        """Name with the penalty."""
        return f"Lasso alpha = {self.alpha:g}"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together."""
        moments = _Moments.of(X, y, trains)
        limit = self.alpha * moments.sizes
        coef = np.zeros_like(moments.targets)
        for _ in range(1000):
            before = coef.copy()
            for j in range(X.shape[1]):
                own = moments.products[:, j, j]
                left = moments.targets[:, j] - (moments.products[:, j] * coef).sum(axis=1)
                left += own * coef[:, j]
                coef[:, j] = np.sign(left) * np.maximum(np.abs(left) - limit, 0) / own
            if np.abs(coef - before).max() < 1e-9:
                break
        return moments.predict(coef, X)


@dataclass(frozen=True)
class _Moments:
    """Sums of products about the means of every training set."""

    sizes: Floats
    means: Floats
    mean: Floats
    products: Floats
    targets: Floats

    @classmethod
    def of(cls, X: Floats, y: NDArray[Any], weights: NDArray[Any]) -> "_Moments":
        weights = weights.astype(float)
        sizes = weights.sum(axis=1)
        means, mean = weights @ X / sizes[:, None], weights @ y / sizes
        p = X.shape[1]
        rows, columns = np.triu_indices(p)
        products = np.empty((len(weights), p, p))
        sums = weights @ (X[:, rows] * X[:, columns])
        products[:, rows, columns] = products[:, columns, rows] = sums
        products -= sizes[:, None, None] * means[:, :, None] * means[:, None, :]
        targets = weights @ (X * y[:, None]) - (sizes * mean)[:, None] * means
        return cls(sizes, means, mean, products, targets)

    def predict(self, coef: Floats, X: Floats) -> Floats:
        """Predict all rows, with the intercepts that belong to the slopes."""
        return coef @ X.T + (self.mean - (coef * self.means).sum(axis=1))[:, None]


@dataclass(frozen=True)
class NaiveBayes:
    """Gaussian naive Bayes; of more than two classes 0.001 is added to every variance."""

    name: str = "naive Bayes"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together."""
        weights = trains.astype(float)
        n_classes = int(y.max()) + 1
        if n_classes == 2:
            model = TwoClasses().fit(X, y, weights)
            centred = X - model.centre
            log_odds = model.squared @ (centred**2).T + model.linear @ centred.T
            return expit(log_odds + model.intercept[:, None])
        scores = np.empty((len(weights), len(X), n_classes))
        for label in range(n_classes):
            inside = weights * (y == label)
            count = np.maximum(inside.sum(axis=1), 1.0)[:, None]
            mean = inside @ X / count
            variance = inside @ X**2 / count - mean**2 + 1e-3
            scores[:, :, label] = (
                np.log(count)
                - 0.5 * np.log(variance).sum(axis=1)[:, None]
                - 0.5 * ((1 / variance) @ (X**2).T)
                + (mean / variance) @ X.T
                - 0.5 * (mean**2 / variance).sum(axis=1)[:, None]
            )
        return softmax(scores, axis=2)


@dataclass(frozen=True)
class LDA:
    """Linear discriminant analysis."""

    name: str = "LDA"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together."""
        return expit(Discriminant().fit(X, y, trains.astype(float)).decide(X))


@dataclass(frozen=True)
class Neighbours:
    """The share of class 1, or the mean, among the nearest training rows.

    Parameters
    ----------
    k : int
        Number of neighbours.
    """

    k: int

    @property
    def name(self) -> str:
        """Name with the number of neighbours."""
        return f"{self.k}-NN"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Sort all rows by distance once; every model takes the first that train it."""
        squares = (X**2).sum(axis=1)
        distances = squares[:, None] + squares - 2 * X @ X.T
        np.fill_diagonal(distances, np.inf)
        few = min(len(X) - 1, 4 * self.k + 40)
        near = np.argsort(distances, axis=1)[:, :few]
        found = np.empty(trains.shape)
        for model, inside in enumerate(trains):
            hits = inside[near]
            hits &= hits.cumsum(axis=1) <= self.k
            found[model] = (hits * y[near]).sum(axis=1) / np.maximum(hits.sum(axis=1), 1)
        return found


@dataclass(frozen=True)
class TunedNeighbours:
    """Nearest neighbours; their number has the least squared error without each training row.

    Parameters
    ----------
    numbers : tuple of int
        Numbers of neighbours to choose from.
    """

    numbers: tuple[int, ...] = (1, 3, 7, 15, 25)
    name: str = "tuned k-NN"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all numbers; no row is a neighbour of itself, so that training rows tell."""
        every = np.array([Neighbours(k).outputs(X, y, trains) for k in self.numbers])
        errors = (trains * (every - y) ** 2).sum(axis=2)
        return every[errors.argmin(axis=0), np.arange(len(trains))]


@dataclass(frozen=True)
class KernelRidge:
    """Least squares in the space of a radial kernel, cut off to be probabilities.

    Parameters
    ----------
    penalty : float
        The penalty.
    """

    penalty: float = 1.0
    name: str = "kernel ridge"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Solve for all models together; rows that do not train get no weight."""
        squares = (X**2).sum(axis=1)
        kernel = np.exp(-(squares[:, None] + squares - 2 * X @ X.T) / (2 * X.shape[1]))
        found = np.empty(trains.shape)
        for model, inside in enumerate(trains):
            rows = np.flatnonzero(inside)
            own = kernel[np.ix_(rows, rows)] + self.penalty * np.eye(len(rows))
            centre = y[rows].mean()
            found[model] = kernel[:, rows] @ np.linalg.solve(own, y[rows] - centre) + centre
        return np.clip(found, 0.01, 0.99)


@dataclass(frozen=True)
class Selected:
    """The one feature whose class means differ most, and a normal rule on it."""

    name: str = "best of 10 features"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit all models together."""
        weights = trains.astype(float)
        counts = [(weights * (y == label)).sum(axis=1)[:, None] for label in (0, 1)]
        means = [(weights * (y == label)) @ X / n for label, n in enumerate(counts)]
        total = counts[0] + counts[1]
        spread = weights @ X**2 / total - sum(
            n / total * m**2 for n, m in zip(counts, means, strict=True)
        )
        spread = np.maximum(spread, 1e-12)
        gap = means[1] - means[0]
        best = np.abs(gap / np.sqrt(spread)).argmax(axis=1)
        each = np.arange(len(weights))
        slope = (gap / spread)[each, best][:, None]
        middle = ((means[0] + means[1]) / 2)[each, best][:, None]
        return expit(slope * (X[:, best].T - middle) + np.log(counts[1] / counts[0]))


@dataclass(frozen=True)
class Boosting:
    """Least-squares boosting of stumps, started at the mean; one round is a stump.

    A stump cuts just above one of its training rows, not midway to the next one.

    Parameters
    ----------
    rounds : int
        Number of stumps.
    rate : float
        Share of each stump that is taken.
    """

    rounds: int
    rate: float

    @property
    def name(self) -> str:
        """Name with the number of rounds."""
        return "stump" if self.rounds == 1 else f"boosting, {self.rounds} rounds"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Sort every feature once, and add up residuals along it for all models."""
        weights = trains.astype(float)
        total = weights.sum(axis=1)
        fitted = np.repeat((weights @ y / total)[:, None], len(X), axis=1)
        orders = np.argsort(X, axis=0).T
        inside = [weights[:, order] for order in orders]
        counts = [np.cumsum(part, axis=1) for part in inside]
        each = np.arange(len(weights))
        for _ in range(self.rounds):
            residual = weights * (y - fitted)
            whole = residual.sum(axis=1)
            best = np.full(len(weights), -np.inf)
            step = np.zeros_like(fitted)
            for order, part, n in zip(orders, inside, counts, strict=True):
                left = np.cumsum(residual[:, order], axis=1)
                m = total[:, None] - n
                with np.errstate(divide="ignore", invalid="ignore"):
                    gain = left**2 / n + (whole[:, None] - left) ** 2 / m
                gain[(part == 0) | (m < 0.5)] = -np.inf
                at = gain.argmax(axis=1)
                wins = np.flatnonzero(gain[each, at] > best)
                best[wins] = gain[wins, at[wins]]
                below = np.arange(len(X)) <= at[wins, None]
                low = (left[wins, at[wins]] / n[wins, at[wins]])[:, None]
                high = ((whole[wins] - left[wins, at[wins]]) / m[wins, at[wins]])[:, None]
                sorted_step = np.where(below, low, high)
                part_step = np.empty_like(sorted_step)
                part_step[:, order] = sorted_step
                step[wins] = part_step
            fitted += self.rate * step
        return np.clip(fitted, 0.01, 0.99) if y.dtype.kind == "i" else fitted


@dataclass(frozen=True)
class Forest:
    """Fully grown trees, one or the mean of some on bootstrap samples, with a fixed seed.

    Parameters
    ----------
    n_trees : int
        Number of trees.
    """

    n_trees: int = 1

    @property
    def name(self) -> str:
        """Name with the number of trees."""
        return "full tree" if self.n_trees == 1 else f"forest of {self.n_trees}"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Fit one tree after the other."""
        X = np.ascontiguousarray(X, dtype=np.float32)
        values = y.astype(np.float64)
        found = np.zeros(trains.shape)
        options: dict[str, Any] = {"max_features": "sqrt"} if self.n_trees > 1 else {}
        with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
            for model, inside in enumerate(trains):
                rows = np.flatnonzero(inside)
                rng = np.random.default_rng(0)
                for number in range(self.n_trees):
                    drawn = rng.choice(rows, len(rows)) if self.n_trees > 1 else rows
                    tree = DecisionTreeRegressor(random_state=number, **options)
                    tree.fit(X[drawn], values[drawn], check_input=False)
                    found[model] += tree.tree_.predict(X)[:, 0]
        return found / self.n_trees


@dataclass(frozen=True)
class Network:
    """A neural network with one hidden layer, by gradient descent from a fixed start.

    Parameters
    ----------
    hidden : int
        Hidden units.
    steps : int
        Steps of gradient descent with momentum.
    """

    hidden: int = 5
    steps: int = 100
    name: str = "neural network"

    def outputs(self, X: Floats, y: NDArray[Any], trains: NDArray[np.bool_]) -> Floats:
        """Train all networks together."""
        weights = trains / trains.sum(axis=1, keepdims=True)
        rng = np.random.default_rng(0)
        p, n_models = X.shape[1], len(weights)
        first = np.repeat(rng.normal(0, 0.5, (1, p, self.hidden)), n_models, axis=0)
        second = np.repeat(rng.normal(0, 0.5, (1, self.hidden)), n_models, axis=0)
        bias = np.zeros(n_models)
        speed = [np.zeros_like(first), np.zeros_like(second), np.zeros_like(bias)]
        for _ in range(self.steps):
            layer = np.tanh(X @ first)
            error = weights * (expit((layer @ second[:, :, None])[:, :, 0] + bias[:, None]) - y)
            back = error[:, :, None] * second[:, None, :] * (1 - layer**2)
            gradients = [X.T @ back, (error[:, None, :] @ layer)[:, 0], error.sum(axis=1)]
            for place, (moving, gradient) in enumerate(zip(speed, gradients, strict=True)):
                speed[place] = 0.9 * moving - 0.3 * gradient
            first, second, bias = first + speed[0], second + speed[1], bias + speed[2]
        layer = np.tanh(X @ first)
        return expit((layer @ second[:, :, None])[:, :, 0] + bias[:, None])
