"""What all of ``stats`` uses: numbers, labels, scale, what a procedure declares.

Imports nothing of ``stats``.
"""

from skstat.stats._common.labels import aligned, labels_of
from skstat.stats._common.lazy_sequence import LazySequence
from skstat.stats._common.metric_call import score_by
from skstat.stats._common.near_names import MeansNames
from skstat.stats._common.numbers import (
    of_usable_size,
    read_numbers,
    refuse_masked,
    refuse_other,
)
from skstat.stats._common.ordering import (
    ORDERING,
    Known,
    Ordering,
    mid_ranks_of_counts,
    mid_ranks_of_numbers,
    ordering_of,
    stable_order,
)
from skstat.stats._common.procedure import (
    answers_by,
    declare,
    declared,
    family_by,
    procedure,
    resamples_option,
    rng_option,
    signature_of,
)
from skstat.stats._common.quantity import DIFFERENCE, ComparesSizes, Quantity
from skstat.stats._common.reference import VENUE, Reference
from skstat.stats._common.restoring import (
    NotRestoredError,
    check_version,
    names_of_fields,
    restoring,
    with_nan,
)
from skstat.stats._common.row_arrays import (
    LARGEST_EXACT,
    codes_of,
    in_time_order,
    is_missing,
    nested,
    rows_by_group,
    rows_differ,
    rows_of,
    rows_together,
    weights_of,
)
from skstat.stats._common.stored import (
    Readers,
    Stored,
    from_plain,
    numbers_by_name,
    numbers_of,
    subclasses_of,
    tuple_of_list,
)
from skstat.stats._common.tails import root_between
from skstat.stats._common.written import Written, plain_fields, plain_values, to_plain
