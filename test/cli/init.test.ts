import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { newFolder, put } from '../scenario/small.ts'
import { parlorHere } from './parlor.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const { version, devDependencies, files: shipped } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string; devDependencies: Record<string, string>; files: string[] }
const FILES = ['.gitignore', 'README.md', 'maker.test.ts', 'maker.ts', 'package.json', 'scenario.yaml', 'tsconfig.json']
const packageIn = (folder: string): Record<string, unknown> => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>

// `npm run package` installs such a project, plays it, and runs its test.
describe('parlor init', () => {
  it('makes a project whose scenario is played by its maker', async () => {
    const folder = newFolder()
    expect(await parlorHere(folder, 'init', 'My Desk')).toMatchObject({ code: 0, out: expect.stringContaining('npx parlor run scenario.yaml') })
    const desk = join(folder, 'My Desk')
    expect(readdirSync(desk).toSorted()).toEqual(FILES)
    expect(packageIn(desk)).toMatchObject({
      name: 'my-desk', private: true, type: 'module', dependencies: { parlor: version },
      // Vitest 5 warns on Node 20, which parlor takes.
      devDependencies: { '@types/node': devDependencies['@types/node'], typescript: devDependencies['typescript'], vitest: expect.stringMatching(/^4\.\d+\.\d+$/) },
    })
    // What Node has is known to the compiler where its types are named.
    expect(JSON.parse(readFileSync(join(desk, 'tsconfig.json'), 'utf8'))).toMatchObject({ compilerOptions: { types: ['node'] } })
    const played = await parlorHere(desk, 'run', 'scenario.yaml', '--quiet', '--no-report', '--json', '--set', 'arrivals.max=100')
    expect(played.code).toBe(0)
    expect(readFileSync(join(desk, 'runs/scenario/summary.json'), 'utf8')).toContain('"mine"')
  })

  it('takes what the package brings, and names a packed parlor by its place', async () => {
    const folder = newFolder()
    const tarball = put(folder, 'parlor.tgz', '')
    expect(await parlorHere(folder, 'init', 'desk', '--package', 'parlor.tgz', '--json')).toMatchObject({ code: 0, out: `${JSON.stringify({ folder: 'desk', files: FILES }, null, 2)}\n` })
    expect(packageIn(join(folder, 'desk'))).toMatchObject({ dependencies: { parlor: `file:${tarball}` } })
    expect(shipped).toContain('examples')
    expect(await parlorHere(folder, 'init', 'other', '--package', 'absent.tgz')).toMatchObject({ code: 2, err: expect.stringMatching(/^absent\.tgz: there is no package here\n/) })
    expect(existsSync(join(folder, 'other'))).toBe(false)
  })

  it('refuses a folder that is not empty, and names what it has', async () => {
    const folder = newFolder()
    put(folder, 'full/notes.txt', 'mine')
    put(folder, 'file', '')
    expect(await parlorHere(folder, 'init', 'full')).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^full: the folder is not empty: it has notes\.txt\n/) })
    expect(await parlorHere(folder, 'init', 'file')).toMatchObject({ code: 2, err: expect.stringMatching(/^file: there is a file here\n/) })
    expect(readdirSync(join(folder, 'full'))).toEqual(['notes.txt'])
    expect(await parlorHere(join(folder), 'init', 'new')).toMatchObject({ code: 0 })
    expect(await parlorHere(join(folder, 'new'), 'init', '.')).toMatchObject({ code: 2, err: expect.stringContaining('it has .gitignore') })
  })
})
