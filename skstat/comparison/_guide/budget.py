"""Splits for the fits that the caller can afford, and the test that goes with them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from skstat.comparison._guide.choice import procedure_of, recommend
from skstat.comparison._guide.situation import FEWEST_AT_NINE_TENTHS, FEWEST_FITS, Situation
from skstat.comparison._procedures import Procedure, procedure_named, reads_rows, sample_types
from skstat.comparison._question import Question
from skstat.evaluation import Design
from skstat.evaluation._default_splits import (
    FITS_OF_FOLDS,
    check_train_size,
    random_splits,
    repeated_folds,
    repeated_halves,
)
from skstat.evaluation._inputs import check_data, is_known_stable
from skstat.evaluation._plan import rows_known
from skstat.evaluation._splitters import blocks_for, splitter_making
from skstat.report import Recommendation

_MOST_SPLITS = 100


@dataclass(frozen=True, kw_only=True)
class AffordableSplits:
    """What is known about a comparison of estimators before there are scores.

    `cv` is what the rows are split by, None for the default; `choice` is None where the
    caller gave the splits, so that they decide. `halves` tell the variance of the scores on
    folds that do not.
    """

    situation: Situation
    cv: Any = None
    choice: Recommendation | None = None
    halves: Any = None

    @classmethod
    def of(
        cls,
        named: Mapping[str, Any],
        X: Any,
        y: Any,
        question: Question,
        *,
        groups: Any,
        scoring: Any,
        cv: Any,
        budget: int | None,
        test: str | Procedure,
        seed: int,
        control: str | None = None,
        adjustment: str = "auto",
        train_size: float | None = None,
    ) -> "AffordableSplits":
        """Find splits that the test needs or the budget allows, unless the caller gave them."""
        nine_tenths = check_train_size(train_size, cv=cv)
        check_budget(budget, nine_tenths=nine_tenths)
        procedure = None if test == "auto" else procedure_named(test)
        if nine_tenths and procedure is not None and not reads_rows(procedure):
            raise ValueError(
                f"train_size={train_size} is for test='projection_t', the only one whose "
                f"variance is known there: leave one of train_size and test={test!r} out."
            )
        own = None if procedure is None else splitter_making(sample_types(procedure))
        for what, given in ((f"test={test!r} makes its own", own), ("cv= gives them", cv)):
            if budget is not None and given is not None:
                raise ValueError(
                    f"budget={budget} chooses the splits, and {what}: leave one of the two out."
                )
        # A scorer of the user's own is tried to find out; not where nobody asks.
        by_rows = procedure is None or reads_rows(procedure)
        situation = Situation(
            holds="estimators",
            n_systems=len(named),
            grouped=groups is not None,
            stable=True if all(map(is_known_stable, named.values())) else None,
            budget=budget,
            nine_tenths=nine_tenths,
            by_rows=by_rows and rows_known(named, scoring, y),
            control=control is not None,
            adjustment=adjustment,
            one_sided=question.alternative != "two-sided",
        )
        if not situation.by_rows and (nine_tenths or (procedure is not None and by_rows)):
            name, given = ("train_size", train_size) if nine_tenths else ("test", test)
            raise ValueError(
                f"{name}={given!r} needs to know what every row contributes to the metric, "
                f"which is not known for scoring={scoring!r}. Leave {name} out, and a test is "
                "chosen that needs the scores alone."
            )
        check = partial(check_data, X, y, groups, named.values())
        if cv is not None:
            halves = repeated_halves(check(), seed) if nine_tenths else None
            return cls(situation=situation, cv=cv, halves=halves)
        if own is not None:
            return cls(situation=situation, cv=own(check(), seed))
        choice = recommend(situation)
        if choice.design is None:
            raise ValueError(
                f"budget={budget}: {choice.reason}. Fit each once, and compare the predictions "
                f"for one test set: {choice.ask}. {choice.cautions[0]} Or afford "
                f"{FEWEST_FITS} fits."
            )
        data, planned, halves = check(), choice.design, None
        if not by_rows:
            cv = random_splits(data, seed, n_splits=min(budget or 30, _MOST_SPLITS))
        elif "n_blocks" in planned:
            cv = blocks_for(data, seed, most=planned["n_blocks"])
        else:
            cv = repeated_halves(data, seed, n_repeats=planned["n_halvings"])
            if "n_folds" in planned:
                cv, halves = repeated_folds(data, seed, n_folds=planned["n_folds"]), cv
        return cls(situation=situation, cv=cv, choice=choice, halves=halves)

    def choose(
        self, test: str | Procedure, design: Design, *, rows_known: bool = True
    ) -> tuple[Procedure, Recommendation | None]:
        """Return the procedure for the splits, and why it is the one if we chose.

        With `rows_known` False the scores are there, and of some metric it is not known what
        every row contributed, against what was expected.
        """
        if test != "auto":
            return procedure_named(test), None
        choice = self.choice
        expected = self.situation.by_rows
        if choice is None or (expected and not rows_known):
            kept = ("n_systems", "stable", "control", "adjustment", "one_sided")
            known = {fact: getattr(self.situation, fact) for fact in kept}
            known["by_rows"] = expected and rows_known
            choice = recommend(Situation.of_design(design, **known))
        return procedure_of(choice), choice


def check_budget(budget: Any, *, nine_tenths: bool = False) -> None:
    """Refuse a budget that is not a number of fits, or too few for training on nine tenths."""
    if budget is None:
        return
    whole = isinstance(budget, int | np.integer) and not isinstance(budget, bool)
    if not whole or budget < 1:
        raise ValueError(
            f"budget={budget!r} must be a whole number of fits per estimator, at least 1."
        )
    if nine_tenths and budget < FEWEST_AT_NINE_TENTHS:
        raise ValueError(
            f"budget={budget}: train_size=0.9 needs {FEWEST_AT_NINE_TENTHS} fits at least, "
            f"{FITS_OF_FOLDS} on folds and {FEWEST_AT_NINE_TENTHS - FITS_OF_FOLDS} on halves. "
            "Leave train_size out, for training on half of the rows."
        )
