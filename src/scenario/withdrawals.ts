import { type OperatorInput, type ServiceName, WITHDRAWS } from '../engine/config.ts'
import type { ScenarioSource } from './load.ts'
import type { Mistake } from './mistakes.ts'
import type { ResolvedCohort, ResolvedMaker, Window } from './resolve.ts'
import type { ScenarioFile } from './schema.ts'
import { quantity, strict } from './settings.ts'
import { instantText, nearestName, quantityText } from './units.ts'
import { from, money, named } from './written.ts'

/** A maker or a cohort takes money out of its vault; of the outcome service a maker lowers its collateral. */
export const withdrawal = strict({
  of: named.describe('name of a maker or a cohort'),
  first: quantity('count', 1, 1e6).optional().describe('only that many of the cohort; default: each of them'),
  at: from,
  amount: money(1).describe('out of the free balance of each account; what it does not have is refused'),
})

export interface ResolvedWithdrawal {
  readonly of: string
  readonly service: ServiceName
  /** Absent: every account of that name. */
  readonly first?: number
  readonly atUs: number
  readonly amountMicros: number
}

/** The withdrawals of a scenario in order of time. Mistakes: nobody of that name, not so many, outside of the session, more than a service pays. */
export function withdrawalsOf(
  { file, source, window, mistakes }: { file: ScenarioFile; source: ScenarioSource; window: Window | undefined; mistakes: Mistake[] },
  bettors: readonly ResolvedCohort[], makers: readonly ResolvedMaker[],
): { readonly withdrawals?: readonly ResolvedWithdrawal[] } {
  const resolved = file.withdrawals.flatMap(({ of, first, at, amount }, i): ResolvedWithdrawal[] => {
    const fail = (key: string, message: string, hint?: string): void => {
      mistakes.push(source.mistake(['withdrawals', i, key], message, hint === undefined ? {} : { hint }))
    }
    const cohort = bettors.find(({ name }) => name === of)
    const owner = cohort ?? makers.find(({ name }) => name === of)
    if (owner === undefined) {
      const names = [...bettors, ...makers].map(({ name }) => name)
      const near = nearestName(of, names)
      fail('of', `no maker and no cohort is named ${of}${near === undefined ? '' : `; did you mean ${near}?`}`, `expected ${names.join(', ')}`)
      return []
    }
    const most = cohort?.bettors ?? 1
    if (first !== undefined && first > most) fail('first', `${of} has ${most === 1 ? 'one account' : `${most} bettors`}, not ${first}`)
    const settings = file.services[owner.service]?.settings
    if (settings !== undefined && amount > settings.withdrawMaxMicros) {
      fail('amount', `is above ${quantityText('money', settings.withdrawMaxMicros)}, the most that the service pays at once`)
    }
    const atUs = 'atUs' in at ? at.atUs : (window?.fromUs ?? 0) + at.spanUs
    if (window !== undefined && (atUs < window.fromUs || atUs >= window.toUs)) {
      fail('at', `is not within the session, ${instantText(window.fromUs)} to ${instantText(window.toUs)}`)
    }
    return [{ of, service: owner.service, ...(first === undefined ? {} : { first }), atUs, amountMicros: amount }]
  })
  return resolved.length === 0 ? {} : { withdrawals: resolved.toSorted((a, b) => a.atUs - b.atUs) }
}

/** The operator's inputs with withdrawals among them, after what is there at the same instant. */
export function withWithdrawals(
  inputs: readonly OperatorInput[], withdrawals: readonly ResolvedWithdrawal[], accountsOf: (name: string) => readonly number[],
): readonly OperatorInput[] {
  if (withdrawals.length === 0) return inputs
  const added = withdrawals.flatMap(({ of, service, first, atUs, amountMicros }) => accountsOf(of).slice(0, first)
    .map((account): OperatorInput => ({ atUs, op: WITHDRAWS, service, market: -1, value: account, value2: amountMicros })))
  // Array.prototype.sort is stable.
  return [...inputs, ...added].sort((a, b) => a.atUs - b.atUs)
}
