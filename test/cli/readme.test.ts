import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { RECORDED } from '../../src/feed/recorded.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { parlorHere } from './parlor.ts'
import { newFolder, put, QUICKSTART_STORE } from '../scenario/small.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const BLOCKS = [...README.matchAll(/^```sh\n([^]*?)^```$/gm)].flatMap(([, block]) => block!.trim().split('\n'))
/** All that README shows as a command, in blocks and in lines. */
const SHOWN = [...BLOCKS, ...[...README.matchAll(/`(n(?:pm|px|ode) [^`]+)`/g)].map(([, line]) => line!)]
const START = /^(?:npm run -s parlor --|npx parlor)(?: |$)/
const PARLOR = SHOWN.filter((line) => START.test(line)).map((line) => line.replace(START, '').split(' ')).filter(([first]) => first !== '')
const scripts = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }).scripts
const SCENARIOS = readdirSync(join(ROOT, 'scenarios'), { recursive: true }).map(String).filter((path) => path.endsWith('.yaml'))
const importing = SCENARIOS.filter((path) => /^ {2}import:/m.test(readFileSync(join(ROOT, 'scenarios', path), 'utf8')))

describe('the commands of README', () => {
  it('are npm’s own, scripts of package.json, or parlor’s', async () => {
    const names = SHOWN.filter((line) => !START.test(line)).map((line) => /^npm (?:run (?:-s )?)?(\S+)/.exec(line)?.[1])
    expect(names.length).toBeGreaterThan(4)
    expect(names.filter((name) => name === undefined || !(Object.hasOwn(scripts, name) || ['ci', 'install', 'pack'].includes(name)))).toEqual([])
    const { out } = await parlorHere(ROOT, '--help')
    const tabled = [...README.matchAll(/^\| `(\w+)(?: [A-Z ]+)?` \|/gm)].map(([, name]) => name!)
    expect(tabled.length).toBeGreaterThan(5)
    for (const name of [...PARLOR.map(([first]) => first!), ...tabled]) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  })

  it('name scenarios that a lone clone plays, or that README says to need recorded data', () => {
    const named = PARLOR.flatMap((words) => words.filter((word) => word.endsWith('.yaml'))).map((path) => path.replace('node_modules/parlor/', ''))
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    const [, needing] = /Six need recorded data[^:]*: ([^.]*\.yaml`[^:]*?)\. `npm/.exec(README)!
    const said = [...needing!.matchAll(/`scenarios\/([^`]+)`/g)].map(([, name]) => name!)
    expect(said.toSorted()).toEqual(importing.toSorted())
    expect(RECORDED.flatMap(({ scenarios }) => scenarios).toSorted()).toEqual(importing.toSorted())
    for (const path of SCENARIOS.filter((one) => !importing.includes(one))) expect([path, loadScenario(join(ROOT, 'scenarios', path)).file.history.store]).toEqual([path, 'quickstart'])
  })

  it('play the maker that README shows', async () => {
    const folder = newFolder()
    cpSync(join(ROOT, 'scenarios/quickstart.yaml'), join(folder, 'scenarios/quickstart.yaml'), { recursive: true })
    const [, maker] = /^```ts\n([^]*?)^```$/m.exec(README)!
    put(folder, 'scenarios/mine.ts', maker!)
    const words = PARLOR.find((one) => one.includes('makers.0.use=./mine.ts'))!
    const cheap = ['--set', 'arrivals.max=60', '--set', `history.store=${QUICKSTART_STORE}`, '--quiet', '--no-report', '--out', 'mine']
    expect(await parlorHere(folder, ...words, ...cheap)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(folder, 'mine/summary.json'), 'utf8')).toContain('"mine"')
  })
})

describe('recorded data', () => {
  it('is told of with its folder, its source and its scenarios', async () => {
    const { code, out } = await parlorHere(ROOT, 'data', '--recorded')
    expect(code).toBe(0)
    for (const { format, folder = format, source, scenarios } of RECORDED) for (const text of [`../shared/data/${folder}`, source, ...scenarios.map((name) => `scenarios/${name}`)]) expect(out).toContain(text)
    const json = await parlorHere(ROOT, 'data', '--recorded', '--json')
    expect((JSON.parse(json.out) as object[]).length).toBe(RECORDED.length)
  })

  it.each(importing)('that is missing is asked for with the way to get it: %s', async (path) => {
    const text = readFileSync(join(ROOT, 'scenarios', path), 'utf8')
    const { format } = RECORDED.find(({ scenarios }) => scenarios.includes(path))!
    expect(text).toContain(`import: { format: ${format}, files: [../../shared/data/${format}] }`)
    const folder = newFolder()
    put(folder, 'deep/deep/scenario.yaml', text)
    cpSync(join(ROOT, 'examples/groups'), join(folder, 'deep/examples/groups'), { recursive: true })
    const { code, err } = await parlorHere(folder, path === 'league.yaml' ? 'league' : 'run', 'deep/deep/scenario.yaml', '--out', 'out')
    expect([code, err]).toEqual([2, expect.stringMatching(/no such file or folder: .*\n {2}hint: recorded data does not come with parlor: `parlor data --recorded` says/)])
  })
})
