"""What is asked rarely: one setting of a door, files with peculiarities, a run that stops."""

import json
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.metrics import (
    accuracy_score,
    make_scorer,
    mean_pinball_loss,
    mean_poisson_deviance,
    mean_squared_log_error,
)
from sklearn.model_selection import RepeatedStratifiedKFold

import skstat
from tools.net.adapter import of_result, words
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.fits import FOLDS, GROUPS, NUMBERS, TARGET, TWO, Threshold, X, Y
from tools.net.cases.forms import reports
from tools.net.cases.logs import LOGS, in_folder, lines

NAMES = (
    "error", "not_error", "non_error", "no_loss", "not accuracy", "non-toxicity", "anti_bias",
    "fewer_errors", "not_failed", "failures avoided", "accuracy_loss", "without errors",
    "time_to_failure", "cost", "cost_sensitive_accuracy", "neg_error", "score", "p_value",
    "gain over baseline", "1 - accuracy", "false positives", "tokens_per_second", "test_score",
)  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield the cases."""
    yield case("what names of metrics say", _ways)
    yield from _metrics()
    yield from _checks()
    yield from _files()
    yield case("a run that is stopped", _stopped)
    yield case("scores that are not always there", skstat.compare_estimators, TWO, X, Y,
               cv=FOLDS, scoring=_at_times)  # fmt: skip
    yield case("a table against constants", _against_constants)
    yield case("a table of two against a constant", _tabled_constant)
    yield case("few rows, performance", skstat.estimate_performance, TWO["new"], X[:20], Y[:20])
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
    yield case("class shares held fixed", skstat.compare_estimators, TWO, X, Y, cv=folds,
               scoring="f1")  # fmt: skip
    yield case("a plan from what is not valid twice", _planned_from_invalid)
    column = data.scores(1, 60)["new"]
    tied = {"first": column, "second": column[::-1], "third": column - 1 / 64}
    yield case("two leaders", skstat.rank_systems, tied, unit="instance", n_resamples=499)
    yield case("against a constant", skstat.compare_to_baseline, TWO["new"], X, Y,
               strategy=0.6, scoring="accuracy")  # fmt: skip
    runs = data.labels(4, 60)
    for n_seeds in ((2, 2), (1, 2), (3, 2)):
        yield case(f"seeds, {n_seeds} of 4 runs", _of_seeds, *runs, n_seeds)
    a, b = data.scores(2, 14).values()
    sets = skstat.stats.PairedScores(a, b, unit="dataset")
    for strength in (0, 4):
        yield case(f"a prior of strength {strength}", _of_prior, sets, strength)
    yield case("what a run keeps", _of_run)
    yield case("groups in another order", _of_groups, needs="pandas")
    yield case("costs of groups", skstat.compare_scores, data.scores(2, 60), unit="instance",
               group=data.groups(60), test="cost")  # fmt: skip
    truth, labels = data.labels(2, 400)
    kinds = np.array(["a", "b", "c"])[np.random.default_rng(5).integers(0, 3, 400)]
    labels["new"] = np.where(kinds == "a", truth, labels["new"])
    labels["old"] = np.where(kinds == "a", labels["old"], truth)
    yield case("slices that have not a label", skstat.find_slices, {"kind": kinds}, truth,
               labels, metric="accuracy", n_resamples=499)  # fmt: skip
    yield case("kept fits by scorers that are alike", _alike)
    yield case("paired seeds of rows", skstat.compare_scores, data.scores(2, 60),
               unit="instance", paired_seeds=True)  # fmt: skip
    yield case("intervals of other levels", _levels)
    for what, asked in {
        "few fits": {"holds": "estimators", "budget": 5},
        "many fits": {"holds": "estimators", "budget": 400},
    }.items():
        yield case(f"recommend, {what}", skstat.recommend_test, **asked)
    learners = {"holds": "estimators", "metric": "accuracy", "sd": 0.4, "margin": 0.05}
    yield case("plan, estimators, a margin", skstat.plan_comparison, **learners)
    yield case("plan, estimators, a margin and a difference", skstat.plan_comparison,
               difference=0.01, **learners)  # fmt: skip
    unlike = {"holds": "estimators", "metric": "accuracy", "discordant": 0.2, "margin": 0.05}
    yield case("plan, estimators that differ, a margin", skstat.plan_comparison,
               difference=0.02, **unlike)  # fmt: skip
    yield case("titles of reports", _titles)
    table = {"group": "user", "groups": np.arange(40) // 4, "unit": "instance"}
    yield case("groups told twice", skstat.compare_scores, data.scores(2, 40), **table)


def _against_constants() -> str:
    report = skstat.compare_to_baseline(
        TWO["new"], X, Y, strategy=["most_frequent", 0.6], scoring="accuracy", random_state=0,
        verbose=False,
    )  # fmt: skip
    return str(report.summary_table())


def _tabled_constant() -> str:
    one = {"new": data.scores(2, 20)["new"]}
    return str(skstat.compare_scores(one, constant=0.7, unit="seed").summary_table())


def _planned_from_invalid() -> Any:
    report = skstat.compare_estimators(
        TWO, X, Y, cv=FOLDS, groups=GROUPS, test="wilcoxon", random_state=0, verbose=False
    )
    return report.plan(difference=0.1)


def _of_groups() -> list[float]:
    """Group scores whose groups are told by the names of the rows, not by their order."""
    import pandas as pd

    a, b = (pd.Series(column) for column in data.scores(2, 12).values())
    groups = pd.Series(data.groups(12)).sample(frac=1, random_state=0)
    sample = skstat.stats.PairedScores(a, b, groups=groups)
    return sample.per_group().differences.tolist()


def _of_prior(sample: Any, strength: float) -> list[float]:
    found = skstat.stats.sign_posterior(sample, 0.01, strength=strength)
    return list(found.probabilities)


def _of_seeds(truth: Any, labels: Any, n_seeds: tuple[int, int]) -> str:
    runs = skstat.stats.Predictions(truth, labels, accuracy_score)
    seeds = dict(zip("ab", n_seeds, strict=True))
    return str(skstat.stats.SeedScores.of_runs(runs, seeds).n_seeds)


def _titles() -> dict[str, str]:
    return {name: ask().to_dict()["title"] for name, ask in reports().items()}


def _of_run() -> dict[str, Any]:
    told = {}
    for what, learners, target, scoring in (
        ("labels", TWO, Y, "accuracy"),
        ("numbers", NUMBERS, TARGET, "neg_mean_absolute_error"),
    ):
        run = skstat.paired_cross_validate(
            learners, X, target, cv=FOLDS if what == "labels" else 12, scoring=scoring,
            random_state=0, verbose=False, return_predictions=True,
        )  # fmt: skip
        sample = run.instance_sample("new", "old")
        told[f"{what}, rows"] = None if sample is None else sample.a[:12].tolist()
        told[f"{what}, spread"] = run.split_spread("new", "old")
    return told


def _ways() -> dict[str, Any]:
    """Which of two is better where only the name of the metric says it."""
    told = {}
    for name in NAMES:
        scores = data.scores(2, 12)
        report = skstat.compare_scores(scores, unit="seed", scoring=name)
        told[name] = f"{report.better} {report.lower} {report.direction_assumed}"
    return told


def _metrics() -> Iterator[Case]:
    truth, found = data.numbers(2, 120)
    losses = {
        "pinball": make_scorer(mean_pinball_loss, greater_is_better=False, alpha=0.75),
        "poisson": make_scorer(mean_poisson_deviance, greater_is_better=False),
        "squared log": make_scorer(mean_squared_log_error, greater_is_better=False),
    }
    for name, scorer in losses.items():
        yield case(f"numbers by {name}", skstat.compare_predictions, truth, found,
                   metric=scorer)  # fmt: skip
    far = {"order": np.arange(120), "horizon": 24, "metric": "neg_mean_absolute_error"}
    yield case("24 ahead", skstat.compare_predictions, truth, found, **far)
    blocks = {"test": "paired_bootstrap", "n_resamples": 499, **far}
    yield case("24 ahead, in blocks", skstat.compare_predictions, truth, found, **blocks)
    three = data.labels(2, 160, classes=3)
    for metric in ("f1_macro", "recall_macro"):
        yield case(f"{metric} of two classes", skstat.compare_predictions, *three,
                   metric=metric, labels=[2, 0])  # fmt: skip


def _checks() -> Iterator[Case]:
    few = {"n_experiments": 12}
    for what, options in {
        "in time": {"time_limit": 1e6, "fraction": 0.5},
        "in no time": {"time_limit": 0},
        "of too many rows": {"fraction": 0.7},
        "of too many cells": {"replaced": 1.5},
    }.items():
        yield case(f"check, {what}", skstat.check_test, TWO["new"], X, Y, **few, **options)


def _files() -> Iterator[Case]:
    def compared():
        return skstat.compare_scores(skstat.io.read_results("x.csv"), random_state=0)

    right = data.answers(2, 40)
    for what, size in {"counts": 1, "sizes": 4}.items():
        rows = [
            (name, f"q{i}", (i + place) % 7 / size, one)
            for place, (name, column) in enumerate(right.items())
            for i, one in enumerate(column)
        ]
        text = lines("model,question_id,n_words,correct", rows)
        yield case(f"a column of {what}", in_folder, {"x.csv": text}, compared)
    long = [(name, f"q{i}", one) for name in right for i, one in enumerate(right[name])]
    pages = lines("model,question_id,correct", long)

    def planned():
        return compared().plan(difference=0.1)

    yield case("a plan in questions", in_folder, {"x.csv": pages}, planned)
    missing = lines("model,question_id,correct", [(*long[0][:2], ""), *long[1:]])
    yield case("an empty cell", in_folder, {"x.csv": missing}, compared)
    scores = data.scores(2, 20)
    for what, version in {"alike": 1, "asked in two ways": 2}.items():
        tasks = _inspect_logs(version)
        yield case(f"tasks of inspect, {what}", in_folder, tasks,
                   partial(skstat.io.read_results, "logs"))  # fmt: skip
    runs = {
        f"{name}.txt": "".join(
            f"{measure:<22}\t{300 + i}\t{one:.4f}\n"
            for i, one in enumerate(column)
            for measure in ("success_5", "recip_rank")
        )
        for name, column in scores.items()
    }

    def retrieved():
        read = skstat.io.read_results(["new.txt", "old.txt"])
        return skstat.compare_scores(read, score="success_5", random_state=0)

    yield case("a run of trec_eval without means", in_folder, runs, retrieved)
    for what, (first, second) in {"both": (0, 0), "one": (0, 3)}.items():
        some = {
            "new.txt": _trec("new", scores["new"][: 20 - first], 22),
            "old.txt": _trec("old", scores["old"][: 20 - second], 22),
        }
        yield case(f"topics that {what} left out", in_folder, some,
                   partial(skstat.io.read_results, ["new.txt", "old.txt"]))  # fmt: skip


def _trec(name: str, values: Any, n: int) -> str:
    """Lines of some topics, and means over more."""
    rows = [("map", 300 + i, f"{one:.4f}") for i, one in enumerate(values)]
    mean = sum(round(one, 4) for one in values.tolist()) / n
    rows += [("runid", "all", name), ("num_q", "all", n), ("map", "all", f"{mean:.4f}")]
    return "".join(f"{one:<22}\t{two}\t{three}\n" for one, two, three in rows)


def _inspect_logs(version: int) -> dict[str, str]:
    """Logs of two models on two tasks, of which one has a score more."""
    files = {}
    for model in ("good", "poor"):
        for task in ("sums", "words"):
            log = json.loads((LOGS / "brief.json").read_text(encoding="utf-8"))
            about, (sample,) = log["eval"], log["samples"]
            about |= {"model": model, "task": task, "eval_id": f"{model} {task}"}
            about["task_args"] = {"version": version if model == "good" else 1}
            if task == "words":
                about["scorers"] = about["scorers"][:1]
                log["results"]["scores"] = log["results"]["scores"][:1]
                sample["scores"] = {"match": sample["scores"]["match"]}
            files[f"logs/{model}_{task}.json"] = json.dumps(log)
    return files


def _at_times(estimator: Any, X: Any, y: Any) -> dict[str, float]:
    """A second score where the first row says so."""
    right = float(np.mean(estimator.predict(X) == y))
    return {"right": right} | ({"wrong": 1 - right} if X[0, 0] < 8 else {})


class Stopping(Threshold):
    """Is stopped by the user at the fourth fit."""

    fits = 0

    def fit(self, X, y, sample_weight=None):
        """Count the fits."""
        Stopping.fits += 1
        if Stopping.fits > 3:
            raise KeyboardInterrupt
        return super().fit(X, y)


def _stopped() -> dict[str, Any]:
    Stopping.fits = 0
    try:
        skstat.compare_estimators(
            {"new": Stopping(), "old": TWO["old"]}, X, Y, random_state=0, verbose=False
        )
    except KeyboardInterrupt as stopped:
        return {"notes": [words(note) for note in getattr(stopped, "__notes__", [])]}
    return {"notes": "it did not stop"}


def _scorers() -> tuple[Callable, ...]:
    """Return two that differ in one star, and two that differ in what is enclosed."""

    def scorer(estimator, X, y, *more):
        return float(np.mean(estimator.predict(X) == y)) + (more == {})

    first = scorer

    def scorer(estimator, X, y, **more):
        return float(np.mean(estimator.predict(X) == y)) + (more == {})

    return first, scorer, _scorer_of(0.0), _scorer_of(1.0)


def _scorer_of(bonus: float) -> Callable:
    return lambda estimator, X, y: float(np.mean(estimator.predict(X) == y)) + bonus


def _alike() -> list[Any]:
    with tempfile.TemporaryDirectory() as folder:
        asked = {"cv": FOLDS, "random_state": 0, "verbose": False, "memory": folder}
        compare = partial(skstat.compare_estimators, TWO, X, Y, **asked)
        return [of_result(compare(scoring=scorer))["scores"] for scorer in _scorers()]


def _levels() -> dict[str, Any]:
    two, three = (
        skstat.compare_scores(data.scores(k, 40), unit="instance", random_state=0)
        for k in (2, 3)
    )
    return {
        f"{what}, {level}": list(report.confidence_interval(level))
        for what, report in {"two": two, "of three": three["new", "old"]}.items()
        for level in (None, 0.95, 0.9, 0.5)
    }
