"""Public docstrings follow numpydoc, and say everything."""

import inspect
from functools import cached_property

import pytest

import skstat
from skstat import stats

validate = pytest.importorskip("numpydoc.validate").validate
# Parameters documented as they are, in their order, with types and descriptions; what
# comes back; a summary that is one.
CHECKED = {"GL03", "GL07", "GL08", "PR01", "PR02", "PR03", "PR04", "PR05", "PR07", "PR10"}
CHECKED |= {"RT01", "RT03", "SS01", "SS02", "SS04", "SS06", "YD01", "EX01"}

FUNCTIONS = [
    f"{module.__name__}.{name}"
    for module in (skstat, stats, skstat.report, skstat.testing)
    for name, value in sorted(
        vars(module).items()
        if module is skstat.testing
        else [(name, getattr(module, name)) for name in module.__all__]
    )
    if inspect.isfunction(value) and not name.startswith("_")
]


@pytest.mark.parametrize("name", sorted(set(FUNCTIONS)))
def test_numpydoc(name):
    errors = {code: text for code, text in validate(name)["errors"] if code in CHECKED}
    # Parameters that several functions share are documented in one place, together.
    together = "As in :func:`" in inspect.getdoc(_resolve(name))
    if together:
        errors.pop("PR04", None)
    assert errors == {}


def _resolve(name):
    value = skstat
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value


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
    modules = (
        skstat,
        stats,
        skstat.report,
        skstat.evaluation,
        skstat.metrics,
        skstat.display,
        skstat.comparison,
    )
    values = {getattr(module, name) for module in modules for name in module.__all__}
    for public in filter(inspect.isclass, values):
        for owner in public.__mro__:
            if not owner.__module__.startswith("skstat"):
                continue
            for name, member in vars(owner).items():
                if not name.startswith("_") and inspect.isfunction(_documented(member)):
                    yield owner, name


# A class that several public ones inherit from counts once.
MEMBERS = sorted(set(_members()), key=lambda pair: (pair[0].__qualname__, pair[1]))


def test_every_public_method_and_property_has_a_docstring():
    without = [
        f"{owner.__name__}.{name}"
        for owner, name in MEMBERS
        if not _docstrings_along_the_mro(owner, name)
    ]
    assert without == []


def test_overrides_inherit_their_docstrings_instead_of_repeating_them():
    repeated = [
        f"{owner.__name__}.{name}"
        for owner, name in MEMBERS
        if (docs := _docstrings_along_the_mro(owner, name))[0] in docs[1:]
    ]
    assert repeated == []
