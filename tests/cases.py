"""Many small cases in one test: to start and report a test takes longer than most cases."""

import functools
import inspect
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

import skstat

_FAILED = (Exception, pytest.fail.Exception, pytest.skip.Exception)
_MARKED = type(pytest.param())


def in_one_test(names, cases, ids=None):
    """Try all cases in one test, and tell of every one that fails.

    Written as ``pytest.mark.parametrize``. It is for cases that take milliseconds: those of
    a test share its fixtures, are tried by one process, and none may be skipped. ``pytest
    -k`` finds a test by the names of its cases.
    """
    names = [n.strip() for n in names.split(",")] if isinstance(names, str) else list(names)
    cases = list(cases)
    labels = list(ids) if ids is not None and not callable(ids) else [ids] * len(cases)
    assert cases, f"there is no case of {', '.join(names)}"
    tried = [_labelled(names, case, label) for case, label in zip(cases, labels, strict=True)]

    def decorate(test):
        @functools.wraps(test)
        def of_all_cases(**fixtures):
            failed = []
            for number, (label, values) in enumerate(tried):
                try:
                    test(**dict(zip(names, values, strict=True)), **fixtures)
                except _FAILED as error:
                    error.add_note(f"Case {number}: {label}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(tried)} cases", failed)

        own = inspect.signature(test)
        left = [own.parameters[name] for name in own.parameters if name not in names]
        # pytest looks here for the names of fixtures, and in attributes for those of -k.
        of_all_cases.__signature__ = own.replace(parameters=left)
        for label, _ in tried:
            vars(of_all_cases).setdefault(label, True)
        return of_all_cases

    return decorate


def refusals(cases, ask=None, error=ValueError):
    """Return a test: every call, or what is given to `ask`, is refused with such words.

    A mapping is given by name, a tuple by position.
    """

    @in_one_test("given, words", cases)
    def test(given, words):
        by_place, by_name = (given, {}) if isinstance(given, tuple) else ((), given)
        with pytest.raises(error, match=words):
            given() if ask is None else ask(*by_place, **by_name)

    return test


def _labelled(names, case, label):
    """Return what to call a case, and its values."""
    values = (case,) if len(names) == 1 else case
    if isinstance(case, _MARKED):
        assert not case.marks, "a case has no marks of its own"
        values, label = case.values, case.id or label
    if callable(label):
        label = "-".join(str(label(value)) for value in values)
    if label is None:
        told = [f"{name}={value!r:.200}" for name, value in zip(names, values, strict=True)]
        label = ", ".join(told)
    return label, values


def explained(*code):
    """Return what is said of a doubt, or of all, on one line."""
    with redirect_stdout(StringIO()) as said:
        skstat.explain(*code)
    return " ".join(said.getvalue().split())


def codes(report):
    """Return the codes of the doubts about a report."""
    return {doubt.code for doubt in report.doubts}


class Untouched(GaussianNB):
    """An estimator that must not be fitted."""

    def fit(self, X, y, sample_weight=None):
        raise AssertionError("fitted although the question is refused")


def doubt_of(report, code):
    """Return the only doubt of this code about a report."""
    (doubt,) = (doubt for doubt in report.doubts if doubt.code == code)
    return doubt


def text_of(report, code):
    """Return the words of the only doubt of this code about a report."""
    return doubt_of(report, code).text


class Column(ClassifierMixin, BaseEstimator):
    """An estimator that learns nothing: it says what a column says."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.column].astype(int)
