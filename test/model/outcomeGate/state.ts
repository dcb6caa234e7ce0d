import { NONE } from '../../../src/unit/none.ts'
import type { RowSequence } from '../../../src/unit/rowSequence.ts'
import type { LimitView } from '../../../src/venue/callWindows.ts'
import type { OutcomeCredentialView, OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import type { TermsDigest } from '../../../src/venue/outcome/protocol/terms.ts'
import type { OutcomeView } from '../../../src/venue/outcome/protocol/view.ts'
import type { KindName } from '../../venue/outcome/cellNames.ts'
import { type Answer, type EventKind, type Fields, replyOf, rowOf } from '../outcome/namedRows.ts'
import type { Row } from './rows.ts'

/** A session or key. `expiresAtUs` of a session is the end of its age. */
export type Credential = { readonly [name in keyof OutcomeCredentialView]: OutcomeCredentialView[name] }

/** When the credential ends by itself: Infinity if never or already over. */
export function endsAtUs({ kind, state, expiresAtUs, lastUsedUs }: Credential, profile: OutcomeGateProfile): number {
  if (state !== 'active') return Infinity
  if (kind === 'key') return expiresAtUs === NONE ? Infinity : expiresAtUs
  return Math.min(expiresAtUs, lastUsedUs + profile.sessionIdleMs * 1000)
}

/** What a key is asked for with. */
export interface KeyRequest {
  readonly scopes: number
  readonly scopeCount: number
  readonly labelLength: number
  readonly expiryDays: number
}

export interface Challenge {
  readonly number: number
  readonly account: number
  readonly request: KeyRequest
  readonly untilUs: number
  readonly isUsed: boolean
}

/** Calls that one limit has counted since its window began. */
export interface Window {
  readonly startUs: number
  readonly count: number
}

/** What is known under a key: a command under way with the repeats that wait for it, or its answer. */
export interface Remembered {
  readonly content: string
  readonly op: number
  /** Command that came first. */
  readonly cause: number
  readonly answer: { readonly row: Row<'reply'>, readonly untilUs: number } | null
  /** Commands that repeat it while it is under way, in order of arrival. */
  readonly waiting: readonly number[]
}

export interface Stream {
  readonly number: number
  readonly account: number
  readonly credential: number
  readonly channels: number
  readonly isPaced: boolean
  readonly applied: number
  /** Events sent and not read: their cursors. */
  readonly unread: readonly number[]
  readonly beatMs: number
  readonly nextBeatUs: number
}

/** What the gate knows of an outcome, from rows. */
export interface Outcome {
  readonly closeUs: number
  /** Listed, neither delisted nor resolved since. */
  readonly isOffered: boolean
}

/** Everything that the gate remembers. A state is never changed: a turn copies it. */
export interface State {
  readonly credentials: ReadonlyMap<number, Credential>
  readonly lastCredential: number
  /** When each credential that has ended is forgotten. */
  readonly endedUntilUs: ReadonlyMap<number, number>
  readonly challenges: ReadonlyMap<number, Challenge>
  readonly lastChallenge: number
  /** By limit and whom it counts, as `limits.ts` names them. */
  readonly windows: ReadonlyMap<string, Window>
  readonly lastLimit: LimitView | null
  /** By account and key, as `idempotency.ts` names them. */
  readonly remembered: ReadonlyMap<string, Remembered>
  /** The open ones, by number: in ascending order. */
  readonly streams: ReadonlyMap<number, Stream>
  readonly lastStream: number
  /** Kept for replay, oldest first. */
  readonly log: readonly Row[]
  /** Cursor of the last event that is no longer kept; 0 before. */
  readonly horizon: number
  /** Newest row of the venue; 0 before. */
  readonly newest: number
  readonly isDraining: boolean
  readonly faults: ReadonlySet<number>
  /** AccountRole of the accounts that were bound. */
  readonly roles: ReadonlyMap<number, number>
  readonly outcomes: ReadonlyMap<number, Outcome>
  /** The catalogue's generation. */
  readonly generation: number
}

export const emptyState = (): State => ({
  credentials: new Map(), lastCredential: 0, endedUntilUs: new Map(), challenges: new Map(), lastChallenge: 0, windows: new Map(), lastLimit: null, remembered: new Map(), streams: new Map(),
  lastStream: 0, log: [], horizon: 0, newest: 0, isDraining: false, faults: new Set(), roles: new Map(), outcomes: new Map(), generation: 0,
})

type Draft = { -readonly [name in keyof State]: State[name] extends ReadonlyMap<infer K, infer V> ? Map<K, V>
  : State[name] extends ReadonlySet<infer K> ? Set<K> : State[name] }

/** A session's fixed part. */
export interface Frame {
  readonly profile: OutcomeGateProfile
  readonly service: number
  /** Numbers the rows; the venue's share it. */
  readonly sequence: RowSequence
  /** What stands in the venue. */
  readonly view: OutcomeView
  readonly digest: TermsDigest
}

/** One command, or all deadlines of one instant, in the making: a private copy of the state, and the rows so far. */
export interface Turn extends Frame {
  readonly nowUs: number
  readonly cause: number
  readonly state: Draft
  readonly rows: Row[]
}

export function turnOf(state: State, frame: Frame, nowUs: number, cause: number): Turn {
  const draft: Draft = {
    ...state, credentials: new Map(state.credentials), endedUntilUs: new Map(state.endedUntilUs), challenges: new Map(state.challenges), windows: new Map(state.windows),
    remembered: new Map(state.remembered), streams: new Map(state.streams), faults: new Set(state.faults), roles: new Map(state.roles),
    outcomes: new Map(state.outcomes),
  }
  return { ...frame, nowUs, cause, state: draft, rows: [] }
}

/** Writes a row of the gate. */
export function write<N extends KindName>(turn: Turn, kind: EventKind<N>, fields: Fields<N>, cause = turn.cause): void {
  turn.rows.push({ seq: turn.sequence.next++, ...rowOf({ atUs: turn.nowUs, service: turn.service, cause }, kind, fields) } as Row)
}

/** Writes the reply to a command, and returns it. */
export function writeReply(turn: Turn, account: number, op: number, answer: Answer): Row<'reply'> {
  const head = { atUs: turn.nowUs, service: turn.service, cause: turn.cause }
  const row = { seq: turn.sequence.next++, ...replyOf(head, account, op, answer) }
  turn.rows.push(row)
  return row
}

/** In the list of a replayed reply: `Idempotency-Replayed: true`. */
const REPLAYED = [1]

/** Says again what a reply said, to the command `cause`. */
export function repeatReply(turn: Turn, reply: Row<'reply'>, cause: number): void {
  turn.rows.push({ ...reply, seq: turn.sequence.next++, atUs: turn.nowUs, cause, list: REPLAYED })
}

/** The number, 0 in place of −0: what is kept and shown is told from it. */
export const unsignedZero = (value: number): number => (value === 0 ? 0 : value)

export const isIntegerIn = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
