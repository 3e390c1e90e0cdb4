# McNemar's test by mcnemar.test, binom.test and dbinom; Cochran's Q with more than two
# systems by coin::mh_test (r-cran-coin), exact too. Approval ratings of ?mcnemar.test
# (Agresti, 1990, p. 350), and ten rows at which three systems are right or wrong.
options(digits = 15)

ratings <- matrix(c(794, 86, 150, 570), nrow = 2)
cat("chi2", mcnemar.test(ratings, correct = FALSE)$statistic,
    "p", mcnemar.test(ratings, correct = FALSE)$p.value, "\n")
cat("corrected", mcnemar.test(ratings)$statistic, "p", mcnemar.test(ratings)$p.value, "\n")
few <- matrix(c(20, 3, 11, 6), nrow = 2)
cat("few, chi2", mcnemar.test(few, correct = FALSE)$statistic,
    "p", mcnemar.test(few, correct = FALSE)$p.value, "\n")
cat("few, corrected", mcnemar.test(few)$statistic, "p", mcnemar.test(few)$p.value, "\n")
exact <- binom.test(3, 14)
cat("few, exact p", exact$p.value, "\n")
cat("few, mid-p", exact$p.value - dbinom(3, 14, 0.5), "\n")
cat("few, exact one-sided", binom.test(3, 14, alternative = "less")$p.value, "\n")
cat("odds ratio", 11 / 3, "interval", rev(1 / exact$conf.int - 1), "\n")

library(coin)
right <- matrix(c(
  1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0,
  1, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0
), ncol = 3, byrow = TRUE)
long <- data.frame(
  right = factor(as.vector(right)),
  system = factor(rep(1:3, each = nrow(right))),
  row = factor(rep(seq_len(nrow(right)), 3))
)
found <- mh_test(right ~ system | row, data = long)
cat("Cochran's Q", statistic(found), "p", pvalue(found), "\n")

# Every rearrangement of each row, all together.
orders <- rbind(c(1, 2, 3), c(1, 3, 2), c(2, 1, 3), c(2, 3, 1), c(3, 1, 2), c(3, 2, 1))
sums <- matrix(0, 1, 3)
for (i in which(rowSums(right) %in% 1:2)) {
  moved <- unique(t(apply(orders, 1, function(order) right[i, order])))
  added <- lapply(seq_len(nrow(moved)), function(j) sweep(sums, 2, moved[j, ], "+"))
  sums <- do.call(rbind, added)
}
spread <- rowSums((sums - rowMeans(sums))^2)
observed <- colSums(right) - sum(rowSums(right) == 3)
cat("exact p", mean(spread >= sum((observed - mean(observed))^2) - 1e-9), "\n")
