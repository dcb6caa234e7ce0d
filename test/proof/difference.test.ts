import { describe, expect, it } from 'vitest'
import { bytesDifference, differenceText, jsonDifference, textDifference, valueDifference } from '../../src/proof/difference.ts'
import { newFolder, put } from '../scenario/small.ts'

describe('the first difference', () => {
  it.each([
    ['of equal texts', 'a\nb', 'a\nb', null],
    ['in a line', 'a\nbXd\ne', 'a\nbcd\ne', 'line 2, column 2: "bXd", expected "bcd"'],
    ['in several lines', 'X\nb\nY', 'a\nb\nc', 'line 1, column 1: "X", expected "a"; 1 more line differs'],
    ['of a text that ends early', 'a', 'a\nb\nc', 'line 2, column 1: the end, expected "b"; 1 line, expected 3'],
    ['far in a long line', `${'x'.repeat(100)}A`, `${'x'.repeat(100)}B`, `line 1, column 101: "${'x'.repeat(40)}A", expected "${'x'.repeat(40)}B"`],
  ])('%s', (_, found, expected, said) => {
    const difference = textDifference(found, expected)
    expect(difference === null ? null : differenceText(difference)).toBe(said)
  })

  it.each([
    ['a value', { a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, 'a[1].b: 2, expected 3'],
    ['several values', { a: 1, b: 2, c: 3 }, { a: 0, b: 2, c: 4 }, 'a: 1, expected 0; 1 more value differs'],
    ['a name that is no word', { 'won by me': null }, {}, '["won by me"]: null, expected nothing'],
    ['a value that is missing', { a: {} }, { a: { b: '' } }, 'a.b: nothing, expected ""'],
    ['a longer list', [1, 2], [1], '[1]: 2, expected nothing'],
    ['another kind', { a: [] }, { a: {} }, 'a: [], expected {}'],
    ['the order of fields alone', { a: 1, b: 2 }, { b: 2, a: 1 }, null],
    ['a name that every object has', {}, { constructor: 1 }, 'constructor: nothing, expected 1'],
  ])('of JSON values: %s', (_, found, expected, said) => {
    const difference = valueDifference(found, expected)
    expect(difference === null ? null : differenceText(difference)).toBe(said)
  })

  it('of JSON texts that say the same is their first line', () => {
    expect(jsonDifference('{"a":1}\n', '{\n  "a": 1\n}\n')!.at).toBe('line 1, column 2')
    expect(jsonDifference('{"a":', '{"a":1}')!.at).toBe('line 1, column 6')
    expect(jsonDifference('{"a":1}', '{"a":1}')).toBe(null)
  })

  it('of files is a byte, also behind the first mebibyte', () => {
    const folder = newFolder()
    const file = (name: string, text: string): string => put(folder, name, text)
    const long = 'x'.repeat((1 << 20) + 5)
    expect(bytesDifference(file('a', long), file('b', long))).toBe(null)
    expect(bytesDifference(file('c', `${long}A`), file('d', `${long}B`))).toEqual({ at: 'byte 1,048,581', found: '0x41', expected: '0x42', more: '' })
    expect(bytesDifference(file('e', 'x'.repeat(1 << 20)), file('f', `${'x'.repeat(1 << 20)}y`))).toEqual({ at: 'byte 1,048,576', found: 'its end', expected: '0x79', more: '1,048,576 bytes, expected 1,048,577' })
  })
})
