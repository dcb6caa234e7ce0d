import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildSession } from '../../src/scenario/build.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { resolveScenario } from '../../src/scenario/resolve.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { scenarioJsonSchema } from '../../src/scenario/schema.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { parlor } from '../cli/parlor.ts'
import { newFolder, prepared, put, QUICKSTART_STORE } from './small.ts'
import { wholeTicks } from '../market/wholeTicks.ts'

// One test starts a process, on machines that may be busy.
const START_US = 1_750_372_200_000_000
const SCRIPT = `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 10m }
bettors:
  - kind: scripted
    name: alice
    bankroll: 500 USDC
    latency: { submit: 40ms }
    requests:
      - { at: 10s, legs: [ECON-CPI-1 no, ECON-JOBS-2 yes], bet: 25 USDC }
      - { at: 2025-06-19T22:31:00.5Z, legs: [TEMP-NORTH-B4 yes, ECON-OIL-6 no, WINNER-01-ALB-BRK-ALB yes], bet: 2.5 USDC, floor: 3.5, decide: 2s, cancel: true }
makers:
  - { use: fixed-margin, capital: 50000 USDC }
`

/** The line of every mistake, the word of the text that it points at, the setting and the message. */
async function mistakes(from: string | RegExp, to: string): Promise<string[]> {
  const text = SCRIPT.replace(from, to)
  try {
    await prepared(text)
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position: { line = 0, column = 0 }, path, message }) => {
      const word = /^[^,}\]:]*/.exec((text.split('\n')[line - 1] ?? '').slice(column - 1))![0].trim()
      return `${line} ${word} | ${path}: ${message}`
    })
  }
  return []
}

describe('the script of a bettor', () => {
  it('is resolved with its defaults, and carried by the scenario', async () => {
    const { prepared: { resolved } } = await prepared(SCRIPT)
    expect(resolved.bettors).toEqual([{
      name: 'alice', service: 'parlay', strategy: 'scripted', parameters: {}, bettors: 1, bankrollMicros: 500_000_000, everyUs: 0,
      latency: {
        feedUs: 100_000, broadcast: { baseUs: 25_000, jitterUs: 0 }, submit: { baseUs: 40_000, jitterUs: 0 }, confirm: { baseUs: 0, jitterUs: 0 },
      },
      script: [
        {
          atUs: START_US + 10_000_000, legs: [{ ticker: 'ECON-CPI-1', side: 'no' }, { ticker: 'ECON-JOBS-2', side: 'yes' }],
          betMicros: 25_000_000, floorOddsE4: 10_001, decideUs: 5_000_000, cancel: false,
        },
        {
          atUs: START_US + 60_500_000,
          legs: [{ ticker: 'TEMP-NORTH-B4', side: 'yes' }, { ticker: 'ECON-OIL-6', side: 'no' }, { ticker: 'WINNER-01-ALB-BRK-ALB', side: 'yes' }],
          betMicros: 2_500_000, floorOddsE4: 35_000, decideUs: 2_000_000, cancel: true,
        },
      ],
    }])
    expect(resolved.oracles).toEqual([])
  })

  it('becomes a cohort of one that arrives at its instants', async () => {
    const { prepared: { resolved, strategies, store } } = await prepared(SCRIPT)
    const { config, directory } = buildSession(resolved, strategies, store)
    expect(config.parlay!.cohorts[0]).toMatchObject({ name: 'alice', bettors: 1, arrivalsUs: [START_US + 10_000_000, START_US + 60_500_000] })
    expect(directory.accounts[0]).toEqual({ name: 'alice-1', role: 'bettor', group: 'alice' })
  })

  it('is named after its kind unless it has a name, and stands beside other bettors', async () => {
    const more = '\n  - { kind: scripted, requests: [{ at: 0s, legs: [ECON-OIL-6 no, ECON-JOBS-2 yes], bet: 1 USDC }] }\n  - { kind: noise, n: 10, every: 10m }'
    const { prepared: { resolved } } = await prepared(SCRIPT.replace('    name: alice\n', '').replace(/\nmakers:/, `${more}$&`))
    expect(resolved.bettors.map(({ name, strategy }) => [name, strategy])).toEqual([['scripted', 'scripted'], ['scripted-2', 'scripted'], ['noise', 'noise']])
  })

  it('may ask for what stands at the very limits', async () => {
    expect(await mistakes('bet: 25 USDC', 'bet: 1 USDC, floor: 1.0001')).toEqual([])
    expect(await mistakes('bet: 25 USDC', 'bet: 100 USDC, floor: 1000')).toEqual([])
    expect(await mistakes('at: 10s', 'at: 2025-06-19T22:30:00Z')).toEqual([])
    expect(await mistakes('at: 2025-06-19T22:31:00.5Z', 'at: 10s')).toEqual([])
    expect(await mistakes('at: 2025-06-19T22:31:00.5Z', 'at: 2025-06-19T23:19:59.999999Z')).toEqual([])
    const five = 'ECON-CPI-1 no, ECON-JOBS-2 yes, TEMP-SOUTH-B4 yes, TEMP-NORTH-B4 yes, ECON-OIL-6 no'
    expect(await mistakes('ECON-CPI-1 no, ECON-JOBS-2 yes', five)).toEqual([])
  })

  it.each([
    ['an unknown ticker', 'ECON-JOBS-2 yes', 'ECON-JOB-2 yes', '12 ECON-JOB-2 yes | bettors.0.requests.0.legs.1: no market ECON-JOB-2 in the store; did you mean ECON-JOBS-2?'],
    ['a side that is neither yes nor no', 'ECON-CPI-1 no', 'ECON-CPI-1 maybe', '12 ECON-CPI-1 maybe | bettors.0.requests.0.legs.0: expected yes or no after the ticker, got "maybe"'],
    ['a leg without a side', 'ECON-CPI-1 no', 'ECON-CPI-1', '12 ECON-CPI-1 | bettors.0.requests.0.legs.0: expected a ticker and its side, as TICKER yes, got "ECON-CPI-1"'],
    ['a leg that is no text', 'ECON-CPI-1 no', '7', '12 7 | bettors.0.requests.0.legs.0: expected a leg such as TICKER yes, got 7'],
    ['the same market twice', 'ECON-JOBS-2 yes', 'ECON-CPI-1 yes', '12 ECON-CPI-1 yes | bettors.0.requests.0.legs.1: ECON-CPI-1 stands in the parlay twice'],
    ['two legs sharing a key', 'ECON-OIL-6 no', 'TEMP-NORTH-B1 no', '13 TEMP-NORTH-B1 no | bettors.0.requests.1.legs.1: TEMP-NORTH-B4 and TEMP-NORTH-B1 share the exclusion key event:TEMP-NORTH'],
    ['two legs sharing a key that do not stand side by side', 'TEMP-NORTH-B4 yes', 'TOTAL-01-ALB-BRK-34 yes', '13 WINNER-01-ALB-BRK-ALB yes | bettors.0.requests.1.legs.2: TOTAL-01-ALB-BRK-34 and WINNER-01-ALB-BRK-ALB share the exclusion key game:01-ALB-BRK'],
    ['two legs sharing two keys', 'TEMP-NORTH-B4 yes', 'WINNER-01-ALB-BRK-BRK no', '13 WINNER-01-ALB-BRK-ALB yes | bettors.0.requests.1.legs.2: WINNER-01-ALB-BRK-BRK and WINNER-01-ALB-BRK-ALB share the exclusion keys event:WINNER-01-ALB-BRK, game:01-ALB-BRK'],
    ['no legs', '[ECON-CPI-1 no, ECON-JOBS-2 yes]', '[]', '12 [ | bettors.0.requests.0.legs: expected at least one of the legs'],
    ['too few legs', ', ECON-JOBS-2 yes', '', '12 [ECON-CPI-1 no | bettors.0.requests.0.legs: 1 leg is not what the service takes, 2 to 5'],
    ['too many legs', 'ECON-CPI-1 no', 'ECON-CPI-1 no, ECON-OIL-6 no, ECON-RATE-3 yes, ECON-TRADE-8 yes, TEMP-NORTH-B1 no', '12 [ECON-CPI-1 no | bettors.0.requests.0.legs: 6 legs are not what the service takes, 2 to 5'],
    ['a stake of 0', '25 USDC', '0 USDC', '12 0 USDC | bettors.0.requests.0.bet: 0 USDC is not what the service takes, 1 USDC to 100 USDC'],
    ['a stake below the limit', '25 USDC', '0.999999 USDC', '12 0.999999 USDC | bettors.0.requests.0.bet: 0.999999 USDC is not what the service takes, 1 USDC to 100 USDC'],
    ['a stake above the limit', '25 USDC', '100.000001 USDC', '12 100.000001 USDC | bettors.0.requests.0.bet: 100.000001 USDC is not what the service takes, 1 USDC to 100 USDC'],
    ['a negative stake', '25 USDC', '-25 USDC', '12 -25 USDC | bettors.0.requests.0.bet: must not be negative: "-25 USDC"'],
    ['a stake finer than money', '25 USDC', '25.0000001 USDC', '12 25.0000001 USDC | bettors.0.requests.0.bet: is finer than a micro-unit (0.000001 USDC)'],
    ['a stake without a unit', '25 USDC', '25', '12 25 | bettors.0.requests.0.bet: expected an amount such as 5 USDC, got 25'],
    ['odds of NaN', 'floor: 3.5', 'floor: .nan', '13 .nan | bettors.0.requests.1.floor: expected decimal odds such as 2.5, got NaN'],
    ['odds that are infinite', 'floor: 3.5', 'floor: .inf', '13 .inf | bettors.0.requests.1.floor: expected decimal odds such as 2.5, got Infinity'],
    ['odds below the lowest', 'floor: 3.5', 'floor: 1', '13 1 | bettors.0.requests.1.floor: must be 1.0001 to 1000, got 1'],
    ['odds above the highest', 'floor: 3.5', 'floor: 1000.0001', '13 1000.0001 | bettors.0.requests.1.floor: must be 1.0001 to 1000, got 1000.0001'],
    ['odds of five decimals', 'floor: 3.5', 'floor: 3.50001', '13 3.50001 | bettors.0.requests.1.floor: is finer than four decimals'],
    ['a time before the window', 'at: 10s', 'at: 2025-06-19T22:29:59Z', '12 2025-06-19T22 | bettors.0.requests.0.at: is before the session, which begins at 2025-06-19T22:30:00Z'],
    ['a time at the end of the arrivals', /at: 2025\S*,/, 'at: 50m,', '13 50m | bettors.0.requests.1.at: 2025-06-19T23:20:00Z is not before 2025-06-19T23:20:00Z, from when on nobody arrives'],
    ['a time that is none', 'at: 10s', 'at: soon', '12 soon | bettors.0.requests.0.at: expected an instant or a duration after the begin, got "soon"'],
    ['requests out of order', 'at: 10s', 'at: 60.500001s', '13 2025-06-19T22 | bettors.0.requests.1.at: 2025-06-19T22:31:00.5Z is before 2025-06-19T22:31:00.500001Z of the request above it: requests stand in order of time'],
    ['a market that the settlement policy leaves out', 'ECON-JOBS-2 yes', 'ECON-RETAIL-7 yes', '12 ECON-RETAIL-7 yes | bettors.0.requests.0.legs.1: ECON-RETAIL-7 cannot be traded: it has no outcome, and settlement.missing leaves such markets out'],
    ['no requests', /requests:\n.*\n.*\n/, 'requests: []\n', '11 [ | bettors.0.requests: expected at least one of the requests'],
    ['a request without legs', 'legs: [ECON-CPI-1 no, ECON-JOBS-2 yes], ', '', '12 { at | bettors.0.requests.0.legs: is missing: expected a list of legs'],
    ['an unknown key of a request', 'floor:', 'flor:', '13 flor | bettors.0.requests.1: unknown key flor; did you mean floor?'],
    ['a service that the scenario has not', 'name: alice', 'service: outcome', '8 outcome | bettors.0.service: the scenario has no outcome service'],
    ['a number of bettors', 'bankroll:', 'n: 2\n    bankroll:', '9 n | bettors.0: unknown key n; did you mean name?'],
    ['a bankroll above the largest deposit', 'parlay@2.1 }', 'parlay@2.1, set: { depositMax: 499 USDC } }', '9 500 USDC | bettors.0.bankroll: is above 499 USDC, the largest deposit that the service takes'],
  ])('refuses %s', async (_, from, to, expected) => {
    expect((await mistakes(from, to))[0]).toBe(expected)
  })

  it('says so when a market has no price in the window', async () => {
    const { loaded, prepared: { strategies, store } } = await prepared(SCRIPT)
    const oil = store.catalogue.markets.find(({ ticker }) => ticker === 'ECON-OIL-6')!.number
    const other = store.catalogue.markets.find(({ ticker }) => ticker === 'ECON-GDP-4')!.number
    const recorded = wholeTicks(store.ticks)
    const ticks = { ...recorded, market: recorded.market.map((market) => (market === oil ? other : market)) }
    expect(() => resolveScenario(loaded, strategies, { catalogue: store.catalogue, ticks }))
      .toThrow('bettors.0.requests.1.legs.1: ECON-OIL-6 cannot be traded: it has no price from 2025-06-19T22:30:00Z to 2025-06-19T23:30:00Z')
  })

  it('takes a market without an outcome where the settlement policy draws one', async () => {
    expect(await mistakes(/(bettors:[^]*)ECON-JOBS-2 yes/, 'settlement: { missing: draw }\n$1ECON-RETAIL-7 yes')).toEqual([])
  })

  it('lists its mistakes in the order of the file', async () => {
    const found = await mistakes(/bet: 25 USDC([^]*)ECON-OIL-6 no/, 'bet: 0.5 USDC$1ECON-OIL-66 no')
    expect(found.map((mistake) => mistake.split(' |')[0])).toEqual(['12 0.5 USDC', '13 ECON-OIL-66 no'])
  })

  it('stands in the JSON Schema', () => {
    const schema = JSON.parse(JSON.stringify(scenarioJsonSchema()))
    const { items } = schema.properties.bettors
    const kind = (items.oneOf ?? items.anyOf).find(({ properties }: { properties: { kind?: { const?: string } } }) => properties.kind?.const === 'scripted')
    expect(kind.required).toEqual(['kind', 'requests'])
    expect(Object.keys(kind.properties.requests.items.properties)).toEqual(['at', 'legs', 'bet', 'floor', 'decide', 'cancel'])
    expect(kind.properties.requests.items.required).toEqual(['at', 'legs', 'bet'])
  })
})

describe('a run of a script', () => {
  it('is played again from its manifest', async () => {
    const { loaded, prepared: ready } = await prepared(SCRIPT)
    const path = join(newFolder(), 'run')
    const { manifest } = await runScenario(loaded, ready, { target: { path, force: false, numbered: false } })
    expect(manifest.counts).toMatchObject({ arrivals: 2 })
    const { ok, checks } = await verifyRun(path)
    expect(checks.filter((check) => !check.ok)).toEqual([])
    expect(checks.find(({ name }) => name === 'rerun')).toMatchObject({ ok: true })
    expect(ok).toBe(true)
  })

  it('with two legs that share a key ends with code 2, one message and no output', async () => {
    const folder = newFolder()
    const text = SCRIPT.replace('ECON-OIL-6 no', 'TEMP-NORTH-B1 no')
    const column = text.split('\n')[12]!.indexOf('TEMP-NORTH-B1 no') + 1
    put(folder, 'script.yaml', text)
    const { code, out, err } = await parlor(folder, 'run', 'script.yaml')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(`script.yaml:13:${column}: bettors.0.requests.1.legs.1: TEMP-NORTH-B4 and TEMP-NORTH-B1 share the exclusion key event:TEMP-NORTH`)
    expect(err.match(/bettors\.0/g)).toHaveLength(1)
    expect(err).not.toMatch(/^\s+at /m)
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })
})
