import { expect, test } from 'vitest'
import { LegRisks } from '../../src/agent/legRisks.ts'
import { legsRowOn } from './fakes.ts'

const YES0 = [0, 1] as const
const NO0 = [0, 0] as const
const NO1 = [1, 0] as const

test('each maker has its own risk on each side of each market', () => {
  const risks = new LegRisks(2, 3)
  risks.add(0, legsRowOn(YES0, NO1), 5)
  risks.add(2, legsRowOn(NO0), 7)
  risks.add(2, legsRowOn(YES0), 11)
  risks.add(2, legsRowOn(NO0), -3)
  expect([...risks.ofSeat(0)]).toEqual([0, 5, 5, 0])
  expect([...risks.ofSeat(1)]).toEqual([0, 0, 0, 0])
  expect([...risks.ofSeat(2)]).toEqual([4, 11, 0, 0])
  expect(risks.micros[risks.at(1, 0, 0)]).toBe(5)
})

test('setting the risks of one maker leaves the others theirs', () => {
  const risks = new LegRisks(2, 2)
  risks.add(0, legsRowOn(YES0), 5)
  risks.setSeat(1, Float64Array.of(1, 2, 3, 4))
  expect([...risks.ofSeat(0)]).toEqual([0, 5, 0, 0])
  expect([...risks.ofSeat(1)]).toEqual([1, 2, 3, 4])
})
