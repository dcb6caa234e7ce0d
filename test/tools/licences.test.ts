import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { bundle, packageOf } from '../../tools/bundle/bundle.ts'
import { licenceFaults, shippedPackages } from '../../tools/licences/check.ts'
import { newFolder, put } from '../scenario/small.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** From the first folder of packages on, as a lockfile names it. */
const packageFolder = (module: string): string => /[\\/](node_modules[\\/].*)$/s.exec(module)![1]!.replace(/^(.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/].*$/s, '$1').replaceAll('\\', '/')

const LIST = {
  allowed: { MIT: 'its text goes along' },
  exceptions: [{ name: 'silent@1.0.0', says: null, terms: 'MIT, in its README', because: 'it is needed' }],
}

/** A checkout with packages: what the lockfile says of each, and what its own package.json does. parlor brings those at the top, unless told. */
function checkout(packages: Readonly<Record<string, readonly [locked: object, own: object | null]>>, ours?: object): string {
  const root = newFolder()
  const top = Object.keys(packages).filter((path) => path.split('node_modules/').length === 2).map((path) => [path.slice('node_modules/'.length), '*'])
  put(root, 'package-lock.json', JSON.stringify({ packages: { '': ours ?? { dependencies: Object.fromEntries(top) as object }, ...Object.fromEntries(Object.entries(packages).map(([path, [locked]]) => [path, locked])) } }))
  for (const [path, [, own]] of Object.entries(packages)) if (own !== null) put(root, `${path}/package.json`, JSON.stringify(own))
  return root
}

const SILENT = { 'node_modules/silent': [{ version: '1.0.0' }, {}] } as const

describe('licences of what users get', () => {
  it('are all on the list, whose exceptions are all there', () => {
    expect(licenceFaults(ROOT)).toEqual([])
  })

  it('are looked for in each package, also one inside of another', () => {
    const root = checkout({
      ...SILENT,
      'node_modules/fine': [{ version: '2.0.0', license: 'MIT', dependencies: { '@scope/inner': '3' } }, { license: 'MIT' }],
      'node_modules/fine/node_modules/@scope/inner': [{ version: '3.0.0', license: 'MIT' }, { license: 'GPL-3.0-only' }],
      'node_modules/elsewhere': [{ version: '4.0.0', license: 'SSPL-1.0' }, null],
      'node_modules/old': [{ version: '6.0.0' }, { licenses: ['MIT'] }],
    })
    expect(licenceFaults(root, LIST)).toEqual([
      '@scope/inner@3.0.0 has the licence GPL-3.0-only, which tools/licences/allowed.ts does not list',
      'elsewhere@4.0.0 has the licence SSPL-1.0, which tools/licences/allowed.ts does not list',
      'old@6.0.0 names no licence, which tools/licences/allowed.ts does not list',
    ])
  })

  it('count for what the bundle may contain, what is optional, what a user adds, and what these need; not for what only we use', () => {
    const gpl = { version: '1.0.0', license: 'GPL-3.0-only' }
    const names = ['bundled', 'lazily', '@scope/late', 'brought', 'optional', 'added', 'beside', 'ours', 'needed', 'peer'] as const
    const needing = { ...gpl, dependencies: { needed: '1' }, peerDependencies: { peer: '1', absent: '1' } }
    const root = checkout(
      { ...SILENT, ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, [name === 'bundled' ? needing : gpl, null]])), 'node_modules/ours/node_modules/needed': [gpl, null] },
      {
        dependencies: { silent: '1', brought: '1' }, optionalDependencies: { optional: '1' }, peerDependencies: { added: '1' },
        devDependencies: { bundled: '1', lazily: '1', '@scope/late': '1', ours: '1', beside: '1' },
      },
    )
    put(root, 'src/a.ts', "import { one } from 'bundled/part'\nconst two = () => import('lazily')\n")
    put(root, 'src/deep/b.ts', "const three = require('@scope/late') as typeof import('beside')\n")
    expect([...shippedPackages(root)].toSorted()).toEqual(['silent', ...names].filter((name) => name !== 'ours').map((name) => `node_modules/${name}`).toSorted())
    expect(licenceFaults(root, LIST)).toHaveLength(names.length - 1)
  })

  it('are looked at for every package of the bundle', async () => {
    const chunks = await bundle(newFolder())
    const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap((id) => (packageOf(id) === null ? [] : [packageFolder(id)])))
    expect(folders.size).toBeGreaterThan(50)
    expect([...folders].filter((path) => !shippedPackages(ROOT).has(path))).toEqual([])
  })

  it('of an exception hold for its version and its words alone, and while it is there', () => {
    expect(licenceFaults(checkout({}), LIST)).toEqual(['silent@1.0.0 is listed in tools/licences/allowed.ts, and is not installed'])
    expect(licenceFaults(checkout({ 'node_modules/silent': [{ version: '1.0.1' }, {}] }), LIST)).toHaveLength(2)
    expect(licenceFaults(checkout({ 'node_modules/silent': [{ version: '1.0.0' }, { license: 'GPL-3.0-only' }] }), LIST)).toHaveLength(1)
    expect(licenceFaults(checkout(SILENT), LIST)).toEqual([])
  })
})
