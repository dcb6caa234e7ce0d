import type { Session } from '../engine/session.ts'
import type { AwaitedSink, Sink } from '../record/sink.ts'
import { Interrupted } from '../unit/interrupted.ts'
import { withPlainTraces } from '../unit/plainTraces.ts'

/** How far a session is. */
export interface Progress {
  /** Share of the session that is done, 0…1. */
  readonly share: number
  readonly arrivals: number
  readonly commands: number
}

export interface PlayOptions {
  readonly startUs: number
  readonly untilUs: number
  readonly arrivalsMax: number | null
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** What is awaited, or Interrupted as soon as the signal says so: what it comes to then is nobody's. */
export async function unlessInterrupted<T>(awaited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return awaited
  let onAbort = (): void => {}
  const interrupted = new Promise<never>((_, reject) => { onAbort = () => { reject(new Interrupted('interrupted')) } })
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([interrupted, awaited])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * Steps between two turns of the event loop. In such a turn Node tells of promises that strategies left rejected, so turns come at steps, and not
 * by the clock: the same inputs give the same verdict, with sinks and without. A multiple of each of the session's chunks.
 */
const TURN_STEPS = 4096
const PROGRESS_MS = 50

/**
 * Plays a session to its end and finishes its sinks, as `Session.runToEnd`, but lets signals and progress through. A sink
 * or a strategy that throws, or a signal, ends it with every sink aborted.
 */
export async function play(session: Session, sinks: readonly Sink[], options: PlayOptions): Promise<void> {
  const awaited = sinks.filter(isAwaited)
  try {
    let last = Date.now()
    options.onProgress?.(progressOf(session, options))
    while (withPlainTraces(() => runToTurn(session))) {
      await new Promise((resolve) => { setImmediate(resolve) })
      if (options.signal?.aborted) throw new Interrupted('interrupted')
      for (const sink of awaited) await unlessInterrupted(sink.settled(), options.signal)
      if (Date.now() - last < PROGRESS_MS) continue
      options.onProgress?.(progressOf(session, options))
      last = Date.now()
    }
    // A chain may still stop the run: nothing else is finished before it.
    for (const sink of awaited) sink.finish(session.nowUs)
    for (const sink of awaited) await unlessInterrupted(sink.settled(), options.signal)
    for (const sink of sinks) if (!isAwaited(sink)) sink.finish(session.nowUs)
  } catch (error) {
    for (const sink of sinks) sink.abort()
    await Promise.allSettled(awaited.map((sink) => sink.settled()))
    throw error
  }
  options.onProgress?.({ ...progressOf(session, options), share: 1 })
}

/** False when nothing is left. */
function runToTurn(session: Session): boolean {
  for (let steps = 0; steps < TURN_STEPS; steps += session.chunkSteps) if (!session.run(session.chunkSteps)) return false
  return true
}

const isAwaited = (sink: Sink): sink is AwaitedSink => 'settled' in sink

function progressOf(session: Session, { startUs, untilUs, arrivalsMax }: PlayOptions): Progress {
  const { arrivals, commands } = session.counts
  const ofTime = (session.nowUs - startUs) / Math.max(1, untilUs - startUs)
  const ofArrivals = arrivalsMax === null ? 0 : arrivals / arrivalsMax
  return { share: Math.min(1, Math.max(ofTime, ofArrivals)), arrivals, commands }
}
