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


@pytest.mark.parametrize("names", [("new", "old"), ("new", "old", "base")])
def test_no_slices_are_searched_for_how_sturdy_they_are(monkeypatch, names):
    pytest.importorskip("matplotlib")

    def searched(sample, *_, **__):
        assert sample.n_units == 400  # all rows, of which the details tell

    monkeypatch.setattr("skstat.report._sturdiness.sturdiness", searched)
    truth = RNG.integers(0, 3, 400)
    outputs = {
        name: np.where(RNG.random(400) < share, truth, (truth + 1) % 3)
        for name, share in zip(names, (0.9, 0.7, 0.7), strict=False)
    }
    report = skstat.compare_predictions(
        truth, outputs, metric="f1_macro", by=np.arange(400) // 200, random_state=0,
        n_resamples=199,
    )  # fmt: skip
    assert "new" in str(report)
    for form in ("to_html", "to_markdown", "to_latex", "methods_text", "plot"):
        getattr(report, form)()
    assert report.conclusion and report.details
