"""Scorers of the user's own that turn out to be a mean over rows, or a sum."""

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from skstat.metrics._output_kinds import sorted_labels
from skstat.metrics._scorers import ScorerOfOutputs, is_scorer, methods_asked

Numbers = NDArray[np.float64]

# Rows that are scored one by one in a trial: few at first, for functions that take long.
_TRIED = (5, 15, 40)
# Calls of a function that one test set may cost, where rows repeat or not.
_MOST_CALLS = 5_000
_RTOL, _ATOL = 1e-9, 1e-12


@dataclass(frozen=True, eq=False, kw_only=True)
class OwnMean:
    """A scorer of the user's own, whose score was found to be a mean or a sum over rows.

    Attributes
    ----------
    scorer : scorer
        What :func:`sklearn.metrics.make_scorer` gave.
    response : str
        The only method of an estimator that it asks for.
    is_sum : bool
        Whether the score is the sum over rows, not their mean.
    classes : tuple
        Labels of the classes; those of all rows.
    """

    is_mean: ClassVar[bool] = True

    scorer: Callable[..., Any]
    response: str
    is_sum: bool
    classes: tuple[Any, ...]

    @classmethod
    def of(cls, scorer: Any, y: Any) -> "OwnMean | None":
        """Try a scorer on outputs that are drawn, and see whether its score is a mean of rows.

        Parameters
        ----------
        scorer : scorer
            What :func:`sklearn.metrics.make_scorer` gave. Nothing else is tried.
        y : array-like of shape (n_rows,)
            Truth of all rows.

        Returns
        -------
        OwnMean or None
            None if its score is anything else, it fails on single rows, or asks for more than
            one method of an estimator.
        """
        y = np.asarray(y)
        y = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
        # Others may read X, or remember how often they were called.
        if y.ndim != 1 or len(y) < 2 or not is_scorer(scorer):
            return None
        classes = tuple(sorted_labels(y))
        with warnings.catch_warnings(action="ignore"):  # of what single rows lack
            asked = methods_asked(scorer, y, classes)
            if len(asked) != 1:
                return None
            (response,) = asked
            few = len(classes) ** 2 <= _MOST_CALLS
            if not (few and response == "predict") and len(y) > 2 * _MOST_CALLS:
                return None
            score = ScorerOfOutputs(scorer, 1.0, classes)
            kinds: set[str] = set()
            for trial in _trials(y, classes, response):
                kinds |= {_kind_in(score, *trial)} - {"either"}
                if len(kinds) > 1 or "other" in kinds:  # before calls that take long
                    return None
        if not kinds:
            return None
        return cls(scorer=scorer, response=response, is_sum="sum" in kinds, classes=classes)

    def contributions(
        self, y_true: Any, output: Any, sample_weight: Any = None
    ) -> tuple[float, Numbers] | None:
        """Score rows one by one: see `RowMetric.contributions`.

        The caller compares the score with the one that the scorer gave for all rows.
        """
        if self.is_sum and sample_weight is not None:
            return None
        y, outputs = np.asarray(y_true), np.asarray(output)
        y = y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y
        score = ScorerOfOutputs(self.scorer, 1.0, self.classes)
        with warnings.catch_warnings(action="ignore"):  # of what single rows lack
            rows = _row_by_row(score, y, outputs)
        if rows is None:
            return None
        if self.is_sum:
            rows = rows * len(rows)
        weight = np.ones(len(rows)) if sample_weight is None else np.asarray(sample_weight)
        mean = float(np.average(rows, weights=weight))
        return mean, mean + weight / weight.mean() * (rows - mean)

    def has_formula(self, y_true: Any) -> bool:
        """Whether rows have scores: they have."""
        return True


def _trials(
    y: NDArray[Any], classes: tuple[Any, ...], response: str
) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield rows of the truth, some of every class, and outputs that may be given for them."""
    rng, k = np.random.default_rng(0), len(classes)
    first = np.unique(y, return_index=True)[1]
    for size in _TRIED:
        rows = np.concatenate([rng.permutation(first)[: size // 2], rng.permutation(len(y))])
        rows = rows[:size]
        shape = (len(rows),) if k == 2 else (len(rows), k)
        outputs = {
            "predict": rng.choice(y[first], len(rows)),
            "predict_proba": rng.dirichlet(np.ones(k), len(rows)),
            "decision_function": rng.normal(size=shape),
        }
        yield y[rows], outputs[response]


def _kind_in(score: ScorerOfOutputs, y: NDArray[Any], outputs: NDArray[Any]) -> str:
    """Return "mean" or "sum" where that is the score of all rows, "other" where it is neither.

    "either" where all rows have one score of 0, so that it is both.
    """
    rows, whole = _row_by_row(score, y, outputs), _value(score, y, outputs)
    if rows is None or whole is None:
        return "other"
    scale = float(np.abs(rows).max())
    is_mean, is_sum = (
        bool(np.isclose(whole, found, rtol=_RTOL, atol=_ATOL + _RTOL * scale))
        for found in (rows.mean(), rows.sum())
    )
    if is_mean and is_sum:
        return "either"
    return "mean" if is_mean else "sum" if is_sum else "other"


def _row_by_row(
    score: ScorerOfOutputs, y: NDArray[Any], outputs: NDArray[Any]
) -> Numbers | None:
    """Score every row as if it were all; rows that are alike once."""
    known: dict[Any, float | None] = {}
    found = np.empty(len(y))
    for row in range(len(y)):
        alike = (y[row], outputs[row]) if outputs.ndim == 1 else row
        if alike not in known:
            if len(known) >= _MOST_CALLS:
                return None
            known[alike] = _value(score, y[row : row + 1], outputs[row : row + 1])
        value = known[alike]
        if value is None:
            return None
        found[row] = value
    return found


def _value(score: ScorerOfOutputs, y: NDArray[Any], outputs: NDArray[Any]) -> float | None:
    """Score outputs; None where the scorer fails, or gives no finite number."""
    try:
        value = score(y, outputs)
    except Exception:  # a function of somebody else's may raise anything
        return None
    return value if np.isfinite(value) else None
