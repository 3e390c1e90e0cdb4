"""Every format that `read_results` knows is held to one contract, by a small file of it."""

import contextlib
import json
import re
import shutil
from itertools import product

import numpy as np
import pytest

from skstat import compare_scores
from skstat.io import ResultsError, read_results
from tests.cases import in_one_test
from tests.io.written import TIME, WRITERS, as_text, refused

RIGHT, OTHER = [1, 0, 1, 1, 0, 1], [0, 0, 1, 0, 0, 1]
# Of objects in memory: see test_objects.py.
OF_OBJECTS = {"skore"}
every = in_one_test(("kind", "write"), WRITERS.items(), ids=list(WRITERS))


def test_every_format_has_a_file_here():
    with pytest.raises(ResultsError, match="is unknown; use one of") as found:
        read_results(__file__, format="?")
    known = re.findall(r"'(\w+)'", str(found.value))
    assert sorted(known) == sorted({kind.split(",")[0] for kind in WRITERS} | OF_OBJECTS)


def same(one, other):
    assert one.items == other.items and one.metrics == other.metrics
    assert one.higher_is_better == other.higher_is_better
    for metric in one.metrics:
        np.testing.assert_array_equal(one.scores[metric], other.scores[metric])


@every
def test_a_file_is_known_and_read_however_it_is_given(tmp_path, kind, write):
    path = write(tmp_path / kind, "mine", RIGHT)
    found, name = read_results(path), kind.split(",")[0]
    (source,) = found.sources
    assert (source.system, source.format, source.path) == ("mine", name, str(path))
    assert found.names == ("mine",) and found.unit == "instance" and found.repeat is None
    assert sorted(found.scores[found.metrics[0]]) == sorted(RIGHT)
    assert found.higher_is_better[found.metrics[0]]
    for given, format_name in ((str(path), None), (path, name), ([path], None)):
        same(found, read_results(given, format=format_name))
    renamed = read_results({"new": path})
    same(found, renamed)
    assert (renamed.names, renamed.sources[0].system) == (("new",), "new")
    if source.run:
        refused([renamed, path], "'new' and 'mine' are the same run")


@every
def test_two_files_are_paired_by_item(tmp_path, kind, write):
    paths = [write(tmp_path / kind / s, s, own) for s, own in (("a", RIGHT), ("b", OTHER))]
    found = read_results(paths[::-1])
    report = compare_scores(found, scoring=found.metrics[0], random_state=0)
    assert found.names == ("b", "a") and report.n_units == 6
    assert report.estimate == pytest.approx(np.mean(OTHER) - np.mean(RIGHT))
    assert report.evidence.sample.a.tolist() != report.evidence.sample.b.tolist()
    refused([paths[0], paths[0]], "a system called 'a'")


@every
def test_files_that_are_not_there_or_hold_nothing(tmp_path, kind, write):
    path = write(tmp_path / kind, "a", RIGHT)
    kept = path if path.is_file() else next(path.glob("*.jsonl"), path / "instances.json")
    name = kind.split(",")[0]
    kept.write_bytes(b"")
    refused(path, r"is empty|not a whole zip|no samples|JSON.: ")
    shutil.rmtree(tmp_path / kind)
    for format_name in (None, name):
        refused(path, "not exist|cannot be read|is not a|beside it", format=format_name)


# What nobody vouches for is read, or refused as what it is; nothing else is raised.

BITS = [
    b"\0", b"\xff", b"\xed\xa0\x80", b'"', b",", b"\n", b"\r", b"\\ud800", b"[", b"}", b"1e999",
    b"NaN", b"-Infinity", b"null", b"true", b"9" * 5000, b"[[" * 3000, b"\xef\xbb\xbf", b"yes",
    b"[1,[2]]", b'{"a":1}', b"\x1f\x8b", b"item", b"PK\x01\x02", b"",
]  # fmt: skip
ODD = [None, True, -3, 1.5, float("nan"), "x" * 200, [[1]], {"value": [1]}, 10**400]


def files_of(path):
    return [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())


def refused_or_read(path, kind, **options):
    with contextlib.suppress(ResultsError):
        found = read_results(path, format=kind.split(",")[0], **options)
        assert all(column.dtype == np.float64 for column in found.scores.values())


@every
def test_damaged_files_are_refused_or_read(tmp_path, kind, write):
    path = write(tmp_path / kind, "a", RIGHT)
    rng = np.random.default_rng(0)
    for file in files_of(path):
        whole = file.read_bytes()
        for _ in range(60):
            content = bytearray(whole)
            for _ in range(rng.integers(1, 4)):
                at, byte = int(rng.integers(len(content) + 1)), rng.bytes(1)
                bit = byte if rng.random() < 0.5 else BITS[rng.integers(len(BITS))]
                content[at : at + int(rng.integers(1, 9))] = bit
            end = rng.integers(len(content)) if byte < b"\x30" else None
            file.write_bytes(content[:end])
            refused_or_read(path, kind, allow="unfinished" if byte < b"\x80" else ())
        file.write_bytes(whole)


def places_in(value, place=()):
    yield place
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, part in value.items() if isinstance(value, dict) else ():
        yield from places_in(part, (*place, key))


def with_odd(value, place, odd):
    if not place:
        return odd
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[place[0]] = with_odd(value[place[0]], place[1:], odd)
    return changed


@every
def test_values_of_other_types_are_refused_or_read(tmp_path, kind, write):
    path = write(tmp_path / kind, "a", [1, 0])
    for file in files_of(path):
        if not file.suffix.startswith(".json"):
            continue
        first, *others = file.read_text().splitlines()
        value = json.loads(first)
        for place, odd in product(places_in(value), ODD):
            as_text(file, json.dumps(with_odd(value, place, odd)), *others)
            refused_or_read(path, kind)
        as_text(file, first, *others)


# Files that begin alike


NO_SAMPLES, NOT_ALL = "run lm_eval with --log_samples", "names the instances that were solved"


@in_one_test(
    ("name", "text", "found"),
    [
        (f"results_{TIME}.json", '{"results": {"arc": {"alias": "arc"}}}', NO_SAMPLES),
        ("old.json", '{\n  "results": {\n    "arc": {\n      "acc,none": 0.5}}}', NO_SAMPLES),
        (f"samples_arc_{TIME}.jsonl", '{"metrics": []}', "task arc: doc_id is not a text"),
        ("per_instance_stats.json", "[]", "no run_spec.json beside it"),
        ("x.json", '{"evalId": "e", "results": {"version": 3, "results": []}}', "no results"),
        ("x.json", '{\n "evalId": null,\n "results": {\n "version": 4}}', "no results"),
        ("m.run.json", '{"total_instances": 500}', "total_instances is not an object"),
        ("results.json", '{"no_generation": [], "no_logs": [], "resolved": []}', NOT_ALL),
        ("results.json", '{\n    "resolved": [\n"a__b-1"]}', NOT_ALL),
        ("x.json", '{"a__b-1": {"cost": 0.1, "resolved": true}}', "swe_bench"),
        ("run.txt", "map                   \t301\t0.1234\n", "trec_eval"),
        ("run.csv", "runid    \tall\tbm25\nP_10   1 0.5\nP_10   all 0.5\n", "trec_eval"),
        ("run.tsv", "301\tnDCG@10\t0.5000\n", "ir_measures"),
        ("run.tsv", "301\tnDCG@10\t0.5000\n301\tP(rel=2)@5\t0.1\n", "ir_measures"),
        ("x.jsonl", '{"query_id": "q", "measure": "AP", "value": 0.5}\n', "ir_measures"),
        ("x.tsv", "query\tmap\t0.5\nq1\t0.1\t0.2\n", "write names of columns above it"),
        ("samples.jsonl", '{"id": 1, "correct": 1}', "table"),
        ("x.json", '{"item": [1, 2], "score": [1, 2]}', "table"),
        ("x.json", '{"schema": "skstat.report", "scores": [1]}', "a report that skstat wrote"),
        ("x.txt", "hello", "is in no format that skstat knows"),
    ],
)  # fmt: skip
def test_files_that_look_alike_are_told_apart(tmp_path, name, text, found):
    path = tmp_path / name
    path.write_text(text)
    if " " not in found:
        assert read_results(path).sources[0].format == found
        return
    refused(path, found)
