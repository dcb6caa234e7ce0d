import type { Catalogue } from '../../market/market.ts'
import type { TickSource } from '../../market/tickSource.ts'
import type { NamedFiles } from '../../result/head.ts'
import { InputError } from '../../unit/inputError.ts'
import { type OpenStore, openStore } from '../store/openStore.ts'
import { isData, isDepth, marketsFiles } from '../store/storeHead.ts'
import { type DepthHistory, depthHistoryOf } from './depthHistory.ts'
import { canBeSpared, type SessionReach } from './lostFiles.ts'
import { RecordedSource } from './readRecord.ts'
import { readingShared, type SharedTicks, sharedTicksOf } from './sharedTicks.ts'
import { StoreSource } from './storeSource.ts'

/** By name within a store, the SHA-256 of a file of markets, ticks or depth, 64 hex digits. */
export type HistoryFiles = Readonly<Record<string, string>>

/** A price store as sessions are made of it. Its ticks are read when they are needed. */
export interface StoreHistory {
  readonly path: string
  readonly catalogue: Catalogue
  readonly ticks: TickSource
  /** Null where the store keeps none. */
  readonly depth: DepthHistory | null
  /** SHA-256 over `files`, hex. */
  readonly dataHash: string
  readonly files: HistoryFiles
  /** Names of its files that nobody has read of it so far, in order. What is read later is read where it is needed. */
  readonly unread: () => readonly string[]
  /** The same history, of which nothing has been read: each session has a record of its own. What has been decoded is kept. */
  readonly forSession: () => StoreHistory
  /** The same history with only these of its files: what an old run used. Throws InputError that names the file that is missing, or has changed. */
  readonly asOf: (files: HistoryFiles) => StoreHistory
  /** Memory for its ticks that all threads read, made once; null where the machine has too little. */
  readonly share: () => SharedTicks | null
  /** The same history, whose ticks are read in such memory. Memory of another history is left alone. */
  readonly sharing: (shared: SharedTicks) => StoreHistory
}

/** Opens a store as `openStore` does, under its conditions. */
export const openStoreHistory = (path: string): StoreHistory => historyOf(openStore(path))

/** A history as an old run found it. */
export interface HistoryOfRun {
  readonly history: StoreHistory
  /** Those of its files that are missing or have changed since, in order. Whoever reads one is refused with its name. */
  readonly lost: readonly string[]
}

/**
 * Opens a store as an old run found it, with all of the files that are there. Throws InputError that names the file that is missing or has
 * changed, unless it is one of `unread`, `store.json` has the hash that it had, and says of its part that the session can do without.
 * @param files all files of the store as the run found it. @param unread those that it says that it did not read.
 */
export function openHistoryOfRun(path: string, files: HistoryFiles, unread: readonly string[], reach: SessionReach): HistoryOfRun {
  const maybeLost = new Set(unread)
  const lost: string[] = []
  const store = openStore(path, { needs: (name) => Object.hasOwn(files, name) && !maybeLost.has(name) })
  const history = historyOf(asOf(store, files, (name) => {
    if (!maybeLost.has(name) || !canBeSpared(store.head, name, reach)) return false
    lost.push(name)
    return true
  }))
  return { history, lost: lost.sort() }
}

/** A store that is open as a history. */
export function historyOf(store: OpenStore, memory?: SharedTicks): StoreHistory {
  let made: SharedTicks | null | undefined = memory
  const share = (): SharedTicks | null => (made === undefined ? made = sharedTicksOf(store) : made)
  return recorded(store, memory === undefined ? new StoreSource(store) : new StoreSource(store, readingShared(store, memory)), share)
}

/** A history of which nothing has been read. */
function recorded(store: OpenStore, source: StoreSource, share: StoreHistory['share']): StoreHistory {
  const { path, catalogue, head } = store
  const ticks = new RecordedSource(source)
  const depth = depthHistoryOf(store)
  // Whoever shows depth reads of all its parts something.
  let isDepthRead = false
  const files = filesOf(head.files)
  const history: StoreHistory = {
    path, catalogue, ticks, depth: depth && { ...depth, between: (foldUs, untilUs) => {
      isDepthRead = true
      return depth.between(foldUs, untilUs)
    } }, dataHash: head.dataHash, files, share,
    unread: () => {
      const read = new Set([...marketsFiles(head.files), ...ticks.filesRead()])
      return Object.keys(files).filter((name) => !(isDepth(name) ? isDepthRead : read.has(name)))
    },
    forSession: () => recorded(store, source, share),
    asOf: (used) => historyOf(asOf(store, used)),
    sharing: (shared) => (shared.dataHash === head.dataHash ? historyOf(store, shared) : history),
  }
  return history
}

const filesOf = (named: NamedFiles): HistoryFiles =>
  Object.fromEntries(Object.keys(named).filter(isData).sort().map((name) => [name, named[name]!.sha256!]))

function asOf(store: OpenStore, files: HistoryFiles, spares?: (name: string) => boolean): OpenStore {
  const { path, head } = store
  for (const [name, sha256] of Object.entries(files)) {
    const found = head.files[name]?.sha256
    const fail = (message: string): never => {
      throw new InputError(`${name} of the store ${message}`, { position: { file: path }, hint: 'what was played needs the files that it was played with: appending keeps them, importing again does not' })
    }
    if (found === undefined) fail('is not there any more')
    if (found !== sha256) fail(`is another than it was: ${found!.slice(0, 12)}, expected ${sha256.slice(0, 12)}`)
  }
  const narrowed = store.asOf(Object.keys(files), spares)
  return narrowed.head.dataHash === head.dataHash ? store : narrowed
}
