import { nearestName } from '../../unit/nearestName.ts'
import type { ResolvedCohort, ResolvedMaker, ResolvedWithdrawal } from '../resolved.ts'
import type { ScenarioFile } from '../schema.ts'
import { instantText } from '../../unit/time.ts'
import { quantityText } from '../units.ts'
import type { Check, Draft } from './draft.ts'
import { instantOf, type Window } from './window.ts'

/** The cohort or seat of a name; cohorts first, as two of one name are a mistake of their own. */
const ownerOf = ({ cohorts, makers }: Pick<Draft, 'cohorts' | 'makers'>, of: string): ResolvedCohort | ResolvedMaker | undefined =>
  cohorts.find(({ cohort }) => cohort.name === of)?.cohort ?? makers.flatMap(({ seats }) => seats).find(({ name }) => name === of)

/** The withdrawals of a scenario in order of time. Precondition: `checkWithdrawals` has found nothing. */
export function withdrawalsOf(
  { withdrawals }: ScenarioFile, window: Window, participants: Pick<Draft, 'cohorts' | 'makers'>,
): { readonly withdrawals?: readonly ResolvedWithdrawal[] } {
  const resolved = withdrawals.map(({ of, first, at, amount }): ResolvedWithdrawal => ({
    of, service: ownerOf(participants, of)!.service, ...(first === undefined ? {} : { first }), atUs: instantOf(at, window), amountMicros: amount,
  }))
  return resolved.length === 0 ? {} : { withdrawals: resolved.toSorted((a, b) => a.atUs - b.atUs) }
}

/** Somebody of that name withdraws, not more accounts than there are, within the session, and not more than the service pays at once. */
export const checkWithdrawals: Check = ({ file, window, cohorts, makers }, fail) => {
  for (const [i, { of, first, at, amount }] of file.withdrawals.entries()) {
    const path = ['withdrawals', i]
    const owner = ownerOf({ cohorts, makers }, of)
    if (owner === undefined) {
      const names = [...cohorts.map(({ cohort }) => cohort.name), ...makers.flatMap(({ seats }) => seats.map(({ name }) => name))]
      const near = nearestName(of, names)
      fail([...path, 'of'], `no maker and no cohort is named ${of}${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: `expected ${names.join(', ')}` })
      continue
    }
    const most = 'bettors' in owner ? owner.bettors : 1
    if (first !== undefined && first > most) fail([...path, 'first'], `${of} has ${most === 1 ? 'one account' : `${most} bettors`}, not ${first}`)
    const settings = file.services[owner.service]?.settings
    if (settings !== undefined && amount > settings.withdrawMaxMicros) {
      fail([...path, 'amount'], `is above ${quantityText('money', settings.withdrawMaxMicros)}, the most that the service pays at once`)
    }
    const atUs = instantOf(at, window)
    if (window !== undefined && (atUs < window.fromUs || atUs >= window.toUs)) {
      fail([...path, 'at'], `is not within the session, ${instantText(window.fromUs)} to ${instantText(window.toUs)}`)
    }
  }
}
