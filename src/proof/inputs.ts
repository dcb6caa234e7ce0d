import { resolve } from 'node:path'
import { readStore, type Store } from '../feed/store.ts'
import type { Manifest } from '../record/manifest.ts'
import { NO_CHAIN } from '../scenario/chainSchema.ts'
import { sourcesOf } from '../scenario/finishedRun.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
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
  if (unhashed.length > 0) return { prepared: null, checks: unhashed.map((use) => checkOf(`strategy ${use}`, 'unproven', 'was an object of a program, and no file that could be played again')) }
  try {
    return await opened(dir, manifest, resolved, options)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return { prepared: null, checks: [checkOf('inputs', 'unproven', error.describe())] }
  }
}

const usesOf = ({ makers, swap, bettors }: ResolvedScenario): Readonly<Record<Role, readonly string[]>> => ({
  maker: [...new Set([...makers, ...(swap?.makers ?? [])].map(({ strategy }) => strategy))],
  bettor: [...new Set(bettors.filter(({ script }) => script === undefined).map(({ strategy }) => strategy))],
})

async function opened(dir: string, { identity, record }: Manifest, resolved: ResolvedScenario, { isTrusted, importing = (load) => load }: InputOptions): Promise<Inputs> {
  const { trusted = [] } = identity
  // A manifest may come from anybody: what it calls trusted is run as such for those alone who say so.
  if (trusted.length > 0 && isTrusted !== true) throw new InputError(`${trusted.join(', ')} was played with --trusted`, { hint: 'parlor verify --trusted plays it the same way, with your files, network and clock' })
  const inRoom = importing(importOf(false, resolved.strategies?.allow))
  const inNone = importing(importOf(true))
  const sources = sourcesOf(dir)
  const store: Store = readStore(resolve(dir, sources.store))
  const folder = resolve(dir, sources.scenario, '..')
  const uses = usesOf(resolved)
  const load = async (role: Role): Promise<Map<string, LoadedStrategy>> => {
    const loaded = new Map<string, LoadedStrategy>()
    for (const use of uses[role]) loaded.set(use, await loadStrategy(use, role, folder, trusted.includes(use) ? inNone : inRoom))
    return loaded
  }
  const strategies = { maker: await load('maker'), bettor: await load('bettor') }
  const checks: Check[] = []
  const check = (name: string, found: string | null | undefined, expected: string | null | undefined): void => {
    if (found !== expected) checks.push(checkOf(name, 'unproven', `has changed since the run: ${short(found ?? 'none')}, expected ${short(expected ?? 'none')}`))
  }
  check(`history ${resolved.history.store}`, store.dataHash, identity.data)
  for (const { use, graph } of [...strategies.maker.values(), ...strategies.bettor.values()]) {
    if (graph !== undefined) check(`strategy ${use}`, graph.digest, identity.strategies[use])
  }
  const { tables = false, marksUs = [], equityEveryUs = 0, parquet = false, deliveries = false } = record ?? {}
  const recorded = { tables, marks: [...marksUs], equityEvery: equityEveryUs, parquet, deliveries }
  return { prepared: checks.length > 0 ? null : { resolved, strategies, store, record: recorded, chain: NO_CHAIN }, checks }
}
