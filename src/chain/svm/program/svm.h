// What the Solana virtual machine hands a program: its input, and the syscalls that this one makes. Every structure has the
// layout that the machine's C interface prescribes.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;
typedef _Bool bool;
#define true 1
#define false 0

typedef union {
  u8 bytes[32];
  u64 words[4];
} Key;

static __attribute__((noinline)) bool sameKey(const Key *a, const Key *b) {
  return a->words[0] == b->words[0] && a->words[1] == b->words[1] && a->words[2] == b->words[2] && a->words[3] == b->words[3];
}

// An account of the instruction. Key, owner, lamports, length and data point into the input; what another program changes in a
// call shows there afterwards.
typedef struct {
  const Key *key;
  const Key *owner;
  u64 *lamports;
  u64 *length;
  u8 *data;
  u64 rentEpoch;
  bool signer;
  bool writable;
  bool executable;
} Account;

#define ACCOUNTS_MAX 8

typedef struct {
  Account accounts[ACCOUNTS_MAX];
  u64 accountCount;
  const u8 *data;
  u64 dataLength;
  const Key *program;
} Input;

// The serialised head of an account; its data follow.
typedef struct {
  u8 duplicateOf;
  bool signer;
  bool writable;
  bool executable;
  u32 padding;
  Key key;
  Key owner;
  u64 lamports;
  u64 length;
} AccountHead;

#define NOT_A_DUPLICATE 0xff
#define SPARE_BYTES 10240

// Reads the input; false when it has more accounts than any instruction takes.
static bool readInput(u8 *at, Input *input) {
  input->accountCount = *(u64 *)at;
  at += 8;
  if (input->accountCount > ACCOUNTS_MAX) return false;
  for (u64 i = 0; i < input->accountCount; i++) {
    AccountHead *head = (AccountHead *)at;
    Account *account = &input->accounts[i];
    if (head->duplicateOf != NOT_A_DUPLICATE) {
      *account = input->accounts[head->duplicateOf];
      at += 8;
      continue;
    }
    account->key = &head->key;
    account->owner = &head->owner;
    account->lamports = &head->lamports;
    account->length = &head->length;
    account->data = at + sizeof(AccountHead);
    account->signer = head->signer;
    account->writable = head->writable;
    account->executable = head->executable;
    at += sizeof(AccountHead) + ((head->length + SPARE_BYTES + 7) & ~7ull);
    account->rentEpoch = *(u64 *)at;
    at += 8;
  }
  input->dataLength = *(u64 *)at;
  input->data = at + 8;
  input->program = (const Key *)(input->data + input->dataLength);
  return true;
}

typedef struct {
  const void *bytes;
  u64 length;
} Seed;

typedef struct {
  const Seed *seeds;
  u64 count;
} SignerSeeds;

typedef struct {
  const Key *key;
  bool writable;
  bool signer;
} AccountMeta;

typedef struct {
  const Key *program;
  const AccountMeta *accounts;
  u64 accountCount;
  const void *data;
  u64 dataLength;
} Instruction;

typedef struct {
  const Key *key;
  u64 *lamports;
  u64 length;
  u8 *data;
  const Key *owner;
  u64 rentEpoch;
  bool signer;
  bool writable;
  bool executable;
} AccountInfo;

typedef struct {
  u64 lamportsPerByteYear;
  // An IEEE double; the machine has no floating point.
  u64 exemptionThresholdBits;
  u8 burnPercent;
} Rent;

u64 sol_invoke_signed_c(const Instruction *, const AccountInfo *, u64 infoCount, const SignerSeeds *, u64 signerCount);
u64 sol_try_find_program_address(const Seed *, u64 seedCount, const Key *program, Key *address, u8 *bump);
typedef struct {
  u64 slot;
  i64 epochStartS;
  u64 epoch;
  u64 leaderScheduleEpoch;
  i64 unixS;
} Clock;

u64 sol_get_rent_sysvar(Rent *);
u64 sol_get_clock_sysvar(Clock *);
