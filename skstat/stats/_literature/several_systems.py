"""Works on tests of several systems, and on the adjustment of their p-values."""

from skstat.stats._common import Reference

BENAVOLI_ET_AL_2016 = Reference(
    authors=("Benavoli, A.", "Corani, G.", "Mangili, F."),
    year=2016,
    title="Should we really use post-hoc tests based on mean-ranks?",
    venue="Journal of Machine Learning Research",
    volume="17",
    number="5",
    pages="1-10",
)
BENJAMINI_HELLER_2008 = Reference(
    authors=("Benjamini, Y.", "Heller, R."),
    year=2008,
    title="Screening for partial conjunction hypotheses",
    venue="Biometrics",
    volume="64",
    number="4",
    pages="1215-1222",
)
BENJAMINI_HOCHBERG_1995 = Reference(
    authors=("Benjamini, Y.", "Hochberg, Y."),
    year=1995,
    title=(
        "Controlling the false discovery rate: a practical and powerful approach to "
        "multiple testing"
    ),
    venue="Journal of the Royal Statistical Society B",
    volume="57",
    number="1",
    pages="289-300",
)
BENJAMINI_YEKUTIELI_2001 = Reference(
    authors=("Benjamini, Y.", "Yekutieli, D."),
    year=2001,
    title="The control of the false discovery rate in multiple testing under dependency",
    venue="The Annals of Statistics",
    volume="29",
    number="4",
    pages="1165-1188",
)
BERGMANN_HOMMEL_1988 = Reference(
    authors=("Bergmann, B.", "Hommel, G."),
    year=1988,
    title=(
        "Improvements of general multiple test procedures for redundant systems of hypotheses"
    ),
    kind="incollection",
    venue="Multiple Hypotheses Testing",
    pages="100-115",
    publisher="Springer",
)
COCHRAN_1950 = Reference(
    authors=("Cochran, W. G.",),
    year=1950,
    title="The comparison of percentages in matched samples",
    venue="Biometrika",
    volume="37",
    number="3/4",
    pages="256-266",
    doi="10.1093/biomet/37.3-4.256",
)
DEMSAR_2006 = Reference(
    authors=("Demšar, J.",),
    year=2006,
    title="Statistical comparisons of classifiers over multiple data sets",
    venue="Journal of Machine Learning Research",
    volume="7",
    pages="1-30",
)
DUNN_1961 = Reference(
    authors=("Dunn, O. J.",),
    year=1961,
    title="Multiple comparisons among means",
    venue="Journal of the American Statistical Association",
    volume="56",
    number="293",
    pages="52-64",
)
EISINGA_ET_AL_2017 = Reference(
    authors=("Eisinga, R.", "Heskes, T.", "Pelzer, B.", "Te Grotenhuis, M."),
    year=2017,
    title=(
        "Exact p-values for pairwise comparison of Friedman rank sums, with "
        "application to comparing classifiers"
    ),
    venue="BMC Bioinformatics",
    volume="18",
    pages="68",
)
FINNER_1993 = Reference(
    authors=("Finner, H.",),
    year=1993,
    title="On a monotonicity problem in step-down multiple test procedures",
    venue="Journal of the American Statistical Association",
    volume="88",
    number="423",
    pages="920-923",
)
FRIEDMAN_1937 = Reference(
    authors=("Friedman, M.",),
    year=1937,
    title=(
        "The use of ranks to avoid the assumption of normality implicit in the "
        "analysis of variance"
    ),
    venue="Journal of the American Statistical Association",
    volume="32",
    number="200",
    pages="675-701",
    doi="10.1080/01621459.1937.10503522",
)
GARCIA_ET_AL_2010 = Reference(
    authors=("García, S.", "Fernández, A.", "Luengo, J.", "Herrera, F."),
    year=2010,
    title=(
        "Advanced nonparametric tests for multiple comparisons in the design of "
        "experiments in computational intelligence and data mining"
    ),
    venue="Information Sciences",
    volume="180",
    number="10",
    pages="2044-2064",
    doi="10.1016/j.ins.2009.12.010",
)
GREENHOUSE_GEISSER_1959 = Reference(
    authors=("Greenhouse, S. W.", "Geisser, S."),
    year=1959,
    title="On methods in the analysis of profile data",
    venue="Psychometrika",
    volume="24",
    number="2",
    pages="95-112",
    doi="10.1007/BF02289823",
)
HANSEN_ET_AL_2011 = Reference(
    authors=("Hansen, P. R.", "Lunde, A.", "Nason, J. M."),
    year=2011,
    title="The model confidence set",
    venue="Econometrica",
    volume="79",
    number="2",
    pages="453-497",
    doi="10.3982/ECTA5771",
)
HOCHBERG_1988 = Reference(
    authors=("Hochberg, Y.",),
    year=1988,
    title="A sharper Bonferroni procedure for multiple tests of significance",
    venue="Biometrika",
    volume="75",
    number="4",
    pages="800-802",
)
HODGES_LEHMANN_1962 = Reference(
    authors=("Hodges, J. L.", "Lehmann, E. L."),
    year=1962,
    title="Rank methods for combination of independent experiments in analysis of variance",
    venue="Annals of Mathematical Statistics",
    volume="33",
    number="2",
    pages="482-497",
    doi="10.1214/aoms/1177704575",
)
HOLLAND_COPENHAVER_1987 = Reference(
    authors=("Holland, B. S.", "Copenhaver, M. D."),
    year=1987,
    title="An improved sequentially rejective Bonferroni test procedure",
    venue="Biometrics",
    volume="43",
    number="2",
    pages="417-423",
)
HOLM_1979 = Reference(
    authors=("Holm, S.",),
    year=1979,
    title="A simple sequentially rejective multiple test procedure",
    venue="Scandinavian Journal of Statistics",
    volume="6",
    number="2",
    pages="65-70",
)
HOMMEL_1988 = Reference(
    authors=("Hommel, G.",),
    year=1988,
    title="A stagewise rejective multiple test procedure based on a modified Bonferroni test",
    venue="Biometrika",
    volume="75",
    number="2",
    pages="383-386",
)
HSU_1984 = Reference(
    authors=("Hsu, J. C.",),
    year=1984,
    title=(
        "Constrained simultaneous confidence intervals for multiple comparisons with the best"
    ),
    venue="Annals of Statistics",
    volume="12",
    number="3",
    pages="1136-1144",
    doi="10.1214/aos/1176346732",
)
HSU_1996 = Reference(
    authors=("Hsu, J. C.",),
    year=1996,
    title="Multiple Comparisons: Theory and Methods",
    kind="book",
    venue="Chapman & Hall",
)
HUYNH_FELDT_1976 = Reference(
    authors=("Huynh, H.", "Feldt, L. S."),
    year=1976,
    title=(
        "Estimation of the Box correction for degrees of freedom from sample data in "
        "randomized block and split-plot designs"
    ),
    venue="Journal of Educational Statistics",
    volume="1",
    number="1",
    pages="69-82",
    doi="10.3102/10769986001001069",
)
IMAN_DAVENPORT_1980 = Reference(
    authors=("Iman, R. L.", "Davenport, J. M."),
    year=1980,
    title="Approximations of the critical region of the Friedman statistic",
    venue="Communications in Statistics",
    volume="9",
    number="6",
    pages="571-595",
    doi="10.1080/03610928008827904",
)
LI_2008 = Reference(
    authors=("Li, J.",),
    year=2008,
    title="A two-step rejection procedure for testing multiple hypotheses",
    venue="Journal of Statistical Planning and Inference",
    volume="138",
    number="6",
    pages="1521-1527",
)
MOGSTAD_ET_AL_2024 = Reference(
    authors=("Mogstad, M.", "Romano, J. P.", "Shaikh, A. M.", "Wilhelm, D."),
    year=2024,
    title=(
        "Inference for ranks with applications to mobility across neighbourhoods and academic "
        "achievement across countries"
    ),
    venue="Review of Economic Studies",
    volume="91",
    number="1",
    pages="476-518",
    doi="10.1093/restud/rdad006",
)
NEMENYI_1963 = Reference(
    authors=("Nemenyi, P. B.",),
    year=1963,
    title="Distribution-free multiple comparisons",
    kind="phdthesis",
    venue="Princeton University",
)
QUADE_1979 = Reference(
    authors=("Quade, D.",),
    year=1979,
    title=(
        "Using weighted rankings in the analysis of complete blocks with additive block effects"
    ),
    venue="Journal of the American Statistical Association",
    volume="74",
    number="367",
    pages="680-683",
    doi="10.1080/01621459.1979.10481670",
)
ROM_1990 = Reference(
    authors=("Rom, D. M.",),
    year=1990,
    title="A sequentially rejective test procedure based on a modified Bonferroni inequality",
    venue="Biometrika",
    volume="77",
    number="3",
    pages="663-665",
)
SHAFFER_1986 = Reference(
    authors=("Shaffer, J. P.",),
    year=1986,
    title="Modified sequentially rejective multiple test procedures",
    venue="Journal of the American Statistical Association",
    volume="81",
    number="395",
    pages="826-831",
)
SIDAK_1967 = Reference(
    authors=("Šidák, Z.",),
    year=1967,
    title="Rectangular confidence regions for the means of multivariate normal distributions",
    venue="Journal of the American Statistical Association",
    volume="62",
    number="318",
    pages="626-633",
)
SKILLINGS_MACK_1981 = Reference(
    authors=("Skillings, J. H.", "Mack, G. A."),
    year=1981,
    title="On the use of a Friedman-type statistic in balanced and unbalanced block designs",
    venue="Technometrics",
    volume="23",
    number="2",
    pages="171-177",
    doi="10.1080/00401706.1981.10486261",
)
TATE_BROWN_1970 = Reference(
    authors=("Tate, M. W.", "Brown, S. M."),
    year=1970,
    title="Note on the Cochran Q test",
    venue="Journal of the American Statistical Association",
    volume="65",
    number="329",
    pages="155-160",
)
WESTFALL_YOUNG_1993 = Reference(
    authors=("Westfall, P. H.", "Young, S. S."),
    year=1993,
    title="Resampling-Based Multiple Testing",
    kind="book",
    venue="Wiley",
)
