import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { diffRuns } from '../../src/diff/runsDiff.ts'
import { diff } from '../../src/actions/diff.ts'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import { redraw } from '../../src/actions/redraw.ts'
import { report } from '../../src/actions/report.ts'
import { run } from '../../src/actions/run.ts'
import { verify } from '../../src/actions/verify.ts'
import { whatIf } from '../../src/actions/whatif.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { RunTables } from '../../src/score/runTables.ts'
import { type ServicesSummary, summariseRun } from '../../src/score/summary.ts'
import { hashAlong } from '../proof/provedRun.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { changed, ran } from './runs.ts'

/** A maker that remembers whom it filled, in a file of the scenario's folder. */
const REMEMBERS = `import { maker, pct, SECOND_US } from 'parlor'

export default maker({ margin: pct(4) }, (p) => {
  const state = { fills: 0 }
  return {
    state,
    onRequest(request, desk) {
      const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 300 * SECOND_US })
      if (fair) desk.quote(request, { probability: fair * (1 + p.margin + state.fills / 1e4), validUs: 8 * SECOND_US })
    },
    onOpened() { state.fills++ },
  }
})
`
const WITH_FILE = SMALL.replace('use: fixed-margin,', 'use: ./remembers.ts, name: mine,')
const filesOf = (dir: string): string[] => readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1)).toSorted()

describe('a what-if', () => {
  it('of nothing is the same run, byte for byte, with the run\'s settings and strategy files', async () => {
    const folder = newFolder()
    put(folder, 'remembers.ts', REMEMBERS)
    const scenario = loadScenario(put(folder, 'small.yaml', WITH_FILE), { set: ['makers.0.params.margin=3%'], seed: '7' })
    const { path } = await run(scenario, { out: join(folder, 'run'), report: true })
    const { run: again, diff: found } = await whatIf(path, { report: true })
    expect(again.path).toBe(join(folder, 'run-whatif'))
    expect(filesOf(again.path)).toEqual(filesOf(path))
    expect(filesOf(path).filter((file) => !readFileSync(join(again.path, file)).equals(readFileSync(join(path, file))))).toEqual([])
    expect(found.services[0]!.makers.map(({ profit }) => profit.differenceMicros)).toEqual([0, 0, 0])
    expect((await whatIf(path, { set: ['makers.0.params.margin=2%'] })).run.path).toBe(join(folder, 'run-whatif-2'))
  })

  it('of a seed or a setting is a run that can be proven', async () => {
    const a = await ran(SMALL)
    const { path, said } = await changed(a, ['seeds.outcomes=2', 'makers.0.params.margin=3%'])
    expect(said).toEqual([])
    expect((await verify(path)).checks.filter(({ ok }) => !ok)).toEqual([])
    // Whoever reads its figures sees which seeds it has.
    expect(formatSummary(await summariseRun(path))).toMatch(/^interactive parlay {2}seed 1 \(outcomes 2\) {2}digest /)
    expect(readFileSync((await report(path)).path, 'utf8')).toContain('1 (outcomes 2)')
    expect(formatSummary(await summariseRun(a))).toMatch(/^interactive parlay {2}seed 1 {2}digest /)
  })

  it('says which strategy has changed since the run, and plays it', async () => {
    const a = await ran(WITH_FILE, { 'remembers.ts': REMEMBERS })
    writeFileSync(join(a, '..', 'remembers.ts'), REMEMBERS.replace('1e4', '1e3'))
    const { said, path } = await changed(a, [])
    expect(said).toEqual([expect.stringMatching(/^strategy \.\/remembers\.ts has changed since the run: \w{12}, expected \w{12}; what differs may come of that too$/)])
    expect(path).toBe(join(a, '..', 'changed'))
  })

  it('is of the scenario of the run alone', async () => {
    const a = await ran(SMALL)
    put(join(a, '..'), 'small.yaml', SMALL.replace('n: 20', 'n: 21'))
    await expect(changed(a, [])).rejects.toThrow('the scenario is another than in the run: bettors[1].bettors: 21, expected 20')
    await expect(changed(await ran(SMALL, {}, ['record.tables=false']), [])).rejects.toThrow('the run has no tables')
  })
})

describe('a what-if of a run of an older version', () => {
  it('is refused before anything is played, also where its settings are not known', async () => {
    const a = await ran(SMALL)
    const quotes = join(a, 'tables/quotes.arrow')
    writeFileSync(quotes, readFileSync(quotes, 'latin1').replaceAll('reference_product', 'reference_produkt'), 'latin1')
    hashAlong(a, 'tables/quotes.arrow')
    put(join(a, '..'), 'small.yaml', SMALL.replace('n: 20', 'n: 21'))
    await expect(whatIf(a, { out: join(a, '../changed') })).rejects.toThrow('an older version made the run: its table has no column reference_product')
    expect(readdirSync(join(a, '..'))).not.toContain('changed')
  })
})

describe('a folder that is no run', () => {
  it('is named as what it is by whatif, diff and redraw', async () => {
    const folder = newFolder()
    put(folder, 'rows.csv', 'a')
    const sha256 = createHash('sha256').update(readFileSync(join(folder, 'rows.csv'))).digest('hex')
    put(folder, 'manifest.json', JSON.stringify({ version: 1, kind: 'sweep', files: { 'rows.csv': { bytes: 1, sha256 } } }))
    const missing = join(folder, 'missing')
    for (const read of [(dir: string) => whatIf(dir), (dir: string) => diff(dir, dir), (dir: string) => redraw(dir)]) {
      await expect(read(folder)).rejects.toThrow('the result of a sweep, and no run')
      await expect(read(missing)).rejects.toThrow('not a complete run: there is no manifest')
    }
  })
})

/** It adopts what the one before it remembered, and says so by its price. */
const ADOPTS = REMEMBERS.replace('    onOpened()', '    adopt(before) { state.fills = before.fills },\n    onOpened()')

const CALLED = "desk.log('called')"
/** It asks to be called every second, and at every request once at once and once in an hour. */
const ASKS = `import { maker, SECOND_US } from 'parlor'

export default maker({}, () => ({
  onStart(desk) { for (let i = 1; i < 3000; i++) desk.after(i * SECOND_US) },
  onRequest(request, desk) { desk.later(request, SECOND_US) },
  onTimer(_, desk) { ${CALLED} },
  onLater(_, desk) { ${CALLED} },
}))
`
/** It asks for nothing, and says when it is called. */
const HEARS = `import { maker } from 'parlor'

export default maker({}, () => ({
  onTimer(_, desk) { ${CALLED} },
  onLater(_, desk) { ${CALLED} },
}))
`

const BOTH = SMALL.replace('services: { parlay: { profile: parlay@2.1 } }', 'services: { parlay: { profile: parlay@2.1 }, outcome: { profile: outcome@1 } }')
  .replace('  - { kind: informed, n: 20, every: 10m }', '  - { kind: noise, name: takers, service: outcome, n: 40, every: 3m, legsMin: 1 }').replace('kind: noise, n', 'kind: noise, service: parlay, n')
  .replace('  - { use: fixed-margin, capital: 50000 USDC }\n  - { use: shade, capital: 50000 USDC, count: 2 }', `  - { use: fixed-margin, service: parlay, capital: 50000 USDC }
  - { use: fixed-margin, name: street, service: outcome, capital: 50000 USDC, params: { margin: 2% } }
  - { use: random, name: anyone, service: outcome, capital: 50000 USDC }`)

/** It declines, when it is asked a second time. */
const PUTS_OFF = `import { maker } from 'parlor'

export default maker({}, () => ({
  onRequest(request, desk) { desk.quote(request, { probability: 0.5, validUs: 20_000_000 }) },
  onSelected(selection, desk) { desk.decideLater(selection, 1_000_000) },
  onDecision(selection, desk) { desk.decline(selection) },
}))
`
/** It declines at once, and puts nothing off. */
const DECLINES = PUTS_OFF.replace("desk.decideLater(selection, 1_000_000)", 'desk.decline(selection)').replace(/ {2}onDecision.*\n/, '')

/** Lines that a maker left in a run, from an instant on. */
function calls(run: string, fromUs = 0): number {
  const log = readTable(join(run, 'tables', 'logs.arrow'))
  return [...log.numbers('at', 'timeUs')].filter((atUs) => atUs >= fromUs).length
}

/** The quotes of the outcome service in a run. */
function quotes(run: string): { readonly atUs: number; readonly riskMicros: number }[] {
  const quoted = new RunTables(run, 'outcome').batches('quotes')
  return [...quoted].flatMap((batch) => {
    const [at, risk] = [batch.numbers('submitted_at', 'timeUs'), batch.numbers('risk_micros')]
    return [...at].map((atUs, i) => ({ atUs, riskMicros: risk[i]! }))
  }).toSorted((x, y) => x.atUs - y.atUs)
}

describe('a what-if from an instant on', () => {
  it('is the run where it begins at the end, and the plain what-if where it begins at the begin', async () => {
    const a = await ran(SMALL)
    const { digest, counts } = JSON.parse(readFileSync(join(a, 'manifest.json'), 'utf8')) as { digest: string; counts: { startUs: number; endUs: number } }
    const set = ['makers.0.params.margin=1%']
    const plain = await changed(a, set)
    expect((await changed(a, set, new Date(counts.endUs / 1000).toISOString().replace(/Z$/, `${String(counts.endUs % 1000).padStart(3, '0')}Z`))).digest).toBe(digest)
    expect((await changed(a, set, new Date(counts.startUs / 1000).toISOString())).digest).toBe(plain.digest)
    const middle = await changed(a, set, '5m')
    expect(new Set([digest, plain.digest, middle.digest]).size).toBe(3)
    expect((await verify(middle.path)).checks.filter(({ ok }) => !ok)).toEqual([])
    const summary = await summariseRun(middle.path)
    expect(summary).toMatchObject({ swap: { atUs: Date.parse('2025-06-19T22:35:00Z') * 1000, makers: [{ name: 'fixed-margin', service: 'parlay', strategy: 'fixed-margin', formerStrategy: 'fixed-margin' }] } })
    const says = 'from 2025-06-19T22:35:00Z on, fixed-margin plays fixed-margin with other parameters'
    expect(formatSummary(summary).split('\n')[1]).toBe(`swap        ${says}`)
    expect(readFileSync((await report(middle.path)).path, 'utf8')).toMatch(new RegExp(`<dt>swap</dt>\\s*<dd>${says}</dd>`))
    expect([diffRuns(a, middle.path).notes, diffRuns(middle.path, a).notes]).toEqual([[`In B, ${says}.`], [`In A, ${says}.`]])
    // A run in which every maker keeps its strategy has no such line.
    expect(await summariseRun(plain.path)).not.toHaveProperty('swap')
    expect(diffRuns(a, plain.path).notes).toEqual([])
    // The strategy has no state, and one microsecond after the begin nobody has asked.
    expect((await changed(a, set, '1us')).digest).toBe(plain.digest)
  })

  it('asks the strategy that takes a seat about a decision that the one before it put off', async () => {
    const a = await ran(WITH_FILE.replace('remembers', 'putsOff'), { 'putsOff.ts': PUTS_OFF, 'declines.ts': DECLINES })
    const ends = (run: string): string[] => {
      const acceptances = readTable(join(run, 'tables', 'acceptances.arrow'))
      const [makers, outcomes] = [acceptances.column('maker'), acceptances.column('outcome')]
      return Array.from(makers.codes!, (code, row) => `${makers.values![code]} ${outcomes.values![outcomes.codes![row]!]}`).filter((text) => text.startsWith('mine'))
    }
    expect(new Set(ends(a))).toEqual(new Set(['mine declined']))
    const acceptances = readTable(join(a, 'tables', 'acceptances.arrow'))
    const own = acceptances.column('maker').codes!.findIndex((code) => acceptances.column('maker').values![code] === 'mine')
    // Half a second after a selection, which the maker has heard of by then and decides after a second.
    const fromUs = acceptances.numbers('selected_at', 'timeUs')[own]! + 500_000
    const b = await changed(a, ['makers.0.use=./declines.ts'], `${new Date(fromUs / 1000).toISOString().slice(0, -1)}${String(fromUs % 1000).padStart(3, '0')}Z`)
    expect(new Set(ends(b.path))).toEqual(new Set(['mine declined']))
  })

  it('hands the state over to a strategy that adopts it, and to no other', async () => {
    const a = await ran(WITH_FILE, { 'remembers.ts': REMEMBERS, 'adopts.ts': ADOPTS })
    const { digest } = JSON.parse(readFileSync(join(a, 'manifest.json'), 'utf8')) as { digest: string }
    // With the same state the same prices follow.
    expect((await changed(a, ['makers.0.use=./adopts.ts'], '5m')).digest).toBe(digest)
    writeFileSync(join(a, '..', 'adopts.ts'), `${REMEMBERS}// begins empty\n`)
    expect((await changed(a, ['makers.0.use=./adopts.ts'], '5m')).digest).not.toBe(digest)
  })

  it('gives no call of the strategy that left to the one that takes its seat', async () => {
    const a = await ran(WITH_FILE, { 'remembers.ts': ASKS, 'hears.ts': HEARS })
    expect(calls(a)).toBeGreaterThan(1000)
    const { path } = await changed(a, ['makers.0.use=./hears.ts'], '5m')
    expect(diffRuns(a, path).notes).toEqual(['In B, from 2025-06-19T22:35:00Z on, mine plays hears.ts in place of remembers.ts.'])
    // The former strategy asked for calls up to an hour after the swap, and the new one for none.
    expect(calls(path, Date.parse('2025-06-19T22:35:00Z') * 1000)).toBe(0)
    expect(calls(path)).toBeGreaterThan(50)
    expect((await verify(path)).checks.filter(({ ok }) => !ok)).toEqual([])
  })

  it('is played on the outcome service, of one that stands beside the other', async () => {
    const a = await ran(BOTH)
    const set = ['makers.1.params.margin=0.5%']
    const [plain, begin, middle] = [await changed(a, set), await changed(a, set, '2025-06-19T22:30:00Z'), await changed(a, set, '5m')]
    expect(begin.digest).toBe(plain.digest)
    expect(middle.digest).not.toBe(plain.digest)
    // Each service tells of its own makers.
    const { services: { parlay, outcome } } = await summariseRun(middle.path) as ServicesSummary & { services: { parlay: object; outcome: object } }
    expect(parlay).not.toHaveProperty('swap')
    expect(outcome).toHaveProperty('swap.makers', [{ name: 'street', service: 'outcome', strategy: 'fixed-margin', formerStrategy: 'fixed-margin' }])
    expect((await verify(middle.path)).checks.filter(({ ok }) => !ok)).toEqual([])
    // Up to the swap every quote is that of the run, and after it they are the changed maker's.
    const at = Date.parse('2025-06-19T22:35:00Z') * 1000
    const [inA, inMiddle] = [quotes(a), quotes(middle.path)]
    expect(inMiddle.filter(({ atUs }) => atUs < at)).toEqual(inA.filter(({ atUs }) => atUs < at))
    expect(inA.filter(({ atUs }) => atUs < at).length).toBeGreaterThan(10)
    expect(inMiddle.find(({ atUs }) => atUs > at)).not.toEqual(inA.find(({ atUs }) => atUs > at))
    const { notes, services, redraws } = diffRuns(a, middle.path)
    const says = 'from 2025-06-19T22:35:00Z on, street of the service outcome plays fixed-margin with other parameters'
    expect(notes).toEqual([`In B, ${says}.`])
    expect(readFileSync((await report(middle.path)).path, 'utf8')).toMatch(new RegExp(`<dt>swap</dt>\\s*<dd>${says}</dd>`))
    expect([redraws.why, services.map(({ service }) => service)]).toEqual([null, ['parlay', 'outcome']])
    expect(services[0]!.makers.flatMap(({ classes }) => classes.map(({ kind }) => kind)).filter((kind) => kind !== 'same')).toEqual([])
    expect(services[1]!.makers.some(({ classes }) => classes.some(({ kind }) => kind === 'repriced' || kind === 'won'))).toBe(true)
  })

  it('changes strategies of makers alone', async () => {
    const a = await ran(SMALL)
    await expect(changed(a, ['bettors.0.n=7'], '5m')).rejects.toThrow('--from changes what is no maker\'s strategy: bettors[0].bettors: 7, expected 100')
    // A name that is written anew would otherwise be dropped without a word.
    await expect(changed(a, ['makers.0.name=foo'], '5m')).rejects.toThrow(expect.objectContaining({
      message: '--from changes a name: makers[0].name: foo', hint: expect.stringContaining('params and use of makers may change') as string,
    }))
    await expect(changed(a, ['makers.0.params.margin=1%'], '9h')).rejects.toThrow('the session lasts from')
    await expect(changed(a, ['makers.0.params.margin=1%'], 'noon')).rejects.toThrow('is neither an instant nor a span since the begin')
  })
})
