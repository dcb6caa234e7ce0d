import { type Entry, n, oddsText, type Row, usdc } from './explainCells.ts'

/** How the story differs between the services: who does what, and what it is called. */
export interface ExplainWords {
  readonly request: string
  /** What a later form of a request is called. */
  readonly version: string
  readonly auction: string
  readonly bet: string
  /** State of a version that a quote filled. */
  readonly committed: string
  /** The bettor, or the taker. */
  readonly bettor: string
  /** Commands that take a price, in the journal. */
  readonly commitOp: string
  /** Why a new version begins, and who begins it, null for the bettor. */
  readonly nextVersion: { readonly who: string | null; readonly what: string }
  /** A command that takes a price; null where the selection shows it. */
  readonly commits: ((row: Row) => string) | null
  /** Who selects a quote, null for the bettor, and the words for it. */
  readonly selects: { readonly who: string | null; readonly what: string }
  /** State of a version whose end is left out, because another version begins. */
  readonly passing: string
  /** Why a bettor that tried got nothing. */
  readonly refused: string
  readonly decided: Pick<Entry, 'who' | 'what'>
}

const PARLAY: ExplainWords = {
  request: 'request', version: 'version', auction: 'auction', bet: 'bet', committed: 'committed', bettor: 'bettor', commitOp: 'commitRequest', nextVersion: { who: null, what: 'changes the request (version' },
  commits: (row) => `commits at ${oddsText(row['odds_e4'])} or better`, selects: { who: 'service', what: 'chooses' }, passing: 'updated',
  refused: 'the commit was refused', decided: { who: 'chain', what: 'the position is decided, and paid later' },
}

const OUTCOME: ExplainWords = {
  request: 'RFQ', version: 'generation', auction: 'cash-out RFQ', bet: 'stake', committed: 'filled', bettor: 'taker', commitOp: 'acceptQuote',
  nextVersion: { who: 'service', what: 'takes prices again after a failed acceptance (generation' },
  commits: null, selects: { who: null, what: 'accepts' }, passing: 'failed',
  refused: 'the accept was refused', decided: { who: 'service', what: 'results have decided the position, and the next batch settles it' },
}

export const wordsOf = (service: string): ExplainWords => (service === 'outcome' ? OUTCOME : PARLAY)

/** An operation of the outcome service as entries of a timeline. */
export function operationEntries(row: Row): Entry[] {
  const name = `operation ${n(row['operation'])}`
  const what = `begins ${name}, the ${row['kind'] === 'cashout' ? 'cash-out' : String(row['kind'])} of ${usdc(row['amount_micros'])}`
  const start: Entry = { at: row['started_at'], who: 'chain', what }
  if (row['ended_at'] === null) return [start]
  const times = n(row['stall_count'])
  const late = times === 0 ? '' : `, put off ${times === 1 ? 'once' : `${times} times`}`
  return [start, { at: row['ended_at'], who: 'chain', what: `${name} is ${String(row['status'])}${late}` }]
}
