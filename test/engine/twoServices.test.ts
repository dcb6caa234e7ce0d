import { describe, expect, it } from 'vitest'
import { scripted, type ScriptedRequest } from '../../src/agent/bettors/scripted.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { Delay, Latency } from '../../src/agent/latency.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { CohortEntry, LayOffEntry, MakerEntry, OperatorInput, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { POSTING_STRIDE, PostingField } from '../../src/ledger/postingRows.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { Digest } from '../../src/record/digest.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import { SERVICE_NAMES } from '../../src/unit/services.ts'
import { OutcomeOp, SetFees } from '../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_EVENT_NAMES } from '../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_GATE_SETTINGS } from '../../src/venue/outcome/protocol/gate.ts'
import { OUTCOME_SETTINGS } from '../../src/venue/outcome/protocol/profile.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { PARLAY_EVENT_NAMES } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { namesOf as outcomeNamesOf } from '../venue/outcome/cellNames.ts'
import { namesOf as parlayNamesOf } from '../venue/parlay/cellNames.ts'
import { gateProfile } from './gateWorld.ts'
import { type LoggedRow, loggedRow } from './loggedRow.ts'
import { outcomeAuctionConfig, outcomeIds } from './outcomeWorld.ts'
import { auctionConfig, makerEntry } from './world.ts'
import { Resolve } from '../../src/venue/contract.ts'

const START = 1_750_000_000_000_000
const SECONDS = 30
const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })
/** Venue to participant 20 ms, back 50 ms, a confirmation 200 ms. */
const LATENCY: Latency = { feedUs: 0, broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }

/** Rows of both services in the order of `seq`: seconds after the start, service, kind; and all that they say, but for seq and cause. */
class BothLog implements Sink {
  readonly rows: { seq: number; atUs: number; service: string; kind: string; told: LoggedRow }[] = []
  /** Sequence numbers of both services' postings. */
  readonly postings: number[] = []

  flush({ parlay, outcome }: Batch): void {
    for (const batch of [parlay, outcome]) {
      if (batch === null) continue
      const { events } = batch
      for (let row = 0; row < batch.postings.count; row++) this.postings.push(batch.postings.cells[row * POSTING_STRIDE + PostingField.seq]!)
      const isParlay = batch === parlay
      for (let i = 0; i < events.count; i++) {
        const own = events.rowCells(events.row(i))
        const told = loggedRow(events, own.first, isParlay ? parlayNamesOf(own) : outcomeNamesOf(own))
        const kind = (isParlay ? PARLAY_EVENT_NAMES : OUTCOME_EVENT_NAMES)[told.kind]!
        this.rows.push({ seq: told.seq, atUs: told.atUs, service: SERVICE_NAMES[told.service]!, kind, told: { ...told, seq: 0, cause: 0 } })
      }
    }
  }

  finish(): void {}
  abort(): void {}

  inOrder(): [number, string, string][] {
    return this.rows.toSorted((a, b) => a.seq - b.seq).map(({ atUs, service, kind }) => [(atUs - START) / 1e6, service, kind])
  }
}

const REQUEST: ScriptedRequest = {
  legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.yes }], betMicros: usd(25), minOddsE4: 20_000, decideUs: sec(5), cancel: false,
}

const bettor = (name: string, arrivals: readonly number[]): CohortEntry => ({
  name, strategy: scripted(arrivals.map(() => REQUEST)), values: {}, bettors: 1, bankrollMicros: usd(1000), everyUs: 0,
  arrivalsUs: arrivals.map((at) => START + sec(at)), latency: LATENCY,
})

const quoting = (name: string, probability: number, handlers: MakerHandlers = {}, layOff?: LayOffEntry): MakerEntry => ({
  name, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults: NO_FAULTS,
  strategy: maker({}, () => ({
    onRequest: (request, desk) => { if (probability > 0) desk.quote(request, { probability, validUs: 15_000_000 }) }, ...handlers,
  })) as unknown as MakerStrategy,
  ...(layOff === undefined ? {} : { layOff }),
})

function configOf(
  parlay: Pick<NonNullable<SessionConfig['parlay']>, 'makers' | 'cohorts'>, outcome: Pick<NonNullable<SessionConfig['outcome']>, 'makers' | 'cohorts'>,
  more: readonly OperatorInput[] = [], result: number = MarketResult.yes,
): SessionConfig {
  const none = new Int32Array(0)
  return {
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(150), marketCount: 2, freshViews: true,
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator: [
      ...[0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })), ...more,
      ...[0, 1].map((market) => ({ atUs: START + sec(199), op: ParlayOp.resolveMarket, market, [Resolve.result]: result })),
    ],
    parlay: { profile: profileOf(PARLAY_SETTINGS), ...parlay },
    outcome: { profile: profileOf(OUTCOME_SETTINGS, { entryOpenMs: 90_000 }), signatures: 'tag', outcomeIds: outcomeIds(2), ...outcome },
    sinks: [],
  }
}

function played(config: SessionConfig) {
  const log = new BothLog()
  const session = new Session({ ...config, sinks: [log] })
  session.runToEnd()
  const balance = { parlay: session.parlay!.venue.view, outcome: session.outcome!.venue.view }
  const free = (service: 'parlay' | 'outcome', account: number): number => balance[service].balance(account).freeMicros
  return { session, log, free, rows: (...names: string[]) => log.inOrder().filter(([, , kind]) => names.includes(kind)) }
}

describe('two services on one clock', () => {
  it('INV-30 at equal times the operator comes first, then deadlines by service, then the queue', () => {
    const { rows } = played(configOf(
      { makers: [], cohorts: [bettor('a', [10, 100])] }, { makers: [], cohorts: [bettor('b', [10, 100])] },
      [{ atUs: START + sec(100.05), op: ParlayOp.haltMarket, market: 0 }],
    ))
    // Both requests are made at 10.05 s and live for 90 s.
    expect(rows('marketHalted', 'outcomeHalted', 'requestExpired', 'rfqClosed', 'requestCreated', 'rfqCreated').slice(0, 8)).toEqual([
      [10.05, 'parlay', 'requestCreated'], [10.05, 'outcome', 'rfqCreated'],
      [100.05, 'parlay', 'marketHalted'], [100.05, 'outcome', 'outcomeHalted'], [100.05, 'parlay', 'requestExpired'], [100.05, 'outcome', 'rfqClosed'],
      [100.05, 'parlay', 'requestCreated'], [100.05, 'outcome', 'rfqCreated'],
    ])
  })

  it('INV-30 keeps that order when a deadline of which nothing comes is the one before', () => {
    // The quote of 10.12 s is withdrawn at once, so that its end at 25.12 s is nobody's business, and nothing else is under way until 100.05 s.
    const fickle = quoting('fickle', 0.9, { onRequest: (request, desk) => {
      desk.quote(request, { probability: 0.9, validUs: 15_000_000 })
      desk.withdrawQuote(request)
    } })
    const { rows } = played(configOf(
      { makers: [fickle], cohorts: [bettor('a', [10])] }, { makers: [], cohorts: [bettor('b', [10])] },
      [{ atUs: START + sec(100.05), op: ParlayOp.haltMarket, market: 0 }],
    ))
    expect(rows('quoteWithdrawn', 'quoteExpired', 'marketHalted', 'outcomeHalted', 'requestExpired', 'rfqClosed')).toEqual([
      [10.12, 'parlay', 'quoteWithdrawn'],
      [100.05, 'parlay', 'marketHalted'], [100.05, 'outcome', 'outcomeHalted'], [100.05, 'parlay', 'requestExpired'], [100.05, 'outcome', 'rfqClosed'],
    ])
  })

  it('INV-30 counts rows of both in one sequence without a gap', () => {
    const { log, session } = played(configOf({ makers: [quoting('a', 0.25)], cohorts: [bettor('p', [10])] }, { makers: [quoting('b', 0.25)], cohorts: [bettor('q', [10])] }))
    const numbers = [...log.rows.map(({ seq }) => seq), ...log.postings].sort((a, b) => a - b)
    expect(log.postings.length).toBeGreaterThan(10)
    expect(numbers).toEqual(Array.from({ length: session.counts.rows }, (_, i) => i + 1))
  })

  const alone = auctionConfig(SECONDS)
  const both: SessionConfig = { ...alone, outcome: outcomeAuctionConfig(SECONDS).outcome }

  it('plays each as it plays alone, where nothing crosses', () => {
    const logOf = (config: SessionConfig): BothLog => {
      const log = new BothLog()
      new Session({ ...config, sinks: [log] }).runToEnd()
      return log
    }
    const together = logOf(both).rows
    const toldBy = (rows: BothLog['rows'], service: string): LoggedRow[] => rows.filter((row) => row.service === service).map(({ told }) => told)
    // Participants of one name have one account, whichever services they trade on.
    expect(toldBy(together, 'parlay')).toEqual(toldBy(logOf(alone).rows, 'parlay'))
    expect(toldBy(together, 'outcome')).toEqual(toldBy(logOf(outcomeAuctionConfig(SECONDS)).rows, 'outcome'))
  })

  it('INV-30 gives the same digest with every chunk size and from an image', () => {
    const digestOf = (chunk: number): string => {
      const digest = new Digest()
      new Session({ ...both, sinks: [digest] }).runToEnd(chunk)
      return digest.hex()
    }
    const expected = digestOf(4096)
    expect(digestOf(3)).toBe(expected)
    const digests = [new Digest(), new Digest()]
    const [first, second] = digests.map((digest) => new Session({ ...both, sinks: [digest] })) as [Session, Session]
    first.run(3000)
    second.restore(structuredClone(first.snapshot()))
    digests[1]!.restore(digests[0]!.snapshot())
    second.runToEnd()
    expect(digests[1]!.hex()).toBe(expected)
  })

  it('counts arrivals on both against one limit', () => {
    const session = new Session({ ...both, arrivalsMax: 50 })
    session.runToEnd()
    expect(session.counts.arrivals).toBe(50)
  })

  it('gives an operator’s input to the service that it names, else to each', () => {
    const fees = { atUs: START + sec(5), op: OutcomeOp.setFees, market: -1, service: 'outcome' as const, [SetFees.takerFeeBps]: 30, [SetFees.feeBps]: 100 }
    const { rows } = played(configOf({ makers: [], cohorts: [] }, { makers: [], cohorts: [] }, [fees]))
    expect(rows('feesChanged')).toEqual([[5, 'outcome', 'feesChanged']])
    expect(rows('marketResolved', 'outcomeResolved')).toHaveLength(4)
  })
})

describe('a maker that lays off', () => {
  const entry = (service: LayOffEntry['service']): LayOffEntry => ({ service, account: 'm off', bankrollMicros: usd(1000), latency: LATENCY })
  /** Lays 10 USDC of each fill off at `minOddsE4`, decided 2 s later. */
  const off = (minOddsE4: number): MakerHandlers => ({
    onOpened: (position, desk) => { expect(desk.layOff(position, { betMicros: usd(10), minOddsE4, decideInUs: sec(2) })).toBe(true) },
  })
  const toOutcome = (minOddsE4: number, result?: number) => played(configOf(
    { makers: [quoting('m', 0.25, off(minOddsE4), entry('outcome'))], cohorts: [bettor('p', [10])] }, { makers: [quoting('o', 0.2)], cohorts: [] }, [], result,
  ))

  it('bets on the same legs on the other service, with an account and money of its own there', () => {
    const { rows, free, session } = toOutcome(41_000)
    // Filled at 15.27 s and told so at 15.29 s; decided at 17.29 s. The net stake is 9.98, which pays 49.9.
    expect(rows('positionOpened', 'rfqCreated', 'quoteCreated', 'quoteAccepted', 'positionSettled', 'positionClaimed')).toEqual([
      [15.27, 'parlay', 'positionOpened'], [15.34, 'outcome', 'rfqCreated'], [15.41, 'outcome', 'quoteCreated'], [17.34, 'outcome', 'quoteAccepted'],
      [19.56, 'outcome', 'positionOpened'], [199, 'parlay', 'positionSettled'], [200, 'outcome', 'positionSettled'], [200, 'outcome', 'positionClaimed'],
    ])
    // Accounts: bettor 0, makers m 1 and o 2, what m lays off 3. The parlay's stake of 24.75 paid 99.
    expect(free('parlay', 1)).toBe(usd(10_000 - 74.25))
    expect(free('outcome', 3)).toBe(usd(1000 - 10 + 49.9 - 0.3992))
    expect(free('outcome', 2)).toBe(usd(10_000 - 39.92))
    expect(session.counts.arrivals).toBe(1)
  })

  it('does so behind the gates of both, with a key of its own', () => {
    const plain = configOf(
      { makers: [quoting('m', 0.25, off(41_000), entry('outcome'))], cohorts: [bettor('p', [10])] }, { makers: [quoting('o', 0.2)], cohorts: [] },
    )
    const { rows, free } = played({
      ...plain,
      parlay: { ...plain.parlay!, gate: { profile: gateProfile(), keys: { lifeUs: 0, renewAfterUs: 0 }, endpoints: [] } },
      outcome: { ...plain.outcome!, gate: { profile: profileOf(OUTCOME_GATE_SETTINGS), keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 0, backoffUs: 0 } } },
    })
    expect(rows('positionOpened')).toEqual([[15.27, 'parlay', 'positionOpened'], [19.56, 'outcome', 'positionOpened']])
    expect(free('outcome', 3)).toBe(usd(1000 - 10 + 49.9 - 0.3992))
  })

  it('loses there what it wins here', () => {
    const { free } = toOutcome(41_000, MarketResult.no)
    expect([free('parlay', 1), free('outcome', 3)]).toEqual([usd(10_000 + 24.75), usd(1000 - 10)])
  })

  it('takes odds that are just enough, and lets lower ones go', () => {
    expect(toOutcome(50_000).rows('rfqFilled', 'rfqCancelled')).toEqual([[17.56, 'outcome', 'rfqFilled']])
    expect(toOutcome(50_001).rows('rfqFilled', 'rfqCancelled')).toEqual([[17.34, 'outcome', 'rfqCancelled']])
  })

  it('does it from the outcome service too', () => {
    const { rows, free } = played(configOf(
      { makers: [quoting('p', 0.2)], cohorts: [] }, { makers: [quoting('m', 0.25, off(41_000), entry('parlay'))], cohorts: [bettor('q', [10])] },
    ))
    // Open at 17.27 s, told at 17.29 s. The stake of 9.9 pays 49.5, less 1 % of 39.6.
    expect(rows('positionOpened', 'requestCreated', 'quoteSelected')).toEqual([
      [17.27, 'outcome', 'positionOpened'], [17.34, 'parlay', 'requestCreated'], [19.34, 'parlay', 'quoteSelected'], [19.56, 'parlay', 'positionOpened'],
    ])
    // Accounts: bettor 0, makers p 1 and m 2, what m lays off 3.
    expect([free('outcome', 2), free('parlay', 3), free('parlay', 1)]).toEqual([usd(10_000 - 74.85), usd(1000 - 10 + 49.5 - 0.396), usd(10_000 - 39.6)])
  })

  it('asks nobody without an account for it, and only for what it backs', () => {
    const asked: boolean[] = []
    const plain = quoting('m', 0.25, { onOpened: (position, desk) => { asked.push(desk.layOff(position, { betMicros: usd(10), minOddsE4: 20_000, decideInUs: 0 })) } })
    const { rows } = played(configOf({ makers: [plain], cohorts: [bettor('p', [10])] }, { makers: [quoting('o', 0.2)], cohorts: [] }))
    expect(asked).toEqual([false])
    expect(rows('rfqCreated')).toEqual([])
  })

  const jittered = (s: number): Delay => ({ baseUs: sec(s), jitterUs: sec(0.4) })
  const jitter: Latency = { feedUs: 0, broadcast: jittered(0.02), submit: jittered(0.05), confirm: jittered(0.2) }
  /** What happened to each RFQ on the outcome service, in its order; fills of `first` come before those of the cohort p. */
  const laidOff = (handlers: MakerHandlers, first: readonly CohortEntry[] = []): string[] => {
    const maker = { ...quoting('m', 0.25, handlers, { ...entry('outcome'), latency: jitter }), latency: jitter }
    const { log } = played(configOf({ makers: [maker], cohorts: [...first, bettor('p', [10, 12, 14, 16, 18, 20])] }, { makers: [{ ...quoting('o', 0.2), latency: jitter }], cohorts: [] }))
    const stories = new Map<number, string>()
    for (const { atUs, service, kind, told } of log.rows) {
      const { rfq = -1, oddsE4 } = told as LoggedRow & { readonly rfq?: number; readonly oddsE4?: number }
      if (service === 'outcome' && rfq >= 0) stories.set(rfq, `${stories.get(rfq) ?? ''} ${(atUs - START) / 1e6} ${kind} ${oddsE4}`)
    }
    return [...stories.values()]
  }

  it('INV-30 draws for what it lays off by the request that was filled, so that one request more moves nothing of the others', () => {
    const without = laidOff(off(41_000))
    const more = laidOff(off(41_000), [bettor('more', [5])])
    expect([without.length, more.length]).toEqual([6, 7])
    expect(without.every((story) => story.includes('positionOpened'))).toBe(true)
    expect(more.slice(1)).toEqual(without)
  })

  it('draws anew for each lay-off of one fill', () => {
    const twice: MakerHandlers = { onOpened: (position, desk) => { for (const minOddsE4 of [41_000, 42_000]) desk.layOff(position, { betMicros: usd(10), minOddsE4, decideInUs: sec(2) }) } }
    const stories = laidOff(twice)
    expect(stories).toHaveLength(12)
    expect(new Set(stories.map((story) => story.split(' rfqCreated')[0])).size).toBe(12)
  })

  it('asks for nothing that the outcome service never takes', () => {
    const asked: boolean[] = []
    const ask: MakerHandlers = { onOpened: (position, desk) => {
      // The entry fee of 0.2 % is rounded down; 99.8 USDC at these odds pay 99,999.9992 USDC and 100,000.00918.
      for (const [betMicros, minOddsE4] of [[1_002_003, 20_000], [1_002_004, 20_000], [usd(100), 10_020_040], [usd(100), 10_020_041]] as const) {
        asked.push(desk.layOff(position, { betMicros, minOddsE4, decideInUs: 0 }))
      }
    } }
    const { rows } = played(configOf({ makers: [quoting('m', 0.25, ask, entry('outcome'))], cohorts: [bettor('p', [10])] }, { makers: [], cohorts: [] }))
    expect(asked).toEqual([false, true, true, false])
    expect(rows('rfqCreated')).toHaveLength(2)
  })

  it('asks for nothing that the parlay service never takes: a bet out of range, one leg, legs that exclude each other', () => {
    const asked: boolean[] = []
    const ask: MakerHandlers = { onOpened: (position, desk) => {
      for (const betMicros of [999_999, 1_000_000, 100_000_000, 100_000_001]) asked.push(desk.layOff(position, { betMicros, minOddsE4: 20_000, decideInUs: 0 }))
      for (const minOddsE4 of [10_000_000, 10_000_001]) asked.push(desk.layOff(position, { betMicros: usd(1), minOddsE4, decideInUs: 0 }))
    } }
    const plain = configOf({ makers: [], cohorts: [] }, { makers: [quoting('m', 0.25, ask, entry('parlay'))], cohorts: [bettor('q', [10])] })
    const limits = { ...plain, parlay: { ...plain.parlay!, profile: profileOf(PARLAY_SETTINGS, { oddsE4Max: 10_000_000 }) } }
    expect(played(limits).rows('requestCreated')).toHaveLength(3)
    expect(asked.splice(0)).toEqual([false, true, true, false, true, false])
    played({ ...limits, keys: { texts: ['a'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 0) } })
    expect(asked.splice(0)).toEqual(Array(6).fill(false))
    const single = { ...bettor('q', [10]), strategy: scripted([{ ...REQUEST, legs: REQUEST.legs.slice(0, 1) }]) }
    played({ ...limits, outcome: { ...limits.outcome!, cohorts: [single] } })
    expect(asked).toEqual(Array(6).fill(false))
  })

  it('lays a position off only while it is being shown', () => {
    let kept: Parameters<NonNullable<MakerHandlers['onOpened']>>[0]
    const late: MakerHandlers = {
      onOpened(position) { kept = position },
      onRequest(request, desk) {
        if (kept !== undefined) desk.layOff(kept, { betMicros: usd(10), minOddsE4: 20_000, decideInUs: 0 })
        desk.quote(request, { probability: 0.25, validUs: 15_000_000 })
      },
    }
    const config = configOf({ makers: [quoting('m', 0.25, late, entry('outcome'))], cohorts: [bettor('p', [10, 20])] }, { makers: [], cohorts: [] })
    expect(() => played({ ...config, freshViews: false })).toThrow('a view holds during its handler only')
  })

  it('changes nothing that others do while it lays nothing off', () => {
    const plain = auctionConfig(5)
    const silent = makerEntry('m', maker({}, () => ({})) as unknown as MakerStrategy)
    const quotesOf = (seat: MakerEntry): LoggedRow[] => {
      const log = new BothLog()
      const parlay = { ...plain.parlay, makers: [...plain.parlay.makers, seat] }
      new Session({ ...plain, parlay, outcome: outcomeAuctionConfig(5).outcome, sinks: [log] }).runToEnd()
      return log.rows.filter(({ kind }) => kind === 'quoteCreated' || kind === 'quoteSubmitted').map(({ told }) => told)
    }
    const without = quotesOf(silent)
    expect(without.length).toBeGreaterThan(100)
    expect(quotesOf({ ...silent, layOff: entry('outcome') })).toEqual(without)
  })

  it('goes on from an image taken while it lays off', () => {
    const config = configOf({ makers: [quoting('m', 0.25, off(41_000), entry('outcome'))], cohorts: [bettor('p', [10, 12, 14])] }, { makers: [quoting('o', 0.2)], cohorts: [] })
    const digestFrom = (steps: number): string => {
      const digests = [new Digest(), new Digest()]
      const [first, second] = digests.map((digest) => new Session({ ...config, sinks: [digest] })) as [Session, Session]
      first.run(steps)
      second.restore(structuredClone(first.snapshot()))
      digests[1]!.restore(digests[0]!.snapshot())
      second.runToEnd()
      return digests[1]!.hex()
    }
    const whole = new Digest()
    new Session({ ...config, sinks: [whole] }).runToEnd()
    for (const steps of [10, 30, 40, 50, 60, 70, 80]) expect(digestFrom(steps)).toBe(whole.hex())
  })
})
