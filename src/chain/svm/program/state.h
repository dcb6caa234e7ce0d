// The accounts that the vault owns, as they lie in memory and on the chain (little endian, no gaps), and how they are read.
// Only this program writes accounts that it owns, and it makes each kind at one address only: owner, length and tag prove one.
#pragma once
#include "errors.h"

// "vConfig1", "vUserAc1" and "vPositn1" in bytes.
#define CONFIG_TAG 0x316769666e6f4376ull
#define USER_TAG 0x3163417265735576ull
#define POSITION_TAG 0x316e7469736f5076ull

// One, at PDA ["config"].
typedef struct {
  u64 tag;
  Key operator;
  // The token account that holds all USDC of the vault; its authority is this account.
  Key vault;
  // Fees that the house has earned and not collected.
  u64 houseMicros;
  // All balances, pots, escrows and the house.
  u64 owedMicros;
  // Of the last collection: number, amount, and the token account that it went to.
  u64 collectSequence;
  u64 collectedMicros;
  Key collectedTo;
  // How many there have been, of all wallets.
  u64 deposits;
  u8 bump;
  u8 padding[7];
} Config;

// At PDA ["user", wallet].
typedef struct {
  u64 tag;
  Key wallet;
  u64 balanceMicros;
  // Of the last deposit or withdrawal: number, amount, and which of the two it was, as the instruction's tag.
  u64 sequence;
  u64 lastMicros;
  // Before this second of Unix time the operator may trade for the wallet.
  i64 delegatedUntilS;
  u8 lastTag;
  u8 padding[7];
} User;

#define NOT_DELEGATED_S 0
// No second comes after it.
#define DELEGATED_S 0x7fffffffffffffffll
// How long before its end the wallet has to say so: trades that the service knows of reach the chain within it.
#define DELEGATION_NOTICE_S 86400

enum PositionState { OPEN = 1, LOST = 2, WON = 3, VOID = 4, BOUGHT_BACK = 5 };

#define FLAG_FEE_ON_MAKER 1
#define FLAG_FEE_ON_TRANSFER 2
#define ALL_FLAGS 3

// At PDA ["position", id]. It stays when the position is over, so that its id is never used again.
typedef struct {
  u64 tag;
  Key id;
  // Wallets.
  Key holder;
  Key backer;
  u64 stakeMicros;
  u64 riskMicros;
  u64 takerFeeMicros;
  // What the holder's profit is counted from.
  u64 basisMicros;
  // Of the buyback that ended it.
  u64 priceMicros;
  // How often it was transferred, and at what price the last time.
  u64 transfers;
  u64 transferMicros;
  u16 takerFeeBps;
  u16 profitFeeBps;
  u8 flags;
  u8 state;
  u8 padding[2];
} Position;

_Static_assert(sizeof(Config) == 152 && sizeof(User) == 80 && sizeof(Position) == 168, "layout.ts counts on these sizes");

static u64 checkOwn(const Input *input, const Account *account, u64 length, u64 tag) {
  require(sameKey(account->owner, input->program), WRONG_OWNER);
  require(*account->length == length && *(const u64 *)account->data == tag, WRONG_TYPE);
  return 0;
}

static u64 readConfig(const Input *input, const Account *account, Config **config) {
  attempt(checkOwn(input, account, sizeof(Config), CONFIG_TAG));
  *config = (Config *)account->data;
  return 0;
}

static u64 readUser(const Input *input, const Account *account, User **user) {
  attempt(checkOwn(input, account, sizeof(User), USER_TAG));
  require(account->writable, NOT_WRITABLE);
  *user = (User *)account->data;
  return 0;
}

static u64 readPosition(const Input *input, const Account *account, Position **position) {
  attempt(checkOwn(input, account, sizeof(Position), POSITION_TAG));
  require(account->writable, NOT_WRITABLE);
  *position = (Position *)account->data;
  return 0;
}

static u64 readNow(i64 *nowS) {
  Clock clock;
  attempt(sol_get_clock_sysvar(&clock));
  *nowS = clock.unixS;
  return 0;
}

static bool isDelegated(const User *user, i64 nowS) {
  return nowS < user->delegatedUntilS;
}

static u64 checkDelegated(const User *one, const User *other) {
  i64 nowS;
  attempt(readNow(&nowS));
  require(isDelegated(one, nowS), NOT_DELEGATED);
  require(isDelegated(other, nowS), NOT_DELEGATED);
  return 0;
}

static u64 checkOperator(const Config *config, const Account *account) {
  require(account->signer, NOT_SIGNER);
  require(sameKey(account->key, &config->operator), WRONG_OPERATOR);
  return 0;
}
