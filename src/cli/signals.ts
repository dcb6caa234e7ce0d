type Stop = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** Turns Ctrl-C and its kin into an abort that work can end on in good order. */
export class Interruption {
  private readonly controller = new AbortController()
  private stop: Stop | undefined

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { this.abort(signal) })
    // The launcher is gone: nobody waits for this process any more.
    if (process.channel !== undefined && process.channel !== null) {
      process.on('disconnect', () => { this.abort('SIGTERM') })
      process.channel.unref()
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  private abort(signal: Stop): void {
    this.stop ??= signal
    this.controller.abort()
  }

  /** Ends this process as the signal would have, so that callers see it. */
  end(): void {
    const stop = this.stop ?? 'SIGTERM'
    process.removeAllListeners(stop)
    process.kill(process.pid, stop)
  }
}
