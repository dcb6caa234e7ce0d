import { expect, test } from 'vitest'
import { ACTIONS_PER_INSTANT_MAX, InstantBudget } from '../../src/agent/instantBudget.ts'

const spend = (budget: InstantBudget, nowUs: number, count: number) => {
  for (let i = 0; i < count; i++) budget.spend(nowUs)
}

test('an instant allows a hundred thousand actions and no more, and the next instant as many again', () => {
  const budget = new InstantBudget()
  spend(budget, 5, ACTIONS_PER_INSTANT_MAX)
  expect(() => budget.spend(5)).toThrow('it did not let time pass: more than 100000 actions at one instant')
  spend(budget, 6, ACTIONS_PER_INSTANT_MAX)
  expect(() => budget.spend(6)).toThrow('it did not let time pass')
})

test('what the market gives rise to is no action, and allows one more at its instant alone', () => {
  const budget = new InstantBudget()
  for (let i = 0; i < 3; i++) budget.allow(5)
  spend(budget, 5, ACTIONS_PER_INSTANT_MAX + 3)
  expect(() => budget.spend(5)).toThrow('it did not let time pass')
  budget.allow(5)
  spend(budget, 6, ACTIONS_PER_INSTANT_MAX)
  expect(() => budget.spend(6)).toThrow('it did not let time pass')
})
