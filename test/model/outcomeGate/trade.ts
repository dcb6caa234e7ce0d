import { needsKey } from '../../../src/venue/outcome/protocol/access.ts'
import { ACCOUNT_MAX, KEY_MAX } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_SETTINGS } from '../../../src/venue/outcome/protocol/profile.ts'
import type { OutcomePositionView, OutcomeQuoteView, OutcomeView, RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import type { GateCommand } from './command.ts'
import type { Row } from './rows.ts'
import { isIntegerIn } from './state.ts'

/** What the generator remembers of the trading, from the venue's rows: enough to go on with it. */
export class Trade {
  /** Close of the outcomes without a result and not delisted, by number. */
  readonly outcomes = new Map<number, number>()
  readonly halted = new Set<number>()
  readonly faults = new Set<number>()
  /** The last commands with a key, oldest first. */
  readonly keyed: GateCommand[] = []
  readonly view: OutcomeView
  nextOutcome = 0
  nextAccount = 5
  nextKey = 1
  /** Rates in force. */
  takerFeeBps: number = OUTCOME_SETTINGS.takerFeeBps.default
  feeBps: number = OUTCOME_SETTINGS.feeBps.default
  private lastRfq = 0
  private lastQuote = 0
  private lastPosition = 0

  constructor(view: OutcomeView) {
    this.view = view
  }

  observe(row: Row): void {
    this.lastRfq = Math.max(this.lastRfq, row.request)
    this.lastQuote = Math.max(this.lastQuote, row.quote)
    this.lastPosition = Math.max(this.lastPosition, row.position)
    if (row.kind === OutcomeEvent.outcomeListed) {
      this.outcomes.set(row.amountA, row.untilUs)
      this.nextOutcome = Math.max(this.nextOutcome, row.amountA + 1)
    } else if (row.kind === OutcomeEvent.outcomeResolved || row.kind === OutcomeEvent.outcomeDelisted) this.outcomes.delete(row.amountA)
    else if (row.kind === OutcomeEvent.outcomeHalted) this.halted.add(row.amountA)
    else if (row.kind === OutcomeEvent.outcomeResumed) this.halted.delete(row.amountA)
    else if (row.kind === OutcomeEvent.feesChanged) [this.takerFeeBps, this.feeBps] = [row.amountA, row.amountB]
    else if (row.kind === OutcomeEvent.accountBound) this.nextAccount = Math.max(this.nextAccount, row.account + 1)
    else if (row.kind === OutcomeEvent.faultChanged) {
      if (row.amountB === 1) this.faults.add(row.amountA)
      else this.faults.delete(row.amountA)
    }
  }

  /** Keeps a command that can be repeated. */
  observeCommand(command: GateCommand): void {
    if (!needsKey(command.op) || !isIntegerIn(command.key, 1, KEY_MAX) || !isIntegerIn(command.account, 0, ACCOUNT_MAX)) return
    if (command.key < KEY_MAX) this.nextKey = Math.max(this.nextKey, command.key + 1)
    this.keyed.push(command)
    if (this.keyed.length > 12) this.keyed.shift()
  }

  /** Outcomes that can be asked for and accepted at the instant, ascending. */
  open(nowUs: number): number[] {
    return [...this.outcomes].filter(([outcome, closeUs]) => nowUs < closeUs && !this.halted.has(outcome)).map(([outcome]) => outcome).sort((a, b) => a - b)
  }

  /** The known ones among the newest. */
  rfqs(): RfqView[] {
    return newest(this.lastRfq, (number) => this.view.rfq(number))
  }

  quotes(): OutcomeQuoteView[] {
    return newest(this.lastQuote, (number) => this.view.quote(number))
  }

  positions(): OutcomePositionView[] {
    return newest(this.lastPosition, (number) => this.view.position(number))
  }
}

function newest<T>(last: number, read: (number: number) => T | null): T[] {
  const known: T[] = []
  for (let number = Math.max(1, last - 9); number <= last; number++) {
    const one = read(number)
    if (one !== null) known.push(one)
  }
  return known
}
