"""No fit is taken from a folder that other local code has made, and none is lost by luck."""

import functools
import importlib
import os
import re
import subprocess
import sys
import types
from dataclasses import make_dataclass
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from skstat import paired_cross_validate
from skstat.evaluation._fingerprint.fingerprint import examine, fingerprint
from skstat.evaluation._fingerprint.installed import installed

ROOT = Path(__file__).parents[2]
# By its name: the face of its room has a function that is called as the module is.
_local_modules = importlib.import_module("skstat.evaluation._fingerprint.local_modules")
X, Y = make_classification(40, 4, random_state=0)


# What is no installed code, whatever it says of itself


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

    def body(namespace):
        namespace["shift"] = number

    return {
        "class": Plain,
        "class with a copied name": Copied,
        "class that holds another": Reached,
        "dataclass": make_dataclass("Data", [("x", int, number)]),
        "new_class": types.new_class("New", (GaussianNB,), {}, body),
        "type": type("Made", (GaussianNB,), {"shift": number}),
    }


def functions(number):
    def default(x, n=number, *, m=1):
        return x + n + m

    def closure(x):
        return x + number

    def inner(x):
        return [(lambda y: y + number)(z) for z in x]

    def contained(x, table=({"a": [closure]},)):
        return table[0]["a"][0](x)

    return {
        "default": default,
        "closure": closure,
        "closure of a closure": inner,
        "container": contained,
        "wraps": wrapping(accuracy_score, closure),
        "scorer": make_scorer(wrapping(accuracy_score, closure)),
        "partial": functools.partial(closure, 1),
        "cache": functools.lru_cache(closure),
        "dispatch": functools.singledispatch(closure),
        "vectorize": np.vectorize(closure),
        "method": types.MethodType(closure, 1),
        "transformer": FunctionTransformer(closure),
        "steps of installed code": wrapping(np.sin, np.cos if number == 1 else np.tan),
    }


@pytest.mark.parametrize("make", [classes, functions])
def test_local_code_is_its_content(make):
    first, again, other = make(1), make(1), make(2)
    for name in first:
        assert examine(first[name]).local, name
        assert fingerprint(first[name]) == fingerprint(again[name]), name
        assert fingerprint(first[name]) != fingerprint(other[name]), name
    assert len({fingerprint(value) for value in first.values()}) == len(first)


def test_code_is_told_by_all_that_it_does():
    other = [
        lambda x: x + 1,
        lambda x: x + 2,
        lambda x: x - 1,
        lambda x: x + 1.0,
        lambda y: y + 1,
        lambda x, y: x + 1,
        lambda x: np.add(x, 1),
        lambda x: np.subtract(x, 1),
        lambda x: x in {"a", "b"},
        lambda x: x in {"a", "c"},
    ]
    assert len({fingerprint(function) for function in other}) == len(other)


def test_methods_that_were_replaced(monkeypatch):
    def fit(self, X, y, sample_weight=None):
        return wrapped(self, X, 1 - y, sample_weight)

    wrapped, plain = SVC.fit, fingerprint(SVC())
    seen = {plain}
    for replacement in (
        fit,
        wrapping(wrapped, lambda fitted: fitted),
        functools.partialmethod(wrapped, sample_weight=None),
        GaussianNB.fit,
        classmethod(fit),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(SVC, "fit", replacement)
            seen.add(fingerprint(SVC()))
            seen.add(fingerprint(type("Inherits", (SVC,), {})))
    assert len(seen) == 11
    assert fingerprint(SVC()) == plain


class Forgetful(BaseEstimator):
    """Pickles without its parameter."""

    def __init__(self, a=0):
        self.a = a

    def __getstate__(self):
        return {}


class Reduced(Forgetful):
    def __reduce__(self):
        return (Reduced, ())


class Plain:
    def __init__(self, a):
        self.a = a

    def __reduce__(self):
        return (Plain, (0,))


@pytest.mark.parametrize("kind", [Forgetful, Reduced, Plain])
def test_parameters_that_a_pickle_leaves_out(kind):
    assert fingerprint(kind(1)) == fingerprint(kind(1))
    assert fingerprint(kind(1)) != fingerprint(kind(2))
    assert fingerprint([kind(1)]) != fingerprint([kind(2)])


def test_what_was_put_into_an_installed_module(monkeypatch):
    module, seen = sys.modules["sklearn.metrics._classification"], set()
    for number in (1, 2):
        patched = wrapping(accuracy_score, lambda score, number=number: score + number)
        monkeypatch.setattr(module, "accuracy_score", patched)
        exec(f"def made(y, predicted): return {number}", vars(module))
        seen |= {fingerprint(patched), fingerprint(module.made)}
    monkeypatch.delattr(module, "made")
    assert len(seen | {fingerprint(accuracy_score)}) == 5


def test_subclasses_of_data():
    class Marked(np.ndarray):
        mark = 0

    marked, other = np.eye(2).view(Marked), np.eye(2).view(Marked)
    assert examine(marked).local
    assert fingerprint(marked) == fingerprint(other) != fingerprint(np.eye(2))
    other.mark = 1
    assert fingerprint(marked) != fingerprint(other)


def test_subclasses_of_frames():
    pd = pytest.importorskip("pandas")

    class Marked(pd.DataFrame):
        _metadata = ["mark"]

    marked, other = Marked({"a": [1]}), Marked({"a": [1]})
    assert fingerprint(marked) == fingerprint(other) != fingerprint(pd.DataFrame({"a": [1]}))
    other.mark = 1
    assert fingerprint(marked) != fingerprint(other)
    noted = pd.DataFrame({"a": [1]})
    noted.attrs["unit"] = "m"
    assert fingerprint(noted) != fingerprint(pd.DataFrame({"a": [1]}))


# What cannot be told


def looked_up(x):
    return globals()["looked_up"] if x else eval("x")


def main_itself(x):
    import __main__

    return __main__


@pytest.fixture
def in_main(monkeypatch):
    """Make functions those of a script."""

    def moved(function):
        main = sys.modules["__main__"]
        return types.FunctionType(function.__code__, vars(main), function.__name__)

    return moved


@pytest.mark.parametrize("function", [looked_up, main_itself])
def test_scripts_that_are_looked_up_in_are_refused(in_main, function):
    with pytest.raises(TypeError, match=rf"memory cannot be used: {function.__name__} .*_key="):
        fingerprint(in_main(function))


def test_universal_functions_of_local_code_are_refused():
    for number in (1, 2):
        ufunc = np.frompyfunc(functions(number)["closure"], 1, 1)
        with pytest.raises(TypeError, match="one ufunc of numpy cannot be told from another"):
            fingerprint(FunctionTransformer(ufunc))


def test_a_key_of_the_callers_stands_for_local_code():
    ufunc = FunctionTransformer(np.frompyfunc(lambda x: x, 1, 1))
    found = examine(ufunc, vouched="1")
    assert found.unseen and not found.local
    assert found.digest != examine(ufunc, vouched="2").digest
    assert examine(Forgetful(1), vouched="1") != examine(Forgetful(2), vouched="1")
    assert not examine(Forgetful(1), vouched="1").local
    # What its module does not give back under its name is still told by its content.
    one, two = (examine(functions(number)["closure"], vouched="1") for number in (1, 2))
    assert one.digest != two.digest


# Local modules


@pytest.fixture
def session(tmp_path, monkeypatch, fits):
    """Write modules and compare a model of theirs, in what could be a new process."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def owner(name):  # of all that other tests have loaded nothing is local
        file = getattr(sys.modules.get(name), "__file__", None) or ""
        return None if file.startswith(str(tmp_path)) else ("tests",)

    monkeypatch.setattr(_local_modules, "installed", owner)

    def write(**sources):
        for name, source in sources.items():
            path = tmp_path / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(source)

    def forget():
        for name in [name for name in sys.modules if owner(name) is None]:
            del sys.modules[name]
        _local_modules._loaded_from.clear()
        importlib.invalidate_caches()

    def run(*, anew=True, **options):
        if anew:
            forget()
        edited = importlib.import_module("edited")
        change = options.pop("change", None)
        if change:
            change()
        fits.clear()
        model = options.pop("model", edited.Model)()
        options = {"memory": tmp_path / "memory", "verbose": False, **options}
        paired_cross_validate({"model": model}, X, Y, cv=2, scoring="accuracy", **options)
        return len(fits)

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
    "loaded inside": model(inside="import aside; aside.touch(1)"),
    "loaded by a name": model("import importlib", "importlib.import_module('as' + 'ide')"),
    "found among modules": model("import sys, aside", "sys.modules['as' + 'ide'].touch(1)"),
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


INIT, PART = "package/__init__", "package/part"


@pytest.mark.parametrize(
    "inside",
    ["from package import part", "from package.part import touch", "import package.part"],
)
def test_parts_of_packages_that_are_loaded_inside(session, inside):
    session.write(**{"edited": model(inside=inside), INIT: "", PART: ASIDE})
    assert session() == 2
    assert session() == 0
    session.write(**{PART: ASIDE.replace("x + ", "x - ")})
    assert session() == 2
    session.write(**{INIT: "import sys"})
    assert session() == 2
    assert session() == 0


def test_a_module_that_takes_the_place_of_another(session, tmp_path, monkeypatch):
    session.write(edited=model(inside="import aside"), aside=ASIDE)
    assert session() == 2
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "aside.py").write_text("VALUE = 3\n")
    monkeypatch.syspath_prepend(tmp_path / "first")
    assert session() == 2
    assert session() == 0


def test_edits_of_the_model_itself(session):
    session.write(edited=model(inside="a = 1"))
    assert session() == 2
    session.write(edited=model(inside="a = 2"))
    assert session() == 2


def test_settings_that_a_script_changes(session):
    session.write(edited=model("import aside", "aside.touch(1)"), aside=ASIDE)
    assert session() == 2

    def change():
        sys.modules["aside"].VALUE = 3

    assert session(change=change) == 2
    assert session(change=change) == 0
    assert session() == 2


def test_what_was_loaded_counts_rather_than_the_file(session):
    session.write(edited=model("import aside", "aside.touch(1)"), aside=ASIDE)
    assert session() == 2
    session.write(aside=ASIDE.replace("x + ", "x - "))  # and it is not loaded again
    assert session(anew=False) == 0
    assert session() == 2


def test_a_module_that_was_edited_after_it_was_loaded(session):
    session.write(edited=model(inside="import aside"), aside=ASIDE)
    importlib.import_module("aside")
    session.write(aside=ASIDE.replace("x + ", "x - "))
    assert session(anew=False) == 2  # fitted with what was loaded
    assert session() == 2


def test_installed_models_are_kept_whatever_local_modules_do(session):
    session.write(edited=model("import aside"), aside=ASIDE)
    assert session(model=GaussianNB) == 2
    session.write(aside="VALUE = 2")
    assert session(model=GaussianNB) == 0


def test_the_callers_key_instead_of_local_modules(session):
    session.write(edited=model("import aside"), aside=ASIDE)
    assert session(memory_key="1") == 2
    session.write(aside="VALUE = 2")
    assert session(memory_key="1") == 0
    assert session(memory_key="2") == 2
    assert session() == 2


def test_a_key_cannot_stand_for_two_models_at_once(tmp_path):
    two = {
        name: FunctionTransformer(np.frompyfunc(function, 1, 1))
        for name, function in {"a": lambda x: x, "b": lambda x: -x}.items()
    }
    run = {"scoring": lambda *_: 1.0, "memory": tmp_path}
    with pytest.raises(TypeError, match="memory_key= stands for both"):
        paired_cross_validate(two, X, Y, memory_key="1", **run)


def test_compiled_modules_are_their_file(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "compiled", types.ModuleType("compiled"))
    file = tmp_path / f"compiled{importlib.machinery.EXTENSION_SUFFIXES[0]}"
    sys.modules["compiled"].__file__ = str(file)
    assert installed("compiled") is None
    contents = []
    for content in (b"1", b"1", b"2"):
        file.write_bytes(content)
        contents.append(_local_modules._content(sys.modules["compiled"]))
    assert contents[0] == contents[1] != contents[2]


MODULE = """
import abc, contextlib, dataclasses, enum, functools, logging, threading, typing

log, lock, T = logging.getLogger(__name__), threading.RLock(), typing.TypeVar("T")

class Choice(enum.Flag):
    A = 1
    B = 2

class Row(typing.NamedTuple):
    x: int = 3

class Meta(type):
    def __call__(cls, *arguments):
        return super().__call__(*arguments), 4

class Made(metaclass=Meta):
    pass

@dataclasses.dataclass(frozen=True, slots=True)
class Data:
    x: int = 5
    y: list = dataclasses.field(default_factory=lambda: [6])

class Abstract(abc.ABC, typing.Generic[T]):
    @abc.abstractmethod
    def f(self, x: T):
        return 7

    @functools.cached_property
    def g(self):
        return 8

    @functools.singledispatchmethod
    def h(self, x):
        return 9

    @h.register
    def _(self, x: int):
        return 10

    @functools.lru_cache
    def i(self):
        return 11

@contextlib.contextmanager
def context():
    yield 12

def f(x):
    log.info("started")
    with lock, context():
        return Choice.A, Row, Made, Data, Abstract
"""


def test_all_that_a_module_holds_counts(tmp_path):
    def content(source):
        module = types.ModuleType("held")
        sys.modules["held"] = module
        try:
            exec(compile(source, tmp_path / "held.py", "exec"), vars(module))
            return _local_modules._content(module)
        finally:
            del sys.modules["held"]

    edits = [re.sub(rf"\b{number}\b", str(100 + number), MODULE) for number in range(1, 13)]
    contents = [content(source) for source in [MODULE, *edits]]
    assert len(set(contents)) == 13
    assert content("# a comment\n" + MODULE) == contents[0]


# Sessions

SCRIPT = """
import enum, functools
from importlib.util import find_spec
from dataclasses import dataclass
import numpy as np
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics import accuracy_score, f1_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from scipy.special import expit
from scipy.stats import loguniform
from skstat import paired_cross_validate
from skstat.evaluation._running import schedule as _schedule
from skstat.evaluation._fingerprint import fingerprint, versions
import aside

KNOWN = {f"word{i}" for i in range(50)}
print("started")

class Kind(enum.Enum):
    A = 1

@dataclass(frozen=True)
class Weights:
    a: int = 1
    words: frozenset = frozenset(KNOWN)

class Model(GaussianNB):
    weights = Weights()
    kind = Kind.A

    def fit(self, X, y):
        aside.touch(1)
        assert "word1" in KNOWN or "x" in {"y", "z", "word2"}
        return super().fit(X, y)

@functools.lru_cache
def shift():
    return 0.0

def metric(y, predicted, *, scale=1.0):
    return scale * accuracy_score(y, predicted) + shift()

def scaled(scale):
    return lambda X: X * scale

models = {
    "local": Model(),
    "installed": make_pipeline(StandardScaler(), GaussianNB()),
    "lambda": make_pipeline(FunctionTransformer(lambda X: X + len(KNOWN)), GaussianNB()),
    "closure": make_pipeline(FunctionTransformer(scaled(2.0)), GaussianNB()),
}
rng, forest = np.random.default_rng(0), RandomForestClassifier(3, random_state=0)
words = [f"word{i % 7}" for i in range(50)]
values = [
    {f"word{i}" for i in range(100)},
    np.array([f"word{i % 7}" for i in range(50)] + [1, None], dtype=object),
    make_pipeline(StandardScaler(), SVC(random_state=np.random.RandomState(0))),
    GridSearchCV(SVC(), {"C": [1, 2], "tol": [0.1]}, cv=StratifiedKFold(3)),
    RandomizedSearchCV(SVC(), {"C": loguniform(1, 10)}),
    GaussianProcessClassifier(2.0 * RBF(1.0)),
    FrozenEstimator(forest.fit(rng.random((4, 2)), [0, 1, 0, 1])),
    [make_scorer(f1_score, average="macro"), get_scorer("roc_auc"), expit, np.add],
    [rng, Kind, Weights, Model, metric, shift, scaled, aside],
    versions(),
]
if find_spec("pandas"):
    import pandas as pd
    columns = {"a": words, "b": pd.Categorical(words), "c": pd.Series(words, dtype=object)}
    values.append(pd.DataFrame({**columns, "d": pd.Series(range(50), dtype="Int64")}))
if find_spec("polars"):
    import polars as pl
    values.append(pl.DataFrame({"a": words, "b": pl.Series(words, dtype=pl.Categorical)}))
made, run_fold = [], _schedule.run_fold
def noting(X, y, task):
    made.append(task.estimator_index)
    return run_fold(X, y, task)
_schedule.run_fold = noting
if __name__ == "__main__":
    X, y = make_classification(40, 4, random_state=0)
    paired_cross_validate(
        models, X, y, cv=2, scoring=make_scorer(metric), memory="memory"
    )
    print([fingerprint(value) for value in values])
    print(sorted(made))
"""


def in_a_session(folder, script, seed, *arguments):
    (folder / "script.py").write_text(script)
    done = subprocess.run(
        [sys.executable, "-W", "error", "script.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-2:]


@pytest.mark.long
def test_a_second_session_fits_what_has_changed(tmp_path):
    (tmp_path / "aside.py").write_text(ASIDE)
    digests, fitted = in_a_session(tmp_path, SCRIPT, "1")
    assert fitted == "[0, 0, 1, 1, 2, 2, 3, 3]"
    # One model more, another print, comments and lines in other places cost nothing.
    more = SCRIPT.replace("models = {", 'print("go")  # on\n\nmodels = {"new": GaussianNB(),')
    assert in_a_session(tmp_path, more, "2") == [digests, "[0, 0]"]
    changed = SCRIPT.replace("a: int = 1", "a: int = 2").replace("X + len", "X - len")
    assert in_a_session(tmp_path, changed, "3")[1] == "[0, 0, 2, 2]"
    (tmp_path / "aside.py").write_text(ASIDE.replace("1", "2"))
    assert in_a_session(tmp_path, SCRIPT, "4")[1] == "[0, 0, 1, 1, 2, 2, 3, 3]"


WORKERS = """
import sys
from sklearn.datasets import make_classification
from skstat import paired_cross_validate
import aside, edited

if __name__ == "__main__":
    aside.VALUE = int(sys.argv[1])
    X, y = make_classification(40, 4, random_state=0)
    def run(n_jobs):
        return paired_cross_validate([edited.Model()], X, y, memory="memory", n_jobs=n_jobs,
            scoring=edited.value, cv=2).scores["value"].ravel().tolist()
    print(*(run(int(n_jobs)) for n_jobs in sys.argv[2:]))
"""


@pytest.mark.long
def test_workers_that_do_not_see_what_a_script_changed(tmp_path):
    source = model("import aside") + "def value(*_):\n    return float(aside.VALUE)\n"
    (tmp_path / "edited.py").write_text(source)
    (tmp_path / "aside.py").write_text(ASIDE)
    # A worker loads the module anew. What it kept is not taken for what is asked here.
    found = in_a_session(tmp_path, WORKERS, "1", "3", "2", "2", "1")[-1]
    assert found == "[1.0, 1.0] [1.0, 1.0] [3.0, 3.0]"
    assert in_a_session(tmp_path, WORKERS, "2", "1", "1")[-1] == "[1.0, 1.0]"
