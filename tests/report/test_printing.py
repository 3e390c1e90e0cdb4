"""Printing asks nothing that the call has not found: no intervals of all pairs, no search."""

import numpy as np
import pytest

import skstat
from skstat.stats import SignedRankOutcome

RNG = np.random.default_rng(3)


@pytest.fixture
def asked(monkeypatch):
    """Count the intervals of Wilcoxon's test that are asked for."""
    made, interval = [], SignedRankOutcome.confidence_interval

    def counting(self, confidence_level=0.95):
        made.append(confidence_level)
        return interval(self, confidence_level)

    monkeypatch.setattr(SignedRankOutcome, "confidence_interval", counting)
    return made


def test_what_it_would_take_asks_a_few_pairs_of_many(asked):
    spreads = np.array([4.0, *np.linspace(0.5, 1, 48), 4.0])
    scores = RNG.normal(size=(25, 1)) + RNG.normal(size=(25, 50)) * spreads
    given = {f"s{number}": column for number, column in enumerate(scores.T)}
    report = skstat.compare_scores(given, unit="dataset")  # 1225 pairs
    asked.clear()
    assert "Would take" in str(report) and len(asked) < 60
    planned = str(report.plan(difference=0.5))
    assert "for s0 and s49, whose difference varies most" in " ".join(planned.split())
    restored = skstat.report_from_dict(report.to_dict())
    assert str(restored.plan(difference=0.5)) == planned and str(restored) == str(report)
