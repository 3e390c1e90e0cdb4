"""Whether a formula scores as the metric does: the metric is called once for each system.

Another release of scikit-learn may define a metric otherwise, and then its formula is not
used. That is looked up once: a system that was verified among others is not verified again in
each of its pairs. Metrics that count (of labels, of ranks) have no float noise, so that what
agreed once agrees on any data of the same kind: they are called once in a process. Metrics of
numbers may cancel on some data only, and are called once on each.
"""

from collections.abc import Callable, Hashable
from typing import Any, Literal

import numpy as np

from skstat.metrics._labels import label_codes
from skstat.metrics._output_kinds import Kind
from skstat.stats import Kernel, Predictions

# The metric is called on so many rows once, to see that a formula agrees.
_ROWS_TO_CHECK = 2_000
# Kinds of data that are kept; every one is found again by one more call of the metric.
_MOST_KEPT = 1_000
_agreed: set[Hashable] = set()

Needs = Kind | Literal["hits"]


def agrees(
    kernel: Kernel,
    predictions: Predictions,
    ready: Predictions,
    *,
    build: Callable[[Predictions], Kernel | None],
    score: Callable[[Any, Any, Any], float],
    metric: Hashable,
    needs: Needs,
    facts: Any,
) -> bool:
    """Whether a kernel scores every system as the metric does.

    Parameters
    ----------
    kernel : Kernel
        The formula on these predictions.
    predictions, ready : Predictions
        As they were handed in, and as the metric takes them.
    build : callable
        From predictions to a kernel, to try it on fewer rows.
    score : callable
        The metric of truth, output and weights.
    metric : hashable
        The metric, as all that are asked about these predictions tell it from others.
    needs : {"hits", "labels", "scores", ...}
        What it needs of predictions; ``"hits"`` of labels only whether they are right.
    facts : tuple
        What tells the metric from others in this process: function, options, sign.
    """
    holder = predictions if predictions.family is None else predictions.family
    known = holder.work.agreed
    part = None
    for name in predictions.names:
        if (metric, name) in known:
            continue
        kind = _kind_of_data(ready, name, needs, facts)
        if kind is None or kind not in _agreed:
            if part is None:
                kernel, part = _on_fewer_rows(kernel, ready, build)
            found = kernel.scores[part.names.index(name)]
            expected = score(part.y_true, part.outputs[name], part.sample_weight)
            if not np.isclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True):
                known[metric, name] = False
                return False
            if kind is not None:
                if len(_agreed) >= _MOST_KEPT:
                    _agreed.clear()
                _agreed.add(kind)
        known[metric, name] = True
    return all(known[metric, name] for name in predictions.names)


def _on_fewer_rows(
    kernel: Kernel, ready: Predictions, build: Callable[[Predictions], Kernel | None]
) -> tuple[Kernel, Predictions]:
    """The kernel on a sample of very many rows, if there is one."""
    if ready.n_rows <= 2 * _ROWS_TO_CHECK:
        return kernel, ready
    step = ready.n_rows // _ROWS_TO_CHECK
    part = ready.on_rows(np.arange(0, ready.n_rows, step))
    try:
        sampled = build(part)
    except ValueError:  # a class of the options is not among these rows
        sampled = None
    return (kernel, ready) if sampled is None else (sampled, part)


def _kind_of_data(ready: Predictions, name: str, needs: Needs, facts: Any) -> Hashable | None:
    """Return what is the same of all data on which a metric that counts has one definition."""
    metric = _plain(facts)
    if needs not in ("hits", "labels", "scores") or metric is None:
        return None
    truth, output = ready.y_true, ready.outputs[name]
    shapes = (truth.dtype.kind, output.dtype.kind, truth.ndim, output.shape[1:])
    classes: Hashable = None
    if needs == "labels" and truth.ndim == 1:
        classes = _classes(ready, name)
    if needs == "scores":
        classes = bool(((truth == 0) | (truth == 1)).all())
    return (metric, needs, shapes, ready.sample_weight is None, classes)


def _classes(ready: Predictions, name: str) -> Hashable:
    """Which classes come: in the truth only, in the output only, two or more."""
    codes = label_codes(ready)
    true, predicted = codes.used[0], codes.used[1 + ready.names.index(name)]
    both = int((true | predicted).sum())
    return min(both, 3), bool((predicted <= true).all()), bool((true <= predicted).all())


def _plain(value: Any) -> Hashable | None:
    """Write options so that equal ones are equal; None if they cannot be compared."""
    if isinstance(value, np.ndarray):
        return (
            None if value.dtype.hasobject else (value.shape, value.dtype.str, value.tobytes())
        )
    if isinstance(value, dict):
        value = sorted(value.items())
    if isinstance(value, list | tuple):
        parts = tuple(_plain(part) for part in value)
        return None if None in parts else parts
    try:
        hash(value)
    except TypeError:
        return None
    return (type(value), value)
