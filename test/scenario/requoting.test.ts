import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { importOf } from '../../src/scenario/strategies.ts'
import { Action, fakeMaker, type MakerStrategy, Refusal, Side } from '../../src/index.ts'
import { newPool, outcomesOf, resultOf, tasksOf } from '../sweep/pools.ts'
import { newFolder, put, SMALL } from './small.ts'

/** The maker that docs/strategies.md shows. */
const page = readFileSync(new URL('../../docs/strategies.md', import.meta.url), 'utf8')
const REQUOTING = /<!-- strategy: requoting\.ts -->\n```ts\n([^]*?)```/.exec(page)![1]!

const MAKER = 'makers:\n  - { name: follower, use: ./requoting.ts, capital: 50000 USDC, params: { move: 0.5c } }\n'
const PARLAY = SMALL.replace('makers:\n', MAKER)
const OUTCOME = PARLAY.replace('{ parlay: { profile: parlay@2.1 } }', '{ outcome: { profile: outcome@1 } }')

const sceneOf = (scene: string): string => {
  const folder = newFolder()
  put(folder, 'requoting.ts', REQUOTING)
  return put(folder, 'small.yaml', scene)
}

async function strategyOfPage(): Promise<MakerStrategy> {
  const folder = newFolder()
  put(folder, 'requoting.ts', REQUOTING.replace("'parlor'", JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)))
  return (await import(/* @vite-ignore */ join(folder, 'requoting.ts')) as { default: MakerStrategy }).default
}

async function played(scene: string, isTrusted: boolean): Promise<{ digest: string; dir: string }> {
  const loaded = loadScenario(sceneOf(scene))
  const dir = join(newFolder(), 'run')
  const { manifest } = await runScenario(loaded, await prepareScenario(loaded, undefined, { importFile: importOf(isTrusted) }), { target: { path: dir, force: false, numbered: false } })
  return { digest: manifest.digest, dir }
}

describe('the maker of docs/strategies.md that follows prices', () => {
  it.each([['parlay', PARLAY], ['outcome', OUTCOME]])('quotes more often than it is asked, and the same in a room as trusted (%s)', async (_, scene) => {
    const [inRoom, trusted] = [await played(scene, false), await played(scene, true)]
    expect(trusted.digest).toBe(inRoom.digest)
    const quotes = readTable(join(inRoom.dir, 'tables', 'quotes.arrow'))
    const makers = quotes.column('maker')
    const requests = quotes.column('request').numbers!
    const own = Array.from(makers.codes!, (code, row) => [makers.values![code], requests[row]] as const).filter(([maker]) => maker === 'follower')
    expect(own.length).toBeGreaterThan(new Set(own.map(([, request]) => request)).size)
    const refused = readTable(join(inRoom.dir, 'tables', 'rejections.arrow')).column('cohort')
    expect(Array.from(refused.codes!).filter((code) => refused.values![code] === 'follower').length).toBeLessThan(own.length / 2)
  })

  it('plays the same in one worker and in two', async () => {
    const specs = tasksOf(sceneOf(PARLAY), 3)
    const one = await outcomesOf(newPool({ workers: 1, tasksDir: newFolder(), isTrusted: false }), specs)
    const two = await outcomesOf(newPool({ workers: 2, tasksDir: newFolder(), isTrusted: false }), specs)
    expect(two).toEqual(one)
    expect(new Set(one.map((outcome) => resultOf(outcome).digest)).size).toBe(3)
  })

  it('quotes anew when an ask has moved by its threshold, and withdraws when there is none', async () => {
    const fake = fakeMaker(await strategyOfPage(), { params: { margin: 0.25, move: 0.02 }, prices: [{ bid: 0.38, ask: 0.4 }, { bid: 0.48, ask: 0.5 }] })
    const taken = (): void => { fake.onAck({ action: Action.submitQuote, request: 7, refusal: Refusal.none }) }
    fake.onRequest({ request: 7, legs: [[0, Side.yes], [1, Side.yes]] })
    taken()
    fake.setPrice(0, { bid: 0.38, ask: 0.419999 })
    fake.setPrice(0, { bid: 0.38, ask: 0.42 })
    fake.setPrice(1, { bid: 0.48, ask: 0.48 })
    fake.setPrice(1, { bid: 0.48 })
    // An offer of 0.4 × 0.5 × 1.25 is 4.0, of 0.42 × 0.5 × 1.25 3.8095, of 0.42 × 0.48 × 1.25 3.9682.
    expect(fake.commands.map(({ action, about, oddsE4 }) => [action, about, oddsE4])).toEqual([
      [Action.submitQuote, 7, 40_000], [Action.submitQuote, 7, 38_095], [Action.submitQuote, 7, 39_682], [Action.withdrawQuote, 7, undefined],
    ])
    // There is nothing to withdraw any more, and a request that the service has refused is left alone.
    fake.setPrice(1, { bid: 0.48, ask: 0.5 })
    fake.onAck({ action: Action.submitQuote, request: 7, refusal: Refusal.notOpen })
    fake.setPrice(1, { bid: 0.48, ask: 0.6 })
    expect(fake.commands.slice(4).map(({ action, about, oddsE4 }) => [action, about, oddsE4])).toEqual([[Action.submitQuote, 7, 38_095]])
  })

  it('remembers open requests, and those to which an answer is to come', async () => {
    const fake = fakeMaker(await strategyOfPage())
    const { asked } = fake.handlers.state as { asked: { [request: string]: { said: string } } }
    const remembered = (): string[] => Object.entries(asked).map(([request, { said }]) => `${request} ${said}`)
    const answered = (request: number, refusal: Refusal): void => { fake.onAck({ action: Action.submitQuote, request, refusal }) }
    for (let request = 1; request <= 100; request++) {
      fake.setPrice(0, { bid: 0.38, ask: 0.4 })
      fake.onRequest({ request, legs: [[0, Side.yes]], expiresAtUs: fake.nowUs + 60_000_000 })
      fake.pass(59_999_999)
      const isLate = request % 2 === 0
      if (!isLate) answered(request, Refusal.none)
      expect(remembered()).toEqual([`${request} ${isLate ? 'nothing' : 'taken'}`])
      fake.pass(1)
      expect(remembered()).toEqual(isLate ? [`${request} over`] : [])
      answered(request, Refusal.notOpen)
      expect(remembered()).toEqual([])
    }
  })

  // Version 1 is quoted at 0.4, and version 2 too. Then a price moves, and version 2 is quoted anew unless the service has refused a quote for it.
  it.each([
    ['an answer to version 1 says nothing of version 2', false, [Refusal.notOpen], true],
    ['nor does one that comes when version 1 is over', true, [Refusal.notOpen], true],
    ['and what is said of version 2 counts', false, [Refusal.none, Refusal.notOpen], false],
    ['also where version 1 was over before', true, [Refusal.none, Refusal.notOpen], false],
    ['while a quote for version 2 stands though one for version 1 was refused', true, [Refusal.termsStale, Refusal.none], true],
  ])('%s', async (_, isOverBefore, answers, isQuotedAnew) => {
    const fake = fakeMaker(await strategyOfPage(), { prices: [{ bid: 0.38, ask: 0.4 }] })
    const ask = (version: number): void => { fake.onRequest({ request: 7, version, legs: [[0, Side.yes]], expiresAtUs: fake.nowUs + 60_000_000 }) }
    ask(1)
    fake.pass(isOverBefore ? 60_000_000 : 59_000_000)
    ask(2)
    for (const refusal of answers) fake.onAck({ action: Action.submitQuote, request: 7, refusal })
    fake.setPrice(0, { bid: 0.38, ask: 0.45 })
    expect(fake.commands.length).toBe(isQuotedAnew ? 3 : 2)
  })

  it('is not stopped on version 2 by a quote for version 1 that was refused in time', async () => {
    const fake = fakeMaker(await strategyOfPage(), { prices: [{ bid: 0.38, ask: 0.4 }] })
    const ask = (version: number): void => { fake.onRequest({ request: 7, version, legs: [[0, Side.yes]] }) }
    ask(1)
    fake.onAck({ action: Action.submitQuote, request: 7, refusal: Refusal.notOpen })
    ask(2)
    fake.setPrice(0, { bid: 0.38, ask: 0.45 })
    expect(fake.commands.length).toBe(3)
  })
})
