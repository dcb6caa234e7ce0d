const STOPS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type Stop = (typeof STOPS)[number]

/** The launcher passes on a signal that the terminal has sent to this process too. Within this time both count as one. */
const ONE_SIGNAL_MS = 1000

/** How often it is looked whether the parent is still there. */
const LOOK_MS = 500

/** Turns Ctrl-C and similar signals into an abort, so that work can end in good order. A second signal ends the process at once. */
export class Interruption {
  private readonly controller = new AbortController()
  private stop: Stop | undefined
  private stoppedMs = 0
  private readonly timer: NodeJS.Timeout | undefined
  private readonly onSignal = (signal: NodeJS.Signals): void => { this.abort(signal as Stop) }
  /** The launcher has ended, so that nobody waits for this process any more. */
  private readonly onDisconnect = (): void => { this.abort('SIGTERM') }

  constructor() {
    for (const signal of STOPS) process.on(signal, this.onSignal)
    process.on('disconnect', this.onDisconnect)
    this.timer = whenNpmHasEnded(() => {
      process.stderr.write('the shell that npm started this command in has ended, and this command ends with it\n')
      this.abort('SIGTERM')
    })
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
    clearInterval(this.timer)
  }

  /** Ends this process as the signal would have, so that callers see it. */
  end(): void {
    this.close()
    process.kill(process.pid, this.stop ?? 'SIGTERM')
  }
}

/**
 * Calls when the shell of `npm run` has ended before this process. npm passes SIGTERM on to that shell, which dies of it and tells nobody. So a
 * run that a script of npm puts into the background ends with that script. Other parents may go: who starts a run in the background and leaves
 * wants it to go on. The launcher looks for itself, and tells its child by the end of their channel.
 */
function whenNpmHasEnded(act: () => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined || process.connected || process.platform === 'win32') return undefined
  const { ppid: parent } = process
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    act()
  }, LOOK_MS)
  return timer.unref()
}
