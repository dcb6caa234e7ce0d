// Calls of the System program: how the vault makes accounts at its own addresses.
#pragma once
#include "errors.h"

static const Key SYSTEM_PROGRAM = {{0}};

static inline AccountInfo infoOf(const Account *account) {
  return (AccountInfo){
    account->key, account->lamports, *account->length, account->data, account->owner, account->rentEpoch,
    account->signer, account->writable, account->executable,
  };
}

typedef struct __attribute__((packed)) {
  u32 instruction;
  u64 lamports;
  u64 space;
  Key owner;
} SystemCreate;

typedef struct __attribute__((packed)) {
  u32 instruction;
  u64 amount;
} SystemAmount;

typedef struct __attribute__((packed)) {
  u32 instruction;
  Key owner;
} SystemAssign;

enum SystemInstruction { CREATE_ACCOUNT = 0, ASSIGN = 1, TRANSFER_LAMPORTS = 2, ALLOCATE = 8 };

#define ACCOUNT_STORAGE_BYTES 128
#define DOUBLE_1 0x3ff0000000000000ull
#define DOUBLE_2 0x4000000000000000ull

// What an account must hold to be kept: the threshold is 2 years, or 1 where the rate has taken it in (SIMD-0194).
static u64 rentFor(u64 space, u64 *lamports) {
  Rent rent;
  attempt(sol_get_rent_sysvar(&rent));
  require(rent.exemptionThresholdBits == DOUBLE_1 || rent.exemptionThresholdBits == DOUBLE_2, UNKNOWN_RENT);
  *lamports = (ACCOUNT_STORAGE_BYTES + space) * rent.lamportsPerByteYear;
  if (rent.exemptionThresholdBits == DOUBLE_2) *lamports *= 2;
  return 0;
}

// A call about one account that signs with its seeds.
static u64 callAbout(const Account *account, const void *data, u64 length, const SignerSeeds *signer) {
  AccountMeta meta = { account->key, true, true };
  AccountInfo info = infoOf(account);
  Instruction call = { &SYSTEM_PROGRAM, &meta, 1, data, length };
  return sol_invoke_signed_c(&call, &info, 1, signer, 1);
}

static u64 callPaidBy(const Account *payer, const Account *account, const void *data, u64 length, const SignerSeeds *signer) {
  AccountMeta metas[2] = { { payer->key, true, true }, { account->key, true, signer != 0 } };
  AccountInfo infos[2] = { infoOf(payer), infoOf(account) };
  Instruction call = { &SYSTEM_PROGRAM, metas, 2, data, length };
  return sol_invoke_signed_c(&call, infos, 2, signer, signer != 0);
}

// An account that the program makes at an address of its own: its seeds, of which the last is left free for the bump.
typedef struct {
  const Account *system;
  const Account *payer;
  const Account *account;
  Seed *seeds;
  u64 seedCount;
  u64 space;
  u8 bump;
} NewAccount;

// Lamports that somebody has sent there before count towards the rent: they must not keep the account from being made.
static u64 makeAccount(const Input *input, NewAccount *made) {
  const Account *payer = made->payer, *account = made->account;
  require(sameKey(made->system->key, &SYSTEM_PROGRAM), WRONG_PROGRAM);
  require(payer->signer, NOT_SIGNER);
  require(payer->writable && account->writable, NOT_WRITABLE);
  Key address;
  require(sol_try_find_program_address(made->seeds, made->seedCount - 1, input->program, &address, &made->bump) == 0, WRONG_ADDRESS);
  require(sameKey(account->key, &address), WRONG_ADDRESS);
  require(sameKey(account->owner, &SYSTEM_PROGRAM) && *account->length == 0, ADDRESS_TAKEN);
  made->seeds[made->seedCount - 1] = (Seed){ &made->bump, 1 };
  SignerSeeds signer = { made->seeds, made->seedCount };
  u64 rent;
  attempt(rentFor(made->space, &rent));

  if (*account->lamports == 0) {
    SystemCreate create = { CREATE_ACCOUNT, rent, made->space, *input->program };
    return callPaidBy(payer, account, &create, sizeof(create), &signer);
  }
  if (*account->lamports < rent) {
    SystemAmount transfer = { TRANSFER_LAMPORTS, rent - *account->lamports };
    attempt(callPaidBy(payer, account, &transfer, sizeof(transfer), 0));
  }
  SystemAmount allocate = { ALLOCATE, made->space };
  attempt(callAbout(account, &allocate, sizeof(allocate), &signer));
  SystemAssign assign = { ASSIGN, *input->program };
  return callAbout(account, &assign, sizeof(assign), &signer);
}
