// The vault of the parlay service: USDC of wallets in one token account, balances and positions in accounts of this program.
// docs/chain-svm.md lists accounts, instructions and checks; layout.ts and instructions.ts are the same for TypeScript.
#include "money.h"
#include "state.h"
#include "token.h"

enum InstructionTag { INITIALIZE = 0, CREATE_USER, SET_DELEGATION, DEPOSIT, WITHDRAW, OPEN_POSITION, SETTLE, BUYBACK, TRANSFER, COLLECT };

// Instruction data by tag; the first byte is the tag, the length is exact, padding is zero.
typedef struct {
  u8 tag;
  // delegated of createUser and setDelegation, the final PositionState of settle, else zero.
  u8 value;
  u8 padding[6];
} Order;

// deposit, withdraw, collect (amount), transfer (price); buyback (price) with sequence zero.
typedef struct {
  Order order;
  u64 amountMicros;
  u64 sequence;
} AmountOrder;

typedef struct {
  u8 tag;
  u8 flags;
  u16 takerFeeBps;
  u16 profitFeeBps;
  u8 padding[2];
  u64 stakeMicros;
  u64 riskMicros;
  u64 takerFeeMicros;
  Key id;
} OpenOrder;

_Static_assert(sizeof(Order) == 8 && sizeof(AmountOrder) == 24 && sizeof(OpenOrder) == 64, "instructions.ts counts on these sizes");

static u64 expect(const Input *input, u64 accounts, u64 length) {
  require(input->dataLength == length, WRONG_LENGTH);
  require(input->accountCount == accounts, WRONG_ACCOUNT_COUNT);
  return 0;
}

// The second byte of an order that has nothing else to say.
static u64 readValue(const Input *input, u8 *value) {
  const u64 word = *(const u64 *)input->data;
  require(word >> 16 == 0, BAD_VALUE);
  *value = (u8)(word >> 8);
  return 0;
}

static u64 readAmount(const Input *input, const AmountOrder **order) {
  u8 value;
  attempt(readValue(input, &value));
  require(value == 0, BAD_VALUE);
  *order = (const AmountOrder *)input->data;
  require((*order)->amountMicros > 0, ZERO_AMOUNT);
  return 0;
}

// Each step carries the number that follows the last. The last one sent again is done, another one under its number contradicts it;
// of older steps nothing is known but that their numbers are spent.
static u64 checkSequence(u64 given, u64 last, bool isLast) {
  require(given != last || isLast, SEQUENCE_HAS_OTHER_TERMS);
  require(given > last, SEQUENCE_DONE);
  require(given == last + 1, SEQUENCE_GAP);
  return 0;
}

// Accounts: payer (signs, writable), operator (signs), the program itself (signs), config (writable), vault tokens, system program.
// Whoever deployed the program has its key; nobody else can name an operator.
static u64 initialize(Input *input) {
  attempt(expect(input, 6, sizeof(Order)));
  u8 value;
  attempt(readValue(input, &value));
  require(value == 0, BAD_VALUE);
  const Account *payer = &input->accounts[0], *operator = &input->accounts[1], *self = &input->accounts[2];
  const Account *config = &input->accounts[3], *vault = &input->accounts[4], *system = &input->accounts[5];
  require(operator->signer && self->signer, NOT_SIGNER);
  require(sameKey(self->key, input->program), WRONG_PROGRAM);
  if (sameKey(config->owner, input->program)) {
    Config *existing;
    attempt(readConfig(input, config, &existing));
    require(sameKey(&existing->operator, operator->key), WRONG_OPERATOR);
    require(sameKey(&existing->vault, vault->key), WRONG_ADDRESS);
    return ALREADY_INITIALIZED;
  }

  const TokenAccount *tokens;
  attempt(readTokenAccount(vault, &tokens));
  require(sameKey(&tokens->authority, config->key), WRONG_TOKEN_AUTHORITY);
  for (int i = 0; i < 4; i++) require(tokens->delegateOption[i] == 0 && tokens->closeAuthorityOption[i] == 0, UNUSABLE_TOKEN_ACCOUNT);

  Seed seeds[2] = { { "config", 6 } };
  NewAccount new = { system, payer, config, seeds, 2, sizeof(Config), 0 };
  attempt(makeAccount(input, &new));
  Config *made = (Config *)config->data;
  made->tag = CONFIG_TAG;
  made->operator = *operator->key;
  made->vault = *vault->key;
  made->bump = new.bump;
  return 0;
}

// Accounts: payer (signs, writable), wallet (signs), user (writable), system program.
static u64 createUser(Input *input) {
  attempt(expect(input, 4, sizeof(Order)));
  u8 delegated;
  attempt(readValue(input, &delegated));
  require(delegated <= 1, BAD_VALUE);
  const Account *payer = &input->accounts[0], *wallet = &input->accounts[1], *account = &input->accounts[2];
  require(wallet->signer, NOT_SIGNER);
  if (sameKey(account->owner, input->program)) {
    User *existing;
    attempt(readUser(input, account, &existing));
    require(sameKey(&existing->wallet, wallet->key), WRONG_WALLET);
    return USER_EXISTS;
  }

  Seed seeds[3] = { { "user", 4 }, { wallet->key, 32 } };
  NewAccount new = { &input->accounts[3], payer, account, seeds, 3, sizeof(User), 0 };
  attempt(makeAccount(input, &new));
  User *user = (User *)account->data;
  user->tag = USER_TAG;
  user->wallet = *wallet->key;
  user->delegatedUntilS = delegated ? DELEGATED_S : NOT_DELEGATED_S;
  return 0;
}

static u64 readUserOf(const Input *input, const Account *account, const Account *wallet, User **user) {
  require(wallet->signer, NOT_SIGNER);
  attempt(readUser(input, account, user));
  require(sameKey(&(*user)->wallet, wallet->key), WRONG_WALLET);
  return 0;
}

// Accounts: wallet (signs), user (writable). What is given holds at once, what is taken back after the notice: else a wallet could
// see a trade of the service coming that has turned bad, and withdraw what it is to be paid with.
static u64 setDelegation(Input *input) {
  attempt(expect(input, 2, sizeof(Order)));
  u8 delegated;
  attempt(readValue(input, &delegated));
  require(delegated <= 1, BAD_VALUE);
  User *user;
  attempt(readUserOf(input, &input->accounts[1], &input->accounts[0], &user));
  i64 nowS;
  attempt(readNow(&nowS));
  const i64 endS = nowS + DELEGATION_NOTICE_S;
  if (delegated) user->delegatedUntilS = DELEGATED_S;
  else if (user->delegatedUntilS > endS) user->delegatedUntilS = endS;
  return 0;
}

// A deposit or withdrawal as the next step of its wallet.
static u64 checkStep(const User *user, const AmountOrder *order) {
  const bool isLast = user->lastTag == order->order.tag && user->lastMicros == order->amountMicros;
  return checkSequence(order->sequence, user->sequence, isLast);
}

static void keepStep(User *user, const AmountOrder *order) {
  user->sequence = order->sequence;
  user->lastMicros = order->amountMicros;
  user->lastTag = order->order.tag;
}

// The wallet's own USDC account: not one that the wallet may merely spend from.
static u64 checkWalletTokens(const Account *account, const Account *wallet) {
  const TokenAccount *tokens;
  attempt(readTokenAccount(account, &tokens));
  require(sameKey(&tokens->authority, wallet->key), WRONG_TOKEN_AUTHORITY);
  return 0;
}

static u64 readWritableConfig(const Input *input, const Account *account, Config **config) {
  attempt(readConfig(input, account, config));
  require(account->writable, NOT_WRITABLE);
  return 0;
}

// Accounts: wallet (signs), user (writable), config (writable), the wallet's tokens (writable), vault tokens (writable), token program.
static u64 deposit(Input *input) {
  attempt(expect(input, 6, sizeof(AmountOrder)));
  const AmountOrder *order;
  attempt(readAmount(input, &order));
  const Account *wallet = &input->accounts[0], *from = &input->accounts[3], *vault = &input->accounts[4];
  User *user;
  Config *config;
  attempt(readUserOf(input, &input->accounts[1], wallet, &user));
  attempt(readWritableConfig(input, &input->accounts[2], &config));
  require(sameKey(vault->key, &config->vault), WRONG_ADDRESS);
  attempt(checkStep(user, order));
  attempt(checkWalletTokens(from, wallet));
  const Payment payment = { &input->accounts[5], from, vault, wallet, order->amountMicros };
  attempt(moveTokens(&payment, 0));

  attempt(credit(&user->balanceMicros, order->amountMicros));
  attempt(credit(&config->owedMicros, order->amountMicros));
  config->deposits++;
  keepStep(user, order);
  return 0;
}

// Pays out of the vault's tokens, which the config account signs for.
static u64 payOut(Config *config, const Payment *payment) {
  require(sameKey(payment->from->key, &config->vault), WRONG_ADDRESS);
  const Seed seeds[2] = { { "config", 6 }, { &config->bump, 1 } };
  const SignerSeeds signer = { seeds, 2 };
  attempt(moveTokens(payment, &signer));
  return debit(&config->owedMicros, payment->amount);
}

// Accounts: wallet (signs), operator (signs while delegated), user (writable), config (writable), the wallet's tokens (writable),
// vault tokens (writable), token program. Part of a delegated balance may be reserved for trades that the operator knows of.
static u64 withdraw(Input *input) {
  attempt(expect(input, 7, sizeof(AmountOrder)));
  const AmountOrder *order;
  attempt(readAmount(input, &order));
  const Account *wallet = &input->accounts[0], *to = &input->accounts[4];
  User *user;
  Config *config;
  attempt(readUserOf(input, &input->accounts[2], wallet, &user));
  attempt(readWritableConfig(input, &input->accounts[3], &config));
  i64 nowS;
  attempt(readNow(&nowS));
  if (isDelegated(user, nowS)) attempt(checkOperator(config, &input->accounts[1]));
  attempt(checkStep(user, order));
  attempt(checkWalletTokens(to, wallet));
  attempt(debit(&user->balanceMicros, order->amountMicros));
  const Payment payment = { &input->accounts[6], &input->accounts[5], to, &input->accounts[3], order->amountMicros };
  attempt(payOut(config, &payment));
  keepStep(user, order);
  return 0;
}

// Whether an existing position was opened on the same terms; who held it first is no longer known once it was transferred.
static bool isSameOpening(const Position *position, const OpenOrder *order, const User *holder, const User *backer) {
  return position->stakeMicros == order->stakeMicros && position->riskMicros == order->riskMicros
    && position->takerFeeMicros == order->takerFeeMicros && position->takerFeeBps == order->takerFeeBps
    && position->profitFeeBps == order->profitFeeBps && position->flags == order->flags
    && sameKey(&position->backer, &backer->wallet) && (position->transfers > 0 || sameKey(&position->holder, &holder->wallet));
}

static u64 checkTerms(const OpenOrder *order) {
  require((order->flags & ~ALL_FLAGS) == 0 && order->padding[0] == 0 && order->padding[1] == 0, BAD_VALUE);
  require(order->takerFeeBps <= FEE_BPS_MAX && order->profitFeeBps <= FEE_BPS_MAX, FEE_ABOVE_CAP);
  require(order->stakeMicros > 0, ZERO_AMOUNT);
  u64 payout, gross, all;
  attempt(sum(order->stakeMicros, order->riskMicros, &payout));
  attempt(sum(order->stakeMicros, order->takerFeeMicros, &gross));
  attempt(sum(gross, order->riskMicros, &all));
  require(order->takerFeeMicros == feeOf(gross, order->takerFeeBps), WRONG_FEE);
  return 0;
}

// Accounts: payer (signs, writable), operator (signs), config, position (writable), holder and backer (users, writable), system program.
// Holder and backer may be one user, who may quote its own request: both debits then find the same balance.
static u64 openPosition(Input *input) {
  attempt(expect(input, 7, sizeof(OpenOrder)));
  const OpenOrder *order = (const OpenOrder *)input->data;
  const Account *payer = &input->accounts[0], *account = &input->accounts[3];
  Config *config;
  User *holder, *backer;
  attempt(readConfig(input, &input->accounts[2], &config));
  attempt(checkOperator(config, &input->accounts[1]));
  attempt(readUser(input, &input->accounts[4], &holder));
  attempt(readUser(input, &input->accounts[5], &backer));
  if (sameKey(account->owner, input->program)) {
    Position *existing;
    attempt(readPosition(input, account, &existing));
    require(sameKey(&existing->id, &order->id), WRONG_ADDRESS);
    return isSameOpening(existing, order, holder, backer) ? POSITION_EXISTS : POSITION_HAS_OTHER_TERMS;
  }

  attempt(checkDelegated(holder, backer));
  attempt(checkTerms(order));
  attempt(debit(&holder->balanceMicros, order->stakeMicros + order->takerFeeMicros));
  attempt(debit(&backer->balanceMicros, order->riskMicros));

  Seed seeds[3] = { { "position", 8 }, { &order->id, 32 } };
  NewAccount new = { &input->accounts[6], payer, account, seeds, 3, sizeof(Position), 0 };
  attempt(makeAccount(input, &new));
  Position *position = (Position *)account->data;
  position->tag = POSITION_TAG;
  position->id = order->id;
  position->holder = holder->wallet;
  position->backer = backer->wallet;
  position->stakeMicros = order->stakeMicros;
  position->riskMicros = order->riskMicros;
  position->takerFeeMicros = order->takerFeeMicros;
  position->basisMicros = order->stakeMicros;
  position->takerFeeBps = order->takerFeeBps;
  position->profitFeeBps = order->profitFeeBps;
  position->flags = order->flags;
  position->state = OPEN;
  return 0;
}

// A position that the operator acts on, with its holder and another party.
typedef struct {
  Config *config;
  Position *position;
  User *holder;
  User *other;
} Trade;

// Accounts of settle, buyback and transfer: operator (signs), config, position, holder and other party (users), all writable but the first.
static u64 readTrade(Input *input, Trade *trade) {
  attempt(readWritableConfig(input, &input->accounts[1], &trade->config));
  attempt(checkOperator(trade->config, &input->accounts[0]));
  attempt(readPosition(input, &input->accounts[2], &trade->position));
  attempt(readUser(input, &input->accounts[3], &trade->holder));
  return readUser(input, &input->accounts[4], &trade->other);
}

static u64 checkParties(const Trade *trade) {
  require(sameKey(&trade->holder->wallet, &trade->position->holder), WRONG_WALLET);
  require(sameKey(&trade->other->wallet, &trade->position->backer), WRONG_WALLET);
  return 0;
}

// Pays the pot and the escrow out, in full.
static u64 payAll(Trade *trade, u64 toHolder, u64 toBacker, u64 toHouse) {
  attempt(credit(&trade->holder->balanceMicros, toHolder));
  attempt(credit(&trade->other->balanceMicros, toBacker));
  return credit(&trade->config->houseMicros, toHouse);
}

static u64 settle(Input *input) {
  attempt(expect(input, 5, sizeof(Order)));
  u8 outcome;
  attempt(readValue(input, &outcome));
  require(outcome == LOST || outcome == WON || outcome == VOID, BAD_VALUE);
  Trade trade;
  attempt(readTrade(input, &trade));
  Position *position = trade.position;
  require(position->state != outcome, POSITION_ENDED);
  require(position->state == OPEN, POSITION_ENDED_OTHERWISE);
  attempt(checkParties(&trade));

  const u64 stake = position->stakeMicros, risk = position->riskMicros, takerFee = position->takerFeeMicros;
  const u64 payout = stake + risk;
  position->state = outcome;
  if (outcome == VOID) return payAll(&trade, stake + takerFee, risk, 0);
  if (outcome == WON) {
    const u64 fee = feeOf(gainOver(payout, position->basisMicros), position->profitFeeBps);
    return payAll(&trade, payout - fee, 0, fee + takerFee);
  }
  const u64 fee = position->flags & FLAG_FEE_ON_MAKER ? feeOf(stake, position->profitFeeBps) : 0;
  return payAll(&trade, 0, payout - fee, fee + takerFee);
}

// The backer takes the position back: the holder gets the price out of the pot, less the fee on its profit, the backer the rest.
static u64 buyback(Input *input) {
  attempt(expect(input, 5, sizeof(AmountOrder)));
  const AmountOrder *order;
  attempt(readAmount(input, &order));
  require(order->sequence == 0, BAD_VALUE);
  Trade trade;
  attempt(readTrade(input, &trade));
  Position *position = trade.position;
  const u64 price = order->amountMicros;
  require(!sameKey(&trade.holder->wallet, &trade.other->wallet), SAME_ACCOUNT);
  require(position->state != BOUGHT_BACK || position->priceMicros != price, POSITION_ENDED);
  require(position->state == OPEN, POSITION_ENDED_OTHERWISE);
  attempt(checkParties(&trade));
  attempt(checkDelegated(trade.holder, trade.other));
  const u64 stake = position->stakeMicros;
  const u64 payout = stake + position->riskMicros;
  require(price <= payout, PRICE_ABOVE_PAYOUT);

  const u64 fee = feeOf(gainOver(price, position->basisMicros), position->profitFeeBps);
  const u64 makerFee = position->flags & FLAG_FEE_ON_MAKER ? feeOf(gainOver(stake, price), position->profitFeeBps) : 0;
  position->state = BOUGHT_BACK;
  position->priceMicros = price;
  return payAll(&trade, price - fee, payout - price - makerFee, fee + makerFee + position->takerFeeMicros);
}

// Another maker takes the position over; pot and escrow stay.
static u64 transfer(Input *input) {
  attempt(expect(input, 5, sizeof(AmountOrder)));
  const AmountOrder *order;
  attempt(readAmount(input, &order));
  Trade trade;
  attempt(readTrade(input, &trade));
  Position *position = trade.position;
  User *seller = trade.holder, *buyer = trade.other;
  const u64 price = order->amountMicros;
  require(!sameKey(&seller->wallet, &buyer->wallet), SAME_ACCOUNT);
  const bool isLast = position->transferMicros == price && sameKey(&position->holder, &buyer->wallet);
  attempt(checkSequence(order->sequence, position->transfers, isLast));
  require(position->state == OPEN, POSITION_ENDED_OTHERWISE);
  require(sameKey(&seller->wallet, &position->holder), WRONG_WALLET);
  require(!sameKey(&buyer->wallet, &position->backer), BUYER_IS_BACKER);
  attempt(checkDelegated(seller, buyer));
  require(price <= position->stakeMicros + position->riskMicros, PRICE_ABOVE_PAYOUT);

  const bool feeOnTransfer = (position->flags & FLAG_FEE_ON_TRANSFER) != 0;
  const u64 fee = feeOnTransfer ? feeOf(gainOver(price, position->basisMicros), position->profitFeeBps) : 0;
  attempt(debit(&buyer->balanceMicros, price));
  attempt(credit(&seller->balanceMicros, price - fee));
  attempt(credit(&trade.config->houseMicros, fee));
  if (feeOnTransfer) position->basisMicros = price;
  position->holder = buyer->wallet;
  position->transfers = order->sequence;
  position->transferMicros = price;
  return 0;
}

// Accounts: operator (signs), config (writable), vault tokens (writable), any USDC account (writable), token program.
static u64 collect(Input *input) {
  attempt(expect(input, 5, sizeof(AmountOrder)));
  const AmountOrder *order;
  attempt(readAmount(input, &order));
  Config *config;
  attempt(readWritableConfig(input, &input->accounts[1], &config));
  attempt(checkOperator(config, &input->accounts[0]));
  const bool isLast = config->collectedMicros == order->amountMicros && sameKey(&config->collectedTo, input->accounts[3].key);
  attempt(checkSequence(order->sequence, config->collectSequence, isLast));
  const TokenAccount *destination;
  attempt(readTokenAccount(&input->accounts[3], &destination));
  attempt(debit(&config->houseMicros, order->amountMicros));
  const Payment payment = {
    &input->accounts[4], &input->accounts[2], &input->accounts[3], &input->accounts[1], order->amountMicros,
  };
  attempt(payOut(config, &payment));
  config->collectSequence = order->sequence;
  config->collectedMicros = order->amountMicros;
  config->collectedTo = *input->accounts[3].key;
  return 0;
}

u64 entrypoint(u8 *serialized) {
  Input input;
  require(readInput(serialized, &input), WRONG_ACCOUNT_COUNT);
  require(input.dataLength >= sizeof(Order), WRONG_LENGTH);
  switch (input.data[0]) {
    case INITIALIZE: return initialize(&input);
    case CREATE_USER: return createUser(&input);
    case SET_DELEGATION: return setDelegation(&input);
    case DEPOSIT: return deposit(&input);
    case WITHDRAW: return withdraw(&input);
    case OPEN_POSITION: return openPosition(&input);
    case SETTLE: return settle(&input);
    case BUYBACK: return buyback(&input);
    case TRANSFER: return transfer(&input);
    case COLLECT: return collect(&input);
    default: return UNKNOWN_INSTRUCTION;
  }
}
