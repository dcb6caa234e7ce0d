import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadScenario, type Overrides } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { scenarioJsonSchema } from '../../src/scenario/schema.ts'
import { InputError } from '../../src/unit/inputError.ts'

const folder = mkdtempSync(join(tmpdir(), 'parlor-load-'))

const DESIGN = `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: mlb, from: 2025-06-19, legs: executable, maxAge: 5s }
settlement: { lag: 10m, missing: exclude, scalar: void }
bettors: [{ kind: noise, n: 5000 }, { kind: informed, n: 500, horizon: 60s, noise: 2c }]
makers:  [{ use: ./mine.ts, capital: 5000 USDC, params: { margin: 4% } }, { use: shade, count: 4, latency: { feed: 80ms, quote: 120ms } }]
inference: { cluster: gameDay, replications: 200 }
`

function load(text: string, overrides?: Overrides) {
  const path = join(folder, 'scenario.yaml')
  writeFileSync(path, text)
  return loadScenario(path, overrides)
}

/** The line of every mistake, the word of the text that it points at, the setting and the message. */
function mistakes(text: string, overrides?: Overrides): string[] {
  try {
    load(text, overrides)
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position: { line = 0, column = 0 }, path, message }) => {
      const word = /^[^,}\]:]*/.exec((text.split('\n')[line - 1] ?? '').slice(column - 1))![0].trim()
      return `${line} ${word} | ${path}: ${message}`
    })
  }
  return []
}

const withLine = (from: string | RegExp, to: string): string => DESIGN.replace(from, to)

describe('a scenario file', () => {
  it('reads the example of the design', () => {
    const { file } = load(DESIGN)
    expect(file.history).toMatchObject({ store: 'mlb', from: 1_750_291_200_000_000, legs: 'executable', maxAge: 5_000_000 })
    expect(file.settlement).toEqual({ lag: 600_000_000, missing: 'exclude', scalar: 'void' })
    expect(file.bettors[1]).toMatchObject({ use: 'informed', n: 500, params: { horizon: 60_000_000, noise: 0.02 } })
    expect(file.makers[0]).toMatchObject({ use: './mine.ts', capital: 5_000_000_000, written: { params: { margin: '4%' } } })
    expect(file.makers[1]).toMatchObject({ use: 'shade', count: 4, latency: { feed: 80_000, quote: { baseUs: 120_000, jitterUs: 0 } } })
    expect(file.inference).toEqual({ cluster: 'gameDay', replications: 200 })
    expect(file.seed).toBe('1')
  })

  it('takes parameters of a cohort beside its kind or under params, not both', () => {
    expect(load(withLine('horizon: 60s, noise: 2c', 'params: { horizon: 60s }')).file.bettors[1]!.params).toEqual({ horizon: 60_000_000 })
    expect(mistakes(withLine('noise: 2c', 'params: { horizon: 1s }'))).toEqual(['6 1s | bettors.1.params.horizon: horizon is given twice'])
  })

  it.each([
    ['an unknown key', 'maxAge: 5s', 'maxage: 5s', '4 maxage | history: unknown key maxage; did you mean maxAge?'],
    ['a missing key', 'mode: interactive\n', '', '1 version | mode: is missing: expected interactive or replay'],
    ['a wrong version', 'version: 1', 'version: 2', '1 2 | version: expected 1, got 2'],
    ['an unknown profile', '2.1', '2.2', '3 parlay@2.2 | services.parlay.profile: expected parlay@2.1 or kalshi-rfq@2026-07, got "parlay@2.2"'],
    ['an unknown setting', '2.1 }', '2.1, set: { betMx: 1 USDC } }', '3 betMx | services.parlay.set: unknown key betMx; did you mean betMax?'],
    ['a setting out of range', '2.1 }', '2.1, set: { confirmation: 9s } }', '3 9s | services.parlay.set.confirmation: must be 5s to 8s, got "9s"'],
    ['a stake of 0', '2.1 }', '2.1, set: { betMin: 0 USDC } }', '3 0 USDC | services.parlay.set.betMin: must be 0.000001 USDC to 1000000000 USDC, got "0 USDC"'],
    ['a stake finer than money', '2.1 }', '2.1, set: { betMin: 0.0000001 USDC } }', '3 0.0000001 USDC | services.parlay.set.betMin: is finer than a micro-unit (0.000001 USDC)'],
    ['settings that cross', '2.1 }', '2.1, set: { betMin: 200 USDC } }', '3 200 USDC | services.parlay.set.betMin: betMin is above betMax'],
    ['more legs than a session carries', '2.1 }', '2.1, set: { legsMax: 51 } }', '3 51 | services.parlay.set.legsMax: must be 1 to 50, got 51'],
    ['odds that are no number', '2.1 }', '2.1, set: { oddsMax: .nan } }', '3 .nan | services.parlay.set.oddsMax: expected decimal odds such as 2.5, got NaN'],
    ['a number that is none', 'noise: 2c', 'noise: .nan', '6 .nan | bettors.1.noise: expected a share such as 4%, 2c or 0.04, got NaN'],
    ['a time without a zone', '2025-06-19', '2025-06-19T12:00:00', '4 2025-06-19T12 | history.from: expected an instant such as 2025-06-19 or 2025-06-19T19:23:00Z, got "2025-06-19T12:00:00"'],
    ['an unknown kind', 'kind: noise', 'kind: nois', '6 nois | bettors.0.kind: expected noise, informed, price-sensitive, favourite, impatient, stop-loss, take-profit, scripted or recorded, or use: the path of a strategy file'],
    ['no kind', 'kind: noise, ', '', '6 { n | bettors.0.use: is missing: expected kind: noise, informed, price-sensitive, favourite, impatient, stop-loss, take-profit, scripted or recorded, or use: the path of a strategy file'],
    ['a parameter out of range', 'count: 4', 'params: { margin: 101% }', '7 101% | makers.1.params.margin: must be 0% to 100%, got "101%"'],
    ['an unknown parameter', 'count: 4', 'params: { mrgin: 3% }', '7 mrgin | makers.1.params: unknown key mrgin; did you mean margin?'],
    ['a latency of the wrong shape', '120ms', '{ base: 1ms, jiter: 1ms }', '7 jiter | makers.1.latency.quote: unknown key jiter; did you mean jitter?'],
    ['no makers', /makers:.*/, 'makers: []', '7 [ | makers: expected at least one of the makers'],
    ['a list that is none', /makers:.*/, 'makers: shade', '7 shade | makers: expected a list of makers, got "shade"'],
    ['a duplicate key', 'version: 1', 'version: 1\nversion: 1', '2 version | : Map keys must be unique'],
    ['an alias that stands for nothing', 'mode: interactive', 'mode: *none', '2 *none | : *none stands for nothing: no &none comes before it'],
    ['broken YAML', 'mode: interactive', 'mode: [interactive', '3 services | : Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['a list instead of a map', DESIGN, '- 1\n', '1 - 1 | : expected a map, got a list'],
    ['nothing', DESIGN, '', '1  | : expected a map, got nothing'],
  ])('points at %s', (_, from, to, expected) => {
    expect(mistakes(withLine(from, to))[0]).toBe(expected)
  })

  it('lists several mistakes in the order of the file, each with its line', () => {
    const text = withLine('mode: interactive', 'mode: other').replace('n: 5000', 'n: 0').replace('count: 4', 'cuont: 4')
    expect(mistakes(text).map((mistake) => mistake.split(' ')[0])).toEqual(['2', '6', '7'])
    try {
      load(text)
    } catch (error) {
      const shown = (error as InputError).describe()
      expect(shown).toContain('scenario.yaml:2:7: mode: expected interactive or replay, got "other"')
      expect(shown).toContain('> 2 | mode: other')
      expect(shown).toContain('3 mistakes')
    }
  })

  it('refuses a file that is missing, a folder, or no text', () => {
    expect(() => loadScenario(join(folder, 'none.yaml'))).toThrow('no such file')
    expect(() => loadScenario(folder)).toThrow('is a folder')
    writeFileSync(join(folder, 'bytes.yaml'), new Uint8Array([0xff, 0xfe, 0x00]))
    expect(() => loadScenario(join(folder, 'bytes.yaml'))).toThrow('is not a text in UTF-8')
  })
})

describe('settings of the command line', () => {
  it('replace what the file says, and add what it does not', () => {
    const { file } = load(DESIGN, { set: ['makers.1.params.margin=5%', 'services.parlay.set.betMax=50 USDC', 'record.marks=[1s, 2s]'], seed: '007' })
    expect(file.makers[1]!.params).toEqual({ margin: 0.05 })
    expect(file.services.parlay!.settings.betMaxMicros).toBe(50_000_000)
    expect(file.record.marks).toEqual([1_000_000, 2_000_000])
    expect(file.seed).toBe('007')
  })

  it.each([
    ['makers.9.count=1', 'makers has 2 entries, from 0: there is no 9'], ['makers.x.count=1', 'makers has 2 entries, from 0: there is no x'],
    ['mode.x=1', 'mode is "interactive", which has no x'], ['mode', 'is not a setting'], ['=1', 'is not a setting'],
    ['a..b=1', 'has an empty part in its path'], ['seed=[1', 'its value is not YAML'],
  ])('refuses %s', (setting, message) => {
    expect(() => load(DESIGN, { set: [setting] })).toThrow(message)
  })

  it('are named where they are wrong', () => {
    try {
      load(DESIGN, { set: ['makers.1.cuont=3'] })
      expect.unreachable()
    } catch (error) {
      expect((error as InputError).describe()).toContain('--set makers.1.cuont=3: makers.1: unknown key cuont; did you mean count?')
    }
  })

  it('leave other places alone that share a value by an alias', () => {
    const text = withLine(/bettors:.*/, 'bettors: [{ kind: noise, n: 1, latency: &l { feed: 1ms } }, { kind: informed, n: 1, latency: *l }]')
    const { file } = load(text, { set: ['bettors.0.latency.feed=9ms'] })
    expect(file.bettors.map(({ latency }) => latency.feed)).toEqual([9_000, 1_000])
  })
})

describe('a scenario of a stranger', () => {
  const LEVELS = 'abcdefghi'
  const bomb = [...LEVELS].map((name, i) => `${name}: &${name} [${Array(9).fill(i === 0 ? 'x' : `*${LEVELS[i - 1]}`).join(', ')}]`).join('\n')

  it.each([
    ['that grows to billions of settings by aliases', bomb, '1 a | : has more than 1,000,000 settings, where each alias counts as what it stands for'],
    ['with an alias for what it is part of', 'mode: &a [1, *a]', '1 *a | : *a stands for what it is part of'],
    ['with thousands of aliases', `mode: &a 1\nseed: [${Array(1_001).fill('*a').join(', ')}]`, '1 mode | : has 1,001 aliases, expected 1,000 at most'],
    ['that nests without end', `mode: ${'['.repeat(20_000)}`, '1 [[[[[[[[[[[[[[[[[[[[[[[[[[[['],
  ])('%s is a mistake', (_, text, expected) => {
    expect(mistakes(text)[0]!.slice(0, expected.length)).toBe(expected)
  })

  it('may use an alias two hundred times', () => {
    const cohorts = Array.from({ length: 200 }, () => '{ kind: noise, n: 1, latency: *l }').join(', ')
    const { file } = load(withLine(/bettors:.*/, `bettors: [{ kind: noise, n: 1, latency: &l { feed: 7ms } }, ${cohorts}]`))
    expect(file.bettors.map(({ latency }) => latency.feed)).toEqual(Array(201).fill(7_000))
  })

  it('with thousands of mistakes is told of fifty', () => {
    const text = `${DESIGN}${Array.from({ length: 3_000 }, (_, i) => `key${i}: 1\n`).join('')}`
    expect(mistakes(text)).toHaveLength(50)
    try {
      load(text)
      expect.unreachable()
    } catch (error) {
      expect((error as InputError).describe()).toMatch(/50 mistakes, or more$/)
    }
  })
})

describe('the JSON Schema of scenarios', () => {
  const schema = JSON.parse(JSON.stringify(scenarioJsonSchema()))

  it('describes every key of a scenario, and the parameters of the built-in strategies', () => {
    expect(Object.keys(schema.properties)).toEqual([
      'version', 'name', 'mode', 'seed', 'seeds', 'services', 'history', 'arrivals', 'settlement', 'halts', 'delist', 'withdrawals', 'bettors', 'makers', 'inference',
      'record', 'strategies', 'chain', 'league', 'sweep',
    ])
    expect(schema.required).toEqual(['version', 'mode', 'services', 'history', 'bettors', 'makers'])
    expect(schema.properties.services.properties.parlay.properties.set.properties.betMax.description).toBe('largest bet (PQ-042); default 100 USDC')
    expect(JSON.stringify(schema.properties.makers.items.allOf)).toContain('"curse"')
    expect(schema.properties.bettors.items.oneOf ?? schema.properties.bettors.items.anyOf).toHaveLength(10)
  })
})
