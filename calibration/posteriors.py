"""What are probabilities worth? ``python -m calibration.posteriors``.

Two systems that are equally good, and err in unlike ways, are compared again and again. Counted
is how often the credible interval of 95 % holds the truth, and how often a decision at 0.95
names a better one with ``rope=0``: one in ten, if probabilities were one-sided p-values. Beside
it, on the same data, how often the test rejects at 0.05 and at 0.10.

*Border*: the difference is as large as the region, where "practically the same" and "better"
are both false, and how often each of them has 0.95.
"""

import argparse
import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from calibration.laws import Gauss
from calibration.learners import Discriminant, NaiveBayes, Neighbour
from calibration.unlike import Unlike
from skstat import stats
from skstat.metrics import as_metric
from skstat.stats import _chance as tails

FILE = Path(__file__).with_suffix(".json")
PROBABLE = 0.95
N_DRAWS = 1999
# How often: without draws, with them, and with Markov chains.
TIMES, DRAWN_TIMES, CHAIN_TIMES = 4000, 1000, 200
# Shares of rows on which only A, and only B, is right.
TABLES = {"often": 0.1, "rarely": 0.02}
RIGHT_ROWS = (30, 100, 500)
UNLIKE = (
    Unlike(metric="balanced_accuracy", n=50, positives=25),
    Unlike(metric="balanced_accuracy", n=200, positives=20),
    Unlike(metric="f1", n=50, positives=25),
    Unlike(metric="precision", n=200, positives=100),
    Unlike(metric="r2", n=50),
    Unlike(metric="r2", n=200),
    Unlike(metric="roc_auc", n=50, positives=5),
    Unlike(metric="roc_auc", n=200, positives=10),
    Unlike(metric="roc_auc", n=200, positives=20),
    Unlike(metric="roc_auc", n=200, positives=100),
)
GROUPS = (10, 25)
DATASETS = (10, 30)
N_ROWS = 200
PAIRS = {
    "naive Bayes, 1-NN": (NaiveBayes(), Neighbour(), 0.5, 0.62),
    "LDA, 1-NN": (Discriminant(), Neighbour(), 0.5, 0.55),
}
LARGER = Gauss(n_features=10, delta=0.5)

Found = dict[str, float]


def right_and_wrong(kind: str, n: int) -> Found:
    """Right and wrong answers on n rows."""
    share = TABLES[kind]
    rng = np.random.default_rng([n, len(kind)])
    found = _none(TIMES)
    for _ in range(TIMES):
        counts = rng.multinomial(n, [0.7 - share, share, share, 0.3 - share])
        table = stats.AgreementTable(*counts.tolist())
        _read(found, stats.agreement_posterior(table), stats.mcnemar(table).pvalue)
    return found


def border(n: int) -> Found:
    """Right and wrong answers where the difference is as large as the region."""
    rng, rope = np.random.default_rng([n, 99]), 0.05
    found = {"times": TIMES, "same": 0, "better": 0, "equivalent": 0}
    for _ in range(TIMES):
        table = stats.AgreementTable(*rng.multinomial(n, [0.6, 0.15, 0.1, 0.15]).tolist())
        read = stats.agreement_posterior(table, rope).probabilities
        found["same"] += read.same >= PROBABLE
        found["better"] += read.better >= PROBABLE
        found["equivalent"] += stats.equivalence(stats.mcnemar(table), rope).equivalent(0.05)
    return found


def any_metric(setting: Unlike) -> Found:
    """Any metric of unlike systems, by the Bayesian bootstrap."""
    found = _none(DRAWN_TIMES)
    for number in range(DRAWN_TIMES):
        rng = np.random.default_rng([number, setting.n, len(setting.metric)])
        y, outputs = setting.draw(rng)
        sample = stats.Predictions(y, outputs, as_metric(setting.metric))
        _ask_bootstrap(found, sample, number)
    return found


def groups(n: int) -> Found:
    """Rows in groups that are right together."""
    found = _none(DRAWN_TIMES)
    of_row = np.repeat(np.arange(n), 8)
    for number in range(DRAWN_TIMES):
        rng = np.random.default_rng([number, n, 8])
        chances = rng.beta(2, 1, size=(2, n))[:, of_row]
        right_a, right_b = (rng.random(chances.shape) < chances).astype(int)
        y = np.ones(len(of_row), dtype=int)
        sample = stats.Predictions(
            y, {"A": right_a, "B": right_b}, as_metric("accuracy"), groups=of_row
        )
        _ask_bootstrap(found, sample, number)
    return found


def _ask_bootstrap(found: Found, sample: stats.Predictions, seed: int) -> None:
    read = stats.bootstrap_posterior(sample, n_draws=N_DRAWS, rng=seed)
    tested = stats.paired_permutation(sample, n_resamples=N_DRAWS, rng=seed)
    _read(found, read, tested.pvalue)


def splits(name: str, test: str) -> Found:
    """Two unlike learners on the same splits; the truth is the mean of all estimates."""
    first, second, delta_a, delta_b = PAIRS[name]
    read = []
    for number in range(DRAWN_TIMES):
        rng = np.random.default_rng([number, len(name)])
        y, noise = LARGER.draw(rng, N_ROWS)
        a = replace(LARGER, delta=delta_a).at(noise[0], y)
        b = replace(LARGER, delta=delta_b).at(noise[1], y)
        ask = _projected if test == "projection_t" else _corrected
        read.append(ask(first, second, a, b, y, int(rng.integers(2**31))))
    truth = float(np.mean([each.estimate for each in read]))
    found = _none(DRAWN_TIMES)
    for each in read:
        difference = each.estimate - truth
        better = float(tails.t_sf(-difference / each.spread, each.df))
        moved = each.probabilities._replace(better=better, worse=1 - better)
        about = replace(each, estimate=difference, probabilities=moved)
        _read(found, about, 2 * min(better, 1 - better))
    return found


def _corrected(first: Any, second: Any, a: Any, b: Any, y: Any, seed: int) -> Any:
    folds = list(
        RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=seed).split(a, y)
    )
    weights = np.array([np.bincount(train, minlength=len(y)) for train, _ in folds], float)
    right = _right(first, a, y, weights), _right(second, b, y, weights)
    scores = [
        [hits[place, test].mean() for place, (_, test) in enumerate(folds)] for hits in right
    ]
    return stats.posterior(stats.corrected_t(stats.PairedScores(*scores, n_repeats=10)))


def _projected(first: Any, second: Any, a: Any, b: Any, y: Any, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    halves = np.array([rng.permutation(len(y)) % 2 for _ in range(15)])
    weights = np.concatenate([[row == 1, row == 0] for row in halves]).astype(float)
    scores = []
    for learner, X in ((first, a), (second, b)):
        hits = _right(learner, X, y, weights).reshape(15, 2, -1)
        scores.append(np.where(halves == 0, hits[:, 0], hits[:, 1]).astype(float))
    sample = stats.PairedScores.from_row_scores(*scores, halves)
    return stats.posterior(stats.projection_t(sample))


def _right(learner: Any, X: Any, y: Any, weights: Any) -> Any:
    return learner.fit(X, y, weights).predict(X) == (y == 1)


def datasets(n: int, kind: str) -> Found:
    """Means over data sets whose differences are heavy-tailed about 0."""
    found = _none(DRAWN_TIMES)
    posterior, test = {
        "sign": (lambda s, seed: stats.sign_posterior(s), stats.sign),
        "signed rank": (
            lambda s, seed: stats.signed_rank_posterior(s, n_draws=N_DRAWS, rng=seed),
            stats.wilcoxon,
        ),
    }[kind]
    for number in range(DRAWN_TIMES):
        rng = np.random.default_rng([number, n, 3])
        sample = stats.PairedScores(rng.standard_t(3, n), np.zeros(n), unit="dataset")
        _read(found, posterior(sample, number), test(sample).pvalue)
    del found["covered"]  # there is no interval
    return found


def hierarchical(n: int) -> Found:
    """Folds on data sets whose differences are heavy-tailed about 0."""
    found = _none(CHAIN_TIMES)
    found["most often"] = 0
    for number in range(CHAIN_TIMES):
        rng = np.random.default_rng([number, n, 4])
        means = 0.01 * rng.standard_t(5, n)
        samples = {}
        for place, mean in enumerate(means):
            common, own = rng.standard_normal(1), rng.standard_normal(10)
            errors = 0.03 * (math.sqrt(0.1) * common + math.sqrt(0.9) * own)
            samples[str(place)] = stats.PairedScores(mean + errors, np.zeros(10), n_repeats=1)
        read = stats.hierarchical_posterior(
            stats.DatasetSplits(samples), n_chains=4, n_draws=1000, rng=number
        )
        over = stats.PairedScores(
            [float(each.differences.mean()) for each in samples.values()],
            [0.0] * n,
            unit="dataset",
        )
        _read(found, read, stats.wilcoxon(over).pvalue)
        found["most often"] += max(read.expected.better, read.expected.worse) >= PROBABLE
    return found


def _none(times: int) -> Found:
    return dict.fromkeys(("covered", "named", "rejected at .05", "rejected at .10"), 0) | {
        "times": times
    }


def _read(found: Found, read: stats.Posterior, pvalue: float) -> None:
    """Count what one data set shows of systems that are equally good."""
    if hasattr(read, "credible_interval"):
        low, high = read.credible_interval()
        found["covered"] += low <= 0 <= high
    found["named"] += max(read.probabilities.better, read.probabilities.worse) >= PROBABLE
    found["rejected at .05"] += pvalue < 0.05
    found["rejected at .10"] += pvalue < 0.10


def cells() -> dict[str, Callable[[], Found]]:
    """All that is counted, by name."""
    found: dict[str, Callable[[], Found]] = {}
    for kind in TABLES:
        for n in RIGHT_ROWS:
            found[f"accuracy, {n} rows, {kind}"] = lambda k=kind, n=n: right_and_wrong(k, n)
    for n in (100, 500):
        found[f"border, {n} rows"] = lambda n=n: border(n)
    for setting in UNLIKE:
        found[setting.name] = lambda s=setting: any_metric(s)
    for n in GROUPS:
        found[f"accuracy, {n} groups of 8"] = lambda n=n: groups(n)
    for name in PAIRS:
        for test in ("corrected_t", "projection_t"):
            found[f"{name}, {test}"] = lambda name=name, test=test: splits(name, test)
    for n in DATASETS:
        for kind in ("sign", "signed rank"):
            found[f"{kind}, {n} data sets"] = lambda n=n, kind=kind: datasets(n, kind)
    found["hierarchical, 10 data sets"] = lambda: hierarchical(10)
    return found


def main() -> None:
    """Read the command line, and count."""
    parser = argparse.ArgumentParser(prog="python -m calibration.posteriors")
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    asked = parser.parse_args()
    for name, count in cells().items():
        if asked.setting in name:
            counted = {key: int(value) for key, value in count().items()}
            known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
            known[name] = counted
            text = json.dumps(known, indent=1, sort_keys=True)
            FILE.write_text(text + "\n", encoding="utf-8")
            print(name, counted, flush=True)


if __name__ == "__main__":
    main()
