import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readStore } from '../../src/feed/store/readStore.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { newFolder, put, QUICKSTART_STORE, SMALL } from './small.ts'

/** Throws what the desk says of each market that it knows, so that a test sees it. Its room must have made what the desk gives. */
const ASKING = `
function asked(desk) {
  const texts = []
  for (let number = 0; number < 100; number++) {
    const market = desk.market(number)
    if (market === null) continue
    if (Object.getPrototypeOf(market) !== Object.prototype || !Object.isFrozen(market)) throw new Error('another realm')
    texts.push(number + ' ' + Object.values(market).join('|'))
  }
  throw new Error(texts.length + ' ' + texts.slice(0, 2).join(' and '))
}
`
const MAKER = `import { maker } from 'parlor'\n${ASKING}\nexport default maker({}, () => ({ onStart: asked }))\n`
const BETTOR = `import { bettor } from 'parlor'\n${ASKING}\nexport default bettor({}, () => ({ onStart: asked, onArrival() {}, onDecision() {} }))\n`

/** The message with which a session ends. */
async function ending(scene: string, name: string, strategy: string): Promise<string> {
  const folder = newFolder()
  put(folder, name, strategy)
  const loaded = loadScenario(put(folder, 'small.yaml', scene))
  return runScenario(loaded, await prepareScenario(loaded), { target: { path: join(folder, 'run'), force: false, numbered: false } })
    .then(() => '', (error: unknown) => (error as Error).message)
}

it.each([
  ['maker', SMALL.replace('makers:\n', 'makers:\n  - { name: visitor, use: ./visitor.ts, capital: 50000 USDC }\n'), MAKER],
  ['bettor', SMALL.replace('bettors:\n', 'bettors:\n  - { name: visitor, use: ./visitor.ts, n: 3 }\n'), BETTOR],
])('the desk of a %s in a room names the markets that have opened, in objects of the room', async (_, scene, strategy) => {
  const begin = Date.UTC(2025, 5, 19, 22, 30) * 1000
  const opened = readStore(QUICKSTART_STORE).catalogue.markets.filter(({ openUs }) => openUs <= begin)
  const texts = opened.slice(0, 2).map(({ number, ticker, title, event, game, category, venue }) => `${number} ${[ticker, title, event, game, category, venue].join('|')}`)
  expect(texts).toHaveLength(2)
  expect(await ending(scene, 'visitor.ts', strategy)).toContain(`onStart at 2025-06-19T22:30:00.000000Z: ${opened.length} ${texts.join(' and ')}`)
})
