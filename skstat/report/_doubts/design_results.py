"""Doubts about results that logs hold: a part of the items, another task, one log twice."""

from skstat._names import shown_name
from skstat.report._doubts.case import Case
from skstat.report._doubts.kind import Found, doubt
from skstat.report._doubts.table_case import TableCase
from skstat.report._words import join_items, join_names

# A part of the items that may be left out and is not worth more than a note.
_FEW_LEFT_OUT = 0.02
_MOST_NAMED = 3


@doubt(
    "SKS135",
    "part of the task",
    weight="weak",
    when="The log of a system says that its task has more items than it holds: the evaluation "
    "was limited to some of them.",
    action="evaluate all items of the task",
    advice="A limit mostly takes the first items, which are not drawn at random: tasks are "
    "often sorted by topic or source. The test then speaks for items like these, not for the "
    "task. Evaluate all items, or draw some at random.",
)
def part_of_the_task(case: Case | TableCase) -> str | None:
    found = case.results.limited
    if not found:
        return None
    named = [f"{shown_name(name)} on {n} of {total}" for name, n, total in found[:_MOST_NAMED]]
    rest = len(found) - len(named)
    more = [f"{rest} more on a part"] if rest else []
    return f"not all items of the task were evaluated: {join_items([*named, *more])}."


@part_of_the_task.of(TableCase)
def part_of_the_task_by_dataset(case: TableCase) -> str | Found | None:
    return part_of_the_task(case)


@doubt(
    "SKS136",
    "different evaluations",
    weight="weak",
    when="The logs of the systems differ in what was evaluated (the task, its version, the "
    "content of an item, the way it was asked), and ``allow=`` said that they may.",
    action="evaluate the systems in one way",
    advice="A difference between the systems is then also one between two versions of the "
    "task, or between two ways of asking. The test cannot separate the two. Evaluate both "
    "systems by the same version with the same settings.",
)
def different_evaluations(case: Case | TableCase) -> str | None:
    found = case.results.evaluations_differ
    if not found:
        return None
    return f"the systems were not evaluated alike: their logs differ in {join_items(found)}."


@different_evaluations.of(TableCase)
def different_evaluations_by_dataset(case: TableCase) -> str | Found | None:
    return different_evaluations(case)


@doubt(
    "SKS137",
    "items left out",
    weight="weak",
    when="Items were left out that a system has no score on. It is a note where they are "
    "2 % of all items or fewer.",
    action="score the missing items",
    advice="The systems are compared on the items that all of them have scores on. Items are "
    "seldom missing at random: a system fails on hard ones. Score them, give failures the "
    "lowest score, or compare fewer systems by ``systems=``.",
)
def items_left_out(case: Case) -> Found | None:
    left_out, total = case.results.n_items_left_out, case.results.n_items
    if not left_out or total is None:
        return None
    return Found(
        text=f"{left_out} of {total} items lack the score of a system and are left out.",
        weight="note" if left_out <= _FEW_LEFT_OUT * total else None,
    )


@doubt(
    "SKS138",
    "one log twice",
    weight="invalid",
    when="Two systems have the same scores on all items, and the results of both are those of "
    "one system in one file or folder, which was given two names. Systems that a table names "
    "itself may agree everywhere: :ref:`SKS201 <sks201>`.",
    action="give the log of each system",
    advice="One log was given twice, under two names, so that a system is compared with "
    "itself.",
)
def one_log_twice(case: Case | TableCase) -> str | None:
    found = case.results.one_log_twice
    if not found:
        return None
    named = join_names(found)
    return f"{named} have the same scores everywhere, and are one system of one file."


@one_log_twice.of(TableCase)
def one_log_twice_by_dataset(case: TableCase) -> str | Found | None:
    return one_log_twice(case)


@doubt(
    "SKS139",
    "groups that are not used",
    weight="weak",
    when="A column of the results is named like a group of items (topic, document, user, ...), "
    "is not used, and the differences of items of one group are alike: by permutations of its "
    "labels, at a level of 1 % for all such columns together, and so that the variance of the "
    "difference is larger by a fifth or more.",
    action="name the column as group=",
    advice="Items of one group are not independent: with ``group=`` (``--group`` on the "
    "command line) the groups are the units. If the column stands for parts of a fixed set, "
    "such as the tasks of a benchmark, rank by ``task=``. With an intraclass correlation of "
    "0.1 or 0.3 in 30 groups, tests that treat items as independent rejected 13 or 27 % of "
    "true null hypotheses in simulations, at a nominal 0.05.",
)
def unused_groups(case: Case) -> str | None:
    found = case.results.unused_groups
    if not found:
        return None
    column, n_groups, effect = max(found, key=lambda one: one[2])
    return (
        f"items of one {column!r} are alike: with its {n_groups} groups as units the variance "
        f"of the difference would be about {effect:.2g} times as large."
    )
