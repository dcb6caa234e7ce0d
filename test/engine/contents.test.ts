import { describe, expect, it } from 'vitest'
import { LegsView } from '../../src/agent/views.ts'
import { Contents } from '../../src/engine/contents.ts'
import { EventRows } from '../../src/venue/eventRows.ts'

/** Two legs in one row. */
function rowOfLegs(): EventRows {
  const rows = new EventRows({ next: 1 }, 0)
  rows.open(0, 1, 0)
  for (const value of [3, 1, 5, 0]) rows.push(value)
  return rows
}

const legsOf = (contents: Contents, slot: number): { markets: number[]; sides: number[] } => {
  const view = new LegsView()
  contents.show(slot, view)
  return { markets: [...view.markets.subarray(0, view.legCount)], sides: [...view.sides.subarray(0, view.legCount)] }
}

/** Columns that a row has one cell of, but for the count of references. */
const columnsOf = (contents: Contents): [string, Float64Array][] =>
  Object.entries(contents).filter(([name, column]) => ArrayBuffer.isView(column) && !['legs', 'references', 'freeSlots'].includes(name))

const cellsOf = (contents: Contents, slot: number): [string, number][] => columnsOf(contents).map(([name, column]) => [name, column[slot]!])

describe('the content of messages', () => {
  const rows = rowOfLegs()
  const makes: [string, (contents: Contents) => number][] = [
    ['a row', (contents) => contents.ofRow(rows, 0, 7)], ['another content', (contents) => contents.copy(contents.ofRow(rows, 0, 7))],
  ]

  it.each(makes)('made of %s has nothing of a former tenant', (_name, make) => {
    const [fresh, used] = [new Contents(2), new Contents(2)]
    for (const slot of [used.ofRow(rows, 0, 1), used.ofRow(rows, 0, 2)]) {
      for (const [, column] of columnsOf(used)) column[slot] = 9
      used.drop(slot)
    }
    expect(cellsOf(used, make(used))).toEqual(cellsOf(fresh, make(fresh)))
  })

  it.each(makes)('made of %s shows its legs', (_name, make) => {
    const contents = new Contents(2)
    expect(legsOf(contents, make(contents))).toEqual({ markets: [3, 5], sides: [1, 0] })
  })
})
