"""Archives and JSON that nobody vouches for are refused, within bounded memory."""

import io
import json
import struct
import sys
import tracemalloc
import zipfile
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skstat.io import Results, ResultsError, read_results
from skstat.io._formats import archive as _archive
from skstat.io._formats import inspect_logs as _inspect
from tests.cases import in_one_test

HEADER = {
    "version": 2, "status": "success",
    "eval": {"task": "quiz", "model": "m", "dataset": {"samples": 1}},
}  # fmt: skip
SAMPLE = {
    "id": "q1", "epoch": 1, "input": "?", "target": "x", "scores": {"match": {"value": "C"}}
}  # fmt: skip


def packed(members, method=zipfile.ZIP_DEFLATED):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, content in members:
            text = content if isinstance(content, str | bytes) else json.dumps(content)
            archive.writestr(name, text)
    return made.getvalue()


WHOLE = packed([("header.json", HEADER), ("summaries.json", [SAMPLE])])


def refused(tmp_path, content, message):
    path = tmp_path / "log.eval"
    path.write_bytes(content)
    with pytest.raises(ResultsError, match=message):
        read_results(path)


def zstandard_archive(members, zstandard):
    """An archive whose members are packed with Zstandard, as Inspect writes them."""
    made, directory = io.BytesIO(), io.BytesIO()
    for name, content in members:
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        data = zstandard.ZstdCompressor().compress(text)
        common = struct.pack(
            "<5H3L2H", 20, 0, 93, 0, 33, zlib.crc32(text), len(data), len(text), len(name), 0
        )
        directory.write(b"PK\x01\x02" + struct.pack("<H", 20) + common)
        directory.write(struct.pack("<3H2L", 0, 0, 0, 0, made.tell()) + name.encode())
        made.write(b"PK\x03\x04" + common + name.encode() + data)
    size, at = directory.tell(), made.tell()
    made.write(directory.getvalue() + b"PK\x05\x06")
    made.write(struct.pack("<4H2LH", 0, 0, len(members), len(members), size, at, 0))
    return made.getvalue()


def test_the_whole_log_is_read(tmp_path):
    path = tmp_path / "log.eval"
    path.write_bytes(WHOLE)
    assert read_results(path).scores["match"].tolist() == [1]


@in_one_test(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"not a zip archive", "its start is missing"),
        (b"PK\x03\x04 and no more", "not a whole zip archive"),
        (WHOLE[:-30], "not a whole zip archive"),
        (WHOLE[:-22] + b"PK\x05\x06" + b"\xff" * 18, "not a whole zip archive"),
        (packed([("readme.txt", "x")]), "no log of Inspect"),
        (packed([("../header.json", HEADER)]), "leads out of the archive"),
        (packed([("/etc/header.json", HEADER)]), "leads out of the archive"),
        (packed([("a\\..\\..\\header.json", HEADER)]), "leads out of the archive"),
        (packed([("C:header.json", HEADER)]), "leads out of the archive"),
        (packed([("header.json", HEADER)], zipfile.ZIP_BZIP2), "packed by method 12"),
        (packed([("header.json", HEADER)], zipfile.ZIP_LZMA), "packed by method 14"),
        (packed([("header.json", "[" * 100_000)]), "nested too deeply"),
        (packed([("header.json", "[1]")]), "is not an object with keys"),
        (packed([("header.json", b"\xff\xfe{")]), "is not JSON"),
        (packed([("header.json", '{"n": 1' + "0" * 5000 + "}")]), "is not JSON"),
        (packed([("header.json", HEADER), ("summaries.json", "{}")]), "is not a list"),
        (packed([("header.json", HEADER), ("summaries.json", "[3]")]), "a sample is not an"),
        (packed([("header.json", HEADER), ("summaries.json", [])]), "holds no samples"),
        (packed([("header.json", HEADER), ("summaries.json", [SAMPLE | {"id": 1.5}])]), " is"),
        (packed([("header.json", HEADER | {"eval": 3})]), "eval is not"),
    ],
)  # fmt: skip
def test_what_is_no_log_is_refused(tmp_path, content, message):
    refused(tmp_path, content, message)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path):
    twice = [("header.json", HEADER), ("summaries.json", [SAMPLE]), ("summaries.json", [])]
    refused(tmp_path, packed(twice), "two members called 'summaries.json'")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_a_sample_that_was_tried_again_the_last_counts(tmp_path):
    path = tmp_path / "log.eval"
    name, wrong = "samples/q1_epoch_1.json", {"match": {"value": "I"}}
    first = SAMPLE | {"scores": wrong}
    path.write_bytes(packed([("header.json", HEADER), (name, first), (name, SAMPLE)]))
    assert read_results(path).scores["match"].tolist() == [1]


def test_a_member_that_says_it_is_huge_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(_archive, "MEMBER_LIMIT", 1000)
    long = packed([("header.json", HEADER), ("summaries.json", " " * 2000)])
    refused(tmp_path, long, "says that it unpacks to more than 1,000 bytes")


def test_all_members_together_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(_archive, "TOTAL_LIMIT", 3000)
    samples = [(f"samples/q{i}_epoch_1.json", SAMPLE | {"input": "x" * 900}) for i in range(4)]
    refused(tmp_path, packed([("header.json", HEADER), *samples]), "more than")


def lying(content, declared):
    """The archive, whose members all say that they unpack to so many bytes."""
    found = bytearray(content)
    at = -1
    while (at := found.find(b"PK\x01\x02", at + 1)) >= 0:
        struct.pack_into("<L", found, at + 24, declared)
    return bytes(found)


def peak(run):
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_bomb_that_lies_of_its_size_is_stopped(tmp_path):
    bomb = lying(packed([("header.json", b" " * 60_000_000)]), 10)
    assert len(bomb) < 100_000
    used = peak(lambda: refused(tmp_path, bomb, "is damaged"))
    assert used < 10_000_000


def test_a_bomb_of_empty_lists_is_not_parsed(tmp_path, monkeypatch):
    """It would take 20 times the memory of its text, which is 1000 times the file."""
    monkeypatch.setattr(_inspect, "VALUES_LIMIT", 1_000_000)
    lists = b"[" + b"[]," * 1_000_000 + b"[]]"
    bomb = packed([("header.json", HEADER), ("summaries.json", lists)])
    used = peak(lambda: refused(tmp_path, bomb, "more than 1,000,000 values"))
    assert used < 3 * len(lists)


def test_a_bomb_of_zstandard_is_stopped(tmp_path, monkeypatch):
    zstandard = pytest.importorskip("zstandard")
    path = tmp_path / "log.eval"
    members = [("header.json", HEADER), ("summaries.json", [SAMPLE])]
    path.write_bytes(zstandard_archive(members, zstandard))
    assert read_results(path).scores["match"].tolist() == [1]
    bomb = zstandard_archive([("header.json", b" " * 60_000_000)], zstandard)
    monkeypatch.setattr(_archive, "MEMBER_LIMIT", 1_000_000)
    refused(tmp_path, bomb, "says that it unpacks to more")
    used = peak(lambda: refused(tmp_path, lying(bomb, 10), "unpacks to more than"))
    assert used < 10_000_000


def test_a_package_for_zstandard_is_named(tmp_path, monkeypatch):
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    other = bytearray(packed([("header.json", HEADER)], zipfile.ZIP_STORED))
    struct.pack_into("<H", other, other.find(b"PK\x01\x02") + 10, 93)
    refused(tmp_path, bytes(other), "pip install zstandard")


def test_a_long_list_of_members_is_not_read(tmp_path):
    ends = bytearray(WHOLE)
    struct.pack_into("<L", ends, len(ends) - 10, _archive.DIRECTORY_LIMIT + 1)
    refused(tmp_path, bytes(ends), "too long a list of members")


@settings(max_examples=100, deadline=None)
@given(
    changes=st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=4
    ),
    end=st.integers(1, len(WHOLE)),
)
def test_damaged_archives_are_refused_or_read(tmp_path_factory, changes, end):
    content = bytearray(WHOLE)
    for at, byte in changes:
        content[at] = byte
    path = tmp_path_factory.getbasetemp() / "damaged.eval"
    path.write_bytes(bytes(content[:end]) if end % 4 == 0 else bytes(content))
    try:
        assert isinstance(read_results(path), Results)
    except ResultsError:
        return


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["value", "id", "match", "role", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(["id", "epoch", "input", "target", "scores", "metadata", "error"])
ABOUT = st.sampled_from(
    ["task", "task_version", "model", "dataset", "config", "scorers", "packages", "model_args"]
)


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(st.dictionaries(KEYS, VALUES, max_size=3), min_size=1, max_size=3),
    about=st.dictionaries(ABOUT, VALUES, max_size=2),
)
def test_values_of_other_types_are_refused_or_read(tmp_path_factory, rows, about):
    whole = {
        **HEADER, "eval": HEADER["eval"] | about,
        "samples": [SAMPLE | {"id": str(n)} | row for n, row in enumerate(rows)],
    }  # fmt: skip
    path = tmp_path_factory.getbasetemp() / "other.json"
    path.write_text(json.dumps(whole))
    try:
        found = read_results(path, format="inspect")
    except ResultsError:
        return
    assert all(column.dtype == np.float64 for column in found.scores.values())
