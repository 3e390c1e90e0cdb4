# Quade's test by quade.test: hand lotion (its example, Conover, 1999, section 5.8) and
# the times to round first base, which have ties: in hundredths of a second, since among
# 0.15, 0.1500000000000004 and so on quade.test finds none.
options(digits = 15)
source("rounding_times.R")

sold <- matrix(c(
  5, 4, 7, 10, 12, 1, 3, 1, 0, 2, 16, 12, 22, 22, 35, 5, 4, 3, 5, 4,
  10, 9, 7, 13, 10, 19, 18, 28, 37, 58, 10, 7, 6, 8, 7
), nrow = 7, byrow = TRUE)

for (x in list(sold, round(100 * rounding_times))) {
  found <- quade.test(x)
  cat("F", found$statistic, "df", found$parameter, "p", found$p.value, "\n")
}
