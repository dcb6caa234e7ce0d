import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AsciiLine, asciiBytes } from '../../src/arrow/asciiLine.ts'

const textOf = ({ bytes, length }: AsciiLine): string => new TextDecoder().decode(bytes.subarray(0, length))

const numberText = (value: number): string => {
  const line = new AsciiLine()
  line.number(value)
  return textOf(line)
}

describe('a line of ASCII text', () => {
  it.each([
    0, -0, 1, 9, 10, -1, -10, 99, 100, 999_999_999, 1_000_000_000, 1_000_000_001, 1_000_000_010, 2_147_483_647, 2_147_483_648, -4_294_967_296,
    1e18, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 53, 0.5, -1.25e-7, 1e21, NaN, Infinity, -Infinity,
  ])('writes %d as a string would', (value) => {
    expect(numberText(value)).toBe(String(value))
  })

  it('writes whatever number as a string would', () => {
    fc.assert(fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.double()), (value) => { expect(numberText(value)).toBe(String(value)) }))
  })

  it('joins words, bytes and numbers, grows as it must, and begins anew when cleared', () => {
    const line = new AsciiLine()
    for (let i = 0; i < 100; i++) {
      line.word(asciiBytes('place='))
      line.number(i * 1_000_000_007)
      line.byte(32)
    }
    expect(textOf(line)).toBe(Array.from({ length: 100 }, (_, i) => `place=${i * 1_000_000_007} `).join(''))
    line.clear()
    line.number(7)
    expect(textOf(line)).toBe('7')
  })
})
