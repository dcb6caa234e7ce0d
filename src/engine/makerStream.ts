import { delayUs } from '../agent/latency.ts'
import { DAY_US } from '../unit/time.ts'
import { ComboCell } from './combos.ts'
import { arrivalOfKey, sourceOfKey } from './drawKeys.ts'
import type { MakerDeliveries } from './makerDeliveries.ts'
import { drawIndex, type MakerWays, Way } from './makerWays.ts'
import { RequestMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import { isReached } from './reach.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'

/** Messages for a maker that is away are not kept for longer. The maker counts as gone, and the session does not wait for it. */
const HELD_US_MAX = 366 * DAY_US

/** What the makers of a session are told: requests and best quotes over their streams, and messages to one maker alone. */
export class MakerStream {
  private declare readonly seats: readonly Seat[]
  private declare readonly transit: Transit
  private declare readonly ways: MakerWays
  private declare readonly deliveries: MakerDeliveries | null

  /** @param deliveries notes what makers miss, null where nobody asks for it. */
  constructor(seats: readonly Seat[], transit: Transit, ways: MakerWays, deliveries: MakerDeliveries | null) {
    this.deliveries = deliveries
    this.seats = seats
    this.transit = transit
    this.ways = ways
  }

  /** Sends a request's combo to every maker that holds its stream open (PQ-180, PQ-208). There is no quote on it yet. */
  broadcastRequest(request: number, version: number, combo: number, bookChanges: number): void {
    const { seats, transit, ways: { pairs, latencyDraws, missDraws } } = this
    const { messages, combos, nowUs } = transit
    const entities = pairs.cells
    const key = combos.cells[combo + ComboCell.drawKey]!
    const source = sourceOfKey(key)
    const index = drawIndex(arrivalOfKey(key, source), Way.request)
    const from = pairs.at(source, 0)
    let sent = 0
    for (let i = 0; i < seats.length; i++) {
      const seat = seats[i]!
      if (!seat.hearsRequests) continue
      if (!isReached(seat, nowUs)) {
        seat.book.requestsAway++
        this.deliveries?.missed(seat, MessageKind.request, 'away', request, version)
        continue
      }
      const entity = entities[from + i]!
      if (seat.ignore > 0 && missDraws.uniform(entity, index) < seat.ignore) {
        seat.book.requestsIgnored++
        this.deliveries?.missed(seat, MessageKind.request, 'ignored', request, version)
        continue
      }
      const slot = messages.takeBare(MessageKind.request, i)
      // Written out as in fillRequest, whose arguments would be boxed for each maker.
      const { cells } = messages
      cells[slot + RequestMessage.request] = request
      cells[slot + RequestMessage.version] = version
      cells[slot + RequestMessage.bestOddsE4] = NaN
      cells[slot + RequestMessage.bookChanges] = bookChanges
      messages.words[slot + MessageWord.combo] = combo
      sent++
      transit.send(slot, delayUs(seat.broadcast, latencyDraws, entity, index))
    }
    combos.retain(combo, sent)
  }

  /** Sends a request's best quote to the makers that watch it; NaN: there is none any more. */
  broadcastBest(request: number, version: number, combo: number, bestOddsE4: number, bookChanges: number): void {
    const { transit } = this
    const key = transit.combos.cells[combo + ComboCell.drawKey]!
    for (let i = 0; i < this.seats.length; i++) {
      const seat = this.seats[i]!
      if (!seat.hearsBest) continue
      if (!isReached(seat, transit.nowUs)) {
        this.deliveries?.missed(seat, MessageKind.best, 'away', request, version)
        continue
      }
      const slot = transit.messages.takeBare(MessageKind.best, i)
      fillRequest(transit, slot, request, version, combo, bestOddsE4, bookChanges)
      transit.send(slot, this.ways.delay(seat, seat.broadcast, key, Way.other))
    }
  }

  /** Sends a prepared message about the request of `key` to its seat alone; what becomes of it while the maker is away: faults.ts. */
  sendTo(slot: number, key: number): void {
    const { transit } = this
    const seat = this.seats[transit.messages.words[slot + MessageWord.target]!]!
    const kind = transit.messages.words[slot + MessageWord.kind]!
    const isAway = !seat.connection.isOpen(transit.nowUs)
    const heldUs = isAway && isOwed(kind) ? seat.connection.spellEndsUs - transit.nowUs : 0
    if (heldUs > HELD_US_MAX) return this.lose(slot, seat, kind)
    // A reply does not come over the stream.
    if (!isOwed(kind) && (seat.live === null || kind === MessageKind.ack ? isAway : !seat.live)) return this.lose(slot, seat, kind)
    transit.send(slot, heldUs + this.ways.delay(seat, seat.broadcast, key, Way.selected))
  }

  /**
   * When a maker knows a reply that is given now about the request of `key`, µs. A maker that is away knows it when it is back. Infinity for
   * never.
   */
  toldUs(seatNumber: number, key: number): number {
    const { transit: { nowUs } } = this
    const seat = this.seats[seatNumber]!
    const heldUs = seat.connection.isOpen(nowUs) ? 0 : seat.connection.spellEndsUs - nowUs
    return heldUs > HELD_US_MAX ? Infinity : nowUs + heldUs + this.ways.delay(seat, seat.broadcast, key, Way.selected)
  }

  private lose(slot: number, seat: Seat, kind: number): void {
    const { messages, combos } = this.transit
    this.deliveries?.lost(seat, slot, kind)
    const combo = messages.words[slot + MessageWord.combo]!
    if (combo >= 0) combos.release(combo)
    messages.give(slot)
  }
}

/** Fills a message about a request, which shares its combo. */
export const fillRequest = (
  { messages, combos }: Transit, slot: number, request: number, version: number, combo: number, bestOddsE4: number, bookChanges: number,
): void => {
  messages.cells[slot + RequestMessage.request] = request
  messages.cells[slot + RequestMessage.version] = version
  messages.words[slot + MessageWord.combo] = combo
  messages.cells[slot + RequestMessage.bestOddsE4] = bestOddsE4
  messages.cells[slot + RequestMessage.bookChanges] = bookChanges
  combos.retain(combo)
}

/** What a maker that was away is told when it is back: its book needs it. */
const isOwed = (kind: number): boolean =>
  kind === MessageKind.opened || kind === MessageKind.settled || (kind >= MessageKind.bought && kind !== MessageKind.heldBid && kind !== MessageKind.bidTaken)
