import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeWholeText } from '../arrow/wholeFile.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'
import type { SweepReport } from '../sweep/sweep.ts'
import { InputError } from '../unit/inputError.ts'
import type { ValidationResult } from '../validation/result.ts'
import { leagueReport } from './leagueReport.ts'
import { readResult } from './resultFile.ts'
import { runReport, type RunReportOptions } from './runReport.ts'
import { sweepReport } from './sweepReport.ts'
import { validationReport } from './validationReport.ts'

/** What a folder holds, by the file that is in it. */
const KINDS = [['run', 'manifest.json'], ['league', 'league.json'], ['sweep', 'sweep.json'], ['validation', 'validation.json']] as const
export type ReportKind = (typeof KINDS)[number][0]

/** Writes the page about what is in a folder, whole or not at all. Throws InputError when there is nothing that has a page. */
export async function writeReport(dir: string, path: string, options: RunReportOptions = {}): Promise<ReportKind> {
  const [kind, name] = KINDS.find(([, file]) => existsSync(join(dir, file))) ?? []
  if (kind === undefined) {
    throw new InputError('there is no result here to report on', { position: { file: dir }, hint: `expected a folder with one of ${KINDS.map(([, file]) => file).join(', ')}` })
  }
  writeWholeText(path, await pageOf(kind, join(dir, name!), dir, options))
  return kind
}

async function pageOf(kind: ReportKind, file: string, dir: string, options: RunReportOptions): Promise<string> {
  if (kind === 'run') return runReport(dir, options)
  if (kind === 'league') return leagueReport(readResult<LeagueResult>(file))
  if (kind === 'sweep') return sweepReport(readResult<SweepReport>(file))
  return validationReport(readResult<ValidationResult>(file))
}
