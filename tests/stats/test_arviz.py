"""Draws of posteriors for ArviZ."""

import sys
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from skstat.stats import (
    AgreementTable,
    DatasetSplits,
    PairedScores,
    Posterior,
    agreement_posterior,
    bootstrap_posterior,
    corrected_t,
    hierarchical_posterior,
    posterior,
    sign_posterior,
    signed_rank_posterior,
)

RNG = np.random.default_rng(1)
SCORES = {"a": 0.82 + 0.05 * RNG.random(10), "b": 0.8 + 0.05 * RNG.random(10)}
OVER = {"a": RNG.normal(0.81, 0.04, 12), "b": RNG.normal(0.78, 0.04, 12)}


@cache
def posteriors():
    return list(made())


def made():
    sample = PairedScores(SCORES["a"], SCORES["b"], n_repeats=1)
    rows = PairedScores(SCORES["a"], SCORES["b"], unit="instance")
    over = PairedScores(OVER["a"], OVER["b"], unit="dataset")
    splits = DatasetSplits(
        {
            str(i): PairedScores(0.8 + RNG.normal(0.02, 0.03, 10), [0.8] * 10, n_repeats=1)
            for i in range(8)
        }
    )
    yield posterior(corrected_t(sample), 0.01)
    yield agreement_posterior(AgreementTable(54, 18, 6, 22), 0.01)
    yield bootstrap_posterior(rows, 0.01, rng=0)
    yield sign_posterior(over, 0.01)
    yield hierarchical_posterior(splits, 0.01, n_chains=8, n_draws=600, rng=0)


def before_1(posterior=None, **_):
    return SimpleNamespace(posterior=posterior)


def from_1(data, **_):
    return SimpleNamespace(**data)


@pytest.mark.parametrize("from_dict", [before_1, from_1])
def test_draws_for_arviz(monkeypatch, from_dict):
    monkeypatch.setitem(sys.modules, "arviz", SimpleNamespace(from_dict=from_dict))
    for found in posteriors():
        draws = found.to_arviz().posterior
        assert {array.shape for array in draws.values()} in (
            {(4, 1000)},
            {(8, getattr(found, "n_draws", 0))},
        )
        if "difference" in draws:
            above = np.mean(draws["difference"] > found.rope)
            assert_allclose(above, found.probabilities.better, atol=0.03)
        else:
            shares = [draws[name].mean() for name in ("better", "same", "worse")]
            expected = (
                found.expected if "chains" not in found.how_drawn else found.probabilities
            )
            assert_allclose(shares, expected, atol=0.02)


def test_without_arviz_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    with pytest.raises(ImportError, match="to_arviz.. needs ArviZ.*pip install arviz"):
        agreement_posterior(AgreementTable(54, 18, 6, 22)).to_arviz()


def test_without_draws_it_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", SimpleNamespace(from_dict=from_1))
    *_, modelled = posteriors()
    restored = Posterior.from_dict(modelled.to_dict())
    with pytest.raises(ValueError, match="a restored posterior has no draws"):
        restored.to_arviz()
    over = PairedScores(OVER["a"], OVER["b"], unit="dataset")
    with pytest.raises(ValueError, match="signed-rank posterior are made from the differences"):
        signed_rank_posterior(over, n_draws=100, rng=0).to_arviz()


@pytest.mark.ecosystem
def test_arviz_finds_what_the_model_says():
    arviz = pytest.importorskip("arviz")
    *_, modelled = posteriors()
    summary = arviz.summary(modelled.to_arviz(), var_names=["location"], round_to=6)
    assert_allclose(summary["mean"].iloc[0], modelled.location, atol=1e-5)
