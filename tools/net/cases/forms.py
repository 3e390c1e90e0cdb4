"""Every written form of a report, and what else may be asked of one."""

import re
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import skstat
from tools.net.adapter import of_result, words
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.fits import FOLDS, THREE, TWO, Threshold, X, Y

_STYLE = re.compile(r"<style>.*?</style>", re.S)
_TAG = re.compile(r"<[^>]*>")


def reports() -> dict[str, Callable[[], Any]]:
    """Return calls for a report of every kind."""

    def scores(k=2, n=40, unit="instance", **options):
        return skstat.compare_scores(data.scores(k, n), unit=unit, random_state=0, **options)

    def labels(**options):
        truth, predicted = data.labels(2, 160)
        return skstat.compare_predictions(truth, predicted, random_state=0, **options)

    def fits(learners=TWO, **options):
        return skstat.compare_estimators(
            learners, X, Y, random_state=0, verbose=False, **options
        )

    return {
        "two systems": lambda: scores(margin=0.02),
        "a loss": lambda: scores(scoring="error", rope=0.01),
        "three systems": lambda: scores(k=3),
        "a control": lambda: scores(k=3, control="old", scoring="error", margin=0.02),
        "data sets": lambda: scores(k=4, n=14, unit="dataset"),
        "a board": lambda: skstat.rank_systems(
            data.scores(4, 40), unit="instance", n_resamples=199, random_state=0
        ),
        "slices": lambda: labels(metric="accuracy", by=[0, 1] * 80),
        "two metrics": lambda: labels(metric=["accuracy", "f1"], n_resamples=499),
        "fits": lambda: fits(),
        "three fits": lambda: fits(THREE, scoring="neg_log_loss"),
        "performance": lambda: skstat.estimate_performance(
            TWO, X, Y, random_state=0, verbose=False
        ),
    }


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for name, ask in reports().items():
        yield case(f"of {name}", _forms, ask)
        yield case(f"frame of {name}", _frame, ask, needs="pandas")
    two, three = reports()["fits"], reports()["three fits"]
    yield case("choose, two", lambda: str(two().choose(_cost)))
    yield case("choose, three", lambda: str(three().choose(_cost)))
    yield case("sensitivity", lambda: str(reports()["a loss"]().sensitivity()))
    yield case("kept fits", _kept)


def _cost(name: str) -> float:
    return {"new": 3.0, "old": 1.0, "third": 2.0}[name]


def _forms(ask: Callable[[], Any]) -> dict[str, Any]:
    report = ask()
    told = {
        "markdown": report.to_markdown(),
        "latex": report.to_latex(),
        "html": re.sub(r"\s+", " ", _TAG.sub(" ", _STYLE.sub("", report.to_html()))),
        "methods in LaTeX": report.methods_text(latex=True),
        "works": report.to_bibtex(),
        "results, APA": report.results_text(style="apa"),
    }
    for name, make in {
        "table": lambda: report.summary_table(),
        "table in LaTeX": lambda: report.summary_table().to_latex(),
        "pairs in LaTeX": lambda: report.to_latex("pairs"),
    }.items():
        try:
            told[name] = str(make())
        except (TypeError, ValueError, AttributeError) as error:
            told[name] = f"{type(error).__name__}: {error}"
    return {name: words(text) for name, text in told.items()}


def _frame(ask: Callable[[], Any]) -> dict[str, Any]:
    return {name: list(column) for name, column in ask().to_frame().items()}


def _kept() -> dict[str, Any]:
    """Ask three times with one folder; what differs in a parameter or a seed is another fit."""
    usual = {"cv": FOLDS, "scoring": "accuracy", "random_state": 0, "verbose": False}
    told = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, learner, options in (
            ("first", Threshold(0), {}),
            ("again", Threshold(0), {}),
            ("another parameter", Threshold(0, step=2), {}),
            ("another column", Threshold(2), {}),
            ("another metric", Threshold(0), {"scoring": "roc_auc"}),
            ("other rows", Threshold(0), {"cv": 4}),
        ):
            learners = {"new": learner, "old": Threshold(1)}
            asked = usual | options
            report = skstat.compare_estimators(learners, X, Y, memory=folder, **asked)
            told[name] = of_result(report)["scores"]
    return told
