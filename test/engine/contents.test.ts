import { describe, expect, it } from 'vitest'
import { LegsRow } from '../../src/agent/views.ts'
import { CONTENT_STRIDE, Contents, ContentWord } from '../../src/engine/contents.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'

/** Two legs in one row. */
function rowOfLegs(): EventRows {
  const rows = new EventRows({ next: 1 }, 0)
  rows.open(0, ParlayEvent.requestCreated, 0)
  for (const value of [3, 1, 5, 0]) rows.push(value)
  return rows
}

const legsOf = (contents: Contents, slot: number): { markets: number[]; sides: number[] } => {
  const view = new LegsRow()
  contents.show(slot, view)
  return { markets: [...view.markets.subarray(0, view.count)], sides: [...view.sides.subarray(0, view.count)] }
}

/** The fields of a content, but for its legs. */
const fieldsOf = (contents: Contents, content: number): number[] => [
  ...contents.words.subarray(content, content + CONTENT_STRIDE),
  ...contents.cells.subarray(content, content + CONTENT_STRIDE),
]

describe('the content of messages', () => {
  const rows = rowOfLegs()
  const row = rows.row(0)
  const makes: [string, (contents: Contents) => number][] = [
    ['a row', (contents) => contents.ofRow(rows, row, 7)], ['another content', (contents) => contents.copy(contents.ofRow(rows, row, 7))],
  ]

  it.each(makes)('made of %s has nothing of a former tenant', (_name, make) => {
    const [fresh, used] = [new Contents(2), new Contents(2)]
    for (const slot of [used.ofRow(rows, row, 1), used.ofRow(rows, row, 2)]) {
      for (const fields of [used.words, used.cells]) fields.fill(9, slot, slot + CONTENT_STRIDE)
      used.words[slot + ContentWord.references] = 1
      used.drop(slot)
    }
    expect(fieldsOf(used, make(used))).toEqual(fieldsOf(fresh, make(fresh)))
  })

  it.each(makes)('made of %s shows its legs', (_name, make) => {
    const contents = new Contents(2)
    expect(legsOf(contents, make(contents))).toEqual({ markets: [3, 5], sides: [1, 0] })
  })
})
