"""Records are kept whole or not at all, whatever happens to their writers."""

import errno
import os
import re
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from skstat.evaluation._fold import FoldRecord
from skstat.evaluation._kept import Store, StoreWarning
from tests.cases import in_one_test

KEY = "ab" + 38 * "0"


def record(number=0, rows=10):
    """Build a record all of whose parts tell its number."""
    return FoldRecord(
        cell=(number, number),
        scores={"accuracy": number / 3, "f1": np.float64(number) / 7},
        fit_time=number / 11,
        score_time=number / 13,
        predictions=np.full(rows, number),
    )


def same(a, b):
    return (
        (a.cell, a.scores, a.fit_time, a.score_time, a.failure)
        == (b.cell, b.scores, b.fit_time, b.score_time, b.failure)
        and np.array_equal(a.predictions, b.predictions)
        and np.asarray(a.predictions).dtype == np.asarray(b.predictions).dtype
    )


@pytest.fixture
def store(tmp_path):
    return Store.of(tmp_path)


def path_of(store, key):
    (path,) = Path(store.folder).rglob(key)
    return path


def test_truncated_files_are_recomputed(store):
    store.save(KEY, record(3))
    path = path_of(store, KEY)
    content = path.read_bytes()
    for length in [*range(0, len(content), 25), len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.warns(StoreWarning, match=f"{KEY} cannot be used and is recomputed"):
            assert store.load(KEY) is None
    store.save(KEY, record(3))
    assert same(store.load(KEY), record(3))


def test_flipped_bits_are_found(store):
    store.save(KEY, record(3, rows=500))
    path = path_of(store, KEY)
    content = path.read_bytes()
    for position in range(0, len(content), 50):
        spoiled = bytearray(content)
        spoiled[position] ^= 1 << position % 8
        path.write_bytes(spoiled)
        with pytest.warns(StoreWarning, match="checksum"):
            assert store.load(KEY) is None


def test_predictions_that_cannot_be_pickled_cost_a_warning(store):
    with pytest.warns(StoreWarning, match="could not be kept"):
        store.save(KEY, FoldRecord(cell=(0, 0), predictions=lambda: 0))
    assert store.load(KEY) is None


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_does_not_end_a_run_without_a_seed(tmp_path, monkeypatch, code):
    def full(*arguments, **options):
        raise OSError(code, "No space left on device", "a name that changes")

    store = Store.of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.warns(StoreWarning, match="random_state=7 to find again"):
            assert store.kept_seed(7) == 7
        patch.setattr(Path, "write_bytes", full)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            store.save(KEY, record())
            store.save(KEY[::-1], record())
        (words,) = {str(warning.message) for warning in told}  # which are shown once
        assert re.search("could not be kept in .*: No space left", words)
        patch.setattr(tempfile, "TemporaryFile", full)
        with pytest.warns(StoreWarning, match="the disk is full"):
            assert Store.of(tmp_path) == store
    assert store.kept_seed(8) == 8


def test_what_killed_writers_leave_is_swept_once_it_is_old(store, monkeypatch, tmp_path):
    with monkeypatch.context() as patch:  # as if killed between writing and renaming
        patch.setattr(os, "replace", lambda *names: sys.exit())
        patch.setattr(Path, "unlink", lambda *arguments, **options: None)
        with pytest.raises(SystemExit):
            store.save(KEY, record(3))
    (half,) = Path(store.folder).rglob("*.tmp")
    store.save(KEY, record(4))
    assert same(Store.of(tmp_path).load(KEY), record(4))
    assert half.exists()  # its writer may be alive
    os.utime(half, (time.time() - 7200, time.time() - 7200))
    assert same(Store.of(tmp_path).load(KEY), record(4))
    assert not half.exists()


@in_one_test("memory", [True, b"bytes", 3, 0, [], object(), {"path": "x"}, ""])
def test_wrong_types(memory, tmp_path):
    with pytest.raises(TypeError, match="memory="):
        Store.of(memory)
    if isinstance(memory, bool | bytes | int) or memory == "":
        with pytest.raises(TypeError, match="key beside the folder must be a text"):
            Store.of((tmp_path, memory))


def test_a_path_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    for path, words in ((tmp_path / "file", "cannot be written"), ("a\0b", "null byte")):
        with pytest.raises(ValueError, match=f"memory=.*{words}"):
            Store.of(path)


def test_writers_at_the_same_time(store):
    def write(writer):
        for number in range(writer, 200, 4):
            store.save(KEY, record(number, rows=20_000))
            read = store.load(KEY)
            assert same(read, record(read.cell[0], rows=20_000))

    with warnings.catch_warnings(action="error"), ThreadPoolExecutor(4) as pool:
        assert len([*pool.map(write, range(4))]) == 4
    assert not list(Path(store.folder).rglob("*.tmp"))


@pytest.mark.parametrize("content", ["", "not a number", "12", "12 34\n"])
def test_a_damaged_seed_is_refused(store, content):
    (seed,) = [store.kept_seed(11), *Path(store.folder).rglob("seed*")][1:]
    seed.write_text(content)
    with pytest.raises(ValueError, match=r"seed.txt is damaged.*Pass the random_state"):
        store.kept_seed(16)


def test_who_starts_at_once_agrees_on_a_seed(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        for number in range(30):
            store = Store.of(tmp_path / str(number))
            assert len(set(pool.map(store.kept_seed, range(8)))) == 1
