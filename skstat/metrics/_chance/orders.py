"""Average precision: the expected score of rows in random order."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class OrderChance:
    r"""Expected average precision of scores that are drawn whatever the truth is.

    With P positives among n rows in random order, no two of which have the same score, it is

    .. math:: \frac{P}{n} + \frac{(n - P)(H_n - 1)}{n (n - 1)}

    where :math:`H_n` is the n-th harmonic number: a positive is at place i with probability
    P / n, and the i - 1 rows above it hold :math:`(i - 1)(P - 1)/(n - 1)` others on average.
    A constant score gives P / n, which is less: ties cost what luck at the top brings.

    Attributes
    ----------
    average : {"macro", "weighted"}
        How several classes are averaged, each against the rest.
    pos_label : object
        The positive one of two classes; None for the second.
    is_loss : bool
        Whether the score is negated.
    """

    average: str = "macro"
    pos_label: Any = None
    is_loss: bool = False

    def fits(self, classes: list[Any]) -> bool:
        """Whether the metric is defined for these classes."""
        return self.pos_label is None or (len(classes) == 2 and self.pos_label in classes)

    def expected(self, classes: list[Any], counts: NDArray[Any]) -> float:
        """Return the expected score, higher is better.

        Parameters
        ----------
        classes : list of length n_classes
            Labels, ascending.
        counts : ndarray of shape (n_classes,)
            How many rows are of each class, none of them 0.
        """
        positives, n = np.asarray(counts, dtype=float), float(np.sum(counts))
        harmonic = float(np.sum(1 / np.arange(1, n + 1)))
        scores = positives / n + (n - positives) * (harmonic - 1) / (n * (n - 1))
        if len(classes) == 2:
            chosen = 1 if self.pos_label is None else classes.index(self.pos_label)
            score = float(scores[chosen])
        else:
            weights = positives if self.average == "weighted" else None
            score = float(np.average(scores, weights=weights))
        return -score if self.is_loss else score


def of_order(options: Mapping[str, Any], is_loss: bool, pos_label: Any) -> OrderChance | None:
    """Build it for options of average precision; None where there is no formula."""
    options = dict(options)
    average = options.pop("average", "macro")
    if options or average not in ("macro", "weighted") or is_loss:
        return None
    return OrderChance(average=average, pos_label=pos_label)
