"""Works on tests of two systems: what procedures, and reports of theirs, refer to."""

from skstat.stats._common import Reference

ALPAYDIN_1999 = Reference(
    authors=("Alpaydin, E.",),
    year=1999,
    title="Combined 5x2 cv F test for comparing supervised classification learning algorithms",
    venue="Neural Computation",
    volume="11",
    number="8",
    pages="1885-1892",
    doi="10.1162/089976699300016007",
)
BELL_MCCAFFREY_2002 = Reference(
    authors=("Bell, R. M.", "McCaffrey, D. F."),
    year=2002,
    title="Bias reduction in standard errors for linear regression with multi-stage samples",
    venue="Survey Methodology",
    volume="28",
    number="2",
    pages="169-181",
)
BERG_KIRKPATRICK_ET_AL_2012 = Reference(
    authors=("Berg-Kirkpatrick, T.", "Burkett, D.", "Klein, D."),
    year=2012,
    title="An empirical investigation of statistical significance in NLP",
    kind="inproceedings",
    venue="EMNLP-CoNLL",
    pages="995-1005",
)
BOUCKAERT_2003 = Reference(
    authors=("Bouckaert, R. R.",),
    year=2003,
    title="Choosing between two learning algorithms based on calibrated tests",
    kind="inproceedings",
    venue="ICML",
    pages="51-58",
)
BOUCKAERT_FRANK_2004 = Reference(
    authors=("Bouckaert, R. R.", "Frank, E."),
    year=2004,
    title=(
        "Evaluating the replicability of significance tests for comparing learning algorithms"
    ),
    kind="inproceedings",
    venue="PAKDD",
    pages="3-12",
    doi="10.1007/978-3-540-24775-3_3",
)
CONOVER_1999 = Reference(
    authors=("Conover, W. J.",),
    year=1999,
    title="Practical Nonparametric Statistics, 3rd ed.",
    kind="book",
    venue="Wiley",
)
DAVISON_HINKLEY_1997 = Reference(
    authors=("Davison, A. C.", "Hinkley, D. V."),
    year=1997,
    title="Bootstrap Methods and their Application",
    kind="book",
    venue="Cambridge University Press",
)
DELONG_ET_AL_1988 = Reference(
    authors=("DeLong, E. R.", "DeLong, D. M.", "Clarke-Pearson, D. L."),
    year=1988,
    title=(
        "Comparing the areas under two or more correlated receiver operating "
        "characteristic curves: a nonparametric approach"
    ),
    venue="Biometrics",
    volume="44",
    number="3",
    pages="837-845",
    doi="10.2307/2531595",
)
DIEBOLD_MARIANO_1995 = Reference(
    authors=("Diebold, F. X.", "Mariano, R. S."),
    year=1995,
    title="Comparing predictive accuracy",
    venue="Journal of Business & Economic Statistics",
    volume="13",
    number="3",
    pages="253-263",
    doi="10.1080/07350015.1995.10524599",
)
DIETTERICH_1998 = Reference(
    authors=("Dietterich, T. G.",),
    year=1998,
    title=(
        "Approximate statistical tests for comparing supervised classification "
        "learning algorithms"
    ),
    venue="Neural Computation",
    volume="10",
    number="7",
    pages="1895-1923",
    doi="10.1162/089976698300017197",
)
EDWARDS_1948 = Reference(
    authors=("Edwards, A. L.",),
    year=1948,
    title=(
        'Note on the "correction for continuity" in testing the significance of the '
        "difference between correlated proportions"
    ),
    venue="Psychometrika",
    volume="13",
    number="3",
    pages="185-187",
    doi="10.1007/BF02289261",
)
EFRON_1987 = Reference(
    authors=("Efron, B.",),
    year=1987,
    title="Better bootstrap confidence intervals",
    venue="Journal of the American Statistical Association",
    volume="82",
    number="397",
    pages="171-185",
)
EFRON_STEIN_1981 = Reference(
    authors=("Efron, B.", "Stein, C."),
    year=1981,
    title="The jackknife estimate of variance",
    venue="Annals of Statistics",
    volume="9",
    number="3",
    pages="586-596",
    doi="10.1214/aos/1176345462",
)
EFRON_TIBSHIRANI_1993 = Reference(
    authors=("Efron, B.", "Tibshirani, R. J."),
    year=1993,
    title="An Introduction to the Bootstrap",
    kind="book",
    venue="Chapman & Hall",
)
FAGERLAND_ET_AL_2013 = Reference(
    authors=("Fagerland, M. W.", "Lydersen, S.", "Laake, P."),
    year=2013,
    title=(
        "The McNemar test for binary matched-pairs data: mid-p and asymptotic are "
        "better than exact conditional"
    ),
    venue="BMC Medical Research Methodology",
    volume="13",
    pages="91",
    doi="10.1186/1471-2288-13-91",
)
FAY_2010 = Reference(
    authors=("Fay, M. P.",),
    year=2010,
    title="Two-sided exact tests and matching confidence intervals for discrete data",
    venue="The R Journal",
    volume="2",
    number="1",
    pages="53-58",
)
FISHER_1935 = Reference(
    authors=("Fisher, R. A.",),
    year=1935,
    title="The Design of Experiments",
    kind="book",
    venue="Oliver and Boyd",
)
HAJEK_1968 = Reference(
    authors=("Hájek, J.",),
    year=1968,
    title="Asymptotic normality of simple linear rank statistics under alternatives",
    venue="The Annals of Mathematical Statistics",
    volume="39",
    number="2",
    pages="325-346",
    doi="10.1214/aoms/1177698394",
)
HARVEY_ET_AL_1997 = Reference(
    authors=("Harvey, D.", "Leybourne, S.", "Newbold, P."),
    year=1997,
    title="Testing the equality of prediction mean squared errors",
    venue="International Journal of Forecasting",
    volume="13",
    number="2",
    pages="281-291",
    doi="10.1016/S0169-2070(96)00719-4",
)
JAPKOWICZ_SHAH_2011 = Reference(
    authors=("Japkowicz, N.", "Shah, M."),
    year=2011,
    title="Evaluating Learning Algorithms: A Classification Perspective",
    kind="book",
    venue="Cambridge University Press",
)
LAZARUS_ET_AL_2018 = Reference(
    authors=("Lazarus, E.", "Lewis, D. J.", "Stock, J. H.", "Watson, M. W."),
    year=2018,
    title="HAR inference: recommendations for practice",
    venue="Journal of Business & Economic Statistics",
    volume="36",
    number="4",
    pages="541-559",
    doi="10.1080/07350015.2018.1506926",
)
LIANG_ZEGER_1986 = Reference(
    authors=("Liang, K.-Y.", "Zeger, S. L."),
    year=1986,
    title="Longitudinal data analysis using generalized linear models",
    venue="Biometrika",
    volume="73",
    number="1",
    pages="13-22",
    doi="10.1093/biomet/73.1.13",
)
MCNEMAR_1947 = Reference(
    authors=("McNemar, Q.",),
    year=1947,
    title=(
        "Note on the sampling error of the difference between correlated proportions "
        "or percentages"
    ),
    venue="Psychometrika",
    volume="12",
    number="2",
    pages="153-157",
    doi="10.1007/BF02295996",
)
NADEAU_BENGIO_2003 = Reference(
    authors=("Nadeau, C.", "Bengio, Y."),
    year=2003,
    title="Inference for the generalization error",
    venue="Machine Learning",
    volume="52",
    pages="239-281",
    doi="10.1023/A:1024068626366",
)
NEWEY_WEST_1987 = Reference(
    authors=("Newey, W. K.", "West, K. D."),
    year=1987,
    title=(
        "A simple, positive semi-definite, heteroskedasticity and autocorrelation "
        "consistent covariance matrix"
    ),
    venue="Econometrica",
    volume="55",
    number="3",
    pages="703-708",
    doi="10.2307/1913610",
)
NOREEN_1989 = Reference(
    authors=("Noreen, E. W.",),
    year=1989,
    title="Computer-Intensive Methods for Testing Hypotheses",
    kind="book",
    venue="Wiley",
)
OBUCHOWSKI_1997 = Reference(
    authors=("Obuchowski, N. A.",),
    year=1997,
    title="Nonparametric analysis of clustered ROC curve data",
    venue="Biometrics",
    volume="53",
    number="2",
    pages="567-578",
    doi="10.2307/2533958",
)
OWEN_1988 = Reference(
    authors=("Owen, A. B.",),
    year=1988,
    title="Empirical likelihood ratio confidence intervals for a single functional",
    venue="Biometrika",
    volume="75",
    number="2",
    pages="237-249",
    doi="10.1093/biomet/75.2.237",
)
OWEN_2007 = Reference(
    authors=("Owen, A. B.",),
    year=2007,
    title="The pigeonhole bootstrap",
    venue="Annals of Applied Statistics",
    volume="1",
    number="2",
    pages="386-411",
    doi="10.1214/07-AOAS122",
)
PRATT_1959 = Reference(
    authors=("Pratt, J. W.",),
    year=1959,
    title="Remarks on zeros and ties in the Wilcoxon signed rank procedures",
    venue="Journal of the American Statistical Association",
    volume="54",
    pages="655-667",
    doi="10.1080/01621459.1959.10501526",
)
ROBINSON_1982 = Reference(
    authors=("Robinson, J.",),
    year=1982,
    title="Saddlepoint approximations for permutation tests and confidence intervals",
    venue="Journal of the Royal Statistical Society, Series B",
    volume="44",
    number="1",
    pages="91-101",
)
SATTERTHWAITE_1946 = Reference(
    authors=("Satterthwaite, F. E.",),
    year=1946,
    title="An approximate distribution of estimates of variance components",
    venue="Biometrics Bulletin",
    volume="2",
    number="6",
    pages="110-114",
    doi="10.2307/3002019",
)
SCHUIRMANN_1987 = Reference(
    authors=("Schuirmann, D. J.",),
    year=1987,
    title=(
        "A comparison of the two one-sided tests procedure and the power approach for "
        "assessing the equivalence of average bioavailability"
    ),
    venue="Journal of Pharmacokinetics and Biopharmaceutics",
    volume="15",
    number="6",
    pages="657-680",
    doi="10.1007/BF01068419",
)
SEARLE_ET_AL_1992 = Reference(
    authors=("Searle, S. R.", "Casella, G.", "McCulloch, C. E."),
    year=1992,
    title="Variance Components",
    kind="book",
    venue="Wiley",
    doi="10.1002/9780470316856",
)
STUDENT_1908 = Reference(
    authors=("Student",),
    year=1908,
    title="The probable error of a mean",
    venue="Biometrika",
    volume="6",
    number="1",
    pages="1-25",
    doi="10.1093/biomet/6.1.1",
)
SUN_XU_2014 = Reference(
    authors=("Sun, X.", "Xu, W."),
    year=2014,
    title=(
        "Fast implementation of DeLong's algorithm for comparing the areas under "
        "correlated receiver operating characteristic curves"
    ),
    venue="IEEE Signal Processing Letters",
    volume="21",
    number="11",
    pages="1389-1393",
    doi="10.1109/LSP.2014.2337313",
)
TANGO_1998 = Reference(
    authors=("Tango, T.",),
    year=1998,
    title=(
        "Equivalence test and confidence interval for the difference in proportions "
        "for the paired-sample design"
    ),
    venue="Statistics in Medicine",
    volume="17",
    number="8",
    pages="891-908",
)
WELCH_1947 = Reference(
    authors=("Welch, B. L.",),
    year=1947,
    title=(
        "The generalization of 'Student's' problem when several different population "
        "variances are involved"
    ),
    venue="Biometrika",
    volume="34",
    number="1-2",
    pages="28-35",
    doi="10.1093/biomet/34.1-2.28",
)
WILCOXON_1945 = Reference(
    authors=("Wilcoxon, F.",),
    year=1945,
    title="Individual comparisons by ranking methods",
    venue="Biometrics Bulletin",
    volume="1",
    number="6",
    pages="80-83",
    doi="10.2307/3001968",
)
YEH_2000 = Reference(
    authors=("Yeh, A.",),
    year=2000,
    title="More accurate tests for the statistical significance of result differences",
    kind="inproceedings",
    venue="COLING",
    pages="947-953",
)
