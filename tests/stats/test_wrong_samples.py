"""Every procedure says which sample it takes, and the line to write."""

import inspect
from typing import get_args

import numpy as np
import pytest

from skstat import stats
from skstat.stats import PairedScores, paired_t
from tests.cases import in_one_test
from tests.stats import asked


def kinds_of(function):
    first = next(iter(inspect.signature(function).parameters.values()))
    return [
        kind
        for kind in get_args(first.annotation) or (first.annotation,)
        if inspect.isclass(kind) and hasattr(kind, "made_by")
    ]


PROCEDURES = {
    name: function
    for name in stats.__all__
    if hasattr(function := getattr(stats, name), "declared") and kinds_of(function)
}
OTHERS = ([0.8, 0.7, 0.9], np.ones((3, 2)), {"a": [0.8, 0.7]}, "scores", None, PairedScores)


def options_of(function):
    """Give what else a procedure must be told."""
    more = list(inspect.signature(function).parameters.values())[1:]
    return {item.name: 0.5 for item in more if item.default is item.empty}


@in_one_test("name", PROCEDURES)
@in_one_test("other", OTHERS)
def test_what_is_no_sample_is_refused_with_the_line_to_write(name, other):
    assert len(PROCEDURES) >= 44
    function = PROCEDURES[name]
    with pytest.raises(TypeError) as caught:
        function(other, **options_of(function))
    said, lacking = str(caught.value), function.declared.needs  # by a plain sample, too
    assert said.startswith(f"{name} takes a sample: ")
    assert f"got {type(other).__name__}. {'It needs ' if lacking else f'Write {name}('}" in said
    for kind in kinds_of(function):
        assert kind.__name__ in said and (lacking or f"{name}({kind.made_by})" in said)


CHOICES = (
    "alternative", "method", "interval", "zero_method", "pvalue", "standard_error", "statistic"
)  # fmt: skip
WRONG = [*((name, "no such") for name in CHOICES), ("n_resamples", 0), ("n_resamples", 2.5)]


@in_one_test("ask", asked.PROCEDURES.values(), ids=asked.PROCEDURES)
@in_one_test("option, value", WRONG)
def test_unknown_choices_are_refused_by_name(ask, option, value):
    with pytest.raises((ValueError, TypeError)) as caught:
        ask(**{option: value})
    said = str(caught.value)
    assert f"{option}={value!r}" in said or f"argument '{option}'" in said


def test_a_missing_sample_is_said_as_python_says_it():
    with pytest.raises(TypeError, match=r"paired_t\(\) missing 1 required positional"):
        paired_t()
    with pytest.raises(TypeError, match="unexpected keyword argument 'side'"):
        paired_t(PairedScores([1.0, 2.0], [0.5, 1.0], unit="seed"), side="left")
    sample = PairedScores([1.0, 2.0], [0.5, 1.5], unit="seed")
    assert paired_t(sample=sample).estimate == 0.5
