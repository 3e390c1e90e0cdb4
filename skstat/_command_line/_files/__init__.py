"""What files hold: columns of text, tables, standard input, results of evaluations."""

from skstat._command_line._files.columns import Column, matrix, single_value
from skstat._command_line._files.directions import (
    check_directions,
    directions_said,
    in_directions,
)
from skstat._command_line._files.pairing import BY_ORDER, pair_rows
from skstat._command_line._files.results import (
    files_of_results,
    read_files,
    refuse_swallowed_files,
)
from skstat._command_line._files.scores import (
    check_complete,
    check_slice_columns,
    score_named,
    take_metrics,
    take_systems,
)
from skstat._command_line._files.sources import Sources, split_source
