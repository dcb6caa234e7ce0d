import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { type KindOf, rowAs, rowOfKind, type RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import {
  BidAccepted, BidCreated, CashOutRfqCreated, OperationRow, OperationStatus, OperationUpdated, OutcomeEvent, type OutcomeKind, QuoteAccepted, QuoteCreated, QuoteRow,
  RfqCreated, RfqRow, STREAM_EVENT_NAMES,
} from '../protocol/events.ts'
import { OUTCOME_GATE_SETTINGS } from '../protocol/gate.ts'
import { integerText, named } from './encoding.ts'
import type { WireIdentity } from './identity.ts'
import { type PriceFacts, priceText } from './marketBody.ts'
import { idOrNull, type LegBody, legBodies, type WireNames } from './names.ts'
import { kindOfRfq, OPERATION_KINDS, OPERATION_STATUSES } from './tradeBodies.ts'

/** Largest frame, bytes (OM-162, OM-240), and items of one class in a snapshot (OM-157), where the profile says nothing else. */
export const FRAME_BYTES_MAX = OUTCOME_GATE_SETTINGS.frameBytesMax.default
export const SNAPSHOT_ITEMS_MAX = OUTCOME_GATE_SETTINGS.snapshotItemsMax.default

/** Bytes of a frame's text. */
export const frameBytes = (text: string): number => Buffer.byteLength(text)

/** The text of a frame, or the code that closes the stream because no frame may be so long (OM-240). */
export function frameText(frame: object, bytesMax = FRAME_BYTES_MAX): string | typeof OutcomeCode.snapshotTooLarge {
  const text = JSON.stringify(frame)
  return frameBytes(text) <= bytesMax ? text : OutcomeCode.snapshotTooLarge
}

/** The newest items of a class, as many as a snapshot holds: of numbers ascending, the last (OM-157). */
export const newestOf = (numbers: readonly number[], itemsMax = SNAPSHOT_ITEMS_MAX): readonly number[] => numbers.slice(-itemsMax)

/** Resources of a snapshot by class (OM-166, chosen); a stream has the classes of its channels. */
export interface SnapshotClasses {
  readonly rfqs?: readonly object[]
  readonly positions?: readonly object[]
  readonly operations?: readonly object[]
  readonly quotes?: readonly object[]
}

/** A snapshot: the state up to `cursor`. */
export const snapshotFrame = (cursor: number, classes: SnapshotClasses): object => ({ type: 'snapshot', cursor: integerText(cursor), ...classes })

/** A heartbeat: there is nothing newer than `cursor`. */
export const heartbeatFrame = (identity: WireIdentity, cursor: number, atUs: number): object =>
  ({ type: 'heartbeat', cursor: integerText(cursor), sent_at: identity.instant(atUs) })

type EventData = Readonly<Record<string, string | number | null | readonly LegBody[]>>

export interface EventFrame {
  readonly type: 'event'
  readonly event: string
  /** The seq of its row: what a client sends back to resume behind it. */
  readonly cursor: string
  readonly occurred_at: string
  readonly data: EventData
}

/** Is there an event of `/v1/stream` for a row of this kind (OM-150)? */
export const isStreamEvent = (kind: number): boolean => STREAM_EVENT_NAMES[kind] !== undefined

/** A row, and the pool in which its list stands. */
export interface ListedRow extends RowCells {
  readonly pool: ArrayLike<number>
}

/**
 * The event frame of a row of the venue (OM-151…154; payloads chosen, OM-164). `backerOf` gives the backing maker of the position that an RFQ
 * sells: that maker risks nothing more by a price for it. Throws Bug for a row that is no event.
 */
export function eventFrame(names: WireNames, row: ListedRow, backerOf: (rfq: number) => number): EventFrame {
  const kind = readCell(row, EventCell.kind) as OutcomeKind
  const event = STREAM_EVENT_NAMES[kind]
  if (event === undefined) throw new Bug(`no stream tells row kind ${kind}`)
  return {
    type: 'event', event, cursor: integerText(readCell(row, EventCell.seq)), occurred_at: names.identity.instant(readCell(row, EventCell.atUs)),
    data: dataOf(names, row, kind, backerOf),
  }
}

/** Precondition: `kind` is the row's, and there is an event for it. */
function dataOf(names: WireNames, row: ListedRow, kind: OutcomeKind, backerOf: (rfq: number) => number): EventData {
  switch (kind) {
    case OutcomeEvent.operationStarted: return operationOf(names, rowOfKind(row, kind), OperationStatus.pending)
    case OutcomeEvent.operationUpdated: {
      const updated = rowOfKind(row, kind)
      return operationOf(names, updated, readCell(updated, OperationUpdated.status))
    }
    case OutcomeEvent.rfqCreated: return createdRfqOf(names, rowOfKind(row, kind), legsOf(names, row))
    case OutcomeEvent.quoteCreated: return createdQuoteOf(names, rowOfKind(row, kind), backerOf)
    case OutcomeEvent.quoteAccepted: return acceptedQuoteOf(names, rowOfKind(row, kind), legsOf(names, row), backerOf)
    default: throw new Bug(`no stream tells row kind ${kind}`)
  }
}

const operationOf = ({ identity }: WireNames, row: RowCells<KindOf<typeof OperationRow>>, status: number): EventData => ({
  operation_id: identity.operation(readCell(row, OperationRow.operation)),
  kind: named(OPERATION_KINDS, readCell(row, OperationRow.operationKind)),
  status: named(OPERATION_STATUSES, status),
  acceptance_id: idOrNull(readCell(row, OperationRow.acceptance), (acceptance) => identity.acceptance(acceptance)),
  amount: integerText(readCell(row, OperationRow.amountMicros)),
  next_step_at: identity.instantOrNull(readCell(row, OperationRow.nextStepAtUs)),
})

function createdRfqOf({ identity }: WireNames, row: RowCells<'outcome.rfqCreated'>, legs: LegBody[]): EventData {
  const position = readCell(row, RfqRow.position)
  const head = headOf(identity, readCell(row, RfqRow.rfq), readCell(row, RfqRow.generation), position)
  if (position === NONE) {
    return {
      ...head, stake: integerText(readCell(row, RfqCreated.betMicros)), taker_fee_bps: readCell(row, RfqCreated.takerFeeBps),
      net_stake: integerText(readCell(row, RfqCreated.netStakeMicros)), fee_bps: readCell(row, RfqCreated.profitFeeBps),
      open_until: identity.instant(readCell(row, RfqCreated.openUntilUs)), legs,
    }
  }
  const sale = rowAs(CashOutRfqCreated, row)
  return {
    ...head, payout: integerText(readCell(sale, CashOutRfqCreated.payoutMicros)), maker_id: identity.account(readCell(sale, CashOutRfqCreated.backer)),
    net_stake: integerText(readCell(sale, CashOutRfqCreated.netStakeMicros)), fee_bps: readCell(sale, CashOutRfqCreated.profitFeeBps),
    open_until: identity.instant(readCell(sale, CashOutRfqCreated.openUntilUs)), legs,
  }
}

function createdQuoteOf({ identity }: WireNames, row: RowCells<'outcome.quoteCreated'>, backerOf: (rfq: number) => number): EventData {
  const head = quoteHeadOf(identity, row)
  if (isEntry(row)) {
    return {
      ...head, payout: integerText(readCell(row, QuoteCreated.payoutMicros)), risk: integerText(readCell(row, QuoteCreated.riskMicros)),
      net_stake: integerText(readCell(row, QuoteCreated.netStakeMicros)), expires_at: identity.instant(readCell(row, QuoteCreated.expiresAtUs)),
    }
  }
  const bid = rowAs(BidCreated, row)
  return {
    ...head, payout: integerText(readCell(bid, BidCreated.payoutMicros)), risk: integerText(isOfBacker(row, backerOf) ? 0 : readCell(bid, BidCreated.priceMicros)),
    net_stake: null, expires_at: identity.instant(readCell(bid, BidCreated.expiresAtUs)),
  }
}

function acceptedQuoteOf({ identity }: WireNames, row: RowCells<'outcome.quoteAccepted'>, legs: LegBody[], backerOf: (rfq: number) => number): EventData {
  const head = quoteHeadOf(identity, row)
  if (isEntry(row)) {
    return {
      ...head, payout: integerText(readCell(row, QuoteAccepted.payoutMicros)), risk: integerText(readCell(row, QuoteAccepted.riskMicros)),
      acceptance_id: identity.acceptance(readCell(row, QuoteAccepted.acceptance)), stake: integerText(readCell(row, QuoteAccepted.betMicros)),
      net_stake: integerText(readCell(row, QuoteAccepted.netStakeMicros)),
      confirm_until: identity.instant(readCell(row, QuoteAccepted.confirmUntilUs)), legs,
    }
  }
  const bid = rowAs(BidAccepted, row)
  return {
    ...head, payout: integerText(readCell(bid, BidAccepted.payoutMicros)), risk: integerText(isOfBacker(row, backerOf) ? 0 : readCell(bid, BidAccepted.priceMicros)),
    acceptance_id: identity.acceptance(readCell(bid, BidAccepted.acceptance)), stake: null, net_stake: null,
    confirm_until: identity.instant(readCell(bid, BidAccepted.confirmUntilUs)), legs,
  }
}

const isEntry = (row: RowCells<KindOf<typeof QuoteRow>>): boolean => readCell(row, QuoteRow.position) === NONE

const isOfBacker = (row: RowCells<KindOf<typeof QuoteRow>>, backerOf: (rfq: number) => number): boolean => backerOf(readCell(row, QuoteRow.rfq)) === readCell(row, QuoteRow.maker)

const headOf = (identity: WireIdentity, rfq: number, generation: number, position: number): EventData => ({
  rfq_id: identity.rfq(rfq), generation, kind: kindOfRfq(position), position_id: idOrNull(position, (number) => identity.position(number)),
})

function quoteHeadOf(identity: WireIdentity, row: RowCells<KindOf<typeof QuoteRow>>): EventData {
  return {
    ...headOf(identity, readCell(row, QuoteRow.rfq), readCell(row, QuoteRow.generation), readCell(row, QuoteRow.position)),
    quote_id: identity.quote(readCell(row, QuoteRow.quote)), maker_id: identity.account(readCell(row, QuoteRow.maker)),
  }
}

function legsOf(names: WireNames, row: ListedRow): LegBody[] {
  const start = readCell(row, EventCell.listStart)
  const legs = readCell(row, EventCell.listLength) / 2
  return legBodies(names, Array.from({ length: legs }, (_, i) => ({ outcome: row.pool[start + 2 * i]!, side: row.pool[start + 2 * i + 1]! })))
}

/** Prices of outcomes, as the public price stream tells them (OM-044, OM-164); dollars with four decimals. */
export const pricesFrame = (names: WireNames, cursor: number, prices: readonly (PriceFacts & { readonly outcome: number })[]): object => ({
  type: 'prices',
  cursor: integerText(cursor),
  prices: prices.map((price) => ({
    outcome_id: names.outcomeId(price.outcome), bid: priceText(price.bidE4), ask: priceText(price.askE4), at: names.identity.instant(price.atUs),
  })),
})
