import { expect, it } from 'vitest'
import type { OperatorInput } from '../../src/engine/config.ts'
import { operatorWith } from '../../src/scenario/operatorSchedule.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'

const list = (atUs: number, market: number): OperatorInput => ({ atUs, op: ParlayOp.listMarket, market, closeUs: 1000 })
const resolve = (atUs: number, market: number): OperatorInput => ({ atUs, op: ParlayOp.resolveMarket, market, value: 1 })
const parts = { fromUs: 0, marketOf: Number, accountsOf: () => [] }

it('an announcement within a halt waits for its end, one on either edge does not, and what is no announcement never does', () => {
  const halt = { market: '1', fromUs: 10, untilUs: 20 }
  const listedAt = (atUs: number, untilUs: number | null = 20) =>
    operatorWith([list(atUs, 1), list(atUs, 2), resolve(15, 1)], {}, { halts: [{ ...halt, untilUs }] }, parts).flatMap((input) => (input.op === ParlayOp.listMarket ? [[input.market, input.atUs]] : []))
  expect(listedAt(10)).toEqual([[1, 10], [2, 10]])
  expect(listedAt(11)).toEqual([[2, 11], [1, 20]])
  expect(listedAt(19)).toEqual([[2, 19], [1, 20]])
  expect(listedAt(20)).toEqual([[1, 20], [2, 20]])
  expect(listedAt(11, null)).toEqual([[2, 11]])
  const rows = operatorWith([list(0, 1), resolve(15, 1)], {}, { halts: [halt] }, parts)
  expect(rows.map(({ op, atUs }) => [op, atUs])).toEqual([
    [ParlayOp.listMarket, 0], [ParlayOp.haltMarket, 10], [ParlayOp.resolveMarket, 15], [ParlayOp.resumeMarket, 20],
  ])
})

it('a market that is taken off the list is not announced again, nor halted, and is decided all the same', () => {
  const rows = operatorWith([list(0, 1), list(9, 1), list(10, 1), list(10, 2), resolve(15, 1)], {}, { delistings: [{ market: '1', atUs: 10 }] }, parts)
  expect(rows.map(({ op, market, atUs }) => [op, market, atUs])).toEqual([
    [ParlayOp.listMarket, 1, 0], [ParlayOp.listMarket, 1, 9], [ParlayOp.listMarket, 2, 10], [ParlayOp.delistMarket, 1, 10], [ParlayOp.resolveMarket, 1, 15],
  ])
})
