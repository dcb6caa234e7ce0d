import { NONE } from '../../../src/unit/none.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { outcomeGate, type OutcomeGate } from '../../../src/venue/outcome/gate/gate.ts'
import { needsKey } from '../../../src/venue/outcome/protocol/access.ts'
import { OpenStream, OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import { OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { cheapTermsTag, SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import type { OutcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { type ScriptRow, VenueDouble } from './gateVenue.ts'
import { type NamedRow, namedRow } from './namedRow.ts'

/** Time zero of every test, a round instant of June 2025. */
export const T0 = 1_750_000_000_000_000
export const sec = (n: number): number => n * 1_000_000
export const MINUTE = sec(60)
export const DAY = sec(86_400)

/** Accounts of the tests: a participant, another, a maker, another, one that is not bound. */
export const TAKER = 1
export const OTHER = 2
export const MAKER = 20
export const RIVAL = 21
export const UNBOUND = 40

/** An event row by the names of its kind, without a cause where there was none; its instants count from T0. */
export type GateRow = NamedRow

/** Fields of the command that a test names. */
export type Fields = Partial<Omit<OutcomeCommand, 'reset' | 'leg' | 'item' | 'legOutcomes' | 'legSides' | 'list'>> & {
  /** Outcome, side pairs. */
  legs?: readonly (readonly [outcome: number, side: number])[]
  items?: readonly number[]
}

export type OpName = keyof typeof OutcomeOp

/**
 * A gate on a bench before a venue that does as it is told; rows by name, time as an offset from T0. The rows are cleared between
 * calls, as the engine does. Commands that need a key get a new one, streams their subprotocol, unless a test says otherwise.
 */
export class GateDriver {
  readonly sequence = { next: 1 }
  readonly events = new EventRows(this.sequence, 2)
  readonly venue: VenueDouble
  readonly gate: OutcomeGate
  readonly command = new OutcomeCommand()
  now = 0
  seq = 0
  /** The key that was given last. */
  lastKey = 0
  /** Rows of the last command or pulse, and their sequence numbers. */
  rows: GateRow[] = []
  seqs: number[] = []

  constructor(overrides: Partial<OutcomeGateProfile> = {}, venueOf?: (events: EventRows) => OutcomeVenue) {
    this.venue = new VenueDouble(this.events)
    this.gate = outcomeGate(venueOf?.(this.events) ?? this.venue, profileOf(OUTCOME_GATE_SETTINGS, overrides), this.events)
  }

  get view() {
    return this.gate.gateView
  }

  at(offsetUs: number): this {
    this.now = offsetUs
    return this
  }

  /** Sends a command with the app's own sign-in, unless `fields` names a credential; its reply, or undefined while it waits. */
  send(op: OpName | number, account: number, fields: Fields = {}): GateRow | undefined {
    const c = this.command.reset(typeof op === 'number' ? op : OutcomeOp[op], account)
    if (needsKey(c.op)) c.key = ++this.lastKey
    if (c.op === OutcomeOp.openStream) Object.assign(c, { [OpenStream.channels]: 1, [OpenStream.flags]: 0 })
    if (c.op === OutcomeOp.openStream || c.op === OutcomeOp.openMarketStream) c.version = 1
    const { legs = [], items = [], ...numbers } = fields
    Object.assign(c, numbers)
    for (const [outcome, side] of legs) c.leg(outcome, side)
    for (const item of items) c.item(item)
    c.seq = ++this.seq
    this.run(() => this.gate.apply(T0 + this.now, c))
    return this.rows.find((row) => row.event === 'reply' && row['cause'] === this.seq)
  }

  /** Name of the reply's code. */
  code(op: OpName | number, account: number, fields: Fields = {}): string | number | undefined {
    return this.send(op, account, fields)?.code
  }

  pulse(offsetUs: number): GateRow[] {
    this.now = offsetUs
    return this.run(() => this.gate.pulse(T0 + offsetUs))
  }

  /** The operator's next command, at the present instant, makes these rows of the venue. */
  happen(...rows: ScriptRow[]): this {
    this.venue.next = rows
    this.send('setFees', 0)
    return this
  }

  /** A deadline of the venue at `offsetUs` makes these rows. */
  plan(offsetUs: number, ...rows: ScriptRow[]): this {
    this.venue.dueUs = T0 + offsetUs
    this.venue.due = rows
    return this
  }

  /** Signs in with a wallet: the session's number. */
  session(account: number, origin = 0): number {
    return this.send('signIn', account, { origin })!['credential'] as number
  }

  /** The fields of a request for a key, with the owner's signature under challenge `challenge`. */
  signed(account: number, challenge: number, request: KeyRequest): Fields {
    const terms = new SignedTerms().reset(TermsKind.keyIssue, account)
    const { value = NONE, validMs = NONE, expiryDays = NONE } = request
    Object.assign(terms, { challenge, value, payoutMicros: validMs, expiryS: expiryDays })
    return { ...request, challenge, signer: account, termsTag: cheapTermsTag(terms), origin: 0 }
  }

  /** Issues a key with the app's sign-in: its number. */
  issue(account: number, scopes: number, expiryDays = NONE): number {
    const request = { validMs: 5, value: scopes, value2: 1, expiryDays }
    const challenge = this.send('challengeKey', account, request)!['challenge'] as number
    return this.send('issueKey', account, this.signed(account, challenge, request))!['credential'] as number
  }

  /** Opens a stream: its number. */
  stream(account: number, fields: Fields = {}): number {
    return this.send('openStream', account, fields)!['stream'] as number
  }

  of(event: keyof typeof OutcomeEvent): GateRow[] {
    return this.rows.filter((row) => row.event === event)
  }

  names(): string[] {
    return this.rows.map((row) => (row.event === 'reply' ? `reply ${row.code}` : row.event))
  }

  run(what: () => void): GateRow[] {
    what()
    this.rows = Array.from({ length: this.events.count }, (_, row) => this.rowAt(row))
    this.seqs = Array.from({ length: this.events.count }, (_, i) => this.events.read(this.events.row(i), EventCell.seq))
    this.events.clear()
    return this.rows
  }

  private rowAt(index: number): GateRow {
    const row = this.events.row(index)
    const cause = this.events.read(row, EventCell.cause)
    return { ...namedRow(this.events, row, T0), ...(cause === NONE ? {} : { cause }) }
  }
}

/** What a request for a key says: scope mask, scopes as sent, label length, days. */
export type KeyRequest = Pick<Fields, 'value' | 'value2' | 'validMs' | 'expiryDays'>
