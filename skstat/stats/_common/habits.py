"""Attributes that other packages have taught: errors that name the right one."""

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from skstat._spelling import meant_by

# What is typed by habit, and what it may be called here: the first that there is.
_HERE: dict[tuple[str, ...], tuple[str, ...]] = {
    ("p", "p_value", "p_val", "pval", "p_values", "pvalues", "prob"): ("pvalue", "pvalues"),
    (
        "p_adj",
        "padj",
        "p_adjusted",
        "adjusted_p",
        "adjusted_p_value",
        "p_corrected",
        "qvalue",
    ): (
        "adjusted_pvalue",
        "adjusted_pvalues",
    ),
    ("ci", "conf_int", "confint", "interval", "confidence_intervals", "conf_interval"): (
        "confidence_interval",
    ),
    ("winner", "best", "best_model", "best_system", "best_estimator", "best_name"): (
        "better",
        "may_be_best",
        "order",
    ),
    ("significant", "is_significant", "reject", "rejected", "decision", "result"): (
        "verdict",
        "verdicts",
        "differs",
        "conclusion",
    ),
    ("effect", "diff", "difference", "mean_diff", "mean_difference", "delta"): ("estimate",),
    ("effect_size", "cohens_d", "cohen_d", "hedges_g"): ("effect_sizes",),
    ("se", "std_err", "stderr", "std_error", "sem"): ("standard_error",),
    ("stat", "test_statistic", "t", "tstat", "tvalue", "zvalue", "f", "chi2"): ("statistic",),
    ("dof", "degrees_of_freedom", "df_resid"): ("df",),
    ("n", "nobs", "n_obs", "n_samples", "n_splits"): ("n_units",),
    ("level", "conf_level"): ("confidence_level",),
    ("summary", "describe", "text", "report"): ("conclusion", "details"),
    ("warnings", "caveats", "notes", "issues"): ("doubts",),
    ("models", "systems", "estimators", "classifiers", "labels"): ("names",),
    ("ranks", "average_ranks", "avg_ranks", "ranking"): ("mean_ranks", "scores"),
    ("cd", "critical_distance"): ("critical_difference",),
    ("method", "test_name"): ("test",),
    ("hypothesis", "h0", "null"): ("null_hypothesis",),
    ("probabilities", "probability", "probs", "hdi", "bayes_factor", "credible_interval"): (
        "posterior",
        "posteriors",
    ),
    ("frame", "to_pandas", "to_df", "as_frame", "dataframe", "to_dataframe", "to_csv"): (
        "to_frame",
    ),
    ("latex", "to_tex", "as_latex"): ("to_latex",),
    ("html", "as_html", "show"): ("to_html",),
    ("json", "to_string"): ("to_json",),
    ("bibtex", "citation", "citations", "cite", "references"): ("to_bibtex",),
    ("methods", "methods_section"): ("methods_text",),
    ("figure", "draw", "plot_diagram"): ("plot",),
}
_BY_HABIT = {habit: here for habits, here in _HERE.items() for habit in habits}


class NamesHabits:
    """Has an AttributeError say which name is meant, where one of other packages is typed."""

    def _part(self) -> tuple[str, Any] | None:
        """How one part of it is asked for, and the part, where it has any."""
        return None

    if not TYPE_CHECKING:  # a type checker would take any name for granted

        def __getattr__(self, name: str) -> Any:
            # Protocols ask for names with underscores, also before there are any fields;
            # what the class has raised an error of its own.
            if name.startswith("_") or any(name in vars(kind) for kind in type(self).__mro__):
                return object.__getattribute__(self, name)
            raise NoSuchAttributeError(name=name, obj=self)


class NoSuchAttributeError(AttributeError):
    """Says which name is meant once it is read: `hasattr` and `getattr` never read it."""

    obj: "NamesHabits"

    def __str__(self) -> str:
        kind = type(self.obj).__name__
        hint = _hint(self.obj, str(self.name))
        if not hint:
            return f"{kind!r} object has no attribute {self.name!r}"
        return f"{_article(kind)} {kind} has no {self.name!r}; use {hint}."

    def __reduce__(self) -> tuple[type[AttributeError], tuple[str]]:
        return AttributeError, (str(self),)


def _hint(asked: NamesHabits, name: str) -> str:
    """Name what is meant: of the object itself, else of a part of it; empty if nothing is."""
    known = _public(asked)
    meant = next((here for here in _BY_HABIT.get(name, ()) if here in known), None)
    if meant is not None:
        return _called(asked, meant)
    part = asked._part()
    if part is not None:
        how, other = part
        wanted = next(
            (x for x in (name, *_BY_HABIT.get(name, ())) if x in _public(other)), None
        )
        if wanted is not None:
            return f"{how}.{_called(other, wanted)}"
    return " or ".join(_called(asked, near) for near in meant_by(name, known, n=2))


def _public(value: Any) -> set[str]:
    stored = {item.name for item in fields(value)} if is_dataclass(value) else set()
    return {name for name in {*dir(type(value)), *stored} if not name.startswith("_")}


def _called(value: Any, name: str) -> str:
    return f"{name}()" if callable(getattr(type(value), name, None)) else name


def _article(word: str) -> str:
    return "an" if word[0] in "AEIOU" else "a"
