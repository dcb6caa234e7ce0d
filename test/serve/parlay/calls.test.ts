import { Keypair, MessageV0, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { type Call, isMisshapen, readCall } from '../../../src/serve/parlay/calls.ts'
import { signatureOfTransaction } from '../../../src/serve/parlay/signedTransaction.ts'
import { base58 } from '../../../src/venue/parlay/wire/identity.ts'
import { routes, shapes } from './profile.ts'

const ID = '0b8e1c1e-7c1a-8a3b-9d2e-5f60718293a4'
type Json = Readonly<Record<string, unknown>>

/** Reads a call of a route: the call, or the places of its issues. */
function read(name: string, body?: unknown, { query = {}, params = { id: ID } }: { query?: Record<string, string | string[]>; params?: Record<string, string> } = {}): Call | string[] {
  const route = routes.find((one) => one.name === name)!
  const bytes = body === undefined ? null : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
  const call = readCall(route, shapes, { params: route.params === null ? {} : params, query, body: bytes })
  return isMisshapen(call) ? call.issues.map(({ path }) => path.join('.')) : call
}
const isRight = (...call: Parameters<typeof read>): boolean => !Array.isArray(read(...call))

const LEG = { market_ticker: 'A', side: 'yes' }
const REQUEST = { legs: [LEG, LEG], bet_amount: 25 }
const COMMIT = { expected_version: 1, displayed_quote_id: 'q', displayed_quote_book_seq: 0, min_payout_odds_seen: 1.0001 }
const QUOTE = { request_version: 1, request_hash: 'h', payout_odds: 4 }
const BID = { price_micro: 1 }
const without = (body: Json, name: string): Json => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
const legs = (count: number): unknown[] => Array.from({ length: count }, () => LEG)

describe.each([['createQuoteRequest', 'PQ-165', 'PQ-355'], ['updateQuoteRequest', 'PQ-168', 'PQ-370']])('the body of %s', (name, needs, refuses) => {
  it(`${needs} has legs and a bet`, () => {
    expect(read(name, REQUEST)).toMatchObject({ body: REQUEST, rawBody: REQUEST })
  })

  it.each(['legs', 'bet_amount'])(`${needs} needs %s`, (field) => {
    expect(read(name, without(REQUEST, field))).toEqual([field])
  })

  it.each<[number, boolean]>([[0, false], [1, false], [2, true], [5, true], [6, false]])(`${refuses} with %i legs is in shape: %s`, (count, isInShape) => {
    expect(read(name, { ...REQUEST, legs: legs(count) })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['legs'])
  })

  it.each<[unknown, boolean]>([
    [0.999999, false], [1, true], [25.5, true], [99.999999, true], [100, true], [100.000001, false], [25.1234567, false], ['25', false], [null, false],
    [-25, false], [1e300, false],
  ])(`${refuses} with a bet of %j is in shape: %s`, (bet, isInShape) => {
    expect(read(name, { ...REQUEST, bet_amount: bet })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['bet_amount'])
  })

  it.each<[string, Json, string]>([
    ['PQ-048', { side: 'yes' }, 'legs.1.market_ticker'], ['PQ-048', { market_ticker: '', side: 'yes' }, 'legs.1.market_ticker'],
    ['PQ-048', { market_ticker: 7, side: 'yes' }, 'legs.1.market_ticker'], ['PQ-049', { market_ticker: 'A' }, 'legs.1.side'],
    ['PQ-049', { market_ticker: 'A', side: 'YES' }, 'legs.1.side'], ['PQ-049', { market_ticker: 'A', side: true }, 'legs.1.side'],
    ['PQ-050', { ...LEG, venue: 'venue_c' }, 'legs.1.venue'], ['PQ-050', { ...LEG, venue: null }, 'legs.1.venue'],
  ])('%s names the second leg and its field: %j', (_, leg, place) => {
    expect(read(name, { ...REQUEST, legs: [LEG, leg] })).toEqual([place])
  })

  it('PQ-466 names every field that is wrong, of several legs', () => {
    expect(read(name, { legs: [{ side: 'no' }, 'A', { ...LEG, venue: 'x' }], bet_amount: '1' })).toEqual(['legs.0.market_ticker', 'legs.1', 'legs.2.venue', 'bet_amount'])
  })

  it.each([undefined, '', '{', '[]', '7', 'null', '"legs"'])('PQ-343 is a JSON object, which %j is not', (body) => {
    expect(read(name, body)).toEqual([''])
  })

  it('PQ-003 PQ-050 may name either venue, and other fields are passed over', () => {
    const two = { legs: [{ ...LEG, venue: 'venue_a', note: 1 }, { ...LEG, venue: 'venue_b' }], bet_amount: 1, memo: 'mine' }
    expect(read(name, two)).toMatchObject({ body: { legs: two.legs, bet_amount: 1 }, rawBody: two })
  })
})

describe('the id in a path', () => {
  it.each(['updateQuoteRequest', 'readQuoteRequest', 'cancelQuoteRequest'])('PQ-179 of %s is a UUID', (name) => {
    const body = name === 'updateQuoteRequest' ? REQUEST : undefined
    expect(isRight(name, body)).toBe(true)
    expect(isRight(name, body, { params: { id: ID.toUpperCase() } })).toBe(true)
    for (const id of ['7', 'x'.repeat(36), ID.slice(1), `${ID}0`]) expect(read(name, body, { params: { id } })).toEqual(['id'])
  })

  it('PQ-090 of a position is 64 lowercase hex digits', () => {
    expect(isRight('readMakerPosition', undefined, { params: { id: 'ab'.repeat(32) } })).toBe(true)
    for (const id of ['AB'.repeat(32), 'ab'.repeat(31), ID]) expect(read('readMakerPosition', undefined, { params: { id } })).toEqual(['id'])
  })
})

describe('the body of a commit', () => {
  it.each([
    ['PQ-170', 'expected_version'], ['PQ-171', 'displayed_quote_id'], ['PQ-172', 'displayed_quote_book_seq'], ['PQ-366', 'min_payout_odds_seen'],
  ])('%s needs %s', (_, field) => {
    expect(read('commitQuoteRequest', COMMIT)).toMatchObject({ body: COMMIT })
    expect(read('commitQuoteRequest', without(COMMIT, field))).toEqual([field])
  })

  it.each<[string, string, unknown]>([
    ['PQ-170', 'expected_version', 1.5], ['PQ-170', 'expected_version', '1'], ['PQ-170', 'expected_version', 0], ['PQ-171', 'displayed_quote_id', 7],
    ['PQ-172', 'displayed_quote_book_seq', 0.5], ['PQ-172', 'displayed_quote_book_seq', -1], ['PQ-172', 'displayed_quote_book_seq', '0'],
    ['PQ-366', 'min_payout_odds_seen', 1.00009], ['PQ-366', 'min_payout_odds_seen', '2'], ['PQ-366', 'exclude_mm_ids', 'mm'],
    ['PQ-366', 'exclude_mm_ids', Array.from({ length: 1025 }, () => 'mm')],
  ])('%s refuses %s: %j', (_, field, value) => {
    expect(read('commitQuoteRequest', { ...COMMIT, [field]: value })).toEqual([field])
  })

  it('PQ-467 takes a floor with any number of decimals, and one that no odds reach', () => {
    for (const floor of [1.0001, 3.98765432, 1000, 5e9]) expect(isRight('commitQuoteRequest', { ...COMMIT, min_payout_odds_seen: floor })).toBe(true)
  })

  it('names as many makers as a command carries', () => {
    expect(isRight('commitQuoteRequest', { ...COMMIT, exclude_mm_ids: Array.from({ length: 1024 }, () => 'mm') })).toBe(true)
  })
})

describe('the body of a quote', () => {
  it.each(['request_version', 'request_hash', 'payout_odds'])('PQ-193 needs %s', (field) => {
    expect(read('submitQuote', QUOTE)).toMatchObject({ body: QUOTE })
    expect(read('submitQuote', without(QUOTE, field))).toEqual([field])
  })

  it.each<[number, boolean]>([[1, false], [1.0001, true], [4.25, true], [1000, true], [1000.0001, false], [4.00001, false]])(
    'PQ-205 PQ-467 with odds of %d is in shape: %s', (odds, isInShape) => {
      expect(read('submitQuote', { ...QUOTE, payout_odds: odds })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['payout_odds'])
    },
  )

  it.each<[unknown, boolean]>([[4999, false], [5000, true], [60_000, true], [60_001, false], [15_000.5, false], ['15000', false], [null, false]])(
    'PQ-413 with a validity of %j ms is in shape: %s', (validity, isInShape) => {
      expect(read('submitQuote', { ...QUOTE, expires_in_ms: validity })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['expires_in_ms'])
    },
  )

  it.each<[string, unknown]>([['nothing', undefined], ['an empty body', ''], ['{}', {}], ['a version', { request_version: 2 }], ['a hash', { request_hash: 'h' }]])(
    'PQ-196 to be withdrawn may be named by %s', (_, body) => {
      expect(isRight('withdrawQuote', body)).toBe(true)
    },
  )

  it('PQ-196 to be withdrawn has an integer version and a text as its hash', () => {
    expect(read('withdrawQuote', { request_version: '2', request_hash: 2 })).toEqual(['request_version', 'request_hash'])
  })

  it.each(['confirmQuote', 'declineQuote'])('PQ-211 of %s names the quote', (name) => {
    expect([isRight(name, { quote_id: ID }), read(name, {}), read(name)]).toEqual([true, ['quote_id'], ['']])
  })
})

describe('the body of a cash-out bid', () => {
  it.each<[string, unknown, boolean]>([
    ['PQ-385', 0, false], ['PQ-385', -1, false], ['PQ-385', 1, true], ['PQ-384', 1.5, false], ['PQ-384', '1', false], ['PQ-384', 1e16, false],
    ['PQ-384', 98_257_500, true],
  ])('%s with a price of %j is in shape: %s', (_, price, isInShape) => {
    expect(read('submitBid', { price_micro: price })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['price_micro'])
  })

  it.each<[unknown, boolean]>([[4999, false], [5000, true], [60_000, true], [60_001, false], [5000.5, false]])(
    'PQ-386 with a validity of %j ms is in shape: %s', (validity, isInShape) => {
      expect(read('submitBid', { ...BID, expires_in_ms: validity })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['expires_in_ms'])
    },
  )

  it.each(['direction', 'memo', '__proto__', 'constructor'])('PQ-387 PQ-458 has no field %s', (field) => {
    expect(read('submitBid', `{"price_micro":1,"${field}":1}`)).toEqual([field])
  })

  it.each(['{"price_micro":1', 'price_micro=1', '{"price_micro":01}'])('PQ-388 is JSON, which %s is not', (body) => {
    expect(read('submitBid', body)).toEqual([''])
  })

  it('PQ-388 has each field once', () => {
    expect(read('submitBid', '{"price_micro":1,"price_micro":2}')).toEqual([''])
  })
})

describe('the body of a movement of funds', () => {
  it.each<[string, string, unknown, boolean]>([
    ['PQ-221', 'withdraw', 0, false], ['PQ-221', 'withdraw', 0.000001, true], ['PQ-221', 'withdraw', 1_000_000, true],
    ['PQ-221', 'withdraw', 1_000_000.000001, false], ['PQ-221', 'withdraw', '5', false], ['PQ-221', 'withdraw', 0.0000005, false],
    ['PQ-247', 'deposit', 0, false], ['PQ-247', 'deposit', 0.000001, true], ['PQ-247', 'deposit', 1_000_000_000, true], ['PQ-247', 'deposit', 1_000_000_001, false],
  ])('%s of %s with an amount of %j is in shape: %s', (_, name, amount, isInShape) => {
    expect(read(name, { amount })).toEqual(isInShape ? expect.objectContaining({ query: {} }) : ['amount'])
  })

  it('PQ-248 out of the wallet has an address of the chain', () => {
    const address = Keypair.generate().publicKey.toBase58()
    expect(isRight('withdrawFromWallet', { amount: 5, address })).toBe(true)
    for (const wrong of [undefined, '', 'x', `0${address.slice(1)}`, address + address]) {
      expect(read('withdrawFromWallet', { amount: 5, address: wrong })).toEqual(['address'])
    }
  })
})

describe('a transaction that the client signed', () => {
  const from = Keypair.fromSeed(new Uint8Array(32).fill(1))
  const other = Keypair.fromSeed(new Uint8Array(32).fill(2))
  const transfer = (payer: PublicKey, signer: PublicKey): MessageV0 => new TransactionMessage({
    payerKey: payer, recentBlockhash: new PublicKey(new Uint8Array(32).fill(3)).toBase58(),
    instructions: [SystemProgram.transfer({ fromPubkey: signer, toPubkey: PublicKey.default, lamports: 1 })],
  }).compileToV0Message()
  const signedBy = (message: MessageV0, ...signers: Keypair[]): VersionedTransaction => {
    const transaction = new VersionedTransaction(message)
    transaction.sign(signers)
    return transaction
  }
  const base64 = (transaction: VersionedTransaction): string => Buffer.from(transaction.serialize()).toString('base64')
  const signed = signedBy(transfer(from.publicKey, from.publicKey), from)

  it('PQ-217 is named by its first signature, in base 58', () => {
    expect(signatureOfTransaction(base64(signed))).toBe(base58(signed.signatures[0]!))
    expect(isRight('submitTransaction', { transaction: base64(signed) })).toBe(true)
    const both = signedBy(transfer(other.publicKey, from.publicKey), from, other)
    expect(signatureOfTransaction(base64(both))).toBe(base58(both.signatures[0]!))
  })

  it('PQ-227 is refused without each signature that its message asks for', () => {
    const half = signedBy(transfer(other.publicKey, from.publicKey), other)
    const changed = Buffer.from(signed.serialize())
    changed[changed.length - 1]! ^= 1
    for (const text of ['AAAA', base64(new VersionedTransaction(transfer(from.publicKey, from.publicKey))), base64(half), changed.toString('base64')]) {
      expect(signatureOfTransaction(text)).toBe(null)
    }
  })

  it.each<[string, unknown]>([
    ['empty', ''], ['not base64', '####'], ['base64 without its padding', 'QQ'], ['a number', 7], ['left out', undefined],
    ['longer than a packet', Buffer.alloc(1233).toString('base64')], ['much longer', 'A'.repeat(200_000)],
  ])('PQ-227 is refused when it is %s', (_, transaction) => {
    expect(read('submitTransaction', { transaction })).toEqual(['transaction'])
  })
})

describe('the body of a key', () => {
  it.each<[Json, string[]]>([
    [{}, ['scopes']], [{ scopes: [] }, ['scopes']], [{ scopes: ['trading:read'] }, ['scopes.0']], [{ scopes: ['mm:quote', 'mm:quote'] }, ['scopes']],
    [{ scopes: ['mm:quote'], expires_at: 'tomorrow' }, ['expires_at']], [{ scopes: ['mm:quote'], expires_at: 1_750_000_000 }, ['expires_at']],
    [{ scopes: ['mm:quote'], label: '' }, ['label']], [{ scopes: ['mm:quote'], label: 'x'.repeat(81) }, ['label']],
  ])('PQ-250 %j is wrong in %j', (body, places) => {
    expect(read('createKey', body)).toEqual(places)
  })

  it.each<Json>([
    { scopes: ['mm:quote'] }, { scopes: ['account:read', 'keys:manage'], expires_at: null }, { scopes: ['mm:quote'], expires_at: '2026-01-01T00:00:00Z' },
    { scopes: ['mm:quote'], expires_at: '2026-01-01T00:00:00.000+02:00', label: 'x'.repeat(80) },
  ])('PQ-250 may be %j', (body) => {
    expect(isRight('createKey', body)).toBe(true)
  })
})

describe('a webhook call', () => {
  const SET = { url: 'https://example.com/hook', events: [] }

  it.each<[string, string, unknown]>([
    ['PQ-234', 'url', 'http://example.com'], ['PQ-235', 'url', 'https://10.0.0.1/'], ['PQ-234', 'url', undefined], ['PQ-236', 'events', undefined],
    ['PQ-236', 'events', ['position.settled', 'position.settled']],
  ])('%s refuses %s: %j', (_, field, value) => {
    expect(isRight('setWebhook', SET)).toBe(true)
    expect(read('setWebhook', { ...SET, [field]: value })).toEqual([field])
  })

  it('PQ-236 PQ-299 takes names of the catalogue', () => {
    const events = [
      'position.settled', 'position.cancelled', 'position.bought_back', 'position.transferred', 'parlay.status_changed', 'funds.deposited', 'funds.withdrawn',
    ]
    expect(isRight('setWebhook', { ...SET, events })).toBe(true)
    expect(read('setWebhook', { ...SET, events: [...events, 'position.opened'] })).toEqual(['events.7'])
  })

  it('PQ-307 takes three of them for a maker', () => {
    const query = { owner_kind: 'mm' }
    expect(isRight('setWebhook', { ...SET, events: ['position.settled', 'position.cancelled', 'position.bought_back'] }, { query })).toBe(true)
    for (const event of ['position.transferred', 'parlay.status_changed', 'funds.deposited', 'funds.withdrawn']) {
      expect(read('setWebhook', { ...SET, events: ['position.settled', event] }, { query })).toEqual(['events.1'])
    }
  })

  it.each(['setWebhook', 'readWebhook', 'rotateSecret', 'listDeliveries', 'redeliver'])('PQ-242 of %s has an owner_kind of user or mm, user when it is left out', (name) => {
    const body = name === 'setWebhook' ? SET : undefined
    expect(read(name, body)).toMatchObject({ query: { owner_kind: 'user' } })
    expect(read(name, body, { query: { owner_kind: 'mm' } })).toMatchObject({ query: { owner_kind: 'mm' } })
    expect(read(name, body, { query: { owner_kind: 'maker' } })).toEqual(['owner_kind'])
    expect(read(name, body, { query: { owner_kind: ['user', 'mm'] } })).toEqual(['owner_kind'])
  })
})

describe('a list', () => {
  it.each<[string, string | string[], unknown]>([
    ['0', '0', ['limit']], ['1', '1', 1], ['100', '100', 100], ['101', '101', ['limit']], ['1.5', '1.5', ['limit']], ['nothing', '', ['limit']],
    ['a text', 'all', ['limit']], ['two values', ['1', '2'], ['limit']],
  ])('PQ-451 has a limit of 1 to 100, and of %s gives %j as %j', (_, limit, expected) => {
    expect(read('listMakerQuotes', undefined, { query: { limit } })).toEqual(typeof expected === 'number' ? expect.objectContaining({ query: { limit: expected } }) : expected)
  })

  it('PQ-451 has 50 entries when no limit is given', () => {
    expect(read('listMakerQuotes')).toMatchObject({ query: { limit: 50 } })
  })

  it.each<[Record<string, string>, string[]]>([
    [{ limit: '101' }, ['limit']], [{ limit: '100', markets_per_event: '21' }, ['limit']], [{ frequency: 'other' }, ['frequency']],
    [{ subcategory: 'nba' }, ['subcategory']], [{ category: 'sports', subcategory: 'btc' }, ['subcategory']], [{ cursor: 'x' }, ['cursor']],
  ])('PQ-343 of markets, asked with %j, has issues in %j', (query, places) => {
    expect(read('listMarkets', undefined, { query })).toEqual(places)
  })

  it('PQ-161 of markets has a product of at most 2000', () => {
    expect(isRight('listMarkets', undefined, { query: { limit: '100', markets_per_event: '20' } })).toBe(true)
  })
})
