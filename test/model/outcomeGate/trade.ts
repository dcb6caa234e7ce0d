import { needsKey } from '../../../src/venue/outcome/protocol/access.ts'
import { ACCOUNT_MAX, KEY_MAX } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_SETTINGS } from '../../../src/venue/outcome/protocol/profile.ts'
import type { OutcomePositionView, OutcomeQuoteView, OutcomeView, RfqView } from '../../../src/venue/outcome/protocol/view.ts'
import { cellOf, isOfKind } from '../outcome/namedRows.ts'
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
    this.lastRfq = Math.max(this.lastRfq, cellOf(row, 'rfq'))
    this.lastQuote = Math.max(this.lastQuote, cellOf(row, 'quote'))
    this.lastPosition = Math.max(this.lastPosition, cellOf(row, 'position'))
    if (isOfKind(row, OutcomeEvent.outcomeListed)) {
      this.outcomes.set(row.outcome, row.closeUs)
      this.nextOutcome = Math.max(this.nextOutcome, row.outcome + 1)
    } else if (isOfKind(row, OutcomeEvent.outcomeResolved) || isOfKind(row, OutcomeEvent.outcomeDelisted)) this.outcomes.delete(row.outcome)
    else if (isOfKind(row, OutcomeEvent.outcomeHalted)) this.halted.add(row.outcome)
    else if (isOfKind(row, OutcomeEvent.outcomeResumed)) this.halted.delete(row.outcome)
    else if (isOfKind(row, OutcomeEvent.feesChanged)) [this.takerFeeBps, this.feeBps] = [row.takerFeeBps, row.profitFeeBps]
    else if (isOfKind(row, OutcomeEvent.accountBound)) this.nextAccount = Math.max(this.nextAccount, row.account + 1)
    else if (isOfKind(row, OutcomeEvent.faultChanged)) {
      if (row.isOn === 1) this.faults.add(row.fault)
      else this.faults.delete(row.fault)
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
