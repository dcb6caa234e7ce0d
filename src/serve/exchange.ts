/** Names and values, repeated ones too, in the order in which they stand on the wire. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** What a JWT of the session's identity provider says, its signature checked. Instants are the wire's, µs, as whole seconds. */
export interface IdentityToken {
  /** The user's id in the service. */
  readonly subject: string
  /** It is good from then on. */
  readonly notBeforeUs: number
  /** It is good until then, and at that instant no more. */
  readonly expiresAtUs: number
}

/** One call of a client as the transport read it. It is whole, and no rule of a service has looked at it. */
export interface Exchange {
  /** Name of the service whose port the client called, or the port on which clients are given their turns. */
  readonly service: 'parlay' | 'outcome' | 'control'
  /** The method as sent, which may be none that a service knows. */
  readonly method: string
  /** The path as sent, percent-encoding and all, without the query. */
  readonly path: string
  /** All after the first `?`, as sent. It is empty where there is none. */
  readonly query: string
  /** Names are in lower case. Those between a client and HTTP itself, such as `host`, are left out. */
  readonly headers: HeaderPairs
  /** The JWT of the first `Authorization` header, where a bearer brings one that the identity provider has signed. */
  readonly token?: IdentityToken
  /** The body, empty where there is none. It has at most `BODY_BYTES_MAX` bytes, and one more where the body was longer. */
  readonly body: Uint8Array
  /** The client's address, without its port. */
  readonly remote: string
}

/**
 * Most bytes of a body that reach a handler. Both services take 256 KB. A longer body is cut one byte past this, so that it is the
 * handler who refuses it, in its service's own words.
 */
export const BODY_BYTES_MAX = 262_144

/** A service's answer to a call. The transport adds `content-length`, `date` and what the connection needs. */
export interface Answer {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
}

/** How a service answers a client that asked for server-sent events or for a WebSocket, and then speaks to it. */
export interface Channel {
  /** What the client asked for. */
  readonly kind: 'events' | 'socket'
  /** Answers the client instead of `accept`. */
  refuse(answer: Answer): void
  /**
   * Opens the channel, before the first `send`. Only a socket reads `subprotocol`. `headers` go out beside those that the upgrade or the
   * event stream needs.
   */
  accept(subprotocol?: string, headers?: HeaderPairs): void
  /** Sends a frame of a socket, or text of an event stream as it goes out, blank lines and all. */
  send(text: string): void
  /** Closes the channel. Only a socket reads code and reason. Nothing is sent after that, and `onClose` is not called. */
  close(code: number, reason: string): void
  /** Called with a frame of the client, text or binary as it came. It is set before `accept`, and never called for an event stream. */
  onFrame: (data: Uint8Array, isBinary: boolean) => void
  /** The client went, or the transport closed on it. `code` is the WebSocket's, 1006 for a lost connection and the end of an event stream. */
  onClose: (code: number) => void
}

/**
 * One service's side of the wire. Its methods are called by the session's loop, at the instant at which the call arrived; all that a
 * handler does, it does in the session's time, and it reads no clock and draws nothing. So a journaled exchange leaves the same rows again.
 */
export interface ExchangeHandler {
  /** `answer` is called once, now or at a later instant of the session. */
  call(exchange: Exchange, answer: (answer: Answer) => void): void
  /** A call with `accept: text/event-stream`, or an upgrade to a WebSocket. */
  open(exchange: Exchange, channel: Channel): void
}
