import { assert } from '../unit/assert.ts'
import type { Cell, Cells } from '../venue/eventCells.ts'
import * as outcome from '../venue/outcome/protocol/events.ts'
import * as parlay from '../venue/parlay/protocol/events.ts'

/** The cells `names` of two kinds, one of each service, which have them at the same offsets. Rows of both kinds are read by these names. */
function sharedCells<N extends string, M extends string, K extends string>(
  names: readonly K[], ofParlay: Readonly<Record<K, Cell<N>>>, ofOutcome: Readonly<Record<K, Cell<M>>>,
): Cells<N | M, Readonly<Record<K, number>>> {
  for (const name of names) assert(Number(ofParlay[name]) === Number(ofOutcome[name]), `both services have ${name} in the same cell`)
  return Object.fromEntries(names.map((name) => [name, ofParlay[name]])) as unknown as Cells<N | M, Readonly<Record<K, number>>>
}

/** Reads an RFQ as a request and its generation as the version. */
const asRequest = <C extends { readonly rfq: unknown; readonly generation: unknown }>(cells: C) =>
  ({ ...cells, request: cells.rfq, version: cells.generation }) as C & { readonly request: C['rfq']; readonly version: C['generation'] }

export const Reply = sharedCells(['account', 'op', 'code'], parlay.Reply, outcome.Reply)

/** requestCreated and requestUpdated, and rfqCreated of an entry, whose window ends where a request expires. */
export const RequestBegun = sharedCells(
  ['request', 'version', 'owner', 'betMicros', 'expiresAtUs'], parlay.RequestCreated,
  { ...asRequest(outcome.RfqCreated), expiresAtUs: outcome.RfqCreated.openUntilUs },
)

/** quoteSubmitted, and quoteCreated of an entry. */
export const QuoteMade = sharedCells(
  ['request', 'version', 'maker', 'quote', 'oddsE4', 'riskMicros', 'takerFeeBps', 'netStakeMicros', 'expiresAtUs'], parlay.QuoteSubmitted,
  asRequest(outcome.QuoteCreated),
)

/** Every row of a quote. */
export const QuoteChanged = sharedCells(['request', 'version', 'maker', 'quote'], parlay.QuoteRow, asRequest(outcome.QuoteRow))

/** quoteSelected, and quoteAccepted of an entry. */
export const QuoteSelected = sharedCells(
  ['request', 'version', 'maker', 'owner', 'quote', 'oddsE4', 'riskMicros', 'betMicros', 'netStakeMicros'], parlay.QuoteSelected,
  asRequest(outcome.QuoteAccepted),
)

export const QuoteFailed = sharedCells(['quote', 'isDeclined'], parlay.QuoteFailed, outcome.QuoteFailed)

export const PositionOpened = sharedCells(
  ['request', 'version', 'position', 'holder', 'backer', 'quote', 'oddsE4', 'netStakeMicros', 'payoutMicros', 'takerFeeMicros', 'profitFeeBps'],
  parlay.PositionOpened, asRequest(outcome.PositionOpened),
)

export const PositionSettled = sharedCells(
  ['position', 'holder', 'backer', 'outcome', 'toHolderMicros', 'toBackerMicros', 'profitFeeMicros', 'takerFeeKeptMicros'],
  parlay.PositionSettled, outcome.PositionSettled,
)

/** positionBoughtBack and positionClosed. */
export const BoughtBack = sharedCells(
  ['position', 'holder', 'backer', 'toHolderMicros', 'profitFeeMicros', 'toBackerMicros'], parlay.PositionBoughtBack, outcome.PositionClosed,
)

export const PositionTransferred = sharedCells(
  ['position', 'buyer', 'priceMicros'], parlay.PositionTransferred, outcome.PositionTransferred,
)
