"""The joint distribution of the areas under several ROC curves: DeLong's normal law."""

import numpy as np

from skstat.stats._joint.joint_law import JointLaw
from skstat.stats._resampling import stream
from skstat.stats._samples import RELATIVE_RESOLUTION, AUCSummary, BinaryScores
from skstat.stats._test_set import delong_wald


def law_of_areas(sample: BinaryScores | AUCSummary, *, n_resamples: int, seed: int) -> JointLaw:
    """Draw from the normal law with DeLong's covariance of the areas."""
    areas = sample.areas if isinstance(sample, BinaryScores) else sample
    assumptions = delong_wald(areas).assumptions  # refuses too few groups
    variances = np.array(areas.difference_variances)
    # Questions are about differences alone: those to the first system have all of it, and
    # polarisation gives zero, not float noise, for two systems that are one.
    to_first = variances[0]
    covariance = (to_first[:, None] + to_first - variances) / 2
    roots, vectors = np.linalg.eigh(covariance)
    root = np.sqrt(np.maximum(roots, 0.0))[:, None] * vectors.T
    drawn = stream(np.random.SeedSequence(seed)).standard_normal((n_resamples, len(root)))
    return JointLaw(
        names=tuple(areas.names),
        estimates=np.array(areas.aucs, dtype=float),
        errors=drawn @ root,
        root=root,
        # The root of a variance that is float noise.
        resolution=float(np.sqrt(RELATIVE_RESOLUTION * variances.max(initial=0.0))) * 1e-3,
        n_units=areas.n_units,
        quantity="area under the ROC curve",
        where=f"over instances, for these {len(areas.names)} fitted systems",
        how="normal law",
        assumptions=assumptions,
        df=None,
        seed=seed,
        n_independent=None,
    )
