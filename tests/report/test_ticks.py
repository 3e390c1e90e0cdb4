"""Round values on the axes of drawings."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skstat.report._forms.svg import round_ticks


@given(spans=st.floats(-1e4, 1e4), span=st.floats(1e-6, 1e6), most=st.integers(2, 10))
def test_ticks_are_round_and_as_many_as_fit(spans, span, most):
    low = spans * span  # as many spans from zero
    high = low + span
    found = round_ticks(low, high, most)
    values = [value for value, _ in found]
    assert len(found) <= most
    slack = 1e-6 * span
    assert all(low - slack <= value <= high + slack for value in values)
    assert len({text for _, text in found}) == len(found)
    steps = [after - before for before, after in pairwise(values)]
    for step in steps:
        assert step == pytest.approx(steps[0], rel=1e-4)
        digits = steps[0] / 10 ** math.floor(math.log10(steps[0]) + 1e-9)
        assert min(abs(digits - good) for good in (1, 2, 2.5, 5, 10)) < 1e-3
    for value, text in found:
        if "e" not in text:
            assert float(text.replace("\N{MINUS SIGN}", "-")) == pytest.approx(value, abs=slack)


@given(reach=st.floats(1e-6, 1e6), most=st.integers(3, 9))
def test_zero_is_a_tick_of_every_axis_around_it(reach, most):
    found = dict(round_ticks(-reach, reach, most))
    assert found[0.0] == "0" and len(found) >= 3
    assert sorted(-value for value in found) == pytest.approx(sorted(found))


@pytest.mark.parametrize("ends", [(1.0, 1.0), (2.0, 1.0), (0.0, math.inf), (math.nan, 1.0)])
def test_no_axis_no_ticks(ends):
    assert round_ticks(*ends) == []
