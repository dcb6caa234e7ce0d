import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js'
import { is, like, sees } from '../expect.ts'
import type { Area } from '../rules.ts'
import { INSTANT, UUID } from '../world.ts'
import { NO_ID, type World } from './world.ts'

const VAULT = '/v1/vault'
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,90}$/
const ADDRESS = '1'.repeat(32)
const INVALID = { error: { code: 'VALIDATION_ERROR' } }
const COUNTS = ['open', 'quoted', 'accepted', 'confirmed', 'executed', 'total_settled', 'total_cancelled', 'total_expired', 'total_failed']

function transaction(isSigned: boolean): string {
  const payer = Keypair.fromSeed(new Uint8Array(32).fill(7))
  const made = new VersionedTransaction(new TransactionMessage({
    payerKey: payer.publicKey, recentBlockhash: ADDRESS, instructions: [SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 })],
  }).compileToV0Message())
  if (isSigned) made.sign([payer])
  return Buffer.from(made.serialize()).toString('base64')
}

export const MONEY: Area<World> = {
  name: 'money', service: 'parlay', session: 'parlay',
  rows: [
    ['PQ-212', 'a portfolio is read', async (w) => { sees(await w.as('b23').get('/v1/portfolio'), 200, { data: { balance: Object, stats: Object, counts: Object, summary: Object } }) }],
    ['PQ-071', 'it has balances and the addresses of a vault', async (w) => {
      sees(await w.as('b23').get('/v1/portfolio'), 200, { data: { balance: { gross_balance: 1000, locked_collateral: 0, free_balance: 1000, vault_pda: BASE58, vault_token_account: BASE58 } } })
    }],
    ['PQ-072', 'it has statistics', async (w) => {
      const name = w.mine
      const stats = async () => sees(await w.as(name).get('/v1/portfolio'), 200).data.stats
      const before = await stats()
      await w.fill(name)
      like(await stats(), { total_parlays: (n: number) => n > before.total_parlays, wins: 0, losses: 0, total_wagered: (n: number) => n >= before.total_wagered + 25, realized_pnl: Number, updated_at: INSTANT })
    }],
    ['PQ-073', 'it has nine counts', async (w) => { sees(await w.as(w.mine).get('/v1/portfolio'), 200, { data: { counts: Object.fromEntries(COUNTS.map((name) => [name, Number.isInteger])) } }) }],
    ['PQ-074', 'it has a summary', async (w) => { sees(await w.as('b23').get('/v1/portfolio'), 200, { data: { summary: { active_count: 0, active_bet_total: 0, portfolio_value: 1000 } } }) }],
    ['PQ-087 PQ-088', 'a maker’s collateral is what its quotes have filled', async (w) => {
      const before = sees(await w.as('m2').get('/v1/portfolio'), 200).data.balance
      await w.fill(w.mine, 'm2')
      const after = sees(await w.as('m2').get('/v1/portfolio'), 200).data.balance
      like(after, { gross_balance: before.gross_balance, locked_collateral: (value: number) => value >= before.locked_collateral + 74.25 })
    }],
    ['PQ-215', 'a deposit is a transaction', async (w) => { sees(await w.as('b21').post(`${VAULT}/deposit`, { amount: 2.5 }), 200, { data: { tx_signature: BASE58, amount: 2.5, status: 'completed' } }) }],
    ['PQ-213', 'a withdrawal is a transaction', async (w) => { sees(await w.as('b21').post(`${VAULT}/withdraw`, { amount: 1.5 }), 200, { data: { tx_signature: BASE58, amount: 1.5, status: 'completed' } }) }],
    ['PQ-075 PQ-076 PQ-077', 'a transaction has a signature of its own, its amount and its status', async (w) => {
      const [one, other] = [await w.as('b21').post(`${VAULT}/deposit`, { amount: 0.000001 }), await w.as('b21').post(`${VAULT}/deposit`, { amount: 0.000001 })].map((seen) => sees(seen, 200).data)
      like(one, { tx_signature: (text: string) => BASE58.test(text) && text !== other.tx_signature, amount: 0.000001, status: 'completed' })
    }],
    ['PQ-247', 'a deposit is an amount above 0', async (w) => { for (const body of [{}, { amount: 0 }, { amount: -1 }, { amount: '1' }]) sees(await w.as('b21').post(`${VAULT}/deposit`, body), 400, INVALID) }],
    ['PQ-221 PQ-214', 'a withdrawal is of more than 0, up to 1,000,000', async (w) => {
      for (const body of [{}, { amount: 0 }, { amount: 1_000_000.000001 }, { amount: '1' }]) sees(await w.as('b21').post(`${VAULT}/withdraw`, body), 400, { error: { code: 'VALIDATION_ERROR', details: { issues: [{ path: ['amount'] }] } } })
    }],
    ['PQ-218 PQ-219', 'a withdrawal moves what is free, and no more', async (w) => {
      sees(await w.as('b20').post(`${VAULT}/withdraw`, { amount: 100_000 }), 400, { error: { details: { reason: 'insufficient_funds' } } })
      const before = sees(await w.as(w.mine).get('/v1/portfolio'), 200).data.balance
      sees(await w.as(w.mine).post(`${VAULT}/withdraw`, { amount: before.free_balance + 1 }), 400)
    }],
    ['PQ-220', 'a withdrawal needs funds:withdraw', async (w) => {
      const client = await w.keyWith('b21', ['funds:deposit'])
      sees(await client.post(`${VAULT}/withdraw`, { amount: 1 }), 403, { error: { details: { reason: 'insufficient_scope' } } })
      sees(await client.post(`${VAULT}/deposit`, { amount: 1 }), 200)
    }],
    ['PQ-216 PQ-248', 'a wallet withdrawal says where to, and draws on the vault', async (w) => {
      const before = sees(await w.as('b24').get('/v1/portfolio'), 200).data.balance.gross_balance
      sees(await w.as('b24').post('/v1/wallet/withdraw', { amount: 1, address: ADDRESS }), 200, { data: { amount: 1, address: ADDRESS } })
      is(sees(await w.as('b24').get('/v1/portfolio'), 200).data.balance.gross_balance, before - 1)
      for (const body of [{ amount: 1 }, { amount: 1, address: '0x00' }]) sees(await w.as('b24').post('/v1/wallet/withdraw', body), 400, INVALID)
    }],
    ['PQ-409', 'a wallet withdrawal of more than there is fails as one of the vault does', async (w) => { sees(await w.as('b24').post('/v1/wallet/withdraw', { amount: 100_000, address: ADDRESS }), 400, { error: { details: { reason: 'insufficient_funds' } } }) }],
    ['PQ-217', 'a signed transaction is taken, and answered with its signature', async (w) => { sees(await w.jwt('b21').post('/v1/wallet/submit-tx', { transaction: transaction(true) }), 200, { data: { signature: BASE58 } }) }],
    ['PQ-226 PQ-262', 'a browser that signed in by its JWT needs no node of the chain', async (w) => {
      sees(await w.jwt('b21').post('/v1/wallet/submit-tx', { transaction: transaction(true) }), 200, { data: { signature: BASE58 } })
      sees(await w.jwt('b21').post(`${VAULT}/deposit`, { amount: 1 }), 200)
      sees(await w.jwt('b21').post(`${VAULT}/withdraw`, { amount: 1 }), 200)
    }],
    ['PQ-227', 'a transaction that is not signed, or none, is 400', async (w) => { for (const text of [transaction(false), 'x', '']) sees(await w.jwt('b21').post('/v1/wallet/submit-tx', { transaction: text }), 400, INVALID) }],
    ['PQ-228', 'submit-tx needs a credential', async (w) => { sees(await w.nobody.post('/v1/wallet/submit-tx', { transaction: transaction(true) }), 401, { error: { code: 'UNAUTHORIZED' } }) }],
    ['PQ-255', 'parlays are listed, the newest first', async (w) => {
      const { commit: { rfq_id } } = await w.fill()
      const { id } = await w.request()
      const { parlays } = sees(await w.as(w.mine).get('/v1/parlays?limit=100'), 200).data
      const places = [parlays.findIndex((one: { quote_request_id: string }) => one.quote_request_id === id), parlays.findIndex((one: { rfq_id: string }) => one.rfq_id === rfq_id)]
      is([places[0]! >= 0, places[0]! < places[1]!], [true, true])
      for (const { status } of sees(await w.as(w.mine).get('/v1/parlays?status=executed'), 200).data.parlays) is(status, 'executed')
    }],
    ['PQ-256 PQ-098', 'a parlay is read by its rfq_id', async (w) => {
      const { commit: { rfq_id, quote_id } } = await w.fill()
      sees(await w.as(w.mine).get(`/v1/parlays/${rfq_id}`), 200, { data: { parlay: {
        rfq_id, quote_request_id: UUID, status: 'executed', bet_amount: 25, accepted_quote_id: quote_id, payout_odds: 4, user_stake: 24.75, taker_fee: 0.25, total_payout: 99, outcome: null,
        counterparty_mm_id: w.seat('m1')['user_id'], created_at: INSTANT, updated_at: INSTANT,
      } } })
    }],
    ['PQ-288', 'another account’s parlay is not found', async (w) => {
      const { commit: { rfq_id } } = await w.fill()
      for (const name of [w.other, 'm1']) sees(await w.as(name).get(`/v1/parlays/${rfq_id}`), 404, { error: { code: 'NOT_FOUND' } })
      sees(await w.as(w.mine).get(`/v1/parlays/${NO_ID}`), 404)
    }],
  ],
}
