import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { onTestFinished, type TestContext } from 'vitest'
import type { ImportResult } from '../../src/feed/importer.ts'
import type { ImportReport } from '../../src/feed/importReport.ts'

const root = fileURLToPath(new URL('../../../shared/data/', import.meta.url))

/** Path of recorded data beside the checkout; skips the test, loudly, where there is none. */
export function recorded(ctx: TestContext, path: string): string {
  if (!existsSync(root)) {
    console.warn(`SKIPPED ${ctx.task.name}: no recorded data at ${root}`)
    ctx.skip()
  }
  return root + path
}

/** A folder that goes when the test is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parlor-feed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Data rows of a CSV file by counting line ends, the header left out. */
export function countedRows(file: string): number {
  const bytes = file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  return lines - 1
}

/** Rows that the recorders' own manifest states for a file. */
export function manifestRows(path: string): number {
  const entries = JSON.parse(readFileSync(`${root}MANIFEST.json`, 'utf8')) as { file: string; rows?: number }[]
  return entries.find(({ file }) => file === path)?.rows ?? Number.NaN
}

/** Rows of one trouble over all files. */
export function troubleRows(report: ImportReport, kind: string, handling: 'noted' | 'quarantined'): number {
  return report.troubles.filter((t) => t.kind === kind && t.handling === handling).reduce((sum, t) => sum + t.rows, 0)
}

/** What must hold of every import, whatever its format; returns the rules that do not. */
export function broken({ markets, ticks, report }: ImportResult): string[] {
  const faults = new Set<string>()
  const demand = (holds: boolean, rule: string) => {
    if (!holds) faults.add(rule)
  }
  demand(report.acceptedRows + report.quarantinedRows === report.inputRows, 'accepted and quarantined are the input')
  for (const f of report.files) demand(f.acceptedRows + f.quarantinedRows === f.inputRows, `rows of ${f.file}`)
  demand(report.markets === markets.length && report.ticks === ticks.count, 'the report counts markets and ticks')
  markets.forEach((market, i) => {
    demand(market.number === i && (i === 0 || markets[i - 1]!.ticker < market.ticker), 'numbers are dense in order of ticker')
    demand(market.exclusionKeys.length > 0, 'every market has an exclusion key')
    demand(market.exclusionKeys.every((key, at) => at === 0 || market.exclusionKeys[at - 1]! < key), 'exclusion keys are sorted')
    demand((market.scheduledCloseUs === null) === (market.scheduledCloseKnownUs === null), 'a close has its known-at time')
    demand(market.settledUs === null || market.outcome !== null, 'what is settled has an outcome')
  })
  for (let i = 0; i < ticks.count; i += 1) {
    const market = markets[ticks.market[i]!]
    const atUs = ticks.atUs[i]!
    const bid = ticks.bidE6[i]!
    const ask = ticks.askE6[i]!
    demand(i === 0 || ticks.atUs[i - 1]! <= atUs, 'ticks are in order of time')
    demand(Number.isSafeInteger(atUs), 'times are whole microseconds')
    demand(market !== undefined, 'every tick is of a market')
    demand(market === undefined || atUs >= market.openUs, 'no tick stands before the market opens')
    demand(market === undefined || market.settledUs === null || atUs <= market.settledUs, 'no tick stands after the settlement')
    demand(bid >= -1 && bid <= 1_000_000 && ask >= -1 && ask <= 1_000_000, 'prices are 0 to 1 dollar, or none')
    demand(bid === -1 || ask === -1 || bid <= ask, 'no tick is crossed')
    demand(ticks.bidSize[i]! >= -1 && ticks.askSize[i]! >= -1, 'sizes are counts, or unknown')
  }
  return [...faults]
}
