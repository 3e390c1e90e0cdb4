"""Estimators that can learn nothing, against guessing: how often they seem to be better."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from calibration.readings import Readings
from skstat import compare_to_baseline

METRICS = ("average_precision", "balanced_accuracy", "f1", "matthews_corrcoef", "neg_log_loss")
MAJORITY = "most_frequent"


@dataclass(frozen=True, kw_only=True)
class Baselines:
    """One learner on pure noise, against the majority class and against the best guess.

    Parameters
    ----------
    learner : str
        Name for tables.
    estimator : estimator
        What is fitted.
    n : int
        Rows of the data set.
    n_features : int
        Features, standard normal and independent of the labels.
    share : float
        Probability that a row is positive.
    replications : int
        Replicates of a full study.
    """

    learner: str
    estimator: Any
    n: int = 200
    n_features: int = 5
    share: float = 0.2
    replications: int = 200
    power_replications: int = 0
    situation: str = "baselines"

    @property
    def name(self) -> str:
        """Learner and size."""
        return f"{self.learner}, n = {self.n}"

    def parameters(self) -> dict[str, Any]:
        """Return what was simulated."""
        return {
            "estimator": repr(self.estimator),
            "n": self.n,
            "n_features": self.n_features,
            "share": self.share,
        }

    def replicate(self, stream: np.random.SeedSequence, *, power: bool) -> Readings:
        """Draw one data set, and ask of every metric whether the learner scores higher.

        Parameters
        ----------
        stream : SeedSequence
            The replicate's own.
        power : bool
            Ignored: there is nothing to find.
        """
        rng = np.random.default_rng(stream)
        X = rng.standard_normal((self.n, self.n_features))
        y = (rng.random(self.n) < self.share).astype(int)
        with config_context(assume_finite=True, skip_parameter_validation=True):
            report = compare_to_baseline(
                self.estimator,
                X,
                y,
                strategy=[None, MAJORITY],
                scoring=list(METRICS),
                random_state=int(rng.integers(2**31)),
                verbose=False,
            )
        found = Readings()
        for metric in METRICS:
            best, majority = report[metric].pairs
            found.note("compare_to_baseline", best.pvalue, on=metric)
            found.note("compare_to_baseline", majority.pvalue, on=metric, strategy=MAJORITY)
        return found


SETTINGS = (
    Baselines(learner="naive Bayes", estimator=GaussianNB()),
    Baselines(
        learner="tree of depth 3",
        estimator=DecisionTreeClassifier(max_depth=3, random_state=0),
    ),
)
