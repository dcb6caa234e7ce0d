import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

describe('helpers of tests', () => {
  const helpers = globSync('test/**/*.ts', { cwd }).filter((file) => !file.endsWith('.test.ts'))

  // Files share a process: what a helper registers when it is loaded holds for the first file alone that loads it.
  it('register nothing when they are loaded', () => {
    expect(helpers.length).toBeGreaterThan(50)
    expect(helpers.filter((file) => /^(?:before|after)(?:Each|All)\(/m.test(readFileSync(join(cwd, file), 'utf8')))).toEqual([])
  })
})

describe('limits of time', () => {
  const LIMIT = /^ *(?:(?:it|test|beforeAll|afterAll)\b.*)?\}\)?, [\d_]{4,}\)$|\b(?:test|hook)?[tT]imeout: [\d_]{4,}/gm

  // The longest soaks alone have limits of their own, beyond that of the suite.
  it('are the suite’s own, and no test has a shorter one', () => {
    const limits = globSync('test/**/*.ts', { cwd }).flatMap((file) =>
      [...readFileSync(join(cwd, file), 'utf8').matchAll(LIMIT)].map(([found]) => `${file}: ${found.trim()}`))
    expect(limits.filter((limit) => !limit.startsWith('test/mutation/') && !limit.endsWith('}, 3_600_000)'))).toEqual([])
    expect(limits.length).toBeGreaterThan(2)
  })
})
