import { Resolve, SetFault } from '../venue/contract.ts'
import { ChannelBit, ReadRoute as OutcomeRoute, SCOPE_NAMES as OUTCOME_SCOPES, StreamFlag } from '../venue/outcome/protocol/access.ts'
import * as outcome from '../venue/outcome/protocol/commands.ts'
import { ReadRoute as ParlayRoute, SCOPE_NAMES as PARLAY_SCOPES } from '../venue/parlay/protocol/access.ts'
import * as parlay from '../venue/parlay/protocol/commands.ts'
import { OwnerKind, WEBHOOK_EVENT_NAMES } from '../venue/parlay/protocol/webhooks.ts'
import { OUTCOME_COLUMNS, PARLAY_COLUMNS } from './journalFields.ts'

/** A field that commands of an opcode have, and where its row of the journal has it. */
export interface OpcodeField {
  /** A column of the journal; of a field without one `more`, where it stands as `field=value`. */
  readonly column: string
  /** The field's name in the protocol. */
  readonly field: string
  readonly about: string
}

/** What a command of an opcode asks for. */
export interface Opcode {
  readonly service: 'parlay' | 'outcome'
  readonly op: string
  readonly about: string
  readonly fields: readonly OpcodeField[]
}

/** By the field's name. A kind's own names of `value` and `value2` stand in `named`. */
type Fields = Readonly<Record<string, string>>
type Described<Op extends string> = Readonly<Record<Op, readonly [about: string, fields?: Fields]>>

const numbers = (of: Readonly<Record<string, number>>): string => Object.keys(of).map((name) => `${of[name]!} ${name}`).join(', ')
const bits = (names: readonly string[]): string => names.map((name, bit) => `${2 ** bit} ${name}`).join(', ')
/** What `value` and `value2` hold, by the names that the kind gives them. */
const named = <N extends string>(kind: Readonly<Record<N, string>>, about: Readonly<Record<N, string>>): Fields =>
  Object.fromEntries((Object.keys(kind) as N[]).map((name) => [`${kind[name]}:${name}`, about[name]]))

const MARKET = { market: 'number of the market' }
const ON_OFF = '1 on, 0 off'
const LEGS = { legs: 'legs asked for, 1 YES and 0 NO' }
const FEE = 'hundredths of a per cent'
const PRODUCT = "the maker's own product of the legs' prices, which the service never sees"

const PARLAY: Described<keyof typeof parlay.ParlayOp> = {
  listMarket: ['the operator lists a market, or changes its close', { ...MARKET, closeUs: 'announced close, µs', list: 'numbers of its exclusion keys' }],
  haltMarket: ['the operator halts trading on a market', MARKET],
  resumeMarket: ['the operator lets trading go on', MARKET],
  delistMarket: ['the operator takes a market off the list', MARKET],
  resolveMarket: ['the operator gives a market its result', { ...MARKET, ...named(Resolve, { result: '0 NO, 1 YES, 2 void' }) }],
  setFees: ['the operator sets fee rates for what is made from then on', named(parlay.SetFees, { takerFeeBps: FEE, profitFeeBps: FEE })],
  setFault: ['the operator switches a fault', named(SetFault, { fault: numbers(parlay.ParlayFault), isOn: ON_OFF })],
  setWallet: ["the operator puts an account's wallet on record, or takes it off", named(parlay.SetWallet, { walletOf: 'account number', isOnRecord: '1 on record, 0 not' })],
  setDeliveries: ['the operator switches the webhook deliveries of an account', named(parlay.SetDeliveries, { deliveriesOf: 'account number', isOn: ON_OFF })],
  deposit: ['money comes into a vault', { amountMicros: 'amount', ...named(parlay.Deposit, { token: `${numbers(parlay.Token)}; null: usdc` }) }],
  withdraw: ['an account takes money out of its vault', { amountMicros: 'amount' }],
  walletWithdraw: ['the same, to an external address', { amountMicros: 'amount' }],
  submitTransaction: ['an account sends a transaction that it signed itself'],
  createRequest: ['a bettor asks for quotes', { ...LEGS, betMicros: 'gross bet' }],
  updateRequest: ['a bettor changes its request', { request: 'request', ...LEGS, betMicros: 'gross bet' }],
  cancelRequest: ['a bettor takes its request back', { request: 'request' }],
  commitRequest: ['a bettor takes the best quote', {
    request: 'request', version: 'version that it saw', quote: 'quote that it saw, which decides nothing', bookSeq: "the book's count that it saw, which decides nothing",
    oddsE4: 'the lowest odds that it takes', list: 'account numbers of makers that it does not take',
  }],
  openCashout: ['the holder of a position opens a cash-out auction', { position: 'position' }],
  cancelCashout: ['the seller ends its auction', { auction: 'auction' }],
  commitCashout: ['the seller takes the best bid', { auction: 'auction', amountMicros: 'the lowest price that it takes; null: any' }],
  submitQuote: ['a maker quotes', {
    request: 'request', version: 'version that it saw', contentTag: 'fingerprint of the legs and the bet that it saw', oddsE4: 'odds', validMs: 'validity; null: the default',
    memoE9: "the maker's fair probability F, which the service never sees", productE9: PRODUCT,
  }],
  withdrawQuote: ['a maker takes its quote back', { request: 'request', version: 'version that it saw; null: the current one', contentTag: 'fingerprint that it saw; null: the current one' }],
  confirmSelection: ['a maker confirms in its last look', { request: 'request', quote: 'selected quote' }],
  declineSelection: ['a maker declines in its last look', { request: 'request', quote: 'selected quote' }],
  submitBid: ['a maker bids in a cash-out auction', { auction: 'auction', amountMicros: 'price', validMs: 'validity; null: the default', memoE9: "the maker's fair probability F, which the service never sees", productE9: PRODUCT }],
  createKey: ['an account makes a key', { closeUs: 'end of the key, µs; null: none', ...named(parlay.CreateKey, { scopes: `sum of ${bits(PARLAY_SCOPES)}` }) }],
  revokeKey: ['an account revokes a key', named(parlay.RevokeKey, { keyNumber: 'number of the key among all keys' })],
  setEndpoint: ['an account sets its webhook endpoint', named(parlay.SetEndpoint, { ownerKind: numbers(OwnerKind), events: `sum of ${bits(WEBHOOK_EVENT_NAMES)}; 0 parks it` })],
  rotateSecret: ["an account makes its endpoint's signing secret, or the next one", named(parlay.RotateSecret, { ownerKind: numbers(OwnerKind) })],
  redeliver: ['an account asks for an ended delivery again', named(parlay.Redeliver, { delivery: 'delivery', ownerKind: `${numbers(OwnerKind)}; null: user` })],
  openStream: ['a maker opens its stream'],
  closeStream: ["a maker's stream ends"],
  read: ['an account reads, which counts against its limits', named(parlay.Read, { route: numbers(ParlayRoute) })],
  answerDelivery: ['the world answers a webhook delivery', {
    version: 'attempt', ...named(parlay.AnswerDelivery, { delivery: 'delivery', status: 'HTTP status, 0 a network error' }),
  }],
}

const OUTCOME_MARKET = { outcome: 'number of the outcome' }
const SIGNED = { signer: 'account number, or number of a key, that signed', termsTag: 'fingerprint of the terms that were signed' }
const VALID = { validAfterS: 'the signature holds from, Unix seconds', validBeforeS: 'and ends, Unix seconds' }
const KEY = { ...named(outcome.IssueKey, { scopes: `sum of ${bits(OUTCOME_SCOPES)}`, scopeCount: 'how many scopes were sent' }), validMs: 'letters of its label', expiryDays: 'days until its end; null: none' }
const SUBPROTOCOL = { version: 'subprotocol' }

const OUTCOME: Described<keyof typeof outcome.OutcomeOp> = {
  listOutcome: ['the operator lists an outcome, or changes its close', { ...OUTCOME_MARKET, closeUs: 'announced close, µs', list: 'its outcome_id, nine decimal digits in each number, the highest first' }],
  haltOutcome: ['the operator halts trading on an outcome', OUTCOME_MARKET],
  resumeOutcome: ['the operator lets trading go on', OUTCOME_MARKET],
  delistOutcome: ['the operator takes an outcome off the list', OUTCOME_MARKET],
  resolveOutcome: ['the operator gives an outcome its result', { ...OUTCOME_MARKET, ...named(Resolve, { result: '0 NO, 1 YES, 2 void' }) }],
  setFees: ['the operator sets fee rates for quotes made from then on', named(outcome.SetFees, { takerFeeBps: FEE, feeBps: FEE })],
  setFault: ['the operator switches a fault', named(SetFault, { fault: numbers(outcome.OutcomeFault), isOn: ON_OFF })],
  bindAccount: ['the operator gives an account its role', named(outcome.BindAccount, { bound: 'account number', role: numbers(outcome.AccountRole) })],
  drain: ['the replica drains, and its streams close, or it no longer does', named(outcome.Drain, { isDraining: '1 it drains, 0 it does not' })],
  resnapshot: ['streams of a channel close, as their state must be read again', named(outcome.Resnapshot, { channel: numbers(ChannelBit) })],
  deposit: ["money comes to a participant's balance, or to a maker's capital", { amountMicros: 'amount' }],
  withdraw: ['a participant takes money out', { amountMicros: 'amount', exitUntilS: 'end of the Exit, Unix seconds; null: no Exit', ...VALID, ...SIGNED }],
  reduceCollateral: ['a maker lowers its collateral', { amountMicros: 'amount', ...VALID, ...SIGNED }],
  setSigner: ["a maker sets its quotes' signer", named(outcome.SetSigner, { signer: 'number of the signer' })],
  createRfq: ['a taker asks for quotes', { ...LEGS, stakeMicros: 'stake' }],
  cancelRfq: ['a taker takes its RFQ back', { rfq: 'RFQ' }],
  openCashout: ['the holder of a position opens a cash-out RFQ', { position: 'position' }],
  acceptQuote: ['a taker, or a seller, accepts a quote', {
    quote: 'quote', generation: 'generation that it saw; null: whichever', coreMicros: 'part of the stake out of the core wallet', ...VALID, ...SIGNED,
  }],
  submitQuote: ['a maker quotes', {
    rfq: 'RFQ', generation: 'generation that it saw; null: whichever', payoutMicros: 'payout; of a cash-out the price', expiryS: 'end of the quote, Unix seconds', ...SIGNED,
    memoE9: "the maker's fair probability F, which the service never sees", productE9: PRODUCT,
  }],
  cancelQuote: ['a maker takes its quote back', { quote: 'quote' }],
  confirmQuote: ['a maker confirms in its last look', { quote: 'accepted quote', ...SIGNED }],
  declineQuote: ['a maker declines in its last look', { quote: 'accepted quote' }],
  signIn: ['an account signs in with a wallet', named(outcome.SignIn, { recordedOrigin: 'as origin' })],
  signOut: ['an account ends its session'],
  challengeKey: ['an account asks for the challenge of a new key', KEY],
  issueKey: ['an account makes a key', { ...KEY, challenge: 'number of the challenge', ...SIGNED }],
  revokeKey: ['an account revokes a key', named(outcome.RevokeKey, { keyNumber: 'number of the key among all keys' })],
  openStream: ['an account opens a stream', { cursor: 'where the stream goes on; null: with a snapshot', ...SUBPROTOCOL, ...named(outcome.OpenStream, { channels: `sum of ${numbers(ChannelBit)}`, flags: `sum of ${numbers(StreamFlag)}` }) }],
  openMarketStream: ['anyone opens the public stream of prices', { cursor: 'where the stream goes on; null: with a snapshot', ...SUBPROTOCOL, list: 'numbers of outcomes', ...named(outcome.OpenMarketStream, { flags: `sum of ${numbers(StreamFlag)}` }) }],
  closeStream: ['the client of a stream goes away', named(outcome.CloseStream, { stream: 'number of the stream' })],
  applyStream: ['the world says how far a client has read its stream', { cursor: 'how far', ...named(outcome.ApplyStream, { stream: 'number of the stream' }) }],
  read: ['an account reads, which counts against its limits', { cursor: 'where the page begins; null: the first', ...named(outcome.Read, { route: numbers(OutcomeRoute), pageLimit: 'items of a page; null: 50' }) }],
}

/** Fields that a command of any opcode can have. */
export const COMMON_FIELDS: Readonly<Record<Opcode['service'], Fields>> = {
  parlay: { account: 'account number of the sender', credential: 'credential number', source: 'source address number' },
  outcome: {
    account: 'account number of the sender', credential: 'number of a session or a key; 0: the app itself, −2: a malformed one; null: none', source: 'source address number',
    origin: 'number of the Origin header, −2 several; null: none', key: 'idempotency key, −2 a malformed one; null: none',
    cursor: 'of a command with a key the fingerprint of the call that it was made of; null: it was made in the session',
  },
}

const fieldsOf = (fields: Fields, columns: ReadonlyMap<string, string>): OpcodeField[] => Object.keys(fields).map((key) => {
  const [cell, name] = key.split(':')
  const column = ['legs', 'list'].includes(cell!) ? cell! : columns.get(cell!) ?? 'more'
  // In `more` a field stands by its own name, and not by that of its kind.
  return { column, field: column === 'more' ? cell! : name ?? cell!, about: column === 'more' && name !== undefined ? `${name}: ${fields[key]!}` : fields[key]! }
})

/** Every opcode of both services, with the fields of its commands and where the journal has them. */
export function opcodes(): Opcode[] {
  const described = (service: Opcode['service'], of: Described<string>, columns: readonly (readonly [string, string])[]): Opcode[] => {
    const columnOf = new Map(columns)
    return Object.keys(of).map((op) => {
      const [about, fields = {}] = of[op]!
      return { service, op, about, fields: fieldsOf(fields, columnOf) }
    })
  }
  return [...described('parlay', PARLAY, PARLAY_COLUMNS), ...described('outcome', OUTCOME, OUTCOME_COLUMNS)]
}

/** The same fields of every command of a service. */
export const commonFields = (service: Opcode['service']): OpcodeField[] =>
  fieldsOf(COMMON_FIELDS[service], new Map<string, string>(service === 'parlay' ? PARLAY_COLUMNS : OUTCOME_COLUMNS))
