import { DEFAULT_CALL_LIMITS } from '../scenario/strategyLimits.ts'
import { type ActionOptions, acting, sayOf, type SessionProgress, signalOf, throwIfAborted, type TrustOption } from './options.ts'
import { RunThread } from './watch/runThread.ts'

export interface VerifyOptions extends ActionOptions, TrustOption {
  /** Is told how far the scenario that is played again is. */
  readonly onProgress?: (progress: SessionProgress) => void
}

/** One thing that was checked. */
export interface VerifiedCheck {
  readonly name: string
  readonly ok: boolean
  /** What was found, and when it failed what was expected. */
  readonly about: string
}

/** What a verification found. */
export interface VerifiedRun {
  /** Whether every check holds. */
  readonly ok: boolean
  /** That of the manifest. */
  readonly digest: string
  /** Why the run may differ when it is played again, null where it does not. */
  readonly unreproducible: string | null
  readonly checks: readonly VerifiedCheck[]
}

/**
 * Checks a run: its files are as they were written, a fresh venue that is given its journal writes the same rows, and so does its scenario,
 * played again. Strategies play as in `run`, in a thread that is watched. A run whose strategies were objects of a program cannot be proven: its
 * check `inputs` fails.
 *
 * @param folder the folder of a run
 * @returns the checks, and whether all hold; a run that differs is no error
 * @throws InputError for a folder without a run
 * @throws RunFailure where a strategy fails
 * @throws Interrupted by the signal
 * @example
 * const { ok, checks } = await verify('runs/quickstart')
 */
export const verify = (folder: string, options: VerifyOptions = {}): Promise<VerifiedRun> => acting(async () => {
  throwIfAborted(options.signal)
  const thread = new RunThread({
    data: { verify: folder, isTrusted: options.trusted === true }, signal: signalOf(options), limits: DEFAULT_CALL_LIMITS,
    say: sayOf(options), onProgress: options.onProgress ?? (() => {}), onSettling: () => {},
  })
  return thread.verified.finally(() => thread.close())
})
