import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { DayWriter } from '../../../src/feed/store/dayWriter.ts'
import { newFolder } from '../../scenario/small.ts'

it('a part whose ticks cannot be read is given up, with its file', () => {
  const folder = newFolder()
  const unreadable = { rows: 1, read() { throw new Error('the disk is gone') } }
  const order = { day: 20_000, folder, name: '2024-10-04', tickers: ['A'], codeOf: Int32Array.of(0), closeUs: Float64Array.of(Infinity), runs: [unreadable], path: folder, budgetRows: 1000, overlap: null }
  expect(() => new DayWriter().write(order)).toThrow('the disk is gone')
  expect(readdirSync(folder)).toEqual([])
})
