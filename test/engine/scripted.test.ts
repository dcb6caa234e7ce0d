import { describe, expect, it } from 'vitest'
import { scripted, type ScriptedRequest } from '../../src/agent/bettors/scripted.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { Delay, Latency } from '../../src/agent/latency.ts'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import type { OperatorInput, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { PARLAY_EVENT_NAMES, PositionOutcome } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_OP_NAMES, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { RowLog } from './rowLog.ts'
import { parlayConfig, type Replaced, type ParlayConfig } from './world.ts'
import { Resolve } from '../../src/venue/contract.ts'

const START = 1_750_000_000_000_000
const BETTOR = 0
const MAKER = 1
const MARKETS = 3
const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })

/** Bettor to venue 100 ms, back 30 ms; venue to maker 20 ms, a quote back 50 ms, a confirmation 200 ms. */
const BETTOR_LATENCY: Latency = { feedUs: 0, broadcast: fixed(0.03), submit: fixed(0.1), confirm: fixed(0) }
const MAKER_LATENCY: Latency = { feedUs: 0, broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }

/** Offers 4.0 on everything, after a while that can be none, and confirms or declines. */
const atFour = ({ afterUs = 0, confirms = true } = {}): MakerStrategy => maker({}, () => ({
  onRequest(request, desk) {
    if (afterUs === 0) desk.quote(request, { probability: 0.25, validUs: 60_000_000 })
    else desk.later(request, afterUs)
  },
  onLater(request, desk) { desk.quote(request, { probability: 0.25, validUs: 60_000_000 }) },
  onSelected(selection, desk) { return confirms ? desk.confirm(selection) : desk.decline(selection) },
})) as MakerStrategy

const REQUEST: ScriptedRequest = {
  legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.no }], betMicros: usd(25), minOddsE4: 35_000, decideUs: sec(5), cancel: false,
}

/** Market 0 resolves yes at 200 s, market 1 no and market 2 yes a second later. */
const operator: readonly OperatorInput[] = [
  ...[0, 1, 2].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
  { atUs: START + sec(200), op: ParlayOp.resolveMarket, market: 0, [Resolve.result]: MarketResult.yes },
  { atUs: START + sec(201), op: ParlayOp.resolveMarket, market: 1, [Resolve.result]: MarketResult.no },
  { atUs: START + sec(201), op: ParlayOp.resolveMarket, market: 2, [Resolve.result]: MarketResult.yes },
]

function configOf(script: readonly (readonly [number, Partial<ScriptedRequest>])[], strategy = atFour(), replaced: Replaced = {}): ParlayConfig {
  const none = new Int32Array(0)
  return parlayConfig({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(100), profile: profileOf(PARLAY_SETTINGS), marketCount: MARKETS,
    keys: { texts: ['a', 'b', 'c'], start: Int32Array.of(0, 1, 2, 3), keys: Int32Array.of(0, 1, 2) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator,
    makers: [{ name: 'four', strategy, values: {}, capitalMicros: usd(1000), latency: MAKER_LATENCY, faults: NO_FAULTS }],
    cohorts: [{
      name: 'alice', strategy: scripted(script.map(([, request]) => ({ ...REQUEST, ...request }))), values: {}, bettors: 1,
      bankrollMicros: usd(1000), everyUs: 0, arrivalsUs: script.map(([at]) => START + sec(at)), latency: BETTOR_LATENCY,
    }],
    sinks: [], ...replaced,
  })
}

function playedOf(config: SessionConfig) {
  const log = new RowLog()
  const session = new Session({ ...config, sinks: [log] })
  session.runToEnd()
  /** Rows of some kinds and commands of some opcodes, by name and seconds after the start. */
  const rows = (...names: string[]) => log.rows.map((row) => [(row.atUs - START) / 1e6, PARLAY_EVENT_NAMES[row.kind]!] as const).filter(([, name]) => names.includes(name))
  const commands = (...names: string[]) => log.commands.map(({ atUs, op }) => [(atUs - START) / 1e6, PARLAY_OP_NAMES[op]!] as const).filter(([, name]) => names.includes(name))
  return { session, log, rows, commands }
}

const played = (...parts: Parameters<typeof configOf>) => playedOf(configOf(...parts))

describe('a scripted bettor', () => {
  it('PQ-423 bets 25 USDC at 4.0 and receives 98.2575, every row at its time', () => {
    const { session, log, rows } = played([[10, {}]])
    expect(rows(
      'requestCreated', 'quoteSubmitted', 'bestQuoteChanged', 'quoteSelected', 'quoteFilled', 'requestCommitted', 'positionOpened', 'marketResolved', 'positionSettled',
    )).toEqual([
      // Made at 10 s: 100 ms to the venue, 20 ms to the maker, 50 ms back.
      [10.1, 'requestCreated'], [10.17, 'quoteSubmitted'], [10.17, 'bestQuoteChanged'],
      // Decided at 15 s: 100 ms to the venue, 20 ms to the maker, its confirmation after 200 ms.
      [15.1, 'quoteSelected'], [15.32, 'quoteFilled'],
      // The only quote is taken: the book has no best one any more.
      [15.32, 'bestQuoteChanged'], [15.32, 'requestCommitted'], [15.32, 'positionOpened'],
      [200, 'marketResolved'], [201, 'marketResolved'], [201, 'marketResolved'], [201, 'positionSettled'],
    ])
    // Fee 0.25, stake 24.75, payout 99, profit 74.25, profit fee 0.7425.
    expect(log.rows.find(({ kind }) => PARLAY_EVENT_NAMES[kind] === 'positionOpened')).toMatchObject({
      holder: BETTOR, backer: MAKER, oddsE4: 40_000, netStakeMicros: usd(24.75), payoutMicros: usd(99), takerFeeMicros: usd(0.25), list: [0, Side.yes, 1, Side.no],
    })
    expect(log.rows.find(({ kind }) => PARLAY_EVENT_NAMES[kind] === 'positionSettled')).toMatchObject({
      holder: BETTOR, backer: MAKER, outcome: PositionOutcome.won, toHolderMicros: 98_257_500, toBackerMicros: 0, profitFeeMicros: 742_500, takerFeeKeptMicros: 250_000,
    })
    // 1000 − 25 + 98.2575, and 1000 − 74.25.
    expect(session.parlay!.venue.view.balance(BETTOR)).toMatchObject({ freeMicros: usd(1073.2575), lockedMicros: 0 })
    expect(session.parlay!.venue.view.balance(MAKER)).toMatchObject({ freeMicros: usd(925.75), lockedMicros: 0 })
  })

  it('makes each request at its instant and in its order, from the first instant to the last', () => {
    const one = { legs: [{ market: 2, side: Side.no }, { market: 0, side: Side.yes }], betMicros: usd(1) } as const
    const { log, session } = played([[0, {}], [20, one], [20, { betMicros: usd(2) }], [99.999999, { betMicros: usd(3) }]])
    const made = log.commands.filter(({ op }) => op === ParlayOp.createRequest)
    expect(made.map(({ atUs, account, betMicros, legs }) => [atUs - START, account, betMicros, legs])).toEqual([
      [sec(0.1), BETTOR, usd(25), '0:1 1:0'], [sec(20.1), BETTOR, usd(1), '2:0 0:1'],
      [sec(20.1), BETTOR, usd(2), '0:1 1:0'], [sec(100.099999), BETTOR, usd(3), '0:1 1:0'],
    ])
    expect(session.counts.arrivals).toBe(4)
  })

  it('makes none at the end of the arrivals', () => {
    expect(played([[100, {}]]).commands('createRequest')).toEqual([])
  })

  it('draws nothing: another seed and chunk size give the same rows', () => {
    const config = configOf([[0, {}], [20, { betMicros: usd(2) }]])
    const other = new RowLog()
    new Session({ ...config, seed: 'b', sinks: [other] }).runToEnd(1)
    expect(other.rows).toEqual(playedOf(config).log.rows)
  })

  it('takes odds at its floor and not under it', () => {
    expect(played([[10, { minOddsE4: 40_000 }]]).commands('commitRequest')).toEqual([[15.1, 'commitRequest']])
    const { commands, rows } = played([[10, { minOddsE4: 40_001 }]])
    expect(commands('commitRequest')).toEqual([])
    // 90 s after the venue took it.
    expect(rows('requestExpired')).toEqual([[100.1, 'requestExpired']])
  })

  it('looks again each second, ten times', () => {
    // Quotes reach the bettor 200 ms and the maker's pause after 10 s; looks are at 15, 16, … 25 s.
    expect(played([[10, {}]], atFour({ afterUs: sec(4.799999) })).commands('commitRequest')).toEqual([[15.1, 'commitRequest']])
    expect(played([[10, {}]], atFour({ afterUs: sec(4.800001) })).commands('commitRequest')).toEqual([[16.1, 'commitRequest']])
    expect(played([[10, {}]], atFour({ afterUs: sec(14.799999) })).commands('commitRequest')).toEqual([[25.1, 'commitRequest']])
    expect(played([[10, {}]], atFour({ afterUs: sec(14.800001) })).commands('commitRequest')).toEqual([])
  })

  it('cancels at the decision when the script says so, whatever was offered', () => {
    const { commands, rows } = played([[10, { cancel: true, decideUs: sec(2) }]])
    expect(commands('commitRequest', 'cancelRequest')).toEqual([[12.1, 'cancelRequest']])
    expect(rows('quoteSubmitted', 'requestCancelled')).toEqual([[10.17, 'quoteSubmitted'], [12.1, 'requestCancelled']])
  })

  it('puts a decision that comes before the request is known off by 100 ms', () => {
    // The venue knows the request from 10.1 s on, the message sent before the decision at the same instant.
    expect(played([[10, { cancel: true, decideUs: 0 }]]).commands('cancelRequest')).toEqual([[10.2, 'cancelRequest']])
  })

  it('does not try a refused commit again', () => {
    const { commands, rows } = played([[10, {}]], atFour({ confirms: false }))
    expect(commands('commitRequest', 'declineSelection')).toEqual([[15.1, 'commitRequest'], [15.32, 'declineSelection']])
    expect(rows('requestExpired')).toEqual([[100.1, 'requestExpired']])
  })

  it('goes on from a checkpoint as if there had been none', () => {
    const config = configOf([[0, {}], [20, {}], [40, { cancel: true }]])
    const whole = new Session(config)
    whole.runToEnd()
    const first = new Session(config)
    // Operator inputs, the first request and a part of the second.
    first.run(20)
    const second = new Session(config)
    second.restore(structuredClone(first.snapshot()))
    expect(second.nowUs).toBeLessThan(START + sec(40))
    second.runToEnd()
    expect(second.stateHash()).toBe(whole.stateHash())
  })

  it('stops at an arrival that lies in the past: a bug of whoever made the script', () => {
    expect(() => played([[10, {}], [9, {}]])).toThrow('arrival 1 of alice lies in the past')
  })
})
