"""Which test: a situation, a table of rules, the choice.

Imports questions and procedures; nothing of the engine.
"""

from skstat.comparison._guide.choice import AffordableSplits, choose, procedure_for, recommend
from skstat.comparison._guide.situation import AnyScores, Holds, Situation, kind_of
