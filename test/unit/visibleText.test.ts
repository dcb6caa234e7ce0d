import { describe, expect, it } from 'vitest'
import { shownWords, visibleText, withShortLines } from '../../src/unit/visibleText.ts'

describe('a text for a terminal', () => {
  it.each([
    ['a colour', '\u001b[31mred', '\\u001b[31mred'],
    ['a title, by the C1 form too', '\u001b]0;mine\u0007 \u009d0;mine\u009c', '\\u001b]0;mine\\u0007 \\u009d0;mine\\u009c'],
    ['a carriage return, which writes over the line', 'lost\rwon', 'lost\\u000dwon'],
    ['a backspace and DEL', 'a\bb\u007f', 'a\\u0008b\\u007f'],
    ['marks that turn the writing around', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
    ['lines and tabs, which stay', 'a\n\tb', 'a\n\tb'],
    ['letters of other scripts, which stay', 'Zürich 東京 🎲', 'Zürich 東京 🎲'],
  ])('shows %s', (_, text, shown) => {
    expect(visibleText(text)).toBe(shown)
  })

  it.each([[2_000, 2_000], [2_001, 2_000 + ' … 1 letters … '.length]])('cuts a line of %i letters to %i', (letters, shown) => {
    expect(withShortLines(`a\n${'x'.repeat(letters)}\nb`).split('\n').map((line) => line.length)).toEqual([1, shown, 1])
  })
})

it('words of a stranger are one visible line of 2,000 letters and the count of the others', () => {
  expect(shownWords('\u001b[2Jno\nway')).toBe('\\u001b[2Jno way')
  expect(shownWords('x'.repeat(2_000))).toBe('x'.repeat(2_000))
  expect(shownWords(`${'x\n'.repeat(1_000)}x`)).toBe(`${'x '.repeat(500)} … 1 letters … ${' x'.repeat(500)}`)
})

it('a line that was cut is not cut again, so that its count stays that of the whole', () => {
  const once = withShortLines(`${'x'.repeat(5_000)}\n${shownWords('y'.repeat(700), 500)}`)
  expect(once).toContain(' … 3,000 letters … ')
  expect(once).toContain(' … 200 letters … ')
  expect(withShortLines(once)).toBe(once)
  expect(shownWords(once.split('\n')[1]!, 500)).toBe(once.split('\n')[1])
})
