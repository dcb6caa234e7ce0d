import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { bettor } from '../../src/agent/bettor.ts'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { CohortEntry, MakerEntry } from '../../src/engine/config.ts'
import type { CallListener, ExternalCall } from '../../src/engine/externalCalls.ts'
import { Session } from '../../src/engine/session.ts'
import { Side } from '../../src/market/sides.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { type Row, rowAs } from '../../src/venue/eventCells.ts'
import { EventCell, type EventRows } from '../../src/venue/eventRows.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { CommitReply, ParlayEvent, PositionOpened, QuoteSubmitted, Reply, RequestEnded, RequestReply } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { cohorts, makerEntry, NO_FAULTS, type ParlayConfig, sessionConfig, WORLD_START_US } from './world.ts'

const nobody = bettor({}, () => ({ onArrival: () => {}, onDecision: () => {} })) as unknown as BettorStrategy
const WAY = { baseUs: 3_000, jitterUs: 0 }
/** A bettor whose strategy does nothing, since a client acts for it. */
const outsider: CohortEntry = {
  ...cohorts[0]!, name: 'ours', strategy: nobody, values: {}, bettors: 1, arrivalsUs: [], everyUs: 0,
  latency: { feedUs: 0, broadcast: { baseUs: 1_000, jitterUs: 0 }, submit: WAY, confirm: WAY },
}
/** Its account is the first: cohorts are numbered in their order. */
const OURS = 0
const quotesAll = maker({}, () => ({
  onRequest: (request, desk) => { desk.quote(request, { probability: 0.3, validUs: 15_000_000 }) },
})) as unknown as MakerStrategy
const quick: MakerEntry = {
  ...makerEntry('quick', quotesAll), faults: NO_FAULTS, latency: { feedUs: 0, broadcast: WAY, submit: WAY, confirm: WAY },
}
const withOurs = (replaced: Parameters<typeof sessionConfig>[1] = {}): ParlayConfig => sessionConfig(30, { cohorts: [outsider, ...cohorts], ...replaced })

const asks: ExternalCall = { op: ParlayOp.createRequest, fields: { betMicros: 5_000_000 }, legs: [[0, Side.yes], [5, Side.yes]] }

/** Plays to where the loop stands. */
function standAt(session: Session, atUs: number): void {
  session.standAt(atUs)
  while (session.run(7)) continue
}

/** What the listener of a call heard, and when. */
function heard(session: Session) {
  const told: { op: number; code: number; atUs: number; request: number; version: number; position: number }[] = []
  const listener: CallListener = {
    answered: (rows: EventRows, reply: Row<'parlay.reply'>) => {
      const op = rows.read(reply, Reply.op)
      const request = op === ParlayOp.createRequest ? rowAs(RequestReply, reply) : null
      told.push({
        op, code: rows.read(reply, Reply.code), atUs: rows.read(reply, EventCell.atUs), request: rows.read(reply, Reply.request),
        version: request === null ? -1 : rows.read(request, RequestReply.version),
        position: op === ParlayOp.commitRequest ? rows.read(rowAs(CommitReply, reply), CommitReply.position) : -1,
      })
    },
    told: () => { told.push({ op: -1, code: -1, atUs: session.parlay!.nowUs, request: -1, version: -1, position: -1 }) },
  }
  return { told, listener }
}

describe('a loop that stands', () => {
  it('plays the same rows, wherever it stands on its way', () => {
    const rowsOf = (stops: readonly number[]) => {
      const log = new RowLog()
      const session = new Session({ ...sessionConfig(30), sinks: [log] })
      for (const atUs of stops) standAt(session, atUs)
      session.standAt(NEVER_US)
      session.runToEnd()
      return { rows: log.rows, commands: log.commands }
    }
    const whole = rowsOf([])
    const instants = whole.rows.filter((_, i) => i % 50 === 0).flatMap(({ atUs }) => [atUs, atUs + 1])
    expect(instants.length).toBeGreaterThan(50)
    expect(rowsOf(instants)).toEqual(whole)
  })

  it('has played the deadlines of its instant and what is due before it, and of the queue nothing that is due then', () => {
    const log = new RowLog()
    const whole = new Session({ ...sessionConfig(30), sinks: [log] })
    whole.runToEnd()
    const untilOf = (atUs: number) => {
      const own = new RowLog()
      const session = new Session({ ...sessionConfig(30), sinks: [own] })
      standAt(session, atUs)
      return { rows: own.rows, nextUs: session.nextUs() }
    }
    const expiry = ofKind(log.rows, ParlayEvent.requestExpired, RequestEnded)[0]!
    expect(untilOf(expiry.atUs).rows.at(-1)!.atUs).toBe(expiry.atUs)
    expect(untilOf(expiry.atUs - 1).rows.every(({ atUs }) => atUs < expiry.atUs)).toBe(true)
    const quoted = ofKind(log.rows, ParlayEvent.quoteSubmitted, QuoteSubmitted)[0]!
    const before = untilOf(quoted.atUs)
    expect(before.rows.every(({ atUs }) => atUs < quoted.atUs)).toBe(true)
    expect(before.nextUs).toBe(quoted.atUs)
    expect(untilOf(quoted.atUs + 1).rows.some(({ seq }) => seq === quoted.seq)).toBe(true)
  })
})

describe('a call that is brought to the service where the loop stands', () => {
  it('is answered at that instant, and a simulated maker quotes on the request and confirms it', () => {
    const log = new RowLog()
    const session = new Session({ ...withOurs({ makers: [quick] }), sinks: [log] })
    const { told, listener } = heard(session)
    const atUs = WORLD_START_US + 5_000_000
    standAt(session, atUs)
    session.bringCall('parlay', OURS, asks, listener)
    expect(told).toMatchObject([{ op: ParlayOp.createRequest, code: ParlayCode.ok, atUs, version: 1 }, { op: -1, atUs }])
    const { request, version } = told[0]!
    // The maker hears of it after 3 ms, and its quote is 3 ms on its way.
    standAt(session, atUs + 10_000)
    session.bringCall('parlay', OURS, { op: ParlayOp.commitRequest, fields: { request, version, quote: 1, bookSeq: 1, oddsE4: 10_001 } }, listener)
    expect(told).toHaveLength(2)
    standAt(session, atUs + 20_000)
    expect(told.slice(2)).toMatchObject([{ op: ParlayOp.commitRequest, code: ParlayCode.ok, atUs: atUs + 16_000 }, { op: -1 }])
    session.standAt(NEVER_US)
    session.runToEnd()
    const positions = ofKind(log.rows, ParlayEvent.positionOpened, PositionOpened).filter(({ holder }) => holder === OURS)
    expect(positions).toMatchObject([{ atUs: atUs + 16_000, position: told[2]!.position }])
  })

  it('comes after the deadlines of its instant and before the queue', () => {
    const log = new RowLog()
    const session = new Session({ ...withOurs({ makers: [quick] }), sinks: [log] })
    const { told, listener } = heard(session)
    const atUs = WORLD_START_US + 5_000_000
    standAt(session, atUs)
    session.bringCall('parlay', OURS, asks, listener)
    const request = told[0]!.request
    // The quote of the maker arrives at this instant.
    standAt(session, atUs + 6_000)
    session.bringCall('parlay', OURS, { op: ParlayOp.cancelRequest, fields: { request } }, listener)
    session.standAt(atUs + 6_001)
    while (session.run(7)) continue
    expect(ofKind(log.rows, ParlayEvent.requestCancelled, RequestEnded).filter((row) => row.request === request)).toMatchObject([{ atUs: atUs + 6_000 }])
    const answers = ofKind(log.rows, ParlayEvent.reply, Reply).filter((row) => row.request === request && row.atUs === atUs + 6_000)
    expect(answers.map(({ op, code }) => [op, code])).toEqual([[ParlayOp.cancelRequest, ParlayCode.ok], [ParlayOp.submitQuote, ParlayCode.requestNotActive]])
  })

  it('is a bug anywhere else', () => {
    const session = new Session(withOurs())
    expect(() => session.bringCall('parlay', OURS, asks, heard(session).listener)).toThrow('a call comes in where the loop stands')
  })
})

describe('a call of a bettor’s client that is sent', () => {
  it('is as long on its way as the bettor’s latency says, and so is its answer', () => {
    const session: Session = new Session(withOurs({ makers: [quick] }))
    const { told, listener } = heard(session)
    const atUs = WORLD_START_US + 5_000_000
    standAt(session, atUs)
    session.parlay!.send(OURS, asks, listener)
    const sentUs = session.parlay!.nowUs
    session.standAt(NEVER_US)
    session.runToEnd()
    expect(told).toMatchObject([{ code: ParlayCode.ok, atUs: sentUs + 3_000 }, { op: -1, atUs: sentUs + 4_000 }])
  })
})
