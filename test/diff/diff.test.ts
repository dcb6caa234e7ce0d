import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { redraw } from '../../src/actions/redraw.ts'
import { listOf, readTable } from '../../src/arrow/tableReader.ts'
import { diffRuns, type MakerDiff } from '../../src/diff/runsDiff.ts'
import { cashOf } from '../../src/score/figureBasis.ts'
import { orNaN } from '../../src/score/runTables.ts'
import { summariseRun, type Summary } from '../../src/score/summary.ts'
import { QUICKSTART_STORE, SMALL } from '../scenario/small.ts'
import { changed, ran, withoutColumn } from './runs.ts'

/** One wins, one loses, one is void: of two makers the nearer one has them. */
const THREE = `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, maxAge: 2m }
settlement: { lag: 10m, missing: exclude, scalar: void }
bettors:
  - kind: scripted
    name: alice
    requests:
      - { at: 10m, legs: [ECON-CPI-1 no, ECON-HOME-5 no], bet: 25 USDC }
      - { at: 20m, legs: [ECON-CPI-1 yes, ECON-HOME-5 no], bet: 10 USDC }
      - { at: 30m, legs: [ECON-CPI-1 no, ECON-GDP-4 yes], bet: 10 USDC }
makers:
  - { use: fixed-margin, name: near, capital: 10000 USDC, params: { margin: 5% } }
  - { use: fixed-margin, name: far, capital: 10000 USDC, params: { margin: 8% } }
`

/** Stake, risk and closing value of the three positions of a run, in the order of its requests. */
function positions(run: string): { readonly stake: number; readonly risk: number; readonly close: number }[] {
  const table = readTable(join(run, 'tables', 'positions.arrow'))
  const [request, stake, risk, close] = [table.numbers('request'), table.numbers('net_stake_micros'), table.numbers('risk_micros'), orNaN(table, 'reference_at_close')]
  return [...request.keys()].toSorted((x, y) => request[x]! - request[y]!).map((row) => ({ stake: stake[row]!, risk: risk[row]!, close: close[row]! }))
}

const runs = new Map<string, Promise<string>>()

/** The run of a scenario, which is played once for all tests. None may write into it. */
function once(text: string): Promise<string> {
  const run = runs.get(text) ?? ran(text)
  runs.set(text, run)
  return run
}

/** A copy of a run that a test may write into. */
function copyOf(run: string): string {
  const copy = `${run} copied`
  cpSync(run, copy, { recursive: true })
  return copy
}

const makersOf = (a: string, b: string): Record<string, MakerDiff> => Object.fromEntries(diffRuns(a, b).services[0]!.makers.map((maker) => [maker.name, maker]))
const kinds = ({ classes }: MakerDiff): Record<string, [requests: number, aMicros: number, bMicros: number]> =>
  Object.fromEntries(classes.map(({ kind, requests, profit }) => [kind, [requests, profit.aMicros, profit.bMicros]]))

/** Backing makers lose the risk of what won and keep the stake of what lost; a void gives back. */
const profitOf = ([won, lost]: ReturnType<typeof positions>): number => lost!.stake - won!.risk
/** Up to the close: stake less the closing value of the payout, of what was not void. */
const adjustedOf = ([won, lost]: ReturnType<typeof positions>): number =>
  [won!, lost!].reduce((sum, { stake, risk, close }) => sum + stake - Math.round(close * (stake + risk)), 0)

describe('the difference of two runs', () => {
  it('is nothing between a run and itself', async () => {
    const run = await once(SMALL)
    const { by, notes, services: [{ requests, makers }] } = diffRuns(run, run) as ReturnType<typeof diffRuns> & { services: [ReturnType<typeof diffRuns>['services'][0]] }
    expect({ by, notes }).toEqual({ by: 'arrival', notes: [] })
    expect(requests).toEqual({ both: readTable(join(run, 'tables', 'requests.arrow')).rowCount, onlyA: 0, onlyB: 0 })
    expect(makers.reduce((sum, { fills: { a } }) => sum + a, 0)).toBeGreaterThan(20)
    for (const { profit, luckAdjusted, fills, classes, redrawn, sentence, name } of makers) {
      expect([profit.differenceMicros, luckAdjusted.differenceMicros]).toEqual([0, 0])
      expect(redrawn).toMatchObject({ mean: { value: 0, error: 0 }, range: [0, 0], better: { value: 0 }, worse: { value: 0 } })
      expect(classes.map(({ kind, requests: count }) => [kind, count])).toEqual(fills.a === 0 ? [] : [['same', fills.a]])
      expect(sentence).toBe(`${name} earned as much in B as in A.`)
    }
  })

  it('is that of the prices, where a maker has the same requests at other ones', async () => {
    const a = await once(THREE)
    const b = (await changed(a, ['makers.0.params.margin=6%'])).path
    const [inA, inB] = [positions(a), positions(b)]
    const { near, far } = makersOf(a, b)
    expect(kinds(near!)).toEqual({ repriced: [3, profitOf(inA), profitOf(inB)] })
    // The stakes are the bets, so that only the one that won costs another amount.
    expect(near!.profit.differenceMicros).toBe(inA[0]!.risk - inB[0]!.risk)
    expect(near!.profit.differenceMicros).toBeGreaterThan(0)
    expect(near!.luckAdjusted).toMatchObject({ aMicros: adjustedOf(inA), bMicros: adjustedOf(inB) })
    expect(near!.sentence).toMatch(/^near earned [\d.]+ USDC more in B than in A: \+[\d.]+ by other odds of 3 requests that it filled in both; luck-adjusted \+[\d.]+, one cluster: no interval; with other outcomes \+[\d.]+ in 95 of 100 nights\.$/)
    expect(far!.classes).toEqual([])
  })

  it('is what a maker gave up and another one has, where a maker is too dear', async () => {
    const a = await once(THREE)
    const b = (await changed(a, ['makers.0.params.margin=12%'])).path
    const { near, far } = makersOf(a, b)
    const [inA, inB] = [profitOf(positions(a)), profitOf(positions(b))]
    expect(kinds(near!)).toEqual({ lost: [3, inA, 0] })
    expect(near!.classes[0]!.among).toEqual([{ maker: 'far', requests: 3, differenceMicros: 0 - inA }])
    expect(kinds(far!)).toEqual({ won: [3, 0, inB] })
    expect(far!.classes[0]!.among).toEqual([{ maker: 'near', requests: 3, differenceMicros: inB }])
    expect([near!.fills, far!.fills]).toEqual([{ a: 3, b: 0 }, { a: 0, b: 3 }])
  })

  it('counts a selection that is not confirmed as declined', async () => {
    const a = await once(THREE)
    const b = (await changed(a, ['makers.0.faults={ missConfirm: 100% }'])).path
    const { near } = makersOf(a, b)
    expect(kinds(near!)).toEqual({ declined: [3, profitOf(positions(a)), 0] })
    expect(near!.declined).toEqual({ a: 0, b: 3 })
  })

  it('of cash needs as many clusters as the legs of both books ask for, and luck-adjusted two', async () => {
    const a = await ran(SMALL, {}, ['inference.cluster=event'])
    const b = (await changed(a, ['makers.0.params.margin=3%'])).path
    const { services: [service] } = diffRuns(a, b)
    const legs = (run: string, maker: string): [payout: number, legs: number] => {
      const table = readTable(join(run, 'tables', 'positions.arrow'))
      const [payout, makers, markets] = [table.numbers('payout_micros'), table.column('maker'), table.column('leg_markets')]
      return [...payout.keys()].filter((row) => makers.values![makers.codes![row]!] === maker)
        .reduce<[number, number]>(([sum, weighted], row) => [sum + payout[row]!, weighted + payout[row]! * listOf(markets, row).length], [0, 0])
    }
    for (const { name, difference, luckAdjustedDifference, fills } of service!.makers) {
      if (fills.a + fills.b === 0) continue
      const [[payoutA, legsA], [payoutB, legsB]] = [legs(a, name), legs(b, name)]
      const mean = Math.round((legsA + legsB) / (payoutA + payoutB))
      expect(mean).toBeGreaterThan(1)
      const { clustersMin } = cashOf(mean)
      // A night has enough events for values, and not for cash.
      expect([difference.count > 1, difference.count < clustersMin]).toEqual([true, true])
      expect([difference.low, difference.label]).toEqual([null, cashOf(mean).why(difference.count, 'cluster')])
      expect(luckAdjustedDifference.low).toBeLessThanOrEqual(luckAdjustedDifference.estimate!)
    }
  })

  it('over other outcomes is that of the runs\' redraws, and nothing where they are drawn otherwise', async () => {
    const a = await ran(SMALL, {}, ['settlement.outcomes=drawn'])
    const b = (await changed(a, ['makers.0.params.margin=3%'])).path
    const { redraws, notes, services: [service] } = diffRuns(a, b)
    expect({ redraws, notes }).toEqual({ redraws: { outcomes: 20_000, seed: '1', why: null }, notes: [] })
    const [inA, inB] = (await Promise.all([a, b].map((run) => redraw(run)))).map(({ services: [own] }) => own!.makers)
    const meanOf = (makers: typeof inA, name: string): number => makers!.find((maker) => maker.name === name)?.mean.value ?? 0
    for (const { name, redrawn } of service!.makers) {
      // The same nights, each mean rounded to the micro-unit.
      expect(Math.abs(redrawn!.mean.value - (meanOf(inB, name) - meanOf(inA, name)))).toBeLessThanOrEqual(2)
    }
    expect(service!.makers.some(({ redrawn }) => redrawn!.better.value > 0.05 && redrawn!.worse.value > 0.05)).toBe(true)

    const tied = diffRuns(a, (await changed(a, ['settlement.correlation=0.3'])).path)
    expect(tied.redraws.why).toBe('outcomes have a correlation of 0 in A and of 0.3 in B')
    expect(tied.notes).toEqual(['The difference has no range over outcomes drawn anew: outcomes have a correlation of 0 in A and of 0.3 in B.'])
    expect(tied.services[0]!.makers.map(({ redrawn }) => redrawn)).toEqual([null, null, null])
  })

  it('of runs of an older version joins requests by bettor and instant, and has no redraws', async () => {
    const a = copyOf(await once(SMALL))
    const b = (await changed(a, ['makers.0.params.margin=3%'])).path
    const classesOf = ({ services: [service] }: ReturnType<typeof diffRuns>): unknown => service!.makers.map(({ name, profit, classes }) => [name, profit, classes])
    const whole = diffRuns(a, b)
    for (const run of [a, b]) {
      withoutColumn(run, 'requests', 'arrival')
      rmSync(join(run, 'tables', 'markets.arrow'))
    }
    const { by, redraws, services, notes } = diffRuns(a, b)
    expect(by).toBe('instant')
    expect(services[0]!.requests).toEqual(whole.services[0]!.requests)
    expect(services[0]!.requests.both).toBeGreaterThan(50)
    expect(classesOf({ ...whole, services })).toEqual(classesOf(whole))
    expect(redraws.why).toBe('the tables of A do not say how: an older version made the run: it has no table of markets')
    expect(notes).toHaveLength(1)
  })

  it('joins no requests under other draws of bettors, and says so', async () => {
    const a = await once(SMALL)
    const b = (await changed(a, ['seeds.bettors=2'])).path
    const { services: [service], notes } = diffRuns(a, b)
    expect(service!.requests.both).toBe(0)
    expect(notes).toEqual(['No request on the service parlay is in both runs: they have other bettors, or other draws of bettors.'])
    expect(service!.makers.flatMap(({ classes }) => classes.map(({ kind }) => kind)).filter((kind) => kind !== 'onlyA' && kind !== 'onlyB')).toEqual([])
  })
})

const BOTH = `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 }, outcome: { profile: outcome@1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z, maxAge: 2m }
settlement: { missing: draw, outcomes: drawn, lag: 1m }
arrivals: { until: 10m }
bettors:
  - { kind: noise, service: parlay, n: 40, every: 3m, legsMax: 3 }
  - { kind: impatient, service: parlay, n: 15, every: 4m, legsMax: 3, holdMin: 10s, holdMax: 3m }
  - { kind: noise, name: takers, service: outcome, n: 20, every: 3m, legsMin: 1 }
  - { kind: impatient, name: leavers, service: outcome, n: 15, every: 4m, legsMin: 1, legsMax: 2, holdMin: 10s, holdMax: 3m }
makers:
  - { use: fixed-margin, service: parlay, capital: 50000 USDC, params: { margin: 4%, bid: 2% }, faults: { missConfirm: 10% } }
  - { use: lay-off, name: hedger, service: parlay, capital: 50000 USDC, layOff: { bankroll: 50000 USDC } }
  - { use: cashout-bidder, name: dealer, service: parlay, capital: 50000 USDC, params: { margin: 1%, resellAfter: 1m } }
  - { use: fixed-margin, name: street, service: outcome, capital: 50000 USDC, params: { margin: 2%, bid: 2% }, faults: { missConfirm: 10% } }
  - { use: random, name: anyone, service: outcome, capital: 50000 USDC }
inference: { cluster: event }
`

describe('the classes of a difference', () => {
  it.each([
    ['makers.0.params.margin=2%'], ['makers.2.params.margin=3%'], ['makers.4.use=shade'], ['seeds.makers=2'],
  ])('add up to the difference of the runs\' profits, on both services: %s', async (set) => {
    const a = await once(BOTH)
    const b = (await changed(a, [set])).path
    const summaries = await Promise.all([a, b].map(summariseRun)) as { services: Record<string, Summary> }[]
    const { services } = diffRuns(a, b)
    expect(services.map(({ service }) => service)).toEqual(['parlay', 'outcome'])
    const redraws = await Promise.all([a, b].map((run) => redraw(run)))
    let [fills, standing] = [0, 0]
    for (const { service, makers } of services) {
      for (const { name, classes, profit, luckAdjusted, luckAdjustedDifference, redrawn } of makers) {
        const [meanA, meanB] = redraws.map((run) => run.services.find((one) => one.service === service)!.makers.find((maker) => maker.name === name)?.mean.value ?? 0)
        expect(Math.abs(redrawn!.mean.value - (meanB! - meanA!))).toBeLessThanOrEqual(2)
        standing += redrawn!.asRecorded.a + redrawn!.asRecorded.b
        const [inA, inB] = summaries.map(({ services: of }) => of[service]!.makers.find((maker) => maker.name === name)!)
        expect(profit).toEqual({ aMicros: inA!.profitMicros, bMicros: inB!.profitMicros, differenceMicros: inB!.profitMicros - inA!.profitMicros })
        expect(classes.reduce((sum, one) => sum + one.profit.differenceMicros, 0)).toBe(profit.differenceMicros)
        expect(luckAdjusted.aMicros).toBe(inA!.profitMicros - Math.round((inA!.attribution.terms.luck.estimate ?? 0) * 1e6))
        expect(classes.reduce((sum, one) => sum + one.luckAdjusted.differenceMicros, 0)).toBe(luckAdjusted.differenceMicros)
        expect(luckAdjustedDifference.estimate).toBe(luckAdjusted.differenceMicros)
        fills += classes.reduce((sum, { requests }) => sum + requests, 0)
      }
    }
    expect(fills).toBeGreaterThan(50)
    expect(standing).toBeGreaterThan(0)
  })
})
