# Wilcoxon's signed rank test: wilcox.test without ties, and Hodges and Lehmann's estimate
# with its exact interval; coin::wilcoxsign_test (r-cran-coin) with ties and zeros. Paired
# depression scores of ?wilcox.test (Hollander & Wolfe, 1973, p. 29 f.); sleep of R.
options(digits = 15)

first <- c(1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
second <- c(0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
for (alternative in c("two.sided", "greater", "less")) {
  found <- wilcox.test(first, second, paired = TRUE, exact = TRUE, alternative = alternative)
  cat(alternative, "V", found$statistic, "p", found$p.value, "\n")
}
found <- wilcox.test(first, second, paired = TRUE, exact = TRUE, conf.int = TRUE)
cat("estimate", found$estimate, "interval", found$conf.int, "of level",
    attr(found$conf.int, "conf.level"), "\n")

library(coin)
a <- sleep$extra[sleep$group == 1]
b <- sleep$extra[sleep$group == 2]
rounded <- list(a = round(2 * a) / 2, b = round(2 * b) / 2)
cat("rounded differences", rounded$a - rounded$b, "\n")
for (zeros in c("Pratt", "Wilcoxon")) for (law in c("exact", "asymptotic")) {
  found <- wilcoxsign_test(a ~ b, data = rounded, zero.method = zeros, distribution = law)
  cat(zeros, law, "Z", statistic(found), "p", pvalue(found), "\n")
}
