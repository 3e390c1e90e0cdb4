"""Public docstrings follow numpydoc, and say everything."""

import inspect

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
