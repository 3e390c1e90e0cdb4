"""Fits are kept whole or not at all, whatever happens to their writers."""

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
from sklearn.naive_bayes import GaussianNB

from skstat import paired_cross_validate
from skstat.evaluation import StoreWarning
from tests.cases import in_one_test

X, Y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2


def run(memory, model=None, y=Y, cv=2, **options):
    """Fits that are kept, and their scores and predictions."""
    found = paired_cross_validate(
        {"nb": model or GaussianNB()}, X, y, cv=cv, scoring="accuracy", memory=memory, **options
    )
    assert found.scores["accuracy"].shape[1] == 1
    return found


def same(one, other):
    for found, expected in ((one.scores, other.scores), (one.predictions, other.predictions)):
        np.testing.assert_equal(found, expected)


def files(folder):
    return sorted(path for path in folder.rglob("skstat/??/*") if path.is_file())


@pytest.fixture
def kept(tmp_path):
    """A run that is kept, and the file of a fit of it."""
    return run(tmp_path), files(tmp_path)[0]


def test_truncated_files_are_recomputed(kept, tmp_path):
    first, path = kept
    content = path.read_bytes()
    for length in [*range(0, len(content), 25), len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.warns(StoreWarning, match=f"{path.name} cannot be used and is recomputed"):
            same(run(tmp_path), first)
    same(run(tmp_path), first)


def test_flipped_bits_are_found(kept, tmp_path):
    first, path = kept
    content = path.read_bytes()
    for position in range(0, len(content), 50):
        spoiled = bytearray(content)
        spoiled[position] ^= 1 << position % 8
        path.write_bytes(spoiled)
        with pytest.warns(StoreWarning, match="checksum"):
            same(run(tmp_path), first)


def test_predictions_that_cannot_be_pickled_cost_a_warning(tmp_path):
    class Word(str):
        __slots__ = ()

    class Saying(GaussianNB):
        def predict(self, X):
            return np.array([Word(text) for text in super().predict(X)], dtype=object)

    with pytest.warns(StoreWarning, match="could not be kept"):
        run(tmp_path, Saying(), np.where(Y, "yes", "no"))
    assert not files(tmp_path)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_does_not_end_a_run_without_a_seed(tmp_path, monkeypatch, code):
    def full(*arguments, **options):
        raise OSError(code, "No space left on device", "a name that changes")

    run(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.warns(StoreWarning, match=r"random_state=\d+ to find again"):
            run(tmp_path, cv=None)
        patch.setattr(Path, "write_bytes", full)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            run(tmp_path, y=1 - Y)
        (words,) = {str(warning.message) for warning in told}  # which are shown once
        assert re.search("could not be kept in .*: No space left", words)
        patch.setattr(tempfile, "TemporaryFile", full)
        with pytest.warns(StoreWarning, match="the disk is full"):
            run(tmp_path)


def test_what_killed_writers_leave_is_swept_once_it_is_old(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:  # as if killed between writing and renaming
        patch.setattr(os, "replace", lambda *names: sys.exit())
        patch.setattr(Path, "unlink", lambda *arguments, **options: None)
        with pytest.raises(SystemExit):
            run(tmp_path)
    (half,) = tmp_path.rglob("*.tmp")
    first = run(tmp_path)
    assert half.exists()  # its writer may be alive
    os.utime(half, (time.time() - 7200, time.time() - 7200))
    same(run(tmp_path), first)
    assert not half.exists()


@in_one_test("memory", [True, b"bytes", 3, 0, [], object(), {"path": "x"}, ""])
def test_wrong_types(memory, tmp_path):
    with pytest.raises(TypeError, match="memory="):
        run(memory)
    if isinstance(memory, bool | bytes | int) or memory == "":
        with pytest.raises(TypeError, match="key beside the folder must be a text"):
            run((tmp_path, memory))


def test_a_path_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    for path, words in ((tmp_path / "file", "cannot be written"), ("a\0b", "null byte")):
        with pytest.raises(ValueError, match=f"memory=.*{words}"):
            run(path)


def test_writers_at_the_same_time_agree_on_fits_and_on_a_seed(tmp_path):
    def write(folder):
        return run(folder, cv=None, verbose=False).design.random_state

    with warnings.catch_warnings(action="error"), ThreadPoolExecutor(8) as pool:
        for number in range(3):
            assert len({*pool.map(write, [tmp_path / str(number)] * 8)}) == 1
    assert not list(tmp_path.rglob("*.tmp"))


@pytest.mark.parametrize("content", ["", "not a number", "12", "12 34\n"])
def test_a_damaged_seed_is_refused(tmp_path, content):
    run(tmp_path, cv=None)
    (seed,) = tmp_path.rglob("seed*")
    seed.write_text(content)
    with pytest.raises(ValueError, match=r"seed.txt is damaged.*Pass the random_state"):
        run(tmp_path, cv=None)
