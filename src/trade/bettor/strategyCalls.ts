import type { BettorHandlers, BettorStrategy } from '../../agent/bettor.ts'
import type { BettorDesk } from '../../agent/bettorDesk.ts'
import type { CohortBook } from '../../agent/cohortBook.ts'
import type { Cursor } from '../../agent/cursor.ts'
import { FACADES } from '../../agent/facades/facades.ts'
import type { Holdings } from '../../agent/holdings.ts'
import type { Intents } from '../../agent/intents.ts'
import { RefusalRow } from '../../agent/rows.ts'
import type { HoldingView, IntentView, RefusalView } from '../../agent/views.ts'
import type { Action } from '../../agent/vocabulary.ts'
import { type Callee, callStrategy } from '../strategyFailure.ts'
import { refuseUntold } from '../untold.ts'
import type { Refused } from './bettorWords.ts'
import type { HostDeeds } from './hostDeeds.ts'

/** Calls a strategy's handlers, and shows them what a call is about for as long as it runs. */
export class StrategyCalls {
  readonly handlers: BettorHandlers
  readonly desk: BettorDesk
  readonly refusal: RefusalView
  private readonly facades: typeof FACADES
  private readonly callee: Callee
  private readonly book: CohortBook
  private readonly deeds: HostDeeds
  private readonly row = new RefusalRow()

  /** @param name of the seat, which failures name. */
  constructor(name: string, strategy: BettorStrategy, values: Readonly<Record<string, number>>, book: CohortBook, deeds: HostDeeds) {
    this.callee = { role: 'bettor', name }
    this.book = book
    this.deeds = deeds
    this.facades = strategy.facades ?? FACADES
    this.desk = this.facades.bettorDesk(book)
    this.refusal = this.facades.refusal(this.row)
    this.handlers = callStrategy(this.callee, 'create', () => strategy.create(Object.freeze({ ...values })))
    refuseUntold('bettor', this.handlers)
  }

  intentOver(cursor: Cursor<Intents>): IntentView {
    return this.facades.intent(cursor)
  }

  holdingOver(cursor: Cursor<Holdings>): HoldingView {
    return this.facades.holding(cursor)
  }

  /** Calls a handler about the row in `slot`. Any number of bettors may arrive at one instant; all else gives the strategy the next call. */
  about(cursor: Cursor<Intents | Holdings>, slot: number, handler: keyof BettorHandlers, call: () => void): void {
    const { book } = this
    book.wake(this.deeds.nowUs)
    cursor.show(slot, book)
    book.isCalled = true
    try {
      callStrategy(this.callee, handler, () => {
        if (handler !== 'onArrival') book.act()
        call()
      })
    } finally {
      book.isCalled = false
      cursor.hide()
    }
  }

  /** Calls what tells the strategy of the session itself. */
  ofSession(handler: 'onStart' | 'onEnd'): void {
    const { book, handlers, desk } = this
    book.wake(this.deeds.nowUs)
    book.isEnding = handler === 'onEnd'
    book.isCalled = !book.isEnding
    try {
      callStrategy(this.callee, handler, () => { handlers[handler]?.(desk) })
    } finally {
      book.isCalled = book.isEnding = false
    }
  }

  /** Shows the refusal while `call` calls a handler. */
  refused(action: Action, { refusal, retryAfterUs }: Refused, call: () => void): void {
    this.row.set(action, refusal, retryAfterUs)
    this.row.isShown = true
    try {
      call()
    } finally {
      this.row.isShown = false
    }
  }
}
