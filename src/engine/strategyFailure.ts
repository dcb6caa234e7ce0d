import { shownWords } from '../unit/visibleText.ts'

/** A strategy threw: the run fails (exit code 1) and names the strategy and the handler. */
export class StrategyFailure extends Error {
  override name = 'StrategyFailure'
  declare readonly participant: string

  constructor(participant: string, handler: string, atUs: number, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // In one line: with lines of its own a message could blame somebody else.
    super(`strategy of ${participant} threw in ${handler} at ${atUs} µs: ${shownWords(reason)}`, { cause })
    this.participant = participant
  }
}
