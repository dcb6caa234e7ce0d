import { expect, it } from 'vitest'
import { RowInstants } from '../../../../src/serve/outcome/streams/rowInstants.ts'

it('knows when a row came, or the last one before it', () => {
  const instants = new RowInstants(1000)
  for (const [seq, atUs] of [[3, 10], [4, 10], [6, 20], [9, 30]] as const) instants.take(seq, atUs)
  expect([2, 3, 5, 6, 8, 9, 99].map((seq) => instants.at(seq))).toEqual([-1, 10, 10, 20, 20, 30, 30])
})

it('OM-156 goes back as far as a cursor may be, and to the instant before that', () => {
  const instants = new RowInstants(100)
  for (const [seq, atUs] of [[1, 0], [2, 10], [3, 20], [4, 109]] as const) instants.take(seq, atUs)
  // The window begins at 9, and the last instant before that is 0.
  expect([1, 2, 3].map((seq) => instants.at(seq))).toEqual([0, 10, 20])
  instants.take(5, 110)
  expect([1, 2, 3].map((seq) => instants.at(seq))).toEqual([-1, 10, 20])
  instants.take(6, 1000)
  expect([3, 4, 5, 6].map((seq) => instants.at(seq))).toEqual([-1, -1, 110, 1000])
})

it('is right however many instants were dropped', () => {
  const instants = new RowInstants(5)
  for (let seq = 1; seq <= 1000; seq++) instants.take(seq, seq * 2)
  expect([996, 997, 998, 1000, 2000].map((seq) => instants.at(seq))).toEqual([-1, 1994, 1996, 2000, 2000])
})
