import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../eventRows.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import { OutcomeEvent, OutcomeField, OperationStatus, STREAM_EVENT_NAMES } from '../protocol/events.ts'
import { OUTCOME_GATE_SETTINGS } from '../protocol/gate.ts'
import { integerOrNull, integerText, named, timestampOrNull, timestampText } from './encoding.ts'
import { type PriceFacts, priceText } from './marketBody.ts'
import { idOrNull, type LegBody, legBodies, type WireNames } from './names.ts'
import type { RowCells } from './originLog.ts'
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
export const heartbeatFrame = (cursor: number, atUs: number): object => ({ type: 'heartbeat', cursor: integerText(cursor), sent_at: timestampText(atUs) })

export interface EventFrame {
  readonly type: 'event'
  readonly event: string
  /** The seq of its row: what a client sends back to resume behind it. */
  readonly cursor: string
  readonly occurred_at: string
  readonly data: Readonly<Record<string, string | number | null | readonly LegBody[]>>
}

/** Is there an event of `/v1/stream` for a row of this kind (OM-150)? */
export const isStreamEvent = (kind: number): boolean => STREAM_EVENT_NAMES[kind] !== undefined

/** A row, and the pool in which its list stands. */
export interface ListedRow extends RowCells {
  readonly pool: ArrayLike<number>
}

/** The event frame of a row of the venue (OM-151…154; payloads chosen, OM-164). Throws Bug for a row that is no event. */
export function eventFrame(names: WireNames, row: ListedRow): EventFrame {
  const of = (field: number): number => row.cells[row.first + field]!
  const kind = of(OutcomeField.kind)
  const event = STREAM_EVENT_NAMES[kind]
  if (event === undefined) throw new Bug(`no stream tells row kind ${kind}`)
  return { type: 'event', event, cursor: integerText(of(OutcomeField.seq)), occurred_at: timestampText(of(OutcomeField.atUs)), data: dataOf(names, row, kind, of) }
}

function legsOf(names: WireNames, row: ListedRow): LegBody[] {
  const start = row.cells[row.first + OutcomeField.listStart]!
  const legs = row.cells[row.first + OutcomeField.listLength]! / 2
  return legBodies(names, Array.from({ length: legs }, (_, i) => ({ outcome: row.pool[start + 2 * i]!, side: row.pool[start + 2 * i + 1]! })))
}

function dataOf(names: WireNames, row: ListedRow, kind: number, of: (field: number) => number): EventFrame['data'] {
  const { identity } = names
  if (kind === OutcomeEvent.operationStarted || kind === OutcomeEvent.operationUpdated) {
    const status = kind === OutcomeEvent.operationStarted ? OperationStatus.pending : of(OutcomeField.amountB)
    return {
      operation_id: identity.operation(of(OutcomeField.operation)),
      kind: named(OPERATION_KINDS, of(OutcomeField.code)),
      status: named(OPERATION_STATUSES, status),
      acceptance_id: idOrNull(of(OutcomeField.acceptance), (acceptance) => identity.acceptance(acceptance)),
      amount: integerText(of(OutcomeField.amountA)),
      next_step_at: timestampOrNull(of(OutcomeField.untilUs)),
    }
  }
  const isCashout = of(OutcomeField.position) !== NONE
  const rfq = {
    rfq_id: identity.rfq(of(OutcomeField.rfq)), generation: of(OutcomeField.generation), kind: kindOfRfq(of(OutcomeField.position)),
    position_id: idOrNull(of(OutcomeField.position), (position) => identity.position(position)),
  }
  if (kind === OutcomeEvent.rfqCreated) {
    return {
      ...rfq,
      ...(isCashout
        ? { payout: integerText(of(OutcomeField.amountA)), maker_id: identity.account(of(OutcomeField.other)) }
        : { stake: integerText(of(OutcomeField.amountA)), taker_fee_bps: of(OutcomeField.amountC) }),
      net_stake: integerText(of(OutcomeField.amountB)), fee_bps: of(OutcomeField.amountD),
      open_until: timestampText(of(OutcomeField.untilUs)), legs: legsOf(names, row),
    }
  }
  const quote = {
    ...rfq, quote_id: identity.quote(of(OutcomeField.quote)), maker_id: identity.account(of(OutcomeField.account)),
    payout: integerText(of(OutcomeField.amountD)), risk: integerText(of(OutcomeField.amountA)),
  }
  if (kind === OutcomeEvent.quoteCreated) {
    return { ...quote, net_stake: integerOrNull(of(OutcomeField.amountC)), expires_at: timestampText(of(OutcomeField.untilUs)) }
  }
  return {
    ...quote, acceptance_id: identity.acceptance(of(OutcomeField.acceptance)), stake: integerOrNull(of(OutcomeField.amountB)),
    net_stake: integerOrNull(of(OutcomeField.amountC)), confirm_until: timestampText(of(OutcomeField.untilUs)), legs: legsOf(names, row),
  }
}

/** Prices of outcomes, as the public price stream tells them (OM-044, OM-164); dollars with four decimals. */
export const pricesFrame = (names: WireNames, cursor: number, prices: readonly (PriceFacts & { readonly outcome: number })[]): object => ({
  type: 'prices',
  cursor: integerText(cursor),
  prices: prices.map((price) => ({
    outcome_id: names.outcomeId(price.outcome), bid: priceText(price.bidE4), ask: priceText(price.askE4), at: timestampText(price.atUs),
  })),
})
