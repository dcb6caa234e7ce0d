import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import type { Delay } from '../../src/agent/latency.ts'
import { type MakerStrategy, maker } from '../../src/agent/maker.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import type { MakerEntry } from '../../src/engine/config.ts'
import { entityOfName } from '../../src/kernel/names.ts'
import { Session } from '../../src/engine/session.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'
import { Side } from '../../src/market/sides.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, QuoteSelected, RequestCreated } from '../../src/venue/parlay/protocol/events.ts'
import { ofKind } from './loggedRow.ts'
import { RowLog } from './rowLog.ts'
import { cohorts, makerEntry, type Replaced, sessionConfig, WORLD_START_US } from './world.ts'

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

describe('the ways of a message', () => {
  const SPAN_US = 1_000_000
  const anyTime: Delay = { baseUs: 0, jitterUs: SPAN_US }
  const latency = { feedUs: 0, broadcast: anyTime, submit: anyTime, confirm: anyTime }

  /** Quotes 1 / `probability`, notes when it hears of what, and confirms or declines what it is selected for. */
  function seat(name: string, probability: number, isConfirming: boolean, heard: Map<string, number>): MakerEntry {
    const strategy = maker({}, () => ({
      onRequest(request, desk) {
        heard.set(`${name} request`, request.deliveredAtUs)
        desk.quote(request, { probability, validUs: 60_000_000 })
      },
      onSelected(selection, desk) {
        heard.set(`${name} selection`, selection.deliveredAtUs)
        if (isConfirming) desk.confirm(selection)
        else desk.decline(selection)
      },
    })) as unknown as MakerStrategy
    return { ...makerEntry(name, strategy), capitalMicros: 1e12, latency, faults: NO_FAULTS }
  }

  it('have draws of their own, and so has a later selection of the same request', () => {
    const patient: BettorStrategy = {
      role: 'bettor', parameters: {},
      create: () => ({
        onArrival(intent, desk) {
          intent.setLeg(0, 0, Side.yes)
          intent.setLeg(1, 5, Side.yes)
          intent.setLegCount(2)
          desk.requestQuote(intent, { betMicros: 25_000_000, minOddsE4: 10_001, decideInUs: 8_000_000 })
        },
        onDecision: (intent, desk) => desk.commit(intent),
        onRefused: (intent, _refusal, desk) => desk.wait(intent, 1_000_000),
      }),
    }
    const heard = new Map<string, number>()
    const log = new RowLog()
    const arrivals = [0, 20, 40].map((second) => WORLD_START_US + second * 1_000_000)
    const cohort = { ...cohorts[0]!, bettors: 1, strategy: patient, values: {}, everyUs: 0, arrivalsUs: arrivals }
    const makers = [seat('best', 0.2, false, heard), seat('second', 0.25, true, heard)]
    new Session(sessionConfig(60, { makers, cohorts: [cohort], sinks: [log] })).runToEnd()

    const draws = new Draws(rootKey('a'), Purpose.makerLatency)
    // The last arrival is number 2; its ways are 8 · 2 and those that follow, and 2³² on for the second selection (makerWays.ts).
    const drawn = (name: string, way: number, earlier = 0): number => draws.below(entityOfName(`${name}\0noise`), earlier * 2 ** 32 + 8 * 2 + way, SPAN_US + 1)
    const created = ofKind(log.rows, ParlayEvent.requestCreated, RequestCreated).at(-1)!
    const selected = ofKind(log.rows, ParlayEvent.quoteSelected, QuoteSelected).slice(-2)
    const commandUs = (op: number, account: number): number => log.commands.findLast((command) => command.op === op && command.account === account)!.atUs
    expect(selected.map(({ maker: account }) => account)).toEqual([1, 2])
    expect({
      requests: ['best', 'second'].map((name) => heard.get(`${name} request`)! - created.atUs),
      quotes: ['best', 'second'].map((name, i) => commandUs(ParlayOp.submitQuote, 1 + i) - heard.get(`${name} request`)!),
      selections: ['best', 'second'].map((name, i) => heard.get(`${name} selection`)! - selected[i]!.atUs),
      answers: [
        commandUs(ParlayOp.declineSelection, 1) - heard.get('best selection')!, commandUs(ParlayOp.confirmSelection, 2) - heard.get('second selection')!,
      ],
    }).toEqual({
      requests: [drawn('best', 0), drawn('second', 0)], quotes: [drawn('best', 1), drawn('second', 1)],
      selections: [drawn('best', 3), drawn('second', 3)], answers: [drawn('best', 4), drawn('second', 4, 1)],
    })
  })
})
