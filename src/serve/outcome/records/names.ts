import { createHash } from 'node:crypto'
import { NONE } from '../../../unit/none.ts'
import { type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import {
  ChallengeMade, CredentialRow, OperationRow, OutcomeEvent, type OutcomeKind, PositionOpened, PositionRow, QuoteCreated, RfqRow, SaleRow,
} from '../../../venue/outcome/protocol/events.ts'
import type { WireIdentity } from '../../../venue/outcome/wire/identity.ts'
import type { GivenCredentials } from '../../../venue/outcome/wire/keyText.ts'
import { CredentialEnds } from '../../credentialEnds.ts'
import type { RfqRecord } from './rfqs.ts'

/** Tokens are found by their hash, so that how long a look-up takes tells nothing about a token. */
const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/** Numbers by the names that clients use. Names are functions of numbers and cannot be turned round, so each is entered when it can be named. */
export class KnownNames implements GivenCredentials {
  private readonly rfqs = new Map<string, number>()
  private readonly quotes = new Map<string, number>()
  private readonly positions = new Map<string, number>()
  private readonly operations = new Map<string, number>()
  private readonly challenges = new Map<string, number>()
  private readonly keys = new Map<string, number>()
  private readonly sessions = new Map<string, number>()
  private readonly accounts = new Map<string, number>()
  /** By credential. */
  private readonly holders = new Map<number, number>()
  private readonly ends = new CredentialEnds()
  private readonly outcomes: ReadonlyMap<string, number>
  private declare readonly identity: WireIdentity
  private declare readonly kept: ReadonlySet<number>

  /**
   * @param kept accounts of clients, whose credentials and operations are known.
   * @param outcomeIds by number.
   */
  constructor(identity: WireIdentity, kept: ReadonlySet<number>, outcomeIds: readonly string[]) {
    this.identity = identity
    this.kept = kept
    for (const account of kept) this.accounts.set(identity.account(account), account)
    this.outcomes = new Map(outcomeIds.map((id, outcome) => [id, outcome]))
  }

  take(events: EventRows, row: Row): void {
    const { identity } = this
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.rfqCreated: return enter(this.rfqs, events.read(rowOfKind(row, kind), RfqRow.rfq), (rfq) => identity.rfq(rfq))
      case OutcomeEvent.quoteCreated: return enter(this.quotes, events.read(rowOfKind(row, kind), QuoteCreated.quote), (quote) => identity.quote(quote))
      case OutcomeEvent.positionOpened: return enter(this.positions, events.read(rowOfKind(row, kind), PositionOpened.position), (position) => identity.position(position))
      case OutcomeEvent.positionSettled: return void this.positions.delete(identity.position(events.read(rowOfKind(row, kind), PositionRow.position)))
      case OutcomeEvent.positionClosed: return void this.positions.delete(identity.position(events.read(rowOfKind(row, kind), SaleRow.position)))
      case OutcomeEvent.operationStarted: {
        const started = rowOfKind(row, kind)
        if (!this.kept.has(events.read(started, OperationRow.account)) && !this.kept.has(events.read(started, OperationRow.maker))) return
        return enter(this.operations, events.read(started, OperationRow.operation), (operation) => identity.operation(operation))
      }
      case OutcomeEvent.challengeMade: {
        const made = rowOfKind(row, kind)
        if (!this.kept.has(events.read(made, ChallengeMade.account))) return
        return enter(this.challenges, events.read(made, ChallengeMade.challenge), (challenge) => identity.challenge(challenge))
      }
      case OutcomeEvent.keyIssued: return this.hold(events, rowOfKind(row, kind), this.keys, (key) => identity.apiKey(key))
      case OutcomeEvent.keyRevoked: case OutcomeEvent.keyExpired: case OutcomeEvent.sessionEnded:
        return this.ends.ended(events.read(rowOfKind(row, kind), CredentialRow.credential), events.read(row, EventCell.atUs))
      case OutcomeEvent.sessionStarted: return this.hold(events, rowOfKind(row, kind), this.sessions, (session) => digestOf(identity.accessToken(session)))
      default:
    }
  }

  private hold(events: EventRows, held: Row<KindOf<typeof CredentialRow>>, names: Map<string, number>, nameOf: (credential: number) => string): void {
    const account = events.read(held, CredentialRow.account)
    if (!this.kept.has(account)) return
    const credential = events.read(held, CredentialRow.credential)
    this.holders.set(credential, account)
    enter(names, credential, nameOf)
  }

  rfqForgotten(rfq: RfqRecord): void {
    this.rfqs.delete(this.identity.rfq(rfq.number))
    for (const quote of rfq.quotes) this.quotes.delete(this.identity.quote(quote))
  }

  /** Each is −1 for a name that nobody knows. */
  rfq(id: string): number {
    return this.rfqs.get(id) ?? NONE
  }

  quote(id: string): number {
    return this.quotes.get(id) ?? NONE
  }

  /** Of a position that has not ended. */
  position(id: string): number {
    return this.positions.get(id) ?? NONE
  }

  operation(id: string): number {
    return this.operations.get(id) ?? NONE
  }

  challenge(id: string): number {
    return this.challenges.get(id) ?? NONE
  }

  key(id: string): number {
    return this.keys.get(id) ?? NONE
  }

  /** Of a client's account. */
  account(id: string): number {
    return this.accounts.get(id) ?? NONE
  }

  outcome(id: string): number {
    return this.outcomes.get(id) ?? NONE
  }

  keyOfId(keyId: string): number | undefined {
    return this.keys.get(keyId)
  }

  sessionOfToken(accessToken: string): number | undefined {
    return this.sessions.get(digestOf(accessToken))
  }

  /** Keys and sessions of clients, in the order in which they were given out. */
  credentials(): Iterable<number> {
    return this.holders.keys()
  }

  /** Whose a credential is that was given out; −1 for every other. */
  holderOf(credential: number): number {
    return this.holders.get(credential) ?? NONE
  }

  /** Whether a credential had ended by an instant of the session, µs. */
  hasEnded(credential: number, atUs: number): boolean {
    return this.ends.hasEnded(credential, atUs)
  }
}

function enter(names: Map<string, number>, number: number, nameOf: (number: number) => string): void {
  names.set(nameOf(number), number)
}
