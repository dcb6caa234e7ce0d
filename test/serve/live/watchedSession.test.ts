import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../../src/arrow/tableReader.ts'
import { loadScenario } from '../../../src/scenario/load.ts'
import { prepareScenario } from '../../../src/scenario/run.ts'
import { beginRun } from '../../../src/scenario/runFolder.ts'
import { handlersOf } from '../../../src/serve/handlers.ts'
import type { LiveAsk, LiveFrame, LiveTold, ShownMaker } from '../../../src/serve/live/liveFrames.ts'
import { LivePort } from '../../../src/serve/session/livePort.ts'
import { playServedInto } from '../../../src/serve/session/playServed.ts'
import type { ServedSession } from '../../../src/serve/session/servedSession.ts'
import { MINUTE_US, SECOND_US } from '../../../src/unit/time.ts'
import { newFolder, put, QUICKSTART_STORE } from '../../scenario/small.ts'

const SHIFT_US = 7 * SECOND_US

/** Bettors who sell, a maker that bets besides where the service lets it, one that takes positions over, money that leaves, and clients that do nothing. */
const scenarioOf = (profile: string): string => `version: 1
mode: interactive
services: { ${profile.split('@')[0]}: { profile: ${profile}, gate: {}${profile.startsWith('parlay') ? '' : ', set: { reductionDelay: 1m }'} } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 10m, max: 260 }
bettors:
  - { external: true, name: me, bankroll: 1000 USDC }
  - { kind: impatient, n: 120, bankroll: 2000 USDC, every: 6m, legsMax: 3, holdMin: 20s, holdMax: 3m }
  - { kind: noise, n: 60, every: 6m }
  - { kind: take-profit, name: gambler, n: 1, ${profile.startsWith('parlay') ? 'account: backer' : 'bankroll: 500 USDC'}, every: 1m, legsMax: 2, level: 120% }
makers:
  - { use: fixed-margin, name: backer, capital: 50000 USDC, params: { margin: 2%, bid: 4% } }
  - { use: fixed-margin, name: other, capital: 50000 USDC, params: { margin: 3% } }
  - { use: cashout-bidder, name: dealer, capital: 20000 USDC, params: { margin: 1% } }
  - { external: true, name: ours, capital: 10000 USDC }
withdrawals: [{ of: backer, at: 2m, amount: 1500 USDC }]
`

type Look = (keys?: readonly string[]) => LiveFrame

/** Plays a service for six minutes, with looks where `drive` looks. */
async function played(service: 'parlay' | 'outcome', drive: (served: ServedSession, look: Look, leave: () => void) => void) {
  const folder = newFolder()
  const path = put(folder, 'live.yaml', scenarioOf(`${service}@${service === 'parlay' ? '2.1' : '1'}`))
  const prepared = await prepareScenario(loadScenario(path), () => {}, { isServed: true })
  const generation = await beginRun({ path: join(folder, 'run'), force: false, numbered: false }, {})
  const manifest = await playServedInto(generation.folder, prepared, {
    handlers: handlersOf(prepared, path, { sessionKey: 'test', allowsLocalWebhooks: false, postWebhook: () => {} }), idKey: 'test', speed: 20, shiftUs: SHIFT_US,
    drive: (served) => {
      let hear: (ask: LiveAsk) => void = () => {}
      const told: LiveFrame[] = []
      const live = new LivePort(served, { say: ({ frame }: LiveTold) => { told.push(frame) }, hear: (listen) => { hear = listen } }, SHIFT_US)
      live.follow(() => ({ atUs: served.session.nowUs, speed: 20, turns: null }))
      const look: Look = (keys = []) => {
        hear({ kind: 'look', service, keys })
        return told.pop()!
      }
      served.begin()
      drive(served, look, () => { hear({ kind: 'leave', service }) })
      return Promise.resolve(served.nowUs)
    },
  })
  const equity = readTable(join(generation.folder, 'tables', 'equity.arrow'))
  /** The last sample of each maker's money, by column. */
  const sampleOf = (maker: string): Record<string, number> => {
    const { codes, values } = equity.column('maker')
    const row = Array.from(codes!, (code) => values![code]).lastIndexOf(maker)
    return Object.fromEntries(['free_micros', 'locked_micros', 'mark_to_market_micros', 'open_positions', 'held_positions'].map((name) => [name, equity.column(name).numbers![row]!]))
  }
  return { digest: manifest.digest, sampleOf, at: { last: equity.column('at').numbers!.at(-1)! } }
}

const minutes = (served: ServedSession, count: number): void => { served.playTo(served.nowUs + count * MINUTE_US) }

describe.each(['parlay', 'outcome'] as const)('a session of the %s service that is watched', (service) => {
  it('has the digest of the same session unwatched, and its makers the money of its tables', async () => {
    const unwatched = await played(service, (served) => { minutes(served, 6) })
    let makers: readonly ShownMaker[] = []
    let opened: readonly string[] = []
    let looks = 0
    const watched = await played(service, (served, look, leave) => {
      for (let second = 1; second <= 360; second++) {
        served.playTo(served.nowUs + SECOND_US)
        const { state: { requests } } = look(opened)
        opened = requests.slice(0, 3).map(({ key }) => key)
        looks++
        if (second % 50 === 0) leave()
      }
      makers = look().state.makers
    })
    expect(looks).toBe(360)
    expect(watched.digest).toBe(unwatched.digest)
    expect(makers.map(({ name, isClient }) => [name, isClient])).toEqual([['backer', false], ['other', false], ['dealer', false], ['ours', true]])
    const paidIn: Record<string, number> = { backer: 48_500_000_000, other: 50_000_000_000, dealer: 20_000_000_000, ours: 10_000_000_000 }
    for (const { name, freeMicros, lockedMicros, backed, held, profitMicros, unpriced } of makers) {
      expect({
        name, free_micros: freeMicros, locked_micros: lockedMicros, mark_to_market_micros: profitMicros + paidIn[name]!, open_positions: backed, held_positions: held,
      }).toEqual({ name, ...watched.sampleOf(name) })
      expect(unpriced).toBe(0)
    }
    // Nothing of this is so for want of trades.
    const [backer, other, dealer, ours] = makers
    expect([backer!.backed > 0, backer!.held > 0, other!.backed > 0, dealer!.held > 0]).toEqual([true, service === 'parlay', true, true])
    expect(new Set([backer!, other!, dealer!].map(({ profitMicros }) => Math.sign(profitMicros)))).not.toContain(0)
    expect([ours!.profitMicros, ours!.openMicros]).toEqual([0, 0])
  })

  it('shows the newest requests, and the book of one with the best offer first', async () => {
    await played(service, (served, look, leave) => {
      minutes(served, 1)
      // Those that came before anybody looked have no time.
      expect(look().state.requests.every(({ atUs }) => atUs === null)).toBe(true)
      let cashOuts = 0
      let books = 0
      for (let second = 0; second < 240; second++) {
        served.playTo(served.nowUs + SECOND_US)
        const { state, clock } = look()
        expect(clock).toEqual({ atUs: served.session.nowUs + SHIFT_US, speed: 20, turns: null })
        expect(state.requests.length).toBeLessThanOrEqual(40)
        const times = state.requests.map(({ atUs }) => atUs ?? 0)
        expect(times).toEqual(times.toSorted((a, b) => b - a))
        cashOuts += state.requests.filter(({ isCashOut, isOpen }) => isCashOut && isOpen).length
        // What was for sale is told when it has been sold too.
        for (const { isCashOut, atUs, legs, amountMicros } of state.requests) if (isCashOut && atUs !== null) expect([legs.length > 0, amountMicros! > 0]).toEqual([true, true])
        for (const request of state.requests.filter(({ isOpen, best }) => isOpen && best !== null).slice(0, 3)) {
          const { [request.key]: book } = look([request.key]).books
          books++
          expect(book!.request).toEqual(request)
          expect(book!.offers.filter(({ isBest }) => isBest)).toHaveLength(1)
          const [first] = book!.offers
          expect({ maker: first!.maker, oddsE4: first!.oddsE4, priceMicros: first!.priceMicros, isBest: first!.isBest, isLive: first!.isLive }).toEqual({ ...request.best, isBest: true, isLive: true })
          const values = book!.offers.filter(({ isLive }) => isLive).map(({ oddsE4, priceMicros }) => oddsE4 ?? priceMicros!)
          expect(values).toEqual(values.toSorted((a, b) => b - a))
          expect(request.isCashOut ? [first!.oddsE4, first!.riskMicros] : first!.priceMicros).toEqual(request.isCashOut ? [null, null] : null)
          expect(book!.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        }
      }
      expect([cashOuts > 0, books > 100]).toEqual([true, true])
      const { state: { requests, positions, positionCount } } = look()
      expect(requests).toHaveLength(40)
      const [request] = requests
      expect(request!.owner).toMatch(/^(noise|impatient|backer)/)
      expect(request!.legs.every(({ ticker, side }) => ticker !== '' && ['yes', 'no'].includes(side))).toBe(true)
      expect(positions.length).toBe(Math.min(30, positionCount))
      expect(positions.map(({ number }) => number)).toEqual(positions.map(({ number }) => number).toSorted((a, b) => b - a))
      expect(positions.every(({ value, stakeMicros, payoutMicros }) => value! > 0 && value! < 1 && stakeMicros < payoutMicros)).toBe(true)
      // A request that was never there has no book.
      expect(look(['r999999', 'a999999']).books).toEqual({})
      // What is opened stays, and who leaves begins anew.
      const { key } = requests.at(-1)!
      look([key])
      minutes(served, 1)
      expect(look([key]).books[key]!.key).toBe(key)
      leave()
      expect(look([key]).state.requests.every(({ atUs }) => atUs === null)).toBe(true)
    })
  })
})
