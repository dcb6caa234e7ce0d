import { dirname, resolve } from 'node:path'
import { openHistory, type SharedHistory } from '../scenario/history.ts'
import { type LoadedScenario, loadScenario } from '../scenario/load.ts'
import { type PreparedScenario, prepareScenario } from '../scenario/run.ts'
import { refuseUnreproducible } from '../scenario/strategyLimits.ts'
import { type LoadedStrategy, type Role, reloadStrategy, type StrategyImport } from '../scenario/strategies.ts'
import { InputError } from '../unit/inputError.ts'
import type { TaskSpec } from './task.ts'

/** A scenario with settings: the tasks of a point differ by their seeds alone. */
export type Point = Pick<TaskSpec, 'scenario' | 'set'>

type Store = PreparedScenario['store']

/** What a task is made of is another than it was when the task was placed. */
export class EditedInput extends InputError {}

const POINTS_MAX = 256
const STORES_MAX = 8

/**
 * Prepared points: strategies read, history read, defaults filled in. A point is prepared once. The points that were used last
 * are remembered, and histories are shared.
 */
export class Points {
  private readonly prepared = new Map<string, Promise<PreparedScenario>>()
  private readonly stores = new Map<string, Store>()
  /** By hash of the history. */
  private readonly shared = new Map<string, SharedHistory>()
  /** Digest of each strategy file's module graph as it was first read. */
  private readonly graphs = new Map<string, string>()
  private readonly importFile: StrategyImport
  private readonly say: (line: string) => void
  private readonly begins: ((names: readonly string[]) => void) | undefined

  /**
   * @param say gets a line of text when a history is imported.
   * @param begins is told the names of a point's participants before any of their strategies is called.
   */
  constructor(importFile: StrategyImport, say: (line: string) => void = () => {}, begins?: (names: readonly string[]) => void) {
    this.importFile = importFile
    this.say = say
    this.begins = begins
  }

  /** Histories that are opened from now on are read in this memory, where it is theirs. */
  share(ticks: SharedHistory): void {
    this.shared.set(ticks.dataHash, ticks)
  }

  /** The strategy files that were read here. */
  get files(): string[] {
    return [...this.graphs.keys()]
  }

  /** Throws InputError for input that is wrong, and EditedInput for a strategy file that was edited since these points read it first. */
  async of({ scenario, set }: Point): Promise<PreparedScenario> {
    const key = JSON.stringify([scenario, set])
    const known = this.prepared.get(key)
    if (known !== undefined) return remember(this.prepared, key, known, POINTS_MAX)
    const preparing = this.prepare(loadScenario(scenario, { set }))
    remember(this.prepared, key, preparing, POINTS_MAX)
    preparing.catch(() => { this.prepared.delete(key) })
    return preparing
  }

  private async prepare(scenario: LoadedScenario): Promise<PreparedScenario> {
    const { importFile, begins } = this
    refuseUnreproducible(scenario)
    const prepared = await prepareScenario(scenario, this.say, { importFile, open: (named, say) => this.store(named, say), ...(begins === undefined ? {} : { begins }) })
    for (const { path, graph } of [...prepared.strategies.maker.values(), ...prepared.strategies.bettor.values()]) {
      if (path !== undefined && graph !== undefined) this.checkUnedited(path, graph.digest)
    }
    return prepared
  }

  private async store(scenario: LoadedScenario, say: (line: string) => void): Promise<Store> {
    const key = JSON.stringify([resolve(dirname(scenario.path)), scenario.file.history.store])
    return remember(this.stores, key, this.stores.get(key) ?? this.shares(await openHistory(scenario, say)), STORES_MAX)
  }

  private shares(store: Store): Store {
    const ticks = this.shared.get(store.dataHash)
    return ticks === undefined ? store : store.sharing(ticks)
  }

  private checkUnedited(path: string, digest: string): void {
    const first = this.graphs.get(path) ?? digest
    this.graphs.set(path, first)
    if (first !== digest) {
      throw new EditedInput('the strategy, or a file that it imports, was edited while its sessions were played', {
        position: { file: path }, hint: 'start again: what is finished is kept, and an edited strategy gives new tasks',
      })
    }
  }
}

/** A prepared scenario with its strategy files imported again, as they are now. Throws InputError for a file that does not load. */
export async function reloaded(prepared: PreparedScenario, importFile: StrategyImport): Promise<PreparedScenario> {
  const again = async (role: Role, loaded: ReadonlyMap<string, LoadedStrategy>): Promise<Map<string, LoadedStrategy>> => {
    const fresh = new Map<string, LoadedStrategy>()
    for (const [use, strategy] of loaded) fresh.set(use, await reloadStrategy(strategy, role, importFile))
    return fresh
  }
  const { maker, bettor } = prepared.strategies
  return { ...prepared, strategies: { ...prepared.strategies, maker: await again('maker', maker), bettor: await again('bettor', bettor) } }
}

/** Puts a value last, where it stays longest, and drops the first ones beyond `max`. */
function remember<V>(map: Map<string, V>, key: string, value: V, max: number): V {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value!)
  return value
}
