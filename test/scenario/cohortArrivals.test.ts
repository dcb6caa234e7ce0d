import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SessionConfig } from '../../src/engine/config.ts'
import { readColumn } from '../../src/feed/csvColumn.ts'
import { buildSession } from '../../src/scenario/build.ts'
import { canonicalDigest } from '../../src/scenario/canonical.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { ScenarioMistakes } from '../../src/scenario/mistakes.ts'
import { identityOf, type PreparedScenario, prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { scenarioJsonSchema } from '../../src/scenario/schema.ts'
import { verifyRun } from '../../src/proof/verify.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { newFolder, prepared, put, SMALL } from './small.ts'

/** 2025-06-19T22:30:00Z, the begin of the small scenario; its bettors arrive until 23:20. */
const START_US = 1_750_372_200_000_000

const withArrivals = (arrivals: string): string => SMALL.replace('n: 100, every: 10m', `n: 100, every: 10m, arrivals: ${arrivals}`)

async function cohortOf(arrivals: string) {
  const { prepared: { resolved, strategies, store } } = await prepared(withArrivals(arrivals))
  const config: Pick<SessionConfig, 'parlay'> = buildSession(resolved, strategies, store).config
  return { resolved: resolved.bettors[0]!, entry: config.parlay!.cohorts[0]! }
}

async function mistakes(arrivals: string): Promise<string[]> {
  try {
    await prepared(withArrivals(arrivals))
  } catch (error) {
    if (!(error instanceof ScenarioMistakes)) throw error
    return error.mistakes.map(({ position, path, message }) => `${position.line} ${path}: ${message}`)
  }
  return []
}

/** A scenario whose first cohort replays the file `requests.csv` with these lines. */
async function replayed(csv: string | Buffer, terms = 'file: requests.csv', name = 'requests.csv'): Promise<PreparedScenario> {
  const folder = newFolder()
  writeFileSync(join(folder, name), csv)
  return prepareScenario(loadScenario(put(folder, 'small.yaml', withArrivals(`{ kind: replay, ${terms} }`))))
}

const timesOf = ({ resolved }: PreparedScenario): number[] => {
  const { arrivals } = resolved.bettors[0]!
  return arrivals?.kind === 'replay' ? arrivals.timesUs.map((us) => us - START_US) : []
}

describe('arrivals of a cohort', () => {
  it('are Poisson unless told otherwise: saying so is saying nothing', async () => {
    const plain = (await prepared(SMALL)).prepared.resolved
    const said = (await prepared(withArrivals('{ kind: poisson }'))).prepared.resolved
    expect(canonicalDigest(said)).toBe(canonicalDigest(plain))
  })

  it('excite others, with a decay of ten seconds by default', async () => {
    const { resolved, entry } = await cohortOf('{ kind: hawkes, excitation: 40% }')
    expect(resolved).toMatchObject({ everyUs: 600_000_000, arrivals: { kind: 'hawkes', excitation: 0.4, decayUs: 10_000_000 } })
    expect(entry).toMatchObject({ everyUs: 600_000_000, bettors: 100, excitation: { branching: 0.4, decayUs: 10_000_000 } })
  })

  it('come at written times, those out of the session left out', async () => {
    const { resolved, entry } = await cohortOf('{ kind: replay, times: [2025-06-19T22:29:59.999999Z, 0s, 1s, 1s, 2025-06-19T23:19:59.999999Z, 50m] }')
    const expected = [0, 1_000_000, 1_000_000, 2_999_999_999].map((us) => START_US + us)
    expect([resolved.arrivals, entry.arrivalsUs]).toEqual([{ kind: 'replay', timesUs: expected }, expected])
  })

  it('of a strategy file are the same', async () => {
    const folder = newFolder()
    put(folder, 'mine.ts', 'export default { role: "bettor", parameters: {}, create: () => ({ onArrival() {}, onDecision() {} }) }\n')
    const text = SMALL.replace('kind: noise, n: 100, every: 10m', 'use: ./mine.ts, n: 10, arrivals: { kind: hawkes, excitation: 0.5, decay: 1m }')
    const { resolved } = await prepareScenario(loadScenario(put(folder, 'small.yaml', text)))
    expect(resolved.bettors[0]!.arrivals).toEqual({ kind: 'hawkes', excitation: 0.5, decayUs: 60_000_000 })
  })

  it.each([
    ['an unknown kind', '{ kind: hawks }', '8 bettors.0.arrivals.kind: expected kind: poisson, hawkes or replay'],
    ['no kind', '{ excitation: 0.5 }', '8 bettors.0.arrivals.kind: expected kind: poisson, hawkes or replay'],
    ['no map', 'hawkes', '8 bettors.0.arrivals: expected a map with kind: poisson, hawkes or replay, got "hawkes"'],
    ['an excitation of one', '{ kind: hawkes, excitation: 1 }', '8 bettors.0.arrivals.excitation: must be under 100%: where each arrival calls forth one more or several, there is no end of them'],
    ['an excitation above one', '{ kind: hawkes, excitation: 120% }', '8 bettors.0.arrivals.excitation: must be under 100%: '],
    ['no excitation', '{ kind: hawkes }', '8 bettors.0.arrivals.excitation: is missing: expected a share such as 4%, 2c or 0.04'],
    ['a decay of nothing', '{ kind: hawkes, excitation: 0.5, decay: 0s }', '8 bettors.0.arrivals.decay: must be 1us to 1d, got "0s"'],
    ['a key of another kind', '{ kind: poisson, decay: 1s }', '8 bettors.0.arrivals: unknown key decay'],
    ['neither file nor times', '{ kind: replay }', '8 bettors.0.arrivals: expected file or times, got neither'],
    ['file and times', '{ kind: replay, file: a.csv, times: [1s] }', '8 bettors.0.arrivals: expected file or times, got both'],
    ['a column of no file', '{ kind: replay, column: at, times: [1s] }', '8 bettors.0.arrivals.column: means nothing without a file'],
    ['times out of order', '{ kind: replay, times: [1s, 3s, 2s] }', '8 bettors.0.arrivals.times.2: 2025-06-19T22:30:02Z is before 2025-06-19T22:30:03Z: times stand in order'],
    ['times out of the session', '{ kind: replay, times: [50m, 51m] }', '8 bettors.0.arrivals: none of the 2 times is within the session, in which bettors arrive from 2025-06-19T22:30:00Z until 2025-06-19T23:20:00Z'],
    ['a file that is not there', '{ kind: replay, file: none.csv }', '8 bettors.0.arrivals.file: no such file: '],
  ])('refuses %s', async (_, arrivals, expected) => {
    const found = await mistakes(arrivals)
    expect(found).toHaveLength(1)
    expect(found[0]!.slice(0, expected.length)).toBe(expected)
  })

  it('are no matter of scripts, which say when', async () => {
    const text = SMALL.replace('kind: noise, n: 100, every: 10m', 'kind: scripted, arrivals: { kind: poisson }, requests: [{ at: 0s, legs: [ECON-OIL-6 no, ECON-JOBS-2 yes], bet: 1 USDC }]')
    await expect(prepared(text)).rejects.toThrow('unknown key arrivals')
  })

  it('are described by the JSON Schema, for every kind of bettor but a script', () => {
    const text = JSON.stringify(scenarioJsonSchema())
    expect(text.split('"const":"hawkes"').length - 1).toBe(8)
  })
})

describe('recorded arrivals', () => {
  const CSV = 'id,at,legs\n1,2025-06-19T22:30:10.5Z,2\n2,"2025-06-19 22:30:12+00:00",3\n\n3,1750372213000000,2\n'

  it('are read from a column of instants, or of microseconds, of a CSV file', async () => {
    expect(timesOf(await replayed(CSV))).toEqual([10_500_000, 12_000_000, 13_000_000])
    expect(timesOf(await replayed(`\uFEFF${CSV.replaceAll('\n', '\r\n').replace(',at,', ',created,')}`, 'file: requests.csv, column: created'))).toEqual([10_500_000, 12_000_000, 13_000_000])
    expect(timesOf(await replayed('\uFEFFat\n2025-06-19T22:30:01Z\n2025-06-19T22:30:01Z\n'))).toEqual([1_000_000, 1_000_000])
    expect(timesOf(await replayed(gzipSync(CSV), 'file: requests.csv.gz', 'requests.csv.gz'))).toEqual([10_500_000, 12_000_000, 13_000_000])
  })

  it.skipIf(process.platform === 'win32')('are read from no pipe, which may never end', () => {
    const [whole, pipe] = [put(newFolder(), 'requests.csv', CSV), join(newFolder(), 'requests.csv')]
    execFileSync('mkfifo', [pipe])
    const feeding = spawn('sh', ['-c', 'cat "$0" > "$1"', whole, pipe], { detached: true })
    onTestFinished(() => { process.kill(-feeding.pid!, 'SIGKILL') })
    expect(() => readColumn(pipe, 'at')).toThrow('is no plain file')
    expect(readColumn(whole, 'id').map(({ text }) => text)).toEqual(['1', '2', '3'])
  })

  it('are moved as a whole, the first to where it is to come', async () => {
    expect(timesOf(await replayed(CSV, 'file: requests.csv, first: 0s'))).toEqual([0, 1_500_000, 2_500_000])
    expect(timesOf(await replayed(CSV, 'file: requests.csv, first: 2025-06-19T22:29:58Z'))).toEqual([500_000])
    expect(timesOf(await replayed(CSV.replaceAll('2025-06-19', '2024-01-01').replace('1750372213000000', '2024-01-01T22:31:10Z'), 'file: requests.csv, first: 1m')))
      .toEqual([60_000_000, 61_500_000, 119_500_000])
    expect(timesOf(await replayed('at\n946684800000000\n946684801000000\n', 'file: requests.csv, first: 0s'))).toEqual([0, 1_000_000])
  })

  it.each([
    ['no column of that name', 'id,when\n1,2025-06-19T22:30:10Z\n', 1, 'no column at'],
    ['an empty file', '', 1, 'no column at'],
    ['a time that is none', 'at\n2025-06-19T22:30:10Z\nsoon\n', 3, 'at: expected an instant such as'],
    ['a time without a zone', 'at\n2025-06-19T22:30:10\n', 2, 'at: expected an instant such as'],
    ['a time finer than a microsecond', 'at\n2025-06-19T22:30:10.1234567Z\n', 2, 'at: expected an instant such as'],
    ['a time in seconds', 'at\n2025-06-19T22:30:10Z\n1750372210\n', 3, 'at: expected microseconds since the epoch or an instant, got 1750372210'],
    ['a time in milliseconds', 'at\n1750372210000\n', 2, 'at: expected microseconds since the epoch or an instant, got 1750372210000'],
    ['the last microsecond before 2000', 'at\n946684799999999\n', 2, 'at: expected microseconds since the epoch or an instant'],
    ['the column twice', 'at,id,at\n2025-06-19T22:30:10Z,1,2025-06-19T22:30:10Z\n', 1, 'has two columns at'],
    ['times out of order', 'at\n2025-06-19T22:30:10Z\n2025-06-19T22:30:11Z\n2025-06-19T22:30:10.999999Z\n', 4, 'at: 2025-06-19T22:30:10.999999Z is before 2025-06-19T22:30:11Z of the row above it'],
    ['a ragged row', 'id,at\n1,2025-06-19T22:30:10Z\n2\n', 3, 'has 1 fields, expected 2 as in the header'],
  ])('point at the line of %s', async (_, csv, line, message) => {
    const error = await replayed(csv).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InputError)
    const { position, message: told } = error as InputError
    expect([position?.file.endsWith('requests.csv'), position?.line]).toEqual([true, line])
    expect(told.slice(0, message.length)).toBe(message)
  })

  it('are part of what a run is a function of', async () => {
    const identity = async (csv: string): Promise<string> => canonicalDigest(identityOf(await replayed(csv)))
    const base = await identity('at\n2025-06-19T22:30:10Z\n')
    expect(await identity('at\n2025-06-19T22:30:10.000001Z\n')).not.toBe(base)
    expect(await identity('at,note\n2025-06-19T22:30:10Z,the same time in another file\n')).toBe(base)
  })

  it('make one arrival each, at their instants; the run is verified without the file', async () => {
    const folder = newFolder()
    put(folder, 'requests.csv', CSV)
    // Bettors of the cohort alone.
    const text = withArrivals('{ kind: replay, file: requests.csv }').replace(/.*kind: informed.*\n/, '')
    const loaded = loadScenario(put(folder, 'small.yaml', text))
    const ready = await prepareScenario(loaded)
    const { path, manifest } = await runScenario(loaded, ready, { target: { path: join(folder, 'run'), force: false, numbered: false } })
    expect(manifest.counts['arrivals']).toBe(3)
    put(folder, 'requests.csv', 'gone')
    expect((await verifyRun(path)).ok).toBe(true)
  })
})

describe('lognormal stakes', () => {
  it('have a median between the smallest and the largest', async () => {
    const told = async (terms: string): Promise<string[]> => {
      try {
        await prepared(SMALL.replace('n: 100,', `n: 100, ${terms},`))
      } catch (error) {
        return (error as ScenarioMistakes).mistakes.map(({ path, message }) => `${path}: ${message}`)
      }
      return []
    }
    expect(await told('betMedian: 200 USDC')).toEqual(['bettors.0.betMedian: 200 USDC is not within betMin and betMax, 1 USDC to 100 USDC'])
    expect(await told('betMin: 20 USDC, betMedian: 19 USDC')).toEqual(['bettors.0.betMedian: 19 USDC is not within betMin and betMax, 20 USDC to 100 USDC'])
    expect(await told('betMedian: 100 USDC')).toEqual([])
    expect(await told('betMedian: 1 USDC')).toEqual([])
    expect(await told('betSigma: 0')).toEqual(['bettors.0.betSigma: must be 0.01 to 10, got 0'])
  })
})
