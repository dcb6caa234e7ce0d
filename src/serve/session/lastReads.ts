import type { Line, ToHttp, ToSession } from '../threadMessages.ts'
import type { ServedSession } from './servedSession.ts'

/** How long clients have to read what they were told last, ms of the wall. */
const GRACE_MS = 5000

/** Calls `run` when the grace is over, unless what it returns is called before. */
export type StartGrace = (run: () => void) => () => void

const startGrace: StartGrace = (run) => {
  const timer = setTimeout(run, GRACE_MS)
  return () => { clearTimeout(timer) }
}

/**
 * A session's end of the line to HTTP. When the session is over, clients may still read their desks: what was told last has reached nobody by
 * then, and reading is no part of the session. Nothing else is answered any more.
 */
export class LastReads implements Line<ToSession, ToHttp> {
  private readonly line: Line<ToSession, ToHttp>
  private readonly startGrace: StartGrace
  private listen: (message: ToSession) => void = () => {}

  constructor(line: Line<ToSession, ToHttp>, start: StartGrace = startGrace) {
    this.line = line
    this.startGrace = start
  }

  say(message: ToHttp): void {
    this.line.say(message)
  }

  hear(listen: (message: ToSession) => void): void {
    this.listen = listen
    this.line.hear((message) => { this.listen(message) })
  }

  /** Answers reads until everyone who reads a desk has read all of it, or until the grace is over, and says that it has ended. Precondition: the session has been played out. */
  async after(served: Pick<ServedSession, 'besideAtEnd' | 'areDesksReadOut'>): Promise<void> {
    await new Promise<void>((resolve) => {
      const stop = this.startGrace(resolve)
      const look = (): void => {
        if (!served.areDesksReadOut) return
        stop()
        resolve()
      }
      this.listen = (message) => {
        if (message.kind !== 'call') return
        const answer = served.besideAtEnd(message.exchange)
        if (answer !== null) this.say({ kind: 'answer', id: message.id, answer })
        look()
      }
      look()
    })
    this.say({ kind: 'ended' })
  }
}
