import { ChannelBit } from '../protocol/access.ts'
import type { GateState } from './state.ts'

/** Size of a snapshot frame (OM-166, chosen): of its envelope, of an item, and of a leg of an RFQ or position. */
const FRAME_BYTES = 512
const ITEM_BYTES = 256
const LEG_BYTES = 96

/** Items and bytes of the snapshot with which a stream of the account begins (OM-157, OM-240). */
export function snapshotOf(s: GateState, account: number, channels: number): { items: number; bytes: number } {
  const { view } = s
  const newest = (numbers: number[]): number[] => numbers.slice(-s.profile.snapshotItemsMax)
  let items = 0
  let legs = 0
  if ((channels & ChannelBit.account) !== 0) {
    const rfqs = newest(view.openRfqsOf(account))
    const positions = newest(view.positionsOf(account))
    items += rfqs.length + positions.length + newest(view.operationsOf(account)).length
    for (const number of rfqs) legs += view.rfq(number)!.legs.length
    for (const number of positions) legs += view.position(number)!.legs.length
  }
  if ((channels & ChannelBit.maker) !== 0) items += newest(view.liveQuotesOf(account)).length
  return { items, bytes: FRAME_BYTES + ITEM_BYTES * items + LEG_BYTES * legs }
}
