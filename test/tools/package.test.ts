import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { brokenLinks } from '../../tools/package/links.ts'
import { undecided } from '../../tools/package/mayPublish.ts'
import { newFolder, put } from '../scenario/small.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

interface PackageJson {
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, PackageJson>> }
const ours = packages['']!
const { files: listed } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: string[] }
/** `dist` is made when it is packed. */
const files = listed.filter((path) => path !== 'dist')

/** What npm installs beside parlor on some platform, with parlor. */
function brought(): PackageJson[] {
  const names = new Set<string>()
  const waiting = Object.keys({ ...ours.dependencies, ...ours.optionalDependencies })
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (names.has(name)) continue
    names.add(name)
    const { dependencies, optionalDependencies } = packages[`node_modules/${name}`]!
    waiting.push(...Object.keys({ ...dependencies, ...optionalDependencies }))
  }
  return [...names].map((name) => packages[`node_modules/${name}`]!)
}

/** Whether a list of ranges (^, >=, x) has a version. */
function has(ranges: string, version: string): boolean {
  const wanted = version.split('.').map(Number)
  const isAtLeast = (least: readonly number[]): boolean => {
    const at = wanted.findIndex((number, i) => number !== (least[i] ?? 0))
    return at < 0 || wanted[at]! > (least[at] ?? 0)
  }
  return ranges.split('||').some((range) => {
    const [, sign, text] = /^(\^|>=)\s*([\d.]+?)(?:\.x)?$/.exec(range.trim())!
    const least = text!.split('.').map(Number)
    return isAtLeast(least) && (sign === '>=' || least[0] === wanted[0])
  })
}

describe('the package', () => {
  it('asks for no other Node than what it brings does, of which npm would warn', () => {
    const { node } = ours.engines!
    const versions = ['20.18.9', '20.19.0', '20.99.0', '21.9.0', '22.12.9', '22.13.0', '23.99.0', '24.0.0', '26.1.0']
    const taken = versions.filter((version) => has(node!, version))
    expect(taken).toEqual(['20.19.0', '20.99.0', '22.13.0', '24.0.0', '26.1.0'])
    const ranges = brought().flatMap(({ engines }) => engines?.node ?? [])
    expect(ranges.length).toBeGreaterThan(20)
    expect(ranges.filter((range) => taken.some((version) => !has(range, version)))).toEqual([])
  })

  it('has what README links to', () => {
    const root = newFolder()
    for (const path of ['README.md', ...files]) cpSync(join(ROOT, path), join(root, path), { recursive: true })
    expect(brokenLinks(root)).toEqual([])
  })

  it('has a README whose links lead nowhere, if they do', () => {
    const root = newFolder()
    put(root, 'README.md', '[a](pages/a.txt) [b](pages/b.txt#part) ![c](c.svg) [d](https://example.com/d) [e](#e)')
    put(root, 'pages/a.txt', '')
    expect(brokenLinks(root)).toEqual(['pages/b.txt', 'c.svg'])
  })

  it('is not published before its owner has given it a licence with its text and a repository', () => {
    const root = newFolder()
    put(root, 'package.json', '{"license":"UNLICENSED","private":true}')
    expect(undecided(root)).toEqual([
      'license in package.json is UNLICENSED: nobody may use what is published', 'there is no file LICENSE with the terms',
      'package.json names no repository, which provenance is checked against', 'private in package.json keeps npm from publishing it by any way: take it out last',
    ])
    put(root, 'package.json', '{"license":"MIT","repository":"github:owner/parlor"}')
    put(root, 'LICENSE', 'MIT')
    expect(undecided(root)).toEqual([])
    expect(undecided(ROOT).at(-1)).toMatch(/^private /)
  })
})
