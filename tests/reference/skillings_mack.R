# Skillings and Mack's test, written out from its definition (Technometrics 23, 1981), on
# their example, a table with gaps. Rows have the weights sqrt(12 / (number of scores + 1)).
options(digits = 15)

skillings_mack <- function(x) {
  k <- ncol(x)
  sums <- numeric(k)
  v <- matrix(0, k, k)
  for (i in seq_len(nrow(x))) {
    here <- which(!is.na(x[i, ]))
    s <- length(here)
    if (s < 2) next
    sums[here] <- sums[here] + sqrt(12 / (s + 1)) * (rank(x[i, here]) - (s + 1) / 2)
    # Covariance of the weighted ranks of one row: 12 / (s + 1) times that of ranks 1 .. s.
    v[here, here] <- v[here, here] + s * diag(s) - matrix(1, s, s)
  }
  # One system less, since the sums add up to zero.
  statistic <- drop(sums[-k] %*% solve(v[-k, -k], sums[-k]))
  pvalue <- pchisq(statistic, k - 1, lower.tail = FALSE)
  cat("statistic", statistic, "df", k - 1, "p", pvalue, "\n")
}

# Assembly times of four methods, the example of Skillings and Mack.
skillings_mack(matrix(c(
  3.2, 4.1, 3.8, 4.2, 3.1, 3.9, 3.4, 4.0, 4.3, 3.5, 4.6, 4.8, 3.5, 3.6, 3.9, 4.0,
  3.6, 4.2, 3.7, 3.9, 4.5, 4.7, 3.7, NA, NA, 4.2, 3.4, NA, 4.3, 4.6, 4.4, 4.9,
  3.5, NA, 3.7, 3.9
), ncol = 4, byrow = TRUE))
