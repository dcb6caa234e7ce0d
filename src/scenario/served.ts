import type { OperatorInput } from '../engine/config.ts'
import type { CallListener } from '../engine/externalCalls.ts'
import type { Session } from '../engine/session.ts'
import type { ExternalRow } from '../record/externalTable.ts'
import type { ServedRun } from '../record/manifest.ts'
import { withPlainTraces } from '../unit/plainTraces.ts'
import { MINUTE_US, NEVER_US } from '../unit/time.ts'

/** So long after the operator's last input, when every market is over, a session waits for what is still under way. */
export const AFTER_US = 2 * MINUTE_US

/** First instant at which clients for whom virtual time waits have no turns any more: a client that goes on does not keep a session going. */
export const turnsEndUs = (operator: readonly OperatorInput[]): number => {
  const last = operator.at(-1)
  return last === undefined ? NEVER_US : last.atUs + 2 * AFTER_US
}

const NOBODY: CallListener = { answered: () => {}, told: () => {} }

/** Plays on until the loop stands, or until nothing is left. */
export const playOn = (session: Session): void => withPlainTraces(() => {
  while (session.run(session.chunkSteps)) continue
})

const stand = (session: Session, atUs: number): void => {
  session.standAt(atUs)
  playOn(session)
}

/** Plays a served session once more: what came in from outside comes in again, at its instants and in its order. */
export function playServed(session: Session, rows: readonly ExternalRow[], { stoppedUs }: Pick<ServedRun, 'stoppedUs'>, between: () => void = () => {}): void {
  for (const { atUs, service, account, op, credential, fields, legs, list } of rows) {
    stand(session, atUs)
    session.bringCall(service, account, { op, fields, legs, list, ...(credential === undefined ? {} : { credential }) }, NOBODY)
    between()
  }
  stand(session, stoppedUs ?? NEVER_US)
}
