"""Fitted first steps, and what they made of the rows of one split, as long as needed."""

import copy
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any, Literal

import numpy as np

from skstat.evaluation._shared_steps.chains import FirstSteps, Step

_Role = Literal["train", "test"]


@dataclass(eq=False)
class _Fitted:
    """A fitted step, with its outputs."""

    transformer: Any
    training: Any  # output for the training rows; None when nobody needs it any more
    seconds: float
    n_to_fit: int
    n_to_score: int
    test: list[tuple[Any, float]] = field(default_factory=list)

    def close(self) -> None:
        """Let outputs go now: the step and what stands in for its method hold each other."""
        self.training = None
        self.test.clear()
        vars(self.transformer).pop("transform", None)


class FittedSteps:
    """Fitted steps of one split: of one data set, one group of pipelines, in one process.

    They are let go when another split begins, and each as soon as all of the pipelines that
    have it are through.
    """

    def __init__(self) -> None:
        self._of: tuple[Any, ...] = ()
        self._fitted: dict[int, _Fitted] = {}
        self._rows: dict[_Role, tuple[Any, int]] = {}
        self._now: OfOnePipeline | None = None

    def of(
        self, first: FirstSteps, dataset: int, train: np.ndarray, test: np.ndarray
    ) -> "OfOnePipeline":
        """Return what one pipeline needs, on one split.

        Parameters
        ----------
        first : FirstSteps
            What it has in common with others.
        dataset : int
            Number of the data set.
        train, test : ndarray of int
            Rows of the split.

        Returns
        -------
        OfOnePipeline
            To be used in a ``with`` statement.
        """
        own = dataset, first.group, train, test
        same = self._of[:2] == own[:2] and all(map(_equal, self._of[2:], own[2:]))
        if not same:
            self.clear()
            self._of = own
        self._now = OfOnePipeline(self, first)
        return self._now

    def clear(self) -> None:
        """Let everything go."""
        for fitted in self._fitted.values():
            fitted.close()
        self._of, self._fitted, self._rows, self._now = (), {}, {}, None

    def rows(self, role: _Role, n_readers: int, take: Callable[[], Any]) -> Any:
        """Take rows once for all pipelines that leave them as they are."""
        taken, left = self._rows.pop(role) if role in self._rows else (take(), n_readers)
        if left > 1:
            self._rows[role] = taken, left - 1
        return taken

    def get(self, step: Step) -> _Fitted | None:
        """Return the step as an earlier pipeline fitted it."""
        found = self._fitted.get(step.number)
        return None if found is None or found.n_to_fit == 0 else found

    def put(self, step: Step, transformer: Any, training: Any, seconds: float) -> _Fitted:
        """Keep a step that was fitted now, and its outputs for test rows when they come."""
        fitted = _Fitted(transformer, training, seconds, step.n_users, step.n_users)
        transformer.transform = partial(self._transform, step, fitted, transformer.transform)
        self._fitted[step.number] = fitted
        return fitted

    def scored(self, step: Step) -> None:
        """Count off a pipeline that is through."""
        fitted = self._fitted.get(step.number)
        if fitted is not None:
            fitted.n_to_score -= 1
            if fitted.n_to_score == 0:
                self._fitted.pop(step.number).close()

    def _transform(
        self,
        step: Step,
        fitted: _Fitted,
        transform: Callable[..., Any],
        X: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Stand in for ``transform`` of a fitted step: once for the test rows."""
        now = self._now
        if args or kwargs or now is None or not now.is_test_after(step, X):
            return transform(X, *args, **kwargs)
        if fitted.test:
            output, seconds = fitted.test[0]
            now.spared += seconds
        else:
            start, spared = time.perf_counter(), now.spared
            output = transform(X)
            seconds = time.perf_counter() - start + now.spared - spared
            fitted.test.append((output, seconds))
        return now.tested(step, output)


class OfOnePipeline:
    """Gives one pipeline the steps that another has fitted on the same rows.

    It stands in for the cache that a pipeline of scikit-learn takes as ``memory``: its
    ``fit`` goes through scikit-learn's own code. What counts is that a step is given the very
    object that the step before it returned. So what has gone through anything else, or comes
    with weights or other metadata, is fitted as ever.

    Attributes
    ----------
    spared : float
        Seconds that the fits and transforms took, where they were not made again.
    """

    location = None  # so that scikit-learn fits the steps, and no clones of them

    def __init__(self, owner: FittedSteps, first: FirstSteps) -> None:
        self.spared = 0.0
        self._owner = owner
        self._first = first
        self._steps: dict[int, tuple[Any, Step]] = {}
        self._pipelines: list[Any] = []
        self._at: tuple[Any, Any, int] = None, None, -1  # X, y, number of the steps done
        self._test: dict[int, tuple[Any, int]] = {}

    def __enter__(self) -> "OfOnePipeline":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._at, self._test, self._steps, self._pipelines = (None, None, -1), {}, {}, []
        for step in self._first.steps:
            self._owner.scored(step)

    def __reduce__(self) -> Any:
        return type(None), ()  # who copies the pipeline fits other rows

    def rows(self, role: _Role, take: Callable[[], Any]) -> Any:
        """Take rows, or the same again where the pipeline leaves them as they are."""
        if not self._first.reads:
            return take()
        return self._owner.rows(role, self._first.n_readers, take)

    def fit(self, pipeline: Any, X: Any, y: tuple[Any, ...], params: Mapping[str, Any]) -> None:
        """Fit a clone of the pipeline."""
        self._at = X, y[0] if y else None, 0
        self._enter(pipeline)
        pipeline.fit(X, *y, **params)
        for one in self._pipelines:
            one.memory = None
        self._at = None, None, -1

    def scoring(self, X: Any) -> None:
        """Be told the test rows, of which steps may have the transform already."""
        if self._first.scorer_reads:
            self._test = {id(X): (X, 0)}

    def take_spared(self) -> float:
        """Return the seconds spared since the last call."""
        spared, self.spared = self.spared, 0.0
        return spared

    def cache(self, fit_transform: Callable[..., Any], **options: Any) -> Callable[..., Any]:
        """Stand in for :meth:`joblib.Memory.cache`."""
        return partial(self._fit_transform, fit_transform)

    def is_test_after(self, step: Step, X: Any) -> bool:
        """Whether something is the test rows as the steps before this one left them."""
        known = self._test.get(id(X))
        return known is not None and known[1] == step.after

    def tested(self, step: Step, output: Any) -> Any:
        """Hand over an output for the test rows."""
        output = self._own(output)
        self._test[id(output)] = output, step.number
        return output

    def _enter(self, pipeline: Any) -> None:
        for step in self._first.steps:
            inside = pipeline
            for name in step.place:
                if inside.memory is not self:
                    inside.memory = self
                    self._pipelines.append(inside)
                inside = dict(inside.steps)[name]
            self._steps[id(inside)] = inside, step

    def _fit_transform(
        self,
        fit_transform: Callable[..., Any],
        transformer: Any,
        X: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        step = self._steps.get(id(transformer), (None, None))[1]
        at, y, done = self._at
        here = X is at and all(a is y for a in args) and not _has_metadata(kwargs)
        if step is None or not here or done != step.after:
            return fit_transform(transformer, X, *args, **kwargs)
        fitted = self._owner.get(step)
        if fitted is not None:
            self.spared += fitted.seconds
        else:
            start, spared = time.perf_counter(), self.spared
            made = fit_transform(transformer, X, *args, **kwargs)
            seconds = time.perf_counter() - start + self.spared - spared
            if not _is_pair(made, transformer):
                return made
            fitted = self._owner.put(step, transformer, made[0], seconds)
        fitted.n_to_fit -= 1
        if fitted.n_to_fit:
            output = self._own(fitted.training)
        else:
            output, fitted.training = fitted.training, None
        self._at = output, y, step.number
        return output, fitted.transformer

    def _own(self, output: Any) -> Any:
        """Return an output, or a copy for a pipeline that may write into it."""
        return output if self._first.reads else copy.deepcopy(output)


def _equal(rows: np.ndarray, others: np.ndarray) -> bool:
    return rows is others or np.array_equal(rows, others)


def _is_pair(made: Any, transformer: Any) -> bool:
    """Whether a fit gave what scikit-learn's do: the output, and the fitted step."""
    return isinstance(made, tuple) and len(made) == 2 and made[1] is transformer


def _has_metadata(options: Mapping[str, Any]) -> bool:
    """Whether any of the mappings among the options says something for the step."""
    return any(_says_something(v) for v in options.values() if isinstance(v, Mapping))


def _says_something(metadata: Any) -> bool:
    return not isinstance(metadata, Mapping) or any(map(_says_something, metadata.values()))
