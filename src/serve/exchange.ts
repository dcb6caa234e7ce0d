/** Names and values, in the order in which they stand on the wire; repeats are kept. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** One call of a client as the transport read it: whole, and unread by any rule of a service. */
export interface Exchange {
  /** Name of the service whose port the client called. */
  readonly service: 'parlay' | 'outcome'
  /** As sent, which may be none that a service knows. */
  readonly method: string
  /** As sent, percent-encoding and all, without the query. */
  readonly path: string
  /** All after the first `?`, as sent; empty without one. */
  readonly query: string
  /** Names are in lower case. */
  readonly headers: HeaderPairs
  /** Empty without one. At most `BODY_BYTES_MAX` bytes, and one more for a body that was longer. */
  readonly body: Uint8Array
  /** The client's address, without its port. */
  readonly remote: string
}

/**
 * Most bytes of a body that reach a handler. Both services take 256 KB; a body that is longer is cut one byte past this, so that it is the
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
  /** Instead of `accept`. */
  refuse(answer: Answer): void
  /** Before the first `send`. `subprotocol` is read for a socket alone; `headers` go out beside those that the upgrade or the event stream needs. */
  accept(subprotocol?: string, headers?: HeaderPairs): void
  /** A frame of a socket; of an event stream, text as it goes out, blank lines and all. */
  send(text: string): void
  /** Code and reason are read for a socket alone. Nothing is sent after it, and `onClose` is not called. */
  close(code: number, reason: string): void
  /** A frame of the client, text or binary as it came; set before `accept`, never called for an event stream. */
  onFrame: (data: Uint8Array, isBinary: boolean) => void
  /** The client went, or the transport closed on it: `code` is the WebSocket's, 1006 for a lost connection and the end of an event stream. */
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
