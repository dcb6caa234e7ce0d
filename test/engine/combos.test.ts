import { describe, expect, it } from 'vitest'
import { LegsRow } from '../../src/agent/rows.ts'
import { COMBO_STRIDE, Combos, ComboWord } from '../../src/engine/combos.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'

/** Two legs in one row. */
function rowOfLegs(): EventRows {
  const rows = new EventRows({ next: 1 }, 0)
  rows.open(0, ParlayEvent.requestCreated, 0)
  for (const value of [3, 1, 5, 0]) rows.push(value)
  return rows
}

const legsOf = (combos: Combos, slot: number): { markets: number[]; sides: number[] } => {
  const view = new LegsRow()
  combos.show(slot, view)
  return { markets: [...view.markets.subarray(0, view.count)], sides: [...view.sides.subarray(0, view.count)] }
}

/** The fields of a combo, but for its legs. */
const fieldsOf = (combos: Combos, combo: number): number[] => [
  ...combos.words.subarray(combo, combo + COMBO_STRIDE),
  ...combos.cells.subarray(combo, combo + COMBO_STRIDE),
]

describe('the combo of messages', () => {
  const rows = rowOfLegs()
  const row = rows.row(0)
  const makes: [string, (combos: Combos) => number][] = [
    ['a row', (combos) => combos.ofRow(rows, row, 7)], ['another combo', (combos) => combos.copy(combos.ofRow(rows, row, 7))],
  ]

  it.each(makes)('made of %s has nothing of a former tenant', (_name, make) => {
    const [fresh, combos] = [new Combos(2), new Combos(2)]
    for (const slot of [combos.ofRow(rows, row, 1), combos.ofRow(rows, row, 2)]) {
      for (const fields of [combos.words, combos.cells]) fields.fill(9, slot, slot + COMBO_STRIDE)
      combos.words[slot + ComboWord.references] = 1
      combos.release(slot)
    }
    expect(fieldsOf(combos, make(combos))).toEqual(fieldsOf(fresh, make(fresh)))
  })

  it.each(makes)('made of %s shows its legs', (_name, make) => {
    const combos = new Combos(2)
    expect(legsOf(combos, make(combos))).toEqual({ markets: [3, 5], sides: [1, 0] })
  })
})
