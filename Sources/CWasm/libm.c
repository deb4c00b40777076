/* Logarithms and powers for modules without a C library. They are computed in double-double arithmetic of about 100
   bits and rounded once: in every browser, all but one in a billion results are the nearest double. Rounded to float, a
   result is the same as that of every good C library. */
#include <stdint.h>
#include "CWasm.h"

/* A double-double: high + low, where |low| is at most half a unit in the last place of high. */
typedef struct pair {
  double high, low;
} pair;

static const pair LN2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
static const pair INVERSE_LN10 = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};

/* a + b exactly (Knuth's two-sum). */
static pair sum(double a, double b) {
  double high = a + b, part = high - a;
  return (pair){high, (a - (high - part)) + (b - part)};
}

/* a + b exactly where |a| ≥ |b| (Dekker's fast two-sum). */
static pair fast_sum(double a, double b) {
  double high = a + b;
  return (pair){high, b - (high - a)};
}

/* a b exactly (Dekker's product, with Veltkamp's split). */
static pair product(double a, double b) {
  const double cut = 134217729; /* 2^27 + 1 */
  double ca = cut * a, ah = ca - (ca - a), al = a - ah, cb = cut * b, bh = cb - (cb - b), bl = b - bh, high = a * b;
  return (pair){high, ((ah * bh - high) + ah * bl + al * bh) + al * bl};
}

static pair add(pair a, pair b) {
  pair s = sum(a.high, b.high), t = sum(a.low, b.low);
  s = fast_sum(s.high, s.low + t.high);
  return fast_sum(s.high, s.low + t.low);
}

static pair times(pair a, pair b) {
  pair p = product(a.high, b.high);
  return fast_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

/* a / b, by long division in three steps. */
static pair quotient(pair a, pair b) {
  double first = a.high / b.high;
  pair rest = add(a, times(b, (pair){-first, 0}));
  double second = rest.high / b.high;
  rest = add(rest, times(b, (pair){-second, 0}));
  return add(fast_sum(first, second), (pair){rest.high / b.high, 0});
}

/* x × 2^power. Large powers are applied in steps: 2^power may overflow where the product does not. */
static double scaled(double x, int power) {
  for (; power > 1000; power -= 1000) x *= 0x1p1000;
  for (; power < -1000; power += 1000) x *= 0x1p-1000;
  union {
    uint64_t bits;
    double number;
  } factor = {(uint64_t)(power + 1023) << 52};
  return x * factor.number;
}

/* The natural logarithm of a finite x = m 2^power above 0, with m in √½…√2: power ln 2 + 2 (s + s³/3 + s⁵/5 + …), where
   s = (m − 1) / (m + 1). */
static pair logarithm(double x) {
  union {
    double number;
    uint64_t bits;
  } parts = {x};
  int power = 0;
  if (parts.bits >> 52 == 0) {
    parts.number *= 0x1p54;
    power = -54;
  }
  power += (int)(parts.bits >> 52) - 1023;
  parts.bits = (parts.bits & 0xfffffffffffffull) | 0x3ff0000000000000ull;
  if (parts.number > 1.4142135623730951) {
    parts.number *= 0.5;
    power++;
  }
  pair s = quotient(sum(parts.number, -1), sum(parts.number, 1)), square = times(s, s), series = {0, 0};
  for (int i = 43; i >= 3; i -= 2) series = times(square, add(series, quotient((pair){1, 0}, (pair){i, 0})));
  series = times(s, add(series, (pair){1, 0}));
  return add(times(LN2, (pair){power, 0}), (pair){2 * series.high, 2 * series.low});
}

/* e^x; 0 or infinity where a double cannot hold it. x = k ln 2 + r; the Taylor series gives e^(r / 64), which is
   squared six times. */
static double exponential(pair x) {
  if (!(x.high > -745.2)) return x.high != x.high ? x.high : 0;
  if (x.high > 709.8) return __builtin_inf();
  double k = __builtin_rint(x.high * 1.4426950408889634);
  pair r = add(x, times(LN2, (pair){-k, 0})), series = {0, 0};
  r = (pair){r.high / 64, r.low / 64};
  for (int i = 16; i >= 1; i--) series = times(quotient(r, (pair){i, 0}), add(series, (pair){1, 0}));
  /* (1 + y)² − 1 = 2y + y²: squaring without the 1 keeps the precision of the small y. */
  for (int i = 0; i < 6; i++) series = add((pair){2 * series.high, 2 * series.low}, times(series, series));
  series = add(series, (pair){1, 0});
  return scaled(series.high + series.low, (int)k);
}

double exp(double x) { return exponential((pair){x, 0}); }

double log10(double x) {
  if (!(x > 0)) return x == 0 ? -__builtin_inf() : __builtin_nan("");
  if (x == __builtin_inf()) return x;
  pair result = times(logarithm(x), INVERSE_LN10);
  return result.high + result.low;
}

/* Returns NaN for a negative base, which no caller has. */
double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (base != base || exponent != exponent || base < 0) return __builtin_nan("");
  if (base == 0) return exponent > 0 ? 0 : __builtin_inf();
  if (base == __builtin_inf()) return exponent > 0 ? base : 0;
  pair x = logarithm(base);
  /* The result is certainly beyond the range of doubles. */
  if (__builtin_fabs(x.high * exponent) > 800) return x.high * exponent > 0 ? __builtin_inf() : 0;
  return exponential(times(x, (pair){exponent, 0}));
}
