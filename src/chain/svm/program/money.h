// Sums and fees in microUSDC. Nothing wraps around.
#pragma once
#include "errors.h"

#define BPS 10000
// All of it: a fee never exceeds what it is taken from.
#define FEE_BPS_MAX 10000

static u64 sum(u64 a, u64 b, u64 *result) {
  require(a <= ~0ull - b, SUM_OVERFLOW);
  *result = a + b;
  return 0;
}

static u64 credit(u64 *balance, u64 amount) {
  return sum(*balance, amount, balance);
}

static u64 debit(u64 *balance, u64 amount) {
  require(*balance >= amount, INSUFFICIENT_BALANCE);
  *balance -= amount;
  return 0;
}

// floor(amount·bps/10000) for bps up to 10000, in two steps of which neither can wrap around.
static u64 feeOf(u64 amount, u64 bps) {
  return amount / BPS * bps + amount % BPS * bps / BPS;
}

static u64 gainOver(u64 amount, u64 basis) {
  return amount > basis ? amount - basis : 0;
}
