import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { anvilPackage } from '../../src/chain/evm/anvilPackage.ts'
import { checkParts } from '../../src/parts/parts.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { PACKAGES_APART } from '../../tools/bundle/bundle.ts'

const { dependencies, devDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(readFileSync(fileURLToPath(new URL('../../package.json', import.meta.url)), 'utf8')) as
  Record<'dependencies' | 'devDependencies' | 'peerDependencies', Record<string, string>> & { peerDependenciesMeta: Record<string, { optional: boolean }> }

const mistake = (...call: Parameters<typeof checkParts>): string => {
  try {
    checkParts(...call)
    return 'nothing is missing'
  } catch (error) {
    return (error as InputError).describe()
  }
}

describe('parts that a user adds', () => {
  it('are said with the command that adds those that are missing', () => {
    expect(mistake('a chain', ['litesvm', 'secp256k1'], () => false)).toMatch(
      /^a chain needs litesvm and secp256k1, which parlor comes without\n {2}hint: add what is missing: npm install litesvm@\d+\.\d+\.\d+ secp256k1@\d+\.\d+\.\d+$/,
    )
    expect(mistake('a chain', ['litesvm', 'secp256k1'], (name) => name === 'litesvm')).toMatch(/^a chain needs secp256k1, .* npm install secp256k1@\S+$/s)
  })

  it('are found where they are installed', () => {
    expect(mistake('a chain', ['@solana/web3.js', 'litesvm', 'secp256k1'])).toBe('nothing is missing')
  })

  it('are those that a bundle does not contain and parlor does not bring, and the local chains of all platforms', () => {
    const platforms = [['darwin', 'arm64'], ['darwin', 'x64'], ['linux', 'arm64'], ['linux', 'x64'], ['win32', 'x64']] as const
    const added = [...platforms.map(([platform, arch]) => anvilPackage(platform, arch)), ...PACKAGES_APART.filter((name) => !Object.hasOwn(dependencies, name))]
    expect(Object.keys(peerDependencies).toSorted()).toEqual(added.toSorted())
    expect(Object.values(peerDependenciesMeta).map(({ optional }) => optional)).toEqual(added.map(() => true))
    expect(anvilPackage('freebsd', 'x64')).toBe(null)
  })

  it('are tried here in the versions that the command names', () => {
    for (const [name, range] of Object.entries(peerDependencies)) expect(range.split(' || ').at(-1)).toBe(`^${devDependencies[name] ?? '1.7.1'}`)
  })
})
