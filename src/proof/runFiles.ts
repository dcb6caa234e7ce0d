import { lstatSync, readdirSync, statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { readTable } from '../arrow/tableReader.ts'
import { plainText } from '../arrow/plainText.ts'
import { MADE_OF_TABLES, type Manifest, manifestPath } from '../record/manifest.ts'
import { checkFile } from '../result/check.ts'
import { describeFile, MANIFEST_NAME, type NamedFiles, SIGNATURES_NAME } from '../result/head.ts'
import { mayBeLease } from '../result/lease.ts'
import { isOwnName, placeOf, waitingIn } from '../result/place.ts'
import { canonicalDigest } from '../scenario/canonical.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import { SETTLEMENT_NAME, SOURCES_NAME } from '../scenario/run.ts'
import { InputError } from '../unit/inputError.ts'
import { type Check, checkOf, short } from './check.ts'
import { type Difference, differenceText, jsonDifference, NOTHING } from './difference.ts'

/** Files that a system leaves in folders that people look into. */
const OF_SYSTEMS = ['.DS_Store', 'Thumbs.db', 'desktop.ini']

/** The lease of a result's folder, and what processes that look at its age put beside it. */
const LEASES = /^\.lease(?:\.[0-9a-f]{16})?$/
/** What a generation whose files are not all in place has besides them. */
const OF_GENERATIONS = /^\.replaced(?:-\d+)?$/

/** A file that a manifest names, by its path in the run's folder, and whether it has its hash. */
export interface FileCheckOfRun {
  readonly file: string
  readonly check: Check
}

/** Tables, then the other files that a manifest names, held against their hashes. */
export function hashChecks(dir: string, { tables, files = {} }: Manifest): FileCheckOfRun[] {
  const paths = new Set(Object.values(tables).map(({ file }) => file))
  const check = (name: string, file: string, sha256: string | null): FileCheckOfRun => {
    const link = linkOn(dir, file)
    if (link !== null) return { file, check: checkOf(name, 'differs', link === file ? 'is a link' : `lies behind ${link}, which is a link`) }
    const { ok, about } = checkFile(dir, file, sha256)
    return { file, check: checkOf(name, ok ? 'same' : 'differs', about) }
  }
  return [
    ...Object.entries(tables).map(([name, { file, sha256 }]) => check(`table ${name}`, file, sha256)),
    ...Object.entries(files).filter(([file]) => !paths.has(file)).map(([file, { sha256 }]) => check(`file ${file}`, file, sha256)),
  ]
}

/** Files of a run's folder that its manifest does not name. */
export function addedChecks(dir: string, { files, record }: Manifest): Check[] {
  if (files === undefined) return [record === undefined ? checkOf('files', 'same', 'are not named, as of an older version: only the tables were compared') : checkOf('files', 'differs', 'are not named')]
  const waiting = waitingIn(dir).map((folder) => `${basename(folder)}/`)
  const isAwaited = (file: string): boolean => waiting.some((folder) => {
    const rest = file.slice(folder.length)
    return file.startsWith(folder) && (Object.hasOwn(files, rest) || OF_GENERATIONS.test(rest))
  })
  return filesIn(dir).filter((file) => !Object.hasOwn(files, file) && !isAwaited(file)).map((file) => checkOf(`file ${file}`, 'differs', addedText(dir, file)))
}

function addedText(dir: string, file: string): string {
  if (linkOn(dir, file) !== null) return 'is a link'
  return `was added: ${MANIFEST_NAME} does not name it${isOwnName(file.split('/')[0]!) ? '. A command that writes here, or was cut off, may have left it' : ''}`
}

/** The first part of the way from a result's folder to its file that is a symbolic link, null where none is: what a link leads to may be another tomorrow. */
function linkOn(dir: string, file: string): string | null {
  const place = relative(dir, placeOf(dir, file)).split(sep)
  const ways = place.map((_, i) => place.slice(0, i + 1).join('/'))
  return ways.find((way) => lstatSync(join(dir, way), { throwIfNoEntry: false })?.isSymbolicLink() === true) ?? null
}

/** Whether a run that was settled on chains has the file of what they held, and no other run has; null where that is so. */
export function settlementCheck({ files = {}, record }: Manifest): Check | null {
  const isSettled = record?.chains !== undefined && record.chains.length > 0
  if (record === undefined || isSettled === Object.hasOwn(files, SETTLEMENT_NAME)) return null
  return checkOf('settlement', 'differs', isSettled ? `${SETTLEMENT_NAME} is not named, and the run was settled on ${record.chains!.join(', ')} (record.chains)`
    : `${SETTLEMENT_NAME} was added: the run was settled on no chain (record.chains)`)
}

/**
 * Whether a run has those files made of its tables that its manifest says it was left with (record.left), and no others. `isOurs`: this very code
 * made it, which says so of each run.
 */
export function leftChecks({ files = {}, record }: Manifest, isOurs: boolean): Check[] {
  if (record === undefined) return []
  const { left } = record
  if (left === undefined) return isOurs ? [checkOf('record', 'differs', `the manifest does not say which of ${MADE_OF_TABLES.join(' and ')} the run was left with (record.left)`)] : []
  if (!isLeft(left)) return [checkOf('record', 'differs', `record.left is no list of ${MADE_OF_TABLES.join(' and ')}`)]
  return MADE_OF_TABLES.flatMap((file) => {
    const isNamed = Object.hasOwn(files, file)
    if (isNamed === left.includes(file)) return []
    return [checkOf(`file ${file}`, 'differs', isNamed ? 'was added: the run was left without it (record.left)' : 'is not among the files of the run, which was left with it (record.left)')]
  })
}

/** Whether a value of a manifest is what a run writes there: some of the files, each once, in their order. */
const isLeft = (left: unknown): left is readonly string[] => Array.isArray(left) && JSON.stringify(left) === JSON.stringify(MADE_OF_TABLES.filter((file) => left.includes(file)))

/** Paths of all files under a folder, with slashes, but those that every folder of a result may have. */
export function filesIn(dir: string): string[] {
  const files: string[] = []
  const visit = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = `${prefix}${entry.name}`
      if (entry.isFile() && (OF_SYSTEMS.includes(entry.name) || (prefix === '' && isOfResults(dir, entry.name)))) continue
      if (entry.isDirectory()) visit(join(folder, entry.name), `${name}/`)
      else files.push(name)
    }
  }
  visit(dir, '')
  return files
}

const isOfResults = (dir: string, name: string): boolean => [MANIFEST_NAME, SIGNATURES_NAME].includes(name) || (LEASES.test(name) && mayBeLease(join(dir, name)))

/** Whether a manifest is written as `commit` writes one, says of its files what they are, and does not contradict itself. */
export function manifestCheck(dir: string, manifest: Manifest, { mode, seed }: ResolvedScenario): Check {
  const files = manifest.files === undefined ? {} : { files: describedFiles(dir, manifest.files) }
  return manifestDiffers(dir, { ...manifest, label: mode, identity: { ...manifest.identity, seed }, ...files }) ?? checkOf('manifest', 'same', 'says of its files what they are')
}

/** The first place at which a manifest is not what it should be, by its JSON path; null for none. */
export function manifestDiffers(dir: string, expected: Manifest): Check | null {
  const difference = jsonDifference(plainText(manifestPath(dir)), `${JSON.stringify(expected, null, 2)}\n`)
  return difference === null ? null : checkOf('manifest', 'differs', differenceText(difference), difference)
}

/** What is not there is told by `hashChecks`. */
function describedFiles(dir: string, files: NamedFiles): NamedFiles {
  return Object.fromEntries(Object.entries(files).map(([file, named]) => {
    const path = placeOf(dir, file)
    if (file === SOURCES_NAME) return [file, { bytes: null, sha256: null }]
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [file, named]
    const { bytes, sha256 } = describeFile(path)
    // Of a file that was changed the hash is told by `hashChecks`.
    return [file, named.sha256 === null || named.sha256 === sha256 ? { bytes, sha256 } : named]
  }))
}

/** Whether the tables were recorded under the identity that the manifest names. `tables`: those that have their hashes. */
export function identityCheck(dir: string, { identity, label, tables }: Manifest, names: readonly string[]): Check | null {
  const expected: Readonly<Record<string, string>> = { identity: canonicalDigest(identity), label, seed: identity.seed }
  for (const name of names) {
    const path = placeOf(dir, tables[name]!.file)
    try {
      const { metadata } = readTable(path)
      const key = Object.keys(expected).find((one) => metadata[one] !== expected[one])
      if (key === undefined) continue
      const difference: Difference = { at: `metadata ${key} of table ${name}`, found: metadata[key] ?? NOTHING, expected: expected[key]!, more: '' }
      return checkOf('identity', 'differs', `the tables were not recorded under what ${MANIFEST_NAME} says the run was made of: ${differenceText(difference)}`, difference)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      return checkOf('identity', 'differs', error.describe())
    }
  }
  return names.length === 0 ? null : checkOf('identity', 'same', `of the tables: ${short(expected['identity']!)}`)
}
