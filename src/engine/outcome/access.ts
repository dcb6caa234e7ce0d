import { NONE } from '../../unit/none.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { FIRST_PARTICIPANT_OP } from '../../venue/contract.ts'
import { type KindOf, type Row, rowAs, rowOfKind } from '../../venue/eventCells.ts'
import { type EventRows } from '../../venue/eventRows.ts'
import { ChannelBit, Credential, SCOPES_OF_ROLE, SUBPROTOCOL } from '../../venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../venue/outcome/protocol/codes.ts'
import {
  AccountRole, CloseStream, IssueKey, OpenStream, type OutcomeCommand, OutcomeOp, RevokeKey, SignIn,
} from '../../venue/outcome/protocol/commands.ts'
import {
  ChallengeReply, CredentialReply, KeyChanged, OutcomeEvent, type OutcomeKind, Reply, StreamClosed, StreamOpened,
} from '../../venue/outcome/protocol/events.ts'
import type { OutcomeGateView } from '../../venue/outcome/protocol/gate.ts'
import { KeyIssueTerms, SignedTerms, type TermsDigest, TermsKind } from '../../venue/outcome/protocol/terms.ts'
import type { OutcomeGateConfig } from '../config.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { StreamMessage } from '../messageCells.ts'
import { MessageKind, MessageWord } from '../messages.ts'
import type { Seat } from '../seat.ts'
import type { Transit } from '../transit.ts'
import type { OutcomeEnricher } from './enricher.ts'
import { REPEAT_MIN_US } from './retries.ts'

/** What a `stream` message is for, in its `index`: the next change of the maker's connection, another try, the end of the session. */
const Change = { connection: NONE, again: 1, last: 2 } as const
const LABEL_LENGTH = 8

/** Where a session's commands about access are written and sent; `message` is the one that caused it, or −1. */
export interface OutcomeAccessPort {
  readonly command: OutcomeCommand
  readonly send: (message: number) => void
}

/**
 * How the participants of a session use the outcome gate. An account signs in with its wallet, has a key issued for all scopes of its role,
 * signs out and acts with the key. Some time after its expiry it gets the next key. Makers hold the account and the maker channel in one
 * stream while their connection is up. All of this goes on until the operator's last input, when every market is over. Then streams are
 * closed and keys that will expire are revoked, so that no row comes after the last trading row.
 */
export class OutcomeAccess implements Snapshot {
  private declare readonly gate: OutcomeGateConfig
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly enricher: OutcomeEnricher
  private declare readonly digest: TermsDigest
  private declare readonly port: OutcomeAccessPort
  private declare readonly gateView: OutcomeGateView
  private declare readonly untilUs: number
  private readonly terms = new SignedTerms()
  /** Number of the key that an account uses; before it has one, none. */
  private declare readonly keys: Float64Array
  /** Number of each seat's open stream, or −1. Clients from outside may open others. */
  private declare readonly streams: Float64Array
  /** Whether a client from outside that holds the seat has left it. */
  private declare readonly isAway: boolean[]
  /** Whether the stream that opens is that of a seat. */
  private isOpening = false
  /** What the gate's last reply to an account said: its code, and the newest challenge or credential. */
  private lastCode: number = OutcomeCode.ok
  private lastNumber = NONE
  /** The credential of the command that is being written, and its origin. */
  private credential: number = Credential.none
  private isLeaving = false

  constructor(parts: {
    gate: OutcomeGateConfig; rows: EventRows; transit: Transit; makers: MakerSeats; enricher: OutcomeEnricher; digest: TermsDigest; port: OutcomeAccessPort
    gateView: OutcomeGateView; accountCount: number; untilUs: number
  }) {
    this.gate = parts.gate
    this.rows = parts.rows
    this.transit = parts.transit
    this.makers = parts.makers
    this.enricher = parts.enricher
    this.digest = parts.digest
    this.port = parts.port
    this.gateView = parts.gateView
    this.untilUs = parts.untilUs
    this.keys = new Float64Array(parts.accountCount).fill(Credential.none)
    this.streams = new Float64Array(parts.makers.seats.length).fill(NONE)
    this.isAway = parts.makers.seats.map(() => false)
  }

  /** Has a key issued for an account, by its wallet. Precondition: the account has its role. */
  makeKey(account: number): void {
    const { gate, port: { command } } = this
    const expiryDays = gate.keys.lifeDays > 0 ? gate.keys.lifeDays : NONE
    const scopes = SCOPES_OF_ROLE[this.makers.seatOf(account) >= 0 ? AccountRole.maker : AccountRole.participant]!
    const origin = this.signIn(account)
    if (origin === NONE) return
    for (const op of [OutcomeOp.challengeKey, OutcomeOp.issueKey]) {
      const challenge = this.lastNumber
      command.reset(op, account)
      command[IssueKey.scopes] = scopes
      command[IssueKey.scopeCount] = bitCount(scopes)
      command.validMs = LABEL_LENGTH
      command.expiryDays = expiryDays
      if (op === OutcomeOp.issueKey) this.signIssue(command, challenge)
      if (!this.called(origin)) break
      if (op === OutcomeOp.issueKey) this.keys[account] = this.lastNumber
    }
    this.signOut(account, origin)
  }

  /** Begins a session, by which the account acts from now on, and returns its origin; −1 when it was refused. */
  private signIn(account: number): number {
    const { command } = this.port
    const origin = account % this.gate.profile.allowedOrigins
    command.reset(OutcomeOp.signIn, account)
    command[SignIn.recordedOrigin] = origin
    if (!this.called(origin)) return NONE
    this.credential = this.lastNumber
    return origin
  }

  /** Ends the session that signIn began. */
  private signOut(account: number, origin: number): void {
    this.port.command.reset(OutcomeOp.signOut, account)
    this.called(origin)
    this.credential = Credential.none
  }

  /** Precondition: the account has a key. */
  private revokeKey(account: number): void {
    const { command } = this.port
    const origin = this.signIn(account)
    if (origin === NONE) return
    command.reset(OutcomeOp.revokeKey, account)
    command[RevokeKey.keyNumber] = this.keys[account]!
    this.called(origin)
    this.signOut(account, origin)
  }

  /** Sends the command and says whether it was taken. */
  private called(origin: number): boolean {
    this.port.command.origin = origin
    this.port.send(NONE)
    return this.lastCode === OutcomeCode.ok
  }

  private signIssue(command: OutcomeCommand, challenge: number): void {
    const terms = this.terms.reset(TermsKind.keyIssue, command.account)
    terms.challenge = command.challenge = challenge
    terms[KeyIssueTerms.scopes] = command[IssueKey.scopes]
    terms.payoutMicros = LABEL_LENGTH
    terms.expiryS = command.expiryDays
    command.signer = command.account
    command.termsTag = this.digest(terms)
    command.key = this.enricher.freshKey(command.account)
  }

  /** Opens the streams that makers do not open themselves. Precondition: keys have been made. */
  open(): void {
    const { messages, nowUs } = this.transit
    for (const seat of this.makers.seats) {
      this.followConnection(seat)
      this.planChange(seat)
    }
    const slot = messages.take(MessageKind.stream, NONE)
    messages.cells[slot + StreamMessage.change] = Change.last
    this.transit.send(slot, Math.max(0, this.untilUs - nowUs))
  }

  /** The operator's last input has come. */
  private leave(): void {
    this.isLeaving = true
    for (const seat of this.makers.seats) this.followConnection(seat)
    if (this.gate.keys.lifeDays === 0) return
    for (let account = 0; account < this.keys.length; account++) if (this.keys[account] !== Credential.none) this.revokeKey(account)
  }

  /** Puts its account's credential on a command; the operator has none, and deposits are no calls. */
  authorize(command: OutcomeCommand): void {
    if (command.op < FIRST_PARTICIPANT_OP || command.op === OutcomeOp.deposit) return
    command.source = command.account + 1
    command.credential = this.credential === Credential.none ? this.keys[command.account]! : this.credential
    if (command.op === OutcomeOp.signIn) command.credential = Credential.none
  }

  /** `row` answers a command of the gate's own. */
  replied(row: Row<KindOf<typeof Reply>>, op: number, code: number): void {
    const { rows } = this
    this.lastCode = code
    const isTaken = code === OutcomeCode.ok
    if (isTaken && op === OutcomeOp.challengeKey) this.lastNumber = rows.read(rowAs(ChallengeReply, row), ChallengeReply.challenge)
    else if (isTaken && (op === OutcomeOp.signIn || op === OutcomeOp.issueKey)) this.lastNumber = rows.read(rowAs(CredentialReply, row), CredentialReply.credential)
    const seat = this.makers.seatOf(rows.read(row, Reply.account))
    if (op === OutcomeOp.openStream && seat >= 0 && !isTaken) this.planAgain(seat)
  }

  /** `row` is one of the gate's, of `kind`. */
  route(row: Row, kind: OutcomeKind): void {
    switch (kind) {
      case OutcomeEvent.keyExpired: return this.keyExpired(rowOfKind(row, kind))
      case OutcomeEvent.streamOpened: return this.streamOpened(rowOfKind(row, kind))
      case OutcomeEvent.streamClosed: return this.streamClosed(rowOfKind(row, kind))
    }
  }

  private keyExpired(row: Row<KindOf<typeof KeyChanged>>): void {
    if (this.keys[this.rows.read(row, KeyChanged.account)] !== this.rows.read(row, KeyChanged.credential)) return
    this.planRenewal(this.rows.read(row, KeyChanged.account), Math.max(1, this.gate.keys.renewAfterUs))
  }

  private streamOpened(row: Row<'outcome.streamOpened'>): void {
    const seat = this.makers.seats[this.makers.seatOf(this.rows.read(row, StreamOpened.account))]
    if (seat?.entry.opensOwnStreams === true) return this.followStreams(seat)
    if (!this.isOpening) return
    seat!.live = true
    this.streams[seat!.book.seat] = this.rows.read(row, StreamOpened.stream)
  }

  private streamClosed(row: Row<'outcome.streamClosed'>): void {
    const owner = this.makers.seats[this.makers.seatOf(this.rows.read(row, StreamClosed.account))]
    if (owner?.entry.opensOwnStreams === true) return this.followStreams(owner)
    const seat = this.makers.seats[this.streams.indexOf(this.rows.read(row, StreamClosed.stream))]
    if (seat === undefined) return
    seat.live = false
    this.streams[seat.book.seat] = NONE
    // Nothing is planned when the maker closed the stream itself, or when its key ended, which the maker replaces first.
    const reason = this.rows.read(row, StreamClosed.reason)
    if (reason !== OutcomeCode.ok && reason !== OutcomeCode.authorizationRevoked) this.planAgain(seat.book.seat)
  }

  /** A client has opened or lost a stream of the seat: the maker is reached as long as one of them has the maker channel. */
  private followStreams(seat: Seat): void {
    const { gateView } = this
    seat.live = gateView.streamsOf(seat.account).some((number) => (gateView.stream(number)!.channels & ChannelBit.maker) !== 0)
  }

  /** Hands over a due message of a gate's kind. */
  receive(message: number, kind: number): void {
    const { words, cells } = this.transit.messages
    if (kind === MessageKind.keyRenewal) return this.renew(words[message + MessageWord.account]!)
    const change = cells[message + StreamMessage.change]!
    if (change === Change.last) return this.leave()
    const seat = this.makers.seats[words[message + MessageWord.target]!]!
    this.followConnection(seat)
    if (change === Change.connection) this.planChange(seat)
  }

  /** `delayByUs` is at least 1. */
  private planRenewal(account: number, delayByUs: number): void {
    const { messages, nowUs } = this.transit
    if (nowUs + delayByUs >= this.untilUs) return
    const slot = messages.take(MessageKind.keyRenewal, NONE)
    messages.words[slot + MessageWord.account] = account
    this.transit.send(slot, delayByUs)
  }

  /** Another key; a stream that closed with the former one is opened again. */
  private renew(account: number): void {
    const former = this.keys[account]
    this.makeKey(account)
    if (this.keys[account] === former) return this.planRenewal(account, Math.max(REPEAT_MIN_US, this.gate.keys.renewAfterUs))
    const seat = this.makers.seats[this.makers.seatOf(account)]
    if (seat !== undefined) this.followConnection(seat)
  }

  /** The client of an account from outside has left the session, or is back: its maker's stream goes with it. */
  followClient(account: number, isHere: boolean): void {
    const seat = this.makers.seats[this.makers.seatOf(account)]
    if (seat === undefined) return
    this.isAway[seat.book.seat] = !isHere
    this.followConnection(seat)
  }

  /** Opens or closes the maker's stream, as its connection is now. A client that opens its own does that itself. */
  private followConnection(seat: Seat): void {
    if (seat.entry.opensOwnStreams === true) return
    const { command, send } = this.port
    const stream = this.streams[seat.book.seat]!
    // The connection is asked first: its next change is planned from what it says now.
    const isWanted = seat.connection.isOpen(this.transit.nowUs) && !this.isLeaving && !this.isAway[seat.book.seat]!
    if (isWanted === stream >= 0) return
    command.reset(isWanted ? OutcomeOp.openStream : OutcomeOp.closeStream, seat.account)
    if (isWanted) {
      command[OpenStream.channels] = ChannelBit.account | ChannelBit.maker
      command[OpenStream.flags] = 0
      command.version = SUBPROTOCOL
    } else command[CloseStream.stream] = stream
    this.isOpening = isWanted
    send(NONE)
    this.isOpening = false
  }

  /** Plans the next change of the maker's stream, after the spell of its connection that `followConnection` found. */
  private planChange({ connection, book }: Seat): void {
    const { messages, nowUs } = this.transit
    const atUs = connection.spellEndsUs
    if (atUs < this.untilUs) this.transit.send(messages.take(MessageKind.stream, book.seat), atUs - nowUs)
  }

  private planAgain(seat: number): void {
    const { messages, nowUs } = this.transit
    const delayByUs = Math.max(REPEAT_MIN_US, this.gate.retries.backoffUs)
    if (nowUs + delayByUs >= this.untilUs) return
    const slot = messages.take(MessageKind.stream, seat)
    messages.cells[slot + StreamMessage.change] = Change.again
    this.transit.send(slot, delayByUs)
  }

  snapshot(): Image {
    return {
      keys: this.keys.slice(), streams: this.streams.slice(), isAway: [...this.isAway], live: this.makers.seats.map(({ live }) => live === true), isLeaving: this.isLeaving,
    }
  }

  restore(image: Image): void {
    const from = image as unknown as { keys: Float64Array; streams: Float64Array; isAway: readonly boolean[]; live: readonly boolean[]; isLeaving: boolean }
    this.keys.set(from.keys)
    this.streams.set(from.streams)
    from.isAway.forEach((isAway, seat) => { this.isAway[seat] = isAway })
    this.makers.seats.forEach((seat, i) => { seat.live = from.live[i]! })
    this.isLeaving = from.isLeaving
  }
}

function bitCount(mask: number): number {
  let count = 0
  for (let left = mask; left > 0; left >>= 1) count += left & 1
  return count
}
