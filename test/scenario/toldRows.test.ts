import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { Manifest } from '../../src/record/manifest.ts'
import { quietLines } from '../../src/report/quietMakers.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { playInto, prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { type Summary, summariseRun } from '../../src/score/summary.ts'
import { OTHER_REASONS, ToldRows } from '../../src/unit/toldRows.ts'
import { parlorHere } from '../cli/parlor.ts'
import { newFolder, put, SMALL } from './small.ts'

const SCENE = SMALL.replace('max: 200', 'max: 20').replace('makers:\n', 'makers:\n  - { name: mine, use: ./mine.ts, capital: 50000 USDC }\n')

/** Plays a maker `mine` of these handlers beside others; `handlers` undefined: it does nothing. */
async function played(handlers: string, { isTrusted = false, scene = SCENE } = {}): Promise<{ readonly dir: string; readonly digest: string }> {
  const folder = newFolder()
  put(folder, 'mine.ts', `import { maker } from 'parlor'\nexport default maker({}, () => ({\n${handlers}\n}))\n`)
  const loaded = loadScenario(put(folder, 'small.yaml', scene))
  const dir = join(folder, 'run')
  const { manifest } = await runScenario(loaded, await prepareScenario(loaded, undefined, { importFile: importOf(isTrusted) }), { target: { path: dir, force: false, numbered: false } })
  return { dir, digest: manifest.digest }
}

const column = (dir: string, table: string, name: string): unknown[] => {
  const { texts, numbers, codes, values, valid } = readTable(join(dir, 'tables', `${table}.arrow`)).column(name)
  const cells = texts ?? (codes === undefined ? Array.from(numbers!) : Array.from(codes, (code) => values![code]))
  return Array.from(cells as unknown[], (cell, row) => (valid !== null && valid[row] === 0 ? null : cell))
}
const NOTHING = 'onRequest() {},'

describe.each([['in a room', false], ['trusted', true]])('what a maker says of itself, %s,', (_, isTrusted) => {
  it('stands in the tables passes and logs, and changes no row of the session', async () => {
    const said = await played(`onRequest(request, desk) {
      desk.log('seen')
      desk.log('looked', { legs: request.legs.count, nothing: NaN })
      desk.pass(request.legs.count > 2 ? 'many legs' : 'few legs')
    },`, { isTrusted })
    expect(said.digest).toBe((await played(NOTHING, { isTrusted })).digest)
    const makers = column(said.dir, 'passes', 'maker')
    const mine = (name: string): unknown[] => column(said.dir, 'passes', name).filter((_cell, row) => makers[row] === 'mine')
    const shown = mine('request').length
    expect(shown).toBeGreaterThan(10)
    expect(mine('request')).toEqual([...new Set(column(said.dir, 'requests', 'request'))].filter((request) => mine('request').includes(request)).toSorted((a, b) => (a as number) - (b as number)))
    expect(mine('reason')).toEqual(mine('leg_count').map((legs) => ((legs as number) > 2 ? 'many legs' : 'few legs')))
    expect(new Set(mine('handler'))).toEqual(new Set(['onRequest']))
    expect(column(said.dir, 'logs', 'text').slice(0, 3)).toEqual(['seen', 'looked', 'looked'])
    expect(column(said.dir, 'logs', 'name').slice(0, 3)).toEqual([null, 'legs', 'nothing'])
    expect(column(said.dir, 'logs', 'value').slice(0, 3)).toEqual([null, mine('leg_count')[0], null])
    expect(column(said.dir, 'logs', 'request').length).toBe(3 * shown)
  })
})

it('says why a maker did not quote, in the summary, and in the story of a request', async () => {
  const { dir } = await played("onRequest(request, desk) { desk.pass(request.legs.count > 2 ? 'many legs' : 'few legs') },")
  const summary = await summariseRun(dir) as Summary
  const mine = summary.passes!.find(({ name }) => name === 'mine')!
  const legs = column(dir, 'passes', 'leg_count') as number[]
  const makers = column(dir, 'passes', 'maker')
  const many = legs.filter((count, row) => makers[row] === 'mine' && count > 2).length
  const few = legs.filter((count, row) => makers[row] === 'mine' && count <= 2).length
  expect(Object.fromEntries(mine.reasons.map(({ reason, count }) => [reason, count]))).toEqual({ 'many legs': many, 'few legs': few })
  expect(mine.reasons.find(({ reason }) => reason === 'few legs')!.byLegs).toEqual({ 2: few })
  const quiet = summary.quiet!.find(({ name }) => name === 'mine')!
  expect(quiet).toMatchObject({ why: 'never quoted', passes: many + few, delivered: many + few, refused: 0 })
  expect(quietLines(summary)).toContain(`mine never quoted: ${many + few} requests and new versions reached it, and it passed ${many + few} times, mostly for ${many > few ? 'many' : 'few'} legs (${Math.max(many, few)})`)
  expect(formatSummary(summary).replaceAll(/\s+/g, ' ')).toContain(`mine passed ${many + few} times: `)
  const request = (column(dir, 'passes', 'request') as number[])[makers.indexOf('mine')]!
  const story = explainRequest(dir, request).timeline.filter(({ who }) => who === 'mine')
  expect(story.map(({ what }) => what)).toEqual([`lets it go by: ${legs[makers.indexOf('mine')]! > 2 ? 'many' : 'few'} legs`])
  expect((await verifyRun(dir)).ok).toBe(true)
})

it('names a maker most of whose commands are refused, and one that neither quotes nor passes', async () => {
  const { dir } = await played('onRequest(request, desk) { desk.quote(request, { probability: 0.999, validUs: 1_000_000_000 }) },')
  const refused = await summariseRun(dir) as Summary
  expect(refused.quiet!.find(({ name }) => name === 'mine')).toMatchObject({ why: 'mostly refused', passes: 0 })
  expect(quietLines(refused)[0]).toMatch(/^mine: (\d+) of its \1 commands were refused, mostly for \w+ \(\1\)$/)
  const nothing = await summariseRun((await played(NOTHING)).dir)
  expect(quietLines(nothing)[0]).toMatch(/^mine never quoted: \d+ requests and new versions reached it, and it neither quoted nor passed$/)
})

it('counts the first pass of each call of a handler, also one without a reason', async () => {
  const { dir } = await played(`onRequest(request, desk) {
      if (request.legs.count > 2) desk.pass()
      for (let i = 0; i < 1000; i++) desk.pass('again ' + i)
    },`)
  const mine = (await summariseRun(dir) as Summary).quiet!.find(({ name }) => name === 'mine')!
  expect(mine.passes).toBe(mine.delivered)
  const makers = column(dir, 'passes', 'maker')
  const legs = column(dir, 'passes', 'leg_count') as number[]
  const reasons = column(dir, 'passes', 'reason').filter((_reason, row) => makers[row] === 'mine')
  expect(reasons).toEqual(legs.filter((_count, row) => makers[row] === 'mine').map((count) => (count > 2 ? 'no reason' : 'again 0')))
  expect(new Set(reasons).size).toBe(2)
})

it('has one action for a line of a log, whatever its numbers are', async () => {
  const scene = `${SCENE}strategies: { actionsPerInstant: 2 }\n`
  const line = "desk.log('looked', { a: 1, b: 2, c: 3, d: 4 })"
  const { dir } = await played(`onRequest(_request, desk) { ${line}; ${line} },`, { scene })
  expect(column(dir, 'logs', 'value').slice(0, 8)).toEqual([1, 2, 3, 4, 1, 2, 3, 4])
  await expect(played(`onRequest(_request, desk) { ${line}; ${line}; ${line} },`, { scene })).rejects.toThrow('more than 2 actions at one instant')
})

it('names the request of an answer, whose legs are nowhere', async () => {
  const { dir } = await played("onRequest(request, desk) { desk.quote(request, { probability: 0.999, validUs: 1_000_000_000 }) }, onAck(ack, desk) { desk.log('answered', { request: ack.request }) },")
  expect(column(dir, 'logs', 'request').length).toBeGreaterThan(10)
  expect(column(dir, 'logs', 'request')).toEqual(column(dir, 'logs', 'value'))
  expect(new Set(column(dir, 'logs', 'leg_count'))).toEqual(new Set([null]))
})

it('refuses a line of a cohort by the desk of another one', async () => {
  const folder = newFolder()
  put(folder, 'mine.ts', `import { bettor } from 'parlor'
let kept
export default bettor({}, () => ({ onArrival(_intent, desk) { (kept ??= desk).log('came') }, onDecision() {} }))
`)
  const one = '  - { use: ./mine.ts, name: first, n: 10, every: 10m }\n'
  const scene = (more: string): string => SMALL.replace('max: 200', 'max: 20').replace(/bettors:[^]*makers:/, `bettors:\n${one}${more}makers:`)
  const run = async (text: string): Promise<unknown> => {
    const loaded = loadScenario(put(folder, 'small.yaml', text))
    return runScenario(loaded, await prepareScenario(loaded), { target: { path: join(folder, 'run'), force: true, numbered: false } })
  }
  await run(scene(''))
  await expect(run(scene(one.replace('first', 'second')))).rejects.toThrow('a desk takes lines of a log while a handler of its cohort runs')
})

it('has the lines of a cohort, with its handler', async () => {
  const folder = newFolder()
  put(folder, 'mine.ts', "import { bettor } from 'parlor'\nexport default bettor({}, () => ({ onArrival(intent, desk) { desk.log('came', { arrival: intent.arrival }) }, onDecision() {} }))\n")
  const scene = put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 20').replace('kind: noise, n', 'name: crowd, use: ./mine.ts, n'))
  const { code, err } = await parlorHere(folder, 'run', scene, '--quiet', '--no-report', '--out', 'run')
  const dir = join(folder, 'run')
  const arrivals = column(dir, 'logs', 'value')
  expect(arrivals.length).toBeGreaterThan(3)
  expect(arrivals).toEqual(arrivals.map((_arrival, i) => i))
  expect(new Set([...column(dir, 'logs', 'participant'), ...column(dir, 'logs', 'handler'), ...column(dir, 'logs', 'request')])).toEqual(new Set(['crowd', 'onArrival', null]))
  // It asks for nothing, whatever there is.
  expect([code, err]).toEqual([0, expect.stringMatching(/^crowd asked for nothing: 80 markets, .*that can be asked for\n$/)])
})

it('is said at the end of parlor run', async () => {
  const folder = newFolder()
  put(folder, 'mine.ts', "import { maker } from 'parlor'\nexport default maker({}, () => ({ onRequest(request, desk) { desk.pass('shy') } }))\n")
  const { err } = await parlorHere(folder, 'run', put(folder, 'small.yaml', SCENE), '--quiet', '--no-report', '--out', 'run')
  expect(err).toMatch(/^mine never quoted: (\d+) requests and new versions reached it, and it passed \1 times, mostly for shy \(\1\)\n$/)
})

it('is told of no maker that quotes', async () => {
  const { dir } = await played('onRequest(request, desk) { desk.quote(request, { probability: 0.9, validUs: 8_000_000 }) },')
  expect(quietLines(await summariseRun(dir)).filter((line) => line.includes('mine'))).toEqual([])
})

it('is left out of what is scored and removed at once, as are the markets', async () => {
  const folder = newFolder()
  const scenario = await prepareScenario(loadScenario(put(folder, 'small.yaml', SMALL.replace('max: 200', 'max: 20'))))
  const tablesOf = async (isScratch: boolean): Promise<string[]> => Object.keys((await playInto(join(folder, String(isScratch)), scenario, { isScratch })).tables)
  const kept = await tablesOf(false)
  const leftOut = ['passes', 'logs', 'markets']
  expect(kept).toEqual(expect.arrayContaining(leftOut))
  expect(await tablesOf(true)).toEqual(kept.filter((name) => !leftOut.includes(name)))
})

it('is left out of a run without tables', async () => {
  const { dir } = await played(NOTHING, { scene: `${SCENE}record: { tables: false }\n` })
  expect(existsSync(join(dir, 'tables', 'passes.arrow'))).toBe(false)
})

describe('verify', () => {
  it('says again what strategies said, and finds the tables of another run', async () => {
    const words = 'desk.log("\\ud800 \\u001b", { least: -0, most: Infinity, nothing: NaN, "": 1 / 3 })'
    const passing = (reason: string): string => `onRequest(request, desk) { ${words}; desk.pass(${reason}) },`
    const { dir } = await played(passing("request.legs.count + '\\ud800'"))
    const said = async (): Promise<unknown> => (await verifyRun(dir)).checks.flatMap(({ name, ok, difference }) => (ok || !name.startsWith('table ') ? [] : [[name, difference?.at]]))
    expect(await said()).toEqual([])
    const put = (table: string, from: string, of = table): void => {
      copyFileSync(join(from, 'tables', `${of}.arrow`), join(dir, 'tables', `${table}.arrow`))
      const path = join(dir, 'manifest.json')
      const sha256 = createHash('sha256').update(readFileSync(join(dir, 'tables', `${table}.arrow`))).digest('hex')
      const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll(manifest.tables[table]!.sha256, sha256))
    }
    const other = await played(passing("'another reason'"))
    expect(other.digest).toBe((JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as Manifest).digest)
    put('passes', other.dir)
    expect(await said()).toEqual([['table passes', 'row 1, column reason']])
    put('logs', (await played(passing("'x'").replace('1 / 3', '1 / 4'))).dir)
    expect(await said()).toEqual([['table passes', 'row 1, column reason'], ['table logs', 'row 4, column value']])
    put('logs', dir, 'quotes')
    expect(await said()).toEqual([['table passes', 'row 1, column reason'], ['table logs', 'columns']])
  })
})

describe('rows of what strategies say', () => {
  const CALL = { service: 'parlay', atUs: 0, participant: 'mine', handler: 'onRequest', request: 1, legCount: 2 } as const

  it('keep no text alive of which they keep a part', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const told = new ToldRows()
    collect()
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 40; i++) {
      const long = `${i} ${Buffer.alloc(1_000_000, 'x').toString('latin1')}`
      told.pass(CALL, long)
      told.log(CALL, long, long, 1)
    }
    collect()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
    expect([told.passes[39]!.reason, told.logs[39]!.text, told.logs[39]!.name]).toEqual([`39 ${'x'.repeat(77)}`, `39 ${'x'.repeat(497)}`, `39 ${'x'.repeat(77)}`])
  })

  it('have 50 reasons of a maker, each of 80 letters, and name the others together', () => {
    const told = new ToldRows()
    for (let i = 0; i < 60; i++) told.pass(CALL, `reason ${i}`)
    told.pass(CALL, 'reason 3')
    told.pass({ ...CALL, participant: 'other' }, 'x'.repeat(200))
    told.pass(CALL, '')
    const reasons = told.passes.map(({ reason }) => reason)
    expect(reasons.slice(48, 53)).toEqual(['reason 48', 'reason 49', OTHER_REASONS, OTHER_REASONS, OTHER_REASONS])
    expect(reasons.slice(60)).toEqual(['reason 3', 'x'.repeat(80), OTHER_REASONS])
  })

  it('have a million lines of a participant, each of 500 letters', () => {
    const told = new ToldRows()
    told.log(CALL, 'y'.repeat(600), 'n'.repeat(100), 1)
    expect([told.logs[0]!.text.length, told.logs[0]!.name.length]).toEqual([500, 80])
    for (let i = 1; i < 1_000_003; i++) {
      told.log(CALL, 'line', '', NaN)
      if (i % 1000 === 500) told.clear()
    }
    expect(told.logs.slice(-2).map(({ text }) => text)).toEqual(['line', 'more lines are left out'])
  })
})
