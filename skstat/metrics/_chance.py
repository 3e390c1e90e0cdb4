"""What a guess that ignores X is expected to score: exactly, by formula."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skstat.stats import _tails as tails

Floats = NDArray[np.float64]
# From how many rows are of each class, and how often each is guessed, to the expected score.
OfAll = Callable[[Floats, Floats], float]
# The same of one class against the rest: its rows, all rows, how often it is guessed, beta.
OfClass = Callable[[float, float, float, float], float]


@dataclass(frozen=True, kw_only=True)
class Chance:
    """Expected score of drawn labels, or of rows in random order.

    Every row gets label c with probability ``shares[c]``, independently of all else. Of class
    c there are P rows among n, and M of the n guesses name it: M is binomial, and given M the
    number of hits TP is hypergeometric with mean M P / n. Precision, recall and F are linear
    in TP given M. Jaccard's bottom is P + FP, and TP and FP are independent. The tops of
    Matthews' correlation and of kappa have mean 0 given how often every class is named, on
    which their bottoms depend alone.

    Attributes
    ----------
    of_all : callable or None
        Formula of all classes at once; of an average over classes, the micro average.
    of_class : callable or None
        Formula of one class against the rest, for precision, recall, F and Jaccard.
    average : {"binary", "macro", "weighted", "micro"}
        Which classes count, for precision, recall, F and Jaccard; of an order, how several are
        averaged, each against the rest.
    beta : float
        Weight of recall in F.
    pos_label : object
        The class that counts when `average` is binary, or of two in an order, where None is
        the second.
    is_loss : bool
        Whether the score is negated.
    of_order : bool
        Whether rows are put in an order, and no labels drawn.
    """

    of_all: OfAll | None = None
    of_class: OfClass | None = None
    average: str = "binary"
    beta: float = 1.0
    pos_label: Any = 1
    is_loss: bool = False
    of_order: bool = False

    def fits(self, classes: list[Any]) -> bool:
        """Whether the metric is defined for these classes."""
        one_counts = self.average == "binary" or (self.of_order and self.pos_label is not None)
        named = len(classes) == 2 and self.pos_label in classes
        return named or self.of_class is None or not one_counts

    def expected(self, classes: list[Any], counts: Any, shares: Any = None) -> float:
        """Return the expected score, higher is better.

        Parameters
        ----------
        classes : list of length n_classes
            Labels, ascending.
        counts : ndarray of shape (n_classes,)
            How many rows are of each class, none of them 0.
        shares : ndarray of shape (n_classes,)
            How often each class is guessed.
        """
        counts, sign = np.asarray(counts, dtype=float), -1.0 if self.is_loss else 1.0
        shares = np.zeros_like(counts) if shares is None else np.asarray(shares, dtype=float)
        if self.of_all is not None and (self.of_class is None or self.average == "micro"):
            return sign * self.of_all(counts, shares)
        assert self.of_class is not None
        of_two = self.average == "binary" or (self.of_order and len(classes) == 2)
        n, chosen = counts.sum(), [*range(len(classes))]
        if of_two:
            chosen = [1 if self.pos_label is None else classes.index(self.pos_label)]
        scores = [self.of_class(counts[c], n, shares[c], self.beta) for c in chosen]
        weights = counts if self.average == "weighted" and not of_two else None
        return sign * float(np.average(scores, weights=weights))


def hits(counts: Floats, shares: Floats) -> float:
    """Share of rows whose label is guessed."""
    return float(counts @ shares / counts.sum())


def misses(counts: Floats, shares: Floats) -> float:
    """Share of rows whose label is not guessed."""
    return 1 - hits(counts, shares)


def mean_share(counts: Floats, shares: Floats) -> float:
    """Balanced accuracy: the mean recall, which is 1 / n_classes for all guesses."""
    return float(np.mean(shares))


def nothing(counts: Floats, shares: Floats) -> float:
    """Score 0, as of a correlation with guesses."""
    return 0.0


def recall(positives: float, n: float, share: float, beta: float) -> float:
    """Recall of one class."""
    return share


def precision(positives: float, n: float, share: float, beta: float) -> float:
    """Precision of one class; 0 where nothing is named."""
    return float(positives / n * (1 - (1 - share) ** n))


def jaccard(positives: float, n: float, share: float, beta: float) -> float:
    """Jaccard index of one class."""
    false, chance = _binomial(n - positives, share)
    return float(positives * share * (chance @ (1 / (positives + false))))


def f_score(positives: float, n: float, share: float, beta: float) -> float:
    """F score of one class."""
    squared = beta**2
    named, chance = _binomial(n, share)
    return float((1 + squared) * positives / n * (chance @ _part(named, squared * positives)))


def average_precision(positives: float, n: float, share: float, beta: float) -> float:
    r"""Expected average precision of scores that are drawn whatever the truth is.

    With P positives among n rows in random order, no two of which have the same score, it is

    .. math:: \frac{P}{n} + \frac{(n - P)(H_n - 1)}{n (n - 1)}

    where :math:`H_n` is the n-th harmonic number: a positive is at place i with probability
    P / n, and the i - 1 rows above it hold :math:`(i - 1)(P - 1)/(n - 1)` others on average.
    A constant score gives P / n, which is less: ties cost what luck at the top brings.
    """
    harmonic = float(np.sum(1 / np.arange(1, n + 1)))
    return positives / n + (n - positives) * (harmonic - 1) / (n * (n - 1))


def _part(named: Floats, rest: float) -> Floats:
    """``named / (rest + named)``, and 0 where nothing is named."""
    return np.where(named > 0, named / np.maximum(rest + named, 1e-300), 0.0)


def micro_jaccard(counts: Floats, shares: Floats) -> float:
    """Expected ``T / (2 n - T)`` of T hits, a sum of binomial numbers."""
    lowest, chance = 0.0, np.ones(1)
    for count, share in zip(counts, shares, strict=True):
        hits, own = _binomial(count, share)
        lowest, chance = lowest + hits[0], np.convolve(chance, own)
    total = lowest + np.arange(len(chance))
    return float(chance @ (total / (2 * counts.sum() - total)))


def _binomial(n: float, share: float) -> tuple[Floats, Floats]:
    """Numbers of successes, and their probabilities; what is left out is below 1e-30."""
    n = round(n)
    reach = 12 * (n * share * (1 - share)) ** 0.5 + 30
    low = max(0, int(n * share - reach))
    high = min(n, int(n * share + reach) + 1)
    if share in (0.0, 1.0):
        low = high = round(n * share)
    successes = np.arange(low, high + 1, dtype=float)
    return successes, np.asarray(tails.laws().binom.pmf(successes, n, share), dtype=float)


_AVERAGES = ("binary", "macro", "micro", "weighted")


def of_labels(
    of_all: OfAll, metric: Any, *, allowed: Sequence[str] = (), of_class: OfClass | None = None
) -> Chance | None:
    """Build it for a metric of all classes at once, or for an average over classes.

    `allowed` are the options that it may have. Of an average, `of_all` is the micro average,
    which of most is the accuracy.
    """
    averages = of_class is not None
    average = metric.options.get("average", "binary")
    known = {*allowed, *(("average", "pos_label") if averages else ())}
    if set(metric.options) - known or average not in _AVERAGES:
        return None
    settings = dict(metric.options) if averages else {}
    if average != "binary":
        settings.pop("pos_label", None)
    return Chance(of_all=of_all, of_class=of_class, is_loss=metric.is_loss, **settings)


def balanced(metric: Any) -> Chance | None:
    """Balanced accuracy, which is 0 for guesses if it is adjusted."""
    of_all = nothing if metric.options.get("adjusted", False) else mean_share
    return of_labels(of_all, metric, allowed=("adjusted",))


def of_order(metric: Any) -> Chance | None:
    """Build it for options of average precision; None where there is no formula."""
    options = dict(metric.options)
    average = options.pop("average", "macro")
    if options or average not in ("macro", "weighted") or metric.is_loss:
        return None
    label = metric.pos_label
    return Chance(of_class=average_precision, of_order=True, average=average, pos_label=label)
