"""What reports on slices give to a paper: every slice once, one footnote, Cochran's Q."""

import numpy as np
import pytest

import skstat
from tests.cases import in_one_test

RNG = np.random.default_rng(0)
N = 900
KIND = RNG.choice(list("ABC"), N)
TRUTH = RNG.integers(0, 2, N)
RIGHT = {
    "first": RNG.random(N) < np.where(KIND == "A", 0.6, 0.85),
    "second": RNG.random(N) < 0.8,
    "third": RNG.random(N) < 0.75,
}
ANSWERS = {name: np.where(right, TRUTH, 1 - TRUTH) for name, right in RIGHT.items()}


def ask(*names, **options):
    answers = {name: ANSWERS[name] for name in names}
    return skstat.compare_predictions(
        TRUTH, answers, metric="accuracy", by={"kind": KIND}, random_state=0, **options
    )


REPORTS = {
    "two": lambda: ask("first", "second"),
    "three": lambda: ask(*ANSWERS),
    "control": lambda: ask(*ANSWERS, control="second"),
}


@in_one_test("kind", REPORTS)
def test_every_slice_has_one_column_without_holes(kind):
    report = REPORTS[kind]()
    table = report.summary_table()
    titles = ["accuracy, all rows", *(f"accuracy, kind={value}" for value in "ABC")]
    assert list(table.metrics) == titles
    for title, value in zip(titles, " ABC", strict=True):
        rows = value == KIND if value.strip() else np.ones(N, dtype=bool)
        found = {row.system: row for row in table.rows if row.metric == title}
        assert set(found) == set(report.overall.names)
        for name, row in found.items():
            assert row.score == pytest.approx(RIGHT[name][rows].mean())
            if name != row.reference:
                other = RIGHT[row.reference][rows].mean()
                assert row.difference == pytest.approx(row.score - other)
                assert 0 <= row.pvalue <= 1
    if kind == "control":
        assert {row.reference for row in table.rows} == {"second"}


@in_one_test("kind", REPORTS)
def test_the_footnote_does_not_contradict_itself(kind):
    report = REPORTS[kind]()
    note = " ".join(report.summary_table().notes)
    n = 3 if kind == "two" else report.n_comparisons
    what = "slices" if kind == "two" else "pairs in slices"
    assert f"adjusted by the min-P method for {n} {what}" in note
    assert "not adjusted" not in note
    for words in (note, report.results_text(), report.results_text(style="apa")):
        assert words.count("Cochran's Q") == 1
    latex = report.to_latex()
    assert "(no name)" not in latex and latex.count(r"kind=A &") == len(
        getattr(report, "pairs", [1])
    )
    assert r"Slice & " in latex and "all rows &" in latex


def test_metrics_are_still_not_adjusted_for_each_other():
    answers = {name: ANSWERS[name] for name in ("first", "second")}
    report = skstat.compare_predictions(
        TRUTH, answers, metric=["accuracy", "f1"], by=KIND, n_resamples=99, random_state=0
    )
    assert "not adjusted for the number of metrics" in " ".join(report.summary_table().notes)


@in_one_test("style", ["plain", "apa"])
def test_effect_sizes_over_splits_are_not_reported(style):
    splits = {"a": [0.8, 0.7, 0.9, 0.8], "b": [0.7, 0.6, 0.9, 0.7]}
    over_splits = skstat.compare_scores(splits, n_train=60, n_test=30)
    over_sets = skstat.compare_scores({k: v * 2 for k, v in splits.items()}, unit="dataset")
    sizes = ("d_z", "Hedges", "rank-biserial", "common-language")
    assert not any(size in over_splits.results_text(style=style) for size in sizes)
    assert any(size in over_sets.results_text(style=style) for size in sizes)
