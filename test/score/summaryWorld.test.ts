import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable, type Table } from '../../src/arrow/tableReader.ts'
import { Session } from '../../src/engine/session.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { formatAnswer } from '../../src/report/answerText.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { cohorts, makers, sessionConfig, world } from '../engine/world.ts'

const SECONDS = 300
const { markets } = world(60, 60)

let dir: string
let summary: Summary
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parlor-summary-'))
  const directory = {
    accounts: [
      ...cohorts.flatMap(({ name, bettors }) =>
        Array.from({ length: bettors }, (_, i) => ({ name: `${name}-${i}`, role: 'bettor' as const, group: name }))),
      ...makers(4).map(({ name }) => ({ name, role: 'maker' as const, group: name })),
    ],
    markets: markets.map(({ ticker, event }) => ({ ticker, cluster: event })),
  }
  // A reference that only counts legs: what is checked here does not hang on it.
  const reference = { parlayValue: (_: number, legCount: number) => 2 ** -legCount }
  const recorder = new Recorder({ dir, directory, parlay: { legsMax: 5 }, identity: {}, reference })
  new Session(sessionConfig(SECONDS, { sinks: [recorder] })).runToEnd()
  const identity = { sourceTree: '', node: '', scenario: {}, strategies: {}, data: null, seed: 'a' }
  writeManifest(dir, { label: 'interactive', digest: 'd'.repeat(64), identity, counts: {}, tables: recorder.tables() })
  summary = await summarise(dir)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const tableOf = (name: string): Table => readTable(join(dir, 'tables', `${name}.arrow`))
const numbers = (table: Table, name: string): number[] => [...table.column(name).numbers!]
const labels = (table: Table, name: string): string[] => {
  const { codes, values } = table.column(name)
  return [...codes!].map((code) => values![code] ?? '')
}

describe('a session of the engine, in figures calculated once more from the tables of entities', () => {
  it('INV-01 conserves money', () => {
    expect(summary.conservation).toMatchObject({ differenceMicros: 0, ledgerAgrees: true })
    expect(summary.positions.lost + summary.positions.won).toBeGreaterThan(20)
  })

  it('ties up what selections hold and positions lock', () => {
    const integral = new Map<string, bigint>()
    const tie = (maker: string, amount: number, spanUs: number): void => {
      integral.set(maker, (integral.get(maker) ?? 0n) + BigInt(amount) * BigInt(spanUs))
    }
    const spans = [['acceptances', 'selected_at', 'decided_at'], ['positions', 'opened_at', 'ended_at']] as const
    for (const [name, from, to] of spans) {
      const table = tableOf(name)
      const [maker, risk, begin] = [labels(table, 'maker'), numbers(table, 'risk_micros'), numbers(table, from)]
      const end = table.column(to)
      for (let i = 0; i < table.rowCount; i++) {
        const open = end.valid !== null && end.valid[i] === 0
        tie(maker[i]!, risk[i]!, (open ? summary.window!.endUs : end.numbers![i]!) - begin[i]!)
      }
    }
    for (const { name, collateral } of summary.makers) {
      expect(collateral.integralMicrosUs).toBe(String(integral.get(name) ?? 0n))
    }
  })

  it('splits what bettors lost into what makers and the house won', () => {
    const bettors = summary.bettors.reduce((sum, { profitMicros }) => sum + profitMicros, 0)
    const won = summary.makers.reduce((sum, { profitMicros }) => sum + profitMicros, 0)
    expect(bettors + won + summary.house.revenueMicros).toBe(0)
  })

  it('counts the quotes and fills of every maker', () => {
    const table = tableOf('quotes')
    const [maker, state] = [labels(table, 'maker'), labels(table, 'state')]
    const [request, version] = [numbers(table, 'request'), numbers(table, 'version')]
    for (const { name, quotes, hits } of summary.makers) {
      const rows = maker.flatMap((other, i) => (other === name ? [i] : []))
      expect(quotes).toBe(rows.length)
      expect(hits.fills).toBe(rows.filter((i) => state[i] === 'filled').length)
      expect(hits.quotedVersions).toBe(new Set(rows.map((i) => `${request[i]} ${version[i]}`)).size)
    }
    expect(summary.makers.reduce((sum, { hits }) => sum + hits.fills, 0)).toBe(summary.acceptances.confirmed)
  })

  it('gives every interval the clusters that it rests on, and none of fewer than two', () => {
    const clusters = summary.requests.clusters
    expect(clusters).toBeGreaterThan(9)
    for (const maker of summary.makers) {
      const markOuts = maker.marks.map((mark) => mark.markOutCents)
      for (const interval of [maker.hits.ratio, maker.hold, maker.bettorLoss, maker.profit, ...markOuts]) {
        expect(interval.count).toBeLessThanOrEqual(clusters)
        if (interval.count < 2) expect(interval.low).toBeNull()
        if (interval.low !== null) expect(interval.low).toBeLessThanOrEqual(interval.estimate!)
        if (interval.high !== null) expect(interval.high).toBeGreaterThanOrEqual(interval.estimate!)
      }
    }
  })
})

describe('formatSummary', () => {
  it('is answered in 22 lines of 100 columns', () => {
    const lines = formatAnswer(summary).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(22)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('fits 69 lines of 100 columns for two cohorts and four makers, one of them the caveat, three what looks wrong', () => {
    const lines = formatSummary(summary).trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(69)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('moves the columns of a block together where figures are long', () => {
    const long = { estimate: -5, low: -62.6, high: 38.2, level: 0.95, count: 68, label: '' }
    const profit = { ...long, estimate: -1154.29, low: -11_887, high: 6_713 }
    const makers = summary.makers.map((maker) => ({
      ...maker, name: 'exposure-limited', settled: 331, profitMicros: -1_154_290_000, profit, hold: { ...long, estimate: -0.0597, low: -0.626, high: 0.382 },
      bettorLoss: { ...long, estimate: -0.0405, low: -0.564, high: 0.372 },
    }))
    // 16 + 7 + 29 + 22 + 22 and four gaps: 104 columns with two blanks each, 100 with one.
    const line = formatSummary({ ...summary, makers }).split('\n').find((text) => text.includes('-1,154.29'))!
    expect(line).toBe('exposure-limited     331 -1,154.29 [-11,887, 6,713]/68 -5.97 [-62.6, 38.2]/68 -4.05 [-56.4, 37.2]/68')
  })

  it('shows names whole where the terminal is wide, and cuts them to what fits where it is not', () => {
    const name = 'a maker with a name of thirty-nine letters'
    const makers = summary.makers.map((maker) => ({ ...maker, name }))
    const beginsOf = (columns?: number): Set<string> => new Set(formatSummary({ ...summary, makers }, columns).split('\n').filter((line) => line.startsWith('a maker')).map((line) => line.split(/  | \d| -/)[0]!))
    expect(beginsOf(200)).toEqual(new Set([name]))
    expect(beginsOf(Infinity)).toEqual(new Set([name]))
    const cut = [...beginsOf(90)]
    expect(cut.some((begin) => /^a maker with .*~$/.test(begin))).toBe(true)
    expect(cut.every((begin) => begin === name || begin.length >= 14)).toBe(true)
    expect(Math.max(...formatSummary({ ...summary, makers }, 110).split('\n').map((line) => line.length))).toBeLessThanOrEqual(110)
  })

  it('shows what a profit is made of, a bound as one, and a loss that voids could have made larger', () => {
    const micros = { margin: 4_000_000, selection: -1_000_000, lastLook: 0, drift: -8_250_000, model: 0, fees: -500_000, luck: 48_000_000 }
    const [maker] = summary.makers
    const text = (label?: string): string[] => formatSummary({
      ...summary, makers: [{ ...maker!, name: 'one', profitMicros: 42_250_000, attribution: { ...maker!.attribution, micros }, worstJointLoss: { micros: 74_250_000, isExact: label === undefined, ...(label === undefined ? {} : { label }) } }],
    }).split('\n')
    const from = text().findIndex((line) => line.startsWith('attribution '))
    expect(text().slice(from, from + 2).map((line) => line.split(/ {2,}/))).toEqual([
      ['attribution', 'margin', 'selection', 'model', 'last look', 'drift', 'fees', 'luck', '= profit'],
      ['one', '4.00', '-1.00', '0.00', '0.00', '-8.25', '-0.50', '48.00', '42.25'],
    ])
    expect(text()[from - 1]).toMatch(/ 74\.25$/)
    expect(text()[from - 1]).not.toMatch(/[=~]/)
    expect(text('not exceeded')[from - 1]).toMatch(/ <= 74\.25$/)
    expect(text('as if none were voided: 1 was')[from - 1]).toMatch(/ ~ 74\.25$/)
  })

  it('aligns the columns of a block', () => {
    const lines = formatSummary(summary).split('\n')
    const from = lines.findIndex((line) => line.startsWith('result '))
    expect(new Set(lines.slice(from, from + 5).map((line) => line.length)).size).toBe(1)
  })

  it('says what the manifest does not know, and that money is conserved', () => {
    expect(formatSummary(summary)).toContain('universe ?, listed ?')
    expect(formatSummary(summary)).toContain(': exact')
    const broken = { ...summary, conservation: { ...summary.conservation, differenceMicros: -3 } }
    expect(formatSummary(broken)).toContain('BROKEN by -3 micro-USDC')
  })
})
