import { SECOND_US } from '../../../unit/time.ts'
import { Credential, ScopeBit } from '../../../venue/parlay/protocol/access.ts'
import type { ParlayGateView } from '../../../venue/parlay/protocol/gate.ts'
import type { WireIdentity } from '../../../venue/parlay/wire/identity.ts'
import { AUTH_ERRORS, type AuthError, authErrorFrame, authOkFrame } from '../../../venue/parlay/wire/socketFrames.ts'
import type { Channel } from '../../exchange.ts'
import { readJsonText } from '../../http/jsonText.ts'
import { type Caller, callerOfKey } from '../caller.ts'
import type { KnownNames } from '../records/names.ts'
import { authFrame } from '../schemas/requests.ts'

/** A client has so long to say who it is (PQ-268). */
const AUTH_US = 10 * SECOND_US
/** Policy violation, of RFC 6455: what a socket that nobody may use is closed with. */
const CLOSED_BY_POLICY = 1008
/** Going away: the session is over. */
const GOING_AWAY = 1001

/** What the sockets have of the session. */
export interface SocketSite {
  readonly nowUs: number
  later(atUs: number, run: () => void): void
}

/** The open WebSockets: each is somebody's, or waits for its first frame. */
export class Sockets {
  private readonly open = new Map<Channel, Caller | null>()
  private declare readonly site: SocketSite
  private declare readonly names: KnownNames
  private declare readonly gate: ParlayGateView
  private declare readonly identity: WireIdentity

  constructor(site: SocketSite, names: KnownNames, gate: ParlayGateView, identity: WireIdentity) {
    this.site = site
    this.names = names
    this.gate = gate
    this.identity = identity
  }

  /** A socket was accepted, of a caller whose credential the upgrade brought, or of one that has yet to say who it is. */
  add(channel: Channel, caller: Caller | null): void {
    this.open.set(channel, caller)
    if (caller !== null) return this.welcome(channel, caller)
    const atUs = this.site.nowUs + AUTH_US
    this.site.later(atUs, () => {
      if (this.open.get(channel) === null) this.refuse(channel, AUTH_ERRORS.timeout)
    })
  }

  remove(channel: Channel): void {
    this.open.delete(channel)
  }

  /** A client's frame. The first says who it is; there is nothing that others could say. */
  frame(channel: Channel, data: Uint8Array): void {
    if (this.open.get(channel) !== null) return
    const read = readJsonText(data)
    const { success, data: frame } = authFrame.safeParse('fault' in read ? null : read.value)
    if (!success) return this.refuse(channel, AUTH_ERRORS.malformed)
    const caller = callerOfKey(frame.api_key, this.names)
    if (caller.credential === Credential.wrongType) return this.refuse(channel, AUTH_ERRORS.wrongType)
    if (this.gate.scopesHeld(caller.account, caller.credential) < 0) return this.refuse(channel, AUTH_ERRORS.invalid)
    this.open.set(channel, caller)
    this.welcome(channel, caller)
  }

  /** Sends frames to a maker's sockets whose credentials let them quote at the moment. */
  tellMaker(account: number, framesOf: () => readonly string[]): void {
    const heard = [...this.open].filter(([, caller]) => caller !== null && caller.account === account &&
      (Math.max(0, this.gate.scopesHeld(account, caller.credential)) & ScopeBit.mmQuote) !== 0)
    if (heard.length === 0) return
    const frames = framesOf()
    for (const [channel] of heard) for (const frame of frames) channel.send(frame)
  }

  closeAll(): void {
    for (const channel of this.open.keys()) channel.close(GOING_AWAY, 'session over')
    this.open.clear()
  }

  private welcome(channel: Channel, { account }: Caller): void {
    channel.send(JSON.stringify(authOkFrame(this.identity, account)))
  }

  private refuse(channel: Channel, code: AuthError): void {
    this.open.delete(channel)
    channel.send(JSON.stringify(authErrorFrame(code)))
    channel.close(CLOSED_BY_POLICY, code)
  }
}
