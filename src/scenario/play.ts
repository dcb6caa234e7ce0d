import type { Session } from '../engine/session.ts'
import type { AwaitedSink, Sink } from '../record/sink.ts'
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

/** The session was given up from outside. */
export class Interrupted extends Error {
  override name = 'Interrupted'
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

/** Chunks between two looks at the clock, and at what is awaited. */
const CHUNKS_TO_LOOK = 8
const BREATHE_MS = 50

/**
 * Plays a session to its end and finishes its sinks, as `Session.runToEnd`, but lets signals and progress through. A sink
 * or a strategy that throws, or a signal, ends it with every sink aborted.
 */
export async function play(session: Session, sinks: readonly Sink[], options: PlayOptions): Promise<void> {
  const awaited = sinks.filter(isAwaited)
  try {
    let last = Date.now()
    options.onProgress?.(progressOf(session, options))
    while (withPlainTraces(() => runChunks(session))) {
      for (const sink of awaited) await unlessInterrupted(sink.settled(), options.signal)
      if (Date.now() - last < BREATHE_MS) continue
      await new Promise((resolve) => { setImmediate(resolve) })
      if (options.signal?.aborted) throw new Interrupted('interrupted')
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
function runChunks(session: Session): boolean {
  for (let chunk = 0; chunk < CHUNKS_TO_LOOK; chunk++) if (!session.run(session.chunkSteps)) return false
  return true
}

const isAwaited = (sink: Sink): sink is AwaitedSink => 'settled' in sink

function progressOf(session: Session, { startUs, untilUs, arrivalsMax }: PlayOptions): Progress {
  const { arrivals, commands } = session.counts
  const ofTime = (session.nowUs - startUs) / Math.max(1, untilUs - startUs)
  const ofArrivals = arrivalsMax === null ? 0 : arrivals / arrivalsMax
  return { share: Math.min(1, Math.max(ofTime, ofArrivals)), arrivals, commands }
}
