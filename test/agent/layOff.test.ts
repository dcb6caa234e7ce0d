import { describe, expect, it } from 'vitest'
import layOff from '../../src/agent/makers/layOff.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { FACADES } from '../../src/agent/facades/facades.ts'
import type { PositionView } from '../../src/agent/views.ts'
import { fakeDesk, heldOn, heldRowOn } from './fakes.ts'

const seat = { name: 'me', capitalMicros: 1_000_000_000, random: () => 0.5 }

/** A position that the maker backs: 10 USDC at 10.0. */
const backed = (fields: Partial<PositionView> = {}): PositionView =>
  heldOn([[0, 1], [1, 1]], { isHolder: false, oddsE4: 100_000, netStakeMicros: 10_000_000, riskMicros: 90_000_000, payoutMicros: 100_000_000, ...fields })

describe('lay-off', () => {
  it('asks for a bet that pays its share of the payout, at odds that keep its margin', () => {
    const { desk, port } = fakeDesk()
    const handlers = layOff.create(parameterValues(layOff.parameters, { share: 0.5, keep: 0.25, decide: 3_000_000 }), seat)
    handlers.onOpened!(backed(), desk)
    // Half of 100 USDC at 12.5 costs 4 USDC.
    expect(port.calls).toEqual([['layOff', 3, 5, 4_000_000, 125_000, 3_000_000]])
  })

  it('asks for nothing below the smallest bet', () => {
    const { desk, port } = fakeDesk()
    const values = (least: number) => parameterValues(layOff.parameters, { share: 0.5, keep: 0.25, least })
    layOff.create(values(4_000_001), seat).onOpened!(backed(), desk)
    expect(port.calls).toEqual([])
    layOff.create(values(4_000_000), seat).onOpened!(backed(), desk)
    expect(port.calls).toHaveLength(1)
  })
})

describe('MakerDesk.layOff', () => {
  const terms = { betMicros: 1, minOddsE4: 20_000, decideInUs: 0 }

  it('refuses what cannot be laid off, and terms that are none', () => {
    const { desk, port } = fakeDesk()
    expect(() => desk.layOff(heldOn([[0, 1]]), terms)).toThrow('only a position that the maker backs')
    for (const betMicros of [0, 1.5, Number.NaN]) expect(() => desk.layOff(backed(), { ...terms, betMicros })).toThrow('a bet is')
    for (const minOddsE4 of [10_000, 20_000.5, 0, Infinity, Number.NaN]) expect(() => desk.layOff(backed(), { ...terms, minOddsE4 })).toThrow('lowest odds are')
    for (const decideInUs of [-1, 0.5, Infinity]) expect(() => desk.layOff(backed(), { ...terms, decideInUs })).toThrow('a delay is')
    const row = heldRowOn([[0, 1]])
    const view = FACADES.position(row)
    row.hide()
    expect(() => desk.layOff(view, terms)).toThrow('a view holds')
    expect(port.calls).toEqual([])
  })

  it('says whether the other service takes the bet', () => {
    const { desk, port } = fakeDesk()
    expect(desk.layOff(backed(), { ...terms, minOddsE4: 22_000 })).toBe(true)
    expect(port.calls[0]).toEqual(['layOff', 3, 5, 1, 22_000, 0])
  })
})
