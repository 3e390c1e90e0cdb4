"""Splits for the fits that can be afforded, and the test that goes with them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold

from skstat.comparison._ask import Procedure, Question, procedure_named, sample_types
from skstat.comparison._choice import of_question, procedure_of
from skstat.comparison._guide import recommend
from skstat.comparison._situation import Situation
from skstat.evaluation import (
    Data,
    Design,
    FiveByTwo,
    check_data,
    is_known_stable,
    random_splits,
    splitter_making,
)
from skstat.report import Recommendation

FEWEST_FITS = 10


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is known of a comparison of estimators before there are scores.

    `cv` is what the rows are split by, None for the default; `choice` is None where the
    caller gave the splits, so that they decide.
    """

    situation: Situation
    cv: Any = None
    choice: Recommendation | None = None

    @classmethod
    def of(
        cls,
        named: Mapping[str, Any],
        X: Any,
        y: Any,
        question: Question,
        *,
        groups: Any,
        cv: Any,
        budget: int | None,
        seed: int,
        test: str | Procedure = "auto",
        control: str | None = None,
        adjustment: str = "holm",
    ) -> "Plan":
        """Find splits that the test needs or the budget allows, unless the caller gave them."""
        check_budget(budget)
        procedure = None if test == "auto" else procedure_named(test)
        own = None if procedure is None else splitter_making(sample_types(procedure))
        if budget is not None and own is not None:
            raise ValueError(
                f"budget={budget} chooses the splits, and test={test!r} needs splits of its "
                "own: leave one of the two out."
            )
        if budget is not None and cv is not None:
            raise ValueError(
                f"budget={budget} chooses the splits, and cv= gives them: leave one of the "
                "two out."
            )
        situation = Situation(
            holds="estimators",
            n_systems=len(named),
            grouped=groups is not None,
            stable=True if all(map(is_known_stable, named.values())) else None,
            budget=budget,
            control=control is not None,
            adjustment=adjustment,
            **of_question(question),
        )
        if cv is not None:
            return cls(situation=situation, cv=cv)
        if own is not None:
            data = check_data(X, y, groups, named.values())
            return cls(situation=situation, cv=own(data, seed))
        if budget is None:
            return cls(situation=situation, choice=recommend(situation))
        data = check_data(X, y, groups, named.values())
        counts = data.class_counts
        smallest = None if counts is None else min(counts.values())
        situation = replace(situation, smallest_class=smallest)
        choice = recommend(situation)
        if choice.design is None:
            raise ValueError(
                f"budget={budget}: {choice.reason}. Fit each once, and compare the predictions "
                f"for one test set: {choice.ask}. {choice.cautions[0]} Or afford "
                f"{FEWEST_FITS} fits."
            )
        splitter = splitter_for(choice.design, data, seed)
        return cls(situation=situation, cv=splitter, choice=choice)

    def choose(
        self, test: str | Procedure, design: Design
    ) -> tuple[Procedure, Recommendation | None]:
        """Return the procedure for the splits, and why it is the one if we chose."""
        if test != "auto":
            return procedure_named(test), None
        choice = self.choice
        if choice is None:
            kept = ("n_systems", "stable", "control", "adjustment", "one_sided")
            known = {fact: getattr(self.situation, fact) for fact in kept}
            choice = recommend(Situation.of_design(design, **known))
        return procedure_of(choice), choice


def check_budget(budget: Any) -> None:
    """Refuse a budget that is no number of fits."""
    if budget is None:
        return
    whole = isinstance(budget, int | np.integer) and not isinstance(budget, bool)
    if not whole or budget < 1:
        raise ValueError(
            f"budget={budget!r} must be a whole number of fits per estimator, at least 1."
        )


def splitter_for(design: Mapping[str, Any], data: Data, seed: int) -> Any:
    """Make the splitter that a recommendation describes."""
    if "test_size" in design:
        sizes = {key: design[key] for key in ("n_splits", "test_size")}
        return random_splits(data, seed, **sizes)
    if design["n_splits"] == FEWEST_FITS:
        return FiveByTwo(stratify=data.stratifiable, random_state=seed)
    folds = RepeatedStratifiedKFold if data.stratifiable else RepeatedKFold
    return folds(n_splits=10, n_repeats=10, random_state=seed)
