import { describe, expect, it } from 'vitest'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import { Session } from '../../src/engine/session.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, RequestCreated } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { cohorts, makerEntry, type Replaced, sessionConfig } from './world.ts'

function logOf(replaced: Replaced): RowLog {
  const log = new RowLog()
  new Session(sessionConfig(120, { ...replaced, sinks: [log] })).runToEnd()
  return log
}

/** Makers that nothing but prices and their own draws moves: no limit binds and nobody watches the book. */
const steady = Array.from({ length: 3 }, (_, i) => {
  const entry = makerEntry(`steady ${i}`, fixedMargin as unknown as MakerStrategy)
  return { ...entry, capitalMicros: 1e12, values: { ...entry.values, cap: 1e12 }, faults: { ...entry.faults, missConfirm: 0.3 } }
})
const bettors = cohorts.reduce((sum, cohort) => sum + cohort.bettors, 0)

describe('draws are keyed', () => {
  it('a maker that quotes and never wins changes nothing that the others do', () => {
    const hopeless = maker({}, () => ({ onRequest: (request, desk) => desk.quote(request, { probability: 1, validUs: 8_000_000 }) })) as unknown as MakerStrategy
    /** Everybody's commands but those of the account `own`, whose place the later ones move up to. */
    const others = (log: RowLog, own: number): unknown[] =>
      log.commands.filter((c) => c.op > ParlayOp.withdraw && c.account !== own)
        .map(({ account, ...command }) => ({ ...command, account: account > own ? account - 1 : account }))
    const without = others(logOf({ makers: steady }), Infinity)
    const log = logOf({ makers: [makerEntry('hopeless', hopeless), ...steady] })
    const own = (op: number): number => log.commands.filter((c) => c.account === bettors && c.op === op).length
    expect(own(ParlayOp.submitQuote)).toBeGreaterThan(100)
    expect(own(ParlayOp.confirmSelection)).toBe(0)
    expect(without.length).toBeGreaterThan(1000)
    expect(others(log, bettors)).toEqual(without)
  })

  it('a cohort more changes nothing about the requests of the others', () => {
    const [first] = cohorts
    const more = { ...first!, name: 'more', bettors: 30 }
    const without = doneOn(logOf({ makers: steady }), 0, bettors)
    const withMore = doneOn(logOf({ makers: steady, cohorts: [more, ...cohorts] }), more.bettors, bettors + more.bettors)
    expect(without.size).toBeGreaterThan(100)
    expect([...without.values()].flat().filter(({ op }) => op === ParlayOp.confirmSelection).length).toBeGreaterThan(50)
    expect(withMore).toEqual(without)
  })

  /** What makers did on each request of the cohort from `firstBettor` on, how long after its creation; by bettor and instant. */
  function doneOn(log: RowLog, firstBettor: number, firstMaker: number): Map<string, { maker: number; op: number; afterUs: number; oddsE4: number }[]> {
    const created = new Map<number, { key: string; atUs: number }>()
    for (const { owner, request, atUs } of ofKind(log.rows, ParlayEvent.requestCreated, RequestCreated)) {
      const bettor = owner - firstBettor
      if (bettor >= 0 && bettor < cohorts[0]!.bettors) created.set(request, { key: `${bettor} ${atUs}`, atUs })
    }
    const done = new Map([...created.values()].map(({ key }) => [key, [] as { maker: number; op: number; afterUs: number; oddsE4: number }[]]))
    for (const { atUs, op, account, request, oddsE4 } of log.commands) {
      const made = created.get(request)
      if (made !== undefined && account >= firstMaker) done.get(made.key)!.push({ maker: account - firstMaker, op, afterUs: atUs - made.atUs, oddsE4 })
    }
    return done
  }
})
