"""Intervals for how good one learner is, against the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats as sps
from sklearn.model_selection import StratifiedKFold, StratifiedShuffleSplit

from calibration.laws import Gauss
from calibration.learners import (
    STUMP,
    TREE,
    Centroids,
    Discriminant,
    Learner,
    NaiveBayes,
    Neighbour,
    true_errors,
)
from calibration.readings import COVERAGE, WIDTH, Reading, Readings
from skstat import stats
from skstat.evaluation import BootstrapOutOfBag, NestedKFold, RepeatedHalves

LEARNER, MODELS, WHOLE = "the learner", "the fitted models", "the model of all rows"
N_TRUTH = 500  # data sets, by which the expected error of a learner is known to 0.001
_HALVINGS, _INNER, _FOLDS, _REPEATS, _SAMPLES = 10, 5, 10, 10, 200
_HALVES = 15

Rows = NDArray[np.float64]


@cache
def expected_error(
    learner: Learner, law: Gauss, n_train: int, *, resampled: bool = False
) -> float:
    """Return the error that a learner has on average over training sets of a size.

    Parameters
    ----------
    learner : Learner
        The learner.
    law : Gauss
        Law of the rows.
    n_train : int
        Rows of a training set.
    resampled : bool, default=False
        Draw a bootstrap sample of every training set first.
    """
    rng = np.random.default_rng(12345)
    errors = []
    while len(errors) < N_TRUTH:
        y, (noise,) = law.draw(rng, n_train, 1)
        weights = np.ones((1, n_train))
        if resampled:
            drawn = rng.integers(0, n_train, n_train)
            weights = np.bincount(drawn, minlength=n_train)[None, :].astype(float)
        if len({*y[weights[0] > 0].tolist()}) < 2:
            continue
        models = learner.fit(law.at(noise, y), y, weights)
        errors.append(float(true_errors(models, law, rng)[0]))
    return float(np.mean(errors))


@dataclass(frozen=True, kw_only=True)
class Performance:
    """One learner, whose accuracy is estimated by every method.

    Parameters
    ----------
    learner : Learner
        The learner.
    n : int
        Rows of the data set.
    law : Gauss
        Law of the rows.
    replications : int
        Replicates of a full study.
    """

    learner: Learner
    n: int
    law: Gauss
    replications: int = 500
    power_replications: int = 0
    situation: str = "performance"

    @property
    def name(self) -> str:
        """Learner and size."""
        return f"{self.learner.name}, n = {self.n}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        estimator = repr(self.learner.estimator())
        return {**asdict(self.law), "n": self.n, "estimator": estimator}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one data set, fit all splits, ask every method.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Not used: an interval has no alternative.
        """
        rng = np.random.default_rng(stream)
        y, (noise,) = self.law.draw(rng, self.n, 1)
        X = self.law.at(noise, y)
        found = Readings()
        fits = Fits(self.learner, self.law, X, y, rng)
        for name, options, design, estimate, truths in asked(fits):
            low, high = estimate.confidence_interval()
            for target, truth in truths.items():
                held = float(low <= truth <= high) if low == low else np.nan
                found[Reading(name, options, f"{target}; {design}", COVERAGE)] = held
            target = next(iter(truths))
            found[Reading(name, options, f"{target}; {design}", WIDTH)] = float(high - low)
        return found


@dataclass(frozen=True)
class Fits:
    """Models of one data set, and what they say of its rows."""

    intervals: ClassVar[tuple[str, ...]] = ("wilson", "clopper-pearson")
    kinds: ClassVar[tuple[str, ...]] = ("oob", "632", "632+")
    bounds: ClassVar[tuple[float | None, float | None]] = (0, 1)

    learner: Learner
    law: Gauss
    X: Rows
    y: NDArray[np.int64]
    rng: np.random.Generator

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.y)

    def weights(self, splits: list[Any]) -> Rows:
        """Return how often each row trains in each split."""
        return np.array([np.bincount(a, minlength=self.n) for a, _ in splits], dtype=float)

    def right(self, splits: list[Any]) -> tuple[Any, Rows]:
        """Fit every split; return the models, and whether each row is predicted correctly."""
        models = self.learner.fit(self.X, self.y, self.weights(splits))
        return models, (models.predict(self.X) == (self.y == 1)).astype(float)

    def accuracy(self, n_train: int, *, resampled: bool = False) -> float:
        """Return what the learner has on average."""
        return 1 - expected_error(self.learner, self.law, n_train, resampled=resampled)

    def of(self, models: Any) -> float:
        """Return the mean accuracy of fitted models on new rows."""
        return 1 - float(true_errors(models, self.law, self.rng).mean())

    def split_by(self, splitter: Any) -> list[Any]:
        """Return the splits of a splitter."""
        return list(splitter.split(self.X, self.y))

    def seed(self, *, apart: bool = False) -> int:
        """Draw a seed; one that is apart does not depend on what else was drawn."""
        rng = self.rng.spawn(1)[0] if apart else self.rng
        return int(rng.integers(2**31))


Answer = tuple[str, str, str, Any, Mapping[str, float]]


def asked(fits: Fits) -> list[Answer]:
    """Ask every method of one data set; what each says is followed by the truths it is about.

    Parameters
    ----------
    fits : Fits
        The data set, and the learner.
    """
    whole_models, right = fits.right([(np.arange(fits.n), None)])
    whole = fits.of(whole_models)
    return [
        *_holdout(fits),
        *_random_splits(fits),
        *_folds(fits),
        *_nested(fits, whole),
        *_bootstrap(fits, right[0], whole),
        *projected(fits),
    ]


def _holdout(fits: Fits) -> list[Answer]:
    splits = fits.split_by(StratifiedShuffleSplit(1, test_size=1 / 3, random_state=fits.seed()))
    models, right = fits.right(splits)
    ((train, test),) = splits
    truths = {MODELS: fits.of(models), LEARNER: fits.accuracy(len(train))}
    return [
        (
            "holdout_estimate",
            f"interval={interval!r}",
            "one 1/3",
            stats.holdout_estimate(right[0, test], interval=interval),
            truths,
        )
        for interval in fits.intervals
    ]


def _random_splits(fits: Fits) -> list[Answer]:
    answers: list[Answer] = []
    for share, written in ((1 / 10, "25 x 1/10"), (1 / 3, "25 x 1/3")):
        cv = StratifiedShuffleSplit(25, test_size=share, random_state=fits.seed())
        splits = fits.split_by(cv)
        _, right = fits.right(splits)
        scores = [row[test].mean() for row, (_, test) in zip(right, splits, strict=True)]
        train, test = splits[0]
        sample = stats.Scores(scores, n_train=len(train), n_test=len(test))
        truths = {LEARNER: fits.accuracy(len(train))}
        answers.append(("t_estimate", "", written, stats.t_estimate(sample), truths))
    return answers


def _folds(fits: Fits) -> list[Answer]:
    cv = StratifiedKFold(_FOLDS, shuffle=True, random_state=fits.seed())
    splits = fits.split_by(cv)
    models, right = fits.right(splits)
    parts = [row[test] for row, (_, test) in zip(right, splits, strict=True)]
    rows = np.concatenate(parts)
    folds = np.repeat(np.arange(_FOLDS), [len(part) for part in parts])
    n_train = len(splits[0][0])
    truths = {MODELS: fits.of(models), LEARNER: fits.accuracy(n_train)}
    answers: list[Answer] = [
        (
            "cross_validation_estimate",
            f"variance={variance!r}",
            "10-fold",
            stats.cross_validation_estimate(rows, folds, variance=variance),
            truths,
        )
        for variance in ("all-pairs", "within-fold")
    ]
    means = np.array([part.mean() for part in parts])
    law = stats.Student(
        estimate=float(means.mean()), standard_error=float(sps.sem(means)), df=_FOLDS - 1
    )
    naive = stats.Estimate(
        method="mean of folds", estimand="", unit="split", n_units=_FOLDS, law=law
    )
    answers.append(("mean -+ t sd / sqrt(10)", "", "10-fold", naive, truths))
    return answers


def _nested(fits: Fits, whole: float) -> list[Answer]:
    cv = NestedKFold(_FOLDS, _REPEATS, stratify=True, random_state=fits.seed())
    splits = fits.split_by(cv)
    outer, inner = [], []
    n_fits = _FOLDS * (_FOLDS + 1) // 2
    for first in range(0, len(splits), n_fits):
        part = splits[first : first + n_fits]
        _, right = fits.right(part)
        folds = [test for _, test in part[:_FOLDS]]
        outer.append([right[k, fold] for k, fold in enumerate(folds)])
        others: list[list[Rows]] = [[] for _ in folds]
        for number, (i, j) in enumerate(combinations(range(_FOLDS), 2), start=_FOLDS):
            others[j].append(right[number, folds[i]])
            others[i].append(right[number, folds[j]])
        inner.append([np.concatenate(scores) for scores in others])
    truths = {LEARNER: fits.accuracy(fits.n), WHOLE: whole}
    found = []
    for repeats in (1, _REPEATS):
        estimate = stats.nested_cv_estimate(outer[:repeats], inner[:repeats])
        found.append(
            ("nested_cv_estimate", "", f"{repeats} x nested 10-fold", estimate, truths)
        )
    return found


class _Percentiles(NamedTuple):
    """The interval between percentiles of scores, as some take it."""

    scores: Sequence[float]

    def confidence_interval(self) -> tuple[float, float]:
        """Limits that leave 2.5 % of the scores on either side."""
        low, high = np.quantile(self.scores, (0.025, 0.975), method="weibull")
        return float(low), float(high)


def _bootstrap(fits: Fits, training: Rows, whole: float) -> list[Answer]:
    cv = BootstrapOutOfBag(_SAMPLES, stratify=True, random_state=fits.seed())
    splits = fits.split_by(cv)
    _, right = fits.right(splits)
    counts = np.array([np.bincount(train, minlength=fits.n) for train, _ in splits])
    ones = fits.y == 1
    said = np.where(training == 1, ones, ~ones).mean()
    nothing = ones.mean() * said + (1 - ones.mean()) * (1 - said)
    truths = {LEARNER: fits.accuracy(fits.n), WHOLE: whole}
    answers: list[Answer] = []
    written = f"{_SAMPLES} bootstraps"
    for kind in fits.kinds:
        estimate = stats.out_of_bag_estimate(
            right, counts, kind=kind,
            training_scores=training, no_information=nothing,
        )  # fmt: skip
        target = {LEARNER: fits.accuracy(fits.n, resampled=True)} if kind == "oob" else truths
        answers.append(("out_of_bag_estimate", f"kind={kind!r}", written, estimate, target))
    scores = [row[test].mean() for row, (_, test) in zip(right, splits, strict=True)]
    answers.append(("percentiles of the scores", "", written, _Percentiles(scores), truths))
    return answers


def projected(fits: Fits) -> list[Answer]:
    """Ask the projection on balanced halves, whose seed is apart from the other methods.

    Parameters
    ----------
    fits : Fits
        The data set, and the learner.
    """
    cv = RepeatedHalves(_HALVES, balanced=True, random_state=fits.seed(apart=True))
    splits = fits.split_by(cv)
    _, right = fits.right(splits)
    values, folds = np.empty((_HALVES, fits.n, 1)), np.empty((_HALVES, fits.n), dtype=int)
    for number, (row, (_, test)) in enumerate(zip(right, splits, strict=True)):
        repeat, fold = divmod(number, 2)
        values[repeat, test, 0], folds[repeat, test] = row[test], fold
    scores = [row[test].mean() for row, (_, test) in zip(right, splits, strict=True)]
    rows = stats.RowContributions(values, folds)
    estimate = stats.t_estimate(stats.Scores(scores, rows=rows, n_repeats=_HALVES))
    truths = {LEARNER: fits.accuracy(round(fits.n / 2))}
    found = estimate.within(*fits.bounds)
    return [("t_estimate", "", f"{_HALVES} x 2 halves", found, truths)]


TEN = Gauss(n_features=10, delta=0.5)
FIVE = Gauss(n_features=5, delta=0.7)
SETTINGS = (
    Performance(learner=NaiveBayes(), n=300, law=TEN, replications=1000),
    Performance(learner=STUMP, n=300, law=TEN),
    Performance(learner=Neighbour(), n=300, law=TEN),
    Performance(learner=TREE, n=300, law=FIVE),
    Performance(learner=Centroids(), n=300, law=TEN, replications=1000),
    Performance(learner=NaiveBayes(), n=100, law=TEN, replications=1000),
    Performance(learner=Discriminant(), n=100, law=Gauss(n_features=20, delta=0.4)),
    Performance(learner=Discriminant(), n=300, law=Gauss(n_features=40, delta=0.3)),
)
