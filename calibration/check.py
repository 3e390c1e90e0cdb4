"""Does the check of a test find what is true? ``python -m calibration.check``.

The truth is the same check on a population of 40,000 rows, from which data sets of 100 rows are
as good as fresh ones. Then three populations of 400 rows each stand for a user's own data.
"""

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from calibration.losses.settings import BALANCED, LINEAR
from skstat import check_test

FILE = Path(__file__).with_suffix(".json")
N_DRAWN = 100
TRUTH, OWN = 40_000, 400  # rows of a population
EXPERIMENTS = {TRUTH: 500, OWN: 200}
N_OWN = 3


class Setting(NamedTuple):
    """A learner, a metric, and data to ask about."""

    name: str
    estimator: Any
    scoring: str
    law: Any


_LOG_LOSS, _BRIER = "neg_log_loss", "neg_brier_score"
_SHRUNK = LogisticRegression(C=0.001)
SETTINGS = (
    Setting("ridge, alpha = 1000, MSE", Ridge(1000.0), "neg_mean_squared_error", LINEAR),
    Setting("ridge, alpha = 1000, MAE", Ridge(1000.0), "neg_mean_absolute_error", LINEAR),
    Setting("ridge, alpha = 1, MSE", Ridge(1.0), "neg_mean_squared_error", LINEAR),
    Setting("logistic regression, C = 0.001, log loss", _SHRUNK, _LOG_LOSS, BALANCED),
    Setting("logistic regression, C = 0.001, Brier score", _SHRUNK, _BRIER, BALANCED),
    Setting("logistic regression, C = 1, log loss", LogisticRegression(), _LOG_LOSS, BALANCED),
    Setting("logistic regression, C = 1, accuracy", LogisticRegression(), "accuracy", BALANCED),
    Setting("25 neighbours, log loss", KNeighborsClassifier(25), _LOG_LOSS, BALANCED),
    Setting("5 neighbours, accuracy", KNeighborsClassifier(5), "accuracy", BALANCED),
    Setting("naive Bayes, accuracy", GaussianNB(), "accuracy", BALANCED),
)  # fmt: skip


def population(setting: Setting, n: int, number: int) -> tuple[Any, Any]:
    """Draw the rows of a population."""
    rows = setting.law.draw(np.random.default_rng([number, n]), n)
    return rows.first, rows.y


def count(setting: Setting, n: int, number: int) -> dict[str, dict[str, int]]:
    """Check both tests on one population."""
    X, y = population(setting, n, number)
    check = check_test(
        {"learner": setting.estimator},
        X,
        y,
        scoring=setting.scoring,
        n_experiments=EXPERIMENTS[n],
        fraction=N_DRAWN / n,
        stop_early=False,
        random_state=number,
        verbose=False,
    )
    names = ("projection_t", "corrected_t")
    return {
        name: {"rejected": row.n_rejected, "experiments": row.n_experiments}
        for name, row in zip(names, check.rows, strict=True)
    }


def main() -> None:
    """Read the command line, and count."""
    parser = argparse.ArgumentParser(prog="python -m calibration.check")
    parser.add_argument("--setting", default="", help="only settings whose name has this in it")
    asked = parser.parse_args()
    for setting in SETTINGS:
        if asked.setting not in setting.name:
            continue
        populations = [(TRUTH, 0), *((OWN, number) for number in range(1, N_OWN + 1))]
        truth, *own = (count(setting, *one) for one in populations)
        known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        known[setting.name] = {"truth": truth, "own": own}
        text = json.dumps(known, indent=1, sort_keys=True)
        FILE.write_text(text + "\n", encoding="utf-8")
        print(setting.name, known[setting.name], flush=True)


if __name__ == "__main__":
    main()
