import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { LEVELS_MAX } from '../../market/depth.ts'
import { settleIfAllowed } from '../../result/check.ts'
import type { NamedFiles } from '../../result/head.ts'
import { InputError } from '../../unit/inputError.ts'
import { DAY_US, isoOfTimeUs } from '../../unit/time.ts'
import { DEPTH_VERSION } from './depthTable.ts'
import { IMPORT_AGAIN, readStoreJson } from './storeJson.ts'

/** Raised when importers keep more of a history. Version 3 is partitioned by day. */
export const STORE_VERSION = 3
/** The manifest of a store. */
export const STORE_FILE = 'store.json'
const PART_NAME = /^parts\/(\d{4}-\d{2}-\d{2})\.(\d+)\.arrow$/
const DEPTH_NAME = /^depth\/(\d{4}-\d{2}-\d{2})\.(\d+)\.arrow$/
const MARKETS_NAME = /^markets\/(\d+)\.json$/
const DATE_LENGTH = 'YYYY-MM-DD'.length

/** The UTC day of an instant, counted from 1970-01-01. */
export const dayOf = (atUs: number): number => Math.floor(atUs / DAY_US)

/** A day as it stands in the names of parts. */
export const dateOf = (day: number): string => isoOfTimeUs(day * DAY_US).slice(0, DATE_LENGTH)

export const marketsName = (number: number): string => `markets/${number}.json`
export const reportName = (number: number): string => `imports/${number}.json`
export const partName = (day: number, number: number): string => `parts/${dateOf(day)}.${number}.arrow`
export const depthName = (day: number, number: number): string => `depth/${dateOf(day)}.${number}.arrow`
/** What a part leaves behind, of prices or of depth. */
export const lastName = (part: string): string => part.replace(/\.arrow$/, '.last.arrow')

const count = z.int().nonnegative()
const instant = z.int().nullable()
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/)
const files = z.record(z.string(), z.strictObject({ bytes: count, sha256: sha256Hex }))
const format = z.literal('parlor-store')

const OTHER_DAY = 'firstUs and lastUs are not of the day that the name says'
const isOfItsDay = ({ name, firstUs, lastUs }: { readonly name: string; readonly firstUs: number; readonly lastUs: number }, names: RegExp): boolean =>
  firstUs <= lastUs && [firstUs, lastUs].every((us) => dateOf(dayOf(us)) === names.exec(name)?.[1])

const batchSchema = z.strictObject({ ticks: count, firstUs: z.int(), lastUs: z.int() })
const partSchema = z.strictObject({
  name: z.string().regex(PART_NAME),
  ticks: z.int().positive(),
  firstUs: z.int(),
  lastUs: z.int(),
  markets: count,
  batches: z.array(batchSchema).min(1).optional(),
}).refine((part) => isOfItsDay(part, PART_NAME), OTHER_DAY)

const depthPartSchema = z.strictObject({
  name: z.string().regex(DEPTH_NAME),
  rows: z.int().positive(),
  firstUs: z.int(),
  lastUs: z.int(),
  markets: count,
  batches: z.array(z.strictObject({ rows: count, firstUs: z.int(), lastUs: z.int() })).min(1).optional(),
}).refine((part) => isOfItsDay(part, DEPTH_NAME), OTHER_DAY)

const depthSchema = z.strictObject({
  version: z.literal(DEPTH_VERSION),
  levels: z.int().min(1).max(LEVELS_MAX),
  parts: z.array(depthPartSchema),
})

const storeSchema = z.strictObject({
  format,
  version: z.literal(STORE_VERSION),
  markets: count,
  ticks: count,
  firstUs: instant,
  lastUs: instant,
  dataHash: sha256Hex,
  sources: z.array(z.string().regex(/^[0-9a-f]{64}(:[0-9a-f]{64})?$/)),
  parts: z.array(partSchema),
  depth: depthSchema.optional(),
  files,
})

/** A record batch of a part. Stamps are µs since the epoch. */
export interface PartBatch {
  readonly ticks: number
  readonly firstUs: number
  readonly lastUs: number
}

/** What a manifest says of a part. */
export interface PartHead extends PartBatch {
  readonly name: string
  /** Markets that have ticks in it. */
  readonly markets: number
  /** Absent where the manifest leaves it out. */
  readonly batches?: readonly PartBatch[] | undefined
}

/** A record batch of a part of depth. Stamps are µs since the epoch. */
export interface DepthBatch {
  readonly rows: number
  readonly firstUs: number
  readonly lastUs: number
}

/** What a manifest says of a part of depth. */
export interface DepthPartHead extends DepthBatch {
  readonly name: string
  /** Markets that have rows in it. */
  readonly markets: number
  /** Absent where the manifest leaves it out. */
  readonly batches?: readonly DepthBatch[] | undefined
}

/** What a manifest says of depth. */
export interface DepthHead {
  readonly version: typeof DEPTH_VERSION
  /** How many levels of each side its parts have. */
  readonly levels: number
  /** By first stamp, then by import. */
  readonly parts: readonly DepthPartHead[]
}

/** The manifest of a store. */
export interface StoreHead {
  readonly format: 'parlor-store'
  readonly version: typeof STORE_VERSION
  readonly markets: number
  readonly ticks: number
  /** Stamps of the first and the last tick, null without ticks. */
  readonly firstUs: number | null
  readonly lastUs: number | null
  /** SHA-256 over the files of markets, ticks and depth, hex. */
  readonly dataHash: string
  /** SHA-256 of the content of each file that was imported, as it is when it is decompressed, and after a colon that of the mapping that read it. */
  readonly sources: readonly string[]
  /** By first stamp, then by import. */
  readonly parts: readonly PartHead[]
  /** Absent where the store keeps no depth. */
  readonly depth?: DepthHead | undefined
  readonly files: Readonly<Record<string, { readonly bytes: number; readonly sha256: string }>>
}

const olderSchema = z.strictObject({ format, version: z.int().min(1).max(STORE_VERSION - 1), markets: count, ticks: count, firstUs: instant, lastUs: instant, dataHash: sha256Hex, files })
/** What is known of a store that an older version imported. */
export type OlderHead = z.infer<typeof olderSchema>

/** A number that says by which import a file of a store came. */
export const importOf = (name: string): number => Number((PART_NAME.exec(name) ?? DEPTH_NAME.exec(name))?.[2] ?? MARKETS_NAME.exec(name)?.[1] ?? -1)

/** The files of markets that a manifest names, by import. */
export const marketsFiles = (named: NamedFiles): string[] =>
  Object.keys(named).filter((name) => MARKETS_NAME.test(name)).sort((a, b) => importOf(a) - importOf(b))

/** The reports of a store, by import. */
export const importsOf = ({ files }: Pick<StoreHead, 'files'>): string[] =>
  Array.from({ length: Object.keys(files).filter((name) => name.startsWith('imports/')).length }, (_, number) => reportName(number))

/** Whether the data hash covers a file. It leaves out reports, which name the files that an import read. */
export const isData = (name: string): boolean => ['markets/', 'parts/', 'depth/'].some((folder) => name.startsWith(folder))

/** Whether a file is of depth. */
export const isDepth = (name: string): boolean => name.startsWith('depth/')

/** SHA-256 over the files of markets, ticks and depth, hex. */
export function dataHashOf(named: Readonly<Record<string, Pick<NamedFiles[string], 'sha256'>>>): string {
  const hash = createHash('sha256')
  for (const name of Object.keys(named).filter(isData).sort()) hash.update(`${named[name]!.sha256}  ${name}\n`)
  return hash.digest('hex')
}

/** What follows from the parts of a store. */
export const extentOf = (parts: readonly PartHead[]): Pick<StoreHead, 'ticks' | 'firstUs' | 'lastUs'> => ({
  ticks: parts.reduce((sum, { ticks }) => sum + ticks, 0),
  firstUs: parts.length === 0 ? null : parts.reduce((first, { firstUs }) => Math.min(first, firstUs), Infinity),
  lastUs: parts.length === 0 ? null : parts.reduce((last, { lastUs }) => Math.max(last, lastUs), -Infinity),
})

/** Parts in the order in which they are read. */
export const inOrder = <Part extends { readonly name: string; readonly firstUs: number }>(parts: readonly Part[]): Part[] =>
  [...parts].sort((a, b) => a.firstUs - b.firstUs || importOf(a.name) - importOf(b.name))

/** The manifest of a store of any version. Throws InputError where there is none, and for one that a newer parlor imported. */
export function readAnyHead(path: string): StoreHead | OlderHead {
  settleIfAllowed(path, STORE_FILE)
  if (!existsSync(path)) throw new InputError('there is no store here', { position: { file: path } })
  if (!existsSync(join(path, STORE_FILE))) {
    throw new InputError(`not a store, or an incomplete one: ${STORE_FILE} is missing`, { position: { file: path }, hint: IMPORT_AGAIN })
  }
  const file = join(path, STORE_FILE)
  return readStoreJson<StoreHead | OlderHead>(file, z.union([storeSchema, olderSchema]), (value) => {
    const { version } = (value ?? {}) as { readonly version?: unknown }
    if (typeof version === 'number' && version > STORE_VERSION) {
      throw new InputError(`a newer parlor imported the store: it has version ${version}, and this one reads ${STORE_VERSION}`, {
        position: { file }, hint: `use the parlor that imported it, or ${IMPORT_AGAIN}`,
      })
    }
    const { depth } = (value ?? {}) as { readonly depth?: { readonly version?: unknown } | null }
    if (version === STORE_VERSION && typeof depth?.version === 'number' && depth.version !== DEPTH_VERSION) {
      throw new InputError(`the depth of the store has version ${depth.version}, and this parlor reads ${DEPTH_VERSION}`, {
        position: { file }, hint: `use the parlor that imported it, or ${IMPORT_AGAIN}`,
      })
    }
    // A union would only say that neither fits.
    const fault = (version === STORE_VERSION ? storeSchema : olderSchema).safeParse(value).error?.issues[0]
    if (fault !== undefined) throw new InputError(`${fault.path.join('.') || 'the file'}: ${fault.message}`, { position: { file }, hint: IMPORT_AGAIN })
  })
}

/** The manifest of a store that this version reads. Throws InputError under the conditions of `readAnyHead`, and for an older store. */
export function readStoreHead(path: string): StoreHead {
  const head = readAnyHead(path)
  if (isCurrent(head)) return head
  throw new InputError(`the store has version ${head.version}, and lacks facts that imports keep from version ${STORE_VERSION} on`, {
    position: { file: path }, hint: `${IMPORT_AGAIN} (a scenario with history.import does so by itself)`,
  })
}

export const isCurrent = (head: StoreHead | OlderHead): head is StoreHead => head.version === STORE_VERSION

/** Whether there is a store that is refused because an older version imported it. */
export const isOlderStore = (path: string): boolean => existsSync(join(path, STORE_FILE)) && !isCurrent(readAnyHead(path))
