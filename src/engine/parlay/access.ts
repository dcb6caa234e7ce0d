import type { RandomKey } from '../../kernel/random.ts'
import { NONE } from '../../unit/none.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { SECOND_US } from '../../unit/time.ts'
import { type KindOf, type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import { type EventRows } from '../../venue/eventRows.ts'
import { Credential, ScopeBit } from '../../venue/parlay/protocol/access.ts'
import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import {
  AnswerDelivery, CreateKey, type ParlayCommand, ParlayOp, Redeliver, RotateSecret, SetEndpoint,
} from '../../venue/parlay/protocol/commands.ts'
import { KeyReply, LimitRefusal, ParlayEvent, type ParlayKind, Reply, StreamChanged } from '../../venue/parlay/protocol/events.ts'
import { OwnerKind } from '../../venue/parlay/protocol/webhooks.ts'
import type { Cohorts } from '../cohorts.ts'
import type { GateConfig } from '../config.ts'
import { Endpoints, type NamedAccount } from './endpoints.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { StreamMessage, WebhookMessage } from '../messageCells.ts'
import { MessageKind, MessageWord } from '../messages.ts'
import type { ServicePlay } from '../play.ts'
import type { Seat } from '../seat.ts'
import type { Transit } from '../transit.ts'

const FUNDS = ScopeBit.fundsDeposit | ScopeBit.fundsWithdraw
const READS = ScopeBit.positionsRead | ScopeBit.balancesRead
/** `index` of a stream message that repeats a refused call, and plans no other. */
const REPEATED = 1

/** Where a session's commands about access are written and sent; `message` is the one that caused it, or −1. */
export interface ParlayAccessPort {
  readonly command: ParlayCommand
  readonly send: (message: number) => void
}

/**
 * How the participants of a session use its gate. Each account has a source address and a key of its own, makers hold their streams, and
 * endpoints answer. Keys and streams are kept up until the operator's last input, when every market is over.
 */
export class ParlayAccess implements Snapshot {
  declare readonly endpoints: Endpoints
  private declare readonly gate: GateConfig
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly seats: readonly Seat[]
  private declare readonly makers: MakerSeats
  /** Numbers of the accounts that trade here, ascending. */
  private declare readonly accounts: readonly number[]
  private declare readonly untilUs: number
  private declare readonly port: ParlayAccessPort
  /** Mask of what an account's keys can do. */
  private declare readonly scopes: Int32Array
  /** Number of the key that an account uses; before it has one, the JWT. */
  private declare readonly keys: Float64Array

  constructor(
    play: ServicePlay, gate: GateConfig, key: RandomKey, accountCount: number,
    parts: { rows: EventRows; transit: Transit; makers: MakerSeats; cohorts: Cohorts; port: ParlayAccessPort },
  ) {
    const { rows, transit, makers, cohorts, port } = parts
    this.gate = gate
    this.rows = rows
    this.transit = transit
    this.port = port
    this.seats = makers.seats
    this.makers = makers
    this.untilUs = play.operator.at(-1)?.atUs ?? play.startUs
    const bettors = cohorts.cohorts.flatMap(({ entry, firstAccount }) => Array.from({ length: entry.bettors }, (_, i) => firstAccount + i))
    this.accounts = [...new Set([...bettors, ...this.seats.map(({ account }) => account)])].sort((a, b) => a - b)
    this.keys = new Float64Array(accountCount).fill(Credential.jwt)
    this.endpoints = new Endpoints(gate, play.startUs, key, rows, transit, (name) => this.accountsOf(name, cohorts))
    // A maker sells what it took over by the calls of a trader.
    this.scopes = new Int32Array(accountCount).fill(READS | FUNDS | ScopeBit.tradingWrite)
    for (const { account } of this.seats) this.scopes[account]! |= ScopeBit.mmQuote
    for (const { account, owner } of this.endpoints.list) if (owner === OwnerKind.user) this.scopes[account]! |= ScopeBit.accountWrite
  }

  private accountsOf(name: string, { cohorts }: Cohorts): NamedAccount[] {
    const seat = this.seats.find(({ entry }) => entry.name === name)
    if (seat !== undefined) return [{ account: seat.account, name }]
    const cohort = cohorts.find(({ entry }) => entry.name === name)
    if (cohort === undefined) return []
    const { entry, firstAccount } = cohort
    if (entry.account !== undefined) return [{ account: firstAccount, name: entry.account }]
    return Array.from({ length: entry.bettors }, (_, i) => ({ account: firstAccount + i, name: `${name}-${i + 1}` }))
  }

  /** Makes every account's first key, by its JWT. */
  makeKeys(): void {
    for (const account of this.accounts) this.makeKey(account, NONE)
  }

  /** Opens the streams that makers do not open themselves, and sets the endpoints up. Precondition: keys have been made. */
  open(): void {
    for (const seat of this.seats) {
      this.followConnection(seat, NONE)
      this.planStream(seat)
    }
    const { command, send } = this.port
    for (const { account, owner } of this.endpoints.list) {
      this.setEndpoints(account, owner)
      command.reset(ParlayOp.rotateSecret, account)
      command[RotateSecret.ownerKind] = owner
      send(NONE)
    }
  }

  /** Puts the credential and the source address of its account on a command; the operator and the world have none. */
  authorize(command: ParlayCommand): void {
    const { account } = command
    if (account < 0) return
    command.source = account + 1
    command.credential = command.op === ParlayOp.createKey ? Credential.jwt : this.keys[account]!
  }

  /** Hands over a due message of a gate's kind. */
  receive(message: number, kind: number): void {
    const { messages } = this.transit
    switch (kind) {
      case MessageKind.keyRenewal: return this.renew(messages.words[message + MessageWord.account]!, message)
      case MessageKind.stream: return this.changeStream(message)
      case MessageKind.answer: return this.answer(message)
      case MessageKind.redelivery: return this.redeliver(message)
    }
  }

  /** `row` answers a command of the gate's own. */
  replied(row: Row<KindOf<typeof Reply>>, op: number, code: number): void {
    const { rows } = this
    const account = rows.read(row, Reply.account)
    if (op === ParlayOp.createKey) {
      if (code === ParlayCode.ok) {
        this.keys[account] = rows.read(rowAs(KeyReply, row), KeyReply.credential)
        const { lifeUs, renewAfterUs } = this.gate.keys
        if (lifeUs > 0) this.planRenewal(account, lifeUs + renewAfterUs)
      } else if (code === ParlayCode.rateLimited) this.planRenewal(account, this.retryAfterUs(row))
    } else if (op === ParlayOp.openStream && code === ParlayCode.rateLimited) {
      const slot = this.transit.messages.take(MessageKind.stream, this.makers.seatOf(account))
      this.transit.messages.cells[slot + StreamMessage.change] = REPEATED
      this.transit.send(slot, this.retryAfterUs(row))
    }
  }

  /** When a call that its limit refused may be made again, µs from now. */
  private retryAfterUs(row: Row<KindOf<typeof Reply>>): number {
    return this.rows.read(rowAs(LimitRefusal, row), LimitRefusal.retryAfterS) * SECOND_US
  }

  /** `row` is one of the gate's, of `kind`. */
  route(row: Row, kind: ParlayKind): void {
    if (kind === ParlayEvent.streamOpened || kind === ParlayEvent.streamClosed) {
      const seat = this.seats[this.makers.seatOf(this.rows.read(rowOfKind(row, kind), StreamChanged.account))]
      if (seat !== undefined) seat.live = kind === ParlayEvent.streamOpened
    } else this.endpoints.route(row, kind)
  }

  private makeKey(account: number, message: number): void {
    const { command, send } = this.port
    const { lifeUs } = this.gate.keys
    command.reset(ParlayOp.createKey, account)
    command[CreateKey.scopes] = this.scopes[account]!
    command.closeUs = lifeUs > 0 ? this.transit.nowUs + lifeUs : NONE
    send(message)
  }

  private planRenewal(account: number, delayByUs: number): void {
    if (this.transit.nowUs + delayByUs >= this.untilUs) return
    const slot = this.transit.messages.take(MessageKind.keyRenewal, NONE)
    this.transit.messages.words[slot + MessageWord.account] = account
    this.transit.send(slot, delayByUs)
  }

  /** Another key: endpoints stand on it from now on, and a stream that the gate would not open is asked for again. */
  private renew(account: number, message: number): void {
    const former = this.keys[account]
    this.makeKey(account, message)
    if (this.keys[account] === former) return
    for (const { owner } of this.endpoints.of(account)) this.setEndpoints(account, owner)
    const seat = this.seats[this.makers.seatOf(account)]
    if (seat !== undefined && seat.live !== seat.connection.isOpen(this.transit.nowUs)) this.followConnection(seat, message)
  }

  private setEndpoints(account: number, owner: number): void {
    const { command, send } = this.port
    command.reset(ParlayOp.setEndpoint, account)
    command[SetEndpoint.ownerKind] = owner
    command[SetEndpoint.events] = this.endpoints.of(account).find((endpoint) => endpoint.owner === owner)!.events
    send(NONE)
  }

  private changeStream(message: number): void {
    const { words, cells } = this.transit.messages
    const seat = this.seats[words[message + MessageWord.target]!]!
    const isRepeated = cells[message + StreamMessage.change] === REPEATED
    this.followConnection(seat, message)
    if (!isRepeated) this.planStream(seat)
  }

  /** Opens or closes the maker's stream, as its connection is now. A client that opens its own does that itself. */
  private followConnection(seat: Seat, message: number): void {
    if (seat.entry.opensOwnStreams === true) return
    const { command, send } = this.port
    command.reset(seat.connection.isOpen(this.transit.nowUs) ? ParlayOp.openStream : ParlayOp.closeStream, seat.account)
    send(message)
  }

  /** Plans the next change of the maker's stream, after the spell of its connection that `followConnection` found. */
  private planStream({ connection, book }: Seat): void {
    const { messages, nowUs } = this.transit
    const atUs = connection.spellEndsUs
    if (atUs < this.untilUs) this.transit.send(messages.take(MessageKind.stream, book.seat), atUs - nowUs)
  }

  private answer(message: number): void {
    const { command, send } = this.port
    const { words, cells } = this.transit.messages
    command.reset(ParlayOp.answerDelivery, NONE)
    command[AnswerDelivery.delivery] = cells[message + WebhookMessage.delivery]!
    command.version = cells[message + WebhookMessage.attempt]!
    command[AnswerDelivery.status] = words[message + MessageWord.code]!
    send(message)
  }

  private redeliver(message: number): void {
    const { command, send } = this.port
    const { words, cells } = this.transit.messages
    const at = words[message + MessageWord.target]!
    const delivery = cells[message + WebhookMessage.delivery]!
    const { account, owner } = this.endpoints.list[at]!
    if (this.endpoints.isDown(at)) return this.endpoints.planRedelivery(at, delivery)
    command.reset(ParlayOp.redeliver, account)
    command[Redeliver.delivery] = delivery
    command[Redeliver.ownerKind] = owner
    send(message)
  }

  snapshot(): Image {
    return {
      keys: this.keys.slice(), endpoints: this.endpoints.snapshot(),
      live: this.seats.map(({ live }) => live === true),
    }
  }

  restore(image: Image): void {
    const from = image as unknown as { keys: Float64Array; endpoints: Image; live: readonly boolean[] }
    this.keys.set(from.keys)
    this.endpoints.restore(from.endpoints)
    this.seats.forEach((seat, i) => { seat.live = from.live[i]! })
  }
}
