import type { MakerSummary } from '../score/makers.ts'
import type { RunTables } from '../score/runTables.ts'
import type { Summary } from '../score/summary.ts'
import type { Section } from './html/document.ts'
import type { DrawnSeries } from './html/longSeries.ts'
import { type Look, looksOf } from './html/palette.ts'

/** One service of a run, as the sections of its report read it. */
export interface ServicePage {
  readonly tables: RunTables
  readonly summary: Summary
  /** Prefix of every id, because pages of runs with several services have each section several times. */
  readonly prefix: string
  readonly words: ServiceWords
  /** Makers that took part, in the summary's order, with their looks. */
  readonly makers: readonly PageMaker[]
  readonly names: readonly string[]
}

export interface PageMaker {
  readonly name: string
  readonly look: Look
  readonly figures: MakerSummary
}

/** A section, and the long series in it by id. */
export interface PageSection extends Section {
  readonly series?: Readonly<Record<string, DrawnSeries>>
}

/** The services' words for the same things. */
export interface ServiceWords {
  readonly request: string
  readonly requests: string
  readonly bettors: string
  readonly grossBet: string
  readonly auction: string
  readonly auctions: string
  readonly committed: string
}

const PARLAY: ServiceWords = {
  request: 'request', requests: 'requests', bettors: 'bettors', grossBet: 'gross bet', auction: 'auction', auctions: 'auctions', committed: 'committed',
}
const OUTCOME: ServiceWords = {
  request: 'RFQ', requests: 'RFQs', bettors: 'takers', grossBet: 'stake', auction: 'cash-out RFQ', auctions: 'cash-out RFQs', committed: 'filled',
}

export function servicePage(tables: RunTables, summary: Summary, prefix: string): ServicePage {
  const looks = looksOf(summary.makers.map(({ name }) => name))
  const makers = summary.makers.map((figures, number) => ({ name: figures.name, look: looks[number]!, figures }))
  return {
    tables, summary, prefix, makers, words: summary.service === 'outcome' ? OUTCOME : PARLAY, names: makers.map(({ name }) => name),
  }
}
