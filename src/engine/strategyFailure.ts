import { isoOfTimeUs } from '../unit/time.ts'
import { shownWords } from '../unit/visibleText.ts'

/** What a handler was about. Numbers are those of tables and `explain`, but for arrivals, which are a cohort's own. */
export interface CallSubject {
  readonly what: 'request' | 'auction' | 'position' | 'arrival'
  readonly number: number
}

/** A strategy threw: the run fails (exit code 1) and names the strategy, the handler, what that was about, and the time. */
export class StrategyFailure extends Error {
  override name = 'StrategyFailure'
  declare readonly participant: string
  declare readonly handler: string

  constructor(participant: string, handler: string, atUs: number, cause: unknown, subject?: CallSubject) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const about = subject === undefined ? '' : ` (${subject.what} ${subject.number})`
    // In one line: with lines of its own a message could blame somebody else.
    super(`strategy of ${participant} threw in ${handler}${about} at ${isoOfTimeUs(atUs)}: ${shownWords(reason)}`, { cause })
    this.participant = participant
    this.handler = handler
  }
}
