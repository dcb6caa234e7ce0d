import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import { MANIFEST_NAME, readHead } from '../result/head.ts'
import { placeOf } from '../result/place.ts'
import type { RunSummary } from '../score/summary.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'
import type { SweepReport } from '../sweep/sweep.ts'
import { plural, thousands } from '../unit/numberText.ts'
import type { ValidationResult } from '../validation/result.ts'
import { verdictText } from './answerText.ts'
import { kindOf, type ReportKind } from './folderReport.ts'
import { leagueVerdict } from './leagueVerdict.ts'
import { readResult } from './resultFile.ts'

/** A result in a folder of results. */
export interface ListedResult {
  /** Its folder's name. */
  readonly name: string
  readonly kind: ReportKind
  /** When its manifest was written, ms since the epoch, by the clock of the disk. */
  readonly madeMs: number
  /** Null where the result does not say. */
  readonly seed: string | null
  readonly digest: string | null
  /** What it says, in a sentence or two; or why it cannot be read. */
  readonly says: string
  readonly isDamaged: boolean
}

/** The results in a folder, the newest first. Throws InputError for a folder that cannot be read. */
export function listResults(folder: string): ListedResult[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name)
  const results = names.filter((name) => existsSync(join(folder, name, MANIFEST_NAME))).map((name) => resultOf(folder, name))
  return results.toSorted((a, b) => b.madeMs - a.madeMs || (a.name < b.name ? -1 : 1))
}

function resultOf(folder: string, name: string): ListedResult {
  const dir = join(folder, name)
  const kind = kindOf(dir)
  const known = { name, kind, madeMs: statSync(join(dir, MANIFEST_NAME)).mtimeMs }
  try {
    const { digest, identity, seed = (identity as { readonly seed?: unknown } | undefined)?.seed } = readHead(dir)?.fields ?? {}
    return { ...known, seed: textOrNull(seed), digest: textOrNull(digest), says: saysOf(dir, kind), isDamaged: false }
  } catch (error) {
    return { ...known, seed: null, digest: null, says: error instanceof Error ? error.message : String(error), isDamaged: true }
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' || typeof value === 'number' ? String(value) : null)

function saysOf(dir: string, kind: ReportKind): string {
  if (kind === 'run') return runText(dir)
  const file = placeOf(dir, `${kind}.json`)
  if (kind === 'league') return leagueVerdict(readResult<LeagueResult>(file, 2)) ?? 'no entry has figures'
  if (kind === 'validation') {
    const { figures, pass } = readResult<ValidationResult>(file, 1)
    return `${plural(figures.length, 'figure')}, ${pass ? 'all pass' : 'not all pass'}`
  }
  const { points, design, best, search } = readResult<SweepReport>(file, 2)
  return [`${plural(points.length, 'point')}${design.axes.length === 0 ? '' : ` over ${design.axes.join(', ')}`}.`, ...best.map(({ sentence }) => sentence), search?.winner?.sentence ?? ''].filter((part) => part !== '').join(' ')
}

function runText(dir: string): string {
  const path = placeOf(dir, 'summary.json')
  if (!existsSync(path)) return 'without tables and figures'
  const summary = JSON.parse(plainText(path)) as RunSummary
  const services = 'services' in summary ? Object.values(summary.services) : [summary]
  return services.map((one) => `${services.length === 1 ? '' : `${one.service}: `}${verdictText(one) ?? `${thousands(one.requests.count)} requests, no maker`}`).join(' ')
}
