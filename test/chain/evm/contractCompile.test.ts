import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { artifactText, artifactUrl, compileNamed, CONTRACT_NAMES } from '../../../tools/vaultContract/compile.ts'

describe('compiled contracts', () => {
  it.each(CONTRACT_NAMES)('%s is what the bundled compiler makes of its source, byte for byte', (name) => {
    expect(artifactText(compileNamed(name))).toBe(readFileSync(artifactUrl(name), 'utf8'))
  })
})
