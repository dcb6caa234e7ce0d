import type { SettlingProgress } from '../../scenario/chain.ts'
import type { Progress } from '../../scenario/play.ts'
import type { PlayedScenario } from '../../scenario/run.ts'

/** What is known of a scenario once its strategies and its history have been read. */
export interface Prepared {
  readonly hasTables: boolean
  /** Path of the price store. */
  readonly store: string
}

export interface ScenarioPlayerOptions {
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  readonly onProgress: (progress: Progress) => void
  readonly onSettling: (progress: SettlingProgress) => void
}

/** Plays one scenario, in this thread or in another one. */
export interface ScenarioPlayer {
  /** The scenario is read and its strategies are loaded. Throws what its reading throws. */
  readonly prepared: Promise<Prepared>
  /** Plays into a folder that is there. Throws Interrupted by the signal. */
  play(folder: string): Promise<PlayedScenario>
  close(): Promise<void>
}
