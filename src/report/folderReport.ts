import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { type RunReportOptions, writeRunReport } from './runReport.ts'

export type ReportKind = 'run'

/** Writes the page about what is in a folder, whole or not at all. Throws InputError when there is nothing that has a page. */
export async function writeReport(dir: string, path: string, options: RunReportOptions = {}): Promise<ReportKind> {
  if (existsSync(join(dir, 'manifest.json'))) {
    await writeRunReport(dir, path, options)
    return 'run'
  }
  throw new InputError('nothing here that a report is about', { position: { file: dir }, hint: 'expected the folder of a complete run' })
}
