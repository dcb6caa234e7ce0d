import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ALL, REPLACING, SLOW } from '../division.ts'

const cwd = fileURLToPath(new URL('../..', import.meta.url))
const filesOf = (patterns: readonly string[]): string[] => globSync(patterns, { cwd })

describe('the division of test files', () => {
  it.each([...SLOW, ...REPLACING])('%s names files that there are', (pattern) => {
    expect(filesOf([pattern])).not.toEqual([])
  })

  it('leaves files to the quick loop, and names none that is no test', () => {
    const all = filesOf(ALL)
    const named = new Set(filesOf([...SLOW, ...REPLACING]))
    expect([...named].filter((file) => !all.includes(file))).toEqual([])
    expect(all.length - named.size).toBeGreaterThan(100)
  })
})
