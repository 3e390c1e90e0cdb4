"""The largest t of all pairs of many systems, against the t of every pair."""

import numpy as np
import pytest

from skstat.stats._joint import largest_pair
from skstat.stats._joint.largest_pair import LargestPair
from skstat.stats._joint.redrawn import Redrawn

K, DRAWS = 40, 300
RNG = np.random.default_rng(4)


def roots():
    usual = RNG.normal(size=(14, K))
    scales = usual * 10.0 ** RNG.uniform(-3, 3, K)
    alike = usual[:, :1] + 1e-5 * RNG.normal(size=(14, K))
    groups = np.repeat(usual[:, : K // 4], 4, axis=1) + 1e-6 * usual
    return {
        "usual": usual,
        "few": usual[:9],
        "fewer": usual[:5],
        "scales": scales,
        "alike": alike,
        "groups": groups,
    }


@pytest.mark.parametrize("root", roots().values(), ids=roots())
def test_it_is_the_largest_of_the_t_of_every_pair(root):
    law = Redrawn.of(root, 14, DRAWS, seed=1)
    first, second = np.triu_indices(K, 1)
    errors = np.linalg.norm(root[:, first] - root[:, second], axis=0)
    found = law.largest(first, second, errors, np.abs)
    pairs = zip(first, second, strict=True)
    expected = np.max([np.abs(law.studentised(a, b)) for a, b in pairs], axis=0)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_hardly_any_pair_is_looked_at(monkeypatch):
    law = Redrawn.of(roots()["usual"], 14, DRAWS, seed=1)
    asked = []
    of_pairs = LargestPair._t

    def counted(self, draws, a, b):
        asked.extend(draws)
        return of_pairs(self, draws, a, b)

    monkeypatch.setattr(LargestPair, "_t", counted)
    _, known = LargestPair(law.errors, law.root, law.factors).largest()
    assert known.all() and len(asked) < 10 * DRAWS


def test_draws_with_too_many_candidates_are_left_to_others(monkeypatch):
    monkeypatch.setattr(largest_pair, "_MOST_CANDIDATES", 0)
    law = Redrawn.of(roots()["usual"], 14, DRAWS, seed=1)
    _, known = LargestPair(law.errors, law.root, law.factors).largest()
    assert not known.any()
    first, second = np.triu_indices(K, 1)
    errors = np.ones(len(first))
    assert np.isfinite(law.largest(first, second, errors, np.abs)).all()
