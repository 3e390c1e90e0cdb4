"""Scores of retrieval by query, as the tools print them."""

import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from skstat import compare_scores
from skstat.io import read_results
from tests.cases import codes
from tests.io.written import refused

TWENTY = [str(301 + i) for i in range(20)]
TOPICS = TWENTY[:12]
RNG = np.random.default_rng(0)
MAP = {name: RNG.random(12).round(4) for name in ("bm25", "dense")}


def printed(name):
    """What ``trec_eval -q`` prints: measures filled up to 22 letters, tabs, means last."""
    lines = [
        f"{measure:<22}\t{topic}\t{text}"
        for topic, value in zip(TOPICS, MAP[name], strict=True)
        for measure, text in (
            ("num_ret", "1000"),
            ("map", f"{value:.4f}"),
            ("P_10", f"{value / 2:.4f}"),
        )
    ]
    lines += [f"{'runid':<22}\tall\t{name}", f"{'map':<22}\tall\t{np.mean(MAP[name]):.4f}"]
    lines += [f"{'gm_map':<22}\tall\t0.1", f"{'iprec_at_recall_0.00':<22}\tall\t0.5"]
    return "\n".join(lines) + "\n"


def test_two_runs_of_trec_eval_are_compared_by_topic(file):
    paths = [file(f"{name}.txt", printed(name)) for name in MAP]
    results = read_results(paths)
    assert results.names == ("bm25", "dense") and results.metrics == ("map", "P_10")
    assert results.items == tuple(TOPICS) and results.unit == "instance"
    assert results.higher_is_better == {"map": True, "P_10": True}
    report = compare_scores(results, scoring="map")
    assert report.estimate == pytest.approx(np.mean(MAP["bm25"] - MAP["dense"]))
    assert len(report.evidence.sample.a) == 12


def test_means_alone_are_refused_and_so_are_two_runs_in_one_file(file):
    means = "".join(line for line in printed("bm25").splitlines(True) if "\tall\t" in line)
    refused(file("a.txt", means), "has means only: .* -q")
    both = file("b.txt", printed("bm25") + "runid \tall\tdense\n")
    refused(both, "holds 2 runs .bm25, dense.")
    broken = file("c.txt", printed("bm25") + 3 * "\n" + "segmentation fault\n")
    refused(broken, "line 44 is 'segmentation fault', and not a mea", format="trec_eval")
    refused(file("d.txt", f"{'map':<22}\t301\tx\n"), "map of query '301' is 'x', and no number")


def lines_of(name, values, topics, *, left_out=(), cover=True, n_queries=True, measure="map"):
    """What trec_eval -q prints up to 9.0.8: with -c the means alone count all topics."""
    there = {t: round(x, 4) for t, x in zip(topics, values, strict=True) if t not in left_out}
    n = len(topics) if cover else len(there)
    lines = [f"{'runid':<22}\tall\t{name}"]
    lines += [f"{measure:<22}\t{topic}\t{x:.4f}" for topic, x in there.items()]
    lines += [f"{'num_q':<22}\tall\t{n}"] * n_queries
    lines += [f"{measure:<22}\tall\t{sum(there.values()) / n:.4f}"]
    return "\n".join(lines) + "\n"


MEASURES = ["map", "Rprec_mult_0.20", "rbp", "ndcg_cut_10"]


@pytest.mark.parametrize("n_queries", [True, False])
@pytest.mark.parametrize(("measure", "left_out"), [("map", 2), *product(MEASURES, [0])])
def test_topics_that_only_the_means_count_score_0(file, n_queries, measure, left_out):
    # The first run lacks those that no run has results for.
    how = {"n_queries": n_queries, "measure": measure}
    rng = np.random.default_rng(3)
    scores = rng.random((2, 20)).round(4)
    paths = [
        file(name, lines_of(name, own, TWENTY, left_out=TWENTY[:lost], **how))
        for name, own, lost in zip(("a", "b"), scores, (left_out, 4), strict=True)
    ]
    report = compare_scores(read_results(paths), scoring=measure, random_state=0)
    scores[0, :left_out] = scores[1, :4] = 0
    own = compare_scores(dict(zip("ab", scores, strict=True)), unit="instance", random_state=0)
    assert report.n_units == 20 and report.pvalue == own.pvalue
    assert report.estimate == pytest.approx(own.estimate)
    assert any("4 topics, which score 0" in note for note in report.design["read"])
    assert "SKS120" not in codes(report)


def test_means_that_lines_do_not_add_up_to_are_refused(file):
    values = np.random.default_rng(5).random(20)
    text = lines_of("a", values, TWENTY, left_out=TWENTY[:4])
    wrong = text.replace("num_q                 \tall\t20", "num_q                 \tall\t25")
    refused(file("a.txt", wrong), "not their sum")
    lost = "".join(line for line in text.splitlines(True) if "\t306\t" not in line)
    refused(file("a.txt", lost), "not their sum")
    # Of runs that were evaluated on other topics nobody knows which score 0.
    other = lines_of("b", values[:18], [f"x{topic}" for topic in TWENTY[:18]])
    refused([file("a.txt", text), file("b.txt", other)], "cannot be told|same qrels")


ALL_TREC = """
    num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall_0.00
    iprec_at_recall_0.10 P_5 P_1000 relstring_10 recall_5 infAP gm_bpref Rprec_mult_0.20
    Rprec_mult_2.00 utility_1.00,-1.00,0.00,0.00 utility 11pt_avg binG G ndcg ndcg_rel Rndcg
    ndcg_cut_5 map_cut_1000 relative_P_5 success_1 set_P set_relative_P set_recall set_map set_F
    set_F_0.5 num_nonrel_judged_ret P_avgjg Rprec_avgjg map_avgjg rbp rbp_0.80 rbp_resid
    rbp_resid_0.80 unj_5 unj_10 prefs_simp yaap
"""


def test_all_measures_of_trec_eval_are_read(file):
    names = ALL_TREC.split()
    lines = [f"{name:<22}\t{topic}\t0.5" for topic in TOPICS for name in names]
    results = read_results(file("all.txt", "\n".join([f"{'runid':<22}\tall\tx", *lines])))
    assert results.sources[0].format == "trec_eval" and len(results.items) == 12
    counts = {"num_q", "num_ret", "gm_map", "relstring_10", "rbp_resid_0.80", "unj_5"}
    assert {"map", "Rprec_mult_0.20", "rbp_0.80", "set_F_0.5"} <= set(results.metrics)
    assert not counts & set(results.metrics)


def test_topics_that_a_run_lacks_are_found(file):
    fewer = lines_of("dense", MAP["dense"], TOPICS, left_out=["301"], cover=False)
    results = read_results([file("a.txt", printed("bm25")), file("b.txt", fewer)])
    report = compare_scores(results, scoring="map")
    assert len(report.evidence.sample.a) == 11 and codes(report) == {"SKS120"}


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
    refused(file("c.jsonl", JSONL + '{"query_id": "q3"}\n'), "line 4 is", format="ir_measures")


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
