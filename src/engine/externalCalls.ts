import { assert, Bug } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import type { Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { CallMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import type { Transit } from './transit.ts'

/** A command of the service as a client outside of the session sends it. Fields that it does not name stay −1. */
export interface ExternalCall {
  readonly op: number
  /** By their names in the service's command. */
  readonly fields: Readonly<Record<string, number>>
  readonly legs?: readonly (readonly [market: number, side: number])[]
  readonly list?: readonly number[]
  /** Absent: the key that the session keeps up for the account. Read with a gate only. */
  readonly credential?: number
}

/** Hears what becomes of one call. */
export interface CallListener {
  /** The service has the command. Its answer has been heard by then, or comes later: a commit waits for a maker. */
  taken?(): void
  /** The service answers. `row` is its reply, and is valid until the listener returns. */
  answered(rows: EventRows, row: Row): void
  /** The answer has reached the client. */
  told(): void
}

/** What a call can set of a service's command. */
interface SettableCommand {
  credential: number
  leg(market: number, side: number): unknown
  item(value: number): unknown
}

interface Sent {
  readonly account: number
  readonly call: ExternalCall
  readonly listener: CallListener
  /** Key of the draws about what the call names. */
  readonly drawKey: number
  /** Whom the answer goes back to. Where it is null, the client knows the answer at once. */
  readonly back: AnswerWay | null
}

/** Sends the answers to calls on their way to some of the clients. */
export interface AnswerWay {
  /** The message names the account that called. */
  sendAnswer(message: number): void
}

/** How a call reaches the service, and its answer the client. */
export interface CallWay {
  /** The key of the draws about what the call names. */
  readonly drawKey: number
  readonly delayUs: number
}

/**
 * The calls of clients outside of the session, on their way to the service and back. A call stands beside the messages of strategies, and
 * reaches the service as their commands do: equal commands at equal instants leave equal rows.
 */
export class ExternalCalls {
  private declare readonly transit: Transit
  /** By serial number, while they are on their way. */
  private readonly underWay = new Map<number, Sent>()
  /** By the sequence number of their commands, while the service has not answered. */
  private readonly unanswered = new Map<number, Sent>()
  private serial = 0

  constructor(transit: Transit) {
    this.transit = transit
  }

  /** Sends a call of `account` on its way. */
  send(account: number, call: ExternalCall, listener: CallListener, { drawKey, delayUs }: CallWay, back: AnswerWay): void {
    this.transit.send(this.callMessage({ account, call, listener, drawKey, back }), delayUs)
  }

  /** The message of a call that has arrived without a way. The caller gives it back. */
  bring(account: number, call: ExternalCall, listener: CallListener, drawKey: number): number {
    return this.callMessage({ account, call, listener, drawKey, back: null })
  }

  private callMessage(sent: Sent): number {
    const slot = this.message(MessageKind.call, sent)
    const { messages } = this.transit
    messages.words[slot + MessageWord.account] = sent.account
    messages.cells[slot + CallMessage.request] = sent.call.fields['request'] ?? NONE
    return slot
  }

  /** The call of message `slot` has arrived. */
  arrived(slot: number): ExternalCall {
    return this.sentIn(slot).call
  }

  /** Writes the call of message `slot` into a command that has been reset to its opcode and account. */
  write(slot: number, command: SettableCommand): void {
    const { call: { fields, legs, list } } = this.sentIn(slot)
    for (const name of Object.keys(fields)) {
      if (!(name in command)) throw new Bug(`a command has a field ${name}`)
      ;(command as unknown as Record<string, number>)[name] = fields[name]!
    }
    for (const [market, side] of legs ?? []) command.leg(market, side)
    for (const value of list ?? []) command.item(value)
  }

  /** The command of the call of message `slot` has sequence number `seq`, and is about to reach the service. Returns who hears of it. */
  waitFor(slot: number, seq: number): CallListener {
    const serial = this.transit.messages.cells[slot + CallMessage.serial]!
    const sent = this.underWay.get(serial)!
    this.unanswered.set(seq, sent)
    this.underWay.delete(serial)
    return sent.listener
  }

  /** Lets the listener of the call that the reply in `row` answers hear it, and sends it to the client. False when no call caused the reply. */
  answer(rows: EventRows, row: Row): boolean {
    if (this.unanswered.size === 0) return false
    const cause = rows.read(row, EventCell.cause)
    const sent = this.unanswered.get(cause)
    if (sent === undefined) return false
    this.unanswered.delete(cause)
    const { listener, back } = sent
    listener.answered(rows, row)
    if (back === null) {
      listener.told()
      return true
    }
    const slot = this.message(MessageKind.callAnswered, sent)
    this.transit.messages.words[slot + MessageWord.account] = sent.account
    back.sendAnswer(slot)
    return true
  }

  /** The call of message `slot` reaches nobody. */
  lose(slot: number): void {
    this.underWay.delete(this.transit.messages.cells[slot + CallMessage.serial]!)
  }

  /** The answer of message `slot` has reached its client. */
  toldIn(slot: number): void {
    const { listener } = this.sentIn(slot)
    this.underWay.delete(this.transit.messages.cells[slot + CallMessage.serial]!)
    listener.told()
  }

  private message(kind: number, sent: Sent): number {
    const { messages } = this.transit
    const slot = messages.take(kind, NONE)
    const serial = ++this.serial
    messages.cells[slot + CallMessage.serial] = serial
    messages.cells[slot + CallMessage.drawKey] = sent.drawKey
    this.underWay.set(serial, sent)
    return slot
  }

  private sentIn(slot: number): Sent {
    const sent = this.underWay.get(this.transit.messages.cells[slot + CallMessage.serial]!)
    assert(sent !== undefined, 'a call is on its way')
    return sent
  }

  /** Whether no call is on its way. Otherwise the session has no image, since listeners cannot be put into one. */
  get isIdle(): boolean {
    return this.underWay.size === 0 && this.unanswered.size === 0
  }
}
