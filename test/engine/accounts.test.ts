import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { maker } from '../../src/agent/maker.ts'
import { Accounts } from '../../src/engine/accounts.ts'
import type { CohortEntry, MakerEntry, SessionConfig } from '../../src/engine/config.ts'
import { rostersOf } from '../../src/engine/roster.ts'
import { Session } from '../../src/engine/session.ts'
import { OutcomeOp, SetFees } from '../../src/venue/outcome/protocol/commands.ts'
import { outcomeConfig } from './outcomeWorld.ts'
import { cohorts, makerEntry, sessionConfig } from './world.ts'

const silent = maker({}, () => ({})) as unknown as MakerStrategy
const cohort = (name: string, bettors: number, more: Partial<CohortEntry> = {}): CohortEntry => ({ ...cohorts[0]!, name, bettors, ...more })
const seat = (name: string, layOff?: MakerEntry['layOff']): MakerEntry => ({ ...makerEntry(name, silent), ...(layOff === undefined ? {} : { layOff }) })
const layOff = { service: 'outcome', account: 'off', bankrollMicros: 1, latency: cohorts[0]!.latency } as const

const config = (parlay: { makers: MakerEntry[]; cohorts: CohortEntry[] }, outcome: { makers: MakerEntry[]; cohorts: CohortEntry[] }): SessionConfig => {
  const plain = sessionConfig(1)
  return { ...plain, parlay: { ...plain.parlay, ...parlay }, outcome: { ...outcomeConfig(1).outcome, ...outcome } }
}
const named = (of: SessionConfig) => new Accounts(rostersOf(of)).list.map(({ name, role, group }) => `${name} ${role} ${group}`)

describe('accounts of a session', () => {
  it('are numbered bettors first, then makers, then those with which makers lay off, over both services', () => {
    expect(named(config(
      { makers: [seat('m', layOff)], cohorts: [cohort('a', 2), cohort('own', 1, { account: 'm' })] }, { makers: [seat('n')], cohorts: [cohort('b', 1)] },
    ))).toEqual(['a-1 bettor a', 'a-2 bettor a', 'b-1 bettor b', 'm maker m', 'n maker n', 'off layOff m'])
  })

  it('are one for a name that stands on both', () => {
    const both = { makers: [seat('m')], cohorts: [cohort('a', 2)] }
    expect(named(config(both, both))).toEqual(['a-1 bettor a', 'a-2 bettor a', 'm maker m'])
  })

  it('asks for equally many bettors of one name, and for another name of the account to lay off with', () => {
    expect(() => named(config({ makers: [], cohorts: [cohort('a', 1)] }, { makers: [], cohorts: [cohort('a', 2)] }))).toThrow('equally many')
    expect(() => named(config({ makers: [], cohorts: [cohort('a', 2)] }, { makers: [], cohorts: [cohort('a', 1)] }))).toThrow('equally many')
    expect(() => named(config({ makers: [seat('m', layOff), seat('l', layOff)], cohorts: [] }, { makers: [], cohorts: [] }))).toThrow('off')
  })
})

describe('a session', () => {
  it('has a service', () => {
    const { parlay: _parlay, ...terms } = sessionConfig(1)
    expect(_parlay).toBeDefined()
    expect(() => new Session(terms)).toThrow('a session has a service')
  })

  it('lays off on the other service, and has it', () => {
    expect(() => new Session(config({ makers: [seat('m', { ...layOff, service: 'parlay' })], cohorts: [] }, { makers: [], cohorts: [] }))).toThrow('m lays off on the other service')
    expect(() => new Session(sessionConfig(1, { makers: [seat('m', layOff)] }))).toThrow('m lays off on the other service')
  })

  it('lets no maker’s account ask for prices on the outcome service', () => {
    expect(() => new Session(config({ makers: [], cohorts: [] }, { makers: [seat('m')], cohorts: [cohort('own', 1, { account: 'm' })] }))).toThrow('own bets with one')
  })

  it('wants to be told which service an opcode is of that is another one on each', () => {
    const both = config({ makers: [], cohorts: [] }, { makers: [], cohorts: [] })
    const input = { atUs: both.startUs, op: OutcomeOp.setFees, market: -1, [SetFees.takerFeeBps]: 1, [SetFees.feeBps]: 1 }
    expect(() => new Session({ ...both, operator: [input] })).toThrow('opcode 6 needs a service')
    expect(() => new Session({ ...both, operator: [{ ...input, service: 'outcome' }] })).not.toThrow()
    expect(() => new Session({ ...sessionConfig(1), operator: [input] })).not.toThrow()
  })
})
