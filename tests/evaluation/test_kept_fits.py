"""Fits are kept whole or not at all, and nothing is taken that has changed.

Whatever happens to their writers: a run that was killed takes up where it was.
"""

import errno
import inspect
import io
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

import joblib
import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB

import skstat
from skstat.evaluation import StoreWarning
from tests import fitting
from tests.cases import in_one_test

RUN = """
import os
import sys
import time

from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB

from skstat import cross_validate_over_datasets


class Noting(GaussianNB):
    '''Writes a line per finished fit.'''

    def __init__(self, var_smoothing=1e-9, notes="", seconds=0.0):
        super().__init__(var_smoothing=var_smoothing)
        self.notes = notes
        self.seconds = seconds

    def fit(self, X, y):
        time.sleep(self.seconds)
        super().fit(X, y)
        file = os.open(self.notes, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.write(file, b"fit\\n")
        os.close(file)
        return self


def run(folder, n_jobs, memory, seconds):
    estimators = [
        Noting(smoothing, os.path.join(folder, "fits"), seconds) for smoothing in (1e-9, 1.0)
    ]
    datasets = {
        str(seed): lambda seed=seed: make_classification(40, 5, random_state=seed)
        for seed in range(4)
    }
    run = cross_validate_over_datasets(
        estimators, datasets, cv=5, n_jobs=n_jobs, memory=memory, verbose=False
    )
    print(run.table().scores.tolist(), flush=True)


if __name__ == "__main__":
    folder, n_jobs, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    run(folder, n_jobs, os.path.join(folder, "store"), seconds)
"""
N_FITS = 40


def start(folder, n_jobs, seconds=0.0):
    script = folder / "script.py"
    script.write_text(RUN)
    command = [sys.executable, "-W", "error", str(script), str(folder), str(n_jobs)]
    path = os.pathsep.join(["", *filter(None, sys.path)])
    about = {"stdout": subprocess.PIPE, "text": True, "start_new_session": True}
    about |= {"env": {**os.environ, "PYTHONPATH": path}}
    return subprocess.Popen([*command, str(seconds)], **about)


def n_fits(folder):
    notes = folder / "fits"
    return len(notes.read_text().splitlines()) if notes.exists() else 0


def output(process):
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return out


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("uninterrupted")
    (folder / "script.py").write_text(RUN)
    out = io.StringIO()
    with redirect_stdout(out):
        runpy.run_path(str(folder / "script.py"))["run"](str(folder), 1, None, 0.0)
    return out.getvalue()


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kills a group of processes")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_kill(tmp_path, n_jobs, uninterrupted):
    first = start(tmp_path, n_jobs, seconds=0.02)
    while n_fits(tmp_path) < 15:
        assert first.poll() is None
        time.sleep(0.005)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    before = n_fits(tmp_path)
    assert before < N_FITS
    kept = len([p for p in (tmp_path / "store").rglob("*") if p.is_file()])
    assert output(start(tmp_path, 1, seconds=0.02)) == uninterrupted
    # Each worker may have been between the end of a fit and the end of keeping it.
    assert N_FITS <= n_fits(tmp_path) <= N_FITS + n_jobs
    assert before - n_jobs <= kept <= before + n_jobs


@pytest.mark.long
def test_two_processes_at_once(tmp_path, uninterrupted):
    both = [start(tmp_path, 1, seconds=0.01) for _ in range(2)]
    assert [output(process) for process in both] == 2 * [uninterrupted]
    assert N_FITS <= n_fits(tmp_path) <= 2 * N_FITS


# -- What makes a fit another one

X, Y = make_classification(60, 5, random_state=0)
PAIR = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=0.1)}
SHORT = {"two": (X[:50], Y[:50])}
WEIGHTS = np.linspace(0.1, 1, 60)


@pytest.fixture
def count(fits):
    """Run, and return the number of fits that were kept and the run."""

    def counted(**changes):
        call = {"estimators": PAIR, "datasets": {"one": (X, Y), **SHORT}, "scoring": "accuracy"}
        call |= {"cv": ShuffleSplit(3, random_state=0)} | changes
        run = skstat.cross_validate_over_datasets(**call)
        return fits(), run

    return counted


def test_nothing_is_fitted_twice(tmp_path, count):
    number, first = count(memory=tmp_path)
    assert number == 12
    number, second = count(memory=str(tmp_path))
    assert number == 0
    for name, part in first.datasets.items():
        again = second.datasets[name]
        np.testing.assert_array_equal(part.scores["accuracy"], again.scores["accuracy"])
        np.testing.assert_array_equal(part.fit_times, again.fit_times)
    assert count(memory=joblib.Memory(tmp_path, verbose=0))[0] == 0
    joblib.Memory(tmp_path, verbose=0).clear(warn=False)
    assert count(memory=tmp_path)[0] == 12


changed_row = X.copy()
changed_row[59, 0] += 1e-12  # of the first data set only


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("changes, number", [
    ({"estimators": {"new name": GaussianNB(), "b": PAIR["b"]}}, 0),
    ({"datasets": {"new name": lambda: (X.copy(), Y)}}, 0),
    ({"datasets": {**SHORT, "one": (X, Y)}, "random_state": 3}, 0),
    ({"estimators": {**PAIR, "b": GaussianNB(var_smoothing=0.2)}}, 6),
    ({"estimators": {**PAIR, "c": GaussianNB(var_smoothing=1.0)}}, 6),
    ({"datasets": {"one": (changed_row, Y), **SHORT}}, 6),
    ({"datasets": {"one": (X, 1 - Y), **SHORT}}, 6),
    ({"datasets": {"one": (X.astype(np.float32), Y)}}, 6),
    ({"cv": ShuffleSplit(3, random_state=1)}, 12),
    ({"cv": ShuffleSplit(4, random_state=0)}, 4),
    ({"scoring": "f1"}, 12),
    ({"scoring": make_scorer(f1_score, average="macro")}, 12),
    ({"params": {"sample_weight": None}}, 12),
    ({"datasets": {"one": skstat.Dataset(X, Y, params={"sample_weight": WEIGHTS})}}, 6),
])  # fmt: skip
def test_what_has_changed_is_fitted_anew(tmp_path, changes, number, count):
    count(memory=tmp_path)
    expected = count(**changes)[1]
    done, run = count(memory=tmp_path, **changes)
    assert done == number
    for name, part in expected.datasets.items():
        for metric, scores in part.scores.items():
            np.testing.assert_array_equal(run.datasets[name].scores[metric], scores)
    assert count(memory=tmp_path, **changes)[0] == 0
    assert count(memory=tmp_path)[0] == 0


def test_another_version_of_scikit_learn(tmp_path, monkeypatch, count):
    count(memory=tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(sklearn, "__version__", "99.0")
        assert count(memory=tmp_path)[0] == 12
        assert count(memory=tmp_path)[0] == 0
    assert count(memory=tmp_path)[0] == 0
    with sklearn.config_context(assume_finite=True):
        assert count(memory=tmp_path)[0] == 12


@pytest.mark.long
def test_failures_are_tried_again_and_the_rest_is_kept(tmp_path, count):
    class Fragile(GaussianNB):
        def fit(self, X, y):
            super().fit(X, y)
            if flag.exists():
                raise RuntimeError("no")
            return self

    flag = Path(tmp_path, "flag")
    flag.touch()
    call = {"estimators": {"a": GaussianNB(), "f": Fragile()}, "memory": tmp_path / "store"}
    number, run = count(**call, error_score="collect")
    assert number == 6 and len(run.failures) == 2
    flag.unlink()
    number, run = count(**call)
    assert number == 6 and not run.failures


# -- A single run


def run(memory, model=None, y=Y, cv=2, **options):
    """Fits that are kept, and their scores and predictions."""
    found = skstat.paired_cross_validate(
        {"nb": model or GaussianNB()}, X, y, cv=cv, scoring="accuracy", memory=memory, **options
    )
    assert found.scores["accuracy"].shape[1] == 1
    return found


def same(one, other):
    for facts in ("scores", "predictions"):
        np.testing.assert_equal(getattr(one, facts), getattr(other, facts))


def files(folder):
    return sorted(path for path in folder.rglob("skstat/??/*") if path.is_file())


@pytest.fixture
def kept(tmp_path):
    """A run that is kept, and the file of a fit of it."""
    return run(tmp_path), files(tmp_path)[0]


def test_spoiled_files_are_recomputed(kept, tmp_path):
    first, path = kept
    content = path.read_bytes()
    lengths = [*range(0, len(content), 25), len(content) - 1]
    spoiled = [content[:length] for length in lengths]
    for position in range(0, len(content), 50):
        flipped = bytearray(content)
        flipped[position] ^= 1 << position % 8
        spoiled.append(flipped)
    for written in spoiled:
        path.write_bytes(written)
        with pytest.warns(StoreWarning, match=f"{path.name} cannot be used and is recomputed"):
            same(run(tmp_path), first)
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
    for path, words in ((tmp_path / "file", "cannot be written"), ("a\0b", "null")):
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


def test_the_same_call_without_a_seed_finds_its_fits(tmp_path, count, fits):
    number, first = count(cv=None, memory=tmp_path)
    assert number == 2 * 2 * 10
    number, again = count(cv=None, memory=tmp_path)
    assert number == 0
    assert again.random_state == first.random_state
    assert count(cv=None, memory=tmp_path, random_state=first.random_state)[0] == 0
    assert count(cv=None, memory=tmp_path / "other")[1].random_state != first.random_state
    singles = []
    for expected in (2 * 30, 0):
        singles.append(skstat.paired_cross_validate(PAIR, X, Y, memory=tmp_path))
        assert fits() == expected
        assert singles[-1].design.random_state == first.random_state
    same(*singles)
    np.testing.assert_array_equal(*(single.fit_times for single in singles))


def test_a_splitter_without_a_seed_finds_nothing(tmp_path, count):
    with pytest.warns(StoreWarning, match="cv draws new splits in every call"):
        _, run = count(cv=ShuffleSplit(2), memory=tmp_path)
    assert "cv" in run.unseeded


@pytest.mark.parametrize("kept", [True, False])
def test_who_stops_a_run_is_told_how_to_go_on(count, fits, tmp_path, kept):
    def stop(done, total):
        if done == 5:
            raise KeyboardInterrupt

    memory = tmp_path if kept else None
    with pytest.raises(KeyboardInterrupt) as stopped:
        count(memory=memory, verbose=stop)
    fits()
    (note,) = stopped.value.__notes__
    assert "at least 5 of 12 fits were finished" in note
    assert ("same memory=" if kept else "memory='a folder'") in note
    assert not kept or count(memory=memory)[0] == 12 - 5


# Every door that fits estimators keeps its fits

LEARNERS = [*PAIR.items()]
SETS = {name: (X[i:], Y[i:]) for i, name in enumerate("abc")}
OTHERS = {
    "cross_validate_over_datasets": partial(
        skstat.cross_validate_over_datasets, LEARNERS, SETS
    ),
    "friedman_nemenyi": partial(skstat.friedman_nemenyi, LEARNERS, SETS),
    "paired_cv_ttest, stability": partial(
        skstat.paired_cv_ttest, *LEARNERS, X, Y, correction=None, stability=1
    ),
}
DOORS = {name: partial(ask, LEARNERS, X, Y) for name, ask in fitting.DOORS.items()} | OTHERS


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("door", DOORS)
def test_the_same_call_fits_nothing(tmp_path, fits, door):
    done = []
    for _ in range(2):
        DOORS[door](memory=tmp_path, verbose=False)
        done.append(fits())
    assert done[0] > 0 and done[1] == 0


def test_every_door_that_fits_has_it():
    doors = {
        name: set(inspect.signature(getattr(skstat, name)).parameters)
        for name in skstat.__all__
        if inspect.isfunction(getattr(skstat, name))
    }
    fit = {name for name, has in doors.items() if "random_state" in has and "params" in has}
    assert fit == {name.partition(",")[0] for name in DOORS}
    assert all("memory" in doors[name] for name in fit)
    assert all({"X", "sample_weight"} - doors[name] != {"sample_weight"} for name in fit)
