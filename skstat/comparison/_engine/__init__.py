"""From a sample or a run to a report; all front doors use it.

Imports the guide, questions and procedures; no door.
"""

from skstat.comparison._engine.classes import (
    beside_largest_class,
    beside_named_rows,
    class_sizes_of,
    named_rows,
)
from skstat.comparison._engine.datasets import (
    ask_datasets_run,
    ask_two_over_datasets,
    check_model,
    is_two_system_question,
)
from skstat.comparison._engine.joint import AnyAdjustment, check_joint
from skstat.comparison._engine.pair import (
    ask_constant,
    ask_metric,
    ask_sample,
    check_posterior,
    design_check,
    run_facts,
    with_notes,
)
from skstat.comparison._engine.parallel_blocks import Blocks
from skstat.comparison._engine.post_hoc import (
    DEFAULT_POST_HOC,
    DatasetsAdjustment,
    PairwiseRequest,
    PostHoc,
)
from skstat.comparison._engine.row_facts import equal_to_truth
from skstat.comparison._engine.seeds import (
    SEEDS,
    SeededRuns,
    ask_seed_scores,
    ask_seeds,
    ask_seeds_in_slices,
    check_seeds_in_slices,
)
from skstat.comparison._engine.slices import (
    AskedSlice,
    ask_slice_of_predictions,
    ask_slices,
    ask_slices_of_run,
    check_slices_adjustment,
    on_all_rows,
    part_of_predictions,
    slice_contributions,
)
from skstat.comparison._engine.stability import (
    ask_partitions,
    compare_on_own_splits,
    on_own_splits,
)
from skstat.comparison._engine.systems import (
    ask_run,
    ask_systems,
    joined,
    judged,
    select_systems,
)
from skstat.comparison._engine.tables import (
    ask_table,
    check_margin,
    gaps,
    omnibus_named,
    tests_over_datasets,
)
from skstat.comparison._engine.test_set import (
    Interval,
    affordable,
    ask_pair,
    draws_of,
    named_predictions,
    two_by_name,
)
from skstat.comparison._engine.test_set_systems import ask_family, ask_test_set
