import { expect, test } from 'vitest'
import type { TableWriter } from '../../src/arrow/tableWriter.ts'
import { MarkRows } from '../../src/record/markRows.ts'
import type { markTable } from '../../src/record/moneyTables.ts'
import type { Reference } from '../../src/record/reference.ts'

test('values each decision at its own legs, in the order of their legs', () => {
  const valued: [atUs: number, legs: string][] = []
  const reference = {
    value(atUs: number, legCount: number, markets: Int32Array, sides: Uint8Array, from: number) {
      valued.push([atUs, Array.from({ length: legCount }, (_, i) => `${markets[from + i]!}${sides[from + i] === 1 ? 'yes' : 'no'}`).join(' ')])
      return 0
    },
  }
  const rows = new MarkRows({} as TableWriter, {} as ReturnType<typeof markTable>['at'], [10], { service: 0, reference: reference as unknown as Reference, due: () => {} })
  // Legs of all decisions stand in one row, of which each decision takes its own.
  const markets = Int32Array.of(9, 4, 5, 6, 7)
  const sides = Uint8Array.of(1, 1, 0, 0, 1)
  rows.begin(1, 100, 1, 2, markets, sides, 1)
  rows.begin(2, 103, 2, 2, markets, sides, 3)
  rows.mark(110)
  rows.begin(3, 104, 3, 3, markets, sides, 0)
  rows.mark(113)
  rows.mark(114)
  expect(valued).toEqual([[110, '4yes 5no'], [113, '6no 7yes'], [114, '9yes 4yes 5no']])
})

test('asks to be called at the instant of its earliest mark, and not again where that is known', () => {
  const asked: number[] = []
  const reference = { value: () => 0 } as unknown as Reference
  const rows = new MarkRows({} as TableWriter, {} as ReturnType<typeof markTable>['at'], [10, 25], { service: 0, reference, due: (atUs) => void asked.push(atUs) })
  rows.begin(1, 100, 1, 0, new Int32Array(0), new Uint8Array(0), 0)
  rows.begin(2, 103, 2, 0, new Int32Array(0), new Uint8Array(0), 0)
  expect([asked, rows.nextDueUs()]).toEqual([[110], 110])
  // What is left: the second decision's at 113, then both of the longer horizon.
  const next = [110, 113, 125, 128].map((dueUs) => {
    rows.mark(dueUs)
    return rows.nextDueUs()
  })
  expect(next).toEqual([113, 125, 128, Infinity])
})
