"""One learner on two exchangeable blocks, or two learners, by every metric."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from calibration.losses.designs import BLOCKS, FIVE, HALVES, RANDOM, Design, make_designs
from calibration.losses.laws import Classes, Law, Numbers, Rows
from calibration.losses.learners import (
    LDA,
    Boosting,
    Fewer,
    Forest,
    Guess,
    Huber,
    KernelRidge,
    Lasso,
    Learner,
    Logistic,
    NaiveBayes,
    Neighbours,
    Network,
    Pushed,
    Ridge,
    Selected,
    TunedNeighbours,
)
from calibration.losses.samples import Fits
from calibration.losses.scores import AVERAGE_PRECISION, MATTHEWS, USUAL, Folds
from calibration.losses.truths import truths_of
from calibration.readings import COVERAGE, NULL, POWER, WIDTH, Reading, Readings
from skstat import stats

TESTS: tuple[tuple[str, Any], ...] = (
    (RANDOM, stats.corrected_t),
    (FIVE, stats.five_by_two_f),
    (HALVES, stats.projection_t),
    (BLOCKS, stats.block_jackknife_t),
)
# Of metrics that have two, for which the interval of the projection is made.
SHARES = ("accuracy", "balanced accuracy", "F1", "macro F1", "AUC", AVERAGE_PRECISION)
BOUNDS = {**dict.fromkeys(SHARES, (0.0, 1.0)), MATTHEWS: (-1.0, 1.0)}
# Power of the others is no merit, or known to be less: they have fewer fits.
POWER_ON = (RANDOM, HALVES, BLOCKS)
ESTIMATES: tuple[tuple[str, Any], ...] = (
    (RANDOM, stats.t_estimate),
    (HALVES, stats.t_estimate),
)


@dataclass(frozen=True, kw_only=True)
class Losses:
    """What the settings of this situation have in common.

    Parameters
    ----------
    law : Law
        Law of the rows.
    n : int
        Rows of the data set.
    learner : Learner
        The learner, A.
    replications : int
        Replicates of a full study.
    power_replications : int, optional
        Of these with the alternative; all by default.
    metrics : tuple of str
        What is asked; those that do not suit the target are left out. Settings that differ
        in nothing else see the same data, splits and fits.
    """

    law: Law
    n: int
    learner: Learner
    replications: int = 500
    power_replications: int = 150
    metrics: tuple[str, ...] = USUAL
    situation: str = "losses"
    tests: ClassVar[Sequence[tuple[str, Any]]] = TESTS
    power_on: ClassVar[Sequence[str]] = POWER_ON
    estimates: ClassVar[Sequence[tuple[str, Any]]] = ESTIMATES

    @property
    def systems(self) -> str:
        """What is fitted."""
        return self.learner.name

    @property
    def name(self) -> str:
        """Systems, law, size, and the metrics if they are not the usual ones."""
        asked = "" if self.metrics == USUAL else f" ({', '.join(self.metrics)})"
        return f"{self.systems}, {self.law.name}, n = {self.n}{asked}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        asked = {} if self.metrics == USUAL else {"metrics": list(self.metrics)}
        return {"law": repr(self.law), "n": self.n, "learner": repr(self.learner), **asked}

    def score(self, fits: Fits, learner: Learner, X: Any) -> dict[str, dict[str, Folds]]:
        """Fit a learner, and score it by what is asked.

        Parameters
        ----------
        fits : Fits
            The data.
        learner : Learner
            The learner.
        X : ndarray of shape (n, n_features)
            One block of features.
        """
        return fits.score(learner, X, self.metrics)

    def draw(self, stream: np.random.SeedSequence) -> Fits:
        """Draw the data and the splits of one replicate.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own. Only its number is used: all settings draw the same noise.
        """
        common = np.random.SeedSequence(stream.entropy, spawn_key=stream.spawn_key[-1:])
        rng = np.random.default_rng(common)
        rows = self.law.draw(rng, self.n)
        return Fits(rows, self.split(rows, rng))

    def split(self, rows: Rows, rng: np.random.Generator) -> dict[str, Design]:
        """Draw the splits.

        Parameters
        ----------
        rows : Rows
            The data.
        rng : Generator
            Seeds the splitters.
        """
        return make_designs(rows.y, rows.groups, rng)

    def ask(
        self,
        found: Readings,
        fits: Fits,
        a: Mapping[str, Mapping[str, Folds]],
        b: Mapping[str, Mapping[str, Folds]],
        quantity: str,
    ) -> None:
        """Ask all tests by all metrics.

        Parameters
        ----------
        found : Readings
            Receives what they say.
        fits : Fits
            The data.
        a, b : mapping of str to mapping of str to Folds
            Scores of both systems, by metric and design.
        quantity : str
            ``NULL`` or ``POWER``.
        """
        for metric in a:
            for design, test in self.tests:
                on = f"{metric}, {design}"
                if quantity != NULL and design not in self.power_on:
                    continue
                if not fits.defined(design, a[metric], b[metric]):
                    found.note(test.__name__, np.nan, on=on, quantity=quantity)
                    continue
                sample = fits.pair(design, a[metric], b[metric])
                found.ask(test, sample, on=on, quantity=quantity)
                if quantity == NULL and test is stats.projection_t:
                    found.note_sides(
                        test.__name__, test(sample).confidence_interval(0.9), 0.0, on=on
                    )

    def cover(
        self, found: Readings, intervals: Iterator[tuple[str, str, Any]], *, widths: bool
    ) -> None:
        """Note which intervals hold the truth.

        Parameters
        ----------
        found : Readings
            Receives what they do.
        intervals : iterable of (procedure, on, estimate)
            As `intervals` of the settings yields them.
        widths : bool
            Whether to note how wide they are too.
        """
        truths = truths_of(self.name, self.parameters())
        for procedure, on, estimate in intervals:
            low, high = estimate.confidence_interval()
            covers = float(low <= truths[on] <= high) if low == low else np.nan
            found[Reading(procedure, "", on, COVERAGE)] = covers
            if widths:
                found[Reading(procedure, "", on, WIDTH)] = float(high - low)
            elif isinstance(estimate, stats.Comparison):
                found.note_sides(
                    procedure, estimate.confidence_interval(0.9), truths[on], on=on
                )


@dataclass(frozen=True, kw_only=True)
class Alike(Losses):
    """One learner, A on one block of features and B on another one of the same law.

    The tests are asked whether A and B differ, and the intervals for the score of A.
    """

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one data set, fit all splits, ask every procedure by every metric.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Whether the alternative is wanted too.
        """
        fits, found = self.draw(stream), Readings()
        a = self.score(fits, self.learner, fits.rows.first)
        b = self.score(fits, self.learner, fits.rows.second)
        self.ask(found, fits, a, b, NULL)
        if power:
            self.ask(found, fits, self.score(fits, self.learner, fits.rows.better), a, POWER)
        self.cover(found, self.intervals(fits, a), widths=True)
        return found

    def intervals(
        self, fits: Fits, a: Mapping[str, Mapping[str, Folds]] | None = None
    ) -> Iterator[tuple[str, str, Any]]:
        """Yield procedure, metric and design, and estimate of the score of A.

        Parameters
        ----------
        fits : Fits
            The data.
        a : mapping, optional
            Scores of A, if these are known already.
        """
        a = a or self.score(fits, self.learner, fits.rows.first)
        for metric, folds in a.items():
            for design, estimate in self.estimates:
                if not fits.defined(design, folds):
                    continue
                value = estimate(fits.single(design, folds))
                if design != RANDOM:
                    value = value.within(*BOUNDS.get(metric, (None, None)))
                yield estimate.__name__, f"{metric}, {design}", value


@dataclass(frozen=True, kw_only=True)
class Different(Losses):
    """Two learners on one block, asked for intervals of their difference.

    Parameters
    ----------
    other : Learner
        The second learner, B.
    """

    other: Learner
    power_replications: int = 0

    @property
    def systems(self) -> str:
        """Both learners."""
        return f"{self.learner.name} against {self.other.name}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {**super().parameters(), "other": repr(self.other)}

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one data set, fit all splits, ask for every interval by every metric.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Not used: there is one difference only.
        """
        found = Readings()
        self.cover(found, self.intervals(self.draw(stream)), widths=False)
        return found

    def intervals(self, fits: Fits) -> Iterator[tuple[str, str, Any]]:
        """Yield procedure, metric and design, and estimate of A - B.

        Parameters
        ----------
        fits : Fits
            The data.
        """
        a, b = (self.score(fits, one, fits.rows.first) for one in (self.learner, self.other))
        for metric in a:
            for design, test in self.tests:
                known = fits.defined(design, a[metric], b[metric])
                if known and test is not stats.five_by_two_f:  # its interval may be undefined
                    outcome = test(fits.pair(design, a[metric], b[metric]))
                    yield test.__name__, f"{metric}, {design}", outcome


@dataclass(frozen=True, kw_only=True)
class LopSided(Different):
    """Two learners whose difference and its standard error grow together.

    A guess or a baseline against a learner, nested learners, a robust against a plain loss:
    the two sides of an interval err differently. The default alone is asked.
    """

    tests: ClassVar[Sequence[tuple[str, Any]]] = ((HALVES, stats.projection_t),)

    def split(self, rows: Rows, rng: np.random.Generator) -> dict[str, Design]:
        """Draw the halves.

        Parameters
        ----------
        rows, rng
            As in `Losses`.
        """
        return {HALVES: super().split(rows, rng)[HALVES]}


BALANCED = Classes()
GROUPS = Classes(name="groups of 4", group_size=4)
UNEVEN = Classes(name="uneven groups", group_size=10, uneven=0.8)
QUARTER = Classes(name="25 % positives", share=0.25, delta=0.7, better=1.0)
FIFTH = Classes(name="20 % positives", share=0.2, delta=0.7, better=1.0)
NOISE = Classes(name="pure noise", delta=0.0)
RARE = Classes(name="5 % positives", share=0.05, delta=1.0, better=1.3)
MANY = Classes(name="200 features", n_features=200, delta=0.2, better=0.26)
LINEAR = Numbers()
HEAVY = Numbers(name="t noise", df=2.5)
TAILED = Numbers(name="t noise of 5", df=5.0)
SHRUNK, WEAK, PLAIN, FREE = (Logistic(strength) for strength in (0.001, 0.1, 1.0, 100.0))
BAYES, ONE, FIVE_NEAR, KERNEL = NaiveBayes(), Neighbours(1), Neighbours(5), KernelRidge()
STUMP, ROUNDS, TREE = Boosting(1, 1.0), Boosting(10, 0.3), Forest(1)
RIDGES = (Ridge(1.0), Ridge(1000.0))


def _alike() -> Iterator[Alike]:
    """Yield learners on 100 rows, then other sizes and other data."""
    law: Law
    learner: Learner
    fast = (SHRUNK, WEAK, PLAIN, FREE, BAYES, ONE, FIVE_NEAR, STUMP, KERNEL)
    for learner in (*fast, LDA(), Neighbours(25), Selected(), ROUNDS, TREE):
        yield Alike(law=BALANCED, n=100, learner=learner)
    slow = ((Boosting(50, 0.3), 200, 60), (Forest(10), 200, 60), (Network(), 200, 60))
    for learner, times, powers in slow:
        yield Alike(
            law=BALANCED, n=100, learner=learner, replications=times, power_replications=powers
        )
    for law in (LINEAR, HEAVY):
        for ridge in RIDGES:
            yield Alike(law=law, n=100, learner=ridge)
    for n, times, powers in ((40, 500, 150), (300, 300, 100)):
        for law, learners in ((BALANCED, fast), (LINEAR, RIDGES)):
            for learner in learners:
                yield Alike(
                    law=law,
                    n=n,
                    learner=learner,
                    replications=times,
                    power_replications=powers,
                )
    many = ((BALANCED, SHRUNK), (BALANCED, WEAK), (BALANCED, FIVE_NEAR), (LINEAR, RIDGES[1]))
    for law, learner in many:
        yield Alike(law=law, n=1000, learner=learner, replications=200, power_replications=60)
    for learner in (FIVE_NEAR, PLAIN, ONE, STUMP):
        yield Alike(law=NOISE, n=100, learner=learner, power_replications=0)
    yield Alike(law=Classes(name="lognormal", shape="lognormal"), n=100, learner=BAYES)
    for learner in (PLAIN, BAYES, FIVE_NEAR):
        yield Alike(law=RARE, n=210, learner=learner)
    for learner, times in ((PLAIN, 300), (BAYES, 400)):
        yield Alike(
            law=RARE,
            n=600,
            learner=learner,
            replications=times,
            power_replications=times // 2,
        )
    ten = Classes(name="10 classes", n_classes=10, delta=1.5, better=1.9)
    yield Alike(law=ten, n=300, learner=BAYES, replications=300, power_replications=100)
    for learner in (FIVE_NEAR, WEAK):
        yield Alike(law=GROUPS, n=200, learner=learner)
    yield Alike(law=GROUPS, n=100, learner=WEAK)
    for learner in (FIVE_NEAR, WEAK):
        yield Alike(law=UNEVEN, n=200, learner=learner)
    for learner in (FIVE_NEAR, WEAK):
        yield Alike(law=QUARTER, n=100, learner=learner)
    yield Alike(law=FIFTH, n=150, learner=Neighbours(9))


def _different() -> Iterator[Different]:
    """Yield pairs of learners."""
    pairs: tuple[tuple[Learner, Learner, int, int], ...] = (
        (SHRUNK, PLAIN, 100, 500),
        (KERNEL, PLAIN, 100, 500),
        (PLAIN, FIVE_NEAR, 100, 500),
        (ROUNDS, ONE, 100, 500),
        (Selected(), BAYES, 100, 500),
        (TREE, PLAIN, 100, 500),
        (SHRUNK, PLAIN, 300, 500),
        (KERNEL, PLAIN, 300, 300),
        (KERNEL, ROUNDS, 300, 300),
    )
    rare: tuple[tuple[Learner, Learner, Classes, int], ...] = (
        (Logistic(0.005), PLAIN, BALANCED, 300),
        (Logistic(0.02), PLAIN, QUARTER, 300),
        (Neighbours(15), PLAIN, QUARTER, 100),
        (FIVE_NEAR, PLAIN, QUARTER, 200),
        (Guess(), WEAK, FIFTH, 150),
        (FIVE_NEAR, WEAK, UNEVEN, 200),
    )
    for a, b, law, n in rare:
        yield Different(law=law, n=n, learner=a, other=b)
    for a, b, n, replications in pairs:
        yield Different(law=BALANCED, n=n, learner=a, other=b, replications=replications)


# Of few rows of a class, of which the usual metrics have been counted already.
OF_FEW = (AVERAGE_PRECISION, MATTHEWS)
OF_MANY = ("accuracy", "AUC", "log loss", *OF_FEW)  # features
OF_TUNED = (*OF_MANY, "Brier score", "F1", "balanced accuracy")


def _alike_of_few() -> Iterator[Alike]:
    """Yield one learner by average precision and Matthews correlation, and many features."""
    few: tuple[tuple[Learner, Classes, int, int], ...] = (
        (FIVE_NEAR, FIFTH, 60, 500),
        (Neighbours(9), FIFTH, 150, 500),
        (FIVE_NEAR, FIFTH, 200, 500),
        (PLAIN, FIFTH, 200, 500),
        (PLAIN, RARE, 210, 500),
        (BAYES, RARE, 210, 500),
        (FIVE_NEAR, RARE, 210, 500),
        (PLAIN, RARE, 600, 300),
        (FIVE_NEAR, QUARTER, 100, 500),
        (WEAK, QUARTER, 100, 500),
        (KERNEL, QUARTER, 100, 500),
        (ROUNDS, QUARTER, 100, 500),
        (SHRUNK, BALANCED, 100, 500),
        (WEAK, BALANCED, 100, 500),
        (PLAIN, BALANCED, 100, 500),
        (FIVE_NEAR, BALANCED, 100, 500),
        (STUMP, BALANCED, 100, 500),
        (WEAK, BALANCED, 300, 300),
        (FIVE_NEAR, BALANCED, 300, 300),
        (FIVE_NEAR, GROUPS, 200, 500),
        (FIVE_NEAR, UNEVEN, 200, 500),
    )
    for learner, law, n, times in few:
        yield Alike(law=law, n=n, learner=learner, replications=times, metrics=OF_FEW)
    for learner in (WEAK, KERNEL, BAYES, FIVE_NEAR):
        yield Alike(law=MANY, n=100, learner=learner, replications=300, metrics=OF_MANY)


def _different_of_few() -> Iterator[Different]:
    """Yield pairs by average precision and Matthews correlation, many features, tuning."""
    pairs: tuple[tuple[Learner, Learner, Classes, int, tuple[str, ...]], ...] = (
        (Logistic(0.005), PLAIN, BALANCED, 300, OF_FEW),
        (Logistic(0.02), PLAIN, QUARTER, 300, OF_FEW),
        (Neighbours(15), PLAIN, QUARTER, 100, OF_FEW),
        (FIVE_NEAR, PLAIN, QUARTER, 200, OF_FEW),
        (SHRUNK, PLAIN, BALANCED, 100, OF_FEW),
        (KERNEL, BAYES, FIFTH, 150, OF_FEW),
        (WEAK, BAYES, MANY, 100, OF_MANY),
        (KERNEL, FIVE_NEAR, MANY, 100, OF_MANY),
        (TunedNeighbours(), PLAIN, BALANCED, 100, OF_TUNED),
        (TunedNeighbours(), ROUNDS, QUARTER, 200, OF_TUNED),
    )
    for a, b, law, n, metrics in pairs:
        times = 300 if law is MANY else 500
        yield Different(law=law, n=n, learner=a, other=b, replications=times, metrics=metrics)


def _constructed() -> Iterator[Different]:
    """Yield pairs that others made up to show where comparisons by cross-validation fail."""
    for distance, n in ((0.3, 100), (1.0, 100), (0.3, 300), (1.0, 300)):
        yield Different(law=BALANCED, n=n, learner=Pushed(distance), other=Pushed(-distance))
    for alpha, other, n in (
        (0.1, 0.11, 100),
        (0.1, 0.3, 100),
        (0.1, 0.11, 300),
        (0.01, 0.1, 300),
    ):
        yield Different(law=LINEAR, n=n, learner=Lasso(alpha), other=Lasso(other))


def _lop_sided() -> Iterator[LopSided]:
    """Yield baselines and guesses, nested learners, and robust losses, each with another."""
    mean, few, two = Guess("mean of y"), Fewer(5, RIDGES[0]), Fewer(2, PLAIN)
    classes: tuple[tuple[Learner, Learner, Classes, int], ...] = (
        (Guess(), WEAK, BALANCED, 100),
        (Guess(), BAYES, BALANCED, 100),
        (Guess(), FIVE_NEAR, FIFTH, 150),
        (Guess(), PLAIN, QUARTER, 100),
        (two, PLAIN, BALANCED, 100),
        (two, PLAIN, QUARTER, 100),
        (Fewer(2, BAYES), BAYES, BALANCED, 100),
    )
    numbers: tuple[tuple[Learner, Learner, Numbers, int], ...] = (
        (mean, RIDGES[0], LINEAR, 60),
        (mean, RIDGES[0], LINEAR, 100),
        (mean, RIDGES[0], LINEAR, 300),
        (few, RIDGES[0], LINEAR, 60),
        (few, RIDGES[0], LINEAR, 100),
        (mean, RIDGES[0], TAILED, 100),
        (Huber(), RIDGES[0], TAILED, 100),
        (Huber(), RIDGES[0], TAILED, 300),
        (Huber(), mean, TAILED, 100),
    )
    for a, b, law, n in (*classes, *numbers):
        yield LopSided(law=law, n=n, learner=a, other=b)


CONSTRUCTED: tuple[Different, ...] = tuple(_constructed())
LOP_SIDED: tuple[LopSided, ...] = tuple(_lop_sided())
SETTINGS: tuple[Alike | Different, ...] = (
    *_alike(),
    *_different(),
    *_alike_of_few(),
    *_different_of_few(),
    *CONSTRUCTED,
    *LOP_SIDED,
)
