"""Which way a metric is better: one rule for its name, and the same answer of every door."""
# ruff: noqa: SIM905  (hundreds of names read better in lines)

import json

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.metrics import get_scorer_names

import skstat
from skstat.io import Results, ResultsError, join_results, read_results
from tests.score_doors import boards, doors, file_of, results_of
from tests.shell import main

# Of every word and rule of ``skstat/_directions.py`` that decides a name, a name that shows it.
LOWER = """
    runtime failure_rate ppl mase mae mape cer ter log_loss brier brier_score latency_ms
    duration seconds crashes timeouts bits_per_byte bpb false_positive_rate false_negative_rate
    false_alarm_rate eer lpips kl_divergence cross_entropy neg_log_likelihood minus_accuracy
    1-auc regret usd tokens_used price energy_kwh emissions misclassification_rate
    Percent_incorrect violations accuracy_drop performance_degradation davies_bouldin_score
    mean_rank aic Elapsed_Time_training WER mean_time_to_recovery ttft detection_delay
    share_of_errors number_of_errors mortality drawdown downtime rmse_val gpu_hours
    false_discovery_rate missed_detections pinball_loss winkler_score overhead cost_usd
    time_in_seconds ADE neg_accuracy loss_per_token defects classif.ce surv.graf classif.bbrier
    classif.mbrier classif.fpr classif.fnr classif.fdr surv.intlogloss surv.schmid time_train
    time_predict time_both regr.medae regr.smape regr.pinball dens.logloss val/wql
    quantile_score MIS MSIS toxicity_score kl der hinge flops levenshtein far kl_div fid_score
    rejected_requests OWA ND NRMSE RMSSE WAPE mean_absolute_QuantileLoss CRPS energy_score
    HammingDistance MeanAbsoluteError WordInfoLost LearnedPerceptualImagePatchSimilarity
    PerceptualPathLength SpectralAngleMapper ErrorRelativeGlobalDimensionlessSynthesis
    TranslationEditRate ExtendedEditDistance TweedieDevianceScore
    SymmetricMeanAbsolutePercentageError ergas jer tder cpwer wder mcd min_dcf Cllr
    jailbreak_rate false_refusal_rate over_refusal_rate overrefusal harmful_rate toxicity_max
    bias_score stereotype_score unsafe_rate leakage_rate misuse sycophancy deception_rate rank
    improvability champ_delta size_mb gflops memory_mb vram emd hd95 assd asd chamfer epe_all
    abs_rel sq_rel rmse_log silog fde minade minfde miss_rate collision_rate mpjpe niqe brisque
    piqe kid fvd clip_fid cmmd bits_per_character bpc word_perplexity nll_per_token nelbo
    error_count disagreements wrong_answers failed_tests ece_10_bin mce ace tce smece apcer
    bpcer acer hter fmr fnmr mad mdape iae ise itae crossentropy mlogloss merror rmsle l1 l2
    huber pehe gap makespan tardiness tour_length var_risk
""".split()
LOWER += ["Mean squared error", "1 - AUC"]
HIGHER = """
    first_time_right survival_time error_reduction time_to_failure average_precision
    explained_variance neg_brier_score neg_x rouge_l em correct elo ndcg hit_rate
    mean_reciprocal_rank rank_correlation spearman cohen_kappa mcc jaccard iou mIoU dice psnr
    throughput tokens_per_second requests_per_second fps elbo uptime mean_time_between_failures
    anomaly_detection_f1 error_free_rate rmse_skill_score time_to_event_auc survival_rate
    c_index true_positive_rate negative_predictive_value sensitivity latency_reduction
    errors_avoided bugs_fixed reward profit quality groundedness adjusted_rand_score resolved
    Area_under_ROC SF_entropy_gain robustness on_time_rate no_hallucination_rate non_error_rate
    share_without_errors uplift lift loss_improvement inverse_error negative_mse
    risk_adjusted_return first_pass_yield loglik judge classif.bacc classif.prauc regr.rsq
    surv.cindex classif.fbeta classif.ppv classif.tpr clust.silhouette regr.srho test/acc
    extractive_match BERTScore-F mc1 mc2 exact_match_strict summac faithfulness Rprec bpref
    iprec_at_recall_0.10 infAP num_rel_ret rbp APm APl AR AR@100 mar_100 PQ SQ RQ DSC NSD MOTA
    HOTA IDF1 AssA DetA PCK OKS_AP length_controlled_winrate lc_win_rate elo_rating COMET xCOMET
    BLEU chrF BLEURT STOI PESQ SI-SNR sdr UTMOS DNSMOS MOS nisqa visqol BinaryAUROC
    MulticlassF1Score R2Score PearsonCorrCoef RetrievalMAP RetrievalMRR RetrievalNormalizedDCG
    StructuralSimilarityIndexMeasure PeakSignalNoiseRatio ScaleInvariantSignalDistortionRatio
    Specificity BinaryRecall CriticalSuccessIndex tar@far=0.01 safety_score harmlessness
    compliance safe_rate pass^5 solve_rate delta1 ms_ssim vmaf inception_score clip_score
    concordance_index nse kge d2_pinball_score adj_r2 rho tau spearmanr ktau srcc plcc krcc ari
    nmi ami v_measure fmi homogeneity completeness modularity
""".split()
HIGHER += ["1-NN accuracy"]
# What no name says, or what the field uses both ways.
OPEN = """
    value metric result reduction error_awareness rmse_score z_score p_value attack_success_rate
    length n_steps time_budget log_score jailbreak_success_rate self_bleu model_size
""".split()
RNG = np.random.default_rng(0)
LOW = 1.0 + RNG.random(30)
HIGH = LOW + 0.3 + 0.2 * RNG.random(30)
TWO = {"low": LOW, "high": HIGH}


APART = {"low": [1.0, 1.01, 1.03], "high": [2.0, 2.01, 2.04]}


def direction_of(metric):
    """Whether higher is better by the name of a metric; None if it does not say so."""
    report = skstat.compare_scores(APART, unit="seed", scoring=metric)
    return None if report.direction_assumed else report.better == "high"


def test_names():
    assert len(LOWER) + len(HIGHER) > 300
    wrong = {
        name: direction_of(name)
        for names, better in ((LOWER, False), (HIGHER, True), (OPEN, None))
        for name in names
        if direction_of(name) is not better
    }
    assert not wrong


def test_names_of_scikit_learn():
    assert all(direction_of(name) for name in get_scorer_names() if name != "max_error")
    losses = [n for n in sk.__all__ if n.endswith(("_error", "_loss", "_deviance"))]
    assert len(losses) > 15 and not any(map(direction_of, losses))
    scores = [n for n in sk.__all__ if n.endswith("_score") and n != "davies_bouldin_score"]
    assert len(scores) > 25 and all(map(direction_of, scores))


def winners(metric, folder, **said):
    """Return what every door says, by its name and the shape of the scores."""
    found = {name: ask().better for name, ask in doors(metric, TWO, folder, **said).items()}
    one = {"scoring": metric, "random_state": 0, **said}
    alone = skstat.compare_scores(LOW, unit="instance", constant=1.9, **one)
    found["constant"] = {"better": "low", "worse": "high", "lower": None}[alone.verdict]
    if direction_of(metric) is not None or said:
        ranked = boards(metric, TWO, **said)
        found |= {name: ask().names[0] for name, ask in ranked.items()}
    return found


@pytest.mark.parametrize(
    "metric", ["rmse", "failure_rate", "tokens", "survival_time", "f1", "x"]
)
def test_every_door_and_shape_names_the_same_winner(metric, tmp_path):
    expected = {False: "low", True: "high", None: None}[direction_of(metric)]
    assert set(winners(metric, tmp_path).values()) == {expected}


@pytest.mark.parametrize(("metric", "up"), [("rmse", True), ("f1", False), ("x", False)])
def test_the_word_of_the_user_counts_most(metric, up, tmp_path):
    said = {"higher_is_better": up}
    assert set(winners(metric, tmp_path, **said).values()) == {"high" if up else "low"}
    said = {"higher_is_better": {metric: up}}
    assert set(winners(metric, tmp_path, **said).values()) == {"high" if up else "low"}


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("metric", ["rmse", "f1", "x"])
def test_the_command_line_names_the_same_winner(metric, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = file_of(metric, TWO, tmp_path).name
    for flag, up in (("", direction_of(metric)), ("--lower-is-better", False),
                     (f"--higher-is-better {metric}", True)):  # fmt: skip
        line = f"{path} {flag} --format json --seed 0".split()
        assert main(["compare", *line]) == 0
        state = json.loads(capsys.readouterr().out)
        pairs = state["pairs"]
        ends = {"better": pairs["first"][0], "worse": pairs["second"][0]}
        better = ends.get(pairs["verdict"][0])
        assert better == {False: "low", True: "high", None: None}[up]
        status = main(["rank", *line])
        printed = capsys.readouterr()
        if up is None:
            assert status == 2 and f"--lower-is-better {metric}" in printed.err
            assert main(["compare", path, "--seed", "0"]) == 0
            said = "".join(capsys.readouterr().out.split())
            assert "pass--higher-is-betteror--lower-is-better" in said
        else:
            assert json.loads(printed.out)["systems"]["name"][0] == better
    gate = f"compare {path} --baseline low --fail-if worse --seed 0".split()
    status = main(gate)
    assert status == {None: 2, False: 1, True: 0}[direction_of(metric)]
    assert main([*gate, "--lower-is-better"]) == 1
    assert main([*gate, "--higher-is-better", metric]) == 0
    capsys.readouterr()
    assert main([*gate, "--higher-is-better", "other"]) == 2
    assert "--metric other is unknown" in capsys.readouterr().err


def test_a_leaderboard_needs_to_know():
    scores = {"a": LOW, "b": HIGH, "c": HIGH + 1}
    with pytest.raises(ValueError, match=r"which way 'x' is better.*higher_is_better=\{'x': "):
        skstat.rank_systems(scores, unit="instance", scoring="x")


def test_results_of_cross_validate_that_contradict_themselves():
    def result(values, metric):
        return {"fit_time": np.ones(30), "score_time": np.ones(30), f"test_{metric}": values}

    negated = {"low": result(-LOW, "rmse"), "high": result(-HIGH, "rmse")}
    report = skstat.compare_scores(negated, n_train=60, n_test=30)
    assert report.better == "low" and "lower is better" in str(report)
    positive = {"low": result(LOW, "rmse"), "high": result(HIGH, "rmse")}
    with pytest.raises(ValueError, match=r"'rmse' names a loss, and its values are positive"):
        skstat.compare_scores(positive, n_train=60, n_test=30)
    said = skstat.compare_scores(positive, n_train=60, n_test=30, higher_is_better=False)
    assert said.better == "low"


def test_losses_that_were_negated():
    """By their signs, which is a guess, and shown to be one."""
    report = skstat.compare_scores({"low": -LOW, "high": -HIGH}, unit="seed", scoring="rmse")
    assert report.better is None and "low scores higher than high in rmse" in report.conclusion
    # These may be below 0 as they are.
    report = skstat.compare_scores({"low": -LOW, "high": -HIGH}, unit="seed", scoring="bic")
    assert report.better == "high" and "lower is better" in str(report)
    one, other = (
        Results(system=[name] * 2, item=["q1", "q2"], scores={"rmse": [sign, 2 * sign]})
        for name, sign in (("a", 1.0), ("b", -1.0))
    )
    with pytest.raises(ResultsError, match="way rmse is better differs between a and b, or"):
        join_results([one, other])
    negated = {"low": -LOW, "high": -HIGH}
    with pytest.raises(ValueError, match="'neg_rmse' is a negated loss by its name"):
        skstat.compare_scores(negated, unit="seed", scoring="neg_rmse", higher_is_better=False)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("lower", "must be True, False or a mapping of metric"),
        ({"accurcy": True}, "higher_is_better names 'accurcy', which is not among the metrics"),
        ({"x": "no"}, "must be True, False or a mapping"),
    ],
)
def test_what_is_no_direction(said, message, tmp_path):
    scores = {"a": LOW, "b": HIGH}
    with pytest.raises(ValueError, match=message):
        skstat.compare_scores(scores, unit="seed", scoring="x", higher_is_better=said)
    with pytest.raises(ResultsError, match=message):
        read_results(file_of("x", TWO, tmp_path), higher_is_better=said)


def test_what_a_log_declares_counts_before_the_name():
    results = results_of("rmse", TWO, higher_is_better={"rmse": True})
    assert skstat.compare_scores(results, random_state=0).better == "high"
    assert skstat.compare_scores(results, higher_is_better=False).better == "low"
