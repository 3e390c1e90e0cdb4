"""Equal digests mean equal results, and digests are the same in every session."""

import collections
import datetime
import decimal
import enum
import functools
import importlib
import itertools
import pickle
import re
import threading
import types
from pathlib import Path

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse, stats
from scipy.special import expit
from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    fbeta_score,
    get_scorer,
    get_scorer_names,
    make_scorer,
)
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from sklearn.utils import check_random_state

from skstat.evaluation._fingerprint import installed as _installed
from skstat.evaluation._fingerprint.fingerprint import (
    _RECORD_FORMAT,
    examine,
    fingerprint,
    versions,
)
from skstat.evaluation._fingerprint.installed import installed
from skstat.evaluation._fold import FoldRecord
from tests.cases import in_one_test

ROOT = Path(__file__).parents[2]
# By its name: the face of its room has a function that is called as the module is.
_fingerprint = importlib.import_module("skstat.evaluation._fingerprint.fingerprint")


def all_differ(*values):
    digests = [fingerprint(value) for value in values]
    return len(set(digests)) == len(digests)


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Size(enum.IntEnum):
    ONE = 1


# Plain values and containers


def test_values_of_different_types_differ():
    assert all_differ(
        *(None, False, True, 0, 1, -1, 255, 256, -256, 2**80, 0.0, -0.0, 1.0, 1j, 1 + 0j),
        *(
            "",
            "1",
            b"",
            b"1",
            "None",
            np.float64(1),
            np.float32(1),
            np.int64(1),
            np.bool_(True),
        ),
        *(Colour.RED, Colour.BLUE, Colour, Size.ONE, Ellipsis, NotImplemented),
        *(range(3), range(4), slice(3), slice(0, 3), Path("a"), Path("b"), "a"),
        *(datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1), datetime.timedelta(1)),
        *(decimal.Decimal("1"), decimal.Decimal("1.0"), re.compile("a"), re.compile("a", re.I)),
        *([], (), {}, set(), frozenset(), bytearray(), collections.OrderedDict()),
        *(np.dtype("f8"), np.dtype(">f8"), np.dtype("f4"), np.float64, float, len, max, np.add),
        *(np.array(1), np.array(1.0), np.array([1]), [1], (1,), {1}, frozenset({1}), {1: 1}),
    )


def test_lengths_count():
    assert all_differ(["ab", "c"], ["a", "bc"], ["abc"], ["ab", ["c"]], [["ab"], "c"], "abc")
    assert fingerprint("ab", "c") != fingerprint("a", "bc")
    assert fingerprint([1], []) != fingerprint([], [1])
    assert fingerprint(1) != fingerprint((1,))
    assert all_differ("x" * 64, "x" * 65, "x" * 63, b"x" * 65)


def test_the_order_of_mappings_counts_and_that_of_sets_does_not():
    assert all_differ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": 2, "b": 1}, {"a": 1})
    words = [f"word{i}" for i in range(50)]
    assert fingerprint({*words}) == fingerprint({*words[::-1]})
    assert fingerprint(types.MappingProxyType({"a": 1})) == fingerprint({"a": 1})


def test_containers_that_hold_themselves():
    loop = [1]
    loop.append(loop)
    other = [2]
    other.append(other)
    assert fingerprint(loop) == fingerprint(loop)
    assert fingerprint(loop) != fingerprint(other)


def test_nested_too_deeply():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(TypeError, match="nested too deeply"):
        fingerprint(deep)


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.complex_numbers(allow_nan=False)
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


def canonical(value):
    """Write a value so that `==` compares types and bits as well."""
    if isinstance(value, dict):
        return (dict, [(repr(k), canonical(v)) for k, v in value.items()])
    if isinstance(value, list | tuple):
        return (type(value), [canonical(v) for v in value])
    return (type(value), repr(value))


@pytest.mark.long
@given(NESTED, NESTED)
def test_nested_values_differ_as_their_digests_do(a, b):
    assert (canonical(a) == canonical(b)) == (fingerprint(a) == fingerprint(b))


@pytest.mark.long
@given(NESTED)
def test_copies_have_the_same_digest(value):
    assert fingerprint(pickle.loads(pickle.dumps(value))) == fingerprint(value)


# Arrays

ARRAYS = hnp.arrays(
    hnp.boolean_dtypes()
    | hnp.integer_dtypes(endianness="?")
    | hnp.floating_dtypes(sizes=(32, 64))
    | hnp.datetime64_dtypes()
    | hnp.unicode_string_dtypes(max_len=3)
    | hnp.byte_string_dtypes(max_len=3),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3),
)


@given(ARRAYS, ARRAYS)
def test_arrays_differ_as_their_digests_do(a, b):
    alike = a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    assert alike == (fingerprint(a) == fingerprint(b))


@given(ARRAYS, st.data())
def test_one_value_changes_the_digest(array, data):
    if array.size == 0:
        return
    changed = array.copy()
    place = np.unravel_index(data.draw(st.integers(0, array.size - 1)), array.shape)
    changed[place] = data.draw(hnp.from_dtype(array.dtype))
    assert (changed.tobytes() == array.tobytes()) == (
        fingerprint(changed) == fingerprint(array)
    )


def test_memory_maps_and_read_only_arrays_are_their_content(tmp_path):
    for array in (np.arange(12.0).reshape(3, 4), np.asfortranarray(np.eye(3)), np.arange(3)):
        np.save(tmp_path / "array.npy", array)
        mapped = np.load(tmp_path / "array.npy", mmap_mode="r")
        assert isinstance(mapped, np.memmap)
        joblib.dump(array, tmp_path / "array.joblib")
        frozen = array.copy(order="K")
        frozen.flags.writeable = False
        for same in (mapped, joblib.load(tmp_path / "array.joblib", mmap_mode="r"), frozen):
            assert fingerprint(same) == fingerprint(array)


def test_views_are_their_content():
    wide = np.arange(24.0).reshape(4, 6)
    assert fingerprint(wide[:, ::2]) == fingerprint(wide[:, ::2].copy())
    assert fingerprint(wide[::-1]) == fingerprint(wide[::-1].copy())
    assert fingerprint(wide[:0]) == fingerprint(np.empty((0, 6)))
    assert all_differ(wide[:0], wide[:, :0], wide.ravel(), wide, wide.reshape(6, 4))


class Marked(np.ndarray):
    """An array that may behave in another way."""


def test_layout_dtype_and_kind_count():
    array = np.arange(6.0).reshape(2, 3)
    assert all_differ(
        array,
        np.asfortranarray(array),  # sums of its columns may differ in the last digit
        array.astype("f4"),
        array.astype(">f8"),
        array.astype(int),
        array.astype(object),
        array.astype(str),
        array.view("datetime64[s]"),
        array.view("datetime64[ms]"),
        array.view(Marked),
        np.ma.masked_array(array),
        np.ma.masked_array(array, mask=array > 2),
        array.tolist(),
    )


def test_object_arrays():
    a = np.array(["a", "b", 1, None, 2.0], dtype=object)
    b = np.array(["".join("a"), "b", 1, None, 2.0], dtype=object)
    assert fingerprint(a) == fingerprint(b)
    b[2] = "1"
    assert fingerprint(a) != fingerprint(b)
    assert fingerprint(a) != fingerprint(a.reshape(5, 1))
    text = np.dtypes.StringDType()
    assert all_differ(
        np.array(["a", "b"], dtype=text), np.array(["a", "c"], dtype=text), np.array(["a", "b"])
    )


def test_bytes_between_the_fields_do_not_count():
    dtype = np.dtype([("a", "i1"), ("b", "f8"), ("c", "O")], align=True)
    plain = np.dtype([("a", "i1"), ("b", "f8")], align=True)
    dirty = np.full(3 * plain.itemsize, 255, np.uint8).view(plain)
    clean = np.zeros(3, plain)
    for array in (dirty, clean):
        array["a"], array["b"] = 1, 2
    assert fingerprint(dirty) == fingerprint(clean)
    clean["b"][1] = 3
    assert fingerprint(dirty) != fingerprint(clean)
    assert all_differ(clean, clean.view(Marked), clean.reshape(3, 1))
    assert all_differ(np.array([(1, 2, "x")], dtype), np.array([(1, 2, "y")], dtype))


def test_random_numbers_are_their_state():
    for make in (np.random.RandomState, np.random.default_rng, np.random.SeedSequence):
        assert fingerprint(make(0)) == fingerprint(make(0))
        assert fingerprint(make(0)) != fingerprint(make(1))
    for make in (np.random.RandomState, np.random.default_rng):
        used = make(0)
        used.normal()
        assert fingerprint(used) != fingerprint(make(0))
    before = fingerprint(check_random_state(None), stats.multivariate_normal)
    state = np.random.get_state()  # noqa: NPY002
    check_random_state(None).normal()
    assert fingerprint(check_random_state(None), stats.multivariate_normal) == before
    np.random.set_state(state)  # noqa: NPY002
    spawned = np.random.default_rng(0)
    spawned.spawn(1)
    assert fingerprint(spawned) != fingerprint(np.random.default_rng(0))


@in_one_test("kind", ["array", "matrix"])
@in_one_test("name", ["csr", "csc", "coo", "bsr", "dia", "lil", "dok"])
def test_sparse(name, kind):
    make = getattr(sparse, f"{name}_{kind}")
    dense = np.array([[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]])
    other = np.array([[0.0, 1.0, 0.0], [2.5, 0.0, 0.0]])
    moved = np.array([[0.0, 0.0, 1.0], [2.0, 0.0, 0.0]])
    wider = np.array([[0.0, 1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]])
    assert fingerprint(make(dense)) == fingerprint(make(dense))
    assert all_differ(*map(make, (dense, other, moved, wider)), dense)


def test_sparse_formats_differ():
    dense = np.eye(3)
    kinds = itertools.product(["csr", "csc", "coo", "bsr", "dia", "lil"], ["array", "matrix"])
    assert all_differ(*(getattr(sparse, "_".join(kind))(dense) for kind in kinds))


# Frames


def test_pandas():
    pd = pytest.importorskip("pandas")

    def frame(**changed):
        columns = {
            "number": [1.0, 2.0, 3.0],
            "text": ["a", "b", "c"],
            "mixed": pd.Series([1, "1", None], dtype=object),
            "category": pd.Categorical(["x", "y", "x"], categories=["x", "y", "z"]),
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "when": pd.to_datetime(["2020-01-01", "2020-01-02", None]),
            "zone": pd.to_datetime(["2020-01-01", "2020-01-02", None]).tz_localize("UTC"),
            "period": pd.period_range("2020-01", periods=3, freq="M"),
            "interval": pd.interval_range(0, 3),
            "sparse": pd.arrays.SparseArray([0.0, 0.0, 1.0]),
            "lists": pd.Series([[1], [2], [3]], dtype=object),
        }
        return pd.DataFrame(columns | changed)

    base = frame()
    assert fingerprint(frame()) == fingerprint(base)
    assert fingerprint(base.copy()) == fingerprint(base)
    assert fingerprint(pickle.loads(pickle.dumps(base))) == fingerprint(base)
    category = base["category"].cat
    assert all_differ(
        base,
        base.rename(columns={"number": "count"}),
        base[[*base.columns[1:], base.columns[0]]],
        base.set_index("number"),
        base.iloc[:2],
        base.set_axis(["r", "s", "t"]),
        base.set_axis(pd.MultiIndex.from_tuples([("r", 1), ("s", 1), ("t", 1)])),
        base.set_axis(pd.MultiIndex.from_tuples([("r", 1), ("s", 1), ("t", 2)])),
        base.rename_axis(index="row"),
        base.rename_axis(columns="column"),
        frame(number=[1.0, 2.0, 4.0]),
        frame(number=[1, 2, 3]),
        frame(number=pd.array([1.0, 2.0, 3.0], dtype="Float64")),
        frame(text=["a", "b", "d"]),
        frame(text=pd.Categorical(["a", "b", "c"])),
        frame(mixed=pd.Series(["1", 1, None], dtype=object)),
        frame(mixed=pd.Series(["1", "1", None], dtype=object)),
        frame(mixed=pd.Series([1, "1", np.nan], dtype=object)),
        base.assign(category=category.reorder_categories(["y", "x", "z"])),
        base.assign(category=category.remove_unused_categories()),
        base.assign(category=category.as_ordered()),
        base.assign(category=["y", "x", "x"]),
        frame(nullable=pd.array([1, 2, 3], dtype="Int64")),
        frame(nullable=pd.array([1, None, 3], dtype="Int32")),
        frame(nullable=pd.array([1, None, 4], dtype="Int64")),
        base.assign(when=base["when"] + pd.Timedelta(1, "s")),
        base.assign(zone=base["zone"].dt.tz_convert("Asia/Tokyo")),
        base.assign(period=pd.period_range("2020-02", periods=3, freq="M")),
        base.assign(interval=pd.interval_range(1, 4)),
        frame(sparse=pd.arrays.SparseArray([0.0, 1.0, 1.0])),
        frame(lists=pd.Series([[1], [2], [4]], dtype=object)),
    )
    series = base["number"]
    assert all_differ(series, series.rename("n"), series.to_frame(), series.iloc[::-1])
    assert all_differ(pd.Index([0, 1]), pd.RangeIndex(2), pd.RangeIndex(3), pd.Index([0, 2]))
    twice = pd.DataFrame([[1, 2]], columns=["a", "a"])
    assert all_differ(twice, twice.iloc[:, ::-1])
    assert all_differ(pd.NA, pd.NaT, pd.Timestamp("2020"), pd.Timestamp("2021"), None)


def test_polars():
    pl = pytest.importorskip("polars")

    def frame(**changed):
        columns = {
            "number": [1.0, 2.0, 3.0],
            "text": ["a", "b", None],
            "category": pl.Series(["x", "y", "x"], dtype=pl.Categorical),
            "level": pl.Series(["x", "y", "x"], dtype=pl.Enum(["x", "y"])),
            "when": [datetime.date(2020, 1, day) for day in (1, 2, 3)],
            "lists": [[1], [2], [3]],
        }
        return pl.DataFrame(columns | changed)

    base = frame()
    assert fingerprint(base) == fingerprint(frame()) == fingerprint(base.clone())
    assert all_differ(
        base,
        base.rename({"number": "count"}),
        base.select(*base.columns[1:], base.columns[0]),
        base.head(2),
        frame(number=[1, 2, 3]),
        frame(number=[1.0, 2.0, None]),
        frame(number=[1.0, 2.0, 4.0]),
        frame(text=["a", None, "b"]),
        frame(category=["x", "y", "x"]),
        frame(category=pl.Series(["x", "y", "y"], dtype=pl.Categorical)),
        frame(level=pl.Series(["x", "y", "x"], dtype=pl.Enum(["y", "x"]))),
        frame(when=[datetime.date(2020, 1, day) for day in (1, 2, 4)]),
        frame(lists=[[1], [2], [4]]),
        base["number"],
        base["number"].rename("n"),
    )


# Estimators and what goes with them


def pipeline(**parameters):
    steps = make_pipeline(StandardScaler(), SVC(random_state=0))
    return steps.set_params(**parameters)


def test_parameters_count():
    assert fingerprint(pipeline()) == fingerprint(pipeline())
    assert all_differ(
        pipeline(),
        pipeline(svc__C=2.0),
        pipeline(svc__C=2),
        pipeline(svc__random_state=1),
        pipeline(svc__class_weight={0: 1.0, 1: 2.0}),
        pipeline(standardscaler__with_mean=False),
        pipeline(standardscaler="passthrough"),
        pipeline(svc=LogisticRegression()),
        pipeline(verbose=True),
        Pipeline([("scale", StandardScaler()), ("svc", SVC(random_state=0))]),
        pipeline().steps,
    )


def test_searches_and_kernels_count_their_parts():
    def search(**parameters):
        search = GridSearchCV(pipeline(), {"svc__C": [1, 2]}, cv=StratifiedKFold(3))
        return search.set_params(**parameters)

    assert fingerprint(search()) == fingerprint(search())
    assert all_differ(
        search(),
        search(estimator__svc__tol=0.1),
        search(cv=StratifiedKFold(4)),
        search(cv=KFold(3)),
        search(cv=KFold(3, shuffle=True, random_state=np.random.RandomState(0))),
        search(cv=KFold(3, shuffle=True, random_state=np.random.RandomState(1))),
        search(param_grid={"svc__C": [1, 3]}),
        search(param_grid={"svc": [SVC(C=1.0)]}),
        search(param_grid={"svc": [SVC(C=2.0)]}),
        search(scoring="f1"),
        search(scoring=make_scorer(f1_score)),
    )
    assert all_differ(*(GaussianProcessClassifier(2.0 * RBF(scale)) for scale in (1.0, 2.0)))


def test_only_what_clone_keeps_counts():
    X, y = make_classification(80, random_state=0)
    for estimator in (pipeline(), RandomForestClassifier(3, random_state=0)):
        before = fingerprint(estimator)
        assert fingerprint(clone(estimator)) == before
        assert fingerprint(estimator.fit(X, y)) == before
        assert fingerprint({"a": estimator}) == fingerprint({"a": clone(estimator)})


def test_a_frozen_estimator_counts_with_what_it_learned():
    X, y = make_classification(80, random_state=0)

    def frozen(rows):
        forest = RandomForestClassifier(3, random_state=0).fit(X[:rows], y[:rows])
        return FrozenEstimator(forest)

    assert fingerprint(frozen(80)) == fingerprint(frozen(80))
    assert fingerprint(frozen(80)) != fingerprint(frozen(60))
    assert fingerprint(make_pipeline(frozen(80))) == fingerprint(make_pipeline(frozen(80)))
    assert fingerprint(make_pipeline(frozen(80))) != fingerprint(make_pipeline(frozen(60)))


def test_estimators_inside_of_objects_are_not_cloned():
    X, y = make_classification(80, random_state=0)
    for hold in (
        lambda e: e,
        lambda e: [e],
        lambda e: {e},
        lambda e: {"a": e},
        lambda e: {e: 1},
    ):
        assert all_differ(
            types.SimpleNamespace(held=hold(LogisticRegression())),
            types.SimpleNamespace(held=hold(LogisticRegression().fit(X, y))),
            types.SimpleNamespace(held=hold(LogisticRegression().fit(X[:40], y[:40]))),
        )


def test_output_containers_and_metadata_requests_count():
    with config_context(enable_metadata_routing=True):
        requesting = StandardScaler().set_fit_request(sample_weight=True)
    assert all_differ(
        StandardScaler(), StandardScaler().set_output(transform="pandas"), requesting
    )


def test_distributions_of_a_search():
    def search(distribution):
        return RandomizedSearchCV(SVC(), {"C": distribution}, random_state=0)

    before = fingerprint(search(stats.loguniform(1, 10)))
    everybodys = check_random_state(None)
    state = everybodys.get_state()
    try:
        everybodys.normal()
        assert fingerprint(search(stats.loguniform(1, 10))) == before
    finally:
        everybodys.set_state(state)
    seeded = [stats.loguniform(1, 10), stats.loguniform(1, 10)]
    for seed, distribution in enumerate(seeded, start=20_000):  # nobody else has these
        distribution.random_state = seed
    assert all_differ(
        search(stats.loguniform(1, 10)),
        search(stats.loguniform(1, 11)),
        search(stats.uniform(1, 10)),
        search(stats.randint(1, 10)),
        *map(search, seeded),
    )


class FromKeywords(BaseEstimator):
    """An estimator whose parameters come in any order."""

    def __init__(self, **parameters):
        self.__dict__.update(parameters)

    def get_params(self, deep=True):
        return dict(vars(self))


def test_parameters_of_any_name_count():
    assert fingerprint(FromKeywords(a=1, b=2)) == fingerprint(FromKeywords(a=1, b=2))
    assert fingerprint(FromKeywords(a=1, b=2)) != fingerprint(FromKeywords(b=1, a=2))


def test_scorers():
    assert fingerprint(make_scorer(f1_score)) == fingerprint(make_scorer(f1_score))
    assert all_differ(
        make_scorer(f1_score),
        make_scorer(accuracy_score),
        make_scorer(f1_score, average="macro"),
        make_scorer(f1_score, average="micro"),
        make_scorer(f1_score, greater_is_better=False),
        make_scorer(f1_score, response_method="decision_function"),
        functools.partial(fbeta_score, beta=1),
        functools.partial(fbeta_score, beta=2),
        f1_score,
        None,
        "f1",
    )


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


def test_objects_are_their_state():
    Point = collections.namedtuple("Point", "x y")
    assert fingerprint(Slotted(1)) == fingerprint(Slotted(1))
    assert all_differ(
        Slotted(1),
        Slotted(2),
        Point(1, 2),
        (1, 2),
        collections.deque([1, 2]),
        collections.deque([1, 2], 3),
        collections.Counter("ab"),
        collections.defaultdict(int, a=1, b=1),
        collections.defaultdict(float, a=1, b=1),
        types.SimpleNamespace(a=1),
        types.SimpleNamespace(a=2),
    )


def test_what_cannot_be_told_apart_is_refused():
    with pytest.raises(TypeError, match="memory cannot be used: .*generator"):
        fingerprint(i for i in range(3))
    with pytest.raises(TypeError, match="memory cannot be used: .*generator"):
        fingerprint(FunctionTransformer(kw_args={"rows": (i for i in range(3))}))
    with open(__file__) as file, pytest.raises(TypeError, match="memory cannot be used"):
        fingerprint([file])


def test_locks_hold_nothing():
    assert fingerprint(threading.Lock()) == fingerprint(threading.Lock())


def test_installed_code_is_not_local():
    for name in get_scorer_names():
        assert not examine(get_scorer(name)).local
    for value in (pipeline(), np.add, np.mean, expit, len, {"a": collections.Counter("ab")}):
        assert not examine(value).local


def test_versions_and_configuration_count(monkeypatch):
    before = fingerprint(versions())
    for change in (
        {"transform_output": "pandas"},
        {"assume_finite": True},
        {"enable_metadata_routing": True},
    ):
        with config_context(**change):
            assert fingerprint(versions()) != before
    with config_context(display="text", print_changed_only=False):
        assert fingerprint(versions()) == before
    monkeypatch.setattr("sklearn.__version__", "99.0")
    assert fingerprint(versions()) != before


def test_installed_code_is_known_by_its_version(monkeypatch):
    before = fingerprint(SVC)
    monkeypatch.setattr(_installed, "_version", lambda package: "0.1")
    _installed._owner.cache_clear()
    assert fingerprint(SVC) != before
    assert installed("sklearn.svm") == ("sklearn", "0.1")
    monkeypatch.undo()
    _installed._owner.cache_clear()
    assert fingerprint(SVC) == before


def test_what_is_installed(tmp_path, monkeypatch):
    assert installed("json") == installed("sys") == ("python",)
    assert installed("hypothesis") is not None and installed("skstat.stats") is not None
    assert installed("__main__") is installed(__name__) is installed("conftest") is None
    (tmp_path / "packed.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("packed")
    assert installed("packed") is None
    (tmp_path / "packed-1.0.dist-info").mkdir()  # as after `pip install --target`
    _installed._owner.cache_clear()
    _installed._holds_packages.cache_clear()
    assert installed("packed")[0] == "packed"


def test_versions_are_looked_up_where_a_package_does_not_tell(monkeypatch):
    assert _installed._version("numpy") == np.__version__
    _installed._version.cache_clear()
    monkeypatch.delattr(np, "__version__")
    assert _installed._version("numpy").startswith("numpy ")
    _installed._version.cache_clear()


def test_the_record_format_is_raised_with_the_record():
    assert _RECORD_FORMAT == 6
    assert set(FoldRecord.__dataclass_fields__) == {
        *("dataset", "split", "estimator_index"),
        *("scores", "fit_time", "score_time", "predictions", "failure"),
        *("outputs", "training_scores", "part_scores", "contributions", "modules"),
    }
