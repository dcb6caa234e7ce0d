import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { MarketResult } from '../../../../src/market/sides.ts'
import { ParlayFault, ParlayOp } from '../../../../src/venue/parlay/protocol/commands.ts'
import { WORLD_START_US } from '../../../engine/world.ts'
import { LEGS, NO_ID, ParlayBench, SECOND, type Served, type Who } from './bench.ts'

const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function base58(bytes: Uint8Array): string {
  let [rest, text] = [BigInt(`0x${Buffer.from(bytes).toString('hex')}`), '']
  for (; rest > 0n; rest /= 58n) text = DIGITS[Number(rest % 58n)]! + text
  return text
}

/** An operator's inputs so many seconds after the begin. */
const withInputs = (...inputs: readonly { atS: number; op: number; market?: number; value?: number; value2?: number }[]): Served => ({
  operator: (planned) => [...planned, ...inputs.map(({ atS, market = -1, ...input }) => ({ atUs: WORLD_START_US + atS * SECOND, market, ...input }))].toSorted((a, b) => a.atUs - b.atUs),
})
const money = (b: ParlayBench, path: string, body: object, as: Who = 'bettor') => b.call('POST', path, { as, body })
const faulty = (value: number): Served => withInputs({ atS: 1, op: ParlayOp.setFault, value, value2: 1 })

describe('GET /v1/portfolio', () => {
  it('PQ-212 PQ-071 PQ-072 has balances, statistics, counts and a summary', () => {
    const b = new ParlayBench()
    b.fill()
    const { status, body: { data } } = b.call('GET', '/v1/portfolio', { as: 'bettor' })
    expect([status, data]).toEqual([200, {
      balance: { gross_balance: 75, locked_collateral: 0, free_balance: 75, vault_pda: expect.any(String), vault_token_account: expect.any(String) },
      stats: { total_parlays: 1, wins: 0, losses: 0, total_wagered: 25, realized_pnl: 0, updated_at: '2025-06-15T15:06:41.004000Z' },
      counts: { open: 0, quoted: 0, accepted: 0, confirmed: 0, executed: 1, total_settled: 0, total_cancelled: 0, total_expired: 0, total_failed: 0 },
      summary: { active_count: 1, active_bet_total: 25, portfolio_value: 100 },
    }])
    expect(b.call('GET', '/v1/portfolio', { as: 'ours' }).body.data.balance).toMatchObject({ gross_balance: 1000, locked_collateral: 74.25, free_balance: 925.75 })
    expect(b.call('GET', '/v1/portfolio').status).toBe(401)
  })
})

describe('parlays', () => {
  it('PQ-255 PQ-256 are listed from their creation to after their end, the newest first', () => {
    const b = new ParlayBench(withInputs({ atS: 5, op: ParlayOp.resolveMarket, market: 0, value: MarketResult.yes }, { atS: 5, op: ParlayOp.resolveMarket, market: 8, value: MarketResult.no }))
    const { rfq_id, quote_id } = b.fill()
    b.request('bettor', [{ market_ticker: 'M16', side: 'yes' }, LEGS[1]], 5)
    b.pass(10 * SECOND)
    const list = (query = '') => b.call('GET', `/v1/parlays${query}`, { as: 'bettor' }).body.data.parlays.map((parlay: { status: string; bet_amount: number }) => [parlay.status, parlay.bet_amount])
    expect([list(), list('?status=settled'), list('?status=failed')]).toEqual([[['open', 5], ['settled', 25]], [['settled', 25]], []])
    b.pass(300 * SECOND)
    expect(b.call('GET', `/v1/parlays/${rfq_id}`, { as: 'bettor' }).body.data.parlay).toMatchObject({
      rfq_id, status: 'settled', accepted_quote_id: quote_id, payout_odds: 4, user_stake: 24.75, total_payout: 99, outcome: 'won', received: 98.2575, profit_fee: 0.7425,
    })
    expect(b.call('GET', '/v1/parlays?status=gone', { as: 'bettor' }).body.error.details.issues[0].path).toEqual(['status'])
  })

  it('PQ-288 another’s is not found, as one of nothing', () => {
    const b = new ParlayBench()
    const { rfq_id } = b.fill()
    const read = (as: Who, id: string) => b.call('GET', `/v1/parlays/${id}`, { as })
    expect([read('bettor', rfq_id).status, read('rich', rfq_id).status, read('ours', rfq_id).body.error.code, read('bettor', NO_ID).status, read('nobody', rfq_id).status])
      .toEqual([200, 404, 'NOT_FOUND', 404, 401])
  })
})

describe('the vault', () => {
  it.each([['PQ-215 PQ-075', '/v1/vault/deposit', 110.5], ['PQ-213 PQ-076', '/v1/vault/withdraw', 89.5]])('%s %s moves USDC', (_, path, after) => {
    const b = new ParlayBench()
    const { status, body: { data } } = money(b, path, { amount: 10.5 })
    expect([status, data]).toEqual([200, { tx_signature: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/), amount: 10.5, status: 'completed' }])
    expect(b.call('GET', '/v1/portfolio', { as: 'bettor' }).body.data.balance.gross_balance).toBe(after)
  })

  it('PQ-216 PQ-248 a wallet withdrawal says where to', () => {
    const address = '1'.repeat(32)
    const { status, body: { data } } = money(new ParlayBench(), '/v1/wallet/withdraw', { amount: 1, address })
    expect([status, data.address, data.amount]).toEqual([200, address, 1])
  })

  it.each<[string, string, object]>([
    ['PQ-221', '/v1/vault/withdraw', { amount: 0 }], ['PQ-214', '/v1/vault/withdraw', { amount: 1_000_000.000001 }], ['PQ-221', '/v1/vault/withdraw', { amount: '1' }],
    ['PQ-247', '/v1/vault/deposit', {}], ['PQ-248', '/v1/wallet/withdraw', { amount: 1 }], ['PQ-248', '/v1/wallet/withdraw', { amount: 1, address: '0x00' }],
  ])('%s %s refuses %j', (_, path, body) => {
    expect(money(new ParlayBench(), path, body).status).toBe(400)
  })

  it('PQ-219 PQ-220 refuses more than is free, and a key without the scope', () => {
    const b = new ParlayBench()
    expect(money(b, '/v1/vault/withdraw', { amount: 100.000001 }).body.error.details.reason).toBe('insufficient_funds')
    const { key } = b.call('POST', '/v1/api-keys', { jwt: 'good-bettor', body: { scopes: ['funds:deposit'] } }).body.data
    expect([b.call('POST', '/v1/vault/withdraw', { key, body: { amount: 1 } }).status, b.call('POST', '/v1/vault/deposit', { key, body: { amount: 1 } }).status]).toEqual([403, 200])
  })

  it('PQ-225 is 503 while the chain is off', () => {
    const b = new ParlayBench(faulty(ParlayFault.chainDisabled))
    for (const path of ['/v1/vault/withdraw', '/v1/vault/deposit']) expect(money(b, path, { amount: 1 }).body.error.code).toBe('SERVICE_UNAVAILABLE')
  })

  it.each([['PQ-083', ParlayFault.chainUnclear, 'chain_pending'], ['PQ-083', ParlayFault.mirrorBehind, 'balance_pending']])(
    '%s PQ-084 a deposit can be pending, and a withdrawal then is an error', (_, fault, status) => {
      const deposit = money(new ParlayBench(faulty(fault)), '/v1/vault/deposit', { amount: 1 })
      const withdrawal = money(new ParlayBench(faulty(fault)), '/v1/vault/withdraw', { amount: 1 })
      expect([deposit.status, deposit.body.data.status, withdrawal.status, withdrawal.body.error.details.reason]).toEqual([200, status, 503, 'recovery_pending'])
    })
})

describe('a wallet withdrawal that fails', () => {
  const send = (b: ParlayBench, amount: number) => {
    const { status, body: { error } } = b.call('POST', '/v1/wallet/withdraw', { as: 'bettor', body: { amount, address: '1'.repeat(32) } })
    return [status, error.code, error.details?.reason]
  }

  it.each<[string, Served, number, unknown[]]>([
    ['more than is free', {}, 100.000001, [400, 'VALIDATION_ERROR', 'insufficient_funds']],
    ['the chain is off', faulty(ParlayFault.chainDisabled), 1, [503, 'SERVICE_UNAVAILABLE', 'chain_disabled']],
    ['its outcome is not clear yet', faulty(ParlayFault.chainUnclear), 1, [503, 'SERVICE_UNAVAILABLE', 'recovery_pending']],
  ])('PQ-409 PQ-353 fails as one out of the vault does: %s', (_, served, amount, answer) => {
    expect(send(new ParlayBench(served), amount)).toEqual(answer)
  })

  const grossOf = (b: ParlayBench): number => b.call('GET', '/v1/portfolio', { as: 'bettor' }).body.data.balance.gross_balance

  it('PQ-224 PQ-351 is 500 where nothing has happened, out of the vault as well', () => {
    const b = new ParlayBench(faulty(ParlayFault.withdrawalFails))
    expect(money(b, '/v1/vault/withdraw', { amount: 1 })).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR', details: { reason: 'withdrawal_failed' } } } })
    expect([send(b, 1), grossOf(b)]).toEqual([[500, 'INTERNAL_ERROR', 'withdrawal_failed'], 100])
  })

  it('PQ-352 is 502 where the vault did its part: details say what the wallet has, and the balance is less by as much', () => {
    const b = new ParlayBench(faulty(ParlayFault.walletFails))
    const { status, body } = b.call('POST', '/v1/wallet/withdraw', { as: 'bettor', body: { amount: 12.5, address: '1'.repeat(32) } })
    expect([status, body.error.code, body.error.details]).toEqual([502, 'PARTIAL_VAULT_ONLY', { reason: 'wallet_transfer_failed', tx_signature: expect.any(String), amount: 12.5 }])
    expect(grossOf(b)).toBe(87.5)
    expect(money(b, '/v1/vault/withdraw', { amount: 1 }).status).toBe(200)
  })
})

describe('POST /v1/wallet/submit-tx', () => {
  const payer = Keypair.fromSeed(new Uint8Array(32).fill(1))
  const transaction = new VersionedTransaction(new TransactionMessage({
    payerKey: payer.publicKey, recentBlockhash: '1'.repeat(32), instructions: [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 })],
  }).compileToV0Message())
  const submit = (asked: object) => new ParlayBench().call('POST', '/v1/wallet/submit-tx', asked)

  it('PQ-217 PQ-227 PQ-228 takes a signed transaction, and answers with its signature', () => {
    const unsigned = Buffer.from(transaction.serialize()).toString('base64')
    transaction.sign([payer])
    const signed = Buffer.from(transaction.serialize()).toString('base64')
    const { status, body: { data } } = submit({ jwt: 'good-bettor', body: { transaction: signed } })
    expect([status, data.signature]).toEqual([200, expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)])
    expect([submit({ jwt: 'good-bettor', body: { transaction: unsigned } }).status, submit({ body: { transaction: signed } }).status, submit({ as: 'bettor', body: { transaction: signed } }).status])
      .toEqual([400, 401, 403])
  })

  it('PQ-227 PQ-225 says what is wrong with a transaction in its issues, the chain being on or off', () => {
    const wrong = Buffer.from(transaction.serialize())
    wrong[wrong.length - 1]! ^= 1
    const text = wrong.toString('base64')
    for (const served of [{}, faulty(ParlayFault.chainDisabled)]) {
      const { status, body: { error } } = new ParlayBench(served).call('POST', '/v1/wallet/submit-tx', { jwt: 'good-bettor', body: { transaction: text } })
      expect([status, error.code, error.details.issues]).toEqual([400, 'VALIDATION_ERROR', [{ path: ['transaction'], message: 'a signed transaction of the chain is expected, in base64' }]])
    }
  })

  it('PQ-444 PQ-228 is not looked into before its credential and its cap', () => {
    const text = Buffer.from(transaction.serialize()).toString('base64')
    const b = new ParlayBench()
    // Each signature that is verified takes a key.
    const looked = vi.spyOn(crypto, 'createPublicKey')
    syncBuiltinESMExports()
    try {
      const status = (asked: object): number => b.call('POST', '/v1/wallet/submit-tx', { ...asked, body: { transaction: text } }).status
      expect([status({}), status({ jwt: 'bad' }), status({ as: 'bettor' }), looked.mock.calls.length]).toEqual([401, 401, 403, 0])
      for (let i = 0; i < 10; i++) status({ jwt: 'good-rich' })
      const { length } = looked.mock.calls
      // The one signature of each call is verified once.
      expect([length, status({ jwt: 'good-rich' }), looked.mock.calls.length]).toEqual([10, 429, 10])
    } finally {
      looked.mockRestore()
      syncBuiltinESMExports()
    }
  })

  it('PQ-226 a browser that signed in by its JWT hands in what its wallet signed, and learns what to look for on the chain', () => {
    transaction.sign([payer])
    const { body: { data } } = submit({ jwt: 'good-bettor', body: { transaction: Buffer.from(transaction.serialize()).toString('base64') } })
    expect(data).toEqual({ signature: base58(transaction.signatures[0]!) })
  })

  it('PQ-262 PQ-140 the JWT moves money of the vault as a key with the scopes does', () => {
    const b = new ParlayBench()
    const { key } = b.call('POST', '/v1/api-keys', { jwt: 'good-bettor', body: { scopes: ['funds:deposit', 'funds:withdraw', 'tx:sign'] } }).body.data
    transaction.sign([payer])
    const calls = [['/v1/vault/deposit', { amount: 1 }], ['/v1/vault/withdraw', { amount: 1 }], ['/v1/wallet/submit-tx', { transaction: Buffer.from(transaction.serialize()).toString('base64') }]] as const
    for (const [path, body] of calls) {
      expect([path, ...[{ jwt: 'good-bettor' }, { key }, { jwt: 'bad' }, {}].map((asked) => b.call('POST', path, { ...asked, body }).status)]).toEqual([path, 200, 200, 401, 401])
    }
  })
})
