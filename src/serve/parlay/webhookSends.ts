import { type Row, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { AnswerDelivery, ParlayOp } from '../../venue/parlay/protocol/commands.ts'
import { DeliveryAttempted, DeliveryQueued, ParlayEvent, type ParlayKind } from '../../venue/parlay/protocol/events.ts'
import { OwnerKind } from '../../venue/parlay/protocol/webhooks.ts'
import type { WireIdentity } from '../../venue/parlay/wire/identity.ts'
import { webhookRequest, type WebhookRequest } from '../../venue/parlay/wire/signature.ts'
import { type WebhookBody, webhookBody, webhookText } from '../../venue/parlay/wire/webhookBody.ts'
import type { HandlerSite } from '../serviceHandler.ts'
import type { EndpointUrls } from './served.ts'

/** One attempt of a delivery to a client's endpoint, to be POSTed now. */
export interface WebhookAttempt extends WebhookRequest {
  readonly url: string
  /** Until then an answer is in time, µs of the session. */
  readonly timeoutAtUs: number
}

/**
 * POSTs an attempt. `answered` is told the HTTP status, or 0 where no answer came, by the session's loop; it need not be called. Whoever posts
 * checks the address that the URL's name resolves to (`mayDeliverTo`).
 */
export type PostWebhook = (attempt: WebhookAttempt, answered: (status: number) => void) => void

/** Sends deliveries to endpoints that clients set. Those of simulated participants are answered by the engine. */
export class WebhookSends {
  private declare readonly site: Pick<HandlerSite, 'send'>
  private declare readonly identity: WireIdentity
  private declare readonly urls: EndpointUrls
  private declare readonly post: PostWebhook
  /** By delivery, as long as the gate knows it: what every attempt sends again (PQ-134). */
  private readonly bodies = new Map<number, WebhookBody>()

  constructor(site: Pick<HandlerSite, 'send'>, identity: WireIdentity, urls: EndpointUrls, post: PostWebhook) {
    this.site = site
    this.identity = identity
    this.urls = urls
    this.post = post
  }

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as ParlayKind
    switch (kind) {
      case ParlayEvent.deliveryQueued: return this.queued(events, rowOfKind(row, kind))
      case ParlayEvent.deliveryAttempted: return this.attempted(events, rowOfKind(row, kind))
      default:
    }
  }

  /** The gate has forgotten a delivery: no attempt of it comes any more. */
  forgotten(delivery: number): void {
    this.bodies.delete(delivery)
  }

  /** The row that a delivery tells stands before it, among the rows of the same command or deadline. */
  private queued(events: EventRows, row: Row<'parlay.deliveryQueued'>): void {
    const owner = events.read(row, DeliveryQueued.ownerKind)
    if (this.urls.of(events.read(row, DeliveryQueued.account), owner) === '') return
    const seq = events.read(row, DeliveryQueued.eventSeq)
    let index = events.indexOf(row)
    while (events.read(events.row(index), EventCell.seq) !== seq) index--
    const delivery = events.read(row, DeliveryQueued.delivery)
    this.bodies.set(delivery, webhookBody(this.identity, delivery, owner, events.rowCells(events.row(index))))
  }

  private attempted(events: EventRows, row: Row<'parlay.deliveryAttempted'>): void {
    const delivery = events.read(row, DeliveryAttempted.delivery)
    const body = this.bodies.get(delivery)
    if (body === undefined) return
    const account = events.read(row, DeliveryAttempted.account)
    const owner = events.read(row, DeliveryAttempted.ownerKind) === OwnerKind.maker ? OwnerKind.maker : OwnerKind.user
    const secret = this.identity.webhookSecret(account, owner, events.read(row, DeliveryAttempted.secretGeneration))
    const request = webhookRequest(secret, events.read(row, EventCell.atUs) + this.identity.shiftUs, body, webhookText(body))
    const attempt = events.read(row, DeliveryAttempted.attempt)
    this.post({ ...request, url: this.urls.of(account, owner), timeoutAtUs: events.read(row, DeliveryAttempted.timeoutAtUs) }, (status) => {
      this.site.send(NOBODY, { op: ParlayOp.answerDelivery, fields: { [AnswerDelivery.delivery]: delivery, version: attempt, [AnswerDelivery.status]: status } }, UNHEARD)
    })
  }
}

/** Account of the world, which answers. */
const NOBODY = -1
const UNHEARD = { answered: () => {}, told: () => {} }
