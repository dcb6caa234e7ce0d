import type { LimitView } from '../../../src/venue/callWindows.ts'
import type { KeyView, ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import type { KindName } from '../../venue/parlay/cellNames.ts'
import { type Answer, type EventKind, type Fields, replyOf, type Row, rowOf } from '../parlay/namedRows.ts'
import type { GateCommand } from './command.ts'

export interface Key {
  readonly number: number
  readonly account: number
  readonly scopes: number
  readonly expiresAtUs: number
  readonly state: KeyView['state']
}

/** Calls that one limit has counted since its window began. */
export interface Window {
  readonly startUs: number
  readonly count: number
}

export interface Endpoint {
  readonly account: number
  readonly owner: number
  readonly events: number
  readonly credential: number
  readonly secret: number
}

/** What happens to a delivery next, and when: an attempt, the end of the one under way, or its eviction. */
export interface NextStep {
  readonly kind: 'attempt' | 'timeout' | 'evict'
  readonly atUs: number
}

export interface Delivery {
  readonly number: number
  readonly account: number
  readonly owner: number
  readonly event: number
  readonly createdAtUs: number
  readonly status: number
  /** Attempts of its whole life, and of the present budget. */
  readonly attempts: number
  readonly budgetSpent: number
  readonly response: number | null
  readonly next: NextStep
}

/** Everything that the gate remembers. A state is never changed: a turn copies it. */
export interface State {
  readonly keys: ReadonlyMap<number, Key>
  readonly lastKey: number
  /** By limit and whom it counts, as `limits.ts` names them. */
  readonly windows: ReadonlyMap<string, Window>
  readonly lastLimit: LimitView | null
  readonly live: ReadonlySet<number>
  /** By `endpointName`. */
  readonly endpoints: ReadonlyMap<string, Endpoint>
  readonly deliveries: ReadonlyMap<number, Delivery>
  readonly lastDelivery: number
  /** Accounts whose deliveries are switched off. */
  readonly mute: ReadonlySet<number>
  /** Rows written so far, the venue's and the gate's: the place of a row stands for its seq. */
  readonly rowCount: number
}

export const emptyState = (): State => ({
  keys: new Map(), lastKey: 0, windows: new Map(), lastLimit: null, live: new Set(), endpoints: new Map(), deliveries: new Map(),
  lastDelivery: 0, mute: new Set(), rowCount: 0,
})

export const endpointName = (account: number, owner: number): string => `${account}/${owner}`

type Draft = { -readonly [name in keyof State]: State[name] extends ReadonlyMap<infer K, infer V> ? Map<K, V>
  : State[name] extends ReadonlySet<infer K> ? Set<K> : State[name] }

/** One command, or all deadlines of one instant, in the making: a private copy of the state, and the rows so far. */
export interface Turn {
  readonly state: Draft
  readonly profile: ParlayGateProfile
  readonly nowUs: number
  readonly cause: number
  readonly service: number
  readonly rows: Row[]
}

export function turnOf(state: State, place: Omit<Turn, 'state' | 'rows'>): Turn {
  const draft: Draft = {
    ...state, keys: new Map(state.keys), windows: new Map(state.windows), live: new Set(state.live), endpoints: new Map(state.endpoints),
    deliveries: new Map(state.deliveries), mute: new Set(state.mute),
  }
  return { ...place, state: draft, rows: [] }
}

/** Writes a row of the gate by the names of its kind. */
export function write<N extends Exclude<KindName, 'reply'>>(turn: Turn, kind: EventKind<N>, fields: Fields<N>, cause = turn.cause): void {
  turn.rows.push(rowOf({ atUs: turn.nowUs, service: turn.service, cause }, kind, fields))
  turn.state.rowCount++
}

/** Writes the reply to the turn's command. */
export function writeReply(turn: Turn, { account, op }: GateCommand, answer: Answer): void {
  turn.rows.push(replyOf({ atUs: turn.nowUs, service: turn.service, cause: turn.cause }, unsignedZero(account), op, answer))
  turn.state.rowCount++
}

/** The number, 0 in place of −0: what is kept and shown is told from it. */
export const unsignedZero = (value: number): number => (value === 0 ? 0 : value)

export const isIntegerIn = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
