"""Which way a metric is better: one rule for its name, and the same answer of every door."""
# ruff: noqa: SIM905  (hundreds of names read better in lines)

import json

import numpy as np
import pytest
from sklearn import metrics as sk
from sklearn.metrics import get_scorer_names

import skstat
from skstat.__main__ import main
from skstat._directions import direction_of
from skstat.io import Results, ResultsError, join_results, read_results

LOWER = """
    runtime errors failure_rate ppl ece smape mase crps tokens costs cost rmse mae mse mape wer
    cer ter nll log_loss logloss brier brier_score brier_score_loss error error_rate test_error
    loss val_loss train_loss latency latency_ms latency_p95 p99_latency time fit_time
    elapsed_time duration wall_time cpu_time seconds n_errors num_failures crashes timeouts
    hallucination_rate toxicity perplexity bits_per_byte bpb max_error hamming_loss
    coverage_error fpr fnr false_positive_rate false_negative_rate false_alarm_rate eer
    word_error_rate edit_distance fid lpips wasserstein_distance kl_divergence cross_entropy
    neg_log_likelihood negative_log_likelihood minus_accuracy 1-auc one_minus_accuracy regret
    cost_per_query usd tokens_used output_tokens price peak_memory energy_kwh emissions
    misclassification_rate Percent_incorrect incorrect violations accuracy_drop accuracy_loss
    performance_degradation generalization_gap davies_bouldin_score mean_rank
    expected_calibration_error aic Elapsed_Time_training Root_relative_squared_error testError
    RMSE WER nRMSE sMAPE mean_time_to_recovery response_time time_to_first_token ttft
    detection_time detection_delay seconds_per_token share_of_errors number_of_errors failed
    dice_loss mortality drawdown downtime rmse_val rmse_house_prices gpu_hours wait_time
    false_discovery_rate missed_detections pinball_loss winkler_score equal_error_rate overhead
    cost_usd training_time fault_recovery_time survival_loss time_series_error
    time_in_seconds ADE neg_accuracy loss_per_token diarization_error_rate MCE defects
""".split()
LOWER += ["log loss", "Mean squared error", "1 - AUC", "error rate (%)", "Word Error Rate"]
HIGHER = """
    time_series_accuracy first_time_right cost_savings survival_time d2_absolute_error_score
    error_reduction brier_skill_score minus_rmse time_to_failure error_detection_rate accuracy
    acc balanced_accuracy f1 f1_macro roc_auc auc average_precision recall r2 explained_variance
    neg_log_loss neg_rmse neg_brier_score neg_x score test_score bleu rouge_l rouge1 chrf
    exact_match em pass@1 pass_rate correct percent_correct success_rate win_rate elo mrr ndcg
    ndcg@10 mAP hit_rate hits@10 mean_reciprocal_rank rank_correlation spearman cohen_kappa mcc
    jaccard iou mIoU dice ssim psnr throughput tokens_per_second requests_per_second fps
    log_likelihood elbo uptime mean_time_between_failures fault_tolerance anomaly_detection_f1
    error_free_rate skill_score rmse_skill_score d2_log_loss_score cost_sensitive_accuracy
    time_dependent_auc time_to_event_auc survival_rate c_index true_positive_rate
    negative_predictive_value sensitivity tpr loss_reduction relative_error_reduction
    latency_reduction time_saved errors_avoided bugs_fixed fraud_detection_recall reward profit
    quality groundedness silhouette_score adjusted_rand_score resolved Percent_correct
    Kappa_statistic Area_under_ROC SF_entropy_gain error_recovery_rate robustness on_time_rate
    no_hallucination_rate non_error_rate share_without_errors uplift lift accuracy_per_dollar
    accuracy_gain loss_improvement inverse_error negative_mse testAccuracy accuracy_imagenet
    token_accuracy risk_adjusted_return first_pass_yield loglik judge
    neg_root_mean_squared_error
""".split()
HIGHER += ["F1 (macro)", "R²-score", "top-1 accuracy", "1-NN accuracy"]
# What no name says, or what the field uses both ways.
OPEN = """
    x value metric result y foo my_metric reduction error_awareness rmse_score z_score p_value
    attack_success_rate error_score length n_steps time_budget log_score delta
""".split()
# As leaderboards and libraries print them: mlr3, GluonTS, torchmetrics, HELM, COCO, speech,
# translation, driving, biometrics, safety.
LOWER += """
    classif.ce regr.rmse surv.graf regr.mae regr.mse classif.logloss classif.bbrier
    classif.mbrier classif.fpr classif.fnr classif.fdr surv.brier surv.logloss surv.intlogloss
    surv.schmid time_train time_predict time_both oob_error classif.costs regr.medae regr.smape
    regr.pinball dens.logloss eval_metrics/wer metrics/fid test/kl train/hinge eval/cer val/wql
    eval/toxicity_score WQL quantile_score MIS MSIS ASD toxicity_score kl der hinge flops
    levenshtein far kl_div fid_score rejected_requests mean_wQuantileLoss
    weighted_sum_quantile_loss QuantileLoss wQuantileLoss OWA ND NRMSE RMSSE WAPE abs_error
    mean_absolute_QuantileLoss CRPS energy_score mean_weighted_sum_quantile_loss KLDivergence
    HammingDistance MeanAbsoluteError WordErrorRate CharErrorRate MatchErrorRate WordInfoLost
    HingeLoss CalibrationError FrechetInceptionDistance KernelInceptionDistance
    LearnedPerceptualImagePatchSimilarity PerceptualPathLength SpectralAngleMapper
    ErrorRelativeGlobalDimensionlessSynthesis RelativeAverageSpectralError TranslationEditRate
    ExtendedEditDistance CoverageError LabelRankingLoss MinkowskiDistance LogCoshError
    TweedieDevianceScore SymmetricMeanAbsolutePercentageError ergas jer tder cpwer wder mcd
    dnsmos_error minDCF min_dcf actDCF Cllr chrf_error hTER comet_error jailbreak_rate
    false_refusal_rate over_refusal_rate overrefusal harmful_rate violation_rate toxicity_max
    bias_score stereotype_score unsafe_rate leakage_rate misuse hallucinations sycophancy
    deception_rate metric_error val_metric_error rank improvability champ_delta normalized_error
    size_mb gflops memory_mb vram peak_vram infer_time emd hausdorff_distance hd95 assd asd
    chamfer chamfer_distance epe epe_all abs_rel sq_rel rmse_log silog ade fde minade minfde
    miss_rate brier_minfde collision_rate mpjpe pa_mpjpe niqe brisque piqe kid is_error fvd
    clip_fid cmmd bits_per_character bpc word_perplexity byte_perplexity nll_per_token nelbo
    num_rejected error_count disagreements wrong_answers failed_tests num_bugs ece_10_bin mce
    ace tce smece brier_loss calibration_error apcer bpcer acer hter tar_error fmr fnmr mad
    mdape iae ise itae crossentropy multi_logloss binary_logloss mlogloss merror rmsle l1 l2
    l1_loss huber mean_average_error pehe ate_error policy_risk sqrt_pehe gap optimality_gap
    makespan tardiness tour_length var_risk evaluation/loss latency/p99 tail_latency queue_time
""".split()
HIGHER += """
    classif.acc classif.auc classif.bacc classif.mcc classif.prauc regr.rsq surv.cindex
    classif.fbeta classif.ppv classif.tpr clust.silhouette regr.ktau regr.srho
    eval_metrics/accuracy test/acc metrics/f1 acc_norm loglikelihood_acc quasi_exact_match
    prefix_exact_match quasi_prefix_exact_match f1_score_quasi math_pass@1 extractive_match
    bleu_4 rougeL rougeLsum bert_score BERTScore-F mc1 mc2 exact_match_strict
    prompt_level_strict_acc inst_level_loose_acc lexical_match summac faithfulness
    exact_match_indicator NDCG@10 MRR@10 map_cut_10 success_1 Rprec bpref recall_100
    iprec_at_recall_0.10 infAP gm_map num_rel_ret rbp nDCG Hit@1 success@5 AP AP50 AP75 APs APm
    APl AR AR@100 mAP50 mAP50-95 map_50 mar_100 PQ SQ RQ DSC NSD MOTA HOTA IDF1 AssA DetA PCK
    OKS_AP WinRate length_controlled_winrate lc_win_rate elo_rating arena_score mt_bench_score
    COMET COMET-22 xCOMET BLEU chrF chrF++ spBLEU BLEURT STOI PESQ SI-SDR SI-SNR sdr UTMOS
    DNSMOS MOS nisqa visqol MulticlassAccuracy BinaryAUROC MulticlassF1Score R2Score
    PearsonCorrCoef SpearmanCorrCoef CohenKappa JaccardIndex MatthewsCorrCoef RetrievalMAP
    RetrievalMRR RetrievalNormalizedDCG StructuralSimilarityIndexMeasure PeakSignalNoiseRatio
    CLIPScore InceptionScore ScaleInvariantSignalDistortionRatio Specificity BinaryRecall
    CriticalSuccessIndex UniversalImageQualityIndex tar tar@far=0.01 TAR@FAR=1e-3
    defense_success_rate safety_score harmlessness compliance safe_rate robust_accuracy
    resolved_rate pass^5 pass@10 pass_at_1 solve_rate delta1 ms_ssim vmaf inception_score
    clip_score image_reward aesthetic_score cindex concordance_index ibs_skill td_auc
    auc_td nse kge d2_pinball_score adj_r2 rho tau spearmanr ktau srcc plcc krcc ari nmi ami
    v_measure fmi homogeneity completeness modularity
""".split()
OPEN += """
    refusals refusal_rate attack_rate asr_attack jailbreak_success_rate self_bleu TotalVariation
    MOTP p95 p99 n_params model_size compression cd ate
""".split()
RNG = np.random.default_rng(0)
LOW = 1.0 + RNG.random(30)
HIGH = LOW + 0.3 + 0.2 * RNG.random(30)


def test_names():
    assert len(LOWER) + len(HIGHER) > 600
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


@pytest.mark.parametrize("name", ["rmse", "error_rate", "accuracy", "cost_savings", "foo"])
def test_how_a_name_is_spelled_does_not_matter(name):
    spelled = (name.upper(), name.replace("_", " "), name.title().replace("_", ""))
    assert {direction_of(other) for other in spelled} == {direction_of(name)}


def long_columns(metric):
    return {
        "model": ["low"] * 30 + ["high"] * 30,
        "item": [f"q{i}" for i in range(30)] * 2,
        metric: np.concatenate([LOW, HIGH]),
    }


def file_of(metric, folder):
    columns = long_columns(metric)
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path = folder / "results.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def winners(metric, folder, **said):
    """Who wins by the same numbers, in four shapes, by every door that takes them.

    Where nothing says which way is better nobody does, and higher ones are called so.
    """
    named = {"low": LOW, "high": HIGH}
    compare, rank = skstat.compare_scores, skstat.rank_systems
    long, path = long_columns(metric), file_of(metric, folder)
    of_items = {"system": "model", "item": "item", "score": metric}
    wide = {"item": long["item"][:30], **named}
    one = {"scoring": metric, "random_state": 0, **said}
    found = {
        "mapping": compare(named, unit="instance", **one).better,
        "seeds": compare(named, unit="seed", **one).better,
        "data sets": compare(named, unit="dataset", **one).better,
        "splits": compare(named, n_train=60, n_test=30, **one).better,
        "wide": compare(wide, item="item", **one).better,
        "long": compare(long, **of_items, random_state=0, **said).better,
        "file": compare(read_results(path, **said), random_state=0).better,
        "constant": {"better": "low", "worse": "high", "lower": None}[
            compare(LOW, unit="instance", constant=1.9, **one).verdict
        ],
    }
    if direction_of(metric) is not None or said:
        tables = {"long": (long, of_items), "mapping": (named, {"unit": "instance", **one})}
        for shape, (table, how) in tables.items():
            ranked = rank(table, n_resamples=199, **{"random_state": 0, **how, **said})
            found[f"rank {shape}"] = ranked.names[0]
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
    path = file_of(metric, tmp_path).name
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


def test_the_text_says_which_direction_counted():
    named = {"low": LOW, "high": HIGH, "other": HIGH + RNG.normal(0, 0.1, 30)}
    for metric, said in (("rmse", "lower is better"), ("f1", "higher is better"),
                         ("x", "no direction is known"),
                         ("value", "no direction is known")):  # fmt: skip
        two = skstat.compare_scores(dict(list(named.items())[:2]), unit="seed", scoring=metric)
        three = skstat.compare_scores(named, unit="dataset", scoring=metric)
        for report in (two, three):
            restored = skstat.report_from_dict(json.loads(report.to_json()))
            for form in (str(report), str(restored), report.to_markdown(), report.to_html()):
                assert said in " ".join(form.replace("\\", "").split())
            state = report.to_dict()
            assert state["lower"] == (metric == "rmse")
            assert bool(state["direction_assumed"]) == (metric in ("x", "value"))
            records = report._records()
            known = "" if state["direction_assumed"] else said.split()[0]
            assert {r["direction"] for r in records} == {known}


def test_a_leaderboard_needs_to_know():
    scores = {"a": LOW, "b": HIGH, "c": HIGH + 1}
    with pytest.raises(
        ValueError, match=r"which way 'x' is better.*higher_is_better=\{'x': Tr"
    ):
        skstat.rank_systems(scores, unit="instance", scoring="x")


@pytest.mark.long
def test_functions_of_ones_own():
    y = RNG.integers(0, 2, 120)
    good, bad = (np.where(RNG.random(120) < share, y, 1 - y) for share in (0.95, 0.6))

    def wer(truth, predicted):
        return float(np.mean(truth != predicted))

    def agree(truth, predicted):
        return float(np.mean(truth == predicted))

    def rmse(truth, predicted):  # negated by its author, as its values show
        return -float(np.sqrt(np.mean((truth - predicted) ** 2)))

    def ask(*metrics, **said):
        return skstat.compare_predictions(
            y, {"good": good, "bad": bad}, metric=[*metrics], random_state=0, n_resamples=199,
            **said,
        )  # fmt: skip

    # The name of a loss, and values above 0, say what it is; no name says "agree".
    found = ask(wer, agree, rmse)
    assert [found[name].better for name in found] == ["good", None, None]
    for metric, known in (("wer", True), ("agree", False)):
        text = " ".join(str(found[metric]).split())
        assert ("pass higher_is_better=True or False" in text) is not known
    assert not found["rmse"].lower
    assert "good scores higher than bad in rmse" in " ".join(str(found["rmse"]).split())
    both = ask(wer, agree, higher_is_better={"agree": False, "wer": True})
    assert [both[name].better for name in both] == ["bad", "bad"]
    with pytest.raises(ValueError, match="higher_is_better names 'aggree', which is not among"):
        ask(wer, agree, higher_is_better={"aggree": False})


@pytest.mark.long
def test_scorers_are_higher_is_better_whatever_their_names():
    """Where a scorer has the name of a loss and was not negated, the report says so."""
    from sklearn.dummy import DummyRegressor
    from sklearn.linear_model import LinearRegression

    X = RNG.normal(size=(60, 2))
    y = X[:, 0] + 0.1 * RNG.normal(size=60)
    models = {"line": LinearRegression(), "mean": DummyRegressor()}

    def ask(scoring):
        return skstat.compare_estimators(models, X, y, scoring=scoring, random_state=0)

    assert ask({"rmse": "neg_root_mean_squared_error"}).better == "line"
    wrong = ask({"rmse": sk.make_scorer(sk.root_mean_squared_error)})
    assert wrong.better is None
    assert "pass make_scorer(..., greater_is_better=False) if low is." in " ".join(
        str(wrong).split()
    )
    with pytest.raises(ValueError, match="computed by a scorer, of which higher is always"):
        skstat.compare_scores(
            skstat.paired_cross_validate(models, X, y, random_state=0), higher_is_better=False
        )


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
    with pytest.raises(ResultsError, match="rmse is below 0 in the results of b and not in"):
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
        read_results(file_of("x", tmp_path), higher_is_better=said)


def test_what_a_log_declares_counts_before_the_name():
    found = long_columns("rmse")
    of = {"system": found["model"], "item": found["item"], "scores": {"rmse": found["rmse"]}}
    results = Results(**of, higher_is_better={"rmse": True})
    assert skstat.compare_scores(results, random_state=0).better == "high"
    assert skstat.compare_scores(results, higher_is_better=False).better == "low"
