import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readExternal } from '../../src/record/externalTable.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { type Act, type Answered, callOnce, LockstepClient, type Turn } from '../serve/lockstep/lockstepClient.ts'
import { newKey, type Signable, signTyped } from '../serve/outcome/exchanges/bench.ts'
import { parlorHere } from './parlor.ts'
import { serve } from './serving.ts'

const LIVE = SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }').replace('until: 10m, max: 200', 'max: 20')
  .replace('  - { use: shade, capital: 50000 USDC, count: 2 }\n', '  - { external: true, name: ours, capital: 50000 USDC, latency: { broadcast: 5ms, quote: 5ms, confirm: 5ms } }\n')
  .replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n')

/** Longer than any test: no client is dropped because the machine is busy. */
const PATIENT = ['--patience', '3600']

const serving = (scenario: string, ...args: string[]) => {
  const folder = newFolder()
  put(folder, 'live.yaml', scenario)
  return serve(folder, 'live.yaml', '--clock', 'lockstep', ...args).then((served) => ({ ...served, folder }))
}
type Served = Awaited<ReturnType<typeof serving>>

/** A maker that asks for twice the stake of every request, and confirms. */
function quotes(_: Turn, { frames }: { readonly frames: readonly string[] }): readonly Act[] {
  return frames.flatMap((frame): Act[] => {
    const { id, version, request_hash, type, data } = JSON.parse(frame.replace(/^id: .*\nevent: quote_request\ndata: /, '').replace(/^id: [^]*$/, '{}')) as Record<string, string> & { data?: Record<string, string> }
    if (id !== undefined) return [{ method: 'PUT', path: `/v1/mm/quote-requests/${id}/quote`, body: JSON.stringify({ request_version: version, request_hash, payout_odds: 2 }) }]
    return type === 'quote:accepted' ? [{ method: 'POST', path: `/v1/mm/quote-requests/${data!['quote_request_id']}/quote/confirm`, body: JSON.stringify({ quote_id: data!['quote_id'] }) }] : []
  })
}

const connect = ({ credentials: { parlay: { url, seats }, control } }: Served, act: ConstructorParameters<typeof LockstepClient>[0]['act']): Promise<LockstepClient> => LockstepClient.connect({
  url, controlUrl: control!.url.replace('http', 'ws'), token: seats['ours']!.control_token!, headers: { 'x-api-key': seats['ours']!.api_key }, streams: ['/v1/mm/stream'], sockets: ['/v1/ws'], act,
})

const HELD = { 'parlor-hold': '1', 'parlor-done': '1' }

/** A bettor over plain HTTP, as a client that waits for each answer: it reads its portfolio so many times, each at the instant of the answer before it. */
async function reads({ credentials: { parlay: { url, seats } } }: Served, times: number): Promise<number[]> {
  const instants: number[] = []
  for (let i = 0; i < times; i++) {
    const { status, headers } = await callOnce(`${url}/v1/portfolio`, 'GET', '', { 'x-api-key': seats['me']!.api_key, ...HELD })
    expect(status).toBe(200)
    instants.push(Number(headers['parlor-at']))
  }
  return instants
}

/** A bettor that has done all that it does: it wakes when the session is over. */
const rests = ({ credentials: { parlay: { seats }, control } }: Served): Promise<Answered> =>
  callOnce(`${control!.url}/wake`, 'POST', JSON.stringify({ at_us: Number.MAX_SAFE_INTEGER }), { authorization: `Bearer ${seats['me']!.control_token!}`, ...HELD })

describe('parlor serve --clock lockstep', () => {
  it('waits for a maker and a bettor, and leaves a run that is verified', async () => {
    const served = await serving(LIVE, ...PATIENT)
    let turns = 0
    const client = await connect(served, (turn, told) => {
      turns++
      return quotes(turn, told)
    })
    // The recorded dates: nothing is shifted.
    const instants = await reads(served, 5)
    expect(new Date(instants[0]! / 1000).toISOString()).toMatch(/^2025-06-19T22:30:00/)
    expect(instants).toEqual(instants.toSorted((a, b) => a - b))
    const resting = rests(served)
    const { code, out, err } = await served.ended
    await client.over
    expect((await resting).status).toBe(503)
    expect({ code, dropped: err.split('\n').filter((line) => /client/.test(line)) }).toEqual({ code: 0, dropped: [] })
    expect(turns).toBeGreaterThan(20)
    expect(client.refusals).toEqual([])
    expect(out).toMatch(/digest [0-9a-f]{12}, \d+ turns and \d+ calls of clients/)
    const rows = readExternal(join(served.folder, 'run', 'tables', 'external.arrow'))
    expect(rows.filter(({ op }) => op >= 0).length).toBeGreaterThan(15)
    expect(await parlorHere(served.folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('drops by name who does not end a turn, and leaves a run that is verified', async () => {
    // The bettor is the only client. Time begins with its call, whenever that comes, and nothing comes after it.
    const served = await serving(LIVE.replace(/ {2}- \{ external: true, name: ours.*\n/, ''), '--patience', '0.5')
    await reads(served, 1)
    const { code, err } = await served.ended
    expect({ code, err: err.split('\n').filter((line) => /client/.test(line)) }).toEqual({
      code: 0, err: [expect.stringMatching(/the client of me did not end turn 2 in 0\.5 s, and is out of the session until it says that it is ready/)],
    })
    const rows = readExternal(join(served.folder, 'run', 'tables', 'external.arrow'))
    expect(rows.filter(({ kind }) => kind === 'left')).toHaveLength(1)
    expect(await parlorHere(served.folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('is stopped by SIGTERM in the middle of a turn: its calls are answered, clients are told, and the run until there is verified', async () => {
    const served = await serving(LIVE, '--json', ...PATIENT)
    const { credentials: { parlay: { url, seats } } } = served
    let turns = 0
    let answered: Promise<readonly number[]> | undefined
    const client = await connect(served, (turn, told) => {
      if (++turns !== 20) return quotes(turn, told)
      // Of two calls with one number the second is refused at once: then the first one is there, and waits.
      const calls = [0, 1].map(() => callOnce(`${url}/v1/portfolio`, 'GET', '', { 'x-api-key': seats['ours']!.api_key, 'parlor-turn': String(turn.n), 'parlor-call': '1' }))
      void Promise.race(calls).then(() => { served.child.kill('SIGTERM') })
      answered = Promise.all(calls).then((list) => list.map(({ status }) => status).toSorted((a, b) => a - b))
      return null
    })
    await reads(served, 1)
    const resting = rests(served)
    await client.over
    const { code, out } = await served.ended
    expect(code).toBe(0)
    expect([await answered, (await resting).status]).toEqual([[409, 503], 503])
    const ended = JSON.parse(out.split(/(?<=^\})\n/m).filter((text) => text.trim() !== '').at(-1)!) as Record<string, unknown>
    expect(ended).toMatchObject({ served: { clock: 'lockstep', speed: 0, shiftUs: 0, stoppedUs: expect.any(Number) as number }, turns: expect.any(Number) as number })
    expect(await parlorHere(served.folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('waits for a maker of the outcome service, who signs with what the credentials have, and leaves a run that is verified', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE.replace(/services: .*/, 'services: { outcome: { profile: outcome@1, signatures: eip712, gate: {} } }').replace(/ {2}- \{ external: true, name: me.*\n/, ''))
    const served = await serve(folder, 'live.yaml', '--clock', 'lockstep', ...PATIENT)
    const { outcome, control } = served.credentials
    const { url, seats: { ours } } = outcome!
    const statuses: number[] = []
    const domain = { name: 'Outcome-Market RFQ', version: '1', chainId: Number(ours!['chain_id']), verifyingContract: ours!['vault'] }
    const sign = (type: Signable, message: object): string => signTyped(ours!['wallet_private_key']!, domain, type, message as never)
    const client = await LockstepClient.connect({
      url, controlUrl: control!.url.replace('http', 'ws'), token: ours!['control_token']!, headers: { authorization: `Bearer ${ours!['api_key']!}` }, streams: [], sockets: ['/v1/stream'],
      subprotocol: 'outcome-rfq.v1', firstFrame: JSON.stringify({ type: 'subscribe', channels: ['maker'] }),
      act: ({ at_us }, { frames, answer }) => {
        if (answer !== undefined) statuses.push(answer.status)
        // oxlint-disable-next-line no-explicit-any
        return frames.map((frame) => JSON.parse(frame)).flatMap(({ event, data }: any): Act[] => {
          const common = { maker: ours!['maker_id'], rfqId: data?.rfq_id, feeBps: 100 }
          if (event === 'RFQ_CREATED') {
            const payout = String(20 * Number(data.net_stake))
            const expiry = Math.floor(at_us / 1e6) + 20
            const legs = data.legs.map(({ outcome_id, side }: { outcome_id: string; side: string }) => ({ outcomeId: outcome_id, side }))
            const signature = sign('Quote', { ...common, generation: data.generation, netStake: data.net_stake, payout, takerFeeBps: data.taker_fee_bps, expiry, legs })
            return [{ method: 'POST', path: `/v1/rfqs/${data.rfq_id}/quotes`, headers: { 'idempotency-key': newKey() }, body: JSON.stringify({ payout, expiry, generation: data.generation, signature }) }]
          }
          if (event !== 'QUOTE_ACCEPTED') return []
          const signature = sign('Confirmation', { ...common, quoteId: data.quote_id, acceptanceId: data.acceptance_id, payout: data.payout, takerFeeBps: 20 })
          return [{ method: 'POST', path: `/v1/quotes/${data.quote_id}/confirm`, body: JSON.stringify({ decision: 'CONFIRM', signature }) }]
        })
      },
    })
    const { code, out, err } = await served.ended
    await client.over
    expect({ code, dropped: err.split('\n').filter((line) => /client/.test(line)) }).toEqual({ code: 0, dropped: [] })
    expect(out).toMatch(/digest [0-9a-f]{12}, \d+ turns and \d+ calls of clients/)
    expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([200, 201])
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('plays a strategy file that reads a file with --trusted, which the manifest says, and refuses it without', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE.replace('{ use: fixed-margin, capital', '{ use: ./reads.ts, capital').replace(/ {2}- \{ external: true, name: ours.*\n/, ''))
    put(folder, 'reads.ts', "import { readFileSync } from 'node:fs'\nimport { maker } from 'parlor'\nreadFileSync('live.yaml')\nexport default maker({}, () => ({}))\n")
    const { code, err } = await parlorHere(folder, 'serve', 'live.yaml', '--clock', 'lockstep', '--out', 'run')
    expect(err).toMatch(/reads\.ts:1:\d+: the strategy does not load: .*node:fs/)
    expect(code).toBe(2)
    const served = { ...await serve(folder, 'live.yaml', '--clock', 'lockstep', ...PATIENT, '--trusted'), folder }
    await Promise.all([rests(served), served.ended])
    expect((await served.ended).code).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, 'run', 'manifest.json'), 'utf8'))).toMatchObject({ identity: { trusted: ['./reads.ts'] } })
  })

  it('names options that are of the other clock', async () => {
    const folder = newFolder()
    put(folder, 'live.yaml', LIVE)
    const said = async (...args: string[]) => {
      const { code, err } = await parlorHere(folder, 'serve', 'live.yaml', '--out', 'run', ...args)
      expect(code).toBe(2)
      return err
    }
    expect(await said('--clock', 'sun')).toContain('expected --clock wall or lockstep, got sun')
    expect(await said('--patience', '3')).toContain('--patience is for --clock lockstep')
    expect(await said('--clock', 'lockstep', '--speed', '2')).toContain('--speed is for --clock wall')
    expect(await said('--clock', 'lockstep', '--patience', '0')).toContain('expected a --patience above 0 s, up to 86400, got 0')
    expect(await said('--clock', 'lockstep', '--patience', '86401')).toContain('expected a --patience above 0 s, up to 86400, got 86401')
  })
})
