// USDC: token accounts of one mint under the Token program, and how they pay each other.
#pragma once
#include "call.h"

// EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v
static const Key USDC_MINT = {{
  0xc6, 0xfa, 0x7a, 0xf3, 0xbe, 0xdb, 0xad, 0x3a, 0x3d, 0x65, 0xf3, 0x6a, 0xab, 0xc9, 0x74, 0x31,
  0xb1, 0xbb, 0xe4, 0xc2, 0xd2, 0xf6, 0xe0, 0xe4, 0x7c, 0xa6, 0x02, 0x03, 0x45, 0x2f, 0x5d, 0x61,
}};

// TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
static const Key TOKEN_PROGRAM = {{
  0x06, 0xdd, 0xf6, 0xe1, 0xd7, 0x65, 0xa1, 0x93, 0xd9, 0xcb, 0xe1, 0x46, 0xce, 0xeb, 0x79, 0xac,
  0x1c, 0xb4, 0x85, 0xed, 0x5f, 0x5b, 0x37, 0x91, 0x3a, 0x8c, 0xf5, 0x85, 0x7e, 0xff, 0x00, 0xa9,
}};

typedef struct {
  Key mint;
  Key authority;
  u64 amount;
  u8 delegateOption[4];
  u8 delegate[32];
  u8 state;
  u8 isNative[12];
  u8 delegatedAmount[8];
  u8 closeAuthorityOption[4];
  u8 closeAuthority[32];
} TokenAccount;

#define TOKEN_ACCOUNT_BYTES 165
#define TOKEN_ACCOUNT_INITIALIZED 1

// A usable USDC account; whose it is, is for the caller to check.
static u64 readTokenAccount(const Account *account, const TokenAccount **token) {
  require(sameKey(account->owner, &TOKEN_PROGRAM), WRONG_OWNER);
  require(*account->length == TOKEN_ACCOUNT_BYTES, WRONG_TYPE);
  *token = (const TokenAccount *)account->data;
  require(sameKey(&(*token)->mint, &USDC_MINT), WRONG_MINT);
  require((*token)->state == TOKEN_ACCOUNT_INITIALIZED, UNUSABLE_TOKEN_ACCOUNT);
  return 0;
}

typedef struct __attribute__((packed)) {
  u8 instruction;
  u64 amount;
} TokenTransfer;

#define TOKEN_TRANSFER 3

typedef struct {
  const Account *tokenProgram;
  const Account *from;
  const Account *to;
  const Account *authority;
  u64 amount;
} Payment;

// Moves tokens and proves that they moved. `signer` is null where the authority has signed the transaction.
static u64 moveTokens(const Payment *payment, const SignerSeeds *signer) {
  const Account *from = payment->from, *to = payment->to, *authority = payment->authority;
  const u64 amount = payment->amount;
  require(sameKey(payment->tokenProgram->key, &TOKEN_PROGRAM), WRONG_PROGRAM);
  require(from->writable && to->writable, NOT_WRITABLE);
  require(!sameKey(from->key, to->key), SAME_ACCOUNT);
  const TokenAccount *source = (const TokenAccount *)from->data;
  const TokenAccount *destination = (const TokenAccount *)to->data;
  const u64 sourceBefore = source->amount, destinationBefore = destination->amount;
  require(sourceBefore >= amount, INSUFFICIENT_TOKENS);

  TokenTransfer data = { TOKEN_TRANSFER, amount };
  AccountMeta metas[3] = { { from->key, true, false }, { to->key, true, false }, { authority->key, false, true } };
  AccountInfo infos[3] = { infoOf(from), infoOf(to), infoOf(authority) };
  Instruction transfer = { &TOKEN_PROGRAM, metas, 3, &data, sizeof(data) };
  attempt(sol_invoke_signed_c(&transfer, infos, 3, signer, signer != 0));

  require(source->amount == sourceBefore - amount && destination->amount == destinationBefore + amount, TOKENS_NOT_MOVED);
  return 0;
}
