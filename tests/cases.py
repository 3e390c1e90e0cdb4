"""Many small cases in one test: to start and report a test takes longer than most cases."""

import functools
import inspect

import pytest

_FAILED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
_MARKED = type(pytest.param())


def in_one_test(names, cases, ids=None):
    """Try all cases in one test, and tell of every one that fails.

    Written as ``pytest.mark.parametrize``. It is for cases that take milliseconds: those of
    a test share its fixtures, are tried by one process, and none may be skipped.
    """
    names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
    cases = [_values_of(case, len(names)) for case in cases]
    ids = list(ids) if ids is not None and not callable(ids) else ids
    assert cases, f"there is no case of {', '.join(names)}"

    def decorate(test):
        @functools.wraps(test)
        def of_all_cases(**fixtures):
            failed = []
            for number, values in enumerate(cases):
                try:
                    test(**dict(zip(names, values, strict=True)), **fixtures)
                except _FAILED as error:
                    error.add_note(f"Case {number}: {_told(names, values, ids, number)}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases", failed)

        own = inspect.signature(test)
        left = [own.parameters[name] for name in own.parameters if name not in names]
        # pytest looks here for the names of fixtures.
        of_all_cases.__signature__ = own.replace(parameters=left)
        return of_all_cases

    return decorate


def _values_of(case, n_names):
    if isinstance(case, _MARKED):
        assert not case.marks, "a case has no marks of its own"
        return case.values
    return (case,) if n_names == 1 else case


def _told(names, values, ids, number):
    if callable(ids):
        return "-".join(str(ids(value)) for value in values)
    if ids is not None:
        return ids[number]
    return ", ".join(
        f"{name}={value!r:.200}" for name, value in zip(names, values, strict=True)
    )
