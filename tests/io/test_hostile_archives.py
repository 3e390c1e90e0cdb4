"""Archives and JSON that nobody vouches for are refused, within bounded memory."""

import io
import json
import struct
import sys
import tracemalloc
import zipfile
import zlib

import pytest

from skstat.io import read_results
from tests.cases import in_one_test
from tests.io.written import archive, header, refused, sample

HEADER, SAMPLE = header(), sample()


def packed(members, method=zipfile.ZIP_DEFLATED):
    made = io.BytesIO()
    archive(made, members, method)
    return made.getvalue()


WHOLE = packed([("header.json", HEADER), ("summaries.json", [SAMPLE])])


def zstandard_archive(members, zstandard):
    """An archive whose members are packed with Zstandard, as Inspect writes them."""
    texts = {name: json.dumps(content).encode() for name, content in members.items()}
    packer, at = zstandard.ZstdCompressor(), -1
    data = {name: packer.compress(text) for name, text in texts.items()}
    made = bytearray(packed(data, zipfile.ZIP_STORED))
    for text in texts.values():
        at = made.find(b"PK\x01\x02", at + 1)
        struct.pack_into("<H", made, at + 10, 93)
        struct.pack_into("<L", made, at + 16, zlib.crc32(text))
        struct.pack_into("<L", made, at + 24, len(text))
    return bytes(made)


@in_one_test(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"not a zip archive", "its start is missing"),
        (b"PK\x03\x04 and no more", "not a whole zip archive"),
        (WHOLE[:-30], "not a whole zip archive"),
        (WHOLE[:-22] + b"PK\x05\x06" + b"\xff" * 18, "not a whole zip archive"),
        (packed([("readme.txt", "x")]), "no log of Inspect"),
        (packed([("header.json", HEADER)], zipfile.ZIP_BZIP2), "packed by method 12"),
        (packed([("header.json", HEADER)], zipfile.ZIP_LZMA), "packed by method 14"),
        (packed([("header.json", "[" * 100_000)]), "nested too deeply"),
        (packed([("header.json", "[1]")]), "is not an object with keys"),
        (packed([("header.json", b"\xff\xfe{")]), "JSON.: "),
        (packed([("header.json", '{"n": 1' + "0" * 5000 + "}")]), "JSON.: "),
        (packed([("header.json", HEADER), ("summaries.json", "{}")]), "is not a list"),
        (packed([("header.json", HEADER), ("summaries.json", "[3]")]), "a sample is not an"),
        (packed([("header.json", HEADER), ("summaries.json", [])]), "holds no samples"),
        (packed([("header.json", HEADER), ("summaries.json", [SAMPLE | {"id": 1.5}])]), " is"),
        (packed([("header.json", HEADER | {"eval": 3})]), "eval is not"),
    ],
)  # fmt: skip
def test_what_is_no_log_is_refused(file, content, message):
    refused(file("log.eval", content), message)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(file):
    twice = [("header.json", HEADER), ("summaries.json", [SAMPLE]), ("summaries.json", [])]
    refused(file("log.eval", packed(twice)), "two members called 'summaries.json'")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_a_sample_that_was_tried_again_the_last_counts(file):
    name, wrong = "samples/q1_epoch_1.json", {"match": {"value": "I"}}
    first = SAMPLE | {"scores": wrong}
    path = file("log.eval", packed([("header.json", HEADER), (name, first), (name, SAMPLE)]))
    assert read_results(path).scores["match"].tolist() == [1]


def lying(content, declared):
    """The archive, whose members after the first say that they unpack to so many bytes."""
    found = bytearray(content)
    at = found.find(b"PK\x01\x02") - (content.count(b"PK\x01\x02") == 1)
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


def test_a_member_that_says_it_is_huge_is_not_unpacked(file):
    huge = file("log.eval", lying(WHOLE, 1 << 30))
    refused(huge, "says that it unpacks to over 536,870,912")


def test_all_members_together_are_bounded(file):
    for name in ("samples/q{}_epoch_1.json", "_journal/summaries/{}.json"):
        members = [(name.format(i), SAMPLE) for i in range(9)]
        many = lying(packed([("header.json", HEADER), *members]), 1 << 28)
        refused(file("log.eval", many), r"log\.eval unpacks to more than 2,147,483,648 bytes")


def test_a_bomb_that_lies_of_its_size_is_stopped(file):
    bomb = lying(packed([("header.json", b" " * 60_000_000)]), 10)
    assert len(bomb) < 100_000
    used = peak(lambda: refused(file("log.eval", bomb), "is damaged"))
    assert used < 10_000_000


def test_a_bomb_of_empty_lists_is_not_parsed(file):
    """It would take 20 times the memory of its text, which is 1000 times the file."""
    lists = b"[" + b"[]," * 10_000_000 + b"[]]"
    bomb = packed([("header.json", HEADER), ("summaries.json", lists)])
    used = peak(lambda: refused(file("log.eval", bomb), "more than 20,000,000 values"))
    assert used < 3 * len(lists)


def test_a_bomb_of_zstandard_is_stopped(file):
    zstandard = pytest.importorskip("zstandard")
    whole = {"header.json": HEADER, "summaries.json": [SAMPLE]}
    path = file("log.eval", zstandard_archive(whole, zstandard))
    assert read_results(path).scores["match"].tolist() == [1]
    bomb = zstandard_archive({"header.json": " " * 60_000_000}, zstandard)
    used = peak(lambda: refused(file("log.eval", lying(bomb, 10)), "more than the 10 bytes"))
    assert used < 10_000_000


def test_a_package_for_zstandard_is_named(file, monkeypatch):
    for name in ("compression.zstd", "backports.zstd", "zstandard"):
        monkeypatch.setitem(sys.modules, name, None)
    other = bytearray(packed([("header.json", HEADER)], zipfile.ZIP_STORED))
    struct.pack_into("<H", other, other.find(b"PK\x01\x02") + 10, 93)
    refused(file("log.eval", bytes(other)), "pip install zstandard")
