import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maker } from '../../src/agent/maker.ts'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { Session } from '../../src/engine/session.ts'
import { Digest } from '../../src/record/digest.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { RowLog } from './rowLog.ts'
import { makerEntry, makers, sessionConfig, WORLD_START_US } from './world.ts'

const SECONDS = 120

function digestOf(replaced: Parameters<typeof sessionConfig>[1] = {}, chunk = 4096): string {
  const digest = new Digest()
  new Session(sessionConfig(SECONDS, { ...replaced, sinks: [digest] })).runToEnd(chunk)
  return digest.hex()
}

function logOf(replaced: Parameters<typeof sessionConfig>[1] = {}): RowLog {
  const log = new RowLog()
  new Session(sessionConfig(SECONDS, { ...replaced, sinks: [log] })).runToEnd()
  return log
}

describe('INV-30 same inputs, same bytes', () => {
  const expected = digestOf()

  it('INV-30 gives the same digest with every chunk size', () => {
    for (const chunk of [1, 7, 1000, 1_000_000]) expect(digestOf({}, chunk)).toBe(expected)
  })

  it('INV-30 gives another digest for another seed', () => {
    expect(digestOf({ seed: 'b' })).not.toBe(expected)
  })

  it('INV-30 gives the same digest when strategies cannot keep their views', () => {
    expect(digestOf({ poisonViews: true })).toBe(expected)
  })

  it('INV-30 continues a checkpoint in a new process to the same digest', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-checkpoint-'))
    try {
      const total = countSteps()
      fc.assert(fc.property(fc.integer({ min: 1, max: total - 1 }), (steps) => {
        const digest = new Digest()
        const session = new Session(sessionConfig(SECONDS, { sinks: [digest] }))
        session.run(steps)
        const file = join(folder, 'image')
        writeFileSync(file, serialize({ session: session.snapshot(), digest: digest.snapshot() }))
        const child = spawnSync(process.execPath, [fileURLToPath(new URL('./resume.ts', import.meta.url)), file, String(SECONDS)], { encoding: 'utf8' })
        expect(child.stderr).toBe('')
        expect(child.stdout.trim()).toBe(expected)
      }), { numRuns: 3 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})

/** Steps of a whole session, counted by playing it one by one. */
function countSteps(): number {
  const session = new Session(sessionConfig(SECONDS))
  let steps = 0
  while (session.run(1)) steps++
  return steps
}

describe('draws are keyed', () => {
  const silent = maker({}, () => ({ onRequest: (_request, desk) => desk.pass('never quotes') })) as unknown as MakerStrategy

  it('a maker that never quotes changes nothing that the others do', () => {
    const participants = (log: RowLog, own: number): unknown[] =>
      log.commands.filter((c) => c.op > ParlayOp.withdraw && c.account !== own).map(({ atUs, op, request, oddsE4, betMicros, legs }) => [atUs, op, request, oddsE4, betMicros, legs])
    const entries = makers(4)
    const without = participants(logOf(), -1)
    // Bettors' accounts come first, so the inserted maker stands at 55 + 1.
    const inserted = participants(logOf({ makers: [entries[0]!, makerEntry('silent', silent), ...entries.slice(1)] }), 56)
    expect(without.length).toBeGreaterThan(1000)
    expect(inserted).toEqual(without)
  })
})

describe('no look-ahead', () => {
  it('changing every price and result after t changes nothing before t', () => {
    const config = sessionConfig(SECONDS)
    // Informed bettors look ahead on purpose, through the oracle that the manifest lists: they stay away here.
    const blind = config.cohorts.filter((cohort) => cohort.strategy.horizonUs === undefined)
    const tUs = WORLD_START_US + 60_000_000
    const { ticks } = config
    const bidE6 = ticks.bidE6.map((price, i) => (ticks.atUs[i]! > tUs ? 1_000_000 - price - 20_000 : price))
    const askE6 = bidE6.map((price) => price + 20_000)
    const changed = { ...ticks, bidE6, askE6 }
    const results = config.operator.map((input) =>
      input.op === ParlayOp.resolveMarket && input.atUs > tUs ? { ...input, value: ((input.value ?? 0) + 1) % 3 } : input)
    const before = logOf({ cohorts: blind }).rows.filter((row) => row.atUs <= tUs)
    const after = logOf({ cohorts: blind, ticks: changed, operator: results })
    expect(before.length).toBeGreaterThan(1000)
    expect(after.rows.filter((row) => row.atUs <= tUs)).toEqual(before)
    expect(after.rows.filter((row) => row.atUs > tUs)).not.toEqual(logOf({ cohorts: blind }).rows.filter((row) => row.atUs > tUs))
  })
})

describe('money', () => {
  it('INV-01 INV-29 conserves every micro-unit and settles every position', () => {
    const config = sessionConfig(SECONDS)
    const session = new Session(config)
    while (session.run(500)) {
      const { netDepositsMicros, houseMicros, potMicros, escrowMicros, heldMicros } = session.venue.view.totals()
      expect(heldMicros + potMicros + escrowMicros + houseMicros).toBe(netDepositsMicros)
    }
    const { potMicros, escrowMicros, houseMicros } = session.venue.view.totals()
    expect([potMicros, escrowMicros]).toEqual([0, 0])
    expect(houseMicros).toBeGreaterThan(0)
  })

  it('plays every outcome of the main line', () => {
    const seen = new Set(logOf().rows.map((row) => row.kind))
    const missing = Object.entries(ParlayEvent).filter(([name, kind]) => !seen.has(kind) && !UNUSED.has(name)).map(([name]) => name)
    expect(missing).toEqual([])
  })
})

/** What bettors and operators of this world never do. */
const UNUSED = new Set([
  'marketHalted', 'marketResumed', 'marketDelisted', 'feesChanged', 'faultChanged', 'fundsWithdrawn', 'requestUpdated',
  'requestCancelled', 'quoteReplaced', 'quoteWithdrawn', 'positionCancelled',
])
