"""Posteriors of single data sets against baycomp 1.0.3, and the law written out by SciPy."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats as scipy_stats

from skstat.stats import PairedScores, corrected_t, posterior

PACKAGES = Path(__file__).parents[1] / "reference" / "packages"

# Of naive Bayes (A) against aode, 10 x 10 folds, in per cent, with a region of 1: mean
# difference, scale, probabilities (better, same, worse) of A as baycomp.two_on_single gives
# them in the order (worse, same, better), and the 95 % interval.
EXPECTED = {
    "anneal": (-1.93882, 0.550797, (3.0e-7, 0.045714, 0.954286), (-3.03172, -0.84592)),
    "cmc": (-0.71924, 0.747766, (0.011798, 0.634143, 0.354059), (-2.20297, 0.76449)),
    "german-credit": (-1.01448, 0.736321, (0.003687, 0.488488, 0.507825), (-2.47550, 0.44654)),
    "grub-damage": (4.36249, 2.551771, (0.904679, 0.076252, 0.019069), (-0.70078, 9.42576)),
    "contact-lenses": (2.00001, 4.305867, (0.591586, 0.164611, 0.243803), (-6.54376, 10.54378)),
}


@pytest.fixture(scope="module")
def accuracies():
    with np.load(PACKAGES / "benavoli_2017.npz") as held:
        scores, classifiers, datasets = held["A"], held["classifiers"], held["datasets"]
    return {
        (str(classifier), str(dataset)): scores[i, j]
        for i, classifier in enumerate(classifiers)
        for j, dataset in enumerate(datasets)
    }


@pytest.mark.parametrize("dataset", EXPECTED)
def test_the_published_accuracies_as_baycomp_has_them(dataset, accuracies):
    mean, scale, probabilities, limits = EXPECTED[dataset]
    sample = PairedScores(accuracies["nbc", dataset], accuracies["aode", dataset], n_repeats=10)
    found = posterior(corrected_t(sample), rope=1)
    assert_allclose([found.estimate, found.spread], [mean, scale], atol=1e-6)
    assert_allclose(found.probabilities, probabilities, atol=1e-6)
    assert_allclose(found.credible_interval(), limits, atol=1e-5)


@pytest.mark.parametrize("rope", [0.0, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("dataset", EXPECTED)
def test_the_law_written_out(dataset, rope, accuracies):
    # Corani & Benavoli (2015): t with J - 1 degrees of freedom, scale sd sqrt(1/J + 1/(K - 1)).
    differences = accuracies["nbc", dataset] - accuracies["aode", dataset]
    scale = differences.std(ddof=1) * np.sqrt(1 / 100 + 1 / 9)
    law = scipy_stats.t(99, differences.mean(), scale)
    sample = PairedScores(accuracies["nbc", dataset], accuracies["aode", dataset], n_repeats=10)
    better, same, worse = posterior(corrected_t(sample), rope=rope).probabilities
    assert_allclose([better, worse], [law.sf(rope), law.cdf(-rope)], rtol=1e-10)
    assert_allclose(same, law.cdf(rope) - law.cdf(-rope), atol=1e-12)
