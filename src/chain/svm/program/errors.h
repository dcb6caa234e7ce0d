// Why the vault refuses an instruction: the number of the custom error. They begin above the numbers of the System and Token
// programs, whose own errors come through unchanged. layout.ts names the same ones.
#pragma once
#include "svm.h"

enum VaultError {
  UNKNOWN_INSTRUCTION = 100,
  WRONG_LENGTH = 101,
  WRONG_ACCOUNT_COUNT = 102,
  NOT_SIGNER = 103,
  NOT_WRITABLE = 104,
  WRONG_PROGRAM = 105,
  WRONG_OWNER = 106,
  WRONG_TYPE = 107,
  WRONG_ADDRESS = 108,
  WRONG_MINT = 109,
  WRONG_TOKEN_AUTHORITY = 110,
  UNUSABLE_TOKEN_ACCOUNT = 111,
  WRONG_OPERATOR = 112,
  WRONG_WALLET = 113,
  SAME_ACCOUNT = 114,
  BAD_VALUE = 115,
  ZERO_AMOUNT = 116,
  SUM_OVERFLOW = 117,
  INSUFFICIENT_BALANCE = 118,
  INSUFFICIENT_TOKENS = 119,
  SEQUENCE_GAP = 120,
  NOT_DELEGATED = 121,
  WRONG_FEE = 122,
  FEE_ABOVE_CAP = 123,
  PRICE_ABOVE_PAYOUT = 124,
  BUYER_IS_BACKER = 125,
  TOKENS_NOT_MOVED = 126,
  ADDRESS_TAKEN = 127,
  UNKNOWN_RENT = 128,
  POSITION_HAS_OTHER_TERMS = 129,
  POSITION_ENDED_OTHERWISE = 130,
  SEQUENCE_HAS_OTHER_TERMS = 131,

  // What was asked for has happened before.
  ALREADY_INITIALIZED = 150,
  USER_EXISTS = 151,
  SEQUENCE_DONE = 152,
  POSITION_EXISTS = 153,
  POSITION_ENDED = 154,
};

#define require(condition, error) \
  do { \
    if (!(condition)) return (error); \
  } while (0)

#define attempt(call) \
  do { \
    u64 error_ = (call); \
    if (error_ != 0) return error_; \
  } while (0)
