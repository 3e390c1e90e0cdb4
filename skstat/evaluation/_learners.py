"""Learners: by name, whether they are stable, and where their randomness comes from."""

import reprlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import Any

# Learners whose type I error under repeated K-fold was measured near nominal, and
# their close kin. Others (stumps, nearest neighbours, anything that selects or
# tunes) may switch on tiny changes of the data.
_STABLE = {
    "NearestCentroid", "LinearDiscriminantAnalysis", "LogisticRegression", "LinearRegression",
    "LinearSVC", "Ridge", "RidgeClassifier", "CheapestClass", "ChosenConstant", "ChosenGuess",
    "RandomGuess",
}  # fmt: skip
_STABLE_MODULES = ("sklearn.naive_bayes", "sklearn.dummy")
_STABLE_IF_FULL = {
    "DecisionTreeClassifier", "DecisionTreeRegressor", "ExtraTreesClassifier",
    "ExtraTreesRegressor", "RandomForestClassifier", "RandomForestRegressor",
}  # fmt: skip
_LIMITS_OF_TREES = itemgetter(
    "ccp_alpha", "max_depth", "max_leaf_nodes", "min_impurity_decrease", "min_samples_leaf",
    "min_samples_split", "min_weight_fraction_leaf",
)  # fmt: skip


def is_known_stable(estimator: Any) -> bool:
    """Whether small changes of the training data are known to change it little.

    Only scikit-learn's own classes count: a subclass may do anything. A pipeline is
    stable when every step is a plain transformer or a stable learner.
    """
    if not type(estimator).__module__.startswith(("sklearn.", "skstat.")):
        return False
    name = type(estimator).__name__
    if name == "Pipeline":
        steps = [step for _, step in estimator.steps]
        return all(_is_plain_transformer(step) or is_known_stable(step) for step in steps)
    if name in _STABLE_IF_FULL:
        limits = _LIMITS_OF_TREES(estimator.get_params())
        return bool(limits == _LIMITS_OF_TREES(type(estimator)().get_params()))
    return name in _STABLE or type(estimator).__module__ in _STABLE_MODULES


def _is_plain_transformer(step: Any) -> bool:
    """Scalers, encoders and the like, which neither select columns nor tune."""
    if isinstance(step, str) or step is None:  # "passthrough"
        return True
    parts = {"ColumnTransformer": "transformers", "Pipeline": "steps"}.get(type(step).__name__)
    if parts is not None:
        return all(_is_plain_transformer(part[1]) for part in getattr(step, parts))
    plain = ("sklearn.preprocessing", "sklearn.impute", "sklearn.feature_extraction")
    return type(step).__module__.startswith(plain)


# Packages whose learners take a seed of their own where random_state is None, and so repeat
# themselves: LightGBM "default seeds in C++ code", XGBoost 0, by their documentation.
_SEEDED_BY_DEFAULT = ("lightgbm", "xgboost")


def traits_of(named: Mapping[str, Any]) -> dict[str, Any]:
    """Name the estimators not known to be stable, those without a seed, and those with one.

    No second run can repeat the random numbers that some part draws without a seed; with one
    they are the same in every fit.
    """
    traits: dict[str, set[str]] = {"unstable": set(), "unseeded": set(), "fixed_seeds": set()}
    for name, estimator in named.items():
        if not is_known_stable(estimator):
            traits["unstable"].add(name)
        for seed in _seeds_used(estimator):
            traits["unseeded" if seed is None else "fixed_seeds"].add(name)
    return dict(zip(traits, map(frozenset, traits.values()), strict=True))


def _seeds_used(estimator: Any) -> Iterator[Any]:
    """``random_state`` of the estimator and its parts, where it has any effect."""
    parameters = estimator.get_params(deep=True)
    for part in (estimator, *parameters.values()):
        if isinstance(part, type) or not hasattr(part, "get_params"):
            continue
        settings = part.get_params(deep=False)
        inner = settings.get("cv")  # the splitter of a search
        if getattr(inner, "shuffle", True) and hasattr(inner, "random_state"):
            yield inner.random_state
        if "random_state" in settings and not _ignores_seed(part, settings):
            seed = settings["random_state"]
            if seed is None:
                packages = {kind.__module__.partition(".")[0] for kind in type(part).__mro__}
                seed = None if packages.isdisjoint(_SEEDED_BY_DEFAULT) else "default"
            yield seed


def _ignores_seed(estimator: Any, parameters: dict[str, Any]) -> bool:
    """Whether scikit-learn's default settings of this class draw no numbers."""
    name = type(estimator).__name__
    solver = parameters.get("solver", parameters.get("svd_solver"))
    if solver is not None and not name.startswith("MLP"):
        return solver not in ("sag", "saga", "liblinear", "randomized", "arpack")
    if name in ("SVC", "NuSVC"):
        return parameters["probability"] is not True
    if name in ("LinearSVC", "LinearSVR"):
        return parameters["dual"] is not True
    if name.startswith("HistGradientBoosting"):
        return parameters["early_stopping"] is not True and parameters["max_features"] == 1.0
    if "selection" in parameters:  # coordinate descent
        return parameters["selection"] != "random"
    if name in ("KBinsDiscretizer", "QuantileTransformer"):
        return True  # it only samples rows of data far larger than usual
    if name == "DummyClassifier":
        return parameters["strategy"] not in ("uniform", "stratified")
    return False


def name_estimators(estimators: Any, argument: str = "estimators") -> dict[str, Any]:
    """Return estimators by label, from a mapping, (name, estimator) pairs or a list."""
    by_name = isinstance(estimators, Mapping)
    pairs = [*(estimators.items() if by_name else _pairs(estimators, argument))]
    if not pairs:
        raise ValueError(f"{argument} is empty; pass a mapping of name to estimator.")
    named: dict[str, Any] = {}
    for label, estimator in pairs:
        check_estimator(estimator, f"{argument}[{label!r}]")
        if str(label) in named:
            raise ValueError(f"{argument} holds the name {str(label)!r} twice; rename one.")
        named[str(label)] = estimator
    return named


def named_arguments(**arguments: Any) -> dict[str, Any]:
    """Return estimators by label, from arguments that hold one or a (name, estimator)."""
    pairs = []
    for argument, value in arguments.items():
        is_pair = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)
        if isinstance(value, Mapping | list):
            raise TypeError(
                f"{argument} is a {type(value).__name__}; pass an estimator, or a pair of name "
                "and estimator."
            )
        check_estimator(value[1] if is_pair else value, argument)
        pairs.append(value if is_pair else (None, value))
    return name_estimators(pairs)


def one_or_more(estimator: Any) -> dict[str, Any]:
    """Return estimators by label, from one, a (name, estimator), a mapping or a list."""
    one = hasattr(estimator, "fit") or isinstance(estimator, type)
    pair = isinstance(estimator, tuple) and len(estimator) == 2
    if one or (pair and isinstance(estimator[0], str)):
        return named_arguments(estimator=estimator)
    return name_estimators(estimator, "estimator")


def _pairs(estimators: Any, argument: str) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of a list; those without a name have that of their class, numbered."""
    # One estimator, text, data; and a set, of which it would be chance who is A.
    other = isinstance(estimators, set | frozenset | str | bytes)
    data, one = hasattr(estimators, "shape"), hasattr(estimators, "fit")
    if other or data or one or not isinstance(estimators, Iterable):
        hint = " Data come after the estimators." if data else ""
        hint = " Put the estimators into one list: [A, B]." if one else hint
        raise TypeError(
            f"{argument} must be a mapping of name to estimator or a list of estimators, "
            f"got {type(estimators).__name__}.{hint}"
        )
    items = []
    for item in estimators:
        items.append(item if isinstance(item, tuple) else (None, item))
        if len(items[-1]) != 2:
            raise TypeError(f"{argument} holds a tuple of {len(item)}; a pair has two.")
    labels = numbered([type(estimator).__name__ for _, estimator in items], "{} {}")
    for (name, estimator), label in zip(items, labels, strict=True):
        yield (label if name in (None, "") else name), estimator


def numbered(labels: list[str], form: str) -> list[str]:
    """Number the labels that come more than once, in the form of text and number."""
    result, seen = [], Counter[str]()
    for label in labels:
        seen[label] += 1
        result.append(form.format(label, seen[label]) if labels.count(label) > 1 else label)
    return result


def check_estimator(estimator: Any, argument: str) -> None:
    """Refuse what cannot be cloned and fitted."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{argument} is the class {estimator.__name__}; pass {estimator.__name__}()."
        )
    if not hasattr(estimator, "fit") or not hasattr(estimator, "get_params"):
        shown = f"an {type(estimator).__name__}" if hasattr(estimator, "shape") else ""
        depends = " For what depends on the columns: make_column_selector, SelectPercentile."
        raise TypeError(
            f"{argument} is {shown or reprlib.repr(estimator)}, which is not a scikit-learn "
            f"estimator: it needs fit and get_params.{depends * callable(estimator)}"
        )
