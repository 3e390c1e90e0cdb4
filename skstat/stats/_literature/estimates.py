"""Works on how good one system is, and on the splits that are made to find out."""

from skstat.stats._common import Reference

BATES_ET_AL_2024 = Reference(
    authors=("Bates, S.", "Hastie, T.", "Tibshirani, R."),
    year=2024,
    title="Cross-validation: what does it estimate and how well does it do it?",
    venue="Journal of the American Statistical Association",
    volume="119",
    number="546",
    pages="1434-1445",
    doi="10.1080/01621459.2023.2197686",
)
BAYLE_ET_AL_2020 = Reference(
    authors=("Bayle, P.", "Bayle, A.", "Janson, L.", "Mackey, L."),
    year=2020,
    title="Cross-validation confidence intervals for test error",
    kind="inproceedings",
    venue="Advances in Neural Information Processing Systems",
    volume="33",
    pages="16339-16350",
)
BROWN_ET_AL_2001 = Reference(
    authors=("Brown, L. D.", "Cai, T. T.", "DasGupta, A."),
    year=2001,
    title="Interval estimation for a binomial proportion",
    venue="Statistical Science",
    volume="16",
    number="2",
    pages="101-133",
    doi="10.1214/ss/1009213286",
)
CLOPPER_PEARSON_1934 = Reference(
    authors=("Clopper, C. J.", "Pearson, E. S."),
    year=1934,
    title="The use of confidence or fiducial limits illustrated in the case of the binomial",
    venue="Biometrika",
    volume="26",
    number="4",
    pages="404-413",
    doi="10.1093/biomet/26.4.404",
)
EFRON_1983 = Reference(
    authors=("Efron, B.",),
    year=1983,
    title="Estimating the error rate of a prediction rule: improvement on cross-validation",
    venue="Journal of the American Statistical Association",
    volume="78",
    number="382",
    pages="316-331",
    doi="10.1080/01621459.1983.10477973",
)
EFRON_TIBSHIRANI_1997 = Reference(
    authors=("Efron, B.", "Tibshirani, R."),
    year=1997,
    title="Improvements on cross-validation: the .632+ bootstrap method",
    venue="Journal of the American Statistical Association",
    volume="92",
    number="438",
    pages="548-560",
    doi="10.1080/01621459.1997.10474007",
)
WAGER_ET_AL_2014 = Reference(
    authors=("Wager, S.", "Hastie, T.", "Efron, B."),
    year=2014,
    title=(
        "Confidence intervals for random forests: the jackknife and the infinitesimal jackknife"
    ),
    venue="Journal of Machine Learning Research",
    volume="15",
    pages="1625-1651",
)
WANG_ET_AL_2014 = Reference(
    authors=("Wang, Y.", "Wang, R.", "Jia, H.", "Li, J."),
    year=2014,
    title=(
        "Blocked 3x2 cross-validated t-test for comparing supervised classification "
        "learning algorithms"
    ),
    venue="Neural Computation",
    volume="26",
    number="1",
    pages="208-235",
    doi="10.1162/NECO_a_00532",
)
WANG_ET_AL_2017 = Reference(
    authors=("Wang, R.", "Wang, Y.", "Li, J.", "Yang, X.", "Yang, J."),
    year=2017,
    title="Block-regularized m x 2 cross-validated estimator of the generalization error",
    venue="Neural Computation",
    volume="29",
    number="2",
    pages="519-554",
    doi="10.1162/NECO_a_00923",
)
WILSON_1927 = Reference(
    authors=("Wilson, E. B.",),
    year=1927,
    title="Probable inference, the law of succession, and statistical inference",
    venue="Journal of the American Statistical Association",
    volume="22",
    number="158",
    pages="209-212",
    doi="10.1080/01621459.1927.10502953",
)
