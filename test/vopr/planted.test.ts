import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { PLANTED } from './planted.ts'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

describe('a planted fault', () => {
  it.each(PLANTED.map((planted) => [planted.name, planted] as const))('can be planted at one place: %s', (_, { file, text, replacement, test }) => {
    expect(readFileSync(at(file), 'utf8').split(text)).toHaveLength(2)
    expect(replacement).not.toBe(text)
    if (test !== undefined) expect(existsSync(at(test))).toBe(true)
  })
})
