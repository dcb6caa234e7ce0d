import { describe, expect, it } from 'vitest'
import { FACADES } from '../../src/agent/facades/facades.ts'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import type { MakerBook } from '../../src/agent/makerBook.ts'
import type { MakerPort } from '../../src/agent/makerPort.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import type { MakerEntry } from '../../src/engine/config.ts'
import type { CallListener, ExternalCall } from '../../src/engine/externalCalls.ts'
import { Session } from '../../src/engine/session.ts'
import { type Row, rowAs } from '../../src/venue/eventCells.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { contentTag, CreateKey, ParlayOp, Redeliver, RotateSecret, SetEndpoint } from '../../src/venue/parlay/protocol/commands.ts'
import { DeliveryChanged, MakerReply, ParlayEvent, Reply } from '../../src/venue/parlay/protocol/events.ts'
import { ALL_WEBHOOK_EVENTS, Answer, DeliveryStatus, OwnerKind } from '../../src/venue/parlay/protocol/webhooks.ts'
import { gate, gateProfile } from './gateWorld.ts'
import { ofKind } from './loggedRow.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { onOutcome } from './outcomeWorld.ts'
import { BOTH, hesitant } from './outsideStrategies.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, makerEntry, NO_FAULTS, type ParlayConfig, sessionConfig } from './world.ts'
import type { EventRows } from '../../src/venue/eventRows.ts'

const NOBODY: CallListener = { answered: () => {}, told: () => {} }
const FIRST_OUTSIDE = 'outside 0'

type Send = (call: ExternalCall) => void

/** Says with a call from outside what a strategy says to its port. */
const PORTS = {
  parlay: (send: Send): Partial<MakerPort> => ({
    submitQuote: (_, { request, version, legs: { count, markets, sides }, betMicros }, oddsE4, validUs, memoE9, _probability, productE9) =>
      send({
        op: ParlayOp.submitQuote,
        fields: { request, version, contentTag: contentTag(count, markets, sides, betMicros), oddsE4, validMs: Math.floor(validUs / 1000), memoE9, productE9 },
      }),
    withdrawQuote: (_, request) => send({ op: ParlayOp.withdrawQuote, fields: { request } }),
    decide: (_, { request, quote }, confirm) => send({ op: confirm ? ParlayOp.confirmSelection : ParlayOp.declineSelection, fields: { request, quote } }),
    submitBid: (_, { auction }, priceMicros, validUs, memoE9, productE9) =>
      send({ op: ParlayOp.submitBid, fields: { auction, amountMicros: priceMicros, validMs: Math.floor(validUs / 1000), memoE9, productE9 } }),
  }),
  outcome: (send: Send): Partial<MakerPort> => ({
    decide: (_, { quote }, confirm) => {
      expect(confirm).toBe(false)
      send({ op: OutcomeOp.declineQuote, fields: { quote } })
    },
  }),
}

/** The strategy, with a desk whose commands go out of the session and come back as calls. */
function outside(strategy: MakerStrategy, service: 'parlay' | 'outcome', sessionOf: () => Session, onCall = () => {}): MakerStrategy {
  const makerDesk = (book: MakerBook) => {
    const twin = Object.create(book) as MakerBook & { port: MakerPort }
    const send: Send = (call) => {
      onCall()
      sessionOf()[service]!.send(accountOf(book.seat), call, NOBODY)
    }
    const accountOf = (seat: number): number => sessionOf()[service]!.desks()[seat]!.account
    Object.defineProperty(twin, 'port', { value: Object.assign(Object.create(book.port) as MakerPort, PORTS[service](send)) })
    twin.isShown = ({ to }) => to === book
    return FACADES.makerDesk(twin)
  }
  return { ...strategy, facades: { ...FACADES, makerDesk } }
}

const seats = (strategies: readonly MakerStrategy[], latency?: MakerEntry['latency']): MakerEntry[] => strategies.map((strategy, i) => {
  const entry = makerEntry(`outside ${i}`, strategy)
  return { ...entry, faults: NO_FAULTS, ...(latency === undefined ? {} : { latency }), ...('bid' in entry.values ? { values: { ...entry.values, bid: 0.05 } } : {}) }
})

/** Rows and commands of a session in which the strategies play inside, or outside. */
function played(config: (makers: readonly MakerEntry[]) => ParlayConfig, strategies: readonly MakerStrategy[], isOutside: boolean, latency?: MakerEntry['latency']) {
  const log = new RowLog()
  let calls = 0
  const made = isOutside ? strategies.map((strategy) => outside(strategy, 'parlay', () => session, () => { calls++ })) : strategies
  const session: Session = new Session({ ...config(seats(made, latency)), sinks: [log] })
  session.runToEnd()
  return { rows: log.rows, commands: log.commands, calls }
}

const TIED = { feedUs: 0, broadcast: { baseUs: 0, jitterUs: 0 }, submit: { baseUs: 0, jitterUs: 0 }, confirm: { baseUs: 0, jitterUs: 0 } }

describe('a maker outside of the session, whose commands come as calls, leaves the rows of the same maker inside', () => {
  it.each([
    ['two makers', (makers: readonly MakerEntry[]) => sessionConfig(60, { makers }), BOTH, undefined],
    ['no way at all', (makers: readonly MakerEntry[]) => sessionConfig(60, { makers }), BOTH, TIED],
    ['declines, lapses, late decisions, withdrawals', (makers: readonly MakerEntry[]) => sessionConfig(60, { makers }), [hesitant, ...BOTH], undefined],
    ['a gate', (makers: readonly MakerEntry[]) => sessionConfig(60, { makers, gate: gate({ endpoints: [] }) }), BOTH, undefined],
    ['bids in auctions', (makers: readonly MakerEntry[]) => auctionConfig(60, { makers }), [cashOutBidder as unknown as MakerStrategy, ...BOTH], undefined],
  ] as const)('%s', (_, config, strategies, latency) => {
    const inside = played(config, strategies, false, latency)
    const out = played(config, strategies, true, latency)
    expect(inside.calls).toBe(0)
    expect(out.calls).toBeGreaterThan(200)
    expect(out.commands).toEqual(inside.commands)
    expect(out.rows).toEqual(inside.rows)
  })

  it('on the outcome service, where it declines all', () => {
    const declines = maker({}, () => ({
      onRequest(request, desk) {
        desk.quote(request, { probability: 0.2, validUs: 15_000_000 })
      },
      onSelected(selection, desk) {
        desk.decline(selection)
      },
    })) as unknown as MakerStrategy
    const rowsOf = (isOutside: boolean) => {
      const log = new OutcomeLog()
      const strategy = isOutside ? outside(declines, 'outcome', () => session) : declines
      const session: Session = new Session({ ...onOutcome(sessionConfig(60, { makers: seats([strategy, ...BOTH]) })), sinks: [log] })
      session.runToEnd()
      return { rows: log.rows, commands: log.commands }
    }
    const inside = rowsOf(false)
    expect(inside.commands.filter(({ op }) => op === OutcomeOp.declineQuote).length).toBeGreaterThan(10)
    expect(rowsOf(true)).toEqual(inside)
  })
})

describe('the answer to a call', () => {
  /** What the calls of a maker that sends `call` at its first request were answered with, and when its client knew. */
  function answers(calls: readonly ExternalCall[], replaced: Parameters<typeof sessionConfig>[1] = {}, jitterUs = 0) {
    const heard: { code: number; quote: number; answeredUs: number; toldUs: number }[] = []
    let sentUs = 0
    const caller = maker({}, () => ({
      onRequest(request) {
        if (sentUs > 0) return
        sentUs = request.deliveredAtUs
        for (const call of calls) {
          const one = { code: -1, quote: -1, answeredUs: -1, toldUs: -1 }
          heard.push(one)
          session.parlay!.send(session.parlay!.desks()[0]!.account, call, {
            answered: (rows: EventRows, reply: Row<'parlay.reply'>) => {
              Object.assign(one, { code: rows.read(reply, Reply.code), answeredUs: session.parlay!.nowUs - sentUs })
              if (one.code === ParlayCode.ok && call.op === ParlayOp.submitQuote) one.quote = rows.read(rowAs(MakerReply, reply), MakerReply.quote)
            },
            told: () => { one.toldUs = session.parlay!.nowUs - sentUs },
          })
        }
      },
    })) as unknown as MakerStrategy
    const way = { baseUs: 7_000, jitterUs }
    const entry = { ...makerEntry(FIRST_OUTSIDE, caller), faults: NO_FAULTS, latency: { feedUs: 0, broadcast: { baseUs: 1_000, jitterUs: 0 }, submit: way, confirm: way } }
    const session: Session = new Session(sessionConfig(30, { makers: [entry], ...replaced }))
    session.runToEnd()
    return heard
  }

  it('comes after the way of a command and that of a reply', () => {
    const unknown = { op: ParlayOp.withdrawQuote, fields: { request: 1_000_000 } }
    expect(answers([unknown])).toEqual([{ code: ParlayCode.notFound, quote: -1, answeredUs: 7_000, toldUs: 8_000 }])
  })

  it('to a call that is about no request comes after a draw of its own', () => {
    const deposit = { op: ParlayOp.deposit, fields: { amountMicros: 5_000_000 } }
    const ways = answers([deposit, deposit, deposit], {}, 1_000_000).map(({ answeredUs }) => answeredUs)
    expect(new Set(ways).size).toBe(3)
    for (const wayUs of ways) expect(wayUs >= 7_000 && wayUs <= 1_007_000).toBe(true)
  })

  it('is the gate’s where the call has another credential than its account, and leaves the account its own key', () => {
    const call = { op: ParlayOp.withdrawQuote, fields: { request: 1_000_000 } }
    const deposit = { op: ParlayOp.deposit, fields: { amountMicros: 5_000_000 } }
    const makesKey = { op: ParlayOp.createKey, fields: { [CreateKey.scopes]: 1 }, credential: 0 }
    const codes = answers([{ ...call, credential: -1 }, { ...call, credential: -2 }, { ...call, credential: 999_999 }, makesKey, call, deposit], { gate: gate({ endpoints: [] }) })
      .map(({ code }) => code)
    expect(codes).toEqual([ParlayCode.unauthorized, ParlayCode.wrongApiKeyType, ParlayCode.unauthorized, ParlayCode.ok, ParlayCode.notFound, ParlayCode.ok])
  })

  it('comes at once to a call of nobody, which counts by its source and is refused', () => {
    const session: Session = new Session(sessionConfig(5, { makers: seats(BOTH), gate: gate({ endpoints: [] }) }))
    session.run(10)
    const heard: (number | string)[] = []
    session.parlay!.send(-1, { op: ParlayOp.withdrawQuote, fields: { request: 1, source: 77 }, credential: -1 }, {
      taken: () => heard.push('taken', session.parlay!.gateView!.lastLimit()!.remaining),
      answered: (rows: EventRows, row: Row<'parlay.reply'>) => heard.push(rows.read(row, Reply.code)),
      told: () => heard.push('told'),
    })
    const fromUs = session.parlay!.nowUs
    while (!heard.includes('told')) session.run(1)
    // The first call of its source in a window of 150 (gateWorld.ts).
    expect([heard, session.parlay!.nowUs]).toEqual([[ParlayCode.unauthorized, 'taken', 149, 'told'], fromUs])
  })

  it('is known before the session ends, and until then the session has no image', () => {
    const session: Session = new Session(sessionConfig(30, { makers: seats(BOTH) }))
    session.run(10)
    expect(() => session.snapshot()).not.toThrow()
    session.parlay!.send(session.parlay!.desks()[0]!.account, { op: ParlayOp.withdrawQuote, fields: { request: 1 } }, NOBODY)
    expect(() => session.snapshot()).toThrow('no call from outside is on its way')
    session.runToEnd()
    expect(() => session.snapshot()).not.toThrow()
  })

  it('a field that the service’s command does not have is a bug of the caller', () => {
    expect(() => answers([{ op: ParlayOp.withdrawQuote, fields: { rfq: 1 } }])).toThrow('a command has a field rfq')
  })
})

describe('a webhook endpoint that a client sets', () => {
  it('is none of the session’s: what nobody answers times out, and can be asked for again', () => {
    const log = new RowLog()
    const calls: ExternalCall[] = [
      { op: ParlayOp.setEndpoint, fields: { [SetEndpoint.ownerKind]: OwnerKind.user, [SetEndpoint.events]: ALL_WEBHOOK_EVENTS }, credential: 0 },
      { op: ParlayOp.rotateSecret, fields: { [RotateSecret.ownerKind]: OwnerKind.user }, credential: 0 },
      { op: ParlayOp.deposit, fields: { amountMicros: 5_000_000 } },
    ]
    let at = 0
    const caller = maker({}, () => ({
      onRequest() {
        const call = at < calls.length ? calls[at] : at === 40 ? { op: ParlayOp.redeliver, fields: { [Redeliver.delivery]: 1, [Redeliver.ownerKind]: OwnerKind.user }, credential: 0 } : undefined
        at++
        if (call !== undefined) session.parlay!.send(session.parlay!.desks()[0]!.account, call, NOBODY)
      },
    })) as unknown as MakerStrategy
    const profile = gateProfile({ deliveryAttemptsMax: 2, deliveryBackoffMs: 100, deliveryTimeoutMs: 100, limitWindowMs: 1000 })
    const session: Session = new Session(sessionConfig(30, { makers: seats([caller]), gate: gate({ profile, endpoints: [] }), sinks: [log] }))
    session.runToEnd()
    const statuses = ofKind(log.rows, ParlayEvent.deliveryChanged, DeliveryChanged).filter(({ delivery }) => delivery === 1).map(({ status, response }) => [status, response])
    const timedOut = [[DeliveryStatus.failed, Answer.timeout], [DeliveryStatus.deadLetter, Answer.timeout]]
    expect(statuses).toEqual([...timedOut, ...timedOut])
  })
})
