import { join } from 'node:path'
import { hashMessage, type Hex } from 'viem'
import { expect, it } from 'vitest'
import { readTable } from '../../../src/arrow/tableReader.ts'
import { readExternal } from '../../../src/record/externalTable.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { prepareScenario, runPlayed } from '../../../src/scenario/run.ts'
import { verifyRun } from '../../../src/proof/verify.ts'
import type { Exchange } from '../../../src/serve/exchange.ts'
import { handlersOf } from '../../../src/serve/handlers.ts'
import { playServedInto } from '../../../src/serve/session/playServed.ts'
import type { ServedSession } from '../../../src/serve/session/servedSession.ts'
import { MINUTE_US, NEVER_US } from '../../../src/unit/time.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { sign } from '../../../src/venue/outcome/wire/signing.ts'
import { newFolder, put, SMALL } from '../../scenario/small.ts'
import { newKey, signTyped } from '../outcome/exchanges/bench.ts'
import { TestChannel } from '../testChannel.ts'

const LIVE = SMALL.replace('parlay: { profile: parlay@2.1 }', 'outcome: { profile: outcome@1, gate: {} }')
  .replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC }\n')
  .replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n')

/** Calls a session whose handlers answer at once. */
// oxlint-disable-next-line no-explicit-any
function call(served: ServedSession, method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): any {
  served.playTo(served.nowUs + 1000)
  const exchange: Exchange = {
    service: 'outcome', method, path, query: '', headers: Object.entries(headers), remote: '127.0.0.1',
    body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
  }
  let told: { status: number; body: string } | null = null
  served.call(exchange, (answer) => { told = answer })
  return told === null ? null : { status: (told as { status: number }).status, ...JSON.parse((told as { body: string }).body || '{}') }
}

it('OM-097 OM-128 a session with clients of the outcome service ends when its markets are over, and is verified', async () => {
  const folder = newFolder()
  const path = put(folder, 'live.yaml', LIVE)
  const loaded = loadScenario(path)
  const prepared = await prepareScenario(loaded, () => {}, { isServed: true })
  let overUs = 0
  const stream = new TestChannel('socket')
  const { path: dir, manifest } = await runPlayed(loaded, prepared.store.path, { target: { path: join(folder, 'run'), force: false, numbered: false } }, async (into) => ({
    manifest: await playServedInto(into, prepared, {
      handlers: handlersOf(prepared, path, { sessionKey: 'test', allowsLocalWebhooks: false, postWebhook: () => {} }), idKey: 'test', speed: 1, shiftUs: 0,
      drive: (served) => {
        const [maker, bettor] = ['ours', 'me'].map((name) => served.begin().find(({ seat }) => seat.name === name)!.credentials)
        const { origin } = bettor!
        expect([maker!['scopes'], bettor!['scopes']]).toEqual([
          'account:read account:stream quote:accept rfq:read rfq:write quote:write capital:read capital:write',
          'account:read account:stream quote:accept rfq:read rfq:write funds:withdraw',
        ])
        served.playTo(served.nowUs + MINUTE_US)
        const wallet = { origin: origin! }
        const { message } = call(served, 'POST', '/v1/auth/wallet-challenges', wallet, { address: bettor!['wallet_address'] })
        const signature = sign(hashMessage(message as string), bettor!['wallet_private_key'] as Hex)
        const session = { ...wallet, authorization: `Bearer ${call(served, 'POST', '/v1/auth/wallet-sessions', wallet, { message, signature }).access_token}` }
        const fields = { label: 'bot', scopes: ['account:read'], expires_in_days: 90 }
        const { challenge_id } = call(served, 'POST', '/v1/me/api-key-challenges', session, fields)
        const { domain, chain_id, vault } = call(served, 'GET', '/v1/deployment', {})
        const proof = signTyped(bettor!['wallet_private_key']!, { ...domain, chainId: Number(chain_id), verifyingContract: vault }, 'IssueKey', {
          account: bettor!['account_id'], challengeId: challenge_id, label: 'bot', scopes: ['account:read'], expiresInDays: 90,
        })
        const issued = call(served, 'POST', '/v1/me/api-keys', { ...session, 'idempotency-key': newKey() }, { ...fields, proof: { challenge_id, signature: proof } })
        expect(issued.status).toBe(201)
        served.open({
          service: 'outcome', method: 'GET', path: '/v1/stream', query: '', body: new Uint8Array(), remote: '127.0.0.1',
          headers: [['authorization', `Bearer ${maker!['api_key']}`], ['sec-websocket-protocol', 'outcome-rfq.v1']],
        }, stream)
        served.hearing(() => { stream.say({ type: 'subscribe', channels: ['account', 'maker'] }) })
        while (served.nextUs < NEVER_US) served.playTo(served.nextUs + MINUTE_US)
        overUs = served.nowUs
        return Promise.resolve(null)
      },
    }),
  }))
  // The gate forgets answers for days, which nobody waits for.
  expect(overUs - prepared.resolved.history.toUs).toBeLessThan(6 * 60 * MINUTE_US)
  // A session would end after a week without use, and the key after 90 days: no row tells of either.
  expect(manifest.counts['endUs']).toBeLessThan(overUs + 60 * MINUTE_US)
  expect(stream.closedWith).toEqual([1012, 'CONNECTION_DRAIN'])
  expect(stream.frames.map(({ type, event }) => event ?? type)).toEqual(expect.arrayContaining(['snapshot', 'heartbeat', 'RFQ_CREATED']))
  // The maker came a minute after the begin, and answers for no RFQ that it was not told of.
  expect(manifest.counts['delivered to ours']).toBe(stream.frames.filter(({ event }) => event === 'RFQ_CREATED').length)
  // Its upgrade was good.
  const { codes, values } = readTable(join(dir, 'tables', 'rejections.arrow')).column('rejection')
  expect(Array.from(codes!, (code) => values![code])).not.toContain('invalidSubscription')
  const rows = readExternal(join(dir, 'tables', 'external.arrow'))
  // A stream that nobody closed would beat on for ever.
  expect(rows.slice(-3).map(({ op, atUs }) => [op, atUs])).toEqual([[OutcomeOp.closeStream, overUs], [OutcomeOp.signOut, overUs], [OutcomeOp.revokeKey, overUs]])
  const { ok, checks } = await verifyRun(dir)
  expect(checks.filter((check) => !check.ok)).toEqual([])
  expect(ok).toBe(true)
})
