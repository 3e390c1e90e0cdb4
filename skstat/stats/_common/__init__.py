"""What all of ``stats`` uses: numbers, labels, scale, what a procedure declares.

Imports nothing of ``stats``.
"""

from skstat.stats._common.ordering import Known, Ordering, mid_ranks_of_numbers, ordering_of
from skstat.stats._common.procedure import (
    DIFFERENCE,
    VENUE,
    AlternativeError,
    ComparesSizes,
    Quantity,
    Reference,
    check_alternative,
    check_choice,
    declared,
    procedure,
    resamples_option,
    rng_option,
    signature_of,
    takes,
)
from skstat.stats._common.read import (
    LARGEST_EXACT,
    aligned,
    codes_of,
    group_codes,
    in_time_order,
    is_missing,
    labels_of,
    missing_in,
    nested,
    numbered,
    of_usable_size,
    read_numbers,
    refuse_masked,
    refuse_other,
    rows_by_group,
    rows_differ,
    rows_of,
    rows_together,
    score_by,
    shown,
    weights_of,
)
from skstat.stats._common.stored import (
    MeansNames,
    Stored,
    Written,
    check_version,
    hints_of,
    names_of_fields,
    plain_fields,
    read_plain,
    restoring,
    subclasses_of,
    to_plain,
)
from skstat.stats._common.tails import laws, root_between
from skstat.stats._common.wide import names_of, read_wide
