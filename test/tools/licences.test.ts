import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { licenceFaults } from '../../tools/licences/check.ts'
import { newFolder, put } from '../scenario/small.ts'

const LIST = {
  allowed: { MIT: 'its text goes along' },
  exceptions: [{ name: 'silent@1.0.0', says: null, terms: 'MIT, in its README', because: 'it is needed' }],
}

/** A checkout with packages: what the lockfile says of each, and what its own package.json does. */
function checkout(packages: Readonly<Record<string, readonly [locked: object, own: object | null]>>): string {
  const root = newFolder()
  put(root, 'package-lock.json', JSON.stringify({ packages: { '': {}, ...Object.fromEntries(Object.entries(packages).map(([path, [locked]]) => [path, locked])) } }))
  for (const [path, [, own]] of Object.entries(packages)) if (own !== null) put(root, `${path}/package.json`, JSON.stringify(own))
  return root
}

const SILENT = { 'node_modules/silent': [{ version: '1.0.0' }, {}] } as const

describe('licences of what users get', () => {
  it('are all on the list, whose exceptions are all there', () => {
    expect(licenceFaults(fileURLToPath(new URL('../..', import.meta.url)))).toEqual([])
  })

  it('are looked for in each package, also one inside of another; those that only we use do not count', () => {
    const root = checkout({
      ...SILENT,
      'node_modules/fine': [{ version: '2.0.0', license: 'MIT' }, { license: 'MIT' }],
      'node_modules/fine/node_modules/@scope/inner': [{ version: '3.0.0', license: 'MIT' }, { license: 'GPL-3.0-only' }],
      'node_modules/elsewhere': [{ version: '4.0.0', license: 'SSPL-1.0' }, null],
      'node_modules/ours': [{ version: '5.0.0', dev: true, license: 'GPL-3.0-only' }, { license: 'GPL-3.0-only' }],
      'node_modules/old': [{ version: '6.0.0' }, { licenses: ['MIT'] }],
    })
    expect(licenceFaults(root, LIST)).toEqual([
      '@scope/inner@3.0.0 has the licence GPL-3.0-only, which tools/licences/allowed.ts does not list',
      'elsewhere@4.0.0 has the licence SSPL-1.0, which tools/licences/allowed.ts does not list',
      'old@6.0.0 names no licence, which tools/licences/allowed.ts does not list',
    ])
  })

  it('of an exception hold for its version and its words alone, and while it is there', () => {
    expect(licenceFaults(checkout({}), LIST)).toEqual(['silent@1.0.0 is listed in tools/licences/allowed.ts, and is not installed'])
    expect(licenceFaults(checkout({ 'node_modules/silent': [{ version: '1.0.1' }, {}] }), LIST)).toHaveLength(2)
    expect(licenceFaults(checkout({ 'node_modules/silent': [{ version: '1.0.0' }, { license: 'GPL-3.0-only' }] }), LIST)).toHaveLength(1)
    expect(licenceFaults(checkout(SILENT), LIST)).toEqual([])
  })
})
