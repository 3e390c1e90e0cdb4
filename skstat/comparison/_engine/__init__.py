"""One question, one way: choose a test, ask it of every pair, judge them together, report."""

from skstat.comparison._engine.ask import ask, ask_family, compare, joined, judged, with_notes
from skstat.comparison._engine.datasets import TableTests, ask_datasets_run, ask_table, complete
from skstat.comparison._engine.facts import beside_largest_class, beside_named_rows, named_rows
from skstat.comparison._engine.predicted import Interval, Predicted, Seeded, named_predictions
from skstat.comparison._engine.scored import Fitted, Scored, compare_run, run_facts, with_seeds
from skstat.comparison._engine.slices import compare_in_slices, on_all_rows
