import { expect, test } from 'vitest'
import { ACTIONS_PER_INSTANT_MAX, InstantBudget, withoutTime } from '../../src/agent/instantBudget.ts'

/** Whether none was too much. */
const spend = (budget: InstantBudget, nowUs: number, count: number): boolean => {
  let isEnough = true
  for (let i = 0; i < count; i++) isEnough &&= budget.spend(nowUs)
  return isEnough
}

test('an instant allows a hundred thousand actions and no more, and the next instant as many again', () => {
  const budget = new InstantBudget()
  expect(spend(budget, 5, ACTIONS_PER_INSTANT_MAX)).toBe(true)
  expect(budget.spend(5)).toBe(false)
  expect(spend(budget, 6, ACTIONS_PER_INSTANT_MAX)).toBe(true)
  expect(budget.spend(6)).toBe(false)
})

test('an instant allows as many as were asked for', () => {
  const budget = new InstantBudget(3)
  expect([spend(budget, 5, 3), budget.spend(5)]).toEqual([true, false])
  expect(withoutTime(budget, spend).message).toBe('it did not let time pass: more than 3 actions at one instant')
})

test('what the market gives rise to is no action, and allows one more at its instant alone', () => {
  const budget = new InstantBudget()
  for (let i = 0; i < 3; i++) budget.allow(5)
  expect(spend(budget, 5, ACTIONS_PER_INSTANT_MAX + 3)).toBe(true)
  expect(budget.spend(5)).toBe(false)
  budget.allow(5)
  expect(spend(budget, 6, ACTIONS_PER_INSTANT_MAX)).toBe(true)
  expect(budget.spend(6)).toBe(false)
})
