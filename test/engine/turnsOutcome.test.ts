import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import type { MakerEntry, OutcomeGateConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { externalMaker } from '../../src/scenario/externalSeats.ts'
import { NEVER_US, SECOND_US } from '../../src/unit/time.ts'
import { OutcomeCode } from '../../src/venue/outcome/protocol/codes.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, Reply, StreamClosed, StreamOpened } from '../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_GATE_SETTINGS } from '../../src/venue/outcome/protocol/gate.ts'
import { profileOf } from '../../src/venue/profile.ts'
import { ofKind } from './loggedRow.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { outcomeAuctionConfig, type OutcomeConfig, outcomeConfig } from './outcomeWorld.ts'
import { OUTCOME, playedOutside } from './outsidePlay.ts'
import { answering, AT_ONCE, BOTH, FAR, hesitant, LATE, seatsOf as seats, TIED } from './outsideStrategies.ts'

type World = (makers: readonly MakerEntry[]) => OutcomeConfig

/** What a maker's client repeats by itself has ways of its own: here it repeats nothing. */
const GATE: OutcomeGateConfig = {
  profile: profileOf(OUTCOME_GATE_SETTINGS, { quoteLimit: 40, limitWindowMs: 10_000 }), keys: { lifeDays: 0, renewAfterUs: 0 }, retries: { most: 0, backoffUs: 0 },
}
const behindGate = (config: OutcomeConfig): OutcomeConfig => ({ ...config, outcome: { ...config.outcome, gate: GATE } })
const requests: World = (makers) => behindGate(outcomeConfig(30, { makers }))
const auctions: World = (makers) => behindGate(outcomeAuctionConfig(40, { makers }))
/** Bids are taken, and their windows are over when their makers hear of it. */
const shortAuctions: World = (makers) => {
  const config = auctions(makers)
  return { ...config, outcome: { ...config.outcome, profile: { ...config.outcome.profile, cashoutOpenMs: 6_000 } } }
}
const signed: World = (makers) => {
  const config = requests(makers)
  return { ...config, outcome: { ...config.outcome, signatures: 'eip712' } }
}
const BIDDERS = [cashOutBidder as unknown as MakerStrategy, ...BOTH]

/** A maker's keys are numbered as they are used inside, and as they are made outside. A withdrawal outside says of which request it is. */
const commandsOf = ({ commands }: OutcomeLog): object[] =>
  commands.map((command) => ({ ...command, key: command.key > 0, rfq: command.op === OutcomeOp.cancelQuote ? -1 : command.rfq }))

function inside(world: World, entries: readonly MakerEntry[]) {
  const log = new OutcomeLog()
  new Session({ ...world(entries), sinks: [log] }).runToEnd()
  return { rows: log.rows, commands: commandsOf(log) }
}

function outside(world: World, entries: readonly MakerEntry[], chunk = 7) {
  const log = new OutcomeLog()
  const turns = playedOutside(OUTCOME, world, entries, [log], chunk)
  return { rows: log.rows, commands: commandsOf(log), turns }
}

describe('makers of the outcome service for whom the loop stands still leave the rows of the same makers inside', () => {
  it.each([
    ['two makers, who draw their delays', requests, BOTH, undefined],
    ['no way at all', requests, BOTH, AT_ONCE],
    ['equal ways, so that everything is tied', requests, [...BOTH, ...BOTH], TIED],
    ['EIP-712 signatures', signed, BOTH, TIED],
    ['declines, lapses, late decisions and withdrawals, timers', requests, [hesitant, ...BOTH], undefined],
    ['answers that are listened to', requests, [answering, fixedMargin as unknown as MakerStrategy], undefined],
    ['the same with no way at all', requests, [answering, fixedMargin as unknown as MakerStrategy], AT_ONCE],
    ['bids in auctions', auctions, BIDDERS, undefined],
    ['bids in auctions that are over', auctions, BIDDERS, [LATE]],
    ['taken bids in auctions that are over', shortAuctions, BIDDERS, [FAR]],
    ['the same with equal ways', auctions, BIDDERS, TIED],
  ] as const)('%s', (_, world, strategies, latency) => {
    const entries = seats(strategies, latency)
    const within = inside(world, entries)
    const without = outside(world, entries)
    for (const turns of without.turns) expect(turns).toBeGreaterThan(20)
    for (const what of ['commands', 'rows'] as const) {
      const at = within[what].findIndex((one, i) => !isDeepStrictEqual(one, without[what][i]))
      expect([at, without[what][at]]).toEqual([-1, within[what][at]])
      expect(without[what]).toHaveLength(within[what].length)
    }
    expect(ofKind(within.rows, OutcomeEvent.reply, Reply).some(({ code }) => code !== OutcomeCode.ok)).toBe(true)
  })

  it('however many steps are played at a time', () => {
    const entries = seats([hesitant, ...BOTH])
    expect(outside(requests, entries, 1)).toEqual(outside(requests, entries, 1000))
  })
})

describe('a maker whose client leaves', () => {
  it('has its stream closed, is told nothing until it is back, and then has another stream', () => {
    const entries = seats(BOTH, AT_ONCE)
    const log = new OutcomeLog()
    const heard: number[] = []
    const strategy = externalMaker(({ kind }) => { if (kind === 'onRequest') heard.push(session.nowUs) })
    const config = requests([{ ...entries[0]!, strategy }, entries[1]!])
    const session: Session = new Session({ ...config, sinks: [log] })
    const account = session.desks()[0]!.account
    const standAt = (seconds: number): number => {
      session.standAt(config.startUs + seconds * SECOND_US)
      while (session.run(64)) continue
      return config.startUs + seconds * SECOND_US
    }
    const leftUs = standAt(10)
    session.followClient('outcome', account, false)
    session.followClient('outcome', account, false)
    const backUs = standAt(20)
    session.followClient('outcome', account, true)
    session.standAt(NEVER_US)
    while (session.run(64)) continue
    const times = (isSo: (atUs: number) => boolean): number => heard.filter(isSo).length
    expect([times((atUs) => atUs < leftUs) > 5, times((atUs) => atUs > leftUs && atUs < backUs), times((atUs) => atUs > backUs) > 5]).toEqual([true, 0, true])
    const opened = ofKind(log.rows, OutcomeEvent.streamOpened, StreamOpened).filter((row) => row.account === account)
    const closed = ofKind(log.rows, OutcomeEvent.streamClosed, StreamClosed).filter((row) => row.account === account)
    expect(opened.map(({ atUs }) => atUs)).toEqual([config.startUs, backUs])
    expect(closed.map(({ atUs, stream }) => [atUs, stream])).toEqual([[leftUs, opened[0]!.stream], [config.operator.at(-1)!.atUs, opened[1]!.stream]])
  })
})
