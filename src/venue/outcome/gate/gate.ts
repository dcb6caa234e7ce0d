import { assert } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { EventCell, type EventRows } from '../../eventRows.ts'
import { GateMachine } from '../../gateMachine.ts'
import { SetFault } from '../../contract.ts'
import { GateFault, needsKey, ReadRoute, SCOPE_OF_OP, SCOPE_OF_READ, SUBPROTOCOL } from '../protocol/access.ts'
import { InvalidField, OutcomeCode } from '../protocol/codes.ts'
import { ACCOUNT_MAX, AccountRole, isIdempotencyKey, type OutcomeCommand, OutcomeOp, Read } from '../protocol/commands.ts'
import { OutcomeEvent } from '../protocol/events.ts'
import type { OutcomeGateProfile, OutcomeGateView } from '../protocol/gate.ts'
import { cheapTermsTag, type TermsDigest } from '../protocol/terms.ts'
import type { OutcomeView } from '../protocol/view.ts'
import type { OutcomeVenue } from '../venue.ts'
import { credentialDue, credentialForgettingDue, refusalOfCredential, revokeKey, scopesHeld, signIn, signOut } from './credentials.ts'
import { drain, isGateFault, isOn, refusalOfFault, resnapshot, setGateFault } from './faults.ts'
import { contentOf, forgettingDue, rememberAnswers, replay } from './idempotency.ts'
import { challengeForgettingDue, challengeKey, issueKey } from './keys.ts'
import { passesLimits } from './limits.ts'
import { isPublicRead, isRoute, read } from './reads.ts'
import { reply, replyInvalid } from './rows.ts'
import { GateRank, GateState } from './state.ts'
import { applyStream, closeStream, heartbeatDue, openMarketStream, openStream, publish } from './streams.ts'
import { GateStateView } from './view.ts'

/** Account of the commands that the world sends. */
const WORLD = -1

/** The outcome service behind its gate: credentials, scopes, limits, idempotency, streams (docs/conformance/outcome-gate.md). */
export interface OutcomeGate extends OutcomeVenue {
  readonly gateView: OutcomeGateView
}

/**
 * A gate around `venue`. `events` must be the rows that the venue writes to. The venue's rows become events of streams, and the
 * gate's rows stand among them. `events` may be cleared between calls, never during a call. `digest` is the fingerprint of terms
 * with which keys are issued.
 */
export const outcomeGate = (
  venue: OutcomeVenue, profile: OutcomeGateProfile, events: EventRows, digest: TermsDigest = cheapTermsTag,
): OutcomeGate => new OutcomeGateMachine(venue, new GateState(venue.view, profile, events, digest))

class OutcomeGateMachine extends GateMachine<OutcomeCommand, OutcomeVenue, GateState> implements OutcomeGate {
  declare readonly view: OutcomeView
  declare readonly gateView: OutcomeGateView

  constructor(venue: OutcomeVenue, state: GateState) {
    super(venue, state)
    this.view = venue.view
    this.gateView = new GateStateView(state)
  }

  protected override operate(c: OutcomeCommand): void {
    const { s } = this
    const isOwn = c.op === OutcomeOp.drain || c.op === OutcomeOp.resnapshot || (c.op === OutcomeOp.setFault && isGateFault(c[SetFault.fault]))
    if (!isOwn) return this.handOn(c)
    if (!(c.account === WORLD || isAccount(c.account))) return replyInvalid(s, c, InvalidField.account)
    if (c.op === OutcomeOp.drain) return drain(s, c)
    if (c.op === OutcomeOp.resnapshot) return resnapshot(s, c)
    setGateFault(s, c)
  }

  protected override check(c: OutcomeCommand): void {
    const { s } = this
    s.limits.begin()
    if (c.op === OutcomeOp.applyStream) return c.account === WORLD ? applyStream(s, c) : reply(s, c, OutcomeCode.forbidden)
    if (!isAccount(c.account)) return replyInvalid(s, c, InvalidField.account)
    if (c.op === OutcomeOp.closeStream) return closeStream(s, c)
    // These are transactions on the chain, and no calls.
    if (c.op === OutcomeOp.deposit || c.op === OutcomeOp.setSigner) return this.handOn(c)
    const refusal = this.refusalOfCaller(c)
    if (refusal !== OutcomeCode.ok) return reply(s, c, refusal)
    if (!passesLimits(s, c)) return
    if (needsKey(c.op)) return this.playOnce(c)
    const isConfirm = c.op === OutcomeOp.confirmQuote || c.op === OutcomeOp.declineQuote
    if (isConfirm && c.key !== NONE) return reply(s, c, OutcomeCode.invalidIdempotencyKey)
    const fault = refusalOfFault(s, c)
    if (fault !== OutcomeCode.ok) return reply(s, c, fault)
    this.admit(c)
  }

  /** Why the caller does not get in: subprotocol, credential, scope, role; or ok. */
  private refusalOfCaller(c: OutcomeCommand): number {
    const { s } = this
    const isStream = c.op === OutcomeOp.openStream || c.op === OutcomeOp.openMarketStream
    if (isStream && c.version !== SUBPROTOCOL) return OutcomeCode.subprotocolRequired
    if (c.op === OutcomeOp.openMarketStream || isPublicRead(c)) return OutcomeCode.ok
    if (isOn(s, GateFault.authorizationUnavailable)) return OutcomeCode.authorizationUnavailable
    if (c.op === OutcomeOp.signIn) return OutcomeCode.ok
    const refusal = refusalOfCredential(s, c)
    if (refusal !== OutcomeCode.ok) return refusal
    if ((scopeNeeded(c) & ~scopesHeld(s, c.credential)) !== 0) return OutcomeCode.forbidden
    const isMakersRead = c.op === OutcomeOp.read && (c[Read.route] === ReadRoute.acceptances || c[Read.route] === ReadRoute.capital)
    return isMakersRead && s.view.balance(c.account).role !== AccountRole.maker ? OutcomeCode.forbidden : OutcomeCode.ok
  }

  /** A command that has one effect under its idempotency key, however often it is sent (OM-107, OM-109, OM-111). */
  private playOnce(c: OutcomeCommand): void {
    const { s } = this
    const { answers, events } = s
    if (!isIdempotencyKey(c.key)) return reply(s, c, OutcomeCode.invalidIdempotencyKey)
    const content = contentOf(c)
    const known = answers.find(c.account, c.key)
    if (known !== NONE) {
      if (!answers.hasContent(known, content)) return reply(s, c, OutcomeCode.idempotencyKeyReused)
      return answers.isAnswered(known) ? replay(s, known, c.seq) : answers.wait(known, c.seq)
    }
    const fault = refusalOfFault(s, c)
    if (fault !== OutcomeCode.ok) return reply(s, c, fault)
    answers.begin(c.account, c.key, c.seq, content)
    if (c.op === OutcomeOp.issueKey) {
      const from = events.count
      issueKey(s, c)
      rememberAnswers(s, from, events.count)
    } else this.handOn(c)
    answers.end()
  }

  private admit(c: OutcomeCommand): void {
    const { s } = this
    switch (c.op) {
      case OutcomeOp.signIn: return signIn(s, c)
      case OutcomeOp.signOut: return signOut(s, c)
      case OutcomeOp.challengeKey: return challengeKey(s, c)
      case OutcomeOp.revokeKey: return revokeKey(s, c)
      case OutcomeOp.openStream: return openStream(s, c)
      case OutcomeOp.openMarketStream:
        // Whether an outcome is listed depends on the instant, which the venue knows from its last call.
        this.venue.pulse(s.nowUs)
        return openMarketStream(s, c)
      case OutcomeOp.read: return read(s, c)
      default: return this.handOn(c)
    }
  }

  /** The venue's rows are answers, and events of streams. */
  protected override take(from: number): void {
    const { s } = this
    const { events } = s
    // The rows that are written here come after the venue's rows and are not among them.
    const end = events.count
    if (end === from) return
    s.newestSeq = events.read(events.row(end - 1), EventCell.seq)
    for (let i = from; i < end; i++) {
      const kind = events.kindOf(events.row(i))
      if (kind === OutcomeEvent.outcomeListed || kind === OutcomeEvent.outcomeDelisted) s.generation++
    }
    rememberAnswers(s, from, end)
    publish(s, from, end)
  }

  protected override runDeadline(rank: number, number: number): void {
    const { s } = this
    switch (rank) {
      case GateRank.credentialEnd: return credentialDue(s, number)
      case GateRank.heartbeat: return heartbeatDue(s, number)
      case GateRank.forgetting: return forgettingDue(s, number)
      case GateRank.challengeForgetting: return challengeForgettingDue(s, number)
      case GateRank.credentialForgetting: return credentialForgettingDue(s, number)
      default: assert(false, `unknown deadline rank ${rank}`)
    }
  }
}

const isAccount = (account: number): boolean => Number.isInteger(account) && account >= 0 && account <= ACCOUNT_MAX

/** Mask of the scope that a call needs, 0 for none. */
function scopeNeeded(c: OutcomeCommand): number {
  if (c.op === OutcomeOp.read) return isRoute(c[Read.route]) ? SCOPE_OF_READ[c[Read.route]]! : 0
  return SCOPE_OF_OP[c.op] ?? 0
}
