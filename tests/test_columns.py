"""What a column, a unit and an item are: the same for frames, files and the command line."""

import itertools
import json
from functools import partial

import numpy as np
import pytest
from scipy import stats as scipy_stats

from skstat import compare_predictions, compare_scores, rank_systems, stats
from skstat.io import ResultsError, read_results
from tests.cases import codes
from tests.shell import main

pd = pytest.importorskip("pandas")

SVM = np.array([0.90, 0.88, 0.91, 0.86, 0.89, 0.92, 0.87, 0.90, 0.88, 0.91])
RF = SVM + np.array([0.01, 0.02, 0.00, 0.03, 0.01, -0.01, 0.02, 0.01, 0.03, 0.00])


def long_of(unit, **more):
    """Two systems on ten units, a row for each score."""
    columns = {name: list(values) * 2 for name, values in more.items()}
    labels = {unit: [*range(10)] * 2} if isinstance(unit, str) else {}
    scores = {"accuracy": [*SVM, *RF]}
    return pd.DataFrame({"model": ["svm"] * 10 + ["rf"] * 10, **labels, **columns, **scores})


def corrected(a, b, ratio):
    """Nadeau and Bengio (2003), by hand."""
    d = np.asarray(a) - np.asarray(b)
    t = d.mean() / np.sqrt((1 / len(d) + ratio) * d.var(ddof=1))
    return 2 * scipy_stats.t.sf(abs(t), len(d) - 1)


def by_file(frame, path, **columns):
    frame.to_csv(path, index=False)
    return compare_scores(read_results(path, columns=columns))


def by_shell(frame, path, *options):
    """The exit status of the command line, and the report that it writes."""
    frame.to_csv(path, index=False)
    out = path.with_suffix(".json")
    status = main(["compare", str(path), "--quiet", "--json", str(out), *options])
    return status, json.loads(out.read_text()) if out.exists() else None


def answers(frame, folder, *more, **columns):
    """P-values by the frame, its file and the command line, and what the units are."""
    typed = [w for role, named in columns.items() for w in (f"--{role}", *np.ravel(named))]
    status, state = by_shell(frame, folder / "a.csv", *typed, *more)
    assert status == 0
    found = [compare_scores(frame, **columns), by_file(frame, folder / "a.csv", **columns)]
    pvalues = [*(report.pvalue for report in found), *state["pairs"]["pvalue"]]
    return pvalues, {*(report.unit for report in found), state["unit"]}


@pytest.mark.parametrize(
    "name", ["fold", "Fold", "FOLD", "fold_id", "outer_fold", "cv", "cv_fold"]
)
def test_folds_are_splits_at_every_door(name, tmp_path):
    frame = long_of(name)
    expected = corrected(SVM, RF, 1 / 9)
    assert expected == pytest.approx(0.0786, abs=5e-5)
    by_item = {"item": name}
    for typed, columns in (((), {}), ((), by_item), (("--unit", "split"), by_item)):
        pvalues, units = answers(frame, tmp_path, *typed, **columns)
        assert pvalues == pytest.approx([expected] * 3) and units == {"split"}
    report = compare_scores({column: frame[column].tolist() for column in frame})
    assert report.pvalue == pytest.approx(expected)
    assert "10-fold cross-validation" in " ".join(str(report).split())
    gate = ["--baseline", "svm", "--fail-if", "worse", "--item", name]
    assert by_shell(frame, tmp_path / "c.csv", *gate)[0] == 3
    ranked = [rank_systems(frame), rank_systems(read_results(tmp_path / "a.csv"))]
    assert all("K-fold t test" in report.details for report in ranked)


@pytest.mark.parametrize("name", ["split", "iteration", "Iteration", "resample", "split_id"])
def test_splits_of_unknown_sizes_are_refused_until_sizes_are_given(name, tmp_path):
    frame = long_of(name)
    for ask in (compare_scores, partial(by_file, path=tmp_path / "a.csv", item=name)):
        with pytest.raises(ValueError, match="n_train and n_test"):
            ask(frame)
    assert by_shell(frame, tmp_path / "a.csv", "--item", name)[0] == 2
    expected = pytest.approx([corrected(SVM, RF, 30 / 70)] * 3)
    for train, test in (("n_train", "n_test"), ("train_size", "test_size")):
        sized = long_of(name, **{train: [70] * 10, test: [30] * 10})
        assert answers(sized, tmp_path)[0] == expected
    _, state = by_shell(frame, tmp_path / "a.csv", "--n-train", "70", "--n-test", "30")
    assert [state["pairs"]["pvalue"][0]] * 3 == expected


@pytest.mark.parametrize("repeat", ["repeat", "repetition", "Repeat"])
def test_a_repeat_and_a_fold_are_a_split_together(repeat, tmp_path):
    rng = np.random.default_rng(3)
    rows = [
        {"fold": k, repeat: r, "model": m, "acc": 0.8 + 0.01 * (m == "b") + rng.normal(0, 0.02)}
        for k, r, m in itertools.product(range(5), range(4), "ab")
    ]
    frame = pd.DataFrame(rows)
    wide = frame.pivot_table(index=[repeat, "fold"], columns="model", values="acc")
    expected = pytest.approx([corrected(wide["a"], wide["b"], 1 / 4)] * 3)
    for given in ({}, {"item": "fold"}, {"item": ["fold", repeat]}):
        assert answers(frame, tmp_path, **given)[0] == expected
    report = by_file(frame, tmp_path / "a.csv", item="fold", repeat=repeat)
    assert report.n_units == 20 and [report.pvalue] * 3 == expected


@pytest.mark.parametrize("unit, name", [
    *(("seed", name) for name in ("seed", "random_seed", "Random State")),
    *(("dataset", name) for name in ("dataset", "Data Set", "dataset_id")),
])  # fmt: skip
def test_seeds_and_data_sets_are_what_they_are_called(unit, name, tmp_path):
    frame = long_of(name)
    expected = scipy_stats.ttest_ind(SVM, RF, equal_var=False).pvalue  # of Welch
    if unit == "dataset":
        expected = compare_scores({"a": SVM, "b": RF}, unit=unit, test="wilcoxon").pvalue
    for given in ({}, {"item": name}):
        pvalues, units = answers(frame, tmp_path, **given)
        assert pvalues == pytest.approx([expected] * 3) and units == {unit}


def test_who_says_that_they_are_items_is_believed():
    assert "sign-flip" in compare_scores(long_of("seed"), item="seed", unit="instance").test


def test_an_id_names_the_item_before_data_sets_do_and_every_score_is_compared(tmp_path):
    frame = long_of("question", dataset=list("uv") * 5, seconds=RF).assign(n_train=9)
    expected = compare_scores(frame[["model", "question", "accuracy"]])
    for report in (compare_scores(frame), by_file(frame, tmp_path / "a.csv")):
        assert set(report) == {"accuracy", "seconds"}
        assert report["accuracy"].pvalue == pytest.approx(expected.pvalue)
        assert report["accuracy"].unit == "instance"
        assert "read as items: question, and not dataset" in " ".join(str(report).split())
    of_sets = compare_scores(frame, item="dataset", repeat="question", score="accuracy")
    assert (of_sets.unit, of_sets.n_units) == ("dataset", 2)
    parted = frame.assign(data_set=[*range(5)] * 4).drop(columns="question")
    with pytest.raises(ValueError, match=r"'dataset' and 'data_set' may each.*\(frame, item="):
        compare_scores(parted)


def test_repeats_are_counted_by_a_column_of_that_name_and_said(tmp_path):
    frame = pd.concat([long_of("dataset").assign(epoch=epoch) for epoch in (1, 2)])
    once = compare_scores(long_of("dataset"))
    for report in (compare_scores(frame), by_file(frame, tmp_path / "a.csv")):
        assert report.n_units == 10 and report.pvalue == pytest.approx(once.pvalue)
        assert "read as repeats: epoch" in " ".join(str(report).split())


def test_columns_of_other_shapes_are_named():
    frame = {"model": ["a", "b"] * 9, "item": np.repeat(range(9), 2), "score": range(18)}
    for name, column in {"model": "a", "item": [1], "score": np.ones((18, 2))}.items():
        with pytest.raises(ValueError, match=f"{name}.* shape"):
            compare_scores(frame | {name: column})
    assert compare_scores(frame | {"embedding": np.ones((18, 2)), "note": 3}).n_units == 9


# Columns that are not systems


INDEXES = {
    "Unnamed: 0": [0, 1, 2, 3, 4, 5],
    "Unnamed: 0.1": [0.5, 1.5, 2.5, np.nan, 4.5, 5.5],
    "index": [3, 1, 2, 9, 7, 8],
    "level_0": [0, 1, 2, 3, 4, 5],
    "n_samples": [150, 178, 1797, 569, 442, 20640],
    "n_classes": [3, 3, 10, 2, 2, 4],
    "num_features": [4, 13, 64, 30, 10, 8],
    "task_id": [61, 187, 554, 1510, 44, 45],
    "id": [61, 187, 554, 1510, 44, 45],
    "rank": [1, 2, 1, 1, 2, 1],
    "fold": [0, 1, 2, 3, 4, 5],
}
WIDE = {
    "a": [0.8, 0.7, 0.91, 0.62, 0.75, 0.66],
    "b": [0.72, 0.75, 0.8, 0.5, 0.71, 0.6],
    "c": [0.7, 0.73, 0.82, 0.55, 0.7, 0.61],
}
COMPUTED = {
    "best": np.max(list(WIDE.values())[:2], axis=0),
    "Mean": np.mean(list(WIDE.values()), axis=0).round(3),
    "std": np.std(list(WIDE.values()), axis=0, ddof=1),
}


@pytest.mark.parametrize("name", [*INDEXES, *COMPUTED])
@pytest.mark.parametrize("kind", ["pandas", "polars", "mapping"])
def test_columns_that_are_no_systems_are_refused(name, kind):
    table = {name: list((INDEXES | COMPUTED)[name]), **WIDE}
    labelled = {"data": list("uvwxyz"), **table}
    if kind != "mapping":
        library = pytest.importorskip(kind)
        table, labelled = library.DataFrame(table), library.DataFrame(labelled)
    for ask in (
        lambda: compare_scores(table, unit="dataset"),
        lambda: compare_scores(table, unit="group"),
        lambda: rank_systems(table, unit="dataset", higher_is_better=True),
        lambda: compare_scores(labelled, item="data", unit="dataset"),
    ):
        with pytest.raises(ValueError, match=f"column '{name}' looks like"):
            ask()
    assert compare_scores(table, unit="instance", systems=("a", "b")).names == ("a", "b")


def test_predictions_take_no_index_for_a_system():
    y = [0, 1] * 10
    frame = pd.DataFrame({"Unnamed: 0": range(20), "a": y, "b": [0] * 20})
    with pytest.raises(ValueError, match="column 'Unnamed: 0' of predictions looks like names"):
        compare_predictions(y, frame, metric="accuracy")


@pytest.mark.parametrize("name", ["n_samples", "rank", "best"])
def test_files_leave_such_columns_out_and_say_so(name, tmp_path):
    frame = pd.DataFrame({"dataset": list("uvwxyz"), **WIDE, name: (INDEXES | COMPUTED)[name]})
    report = by_file(frame, tmp_path / "a.csv")
    assert report.evidence.names == ("a", "b", "c")
    assert f"not taken for scores: {name}" in " ".join(str(report).split())
    status, found = by_shell(frame, tmp_path / "a.csv")
    assert status == 0 and {*found["systems"]["name"]} == {"a", "b", "c"}


def test_a_table_of_data_sets_takes_no_index_for_a_system():
    frame = pd.DataFrame({"Unnamed: 0": range(6), **WIDE})
    with pytest.raises(ValueError, match="'Unnamed: 0' looks like the numbers of the rows"):
        stats.ScoreTable(frame, unit="dataset")


@pytest.mark.parametrize("name", ["c_index", "C-index", "jaccard_index", "rand_index"])
@pytest.mark.parametrize("value", [0.75, 1.0])
def test_an_index_may_be_a_metric(name, value, tmp_path):
    frame = long_of("question").rename(columns={"accuracy": "runtime"}).assign(**{name: value})
    frame.to_csv(tmp_path / "a.csv", index=False)
    assert set(read_results(tmp_path / "a.csv").metrics) == {name, "runtime"}


# Rows that are not items


SUMMARIES = (
    "Average", "mean", "Total", "Overall", "arithmetic mean", "Min", "Max", "all", "AVG.",
    "Std. Dev.", "Median", "Mean (n=10)", "macro avg", "All datasets", "50%",
)  # fmt: skip


@pytest.mark.parametrize("label", SUMMARIES)
@pytest.mark.parametrize("unit", ["dataset", "question", "fold"])
def test_rows_that_sum_others_up_are_left_out_and_said(label, unit, tmp_path):
    long = long_of(unit)
    expected = compare_scores(long).pvalue
    means = {"model": ["svm", "rf"], unit: [label] * 2, "accuracy": [SVM.mean(), RF.mean()]}
    both = pd.concat([long.astype({unit: str}), pd.DataFrame(means)])
    wide = both.pivot_table(index=unit, columns="model", values="accuracy").reset_index()
    for report in (
        compare_scores(both),
        by_file(both, tmp_path / "a.csv"),
        compare_scores(wide[["svm", "rf", unit]], systems=("svm", "rf")),
    ):
        assert report.n_units == 10 and report.pvalue == pytest.approx(expected)
        assert f"since they sum others up: {label}" in " ".join(str(report).split())
    if unit == "dataset":
        report = compare_scores(wide.set_index(unit)[["svm", "rf"]], unit="dataset")
        assert report.n_units == 10 and report.pvalue == pytest.approx(expected)


def test_a_row_without_a_score_or_with_one_counts_nowhere(tmp_path):
    rng = np.random.default_rng(1)
    scores = np.sort(rng.uniform(0.5, 0.9, (8, 3)), axis=1)
    whole = pd.DataFrame(scores, columns=list("abc"), index=[f"d{i}" for i in range(8)])
    expected = compare_scores(whole, unit="dataset")
    for row in ([np.nan] * 3, [0.7, np.nan, np.nan]):
        gaps = pd.concat([whole, pd.DataFrame([row], columns=list("abc"), index=["empty"])])
        long = gaps.rename_axis("dataset").reset_index().melt("dataset", var_name="model")
        long.to_csv(tmp_path / "a.csv", index=False)
        for report in (
            compare_scores(gaps, unit="dataset"),
            compare_scores(long, score="value"),
            compare_scores(read_results(tmp_path / "a.csv")),
            compare_scores(stats.ScoreTable(gaps, unit="dataset")),
        ):
            assert report.pvalue == pytest.approx(expected.pvalue) and report.n_units == 8
            assert report.omnibus["test"] == expected.omnibus["test"]
            assert codes(report) == codes(expected)


# Metrics below each other, and systems beside each other


def of_metrics(name, value):
    rng = np.random.default_rng(5)
    rows = [
        (m, f"q{q}", metric, rng.integers(2) / scale)
        for m in "ab"
        for q in range(9)
        for metric, scale in (("em", 1), ("latency", 0.1))
    ]
    frame = pd.DataFrame(rows, columns=["model", "question_id", name, value])
    return frame.sample(frac=1, random_state=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [("metric", "value"), ("Metric", "score"), ("measure", "Value"), ("metric_name", "result")],
)
def test_a_column_of_metrics_is_a_pivot(name, value, tmp_path):
    frame = of_metrics(name, value)
    em = frame[frame[name] == "em"].pivot(index="question_id", columns="model", values=value)
    expected = em["a"].mean() - em["b"].mean()
    frame.to_csv(tmp_path / "a.csv", index=False)
    results = read_results(tmp_path / "a.csv")
    assert set(results.metrics) == {"em", "latency"}
    assert results.higher_is_better == {"em": True, "latency": False}
    for report in (
        compare_scores(results, score="em"),
        compare_scores(frame, item="question_id", score="em", systems=("a", "b")),
        compare_scores(frame, item="question_id", systems=("a", "b"))["em"],
        compare_scores(read_results(tmp_path / "a.csv", columns={"score": "em"})),
    ):
        assert abs(report.estimate) == pytest.approx(abs(expected)) and report.metric == "em"
    status, report = by_shell(frame, tmp_path / "a.csv", "--metric", "em")
    assert status == 0 and abs(report["pairs"]["estimate"][0]) == pytest.approx(abs(expected))
    with pytest.raises(ResultsError, match="says by which metric a score is"):
        read_results(tmp_path / "a.csv", columns={"repeat": name})
    with pytest.raises(ValueError, match="says by which metric a score is"):
        compare_scores(frame, item="question_id", repeat=name)
    with pytest.raises(ValueError, match="several scores on .* by (em|latency)"):
        compare_scores(pd.concat([frame, frame]), item="question_id")
    with pytest.raises(ResultsError, match="several scores on .* by (em|latency)"):
        by_file(pd.concat([frame, frame]), tmp_path / "a.csv")


def test_a_metric_asked_for_is_that_of_the_column_of_metrics():
    frame = of_metrics("metric", "outcome")
    chosen = frame[frame["metric"] == "em"]
    expected = compare_scores(chosen.drop(columns="metric"), score="outcome").estimate
    for options in ({"scoring": "em"}, {"scoring": "em", "score": "outcome"}):
        report = compare_scores(frame, **options)
        assert (report.metric, report.estimate) == ("em", expected)
    # An error of an AUC is no AUC.
    errors = frame.rename(columns={"outcome": "metric_error"}).replace({"em": "roc_auc"})
    with pytest.raises(ValueError, match="'roc_auc' is not a metric of the scores"):
        compare_scores(errors, scoring="roc_auc")


def test_wide_tables_of_items_are_read_from_the_shell(tmp_path):
    rows = {"question": range(6), "new": [1, 0, 1, 1, 0, 1], "old": [0, 0, 1, 0, 0, 1]}
    status, report = by_shell(pd.DataFrame(rows), tmp_path / "a.csv")
    assert status == 0 and report["systems"]["name"] == ["new", "old"]
    named = ["--systems", "old", "new"]
    beside = pd.DataFrame(rows).assign(runtime=[1.5] * 6)
    status, report = by_shell(beside, tmp_path / "a.csv", *named)
    assert status == 0 and report["systems"]["name"] == ["old", "new"]


def test_seeds_of_two_files_need_no_partners(tmp_path):
    a, b = tmp_path / "a.csv", tmp_path / "b.csv"
    pd.DataFrame({"seed": range(10), "accuracy": SVM}).to_csv(a, index=False)
    pd.DataFrame({"seed": range(100, 110), "accuracy": RF}).to_csv(b, index=False)
    expected = scipy_stats.ttest_ind(SVM, RF, equal_var=False).pvalue
    out = tmp_path / "out.json"
    status = main(["compare", str(a), str(b), "--fail-if", "worse", "--metric", "accuracy"])
    assert status == 3  # undecided, and not refused
    assert main(["compare", str(a), str(b), "--json", str(out)]) == 0
    assert json.loads(out.read_text())["pairs"]["pvalue"] == [pytest.approx(expected)]


def test_an_error_says_another_thing_than_what_was_typed(tmp_path, capsys):
    frame = pd.concat([long_of("dataset").assign(fold=fold) for fold in (1, 2)])
    path = tmp_path / "a.csv"
    frame.to_csv(path, index=False)
    typed = ["--item", "dataset"]
    for _ in range(3):
        if main(["compare", str(path), *typed]) == 0:
            break
        error = capsys.readouterr().err
        advice = error[error.rindex(": --") + 2 :].rstrip(".\n").split()
        assert advice != typed
        typed = advice
    assert typed == ["--item", "dataset", "--repeat", "fold"]
