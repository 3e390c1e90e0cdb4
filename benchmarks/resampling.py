"""What resampling takes beside the loop people write, SciPy, and what needs no draws.

Times are CPU times of one run, with wall times beside them; those of the loop, and of draws
at a million rows, are of a few resamples, scaled up. A swap starts from the arrays, coding the
rows included.
"""

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import stats as scipy_stats
from sklearn import metrics as sk

from benchmarks._race import spent
from skstat.metrics import as_metric
from skstat.stats import Predictions, paired_bootstrap, paired_permutation

N_RESAMPLES = 10_000


def run() -> Iterator[str]:
    """Yield one line per way of resampling."""
    warnings.simplefilter("ignore")
    for n in (1_000, 10_000):
        yield _swaps("neg_log_loss", sk.log_loss, *_probabilities(n))
        yield _swaps("f1_macro", _macro_f1, *_labels(n))
    yield from _bootstrap_of_a_mean(1_000)
    yield from _without_draws(1_000_000)


def _swaps(metric: str, loop: Callable[[Any, Any], Any], y: Any, a: Any, b: Any) -> str:
    rng = np.random.default_rng(0)

    def once() -> None:
        swap = rng.random(len(y)) < 0.5
        loop(y, np.where(swap, b, a)), loop(y, np.where(swap, a, b))

    def ours() -> None:
        sample = Predictions(y, {"a": a, "b": b}, as_metric(metric))
        paired_permutation(sample, n_resamples=N_RESAMPLES, rng=0)

    theirs = N_RESAMPLES * _seconds(once, 15)
    what = f"swaps of {metric}, n = {len(y)}"
    return _line(what, _seconds(ours, 5), theirs, "the loop", 1000)


def _bootstrap_of_a_mean(n: int) -> Iterator[str]:
    y, a, b = _numbers(n)
    sample = Predictions(y, {"a": a, "b": b}, as_metric("neg_mean_squared_error"))
    sample.kernel.scores  # noqa: B018  codes the rows
    losses = (y - a) ** 2
    ours = _seconds(lambda: paired_bootstrap(sample, n_resamples=N_RESAMPLES, rng=0), 7)
    theirs = _seconds(
        lambda: scipy_stats.bootstrap(
            (losses,), np.mean, vectorized=True, n_resamples=N_RESAMPLES, batch=250,
            method="percentile", rng=0,
        ), 3,
    )  # fmt: skip
    default = _seconds(lambda: paired_bootstrap(sample).confidence_interval(), 7)
    for how, seconds in (("drawn", ours), ("by default", default)):
        yield _line(f"bootstrap of a mean, n = {n}, {how}", seconds, theirs, "SciPy", 1.4)


def _without_draws(n: int) -> Iterator[str]:
    y, a, b = _numbers(n)
    sample = Predictions(y, {"a": a, "b": b}, as_metric("neg_mean_squared_error"))
    sample.kernel.scores  # noqa: B018  codes the rows
    few = 200  # the time of draws is in proportion to their number
    for name, procedure in (
        ("permutation p", paired_permutation),
        ("bootstrap limits", paired_bootstrap),
    ):
        ours = _seconds(lambda p=procedure: p(sample).confidence_interval(), 5)
        drawn = _seconds(lambda p=procedure: p(sample, n_resamples=few, rng=0), 1)
        what = f"{name} of a mean by saddlepoint, n = {n}"
        theirs = drawn * N_RESAMPLES / few
        yield _line(what, ours, theirs, f"{N_RESAMPLES} draws", 200)


def _line(what: str, ours: Any, theirs: Any, whose: str, goal: float) -> str:
    (cpu, wall), (their_cpu, their_wall) = ours, theirs
    return (
        f"{what:54s} skstat {cpu:7.4f} s CPU, {wall:7.4f} s   {whose} {their_cpu:6.2f} s CPU, "
        f"{their_wall:6.2f} s   {their_cpu / cpu:6.1f}x (goal {goal}x)"
    )


def _seconds(way: Callable[[], object], rounds: int) -> np.ndarray:
    """CPU and wall time as an array, which can be scaled up."""
    (best,) = spent(way, rounds=rounds)
    return np.array(best)


def _macro_f1(y: Any, p: Any) -> Any:
    return sk.f1_score(y, p, average="macro")


def _labels(n: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(n)
    y, noise = rng.integers(0, 3, n), rng.integers(0, 3, n)
    return y, *(np.where(rng.random(n) < right, y, noise) for right in (0.8, 0.78))


def _probabilities(n: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(n)
    y = rng.integers(0, 2, n)
    odds = [2 * y - 1 + size * rng.normal(size=n) for size in (1.0, 1.1)]
    return y, *(1 / (1 + np.exp(-o)) for o in odds)


def _numbers(n: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(n)
    y = rng.normal(size=n)
    return y, y + rng.normal(size=n), y + 1.001 * rng.normal(size=n)
