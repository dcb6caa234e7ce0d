import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import { writeWholeJson } from '../arrow/wholeFile.ts'
import { checkLists, settleIfAllowed } from '../result/check.ts'
import { describeFile, headOf, MANIFEST_NAME, type NamedFiles } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import { PAGE_NAME } from '../unit/pageName.ts'

const MANIFEST_VERSION = 1

/** A file of a run as its manifest describes it. */
export interface ManifestTable {
  /** Path relative to the run's folder, with slashes. */
  readonly file: string
  readonly rows: number
  readonly sha256: string
}

/** What makes a run, and what it left (design.md, decision 13). Two runs of equal identity have equal digests. */
export interface Manifest {
  readonly version: typeof MANIFEST_VERSION
  /** replay: history is fixed and nothing responds. interactive: agents respond to each other. */
  readonly label: 'replay' | 'interactive'
  /** `Digest.hex()` of the session's rows. */
  readonly digest: string
  readonly identity: RunIdentity
  /** How it was recorded. Absent from runs of older versions. */
  readonly record?: RunRecord
  /** What happened, by name: commands, requests, positions, … */
  readonly counts: Readonly<Record<string, number>>
  readonly tables: Readonly<Record<string, ManifestTable>>
  /** The files of the price store that the run could read, by name: their SHA-256, over which `identity.data` is the hash. Absent from runs of older versions. */
  readonly history?: Readonly<Record<string, string>>
  /** Those of `history` that the run did not read, and does not when it is played again. Absent where it read all, and from runs of older versions. */
  readonly unread?: readonly string[]
  /** How clients took part, of a run of `parlor serve`. Absent from all others. */
  readonly served?: ServedRun
  /** All files of the run but the manifest, by path. Absent from runs of older versions. */
  readonly files?: NamedFiles
}

/** How a run was recorded: its rows are no function of it, and its files are. */
export interface RunRecord {
  /** Whether it has tables, besides what clients did. */
  readonly tables: boolean
  /** Horizons of the table `marks`, µs, rising. */
  readonly marksUs: readonly number[]
  /** Span between rows of the table `equity`, µs. 0: no rows. */
  readonly equityEveryUs: number
  /** Whether Parquet lies beside Arrow. */
  readonly parquet: boolean
  /** It has the table `deliveries`. Absent from all other runs. */
  readonly deliveries?: true
  /** Its tables have small batches, and what strategies say is not recorded. Absent from all other runs. */
  readonly isScratch?: true
  /** Requests that its page was asked to show, rising. Absent where the page chose them. */
  readonly pageRequests?: readonly number[]
  /** The name of the scenario file, without its ending: the title of the page. Absent from runs of no file, and of older versions. */
  readonly name?: string
  /** Chains that it was settled on, as the scenario names them. Absent from all other runs. */
  readonly chains?: readonly string[]
  /** Which of `MADE_OF_TABLES` were left beside its tables, by code unit. Absent from runs that no folder was made for, and of older versions. */
  readonly left?: readonly string[]
}

/** Files that a run is left with where that is asked for, by code unit: its page and its summary. */
export const MADE_OF_TABLES = [PAGE_NAME, 'summary.json'] as const

/** How a session was served. What came in from outside stands in the table `external`. */
export interface ServedRun {
  /** `wall`: virtual time followed the wall's. `lockstep`: it waited for clients, turn by turn. */
  readonly clock: 'wall' | 'lockstep'
  /** Virtual time for each time of the wall; 0 with lockstep. */
  readonly speed: number
  /** What was added to every instant on the wire, µs. */
  readonly shiftUs: number
  /** Where the session was stopped before its end, µs; null: it was not. */
  readonly stoppedUs: number | null
  /** What the ids on the wire were made under, and no secret was. Absent from runs of older versions. */
  readonly idKey?: string
}

/** Everything that a run's rows are a function of. */
export interface RunIdentity {
  /** `sourceTreeDigest` of the code that ran. */
  readonly sourceTree: string
  /** `process.version`. */
  readonly node: string
  /** The resolved scenario without record, chain and worker settings. */
  readonly scenario: unknown
  /** By strategy as the scenario names it: the digest of its module graph. */
  readonly strategies: Readonly<Record<string, string>>
  /** Strategies as the scenario names them that ran in no room (`--trusted`), by code unit. Absent for none. */
  readonly trusted?: readonly string[]
  /** Strategies as the scenario names them that a program gave as objects, by code unit: no digest has their code. Absent for none. */
  readonly unhashed?: readonly string[]
  /** Hash of the price store, null without one. */
  readonly data: string | null
  readonly seed: string
}

/** A table that a run left. */
export interface TableFile {
  readonly name: string
  readonly path: string
  readonly rows: number
}

/** The arguments of `writeManifest`, which works out the tables' hashes itself. */
export interface ManifestParts extends Omit<Manifest, 'version' | 'tables' | 'files'> {
  readonly tables: readonly TableFile[]
}

export const manifestPath = (dir: string): string => join(dir, MANIFEST_NAME)

/**
 * Writes `manifest.json`, whole or not at all. A folder with a manifest counts as a complete run, so that the manifest must be
 * written last, after `Recorder.finish()` and everything else.
 */
export function writeManifest(dir: string, parts: ManifestParts): Manifest {
  const tables: Record<string, ManifestTable> = {}
  for (const table of parts.tables) {
    tables[table.name] = { file: `tables/${table.name}.arrow`, rows: table.rows, sha256: fileSha256(table.path) }
  }
  const { label, digest, identity, record, counts, history, unread = [], served } = parts
  const manifest: Manifest = { version: MANIFEST_VERSION, label, digest, identity, ...(record === undefined ? {} : { record }), counts, tables, ...(history === undefined ? {} : { history }), ...(unread.length === 0 ? {} : { unread }), ...(served === undefined ? {} : { served }) }
  writeWholeJson(manifestPath(dir), manifest)
  return manifest
}

/** Removes a run's manifest. From then on the folder does not count as a complete run. */
export function removeManifest(dir: string): void {
  rmSync(manifestPath(dir), { force: true })
}

/** The manifest of a complete run. Throws InputError when there is none, or when this version cannot read it, DamagedResult as `checkLists`. */
export function readManifest(dir: string): Manifest {
  settleIfAllowed(dir)
  const path = manifestPath(dir)
  const position = { file: path }
  let text: string
  try {
    text = plainText(path)
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    const hint = 'expected the folder of a run that ended'
    throw new InputError('not a complete run: there is no manifest', { position, hint, cause })
  }
  let manifest: Partial<Manifest> | null
  try {
    manifest = JSON.parse(text) as Partial<Manifest> | null
  } catch (cause) {
    throw new InputError('the manifest is not JSON', { position, cause })
  }
  const version: unknown = manifest?.version
  if (typeof version === 'number' && version > MANIFEST_VERSION) {
    throw new InputError(`a newer parlor made the run: its manifest has version ${version}, and this one reads ${MANIFEST_VERSION}`, {
      position, hint: 'read it with the parlor that made it, or run the scenario again',
    })
  }
  if (manifest === null || typeof manifest !== 'object' || manifest.version !== MANIFEST_VERSION) {
    throw new InputError(`the manifest does not have version ${MANIFEST_VERSION}`, { position, hint: 'run the scenario again' })
  }
  const { kind } = manifest as { readonly kind?: unknown }
  if (typeof kind === 'string') throw new InputError(`the result of a ${kind}, and no run`, { position, hint: 'expected the folder of a run' })
  for (const field of ['label', 'digest', 'identity', 'counts', 'tables'] as const) {
    if (manifest[field] === undefined) throw new InputError(`the manifest has no ${field}`, { position })
  }
  checkLists(dir, headOf(text)!)
  return manifest as Manifest
}

/** SHA-256 of a file's bytes, 64 hex digits. */
export const fileSha256 = (path: string): string => describeFile(path).sha256

/**
 * SHA-256 over the files under `root`/src. Files are in the order of their paths (with slashes, by code unit), and each adds its
 * path, length and bytes. The same bytes give the same digest on every platform.
 */
export function sourceTreeDigest(root: string): string {
  const src = join(root, 'src')
  const paths = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
  const hash = createHash('sha256')
  for (const path of paths) {
    const bytes = readFileSync(join(root, path))
    hash.update(`${path}\n${bytes.byteLength}\n`).update(bytes)
  }
  return hash.digest('hex')
}
