import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Session } from '../../src/engine/session.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { Digest } from '../../src/record/digest.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { type LoadedScenario, loadScenario } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { type PreparedScenario, prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { scenarioJsonSchema } from '../../src/scenario/schema.ts'
import { summariseRun } from '../../src/score/summary.ts'
import { parlor } from '../cli/parlor.ts'
import { newFolder, put, QUICKSTART_STORE } from './small.ts'

/** 2025-06-19T22:30:00Z, the begin of the session; nobody arrives from 23:30 on. */
const FROM = 1_750_372_200_000_000
const UNTIL = FROM + 3_600_000_000
const SECOND = 1_000_000
const at = (seconds: number): number => FROM + Math.round(seconds * SECOND)

/** Two requests and two rivals: beta is chosen both times, confirms once and declines once, and then alpha is chosen. */
const ONE = [
  { kind: 'request', id: 'one', at_us: at(60), bettor: 'ann', legs: ['ECON-CPI-1 no', 'ECON-HOME-5 no'], stake_dollars: 25, lifetime_s: 90, floor_odds: 2.42 },
  { kind: 'quote', request: 'one', maker: 'alpha', at_us: at(60.12), odds: 2.41, valid_s: 30 },
  { kind: 'quote', request: 'one', maker: 'beta', at_us: at(60.25), odds: 2.45, valid_s: 20 },
  { kind: 'acceptance', request: 'one', maker: 'beta', at_us: at(66) },
  { kind: 'last_look', request: 'one', answer: 'confirmed', delay_ms: 310 },
]
const TWO = [
  { kind: 'request', id: 'two', at_us: at(180), bettor: 'ben', legs: ['ECON-CPI-1 yes', 'ECON-JOBS-2 no'], stake_dollars: 40, lifetime_s: 90 },
  { kind: 'quote', request: 'two', maker: 'beta', at_us: at(180.18), probability: 0.0715, valid_s: 8 },
  { kind: 'quote', request: 'two', maker: 'alpha', at_us: at(180.9), odds: 13.5, valid_s: 30 },
  { kind: 'acceptance', request: 'two', maker: 'beta', at_us: at(185.5) },
  { kind: 'last_look', request: 'two', maker: 'beta', answer: 'declined', delay_ms: 450 },
  { kind: 'acceptance', request: 'two', maker: 'alpha', at_us: at(188) },
]

const RIVALS = ['alpha', 'beta'].map((maker) => `  - { use: recorded, log: log.ndjson, maker: ${maker}, capital: 10000 USDC }\n`).join('')

interface Terms {
  readonly service?: string
  readonly bettor?: string
  readonly makers?: string
}

const scenarioOf = ({ service = 'parlay: { profile: parlay@2.1 }', bettor = '', makers = RIVALS }: Terms = {}): string => `version: 1
name: recorded
mode: replay
services: { ${service} }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
bettors:
  - { kind: recorded, log: log.ndjson${bettor} }
makers:
${makers}`

type Ready = { readonly loaded: LoadedScenario; readonly prepared: PreparedScenario; readonly said: readonly string[] }

async function ready(rows: readonly object[], terms: Terms = {}): Promise<Ready> {
  const folder = newFolder()
  put(folder, 'log.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'))
  const loaded = loadScenario(put(folder, 'recorded.yaml', scenarioOf(terms)))
  const said: string[] = []
  return { loaded, prepared: await prepareScenario(loaded, (line) => { said.push(line) }), said }
}

type Row = Readonly<Record<string, string | number | null>>

function rowsOf(dir: string, name: string): Row[] {
  const table = readTable(join(dir, 'tables', `${name}.arrow`))
  const columns = table.columnNames.filter((column) => table.typeOf(column) !== 'enumList').map((column) => table.column(column))
  return Array.from({ length: table.rowCount }, (_, row) => Object.fromEntries(columns.map(({ name: column, valid, codes, values, texts, numbers }) => (
    [column, valid !== null && valid[row] === 0 ? null : codes !== undefined ? values![codes[row]!]! : (texts ?? numbers!)[row]!]))))
}

async function play({ loaded, prepared }: Ready): Promise<string> {
  return (await runScenario(loaded, prepared, { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })).path
}

async function played(rows: readonly object[], terms: Terms = {}): Promise<string> {
  return play(await ready(rows, terms))
}

/** Of each request of the log: what became of it, and why it is not what was. */
const fates = (dir: string): (string | null)[][] => rowsOf(dir, 'recorded').map(({ logged, outcome, maker, verdict, why }) => [logged, outcome, maker, verdict, why] as (string | null)[])

const selections = (dir: string): unknown[] => rowsOf(dir, 'acceptances').map(({ maker, selected_at: selected, decided_at: decided, outcome, selected_odds_e4: odds, net_stake_micros: net, risk_micros: risk }) =>
  [maker, Number(selected) - FROM, Number(decided) - FROM, outcome, odds, Number(net) + Number(risk)])

describe('a recorded log', () => {
  it('is played as it was where nobody undercuts: makers, instants, answers, and prices to the micro', async () => {
    const dir = await played([...ONE, ...TWO])
    // 25 less 1 % is 24.75; at 2.45 that pays 60.6375. 40 less 1 % is 39.6; 1 ∕ 0.0715 is 13.986 and pays 553.8456, and 13.5 pays 534.6.
    expect(selections(dir)).toEqual([
      ['beta', 66 * SECOND, 66.31 * SECOND, 'confirmed', 24_500, 60_637_500],
      ['beta', 185.5 * SECOND, 185.95 * SECOND, 'declined', 139_860, 553_845_600],
      ['alpha', 188 * SECOND, 188 * SECOND, 'confirmed', 135_000, 534_600_000],
    ])
    expect(fates(dir)).toEqual([['one', 'confirmed', 'beta', 'reproduced', null], ['two', 'confirmed', 'alpha', 'reproduced', null]])
    expect(rowsOf(dir, 'rejections').map(({ rejection }) => rejection)).toEqual(['mmConfirmationTimeout'])
    // Ann and Ben have an account each, and what Ben staked.
    expect(rowsOf(dir, 'requests').map(({ bettor, bet_micros: bet }) => [bettor, bet])).toEqual([[0, 25_000_000], [1, 40_000_000]])
    const { ok } = await verifyRun(dir)
    expect(ok).toBe(true)
  })

  it('has one\'s own maker in it, which is chosen where its price is better, and whose fills are not the log\'s', async () => {
    const mine = '  - { use: fixed-margin, name: mine, capital: 10000 USDC, params: { margin: 0% } }\n'
    const dir = await played([...ONE, ...TWO], { makers: RIVALS + mine })
    expect(fates(dir).map(([, , maker, verdict, why]) => [maker, verdict, why])).toEqual([['mine', 'other', 'another maker was chosen'], ['mine', 'other', 'another maker was chosen']])
    const costly = await played([...ONE, ...TWO], { makers: `${RIVALS}${mine.replace('0%', '50%')}` })
    expect(fates(costly).map(([, , , verdict]) => verdict)).toEqual(['reproduced', 'reproduced'])
    expect(rowsOf(costly, 'quotes').filter(({ maker }) => maker === 'mine')).toHaveLength(2)
  })

  it('says in its summary what was repeated, what was not and why, and that it responds to nobody', async () => {
    const dir = await played([...ONE, ...TWO, { ...ONE[0], id: 'three', at_us: at(300), legs: ['NOWHERE-1 yes', 'ECON-CPI-1 no'] }], { makers: RIVALS.split('\n')[0]! })
    const summary = await summariseRun(dir)
    expect(summary).toMatchObject({ label: 'replay', recorded: [{
      cohort: 'recorded', log: 'log.ndjson', takes: 'recorded', requests: 3, reproduced: 0, other: { 'its maker has no seat': 2 }, leftOut: { 'unknown market': 1 },
      makers: [{ maker: 'alpha', taken: 1, reproduced: 0, other: { 'its maker has no seat': 1 } }, { maker: 'beta', taken: 1, reproduced: 0, other: { 'its maker has no seat': 1 } }],
    }] })
  })

  it('is the same in another process, to the byte', async () => {
    const manifests: { digest: string; tables: object }[] = []
    for (const folder of [newFolder(), newFolder()]) {
      put(folder, 'log.ndjson', [...ONE, ...TWO].map((row) => JSON.stringify(row)).join('\n'))
      put(folder, 'recorded.yaml', scenarioOf())
      const { code, err } = await parlor(folder, 'run', 'recorded.yaml', '--no-report', '--out', 'run')
      expect({ code, err }).toEqual({ code: 0, err: '' })
      manifests.push(JSON.parse(readFileSync(join(folder, 'run', 'manifest.json'), 'utf8')))
    }
    const { digest } = JSON.parse(readFileSync(join(await played([...ONE, ...TWO]), 'manifest.json'), 'utf8'))
    expect(manifests.map((manifest) => manifest.digest)).toEqual([digest, digest])
    expect(manifests[0]!.tables).toHaveProperty('recorded')
    expect(manifests[0]!.tables).toEqual(manifests[1]!.tables)
  })

  it('goes on from a checkpoint in the middle, at whatever step', async () => {
    const { prepared: { resolved, strategies, store } } = await ready([...ONE, ...TWO])
    const fresh = (): { session: Session; digest: Digest } => {
      const digest = new Digest()
      return { session: new Session({ ...buildSession(resolved, strategies, store).config, sinks: [digest] }), digest }
    }
    const whole = fresh()
    let steps = 0
    while (whole.session.run(1)) steps++
    whole.digest.finish()
    for (const stop of [Math.floor(steps / 4), Math.floor(steps / 2), steps - 40]) {
      const first = fresh()
      first.session.run(stop)
      const image = structuredClone({ session: first.session.snapshot(), digest: first.digest.snapshot() })
      const second = fresh()
      second.session.restore(image.session)
      second.digest.restore(image.digest)
      second.session.runToEnd()
      expect(second.digest.hex()).toBe(whole.digest.hex())
    }
  })

  it('is part of the identity by its hash, and an edited one leaves the run unproven', async () => {
    const made = await ready(ONE)
    const { resolved } = made.prepared
    expect(resolved.bettors[0]!.recorded).toMatchObject({ log: 'log.ndjson', takes: 'recorded', requests: 1, leftOut: {} })
    expect(resolved.makers[0]!.recorded).toEqual({ log: 'log.ndjson', sha256: resolved.bettors[0]!.recorded!.sha256, maker: 'alpha' })
    const dir = await play(made)
    put(dirname(made.loaded.path), 'log.ndjson', [...ONE, ...TWO].map((row) => JSON.stringify(row)).join('\n'))
    const { checks } = await verifyRun(dir)
    expect(checks.find(({ name }) => name === 'log log.ndjson')).toMatchObject({ about: expect.stringMatching(/^has changed since the run/) })
  })
})

describe('boundaries of a log', () => {
  const request = ONE[0]!
  const quote = { kind: 'quote', request: 'one', maker: 'alpha', at_us: at(61), odds: 2.4 }
  const accept = (seconds: number, micros = 0): object => ({ kind: 'acceptance', request: 'one', maker: 'alpha', at_us: at(seconds) + micros })
  const end = async (rows: readonly object[], terms: Terms = {}): Promise<(string | null)[]> => fates(await played(rows, { makers: RIVALS.split('\n')[0]!, ...terms }))[0]!.slice(1)
  const GOOD = ['confirmed', 'alpha', 'reproduced', null]
  const GONE = ['untaken', null, 'other', 'the quote was not there']

  it('a quote is there up to its last microsecond', async () => {
    expect(await end([request, { ...quote, valid_s: 6 }, accept(67, -1)])).toEqual(GOOD)
    expect(await end([request, { ...quote, valid_s: 6 }, accept(67)])).toEqual(GONE)
  })

  it('a quote that lived shorter than the service lets quotes live is withdrawn at its end', async () => {
    expect(await end([request, { ...quote, valid_us: 1_500_001 }, accept(62.5)])).toEqual(GOOD)
    expect(await end([request, { ...quote, valid_us: 1_500_001 }, accept(62.5, 2)])).toEqual(GONE)
  })

  it('a quote that lived longer than the service lets quotes live is made again', async () => {
    const dir = await played([request, { ...quote, valid_s: 80 }, accept(130)], { makers: RIVALS.split('\n')[0]! })
    expect(fates(dir)[0]!.slice(1)).toEqual(GOOD)
    expect(rowsOf(dir, 'quotes').map(({ submitted_at: submitted }) => Number(submitted) - FROM)).toEqual([61 * SECOND, 121 * SECOND])
  })

  it('what a maker quoted behind its own fill is not quoted, and nothing is refused', async () => {
    const behind = { ...quote, at_us: at(66), odds: 2.5, valid_s: 5 }
    const dir = await played([request, quote, accept(64), { kind: 'last_look', request: 'one', answer: 'confirmed', delay_s: 1 }, behind], { makers: RIVALS.split('\n')[0]! })
    expect(fates(dir)[0]!.slice(1)).toEqual(GOOD)
    expect(rowsOf(dir, 'quotes').map(({ submitted_at: submitted }) => Number(submitted) - FROM)).toEqual([61 * SECOND])
    expect(rowsOf(dir, 'rejections')).toEqual([])
    // Behind a declined last look the request goes on.
    const declined = await played([request, quote, accept(64), { kind: 'last_look', request: 'one', answer: 'declined', delay_s: 1 }, behind], { makers: RIVALS.split('\n')[0]! })
    expect(rowsOf(declined, 'quotes').map(({ submitted_at: submitted }) => Number(submitted) - FROM)).toEqual([61 * SECOND, 66 * SECOND])
  })

  it('what is withdrawn at the instant of an acceptance was accepted, and a microsecond before it was not', async () => {
    expect(await end([request, { ...quote, withdrawn_at_us: at(64) }, accept(64)])).toEqual(GOOD)
    expect(await end([request, { ...quote, withdrawn_at_us: at(64) - 1 }, accept(64)])).toEqual(GONE)
  })

  it('what is accepted at the instant of its quote is accepted a microsecond later', async () => {
    const dir = await played([request, quote, accept(61)], { makers: RIVALS.split('\n')[0]! })
    expect(selections(dir)).toEqual([['alpha', 61 * SECOND + 1, 61 * SECOND + 1, 'confirmed', 24_000, 59_400_000]])
    expect(fates(dir)[0]!.slice(1)).toEqual(GOOD)
  })

  it('an answer counts up to the last microsecond of the window of five seconds', async () => {
    const answer = (delay: number): object => ({ kind: 'last_look', request: 'one', answer: 'confirmed', delay_us: delay })
    expect(await end([request, quote, accept(64), answer(4_999_999)])).toEqual(GOOD)
    expect(await end([request, quote, accept(64), answer(5_000_000)])).toEqual(['timed_out', 'alpha', 'other', 'another last look'])
    expect(await end([request, quote, accept(64), { kind: 'last_look', request: 'one', answer: 'lapsed' }])).toEqual(['timed_out', 'alpha', 'reproduced', null])
  })

  it('a request is in the session from its begin until nobody arrives any more', async () => {
    const moved = (us: number, id: string): object => ({ ...request, id, at_us: us })
    const { prepared: { resolved }, said } = await ready([moved(FROM - 1, 'early'), moved(FROM, 'first'), moved(UNTIL - 1, 'last'), moved(UNTIL, 'late'), { ...quote, request: 'first' }, quote], { makers: RIVALS.split('\n')[0]! })
    expect(resolved.bettors[0]!.recorded).toMatchObject({ requests: 4, leftOut: { 'outside of the session': { count: 2, first: 'early' } } })
    expect(said).toEqual([
      'log.ndjson: 5 of 6 rows read; 1 set aside: unknown request (line 6: no request one)',
      'recorded: left out of 4 requests of log.ndjson: 2 outside of the session (first early)',
    ])
  })

  it('an acceptance of a quote that the log lacks is never played without a price, and with one it is', async () => {
    const bare = { kind: 'acceptance', request: 'one', maker: 'beta', at_us: at(64) }
    expect(await end([request, quote, bare])).toEqual(['untaken', null, 'other', 'its maker has no seat'])
    expect(await end([request, quote, { ...bare, odds: 2.4 }])).toEqual(['confirmed', 'alpha', 'other', 'its maker has no seat'])
    expect(await end([request, quote, { ...bare, odds: 2.4001 }])).toEqual(['untaken', null, 'other', 'its maker has no seat'])
  })

  it('with takes: floor the best price is taken at the recorded decision if it reaches the floor', async () => {
    const bettor = ', takes: floor'
    const decided = { ...request, decide_s: 5, floor_odds: 2.4 }
    const dir = await played([decided, quote], { bettor, makers: RIVALS.split('\n')[0]! })
    expect(selections(dir)).toEqual([['alpha', 65 * SECOND, 65 * SECOND, 'confirmed', 24_000, 59_400_000]])
    expect(fates(dir)[0]!.slice(1)).toEqual(['confirmed', 'alpha', 'other', 'taken now, and not in the log'])
    expect(await end([{ ...decided, floor_odds: 2.4001 }, quote], { bettor })).toEqual(['untaken', null, 'reproduced', null])
  })
})

describe('a recorded log on the outcome service', () => {
  it('has payouts to the micro-unit, which odds of four decimals cannot say', async () => {
    const dir = await played([
      { ...ONE[0], lifetime_s: 15 }, { kind: 'quote', request: 'one', maker: 'alpha', at_us: at(61), probability: 0.41, valid_s: 9 }, { kind: 'acceptance', request: 'one', maker: 'alpha', at_us: at(69.999_999) },
    ], { service: 'outcome: { profile: outcome@1 }', makers: RIVALS.split('\n')[0]! })
    // 25 less 0.2 % is 24.95, and 24.95 ∕ 0.41 is 60.85365853…
    expect(rowsOf(dir, 'acceptances').map(({ net_stake_micros: net, risk_micros: risk }) => Number(net) + Number(risk))).toEqual([60_853_658])
    expect(rowsOf(dir, 'recorded').map(({ verdict, recorded_payout_micros: recorded, payout_micros: payout }) => [verdict, recorded, payout])).toEqual([['reproduced', 60_853_658, 60_853_658]])
  })

  it.each([['as they stand', [0, 1]], ['the other way round', [1, 0]]] as const)('has its rivals whatever the order of legs in the log, %s', async (_, order) => {
    const legs = order.map((leg) => ONE[0]!.legs![leg]!)
    const dir = await played([
      { ...ONE[0], legs, lifetime_s: 15 }, { kind: 'quote', request: 'one', maker: 'alpha', at_us: at(61), probability: 0.41, valid_s: 9 }, { kind: 'acceptance', request: 'one', maker: 'alpha', at_us: at(69) },
    ], { service: 'outcome: { profile: outcome@1 }', makers: RIVALS.split('\n')[0]! })
    expect(rowsOf(dir, 'recorded').map(({ verdict }) => verdict)).toEqual(['reproduced'])
  })
})

describe('what of a log cannot be played', () => {
  const legs = (...of: string[]): object => ({ ...ONE[0], id: of.join(), legs: of })

  it('is counted by cause, with what shows the first', async () => {
    const { prepared: { resolved, strategies, store }, said } = await ready([
      ...ONE, legs('NOWHERE-1 yes', 'ECON-CPI-1 no'), legs('NOWHERE-2 yes', 'ECON-CPI-1 no'), legs('ECON-RETAIL-7 yes', 'ECON-CPI-1 no'), legs('ECON-CPI-1 no'), legs('TEMP-NORTH-B4 yes', 'TEMP-NORTH-B1 no'),
      { ...ONE[0], id: 'dear', stake_dollars: 101 }, { ...ONE[0], id: 'elsewhere', service: 'outcome' },
    ])
    expect(resolved.bettors[0]!.recorded).toMatchObject({ requests: 8, leftOut: {
      'another service': { count: 1, first: 'outcome' }, 'unknown market': { count: 2, first: 'NOWHERE-1' }, 'market not traded': { count: 1, first: 'ECON-RETAIL-7' },
      'legs the service does not take': { count: 1, first: '1 in ECON-CPI-1 no' }, 'legs that exclude each other': { count: 1, first: 'TEMP-NORTH-B4 and TEMP-NORTH-B1' },
      'stake the service does not take': { count: 1, first: '101 USDC in dear' },
    } })
    expect(said[0]).toContain('2 unknown market (first NOWHERE-1)')
    expect(buildSession(resolved, strategies, store).config.parlay!.cohorts[0]!.arrivalsUs).toEqual([at(60)])
  })

  it.each([
    ['a log of which nothing can be played', [{ ...ONE[0], legs: ['NOWHERE-1 yes', 'ECON-CPI-1 no'] }, ONE[1]!], { makers: RIVALS.split('\n')[0]! }, '7 bettors.0.log: none of the 1 requests can be made: 1 unknown market (first NOWHERE-1)'],
    ['a log that is not there', ONE, { bettor: ', name: x }\n  - { kind: recorded, log: other.ndjson' }, '8 bettors.1.log: no such file: other.ndjson'],
    ['a maker that the log has not', ONE, { makers: '  - { use: recorded, log: log.ndjson, maker: alpa }\n' }, '9 makers.0.maker: no maker alpa in the log; did you mean alpha?'],
    ['a maker without its log', ONE, { makers: '  - { use: recorded, maker: alpha }\n' }, '9 makers.0: expected log: the file of a recorded log'],
    ['a log without a maker', ONE, { makers: '  - { use: recorded, log: log.ndjson }\n' }, '9 makers.0: expected maker: which maker of the log it is'],
    ['a log of another strategy', ONE, { makers: '  - { use: silent, log: log.ndjson }\n' }, '9 makers.0.log: is for makers with use: recorded'],
    ['a latency', ONE, { makers: '  - { use: recorded, log: log.ndjson, maker: alpha, latency: { quote: 1ms } }\n' }, '9 makers.0.latency: a maker of a log quotes when it was recorded, whatever its latency'],
    ['two seats', ONE, { makers: '  - { use: recorded, log: log.ndjson, maker: alpha, count: 2 }\n' }, '9 makers.0.count: a maker of a log has one seat'],
    ['what is taken by another word', ONE, { bettor: ', takes: all' }, '7 bettors.0.takes: expected recorded or floor, got "all"'],
  ])('refuses %s', async (_, rows, terms, expected) => {
    await expect(ready(rows as readonly object[], terms).catch((error: unknown) => {
      if (!(error instanceof ScenarioMistakes)) throw error
      return error.mistakes.map(({ position, path, message }) => `${position.line} ${path}: ${message}`)
    })).resolves.toEqual([expected])
  })

  it('stands in the JSON Schema', () => {
    const { items } = JSON.parse(JSON.stringify(scenarioJsonSchema())).properties.bettors
    const kind = (items.oneOf ?? items.anyOf).find(({ properties }: { properties: { kind?: { const?: string } } }) => properties.kind?.const === 'recorded')
    expect(Object.keys(kind.properties)).toEqual(['kind', 'name', 'service', 'log', 'takes', 'bankroll'])
    expect(kind.required).toEqual(['kind', 'log'])
  })
})

it('the scenario of the repository that plays a log repeats what nobody undercut', async () => {
  const loaded = loadScenario(fileURLToPath(new URL('../../scenarios/recorded.yaml', import.meta.url)), { set: [`history.store=${QUICKSTART_STORE}`] })
  const dir = await play({ loaded, prepared: await prepareScenario(loaded), said: [] })
  expect(fates(dir)).toEqual([
    ['r1', 'confirmed', 'beta', 'reproduced', null], ['r2', 'confirmed', 'alpha', 'reproduced', null], ['r3', 'untaken', null, 'reproduced', null], ['r4', 'untaken', null, 'reproduced', null],
    ['r4', 'declined', 'mine', 'other', 'another maker was chosen'], ['r5', 'left_out', null, 'left_out', 'unknown market'],
  ])
})
