import { expect, it } from 'vitest'
import { BalanceSheet } from '../../../src/chain/mirror/balanceSheet.ts'
import type { Movement } from '../../../src/chain/mirror/settlementStep.ts'
import { AccountKind } from '../../../src/ledger/ledger.ts'

const movement = (debitKind: number, debitOwner: number, creditKind: number, creditOwner: number, amountMicros: number): Movement =>
  ({ seq: 1, atUs: 0, cause: 0, position: 7, debitKind, debitOwner, creditKind, creditOwner, amountMicros })

it('a position has its money as long as any is in its pot or in its escrow', () => {
  const sheet = new BalanceSheet()
  sheet.deposit(3, 100)
  sheet.move(movement(AccountKind.free, 3, AccountKind.escrow, 7, 30))
  expect([sheet.positionMoney(7), sheet.sumMicros(), sheet.heldMicros]).toEqual([{ potMicros: 0, escrowMicros: 30 }, 100, 100])
  sheet.move(movement(AccountKind.escrow, 7, AccountKind.pot, 7, 30))
  expect([sheet.positionMoney(7), sheet.sumMicros()]).toEqual([{ potMicros: 30, escrowMicros: 0 }, 100])
  sheet.move(movement(AccountKind.pot, 7, AccountKind.free, 3, 30))
  expect([[...sheet.positions.keys()], sheet.balanceMicros(3)]).toEqual([[], 100])
})
