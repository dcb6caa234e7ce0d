import type { SessionConfig } from '../engine/config.ts'
import type { CallListener } from '../engine/externalCalls.ts'
import type { Session } from '../engine/session.ts'
import type { ExternalRow } from '../record/externalTable.ts'
import type { ServedRun } from '../record/manifest.ts'
import { withPlainTraces } from '../unit/plainTraces.ts'
import { MINUTE_US, MS_US, NEVER_US } from '../unit/time.ts'

/** So long a session waits for what is still under way, when every market is over and every position can have been settled. */
const AFTER_US = 2 * MINUTE_US

type Ends = Pick<SessionConfig, 'operator' | 'outcome'>

/** When the operator's last input comes, with which every market is over, µs. Streams close from then on. −∞ without input. */
export const inputEndUs = ({ operator }: Pick<Ends, 'operator'>): number => operator.at(-1)?.atUs ?? -Infinity

/** When nothing is under way any more that a client waits for, µs: after the operator's last input, and the outcome service's next batch of settlement. −∞ without input. */
export const overUs = ({ operator, outcome }: Ends): number =>
  inputEndUs({ operator }) + (outcome === undefined ? 0 : outcome.profile.settlementEveryMs * MS_US) + AFTER_US

/** First instant at which clients for whom virtual time waits have no turns any more: a client that goes on does not keep a session going. */
export const turnsEndUs = (config: Ends): number => (config.operator.length === 0 ? NEVER_US : overUs(config) + AFTER_US)

const NOBODY: CallListener = { answered: () => {}, told: () => {} }

/** Rows of a served session that its sinks get at once: a sink has a cost for each flush, and a call leaves a few rows. */
export const SERVED_FLUSH_ROWS = 256

/** Plays on until the loop stands, or until nothing is left. */
export const playOn = (session: Session, flushRows = 0): void => withPlainTraces(() => {
  while (session.run(session.chunkSteps, flushRows)) continue
})

const stand = (session: Session, atUs: number, flushRows = 0): void => {
  session.standAt(atUs)
  playOn(session, flushRows)
}

/** Plays a served session once more: what came in from outside comes in again, at its instants and in its order. */
export function playServed(session: Session, rows: readonly ExternalRow[], { stoppedUs }: Pick<ServedRun, 'stoppedUs'>, between: () => void = () => {}): void {
  for (const { atUs, service, account, op, credential, fields, legs, list } of rows) {
    stand(session, atUs, SERVED_FLUSH_ROWS)
    session.bringCall(service, account, { op, fields, legs, list, ...(credential === undefined ? {} : { credential }) }, NOBODY)
    between()
  }
  stand(session, stoppedUs ?? NEVER_US)
}
