"""The decorator of all public procedures, the facts it declares, and their references."""

import inspect
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial, wraps
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal, TypeVar, get_args

from skstat._spelling import did_you_mean
from skstat.stats._read import shown
from skstat.stats._stored import Stored

ComparesSizes = Literal["no", "weakly", "strongly"]

F = TypeVar("F", bound=Callable[..., Any])


class AlternativeError(ValueError):
    """A test was given an `alternative` that is unknown, or that it has no form for."""


def check_alternative(alternative: Any) -> None:
    """Raise AlternativeError for an unknown `alternative`."""
    choices = ("two-sided", "less", "greater")
    if not isinstance(alternative, str) or alternative not in choices:
        raise AlternativeError(
            f"alternative={shown(alternative)} is unknown; use 'two-sided', 'less' (A scores "
            "lower than B) or 'greater' (A scores higher)."
        )


def check_choice(name: str, value: Any, choices: Iterable[Any]) -> None:
    """Raise ValueError for a value that is not among the choices of an option."""
    if value not in (choices := tuple(choices)):
        *others, last = map(repr, choices)
        listed = f"{', '.join(others)}{' or ' * bool(others)}{last}"
        raise ValueError(f"{name}={value!r} is unknown; use {listed}.")


@dataclass(frozen=True, kw_only=True)
class Quantity:
    """The quantity that an outcome estimates, and what its test says of the better system.

    The defaults are those of a mean difference.

    Attributes
    ----------
    name : str
        Name of the estimate, such as ``"median difference"``.
    is_difference : bool
        Whether it is the difference of the scores themselves, as a mean of differences is.
        The sign of a median may be another one.
    of_units : bool
        Whether it is about the scores of single units.
    transitive : bool
        Whether two systems that each equal a third by it equal each other, as means do, and
        medians of differences need not.
    compares_sizes : {"no", "weakly", "strongly"}
        How much the sizes of differences on different units weigh against each other:
        strongly in a mean, where the largest decide, weakly where they are only put in
        order, not at all where wins are counted. If they do, the scores of all units have
        to be on one scale.
    claim : str
        How the better system is better, to follow the name of the other one; ``{unit}``
        stands for a unit.
    """

    name: str = "difference"
    is_difference: bool = True
    of_units: bool = False
    transitive: bool = True
    compares_sizes: ComparesSizes = "strongly"
    claim: str = ""


DIFFERENCE = Quantity()


@dataclass(frozen=True)
class Reference(Stored):
    """A work that a procedure, an adjustment or a splitter goes back to, as BibTeX has it.

    Parameters
    ----------
    entry : str
        Its BibTeX entry, with every field on a line of its own and in braces. There are at
        least an author, a title and a year.

    Raises
    ------
    ValueError
        If `entry` is not such an entry.

    Examples
    --------
    >>> from skstat.stats import Reference
    >>> work = Reference('''@article{holm1979simple,
    ...   author = {Holm, S.},
    ...   title = {A simple sequentially rejective multiple test procedure},
    ...   journal = {Scandinavian Journal of Statistics},
    ...   year = {1979},
    ... }''')
    >>> work.cited, work.key, work.fields["journal"]
    ('Holm, 1979', 'holm1979simple', 'Scandinavian Journal of Statistics')
    """

    entry: str

    def __post_init__(self) -> None:
        if not (self.key and {"author", "title", "year"} <= self.fields.keys()):
            raise ValueError(
                "entry must be a BibTeX entry with at least author, title and year, each on a "
                "line of its own and in braces."
            )

    @property
    def key(self) -> str:
        """Key of the entry."""
        match = re.match(r"@\w+\{([^\s,]+),\n", self.entry)
        return match[1] if match else ""

    @property
    def fields(self) -> dict[str, str]:
        """Fields of the entry by name, without the markup of LaTeX."""
        pairs = re.findall(r"^\s*(\w+) = \{(.*)\},?$", self.entry, re.MULTILINE)
        return {name: re.sub(r"[{}]|\\(?=[&%$#_])", "", value) for name, value in pairs}

    @property
    def cited(self) -> str:
        """Author and year, as a text cites the work in parentheses."""
        names = [author.partition(",")[0] for author in self.fields["author"].split(" and ")]
        who = f"{names[0]} et al." if len(names) > 2 else " & ".join(names)
        return f"{who}, {self.fields['year']}"

    def to_bibtex(self) -> str:
        """Return the entry, for a BibTeX file."""
        return self.entry


def _works(file: Path) -> SimpleNamespace:
    """Read the works of a BibTeX file into attributes such as ``STUDENT_1908``."""
    text, by_name = file.read_text(encoding="utf-8"), {}
    for entry in re.findall(r"^@.*?^\}", text, re.MULTILINE | re.DOTALL):
        work = Reference(entry)
        letters = unicodedata.normalize("NFKD", work.cited).encode("ascii", "ignore").decode()
        by_name[re.sub(r"\W+", "_", letters).upper()] = work
    return SimpleNamespace(**by_name)


# The works that procedures, adjustments and splitters refer to.
works = _works(Path(__file__).with_name("references.bib"))


@dataclass(frozen=True, kw_only=True)
class procedure:  # noqa: N801 - it is written as a decorator
    """Make a procedure of a function of a sample, and declare facts about it.

    All procedures of ``skstat.stats`` are decorated with it, and functions of your own can
    be. The procedure refuses samples of other kinds than the annotation of its first
    parameter names.

    The other arguments are facts about the procedure, which the functions that call it
    need. A function that is not decorated can be used as well: nothing is known about it,
    and it is called once for every comparison, after all fits.

    Parameters
    ----------
    title : str, default=""
        Its name as it stands in a sentence, with "the".
    when : str, default=""
        When to take it rather than another test, for lists of alternatives.
    because : str, default=""
        What speaks for it, as a sentence: "this test uses all ten differences".
    independent_units : bool, default=False
        Whether the units are treated as independent of each other, so that a report raises a
        doubt if they stand in time order.
    ordered_units : bool, default=False
        Whether the units must stand in time order.
    needs : {"", "rows", "n_blocks", "n_items", "groups"}, default=""
        What the sample must know of its units: what every row contributed to the scores, into
        how many blocks the rows were cut that were left out in pairs, how many items strengths
        rest on, or groups. Splits that make such scores are then used.
    units : tuple of str, default=()
        Kinds of unit that the scores may be of, such as ``("split",)``; any, if empty.
    suited_splits : str, default=""
        A sentence on where splits that suit the procedure come from. It follows the error
        that `cv` does not suit the test.
    side_effects : bool, default=False
        Whether a call does more than return an outcome, as one that counts its calls does.
        Without side effects, the procedure may also be called on made-up scores, to find
        out before the first fit whether it takes scores of these splits.
    missing_scores : bool, default=False
        Whether a test of several systems at once takes a table in which scores are missing.
    t_of_mean : bool, default=False
        Whether the outcome is a :class:`~skstat.stats.Student` law about the mean of
        ``sample.differences`` with a standard error proportional to their standard deviation,
        0 where that is float noise, and whose words rest on the design alone. If it takes
        ``ScorePairs`` too, it is asked of all pairs of a table at once.
    variants : mapping of str to mapping, optional
        Further names that ``test=`` and ``post_hoc=`` know, and the options that each stands
        for; its ``facts`` are declarations that differ from those above.
    references : tuple of Reference, default=()
        The works that describe the procedure, for the methods section of a paper. The outcome
        has them, unless it names others itself.

    Examples
    --------
    A t test that treats the differences as independent:

    >>> import math
    >>> from skstat.stats import Comparison, PairedScores, Student, procedure
    >>> @procedure(independent_units=True)
    ... def my_t(sample: PairedScores, *, alternative: str = "two-sided") -> Comparison:
    ...     return Comparison(
    ...         test="my t test",
    ...         estimand="mean difference",
    ...         null_hypothesis="the mean difference is 0",
    ...         alternative=alternative,
    ...         assumptions=("the units are independent of each other",),
    ...         effect_sizes={},
    ...         law=Student(
    ...             estimate=sample.mean,
    ...             standard_error=sample.spread / math.sqrt(sample.n_units),
    ...             df=sample.n_units - 1,
    ...         ),
    ...     )
    >>> round(my_t(PairedScores([3, 4, 5, 4], [1, 2, 4, 3], unit="instance")).pvalue, 4)
    0.0138
    """

    title: str = ""
    when: str = ""
    because: str = ""
    independent_units: bool = False
    ordered_units: bool = False
    needs: Literal["", "rows", "n_blocks", "n_items", "groups"] = ""
    units: tuple[str, ...] = ()
    suited_splits: str = ""
    side_effects: bool = False
    missing_scores: bool = False
    t_of_mean: bool = False
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()

    # Classes of samples that it takes, and the function itself, to tell it from its wrappers.
    kinds: tuple[type, ...] = field(default=(), init=False)
    function: Callable[..., Any] | None = field(default=None, init=False)

    def __call__(self, function: F) -> F:
        """Attach the facts to a function, and make it refuse samples that it does not take."""
        first, *_ = inspect.signature(function).parameters.values()
        kinds = get_args(first.annotation) or (first.annotation,)
        if first.annotation is inspect.Parameter.empty:
            kinds = (object,)
        name = getattr(function, "__name__", "this test")
        if not all(map(inspect.isclass, kinds)):
            raise TypeError(f"the first parameter of {name} is {first.annotation!r}, no class.")

        @wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            sample = args[0] if args else kwargs.get(first.name, inspect.Parameter.empty)
            if sample is not inspect.Parameter.empty:
                need = _LACKING.get(self.needs)
                if not isinstance(sample, kinds):
                    kinds_ = [kind for kind in kinds if hasattr(kind, "example")]
                    expected = " or ".join(kind.__name__ for kind in kinds_)
                    calls = " or ".join(f"{name}({kind.example})" for kind in kinds_)
                    instead = f"It needs {need}." if need else f"Write {calls}."
                    raise TypeError(
                        f"{name} takes a sample: {first.name} must be {expected}, got "
                        f"{type(sample).__name__}. {instead}"
                    )
                if self.needs and getattr(sample, self.needs, None) is None:
                    raise ValueError(f"{name} needs {need}.")
            check_alternative(kwargs.get("alternative", "two-sided"))
            result = function(*args, **kwargs)
            if self.references and getattr(result, "references", None) == ():
                return replace(result, references=self.references)
            return result

        facts = replace(self)
        vars(facts).update(kinds=kinds, function=wrapper)
        wrapper.__dict__["declared"] = facts
        return wrapper  # type: ignore[return-value]


# How to get what a procedure needs, for error messages about samples that lack it.
_LACKING = {
    "groups": "the group of every instance, by groups= of PairedScores or group= of "
    "compare_scores",
    "n_items": "strengths: strength_table(preferences).pair(a, b) has those of two systems",
    "rows": "what every row contributed to the scores, and these are scores of splits alone "
    "(use corrected_t, or the estimators); PairedScores.from_row_scores(a, b, folds) makes "
    "such a sample of scores of rows",
    "n_blocks": "scores of models that were fitted without every pair of blocks, which the "
    "splits of LeaveTwoBlocksOut make: say n_blocks=, or of two systems "
    "PairedScores.from_matrices(a, b)",
}

# A function that declares nothing may do anything when it is called.
_UNDECLARED = procedure(side_effects=True)


def takes(function: Callable[..., Any], kind: type) -> bool:
    """Whether a function is itself a procedure, no wrapper of one, that takes such samples."""
    facts = declared(function)
    return facts.function is function and kind in facts.kinds


def declared(function: Callable[..., Any]) -> procedure:
    """Return what a function declares, or the procedure that it wraps or is a partial of."""
    facts = getattr(function, "declared", None)
    if isinstance(facts, procedure):
        return facts
    within = "func" if isinstance(function, partial) else "__wrapped__"
    inner = getattr(function, within, None)
    return _UNDECLARED if inner is None else declared(inner)


def lacks(name: str, functions: Mapping[str, Any]) -> AttributeError:
    """Return the error for an unknown name, which suggests a procedure and its options."""
    for door, function in functions.items():
        if (options := declared(function).variants.get(name)) is not None:
            listed = "".join(f", {o}={value!r}" for o, value in options.items() if o != "facts")
            return AttributeError(
                f"skstat.stats has no {name!r}; use {door}(sample{listed or ', ...'})."
            )
    return AttributeError(f"skstat.stats has no {name!r}.{did_you_mean(name, functions)}")


@lru_cache(maxsize=256)  # inspect does not cache it
def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a function."""
    return inspect.signature(function)


def parameters_of(function: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function, by their names."""
    try:
        return signature_of(function).parameters
    except (TypeError, ValueError):  # compiled functions have no signature
        return {}


def rng_option(function: Callable[..., Any], rng: Any) -> dict[str, Any]:
    """Return ``{"rng": rng}`` for a function that draws and has no generator, else ``{}``."""
    parameter = parameters_of(function).get("rng")
    free = parameter is not None and parameter.default in (None, inspect.Parameter.empty)
    return {"rng": rng} if free else {}
