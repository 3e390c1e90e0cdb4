"""Doubts about comparisons that were read as probabilities."""

import numpy as np

from skstat._names import clip
from skstat.report._doubts.case import Case, PreferencesCase, SystemsCase
from skstat.report._doubts.design_rows import is_decisive
from skstat.report._doubts.kind import doubt
from skstat.report._words import PROBABLE, join_names, outside_text, units
from skstat.stats import BootstrapPosterior, BradleyTerryPosterior, Posterior
from skstat.stats._outcomes import unit_word
from skstat.stats._samples import FEW_OF_CLASS
from skstat.stats._strengths import ENOUGH_ITEMS, FEWEST_UNITS
from skstat.stats._test_set import FEW_DIFFERING


@doubt(
    "SKS218",
    "probable, and not significant after the adjustment",
    weight="note",
    when="Several systems were compared with ``rope=``, and in a pair whose adjusted p-value "
    "is not below the level one system is better with a probability of 0.95 or more.",
    action="go by the adjusted p-values",
    advice="A probability with a flat prior is not adjusted for the number of pairs. In 85 % "
    "of 1000 simulations of ten systems that were all the same, on 20 independent units, some "
    "of the 45 pairs had 0.95 or more. The verdicts of the report rest on adjusted p-values. "
    "The probabilities of a single pair are for one that was named beforehand.",
    of=SystemsCase,
)
def probable_by_luck(case: SystemsCase) -> str | None:
    report = case.report
    if report.posteriors is None or len(report) < 2:
        return None
    adjusted = report.pairwise.adjusted_pvalues
    places = [place for place, pvalue in enumerate(adjusted) if not pvalue < report.alpha]
    found = (report.posteriors[place].probabilities for place in places)
    n = sum(max(each.better, each.worse) >= PROBABLE for each in found)
    if not n:
        return None
    pairs = "1 pair has" if n == 1 else f"{n} pairs have"
    return (
        f"{pairs} a probability of {PROBABLE:g} or more that one is better, and no significant "
        "difference after the adjustment: probabilities are not adjusted."
    )


@doubt(
    "SKS219",
    "the prior decides",
    weight="weak",
    when="A Bayesian sign or signed-rank test, or a Dirichlet law of right and wrong answers, "
    "was asked by ``rope=``, and something has a probability of 0.95 with the prior in one "
    "place, and less with it in another.",
    action="use more units",
    advice="The prior stands for half a unit to two that were not seen. Where it is put, "
    "on no difference or on a large one in either direction, should not matter: it does with "
    "few units, or a probability near 0.95. The details of the report have both ends.",
    of=Case,
)
def prior_decides(case: Case) -> str | None:
    if case.posterior is None or not case.posterior.prior_decides:
        return None
    return (
        f"whether anything has a probability of {PROBABLE:g} depends on where the prior is "
        f"put: {units(case.n_units, case.unit)} do not decide that."
    )


@prior_decides.of(SystemsCase)
def prior_decides_in_pairs(case: SystemsCase) -> str | None:
    report = case.report
    n = sum(each.prior_decides for each in report.posteriors or ())
    if not n:
        return None
    pairs = "1 pair" if n == 1 else f"{n} pairs"
    return (
        f"in {pairs}, whether anything has a probability of {PROBABLE:g} depends on where the "
        "prior is put."
    )


@doubt(
    "SKS220",
    "few units for a posterior",
    weight="weak",
    when="A Bayesian sign or signed-rank test was asked by ``rope=`` on fewer than six units, "
    "a signed-rank test with ties on fewer than twelve units that differ, or a hierarchical "
    "model on fewer than ten data sets. Ties are units without a difference, and differences "
    "of one size.",
    action="use more units",
    advice="The chances of what happens on other units follow from those that were seen, and "
    "from a prior that is a large share of so few. Wilcoxon's test and the sign test cannot "
    "find a difference at the level 0.05 with fewer than six either. With six to eleven units "
    "and ties the Bayesian signed-rank test gave one of two equal systems a probability of "
    "0.95 or more in 13 to 23 % of 1000 simulations; 10 % is what a probability without a "
    "region promises.",
    of=Case,
)
def few_for_a_posterior(case: Case) -> str | None:
    return _few(case.posterior, case.unit)


@few_for_a_posterior.of(SystemsCase)
def few_in_pairs(case: SystemsCase) -> str | None:
    found = (_few(each, case.report.unit) for each in case.report.posteriors or ())
    return next((text for text in found if text is not None), None)


def _few(posterior: Posterior | None, unit: str) -> str | None:
    if posterior is None or posterior.n_seen is None:
        return None
    if posterior.n_seen >= posterior.fewest:
        return None
    seen = units(posterior.n_seen, unit)
    return f"probabilities of what happens elsewhere rest on {seen} and a prior."


@doubt(
    "SKS221",
    "data sets without variance in a model of it",
    weight="note",
    when="A hierarchical model was asked by ``rope=``, and on a data set all splits have the "
    "same difference.",
    action="look at the data sets that are named",
    advice="Their mean counts, with the variance of a difference that is uniform in the "
    "region, or without a region the smallest variance of the others. Where a metric is "
    "coarse, or a test set small, more splits of the same rows do not help.",
    of=Case,
)
def without_spread(case: Case) -> str | None:
    names = () if case.posterior is None else case.posterior.without_spread
    if not names:
        return None
    some = f"{len(names)} data sets" if len(names) > 1 else clip(names[0])
    return (
        f"all splits of {some} have the same difference: the model is given a small variance."
    )


@doubt(
    "SKS222",
    "a model of differences on other scales",
    weight="weak",
    when="A hierarchical model was asked by ``rope=``, and the differences of splits vary a "
    "hundred times as much on the last tenth of the data sets as on the first.",
    action="use a metric that means the same on all data sets",
    advice="The model draws the difference on a data set towards the others, which must have "
    "a unit in common. Squared errors of different targets have none, and nor is there one "
    "region for all. Use a metric such as R² or accuracy, or ``test='sign'``.",
    of=Case,
)
def other_scales(case: Case) -> str | None:
    if case.posterior is None or not case.posterior.unequal_scales:
        return None
    return (
        "differences of splits vary a hundred times as much on some data sets as on others: "
        "they have no common unit, in which one could be drawn to another."
    )


@doubt(
    "SKS223",
    "few units differ, and none of another kind is known",
    weight="weak",
    when="The Bayesian bootstrap was asked by ``rope=``, and the systems differ on fewer than "
    "ten units.",
    action="use more units",
    advice="The Bayesian bootstrap weighs the units that were seen; that others may differ in "
    "another way it does not know. Where few differ its interval is too short, and two systems "
    "that never differ are the same for it, however few the rows are. For right and wrong "
    "answers ``metric='accuracy'`` has a prior that allows for more.",
    of=Case,
)
def few_differ(case: Case) -> str | None:
    return _few_differ(case.posterior, case.unit)


@few_differ.of(SystemsCase)
def few_differ_in_pairs(case: SystemsCase) -> str | None:
    found = (_few_differ(each, case.report.unit) for each in case.report.posteriors or ())
    texts = [text for text in found if text is not None]
    if not texts:
        return None
    return texts[0] if len(texts) == 1 else f"of {len(texts)} pairs, one is: {texts[0]}"


def _few_differ(posterior: Posterior | None, unit: str) -> str | None:
    if posterior is None or posterior.n_telling is None:
        return None
    if posterior.n_telling >= FEW_DIFFERING:
        return None
    differ = units(posterior.n_telling, unit) if posterior.n_telling else f"no {unit}"
    return f"the systems differ on {differ}: the Bayesian bootstrap knows of no other kind."


@doubt(
    "SKS224",
    "few rows decide in the Bayesian bootstrap",
    weight="weak",
    when="The Bayesian bootstrap was asked by ``rope=`` of a metric of classes (F scores, "
    "precision, recall, averages over classes, correlations, areas under curves, log loss, "
    "Brier score), and a class has fewer than 20 rows; or a single row or group makes up so "
    "much of the variance as in :ref:`SKS129 <sks129>`, as heavy tails do to R2.",
    action="use more rows, of the rare class above all",
    advice="Few rows then decide, and the Bayesian bootstrap takes them for all that there "
    "are. Its interval is too short: with 10 positive rows of 200 that of 95 % for the "
    "difference of two areas held the truth in 88 % of 1000 simulations, and with 5 of 50 in "
    "75 %.",
    of=Case,
)
def few_rows_weigh(case: Case) -> str | None:
    return _few_weigh(case.posterior, case.unit)


@few_rows_weigh.of(SystemsCase)
def few_rows_weigh_in_pairs(case: SystemsCase) -> str | None:
    found = (_few_weigh(each, case.report.unit) for each in case.report.posteriors or ())
    return next((text for text in found if text is not None), None)


def _few_weigh(posterior: Posterior | None, unit: str) -> str | None:
    if not isinstance(posterior, BootstrapPosterior):
        return None
    rarest, share = posterior.smallest_class, posterior.largest_share
    known = "which the Bayesian bootstrap takes for all that there are"
    if rarest is not None and rarest < FEW_OF_CLASS:
        return f"a class has {units(rarest, 'instance')}, {known}."
    if share is None or not is_decisive(share, posterior.n_units):
        return None
    return (
        f"a single {unit_word(unit)} makes up {100 * share:.0f} % of the variance of the "
        f"difference; such {unit_word(unit)}s come as often as seen, {known}."
    )


@doubt(
    "SKS230",
    "not one strength for each system",
    weight="weak",
    when="Three systems or more were compared over data sets with ``rope=``, or by "
    "preferences, and the Bradley-Terry model predicts less than 80 % of the pairs' wins "
    "within its limits of 90 %, or its chances are outside the limits of their win shares in "
    "more than a tenth of the pairs.",
    action="go by the shares of wins",
    advice="The model gives every system one strength, from which follows how often it wins "
    "against each other one. Where a system beats the strong ones and loses against the weak "
    "ones, there is none. The columns of win shares assume nothing of the kind.",
    of=SystemsCase,
)
def no_one_strength(case: SystemsCase) -> str | None:
    return _no_one_strength(case.report.strengths)


@no_one_strength.of(PreferencesCase)
def no_one_strength_by_preferences(case: PreferencesCase) -> str | None:
    return _no_one_strength(case.report.strengths)


def _no_one_strength(found: BradleyTerryPosterior | None) -> str | None:
    if found is None or found.fits:
        return None
    outside = found.outside
    if not outside:
        return (
            f"{found.inside:.0%} of the pairs have as many wins as one strength for each "
            "system predicts for 90%."
        )
    return (
        f"one strength for each system fits the wins of {len(outside)} of {len(found.pairs)} "
        f"pairs poorly ({outside_text(outside)})."
    )


@doubt(
    "SKS231",
    "few data sets for shares of wins",
    weight="weak",
    when="Three systems or more were compared with ``rope=`` on fewer than ten data sets.",
    action="use more data sets",
    advice="Shares of wins rest on the data sets that were seen, by a Bayesian bootstrap, "
    "whose intervals are too narrow with few of them. The intervals of the model are not, but "
    "it assumes one strength for each system.",
    of=SystemsCase,
)
def few_for_shares(case: SystemsCase) -> str | None:
    found = case.report.strengths
    if found is None or found.n_units >= FEWEST_UNITS:
        return None
    seen = units(found.n_units, case.report.unit)
    return f"shares of wins on {seen} are surer of themselves than they should be."


@doubt(
    "SKS232",
    "few items for strengths",
    weight="weak",
    when="Systems were compared by preferences on fewer than 30 items.",
    action="use more items",
    advice="How much comparisons on one item depend on each other is seen from the items, and "
    "from so few of them it is hardly seen. More judges of the same items do not help.",
    of=PreferencesCase,
)
def few_items(case: PreferencesCase) -> str | None:
    n = case.sample.n_items
    if n >= ENOUGH_ITEMS:
        return None
    return f"{n} items say little of how their comparisons depend on each other."


@doubt(
    "SKS233",
    "one system won, or lost, every comparison",
    weight="weak",
    when="Systems were compared by preferences, and one was always preferred, or never.",
    action="compare it with systems that are closer to it",
    advice="Such a system has no finite strength: how far it is ahead, or behind, comes from "
    "the prior that keeps strengths finite, and so does its interval.",
    of=PreferencesCase,
)
def always_preferred(case: PreferencesCase) -> str | None:
    sample = case.sample
    k = len(sample.names)
    won = np.bincount(sample.first, sample.outcomes, k)
    won += np.bincount(sample.second, 1 - sample.outcomes, k)
    met = np.bincount(sample.first, minlength=k) + np.bincount(sample.second, minlength=k)
    alone = [
        name for name, wins, n in zip(sample.names, won, met, strict=True) if wins in (0, n)
    ]
    if not alone:
        return None
    return f"{join_names(alone)} won, or lost, every comparison: the prior sets how far ahead."


@doubt(
    "SKS234",
    "which one was shown first is not known",
    weight="note",
    when="Systems were compared by preferences of ``winner=`` and ``loser=``.",
    action="give first= and second=, in the order that was shown",
    advice="Judges often prefer what they see first. Where every pair was shown in both orders "
    "equally often, that does no harm. Else it favours the systems that were shown first more "
    "often, and only the order can tell.",
    of=PreferencesCase,
)
def sides_unknown(case: PreferencesCase) -> str | None:
    if case.sample.sided:
        return None
    return "it is not known which one of two was shown first, which judges often prefer."
