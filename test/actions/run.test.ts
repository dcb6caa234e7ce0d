import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { describe, expect, it, onTestFinished } from 'vitest'
import { maker, pct, SECOND_US } from '../../src/index.ts'
import { loadScenario } from '../../src/actions/loadScenario.ts'
import type { SessionProgress } from '../../src/actions/options.ts'
import { run, type RunOptions } from '../../src/actions/run.ts'
import { verify } from '../../src/actions/verify.ts'
import { parlorHere } from '../cli/parlor.ts'
import { Interrupted } from '../../src/unit/interrupted.ts'
import { newFolder, put, SMALL } from '../scenario/small.ts'
import { OBJECT } from './small.ts'

/** A maker that quotes at a margin, as an object. */
const mine = maker({ margin: pct(4) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 30 * SECOND_US })
    if (fair === null || fair === undefined) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8 * SECOND_US })
  },
}))

/** The same maker as a file. */
const MINE = `import { maker, pct, SECOND_US } from 'parlor'

export default maker({ margin: pct(4) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 30 * SECOND_US })
    if (fair === null || fair === undefined) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8 * SECOND_US })
  },
}))
`

const SEATS = { ...OBJECT, makers: [{ use: 'mine' }, { use: 'shade' }] }
const BOOM = maker({}, () => ({ onRequest: () => { throw new Error('boom') } }))

/** Lets scratch folders be made in a folder of the test's own. Returns what is there. */
function ownScratch(): () => string[] {
  const [folder, before] = [newFolder(), process.env['TMPDIR']]
  process.env['TMPDIR'] = folder
  onTestFinished(() => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  })
  return () => readdirSync(folder)
}

/** Options that abort as soon as some bettors have come. */
function aborting(): RunOptions {
  const abort = new AbortController()
  return { signal: abort.signal, onProgress: ({ arrivals }) => { if (arrivals > 0) abort.abort() } }
}

describe('a run into a folder', () => {
  it('leaves the bytes that parlor run leaves', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL)
    expect(await parlorHere(folder, 'run', 'small.yaml', '--quiet', '--out', 'command')).toMatchObject({ code: 0 })
    const { path, digest, summary } = await run(loadScenario(join(folder, 'small.yaml')), { out: join(folder, 'action'), report: true })
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    expect(files.length).toBeGreaterThan(15)
    expect(files.filter((file) => !readFileSync(file).equals(readFileSync(file.replace('action', 'command'))))).toEqual([])
    expect(JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(summary)))
    expect(await verify(path)).toMatchObject({ ok: true, digest, unreproducible: null })
  })

  it('is refused, replaces or is numbered where there is a run already', async () => {
    const out = join(newFolder(), 'out')
    const scenario = loadScenario(OBJECT, { set: ['arrivals.max=20'] })
    expect(await run(scenario, { out })).toMatchObject({ path: out })
    await expect(run(scenario, { out })).rejects.toMatchObject({ name: 'InputError', message: 'there is a run here already', position: { file: out } })
    expect(await run(scenario, { out, taken: 'number' })).toMatchObject({ path: `${out}-2` })
    expect(await run(scenario, { out, taken: 'replace' })).toMatchObject({ path: out })
  })

  it('tells how far it is, up to its end, and then that it was played', async () => {
    const told: (SessionProgress | 'played')[] = []
    const { counts } = await run(loadScenario(OBJECT), { out: join(newFolder(), 'out'), onProgress: (progress) => { told.push(progress) }, onPlayed: () => { told.push('played') } })
    const steps = told.slice(0, -1) as SessionProgress[]
    expect(told.at(-1)).toBe('played')
    expect(steps.at(-1)).toEqual({ share: 1, arrivals: counts['arrivals'], commands: counts['commands'] })
    expect(steps.map(({ share }) => share)).toEqual(steps.map(({ share }) => share).toSorted((a, b) => a - b))
  })
})

describe('a signal that comes once the session was played', () => {
  // A timer of the caller's, which fires while figures are made.
  const late = () => {
    const controller = new AbortController()
    return { signal: controller.signal, onPlayed: () => { setTimeout(() => { controller.abort() }, 0) } }
  }

  it('leaves no run', async () => {
    const out = join(newFolder(), 'out')
    await expect(run(loadScenario(OBJECT), { out, ...late() })).rejects.toThrow(Interrupted)
    expect(existsSync(out)).toBe(false)
  })

  it('gives up a run in memory, of strategies that are objects too', async () => {
    const scratch = ownScratch()
    await expect(run(loadScenario(OBJECT), late())).rejects.toThrow(Interrupted)
    await expect(run(loadScenario(SEATS), { strategies: { mine }, ...late() })).rejects.toThrow(Interrupted)
    expect(scratch()).toEqual([])
  })
})

describe('a run in memory', () => {
  it('has the tables that a run in a folder has, and leaves nothing', async () => {
    const scratch = ownScratch()
    let made: string[] = []
    const { digest, tables, summary } = await run(loadScenario(OBJECT), { onPlayed: () => { made = scratch() } })
    expect([made.length, scratch()]).toEqual([1, []])
    const stored = await run(loadScenario(OBJECT), { out: join(newFolder(), 'out') })
    expect(stored.digest).toBe(digest)
    expect(tables.names).toEqual(Object.keys(stored.manifest.tables))
    expect(tables.names.filter((name) => !readFileSync(join(stored.path, 'tables', `${name}.arrow`)).equals(tables.get(name).bytes))).toEqual([])
    expect(summary).toEqual(stored.summary)
  })

  it('has rows and columns, as any reader of Arrow sees them', async () => {
    const { tables } = await run(loadScenario(OBJECT))
    const quotes = tables.get('quotes')
    const read = tableFromIPC(quotes.bytes)
    expect(quotes.rowCount).toBe(read.numRows)
    expect(quotes.columnNames).toEqual(read.schema.fields.map(({ name }) => name))
    const makers = [...quotes.rows('maker')].map(({ maker: name }) => name)
    expect(makers).toEqual([...read.getChild('maker')!])
    expect(new Set(makers)).toEqual(new Set(['fixed-margin', 'shade', 'shade-2']))
    const [row] = quotes.rows()
    expect(Object.keys(row!)).toEqual(quotes.columnNames)
    expect(quotes.column('risk_micros').numbers![0]).toBe(Number(read.getChild('risk_micros')!.get(0)))
    const journal = tables.get('journal')
    const { name, valid } = journal.columnNames.map((column) => journal.column(column)).find((column) => column.valid?.includes(0))!
    expect([...journal.rows(name)].map((cells) => cells[name] === null)).toEqual([...valid!].map((isValid) => isValid === 0))
  })

  it('names the tables that there are, for one that there is not', async () => {
    const { tables } = await run(loadScenario(OBJECT, { set: ['arrivals.max=20'] }))
    expect(tables.has('quote')).toBe(false)
    expect(() => tables.get('quote')).toThrow('no table quote; did you mean quotes?')
  })

  it('has no tables where the scenario keeps none', async () => {
    expect(await run(loadScenario(OBJECT, { set: ['record.tables=false'] }))).toMatchObject({ summary: null, tables: { names: [] } })
  })
})

describe('strategies that are objects', () => {
  it('play what the same strategies in files play', async () => {
    const folder = newFolder()
    put(folder, 'mine.ts', MINE)
    const file = await run(loadScenario({ ...SEATS, makers: [{ use: './mine.ts', name: 'mine' }, { use: 'shade' }] }, { folder }))
    const object = await run(loadScenario(SEATS), { strategies: { mine } })
    expect(object.tables.get('quotes').rowCount).toBeGreaterThan(0)
    expect(object.digest).toBe(file.digest)
    expect([file.unreproducible, object.unreproducible]).toEqual([null, 'mine is an object of the program that ran it, whose code no digest has'])
  })

  it('make a run that verify cannot prove, and says so', async () => {
    const { path, manifest } = await run(loadScenario(SEATS), { strategies: { mine }, out: join(newFolder(), 'out') })
    expect(manifest.identity).toMatchObject({ strategies: {}, unhashed: ['mine'] })
    const { verdict, checks, unreproducible } = await verify(path)
    expect([verdict, unreproducible]).toEqual(['unproven', 'mine is an object of the program that ran it, whose code no digest has'])
    expect(checks.filter((check) => !check.ok)).toMatchObject([{ name: 'strategy mine', state: 'unproven', about: 'was an object of a program, and no file that could be played again' }])
    expect(checks.find(({ name }) => name === 'journal')).toMatchObject({ ok: true })
  })

  it('play one session after the other in one thread', async () => {
    const scenario = loadScenario(SEATS, { set: ['arrivals.max=40'] })
    const [one, two] = await Promise.all([run(scenario, { strategies: { mine } }), run(scenario, { strategies: { mine } })])
    expect(one.digest).toBe(two.digest)
  })

  it.each<[string, RunOptions['strategies'], object]>([
    ['that the scenario does not use', { mine, other: mine }, { message: 'the scenario does not use it', position: { file: 'strategies.other' } }],
    ['under the name of a built-in one', { shade: mine }, { message: 'is the name of a built-in strategy', position: { file: 'strategies.shade' } }],
    ['under a path', { './mine.ts': mine }, { message: 'is no name for a strategy' }],
    ['that are none', { mine: {} as never }, { message: 'it is not a strategy', position: { file: 'strategies.mine' } }],
    ['of another role', { mine: { ...mine, role: 'bettor' } as never }, { message: 'it has the role "bettor", expected a maker' }],
  ])('are refused %s', async (_, strategies, error) => {
    await expect(run(loadScenario(SEATS), { strategies: strategies! })).rejects.toMatchObject({ name: 'InputError', ...error })
  })

  it('do not play beside files, which nobody would watch, unless these are trusted', async () => {
    const folder = newFolder()
    put(folder, 'mine.ts', MINE)
    const both = loadScenario({ ...OBJECT, arrivals: { until: '10m', max: 20 }, makers: [{ use: 'mine' }, { use: './mine.ts' }] }, { folder })
    await expect(run(both, { strategies: { mine } })).rejects.toMatchObject({ message: 'makers.1.use: a file does not play beside strategies that are objects: nobody watches the thread of the caller' })
    expect(await run(both, { strategies: { mine }, trusted: true })).toMatchObject({ manifest: { identity: { unhashed: ['mine'], trusted: ['./mine.ts'] } } })
  })
})

describe('a run that is given up', () => {
  it.each<[string, () => RunOptions]>([
    ['in a thread of its own', () => aborting()], ['in the thread of the caller', () => ({ ...aborting(), strategies: { mine } })],
  ])('%s leaves nothing, in a folder or elsewhere', async (_, options) => {
    const [out, scratch] = [join(newFolder(), 'out'), ownScratch()]
    const scenario = loadScenario('strategies' in options() ? SEATS : OBJECT, { set: ['arrivals.max=100000', 'bettors.0.every=1s'] })
    await expect(run(scenario, { ...options(), out })).rejects.toMatchObject({ name: 'Interrupted' })
    expect(existsSync(out)).toBe(false)
    await expect(run(scenario, options())).rejects.toMatchObject({ name: 'Interrupted' })
    expect(scratch()).toEqual([])
  })

  it('does not wait for the session that plays in the thread of the caller', async () => {
    const scratch = ownScratch()
    const [first, second] = [new AbortController(), new AbortController()]
    const scenario = loadScenario(SEATS, { set: ['arrivals.until=50m', 'arrivals.max=1000000', 'bettors.0.every=1s'] })
    const waiting = Promise.withResolvers<unknown>()
    void waiting.promise.catch(() => { first.abort() })
    let calls = 0
    const onProgress = (): void => {
      if (calls++ === 0) waiting.resolve(run(scenario, { strategies: { mine }, signal: second.signal }))
      // A run has its scratch folder when it is about to play.
      if (scratch().length === 2) second.abort()
    }
    const playing = run(scenario, { strategies: { mine }, signal: first.signal, onProgress })
    await expect(waiting.promise).rejects.toMatchObject({ name: 'Interrupted' })
    await expect(playing).rejects.toMatchObject({ name: 'Interrupted' })
    expect(scratch()).toEqual([])
  })

  it('before it began plays nothing', async () => {
    const out = join(newFolder(), 'out')
    await expect(run(loadScenario(OBJECT), { out, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'Interrupted' })
    expect(existsSync(out)).toBe(false)
  })
})

describe('a function of the caller that throws', () => {
  const OWN = Object.assign(new Error('not wanted'), { code: 'ENOENT', errno: -2, syscall: 'open' })
  const throws = (): never => { throw OWN }

  it.each<[string, RunOptions]>([
    ['onProgress', { onProgress: throws }], ['onPlayed', { onPlayed: throws }], ['onProgress, called by the thread of the caller,', { onProgress: throws, strategies: { mine } }],
    ['onProgress at the very end', { onProgress: ({ share }) => { if (share === 1) throws() } }],
  ])('as %s ends a run with what it throws, and nothing is left', async (_, options) => {
    const [out, scratch] = [join(newFolder(), 'out'), ownScratch()]
    const scenario = loadScenario('strategies' in options ? SEATS : OBJECT)
    await expect(run(scenario, { ...options, out })).rejects.toBe(OWN)
    expect(existsSync(out)).toBe(false)
    await expect(run(scenario, options)).rejects.toBe(OWN)
    expect(scratch()).toEqual([])
  })

  it('is not called again', async () => {
    let calls = 0
    const counted = (): never => {
      calls++
      return throws()
    }
    await expect(run(loadScenario(OBJECT), { onProgress: counted })).rejects.toBe(OWN)
    expect(calls).toBe(1)
  })

  it('as onNote ends the import of a history, of which nothing is left', async () => {
    const folder = newFolder()
    put(folder, 'trades.csv', 'time,ticker,price\n')
    const history = { ...OBJECT.history, store: join(folder, 'store'), import: { format: 'kalshi-mlb-close', files: ['trades.csv'] } }
    await expect(run(loadScenario({ ...OBJECT, history }, { folder }), { onNote: throws })).rejects.toBe(OWN)
    expect(readdirSync(folder)).toEqual(['trades.csv'])
  })

  it('ends a verification with what it throws, and nothing is left', async () => {
    const { path } = await run(loadScenario(OBJECT), { out: join(newFolder(), 'out') })
    const scratch = ownScratch()
    await expect(verify(path, { onProgress: throws })).rejects.toBe(OWN)
    expect(scratch()).toEqual([])
  })
})

describe('a run that fails', () => {
  it('by an object names the strategy and its handler, in the words of the command line', async () => {
    const failed = run(loadScenario(SEATS), { strategies: { mine: BOOM }, out: join(newFolder(), 'out') })
    await expect(failed).rejects.toMatchObject({ name: 'RunFailure', kind: 'strategy', participant: 'mine', handler: 'onRequest', message: expect.stringMatching(/^strategy of mine threw in onRequest \(request \d+\) at \S+Z: boom$/) as string })
    await expect(failed).rejects.toMatchObject({ failure: { text: expect.stringMatching(/^error: strategy of mine .*\n {2}at .*run\.test\.ts:\d+:\d+\n[^]*boom/) as string } })
  })

  it('by a file names it too, and leaves nothing', async () => {
    const folder = newFolder()
    put(folder, 'bad.ts', "import { maker } from 'parlor'\nexport default maker({}, () => ({\n  onRequest() {\n    throw new Error('boom')\n  },\n}))\n")
    const out = join(folder, 'out')
    const failed = run(loadScenario({ ...OBJECT, makers: [{ use: './bad.ts', name: 'bad' }] }, { folder }), { out })
    await expect(failed).rejects.toMatchObject({ name: 'RunFailure', kind: 'strategy', participant: 'bad', handler: 'onRequest', failure: { json: { error: { at: expect.stringContaining('bad.ts:4:11') as string } } } })
    expect(existsSync(out)).toBe(false)
  })

  it('by a file whose call never returns is ended, and names it', async () => {
    const folder = newFolder()
    put(folder, 'bad.ts', "import { maker } from 'parlor'\nexport default maker({}, () => ({\n  onRequest() {\n    for (;;) {}\n  },\n}))\n")
    const failed = run(loadScenario({ ...OBJECT, makers: [{ use: './bad.ts', name: 'bad' }], strategies: { callLimit: '1s' } }, { folder }))
    await expect(failed).rejects.toMatchObject({ name: 'RunFailure', kind: 'strategy', participant: 'bad', handler: 'onRequest', message: 'strategy of bad did not return from onRequest within 1 s' })
  })

  it('by wrong input is a mistake with its place, found in another thread', async () => {
    const folder = newFolder()
    put(folder, 'small.yaml', SMALL.replace('use: fixed-margin', 'use: ./none.ts'))
    const failed = run(loadScenario(join(folder, 'small.yaml')))
    await expect(failed).rejects.toMatchObject({ name: 'InputError', message: 'makers.0.use: no strategy file ./none.ts', position: { line: 11, column: 12 }, mistakes: [{ path: 'makers.0.use' }] })
  })
})
