import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { readExternal } from '../../src/record/externalTable.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { callOnce } from '../serve/lockstep/lockstepClient.ts'
import { type Ended, parlorHere, start } from './parlor.ts'
import { serve } from './serving.ts'

/** A session with a maker's seat on each service, and a bettor's. Nobody else quotes. */
const BOTH = SMALL.replace(/services: .*/, 'services: { parlay: { profile: parlay@2.1, gate: {} }, outcome: { profile: outcome@1, signatures: eip712, gate: {} } }')
  .replace('until: 10m, max: 200', 'until: 4m, max: 12')
  .replace(/bettors:\n[^]*$/, `bettors:
  - { kind: noise, name: askers, n: 50, every: 10m, service: parlay }
  - { kind: noise, name: takers, n: 50, every: 10m, service: outcome }
  - { external: true, name: me, service: parlay, bankroll: 5000 USDC }
makers:
  - { external: true, name: ours, service: parlay, capital: 50000 USDC }
  - { external: true, name: theirs, service: outcome, capital: 40000 USDC }
`)

/** One maker is a client's, and nobody else quotes. */
const ONE = SMALL.replace('parlay@2.1 }', 'parlay@2.1, gate: {} }').replace('until: 10m, max: 200', 'until: 9m')
  .replace(/makers:\n[^]*$/, 'makers:\n  - { external: true, name: ours, capital: 50000 USDC }\n')

/** The maker that the README shows, as the file that a reader saves. */
const [, READMES_MAKER] = /```ts\n(import \{ maker, .*?)```/s.exec(readFileSync(new URL('../../README.md', import.meta.url), 'utf8'))!

/** Takes whatever is offered on two legs. */
const BETTOR = `import { bettor, usd } from 'parlor'

export default bettor({ bet: usd(10) }, ({ bet }) => ({
  onArrival(intent, desk) {
    if (desk.pickLegs(intent, 2, 0.005, 1e15)) desk.requestQuote(intent, { betMicros: bet, minOddsE4: 10_001, decideInUs: 3_000_000 })
  },
  onDecision: (intent, desk) => { desk.commit(intent) },
}))
`

/** A maker whose quotes stand for as long as the service lets them. */
const PATIENT_MAKER = `import { maker, SECOND_US } from 'parlor'

export default maker({}, () => ({ onRequest: (request, desk) => { desk.quote(request, { probability: 0.5, validUs: 30 * SECOND_US }) } }))
`

interface Said {
  readonly seat: string
  readonly role: string
  readonly service: string
  readonly seed: string
  readonly calls: number
  readonly refusals: Readonly<Record<string, number>>
  readonly figures: Readonly<Record<string, number>>
}

interface Summary {
  readonly services: Readonly<Record<'parlay' | 'outcome', {
    readonly rejections: readonly { readonly name: string; readonly count: number }[]
    readonly makers: readonly { readonly name: string; readonly hits: { readonly fills: number }; readonly profitMicros: number }[]
    readonly bettors: readonly { readonly name: string; readonly requests: number; readonly committed: number; readonly grossBetMicros: number }[]
  }>>
}

const summaryOf = (folder: string): Summary => JSON.parse(readFileSync(join(folder, 'run', 'summary.json'), 'utf8')) as Summary

function saidBy({ code, out, err }: Ended): Said {
  expect({ code, err: err.split('\n').filter((line) => line !== '' && !line.includes(' plays ')) }).toEqual({ code: 0, err: [] })
  return JSON.parse(out) as Said
}

function folderWith(scenario = ''): string {
  const folder = newFolder()
  put(folder, 'live.yaml', scenario)
  put(folder, 'mine.ts', READMES_MAKER!)
  put(folder, 'bets.ts', BETTOR)
  put(folder, 'patient.ts', PATIENT_MAKER)
  return folder
}

describe('parlor trade', () => {
  it('holds a maker’s seat on each service and a bettor’s, from files, and says what the run says of them', async () => {
    const folder = folderWith(BOTH)
    const served = await serve(folder, 'live.yaml', '--clock', 'lockstep', '--patience', '3600')
    const trade = (...args: string[]) => start(folder, ['trade', ...args, '--credentials', 'keys.json', '--seed', 'small', '--json']).ended
    const [ours, theirs, me] = (await Promise.all([
      trade('./mine.ts', '--seat', 'ours', '--set', 'margin=3%'), trade('./mine.ts', '--seat', 'theirs'), trade('./bets.ts', '--rate', '240', '--bets', '6', '--set', 'bet=20 USDC'),
    ])).map(saidBy)
    expect((await served.ended).code).toBe(0)
    const { services: { parlay, outcome } } = summaryOf(folder)
    for (const [{ seat, role, service, figures, refusals }, { makers, rejections }, capitalMicros] of [[ours!, parlay, 50_000_000_000], [theirs!, outcome, 40_000_000_000]] as const) {
      const { hits: { fills }, profitMicros } = makers.find(({ name }) => name === seat)!
      expect([role, service]).toEqual(['maker', seat === 'ours' ? 'parlay' : 'outcome'])
      expect(refusals).toEqual(Object.fromEntries(rejections.map(({ name, count }) => [name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(), count])))
      expect(figures).toMatchObject({ opened: fills, ended: fills, profitMicros, capitalMicros: capitalMicros + profitMicros, freeMicros: capitalMicros + profitMicros, openRiskMicros: 0 })
      expect(fills).toBeGreaterThan(0)
    }
    const { requests, committed, grossBetMicros } = parlay.bettors.find(({ name }) => name === 'me')!
    expect(me).toMatchObject({ seat: 'me', role: 'bettor', service: 'parlay', seed: 'small', refusals: {}, figures: { requests, fills: committed, stakedMicros: grossBetMicros, sales: 0, soldMicros: 0 } })
    expect(grossBetMicros).toBe(committed * 20_000_000)
    expect(committed).toBeGreaterThan(0)
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('leaves at Ctrl-C by the wall’s clock: its quotes are withdrawn, and it says what it did', async () => {
    const folder = folderWith(ONE)
    const served = await serve(folder, 'live.yaml', '--clock', 'wall', '--speed', '4')
    const { url, seats } = served.credentials.parlay
    const liveQuotes = async () => {
      const { body } = await callOnce(`${url}/v1/mm/quotes?limit=50`, 'GET', '', { 'x-api-key': seats['ours']!.api_key })
      return (JSON.parse(body) as { data: { quotes: { status: string }[] } }).data.quotes.filter(({ status }) => status === 'live').length
    }
    const trade = start(folder, ['trade', './patient.ts', '--credentials', 'keys.json', '--json'])
    while (await liveQuotes() === 0) await sleep(300)
    trade.child.kill('SIGINT')
    const { code, out, err } = await trade.ended
    expect(await liveQuotes()).toBe(0)
    const { calls, seed, figures } = JSON.parse(out) as Said
    expect(err).toContain(`drawing from the seed ${seed}\n./patient.ts plays ours, a maker of the parlay service at ${url}, by the wall's clock\n`)
    served.child.kill('SIGTERM')
    expect([code, (await served.ended).code]).toEqual([0, 0])
    const rows = readExternal(join(folder, 'run', 'tables', 'external.arrow'))
    const count = (op: number) => rows.filter((row) => row.op === op).length
    expect(count(ParlayOp.withdrawQuote)).toBeGreaterThan(0)
    expect([calls, figures['requests']! > 0, figures['capitalMicros']]).toEqual([count(ParlayOp.submitQuote) + count(ParlayOp.withdrawQuote), true, 50_000_000_000])
  })

  it('leaves at Ctrl-C in lockstep: what stands is withdrawn in its next turn', async () => {
    const folder = folderWith(ONE.replace('bettors:\n', 'bettors:\n  - { external: true, name: me, bankroll: 1000 USDC }\n'))
    const served = await serve(folder, 'live.yaml', '--clock', 'lockstep', '--patience', '3600')
    const { parlay: { url, seats }, control } = served.credentials
    const trade = start(folder, ['trade', './patient.ts', '--credentials', 'keys.json', '--json'])
    const trading = { isOver: false }
    void trade.ended.then(() => { trading.isOver = true })
    // The bettor's client lets time pass by calls of its own, and time stands between them.
    const held = { authorization: `Bearer ${seats['me']!.control_token!}`, 'parlor-hold': '1', 'parlor-done': '1' }
    const { headers } = await callOnce(`${url}/v1/portfolio`, 'GET', '', { ...held, 'x-api-key': seats['me']!.api_key })
    let atUs = Number(headers['parlor-at'])
    const passes = async (us: number) => callOnce(`${control!.url}/wake`, 'POST', JSON.stringify({ at_us: atUs += us }), held)
    const desk = async () => JSON.parse((await callOnce(`${url}/desk?from=0`, 'GET', '', { 'x-api-key': seats['ours']!.api_key })).body) as { told: { what: string }[] }
    while (!(await desk()).told.some(({ what }) => what === 'onRequest')) await passes(1_000_000)
    await passes(1_000_000)
    trade.child.kill('SIGINT')
    while (!trading.isOver) await passes(100_000)
    const { code, out } = await trade.ended
    served.child.kill('SIGTERM')
    expect([code, (await served.ended).code]).toEqual([0, 0])
    const ops = readExternal(join(folder, 'run', 'tables', 'external.arrow')).filter(({ op }) => op === ParlayOp.submitQuote || op === ParlayOp.withdrawQuote).map(({ op }) => op)
    const withdrawn = ops.filter((op) => op === ParlayOp.withdrawQuote).length
    expect(withdrawn).toBeGreaterThan(0)
    expect(new Set(ops.slice(-withdrawn))).toEqual(new Set([ParlayOp.withdrawQuote]))
    expect((JSON.parse(out) as Said).calls).toBe(ops.length)
    expect(await parlorHere(folder, 'verify', 'run')).toMatchObject({ code: 0 })
  })

  it('ends by name when its strategy never returns in lockstep, and another client takes the seat', async () => {
    const folder = folderWith(ONE)
    put(folder, 'bad.ts', READMES_MAKER!.replace('onRequest(request, desk) {', 'onRequest(request, desk) {\n    for (;;) {}'))
    const served = await serve(folder, 'live.yaml', '--clock', 'lockstep', '--patience', '3600')
    const { code, out, err } = await start(folder, ['trade', './bad.ts', '--credentials', 'keys.json', '--seed', 'x', '--call-limit', '500ms']).ended
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/ in time that waits\nerror: strategy of ours did not return from onRequest within 0.5 s\n$/)
    const { calls } = saidBy(await start(folder, ['trade', './mine.ts', '--credentials', 'keys.json', '--seed', 'x', '--json']).ended)
    expect(calls).toBeGreaterThan(0)
    expect((await served.ended).code).toBe(0)
    expect(readExternal(join(folder, 'run', 'tables', 'external.arrow')).map(({ op }) => op)).toContain(ParlayOp.submitQuote)
  })

  it('PQ-104 PQ-273 the desk that a client follows tells nothing to a key that was revoked, or has not the scopes of the calls', async () => {
    const folder = folderWith(ONE)
    const served = await serve(folder, 'live.yaml', '--clock', 'wall')
    const { url, seats } = served.credentials.parlay
    const bearer = { authorization: `Bearer ${seats['ours']!.jwt}` }
    const made = async (...scopes: string[]) => {
      const { body } = await callOnce(`${url}/v1/api-keys`, 'POST', JSON.stringify({ name: 'short', scopes }), bearer)
      return (JSON.parse(body) as { data: { key: string; prefix: string } }).data
    }
    const desk = (key: string) => callOnce(`${url}/desk?from=0`, 'GET', '', { 'x-api-key': key })
    const { key, prefix } = await made('mm:quote')
    expect((await desk(key)).status).toBe(200)
    expect(await desk((await made('keys:manage')).key)).toMatchObject({ status: 403, body: '{"error":"this desk is for credentials with mm:quote"}' })
    expect((await callOnce(`${url}/v1/api-keys/${prefix}`, 'DELETE', '', bearer)).status).toBe(204)
    expect((await desk(key)).status).toBe(401)
    served.child.kill('SIGTERM')
    expect((await served.ended).code).toBe(0)
  })

  describe('says what is wrong, where, and what to do', () => {
    let server: Server | undefined
    afterEach(() => { server?.close() })

    /** Answers `/desk` with a status and a body. */
    const answering = async (status: number, body: string): Promise<string> => {
      server = createServer((_, response) => { response.writeHead(status).end(body) }).listen(0, '127.0.0.1')
      await new Promise((resolve) => { server!.once('listening', resolve) })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const credentialsAt = (url: string, seats: object = { ours: { role: 'maker', api_key: 'key' }, me: { role: 'bettor', api_key: 'key' } }): string =>
      JSON.stringify({ parlay: { url, seats } })
    const saying = async (keys: string | null, ...args: string[]): Promise<string> => {
      const folder = folderWith()
      if (keys !== null) put(folder, 'keys.json', keys)
      const { code, out, err } = await parlorHere(folder, 'trade', ...args, '--credentials', 'keys.json', '--seed', 'x')
      expect([code, out]).toEqual([2, ''])
      return err.split('\n').filter((line) => !line.includes(' plays ')).join('\n')
    }
    const NOWHERE = 'http://127.0.0.1:1'

    it('of files', async () => {
      expect(await saying(null, './mine.ts')).toBe('error: no credentials at keys.json\n  hint: expected the file that parlor serve names; it is there until the session ends\n')
      expect(await saying('{}}', './mine.ts')).toBe('keys.json: is no file of credentials\n  hint: expected the file that parlor serve writes\n')
      expect(await saying(credentialsAt(NOWHERE), './none.ts')).toContain('none.ts')
      expect(await saying(credentialsAt(NOWHERE), './mine.ts', '--set', 'width=3%')).toContain('error: --set width=3%: the strategy has no such parameter\n  hint: expected one of margin, cap\n')
    })

    it('of seats', async () => {
      const onlyBettor = credentialsAt(NOWHERE, { me: { role: 'bettor', api_key: 'key' } })
      expect(await saying(onlyBettor, './mine.ts')).toBe('keys.json: the credentials have no maker\n  hint: expected --seat and --url of one of me (bettor of the parlay service)\n')
      expect(await saying(credentialsAt(NOWHERE), './mine.ts', '--seat', 'me')).toContain('keys.json: the credentials have no maker named me\n  hint: expected --seat and --url of one of ours (maker of')
      expect(await saying(credentialsAt(NOWHERE), './bets.ts', '--rate', 'often')).toContain('bettors come at a rate above 0, not NaN\n  hint: expected --rate BETS_AN_HOUR')
    })

    it('of addresses', async () => {
      expect(await saying(credentialsAt(NOWHERE), './mine.ts')).toBe(`error: cannot reach ${NOWHERE} (ECONNREFUSED)\n  hint: start parlor serve, and give the url that it prints\n`)
      const refusing = await answering(401, 'no seat')
      expect(await saying(credentialsAt(NOWHERE), './mine.ts', '--url', refusing)).toBe(`error: ${refusing}/desk?standing=true&from=0&limit=1 answers 401: no seat\n  hint: the credential is of no seat of this session\n`)
      expect(await saying(credentialsAt(NOWHERE), './mine.ts', '--url', 'https://127.0.0.1:1')).toBe('error: --url https://127.0.0.1:1: parlor serve speaks plain HTTP\n  hint: expected an address that begins with http://\n')
      const gone = await answering(410, 'older notes are gone')
      expect(await saying(credentialsAt(gone), './mine.ts')).toBe(`error: ${gone}/desk?standing=true&from=0&limit=1 answers 410: older notes are gone\n  hint: the client is further behind than the session keeps notes: begin it again (docs/desk-feed.md)\n`)
      const other = await answering(200, JSON.stringify({ now_us: 0, next: 0, has_more: false, seats: [{ name: 'theirs', role: 'maker', capital: 1, feed_us: 0, way_us: null }], markets: 1, told: [] }))
      expect(await saying(credentialsAt(other), './mine.ts')).toBe('error: the credential is not of the maker ours\n  hint: it has the seats theirs (maker)\n')
    })
  })
})
