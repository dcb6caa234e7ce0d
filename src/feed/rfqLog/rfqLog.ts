import type { QuotedPrice } from '../../unit/quotedPrice.ts'
import type { ImportReport } from '../importReport.ts'

export interface LoggedLeg {
  readonly ticker: string
  readonly side: 'yes' | 'no'
}

/** What a maker said in the last look; `lapsed`: nothing until the time was over. */
export const LAST_LOOK_ANSWERS = ['confirmed', 'declined', 'lapsed'] as const
export type LastLookAnswer = (typeof LAST_LOOK_ANSWERS)[number]

export const LOGGED_RESULTS = ['won', 'lost', 'void'] as const
export type LoggedResult = (typeof LOGGED_RESULTS)[number]

/** A maker's quote as it was recorded, instants in µs. */
export interface LoggedQuote {
  readonly id: string | null
  readonly maker: string
  readonly atUs: number
  readonly price: QuotedPrice
  /** First instant at which it was over by its own validity; null: the log does not say. */
  readonly validUntilUs: number | null
  /** When its maker took it back; null: it did not. */
  withdrawnUs: number | null
}

/** A choice of a maker's quote by the bettor, and what the maker said. */
export interface LoggedAcceptance {
  readonly atUs: number
  readonly maker: string
  /** Of the quote, or as the row of the acceptance has it; null: the log does not say. */
  readonly price: QuotedPrice | null
  /** When the quote that it names was made; null: the log has no such quote. */
  readonly quotedUs: number | null
  /** Null: the log does not say. */
  answer: LastLookAnswer | null
  /** From the acceptance to the answer; null: the log does not say. */
  answerDelayUs: number | null
}

/** One version of a request: an update ends one and begins the next. */
export interface LoggedRequest {
  readonly id: string
  /** From 1. */
  readonly version: number
  readonly service: 'parlay' | 'outcome' | null
  readonly bettor: string | null
  readonly atUs: number
  readonly legs: readonly LoggedLeg[]
  /** What the bettor pays, fee included. */
  readonly betMicros: number
  /** First instant at which it took no quote any more: its lifetime was over, it was cancelled or updated; null: the log does not say. */
  endUs: number | null
  /** From the request to the bettor's decision; null: the log does not say. */
  readonly decideUs: number | null
  /** The worst price that the bettor takes; null: the log does not say. */
  readonly floor: QuotedPrice | null
  /** In order of time. */
  readonly quotes: LoggedQuote[]
  readonly acceptances: LoggedAcceptance[]
  result: LoggedResult | null
}

/** What became of the rows of a log: accepted + quarantined = input. */
export type RfqLogReport = Pick<ImportReport, 'inputRows' | 'acceptedRows' | 'quarantinedRows' | 'troubles'>

/** A recorded log of requests for quotes. */
export interface RfqLog {
  readonly file: string
  /** Of the file's bytes. */
  readonly sha256: string
  /** In order of time; of equal instants in the order of the file. */
  readonly requests: readonly LoggedRequest[]
  /** Makers that quoted or were chosen, by code unit. */
  readonly makers: readonly string[]
  readonly report: RfqLogReport
}
