import { resolve } from 'node:path'
import { type Manifest, readManifest } from '../record/manifest.ts'
import { resolvedOf, sourcesOf } from '../scenario/finishedRun.ts'
import { openHistory } from '../scenario/history.ts'
import { loadScenario, type LoadedScenario } from '../scenario/load.ts'
import { type PreparedScenario, prepareScenario, type PrepareOptions } from '../scenario/run.ts'
import { importOf, type StrategyImport } from '../scenario/strategies.ts'
import { NO_CHAIN } from '../scenario/chainSchema.ts'
import type { ResolvedScenario } from '../scenario/resolved.ts'
import { readInstant, readQuantity } from '../scenario/units.ts'
import { instantText, NEVER_US } from '../unit/time.ts'
import { InputError } from '../unit/inputError.ts'
import { checkOf, short } from './check.ts'
import { differenceText, valueDifference } from './difference.ts'
import { circumstances, historyOfRun } from './inputs.ts'

/** What is another than in the run. */
export interface RunChange {
  /** The folder of the run. */
  readonly run: string
  /** Settings, in the form of `--set`, that come after those of the run. */
  readonly set: readonly string[]
  /** From when on, as people write it: an instant, or a span since the begin. Before it everything is as in the run. Absent: from the begin on. */
  readonly from?: string
}

export interface ChangeOptions {
  /** Whether strategies that ran in no room may do so again. */
  readonly isTrusted?: boolean
  /** Makes what imports strategy files of what would. */
  readonly importing?: (load: StrategyImport) => StrategyImport
  readonly open?: PrepareOptions['open']
  readonly begins?: PrepareOptions['begins']
  /** Gets a line for people: what has changed since the run besides. */
  readonly say?: (line: string) => void
}

/** The scenario of a run from its file, with the settings of the run and `set` behind them. Throws as `loadScenario`, where there is no run, and where it does not say where its scenario lies. */
export function scenarioOfRun(dir: string, set: readonly string[]): LoadedScenario {
  // What is no run has no scenario either, and its manifest says what it is.
  readManifest(dir)
  const sources = sourcesOf(dir)
  return loadScenario(resolve(dir, sources.scenario), { set: [...(sources.set ?? []), ...set] })
}

/**
 * A run's scenario, ready to be played again with other settings under the same draws. Its file, with the settings of the run, must still say
 * what the manifest says, and its history must be the run's. Strategy files, the code of parlor and Node may have changed: `say` hears of it.
 * What is played is settled on no chain. Throws InputError for a run that cannot be played again so, and for settings that are none.
 */
export async function changedRun({ run: dir, set, from }: RunChange, options: ChangeOptions = {}): Promise<PreparedScenario> {
  const manifest = readManifest(dir)
  const resolved = resolvedOf(manifest, dir)
  if (resolved.swap !== undefined) throw new InputError('in this run strategies took seats while it went on', { position: { file: dir }, hint: 'a what-if is of the run that it came from' })
  refuseUnplayable(dir, manifest, options)
  const { say = () => {}, begins } = options
  const base = await preparedAs(scenarioOfRun(dir, []), manifest, options, set.length === 0 ? begins : undefined)
  const other = valueDifference(JSON.parse(JSON.stringify(base.resolved)), resolved)
  if (other !== null) {
    throw new InputError(`the scenario is another than in the run: ${differenceText(other)}`, {
      position: { file: scenarioOfRun(dir, []).path }, hint: 'a run is played again by its own scenario: bring back the file of the run, or run the scenario that is there',
    })
  }
  if (base.store.dataHash !== manifest.identity.data) {
    throw new InputError(`the history has changed since the run: ${short(base.store.dataHash)}, expected ${short(manifest.identity.data ?? 'none')}`, { position: { file: base.store.path } })
  }
  for (const line of changesSince(manifest, base, sourcesOf(dir))) say(line)
  if (set.length === 0) return base
  const loaded = scenarioOfRun(dir, set)
  if (from !== undefined) refuseRenaming(scenarioOfRun(dir, []), loaded)
  const changed = await preparedAs(loaded, manifest, options, begins)
  return from === undefined ? changed : swapped(base, changed, instantOf(from, resolved.history.fromUs, manifest.counts['endUs'] ?? NEVER_US))
}

/** The instant that people name. Throws InputError for none, and for one that is not of the session. */
function instantOf(text: string, beginUs: number, endUs: number): number {
  const position = { file: `--from ${text}` }
  const at = readInstant(text)
  const span = readQuantity('duration', text)
  if (!('value' in at) && !('value' in span)) throw new InputError('is neither an instant nor a span since the begin', { position, hint: 'expected 2025-06-19T23:00:00Z, or 30m' })
  const atUs = 'value' in at ? at.value : beginUs + (span as { value: number }).value
  if (atUs < beginUs || atUs > endUs) throw new InputError(`the session lasts from ${instantText(beginUs)} to ${instantText(endUs)}`, { position })
  return atUs
}

/** A seat keeps its name while a session goes on, which fills and money are told apart by. Throws InputError where another name is asked for. */
function refuseRenaming(base: LoadedScenario, changed: LoadedScenario): void {
  const place = changed.file.makers.findIndex(({ name }, i) => name !== undefined && name !== base.file.makers[i]?.name)
  if (place >= 0) throw new InputError(`--from changes a name: makers[${place}].name: ${changed.file.makers[place]!.name}`, { hint: CHANGEABLE })
}

/** The run, in which the changed makers take their seats at an instant. At the begin it is the changed scenario itself. Throws InputError where other things change. */
function swapped(base: PreparedScenario, changed: PreparedScenario, atUs: number): PreparedScenario {
  if (atUs === base.resolved.history.fromUs) return changed
  const strange = valueDifference(JSON.parse(JSON.stringify(withoutStrategies(changed.resolved))), JSON.parse(JSON.stringify(withoutStrategies(base.resolved))))
  if (strange !== null) {
    throw new InputError(`--from changes what is no maker's strategy: ${differenceText(strange)}`, { hint: CHANGEABLE })
  }
  // A seat that takes its name from its strategy keeps the name that it has.
  const makers = changed.resolved.makers.map((maker, i) => ({ ...maker, name: base.resolved.makers[i]!.name })).filter((maker, i) => valueDifference(maker, base.resolved.makers[i]) !== null)
  if (makers.length === 0) return base
  const strategies = { ...base.strategies, maker: new Map([...base.strategies.maker, ...changed.strategies.maker]) }
  return { ...base, strategies, resolved: { ...base.resolved, swap: { atUs, makers } } }
}

const CHANGEABLE = 'in the middle of a session params and use of makers may change; leave --from out to change other things from the begin on'

const withoutStrategies = ({ makers, ...resolved }: ResolvedScenario): object => ({ ...resolved, makers: makers.map((maker) => ({ ...maker, name: null, strategy: null, parameters: null })) })

function preparedAs(loaded: LoadedScenario, { history }: Manifest, { isTrusted = false, importing = (load) => load, open = openHistory, say }: ChangeOptions, begins: PrepareOptions['begins']): Promise<PreparedScenario> {
  const importFile = importing(importOf(isTrusted, loaded.file.strategies.allow))
  return prepareScenario(loaded, say, { importFile, open: async (...named) => historyOfRun(await open(...named), history), ...(begins === undefined ? {} : { begins }) }).then((prepared) => ({ ...prepared, chain: NO_CHAIN }))
}

function refuseUnplayable(dir: string, { identity, served, record }: Manifest, { isTrusted = false }: ChangeOptions): void {
  const position = { file: dir }
  const { unhashed = [], trusted = [] } = identity
  if (served !== undefined) throw new InputError('clients took part in the run, and nobody knows what they would have done', { position, hint: 'a what-if is of a run of parlor run' })
  if (record?.tables !== true) throw new InputError('the run has no tables', { position, hint: 'its scenario says record: { tables: false }' })
  if (unhashed.length > 0) throw new InputError(`${unhashed.join(', ')} was an object of a program, and no file that could be played again`, { position })
  if (trusted.length > 0 && !isTrusted) throw new InputError(`${trusted.join(', ')} was played with --trusted`, { position, hint: '--trusted plays it the same way, with your files, network and clock' })
}

/** What differs from the run without being asked for, a line each. */
function changesSince(manifest: Manifest, { strategies }: PreparedScenario, sources: Parameters<typeof circumstances>[1]): string[] {
  const checks = circumstances(manifest, sources)
  for (const { use, graph } of [...strategies.maker.values(), ...strategies.bettor.values()]) {
    const expected = manifest.identity.strategies[use]
    if (graph !== undefined && graph.digest !== expected) checks.push(checkOf(`strategy ${use}`, 'unproven', `has changed since the run: ${short(graph.digest)}, expected ${short(expected ?? 'none')}`))
  }
  return checks.filter(({ name }) => name !== 'record').map(({ name, about }) => `${name.startsWith('strategy ') ? `${name} ` : ''}${about}; what differs may come of that too`)
}
