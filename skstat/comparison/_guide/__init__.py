"""Which test: a situation, a table of rules, the choice.

Imports questions and procedures; nothing of the engine.
"""

from skstat.comparison._guide.choice import (
    AffordableSplits,
    check_budget,
    choose,
    procedure_of,
    recommend,
    refuse_model_of_splits,
    takes_splits_of_datasets,
    test_asked,
    test_beside_model,
    with_question,
)
from skstat.comparison._guide.situation import (
    FEWEST_FITS,
    FEWEST_FLIPPED,
    AnyScores,
    Holds,
    Situation,
    described_splits,
    kind_of,
)
