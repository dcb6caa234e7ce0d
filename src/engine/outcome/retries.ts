import { Action } from '../../agent/vocabulary.ts'
import { MS_US, SECOND_US } from '../../unit/time.ts'
import { type KindOf, type Row, rowAs } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import { OUTCOME_CODES, OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import { LimitRefusal, Refusal, type Reply } from '../../venue/outcome/protocol/events.ts'
import type { Cohorts } from '../cohorts.ts'
import type { OutcomeGateConfig } from '../config.ts'
import { ComboCell } from '../combos.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { SignedMessage } from '../messageCells.ts'
import { MessageKind, MessageWord } from '../messages.ts'
import type { Transit } from '../transit.ts'
import type { OutcomeEnricher } from './enricher.ts'

/** No client repeats a call sooner than this, whatever Retry-After says. */
export const REPEAT_MIN_US = 100 * MS_US

/**
 * What a client does about an error before it tells its strategy (OM-169). After BACKOFF it sends the same command with the same key once
 * its Retry-After or its own waiting time is over. After REFRESH it needs newer data before it asks again, with a new key. It signs a quote
 * for an old generation again for the current one, which the refusal names. Everything else its strategy decides. A repetition takes the
 * shortest delay in both directions, so that no draw depends on it.
 */
export class Retries {
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly cohorts: Cohorts
  private declare readonly enricher: OutcomeEnricher
  private declare readonly terms: OutcomeGateConfig['retries']

  constructor(
    terms: OutcomeGateConfig['retries'], parts: { rows: EventRows; transit: Transit; makers: MakerSeats; cohorts: Cohorts; enricher: OutcomeEnricher },
  ) {
    this.terms = terms
    this.rows = parts.rows
    this.transit = parts.transit
    this.makers = parts.makers
    this.cohorts = parts.cohorts
    this.enricher = parts.enricher
  }

  /** Whether the command that `message` carried, which `row` refuses, is sent once more: then its sender is not told. */
  repeats(row: Row<KindOf<typeof Reply>>, message: number, code: number): boolean {
    const { messages } = this.transit
    const times = Math.max(0, messages.words[message + MessageWord.repeats]!)
    if (times >= this.terms.most) return false
    const { retry } = OUTCOME_CODES[code]!
    if (retry === 'BACKOFF') {
      const waitUs = code === OutcomeCode.rateLimited ? this.rows.read(rowAs(LimitRefusal, row), LimitRefusal.retryAfterS) * SECOND_US : this.backoffUs(times)
      if (this.isLate(message, waitUs, false)) return false
      this.send(message, times, waitUs)
      return true
    }
    return retry === 'REFRESH' && this.quotesAgain(row, message, code, times)
  }

  private quotesAgain(row: Row<KindOf<typeof Reply>>, message: number, code: number, times: number): boolean {
    const action = this.transit.messages.words[message + MessageWord.action]!
    if (action !== Action.submitQuote && action !== Action.submitBid) return false
    if (code !== OutcomeCode.rfqGenerationStale && code !== OutcomeCode.rfqGenerationInFlight) return false
    const waitUs = code === OutcomeCode.rfqGenerationInFlight ? this.backoffUs(times) : 0
    if (this.isLate(message, waitUs, true)) return false
    const again = this.send(message, times, waitUs)
    const arrivesUs = this.transit.nowUs + this.wayUs(message) + waitUs
    this.enricher.requote(again, this.rows.read(rowAs(Refusal, row), Refusal.generation), action === Action.submitBid, arrivesUs)
    return true
  }

  /** Whether a quote or bid would come after the window of its RFQ, or with an expiry that the service takes no more. */
  private isLate(message: number, waitUs: number, isResigned: boolean): boolean {
    const { messages: { words, cells }, combos, comboOfRequest, comboOfAuction, nowUs } = this.transit
    const action = words[message + MessageWord.action]!
    if (action !== Action.submitQuote && action !== Action.submitBid) return false
    const isBid = action === Action.submitBid
    const combo = (isBid ? comboOfAuction : comboOfRequest).get(cells[message + SignedMessage.request]!)
    const arrivesUs = nowUs + this.wayUs(message) + waitUs
    if (combo < 0 || arrivesUs >= combos.cells[combo + ComboCell.expiresAtUs]!) return true
    // A bid that is signed again gets another expiry.
    return !(isBid && isResigned) && this.enricher.expiresTooSoon(message, isBid, arrivesUs)
  }

  /** Doubles with each repetition. */
  private backoffUs(times: number): number {
    let delayByUs = Math.max(REPEAT_MIN_US, this.terms.backoffUs)
    for (let i = 0; i < times; i++) delayByUs *= 2
    return delayByUs
  }

  /** Sends the command once more when the refusal has been told and `waitUs` is over; returns its message. */
  private send(message: number, times: number, waitUs: number): number {
    const { messages } = this.transit
    const again = messages.take(MessageKind.command, messages.words[message + MessageWord.target]!)
    messages.copyFields(message, again)
    messages.words[again + MessageWord.repeats] = times + 1
    this.transit.send(again, this.wayUs(again) + waitUs)
    return again
  }

  /** The way from the venue to the sender of `message` and back, µs. */
  private wayUs(message: number): number {
    const { words } = this.transit.messages
    const target = words[message + MessageWord.target]!
    const { latency } = words[message + MessageWord.intent]! >= 0 ? this.cohorts.cohorts[target]!.entry : this.makers.seats[target]!.entry
    return latency.broadcast.baseUs + latency.submit.baseUs
  }
}
