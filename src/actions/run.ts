import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BettorStrategy } from '../agent/bettor.ts'
import type { MakerStrategy } from '../agent/maker.ts'
import { writeWholeJson } from '../arrow/wholeFile.ts'
import type { Manifest } from '../record/manifest.ts'
import { signRun } from '../proof/sign.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { type Key, readPrivateKey } from '../result/signatures.ts'
import type { LoadedScenario } from '../scenario/load.ts'
import { ScenarioMistakes } from '../scenario/mistakes.ts'
import { type PlayedScenario, runPlayed } from '../scenario/run.ts'
import { checkGiven, type GivenStrategies, isPath } from '../scenario/strategies.ts'
import { callLimitsOf, whyUnreproducible } from '../scenario/strategyLimits.ts'
import { needsNoWatch } from '../scenario/watching.ts'
import type { RunSummary } from '../score/summary.ts'
import { InputError } from '../unit/inputError.ts'
import { loadedOf } from './loaded.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, calling, sayOf, type SessionProgress, signalOf, throwIfAbortedMeanwhile, type TrustOption } from './options.ts'
import { leaveRunPage } from './pages.ts'
import { tablesIn } from './readTables.ts'
import type { Scenario } from './scenario.ts'
import type { ResultTables } from './tables.ts'
import { OwnThread } from './watch/ownThread.ts'
import type { ScenarioPlayer } from './watch/scenarioPlayer.ts'

/** Strategies as objects, by the names under which the scenario uses them. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever parameters a strategy has
export type StrategyObjects = Readonly<Record<string, MakerStrategy<any> | BettorStrategy<any>>>

/** How far settling on chains is. */
export interface SettlingProgress {
  /** Calls that are on their chains. */
  readonly landed: number
}

export interface RunOptions extends ActionOptions, TrustOption {
  /**
   * Strategies that are objects of the caller, by name: `use: mine` in the scenario plays `strategies.mine`. They play in the caller's own
   * thread, and the whole session with them. No digest has their code, so that `verify` cannot prove such a run.
   */
  readonly strategies?: StrategyObjects
  /** Is told how far the session is, some times a second. */
  readonly onProgress?: (progress: SessionProgress) => void
  /** Is told how far the chains of the scenario are. */
  readonly onSettling?: (progress: SettlingProgress) => void
  /** Is told once the session has been played, before its figures are made. */
  readonly onPlayed?: () => void
  /**
   * Plays in the caller's own thread what needs no watch: a short session of built-in strategies on a small history. That begins sooner, and keeps
   * the thread busy. Anything else has a thread of its own, as everything has by default.
   */
  readonly inThisThread?: boolean
}

export interface StoredRunOptions extends RunOptions {
  /** The folder of the run. */
  readonly out: string
  /** What happens where a run is already: `refuse` (the default), `replace` it, or `number` the new one, as `out-2`. */
  readonly taken?: 'refuse' | 'replace' | 'number'
  /** Whether a page with pictures, `report.html`, is left beside the tables. The default is no. */
  readonly report?: boolean
  /** File of the private key (PEM, PKCS #8) that signs the manifest, as `sign` does. */
  readonly sign?: string
}

/** What a run comes to. */
export interface RunFigures {
  readonly label: 'replay' | 'interactive'
  /** Equal inputs give equal digests. */
  readonly digest: string
  /** What happened, by name: `arrivals`, `commands`, `rows`, `delivered to MAKER`, `away: MAKER`, `ignored: MAKER`, … Figures of money are those of `summary`. */
  readonly counts: Readonly<Record<string, number>>
  readonly manifest: Manifest
  /** Null of a scenario that keeps no tables. */
  readonly summary: RunSummary | null
  /** Why the run may differ when it is played again, null where it does not. */
  readonly unreproducible: string | null
  /** What the chains held at the end, null where nothing was settled on one. */
  readonly settlement: RunSettlement | null
  /** How long it took to play, once the scenario was read, s of real time. */
  readonly seconds: number
}

/** What the chains of a run held at its end. */
export interface RunSettlement {
  /** One for each chain, as in `settlement.json`. */
  readonly chains: readonly object[]
  /** The same for people, a line or two for each chain. */
  readonly lines: readonly string[]
}

/** A run that lies in a folder. */
export interface StoredRun extends RunFigures {
  readonly path: string
  /** Id of the key that signed the manifest, null where none was asked to. */
  readonly key: string | null
}

/** A run of which nothing lies on the disk. */
export interface RunInMemory extends RunFigures {
  /** Empty of a scenario that keeps no tables. */
  readonly tables: ResultTables
}

/**
 * Plays a scenario. With `out` the run is left there, whole or not at all: manifest, tables, summary, and a page where it is asked for. Without
 * `out` nothing is left on the disk: the tables are written to a scratch folder of the system's temporary folder, read into memory, and removed.
 *
 * Strategy files play in a thread of their own, each in a room, and a call that never returns is ended and named, as `parlor run` does it.
 *
 * @param scenario what `loadScenario` returns
 * @returns digest, counts and summary, and the folder or the tables
 * @throws InputError for strategies, a history or a folder that cannot be
 * @throws RunFailure where a strategy fails (with `participant` and `handler`), a chain differs from the ledger, or the system refuses
 * @throws Interrupted by the signal
 * @example
 * const scenario = loadScenario('scenarios/quickstart.yaml')
 * const { path, digest } = await run(scenario, { out: 'runs/stored', onProgress: ({ share }) => console.log(share) })
 *
 * const mine = maker({ margin: pct(4) }, (p) => ({
 *   onRequest(request, desk) {
 *     const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 30 * SECOND_US })
 *     if (fair) desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8 * SECOND_US })
 *   },
 * }))
 * const { tables } = await run(loadScenario('scenarios/quickstart.yaml', { set: ['makers=[{ use: mine }]'] }), { strategies: { mine } })
 * for (const { maker, risk_micros } of tables.get('quotes').rows('maker', 'risk_micros')) console.log(maker, risk_micros)
 */
export function run(scenario: Scenario, options: StoredRunOptions): Promise<StoredRun>
export function run(scenario: Scenario, options?: RunOptions & { readonly out?: undefined }): Promise<RunInMemory>
export function run(scenario: Scenario, options: Omit<StoredRunOptions, 'out'> & { readonly out?: string | undefined } = {}): Promise<StoredRun | RunInMemory> {
  return acting(async () => {
    throwIfAborted(options.signal)
    const loaded = loadedOf(scenario)
    const { out, sign } = options
    // A key that is none is told before anything is played.
    const key = sign === undefined ? null : readPrivateKey(sign)
    const player = await playerOf(loaded, options)
    try {
      return out === undefined ? await inMemory(player, options) : await stored(loaded, player, key, { ...options, out })
    } finally {
      await player.close()
    }
  })
}

/** Whether `inThisThread` plays a scenario in the caller's thread. */
export const isPlayedHere = (scenario: Scenario): boolean => needsNoWatch(loadedOf(scenario))

/** Objects play here, and files in a thread that is watched, whose code is loaded for them alone. */
async function playerOf(loaded: LoadedScenario, options: RunOptions): Promise<ScenarioPlayer> {
  const { strategies = {}, trusted = false, inThisThread = false, onProgress, onSettling } = options
  const watching = { signal: signalOf(options), say: sayOf(options), onProgress: calling(onProgress), onSettling: calling(onSettling) }
  if (Object.keys(strategies).length === 0) {
    if (inThisThread && needsNoWatch(loaded)) return new OwnThread({ ...watching, loaded, strategies: {}, isTrusted: false })
    const { origin, overrides, file } = loaded
    const { RunThread } = await import('./watch/runThread.ts')
    return new RunThread({ ...watching, data: { origin, overrides, isTrusted: trusted }, limits: callLimitsOf(file.strategies) })
  }
  const given = strategies as GivenStrategies
  checkGiven(given)
  checkUse(loaded, given, trusted)
  return new OwnThread({ ...watching, loaded, strategies: given, isTrusted: trusted })
}

/** Throws InputError for objects that the scenario does not use, and for files that would play beside objects. */
function checkUse({ file, source }: LoadedScenario, given: GivenStrategies, isTrusted: boolean): void {
  const uses = [...file.makers, ...file.bettors].map(({ use }) => use)
  for (const name of Object.keys(given)) {
    if (!uses.includes(name)) throw new InputError('the scenario does not use it', { position: { file: `strategies.${name}` }, hint: `expected use: ${name} in makers or bettors` })
  }
  if (isTrusted) return
  for (const list of ['makers', 'bettors'] as const) {
    const at = file[list].findIndex(({ use }) => isPath(use))
    if (at >= 0) throw new ScenarioMistakes([source.mistake([list, at, 'use'], 'a file does not play beside strategies that are objects: nobody watches the thread of the caller', {
      hint: 'import the file and give its strategy as an object, or trust it (trusted: true)',
    })])
  }
}

/** Plays into a folder that is the run's, whole or not at all. */
export async function stored(loaded: LoadedScenario, player: ScenarioPlayer, key: Key | null, options: StoredRunOptions): Promise<StoredRun> {
  const { out, taken = 'refuse', report = false, onPlayed } = options
  let summary: RunSummary | null = null
  const { hasTables, store } = await player.prepared
  const startedMs = performance.now()
  const { path, ...played } = await runPlayed(loaded, store, {
    target: { path: out, force: taken === 'replace', numbered: taken === 'number' }, signal: signalOf(options), say: sayOf(options),
    // Objects of the caller may keep this thread busy.
    isPrompt: Object.keys(options.strategies ?? {}).length === 0,
    finishing: async (folder) => {
      calling(onPlayed)()
      if (!hasTables) return
      summary = await summaryIn(folder)
      await throwIfAbortedMeanwhile(options.signal)
      writeWholeJson(join(folder, 'summary.json'), summary)
      if (report) await leaveRunPage(folder, summary, sayOf(options))
      await throwIfAbortedMeanwhile(options.signal)
    },
  }, (folder) => player.play(folder))
  const figures = figuresOf(played, summary, startedMs)
  if (key !== null) await signRun(path, key)
  return { path, key: key?.id ?? null, ...figures }
}

async function inMemory(player: ScenarioPlayer, options: RunOptions): Promise<RunInMemory> {
  const { hasTables } = await player.prepared
  const startedMs = performance.now()
  const scratch = new LeasedFolder(tmpdir(), 'parlor-run-')
  scratch.make()
  try {
    const played = await player.play(scratch.path)
    calling(options.onPlayed)()
    const summary = hasTables ? await summaryIn(scratch.path) : null
    const tables = tablesIn(scratch.path)
    await throwIfAbortedMeanwhile(options.signal)
    return { ...figuresOf(played, summary, startedMs), tables }
  } finally {
    scratch.remove()
  }
}

/** Loaded late: a scenario may keep no tables. */
async function summaryIn(folder: string): Promise<RunSummary> {
  const { summariseRun } = await import('../score/summary.ts')
  return summariseRun(folder)
}

function figuresOf({ manifest, settlement }: PlayedScenario, summary: RunSummary | null, startedMs: number): RunFigures {
  const { label, digest, counts, identity } = manifest
  return {
    label, digest, counts, manifest, summary, unreproducible: whyUnreproducible(identity),
    settlement: settlement === undefined ? null : { chains: settlement.record.chains, lines: settlement.lines },
    seconds: (performance.now() - startedMs) / 1000,
  }
}
