import { answerDelayUs, answerOf, type EndpointBehaviour, isOut } from '../agent/endpoint.ts'
import { Connection, NO_FAULTS } from '../agent/faults.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { assert } from '../unit/assert.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { Field } from '../venue/eventRows.ts'
import type { EventRows } from '../venue/eventRows.ts'
import { ParlayEvent } from '../venue/parlay/protocol/events.ts'
import { Answer, DeliveryStatus } from '../venue/parlay/protocol/webhooks.ts'
import type { SessionConfig } from './config.ts'
import { M, MessageKind } from './messages.ts'
import { entityOfName } from './names.ts'
import type { Transit } from './transit.ts'

/** One account's endpoint as a user or as a maker. */
export interface Endpoint {
  readonly account: number
  /** An `OwnerKind`. */
  readonly owner: number
  readonly events: number
  readonly behaviour: EndpointBehaviour
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

/** The simulated webhook endpoints of a session: they answer the attempts that the gate makes, or do not. */
export class Endpoints implements Snapshot {
  readonly list: readonly Endpoint[]
  private readonly ofOwner = new Map<number, Endpoint>()
  private readonly rows: EventRows
  private readonly transit: Transit
  private readonly draws: Draws
  /** Place of a delivery among those of its endpoint, by delivery number, until it has ended. */
  private readonly placeOfDelivery = new NumberRing()

  /** `accountsOf` gives the accounts of a maker or a cohort. */
  constructor(config: SessionConfig, key: RandomKey, rows: EventRows, transit: Transit, accountsOf: (name: string) => readonly NamedAccount[]) {
    this.rows = rows
    this.transit = transit
    this.draws = new Draws(key, Purpose.endpoints)
    const outages = new Draws(key, Purpose.faults)
    this.list = (config.gate?.endpoints ?? []).flatMap(({ of, first, owner, events, behaviour }) =>
      accountsOf(of).slice(0, first).map(({ account, name }): Endpoint => {
        const entity = entityOfName(`${name}\0endpoint ${owner}`)
        const faults = { ...NO_FAULTS, disconnectEveryUs: behaviour.downEveryUs, disconnectForUs: behaviour.downForUs }
        return { account, owner, events, behaviour, entity, connection: new Connection(faults, outages, entity, config.startUs), deliveries: 0 }
      }))
    for (const endpoint of this.list) {
      const at = endpoint.account * 2 + endpoint.owner
      assert(!this.ofOwner.has(at), `account ${endpoint.account} has one endpoint of a kind`)
      this.ofOwner.set(at, endpoint)
    }
  }

  /** Those of an account. */
  of(account: number): readonly Endpoint[] {
    return this.list.filter((endpoint) => endpoint.account === account)
  }

  /** `row` is the index of the first cell of a row of `kind`. */
  route(row: number, kind: number): void {
    switch (kind) {
      case ParlayEvent.deliveryQueued: return this.queued(row)
      case ParlayEvent.deliveryAttempted: return this.attempted(row)
      case ParlayEvent.deliveryChanged: return this.changed(row)
    }
  }

  private queued(row: number): void {
    this.placeOfDelivery.set(this.rows.cells[row + Field.amountA]!, this.endpointOf(row).deliveries++)
  }

  private attempted(row: number): void {
    const { rows, transit, draws } = this
    const endpoint = this.endpointOf(row)
    const { behaviour, entity } = endpoint
    const delivery = rows.cells[row + Field.amountA]!
    const attempt = rows.cells[row + Field.amountC]!
    const place = this.placeOfDelivery.get(delivery)
    assert(place >= 0, `delivery ${delivery} is attempted and not queued`)
    const isDown = !endpoint.connection.isOpen(transit.nowUs) || isOut(behaviour, transit.nowUs)
    const answer = isDown ? Answer.networkError : answerOf(behaviour, draws, entity, place, attempt)
    if (answer === Answer.timeout) return
    const slot = transit.messages.take(MessageKind.answer, -1)
    const { cells } = transit.messages
    cells[slot + M.index] = delivery
    cells[slot + M.version] = attempt
    cells[slot + M.code] = answer
    transit.send(slot, answerDelayUs(behaviour, draws, entity, place, attempt))
  }

  private changed(row: number): void {
    const status = this.rows.cells[row + Field.code]!
    if (status === DeliveryStatus.delivered || status === DeliveryStatus.deadLetter) {
      this.placeOfDelivery.delete(this.rows.cells[row + Field.amountA]!)
    }
  }

  private endpointOf(row: number): Endpoint {
    const { cells } = this.rows
    const endpoint = this.ofOwner.get(cells[row + Field.account]! * 2 + cells[row + Field.code]!)
    assert(endpoint !== undefined, 'only an endpoint of the session has deliveries')
    return endpoint
  }

  snapshot(): Image {
    return {
      placeOfDelivery: this.placeOfDelivery.snapshot(),
      list: this.list.map(({ connection, deliveries }) => ({ connection: connection.snapshot(), deliveries })),
    }
  }

  restore(image: Image): void {
    const from = image as { placeOfDelivery: Image; list: readonly { connection: Image; deliveries: number }[] }
    this.placeOfDelivery.restore(from.placeOfDelivery)
    this.list.forEach((endpoint, i) => {
      endpoint.connection.restore(from.list[i]!.connection)
      endpoint.deliveries = from.list[i]!.deliveries
    })
  }
}
