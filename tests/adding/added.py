"""Whatever was added is found by every door, form and page. Run by ``test_adding.py``."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.metrics import make_scorer
from sklearn.model_selection import TimeSeriesSplit

import skstat
from skstat import compare_predictions, compare_scores, metrics, stats
from skstat.io import ResultsError, read_results
from skstat.metrics import as_metric
from skstat.report import report_from_dict
from tests.contract import check_forms, check_procedure, check_report
from tests.shell import main

ROOT = Path(skstat.__file__).parents[1]
N = 41
rng = np.random.default_rng(3)
Y = rng.normal(size=N)
PREDICTED = {name: Y + rng.normal(scale=s, size=N) for name, s in [("a", 0.5), ("b", 1.0)]}
THREE = {**PREDICTED, "c": Y + rng.normal(scale=1.5, size=N)}
TABLE = stats.ScoreTable(
    rng.normal(0.8, 0.02, (12, 3)) - [0.0, 0.02, 0.05], systems=["a", "b", "c"], unit="dataset"
)
ERROR = "mean_squared_error"
IN_ORDER = {"metric": ERROR, "order": range(N)}


def series(n=N):
    return stats.PairedScores(
        rng.normal(0.8, 0.02, n), rng.normal(0.78, 0.02, n), unit="instance", ordered=True
    )


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Arguments of the command line for files with the predictions."""
    monkeypatch.chdir(tmp_path)
    for name, values in {"gold": Y, "order": range(N), **PREDICTED}.items():
        Path(f"{name}.txt").write_text("\n".join(map(str, values)), encoding="utf-8")
    compared = ["--y-true", "gold.txt", "--predictions", "a=a.txt", "b=b.txt"]
    return ["compare", *compared, "--order", "order.txt", "--n-jobs", "1", "--seed", "0"]


def test_the_copy_is_tested():
    assert Path(__file__).parents[2] == ROOT and (ROOT / "docs" / "api.rst").exists()


def test_a_test_of_two_systems(files, capsys):
    name, title = "series_t", "t test of batch means"
    check_procedure(stats.series_t, series())
    reports = [
        compare_scores(series(), test=name, margin=0.01),
        compare_predictions(Y, PREDICTED, test=name, **IN_ORDER),
    ]
    for report in reports:
        check_report(report)
        assert report.test == title
    several = compare_predictions(Y, THREE, test=name, adjustment="holm", **IN_ORDER)
    check_report(several)
    assert set(several.tests) == {title}
    for ask in (
        lambda: compare_scores(series(), test="none"),
        lambda: compare_predictions(Y, PREDICTED, test="none", **IN_ORDER),
    ):
        with pytest.raises(ValueError, match=name):
            ask()
    # Estimators have splits, which it is not for: it says so before the first fit.
    with pytest.raises(ValueError, match="units or more in time order"):
        skstat.compare_estimators(
            [DummyRegressor(), Unfitted()], Y[:, None], Y, cv=TimeSeriesSplit(5), test=name
        )
    assert main([*files, "--metric", ERROR, "--test", name]) == 0
    assert title in capsys.readouterr().out


class Unfitted(DummyRegressor):
    """Fails where it is fitted."""

    def fit(self, X, y, sample_weight=None):
        """Fail."""
        raise AssertionError("it was fitted")


def test_a_test_of_several_systems():
    report = compare_scores(TABLE, test="normal_scores")
    check_report(report)
    assert report.omnibus["test"] == "Friedman test of normal scores"
    data = {f"set {i}": (rng.normal(size=(20, 2)), rng.normal(size=20)) for i in range(4)}
    learners = {name: DummyRegressor(strategy=name) for name in ("mean", "median")}
    learners["zero"] = DummyRegressor(strategy="constant", constant=0.0)
    with pytest.raises(ValueError, match="normal_scores"):
        skstat.compare_over_datasets(learners, data, test="none")
    report = skstat.compare_over_datasets(
        learners, data, test="normal_scores", cv=2, scoring="r2", random_state=0
    )
    assert report.omnibus["test"] == "Friedman test of normal scores"


def test_a_comparison_in_pairs():
    for asked in ({}, {"adjustment": "hommel"}, {"control": "b"}):
        report = compare_scores(TABLE, test="pooled_t", **asked)
        check_report(report)
        assert report.test == "pairwise t test with a pooled error"
        assert {"SKS126"} <= {doubt.code for doubt in report.doubts}
    assert compare_scores(TABLE, test="pooled_t", adjustment="holm").adjustment == "holm"
    with pytest.raises(ValueError, match="pooled_t"):
        compare_scores(TABLE, test="none")
    with pytest.raises(ValueError, match="two-sided only"):
        compare_scores(TABLE, test="pooled_t", alternative="less")


def test_a_metric(files, capsys):
    function = metrics.log_cosh_error
    metric = as_metric(function)
    assert metric.is_loss and metric.kind == "numbers" and metric.is_mean
    assert metric.facts.bounds_for({}) == (0.0, None)
    predictions = stats.Predictions(Y, PREDICTED, metric)
    assert isinstance(predictions.kernel, stats.SumKernel)
    for asked in (function, "log_cosh_error"):
        report = compare_predictions(Y, PREDICTED, metric=asked, random_state=0)
        check_report(report)
        a, b = (function(Y, predicted) for predicted in PREDICTED.values())
        assert report.lower and report.estimate == pytest.approx(a - b)
    report = skstat.compare_estimators(
        [DummyRegressor(), DummyRegressor(strategy="median")],
        Y[:, None],
        Y,
        scoring=make_scorer(function, greater_is_better=False),
        random_state=0,
    )
    assert report.lower
    assert main([*files, "--metric", "log_cosh_error"]) == 0
    assert "log_cosh_error" in capsys.readouterr().out


def test_a_doubt(tmp_path, files, capsys):
    text = "41 is an odd number of units."
    report = compare_scores(series())
    assert not [found for found in compare_scores(series(40)).doubts if found.code == "SKS299"]
    (found,) = [found for found in report.doubts if found.code == "SKS299"]
    assert found.text == text
    assert report_from_dict(report.to_dict()).doubts == report.doubts
    forms = (report.details, report.to_html(), report.to_markdown(), report.to_json())
    assert all("SKS299" in form and text in form for form in forms)
    assert main([*files, "--metric", ERROR, "--format", "full"]) == 0
    assert "SKS299" in capsys.readouterr().out
    page = tmp_path / "doubts.rst"
    runpy.run_path(str(ROOT / "docs" / "_generate.py"))["write_doubts"](page)
    before, section = page.read_text(encoding="utf-8").split(".. _sks299:")
    assert "SKS299: an odd number" in section and "one unit more" in section
    assert "sks2" in before and ".. _sks304:" in section  # in the order of the codes
    assert "   def odd_number(facts: Facts)" in section and "@" not in before + section


def test_a_form(files, capsys, monkeypatch):
    for result in (
        compare_scores(series()),
        compare_scores(TABLE),
        skstat.recommend_test("estimators", budget=12),
    ):
        check_forms(result)
        assert "/ " in result.to_typst()
    assert "#table(" in compare_scores(TABLE).to_typst()
    assert main([*files, "--metric", ERROR, "--format", "typst"]) == 0
    assert capsys.readouterr().out.count("\n/ ") > 3
    shown = compare_scores(series())
    wrong = lambda self: "p = 0"  # noqa: E731  (a method that says it returns text)
    wrong.__annotations__["return"] = str
    monkeypatch.setattr(type(shown), "to_typst", wrong)
    with pytest.raises(AssertionError, match="typst shows p as zero"):
        check_forms(shown)


def test_the_pages_of_the_reference_list_what_is_public():
    runpy.run_path(str(ROOT / "docs" / "_generate.py"))["check_reference"](
        ROOT / "docs" / "api.rst"
    )


def test_a_format_of_results(tmp_path):
    for name, scores in {"bm25": (0.25, 0.5), "dense": (0.75, 0.5)}.items():
        lines = [f"runid \tall\t{name}"] if name == "dense" else []
        lines += [f"map   \t{query}\t{score}" for query, score in enumerate(scores)]
        lines += ["num_ret\t1\t100", "map   \tall\t0.5"]
        (tmp_path / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    found = read_results([tmp_path / "bm25.txt", tmp_path / "dense.txt"])
    assert found.names == ("bm25", "dense") and found.items == ("0", "1")
    assert found.metrics == ("map",) and found.scores["map"].tolist() == [0.25, 0.5, 0.75, 0.5]
    assert found.sources[0].format == "trec_eval"
    (tmp_path / "bad.txt").write_text("map   \t1\thigh\n", encoding="utf-8")
    with pytest.raises(ResultsError, match="line 1: could not convert"):
        read_results(tmp_path / "bad.txt")
    # The page of formats is made of what they say.
    page = tmp_path / "formats.inc"
    runpy.run_path(str(ROOT / "docs" / "_generate.py"))["write_formats"](page)
    assert ":item: The query." in page.read_text(encoding="utf-8")
