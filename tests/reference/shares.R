# One share: binom.test and prop.test (Wilson's interval), qbeta for the interval of Jeffreys;
# the sign test by binom.test. Two-sided p-values are twice the smaller one-sided one, as the
# interval of Clopper and Pearson has them; binom.test adds up what is less likely instead.
options(digits = 15)

for (x in c(0, 3, 13, 27)) {
  exact <- binom.test(x, 30, 0.25)
  greater <- binom.test(x, 30, 0.25, alternative = "greater")
  less <- binom.test(x, 30, 0.25, alternative = "less")
  score <- suppressWarnings(prop.test(x, 30, 0.25, correct = FALSE))
  cat(x, "of 30, p", 2 * min(less$p.value, greater$p.value), "less", less$p.value, "\n")
  cat("  Clopper-Pearson", exact$conf.int, "one-sided", less$conf.int[2], "\n")
  cat("  Wilson", score$conf.int, "\n")
  cat("  Jeffreys", qbeta(c(0.025, 0.975), x + 0.5, 30 - x + 0.5), "\n")
}

first <- c(1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30)
second <- c(0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29)
d <- first - second
for (alternative in c("two.sided", "greater")) {
  found <- binom.test(sum(d > 0), length(d), alternative = alternative)
  cat("sign test", alternative, found$p.value, "\n")
}
