/** What a clock offers a client of a served session: turns in which it is told things, and calls that it makes in them. */

/** A stream or a socket of the service, which is open before the client has its first turn and is opened again when it is lost. */
export interface ChannelTerms {
  /** `events`: server-sent events. `socket`: a WebSocket. */
  readonly kind: 'events' | 'socket'
  /** Path with its query, such as `/v1/mm/stream`. */
  readonly path: string
  readonly subprotocol?: string
  /** What the client says first on a socket. */
  readonly firstFrame?: string
}

/** What came on a channel: a frame of a socket, or an event with its lines `id`, `event` and `data`. */
export interface Frame {
  /** Of its channel, as the client named it. */
  readonly path: string
  readonly text: string
}

/**
 * Why a client has a turn: time begins, it is back, a call was answered, a wake is due, something has reached its seats, or the session is over.
 * What it does then goes nowhere, and it can still read its desk.
 */
export type Why = 'begin' | 'joined' | 'answer' | 'wake' | 'told' | 'over'

export interface Answer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Turn {
  /** Instant of the session on the wire's clock, µs. */
  readonly atUs: number
  readonly why: Why
  /** What has come on the channels since the last turn, in the order of each channel. */
  readonly frames: readonly Frame[]
  /** With `answer`: the answer. With `answer` and `wake`: the tag that the call or the wake was given. */
  readonly answer?: Answer
  readonly tag?: unknown
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body?: string
  /** Comes back with the answer. */
  readonly tag: unknown
}

/** A turn at an instant, on the wire's clock. */
export interface Wake {
  readonly wakeUs: number
  /** Comes back in that turn. */
  readonly tag: unknown
}

export type Act = Call | Wake

export const isWake = (act: Act): act is Wake => 'wakeUs' in act

/** The calls that have not been made yet, by method and path; from now on they have. */
export const fresh = (acts: readonly Act[], made: Set<string>): readonly Act[] => acts.filter((act) => {
  const name = isWake(act) ? '' : `${act.method} ${act.path}`
  if (name === '') return true
  const isNew = !made.has(name)
  made.add(name)
  return isNew
})

/** A client's connection to one service of a session, on one of its clocks. */
export interface Link {
  /**
   * Opens the channels and gives the client its turns, one after the other, until the session is over or `signal` is aborted. What `act` returns
   * is done in its order. Rejects with an InputError where the service cannot be reached or refuses the credential.
   */
  play(act: (turn: Turn) => Promise<readonly Act[]>, signal: AbortSignal): Promise<void>
  /** Reads what is told beside the service, `/prices` or `/desk`, with the seat's credential: no part of the session, answered at once. */
  read(path: string): Promise<Answer>
}
