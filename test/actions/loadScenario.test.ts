import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { run } from '../../src/actions/run.ts'
import type { ScenarioInput } from '../../src/actions/scenarioInput.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { OBJECT } from './small.ts'

/** What is wrong with a scenario. */
const wrong = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message, position, hint } = error
    return { message, position, ...(hint === undefined ? {} : { hint }) }
  }
}

describe('a scenario', () => {
  it('is read from a file, a text or an object, and says who it is', () => {
    const path = put(newFolder(), 'night.yaml', SMALL)
    expect(loadScenario(path)).toMatchObject({ name: 'small', path, mode: 'interactive', seed: '1', services: ['parlay'] })
    expect(loadScenario({ yaml: SMALL.replace('name: small\n', '') }, { name: 'mine' })).toMatchObject({ name: 'mine', path: null })
    expect(loadScenario(OBJECT, { seed: '7', set: ['mode=replay'] })).toMatchObject({ name: 'small', path: null, mode: 'replay', seed: '7' })
  })

  it('in a text is wrong at a line and a column', () => {
    expect(wrong(() => loadScenario({ yaml: SMALL.replace('n: 100', 'n: many') }, { name: 'mine' })))
      .toMatchObject({ message: 'bettors.0.n: expected a whole number, got "many"', position: { file: 'mine', line: 8, column: 23 } })
  })

  it('in an object is wrong at a setting, of which it tells all', () => {
    const input = { ...OBJECT, modes: 'replay', makers: [{ use: 'fixed-margin', params: { margin: 'wide' } }] } as ScenarioInput
    expect(wrong(() => loadScenario(input))).toEqual({ message: 'makers.0.params.margin: expected a share such as 4%, 2c or 0.04, got "wide"', position: { file: 'scenario' } })
    expect(() => loadScenario(input)).toThrow(expect.objectContaining({ mistakes: [expect.objectContaining({ path: 'makers.0.params.margin' }), expect.objectContaining({ message: 'unknown key modes; did you mean mode?' })] }))
  })

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'makers.0.use: is a function, which no scenario has'],
    ['an object of a class', new Date(0), 'makers.0.use: is an object of a class, which no scenario has'],
    ['a number that is none', NaN, 'makers.0.use: is NaN, which no scenario has'],
  ])('in an object has no %s', (_, use, message) => {
    expect(wrong(() => loadScenario({ ...OBJECT, makers: [{ use: use as string }] }))).toMatchObject({ message, position: { file: 'scenario' } })
  })

  it('in an object may not contain itself', () => {
    const params: Record<string, never> = {}
    Object.assign(params, { params })
    expect(wrong(() => loadScenario({ ...OBJECT, makers: [{ use: 'shade', params }] }))).toMatchObject({ message: 'nests too deep' })
  })

  it.each<[unknown, string]>([
    [null, 'expected a scenario, got null'], [undefined, 'expected a scenario, got a value of the type undefined'], [5, 'expected a scenario, got a value of the type number'],
    [{ yaml: 5 }, 'yaml: expected a text, got a value of the type number'], [{ yaml: undefined }, 'yaml: expected a text, got a value of the type undefined'],
  ])('is not %j', (source, message) => {
    expect(wrong(() => loadScenario(source as never, { name: 'mine' }))).toMatchObject({ message, position: { file: 'mine' }, hint: expect.stringMatching(/^a scenario is the path of a file/) as string })
  })

  it('that was not loaded is not played', async () => {
    await expect(run({ name: 'small' } as never)).rejects.toMatchObject({ name: 'InputError', hint: 'expected what loadScenario returns' })
  })

  it('that stands in no file has the paths of its folder', async () => {
    const folder = newFolder()
    put(folder, 'mine.ts', "import { maker } from 'parlor'\nexport default maker({}, () => ({}))\n")
    const made = { ...OBJECT, makers: [{ use: './mine.ts' }] }
    const { manifest } = await run(loadScenario(made, { folder }), { out: join(folder, 'run') })
    expect(Object.keys(manifest.identity.strategies)).toEqual(['./mine.ts'])
    await expect(run(loadScenario(made, { folder: newFolder() }))).rejects.toMatchObject({ message: 'makers.0.use: no strategy file ./mine.ts', position: { file: expect.stringContaining('scenario') as string } })
  })
})
