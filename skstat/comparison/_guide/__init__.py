"""Which test: a situation, an ordered table of rules, the choice.

Imports questions and procedures; nothing of the engine.
"""

from skstat.comparison._guide.budget import FEWEST_FITS, AffordableSplits, check_budget
from skstat.comparison._guide.choice import (
    choose,
    choose_for_test_set,
    procedure_of,
    refuse_model_of_splits,
    takes_splits_of_datasets,
    test_asked,
    test_beside_model,
)
from skstat.comparison._guide.described_splits import described_splits
from skstat.comparison._guide.rules import recommend, with_question
from skstat.comparison._guide.rules_groups import FEWEST_FLIPPED
from skstat.comparison._guide.rules_predictions import has_normal_areas
from skstat.comparison._guide.situation import Holds, Situation, Splits, kind_of
