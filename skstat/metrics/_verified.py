"""Whether a formula scores as the metric does: the metric is called once for each system.

Another release of scikit-learn may define a metric otherwise, and then its formula is not
used. That is looked up once: a system that was verified among others is not verified again in
each of its pairs.
"""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from skstat.stats import Kernel, Predictions

# The metric is called on so many rows once, to see that a formula agrees.
_ROWS_TO_CHECK = 2_000


def agrees(
    kernel: Kernel,
    predictions: Predictions,
    ready: Predictions,
    *,
    build: Callable[[Predictions], Kernel | None],
    score: Callable[[Any, Any, Any], float],
    metric: Hashable,
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
    """
    holder = predictions if predictions.family is None else predictions.family
    known = holder.work.agreed
    left = [name for name in predictions.names if (metric, name) not in known]
    if left:
        kernel, part = _on_fewer_rows(kernel, ready, build)
    for name in left:
        found = kernel.scores[part.names.index(name)]
        expected = score(part.y_true, part.outputs[name], part.sample_weight)
        same = np.isclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True)
        known[metric, name] = bool(same)
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
