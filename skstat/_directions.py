"""Direction and range of a metric by its name: is higher better, and which numbers can it have?

One table of words, and one grammar, serve all names. What a user says, a log declares or a
scorer implies has precedence. Where the name decides nothing either, the direction is assumed,
and the assumption is reported.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

# Words by kind. Words with hyphens are phrases, which mean more than their single words.
#
# share ... lower: metrics with a name of their own, by the numbers that they can have (of an
#   overlap small values in per cent are common: most sentences share few words). They decide
#   wherever they stand, the last one first: "rmse_house_prices" is an RMSE, and an
#   "auc_of_rmse" nothing that anybody reports.
# called a score: losses that are losses with "score" behind them too, as tokens are.
# either: names that the field uses both ways.
# dropped: a time or a cost by its words only.
# good, bad: common words. They decide where they are the last word but for qualifiers: an
#   "error_rate" is an error, and whether an "error_awareness" is good nobody can tell by its
#   name.
# fewer, avoided: after what is bad they are good: "error_reduction", "cost_savings".
# qualifier: what of a metric, of what, and in which unit; these leave the word before them the
#   last. Those that are changed are other numbers than the metric's; so is all that is neither
#   a qualifier nor among the same numbers.
# paid: units of what is paid, where a name says no more: "seconds", "gpu_hours", "usd".
# amount: what is used up, and no error: a time, a price, a size; none is below 0 if it is used.
# signed: losses that may be below 0 themselves.
# counted, time: a throughput is so many of these "per second".
# preposition: what stands behind these says of what: the last word is before them.
_TABLE = """
share: acc accuracy ap apl apm assa auc aucpr aupr auprc auroc bacc bpref cindex deta dice dsc
  em f1 f2 fbeta fmeasure fmi fscore gmean hitrate hota idf1 infap iou iprec jaccard map mc1
  mc2 miou mrr ndcg nmi npv nsd pck ppv pqem prauc precision purity qem recall rocauc rprec
  sensitivity specificity tnr tpr vmeasure winrate ar-at average-precision c-index c-statistic
  cons-at exact-match f-1 f-2 f-beta f-measure fowlkes-mallows g-mean harrell-c
  intersection-over-union maj-at negative-predictive-value p-at predictive-value r-at
  recip-rank reciprocal-rank rr-at uno-c v-measure
overlap: bleu chrf gleu rouge sacrebleu
correlation: ami ari ccc corr corrcoef correlation informedness kappa kendall kendalltau krcc
  ktau markedness matthews mcc pearson pearsonr plcc silhouette spearman spearmanr srcc srho
  youden
up to 1: d2 kge nse q2 r2 rsq d-2 explained-variance nash-sutcliffe r-2 r-squared
  variance-explained
higher: bertscore bleurt cider comet cometkiwi crpss ctr dcg dnsmos elbo elo elpd fps gini hps
  icc lift likelihood llh loglik loglikelihood logprob lppd meteor modularity mos mota mtbf
  mttf nisqa nps pesq psnr qini qps rand rbp sdr sharpe similarity skill snr sortino ssim stoi
  summac survival throughput tps uplift uptime utmos visqol vmaf xcomet area-under
  before-failure between-failure calinski-harabasz delta-1 first-time-right half-life in-time
  log-likelihood log-predictive-density log-prob log-probability mutual-info mutual-information
  noise-ratio on-time rank-correlation rel-ret right-first-time signal-distortion survival-time
  to-death to-failure to-progression to-relapse true-negative true-positive value-added
  win-loss
share of bad: acer apcer bpcer ece eer fdr fmr fnmr fnr fpr frr hter inaccuracy
  misclassification misclassified
from 0: ade assd bbrier brier cer cpu cpwer crps downtime epe ergas fad fde fid graf hausdorff
  hd95 iae ibs intlogloss ise itae latency levenshtein logloss lpips mae mape mase mbrier mcd
  mce mdae mdape medae mer merror minade minfde mlogloss mpjpe mse msis msle mspe nmae nmse
  nrmse pehe perplexity ppl rae rmae rmsd rmse rmsle rmspe rmsse rrmse rrse rse rss runtime
  schmid silog smape smece sse tder ter ttft wape wasserstein wder wer wil wmape wql wrmsse
  absolute-deviation absolute-error absolute-percentage-error absolute-scaled-error
  edit-distance log-loss pinball-loss quantile-loss squared-deviation squared-error
  squared-log-error squared-logarithmic-error
lower: aic aicc aurc bic bpb bpc bpd brisque cllr cmmd crossentropy dcf deviance dic drawdown
  edr emd false fvd jer kid kl kld looic mad mare metricx mmd mpe mre mttr nelbo niqe nll nlpd
  piqe rank rtf ser tre unclassified waic winkler abs-rel adverse-event
  area-under-risk-coverage average-rank avg-rank bias-score bit-per-character champ-delta
  cross-entropy davies-bouldin deviance-score dimensionless-synthesis edit-rate energy-score
  false-acceptance false-alarm false-detection false-discovery false-match false-negative
  false-omission false-positive false-rejection fid-score fl-all hallucination-score
  interval-score kid-score kl-div max-drawdown mean-rank median-rank missed-detection
  over-refusal patch-similarity path-length quantile-score ranked-probability real-time-factor
  run-time spectral-angle sq-rel stereotype-score tour-length toxicity-score value-at-risk
called a score: brier false rank winkler
either: anomaly-score attack-success err-at jailbreak-success log-score outlier-score p-value
  propensity-score self-bleu standard-deviation standard-error t-score z-score
dropped: cost-aware cost-sensitive error-correcting real-time risk-adjusted test-time
  time-aware time-dependent time-series time-to-event time-varying
good: adherence agreement alignment answered ar availability bandwidth benefit click coherence
  completeness compliance concordance conversion correct correctness delta1 detection earnings
  effectiveness efficacy efficiency engagement fairness faithfulness fidelity fluency gain good
  goodput grade groundedness harmlessness helpfulness hit homogeneity improvement
  informativeness judge lifetime longevity mar match pass passed pq profit quality rating
  readability recovery relevance relevancy reliability resolve resolved retention return
  revenue reward rho right robustness rq safe safety sale satisfaction saved saving score
  security solve solved speed speedup sq stability success successful survived tar tau
  tolerance usability usefulness utility vote win won yield
bad: abort accident ace asd bias bug burden carbon casualty ce chamfer churn co2 collision
  complaint complication consumption corruption cost crash damage danger death deception defect
  deficit degradation delay der deterioration disagreement discrepancy disparity dissimilarity
  distance distortion divergence duration effort elapsed emission energy entropy err error
  expenditure expense fail failed failing failure fallout far fatality fault fee flaw flop
  footprint gap gflop gmac hallucination harm harmful harmfulness hinge huber improvability
  impurity incident inconsistency incorrect inefficiency infection injury instability intrusion
  invalid jailbreak jitter l1 l2 lag leak leakage loss lost makespan malfunction memory mis
  miscalibration mismatch miss missed mistake misuse mortality nd oom outage overhead
  overrefusal overrun owa penalty pinball pollution price ram readmission regret rejected
  relapse residual rework risk scrap shortfall slowdown spend spending stall stereotype
  suboptimality surprisal sycophancy tardiness tce time timeout token toxic toxicity unanswered
  uncertainty unresolved unsafe unsolved unsuccessful usage violation vram wait warning waste
  wrong
fewer: decline decrease drop reduction removal
avoided: averted avoidance avoided blocked caught corrected correction detected detection
  eliminated elimination fixed found free handled handling less mitigated mitigation prevented
  prevention protection recognition recovered recovery repaired resilience resistance
  resolution resolved robustness saved saving tolerance
qualifier: abs absolute adjusted all answer average averaged avg batch best bit both byte case
  category char character class coefficient combined count curve cv cycle data dataset day dev
  document dollar domain end epoch euro eval evaluation example external factor final fold
  fraction func function gb generation gpu growth hour hr image increase index individual
  inference input instance internal item kb kwh label last length level llm local log macro max
  maximum mb mean measure median metric micro microsecond mid millisecond min minimum minute
  model month ms n nanosecond normalized ns number ood oof output overall pair part patient pct
  peak percent percentage pixel point population predict prediction private probability prompt
  proportion public query question ranking rate ratio raw record relative request response
  result root row run s sample scaled sec second segment sentence set share size split squared
  standardized step subset sum system task test text the total train training trial unit usd
  used user val valid validation value wall week weighted word year
changed: abs adjusted count factor func function growth increase log n number ratio
  standardized sum unit
same numbers: at balanced binary classif classification clust cohen dice fit fleiss ovo ovr pr
  quadratic regr roc score strict surv symmetric top
paid: byte dollar euro gb hour kb kwh mb microsecond millisecond minute ms nanosecond ns sec
  second usd
used: downtime duration elapsed memory ram time token vram
amount: cpu delay downtime duration elapsed emission energy expense flop footprint gflop gmac
  latency memory mttr overhead price ram runtime spend spending time token ttft usage vram wait
signed: aic aicc bic deviance dic likelihood loglik looic nll nlpd waic
counted: bit byte character document example frame image instance item iteration mb operation
  page prediction query question request row sample sentence step task token transaction word
time: day hour min minute ms s sec second
preposition: above after among at before below between by during for from in of on over per to
  under until vs with within without
negated: inverse inverted minus neg negated negative
not: anti no non not
"""


def words_by_kind(table: str) -> dict[str, tuple[str, ...]]:
    """Return words by kind from a table with lines of ``kind: words``, and indented ones."""
    lines = re.findall(r"^(\w[\w ]*):(.*(?:\n .*)*)", table, re.MULTILINE)
    return {kind: tuple(words.split()) for kind, words in lines}


_WORDS = {kind: frozenset(words) for kind, words in words_by_kind(_TABLE).items()}
# Tokens that replace phrases, by kind.
_TOKEN = {kind: f"({kind.replace(' ', '-')})" for kind in _WORDS} | {"dropped": ""}
_PHRASES = {
    phrase.replace("-", " "): _TOKEN[kind]
    for kind, words in _WORDS.items()
    for phrase in words
    if "-" in phrase
}
_PHRASE = re.compile(rf"(?<!\S)({'|'.join(sorted(_PHRASES, key=len, reverse=True))})(?!\S)")


def _all(*kinds: str) -> frozenset[str]:
    """Return the words of several kinds, with the tokens of their phrases."""
    return frozenset().union(*({_TOKEN[kind]} | _WORDS[kind] for kind in kinds))


_SCORES = _all("share", "overlap", "correlation", "up to 1", "higher")
_LOSSES = _all("share of bad", "from 0", "lower")
_CALLED_SCORES = {_TOKEN["lower"], _TOKEN["from 0"], *_WORDS["called a score"]}
_IS_BAD = _LOSSES | _WORDS["bad"]
_SAME_NUMBERS = _WORDS["qualifier"] - _WORDS["changed"] | _WORDS["same numbers"]
_KNOWN = frozenset().union(*_WORDS.values(), *map(str.split, _PHRASES))
_RANGES = (
    (_all("share", "share of bad", "overlap"), (0.0, 1.0)),
    (_all("correlation"), (-1.0, 1.0)),
    (_all("up to 1"), (-np.inf, 1.0)),
    (_all("from 0", "used"), (0.0, np.inf)),
)
# Codes for failed runs, in metrics without a lowest number.
_CODES = (-99.0, -999.0, -9999.0)
_NOISE = 1e-6
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_ONE_MINUS = re.compile(r"\s*(?:1\s*[-\N{MINUS SIGN}]\s*|one[ _-]minus[ _-])(?=\S)")


@lru_cache(maxsize=4096)  # called many times for each metric
def direction_of(metric: str) -> bool | None:
    """Return whether higher is better for a metric, by its name.

    Parameters
    ----------
    metric : str
        The name, such as ``"neg_log_loss"``, ``"Mean squared error"`` or ``"costSavings"``.

    Returns
    -------
    bool or None
        True if higher is better, False if lower is, None if the name does not tell.
    """
    match = _ONE_MINUS.match(metric)
    if match is not None:
        rest = _words(metric[match.end() :])
        # "1-NN accuracy" is not one minus an accuracy.
        if rest and rest[0] in _KNOWN:
            return _negated(_of_words(rest))
    return _of_words(_words(metric))


@lru_cache(maxsize=1024)
def range_of(metric: str) -> tuple[float, float] | None:
    """Return the lowest and the highest value of a metric, by its name.

    Parameters
    ----------
    metric : str
        The name. A word that may change the numbers, as in ``"accuracy_gain"``, makes them
        unknown.

    Returns
    -------
    tuple of float, or None
        For shares the range of fractions; per cent are a hundred times that.
    """
    if _ONE_MINUS.match(metric):
        return None
    words = [w for w in _words(metric) if w not in _SAME_NUMBERS and not w.isdigit()]
    ranges = {next((limits for kind, limits in _RANGES if w in kind), None) for w in words}
    return ranges.pop() if len(ranges) == 1 else None


def check_numbers(metric: str, scores: Any, systems: Any) -> None:
    """Refuse numbers that a metric of this name cannot have.

    Parameters
    ----------
    metric : str
        The name of the scores.
    scores : array-like of shape (n_scores,)
        The scores; nan where there is none.
    systems : ndarray of str, shape (n_scores,)
        The system of every score.

    Raises
    ------
    ValueError
        If a number is out of the range of the metric, or some are in per cent and others not.
    """
    values, limits = np.asarray(scores, dtype=np.float64), range_of(metric)
    if limits is None or (np.isinf(limits[1]) and not (values > 0).any()):  # may be negated
        return
    low, high = limits
    outside = (values < low - _NOISE) | (values > high + _NOISE)
    in_percent = np.isfinite(high) and bool(outside.any())
    scale = 100.0 if in_percent else 1.0
    invalid = (values < scale * low - _NOISE) | (values > scale * high + _NOISE)
    if np.isinf(low):
        invalid |= np.isin(values, _CODES)
    if invalid.any():
        row = int(invalid.argmax())
        between = f"it lies between {low:g} and 1 (in per cent between {100 * low:g} and 100)"
        if np.isinf(high):
            between = "beside others above 0 none can be below 0"
        elif np.isinf(low):
            between = "it is at most 1 (100 in per cent), and -999 is a code"
        raise ValueError(
            f"scores: the {metric} of {systems[row]!r} is {values[row]:g}, but "
            f"{between} ({invalid.sum()} of {len(values)} scores). If it is a code "
            "for runs that failed, leave these empty (nan); if it is no "
            f"{metric}, name the column of scores, or the metric that it is."
        )
    fractions = (values > 0) & (values < 1)
    if in_percent and fractions.any() and _WORDS["overlap"].isdisjoint(_words(metric)):
        one, other = int(outside.argmax()), int(fractions.argmax())
        raise ValueError(
            f"scores: the {metric} of {systems[one]!r} is {values[one]:g}, as in per cent, "
            f"and that of {systems[other]!r} is {values[other]:g}, as a fraction. Divide all "
            "that are in per cent by 100; if other numbers are among them, name the column of "
            "scores."
        )


def is_negated_loss(metric: str) -> bool:
    """Whether a name is that of a negated loss, as scikit-learn's ``neg_log_loss``."""
    return metric.startswith("neg_") and direction_of(metric) is True


# Advice where a direction was assumed: for functions that go by names, and for scorers.
SAY_OTHERWISE = "higher_is_better=True or False"
SCORER_SAYS_OTHERWISE = "make_scorer(..., greater_is_better=False) if low is"


def is_amount(metric: str) -> bool:
    """Whether a name is that of something consumed, such as time, tokens or memory."""
    return not _all("amount", "paid").isdisjoint(_words(metric))


class Direction(NamedTuple):
    """Whether higher scores are better, and whether that is an assumption.

    Attributes
    ----------
    higher : bool
        Whether the higher of two scores is the better one.
    is_loss : bool
        Whether the metric is a loss: the scores themselves, or their negatives.
    assumed : str
        If the direction is only assumed, advice on how to give it; else empty.
    """

    higher: bool
    is_loss: bool
    assumed: str = ""


def decide(
    metric: str,
    values: Any,
    *,
    said: bool | None = None,
    declared: bool | None = None,
    of_scorer: bool = False,
) -> Direction:
    """Decide whether higher scores are better.

    Parameters
    ----------
    metric : str
        The name of the scores.
    values : array-like
        The scores. If the name is that of a loss, and some values are negative but none is
        positive, they were probably negated; this is reported as an assumption.
    said, declared : bool or None
        Whether higher is better, as the user or a log says.
    of_scorer : bool, default=False
        Whether a scorer of scikit-learn computed them, so that higher is better: it negates
        losses, whatever their name.

    Raises
    ------
    ValueError
        If the name, the signs and the user contradict each other.
    """
    by_name, is_negated = direction_of(metric), is_negated_loss(metric)
    if said is False and is_negated:
        raise ValueError(
            f"higher_is_better=False: {metric!r} is a negated loss by its name, of which "
            f"higher is better; if these are the losses themselves, call them "
            f"{metric.removeprefix('neg_')!r}."
        )
    if said is None and of_scorer:
        if by_name is not False:
            return Direction(higher=True, is_loss=is_negated)
        if (np.asarray(values, dtype=np.float64) > 0).any():
            raise ValueError(
                f"{metric!r} names a loss, and its values are positive, but of a scorer's "
                "values higher is better. Say which is true: higher_is_better="
                f"{{{metric!r}: False}} if these are losses, or True."
            )
        return Direction(higher=True, is_loss=True)
    higher = declared if said is None else said
    if higher is None:
        if by_name is None or (not by_name and _seem_negated(metric, values)):
            return Direction(higher=True, is_loss=False, assumed=SAY_OTHERWISE)
        higher = by_name
    return Direction(higher, is_loss=is_negated or not higher)


def _seem_negated(metric: str, values: Any) -> bool:
    """Whether scores named as a loss seem negated: some are below 0, and none is above."""
    if not _WORDS["signed"].isdisjoint(_parts(metric)):
        return False
    numbers = np.asarray(values, dtype=np.float64)
    return bool((numbers < 0).any() and not (numbers > 0).any())


def read_directions(higher_is_better: Any, metrics: Sequence[str]) -> Mapping[str, bool]:
    """Check the directions of metrics that the user gave, and return them by metric.

    Parameters
    ----------
    higher_is_better : bool, mapping of str to bool, or None
        One direction for all metrics, or directions by name.
    metrics : sequence of str
        All metrics.
    """
    if higher_is_better is None:
        return {}
    by_name = isinstance(higher_is_better, Mapping)
    directions = higher_is_better if by_name else dict.fromkeys(metrics, higher_is_better)
    for metric, higher in directions.items():
        if metric not in metrics:
            raise ValueError(
                f"higher_is_better names {metric!r}, which is not among the metrics "
                f"{', '.join(map(repr, metrics))}."
            )
        if not isinstance(higher, bool | np.bool_):
            raise ValueError(
                f"higher_is_better={higher_is_better!r} must be True, False or a mapping of "
                "metric to these, such as {'latency': False}."
            )
    return {str(metric): bool(higher) for metric, higher in directions.items()}


def _parts(metric: str) -> list[str]:
    """Return the words of a name, in lower case and singular."""
    words: list[str] = []
    plain = unicodedata.normalize("NFKC", metric)  # R² is R2
    for part in re.findall(r"[^\W_]+", plain.replace("@", " at ")):
        whole = _singular(part.lower())
        parts = [whole] if whole in _KNOWN else _PART.findall(part)
        words += [_singular(word.lower()) for word in parts]
    return words


def _words(metric: str) -> list[str]:
    """Return the words of a name, with tokens in place of known phrases."""
    return _PHRASE.sub(lambda match: _PHRASES[match[0]], " ".join(_parts(metric))).split()


def _singular(word: str) -> str:
    """Return the singular of a word, if the table has it."""
    if word in _KNOWN:
        return word
    endings = (("ies", "y"), ("es", ""), ("s", ""))
    stems = (word.removesuffix(end) + new for end, new in endings if word.endswith(end))
    return next((stem for stem in stems if stem in _KNOWN), word)


def _negated(higher: bool | None) -> bool | None:
    return None if higher is None else not higher


def _of_words(words: Sequence[str]) -> bool | None:
    """Return the direction of words, by negations and prepositions, or by the last word."""
    if not words:
        return None
    if words[0] in _WORDS["negated"]:
        rest = _of_words(words[1:])
        # scikit-learn's neg_... is a negated loss.
        return True if rest is None and words[0] == "neg" else _negated(rest)
    cut = next((i for i, word in enumerate(words) if i and word in _WORDS["preposition"]), None)
    if cut is None:
        return _of_last(words)
    head, tail = words[:cut], words[cut + 1 :]
    in_time = words[cut] == "per" and not _WORDS["time"].isdisjoint(tail[:1])
    if in_time and head[-1] in _WORDS["counted"]:
        return True
    if (higher := _of_last(head)) is not None or words[cut] in ("to", "until", "at"):
        return higher
    if head[-1] in _WORDS["fewer"]:
        return _negated(_of_words(tail))
    if all(word in _WORDS["qualifier"] or word.isdigit() for word in head):
        higher = _of_words(tail)
        return _negated(higher) if words[cut] == "without" else higher
    return None


def _of_last(words: Sequence[str]) -> bool | None:
    """Return the direction of words without prepositions: the last with a meaning decides."""
    is_reversed, is_last = False, True
    for index in range(len(words) - 1, -1, -1):
        word, left = words[index], words[:index]
        higher = _of_word(word, left, is_last=is_last)
        if higher is not None or word == "(either)" or (word == "score" and is_last):
            negated = is_reversed != bool(left and left[-1] in _WORDS["not"])
            return _negated(higher) if negated else higher
        if is_last and word in _WORDS["fewer"]:
            is_reversed = not is_reversed
        elif word not in _WORDS["qualifier"] and not word.isdigit():
            is_last = False
    is_cost = bool(words) and is_last and not is_reversed and words[-1] in _WORDS["paid"]
    return False if is_cost else None


def _of_word(word: str, left: Sequence[str], *, is_last: bool) -> bool | None:
    """Return the direction by one word, given the words to the left of it."""
    if word in _SCORES:
        return True
    if word in _LOSSES:
        return False
    if not is_last:
        return None
    if word == "score":  # higher is better, except for scoring rules that are losses
        if left and left[-1] in _CALLED_SCORES and _SCORES.isdisjoint(left):
            return False
        return True if not _SCORES.isdisjoint(left) or _IS_BAD.isdisjoint(left) else None
    avoided = word in _WORDS["avoided"] and not _IS_BAD.isdisjoint(left)
    if avoided or word in _WORDS["good"]:
        return True
    return False if word in _WORDS["bad"] else None
