import { describe, expect, it } from 'vitest'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import { Action, Refusal } from '../../src/agent/vocabulary.ts'
import type { MakerEntry } from '../../src/engine/config.ts'
import { actionOf, refusalOf } from '../../src/engine/parlay/translation.ts'
import { Session } from '../../src/engine/session.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import { externalMaker, type SeatMessage } from '../../src/scenario/externalSeats.ts'
import { DAY_US, NEVER_US, SECOND_US } from '../../src/unit/time.ts'
import { type Row, rowAs } from '../../src/venue/eventCells.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { MakerReply, ParlayEvent, Reply } from '../../src/venue/parlay/protocol/events.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { gate } from './gateWorld.ts'
import { hearing } from './hearing.ts'
import { ofKind } from './loggedRow.ts'
import { type Deed, OutsideMaker, type Told, toldOf } from './outsideMaker.ts'
import { BOTH, hesitant } from './outsideStrategies.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, makerEntry, NO_FAULTS, type ParlayConfig, sessionConfig } from './world.ts'
import type { EventRows } from '../../src/venue/eventRows.ts'

type Latency = MakerEntry['latency']
type World = (makers: readonly MakerEntry[]) => ParlayConfig

/** @param ways of all, or of the first ones. */
const seats = (strategies: readonly MakerStrategy[], ways?: Latency | readonly Latency[]): MakerEntry[] => strategies.map((strategy, i) => {
  const latency = Array.isArray(ways) ? (ways as readonly Latency[])[i] : ways as Latency | undefined
  const entry = makerEntry(`outside ${i}`, strategy)
  return { ...entry, faults: NO_FAULTS, ...(latency === undefined ? {} : { latency }), ...('bid' in entry.values ? { values: { ...entry.values, bid: 0.05 } } : {}) }
})

/** The session with its makers inside. */
function inside(world: World, entries: readonly MakerEntry[]) {
  const log = new RowLog()
  new Session({ ...world(entries), sinks: [log] }).runToEnd()
  return { rows: log.rows, commands: log.commands }
}

/** The session with its makers outside: the loop stands at each message for one of them, and what it does comes back as calls. */
function outside(world: World, entries: readonly MakerEntry[], chunk = 7) {
  const log = new RowLog()
  let waiting: { readonly seat: number; readonly deeds: () => readonly Deed[] } | null = null
  const turns = entries.map(() => 0)
  const begin = (seat: number, deeds: () => readonly Deed[]): void => {
    expect(waiting).toBeNull()
    waiting = { seat, deeds }
    turns[seat]!++
    session.beginTurn('parlay')
  }
  const hear = (seat: number) => (message: SeatMessage): void => {
    const request = (message.view as { readonly request?: number }).request ?? -1
    const told = toldOf(message, message.kind === 'onRequest' || message.kind === 'onBest' ? tagOf(request) : -1)
    begin(seat, () => makers[seat]!.hear(told))
  }
  const tagOf = (request: number): number => session.parlay!.venue.view.request(request)?.contentTag ?? -1
  const config = world(entries.map((entry, seat) => ({ ...entry, strategy: externalMaker(hear(seat)) })))
  const results = new PublishedResults(config.marketCount)
  const session: Session = new Session({ ...config, sinks: [log, hearing(results)] })
  const makers = entries.map(({ name, strategy, values, capitalMicros, latency: { feedUs } }) => new OutsideMaker({
    name, seed: config.seed, strategy, values, capitalMicros, feedUs, ticks: config.ticks, marketCount: config.marketCount, results,
  }))
  const act = (seat: number, deed: Deed): void => {
    if ('wakeUs' in deed) return session.wake(deed.wakeUs, () => begin(seat, () => makers[seat]!.hear(deed.told as Told)))
    const action = actionOf(deed.call.op)
    let answer = { refusal: Refusal.none as Refusal, request: NaN, quote: NaN, auction: NaN }
    session.sendCall('parlay', session.parlay!.desks()[seat]!.account, deed.call, {
      answered(rows: EventRows, row: Row<'parlay.reply'>) {
        const reply = rowAs(MakerReply, row)
        const refusal = refusalOf(action, rows.read(row, Reply.code), true)
        const known = (value: number): number => (value < 0 ? NaN : value)
        answer = { refusal, request: known(rows.read(row, Reply.request)), quote: known(rows.read(reply, MakerReply.quote)), auction: known(rows.read(reply, MakerReply.auction)) }
      },
      told: () => begin(seat, () => (makers[seat]!.wantsAcks ? makers[seat]!.answered(session.nowUs, action, answer.refusal, answer.request, answer.quote, answer.auction) : [])),
    })
  }
  for (;;) {
    const more = session.run(chunk)
    if (waiting !== null) {
      const { seat, deeds } = waiting as { seat: number; deeds: () => readonly Deed[] }
      waiting = null
      for (const deed of deeds()) act(seat, deed)
      session.endTurn(NEVER_US)
    } else if (!more) break
  }
  return { rows: log.rows, commands: log.commands, turns }
}

/** Offers less after each refusal, and withdraws one quote in four as soon as it knows that it stands. */
const answering = maker({}, () => {
  const state = { refusals: 0 }
  return {
    state,
    onRequest(request, desk) {
      desk.quote(request, { probability: 0.3 + 0.01 * (state.refusals % 50), validUs: 15_000_000 })
    },
    onAck({ action, refusal, request, quote }, desk) {
      if (action === Action.submitQuote && refusal !== Refusal.none) state.refusals++
      else if (action === Action.submitQuote && quote % 4 === 0) desk.withdrawQuote(request)
    },
  }
}) as unknown as MakerStrategy
const NO_WAY = { baseUs: 0, jitterUs: 0 }
const AT_ONCE: Latency = { feedUs: 0, broadcast: NO_WAY, submit: NO_WAY, confirm: NO_WAY }
const WAY = { baseUs: 1_000, jitterUs: 0 }
const TIED: Latency = { feedUs: 0, broadcast: WAY, submit: WAY, confirm: WAY }
/** Auctions are over when makers hear of them, and what is sent about them is drawn a way all the same. */
const LATE: Latency = { feedUs: 0, broadcast: { baseUs: 16 * SECOND_US, jitterUs: 0 }, submit: { baseUs: 1_000, jitterUs: 3 * SECOND_US }, confirm: WAY }
const behindGate: World = (makers) => sessionConfig(30, { makers, gate: gate({ endpoints: [] }) })

describe('makers for whom the loop stands still, turn by turn, leave the rows of the same makers inside', () => {
  it.each([
    ['two makers, who draw their delays', behindGate, BOTH, undefined],
    ['no way at all', behindGate, BOTH, AT_ONCE],
    ['equal ways, so that everything is tied', behindGate, [...BOTH, ...BOTH], TIED],
    ['declines, lapses, late decisions and withdrawals, timers', behindGate, [hesitant, ...BOTH], undefined],
    ['the same with no way at all', behindGate, [hesitant, ...BOTH], AT_ONCE],
    ['answers that are listened to', behindGate, [answering, fixedMargin as unknown as MakerStrategy], undefined],
    ['the same with no way at all', behindGate, [answering, fixedMargin as unknown as MakerStrategy], AT_ONCE],
    ['no gate', (makers: readonly MakerEntry[]) => sessionConfig(30, { makers }), BOTH, undefined],
    ['bids in auctions', (makers: readonly MakerEntry[]) => auctionConfig(40, { makers, gate: gate({ endpoints: [] }) }), [cashOutBidder as unknown as MakerStrategy, ...BOTH], undefined],
    ['bids in auctions that are over', (makers: readonly MakerEntry[]) => auctionConfig(40, { makers, gate: gate({ endpoints: [] }) }), [cashOutBidder as unknown as MakerStrategy, ...BOTH], [LATE]],
    ['the same with equal ways', (makers: readonly MakerEntry[]) => auctionConfig(40, { makers, gate: gate({ endpoints: [] }) }), [cashOutBidder as unknown as MakerStrategy, ...BOTH], TIED],
  ] as const)('%s', (_, world, strategies, latency) => {
    const entries = seats(strategies, latency)
    const within = inside(world, entries)
    const without = outside(world, entries)
    for (const turns of without.turns) expect(turns).toBeGreaterThan(20)
    expect(without.commands).toEqual(within.commands)
    expect(without.rows).toEqual(within.rows)
    expect(ofKind(within.rows, ParlayEvent.reply, Reply).some(({ code }) => code !== ParlayCode.ok)).toBe(true)
  })

  it('where what is sent arrives after participants are heard no more', () => {
    const entries = seats(BOTH, { ...AT_ONCE, submit: { baseUs: 2 * DAY_US, jitterUs: 0 } })
    const within = inside(behindGate, entries)
    expect(outside(behindGate, entries)).toMatchObject(within)
    expect(within.commands.filter(({ op }) => op === ParlayOp.submitQuote)).toEqual([])
  })

  it('however many steps are played at a time', () => {
    const entries = seats([hesitant, ...BOTH])
    expect(outside(behindGate, entries, 1)).toEqual(outside(behindGate, entries, 1000))
  })
})

describe('a turn', () => {
  /** A session whose first maker's client acts in its first turn. */
  function acting(act: (session: Session, atUs: number) => void): Session {
    let isOver = false
    const strategy = externalMaker(() => { if (!isOver) session.beginTurn('parlay') })
    const session: Session = new Session({ ...behindGate([{ ...makerEntry('outside 0', strategy), faults: NO_FAULTS }]), sinks: [] })
    for (;;) {
      const more = session.run(64)
      if (session.turn === null) {
        if (!more) return session
        continue
      }
      expect(session.turn).toBe('parlay')
      expect(session.run(1)).toBe(false)
      isOver = true
      act(session, session.nowUs)
      session.endTurn(NEVER_US)
    }
  }

  it('is called again at the instant asked for, and not at one after which participants are heard no more', () => {
    const woken: number[] = []
    let beganUs = 0
    const session = acting((acted, atUs) => {
      beganUs = atUs
      for (const delayUs of [5, 0, 5, 2 * DAY_US]) acted.wake(atUs + delayUs, () => { woken.push(acted.nowUs - atUs) })
      expect(() => acted.wake(atUs - 1, () => {})).toThrow('a client asks in its turn to be called again later')
      expect(() => acted.beginTurn('parlay')).toThrow('one turn at a time')
    })
    expect(woken).toEqual([0, 5, 5])
    expect(session.nowUs - beganUs).toBeLessThan(DAY_US)
    // Nothing of what was shown is kept, and the session has an image again.
    expect(() => session.snapshot()).not.toThrow()
    expect(() => session.endTurn(NEVER_US)).toThrow('a turn is open')
    expect(() => session.wake(session.nowUs, () => {})).toThrow('a client asks in its turn')
  })

  it('leaves no image while it is open, or while a call that was asked for is to come', () => {
    let isChecked = false
    acting((session, atUs) => {
      expect(() => session.snapshot()).toThrow('no call from outside is on its way')
      session.wake(atUs + 10, () => { isChecked = true })
    })
    expect(isChecked).toBe(true)
  })

  it('sends what its client calls for to the service that is named', () => {
    acting((session) => {
      expect(() => session.sendCall('outcome', 0, { op: ParlayOp.withdrawQuote, fields: {} }, { answered: () => {}, told: () => {} })).toThrow('the session has the service outcome')
    })
  })
})
