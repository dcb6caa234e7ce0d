import { assert } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { FIRST_GATE_OP, type Venue } from '../../contract.ts'
import { type EventRows } from '../../eventRows.ts'
import { GateMachine } from '../../gateMachine.ts'
import { Credential, READ_ROUTES } from '../protocol/access.ts'
import { ParlayCode } from '../protocol/codes.ts'
import { type ParlayCommand, ParlayOp, Read } from '../protocol/commands.ts'
import type { ParlayGateProfile, ParlayGateView } from '../protocol/gate.ts'
import type { ParlayView } from '../protocol/view.ts'
import type { ParlayVenue } from '../venue.ts'
import { createKey, keyExpiryDue, revokeKey, scopeNeeded, scopesHeld } from './credentials.ts'
import { answerDelivery, deliveryDue, deliveryEvictionDue, redeliver } from './deliveries.ts'
import { setDeliveries } from './deliverySwitches.ts'
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
 * A gate around `venue`. `events` must be the rows that the venue writes to. Rows of the venue become webhook deliveries, and
 * the gate's rows stand among them. `events` may be cleared between calls, never during a call.
 */
export const parlayGate = (venue: ParlayVenue, profile: ParlayGateProfile, events: EventRows): ParlayGate =>
  new ParlayGateMachine(venue, new GateState(profile, events))

class ParlayGateMachine extends GateMachine<ParlayCommand, ParlayVenue, GateState> implements ParlayGate {
  declare readonly view: ParlayView
  declare readonly gateView: ParlayGateView

  constructor(venue: ParlayVenue, state: GateState) {
    super(venue, state)
    this.view = venue.view
    this.gateView = new GateStateView(state)
  }

  protected override operate(c: ParlayCommand): void {
    this.s.limits.begin()
    if (c.op === ParlayOp.setDeliveries) return setDeliveries(this.s, c)
    this.handOn(c)
  }

  protected override check(c: ParlayCommand): void {
    const { s } = this
    s.limits.begin()
    if (c.op === ParlayOp.closeStream) return closeStream(s, c)
    if (c.op === ParlayOp.answerDelivery) return c.account === WORLD ? answerDelivery(s, c) : reply(s, c, ParlayCode.forbidden)
    const held = scopesHeld(s, c.account, c.credential)
    if (!passesLimits(s, c, held !== NONE)) return
    if (isPublicRead(c)) return reply(s, c, ParlayCode.ok)
    if (held === NONE) return reply(s, c, c.credential === Credential.wrongType ? ParlayCode.wrongApiKeyType : ParlayCode.unauthorized)
    if (c.op === ParlayOp.read && !isRoute(c[Read.route])) return reply(s, c, ParlayCode.invalid)
    if ((scopeNeeded(c) & ~held) !== 0) return reply(s, c, ParlayCode.insufficientScope)
    this.admit(c, held)
  }

  private admit(c: ParlayCommand, held: number): void {
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

  /** The venue's rows become webhook deliveries. */
  protected override take(from: number): void {
    queueNews(this.s, from)
  }

  protected override runDeadline(rank: number, number: number): void {
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
