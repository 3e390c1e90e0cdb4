"""Resampling metrics of predictions against plain loops and SciPy's functions.

The loop draws row numbers, takes the rows of truth and both systems, and calls the
metric of scikit-learn twice; its time is that of a few resamples, scaled up. skstat's
time is that of the whole call from the arrays, coding the rows included.
"""

import time
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats as scipy_stats
from sklearn import metrics as sk

from benchmarks._race import spent
from skstat.metrics import as_metric
from skstat.stats import (
    BinaryScores,
    PairedScores,
    Predictions,
    delong,
    paired_bootstrap,
    paired_permutation,
    sign_flip,
)

N_RESAMPLES = 10_000
SIZES = (1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Case:
    """A metric, the data it needs, and the ratios it should reach at each size."""

    metric: Any
    loop: Callable[[Any, Any], float]
    data: str
    goals: tuple[int, ...]
    test: str = "bootstrap"
    groups: int | None = None


CASES = (
    Case("accuracy", sk.accuracy_score, "labels", (250, 450, 3000)),
    Case("accuracy", sk.accuracy_score, "labels", (250, 450, 3000), "permutation"),
    Case("f1_macro", lambda y, p: sk.f1_score(y, p, average="macro"), "labels",
         (800, 1500, 8000)),
    Case("f1_macro", lambda y, p: sk.f1_score(y, p, average="macro"), "labels",
         (800, 1500, 8000), "permutation"),
    Case("matthews_corrcoef", sk.matthews_corrcoef, "labels", (800, 1500, 8000)),
    Case(sk.cohen_kappa_score, sk.cohen_kappa_score, "labels", (800, 1500, 8000)),
    Case("balanced_accuracy", sk.balanced_accuracy_score, "labels", (400, 800, 4000)),
    Case("roc_auc", sk.roc_auc_score, "scores", (100, 100, 60)),
    Case("average_precision", sk.average_precision_score, "scores", (1, 1, 1)),
    Case("neg_log_loss", sk.log_loss, "probabilities", (200, 60, 60)),
    Case("neg_log_loss", sk.log_loss, "probabilities", (1000, 1000, 1000), "permutation"),
    Case("neg_mean_squared_error", sk.mean_squared_error, "numbers", (20, 5, 5)),
    Case("neg_mean_absolute_error", sk.mean_absolute_error, "numbers", (20, 5, 5)),
    Case("r2", sk.r2_score, "numbers", (40, 10, 6)),
    Case("f1_macro", lambda y, p: sk.f1_score(y, p, average="macro"), "labels",
         (500, 500, 500), groups=20),
)  # fmt: skip


def run() -> Iterator[str]:
    """Yield one line per metric and size."""
    warnings.simplefilter("ignore")
    for case in CASES:
        for n, goal in zip(SIZES, case.goals, strict=True):
            yield _race(case, n, goal)
    yield from _flat()
    yield from _against_scipy()
    yield _delong()
    yield from _delong_with_ties()
    yield from _memory()


def _race(case: Case, n: int, goal: int) -> str:
    y, a, b, groups = _data(case, n)
    theirs = _loop(case, y, a, b, groups)
    ours = _best(lambda: _ours(case, y, a, b, groups), 3)
    name = case.metric if isinstance(case.metric, str) else case.metric.__name__
    what = f"{name} {case.test}" + (", clusters" if groups is not None else "")
    return (
        f"{what:32s} n={n:>6d}  skstat {ours:7.4f} s  loop {theirs:8.1f} s  "
        f"{theirs / ours:7.0f}x (goal {goal}x)"
    )


def _ours(case: Case, y: Any, a: Any, b: Any, groups: Any) -> Any:
    sample = Predictions(y, {"a": a, "b": b}, as_metric(case.metric), groups=groups)
    if case.test == "bootstrap":
        return paired_bootstrap(sample, n_resamples=N_RESAMPLES, rng=0)
    return _permute(sample)


def _permute(sample: Predictions) -> Any:
    """The permutation test alone, without the bootstrap interval beside it."""
    how = {"n_resamples": N_RESAMPLES, "standard_error": "jackknife", "rng": 0}
    return paired_permutation(sample, **how)


def _loop(case: Case, y: Any, a: Any, b: Any, groups: Any) -> float:
    """Seconds of a plain loop of N_RESAMPLES, from a few of them."""
    rng = np.random.default_rng(0)
    n = len(y)
    members = None if groups is None else np.split(np.arange(n), n // case.groups)

    def once() -> None:
        if case.test == "permutation":
            swap = rng.random(n) < 0.5
            case.loop(y, np.where(swap, b, a)), case.loop(y, np.where(swap, a, b))
            return
        if members is None:
            rows = rng.integers(0, n, n)
        else:
            drawn = rng.integers(0, len(members), len(members))
            rows = np.concatenate([members[group] for group in drawn])
        truth = y[rows]
        case.loop(truth, a[rows]), case.loop(truth, b[rows])

    return _best(once, 15 if n < 50_000 else 6) * N_RESAMPLES


def _data(case: Case, n: int) -> tuple[Any, Any, Any, Any]:
    rng = np.random.default_rng(n)
    groups = (
        None if case.groups is None else np.repeat(np.arange(n // case.groups), case.groups)
    )
    y = rng.integers(0, 3, n)
    if case.data == "labels":
        noise = rng.integers(0, 3, n)
        return y, *(np.where(rng.random(n) < p, y, noise) for p in (0.8, 0.78)), groups
    y = (y > 0).astype(int)
    if case.data == "scores":
        return y, y + rng.normal(size=n), y + 1.1 * rng.normal(size=n), groups
    if case.data == "probabilities":
        odds = [2 * y - 1 + s * rng.normal(size=n) for s in (1.0, 1.1)]
        return y, *(1 / (1 + np.exp(-o)) for o in odds), groups
    truth = rng.normal(size=n)
    return truth, truth + rng.normal(size=n), truth + 1.1 * rng.normal(size=n), groups


def _flat() -> Iterator[str]:
    """Resampling alone, of rows that are coded already: its cost should not depend on n."""
    for metric in ("accuracy", "f1_macro", "balanced_accuracy"):
        times = []
        for n in SIZES:
            y, a, b, _ = _data(Case(metric, sk.accuracy_score, "labels", ()), n)
            sample = Predictions(y, {"a": a, "b": b}, as_metric(metric))
            sample.kernel.scores  # noqa: B018  codes the rows
            ready = lambda s=sample: paired_bootstrap(s, n_resamples=N_RESAMPLES, rng=0)  # noqa: E731
            times.append(_best(ready, 7))
        yield (
            f"{metric}: resampling alone at n = 1k, 10k, 100k: "
            + ", ".join(f"{1000 * t:.1f} ms" for t in times)
            + f"; 100k over 1k {times[-1] / times[0]:.2f} (goal below 2)"
        )


def _against_scipy() -> Iterator[str]:
    """SciPy's vectorised functions on differences of per-row losses."""
    rng = np.random.default_rng(0)
    for n in (1_000, 10_000):
        d = rng.normal(0.02, 1, n)
        sample = PairedScores(d, np.zeros(n), unit="instance")
        ours = _best(lambda s=sample: sign_flip(s, n_resamples=N_RESAMPLES, rng=0), 5)
        theirs = 10 * _best(
            lambda x=d: scipy_stats.permutation_test(
                (x,), lambda v, axis: np.mean(v, axis=axis), permutation_type="samples",
                vectorized=True, n_resamples=N_RESAMPLES // 10, batch=250, rng=0,
            ), 2,
        )  # fmt: skip
        yield _line(f"sign flips, n={n}", ours, theirs)
        y, a = np.zeros(n), d
        pair = Predictions(y, {"a": a, "b": a[::-1]}, as_metric("neg_mean_squared_error"))
        pair.kernel.scores  # noqa: B018
        ours = _best(lambda p=pair: paired_bootstrap(p, n_resamples=N_RESAMPLES, rng=0), 5)
        theirs = 10 * _best(
            lambda x=d**2: scipy_stats.bootstrap(
                (x,), np.mean, vectorized=True, n_resamples=N_RESAMPLES // 10, batch=250,
                method="percentile", rng=0,
            ), 2,
        )  # fmt: skip
        yield _line(f"bootstrap of a mean, n={n}", ours, theirs)


def _line(what: str, ours: float, theirs: float) -> str:
    return f"{what}: skstat {ours:.4f} s, scipy {theirs:.2f} s, {theirs / ours:.1f}x"


def _delong() -> str:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1_000_000)
    scores = {"a": y + rng.normal(size=len(y)), "b": y + rng.normal(size=len(y))}
    seconds = _best(lambda: delong(BinaryScores.from_scores(y, scores)), 3)
    return f"DeLong, n = 10^6: {seconds:.2f} s (goal below 1 s)"


def _delong_with_ties() -> Iterator[str]:
    """DeLong's test against sorting both systems' scores, the fewer digits the more ties."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 1_000_000)
    noise = {name: y + rng.normal(size=len(y)) for name in "ab"}
    for digits in (1, 2, 4):
        scores = {name: np.round(column, digits) for name, column in noise.items()}
        ours, sorts = spent(
            lambda scores=scores: delong(BinaryScores.from_scores(y, scores)),
            lambda scores=scores: [np.argsort(column) for column in scores.values()],
        )
        yield (
            f"DeLong, n = 10^6, scores of {digits} digits, against two argsorts: "
            f"{ours.against(sorts)} (goal 3.5)"
        )


def _memory() -> Iterator[str]:
    """Peak of what is allocated beside the data, at a million rows."""
    n = 1_000_000
    for metric, data in (("f1_macro", "labels"), ("roc_auc", "scores"), ("r2", "numbers")):
        case = Case(metric, sk.accuracy_score, data, ())
        y, a, b, groups = _data(case, n)
        for n_resamples in (20, 60):
            sample = Predictions(y, {"a": a, "b": b}, as_metric(metric), groups=groups)
            tracemalloc.start()
            paired_bootstrap(sample, n_resamples=n_resamples, rng=0)
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            yield (
                f"{metric}, n = 10^6, {n_resamples} resamples: peak {peak:.0f} MB "
                "(goal below 200 MB)"
            )


def _best(function: Callable[[], Any], rounds: int) -> float:
    function()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)
