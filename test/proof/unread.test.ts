import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStoreHistory, type StoreHistory } from '../../src/feed/history/storeHistory.ts'
import { type Verification, verifyRun } from '../../src/proof/verify.ts'
import type { PreparedScenario } from '../../src/scenario/run.ts'
import { DAY, DAY_US, draftOf, writeRows } from '../feed/store/rows.ts'
import { editManifest, flipBit, manifestOf, provedRuns } from './provedRun.ts'

const { folder, run, copy } = provedRuns()
const [EARLIER, EARLIER_LAST, LATER, LATER_LAST] = ['parts/2025-06-19.0.arrow', 'parts/2025-06-19.0.last.arrow', 'parts/2025-06-20.0.arrow', 'parts/2025-06-20.0.last.arrow']

const between = (ready: PreparedScenario, fromUs: number, toUs: number): PreparedScenario =>
  ({ ...ready, resolved: { ...ready.resolved, history: { ...ready.resolved.history, fromUs: fromUs * 1000, toUs: toUs * 1000 } } })
/** Over midnight: both days are read. */
const overMidnight = (ready: PreparedScenario): PreparedScenario => between(ready, Date.UTC(2025, 5, 19, 22, 30), Date.UTC(2025, 5, 20, 1))
/** Half an hour of the second day: of the first one is read what it leaves behind. */
const secondDay = (ready: PreparedScenario): PreparedScenario => between(ready, Date.UTC(2025, 5, 20, 0, 30), Date.UTC(2025, 5, 20, 1))

/** A run that plays a store without files that it names, and says that it did not read them. */
const playedWithout = (ready: PreparedScenario, files: readonly string[]): PreparedScenario => {
  const { store } = ready
  const less = store.asOf(Object.fromEntries(Object.entries(store.files).filter(([name]) => !files.includes(name))))
  const forged: StoreHistory = { ...less, files: store.files, dataHash: store.dataHash, unread: () => files, forSession: () => forged }
  return { ...ready, store: forged }
}

/** Adds prices of a day after all others to a store. */
const DAYS_ADDED = ['parts/2025-06-23.1.arrow', 'parts/2025-06-23.1.last.arrow']
const addDay = (store: string): Promise<unknown> => writeRows(store, [draftOf('later')], [[DAY + 4 * DAY_US, 0, 400_000, 500_000, 1, 1, 450_000]], { isAdded: true })

const faults = ({ checks }: Verification): string[] => checks.filter(({ ok }) => !ok).map(({ name, state, about }) => `${name} ${state}: ${about}`)

let stores = 0
/** A copy of the run on a copy of its store, to which something is done. */
function withStore(name: string, change: (store: string) => void, of = 'prices'): string {
  const dir = copy(name)
  const store = `prices-${++stores}`
  cpSync(join(folder, of), join(folder, store), { recursive: true })
  change(join(folder, store))
  writeFileSync(join(dir, 'sources.json'), readFileSync(join(dir, 'sources.json'), 'utf8').replace(`../${of}`, `../${store}`))
  return dir
}

beforeAll(async () => {
  await run('first day')
  await run('over midnight', { change: overMidnight })
  await run('second day', { change: secondDay })
  await run('without earlier', { change: (ready) => playedWithout(overMidnight(ready), [EARLIER, EARLIER_LAST]) })
  cpSync(join(folder, 'prices'), join(folder, 'longer'), { recursive: true })
  await addDay(join(folder, 'longer'))
  await run('of longer', { change: (ready) => secondDay({ ...ready, store: openStoreHistory(join(folder, 'longer')) }) })
  await run('without later', { change: (ready) => playedWithout(ready, [LATER, LATER_LAST]) })
})

describe('a run that was played without parts that it should have read', () => {
  // The session of the first day asks the second one for closes alone: its digest is the same without, and its closing prices are others.
  it.each([
    ['without earlier', 'over midnight', [EARLIER, EARLIER_LAST], /^rerun differs: /], ['without later', 'first day', [LATER, LATER_LAST], /^table markets differs: row \d+, column closing_price: /],
  ])('differs where the store is there: %s', async (name, honest, files, said) => {
    expect(manifestOf(join(folder, name)).identity).toEqual(manifestOf(join(folder, honest)).identity)
    const verification = await verifyRun(copy(name))
    expect(verification.verdict).toBe('differs')
    const reads = files.map((file) => `reads ${file}, and the manifest says that it did not`).join('; ')
    expect(faults(verification)).toEqual(expect.arrayContaining([`unread differs: the scenario played again ${reads}`, expect.stringMatching(said)]))
  })

  it.each([
    ['without earlier', [EARLIER, EARLIER_LAST], /^inputs unproven: .*parts\/2025-06-19\.0\.arrow: the file is missing/],
    // By its times it could be spared.
    ['without later', [LATER, LATER_LAST], /^rerun unproven: the scenario played again reads parts\/2025-06-20\.0\.(last\.)?arrow, which is missing or has changed$/],
  ])('is not proven where they are gone: %s', async (name, files, said) => {
    const verification = await verifyRun(withStore(name, (store) => { for (const file of files) rmSync(join(store, file)) }))
    expect(verification.verdict).toBe('unproven')
    expect(faults(verification)).toEqual([expect.stringMatching(said)])
  })
})

describe('what a manifest says of what a run did not read', () => {
  it('is that of the run played again', async () => {
    expect(manifestOf(join(folder, 'over midnight')).unread).toBeUndefined()
    expect(manifestOf(join(folder, 'second day')).unread).toEqual([EARLIER])
    for (const name of ['over midnight', 'second day']) expect(faults(await verifyRun(copy(name)))).toEqual([])
  })

  it.each<[string, (unread: string[]) => unknown, RegExp]>([
    ['less', () => undefined, /^unread differs: the scenario played again does not read parts\/2025-06-19\.0\.arrow, and the manifest says that it did$/],
    ['more', (unread) => [...unread, LATER], /^unread differs: the scenario played again reads parts\/2025-06-20\.0\.arrow, and the manifest says that it did not$/],
    ['no list', () => 7, /^manifest differs: unread: 7/],
  ])('differs where it is edited: %s', async (_, edit, said) => {
    const dir = copy('second day')
    editManifest(dir, (manifest) => { manifest.unread = edit(manifest.unread as string[]) })
    const verification = await verifyRun(dir)
    expect(verification.verdict).toBe('differs')
    expect(faults(verification)).toEqual(expect.arrayContaining([expect.stringMatching(said)]))
  })
})

/** What is taken on trust of an honest run. */
const trusted = ({ checks }: Verification): string[] => checks.filter(({ about }) => about.includes('taken on trust')).map(({ about }) => about.split(':')[0]!)

describe('an honest run of the second day', () => {
  it.each<[string, (store: string) => void]>([
    ['is gone', (store) => { rmSync(join(store, EARLIER)) }],
    ['has changed', (store) => { flipBit(store, EARLIER, 0.5) }],
    ['has another length', (store) => { appendFileSync(join(store, EARLIER), 'more') }],
  ])('is proven where the part before it %s, which is named', async (_, change) => {
    const verification = await verifyRun(withStore('second day', change))
    expect(faults(verification)).toEqual([])
    expect(trusted(verification)).toEqual([EARLIER])
  })

  it('is not proven where what that part leaves behind is gone, or where the manifest does not say that it was not read', async () => {
    const dir = withStore('second day', (store) => { rmSync(join(store, EARLIER_LAST)) })
    const said = withStore('second day', (store) => { rmSync(join(store, EARLIER)) })
    editManifest(said, (manifest) => { delete manifest.unread })
    expect(faults(await verifyRun(dir))).toEqual([expect.stringMatching(/^inputs unproven: .*parts\/2025-06-19\.0\.last\.arrow: the file is missing/)])
    expect(faults(await verifyRun(said))).toEqual([expect.stringMatching(/^inputs unproven: .*parts\/2025-06-19\.0\.arrow: the file is missing/)])
  })

  it('is not proven where store.json says that the part is another one', async () => {
    const dir = withStore('second day', () => {})
    editManifest(dir, (manifest) => { manifest.history[EARLIER] = 'a'.repeat(64) })
    expect(faults(await verifyRun(dir))).toEqual(expect.arrayContaining([expect.stringMatching(/^inputs unproven: .*parts\/2025-06-19\.0\.arrow of the store is another than it was/)]))
  })
})

describe('an honest run of a store that goes on after it', () => {
  it('is proven with all of it, and a run of before the day was added without it', async () => {
    expect(manifestOf(join(folder, 'of longer')).unread).toEqual([EARLIER, ...DAYS_ADDED])
    expect(faults(await verifyRun(copy('of longer')))).toEqual([])
    const before = copy('over midnight')
    writeFileSync(join(before, 'sources.json'), readFileSync(join(before, 'sources.json'), 'utf8').replace('../prices', '../longer'))
    const verification = await verifyRun(before)
    expect([faults(verification), trusted(verification)]).toEqual([[], []])
  })

  it.each<[string, (store: string) => void, readonly string[]]>([
    ['the later part is gone', (store) => { rmSync(join(store, DAYS_ADDED[0]!)) }, [DAYS_ADDED[0]!]],
    ['all of the later day is gone', (store) => { for (const file of DAYS_ADDED) rmSync(join(store, file)) }, DAYS_ADDED],
    ['the later part has changed', (store) => { flipBit(store, DAYS_ADDED[0]!, 0.5) }, [DAYS_ADDED[0]!]],
  ])('is proven where %s, which is named', async (_, change, lost) => {
    const verification = await verifyRun(withStore('of longer', change, 'longer'))
    expect(faults(verification)).toEqual([])
    expect(trusted(verification)).toEqual([lost.join(', ')])
  })
})
