# What follows Friedman's and Quade's tests, written out with rank, ptukey, pnorm and pt:
# Nemenyi, Bonferroni-Dunn, the normal test of mean ranks (Demsar, 2006) and Conover's t
# (Conover, 1999, section 5.8). Every pair: out - narrow, out - wide, narrow - wide.
options(digits = 15)
source("rounding_times.R")

x <- rounding_times
n <- nrow(x)
k <- ncol(x)
pairs <- combn(k, 2)
ranks <- t(apply(x, 1, rank))
means <- colMeans(ranks)
difference <- abs(means[pairs[1, ]] - means[pairs[2, ]])
error <- sqrt(k * (k + 1) / (6 * n))
z <- difference / error
cat("mean ranks", means, "\n")
cat("z", z, "\n")
cat("p of z", 2 * pnorm(z, lower.tail = FALSE), "\n")
cat("Nemenyi p", ptukey(z * sqrt(2), k, Inf, lower.tail = FALSE), "\n")
cat("Nemenyi critical difference", qtukey(0.95, k, Inf) / sqrt(2) * error, "\n")
cat("Dunn critical difference", qnorm(1 - 0.05 / (2 * (k - 1))) * error, "\n")
cat("Dunn p against wide", pmin(1, (k - 1) * 2 * pnorm(z[2:3], lower.tail = FALSE)), "\n")

# Conover's t: sums of ranks over the square root of what their own scatter leaves.
conover <- function(sums, squares, between) {
  t <- abs(sums[pairs[1, ]] - sums[pairs[2, ]]) /
    sqrt(2 * n * (squares - between) / ((n - 1) * (k - 1)))
  list(t = t, p = 2 * pt(t, (n - 1) * (k - 1), lower.tail = FALSE))
}
found <- conover(colSums(ranks), sum(ranks^2), sum(colSums(ranks)^2) / n)
cat("Conover t after Friedman", found$t, "\n")
cat("Conover p after Friedman", found$p, "\n")
cat("Holm", p.adjust(found$p, "holm"), "\n")
# In hundredths, since rank finds no ties among 0.15, 0.1500000000000004 and so on.
ranges <- rank(round(100 * (apply(x, 1, max) - apply(x, 1, min))))
weighted <- ranges * (ranks - (k + 1) / 2)
found <- conover(colSums(weighted), sum(weighted^2), sum(colSums(weighted)^2) / n)
cat("Conover t after Quade", found$t, "\n")
cat("Conover p after Quade", found$p, "\n")
