import { existsSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MemoryTables } from '../arrow/memoryTable.ts'
import { writeWholeJson } from '../arrow/wholeFile.ts'
import type { SessionConfig } from '../engine/config.ts'
import { Session } from '../engine/session.ts'
import type { StoreHistory } from '../feed/history/storeHistory.ts'
import { type AskFilter, askCountName, MILLIONTHS, youngCountName } from '../unit/askFilters.ts'
import { Digest } from '../record/digest.ts'
import { MADE_OF_TABLES, type Manifest, manifestPath, type RunIdentity, type RunRecord, sourceTreeDigest, type TableFile, writeManifest } from '../record/manifest.ts'
import { RECORDED_NAME, writeRecorded } from '../record/recordedTable.ts'
import { type OutcomeRecording, type ParlayRecording, Recorder, type RecorderOptions } from '../record/recorder.ts'
import type { Sink } from '../record/sink.ts'
import { MS_US } from '../unit/time.ts'
import { DeliveredRows } from '../unit/deliveredRows.ts'
import { RequestArrivals } from '../unit/requestArrivals.ts'
import { ToldRows } from '../unit/toldRows.ts'
import { askedFor, choosesMarkets } from './askedFor.ts'
import { type BuiltSession, buildSession } from './build.ts'
import { canonicalDigest } from './canonical.ts'
import type { Settlement, SettlingProgress } from './chain.ts'
import type { ChainSettings } from './chainSchema.ts'
import { groupsOf, withGroups } from './groups.ts'
import { openHistory } from './history.ts'
import { MISTAKES_MAX, ScenarioMistakes } from './mistakes.ts'
import { inOrder, type LoadedScenario, settingsOf } from './load.ts'
import { play, type Progress } from './play.ts'
import { recordedFates } from './recorded/recordedFates.ts'
import { resolveScenario } from './resolve.ts'
import type { ResolvedOutcome, ResolvedParlay, ResolvedScenario } from './resolved.ts'
import { beginRun, type RunTarget, unnamedFiles } from './runFolder.ts'
import type { ScenarioFile } from './schema.ts'
import { type GivenStrategies, roomImport, type StrategyImport } from './strategies.ts'
import { loadStrategies, type StrategySet } from './strategySet.ts'

/** Where a run's inputs lie, relative to its folder: what `verify` needs besides the manifest, which names no places. */
export const SOURCES_NAME = 'sources.json'

/** What chains held at the end of a run. */
export const SETTLEMENT_NAME = 'settlement.json'

export interface RunSources {
  /** The scenario file; paths of strategies begin in its folder. */
  readonly scenario: string
  readonly store: string
  /** Settings that the run laid over the scenario, in the form of `--set`. Absent: none, or a run of an older version. */
  readonly set?: readonly string[]
  /** `ownPlatform` of the process that made the run. Absent from runs of older versions. */
  readonly platform?: string
}

/** Operating system and processor of this process, such as `linux-x64`. */
export const ownPlatform = (): string => `${process.platform}-${process.arch}`

/** Sessions of a sweep are short, and the memory of a batch is cleared before its first row. */
const SCRATCH_BATCH_ROWS = 4096

/** The package, of which `src` is digested. */
const PARLOR_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

/** A scenario with everything that it names. */
export interface PreparedScenario {
  readonly resolved: ResolvedScenario
  readonly strategies: StrategySet
  readonly store: StoreHistory
  readonly record: ScenarioFile['record']
  /** Chains that `runScenario` settles on; sweeps, leagues and validation do not. */
  readonly chain: ChainSettings
}

export interface PlayIntoOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
  /** The identity of the prepared scenario, where the caller has it already. */
  readonly identity?: RunIdentity
  /** The tables are read and removed at once: they are written for speed, in small batches. Their rows are the same. */
  readonly isScratch?: boolean
  /** False: nothing waits for the disk. The bytes are the same. */
  readonly isDurable?: boolean
  /** Besides those of digest and tables. */
  readonly sinks?: readonly Sink[]
  /** Chains that the run is settled on meanwhile. */
  readonly chains?: readonly string[]
}

export interface RunOptions extends PlayIntoOptions {
  readonly target: RunTarget
  /** Called with the folder in which tables and manifest stand and are not committed yet. */
  readonly finishing?: (folder: string) => Promise<void>
  readonly onSettling?: (progress: SettlingProgress) => void
  /** Gets a line when it waits for another process. */
  readonly say?: (line: string) => void
  /** This thread comes to its timers while the run is young. */
  readonly isPrompt?: boolean
}

export interface RunResult {
  readonly path: string
  readonly manifest: Manifest
  /** What the chains held at the end of a run on chains, and the lines that say so. */
  readonly settlement?: { readonly record: Settlement; readonly lines: readonly string[] }
}

/** How the files that a scenario names are read. */
export interface PrepareOptions {
  /** May give a store that is open already. */
  readonly open?: typeof openHistory
  readonly importFile?: StrategyImport
  /** Strategies that are objects of the caller, by name. */
  readonly given?: GivenStrategies
  /** Whether clients can take the seats that are theirs. Otherwise such a seat is a mistake. */
  readonly isServed?: boolean
  /** Is told the names of the participants, makers first, before any of their strategies is called. */
  readonly begins?: (names: readonly string[]) => void
}

/** Loads strategies and history of a scenario and fills in what it leaves open. `say` gets a line when a history is imported. */
export async function prepareScenario(
  loaded: LoadedScenario, say: (line: string) => void = () => {}, { open = openHistory, importFile = roomImport, given, begins, isServed = false }: PrepareOptions = {},
): Promise<PreparedScenario> {
  if (!isServed) refuseExternalSeats(loaded)
  const strategies = await loadStrategies(loaded, importFile, given)
  const groups = groupsOf(loaded)
  const store = withGroups(await open(loaded, say), groups)
  const resolved = resolveScenario(loaded, strategies, store, begins)
  for (const line of logLines(strategies, resolved)) say(line)
  const grouped = groups === undefined ? resolved : { ...resolved, history: { ...resolved.history, groups } }
  return { resolved: grouped, strategies, store, record: loaded.file.record, chain: loaded.file.chain }
}

/** What of recorded logs is not played, a line each: rows that were set aside, and requests that the session cannot have. */
function logLines({ logs }: StrategySet, { bettors }: ResolvedScenario): string[] {
  const rows = [...logs].flatMap(([name, { report: { inputRows, acceptedRows, troubles } }]) => (troubles.length === 0 ? [] : [
    `${name}: ${acceptedRows} of ${inputRows} rows read; ${troubles.map(({ kind, rows: count, firstRow, about, handling, place }) => `${count} ${handling === 'noted' ? 'noted: ' : 'set aside: '}${kind} (${place ?? `line ${firstRow}`}: ${about})`).join('; ')}`,
  ]))
  const requests = bettors.flatMap(({ name, recorded }) => {
    const leftOut = Object.entries(recorded?.leftOut ?? {})
    return leftOut.length === 0 ? [] : [`${name}: left out of ${recorded!.requests} requests of ${recorded!.log}: ${leftOut.map(([cause, { count, first }]) => `${count} ${cause} (first ${first})`).join(', ')}`]
  })
  return [...rows, ...requests]
}

/** Throws ScenarioMistakes where a client would hold a seat, and none can come. */
function refuseExternalSeats({ file, source }: LoadedScenario): void {
  const seats = (['makers', 'bettors'] as const).flatMap((list) => file[list].flatMap(({ external }, i) => (external === true ? [[list, i, 'external']] : [])))
  const mistakes = seats.slice(0, MISTAKES_MAX)
    .map((path) => source.mistake(path, 'a client holds this seat, and none can come', { hint: `parlor serve ${source.path} plays it with clients` }))
  if (mistakes.length > 0) throw new ScenarioMistakes(inOrder(mistakes))
}

/** In a bundle, which tools/bundle writes: the digest of the sources that it was made from. */
declare const BUNDLED_SOURCE_TREE: string | undefined

let sourceTree: string | undefined

/** Digest of the code that runs: of the sources that its bundle was made from, or of those that run themselves, as they were on the disk when it was first asked for. */
export const ownSourceTree = (): string => (typeof BUNDLED_SOURCE_TREE === 'string' ? BUNDLED_SOURCE_TREE : sourceTree ??= sourceTreeDigest(PARLOR_ROOT))

/** Everything that the rows of a run are a function of (design.md, decision 13). `sourceTree`: of the code that runs. */
export function identityOf({ resolved, strategies, store }: PreparedScenario, sourceTree = ownSourceTree()): RunIdentity {
  const digests: Record<string, string> = {}
  const trusted = new Set<string>()
  const unhashed = new Set<string>()
  for (const { use, graph, strategy, isGiven } of [...strategies.maker.values(), ...strategies.bettor.values()]) {
    if (graph !== undefined) digests[use] = graph.digest
    if (strategy.isTrusted === true) trusted.add(use)
    if (isGiven === true) unhashed.add(use)
  }
  return {
    sourceTree, node: process.version, scenario: resolved, strategies: digests, ...(trusted.size > 0 ? { trusted: [...trusted].toSorted() } : {}),
    ...(unhashed.size > 0 ? { unhashed: [...unhashed].toSorted() } : {}),
    data: store.dataHash, seed: resolved.seed,
  }
}

/**
 * Runs a scenario into a folder, whole or not at all (`Generation`). Throws InputError for wrong input, StrategyFailure when a strategy
 * throws, SettlementFailure when a chain differs, LeaseLost when another process has taken the folder over, Interrupted by the signal.
 */
export const runScenario = (loaded: LoadedScenario, prepared: PreparedScenario, options: RunOptions): Promise<RunResult> =>
  runPlayed(loaded, prepared.store.path, options, (folder) => playOnChains(folder, prepared, options))

/** What playing a scenario gives: a run but for its place. */
export type PlayedScenario = Omit<RunResult, 'path'>

/** Runs a scenario that `play` leaves in a folder, which may happen in another thread. Throws as `runScenario`. */
export async function runPlayed(
  loaded: LoadedScenario, storePath: string, options: Omit<RunOptions, keyof PlayIntoOptions> & Pick<RunOptions, 'signal'>, play: (folder: string) => Promise<PlayedScenario>,
): Promise<RunResult> {
  const generation = await beginRun(options.target, { say: options.say, signal: options.signal, isPrompt: options.isPrompt })
  const { dir, folder } = generation
  try {
    const { manifest: played, ...settled } = await play(folder)
    const named = namedManifest(played, loaded)
    writeWholeJson(manifestPath(folder), named)
    const set = settingsOf(loaded.overrides)
    const sources: RunSources = {
      scenario: slashes(relative(dir, resolve(loaded.path))), store: slashes(relative(dir, resolve(storePath))), ...(set.length > 0 && { set }), platform: ownPlatform(),
    }
    writeWholeJson(join(folder, SOURCES_NAME), sources)
    await options.finishing?.(folder)
    const manifest = manifestWithLeft(named, folder)
    generation.commit({ ...manifest }, { unhashed: [SOURCES_NAME], replaced: unnamedFiles(dir) })
    return { path: dir, manifest, ...settled }
  } catch (error) {
    throw generation.giveUp(error)
  }
}

/** With the name that the page has for its title, which thereby has a hash. */
const namedManifest = (manifest: Manifest, { path }: LoadedScenario): Manifest =>
  (manifest.record === undefined ? manifest : { ...manifest, record: { ...manifest.record, name: fileNameOf(path) } })

/** With the files that were made of its tables, so that whoever takes one away with its hash takes it from here, too. */
const manifestWithLeft = (manifest: Manifest, folder: string): Manifest =>
  (manifest.record === undefined ? manifest : { ...manifest, record: { ...manifest.record, left: MADE_OF_TABLES.filter((name) => existsSync(join(folder, name))) } })

/** Plays the session, and settles it on the chains of the scenario meanwhile. */
export async function playOnChains(dir: string, prepared: PreparedScenario, options: Pick<RunOptions, keyof PlayIntoOptions | 'onSettling'>): Promise<PlayedScenario> {
  if (prepared.chain.chains.length === 0) return { manifest: await playInto(dir, prepared, options) }
  const { openMirrors } = await import('./chain.ts')
  const mirrors = await openMirrors(prepared.resolved, prepared.chain, options.onSettling, options.signal)
  try {
    const manifest = await playInto(dir, prepared, { ...options, sinks: mirrors.sinks, chains: prepared.chain.chains })
    const record = mirrors.settlement()
    writeWholeJson(join(dir, SETTLEMENT_NAME), record)
    return { manifest, settlement: { record, lines: mirrors.lines() } }
  } catch (error) {
    await mirrors.abort()
    throw error
  }
}

const slashes = (path: string): string => path.replaceAll('\\', '/')

/**
 * The last session, kept until the next one is there: when no object of a class is left at a full collection V8 forgets its fields, throws away
 * the code that relied on them and compiles it anew (docs/performance.md).
 */
const kept: { last: readonly unknown[] } = { last: [] }

/** A session to be played, with what it needs besides the sinks. */
interface SessionParts {
  readonly prepared: PreparedScenario
  readonly built: BuiltSession
  readonly sinks: readonly Sink[]
  readonly rows: Pick<SessionConfig, 'told' | 'deliveries' | 'requestArrivals'>
  readonly options: Pick<PlayIntoOptions, 'signal' | 'onProgress'>
}

/** Plays a session to its end. */
async function played({ prepared: { resolved }, built, sinks, rows, options: { signal, onProgress } }: SessionParts): Promise<Session> {
  const session = new Session({ ...built.config, sinks, ...rows })
  kept.last = [built, session, sinks]
  await play(session, sinks, { startUs: resolved.history.fromUs, untilUs: resolved.arrivals.untilUs, arrivalsMax: resolved.arrivals.max, signal, onProgress })
  return session
}

/** Plays a session and leaves tables and manifest in a folder that is there; after an error it holds parts of them. Throws as `runScenario`. */
export async function playInto(dir: string, prepared: PreparedScenario, options: PlayIntoOptions = {}): Promise<Manifest> {
  const { resolved, record } = prepared
  const parquet = record.parquet ? await import('../arrow/parquet.ts') : null
  const store = prepared.store.forSession()
  const built = buildSession(resolved, prepared.strategies, store)
  const identity = options.identity ?? identityOf(prepared)
  const digest = new Digest()
  // What is read and removed at once is not read for what strategies say.
  const told = record.tables && options.isScratch !== true ? new ToldRows() : undefined
  const deliveries = told !== undefined && record.deliveries ? new DeliveredRows() : undefined
  const requestArrivals = record.tables ? new RequestArrivals() : undefined
  const rows = { ...(told && { told }), ...(deliveries && { deliveries }), ...(requestArrivals && { requestArrivals }) }
  const recorder = record.tables ? recorderOf(dir, prepared, built, identity, { ...options, ...rows }) : undefined
  const sinks: Sink[] = [digest, ...(recorder === undefined ? [] : [recorder]), ...(options.sinks ?? [])]
  const session = await played({ prepared, built, sinks, rows, options })
  const tables = [...recorder?.tables() ?? [], ...(recorder === undefined || options.isScratch === true ? [] : writeFates(dir, prepared, built, identity, options))]
  if (parquet !== null) for (const { path } of tables) parquet.writeParquet(path, undefined, options.isDurable)
  return writeManifest(dir, {
    label: resolved.mode, digest: digest.hex(), identity, record: { ...runRecordOf(record, options.isScratch), ...(options.chains && { chains: options.chains }) }, tables, counts: countsOf(prepared, built, session), history: store.files, unread: store.unread(),
  })
}

/** A session that was played, with its tables as far as they are read. */
export interface SessionInMemory extends Pick<Manifest, 'label' | 'digest' | 'identity' | 'counts'> {
  readonly tables: MemoryTables
}

/** Plays a session of which nothing goes to the disk. @param columns the columns that are read, by table. Throws as `runScenario`. */
export async function playInMemory(prepared: PreparedScenario, identity: RunIdentity, columns: Readonly<Record<string, readonly string[]>>): Promise<SessionInMemory> {
  const built = buildSession(prepared.resolved, prepared.strategies, prepared.store.forSession())
  const [digest, tables] = [new Digest(), new MemoryTables(columns)]
  const recorder = new Recorder({ ...recordingOf(prepared, built, identity), memory: tables, markets: built.listedMarkets() })
  const session = await played({ prepared, built, sinks: [digest, recorder], rows: {}, options: {} })
  return { label: prepared.resolved.mode, digest: digest.hex(), identity, counts: countsOf(prepared, built, session), tables }
}

export const runRecordOf = ({ tables, marks, equityEvery, parquet, deliveries }: PreparedScenario['record'], isScratch = false): RunRecord =>
  ({ tables, marksUs: horizonsOf(marks), equityEveryUs: equityEvery, parquet, ...(deliveries && { deliveries }), ...(isScratch && { isScratch }) })

const horizonsOf = (marks: readonly number[]): number[] => [...new Set(marks)].sort((a, b) => a - b)

/** The table of what became of recorded requests, where the session has any. */
function writeFates(dir: string, { resolved }: PreparedScenario, { logs }: BuiltSession, identity: RunIdentity, { isDurable = true }: PlayIntoOptions): TableFile[] {
  if (resolved.bettors.every(({ recorded }) => recorded === undefined)) return []
  const metadata = { identity: canonicalDigest(identity), label: resolved.mode, seed: resolved.seed }
  return [writeRecorded(join(dir, 'tables', `${RECORDED_NAME}.arrow`), recordedFates(dir, resolved, logs), metadata, isDurable)]
}

/** Requests of the logs of recorded cohorts: all, and those that the session does not have, by cause. */
function recordedCounts({ bettors }: ResolvedScenario): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name, recorded } of bettors) {
    if (recorded === undefined) continue
    counts[`in the log of ${name}`] = recorded.requests
    for (const [cause, { count }] of Object.entries(recorded.leftOut)) counts[`left out of ${name}: ${cause}`] = count
  }
  return counts
}

/** What happened in a session that is over, by name. */
export const countsOf = ({ resolved }: PreparedScenario, built: BuiltSession, session: Session): Manifest['counts'] => ({
  ...built.coverage, ...recordedCounts(resolved), ...session.counts, ...deliveredCounts(session), ...unaskedCounts(resolved, built, session),
  startUs: resolved.history.fromUs, endUs: session.nowUs,
})

/** For cohorts that asked for nothing, though their strategies chose: which filter kept them from which markets, and how often age did. */
function unaskedCounts({ bettors }: ResolvedScenario, built: BuiltSession, session: Session): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { service, name, requests } of session.askedRequests()) {
    const cohort = bettors.find((one) => one.service === service && one.name === name)
    if (requests > 0 || cohort === undefined || !choosesMarkets(cohort)) continue
    const { markets, youngShare } = askedFor(built, cohort)
    for (const [filter, count] of Object.entries(markets)) counts[askCountName(service, name, filter as AskFilter)] = count
    if (youngShare !== null) counts[youngCountName(service, name)] = Math.round(youngShare * MILLIONTHS)
  }
  return counts
}

/** Requests and new versions that reached each maker, and that did not, under its name; in a run with both services under the service's too. */
function deliveredCounts(session: Session): Record<string, number> {
  const delivered = session.deliveredRequests()
  const isAlone = new Set(delivered.map(({ service }) => service)).size < 2
  return Object.fromEntries(delivered.flatMap(({ service, name, requests, away, ignored }) => {
    const maker = isAlone ? name : `${service}:${name}`
    return [[`delivered to ${maker}`, requests], [`away: ${maker}`, away], [`ignored: ${maker}`, ignored]]
  }))
}

/** How tables are written, and what strategies say and makers are told, where that is recorded. */
export type TableWriting = Pick<PlayIntoOptions, 'isScratch' | 'isDurable'> & { readonly told?: ToldRows | undefined; readonly deliveries?: DeliveredRows | undefined; readonly requestArrivals?: RequestArrivals | undefined }

/** The recorder of a session's tables, which go into the folder. */
export function recorderOf(
  dir: string, prepared: PreparedScenario, built: BuiltSession, identity: RunIdentity, { isScratch = false, isDurable = !isScratch, told, deliveries, requestArrivals }: TableWriting = {},
): Recorder {
  return new Recorder({
    ...recordingOf(prepared, built, identity), dir,
    ...(told && { told }), ...(deliveries && { deliveries }), ...(requestArrivals && { requestArrivals }), isDurable,
    // What is read and removed at once is not read for its markets.
    ...(isScratch ? { batchRows: SCRATCH_BATCH_ROWS } : { markets: built.listedMarkets(), outcomeCorrelation: prepared.resolved.settlement.correlation?.share ?? 0 }),
  })
}

/** What a recorder knows of a session, wherever its tables go. */
function recordingOf({ resolved, record }: PreparedScenario, built: BuiltSession, identity: RunIdentity): RecorderOptions {
  const { parlay, outcome } = resolved.services
  return {
    directory: built.directory, reference: built.reference,
    ...(parlay === undefined ? {} : { parlay: parlayRecording(parlay) }), ...(outcome === undefined ? {} : { outcome: outcomeRecording(outcome) }),
    identity: { identity: canonicalDigest(identity), label: resolved.mode, seed: resolved.seed },
    horizonsUs: horizonsOf(record.marks), equityEveryUs: record.equityEvery,
  }
}

function parlayRecording({ settings, gate }: ResolvedParlay): ParlayRecording {
  return {
    legsMax: settings.legsMax, profitFees: { onTransfer: settings.profitFeeOnTransfer === 1, onMaker: settings.profitFeeOnMaker === 1 },
    ...(gate === undefined ? {} : { deliveryRetentionUs: gate.profile.deliveryRetentionMs * MS_US }),
  }
}

const outcomeRecording = ({ settings: { legsMax, feeOnCashout, profitOverGross } }: ResolvedOutcome): OutcomeRecording =>
  ({ legsMax, feeOnCashout: feeOnCashout === 1, profitOverGross: profitOverGross === 1 })

/** The name of a scenario's runs: its own, or that of its file. */
export const runNameOf = ({ file, path }: LoadedScenario): string => file.name ?? fileNameOf(path)

/** The name of a scenario's file, without its ending. */
const fileNameOf = (path: string): string => basename(path).replace(/\.ya?ml$/i, '')

