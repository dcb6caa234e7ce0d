import type { MakerHandlerName } from '../agent/handlerNames.ts'
import type { DeliveredRow, DeliveredRows } from '../unit/deliveredRows.ts'
import { NONE } from '../unit/none.ts'
import { AckMessage, AuctionMessage, BidTakenMessage, HeldMessage, PositionMessage, RequestMessage, SelectionMessage } from './messageCells.ts'
import { MessageKind } from './messages.ts'
import type { ServicePlay } from './play.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'

/** The handler of each kind of message to a maker. */
export const HANDLER_NAMES: Readonly<Record<number, MakerHandlerName>> = {
  [MessageKind.request]: 'onRequest', [MessageKind.later]: 'onLater', [MessageKind.best]: 'onBest',
  [MessageKind.selected]: 'onSelected', [MessageKind.decideLater]: 'onDecision', [MessageKind.opened]: 'onOpened', [MessageKind.settled]: 'onSettled',
  [MessageKind.ack]: 'onAck', [MessageKind.auction]: 'onCashOut', [MessageKind.bestBid]: 'onBestBid', [MessageKind.bidTaken]: 'onBidTaken', [MessageKind.bought]: 'onBought',
  [MessageKind.heldEnded]: 'onSettled', [MessageKind.heldSold]: 'onAuctionEnded', [MessageKind.heldAuctionEnded]: 'onAuctionEnded',
  [MessageKind.heldReply]: 'onCashOutRefused', [MessageKind.heldBid]: 'onBid', [MessageKind.heldCheck]: 'onCheck',
  [MessageKind.timer]: 'onTimer', [MessageKind.price]: 'onPrice', [MessageKind.requestOver]: 'onRequestEnded', [MessageKind.backedPrice]: 'onPositionPrice', [MessageKind.heldPrice]: 'onPositionPrice',
}

/** A call that the maker asked for. */
export const isAsked = (kind: number): boolean => kind === MessageKind.later || kind === MessageKind.decideLater || kind === MessageKind.heldCheck || kind === MessageKind.timer

/** What comes of prices and of the time, which the service tells nobody. */
const isReckoned = (kind: number): boolean => kind === MessageKind.requestOver || kind === MessageKind.price || kind === MessageKind.backedPrice || kind === MessageKind.heldPrice

type About = Pick<DeliveredRow, 'request' | 'version' | 'quote' | 'position' | 'auction'>

const ABOUT_NOTHING: About = { request: NONE, version: NONE, quote: NONE, position: NONE, auction: NONE }

/** Notes what makers of a service are told, and what they miss, where the session is asked for it. */
export class MakerDeliveries {
  private declare readonly transit: Transit
  private declare readonly service: DeliveredRow['service']
  private declare readonly into: DeliveredRows

  constructor(transit: Transit, service: DeliveredRow['service'], into: DeliveredRows) {
    this.transit = transit
    this.service = service
    this.into = into
  }

  /** A due message is handed over. What a maker asked for itself, or could reckon, is no delivery. */
  delivered(seat: Seat, slot: number, kind: number): void {
    if (!isAsked(kind) && !isReckoned(kind)) this.note(seat, kind, 'delivered', this.aboutOf(slot, kind))
  }

  /** A message to a maker that is away is lost. */
  lost(seat: Seat, slot: number, kind: number): void {
    this.note(seat, kind, 'away', this.aboutOf(slot, kind))
  }

  /** A request, or its best quote, is not sent to the maker. */
  missed(seat: Seat, kind: number, fate: 'away' | 'ignored', request: number, version: number): void {
    this.note(seat, kind, fate, { ...ABOUT_NOTHING, request, version })
  }

  private note(seat: Seat, kind: number, fate: DeliveredRow['fate'], about: About): void {
    this.into.rows.push({ service: this.service, atUs: this.transit.nowUs, maker: seat.entry.name, handler: HANDLER_NAMES[kind]!, fate, ...about })
  }

  private aboutOf(slot: number, kind: number): About {
    const { cells } = this.transit.messages
    switch (kind) {
      case MessageKind.request: case MessageKind.best:
        return { ...ABOUT_NOTHING, request: cells[slot + RequestMessage.request]!, version: cells[slot + RequestMessage.version]! }
      case MessageKind.selected:
        return { ...ABOUT_NOTHING, request: cells[slot + SelectionMessage.request]!, version: cells[slot + SelectionMessage.version]!, quote: cells[slot + SelectionMessage.quote]! }
      // The bid's request is the auction, and its quote the bid.
      case MessageKind.bidTaken: return { ...ABOUT_NOTHING, auction: cells[slot + BidTakenMessage.request]!, position: cells[slot + BidTakenMessage.position]! }
      case MessageKind.opened: case MessageKind.settled:
        return { ...ABOUT_NOTHING, request: cells[slot + PositionMessage.request]!, quote: cells[slot + PositionMessage.quote]!, position: cells[slot + PositionMessage.position]! }
      case MessageKind.ack: return { ...ABOUT_NOTHING, request: cells[slot + AckMessage.request]!, quote: cells[slot + AckMessage.quote]!, auction: cells[slot + AckMessage.auction]! }
      case MessageKind.auction: case MessageKind.bestBid:
        return { ...ABOUT_NOTHING, position: cells[slot + AuctionMessage.position]!, auction: cells[slot + AuctionMessage.auction]! }
      default: return { ...ABOUT_NOTHING, request: cells[slot + HeldMessage.request]!, position: cells[slot + HeldMessage.position]!, auction: cells[slot + HeldMessage.auction]! }
    }
  }
}

/** Null where nobody asks for it. */
export const makerDeliveries = (transit: Transit, { deliveries, service }: Pick<ServicePlay, 'deliveries' | 'service'>): MakerDeliveries | null =>
  (deliveries === undefined ? null : new MakerDeliveries(transit, service, deliveries))
