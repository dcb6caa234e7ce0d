import { expect, test } from 'vitest'
import { beginningOf, type Found, ItemColumn, itemsAt, pathsOf } from '../../src/feed/rows/jsonItems.ts'

const whole = (value: unknown): Found => ({ value, name: '', around: null })
const shown = (value: unknown, path: string, ...columns: string[]): unknown[][] =>
  itemsAt(whole(value), path).map((row) => columns.map((column) => new ItemColumn(column).valueOf(row)))

test.each([
  ['a list', { at: 1, m: [{ t: 'A' }, { t: 'B', at: 2 }] }, 'm', ['t', 'at'], [['A', 1], ['B', 2]]],
  ['one object', { at: 1, m: { t: 'A' } }, 'm', ['t', 'at'], [['A', 1]]],
  ['lists in lists', { at: 1, e: [{ s: 'X', m: [{ t: 'A' }, { t: 'B' }] }, { s: 'Y', m: [{ t: 'C', s: 'Z' }] }] }, 'e.m', ['t', 's', 'at'], [['A', 'X', 1], ['B', 'X', 1], ['C', 'Z', 1]]],
  ['the members of an object', { m: { A: { r: 'yes' }, B: { r: 'no' } } }, 'm.*', ['*', 'r'], [['A', 'yes'], ['B', 'no']]],
  ['lists beside a list of names', { n: ['A', 'B'], c: [[{ p: 1 }, { p: 2 }], [{ p: 3 }]] }, 'c.*', ['n.*', 'p'], [['A', 1], ['A', 2], ['B', 3]]],
  ['lists of values', { h: [[5, 0.5], [6, 0.25]] }, 'h', ['0', '1'], [[5, 0.5], [6, 0.25]]],
  ['nothing, where another thing lies there', { m: 'A' }, 'm', ['t'], []],
  ['nothing, where nothing lies there', { n: [] }, 'm', ['t'], []],
  ['an object whose name has dots', { m: { 't.x': 1, t: { x: 2 } } }, 'm', ['t.x'], [[1]]],
  ['what a list has in its items', { m: { legs: [{ e: 'X' }, { e: 'Y' }, {}] } }, 'm', ['legs.e', 'legs.f'], [[['X', 'Y'], undefined]]],
])('the rows at a path are those of %s', (_, value, path, columns, rows) => {
  expect(shown(value, path, ...columns)).toEqual(rows)
})

test('a path does not reach what every object has by itself', () => {
  expect(shown({ m: {} }, 'm', 'constructor', 'm.toString', '__proto__')).toEqual([[undefined, undefined, undefined]])
  expect(itemsAt(whole({}), 'constructor')).toEqual([])
})

test('lists that nest deeply end no run', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)
  expect(shown({ m: deep, legs: deep }, 'm.t', 't')).toEqual([])
  expect(new ItemColumn('legs.e').valueOf(whole({ legs: deep }))).toBeUndefined()
  expect(beginningOf('{"a": '.repeat(200_000))).toBeUndefined()
})

test.each([
  ['{"a": 1, "b": [{"c": 2}, {"c"', { a: 1, b: [{ c: 2 }] }],
  ['{"a": "x, {[", "b": 2', { a: 'x, {[' }],
  ['{"a": "\\\\", "b": "c\\", ", "d', { a: '\\', b: 'c", ' }],
  ['[{"a": 1}, {"a": 2}, {"a', [{ a: 1 }, { a: 2 }]],
  ['{"a": 1}', { a: 1 }],
  ['{"a"', undefined],
  ['a, b', undefined],
])('the beginning of a text is read as far as it is whole: %s', (text, value) => {
  expect(beginningOf(text)).toEqual(value)
})

test('paths are those of objects in objects', () => {
  const found = new Set<string>()
  pathsOf({ a: { b: 1, c: { d: [1] } }, e: null }, found)
  expect([...found]).toEqual(['a.b', 'a.c.d', 'e'])
})
