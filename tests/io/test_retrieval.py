"""Scores of retrieval by query, as the tools print them."""

import subprocess
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from skstat import compare_scores
from skstat.io import ResultsError, read_results

TOPICS = [str(301 + i) for i in range(12)]
RNG = np.random.default_rng(0)
MAP = {name: RNG.random(12).round(4) for name in ("bm25", "dense")}


def printed(name, values=None):
    """What ``trec_eval -q`` prints: measures filled up to 22 letters, tabs, means last."""
    values = MAP[name] if values is None else values
    lines = [
        f"{measure:<22}\t{topic}\t{text}"
        for topic, value in zip(TOPICS, values, strict=True)
        for measure, text in (
            ("num_ret", "1000"),
            ("map", f"{value:.4f}"),
            ("P_10", f"{value / 2:.4f}"),
        )
    ]
    lines += [f"{'runid':<22}\tall\t{name}", f"{'map':<22}\tall\t{np.mean(values):.4f}"]
    lines += [f"{'gm_map':<22}\tall\t0.1", f"{'iprec_at_recall_0.00':<22}\tall\t0.5"]
    return "\n".join(lines) + "\n"


@pytest.fixture
def file(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_two_runs_of_trec_eval_are_compared_by_topic(file):
    paths = [file(f"{name}.txt", printed(name)) for name in MAP]
    results = read_results(paths)
    assert results.names == ("bm25", "dense") and results.metrics == ("map", "P_10")
    assert results.items == tuple(TOPICS) and results.unit == "instance"
    assert results.higher_is_better == {"map": True, "P_10": True}
    report = compare_scores(results, scoring="map")
    assert report.estimate == pytest.approx(np.mean(MAP["bm25"] - MAP["dense"]))
    assert len(report.sample.a) == 12


def test_a_run_is_called_by_its_id_its_file_or_the_caller(file):
    text = printed("bm25")
    assert read_results(file("a.txt", text)).names == ("bm25",)
    bare = "".join(line for line in text.splitlines(True) if not line.startswith("runid"))
    assert read_results(file("run_a.txt", bare)).names == ("run_a",)
    found = read_results({"mine": file("b.txt", text)})
    assert found.names == ("mine",) and found.sources[0].named == "bm25"


def test_means_alone_are_refused_and_so_are_two_runs_in_one_file(file):
    means = "".join(line for line in printed("bm25").splitlines(True) if "\tall\t" in line)
    with pytest.raises(ResultsError, match="has means only, and none for each query: .* -q"):
        read_results(file("a.txt", means))
    with pytest.raises(ResultsError, match="has map of query '301' twice"):
        read_results(file("b.txt", printed("bm25") + printed("dense")))
    said = printed("bm25") + 3 * "\n" + "segmentation fault\n"
    with pytest.raises(ResultsError, match="line 44 is 'segmentation fault', and not a mea"):
        read_results(file("c.txt", said), format="trec_eval")
    with pytest.raises(ResultsError, match="map of query '301' is 'x', and no number"):
        read_results(file("d.txt", f"{'map':<22}\t301\tx\n"))


def test_topics_that_a_run_lacks_are_found(file):
    fewer = "".join(line for line in printed("dense").splitlines(True) if "\t301\t" not in line)
    results = read_results([file("a.txt", printed("bm25")), file("b.txt", fewer)])
    report = compare_scores(results, scoring="map")
    assert len(report.sample.a) == 11 and [doubt.code for doubt in report.doubts] == ["SKS137"]


TSV = (
    "q1\tAP(rel=2)\t0.5000\nq1\tnDCG@10\t0.25\nq2\tAP(rel=2)\t1\nq1\tNumRet\t10\n"
    "all\tAP(rel=2)\t0.75\n"
)
JSONL = (
    '{"query_id": "q1", "measure": "nDCG@10", "value": 0.25}\n'
    '{"query_id": "q2", "measure": "nDCG@10", "value": 0.5}\n'
    '{"query_id": "all", "measure": "nDCG@10", "value": 0.375}\n'
)


def test_ir_measures_prints_lines_of_texts_or_json(file):
    found = read_results(file("bm25.tsv", TSV))
    assert found.names == ("bm25",) and found.items == ("q1", "q2")
    assert found.scores["AP(rel=2)"].tolist() == [0.5, 1.0]
    np.testing.assert_array_equal(found.scores["nDCG@10"], [0.25, np.nan])
    found = read_results(file("dense.jsonl", JSONL))
    assert found.metrics == ("nDCG@10",) and found.scores["nDCG@10"].tolist() == [0.25, 0.5]
    with pytest.raises(ResultsError, match="line 4 is"):
        read_results(file("c.jsonl", JSONL + '{"query_id": "q3"}\n'), format="ir_measures")


def ranx_run(name, scores):
    return SimpleNamespace(run={}, name=name, scores=scores, mean_scores={})


def test_runs_of_ranx_hold_their_scores():
    runs = [
        ranx_run(name, {"map": {"q1": value, "q2": 0.5}, "mrr": {"q1": 1.0, "q2": value}})
        for name, value in (("bm25", 0.1), ("dense", 0.9))
    ]
    found = read_results(runs)
    assert found.names == ("bm25", "dense") and found.metrics == ("map", "mrr")
    assert found.take(systems=["dense"]).scores["map"].tolist() == [0.9, 0.5]
    with pytest.raises(ResultsError, match="the run 'bm25' of ranx has no scores yet"):
        read_results(ranx_run("bm25", {}))
    with pytest.raises(ResultsError, match="has no name: pass a mapping"):
        read_results(ranx_run(None, {"map": {"q1": 1.0}}))
    assert read_results({"x": ranx_run(None, {"map": {"q1": 1.0}})}).names == ("x",)


QRELS = {"q1": {"d1": 1, "d2": 1}, "q2": {"d3": 1}}
RANKED = {"q1": {"d1": 0.9, "d9": 0.8}, "q2": {"d8": 0.5, "d3": 0.4}}


@pytest.mark.ecosystem
def test_what_ir_measures_prints(tmp_path):
    ir_measures = pytest.importorskip("ir_measures")
    rows = [(q, d, value) for q, docs in QRELS.items() for d, value in docs.items()]
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("".join(f"{q} 0 {d} {value}\n" for q, d, value in rows))
    rows = [(q, d, value) for q, docs in RANKED.items() for d, value in docs.items()]
    run.write_text("".join(f"{q} Q0 {d} 1 {value} bm25\n" for q, d, value in rows))
    measures = ("AP", "nDCG@10", "P(rel=1)@1")
    expected = {
        (str(each.measure), each.query_id): each.value
        for each in ir_measures.iter_calc(
            [ir_measures.parse_measure(name) for name in measures], QRELS, RANKED
        )
    }
    for kind in ("tsv", "jsonl"):
        command = [sys.executable, "-m", "ir_measures", qrels, run, *measures, "-q", "-o", kind]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        path = tmp_path / f"bm25.{kind}"
        path.write_text(said)
        found = read_results(path)
        assert len(expected) == 6 == found.scores["AP"].size * 3
        for (measure, query), value in expected.items():
            place = found.items.index(query)
            assert found.scores[measure][place] == pytest.approx(value, abs=5e-5)


@pytest.mark.ecosystem
def test_what_ranx_leaves_in_a_run():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ranx = pytest.importorskip("ranx")
        run = ranx.Run(RANKED, name="bm25")
        ranx.evaluate(ranx.Qrels(QRELS), run, ["map", "ndcg@10"])
    found = read_results(run)
    assert found.names == ("bm25",) and found.items == ("q1", "q2")
    assert found.scores["map"] == pytest.approx([0.5, 0.5])
