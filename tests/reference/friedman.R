# Friedman's test by friedman.test; Iman and Davenport's F and Kendall's W from it.
options(digits = 15)
source("rounding_times.R")

x <- rounding_times
n <- nrow(x)
k <- ncol(x)
found <- friedman.test(x)
chi2 <- unname(found$statistic)
f <- (n - 1) * chi2 / (n * (k - 1) - chi2)

cat("chi2", chi2, "\n")
cat("p of chi2", found$p.value, "\n")
cat("F", f, "\n")
cat("p of F", pf(f, k - 1, (k - 1) * (n - 1), lower.tail = FALSE), "\n")
cat("Kendall's W", chi2 / (n * (k - 1)), "\n")
