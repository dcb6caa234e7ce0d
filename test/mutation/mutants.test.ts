import { describe, expect, it } from 'vitest'
import { mutantsOf } from './mutants.ts'

const mutated = (source: string): string[] =>
  mutantsOf('x.ts', source).map(({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end))

describe('mutants', () => {
  it.each<[source: string, mutants: string[]]>([
    ['if (a < b) go()', ['if (true) go()', 'if (false) go()', 'if (a <= b) go()', 'if (a >= b) go()', 'if (a < b) ;']],
    ['const x = a && !b', ['const x = a || !b', 'const x = a && b']],
    ['x = a + b', [';', 'x = a - b']],
    ['count++', [';', 'count--']],
    ['x += 1', [';', 'x -= 1']],
    ['const y = Math.floor(a / b)', ['const y = Math.ceil(a / b)', 'const y = Math.floor(a * b)']],
    ['const y = ok ? a : b', ['const y = true ? a : b', 'const y = false ? a : b']],
    ['assert(a, "b")', []],
    ['interface A { b: 1 }', []],
  ])('of %s are %j', (source, expected) => {
    expect(mutated(source).toSorted()).toEqual(expected.toSorted())
  })

  it('name their line', () => {
    expect(mutantsOf('x.ts', 'const a = 1\n\n  const b = a * 2\n')).toMatchObject([{ line: 3, text: 'const b = a * 2', operator: 'arithmetic' }])
  })
})
