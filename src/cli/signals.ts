const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Stop = (typeof STOPS)[number]

/** The launcher passes on a signal that the terminal has sent to this process too. Within this time both count as one. */
const ONE_SIGNAL_MS = 1000

/** Turns Ctrl-C and similar signals into an abort, so that work can end in good order. A second signal ends the process at once. */
export class Interruption {
  private readonly controller = new AbortController()
  private stop: Stop | undefined
  private stoppedMs = 0
  private readonly onSignal = (signal: NodeJS.Signals): void => { this.abort(signal as Stop) }
  /** The launcher has ended, so that nobody waits for this process any more. */
  private readonly onDisconnect = (): void => { this.abort('SIGTERM') }

  constructor() {
    for (const signal of STOPS) process.on(signal, this.onSignal)
    process.on('disconnect', this.onDisconnect)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  private abort(signal: Stop): void {
    if (this.stop !== undefined) {
      if (performance.now() - this.stoppedMs >= ONE_SIGNAL_MS) this.end()
      return
    }
    this.stop = signal
    this.stoppedMs = performance.now()
    this.controller.abort()
  }

  /** Stops listening. */
  close(): void {
    for (const signal of STOPS) process.off(signal, this.onSignal)
    process.off('disconnect', this.onDisconnect)
  }

  /** Ends this process as the signal would have, so that callers see it. */
  end(): void {
    this.close()
    process.kill(process.pid, this.stop ?? 'SIGTERM')
  }
}
