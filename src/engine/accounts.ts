import { assert } from '../unit/assert.ts'
import type { CohortEntry, MakerEntry } from './config.ts'
import type { Roster } from './roster.ts'

/** An account of the session. */
export interface NumberedAccount {
  readonly name: string
  /** `layOff`: a maker's own, with which it takes on the other service. */
  readonly role: 'bettor' | 'maker' | 'layOff'
  /** Name of the cohort or the maker that it belongs to. */
  readonly group: string
}

/**
 * The accounts of a session, numbered over all services: bettors cohort by cohort, then makers, then the accounts with which makers
 * lay off. A participant of the same name on both services has one number.
 */
export class Accounts {
  /** By number. */
  declare readonly list: readonly NumberedAccount[]
  private readonly cohorts = new Map<string, number>()
  private readonly makers = new Map<string, number>()

  constructor(rosters: readonly Roster[]) {
    const list: NumberedAccount[] = []
    const add = (known: Map<string, number>, name: string, accounts: readonly NumberedAccount[]): void => {
      const first = known.get(name)
      if (first === undefined) {
        known.set(name, list.length)
        // Accounts are pushed one by one: 130,000 as arguments of one call overflow the stack.
        for (const account of accounts) list.push(account)
        return
      }
      const same = list.slice(first).filter(({ role, group }) => role === accounts[0]!.role && group === accounts[0]!.group)
      assert(same.length === accounts.length, `${name} is one participant, and equally many on both services`)
    }
    const own = rosters.flatMap(({ cohorts }) => cohorts.filter(({ account }) => account === undefined))
    for (const { name, bettors, layOffOf } of own) {
      if (layOffOf !== undefined) continue
      add(this.cohorts, name, Array.from({ length: bettors }, (_, i) => ({ name: `${name}-${i + 1}`, role: 'bettor', group: name })))
    }
    for (const { makers } of rosters) for (const { name } of makers) add(this.makers, name, [{ name, role: 'maker', group: name }])
    for (const { name, layOffOf } of own) if (layOffOf !== undefined) add(this.cohorts, name, [{ name, role: 'layOff', group: layOffOf }])
    this.list = list
  }

  get count(): number {
    return this.list.length
  }

  /** Number of the first bettor of a cohort. */
  ofCohort({ name, account, bettors }: CohortEntry): number {
    if (account === undefined) return this.cohorts.get(name)!
    const number = this.makers.get(account)
    assert(number !== undefined && bettors === 1, `${name} is one bettor with the account of a maker, ${account}`)
    return number
  }

  ofMaker({ name }: Pick<MakerEntry, 'name'>): number {
    return this.makers.get(name)!
  }
}
