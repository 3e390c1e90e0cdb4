"""The contracts that every procedure and display is held to.

Tests of your own procedure can call them: a function from a sample to an outcome that
passes :func:`check_procedure` works with every front door.
"""

import dataclasses
import json
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from skstat.stats import Comparison, DependenceWarning, PairedScores

HOSTILE = "<script>alert('&')</script></table> $x_1$ \\input{x} | `a` \u202eabc"

Procedure = Callable[..., Comparison]


def check_procedure(procedure: Procedure, sample: PairedScores) -> None:
    """Check that a procedure gives a complete and consistent outcome.

    Parameters
    ----------
    procedure : callable
        A function from a sample, with the keyword `alternative`, to an outcome.
    sample : PairedScores
        Scores that the procedure is valid for and that differ.

    Raises
    ------
    AssertionError
        If the contract is broken; the message says where.

    Examples
    --------
    >>> from skstat.stats import PairedScores, paired_t
    >>> from skstat.testing import check_procedure
    >>> sample = PairedScores([3.0, 2.5, 4.0, 3.1], [1.0, 2.0, 1.0, 2.2], unit="seed")
    >>> check_procedure(paired_t, sample)
    """
    outcome = _run(procedure, sample)
    assert isinstance(outcome, Comparison), "the result must be a Comparison"
    for name in ("test", "estimand", "null_hypothesis", "statistic_name"):
        assert getattr(outcome, name), f"{name} must say something"
    assert outcome.assumptions, "assumptions must be stated"
    assert outcome.effect_sizes, "effect sizes must be given"
    assert outcome.alternative == "two-sided", "two-sided must be the default"
    assert 0 <= outcome.pvalue <= 1, f"pvalue {outcome.pvalue} is not a probability"
    _check_intervals(outcome)
    _check_swap(procedure, sample, outcome)
    _check_identical(procedure, sample)
    _check_alternatives(procedure, sample)
    state = json.loads(json.dumps(outcome.to_dict(), allow_nan=False))
    restored = Comparison.from_dict(state)
    assert type(restored) is type(outcome), "from_dict changes the type"
    assert restored.to_dict() == outcome.to_dict(), "to_dict loses something"
    assert restored.pvalue == outcome.pvalue, "from_dict changes the p-value"
    assert restored.confidence_interval(0.9) == outcome.confidence_interval(0.9), (
        "from_dict changes the interval"
    )


def check_display(display: Any) -> None:
    """Check that a display draws, keeps what it drew, and draws where it is told.

    Parameters
    ----------
    display : object with a method ``plot(ax=None)``
        The display.

    Raises
    ------
    AssertionError
        If the contract is broken; the message says where.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> from skstat.testing import check_display
    >>> scores = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    >>> check_display(compare_scores(scores, n_train=60, n_test=30).plot())
    """
    import matplotlib.pyplot as plt

    assert display.plot() is display, "plot must return the display"
    assert display.figure_ is display.ax_.figure, "figure_ must be the figure of ax_"
    assert display.ax_.get_xlabel(), "the axis must be labelled"
    figure, ax = plt.subplots()
    display.plot(ax=ax)
    assert display.ax_ is ax and display.figure_ is figure, "plot must draw on the given ax"
    figure.canvas.draw()
    plt.close(figure)


def _run(procedure: Procedure, sample: PairedScores, **options: Any) -> Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DependenceWarning)
        return procedure(sample, **options)


def _check_intervals(outcome: Comparison) -> None:
    narrow, wide = outcome.confidence_interval(0.8), outcome.confidence_interval(0.95)
    if not math.isnan(narrow.low):
        assert wide.low <= narrow.low <= narrow.high <= wide.high, (
            "the interval must widen with the level"
        )
        assert narrow.low <= outcome.estimate <= narrow.high, (
            "the interval must contain the estimate"
        )
    for level in (0, 1, 95):
        try:
            outcome.confidence_interval(level)
        except ValueError:
            continue
        raise AssertionError(f"confidence_level={level} must be refused")


def _check_swap(procedure: Procedure, sample: PairedScores, outcome: Comparison) -> None:
    # Drawn procedures are exact here only if they repeat their draws.
    swapped = _run(procedure, _pair(sample, 1, 0))
    if outcome.seed is not None:
        return
    assert swapped.estimate == -outcome.estimate, "swapping A and B must flip the estimate"
    assert swapped.pvalue == outcome.pvalue, "swapping A and B must keep the p-value"
    interval, mirrored = outcome.confidence_interval(), swapped.confidence_interval()
    if not math.isnan(interval.low):
        assert (-interval.high, -interval.low) == mirrored, (
            "swapping A and B must mirror the interval"
        )
    turned = outcome.turned()
    found, expected = (
        [o.estimate, o.pvalue, o.statistic, *o.confidence_interval()]
        + [o.effect_sizes[name] for name in swapped.effect_sizes]
        for o in (turned, swapped)
    )
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True), (
        "turned() must give what swapping A and B gives: name the fields that change sign in "
        "_signed"
    )


def _check_identical(procedure: Procedure, sample: PairedScores) -> None:
    outcome = _run(procedure, _pair(sample, 0, 0))
    assert outcome.pvalue == 1, "identical scores must give p = 1"
    assert outcome.estimate == 0, "identical scores must give an estimate of 0"
    assert not math.isnan(outcome.statistic), "identical scores must give a statistic"


def _check_alternatives(procedure: Procedure, sample: PairedScores) -> None:
    try:
        _run(procedure, sample, alternative="bigger")
    except ValueError as error:
        assert "alternative" in str(error), "the error must name alternative"
    else:
        raise AssertionError("an unknown alternative must be refused")


def _pair(sample: PairedScores, first: int, second: int) -> PairedScores:
    """Return a sample of A (0) or B (1) against either of them, with all that is known."""
    scores = (sample.a, sample.b)
    known: dict[str, Any] = {"a": scores[first], "b": scores[second]}
    if sample.rows is not None:
        known |= {"rows": sample.rows.of([first, second]), "variance": None}
    return dataclasses.replace(sample, **known)
