import { describe, expect, it } from 'vitest'
import { scripted, type ScriptedRequest } from '../../src/agent/bettors/scripted.ts'
import { Connection, type Faults, NO_FAULTS } from '../../src/agent/faults.ts'
import type { Delay, Latency } from '../../src/agent/latency.ts'
import { type MakerHandlers, type MakerStrategy, maker } from '../../src/agent/maker.ts'
import { Action } from '../../src/agent/vocabulary.ts'
import type { MakerEntry } from '../../src/engine/config.ts'
import { entityOfName } from '../../src/kernel/names.ts'
import { Session } from '../../src/engine/session.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, QuoteSubmitted, Reply, RequestEnded } from '../../src/venue/parlay/protocol/events.ts'
import { PARLAY_SETTINGS } from '../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { type LoggedRow, ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { parlayConfig, type Replaced, sessionConfig } from './world.ts'
import { Resolve } from '../../src/venue/contract.ts'

const START = 1_750_000_000_000_000
const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => Math.round(s * 1_000_000)
const fixed = (s: number): Delay => ({ baseUs: sec(s), jitterUs: 0 })
/** Venue to participant 20 ms, back 50 ms, a confirmation 200 ms. */
const LATENCY: Latency = { feedUs: 0, broadcast: fixed(0.02), submit: fixed(0.05), confirm: fixed(0.2) }
const REQUEST: ScriptedRequest = {
  legs: [{ market: 0, side: Side.yes }, { market: 1, side: Side.no }], betMicros: usd(25), minOddsE4: 20_000, decideUs: sec(5), cancel: false,
}
/** Away from the first microseconds of the session on, for good. */
const AWAY: Faults = { ...NO_FAULTS, disconnectEveryUs: 1, disconnectForUs: 1e15 }

/** What makers were told: seconds after the start, maker, event, and a number of it. */
type Told = [at: number, maker: string, event: string, value: number]

/** A maker that quotes `probability`, confirms, and notes what it is told; `without` takes handlers away. */
function noting(told: Told[], name: string, probability: number, without: readonly (keyof MakerHandlers)[] = [], faults = NO_FAULTS): MakerEntry {
  const strategy = maker({}, () => {
    const note = (atUs: number, event: string, value: number): void => void told.push([(atUs - START) / 1e6, name, event, value])
    const handlers: MakerHandlers = {
      onRequest(request, desk) {
        note(request.deliveredAtUs, 'request', request.netStakeMicros)
        desk.quote(request, { probability, validUs: 60_000_000 })
      },
      onBest: (request) => note(request.deliveredAtUs, 'best', request.bestOddsE4),
      onSelected(selection, desk) {
        note(selection.deliveredAtUs, 'selected', selection.oddsE4)
        desk.confirm(selection)
      },
      onAck: (ack) => note(ack.deliveredAtUs, 'ack', ack.action),
      onOpened: (position) => note(position.deliveredAtUs, 'fill', position.riskMicros),
      onSettled: (position) => note(position.deliveredAtUs, 'settled', position.profitMicros),
    }
    for (const handler of without) delete handlers[handler]
    return handlers
  }) as unknown as MakerStrategy
  return { name, strategy, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults }
}

/** Two cohorts of one bettor each make the requests of their scripts; the legs settle at 200 s. */
function play(makers: readonly MakerEntry[], replaced: Replaced = {}, scripts: readonly (readonly number[])[] = [[10]], request = REQUEST): LoggedRow[] {
  const log = new RowLog()
  const none = new Int32Array(0)
  new Session(parlayConfig({
    seed: 'a', startUs: START, arrivalsUntilUs: START + sec(150), profile: profileOf(PARLAY_SETTINGS), marketCount: 2,
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    ticks: { count: 0, atUs: new Float64Array(0), market: none, bidE6: none, askE6: none, bidSize: none, askSize: none, lastE6: none },
    operator: [
      ...[0, 1].map((market) => ({ atUs: START, op: ParlayOp.listMarket, market, closeUs: START + sec(3600) })),
      ...[0, 1].map((market) => ({ atUs: START + sec(200), op: ParlayOp.resolveMarket, market, [Resolve.result]: MarketResult.yes })),
    ],
    makers,
    cohorts: scripts.map((arrivals, i) => ({
      name: `bettor ${i}`, strategy: scripted(arrivals.map(() => request)), values: {}, bettors: 1, bankrollMicros: 2e12, everyUs: 0,
      arrivalsUs: arrivals.map((at) => START + sec(at)), latency: LATENCY,
    })),
    sinks: [log], ...replaced,
  })).runToEnd()
  return log.rows
}

describe('a request', () => {
  it('PQ-180 PQ-208 reaches every maker that holds its stream open, and no other', () => {
    const told: Told[] = []
    play([noting(told, 'here', 0.25), noting(told, 'away', 0.25, [], AWAY), noting(told, 'too', 0.5)])
    // Made at 10 s, at the venue 50 ms later, with the makers 20 ms after that; 25 less 1 % is 24.75.
    expect(told.filter(([, , event]) => event === 'request')).toEqual([[10.07, 'here', 'request', usd(24.75)], [10.07, 'too', 'request', usd(24.75)]])
  })

  it('shows a stake that is exact for the largest bets', () => {
    const told: Told[] = []
    const profile = { ...profileOf(PARLAY_SETTINGS), betMaxMicros: 1e12, takerFeeBps: 9999 }
    play([noting(told, 'a', 0.25)], { profile }, [[10]], { ...REQUEST, betMicros: 999_999_900_001 })
    // 99.99 % of the bet is 999,899,900,010.9999, rounded down.
    expect(told[0]).toEqual([10.07, 'a', 'request', 999_999_900_001 - 999_899_900_010])
  })
})

describe('a quote', () => {
  it('stands for the whole milliseconds of the life that its maker gives it', () => {
    const strategy = maker({}, () => ({
      onRequest: (request, desk) => desk.quote(request, { probability: 0.25, validUs: 5_000_999 }),
    })) as unknown as MakerStrategy
    const rows = play([{ ...noting([], 'a', 0.25), strategy }])
    expect(ofKind(rows, ParlayEvent.quoteSubmitted, QuoteSubmitted).map(({ atUs, expiresAtUs }) => expiresAtUs - atUs)).toEqual([5_000_000])
  })
})

describe('a selection', () => {
  it('reaches the chosen maker alone, and so do the fill and the end of the position', () => {
    const told: Told[] = []
    play([noting(told, 'dear', 0.5, ['onBest', 'onAck']), noting(told, 'best', 0.25, ['onBest', 'onAck']), noting(told, 'low', 0.4, ['onBest', 'onAck'])])
    // Odds of 4 against a stake of 24.75 risk 74.25; market 1 resolves yes, so the bettor's NO loses and the maker gains the stake.
    expect(told.filter(([, , event]) => event !== 'request')).toEqual([
      [15.07, 'best', 'selected', 40_000], [15.29, 'best', 'fill', usd(74.25)], [200.02, 'best', 'settled', usd(24.75)],
    ])
  })
})

describe('best quotes', () => {
  it('reach the makers that watch them, and not the others', () => {
    const told: Told[] = []
    play([noting(told, 'blind', 0.25, ['onBest']), noting(told, 'watching', 0.5), noting(told, 'away', 0.5, [], AWAY)])
    // The book's best is 4.0 at 10.12 s and gone when it is taken at 15.27 s.
    expect(told.filter(([, , event]) => event === 'best')).toEqual([[10.14, 'watching', 'best', 40_000], [15.29, 'watching', 'best', NaN]])
  })

  it('reach the bettor that owns the request, and no other', () => {
    const told: Told[] = []
    // Requests at 10 s and at 10.001 s; the maker quotes only the first.
    const once = noting(told, 'once', 0.25, ['onBest'])
    let quoted = false
    const strategy = maker({}, () => ({
      onRequest(request, desk) {
        if (!quoted) desk.quote(request, { probability: 0.25, validUs: 60_000_000 })
        quoted = true
      },
    })) as unknown as MakerStrategy
    const rows = play([{ ...once, strategy }], {}, [[10], [10.001]])
    const ended = ofKind(rows, [ParlayEvent.requestCommitted, ParlayEvent.requestExpired], RequestEnded)
    // The second bettor never sees odds and lets its request lapse 90 s after the venue took it.
    expect(ended.map(({ atUs, kind, owner }) => [(atUs - START) / 1e6, kind, owner])).toEqual([
      [15.27, ParlayEvent.requestCommitted, 0], [100.051, ParlayEvent.requestExpired, 1],
    ])
  })
})

describe('an ack', () => {
  it('reaches the maker whose command it answers, if it has a use for it', () => {
    const told: Told[] = []
    const rows = play([noting(told, 'dear', 0.5), noting(told, 'deaf', 0.3, ['onAck']), noting(told, 'best', 0.25)])
    expect(told.filter(([, , event]) => event === 'ack')).toEqual([
      [10.14, 'dear', 'ack', Action.submitQuote], [10.14, 'best', 'ack', Action.submitQuote], [15.29, 'best', 'ack', Action.confirm],
    ])
    expect(ofKind(rows, ParlayEvent.reply, Reply).filter(({ code }) => code !== ParlayCode.ok)).toEqual([])
  })
})

describe('a maker that was away', () => {
  const faults: Faults = { ...NO_FAULTS, disconnectEveryUs: sec(4), disconnectForUs: sec(4) }
  const connection = (): Connection => new Connection(faults, new Draws(rootKey('a'), Purpose.faults), entityOfName('a'), START)
  const told: Told[] = []
  const entry = { ...noting(told, 'a', 0.25, [], faults), latency: { ...LATENCY, confirm: fixed(3) } }
  const rows = play([entry], {}, [Array.from({ length: 40 }, (_, i) => 1 + i * 3)])
  /** Instants of rows at the venue, and of what the maker was told less the way to it. */
  const at = (kind: number): number[] => rows.filter((row) => row.kind === kind).map((row) => row.atUs)
  const toldOf = (event: string): number[] => told.filter(([, , e]) => e === event).map(([after]) => START + sec(after) - sec(0.02))
  const whileOpen = (instants: number[]): number[] => {
    const stream = connection()
    return instants.filter((atUs) => stream.isOpen(atUs))
  }

  it('missed selections and replies for good', () => {
    const replies = ofKind(rows, ParlayEvent.reply, Reply).filter(({ op }) => op >= ParlayOp.submitQuote).map(({ atUs }) => atUs)
    expect(whileOpen(replies).length).toBeLessThan(replies.length)
    expect(toldOf('ack')).toEqual(whileOpen(replies))
    expect(toldOf('selected')).toEqual(whileOpen(at(ParlayEvent.quoteSelected)))
  })

  it('is waited for no longer than a year', () => {
    const heard: Told[] = []
    const gone = { ...entry, strategy: noting(heard, 'a', 0.25).strategy, faults: { ...NO_FAULTS, disconnectEveryUs: sec(60), disconnectForUs: 1e17 } }
    const ends = play([gone], {}, [[0.1]])
    expect(ends.filter((row) => row.kind === ParlayEvent.positionSettled).length).toBe(1)
    expect(heard.map(([, , event]) => event)).not.toContain('settled')
  })

  it('is told of fills when it is back', () => {
    const fills = at(ParlayEvent.positionOpened)
    expect(whileOpen(fills).length).toBeGreaterThan(0)
    expect(whileOpen(fills).length).toBeLessThan(fills.length)
    const stream = connection()
    expect(toldOf('fill')).toEqual(fills.map((atUs) => (stream.isOpen(atUs) ? atUs : stream.spellEndsUs)))
  })

  it.each([0, 1, 2, 3, 4, 5])('is told of ends after their fills when it is back (seed %s)', (seed) => {
    const heard: Told[] = []
    let book: number[] = []
    const strategy = maker({}, (values, seat) => ({
      ...noting(heard, 'a', 0.25).strategy.create(values, seat),
      onSettled(position, desk) {
        heard.push([position.deliveredAtUs, 'a', 'settled', position.position])
        book = [desk.openPositions, desk.openRiskMicros, desk.freeMicros]
      },
    })) as unknown as MakerStrategy
    const ends = play([{ ...entry, strategy }], { seed: String(seed) }, [[1, 40, 80, 120]]).filter((row) => row.kind === ParlayEvent.positionSettled)
    const stream = new Connection(faults, new Draws(rootKey(String(seed)), Purpose.faults), entityOfName('a'), START)
    const toldUs = ends.map((row) => (stream.isOpen(row.atUs) ? row.atUs : stream.spellEndsUs) + sec(0.02))
    expect(heard.filter(([, , event]) => event === 'settled').map(([atUs]) => atUs)).toEqual(toldUs)
    if (ends.length > 0) expect(book).toEqual([0, 0, usd(10_000) + ends.length * usd(24.75)])
  })
})

describe('the end of a position', () => {
  it('has neither the odds nor the quote of its opening, which are unknown and no numbers', () => {
    const shown: [string, number, number][] = []
    const strategy = maker({}, () => ({
      onRequest: (request, desk) => desk.quote(request, { probability: 0.25, validUs: 60_000_000 }),
      onOpened: ({ oddsE4, quote }) => void shown.push(['opened', oddsE4, quote]),
      onSettled: ({ oddsE4, quote }) => void shown.push(['ended', oddsE4, quote]),
    })) as unknown as MakerStrategy
    play([{ name: 'a', strategy, values: {}, capitalMicros: usd(10_000), latency: LATENCY, faults: NO_FAULTS }])
    expect(shown).toEqual([['opened', 40_000, 1], ['ended', NaN, NaN]])
  })
})

it('every version of a request reached each maker, or was ignored by it, or came while it was away', () => {
  const log = new RowLog()
  const session: Session = new Session({ ...sessionConfig(90), sinks: [log] })
  while (session.run(256));
  const versions = log.rows.filter(({ kind }) => kind === ParlayEvent.requestCreated || kind === ParlayEvent.requestUpdated).length
  expect(versions).toBeGreaterThan(100)
  for (const { name, requests, away, ignored } of session.deliveredRequests()) expect([name, requests + away + ignored, away > 0, ignored > 0]).toEqual([name, versions, true, true])
})
