"""Metrics of labels: the expected score of labels that are drawn whatever the truth is."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class LabelChance:
    """Expected score of drawn labels.

    Every row gets label c with probability ``shares[c]``, independently of all else. Of class
    c there are P rows among n, and M of the n guesses name it: M is binomial, and given M the
    number of hits TP is hypergeometric with mean M P / n. Precision, recall and F are linear
    in TP given M. Jaccard's bottom is P + FP, and TP and FP are independent. The tops of
    Matthews' correlation and of kappa have mean 0 given how often every class is named, on
    which their bottoms depend alone.

    Attributes
    ----------
    function : str
        Name of scikit-learn's function.
    average : {"binary", "macro", "weighted", "micro"}
        Which classes count, for precision, recall, F and Jaccard.
    beta : float
        Weight of recall in F.
    pos_label : object
        The class that counts when `average` is binary.
    adjusted : bool
        Whether balanced accuracy is 0 for guesses.
    is_loss : bool
        Whether the score is negated.
    """

    function: str
    average: str = "binary"
    beta: float = 1.0
    pos_label: Any = 1
    adjusted: bool = False
    is_loss: bool = False

    def fits(self, classes: list[Any]) -> bool:
        """Whether the metric is defined for these classes."""
        by_class = self.function in BY_CLASS and self.average == "binary"
        return not by_class or (len(classes) == 2 and self.pos_label in classes)

    def expected(self, classes: list[Any], counts: Floats, shares: Floats) -> float:
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
        counts, shares = np.asarray(counts, dtype=float), np.asarray(shares, dtype=float)
        score = self._score(classes, counts, shares)
        return -score if self.is_loss else score

    def _score(self, classes: list[Any], counts: Floats, shares: Floats) -> float:
        n = counts.sum()
        hits = float(counts @ shares / n)
        if self.function in CORRELATIONS:
            return 0.0
        if self.function == "balanced_accuracy_score":
            return 0.0 if self.adjusted else float(np.mean(shares))
        if self.function in MISSES:
            return 1 - hits
        if self.function not in BY_CLASS:
            return hits
        if self.average == "micro":  # of single labels, the accuracy
            return _micro_jaccard(counts, shares) if self._is_jaccard else hits
        chosen = range(len(classes))
        if self.average == "binary":
            chosen = [classes.index(self.pos_label)]  # type: ignore[assignment]
        scores = [self._of_class(counts[c], n, shares[c]) for c in chosen]
        weights = counts if self.average == "weighted" else None
        return float(np.average(scores, weights=weights))

    @property
    def _is_jaccard(self) -> bool:
        return self.function == "jaccard_score"

    def _of_class(self, positives: float, n: float, share: float) -> float:
        """Expected score of one class against the rest."""
        if self.function == "recall_score":
            return share
        if self.function == "precision_score":  # 0 where nothing is named
            return float(positives / n * (1 - (1 - share) ** n))
        if self._is_jaccard:
            false, chance = _binomial(n - positives, share)
            return float(positives * share * (chance @ (1 / (positives + false))))
        squared = self.beta**2
        named, chance = _binomial(n, share)
        return float(
            (1 + squared) * positives / n * (chance @ _part(named, squared * positives))
        )


def _part(named: Floats, rest: float) -> Floats:
    """``named / (rest + named)``, and 0 where nothing is named."""
    return np.where(named > 0, named / np.maximum(rest + named, 1e-300), 0.0)


def _micro_jaccard(counts: Floats, shares: Floats) -> float:
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
    return successes, np.asarray(binom.pmf(successes, n, share), dtype=float)


HITS = ("accuracy_score",)
MISSES = ("zero_one_loss", "hamming_loss")
CORRELATIONS = ("matthews_corrcoef", "cohen_kappa_score")
BY_CLASS = ("f1_score", "fbeta_score", "jaccard_score", "precision_score", "recall_score")
AVERAGES = ("binary", "macro", "micro", "weighted")
