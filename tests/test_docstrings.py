"""Public docstrings follow numpydoc, and say everything."""

import inspect
from functools import cached_property

import pytest

import skstat
from skstat import stats
from tests.cases import in_one_test

pytestmark = pytest.mark.lint

validate = pytest.importorskip("numpydoc.validate").validate
docscrape = pytest.importorskip("numpydoc.docscrape")
# Parameters documented as they are, in their order, with types and descriptions; what
# comes back; a summary that is one.
CHECKED = {"GL03", "GL07", "GL08", "PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10"}
CHECKED |= {"RT01", "RT03", "SS01", "SS02", "SS04", "SS06", "YD01", "EX01"}

FUNCTIONS = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (skstat, stats, skstat.report)
    for name in module.__all__
    if inspect.isfunction(getattr(module, name))
}


@in_one_test("name", FUNCTIONS)
def test_numpydoc(name):
    errors = {code: text for code, text in validate(name)["errors"] if code in CHECKED}
    assert errors == {}


def _documented(member):
    """Return the function that carries the docstring of a method or property."""
    if isinstance(member, property):
        return member.fget
    if isinstance(member, cached_property):
        return member.func
    return member.__func__ if isinstance(member, classmethod | staticmethod) else member


def _docstrings_along_the_mro(owner, name):
    """Docstrings of a public member, its class's own first and then those it overrides."""
    found = [vars(base)[name] for base in owner.__mro__ if name in vars(base)]
    return [inspect.cleandoc(doc) for member in found if (doc := _documented(member).__doc__)]


def _members():
    rooms = ("stats", "report", "evaluation", "metrics", "display", "comparison")
    modules = (skstat, *(getattr(skstat, room) for room in rooms))
    values = {getattr(module, name) for module in modules for name in module.__all__}
    for public in filter(inspect.isclass, values):
        for owner in public.__mro__:
            if not owner.__module__.startswith("skstat"):
                continue
            for name, member in vars(owner).items():
                if not name.startswith("_") and inspect.isfunction(_documented(member)):
                    yield owner, name


# A class that several public ones inherit from counts once.
MEMBERS = set(_members())


def test_public_methods_and_properties_have_docstrings_and_overrides_inherit_them():
    docs = {member: _docstrings_along_the_mro(*member) for member in MEMBERS}
    assert [member for member, own in docs.items() if not own] == []
    assert [member for member, own in docs.items() if own[0] in own[1:]] == []


DOORS = {
    name: getattr(module, name)
    for module, names in (
        (skstat.comparison, skstat.comparison.__all__),
        (skstat.evaluation, ("cross_validate_over_datasets", "paired_cross_validate")),
    )
    for name in names
    if inspect.isfunction(getattr(module, name))
}
# How many meanings a parameter has at most in the doors that have it, where more than one.
# Texts of one meaning begin alike: a door that says it in other words is one meaning more.
MEANINGS = {
    "X": 3, "adjustment": 4, "alternative": 2, "by": 3, "confidence_level": 2,
    "constant": 2, "control": 2, "cost_matrix": 2, "cv": 6, "difference": 2, "groups": 6,
    "holds": 2, "interval": 3, "item": 2, "labels": 2, "margin": 2, "metric": 2, "n_jobs": 2,
    "n_repeats": 2, "names": 2, "params": 2, "power": 2, "random_state": 3,
    "sample_weight": 3, "scoring": 5, "seeds": 2, "systems": 2, "unit": 2, "y": 2, "y_true": 2,
}  # fmt: skip
# Every door that has one of these has choices of its own.
OWN_MEANING = {
    "a", "b", "method", "n", "n_resamples", "n_test", "n_train",
    "predictions", "statistic", "test",
}  # fmt: skip


def _parameters(function):
    """Type line, without the default, and description of every documented parameter."""
    return {
        name: (
            entry.type.partition(", default")[0].partition(", optional")[0],
            " ".join(" ".join(entry.desc).split()).rstrip("."),
        )
        for entry in docscrape.FunctionDoc(function)["Parameters"]
        for name in entry.name.split(", ")
    }


def _meanings(texts):
    """Return the shortest texts of which every other one is a beginning."""
    found = []
    for text in sorted(set(texts), key=lambda text: len(text[1])):
        if not any(all(map(str.startswith, text, known)) for known in found):
            found.append(text)
    return found


def test_doors_describe_a_shared_parameter_alike():
    told = {}
    for function in DOORS.values():
        for name, text in _parameters(function).items():
            if name not in OWN_MEANING:
                told.setdefault(name, []).append(text)
    counted = {name: len(_meanings(texts)) for name, texts in told.items()}
    assert {name: n for name, n in counted.items() if n > MEANINGS.get(name, 1)} == {}


@in_one_test("name", DOORS)
def test_doors_say_themselves_what_a_parameter_means(name):
    assert "As in :func:`" not in inspect.getdoc(DOORS[name])


# Of all procedures that have them; others depend on what the procedure is for.
PROCEDURES_SHARE = {"adjustment", "control", "rng", "table", "workers"}


@pytest.mark.parametrize("name", sorted(PROCEDURES_SHARE))
def test_procedures_describe_a_shared_parameter_alike(name):
    functions = filter(inspect.isfunction, (getattr(stats, one) for one in stats.__all__))
    texts = [known[name] for known in map(_parameters, functions) if name in known]
    assert len(texts) > 1
    for lines in zip(*texts, strict=True):
        shared = min(lines, key=len)
        assert [line for line in lines if not line.startswith(shared)] == []


@in_one_test("name", FUNCTIONS)
def test_documented_defaults_are_those_of_the_signature(name):
    # None stands for a default that depends on other arguments.
    defaults = inspect.signature(FUNCTIONS[name]).parameters
    for entry in docscrape.FunctionDoc(FUNCTIONS[name])["Parameters"]:
        _, written, text = entry.type.partition("default=")
        for parameter in entry.name.replace("*", "").split(", ") if written else ():
            default = defaults[parameter].default
            if default is not None and not isinstance(default, type):
                assert text.strip().replace('"', "'") == repr(default)
