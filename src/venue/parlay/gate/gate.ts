import { assert } from '../../../unit/assert.ts'
import type { Image } from '../../../unit/snapshot.ts'
import { NEVER_US } from '../../../unit/time.ts'
import type { Venue } from '../../contract.ts'
import { type EventRows, NONE } from '../../eventRows.ts'
import { Credential, READ_ROUTES } from '../protocol/access.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { FIRST_GATE_OP, FIRST_PARTICIPANT_OP, type ParlayCommand, ParlayOp } from '../protocol/commands.ts'
import type { ParlayGateProfile, ParlayGateView } from '../protocol/gate.ts'
import type { ParlayView } from '../protocol/view.ts'
import type { ParlayVenue } from '../venue.ts'
import { createKey, keyExpiryDue, revokeKey, scopeNeeded, scopesHeld } from './credentials.ts'
import { answerDelivery, deliveryDue, deliveryEvictionDue, redeliver } from './deliveries.ts'
import { rotateSecret, setEndpoint } from './endpoints.ts'
import { isPublicRead, passesLimits } from './limits.ts'
import { queueNews } from './news.ts'
import { reply } from './rows.ts'
import { GateRank, GateState } from './state.ts'
import { closeStream, openStream } from './streams.ts'
import { GateStateView } from './view.ts'

/** Account of the commands that the world sends. */
const WORLD = -1

/** The parlay service behind its gate: keys, scopes, limits, streams and webhooks (docs/conformance/parlay-gate.md). */
export interface ParlayGate extends Venue<ParlayCommand> {
  /** The venue's. */
  readonly view: ParlayView
  readonly gateView: ParlayGateView
}

/**
 * A gate around `venue`. `events` is the one that the venue writes to: rows of the venue become webhook deliveries, and
 * the gate's rows stand among them. It may be cleared between calls, never during one.
 */
export const parlayGate = (venue: ParlayVenue, profile: ParlayGateProfile, events: EventRows): ParlayGate =>
  new GateMachine(venue, new GateState(profile, events))

class GateMachine implements ParlayGate {
  declare readonly view: ParlayView
  declare readonly gateView: ParlayGateView
  private declare readonly venue: ParlayVenue
  private declare readonly s: GateState

  constructor(venue: ParlayVenue, state: GateState) {
    this.venue = venue
    this.s = state
    this.view = venue.view
    this.gateView = new GateStateView(state)
  }

  apply(nowUs: number, command: ParlayCommand): void {
    const { s } = this
    assert(Number.isSafeInteger(nowUs) && nowUs >= s.nowUs, 'time falls')
    const isOperators = command.op < FIRST_PARTICIPANT_OP
    this.runDeadlines(isOperators ? nowUs - 1 : nowUs)
    s.nowUs = nowUs
    s.cause = command.seq
    s.limits.begin()
    if (isOperators) this.handOn(command)
    else this.check(command)
    s.cause = NONE
  }

  pulse(nowUs: number): void {
    const { s } = this
    assert(Number.isSafeInteger(nowUs) && nowUs >= s.nowUs, 'time falls')
    this.runDeadlines(nowUs)
    s.nowUs = nowUs
    this.venue.pulse(nowUs)
  }

  nextDeadlineUs(): number {
    return Math.min(this.venue.nextDeadlineUs(), this.s.deadlines.nextUs())
  }

  stateHash(): string {
    return this.s.hash(this.venue.stateHash())
  }

  snapshot(): Image {
    return { venue: this.venue.snapshot(), gate: this.s.snapshot() }
  }

  restore(image: Image): void {
    const { venue, gate } = image as { readonly venue: Image; readonly gate: Image }
    this.venue.restore(venue)
    this.s.restore(gate)
  }

  /** Answers the participant's or the world's command that fails a check; plays the others. */
  private check(c: ParlayCommand): void {
    const { s } = this
    if (c.op === ParlayOp.closeStream) return closeStream(s, c)
    if (c.op === ParlayOp.answerDelivery) return c.account === WORLD ? answerDelivery(s, c) : reply(s, c, ParlayCode.forbidden)
    const held = scopesHeld(s, c.account, c.credential)
    if (!passesLimits(s, c, held !== NONE)) return
    if (isPublicRead(c)) return reply(s, c, ParlayCode.ok)
    if (held === NONE) return reply(s, c, c.credential === Credential.wrongType ? ParlayCode.wrongApiKeyType : ParlayCode.unauthorized)
    if (c.op === ParlayOp.read && !isRoute(c.value)) return reply(s, c, ParlayCode.invalid)
    if ((scopeNeeded(c) & ~held) !== 0) return reply(s, c, ParlayCode.insufficientScope)
    this.play(c, held)
  }

  private play(c: ParlayCommand, held: number): void {
    const { s } = this
    switch (c.op) {
      case ParlayOp.createKey: return createKey(s, c, held)
      case ParlayOp.revokeKey: return revokeKey(s, c)
      case ParlayOp.setEndpoint: return setEndpoint(s, c)
      case ParlayOp.rotateSecret: return rotateSecret(s, c)
      case ParlayOp.redeliver: return redeliver(s, c)
      case ParlayOp.openStream: return openStream(s, c)
      case ParlayOp.read: return reply(s, c, ParlayCode.ok)
      default: return c.op >= FIRST_GATE_OP ? reply(s, c, ParlayCode.invalid) : this.handOn(c)
    }
  }

  private handOn(c: ParlayCommand): void {
    const { s } = this
    const from = s.events.count
    this.venue.apply(s.nowUs, c)
    queueNews(s, from)
  }

  /** Runs every deadline at or before `untilUs`, each at its own time, at one instant the venue's before the gate's. */
  private runDeadlines(untilUs: number): void {
    const { s, venue } = this
    const { deadlines, events } = s
    for (;;) {
      const venueUs = venue.nextDeadlineUs()
      const ownUs = deadlines.nextUs()
      const nextUs = Math.min(venueUs, ownUs)
      if (nextUs > untilUs || nextUs === NEVER_US) return
      if (venueUs === nextUs) {
        s.nowUs = venueUs
        const from = events.count
        venue.pulse(venueUs)
        queueNews(s, from)
      } else {
        s.nowUs = ownUs
        const { rank, number } = deadlines
        deadlines.pop()
        this.runDeadline(rank, number)
      }
    }
  }

  private runDeadline(rank: number, number: number): void {
    const { s } = this
    switch (rank) {
      case GateRank.keyExpiry: return keyExpiryDue(s, number)
      case GateRank.delivery: return deliveryDue(s, number)
      case GateRank.eviction: return deliveryEvictionDue(s, number)
      default: assert(false, `unknown deadline rank ${rank}`)
    }
  }
}

const isRoute = (route: number): boolean => Number.isInteger(route) && route >= 0 && route < READ_ROUTES
