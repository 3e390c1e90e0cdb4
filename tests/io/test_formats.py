"""Every format says what it is, and knows its own from those of others."""

from skstat.io._formats import FORMATS, Given, recognised
from tests.cases import in_one_test

SAID = {"system", "item", "scores"}


@in_one_test("known", FORMATS, ids=lambda known: known.name)
def test_a_format_says_what_it_reads(known):
    assert set(known.reads) >= SAID
    assert all(said.endswith((".", "``.")) for said in known.reads.values())


def test_names_are_not_taken_twice():
    assert len({known.name for known in FORMATS}) == len(FORMATS)


@in_one_test(
    ("name", "start", "format_of_it"),
    [
        ("x.eval", "", "inspect"),
        ("x.json", '{"version": 2, "status": "success", "eval": {"task_id": "x"', "inspect"),
        ("results_2026-01-01T00-00-00.json", '{"results": {"arc": {"alias": "arc"', "lm_eval"),
        ("old.json", '{\n  "results": {\n    "arc": {\n      "acc,none": 0.5', "lm_eval"),
        ("samples_arc_easy_2026-01-01T00-00-00.123.jsonl", "{", "lm_eval"),
        ("per_instance_stats.json", "[", "helm"),
        ("x.json", '{"evalId": "e", "results": {"version": 3, "timestamp"', "promptfoo"),
        ("x.json", '{\n "evalId": null,\n "results": {\n "version": 4', "promptfoo"),
        ("m.run.json", '{"total_instances": 500', "swe_bench"),
        ("results.json", '{"no_generation": [], "no_logs": [], "resolved": []}', "swe_bench"),
        ("results.json", '{\n    "resolved": [\n', "swe_bench"),
        ("x.json", '{"a__b-1": {"cost": 0.1, "resolved": true}', "swe_bench"),
        ("run.txt", "map                   \t301\t0.1234\n", "trec_eval"),
        ("run.csv", "runid                 \tall\tbm25\nP_10   all 0.5\n", "trec_eval"),
        ("run.tsv", "301\tnDCG@10\t0.5000\n", "ir_measures"),
        ("run.tsv", "301\tnDCG@10\t0.5000\n302\tP(rel=2)@5\t0.1", "ir_measures"),
        ("x.jsonl", '{"query_id": "q", "measure": "AP", "value": 0.5}\n', "ir_measures"),
        ("x.tsv", "query\tmap\t0.5\nq1\t0.1\t0.2\n", "table"),
        ("x.csv", "a,b", "table"),
        ("samples.jsonl", '{"id": 1}', "table"),
        ("x.json", '{"scores": [1, 2]}', "table"),
        ("x.json", '[{"id": 1}]', "table"),
        ("x.txt", "hello", None),
    ],
)
def test_a_file_is_known_by_its_name_and_its_start(tmp_path, name, start, format_of_it):
    path = tmp_path / name
    path.write_text(start)
    found = recognised(Given(path))
    assert (found and found.name) == format_of_it
