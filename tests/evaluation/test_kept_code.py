"""No fit is taken from a folder that other code or data have made, and none is lost by luck."""

import enum
import functools
import importlib
import os
import subprocess
import sys
import types
from collections import OrderedDict
from dataclasses import make_dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import loguniform
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics import accuracy_score, f1_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from skstat import paired_cross_validate
from tests.cases import in_one_test

ROOT = Path(__file__).parents[2]
X, Y = make_classification(40, 4, random_state=0)


class Holding(GaussianNB):
    """Holds anything as a parameter."""

    def __init__(self, held=None):
        super().__init__()
        self.held = held


@pytest.fixture
def n_fits(tmp_path, fits):
    """Count the fits of an estimator that holds a value, or of an estimator."""

    def counted(value, **options):
        estimator = hasattr(value, "fit") and not isinstance(value, type)
        model = value if estimator else Holding(value)
        call = {"cv": 2, "scoring": "accuracy", "memory": tmp_path / "kept", **options}
        paired_cross_validate({"model": model}, X, Y, **call)
        return fits()

    return counted


def wrapping(wrapped, change):
    @functools.wraps(wrapped)
    def wrapper(*arguments, **options):
        return change(wrapped(*arguments, **options))

    return wrapper


def classes(number):
    class Plain(GaussianNB):
        shift = number

        def predict(self, X):
            return super().predict(X) + self.shift

    class Copied(GaussianNB):
        shift = number

    Copied.__module__, Copied.__qualname__ = GaussianNB.__module__, GaussianNB.__qualname__

    class Reached:
        other = Plain
        worth = functools.cached_property(lambda self: number)
        value = type("Own", (property,), {})(lambda self: number)

    yield from (Plain, Copied, Reached, make_dataclass("Data", [("x", int, number)]))
    yield types.new_class("New", (GaussianNB,), {}, lambda own: own.update(shift=number))
    yield enum.Enum("Kind", {"A": number})
    yield type("Made", (GaussianNB,), {"shift": number})


def functions(number):
    def default(x, n=number, *, m=1):
        return x + n + m

    def closure(x):
        return x + number

    def inner(x):
        return [(lambda y: y + number)(z) for z in x]

    def contained(x, table=({"a": [closure]},)):
        return table[0]["a"][0](x)

    yield from (default, closure, inner, contained, wrapping(accuracy_score, closure))
    yield from (functools.partial(closure, 1), functools.lru_cache(closure))
    yield from (functools.singledispatch(closure), np.vectorize(closure))
    yield from (types.MethodType(closure, 1), make_scorer(wrapping(accuracy_score, closure)))
    yield make_pipeline(FunctionTransformer(closure), GaussianNB())
    yield wrapping(np.sin, np.cos if number == 1 else np.tan)


def values(number):
    rng = np.random.default_rng(number)
    table = rng.normal(size=(4, 4))
    forest = RandomForestClassifier(2, random_state=number).fit(table, [0, 1, 0, 1])
    yield from (number, float(number), str(number), (number,), [number], {"a": number})
    yield from ({str(number), "b"}, frozenset([number, "b"]), OrderedDict(a=number), rng)
    yield from (slice(number), table, table.astype("f4"), np.asfortranarray(table))
    yield from (table[::2], table.view("i8"), sparse.coo_matrix(table))
    yield from (np.ma.array([1.0, 2], mask=[number == 1, False]), np.array([number, None]))
    yield from (sparse.csr_array(table), np.random.RandomState(number))
    yield from (loguniform(1, number + 9), get_scorer(["accuracy", "recall"][number - 1]))
    yield make_scorer(f1_score, pos_label=number - 1)
    yield from (2.0 * RBF(number), FrozenEstimator(forest), SVC(C=number))
    yield GridSearchCV(SVC(), {"C": [number]}, cv=2)
    yield RandomizedSearchCV(
        GaussianNB(), {"var_smoothing": loguniform(1e-9, number)}, n_iter=1
    )
    pandas = pytest.importorskip("pandas")
    yield pandas.DataFrame({"a": ["x", "y"], "b": pandas.Categorical(["p", f"q{number}"])})


class Forgetful(Holding):
    def __getstate__(self):
        return {}


class Reduced(Holding):
    def __reduce__(self):
        return Reduced, ()


class Held:
    """What is held by it, its pickle leaves out."""

    def __init__(self, number):
        self.number = number

    def __getstate__(self):
        return {"a": 1}


def left_out(number):
    held = Held(number)
    yield from (Forgetful(number), Reduced(number), lambda: held)


@in_one_test("make", [classes, functions, values, left_out])
def test_content_counts(make, n_fits):
    for one, same, other in zip(make(1), make(1), make(2), strict=True):
        n_fits(one)
        assert n_fits(same) == 0, one
        assert n_fits(other) > 0, one


def test_what_makes_no_difference(n_fits):
    n_fits({"a": 1, "b": {2, 3}})
    assert n_fits({"a": 1, "b": {3, 2}}) == 0
    assert n_fits({"b": {2, 3}, "a": 1}) == 2  # the order of a dictionary may count
    assert n_fits(GaussianNB()) == 2
    assert n_fits(clone(GaussianNB()).fit(X, Y)) == 0
    matrix = sparse.csr_array(X)
    n_fits(matrix)
    assert matrix.has_sorted_indices and n_fits(matrix) == 0  # which it found out meanwhile


def predict(self, X):
    return np.ones(len(X))


def test_a_method_of_an_installed_class_that_was_replaced(n_fits, monkeypatch):
    assert n_fits(GaussianNB()) == 2
    monkeypatch.setattr(GaussianNB, "predict", predict)
    assert n_fits(GaussianNB()) == 2


def test_compiled_code_is_its_file(n_fits, tmp_path, monkeypatch):
    compiled = types.ModuleType("compiled")
    compiled.__file__ = str(tmp_path / f"compiled{importlib.machinery.EXTENSION_SUFFIXES[0]}")
    compiled.__version__ = "1"
    monkeypatch.setitem(sys.modules, "compiled", compiled)
    for content, n in ((b"1", 2), (b"1", 0), (b"2", 2)):
        Path(compiled.__file__).write_bytes(content)
        assert n_fits(lambda: compiled) == n


def looked_up(x):
    return globals()["X"] + x


def test_what_cannot_be_told_apart_is_refused_without_a_key(n_fits, tmp_path, monkeypatch):
    with pytest.raises(TypeError, match=r"cannot be told from another.*\(folder, key\)"):
        n_fits(np.frompyfunc(lambda x: x, 1, 1))
    one, two = (np.frompyfunc(change, 1, 1) for change in (lambda x: x, lambda x: -x))
    pair = {"a": Holding({one}), "b": Holding({two})}
    with pytest.raises(TypeError, match="differ only in parts that cannot be"):
        paired_cross_validate(pair, X, Y, scoring="accuracy", memory=(tmp_path, "May"))
    script = types.ModuleType("__main__")
    script.looked_up = types.FunctionType(looked_up.__code__, vars(script), "looked_up")
    monkeypatch.setitem(sys.modules, "__main__", script)
    with pytest.raises(TypeError, match="may use anything of __main__"):
        n_fits(script.looked_up)
    nested = []
    for _ in range(5000):
        nested = [nested]
    with pytest.raises(TypeError, match="nested too deeply"):
        n_fits(lambda: nested)


# -- Local modules


@pytest.fixture
def session(tmp_path, monkeypatch, n_fits):
    """Write modules and compare a model of theirs, in what could be a new process."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def write(**sources):
        for name, source in sources.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(source)

    def forget():
        for name, module in sys.modules.copy().items():
            if str(getattr(module, "__file__", None) or "").startswith(str(tmp_path)):
                del sys.modules[name]
        importlib.invalidate_caches()

    def run(*, anew=True, change=None, **options):
        if anew:
            forget()
        model = importlib.import_module("edited").Model()
        if change is not None:
            change()
        return n_fits(model, **options)

    run.write = write
    yield run
    forget()


MODEL = """
from sklearn.naive_bayes import GaussianNB
{before}
class Model(GaussianNB):
    def fit(self, X, y{default}):
        {inside}
        return super().fit(X, y)
"""
ASIDE = "VALUE = 1\ndef touch(x):\n    return x + VALUE\n"


def model(before="", inside="pass", default=""):
    return MODEL.format(before=before, inside=inside, default=default)


REACHED = {
    "attribute": model("import aside", "aside.touch(1)"),
    "name": model("from aside import touch", "touch(1)"),
    "getattr": model("import aside", "getattr(aside, 'to' + 'uch')(1)"),
    "default": model("import aside", "touch(1)", ", touch=aside.touch"),
    "container": model("import aside\nTABLE = {1: [aside]}", "TABLE[1][0].touch(1)"),
    "class attribute": model("import aside\nclass A:\n    a = aside", "A.a.touch(1)"),
    "closure": model(
        "import aside\ndef make():\n    m = aside\n    return lambda: m.touch(1)\nf = make()",
        "f()",
    ),
    "imported inside": model(inside="import aside; aside.touch(1)"),
    "all of its module": model("import aside\ndef f():\n    eval('aside.touch(1)')", "f()"),
}


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("source", REACHED.values(), ids=REACHED)
def test_modules_that_a_model_reaches(session, source):
    session.write(edited=source, aside=ASIDE)
    assert session() == 2
    assert session(anew=False) == 0
    assert session() == 0
    for changed in (ASIDE.replace("VALUE = 1", "VALUE = 2"), ASIDE.replace("x + ", "x - ")):
        session.write(aside=changed)
        assert session() == 2
        assert session() == 0
    session.write(edited=f"# a comment\n{source}")
    assert session() == 0


INIT, PART = "package/__init__", "package/part"


@pytest.mark.parametrize(
    "inside",
    ["from package import part", "from package.part import touch", "import package.part"],
)
def test_parts_of_packages_that_are_imported_inside(session, inside):
    session.write(**{"edited": model(inside=inside), INIT: "", PART: ASIDE})
    assert session() == 2
    assert session() == session(anew=False) == 0
    session.write(**{PART: ASIDE.replace("x + ", "x - ")})
    assert session() == 2
    assert session() == 0


def test_code_as_it_is_in_memory(session):
    session.write(edited=model("import aside", "aside.touch(1)"), aside=ASIDE)
    assert session() == 2

    def change():
        sys.modules["aside"].VALUE = 3

    assert session(change=change) == 2
    assert session(change=change) == 0
    session.write(aside=ASIDE.replace("x + ", "x - "))
    assert session(anew=False) == 0  # the file is not loaded again
    assert session() == 2
    session.write(edited=model("import aside\nK = 1", "a = 2"))
    assert session() == 2


def test_the_callers_key_instead_of_code(session, tmp_path):
    session.write(edited=model("import aside", "aside.touch(1)"), aside=ASIDE)
    assert session(memory=(tmp_path / "kept", "1")) == 2
    session.write(aside=ASIDE.replace("x + ", "x - "))
    assert session(memory=(tmp_path / "kept", "1")) == 0
    assert session(memory=(tmp_path / "kept", "2")) == 2
    assert session() == 2


# -- Sessions


def kept_after(folder, script, seed, *arguments):
    """Run a script in the folder, and count what is kept then."""
    (folder / "script.py").write_text(script)
    command = [sys.executable, "-W", "error", "script.py", *arguments]
    env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=env, check=True)
    return len([path for path in folder.glob("memory/joblib/skstat/??/*") if path.is_file()])


WORKERS = """
import sys
from sklearn.datasets import make_classification
from skstat import paired_cross_validate
import aside, edited

if __name__ == "__main__":
    aside.VALUE = 3
    X, y = make_classification(40, 4, random_state=0)
    for n_jobs, value in ((2, 1.0), (1, 3.0), (1, 3.0)):
        run = paired_cross_validate([edited.Model()], X, y, memory="memory", n_jobs=n_jobs,
            scoring=edited.value, cv=2)
        assert (run.scores["value"] == value).all()
"""


@pytest.mark.long
def test_workers_that_do_not_see_what_a_script_changed(tmp_path):
    source = model("import aside") + "def value(*_):\n    return float(aside.VALUE)\n"
    (tmp_path / "edited.py").write_text(source)
    (tmp_path / "aside.py").write_text(ASIDE)
    # A worker loads the module anew. What it kept is not taken for what is asked here.
    assert kept_after(tmp_path, WORKERS, "1") == 4
