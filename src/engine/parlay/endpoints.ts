import { Connection, NO_FAULTS } from '../../agent/faults.ts'
import { Draws, Purpose, type RandomKey } from '../../kernel/random.ts'
import { assert } from '../../unit/assert.ts'
import { NONE } from '../../unit/none.ts'
import { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { MS_US } from '../../unit/time.ts'
import { type KindOf, type Row, rowOfKind } from '../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../venue/eventRows.ts'
import { DeliveryAttempted, DeliveryChanged, DeliveryQueued, ParlayEvent, type ParlayKind } from '../../venue/parlay/protocol/events.ts'
import { Answer, DeliveryStatus } from '../../venue/parlay/protocol/webhooks.ts'
import type { GateConfig } from '../config.ts'
import { WebhookMessage } from '../messageCells.ts'
import { MessageKind, MessageWord } from '../messages.ts'
import { entityOfName } from '../../kernel/names.ts'
import type { Transit } from '../transit.ts'
import { answerDelayUs, answerOf, type EndpointBehaviour, isOut } from './endpointBehaviour.ts'

/** One account's endpoint as a user or as a maker. */
export interface Endpoint {
  readonly account: number
  /** An `OwnerKind`. */
  readonly owner: number
  readonly events: number
  readonly behaviour: EndpointBehaviour
  readonly redelivers: boolean
  readonly entity: number
  /** Open while no drawn outage holds. */
  readonly connection: Connection
  /** Deliveries queued for it so far. */
  deliveries: number
}

/** An account by the name that draws go by. */
export interface NamedAccount {
  readonly account: number
  readonly name: string
}

/** A delivery that ended, which the gate knows until `forgottenUs`. */
interface Ended {
  readonly delivery: number
  readonly forgottenUs: number
}

/** So many forgotten ends may stand before the oldest one, so that an end costs little. */
const FORGOTTEN_MAX = 4096

/** The simulated webhook endpoints of a session, which answer the gate's attempts or do not. One that a client set is none of them. */
export class Endpoints implements Snapshot {
  declare readonly list: readonly Endpoint[]
  /** Places in `list`. */
  private readonly ofOwner = new Map<number, number>()
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly draws: Draws
  /** By delivery number, while the gate knows it: its place among those of its endpoint, its endpoint's in `list`. */
  private readonly placeOfDelivery = new NumberRing()
  private readonly endpointOfDelivery = new NumberRing()
  /** 1 of a delivery that was asked for once more. */
  private readonly askedAgain = new NumberRing()
  /** In the order of their ends from `oldest` on, without those that were requeued. */
  private ends: Ended[] = []
  private oldest = 0
  private declare readonly retentionUs: number

  /** `accountsOf` gives the accounts of a maker or a cohort. */
  constructor(gate: GateConfig, startUs: number, key: RandomKey, rows: EventRows, transit: Transit, accountsOf: (name: string) => readonly NamedAccount[]) {
    this.rows = rows
    this.transit = transit
    this.draws = new Draws(key, Purpose.endpoints)
    const outages = new Draws(key, Purpose.faults)
    this.retentionUs = gate.profile.deliveryRetentionMs * MS_US
    this.list = gate.endpoints.flatMap(({ of, first, owner, events, behaviour, redelivers = false }) =>
      accountsOf(of).slice(0, first).map(({ account, name }): Endpoint => {
        const entity = entityOfName(`${name}\0endpoint ${owner}`)
        const faults = { ...NO_FAULTS, disconnectEveryUs: behaviour.downEveryUs, disconnectForUs: behaviour.downForUs }
        const connection = new Connection(faults, outages, entity, startUs)
        return { account, owner, events, behaviour, redelivers, entity, connection, deliveries: 0 }
      }))
    this.list.forEach(({ account, owner }, at) => {
      assert(!this.ofOwner.has(account * 2 + owner), `account ${account} has one endpoint of a kind`)
      this.ofOwner.set(account * 2 + owner, at)
    })
  }

  /** The endpoints of an account. */
  of(account: number): readonly Endpoint[] {
    return this.list.filter((endpoint) => endpoint.account === account)
  }

  /** `kind` is the row's. */
  route(row: Row, kind: ParlayKind): void {
    switch (kind) {
      case ParlayEvent.deliveryQueued: return this.queued(rowOfKind(row, kind))
      case ParlayEvent.deliveryAttempted: return this.attempted(rowOfKind(row, kind))
      case ParlayEvent.deliveryChanged: return this.changed(rowOfKind(row, kind))
      case ParlayEvent.deliveryRequeued: return this.requeued(rowOfKind(row, kind))
    }
  }

  /** Whether an outage of endpoint `at` holds now. */
  isDown(at: number): boolean {
    const { nowUs } = this.transit
    const { connection, behaviour } = this.list[at]!
    return !connection.isOpen(nowUs) || isOut(behaviour, nowUs)
  }

  /** Endpoint `at` asks for a delivery once more, when the outages that hold now are over. */
  planRedelivery(at: number, delivery: number): void {
    const { nowUs, messages } = this.transit
    const { connection, behaviour } = this.list[at]!
    let fromUs = connection.isOpen(nowUs) ? nowUs : connection.spellEndsUs
    for (const outage of behaviour.outages) if (nowUs >= outage.fromUs) fromUs = Math.max(fromUs, outage.untilUs)
    const slot = messages.take(MessageKind.redelivery, at)
    messages.cells[slot + WebhookMessage.delivery] = delivery
    this.transit.send(slot, fromUs - nowUs)
  }

  private queued(row: Row<'parlay.deliveryQueued'>): void {
    const { rows } = this
    const delivery = rows.read(row, DeliveryQueued.delivery)
    const at = this.placeOf(rows.read(row, DeliveryQueued.account), rows.read(row, DeliveryQueued.ownerKind))
    if (at < 0) return
    this.forget(rows.read(row, EventCell.atUs))
    this.placeOfDelivery.set(delivery, this.list[at]!.deliveries++)
    this.endpointOfDelivery.set(delivery, at)
  }

  private attempted(row: Row<'parlay.deliveryAttempted'>): void {
    const { rows, transit, draws } = this
    const at = this.placeOf(rows.read(row, DeliveryAttempted.account), rows.read(row, DeliveryAttempted.ownerKind))
    if (at < 0) return
    const { behaviour, entity } = this.list[at]!
    const delivery = rows.read(row, DeliveryAttempted.delivery)
    const attempt = rows.read(row, DeliveryAttempted.attempt)
    const place = this.placeOfDelivery.get(delivery)
    assert(place >= 0, `delivery ${delivery} is attempted and not queued`)
    const answer = this.isDown(at) ? Answer.networkError : answerOf(behaviour, draws, entity, place, attempt)
    if (answer === Answer.timeout) return
    const slot = transit.messages.take(MessageKind.answer, -1)
    const { words, cells } = transit.messages
    cells[slot + WebhookMessage.delivery] = delivery
    cells[slot + WebhookMessage.attempt] = attempt
    words[slot + MessageWord.code] = answer
    transit.send(slot, answerDelayUs(behaviour, draws, entity, place, attempt))
  }

  private changed(row: Row<KindOf<typeof DeliveryChanged>>): void {
    const { rows } = this
    const status = rows.read(row, DeliveryChanged.status)
    if (status !== DeliveryStatus.delivered && status !== DeliveryStatus.deadLetter) return
    const delivery = rows.read(row, DeliveryChanged.delivery)
    const at = this.endpointOfDelivery.get(delivery)
    if (at < 0) return
    const nowUs = rows.read(row, EventCell.atUs)
    this.forget(nowUs)
    this.ends.push({ delivery, forgottenUs: nowUs + this.retentionUs })
    const isUnreached = status === DeliveryStatus.deadLetter && rows.read(row, DeliveryChanged.response) === Answer.networkError
    if (!isUnreached || !this.list[at]!.redelivers || this.askedAgain.get(delivery) >= 0) return
    this.askedAgain.set(delivery, 1)
    this.planRedelivery(at, delivery)
  }

  private requeued(row: Row<KindOf<typeof DeliveryChanged>>): void {
    const delivery = this.rows.read(row, DeliveryChanged.delivery)
    if (this.endpointOfDelivery.get(delivery) < 0) return
    this.ends.splice(this.ends.findLastIndex((ended) => ended.delivery === delivery), 1)
  }

  /** Forgets as the gate does, before the commands of the instant. */
  private forget(nowUs: number): void {
    const { ends } = this
    for (; this.oldest < ends.length && ends[this.oldest]!.forgottenUs <= nowUs; this.oldest++) {
      const { delivery } = ends[this.oldest]!
      for (const known of [this.placeOfDelivery, this.endpointOfDelivery, this.askedAgain]) known.delete(delivery)
    }
    if (this.oldest > FORGOTTEN_MAX) this.oldest -= ends.splice(0, this.oldest).length
  }

  /** Place in `list` of the endpoint that a queued or attempted delivery goes to, that of an account as an `OwnerKind`; −1: a client set it. */
  private placeOf(account: number, ownerKind: number): number {
    return this.ofOwner.get(account * 2 + ownerKind) ?? NONE
  }

  snapshot(): Image {
    return {
      placeOfDelivery: this.placeOfDelivery.snapshot(), endpointOfDelivery: this.endpointOfDelivery.snapshot(),
      askedAgain: this.askedAgain.snapshot(),
      ends: this.ends.slice(this.oldest).map(({ delivery, forgottenUs }) => ({ delivery, forgottenUs })),
      list: this.list.map(({ connection, deliveries }) => ({ connection: connection.snapshot(), deliveries })),
    }
  }

  restore(image: Image): void {
    const from = image as unknown as {
      placeOfDelivery: Image; endpointOfDelivery: Image; askedAgain: Image; ends: readonly Ended[]
      list: readonly { connection: Image; deliveries: number }[]
    }
    this.placeOfDelivery.restore(from.placeOfDelivery)
    this.endpointOfDelivery.restore(from.endpointOfDelivery)
    this.askedAgain.restore(from.askedAgain)
    this.ends = from.ends.map(({ delivery, forgottenUs }) => ({ delivery, forgottenUs }))
    this.oldest = 0
    this.list.forEach((endpoint, i) => {
      endpoint.connection.restore(from.list[i]!.connection)
      endpoint.deliveries = from.list[i]!.deliveries
    })
  }
}
