import type { LoadedScenario } from '../../scenario/load.ts'
import { playOnChains, type PlayedScenario, type PreparedScenario, prepareScenario } from '../../scenario/run.ts'
import { type GivenStrategies, importOf } from '../../scenario/strategies.ts'
import { Interrupted } from '../../unit/interrupted.ts'
import type { Prepared, ScenarioPlayer, ScenarioPlayerOptions } from './scenarioPlayer.ts'

export interface OwnThreadOptions extends ScenarioPlayerOptions {
  readonly loaded: LoadedScenario
  readonly strategies: GivenStrategies
  readonly isTrusted: boolean
}

/** Ends when no session is played in this thread any more. Strategies and the engine keep in it whom they call. */
let playing: Promise<unknown> = Promise.resolve()

/** Waits for something. Throws Interrupted as soon as the signal is aborted. */
async function unlessAborted(awaited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => { aborted.reject(new Interrupted('interrupted')) }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([awaited, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Plays a scenario in the thread of the caller, whose objects its strategies are. Nobody watches them: a call that never returns ends nothing. */
export class OwnThread implements ScenarioPlayer {
  private readonly options: OwnThreadOptions
  private readonly preparing: Promise<PreparedScenario>

  constructor(options: OwnThreadOptions) {
    const { loaded, strategies, isTrusted, say } = options
    this.options = options
    this.preparing = prepareScenario(loaded, say, { given: strategies, importFile: importOf(isTrusted, loaded.file.strategies.allow) })
    this.preparing.catch(() => {})
  }

  get prepared(): Promise<Prepared> {
    return this.preparing.then(({ record, store }) => ({ hasTables: record.tables, store: store.path }))
  }

  async play(folder: string): Promise<PlayedScenario> {
    const { signal, onProgress, onSettling } = this.options
    const before = playing
    const played = unlessAborted(before, signal).then(async () => playOnChains(folder, await this.preparing, { signal, onProgress, onSettling }))
    // Who gives up its place lets nobody come before the one that plays has ended.
    playing = before.then(() => played).catch(() => {})
    return played
  }

  async close(): Promise<void> {
    await this.preparing.catch(() => {})
  }
}
