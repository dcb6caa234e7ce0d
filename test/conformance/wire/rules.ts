import type { Service } from './session.ts'

/** Rules, what is done, and what must be seen. `w` is the session as a client finds it. */
export type Row<W> = readonly [ids: string, about: string, play: (w: W) => Promise<void>]

/**
 * Rules that are seen in one session. `isOneByOne`: its rows spend what they share, such as a limit. `isAtOnce`: all of its rows need what the
 * session has at its begin alone, however few are else tried at a time.
 */
export interface Area<W> {
  readonly name: string
  readonly service: Service
  readonly session: string
  readonly isOneByOne?: boolean
  readonly isAtOnce?: boolean
  /** What its rows take for granted, such as a list that a session fills as its first prices come. */
  readonly begins?: (w: W) => Promise<unknown>
  readonly rows: readonly Row<W>[]
}
