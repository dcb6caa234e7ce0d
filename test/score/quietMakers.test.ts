import { expect, it } from 'vitest'
import { passLines, quietLines } from '../../src/report/quietMakers.ts'
import { type QuietMaker, quietMakers } from '../../src/score/quietMakers.ts'
import { Names, type RunTables } from '../../src/score/runTables.ts'
import type { Summary } from '../../src/score/summary.ts'

type Cells = Readonly<Record<string, readonly (string | number)[]>>

/** A batch of columns, those of texts as codes. */
const batchOf = (cells: Cells) => ({
  rowCount: Object.values(cells)[0]!.length,
  numbers: (name: string) => cells[name],
  column: (name: string) => {
    if (typeof cells[name]![0] === 'number') return { numbers: Float64Array.from(cells[name] as number[]), valid: null }
    const values = [...new Set(cells[name] as string[])]
    return { values, codes: Int32Array.from(cells[name]!, (value) => values.indexOf(value as string)), valid: null }
  },
})

const times = <V>(count: number, value: V): V[] => Array.from({ length: count }, () => value)

interface Did { readonly sent: number; readonly refused: number; readonly passed: number | null; readonly offers?: number; readonly delivered?: number | null }

/** What is said of a maker `mine`, account 7, that sent commands of which some were refused for `priceTooHigh`, and passed for `shy`. */
function quietOf({ sent, refused, passed, offers = 0, delivered = 100 }: Did): QuietMaker | undefined {
  const tables: Readonly<Record<string, Cells>> = {
    rejections: { cohort: times(refused, 'mine'), rejection: times(refused, 'priceTooHigh'), op: times(refused, 'submitQuote') },
    journal: { account: times(sent, 7), op: times(sent, 'submitQuote') },
    equity: { account: [7], maker: ['mine'] },
  }
  const makers = new Names()
  makers.number('mine')
  const count = passed ?? 0
  return quietMakers({ batches: (name: string) => (tables[name]!['op']?.length === 0 ? [] : [batchOf(tables[name]!)]) } as unknown as RunTables, {
    makers, shown: [0], offers: () => offers, delivered: () => delivered, tellsPasses: () => passed !== null,
    passes: count === 0 ? [] : [{ name: 'mine', count, reasons: [{ reason: 'shy', count, byLegs: {} }] }],
  })[0]
}

const lineOf = (did: Did): string => quietLines({ quiet: [quietOf(did)!] } as unknown as Summary)[0]!

it('names the refusals of a maker most of whose commands were refused, however often it passed', () => {
  expect(quietOf({ sent: 10, refused: 6, passed: 90 })).toMatchObject({ why: 'mostly refused', passes: 90, most: { reason: 'priceTooHigh', count: 6 } })
  expect(lineOf({ sent: 10, refused: 6, passed: 90 })).toBe('mine: 6 of its 10 commands were refused, mostly for priceTooHigh (6)')
  expect(lineOf({ sent: 10, refused: 8, passed: 90, offers: 2 })).toBe('mine: 8 of its 10 commands were refused, mostly for priceTooHigh (8)')
})

it('names the passes of a maker that never quoted, however many of its commands were refused', () => {
  expect(quietOf({ sent: 10, refused: 4, passed: 3 })).toMatchObject({ why: 'never quoted', passes: 3, most: { reason: 'shy', count: 3 } })
  expect(lineOf({ sent: 10, refused: 4, passed: 3 })).toBe('mine never quoted: 100 requests and new versions reached it, and it passed 3 times, mostly for shy (3)')
})

it('names the refusals of a maker that never quoted and never passed', () => {
  expect(lineOf({ sent: 10, refused: 4, passed: 0 })).toBe('mine never quoted: 100 requests and new versions reached it, and it neither quoted nor passed; 4 commands were refused, mostly for priceTooHigh (4)')
})

it('says nothing of a maker that has quoted, while no more than half of its commands were refused', () => {
  expect(quietOf({ sent: 10, refused: 5, passed: 90, offers: 4 })).toBeUndefined()
  expect(quietOf({ sent: 10, refused: 6, passed: 90, offers: 4 })).toMatchObject({ why: 'mostly refused', commands: 10, refused: 6 })
  expect(quietOf({ sent: 10, refused: 5, passed: 90, offers: 5 })).toBeUndefined()
})

it('says nothing of the passes of a maker where nobody knows them', () => {
  expect(quietOf({ sent: 0, refused: 0, passed: null })).toMatchObject({ why: 'never quoted', passes: null, most: null })
  expect(lineOf({ sent: 0, refused: 0, passed: null })).toBe('mine never quoted: 100 requests and new versions reached it')
  expect(lineOf({ sent: 10, refused: 4, passed: null })).toBe('mine never quoted: 100 requests and new versions reached it; 4 commands were refused, mostly for priceTooHigh (4)')
  expect(lineOf({ sent: 0, refused: 0, passed: null, delivered: null })).toBe('mine never quoted')
})

it('a reason is a part of its line, whatever letters it has', () => {
  const most = { reason: 'shy\nerror: strategy of honest threw\u001b[31m', count: 3 }
  const quiet: QuietMaker[] = [{ name: 'mine', why: 'never quoted', delivered: 3, passes: 3, commands: 0, refused: 0, most }]
  const summary = { quiet, passes: [{ name: 'mine', count: 3, reasons: [{ ...most, byLegs: {} }] }], makers: [] } as unknown as Summary
  expect(quietLines(summary)).toEqual(['mine never quoted: 3 requests and new versions reached it, and it passed 3 times, mostly for shy error: strategy of honest threw\\u001b[31m (3)'])
  expect(passLines(summary)).toEqual(['mine passed 3 times: 3 shy error: strategy of honest threw\\u001b[31m'])
})
