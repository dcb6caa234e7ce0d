import { resolve } from 'node:path'
import { type HistoryOfRun, openHistoryOfRun, openStoreHistory, type StoreHistory } from '../feed/history/storeHistory.ts'
import { readRfqLog } from '../feed/rfqLog/readRfqLog.ts'
import type { RfqLog } from '../feed/rfqLog/rfqLog.ts'
import type { Manifest } from '../record/manifest.ts'
import { longestFeedUs } from '../scenario/build.ts'
import { NO_CHAIN } from '../scenario/chainSchema.ts'
import { sourcesOf } from '../scenario/finishedRun.ts'
import { withGroups } from '../scenario/groups.ts'
import type { ResolvedLog, ResolvedScenario } from '../scenario/resolved.ts'
import { ownPlatform, ownSourceTree, type PreparedScenario, type RunSources, SOURCES_NAME } from '../scenario/run.ts'
import { importOf, type LoadedStrategy, loadStrategy, type Role, type StrategyImport } from '../scenario/strategies.ts'
import { InputError } from '../unit/inputError.ts'
import { type Check, checkOf, short } from './check.ts'

export interface InputOptions {
  /** Whether strategies that ran in no room may do so again. */
  readonly isTrusted?: boolean
  /** Makes what imports strategy files of what would. */
  readonly importing?: (load: StrategyImport) => StrategyImport
}

/** What a run is played again from, or why it cannot be. */
export interface Inputs {
  /** Null: something is missing, or is not what the run was made of. */
  readonly prepared: PreparedScenario | null
  /** Files of the history that are missing or have changed, and that the run can do without. */
  readonly lost: readonly string[]
  readonly checks: readonly Check[]
}

/** How a run was made that this process makes runs otherwise: whether it can be proven here. */
export function circumstances({ identity, record }: Manifest, sources: Partial<RunSources>): Check[] {
  const { sourceTree, node } = identity
  const { platform = ownPlatform() } = sources
  const own = ownSourceTree()
  const checks: Check[] = []
  if (sourceTree !== own) checks.push(checkOf('code', 'unproven', `the run was made by other code of parlor (${short(sourceTree)}, this is ${short(own)})`))
  if (node !== process.version) checks.push(checkOf('Node', 'unproven', `the run was made by Node ${node}, this is ${process.version}`))
  if (platform !== ownPlatform()) checks.push(checkOf('platform', 'unproven', `the run was made on ${platform}, as ${SOURCES_NAME} says, which has no hash; this is ${ownPlatform()}`))
  if (record === undefined) checks.push(checkOf('record', sourceTree === own ? 'differs' : 'unproven', 'the manifest does not say how the run was recorded: its files are not made again'))
  else if (record.name === undefined) checks.push(checkOf('record', sourceTree === own ? 'differs' : 'unproven', `the manifest does not say what the scenario is called: the page's title is held against ${SOURCES_NAME}, which has no hash`))
  return checks
}

/** Where a run's inputs lie, {} where the run does not say it. */
export function sourcesIfThere(dir: string): Partial<RunSources> {
  try {
    return sourcesOf(dir)
  } catch (error) {
    if (error instanceof InputError) return {}
    throw error
  }
}

/** Opens history and strategies of a run. What is missing, or has changed since, is an unproven check. */
export async function openInputs(dir: string, manifest: Manifest, resolved: ResolvedScenario, options: InputOptions): Promise<Inputs> {
  const { unhashed = [] } = manifest.identity
  if (unhashed.length > 0) return { prepared: null, lost: [], checks: unhashed.map((use) => checkOf(`strategy ${use}`, 'unproven', 'was an object of a program, and no file that could be played again')) }
  try {
    return await opened(dir, manifest, resolved, options)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { prepared: null, lost: [], checks: [checkOf('inputs', 'unproven', error.describe())] }
  }
}

const usesOf = ({ makers, swap, bettors }: ResolvedScenario): Readonly<Record<Role, readonly string[]>> => ({
  maker: [...new Set([...makers, ...(swap?.makers ?? [])].map(({ strategy }) => strategy))],
  bettor: [...new Set(bettors.filter(({ script, recorded }) => script === undefined && recorded === undefined).map(({ strategy }) => strategy))],
})

/** A history as it was when a run used it: all of the store where the manifest names no files. Every file is compared with its hash, whether the run reads it or not. */
export const historyOfRun = (store: StoreHistory, files: Manifest['history']): StoreHistory => store.asOf(files ?? store.files)

/** The same of a run that is played again: a file that it cannot have read may be missing or another. A session with clients may have read all. */
function historyFound(path: string, { history, unread, served }: Manifest, resolved: ResolvedScenario): HistoryOfRun {
  if (history === undefined) return { history: historyOfRun(openStoreHistory(path), history), lost: [] }
  const { fromUs, toUs, depth } = resolved.history
  return openHistoryOfRun(path, history, served === undefined && Array.isArray(unread) ? unread : [], { foldUs: fromUs - longestFeedUs(resolved), toUs, showsDepth: depth !== undefined })
}

const onTrust = ({ history }: ResolvedScenario, lost: readonly string[]): Check =>
  checkOf(`history ${history.store}`, 'same', `${lost.join(', ')}: missing or changed, taken on trust: store.json says that the run can do without`)

/** The logs that participants follow, as often as they are followed. */
const recordedOf = ({ bettors, makers, swap }: ResolvedScenario): ResolvedLog[] =>
  [...bettors, ...makers, ...(swap?.makers ?? [])].flatMap(({ recorded }) => (recorded === undefined ? [] : [recorded]))

async function logsOf(resolved: ResolvedScenario, folder: string): Promise<Map<string, RfqLog>> {
  const logs = new Map<string, RfqLog>()
  for (const { log } of recordedOf(resolved)) if (!logs.has(log)) logs.set(log, await readRfqLog(resolve(folder, log)))
  return logs
}

async function opened(dir: string, manifest: Manifest, resolved: ResolvedScenario, { isTrusted, importing = (load) => load }: InputOptions): Promise<Inputs> {
  const { identity, record } = manifest
  const { trusted = [] } = identity
  // A manifest may come from anybody: what it calls trusted is run as such for those alone who say so.
  if (trusted.length > 0 && isTrusted !== true) throw new InputError(`${trusted.join(', ')} was played with --trusted`, { hint: 'parlor verify --trusted plays it the same way, with your files, network and clock' })
  const inRoom = importing(importOf(false, resolved.strategies?.allow))
  const inNone = importing(importOf(true))
  const sources = sourcesOf(dir)
  const { history, lost } = historyFound(resolve(dir, sources.store), manifest, resolved)
  const store = withGroups(history, resolved.history.groups)
  const folder = resolve(dir, sources.scenario, '..')
  const uses = usesOf(resolved)
  const load = async (role: Role): Promise<Map<string, LoadedStrategy>> => {
    const loaded = new Map<string, LoadedStrategy>()
    for (const use of uses[role]) loaded.set(use, await loadStrategy(use, role, folder, trusted.includes(use) ? inNone : inRoom))
    return loaded
  }
  const strategies = { maker: await load('maker'), bettor: await load('bettor'), logs: await logsOf(resolved, folder) }
  const checks: Check[] = []
  const check = (name: string, found: string | null | undefined, expected: string | null | undefined): void => {
    if (found !== expected) checks.push(checkOf(name, 'unproven', `has changed since the run: ${short(found ?? 'none')}, expected ${short(expected ?? 'none')}`))
  }
  check(`history ${resolved.history.store}`, store.dataHash, identity.data)
  for (const { use, graph } of [...strategies.maker.values(), ...strategies.bettor.values()]) {
    if (graph !== undefined) check(`strategy ${use}`, graph.digest, identity.strategies[use])
  }
  for (const { log, sha256 } of recordedOf(resolved)) check(`log ${log}`, strategies.logs.get(log)!.sha256, sha256)
  const { tables = false, marksUs = [], equityEveryUs = 0, parquet = false, deliveries = false } = record ?? {}
  const recorded = { tables, marks: [...marksUs], equityEvery: equityEveryUs, parquet, deliveries }
  return { lost, prepared: checks.length > 0 ? null : { resolved, strategies, store, record: recorded, chain: NO_CHAIN }, checks: lost.length === 0 ? checks : [...checks, onTrust(resolved, lost)] }
}
