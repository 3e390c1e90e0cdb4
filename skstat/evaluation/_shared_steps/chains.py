"""Which first steps several pipelines have in common."""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skstat.evaluation._shared_steps.recipe import UnknownStepError, only_reads, recipe


@dataclass(frozen=True)
class Step:
    """A step that another pipeline has too, after the same steps.

    `place` leads to it by names, through pipelines that are steps. `after` is the number of
    the steps before it, 0 at the beginning, `number` that of these and itself.
    """

    place: tuple[str, ...]
    after: int
    number: int
    n_users: int


@dataclass(frozen=True)
class FirstSteps:
    """What a pipeline has in common with others.

    Attributes
    ----------
    group : int
        Index of the first estimator that it has anything in common with.
    steps : tuple of Step
        In the order in which they are fitted.
    reads : bool
        Whether pipeline and scorer are known to leave rows as they are, so that they need none
        of their own.
    n_readers : int
        How many of the group are.
    scorer_reads : bool
        Whether the scorer is.
    """

    group: int
    steps: tuple[Step, ...]
    reads: bool
    n_readers: int
    scorer_reads: bool


@dataclass(frozen=True)
class _Link:
    place: tuple[str, ...]
    before: Hashable
    whole: Hashable


def first_steps(estimators: Sequence[Any], *, scorer_reads: bool) -> list[FirstSteps | None]:
    """Find what pipelines have in common; None for an estimator that shares nothing.

    Parameters
    ----------
    estimators : sequence of estimators
        In the order of the tasks.
    scorer_reads : bool
        Whether the scorers are known to leave the rows that they are given as they are.

    Returns
    -------
    list of FirstSteps or None
        One for each estimator.
    """
    none: list[FirstSteps | None] = [None] * len(estimators)
    if sum(map(_may_share, estimators)) < 2:
        return none
    chains = [list(_chain(clone(e))) if _may_share(e) else [] for e in estimators]
    users = Counter(link.whole for chain in chains for link in chain)
    chains = [[link for link in chain if users[link.whole] > 1] for chain in chains]
    numbers: dict[Hashable, int] = {None: 0}
    for chain in chains:
        for link in chain:
            numbers.setdefault(link.whole, len(numbers))
    groups = _groups(chains)
    reads = [
        bool(chain) and scorer_reads and only_reads(estimator)
        for chain, estimator in zip(chains, estimators, strict=True)
    ]
    readers = Counter(group for group, reader in zip(groups, reads, strict=True) if reader)
    return [
        FirstSteps(
            group=groups[index],
            steps=tuple(
                Step(link.place, numbers[link.before], numbers[link.whole], users[link.whole])
                for link in chain
            ),
            reads=reads[index],
            n_readers=readers[groups[index]],
            scorer_reads=scorer_reads,
        )
        if chain
        else None
        for index, chain in enumerate(chains)
    ]


def _may_share(estimator: Any) -> bool:
    """Whether an estimator is scikit-learn's pipeline, without a cache of its own."""
    return type(estimator) is Pipeline and estimator.memory is None and not estimator.verbose


def _chain(pipeline: Any) -> Iterator[_Link]:
    """Go through the first steps as long as it is known what they do."""
    try:
        yield from _links(pipeline, (), None)
    except UnknownStepError:
        return


def _links(pipeline: Any, place: tuple[str, ...], before: Hashable) -> Iterator[_Link]:
    # What a clone has beside its parameters: requests for metadata, callbacks.
    if vars(pipeline).keys() - pipeline.get_params(deep=False).keys():
        raise UnknownStepError
    if pipeline.transform_input is not None:
        raise UnknownStepError
    for name, step in pipeline.steps[:-1]:
        if step is None or step == "passthrough":
            continue
        here = (*place, name)
        if _may_share(step):  # one may have the beginning of another
            yield from _links(step, here, before)
        whole = before, recipe(step)
        yield _Link(here, before, whole)
        before = whole


def _groups(chains: list[list[_Link]]) -> list[int]:
    """Number estimators by the first one that they have a step in common with."""
    groups = list(range(len(chains)))
    first: dict[Hashable, int] = {}
    for index, chain in enumerate(chains):
        met = {groups[first.setdefault(link.whole, index)] for link in chain}
        if met - {index}:
            smallest = min(met)
            groups = [smallest if g in met or i == index else g for i, g in enumerate(groups)]
    return groups
