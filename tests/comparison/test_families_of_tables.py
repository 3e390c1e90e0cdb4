"""Tables over data sets judged by arrays, against pairs that are asked one by one."""

import json
import sys

import numpy as np
import pytest

import skstat
from skstat.comparison._engine import tables
from skstat.stats._outcomes.family import ListedOutcomes, family_of

RNG = np.random.default_rng(5)
SMOOTH = 0.8 + 0.05 * RNG.standard_normal((30, 1)) + 0.03 * RNG.standard_normal((30, 6))
COARSE = RNG.integers(5, 8, (14, 6)) / 10
BETTER = SMOOTH + np.linspace(0, 0.05, 6)
SKEWED = SMOOTH[:12] + np.linspace(0, 0.05, 6)
SKEWED[3, 5] -= 5
ODD = np.column_stack([COARSE, COARSE[:, 0], COARSE[:, 0] + 0.25])
MANY = 0.8 + 0.03 * RNG.standard_normal((220, 5)) + np.linspace(0, 0.01, 5)
# Ranked with their zeros some pairs differ, by the interval, which knows no zeros, they do not.
ZEROS = np.zeros((20, 4))
ZEROS[:9, 1], ZEROS[:8, 2], ZEROS[11:, 3] = RNG.random(9), RNG.random(8), -RNG.random(9)

CASES = {
    "smooth": (SMOOTH, {}, set()),
    "less": (BETTER, {"alternative": "less"}, set()),
    "greater": (BETTER, {"alternative": "greater"}, set()),
    "better": (BETTER, {"confidence_level": 0.9, "adjustment": "hommel"}, set()),
    "control": (BETTER, {"control": "s1"}, set()),
    "coarse": (COARSE, {}, set()),
    "skewed": (SKEWED, {}, {"SKS203"}),
    "odd": (ODD, {}, {"SKS201"}),
    "many": (MANY, {"adjustment": "fdr_bh"}, {"SKS126"}),
    "zeros": (ZEROS, {"adjustment": "bonferroni"}, {"SKS206"}),
    "margin": (BETTER, {"margin": 0.02}, set()),
    "few": (BETTER[:4], {}, {"SKS217"}),
    "signs": (ZEROS, {"post_hoc": "sign", "adjustment": "fdr_by"}, set()),
    "means": (SKEWED, {"post_hoc": "paired_t", "alternative": "greater"}, {"SKS203"}),
    "other tests": (ODD, {"test": "quade", "post_hoc": "nemenyi"}, {"SKS126"}),
}


@pytest.mark.parametrize("scores, options, codes", CASES.values(), ids=CASES)
def test_reports_are_the_same_to_the_last_bit(monkeypatch, scores, options, codes):
    given = {f"s{number}": column for number, column in enumerate(scores.T)}

    def report():
        return skstat.compare_scores(given, unit="dataset", random_state=0, **options)

    fast = report()
    listed = options.get("post_hoc") == "nemenyi"
    assert isinstance(family_of(fast.evidence.pairwise.outcomes), ListedOutcomes) is listed
    module = sys.modules["skstat.stats._post_hoc.pairwise"]
    monkeypatch.setattr(module, "family_by", lambda _: None)
    monkeypatch.setattr(tables, "pairs_of_table", lambda *_: None)
    slow = report()
    assert isinstance(family_of(slow.evidence.pairwise.outcomes), ListedOutcomes)
    assert json.dumps(fast.to_dict()) == json.dumps(slow.to_dict())
    for form in ("__str__", "to_html", "to_markdown", "to_latex", "methods_text"):
        assert getattr(fast, form)() == getattr(slow, form)(), form
    assert fast.details == slow.details
    assert codes <= {doubt.code for doubt in fast.doubts}
