import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import { writeWholeText } from '../arrow/wholeFile.ts'
import { reading, unnamedNote } from '../result/check.ts'
import { Generation } from '../result/generation.ts'
import { type NamedFiles, readHead } from '../result/head.ts'
import { placeOf } from '../result/place.ts'
import type { LeagueResult } from '../sweep/leagueResult.ts'
import type { SweepReport } from '../sweep/sweep.ts'
import { InputError } from '../unit/inputError.ts'
import { PAGE_NAME } from '../unit/pageName.ts'
import type { ValidationResult } from '../validation/result.ts'
import { writePage } from './pageFile.ts'
import { leagueReport } from './leagueReport.ts'
import { readResult } from './resultFile.ts'
import { runReport, type RunReportOptions } from './runReport.ts'
import { sweepReport } from './sweepReport.ts'
import { validationReport } from './validationReport.ts'

/** What a folder holds, by the file that is in it. All have a manifest, and a run has no other. */
const KINDS = [['league', 'league.json'], ['sweep', 'sweep.json'], ['validation', 'validation.json'], ['run', 'manifest.json']] as const
export type ReportKind = (typeof KINDS)[number][0]

export interface FolderReportOptions extends RunReportOptions {
  /** Where the page goes instead of into the result. */
  readonly out?: string
  /** Gets a line when it waits for another process, and about a result whose files have no hashes. */
  readonly say?: (line: string) => void
}

/**
 * Writes the page about the result in a folder, whole or not at all, and makes it a part of the result unless it goes elsewhere. Throws
 * InputError when there is nothing that has a page, DamagedResult when a file of the result is not as it was written.
 */
export async function writeReport(dir: string, { out, say, ...options }: FolderReportOptions = {}): Promise<ReportKind> {
  const kind = kindOf(dir)
  const needed = kind === 'run' ? [] : [fileOf(kind)]
  const note = kind === 'run' ? unnamedNote(dir) : null
  if (note !== null) say?.(note)
  if (out !== undefined || note !== null) {
    const { page } = await reading(dir, (from) => folderPage(from, options), needed)
    if (out === undefined) writeWholeText(join(dir, PAGE_NAME), page)
    else writePage(out, page)
    return kind
  }
  const generation = await Generation.begin(dir, say === undefined ? {} : { say })
  try {
    const { page } = await reading(dir, (from) => folderPage(from, options), needed)
    const { files, ...fields } = readHead(dir)!.fields
    writeWholeText(join(generation.folder, PAGE_NAME), page)
    generation.commit(kind === 'run' ? withPageOf(fields, options) : fields, { kept: files as NamedFiles })
    return kind
  } catch (error) {
    throw generation.giveUp(error)
  }
}

/**
 * The manifest of a run that has a page now, which may show certain requests (`RunRecord` of src/record/manifest.ts): the page's bytes depend on them.
 * One of an older version has no such record.
 */
function withPageOf(fields: Readonly<Record<string, unknown>>, { requests = [] }: RunReportOptions): Readonly<Record<string, unknown>> {
  const { record } = fields
  if (record === undefined) return fields
  const { pageRequests: _, left, ...rest } = record as Readonly<Record<string, unknown>>
  return {
    ...fields,
    record: {
      ...rest, ...(requests.length > 0 ? { pageRequests: requests } : {}),
      ...(Array.isArray(left) ? { left: [...new Set([...left as string[], PAGE_NAME])].toSorted((a, b) => (a < b ? -1 : 1)) } : {}),
    },
  }
}

/** The page of a result: as it lies beside its files, or made of them. Throws as `writeReport`. */
export async function pageOfResult(dir: string): Promise<string> {
  const kind = kindOf(dir)
  return reading(dir, async (from) => {
    const path = join(from, PAGE_NAME)
    return existsSync(path) ? plainText(path) : (await folderPage(from)).page
  }, kind === 'run' ? [] : [fileOf(kind)])
}

/** Writes the page about files that are not committed yet beside them. Throws as `writeReport`. */
export async function writePageBeside(folder: string): Promise<void> {
  writeWholeText(join(folder, PAGE_NAME), (await folderPage(folder)).page)
}

async function folderPage(dir: string, options: RunReportOptions = {}): Promise<{ readonly kind: ReportKind; readonly page: string }> {
  const kind = kindOf(dir)
  return { kind, page: await pageOf(kind, join(dir, fileOf(kind)), dir, options) }
}

const fileOf = (kind: ReportKind): string => KINDS.find(([name]) => name === kind)![1]

export function kindOf(dir: string): ReportKind {
  const [kind] = KINDS.find(([, file]) => existsSync(placeOf(dir, file))) ?? []
  if (kind !== undefined) return kind
  throw new InputError('nothing here that a report is about', { position: { file: dir }, hint: `expected a folder with one of ${KINDS.map(([, file]) => file).join(', ')}` })
}

async function pageOf(kind: ReportKind, file: string, dir: string, options: RunReportOptions): Promise<string> {
  if (kind === 'run') return runReport(dir, options)
  if (kind === 'league') return leagueReport(readResult<LeagueResult>(file, 2))
  if (kind === 'sweep') return sweepReport(readResult<SweepReport>(file, 2))
  return validationReport(readResult<ValidationResult>(file, 1))
}
