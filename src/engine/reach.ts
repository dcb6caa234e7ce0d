import type { Connection } from '../agent/faults.ts'

/** What decides whether a maker is sent what goes over its stream. */
export interface Reach {
  readonly connection: Connection
  /** Whether its stream is open at the gate; null without a gate: then its connection is its stream. */
  live: boolean | null
}

/** Whether the maker holds its stream open (PQ-180, PQ-208). */
export const isReached = ({ connection, live }: Reach, nowUs: number): boolean => (live === null ? connection.isOpen(nowUs) : live)
