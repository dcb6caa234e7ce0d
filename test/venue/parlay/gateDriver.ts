import { PostingRows } from '../../../src/ledger/postingRows.ts'
import { NONE } from '../../../src/unit/none.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { parlayGate, type ParlayGate } from '../../../src/venue/parlay/gate/gate.ts'
import { AnswerDelivery, CreateKey, ParlayCommand, ParlayOp, RotateSecret, SetEndpoint } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { PARLAY_GATE_SETTINGS, type ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { DELIVERY_STATUS_NAMES } from '../../../src/venue/parlay/protocol/webhooks.ts'
import { parlayVenue, type ParlayVenue } from '../../../src/venue/parlay/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { type NamedRow, namedRow } from './namedRow.ts'

/** Time zero of every test, a round instant of June 2025. */
export const T0 = 1_750_000_000_000_000
export const sec = (n: number): number => n * 1_000_000
export const usd = (n: number): number => n * 1_000_000

/** An event row by the names of its kind, without a cause where there was none; its instants count from T0. */
export type GateRow = NamedRow

/** Fields of the command that a test names. */
export type Fields = Partial<Omit<ParlayCommand, 'reset' | 'leg' | 'item' | 'legMarkets' | 'legSides' | 'list'>>

/** A gate on a bench; rows by name, time as an offset from T0. The rows are cleared between calls, as the engine does. */
export class GateDriver {
  readonly sequence = { next: 1 }
  readonly events = new EventRows(this.sequence, 1)
  readonly postings = new PostingRows(this.sequence, 1)
  readonly gate: ParlayGate
  readonly command = new ParlayCommand()
  now = 0
  seq = 0
  /** Rows of the last command or pulse. */
  rows: GateRow[] = []

  constructor(overrides: Partial<ParlayGateProfile> = {}, venueOf?: (events: EventRows) => ParlayVenue) {
    const venue = venueOf?.(this.events) ?? parlayVenue(profileOf(PARLAY_SETTINGS), this.events, this.postings)
    this.gate = parlayGate(venue, profileOf(PARLAY_GATE_SETTINGS, overrides), this.events)
  }

  get view() {
    return this.gate.gateView
  }

  at(offsetUs: number): this {
    this.now = offsetUs
    return this
  }

  /** Sends a command with the account's JWT, unless `fields` names a credential; its reply, or undefined while it waits. */
  send(op: keyof typeof ParlayOp | number, account: number, fields: Fields = {}): GateRow | undefined {
    const c = this.command.reset(typeof op === 'number' ? op : ParlayOp[op], account)
    Object.assign(c, fields)
    c.seq = ++this.seq
    this.run(() => this.gate.apply(T0 + this.now, c))
    return this.rows.find((row) => row.event === 'reply' && row['cause'] === this.seq)
  }

  /** Name of the reply's code. */
  code(op: keyof typeof ParlayOp | number, account: number, fields: Fields = {}): string | number | undefined {
    return this.send(op, account, fields)?.code
  }

  pulse(offsetUs: number): GateRow[] {
    this.now = offsetUs
    return this.run(() => this.gate.pulse(T0 + offsetUs))
  }

  /** Makes a key with the account's JWT: its number. */
  key(account: number, scopes: number, closeUs = NONE): number {
    return this.send('createKey', account, { [CreateKey.scopes]: scopes, closeUs })!['credential'] as number
  }

  /** A subscribed endpoint with a secret, set with `credential`. */
  endpoint(account: number, owner: number, events: number, credential = 0): this {
    this.send('setEndpoint', account, { [SetEndpoint.ownerKind]: owner, [SetEndpoint.events]: events, credential })
    this.send('rotateSecret', account, { [RotateSecret.ownerKind]: owner })
    return this
  }

  /** The world's answer to an attempt: the reply's code. */
  answer(delivery: number, attempt: number, status: number): string | number | undefined {
    return this.code('answerDelivery', -1, { [AnswerDelivery.delivery]: delivery, version: attempt, [AnswerDelivery.status]: status })
  }

  /** Status of a delivery of account 10's user endpoint, by the service's name. */
  status(delivery: number, account = 10, owner = 0): string | undefined {
    const view = this.view.deliveriesOf(account, owner).find(({ number }) => number === delivery)
    return view && DELIVERY_STATUS_NAMES[view.status]
  }

  of(event: keyof typeof ParlayEvent): GateRow[] {
    return this.rows.filter((row) => row.event === event)
  }

  names(): string[] {
    return this.rows.map((row) => (row.event === 'reply' ? `reply ${row.code}` : row.event))
  }

  private run(what: () => void): GateRow[] {
    what()
    this.rows = Array.from({ length: this.events.count }, (_, row) => this.rowAt(row))
    this.events.clear()
    this.postings.clear()
    return this.rows
  }

  private rowAt(index: number): GateRow {
    const row = this.events.row(index)
    const cause = this.events.read(row, EventCell.cause)
    return { ...namedRow(this.events, row, T0), ...(cause !== NONE && { cause }) }
  }
}

/** Account 10 with a user endpoint for `events` and one event told by a deposit: delivery 1 is queued at time 0. */
export function oneDelivery(overrides: Partial<ParlayGateProfile> = {}): GateDriver {
  const d = new GateDriver(overrides).endpoint(10, 0, 1 << 5)
  d.send('deposit', 10, { amountMicros: usd(1) })
  return d
}
