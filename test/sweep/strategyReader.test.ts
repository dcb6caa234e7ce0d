import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { planLeague } from '../../src/sweep/leaguePlan.ts'
import { StrategyReader } from '../../src/sweep/strategyReader.ts'
import { newFolder, put } from '../scenario/small.ts'
import { overLimit } from './limits.ts'
import { leagueScenario } from './madeUpLeague.ts'
import { ODD_STRATEGY } from './odd.ts'

const readers: StrategyReader[] = []

function newReader(options: ConstructorParameters<typeof StrategyReader>[0] = {}): StrategyReader {
  const reader = new StrategyReader({ isTrusted: true, ...options })
  readers.push(reader)
  return reader
}

afterEach(async () => {
  for (const reader of readers.splice(0)) await reader.close()
})

const file = (text: string): string => put(newFolder(), 'mine.ts', text)
/** A file that says that it has begun, and never ends. */
const endless = (how: string): string => `writeFileSync(new URL('./begun', import.meta.url), '')\n${how}\n${ODD_STRATEGY}`
const AWAITS = endless('await new Promise(() => {})')
const LOOPS = endless('for (;;) {}')
const SOUND = "import { maker } from 'parlor'\nexport default maker({}, () => ({}), { about: 'does nothing' })"
const isBegun = (path: string): boolean => existsSync(join(dirname(path), 'begun'))

describe('what a strategy file holds', () => {
  it('is read without running it in this thread, and again where it was edited', async () => {
    const reader = newReader()
    const path = file(`globalThis.ranHere = true\n${ODD_STRATEGY}`)
    const { role, parameters, create } = await reader.read(path, 'maker')
    expect({ role, parameters }).toEqual({
      role: 'maker', parameters: { oddity: { default: 0, min: 0, max: 9, unit: 'count' }, margin: { default: 0.04, min: 0, max: 1, unit: 'fraction' } },
    })
    expect('ranHere' in globalThis).toBe(false)
    expect(() => (create as (values: object) => unknown)({})).toThrow('is not played')
    put(path.replace(/mine\.ts$/, ''), 'mine.ts', ODD_STRATEGY.replace('0.04', '0.05'))
    expect((await reader.read(path, 'maker')).parameters['margin']!.default).toBe(0.05)
  })

  it('or why not is said with its place', async () => {
    const reader = newReader()
    const read = (path: string) => reader.read(path, 'bettor').then(() => undefined, (error: unknown) => error)
    const throws = file("const a = 1\nthrow new Error('boom')\n")
    expect(await read(throws)).toMatchObject({ name: 'InputError', message: 'the strategy does not load: Error: boom', position: { file: throws, line: 2 } })
    expect(await read(file(ODD_STRATEGY))).toMatchObject({ message: 'its default export has the role "maker", expected a bettor' })
    const exits = file('process.exit(3)\n')
    expect(await read(exits)).toMatchObject({ name: 'InputError', message: 'the strategy does not load: it ended its thread', position: { file: exits } })
  })

  it.each([['awaits', AWAITS], ['loops', LOOPS]])('is given up at the limit where it %s for ever, and the next is read', async (_, text) => {
    const reader = newReader({ limitMs: 12_000 })
    const [stuck, sound] = [file(text), file(ODD_STRATEGY)]
    let isGivenUp = false
    const [first, second] = await overLimit(12_000, () => isBegun(stuck) && !isGivenUp, () => Promise.allSettled([
      reader.read(stuck, 'maker').finally(() => { isGivenUp = true }), reader.read(sound, 'maker'),
    ]))
    expect(first).toMatchObject({ reason: { name: 'InputError', message: 'the strategy does not load: loading did not end within 12 s', position: { file: stuck } } })
    expect(second).toMatchObject({ status: 'fulfilled' })
  })

  it('is said to leave a promise rejected, with the line that does, and what it says of itself is read', async () => {
    const reader = newReader({ isTrusted: false })
    const rejects = file(`${SOUND}\nPromise.reject(new Error('early'))\n`)
    await expect(reader.read(rejects, 'maker')).rejects.toThrow(expect.objectContaining({
      name: 'InputError', message: 'the strategy does not load: it left a promise that was rejected: early', position: { file: rejects, line: 3, column: 16 },
    }))
    expect(await reader.read(file(SOUND), undefined)).toMatchObject({ role: 'maker', about: 'does nothing' })
  })

  it('is given up at the limit where what it rejected a promise with never comes to an end of being read', async () => {
    const stuck = file(`${SOUND}\nPromise.reject({ get message() { for (;;) {} } })\n`)
    const reading = newReader({ isTrusted: false, limitMs: 2_000 }).read(stuck, 'maker')
    await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'InputError', message: 'the strategy does not load: loading did not end within 2 s', position: { file: stuck } }))
  })

  it('is not waited for after a signal', async () => {
    const stop = new AbortController()
    const reading = newReader({ signal: stop.signal }).read(file(LOOPS), 'maker')
    setTimeout(() => { stop.abort() }, 50)
    await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'Interrupted' }))
  })

  it('stops the plan of a league that names it', async () => {
    const path = file(AWAITS)
    const plan = () => planLeague(leagueScenario(`entries: [{ name: a, use: shade }, { name: b, use: ${path} }]`), { limitMs: 6_000, isTrusted: true })
    await expect(overLimit(6_000, () => isBegun(path), plan))
      .rejects.toThrow(expect.objectContaining({ name: 'InputError', message: expect.stringContaining('loading did not end within 6 s'), position: { file: path } }))
  })
})
