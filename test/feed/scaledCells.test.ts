import { describe, expect, it } from 'vitest'
import { ByteCells } from '../../src/feed/rows/byteCells.ts'
import { type Cells, NumberCells, ValueCells } from '../../src/feed/rows/cells.ts'
import { CodedCells } from '../../src/feed/rows/codedCells.ts'

function bytesOf(texts: readonly string[]): ByteCells {
  const cells = new ByteCells()
  cells.data = Buffer.from(texts.join(','))
  const ends = texts.map((_, i) => texts.slice(0, i + 1).join(',').length)
  cells.starts = Int32Array.from(texts, (text, i) => ends[i]! - text.length)
  cells.ends = Int32Array.from(ends)
  return cells
}

/** Texts, the decimals that are asked for, and the whole number that it becomes; NaN for what is told otherwise. */
const TEXTS: readonly (readonly [text: string, digits: number, scaled: number])[] = [
  ['9007199254740991', 0, 9_007_199_254_740_991], ['9007199254740992', 0, NaN], ['9999999999999999', 0, NaN], ['900719925474099.1', 1, 9_007_199_254_740_991], ['90071992547409.93', 0, NaN],
  ['9007199254740.993', 4, NaN], ['1750359600000000', 0, 1_750_359_600_000_000], ['-1750359600000000', 0, -1_750_359_600_000_000], ['0.5700000000000000', 6, NaN], ['0.570000000000000', 6, 570_000], ['12345678901234567', 0, NaN],
  ['0.57', 6, 570_000], [' +.5\t', 6, 500_000], ['5.', 0, 5], ['0.1234567', 6, NaN], ['', 0, NaN], ['-', 0, NaN], ['.', 0, NaN], ['1.2.3', 0, NaN], ['1e3', 0, NaN],
]

describe('a plain decimal is a whole number of its last place', () => {
  const kinds: readonly (readonly [string, (texts: readonly string[]) => Cells])[] = [
    ['bytes', bytesOf], ['texts', (texts) => new ValueCells(texts)], ['codes', (texts) => new CodedCells(new ValueCells(texts), texts.length, Int32Array.from(texts, (_, i) => i))],
  ]

  it.each(kinds)('in %s, one by one and together', (_, make) => {
    const cells = make(TEXTS.map(([text]) => text))
    for (const [row, [text, digits, scaled]] of TEXTS.entries()) {
      const together = new Float64Array(1)
      cells.scaledRows(row, row + 1, digits, together)
      expect([text, cells.scaled(row, digits), together[0]]).toEqual([text, scaled, scaled])
    }
  })

  it('in numbers', () => {
    const into = new Float64Array(5)
    new NumberCells(Float64Array.of(7, 0.57, 0.1 + 0.2, NaN, 1e12, 0.000_001)).scaledRows(1, 6, 6, into)
    // 0.1 + 0.2 is not 0.3, and 10¹⁸ is no safe integer.
    expect([...into]).toEqual([570_000, NaN, NaN, NaN, 1])
  })
})
