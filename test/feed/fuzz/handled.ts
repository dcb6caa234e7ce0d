import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { importedFiles } from '../../../src/feed/importedHistory.ts'
import type { Importer, ImportResult } from '../../../src/feed/importer.ts'
import type { ImportReport } from '../../../src/feed/importReport.ts'
import { importStore } from '../../../src/feed/store/importStore.ts'
import { verifyStore } from '../../../src/look/verifyStore.ts'
import { ScenarioMistakes } from '../../../src/scenario/mistakes.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { broken } from '../recordedData.ts'
import type { Damaged } from './damage.ts'

/** A message that quotes what was found is cut, and so is a hint. */
const TEXT_MAX = 4200
/** Of several mistakes in one file each has its words, its hint and its line. */
const MISTAKE_MAX = 3500
/** Kinds of trouble are few: a kind that names what is in a row would make as many as there are rows. */
const KINDS_MAX = 60

/** What `act` makes of its input, or undefined where it refuses the input as a user's mistake, in words that are fit for a person. */
export async function orRefused<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const said = error.describe()
    expect(said).not.toContain('\n    at ')
    expect(said).not.toMatch(/undefined|\[object /)
    expect(said.length).toBeLessThan(error instanceof ScenarioMistakes ? Math.max(TEXT_MAX, MISTAKE_MAX * error.mistakes.length) : TEXT_MAX)
    expect(error.position?.line ?? 1).toBeGreaterThan(0)
    return undefined
  }
}

type Account = Pick<ImportReport, 'inputRows' | 'acceptedRows' | 'quarantinedRows' | 'troubles'>

/** Accepted and set aside are the input, and what is wrong is told at its first row. */
export function isAccounted({ inputRows, acceptedRows, quarantinedRows, troubles }: Account, lineCount: number): void {
  for (const count of [inputRows, acceptedRows, quarantinedRows]) expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
  expect(acceptedRows + quarantinedRows).toBe(inputRows)
  expect(troubles.length).toBeLessThan(KINDS_MAX)
  const aside = troubles.filter(({ handling }) => handling === 'quarantined').reduce((sum, { rows }) => sum + rows, 0)
  expect(aside).toBe(quarantinedRows)
  for (const { kind, firstRow, about, rows } of troubles) {
    expect(Number.isSafeInteger(rows) && rows >= 0).toBe(true)
    expect([kind, firstRow >= 1 && firstRow <= lineCount]).toEqual([kind, true])
    expect((kind + about).length).toBeLessThan(TEXT_MAX)
    expect(`${kind} ${about}`).not.toMatch(/undefined|\[object /)
  }
}

export const expectRows = ({ inputRows }: Pick<ImportReport, 'inputRows'>, count: number): void => { expect(inputRows).toBe(count) }

export const linesOf = (text: string): string[] => text.split('\n').filter((line, i, all) => line !== '' && (line !== '\r' || i === all.length - 1))

/** The largest number that a row or a line of a file may have. */
const lineCountOf = ({ text }: Damaged): number => (text === null ? Infinity : Math.max(text.split('\n').length, 1000))

/** The rows of a CSV without a quote are its lines but the first. */
function isCounted(report: ImportReport, { text, name }: Damaged, folder: string): void {
  if (text === null || text.includes('"') || !name.endsWith('.csv')) return
  const own = report.files.filter(({ file, sha256 }) => file === join(folder, name) && sha256 !== undefined)
  // Of a file that two parts of a mapping read, a damaged row is in the account of one of them.
  if (own.length === 1) expect(own[0]!.inputRows).toBe(linesOf(text).length - 1)
}

/** Reads files into memory and, now and then, into a store, which must be whole. */
export async function isImported(importer: Importer, folder: string, damaged: Damaged): Promise<ImportResult | undefined> {
  const result = await orRefused(() => importedFiles(importer, [folder]))
  if (result === undefined) return undefined
  expect(broken(result).filter((rule) => !SOURCE_RULES.has(rule))).toEqual([])
  isAccounted(result.report, lineCountOf(damaged))
  isCounted(result.report, damaged, folder)
  if (damaged.isStored) await isStored(importer, folder, result.report)
  return result
}

async function isStored(importer: Importer, folder: string, report: ImportReport): Promise<void> {
  const store = join(folder, '..', 'store')
  try {
    const stored = await orRefused(() => importStore(store, importer, [folder], { maxQuarantine: 1 }))
    if (stored?.report != null) {
      expect(stored.report).toMatchObject({ inputRows: report.inputRows, acceptedRows: report.acceptedRows, ticks: stored.head.ticks })
      expect((await verifyStore(store)).faults).toEqual([])
    } else expect(existsSync(store)).toBe(false)
  } finally {
    rmSync(store, { recursive: true, force: true })
  }
}

/** Rules of sound recordings. A damaged one may contradict itself, which the report says. */
const SOURCE_RULES = new Set(['no tick stands before the market opens', 'no tick stands after the settlement', 'no tick is crossed', 'every market has an exclusion key'])
