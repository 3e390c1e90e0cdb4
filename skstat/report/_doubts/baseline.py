"""Doubts about the baseline."""

from skstat.metrics._known import lies_between_0_and_1
from skstat.report._doubts.case import Case, DatasetsOfLargestClass, LargestClassCase
from skstat.report._doubts.kind import Found, doubt
from skstat.report._words import join_names


@doubt(
    "SKS301",
    "baseline nearly unbeatable",
    weight="weak",
    when="A system is compared with a baseline that ignores X and scores 0.9 or more in a "
    "metric that ends at 1: in accuracy if nine of ten rows are of one class, in recall by "
    "always naming the positive class.",
    action="use balanced accuracy, ROC AUC, average precision or costs",
    advice="Use a metric that leaves room above guessing: balanced accuracy, "
    "ROC AUC, average precision, or costs.",
)
def unbeatable_baseline(case: Case) -> str | None:
    metric, score = case.metric.name, case.baseline_score
    if score is None or round(score, 9) < 0.9 or not lies_between_0_and_1(metric):
        return None
    return (
        f"a baseline that ignores X scores {score:.3f} in {metric}, where 1 is the best "
        "possible score: little room is left above it."
    )


@doubt(
    "SKS302",
    "trivial baseline",
    weight="note",
    when="A system is compared with a baseline in a metric in which all guesses score chance "
    "level, whatever the data (balanced accuracy, Matthews correlation, kappa, ROC AUC), "
    "or in accuracy with balanced classes.",
    action="compare with a simple model too",
    advice="Beating it shows only that X holds some information. Compare with a "
    "simple model, or with the result in use today, too.",
)
def trivial_baseline(case: Case) -> str | None:
    share, k = case.baseline.majority_share, case.baseline.n_classes
    if share is None or k is None:
        return None
    if case.baseline.guesses_alike:
        metric = case.metric.shown.name
        return f"a baseline that ignores X scores chance level in {metric} by construction."
    if case.baseline.share_of_hits and share <= 1.1 / k:
        return f"the {k} classes are balanced: the majority class is as good as any guess."
    return None


@doubt(
    "SKS303",
    "another guess scores higher",
    weight="weak",
    when="A system is compared with a baseline that was named by ``strategy=``, and the best "
    "guess for the metric has a higher expected score on the same splits: the majority "
    "class has an F1 of 0, for instance, where the positive class is the rare one.",
    action="leave strategy= out",
    advice="Leave ``strategy`` out, or put None in the list of baselines: the best guess "
    "for the metric is then compared.",
    page="baselines",
)
def beaten_baseline(case: Case) -> str | None:
    if case.baseline.better_guess is None:
        return None
    guess, score = case.baseline.better_guess
    shown = case.metric.shown
    return (
        f"another guess that ignores X is expected to have a {shown.better} {shown.name} "
        f"({guess}: {shown.value(score):.4g}): a better guess would beat this baseline too."
    )


@doubt(
    "SKS304",
    "about as good as guessing the largest class",
    weight="weak",
    when="Systems are compared in accuracy, and one of them is right on no more of the rows "
    "than are of the largest class, within one standard error of that share. It is a note "
    "if the best system is right more often, or on some of several data sets.",
    action="use balanced accuracy, ROC AUC or costs",
    advice="A system that always names the largest class scores as much, so a high accuracy "
    "shows nothing here, and nor do equal ones: two systems that learnt nothing are "
    "equivalent. Use a metric that leaves room above guessing, and see what guessing scores: "
    ":func:`~skstat.compare_to_baseline`.",
    page="baselines",
    of=LargestClassCase,
    beside_equivalent=True,
)
def as_good_as_the_largest_class(case: LargestClassCase) -> Found | None:
    names = case.no_better
    if not names:
        return None
    best = max(case.right, key=lambda name: case.right[name])
    shares = sorted({f"{100 * case.right[name]:.1f}" for name in names}, key=float)
    right = " to ".join(shares[:: max(1, len(shares) - 1)])
    verb = "is" if len(names) == 1 else "are"
    return Found(
        text=f"always naming the largest class is right on {100 * case.share:.1f} % of the "
        f"{case.n_rows} rows (standard error {100 * case.standard_error:.1f}); "
        f"{join_names(names)} {verb} right on {right} %.",
        weight="weak" if best in names else "note",
    )


@as_good_as_the_largest_class.of(DatasetsOfLargestClass)
def on_data_sets_as_good_as_the_largest_class(case: DatasetsOfLargestClass) -> Found | None:
    if not case.names:
        return None
    return Found(
        text=f"on {len(case.names)} of {case.n_datasets} data sets "
        f"({join_names(case.names)}) no system is right on more rows than are of the largest "
        "class, within one standard error.",
        weight="weak" if len(case.names) == case.n_datasets else "note",
    )
