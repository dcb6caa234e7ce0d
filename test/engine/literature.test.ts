import { describe, expect, it } from 'vitest'
import { NO_FAULTS } from '../../src/agent/faults.ts'
import { maker, type MakerStrategy } from '../../src/agent/maker.ts'
import copula from '../../src/agent/makers/copula.ts'
import inventory from '../../src/agent/makers/inventory.ts'
import lastLook from '../../src/agent/makers/lastLook.ts'
import logisticDemand from '../../src/agent/makers/logisticDemand.ts'
import random from '../../src/agent/makers/random.ts'
import silent from '../../src/agent/makers/silent.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { SelectionView } from '../../src/agent/views.ts'
import type { MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import { Session } from '../../src/engine/session.ts'
import { internFacts } from '../../src/market/marketFacts.ts'
import { Digest } from '../../src/record/digest.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../src/venue/outcome/protocol/events.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { OutcomeLog } from './outcomeLog.ts'
import { onOutcome } from './outcomeWorld.ts'
import { RowLog } from './rowLog.ts'
import { cohorts, makerEntry, sessionConfig, world } from './world.ts'

const SECONDS = 60
const facts = internFacts(world(60, 60).markets)

const entry = (strategy: unknown, values: Record<string, number> = {}): MakerEntry => ({
  ...makerEntry('tested', strategy as MakerStrategy), values: parameterValues((strategy as MakerStrategy).parameters, values), faults: NO_FAULTS,
  latency: { feedUs: 20_000, broadcast: { baseUs: 5_000, jitterUs: 0 }, submit: { baseUs: 20_000, jitterUs: 0 }, confirm: { baseUs: 100_000, jitterUs: 0 } },
})

const parlayOf = (strategy: unknown, values?: Record<string, number>) =>
  sessionConfig(SECONDS, { freshViews: true, makers: [entry(strategy, values)], cohorts: [cohorts[0]!], facts })

function parlayLog(strategy: unknown, values?: Record<string, number>): RowLog {
  const log = new RowLog()
  new Session({ ...parlayOf(strategy, values), sinks: [log] }).runToEnd()
  return log
}

function outcomeLog(strategy: unknown, values?: Record<string, number>): OutcomeLog {
  const log = new OutcomeLog()
  new Session({ ...onOutcome(parlayOf(strategy, values)), sinks: [log] }).runToEnd()
  return log
}

const kinds = (rows: readonly { readonly kind: number }[], kind: number): number => rows.filter((row) => row.kind === kind).length

describe.each([
  ['copula', copula, { category: 0.2, all: 0.05 }], ['inventory', inventory, {}], ['logistic demand', logisticDemand, {}],
  ['last look', lastLook, {}], ['last look at the deadline', lastLook, { atDeadline: 1 }], ['random', random, {}],
] as const)('%s in a session', (_, strategy, values) => {
  it('quotes and is filled on the parlay service', () => {
    const { rows } = parlayLog(strategy, values)
    expect(kinds(rows, ParlayEvent.quoteSubmitted)).toBeGreaterThan(20)
    expect(kinds(rows, ParlayEvent.positionOpened)).toBeGreaterThan(5)
  })

  it('and on the outcome service', () => {
    const { rows } = outcomeLog(strategy, values)
    expect(kinds(rows, OutcomeEvent.quoteCreated)).toBeGreaterThan(20)
    expect(kinds(rows, OutcomeEvent.positionOpened)).toBeGreaterThan(5)
  })
})

describe('a silent maker in a session', () => {
  it('sends nothing on either service, and keeps its capital to the micro-unit', () => {
    const session = new Session(parlayOf(silent))
    session.runToEnd()
    expect(session.desks()[0]).toMatchObject({ freeMicros: 50_000_000_000, capitalMicros: 50_000_000_000, openPositions: 0 })
    expect(parlayLog(silent).commands.filter(({ op }) => op === ParlayOp.submitQuote)).toEqual([])
    expect(outcomeLog(silent).commands.filter(({ op }) => op === OutcomeOp.submitQuote)).toEqual([])
  })
})

describe('a copula in a session', () => {
  it('asks more for YES legs of one category than their product, and less for a NO among them', () => {
    const ratios = (values: Record<string, number>): Map<string, number> =>
      new Map(parlayLog(copula, values).commands.filter(({ op }) => op === ParlayOp.submitQuote).map(({ request, memoE9 }) => [`${request}`, memoE9]))
    const legs = new Map(parlayLog(copula, { category: 0 }).commands.filter(({ op }) => op === ParlayOp.createRequest).map((command, i) => [`${i + 1}`, command.legs]))
    const plain = ratios({ category: 0, game: 0 })
    const tied = ratios({ category: 0.3, game: 0.3 })
    let alike = 0
    let mixed = 0
    for (const [request, fair] of plain) {
      const sides = legs.get(request)!.split(' ').map((leg) => leg.split(':')[1])
      const other = tied.get(request)
      if (other === undefined) continue
      if (new Set(sides).size === 1) {
        alike++
        expect(other).toBeGreaterThan(fair)
      } else if (sides.length === 2) {
        mixed++
        expect(other).toBeLessThan(fair)
      }
    }
    expect(alike).toBeGreaterThan(10)
    expect(mixed).toBeGreaterThan(10)
  })
})

describe('a decision that is put off', () => {
  const CONFIRM_US = 100_000

  /** Selections and decisions of a session: when, and of which quote. */
  function story(config: (keeper: MakerEntry) => SessionConfig, waitUs: (selection: SelectionView) => number, confirms: boolean) {
    const selected: { quote: number; atUs: number; deadlineAtUs: number; shown: string }[] = []
    const decided: { quote: number; atUs: number; deadlineAtUs: number; shown: string }[] = []
    const seen = (selection: SelectionView, nowUs: number) => {
      const { quote, deadlineAtUs, oddsE4, netStakeMicros, riskMicros, version, legs } = selection
      return { quote, atUs: nowUs, deadlineAtUs, shown: [oddsE4, netStakeMicros, riskMicros, version, ...legs.markets].join(' ') }
    }
    const keeper = maker({}, () => ({
      onRequest: (request, desk) => desk.quote(request, { probability: 0.1, validUs: 20_000_000 }),
      onSelected(selection, desk) {
        selected.push(seen(selection, desk.nowUs))
        desk.decideLater(selection, waitUs(selection))
      },
      onDecision(selection, desk) {
        decided.push(seen(selection, desk.nowUs))
        if (confirms) desk.confirm(selection)
        else desk.decline(selection)
      },
    }))
    new Session(config(entry(keeper))).runToEnd()
    return { selected, decided }
  }

  const parlay = (log: RowLog) => (keeper: MakerEntry) => ({ ...sessionConfig(SECONDS, { freshViews: true, makers: [keeper], cohorts: [cohorts[0]!] }), sinks: [log] })

  it('comes as asked, with all that the selection said, and is taken within the window', () => {
    const log = new RowLog()
    const { selected, decided } = story(parlay(log), ({ deadlineAtUs, deliveredAtUs }) => deadlineAtUs - deliveredAtUs - 200_000, true)
    expect(selected.length).toBeGreaterThan(5)
    expect(decided).toEqual(selected.map((selection) => ({ ...selection, atUs: selection.deadlineAtUs - 200_000 })))
    expect(kinds(log.rows, ParlayEvent.positionOpened)).toBe(selected.length)
  })

  it('comes too late after the window', () => {
    const log = new RowLog()
    const { selected } = story(parlay(log), ({ deadlineAtUs, deliveredAtUs }) => deadlineAtUs - deliveredAtUs - CONFIRM_US + 1, true)
    expect(selected.length).toBeGreaterThan(5)
    expect(kinds(log.rows, ParlayEvent.positionOpened)).toBe(0)
  })

  it('can be taken on the outcome service, and against the bettor', () => {
    for (const confirms of [true, false]) {
      const log = new OutcomeLog()
      const { selected, decided } = story((keeper) => ({ ...onOutcome(parlay(new RowLog())(keeper)), sinks: [log] }), () => 1_000_000, confirms)
      expect(decided.map(({ atUs }) => atUs)).toEqual(selected.map(({ atUs }) => atUs + 1_000_000))
      expect(selected.length).toBeGreaterThan(5)
      expect(kinds(log.rows, OutcomeEvent.positionOpened)).toBe(confirms ? selected.length : 0)
    }
  })

  it('is a confirmation without a handler', () => {
    const log = new RowLog()
    const keeper = maker({}, () => ({
      onRequest: (request, desk) => desk.quote(request, { probability: 0.1, validUs: 20_000_000 }),
      onSelected: (selection, desk) => desk.decideLater(selection, 1_000_000),
    }))
    new Session(parlay(log)(entry(keeper))).runToEnd()
    expect(kinds(log.rows, ParlayEvent.positionOpened)).toBeGreaterThan(5)
  })

  it('survives a checkpoint', () => {
    const config = parlayOf(lastLook, { atDeadline: 1 })
    const digestOf = (steps: number): string => {
      const digest = new Digest()
      const first = new Session({ ...config, sinks: [digest] })
      first.run(steps)
      const image = structuredClone(first.snapshot())
      const second = new Session({ ...config, sinks: [digest] })
      second.restore(image)
      second.runToEnd()
      return digest.hex()
    }
    expect(new Set([1, 700, 1500].map(digestOf)).size).toBe(1)
  })

  it('is refused with a selection that was kept, and with a time that is none', () => {
    const failure = (keeper: MakerStrategy): string => {
      try {
        new Session(parlay(new RowLog())(entry(keeper))).runToEnd()
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    let kept: SelectionView | undefined
    const quoting = { onRequest: (request, desk) => desk.quote(request, { probability: 0.1, validUs: 20_000_000 }) } satisfies ReturnType<MakerStrategy['create']>
    expect(failure(maker({}, () => ({ ...quoting, onSelected: (selection, desk) => desk.decideLater(kept ??= selection, 5) })) as unknown as MakerStrategy))
      .toMatch('a view holds during its handler only')
    expect(failure(maker({}, () => ({ ...quoting, onSelected: (selection, desk) => desk.decideLater(selection, 0.5) })) as unknown as MakerStrategy))
      .toMatch('a delay is a whole number of µs')
  })
})
