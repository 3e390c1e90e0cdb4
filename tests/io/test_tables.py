"""Tables of benchmarks and of files: against what their makers say they hold."""

import gzip
import json
import sys

import numpy as np
import pytest

from skstat import compare_scores
from skstat.io import ResultsError, read_results

AMLB = """\
id,task,framework,constraint,fold,type,result,metric,info
1,adult,flaml,1h,0,binary,0.90,auc,
1,adult,flaml,1h,1,binary,0.92,auc,
1,adult,rf,1h,0,binary,0.85,auc,
1,adult,rf,1h,1,binary,,auc,TimeoutError: too slow
2,cars,flaml,1h,0,multiclass,-0.5,neg_logloss,
2,cars,rf,1h,0,multiclass,-0.7,neg_logloss,
3,kc2,flaml,1h,0,binary,0.80,auc,
3,kc2,rf,1h,0,binary,0.70,auc,
"""
TABARENA = """\
dataset,fold,method,metric,metric_error,imputed
adult,0,lgbm,roc_auc,0.10,False
adult,1,lgbm,roc_auc,0.12,False
adult,0,mlp,roc_auc,0.20,False
adult,1,mlp,roc_auc,0.20,True
house,0,lgbm,rmse,3.5,False
house,0,mlp,rmse,4.5,False
"""
TABZILLA = """\
dataset_fold_id,dataset_name,alg_name,hparam_source,Log Loss__test,Accuracy__test,Accuracy__val
openml__a__1__fold_0,a,SVM,default,0.5,0.8,0.7
openml__a__1__fold_1,a,SVM,default,0.6,0.7,0.7
openml__b__2__fold_0,b,SVM,default,0.4,0.9,0.7
openml__a__1__fold_0,a,SVM,random_1,0.4,0.85,0.7
openml__a__1__fold_1,a,SVM,random_1,0.4,0.75,0.7
openml__b__2__fold_0,b,SVM,random_1,,,0.7
"""
WEKA = """\
@relation Results

@attribute Key_Dataset {iris}
@attribute Key_Run {1,2,3}
@attribute Key_Fold {1}
@attribute Key_Scheme {weka.classifiers.rules.ZeroR,weka.classifiers.trees.J48}
@attribute Key_Scheme_options {'','-C 0.25 -M 2'}
@attribute Date_time numeric
@attribute Number_of_training_instances numeric
@attribute Number_of_testing_instances numeric
@attribute Percent_correct numeric
@attribute Root_mean_squared_error numeric
@attribute Summary {'tree: 5, leaves 3'}

@data
iris,1,1,weka.classifiers.rules.ZeroR,'',20160101.1,100,50,33.3,0.47,?
iris,2,1,weka.classifiers.rules.ZeroR,'',20160101.1,100,50,33.3,0.47,?
iris,3,1,weka.classifiers.rules.ZeroR,'',20160101.1,100,50,33.3,0.47,?
iris,1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',20160101.1,100,50,96,0.16,'tree: 5, leaves 3'
iris,2,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',20160101.1,100,50,94,0.19,'tree: 5, leaves 3'
iris,3,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',20160101.1,100,50,95,0.19,?
"""


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return write


def cells(results, metric):
    keys = zip(
        results.system, results.item, results.repeat, results.scores[metric], strict=True
    )
    return {tuple(key): score for *key, score in keys if score == score}


def test_the_automl_benchmark_has_a_score_for_each_metric(file):
    results = read_results(file("results.csv", AMLB))
    assert results.unit == "dataset" and results.names == ("flaml", "rf")
    assert results.metrics == ("auc", "neg_logloss")
    assert cells(results, "auc") == {
        ("flaml", "adult", "0"): 0.90,
        ("flaml", "adult", "1"): 0.92,
        ("rf", "adult", "0"): 0.85,
        ("flaml", "kc2", "0"): 0.80,
        ("rf", "kc2", "0"): 0.70,
    }
    assert all(results.higher_is_better.values())
    told = results.sources[0].details["failed_runs"]
    assert told == "1 of 8, the first rf on adult: TimeoutError: too slow"


def test_two_constraints_are_two_systems(file):
    results = read_results(file("results.csv", AMLB.replace("rf,1h", "flaml,4h")))
    assert results.names == ("flaml (1h)", "flaml (4h)")


def test_tabarena_has_errors_and_imputed_ones_are_failures(file):
    results = read_results(file("arena.csv", TABARENA))
    assert results.metrics == ("roc_auc_error", "rmse")
    assert results.higher_is_better == {"roc_auc_error": False, "rmse": False}
    assert ("mlp", "adult", "1") not in cells(results, "roc_auc_error")
    assert (
        results.sources[0].details["failed_runs"].startswith("1 of 6, the first mlp on adult")
    )


def test_tabzilla_names_systems_by_their_hyperparameters(file):
    results = read_results(file("metadataset.csv", TABZILLA))
    assert results.names == ("SVM (default)", "SVM (random_1)")
    assert results.items == ("openml__a__1", "openml__b__2")
    assert results.higher_is_better == {"Log Loss": False, "Accuracy": True}
    assert cells(results, "Log Loss")["SVM (default)", "openml__a__1", "1"] == 0.6
    report = compare_scores(results, scoring="Accuracy")
    # Folds are averaged, and a data set without a score of one system does not count.
    np.testing.assert_allclose(report.sample.a - report.sample.b, [0.75 - 0.80])


def test_splits_of_one_data_set_have_their_sizes(file):
    results = read_results(file("experiment.arff", WEKA))
    assert results.unit == "split" and results.names == ("ZeroR", "J48")
    assert results.items == ("1.1", "2.1", "3.1")
    assert results.metrics == ("Percent_correct", "Root_mean_squared_error")
    assert results.higher_is_better["Root_mean_squared_error"] is False
    report = compare_scores(results, scoring="Percent_correct", systems=("J48", "ZeroR"))
    assert report.sample.n_train.tolist() == [100, 100, 100]
    assert report.sample.n_test.tolist() == [50, 50, 50]
    assert report.outcome.estimate == pytest.approx(95 - 33.3)
    assert "resampled" in report.test


def test_schemes_of_one_class_are_told_apart_by_their_options(file):
    other = WEKA.replace("rules.ZeroR,''", "trees.J48,'-C 0.1'").replace("{'',", "{'-C 0.1',")
    assert read_results(file("x.arff", other)).names == ("J48 -C 0.1", "J48 -C 0.25 -M 2")


def test_other_splits_of_two_files_are_refused(file):
    header, rows = WEKA.split("@data\n")
    zero, tree = rows.splitlines()[:3], rows.splitlines()[3:]
    parts = [
        file("a.arff", "\n".join([header, "@data", *zero])),
        file("b.arff", "\n".join([header, "@data", *tree]).replace(",100,50,", ",90,60,")),
    ]
    with pytest.raises(ValueError, match="n_train 90 in one row and 100 in another"):
        compare_scores(read_results(parts), scoring="Percent_correct")


ROWS = [
    {"model": "a", "question": "q1", "correct": 1, "latency": 2.5, "topic": "x"},
    {"model": "a", "question": "q2", "correct": 0, "latency": 1.5, "topic": "y"},
    {"model": "b", "question": "q1", "correct": 1, "latency": 3.5, "topic": "x"},
    {"model": "b", "question": "q2", "correct": None, "latency": 0.5, "topic": "y"},
]


def test_the_same_table_in_every_kind_of_file(file, tmp_path):
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    lines = "\n".join(json.dumps(row) for row in ROWS)
    csv = "\n".join(
        ",".join("" if cell is None else str(cell) for cell in row.values()) for row in ROWS
    )
    header = ",".join(ROWS[0])
    paths = [
        file("rows.json", json.dumps(ROWS)),
        file("columns.json", json.dumps(columns)),
        file("rows.jsonl", lines),
        file("rows.csv", f"\ufeff{header}\n{csv}\n"),
        file("rows.tsv", f"{header}\n{csv}\n".replace(",", "\t")),
        tmp_path / "rows.csv.gz",
        tmp_path / "rows.parquet",
    ]
    with gzip.open(paths[5], "wt") as packed:
        packed.write(f"{header}\n{csv}\n")
    polars = pytest.importorskip("polars")
    polars.DataFrame(ROWS).write_parquet(paths[6])
    for path in paths:
        results = read_results(path)
        assert results.names == ("a", "b"), path
        np.testing.assert_array_equal(results.scores["correct"], [1, 0, 1, np.nan])
        assert results.columns["topic"].tolist() == ["x", "y", "x", "y"]
        assert results.higher_is_better == {"correct": True, "latency": False}


def test_columns_of_systems_become_rows(file):
    wide = file("wide.csv", "question,topic,new,old\nq1,x,1,0\nq2,y,0,0\n")
    results = read_results(wide, columns={"systems": ["new", "old"]})
    assert results.names == ("new", "old") and results.metrics == ("score",)
    assert results.scores["score"].tolist() == [1, 0, 0, 0]
    with pytest.raises(ResultsError, match="names 'older', which is not a column"):
        read_results(wide, columns={"systems": ["new", "older"]})


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.csv",
            "task,framework,fold,result,metric\na,b,0,bad,auc\n",
            "row 1: result is 'bad'",
        ),
        ("x.csv", "dataset_fold_id,alg_name,Accuracy__test\na,b,0.5\n", "names no fold"),
        ("x.csv", "dataset,fold,metric,metric_error\na,0,rmse,1\n", "no column method or"),
        ("x.csv", "a,a\n1,2\n", "has the column 'a' twice"),
        ("x.csv", "item,score\n", "holds no rows"),
        ("x.json", '{"item": ["q"], "score": [1, 2]}', "neither a list of objects"),
        ("x.json", "[1, 2]", "row 1 is not an object with keys"),
        ("x.json", "[" * 100_000, "nested too deeply"),
        ("x.arff", "@attribute Key_Scheme numeric\n", "has no @data"),
        ("x.arff", "@attribute Key_Scheme string\n@data\na,b\n", "2 values for 1 attributes"),
    ],
)
def test_what_is_wrong_is_named(file, name, content, message):
    with pytest.raises(ResultsError, match=message):
        read_results(file(name, content))


def test_a_packed_file_that_was_cut_is_damaged(tmp_path):
    path = tmp_path / "x.csv.gz"
    path.write_bytes(gzip.compress(b"item,score\n" + b"q,1\n" * 999)[:-20])
    with pytest.raises(ResultsError, match="is damaged"):
        read_results(path)


def test_a_file_that_only_its_name_calls_parquet(file):
    pytest.importorskip("polars")
    with pytest.raises(ResultsError, match="is not a parquet file"):
        read_results(file("x.parquet", "PAR1"))


def test_parquet_needs_a_package(file, monkeypatch):
    for name in ("polars", "pyarrow"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ResultsError, match="which polars or pyarrow reads: pip install polars"):
        read_results(file("x.parquet", "PAR1"))
