import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import type { MakerEntry } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { Messages } from '../../src/engine/messages.ts'
import type { Transit } from '../../src/engine/transit.ts'
import { Turns } from '../../src/engine/turns.ts'
import { externalMaker } from '../../src/scenario/externalSeats.ts'
import { DAY_US, NEVER_US } from '../../src/unit/time.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, Reply } from '../../src/venue/parlay/protocol/events.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { gate } from './gateWorld.ts'
import { ofKind } from './loggedRow.ts'
import { PARLAY, playedOutside } from './outsidePlay.ts'
import { answering, AT_ONCE, BOTH, hesitant, LATE, seatsOf as seats, TIED } from './outsideStrategies.ts'
import { RowLog } from './rowLog.ts'
import { auctionConfig, makerEntry, NO_FAULTS, type ParlayConfig, sessionConfig } from './world.ts'

type World = (makers: readonly MakerEntry[]) => ParlayConfig

/** The session with its makers inside. */
function inside(world: World, entries: readonly MakerEntry[]) {
  const log = new RowLog()
  new Session({ ...world(entries), sinks: [log] }).runToEnd()
  return { rows: log.rows, commands: log.commands }
}

/** The session with its makers outside. */
function outside(world: World, entries: readonly MakerEntry[], chunk = 7) {
  const log = new RowLog()
  const turns = playedOutside(PARLAY, world, entries, [log], chunk)
  return { rows: log.rows, commands: log.commands, turns }
}

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
  it('lets go of what it was shown when it ends, and of what a wait of it keeps when that is over', () => {
    const held: number[] = []
    const messages = new Messages()
    const sent: number[] = []
    const transit = {
      combos: { retain: (combo: number) => void held.push(combo), release: (combo: number) => void held.splice(held.indexOf(combo), 1) },
      messages, isClosedIn: () => false, send: (slot: number) => void sent.push(slot),
    }
    const turns = new Turns(transit as unknown as Transit)
    turns.begin({ combo: 8, request: 1, auction: -1 })
    expect(held).toEqual([8])
    turns.wake(5, () => {})
    expect(held).toEqual([8, 8])
    turns.end()
    expect(held).toEqual([8])
    turns.arrived(sent[0]!)
    expect(held).toEqual([])
  })

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
