import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder, put, SMALL } from '../scenario/small.ts'

/** What the strategy `odd.ts` does at its first request. */
export const Oddity = { none: 0, throws: 1, exits: 2, endless: 3, exitsOnce: 4, slow: 5, throwsWhenMarked: 6, endlessWhenMarked: 7, held: 8 } as const

// Without `maker` of 'parlor', which nobody resolves for files outside of the repository inside of vitest.
const STRATEGY = `import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const died = new URL('./died', import.meta.url)
const marked = new URL('./marked', import.meta.url)
const endless = new URL('./endless', import.meta.url)
const held = new URL('./held', import.meta.url)
const tasks = new URL('./runs/tasks', import.meta.url)

const loop = () => {
  writeFileSync(endless, '')
  for (;;) {}
}

/** As many sessions as the file says have left their results. */
const isHeld = () => existsSync(held) && existsSync(tasks) && readdirSync(tasks).filter((name) => name.endsWith('.arrow')).length >= Number(readFileSync(held, 'utf8'))

const parameters = { oddity: { default: 0, min: 0, max: 9, unit: 'count' }, margin: { default: 0.04, min: 0, max: 1, unit: 'fraction' } }

export default { role: 'maker', parameters, create: (p) => ({
  onRequest(request, desk) {
    if (p.oddity === 1) throw new Error('boom')
    if (p.oddity === 2) process.exit(3)
    if (p.oddity === 3) loop()
    if (p.oddity === 4 && !existsSync(died)) {
      writeFileSync(died, '')
      process.exit(4)
    }
    if (p.oddity === 5) for (const end = Date.now() + 10; Date.now() < end;) {}
    if (p.oddity === 6 && existsSync(marked)) throw new Error('marked')
    if (p.oddity === 8) while (isHeld()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    if (p.oddity === 7 && existsSync(marked)) loop()
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 60_000_000 })
    if (!(fair > 0)) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8_000_000 })
  },
}) }
`

/** A folder with a scenario of a few requests whose maker `odd` can be told to misbehave; the path of the scenario. */
export function oddScenario(options: { readonly strategy?: string } = {}): string {
  const folder = newFolder()
  put(folder, 'odd.ts', options.strategy ?? STRATEGY)
  return put(folder, 'odd.yaml', SMALL.replace('max: 200', 'max: 40').replace('{ use: fixed-margin, capital: 50000 USDC }', '{ use: ./odd.ts, capital: 50000 USDC, params: { oddity: 0 } }'))
}

export const ODD_STRATEGY = STRATEGY

/** The setting that makes the maker odd. */
export const odd = (oddity: number): string => `makers.0.params.oddity=${oddity}`

/** Whether a session of a scenario's maker has come to where it never ends. */
export const isEndless = (scenario: string): boolean => existsSync(join(dirname(scenario), 'endless'))
