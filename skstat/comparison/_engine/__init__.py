"""Choose a test, run it on every pair, adjust the p-values, and report."""

from skstat.comparison._engine.ask import ask, ask_family, compare, join, judge_all, with_notes
from skstat.comparison._engine.datasets import TableTests, ask_datasets_run, ask_table, complete
from skstat.comparison._engine.facts import label_facts, with_guessing_doubts, with_label_doubts
from skstat.comparison._engine.predicted import Interval, Predicted, Seeded, named_predictions
from skstat.comparison._engine.scored import Fitted, Scored, compare_run, run_facts, with_seeds
from skstat.comparison._engine.slices import compare_in_slices, on_all_rows
