"""Cases that share a test fail as those with tests of their own do."""

import pytest

from tests.cases import in_one_test


def test_every_case_that_fails_is_told_with_its_values():
    tried = []

    @in_one_test("a, b", [(1, 2), (2, 2), (3, 4), (5, 5)])
    def equal(a, b):
        tried.append((a, b))
        assert a == b

    with pytest.raises(ExceptionGroup, match="2 of 4 cases") as raised:
        equal()
    assert len(tried) == 4
    notes = [note for error in raised.value.exceptions for note in error.__notes__]
    assert notes == ["Case 0: a=1, b=2", "Case 2: a=3, b=4"]


def test_what_pytest_raises_is_a_failure_and_so_is_a_skip():
    @in_one_test("act", [pytest.skip, pytest.fail, pytest.importorskip], ids=["s", "f", "i"])
    def acting(act):
        act("no_such_module")

    with pytest.raises(BaseExceptionGroup, match="3 of 3") as raised:
        acting()
    notes = [note for error in raised.value.exceptions for note in error.__notes__]
    assert notes == ["Case 0: s", "Case 1: f", "Case 2: i"]


@in_one_test("a", [1, pytest.param(2, id="two")])
@in_one_test("b", [3, 4])
def test_products_and_fixtures(a, tmp_path, b):
    (tmp_path / f"{a}{b}").touch()
    assert f"{a}{b}" in {path.name for path in tmp_path.iterdir()}
    assert (a, b) != (2, 4) or len(list(tmp_path.iterdir())) == 4


def test_no_cases_are_an_error():
    with pytest.raises(AssertionError, match="no case of name"):
        in_one_test("name", [])


def test_a_test_is_found_by_the_names_of_its_cases():
    # `pytest -k` looks at the attributes of a function.
    @in_one_test("a", [1, pytest.param(2, id="second")])
    @in_one_test("b", [3, 4], ids=["third", "fourth"])
    @in_one_test("c", ["name"])
    @in_one_test("d", [len], ids=lambda function: function.__name__)
    def test(a, b, c, d):
        """Do nothing."""

    assert {"a=1", "second", "third", "fourth", "c='name'", "len"} <= set(vars(test))
