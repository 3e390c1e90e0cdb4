"""Which test: a situation, a table of rules, the choice.

Imports questions and procedures; nothing of the engine.
"""

from skstat.comparison._guide.choice import (
    AffordableSplits,
    check_budget,
    choose,
    procedure_for,
    recommend,
    refuse_model_of_splits,
    with_beside,
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
