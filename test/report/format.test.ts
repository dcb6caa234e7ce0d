import { expect, test } from 'vitest'
import { pValue, spanCell } from '../../src/report/html/format.ts'
import { intervalNote } from '../../src/report/html/intervalPlot.ts'

test.each([[null, '–'], [0.2344, '0.234'], [0.001, '0.001'], [0.0009, '<data value="0">below .001</data>']])('a p-value of %s is %s, the least of all first in order', (p, text) => {
  expect(String(pValue(p))).toBe(text)
})

test('a duration in a column has its microseconds beside its words', () => {
  expect(String(spanCell(7.2e9))).toBe('<data value="7200000000">2 h</data>')
})

test.each([[null, null, 'without intervals'], [0, 0, 'without intervals'], [1, 2, 'with 95% intervals']])('estimates between %s and %s are drawn %s', (low, high, note) => {
  expect(intervalNote([{ estimate: 1, low: null, high: null, level: 0.95, count: 1, label: '' }, { estimate: 0, low, high, level: 0.95, count: 2, label: '' }])).toBe(note)
})
